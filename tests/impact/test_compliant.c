// One contact that gives way like a spring while the bodies stay where they are: half periods, slip throughout, slip
// that stops, any tangents.
#include "check.h"
#include "impact/impact.h"

static const double pi = 3.14159265358979323846, stiffness = 1e6;

static caromImpactContact contact(double e, double mu)
{
    return (caromImpactContact){ .restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1,
                                 .delta = 1e-3 };
}

// Pressed in during a quarter of a period, out again during one of the softer spring e^2 K. Steps are 1/100 of 1/omega,
// and the one in which the stiffness falls is off by half of what it would do: (1 - e^2)/200 of the speed at most; the
// last one, past the end, by half its square, 1e-4/2.
static void a_spring_swings_out_in_two_quarters(void **state)
{
    (void)state;
    static const double restitutions[] = { 1, 0.5, 0.2 }, none[3] = { 0, 0, 0 };
    const double G[9] = { 1.6, 0, 0, 0, 1, 0, 0, 0, 1 }, omega = sqrt(1.6*stiffness);
    for (int i = 0; i < 3; i++) {
        double e = restitutions[i], v[3] = { -2, 0.5, 0 }, off = 2*(1 - e*e)/200 + 1e-4;
        caromImpactContact c = contact(e, 0);
        caromImpactOutcome o;
        double time = carom_impact_compliant(&c, G, none, stiffness, v, &o);
        CHECK_NEAR(v[0], 2*e, off);
        CHECK_NEAR(v[1], 0.5, 0);
        CHECK_NEAR(o.p[0], (v[0] + 2)/1.6, 1e-12);
        CHECK_NEAR(time, 0.5*pi/omega*(1 + 1/e), 0.02*(1 + 1/e)/omega);
        CHECK_NEAR(o.compression, -0.5*4/1.6, 1e-4);
        CHECK_NEAR(o.restitution, 0.5*v[0]*v[0]/1.6, 0.01*(1 - e*e)*4/1.6 + 1e-4);
        CHECK_NEAR(o.friction, 0, 0.01*(1 - e*e)*4/1.6 + 1e-4);  // what the works along the way are off
        assert_int_equal(o.path, CAROM_SLIP_JAMS);
        assert_int_equal(o.impacts, 1);
        CHECK(isnan(o.stop));
    }
}

// What the bodies do meanwhile is theirs: with a constant acceleration a spring gives back the speed it got, v
// gets what the forces did.
static void accelerations_meanwhile_are_left_out(void **state)
{
    (void)state;
    const double G[9] = { 1.6, 0, 0, 0, 1, 0, 0, 0, 1 }, a[3] = { -400, 300, 0 };
    double v[3] = { -2, 0.5, 0 };
    caromImpactContact c = contact(1, 0);
    caromImpactOutcome o;
    double time = carom_impact_compliant(&c, G, a, stiffness, v, &o);
    CHECK_NEAR(v[0] + a[0]*time, 2, 400*0.01/sqrt(1.6*stiffness) + 1e-6);  // it may end a step late
    CHECK_NEAR(v[1], 0.5, 0);
}

// Fast slip keeps its direction: the normal sees G_nn - mu G_nt, and friction takes mu p_n.
static void slip_throughout(void **state)
{
    (void)state;
    const double G[9] = { 1.6, 0.4, 0, 0.4, 2, 0, 0, 0, 1 }, none[3] = { 0, 0, 0 }, mu = 0.3, A = 1.6 - mu*0.4;
    double v[3] = { -2, 50, 0 };
    caromImpactContact c = contact(1, mu);
    caromImpactOutcome o;
    carom_impact_compliant(&c, G, none, stiffness, v, &o);
    CHECK_NEAR(v[0], 2, 1e-5);
    CHECK_NEAR(o.p[0], 4/A, 1e-5);
    CHECK_NEAR(o.p[1], -mu*4/A, 1e-5);
    CHECK_NEAR(v[1], 50 + (0.4 - mu*2)*4/A, 1e-5);
    CHECK_NEAR(o.friction, -mu*4/A*0.5*(50 + v[1]), 1e-3);
}

// Slow slip stops and sticks, but for what is left of delta; along any tangents the same.
static void slip_stops_whatever_the_tangents(void **state)
{
    (void)state;
    const double none[3] = { 0, 0, 0 };
    double first[3] = { 0, 0, 0 };
    for (int k = 0; k < 8; k++) {
        double angle = k*pi/7, u[2] = { cos(angle), sin(angle) },
               G[9] = { 1.6, 0.3*u[0], 0.3*u[1], 0.3*u[0], 0, 0, 0.3*u[1], 0, 0 }, v[3] = { -2, 0, 0 };
        for (int i = 0; i < 2; i++) {  // 3 along u, 1 across
            v[1 + i] = 0.2*u[i] + 0.1*(i ? u[0] : -u[1]);
            for (int j = 0; j < 2; j++) G[3*(1 + i) + 1 + j] = 3*u[i]*u[j] + (i == j) - u[i]*u[j];
        }
        caromImpactContact c = contact(0.5, 0.8);
        caromImpactOutcome o;
        carom_impact_compliant(&c, G, none, stiffness, v, &o);
        double along = u[0]*v[1] + u[1]*v[2], across = u[0]*v[2] - u[1]*v[1];
        CHECK(hypot(along, across) < 1e-3);
        if (k == 0) first[0] = v[0], first[1] = along, first[2] = across;
        CHECK_NEAR(v[0], first[0], 1e-5);  // steps follow the tangents
        CHECK_NEAR(along, first[1], 1e-5);  // steps follow the tangents
        CHECK_NEAR(across, first[2], 1e-5);  // steps follow the tangents
        CHECK(o.friction < 0);
    }
}

// Steps are short against the tangent that gives way most, whichever it is: here that of a slip of 0.2 m/s, which stops
// at once, across one of 5 m/s. With steps of the other tangent it is thrown from side to side, and friction with it.
static void either_tangent_may_give_way_more(void **state)
{
    (void)state;
    const double none[3] = { 0, 0, 0 };
    for (int k = 0; k < 2; k++) {
        double G[9] = { 1, 0, 0, 0, k ? 1 : 1e4, 0, 0, 0, k ? 1e4 : 1 }, v[3] = { -2, k ? 5 : 0.2, k ? 0.2 : 5 };
        caromImpactContact c = contact(1, 0.8);
        caromImpactOutcome o;
        carom_impact_compliant(&c, G, none, stiffness, v, &o);
        CHECK_NEAR(v[0], 2, 1e-4);                     // the last step, past the end
        CHECK_NEAR(o.p[2 - k], -0.8*4, 3e-3);          // the slip is off its direction by 0.04 rad at first, 8e-4 of it
        CHECK_NEAR(v[2 - k], 5 - 0.8*4, 3e-3);
        CHECK_NEAR(v[1 + k], 0, 0.2*1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_swings_out_in_two_quarters),
        cmocka_unit_test(accelerations_meanwhile_are_left_out),
        cmocka_unit_test(slip_throughout),
        cmocka_unit_test(slip_stops_whatever_the_tangents),
        cmocka_unit_test(either_tangent_may_give_way_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
