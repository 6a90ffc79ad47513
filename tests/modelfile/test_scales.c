// Sizes, masses and speeds that a forgotten unit makes: told of what they are; never of an example.
#include <dirent.h>

#include "modelfile_helpers.h"

#define PARTS                                                                                                  \
    "carom: 1\n"                                                                                               \
    "contact: {restitution: 0.5, friction: 0.3}\n"                                                             \
    "bodies:\n"                                                                                                \
    "  floor: {fixed: true, material: steel, shape: {box: {size: [200, 200, 10 mm]}}}\n"                       \
    "  pin: {material: steel, shape: {sphere: {radius: 3 mm}}, position: [9, 0, 1], velocity: [0, 1 mm/s, 0]}\n" \
    "  nut: {material: steel, shape: {box: {size: [4 mm, 5 mm, 6 mm]}}, position: [5, 0, 1], velocity: [0, 2 "  \
    "mm/s, 0]}\n"
#define BALL "  ball: {material: steel, position: [0, 0, 90], "
#define OTHER(NAME, X) \
    "  " NAME ": {material: steel, shape: {sphere: {radius: 5 cm}}, mass: 10 g, position: [" X ", 0, 1]}\n"
#define MISSING " in the middle): is a unit missing?"

static bool is_of_scales(const caromProblem *p)
{
    return strstr(p->message, "is a unit missing?") != NULL;
}

static int count_scales(const char *text, const char *path, caromProblem *last, char *message, size_t n)
{
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    int count = 0;
    carom_modelfile_read_from(&(caromModelText){ path, text, strlen(text), NULL, 0 }, &problems, &model);
    assert_non_null(model);
    carom_model_check_scales(model, &problems);
    carom_modelfile_locate(text, strlen(text), NULL, 0, &problems);
    for (int i = 0; i < problems.count; i++) {
        if (!is_of_scales(&problems.items[i])) continue;
        CHECK(problems.items[i].is_warning);
        if (last) *last = problems.items[i];
        if (message) snprintf(message, n, "%s", problems.items[i].message);
        count++;
    }
    carom_problems_free(&problems);
    carom_model_destroy(model);
    return count;
}

static void expect_warning(const char *text, int line, const char *expected)
{
    caromProblem last;
    char message[600] = "";
    assert_int_equal(count_scales(text, NULL, &last, message, sizeof message), 1);
    assert_string_equal(message, expected);
    assert_int_equal(last.line, line);
}

static void a_forgotten_unit_is_told(void **state)
{
    (void)state;
    assert_int_equal(count_scales(PARTS, NULL, NULL, NULL, 0), 0);
    expect_warning(PARTS BALL "shape: {sphere: {radius: 50}}}\n", 7,
                   "body 'ball' reaches 50 m, 1.1e+04 times larger than the rest of the model (0.00439 m" MISSING);
    expect_warning(PARTS BALL "mass: 20, shape: {sphere: {radius: 5 mm}}}\n", 7,
                   "body 'ball' has 20 kg, 2.1e+04 times larger than the rest of the model (0.000942 kg" MISSING);
    expect_warning(PARTS BALL "shape: {sphere: {radius: 5 mm}}, velocity: [30, 0, 0]}\n", 7,
                   "body 'ball' starts with 30 m/s, 1.5e+04 times larger than the rest of the model (0.002 m/s"
                   MISSING);
    expect_warning(PARTS BALL "shape: {sphere: {radius: 2 um}}, mass: 1 g}\n"
                   OTHER("box", "20") OTHER("can", "21") OTHER("jar", "22") OTHER("cup", "23"), 7,
                   "body 'ball' reaches 2e-06 m, 2.5e+04 times smaller than the rest of the model (0.05 m" MISSING);
    expect_warning(PARTS "  arm: {material: steel, shape: {box: {size: [10 mm, 2 mm, 2 mm]}}}\n"
                   "joints: {hinge: {type: revolute, between: [world, arm], angle_rate: 9000}}\n", 8,
                   "body 'arm' starts with 46.8 m/s, 2.3e+04 times larger than the rest of the model (0.002 m/s"
                   MISSING);
}

// Two only: the larger one is told, once.
static void of_two_one_is_told(void **state)
{
    (void)state;
    const char *text = "carom: 1\ncontact: {restitution: 0.5, friction: 0.3}\nbodies:\n"
                       "  pin: {material: steel, shape: {sphere: {radius: 3 mm}}, position: [100, 0, 1]}\n"
                       "  ball: {material: steel, shape: {sphere: {radius: 50}}}\n";
    expect_warning(text, 5, "body 'ball' reaches 50 m, 1.7e+04 times larger than the rest of the model (0.003 m in the "
                   "middle): is a unit missing?");
}

static void no_example_has_any(void **state)
{
    (void)state;
    int nfile = 0;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/examples");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t n = strlen(entry->d_name), length;
        char path[600];
        if (n < 5 || strcmp(entry->d_name + n - 5, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/examples/%s", CAROM_SOURCE_DIR, entry->d_name);
        char *text = NULL;
        assert_int_equal(carom_modelfile_load(path, &text, &length, NULL), CAROM_OK);
        if (count_scales(text, path, NULL, NULL, 0) != 0) fail_msg("%s", path);
        free(text);
        nfile++;
    }
    closedir(folder);
    CHECK(nfile > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forgotten_unit_is_told),
        cmocka_unit_test(of_two_one_is_told),
        cmocka_unit_test(no_example_has_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
