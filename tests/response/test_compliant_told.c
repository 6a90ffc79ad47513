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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_is_told_as_it_was),
        cmocka_unit_test(a_limit_is_told_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
