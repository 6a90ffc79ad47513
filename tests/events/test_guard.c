// The model seen by the search: bounds of its motion between the points that are looked at, how long a joint's limit is
// certainly clear, and what could meet within a step.
#include "events/guard.h"

#include "watch.h"

// A step by hand: every speed and every rate of a speed is the Chebyshev polynomial T_5, which is 1 at most, and
// 1/sqrt 2 at all ten points.
static double stray_of[16], amplitude = 1;
static int looks;

static caromStatus chebyshev(caromStepper *stepper, double theta, double *y, double *dydt)
{
    const caromModel *m = (const void *)stepper;
    double value = amplitude*cos(5*acos(fmax(-1, fmin(1, 2*theta - 1))));
    looks++;
    for (int i = 0; i < m->nv; i++) y[m->nq + i] = i%3 ? 0 : value;
    for (int i = 0; dydt && i < m->nv; i++) dydt[m->nq + i] = i%3 ? 0 : value;
    return CAROM_OK;
}

static caromStatus tell_stray(caromStepper *stepper, int count, double *stray)
{
    (void)stepper;
    memcpy(stray, stray_of, (size_t)count*sizeof *stray);
    return CAROM_OK;
}

static const caromMethod method = { .name = "by hand", .dense_degree = 5, .interpolate = chebyshev,
                                    .stray = tell_stray };
static const bool closed[8] = { false };

typedef struct Guarded {
    caromModel *model;
    caromModelGuard guard;
    caromSearch search;
    double y[64];
} Guarded;

static Guarded *guarded(Scene *s, const double *q, int nq)
{
    Guarded *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->model = scene_end(s);
    CHECK(carom_guard_alloc(it->model, &it->guard));
    it->guard.closed = (caromClosed){ closed, closed };
    it->search = (caromSearch){ .method = &method, .stepper = (caromStepper *)(void *)it->model, .h = 1, .y = it->y };
    double state[64] = { 0 };
    memcpy(state, q, (size_t)nq*sizeof *q);
    carom_guard_of(&it->guard).load(&it->guard, CAROM_SLOT_START, 0, state);
    memcpy(it->guard.y, state, (size_t)it->model->nq*sizeof *state);
    return it;
}

static void release(Guarded *it)
{
    carom_guard_free(&it->guard);
    carom_model_destroy(it->model);
    free(it);
}

static void check_bound(double bound)
{
    CHECK(bound >= 1 && bound <= 1.0001);
}

static void motion_is_bounded_between_the_points(void **state)
{
    (void)state;
    Scene s = scene_begin();
    scene_ball(&s, "ball", "steel", 0.1, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    Guarded *it = guarded(&s, (double[]){ 0, 0, 0, 1, 0, 0, 0 }, 7);
    assert_int_equal(carom_guard_bound_motion(&it->guard, &it->search), CAROM_OK);
    const caromMotionBound *b = &it->guard.bounds[it->model->links[0].body];
    check_bound(b->speed);
    check_bound(b->angular_speed);
    check_bound(b->acceleration);
    check_bound(b->angular_acceleration);
    check_bound(it->guard.speed_rate[0]);
    check_bound(it->guard.speed_rate[3]);
    CHECK_NEAR(it->guard.speed_rate[1], 0, 0);
    looks = 0;
    carom_guard_bound_motion(&it->guard, &it->search);  // this step has its bounds
    assert_int_equal(looks, 0);
    release(it);
}

// The next step has bounds of its own; a method that does not tell its degree is taken for one of degree five.
static void bounds_are_those_of_the_step(void **state)
{
    (void)state;
    Scene s = scene_begin();
    scene_ball(&s, "a", "steel", 0.1, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    scene_ball(&s, "b", "steel", 0.1, carom_vec(1, 0, 0), carom_vec(0, 0, 0));
    Guarded *it = guarded(&s, (double[]){ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 }, 14);
    caromMethod untold = method;
    untold.dense_degree = 0;
    stray_of[0] = stray_of[7] = 1;
    for (int k = 0; k < 2; k++) {
        amplitude = k ? 0.25 : 1;
        if (k) it->search.method = &untold;
        assert_int_equal(carom_guard_prepare(&it->guard, &it->search), CAROM_OK);
        assert_int_equal(it->guard.nnear, 1);
        check_bound(it->guard.bounds[it->model->links[0].body].speed/amplitude);
        check_bound(it->guard.speed_rate[0]/amplitude);
    }
    amplitude = 1;
    release(it);
}

// A ball 0.8 m above the floor, which does not move; and above a plate that turns: what is far from its hinge gets far.
static void half_spaces_move_where_the_other_shape_is(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        Scene s = scene_begin();
        memset(stray_of, 0, sizeof stray_of);
        if (k < 2) {
            scene_floor(&s, "steel");
            scene_ball(&s, "ball", "steel", 0.1, carom_vec(0, 0, 0.9), carom_vec(0, 0, 0));
            stray_of[2] = k ? 0.81 : 0.79;
        } else {
            caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
            caromBodyDef plate = scene_body("plate", "steel", &shape);
            plate.mass = 1;
            plate.inertia = carom_mat_diagonal(1, 1, 1);
            scene_add(&s, &plate);
            add_joint(&s, hinge("pin", "world", carom_vec(0, 0, 0), "plate", carom_vec(0, 0, 0), 0, 0));
            scene_ball(&s, "ball", "steel", 0.1, carom_vec(8, 0, 0.9), carom_vec(0, 0, 0));
            stray_of[0] = k == 2 ? 0.01 : 0.2;  // [rad]: 8 m away 0.08 m, 1.6 m
        }
        const double lone[8] = { 0, 0, 0.9, 1 }, behind_the_hinge[8] = { 0, 8, 0, 0.9, 1 };
        Guarded *it = guarded(&s, k < 2 ? lone : behind_the_hinge, k < 2 ? 7 : 8);
        assert_int_equal(carom_guard_prepare(&it->guard, &it->search), CAROM_OK);
        assert_int_equal(it->guard.nnear, k%2);
        release(it);
    }
}

// A bar of 1 m on a hinge: its middle moves at half the rate, and is drawn towards the hinge by w^2/2.
static void motion_on_joints_is_bounded_by_what_moves(void **state)
{
    (void)state;
    Scene s = scene_begin();
    add_bar(&s, "bar", 1, 1);
    add_joint(&s, hinge("pin", "world", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), 0, 0));
    Guarded *it = guarded(&s, (double[]){ 0 }, 1);
    assert_int_equal(carom_guard_bound_motion(&it->guard, &it->search), CAROM_OK);
    const caromMotionBound *b = &it->guard.bounds[it->model->links[0].body];
    check_bound(2*b->speed);
    check_bound(b->angular_speed);
    check_bound(b->angular_acceleration);
    double least = hypot(0.5*sqrt(0.5), 0.25);  // at the points, where w^2 = 1/2; times sqrt 2
    CHECK(b->acceleration >= sqrt(2)*least && b->acceleration <= 1.0001*sqrt(2)*least);
    release(it);
}

// Until g + v t - a t^2/2 reaches -margin, forwards and backwards.
static void a_limit_is_clear_until_the_larger_root(void **state)
{
    (void)state;
    static const double rates[] = { 0, 0.5, -0.5 }, bounds[] = { 0, 0.15 };
    Scene s = scene_begin();
    add_bar(&s, "bar", 1, 1);
    caromJointDef pin = hinge("pin", "world", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), 0, 0);
    pin.upper[0] = 0.3;
    add_joint(&s, pin);
    Guarded *it = guarded(&s, (double[]){ 0 }, 1);
    caromGuard guard = carom_guard_of(&it->guard);
    for (int k = 0; k < 12; k++) {
        double v = rates[k%3], a = bounds[k/3%2], dt = k < 6 ? 5 : -5, y[2] = { 0.1, -v };  // the gap opens with v
        double along = dt > 0 ? v : -v;
        guard.load(&it->guard, CAROM_SLOT_LEFT, 0, y);
        it->guard.speed_rate[0] = a;
        double clear = guard.clear_time(&it->guard, CAROM_SLOT_LEFT, carom_model_constraint_of_limit(0), dt, 0.05);
        double root = a > 0 ? (along + sqrt(along*along + 2*a*0.25))/a : along < 0 ? 0.25/-along : (double)INFINITY;
        CHECK_NEAR(clear, fmin(5, root), 1e-14);
    }
    guard.load(&it->guard, CAROM_SLOT_LEFT, 0, (double[]){ 0.4, 0 });  // beyond by more than the margin
    CHECK_NEAR(guard.clear_time(&it->guard, CAROM_SLOT_LEFT, carom_model_constraint_of_limit(0), 1, 0.05), 0, 0);
    double rate;
    guard.load(&it->guard, CAROM_SLOT_LEFT, 0, (double[]){ 0.1, 0.7 });
    CHECK_NEAR(guard.gap(&it->guard, CAROM_SLOT_LEFT, carom_model_constraint_of_limit(0), &rate), 0.2, 1e-15);
    CHECK_NEAR(rate, -0.7, 1e-15);
    release(it);
}

// Two balls 0.8 m apart that get 0.5 m and some; one of them may be in contact already, which the response follows.
static void only_what_could_meet_is_listed(void **state)
{
    (void)state;
    static const double second[] = { 0.29, 0.31 };
    static const bool is_closed[1] = { true };
    for (int k = 0; k < 3; k++) {
        Scene s = scene_begin();
        scene_ball(&s, "a", "steel", 0.1, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
        scene_ball(&s, "b", "steel", 0.1, carom_vec(1, 0, 0), carom_vec(0, 0, 0));
        Guarded *it = guarded(&s, (double[]){ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 }, 14);
        memset(stray_of, 0, sizeof stray_of);
        stray_of[0] = 0.5, stray_of[7] = second[k > 0];
        if (k == 2) it->guard.closed.pair = is_closed;
        assert_int_equal(carom_guard_prepare(&it->guard, &it->search), CAROM_OK);
        assert_int_equal(it->guard.nnear, k == 1);
        CHECK(it->guard.has_bounds == (k == 1));
        release(it);
    }
}

static void only_limits_that_could_be_reached_are_listed(void **state)
{
    (void)state;
    static const bool is_closed[1] = { true };
    for (int k = 0; k < 3; k++) {
        Scene s = scene_begin();
        add_bar(&s, "bar", 1, 1);
        caromJointDef pin = hinge("pin", "world", carom_vec(0, 0, 0), "bar", carom_vec(0, 0, 0), 0, 0);
        pin.upper[0] = 0.3;
        add_joint(&s, pin);
        Guarded *it = guarded(&s, (double[]){ 0 }, 1);
        stray_of[0] = k > 0 ? 0.31 : 0.29;
        if (k == 2) it->guard.closed.limit = is_closed;
        assert_int_equal(carom_guard_prepare(&it->guard, &it->search), CAROM_OK);
        assert_int_equal(it->guard.nnear, k == 1);
        release(it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_is_bounded_between_the_points),
        cmocka_unit_test(bounds_are_those_of_the_step),
        cmocka_unit_test(half_spaces_move_where_the_other_shape_is),
        cmocka_unit_test(motion_on_joints_is_bounded_by_what_moves),
        cmocka_unit_test(a_limit_is_clear_until_the_larger_root),
        cmocka_unit_test(only_what_could_meet_is_listed),
        cmocka_unit_test(only_limits_that_could_be_reached_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
