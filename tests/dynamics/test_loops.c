// The public functions of dynamics.h on mechanisms with closed loops.
#include "loops.h"

enum { LOOPS = 200, N = MECHANISM_BODIES };

typedef struct Closed {
    Loop loop;
    caromModel *model, *open_model;
    caromDyn *dyn, *open;   // with the joint that closes, and without
    int n;
    double q[N], v[N], tau[N];
    caromSpatial F[N];
} Closed;

static Closed closed_begin(uint64_t seed)
{
    Closed c;
    Random r = { seed };
    memset(&c, 0, sizeof c);
    c.loop = random_loop(&r);
    c.n = c.loop.nbody;
    double speeds[N];
    for (int k = 0; k < c.n; k++) speeds[k] = k < c.loop.freedom ? random_uniform(&r, -2, 2) : (double)NAN;
    c.model = loop_model(&c.loop, c.loop.pose, speeds, false);
    c.open_model = loop_model(&c.loop, c.loop.pose, speeds, true);
    assert_int_equal(carom_dyn_create(c.model, &c.dyn, NULL), CAROM_OK);
    assert_int_equal(carom_dyn_create(c.open_model, &c.open, NULL), CAROM_OK);
    assert_int_equal(carom_dyn_start(c.dyn, c.q, c.v), CAROM_OK);
    for (int k = 0; k < c.n; k++) {
        c.tau[k] = random_uniform(&r, -3, 3);
        c.F[k] = (caromSpatial){ random_vec(&r, 3), random_vec(&r, 3) };
    }
    return c;
}

static void closed_end(Closed *c)
{
    carom_dyn_destroy(c->dyn);
    carom_dyn_destroy(c->open);
    carom_model_destroy(c->model);
    carom_model_destroy(c->open_model);
}

static double norm_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i]*x[i];
    return sqrt(sum);
}

// Speeds near a dead centre are far beyond those given; rounding grows with them.
static bool is_fair(const Closed *c)
{
    return norm_of(c->v, c->n) < 50;
}

// Along the motion with these accelerations the loop stays closed to the third order of time. And the loop does no
// work: what the open tree needs for them beyond tau has no power at speeds that the loop allows.
static void forward_keeps_loops_closed(void **state)
{
    (void)state;
    int nfair = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Closed c = closed_begin(seed);
        double dv[N], need[N], later[N], power = 0, size = 0;
        assert_int_equal(carom_dyn_forward(c.dyn, 0, c.q, c.v, c.tau, c.F, dv), CAROM_OK);
        assert_int_equal(carom_dyn_inverse(c.open, 0, c.q, c.v, dv, c.F, need), CAROM_OK);
        for (int k = 0; k < c.n; k++) {
            power += c.v[k]*(need[k] - c.tau[k]);
            size += fabs(c.v[k])*(fabs(need[k]) + fabs(c.tau[k]));
        }
        if (is_fair(&c)) {
            double rate = norm_of(c.v, c.n) + sqrt(norm_of(dv, c.n)), h = 1e-3/rate;
            for (int k = 0; k < c.n; k++) later[k] = c.q[k] + h*c.v[k] + 0.5*h*h*dv[k];
            CHECK_NEAR(loop_distance(&c.loop, c.dyn, later, c.v), 0, 100*1e-9);
            CHECK_NEAR(power, 0, 1e-9*size);
            nfair++;
        }
        closed_end(&c);
    }
    CHECK(nfair > LOOPS/2);
}

// Forces that give accelerations which the loops allow give them; for others there are none.
static void inverse_is_the_way_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Closed c = closed_begin(seed);
        double dv[N], back[N], tau[N];
        assert_int_equal(carom_dyn_forward(c.dyn, 0, c.q, c.v, c.tau, c.F, dv), CAROM_OK);
        if (is_fair(&c)) {
            assert_int_equal(carom_dyn_inverse(c.dyn, 0, c.q, c.v, dv, c.F, tau), CAROM_OK);
            assert_int_equal(carom_dyn_forward(c.dyn, 0, c.q, c.v, tau, c.F, back), CAROM_OK);
            for (int k = 0; k < c.n; k++) CHECK_NEAR(back[k], dv[k], 1e-7*(1 + norm_of(dv, c.n)));
            dv[c.n - 1] += 10*(1 + norm_of(dv, c.n));
            assert_int_equal(carom_dyn_inverse(c.dyn, 0, c.q, c.v, dv, c.F, tau), CAROM_ERR_INPUT);
        }
        closed_end(&c);
    }
}

// A mechanism at rest answers to a force at a point as forward dynamics says, without what gravity does.
static void collision_matrix_is_the_response(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Closed c = closed_begin(seed);
        double none[N] = { 0 }, with[N], without[N], L[6*N];
        caromSpatial F[N] = { 0 };
        int body = (int)(seed % (unsigned)c.n), column = (int)(seed % 6);
        double *component = column < 3 ? &F[body].angular.x + column : &F[body].linear.x + column - 3;
        *component = 1;
        assert_int_equal(carom_dyn_collision_matrix(c.dyn, 0, c.q, (caromBodyId){ body }, carom_vec(0, 0, 0), L),
                         CAROM_OK);
        assert_int_equal(carom_dyn_forward(c.dyn, 0, c.q, none, NULL, F, with), CAROM_OK);
        assert_int_equal(carom_dyn_forward(c.dyn, 0, c.q, none, NULL, NULL, without), CAROM_OK);
        double scale = 1 + norm_of(with, c.n) + norm_of(without, c.n);
        for (int k = 0; k < c.n; k++) CHECK_NEAR(L[k*6 + column], with[k] - without[k], 1e-9*scale);
        closed_end(&c);
    }
}

// A state that the loops do not allow is refused, by all that would compute with it, and closed again where it drifted.
static void open_loops_are_refused(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Closed c = closed_begin(seed);
        double q[N], v[N], x[6*N];
        memcpy(q, c.q, sizeof q);
        memcpy(v, c.v, sizeof v);
        q[c.n - 1] += 0.3;
        assert_int_equal(carom_dyn_forward(c.dyn, 0, q, v, NULL, NULL, x), CAROM_ERR_INPUT);
        assert_int_equal(carom_dyn_inverse(c.dyn, 0, q, v, v, NULL, x), CAROM_ERR_INPUT);
        assert_int_equal(carom_dyn_collision_matrix(c.dyn, 0, q, (caromBodyId){ 0 }, carom_vec(0, 0, 0), x),
                         CAROM_ERR_INPUT);
        memcpy(q, c.q, sizeof q);
        v[c.n - 1] += 0.3*(1 + norm_of(v, c.n));
        assert_int_equal(carom_dyn_forward(c.dyn, 0, q, v, NULL, NULL, x), CAROM_ERR_INPUT);
        if (is_fair(&c)) {
            for (int k = 0; k < c.n; k++) q[k] += 1e-6*(k % 3 - 1), v[k] = c.v[k] + 1e-6*(k % 2);
            assert_int_equal(carom_dyn_close(c.dyn, 0, q, v), CAROM_OK);
            CHECK_NEAR(loop_distance(&c.loop, c.dyn, q, v), 0, 1e-12);
            for (int k = 0; k < c.n; k++) CHECK_NEAR(q[k], c.q[k], 1e-3);
            assert_int_equal(carom_dyn_forward(c.dyn, 0, q, v, NULL, NULL, x), CAROM_OK);
        }
        closed_end(&c);
    }
}

// What is no state is refused, with loops and without.
static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOOPS/4; seed++) {
        Closed c = closed_begin(seed);
        double q[N], v[N], x[6*N];
        for (int i = 0; i < 2*c.n; i++) {
            memcpy(q, c.q, sizeof q);
            memcpy(v, c.v, sizeof v);
            if (i < c.n) q[i] = (double)(seed % 2 ? NAN : INFINITY);
            else v[i - c.n] = (double)(seed % 2 ? NAN : INFINITY);
            assert_int_equal(carom_dyn_forward(c.dyn, 0, q, v, NULL, NULL, x), CAROM_ERR_INPUT);
            assert_int_equal(carom_dyn_forward(c.open, 0, q, v, NULL, NULL, x), CAROM_ERR_INPUT);
            assert_int_equal(carom_dyn_inverse(c.open, 0, q, v, c.v, NULL, x), CAROM_ERR_INPUT);
        }
        closed_end(&c);
    }
    Mechanism m = mechanism_begin();
    Random r = { 1 };
    mechanism_add(&m, -1, CAROM_JOINT_FREE, random_mass(&r));
    mechanism_add(&m, 0, CAROM_JOINT_SPHERICAL, random_mass(&r));
    mechanism_end(&m);
    double q[11] = { 0 }, v[9] = { 0 }, dv[9];
    q[3] = 1;  // the second has no direction
    assert_int_equal(carom_dyn_forward(m.dyn, 0, q, v, NULL, NULL, dv), CAROM_ERR_INPUT);
    q[7] = 1;
    assert_int_equal(carom_dyn_forward(m.dyn, 0, q, v, NULL, NULL, dv), CAROM_OK);
    mechanism_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_keeps_loops_closed),
        cmocka_unit_test(inverse_is_the_way_back),
        cmocka_unit_test(collision_matrix_is_the_response),
        cmocka_unit_test(open_loops_are_refused),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
