// Contact pairs and the coefficients of each. Which they are is in touch.c; what two materials do to each other is looked up by their indices: there
// may be two million pairs.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/touch.h"

// The pairs of materials that were given, by the indices of their materials in the model; -1: one that no shape has.
typedef struct Given {
    const caromBuilder *b;
    int (*material)[2];  // [npair]
    int *with;           // for one material: the pair with each other one, -1: none  [nmaterial]
} Given;

static int index_of(const caromModel *m, const char *material)
{
    for (int i = 0; i < m->nmaterial; i++) if (strcmp(m->materials[i].name, material) == 0) return i;
    return -1;
}

static bool index_given(const caromBuilder *b, const caromModel *m, Given *given)
{
    *given = (Given){ .b = b };
    given->material = carom_alloc_array((size_t)b->npair, sizeof *given->material);
    given->with = carom_alloc_array((size_t)m->nmaterial, sizeof *given->with);
    if (!given->material || !given->with) return false;
    for (int k = 0; k < b->npair; k++)
        for (int i = 0; i < 2; i++) given->material[k][i] = index_of(m, b->pairs[k].material[i]);
    return true;
}

static void look_up(const caromModel *m, Given *given, int material)
{
    for (int i = 0; i < m->nmaterial; i++) given->with[i] = -1;
    for (int k = 0; k < given->b->npair; k++) {
        int first = given->material[k][0], second = given->material[k][1];
        if (first == material && second >= 0) given->with[second] = k;
        if (second == material && first >= 0) given->with[first] = k;
    }
}

static void set_coefficients(const Given *given, int material, caromModelPair *p)
{
    const caromSettings *s = &given->b->settings;
    const caromPairDef *d = given->with[material] < 0 ? NULL : &given->b->pairs[given->with[material]];
    p->is_default[0] = !d || isnan(d->restitution);
    p->is_default[1] = !d || isnan(d->friction);
    p->is_default[2] = !d || isnan(d->rolling);
    p->restitution = p->is_default[0] ? s->default_restitution : d->restitution;
    p->friction = p->is_default[1] ? s->default_friction : d->friction;
    p->rolling = p->is_default[2] ? s->default_rolling : d->rolling;
}

static double plane_strain_modulus(const caromMaterialDef *m)
{
    return m->E/(1.0 - m->nu*m->nu);
}

static double inverse_mass(const caromModel *m, int shape)
{
    const caromBody *body = &m->bodies[m->shapes[shape].body];
    return body->fixed ? 0.0 : 1.0/body->props.mass;
}

static void freeze_pair(const Given *given, const caromModel *m, int sa, int sb, caromModelPair *p)
{
    const caromMaterialDef *ma = &m->materials[m->shapes[sa].material], *mb = &m->materials[m->shapes[sb].material];
    *p = (caromModelPair){ .shape = { sa, sb } };
    set_coefficients(given, m->shapes[sb].material, p);
    double ca = plane_strain_modulus(ma), cb = plane_strain_modulus(mb);
    p->E_star = ca*cb/(ca + cb)/given->b->settings.k_red;
    p->mass = 1.0/(inverse_mass(m, sa) + inverse_mass(m, sb));
}

// In the order of (first, second) shape.
static bool list_pairs(const caromBuilder *b, caromModel *m, const caromSquare *square)
{
    Given given;
    m->pairs = carom_alloc_array((size_t)carom_square_count(square), sizeof *m->pairs);
    bool good = index_given(b, m, &given) && m->pairs;
    for (int i = 0; good && i < m->nshape; i++) {
        look_up(m, &given, m->shapes[i].material);
        for (int j = carom_square_next(square, i, i + 1); j < m->nshape; j = carom_square_next(square, i, j + 1)) freeze_pair(&given, m, i, j, &m->pairs[m->npair++]);
    }
    free(given.material);
    free(given.with);
    return good;
}

bool carom_builder_freeze_pairs(const caromBuilder *b, caromModel *m, char **names, caromProblems *problems)
{
    caromSquare square;
    bool good = carom_square_find(b, m, names, problems, &square) && list_pairs(b, m, &square);
    free(square.bits);
    return good;
}
