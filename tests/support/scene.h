// Small scenes for tests of the simulator, and a recorder of what it says.
#ifndef CAROM_TESTS_SCENE_H
#define CAROM_TESTS_SCENE_H

#include "carom/carom.h"

#include "check.h"

typedef struct Scene {
    caromBuilder *builder;
    caromSettings settings;
} Scene;

static inline Scene scene_begin(void)
{
    Scene s = { carom_builder_create(), carom_model_settings_def() };
    s.settings.default_restitution = 0.7;
    s.settings.default_friction = 0.3;
    return s;
}

static inline void scene_material(Scene *s, const char *name, double density, double E, double nu)
{
    caromMaterialDef def = { name, density, E, nu };
    carom_builder_material(s->builder, &def);
}

static inline void scene_pair(Scene *s, const char *a, const char *b, double e, double mu, double mu_r)
{
    caromPairDef def = carom_model_pair_def(a, b);
    def.restitution = e;
    def.friction = mu;
    def.rolling = mu_r;
    carom_builder_pair(s->builder, &def);
}

// A body with one shape; change the returned definition before scene_add.
static inline caromBodyDef scene_body(const char *name, const char *material, const caromShapeDef *shape)
{
    caromBodyDef def = carom_model_body_def(name);
    def.material = material;
    def.shapes = shape;
    def.nshape = 1;
    return def;
}

static inline void scene_add(Scene *s, const caromBodyDef *def)
{
    carom_builder_body(s->builder, def);
}

static inline void scene_floor(Scene *s, const char *material)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef def = scene_body("floor", material, &shape);
    def.fixed = true;
    scene_add(s, &def);
}

static inline void scene_ball(Scene *s, const char *name, const char *material, double radius, caromVec3 p, caromVec3 v)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { radius, 0, 0 } });
    caromBodyDef def = scene_body(name, material, &shape);
    def.p_WB = p;
    def.v_WB = v;
    scene_add(s, &def);
}

static inline void scene_box(Scene *s, const char *name, const char *material, caromVec3 size, caromVec3 p, caromQuat q,
                             caromVec3 v, caromVec3 w)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_BOX, size });
    caromBodyDef def = scene_body(name, material, &shape);
    def.p_WB = p;
    def.q_WB = q;
    def.v_WB = v;
    def.w_WB = w;
    scene_add(s, &def);
}

static inline caromModel *scene_end(Scene *s)
{
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_settings(s->builder, &s->settings);
    if (carom_builder_finish(s->builder, &problems, &model) != CAROM_OK) {
        for (int i = 0; i < problems.count; i++)
            print_error("%s: %s\n", problems.items[i].path, problems.items[i].message);
        fail_msg("the scene is not a model");
    }
    carom_problems_free(&problems);
    carom_builder_destroy(s->builder);
    return model;
}

enum { RECORD_MAX = 4096 };

typedef struct Record {  // of a run
    int nevent;
    caromEvent events[RECORD_MAX];
    int64_t nsample;
    caromSample last;                 // pointers into it are dead
    caromPose last_X[64];
    caromSpatial last_V[64];
    double highest[64], lowest[64];   // z of every body
    double largest_total;             // of energy without the imbalance of dissipation: kinetic + potential + elastic
    double first_total;
    uint64_t hash;                    // of all samples, bit by bit
    caromSimStats stats;
    caromStatus status;
    caromError error;
} Record;

static inline void hash_bytes(uint64_t *hash, const void *data, size_t n)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++) *hash = (*hash ^ bytes[i])*1099511628211ULL;
}

static inline caromStatus record_sample(void *user, const caromSample *s)
{
    Record *r = user;
    double total = s->energy.kinetic + s->energy.potential + s->energy.elastic;
    if (r->nsample == 0) r->first_total = total;
    r->largest_total = r->nsample == 0 ? total : fmax(r->largest_total, total);
    for (int k = 0; k < s->nbody && k < 64; k++) {
        r->highest[k] = r->nsample == 0 ? s->X_WB[k].p.z : fmax(r->highest[k], s->X_WB[k].p.z);
        r->lowest[k] = r->nsample == 0 ? s->X_WB[k].p.z : fmin(r->lowest[k], s->X_WB[k].p.z);
        r->last_X[k] = s->X_WB[k];
        r->last_V[k] = s->V_WB[k];
    }
    hash_bytes(&r->hash, &s->time, sizeof s->time);
    hash_bytes(&r->hash, s->X_WB, (size_t)s->nbody*sizeof *s->X_WB);
    hash_bytes(&r->hash, s->V_WB, (size_t)s->nbody*sizeof *s->V_WB);
    r->last = *s;
    r->nsample++;
    return CAROM_OK;
}

static inline caromStatus record_event(void *user, const caromEvent *e)
{
    Record *r = user;
    if (r->nevent < RECORD_MAX) r->events[r->nevent] = *e;
    r->nevent++;
    return CAROM_OK;
}

// Runs the model to its end; free() the record.
static inline Record *scene_run(const caromModel *model)
{
    Record *r = calloc(1, sizeof *r);
    r->hash = 14695981039346656037ULL;
    caromSink sink = { r, record_sample, record_event };
    caromSim *sim;
    r->status = carom_sim_create(model, &sink, &sim, &r->error);
    if (r->status == CAROM_OK) {
        r->status = carom_sim_run(sim, &r->error);
        r->stats = *carom_sim_stats(sim);
    }
    carom_sim_destroy(sim);
    return r;
}

static inline void expect_completed(const Record *r)
{
    if (r->status != CAROM_OK)
        fail_msg("run ended with %s: %s: %s", carom_status_name(r->status), r->error.where, r->error.message);
}

#endif
