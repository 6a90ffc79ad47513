// Bodies that never touch: CPU time against simulated time, as their number grows.
//
//     bench_swarm [BODIES [SECONDS]]      default: 250, 500, 1000, then 2000 balls, for 1 s
//
// Steel balls of radius 10 mm, 50 mm apart, fall together with speeds that differ by a few mm/s. Each makes steps of a
// third of a second in which it falls ten times its distance to the next.
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "table.h"

static caromModel *swarm(int n, double until)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef steel = { "steel", 7800, 2e11, 0.3 };
    carom_builder_material(b, &steel);
    caromSettings s = carom_model_settings_def();
    s.default_restitution = 0.5;
    s.until = until;
    s.every = 0.1;
    carom_builder_settings(b, &s);
    for (int i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball-%d", i);
        caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { 0.01, 0, 0 } });
        caromBodyDef def = carom_model_body_def(name);
        def.material = "steel";
        def.shapes = &shape;
        def.nshape = 1;
        def.p_WB = carom_vec(0.05*(i%10), 0.05*(i/10%10), 0.05*(i/100));
        def.v_WB = carom_vec(0, 0, 1e-3*(i%7));
        carom_builder_body(b, &def);
    }
    caromModel *model = NULL;
    caromProblems problems = { 0 };
    carom_builder_finish(b, &problems, &model);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static caromStatus ignore_sample(void *user, const caromSample *sample)
{
    (void)user;
    (void)sample;
    return CAROM_OK;
}

static void bench(int n, double until)
{
    caromModel *model = swarm(n, until);
    caromSink sink = { NULL, ignore_sample, NULL };
    caromSim *sim = NULL;
    caromError err;
    caromStatus status = model ? carom_sim_create(model, &sink, &sim, &err) : CAROM_ERR_MODEL;
    double before = bench_cpu_seconds();
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    double spent = bench_cpu_seconds() - before;
    printf("%7d  %8.2f s  %9.2f us a step\n", n, spent,
           status == CAROM_OK ? 1e6*spent/(double)carom_sim_stats(sim)->steps : 0.0);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

int main(int argc, char **argv)
{
    double until = argc > 2 ? atof(argv[2]) : 1.0;
    printf(" bodies  CPU\n");
    if (argc > 1) bench(atoi(argv[1]), until);
    else for (int n = 250; n <= 2000; n *= 2) bench(n, until);
    return 0;
}
