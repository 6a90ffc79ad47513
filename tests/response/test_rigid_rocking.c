// The rigid response: blocks that rock, and boxes that land nearly flat, come to rest.
#include <time.h>

#include "rigid_run.h"

// ---- the rocking block [Housner63]: half-width b, half-height h, R^2 = b^2 + h^2, tan alpha = b/h, starts at
// rest at the angle alpha/2
//
// On one edge theta'' = -p^2 sin(alpha - theta), p^2 = 3 g/(4 R); at each impact the rate falls by r = 1 - 3/2 sin^2
// alpha (restitution 0, and friction enough). So an impact at rate w- is followed by the next after 2 T(r w-), T by
// quadrature: all instants are sums of integrals. They converge to the time of rest.

typedef struct Block { double b, h; } Block;

static double alpha_of(Block k) { return atan(k.b/k.h); }
static double p2_of(Block k) { return 0.75*g/hypot(k.b, k.h); }
static double ratio_of(Block k) { return 1 - 1.5*pow(sin(alpha_of(k)), 2); }

// From rest at the angle `most` down to 0. theta = most (1 - u^2): the integrand is smooth; 20 points of Gauss-Legendre
// are exact to rounding here.
static double fall_time(Block k, double most)
{
    static const double x[10] = {
        0.0765265211334973338, 0.2277858511416450781, 0.3737060887154195607, 0.5108670019508270980,
        0.6360536807265150255, 0.7463319064601507926, 0.8391169718222188234, 0.9122344282513259059,
        0.9639719272779137913, 0.9931285991850949248
    };
    static const double weight[10] = {
        0.1527533871307258507, 0.1491729864726037467, 0.1420961093183820513, 0.1316886384491766269,
        0.1181945319615184174, 0.1019301198172404351, 0.0832767415767047487, 0.0626720483341090636,
        0.0406014298003869413, 0.0176140071391521183
    };
    double sum = 0, a = alpha_of(k), p2 = p2_of(k);
    for (int i = 0; i < 20; i++) {
        double u = 0.5 + (i < 10 ? 0.5 : -0.5)*x[i % 10], s = 0.5*most*u*u;
        sum += 0.5*weight[i % 10]*2*most*u/sqrt(4*p2*sin(s)*sin(a - most + s));
    }
    return sum;
}

static double rate_from(Block k, double most)  // at angle 0, w^2 = 2 p^2 (cos(alpha - most) - cos alpha)
{
    return sqrt(4*p2_of(k)*sin(0.5*most)*sin(alpha_of(k) - 0.5*most));
}

// Where it comes to with the rate w: sin(m/2) sin(alpha - m/2) = w^2/(4 p^2), by iteration.
static double angle_to(Block k, double w)
{
    double target = w*w/(4*p2_of(k)), m = 0;
    for (int i = 0; i < 100; i++) m = 2*asin(target/sin(alpha_of(k) - 0.5*m));
    return m;
}

typedef struct Rocking { double first, rate, rest; } Rocking;

static Rocking rocking_of(Block k)
{
    double w = rate_from(k, 0.5*alpha_of(k)), r = ratio_of(k);
    Rocking out = { fall_time(k, 0.5*alpha_of(k)), w, 0 };
    out.rest = out.first;
    while (w > 1e-9) {
        w *= r;
        out.rest += 2*fall_time(k, angle_to(k, w));
    }
    out.rest += 2*r*w/(p2_of(k)*sin(alpha_of(k))*(1 - r));
    return out;
}

static Watch *run_block(Block k, const char *tolerance, void (*each)(Watch *w, const caromSample *s))
{
    double a = 0.5*alpha_of(k);
    char text[1000];
    snprintf(text, sizeof text,
             STUFF("0", "1") "contact: {response: rigid, friction_law: bristle}\n"
             "bodies:\n" FLOOR "  block: {material: stuff, mass: 1 kg, shape: {box: {size: [%.17g, 0.4, %.17g]}}, "
             "position: [0, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}}\n"
             "simulate: {until: 10 s, every: 0.1}\n", 2*k.b, 2*k.h, k.h*cos(a) + k.b*sin(a), a);
    return run_text(text, (const char *const[]){ tolerance, NULL }, each, NULL);
}

static void published_numbers_are_met(void **state)
{
    (void)state;
    Rocking slim = rocking_of((Block){ 0.1, 0.5 }), squat = rocking_of((Block){ 0.3, 0.5 });
    CHECK_NEAR(slim.first, 0.347093587, 1e-9);
    CHECK_NEAR(slim.rate, 0.648049012, 1e-9);
    CHECK_NEAR(slim.rest, 8.654245758, 1e-9);
    CHECK_NEAR(squat.first, 0.373947170, 1e-9);
    CHECK_NEAR(squat.rate, 1.637259979, 1e-9);
    CHECK_NEAR(squat.rest, 1.178082443, 1e-9);
}

static void impacts_are_those_of_housner(void **state)
{
    (void)state;
    static const Block blocks[] = { { 0.1, 0.5 }, { 0.3, 0.5 } };
    for (int k = 0; k < 2; k++) {
        Rocking exact = rocking_of(blocks[k]);
        Watch *w = run_block(blocks[k], "simulate.tolerance=1e-11", NULL);
        CHECK_NEAR(time_of(w, CAROM_EVENT_IMPACT), exact.first, 1e-9);
        double speed = 2*blocks[k].b*exact.rate, last = 0;
        int n = 0;
        for (int i = 0; i < w->record.nevent && n < 10; i++) {
            const caromEvent *e = &w->record.events[i];
            if (e->kind != CAROM_EVENT_IMPACT || e->time == last) continue;  // two corners at once
            CHECK_NEAR(e->impact.speed, speed, 1e-9*speed);
            speed *= ratio_of(blocks[k]);
            last = e->time;
            n++;
        }
        assert_int_equal(n, 10);
        free(w);
    }
}

static void see_standing(Watch *w, const caromSample *s)
{
    if (s->time < 9) return;
    CHECK(s->ncontact == 1);
    CHECK_NEAR(s->contacts[0].fn, g, 1e-12*g);
    CHECK(s->energy.kinetic < 1e-20);
    w->turns++;
}

// Instants of impacts at a speed v are known as well as gaps over v; the bounces that are left are summed up when
// they are as high as the tolerance says. So the time of rest gets better with the tolerance until gaps are
// rounding: about 1e-16 m over the last speed 2e-6 m/s, 1/(1 - r) times for those before, and both edges: some
// 1e-8 s for the slim block.
static void rest_is_found_the_better_the_tighter_the_tolerance(void **state)
{
    (void)state;
    static const Block blocks[] = { { 0.1, 0.5 }, { 0.3, 0.5 } };
    static const char *const tolerances[] = { "simulate.tolerance=1e-6", "simulate.tolerance=1e-8",
                                              "simulate.tolerance=1e-10", "simulate.tolerance=1e-12" };
    static const double off[2][4] = { { 1e-3, 1e-5, 1e-7, 1e-7 }, { 1e-4, 1e-6, 1e-8, 1e-8 } };
    for (int k = 0; k < 2; k++) {
        Rocking exact = rocking_of(blocks[k]);
        for (int i = 0; i < 4; i++) {
            Watch *w = run_block(blocks[k], tolerances[i], see_standing);
            CHECK_NEAR(last_time_of(w, CAROM_EVENT_LAND), exact.rest, off[k][i]);
            CHECK(w->turns > 5 && w->record.nevent < 1000);
            free(w);
        }
    }
}

// ---- boxes that land nearly flat

static const char tilted[] = STUFF("0.5", "0.3")
                             "contact: {response: rigid}\n"
                             "bodies:\n" FLOOR "  box: {material: stuff, mass: 1 kg, shape: {box: {size: [1, 0.6, "
                             "0.4]}}, position: [0, 0, 0.3], orientation: {angles: [1e-3 deg, 2e-3 deg, 0]}}\n"
                             "simulate: {until: 8 s, tolerance: 1e-8, every: 0.5}\n";

static void see_box(Watch *w, const caromSample *s)
{
    Falls *falls = (Falls *)(uintptr_t)w->context;
    follow_energy(falls, s);
    if (s->time < 7.9) return;
    w->value[0] = s->ncontact > 0 ? s->contacts[0].fn : 0;
    w->value[1] = s->X_WB[1].p.z;
    w->value[2] = s->energy.kinetic;
    w->turns++;
}

// Corners bounce to rest one after the other and together: always to an end.
static void boxes_that_fall_nearly_flat_lie_still(void **state)
{
    (void)state;
    static const char *const restitutions[] = { "pairs.0.restitution=0", "pairs.0.restitution=0.2",
                                                "pairs.0.restitution=0.5", "pairs.0.restitution=0.8" };
    static const char *const tilts[] = {
        "bodies.box.orientation.angles=[1e-6 deg, 0, 0]", "bodies.box.orientation.angles=[1e-3 deg, 2e-3 deg, 0]",
        "bodies.box.orientation.angles=[0.1 deg, 0.3 deg, 0]", "bodies.box.orientation.angles=[2 deg, -3 deg, 10 deg]"
    };
    static const char *const laws[] = { "contact.friction_law=smooth", "contact.friction_law=bristle" };
    for (int i = 0; i < 32; i++) {
        Falls falls = { 0 };
        Watch *w = run_text(tilted, (const char *const[]){ restitutions[i % 4], tilts[i/4 % 4], laws[i/16], NULL },
                            see_box, &falls);
        bool lies = w->turns > 0 && w->value[2] < 1e-15 && fabs(w->value[0] - g) < 1e-6;
        if (!lies) fail_msg("%s, %s, %s: fn %g kinetic %g z %g", restitutions[i % 4], tilts[i/4 % 4], laws[i/16],
                            w->value[0], w->value[2], w->value[1]);
        CHECK_NEAR(w->value[1], 0.2, 1e-10);
        CHECK(falls.worst < 1e-7*g);
        CHECK(w->record.nevent < 20000);
        free(w);
    }
}

// Processor time of a domino that rocks, with others that rest beside it [s].
static double cost_beside(int resting)
{
    char text[4000];
    int n = snprintf(text, sizeof text,
                     STUFF("0.3", "0.6") "contact: {response: rigid, friction_law: bristle}\nbodies:\n" FLOOR
                     "  rocks: {material: stuff, shape: {box: {size: [7 mm, 24 mm, 48 mm]}}, position: [0, 0, 24 mm], "
                     "angular_velocity: [0, 3, 0]}\n");
    for (int i = 0; i < resting; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  d%d: {material: stuff, shape: {box: {size: "
                      "[7 mm, 24 mm, 48 mm]}}, position: [%d mm, 0, 24 mm]}\n", i, 40 + 20*i);
    snprintf(text + n, sizeof text - (size_t)n, "simulate: {until: 1.5 s, every: 0.1}\n");
    clock_t before = clock();
    Watch *w = run_text(text, NULL, NULL, NULL);
    double cost = (double)(clock() - before)/CLOCKS_PER_SEC;
    CHECK(count_of(w, CAROM_EVENT_IMPACT) > 500);
    free(w);
    return cost;
}

// Each impact of the one stopped the step of all: that took a hundred times as long as the one alone.
static void what_rests_beside_costs_nothing(void **state)
{
    (void)state;
    double alone = cost_beside(0), beside = cost_beside(19);
    print_message("    %.2f s alone, %.2f s beside 19 that rest\n", alone, beside);
    CHECK(beside < 10*alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_are_met),
        cmocka_unit_test(impacts_are_those_of_housner),
        cmocka_unit_test(rest_is_found_the_better_the_tighter_the_tolerance),
        cmocka_unit_test(boxes_that_fall_nearly_flat_lie_still),
        cmocka_unit_test(what_rests_beside_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
