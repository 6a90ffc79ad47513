// The rigid response: forces that are decided for a short time, where no modes fit or no step gets on.
#include "rigid_run.h"

static caromStatus run_to_its_end(const char *text, const char *const *overrides, int n, caromError *err)
{
    caromModel *model = good_model(text, overrides, n);
    caromSim *sim = NULL;
    assert_int_equal(carom_sim_create(model, NULL, &sim, err), CAROM_OK);
    caromStatus status = carom_sim_run(sim, err);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    return status;
}

static const char press[] = STUFF("0.5", "0.3")
    "contact: {response: rigid}\n"
    "bodies:\n" FLOOR
    "  ram: {material: stuff, shape: {box: {size: [0.2, 0.2, 0.1]}}}\n"
    "  ball: {material: stuff, shape: {sphere: {radius: 0.02}}, position: [0, 0, 0.02]}\n"
    "joints:\n"
    "  slide: {type: prismatic, between: [world, ram], at: [0, 0, 0.15], axis: [0, 0, 1],\n"
    "          motion: {expression: \"-time\"}}\n"
    "simulate: {until: 0.5 s, tolerance: 1e-6}\n";

// Nothing gives way between the floor and what a motion drives down: on the ball at 60 ms, or on the floor at 100 ms.
static void a_motion_that_squeezes_is_told_with_its_contact(void **state)
{
    (void)state;
    static const char *const aside[] = { "bodies.ball.position=[1, 0, 0.02]" };
    caromError err = { 0 };
    assert_int_equal(run_to_its_end(press, NULL, 0, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "at 0.06 s prescribed motions press"));
    assert_non_null(strstr(err.message, "ball"));
    assert_int_equal(run_to_its_end(press, aside, 1, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "at 0.1 s prescribed motions press"));
    assert_string_equal(err.where, "floor - ram");
}

// ---- chatter that nobody sees

// Of a box with e = 1 that falls on a corner, at a height and an angle.
static Watch *run_box(const char *height, const char *angle, const char *simulate)
{
    char text[1000];
    snprintf(text, sizeof text, STUFF("1", "0") "contact: {response: rigid}\nbodies:\n" FLOOR
             "  box: {material: stuff, shape: {box: {size: [0.2, 0.15, 0.1]}}, position: [0, 0, %s], orientation: "
             "{axis: [0.6, 0.8, 0], angle: %s}}\nsimulate: {%s, every: 10 ms}\n", height, angle, simulate);
    return run_text(text, NULL, NULL, NULL);
}

// 2 nm high nothing takes its energy, and each hop of one corner is ended by another (65,983 impacts in half a second).
// At tolerance 1e-6 positions are known to 0.1 um.
static void bounces_by_turns_that_nobody_sees_come_to_an_end(void **state)
{
    (void)state;
    Watch *w = run_box("0.050000002", "1e-8", "until: 0.5 s, tolerance: 1e-6");
    CHECK(count_of(w, CAROM_EVENT_IMPACT) < 500);
    CHECK(w->record.last.energy.kinetic < 1e-20);
    CHECK_NEAR(w->record.last_X[1].p.z, 0.05, 1e-7);
    free(w);
}

static void bounces_that_are_seen_go_on(void **state)
{
    (void)state;
    Watch *w = run_box("0.055", "0.02", "until: 2 s, tolerance: 1e-8");
    CHECK(count_of(w, CAROM_EVENT_IMPACT) > 20);
    CHECK_NEAR(w->record.last.energy.damping, 0, 1e-7*w->record.stats.energy_reference);
    free(w);
}

// ---- chatter of many

// Six boxes on each other that a ball hits: faces rock on each other, and contacts slide, stick and land by turns, an
// event every few microseconds (948 steps where 16 of them had to follow each other within 3 us, 540 since).
static void chatter_of_a_stack_is_decided_together(void **state)
{
    (void)state;
    char text[2000];
    int n = snprintf(text, sizeof text,
                     "carom: 1\npairs:\n"
                     "  - {between: [wood, wood], restitution: 0.3, friction: 0.5}\n"
                     "  - {between: [wood, steel], restitution: 0.5, friction: 0.3}\n"
                     "  - {between: [wood, concrete], restitution: 0.3, friction: 0.6}\n"
                     "  - {between: [steel, concrete], restitution: 0.6, friction: 0.4}\n"
                     "contact: {response: rigid, friction_law: bristle}\nbodies:\n"
                     "  floor: {fixed: true, material: concrete, shape: {half-space: {}}}\n");
    for (int i = 0; i < 6; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  b%d: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, %.17g]}\n",
                      i + 1, 0.05 + 0.1*i);
    snprintf(text + n, sizeof text - (size_t)n,
             "  ball: {material: steel, shape: {sphere: {radius: 40 mm}}, position: [-0.6, 0, 0.35], velocity: "
             "[6, 0, 0.2]}\nsimulate: {until: 0.25 s, every: 5 ms}\n");
    Watch *w = run_text(text, NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 750);
    CHECK_NEAR(w->record.stats.largest_imbalance, 0, 1e-5*w->record.stats.energy_reference);
    free(w);
}

// ---- slips that count as none

// A cone rolls on its side: its tip and its rim stick, and their accelerations fit each other only where neither slips.
// With a slip of 1e-8 m/s at the tip it slid, in steps of a microsecond (0.2 s in 20 s of processor time).
static void a_cone_rolls_on_its_side(void **state)
{
    (void)state;
    double r = 0.02146, l = 0.01682, a = atan2(r, l), x = 0.5*l*cos(a), z = 0.5*l*sin(a);
    char text[1000];
    snprintf(text, sizeof text, STUFF("0", "0.78") "contact: {response: rigid, friction_law: bristle}\n"
             "bodies:\n" FLOOR "  cone: {material: stuff, shape: {cone: {radius: %.17g, length: %.17g}}, position: "
             "[%.17g, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}, velocity: [0, %.17g, 0], "
             "angular_velocity: [20, 0, 0]}\nsimulate: {until: 0.5 s, tolerance: 1.8e-7, every: 10 ms}\n",
             r, l, x, z, atan2(-cos(a), -sin(a)), 1e-3 - 20*z);
    Watch *w = run_text(text, NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 500);
    CHECK_NEAR(w->record.last.energy.imbalance, 0, 1.8e-6*w->record.stats.energy_reference);
    CHECK(w->record.last.energy.friction < 0.01*w->record.last.energy.kinetic);  // it rolls on
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_that_squeezes_is_told_with_its_contact),
        cmocka_unit_test(bounces_by_turns_that_nobody_sees_come_to_an_end),
        cmocka_unit_test(bounces_that_are_seen_go_on),
        cmocka_unit_test(chatter_of_a_stack_is_decided_together),
        cmocka_unit_test(a_cone_rolls_on_its_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
