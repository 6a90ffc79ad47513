// From checked definitions to the frozen model.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/builder.h"
#include "model/check.h"
#include "model/laws.h"

static caromMassProps mass_of_shapes(const caromBuilder *b, const caromBodyDef *def)
{
    caromMassProps sum = { 0 };
    for (int i = 0; i < def->nshape; i++) {
        const caromShapeDef *s = &def->shapes[i];
        if (!s->weighs) continue;
        const caromMaterialDef *material = carom_builder_find_material(b, carom_model_shape_material(def, s));
        caromPose X_BS = { carom_quat_matrix(s->q_BS), s->p_BS };
        caromMassProps part = carom_geometry_mass_moved(carom_shape_mass(s->shape, material->density), X_BS);
        if (part.mass > 0.0) sum = sum.mass > 0.0 ? carom_geometry_mass_sum(sum, part) : part;
    }
    return sum;
}

caromMassProps carom_builder_mass(const caromBuilder *b, const caromBodyDef *def)
{
    caromMassProps props = mass_of_shapes(b, def);
    if (isnan(def->mass)) return props;
    if (props.mass > 0.0) props.inertia = carom_mat_scale(def->mass/props.mass, props.inertia);
    props.mass = def->mass;
    if (!isnan(def->com.x)) props.com = def->com;
    if (!isnan(def->inertia.cx.x)) props.inertia = def->inertia;
    return props;
}

static size_t names_size(const caromBuilder *b)
{
    size_t n = 1;
    if (b->settings.name) n += strlen(b->settings.name) + 1;
    for (int i = 0; i < b->nbody; i++) {
        n += strlen(b->bodies[i].name) + 1;
        for (int k = 0; k < b->bodies[i].nshape; k++) n += strlen(b->bodies[i].shapes[k].name) + 1;
        for (int k = 0; k < b->bodies[i].ngroup; k++) n += strlen(b->bodies[i].groups[k]) + 1;
    }
    for (int i = 0; i < b->njoint; i++) n += strlen(b->joints[i].name) + 1;
    for (int i = 0; i < b->nspring; i++) n += strlen(b->springs[i].name) + 1;
    for (int i = 0; i < b->nignored; i++) n += strlen(b->ignored[i].name[0]) + strlen(b->ignored[i].name[1]) + 2;
    for (int i = 0; i < b->nmaterial; i++) n += strlen(b->materials[i].name) + 1;
    for (int i = 0; carom_model_material_palette(i); i++) n += strlen(carom_model_material_palette(i)->name) + 1;
    return n;
}

const char *carom_model_keep_name(char **end, const char *name)
{
    char *kept = *end;
    size_t n = strlen(name) + 1;
    memcpy(kept, name, n);
    *end += n;
    return kept;
}

static bool allocate(const caromBuilder *b, caromModel *m)
{
    m->nbody = b->nbody;
    int ngroup = 0;
    for (int i = 0; i < b->nbody; i++) m->nshape += b->bodies[i].nshape, ngroup += b->bodies[i].ngroup;
    m->bodies = carom_alloc_array((size_t)m->nbody, sizeof *m->bodies);
    m->shapes = carom_alloc_array((size_t)m->nshape, sizeof *m->shapes);
    m->materials = carom_alloc_array((size_t)m->nshape, sizeof *m->materials);  // at most one per shape is in use
    m->exclusions.groups = carom_alloc_array((size_t)ngroup, sizeof *m->exclusions.groups);
    m->exclusions.ignored = carom_alloc_array((size_t)b->nignored, sizeof *m->exclusions.ignored);
    m->names = carom_alloc_array(names_size(b), 1);
    return m->bodies && m->shapes && m->materials && m->exclusions.groups && m->exclusions.ignored && m->names;
}

// Index of a material in the model, added on first use.
static int use_material(const caromBuilder *b, caromModel *m, const char *name, char **names)
{
    for (int i = 0; i < m->nmaterial; i++) {
        if (strcmp(m->materials[i].name, name) == 0) return i;
    }
    caromMaterialDef def = *carom_builder_find_material(b, name);
    def.name = carom_model_keep_name(names, def.name);
    m->materials[m->nmaterial] = def;
    return m->nmaterial++;
}

// The model outlives the builder, so it has hulls of its own. Without memory for one it stays NULL, which has_hulls
// finds.
static caromShape own_shape(caromShape shape)
{
    carom_shape_copy(&shape);
    return shape;
}

static bool has_hulls(const caromModel *m)
{
    for (int i = 0; i < m->nshape; i++) {
        const caromShape *shape = &m->shapes[i].shape;
        if (carom_shape_row(shape->kind)->has_hull && !shape->hull) return false;
    }
    return true;
}

static void free_shapes(caromModel *m)
{
    for (int i = 0; m->shapes && i < m->nshape; i++) carom_shape_free(&m->shapes[i].shape);
    free(m->shapes);
}

static void freeze_shape(const caromBuilder *b, caromModel *m, int body, int i, char **names)
{
    const caromBodyDef *body_def = &b->bodies[body];
    const caromShapeDef *def = &body_def->shapes[i];
    m->shapes[m->bodies[body].first_shape +
              i] = (caromModelShape){ .name = carom_model_keep_name(names, def->name), .body = body,
                                      .material = use_material(b, m, carom_model_shape_material(body_def, def), names),
                                      .shape = own_shape(def->shape),
                                      .X_BS = { carom_quat_matrix(def->q_BS), def->p_BS },
                                      .radius = carom_shape_radius(def->shape),
                                      .shell = def->shell,
                                      .samples = def->samples,
                                      .touches = def->touches,
                                      .stands_for = -1,
                                      .weighs = def->weighs };
                                                                    }

static void freeze_stand_ins(caromModel *m, const caromBodyDef *def, int first_shape)
{
    for (int i = 0; i < def->nshape; i++)
        for (int k = 0; k < i && def->shapes[i].stands_for; k++)
            if (strcmp(def->shapes[i].stands_for, def->shapes[k].name) == 0)
                m->shapes[first_shape + i].stands_for = first_shape + k;
}

static double reach(const caromModel *m, const caromBody *body)
{
    double reach = 0.0;
    for (int i = body->first_shape; i < body->first_shape + body->nshape; i++) {
        const caromModelShape *s = &m->shapes[i];
        if (carom_shape_is_bounded(s->shape))
            reach = fmax(reach, carom_norm(carom_sub(s->X_BS.p, body->props.com)) + s->radius);
    }
    return reach;
}

static void freeze_body(const caromBuilder *b, caromModel *m, int k, int first_shape, char **names)
{
    const caromBodyDef *def = &b->bodies[k];
    caromBody *body = &m->bodies[k];
    *body = (caromBody){ .name = carom_model_keep_name(names, def->name),
                         .fixed = def->fixed,
                         .first_shape = first_shape,
                         .nshape = def->nshape,
                         .first_group = m->exclusions.ngroup,
                         .ngroup = def->ngroup,
                         .link = -1,
                         .p_WB = def->p_WB,
                         .q_WB = carom_quat_normalized(def->q_WB),
                         .V_WB = { def->w_WB, def->v_WB } };
    for (int i = 0; i < def->nshape; i++) freeze_shape(b, m, k, i, names);
    freeze_stand_ins(m, def, first_shape);
    for (int i = 0; i < def->ngroup; i++)
        m->exclusions.groups[m->exclusions.ngroup++] = carom_model_keep_name(names, def->groups[i]);
    if (!def->fixed) body->props = carom_builder_mass(b, def);
    body->reach = reach(m, body);
}

static bool freeze(const caromBuilder *b, caromModel *m, caromProblems *problems)
{
    m->settings = b->settings;
    if (isnan(m->settings.every)) m->settings.every = m->settings.until/500.0;
    if (!allocate(b, m)) return false;
    char *names = m->names;
    if (m->settings.name) m->settings.name = carom_model_keep_name(&names, m->settings.name);
    int first_shape = 0;
    for (int k = 0; k < b->nbody; k++) {
        freeze_body(b, m, k, first_shape, &names);
        first_shape += b->bodies[k].nshape;
    }
    return has_hulls(m) && carom_builder_freeze_tree(b, m, &names, problems) &&
           carom_builder_freeze_pairs(b, m, &names, problems);
}

static void check_representable(const caromModel *m, caromProblems *problems)
{
    for (int k = 0; k < m->nlink; k++) {
        const caromBody *body = &m->bodies[m->links[k].body];
        caromMat3 inv = m->links[k].inertia_inv_C;
        bool good = isfinite(body->props.mass) && body->props.mass > 0.0 && carom_is_finite3(inv.cx) &&
                    carom_is_finite3(inv.cy) && carom_is_finite3(inv.cz);
        if (good) continue;
        char path[CAROM_NAME_MAX + 16] = "bodies.";
        strcat(path, body->name);
        carom_problem_add(problems, false, path, "mass %g kg or its inertia is too large or too small for double "
                          "precision: check units and sizes", body->props.mass);
    }
}

// Each sample has every pair, so their number is bounded.
static void check_gaps(const caromModel *m, caromProblems *problems)
{
    if (!m->settings.gaps || m->npair <= CAROM_GAP_PAIRS_MAX) return;
    carom_problem_add(problems, false, "simulate.gaps", "gaps are recorded for at most %d pairs of shapes, and here %d "
                      "can touch: leave it out, or ignore some (contact.ignore)", CAROM_GAP_PAIRS_MAX, m->npair);
}

caromStatus carom_builder_finish(const caromBuilder *builder, caromProblems *problems, caromModel **model)
{
    *model = NULL;
    int errors_before = problems->errors;
    carom_builder_check(builder, problems);
    if (problems->errors > errors_before) return builder->out_of_memory ? CAROM_ERR_MEMORY : CAROM_ERR_MODEL;
    caromModel *m = calloc(1, sizeof *m);
    if (!m || !freeze(builder, m, problems)) {
        carom_model_destroy(m);
        if (problems->errors > errors_before) return CAROM_ERR_MODEL;
        carom_problem_add(problems, false, "", "out of memory while the model was built");
        return CAROM_ERR_MEMORY;
    }
    check_representable(m, problems);
    check_gaps(m, problems);
    carom_model_check_motions(m, problems);
    carom_model_check_light(m, problems);
    carom_builder_check_pairs(builder, m, problems);
    if (carom_model_response(m)->has_impacts) carom_model_check_rigid_meshes(m, problems);
    if (problems->errors == errors_before) carom_model_sample(m, problems);
    if (problems->errors > errors_before) {
        carom_model_destroy(m);
        return CAROM_ERR_MODEL;
    }
    *model = m;
    return CAROM_OK;
}

void carom_model_destroy(caromModel *m)
{
    if (!m) return;
    carom_model_free_tree(m);
    free(m->bodies);
    free_shapes(m);
    free(m->materials);
    free(m->pairs);
    carom_model_laws_free(m);
    free(m->exclusions.groups);
    free(m->exclusions.ignored);
    free(m->names);
    free(m);
}
