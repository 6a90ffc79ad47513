// Chains, a humanoid and a double pendulum of scenes.h, in the rows of bench/peers: cost of one evaluation of the
// accelerations, and error against time of integration.
//
//     carom  scene  size  us_per_evaluation  check
//         check: root mean square of the hinges' accelerations
//     carom  pendulum  integrator  tolerance  error  cpu_ms
#include <stdio.h>
#include <stdlib.h>

#include "carom/dynamics.h"
#include "carom/sim.h"
#include "scenes.h"
#include "table.h"

// Turns z to the axis.
static caromQuat to_axis(int axis)
{
    const double h = sqrt(0.5);
    return axis == 0 ? (caromQuat){ h, 0, h, 0 } : axis == 1 ? (caromQuat){ h, -h, 0, 0 } : carom_quat_identity();
}

static caromVec3 vec(const double x[3])
{
    return carom_vec(x[0], x[1], x[2]);
}

static void add_link(caromBuilder *b, const BenchScene *scene, int i)
{
    const BenchLink *l = &scene->links[i];
    char name[16], parent[16], hinge[16];
    snprintf(name, sizeof name, "link%d", i);
    snprintf(parent, sizeof parent, "link%d", l->parent);
    snprintf(hinge, sizeof hinge, "hinge%d", i);
    caromBodyDef body = carom_model_body_def(name);
    body.mass = l->mass;
    body.com = vec(l->com);
    body.inertia = carom_mat_diagonal(l->inertia[0], l->inertia[1], l->inertia[2]);
    if (l->axis == BENCH_FREE) body.p_WB = vec(l->p);
    carom_builder_body(b, &body);
    if (l->axis == BENCH_FREE) return;
    caromJointDef joint = carom_model_joint_def(hinge, CAROM_JOINT_REVOLUTE);
    joint.body[0] = l->parent < 0 ? NULL : parent;
    joint.body[1] = name;
    joint.p[0] = vec(l->p);
    joint.q[0] = joint.q[1] = to_axis(l->axis);
    carom_builder_joint(b, &joint);
}

static caromModel *build(const BenchScene *scene, caromSettings settings)
{
    caromBuilder *b = carom_builder_create();
    settings.gravity = carom_vec(0, 0, -BENCH_GRAVITY);
    carom_builder_settings(b, &settings);
    for (int i = 0; i < scene->nlink; i++) add_link(b, scene, i);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    if (carom_builder_finish(b, &problems, &model) != CAROM_OK) {
        for (int i = 0; i < problems.count; i++)
            fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
        exit(1);
    }
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static void stop_on(caromStatus status, const caromError *err)
{
    if (status == CAROM_OK) return;
    fprintf(stderr, "%s: %s\n", err->where, err->message);
    exit(1);
}

// ---- accelerations

typedef struct Forward {
    const BenchScene *scene;
    caromDyn *dyn;
    double *q, *v, *dv;
} Forward;

// As for the peers: the whole state is written each time, and differs from the last.
static double seconds_of(Forward *f, long count)
{
    const BenchScene *scene = f->scene;
    int first = scene->nlink - scene->nhinge;
    double begin = bench_cpu_seconds();
    for (long k = 0; k < count; k++) {
        for (int i = first; i < scene->nlink; i++) {
            f->q[carom_dyn_body_iq(f->dyn, (caromBodyId){ i })] = bench_angle(i - first) +
                                                                  (i == first ? 1e-9*(double)(k & 1) : 0);
            f->v[carom_dyn_body_iv(f->dyn, (caromBodyId){ i })] = bench_rate(i - first);
        }
        carom_dyn_forward(f->dyn, 0, f->q, f->v, NULL, NULL, f->dv);
    }
    return bench_cpu_seconds() - begin;
}

static double check_of(const Forward *f)
{
    double sum = 0;
    for (int i = f->scene->nlink - f->scene->nhinge; i < f->scene->nlink; i++) {
        double a = f->dv[carom_dyn_body_iv(f->dyn, (caromBodyId){ i })];
        sum += a*a;
    }
    return sqrt(sum/f->scene->nhinge);
}

static void time_forward(BenchScene scene)
{
    caromModel *model = build(&scene, carom_model_settings_def());
    Forward f = { .scene = &scene };
    caromError err;
    stop_on(carom_dyn_create(model, &f.dyn, &err), &err);
    f.q = calloc((size_t)carom_dyn_nq(f.dyn), sizeof(double));
    f.v = calloc((size_t)carom_dyn_nv(f.dyn), sizeof(double));
    f.dv = calloc((size_t)carom_dyn_nv(f.dyn), sizeof(double));
    carom_dyn_start(f.dyn, f.q, f.v);
    seconds_of(&f, 1);
    double check = check_of(&f), best = INFINITY;
    long count = 1;
    while (seconds_of(&f, count) < 0.02) count *= 2;
    for (int i = 0; i < 9; i++) best = fmin(best, seconds_of(&f, count));
    printf("%-14s %-9s %5d %12.4g   %.9g\n", "carom", scene.name, scene.size, 1e6*best/(double)count, check);
    fflush(stdout);
    free(f.q);
    free(f.v);
    free(f.dv);
    carom_dyn_destroy(f.dyn);
    carom_model_destroy(model);
    free(scene.links);
}

// ---- integration

static caromStatus keep_angles(void *user, const caromSample *sample)
{
    double *q = user;
    q[0] = sample->joint_q[0];
    q[1] = sample->joint_q[1];
    return CAROM_OK;
}

static void time_pendulum(const BenchScene *scene, caromMethodChoice method, double tolerance)
{
    caromSettings settings = carom_model_settings_def();
    settings.until = settings.every = 10;
    settings.tolerance = tolerance;
    settings.method = method;
    caromModel *model = build(scene, settings);
    double best = INFINITY, q[2] = { 0, 0 };
    for (int i = 0; i < 7; i++) {
        caromSim *sim;
        caromError err;
        double begin = bench_cpu_seconds();
        stop_on(carom_sim_create(model, &(caromSink){ q, keep_angles, NULL }, &sim, &err), &err);
        stop_on(carom_sim_run(sim, &err), &err);
        carom_sim_destroy(sim);
        best = fmin(best, bench_cpu_seconds() - begin);
    }
    printf("%-14s pendulum  own-%-10s %8.1e %10.2e %10.4g\n", "carom", carom_model_method_name(method), tolerance,
           bench_pendulum_error(q[0], q[1]), 1e3*best);
    fflush(stdout);
    carom_model_destroy(model);
}

int main(void)
{
    for (int n = 1; n <= 1000; n *= 10) time_forward(bench_scene_chain(n));
    time_forward(bench_scene_humanoid());
    BenchScene pendulum = bench_scene_pendulum();
    const caromMethodChoice methods[] = { CAROM_METHOD_AUTO, CAROM_METHOD_DP5, CAROM_METHOD_DOP853 };
    for (int m = 0; m < 3; m++)
        for (int k = 4; k <= 12; k++) time_pendulum(&pendulum, methods[m], pow(10, -k));
    free(pendulum.links);
    return 0;
}
