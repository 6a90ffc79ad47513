// The rigid response in a model file: its settings, and the law of impact of each pair.
#include "model/model.h"
#include "modelfile_helpers.h"

#define BALLS                                                                                                        \
    "bodies:\n"                                                                                                      \
    "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"                                              \
    "  ball: {material: steel, position: [0, 0, 2], shape: {sphere: {radius: 1}}}\n"                                 \
    "  other: {material: steel, position: [3, 0, 2], shape: {sphere: {radius: 1}}}\n"

static const char model_text[] =
    "carom: 1\n"
                                 "pairs:\n"
                                 "  - {between: [steel, wood], restitution: 0.5, friction: 0.3, impact_law: newton}\n"
                                 "contact: {response: rigid, impact_law: poisson, impacts: together, impact_exponent: "
                                 "1, landing: stretched, jam: compliance, restitution: 0.8, friction: 0}\n" BALLS;

static void settings_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = good_model(model_text, NULL, 0);
    const caromSettings *s = carom_model_settings(model);
    assert_int_equal(s->response, CAROM_RESPONSE_RIGID);
    assert_int_equal(s->impact_law, CAROM_IMPACT_POISSON);
    assert_int_equal(s->impacts, CAROM_IMPACTS_TOGETHER);
    assert_int_equal(s->landing, CAROM_LANDING_STRETCHED);
    assert_int_equal(s->jam, CAROM_JAM_COMPLIANCE);
    assert_true(s->impact_exponent == 1.0);
    carom_model_destroy(model);
}

static void settings_have_defaults(void **state)
{
    (void)state;
    caromModel *model = good_model("carom: 1\ncontact: {restitution: 0.5, friction: 0}\n" BALLS, NULL, 0);
    const caromSettings *s = carom_model_settings(model);
    assert_int_equal(s->response, CAROM_RESPONSE_COMPLIANT);
    assert_int_equal(s->impact_law, CAROM_IMPACT_ENERGETIC);
    assert_int_equal(s->impacts, CAROM_IMPACTS_WAVES);
    assert_int_equal(s->landing, CAROM_LANDING_SUM);
    assert_true(s->impact_exponent == 1.5);
    carom_model_destroy(model);
}

static void a_pair_has_its_own_law_or_that_of_the_settings(void **state)
{
    (void)state;
    const char *override = "pairs.0.impact_law=newton-frictionless";
    caromModel *model = good_model(model_text, NULL, 0), *changed = good_model(model_text, &override, 1);
    assert_int_equal(carom_model_law_of(model, 0)->impact, CAROM_IMPACT_NEWTON);  // floor - ball
    assert_int_equal(carom_model_law_of(model, 2)->impact, CAROM_IMPACT_POISSON);  // the balls
    assert_int_equal(carom_model_law_of(changed, 0)->impact, CAROM_IMPACT_NEWTON_FRICTIONLESS);
    carom_model_destroy(model);
    carom_model_destroy(changed);
}

// Stiffness, damping and laws of one's own mean nothing to rigid bodies, and are no mistake: the same file
// runs with both responses.
static void what_the_rigid_response_does_not_read_is_passed_over(void **state)
{
    (void)state;
    static const char *const pairs[] = { "stiffness: 1e6 N/m", "damping: given, damping_coefficient: 1 s/m",
                                         "law: k*d, parameters: {k: 1e6 N/m}" };
    static const char *const responses[] = { "contact.response=rigid", "contact.response=compliant" };
    char text[1000];
    for (size_t i = 0; i < sizeof pairs/sizeof pairs[0]; i++) {
        snprintf(text, sizeof text, "carom: 1\ncontact: {restitution: 0.5, friction: 0}\npairs:\n"
                 "  - {between: [steel, wood], friction: 0.3, %s}\n" BALLS, pairs[i]);
        for (int k = 0; k < 2; k++) {
            char *list = problems_of(text, strlen(text), &responses[k], 1, NULL);
            assert_string_equal(list, "");
            free(list);
        }
    }
}

// ---- restitution over speed

static caromModel *with_restitution(const char *restitution)
{
    char text[1000];
    snprintf(text, sizeof text, "carom: 1\ncontact: {restitution: 0.5, friction: 0}\npairs:\n  - {between: [steel, "
             "wood], restitution: %s}\n" BALLS, restitution);
    return good_model(text, NULL, 0);
}

// Half-way between two points, at them, and outside: values are exact in binary but for 0.6.
static void a_table_is_joined_by_straight_lines(void **state)
{
    (void)state;
    caromModel *model = with_restitution("{table: [[0.5 m/s, 0.75], [1 m/s, 0.5], [300 cm/s, 0.25]]}");
    static const double expected[][2] = { { 0, 0.75 }, { 0.5, 0.75 }, { 0.75, 0.625 }, { 1, 0.5 }, { 2, 0.375 },
                                          { 3, 0.25 }, { 100, 0.25 } };
    for (size_t i = 0; i < sizeof expected/sizeof expected[0]; i++)
        CHECK_NEAR(carom_model_pair_restitution(model, 0, expected[i][0]), expected[i][1], 2.3e-16);
    caromPairInfo info = carom_model_pair(model, 0);
    assert_true(info.restitution == 0.5 && info.origin[CAROM_COEFFICIENT_RESTITUTION] == CAROM_ORIGIN_MODEL);
    assert_string_equal(info.restitution_law, "0.5 m/s: 0.75, 1 m/s: 0.5, 3 m/s: 0.25");
    // The balls: a number.
    assert_true(carom_model_pair_restitution(model, 2, 3) == carom_model_pair(model, 2).restitution &&
                !carom_model_pair(model, 2).restitution_law);
    carom_model_destroy(model);
}

static void a_formula_is_one_with_or_without_its_key(void **state)
{
    (void)state;
    caromModel *bare = with_restitution("0.9*(1 + v/2)^-0.2"),
               *keyed = with_restitution("{expression: 0.9*(1 + v/2)^-0.2}");
    for (int i = 0; i < 20; i++) {
        double v = 0.1*i, e = carom_model_pair_restitution(bare, 0, v);
        CHECK_NEAR(e, 0.9*pow(1 + v/2, -0.2), 4*2.3e-16);
        assert_true(e == carom_model_pair_restitution(keyed, 0, v));
    }
    assert_string_equal(carom_model_pair(bare, 0).restitution_law, "0.9*(1 + v/2)^-0.2");
    carom_model_destroy(bare);
    carom_model_destroy(keyed);
}

// v^-0.1 is infinite at rest and above 1 below 1 m/s; the logarithm is no number below 0.
static void what_is_out_of_range_is_cut_off(void **state)
{
    (void)state;
    caromModel *model = with_restitution("'min(1, v^-0.1) + step(0.001 - v)'"),
               *log_of = with_restitution("'min(0.5, log(v*1000) + 0*v)'");
    assert_true(carom_model_pair_restitution(model, 0, 0) == 1.0 &&
                carom_model_pair_restitution(model, 0, 1e-4) == 1.0);
    CHECK_NEAR(carom_model_pair_restitution(model, 0, 1024), 0.5, 1e-15);
    assert_true(carom_model_pair_restitution(log_of, 0, 0) == 0.0 &&
                carom_model_pair_restitution(log_of, 0, 1e-4) == 0.0);
    carom_model_destroy(model);
    carom_model_destroy(log_of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_as_the_file_says),
        cmocka_unit_test(settings_have_defaults),
        cmocka_unit_test(a_pair_has_its_own_law_or_that_of_the_settings),
        cmocka_unit_test(what_the_rigid_response_does_not_read_is_passed_over),
        cmocka_unit_test(a_table_is_joined_by_straight_lines),
        cmocka_unit_test(a_formula_is_one_with_or_without_its_key),
        cmocka_unit_test(what_is_out_of_range_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
