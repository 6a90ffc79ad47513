// A box that is put down, dropped flat, on an edge or on a corner: it rebounds as asked, comes to rest at
// every tolerance, lies as deep as its weight presses it, and then costs nothing. On a slope it slides and
// tips where statics says.
#include <float.h>

#include "scene.h"

static const double g = 9.81, pi = 3.14159265358979323846, side = 0.1;
static const caromVec3 none = { 0, 0, 0 };

typedef struct Pose {
    const char *name;
    caromQuat q;
    double height;  // of the centre when the lowest point is at 0 [m]
} Pose;

// Flat, on an edge, on a corner: the lowest face, edge or corner is right below the centre.
static Pose pose_of(int i)
{
    double to_corner = acos(1/sqrt(3.0));
    if (i == 0) return (Pose){ "flat", { 1, 0, 0, 0 }, 0.5*side };
    if (i == 1) return (Pose){ "edge", carom_quat_axis_angle(carom_vec(1, 0, 0), pi/4), side/sqrt(2.0) };
    return (Pose){ "corner", carom_quat_axis_angle(carom_vec(sqrt(0.5), -sqrt(0.5), 0), to_corner),
                   0.5*sqrt(3.0)*side };
}

// An edge or corner exactly below the centre is a balance that may last: not quite then, by half a degree.
static Pose off_balance(Pose pose, int i)
{
    if (i == 0) return pose;
    caromQuat tilt = carom_quat_axis_angle(carom_vec(0.8, 0.6, 0), 0.5*pi/180);
    return (Pose){ pose.name, carom_quat_mul(tilt, pose.q), pose.height + 1e-4 };
}

static caromModel *dropped(Pose pose, double above, double speed, double gravity, double e, double tolerance,
                           caromFrictionLaw law, double until)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, -gravity);
    s.settings.tolerance = tolerance;
    s.settings.until = until;
    s.settings.every = until;
    s.settings.friction_law = law;
    scene_pair(&s, "wood", "wood", e, 0.3, 0);
    scene_floor(&s, "wood");
    scene_box(&s, "box", "wood", carom_vec(side, side, side), carom_vec(0, 0, pose.height + above), pose.q,
              carom_vec(0, 0, -speed), none);
    return scene_end(&s);
}

typedef struct Rest {
    double speed, turning;  // at the end
    caromPose X;
    double first_rebound;
    bool has_rebound;
} Rest;

static caromStatus see_sample(void *user, const caromSample *s)
{
    Rest *r = user;
    r->speed = carom_norm(s->V_WB[1].linear);
    r->turning = carom_norm(s->V_WB[1].angular);
    r->X = s->X_WB[1];
    return CAROM_OK;
}

static caromStatus see_event(void *user, const caromEvent *e)
{
    Rest *r = user;
    if (e->kind != CAROM_EVENT_SEPARATION || r->has_rebound) return CAROM_OK;
    r->has_rebound = true;
    r->first_rebound = e->separation.restitution;
    return CAROM_OK;
}

static void run_until(caromSim *sim, double time)
{
    caromError err;
    bool done = false;
    while (!done && carom_sim_stats(sim)->time < time) {
        if (carom_sim_step(sim, &done, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    }
}

// Without gravity and without turning the rebound is the one asked for, whatever meets the floor first.
static void the_rebound_is_the_one_asked_for(void **state)
{
    (void)state;
    const double e[] = { 0.1, 0.5, 0.9 };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            caromModel *model = dropped(pose_of(i), 1e-3, 1.0, 0.0, e[k], 1e-7, CAROM_FRICTION_SMOOTH, 0.2);
            Rest r = { 0 };
            caromSink sink = { &r, see_sample, see_event };
            caromSim *sim = NULL;
            assert_int_equal(carom_sim_create(model, &sink, &sim, NULL), CAROM_OK);
            run_until(sim, 0.2);
            CHECK(r.has_rebound);
            CHECK_NEAR(r.first_rebound, e[k], 1e-3);
            carom_sim_destroy(sim);
            carom_model_destroy(model);
        }
    }
}

// At rest a step is 0.1 s and more. On its face the box lies as deep as statics says: m g = k A d, k = E*/l, l = 0.877
// sqrt(A).
static void a_box_comes_to_rest_at_every_tolerance(void **state)
{
    (void)state;
    const double fallen = 4, quiet = 10, nu = 0.35, E_star = 10e9/(2*(1 - nu*nu)), mass = 600*side*side*side;
    const double depth = mass*g*0.877*side/(E_star*side*side);
    for (int law = 0; law < 2; law++) {
        for (int i = 0; i < 3; i++) {
            for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance *= 1e-2) {
                caromModel *model = dropped(off_balance(pose_of(i), i), 0.01, 0.0, g, 0.5, tolerance,
                                            law ? CAROM_FRICTION_BRISTLE : CAROM_FRICTION_SMOOTH, fallen + quiet);
                Rest r = { 0 };
                caromSink sink = { &r, see_sample, see_event };
                caromSim *sim = NULL;
                assert_int_equal(carom_sim_create(model, &sink, &sim, NULL), CAROM_OK);
                run_until(sim, fallen);
                int64_t steps = carom_sim_stats(sim)->steps;
                run_until(sim, fallen + quiet);
                int64_t more = carom_sim_stats(sim)->steps - steps;
                CHECK((double)more <= quiet/0.1);
                CHECK(r.speed < 1e-9 && r.turning < 1e-8);
                caromVec3 up = carom_vec(r.X.R.cx.z, r.X.R.cy.z, r.X.R.cz.z);
                double lies_flat = fmax(fabs(up.x), fmax(fabs(up.y), fabs(up.z)));
                CHECK(lies_flat > 1 - 1e-12);
                CHECK_NEAR(0.5*side - r.X.p.z, depth, 1e-6*depth + 4*DBL_EPSILON*side);
                CHECK(carom_sim_stats(sim)->largest_imbalance <= fmax(20*tolerance,
                                                                      1e-8)*carom_sim_stats(sim)->energy_reference);
                carom_sim_destroy(sim);
                carom_model_destroy(model);
            }
        }
    }
}

// Friction takes the energy of a box that slides and hops on a floor without loss along the normal, until it lies and
// swings by less than 0.1 tolerances of energy: nobody follows that, and no more than that is lost. 119,000 steps were
// made where each swing was followed, 1750 are.
static void a_box_that_loses_nothing_does_not_ring_for_ever(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.tolerance = 1e-7;
    s.settings.until = s.settings.every = 0.5;
    s.settings.friction_law = CAROM_FRICTION_SMOOTH;
    scene_pair(&s, "aluminium", "aluminium", 1, 0.5, 0);
    caromShapeDef slab = carom_model_shape_def(carom_shape_box(0.5, 0.5, 0.025));
    caromBodyDef floor = scene_body("floor", "aluminium", &slab);
    floor.fixed = true;
    floor.p_WB = carom_vec(0, 0, -0.0125);
    scene_add(&s, &floor);
    scene_box(&s, "box", "aluminium", carom_vec(0.018, 0.016, 0.021), carom_vec(0, 0, 0.0107),
              (caromQuat){ 1, 0, 0, 0 }, carom_vec(0.03, 0, -0.07), none);
    caromModel *model = scene_end(&s);
    caromSim *sim = NULL;
    assert_int_equal(carom_sim_create(model, NULL, &sim, NULL), CAROM_OK);
    run_until(sim, 0.5);
    const caromSimStats *stats = carom_sim_stats(sim);
    CHECK(stats->steps < 5000);
    CHECK(stats->energy.damping > 0 && stats->energy.damping < 1e-7*stats->energy_reference);
    CHECK(stats->largest_imbalance < 1e-7*stats->energy_reference);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

// A block of width b and height h on a slope: it slides where tan > mu and tips where tan > b/h. That is statics of
// rigid bodies: light and stiff, it gives way by 1e-5 rad where it stands on 1e-3 of its base.
static caromModel *on_slope(double angle, double width, double height, double mu)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(g*sin(angle), 0, -g*cos(angle));
    s.settings.tolerance = 1e-5;
    s.settings.until = 5;
    s.settings.every = 5;
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_material(&s, "stiff", 100, 2e12, 0.3);
    scene_pair(&s, "stiff", "stiff", 0.3, mu, 0);
    scene_floor(&s, "stiff");
    scene_box(&s, "box", "stiff", carom_vec(width, 0.1, height), carom_vec(0, 0, 0.5*height), (caromQuat){ 1, 0, 0, 0 },
              none, none);
    return scene_end(&s);
}

static Rest after_5_s(double angle, double width, double height, double mu)
{
    caromModel *model = on_slope(angle, width, height, mu);
    Rest r = { 0 };
    caromSink sink = { &r, see_sample, NULL };
    caromSim *sim = NULL;
    assert_int_equal(carom_sim_create(model, &sink, &sim, NULL), CAROM_OK);
    run_until(sim, 5);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    return r;
}

static void a_block_slides_from_the_angle_of_friction_on(void **state)
{
    (void)state;
    const double mu[] = { 0.2, 0.5 };
    for (int i = 0; i < 2; i++) {
        Rest below = after_5_s(atan(mu[i]) - 1e-3, 0.1, 0.05, mu[i]),
             above = after_5_s(atan(mu[i]) + 1e-3, 0.1, 0.05, mu[i]);
        CHECK(fabs(below.X.p.x) < 1e-6);
        double angle = atan(mu[i]) + 1e-3, way = 0.5*g*(sin(angle) - mu[i]*cos(angle))*25;
        CHECK_NEAR(above.X.p.x, way, 0.02*way);
    }
}

static void a_block_tips_where_its_weight_leaves_its_base(void **state)
{
    (void)state;
    const double slender[] = { 2, 4 };
    for (int i = 0; i < 2; i++) {
        double height = 0.1*slender[i], limit = atan(1/slender[i]);
        Rest below = after_5_s(limit - 1e-3, 0.1, height, 2.0), above = after_5_s(limit + 1e-3, 0.1, height, 2.0);
        CHECK(below.X.R.cz.z > 1 - 1e-6);
        CHECK(above.X.R.cz.z < 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rebound_is_the_one_asked_for),
        cmocka_unit_test(a_box_comes_to_rest_at_every_tolerance),
        cmocka_unit_test(a_box_that_loses_nothing_does_not_ring_for_ever),
        cmocka_unit_test(a_block_slides_from_the_angle_of_friction_on),
        cmocka_unit_test(a_block_tips_where_its_weight_leaves_its_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
