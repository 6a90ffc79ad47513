// Surfaces that press by points have forces with kinks, which the error estimate of a step does not see, and so has
// friction of a ball that begins to stick. Impacts keep their energy all the same, at every tolerance.
#include "rigid_run.h"

static const char *const shapes[] = {
    "{torus: {radius: 10 mm, tube_radius: 4 mm}, samples: 1 mm}",
    "{cylinder: {radius: 20 mm, length: 50 mm}, samples: 2 mm}",
    "{box: {size: [60 mm, 50 mm, 40 mm], rounding: 5 mm}, samples: 2 mm}",
    "{cone: {radius: 30 mm, length: 40 mm, top_radius: 10 mm}, samples: 2 mm}",
};
enum { SHAPES = sizeof shapes/sizeof shapes[0] };

static void elastic_impacts_of_points_keep_their_energy(void **state)
{
    (void)state;
    Random r = { 5 };
    for (int k = 0; k < SHAPES; k++) {
        for (int digits = 3; digits <= 7; digits++) {
            char text[1024];
            double tolerance = pow(10, -digits), angle = digits == 4 ? 0.0 : random_uniform(&r, 0, 90);
            snprintf(text, sizeof text,
                     "carom: 1\npairs: [{between: [aluminium, aluminium], restitution: 1, friction: 0}]\n"
                     "bodies:\n  floor: {fixed: true, material: aluminium, shape: {box: {size: [1, 1, 0.1]}}}\n"
                     "  b: {material: aluminium, shape: %s, position: [0.01, 0.02, 0.15], velocity: [0, 0, -4],\n"
                     "      orientation: {axis: [1, 0.5, 0], angle: %g deg}}\n"
                     "simulate: {until: 0.05, tolerance: %g}\n", shapes[k], angle, tolerance);
            Watch *w = run_text(text, NULL, NULL, NULL);
            const caromSimStats *stats = &w->record.stats;
            CHECK(stats->events[CAROM_EVENT_SEPARATION] >= 1);
            CHECK_NEAR(stats->largest_imbalance/stats->energy_scale, 0.0, 10*tolerance);
            free(w);
        }
    }
}

// A heavy box comes down without rebound, and bristles hold it: steps become long soon, and their ends are good. But
// samples are taken inside of them, where the motion of bristles was off by 43 tolerances of energy.
static void energies_add_up_inside_of_steps(void **state)
{
    (void)state;
    static const double angles[] = { 5, 8, 20 }, rebounds[] = { 0, 0.3 };
    for (int i = 0; i < 6; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "carom: 1\npairs: [{between: [concrete, concrete], restitution: %g, friction: 0.6}]\n"
                 "bodies:\n  floor: {fixed: true, material: concrete, shape: {half-space: {}}}\n"
                 "  b: {material: concrete, shape: {box: {size: [0.35, 0.57, 0.52]}}, position: [0, 0, 0.5],\n"
                 "      orientation: {axis: [1, 0.3, 0.2], angle: %g deg},\n"
                 "      velocity: [1, 0.3, -1], angular_velocity: [1, 2, 0.5]}\n"
                 "contact: {friction_law: bristle}\n"
                 "simulate: {until: 0.8, tolerance: 5.6e-5, every: 0.1 ms}\n", rebounds[i/3], angles[i % 3]);
        Watch *w = run_text(text, NULL, NULL, NULL);
        const caromSimStats *stats = &w->record.stats;
        CHECK_NEAR(stats->largest_imbalance/stats->energy_scale, 0.0, 5*5.6e-5);
        free(w);
    }
}

// A cone lies lightly on one point of a stone, and another, which presses much harder, dips in for 0.1 ms: between the
// stages of the step, whose end was good. It was not felt, and samples inside the step were off by 1800 tolerances.
static void a_point_that_dips_in_is_felt(void **state)
{
    (void)state;
    Watch *w = run_text(
        "carom: 1\npairs: [{between: [brass, concrete], restitution: 1, friction: 0, rolling: 0.02903}]\nbodies:\n"
        "  a: {material: concrete, shape: {polytope: {vertices: [[-22.25 mm, -22.25 mm, 22.25 mm],\n"
        "       [31.96 mm, -31.96 mm, -31.96 mm], [-22.98 mm, 22.98 mm, -22.98 mm], [20.44 mm, 20.44 mm, 20.44 mm],\n"
        "       [29.93 mm, 27.19 mm, 8.49 mm], [-25.54 mm, -9.02 mm, -41.2 mm], [-45.67 mm, -19 mm, 22.3 mm],\n"
        "       [-3.432 mm, 36.065 mm, 23.229 mm], [40.721 mm, 21.344 mm, -23.792 mm]]}},\n"
        "      position: [-0.0377974, 0.0954373, 0.048454], velocity: [0.12527, 0.61216, -0.81487],\n"
        "      orientation: {axis: [-0.741891, -0.412934, -0.248562], angle: 0.458219},\n"
        "      angular_velocity: [-7.2819, -11.1048, 6.3551]}\n"
        "  b: {material: brass, shape: {cone: {radius: 20.1776 mm, length: 57.4172 mm, rounding: 0.641835 mm}},\n"
        "      position: [-0.0488857, 0.0552313, 0.0184792], velocity: [-0.21898, -0.42437, 0.77758],\n"
        "      orientation: {axis: [-1.319331, -0.369876, -0.345492], angle: 2.356992},\n"
        "      angular_velocity: [-2.0713, -19.5155, 3.507]}\n"
        "contact: {friction_law: bristle, damping: flores}\n"
        "simulate: {until: 50 ms, tolerance: 2.9e-6, every: 10 us}\n", NULL, NULL, NULL);
    const caromSimStats *stats = &w->record.stats;
    print_message("imbalance %g tolerances\n", stats->largest_imbalance/stats->energy_scale/2.9e-6);
    CHECK_NEAR(stats->largest_imbalance/stats->energy_scale, 0.0, 2.9e-6);
    free(w);
}

// A soft capsule that comes down exactly upright does not slip, and friction is 1e4 times as fast as steps are: what
// the interpolant evaluates between them is rounding that has grown to slips of a metre per second.
static void what_rests_exactly_rests_inside_of_steps(void **state)
{
    (void)state;
    Watch *w = run_text(
        "carom: 1\npairs: [{between: [rubber, rubber], restitution: 0.7333, friction: 0.8505}]\n"
        "bodies:\n  floor: {fixed: true, material: rubber, shape: {half-space: {}}}\n"
        "  b: {material: rubber, shape: {capsule: {radius: 0.0529837, length: 0.108123}},\n"
        "      position: [0.699025, -0.510586, 0.111032]}\n"
        "contact: {friction_law: smooth, damping: flores, k_red: 289.3}\n"
        "simulate: {until: 0.15, tolerance: 3.1e-6, every: 1 ms}\n", NULL, NULL, NULL);
    CHECK(w->record.stats.largest_imbalance < 3.1e-6*w->record.stats.energy_scale);
    free(w);
}

// Two bodies slide along an axis and tumble, in long steps between their impacts. The estimate of a step says nothing
// of its interpolant, on which impacts begin and samples lie: the first two were off by 340 and 70 tolerances.
static void energies_add_up_in_flight(void **state)
{
    (void)state;
    static const double tolerances[] = { 1e-3, 1e-4, 1e-5, 1e-6, 6.1e-8 };
    for (size_t i = 0; i < sizeof tolerances/sizeof *tolerances; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\npairs: [{between: [rubber, rubber], restitution: 1, friction: 0}]\n"
                 "bodies:\n  floor: {fixed: true, material: rubber, shape: {half-space: {}}}\n"
                 "  a: {material: rubber, shape: {ellipsoid: {semi_axes: [1.1 mm, 1.5 mm, 1.5 mm]}},\n"
                 "      position: [-5 mm, 1.5 mm, 11 mm], velocity: [-0.026, -0.266, 0.102],\n"
                 "      angular_velocity: [72, 41, 51]}\n"
                 "  b: {material: rubber, shape: {cone: {radius: 1.8 mm, length: 2.9 mm}}}\n"
                 "joints: {j: {type: cylindrical, between: [a, b], at: [3.7 mm, -2 mm, 2 mm],\n"
                 "             child_at: [-3.7 mm, 2 mm, -2 mm], axis: [-0.33, -0.51, -0.8]}}\n"
                 "contact: {response: rigid}\n"
                 "simulate: {until: 0.6, tolerance: %g, every: 2 ms}\n", tolerances[i]);
        Watch *w = run_text(text, NULL, NULL, NULL);
        const caromSimStats *stats = &w->record.stats;
        print_message("tolerance %g: imbalance %g tolerances\n", tolerances[i],
                      stats->largest_imbalance/stats->energy_reference/tolerances[i]);
        CHECK_NEAR(stats->largest_imbalance/stats->energy_reference, 0.0, 5*tolerances[i]);
        free(w);
    }
}

// Errors of a motion that goes on and on all go one way: 2200 steps of a gyroscope, each within 0.03 tolerances, were
// off by 17 in all. The more they are off, the less each step may add.
static void errors_that_go_one_way_do_not_add_up(void **state)
{
    (void)state;
    Watch *w = run_text("carom: 1\nbodies:\n  wheel: {mass: 1, com: [0, 0, 0], inertia: [1.25e-3, 2.5e-3, 1.25e-3],\n"
                        "          material: steel, shape: {box: {size: [0.1, 0.02, 0.1]}}}\n"
                        "joints: {pivot: {type: spherical, between: [world, wheel], at: [0, 0, 0.3],\n"
                        "                 child_at: [0, -0.2, 0], angular_velocity: [0, 3000 rpm, 0]}}\n"
                        "simulate: {until: 6, tolerance: 1e-8}\n", NULL, NULL, NULL);
    const caromSimStats *stats = &w->record.stats;
    CHECK(stats->steps > 1000);
    CHECK_NEAR(stats->largest_imbalance/stats->energy_reference, 0.0, 5e-8);
    free(w);
}

// 1000 km up rounding of the potential energy is more than a tolerance: no step would be short enough.
static void steps_do_not_chase_rounding(void **state)
{
    (void)state;
    static const double heights[] = { 1, 1e6, 1e8 };
    for (size_t i = 0; i < sizeof heights/sizeof *heights; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "carom: 1\nbodies:\n  rod: {material: steel, shape: {box: {size: [0.3, 0.1, 0.02]}},\n"
                 "        position: [0, 0, %g], angular_velocity: [0.5, 3, 0.5]}\n"
                 "simulate: {until: 2, tolerance: 1e-10}\n", heights[i]);
        Watch *w = run_text(text, NULL, NULL, NULL);
        CHECK(w->record.stats.evaluations < 400);
        free(w);
    }
}

// Spinning slowly on a rough floor, a ball slips and sticks in each of its impacts. Errors of all of them are losses:
// they were off by 30 tolerances in five impacts, whatever the tolerance.
static void a_ball_that_spins_keeps_its_energy(void **state)
{
    (void)state;
    static const double tolerances[] = { 5e-4, 1e-4, 1e-6, 4.3e-8 };
    for (size_t i = 0; i < sizeof tolerances/sizeof *tolerances; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "carom: 1\npairs: [{between: [concrete, aluminium], restitution: 1, friction: 1.2}]\n"
                 "bodies:\n  floor: {fixed: true, material: concrete, shape: {half-space: {normal: [0, 0, 1]}}}\n"
                 "  b: {material: aluminium, shape: {sphere: {radius: 17 mm}}, position: [-0.02, 0.025, 0.033],\n"
                 "      angular_velocity: [-4.1, 0, -0.5]}\n"
                 "contact: {damping: engelson-fraction}\n"
                 "simulate: {until: 0.6, tolerance: %g}\n", tolerances[i]);
        Watch *w = run_text(text, NULL, NULL, NULL);
        const caromSimStats *stats = &w->record.stats;
        print_message("tolerance %g: imbalance %g tolerances\n", tolerances[i],
                      stats->largest_imbalance/stats->energy_scale/tolerances[i]);
        CHECK(stats->events[CAROM_EVENT_SEPARATION] >= 4);
        CHECK_NEAR(stats->largest_imbalance/stats->energy_scale, 0.0, 10*tolerances[i]);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(elastic_impacts_of_points_keep_their_energy),
                                        cmocka_unit_test(energies_add_up_inside_of_steps),
                                        cmocka_unit_test(a_point_that_dips_in_is_felt),
                                        cmocka_unit_test(what_rests_exactly_rests_inside_of_steps),
        cmocka_unit_test(energies_add_up_in_flight),
                                        cmocka_unit_test(errors_that_go_one_way_do_not_add_up),
                                        cmocka_unit_test(steps_do_not_chase_rounding),
                                        cmocka_unit_test(a_ball_that_spins_keeps_its_energy) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
