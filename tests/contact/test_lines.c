// Bodies that press along lines: load against approach.
#include "scene.h"

static const double pi = 3.14159265358979323846, E_star = 2.08e11/(2*(1 - 0.09));

typedef struct Rollers {
    double R1, R2, L;
    caromModel *model;
    caromContactWorld *world;
} Rollers;

static Rollers rollers(double R1, double R2, double L, double speed)
{
    Rollers r = { R1, R2, L, NULL, NULL };
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.damping = CAROM_DAMPING_NONE;
    scene_material(&s, "race", 7800, 2.08e11, 0.3);
    caromShapeDef shapes[2] = { carom_model_shape_def(carom_shape_cylinder(R1, 3*L)),
                                carom_model_shape_def(carom_shape_cylinder(R2, L)) };
    for (int i = 0; i < 2; i++) {
        caromBodyDef def = scene_body(i == 0 ? "lower" : "upper", "race", &shapes[i]);
        def.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*pi);
        def.p_WB = carom_vec(0, 0, i*(R1 + R2));
        def.v_WB = carom_vec(0, 0, -i*speed);
        def.fixed = i == 0;
        scene_add(&s, &def);
    }
    r.model = scene_end(&s);
    assert_int_equal(carom_world_create(r.model, &r.world, NULL), CAROM_OK);
    assert_int_equal(carom_world_touch(r.world, 0, NAN, NULL, NULL, NULL), CAROM_OK);
    return r;
}

static void destroy(Rollers *r)
{
    carom_world_destroy(r->world);
    carom_model_destroy(r->model);
}

static double load_at(Rollers *r, double approach)
{
    caromPose X[2];
    caromSpatial V[2], F[2];
    carom_world_placed(r->world, X, V);
    X[1].p.z = r->R1 + r->R2 - approach;
    V[1] = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
    assert_int_equal(carom_world_place(r->world, 0.0, X, V, NULL), CAROM_OK);
    assert_int_equal(carom_world_wrenches(r->world, NULL, F, NULL, NULL), CAROM_OK);
    return F[1].linear.z;
}

// [Johnson85], of two cylinders with a load F over their length.
static double johnson(const Rollers *r, double F)
{
    double f = F/r->L, R = r->R1*r->R2/(r->R1 + r->R2), b = sqrt(4*f*R/(pi*E_star));
    return f/(pi*E_star)*(log(4*r->R1/b) + log(4*r->R2/b) - 1);
}

// Three decades of load, on touches that began in five ways, from put down to dropped from 5 cm.
static void load_against_approach_is_that_of_a_line(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++) {
        double R1 = i % 3 == 1 ? 0.03 : 0.01, L = i % 3 == 2 ? 0.05 : 0.02, speed = i < 3 ? 1e-3 : i < 6 ? 0.03 : 1;
        Rollers r = rollers(R1, 0.01, L, speed);
        for (double f = 1e-6; f < 1.1e-3; f *= 2) {
            double F = f*E_star*r.R2*L;
            CHECK_NEAR(load_at(&r, johnson(&r, F)), F, 0.1*F);
        }
        destroy(&r);
    }
}

// Palmgren's fit to rollers on races, in N and mm: 3.84e-5 F^0.9/L^0.8. From 70 N to 70 kN.
static void load_against_approach_is_palmgrens(void **state)
{
    (void)state;
    Rollers r = rollers(0.03, 0.01, 0.02, 0.1);
    for (double F = 70; F < 7.1e4; F *= 2)
        CHECK_NEAR(load_at(&r, 3.84e-8*pow(F, 0.9)/pow(1e3*r.L, 0.8)), F, 0.1*F);
    destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_against_approach_is_that_of_a_line),
        cmocka_unit_test(load_against_approach_is_palmgrens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
