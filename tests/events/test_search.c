// No contact is stepped over: fast passes with contacts shorter than a step, spinning cubes, grazing motion.
#include "events/search.h"

#include "scene.h"

// A bead flies past a fixed ball so that, undisturbed, it would overlap for the given time. Returns the number of
// touches.
static int touches_of_a_pass(double speed, double duration, double start, double angle, double *expected_time,
                             double *time)
{
    const double R = 0.1, r = 1e-3;
    double half_chord = 0.5*speed*duration, offset = sqrt((R + r)*(R + r) - half_chord*half_chord);
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.tolerance = 1e-6;
    s.settings.until = 2*start/speed;
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { R, 0, 0 } });
    caromBodyDef ball = scene_body("ball", "steel", &shape);
    ball.fixed = true;
    scene_add(&s, &ball);
    double c = cos(angle), sn = sin(angle);
    scene_ball(&s, "bead", "steel", r, carom_vec(-start*c - offset*sn, -start*sn + offset*c, 0),
               carom_vec(speed*c, speed*sn, 0));
    caromModel *model = scene_end(&s);
    Record *run = scene_run(model);
    expect_completed(run);
    *expected_time = (start - half_chord)/speed;
    *time = run->nevent > 0 ? run->events[0].time : (double)NAN;
    int touches = (int)run->stats.events[CAROM_EVENT_TOUCH];
    free(run);
    carom_model_destroy(model);
    return touches;
}

static void a_thousand_fast_passes_are_all_seen(void **state)
{
    (void)state;
    Random r = { 21 };
    for (int k = 0; k < share_of(1000); k++) {
        double duration = pow(10, random_uniform(&r, -6, -2)),
               speed = random_uniform(&r, 1, 10)*fmin(100, 0.01/duration);
        double expected, time;
        int touches = touches_of_a_pass(speed, duration, random_uniform(&r, 0.5, 5), random_uniform(&r, 0, 6.28),
                                        &expected, &time);
        if (touches != 1) fail_msg("contact of %.3g s at %.3g m/s: %d touches", duration, speed, touches);
        // Chord and offset are differences of numbers near R: grazing by half a chord s, 1e-16 R^2/s is what is known
        // of it.
        CHECK_NEAR(time*speed, expected*speed, 1e-13 + 2e-15/(speed*duration));
    }
}

static void a_pass_that_just_misses_is_free(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.until = 0.2;
    scene_floor(&s, "steel");
    scene_ball(&s, "bead", "steel", 0.01, carom_vec(0, 0, 0.01 + 1e-9), carom_vec(50, 0, 0));
    caromModel *model = scene_end(&s);
    Record *run = scene_run(model);
    expect_completed(run);
    assert_int_equal(run->nevent, 0);
    CHECK(run->stats.gap_evaluations < 1000);
    free(run);
    carom_model_destroy(model);
}

// A spinning cube passes a fixed one. A cube turns at a constant rate (its inertia is round), so the motion until the
// first touch is known in closed form and can be sampled as finely as one likes.
typedef struct Pass {
    caromVec3 p, v, w;
    caromQuat q;
} Pass;

static caromPose pass_pose(const Pass *m, double t)
{
    caromVec3 axis = carom_unit_or(m->w, carom_vec(1, 0, 0));
    caromQuat turned = carom_quat_mul(carom_quat_axis_angle(axis, carom_norm(m->w)*t), m->q);
    return (caromPose){ carom_quat_matrix(turned), carom_axpy(t, m->v, m->p) };
}

static Pass random_pass(Random *r)
{
    Pass m = { .q = carom_quat_normalized((caromQuat){ random_uniform(r, -1, 1), random_uniform(r, -1, 1),
                                                       random_uniform(r, -1, 1), random_uniform(r, 0.1, 1) }) };
    m.p = carom_vec(-1, random_uniform(r, -0.15, 0.15), random_uniform(r, -0.15, 0.15));
    m.v = carom_vec(random_uniform(r, 2, 20), 0, 0);
    m.w = carom_vec(random_uniform(r, -200, 200), random_uniform(r, -200, 200), random_uniform(r, -200, 200));
    return m;
}

static void spinning_cubes_touch_when_they_touch(void **state)
{
    (void)state;
    Random r = { 22 };
    const caromShape cube = { CAROM_BOX, { 0.1, 0.1, 0.1 } };
    const caromPose origin = carom_pose_identity();
    int hits = 0, misses = 0;
    for (int k = 0; k < share_of(150); k++) {
        Pass m = random_pass(&r);
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = 1e-9;
        s.settings.until = 2/m.v.x;
        caromShapeDef shape = carom_model_shape_def(cube);
        caromBodyDef fixed = scene_body("anvil", "steel", &shape);
        fixed.fixed = true;
        scene_add(&s, &fixed);
        scene_box(&s, "cube", "steel", cube.size, m.p, m.q, m.v, m.w);
        caromModel *model = scene_end(&s);
        Record *run = scene_run(model);
        expect_completed(run);
        double first = run->nevent > 0 ? run->events[0].time : (double)INFINITY, lowest = INFINITY;
        for (int i = 0; i <= 4000; i++) {
            double t = s.settings.until*i/4000;
            if (t > first) break;
            lowest = fmin(lowest, carom_collide_shapes(cube, origin, cube, pass_pose(&m, t)).g);
        }
        CHECK(lowest > -1e-8);  // apart until the first touch: tolerance 1e-9 of a size of 0.1 m over some ten steps
        if (run->nevent > 0) {
            hits++;
            CHECK_NEAR(carom_collide_shapes(cube, origin, cube, pass_pose(&m, first)).g, 0, 1e-8);
        } else {
            misses++;
        }
        free(run);
        carom_model_destroy(model);
    }
    CHECK(hits > share_of(50) && misses > share_of(10));
}

static void touches_at_the_same_instant_come_in_the_order_of_pairs(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 0.5;
    scene_floor(&s, "steel");
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        scene_ball(&s, name, "steel", 0.05, carom_vec(i, 0, 1), carom_vec(0, 0, 0));
    }
    caromModel *model = scene_end(&s);
    Record *run = scene_run(model);
    expect_completed(run);
    CHECK(run->nevent >= 8);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(run->events[i].about.pair, i);
        assert_int_equal(run->events[i].kind, CAROM_EVENT_TOUCH);
        CHECK_NEAR(run->events[i].time, run->events[0].time, 0);
    }
    for (int i = 1; i < run->nevent; i++) CHECK(run->events[i].time >= run->events[i - 1].time);
    free(run);
    carom_model_destroy(model);
}

// A ball under gravity of 10 m/s^2 that has just rebounded, a rounding deep: y = (height, speed), a step of 1 s, by
// hand.
typedef struct Rebound { double height[CAROM_SLOTS], speed[CAROM_SLOTS]; } Rebound;
static double start_height, start_speed;

static caromStatus fly(caromStepper *stepper, double theta, double *y, double *dydtau)
{
    (void)stepper;
    (void)dydtau;
    y[0] = start_height + start_speed*theta - 5.0*theta*theta;
    y[1] = start_speed - 10.0*theta;
    return CAROM_OK;
}

static void load_rebound(void *user, int slot, double time, const double *y)
{
    (void)time;
    ((Rebound *)user)->height[slot] = y[0];
    ((Rebound *)user)->speed[slot] = y[1];
}

static double gap_of_rebound(void *user, int slot, caromConstraint pair, double *rate)
{
    (void)pair;
    *rate = ((Rebound *)user)->speed[slot];
    return ((Rebound *)user)->height[slot];
}

static double clear_time_of_rebound(void *user, int slot, caromConstraint pair, double dt, double margin)
{
    (void)pair;
    const Rebound *r = user;
    double above = r->height[slot] + margin, v = dt > 0 ? r->speed[slot] : -r->speed[slot];
    return above <= 0 ? 0 : fmin(fabs(dt), (v + sqrt(v*v + 20*above))/10);
}

// However slowly it left, it comes back within the step: never is it told that it does not. Fast enough to get clear,
// it is told to the rounding it started with.
static void a_rebound_that_comes_back_is_seen(void **state)
{
    (void)state;
    static const double speeds[] = { 0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1, 4 };
    Rebound rebound;
    caromGuard guard = { &rebound, load_rebound, gap_of_rebound, clear_time_of_rebound };
    caromMethod method = { .name = "by hand", .interpolate = fly };
    for (size_t i = 0; i < sizeof speeds/sizeof *speeds; i++) {
        double y[2], begin[2], end[2];
        start_height = -1e-13;
        start_speed = speeds[i];
        caromSearch search = { .guard = &guard, .method = &method, .h = 1.0, .y = y, .margin = 1e-14,
                               .hovering = 1e-8 };
        fly(NULL, 0.0, begin, NULL);
        fly(NULL, 1.0, end, NULL);
        carom_search_begin(&search, begin, end);
        double theta = carom_search_touch(&search, carom_model_constraint_of_pair(0), 1.0), exact = start_speed/5.0;
        CHECK(theta <= 1.0);
        // A depth of 1e-13 m at that speed.
        if (start_speed > 1e-4) CHECK_NEAR(theta, exact, 1e-12 + 4e-13/start_speed);
    }
}

// A certificate that knows only how fast the surfaces slide: at 1 m/s.
static double clear_time_of_sliding(void *user, int slot, caromConstraint pair, double dt, double margin)
{
    (void)pair;
    return fmin(fabs(dt), fmax(0.0, ((const Rebound *)user)->height[slot] + margin));
}

// A pair that is apart by roundings and parts slowly, and never by as much as counts, is followed by its own motion
// while it parts. By the certificate that would take pieces without end, and end in a touch at once.
static void a_pair_that_parts_slowly_is_not_held(void **state)
{
    (void)state;
    Rebound rebound;
    caromGuard guard = { &rebound, load_rebound, gap_of_rebound, clear_time_of_sliding };
    caromMethod method = { .name = "by hand", .interpolate = fly };
    for (double speed = 1e-6; speed < 4e-4; speed *= 10) {
        double y[2], begin[2], end[2];
        start_height = 1e-15;
        start_speed = speed;
        caromSearch search = { .guard = &guard, .method = &method, .h = 1.0, .y = y, .margin = 1e-16,
                               .hovering = 1e-8 };
        fly(NULL, 0.0, begin, NULL);
        fly(NULL, 1.0, end, NULL);
        carom_search_begin(&search, begin, end);
        double theta = carom_search_touch(&search, carom_model_constraint_of_pair(0), 1.0);
        CHECK(theta > 0.1*speed/5.0 && theta <= speed/5.0*(1.0 + 1e-6) && search.evaluations < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_fast_passes_are_all_seen),
        cmocka_unit_test(a_pass_that_just_misses_is_free),
        cmocka_unit_test(a_rebound_that_comes_back_is_seen),
        cmocka_unit_test(a_pair_that_parts_slowly_is_not_held),
        cmocka_unit_test(spinning_cubes_touch_when_they_touch),
        cmocka_unit_test(touches_at_the_same_instant_come_in_the_order_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
