// Complementarity with friction: its conditions, in random problems of bodies with few degrees of freedom (G singular),
// and what symmetry and renumbering ask for.
#include "check.h"
#include "math/cone.h"

#define MAX 8

typedef struct Problem {
    int n;
    double G[9*MAX*MAX], b[3*MAX], mu[MAX], p[3*MAX], u[3*MAX];
} Problem;

// G = J J^T, b = J x: nv degrees of freedom of unit mass.
static void random_problem(Random *random, Problem *a, int n, int nv, double mu_max)
{
    double J[3*MAX][12], x[12];
    a->n = n;
    for (int k = 0; k < nv; k++) x[k] = random_uniform(random, -1, 1);
    for (int i = 0; i < 3*n; i++) {
        a->b[i] = a->p[i] = 0;
        for (int k = 0; k < nv; k++) a->b[i] += x[k]*(J[i][k] = random_uniform(random, -1, 1));
    }
    for (int i = 0; i < 3*n; i++) {
        for (int j = 0; j < 3*n; j++) {
            a->G[i*3*n + j] = 0;
            for (int k = 0; k < nv; k++) a->G[i*3*n + j] += J[i][k]*J[j][k];
        }
    }
    for (int i = 0; i < n; i++) a->mu[i] = random_uniform(random, 0, mu_max);
}

static caromConeAnswer solve(Problem *a, caromConeWork *work)
{
    caromCone cone = { .n = a->n, .G = a->G, .b = a->b, .mu = a->mu };
    return carom_cone_solve(&cone, a->p, a->u, work);
}

// Written anew, not as the solver has it. u and p of order 1.
static void check_conditions(const Problem *a, double tolerance)
{
    for (int i = 0; i < a->n; i++) {
        const double *p = a->p + 3*i, *u = a->u + 3*i;
        double pt = hypot(p[1], p[2]), ut = hypot(u[1], u[2]), cross = p[1]*u[2] - p[2]*u[1],
               dot = p[1]*u[1] + p[2]*u[2];
        CHECK(p[0] >= 0 && u[0] >= -tolerance);
        CHECK_NEAR(p[0]*u[0], 0, tolerance*(1 + p[0]));
        CHECK(pt <= a->mu[i]*p[0]*(1 + 1e-14));
        CHECK_NEAR((a->mu[i]*p[0] - pt)*ut, 0, tolerance*(1 + p[0]));
        CHECK(dot <= tolerance*(1 + p[0]));
        if (p[0] > 1e-3) CHECK_NEAR(cross, 0, tolerance*(1 + p[0]));
    }
}

static void conditions_hold_in_random_problems(void **state)
{
    (void)state;
    Random random = { 11 };
    caromConeWork *work = carom_cone_alloc(MAX);
    int failed = 0, total = 0, steps = 0;
    for (int k = 0; k < 4000; k++) {
        Problem a;
        int n = 1 + (int)random_uniform(&random, 0, 6);
        random_problem(&random, &a, n, 2 + (int)random_uniform(&random, 0, 10), k%4 ? 1 : 0);
        caromConeAnswer answer = solve(&a, work);
        total++;
        steps += answer.iterations;
        if (!answer.solved) {
            failed++;
            continue;
        }
        check_conditions(&a, 1e-9);
    }
    print_message("%d of %d not solved, %.1f steps\n", failed, total, (double)steps/total);
    CHECK(failed <= total/1000);
    carom_cone_free(work);
}

// Contacts in another order: u is the same where it is unique; where friction leaves a choice the steps are the same
// but for rounding, so that is nearly always.
static void numbering_does_not_matter(void **state)
{
    (void)state;
    Random random = { 5 };
    caromConeWork *work = carom_cone_alloc(MAX);
    int differ = 0, total = 2000;
    for (int k = 0; k < total; k++) {
        Problem a, b;
        int n = 2 + (int)random_uniform(&random, 0, 5), m = 3*n;
        random_problem(&random, &a, n, 3 + (int)random_uniform(&random, 0, 9), k%2 ? 1 : 0);
        b = a;
        for (int i = 0; i < m; i++) {
            int from = 3*(n - 1 - i/3) + i%3;   // backwards
            b.b[i] = a.b[from];
            b.mu[i/3] = a.mu[from/3];
            for (int j = 0; j < m; j++) b.G[i*m + j] = a.G[from*m + 3*(n - 1 - j/3) + j%3];
        }
        solve(&a, work);
        solve(&b, work);
        double off = 0;
        for (int i = 0; i < m; i++) off = fmax(off, fabs(b.u[i] - a.u[3*(n - 1 - i/3) + i%3]));
        if (off > 1e-9) differ++;
        if (k%2 == 0) CHECK_NEAR(off, 0, 1e-11);   // without friction u is unique
    }
    print_message("%d of %d depend on the numbering\n", differ, total);
    CHECK(differ <= total/500);
    carom_cone_free(work);
}

// A table of 10 kg on legs at (+-1, +-1), centre of mass at (.3, .2), as on equal springs: lam_i = mg/4
// (1 + .3 x_i + .2 y_i).
static void four_legs_share_the_load_as_springs_do(void **state)
{
    (void)state;
    static const double x[] = { -1, 1, -1, 1 }, y[] = { -1, -1, 1, 1 };
    caromConeWork *work = carom_cone_alloc(MAX);
    for (int k = 0; k < 2; k++) {
        double G[144] = { 0 }, b[12] = { 0 }, mu[4] = { 0 }, p[12] = { 0 }, u[12], compliance[4] = { 1, 1, 1, 1 };
        for (int i = 0; i < 4; i++) {
            double xi = x[i] - .3, yi = y[i] - .2;
            b[3*i] = -9.81;
            for (int j = 0; j < 4; j++) G[36*i + 3*j] = .1 + xi*(x[j] - .3)/3 + yi*(y[j] - .2)/4;
            for (int t = 1; t < 3; t++) G[(3*i + t)*12 + 3*i + t] = .1;
            if (k) compliance[i] = 1 + i;
        }
        caromCone cone = { .n = 4, .G = G, .b = b, .mu = mu, .compliance = compliance };
        if (k) p[0] = 1000;   // a guess must not matter
        caromConeAnswer answer = carom_cone_solve(&cone, p, u, work);
        CHECK(answer.solved);
        CHECK_NEAR(p[0] + p[3] + p[6] + p[9], 98.1, 1e-11);
        CHECK_NEAR(p[3] + p[9] - p[0] - p[6], .3*98.1, 1e-11);
        CHECK_NEAR(p[6] + p[9] - p[0] - p[3], .2*98.1, 1e-11);
        // least norm: square to the one load that moves nothing, (1, -1, -1, 1), in the metric of the
        // compliances. Noise is 1e-16/eps.
        CHECK_NEAR(compliance[0]*p[0] - compliance[1]*p[3] - compliance[2]*p[6] + compliance[3]*p[9], 0, 1e-6);
        for (int i = 0; i < 4 && !k; i++) CHECK_NEAR(p[3*i], 98.1/4*(1 + .3*x[i] + .2*y[i]), 1e-6);
    }
    carom_cone_free(work);
}

// A block on one point that is pushed along: sticks below mu, slides above, in closed form.
static void one_contact_sticks_or_slides(void **state)
{
    (void)state;
    caromConeWork *work = carom_cone_alloc(1);
    for (int k = 0; k < 20; k++) {
        double G[9] = { 2, 0, 0, 0, 3, 0, 0, 0, 3 }, push = .2*k, b[3] = { -4, .6*push, .8*push }, mu = .5,
               p[3] = { 0 }, u[3];
        caromCone cone = { .n = 1, .G = G, .b = b, .mu = &mu };
        CHECK(carom_cone_solve(&cone, p, u, work).solved);
        double limit = 3*mu*2;   // p_n = 2
        CHECK_NEAR(p[0], 2, 1e-14);
        CHECK_NEAR(hypot(u[1], u[2]), fmax(0, push - limit), 1e-13);
        CHECK_NEAR(p[1]*.8 - p[2]*.6, 0, 1e-14);
    }
    carom_cone_free(work);
}

// Normal forces given, and bounds above 0.
static void given_and_bounded_normal_forces(void **state)
{
    (void)state;
    Random random = { 9 };
    caromConeWork *work = carom_cone_alloc(MAX);
    for (int k = 0; k < 500; k++) {
        Problem a;
        int n = 1 + (int)random_uniform(&random, 0, 5);
        double low[MAX];
        random_problem(&random, &a, n, 4 + (int)random_uniform(&random, 0, 8), 1);
        for (int i = 0; i < n; i++) low[i] = random_uniform(&random, 0, 1);
        caromCone cone = { .n = n, .G = a.G, .b = a.b, .mu = a.mu, .low = low, .given = k%2 };
        CHECK(carom_cone_solve(&cone, a.p, a.u, work).solved);
        for (int i = 0; i < n; i++) {
            const double *p = a.p + 3*i, *u = a.u + 3*i;
            double pt = hypot(p[1], p[2]), ut = hypot(u[1], u[2]);
            if (k%2) CHECK_NEAR(p[0], low[i], 0);
            else CHECK(p[0] >= low[i] && u[0] >= -1e-10 && fabs((p[0] - low[i])*u[0]) < 1e-10*(1 + p[0]));
            CHECK(pt <= a.mu[i]*p[0]*(1 + 1e-14));
            CHECK_NEAR((a.mu[i]*p[0] - pt)*ut, 0, 1e-9*(1 + p[0]));
            CHECK_NEAR(p[1]*u[1] + p[2]*u[2], -pt*ut, 1e-9*(1 + p[0]));
        }
    }
    carom_cone_free(work);
}

static void nothing_pushes(void **state)
{
    (void)state;
    caromConeWork *work = carom_cone_alloc(2);
    // Immovable, parting or at rest.
    double G[36] = { 0 }, b[6] = { 1, .3, 0, 0, 0, 0 }, mu[2] = { .5, .5 }, p[6] = { 0 }, u[6];
    caromCone cone = { .n = 2, .G = G, .b = b, .mu = mu };
    CHECK(carom_cone_solve(&cone, p, u, work).solved);
    for (int i = 0; i < 6; i++) CHECK(p[i] == 0 && u[i] == b[i]);
    carom_cone_free(work);
    carom_cone_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_hold_in_random_problems),
        cmocka_unit_test(numbering_does_not_matter),
        cmocka_unit_test(four_legs_share_the_load_as_springs_do),
        cmocka_unit_test(one_contact_sticks_or_slides),
        cmocka_unit_test(given_and_bounded_normal_forces),
        cmocka_unit_test(nothing_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
