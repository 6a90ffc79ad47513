// Linear complementarity: against its own conditions, against all supports, and on sliding contacts of random
// mechanisms.
#include "math/lcp.h"
#include "stay_fixture.h"

enum { MOST = 40 };

static caromLcpAnswer lemke(int n, const double *M, const double *q, double *z)
{
    static double table[MOST*(MOST + 2)];
    static int names[2*MOST + 2];
    return carom_lcp_lemke(n, M, q, z, table, names);
}

// Largest violation, each relative to what it is a sum of.
static double residual(int n, const double *M, const double *q, const double *z)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, z[i]);
    for (int i = 0; i < n; i++) {
        double w = q[i], size = fabs(q[i]);
        for (int j = 0; j < n; j++) w += M[i*n + j]*z[j], size += fabs(M[i*n + j]*z[j]);
        worst = fmax(worst, fmax(z[i] < 0, -w/size));
        if (z[i] > 1e-9*largest) worst = fmax(worst, fabs(w)/size);
    }
    return worst;
}

static void closed_forms(void **state)
{
    (void)state;
    double z[2];
    assert_int_equal(lemke(2, (double[]){ 2, 1, 1, 2 }, (double[]){ -5, -6 }, z), CAROM_LCP_SOLVED);
    CHECK_NEAR(z[0], 4.0/3, 4e-16);
    CHECK_NEAR(z[1], 7.0/3, 8e-16);
    assert_int_equal(lemke(2, (double[]){ 2, 1, 1, 2 }, (double[]){ -1, 3 }, z), CAROM_LCP_SOLVED);
    CHECK_NEAR(z[0], 0.5, 0);
    CHECK_NEAR(z[1], 0, 0);
    assert_int_equal(lemke(1, (double[]){ 3 }, (double[]){ 2 }, z), CAROM_LCP_SOLVED);
    CHECK_NEAR(z[0], 0, 0);
    // Painleve: nothing is consistent.
    assert_int_equal(lemke(1, (double[]){ -1 }, (double[]){ -1 }, z), CAROM_LCP_RAY);
    CHECK_NEAR(z[0], 0, 0);
}

static void all_solutions_of_small_problems(void **state)
{
    (void)state;
    caromLcpSolutions all;
    carom_lcp_enumerate(1, (double[]){ -1 }, (double[]){ -1 }, 1e-10, &all);
    assert_int_equal(all.count, 0);
    carom_lcp_enumerate(1, (double[]){ -1 }, (double[]){ 1 }, 1e-10, &all);
    assert_int_equal(all.count, 2);
    CHECK_NEAR(all.z[0][0], 0, 0);
    CHECK_NEAR(all.z[1][0], 1, 0);
    carom_lcp_enumerate(2, (double[]){ 1, 2, 2, 1 }, (double[]){ -1, -1 }, 1e-10, &all);  // either alone, or both
    assert_int_equal(all.count, 3);
}

static void positive_definite_problems(void **state)
{
    (void)state;
    static double A[MOST*MOST], M[MOST*MOST], q[MOST], z[MOST];
    Random r = { 7 };
    for (int k = 0; k < 300; k++) {
        int n = 1 + (int)random_uniform(&r, 0, MOST);
        for (int i = 0; i < n*n; i++) A[i] = random_uniform(&r, -1, 1);
        for (int i = 0; i < n; i++) {
            q[i] = random_uniform(&r, -1, 1);
            for (int j = 0; j < n; j++) {
                double skew = A[i*n + j] - A[j*n + i];
                M[i*n + j] = (i == j) + skew;
                for (int l = 0; l < n; l++) M[i*n + j] += A[i*n + l]*A[j*n + l];
            }
        }
        assert_int_equal(lemke(n, M, q, z), CAROM_LCP_SOLVED);
        CHECK(residual(n, M, q, z) <= 1e-12);  // some n pivots, condition about n^2
    }
}

// A tower of equal weights, and a table: ties at every pivot.
static void ties_do_not_cycle(void **state)
{
    (void)state;
    double M[MOST*MOST], q[MOST], z[MOST];
    for (int i = 0; i < MOST; i++) {
        q[i] = i ? 0 : -1;
        for (int j = 0; j < MOST; j++) M[i*MOST + j] = i == j ? (i ? 2 : 1) : i - j == 1 || j - i == 1 ? -1 : 0;
    }
    assert_int_equal(lemke(MOST, M, q, z), CAROM_LCP_SOLVED);
    for (int i = 0; i < MOST; i++) CHECK_NEAR(z[i], MOST - i, 1e-11);
    for (int i = 0; i < 4; i++) {
        q[i] = -1;
        for (int j = 0; j < 4; j++)
            M[i*4 + j] = 1 + (i & 1 ? 1 : -1)*(j & 1 ? 1 : -1) + (i & 2 ? 1 : -1)*(j & 2 ? 1 : -1) + (i == j)*1e-9;
    }
    assert_int_equal(lemke(4, M, q, z), CAROM_LCP_SOLVED);
    for (int i = 0; i < 4; i++) CHECK_NEAR(z[i], 0.25, 1e-6);
}

static double minor(int n, const double *M, unsigned rows)
{
    double A[16], det = 1;
    int at[4], k = 0;
    for (int i = 0; i < n; i++)
        if (rows >> i & 1) at[k++] = i;
    for (int i = 0; i < k*k; i++) A[i] = M[at[i/k]*n + at[i%k]];
    for (int c = 0; c < k; c++) {
        det *= A[c*k + c];
        for (int i = c + 1; i < k; i++)
            for (int j = k - 1; j >= c; j--) A[i*k + j] -= A[i*k + c]/A[c*k + c]*A[c*k + j];
    }
    return det;
}

// 2-4 contacts anywhere on one body, sliding anywhere, W = J_n M^-1 (J_n - mu s J_t)^T; pushed at random.
static int sliding_contacts(Random *r, double mu, double *W, double *q)
{
    static StayScene s;
    memset(&s, 0, sizeof s);
    int n = 2 + (int)random_uniform(r, 0, 3);
    StayBody *body = stay_body(&s, 1, random_uniform(r, 0.05, 0.5), random_uniform(r, 0.05, 0.5),
                               random_uniform(r, 0.05, 0.5), 0, 0, 0);
    for (int c = 0; c < 3; c++) body->force[c] = random_uniform(r, -10, 10), body->torque[c] = random_uniform(r, -3, 3);
    for (int i = 0; i < n; i++) {
        double p[3], normal[3], along[3];
        for (int c = 0; c < 3; c++)
            p[c] = random_uniform(r, -1, 1), normal[c] = random_uniform(r, -1, 1), along[c] = random_uniform(r, -1, 1);
        stay_contact(&s, -1, 0, p, normal, along, mu);
    }
    stay_build(&s);
    for (int i = 0; i < n; i++) {
        q[i] = s.bias[3*i];
        for (int j = 0; j < n; j++) W[i*n + j] = s.G[3*i*3*n + 3*j] - mu*s.G[3*i*3*n + 3*j + 1];  // slips along t1
    }
    return n;
}

static void sliding_contacts_find_their_forces(void **state)
{
    (void)state;
    const double mu[6] = { 0, 0.1, 0.3, 0.6, 1, 2 }, least[6] = { 1, 1, 1, 0.998, 0.995, 0.977 };
    Random r = { 99 };
    for (int k = 0; k < 6; k++) {
        int regular = 0, none = 0, one = 0, several = 0, found = 0;
        for (int trial = 0; trial < 1500; trial++) {
            double W[16], q[4], z[4];
            bool is_P = true;
            int n = sliding_contacts(&r, mu[k], W, q);
            caromLcpSolutions all;
            carom_lcp_enumerate(n, W, q, 1e-11, &all);
            for (unsigned rows = 1; rows < 1u << n; rows++) is_P = is_P && minor(n, W, rows) > 0;
            regular += is_P, none += all.count == 0, one += all.count == 1, several += all.count > 1;
            if (lemke(n, W, q, z) == CAROM_LCP_SOLVED && residual(n, W, q, z) <= 1e-9) {
                CHECK(all.count > 0);
                found++;
            }
        }
        print_message("mu %.1f: P %.1f %%, none %.2f, one %.2f, several %.2f %%; found %.2f %% of those that exist\n",
                      mu[k], regular/15.0, none/15.0, one/15.0, several/15.0, 100.0*found/(one + several));
        CHECK(found >= least[k]*(one + several));
        if (k == 0) CHECK(none == 0 && several == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(all_solutions_of_small_problems),
        cmocka_unit_test(positive_definite_problems),
        cmocka_unit_test(ties_do_not_cycle),
        cmocka_unit_test(sliding_contacts_find_their_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
