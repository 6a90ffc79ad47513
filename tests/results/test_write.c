// What reaches the disk: the same bytes each time, as much as possible after a kill, an error instead of a
// crash when it is full.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "results_fixture.h"

static void same_run_same_bytes(void **state)
{
    (void)state;
    size_t n, m;
    const char *path = scratch("same.carom");
    fixture_file(path, 40);
    unsigned char *first = slurp(path, &n);
    fixture_file(path, 40);
    unsigned char *second = slurp(path, &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
    unlink(path);
}

static void head_describes_the_model(void **state)
{
    (void)state;
    const char *path = scratch("head.carom");
    fixture_file(path, 3);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    const char *expected[] = {
        "{\"format\":2,\"carom\":\"", "\"name\":\"two balls\"",
        "\"model\":\"carom: 1\\n# \\\"quoted\\\"\\tand \xc3\xa4\\n\"",
        "\"overrides\":[\"simulate.until=2\",\"bodies.one.position=[0.1, 0, 1]\"]", "\"gravity\":[0,0,-9.81]",
        "\"damping\":\"exact\",\"friction_law\":\"smooth\",\"rest_damping\":1,",
        "{\"name\":\"plate\",\"fixed\":true,\"mass\":0,", "{\"name\":\"one\",\"fixed\":false,\"mass\":4.1",
        "\"position\":[0.1,0,2],\"orientation\":[1,0,0,0],\"shapes\":[{\"name\":\"shape\",\"kind\":\"sphere\","
        "\"size\":[0.05,0,0],",
        "\"size\":[0.05,0,0],\"material\":\"steel\",\"position\":[0,0,0],\"rotation\":[[1,0,0],[0,1,0],[0,0,1]]}]}",
        "\"pair_count\":3,\"columns\":[{\"name\":\"time\",\"unit\":\"s\"},{\"name\":\"sample\",\"unit\":\"\"},"
        "{\"name\":\"bodies.one.position.x\",\"unit\":\"m\"},",
        "\"contact\":[{\"name\":\"pair\",\"unit\":\"\"},{\"name\":\"point.x\",\"unit\":\"m\"},",
    };
    for (size_t i = 0; i < sizeof expected/sizeof *expected; i++)
        if (!strstr(carom_results_head(results), expected[i]))
            fail_msg("not in the head: %s\n%s", expected[i], carom_results_head(results));
    assert_non_null(strstr(carom_results_end(results), "\"verdict\":\"completed\",\"message\":\"\",\"time\":3,"
                           "\"method\":\"dop853\",\"steps\":310"));
    assert_non_null(strstr(carom_results_event(results, 0), "{\"time\":0,\"kind\":\"touch\",\"pair\":0,\"point\":[0,0,"
                           "0],\"normal\":[0,0,1],\"speed\":3}"));
    assert_string_equal(carom_results_pair(results, 0), "{\"pair\":0,\"name\":\"plate - one\",\"a\":0,\"b\":1,"
                        "\"restitution\":0.7,\"friction\":0.3,\"static_friction\":0.3,\"rolling\":0,\"torsion\":0,"
                        "\"damping\":\"exact\"}");
    carom_results_close(results);
    unlink(path);
}

// In the fixture pair 0 has an event before the first row, pair 1 is the deepest, and pair 2 touches in the sixth row.
static void pairs_are_told_when_something_happens_to_them(void **state)
{
    (void)state;
    const char *path = scratch("pairs.carom");
    const int first[FIXTURE_PAIRS] = { 1, 0, 6 };
    for (int rows = 0; rows <= 7; rows++) {
        caromResults *results;
        caromError err;
        fixture_file(path, rows);
        assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
        for (int pair = 0; pair < FIXTURE_PAIRS; pair++)
            assert_true((carom_results_pair(results, pair) != NULL) == (rows >= first[pair]));
        assert_null(carom_results_pair(results, -1));
        assert_null(carom_results_pair(results, FIXTURE_PAIRS));
        carom_results_close(results);
    }
    unlink(path);
}

static double cell(const caromResults *results, int64_t row, const char *name)
{
    int column = carom_results_column_index(results, name);
    if (column < 0) fail_msg("no column %s", name);
    return carom_results_row(results, row)[column];
}

// The plate is the plane z = 0 and ball `one` has the radius 0.05, so its gap is z - 0.05.
static void gaps_are_columns_on_request(void **state)
{
    (void)state;
    const char *path = scratch("gaps.carom");
    caromSettings settings = carom_model_settings_def();
    settings.gaps = true;
    caromModel *model = fixture_model_with(settings);
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    for (int64_t i = 0; i < 4; i++) assert_int_equal(fixture_sample(sink, i), CAROM_OK);
    caromSimStats stats = fixture_stats();
    caromError err;
    assert_int_equal(carom_results_writer_finish(writer, "completed", "", &stats, &err), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_int_equal(carom_results_column_count(results), FIXTURE_COLUMNS + 11*FIXTURE_PAIRS);
    assert_string_equal(carom_results_column(results, FIXTURE_COLUMNS).name, "gaps.plate - one.distance");
    assert_string_equal(carom_results_column(results, FIXTURE_COLUMNS).unit, "m");
    for (int64_t i = 0; i < 4; i++) {
        for (int k = 0; k < FIXTURE_COLUMNS; k++) assert_true(carom_results_row(results, i)[k] == fixture_value(i, k));
        caromVec3 p = fixture_vec(i, 2);
        CHECK_NEAR(cell(results, i, "gaps.plate - one.distance"), p.z - 0.05, 1e-17);  // one rounding of 0.05
        CHECK_NEAR(cell(results, i, "gaps.plate - one.normal.z"), 1, 0);
        CHECK_NEAR(cell(results, i, "gaps.plate - one.point_a.x"), p.x, 0);
        CHECK_NEAR(cell(results, i, "gaps.plate - one.point_a.z"), 0, 1e-17);
        CHECK_NEAR(cell(results, i, "gaps.plate - one.point_b.z"), p.z - 0.05, 1e-17);
        caromVec3 between = carom_sub(fixture_vec(i, 15), p);
        // A few roundings of 0.1.
        CHECK_NEAR(cell(results, i, "gaps.one - two.distance"), carom_norm(between) - 0.1, 1e-16);
        for (int k = 0; k < FIXTURE_PAIRS; k++) assert_non_null(carom_results_pair(results, k));
        assert_true(cell(results, i, "gaps.one - two.error") >= 0 && cell(results, i, "gaps.one - two.error") < 1e-9);
    }
    carom_results_close(results);
    unlink(path);
}

// What a file tells of a ball in a shell that touches a plate, with this law between steel and steel.
static void check_law_in_file(const caromPairDef *law, const char *expected)
{
    caromBuilder *b = carom_builder_create();
    caromShapeDef plane = carom_model_shape_def(carom_shape_half_space()),
                  ball = carom_model_shape_def(carom_shape_sphere(0.05));
    ball.shell = 0.25;
    caromBodyDef plate = fixture_body("plate", &plane, 0), one = fixture_body("one", &ball, 1);
    plate.fixed = true;
    carom_builder_pair(b, law);
    carom_builder_body(b, &plate);
    carom_builder_body(b, &one);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_builder_destroy(b);
    const char *path = scratch("law.carom");
    caromWriter *writer = fixture_writer(path, model);
    assert_int_equal(fixture_event(carom_results_writer_sink(writer), 0), CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, NULL), CAROM_OK);
    assert_non_null(strstr(carom_results_head(results), "\"size\":[0.05,0,0],\"shell\":0.25,\"material\""));
    assert_non_null(strstr(carom_results_pair(results, 0), expected));
    carom_results_close(results);
    unlink(path);
}

static void pairs_have_their_laws(void **state)
{
    (void)state;
    caromPairDef depth = carom_model_pair_def("steel", "steel"), own = depth;
    depth.restitution = own.restitution = 0.5;
    depth.friction = own.friction = 0.25;
    depth.static_friction = 0.75;
    depth.rolling = own.rolling = 0.125;
    depth.torsion = own.torsion = 0.5;
    depth.stiffness = 1e6;
    depth.exponent = 2;
    depth.damping = CAROM_DAMPING_DEPTH;
    depth.damping_coefficient = 10;
    depth.damping_depth = 0.5;
    own.law = "1e6*d";
    check_law_in_file(&depth, "\"static_friction\":0.75,\"rolling\":0.125,\"torsion\":0.5,\"stiffness\":1000000,"
                      "\"exponent\":2,\"damping\":\"depth\",\"damping_coefficient\":10,\"damping_depth\":0.5,"
                      "\"shell\":0.25}");
    check_law_in_file(&own, "\"static_friction\":0.25,\"rolling\":0.125,\"torsion\":0.5,\"law\":true,\"shell\":0.25}");
}

// All kinds in one body: what a page needs to draw them is in the head.
static void head_describes_every_shape(void **state)
{
    (void)state;
    const caromVec3 corners[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.125, 0.125, 0.125 } };
    caromHull *sharp = carom_hull_create(corners, 5, 0, NULL), *blunt = carom_hull_create(corners, 5, 0.0625, NULL);
    const caromShape kinds[] = {
        carom_shape_ellipsoid(0.5, 1, 2), carom_shape_rounded(carom_shape_box(1, 2, 3), 0.25),
        carom_shape_cylinder(1, 2), carom_shape_cone(2, 1, 3), carom_shape_capsule(1, 2), carom_shape_torus(2, 1),
        carom_shape_polytope(sharp), carom_shape_polytope(blunt)
    };
    caromShapeDef shapes[8];
    const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    for (int i = 0; i < 8; i++) {
        shapes[i] = carom_model_shape_def(kinds[i]);
        shapes[i].name = names[i];
    }
    caromBuilder *b = carom_builder_create();
    caromBodyDef body = fixture_body("all", shapes, 0);
    body.nshape = 8;
    carom_builder_body(b, &body);
    carom_hull_destroy(sharp);
    carom_hull_destroy(blunt);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_builder_destroy(b);
    const char *path = scratch("shapes.carom");
    caromWriter *writer = fixture_writer(path, model);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, NULL), CAROM_OK);
    const char *expected[] = {
        "\"kind\":\"ellipsoid\",\"size\":[0.5,1,2],\"material\"",
        "\"kind\":\"box\",\"size\":[1,2,3],\"rounding\":0.25,\"material\"",
        "\"kind\":\"cylinder\",\"size\":[1,2,0],\"material\"",
        "\"kind\":\"cone\",\"size\":[2,1,3],\"material\"",
        "\"kind\":\"capsule\",\"size\":[1,2,0],\"material\"",
        "\"kind\":\"torus\",\"size\":[2,1,0],\"material\"",
        "\"kind\":\"polytope\",\"size\":[0,0,0],\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\"faces\":[[0,1,3],[0,2,"
        "1],[0,3,2],[1,2,3]],\"material\"",
        ("\"kind\":\"polytope\",\"size\":[0,0,0],\"rounding\":0.0625,\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"
         "\"faces\":[[0,1,3],[0,2,1],[0,3,2],[1,2,3]],\"core\":{\"vertices\":[["),
    };
    for (size_t i = 0; i < sizeof expected/sizeof *expected; i++)
        if (!strstr(carom_results_head(results), expected[i]))
            fail_msg("not in the head: %s\n%s", expected[i], carom_results_head(results));
    carom_results_close(results);
    unlink(path);
}

static void head_says_who_does_not_touch(void **state)
{
    (void)state;
    caromShapeDef shapes[2] = { carom_model_shape_def(carom_shape_sphere(1)),
                                carom_model_shape_def(carom_shape_sphere(2)) };
    shapes[0].name = "look";
    shapes[0].touches = false;
    shapes[1].weighs = false;
    static const char *const groups[] = { "red", "green" };
    caromBuilder *b = carom_builder_create();
    caromBodyDef one = fixture_body("one", shapes, 0), two = fixture_body("two", shapes, 9);
    one.p_WB = carom_vec(0, 0, 0);  // it follows from the joint
    one.nshape = two.nshape = 2;
    one.groups = groups;
    one.ngroup = 2;
    carom_builder_body(b, &one);
    carom_builder_body(b, &two);
    carom_builder_ignore(b, "red", "two");
    carom_builder_ignore(b, "green", "two.shape");
    caromJointDef joint = carom_model_joint_def("j", CAROM_JOINT_SPHERICAL);
    joint.body[0] = "world";
    joint.body[1] = "one";
    joint.touch = true;
    carom_builder_joint(b, &joint);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    const char *path = scratch("groups.carom");
    carom_results_writer_destroy(fixture_writer(path, model));
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, NULL), CAROM_OK);
    const char *expected[] = {
        "\"groups\":[\"red\",\"green\"],\"shapes\":[{\"name\":\"look\"", "\"material\":\"steel\","
        "\"touches\":false,\"position\"", "\"material\":\"steel\",\"weighs\":false,\"position\"", "\"driven\":false,"
        "\"touch\":true}", "\"pair_count\":0,\"ignored\":[[\"red\",\"two\"],[\"green\",\"two.shape\"]],\"columns\""
    };
    for (size_t i = 0; i < sizeof expected/sizeof *expected; i++)
        if (!strstr(carom_results_head(results), expected[i]))
            fail_msg("not in the head: %s\n%s", expected[i], carom_results_head(results));
    carom_results_close(results);
    unlink(path);
}

static void pause_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - floor(seconds))*1e9) };
    nanosleep(&t, NULL);
}

// A child that writes rows, waiting between them, until it is killed. It sends a byte down the pipe for each, if
// there is one (-1: none).
static pid_t start_writer(const char *path, double wait, int pipe)
{
    pid_t child = fork();
    if (child != 0) return child;
    caromModel *model = fixture_model();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    for (int64_t i = 0; fixture_sample(sink, i) == CAROM_OK; i++) {
        if (pipe >= 0 && write(pipe, "", 1) != 1) break;
        if (wait > 0) pause_for(wait);
    }
    _exit(1);
}

static void kill_and_reap(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void wait_for_bytes(const char *path, off_t n)
{
    struct stat info;
    while (stat(path, &info) != 0 || info.st_size <= n) pause_for(0.001);
}

static void kill_at_any_moment_keeps_a_prefix(void **state)
{
    (void)state;
    Random random = { 99 };
    const char *path = scratch("killed.carom");
    for (int round = 0; round < 30; round++) {
        unlink(path);
        pid_t child = start_writer(path, 0, -1);
        wait_for_bytes(path, 100);
        pause_for(random_uniform(&random, 0, 0.02));
        kill_and_reap(child);
        caromResults *results;
        caromError err;
        assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
        assert_false(carom_results_is_complete(results));
        // All but what was in the buffer: the file lacks less than one frame of what was handed over.
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        if (info.st_size > 100000) assert_true(carom_results_row_count(results) > 200);
        fixture_check_rows(results);
        carom_results_close(results);
    }
    unlink(path);
}

// Rows come 0.3 s apart or later, the disk gets them at the first row that comes 1 s after it last did: all but the
// last four rows are there, however slow the machine is.
static void slow_run_is_on_disk_within_a_second_or_so(void **state)
{
    (void)state;
    const char *path = scratch("slow.carom");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = start_writer(path, 0.3, ends[1]);
    char byte;
    for (int i = 0; i < 9; i++) assert_int_equal(read(ends[0], &byte, 1), 1);
    kill_and_reap(child);
    close(ends[0]);
    close(ends[1]);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_true(carom_results_row_count(results) >= 9 - 4);
    fixture_check_rows(results);
    carom_results_close(results);
    unlink(path);
}

static void full_disk_is_an_error_with_its_reason(void **state)
{
    (void)state;
    caromModel *model = fixture_model();
    caromWriter *writer;
    caromError err = { 0 };
    assert_int_equal(carom_results_writer_create("/dev/full", model, NULL, &writer, &err), CAROM_ERR_FILE);
    assert_null(writer);
    assert_string_equal(err.where, "/dev/full");
    assert_string_equal(err.message, "cannot write more than the first 0 bytes: No space left on device");
    assert_int_equal(carom_results_writer_create("no/such/directory/x.carom", model, NULL, &writer, &err),
                     CAROM_ERR_FILE);
    assert_string_equal(err.message, "cannot create it: No such file or directory");
    assert_int_equal(carom_results_writer_create(".", model, NULL, &writer, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "cannot create it: Is a directory");
    carom_model_destroy(model);
}

// A limit on the size of files stands for a disk that fills up in the middle.
static void disk_that_fills_up_keeps_what_fits(void **state)
{
    (void)state;
    const char *path = scratch("limit.carom");
    caromModel *model = fixture_model();
    struct rlimit old, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 200000;
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int64_t i = 0;
    while (i < 100000 && fixture_sample(sink, i) == CAROM_OK) i++;
    caromSimStats stats = fixture_stats();
    caromError err = { 0 };
    caromStatus sample = fixture_sample(sink, i), event = fixture_event(sink, i),
                flush = carom_results_writer_flush(writer, &err);
    caromStatus finish = carom_results_writer_finish(writer, "failed", "disk full", &stats, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    assert_true(i < 100000);
    assert_int_equal(sample, CAROM_ERR_FILE);
    assert_int_equal(event, CAROM_ERR_FILE);
    assert_int_equal(flush, CAROM_ERR_FILE);
    assert_int_equal(finish, CAROM_ERR_FILE);
    assert_string_equal(err.message, "cannot write more than the first 200000 bytes: File too large");
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_false(carom_results_is_complete(results));
    assert_true(carom_results_row_count(results) > 400);
    fixture_check_rows(results);
    carom_results_close(results);
    unlink(path);
}

static void numbers_that_are_not_finite_are_null_in_json(void **state)
{
    (void)state;
    const char *path = scratch("nan.carom");
    caromModel *model = fixture_model();
    caromWriter *writer = fixture_writer(path, model);
    caromSink sink = carom_results_writer_sink(writer);
    caromEvent event = { .kind = CAROM_EVENT_SEPARATION, .separation = { .restitution = NAN, .speed = INFINITY } };
    assert_int_equal(sink.event(sink.user, &event), CAROM_OK);
    caromSimStats stats = { .smallest_step = NAN };
    caromError err;
    assert_int_equal(carom_results_writer_finish(writer, "failed", "mass of 'ball' \"lost\"\n", &stats, &err),
                     CAROM_OK);
    carom_results_writer_destroy(writer);
    carom_model_destroy(model);
    caromResults *results;
    assert_int_equal(carom_results_open(path, &results, &err), CAROM_OK);
    assert_non_null(strstr(carom_results_event(results, 0), "\"speed\":null"));
    assert_non_null(strstr(carom_results_end(results), "\"message\":\"mass of 'ball' \\\"lost\\\"\\n\""));
    carom_results_close(results);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_run_same_bytes),
        cmocka_unit_test(head_describes_the_model),
        cmocka_unit_test(head_describes_every_shape),
        cmocka_unit_test(pairs_have_their_laws),
        cmocka_unit_test(pairs_are_told_when_something_happens_to_them),
        cmocka_unit_test(head_says_who_does_not_touch),
        cmocka_unit_test(gaps_are_columns_on_request),
        cmocka_unit_test(kill_at_any_moment_keeps_a_prefix),
        cmocka_unit_test(slow_run_is_on_disk_within_a_second_or_so),
        cmocka_unit_test(full_disk_is_an_error_with_its_reason),
        cmocka_unit_test(disk_that_fills_up_keeps_what_fits),
        cmocka_unit_test(numbers_that_are_not_finite_are_null_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
