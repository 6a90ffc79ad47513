// Parts of machines that lie along lines: at rest by statics, and rolling.
#include "carom/mesh.h"
#include "carom/modelfile.h"
#include "scene.h"

static const double pi = 3.14159265358979323846, g = 9.81;

enum { PARTS = 8 };
typedef struct Rest {  // the last sample
    caromPose X_half[PARTS];  // half way before, and its velocity
    caromSpatial V_half[PARTS];
    int ncontact;
    caromContact contacts[PARTS];
    caromPose X[PARTS];
    caromSpatial V[PARTS];
    double half, time;
} Rest;

static caromStatus keep_last(void *user, const caromSample *s)
{
    Rest *r = user;
    r->ncontact = s->ncontact;
    r->time = s->time;
    for (int i = 0; i < s->ncontact && i < PARTS; i++) r->contacts[i] = s->contacts[i];
    bool is_half = r->half > 0 && s->time <= r->half;
    for (int i = 0; is_half && i < s->nbody && i < PARTS; i++) r->X_half[i] = s->X_WB[i], r->V_half[i] = s->V_WB[i];
    for (int i = 0; i < s->nbody && i < PARTS; i++) r->X[i] = s->X_WB[i], r->V[i] = s->V_WB[i];
    return CAROM_OK;
}

static Rest run_model(caromModel *model)
{
    Rest r = { .half = 0.5*carom_model_settings(model)->until };
    caromSink sink = { &r, keep_last, NULL };
    caromError err = { 0 };
    caromSim *sim;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    if (status != CAROM_OK) fail_msg("run ended with %s: %s", carom_status_name(status), err.message);
    return r;
}

static Rest run(Scene *s)
{
    return run_model(scene_end(s));
}

static Scene machine(double e, double mu)
{
    Scene s = scene_begin();
    scene_material(&s, "nylon", 1150, 2e9, 0.4);
    scene_pair(&s, "nylon", "nylon", e, mu, 0);
    s.settings.gravity = carom_vec(0, 0, -g);
    s.settings.tolerance = 1e-8;
    s.settings.until = 0.3;
    return s;
}

static caromQuat about(double x, double y, double z, double angle)
{
    return carom_quat_axis_angle(carom_vec(x, y, z), angle);
}

static void part(Scene *s, const char *name, caromShape shape, caromVec3 p, caromQuat q, bool is_fixed)
{
    caromShapeDef def = carom_model_shape_def(shape);
    caromBodyDef body = scene_body(name, "nylon", &def);
    body.p_WB = p;
    body.q_WB = q;
    body.fixed = is_fixed;
    scene_add(s, &body);
}

// Lying along y.
static caromQuat lying(void)
{
    return about(1, 0, 0, 0.5*pi);
}

static void expect_force(const caromContact *c, double x, double z, double size)
{
    double sign = c->f_B.z > 0 ? 1 : -1;
    CHECK_NEAR(sign*c->f_B.z, z, 1e-8*size);
    CHECK_NEAR(fabs(c->f_B.x), x, 1e-8*size);
    CHECK_NEAR(c->f_B.y, 0, 1e-8*size);
}

// Between two others, 60 degrees apart but for what they are pressed in: m g/(2 cos 30).
static void a_roller_lies_on_two_rollers(void **state)
{
    (void)state;
    double r = 0.02, L = 0.06, weight = 1150*pi*r*r*L*g;
    Scene s = machine(0.2, 0);
    caromShape roller = carom_shape_cylinder(r, L);
    part(&s, "left", carom_shape_cylinder(r, 2*L), carom_vec(-r, 0, 0), lying(), true);
    part(&s, "right", carom_shape_cylinder(r, 2*L), carom_vec(r, 0, 0), lying(), true);
    part(&s, "top", roller, carom_vec(0, 0, r*sqrt(3)), lying(), false);
    Rest rest = run(&s);
    assert_int_equal(rest.ncontact, 2);
    for (int i = 0; i < 2; i++) expect_force(&rest.contacts[i], 0.5*weight*r/rest.X[2].p.z, 0.5*weight, weight);
}

// A groove of 90 degrees between two planes, or between two blocks.
static void a_roller_lies_in_a_groove(void **state)
{
    (void)state;
    double r = 0.02, L = 0.06, weight = 1150*pi*r*r*L*g;
    for (int blocks = 0; blocks < 2; blocks++) {
        Scene s = machine(0.2, 0);
        caromShape side = blocks ? carom_shape_box(0.2, 0.2, 0.02) : carom_shape_half_space();
        for (int i = 0; i < 2; i++) {
            caromQuat q = about(0, 1, 0, i == 0 ? 0.25*pi : -0.25*pi);
            caromVec3 n = carom_quat_matrix(q).cz;
            part(&s, i == 0 ? "left" : "right", side, carom_scale(blocks ? -0.01 : 0, n), q, true);
        }
        part(&s, "roller", carom_shape_cylinder(r, L), carom_vec(0, 0, r*sqrt(2)), lying(), false);
        Rest rest = run(&s);
        assert_int_equal(rest.ncontact, 2);
        for (int i = 0; i < 2; i++) expect_force(&rest.contacts[i], 0.5*weight, 0.5*weight, weight);
    }
}

// The side of a cone falls by tan a = (r0 - r1)/L for each length upwards: a ring of radius R and tube t touches it all
// around with its middle at the height where the side is t/cos a from the circle, seen along the radius.
static void a_ring_lies_on_a_cone(void **state)
{
    (void)state;
    double r0 = 0.04, r1 = 0.01, L = 0.06, R = 0.03, t = 0.006, slope = (r0 - r1)/L, cosine = 1/sqrt(1 + slope*slope),
           weight = 1150*2*pi*pi*R*t*t*g, z = (0.5*(r0 + r1) + t/cosine - R)/slope;
    Scene s = machine(0.2, 0);
    part(&s, "cone", carom_shape_cone(r0, r1, L), carom_vec(0, 0, 0), carom_quat_identity(), true);
    part(&s, "ring", carom_shape_torus(R, t), carom_vec(0, 0, z), carom_quat_identity(), false);
    Rest rest = run(&s);
    assert_int_equal(rest.ncontact, 1);
    expect_force(&rest.contacts[0], 0, weight, weight);
    double sine = slope*cosine, depth = rest.contacts[0].depth;
    CHECK(depth > 0 && depth < 1e-3*t);
    CHECK_NEAR(rest.X[1].p.z, z - depth/sine, 1e-3*depth/sine);
}

static double angle_of(const caromPose *X)
{
    return atan2(X->p.x, X->p.z);
}

// Without slip 3/4 (R + r) a'^2 = g (cos a0 - cos a), from one instant to another, and a' = w r/(R + r).
static void a_roller_rolls_off_a_roller(void **state)
{
    (void)state;
    double R = 0.05, r = 0.02, start = 0.2;
    Scene s = machine(0.2, 0.6);
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.rest_damping = 0.1;  // a damper resists rolling
    s.settings.tolerance = 1e-6;
    s.settings.until = 0.17;
    part(&s, "lower", carom_shape_cylinder(R, 0.2), carom_vec(0, 0, 0), lying(), true);
    part(&s, "upper", carom_shape_cylinder(r, 0.06), carom_vec((R + r)*sin(start), 0, (R + r)*cos(start)), lying(),
         false);
    Rest rest = run(&s);
    double before = rest.V_half[1].angular.y*r/(R + r), after = rest.V[1].angular.y*r/(R + r),
           fallen = cos(angle_of(&rest.X_half[1])) - cos(angle_of(&rest.X[1]));
    CHECK(angle_of(&rest.X[1]) > 2*start);
    CHECK_NEAR(0.75*(R + r)*(after*after - before*before), g*fallen, 2e-4*g*fallen);
    double spin = r*rest.V[1].angular.y;
    CHECK_NEAR(hypot(rest.V[1].linear.x, rest.V[1].linear.z), spin, 1e-5*spin);
}

// ---- a pin in a bore

enum { AROUND = 180, ROWS = 24, CORNERS = AROUND*(ROWS + 1) };

// Corner i around, k along, of the bore (0) or of the outside (1).
static int corner(int side, int k, int i)
{
    return side*CORNERS + k*AROUND + i%AROUND;
}

static int add_square(int (*t)[3], int n, int a, int b, int c, int d)
{
    t[n][0] = a, t[n][1] = b, t[n][2] = c;
    t[n + 1][0] = a, t[n + 1][1] = c, t[n + 1][2] = d;
    return n + 2;
}

// About z. Its corners are on the bore itself, where a pin is asked how deep they are.
static caromMesh *bush(double R, double outside, double L)
{
    static caromVec3 v[2*CORNERS];
    static int t[4*AROUND*(ROWS + 1)][3];
    int n = 0;
    for (int k = 0; k <= ROWS; k++)
        for (int i = 0; i < AROUND; i++) {
            double f = 2*pi*i/AROUND, z = L*((double)k/ROWS - 0.5);
            v[corner(0, k, i)] = carom_vec(R*cos(f), R*sin(f), z);
            v[corner(1, k, i)] = carom_vec(outside*cos(f), outside*sin(f), z);
        }
    for (int i = 0; i < AROUND; i++) {
        for (int k = 0; k < ROWS; k++) {
            n = add_square(t, n, corner(0, k, i), corner(0, k + 1, i), corner(0, k + 1, i + 1), corner(0, k, i + 1));
            n = add_square(t, n, corner(1, k, i), corner(1, k, i + 1), corner(1, k + 1, i + 1), corner(1, k + 1, i));
        }
        n = add_square(t, n, corner(0, 0, i), corner(0, 0, i + 1), corner(1, 0, i + 1), corner(1, 0, i));
        n = add_square(t, n, corner(0, ROWS, i), corner(1, ROWS, i), corner(1, ROWS, i + 1), corner(0, ROWS, i + 1));
    }
    caromMeshReport report;
    caromMesh *mesh = carom_mesh_create(v, 2*CORNERS, (const int (*)[3])t, n, &report, NULL);
    CHECK(mesh && report.is_closed && report.components_turned == 0);
    return mesh;
}

static Scene pin_in(const caromMesh *mesh, double r, double L, double sunk)
{
    Scene s = machine(0.2, 0.1);
    part(&s, "bush", carom_shape_mesh(mesh), carom_vec(0, 0, 0), lying(), true);
    part(&s, "pin", carom_shape_cylinder(r, 2*L), carom_vec(0, 0, -sunk), lying(), false);
    return s;
}

// Sunk by s = d + c with a clearance c it presses where s cos f > c, with k (s cos f - c): in all
// k L R (s (f0 + sin f0 cos f0) - 2 c sin f0), cos f0 = c/s. Facets of 2 degrees stand 3 um from the bore, up to 1.5
// times the clearance, and are not felt: a contact of 11 degrees to both sides is as wide as eleven of them.
static void a_bore_of_facets_is_round_for_a_pin(void **state)
{
    (void)state;
    double R = 0.02, L = 0.02;
    caromMesh *mesh = bush(R, 1.04*R, L);
    for (double c = 1e-2*R; c > 0.9e-4*R; c *= 0.1) {
        Scene s = pin_in(mesh, R - c, L, c);
        caromModel *model = scene_end(&s);
        caromContactWorld *world;
        caromTouchInfo info;
        caromPose X[2];
        caromSpatial V[2] = { 0 }, F[2];
        assert_int_equal(carom_world_create(model, &world, NULL), CAROM_OK);
        assert_int_equal(carom_world_touch(world, 0, NAN, NULL, NULL, NULL), CAROM_OK);
        carom_world_touch_info(world, 0, &info);
        carom_world_placed(world, X, NULL);
        X[1].p.z = -1.02*c;
        carom_world_place(world, 0.0, X, V, NULL);
        carom_world_wrenches(world, NULL, F, NULL, NULL);
        double f0 = acos(1/1.02), force = info.stiffness*L*R*c*(1.02*(f0 + sin(f0)*cos(f0)) - 2*sin(f0));
        CHECK_NEAR(F[1].linear.z, force, 0.02*force);
        CHECK(fabs(F[1].linear.x) < 1e-9*force);
        carom_world_destroy(world);
        carom_model_destroy(model);
    }
    carom_mesh_destroy(mesh);
}

// A crowned bore: two rings side by side. The pin lies in both, below their axis by its clearance and by what it is
// pressed in, and each carries half.
static void a_pin_lies_in_crowned_bores(void **state)
{
    (void)state;
    double R = 0.016, tube = 0.006, bore = R - tube, L = 0.04;
    for (double c = 1e-2*bore; c > 0.9e-4*bore; c *= 0.1) {
        double r = bore - c, weight = 1150*pi*r*r*L*g;
        Scene s = machine(0.2, 0.1);
        for (int i = 0; i < 2; i++)
            part(&s, i == 0 ? "left" : "right", carom_shape_torus(R, tube), carom_vec(0, i == 0 ? -tube : tube, 0),
                 lying(), true);
        part(&s, "pin", carom_shape_cylinder(r, L), carom_vec(0, 0, -c), lying(), false);
        Rest rest = run(&s);
        assert_int_equal(rest.ncontact, 2);
        for (int i = 0; i < 2; i++) {
            double depth = rest.contacts[i].depth;
            expect_force(&rest.contacts[i], 0, 0.5*weight, weight);
            CHECK(depth > 0 && depth < 1e-4*bore);
            CHECK_NEAR(rest.X[2].p.z, -c - depth, 1e-2*depth);
        }
    }
}

// ---- a ball bearing

static caromModel *example(const char *path)
{
    caromModel *model = NULL;
    caromProblems problems = { 0 };
    caromError err = { 0 };
    char *text;
    size_t length;
    assert_int_equal(carom_modelfile_load(path, &text, &length, &err), CAROM_OK);
    assert_int_equal(carom_modelfile_read(text, length, NULL, 0, &problems, &model), CAROM_OK);
    carom_problems_free(&problems);
    free(text);
    return model;
}

// Balls on four wires go round with (1 - d cos 45/D)/2 of the shaft's speed, which turns by half a turn [Harris06].
static void balls_of_a_bearing_roll(void **state)
{
    (void)state;
    caromModel *model = example(CAROM_SOURCE_DIR "/examples/ball-bearing.yaml");
    Rest rest = run_model(model);
    for (int i = 0; i < 6; i++) {
        const caromVec3 *p = &rest.X[2 + i].p;
        double angle = remainder(atan2(p->y, p->x) - i*pi/3, 2*pi);
        CHECK_NEAR(angle, 0.5*pi*(1 - 0.2*cos(0.25*pi)), 1e-4*pi);
        CHECK(fabs(p->z) < 1e-6 && fabs(hypot(p->x, p->y) - 0.025) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_roller_lies_on_two_rollers),
        cmocka_unit_test(a_roller_lies_in_a_groove),
        cmocka_unit_test(a_ring_lies_on_a_cone),
        cmocka_unit_test(a_roller_rolls_off_a_roller),
        cmocka_unit_test(a_bore_of_facets_is_round_for_a_pin),
        cmocka_unit_test(a_pin_lies_in_crowned_bores),
        cmocka_unit_test(balls_of_a_bearing_roll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
