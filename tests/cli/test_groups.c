// What the command says of who touches whom, and that it is so.
#include "cli_fixture.h"

#define SCENE                                                                                                      \
    "carom: 1\n"                                                                                                   \
    "bodies:\n"                                                                                                    \
    "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"                                           \
    "  gate: {fixed: true, group: ghosts, material: steel, shape: {box: {size: [1, 1, 1 cm]}}, position: "         \
    "[0, 0, 20 cm]}\n"                                                                                             \
    "  ball: {groups: [balls, fast], material: steel, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 40 cm]}\n" \
    "  other: {group: balls, material: steel, position: [0, 0, 80 cm],\n"                                          \
    "    shapes: {core: {sphere: {radius: 5 cm}}, look: {sphere: {radius: 8 cm}, touches: false, weighs: false}, " \
    "load: {box: {size: [2 cm, 2 cm, 2 cm]}, touches: false},\n"                                                   \
    "             skin: {sphere: {radius: 6 cm}, weighs: false}}}\n"

static void expect_part(const Said *said, const char *part)
{
    if (!strstr(said->out, part)) fail_msg("missing: %s\n--- in\n%s", part, said->out);
}

static void check_leaves_nothing_out_unseen(void **state)
{
    (void)state;
    write_text("g.yaml", SCENE "contact: {ignore: [[ghosts, all], [balls, balls], [floor, gate]]}\n");
    Said said = carom_says("check g.yaml");
    assert_int_equal(said.status, 0);
    expect_part(&said, "  other  4.173 kg  core: sphere of radius 50 mm     steel\n"
                       "                   look: sphere of radius 80 mm     steel  neither touches nor weighs\n"
                       "                   load: box 20 mm x 20 mm x 20 mm  steel  does not touch\n"
                       "                   skin: sphere of radius 60 mm     steel  does not weigh\n");
    expect_part(&said, "other  4.173 kg  volume 531.6 cm^3");  // 4/3 pi 5^3 + 8
    expect_part(&said, "groups\n"
                       "  balls   ball, other\n"
                       "  fast    ball\n"
                       "  ghosts  gate\n");
    // By shapes: two with each of floor, gate and ball. Ignored: three of the gate with balls, two of ball with other.
    expect_part(&said, "3 contact pairs\n"
                       "pairs of shapes left out: 5 ignored, 6 with a shape that does not touch\n"
                       "ignored pairs\n"
                       "  ghosts - all   3 pairs\n"
                       "  balls - balls  2 pairs\n"
                       "  floor - gate   0 pairs\n"
                       "settings\n");
    const char *warnings = "g.yaml:9:51: warning: floor and gate cannot touch anyway: both are fixed\n";
    if (!strstr(said.err, warnings) || !strstr(said.err, "g.yaml:5:26: warning: group 'fast' has no effect: "
                                               "contact.ignore does not have it\n")) fail_msg("%s", said.err);
    forget(&said);
}

static void check_says_which_joints_let_bodies_touch(void **state)
{
    (void)state;
    write_text("j.yaml", "carom: 1\n"
                         "bodies:\n"
                         "  a: {material: steel, shape: {sphere: {radius: 1}}}\n"
                         "  b: {material: steel, shape: {sphere: {radius: 1}}}\n"
                         "  c: {material: steel, shape: {sphere: {radius: 1}}}\n"
                         "joints:\n"
                         "  p: {type: revolute, between: [a, b], at: [3, 0, 0]}\n"
                         "  q: {type: revolute, between: [b, c], at: [3, 0, 0], touch: true}\n");
    Said said = carom_says("check j.yaml");
    assert_string_equal(said.err, "");
    expect_part(&said, "  p  revolute  a - b\n"
                       "  q  revolute  b - c    bodies may touch\n");
    expect_part(&said, "2 contact pairs\n"
                       "pairs of shapes left out: 1 of joined bodies\n"
                       "settings\n");
    forget(&said);
}

static double last_height(const char *file)
{
    char line[100];
    snprintf(line, sizeof line, "csv %s -o -", file);
    Said said = carom_says(line);
    char *end = said.out + strlen(said.out) - 1;
    while (end > said.out && end[-1] != '\n') end--;
    double time, sample, x, y, z;
    assert_int_equal(sscanf(end, "%lf,%lf,%lf,%lf,%lf", &time, &sample, &x, &y, &z), 5);
    forget(&said);
    return z;
}

// The ball falls from 40 cm for 0.25 s: through the gate freely, or it is above it.
static void what_is_ignored_does_not_touch(void **state)
{
    (void)state;
    write_text("run.yaml", SCENE "simulate: {until: 0.25 s}\n");
    expect("run run.yaml -q --set 'contact.ignore=[[ghosts, all], [balls, fast]]' -o a.carom", 0, "", "");
    // a parabola: no error but rounding of steps and of the table
    CHECK_NEAR(last_height("a.carom"), 0.4 - 0.5*9.81*0.0625, 1e-9);
    expect("run run.yaml -q --set 'contact.ignore=[[ghosts, other], [balls, fast]]' -o b.carom", 0, "", "");
    assert_true(last_height("b.carom") > 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(check_leaves_nothing_out_unseen),
        CLI_TEST(check_says_which_joints_let_bodies_touch),
        CLI_TEST(what_is_ignored_does_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
