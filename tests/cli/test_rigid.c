// A run of rigid bodies, as the command tells of it. Numbers are those of bouncing: v, e v, e^2 v, ..., and
// (1 - e^2) m v^2/2 lost in each.
#include <math.h>

#include "cli_fixture.h"

#define RIGID                                                                                              \
    "carom: 1\n"                                                                                           \
    "bodies:\n"                                                                                            \
    "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"                                   \
    "  ball: {material: steel, mass: 2 kg, shape: {sphere: {radius: 50 mm}}, position: [0, 0, 0.5]}\n"     \
    "  box: {material: wood, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, -1, 0.05], velocity: [1, 0, 0]}\n" \
    "pairs:\n"                                                                                             \
    "  - {between: [steel, steel], restitution: 0.5, friction: 0}\n"                                       \
    "  - {between: [steel, wood], restitution: 0.3, friction: 0.3, law: k*d, parameters: {k: 1e6 N/m}}\n"  \
    "contact: {response: rigid, friction_law: bristle}\n"                                                  \
    "simulate: {until: 1}\n"

static void expect_in(const char *text, const char *part)
{
    if (strstr(text, part)) return;
    print_error("expected: %s\nin:\n%s\n", part, text);
    fail();
}

static void a_run_is_summed_up(void **state)
{
    (void)state;
    write_text("rigid.yaml", RIGID);
    Said said = carom_says("run rigid.yaml");
    assert_int_equal(said.status, 0);
    assert_string_equal(said.err, "");
    expect_in(said.out, "\n  events   1 contact from the start, ");
    // The box slides from the start, and stops; the ball lands.
    expect_in(said.out, " impacts, 1 landing, 1 slip, 1 stick\n");
    double v = sqrt(2*9.81*0.45), t = v/9.81;
    char row[160];
    snprintf(row, sizeof row, "\n  %.6f s  floor - ball   %.4g m/s   %.4g m/s  0.50000     0.50000  -      %.4g J\n", t,
             v, 0.5*v, 0.75*v*v);
    expect_in(said.out, row);
    expect_in(said.out, "\n  lost in impacts ");
    expect_in(said.out, " 8.829 J\n");  // m g h: all of it in the end
    assert_null(strstr(said.out, "depth"));
    assert_null(strstr(said.out, "elastic"));
    forget(&said);
    said = carom_says("csv rigid.carom -o rigid.csv");
    assert_int_equal(said.status, 0);
    forget(&said);
}

static void one_file_runs_with_both_responses(void **state)
{
    (void)state;
    write_text("both.yaml", RIGID);
    Said said = carom_says("run both.yaml -o both.carom --set pairs.1.law=k*d --set contact.response=compliant --set "
                           "bodies.box.position=[0,-1,2] --set simulate.until=0.3");
    assert_int_equal(said.status, 2);  // a box presses over faces, which have no law of one's own
    expect_in(said.err, "press over a face");
    forget(&said);
    said = carom_says("run both.yaml -o both.carom --set contact.response=compliant --set contact.ignore=[[box,floor],"
                      "[box,ball]] --set simulate.until=0.4");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "1 touch, 1 separation\n");
    expect_in(said.out, "e measured  duration");
    forget(&said);
}

// An arm of 1 m falls from the horizontal on a stop straight below: w^2 = 3 g/l, and half of it comes back.
static void a_limit_is_hit_in_an_instant(void **state)
{
    (void)state;
    write_text("arm.yaml", "carom: 1\n"
               "bodies:\n  arm: {material: steel, shape: {box: {size: [1, 0.02, 0.02]}}}\n"
               "joints:\n  hinge: {type: revolute, between: [world, arm], axis: [0, 1, 0], child_at: [-0.5, 0, 0], "
               "upper: 90 deg, limit_restitution: 0.5}\n"
               "contact: {response: rigid}\nsimulate: {until: 0.6}\n");
    Said said = carom_says("run arm.yaml");
    assert_int_equal(said.status, 0);
    char text[80];
    double w = sqrt(3*9.81);
    expect_in(said.out, "\n  events   1 impact\n");
    expect_in(said.out, "pair or joint     approach      rebound");
    snprintf(text, sizeof text, " s  hinge          %.4g rad/s  %.4g rad/s  0.50000     0.50000  -  ", w, 0.5*w);
    expect_in(said.out, text);
    forget(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(a_run_is_summed_up),
        CLI_TEST(one_file_runs_with_both_responses),
        CLI_TEST(a_limit_is_hit_in_an_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
