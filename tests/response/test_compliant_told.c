// What is told of a contact that ends: how deep it was, for how long, and its impulse, of a spring in closed form.
#include "rigid_run.h"

// 1 kg at 2 m/s, without gravity, onto 1e6 N/m without damping: half a period pi/1000 s, 2 mm deep, 4 N s.
static const char ball[] = STUFF("1", "0")
    "gravity: [0, 0, 0]\n"
    "contact: {response: compliant}\n"
    "bodies:\n" FLOOR
    "  ball: {material: stuff, mass: 1 kg, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.12],\n"
    "         velocity: [0, 0, -2]}\n"
    "simulate: {until: 0.05 s, tolerance: 1e-10}\n";

static const char *const spring[] = { "pairs.0.stiffness=1e6 N/m", "pairs.0.exponent=1", "pairs.0.damping=none", NULL };

static void a_contact_is_told_as_it_was(void **state)
{
    (void)state;
    Watch *w = run_text(ball, spring, NULL, NULL);
    const caromEvent *touch = event_from(w, CAROM_EVENT_TOUCH, 0), *off = event_from(w, CAROM_EVENT_SEPARATION, 0);
    CHECK(touch && off);
    CHECK_NEAR(touch->time, 0.01, 1e-12);
    CHECK_NEAR(off->time, 0.01 + pi/1000, 1e-9);
    CHECK_NEAR(off->separation.duration, pi/1000, 1e-9);
    CHECK_NEAR(off->separation.depth, 2e-3, 2e-6);     // at the end of a step: a thousandth of it by cos near its top
    CHECK_NEAR(off->separation.impulse, 4, 1e-4);     // a sum over looks inside the steps
    CHECK_NEAR(w->record.last_V[1].linear.z, 2, 1e-8);
    free(w);
}

// The same of a joint at its limit.
static void a_limit_is_told_as_it_was(void **state)
{
    (void)state;
    Watch *w = run_text("carom: 1\ngravity: [0, 0, 0]\n"
                        "bodies:\n"
                        "  slide: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                        "joints:\n"
                        "  rail: {type: prismatic, between: [world, slide], axis: [1, 0, 0], distance_rate: 2,\n"
                        "         upper: 0.02, limit_stiffness: 1e6, limit_restitution: 1}\n"
                        "simulate: {until: 0.05 s, tolerance: 1e-10}\n", NULL, NULL, NULL);
    const caromEvent *off = event_from(w, CAROM_EVENT_LIMIT_LEFT, 0);
    CHECK(off);
    CHECK_NEAR(off->separation.duration, pi/1000, 1e-9);
    CHECK_NEAR(off->separation.depth, 2e-3, 2e-5);     // at the ends of steps
    CHECK_NEAR(off->separation.impulse, 4, 1e-4);
    free(w);
}

// A ball that bounces, comes to lie and is lifted: each bounce has its restitution, what lay has none. The same with
// dampers that never forget the impact.
static void what_lasted_has_no_restitution(void **state)
{
    (void)state;
    const char *const dampings[][2] = { { NULL }, { "contact.rest_damping=0", NULL } };
    for (int k = 0; k < 2; k++) {
        Watch *w = run_text(STUFF("0.5", "0")
                            "contact: {response: compliant}\n"
                            "bodies:\n" FLOOR
                            "  ball: {material: stuff, mass: 1 kg, shape: {sphere: {radius: 0.1}},\n"
                            "         position: [0, 0, 0.105]}\n"
                            "forces:\n"
                            "  up: {body: ball, force: [0, 0, {ramp: {amplitude: 20 N, start: 0.4 s, end: 0.6 s}}]}\n"
                            "simulate: {until: 0.7 s, tolerance: 1e-8}\n", dampings[k], NULL, NULL);
        int bounces = 0, lasted = 0;
        for (int i = 0; i < w->record.nevent; i++) {
            const caromSeparationEvent *off = &w->record.events[i].separation;
            if (w->record.events[i].kind != CAROM_EVENT_SEPARATION) continue;
            bool is_bounce = w->record.events[i].time < 0.4;
            CHECK(off->has_lasted != is_bounce && isnan(off->restitution) == off->has_lasted);
            if (is_bounce && off->approach_speed > 0.2) CHECK_NEAR(off->restitution, 0.5, 0.05);
            bounces += is_bounce;
            lasted += off->has_lasted;
        }
        CHECK(bounces >= 3 && lasted == 1);
        free(w);
    }
}

static void a_limit_that_held_has_no_restitution(void **state)
{
    (void)state;
    Watch *w = run_text("carom: 1\ngravity: [0, 0, 0]\n"
                        "bodies:\n"
                        "  slide: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                        "joints:\n"
                        "  rail: {type: prismatic, between: [world, slide], axis: [1, 0, 0], distance_rate: 0.5,\n"
                        "         upper: 0.02, limit_stiffness: 1e6, limit_restitution: 0.5}\n"
                        "forces: {push: {body: slide, force: [{expression: '200 - 1000*time'}, 0, 0]}}\n"
                        "simulate: {until: 0.4 s, tolerance: 1e-8}\n", NULL, NULL, NULL);
    double first = NAN;
    int lasted = 0;
    for (int i = 0; i < w->record.nevent; i++) {
        const caromSeparationEvent *off = &w->record.events[i].separation;
        if (w->record.events[i].kind != CAROM_EVENT_LIMIT_LEFT) continue;
        if (isnan(first)) first = off->restitution;
        lasted += off->has_lasted;
    }
    CHECK_NEAR(first, 0.5, 0.2);  // the push acts meanwhile
    assert_int_equal(lasted, 1);
    free(w);
}

// Feet of one body that land flat leave at one instant, and all are told there: at any tolerance, for 2 to 6 of them.
static void separations_at_one_instant_are_told_there(void **state)
{
    (void)state;
    static const char *const tolerances[] = { "simulate.tolerance=1e-4", "simulate.tolerance=1e-6",
                                              "simulate.tolerance=1e-10" };
    for (int n = 2; n <= 6; n++) {
        char text[2048];
        int length = snprintf(text, sizeof text, STUFF("0.7", "0")
                              "contact: {response: compliant}\nbodies:\n" FLOOR
                              "  b: {material: stuff, mass: 1, com: [0, 0, 0], inertia: [0.01, 0.01, 0.01],\n"
                              "      position: [0, 0, 0.15], shapes: {");
        for (int i = 0; i < n; i++)
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "%ss%d: {sphere: {radius: 0.05}, position: [%.17g, %.17g, 0]}", i ? ", " : "", i,
                               0.2*cos(2*pi*i/n), 0.2*sin(2*pi*i/n));
        snprintf(text + length, sizeof text - (size_t)length, "}}\nsimulate: {until: 0.19}\n");
        for (int k = 0; k < 3; k++) {
            const char *const overrides[] = { spring[0], spring[1], tolerances[k], NULL };
            Watch *w = run_text(text, overrides, NULL, NULL);
            assert_int_equal(count_of(w, CAROM_EVENT_TOUCH), n);
            assert_int_equal(count_of(w, CAROM_EVENT_SEPARATION), n);
            const caromEvent *first = event_from(w, CAROM_EVENT_SEPARATION, 0);
            CHECK_NEAR(last_time_of(w, CAROM_EVENT_SEPARATION), first->time, 1e-12);  // 1e-12 m at 1 m/s
            free(w);
        }
    }
}

// Put down exactly touching: with a speed into the floor it is an impact, told from its beginning; at rest it is a
// contact that was there before; with a speed away from it there is none.
static void a_contact_that_begins_at_the_start_is_told(void **state)
{
    (void)state;
    static const struct { const char *velocity; int touches, separations; } cases[] = {
        { "bodies.ball.velocity=[0, 0, -2]", 1, 1 },
        { "bodies.ball.velocity=[0, 0, 0]", 0, 0 },
        { "bodies.ball.velocity=[0, 0, 2]", 0, 0 },
    };
    for (int i = 0; i < 3; i++) {
        const char *const overrides[] = { "bodies.ball.position=[0, 0, 0.1]", cases[i].velocity, spring[0], spring[1],
                                          spring[2], NULL };
        Watch *w = run_text(ball, overrides, NULL, NULL);
        assert_int_equal(count_of(w, CAROM_EVENT_TOUCH), cases[i].touches);
        assert_int_equal(count_of(w, CAROM_EVENT_SEPARATION), cases[i].separations);
        const caromEvent *touch = event_from(w, CAROM_EVENT_TOUCH, 0);
        if (touch) CHECK_NEAR(touch->touch.speed, 2, 0);
        if (touch) CHECK_NEAR(touch->time, 0, 0);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_is_told_as_it_was),
        cmocka_unit_test(a_limit_is_told_as_it_was),
        cmocka_unit_test(separations_at_one_instant_are_told_there),
        cmocka_unit_test(a_contact_that_begins_at_the_start_is_told),
        cmocka_unit_test(what_lasted_has_no_restitution),
        cmocka_unit_test(a_limit_that_held_has_no_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
