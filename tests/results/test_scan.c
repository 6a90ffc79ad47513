// Files are read in a window: what is found is what a reader of the whole file finds, in memory that does not grow.
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/base.h"
#include "results/reader.h"

#include "results_fixture.h"

// Both readers, of the same bytes.
static void expect_agreement(const char *path, const unsigned char *bytes, size_t n)
{
    caromResults *results;
    caromResultsSurvey survey;
    caromError whole = { 0 }, scanned = { 0 };
    spit(path, bytes, n);
    caromStatus status = carom_results_open(path, &results, &whole);
    assert_int_equal(carom_results_survey(path, &survey, &scanned), status);
    if (status != CAROM_OK) {
        assert_string_equal(scanned.message, whole.message);
        return;
    }
    assert_int_equal(survey.size, n);
    assert_int_equal(survey.good_bytes, carom_results_good_bytes(results));
    assert_int_equal(survey.is_complete, carom_results_is_complete(results));
    assert_int_equal(survey.nrow, carom_results_row_count(results));
    assert_int_equal(survey.nevent, carom_results_event_count(results));
    assert_int_equal(survey.ncolumn, carom_results_column_count(results));
    if (survey.nrow > 0) assert_true(survey.last_time == carom_results_row(results, survey.nrow - 1)[0]);
    else assert_true(isnan(survey.last_time));
    carom_results_close(results);
}

static void both_readers_agree_wherever_a_file_ends(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", scratch("cut.carom"));
    size_t n;
    fixture_file(path, 12);
    unsigned char *bytes = slurp(path, &n);
    for (size_t size = 0; size <= n; size += size < 64 || size > n - 64 ? 1 : 17) expect_agreement(path, bytes, size);
    free(bytes);
    unlink(path);
}

static void both_readers_agree_on_wrong_bits(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", scratch("flip.carom"));
    size_t n;
    fixture_file(path, 12);
    unsigned char *bytes = slurp(path, &n);
    Random random = { 5 };
    for (int i = 0; i < 500; i++) {
        size_t at = (size_t)random_uniform(&random, 0, (double)n);
        unsigned char bit = (unsigned char)(1u << (int)random_uniform(&random, 0, 8));
        bytes[at] ^= bit;
        expect_agreement(path, bytes, n);
        bytes[at] ^= bit;
    }
    free(bytes);
    unlink(path);
}

// A frame with a good checksum and wrong content, behind a window of good ones.
static void wrong_content_is_found_far_behind(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", scratch("wrong.carom"));
    caromModel *model = fixture_model();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    for (int64_t i = 0; i < 5000; i++) assert_int_equal(fixture_sample(sink, i), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    size_t n;
    unsigned char *bytes = slurp(path, &n);
    caromText payload = { "{]", 2, 2, false }, more = { 0 };
    unsigned char around[CAROM_FRAME_AROUND];
    carom_results_frame_around(CAROM_FRAME_EVNT, &payload, around);
    carom_results_text_bytes(&more, bytes, n);
    carom_results_text_bytes(&more, around, 8);
    carom_results_text_bytes(&more, payload.data, payload.size);
    carom_results_text_bytes(&more, around + 8, 4);
    expect_agreement(path, (const unsigned char *)more.data, more.size);
    caromResultsSurvey survey;
    caromError err;
    assert_int_equal(carom_results_survey(path, &survey, &err), CAROM_ERR_FILE);
    assert_non_null(strstr(err.message, "wrong content"));
    carom_results_text_free(&more);
    free(bytes);
    unlink(path);
}

static void tables_of_both_readers_are_the_same(void **state)
{
    (void)state;
    char path[256], table[2][256];
    snprintf(path, sizeof path, "%s", scratch("table.carom"));
    snprintf(table[0], sizeof table[0], "%s", scratch("whole.csv"));
    snprintf(table[1], sizeof table[1], "%s", scratch("scanned.csv"));
    fixture_file(path, 9000);  // several windows
    caromResults *results;
    caromResultsSurvey survey;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_int_equal(carom_results_csv(results, table[0], &err), CAROM_OK);
    assert_int_equal(carom_results_survey(path, &survey, &err), CAROM_OK);
    assert_int_equal(carom_results_csv_of(path, &survey, table[1], &err), CAROM_OK);
    carom_results_close(results);
    size_t n[2];
    unsigned char *bytes[2] = { slurp(table[0], &n[0]), slurp(table[1], &n[1]) };
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    for (int k = 0; k < 2; k++) {
        free(bytes[k]);
        unlink(table[k]);
    }
    unlink(path);
}

// ---- memory

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1  // which reserves terabytes of addresses
#else
#define IS_SANITIZED 0
#endif

enum { LARGE_MB = 96, ALLOWED_MB = 48 };

static void write_large_file(const char *path)
{
    caromModel *model = fixture_model();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    caromPose X[3] = { carom_pose_identity(), carom_pose_identity(), carom_pose_identity() };
    caromQuat q[3] = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
    caromSpatial V[3] = { { { 0, 0, 0 }, { 0, 0, 0 } } };
    caromSample sample = { .nbody = 3, .X_WB = X, .q_WB = q, .V_WB = V };
    for (int64_t i = 0; i < ((int64_t)LARGE_MB << 20)/(FIXTURE_COLUMNS*8 + 12); i++) {
        sample.time = (double)i;
        assert_int_equal(sink.sample(sink.user, &sample), CAROM_OK);
    }
    caromSimStats stats = fixture_stats();
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", &stats, NULL), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
}

// In a process of its own that has half as much memory as the file has bytes.
static int read_with_little_memory(const char *path)
{
    caromResultsSurvey survey;
    caromResults *results;
    caromError err;
    struct rlimit limit = { (rlim_t)ALLOWED_MB << 20, (rlim_t)ALLOWED_MB << 20 };
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    if (carom_results_open(path, &results, &err) != CAROM_ERR_MEMORY) return 2;  // the limit is one
    if (carom_results_survey(path, &survey, &err) != CAROM_OK || !survey.is_complete) return 3;
    if (carom_results_csv_of(path, &survey, "/dev/null", &err) != CAROM_OK) return 4;
    if (carom_results_page_of(path, &survey, "/dev/null", &err) != CAROM_OK) return 5;
    return 0;
}

static void memory_does_not_grow_with_the_file(void **state)
{
    (void)state;
    if (IS_SANITIZED) skip();
    const char *path = scratch("large.carom");
    write_large_file(path);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(read_with_little_memory(path));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(path);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_readers_agree_wherever_a_file_ends),
        cmocka_unit_test(both_readers_agree_on_wrong_bits),
        cmocka_unit_test(wrong_content_is_found_far_behind),
        cmocka_unit_test(tables_of_both_readers_are_the_same),
        cmocka_unit_test(memory_does_not_grow_with_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
