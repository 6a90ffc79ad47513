// Files come back as they were written; whatever else a file holds, reading it ends well.
#include <sys/stat.h>

#include "base/base.h"
#include "results/results.h"

#include "results_fixture.h"

static caromStatus parse_copy(const unsigned char *bytes, size_t n, caromResults **results, caromError *err)
{
    unsigned char *copy = malloc(n ? n : 1);  // exactly as long, so that the sanitizer sees a read behind it
    memcpy(copy, bytes, n);
    return carom_results_parse(copy, n, "copy", results, err);
}

static void file_comes_back(void **state)
{
    (void)state;
    const char *path = scratch("back.carom");
    fixture_file(path, 1000);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_true(carom_results_is_complete(results));
    assert_int_equal(carom_results_row_count(results), 1000);
    assert_int_equal(carom_results_event_count(results), 200);
    fixture_check_rows(results);
    assert_string_equal(carom_results_column(results, 2).name, "bodies.one.position.x");
    assert_string_equal(carom_results_column(results, 2).unit, "m");
    assert_string_equal(carom_results_column(results, FIXTURE_COLUMNS - 1).name, "energy.imbalance");
    assert_int_equal(carom_results_column_index(results, "bodies.two.angular_velocity.z"), 27);
    assert_int_equal(carom_results_column_index(results, "bodies.two.colour"), -1);
    assert_null(carom_results_row(results, 1000));
    assert_null(carom_results_row(results, -1));
    assert_null(carom_results_event(results, 200));
    assert_null(carom_results_column(results, FIXTURE_COLUMNS).name);
    carom_results_close(results);
    unlink(path);
}

static void cut_off_anywhere_gives_the_frames_before(void **state)
{
    (void)state;
    const char *path = scratch("cut.carom");
    size_t n;
    fixture_file(path, 12);
    unsigned char *bytes = slurp(path, &n);
    int64_t rows_before = -1;
    for (size_t size = 0; size <= n; size++) {
        caromResults *results;
        caromError err;
        caromStatus status = parse_copy(bytes, size, &results, &err);
        if (status != CAROM_OK) {
            assert_int_equal(status, CAROM_ERR_FILE);
            assert_int_equal(rows_before, -1);  // once there is a head it stays
            assert_true(strstr(err.message, "nothing to read") != NULL);
            continue;
        }
        assert_int_equal(carom_results_is_complete(results), size == n);
        assert_in_range(carom_results_row_count(results), rows_before < 0 ? 0 : rows_before, rows_before + 1);
        rows_before = carom_results_row_count(results);
        fixture_check_rows(results);
        carom_results_close(results);
    }
    assert_int_equal(rows_before, 12);
    free(bytes);
    unlink(path);
}

// A checksum of 32 bits finds every single wrong bit.
static void wrong_bit_anywhere_gives_the_frames_before(void **state)
{
    (void)state;
    const char *path = scratch("flip.carom");
    size_t n;
    fixture_file(path, 12);
    unsigned char *bytes = slurp(path, &n);
    Random random = { 5 };
    for (int i = 0; i < 20000; i++) {
        size_t at = (size_t)random_uniform(&random, 0, (double)n);
        unsigned char bit = (unsigned char)(1u << (int)random_uniform(&random, 0, 8));
        bytes[at] ^= bit;
        caromResults *results;
        caromError err;
        if (parse_copy(bytes, n, &results, &err) == CAROM_OK) {
            assert_true(carom_results_row_count(results) <= 12);
            assert_false(carom_results_is_complete(results));
            fixture_check_rows(results);
            carom_results_close(results);
        }
        bytes[at] ^= bit;
    }
    free(bytes);
    unlink(path);
}

static void random_bytes_are_refused(void **state)
{
    (void)state;
    Random random = { 11 };
    unsigned char bytes[512];
    for (int i = 0; i < 20000; i++) {
        size_t n = (size_t)random_uniform(&random, 0, sizeof bytes);
        for (size_t k = 0; k < n; k++) bytes[k] = (unsigned char)random_uniform(&random, 0, 256);
        if (i % 2 && n >= CAROM_RESULTS_MAGIC_BYTES) memcpy(bytes, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
        caromResults *results;
        assert_int_equal(parse_copy(bytes, n, &results, NULL), CAROM_ERR_FILE);
        assert_null(results);
    }
}

// ---- frames with a good checksum that no writer of ours makes

typedef struct Sketch { caromText bytes; } Sketch;

static void sketch_frame(Sketch *s, const char *kind, const void *payload, size_t n)
{
    unsigned char start[8] = {
        (unsigned char)kind[0], (unsigned char)kind[1], (unsigned char)kind[2], (unsigned char)kind[3],
        (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)(n >> 16), (unsigned char)(n >> 24)
    };
    uint32_t crc = carom_crc32(carom_crc32(0, start, 8), payload, n);
    unsigned char check[4] = { (unsigned char)crc, (unsigned char)(crc >> 8), (unsigned char)(crc >> 16),
                               (unsigned char)(crc >> 24) };
    carom_results_text_bytes(&s->bytes, start, 8);
    carom_results_text_bytes(&s->bytes, payload, n);
    carom_results_text_bytes(&s->bytes, check, 4);
}

static Sketch sketch(const char *head)
{
    Sketch s = { { 0 } };
    carom_results_text_bytes(&s.bytes, CAROM_RESULTS_MAGIC, CAROM_RESULTS_MAGIC_BYTES);
    if (head) sketch_frame(&s, "HEAD", head, strlen(head));
    return s;
}

#define TWELVE "[1,2,3,4,5,6,7,8,9,10,11,12]"
#define GOOD_HEAD \
    "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"pairs\":[{}],\"contact\":" TWELVE ",\"later\":[{}]}"

static caromStatus read_sketch(Sketch *s, char *message, int64_t *rows)
{
    caromResults *results;
    caromError err = { 0 };
    caromStatus status = parse_copy((unsigned char *)s->bytes.data, s->bytes.size, &results, &err);
    if (rows) *rows = results ? carom_results_row_count(results) : -1;
    if (message) strcpy(message, err.message);
    carom_results_close(results);
    carom_results_text_free(&s->bytes);
    return status;
}

static void heads_that_do_not_describe_the_file_are_refused(void **state)
{
    (void)state;
    const char *heads[] = {
        "", "{}", "[]", "{\"columns\":[]}", "{\"columns\":[],\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"time\"}],\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"t\",\"unit\":\"s\"}],\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":1,\"unit\":\"s\"}],\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":{\"name\":\"time\",\"unit\":\"s\"},\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"pairs\":{},\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"pairs\":[],\"contact\":[1]}",
        "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],\"columns\":[{\"name\":\"time\",\"unit\":\"s\"}],"
        "\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"ti\\u0000me\",\"unit\":\"s\"}],\"pairs\":[],\"contact\":" TWELVE "}",
        "{\"columns\":[{\"name\":\"time\",\"unit\":\"s\"},1],\"pairs\":[],\"contact\":" TWELVE "}",
    };
    char message[512];
    for (size_t i = 0; i < sizeof heads/sizeof *heads; i++) {
        Sketch s = sketch(heads[i]);
        if (read_sketch(&s, message, NULL) != CAROM_ERR_FILE) fail_msg("taken for a head: %s", heads[i]);
        assert_string_equal(message, "damaged: its head does not describe columns, pairs and contacts");
    }
    Sketch s = sketch(GOOD_HEAD);
    assert_int_equal(read_sketch(&s, NULL, NULL), CAROM_OK);
}

static void key_that_is_longer_than_any_of_ours_is_stepped_over(void **state)
{
    (void)state;
    char head[512];
    snprintf(head, sizeof head, "{\"%0200d\":1,%s", 7, &GOOD_HEAD[1]);
    Sketch s = sketch(head);
    assert_int_equal(read_sketch(&s, NULL, NULL), CAROM_OK);
}

static void wrong_content_is_named_with_its_place(void **state)
{
    (void)state;
    double row[13] = { 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    char message[512], expected[128];
    const struct { const char *kind; size_t size; double pair; const char *text; } cases[] = {
        { "SAMP", 7, 0, NULL }, { "SAMP", 0, 0, NULL }, { "SAMP", 16, 0, NULL }, { "SAMP", 104, 1, NULL },
            { "SAMP", 104, -1, NULL },
        { "SAMP", 104, 0.5, NULL }, { "SAMP", 104, NAN, NULL }, { "EVNT", 0, 0, "" }, { "EVNT", 0, 0, "{" },
            { "DONE", 0, 0, "7" },
        { "HEAD", 0, 0, GOOD_HEAD }, { "PAIR", 0, 0, "{}" }, { "PAIR", 0, 0, "7" }, { "PAIR", 0, 0, "{\"pair\":1}" },
            { "PAIR", 0, 0, "{\"pair\":-1}" }, { "PAIR", 0, 0, "{\"pair\":0.5}" }, { "PAIR", 0, 0, "{\"pair\":\"0\"}" },
    };
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        Sketch s = sketch(GOOD_HEAD);
        snprintf(expected, sizeof expected, "damaged: the frame at byte %d has a good checksum but wrong content",
                 (int)s.bytes.size);
        row[1] = cases[i].pair;
        if (cases[i].text) sketch_frame(&s, cases[i].kind, cases[i].text, strlen(cases[i].text));
        else sketch_frame(&s, cases[i].kind, row, cases[i].size);
        assert_int_equal(read_sketch(&s, message, NULL), CAROM_ERR_FILE);
        assert_string_equal(message, expected);
    }
}

static void frames_of_a_later_version_are_stepped_over(void **state)
{
    (void)state;
    double row[13] = { 0.5, 0 };
    int64_t rows;
    Sketch s = sketch(GOOD_HEAD);
    sketch_frame(&s, "NEWS", "abc", 3);
    sketch_frame(&s, "SAMP", row, 8);
    sketch_frame(&s, "SAMP", row, 104);
    sketch_frame(&s, "DONE", "{}", 2);
    sketch_frame(&s, "SAMP", row, 8);  // behind the last frame: not part of the run
    assert_int_equal(read_sketch(&s, NULL, &rows), CAROM_OK);
    assert_int_equal(rows, 2);
    s = sketch(NULL);
    sketch_frame(&s, "SAMP", row, 8);
    assert_int_equal(read_sketch(&s, NULL, NULL), CAROM_ERR_FILE);
}

static void what_is_no_results_file_is_said_so(void **state)
{
    (void)state;
    const char *path = scratch("other");
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("no-such-file.carom", &results, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "cannot open it: No such file or directory");
    assert_string_equal(err.where, "no-such-file.carom");
    assert_int_equal(carom_results_open(".", &results, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "not a regular file");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "not a regular file");
    unlink(path);
    spit(path, "carom: 1\nbodies: {}\n", 20);
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "not a results file of carom");
    spit(path, "carom results 2\n", 16);
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_ERR_FILE);
    assert_non_null(strstr(err.message, "another version of the format"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_comes_back),
        cmocka_unit_test(cut_off_anywhere_gives_the_frames_before),
        cmocka_unit_test(wrong_bit_anywhere_gives_the_frames_before),
        cmocka_unit_test(random_bytes_are_refused),
        cmocka_unit_test(heads_that_do_not_describe_the_file_are_refused),
        cmocka_unit_test(key_that_is_longer_than_any_of_ours_is_stepped_over),
        cmocka_unit_test(wrong_content_is_named_with_its_place),
        cmocka_unit_test(frames_of_a_later_version_are_stepped_over),
        cmocka_unit_test(what_is_no_results_file_is_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
