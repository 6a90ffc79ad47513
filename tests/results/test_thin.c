// Runs that tell more than their results may hold: what is kept, and what is told of the rest.
#include "results/reader.h"

#include "results_fixture.h"

static caromModel *model_with(double budget, double every)
{
    caromSettings settings = carom_model_settings_def();
    settings.results = budget;
    settings.until = 1;
    settings.every = every;
    return fixture_model_with(settings);
}

typedef struct Told {
    caromModel *model;
    caromWriter *writer;
    caromSink sink;
    caromPose X[3];
    caromQuat q[3];
    caromSpatial V[3];
    char path[256];
    uint64_t head;  // bytes of an empty file
} Told;

static uint64_t size_of_file(const char *path)
{
    size_t n;
    free(slurp(path, &n));
    return n;
}

static void begin(Told *t, const char *name, double budget, double every)
{
    memset(t, 0, sizeof *t);
    snprintf(t->path, sizeof t->path, "%s", scratch(name));
    t->model = model_with(budget, every);
    t->writer = fixture_writer(t->path, t->model);
    t->sink = carom_results_writer_sink(t->writer);
    for (int i = 0; i < 3; i++) {
        t->X[i] = carom_pose_identity();
        t->q[i] = (caromQuat){ 1, 0, 0, 0 };
    }
    t->head = size_of_file(t->path);
}

static void tell_sample(Told *t, double time, caromSampleKind kind)
{
    caromSample sample = { .time = time, .kind = kind, .nbody = 3, .X_WB = t->X, .q_WB = t->q, .V_WB = t->V };
    assert_int_equal(t->sink.sample(t->sink.user, &sample), CAROM_OK);
}

static void tell_event(Told *t, double time, caromEventKind kind, double size)
{
    caromEvent event = { .time = time, .kind = kind, .n_AB = { 0, 0, 1 } };
    if (kind == CAROM_EVENT_IMPACT) event.impact = (caromImpactEvent){ .impulse = size, .path_stop = NAN };
    assert_int_equal(t->sink.event(t->sink.user, &event), CAROM_OK);
}

// The survey of the file; the run is over.
static caromResultsSurvey end(Told *t, bool is_finished)
{
    caromSimStats stats = fixture_stats();
    caromResultsSurvey survey;
    caromError err;
    if (is_finished) assert_int_equal(carom_results_writer_finish(t->writer, "completed", "", &stats, &err), CAROM_OK);
    carom_results_writer_destroy(t->writer);
    carom_model_destroy(t->model);
    assert_int_equal(carom_results_survey(t->path, &survey, &err), CAROM_OK);
    return survey;
}

static int64_t sum_of(caromResultsLack lack)
{
    return lack.samples + lack.steps + lack.events + lack.patches;
}

static void nothing_is_left_out_of_what_fits(void **state)
{
    (void)state;
    Told t;
    begin(&t, "fits.carom", 1e6, 1e-3);
    for (int i = 0; i <= 1000; i++) tell_sample(&t, 1e-3*i, CAROM_SAMPLE_GRID);
    for (int i = 0; i < 300; i++) tell_sample(&t, 1, CAROM_SAMPLE_CONTACT);
    caromResultsSurvey survey = end(&t, true);
    assert_int_equal(sum_of(survey.left_out), 0);
    assert_int_equal(survey.nrow, 1301);
    unlink(t.path);
}

// A motion that crawls: 200 000 samples in no time, then a whole run at that pace.
static void a_crawling_motion_stays_within_the_budget(void **state)
{
    (void)state;
    const double budget = 1e6;
    Told t;
    begin(&t, "crawl.carom", budget, 0.01);
    for (int i = 0; i < 200000; i++) tell_sample(&t, 1e-12*i, CAROM_SAMPLE_CONTACT);
    caromResultsLoad load = carom_results_writer_load(t.writer);
    assert_int_equal(load.told.steps, 200000);
    assert_true(load.left_out.steps > 195000 && load.expected > 100*budget);
    for (int i = 0; i <= 100; i++) {
        tell_sample(&t, 0.01*i, CAROM_SAMPLE_GRID);
        for (int k = 1; i < 100 && k < 2000; k++) tell_sample(&t, 0.01*(i + k/2000.0), CAROM_SAMPLE_CONTACT);
    }
    caromResultsSurvey survey = end(&t, true);
    assert_true((double)(survey.size - t.head) <= budget);
    assert_true((double)(survey.size - t.head) > 0.7*budget);  // and what may be used is used
    assert_int_equal(survey.left_out.samples, 0);              // what was asked for is there
    assert_int_equal(survey.left_out.steps + survey.nrow, 200000 + 100*1999 + 101);
    // Evenly in time: in each tenth of the run, behind the burst, about as many as in the next.
    caromResults *results;
    assert_int_equal(carom_results_open(t.path, &results, NULL), CAROM_OK);
    int count[10] = { 0 };
    for (int64_t i = 0; i < carom_results_row_count(results); i++) {
        const double *row = carom_results_row(results, i);
        if (row[1] == CAROM_SAMPLE_CONTACT && row[0] > 1e-6) count[(int)(10*row[0])]++;
    }
    for (int k = 1; k < 10; k++) assert_in_range(count[k], count[1]/2, 2*count[1]);
    assert_true(count[1] > 50);
    carom_results_close(results);
    unlink(t.path);
}

static void a_grid_that_is_too_fine_is_thinned_from_the_start(void **state)
{
    (void)state;
    Told t;
    begin(&t, "grid.carom", 1e6, 1e-5);  // 32 MB
    assert_int_equal(carom_results_writer_load(t.writer).grid_every, 64);
    for (int i = 0; i <= 100000; i++) tell_sample(&t, 1e-5*i, CAROM_SAMPLE_GRID);
    caromResultsSurvey survey = end(&t, true);
    assert_true(survey.size - t.head <= 1000000);
    assert_int_equal(survey.nrow, 100000/64 + 2);
    assert_int_equal(survey.left_out.samples, 100001 - survey.nrow);
    assert_true(survey.last_time == 1);
    unlink(t.path);
}

// A surface that presses with 500 cells at each of 60 samples on the grid, 2 MB in all: far below the budget.
static void surfaces_do_not_cost_samples_that_fit(void **state)
{
    (void)state;
    caromSettings settings = carom_model_settings_def();
    settings.results = 300e6;
    settings.until = 1;
    settings.every = 1.0/60;
    caromThinning t = carom_results_thinning(&settings, 200);
    for (int i = 0; i <= 60; i++) {
        caromSample sample = { .time = i/60.0, .kind = CAROM_SAMPLE_GRID };
        assert_true(carom_results_keep_sample(&t, &sample, 200));
        carom_results_add_patches(&t, CAROM_SAMPLE_GRID, 500*56);
    }
    carom_results_thinning_free(&t);
}

static int count_events(const char *path, const char *what)
{
    caromResults *results;
    int n = 0;
    assert_int_equal(carom_results_open(path, &results, NULL), CAROM_OK);
    for (int64_t i = 0; i < carom_results_event_count(results); i++)
        n += strstr(carom_results_event(results, i), what) != NULL;
    carom_results_close(results);
    return n;
}

// A few impacts among very many slips, and of very many impacts the largest and the last.
static void events_that_matter_are_kept(void **state)
{
    (void)state;
    Told t;
    begin(&t, "events.carom", 1e6, 0.01);
    for (int i = 0; i < 100000; i++) {
        tell_event(&t, 1e-5*i, CAROM_EVENT_SLIP, 0);
        if (i % 4000 == 3999) tell_event(&t, 1e-5*i, CAROM_EVENT_IMPACT, 1);
    }
    caromResultsSurvey survey = end(&t, true);
    assert_true(survey.size - t.head <= 1000000);
    assert_int_equal(count_events(t.path, "\"impact\""), 25);
    assert_int_equal(survey.left_out.events + count_events(t.path, "\"slip\"") + 25, 100025 + 1);
    assert_int_equal(count_events(t.path, "\"time\":0.99999,\"kind\":\"slip\""), 1);  // the last: behind the others

    begin(&t, "events.carom", 1e6, 0.01);
    for (int i = 0; i < 100000; i++) tell_event(&t, 1e-5*i, CAROM_EVENT_IMPACT, i == 77777 ? 7 : 1 + 1e-6*i);
    survey = end(&t, true);
    assert_true(survey.size - t.head <= 1000000);
    assert_int_equal(count_events(t.path, "\"impulse\":7,"), 1);
    assert_int_equal(count_events(t.path, "\"time\":0.99999,"), 1);
    unlink(t.path);
}

// Without a last frame half of what was left out is known at least.
static void a_file_that_is_cut_off_says_what_it_lacks(void **state)
{
    (void)state;
    Told t;
    begin(&t, "cut.carom", 1e6, 0.01);
    for (int i = 0; i < 50000; i++) tell_sample(&t, 1e-9*i, CAROM_SAMPLE_CONTACT);
    int64_t lack = carom_results_writer_load(t.writer).left_out.steps;
    assert_int_equal(carom_results_writer_flush(t.writer, NULL), CAROM_OK);
    caromResultsSurvey survey = end(&t, false);
    assert_false(survey.is_complete);
    assert_in_range(survey.left_out.steps, lack/2, lack);
    unlink(t.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_out_of_what_fits),
        cmocka_unit_test(a_crawling_motion_stays_within_the_budget),
        cmocka_unit_test(a_grid_that_is_too_fine_is_thinned_from_the_start),
        cmocka_unit_test(surfaces_do_not_cost_samples_that_fit),
        cmocka_unit_test(events_that_matter_are_kept),
        cmocka_unit_test(a_file_that_is_cut_off_says_what_it_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
