// The sum of infinitely many bounces.
#include "stay_fixture.h"

// A ball dropped from 10 m, e = 0.8: rest at sqrt(2h/g) (1 + e)/(1 - e); with g = 9.8, sqrt(2*10/9.8) = 10/7 and rest
// at 90/7 s.
static void ball_comes_to_rest(void **state)
{
    (void)state;
    const double g = 9.8, e = 0.8, mass = 3;
    double t = sqrt(2*10/g), v = e*g*t;
    for (int bounce = 0; bounce < 20; bounce++) {
        caromLanding landing = carom_unilateral_landing(v, -g, e, 1/mass);
        CHECK_NEAR(t + landing.time, 12.857142857142857, 4e-15*bounce + 1e-14);
        // (1 + e)/2 of the weight: the momentum of the last rebound is still its own
        double mean = landing.impulse/landing.time;
        CHECK_NEAR(mean, (1 + e)/2*mass*g, 1e-14*mass*g);
        t += 2*v/g;
        v *= e;
    }
}

// Momentum: impulse to come = what stops the fall of the flight until rest, m (g T - v)... and at rest v = 0.
static void impulse_balances_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        double e = 0.05 + 0.1*k, v = 0.3 + k, a = -2 - 0.5*k, A = 0.7 + 0.1*k;
        caromLanding landing = carom_unilateral_landing(v, a, e, A);
        CHECK_NEAR(v + a*landing.time + A*landing.impulse, 0, 1e-14*(v + fabs(a)*landing.time));
    }
}

// Gravity that changes along the way, by a jerk: hop by hop the estimate errs by about C T^2, and the bound from two
// estimates is of that size.
static void error_is_of_the_size_of_the_bound(void **state)
{
    (void)state;
    const double g = 10, jerk = 0.4, e = 0.5;
    double t = 0, v = 1, previous = 0, estimates[40], bounds[40];
    for (int k = 0; k < 40; k++) {
        double a = -g + jerk*t, hop = 2*v/-a;
        for (int i = 0; i < 50; i++) hop = 2*(v + jerk*hop*hop/6)/-a;  // v hop + a hop^2/2 + jerk hop^3/6 = 0
        estimates[k] = t + carom_unilateral_landing(v, a, e, 1).time;
        bounds[k] = carom_unilateral_landing_error(e, estimates[k], previous);
        previous = estimates[k];
        v = -e*(v + a*hop + jerk*hop*hop/2);
        t += hop;
    }
    for (int k = 2; k < 12; k++) {
        double error = fabs(estimates[k] - estimates[39]);
        CHECK(error <= 1.1*bounds[k]);
        CHECK(error >= 0.3*bounds[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_comes_to_rest),
        cmocka_unit_test(impulse_balances_momentum),
        cmocka_unit_test(error_is_of_the_size_of_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
