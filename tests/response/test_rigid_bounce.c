// The rigid response: a ball bounces to its end, rests, and leaves a table that shakes.
#include "response/rigid.h"

#include "rigid_run.h"

static const char drop[] = STUFF("0.5", "0")
    "contact: {response: rigid}\n"
    "bodies:\n" FLOOR
    "  ball: {material: stuff, mass: 2 kg, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.1]}\n"
    "simulate: {until: 100 s, tolerance: 1e-10, every: 1 s}\n";

// The force of the floor is the weight at every sample after the landing, and the ball does not stir.
static void see_rest(Watch *w, const caromSample *s)
{
    const double *landing = w->context;
    if (s->time < *landing*(1 + 1e-9)) return;
    CHECK(s->ncontact == 1);
    CHECK_NEAR(s->contacts[0].fn, 2*g, 1e-12*2*g);
    CHECK_NEAR(s->X_WB[1].p.z, 0.1, 1e-12);
    CHECK(carom_norm(s->V_WB[1].linear) < 1e-15);
    w->turns++;
}

// Falls for t1 = sqrt(2 h/g), then hops last 2 e t1, 2 e^2 t1, ...: at rest after t1 (1 + e)/(1 - e).
static void bounces_come_to_their_end_at_their_sum(void **state)
{
    (void)state;
    static const double es[] = { 0.1, 0.3, 0.5, 0.7, 0.9, 0.99 };
    static const char *const ways[] = { "contact.landing=sum", "contact.landing=stretched" };
    for (size_t i = 0; i < sizeof es/sizeof es[0]; i++) {
        for (int k = 0; k < 2; k++) {
            char e[60];
            snprintf(e, sizeof e, "pairs.0.restitution=%g", es[i]);
            double landing = sqrt(2/g)*(1 + es[i])/(1 - es[i]);
            Watch *w = run_text(drop, (const char *const[]){ e, ways[k], NULL }, see_rest, &landing);
            assert_int_equal(count_of(w, CAROM_EVENT_LAND), 1);
            CHECK_NEAR(time_of(w, CAROM_EVENT_LAND), landing, 1e-10*landing);
            CHECK(w->turns >= 9);
            CHECK(fabs(w->record.stats.largest_imbalance) < 1e-9*2*g);
            free(w);
        }
    }
}

static void restitution_1_never_comes_to_rest(void **state)
{
    (void)state;
    Watch *w = run_text(drop, (const char *const[]){ "pairs.0.restitution=1", "simulate.until=20", NULL }, NULL, NULL);
    double t1 = sqrt(2/g);
    int impacts = (int)floor((20/t1 + 1)/2);
    assert_int_equal(count_of(w, CAROM_EVENT_IMPACT), impacts);
    assert_int_equal(count_of(w, CAROM_EVENT_LAND), 0);
    // Each of the 22 impacts is found to a few tolerances.
    CHECK_NEAR(last_time_of(w, CAROM_EVENT_IMPACT), t1*(2*impacts - 1), 1e-9);
    free(w);
}

// But for hops that nobody sees, here 5e-14 m high and 2e-7 s long: five million of them in a second.
static void hops_of_restitution_1_that_nobody_sees_end(void **state)
{
    (void)state;
    Watch *w = run_text(STUFF("1", "0.3") "contact: {response: rigid}\n"
                        "bodies:\n" FLOOR "  ball: {material: stuff, mass: 1 kg, shape: {sphere: {radius: 0.1}}, "
                        "position: [0, 0, 0.1], velocity: [0, 0, -1e-6]}\n"
                        "simulate: {until: 1 s, tolerance: 1e-6, every: 0.1}\n", NULL, NULL, NULL);
    assert_int_equal(count_of(w, CAROM_EVENT_LAND), 1);
    CHECK(w->record.stats.steps < 100);
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-12);
    free(w);
}

// ---- a table that shakes: z = A sin(w t)

static const double amplitude = 0.05, frequency = 3;  // A w^2 = 17.8 m/s^2

static const char shaken[] = STUFF("0", "0")
                             "contact: {response: rigid}\n"
                             "bodies:\n"
                             "  table: {material: stuff, mass: 1 kg, shape: {box: {size: [1, 1, 0.1]}}}\n"
                             "  ball: {material: stuff, mass: 1 kg, shape: {sphere: {radius: 0.1}}, position: [0, 0, "
                             "0.15], velocity: [0, 0, 0.942477796076938]}\n"
                             "joints:\n"
                             "  shaker: {type: prismatic, between: [world, table], axis: [0, 0, 1], motion: {sine: "
                             "{amplitude: 50 mm, frequency: 3 Hz}}}\n"
                             "simulate: {until: 3 s, tolerance: 1e-10, every: 5 ms}\n";

static double flight_gap(double t, double t0)
{
    double w = 2*pi*frequency, s = t - t0;
    return amplitude*(sin(w*t0) - sin(w*t) + w*cos(w*t0)*s) - 0.5*g*s*s;
}

// When the ball that left at t0 is back.
static double back(double t0)
{
    double low = t0 + 0.01, high = low;
    while (flight_gap(high, t0) > 0) high += 1e-3;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5*(low + high);
        if (flight_gap(middle, t0) > 0) low = middle;
        else high = middle;
    }
    return 0.5*(low + high);
}

// While it is on the table the force is m (g + a).
static void see_force(Watch *w, const caromSample *s)
{
    double rate = 2*pi*frequency;
    if (s->kind != CAROM_SAMPLE_GRID) return;
    CHECK(s->energy.imbalance < 1e-8);
    if (s->ncontact == 0) return;
    CHECK_NEAR(s->contacts[0].fn, g - amplitude*rate*rate*sin(rate*s->time), 1e-9);
    CHECK_NEAR(s->X_WB[1].p.z, 0.15 + amplitude*sin(rate*s->time), 1e-12);
    w->turns++;
}

// It leaves where the table falls as fast as it would itself, a = -g, comes back where the parabola meets the sine,
// stays (restitution 0), and leaves again at the same phase.
static void a_table_that_falls_faster_is_left(void **state)
{
    (void)state;
    Watch *w = run_text(shaken, NULL, see_force, NULL);
    double rate = 2*pi*frequency, phase = asin(g/(amplitude*rate*rate))/rate, from = 0;
    int cycles = 0;
    for (double t0 = phase; t0 + 0.5 < 3; cycles++) {
        double t1 = back(t0);
        const caromEvent *off = event_from(w, CAROM_EVENT_TAKE_OFF, from),
                         *on = event_from(w, CAROM_EVENT_IMPACT, from), *land = event_from(w, CAROM_EVENT_LAND, t0);
        CHECK(off && on && land);
        CHECK_NEAR(off->time, t0, 1e-8);
        CHECK_NEAR(on->time, t1, 1e-8);
        CHECK_NEAR(land->time, t1, 1e-8);
        from = t1 + 1e-6;
        double turn = ceil(rate*t1/(2*pi) - phase*rate/(2*pi));
        t0 = phase + turn/frequency;
    }
    CHECK(cycles >= 3 && w->turns > 50);
    free(w);
}

// Grains of 1e-15 kg leave when balls do: what counts as no pull is a part of the weight that there is.
static void grains_leave_as_balls_do(void **state)
{
    (void)state;
    const char *const overrides[] = { "bodies.table.mass=1e-15 kg", "bodies.ball.mass=1e-15 kg", NULL };
    Watch *ball = run_text(shaken, NULL, NULL, NULL), *grain = run_text(shaken, overrides, NULL, NULL);
    assert_int_equal(grain->record.nevent, ball->record.nevent);
    for (int i = 0; i < ball->record.nevent; i++) {
        assert_int_equal(grain->record.events[i].kind, ball->record.events[i].kind);
        CHECK_NEAR(grain->record.events[i].time, ball->record.events[i].time, 1e-8);
    }
    free(ball);
    free(grain);
}

// With restitution it bounces on the table first; each landing is before a take-off, and forces never pull.
static void bounces_on_a_table_that_shakes_die_out(void **state)
{
    (void)state;
    Watch *w = run_text(shaken, (const char *const[]){ "pairs.0.restitution=0.3", NULL }, see_force, NULL);
    int n = 0;
    double rate = 2*pi*frequency, phase = asin(g/(amplitude*rate*rate)), landed = 0;
    for (int i = 0; i < w->record.nevent; i++) {
        const caromEvent *e = &w->record.events[i];
        if (e->kind == CAROM_EVENT_LAND) landed = e->time;
        if (e->kind != CAROM_EVENT_TAKE_OFF) continue;
        CHECK(landed < e->time);
        CHECK_NEAR(remainder(rate*e->time - phase, 2*pi)/rate, 0, 1e-8);
        n++;
    }
    CHECK(n >= 3);
    free(w);
}

// Bounces that are summed up press with 2 N on a lever whose other end was to part with 1 m/s^2: with -1/kg between the
// two it comes down, with -1/4 it does not.
static void landings_disturb_what_was_to_part(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double G[36] = { [0] = 1, [21] = 1, [3] = i ? -1 : -0.25, [18] = i ? -1 : -0.25 };
        double b[6] = { [0] = -1, [3] = 1 }, f[6] = { [0] = 2 };
        caromSpace space = { .n = 2, .G = G, .b = b, .f = f };
        caromContactPoint contacts[2] = { { .mode = CAROM_MODE_FLIGHT, .lands = 1 },
                                          { .mode = CAROM_MODE_FLIGHT, .lands = (double)NAN } };
        caromRigid r = { .n = 2, .contacts = contacts, .space = &space };
        assert_int_equal(carom_rigid_do_landings_disturb(&r), i);
        contacts[0].hops = true;  // made one by one, they press on nothing
        assert_false(carom_rigid_do_landings_disturb(&r));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_come_to_their_end_at_their_sum),
        cmocka_unit_test(restitution_1_never_comes_to_rest),
        cmocka_unit_test(hops_of_restitution_1_that_nobody_sees_end),
        cmocka_unit_test(a_table_that_falls_faster_is_left),
        cmocka_unit_test(grains_leave_as_balls_do),
        cmocka_unit_test(bounces_on_a_table_that_shakes_die_out),
        cmocka_unit_test(landings_disturb_what_was_to_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
