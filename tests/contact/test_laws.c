// Laws against their theory: restitution of a damping number, regularisation, forces and powers of single contacts.
#include "carom/contact.h"

#include <float.h>

#include "contact/contact.h"
#include "scene.h"

// e of fn = K d^n (1 + c d') by integrating one collision of a unit mass with tiny fixed steps (classical Runge-Kutta):
// nothing in common with the closed form. The last step, cut at d = 0, is the only one that is interpolated.
static double restitution_by_integration(double u, double n)
{
    const double h = 2e-5;
    double d = 0, v = 1;  // K = m = v0 = 1, so c = u
    for (;;) {
        double k[4][2], dd = d, vv = v;
        for (int i = 0; i < 4; i++) {
            double f = dd > 0 ? pow(dd, n)*(1 + u*vv) : 0;
            k[i][0] = vv;
            k[i][1] = -fmax(f, 0);
            double s = i < 2 ? h/2 : h;
            dd = d + s*k[i][0];
            vv = v + s*k[i][1];
        }
        double d_new = d + h/6*(k[0][0] + 2*k[1][0] + 2*k[2][0] + k[3][0]),
               v_new = v + h/6*(k[0][1] + 2*k[1][1] + 2*k[2][1] + k[3][1]);
        if (d_new <= 0) return -(v + (v_new - v)*d/(d - d_new));
        d = d_new;
        v = v_new;
    }
}

static void exact_damping_gives_the_restitution_asked_for(void **state)
{
    (void)state;
    const double e[] = { 0.1, 0.3, 0.5, 0.7, 0.9, 0.99 };
    for (int i = 0; i < 6; i++) {
        for (double n = 1; n <= 2; n += 0.5) {
            double u = carom_damping_number(CAROM_DAMPING_EXACT, e[i]);
            // The reference starts with a kink of order n: O(h^(n+1)), and its cut.
            CHECK_NEAR(restitution_by_integration(u, n), e[i], 1e-7);
        }
    }
}

static void published_numbers(void **state)
{
    (void)state;
    // Engelson 2000, 4.5: c v0 = 1 rebounds with 0.59363 (found by simulation); the closed form gives 0.5936242600.
    CHECK_NEAR(carom_contact_restitution_of(1.0), 0.5936242600, 1e-10);
    CHECK_NEAR(carom_damping_number(CAROM_DAMPING_EXACT, 0.5936242600), 1.0, 1e-9);
    // What Flores' fit really gives.
    CHECK_NEAR(carom_contact_restitution_of(carom_damping_number(CAROM_DAMPING_FLORES, 0.7)), 0.6832, 5e-5);
    CHECK_NEAR(carom_contact_restitution_of(carom_damping_number(CAROM_DAMPING_FLORES, 0.3)), 0.2562, 5e-5);
    CHECK_NEAR(carom_contact_restitution_of(carom_damping_number(CAROM_DAMPING_FLORES, 0.9)), 0.8939, 5e-5);
}

// The two branches of the solver meet, and u and e are inverse to each other over the whole range.
static void damping_number_is_smooth_and_invertible(void **state)
{
    (void)state;
    double join = 1 - 1e-5, below = carom_damping_number(CAROM_DAMPING_EXACT, join*(1 - 1e-12));
    double above = carom_damping_number(CAROM_DAMPING_EXACT, join*(1 + 1e-12));
    CHECK_NEAR(below, above, 1e-6*above);
    for (double e = 0.001; e < 1; e += 0.0037) {
        double u = carom_damping_number(CAROM_DAMPING_EXACT, e);
        CHECK(u > 0);
        CHECK_NEAR(carom_contact_restitution_of(u), e, 1e-9);
    }
    CHECK_NEAR(carom_damping_number(CAROM_DAMPING_EXACT, 1.0), 0, 0);
}

// A Newton step on the equation in long double, from the root found, is a few roundings of it. Where the equation
// cancels even there: the first terms.
static void restitution_is_known_to_rounding(void **state)
{
    (void)state;
    for (double u = 1e-3; u < 40; u *= 1.37) {
        double e = carom_contact_restitution_of(u);
        long double w = (long double)e*u, left = -w - log1pl(-w), right = u - log1pl(u);
        CHECK(fabsl((left - right)*(1 - w)/w) < 4*DBL_EPSILON*w);
    }
    for (double u = 1e-18; u < 1e-3; u *= 10) CHECK_NEAR(carom_contact_restitution_of(u), 1 - 2*u/3, u*u + DBL_EPSILON);
    CHECK_NEAR(carom_contact_restitution_of(1e9), 1e-9, 1e-24);
    CHECK_NEAR(carom_contact_restitution_of(0), 1, 0);
    CHECK_NEAR(carom_contact_restitution_of(INFINITY), 0, 0);
}

static void restitution_fades_at_low_speed(void **state)
{
    (void)state;
    CHECK_NEAR(carom_contact_restitution_at(0.7, 0, 1e-3), 0.001, 1e-15);
    CHECK_NEAR(carom_contact_restitution_at(0.7, 1e-3, 1e-3), 0.7 - 0.699*0.01, 1e-12);
    CHECK_NEAR(carom_contact_restitution_at(0.7, 1, 1e-3), 0.7, 1e-15);
    CHECK_NEAR(carom_contact_restitution_at(0, 1, 1e-3), 0.001, 1e-15);
}

static void regularized_speed_is_smooth(void **state)
{
    (void)state;
    CHECK_NEAR(carom_contact_regularized(0, 0.1), 0.1/3, 1e-17);
    CHECK_NEAR(carom_contact_regularized(0.1, 0.1), 0.1, 1e-17);
    CHECK_NEAR(carom_contact_regularized(0.5, 0.1), 0.5, 0);
    double h = 1e-4, left = (carom_contact_regularized(0.1, 0.1) - carom_contact_regularized(0.1 - h, 0.1))/h;
    CHECK_NEAR(left, 1, 20*h*h/0.01);  // first and second derivative meet those of v: the difference is third order
}

typedef struct Fixture {
    caromModel *model;
    caromKin kin;
    caromContactMemory memory;
    caromSpatial F[2];
} Fixture;

// A steel ball pressed 0.1 mm into the floor, sliding and turning.
static Fixture ball_in_floor(double friction, double rolling, double approach)
{
    Fixture f = { 0 };
    Scene s = scene_begin();
    scene_pair(&s, "steel", "steel", 0.5, friction, rolling);
    scene_floor(&s, "steel");
    scene_ball(&s, "ball", "steel", 0.05, carom_vec(0, 0, 0.0499), carom_vec(0.3, 0, -approach));
    f.model = scene_end(&s);
    double q[7], v[6];
    carom_kin_alloc(f.model, &f.kin);
    carom_contact_memory_alloc(f.model, &f.memory);
    carom_kin_initial(f.model, q, v);
    v[4] = 2.0;  // turns about y: the lowest point moves by -w r in x
    carom_kin_update(f.model, 0.0, q, v, &f.kin);
    caromGap gap = carom_patch_gap(f.model, &f.kin, 0);
    caromTouch touch = carom_contact_touch_begin(f.model, &f.kin, 0, &gap, (caromTouchStart){ 0.0, 1.0, NAN });
    carom_contact_memory_begin(&f.memory, 0, &touch);
    return f;
}

static void free_fixture(Fixture *f)
{
    carom_kin_free(&f->kin);
    carom_contact_memory_free(&f->memory);
    carom_model_destroy(f->model);
}

static void force_of_a_ball_is_hertz_with_damping_and_friction(void **state)
{
    (void)state;
    Fixture f = ball_in_floor(0.3, 0.01, 0.5);
    caromContactTotals totals = carom_contact_forces(f.model, &f.memory, &(caromContactState){ &f.kin, 0.0, NULL }, f.F,
                                                     NULL);
    double E_star = 0.5*210e9/(1 - 0.09), hertz = 4.0/3.0*E_star*sqrt(0.05)*pow(1e-4, 1.5);
    double c = f.memory.touch[0].damping, fn = hertz*(1 + c*0.5);
    caromVec3 force = f.F[1].linear;
    CHECK_NEAR(force.z, fn, 1e-10*fn);  // depth 1e-4 of 0.05: 1e-13 relative
    double lever = 0.0499 + 0.5*1e-4;  // from the centre to the middle of the overlap
    double slip = 0.3 - 2.0*lever;
    CHECK_NEAR(force.x, -0.3*fn, 1e-10*fn);
    CHECK_NEAR(totals.friction, 0.3*fn*slip, 1e-6*fn);
    CHECK_NEAR(totals.damping, hertz*c*0.25, 1e-9*fn);
    CHECK_NEAR(totals.rolling, 0.01*0.05*fn*2.0, 1e-9*fn);
    CHECK_NEAR(f.F[1].angular.y, 0.3*fn*lever - 0.01*0.05*fn, 1e-8*fn);
    CHECK_VEC(f.F[0].linear, carom_neg(force), 0);  // action = reaction, to the bit
    free_fixture(&f);
}

static void a_parting_contact_never_pulls(void **state)
{
    (void)state;
    Fixture f = ball_in_floor(0.3, 0, -50.0);  // parting far faster than 1/c
    carom_contact_forces(f.model, &f.memory, &(caromContactState){ &f.kin, 0.0, NULL }, f.F, NULL);
    CHECK_VEC(f.F[1].linear, carom_vec(0, 0, 0), 0);
    free_fixture(&f);
}

// A solid ball turns where it slips: 1/m + r^2/(2/5 m r^2) = 7/2 1/m.
static void a_ball_slips_with_two_sevenths_of_its_mass(void **state)
{
    (void)state;
    Fixture f = ball_in_floor(0.3, 0.01, 0.5);
    const caromTouch *touch = &f.memory.touch[0];
    double arm = (0.05 - 0.5e-4)/0.05;  // of the middle of the overlap
    CHECK_NEAR(touch->mass, f.model->bodies[1].props.mass, 1e-12*touch->mass);
    CHECK_NEAR(touch->slip_mass, touch->mass/(1 + 2.5*arm*arm), 1e-12*touch->mass);
    free_fixture(&f);
}

static void modes_stay_sorted(void **state)
{
    (void)state;
    Scene s = scene_begin();
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        scene_ball(&s, name, "steel", 0.05, carom_vec(i, 0, 0), carom_vec(0, 0, 0));
    }
    caromModel *model = scene_end(&s);
    caromContactMemory memory;
    carom_contact_memory_alloc(model, &memory);
    const int order[] = { 7, 2, 9, 0, 5 };
    caromTouch touch = { 0 };
    for (int i = 0; i < 5; i++) carom_contact_memory_begin(&memory, order[i], &touch);
    carom_contact_memory_end(&memory, 2);
    carom_contact_memory_end(&memory, 9);
    assert_int_equal(memory.nactive, 3);
    assert_int_equal(memory.active[0], 0);
    assert_int_equal(memory.active[1], 5);
    assert_int_equal(memory.active[2], 7);
    CHECK(!memory.is_active[2] && memory.is_active[7]);
    carom_contact_memory_free(&memory);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_damping_gives_the_restitution_asked_for),
        cmocka_unit_test(published_numbers),
        cmocka_unit_test(damping_number_is_smooth_and_invertible),
        cmocka_unit_test(restitution_is_known_to_rounding),
        cmocka_unit_test(restitution_fades_at_low_speed),
        cmocka_unit_test(regularized_speed_is_smooth),
        cmocka_unit_test(force_of_a_ball_is_hertz_with_damping_and_friction),
        cmocka_unit_test(a_parting_contact_never_pulls),
        cmocka_unit_test(a_ball_slips_with_two_sevenths_of_its_mass),
        cmocka_unit_test(modes_stay_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
