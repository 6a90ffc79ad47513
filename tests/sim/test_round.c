// Round bodies on a plane: they come to rest standing and lying, roll, and wobble down.
#include "scene.h"

#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846, g = 9.80665;

static const double density = 2000, E = 1e8, nu = 0.3;

// One body on the floor, placed so that its lowest point is `above` the floor.
typedef struct Drop {
    caromShape shape;
    caromQuat q;
    double above;
    caromVec3 v, w, gravity;
    double e, mu, until, tolerance;
} Drop;

static Drop drop_of(caromShape shape, caromQuat q)
{
    return (Drop){ .shape = shape, .q = q, .gravity = { 0, 0, -g }, .e = 0.3, .mu = 0.4, .until = 1,
                   .tolerance = 1e-7 };
}

static double support(const Drop *d)
{
    caromCore core = carom_shape_core(&d->shape);
    return carom_shape_core_extent(&core, carom_tmul(carom_quat_matrix(d->q), carom_vec(0, 0, -1))) + core.radius;
}

static Record *run(const Drop *d)
{
    Scene s = scene_begin();
    scene_material(&s, "stuff", density, E, nu);
    scene_pair(&s, "stuff", "stuff", d->e, d->mu, 0);
    s.settings.until = d->until;
    s.settings.tolerance = d->tolerance;
    s.settings.gravity = d->gravity;
    scene_floor(&s, "stuff");
    caromShapeDef def = carom_model_shape_def(d->shape);
    caromBodyDef body = scene_body("body", "stuff", &def);
    body.p_WB = carom_vec(0, 0, support(d) + d->above);
    body.q_WB = d->q;
    body.v_WB = d->v;
    body.w_WB = d->w;
    scene_add(&s, &body);
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    carom_model_destroy(model);
    return r;
}

static double stiffness_of(caromShape shape)  // k = E*/l
{
    return 0.5*E/(1 - nu*nu)/(0.877*sqrt(carom_shape_surface(shape)/6));
}

static void expect_at_rest(const Record *r)
{
    CHECK(carom_norm(r->last_V[1].linear) < 1e-6);
    CHECK(carom_norm(r->last_V[1].angular) < 1e-5);
    CHECK(r->stats.largest_imbalance < 1e-5*r->stats.energy_reference);
}

static caromQuat tilted(double angle) { return carom_quat_axis_angle(carom_vec(0, 1, 0), angle); }

// Pressed in by m g/(k A), and upright.
static void a_standing_cylinder_sinks_in_by_its_weight(void **state)
{
    (void)state;
    const double tilts[] = { 0, 0.05, 0.2 };
    for (int i = 0; i < 3; i++) {
        Drop d = drop_of(carom_shape_cylinder(0.05, 0.08), tilted(tilts[i]));
        d.above = 0.002;
        d.until = 1.5;
        Record *r = run(&d);
        expect_at_rest(r);
        double depth = density*0.08*g/stiffness_of(d.shape);  // m/A = density times length
        CHECK_NEAR(0.04 - r->last_X[1].p.z, depth, 1e-6*depth + 1e-12);
        CHECK_NEAR(r->last_X[1].R.cz.z, 1, 1e-12);
        free(r);
    }
}

// The volume below carries the weight: a lying cylinder, a capsule, a rounded box on its face.
static void bodies_displace_their_weight(void **state)
{
    (void)state;
    const caromShape shapes[] = { carom_shape_cylinder(0.05, 0.1), carom_shape_capsule(0.05, 0.1) };
    for (int i = 0; i < 2; i++) {
        Drop d = drop_of(shapes[i], tilted(pi/2 - (i ? 0 : 0.1)));  // of the cylinder one end lands first
        d.above = 0.002;
        d.until = 3;
        Record *r = run(&d);
        expect_at_rest(r);
        double R = 0.05, depth = R - r->last_X[1].p.z, weight = density*carom_shape_volume(shapes[i])*g;
        double segment = R*R*acos(1 - depth/R) - (R - depth)*sqrt(2*R*depth - depth*depth),
               cap = pi*depth*depth*(3*R - depth)/3;
        CHECK_NEAR(stiffness_of(shapes[i])*(0.1*segment + (i ? cap : 0)), weight, 1e-6*weight);
        CHECK_NEAR(r->last_X[1].R.cz.z, 0, 1e-6);
        free(r);
    }
    caromShape box = carom_shape_rounded(carom_shape_box(0.1, 0.08, 0.06), 0.01);
    Drop d = drop_of(box, tilted(0.3));
    d.above = 0.002;
    Record *r = run(&d);
    expect_at_rest(r);
    double depth = 0.03 - r->last_X[1].p.z, q = 0.01,
           segment = q*q*acos(1 - depth/q) - (q - depth)*sqrt(2*q*depth - depth*depth);
    double volume = 0.08*0.06*depth + 0.14*segment + pi*depth*depth*(3*q - depth)/3;
    CHECK_NEAR(stiffness_of(box)*volume, density*carom_shape_volume(box)*g, 1e-6*density*carom_shape_volume(box)*g);
    free(r);
}

// Down a slope without slipping: 2/3 g sin. The radius that rolls is less than R by part of the depth, 1.3e-3 of it;
// smooth friction slips by up to v_small. Without damping, which would resist: the front of the contact is pressed in
// while its rear is let go.
static void a_cylinder_rolls_down_a_slope(void **state)
{
    (void)state;
    double slope = 0.2;
    Drop d = drop_of(carom_shape_cylinder(0.05, 0.12), tilted(pi/2));
    d.q = carom_quat_axis_angle(carom_vec(1, 0, 0), pi/2);  // axis along y
    d.gravity = carom_vec(g*sin(slope), 0, -g*cos(slope));
    d.until = 2;
    d.e = 1;
    double segment = density*pi*0.0025*g*cos(slope)/stiffness_of(d.shape);  // area below that carries the weight
    d.above = -pow(segment*0.75/sqrt(0.1), 2.0/3.0);
    Record *r = run(&d);
    double a = 2.0/3.0*g*sin(slope);
    CHECK_NEAR(r->last_V[1].linear.x, a*2, 1e-3*a*2);
    CHECK_NEAR(r->last_X[1].p.x, 0.5*a*4, 1e-3*0.5*a*4);
    CHECK_NEAR(r->last_V[1].linear.y, 0, 1e-6);
    CHECK_NEAR(r->last_V[1].angular.y*0.05, r->last_V[1].linear.x, 1e-3*r->last_V[1].linear.x);
    free(r);
}

// A coin spun on its edge leans over, wobbles and comes to lie; the ledger closes.
static void a_spun_coin_wobbles_down(void **state)
{
    (void)state;
    Drop d = drop_of(carom_shape_cylinder(0.02, 0.003), carom_quat_axis_angle(carom_vec(1, 0, 0), 1.2));
    d.w = carom_vec(0, 0, 25);
    d.until = 1.5;
    d.tolerance = 1e-6;
    d.mu = 0.2;
    Record *r = run(&d);
    CHECK(r->last.energy.potential < 0);
    double total = r->last.energy.kinetic + r->last.energy.potential + r->last.energy.elastic;
    print_message("coin: %lld steps, tilt %.3g, w %.3g, lost %.3g J, imbalance %.1e\n", (long long)r->stats.steps,
                  acos(fmin(1, fabs(r->last_X[1].R.cz.z))), carom_norm(r->last_V[1].angular), r->first_total - total,
                  r->stats.largest_imbalance/r->stats.energy_reference);
    CHECK(total < r->first_total);
    CHECK(r->stats.largest_imbalance < 1e-5*r->stats.energy_reference);
    free(r);
}

static void elastic_bodies_keep_their_energy(void **state)
{
    (void)state;
    const caromShape shapes[] = {
        carom_shape_cylinder(0.05, 0.08), carom_shape_rounded(carom_shape_cone(0.05, 0.02, 0.08), 0.005),
        carom_shape_capsule(0.03, 0.1), carom_shape_rounded(carom_shape_box(0.1, 0.08, 0.06), 0.01)
    };
    for (int i = 0; i < 4; i++) {
        Drop d = drop_of(shapes[i], carom_quat_normalized(carom_quat(1, 0.3, 0.2, 0.1)));
        d.e = 1;
        d.mu = 0;
        d.above = 0.05;
        d.w = carom_vec(3, 2, 1);
        d.until = 0.6;
        d.tolerance = 1e-8;
        Record *r = run(&d);
        CHECK(r->nevent > 0);
        double total = r->last.energy.kinetic + r->last.energy.potential + r->last.energy.elastic;
        CHECK_NEAR(total, r->first_total, 1e-5*r->stats.energy_reference);
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_standing_cylinder_sinks_in_by_its_weight),
        cmocka_unit_test(bodies_displace_their_weight),
        cmocka_unit_test(a_cylinder_rolls_down_a_slope),
        cmocka_unit_test(a_spun_coin_wobbles_down),
        cmocka_unit_test(elastic_bodies_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
