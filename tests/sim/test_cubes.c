// Cubes: momentum and energy of free flight with collisions, a drop that comes to rest, symmetry.
#include "model/model.h"
#include "scene.h"

static const caromVec3 cube = { 0.1, 0.1, 0.1 }, none = { 0, 0, 0 };

// Two cubes fly towards two that wait, as in examples/four-cubes.yaml.
static caromModel *four_cubes(double e, double mu, double tolerance)
{
    Scene s = scene_begin();
    s.settings.gravity = none;
    s.settings.until = 2;
    s.settings.tolerance = tolerance;
    scene_pair(&s, "wood", "wood", e, mu, 0);
    scene_box(&s, "a", "wood", cube, carom_vec(-0.6, 0, 0), (caromQuat){ 1, 0.1, 0.2, 0.3 }, carom_vec(0.5, 0, 0),
              carom_vec(1, 2, 3));
    scene_box(&s, "b", "wood", cube, carom_vec(0.6, 0.01, 0), (caromQuat){ 1, 0.5, 0.2, 0.3 }, carom_vec(-0.5, 0, 0),
              carom_vec(1, -2, 3));
    scene_box(&s, "c", "wood", cube, carom_vec(0.03, -0.02, 0.13), (caromQuat){ 1, 0.5, 0.6, 0.3 }, none, none);
    scene_box(&s, "d", "wood", cube, carom_vec(0.02, -0.14, -0.02), (caromQuat){ 1, 0, 0.6, 0.3 }, none, none);
    return scene_end(&s);
}

typedef struct Momentum {  // of the whole scene about the world's origin, extremes over a run
    const caromModel *model;
    caromVec3 linear0, angular0;
    double linear_off, angular_off, scale_linear, scale_angular;
    double energy0, highest;
    int n;
} Momentum;

static caromStatus watch(void *user, const caromSample *s)
{
    Momentum *w = user;
    caromVec3 linear = none, angular = none;
    double size_p = 0, size_l = 0;
    for (int k = 0; k < s->nbody; k++) {
        const caromMassProps *props = &w->model->bodies[k].props;
        caromVec3 p = carom_scale(props->mass, s->V_WB[k].linear);
        caromMat3 R = s->X_WB[k].R;
        caromVec3 spin = carom_mul(R, carom_mul(props->inertia, carom_tmul(R, s->V_WB[k].angular)));
        caromVec3 l = carom_add(spin, carom_cross(s->X_WB[k].p, p));
        linear = carom_add(linear, p);
        angular = carom_add(angular, l);
        size_p += carom_norm(p);
        size_l += carom_norm(l);
    }
    double energy = s->energy.kinetic + s->energy.elastic;
    if (w->n++ == 0) {
        w->linear0 = linear;
        w->angular0 = angular;
        w->scale_linear = size_p;
        w->scale_angular = size_l;
        w->energy0 = w->highest = energy;
    }
    w->linear_off = fmax(w->linear_off, carom_norm(carom_sub(linear, w->linear0))/w->scale_linear);
    w->angular_off = fmax(w->angular_off, carom_norm(carom_sub(angular, w->angular0))/w->scale_angular);
    w->highest = fmax(w->highest, energy);
    return CAROM_OK;
}

static void momentum_is_kept_and_energy_never_gained(void **state)
{
    (void)state;
    const double e[] = { 1.0, 0.5 }, mu[] = { 0.0, 0.3 };
    for (int i = 0; i < 4; i++) {
        caromModel *model = four_cubes(e[i % 2], mu[i/2], 1e-10);
        Momentum w = { .model = model };
        caromSink sink = { &w, watch, NULL };
        caromSim *sim;
        caromError err;
        assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
        if (carom_sim_run(sim, &err) != CAROM_OK) fail_msg("%s", err.message);
        const caromSimStats *stats = carom_sim_stats(sim);
        CHECK(stats->events[CAROM_EVENT_TOUCH] >= 3);
        CHECK(stats->events[CAROM_EVENT_TOUCH] == stats->events[CAROM_EVENT_SEPARATION]);
        CHECK(w.linear_off < 1e-9);
        CHECK(w.angular_off < 1e-9);
        CHECK(w.highest < w.energy0*(1 + 1e-6));
        CHECK(stats->largest_imbalance < 1e-6*w.energy0);
        if (e[i % 2] == 1.0 && mu[i/2] == 0.0) CHECK_NEAR(stats->energy.kinetic, w.energy0, 1e-6*w.energy0);
        else CHECK(stats->energy.kinetic < 0.999*w.energy0);
        carom_sim_destroy(sim);
        carom_model_destroy(model);
    }
}

// The test above has its own mistakes to fear: a force without reaction would be seen. A cube pushed by gravity alone
// gains momentum m g t, and the watcher says so.
static void the_watcher_sees_momentum_that_is_not_kept(void **state)
{
    (void)state;
    Scene s = scene_begin();
    scene_box(&s, "a", "wood", cube, none, carom_quat_identity(), carom_vec(1, 0, 0), none);
    caromModel *model = scene_end(&s);
    Momentum w = { .model = model };
    caromSink sink = { &w, watch, NULL };
    caromSim *sim;
    caromError err;
    assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, &err), CAROM_OK);
    CHECK_NEAR(w.linear_off, 9.81, 1e-9);  // m g 1 s over m 1 m/s
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

static void a_tilted_cube_comes_to_rest_flat(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 1;
    scene_pair(&s, "wood", "wood", 0.5, 0.3, 0);
    scene_floor(&s, "wood");
    scene_box(&s, "cube", "wood", cube, carom_vec(0, 0, 0.1), (caromQuat){ 1, 0.02, 0.01, 0 }, carom_vec(0.2, 0, 0),
              none);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK_NEAR(r->last_X[1].p.z, 0.05, 1e-7);                // static depth m g/(k A) = 1e-8 m
    CHECK_NEAR(carom_norm(r->last_V[1].linear), 0, 1e-6);
    CHECK_NEAR(carom_norm(r->last_V[1].angular), 0, 1e-5);
    CHECK_NEAR(fabs(r->last_X[1].R.cz.z), 1, 1e-9);
    CHECK(r->stats.largest_imbalance < 1e-4*r->stats.energy_scale);
    free(r);
    carom_model_destroy(model);
}

// Head on, face to face, perfectly aligned: nothing may start to turn or drift sideways.
static void aligned_cubes_stay_aligned(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.gravity = none;
    s.settings.until = 0.5;
    s.settings.tolerance = 1e-8;
    scene_pair(&s, "wood", "wood", 0.8, 0.3, 0);
    scene_box(&s, "left", "wood", cube, carom_vec(-0.1, 0, 0), carom_quat_identity(), carom_vec(1, 0, 0), none);
    scene_box(&s, "right", "wood", cube, carom_vec(0.1, 0, 0), carom_quat_identity(), carom_vec(-1, 0, 0), none);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    assert_int_equal(r->nevent, 2);
    CHECK_NEAR(r->events[1].separation.restitution, 0.8, 1e-6);
    CHECK_NEAR(r->last_V[0].linear.x, -0.8, 1e-6);
    CHECK_NEAR(carom_norm(r->last_V[0].angular), 0, 1e-9);
    CHECK_NEAR(r->last_V[0].linear.y, 0, 1e-9);
    free(r);
    carom_model_destroy(model);
}

// Placed exactly on the floor: the first step must be one of the contact, not of free fall, for every method at every
// tolerance.
static void a_box_placed_on_the_floor_stays_there(void **state)
{
    (void)state;
    const caromMethodChoice methods[] = { CAROM_METHOD_AUTO, CAROM_METHOD_DP5, CAROM_METHOD_DOP853,
                                          CAROM_METHOD_RODAS5P };
    for (int k = 0; k < 4; k++) {
        for (double tolerance = 1e-2; tolerance > 0.9e-10; tolerance *= 1e-2) {
            Scene s = scene_begin();
            // Explicit methods have to resolve every oscillation.
            s.settings.until = methods[k] == CAROM_METHOD_AUTO ? 1 : 0.01;
            s.settings.tolerance = tolerance;
            s.settings.method = methods[k];
            scene_floor(&s, "steel");
            scene_box(&s, "box", "steel", cube, carom_vec(0, 0, 0.05), carom_quat_identity(), none, none);
            caromModel *model = scene_end(&s);
            Record *r = scene_run(model);
            expect_completed(r);
            CHECK_NEAR(r->highest[1], 0.05, 1e-7);  // it sinks in by 6e-9 m
            CHECK_NEAR(r->lowest[1], 0.05, 1e-7);
            CHECK(r->stats.largest_imbalance < fmax(10*tolerance, 1e-8)*r->stats.energy_reference);
            free(r);
            carom_model_destroy(model);
        }
    }
}

typedef struct Slope {
    bool tilts_plane;  // or gravity
    double angle, restitution, friction;
} Slope;

// A box placed on a slope, for 1 s.
static Record *run_down(const Slope *slope_of, double tolerance)
{
    double angle = slope_of->angle;
    caromQuat tilt = carom_quat_axis_angle(carom_vec(0, 1, 0), slope_of->tilts_plane ? angle : 0.0);
    caromMat3 R = carom_quat_matrix(tilt);
    Scene s = scene_begin();
    s.settings.until = 1;
    s.settings.tolerance = tolerance;
    if (!slope_of->tilts_plane) s.settings.gravity = carom_vec(9.81*sin(angle), 0, -9.81*cos(angle));
    scene_pair(&s, "steel", "steel", slope_of->restitution, slope_of->friction, 0);
    caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef slope = scene_body("slope", "steel", &plane);
    slope.fixed = true;
    slope.q_WB = tilt;
    scene_add(&s, &slope);
    scene_box(&s, "box", "steel", cube, carom_scale(0.05, R.cz), tilt, none, none);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    carom_model_destroy(model);
    return r;
}

// A box slides down a slope of 30 degrees, mu = 0.3: a = g (sin - mu cos). Whether the plane is tilted or gravity,
// motion and cost are the same; in a tilted plane large entries of the Jacobian cancel along the motion.
static int64_t steps_down_a_slope(bool tilts_plane, double tolerance, double *speed)
{
    Slope slope = { tilts_plane, acos(-1)/6, 0, 0.3 };
    Record *r = run_down(&slope, tolerance);
    *speed = carom_norm(r->last_V[1].linear);
    int64_t steps = r->stats.steps;
    free(r);
    return steps;
}

static void a_tilted_plane_costs_what_tilted_gravity_costs(void **state)
{
    (void)state;
    double expected = 9.81*(sin(acos(-1)/6) - 0.3*cos(acos(-1)/6));
    for (double tolerance = 1e-4; tolerance > 0.9e-8; tolerance *= 1e-2) {
        double speed[2];
        int64_t straight = steps_down_a_slope(false, tolerance, &speed[0]),
                tilted = steps_down_a_slope(true, tolerance, &speed[1]);
        CHECK(tilted < 4*straight);
        // While it gathers v_small the friction is less than mu N: v_small over mu at most.
        CHECK_NEAR(speed[0], expected, 1e-3/0.3);
        CHECK_NEAR(speed[1], speed[0], 1e-3*tolerance/1e-4 + 1e-6);
    }
}

static int64_t evaluations_down(const Slope *slope, double tolerance)
{
    Record *r = run_down(slope, tolerance);
    int64_t evaluations = r->stats.evaluations;
    free(r);
    return evaluations;
}

// Held by friction, a box creeps at less than v_small. Who asks for less does not pay more, not even where part of the
// face is lifted (tan(angle) > 1/3), so that its force bends, nor where the explicit method is held just below twice
// the rate of the contact.
static void a_box_at_rest_costs_less_where_less_is_asked_for(void **state)
{
    (void)state;
    static const Slope slopes[] = { { true, 0.380506377, 0.3, 0.5 }, { false, 0.2355, 0.7, 0.3 } };
    for (size_t i = 0; i < sizeof slopes/sizeof *slopes; i++) {
        int64_t enough = evaluations_down(&slopes[i], 1e-6);
        CHECK(evaluations_down(&slopes[i], 1e-4) < enough);
        CHECK(evaluations_down(&slopes[i], 5e-4) < enough);
        CHECK(evaluations_down(&slopes[i], 1e-3) < enough);
    }
}

// A face, an edge or a corner that meets a floor gives way further from one to the next: as far as is expected, by the
// power with which the energy of the overlap grows, which of an edge and a corner is known at small depths only.
static void what_is_expected_of_a_face_an_edge_and_a_corner_happens(void **state)
{
    (void)state;
    const double half = 0.05, a = sqrt(0.5), b = sqrt(0.5*(1 + 1/sqrt(3))), c = sqrt((1 - b*b)/2);
    const struct {
        caromQuat q;
        double height;  // of the centre when it touches
    } cases[] = { { { 1, 0, 0, 0 }, half },
                  { { cos(acos(-1)/8), sin(acos(-1)/8), 0, 0 }, half/a },
                  { { b, c, -c, 0 }, half*sqrt(3) } };
    double before = 0;
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        Scene s = scene_begin();
        s.settings.gravity = none;
        s.settings.until = 0.01;
        scene_pair(&s, "steel", "steel", 1, 0, 0);
        scene_floor(&s, "steel");
        scene_box(&s, "cube", "steel", cube, carom_vec(0, 0, cases[i].height + 1e-4), cases[i].q, carom_vec(0, 0, -0.5),
                  none);
        caromModel *model = scene_end(&s);
        caromExpectation e;
        assert_int_equal(carom_sim_expect(model, 0, &e, NULL), CAROM_OK);
        Record *r = scene_run(model);
        expect_completed(r);
        assert_int_equal(r->nevent, 2);
        print_message("depth %g, expected %g; duration %g, expected %g\n", r->events[1].separation.depth, e.depth,
                      r->events[1].separation.duration, e.duration);
        CHECK_NEAR(e.depth, r->events[1].separation.depth, 0.5*e.depth);  // of an edge it is told where faces balance
        CHECK_NEAR(e.duration, r->events[1].separation.duration, 0.01*e.duration);
        CHECK(e.depth > 2*before);
        before = e.depth;
        free(r);
        carom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept_and_energy_never_gained),
        cmocka_unit_test(the_watcher_sees_momentum_that_is_not_kept),
        cmocka_unit_test(a_tilted_cube_comes_to_rest_flat),
        cmocka_unit_test(aligned_cubes_stay_aligned),
        cmocka_unit_test(a_box_placed_on_the_floor_stays_there),
        cmocka_unit_test(a_tilted_plane_costs_what_tilted_gravity_costs),
        cmocka_unit_test(a_box_at_rest_costs_less_where_less_is_asked_for),
        cmocka_unit_test(what_is_expected_of_a_face_an_edge_and_a_corner_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
