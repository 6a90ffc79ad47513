// Stiffness from curvature, against Hertz' equations integrated without elliptic integrals, limits and published
// numbers.
#include "carom/contact.h"

#include <float.h>

#include "check.h"
#include "hertz_reference.h"

static const double pi = 3.14159265358979323846;

// The three equations of Hertz: the depth in the middle and the two curvatures that the pressure 3 F/(2 pi a b)
// sqrt(1 - (x/a)^2 - (y/b)^2) makes.
static void meets_the_equations_of_hertz(double k_min, double k_max, double tolerance)
{
    const double E_star = 7.3e10, depth = 2.1e-5;
    double a, b, F = carom_contact_hertz_stiffness(E_star, k_min, k_max)*pow(depth, 1.5);
    carom_contact_hertz_ellipse(k_min, k_max, depth, &a, &b);
    HertzAnswer x = hertz_answer(E_star, F, a, b);
    CHECK_NEAR(x.depth, depth, tolerance*depth);
    CHECK_NEAR(x.k_a, k_min, tolerance*k_min);
    CHECK_NEAR(x.k_b, k_max, tolerance*k_max);
}

static void ellipse_and_force_meet_the_equations_of_hertz(void **state)
{
    (void)state;
    const double ratio[] = { 1, 1 + 1e-12, 1 + 1e-8, 1.0001, 1.01, 1.2, 1.5, 2, 3, 7, 10, 50, 100, 1e3, 1e4, 1e5, 1e6,
                             1e7, 1e8 };
    // Roundings of some hundred terms here; there conditioning ln(a/b).
    for (int i = 0; i < 19; i++) meets_the_equations_of_hertz(20.0, 20.0*ratio[i], 1e-13);
    meets_the_equations_of_hertz(1e-4, 1e-4*31, 1e-13);
    meets_the_equations_of_hertz(1e5, 1e5*31, 1e-13);
}

// 2 pi/3 sqrt(D/A) K^-1.5 at A = 1/2 with 40 digits.
static void stiffness_has_all_its_digits(void **state)
{
    (void)state;
    static const double cases[][2] = {
        { 1.0000001, 1.3333333000000023611 }, { 1.001, 1.3330002359203023486 }, { 1.5, 1.2089268413271298267 },  { 3, 1.038490664414700841 },
        { 10, 0.83154555307433609579 },       { 100, 0.60507309258995042871 },  { 1e4, 0.39815494548967053355 }, { 1e6, 0.29919812622513265721 },
        { 1e8, 0.24041581680304395671 },
    };
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(carom_contact_hertz_stiffness(1.0, 1.0, cases[i][0]), cases[i][1], 32*DBL_EPSILON*cases[i][1]);
}

// Near equal curvatures 1 -+ x the stiffness is 4/3 (1 + x^2/3 + O(x^4)): K and E to second order in m = 8
// x/3 - 32 x^2/9 in the formula.
static void spheres_are_a_smooth_limit(void **state)
{
    (void)state;
    for (double R = 1e-6; R < 1e6; R *= 97)
        CHECK_NEAR(carom_contact_hertz_stiffness(3.0, 1/R, 1/R), 4*sqrt(R), 8*DBL_EPSILON*4*sqrt(R));
    for (double x = 1e-16; x < 0.02; x *= 1.7) {
        double K = carom_contact_hertz_stiffness(1.0, 1 - x, 1 + x);
        CHECK_NEAR(K, 4.0/3.0*(1 + x*x/3), x*x*x*x + 8*DBL_EPSILON);
    }
}

static void a_line_is_a_long_ellipse(void **state)
{
    (void)state;
    double line = carom_contact_hertz_stiffness(1.0, 0.0, 5.0);
    CHECK_NEAR(carom_contact_hertz_stiffness(1.0, -3.0, 5.0), line, 0);
    CHECK_NEAR(carom_contact_hertz_stiffness(1.0, 5e-8, 5.0), line, 1e-14*line);
    CHECK_NEAR(carom_contact_hertz_stiffness(1.0, 5.0001e-8, 5.0), line, 2e-5*line);  // continuous
    double last = line;
    for (double k = 6e-8; k <= 5.0; k *= 1.1) {
        double K = carom_contact_hertz_stiffness(1.0, k, 5.0);
        CHECK(K < last);
        last = K;
    }
    CHECK(carom_contact_hertz_stiffness(1.0, 1.0, INFINITY) == 0.0);
    CHECK(carom_contact_hertz_stiffness(1.0, INFINITY, INFINITY) == 0.0);
    CHECK(isinf(carom_contact_hertz_stiffness(1.0, 0.0, 0.0)));
}

// [TimoshenkoGoodier70, art. 140]: a = m c, b = n c, c = (3 F/(4 E* (A + B)))^(1/3), cos theta = (B - A)/(B + A).
// Worked by hand: its last digit is off by up to 2.
static void published_ellipses(void **state)
{
    (void)state;
    static const double table[][3] = {
        { 30, 2.731, 0.493 }, { 35, 2.397, 0.530 }, { 40, 2.136, 0.567 }, { 45, 1.926, 0.604 }, { 50, 1.754, 0.641 },
        { 55, 1.611, 0.678 }, { 60, 1.486, 0.717 }, { 65, 1.378, 0.759 }, { 70, 1.284, 0.802 }, { 75, 1.202, 0.846 },
        { 80, 1.128, 0.893 }, { 85, 1.061, 0.944 }, { 90, 1, 1 }
    };
    for (int i = 0; i < 13; i++) {
        double c = cos(table[i][0]*pi/180), k_min = 1 - c, k_max = 1 + c;  // A + B = 1
        double a, b, depth = pow(1/carom_contact_hertz_stiffness(0.75, k_min, k_max), 2.0/3.0);
        carom_contact_hertz_ellipse(k_min, k_max, depth, &a, &b);
        CHECK_NEAR(a, table[i][1], 2.5e-3);
        CHECK_NEAR(b, table[i][2], 2.5e-3);
    }
}

static caromCurvature curvature(double k1, double k2, double angle)
{
    return (caromCurvature){ k1, k2, carom_vec(cos(angle), sin(angle), 0) };
}

static void crossed_cylinders(void **state)
{
    (void)state;
    for (double angle = 1e-6; angle < 3.1; angle = 1.7*angle + 1e-7) {
        double k_min, k_max, s = sin(angle);
        carom_contact_relative_curvature(curvature(0, 4, 0.3), curvature(0, 4, 0.3 + angle), carom_vec(0, 0, 1), &k_min,
                                         &k_max);
        CHECK_NEAR(k_max, 4*(1 + fabs(cos(angle))), 1e-14*k_max);
        // The angle is known to a rounding.
        CHECK_NEAR(k_min, 4*s*s/(1 + fabs(cos(angle))), 1e-14*k_min + 8*DBL_EPSILON*fabs(s));
        carom_contact_relative_curvature(curvature(0, 4, 0.3), curvature(0, 9, 0.3 + angle), carom_vec(0, 0, -1),
                                         &k_min, &k_max);
        CHECK_NEAR(k_min*k_max, 36*s*s, 1e-14*k_min*k_max + 64*DBL_EPSILON*fabs(s));  // Gauss
        CHECK_NEAR(k_min + k_max, 13, 1e-14);                                         // mean
    }
}

// The tensor k1 t1 t1^T + k2 t2 t2^T of one surface.
static caromMat3 tensor(caromCurvature c, caromVec3 n)
{
    caromVec3 t2 = carom_cross(n, c.t1), columns[3];
    for (int j = 0; j < 3; j++)
        columns[j] = carom_add(carom_scale(c.k1*carom_at(c.t1, j), c.t1), carom_scale(c.k2*carom_at(t2, j), t2));
    return (caromMat3){ columns[0], columns[1], columns[2] };
}

static caromCurvature any_curvature(Random *r, caromVec3 e, caromVec3 f)
{
    double a = random_uniform(r, -1, 3), b = random_uniform(r, -1, 3), angle = random_uniform(r, 0, 7);
    return (caromCurvature){ fmin(a, b), fmax(a, b),
                             carom_add(carom_scale(cos(angle), e), carom_scale(sin(angle), f)) };
}

// Eigenvalues of the sum of the tensors, the normal lifted out of the way by a large one of its own.
static void relative_curvature_is_that_of_the_sum(void **state)
{
    (void)state;
    Random r = { 7 };
    for (int i = 0; i < 500; i++) {
        caromVec3 n = carom_unit_or(carom_vec(random_uniform(&r, -1, 1), random_uniform(&r, -1, 1),
                                              random_uniform(&r, -1, 1)), carom_vec(1, 0, 0));
        caromVec3 e = carom_unit_or(carom_cross(n, carom_vec(0.3, 0.7, -0.2)), carom_vec(0, 1, 0)),
                  f = carom_cross(n, e);
        caromCurvature a = any_curvature(&r, e, f), b = any_curvature(&r, e, f);
        caromMat3 ta = tensor(a, n), tb = tensor(b, n);
        caromMat3 sum = { carom_axpy(50*n.x, n, carom_add(ta.cx, tb.cx)),
                          carom_axpy(50*n.y, n, carom_add(ta.cy, tb.cy)),
                          carom_axpy(50*n.z, n, carom_add(ta.cz, tb.cz)) };
        caromVec3 expected = carom_geometry_principal_axes(sum, NULL);
        double k_min, k_max, k_min_swapped, k_max_swapped;
        carom_contact_relative_curvature(a, b, n, &k_min, &k_max);
        CHECK_NEAR(k_min, expected.x, 1e-12);
        CHECK_NEAR(k_max, expected.y, 1e-13);
        carom_contact_relative_curvature(b, a, carom_neg(n), &k_min_swapped, &k_max_swapped);
        CHECK_NEAR(k_min_swapped, k_min, 1e-13);
        CHECK_NEAR(k_max_swapped, k_max, 1e-14);
    }
}

// The limits of ever sharper edges.
static void edges_and_corners(void **state)
{
    (void)state;
    caromVec3 n = carom_vec(0, 0, 1);
    double k_min, k_max, sharp_min, sharp_max;
    for (int swap = 0; swap < 2; swap++) {
        caromCurvature edge = curvature(2, INFINITY, 0.2), sharp = curvature(2, 1e12, 0.2),
                       other = curvature(1, 5, 0.9);
        carom_contact_relative_curvature(swap ? other : edge, swap ? edge : other, n, &k_min, &k_max);
        carom_contact_relative_curvature(swap ? other : sharp, swap ? sharp : other, n, &sharp_min, &sharp_max);
        CHECK(isinf(k_max));
        CHECK_NEAR(k_min, sharp_min, 1e-10);
    }
    carom_contact_relative_curvature(curvature(0, INFINITY, 0.5), curvature(0, INFINITY, 0.5), n, &k_min, &k_max);
    CHECK(k_min == 0.0 && isinf(k_max));
    carom_contact_relative_curvature(curvature(0, INFINITY, 0.5), curvature(0, INFINITY, 0.6), n, &k_min, &k_max);
    CHECK(isinf(k_min) && isinf(k_max));
    carom_contact_relative_curvature(curvature(INFINITY, INFINITY, 0.5), curvature(0, 0, 0.6), n, &k_min, &k_max);
    CHECK(isinf(k_min) && isinf(k_max));
    carom_contact_relative_curvature(curvature(0, 0, 0), curvature(0, 0, 1), n, &k_min, &k_max);
    CHECK(k_min == 0.0 && k_max == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipse_and_force_meet_the_equations_of_hertz),
        cmocka_unit_test(stiffness_has_all_its_digits),
        cmocka_unit_test(spheres_are_a_smooth_limit),
        cmocka_unit_test(a_line_is_a_long_ellipse),
        cmocka_unit_test(published_ellipses),
        cmocka_unit_test(crossed_cylinders),
        cmocka_unit_test(relative_curvature_is_that_of_the_sum),
        cmocka_unit_test(edges_and_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
