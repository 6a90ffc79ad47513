// A ball that bounces, slides and rolls: restitution asked for and obtained, gravity during the contact, energy,
// rolling.
#include <float.h>

#include "model/model.h"
#include "scene.h"

typedef struct Stuff { const char *name; double density, E, nu; } Stuff;
static const Stuff rubber_like = { "soft", 1100, 10e6, 0.49 }, steel_like = { "hard", 7850, 210e9, 0.3 };

static Scene ball_scene(Stuff stuff, double e, double tolerance)
{
    Scene s = scene_begin();
    s.settings.tolerance = tolerance;
    scene_material(&s, stuff.name, stuff.density, stuff.E, stuff.nu);
    scene_pair(&s, stuff.name, stuff.name, e, 0.0, 0.0);
    scene_floor(&s, stuff.name);
    return s;
}

// Shot at a wall without gravity.
static double wall_rebound(Stuff stuff, double e, caromDamping damping, double tolerance)
{
    Scene s = ball_scene(stuff, e, tolerance);
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.damping = damping;
    s.settings.until = 0.05;
    scene_ball(&s, "ball", stuff.name, 0.05, carom_vec(0, 0, 0.06), carom_vec(0, 0, -2));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    assert_int_equal(r->nevent, 2);
    double ratio = r->last_V[1].linear.z/2;
    CHECK_NEAR(r->events[1].separation.restitution, ratio, 1e-12);
    free(r);
    carom_model_destroy(model);
    return ratio;
}

static void exact_damping_rebounds_as_asked(void **state)
{
    (void)state;
    const double e[] = { 0.3, 0.5, 0.7, 0.9 };
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(wall_rebound(steel_like, e[i], CAROM_DAMPING_EXACT, 1e-8), e[i], 1e-6*e[i]);
        CHECK_NEAR(wall_rebound(rubber_like, e[i], CAROM_DAMPING_EXACT, 1e-8), e[i], 1e-6*e[i]);
    }
}

static void flores_damping_rebounds_as_its_theory_says(void **state)
{
    (void)state;
    const double e[] = { 0.3, 0.5, 0.7, 0.9 };
    for (int i = 0; i < 4; i++) {
        double theory = carom_contact_restitution_of(carom_damping_number(CAROM_DAMPING_FLORES, e[i]));
        CHECK_NEAR(wall_rebound(steel_like, e[i], CAROM_DAMPING_FLORES, 1e-8), theory, 1e-6*theory);
        CHECK_NEAR(wall_rebound(rubber_like, e[i], CAROM_DAMPING_FLORES, 1e-8), theory, 1e-6*theory);
    }
}

static void undamped_rebounds_with_its_speed(void **state)
{
    (void)state;
    CHECK_NEAR(wall_rebound(steel_like, 0.5, CAROM_DAMPING_NONE, 1e-8), 1, 1e-6);
    CHECK_NEAR(wall_rebound(rubber_like, 1.0, CAROM_DAMPING_EXACT, 1e-8), 1, 1e-6);
}

// The rebound ratio under gravity, from the equation of motion alone: m d'' = m g - K d^1.5 (1 + c d') by the classical
// Runge-Kutta method in steps of 1e-5 of the contact time; speeds at d = 0 on both sides.
static double drop_reference(Stuff stuff, double e, double v0)
{
    double R = 0.05, m = stuff.density*4.0/3.0*acos(-1)*R*R*R, g = 9.81;
    double K = 4.0/3.0*0.5*stuff.E/(1 - stuff.nu*stuff.nu)*sqrt(R), c = carom_damping_number(CAROM_DAMPING_EXACT, e)/v0;
    double h = 1e-5*2.94*pow(1.25*m*v0*v0/K, 0.4)/v0, d = 0, v = v0;
    for (;;) {
        double k[4][2], dd = d, vv = v;
        for (int i = 0; i < 4; i++) {
            k[i][0] = vv;
            k[i][1] = g - (dd > 0 ? fmax(0, K*dd*sqrt(dd)*(1 + c*vv)) : 0)/m;
            double s = i < 2 ? h/2 : h;
            dd = d + s*k[i][0];
            vv = v + s*k[i][1];
        }
        double d_new = d + h/6*(k[0][0] + 2*k[1][0] + 2*k[2][0] + k[3][0]),
               v_new = v + h/6*(k[0][1] + 2*k[1][1] + 2*k[2][1] + k[3][1]);
        if (d_new <= 0) return -(v + (v_new - v)*d/(d - d_new))/v0;
        d = d_new;
        v = v_new;
    }
}

static double dropped_rebound(Stuff stuff, double e, double *v0)
{
    Scene s = ball_scene(stuff, e, 1e-8);
    s.settings.until = 0.6;
    scene_ball(&s, "ball", stuff.name, 0.05, carom_vec(0, 0, 1), carom_vec(0, 0, 0));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->nevent >= 2);
    *v0 = r->events[0].touch.speed;
    CHECK_NEAR(*v0, sqrt(2*9.81*0.95), 1e-9*(*v0));  // free fall is exact for the method
    double ratio = r->events[1].separation.restitution;
    free(r);
    carom_model_destroy(model);
    return ratio;
}

static void gravity_during_the_contact_costs_what_the_equation_says(void **state)
{
    (void)state;
    double v0, hard = dropped_rebound(steel_like, 0.7, &v0);
    CHECK_NEAR(hard, drop_reference(steel_like, 0.7, v0), 1e-6);
    CHECK(fabs(hard - 0.7) > 5e-5 && fabs(hard - 0.7) < 5e-4);  // some 1e-4 for steel
    double soft = dropped_rebound(rubber_like, 0.7, &v0);
    CHECK_NEAR(soft, drop_reference(rubber_like, 0.7, v0), 1e-6);
    CHECK(fabs(soft - 0.7) > 5e-4);
}

// At any tolerance a dropped ball stays below its start and above the floor.
static void no_ball_gains_height_or_falls_through(void **state)
{
    (void)state;
    const double e[] = { 0.3, 0.9, 1.0 };
    for (double tolerance = 1e-3; tolerance > 0.9e-10; tolerance *= 0.1) {
        for (int i = 0; i < 6; i++) {
            Stuff stuff = i % 2 ? rubber_like : steel_like;
            Scene s = ball_scene(stuff, e[i/2], tolerance);
            s.settings.until = 2;
            s.settings.every = 1e-3;
            scene_ball(&s, "ball", stuff.name, 0.05, carom_vec(0, 0, 1), carom_vec(0, 0, 0));
            caromModel *model = scene_end(&s);
            Record *r = scene_run(model);
            expect_completed(r);
            // e = 1 keeps its energy only to the error of the integration, so its height too.
            double allowed = e[i/2] < 1.0 ? 0.0 : 20*tolerance;
            if (r->highest[1] > 1.0 + allowed)
                fail_msg("e = %g, E = %g Pa, tolerance %g: rose to %.9g m", e[i/2], stuff.E, tolerance, r->highest[1]);
            CHECK(r->lowest[1] > 0.03);
            free(r);
            carom_model_destroy(model);
        }
    }
}

static double imbalance_at(double tolerance, double mu, double *first)
{
    Scene s = scene_begin();
    s.settings.tolerance = tolerance;
    s.settings.until = 2;
    scene_pair(&s, "steel", "steel", 0.7, mu, 0.01);
    scene_floor(&s, "steel");
    scene_ball(&s, "ball", "steel", 0.05, carom_vec(0, 0, 1), carom_vec(0.5, 0, 0));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK(r->stats.energy.damping > 1);
    if (mu > 0) CHECK(r->stats.energy.friction > 0.01 && r->stats.energy.rolling > 0);
    double relative = r->stats.largest_imbalance/r->stats.energy_scale;
    *first = r->stats.energy_scale;
    free(r);
    carom_model_destroy(model);
    return relative;
}

static void ledger_closes_with_the_tolerance(void **state)
{
    (void)state;
    double m = 7850*4.0/3.0*acos(-1)*0.05*0.05*0.05, scale;
    for (int rough = 0; rough < 2; rough++) {
        double mu = rough ? 0.3 : 0.0;
        double loose = imbalance_at(1e-4, mu, &scale), middle = imbalance_at(1e-6, mu, &scale),
               tight = imbalance_at(1e-8, mu, &scale);
        CHECK_NEAR(scale, m*9.81*0.95 + 0.5*m*0.25, 1e-3*scale);  // what the drop and the throw give
        CHECK(tight < 1e-6);
        // With friction, velocities are resolved to v_small/10 however loose the tolerance: there is less to
        // gain from 1e-4 to 1e-6.
        CHECK(middle < (rough ? 1.0 : 0.2)*loose);
        CHECK(tight < 0.2*middle);
    }
}

// Sliding friction stops when the ball rolls: 5/7 of its speed, whatever mu and m.
static void sliding_ball_comes_to_roll_at_five_sevenths(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 1.5;
    s.settings.tolerance = 1e-6;
    scene_pair(&s, "steel", "steel", 0.5, 0.2, 0.0);
    scene_floor(&s, "steel");
    scene_ball(&s, "ball", "steel", 0.05, carom_vec(0, 0, 0.05), carom_vec(2, 0, 0));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK_NEAR(r->last_V[1].linear.x, 2*5.0/7.0, 1e-3*2);
    CHECK_NEAR(r->last_V[1].angular.y*0.05, 2*5.0/7.0, 1e-3*2);
    free(r);
    carom_model_destroy(model);
}

// Small restitution at low speed, above v_small: no cap on the damping may spoil it.
static void slow_dead_impacts_rebound_as_asked(void **state)
{
    (void)state;
    const double e[] = { 0.1, 0.3 }, speed[] = { 0.02, 0.1 };
    for (int i = 0; i < 4; i++) {
        Scene s = ball_scene(steel_like, e[i % 2], 1e-8);
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.until = 0.1;
        scene_ball(&s, "ball", "hard", 0.05, carom_vec(0, 0, 0.0501), carom_vec(0, 0, -speed[i/2]));
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        CHECK_NEAR(r->events[1].separation.restitution, e[i % 2], 1e-5*e[i % 2]);
        free(r);
        carom_model_destroy(model);
    }
}

// Balls that touch from the start pass an impact on; with e = 1 nothing is lost, whenever a contact began.
static void a_row_of_touching_balls_loses_nothing(void **state)
{
    (void)state;
    Scene s = ball_scene(steel_like, 1.0, 1e-8);
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.until = 0.1;
    for (int i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        scene_ball(&s, name, "hard", 0.05, carom_vec(i ? 0.1*i : -0.05, 0, 1), carom_vec(i ? 0 : 1, 0, 0));
    }
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    CHECK_NEAR(r->stats.energy.damping, 0, 0);
    CHECK_NEAR(r->stats.energy.kinetic, r->first_total, 1e-6*r->first_total);
    CHECK(r->last_V[4].linear.x > 0.9);
    free(r);
    carom_model_destroy(model);
}

static void a_model_that_cannot_move_runs(void **state)
{
    (void)state;
    Scene s = ball_scene(steel_like, 0.5, 1e-6);
    caromModel *model = scene_end(&s);
    caromSim *sim;
    caromError err;
    bool done;
    assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_step(sim, &done, &err), CAROM_OK);  // and at its end there is nothing more to do
    assert_true(done);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        Scene s = scene_begin();
        s.settings.until = 2;
        scene_pair(&s, "steel", "steel", 0.7, 0.3, 0.01);
        scene_floor(&s, "steel");
        scene_ball(&s, "ball", "steel", 0.05, carom_vec(0, 0, 1), carom_vec(0.5, 0.2, 0));
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        hash[k] = r->hash;
        free(r);
        carom_model_destroy(model);
    }
    assert_true(hash[0] == hash[1]);
}

static void an_overflow_ends_the_run_and_names_the_body(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.until = 100;
    scene_ball(&s, "rock", "steel", 0.05, carom_vec(0, 0, 1), carom_vec(0, 0, 0));
    caromModel *model = scene_end(&s);
    model->settings.gravity = carom_vec(0, 0, -1e308);  // overflows within seconds; as a model it would be refused
    Record *r = scene_run(model);
    assert_int_equal(r->status, CAROM_ERR_NUMERIC);
    assert_string_equal(r->error.where, "rock");
    free(r);
    carom_model_destroy(model);
}

// Breaks the frozen model behind the simulator's back, from the sink: every evaluation from then on gives NaN.
static caromStatus poison(void *user, const caromSample *sample)
{
    caromModel *model = user;
    if (sample->time > 0.1) model->links[1].inertia_inv_C.cy.y = NAN;
    return CAROM_OK;
}

static void an_evaluation_that_gives_nan_ends_the_run_and_names_the_body(void **state)
{
    (void)state;
    Scene s = scene_begin();
    scene_ball(&s, "good", "steel", 0.05, carom_vec(1, 0, 1), carom_vec(0, 0, 0));
    scene_ball(&s, "bad", "steel", 0.05, carom_vec(0, 0, 1), carom_vec(0, 0, 0));
    caromSpringDef spring = carom_model_spring_def("tie");  // integrated together
    spring.body[0] = "good", spring.body[1] = "bad";
    carom_builder_spring(s.builder, &spring);
    caromModel *model = scene_end(&s);
    caromSink sink = { model, poison, NULL };
    caromSim *sim;
    caromError err;
    assert_int_equal(carom_sim_create(model, &sink, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, &err), CAROM_ERR_NUMERIC);
    assert_string_equal(err.where, "bad");
    assert_non_null(strstr(err.message, "body 'bad': its motion is not finite"));
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

static void bodies_too_deep_in_each_other_end_the_run(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.too_deep = CAROM_DEEP_ERROR;
    scene_material(&s, "jelly", 1000, 1e3, 0.4);
    scene_floor(&s, "jelly");
    scene_box(&s, "block", "jelly", carom_vec(0.1, 0.1, 0.1), carom_vec(0, 0, 0.2), carom_quat_identity(),
              carom_vec(0, 0, -10), carom_vec(0, 0, 0));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    assert_int_equal(r->status, CAROM_ERR_NUMERIC);
    assert_string_equal(r->error.where, "floor - block");
    assert_non_null(strstr(r->error.message, "make it stiffer"));
    CHECK(r->nsample > 1);  // what was computed was delivered
    free(r);
    carom_model_destroy(model);
}

// A flight begins where the contact ends, at the height of the touch before, and lasts 2 v/g; all of it is
// known to rounding, whatever the tolerance. Separations that fall on the end of a step, but for a rounding of
// time, are among these.
static void flights_begin_where_contacts_end(void **state)
{
    (void)state;
    for (double digits = 8; digits <= 12; digits += 0.25) {
        Scene s = ball_scene(rubber_like, 0.8, pow(10, -digits));
        s.settings.until = 2;
        scene_ball(&s, "ball", rubber_like.name, 0.1, carom_vec(0, 0, 0.6), carom_vec(0, 0, 0));
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        CHECK(r->nevent >= 8);
        for (int i = 1; i + 1 < r->nevent; i += 2) {
            const caromEvent *left = &r->events[i], *touched = &r->events[i + 1];
            assert_int_equal(left->kind, CAROM_EVENT_SEPARATION);
            assert_int_equal(touched->kind, CAROM_EVENT_TOUCH);
            // Heights are known to some roundings of 0.6 m, speeds of 3 m/s, times of 2 s.
            CHECK_NEAR(touched->time - left->time, 2*left->separation.speed/9.81, 1e-13);
        }
        free(r);
        carom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_damping_rebounds_as_asked),
        cmocka_unit_test(flores_damping_rebounds_as_its_theory_says),
        cmocka_unit_test(undamped_rebounds_with_its_speed),
        cmocka_unit_test(gravity_during_the_contact_costs_what_the_equation_says),
        cmocka_unit_test(no_ball_gains_height_or_falls_through),
        cmocka_unit_test(flights_begin_where_contacts_end),
        cmocka_unit_test(ledger_closes_with_the_tolerance),
        cmocka_unit_test(sliding_ball_comes_to_roll_at_five_sevenths),
        cmocka_unit_test(slow_dead_impacts_rebound_as_asked),
        cmocka_unit_test(a_row_of_touching_balls_loses_nothing),
        cmocka_unit_test(a_model_that_cannot_move_runs),
        cmocka_unit_test(two_runs_give_the_same_bits),
        cmocka_unit_test(an_overflow_ends_the_run_and_names_the_body),
        cmocka_unit_test(an_evaluation_that_gives_nan_ends_the_run_and_names_the_body),
        cmocka_unit_test(bodies_too_deep_in_each_other_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
