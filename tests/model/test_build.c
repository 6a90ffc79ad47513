// Definitions in, a checked model out: every problem is found, mass properties are those of the solid.
#include "carom/model.h"

#include <float.h>

#include "check.h"
#include "model/model.h"

static caromShapeDef box_def(const char *name, double x, double y, double z)
{
    caromShapeDef def = carom_model_shape_def((caromShape){ CAROM_BOX, { x, y, z } });
    def.name = name;
    return def;
}

static void add_box(caromBuilder *b, const char *name, bool fixed)
{
    caromShapeDef shape = box_def("shape", 0.1, 0.2, 0.3);
    caromBodyDef body = carom_model_body_def(name);
    body.material = "steel";
    body.fixed = fixed;
    body.shapes = &shape;
    body.nshape = 1;
    carom_builder_body(b, &body);
}

static void expect_problem(const caromProblems *problems, const char *path, const char *message)
{
    for (int i = 0; i < problems->count; i++) {
        if (strcmp(problems->items[i].path, path) == 0 && strstr(problems->items[i].message, message)) return;
    }
    for (int i = 0; i < problems->count; i++)
        print_error("have: %s: %s\n", problems->items[i].path, problems->items[i].message);
    fail_msg("missing: %s: %s", path, message);
}

static void every_problem_is_found(void **state)
{
    (void)state;
    caromBuilder *b = carom_builder_create();
    caromSettings settings = carom_model_settings_def();
    settings.until = -1;
    settings.tolerance = 0.5;
    settings.gravity.y = NAN;
    carom_builder_settings(b, &settings);
    caromMaterialDef material = carom_model_material_def("putty");
    material.nu = 0.6;
    carom_builder_material(b, &material);
    caromPairDef pair = carom_model_pair_def("putty", "steeel");
    pair.restitution = 1.5;
    carom_builder_pair(b, &pair);
    caromBodyDef body = carom_model_body_def("ghost");
    body.mass = -2;
    body.inertia = carom_mat_diagonal(1, 1, 3);
    carom_builder_body(b, &body);
    carom_builder_body(b, &body);
    caromBodyDef bad_name = carom_model_body_def("a.b");
    bad_name.fixed = true;
    bad_name.v_WB.x = 1;
    carom_builder_body(b, &bad_name);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_ERR_MODEL);
    assert_null(model);
    expect_problem(&problems, "gravity", "not a finite number");
    expect_problem(&problems, "simulate.until", "end time -1 s is not positive");
    expect_problem(&problems, "simulate.tolerance", "out of range");
    expect_problem(&problems, "materials.putty.nu", "Poisson's ratio 0.6");
    expect_problem(&problems, "pairs.0.between", "unknown material 'steeel', did you mean 'steel'? ('carom materials' "
                   "lists the built-in ones)");
    expect_problem(&problems, "pairs.0.restitution", "expected 0 to 1");
    expect_problem(&problems, "bodies.ghost.mass", "mass -2 kg is not positive");
    expect_problem(&problems, "bodies.ghost.inertia", "triangle inequality");
    expect_problem(&problems, "bodies.ghost", "defined twice");
    expect_problem(&problems, "bodies.a.b", "not allowed");
    expect_problem(&problems, "bodies.a.b.velocity", "fixed body");
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

static caromStatus finish_with_inertia(caromMat3 inertia, caromProblems *problems)
{
    caromBuilder *b = carom_builder_create();
    caromBodyDef body = carom_model_body_def("ghost");
    body.mass = 1;
    body.inertia = inertia;
    carom_builder_body(b, &body);
    caromModel *model;
    caromStatus status = carom_builder_finish(b, problems, &model);
    carom_model_destroy(model);
    carom_builder_destroy(b);
    return status;
}

// Each of the three pairs of entries by itself; what rounding leaves (here 1e-10 of the largest entry, 2) is let
// through.
static void inertia_must_be_symmetric(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        caromMat3 inertia = carom_mat_diagonal(2, 2, 2);
        double *upper = k == 0 ? &inertia.cy.x : k == 1 ? &inertia.cz.x : &inertia.cz.y;
        caromProblems problems = { 0 };
        *upper = 2e-10;
        assert_int_equal(finish_with_inertia(inertia, &problems), CAROM_OK);
        *upper = 0.25;
        assert_int_equal(finish_with_inertia(inertia, &problems), CAROM_ERR_MODEL);
        assert_int_equal(problems.errors, 1);
        const char *const messages[] = { "Ixy 0.25 and Iyx 0 kg m^2", "Ixz 0.25 and Izx 0 kg m^2",
                                         "Iyz 0.25 and Izy 0 kg m^2" };
        expect_problem(&problems, "bodies.ghost.inertia", messages[k]);
        carom_problems_free(&problems);
    }
}

static void add_half_space(caromBuilder *b, const char *name, bool fixed)
{
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef body = carom_model_body_def(name);
    body.material = "steel";
    body.fixed = fixed;
    body.shapes = &shape;
    body.nshape = 1;
    if (!fixed) {
        body.mass = 1;
        body.inertia = carom_mat_diagonal(1, 1, 1);
    }
    carom_builder_body(b, &body);
}

// Two fixed ones are a corner of a room; one that moves passes through the others.
static void half_spaces_that_never_touch_are_warned_of(void **state)
{
    (void)state;
    for (int nfixed = 0; nfixed <= 2; nfixed++) {
        for (int has_free = 0; has_free < 2; has_free++) {
            caromBuilder *b = carom_builder_create();
            add_box(b, "box", false);
            if (nfixed > 0) add_half_space(b, "floor", true);
            if (nfixed > 1) add_half_space(b, "wall", true);
            if (has_free) add_half_space(b, "lid", false);
            caromProblems problems = { 0 };
            caromModel *model;
            assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
            assert_int_equal(problems.count, has_free && nfixed > 0);
            if (problems.count) {
                assert_true(problems.items[0].is_warning);
                expect_problem(&problems, "bodies.lid.shapes.shape", "two half-spaces never touch each other: "
                               "this one passes through that of 'floor'");
            }
            carom_model_destroy(model);
            carom_problems_free(&problems);
            carom_builder_destroy(b);
        }
    }
}

// Two halves of a box, put together, weigh and turn like the whole box.
static void mass_of_parts_is_mass_of_the_whole(void **state)
{
    (void)state;
    caromBuilder *b = carom_builder_create();
    caromShapeDef halves[2] = { box_def("left", 0.05, 0.2, 0.3), box_def("right", 0.05, 0.2, 0.3) };
    halves[0].p_BS.x = -0.025 + 1.0;  // the body frame is 1 m away: com moves, inertia about it does not
    halves[1].p_BS.x = 0.025 + 1.0;
    caromBodyDef body = carom_model_body_def("split");
    body.material = "steel";
    body.shapes = halves;
    body.nshape = 2;
    carom_builder_body(b, &body);
    add_box(b, "whole", false);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    caromMassProps split = carom_model_body_mass(model, (caromBodyId){ 0 }),
                   whole = carom_model_body_mass(model, (caromBodyId){ 1 });
    CHECK_NEAR(split.mass, 7850*0.1*0.2*0.3, 1e-13*split.mass);
    CHECK_VEC(split.com, carom_vec(1, 0, 0), 4*DBL_EPSILON);
    CHECK_VEC(split.inertia.cx, whole.inertia.cx, 1e-14);
    CHECK_VEC(split.inertia.cy, whole.inertia.cy, 1e-14);
    CHECK_VEC(split.inertia.cz, whole.inertia.cz, 1e-14);
    CHECK_NEAR(whole.inertia.cx.x, whole.mass*(0.04 + 0.09)/12, 1e-14);
    carom_model_destroy(model);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

static void pairs_are_those_that_can_touch(void **state)
{
    (void)state;
    caromBuilder *b = carom_builder_create();
    add_box(b, "floor", true);
    add_box(b, "wall", true);
    add_box(b, "one", false);
    add_box(b, "two", false);
    caromPairDef def = carom_model_pair_def("steel", "steel");
    def.restitution = 0.4;
    carom_builder_pair(b, &def);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
    assert_int_equal(carom_model_pair_count(model), 5);  // all but floor - wall
    char name[200];
    carom_model_pair_name(model, 0, name, sizeof name);
    assert_string_equal(name, "floor - one");
    caromPairInfo pair = carom_model_pair(model, 4);
    CHECK_NEAR(pair.restitution, 0.4, 0);
    CHECK_NEAR(pair.friction, carom_model_pair_palette_find("steel", "steel")->friction, 0);
    CHECK(pair.origin[CAROM_COEFFICIENT_RESTITUTION] == CAROM_ORIGIN_MODEL &&
          pair.origin[CAROM_COEFFICIENT_FRICTION] == CAROM_ORIGIN_PALETTE);
    CHECK(pair.origin[CAROM_COEFFICIENT_ROLLING] == CAROM_ORIGIN_SETTINGS);
    CHECK_NEAR(pair.E_star, 0.5*210e9/(1 - 0.09), 1e-3);
    carom_model_destroy(model);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

// A mesh of thousands of triangles took a second for points by which nothing pressed.
static void rigid_shapes_have_no_points_to_press_by(void **state)
{
    (void)state;
    for (int rigid = 0; rigid < 2; rigid++) {
        caromBuilder *b = carom_builder_create();
        caromSettings settings = carom_model_settings_def();
        settings.response = rigid ? CAROM_RESPONSE_RIGID : CAROM_RESPONSE_COMPLIANT;
        carom_builder_settings(b, &settings);
        add_box(b, "block", true);
        caromShapeDef shape = carom_model_shape_def(carom_shape_cylinder(0.1, 0.2));
        shape.name = "shape";
        caromBodyDef body = carom_model_body_def("can");
        body.material = "steel";
        body.shapes = &shape;
        body.nshape = 1;
        body.p_WB.z = 1;
        carom_builder_body(b, &body);
        caromProblems problems = { 0 };
        caromModel *model;
        assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
        for (int i = 0; i < 2; i++) CHECK((model->shapes[i].shape.samples != NULL) == !rigid);
        carom_model_destroy(model);
        carom_problems_free(&problems);
        carom_builder_destroy(b);
    }
}

// Friction at rest of all pairs that do not say is not for one that has none.
static void a_pair_without_friction_has_none_at_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        caromBuilder *b = carom_builder_create();
        caromSettings settings = carom_model_settings_def();
        settings.default_static_friction = 0.5;
        carom_builder_settings(b, &settings);
        add_box(b, "floor", true);
        add_box(b, "one", false);
        caromPairDef def = carom_model_pair_def("steel", "steel");
        def.restitution = 0.4;
        def.friction = i == 0 ? 0 : 0.1;
        carom_builder_pair(b, &def);
        caromProblems problems = { 0 };
        caromModel *model;
        assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_OK);
        CHECK_NEAR(carom_model_pair(model, 0).static_friction, i == 0 ? 0 : 0.5, 0);
        carom_model_destroy(model);
        carom_problems_free(&problems);
        carom_builder_destroy(b);
    }
}

static void principal_moments_of_a_turned_body(void **state)
{
    (void)state;
    caromMat3 R = carom_quat_matrix((caromQuat){ 0.3, -0.5, 0.7, 0.2 });
    caromMat3 turned = carom_mat_mul(carom_mat_mul(R, carom_mat_diagonal(3, 1, 2)), carom_transpose(R));
    caromMat3 axes;
    CHECK_VEC(carom_geometry_principal_axes(turned, &axes), carom_vec(1, 2, 3), 1e-14);
    CHECK_NEAR(fabs(carom_dot(axes.cx, R.cy)), 1, 1e-14);
    CHECK_NEAR(fabs(carom_dot(axes.cy, R.cz)), 1, 1e-14);
}

static caromHull *tetrahedron(double size, double rounding)
{
    const caromVec3 corners[] = { { 0, 0, 0 }, { size, 0, 0 }, { 0, size, 0 }, { 0, 0, size } };
    return carom_hull_create(corners, 4, rounding, NULL);
}

static caromBodyDef body_of(const caromShapeDef *shapes, int n)
{
    caromBodyDef body = carom_model_body_def("thing");
    body.material = "steel";
    body.shapes = shapes;
    body.nshape = n;
    return body;
}

// The caller's hull may go once the definition was added, the builder's once the model is there.
static void hulls_live_as_long_as_the_model(void **state)
{
    (void)state;
    caromHull *hull = tetrahedron(0.5, 0);
    caromShapeDef shape = carom_model_shape_def(carom_shape_polytope(hull));
    caromBodyDef body = body_of(&shape, 1);
    caromBuilder *b = carom_builder_create();
    carom_builder_body(b, &body);
    carom_hull_destroy(hull);
    caromProblems problems = { 0 };
    caromModel *one = NULL, *two = NULL;
    assert_int_equal(carom_builder_finish(b, &problems, &one), CAROM_OK);
    assert_int_equal(carom_builder_finish(b, &problems, &two), CAROM_OK);
    carom_builder_destroy(b);
    const caromHull *kept = carom_model_shape(one, 0).shape.hull;
    assert_ptr_not_equal(kept, carom_model_shape(two, 0).shape.hull);
    carom_model_destroy(two);
    const caromVec3 *vertices;
    assert_int_equal(carom_hull_vertices(kept, &vertices), 4);
    CHECK_VEC(vertices[1], carom_vec(0.5, 0, 0), 0.0);
    caromMassProps mass = carom_model_body_mass(one, (caromBodyId){ 0 });
    CHECK_NEAR(mass.mass, 7850*0.125/6, 7850*0.125/6*8*DBL_EPSILON);  // a sixth of a cube; a few roundings
    carom_model_destroy(one);
}

static void wrong_shapes_are_found_with_their_dimension(void **state)
{
    (void)state;
    const caromShape wrong[] = {
        carom_shape_cylinder(-1, 1), carom_shape_cone(1, -1, 1), carom_shape_ellipsoid(1, 0, 1),
        carom_shape_torus(1, 2), carom_shape_capsule(1, (double)NAN),
        carom_shape_rounded(carom_shape_box(1, 1, 1), 0.6), carom_shape_rounded(carom_shape_torus(2, 1), 0.1),
        carom_shape_polytope(NULL), { .kind = CAROM_SHAPE_KINDS }
    };
    const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
    caromShapeDef shapes[9];
    for (int i = 0; i < 9; i++) {
        shapes[i] = carom_model_shape_def(wrong[i]);
        shapes[i].name = names[i];
    }
    caromBodyDef body = body_of(shapes, 9);
    caromBuilder *b = carom_builder_create();
    carom_builder_body(b, &body);
    caromProblems problems = { 0 };
    caromModel *model;
    assert_int_equal(carom_builder_finish(b, &problems, &model), CAROM_ERR_MODEL);
    expect_problem(&problems, "bodies.thing.shapes.a.radius", "radius -1 m is not positive");
    expect_problem(&problems, "bodies.thing.shapes.b.top_radius", "top_radius -1 m is negative or not finite");
    expect_problem(&problems, "bodies.thing.shapes.c.semi_axes", "semi_axes 0 m is not positive");
    expect_problem(&problems, "bodies.thing.shapes.d.tube_radius", "no hole");
    expect_problem(&problems, "bodies.thing.shapes.e.length", "length nan m is not positive");
    expect_problem(&problems, "bodies.thing.shapes.f.rounding", "leaves nothing");
    expect_problem(&problems, "bodies.thing.shapes.g.rounding", "no edges to round");
    expect_problem(&problems, "bodies.thing.shapes.h", "without a hull");
    expect_problem(&problems, "bodies.thing.shapes.i", "unknown shape kind");
    assert_int_equal(problems.errors, 9);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
}

// n balls have n (n - 1)/2 pairs: 20 are within the limit of 200, 21 are not.
static void gaps_of_too_many_pairs_are_refused(void **state)
{
    (void)state;
    for (int n = 20; n <= 21; n++) {
        caromBuilder *b = carom_builder_create();
        caromSettings settings = carom_model_settings_def();
        settings.gaps = true;
        carom_builder_settings(b, &settings);
        for (int i = 0; i < n; i++) {
            char name[8];
            snprintf(name, sizeof name, "b%d", i);
            add_box(b, name, false);
        }
        caromProblems problems = { 0 };
        caromModel *model;
        assert_int_equal(carom_builder_finish(b, &problems, &model), n == 20 ? CAROM_OK : CAROM_ERR_MODEL);
        if (n == 21) expect_problem(&problems, "simulate.gaps", "at most 200 pairs of shapes, and here 210");
        carom_problems_free(&problems);
        carom_model_destroy(model);
        carom_builder_destroy(b);
    }
}

// ---- laws of pairs

static double pulls(void *user, double depth, double speed)
{
    (void)user;
    (void)speed;
    return -depth;
}

static double linear(void *user, double depth, double speed)
{
    return *(double *)user*depth*(1.0 + speed);
}

static double never_a_number(void *user, double depth, double speed)
{
    (void)user;
    (void)depth;
    return sqrt(-1.0 - fabs(speed));
}

// Problems of a model with this pair.
static caromProblems problems_of_pair(const caromPairDef *pair, const caromSettings *settings, bool expect_model)
{
    caromBuilder *b = carom_builder_create();
    if (settings) carom_builder_settings(b, settings);
    carom_builder_pair(b, pair);
    add_box(b, "box", false);
    caromProblems problems = { 0 };
    caromModel *model;
    caromStatus status = carom_builder_finish(b, &problems, &model);
    assert_int_equal(status, expect_model ? CAROM_OK : CAROM_ERR_MODEL);
    carom_model_destroy(model);
    carom_builder_destroy(b);
    return problems;
}

static caromPairDef steel_pair(void)
{
    caromPairDef pair = carom_model_pair_def("steel", "steel");
    pair.restitution = 0.5;
    pair.friction = 0.3;
    return pair;
}

static void expect_only(caromProblems problems, const char *path, const char *message)
{
    if (path) expect_problem(&problems, path, message);
    assert_int_equal(problems.count, path ? 1 : 0);
    carom_problems_free(&problems);
}

static void functions_are_laws_too(void **state)
{
    (void)state;
    double k = 1e6;
    caromPairDef pair = steel_pair();
    pair.law_function = linear;
    pair.law_user = &k;
    expect_only(problems_of_pair(&pair, NULL, true), NULL, NULL);
    pair.law_function = pulls;
    expect_only(problems_of_pair(&pair, NULL, true), "pairs.0.law", "the law is negative at d = 1e-09 m");
    pair.law_function = never_a_number;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.law",
                "the law is not a number at d = 1e-09 m, v = 0 m/s");
    pair.law_function = linear;
    pair.law = "1e6*d";
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.law", "an expression and a function are given");
    pair.law = NULL;
    pair.damping = CAROM_DAMPING_FLORES;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.damping", "a law is the whole normal force");
}

// What a file cannot say: words out of range, a name twice, no name.
static void laws_that_only_programs_can_give(void **state)
{
    (void)state;
    caromPairDef pair = steel_pair();
    pair.damping = (caromDamping)(CAROM_DAMPING_KINDS + 1);
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.damping", "unknown damping 9");
    const caromParameter twice[] = { { "k", 1e6 }, { "k", 2e6 } }, nameless[] = { { NULL, 1e6 } },
                         infinite[] = { { "k", INFINITY } };
    pair = steel_pair();
    pair.law = "k*d";
    pair.parameters = twice;
    pair.nparameter = 2;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.parameters.k", "parameter 'k' is given twice");
    pair.parameters = infinite;
    pair.nparameter = 1;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.parameters.k", "not a finite number");
    pair.parameters = nameless;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.parameters.", "not a name for a parameter");
    caromSettings settings = carom_model_settings_def();
    settings.friction_law = CAROM_FRICTION_KINDS;
    pair = steel_pair();
    expect_only(problems_of_pair(&pair, &settings, false), "contact.friction_law", "unknown friction law 2");
    settings = carom_model_settings_def();
    settings.damping = CAROM_DAMPING_DEPTH;
    expect_only(problems_of_pair(&pair, &settings, false), "contact.damping",
                "needs a coefficient, which belongs to a pair");
    settings.damping = CAROM_DAMPING_MARHEFKA_ORIN;
    pair.damping_coefficient = 0.1;  // that of the settings takes one
    expect_only(problems_of_pair(&pair, &settings, true), NULL, NULL);
}

static void rigid_settings_that_only_programs_can_give(void **state)
{
    (void)state;
    const struct { caromSettings settings; const char *path, *message; } wrong[] = {
        { { .response = CAROM_RESPONSE_KINDS, .impact_exponent = 1 }, "contact.response", "unknown response 2" },
        { { .impact_law = CAROM_IMPACT_KINDS, .impact_exponent = 1 }, "contact.impact_law", "unknown impact law 4" },
        { { .impacts = CAROM_IMPACTS_KINDS, .impact_exponent = 1 }, "contact.impacts", "unknown scheme 4 for impacts" },
        { { .landing = CAROM_LANDING_KINDS, .impact_exponent = 1 }, "contact.landing", "unknown way 2 to land" },
        { { .impact_exponent = 0.99 }, "contact.impact_exponent", "impact exponent 0.99 is out of range: expected 1 to 3" },
        { { .impact_exponent = NAN }, "contact.impact_exponent", "out of range" },
    };
    caromPairDef pair = steel_pair();
    for (size_t i = 0; i < sizeof wrong/sizeof wrong[0]; i++) {
        caromSettings settings = carom_model_settings_def();
        settings.response = wrong[i].settings.response;
        settings.impact_law = wrong[i].settings.impact_law;
        settings.impacts = wrong[i].settings.impacts;
        settings.landing = wrong[i].settings.landing;
        settings.impact_exponent = wrong[i].settings.impact_exponent;
        expect_only(problems_of_pair(&pair, &settings, false), wrong[i].path, wrong[i].message);
    }
    pair.impact_law = (caromImpactLaw)(CAROM_IMPACT_KINDS + 1);
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.impact_law", "unknown impact law 5");
}

static void restitution_over_speed_is_checked(void **state)
{
    (void)state;
    const double speeds[] = { 0.5, 1, 2 }, values[] = { 0.8, 0.6, 0.5 }, descending[] = { 0.5, 2, 1 },
                 negative[] = { -1, 1, 2 }, above[] = { 0.8, 1.5, 0.5 };
    caromPairDef pair = steel_pair();
    pair.restitution = NAN;
    pair.restitution_speeds = speeds;
    pair.restitution_values = values;
    pair.nrestitution = 3;
    expect_only(problems_of_pair(&pair, NULL, true), NULL, NULL);
    pair.nrestitution = 1;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.restitution.table", "needs at least 2 points, got 1");
    pair.nrestitution = 3;
    pair.restitution_speeds = descending;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.restitution.table",
                "the speeds of a table ascend, got 1 m/s behind 2 m/s");
    pair.restitution_speeds = negative;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.restitution.table",
                "approach speed -1 m/s of a table is negative");
    pair.restitution_speeds = speeds;
    pair.restitution_values = above;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.restitution.table",
                "restitution 1.5 at 1 m/s is out of range");
    pair.restitution_values = values;
    pair.restitution = 0.5;
    expect_only(problems_of_pair(&pair, NULL, false), "pairs.0.restitution", "restitution is given more than once");
    pair.nrestitution = 0;
    pair.restitution = NAN;
    pair.restitution_law = "0.9 - 0.2*v";  // below 0 from 4.5 m/s on
    expect_only(problems_of_pair(&pair, NULL, true), "pairs.0.restitution.expression",
                "restitution is -0.225 at v = 5.62 m/s: it is taken for 0 there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_is_found),
        cmocka_unit_test(inertia_must_be_symmetric),
        cmocka_unit_test(half_spaces_that_never_touch_are_warned_of),
        cmocka_unit_test(mass_of_parts_is_mass_of_the_whole),
        cmocka_unit_test(pairs_are_those_that_can_touch),
        cmocka_unit_test(rigid_shapes_have_no_points_to_press_by),
        cmocka_unit_test(a_pair_without_friction_has_none_at_rest),
        cmocka_unit_test(principal_moments_of_a_turned_body),
        cmocka_unit_test(hulls_live_as_long_as_the_model),
        cmocka_unit_test(wrong_shapes_are_found_with_their_dimension),
        cmocka_unit_test(gaps_of_too_many_pairs_are_refused),
        cmocka_unit_test(functions_are_laws_too),
        cmocka_unit_test(laws_that_only_programs_can_give),
        cmocka_unit_test(rigid_settings_that_only_programs_can_give),
        cmocka_unit_test(restitution_over_speed_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
