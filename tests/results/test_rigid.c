// Impacts and modes of rigid contacts in a results file.
#include "results_fixture.h"

static caromEvent an_impact(void)
{
    caromImpactEvent impact = { .speed = 4,
                                .asked_restitution = 0.75,
                                .restitution = 0.5,
                                .impulse = 6,
                                .v_before = { 1, 0, -4 },
                                .v_after = { 0.5, 0, 2 },
                                .impulse_B = { -0.25, 0, 6 },
                                .lost_normal = 3,
                                .lost_friction = 0.125,
                                .path = CAROM_SLIP_STICKS,
                                .path_stop = 0.375,
                                .stops_in_compression = true,
                                .point = 2,
                                .together = 3 };
    return (caromEvent){ .time = 0.5,
                         .kind = CAROM_EVENT_IMPACT,
                         .about = { .pair = 1 },
                         .p_W = { 1, 2, 3 },
                         .n_AB = { 0, 0, 1 },
                         .impact = impact };
}

static caromResults *written(const char *path, const caromModel *model, const caromEvent *events, int n)
{
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    caromSimStats stats = { .largest_depth_pair = -1 };
    caromError err;
    for (int i = 0; i < n; i++) {
        assert_int_equal(sink.event(sink.user, &events[i]), CAROM_OK);
        stats.events[events[i].kind] += 1 + (int)events[i].kind;
    }
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", &stats, &err), CAROM_OK);
    carom_results_writer_destroy(writer);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_int_equal(carom_results_event_count(results), n);
    return results;
}

// The whole record, so that a member that is lost, renamed or doubled is seen.
static void an_impact_has_all_its_numbers(void **state)
{
    (void)state;
    const char *path = scratch("impact.carom");
    caromModel *model = fixture_model();
    caromEvent events[] = { an_impact(), an_impact() };
    events[1].impact.path = CAROM_SLIP_THROUGHOUT;
    events[1].impact.path_stop = NAN;
    events[1].impact.is_collapse = true;
    caromResults *results = written(path, model, events, 2);
    assert_string_equal(carom_results_event(results, 0), "{\"time\":0.5,\"kind\":\"impact\",\"pair\":1,\"point\":[1,2,"
                        "3],\"normal\":[0,0,1],\"speed\":4,\"asked_restitution\":0.75,\"restitution\":0.5,"
                        "\"impulse\":6,\"lost_normal\":3,\"velocity_before\":[1,0,-4],\"velocity_after\":[0.5,0,2],"
                        "\"impulse_b\":[-0.25,0,6],\"lost_friction\":0.125,\"path\":\"sticks\",\"path_stop\":0.375,"
                        "\"stops_in_compression\":true,\"index\":2,\"together\":3}");
    const char *second = carom_results_event(results, 1);
    assert_non_null(strstr(second, "\"path\":\"throughout\",\"index\":2,\"together\":3,\"collapse\":true}"));
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

// A limit has nothing across its coordinate.
static void an_impact_on_a_limit_is_that_of_its_joint(void **state)
{
    (void)state;
    const char *path = scratch("limit.carom");
    caromModel *model = fixture_model();
    caromEvent event = an_impact();
    event.about = (caromEventSubject){ CAROM_SUBJECT_LIMIT, .limit = { .joint = 3, .coordinate = 1 } };
    caromSpatial impulses[2] = { { { 1, 2, 3 }, { 4, 5, 6 } }, { { 0, 0, 0 }, { 0, 0, 7 } } };
    event.impact.njoint = 2;
    event.impact.joint_impulses = impulses;
    caromResults *results = written(path, model, &event, 1);
    assert_string_equal(carom_results_event(results, 0),
                        "{\"time\":0.5,\"kind\":\"impact\",\"joint\":3,\"coordinate\":1,\"point\":[1,2,3],\"speed\":4,"
                        "\"asked_restitution\":0.75,\"restitution\":0.5,\"impulse\":6,\"lost_normal\":3,\"together\":3,"
                        "\"joint_impulses\":[[[1,2,3],[4,5,6]],[[0,0,0],[0,0,7]]]}");
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

static void modes_have_their_kinds_and_are_counted(void **state)
{
    (void)state;
    static const char *const names[] = { "land", "stick", "slip", "take_off", "jam" };
    const char *path = scratch("modes.carom");
    caromModel *model = fixture_model();
    caromEvent events[6];
    for (int i = 0; i < 6; i++) {
        caromEventKind kind = (caromEventKind)(CAROM_EVENT_IMPACT + i);
        events[i] = (caromEvent){ .time = 0.25, .kind = kind, .about = { .pair = 2 }, .n_AB = { 0, 0, 1 } };
    }
    events[0].impact.path_stop = NAN;
    events[5].jam.slip_speed = 0.5;
    caromResults *results = written(path, model, events, 6);
    for (int i = 0; i < 5; i++) {
        char expected[160];
        snprintf(expected, sizeof expected,
                 "{\"time\":0.25,\"kind\":\"%s\",\"pair\":2,\"point\":[0,0,0],\"normal\":[0,0,1],\"speed\":%s}",
                 names[i], i == 4 ? "0.5" : "0");
        assert_string_equal(carom_results_event(results, 1 + i), expected);
    }
    // 1 + kind of each
    assert_non_null(strstr(carom_results_end(results), "\"limits_left\":0,\"impacts\":5,\"landings\":6,\"sticks\":7,"
                           "\"slips\":8,\"take_offs\":9,\"jams\":10,"));
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

static void head_says_how_bodies_respond(void **state)
{
    (void)state;
    const char *path = scratch("rigid.carom");
    caromSettings settings = carom_model_settings_def();
    settings.response = CAROM_RESPONSE_RIGID;
    settings.impact_law = CAROM_IMPACT_POISSON;
    settings.impacts = CAROM_IMPACTS_TOGETHER;
    caromModel *model = fixture_model_with(settings);
    const caromEvent land = { .kind = CAROM_EVENT_LAND, .about = { .pair = 1 }, .n_AB = { 0, 0, 1 } };
    caromResults *results = written(path, model, &land, 1);
    const char *head = carom_results_head(results);
    assert_non_null(strstr(head, "\"response\":\"rigid\""));
    assert_non_null(strstr(head, "\"impact_law\":\"poisson\",\"impacts\":\"together\",\"impact_exponent\":1.5,"
                           "\"landing\":\"sum\",\"jam\":\"impact\"}"));
    // Of a pair, without damping and stiffness.
    assert_non_null(strstr(carom_results_pair(results, 1), "\"torsion\":0,\"impact_law\":\"poisson\"}"));
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_has_all_its_numbers),
        cmocka_unit_test(an_impact_on_a_limit_is_that_of_its_joint),
        cmocka_unit_test(modes_have_their_kinds_and_are_counted),
        cmocka_unit_test(head_says_how_bodies_respond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
