// An evaluation is a function of the state and the memory of contacts, and of nothing else: whoever asks, in whatever
// order, with whatever scratch, gets the same bits.
#include <pthread.h>

#include "carom/modelfile.h"
#include "check.h"
#include "sim/sim.h"

enum { STATES = 40 };


typedef struct Asked {         // the same states for everybody
    const caromSystem *system;
    int n;
    double t[STATES], *y;      // y [STATES][n]
} Asked;

typedef struct Answer {
    const Asked *asked;
    bool is_backwards;         // asked in the other order
    caromScratch scratch;
    caromFindings found[STATES];
    double *dydt;              // [STATES][n]
} Answer;

static void *ask(void *user)
{
    Answer *a = user;
    const caromSystem *s = a->asked->system;
    int n = a->asked->n;
    for (int i = 0; i < STATES; i++) {
        int k = a->is_backwards ? STATES - 1 - i : i;
        caromInstant at = { a->asked->t[k], a->asked->y + k*n, n };
        a->found[k] = s->response->evaluate(s, &at, &a->scratch, a->dydt + k*n);
    }
    return NULL;
}

// States along a step of the run, and some that are a little off it: with forces that differ, bodies that
// have parted or are deeper.
static void choose_states(caromRun *run, Asked *asked)
{
    Random random = { 5 };
    const caromModel *m = run->system.model;
    for (int i = 0; i < STATES; i++) {
        double *y = asked->y + i*asked->n, off = i < STATES/2 ? 0.0 : 1e-4;
        memcpy(y, run->system.y, (size_t)asked->n*sizeof *y);
        for (int k = 0; k < m->nq + m->nv; k++) y[k] += off*random_uniform(&random, -1, 1);
        for (int k = m->nq; k < m->nq + m->nv; k++) y[k] += 0.01*i*random_uniform(&random, -1, 1);
        carom_kin_normalize(m, y);
        asked->t[i] = run->system.t_step + 1e-5*i;
    }
}

static void expect_same(const Answer *a, const Answer *b)
{
    for (int i = 0; i < STATES; i++) {
        const caromFindings *x = &a->found[i], *y = &b->found[i];
        assert_int_equal(x->status, y->status);
        assert_int_equal(x->bad_body, y->bad_body);
        assert_int_equal(x->bad_pair, y->bad_pair);
        assert_int_equal(x->bad_law, y->bad_law);
        assert_memory_equal(&x->rate, &y->rate, sizeof x->rate);
        if (x->status == CAROM_OK) {
            assert_memory_equal(a->dydt + i*a->asked->n, b->dydt + i*a->asked->n, (size_t)a->asked->n*sizeof(double));
        }
    }
}

static void answer_begin(Answer *a, const Asked *asked, bool is_backwards)
{
    *a = (Answer){ .asked = asked, .is_backwards = is_backwards,
                   .dydt = calloc((size_t)(STATES*asked->n), sizeof(double)) };
    assert_true(carom_response_scratch_alloc(asked->system, &a->scratch));
}

static void answer_end(Answer *a)
{
    carom_response_scratch_free(a->asked->system, &a->scratch);
    free(a->dydt);
}

static caromModel *load(const char *example, const char *override)
{
    char path[512], *text;
    size_t length;
    caromError err;
    caromProblems problems = { 0 };
    caromModel *model;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", CAROM_SOURCE_DIR, example);
    assert_int_equal(carom_modelfile_load(path, &text, &length, &err), CAROM_OK);
    caromModelText from = { path, text, length, &override, 1 };
    assert_int_equal(carom_modelfile_read_from(&from, &problems, &model), CAROM_OK);
    free(text);
    return model;
}

// Stops in the middle of the motion, where bodies touch; two threads ask, and the run goes on as one that was never
// asked.
static void expect_pure(const char *example, const char *override, double until)
{
    caromModel *model = load(example, override);
    caromSim *sim, *other;
    caromError err;
    bool done = false;
    assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_create(model, NULL, &other, &err), CAROM_OK);
    while (!done && carom_sim_stats(sim)->time < until) assert_int_equal(carom_sim_step(sim, &done, &err), CAROM_OK);
    while (carom_sim_stats(other)->time < until) assert_int_equal(carom_sim_step(other, &done, &err), CAROM_OK);
    int n = sim->run->system.n;
    Asked asked = { .system = &sim->run->system, .n = n, .y = calloc((size_t)(STATES*n), sizeof(double)) };
    Answer answers[3];
    pthread_t threads[2];
    choose_states(sim->run, &asked);
    for (int i = 0; i < 3; i++) answer_begin(&answers[i], &asked, i == 1);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask, &answers[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    ask(&answers[2]);
    expect_same(&answers[0], &answers[1]);
    expect_same(&answers[0], &answers[2]);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(carom_sim_step(sim, &done, &err), carom_sim_step(other, &done, &err));
        assert_memory_equal(sim->run->system.y, other->run->system.y, (size_t)n*sizeof(double));
    }
    for (int i = 0; i < 3; i++) answer_end(&answers[i]);
    free(asked.y);
    carom_sim_destroy(sim);
    carom_sim_destroy(other);
    carom_model_destroy(model);
}

static void compliant_bodies_answer_two_threads_with_the_same_bits(void **state)
{
    (void)state;
    expect_pure("four-cubes", "contact.response=compliant", 0.4);
    expect_pure("tumbling-box", "contact.friction_law=bristle", 0.6);
    expect_pure("slider-crank", "contact.response=compliant", 0.2);
    expect_pure("vibrating-table", "contact.response=compliant", 0.3);
}

static void rigid_bodies_answer_two_threads_with_the_same_bits(void **state)
{
    (void)state;
    expect_pure("rocking-block", "contact.response=rigid", 9.0);
    expect_pure("ladder", "contact.response=rigid", 0.2);
    expect_pure("vibrating-table", "contact.response=rigid", 0.3);
    expect_pure("tippe-top", "contact.friction_law=smooth", 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compliant_bodies_answer_two_threads_with_the_same_bits),
        cmocka_unit_test(rigid_bodies_answer_two_threads_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
