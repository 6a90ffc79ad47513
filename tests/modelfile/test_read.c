#include "modelfile_helpers.h"

#include <sys/stat.h>
#include <unistd.h>

#define BALL "carom: 1\nbodies:\n  ball: {material: steel, shape: {sphere: {radius: 1}}}\n"

static caromModel *everything(void)
{
    char *text = source_file("tests/modelfile/good/everything.yaml", NULL);
    caromModel *model = good_model(text, NULL, 0);
    free(text);
    return model;
}

static void settings_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = everything();
    const caromSettings *s = carom_model_settings(model);
    CHECK_VEC(s->gravity, carom_vec(0, 0, -9.81), 0.0);
    assert_int_equal(s->damping, CAROM_DAMPING_FLORES);
    assert_int_equal(s->method, CAROM_METHOD_DOP853);
    CHECK_NEAR(s->default_restitution, 0.5, 0);
    CHECK_NEAR(s->default_friction, 0.2, 0);
    CHECK_NEAR(s->default_rolling, 0.001, 0);
    CHECK_NEAR(s->v_small, 0.002, 0);
    CHECK_NEAR(s->w_small, 6.28318530717958647693/60, 1e-16);
    CHECK_NEAR(s->k_red, 100, 0);
    CHECK_NEAR(s->until, 3, 0);
    CHECK_NEAR(s->tolerance, 1e-8, 0);
    CHECK_NEAR(s->every, 0.01, 0);
    carom_model_destroy(model);
}

static void what_the_file_does_not_say_is_at_its_default(void **state)
{
    (void)state;
    caromModel *model = good_model(BALL, NULL, 0);
    const caromSettings *s = carom_model_settings(model);
    caromSettings d = carom_model_settings_def();
    CHECK_VEC(s->gravity, d.gravity, 0.0);
    assert_int_equal(s->damping, d.damping);
    assert_int_equal(s->method, d.method);
    assert_true(isnan(s->default_restitution) && isnan(s->default_friction));
    CHECK_NEAR(s->until, d.until, 0);
    CHECK_NEAR(s->tolerance, d.tolerance, 0);
    carom_model_destroy(model);
}

static void materials_and_pairs_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = everything();
    bool has_bumper = false, has_steel = false;
    for (int i = 0; i < carom_model_material_count(model); i++) {
        caromMaterialDef m = carom_model_material(model, i);
        if (strcmp(m.name, "bumper") == 0) {
            has_bumper = true;
            assert_true(m.density == 1100 && m.E == 1e7 && m.nu == 0.49);
        }
        if (strcmp(m.name, "steel") == 0) {
            has_steel = true;
            assert_true(m.density == 7850 && m.E == 2e11 && m.nu == 0.3);
        }
    }
    assert_true(has_bumper && has_steel);
    caromPairInfo pair = carom_model_pair(model, 0);  // floor - ball
    assert_true(pair.restitution == 0.7 && pair.friction == 0.4 && pair.rolling == 0 &&
                pair.origin[CAROM_COEFFICIENT_RESTITUTION] == CAROM_ORIGIN_MODEL);
    carom_model_destroy(model);
}

static void bodies_and_shapes_are_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = everything();
    const char *const names[] = { "floor", "wall", "ball", "dumbbell", "tilted", "point" };
    assert_int_equal(carom_model_body_count(model), 6);
    for (int i = 0; i < 6; i++) assert_string_equal(carom_model_body_name(model, (caromBodyId){ i }), names[i]);
    assert_true(carom_model_body_is_fixed(model, (caromBodyId){ 0 }));
    caromMassProps mass = carom_model_body_mass(model, (caromBodyId){ 3 });
    CHECK_NEAR(mass.mass, 2, 0);
    CHECK_VEC(mass.com, carom_vec(0.001, 0, 0), 0.0);
    CHECK_VEC(mass.inertia.cx, carom_vec(0.02, 0.001, 0), 0.0);
    CHECK_VEC(mass.inertia.cy, carom_vec(0.001, 0.02, 0), 0.0);
    caromShapeInfo right = carom_model_shape(model, 4);
    assert_string_equal(right.name, "right");
    assert_int_equal(right.shape.kind, CAROM_BOX);
    CHECK_VEC(right.shape.size, carom_vec(0.01, 0.02, 0.03), 0.0);
    CHECK_VEC(right.X_BS.p, carom_vec(0.1, 0, 0), 0.0);
    CHECK_VEC(right.X_BS.R.cx, carom_vec(sqrt(0.5), sqrt(0.5), 0), 4e-16);  // a sine, a square, a product
    assert_string_equal(carom_model_material(model, right.material).name, "rubber");
    carom_model_destroy(model);
}

// The frame of a half-space has z along the normal; exactly so along the axes, where people put floors and walls.
static void half_spaces_look_along_their_normal(void **state)
{
    (void)state;
    const double normals[][3] = {
        { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1e-200 },
        { -3e200, 0, 0 }, { 1, 2, 3 }, { -1, 2, -3 }, { 1e-9, 0, -1 }, { 1e-300, 1, -1e-300 }
    };
    for (int i = 0; i < (int)(sizeof normals/sizeof normals[0]); i++) {
        const double *n = normals[i];
        char text[400];
        snprintf(text, sizeof text, BALL "  wall: {fixed: true, material: steel, shape: {half-space: {normal: [%g, %g, "
                 "%g], offset: 2}, position: [1, 1, 1]}}\n", n[0], n[1], n[2]);
        caromModel *model = good_model(text, NULL, 0);
        caromPose X = carom_model_shape(model, 1).X_BS;
        double length = hypot(n[0], hypot(n[1], n[2]));
        caromVec3 unit = { n[0]/length, n[1]/length, n[2]/length };
        CHECK_VEC(X.R.cz, unit, i < 8 ? 0.0 : 1e-15);
        CHECK_VEC(X.p, carom_axpy(2, unit, carom_vec(1, 1, 1)), i < 8 ? 0.0 : 1e-15);
        CHECK_VEC(carom_cross(X.R.cx, X.R.cy), X.R.cz, 1e-15);
        carom_model_destroy(model);
    }
}

static caromMat3 orientation_of(const char *orientation)
{
    char text[500];
    snprintf(text, sizeof text, "carom: 1\nbodies:\n  ball: {material: steel, shape: {box: {size: [1, 1, 1]}, "
             "orientation: %s}}\n", orientation);
    caromModel *model = good_model(text, NULL, 0);
    caromMat3 R = carom_model_shape(model, 0).X_BS.R;
    carom_model_destroy(model);
    return R;
}

static void orientations_agree(void **state)
{
    (void)state;
    const char *const same[][2] = {
        { "{axis: [0, 0, 7], angle: 90 deg}", "{quaternion: [1, 0, 0, 1]}" },
        { "{axis: [0, 0, 1], angle: 90 deg}", "{angles: [0, 0, 0.25 rev]}" },
        { "{quaternion: [1e200, 1e200, 0, 0]}", "{angles: [90 deg, 0, 0]}" },
        { "{quaternion: [1e-200, 0, -1e-200, 0]}", "{angles: [0, -90 deg, 0]}" },
        { "{angles: [90 deg, 90 deg, 0]}", "{quaternion: [1, 1, 1, 1]}" },  // x -> y turned about x is z, and so on
    };
    for (size_t i = 0; i < sizeof same/sizeof same[0]; i++) {
        caromMat3 A = orientation_of(same[i][0]), B = orientation_of(same[i][1]);
        CHECK_VEC(A.cx, B.cx, 1e-15);
        CHECK_VEC(A.cy, B.cy, 1e-15);
        CHECK_VEC(A.cz, B.cz, 1e-15);
    }
}

static void overrides_replace_and_add(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "simulate.until=2 s", "gravity.z=-1.62", "bodies.ball.shape.sphere.radius=50 mm", "contact={friction: 0.1}",
        "bodies.second={material: glass, shape: {sphere: {radius: 2}}, position: [9, 0, 0]}",
        "bodies.second.shape.sphere.radius=3", "pairs=[]", "pairs.0={between: [steel, glass]}",
        "pairs.0.restitution=0.25", "bodies.ball.position.0=-5", "simulate.until=4"
    };
    caromModel *model = good_model(BALL, overrides, (int)(sizeof overrides/sizeof overrides[0]));
    const caromSettings *s = carom_model_settings(model);
    CHECK_NEAR(s->until, 4, 0);
    CHECK_VEC(s->gravity, carom_vec(0, 0, -1.62), 0.0);
    CHECK_NEAR(s->default_friction, 0.1, 0);
    CHECK_NEAR(carom_model_shape(model, 0).shape.size.x, 0.05, 0);
    CHECK_NEAR(carom_model_shape(model, 1).shape.size.x, 3, 0);
    CHECK_NEAR(carom_model_pair(model, 0).restitution, 0.25, 0);
    carom_model_destroy(model);
}

typedef struct BadOverride { const char *override, *expected; } BadOverride;

static void wrong_overrides_are_named(void **state)
{
    (void)state;
    const BadOverride bad[] = {
        { "", "--set : error: expected PATH=VALUE such as 'simulate.until=2 s', got ''\n" },
        { "until", "--set until: error: expected PATH=VALUE such as 'simulate.until=2 s', got 'until'\n" },
        { "=2", "--set : error: expected PATH=VALUE such as 'simulate.until=2 s', got '=2'\n" },
        { ".=2", "--set .: error: unknown key '' in a model: expected one of carom, name, gravity, materials, pairs, bodies, joints, springs, forces, contact, simulate\n" },
        { "simulate.untl=2", "--set simulate.untl: error: unknown key 'untl', did you mean 'until'?\n" },
        { "simulte.until=2", "--set simulte.until: error: unknown key 'simulte', did you mean 'simulate'?\n" },
        { "simulate.until=2 m", "--set simulate.until: error: expected a time such as 3 s, got a length ('2 m')\n" },
        { "simulate.until=-2", "--set simulate.until: error: end time -2 s is not positive: expected a finite number above 0\n" },
        { "simulate.until=", "--set simulate.until: error: expected a time such as 3 s, got nothing\n" },
        { "simulate.until=[2", "--set simulate.until: error: not valid YAML: did not find expected ',' or ']'\n" },
        { "simulate.until=&a 2", "--set simulate.until: error: anchors and aliases are not accepted in a model file: drop anchor 'a'\n" },
        { "simulate.until.x=2", "--set simulate.until.x: error: the model has no 'until': nothing to change below it\n" },
        { "bodies.bal.mass=2", "--set bodies.bal.mass: error: there is no 'bal' in bodies, did you mean 'ball'?\n" },
        { "bodies.zzz.mass=2", "--set bodies.zzz.mass: error: there is no 'zzz' in bodies\n" },
        { "bodies.ball.mass=2 m", "--set bodies.ball.mass: error: expected a mass such as 2 kg, got a length ('2 m')\n" },
        { "bodies.ball.mass.x=2", "--set bodies.ball.mass.x: error: the model has no 'mass': nothing to change below it\n" },
        { "bodies.ball.fixed.x=2", "--set bodies.ball.fixed.x: error: the model has no 'fixed': nothing to change below it\n" },
        { "bodies.ball.material.x=2", "--set bodies.ball.material.x: error: 'material' is a value: there is nothing below it\n" },
        { "bodies.ball.velocity.w=2", "--set bodies.ball.velocity.w: error: velocity has no component 'w'\n" },
        { "bodies.ball.velocity.x.y=2", "--set bodies.ball.velocity.x.y: error: velocity has no component 'x'\n" },
        { "bodies.ball.velocity=[1, 2]", "--set bodies.ball.velocity: error: expected a list of 3 components such as [0.5, 0, 0], got 2\n" },
        { "bodies.ball.shape.radius=2", "--set bodies.ball.shape.radius: error: unknown key 'radius' in a shape: it belongs in a sphere\n" },
        { "bodies.ball.shapes={a: {sphere: {radius: 1}}}", "--set bodies.ball.shapes: error: 'shape' and 'shapes' exclude each other: give one of them\n" },
        { "bodies.b c={}", "--set bodies.b c: error: 'b c' is not a name: expected a letter, then letters, digits, '_' or '-', at most 63 in all\n" },
        { "bodies.b={fixed: true, fixed: true}", "--set bodies.b: error: duplicate key 'fixed'\n" },
        { "materials.steel.E=2", "--set materials.steel.E: error: the model has no 'materials': nothing to change below it\n" },
        { "pairs.0.friction=2", "--set pairs.0.friction: error: the model has no 'pairs': nothing to change below it\n" },
        { "bodies=3", "--set bodies: error: expected a mapping of names such as {ball: {material: steel, shape: {sphere: {radius: 50 mm}}}}, got '3'\n" },
        { "carom=2", "--set carom: error: this carom reads version 1 of the format, got '2'\n" },
        { "bodies.ball.mass=-2", "--set bodies.ball.mass: error: mass -2 kg is not positive: expected a finite number above 0\n" },
        { "bodies.ball={shape: {box: {size: [1, 1, 1]}}, inertia: [1, 1, 3], mass: 1, material: steel}",
          "--set bodies.ball: error: inertia violates the triangle inequality: principal moments 1, 1, 3 kg m^2, "
          "and no body has one above the sum of the others\n" },
        { "name=\x01", "--set name: error: a control character (0x01) cannot be in a model file\n" },
    };
    for (size_t i = 0; i < sizeof bad/sizeof bad[0]; i++) expect_problems(BALL, &bad[i].override, 1, bad[i].expected);
    const char *const several[] = { "pairs=[{between: [steel, steel]}]", "pairs.1.friction=2", "pairs.x.friction=2",
                                    "pairs.2={}", "bodies.ball.mass=" };
    expect_problems(BALL, several, 5, "--set pairs.1.friction: error: pairs has no entry '1': it has 1, "
                    "counted from 0\n"
                    "--set pairs.x.friction: error: pairs has no entry 'x': it has 1, counted from 0\n"
                    "--set pairs.2: error: pairs has no entry '2': it has 1, counted from 0\n"
                    "--set bodies.ball.mass: error: expected a mass such as 2 kg, got nothing\n");
}

// Paths around the length that a problem keeps (CAROM_PATH_MAX): cut, never empty.
static void long_paths_of_overrides_are_cut(void **state)
{
    (void)state;
    for (size_t n = CAROM_PATH_MAX - 8; n <= 2*CAROM_PATH_MAX; n++) {
        char override[2*CAROM_PATH_MAX + 8], expected[CAROM_PATH_MAX];
        memset(override, 'x', n);
        strcpy(override + n, "=1");
        snprintf(expected, sizeof expected, "--set %.*s", (int)n, override);
        caromProblems problems = { 0 };
        caromModel *model;
        const char *const overrides[] = { override };
        assert_true(carom_modelfile_read(BALL, strlen(BALL), overrides, 1, &problems, &model) < 0);
        assert_string_equal(problems.items[0].path, expected);
        carom_problems_free(&problems);
    }
}

// An override heals a file; the rest of the file keeps its lines.
static void overrides_come_before_checking(void **state)
{
    (void)state;
    const char *text = "carom: 1\nbodies:\n  ball: {material: stel, shape: {sphere: {radius: -1}}}\n";
    const char *const heal[] = { "bodies.ball.material=steel" };
    expect_problems(text, heal, 1, "3:51: error: radius -1 m is not positive: expected a finite number above 0\n");
    const char *flat = "carom: 1\nbodies:\n  box: {material: steel, shape: {box: {size: [1, 1, 1]}}}\n";
    const char *const component[] = { "bodies.box.shape.box.size.y=-1" };
    expect_problems(flat, component, 1, "--set bodies.box.shape.box.size.y: error: size -1 m is not positive: "
                    "expected a finite number above 0\n");
    const char *const wrong_kind[] = { "bodies.ball.mass=1" };
    expect_problems("carom: 1\nbodies: 3\n", wrong_kind, 1, "2:9: error: expected a mapping of names such as {ball: "
                    "{material: steel, shape: {sphere: {radius: 50 mm}}}}, got '3'\n");
}

static void problems_add_to_what_is_there(void **state)
{
    (void)state;
    caromProblems problems = { 0 };
    caromModel *model;
    carom_problem_add(&problems, true, "x", "from before");
    assert_int_equal(carom_modelfile_read(BALL, strlen(BALL), NULL, 0, &problems, &model), CAROM_OK);
    assert_int_equal(problems.count, 1);
    carom_model_destroy(model);
    assert_true(carom_modelfile_read("x", 1, NULL, 0, &problems, &model) < 0);
    assert_null(model);
    assert_int_equal(problems.errors, 1);
    assert_string_equal(problems.items[0].message, "from before");
    carom_problems_free(&problems);
    assert_true(carom_modelfile_read("x", 1, NULL, 0, NULL, &model) < 0);
}

static void only_regular_files_are_loaded(void **state)
{
    (void)state;
    char *text = NULL, folder[] = "/tmp/carom_test_XXXXXX", path[200];
    size_t length;
    caromError err;
    assert_int_equal(carom_modelfile_load("/nowhere/at.yaml", &text, &length, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "cannot be opened: No such file or directory");
    assert_int_equal(carom_modelfile_load(CAROM_SOURCE_DIR, &text, &length, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "is a directory, expected a model file");
    assert_int_equal(carom_modelfile_load("/dev/zero", &text, &length, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "is not a regular file, expected a model file");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(carom_modelfile_load(path, &text, &length, NULL), CAROM_ERR_FILE);
    unlink(path);
    snprintf(path, sizeof path, "%s/huge.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), CAROM_MODELFILE_BYTES_MAX), 0);
    assert_int_equal(carom_modelfile_load(path, &text, &length, &err), CAROM_OK);
    assert_int_equal(length, CAROM_MODELFILE_BYTES_MAX);
    free(text);
    assert_int_equal(ftruncate(fileno(file), CAROM_MODELFILE_BYTES_MAX + 1), 0);
    fclose(file);
    assert_int_equal(carom_modelfile_load(path, &text, &length, &err), CAROM_ERR_FILE);
    assert_string_equal(err.message, "has 16777217 bytes, more than the limit of 16 MiB");
    assert_null(text);
    unlink(path);
    rmdir(folder);
}

static caromShape shape_named(const caromModel *model, const char *body, int k)
{
    for (int i = 0; i < carom_model_shape_count(model); i++) {
        caromShapeInfo info = carom_model_shape(model, i);
        if (strcmp(carom_model_body_name(model, info.body), body) == 0 && k-- == 0) return info.shape;
    }
    fail_msg("no shape of %s", body);
    return carom_shape_half_space();
}

static caromModel *shapes_model(const char *const *overrides, int n)
{
    char *text = source_file("tests/modelfile/good/shapes.yaml", NULL);
    caromModel *model = good_model(text, overrides, n);
    free(text);
    return model;
}

static void check_shape(const caromModel *model, const char *body, caromShapeKind kind, caromVec3 size, double rounding)
{
    caromShape shape = shape_named(model, body, 0);
    assert_int_equal(shape.kind, kind);
    CHECK_VEC(shape.size, size, 0.0);
    CHECK_NEAR(shape.rounding, rounding, 0);
}

static void every_kind_of_shape_is_as_the_file_says(void **state)
{
    (void)state;
    caromModel *model = shapes_model(NULL, 0);
    check_shape(model, "egg", CAROM_ELLIPSOID, carom_vec(0.02, 0.025, 0.03), 0.001);
    check_shape(model, "brick", CAROM_BOX, carom_vec(0.01, 0.02, 0.03), 0.001);
    check_shape(model, "can", CAROM_CYLINDER, carom_vec(0.02, 0.1, 0), 0.003);
    check_shape(model, "hat", CAROM_CONE, carom_vec(0.04, 0, 0.05), 0.0005);
    check_shape(model, "bucket", CAROM_CONE, carom_vec(0.01, 0.02, 0.05), 0);
    check_shape(model, "pill", CAROM_CAPSULE, carom_vec(0.01, 0.02, 0), 0);
    check_shape(model, "ring", CAROM_TORUS, carom_vec(0.1, 0.01, 0), 0);
    check_shape(model, "ball", CAROM_SPHERE, carom_vec(0.1, 0, 0), 0.01);
    assert_int_equal(shape_named(model, "hammer", 0).kind, CAROM_CYLINDER);
    assert_int_equal(shape_named(model, "hammer", 1).kind, CAROM_POLYTOPE);
    const caromVec3 *vertices;
    const caromHull *hull = shape_named(model, "die", 0).hull;
    assert_int_equal(carom_hull_vertices(hull, &vertices), 4);
    CHECK_VEC(vertices[1], carom_vec(0.03, 0, 0), 0.0);
    CHECK_VEC(vertices[2], carom_vec(0, 0.03, 0), 0.0);
    CHECK_NEAR(carom_hull_rounding(hull), 0.001, 0);
    assert_true(carom_model_settings(model)->gaps);
    carom_model_destroy(model);
}

static void overrides_reach_vertices_and_their_components(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "bodies.die.shape.polytope.vertices.3.z=40 mm", "bodies.die.shape.polytope.vertices.1=[35 mm, 0, 0]",
        "bodies.die.shape.polytope.vertices.5=[1 cm, 1 cm, 2 cm]", "bodies.can.shape.cylinder.rounding=2 mm"
    };
    caromModel *model = shapes_model(overrides, 4);
    const caromVec3 *vertices;
    assert_int_equal(carom_hull_vertices(shape_named(model, "die", 0).hull, &vertices), 5);
    CHECK_VEC(vertices[1], carom_vec(0.035, 0, 0), 0.0);
    CHECK_VEC(vertices[3], carom_vec(0, 0, 0.04), 0.0);
    CHECK_VEC(vertices[4], carom_vec(0.01, 0.01, 0.02), 0.0);
    CHECK_NEAR(shape_named(model, "can", 0).rounding, 0.002, 0);
    carom_model_destroy(model);
}

static void problems_of_vertices_name_the_override_that_made_them(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        { "bodies.die.shape.polytope.vertices.3.z=0", "--set bodies.die.shape.polytope.vertices.3.z: error: " },
        { "bodies.die.shape.polytope.vertices.3.w=0", "--set bodies.die.shape.polytope.vertices.3.w: error: vertices has no component 'w'\n" },
        { "bodies.die.shape.polytope.vertices.3.z.x=0", "--set bodies.die.shape.polytope.vertices.3.z.x: error: vertices has no component 'z'\n" },
        { "bodies.die.shape.polytope.vertices.9=[1, 1, 1]", "--set bodies.die.shape.polytope.vertices.9: error: vertices has no entry '9': it has 5, counted from 0\n" },
        { "bodies.die.shape.polytope.vertices.two=[1, 1, 1]", "--set bodies.die.shape.polytope.vertices.two: error: vertices has no entry 'two': it has 5, counted from 0\n" },
        { "bodies.die.shape.polytope.vertices.1=[1, 1]", "--set bodies.die.shape.polytope.vertices.1: error: "
          "expected a point with 3 coordinates such as [10 mm, 0, 0], got 2\n" },
        { "bodies.die.shape.polytope.rounding=1 m", "--set bodies.die.shape.polytope.rounding: error: rounding by 1 m leaves nothing " },
        { "bodies.can.shape.cylinder.rounding=1 m", "--set bodies.can.shape.cylinder.rounding: error: rounding 1 m leaves nothing " },
    };
    // Without the point inside, which is a corner once the tip is gone.
    const char *flat = "bodies.die.shape.polytope.vertices.4=[0, 0, 0]";
    char *text = source_file("tests/modelfile/good/shapes.yaml", NULL);
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        const char *overrides[] = { flat, cases[i][0] };
        char *list = problems_of(text, strlen(text), overrides, 2, NULL);
        if (strncmp(list, cases[i][1], strlen(cases[i][1])) != 0) fail_msg("%s: %s", cases[i][0], list);
        assert_ptr_equal(strchr(list, '\n'), list + strlen(list) - 1);  // one problem
        free(list);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_as_the_file_says),
        cmocka_unit_test(what_the_file_does_not_say_is_at_its_default),
        cmocka_unit_test(materials_and_pairs_are_as_the_file_says),
        cmocka_unit_test(bodies_and_shapes_are_as_the_file_says),
        cmocka_unit_test(half_spaces_look_along_their_normal),
        cmocka_unit_test(orientations_agree),
        cmocka_unit_test(overrides_replace_and_add),
        cmocka_unit_test(wrong_overrides_are_named),
        cmocka_unit_test(long_paths_of_overrides_are_cut),
        cmocka_unit_test(overrides_come_before_checking),
        cmocka_unit_test(problems_add_to_what_is_there),
        cmocka_unit_test(only_regular_files_are_loaded),
        cmocka_unit_test(every_kind_of_shape_is_as_the_file_says),
        cmocka_unit_test(overrides_reach_vertices_and_their_components),
        cmocka_unit_test(problems_of_vertices_name_the_override_that_made_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
