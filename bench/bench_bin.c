// Balls and blocks fall into a bin and come to rest: CPU time against simulated time.
//
//     bench_bin [BODIES [SECONDS]]        default: 20, then 100 bodies, for 4 s
//
// Half of the bodies are balls of radius 0.1 m, half cubes of 0.18 m, 1 kg each, friction 0.5, restitution 0.3, rolling
// resistance 0.02; E = 1 MPa (foam rubber). The bin is as wide as for one layer and a bit: 2 m for 100. Friction is
// smooth below 2 cm/s, tolerance 1e-5.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "table.h"

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed*6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low)*(double)(*seed >> 11)*0x1p-53;
}

static void add_wall(caromBuilder *b, const char *name, caromVec3 p, caromQuat q)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef def = carom_model_body_def(name);
    def.material = "foam";
    def.shapes = &shape;
    def.nshape = 1;
    def.fixed = true;
    def.p_WB = p;
    def.q_WB = q;
    carom_builder_body(b, &def);
}

static void add_part(caromBuilder *b, int i, caromVec3 p, uint64_t *seed)
{
    char name[32];
    snprintf(name, sizeof name, "part-%d", i);
    bool is_ball = i % 2;
    caromShapeDef shape = carom_model_shape_def(is_ball ? (caromShape){ CAROM_SPHERE, { 0.1, 0, 0 } }
                                                        : (caromShape){ CAROM_BOX, { 0.18, 0.18, 0.18 } });
    caromBodyDef def = carom_model_body_def(name);
    def.material = is_ball ? "foam" : "dense-foam";
    def.shapes = &shape;
    def.nshape = 1;
    def.p_WB = p;
    def.q_WB = carom_quat_normalized((caromQuat){ 1, uniform(seed, -1, 1), uniform(seed, -1, 1),
                                                  uniform(seed, -1, 1) });
    carom_builder_body(b, &def);
}

static caromModel *bin(int n, double until)
{
    const double turn = sqrt(0.5), pi = acos(-1.0), half = 0.1*sqrt((double)n);
    int columns = (int)((2*half - 0.1)/0.27);
    uint64_t seed = 1;
    caromBuilder *b = carom_builder_create();
    caromMaterialDef balls = { "foam", 1/(4.0/3*pi*1e-3), 1e6, 0.45 },
                     blocks = { "dense-foam", 1/(0.18*0.18*0.18), 1e6, 0.45 };
    carom_builder_material(b, &balls);
    carom_builder_material(b, &blocks);
    caromSettings s = carom_model_settings_def();
    s.default_restitution = 0.3;
    s.default_friction = 0.5;
    s.default_rolling = 0.02;
    s.v_small = 0.02;
    s.tolerance = 1e-5;
    s.until = until;
    s.every = 0.05;
    carom_builder_settings(b, &s);
    add_wall(b, "floor", carom_vec(0, 0, 0), (caromQuat){ 1, 0, 0, 0 });
    add_wall(b, "left", carom_vec(-half, 0, 0), (caromQuat){ turn, 0, turn, 0 });
    add_wall(b, "right", carom_vec(half, 0, 0), (caromQuat){ turn, 0, -turn, 0 });
    add_wall(b, "front", carom_vec(0, -half, 0), (caromQuat){ turn, -turn, 0, 0 });
    add_wall(b, "back", carom_vec(0, half, 0), (caromQuat){ turn, turn, 0, 0 });
    for (int i = 0; i < n; i++) {
        int at = i % (columns*columns), layer = i/(columns*columns);
        double pitch = (2*half - 0.1)/columns, x = -half + 0.05 + pitch*(at/columns + 0.5),
               y = -half + 0.05 + pitch*(at%columns + 0.5);
        add_part(b, i, carom_vec(x + uniform(&seed, -0.005, 0.005), y + uniform(&seed, -0.005, 0.005),
                                 0.3 + 0.34*layer + uniform(&seed, -0.01, 0.01)), &seed);
    }
    caromModel *model = NULL;
    caromProblems problems = { 0 };
    if (carom_builder_finish(b, &problems, &model) != CAROM_OK) {
        for (int i = 0; i < problems.count; i++) printf("%s: %s\n", problems.items[i].path, problems.items[i].message);
    }
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

typedef struct Last {
    double kinetic;
    int ncontact;
} Last;

static caromStatus look(void *user, const caromSample *s)
{
    *(Last *)user = (Last){ s->energy.kinetic, s->ncontact };
    return CAROM_OK;
}

static void run(int n, double until)
{
    caromModel *model = bin(n, until);
    caromSim *sim = NULL;
    caromError err = { 0 };
    Last last = { 0 };
    caromSink sink = { &last, look, NULL };
    if (!model || carom_sim_create(model, &sink, &sim, &err) != CAROM_OK) {
        printf("%s\n", err.message);
        return;
    }
    printf("%d bodies\n%8s %8s %10s %8s %10s %9s %10s\n", n, "until s", "CPU s", "CPU/time", "steps", "events",
           "contacts", "kinetic J");
    double before = bench_cpu_seconds(), all = 0.0, shown = 0.0, window = fmin(0.5, until/8);
    int64_t steps = 0, events = 0;
    bool done = false;
    caromStatus status = CAROM_OK;
    while (status == CAROM_OK && !done) {
        status = carom_sim_step(sim, &done, &err);
        const caromSimStats *s = carom_sim_stats(sim);
        if (s->time < shown + window && !done) continue;
        double cpu = bench_cpu_seconds() - before;
        int64_t happened = s->events[CAROM_EVENT_TOUCH] + s->events[CAROM_EVENT_SEPARATION];
        printf("%8.3f %8.2f %10.2f %8lld %10lld %9d %10.3g\n", s->time, cpu, cpu/(s->time - shown),
               (long long)(s->steps - steps), (long long)(happened - events), last.ncontact, last.kinetic);
        fflush(stdout);
        all += cpu;
        shown = s->time;
        steps = s->steps;
        events = happened;
        before = bench_cpu_seconds();
    }
    const caromSimStats *s = carom_sim_stats(sim);
    if (status != CAROM_OK) printf("%s: %s\n", err.where, err.message);
    printf("%8s %8.2f %10.2f %8lld, imbalance %.1e of the largest energy\n\n", "all", all, all/s->time,
           (long long)s->steps, s->largest_imbalance/s->energy_scale);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

int main(int argc, char **argv)
{
    double until = argc > 2 ? atof(argv[2]) : 4.0;
    if (argc > 1) {
        run(atoi(argv[1]), until);
    } else {
        run(20, until);
        run(100, until);
    }
    return 0;
}
