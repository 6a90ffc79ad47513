// How tolerances follow from contacts, as the command explains it, and what it says when a contact cannot be resolved.
#include <math.h>

#include "cli_fixture.h"

#define BALL "carom: 1\n" \
             "pairs: [{between: [steel, steel], restitution: 0.8, friction: 0.3}]\n" \
             "bodies:\n" \
             "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n" \
             "  ball: {material: steel, shape: {sphere: {radius: 50 mm}}, position: [0, 0, 0.5]}\n" \
             "simulate: {until: 0.4, tolerance: 1e-8}\n"

static void expect_in(const char *text, const char *part)
{
    if (strstr(text, part)) return;
    print_error("expected: %s\nin:\n%s\n", part, text);
    fail();
}

// The numbers are those of Hertz, computed here from the definitions.
static void a_falling_ball_is_explained(void **state)
{
    (void)state;
    write_text("ball.yaml", BALL);
    const double R = 0.05, E_star = 0.5*210e9/(1 - 0.09), pi = 3.14159265358979323846;
    double K = 4.0/3.0*E_star*sqrt(R), m = 7850*4.0/3.0*pi*R*R*R, v = sqrt(2*9.81*0.45), d = pow(1.25*m*v*v/K, 0.4);
    char text[256];
    Said said = carom_says("check ball.yaml --explain");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "  floor - ball\n    gap         450 mm at the start\n");
    snprintf(text, sizeof text, "    speed       v = %.4g m/s at the touch (0 m/s at the start, and what gravity adds "
             "over the gap)\n", v);
    expect_in(said.out, text);
    snprintf(text, sizeof text, "    stiffness   K = %.4g N/m^1.5 (Hertz", K);
    expect_in(said.out, text);
    snprintf(text, sizeof text, "    depth       d = %.4g", 1e6*d);
    expect_in(said.out, text);
    snprintf(text, sizeof text, "positions to %.3g m = tolerance 1e-08 times d\n", 1e-8*d);
    expect_in(said.out, text);
    forget(&said);
}

// Without a stiffness: speed, mass and restitution are all that an impact of rigid bodies has.
static void a_rigid_impact_is_explained(void **state)
{
    (void)state;
    write_text("rigid.yaml", BALL);
    const double R = 0.05, pi = 3.14159265358979323846;
    double m = 7850*4.0/3.0*pi*R*R*R, v = sqrt(2*9.81*0.45);
    char text[256];
    Said said = carom_says("check rigid.yaml --explain --set contact.response=rigid --set contact.friction_law=bristle "
                           "--set pairs.0.impact_law=poisson");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "\nlaws of their own\n  steel - steel  impact law poisson\n");
    expect_in(said.out, "\n  contact     rigid, impact law energetic, impacts waves, landing sum\n"
              "              friction sticks\n");
    expect_in(said.out, "\nwhat the first impact of each contact does, judged from how the model starts\n"
              "  floor - ball\n    gap         450 mm at the start\n");
    snprintf(text, sizeof text, "    impact      poisson: e = 0.8\n                without friction it parts at e v = "
             "%.4g m/s, after an impulse of (1 + e) m v = %.4g N s; (1 - e^2) m v^2/2 = %.4g J are lost\n",
             0.8*v, 1.8*m*v, 0.18*m*v*v);
    expect_in(said.out, text);
    expect_in(said.out, "    friction    mu = 0.3, sticks up to 0.3 of the normal force\n");
    assert_null(strstr(said.out, "stiffness"));
    forget(&said);
    said = carom_says("check rigid.yaml --explain --set contact.response=rigid --set pairs.0.restitution=0.9-v/10");
    assert_int_equal(said.status, 0);
    snprintf(text, sizeof text, "    impact      energetic: e = %.4g at that speed, of 0.9-v/10\n", 0.9 - 0.1*v);
    expect_in(said.out, text);
    expect_in(said.out, "  steel - steel  restitution 0.9-v/10  friction 0.3");
    expect_in(said.out, "    friction    mu = 0.3, regularised below 1 mm/s");
    forget(&said);
}

static void what_cannot_touch_asks_for_nothing(void **state)
{
    (void)state;
    write_text("alone.yaml", "carom: 1\nbodies:\n  ball: {material: steel, shape: {sphere: {radius: 10 cm}}}\n");
    Said said = carom_says("check alone.yaml --explain");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "what contacts ask of the integration: nothing, there is nothing to collide with\n");
    forget(&said);
}

// A hundred thousand kilometres from the origin positions are known to 1e-8 m: less than such a contact needs.
static void a_contact_that_rounding_blurs_is_named(void **state)
{
    (void)state;
    write_text("far.yaml", BALL);
    const char *far = " --set bodies.floor.position=[0,0,1e8] --set bodies.ball.position=[0,0,100000000.1] --set "
                      "simulate.tolerance=1e-6";
    char line[256];
    snprintf(line, sizeof line, "check far.yaml --explain%s", far);
    Said said = carom_says(line);
    expect_in(said.out, "rounding allows no less than");
    forget(&said);
    snprintf(line, sizeof line, "run far.yaml%s", far);
    said = carom_says(line);
    expect_in(said.err, "warning: the contact floor - ball at ");
    expect_in(said.err, "make it softer (--set contact.k_red=1000, or a smaller E), or put it nearer to the origin");
    forget(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(a_falling_ball_is_explained),
        CLI_TEST(a_rigid_impact_is_explained),
        CLI_TEST(what_cannot_touch_asks_for_nothing),
        CLI_TEST(a_contact_that_rounding_blurs_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
