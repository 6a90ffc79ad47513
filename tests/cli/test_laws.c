// What the command says of laws of pairs.
#include "cli_fixture.h"

#define MATERIALS                                                                                                    \
    "carom: 1\n"                                                                                                     \
    "materials: {a: {}, b: {}, c: {}, d: {}, e: {}}\n"                                                               \
    "contact: {restitution: 0.5, friction: 0.3, friction_law: bristle, ignore: [[balls, balls]]}\n"
#define BALL(name) \
    "  " name ": {group: balls, material: " name ", shape: {sphere: {radius: 5 cm}}, position: [0, 0, 1]}\n"

static void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("missing: %s\n--- in\n%s", part, text);
}

static void check_lists_laws(void **state)
{
    (void)state;
    write_text("laws.yaml", MATERIALS "pairs:\n"
               "  - {between: [a, steel], restitution: 0.5, friction: 0.3}\n"
               "  - {between: [b, steel], restitution: 0.5, friction: 0.3, static_friction: 0.5, torsion: 0.01}\n"
               "  - {between: [c, steel], restitution: 0.5, friction: 0.3, stiffness: 2 N/mm, damping: depth, "
               "damping_coefficient: 5, damping_depth: 0.1 mm}\n"
               "  - {between: [d, steel], restitution: 0.5, friction: 0.3, stiffness: 1e8 N/m^1.5, damping: given, "
               "damping_coefficient: 0.3}\n"
               "  - {between: [e, steel], restitution: 0.5, friction: 0.3, law: 1e6*d}\n"
               "bodies:\n"
               "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
               BALL("a") BALL("b") BALL("c") BALL("d") BALL("e"));
    Said said = carom_says("check laws.yaml");
    assert_string_equal(said.err, "");
    assert_int_equal(said.status, 0);
    expect_part(said.out, "laws of their own\n"
                          "  steel - c  stiffness 2000 N/m       damping depth 5 N s/m from 100 um on\n"
                          "  steel - d  stiffness 1e+08 N/m^1.5  damping given 0.3 s/m\n"
                          "  steel - e  1e6*d\n"
                          "pairs of shapes left out");
    expect_part(said.out, "  friction 0.3, static 0.5  rolling 0, torsion 0.01 (default)  ");
    expect_part(said.out, ", friction bristle\n");
    forget(&said);
}

static void laws_that_shapes_cannot_have_stop_it(void **state)
{
    (void)state;
    write_text("face.yaml", "carom: 1\n"
               "pairs: [{between: [steel, steel], restitution: 0.5, friction: 0.3, stiffness: 1e6, exponent: 1.5}]\n"
               "bodies:\n"
               "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
               "  box: {material: steel, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 1]}\n");
    Said said = carom_says("run face.yaml");
    assert_int_equal(said.status, 2);
    expect_part(said.err, "face.yaml:2:94: error: 'floor' and 'box' press over a face, which needs exponent 1, "
                "got 1.5: give one of them another material");
    forget(&said);
    said = carom_says("check face.yaml --set pairs.0.exponent=1");
    assert_int_equal(said.status, 0);
    forget(&said);
}

// A law of one's own asks for no restitution; that it is elastic shows in the rebound, to the five digits that are
// printed.
static void summary_has_no_restitution_that_nobody_asked_for(void **state)
{
    (void)state;
    write_text("own.yaml", "carom: 1\n"
               "gravity: [0, 0, 0]\n"
               "pairs: [{between: [steel, steel], restitution: 0.5, friction: 0.3, law: k*d^1.5, parameters: {k: "
               "1e8 N/m^1.5}}]\n"
               "bodies:\n"
               "  wall: {fixed: true, material: steel, shape: {half-space: {}}}\n"
               "  ball: {material: steel, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 0.1], velocity: "
               "[0, 0, -1]}\n"
               "simulate: {until: 0.2, tolerance: 1e-8}\n");
    Said said = carom_says("run own.yaml");
    assert_int_equal(said.status, 0);
    expect_part(said.out, "1 m/s        -     1.00000");
    forget(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(check_lists_laws),
        CLI_TEST(laws_that_shapes_cannot_have_stop_it),
        CLI_TEST(summary_has_no_restitution_that_nobody_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
