// The tosses of tosses.py in carom: a cube that falls on a half-space.
//
//     bench_tosses RESTITUTION FRICTION [K_RED [TOLERANCE]] < STARTS
//
// STARTS has one line a toss:  toss  n  dt  x y z  qw qx qy qz  vx vy vz  wx wy wz   (tosses.py)
// n samples, dt apart; state at the first, as in data/cube-tosses/README.md. Prints for each toss
//
//     toss TOSS SAMPLES CPU_SECONDS STEPS EVALUATIONS   SAMPLES: less than n when the simulation stopped early
//     x y z  qw qx qy qz                                at each of them
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "table.h"

static const double half_width = 0.0524;  // [m]
static const double mass = 0.37;          // [kg]
static const double inertia = 0.00081;    // [kg m^2]

typedef struct Contact {
    double restitution, friction, k_red, tolerance;
} Contact;

typedef struct Toss {
    int number, nsample;
    double dt;
    caromVec3 p, v, w_B;  // w_B in the cube's frame
    caromQuat q;
} Toss;

static bool read_toss(Toss *t)
{
    return scanf("%d %d %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &t->number, &t->nsample, &t->dt,
                 &t->p.x, &t->p.y, &t->p.z, &t->q.w, &t->q.x, &t->q.y, &t->q.z, &t->v.x, &t->v.y, &t->v.z, &t->w_B.x,
                 &t->w_B.y, &t->w_B.z) == 16;
}

static void add_bodies(caromBuilder *b, const Toss *t)
{
    caromShapeDef ground = carom_model_shape_def(carom_shape_half_space()),
                  box = carom_model_shape_def(carom_shape_box(2*half_width, 2*half_width, 2*half_width));
    caromBodyDef table = carom_model_body_def("table"), cube = carom_model_body_def("cube");
    table.material = cube.material = "acrylic";
    table.fixed = true;
    table.shapes = &ground;
    cube.shapes = &box;
    table.nshape = cube.nshape = 1;
    cube.mass = mass;
    cube.com = carom_vec(0, 0, 0);
    cube.inertia = carom_mat_diagonal(inertia, inertia, inertia);
    cube.p_WB = t->p;
    cube.q_WB = carom_quat_normalized(t->q);
    cube.v_WB = t->v;
    cube.w_WB = carom_mul(carom_quat_matrix(cube.q_WB), t->w_B);
    carom_builder_body(b, &table);
    carom_builder_body(b, &cube);
}

static caromModel *build(const Toss *t, const Contact *c)
{
    caromBuilder *b = carom_builder_create();
    caromPairDef pair = carom_model_pair_def("acrylic", "acrylic");
    pair.restitution = c->restitution;
    pair.friction = c->friction;
    carom_builder_pair(b, &pair);
    add_bodies(b, t);
    caromSettings settings = carom_model_settings_def();
    settings.every = t->dt;
    settings.until = (t->nsample - 1)*t->dt;
    settings.k_red = c->k_red;
    settings.tolerance = c->tolerance;
    carom_builder_settings(b, &settings);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_builder_destroy(b);
    return model;
}

typedef struct Track {
    int n, capacity;
    caromVec3 *p;
    caromQuat *q;
} Track;

static caromStatus record(void *user, const caromSample *sample)
{
    Track *track = user;
    if (sample->kind != CAROM_SAMPLE_GRID || track->n == track->capacity) return CAROM_OK;
    track->p[track->n] = sample->X_WB[1].p;
    track->q[track->n++] = sample->q_WB[1];
    return CAROM_OK;
}

static void print_track(const Toss *t, const Track *track, double seconds, const caromSimStats *stats)
{
    printf("toss %d %d %.6f %lld %lld\n", t->number, track->n, seconds, (long long)stats->steps,
           (long long)stats->evaluations);
    for (int i = 0; i < track->n; i++) {
        caromVec3 p = track->p[i];
        caromQuat q = track->q[i];
        printf("%.7f %.7f %.7f %.7f %.7f %.7f %.7f\n", p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    }
}

// Time is that of the simulation, without building the model.
static void simulate(const Toss *t, const Contact *c, Track *track)
{
    caromModel *model = build(t, c);
    if (!model) return;
    track->n = 0;
    caromSink sink = { track, record, NULL };
    caromSim *sim = NULL;
    caromError err;
    double begin = bench_cpu_seconds();
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    double seconds = bench_cpu_seconds() - begin;
    if (status != CAROM_OK)
        fprintf(stderr, "toss %d, restitution %g, friction %g, %s: %s\n", t->number, c->restitution, c->friction,
                err.where, err.message);
    caromSimStats stats = { 0 };
    if (sim) stats = *carom_sim_stats(sim);
    print_track(t, track, seconds, &stats);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

static bool resize(Track *track, int n)
{
    if (n <= track->capacity) return true;
    caromVec3 *p = realloc(track->p, (size_t)n*sizeof *p);
    if (p) track->p = p;
    caromQuat *q = realloc(track->q, (size_t)n*sizeof *q);
    if (q) track->q = q;
    if (!p || !q) return false;
    track->capacity = n;
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        puts("bench_tosses RESTITUTION FRICTION [K_RED [TOLERANCE]] < STARTS: run by bench/tosses.sh");
        return 0;
    }
    Contact contact = { strtod(argv[1], NULL), strtod(argv[2], NULL), argc > 3 ? strtod(argv[3], NULL) : 1,
                        argc > 4 ? strtod(argv[4], NULL) : 1e-4 };
    Track track = { 0 };
    Toss t;
    while (read_toss(&t) && resize(&track, t.nsample)) simulate(&t, &contact, &track);
    free(track.p);
    free(track.q);
    return 0;
}
