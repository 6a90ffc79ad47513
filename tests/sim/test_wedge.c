// Friction that wedges: what is pressed into a narrow slot stays there when the flanks are less steep than friction,
// and comes out when they are not.
#include "carom/mesh.h"
#include "model/model.h"
#include "scene.h"

static const double g = 9.81, half_angle = 3*3.14159265358979323846/180;

typedef struct Watch {
    double from;      // looks from then on [s]
    int n;
    caromVec3 p0, p, v;
    double moved;     // farthest from where it was first seen
    double at[2], speed[2];  // time and size of v when it first and last was seen
    caromSimStats stats;
} Watch;

static caromStatus watch(void *user, const caromSample *s)
{
    Watch *w = user;
    if (s->time < w->from) return CAROM_OK;
    caromVec3 p = s->X_WB[s->nbody - 1].p;
    double speed = carom_norm(s->V_WB[s->nbody - 1].linear);
    if (w->n++ == 0) {
        w->p0 = p;
        w->at[0] = s->time;
        w->speed[0] = speed;
    }
    w->p = p;
    w->v = s->V_WB[s->nbody - 1].linear;
    w->at[1] = s->time;
    w->speed[1] = speed;
    w->moved = fmax(w->moved, carom_norm(carom_sub(p, w->p0)));
    return CAROM_OK;
}

// The body that was added last.
static Watch run(caromModel *model, double from)
{
    Watch w = { .from = from };
    caromSink sink = { &w, watch, NULL };
    caromSim *sim = NULL;
    caromError err;
    if (carom_sim_create(model, &sink, &sim, &err) != CAROM_OK || carom_sim_run(sim, &err) != CAROM_OK)
        fail_msg("%s: %s", err.where, err.message);
    w.stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    CHECK(w.stats.largest_imbalance <= fmax(10*model->settings.tolerance, 1e-6)*w.stats.energy_reference);
    carom_model_destroy(model);
    return w;
}

// Gravity pulls out of the slot. Something pushes in for 0.2 s and lets go during the next 0.1 s.
static Scene scene_of(double mu, double tolerance)
{
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.gravity = carom_vec(0, 0, g);
    s.settings.until = 1;
    s.settings.tolerance = tolerance;
    scene_material(&s, "stuff", 2000, 1e9, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.3, mu, 0);
    return s;
}

static void push(Scene *s, const char *body, double force)
{
    caromForceDef def = carom_model_force_def("push", body);
    def.force[2].kind = CAROM_FUNCTION_RAMP;
    def.force[2].value = -force;
    def.force[2].amplitude = force;
    def.force[2].start = 0.2;
    def.force[2].end = 0.3;
    carom_builder_force(s->builder, &def);
}

// --- a wedge between two blocks: two pairs, plane faces ---

static void add_wall(Scene *s, const char *name, double side)
{
    caromShapeDef shape = carom_model_shape_def(carom_shape_box(0.1, 0.3, 0.3));
    caromBodyDef wall = scene_body(name, "stuff", &shape);
    wall.fixed = true;
    wall.p_WB = carom_vec(side*(0.02 + 0.05*cos(half_angle)), 0, -0.05*sin(half_angle));
    wall.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), side*half_angle);
    scene_add(s, &wall);
}

static Watch wedge(double mu, double tolerance)
{
    caromVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        double z = i & 1 ? 0.05 : -0.05, width = 0.02 + z*tan(half_angle);
        corners[i] = carom_vec(i & 2 ? width : -width, i & 4 ? 0.05 : -0.05, z);
    }
    caromHull *hull = carom_hull_create(corners, 8, 0.0, NULL);
    Scene s = scene_of(mu, tolerance);
    add_wall(&s, "left", -1);
    add_wall(&s, "right", 1);
    caromShapeDef shape = carom_model_shape_def(carom_shape_polytope(hull));
    caromBodyDef body = scene_body("wedge", "stuff", &shape);
    scene_add(&s, &body);
    push(&s, "wedge", 500);
    Watch w = run(scene_end(&s), 0.35);
    carom_hull_destroy(hull);
    return w;
}

static void a_wedge_stays(void **state)
{
    (void)state;
    for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
        CHECK(wedge(0.3, tolerance).moved < 1e-9);
        CHECK(wedge(1.3*tan(half_angle), tolerance).moved < 1e-9);
    }
}

static void a_slick_wedge_comes_out(void **state)
{
    (void)state;
    Watch w = wedge(0.5*tan(half_angle), 1e-6);
    CHECK(w.p.z > 0.1);  // upwards, as gravity pulls
}

// --- a ball in a groove: one pair, normals of two flanks ---

// Flanks along y, at an angle to the vertical.
static caromMesh *groove(double angle)
{
    double x = 0.2*tan(angle);
    const caromVec3 v[6] = { { 0, -1, 0 }, { 0, 1, 0 }, { x, -1, 0.2 }, { x, 1, 0.2 }, { -x, -1, 0.2 },
                             { -x, 1, 0.2 } };
    const int t[4][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 5 }, { 0, 5, 4 } };
    return carom_mesh_create(v, 6, t, 4, NULL, NULL);
}

static void add_groove(Scene *s, const caromMesh *mesh)
{
    caromShapeDef shape = carom_model_shape_def(carom_shape_mesh(mesh));
    caromBodyDef body = scene_body("groove", "stuff", &shape);
    body.fixed = true;
    scene_add(s, &body);
}

static Watch wedged_ball(double mu, double tolerance)
{
    const double radius = 0.005;
    caromMesh *mesh = groove(half_angle);
    Scene s = scene_of(mu, tolerance);
    add_groove(&s, mesh);
    scene_ball(&s, "ball", "stuff", radius, carom_vec(0, 0, radius/sin(half_angle)), carom_vec(0, 0, 0));
    push(&s, "ball", 5);
    Watch w = run(scene_end(&s), 0.35);
    carom_mesh_destroy(mesh);
    return w;
}

static void a_wedged_ball_stays(void **state)
{
    (void)state;
    for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2)
        CHECK(wedged_ball(0.3, tolerance).moved < 1e-9);
}

static void a_slick_ball_comes_out(void **state)
{
    (void)state;
    CHECK(wedged_ball(0.5*tan(half_angle), 1e-6).p.z > 0.2);
}

// In a groove of 90 degrees, tilted along it by the angle of the slope: the axis of its turning goes through both
// contacts, r/sqrt 2 below the centre, so that a = g sin/(1 + 2/5*2), less by what a depth d takes of the radius
// that rolls, d/2, and it lies as deep as its weight presses it. Bristles that turn under the ball must not add up
// to a force of their own. They creep, as bends go where the ball has rolled on: by 3 F/k of 0.3 um per angle and a
// radius of 0.035 m, 3e-5.
static Watch ball_in_groove(double mu, double slope, double v0, double until, double from)
{
    const double radius = 0.05;
    caromMesh *mesh = groove(3.14159265358979323846/4);
    Scene s = scene_of(mu, 1e-6);
    s.settings.gravity = carom_vec(0, g*sin(slope), -g*cos(slope));
    s.settings.until = until;
    add_groove(&s, mesh);
    scene_ball(&s, "ball", "stuff", radius, carom_vec(0, -0.5, radius*sqrt(2)), carom_vec(0, v0, 0));
    Watch w = run(scene_end(&s), from);
    carom_mesh_destroy(mesh);
    return w;
}

static void a_ball_rolls_down_a_groove(void **state)
{
    (void)state;
    const double slope = 0.1, radius = 0.05, E_star = 1e9/(1 - 0.09)/2,
                 mass = 2000*4.0/3*3.14159265358979323846*radius*radius*radius;
    double depth = pow(mass*g*cos(slope)/sqrt(2)/(4.0/3*E_star*sqrt(radius)), 2.0/3), part = 1 - 0.5*depth/radius,
           expected = g*sin(slope)/(1 + 0.8/(part*part));
    Watch w = ball_in_groove(0.3, slope, 0, 1, 0.1);
    CHECK_NEAR((w.speed[1] - w.speed[0])/(w.at[1] - w.at[0]), expected, 3e-5*expected);
    CHECK_NEAR(w.p.z, sqrt(2)*(radius - depth), 0.05*depth);
}

// Both flanks rub: mu m g sqrt 2. It slides until v = w r/sqrt 2, for v0/(mu g sqrt 2 (1 + 5/4)) = 0.107 s.
static void a_ball_slides_in_a_groove(void **state)
{
    (void)state;
    double expected = 0.3*g*sqrt(2);
    Watch w = ball_in_groove(0.3, 0, 1, 0.09, 0.03);
    CHECK_NEAR((w.speed[0] - w.speed[1])/(w.at[1] - w.at[0]), expected, 1e-3*expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wedge_stays),           cmocka_unit_test(a_slick_wedge_comes_out),
        cmocka_unit_test(a_wedged_ball_stays),
        cmocka_unit_test(a_slick_ball_comes_out), cmocka_unit_test(a_ball_rolls_down_a_groove),
        cmocka_unit_test(a_ball_slides_in_a_groove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
