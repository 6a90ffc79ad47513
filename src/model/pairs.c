// Who may touch whom: contact pairs, and the coefficients of each.
//
// There may be two million pairs, so that what is asked for each of them must be cheap. Whether two shapes may touch is a bit in a square
// with a row for each shape: rules (of different bodies, one of them moves, no joint connects them) clear whole ranges of a row at once. What two
// materials do to each other is looked up by their indices.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/builder.h"

// ---- sets of shapes, 64 of them in a word

typedef struct Square {
    int n, nword;    // shapes, and the words of a row
    uint64_t *bits;  // bit b of row a: may shapes a and b touch? Symmetric.
} Square;

static uint64_t *row_of(const Square *s, int shape)
{
    return s->bits + (size_t)shape*(size_t)s->nword;
}

static uint64_t bit_of(int shape)
{
    return (uint64_t)1 << (shape & 63);
}

static void add(uint64_t *set, int shape)
{
    set[shape >> 6] |= bit_of(shape);
}

static void remove_range(uint64_t *set, int first, int n)
{
    for (int i = first; i < first + n; i++) set[i >> 6] &= ~bit_of(i);
}

// Bits of a word are counted in pairs, in fours, in bytes; the product adds up the bytes [Warren13].
static int count_bits(uint64_t w)
{
    w -= w >> 1 & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(w*0x0101010101010101u >> 56);
}

// The next member from `from` on; n: none. In words without members it goes on by 64.
static int next_member(const Square *s, const uint64_t *set, int from)
{
    while (from < s->n) {
        uint64_t rest = set[from >> 6] >> (from & 63);
        if (rest & 1) return from;
        from = rest ? from + 1 : (from | 63) + 1;
    }
    return s->n;
}

static int count_pairs(const Square *s)
{
    int n = 0;
    for (size_t i = 0; i < (size_t)s->n*(size_t)s->nword; i++) n += count_bits(s->bits[i]);
    return n/2;
}

// ---- rules

// What can touch each other for what it is: shapes of different bodies of which at least one moves. Two half-spaces overlap almost always and have no
// surface to touch with.
static void set_candidates(const caromModel *m, Square *s, const uint64_t *moving, const uint64_t *bounded)
{
    for (int i = 0; i < s->n; i++) {
        const caromModelShape *shape = &m->shapes[i];
        const caromBody *body = &m->bodies[shape->body];
        uint64_t *row = row_of(s, i);
        for (int w = 0; w < s->nword; w++) row[w] = ~(uint64_t)0;
        for (int w = 0; body->fixed && w < s->nword; w++) row[w] &= moving[w];
        for (int w = 0; !carom_shape_is_bounded(shape->shape) && w < s->nword; w++) row[w] &= bounded[w];
        remove_range(row, body->first_shape, body->nshape);
        remove_range(row, s->n, 64*s->nword - s->n);
    }
}

static bool find_candidates(const caromModel *m, Square *s)
{
    uint64_t *moving = carom_alloc_array((size_t)s->nword, sizeof *moving), *bounded = carom_alloc_array((size_t)s->nword, sizeof *bounded);
    bool good = moving && bounded;
    for (int i = 0; good && i < s->n; i++) {
        if (!m->bodies[m->shapes[i].body].fixed) add(moving, i);
        if (carom_shape_is_bounded(m->shapes[i].shape)) add(bounded, i);
    }
    if (good) set_candidates(m, s, moving, bounded);
    free(moving);
    free(bounded);
    return good;
}

static void separate_bodies(const caromModel *m, Square *s, int a, int b)
{
    const caromBody *body = &m->bodies[a], *other = &m->bodies[b];
    for (int i = body->first_shape; i < body->first_shape + body->nshape; i++) remove_range(row_of(s, i), other->first_shape, other->nshape);
    for (int i = other->first_shape; i < other->first_shape + other->nshape; i++) remove_range(row_of(s, i), body->first_shape, body->nshape);
}

// Bodies that a joint connects do not touch each other.
static void separate_joined(const caromModel *m, Square *s)
{
    for (int k = 0; k < m->njoint; k++) {
        const int *body = m->joints[k].body;
        if (body[0] >= 0 && body[1] >= 0) separate_bodies(m, s, body[0], body[1]);
    }
}

// ---- coefficients

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
static bool list_pairs(const caromBuilder *b, caromModel *m, const Square *s)
{
    Given given;
    m->pairs = carom_alloc_array((size_t)count_pairs(s), sizeof *m->pairs);
    bool good = index_given(b, m, &given) && m->pairs;
    for (int i = 0; good && i < s->n; i++) {
        look_up(m, &given, m->shapes[i].material);
        for (int j = next_member(s, row_of(s, i), i + 1); j < s->n; j = next_member(s, row_of(s, i), j + 1)) freeze_pair(&given, m, i, j, &m->pairs[m->npair++]);
    }
    free(given.material);
    free(given.with);
    return good;
}

bool carom_builder_freeze_pairs(const caromBuilder *b, caromModel *m)
{
    Square s = { m->nshape, (m->nshape + 63)/64, NULL };
    s.bits = carom_alloc_array((size_t)s.n*(size_t)s.nword, sizeof *s.bits);
    bool good = s.bits && find_candidates(m, &s);
    if (good) {
        separate_joined(m, &s);
        good = list_pairs(b, m, &s);
    }
    free(s.bits);
    return good;
}
