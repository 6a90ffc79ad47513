// Joints, springs, forces and functions of time: what the reader hands to the builder. The linker sends the builder's
// functions here (--wrap), so that every field of a definition can be looked at.
#include "modelfile_helpers.h"

#include <float.h>

#define PI 3.14159265358979323846
#define ITEMS_MAX 32

void __real_carom_builder_joint(caromBuilder *builder, const caromJointDef *def);
void __real_carom_builder_spring(caromBuilder *builder, const caromSpringDef *def);
void __real_carom_builder_force(caromBuilder *builder, const caromForceDef *def);
void __wrap_carom_builder_joint(caromBuilder *builder, const caromJointDef *def);
void __wrap_carom_builder_spring(caromBuilder *builder, const caromSpringDef *def);
void __wrap_carom_builder_force(caromBuilder *builder, const caromForceDef *def);

static caromJointDef joints[ITEMS_MAX];
static caromSpringDef springs[ITEMS_MAX];
static caromForceDef forces[ITEMS_MAX];
static int njoint, nspring, nforce;
static void *kept[1000];
static int nkept;

// ---- copies that outlive the reading

static const void *keep(const void *bytes, size_t n)
{
    if (!bytes) return NULL;
    assert_true(nkept < 1000);
    void *copy = malloc(n);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    kept[nkept++] = copy;
    return copy;
}

static const char *keep_text(const char *text)
{
    return text ? keep(text, strlen(text) + 1) : NULL;
}

static void keep_function(caromFunctionDef *f)
{
    f->times = keep(f->times, (size_t)f->npoint*sizeof *f->times);
    f->values = keep(f->values, (size_t)f->npoint*sizeof *f->values);
    f->expression = keep_text(f->expression);
}

void __wrap_carom_builder_joint(caromBuilder *builder, const caromJointDef *def)
{
    __real_carom_builder_joint(builder, def);
    if (njoint == ITEMS_MAX) return;
    caromJointDef *j = &joints[njoint++];
    *j = *def;
    j->name = keep_text(def->name);
    for (int i = 0; i < 2; i++) j->body[i] = keep_text(def->body[i]);
    keep_function(&j->drive_function);
}

void __wrap_carom_builder_spring(caromBuilder *builder, const caromSpringDef *def)
{
    __real_carom_builder_spring(builder, def);
    if (nspring == ITEMS_MAX) return;
    caromSpringDef *s = &springs[nspring++];
    *s = *def;
    s->name = keep_text(def->name);
    for (int i = 0; i < 2; i++) s->body[i] = keep_text(def->body[i]);
}

void __wrap_carom_builder_force(caromBuilder *builder, const caromForceDef *def)
{
    __real_carom_builder_force(builder, def);
    if (nforce == ITEMS_MAX) return;
    caromForceDef *f = &forces[nforce++];
    *f = *def;
    f->name = keep_text(def->name);
    f->body = keep_text(def->body);
    for (int i = 0; i < 3; i++) {
        keep_function(&f->force[i]);
        keep_function(&f->torque[i]);
    }
}

static int forget(void **state)
{
    (void)state;
    for (int i = 0; i < nkept; i++) free(kept[i]);
    nkept = njoint = nspring = nforce = 0;
    return 0;
}

// ---- reading

static void read_mechanism(void)
{
    char *text = source_file("tests/modelfile/good/mechanism.yaml", NULL);
    carom_model_destroy(good_model(text, NULL, 0));
    free(text);
    assert_int_equal(njoint, 12);
    assert_int_equal(nspring, 2);
    assert_int_equal(nforce, 2);
}

static const caromJointDef *joint(const char *name)
{
    for (int i = 0; i < njoint; i++)
        if (strcmp(joints[i].name, name) == 0) return &joints[i];
    fail_msg("no joint %s", name);
    return NULL;
}

#define BODIES "carom: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"

// The only joint of a model, with these keys besides 'between'.
static const caromJointDef *joint_with(const char *keys, const char *const *overrides, int n)
{
    char text[600];
    njoint = 0;
    snprintf(text, sizeof text, BODIES "joints:\n  j: {between: [world, a], %s}\n", keys);
    carom_model_destroy(good_model(text, overrides, n));
    assert_int_equal(njoint, 1);
    return &joints[0];
}

static void check_numbers(const double *got, int n, const double *expected, double tolerance)
{
    for (int i = 0; i < n; i++) {
        if (isnan(expected[i])) assert_true(isnan(got[i]));
        else CHECK_NEAR(got[i], expected[i], tolerance);
    }
}

// ---- joints

static void a_hinge_has_every_field_of_the_file(void **state)
{
    (void)state;
    read_mechanism();
    const caromJointDef *j = joint("hinge");
    assert_int_equal(j->kind, CAROM_JOINT_REVOLUTE);
    assert_string_equal(j->body[0], "world");
    assert_string_equal(j->body[1], "arm");
    CHECK_VEC(j->p[0], carom_vec(0, 0, 1.2), 0.0);
    CHECK_VEC(j->p[1], carom_vec(0, 0, 0.25), 0.0);
    CHECK_VEC(carom_quat_matrix(j->q[0]).cz, carom_vec(0, 1, 0), 0.0);
    CHECK_VEC(carom_quat_matrix(j->q[1]).cz, carom_vec(0, 0, -1), 0.0);
    CHECK_NEAR(j->position[0], PI/6, DBL_EPSILON);
    CHECK_NEAR(j->velocity[0], PI, 2*DBL_EPSILON);
    CHECK_NEAR(j->stiffness[0], 2, 0);
    CHECK_NEAR(j->rest[0], PI/18, DBL_EPSILON);
    CHECK_NEAR(j->damping[0], 0.01, 0);
    CHECK_NEAR(j->friction[0], 0.1, 0);
    CHECK_NEAR(j->lower[0], -PI/2, DBL_EPSILON);
    CHECK_NEAR(j->upper[0], PI/2, DBL_EPSILON);
    CHECK_NEAR(j->limit_stiffness, 2e4, 0);
    CHECK_NEAR(j->limit_restitution, 0.25, 0);
    assert_int_equal(j->drive, CAROM_DRIVE_NONE);
}

static void what_a_joint_does_not_say_is_at_its_default(void **state)
{
    (void)state;
    for (int k = 0; k < CAROM_JOINT_KINDS; k++) {
        if (k == CAROM_JOINT_SCREW) continue;
        char keys[40];
        snprintf(keys, sizeof keys, "type: %s", carom_model_joint_kind_name((caromJointKind)k));
        const caromJointDef *j = joint_with(keys, NULL, 0);
        caromJointDef d = carom_model_joint_def("j", (caromJointKind)k);
        assert_int_equal(j->kind, k);
        for (int i = 0; i < 2; i++) {
            CHECK_VEC(j->p[i], carom_vec(0, 0, 0), 0.0);
            assert_true(j->q[i].w == 1 && j->q[i].x == 0 && j->q[i].y == 0 && j->q[i].z == 0);
        }
        check_numbers(j->position, CAROM_JOINT_NQ_MAX, d.position, 0);
        check_numbers(j->velocity, CAROM_JOINT_NV_MAX, d.velocity, 0);
        check_numbers(j->stiffness, CAROM_JOINT_NV_MAX, d.stiffness, 0);
        check_numbers(j->rest, CAROM_JOINT_NV_MAX, d.rest, 0);
        check_numbers(j->damping, CAROM_JOINT_NV_MAX, d.damping, 0);
        check_numbers(j->friction, CAROM_JOINT_NV_MAX, d.friction, 0);
        check_numbers(j->lower, CAROM_JOINT_NV_MAX, d.lower, 0);
        check_numbers(j->upper, CAROM_JOINT_NV_MAX, d.upper, 0);
        CHECK_NEAR(j->limit_stiffness, d.limit_stiffness, 0);
        CHECK_NEAR(j->limit_restitution, d.limit_restitution, 0);
        assert_int_equal(j->drive, CAROM_DRIVE_NONE);
        forget(NULL);
    }
}

static void coordinates_go_to_their_places(void **state)
{
    (void)state;
    const double nan = NAN;
    read_mechanism();
    check_numbers(joint("bush")->position, 3, (double[]){ 1, 2, nan }, 0);
    check_numbers(joint("bush")->velocity, 3, (double[]){ 3, 4, nan }, 0);
    check_numbers(joint("cardan")->position, 3, (double[]){ 0.1, 0.2, nan }, 0);
    check_numbers(joint("cardan")->velocity, 3, (double[]){ 0.3, 0.4, nan }, 0);
    check_numbers(joint("table")->position, 4, (double[]){ 1, 2, 3, nan }, 0);
    check_numbers(joint("table")->velocity, 4, (double[]){ 4, 5, 6, nan }, 0);
    check_numbers(joint("ball")->position, 5, (double[]){ 1, 0, 0, 0, nan }, 0);
    check_numbers(joint("ball")->velocity, 4, (double[]){ 1, 2, 3, nan }, 0);
    check_numbers(joint("air")->position, 7, (double[]){ 1, 2, 3, 0, 0.6, 0, 0.8 }, 2*DBL_EPSILON);
    check_numbers(joint("air")->velocity, 6, (double[]){ 4, 5, 6, 7, 8, 9 }, 0);
    check_numbers(joint("gimbal")->position, 7, (double[]){ 1, 2, 3, 0.1, 0.2, 0.3, nan }, 0);
    check_numbers(joint("gimbal")->velocity, 6, (double[]){ 4, 5, 6, 1, 2, 3 }, 0);
    check_numbers(joint("bolt")->position, 1, (double[]){ nan }, 0);
}

static void lists_have_a_value_for_each_speed(void **state)
{
    (void)state;
    const double nan = NAN;
    read_mechanism();
    const caromJointDef *j = joint("bush");
    check_numbers(j->stiffness, 3, (double[]){ 180/PI, 2e4, 0 }, 1e-14);
    check_numbers(j->rest, 3, (double[]){ PI/18, 0.01, 0 }, DBL_EPSILON);
    check_numbers(j->damping, 3, (double[]){ 1, 2, 0 }, 0);
    check_numbers(j->friction, 3, (double[]){ 3, 4, 0 }, 0);
    check_numbers(j->lower, 3, (double[]){ nan, -0.01, nan }, 0);
    check_numbers(j->upper, 3, (double[]){ 5, nan, nan }, 0);
    CHECK_NEAR(j->limit_stiffness, 3e4, 0);
    check_numbers(joint("table")->damping, 4, (double[]){ 1, 2, 3, 0 }, 0);
    check_numbers(joint("ball")->damping, 4, (double[]){ 1, 2, 3, 0 }, 0);
    check_numbers(joint("ball")->friction, 4, (double[]){ 0, 0, 1, 0 }, 0);
    check_numbers(joint("gimbal")->stiffness, 6, (double[]){ 1, 2, 3, 4, 5, 6 }, 0);
    CHECK_NEAR(joint("spindle")->pitch, 0.005/(2*PI), 1e-18);
    CHECK_NEAR(joint_with("type: prismatic, lower: none, upper: 1 cm", NULL, 0)->upper[0], 0.01, 0);
    assert_true(isnan(joints[0].lower[0]));
}

// Exactly so along the axes, where most joints are.
static void the_joint_looks_along_its_axis(void **state)
{
    (void)state;
    const double axes[][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -2, 0 },
                               { 0, 0, 1e-200 }, { -3e200, 0, 0 }, { 1, 2, 3 }, { -1, 2, -3 }, { 1e-9, 0, -1 } };
    for (int i = 0; i < (int)(sizeof axes/sizeof axes[0]); i++) {
        const double *a = axes[i];
        double length = hypot(a[0], hypot(a[1], a[2]));
        caromVec3 unit = { a[0]/length, a[1]/length, a[2]/length };
        char keys[200];
        snprintf(keys, sizeof keys, "type: revolute, axis: [%g, %g, %g]", a[0], a[1], a[2]);
        const caromJointDef *j = joint_with(keys, NULL, 0);
        CHECK_VEC(carom_quat_matrix(j->q[0]).cz, unit, i < 8 ? 0.0 : 1e-15);
        CHECK_VEC(carom_quat_matrix(j->q[1]).cz, unit, i < 8 ? 0.0 : 1e-15);
        snprintf(keys, sizeof keys, "type: revolute, child_axis: [%g, %g, %g]", a[0], a[1], a[2]);
        j = joint_with(keys, NULL, 0);
        CHECK_VEC(carom_quat_matrix(j->q[0]).cz, carom_vec(0, 0, 1), 0.0);
        CHECK_VEC(carom_quat_matrix(j->q[1]).cz, unit, i < 8 ? 0.0 : 1e-15);
    }
}

static void orientations_stand_for_axes(void **state)
{
    (void)state;
    const caromJointDef *j = joint_with("type: planar, orientation: {quaternion: [1, 1, 0, 0]}", NULL, 0);
    for (int i = 0; i < 2; i++) {
        CHECK_VEC(carom_quat_matrix(j->q[i]).cx, carom_vec(1, 0, 0), 1e-15);
        CHECK_VEC(carom_quat_matrix(j->q[i]).cz, carom_vec(0, -1, 0), 1e-15);
    }
    j = joint_with("type: planar, orientation: {quaternion: [1, 1, 0, 0]}, child_axis: [1, 0, 0]", NULL, 0);
    CHECK_VEC(carom_quat_matrix(j->q[0]).cz, carom_vec(0, -1, 0), 1e-15);
    CHECK_VEC(carom_quat_matrix(j->q[1]).cz, carom_vec(1, 0, 0), 0.0);
    j = joint_with("type: planar, axis: [1, 0, 0], child_orientation: {angles: [0, 0, 90 deg]}", NULL, 0);
    CHECK_VEC(carom_quat_matrix(j->q[0]).cz, carom_vec(1, 0, 0), 0.0);
    CHECK_VEC(carom_quat_matrix(j->q[1]).cx, carom_vec(0, 1, 0), 1e-15);
}

// ---- functions

static void functions_are_as_the_file_says(void **state)
{
    (void)state;
    read_mechanism();
    const caromJointDef *j = joint("slide");
    const caromFunctionDef *f = &j->drive_function;
    assert_int_equal(j->drive, CAROM_DRIVE_MOTION);
    assert_int_equal(f->kind, CAROM_FUNCTION_SINE);
    check_numbers((double[]){ f->value, f->amplitude, f->frequency, f->start }, 4, (double[]){ 0.01, 0.005, 50, 3 },
                  0);
    CHECK_NEAR(f->phase, PI/2, DBL_EPSILON);
    j = joint("motor");
    assert_int_equal(j->drive, CAROM_DRIVE_FORCE);
    assert_int_equal(j->drive_function.kind, CAROM_FUNCTION_EXPRESSION);
    assert_string_equal(j->drive_function.expression, "0.2*sin(2*pi*time)");
    f = &joint("spindle")->drive_function;
    assert_int_equal(joint("spindle")->drive, CAROM_DRIVE_MOTION);
    assert_int_equal(f->kind, CAROM_FUNCTION_RAMP);
    check_numbers((double[]){ f->value, f->amplitude, f->start, f->end }, 4, (double[]){ PI, 4*PI, 1, 2 },
                  4*PI*DBL_EPSILON);
    f = &joint("valve")->drive_function;
    assert_int_equal(joint("valve")->drive, CAROM_DRIVE_FORCE);
    assert_int_equal(f->kind, CAROM_FUNCTION_TABLE);
    assert_int_equal(f->npoint, 3);
    check_numbers(f->times, 3, (double[]){ 0, 0.1, 0.5 }, 0);
    check_numbers(f->values, 3, (double[]){ 0, 2, -1 }, 0);
    f = &joint_with("type: prismatic, motion: 5 mm", NULL, 0)->drive_function;
    assert_int_equal(f->kind, CAROM_FUNCTION_CONSTANT);
    CHECK_NEAR(f->value, 0.005, 0);
}

static void springs_and_forces_are_as_the_file_says(void **state)
{
    (void)state;
    read_mechanism();
    const caromSpringDef *s = &springs[0];
    assert_string_equal(s->name, "s1");
    assert_string_equal(s->body[0], "world");
    assert_string_equal(s->body[1], "cart");
    CHECK_VEC(s->p[0], carom_vec(0, 0, 1), 0.0);
    CHECK_VEC(s->p[1], carom_vec(0, 0, 0.1), 0.0);
    check_numbers((double[]){ s->stiffness, s->damping, s->rest }, 3, (double[]){ 200, 1, 0.1 }, 0);
    assert_true(isnan(springs[1].rest));
    const caromForceDef *f = &forces[0];
    assert_string_equal(f->name, "push");
    assert_string_equal(f->body, "cart");
    assert_true(f->in_body);
    CHECK_VEC(f->p, carom_vec(0, 0, 0.05), 0.0);
    assert_int_equal(f->force[0].kind, CAROM_FUNCTION_CONSTANT);
    CHECK_NEAR(f->force[0].value, 1000, 0);
    assert_int_equal(f->force[2].kind, CAROM_FUNCTION_SINE);
    CHECK_NEAR(f->force[2].amplitude, 2, 0);
    assert_int_equal(f->torque[0].kind, CAROM_FUNCTION_EXPRESSION);
    assert_string_equal(f->torque[0].expression, "time^2");
    CHECK_NEAR(f->torque[1].value, 0.03, 0);
    assert_false(forces[1].in_body);
    assert_int_equal(forces[1].force[0].kind, CAROM_FUNCTION_TABLE);
    check_numbers(forces[1].force[0].times, 2, (double[]){ 0, 60 }, 0);
}

// ---- overrides and places

static void overrides_reach_into_joints_and_functions(void **state)
{
    (void)state;
    const char *const turns[] = { "joints.j.angle=90 deg", "joints.j.axis.x=1", "joints.j.axis.z=0",
                                  "joints.j.between.1=b" };
    const caromJointDef *j = joint_with("type: revolute", turns, 4);
    CHECK_NEAR(j->position[0], PI/2, DBL_EPSILON);
    CHECK_VEC(carom_quat_matrix(j->q[0]).cz, carom_vec(1, 0, 0), 0.0);
    assert_string_equal(j->body[1], "b");
    const char *const sine[] = { "joints.j.motion.sine.amplitude=1 cm", "joints.j.motion.sine.frequency=2",
                                 "joints.j.motion.sine.phase=3" };
    const caromFunctionDef *f = &joint_with("type: prismatic", sine, 3)->drive_function;
    assert_int_equal(f->kind, CAROM_FUNCTION_SINE);
    check_numbers((double[]){ f->amplitude, f->frequency, f->phase }, 3, (double[]){ 0.01, 2, 3 }, 0);
    const char *const list[] = { "joints.j.damping.1=5", "joints.j.lower=[none, 3]" };
    j = joint_with("type: cylindrical, damping: [1, 2]", list, 2);
    check_numbers(j->damping, 2, (double[]){ 1, 5 }, 0);
    const char *const push[] = {
        "forces={f: {body: a}}", "forces.f.force.x=2 N", "forces.f.force.z={sine: {amplitude: 3, frequency: 4}}",
        "forces.f.force.2.sine.amplitude=5", "springs={s: {between: [world, a]}}", "springs.s.stiffness=6 N/m"
    };
    joint_with("type: fixed", push, 6);
    CHECK_NEAR(forces[0].force[0].value, 2, 0);
    CHECK_NEAR(forces[0].force[2].amplitude, 5, 0);
    CHECK_NEAR(springs[0].stiffness, 6, 0);
}

typedef struct BadOverride { const char *override, *expected; } BadOverride;

static void wrong_overrides_of_mechanisms_are_named(void **state)
{
    (void)state;
    const char *text = BODIES "joints:\n  j: {type: revolute, between: [world, a], damping: 1, motion: 2}\n"
                       "  k: {type: cylindrical, between: [world, b], damping: [1, 2]}\n"
                       "forces:\n  f: {body: a, force: [1, 2, 3]}\n";
    const BadOverride bad[] = {
        { "joints.j.damping.0=3", "--set joints.j.damping.0: error: 'damping' is a value: there is nothing below it\n" },
        { "joints.k.damping.x=3", "--set joints.k.damping.x: error: damping has no component 'x'\n" },
        { "joints.k.damping.2=3", "--set joints.k.damping.2: error: damping has no component '2'\n" },
        { "joints.k.damping.1=3 N m", "--set joints.k.damping.1: error: expected a damping coefficient such as 5 N s/m, got an energy or a torque ('3 N m')\n" },
        { "joints.j.motion.sine.amplitude=3", "--set joints.j.motion.sine.amplitude: error: 'motion' is a value: there is nothing below it\n" },
        { "joints.j.motion={sine: {amplitude: 3}}", "--set joints.j.motion: error: a sine needs the key 'frequency', such as frequency: 50 Hz\n" },
        { "joints.j.distance=3", "--set joints.j.distance: error: a revolute joint has no 'distance': its coordinates and speeds are angle, angle_rate\n" },
        { "joints.x.angle=3", "--set joints.x.angle: error: there is no 'x' in joints\n" },
        { "joints.j.stifness=3", "--set joints.j.stifness: error: unknown key 'stifness', did you mean 'stiffness'?\n" },
        { "forces.f.force.y.sine.amplitude=3", "--set forces.f.force.y.sine.amplitude: error: 'force' is a value: there is nothing below it\n" },
        { "forces.f.force.w=3", "--set forces.f.force.w: error: force has no component 'w'\n" },
        { "forces.f.force.z=3 m", "--set forces.f.force.z: error: expected a force such as 10 N, got a length ('3 m')\n" },
        { "forces.f.torque.z={}", "--set forces.f.torque.z: error: a function needs sine, ramp, table or expression\n" },
    };
    for (size_t i = 0; i < sizeof bad/sizeof bad[0]; i++) expect_problems(text, &bad[i].override, 1, bad[i].expected);
}

// Paths of the builder, and where in the file they are.
static void paths_of_the_builder_have_a_place(void **state)
{
    (void)state;
    const char *text = "carom: 1\njoints:\n"
                       "  j:\n    type: revolute\n    angle: 1\n    angle_rate: 2\n    child_at: [0, 0, 0]\n"
                       "    orientation: {angles: [0, 0, 0]}\n"
                       "    motion:\n      expression: tim\n"
                       "  k:\n    type: cylindrical\n    angle: 1\n    distance: 2\n    distance_rate: 3\n"
                       "forces:\n  f:\n    force:\n    - 1\n    - {expression: tim}\n    - 2\n    torque: "
                       "[{expression: a}, {expression: b}, 0]\n";
    const struct { const char *path; int line, column; } places[] = {
        { "joints.j", 3, 3 }, { "joints.j.type", 4, 11 }, { "joints.j.position", 5, 12 }, { "joints.j.velocity", 6, 17 }, { "joints.j.at", 7, 15 },
        { "joints.j.axis", 8, 5 }, { "joints.j.motion", 10, 19 }, { "joints.j.force", 3, 3 }, { "joints.k.position", 11, 3 },
        { "joints.k.velocity", 15, 20 }, { "joints.k.axis", 11, 3 }, { "forces.f.force", 20, 20 }, { "forces.f.torque", 22, 13 }, { "forces.f.body", 17, 3 },
    };
    caromProblems problems = { 0 };
    int n = (int)(sizeof places/sizeof places[0]);
    for (int i = 0; i < n; i++) carom_problem_add(&problems, false, places[i].path, "wrong");
    carom_modelfile_locate(text, strlen(text), NULL, 0, &problems);
    for (int i = 0; i < n; i++)
        if (problems.items[i].line != places[i].line || problems.items[i].column != places[i].column)
            fail_msg("%s is at %d:%d", places[i].path, problems.items[i].line, problems.items[i].column);
    carom_problems_free(&problems);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hinge_has_every_field_of_the_file),
        TEST(what_a_joint_does_not_say_is_at_its_default),
        TEST(coordinates_go_to_their_places),
        TEST(lists_have_a_value_for_each_speed),
        TEST(the_joint_looks_along_its_axis),
        TEST(orientations_stand_for_axes),
        TEST(functions_are_as_the_file_says),
        TEST(springs_and_forces_are_as_the_file_says),
        TEST(overrides_reach_into_joints_and_functions),
        TEST(wrong_overrides_of_mechanisms_are_named),
        TEST(paths_of_the_builder_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
