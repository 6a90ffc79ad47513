// The method `convex`: it comes to what other methods come to as the tolerance falls, gives the restitution that was
// asked for, misses no touch, and tells what it loses by itself.
#include "rigid_run.h"

#define BALL                                                                                                        \
    "carom: 1\npairs: [{between: [abs, abs], restitution: 0.5, friction: 0.3}]\n"                                   \
    "bodies:\n  floor: {fixed: true, material: abs, shape: {half-space: {}}}\n"                                     \
    "  b: {material: abs, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 10 cm], velocity: [0, 0, -2]}\n"        \
    "simulate: {until: 0.05, every: 0.01}\n"

// Two of them hit each other before they hit the floor, turn, slide and roll.
#define PARTS                                                                                                       \
    "carom: 1\nmaterials: {soft: {density: 1200, E: 10 MPa, nu: 0.45}}\n"                                           \
    "pairs: [{between: [soft, soft], restitution: 0.3, friction: 0.4, rolling: 0.02}]\n"                            \
    "contact: {v_small: 2 cm/s}\n"                                                                                  \
    "bodies:\n  floor: {fixed: true, material: soft, shape: {half-space: {}}}\n"                                    \
    "  wall: {fixed: true, material: soft, shape: {half-space: {normal: [1, 0, 0]}}, position: [-0.08, 0, 0]}\n"    \
    "  ball: {material: soft, shape: {sphere: {radius: 2 cm}}, position: [0.04, 0, 6 cm], velocity: [-1, 0, 0]}\n"  \
    "  block: {material: soft, shape: {box: {size: [4 cm, 3 cm, 3 cm]}}, position: [-3 cm, 0.5 cm, 5 cm],\n"        \
    "          orientation: {angles: [20 deg, 10 deg, 30 deg]}, velocity: [0.2, 0, 0]}\n"                           \
    "  other: {material: soft, shape: {box: {size: [4 cm, 3 cm, 3 cm]}}, position: [8 cm, 0, 1.6 cm],\n"            \
    "          velocity: [-0.6, 0.1, 0]}\n"                                                                         \
    "simulate: {until: 0.16, every: 0.01}\n"

static Watch *run_at(const char *text, const char *method, const char *tolerance)
{
    char by[64], at[64];
    snprintf(by, sizeof by, "simulate.method=%s", method);
    snprintf(at, sizeof at, "simulate.tolerance=%s", tolerance);
    const char *const overrides[] = { by, at, NULL };
    return run_text(text, overrides, NULL, NULL);
}

// Of the first separation, parting over approach.
static double restitution(const Watch *w)
{
    const caromEvent *touch = event_from(w, CAROM_EVENT_TOUCH, 0.0), *parted = event_from(w, CAROM_EVENT_SEPARATION,
                                                                                         0.0);
    assert_true(touch && parted);
    return parted->separation.speed/touch->touch.speed;
}

// The largest distance of a body between the ends of two runs.
static double distance(const Watch *a, const Watch *b)
{
    double most = 0.0;
    for (int i = 0; i < a->record.last.nbody; i++)
        most = fmax(most, carom_norm(carom_sub(a->record.last_X[i].p, b->record.last_X[i].p)));
    return most;
}

// A method of second order whose steps are h^3 = tolerance is off by h^2 in the end.
static const char *const tolerances[] = { "1e-2", "1e-3", "1e-4", "1e-5" };
enum { TOLERANCES = sizeof tolerances/sizeof tolerances[0] };

static double order_of(const char *tolerance)
{
    return pow(strtod(tolerance, NULL), 2.0/3);
}

// To 1 % at 1e-2.
static void balls_come_back_as_fast_as_asked(void **state)
{
    (void)state;
    Watch *exact = run_at(BALL, "dop853", "1e-9");
    for (int i = 0; i < TOLERANCES; i++) {
        Watch *w = run_at(BALL, "convex", tolerances[i]);
        CHECK_NEAR(restitution(w), restitution(exact), 0.01*order_of(tolerances[i])/order_of("1e-2"));
        free(w);
    }
    free(exact);
}

// Bodies of 5 cm.
static void comes_to_what_others_come_to(void **state)
{
    (void)state;
    Watch *exact = run_at(PARTS, "dop853", "1e-9");
    for (int i = 0; i < TOLERANCES; i++) {
        Watch *w = run_at(PARTS, "convex", tolerances[i]);
        CHECK_NEAR(distance(w, exact), 0.0, 0.3*0.05*order_of(tolerances[i]));
        free(w);
    }
    free(exact);
}

// What it loses is of the same order, and with it the balance adds up: what is left is of the joints in its stages.
static void what_it_loses_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < TOLERANCES; i++) {
        Watch *w = run_at(PARTS, "convex", tolerances[i]);
        const caromSimStats *stats = &w->record.stats;
        assert_true(stats->energy.numerical > 0.0);
        CHECK_NEAR(stats->energy.numerical, 0.0, 0.1*order_of(tolerances[i])*stats->energy_reference);
        CHECK_NEAR(fabs(stats->energy.imbalance), 0.0, 1e-2*stats->energy.numerical);
        free(w);
    }
    Watch *other = run_at(PARTS, "auto", "1e-3");
    assert_true(other->record.stats.energy.numerical == 0.0);
    free(other);
}

// Bodies that others meet while they press on something: the step is made again up to there, and the balance adds up.
// By the interpolants of such steps energies are off by 500 times as much.
#define ROW                                                                                                         \
    "carom: 1\nmaterials: {soft: {density: 1200, E: 1 MPa, nu: 0.45}}\n"                                            \
    "pairs: [{between: [soft, soft], restitution: 0.5, friction: 0.4}]\n"                                           \
    "bodies:\n  floor: {fixed: true, material: soft, shape: {half-space: {}}}\n"                                    \
    "  a: {material: soft, shape: {box: {size: [4 cm, 4 cm, 4 cm]}}, position: [0, 0, 2.1 cm]}\n"                   \
    "  b: {material: soft, shape: {box: {size: [4 cm, 4 cm, 4 cm]}}, position: [5 cm, 0, 2.05 cm],\n"               \
    "      velocity: [-1, 0, 0]}\n"                                                                                 \
    "  c: {material: soft, shape: {box: {size: [4 cm, 4 cm, 4 cm]}}, position: [12 cm, 0, 2 cm],\n"                 \
    "      velocity: [-2, 0, 0]}\n"                                                                                 \
    "  d: {material: soft, shape: {sphere: {radius: 2 cm}}, position: [0, 0, 9 cm], velocity: [0.3, 0, -1]}\n"      \
    "simulate: {until: 0.3, every: 0.001}\n"

static void steps_end_where_others_end_them(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Watch *w = run_at(ROW, "convex", tolerances[i]);
        double tolerance = strtod(tolerances[i], NULL)*w->record.stats.energy_reference;
        CHECK_NEAR(w->record.stats.energy.imbalance, 0.0, 1e-3*tolerance);
        CHECK_NEAR(w->record.stats.largest_imbalance, 0.0, tolerance);
        assert_true(count_of(w, CAROM_EVENT_TOUCH) >= 6);
        free(w);
    }
}

#define BULLET                                                                                                      \
    "carom: 1\npairs: [{between: [abs, abs], restitution: 0.5, friction: 0.3}]\n"                                   \
    "bodies:\n  plate: {fixed: true, material: abs, shape: {box: {size: [0.2, 0.2, 0.002]}}}\n"                     \
    "  b: {material: abs, shape: {sphere: {radius: 1 mm}}, position: [0.01, 0, 0.5], velocity: [0, 0, -50]}\n"      \
    "simulate: {until: 0.02, every: 0.01}\n"

static void nothing_passes_through(void **state)
{
    (void)state;
    for (int i = 0; i < TOLERANCES; i++) {
        Watch *w = run_at(BULLET, "convex", tolerances[i]);
        assert_int_equal(count_of(w, CAROM_EVENT_TOUCH), 1);
        assert_true(w->record.last_X[1].p.z > 0.0);
        free(w);
    }
}

// What moves a tray is paid for by its drive.
#define TRAY                                                                                                        \
    "carom: 1\ncontact: {restitution: 0.3, friction: 0.3}\n"                                                        \
    "bodies:\n  tray: {material: steel, shape: {box: {size: [0.4, 0.1, 0.01]}}}\n"                                  \
    "  one: {material: abs, shape: {box: {size: [15 mm, 12 mm, 8 mm]}}, position: [0, 0, 9.2 mm]}\n"                \
    "  two: {material: abs, shape: {sphere: {radius: 6 mm}}, position: [0.05, 0, 12 mm]}\n"                         \
    "joints:\n  shaker: {type: prismatic, between: [world, tray], axis: [0.940, 0, 0.342],\n"                       \
    "           motion: {sine: {amplitude: 0.5 mm, frequency: 50 Hz}}}\n"                                           \
    "simulate: {until: 0.2, every: 0.002}\n"

static void drives_pay_for_what_they_move(void **state)
{
    (void)state;
    Watch *w = run_at(TRAY, "convex", "1e-3");
    CHECK_NEAR(w->record.stats.largest_imbalance, 0.0, 2e-3*w->record.stats.energy_reference);
    CHECK_NEAR(fabs(w->record.stats.energy.imbalance), 0.0, 1e-4*w->record.stats.energy_reference);
    free(w);
}

static void same_input_same_bits(void **state)
{
    (void)state;
    Watch *a = run_at(ROW, "convex", "1e-3"), *b = run_at(ROW, "convex", "1e-3");
    assert_true(a->record.hash == b->record.hash);
    free(a);
    free(b);
}

#define HINGED                                                                                                      \
    "carom: 1\nbodies:\n  b: {material: abs, shape: {sphere: {radius: 5 cm}}}\n"                                    \
    "joints: {hinge: {type: revolute, between: [world, b], axis: [0, 1, 0], at: [0, 0, 0.2]}}\n"                    \
    "simulate: {until: 0.05, every: 0.01}\n"

static void refused(const char *text, const char *override, const char *what)
{
    const char *const overrides[] = { "simulate.method=convex", override };
    caromModel *model = good_model(text, overrides, override ? 2 : 1);
    caromSim *sim = NULL;
    caromError err = { 0 };
    assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_ERR_MODEL);
    assert_null(sim);
    if (!strstr(err.message, what)) fail_msg("%s", err.message);
    carom_model_destroy(model);
}

static void what_it_does_not_know_is_refused(void **state)
{
    (void)state;
    refused(BALL, "contact.friction_law=bristle", "bristles");
    refused(BALL, "contact.response=rigid", "compliant");
    refused(HINGED, NULL, "joints");
    refused(BALL "springs: {s: {between: [world, b], stiffness: 10}}\n", NULL, "springs");
    refused(BALL "forces: {f: {body: b, force: [1, 0, 0]}}\n", NULL, "forces");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_come_back_as_fast_as_asked),
        cmocka_unit_test(comes_to_what_others_come_to),
        cmocka_unit_test(what_it_loses_is_told),
        cmocka_unit_test(steps_end_where_others_end_them),
        cmocka_unit_test(nothing_passes_through),
        cmocka_unit_test(drives_pay_for_what_they_move),
        cmocka_unit_test(same_input_same_bits),
        cmocka_unit_test(what_it_does_not_know_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
