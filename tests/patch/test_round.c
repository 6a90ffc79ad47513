// Round bodies on a half-space: the part below against closed forms and another way to integrate it, force and torque
// against the energy, along paths.
#include "carom/collide.h"

#include "collide_fixture.h"
#include "geometry/geometry.h"
#include "patch/fields.h"
#include "patch/table.h"

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

static double extent(caromShape a, caromVec3 down)
{
    if (a.kind == CAROM_TORUS) return a.size.x*hypot(down.x, down.y) + a.size.y;
    caromCore core = carom_shape_core(&a);
    return carom_shape_core_extent(&core, down) + core.radius;
}

// From standing to lying on its side.
static double lying(caromShape a)
{
    if (a.kind == CAROM_TORUS) return pi/2;
    caromCore core = carom_shape_core(&a);
    return pi/2 + atan2(core.r1 - core.r0, core.z1 - core.z0);
}

// On the half-space z < 0, turned by q, pressed in by `depth`.
static caromPose resting(caromShape a, caromMat3 R, double depth)
{
    caromPose X = { R, { 0, 0, 0 } };
    X.p.z = extent(a, carom_tmul(R, carom_vec(0, 0, -1))) - depth;
    return X;
}

static Pressed on_ground(caromShape a, caromPose Xa)
{
    return pressed(a, Xa, carom_shape_half_space(), carom_pose_identity());
}

static caromMat3 turned(double angle)  // about y: 0 stands, pi/2 lies
{
    return carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), angle));
}

// Area cut off a disc to the height h, without cancellation: 2 int_0^h sqrt(y (2 r - y)) dy with y = s^2.
static double segment(double r, double h)
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
        Pressed p = on_ground(carom_shape_cylinder(R, L), resting(carom_shape_cylinder(R, L), turned(pi/2), d));
        CHECK_NEAR(p.depth, d, 2e-16);
        CHECK_NEAR(p.volume, L*segment(R, d), rel*p.volume);
        CHECK_NEAR(p.spread[0], L*L/12, 1e-6);
        p = on_ground(carom_shape_cylinder(R, L), resting(carom_shape_cylinder(R, L), turned(0), d));
        CHECK_NEAR(p.volume, pi*R*R*d, rel*p.volume);
        CHECK_NEAR(p.energy, pi*R*R*d*d/2, 2*rel*p.energy);
        CHECK_NEAR(p.spread[0], R*R/4, 1e-13);
        CHECK_NEAR(p.spread[1], R*R/4, 1e-13);
        CHECK_NEAR(p.spread[2], 0, 1e-16);
        CHECK_NEAR(p.centre.z, -d/2, 1e-16 + 1e-15*d);
        p = on_ground(carom_shape_capsule(R, L), resting(carom_shape_capsule(R, L), turned(0), d));
        CHECK_NEAR(p.volume, pi*d*d*(3*R - d)/3, 2*rel*p.volume);
        CHECK_NEAR(p.energy, pi*d*d*d*(4*R - d)/12, 3*rel*p.energy);  // the volume integrated over depth
        // Of a paraboloid: mean of (2 R y)/4 over depths y with weight y.
        CHECK_NEAR(p.spread[0], d*R/3, 0.3*d*d + 1e-15);
        p = on_ground(carom_shape_capsule(R, L), resting(carom_shape_capsule(R, L), turned(pi/2), d));
        CHECK_NEAR(p.volume, L*segment(R, d) + pi*d*d*(3*R - d)/3, 2*rel*p.volume);
        // A cone on its tip, of half angle 45 degrees: the part below is a cone.
        p = on_ground(carom_shape_cone(R, 0, R), resting(carom_shape_cone(R, 0, R), turned(pi), d));
        CHECK_NEAR(p.volume, pi*d*d*d/3, 3*rel*p.volume);
        CHECK_NEAR(p.energy, pi*d*d*d*d/12, 4*rel*p.energy);
        // A rounded disc: V = pi int (R0 + sqrt(2 r y - y^2))^2 dy over depth y, R0 the radius of the flat face.
        double r = 0.03, R0 = R - r;
        p = on_ground(carom_shape_rounded(carom_shape_cylinder(R, L), r),
                      resting(carom_shape_rounded(carom_shape_cylinder(R, L), r), turned(0), d));
        CHECK_NEAR(p.volume, pi*(R0*R0*d + R0*segment(r, d) + r*d*d - d*d*d/3), 2*rel*p.volume);
    }
}

// A cylinder cut obliquely: a hoof. From [its axis] with half angle t of the base: V = R^2 h/(3 (1 - cos t)) (3 sin
// t - 3 t cos t - sin^3 t), h the height at the rim.
static void a_tilted_cylinder_is_cut_to_a_hoof(void **state)
{
    (void)state;
    for (int k = 1; k < 30; k++) {
        // Height of the hoof along the axis.
        double R = 0.1, tilt = 0.05*k, t = 0.3 + 0.07*k, h = R*(1 - cos(t))*tan(tilt);
        caromShape a = carom_shape_cylinder(R, 100*R);
        Pressed p = on_ground(a, resting(a, turned(tilt), h*cos(tilt)));
        double hoof = R*R*h/(3*(1 - cos(t)))*(3*sin(t) - 3*t*cos(t) - pow(sin(t), 3));
        CHECK_NEAR(p.volume, hoof, 1e-11*hoof);  // depth is a difference of lengths of some m: 1e-15/1e-3
    }
}

static caromMat3 random_rotation_matrix(Random *r)
{
    return carom_quat_matrix(random_rotation(r));
}

static void check_same(Pressed p, Pressed q, double size, double rel)
{
    CHECK_NEAR(p.depth, q.depth, rel*q.depth);
    CHECK_NEAR(p.volume, q.volume, rel*q.volume);
    CHECK_NEAR(p.energy, q.energy, rel*q.energy);
    CHECK_VEC(p.centre, q.centre, rel*size);
    for (int i = 0; i < 3; i++) CHECK_NEAR(p.spread[i], q.spread[i], rel*size*size);
}

// Columns of the part below: how far up a ray from below goes until it meets the body.
static Pressed by_columns(caromShape a, caromPose X, int n)
{
    Pressed p = { 0 };
    double half = carom_shape_radius(a), step = 2*half/n;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        caromVec3 from = { X.p.x + (i + 0.5)*step - half, X.p.y + (j + 0.5)*step - half, X.p.z - 2*half };
        caromRayHit hit = carom_collide_ray(a, X, from, carom_vec(0, 0, 1), 4*half);
        double depth = -hit.p_W.z;
        if (!hit.hit || !(depth > 0)) continue;
        p.volume += depth*step*step;
        p.energy += 0.5*depth*depth*step*step;
        p.centre = carom_axpy(depth*step*step, carom_vec(from.x, from.y, -0.5*depth), p.centre);
    }
    p.centre = carom_scale(1/p.volume, p.centre);
    return p;
}

// Boxes with cores of any thickness, down to none: flat plates, rods, near balls.
static void rounded_boxes_displace_what_their_columns_do(void **state)
{
    (void)state;
    Random r = { 53 };
    for (int k = 0; k < share_of(60); k++) {
        double a = 0.1, b = k % 4 ? 0.1 : 0.1001, c = k % 3 == 0 ? 0.05 : k % 3 == 1 ? 0.1 : 0.1002,
               rounding = 0.5*c*(k % 5 ? 1 - pow(10, random_uniform(&r, -6, -0.5)) : 1);
        rounding = fmin(rounding, 0.5*a);
        caromShape box = carom_shape_rounded(carom_shape_box(a, b, c), rounding);
        caromPose X = resting(box, k % 4 ? random_rotation_matrix(&r) : turned(pi/2*(k % 8 == 4)), 0.4*0.5*fmin(a, c));
        Pressed p = on_ground(box, X), q = by_columns(box, X, 120);
        // the midpoint rule, where depth has a kink at the rim: some (1/120)^2 of it, ten times that allowed
        CHECK_NEAR(p.volume, q.volume, 1e-3*q.volume);
        CHECK_NEAR(p.energy, q.energy, 1e-3*q.energy);
        CHECK_VEC(p.centre, q.centre, 1e-3*a);
    }
}

// A box that is rounded by half of two edges is a capsule, by half of all of them a ball: two ways to find the same.
static void rounded_boxes_without_width_are_capsules(void **state)
{
    (void)state;
    Random r = { 51 };
    for (int k = 0; k < share_of(300); k++) {
        double R = random_size(&r), L = k % 3 == 0 ? 0 : random_size(&r), size = 2*R + L,
               d = R*pow(10, random_uniform(&r, -4, -0.3));
        caromMat3 turn = random_rotation_matrix(&r);
        if (k % 5 == 0) turn = turned(pi/2*(1 + pow(10, random_uniform(&r, -8, 0))));
        double core = 1e-12*R;  // a box without any would be taken for a capsule
        caromShape box = carom_shape_rounded(carom_shape_box(2*R + core, 2*R + core, 2*R + L + core), R),
                   capsule = carom_shape_capsule(R, L);
        double rel = 1e-10 + 1e-11*size/d;  // what the core adds to depth, with which volumes grow by up to its square
        check_same(on_ground(box, resting(capsule, turn, d)), on_ground(capsule, resting(capsule, turn, d)), size, rel);
    }
}

static void rounded_boxes_have_closed_forms_on_faces_and_edges(void **state)
{
    (void)state;
    const double depths[] = { 1e-9, 1e-6, 1e-3, 0.008 };
    for (int k = 0; k < 4; k++) {
        double d = depths[k], r = 0.01, a = 0.1, b = 0.07, c = 0.05, rel = 1e-12 + 1e-15/d, cap = pi*d*d*(3*r - d)/3;
        caromShape box = carom_shape_rounded(carom_shape_box(a + 2*r, b + 2*r, c + 2*r), r);
        Pressed p = on_ground(box, resting(box, carom_mat_identity(), d));
        CHECK_NEAR(p.volume, a*b*d + (a + b)*segment(r, d) + cap, rel*p.volume);
        if (k < 3) CHECK_NEAR(p.spread[0], a*a/12, 0.3*r*a);
        if (d > 0.25*r) continue;  // the other corners of the arc
        p = on_ground(box, resting(box, turned(pi/4), d));
        CHECK_NEAR(p.volume, b*segment(r, d) + cap, rel*p.volume);
        p = on_ground(box, resting(box, carom_mat_mul(
                turned(atan(sqrt(0.5))), carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), pi/4))), d));
        CHECK_NEAR(p.volume, cap, rel*p.volume);  // on a corner only a ball touches
    }
}

// The same box as a polytope; and when the rounding goes to nothing, the volume of the sharp one, which floats as well.
static void rounded_polytopes_are_boxes_too(void **state)
{
    (void)state;
    Random r = { 52 };
    caromVec3 corner[8];
    for (int k = 0; k < 8; k++) corner[k] = carom_vec(k & 1 ? 0.05 : -0.05, k & 2 ? 0.04 : -0.04, k & 4 ? 0.03 : -0.03);
    for (int k = 0; k < share_of(200); k++) {
        double rounding = pow(10, random_uniform(&r, -4, -1.6)), d = 0.03*pow(10, random_uniform(&r, -6, -0.3));
        caromHull *hull = carom_hull_create(corner, 8, rounding, NULL);
        caromShape box = carom_shape_rounded(carom_shape_box(0.1, 0.08, 0.06), rounding),
                   polytope = carom_shape_polytope(hull);
        caromPose X = resting(box, k % 4 ? random_rotation_matrix(&r) : carom_mat_identity(), d);
        check_same(on_ground(polytope, X), on_ground(box, X), 0.1, 1e-11 + 1e-15*0.1/d);
        carom_hull_destroy(hull);
    }
}

// Shapes of all kinds and proportions.
static caromShape random_round(Random *r, int kind)
{
    double a = random_size(r), b = random_size(r), c = random_size(r);
    caromShape s;
    switch (kind % 7) {
    case 6: return carom_shape_torus(a, a*random_uniform(r, 0.01, 0.99));
    case 5: s = carom_shape_box(a, b, c); break;
    case 0: return carom_shape_cylinder(a, b);
    case 1: return carom_shape_cone(a, kind % 2 ? 0.0 : b, c);
    case 2: return carom_shape_capsule(a, b);
    case 3: s = carom_shape_cylinder(a, b); break;
    default: s = carom_shape_cone(a, kind % 2 ? 0.0 : b, c); break;
    }
    return carom_shape_rounded(s, random_uniform(r, 0.02, 0.98)*carom_shape_half_thickness(s));
}

// Upright, lying on its side, near either or anything between.
static double random_tilt(Random *r, caromShape a, double depth)
{
    if (a.kind == CAROM_BOX && random_uniform(r, 0, 1) < 0.5)
        return random_uniform(r, 0, 2) < 1 ? pi/2*(int)random_uniform(r, 0, 3) : random_uniform(r, 0, pi);
    double size = carom_shape_radius(a);
    switch ((int)random_uniform(r, 0, 6)) {
    case 0: return 0;
    case 1: return random_uniform(r, 0, 3)*depth/size;
    case 2: return lying(a) + random_uniform(r, -3, 3)*depth/size;
    case 3: return pow(10, random_uniform(r, -5, 0));
    case 4: return lying(a) + pow(10, random_uniform(r, -5, 0));
    default: return random_uniform(r, 0, pi);
    }
}

// A body of some kind, turned somehow, pressed in by 10^low to 10^high of its half thickness.
static void random_case(Random *r, int k, double low, double high, caromShape *a, caromPose *Xa)
{
    *a = random_round(r, k);
    double depth = carom_shape_half_thickness(*a)*pow(10, random_uniform(r, low, high));
    caromMat3 yaw = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), random_uniform(r, 0, 6)));
    caromMat3 spin = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), k % 4 == 0 &&
                                                             a->kind == CAROM_BOX ? 0 : random_uniform(r, 0, 6)));
    *Xa = resting(*a, carom_mat_mul(yaw, carom_mat_mul(turned(random_tilt(r, *a, depth)), spin)), depth);
}

static double energy_of(caromShape a, caromPose Xa, caromPose Xb)
{
    caromShape ground = carom_shape_half_space();
    bool swapped;
    return carom_patch_row(&a, &ground, &swapped)->energy(&a, Xa, &ground, Xb);
}

// Difference of fourth order of the energy along a motion of B by h times (linear e, angular w about the centre of
// pressure).
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

// Force and torque are minus the gradient of the energy. Depth is rounded to 1e-16 of the size, which differences
// divide by their step; and where a face is just about to lift off W goes with the power 7/2 of what is missing, so
// that they are off by the power 5/2 of the step, 2e-7.
static void check_gradient(caromShape a, caromPose Xa)
{
    Pressed p = on_ground(a, Xa);
    double size = carom_shape_radius(a), wide = sqrt(fmax(p.spread[0], p.spread[1])), step = 0.002*p.depth,
           noise = 2e-16*size/step;
    caromVec3 zero = { 0, 0, 0 }, z = { 0, 0, 1 };
    double tolerance = 1e-6 + noise;
    CHECK_NEAR(-slope(a, Xa, p.centre, z, zero, step), p.force.z, tolerance*p.volume);
    for (int axis = 0; axis < 2; axis++) {
        caromVec3 w = { axis == 0, axis == 1, 0 };
        // about the centre of pressure there is no torque
        CHECK_NEAR(slope(a, Xa, p.centre, zero, w, fmin(0.02, step/fmax(wide, p.depth)))/fmax(wide, p.depth), 0,
                   tolerance*p.volume);
    }
}

static void force_and_torque_are_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 41 };
    for (int k = 0; k < share_of(1500); k++) {
        caromShape a;
        caromPose Xa;
        random_case(&r, k, -7, -0.6, &a, &Xa);
        check_gradient(a, Xa);
    }
}

static void force_of_rounded_polytopes_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 42 };
    for (int k = 0; k < share_of(150); k++) {
        caromHull *hull = random_hull(&r, pow(10, random_uniform(&r, -4, -1.5)));
        if (!hull) continue;
        caromShape a = carom_shape_polytope(hull);
        check_gradient(a, resting(a, random_rotation_matrix(&r),
                                  carom_shape_half_thickness(a)*pow(10, random_uniform(&r, -6, -0.5))));
        carom_hull_destroy(hull);
    }
}

// Along smooth paths force and torque have no jumps: from one of N steps to the next they change by no more than
// something like 1/N of their largest. And their rates have none but at the first touch: second differences fall too.
typedef struct Jumps { double value, rate; } Jumps;

typedef struct Path {
    caromShape a;
    caromQuat q;
    caromVec3 w;             // turning
    double amplitude, phase, swing;
} Path;

static caromPose along(const Path *path, double s)
{
    caromMat3 R = carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(path->w, path->swing*s)),
                                carom_quat_matrix(path->q));
    // as high as in the middle of the path, less so much that it touches all the time: turning by swing/2
    // lifts by up to 3 amplitudes
    caromMat3 middle = carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(path->w, 0.5*path->swing)),
                                     carom_quat_matrix(path->q));
    return (caromPose){ R, resting(path->a, middle, path->amplitude*(4.1 + sin(path->phase + 3*s))).p };
}

static Jumps largest_jumps(const Path *path, int n)
{
    Jumps jumps = { 0, 0 };
    double largest = 0, size = carom_shape_radius(path->a);
    caromVec3 f[3] = { { 0 } }, t[3] = { { 0 } };
    for (int i = 0; i <= n; i++) {
        Pressed p = on_ground(path->a, along(path, (double)i/n));
        f[0] = f[1], f[1] = f[2], f[2] = p.force;
        t[0] = t[1], t[1] = t[2], t[2] = carom_scale(1/size, p.torque);
        largest = fmax(largest, p.volume);
        if (i > 0)
            jumps.value = fmax(jumps.value, fmax(carom_norm(carom_sub(f[2], f[1])), carom_norm(carom_sub(t[2], t[1]))));
        if (i > 1) {
            caromVec3 ff = carom_add(carom_sub(f[2], f[1]), carom_sub(f[0], f[1])),
                      tt = carom_add(carom_sub(t[2], t[1]), carom_sub(t[0], t[1]));
            jumps.rate = fmax(jumps.rate, n*fmax(carom_norm(ff), carom_norm(tt)));
        }
    }
    return (Jumps){ jumps.value/largest, jumps.rate/largest };
}

// Tilting through upright, lying and edges at a depth d happens within angles of d/size, so that steps must be shorter:
// the swing of a path is some of these.
static void force_and_torque_are_continuous_along_paths(void **state)
{
    (void)state;
    Random r = { 43 };
    for (int k = 0; k < share_of(300); k++) {
        Path path = { .a = random_round(&r, k), .phase = random_uniform(&r, 0, 6) };
        path.amplitude = carom_shape_half_thickness(path.a)*pow(10, random_uniform(&r, -5, -1));
        double size = carom_shape_radius(path.a), edge = pi/2*(int)random_uniform(&r, 0, 3);
        double centre = path.a.kind == CAROM_BOX || k % 3 == 0 ? edge : k % 3 == 1 ? lying(path.a)
                                                               : random_uniform(&r, 0, pi);
        path.swing = 6*path.amplitude/size;
        path.w = carom_unit_or(random_vec(&r, 1), carom_vec(0, 1, 0));
        caromQuat tilt = carom_quat_axis_angle(carom_vec(0, 1, 0), centre),
                  back = carom_quat_axis_angle(path.w, -0.5*path.swing);
        path.q = carom_quat_mul(back, tilt);
        Jumps j[3];
        for (int i = 0; i < 3; i++) j[i] = largest_jumps(&path, 200 << i);
        assert_true(j[0].value < 0.2);
        CHECK_NEAR(j[1].value/j[0].value, 0.5, 0.1);
        CHECK_NEAR(j[2].value/j[1].value, 0.5, 0.1);
        assert_true(j[2].rate < 0.8*j[0].rate);  // slowest where a face lifts off: like the root of the step
    }
}

// Of the disc of radius rho below x = chord: area, and its moment along x.
static void beyond_chord(double rho, double chord, double *area, double *moment)
{
    double x = fmax(-rho, fmin(rho, chord)), half = sqrt(fmax(0, rho*rho - x*x));
    *area = rho*rho*acos(x/fmax(rho, 1e-300)) - x*half;
    *moment = 2.0/3*half*half*half;
}

// Across its axis a torus is an annulus, of which the plane cuts off the part beyond a chord: another way to integrate
// it, with the middle of each slice; heights go with the sine of an angle, so that the ends of the tube are smooth.
typedef struct Slices { double volume, energy, moment; } Slices;
static Slices by_annuli(double R, double r, double tilt, double offset, int n)
{
    Slices s = { 0, 0, 0 };
    double c = sin(tilt), m = cos(tilt);  // depth = offset + c x - m z
    for (int i = 0; i < n; i++) {
        double angle = pi*((i + 0.5)/n - 0.5), z = r*sin(angle), dz = r*cos(angle)*pi/n, wide = r*cos(angle);
        double level = offset - m*z, area[2], moment[2];
        for (int k = 0; k < 2; k++) beyond_chord(R + (k ? -wide : wide), -level/c, &area[k], &moment[k]);
        double a = area[0] - area[1], x = moment[0] - moment[1];
        s.volume += a*dz;
        s.moment += x*dz;
        s.energy += (level*a + c*x)*dz;
    }
    return s;
}

static void tori_displace_what_their_annuli_do(void **state)
{
    (void)state;
    Random r = { 45 };
    for (int k = 0; k < share_of(200); k++) {
        double R = random_uniform(&r, 0.05, 0.2), tube = R*random_uniform(&r, 0.05, 0.95),
               tilt = k % 4 == 0 ? random_uniform(&r, 0.001, 0.1) : random_uniform(&r, 0.01, pi/2);
        double depth = tube*random_uniform(&r, 0.05, k % 3 ? 0.9 : 2.5);
        caromShape a = carom_shape_torus(R, tube);
        // lowest at x > 0: depth grows along x of the shape
        Pressed p = on_ground(a, resting(a, turned(tilt), depth));
        Slices s = by_annuli(R, tube, tilt, depth - (R*sin(tilt) + tube), 40000);
        CHECK_NEAR(p.volume, s.volume, 1e-6*s.volume);
        CHECK_NEAR(p.energy, s.energy, 1e-6*s.energy);
        // The centre along the plane: of x cos(tilt) + z sin(tilt), and depth says where z is.
        double x = s.moment/s.volume, z = (depth - (R*sin(tilt) + tube) + sin(tilt)*x - s.energy/s.volume)/cos(tilt);
        CHECK_NEAR(fabs(p.centre.x), fabs(x*cos(tilt) + z*sin(tilt)), 1e-5*R);
        CHECK_NEAR(p.centre.y, 0, 1e-9*R);
    }
}

// Flat on the plane it is a segment that goes all around (Pappus), and spreads as the ring does.
static void a_flat_torus_has_a_closed_form(void **state)
{
    (void)state;
    for (int k = 1; k < 9; k++) {
        double R = 0.1, r = 0.03, d = r*pow(10, -k), rel = 1e-12 + 2e-15*r/d;
        Pressed p = on_ground(carom_shape_torus(R, r), resting(carom_shape_torus(R, r), turned(0), d));
        CHECK_NEAR(p.volume, 2*pi*R*segment(r, d), 2*rel*p.volume);
        CHECK_NEAR(p.spread[0], R*R/2, 3*d*r);
        CHECK_NEAR(p.spread[1], p.spread[0], 1e-13);
        CHECK_NEAR(p.spread[2], 0, 1e-15);
    }
}

static void nothing_presses_above_the_surface(void **state)
{
    (void)state;
    Random r = { 44 };
    for (int k = 0; k < share_of(60); k++) {
        caromShape a = random_round(&r, k);
        Pressed p = on_ground(a, resting(a, random_rotation_matrix(&r), -1e-9*carom_shape_radius(a)));
        assert_true(p.volume == 0 && p.energy == 0 && p.depth == 0);
        // wholly below: all of it, at its middle
        if (a.kind == CAROM_BOX) continue;  // exact as far as the surfaces that look up are above
        p = on_ground(a, resting(a, random_rotation_matrix(&r), 2.5*carom_shape_radius(a)));
        CHECK_NEAR(p.volume, carom_shape_volume(a), 1e-10*carom_shape_volume(a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(a_tilted_cylinder_is_cut_to_a_hoof),
        cmocka_unit_test(rounded_boxes_without_width_are_capsules),
        cmocka_unit_test(rounded_boxes_displace_what_their_columns_do),
        cmocka_unit_test(rounded_boxes_have_closed_forms_on_faces_and_edges),
        cmocka_unit_test(rounded_polytopes_are_boxes_too),
        cmocka_unit_test(a_flat_torus_has_a_closed_form),
        cmocka_unit_test(tori_displace_what_their_annuli_do),
        cmocka_unit_test(force_and_torque_are_the_gradient_of_the_energy),
        cmocka_unit_test(force_of_rounded_polytopes_is_the_gradient_of_the_energy),
        cmocka_unit_test(force_and_torque_are_continuous_along_paths),
        cmocka_unit_test(nothing_presses_above_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
