// A loose tolerance is never slower than a tight one: evaluations at 1e-3 and 1e-4 are at most 1.2 times those at 1e-6.
#include "rigid_run.h"

// A double pendulum lands on its tip, sticks and then creeps on regularised friction: held by stability, its errors
// grew until it slipped, thousands of times.
#define PENDULUM                                                                                                    \
    "carom: 1\ngravity: [0, -9.81, 0]\n"                                                                            \
    "pairs: [{between: [steel, steel], restitution: 0.6, friction: 0.6}]\n"                                         \
    "bodies:\n"                                                                                                     \
    "  floor: {fixed: true, material: steel, shape: {half-space: {normal: [0, 1, 0]}}, position: [0, -1.6, 0]}\n"   \
    "  one: {material: steel, mass: 1, com: [0.5, 0, 0], inertia: [0.001, 0.0833333333, 0.0833333333]}\n"           \
    "  two:\n"                                                                                                      \
    "    material: steel\n    mass: 1\n    com: [0.5, 0, 0]\n    inertia: [0.001, 0.0833333333, 0.0833333333]\n"    \
    "    shape: {polytope: {vertices: [[1, 0, 0], [0.98, 0.001, 0.001], [0.98, 0.001, -0.001],\n"                   \
    "            [0.98, -0.001, 0.001], [0.98, -0.001, -0.001]]}, weighs: false}\n"                                 \
    "joints:\n"                                                                                                     \
    "  j1: {type: revolute, between: [world, one], axis: [0, 0, 1], angle: 0.5235987755982988, angle_rate: 0.5}\n"  \
    "  j2: {type: revolute, between: [one, two], at: [1, 0, 0], axis: [0, 0, 1], angle: 0.3, angle_rate: -1}\n"     \
    "simulate: {until: 5, every: 0.25}\n"

#define ROLLING                                                                                                     \
    "carom: 1\npairs: [{between: [steel, steel], restitution: 0.5, friction: 0.3}]\n"                               \
    "bodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"                                   \
    "  b: {material: steel, shape: {sphere: {radius: 50 mm}}, position: [0, 0, 0.05], velocity: [1, 0.2, 0],\n"     \
    "      angular_velocity: [0, 5, 3]}\n"                                                                          \
    "simulate: {until: 2, every: 0.1}\n"

#define SLOPE                                                                                                       \
    "carom: 1\ngravity: [2, 0, -9.6]\npairs: [{between: [steel, steel], restitution: 0.3, friction: 0.25}]\n"       \
    "bodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"                                   \
    "  b: {material: steel, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.06], velocity: [1, 0, 0],\n"  \
    "      angular_velocity: [0, 0, 3]}\n"                                                                          \
    "simulate: {until: 2, every: 0.1}\n"

// A light and hard body comes to rest. Its touches become slower than friction can tell from rest: one in steps of the
// flight before rebounds as fast as it came, for ever (3804 touches at 1e-3, 28 at 1e-6).
#define CAN                                                                                                         \
    "carom: 1\npairs: [{between: [concrete, concrete], restitution: 0.6, friction: 0}]\n"                           \
    "bodies:\n  floor: {fixed: true, material: concrete, shape: {half-space: {}}}\n"                                \
    "  b: {material: concrete, shape: {cylinder: {radius: 4 mm, length: 1 cm, rounding: 0.25 mm}},\n"               \
    "      position: [0, 0, 7 mm]}\n"                                                                               \
    "simulate: {until: 0.2, every: 0.1}\n"

// One that lands flat: hops of 0.05 nm are fed by errors of steps, each far below what is asked for, and never end
// (267,000 evaluations at 1e-3, 6,500 at 1e-6).
#define CONE                                                                                                        \
    "carom: 1\npairs: [{between: [concrete, concrete], restitution: 0.585, friction: 0}]\n"                         \
    "bodies:\n  floor: {fixed: true, material: concrete, shape: {half-space: {}}}\n"                                \
    "  b: {material: concrete, position: [-18 mm, 17 mm, 7.4 mm],\n"                                                \
    "      shape: {cone: {radius: 4.5 mm, length: 11 mm, top_radius: 3.9 mm, rounding: 0.256 mm}}}\n"               \
    "contact: {damping: flores}\nsimulate: {until: 0.2, every: 0.1}\n"

// A ring that lies down presses unevenly: steps are made again until their energies add up, and what held them before
// was forgotten each time (1,115,756 evaluations at 1e-4, 3,581 at 1e-6).
#define RING                                                                                                        \
    "carom: 1\npairs: [{between: [wood, concrete], restitution: 0, friction: 0.65}]\n"                              \
    "bodies:\n  floor: {fixed: true, material: concrete, shape: {half-space: {}}}\n"                                \
    "  ring: {material: wood, shape: {torus: {radius: 4 mm, tube_radius: 2.3 mm}}, position: [0, 0, 9 mm],\n"       \
    "         orientation: {angles: [20 deg, 10 deg, 0]}}\n"                                                        \
    "simulate: {until: 0.2, every: 0.1}\n"

// Friction holds the wrist of an arm that can give way: faster than the wrist alone would be, which is what it tells
// (67,250 evaluations at 1e-3, 317 at 1e-6).
#define WRIST                                                                                                       \
    "carom: 1\nbodies:\n"                                                                                           \
    "  arm: {mass: 0.15, com: [-0.02, 0.03, -0.07], inertia: [2e-4, 2e-4, 2e-4]}\n"                                 \
    "  tip: {mass: 0.05, com: [0.08, 0.03, 0.01], inertia: [2e-5, 2e-5, 2e-5]}\n"                                   \
    "joints:\n"                                                                                                     \
    "  shoulder: {type: revolute, between: [world, arm], axis: [0.17, 0.06, 0.98]}\n"                               \
    "  wrist: {type: revolute, between: [arm, tip], at: [0.08, 0.03, 0.013], axis: [0.94, 0.19, -0.3],\n"           \
    "          friction: 0.06}\n"                                                                                   \
    "simulate: {until: 0.5, every: 0.1}\n"

static int64_t cost(const char *text, const char *response, const char *law, double tolerance)
{
    char set[3][64];
    snprintf(set[0], sizeof set[0], "contact.response=%s", response);
    snprintf(set[1], sizeof set[1], "contact.friction_law=%s", law);
    snprintf(set[2], sizeof set[2], "simulate.tolerance=%g", tolerance);
    Watch *w = run_text(text, (const char *const[]){ set[0], set[1], set[2], NULL }, NULL, NULL);
    int64_t evaluations = w->record.stats.evaluations;
    free(w);
    return evaluations;
}

static void loose_tolerances_are_not_slower(void **state)
{
    (void)state;
    static const char *const texts[] = { PENDULUM, ROLLING, SLOPE, CAN, CONE, RING, WRIST };
    static const char *const responses[] = { "compliant", "rigid" }, *const laws[] = { "smooth", "bristle" };
    for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
        for (int k = 0; k < 4; k++) {
            const char *response = responses[k/2], *law = laws[k%2];
            double tight = (double)cost(texts[i], response, law, 1e-6);
            for (double tolerance = 1e-3; tolerance > 2e-5; tolerance *= 0.3)
                CHECK_NEAR((double)cost(texts[i], response, law, tolerance)/tight, 0.0, 1.2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(loose_tolerances_are_not_slower) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
