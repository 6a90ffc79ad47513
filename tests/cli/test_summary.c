// What the command says of a run, from numbers that no run had to give.
#include "cli.h"
#include "progress.h"
#include "summary.h"

#include "check.h"

// A ball above a plate: one pair.
static caromModel *ball_and_plate_of(const char *contact)
{
    char text[1000];
    snprintf(text, sizeof text,
                       "carom: 1\n"
                       "contact: {%s}\n"
                       "bodies:\n"
                       "  plate: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                       "  ball: {material: steel, shape: {sphere: {radius: 50 mm}}, position: [0, 0, 1]}\n", contact);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_modelfile_read(text, strlen(text), NULL, 0, &problems, &model), CAROM_OK);
    return model;
}

static caromModel *ball_and_plate(void)
{
    return ball_and_plate_of("response: compliant");
}

static const char *summary_text(const Summary *summary)
{
    static char text[8192];
    FILE *file = tmpfile();
    summary_print(file, summary);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("missing: %s\n--- in\n%s", part, text);
}

// Touches at 1, 2, ... s in an order in which the impacts do not end; the table shows them in order, the
// first and the last ten.
static void impacts_stand_in_the_order_of_their_touches(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    for (int n = 1; n <= 47; n++) {
        Record record = { .model = model };
        int step = n % 5 == 0 ? 7 : 5;  // no common divisor: each is reached once
        if (n % step == 0) step = 11;
        for (int i = 0; i < n; i++) {
            double touch = 1 + i*step % n;
            caromSeparationEvent separation = { .duration = 100, .approach_speed = 1 };
            caromEvent event = { .time = touch + 100, .kind = CAROM_EVENT_SEPARATION, .separation = separation };
            record_event(&record, &event);
        }
        caromSimStats stats = { .largest_depth_pair = -1 };
        Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
        const char *at = summary_text(&summary);
        for (int i = 1; i <= n; i++) {
            if (n > 2*IMPACTS_SHOWN && i == IMPACTS_SHOWN + 1) i = n - IMPACTS_SHOWN + 1;
            char row[32];
            snprintf(row, sizeof row, " %d.000000 s  plate - ball ", i);
            if (!strstr(at, row)) fail_msg("impact %d of %d is not in its place\n%s", i, n, at);
            at = strstr(at, row) + strlen(row);
        }
        assert_null(strstr(at, ".000000 s"));
    }
    carom_model_destroy(model);
}

// What was no impact has no restitution: neither is it shown nor compared with the one that was asked for.
static void contacts_that_lasted_say_so(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    Record record = { .model = model };
    caromSeparationEvent lay = { .duration = 100, .approach_speed = 1, .asked_restitution = 0.5, .restitution = NAN,
                                 .has_lasted = true };
    caromEvent event = { .time = 101, .kind = CAROM_EVENT_SEPARATION, .separation = lay };
    record_event(&record, &event);
    caromSimStats stats = { .largest_depth_pair = -1 };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    const char *text = summary_text(&summary);
    expect_in(text, "\n  1.000000 s  plate - ball     1 m/s  0.50000      lasted     100 s    0 m\n"
              "  lasted: the bodies stayed on each other beyond the impact and parted later\n");
    assert_null(strstr(text, "where they differ"));
    carom_model_destroy(model);
}

static void method_and_contacts_are_those_of_the_whole_run(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    Record record = { .model = model };
    caromSample first = { .ncontact = 1 }, second = { .time = 1 };
    record_sample(&record, &first);
    record_sample(&record, &second);
    caromSimStats stats = { .method = "rodas5p", .switches = 1, .events = { 0, 1 }, .largest_depth_pair = -1 };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    const char *text = summary_text(&summary);
    expect_in(text, "\n  method   dop853, rodas5p for stiff phases, tolerance 1e-06\n");
    expect_in(text, "\n  events   1 contact from the start, 0 touches, 1 separation\n");
    stats.switches = 0;
    summary.method = "rodas5p";
    record.start_contacts = 0;
    text = summary_text(&summary);
    expect_in(text, "\n  method   rodas5p, tolerance 1e-06\n");
    expect_in(text, "\n  events   0 touches, 1 separation\n");
    carom_model_destroy(model);
}

static void imbalance_is_the_largest_of_the_run(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    Record record = { .model = model };
    caromSimStats stats = { .largest_depth_pair = -1, .energy_scale = 4, .largest_imbalance = 2e-3,
                            .energy = { .imbalance = -1e-3 } };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    expect_in(summary_text(&summary), "\n  imbalance at the end -1 mJ, at most 2 mJ, 5.0e-04 of the "
              "reference energy 4 J\n");
    stats.largest_imbalance = 1e-3;
    expect_in(summary_text(&summary), "\n  imbalance -1 mJ, 2.5e-04 of the reference energy 4 J\n");
    carom_model_destroy(model);
}

static void run_that_lost_its_energy_has_failed(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    caromError err;
    caromSimStats stats = { .energy_scale = 4, .largest_imbalance = 0.04 };
    assert_int_equal(summary_judge(model, &stats, &err), CAROM_OK);
    stats.largest_imbalance = 0.041;
    assert_int_equal(summary_judge(model, &stats, &err), CAROM_ERR_NUMERIC);
    assert_string_equal(err.message, "the energy balance is off by up to 0.041 J, 1.0e-02 of the reference energy: "
                        "do not trust this motion; try a smaller tolerance: --set simulate.tolerance=1e-08");
    stats.energy_scale = 0;  // nothing moved
    assert_int_equal(summary_judge(model, &stats, &err), CAROM_OK);
    carom_model_destroy(model);
}

// What is printed, warned of and judged is one number, of one reference energy, whichever it is.
static void imbalance_has_one_reference(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate();
    Record record = { .model = model };
    caromSimStats stats = { .largest_depth_pair = -1, .energy_scale = 2, .energy_reference = 8,
                            .largest_imbalance = 0.5, .energy = { .imbalance = 0.5 } };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    caromError err;
    expect_in(summary_text(&summary), "\n  imbalance 500 mJ, 6.2e-02 of the reference energy 8 J "
              "(weight of the bodies over their size)\n");
    assert_int_equal(summary_judge(model, &stats, &err), CAROM_ERR_NUMERIC);
    CHECK(strstr(err.message, "off by up to 0.5 J, 6.2e-02 of the reference energy"));
    carom_model_destroy(model);
}

static caromEnergyVerdict verdict_at(double relative, double tolerance)
{
    caromSimStats stats = { .energy_reference = 8, .largest_imbalance = 8*relative };
    return carom_sim_check_energy(&stats, tolerance).verdict;
}

static void verdicts_of_the_energy_balance(void **state)
{
    (void)state;
    assert_int_equal(verdict_at(0.99e-4, 1e-6), CAROM_ENERGY_KEPT);
    assert_int_equal(verdict_at(1.01e-4, 1e-6), CAROM_ENERGY_OFF);
    assert_int_equal(verdict_at(0.99e-2, 1e-6), CAROM_ENERGY_OFF);
    assert_int_equal(verdict_at(1.01e-2, 1e-6), CAROM_ENERGY_LOST);
    assert_int_equal(verdict_at(4.9e-2, 5e-4), CAROM_ENERGY_KEPT);  // a loose tolerance explains more
    assert_int_equal(verdict_at(5.1e-2, 5e-4), CAROM_ENERGY_LOST);
    assert_int_equal(verdict_at(0.099, 0.1), CAROM_ENERGY_KEPT);
    assert_int_equal(verdict_at(0.101, 0.1), CAROM_ENERGY_LOST);    // no tolerance explains that
    caromSimStats nothing = { .energy_reference = 8, .energy = { .imbalance = NAN } };
    assert_int_equal(carom_sim_check_energy(&nothing, 1e-6).verdict, CAROM_ENERGY_LOST);
}

// ---- progress

// A second of fast motion, then one that crawls: what is left goes by the pace of now, and is said once.
static void time_left_goes_by_the_pace_of_now(void **state)
{
    (void)state;
    caromSimStats stats = { .time = 1.0, .steps = 100 };
    Progress progress = progress_start(2.0, true);
    double now = progress.start;
    progress.start = progress.mark[0].wall = progress.mark[1].wall = now - 30;
    CHECK_NEAR(progress_left(&progress, 1.0, now), 30, 0.1);
    progress_warn_if_crawling(&progress, &stats);  // moves the marks
    assert_false(progress.has_warned);
    progress.mark[0].wall = now - 10;
    progress.mark[0].time = 1.0;
    stats.time = 1.001;
    stats.steps = 1000000;
    CHECK_NEAR(progress_left(&progress, 1.001, now), 0.999*10/0.001, 1);
    progress_warn_if_crawling(&progress, &stats);
    assert_true(progress.has_warned);
    progress.mark[0].time = 1.001;
    assert_true(isinf(progress_left(&progress, 1.001, now)));
}

// ---- rigid bodies

static const caromEvent bounce = {
    .time = 0.25, .kind = CAROM_EVENT_IMPACT, .n_AB = { 0, 0, 1 },
    .impact = { .speed = 2, .asked_restitution = 0.75, .restitution = 0.75, .impulse = 3, .lost_normal = 0.5,
                .together = 1, .v_before = { 1, 0, -2 }, .v_after = { 0.5, 0, 1.5 }, .lost_friction = 0.25,
                .path = CAROM_SLIP_THROUGHOUT },
};

static void rigid_impacts_have_speeds_and_losses(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate_of("response: rigid");
    Record record = { .model = model };
    caromEvent row = bounce, landing = { .kind = CAROM_EVENT_LAND };
    row.time = 0.5;
    row.impact.speed = 0;  // hit at rest, by a wave through its neighbours
    row.impact.path = CAROM_SLIP_NONE;
    row.impact.lost_friction = 0;
    record_event(&record, &bounce);
    record_event(&record, &row);
    record_event(&record, &landing);
    caromSimStats stats = { .largest_depth_pair = 0, .largest_depth = 1, .energy = { .damping = 1, .friction = 0.75 } };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    const char *text = summary_text(&summary);
    expect_in(text, "\n2 impacts: restitution e that was asked for and that the motion shows\n");
    expect_in(text, "          at  pair          approach  rebound  e asked  e measured  slip          lost\n");
    expect_in(text, "  0.250000 s  plate - ball     2 m/s  1.5 m/s  0.75000     0.75000  throughout  750 mJ\n");
    expect_in(text, "  0.500000 s  plate - ball     0 m/s  1.5 m/s  0.75000     0.75000  -           500 mJ\n");
    expect_in(text, "\n  lost in impacts         0 J     1 J\n  lost to friction        0 J  750 mJ\n"
              "    of that in impacts    0 J  250 mJ\n");
    assert_null(strstr(text, "depth"));    // nor anything else of elastic bodies
    assert_null(strstr(text, "elastic"));
    assert_null(strstr(text, "where they differ"));
    carom_model_destroy(model);
}

static void modes_are_counted(void **state)
{
    (void)state;
    caromModel *model = ball_and_plate_of("response: rigid");
    Record record = { .model = model };
    caromSimStats stats = { .largest_depth_pair = -1 };
    Summary summary = { "ball", "completed", model, &stats, &record, 0, "dop853" };
    expect_in(summary_text(&summary), "\n  events   0 impacts\n");
    stats.events[CAROM_EVENT_IMPACT] = 12;
    stats.events[CAROM_EVENT_LAND] = 2;
    stats.events[CAROM_EVENT_SLIP] = 5;
    stats.events[CAROM_EVENT_STICK] = 4;
    stats.events[CAROM_EVENT_TAKE_OFF] = 1;
    record.start_contacts = 1;
    expect_in(summary_text(&summary), "\n  events   1 contact from the start, 12 impacts, 2 landings, 5 slips, "
              "4 sticks, 1 take-off\n");
    stats.events[CAROM_EVENT_JAM] = 1;
    expect_in(summary_text(&summary), ", 1 take-off, 1 jam\n");
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_stand_in_the_order_of_their_touches),
        cmocka_unit_test(time_left_goes_by_the_pace_of_now),
        cmocka_unit_test(contacts_that_lasted_say_so),
        cmocka_unit_test(method_and_contacts_are_those_of_the_whole_run),
        cmocka_unit_test(imbalance_is_the_largest_of_the_run),
        cmocka_unit_test(run_that_lost_its_energy_has_failed),
        cmocka_unit_test(imbalance_has_one_reference),
        cmocka_unit_test(verdicts_of_the_energy_balance),
        cmocka_unit_test(rigid_impacts_have_speeds_and_losses),
        cmocka_unit_test(modes_are_counted),
    };
    setenv("LC_ALL", "C", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
