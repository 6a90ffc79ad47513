// A thread that simulates needs little stack: it is painted, and what is left of the paint afterwards tells how much
// was used. Each response, each kind of shape, each method.
#include <pthread.h>

#include "carom/sim.h"

#include "modelfile_helpers.h"

enum { STACK = 4 << 20, ALLOWED = 64 << 10 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1  // which makes frames as long as it likes
#else
#define IS_SANITIZED 0
#endif

typedef struct Job {
    const caromModel *model;
    int steps;                 // at most
    caromStatus status;
    caromError err;
    const unsigned char *top;  // of the stack, where the thread begins
} Job;

static void press(const caromPressure *bit, void *user)
{
    *(double *)user += bit->force;
}

// A sink may ask for the pressure.
static caromStatus on_sample(void *user, const caromSample *sample)
{
    double *sum = user;
    for (int i = 0; i < sample->ncontact; i++) carom_step_sample_pressure(sample, i, press, sum);
    return CAROM_OK;
}

static void *simulate(void *user)
{
    Job *job = user;
    unsigned char here = 0;
    double sum = 0;
    caromSink sink = { .user = &sum, .sample = on_sample };
    caromSim *sim = NULL;
    bool done = false;
    job->top = &here;
    job->status = carom_sim_create(job->model, &sink, &sim, &job->err);
    for (int i = 0; i < job->steps && !done && job->status == CAROM_OK; i++)
        job->status = carom_sim_step(sim, &done, &job->err);
    carom_sim_destroy(sim);
    return NULL;
}

static size_t stack_used(Job *job)
{
    const unsigned char paint = 0xa5;
    unsigned char *stack = aligned_alloc(4096, STACK);
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, paint, STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, simulate, job), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    const unsigned char *low = stack;
    while (low < job->top && *low == paint) low++;
    size_t used = (size_t)(job->top - low);
    free(stack);
    return used;
}

static void expect_little(const char *name, const char *text, const char *const *overrides, int n, int steps)
{
    caromModel *model;
    free(problems_of(text, strlen(text), overrides, n, &model));
    assert_non_null(model);
    Job job = { .model = model, .steps = steps };
    size_t used = stack_used(&job);
    if (job.status != CAROM_OK) print_message("%s: %s\n", name, job.err.message);
    if (used > ALLOWED && !IS_SANITIZED) fail_msg("%s needs %zu bytes of stack", name, used);
    carom_model_destroy(model);
}

static void expect_little_of_example(const char *name, int steps, const char *method)
{
    char path[256], way[64];
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    snprintf(way, sizeof way, "simulate.method=%s", method);
    char *text = source_file(path, NULL);
    const char *overrides[] = { way };
    expect_little(name, text, overrides, 1, steps);
    free(text);
}

static void examples_need_little_stack(void **state)
{
    (void)state;
    enter_folder("examples");
    const char *const names[] = { "shapes", "dice", "doughnut", "bracket", "bowl", "bin", "tumbling-box", "taper",
                                  "impact-laws", "slider-crank", "own-law", "peg", "rigid-stack", "spinning-coin",
                                  "wedged-ring" };
    for (size_t i = 0; i < sizeof names/sizeof *names; i++) expect_little_of_example(names[i], 150, "auto");
    expect_little_of_example("dice", 100, "rodas5p");
    expect_little_of_example("tumbling-box", 100, "dp5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_need_little_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
