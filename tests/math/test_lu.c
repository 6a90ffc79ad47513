#include "math/lu.h"

#include <float.h>

#include "check.h"

enum { LARGEST = 60 };

typedef struct System {
    int n;
    double a[LARGEST*LARGEST], lu[LARGEST*LARGEST], x[LARGEST], b[LARGEST], scale[LARGEST];
    int pivot[LARGEST];
} System;

static void fill(System *s, int n, Random *r)
{
    s->n = n;
    for (int i = 0; i < n*n; i++) s->a[i] = random_uniform(r, -1, 1);
    for (int i = 0; i < n; i++) s->b[i] = random_uniform(r, -1, 1);
}

static bool solve(System *s)
{
    memcpy(s->lu, s->a, sizeof s->a);
    memcpy(s->x, s->b, sizeof s->b);
    if (!carom_lu_factor(s->n, s->lu, s->pivot, s->scale)) return false;
    carom_lu_solve(s->n, s->lu, s->pivot, s->x);
    return true;
}

// |A x - b| against |A| |x|: small for any A when the growth of the factors is small, whatever the condition of A.
static double backward_error(const System *s)
{
    double worst = 0;
    for (int i = 0; i < s->n; i++) {
        double sum = -s->b[i], size = fabs(s->b[i]);
        for (int j = 0; j < s->n; j++) {
            sum += s->a[i*s->n + j]*s->x[j];
            size += fabs(s->a[i*s->n + j]*s->x[j]);
        }
        worst = fmax(worst, fabs(sum)/size);
    }
    return worst;
}

static void random_systems_are_solved_to_rounding(void **state)
{
    (void)state;
    static System s;
    Random r = { 7 };
    for (int n = 1; n <= LARGEST; n++) {
        fill(&s, n, &r);
        CHECK(solve(&s));
        CHECK_NEAR(backward_error(&s), 0, 10*n*DBL_EPSILON);  // growth about n^(2/3) on random matrices
    }
}

static void a_zero_on_the_diagonal_is_exchanged(void **state)
{
    (void)state;
    static System s;
    s.n = 3;
    const double a[] = { 0, 2, 0, 0, 0, 4, 8, 0, 0 }, b[] = { 2, 8, 24 };
    memcpy(s.a, a, sizeof a);
    memcpy(s.b, b, sizeof b);
    CHECK(solve(&s));
    CHECK_NEAR(s.x[0], 3, 0);
    CHECK_NEAR(s.x[1], 1, 0);
    CHECK_NEAR(s.x[2], 2, 0);
}

static void units_of_a_row_do_not_change_the_solution(void **state)
{
    (void)state;
    static System s;
    Random r = { 11 };
    fill(&s, 12, &r);
    CHECK(solve(&s));
    double before[12];
    memcpy(before, s.x, sizeof before);
    for (int i = 0; i < 12; i++) {  // powers of two: no rounding, so the same pivots give the same bits
        double unit = ldexp(1, 5*(i % 7) - 15);
        for (int j = 0; j < 12; j++) s.a[i*12 + j] *= unit;
        s.b[i] *= unit;
    }
    CHECK(solve(&s));
    assert_memory_equal(before, s.x, sizeof before);
}

static void singular_and_broken_matrices_are_refused(void **state)
{
    (void)state;
    static System s;
    Random r = { 13 };
    fill(&s, 5, &r);
    for (int j = 0; j < 5; j++) s.a[3*5 + j] = 0;
    CHECK(!solve(&s));
    fill(&s, 5, &r);
    for (int i = 0; i < 5; i++) s.a[i*5 + 2] = 0;
    CHECK(!solve(&s));
    fill(&s, 5, &r);
    s.a[7] = (double)NAN;
    CHECK(!solve(&s));
    s.a[7] = HUGE_VAL;
    CHECK(!solve(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_are_solved_to_rounding),
        cmocka_unit_test(a_zero_on_the_diagonal_is_exchanged),
        cmocka_unit_test(units_of_a_row_do_not_change_the_solution),
        cmocka_unit_test(singular_and_broken_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
