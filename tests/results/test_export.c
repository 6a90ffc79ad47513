// CSV tables and pages made from results.
#include "results/reader.h"

#include "results_fixture.h"

static void csv_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    char path[256], csv[256];
    strcpy(path, scratch("table.carom"));
    strcpy(csv, scratch("table.csv"));
    fixture_file(path, 50);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_int_equal(carom_results_csv(results, csv, &err), CAROM_OK);
    carom_results_close(results);
    size_t n;
    char *text = (char *)slurp(csv, &n);
    const char *names = "time [s],sample,bodies.one.position.x [m],";
    assert_memory_equal(text, names, strlen(names));
    char *at = strchr(text, '\n') + 1;
    for (int64_t row = 0; row < 50; row++) {
        for (int k = 0; k < FIXTURE_COLUMNS; k++) {
            char *end;
            double value = strtod(at, &end);
            if (value != fixture_value(row, k)) fail_msg("row %d column %d: %.17g", (int)row, k, value);
            assert_int_equal(*end, k + 1 < FIXTURE_COLUMNS ? ',' : '\n');
            at = end + 1;
        }
    }
    assert_int_equal(*at, '\0');
    free(text);
    unlink(path);
    unlink(csv);
}

static void csv_to_a_full_disk_is_an_error(void **state)
{
    (void)state;
    const char *path = scratch("full.carom");
    fixture_file(path, 50);
    caromResults *results;
    caromError err = { 0 };
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_int_equal(carom_results_csv(results, "/dev/full", &err), CAROM_ERR_FILE);
    assert_non_null(strstr(err.message, "No space left on device"));
    err = (caromError){ 0 };
    assert_int_equal(carom_results_page(path, "/dev/full", &err), CAROM_ERR_FILE);
    assert_non_null(strstr(err.message, "No space left on device"));
    carom_results_close(results);
    unlink(path);
}

static int digit_of(int c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// Decodes until the first character that is no digit; returns the number of bytes.
static size_t decode(const char *text, unsigned char *bytes)
{
    size_t n = 0;
    unsigned bits = 0;
    for (size_t i = 0; digit_of(text[i]) >= 0; i++) {
        bits = bits << 6 | (unsigned)digit_of(text[i]);
        if (i % 4 != 0) bytes[n++] = (unsigned char)(bits >> (6 - 2*(i % 4)));
    }
    return n;
}

// The page is the template with the file inside, up to its last complete frame.
static void check_page(const char *path, const unsigned char *expected, size_t n)
{
    char page[256];
    size_t m;
    caromError err;
    strcpy(page, scratch("page.html"));
    assert_int_equal(carom_results_page(path, page, &err), CAROM_OK);
    char *text = (char *)slurp(page, &m);
    const char *template = (const char *)carom_page_template;
    size_t before = 0;
    while (memcmp(template + before, CAROM_PAGE_TOKEN, strlen(CAROM_PAGE_TOKEN)) != 0) before++;
    assert_memory_equal(text, template, before);
    unsigned char *bytes = malloc(m);
    assert_int_equal(decode(text + before, bytes), n);
    assert_memory_equal(bytes, expected, n);
    size_t after = carom_page_template_size - before - strlen(CAROM_PAGE_TOKEN);
    assert_memory_equal(text + m - after, template + carom_page_template_size - after, after);
    assert_int_equal(m, before + (n + 2)/3*4 + after);
    free(bytes);
    free(text);
    unlink(page);
}

static void page_holds_the_file(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, scratch("page.carom"));
    for (int64_t rows = 0; rows < 3; rows++) {  // three lengths, three kinds of padding
        size_t n;
        fixture_file(path, 400 + rows);
        unsigned char *bytes = slurp(path, &n);
        check_page(path, bytes, n);
        free(bytes);
    }
    unlink(path);
}

static void page_of_a_run_that_was_killed_holds_its_complete_frames(void **state)
{
    (void)state;
    char path[256];
    size_t n;
    strcpy(path, scratch("page.carom"));
    fixture_file(path, 40);
    unsigned char *bytes = slurp(path, &n);
    size_t done = n - 4;
    while (memcmp(bytes + done, "DONE", 4) != 0) done--;
    spit(path, bytes, n - 5);
    check_page(path, bytes, done);
    free(bytes);
    unlink(path);
}

// Of a file that is too long for a browser: every fourth sample and event, and the last sample; it says so.
static void page_of_a_long_file_is_thinned(void **state)
{
    (void)state;
    char path[256], page[256];
    size_t m, before = 0;
    caromError err;
    caromResultsSurvey survey;
    strcpy(path, scratch("long.carom"));
    strcpy(page, scratch("long.html"));
    fixture_file(path, 60);
    assert_int_equal(carom_results_survey(path, &survey, &err), CAROM_OK);
    assert_int_equal(carom_results_page_every(&survey), 1);
    assert_int_equal(carom_results_page_thinned(path, &survey, 4, page, &err), CAROM_OK);
    char *text = (char *)slurp(page, &m);
    while (memcmp(carom_page_template + before, CAROM_PAGE_TOKEN, strlen(CAROM_PAGE_TOKEN)) != 0) before++;
    unsigned char *bytes = malloc(m);
    size_t n = decode(text + before, bytes);
    spit(path, bytes, n);
    unsigned char *thin = slurp(path, &n);
    size_t at = 16 + 8;  // behind the head
    while (memcmp(thin + at, "THIN", 4) != 0) at++;
    const char *told = "{\"page\":{\"every\":4,\"samples\":60,\"events\":12}}";
    assert_memory_equal(thin + at + 8, told, strlen(told));
    caromResults *results;
    assert_int_equal(carom_results_parse(thin, n, "thin", &results, &err), CAROM_OK);
    assert_true(carom_results_is_complete(results));
    assert_int_equal(carom_results_row_count(results), 16);
    assert_int_equal(carom_results_event_count(results), 3);
    for (int k = 0; k < FIXTURE_PAIRS; k++) assert_non_null(carom_results_pair(results, k));  // all that were told
    for (int64_t i = 0; i < 16; i++)
        assert_true(carom_results_row(results, i)[0] == fixture_value(i < 15 ? 4*i : 59, 0));
    carom_results_close(results);
    survey.good_bytes = 3*(uint64_t)CAROM_PAGE_BYTES;
    assert_int_equal(carom_results_page_every(&survey), 4);
    free(bytes);
    free(text);
    unlink(path);
    unlink(page);
}

static void page_of_something_else_is_refused(void **state)
{
    (void)state;
    char path[256], page[256];
    caromError err;
    strcpy(path, scratch("other.yaml"));
    strcpy(page, scratch("page.html"));
    spit(path, "carom: 1\n", 9);
    assert_int_equal(carom_results_page(path, page, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "not a results file of carom");
    assert_int_not_equal(access(page, F_OK), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_reads_back_to_the_same_bits),
        cmocka_unit_test(csv_to_a_full_disk_is_an_error),
        cmocka_unit_test(page_holds_the_file),
        cmocka_unit_test(page_of_a_run_that_was_killed_holds_its_complete_frames),
        cmocka_unit_test(page_of_a_long_file_is_thinned),
        cmocka_unit_test(page_of_something_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
