#include "cli.h"

#include <unistd.h>

#include "check.h"

static void quantities_have_four_digits_and_a_prefix(void **state)
{
    (void)state;
    const struct { double value; const char *unit, *text; } cases[] = {
        { 0, "s", "0 s" }, { 12.3e-6, "s", "12.3 us" }, { 1e-3, "m", "1 mm" }, { 0.99996, "m", "1 m" }, { 0.9994, "m", "999.4 mm" },
        { -2.5e-9, "J", "-2.5 nJ" }, { 3, "s", "3 s" }, { 1234.5, "s", "1234.5 s" }, { 1e6, "s", "1000000 s" }, { 1e5, "m", "100000 m" },
        { 1234.5, "J", "1.234 kJ" }, { 999.96, "J", "1 kJ" }, { 210e9, "Pa", "210 GPa" }, { 3e-13, "m", "3.000e-13 m" }, { 1e-12, "m", "1 pm" },
        { 2e20, "J", "2.000e+20 J" }, { 0.576, "kg", "576 g" }, { 4.1, "kg", "4.1 kg" }, { 2e-6, "kg", "2 mg" }, { 1200, "kg", "1200 kg" },
        { NAN, "m", "nan m" }, { INFINITY, "J", "inf J" },
    };
    setenv("LC_ALL", "C", 1);
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++)
        assert_string_equal(si(cases[i].value, cases[i].unit), cases[i].text);
    setenv("LC_ALL", "en_US.UTF-8", 1);
    assert_string_equal(si(12.3e-6, "s"), "12.3 \xc2\xb5s");
}

static void encoding_is_that_of_the_first_variable_that_is_set(void **state)
{
    (void)state;
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "de_DE.utf8", 1);
    assert_true(terminal_is_utf8());
    setenv("LC_CTYPE", "C", 1);
    assert_false(terminal_is_utf8());
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_true(terminal_is_utf8());
    setenv("LC_ALL", "", 1);
    assert_false(terminal_is_utf8());
}

static void counts_agree_with_their_word(void **state)
{
    (void)state;
    assert_string_equal(count_of(0, "touch"), "0 touches");
    assert_string_equal(count_of(1, "touch"), "1 touch");
    assert_string_equal(count_of(1, "error"), "1 error");
    assert_string_equal(count_of(4812, "step"), "4812 steps");
    assert_string_equal(count_of(1234567, ""), "1 234 567");
    assert_string_equal(factor(7.123), "7.12");
    assert_string_equal(factor(3444.4), "3444");
}

static void nearest_word_is_near(void **state)
{
    (void)state;
    const char *words[] = { "check", "run", "view", "output", "quiet" };
    assert_string_equal(nearest_word("rnu", words, 5), "run");
    assert_string_equal(nearest_word("chekc", words, 5), "check");
    assert_string_equal(nearest_word("out", words, 5), "output");
    assert_null(nearest_word("simulate", words, 5));
    assert_null(nearest_word("", words, 5));
    char long_word[200];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[199] = '\0';
    assert_null(nearest_word(long_word, words, 5));
}

// A shell reads back what was meant, whatever the name.
static void names_are_quoted_for_the_shell(void **state)
{
    (void)state;
    assert_string_equal(shell_word("dir/a-b_1.carom"), "dir/a-b_1.carom");
    assert_string_equal(shell_word("my file.carom"), "'my file.carom'");
    assert_string_equal(shell_word("it's"), "'it'\\''s'");
    assert_string_equal(shell_word("-o.carom"), "./-o.carom");
    assert_string_equal(shell_word("-o x"), "'./-o x'");
    assert_string_equal(shell_word(""), "''");
    for (int c = 1; c < 256; c++) {
        char name[] = { 'a', (char)c, '~', (char)c, (char)c, '\0' }, command[128], text[16] = "";
        snprintf(command, sizeof command, "printf %%s %s", shell_word(name));
        FILE *shell = popen(command, "r");
        assert_non_null(shell);
        text[fread(text, 1, sizeof text - 1, shell)] = '\0';
        assert_int_equal(pclose(shell), 0);
        assert_string_equal(text, name);
    }
    char path[PATH_SIZE];
    memset(path, '\'', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(strlen(shell_word(path)), 4*(PATH_SIZE - 1) + 2);
}

static void table_aligns_by_characters(void **state)
{
    (void)state;
    Table table = table_of(2, "rl");
    table_cell(&table, "1 \xc2\xb5m");
    table_cell(&table, "a");
    table_cell(&table, "100 mm");
    table_cell(&table, "bc");
    char text[128] = "";
    FILE *file = tmpfile();
    table_print(&table, file, 1);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "   1 \xc2\xb5m  a\n 100 mm  bc\n");
}

static void expect_complaint(const char *where, const char *message, const char *expected)
{
    caromError err;
    char text[800] = "";
    carom_fail(&err, CAROM_ERR_NUMERIC, where, "%s", message);
    FILE *file = tmpfile();
    int old = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    complain_of(&err);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void place_of_an_error_is_named_once(void **state)
{
    (void)state;
    expect_complaint("floor - a", "at 0.1 s floor - a overlap", "carom: error: at 0.1 s floor - a overlap\n");
    expect_complaint("a", "body 'a': its motion is not finite", "carom: error: body 'a': its motion is not finite\n");
    // Letters of other words.
    expect_complaint("a", "at 0.1 s that cannot be", "carom: error: a: at 0.1 s that cannot be\n");
    expect_complaint("a", "b-a and a.b and a", "carom: error: b-a and a.b and a\n");
    expect_complaint("a", "b-a and a.b", "carom: error: a: b-a and a.b\n");
    expect_complaint("x.yaml", "cannot be opened", "carom: error: x.yaml: cannot be opened\n");
    expect_complaint("", "out of memory", "carom: error: out of memory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_have_four_digits_and_a_prefix),
        cmocka_unit_test(encoding_is_that_of_the_first_variable_that_is_set),
        cmocka_unit_test(counts_agree_with_their_word),
        cmocka_unit_test(nearest_word_is_near),
        cmocka_unit_test(names_are_quoted_for_the_shell),
        cmocka_unit_test(table_aligns_by_characters),
        cmocka_unit_test(place_of_an_error_is_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
