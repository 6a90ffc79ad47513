// Friction in motion: what holds, what slides, what rolls, and what becomes of the energy.
#include <float.h>

#include "sim/sim.h"
#include "scene.h"

static const caromVec3 none = { 0, 0, 0 }, cube = { 0.1, 0.1, 0.1 };
static const double g = 9.81, mu = 0.3;

// --- a body on a slope: the plane is tilted, or gravity is ---

typedef struct Slope {
    caromFrictionLaw law;
    const char *material;
    double tangent;        // of its angle
    bool tilts_plane;
    bool is_ball;
    double until, tolerance;
    caromMethodChoice method;
} Slope;

typedef struct Watch {     // over one body
    int body;
    double from;           // looks from this time on [s]
    int n;
    double time0, time;
    caromVec3 p0, p, v0, v;
    double moved;          // farthest from where it was first seen
    double friction;       // energy
    double given_back;     // by friction: the largest fall of its energy between two samples
    caromSimStats stats;
} Watch;

static caromStatus watch(void *user, const caromSample *s)
{
    Watch *w = user;
    w->given_back = fmax(w->given_back, w->friction - s->energy.friction);
    w->friction = s->energy.friction;
    if (s->time < w->from) return CAROM_OK;
    w->time = s->time;
    w->p = s->X_WB[w->body].p;
    w->v = s->V_WB[w->body].linear;
    if (w->n++ == 0) {
        w->time0 = w->time;
        w->p0 = w->p;
        w->v0 = w->v;
    }
    w->moved = fmax(w->moved, carom_norm(carom_sub(w->p, w->p0)));
    return CAROM_OK;
}

static Watch run(caromModel *model, double from)
{
    Watch w = { .body = 1, .from = from };
    caromSink sink = { &w, watch, NULL };
    caromSim *sim = NULL;
    caromError err;
    if (carom_sim_create(model, &sink, &sim, &err) != CAROM_OK || carom_sim_run(sim, &err) != CAROM_OK)
        fail_msg("%s: %s", err.where, err.message);
    w.stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    // Energy: the ledger closes and friction never gives anything back, to the tolerance of the ledger.
    double tolerance = fmax(10*model->settings.tolerance, 1e-6)*w.stats.energy_reference;
    CHECK(w.stats.largest_imbalance <= tolerance);
    CHECK(w.given_back <= model->settings.tolerance*w.stats.energy_reference);
    carom_model_destroy(model);
    return w;
}

static Watch on_slope(Slope a, double from)
{
    double angle = atan(a.tangent);
    caromQuat tilt = carom_quat_axis_angle(carom_vec(0, 1, 0), a.tilts_plane ? angle : 0.0);
    caromVec3 place = carom_scale(0.05, carom_quat_matrix(tilt).cz);
    Scene s = scene_begin();
    s.settings.friction_law = a.law;
    s.settings.until = a.until;
    s.settings.tolerance = a.tolerance;
    s.settings.method = a.method;
    if (!a.tilts_plane) s.settings.gravity = carom_vec(g*sin(angle), 0, -g*cos(angle));
    scene_pair(&s, a.material, a.material, 0.3, mu, 0);
    caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef slope = scene_body("slope", a.material, &plane);
    slope.fixed = true;
    slope.q_WB = tilt;
    scene_add(&s, &slope);
    if (a.is_ball) scene_ball(&s, "ball", a.material, 0.05, place, none);
    else scene_box(&s, "box", a.material, cube, place, tilt, none, none);
    return run(scene_end(&s), from);
}

// The block gives in by mu fn/k, then stays: rounding of its position is all that moves.
static void a_block_below_the_friction_angle_stays(void **state)
{
    (void)state;
    const double part[] = { 0.8, 0.99*0.7, 0.98 };
    for (int i = 0; i < 3; i++) {
        for (int tilts = 0; tilts < 2; tilts++) {
            for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
                Watch w = on_slope((Slope){ CAROM_FRICTION_BRISTLE, "steel", part[i]*mu, tilts, false, 11, tolerance,
                                            CAROM_METHOD_AUTO }, 1);
                CHECK(w.moved < 1e-9);
                CHECK(w.stats.evaluations < 20000);
            }
        }
    }
}

static void blocks_of_any_material_stay(void **state)
{
    (void)state;
    const char *material[] = { "wood", "rubber", "aluminium" };
    for (int i = 0; i < 3; i++) {
        Watch w = on_slope((Slope){ CAROM_FRICTION_BRISTLE, material[i], 0.8*mu, true, false, 11, 1e-6,
                                    CAROM_METHOD_AUTO }, 1);
        CHECK(w.moved < 1e-9);
    }
}

static void every_method_holds_a_block(void **state)
{
    (void)state;
    const caromMethodChoice methods[] = { CAROM_METHOD_DP5, CAROM_METHOD_DOP853, CAROM_METHOD_RODAS5P,
                                          CAROM_METHOD_CVODE };
    for (int i = 0; i < 4; i++) {
        if (methods[i] == CAROM_METHOD_CVODE && !carom_method_cvode()) continue;
        Watch w = on_slope((Slope){ CAROM_FRICTION_BRISTLE, "wood", 0.8*mu, true, false, 0.1, 1e-6, methods[i] }, 0.05);
        CHECK(w.moved < 1e-9);
    }
}

// What the bristles are for: without them the block creeps at the speed where mu v/reg(v) = tan.
static void smooth_friction_creeps(void **state)
{
    (void)state;
    const double tangent = 0.8*mu, v_small = 1e-3;
    double low = 0, high = v_small;
    for (int i = 0; i < 100; i++) {
        double v = 0.5*(low + high);
        if (mu*v/carom_contact_regularized(v, v_small) < tangent) low = v;
        else high = v;
    }
    for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
        Watch w = on_slope((Slope){ CAROM_FRICTION_SMOOTH, "steel", tangent, true, false, 11, tolerance,
                                    CAROM_METHOD_AUTO }, 1);
        CHECK_NEAR(carom_norm(carom_sub(w.p, w.p0))/(w.time - w.time0), low, 1e-3*low);
    }
}

static void a_block_above_the_friction_angle_slides(void **state)
{
    (void)state;
    const double tangent[] = { 1.05*mu, 2*mu };
    for (int law = 0; law < CAROM_FRICTION_KINDS; law++) {
        for (int i = 0; i < 2; i++) {
            for (int tilts = 0; tilts < 2; tilts++) {
                for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
                    Watch w = on_slope((Slope){ (caromFrictionLaw)law, "steel", tangent[i], tilts, false, 1.1,
                                                tolerance, CAROM_METHOD_AUTO }, 0.1);
                    double angle = atan(tangent[i]), expected = g*(sin(angle) - mu*cos(angle));
                    CHECK_NEAR(carom_norm(carom_sub(w.v, w.v0))/(w.time - w.time0), expected, 1e-5*expected);
                }
            }
        }
    }
}

// Rolling without slip, a = 5/7 g sin. The point that rolls is half the depth above the lowest one, 2e-6 m of 0.05 m:
// 1e-5 of the radius, 6e-6 of a.
static void a_ball_rolls_as_if_there_were_no_bristles(void **state)
{
    (void)state;
    for (int law = 0; law < CAROM_FRICTION_KINDS; law++) {
        for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
            Watch w = on_slope((Slope){ (caromFrictionLaw)law, "steel", 0.8*mu, true, true, 1.1, tolerance,
                                        CAROM_METHOD_AUTO }, 0.1);
            double expected = 5.0/7*g*sin(atan(0.8*mu));
            CHECK_NEAR(carom_norm(carom_sub(w.v, w.v0))/(w.time - w.time0), expected, 1e-5*expected);
        }
    }
}

// --- static friction ---

typedef struct Pull {
    double start;  // when the block is faster than 1 mm/s [s]
    double held;   // how far it had got 10 ms before [m]
    double last_time, last_speed;
} Pull;

static caromStatus watch_pull(void *user, const caromSample *s)
{
    Pull *p = user;
    double x = s->X_WB[1].p.x, v = s->V_WB[1].linear.x;
    if (s->time < 0.59) p->held = x;
    if (p->start == 0 && v > 1e-3) p->start = s->time;
    p->last_time = s->time;
    p->last_speed = v;
    return CAROM_OK;
}

// A force that grows by mu_s m g in 0.6 s. At that moment the block starts: 1 mm/s takes less than
// sqrt(2 m v/F') more, and a sample.
static void a_block_starts_at_static_friction(void **state)
{
    (void)state;
    const double mu_s = 0.5, mass = 2, rate = mu_s*mass*g/0.6, every = 1e-3;
    for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
        Scene s = scene_begin();
        s.settings.friction_law = CAROM_FRICTION_BRISTLE;
        s.settings.until = 0.9;
        s.settings.every = every;
        s.settings.tolerance = tolerance;
        caromPairDef pair = carom_model_pair_def("steel", "steel");
        pair.friction = mu;
        pair.static_friction = mu_s;
        carom_builder_pair(s.builder, &pair);
        scene_floor(&s, "steel");
        caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_BOX, cube });
        caromBodyDef box = scene_body("box", "steel", &shape);
        box.mass = mass;
        box.p_WB = carom_vec(0, 0, 0.05);
        scene_add(&s, &box);
        caromForceDef pull = carom_model_force_def("pull", "box");
        pull.p = carom_vec(0, 0, -0.05);  // at the floor: it does not tip
        pull.force[0].kind = CAROM_FUNCTION_TABLE;
        pull.force[0].npoint = 2;
        pull.force[0].times = (const double[]){ 0, 2 };
        pull.force[0].values = (const double[]){ 0, 2*rate };
        carom_builder_force(s.builder, &pull);
        caromModel *model = scene_end(&s);
        Pull p = { 0 };
        caromSink sink = { &p, watch_pull, NULL };
        caromSim *sim;
        caromError err;
        assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
        if (carom_sim_run(sim, &err) != CAROM_OK) fail_msg("%s", err.message);
        CHECK(carom_sim_stats(sim)->largest_imbalance < fmax(10*tolerance,
                                                             1e-6)*carom_sim_stats(sim)->energy_reference);
        CHECK(fabs(p.held) < 1e-7);
        CHECK(p.start > 0.6 && p.start < 0.6 + sqrt(2*mass*1e-3/rate) + every);
        // From then on m v' = F - mu m g, but for the time that static friction takes to fade: 10 mm/s, which are
        // reached within sqrt(2 m v/F') at the latest.
        double t = p.last_time, free_speed = rate/mass*(t*t - 0.36)/2 - mu*g*(t - 0.6);
        CHECK(p.last_speed < free_speed && p.last_speed > free_speed - (mu_s - mu)*g*sqrt(2*mass*1e-2/rate));
        carom_sim_destroy(sim);
        carom_model_destroy(model);
    }
}

// --- turning ---

static double spin_after(caromFrictionLaw law, double until)
{
    Scene s = scene_begin();
    s.settings.friction_law = law;
    s.settings.until = until;
    s.settings.tolerance = 1e-6;
    scene_pair(&s, "steel", "steel", 0.3, mu, 0);
    scene_floor(&s, "steel");
    scene_box(&s, "box", "steel", cube, carom_vec(0, 0, 0.05 - 6.2e-9), carom_quat_identity(), none,
              carom_vec(0, 0, 10));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->stats.largest_imbalance < 1e-6*r->stats.energy_reference);
    double spin = r->last_V[1].angular.z;
    free(r);
    carom_model_destroy(model);
    return spin;
}

// The friction of a face that spins is that of its parts, and both laws agree on it: w' = -mu g a/(h^2/6), a the mean
// distance of the pressure from its centre. Its four points per polygon are at h/sqrt 12 in x and y: a = h/sqrt 6 (of
// the square itself 0.3826 h). Where pressure wanders, a face that spins is pulled sideways, square to that: it may
// start to wobble and bounce by itself. Bristles, with every oscillation resolved (1e-8 and explicit steps), let that
// grow from rounding; here the stiff method passes over it.
static void a_spinning_face_is_braked(void **state)
{
    (void)state;
    double expected = 10 - mu*g*(0.1/sqrt(6))/(0.1*0.1/6)*0.1;
    CHECK_NEAR(spin_after(CAROM_FRICTION_SMOOTH, 0.1), expected, 1e-3*expected);
    CHECK_NEAR(spin_after(CAROM_FRICTION_BRISTLE, 0.1), expected, 1e-3*expected);
    // And it comes to rest: after 0.14 s.
    CHECK_NEAR(spin_after(CAROM_FRICTION_BRISTLE, 0.5), 0, 1e-9);
}

typedef struct Ride {
    caromVec3 first;
    double moved;
    int n;
    double turned;
} Ride;

static caromStatus watch_ride(void *user, const caromSample *s)
{
    Ride *r = user;
    caromVec3 p = carom_tmul(s->X_WB[0].R, carom_sub(s->X_WB[1].p, s->X_WB[0].p));
    if (s->time < 2) return CAROM_OK;
    if (r->n++ == 0) r->first = p;
    r->moved = fmax(r->moved, carom_norm(carom_sub(p, r->first)));
    r->turned = s->joint_q[0];
    return CAROM_OK;
}

// On a turntable: 0.2 m from the axis at 3 rad/s needs 1.8 m/s^2 of the 2.9 that friction has. The deflection turns
// with the table.
static void a_block_rides_on_a_turntable(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.until = 12;
    s.settings.tolerance = 1e-6;
    scene_pair(&s, "steel", "steel", 0.3, mu, 0);
    caromShapeDef plate = carom_model_shape_def((caromShape){ CAROM_BOX, { 1, 1, 0.1 } });
    caromBodyDef table = scene_body("table", "steel", &plate);
    scene_add(&s, &table);
    scene_box(&s, "box", "steel", cube, carom_vec(0.2, 0, 0.1), carom_quat_identity(), none, none);
    caromJointDef axis = carom_model_joint_def("axis", CAROM_JOINT_REVOLUTE);
    axis.body[0] = "world";
    axis.body[1] = "table";
    axis.drive = CAROM_DRIVE_MOTION;
    axis.drive_function.kind = CAROM_FUNCTION_EXPRESSION;
    axis.drive_function.expression = "3*(time - (1 - exp(-4*time))/4)";  // from rest, slowly enough
    carom_builder_joint(s.builder, &axis);
    caromModel *model = scene_end(&s);
    Ride r = { .n = 0 };
    caromSink sink = { &r, watch_ride, NULL };
    caromSim *sim;
    caromError err;
    assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
    if (carom_sim_run(sim, &err) != CAROM_OK) fail_msg("%s", err.message);
    CHECK(r.turned > 30);
    CHECK(r.moved < 1e-8);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

// --- contacts that come and go ---

// Balls and boxes fall on each other: states of bristles begin and end in any order, the energy balance does not
// notice.
static void states_come_and_go(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.until = 0.3;
    s.settings.tolerance = 1e-8;
    scene_pair(&s, "wood", "wood", 0.5, mu, 0.01);
    scene_floor(&s, "wood");
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        caromVec3 p = carom_vec(0.03*i, 0.02*(i % 2), 0.08 + 0.12*i);
        if (i % 2) scene_ball(&s, name, "wood", 0.05, p, carom_vec(0.3, 0, 0));
        else
            scene_box(&s, name, "wood", cube, p, (caromQuat){ 1, 0.1*i, 0.05, 0.1 }, carom_vec(-0.2, 0.1, 0),
                      carom_vec(1, 2, 3));
    }
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->stats.events[CAROM_EVENT_SEPARATION] >= 10);
    CHECK(r->stats.largest_imbalance < 1e-6*r->stats.energy_scale);
    CHECK(r->largest_total <= r->first_total + 1e-6*r->stats.energy_scale);
    Record *again = scene_run(model);
    CHECK(again->hash == r->hash);
    free(again);
    free(r);
    carom_model_destroy(model);
}

static void more_contacts_than_there_is_room_for_end_the_run(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_floor(&s, "wood");
    scene_ball(&s, "first", "wood", 0.05, carom_vec(0, 0, 0.06), none);
    scene_ball(&s, "second", "wood", 0.05, carom_vec(0.2, 0, 0.06), none);
    caromSpringDef spring = carom_model_spring_def("tie");  // integrated together
    spring.body[0] = "first", spring.body[1] = "second";
    carom_builder_spring(s.builder, &spring);
    caromModel *model = scene_end(&s);
    caromSim *sim;
    caromError err;
    assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_OK);
    assert_int_equal(sim->run->system.world.memory.nslot_max, 3);
    sim->run->system.world.memory.nslot_max = 1;
    assert_int_equal(carom_sim_run(sim, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "second"));
    assert_non_null(strstr(err.message, "1 pairs with friction"));
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

// A point of contact has no arm about which spin is held, whatever rounding makes of it: an ellipsoid that spins,
// slides and rolls is followed with some thousand steps. When the arm was a rounding its friction jumped with the last
// bit, and steps fell below 1e-9 s.
static void a_point_that_spins_and_slides_is_smooth(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.until = 0.4;
    s.settings.tolerance = 1.8e-7;
    scene_pair(&s, "lead", "lead", 0.7429, 0.2999, 0);
    scene_floor(&s, "lead");
    caromShapeDef shape = carom_model_shape_def(carom_shape_ellipsoid(0.006, 0.008, 0.0123));
    caromBodyDef egg = scene_body("egg", "lead", &shape);
    egg.p_WB = carom_vec(0.002, -0.07, 0.0125);
    egg.q_WB = carom_quat_axis_angle(carom_vec(-0.46164, -0.0240441, -0.886741), 1.21467);
    egg.w_WB = carom_vec(-16.3, -18.8, 2.3);
    scene_add(&s, &egg);
    caromModel *model = scene_end(&s);
    caromSim *sim;
    bool done = false;
    assert_int_equal(carom_sim_create(model, NULL, &sim, NULL), CAROM_OK);
    for (int i = 0; i < 20000 && !done; i++) assert_int_equal(carom_sim_step(sim, &done, NULL), CAROM_OK);
    CHECK(done);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

// A ball spins until torsion has stopped it, at w I/(mu_t R m g) = 1.02 s, and then turns to and fro on its bristles
// with sqrt(k a^2/I) = 340 rad/s. That dies out with the damping ratio of rest: exp(-0.1 340 0.38) = 2e-6 of what it
// was, 0.05 rad/s or less.
static void a_ball_that_spun_comes_to_rest(void **state)
{
    (void)state;
    Scene s = scene_begin();
    caromPairDef pair = carom_model_pair_def("steel", "steel");
    pair.restitution = 0.5;
    pair.friction = 0.3;
    pair.torsion = 0.02;
    carom_builder_pair(s.builder, &pair);
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.until = 1.4;
    s.settings.tolerance = 1e-8;
    scene_floor(&s, "steel");
    caromShapeDef shape = carom_model_shape_def(carom_shape_sphere(0.05));
    caromBodyDef ball = scene_body("ball", "steel", &shape);
    ball.p_WB = carom_vec(0, 0, 0.05);
    ball.w_WB = carom_vec(0, 0, 10);
    scene_add(&s, &ball);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    double I = carom_shape_mass(shape.shape, 7850).inertia.cz.z;
    CHECK(r->last.energy.kinetic < 0.5*I*1e-5*1e-5);
    free(r);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_that_spins_and_slides_is_smooth),
        cmocka_unit_test(a_ball_that_spun_comes_to_rest),
        cmocka_unit_test(a_block_below_the_friction_angle_stays),
        cmocka_unit_test(blocks_of_any_material_stay),
        cmocka_unit_test(every_method_holds_a_block),
        cmocka_unit_test(smooth_friction_creeps),
        cmocka_unit_test(a_block_above_the_friction_angle_slides),
        cmocka_unit_test(a_ball_rolls_as_if_there_were_no_bristles),
        cmocka_unit_test(a_block_starts_at_static_friction),
        cmocka_unit_test(a_spinning_face_is_braked),
        cmocka_unit_test(a_block_rides_on_a_turntable),
        cmocka_unit_test(states_come_and_go),
        cmocka_unit_test(more_contacts_than_there_is_room_for_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
