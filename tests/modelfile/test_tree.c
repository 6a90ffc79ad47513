#include <time.h>

#include "modelfile_helpers.h"

static double cpu_seconds(void)
{
    return (double)clock()/CLOCKS_PER_SEC;
}

static void nodes_know_their_line_and_column(void **state)
{
    (void)state;
    const char *text = "a: 1\nb:\n  - x\n  - {c: [2, '3']}\n\xC3\xA4\xC3\xB6: {d: 4}\n";
    caromTree tree;
    caromProblems problems = { 0 };
    carom_modelfile_tree_init(&tree);
    assert_int_equal(carom_modelfile_tree_parse(&tree, text, strlen(text), -1, &problems, &tree.root), CAROM_OK);
    typedef struct Place { const char *path; int line, column, key_line, key_column; const char *text; } Place;
    const Place places[] = { { "a", 1, 4, 1, 1, "1" }, { "b.0", 3, 5, 0, 0, "x" }, { "b.1.c.1", 4, 13, 0, 0, "3" },
                             { "b.1.c", 4, 9, 4, 6, NULL }, { "\xC3\xA4\xC3\xB6.d", 5, 9, 5, 6, "4" } };
    for (size_t i = 0; i < sizeof places/sizeof places[0]; i++) {
        int k = carom_modelfile_tree_find(&tree, places[i].path);
        const caromNode *n = &tree.nodes[k];
        assert_int_equal(n->line, places[i].line);
        assert_int_equal(n->column, places[i].column);
        assert_int_equal(n->key_line, places[i].key_line);
        assert_int_equal(n->key_column, places[i].key_column);
        if (places[i].text) assert_string_equal(n->text, places[i].text);
        char path[CAROM_PATH_MAX];
        carom_modelfile_tree_path(&tree, k, path);
        assert_string_equal(path, places[i].path);
    }
    assert_int_equal(carom_modelfile_tree_find(&tree, "a.none"), carom_modelfile_tree_find(&tree, "a"));
    assert_int_equal(carom_modelfile_tree_find(&tree, "none"), tree.root);
    assert_int_equal(carom_modelfile_tree_find(&tree, "b.7.c"), carom_modelfile_tree_find(&tree, "b"));
    assert_int_equal(carom_modelfile_tree_find(&tree, "b.99999999999999999999"), carom_modelfile_tree_find(&tree, "b"));
    carom_modelfile_tree_free(&tree);
    carom_problems_free(&problems);
}

static void paths_of_the_builder_lead_to_keys_of_the_file(void **state)
{
    (void)state;
    const char *text = "bodies:\n"
                       "  a: {shape: {sphere: {radius: 1}}}\n"
                       "  b: {shapes: {left: {box: {size: [1, 1, 1]}}, shape: {sphere: {}}}}\n";
    caromProblems problems = { 0 };
    const char *const paths[] = {
        "bodies.a.shapes.shape.radius", "bodies.a.shapes.shape", "bodies.b.shapes.left.size",
        "bodies.b.shapes.shape.radius", "bodies.b.mass", "bodies.c.mass", "gravity", "", "--set bodies.a"
    };
    const int places[][2] = { { 2, 32 }, { 2, 7 }, { 3, 35 }, { 3, 56 }, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1 },
                              { 0, 0 } };
    int n = (int)(sizeof paths/sizeof paths[0]);
    for (int i = 0; i < n; i++) carom_problem_add(&problems, false, paths[i], "found later");
    carom_modelfile_locate(text, strlen(text), NULL, 0, &problems);
    for (int i = 0; i < n; i++) {
        if (problems.items[i].line != places[i][0] || problems.items[i].column != places[i][1])
            fail_msg("%s at %d:%d", paths[i], problems.items[i].line, problems.items[i].column);
    }
    carom_problems_free(&problems);
    carom_problem_add(&problems, false, "bodies", "found later");
    carom_modelfile_locate("[", 1, NULL, 0, &problems);  // not readable: stays without a line
    assert_int_equal(problems.items[0].line, 0);
    carom_problems_free(&problems);
}

// What an override brought is shown as the option, also when only one component of a vector or a part further up came
// from it.
static void values_of_overrides_are_located_at_the_option(void **state)
{
    (void)state;
    const char *text = "bodies:\n"
                       "  a: {position: [0, 0, 1]}\n"
                       "  b: {position: [0, 0, 2]}\n"
                       "  c: {position: [0, 0, 3], mass: 1}\n";
    const char *const overrides[] = { "bodies.a.position=[1, 1, 1]", "bodies.c.position.z=4", "bodies.c.position.x=4",
                                      "bodies.d={mass: 1}" };
    const char *const paths[] = { "bodies.a.position", "bodies.b.position", "bodies.c.position", "bodies.c.mass",
                                  "bodies.d.position" };
    const char *const expected[] = { "--set bodies.a.position", "bodies.b.position", "--set bodies.c.position.x",
                                     "bodies.c.mass", "--set bodies.d" };
    const int lines[] = { 0, 3, 0, 4, 0 };
    caromProblems problems = { 0 };
    for (int i = 0; i < 5; i++) carom_problem_add(&problems, false, paths[i], "found later");
    carom_modelfile_locate(text, strlen(text), overrides, 4, &problems);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(problems.items[i].path, expected[i]);
        assert_int_equal(problems.items[i].line, lines[i]);
    }
    carom_problems_free(&problems);
}

// ---- limits: bounded time and memory. The bounds in seconds of the processor are far above what is needed, also with
// sanitizers.

static char *repeat(const char *head, const char *piece, const char *tail, size_t times, size_t *length)
{
    size_t h = strlen(head), p = strlen(piece), t = strlen(tail);
    *length = h + times*p + t;
    char *text = malloc(*length + 1);
    memcpy(text, head, h);
    for (size_t i = 0; i < times; i++) memcpy(text + h + i*p, piece, p);
    memcpy(text + h + times*p, tail, t + 1);
    return text;
}

static void check_first_problem(const char *text, size_t length, const char *beginning)
{
    double start = cpu_seconds();
    char *list = problems_of(text, length, NULL, 0, NULL);
    if (strncmp(list, beginning, strlen(beginning)) != 0) fail_msg("expected %s, got %.300s", beginning, list);
    assert_true(cpu_seconds() - start < 20.0);
    free(list);
}

static void a_huge_file_is_refused(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("carom: 1\n", "# sixteen bytes\n", "", (1 << 20) + 1, &length);
    check_first_problem(text, length, "1:1: error: the file has 16777241 bytes, more than the limit of 16 MiB\n");
    check_first_problem(text, 16 << 20, "1:1: error: a model needs the key 'bodies'");
    free(text);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    const char *const pieces[] = { "[", "{a: ", "- ", "? ", "[[", "{? " };
    for (size_t i = 0; i < sizeof pieces/sizeof pieces[0]; i++) {
        size_t length;
        char *text = repeat("", pieces[i], "", 1000000, &length);
        char *list = problems_of(text, length, NULL, 0, NULL);
        assert_true(strlen(list) > 0);
        free(list);
        free(text);
    }
    size_t length;
    char *text = repeat("x: ", "[", "", 32, &length);
    check_first_problem(text, length, "1:35: error: nested more than 32 levels deep\n");
    free(text);
}

static void nodes_are_counted(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("carom: 1\nname: [", "1,", "]\n", 1000000, &length);
    check_first_problem(text, length, "2:");
    free(text);
}

// 400,000 keys: duplicates, unknown keys and bodies must not cost the square of their number.
static void large_mappings_are_fast(void **state)
{
    (void)state;
    size_t n = 400000, length;
    char *text = repeat("carom: 1\n", "k: 1\n", "", n, &length);
    check_first_problem(text, length, "3:1: error: duplicate key 'k', first on line 2\n");
    free(text);
    text = malloc(n*16 + 64);
    char *end = text + sprintf(text, "carom: 1\n");
    for (size_t i = 0; i < n; i++) end += sprintf(end, "k%zu: 1\n", i);
    check_first_problem(text, (size_t)(end - text), "2:1: error: unknown key 'k0'");
    end = text + sprintf(text, "carom: 1\nbodies:\n");
    for (size_t i = 0; i < n; i++) end += sprintf(end, " k%zu: {}\n", i);
    check_first_problem(text, (size_t)(end - text), "2:1: error: the model is too large");
    free(text);
}

static void a_long_line_of_quotes_is_fast(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("carom: 1\nname: \"", "\\x41", "\"\n", 4000000, &length);
    check_first_problem(text, length, "1:1: error: a model needs the key 'bodies'");
    free(text);
    text = repeat("carom: 1\nname: ", "a ", "\n", 8000000, &length);
    check_first_problem(text, length, "1:1: error: a model needs the key 'bodies'");
    free(text);
    text = repeat("carom: 1\n? ", "a", "\n: 3\n", 8000000, &length);
    check_first_problem(text, length, "1:1: error: a model needs the key 'bodies'");
    free(text);
}

static void text_needs_no_terminator(void **state)
{
    (void)state;
    const char *whole = "carom: 1\nbodies: {ball: {material: steel, shape: {sphere: {radius: 1}}}}\ntail: \t";
    for (size_t n = 0; n <= strlen(whole); n++) {
        char *exact = malloc(n ? n : 1);  // the sanitizer sees a read beyond it
        memcpy(exact, whole, n);
        free(problems_of(exact, n, NULL, 0, NULL));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_their_line_and_column),
        cmocka_unit_test(paths_of_the_builder_lead_to_keys_of_the_file),
        cmocka_unit_test(values_of_overrides_are_located_at_the_option),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(nodes_are_counted),
        cmocka_unit_test(large_mappings_are_fast),
        cmocka_unit_test(a_long_line_of_quotes_is_fast),
        cmocka_unit_test(text_needs_no_terminator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
