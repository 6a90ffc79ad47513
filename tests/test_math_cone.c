// Complementarity with friction: its conditions, in random problems of bodies with few degrees of freedom (G singular), and what symmetry and renumbering ask for.
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
        double pt = hypot(p[1], p[2]), ut = hypot(u[1], u[2]), cross = p[1]*u[2] - p[2]*u[1], dot = p[1]*u[1] + p[2]*u[2];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_hold_in_random_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
