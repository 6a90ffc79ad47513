// A multibody code of its own around the contact world: free bodies and a pendulum, an adaptive Runge-Kutta method that
// rejects steps and locates events by halving. It must arrive where the simulator does.
#include "world_scene.h"

// ---- the code of somebody else

enum { STATES = 13*BODIES + 6*PAIRS, EVENTS = 64 };

typedef struct Code Code;
struct Code {
    const caromModel *model;
    caromContactWorld *world;
    // Of its own states; those of the contacts follow in y.
    int n;
    void (*place)(const Code *c, const double *y, caromPose *X, caromSpatial *V);
    void (*rates)(const Code *c, const double *y, const caromSpatial *F, double *dy);
    double (*mass)(const Code *c, const double *y, int pair);                // that a contact feels; NULL: not known
    bool (*is_speed)(int i);
    double tolerance, t, h, y[STATES];
    int steps, rejected, nevent;
    caromEvent events[EVENTS];
};

static void put(Code *c, double t, const double *y)
{
    caromPose X[BODIES];
    caromSpatial V[BODIES];
    carom_world_placed(c->world, X, V);  // the fixed ones stay
    c->place(c, y, X, V);
    caromError err;
    if (carom_world_place(c->world, t, X, V, &err) != CAROM_OK) fail_msg("%s", err.message);
}

static int states(const Code *c)
{
    return c->n + carom_world_state_count(c->world);
}

static bool rhs(Code *c, double t, const double *y, double *dy)
{
    caromSpatial F[BODIES];
    put(c, t, y);
    if (carom_world_wrenches(c->world, y + c->n, F, dy + c->n, NULL) != CAROM_OK) return false;
    c->rates(c, y, F, dy);
    return true;
}

// Absolute tolerances follow from the contacts: a part of the depth, and of the speed they began with.
static double error_of(const Code *c, const double *error)
{
    double length = 1, speed = 1, sum = 0;
    int pairs[PAIRS], n = carom_world_touching(c->world, pairs, PAIRS);
    for (int i = 0; i < n; i++) {
        caromTouchInfo info;
        assert_int_equal(carom_world_touch_info(c->world, pairs[i], &info), CAROM_OK);
        length = fmin(length, info.depth);
        speed = fmin(speed, fmax(info.speed, 1e-2));
    }
    for (int i = 0; i < states(c); i++)
        sum = fmax(sum, fabs(error[i])/(c->tolerance*(i < c->n && c->is_speed(i) ? speed : length)));
    return sum;
}

// One step of Dormand and Prince, 5(4). False: not evaluable.
static bool try_step(Code *c, double h, double *y, double *error)
{
    static const double at[7] = { 0, 1.0/5, 3.0/10, 4.0/5, 8.0/9, 1, 1 };
    static const double a[7][6] = { { 0 },
                                    { 1.0/5 },
                                    { 3.0/40, 9.0/40 },
                                    { 44.0/45, -56.0/15, 32.0/9 },
                                    { 19372.0/6561, -25360.0/2187, 64448.0/6561, -212.0/729 },
                                    { 9017.0/3168, -355.0/33, 46732.0/5247, 49.0/176, -5103.0/18656 },
                                    { 35.0/384, 0, 500.0/1113, 125.0/192, -2187.0/6784, 11.0/84 } };
    static const double e[7] = { 71.0/57600, 0, -71.0/16695, 71.0/1920, -17253.0/339200, 22.0/525, -1.0/40 };
    double k[7][STATES];
    for (int stage = 0; stage < 7; stage++) {
        for (int i = 0; i < states(c); i++) {
            double sum = 0;
            for (int j = 0; j < stage; j++) sum += a[stage][j]*k[j][i];
            y[i] = c->y[i] + h*sum;
        }
        if (!rhs(c, c->t + at[stage]*h, y, k[stage])) return false;
    }
    for (int i = 0; i < states(c); i++) {
        error[i] = 0;
        for (int j = 0; j < 7; j++) error[i] += h*e[j]*k[j][i];
    }
    return true;
}

// Has the pair changed its mind at y?
static bool has_changed(Code *c, int pair, double t, const double *y)
{
    put(c, t, y);
    double rate, g = carom_world_gap(c->world, pair, &rate).g;
    return carom_world_is_touching(c->world, pair) ? g > 0 : g < 0 && rate < 0;
}

// The shortest step that ends behind the event; y is its end.
static double locate(Code *c, int pair, double h, double *y)
{
    double error[STATES], low = 0, high = h;
    for (int i = 0; i < 80; i++) {
        double middle = 0.5*(low + high);
        if (middle <= low || middle >= high) break;
        assert_true(try_step(c, middle, y, error));
        if (has_changed(c, pair, c->t + middle, y)) high = middle;
        else low = middle;
    }
    assert_true(try_step(c, high, y, error));
    return high;
}

static void handle(Code *c, int pair)
{
    caromEvent event;
    put(c, c->t, c->y);
    caromStatus status;
    if (carom_world_is_touching(c->world, pair)) {
        status = carom_world_separate(c->world, pair, c->y + c->n, &event);
        c->h = 1e-3;
    } else {
        status = carom_world_touch(c->world, pair, c->mass ? c->mass(c, c->y, pair) : (double)NAN, c->y + c->n, &event,
                                   NULL);
        caromTouchInfo info;
        carom_world_touch_info(c->world, pair, &info);
        c->h = fmin(c->h, 0.02*info.duration);
    }
    assert_int_equal(status, CAROM_OK);
    assert_true(c->nevent < EVENTS);
    c->events[c->nevent++] = event;
}

// The first event of a step h that was good, if any: the pair, and the step is shortened to end there.
static int find_event(Code *c, double *h, double *y)
{
    int first = -1, near[PAIRS], n;
    double y_end[STATES];
    memcpy(y_end, y, sizeof y_end);
    put(c, c->t + *h, y_end);
    n = carom_world_near(c->world, 0, near, PAIRS);
    for (int i = 0; i < carom_world_pair_count(c->world); i++) {
        bool is_near = false;
        for (int k = 0; k < n; k++) is_near = is_near || near[k] == i;
        if (!is_near && !carom_world_is_touching(c->world, i)) continue;
        double y_event[STATES] = { 0 };
        if (!has_changed(c, i, c->t + *h, y_end)) continue;
        double here = locate(c, i, *h, y_event);
        if (first >= 0 && here >= *h) continue;
        first = i;
        *h = here;
        memcpy(y, y_event, sizeof y_event);
        memcpy(y_end, y_event, sizeof y_end);
    }
    return first;
}

// One accepted step, to `until` at most.
static void step(Code *c, double until)
{
    double y[STATES] = { 0 }, error[STATES];
    double stop = fmin(until, carom_world_next_change(c->world));
    for (;;) {
        bool is_last = c->t + c->h >= stop;
        double h = is_last ? stop - c->t : c->h;
        bool is_good = try_step(c, h, y, error);
        double e = is_good ? error_of(c, error) : 1e9, factor = fmin(4, fmax(0.1, 0.9*pow(fmax(e, 1e-12), -0.2)));
        if (e > 1) {
            c->h = h*fmin(0.9, factor);
            c->rejected++;
            continue;
        }
        double taken = h;
        int pair = find_event(c, &taken, y);
        c->t = is_last && pair < 0 ? stop : c->t + taken;
        memcpy(c->y, y, sizeof y);
        c->steps++;
        if (!is_last || factor < 1) c->h = fmin(h*factor, 2e-3);
        if (pair >= 0) handle(c, pair);
        put(c, c->t, c->y);
        carom_world_change(c->world);
        return;
    }
}

static void run(Code *c, double until)
{
    while (c->t < until) step(c, until);
}

static Code code_for(const caromModel *model, double tolerance)
{
    Code c = { .model = model, .tolerance = tolerance, .h = 1e-3 };
    caromError err;
    if (carom_world_create(model, &c.world, &err) != CAROM_OK) fail_msg("%s", err.message);
    return c;
}

// ---- free bodies: centre of mass, quaternion, velocity, angular velocity in the body

static void place_free(const Code *c, const double *y, caromPose *X, caromSpatial *V)
{
    for (int k = 0; k < carom_model_body_count(c->model); k++) {
        caromBodyId id = { k };
        if (carom_model_body_is_fixed(c->model, id)) continue;
        const double *s = y + 13*k;
        caromMat3 R = carom_quat_matrix((caromQuat){ s[3], s[4], s[5], s[6] });
        caromVec3 com = carom_mul(R, carom_model_body_mass(c->model, id).com);
        caromSpatial at_com = { carom_mul(R, carom_vec(s[10], s[11], s[12])), { s[7], s[8], s[9] } };
        X[k] = carom_pose(R, carom_sub(carom_vec(s[0], s[1], s[2]), com));
        V[k] = (caromSpatial){ at_com.angular, carom_point_velocity(at_com, carom_neg(com)) };
    }
}

static void store(double *to, caromVec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

// m dv/dt = f + m g;  I dw/dt = tau - w x I w in the body, tau about the centre of mass.
static void rates_free(const Code *c, const double *y, const caromSpatial *F, double *dy)
{
    memset(dy, 0, (size_t)c->n*sizeof *dy);
    for (int k = 0; k < carom_model_body_count(c->model); k++) {
        caromBodyId id = { k };
        if (carom_model_body_is_fixed(c->model, id)) continue;
        const double *s = y + 13*k;
        double *d = dy + 13*k;
        caromMassProps props = carom_model_body_mass(c->model, id);
        caromQuat q = { s[3], s[4], s[5], s[6] };
        caromMat3 R = carom_quat_matrix(q);
        caromVec3 w = carom_vec(s[10], s[11], s[12]),
                  tau = carom_sub(F[k].angular, carom_cross(carom_mul(R, props.com), F[k].linear));
        caromQuat dq = carom_quat_mul(q, (caromQuat){ 0, 0.5*w.x, 0.5*w.y, 0.5*w.z });
        caromVec3 spin = carom_sub(carom_tmul(R, tau), carom_cross(w, carom_mul(props.inertia, w)));
        store(d, carom_vec(s[7], s[8], s[9]));
        d[3] = dq.w;
        store(d + 4, carom_vec(dq.x, dq.y, dq.z));
        store(d + 7, carom_axpy(1/props.mass, F[k].linear, carom_model_settings(c->model)->gravity));
        store(d + 10, carom_mul(carom_mat_inverse(props.inertia), spin));
    }
}

static bool is_speed_free(int i)
{
    return i % 13 >= 7;
}

static Code free_bodies(const caromModel *model, double tolerance)
{
    Code c = code_for(model, tolerance);
    caromPose X[BODIES];
    caromSpatial V[BODIES];
    CHECK(carom_world_placed(c.world, X, V) == 0);
    c.n = 13*carom_model_body_count(model);
    c.place = place_free;
    c.rates = rates_free;
    c.is_speed = is_speed_free;
    for (int k = 0; k < carom_model_body_count(model); k++) {
        caromBodyId id = { k };
        double *s = c.y + 13*k;
        caromVec3 com = carom_mul(X[k].R, carom_model_body_mass(model, id).com);
        caromQuat q = carom_quat_of(X[k].R);
        store(s, carom_add(X[k].p, com));
        s[3] = q.w;
        store(s + 4, carom_vec(q.x, q.y, q.z));
        store(s + 7, carom_point_velocity(V[k], com));
        store(s + 10, carom_tmul(X[k].R, V[k].angular));
    }
    return c;
}

static void clean(Code *c)
{
    carom_world_destroy(c->world);
}

// ---- comparison

// Local errors are below the tolerance times the scales of error_of (at most 1 m, 1 m/s) in each step of either code,
// and neighbouring motions drift apart no faster than by `spread` in all: so they differ by no more than this.
static double allowed(const Code *c, const Record *r, double spread)
{
    return spread*((double)c->steps*c->tolerance + (double)r->stats.steps*carom_model_settings(c->model)->tolerance);
}

static void expect_same(Code *c, const Record *r, double spread)
{
    double within = allowed(c, r, spread);
    CHECK(within < 1e-6);  // else the comparison would say little
    assert_int_equal(c->nevent, r->nevent);
    for (int i = 0; i < c->nevent; i++) {
        const caromEvent *mine = &c->events[i], *its = &r->events[i];
        assert_int_equal(mine->kind, its->kind);
        assert_int_equal(mine->about.pair, its->about.pair);
        CHECK_NEAR(mine->time, its->time, within);
        CHECK_VEC(mine->p_W, its->p_W, within);
        CHECK_VEC(mine->n_AB, its->n_AB, within);
        if (mine->kind != CAROM_EVENT_SEPARATION) {
            CHECK_NEAR(mine->touch.speed, its->touch.speed, within);
            continue;
        }
        CHECK_NEAR(mine->separation.speed, its->separation.speed, within);
        CHECK_NEAR(mine->separation.duration, its->separation.duration, within);
        CHECK_NEAR(mine->separation.lost, its->separation.lost, within);
        CHECK_NEAR(mine->separation.approach_speed, its->separation.approach_speed, within);
        CHECK_NEAR(mine->separation.asked_restitution, its->separation.asked_restitution, within);
        double relative = within*(1 + 1/its->separation.approach_speed);
        CHECK_NEAR(mine->separation.restitution, its->separation.restitution, relative);
    }
    caromPose X[BODIES];
    caromSpatial V[BODIES];
    put(c, c->t, c->y);
    carom_world_placed(c->world, X, V);
    for (int k = 0; k < carom_model_body_count(c->model); k++) {
        CHECK_VEC(X[k].p, r->last_X[k].p, within);
        CHECK_VEC(X[k].R.cx, r->last_X[k].R.cx, within);
        CHECK_VEC(X[k].R.cy, r->last_X[k].R.cy, within);
        CHECK_VEC(V[k].linear, r->last_V[k].linear, within);
        // Bodies are a few cm large: 1 m/s is up to 100 rad/s.
        CHECK_VEC(V[k].angular, r->last_V[k].angular, within*100);
    }
}

static void compare_free(Scene *s, int least_events, double spread)
{
    caromModel *model = scene_end(s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent >= least_events);
    Code c = free_bodies(model, 1e-10);
    run(&c, carom_model_settings(model)->until);
    CHECK(c.rejected > 0);
    expect_same(&c, r, spread);
    clean(&c);
    free(r);
    carom_model_destroy(model);
}

static void compare_ball(caromFrictionLaw law)
{
    Scene s = scene_of(1e7, 0.8, 0.3, 0.7);
    s.settings.friction_law = law;
    scene_floor(&s, "soft");
    caromShapeDef shape = carom_model_shape_def(carom_shape_sphere(0.05));
    caromBodyDef def = scene_body("ball", "soft", &shape);
    def.p_WB = carom_vec(0, 0, 0.15);
    def.v_WB = carom_vec(0.5, 0.2, -0.5);
    def.w_WB = carom_vec(0, -30, 10);
    scene_add(&s, &def);
    compare_free(&s, 6, 1);
}

static void a_ball_with_spin_bounces_as_in_the_simulator(void **state)
{
    (void)state;
    compare_ball(CAROM_FRICTION_SMOOTH);
}

static void two_balls_meet_as_in_the_simulator(void **state)
{
    (void)state;
    Scene s = scene_of(1e7, 0.7, 0.2, 0.5);
    scene_floor(&s, "soft");
    scene_ball(&s, "left", "soft", 0.05, carom_vec(-0.2, 0, 0.2), carom_vec(1, 0, 0.5));
    scene_ball(&s, "right", "soft", 0.04, carom_vec(0.2, 0.02, 0.21), carom_vec(-1.5, 0, 0.4));
    compare_free(&s, 6, 1);
}

static void compare_box(caromFrictionLaw law)
{
    Scene s = scene_of(1e9, 0.6, 0.3, 0.4);
    s.settings.friction_law = law;
    scene_floor(&s, "soft");
    caromShapeDef shapes[2] = { carom_model_shape_def(carom_shape_box(0.1, 0.08, 0.06)),
                                carom_model_shape_def(carom_shape_sphere(0.02)) };
    shapes[1].name = "knob";  // off the middle: the centre of mass is not the origin
    shapes[1].p_BS = carom_vec(0.03, 0, 0.05);
    caromBodyDef def = scene_body("box", "soft", shapes);
    def.nshape = 2;
    def.p_WB = carom_vec(0, 0, 0.2);
    def.q_WB = carom_quat_normalized((caromQuat){ 1, 0.3, 0.2, -0.1 });
    def.v_WB = carom_vec(0.3, 0.1, -0.5);
    def.w_WB = carom_vec(2, 3, -1);
    scene_add(&s, &def);
    compare_free(&s, 4, 1);
}

static void a_box_tumbles_as_in_the_simulator(void **state)
{
    (void)state;
    compare_box(CAROM_FRICTION_SMOOTH);
}

// Friction with states of its own, which this code integrates with its own.
static void states_of_contacts_are_integrated_as_in_the_simulator(void **state)
{
    (void)state;
    compare_ball(CAROM_FRICTION_BRISTLE);
    compare_box(CAROM_FRICTION_BRISTLE);
}

// Three balls in a pile on the floor: contacts end before others that began later, and their states make room.
static Scene pile(void)
{
    Scene s = scene_of(1e7, 0.5, 0.3, 0.25);
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_floor(&s, "soft");
    scene_ball(&s, "left", "soft", 0.05, carom_vec(-0.055, 0, 0.06), carom_vec(0.1, 0, 0));
    scene_ball(&s, "right", "soft", 0.05, carom_vec(0.055, 0.01, 0.065), carom_vec(0, 0, 0));
    scene_ball(&s, "top", "soft", 0.04, carom_vec(0.01, 0.005, 0.15), carom_vec(0, 0, -0.5));
    return s;
}

static void states_move_up_where_contacts_end(void **state)
{
    (void)state;
    Scene s = pile();
    compare_free(&s, 12, 1);
}

// Bounces that die out, and a contact that lasts: its memory changes by itself.
static void a_ball_comes_to_rest_as_in_the_simulator(void **state)
{
    (void)state;
    Scene s = scene_of(1e7, 0.3, 0.2, 0.5);
    scene_floor(&s, "soft");
    scene_ball(&s, "ball", "soft", 0.05, carom_vec(0, 0, 0.055), carom_vec(0.02, 0, 0));
    compare_free(&s, 3, 1);
}

// ---- a pendulum with one angle about y, of a code that knows nothing but its moment of inertia

static const double rod = 0.5;

static void place_pendulum(const Code *c, const double *y, caromPose *X, caromSpatial *V)
{
    (void)c;
    caromVec3 w = { 0, y[1], 0 };
    caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), y[0]));
    caromVec3 arm = carom_mul(R, carom_vec(0, 0, -rod));
    X[1] = carom_pose(R, arm);  // the pivot is the origin of W
    V[1] = (caromSpatial){ w, carom_cross(w, arm) };
}

static double pendulum_inertia(const Code *c)
{
    caromMassProps props = carom_model_body_mass(c->model, (caromBodyId){ 1 });
    return props.inertia.cy.y + props.mass*rod*rod;
}

static void rates_pendulum(const Code *c, const double *y, const caromSpatial *F, double *dy)
{
    caromVec3 arm = { -rod*sin(y[0]), 0, -rod*cos(y[0]) };
    caromVec3 weight = carom_scale(carom_model_body_mass(c->model, (caromBodyId){ 1 }).mass,
                                   carom_model_settings(c->model)->gravity);
    dy[0] = y[1];
    dy[1] = (F[1].angular.y + carom_cross(arm, carom_add(F[1].linear, weight)).y)/pendulum_inertia(c);
}

static double mass_pendulum(const Code *c, const double *y, int pair)
{
    (void)y;
    caromGap gap = carom_world_gap(c->world, pair, NULL);
    double lever = carom_cross(carom_scale(0.5, carom_add(gap.p_A, gap.p_B)), gap.n_AB).y;
    return pendulum_inertia(c)/(lever*lever);
}

static bool is_speed_pendulum(int i)
{
    return i == 1;
}

static void a_pendulum_of_ones_own_coordinates_meets_a_post_as_in_the_simulator(void **state)
{
    (void)state;
    Scene s = scene_of(1e8, 0.7, 0.3, 1.8);
    caromShapeDef post = carom_model_shape_def(carom_shape_sphere(0.1)),
                  bob = carom_model_shape_def(carom_shape_sphere(0.04));
    caromBodyDef a = scene_body("post", "soft", &post), b = scene_body("bob", "soft", &bob);
    a.fixed = true;
    a.p_WB = carom_vec(0.12, 0, -rod - 0.05);
    scene_add(&s, &a);
    scene_add(&s, &b);
    caromJointDef joint = carom_model_joint_def("pivot", CAROM_JOINT_REVOLUTE);
    joint.body[1] = "bob";
    joint.p[1] = carom_vec(0, 0, rod);
    joint.q[0] = joint.q[1] = carom_quat_axis_angle(carom_vec(1, 0, 0), -0.5*acos(-1));
    joint.position[0] = 0.6;
    carom_builder_joint(s.builder, &joint);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent >= 4);
    Code c = code_for(model, 1e-10);
    c.n = 2;
    c.y[0] = 0.6;
    c.place = place_pendulum;
    c.rates = rates_pendulum;
    c.mass = mass_pendulum;
    c.is_speed = is_speed_pendulum;
    run(&c, carom_model_settings(model)->until);
    expect_same(&c, r, 1);
    clean(&c);
    free(r);
    carom_model_destroy(model);
}

// ---- going back

// Steps over some events and some more; back to the start, in the same world or in one that knew nothing of it; and
// again.
static void expect_again(Code *c, int events, bool into_another_world)
{
    size_t size = carom_world_memory_size(c->world);
    void *memory = malloc(size);
    assert_int_equal(carom_world_save(c->world, memory, size), CAROM_OK);
    Code start = *c;
    int steps = 0;
    for (; c->nevent < start.nevent + events; steps++) step(c, 10);
    for (int i = 0; i < 10; i++, steps++) step(c, 10);
    Code there = *c;
    *c = start;
    if (into_another_world) {
        carom_world_destroy(c->world);
        assert_int_equal(carom_world_create(c->model, &c->world, NULL), CAROM_OK);
        put(c, c->t, c->y);
        there.world = c->world;
    }
    assert_int_equal(carom_world_restore(c->world, memory, size), CAROM_OK);
    for (int i = 0; i < steps; i++) step(c, 10);
    assert_memory_equal(c, &there, sizeof *c);
    free(memory);
}

static void what_was_saved_is_done_again_to_the_bit(void **state)
{
    (void)state;
    caromModel *model = ball_model(0.1, 1);
    Code c = free_bodies(model, 1e-8);
    while (c.t < 0.03) step(&c, 1);
    expect_again(&c, 1, false);  // from flight into a contact
    CHECK(carom_world_is_touching(c.world, 0));
    expect_again(&c, 1, false);  // and out of it
    CHECK(!carom_world_is_touching(c.world, 0));
    expect_again(&c, 2, false);
    expect_again(&c, 2, true);
    clean(&c);
    carom_model_destroy(model);
}

static void so_are_states_of_contacts(void **state)
{
    (void)state;
    Scene s = pile();
    caromModel *model = scene_end(&s);
    Code c = free_bodies(model, 1e-8);
    for (int i = 0; i < 12; i++) expect_again(&c, 1, i % 2);
    clean(&c);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_with_spin_bounces_as_in_the_simulator),
        cmocka_unit_test(two_balls_meet_as_in_the_simulator),
        cmocka_unit_test(a_box_tumbles_as_in_the_simulator),
        cmocka_unit_test(states_of_contacts_are_integrated_as_in_the_simulator),
        cmocka_unit_test(states_move_up_where_contacts_end),
        cmocka_unit_test(a_ball_comes_to_rest_as_in_the_simulator),
        cmocka_unit_test(a_pendulum_of_ones_own_coordinates_meets_a_post_as_in_the_simulator),
        cmocka_unit_test(what_was_saved_is_done_again_to_the_bit),
        cmocka_unit_test(so_are_states_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
