// Numbers in text: what is one, where it ends, and that the nearest double is found in every locale.
#include "base/decimal.h"

#include <locale.h>

#include "check.h"

static double value_of(const char *text, long shift)
{
    caromDecimal d;
    assert_non_null(carom_decimal_scan(text, &d));
    return d.is_negative ? -carom_decimal_magnitude(&d, shift) : carom_decimal_magnitude(&d, shift);
}

static void numbers_are_the_nearest_doubles(void **state)
{
    (void)state;
    CHECK_NEAR(value_of("7.85e3", 0), 7850, 0);
    CHECK_NEAR(value_of("-.1", 0), -0.1, 0);
    CHECK_NEAR(value_of("+3.", 0), 3, 0);
    CHECK_NEAR(value_of("000.000", 0), 0, 0);
    CHECK_NEAR(value_of("10", -3), 0.01, 0);
    CHECK_NEAR(value_of("3.14159265358979323846", 0), 3.14159265358979323846, 0);
    CHECK_NEAR(value_of("1e-99999999999999999999", 0), 0, 0);
    CHECK(isinf(value_of("1e99999999999999999999", 0)));
}

// Short ones are worked out without the library; it must not show.
static void short_numbers_are_those_of_the_library(void **state)
{
    (void)state;
    Random random = { 5 };
    for (int i = 0; i < 20000; i++) {
        char text[64];
        int digits = 1 + (int)random_uniform(&random, 0, 17), exponent = (int)random_uniform(&random, -30, 30);
        snprintf(text, sizeof text, "%.*fe%d", 0, floor(random_uniform(&random, 0, 1)*pow(10, digits)), exponent);
        double expected = strtod(text, NULL), value = value_of(text, 0);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

static void the_end_is_found(void **state)
{
    (void)state;
    static const struct { const char *text; int length; } cases[] = {
        { "1.5 m", 3 }, { "1.2.3", 3 }, { "2e", 1 }, { "2e+", 1 }, { "2e+5x", 4 }, { "1,5", 1 }, { "0x1F", 1 },
            { "5E-1)", 4 } };
    caromDecimal d;
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++)
        assert_int_equal(carom_decimal_scan(cases[i].text, &d) - cases[i].text, cases[i].length);
    static const char *const none[] = { "", ".", "-", "+.e5", "e5", "inf", "nan", " 1" };
    for (size_t i = 0; i < sizeof none/sizeof none[0]; i++) {
        assert_null(carom_decimal_scan(none[i], &d));
        CHECK(!d.is_too_long);
    }
}

static void too_many_digits_are_refused(void **state)
{
    (void)state;
    char text[CAROM_DECIMAL_DIGITS_MAX + 2];
    memset(text, '7', sizeof text);
    text[CAROM_DECIMAL_DIGITS_MAX + 1] = '\0';
    caromDecimal d;
    assert_null(carom_decimal_scan(text, &d));
    CHECK(d.is_too_long);
    assert_non_null(carom_decimal_scan(text + 1, &d));
    CHECK(!d.is_too_long);
}

// Only where the machine has such a locale; elsewhere this repeats the first test.
static void a_decimal_comma_of_the_locale_changes_nothing(void **state)
{
    static const char *const locales[] = { "de_DE.UTF-8", "de_AT.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8" };
    for (size_t i = 0; i < sizeof locales/sizeof locales[0]; i++)
        if (setlocale(LC_NUMERIC, locales[i])) break;
    numbers_are_the_nearest_doubles(state);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_nearest_doubles),
        cmocka_unit_test(short_numbers_are_those_of_the_library),
        cmocka_unit_test(the_end_is_found),
        cmocka_unit_test(too_many_digits_are_refused),
        cmocka_unit_test(a_decimal_comma_of_the_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
