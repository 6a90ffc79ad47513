// Out of memory at every allocation of writing, reading, tables and pages: no crash, no leak, and no other reason told.
#include "results_fixture.h"
#include "failing_memory.h"

static char path[256], made[256];
static const caromModel *model;

static caromStatus write_rows(caromWriter *writer, caromError *err)
{
    caromSink sink = carom_results_writer_sink(writer);
    caromSimStats stats = fixture_stats();
    for (int64_t i = 0; i < 20; i++) {
        if (i % 5 == 0) fixture_event(sink, i);
        fixture_sample(sink, i);
    }
    return carom_results_writer_finish(writer, "completed", "", &stats, err);
}

static caromStatus write_file(caromError *err)
{
    caromWriter *writer;
    caromStatus status = carom_results_writer_create(made, model, NULL, &writer, err);
    if (status == CAROM_OK) status = write_rows(writer, err);
    carom_results_writer_destroy(writer);
    return status;
}

static caromStatus read_file(caromError *err)
{
    caromResults *results;
    caromStatus status = carom_results_open(path, &results, err);
    assert_true((status == CAROM_OK) == (results != NULL));
    carom_results_close(results);
    return status;
}

static caromStatus make_table(caromError *err)
{
    caromResults *results;
    caromStatus status = carom_results_open(path, &results, err);
    if (status == CAROM_OK) status = carom_results_csv(results, made, err);
    carom_results_close(results);
    return status;
}

static caromStatus make_page(caromError *err)
{
    return carom_results_page(path, made, err);
}

static void fail_everywhere(caromStatus (*act)(caromError *err))
{
    for (long n = 0;; n++) {
        caromError err = { 0 };
        countdown = n;
        has_failed = false;
        caromStatus status = act(&err);
        countdown = -1;
        if (!has_failed) {
            assert_int_equal(status, CAROM_OK);
            assert_true(n > 1);
            return;
        }
        if (status != CAROM_ERR_MEMORY || !strstr(err.message, "memory"))
            fail_msg("allocation %ld: status %d, %s: %s", n, (int)status, err.where, err.message);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s", scratch("memory.carom"));
    snprintf(made, sizeof made, "%s", scratch("memory.made"));
    fixture_file(path, 20);
    caromModel *own = fixture_model();
    model = own;
    fail_everywhere(write_file);
    fail_everywhere(read_file);
    fail_everywhere(make_table);
    fail_everywhere(make_page);
    carom_model_destroy(own);
    unlink(path);
    unlink(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
