// The contact world by itself: evaluations, memory, what is refused. Motion: test_world_motion.c.
#include <float.h>

#include "carom/mesh.h"
#include "world_scene.h"

// ---- one evaluation

// A ball that lies 0.1 mm deep in the floor and slides, a box beside it that the ball touches too; the
// touches began elsewhere.
static caromModel *pressed_model(caromFrictionLaw law)
{
    Scene s = scene_of(1e8, 0.5, 0.3, 1);
    s.settings.friction_law = law;
    scene_floor(&s, "soft");
    caromShapeDef shapes[2] = { carom_model_shape_def(carom_shape_box(0.1, 0.1, 0.1)),
                                carom_model_shape_def(carom_shape_sphere(0.03)) };
    shapes[1].name = "knob";
    shapes[1].p_BS = carom_vec(0.04, 0.01, 0.05);
    caromBodyDef box = scene_body("box", "soft", shapes);
    box.nshape = 2;
    box.p_WB = carom_vec(0.0999, 0, 0.0499);
    box.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), 1e-3);
    box.v_WB = carom_vec(-0.2, 0.1, -0.05);
    box.w_WB = carom_vec(0.2, -0.1, 0.3);
    scene_add(&s, &box);
    scene_ball(&s, "ball", "soft", 0.05, carom_vec(0, 0, 0.0499), carom_vec(0.3, -0.1, -0.1));
    return scene_end(&s);
}

static caromContactWorld *pressed_world(const caromModel *model, double *z)
{
    caromContactWorld *world = NULL;
    caromEvent events[PAIRS];
    assert_int_equal(carom_world_create(model, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_events(world, z, events, PAIRS, NULL), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(events[i].kind, CAROM_EVENT_TOUCH);
        CHECK(carom_world_is_touching(world, events[i].about.pair));
    }
    assert_int_equal(carom_world_events(world, z, events, PAIRS, NULL), 0);
    return world;
}

// Forces of two bodies that touch are opposite to the bit, torques about one point to rounding.
static void a_pair_acts_and_reacts(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_SMOOTH);
    caromContactWorld *world = pressed_world(model, NULL);
    int pairs[PAIRS], n = carom_world_touching(world, pairs, PAIRS);
    size_t size = carom_world_memory_size(world);
    void *memory = malloc(size);
    carom_world_save(world, memory, size);
    caromPose X[BODIES];
    caromSpatial F[BODIES], sum[BODIES] = { 0 };
    carom_world_placed(world, X, NULL);
    for (int only = 0; only < n; only++) {
        carom_world_restore(world, memory, size);
        for (int i = 0; i < n; i++)
            if (i != only) assert_int_equal(carom_world_separate(world, pairs[i], NULL, NULL), CAROM_OK);
        assert_int_equal(carom_world_wrenches(world, NULL, F, NULL, NULL), CAROM_OK);
        caromPairInfo pair = carom_model_pair(model, pairs[only]);
        int a = carom_model_shape(model, pair.shape[0]).body.i, b = carom_model_shape(model, pair.shape[1]).body.i;
        caromContact contact = carom_world_contact(world, NULL, pairs[only]);
        double size_of_force = carom_norm(F[b].linear);
        CHECK(size_of_force > 1);
        CHECK_VEC(F[b].linear, contact.f_B, 0);
        CHECK_VEC(F[a].linear, carom_neg(F[b].linear), 0);
        caromVec3 about_W = carom_add(carom_add(F[a].angular, carom_cross(X[a].p, F[a].linear)),
                                      carom_add(F[b].angular, carom_cross(X[b].p, F[b].linear)));
        CHECK_VEC(about_W, carom_vec(0, 0, 0), 100*DBL_EPSILON*size_of_force);  // levers below 0.2 m, up to 100 cells
        for (int k = 0; k < carom_model_body_count(model); k++) {
            if (k != a && k != b) CHECK_VEC(F[k].linear, carom_vec(0, 0, 0), 0);
            sum[k].linear = carom_add(sum[k].linear, F[k].linear);
        }
    }
    carom_world_restore(world, memory, size);
    carom_world_wrenches(world, NULL, F, NULL, NULL);
    for (int k = 0; k < carom_model_body_count(model); k++) CHECK_VEC(F[k].linear, sum[k].linear, 4*DBL_EPSILON*1e4);
    free(memory);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

static caromPose moved(caromPose X, caromSpatial V, double t)
{
    double w = carom_norm(V.angular);
    caromQuat turn = w > 0 ? carom_quat_axis_angle(carom_scale(1/w, V.angular), w*t) : carom_quat_identity();
    return carom_pose(carom_mat_mul(carom_quat_matrix(turn), X.R), carom_axpy(t, V.linear, X.p));
}

// What the contacts take from the bodies, -sum(tau.w + f.v), is stored or dissipated:
// d(energy)/dt + damping + friction + rolling.
static void check_power(caromFrictionLaw law)
{
    caromModel *model = pressed_model(law);
    double z[6*PAIRS] = { 0 }, dz[6*PAIRS] = { 0 }, z_then[6*PAIRS];
    caromContactWorld *world = pressed_world(model, z);
    caromPose X[BODIES], X_then[BODIES];
    caromSpatial V[BODIES], F[BODIES];
    caromWorldPower power;
    int n = carom_model_body_count(model), nz = carom_world_state_count(world);
    assert_int_equal(nz, law == CAROM_FRICTION_BRISTLE ? 18 : 0);
    CHECK(carom_world_state_max(world) >= nz);
    for (int i = 0; i < nz; i++) z[i] = 1e-5*sin(i);
    carom_world_placed(world, X, V);
    assert_int_equal(carom_world_wrenches(world, z, F, dz, &power), CAROM_OK);
    double taken = 0, energy[2], h = 1e-6;
    for (int k = 0; k < n; k++) taken -= carom_dot(F[k].angular, V[k].angular) + carom_dot(F[k].linear, V[k].linear);
    for (int i = 0; i < 2; i++) {
        double t = i ? h : -h;
        for (int k = 0; k < n; k++) X_then[k] = moved(X[k], V[k], t);
        for (int k = 0; k < nz; k++) z_then[k] = z[k] + t*dz[k];
        assert_int_equal(carom_world_place(world, 0, X_then, V, NULL), CAROM_OK);
        energy[i] = carom_world_energy(world, z_then);
    }
    double stored = (energy[1] - energy[0])/(2*h);
    CHECK(power.damping > 0 && power.friction > 0 && power.rolling > 0 && fabs(stored) > 0 && power.rate > 0 &&
          power.too_deep == -1);
    // Central differences: depths and bends change by 1e-3 of themselves or less over h, and a sixth of the third power
    // of that is left; energies cancel to 1e-16/1e-3.
    CHECK_NEAR(taken, stored + power.damping + power.friction + power.rolling, 1e-6*fabs(taken));
    carom_world_destroy(world);
    carom_model_destroy(model);
}

static void power_is_accounted_for(void **state)
{
    (void)state;
    check_power(CAROM_FRICTION_SMOOTH);
    check_power(CAROM_FRICTION_BRISTLE);
}

// A ball is pulled out of a steep groove: friction on both flanks pulls harder than they push. Whatever the sum,
// resistance to rolling takes energy.
static void resistance_takes_energy_in_a_groove_too(void **state)
{
    (void)state;
    const double steep = 5, r = 0.1;
    const caromVec3 v[6] = { { 0, -1, 0 }, { 0, 1, 0 }, { 1, -1, steep }, { 1, 1, steep }, { -1, -1, steep },
                             { -1, 1, steep } };
    const int t[4][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 5 }, { 0, 5, 4 } };
    caromMesh *mesh = carom_mesh_create(v, 6, t, 4, NULL, NULL);
    Scene s = scene_of(1e8, 1, 1, 1);
    caromShapeDef shape = carom_model_shape_def(carom_shape_mesh(mesh));
    caromBodyDef groove = scene_body("groove", "soft", &shape);
    groove.fixed = true;
    scene_add(&s, &groove);
    scene_ball(&s, "ball", "soft", r + 1e-4, carom_vec(0, 0, r*sqrt(1 + steep*steep)), carom_vec(0, 0, 0.05));
    caromModel *model = scene_end(&s);
    caromContactWorld *world = NULL;
    assert_int_equal(carom_world_create(model, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_touch(world, 0, NAN, NULL, NULL, NULL), CAROM_OK);
    caromPose X[2];
    caromSpatial V[2], F[2];
    carom_world_placed(world, X, V);
    V[1].angular = carom_vec(3, 1, 2);
    assert_int_equal(carom_world_place(world, 0, X, V, NULL), CAROM_OK);
    caromWorldPower power;
    assert_int_equal(carom_world_wrenches(world, NULL, F, NULL, &power), CAROM_OK);
    CHECK(carom_world_contact(world, NULL, 0).fn < 0);
    CHECK(power.rolling > 0 && power.friction > 0);
    carom_world_destroy(world);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
}

// Who has states must give them.
static void missing_states_are_told(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_BRISTLE);
    double z[6*PAIRS], dz[6*PAIRS];
    caromContactWorld *world = pressed_world(model, z);
    caromSpatial F[BODIES];
    for (int i = 0; i < 18; i++) CHECK(z[i] == 0);  // where they begin
    assert_int_equal(carom_world_wrenches(world, NULL, F, dz, NULL), CAROM_ERR_INPUT);
    caromWorldPower power = { 1, 1, 1, 1, 0 };
    assert_int_equal(carom_world_wrenches(world, NULL, F, dz, &power), CAROM_ERR_INPUT);
    CHECK(power.damping == 0 && power.friction == 0 && power.rolling == 0 && power.rate == 0 && power.too_deep == -1);
    assert_int_equal(carom_world_wrenches(world, z, F, NULL, NULL), CAROM_OK);  // who does not want the rates
    CHECK(isnan(carom_world_energy(world, NULL)));
    CHECK(carom_world_contact(world, NULL, 0).fn == 0 && carom_world_contact(world, z, 0).fn > 0);
    assert_int_equal(carom_world_wrenches(world, z, F, dz, NULL), CAROM_OK);
    caromError err = { 0 };
    assert_int_equal(carom_world_separate(world, 0, NULL, NULL), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_events(world, NULL, NULL, 0, &err), -1);
    assert_string_equal(err.where, "z");
    assert_int_equal(carom_world_state_count(world), 18);
    assert_int_equal(carom_world_separate(world, 0, z, NULL), CAROM_OK);
    assert_int_equal(carom_world_touch(world, 0, NAN, NULL, NULL, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_state_count(world), 12);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// Whichever pair ends first and second, what the others do stays the same to the bit: their states go with them. In a
// world that was restored too.
static void states_go_with_their_pairs(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_BRISTLE);
    double z[6*PAIRS], z_start[6*PAIRS] = { 0 };
    caromContactWorld *world = pressed_world(model, z_start), *fresh = NULL;
    int pairs[PAIRS], n = carom_world_touching(world, pairs, PAIRS);
    size_t size = carom_world_memory_size(world);
    void *memory = malloc(size);
    carom_world_save(world, memory, size);
    for (int i = 0; i < 18; i++) z_start[i] = 1e-5*sin(i);
    for (int first = 0; first < n; first++) {
        for (int second = 0; second < n; second++) {
            if (second == first) continue;
            int last = 3 - first - second;
            assert_int_equal(carom_world_create(model, &fresh, NULL), CAROM_OK);
            assert_int_equal(carom_world_restore(fresh, memory, size), CAROM_OK);
            memcpy(z, z_start, sizeof z);
            caromContact before = carom_world_contact(fresh, z, pairs[last]);
            CHECK(carom_norm(before.f_B) > 1);
            caromEvent event;
            assert_int_equal(carom_world_separate(fresh, pairs[first], z, &event), CAROM_OK);
            CHECK(event.separation.lost > 0);
            CHECK_VEC(carom_world_contact(fresh, z, pairs[last]).f_B, before.f_B, 0);
            assert_int_equal(carom_world_separate(fresh, pairs[second], z, &event), CAROM_OK);
            assert_int_equal(carom_world_state_count(fresh), 6);
            CHECK_VEC(carom_world_contact(fresh, z, pairs[last]).f_B, before.f_B, 0);
            // With new states, which are 0.
            assert_int_equal(carom_world_touch(fresh, pairs[first], NAN, z, NULL, NULL), CAROM_OK);
            for (int i = 6; i < 12; i++) CHECK(z[i] == 0);
            CHECK_VEC(carom_world_contact(fresh, z, pairs[last]).f_B, before.f_B, 0);
            carom_world_destroy(fresh);
        }
    }
    free(memory);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// Evaluations leave no trace: whatever else is placed and asked in between, the same state gives the same bits.
static void evaluations_leave_no_trace(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_SMOOTH);
    caromContactWorld *world = pressed_world(model, NULL), *other = pressed_world(model, NULL);
    caromPose X[BODIES], X_then[BODIES];
    caromSpatial V[BODIES], F[BODIES], F_again[BODIES], V_then[BODIES];
    int n = carom_model_body_count(model), near[PAIRS];
    size_t size = carom_world_memory_size(world);
    void *before = malloc(size), *after = malloc(size);
    carom_world_placed(world, X, V);
    carom_world_place(world, 0.1, X, V, NULL);
    carom_world_save(world, before, size);
    carom_world_wrenches(world, NULL, F, NULL, NULL);
    Random random = { 7 };
    for (int i = 0; i < 50; i++) {
        for (int k = 0; k < n; k++) {
            caromSpatial motion = { { random_uniform(&random, -1, 1), 0, 0.3 },
                                    { 0, random_uniform(&random, -1, 1), random_uniform(&random, -1, 1) } };
            X_then[k] = moved(X[k], motion, 1e-3);
            V_then[k] = motion;
        }
        carom_world_place(world, random_uniform(&random, 0, 100), X_then, V_then, NULL);
        carom_world_wrenches(world, NULL, F_again, NULL, NULL);
        carom_world_near(world, 0.1, near, PAIRS);
        for (int pair = 0; pair < carom_world_pair_count(world); pair++) {
            carom_world_gap(world, pair, NULL);
            carom_world_contact(world, NULL, pair);
        }
        carom_world_energy(world, NULL);
    }
    CHECK(carom_world_memory_size(world) == size);
    carom_world_save(world, after, size);
    assert_memory_equal(before, after, size);
    carom_world_place(world, 0.1, X, V, NULL);
    carom_world_wrenches(world, NULL, F_again, NULL, NULL);
    assert_memory_equal(F, F_again, (size_t)n*sizeof *F);
    carom_world_place(other, 0.1, X, V, NULL);  // another world, with the same history
    carom_world_wrenches(other, NULL, F_again, NULL, NULL);
    assert_memory_equal(F, F_again, (size_t)n*sizeof *F);
    free(before);
    free(after);
    carom_world_destroy(other);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// Forces depend on relative motion only: with the floor on a lift nothing changes, though the model says that it is
// fixed.
static void a_floor_may_move(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_SMOOTH);
    caromContactWorld *world = pressed_world(model, NULL);
    caromPose X[BODIES];
    caromSpatial V[BODIES], F[BODIES], F_lift[BODIES];
    carom_world_placed(world, X, V);
    carom_world_wrenches(world, NULL, F, NULL, NULL);
    for (int k = 0; k < carom_model_body_count(model); k++) {
        X[k].p.z += 0.25;
        V[k].linear.z += 2;
    }
    carom_world_place(world, 0, X, V, NULL);
    carom_world_wrenches(world, NULL, F_lift, NULL, NULL);
    // Depth 1e-4 m is a difference of heights that are rounded at 0.3 m: relative 0.3 eps/1e-4, times 1.5 to 3 of the
    // laws.
    for (int k = 0; k < carom_model_body_count(model); k++)
        CHECK_VEC(F_lift[k].linear, F[k].linear, 1e-11*carom_norm(F[k].linear));
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// A host that locates events from below places the ball at 0, or a rounding before it: within the rounding of the gap
// the rate decides, the pair ends there, and the same event is not found again; and it begins there when it comes down.
static void within_the_rounding_of_a_gap_the_rate_decides(void **state)
{
    (void)state;
    static const double gaps[] = { 0, -1e-16, 1e-16 };
    Scene s = scene_begin();
    scene_floor(&s, "steel");
    scene_ball(&s, "ball", "steel", 0.05, carom_vec(0, 0, 0.0499), carom_vec(0, 0, -1));
    caromModel *model = scene_end(&s);
    for (int i = 0; i < 3; i++) {
        caromContactWorld *world = NULL;
        caromEvent event;
        caromPose X[BODIES];
        caromSpatial V[BODIES];
        assert_int_equal(carom_world_create(model, &world, NULL), CAROM_OK);
        assert_int_equal(carom_world_events(world, NULL, &event, 1, NULL), 1);
        carom_world_placed(world, X, V);
        X[1].p.z = 0.05 + gaps[i];
        for (int turn = 0; turn < 2; turn++) {
            V[1].linear.z = turn ? -1.4 : 1.4;
            carom_world_place(world, 1e-3*turn, X, V, NULL);
            assert_int_equal(carom_world_events(world, NULL, &event, 1, NULL), 1);
            assert_int_equal(event.kind, turn ? CAROM_EVENT_TOUCH : CAROM_EVENT_SEPARATION);
            assert_int_equal(carom_world_events(world, NULL, &event, 1, NULL), 0);
        }
        carom_world_destroy(world);
    }
    carom_model_destroy(model);
}

// ---- without locating events

// Fixed steps of the classical kind, semi-implicit Euler, and carom_world_events after each.
static double rebound_in_fixed_steps(const caromModel *model, double h)
{
    caromContactWorld *world = NULL;
    carom_world_create(model, &world, NULL);
    caromPose X[BODIES];
    caromSpatial V[BODIES], F[BODIES];
    caromEvent event = { 0 };
    double t = 0, mass = carom_model_body_mass(model, (caromBodyId){ 1 }).mass;
    carom_world_placed(world, X, V);
    int events = 0;
    while (t < 1 && events < 2) {
        carom_world_wrenches(world, NULL, F, NULL, NULL);
        V[1].linear = carom_axpy(h/mass, F[1].linear, V[1].linear);
        X[1].p = carom_axpy(h, V[1].linear, X[1].p);
        t += h;
        carom_world_place(world, t, X, V, NULL);
        events += carom_world_events(world, NULL, &event, 1, NULL);
        carom_world_change(world);
    }
    assert_int_equal(event.kind, CAROM_EVENT_SEPARATION);
    CHECK_NEAR(event.separation.speed, V[1].linear.z, 1e-15);
    CHECK_NEAR(event.separation.restitution, event.separation.speed/event.separation.approach_speed, 1e-15);
    carom_world_destroy(world);
    return event.separation.restitution;
}

static void without_event_location_restitution_is_as_good_as_the_steps(void **state)
{
    (void)state;
    Scene s = scene_of(1e7, 0.8, 0, 1);
    scene_floor(&s, "soft");
    scene_ball(&s, "ball", "soft", 0.05, carom_vec(0, 0, 0.0601), carom_vec(0, 0, -2));
    caromModel *model = scene_end(&s);
    // The contact lasts 7 ms. What is missed of it, and the method, are of first order in h/7 ms.
    double coarse = fabs(rebound_in_fixed_steps(model, 2e-4) - 0.8),
           fine = fabs(rebound_in_fixed_steps(model, 2e-6) - 0.8);
    CHECK(coarse < 2e-4/7e-3);
    CHECK(fine < 2e-6/7e-3);
    carom_model_destroy(model);
}

// ---- memory that changes by itself

static void a_contact_that_lasts_settles(void **state)
{
    (void)state;
    caromModel *model = ball_model(0.0499, 0.05);
    caromContactWorld *world = NULL;
    carom_world_create(model, &world, NULL);
    CHECK(isinf(carom_world_next_change(world)));
    assert_int_equal(carom_world_events(world, NULL, NULL, 0, NULL), 1);
    caromTouchInfo info;
    assert_int_equal(carom_world_touch_info(world, 0, &info), CAROM_OK);
    CHECK_NEAR(info.speed, 0.05, 1e-15);
    CHECK(info.depth > 0 && info.duration > 0 && info.stiffness > 0 && info.exponent == 1.5 && !info.is_lasting);
    CHECK_NEAR(info.mass, carom_model_body_mass(model, (caromBodyId){ 1 }).mass, 1e-12*info.mass);
    double when = carom_world_next_change(world);
    CHECK(when > info.duration && isfinite(when));
    caromPose X[BODIES];
    caromSpatial V[BODIES], before[BODIES], after[BODIES];
    carom_world_placed(world, X, V);
    carom_world_place(world, 0.5*when, X, V, NULL);
    assert_int_equal(carom_world_change(world), 0);
    carom_world_place(world, when, X, V, NULL);
    carom_world_wrenches(world, NULL, before, NULL, NULL);
    assert_int_equal(carom_world_change(world), 1);
    assert_int_equal(carom_world_change(world), 0);
    CHECK(isinf(carom_world_next_change(world)));
    carom_world_wrenches(world, NULL, after, NULL, NULL);
    carom_world_touch_info(world, 0, &info);
    CHECK(info.is_lasting);
    // exp(-16) = 1.13e-7 of the damping was left
    CHECK_VEC(after[1].linear, before[1].linear, 1.2e-7*carom_norm(before[1].linear));
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// ---- pairs that are near

static void check_near_pairs(caromContactWorld *world, double distance, int *pairs, int capacity)
{
    int n = carom_world_near(world, distance, pairs, capacity), at = 0;
    CHECK(n >= 0 && n <= capacity);
    assert_int_equal(carom_world_near(world, distance, NULL, 0), n);
    for (int pair = 0; pair < carom_world_pair_count(world); pair++) {
        while (at < n && pairs[at] < pair) at++;
        bool is_listed = at < n && pairs[at] == pair;
        if (carom_world_gap(world, pair, NULL).g <= distance) CHECK(is_listed);
    }
    for (int i = 1; i < n; i++) CHECK(pairs[i] > pairs[i - 1]);
}

// Few pairs, and so many that they go through the broad phase.
static void no_near_pair_is_left_out(void **state)
{
    (void)state;
    for (int n = 5; n <= 45; n += 40) {
        Scene s = scene_of(1e7, 0.8, 0.3, 1);
        scene_floor(&s, "soft");
        Random random = { 11 };
        for (int i = 0; i < n; i++) {
            char name[16];
            snprintf(name, sizeof name, "b%d", i);
            caromVec3 p = { random_uniform(&random, -0.5, 0.5), random_uniform(&random, -0.5, 0.5),
                            random_uniform(&random, 0.05, 0.5) };
            if (i % 2) scene_ball(&s, name, "soft", 0.04, p, carom_vec(0, 0, 0));
            else
                scene_box(&s, name, "soft", carom_vec(0.05, 0.1, 0.07), p,
                          carom_quat_normalized((caromQuat){ 1, p.x, p.y, p.z }), p, p);
        }
        caromModel *model = scene_end(&s);
        caromContactWorld *world = NULL;
        carom_world_create(model, &world, NULL);
        int npair = carom_world_pair_count(world), *pairs = calloc((size_t)npair, sizeof *pairs);
        assert_int_equal(npair, n + n*(n - 1)/2);
        const double distances[] = { -0.01, 0, 0.02, 0.3, INFINITY };
        for (int i = 0; i < 5; i++) check_near_pairs(world, distances[i], pairs, npair);
        assert_int_equal(carom_world_near(world, INFINITY, pairs, npair), npair);
        CHECK(n == 5 || carom_world_near(world, 0.02, pairs, npair) < npair/4);
        // Those that overlap begin, and end when they are far apart.
        int begun = carom_world_events(world, NULL, NULL, 0, NULL);
        CHECK(n == 5 || begun > 5);
        assert_int_equal(carom_world_touching(world, pairs, npair), begun);
        caromPose X[64];
        caromSpatial V[64];
        carom_world_placed(world, X, V);
        for (int k = 1; k <= n; k++) X[k].p = carom_vec(k, 0, 1);
        carom_world_place(world, 1, X, V, NULL);
        assert_int_equal(carom_world_events(world, NULL, NULL, 0, NULL), begun);
        assert_int_equal(carom_world_touching(world, NULL, 0), 0);
        free(pairs);
        carom_world_destroy(world);
        carom_model_destroy(model);
    }
}

// ---- what is refused

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    caromModel *model = ball_model(0.2, 1);
    caromContactWorld *world = NULL;
    caromError err;
    caromSpatial F[BODIES], V[BODIES];
    caromPose X[BODIES];
    assert_int_equal(carom_world_create(NULL, &world, &err), CAROM_ERR_INPUT);
    CHECK(!world && err.message[0]);
    assert_int_equal(carom_world_create(model, NULL, &err), CAROM_ERR_INPUT);
    carom_world_destroy(NULL);
    assert_int_equal(carom_world_place(NULL, 0, X, V, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_wrenches(NULL, NULL, F, NULL, NULL), CAROM_ERR_INPUT);
    CHECK(isnan(carom_world_gap(NULL, 0, NULL).g) && isnan(carom_world_energy(NULL, NULL)) &&
          isnan(carom_world_margin(NULL)) && isnan(carom_world_placed(NULL, X, V)));
    CHECK(carom_world_pair_count(NULL) == 0 && carom_world_near(NULL, 1, NULL, 0) == 0 &&
          carom_world_touching(NULL, NULL, 0) == 0);
    CHECK(carom_world_events(NULL, NULL, NULL, 0, NULL) == 0 && carom_world_change(NULL) == 0 &&
          isinf(carom_world_next_change(NULL)));
    CHECK(carom_world_state_count(NULL) == 0 && carom_world_state_max(NULL) == 0 &&
          carom_world_memory_size(NULL) == 0 && !carom_world_is_touching(NULL, 0));

    assert_int_equal(carom_world_create(model, &world, &err), CAROM_OK);
    carom_world_placed(world, X, V);
    assert_int_equal(carom_world_wrenches(world, NULL, NULL, NULL, NULL), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_place(world, 0, NULL, V, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_place(world, 0, X, NULL, &err), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_place(world, NAN, X, V, &err), CAROM_RETRY);
    double height = carom_world_gap(world, 0, NULL).g;
    caromPose good = X[1];
    X[1].p.z = NAN;
    assert_int_equal(carom_world_place(world, 0, X, V, &err), CAROM_RETRY);
    assert_string_equal(err.where, "ball");
    X[1] = good;
    X[1].R.cx = carom_vec(0, 0, 0);
    assert_int_equal(carom_world_place(world, 0, X, V, &err), CAROM_ERR_INPUT);
    X[1].R = carom_mat_diagonal(1, 1, -1);  // mirrored
    assert_int_equal(carom_world_place(world, 0, X, V, NULL), CAROM_ERR_INPUT);
    CHECK(carom_world_gap(world, 0, NULL).g == height);

    const int none[] = { -1, 1, 2000000000 };
    for (int i = 0; i < 3; i++) {
        double rate;
        caromTouchInfo nothing;
        caromGap gap = carom_world_gap(world, none[i], &rate);
        CHECK(isnan(gap.g) && isnan(rate) && gap.status == CAROM_GAP_UNDEFINED);
        CHECK(carom_world_contact(world, NULL, none[i]).fn == 0);
        assert_int_equal(carom_world_touch(world, none[i], NAN, NULL, NULL, NULL), CAROM_ERR_INPUT);
        assert_int_equal(carom_world_separate(world, none[i], NULL, NULL), CAROM_ERR_INPUT);
        assert_int_equal(carom_world_touch_info(world, none[i], &nothing), CAROM_ERR_INPUT);
    }
    assert_int_equal(carom_world_separate(world, 0, NULL, NULL), CAROM_ERR_INPUT);  // it does not touch
    assert_int_equal(carom_world_touch(world, 0, 0, NULL, NULL, NULL), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_touch(world, 0, INFINITY, NULL, NULL, NULL), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_touch(world, 0, 2, NULL, NULL, NULL), CAROM_OK);
    caromTouchInfo info;
    assert_int_equal(carom_world_touch_info(world, 0, &info), CAROM_OK);
    CHECK(info.mass == 2);
    assert_int_equal(carom_world_touch_info(world, 0, NULL), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_touch(world, 0, 2, NULL, NULL, NULL), CAROM_ERR_INPUT);  // it does already
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// Turned by any angle a pose is one; stretched, sheared or mirrored by more than an integrator leaves it is none.
static void only_rotations_are_placed(void **state)
{
    (void)state;
    caromModel *model = ball_model(0.2, 1);
    caromContactWorld *world = NULL;
    caromPose X[BODIES];
    caromSpatial V[BODIES];
    assert_int_equal(carom_world_create(model, &world, NULL), CAROM_OK);
    carom_world_placed(world, X, V);
    for (int i = 0; i < 200; i++) {
        caromVec3 axis = carom_vec(sin(i), cos(2.0*i), sin(3.0*i + 1.0));
        caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(axis, 0.37*i));
        caromMat3 no_rotations[] = { carom_mat_scale(1.1, R), carom_mat_scale(-1.0, R), carom_mat_scale(0.0, R),
                                     R, R, R };
        no_rotations[3].cy = carom_axpy(0.1, R.cx, R.cy);
        no_rotations[4].cz = carom_axpy(0.3, R.cy, R.cz);
        no_rotations[5].cx = R.cy, no_rotations[5].cy = R.cx;
        X[1].R = R;
        assert_int_equal(carom_world_place(world, 0, X, V, NULL), CAROM_OK);
        for (int k = 0; k < 6; k++) {
            X[1].R = no_rotations[k];
            assert_int_equal(carom_world_place(world, 0, X, V, NULL), CAROM_ERR_INPUT);
        }
    }
    carom_world_destroy(world);
    carom_model_destroy(model);
}

// A rigid model has no forces of depth, which are all that a world has.
static void a_rigid_model_is_refused(void **state)
{
    (void)state;
    Scene s = scene_of(1e9, 0.5, 0.3, 1);
    s.settings.response = CAROM_RESPONSE_RIGID;
    scene_floor(&s, "soft");
    scene_ball(&s, "ball", "soft", 0.05, carom_vec(0, 0, 0.2), carom_vec(0, 0, 0));
    caromModel *model = scene_end(&s);
    caromContactWorld *world;
    caromError err;
    assert_int_equal(carom_world_create(model, &world, &err), CAROM_ERR_MODEL);
    assert_null(world);
    assert_string_equal(err.where, "contact.response");
    CHECK(strstr(err.message, "rigid") && strstr(err.message, "compliant"));
    carom_model_destroy(model);
}

// Two bars that meet along a line, which is known only when they do.
static void bars_that_line_up_press_over_a_line(void **state)
{
    (void)state;
    Scene s = scene_of(1e9, 0.5, 0.3, 1);
    caromShapeDef bar = carom_model_shape_def(carom_shape_cylinder(0.05, 0.5));
    caromBodyDef a = scene_body("a", "soft", &bar), b = scene_body("b", "soft", &bar);
    a.fixed = true;
    b.p_WB = carom_vec(0.0999, 0, 0);
    b.v_WB = carom_vec(-1, 0, 0);
    scene_add(&s, &a);
    scene_add(&s, &b);
    caromModel *model = scene_end(&s);
    caromContactWorld *world = NULL;
    caromError err = { 0 };
    assert_int_equal(carom_world_create(model, &world, &err), CAROM_OK);
    assert_int_equal(carom_world_touch(world, 0, NAN, NULL, NULL, &err), CAROM_OK);
    assert_int_equal(carom_world_touching(world, NULL, 0), 1);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

static void snapshots_of_something_else_are_refused(void **state)
{
    (void)state;
    caromModel *model = pressed_model(CAROM_FRICTION_SMOOTH), *small = ball_model(0.2, 1);
    caromContactWorld *world = pressed_world(model, NULL), *other = NULL;
    carom_world_create(small, &other, NULL);
    size_t size = carom_world_memory_size(world);
    unsigned char *memory = malloc(size), *bad = malloc(size);
    assert_int_equal(carom_world_save(world, memory, size - 1), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_save(world, NULL, size), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_save(world, memory, size), CAROM_OK);
    assert_int_equal(carom_world_restore(other, memory, size), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_restore(world, memory, size - 1), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_restore(world, NULL, size), CAROM_ERR_INPUT);
    for (size_t i = 0; i < 8*size; i++) {  // every bit of it
        memcpy(bad, memory, size);
        bad[i/8] ^= (unsigned char)(1u << i%8);
        assert_int_equal(carom_world_restore(world, bad, size), CAROM_ERR_INPUT);
    }
    memcpy(bad, memory, size);
    memset(bad + 32, 0x7f, 8);  // the first pair
    assert_int_equal(carom_world_restore(world, bad, size), CAROM_ERR_INPUT);
    assert_int_equal(carom_world_touching(world, NULL, 0), 3);
    assert_int_equal(carom_world_restore(world, memory, size), CAROM_OK);
    free(memory);
    free(bad);
    carom_world_destroy(other);
    carom_world_destroy(world);
    carom_model_destroy(small);
    carom_model_destroy(model);
}

// Deep inside each other forces mean nothing: the step is to be shortened, and the pair is named.
static void too_deep_is_told(void **state)
{
    (void)state;
    caromModel *model = ball_model(0.0499, 1);
    caromContactWorld *world = NULL;
    carom_world_create(model, &world, NULL);
    carom_world_events(world, NULL, NULL, 0, NULL);
    caromPose X[BODIES];
    caromSpatial V[BODIES], F[BODIES];
    caromWorldPower power;
    carom_world_placed(world, X, V);
    assert_int_equal(carom_world_wrenches(world, NULL, F, NULL, &power), CAROM_OK);
    X[1].p.z = -0.045;
    carom_world_place(world, 0, X, V, NULL);
    assert_int_equal(carom_world_wrenches(world, NULL, F, NULL, &power), CAROM_RETRY);
    assert_int_equal(power.too_deep, 0);
    carom_world_destroy(world);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_rounding_of_a_gap_the_rate_decides),
        cmocka_unit_test(a_pair_acts_and_reacts),
        cmocka_unit_test(power_is_accounted_for),
        cmocka_unit_test(resistance_takes_energy_in_a_groove_too),
        cmocka_unit_test(states_go_with_their_pairs),
        cmocka_unit_test(missing_states_are_told),
        cmocka_unit_test(evaluations_leave_no_trace),
        cmocka_unit_test(a_floor_may_move),
        cmocka_unit_test(without_event_location_restitution_is_as_good_as_the_steps),
        cmocka_unit_test(a_contact_that_lasts_settles),
        cmocka_unit_test(no_near_pair_is_left_out),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(only_rotations_are_placed),
        cmocka_unit_test(a_rigid_model_is_refused),
        cmocka_unit_test(bars_that_line_up_press_over_a_line),
        cmocka_unit_test(snapshots_of_something_else_are_refused),
        cmocka_unit_test(too_deep_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
