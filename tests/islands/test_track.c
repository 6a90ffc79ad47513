// Bodies that fall together stay apart: told by their tracks, never of two that meet.
#include "islands/island.h"
#include "check.h"

static caromVec3 anywhere(Random *random, double size)
{
    return carom_vec(random_uniform(random, -size, size), random_uniform(random, -size, size),
                     random_uniform(random, -size, size));
}

static caromIslandTrack any_track(Random *random)
{
    return (caromIslandTrack){ .x = anywhere(random, 1.0), .v = anywhere(random, 3.0),
                               .t0 = random_uniform(random, 0.0, 0.2), .reach = random_uniform(random, 0.0, 0.5),
                               .bend = fmax(0.0, random_uniform(random, -5.0, 5.0)) };
}

// The path that leaves the track the most along u.
static caromVec3 place(const caromIslandTrack *a, caromVec3 g, caromVec3 u, double t)
{
    double s = t - a->t0;
    return carom_add(carom_axpy(s, a->v, a->x),
                     carom_add(carom_scale(0.5*s*s, g), carom_scale(0.5*a->bend*s*s, u)));
}

// Of random pairs of paths within the bounds, at a thousand instants. Both answers are frequent.
static void who_passes_far_is_far(void **state)
{
    (void)state;
    Random random = { 5 };
    const caromVec3 g = { 0.3, -0.2, -9.81 };
    const double margin = 1e-3, t1 = 0.6;
    int far = 0, tries = 4000;
    for (int i = 0; i < tries; i++) {
        caromIslandTrack a = any_track(&random), b = any_track(&random);
        if (!carom_island_pass_far(&a, &b, g, t1, margin)) continue;
        CHECK(carom_island_pass_far(&b, &a, g, t1, margin));
        far++;
        double t0 = fmax(a.t0, b.t0);
        for (int k = 0; k <= 1000; k++) {
            double t = t0 + (t1 - t0)*k/1000;
            caromVec3 d = carom_sub(place(&b, g, carom_vec(0, 0, 0), t), place(&a, g, carom_vec(0, 0, 0), t)),
                      u = carom_scale(1.0/carom_norm(d), d);
            CHECK(carom_norm(carom_sub(place(&b, g, carom_neg(u), t), place(&a, g, u, t))) >
                  a.reach + b.reach + margin);
        }
    }
    CHECK(far > tries/5 && far < tries*4/5);
}

// It tells of points that miss each other by little, however far they fall: no more is kept from it than rounding.
static void near_misses_are_far(void **state)
{
    (void)state;
    const caromVec3 g = { 0, 0, -9.81 };
    caromIslandTrack a = { .x = carom_vec(0, 0, 0), .v = carom_vec(1, 0, 5), .t0 = 0.1, .reach = 0.05 },
                     b = { .x = carom_vec(0, 0.1 + 1e-6, -30), .v = carom_vec(1, 0, 35), .t0 = 0.1, .reach = 0.05 };
    CHECK(carom_island_pass_far(&a, &b, g, 10.1, 0.0));
    b.x.y = 0.1 - 1e-6;
    CHECK(!carom_island_pass_far(&a, &b, g, 10.1, 0.0));
    CHECK(carom_island_pass_far(&a, &b, g, 0.9, 0.0));  // not there yet
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_passes_far_is_far),
        cmocka_unit_test(near_misses_are_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
