// Scenes with many pairs: the broad phase leaves out pairs, never events.
#include "sim/sim.h"
#include "scene.h"

// Balls over a floor in a box of loose spacing, thrown at random.
static caromModel *cloud(int n, double until)
{
    Scene s = scene_begin();
    uint64_t seed = 7;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.8, 0.1, 0);
    s.settings.until = until;
    s.settings.tolerance = 1e-6;
    scene_floor(&s, "stuff");
    for (int i = 0; i < n; i++) {
        double x[6];
        char name[32];
        for (int k = 0; k < 6; k++)
            seed = seed*6364136223846793005ULL + 1442695040888963407ULL, x[k] = (double)(seed >> 11)*0x1p-53;
        snprintf(name, sizeof name, "ball-%d", i);
        scene_ball(&s, name, "stuff", 0.02 + 0.03*x[0],
                   carom_vec(0.25*(i%5) + 0.05*x[1], 0.25*(i/5%5) + 0.05*x[2], 0.2 + 0.25*(i/25)),
                   carom_vec(4*x[3] - 2, 4*x[4] - 2, 4*x[5] - 2));
    }
    return scene_end(&s);
}

static Record *run(const caromModel *model, bool with_broad_phase)
{
    Record *r = calloc(1, sizeof *r);
    r->hash = 14695981039346656037ULL;
    caromSink sink = { r, record_sample, record_event };
    caromSim *sim;
    assert_int_equal(carom_sim_create(model, &sink, &sim, &r->error), CAROM_OK);
    carom_islands_destroy(sim->islands);  // islands have guards of their own: all together
    sim->islands = NULL;
    CHECK(sim->run->system.guard.nearby.broad != NULL);
    if (!with_broad_phase) carom_broad_nearby_free(&sim->run->system.guard.nearby);
    r->status = carom_sim_run(sim, &r->error);
    carom_sim_destroy(sim);
    expect_completed(r);
    return r;
}

static void the_broad_phase_changes_no_bit(void **state)
{
    (void)state;
    caromModel *model = cloud(60, 0.3);
    Record *with = run(model, true), *without = run(model, false);
    CHECK(with->nevent > 40);
    assert_int_equal(with->nevent, without->nevent);
    CHECK(with->hash == without->hash);
    free(with);
    free(without);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_broad_phase_changes_no_bit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
