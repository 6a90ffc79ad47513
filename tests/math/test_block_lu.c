// Sparse block factors against the dense ones, on random patterns and on those of bodies in contact.
#include "math/block_lu.h"

#include <float.h>

#include "check.h"
#include "math/lu.h"

enum { NODES = 24, ROWS = 150 };

typedef struct System {
    caromBlocks A;
    caromBlockLu lu;
    double dense[ROWS*ROWS], scale[ROWS], b[ROWS], x[ROWS], y[ROWS];
    int pivot[ROWS], m;
} System;

static int random_int(Random *r, int count)
{
    return (int)random_uniform(r, 0, count);
}

static void fill(System *s, Random *r)
{
    s->m = s->A.start[s->A.n];
    for (size_t i = 0; i < s->A.at[s->A.row[s->A.n]]; i++) s->A.value[i] = random_uniform(r, -1, 1);
    for (int i = 0; i < s->m; i++) s->b[i] = random_uniform(r, -1, 1);
}

// 1 - scale A.
static void spread(System *s, double scale)
{
    int m = s->m;
    memset(s->dense, 0, sizeof s->dense);
    for (int i = 0; i < s->A.n; i++) {
        for (int k = s->A.row[i]; k < s->A.row[i + 1]; k++) {
            int j = s->A.column[k], rows = carom_blocks_size(&s->A, i), columns = carom_blocks_size(&s->A, j);
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < columns; c++)
                    s->dense[(s->A.start[i] + r)*m + s->A.start[j] +
                             c] = -scale*s->A.value[s->A.at[k] + (size_t)(r*columns + c)];
            }
        }
    }
    for (int i = 0; i < m; i++) s->dense[i*m + i] += 1.0;
}

// Largest |(1 - scale A) x - b| over the sizes of the sums.
static double backward_error(System *s, double scale)
{
    double worst = 0;
    spread(s, scale);
    for (int i = 0; i < s->m; i++) {
        double sum = -s->b[i], size = fabs(s->b[i]);
        for (int j = 0; j < s->m; j++) {
            sum += s->dense[i*s->m + j]*s->x[j];
            size += fabs(s->dense[i*s->m + j]*s->x[j]);
        }
        worst = fmax(worst, fabs(sum)/size);
    }
    return worst;
}

static void check_solution(System *s, double scale)
{
    assert_true(carom_block_lu_factor(&s->lu, &s->A, scale));
    memcpy(s->x, s->b, sizeof s->x);
    carom_block_lu_solve(&s->lu, s->x);
    // Each of the m^2 products of a row is rounded a few times; growth by elimination without pivots between blocks is
    // 10 here, where blocks on the diagonal dominate.
    CHECK(backward_error(s, scale) <= 100*s->m*DBL_EPSILON);
    memcpy(s->y, s->b, sizeof s->y);
    assert_true(carom_lu_factor(s->m, s->dense, s->pivot, s->scale));
    carom_lu_solve(s->m, s->dense, s->pivot, s->y);
    for (int i = 0; i < s->m; i++) CHECK_NEAR(s->x[i], s->y[i], 1e-10);
}

static void random_patterns_are_solved_as_dense_ones(void **state)
{
    (void)state;
    Random r = { 7 };
    System *s = calloc(1, sizeof *s);
    for (int trial = 0; trial < 200; trial++) {
        int n = 1 + random_int(&r, NODES), size[NODES], count = random_int(&r, 3*n);
        caromBlockPlace places[3*NODES];
        for (int i = 0; i < n; i++) size[i] = random_int(&r, 7);
        for (int k = 0; k < count; k++) places[k] = (caromBlockPlace){ random_int(&r, n), random_int(&r, n) };
        assert_true(carom_blocks_shape(&s->A, n, size, count, places));
        assert_true(carom_block_lu_analyse(&s->lu, &s->A));
        fill(s, &r);
        check_solution(s, 0.02);
        check_solution(s, 0.01);  // the same pattern again
    }
    carom_blocks_free(&s->A);
    carom_block_lu_free(&s->lu);
    free(s);
}

// q_i knows v_i only, v_i all q and v that it touches: eliminating q must not tie those together that touch the same
// one.
static void a_chain_of_bodies_has_no_fill(void **state)
{
    (void)state;
    enum { BODIES = 10 };
    Random r = { 11 };
    System *s = calloc(1, sizeof *s);
    int size[2*BODIES], count = 0;
    caromBlockPlace places[8*BODIES];
    for (int i = 0; i < BODIES; i++) {
        size[i] = 7;
        size[BODIES + i] = 6;
        places[count++] = (caromBlockPlace){ i, BODIES + i };
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < BODIES; j++) {
            places[count++] = (caromBlockPlace){ BODIES + i, j };
            places[count++] = (caromBlockPlace){ BODIES + i, BODIES + j };
        }
    }
    assert_true(carom_blocks_shape(&s->A, 2*BODIES, size, count, places));
    assert_true(carom_block_lu_analyse(&s->lu, &s->A));
    assert_int_equal(s->lu.factors.row[2*BODIES], s->A.row[2*BODIES]);
    fill(s, &r);
    check_solution(s, 0.02);
    carom_blocks_free(&s->A);
    carom_block_lu_free(&s->lu);
    free(s);
}

// A ring of n needs n - 3 pairs of blocks more than it has, in any order; a bad one far more.
static void a_ring_has_the_least_fill(void **state)
{
    (void)state;
    enum { N = 12 };
    caromBlocks A = { 0 };
    caromBlockLu lu = { 0 };
    int size[N];
    caromBlockPlace places[2*N];
    for (int i = 0; i < N; i++) {
        size[i] = 2;
        places[2*i] = (caromBlockPlace){ i, (i + 1)%N };
        places[2*i + 1] = (caromBlockPlace){ (i + 1)%N, i };
    }
    assert_true(carom_blocks_shape(&A, N, size, 2*N, places));
    assert_true(carom_block_lu_analyse(&lu, &A));
    assert_int_equal(A.row[N], 3*N);
    assert_int_equal(lu.factors.row[N], 3*N + 2*(N - 3));
    carom_blocks_free(&A);
    carom_block_lu_free(&lu);
}

static void pivots_inside_a_block_are_found(void **state)
{
    (void)state;
    System *s = calloc(1, sizeof *s);
    int size[1] = { 2 };
    assert_true(carom_blocks_shape(&s->A, 1, size, 0, NULL));
    assert_true(carom_block_lu_analyse(&s->lu, &s->A));
    const double A[4] = { 1, -2, -4, 1 };  // 1 - A = { 0, 2; 4, 0 }
    memcpy(s->A.value, A, sizeof A);
    assert_true(carom_block_lu_factor(&s->lu, &s->A, 1.0));
    double x[2] = { 6, 20 };
    carom_block_lu_solve(&s->lu, x);
    CHECK_NEAR(x[0], 5, 0);
    CHECK_NEAR(x[1], 3, 0);
    const double singular[4] = { 0, -1, -1, 0 };  // 1 - A = { 1, 1; 1, 1 }
    memcpy(s->A.value, singular, sizeof singular);
    assert_false(carom_block_lu_factor(&s->lu, &s->A, 1.0));
    s->A.value[0] = (double)NAN;
    assert_false(carom_block_lu_factor(&s->lu, &s->A, 1.0));
    carom_blocks_free(&s->A);
    carom_block_lu_free(&s->lu);
    free(s);
}

static void products_are_those_of_the_dense_matrix(void **state)
{
    (void)state;
    Random r = { 5 };
    System *s = calloc(1, sizeof *s);
    int size[4] = { 3, 1, 0, 4 };
    caromBlockPlace places[5] = { { 0, 1 }, { 3, 0 }, { 1, 3 }, { 0, 1 }, { 2, 2 } };
    assert_true(carom_blocks_shape(&s->A, 4, size, 5, places));
    assert_int_equal(s->A.row[4], 7);
    assert_non_null(carom_blocks_find(&s->A, 3, 0));
    assert_null(carom_blocks_find(&s->A, 0, 3));
    fill(s, &r);
    spread(s, -1.0);
    carom_blocks_times(&s->A, s->b, s->x);
    for (int i = 0; i < s->m; i++) {
        double sum = -s->b[i];
        for (int j = 0; j < s->m; j++) sum += s->dense[i*s->m + j]*s->b[j];
        CHECK_NEAR(s->x[i], sum, 20*DBL_EPSILON);
    }
    carom_blocks_free(&s->A);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_patterns_are_solved_as_dense_ones),
        cmocka_unit_test(a_chain_of_bodies_has_no_fill),
        cmocka_unit_test(a_ring_has_the_least_fill),
        cmocka_unit_test(pivots_inside_a_block_are_found),
        cmocka_unit_test(products_are_those_of_the_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
