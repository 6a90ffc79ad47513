// Round bodies on a half-space: the part below against closed forms and another way to integrate it, force and torque against the energy, along paths.
#include "carom/collide.h"

#include "collide_fixture.h"
#include "collide/fields.h"
#include "collide/patches.h"
#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846;

typedef struct Pressed {
    double volume, depth, energy;
    caromVec3 centre;         // of the cells
    caromVec3 force, torque;  // on B; torque about its place
    double spread[3];         // of the cells about their centre: xx, yy, xy along the axes of B
} Pressed;

static Pressed pressed(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromPatch patch;
    bool swapped;
    const caromPatchRow *row = carom_patch_row(&a, &b, &swapped);
    assert_non_null(row);
    assert_false(swapped);
    Pressed p = { 0 };
    row->patch(&a, Xa, &b, Xb, &patch);
    p.energy = row->energy(&a, Xa, &b, Xb);
    p.depth = patch.depth;
    for (int i = 0; i < patch.ncell; i++) {
        const caromCell *c = &patch.cells[i];
        caromVec3 f = carom_scale(c->weight, c->n_AB);
        p.volume += c->weight;
        p.centre = carom_axpy(c->weight, c->p_W, p.centre);
        p.force = carom_add(p.force, f);
        p.torque = carom_add(p.torque, carom_cross(carom_sub(c->p_W, Xb.p), f));
    }
    if (p.volume > 0) p.centre = carom_scale(1/p.volume, p.centre);
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 r = carom_tmul(Xb.R, carom_sub(patch.cells[i].p_W, p.centre));
        double share = patch.cells[i].weight/p.volume;
        p.spread[0] += share*r.x*r.x;
        p.spread[1] += share*r.y*r.y;
        p.spread[2] += share*r.x*r.y;
    }
    return p;
}

// On the half-space z < 0, turned by q, pressed in by `depth`.
static caromPose resting(caromShape a, caromMat3 R, double depth)
{
    caromPose X = { R, { 0, 0, 0 } };
    caromVec3 down = carom_tmul(R, carom_vec(0, 0, -1));
    caromCore core = carom_shape_core(&a);
    X.p.z = carom_core_extent(&core, down) + core.radius - depth;
    return X;
}

static Pressed on_ground(caromShape a, caromPose Xa)
{
    return pressed(a, Xa, carom_half_space(), carom_pose_identity());
}

static caromMat3 turned(double angle)  // about y: 0 stands, pi/2 lies
{
    return carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), angle));
}

static double segment(double r, double h)  // area cut off a disc to the height h, without cancellation: 2 int_0^h sqrt(y (2 r - y)) dy with y = s^2
{
    double sum = 0, top = sqrt(h);
    int n = 1000;
    for (int i = 0; i <= n; i++) {  // Simpson; the integrand is smooth
        double s = top*i/n;
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2)*4*s*s*sqrt(2*r - s*s);
    }
    return sum*top/n/3;
}

static void closed_forms(void **state)
{
    (void)state;
    const double depths[] = { 1e-9, 1e-6, 1e-3, 0.02 };
    for (int k = 0; k < 4; k++) {
        double d = depths[k], R = 0.1, L = 0.3;
        double rounding = 2e-16/d;  // of d itself: some roundings of 0.1
        double rel = 1e-12 + 4*rounding;  // 1e-12: Simpson's rule with 1000 steps
        Pressed p = on_ground(carom_cylinder(R, L), resting(carom_cylinder(R, L), turned(pi/2), d));
        CHECK_NEAR(p.depth, d, 2e-16);
        CHECK_NEAR(p.volume, L*segment(R, d), rel*p.volume);
        CHECK_NEAR(p.spread[0], L*L/12, 1e-6);
        p = on_ground(carom_cylinder(R, L), resting(carom_cylinder(R, L), turned(0), d));
        CHECK_NEAR(p.volume, pi*R*R*d, rel*p.volume);
        CHECK_NEAR(p.energy, pi*R*R*d*d/2, 2*rel*p.energy);
        CHECK_NEAR(p.spread[0], R*R/4, 1e-13);
        CHECK_NEAR(p.spread[1], R*R/4, 1e-13);
        CHECK_NEAR(p.spread[2], 0, 1e-16);
        CHECK_NEAR(p.centre.z, -d/2, 1e-16 + 1e-15*d);
        p = on_ground(carom_capsule(R, L), resting(carom_capsule(R, L), turned(0), d));
        CHECK_NEAR(p.volume, pi*d*d*(3*R - d)/3, 2*rel*p.volume);
        CHECK_NEAR(p.energy, pi*d*d*d*(4*R - d)/12, 3*rel*p.energy);  // the volume integrated over depth
        CHECK_NEAR(p.spread[0], d*R/3, 0.3*d*d + 1e-15);              // of a paraboloid: mean of (2 R y)/4 over depths y with weight y
        p = on_ground(carom_capsule(R, L), resting(carom_capsule(R, L), turned(pi/2), d));
        CHECK_NEAR(p.volume, L*segment(R, d) + pi*d*d*(3*R - d)/3, 2*rel*p.volume);
        // A cone on its tip, of half angle 45 degrees: the part below is a cone.
        p = on_ground(carom_cone(R, 0, R), resting(carom_cone(R, 0, R), turned(pi), d));
        CHECK_NEAR(p.volume, pi*d*d*d/3, 3*rel*p.volume);
        CHECK_NEAR(p.energy, pi*d*d*d*d/12, 4*rel*p.energy);
        // A rounded disc: V = pi int (R0 + sqrt(2 r y - y^2))^2 dy over depth y, R0 the radius of the flat face.
        double r = 0.03, R0 = R - r;
        p = on_ground(carom_rounded(carom_cylinder(R, L), r), resting(carom_rounded(carom_cylinder(R, L), r), turned(0), d));
        CHECK_NEAR(p.volume, pi*(R0*R0*d + R0*segment(r, d) + r*d*d - d*d*d/3), 2*rel*p.volume);
    }
}

// A cylinder cut obliquely: a hoof. From [its axis] with half angle t of the base: V = R^2 h/(3 (1 - cos t)) (3 sin t - 3 t cos t - sin^3 t), h the height at the rim.
static void a_tilted_cylinder_is_cut_to_a_hoof(void **state)
{
    (void)state;
    for (int k = 1; k < 30; k++) {
        double R = 0.1, tilt = 0.05*k, t = 0.3 + 0.07*k, h = R*(1 - cos(t))*tan(tilt);  // height of the hoof along the axis
        caromShape a = carom_cylinder(R, 100*R);
        Pressed p = on_ground(a, resting(a, turned(tilt), h*cos(tilt)));
        double hoof = R*R*h/(3*(1 - cos(t)))*(3*sin(t) - 3*t*cos(t) - pow(sin(t), 3));
        CHECK_NEAR(p.volume, hoof, 1e-11*hoof);  // depth is a difference of lengths of some m: 1e-15/1e-3
    }
}

// Shapes of all kinds and proportions.
static caromShape random_round(Random *r, int kind)
{
    double a = random_size(r), b = random_size(r), c = random_size(r);
    caromShape s;
    switch (kind % 5) {
    case 0: return carom_cylinder(a, b);
    case 1: return carom_cone(a, kind % 2 ? 0.0 : b, c);
    case 2: return carom_capsule(a, b);
    case 3: s = carom_cylinder(a, b); break;
    default: s = carom_cone(a, kind % 2 ? 0.0 : b, c); break;
    }
    return carom_rounded(s, random_uniform(r, 0.02, 0.98)*carom_shape_half_thickness(s));
}

// Upright, lying on its side, near either or anything between.
static double random_tilt(Random *r, caromShape a, double depth)
{
    caromCore core = carom_shape_core(&a);
    double lying = pi/2 + atan2(core.r1 - core.r0, core.z1 - core.z0), size = carom_shape_radius(a);
    switch ((int)random_uniform(r, 0, 6)) {
    case 0: return 0;
    case 1: return random_uniform(r, 0, 3)*depth/size;
    case 2: return lying + random_uniform(r, -3, 3)*depth/size;
    case 3: return pow(10, random_uniform(r, -5, 0));
    case 4: return lying + pow(10, random_uniform(r, -5, 0));
    default: return random_uniform(r, 0, pi);
    }
}

// A body of some kind, turned somehow, pressed in by 10^low to 10^high of its half thickness.
static void random_case(Random *r, int k, double low, double high, caromShape *a, caromPose *Xa)
{
    *a = random_round(r, k);
    double depth = carom_shape_half_thickness(*a)*pow(10, random_uniform(r, low, high));
    caromMat3 yaw = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), random_uniform(r, 0, 6))), spin =
        carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), random_uniform(r, 0, 6)));
    *Xa = resting(*a, carom_mat_mul(yaw, carom_mat_mul(turned(random_tilt(r, *a, depth)), spin)), depth);
}

static double energy_of(caromShape a, caromPose Xa, caromPose Xb)
{
    caromShape ground = carom_half_space();
    bool swapped;
    return carom_patch_row(&a, &ground, &swapped)->energy(&a, Xa, &ground, Xb);
}

// Difference of fourth order of the energy along a motion of B by h times (linear e, angular w about the centre of pressure).
static double slope(caromShape a, caromPose Xa, caromVec3 about, caromVec3 e, caromVec3 w, double h)
{
    double value[4];
    const double at[4] = { -2, -1, 1, 2 };
    for (int i = 0; i < 4; i++) {
        double x = at[i]*h;
        caromMat3 Q = carom_norm(w) > 0 ? carom_quat_matrix(carom_quat_axis_angle(w, x)) : carom_mat_identity();
        // a half-space may have its origin anywhere on its surface: above the centre, where it hardly moves
        caromPose Xb = { Q, carom_add(carom_axpy(x, e, about), carom_mul(Q, carom_vec(0, 0, -about.z))) };
        value[i] = energy_of(a, Xa, Xb);
    }
    return (8*(value[2] - value[1]) - (value[3] - value[0]))/(12*h);
}

// Force and torque are minus the gradient of the energy. Depth is rounded to 1e-16 of the size, which differences divide by their
// step; and where a face is just about to lift off W goes with the power 7/2 of what is missing, so that they are off by the power 5/2 of the step, 2e-7.
static void check_gradient(caromShape a, caromPose Xa)
{
    Pressed p = on_ground(a, Xa);
    double size = carom_shape_radius(a), wide = sqrt(fmax(p.spread[0], p.spread[1])), step = 0.002*p.depth, noise = 2e-16*size/step;
    caromVec3 zero = { 0, 0, 0 }, z = { 0, 0, 1 };
    double tolerance = 1e-6 + noise;
    CHECK_NEAR(-slope(a, Xa, p.centre, z, zero, step), p.force.z, tolerance*p.volume);
    for (int axis = 0; axis < 2; axis++) {
        caromVec3 w = { axis == 0, axis == 1, 0 };
        // about the centre of pressure there is no torque
        CHECK_NEAR(slope(a, Xa, p.centre, zero, w, fmin(0.02, step/fmax(wide, p.depth)))/fmax(wide, p.depth), 0, tolerance*p.volume);
    }
}

static void force_and_torque_are_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 41 };
    for (int k = 0; k < 1500; k++) {
        caromShape a;
        caromPose Xa;
        random_case(&r, k, -7, -0.6, &a, &Xa);
        check_gradient(a, Xa);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(a_tilted_cylinder_is_cut_to_a_hoof),
        cmocka_unit_test(force_and_torque_are_the_gradient_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
