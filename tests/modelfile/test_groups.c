// Groups, ignored pairs, touch, touches and weighs in model files.
#include "modelfile_helpers.h"

static caromModel *groups_model(const char *const *overrides, int n)
{
    char *text = source_file("tests/modelfile/good/groups.yaml", NULL);
    caromModel *model = good_model(text, overrides, n);
    free(text);
    return model;
}

static void check_pairs(const caromModel *model, const char *const *expected, int n)
{
    assert_int_equal(carom_model_pair_count(model), n);
    for (int i = 0; i < n; i++) {
        char name[300];
        carom_model_pair_name(model, i, name, sizeof name);
        assert_string_equal(name, expected[i]);
    }
}

static void a_file_says_who_touches_whom(void **state)
{
    (void)state;
    caromModel *model = groups_model(NULL, 0);
    static const char *const pairs[] = {
        "post - arm", "wall.plate - grain.a", "wall.plate - grain.b", "wall.plate - arm", "wall.rail - grain.a",
        "wall.rail - grain.b", "wall.rail - arm", "ball - arm", "grain.a - arm", "grain.b - arm"
    };
    check_pairs(model, pairs, 10);
    assert_int_equal(carom_model_body_group_count(model, (caromBodyId){ 1 }), 0);
    assert_int_equal(carom_model_body_group_count(model, (caromBodyId){ 3 }), 2);
    assert_string_equal(carom_model_body_group(model, (caromBodyId){ 3 }, 1), "fast");
    assert_false(carom_model_shape(model, 4).touches);
    assert_false(carom_model_shape(model, 6).weighs);
    assert_true(carom_model_shape(model, 7).touches && carom_model_shape(model, 7).weighs);
    assert_true(carom_model_joint(model, 0).touch);
    caromIgnoredInfo quoted = carom_model_ignored(model, 3);
    assert_string_equal(quoted.name[0], "ball.shape");
    assert_string_equal(quoted.name[1], "wall.plate");
    caromLeftOut left_out = carom_model_left_out(model);
    assert_true(left_out.by_shape == 4 && left_out.by_joint == 0 && left_out.by_ignore == 4 + 2 + 1 + 1 + 3);
    carom_model_destroy(model);
}

#define TWO                                                                                                       \
    "carom: 1\nbodies:\n  one: {material: steel, shape: {sphere: {radius: 1}}}\n  two: {material: steel, shape: " \
    "{sphere: {radius: 1}}, position: [3, 0, 0]}\n"

static void overrides_reach_groups_and_pairs(void **state)
{
    (void)state;
    const char *const one[] = { "contact.ignore.0=[one, two]" };
    const char *const more[] = {
        "contact.ignore=[[one, all]]", "contact.ignore.1=[two, odd]", "contact.ignore.1.0=odd",
        "bodies.two.groups.0=even", "bodies.two.groups.0=odd", "bodies.one.group=odd", "contact.ignore.0.1=one.shape",
        "contact.ignore.0.0=two"
    };
    caromModel *model = good_model(TWO, one, 1);
    assert_int_equal(carom_model_pair_count(model), 0);
    carom_model_destroy(model);
    model = good_model(TWO, more, 8);
    assert_int_equal(carom_model_ignored_count(model), 2);
    assert_string_equal(carom_model_ignored(model, 0).name[0], "two");
    assert_string_equal(carom_model_ignored(model, 0).name[1], "one.shape");
    assert_string_equal(carom_model_ignored(model, 1).name[0], "odd");
    assert_string_equal(carom_model_body_group(model, (caromBodyId){ 1 }, 0), "odd");
    carom_model_destroy(model);
}

static void wrong_overrides_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        { "contact.ignore.0=[one, tow]", "--set contact.ignore.0: error: unknown body or group 'tow', did you mean 'two'?\n" },
        { "contact.ignore=[[one, two], [one, tow]]", "--set contact.ignore: error: unknown body or group 'tow', did you mean 'two'?\n" },
        { "contact.ignore=one", "--set contact.ignore: error: expected a list of pairs such as [[arm, base], [feeder, left]], got 'one'\n" },
        { "contact.ignore.1=[one, two]", "--set contact.ignore.1: error: ignore has no entry '1': it has 0, counted from 0\n" },
        { "contact.ignore.x=[one, two]", "--set contact.ignore.x: error: ignore has no entry 'x': it has 0, counted from 0\n" },
        { "contact.ignore.0=one", "--set contact.ignore.0: error: expected a list of pairs such as [[arm, base], [feeder, left]], got a list of names: each pair has brackets of its own\n" },
        { "bodies.one.group.x=odd", "--set bodies.one.group.x: error: the model has no 'group': nothing to change below it\n" },
        { "bodies.one.groups.0.x=odd", "--set bodies.one.groups.0.x: error: groups has no entry '0': it has 0, counted from 0\n" },
        { "bodies.one.groups.0=two", "--set bodies.one.groups.0: error: group 'two' has the name of a body: "
          "choose another\n"
          "--set bodies.one.groups.0: warning: group 'two' has no effect: contact.ignore does not have it\n" },
        { "bodies.one.group=odd", "--set bodies.one.group: warning: group 'odd' has no effect: contact.ignore does not have it\n" },
        { "bodies.one.shape.touches=no", "--set bodies.one.shape.touches: error: expected true or false, got 'no': write false\n" },
    };
    for (size_t i = 0; i < sizeof bad/sizeof bad[0]; i++) expect_problems(TWO, &bad[i][0], 1, bad[i][1]);
    const char *const below[] = { "contact.ignore=[[one, two]]", "contact.ignore.0.0.x=two", "contact.ignore.0.2=one",
                                  "contact.ignore.0.w=one" };
    expect_problems(TWO, below, 4, "--set contact.ignore.0.0.x: error: ignore has no component '0'\n"
                                   "--set contact.ignore.0.2: error: ignore has no component '2'\n"
                                   "--set contact.ignore.0.w: error: ignore has no component 'w'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_says_who_touches_whom),
        cmocka_unit_test(overrides_reach_groups_and_pairs),
        cmocka_unit_test(wrong_overrides_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
