// Contacts that stay where an impact of their kind would have parted: they are resolved as what lasts.
#include "rigid_run.h"

// A cone of steel that lands on its side without rebound, slides and rolls. Its impact takes 0.15 ms without damping,
// but for 0.3 s, twice that over the least restitution, it is remembered as it began, with a damper that bends
// over 1 um/s. As impacts are resolved, to 2e-14 m, it took 4400 steps.
static void a_landing_without_rebound_is_over_soon(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\n"
        "pairs: [{between: [steel, steel], restitution: 0, friction: 0.009042}]\n"
        "bodies:\n"
        "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
        "  cone: {material: steel, shape: {cone: {radius: 5.6674 mm, length: 12.7068 mm}},\n"
        "         position: [0, 0, 36.1179 mm],\n"
        "         orientation: {axis: [-0.809956, -0.583342, 0.0606926], angle: 0.276017},\n"
        "         velocity: [-1.05548, 1.89665, -0.520107], angular_velocity: [4.6439, -33.8469, -14.3382]}\n"
        "contact: {response: compliant, friction_law: smooth, damping: engelson-fraction}\n"
        "simulate: {until: 0.1, tolerance: 3.4e-7}\n";
    Watch *w = run_text(text, NULL, NULL, NULL);
    CHECK(w->record.stats.events[CAROM_EVENT_TOUCH] >= 1);
    CHECK(w->record.stats.steps < 2500);
    CHECK(w->record.stats.largest_imbalance < 10*3.4e-7*w->record.stats.energy_reference);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_landing_without_rebound_is_over_soon) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
