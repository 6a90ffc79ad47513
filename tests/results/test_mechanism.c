// Joints and springs in a results file.
#include "mechanism_fixture.h"
#include "results_fixture.h"

enum { JOINT_COLUMNS = 2 + 7 };  // shoulder: angle and its rate; elbow: quaternion and angular velocity; tie: none

static caromResults *written(const char *path, const caromModel *model)
{
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    caromPose X[2] = { carom_pose_identity(), carom_pose_identity() };
    caromQuat q[2] = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
    caromSpatial V[2] = { 0 };
    double joint_q[] = { 0.5, 1, 2, 3, 4 }, joint_v[] = { 0.25, 5, 6, 7 };
    caromSample sample = { .nbody = 2, .X_WB = X, .q_WB = q, .V_WB = V, .joint_q = joint_q, .joint_v = joint_v,
                           .energy = { .springs = 11, .joints = 12, .supplied = 13, .imbalance = 14 } };
    caromEvent reached = { .time = 0.5, .kind = CAROM_EVENT_LIMIT, .p_W = { 0, 0, 1 }, .touch = { .speed = 3 } };
    reached.about = (caromEventSubject){ CAROM_SUBJECT_LIMIT, .limit = { .joint = 0, .coordinate = 0 } };
    caromEvent left = reached;
    left.kind = CAROM_EVENT_LIMIT_LEFT;
    left.separation = (caromSeparationEvent){ .speed = 3, .duration = 0.125, .approach_speed = 4,
                                              .asked_restitution = 0.75, .restitution = 0.75,
                                              .depth = 0.0625, .impulse = 2 };
    caromSimStats stats = { .events = { 0, 0, 5, 4 }, .largest_depth_pair = -1, .energy = { .supplied = 13 } };
    caromError err;
    assert_int_equal(sink.event(sink.user, &reached), CAROM_OK);
    assert_int_equal(sink.event(sink.user, &left), CAROM_OK);
    assert_int_equal(sink.sample(sink.user, &sample), CAROM_OK);
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", &stats, &err), CAROM_OK);
    carom_results_writer_destroy(writer);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    return results;
}

static void check_column(const caromResults *results, int column, const char *name, const char *unit, double value)
{
    assert_string_equal(carom_results_column(results, column).name, name);
    assert_string_equal(carom_results_column(results, column).unit, unit);
    assert_true(carom_results_row(results, 0)[column] == value);
}

static void joints_have_columns_behind_those_of_the_bodies(void **state)
{
    (void)state;
    const char *path = scratch("joints.carom");
    caromModel *model = mechanism();
    caromResults *results = written(path, model);
    int k = 2 + 2*13;
    assert_int_equal(carom_results_column_count(results), k + JOINT_COLUMNS + 10);
    check_column(results, k, "joints.shoulder.angle", "rad", 0.5);
    check_column(results, k + 1, "joints.shoulder.angle_rate", "rad/s", 0.25);
    check_column(results, k + 2, "joints.elbow.quaternion.w", "", 1);
    check_column(results, k + 5, "joints.elbow.quaternion.z", "", 4);
    check_column(results, k + 6, "joints.elbow.angular_velocity.x", "rad/s", 5);
    check_column(results, k + 8, "joints.elbow.angular_velocity.z", "rad/s", 7);
    check_column(results, k + 9, "energy.kinetic", "J", 0);
    check_column(results, k + 12, "energy.springs", "J", 11);
    check_column(results, k + 16, "energy.joints", "J", 12);
    check_column(results, k + 17, "energy.supplied", "J", 13);
    check_column(results, k + 18, "energy.imbalance", "J", 14);
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

static void check_contains(const char *text, const char *const *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strstr(text, expected[i])) fail_msg("missing: %s\nin: %s", expected[i], text);
}

static void head_describes_joints_and_springs(void **state)
{
    (void)state;
#define IDENTITY "\"rotation\":[[1,0,0],[0,1,0],[0,0,1]]}"
    const char *const expected[] = {
        "{\"name\":\"upper\",\"fixed\":false,", "\"position\":[1,0,0],\"orientation\":[1,0,0,0],\"shapes\":",
        "\"joints\":[{\"name\":\"shoulder\",\"type\":\"revolute\",\"bodies\":[-1,0],\"frames\":[{\"position\":[0,0,0],"
        IDENTITY ",{\"position\":[0,0,0]," IDENTITY "],\"pitch\":0,\"closes_loop\":false,\"driven\":false},",
        "{\"name\":\"elbow\",\"type\":\"spherical\",\"bodies\":[0,1],\"frames\":[{\"position\":[1,0,0],",
        "{\"name\":\"tie\",\"type\":\"cylindrical\",\"bodies\":[1,-1],\"frames\":[{\"position\":[0,1,0]," IDENTITY
        ",{\"position\":[1,1,0]," IDENTITY "],\"pitch\":0,\"closes_loop\":true,\"driven\":false}],",
        "\"springs\":[{\"name\":\"spiral\",\"bodies\":[-1,1],\"points\":[[0,0,0.5],[0,0,0]],\"stiffness\":250,"
        "\"damping\":1.5,\"rest\":0.25}],",
    };
    const char *path = scratch("head.carom");
    caromModel *model = mechanism();
    caromResults *results = written(path, model);
    check_contains(carom_results_head(results), expected, sizeof expected/sizeof *expected);
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

static void limits_are_events_and_are_counted(void **state)
{
    (void)state;
    const char *path = scratch("limits.carom");
    caromModel *model = mechanism();
    caromResults *results = written(path, model);
    assert_string_equal(carom_results_event(results, 0),
                        "{\"time\":0.5,\"kind\":\"limit\",\"joint\":0,\"coordinate\":0,\"point\":[0,0,1],\"speed\":3}");
    assert_string_equal(carom_results_event(results, 1), "{\"time\":0.5,\"kind\":\"limit_left\",\"joint\":0,"
                        "\"coordinate\":0,\"point\":[0,0,1],\"speed\":3,\"duration\":0.125,\"approach_speed\":4,"
                        "\"asked_restitution\":0.75,\"restitution\":0.75,\"depth\":0.0625,\"impulse\":2}");
    const char *const expected[] = {
        "\"touches\":0,\"separations\":0,\"limits\":5,\"limits_left\":4,\"impacts\":0",
        "\"energy\":{\"kinetic\":0,\"potential\":0,\"elastic\":0,\"springs\":0,\"damping\":0,\"friction\":0,"
        "\"rolling\":0,\"joints\":0,\"supplied\":13,\"imbalance\":0}}"
    };
    check_contains(carom_results_end(results), expected, 2);
    carom_results_close(results);
    carom_model_destroy(model);
    unlink(path);
}

// A driven wheel, a bob on a slide, and a post that a joint cannot move.
static caromModel *driven_wheel(void)
{
    caromBuilder *b = carom_builder_create();
    caromBodyDef wheel = carom_model_body_def("wheel"), bob = carom_model_body_def("bob"),
                 post = carom_model_body_def("post");
    caromVec3 o = carom_vec(0, 0, 0);
    wheel.mass = bob.mass = 1;
    wheel.com = bob.com = o;
    wheel.inertia = bob.inertia = carom_mat_identity();
    post.fixed = true;
    carom_builder_body(b, &wheel);
    carom_builder_body(b, &bob);
    carom_builder_body(b, &post);
    caromJointDef nail = joint_between("nail", CAROM_JOINT_REVOLUTE, "world", o, "post", o);
    caromJointDef motor = joint_between("motor", CAROM_JOINT_REVOLUTE, "world", o, "wheel", o);
    motor.drive = CAROM_DRIVE_MOTION;
    motor.drive_function.kind = CAROM_FUNCTION_EXPRESSION;
    motor.drive_function.expression = "0.5 + 2*time";
    caromJointDef slide = joint_between("slide", CAROM_JOINT_PRISMATIC, "world", carom_vec(0, 0, 1), "bob", o);
    slide.position[0] = 0.25;
    slide.velocity[0] = 3;
    carom_builder_joint(b, &nail);
    carom_builder_joint(b, &motor);
    carom_builder_joint(b, &slide);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    if (carom_builder_finish(b, &problems, &model) != CAROM_OK) fail_msg("%s", problems.items[0].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

// Those of a prescribed joint too; a joint between what is fixed has none.
static void samples_of_a_simulation_stand_in_their_columns(void **state)
{
    (void)state;
    const char *path = scratch("sim.carom");
    caromModel *model = driven_wheel();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    caromSim *sim;
    caromError err = { 0 };
    assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, &err), CAROM_OK);
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", carom_sim_stats(sim), &err), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    int k = 2 + 2*13;
    assert_int_equal(carom_results_column_count(results), k + 4 + 10);
    check_column(results, k, "joints.motor.angle", "rad", 0.5);
    check_column(results, k + 1, "joints.motor.angle_rate", "rad/s", 2);
    check_column(results, k + 2, "joints.slide.distance", "m", 0.25);
    check_column(results, k + 3, "joints.slide.distance_rate", "m/s", 3);
    check_column(results, 2 + 13 + 2, "bodies.bob.position.z", "m", 1.25);
    carom_results_close(results);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_have_columns_behind_those_of_the_bodies),
        cmocka_unit_test(head_describes_joints_and_springs),
        cmocka_unit_test(limits_are_events_and_are_counted),
        cmocka_unit_test(samples_of_a_simulation_stand_in_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
