// TR-BDF2, of an ODE that solves its stages by itself: an oscillator and a decay as stiff as one likes.
#include <math.h>
#include <string.h>

#include "check.h"
#include "time/method.h"

enum { STATES = 4, POSITIONS = 1, DECAY = 2, QUADRATURE = 3 };

typedef struct Problem {
    double rate;                 // of the decay [1/s]
    double f[4], kept;           // -rate x at the start, in the stages, at the end that was kept
    int nkept, ngone_on;
} Problem;

static caromStatus f_of(void *user, double t, const double *y, double *dy)
{
    const Problem *p = user;
    (void)t;
    dy[0] = y[1];
    dy[1] = -y[0];
    dy[DECAY] = -p->rate*y[DECAY];
    dy[QUADRATURE] = y[DECAY];
    return CAROM_OK;
}

static caromStatus solve(void *user, const caromStage *s, int64_t *evaluations)
{
    Problem *p = user;
    ++*evaluations;
    double det = 1.0 + s->tau*s->tau;
    s->y[0] = (s->base[0] + s->tau*s->base[1])/det;
    s->y[1] = (s->base[1] - s->tau*s->base[0])/det;
    s->y[DECAY] = s->base[DECAY]/(1.0 + s->tau*p->rate);
    s->y[QUADRATURE] = s->base[QUADRATURE];
    p->f[s->number] = s->y[DECAY];
    return CAROM_OK;
}

static void account(void *user, const caromStageSum *s)
{
    const Problem *p = user;
    s->y1[QUADRATURE] = s->y0[QUADRATURE];
    for (int i = 0; i < CAROM_STAGES; i++) s->y1[QUADRATURE] += s->h*s->weight[i]*p->f[i];
}

static void keep(void *user)
{
    Problem *p = user;
    p->kept = p->f[CAROM_STAGES - 1];
    p->nkept++;
}

static void go_on(void *user)
{
    Problem *p = user;
    p->f[0] = p->kept;
    p->ngone_on++;
}

static int known(void *user)
{
    (void)user;
    return POSITIONS;
}

static const caromStageSolver stages = { solve, account, keep, go_on, known };
static const double start[STATES] = { 1, 0, 1, 0 };

// Steps of a given size, whatever they are off.
static caromStepper *run(Problem *p, const caromNorm *norm, int steps, double h)
{
    caromOde ode = { .n = STATES, .nquad = 1, .f = f_of, .user = p, .stages = &stages };
    caromStepper *s = carom_method_trbdf2.create(&ode, norm);
    assert_non_null(s);
    assert_int_equal(carom_method_trbdf2.start(s, 0.0, start, h), CAROM_OK);
    for (int i = 1; i <= steps; i++) {
        double tau0, tau1;
        assert_int_equal(carom_method_trbdf2.step(s, i*h, NULL), CAROM_OK);
        carom_method_trbdf2.span(s, &tau0, &tau1);
        assert_true(tau1 == i*h);
    }
    return s;
}

static const double loose[STATES] = { 1e9, 1e9, 1e9, 1e9 };
static const int blocks[2] = { 0, STATES };
static const caromNorm norm = { .weight = loose, .block = blocks, .nblock = 1 };

// A fourth of the error with half the step, to the next order.
static void it_is_of_second_order(void **state)
{
    (void)state;
    double off[2][3];
    for (int i = 0; i < 2; i++) {
        Problem p = { .rate = 1.0 };
        int steps = 50 << i;
        caromStepper *s = run(&p, &norm, steps, 1.0/steps);
        const double *y = carom_method_trbdf2.state(s);
        off[i][0] = fabs(y[0] - cos(1.0));
        off[i][1] = fabs(y[DECAY] - exp(-1.0));
        off[i][2] = fabs(y[QUADRATURE] - (1.0 - exp(-1.0)));
        assert_int_equal(p.nkept, steps);
        assert_int_equal(p.ngone_on, steps - 1);
        carom_method_trbdf2.destroy(s);
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(off[0][k]/off[1][k], 4.0, 0.2);
}

// Two steps leave of a stiff state what the stability function leaves, 1/(h rate) or less each.
static void what_is_stiff_is_gone(void **state)
{
    (void)state;
    Problem p = { .rate = 1e9 };
    caromStepper *s = run(&p, &norm, 2, 0.1);
    CHECK_NEAR(fabs(carom_method_trbdf2.state(s)[DECAY]), 0.0, 1e-7);
    carom_method_trbdf2.destroy(s);
}

// A state inside of the step is one of its own, and leaves no trace.
static void refined_states_leave_no_trace(void **state)
{
    (void)state;
    Problem p = { .rate = 1.0 }, q = { .rate = 1.0 };
    caromStepper *a = run(&p, &norm, 3, 0.1), *b = run(&q, &norm, 3, 0.1);
    double y[STATES];
    assert_int_equal(carom_method_trbdf2.refine(a, 0.5, y), CAROM_OK);
    CHECK_NEAR(y[0], cos(0.25), 1e-3);
    CHECK_NEAR(y[QUADRATURE], 1.0 - exp(-0.25), 1e-3);
    assert_int_equal(carom_method_trbdf2.step(a, 0.4, NULL), CAROM_OK);
    assert_int_equal(carom_method_trbdf2.step(b, 0.4, NULL), CAROM_OK);
    assert_memory_equal(carom_method_trbdf2.state(a), carom_method_trbdf2.state(b), sizeof y);
    carom_method_trbdf2.destroy(a);
    carom_method_trbdf2.destroy(b);
}

// From the end of a step it goes on as if it had not been started anew; from inside of it, as at first.
static void restarts_go_on(void **state)
{
    (void)state;
    Problem p = { .rate = 1.0 }, q = { .rate = 1.0 };
    caromStepper *a = run(&p, &norm, 3, 0.1), *b = run(&q, &norm, 3, 0.1);
    double y[STATES];
    memcpy(y, carom_method_trbdf2.state(a), sizeof y);
    assert_int_equal(carom_method_trbdf2.start(a, 3*0.1, y, 0.1), CAROM_OK);
    assert_int_equal(carom_method_trbdf2.step(a, 0.1, NULL), CAROM_OK);
    assert_int_equal(carom_method_trbdf2.step(b, 0.4, NULL), CAROM_OK);
    for (int i = 0; i < STATES; i++)
        CHECK_NEAR(carom_method_trbdf2.state(a)[i], carom_method_trbdf2.state(b)[i], 1e-14);
    assert_int_equal(p.ngone_on, 3);
    assert_int_equal(carom_method_trbdf2.interpolate(a, 0.5, y, NULL), CAROM_OK);
    assert_int_equal(carom_method_trbdf2.start(a, 0.35, y, 0.1), CAROM_OK);
    assert_int_equal(carom_method_trbdf2.step(a, 0.1, NULL), CAROM_OK);
    assert_int_equal(p.ngone_on, 3);
    carom_method_trbdf2.destroy(a);
    carom_method_trbdf2.destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_of_second_order),
        cmocka_unit_test(what_is_stiff_is_gone),
        cmocka_unit_test(refined_states_leave_no_trace),
        cmocka_unit_test(restarts_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
