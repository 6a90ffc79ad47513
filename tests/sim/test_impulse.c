// What events say of an impact: impulse, largest depth and duration, within ten tolerances at every tolerance.
#include "rigid_run.h"


typedef struct Struck {
    const char *shape;
    double half;     // height of its middle above the ground [m]
} Struck;
static const Struck struck[] = {
    { "{sphere: {radius: 50 mm}}", 0.05 },
    { "{box: {size: [60 mm, 60 mm, 60 mm]}}", 0.03 },
    { "{cylinder: {radius: 30 mm, length: 60 mm}}", 0.03 },
    { "{ellipsoid: {semi_axes: [50 mm, 40 mm, 30 mm]}}", 0.03 },
};
enum { STRUCK = sizeof struck/sizeof struck[0] };

static caromSeparationEvent impact(const Struck *s, double e, double tolerance)
{
    char text[1024];
    snprintf(text, sizeof text,
             "carom: 1\ngravity: [0, 0, 0]\npairs: [{between: [steel, steel], restitution: %g, friction: 0}]\n"
             "bodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
             "  b: {material: steel, mass: 1, shape: %s, position: [0, 0, %g], velocity: [0, 0, -1]}\n"
             "simulate: {until: 0.05, tolerance: %g, every: 0.05}\n", e, s->shape, s->half + 0.01, tolerance);
    Watch *w = run_text(text, NULL, NULL, NULL);
    assert_int_equal(count_of(w, CAROM_EVENT_SEPARATION), 1);
    caromSeparationEvent event = event_from(w, CAROM_EVENT_SEPARATION, 0.0)->separation;
    free(w);
    return event;
}

static void impacts_tell_what_they_were(void **state)
{
    (void)state;
    static const double restitution[] = { 1, 0.5 };
    for (int k = 0; k < STRUCK; k++) {
        for (int i = 0; i < 2; i++) {
            caromSeparationEvent exact = impact(&struck[k], restitution[i], 1e-11);
            for (double digits = 3; digits <= 8; digits += 0.5) {
                double tolerance = pow(10, -digits);
                caromSeparationEvent found = impact(&struck[k], restitution[i], tolerance);
                CHECK_NEAR(found.impulse, 1.0 + restitution[i], 10*tolerance);
                CHECK_NEAR(found.depth/exact.depth, 1.0, 10*tolerance);
                CHECK_NEAR(found.duration/exact.duration, 1.0, 10*tolerance);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(impacts_tell_what_they_were) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
