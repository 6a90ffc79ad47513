// The rigid response: things that spin. The examples do what their comments say, and energy only falls.
#include "rigid_run.h"

typedef struct Spin {
    Falls falls;
    // Vertical component of the body's z axis, rate about the vertical, height of the centre of mass; the first after
    // 0.1 s.
    double first[3], last[3];
    double friction[2];        // what it has taken, then and at the end
    double com;                // along the body's z axis
    bool has_first;
} Spin;

static void see_spin(Watch *w, const caromSample *s)
{
    Spin *spin = (Spin *)(uintptr_t)w->context;
    follow_energy(&spin->falls, s);
    caromPose X = s->X_WB[1];
    double now[3] = { X.R.cz.z, s->V_WB[1].angular.z, X.p.z + spin->com*X.R.cz.z };
    memcpy(spin->last, now, sizeof now);
    spin->friction[1] = s->energy.friction;
    if (spin->has_first || s->time < 0.1) return;
    memcpy(spin->first, now, sizeof now);
    spin->friction[0] = s->energy.friction;
    spin->has_first = true;
}

static Watch *run_example(const char *name, const char *const *overrides, Spin *spin)
{
    char path[100];
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    char *text = source_file(path, NULL);
    Watch *w = run_text(text, overrides, see_spin, spin);
    free(text);
    double scale = w->record.stats.energy_scale;
    CHECK(spin->falls.worst < 1e-6*scale);
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-6*scale);
    return w;
}

// The centre of mass ends 3 mm above the middle of the ball, from 3 mm below it; the top still turns the same way about
// the vertical, and the other way about its own axis.
static void a_tippe_top_turns_over(void **state)
{
    (void)state;
    Spin spin = { .com = -3e-3 };
    Watch *w = run_example("tippe-top", NULL, &spin);
    CHECK(spin.first[0] > 0.5);
    CHECK(spin.last[0] < -0.97);
    CHECK_NEAR(spin.last[2], 18e-3, 0.1e-3);
    CHECK(spin.last[1] > 100);
    free(w);
}

// Spun one way it turns back with nearly the rate it had; the other way it goes on. It rolls, so that energy stays what
// it is.
static void a_rattleback_turns_back(void **state)
{
    (void)state;
    Spin wrong = { 0 }, right = { 0 };
    Watch *w = run_example("rattleback", NULL, &wrong);
    CHECK(wrong.first[1] < -3.5 && wrong.last[1] > 3.5);
    assert_int_equal(count_of(w, CAROM_EVENT_TAKE_OFF), 0);
    // It slips at the start, until it sticks.
    CHECK(wrong.friction[1] - wrong.friction[0] < 1e-9*w->record.stats.energy_scale);
    free(w);
    w = run_example("rattleback", (const char *const[]){ "bodies.stone.angular_velocity=[0, 0, 4]", NULL }, &right);
    CHECK(right.first[1] > 3.5 && right.last[1] > 3);
    free(w);
}

// Its axis comes up from 75 degrees off the vertical as it leans over.
static void a_coin_spins_down(void **state)
{
    (void)state;
    Spin spin = { 0 };
    Watch *w = run_example("spinning-coin", NULL, &spin);
    CHECK(spin.first[0] < 0.6 && spin.last[0] > 0.9);
    CHECK(spin.last[2] < 0.6*spin.first[2]);
    CHECK(w->record.stats.energy.friction > 0);
    free(w);
    // Sharp: once it sticks it rolls for ever, and nothing is lost but at the start.
    Spin sharp = { 0 };
    w = run_example("spinning-coin", (const char *const[]){ "contact.friction_law=bristle", "simulate.until=3",
                                                            "simulate.tolerance=1e-9", NULL }, &sharp);
    const caromEvent *stick = event_from(w, CAROM_EVENT_STICK, 0);
    CHECK(stick && stick->time < 0.1);
    CHECK(fabs(sharp.friction[1] - sharp.friction[0]) < 1e-9*w->record.stats.energy_scale);
    free(w);
}

static void a_block_rocks_to_rest_and_a_rod_jams(void **state)
{
    (void)state;
    Spin spin = { 0 }, rod = { 0 };
    Watch *w = run_example("rocking-block", NULL, &spin);
    CHECK_NEAR(last_time_of(w, CAROM_EVENT_LAND), 8.654245758, 1e-6);
    free(w);
    w = run_example("painleve-rod", NULL, &rod);
    assert_int_equal(count_of(w, CAROM_EVENT_JAM), 1);
    free(w);
}

// ---- Newton's cradle: at each impact all balls stop but the last

static void see_cradle(Watch *w, const caromSample *s)
{
    if (s->kind != CAROM_SAMPLE_GRID || count_of_so_far(w, CAROM_EVENT_IMPACT) == 0) return;
    for (int k = 1; k < 4; k++) w->value[0] = fmax(w->value[0], fabs(s->joint_q[k]));
    w->value[1] = fmax(w->value[1], fabs(s->joint_q[4]));
    w->value[2] = fmax(w->value[2], fabs(s->joint_q[0]));
}

static void a_cradle_passes_its_blow_on(void **state)
{
    (void)state;
    char *text = source_file("examples/newton-cradle.yaml", NULL);
    Watch *w = run_text(text, NULL, see_cradle, NULL);
    free(text);
    CHECK(w->value[0] < 1e-6);
    CHECK_NEAR(w->value[1], pi/6, 1e-3);  // samples miss the highest point by a little
    CHECK_NEAR(w->value[2], pi/6, 1e-3);
    CHECK(count_of(w, CAROM_EVENT_IMPACT) > 20);
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-7*w->record.stats.energy_scale);
    free(w);
}

// A ring that wobbles less than the tolerance sees lies flat: rolling on at its lean it took 36,000 steps, 1e4 Hz.
static void a_ring_that_nobody_sees_wobble_lies(void **state)
{
    (void)state;
    static const char ring[] = STUFF("0.3", "0.5") "contact: {response: rigid, friction_law: bristle}\n"
        "bodies:\n" FLOOR "  ring: {material: stuff, shape: {torus: {radius: 3.7 mm, tube_radius: 1.8 mm}}, position: "
        "[0, 0, 1.8 mm], orientation: {axis: [1, 0, 0], angle: 1e-6}, angular_velocity: [0, 0.05, 0]}\n"
        "simulate: {until: 0.2 s, tolerance: 1e-5, every: 5 ms}\n";
    Watch *w = run_text(ring, NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 100);
    CHECK_NEAR(w->record.last_X[1].p.z, 1.8e-3, 1e-12);
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-6*2.37e-4*g*3.7e-3);  // m g R
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tippe_top_turns_over),
        cmocka_unit_test(a_rattleback_turns_back),
        cmocka_unit_test(a_coin_spins_down),
        cmocka_unit_test(a_block_rocks_to_rest_and_a_rod_jams),
        cmocka_unit_test(a_cradle_passes_its_blow_on),
        cmocka_unit_test(a_ring_that_nobody_sees_wobble_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
