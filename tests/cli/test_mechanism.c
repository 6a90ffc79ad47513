// What the command says of joints, springs and limits.
#include <unistd.h>

#include "cli.h"
#include "summary.h"

#include "mechanism_fixture.h"

enum { SAID_MAX = 8192 };

static int old_stdout;
static FILE *said_file;

static void listen(void)
{
    fflush(stdout);
    said_file = tmpfile();
    assert_non_null(said_file);
    old_stdout = dup(STDOUT_FILENO);
    assert_true(dup2(fileno(said_file), STDOUT_FILENO) >= 0);
}

static const char *heard(void)
{
    static char text[SAID_MAX];
    fflush(stdout);
    dup2(old_stdout, STDOUT_FILENO);
    close(old_stdout);
    rewind(said_file);
    text[fread(text, 1, sizeof text - 1, said_file)] = '\0';
    fclose(said_file);
    return text;
}

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("missing: %s\n--- in\n%s", part, text);
}

static void expect_not_in(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("should not be there: %s\n--- in\n%s", part, text);
}

static void check_lists_joints_and_springs(void **state)
{
    (void)state;
    caromModel *model = mechanism();
    listen();
    print_model(model);
    const char *text = heard();
    expect_in(text, "bodies: 2 moving, 0 fixed\n");
    expect_in(text, "joints: 3, 1 of them closing loops\n"
                    "  shoulder  revolute     world - upper\n"
                    "  elbow     spherical    upper - lower\n"
                    "  tie       cylindrical  lower - world  closes a loop\n"
                    "start, loops closed\n"
                    "  shoulder  angle         0 deg  found\n"
                    "  elbow     quaternion.w      1  found\n"
                    "            quaternion.x      0  found\n"
                    "            quaternion.y      0  found\n"
                    "            quaternion.z      0  found\n"
                    "springs\n"
                    "  spiral  world - lower  stiffness 250 N/m  damping 1.5 N s/m  rest 250 mm\n");
    carom_model_destroy(model);
}

static caromEvent limit_left(double time, int joint, int coordinate, double approach_speed)
{
    caromSeparationEvent separation = { .duration = 0.002, .approach_speed = approach_speed, .asked_restitution = 0.5,
                                        .restitution = 0.49, .depth = 0.004 };
    caromEventSubject about = { CAROM_SUBJECT_LIMIT, .limit = { joint, coordinate } };
    return (caromEvent){ .time = time, .kind = CAROM_EVENT_LIMIT_LEFT, .about = about, .separation = separation };
}

static void summary_tells_of_limits_and_of_what_springs_and_drives_did(void **state)
{
    (void)state;
    caromModel *model = mechanism();
    Record record = { .model = model };
    caromSample samples[] = { { .energy = { .kinetic = 1 } },
                              { .time = 1, .energy = { .springs = 2, .joints = 0.5, .supplied = 4 } } };
    caromEvent events[] = { limit_left(0.5, 0, 0, 3), limit_left(0.75, 2, 1, 2), limit_left(0.8, 0, 0, 5e-3),
                            limit_left(0.9, 2, 1, 5e-3) };
    for (int i = 0; i < 2; i++) record_sample(&record, &samples[i]);
    for (int i = 0; i < 4; i++) record_event(&record, &events[i]);
    caromSimStats stats = { .time = 1, .method = "dop853", .steps = 10, .events = { 0, 0, 4, 4 },
                            .largest_depth_pair = -1, .energy_scale = 5, .energy = samples[1].energy };
    Summary summary = { "arm", "completed", model, &stats, &record, 0.5 };
    listen();
    summary_print(stdout, &summary);
    const char *text = heard();
    expect_in(text, "4 limits reached\n");
    expect_in(text, "3 impacts: ");  // 5 mrad/s is slow, 5 mm/s is not
    expect_in(text, "pair or joint");
    expect_in(text, "0.498000 s  shoulder        3 rad/s  0.50000     0.49000      2 ms  4 mrad\n");
    expect_in(text, "0.748000 s  tie.distance      2 m/s  0.50000     0.49000      2 ms    4 mm\n");
    expect_in(text, "\n  in springs                       0 J     2 J\n");
    expect_in(text, "\n  lost in joints                   0 J  500 mJ\n");
    expect_in(text, "\n  supplied by drives and forces    0 J     4 J\n");
    carom_model_destroy(model);
}

static void summary_without_them_does_not_mention_them(void **state)
{
    (void)state;
    caromModel *model = mechanism();
    Record record = { .model = model };
    caromSample sample = { .energy = { .kinetic = 1 } };
    record_sample(&record, &sample);
    caromSimStats stats = { .time = 1, .largest_depth_pair = -1, .energy = sample.energy };
    Summary summary = { "arm", "completed", model, &stats, &record, 0.5 };
    listen();
    summary_print(stdout, &summary);
    const char *text = heard();
    const char *parts[] = { "limit", "impact", "springs", "joints", "supplied" };
    for (size_t i = 0; i < sizeof parts/sizeof *parts; i++) expect_not_in(text, parts[i]);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_lists_joints_and_springs),
        cmocka_unit_test(summary_tells_of_limits_and_of_what_springs_and_drives_did),
        cmocka_unit_test(summary_without_them_does_not_mention_them),
    };
    setenv("LC_ALL", "C", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
