// Laws of pairs in a model file: read as they are written, changed by overrides, and refused where shapes cannot have
// them.
#include "carom/contact.h"
#include "model/model.h"
#include "modelfile_helpers.h"

static caromModel *laws(const char *const *overrides, int n)
{
    char *text = source_file("tests/modelfile/good/laws.yaml", NULL);
    caromModel *model = good_model(text, overrides, n);
    free(text);
    return model;
}

// The pair of the floor (shape 0) with shape k.
static caromPairInfo with_floor(const caromModel *model, int k)
{
    caromPairInfo info = carom_model_pair(model, k - 1);
    assert_true(info.shape[0] == 0 && info.shape[1] == k);
    return info;
}

static void contact_is_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = laws(NULL, 0);
    const caromSettings *s = carom_model_settings(model);
    assert_int_equal(s->damping, CAROM_DAMPING_ENGELSON_FRACTION);
    assert_int_equal(s->friction_law, CAROM_FRICTION_BRISTLE);
    assert_true(s->default_static_friction == 0.25 && s->default_torsion == 0.002 && s->rest_damping == 0.2);
    caromPairInfo others = carom_model_pair(model, 7);  // two balls, of which nothing is said
    assert_true(others.static_friction == 0.25 && others.torsion == 0.002 &&
                others.damping == CAROM_DAMPING_ENGELSON_FRACTION && isnan(others.stiffness) && !others.has_law);
    carom_model_destroy(model);
}

static void laws_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = laws(NULL, 0);
    caromPairInfo hertz = with_floor(model, 1), linear = with_floor(model, 2), adams = with_floor(model, 3),
                  simbody = with_floor(model, 4), orin = with_floor(model, 5);
    assert_true(hertz.static_friction == 0.5 && hertz.rolling == 0.01 && hertz.torsion == 0.02 &&
                hertz.damping == CAROM_DAMPING_ENGELSON_CUBIC);
    assert_true(isnan(hertz.stiffness) && isnan(hertz.exponent) && isnan(hertz.damping_coefficient) && !hertz.has_law);
    CHECK_NEAR(hertz.shell, 0.0015, 1e-18);  // 1 mm + 0.5 mm
    assert_true(linear.stiffness == 2e6 && linear.exponent == 1 && linear.damping == CAROM_DAMPING_ENGELSON_FRACTION &&
                linear.shell == 0.001);
    // 10^6.6, of an exponent that is rounded: ln(10) 6.6 eps/2.
    CHECK_NEAR(adams.stiffness, 1e5*3981071.7055349725, 1e5*3981071.7055349725*12*2.3e-16);
    CHECK_NEAR(adams.exponent, 2.2, 1e-15);
    assert_true(adams.damping == CAROM_DAMPING_DEPTH && adams.damping_coefficient == 1e4 &&
                adams.damping_depth == 1e-4);
    assert_true(simbody.stiffness == 1e8 && isnan(simbody.exponent) && simbody.damping == CAROM_DAMPING_GIVEN &&
                simbody.damping_coefficient == 0.5);
    assert_true(orin.stiffness == 3e6 && orin.exponent == 2 && orin.damping == CAROM_DAMPING_MARHEFKA_ORIN &&
                orin.damping_coefficient == 2);
    carom_model_destroy(model);
}

static double own_force(const caromModel *model, int k, double depth, double speed)
{
    const caromPairLaw *law = carom_model_law_of(model, k - 1);
    caromJet values[2 + CAROM_PARAMETERS_MAX] = { carom_jet_constant(depth), carom_jet_constant(speed) };
    for (int i = 0; i < law->nparameter; i++) values[2 + i] = carom_jet_constant(law->parameters[i]);
    return carom_expression_at(law->expression, values).value;
}

static void formulas_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = laws(NULL, 0);
    assert_true(with_floor(model, 6).has_law && with_floor(model, 7).has_law);
    double expected = 5*pow(10, 4.5)*pow(1e-4, 1.5)*(1 + 0.3*0.5);
    CHECK_NEAR(own_force(model, 6, 1e-4, 0.5), expected, 1e-14*expected);  // two powers and a few roundings
    CHECK_NEAR(own_force(model, 6, 1e-4, -10), 0, 0);
    CHECK_NEAR(own_force(model, 7, 1e-4, 0.5), 100, 1e-13);
    carom_model_destroy(model);
}

static void overrides_reach_laws(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "pairs.5.parameters.c=0 s/m",        "pairs.5.law=k*d^n*(1 + c*v) + b*d", "pairs.5.parameters.b=1 kN/m",
        "pairs.1.exponent=2",                "pairs.1.stiffness=4 N/mm^2",         "bodies.linear.shape.shell=2 mm",
        "contact.friction_law=smooth",       "contact.rest_damping=0",             "pairs.0.static_friction=0.9",
        "pairs.6.law=k*d",                   "pairs.6.parameters={k: 3 N/mm}"
    };
    caromModel *model = laws(overrides, (int)(sizeof overrides/sizeof overrides[0]));
    caromPairInfo linear = with_floor(model, 2);
    assert_true(linear.exponent == 2 && linear.stiffness == 4e6);
    CHECK_NEAR(linear.shell, 0.003, 1e-18);
    assert_true(with_floor(model, 1).static_friction == 0.9);
    assert_true(carom_model_settings(model)->friction_law == CAROM_FRICTION_SMOOTH &&
                carom_model_settings(model)->rest_damping == 0);
    double expected = 5*pow(10, 4.5)*pow(1e-4, 1.5) + 0.1;
    CHECK_NEAR(own_force(model, 6, 1e-4, 0.5), expected, 1e-14*expected);
    CHECK_NEAR(own_force(model, 7, 1e-4, 0), 0.3, 1e-15);
    carom_model_destroy(model);
}

// Where the file has no parameters they are made.
static void parameters_are_added_by_an_override(void **state)
{
    (void)state;
    const char *const overrides[] = { "pairs.6.parameters.k=3 N/mm", "pairs.6.law=k*d" };
    caromModel *model = laws(overrides, 2);
    CHECK_NEAR(own_force(model, 7, 1e-4, 0), 0.3, 1e-15);
    carom_model_destroy(model);
}

static void wrong_overrides_say_why(void **state)
{
    (void)state;
    const struct { const char *override, *expected; } wrong[] = {
        { "pairs.5.parameters.c.x=1", "--set pairs.5.parameters.c.x: error: 'c' is a value: there is nothing below it\n" },
        { "pairs.5.parameters.c=fast", "--set pairs.5.parameters.c: error: expected a quantity such as 5 mm, got 'fast'\n" },
        { "pairs.5.parameters.pi=3", "--set pairs.5.parameters.pi: error: a parameter cannot be called 'pi': every expression has that\n" },
        { "pairs.5.law=k*d*x", "--set pairs.5.law: error: column 5: unknown name 'x': known are d, v, k, n, c, pi\n" },
        { "pairs.1.exponent=2", "6:76: error: expected a stiffness in N/m^2, since exponent is 2, got '2 kN/mm'\n" },
        { "contact.damping=depth", "--set contact.damping: error: damping 'depth' needs a coefficient, which belongs to a pair of materials: give both in pairs\n" },
        { "pairs.2.damping=given", "7:126: error: expected an inverse speed such as 0.5 s/m, got a damping coefficient "
          "('10 N s/mm'); that is for damping: depth\n"
          "7:152: error: only damping 'depth' has a depth, that of this pair is 'given': leave it out, "
          "or give damping: depth\n" },
        { "bodies.linear.shape.shell=-1 mm", "--set bodies.linear.shape.shell: error: shell -0.001 m is negative or not finite: expected 0 or more\n" },
    };
    char *text = source_file("tests/modelfile/good/laws.yaml", NULL);
    for (size_t i = 0; i < sizeof wrong/sizeof wrong[0]; i++)
        expect_problems(text, &wrong[i].override, 1, wrong[i].expected);
    free(text);
}

// ---- what shapes cannot have

#define FACES(pair, box)                                                                        \
    "carom: 1\npairs:\n  - {between: [wood, steel], restitution: 0.5, friction: 0.3" pair "}\n" \
    "  - {between: [wood, wood], restitution: 0.5, friction: 0.3}\n"                            \
    "bodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"               \
    "  box: {material: wood, shape: {box: {size: [1, 1, 1]}" box "}, position: [0, 0, 2]}\n"    \
    "  other: {material: wood, shape: {box: {size: [1, 1, 1]}}, position: [4, 0, 2]}\n"         \
    "  ball: {material: wood, shape: {sphere: {radius: 1}}, position: [8, 0, 2]}\n"

static void expect_refusal(const char *text, const char *expected)
{
    caromModel *model = good_model(text, NULL, 0);
    caromProblems problems = { 0 };
    char list[1000] = "";
    size_t n = 0;
    carom_contact_check(model, &problems);
    carom_modelfile_locate(text, strlen(text), NULL, 0, &problems);
    for (int i = 0; i < problems.count; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%d:%d: %s\n", problems.items[i].line,
                              problems.items[i].column, problems.items[i].message);
    assert_int_equal(problems.errors, problems.count);
    assert_string_equal(list, expected);
    carom_problems_free(&problems);
    carom_model_destroy(model);
}

static void faces_have_exponent_one_and_no_law(void **state)
{
    (void)state;
    expect_refusal(FACES("", ""), "");
    expect_refusal(FACES(", stiffness: 1e6 N/m", ""), "");
    expect_refusal(FACES(", stiffness: 1e6", ""), "");
    expect_refusal(FACES(", stiffness: 1e6, exponent: 1.5", ""), "3:89: 'floor' and 'box' press over a face (as does 1 "
                   "more pair of these materials), which needs exponent 1, got 1.5: give one of them another material, "
                   "or a shape that touches in points\n");
    expect_refusal(FACES(", stiffness: 1e6 N/m^2", ""), "3:5: 'floor' and 'box' press over a face (as does 1 more pair "
                   "of these materials), which needs exponent 1, got 2: give one of them another material, "
                   "or a shape that touches in points\n");
    expect_refusal(FACES(", law: 1e6*d", ""), "3:68: 'floor' and 'box' press over a face (as does 1 more pair of these "
                   "materials), which has no law of one's own: give one of them another material, "
                   "or a shape that touches in points\n");
}

static void shells_of_faces_need_a_half_space(void **state)
{
    (void)state;
    expect_refusal(FACES("", ", shell: 1 mm"), "7:64: 'box' and 'other' press over a face, where a shell needs one of "
                   "the two to be a half-space: leave it out, or use a shape that touches in points\n");
    expect_refusal("carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}, shell: 1 mm}}\n"
                   "  box: {material: steel, shape: {box: {size: [1, 1, 1]}, shell: 1 mm}, position: [0, 0, 1]}\n"
                   "pairs: [{between: [steel, steel], restitution: 0.5, friction: 0.3}]\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_is_as_the_file_says),
        cmocka_unit_test(laws_are_as_the_file_says),
        cmocka_unit_test(formulas_are_as_the_file_says),
        cmocka_unit_test(overrides_reach_laws),
        cmocka_unit_test(parameters_are_added_by_an_override),
        cmocka_unit_test(wrong_overrides_say_why),
        cmocka_unit_test(faces_have_exponent_one_and_no_law),
        cmocka_unit_test(shells_of_faces_need_a_half_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
