#include <locale.h>
#include <math.h>

#include "base/base.h"
#include "base/json.h"
#include "results/results.h"

#include "check.h"

static void number_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    Random random = { 7 };
    char text[CAROM_NUMBER_MAX];
    for (int i = 0; i < 200000; i++) {
        random_uniform(&random, 0, 1);
        double value;
        memcpy(&value, &random.state, sizeof value);
        if (i % 3 == 0) value = random_uniform(&random, -10, 10);
        if (!isfinite(value)) continue;
        assert_in_range(carom_results_number_text(value, text), 1, CAROM_NUMBER_MAX - 1);
        if (strtod(text, NULL) != value) fail_msg("%.17g became %s", value, text);
    }
}

static void number_is_short_and_plain(void **state)
{
    (void)state;
    const struct { double value; const char *text; } cases[] = {
        { 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { -17, "-17" }, { 0.1, "0.1" }, { 1e-6, "1e-6" }, { 2.1e11, "210000000000" },
        { 1e300, "1e300" }, { -2.5e-300, "-2.5e-300" }, { 5e-324, "4.94065645841247e-324" }, { 0.1 + 0.2, "0.30000000000000004" },
        { 1e9, "1000000000" }, { 123456789.5, "123456789.5" }, { NAN, "nan" }, { INFINITY, "inf" },
            { -INFINITY, "-inf" },
    };
    char text[CAROM_NUMBER_MAX];
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        assert_int_equal(carom_results_number_text(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static void decimal_point_does_not_depend_on_the_locale(void **state)
{
    (void)state;
    char text[64];
    carom_results_number_plain("-3,25e-07", text);
    assert_string_equal(text, "-3.25e-7");
    carom_results_number_plain("3\xd9\xab" "25", text);  // U+066B, two bytes
    assert_string_equal(text, "3.25");
    carom_results_number_plain("1e+100", text);
    assert_string_equal(text, "1e100");
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) return;  // not installed here
    carom_results_number_text(0.5, text);
    assert_string_equal(text, "0.5");
    setlocale(LC_NUMERIC, "C");
}

static void what_is_written_is_strict_json(void **state)
{
    (void)state;
    caromText text = { 0 };
    carom_json_begin(&text, '{');
    carom_json_key(&text, "a\"b\\c\n\t\x01");
    carom_json_begin(&text, '[');
    carom_json_number(&text, NAN);
    carom_json_number(&text, 0.5);
    carom_json_bool(&text, true);
    carom_json_integer(&text, -9000000000);
    carom_json_begin(&text, '[');
    carom_json_finish(&text, ']');
    carom_json_finish(&text, ']');
    carom_json_key(&text, "\xff\xc3\xa4\xed\xa0\x80");
    carom_json_vec3(&text, (caromVec3){ 1, 2, 3 });
    carom_json_finish(&text, '}');
    carom_results_text_bytes(&text, "", 1);
    assert_false(text.failed);
    assert_string_equal(text.data, "{\"a\\\"b\\\\c\\n\\t\\u0001\":[null,0.5,true,-9000000000,[]],"
                                   "\"\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\":[1,2,3]}");
    assert_true(carom_json_is_one_object(text.data, text.size - 1));
    carom_results_text_free(&text);
}

static void reader_takes_what_is_json_and_nothing_else(void **state)
{
    (void)state;
    const char *good[] = { "{}", " {\"a\" : [ 1 , -0.5e+3, true,false,null,\"\\u00e4\\ud83d\\ude00\\/\" ] }\n",
                           "{\"\":{\"\":{}}}" };
    const char *wrong[] = {
        "", "{", "[]", "{}{}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":[1,]}", "{\"a\":[1 2]}",
        "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}", "{\"a\":+1}", "{\"a\":-}", "{\"a\":nul}", "{\"a\":NaN}",
        "{\"a\":\"\x01\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}",
        "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\xc0\x80\"}", "{\"a\":\"\xed\xa0\x80\"}",
        "{\"a\":\"\xf5\x80\x80\x80\"}", "{\"a\":\"\xc3", "{'a':1}", "{\"a\":1]", "{\"a\":\"\\", "{a:1}", "{\"a\":\"",
        "{\"a\":tru"
    };
    for (size_t i = 0; i < sizeof good/sizeof *good; i++)
        assert_true(carom_json_is_one_object(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++)
        if (carom_json_is_one_object(wrong[i], strlen(wrong[i]))) fail_msg("taken for JSON: %s", wrong[i]);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    char text[4096];
    for (int depth = 1; depth < 1000; depth += depth < 40 ? 1 : 100) {
        size_t n = 0;
        memcpy(text, "{\"a\":", 5);
        n += 5;
        for (int i = 1; i < depth; i++) text[n++] = '[';
        if (depth == 1) text[n++] = '1';
        for (int i = 1; i < depth; i++) text[n++] = ']';
        text[n++] = '}';
        assert_int_equal(carom_json_is_one_object(text, n), depth <= CAROM_JSON_DEPTH_MAX);
    }
}

static void strings_are_decoded_within_bounds(void **state)
{
    (void)state;
    const char *source = "\"a\\u00e4\\ud83d\\ude00\\n\"";
    char text[9];
    caromJson json = { source, source + strlen(source), false };
    assert_true(carom_json_string(&json, text, sizeof text));
    assert_string_equal(text, "a\xc3\xa4\xf0\x9f\x98\x80\n");
    json = (caromJson){ source, source + strlen(source), false };
    assert_false(carom_json_string(&json, text, sizeof text - 1));
    assert_true(json.is_bad);
    const char *nul = "\"a\\u0000\"";
    json = (caromJson){ nul, nul + strlen(nul), false };
    assert_false(carom_json_string(&json, text, sizeof text));
}

static void numbers_are_read_and_mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct { const char *text; double value; } good[] = {
        { "0", 0 }, { " -1.5e3 ", -1500 }, { "0.1", 0.1 }, { "1E-2]", 0.01 }, { "1e-400", 0 },
    };
    for (size_t i = 0; i < sizeof good/sizeof good[0]; i++) {
        double value = NAN;
        caromJson json = { good[i].text, good[i].text + strlen(good[i].text), false, NULL };
        assert_true(carom_json_double(&json, &value));
        assert_true(value == good[i].value);
    }
    static const char *const bad[] = { "", "x", "+1", "1.", "1e", "1e999", "nan", "\"1\"" };
    for (size_t i = 0; i < sizeof bad/sizeof bad[0]; i++) {
        double value;
        caromJson json = { bad[i], bad[i] + strlen(bad[i]), false, NULL };
        assert_false(carom_json_double(&json, &value));
        assert_true(json.is_bad && json.bad_at >= bad[i] && json.bad_at <= bad[i] + strlen(bad[i]));
    }
}

static void checksum_is_that_of_zlib(void **state)
{
    (void)state;
    assert_int_equal(carom_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(carom_crc32(carom_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
    assert_int_equal(carom_crc32(0, "", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_reads_back_to_the_same_bits),
        cmocka_unit_test(number_is_short_and_plain),
        cmocka_unit_test(decimal_point_does_not_depend_on_the_locale),
        cmocka_unit_test(what_is_written_is_strict_json),
        cmocka_unit_test(reader_takes_what_is_json_and_nothing_else),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(strings_are_decoded_within_bounds),
        cmocka_unit_test(numbers_are_read_and_mistakes_have_a_place),
        cmocka_unit_test(checksum_is_that_of_zlib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
