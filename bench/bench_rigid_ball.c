// The ball of rigid.h: carom with rigid bodies. `bench_rigid_ball TOLERANCE COUNT` runs it that often and prints its
// counts, for profilers.
#include "rigid.h"

#include <stdlib.h>

#include "carom/carom.h"

static caromModel *build(double tolerance, double every)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef stuff = carom_model_material_def("stuff");
    carom_builder_material(b, &stuff);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.friction = 0;
    pair.restitution = ball_restitution;
    carom_builder_pair(b, &pair);
    caromShapeDef sphere = carom_model_shape_def(carom_shape_sphere(ball_radius)),
                  plane = carom_model_shape_def(carom_shape_half_space());
    caromBodyDef floor = carom_model_body_def("floor"), ball = carom_model_body_def("ball");
    floor.material = ball.material = "stuff";
    floor.fixed = true;
    floor.shapes = &plane;
    ball.shapes = &sphere;
    floor.nshape = ball.nshape = 1;
    ball.mass = ball_mass;
    ball.p_WB.z = ball_radius + ball_drop;
    carom_builder_body(b, &floor);
    carom_builder_body(b, &ball);
    caromSettings settings = carom_model_settings_def();
    settings.response = CAROM_RESPONSE_RIGID;
    settings.gravity = carom_vec(0, 0, -rigid_gravity);
    settings.until = ball_end;
    settings.every = every;
    settings.tolerance = tolerance;
    carom_builder_settings(b, &settings);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static caromStatus note(void *user, const caromSample *sample)
{
    if (sample->kind == CAROM_SAMPLE_GRID && sample->time > 0)
        ball_note(user, sample->time, sample->X_WB[1].p.z - ball_radius, sample->V_WB[1].linear.z);
    return CAROM_OK;
}

static bool simulate(const caromModel *model, void *notes, caromSimStats *stats)
{
    caromSink sink = { notes, note, NULL };
    caromSim *sim = NULL;
    caromError err;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    if (status != CAROM_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    if (status == CAROM_OK && stats) *stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    return status == CAROM_OK;
}

static double run(void *user, double setting, void *notes)
{
    (void)setting;  // of the model
    double begin = rigid_seconds();
    return simulate(user, notes, NULL) ? rigid_seconds() - begin : -1;
}

static int count(double tolerance, int runs)
{
    caromModel *model = build(tolerance, 0.01);
    caromSimStats s = { 0 };
    for (int i = 0; model && i < runs; i++) {
        BallNotes notes = { 0 };
        if (!simulate(model, &notes, &s)) break;
    }
    printf("%s: %lld steps, %lld rejected, %lld evaluations, %lld gaps, %lld impacts\n", s.method, (long long)s.steps,
           (long long)s.rejected, (long long)s.evaluations, (long long)s.gap_evaluations,
           (long long)s.events[CAROM_EVENT_IMPACT]);
    carom_model_destroy(model);
    return 0;
}

int main(int argc, char **argv)
{
    const struct { const char *what; double tolerance, every; } settings[] = {
        { "every=0.01,tolerance", 1e-6, 0.01 }, { "every=0.01,tolerance", 1e-9, 0.01 },
            { "every=0.01,tolerance", 1e-12, 0.01 }, { "every=0.1,tolerance", 1e-9, 0.1 } };
    if (argc == 3) return count(strtod(argv[1], NULL), atoi(argv[2]));
    for (size_t i = 0; i < sizeof settings/sizeof settings[0]; i++) {
        caromModel *model = build(settings[i].tolerance, settings[i].every);
        if (model) ball_row("carom", settings[i].what, settings[i].tolerance, run, model);
        carom_model_destroy(model);
    }
    return 0;
}
