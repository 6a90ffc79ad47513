// The search on gaps that are written down: y is the time, the step goes from 0 to 1, and what is certain of a gap
// follows from a bound of its rate.
#include <float.h>

#include "check.h"
#include "events/search.h"

typedef double (*Gap)(double t, double *rate);

typedef struct Hand {
    Gap gap;
    double steepest;           // bound of |rate|
    double at[CAROM_SLOTS];
    int loads;
    caromStatus status;        // of the interpolation
    double hovering;           // [m] a gap that counts as none after long looking
    double unknown;            // [m] what a gap is known to
} Hand;

static caromStatus tell_time(caromStepper *stepper, double theta, double *y, double *dydtau)
{
    (void)dydtau;
    y[0] = theta;
    return ((Hand *)(void *)stepper)->status;
}

static void load_time(void *user, int slot, double time, const double *y)
{
    Hand *h = user;
    (void)time;
    h->at[slot] = y[0];
    h->loads++;
}

static double gap_by_hand(void *user, int slot, caromConstraint c, double *rate)
{
    const Hand *h = user;
    (void)c;
    return h->gap(h->at[slot], rate);
}

static double clear_by_hand(void *user, int slot, caromConstraint c, double dt, double margin)
{
    const Hand *h = user;
    double rate, above = gap_by_hand(user, slot, c, &rate) + margin - h->unknown;
    return fmin(fabs(dt), fmax(0, above)/h->steepest);
}

static double scratch;

static caromSearch search_of(Hand *h, caromGuard *guard, caromMethod *method)
{
    static const double start = 0, end = 1;
    *guard = (caromGuard){ h, load_time, gap_by_hand, clear_by_hand };
    *method = (caromMethod){ .name = "by hand", .interpolate = tell_time };
    caromSearch s = { .guard = guard, .method = method, .stepper = (caromStepper *)(void *)h, .h = 1, .y = &scratch,
                      .margin = 1e-15, .hovering = h->hovering };
    for (int k = 0; k < CAROM_SLOTS; k++) h->at[k] = NAN;  // nothing is asked before it is loaded
    carom_search_begin(&s, &start, &end);
    h->loads = 0;
    return s;
}

typedef struct Answer { double theta; int evaluations, loads; caromStatus status; } Answer;

static Answer touch_or_hover(Gap gap, double steepest, double end, double hovering)
{
    Hand h = { gap, steepest, { 0 }, 0, CAROM_OK, hovering };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    double theta = carom_search_touch(&s, carom_model_constraint_of_pair(0), end);
    return (Answer){ theta, (int)s.evaluations, h.loads, s.status };
}

static Answer touch(Gap gap, double steepest, double end)
{
    return touch_or_hover(gap, steepest, end, 0);
}

static Answer separation(Gap gap, caromHysteresis least, double end)
{
    Hand h = { gap, 1, { 0 }, 0, CAROM_OK, 0 };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    double theta = carom_search_separation(&s, carom_model_constraint_of_pair(0), least, end);
    return (Answer){ theta, (int)s.evaluations, h.loads, s.status };
}

// ---- gaps

static const double pi = 3.14159265358979323846;

static double wave(double t, double *rate) { *rate = -10*pi*sin(10*pi*t); return 0.5 + cos(10*pi*t); }
static double graze(double t, double *rate) { *rate = 2*(t - 0.7); return (t - 0.7)*(t - 0.7) - 1e-6; }
static double miss(double t, double *rate) { *rate = 2*(t - 0.7); return (t - 0.7)*(t - 0.7) + 1e-6; }
static double kink(double t, double *rate)
{
    *rate = t < 0.37 ? -1 : -1e-3;
    return t < 0.37 ? 0.371 - t : 1e-3*(1.37 - t) - 5e-4;
}
static double hover(double t, double *rate) { (void)t; *rate = 0; return 1e-9; }
static double open(double t, double *rate) { (void)t; *rate = 0; return 2; }
static double falls(double t, double *rate) { *rate = -1; return -t; }
static double steep(double t, double *rate) { *rate = -1; return 0.25 - t; }
static double parts(double t, double *rate) { *rate = 1; return t - 1e-13; }
static double returns(double t, double *rate) { *rate = 0.5 - 2*t; return 0.5*t - t*t - 1e-13; }
static double never_clear(double t, double *rate) { *rate = 1e-3 - 2*t; return 1e-3*t - t*t - 1e-6; }
static double stays_in(double t, double *rate) { *rate = 1e-3; return 1e-3*t - 1; }
static double apart_at_the_end(double t, double *rate) { *rate = 1 - 1.2*t; return -0.3 + t - 0.6*t*t; }
static double sinks_at_the_end(double t, double *rate)
{
    *rate = t < 0.999 ? 1e-3 : -1;
    return t < 0.999 ? 1e-3*t - 1 : -t;
}

static void the_first_of_several_touches_is_told(void **state)
{
    (void)state;
    Answer a = touch(wave, 10*pi, 1);
    CHECK_NEAR(a.theta, 1.0/15, 2*DBL_EPSILON);  // cos = -1/2
    CHECK(a.evaluations <= 180);
    a = touch(steep, 1, 1);
    CHECK_NEAR(a.theta, 0.25, DBL_EPSILON);
    CHECK(a.evaluations <= 8);
    a = touch(open, 1, 1);
    CHECK_NEAR(a.theta, CAROM_NEVER, 0);
    assert_int_equal(a.evaluations, 1);          // certain from the start
    assert_int_equal(a.loads, 0);
}

// Overlap for 2e-3 of the step, by 1e-6: pieces are halved until the ends of one are certain of it.
static void a_graze_is_found_and_a_miss_is_certain(void **state)
{
    (void)state;
    Answer a = touch(graze, 2, 1);
    CHECK_NEAR(a.theta, 0.7 - 1e-3, 1e-12);      // 1e-16 over a rate of 2e-3, and some
    CHECK(a.evaluations <= 79729);
    a = touch(miss, 2, 1);
    CHECK_NEAR(a.theta, CAROM_NEVER, 0);
    CHECK(a.evaluations <= 21350);
}

// Newton's steps go wrong at a kink: halving gets there.
static void a_touch_is_located_behind_a_kink(void **state)
{
    (void)state;
    Answer a = touch(kink, 1.1, 1);
    CHECK(a.evaluations <= 106925);
    CHECK_NEAR(a.theta, 0.87, 1e-12);
}

static void only_what_comes_before_the_end_is_told(void **state)
{
    (void)state;
    CHECK_NEAR(touch(steep, 1, 0.2).theta, CAROM_NEVER, 0);
    CHECK_NEAR(touch(steep, 1, 0.3).theta, 0.25, DBL_EPSILON);
    CHECK_NEAR(touch(wave, 10*pi, 0.05).theta, CAROM_NEVER, 0);
}

// Surfaces next to each other at 1e-9 all the time: after some thousand pieces they count as touching.
static void what_hovers_counts_as_touching(void **state)
{
    (void)state;
    Answer a = touch_or_hover(hover, 1, 1, 1e-8);
    CHECK(a.theta > 0 && a.theta < 1e-3);
    CHECK(a.evaluations > 1000 && a.evaluations < 4000);
}

static void what_overlaps_at_the_start_is_told_by_where_it_goes(void **state)
{
    (void)state;
    CHECK_NEAR(touch(falls, 1, 1).theta, 0, 0);
    Answer a = touch(parts, 1, 1);
    CHECK_NEAR(a.theta, CAROM_NEVER, 0);
    CHECK(a.evaluations <= 6);
    a = touch(returns, 2, 1);
    CHECK_NEAR(a.theta, 0.5, 1e-12);
    CHECK(a.evaluations <= 845);
    CHECK_NEAR(touch(apart_at_the_end, 2, 1).theta, CAROM_NEVER, 0);
    CHECK_NEAR(touch(stays_in, 1, 1).theta, CAROM_NEVER, 0);
    double theta = touch(never_clear, 2, 1).theta;   // turns back at 5e-4, before it was apart
    CHECK(theta > 5e-4 && theta < 3e-3);
    CHECK_NEAR(touch(sinks_at_the_end, 2, 1).theta, 1, 0);
}

// Apart by less than the gap is known to, and parting: nothing is certain there, and it is no touch.
static double parts_from_nothing(double t, double *rate) { *rate = 1e-3; return 1e-14 + 1e-3*t; }

static void what_parts_from_less_than_is_known_does_not_touch(void **state)
{
    (void)state;
    Hand h = { parts_from_nothing, 2e-3, { 0 }, 0, CAROM_OK, 1e-8, 3e-14 };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    CHECK_NEAR(carom_search_touch(&s, carom_model_constraint_of_pair(0), 1), CAROM_NEVER, 0);
}

// Deep, and slow at first: at the rate of the start it would be apart after the end of the step, and it is back before.
static double hurries_out_and_back(double t, double *rate)
{
    *rate = 1 + t*(12 - 21*t);
    return -0.5 + t*(1 + t*(6 - 7*t));
}

static void a_deep_rebound_is_looked_at_early(void **state)
{
    (void)state;
    double low = 0.9, high = 0.95, rate;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5*(low + high);
        if (hurries_out_and_back(middle, &rate) > 0) low = middle;
        else high = middle;
    }
    CHECK_NEAR(touch(hurries_out_and_back, 8, 1).theta, low, 1e-14);  // rounding of g over its rate
}

// From rest, a rounding apart and approaching by one: up, and back at 0.4. One that only parts, one that never does.
static double parts_at_rest(double t, double *rate)
{
    *rate = t*(0.8 - 3*t) - 1e-18;
    return 1e-17 + t*t*(0.4 - t);
}
static double parts_for_good(double t, double *rate) { *rate = 2*t - 1e-18; return t*t; }
static double stays(double t, double *rate) { (void)t; *rate = -1e-18; return -1e-17; }

static double touch_again(Gap gap, double end)
{
    Hand h = { gap, 3, { 0 }, 0, CAROM_OK, 1e-6 };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    return carom_search_touch_again(&s, carom_model_constraint_of_pair(0), end);
}

static void what_parts_at_rest_touches_again_where_it_is_back(void **state)
{
    (void)state;
    CHECK_NEAR(touch_again(parts_at_rest, 1), 0.4, 1e-14);
    CHECK_NEAR(touch_again(parts_at_rest, 0.3), CAROM_NEVER, 0);
    CHECK_NEAR(touch_again(parts_for_good, 1), CAROM_NEVER, 0);
    CHECK_NEAR(touch_again(stays, 1), CAROM_NEVER, 0);
}

static void a_search_ends_where_it_cannot_interpolate(void **state)
{
    (void)state;
    Hand h = { wave, 10*pi, { 0 }, 0, CAROM_ERR_NUMERIC, 0 };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    carom_search_touch(&s, carom_model_constraint_of_pair(0), 1);
    assert_int_equal(s.status, CAROM_ERR_NUMERIC);
    CHECK(s.evaluations <= 20);
    carom_search_begin(&s, &(double){ 0 }, &(double){ 1 });
    assert_int_equal(s.status, CAROM_OK);
}

// ---- separations

static double flat(double t, double *rate) { double x = t - 0.6, p = pow(x, 20); *rate = 21*p; return x*p; }
static double lifts_early(double t, double *rate) { *rate = 1; return t - 0.1; }
static double slow_where_it_parts(double t, double *rate)
{
    double x = t - 0.55;
    *rate = 3*x*x + 1e-3;
    return x*x*x + 1e-3*x;
}
static double slow_then_fast(double t, double *rate)
{
    *rate = t < 0.5 ? 1e-4 : 0.02;
    return 1e-4*(t - 0.2) + (t < 0.5 ? 0 : 0.0199*(t - 0.5));
}
static double lifts(double t, double *rate) { *rate = 1; return t - 0.55; }
static double creeps_off(double t, double *rate) { *rate = 1e-3; return 1e-3*(t - 0.55); }
static double ends_at_zero(double t, double *rate) { *rate = 1; return t - 1; }
static double held(double t, double *rate) { *rate = 0.1; return 0.1*t - 0.2; }
static double peeps(double t, double *rate) { *rate = 2*(0.6 - t); return 1e-4 - (t - 0.6)*(t - 0.6); }
static double level_from_the_start(double t, double *rate) { *rate = 1e-3; return 2e-3 + 1e-3*t; }

static void a_separation_is_told_by_speed_or_by_gap(void **state)
{
    (void)state;
    caromHysteresis least = { 1e-4, 0.01 };
    CHECK_NEAR(separation(lifts, least, 1).theta, 0.55, DBL_EPSILON);
    CHECK_NEAR(separation(lifts_early, least, 1).theta, 0.1, DBL_EPSILON);
    CHECK_NEAR(separation(slow_where_it_parts, least, 1).theta, 0.55 + 0.0395, 1e-3);  // x^3 + 1e-3 x = 1e-4
    // Slow when it parted: by its gap.
    CHECK_NEAR(separation(slow_then_fast, (caromHysteresis){ 1e-2, 0.01 }, 1).theta, 0.9985, 1e-3);
    CHECK_NEAR(separation(creeps_off, least, 1).theta, 0.65, 1e-12);   // slower than 0.01: at a gap of 1e-4
    CHECK_NEAR(separation(creeps_off, least, 0.6).theta, CAROM_NEVER, 0);
    CHECK_NEAR(separation(ends_at_zero, least, 1).theta, 1, 0);
    CHECK_NEAR(separation(held, least, 1).theta, CAROM_NEVER, 0);
    CHECK_NEAR(separation(level_from_the_start, least, 1).theta, 0.25, 0);  // already beyond: the first look tells
    CHECK_NEAR(separation(lifts, least, 0.5).theta, CAROM_NEVER, 0);
    CHECK(separation(lifts, least, 1).evaluations <= 12);
    // Between looks, by no more than the gap that holds: not told.
    CHECK_NEAR(separation(peeps, least, 1).theta, CAROM_NEVER, 0);
}

// What ends at one instant with others begins the next step within a rounding of 0, or beyond it by what was left of
// the step before, and parts there; what is slow is held; what is closed, deeper than that, is looked at.
static double starts_at;
static double leaves(double t, double *rate) { *rate = 1; return starts_at + t; }
static double creeps(double t, double *rate) { *rate = 1e-3; return starts_at + 1e-3*t; }
static double slow_at_a_look(double t, double *rate) { *rate = 1e-3; return 1e-3*(t - 0.25); }

static void a_separation_is_not_late(void **state)
{
    (void)state;
    static const double starts[] = { -1e-16, 0, 1e-16, 8.6e-12, 1e-9 };
    caromHysteresis least = { 1e-4, 0.01 };
    for (size_t i = 0; i < sizeof starts/sizeof *starts; i++) {
        starts_at = starts[i];
        CHECK_NEAR(separation(leaves, least, 1).theta, 0, 0);
        CHECK_NEAR(separation(creeps, least, 1).theta, 0.1 - 1e3*starts_at, 1e-12);
    }
    starts_at = -1e-3;
    CHECK_NEAR(separation(leaves, least, 1).theta, 1e-3, DBL_EPSILON);
    // 0 exactly at a look: that is where it parted, not the look after it.
    CHECK_NEAR(separation(slow_at_a_look, (caromHysteresis){ 0, 1e-4 }, 1).theta, 0.25, 0);
    CHECK_NEAR(separation(slow_at_a_look, (caromHysteresis){ 0, 0.01 }, 1).theta, 0.25, 0);
}

// Newton's steps go only 1/21 of the way at a root of order 21: without halving in between a hundred of them would be
// 2e-4 off.
static void a_separation_is_located_where_newton_is_slow(void **state)
{
    (void)state;
    Answer a = separation(flat, (caromHysteresis){ 0, -1 }, 1);
    CHECK_NEAR(a.theta, 0.6, 1e-7);
}

// Looks are loaded once for all pairs.
static void looks_serve_all_pairs(void **state)
{
    (void)state;
    Hand h = { held, 1, { 0 }, 0, CAROM_OK, 0 };
    caromGuard guard;
    caromMethod method;
    caromSearch s = search_of(&h, &guard, &method);
    caromHysteresis least = { 1e-4, 0.01 };
    for (int pair = 0; pair < 5; pair++) carom_search_separation(&s, carom_model_constraint_of_pair(pair), least, 1);
    assert_int_equal(h.loads, CAROM_LOOKS - 1);                        // the end of the step is there already
    carom_search_separation(&s, carom_model_constraint_of_pair(0), least, 0.5);
    assert_int_equal(h.loads, CAROM_LOOKS - 1 + CAROM_LOOKS);
    carom_search_begin(&s, &(double){ 0 }, &(double){ 1 });            // another step
    h.loads = 0;
    carom_search_separation(&s, carom_model_constraint_of_pair(0), least, 0.5);
    assert_int_equal(h.loads, CAROM_LOOKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_several_touches_is_told),
        cmocka_unit_test(a_graze_is_found_and_a_miss_is_certain),
        cmocka_unit_test(a_touch_is_located_behind_a_kink),
        cmocka_unit_test(only_what_comes_before_the_end_is_told),
        cmocka_unit_test(what_hovers_counts_as_touching),
        cmocka_unit_test(what_overlaps_at_the_start_is_told_by_where_it_goes),
        cmocka_unit_test(what_parts_from_less_than_is_known_does_not_touch),
        cmocka_unit_test(a_deep_rebound_is_looked_at_early),
        cmocka_unit_test(what_parts_at_rest_touches_again_where_it_is_back),
        cmocka_unit_test(a_search_ends_where_it_cannot_interpolate),
        cmocka_unit_test(a_separation_is_told_by_speed_or_by_gap),
        cmocka_unit_test(a_separation_is_not_late),
        cmocka_unit_test(a_separation_is_located_where_newton_is_slow),
        cmocka_unit_test(looks_serve_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
