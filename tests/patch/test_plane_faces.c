// The surface between plane-faced shapes: against its energy, against closed forms, along paths, mirrored and moved.
#include "carom/collide.h"

#include "collide_fixture.h"
#include "geometry/geometry.h"
#include "patch/fields.h"

// Shapes with hulls, made once.

enum { BOX_HULL, OCTAHEDRON, PRISM, BALL_8, BALL_20, BALL_100, BALL_400, OFF_CENTRE, CONE_600, PRISM_700, CUBE_HULL,
       OTHER_400, HULLS };
static caromHull *hulls[HULLS];
static const caromVec3 box_size = { 0.3, 0.5, 0.7 };

static caromHull *hull_of(const caromVec3 *points, int n)
{
    caromError err;
    caromHull *hull = carom_hull_create(points, n, 0.0, &err);
    if (!hull) print_error("%s\n", err.message);
    assert_non_null(hull);
    return hull;
}

static caromHull *box_hull(caromVec3 size)
{
    caromVec3 p[8];
    for (int k = 0; k < 8; k++)
        p[k] = carom_vec((k & 1 ? 0.5 : -0.5)*size.x, (k & 2 ? 0.5 : -0.5)*size.y, (k & 4 ? 0.5 : -0.5)*size.z);
    return hull_of(p, 8);
}

static caromHull *ball_hull(int n, double radius, caromVec3 centre)  // n random points of a sphere
{
    Random r = { 1000 + (uint64_t)n };
    caromVec3 p[400];
    for (int k = 0; k < n; k++) p[k] = carom_axpy(radius, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)), centre);
    return hull_of(p, n);
}

static caromHull *prism_hull(int n, double radius, double half_length, bool is_cone)
{
    caromVec3 p[1400];
    int m = 0;
    for (int k = 0; k < n; k++) {
        double t = 2*acos(-1)*k/n;
        p[m++] = carom_vec(radius*cos(t), radius*sin(t), half_length);
        if (!is_cone) p[m++] = carom_vec(radius*cos(t), radius*sin(t), -half_length);
    }
    if (is_cone) p[m++] = carom_vec(0, 0, -half_length);
    return hull_of(p, m);
}

static int make_hulls(void **state)
{
    (void)state;
    const caromVec3 octahedron[6] = { { 0.3, 0, 0 }, { -0.3, 0, 0 }, { 0, 0.3, 0 }, { 0, -0.3, 0 }, { 0, 0, 0.3 },
                                      { 0, 0, -0.3 } };
    const caromVec3 origin = { 0, 0, 0 };
    hulls[BOX_HULL] = box_hull(box_size);
    hulls[OCTAHEDRON] = hull_of(octahedron, 6);
    hulls[PRISM] = prism_hull(7, 0.25, 0.2, false);
    hulls[BALL_8] = ball_hull(8, 0.3, origin);
    hulls[BALL_20] = ball_hull(20, 0.3, origin);
    hulls[BALL_100] = ball_hull(100, 0.3, origin);
    hulls[BALL_400] = ball_hull(400, 0.3, origin);
    hulls[OFF_CENTRE] = ball_hull(20, 0.3, carom_vec(3, -2, 1));
    hulls[CONE_600] = prism_hull(600, 0.3, 0.2, true);
    hulls[PRISM_700] = prism_hull(700, 0.3, 0.2, false);
    hulls[OTHER_400] = ball_hull(399, 0.3, origin);
    hulls[CUBE_HULL] = box_hull(carom_vec(0.1, 0.1, 0.1));
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    for (int i = 0; i < HULLS; i++) carom_hull_destroy(hulls[i]);
    return 0;
}

static caromShape polytope(int i)
{
    return carom_shape_polytope(hulls[i]);
}

// What the polygons add up to.

typedef struct Total {
    int n;
    double area, volume, depth;
    caromVec3 force, torque;     // volume n_AB; torque about the origin
    caromVec3 centre, pressure;  // area centroid, volume pressure_centre: both sums
} Total;

static void add_polygon(const caromPolygon *p, void *user)
{
    Total *t = user;
    caromVec3 f = carom_scale(p->volume, p->n_AB);
    t->n++;
    t->area += p->area;
    t->volume += p->volume;
    t->force = carom_add(t->force, f);
    t->torque = carom_add(t->torque, carom_cross(p->pressure_centre_W, f));
    t->centre = carom_axpy(p->area, p->centroid_W, t->centre);
    t->pressure = carom_axpy(p->volume, p->pressure_centre_W, t->pressure);
    for (int k = 0; k < p->n; k++) t->depth = fmax(t->depth, p->depth[k]);
}

static Total total(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    Total t = { 0 };
    int n = carom_patch_polygons(a, Xa, b, Xb, add_polygon, &t);
    assert_int_equal(n, t.n);
    return t;
}

// Force of the cells on B, and torque about Xb.p.
static void resultant(caromShape a, caromPose Xa, caromShape b, caromPose Xb, caromVec3 *force, caromVec3 *torque)
{
    static caromPatch patch;
    carom_patch_shapes(&a, Xa, &b, Xb, &patch);
    *force = *torque = carom_vec(0, 0, 0);
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 f = carom_scale(patch.cells[i].weight, patch.cells[i].n_AB);
        *force = carom_add(*force, f);
        *torque = carom_add(*torque, carom_cross(carom_sub(patch.cells[i].p_W, Xb.p), f));
    }
}

static double area_of_cells(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromPatch patch;
    double area = 0.0;
    carom_patch_shapes(&a, Xa, &b, Xb, &patch);
    for (int i = 0; i < patch.ncell; i++) area += patch.cells[i].area;
    return area;
}

static double energy(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    return carom_patch_shapes_energy(&a, Xa, &b, Xb);
}

// W by brute force: the smaller of the two fields summed over a fine grid of points in a box that holds A.

static double field_at(caromShape s, caromPose X, caromVec3 x_W)
{
    caromVec3 x = carom_pose_inverse_point(X, x_W);
    if (s.kind == CAROM_HALF_SPACE) return -x.z;
    if (s.kind == CAROM_BOX)
        return fmin(0.5*s.size.x - fabs(x.x), fmin(0.5*s.size.y - fabs(x.y), 0.5*s.size.z - fabs(x.z)));
    double d = INFINITY;
    for (int i = 0; i < s.hull->nface; i++) d = fmin(d, s.hull->offsets[i] - carom_dot(s.hull->normals[i], x));
    return d;
}

static double energy_on_grid(caromShape a, caromPose Xa, caromShape b, caromPose Xb, double half, int n)
{
    double sum = 0, step = 2*half/n;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) {
        caromVec3 x = carom_pose_point(Xa,
                                       carom_vec((i + 0.5)*step - half, (j + 0.5)*step - half, (k + 0.5)*step - half));
        sum += fmax(0, fmin((1 + 1/1.3)*field_at(a, Xa, x), (1 + 1.3)*field_at(b, Xb, x)));
    }
    return sum*step*step*step;
}

static void field_energy_is_the_integral_of_the_smaller_field(void **state)
{
    (void)state;
    Random r = { 14 };
    const caromShape boxes[2] = { carom_shape_box(0.3, 0.5, 0.7), polytope(BOX_HULL) };
    for (int k = 0; k < 12; k++) {
        caromShape a = k % 2 ? polytope(k % 4 == 1 ? OCTAHEDRON : BALL_20) : boxes[0];
        caromShape b = k % 3 == 0 ? carom_shape_half_space() : k % 3 == 1 ? polytope(PRISM) : boxes[1];
        caromPose Xa = random_pose(&r, 0.15), Xb = random_pose(&r, 0.15);
        double exact = energy(a, Xa, b, Xb), grid = energy_on_grid(a, Xa, b, Xb, 0.36, 50);
        CHECK_NEAR(grid, exact, 1e-2*exact + 1e-7);  // midpoint rule on 50^3 points of a function with kinks
    }
}

// The same cell by cell, by cones over the faces of each.

static void add_pressures(caromShape s, caromPose X, double k, caromNear *near)
{
    const caromVec3 axes[3] = { X.R.cx, X.R.cy, X.R.cz };
    if (s.kind == CAROM_HALF_SPACE) {
        near->p[near->n++] = (caromPlane){ carom_scale(-k, axes[2]), k*carom_dot(axes[2], X.p) };
        return;
    }
    for (int i = 0; i < 6 && s.kind == CAROM_BOX; i++) {
        caromVec3 n = carom_scale(i%2 ? -k : k, axes[i/2]);
        near->p[near->n++] = (caromPlane){ carom_neg(n), 0.5*k*carom_at(s.size, i/2) + carom_dot(n, X.p) };
    }
    for (int i = 0; s.kind == CAROM_POLYTOPE && i < s.hull->nface; i++) {
        caromVec3 n = carom_scale(k, carom_mul(X.R, s.hull->normals[i]));
        near->p[near->n++] = (caromPlane){ carom_neg(n), k*s.hull->offsets[i] + carom_dot(n, X.p) };
    }
}

static double energy_of_cones(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    static caromNear near;
    near = (caromNear){ .centre = Xa.p, .reach = 0.5 };
    add_pressures(a, Xa, carom_field_softer(), &near);
    add_pressures(b, Xb, carom_field_stiffer(), &near);
    return carom_patch_near_energy(&near);
}

// Shallow and deep, in faces, edges and corners: the work of each is off by roundings of its own, cones by more.
static void energy_is_that_of_its_cells(void **state)
{
    (void)state;
    Random r = { 15 };
    const caromShape box = carom_shape_box(0.3, 0.5, 0.7),
                     others[5] = { carom_shape_half_space(), box, carom_shape_box(0.2, 0.2, 0.1), polytope(PRISM),
                                   polytope(BALL_20) };
    for (int k = 0; k < 60; k++) {
        caromShape b = others[k % 5];
        caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 0.1);
        caromGap gap = carom_collide_shapes(box, Xa, b, Xb);
        double depth = k % 2 ? 1e-4 : 0.02;
        Xb.p = carom_axpy(-depth - gap.g, gap.n_AB, Xb.p);
        caromShape first = b.kind == CAROM_HALF_SPACE ? box : box.kind <= b.kind ? box : b;
        double exact = first.kind == box.kind ? energy_of_cones(box, Xa, b, Xb) : energy_of_cones(b, Xb, box, Xa);
        assert_true(exact > 0);
        CHECK_NEAR(energy(box, Xa, b, Xb), exact, 1e-9*exact + 1e-16*depth);
    }
}

// d^2/2 times the area, however thin: on the ground, and on a like box whose sides are flush.
static void energy_of_a_face_is_that_of_its_depth(void **state)
{
    (void)state;
    const caromShape box = carom_shape_box(0.3, 0.5, 0.7), ground = carom_shape_half_space();
    for (double d = 1e-3; d > 1e-9; d *= 0.1) {
        double exact = 0.5*0.15*d*d, rounding = 1e-15/d;  // of the place in the depth, twice
        double rim = 3*d;  // beside the sides pressure falls: a part of some depths over the size
        CHECK_NEAR(energy(box, pose_at(0, 0, 0.35 - d), ground, pose_at(0, 0, 0)), exact, (rim/0.3 + rounding)*exact);
        CHECK_NEAR(energy(box, pose_at(0, 0, 0), box, pose_at(0, 0, 0.7 - d)), exact, (rim/0.3 + rounding)*exact);
    }
}

// Force and torque are minus the gradient of W: central differences of W along all six motions of B. fine holds the
// forces of the differences.
static void check_gradient(caromShape a, caromPose Xa, caromShape b, caromPose Xb, double step, double tolerance)
{
    caromVec3 force, torque;
    resultant(a, Xa, b, Xb, &force, &torque);
    for (int axis = 0; axis < 3; axis++) {
        caromVec3 e = { axis == 0, axis == 1, axis == 2 };
        double work[2], turn[2];
        for (int s = 0; s < 2; s++) {  // Richardson: fourth order from two second-order differences
            double h = s ? step : 2*step;
            caromPose up = { Xb.R, carom_axpy(h, e, Xb.p) }, down = { Xb.R, carom_axpy(-h, e, Xb.p) };
            work[s] = -(energy(a, Xa, b, up) - energy(a, Xa, b, down))/(2*h);
            caromMat3 plus = carom_quat_matrix(carom_quat_axis_angle(e, h)),
                      minus = carom_quat_matrix(carom_quat_axis_angle(e, -h));
            caromPose turned = { carom_mat_mul(plus, Xb.R), Xb.p }, back = { carom_mat_mul(minus, Xb.R), Xb.p };
            turn[s] = -(energy(a, Xa, b, turned) - energy(a, Xa, b, back))/(2*h);
        }
        CHECK_NEAR((4*work[1] - work[0])/3, carom_at(force, axis), tolerance*carom_norm(force));
        CHECK_NEAR((4*turn[1] - turn[0])/3, carom_at(torque, axis), tolerance*carom_norm(force));
    }
}

static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 15 };
    int touching = 0;
    for (int k = 0; k < share_of(150); k++) {
        caromShape a = carom_shape_box(0.3, 0.5, 0.7), b = k % 3 ? carom_shape_box(0.4, 0.4, 0.6)
                                                                 : carom_shape_half_space();
        caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.2);
        caromVec3 force, torque;
        resultant(a, Xa, b, Xb, &force, &torque);
        if (carom_norm(force) < 1e-4) continue;
        touching++;
        // Higher derivatives have kinks where polygons appear: good to about 1e-6.
        check_gradient(a, Xa, b, Xb, 1e-4, 1e-6);
    }
    assert_true(touching > share_of(50));
}

// Polytopes have more kinks, and those of the third derivative limit the differences: h^2 times it, over a force of
// W/size.
static void force_of_polytopes_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 25 };
    const int kinds[] = { OCTAHEDRON, PRISM, BALL_8, BALL_20, OFF_CENTRE };
    int touching = 0;
    for (int k = 0; k < share_of(60); k++) {
        caromShape a = polytope(kinds[k % 5]), b = k % 3 == 0 ? carom_shape_half_space() : k % 3 == 1
                                                       ? carom_shape_box(0.4, 0.4, 0.6) : polytope(kinds[k/3 % 4]);
        caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.2);
        if (a.hull == hulls[OFF_CENTRE]) Xa.p = carom_sub(Xa.p, carom_mul(Xa.R, carom_vec(3, -2, 1)));
        caromVec3 force, torque;
        resultant(a, Xa, b, Xb, &force, &torque);
        if (carom_norm(force) < 1e-4) continue;
        touching++;
        check_gradient(a, Xa, b, Xb, 1e-4, 5e-6);
    }
    assert_true(touching > share_of(20));
    for (int k = 0; k < 6; k++) {  // many faces, shallow: few of them meet
        caromShape a = polytope(BALL_100), b = k % 2 ? carom_shape_half_space() : carom_shape_box(1, 1, 1);
        caromPose Xa = random_pose(&r, 0.01), Xb = pose_at(0, 0, k % 2 ? -0.28 : -0.78);
        check_gradient(a, Xa, b, Xb, 3e-5, 1e-4);
    }
}

static void polygons_carry_the_force_of_the_cells(void **state)
{
    (void)state;
    Random r = { 26 };
    int touching = 0;
    for (int k = 0; k < share_of(300); k++) {
        caromShape a = k % 4 ? polytope(k % (BALL_100 + 1)) : carom_shape_box(0.3, 0.5, 0.7),
                   b = k % 3 ? polytope(PRISM) : carom_shape_half_space();
        if (a.hull == b.hull) a = polytope(BALL_8);
        caromPose Xa = random_pose(&r, 0.25), Xb = random_pose(&r, 0.25);
        // The softer shape is the same in both only if the order is.
        if (a.kind == b.kind && carom_patch_shape_order(&a, Xa, &b, Xb) > 0) continue;
        caromVec3 force, torque;
        resultant(a, Xa, b, Xb, &force, &torque);
        Total t = total(a, Xa, b, Xb);
        CHECK_VEC(t.force, force, 1e-13*t.volume);  // some hundred roundings
        CHECK_VEC(carom_sub(t.torque, carom_cross(Xb.p, t.force)), torque, 1e-13*t.volume);
        CHECK_NEAR(area_of_cells(a, Xa, b, Xb), t.area, 1e-13*t.area);
        touching += t.n > 0;
    }
    assert_true(touching > share_of(100));
}

static void a_box_is_the_polytope_of_its_corners(void **state)
{
    (void)state;
    Random r = { 27 };
    int touching = 0;
    for (int k = 0; k < share_of(600); k++) {
        caromShape box = carom_shape_box(box_size.x, box_size.y, box_size.z), hull = polytope(BOX_HULL);
        caromShape other = k % 3 == 0 ? carom_shape_half_space() : polytope(k % 3 == 1 ? CUBE_HULL : BALL_20);
        caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.3);
        if (k % 7 == 0) Xa.R = Xb.R;  // edges aligned
        caromVec3 f[2], t[2];
        resultant(box, Xa, other, Xb, &f[0], &t[0]);
        resultant(hull, Xa, other, Xb, &f[1], &t[1]);
        // Lengths of 1 m, areas of 0.1 m^2: 1e-18 is less than a rounding of the coordinates makes.
        CHECK_VEC(f[1], f[0], 1e-12*carom_norm(f[0]) + 1e-18);
        CHECK_VEC(t[1], t[0], 1e-12*carom_norm(f[0]) + 1e-18);
        touching += carom_norm(f[0]) > 0;
    }
    assert_true(touching > share_of(200));
    caromShape box = carom_shape_box(box_size.x, box_size.y, box_size.z), hull = polytope(BOX_HULL);
    CHECK_NEAR(carom_field_length_of(&hull), carom_field_length_of(&box), 1e-15);
    caromPose Xa = random_pose(&r, 0.1), Xb = random_pose(&r, 0.1);
    caromShape ball = polytope(BALL_20);
    CHECK_NEAR(energy(hull, Xa, ball, Xb), energy(box, Xa, ball, Xb), 1e-12*energy(box, Xa, ball, Xb));
    assert_true(energy(box, Xa, ball, Xb) > 0);
}

// A small face on a large one, pressed in by d: above the large face the surface is the small face itself, sunk to
// where the fields balance, and a rim.
static void check_face_on_face(caromShape small, double area, double perimeter, double half_height, caromShape large,
                               double large_top)
{
    const double depths[] = { 1e-3, 1e-6, 1e-9 };
    for (int k = 0; k < 3; k++) {
        double d = depths[k];
        caromPose Xs = pose_at(0.01, 0.02, large_top + half_height - d), Xl = pose_at(0, 0, 0);
        Total t = total(small, Xs, large, Xl);
        assert_true(t.n > 1);
        double rounding = 1e-15/d;  // of d: some roundings of coordinates up to 1 m
        CHECK_NEAR(t.depth, d, 4*rounding*d);
        // In the corner of the rim the small body's side is as near as its bottom: the surface leaves the level within
        // about d of the rim and meets it at no more than d above. So it covers the face, has at most as much area as
        // its rim is wide more, and its depth is d but for the rim.
        assert_true(t.area > area*(1 - 1e-9) && t.area < area + 2*d*perimeter);
        CHECK_NEAR(t.volume, d*area, (2*d*perimeter/area + 8*rounding)*d*area);
        // The force is exactly the one of the gradient: straight down, for W does not change when the small body
        // slides.
        CHECK_VEC(t.force, carom_vec(0, 0, t.force.z), 1e-12*t.volume);
        assert_true(t.force.z < 0);
        // Vertical force of a face with rim: dW/dd, W the integral of the field, which is d^2/2 A - O(d^3 perimeter).
        CHECK_NEAR(-t.force.z, d*area, (d*perimeter/area + 8*rounding)*d*area);
        caromVec3 c = carom_scale(1/t.area, t.centre);
        CHECK_NEAR(c.x, 0.01, 1e-12);
        CHECK_NEAR(c.y, 0.02, 1e-12);
    }
}

static void faces_on_larger_faces_have_closed_forms(void **state)
{
    (void)state;
    double side = 2*0.25*sin(acos(-1)/7), heptagon = 7*0.5*0.25*0.25*sin(2*acos(-1)/7);
    check_face_on_face(carom_shape_box(0.3, 0.5, 0.7), 0.15, 1.6, 0.35, carom_shape_half_space(), 0);
    check_face_on_face(carom_shape_box(0.3, 0.5, 0.7), 0.15, 1.6, 0.35, carom_shape_box(2, 2, 0.5), 0.25);
    check_face_on_face(polytope(BOX_HULL), 0.15, 1.6, 0.35, carom_shape_box(2, 2, 0.5), 0.25);
    check_face_on_face(polytope(PRISM), heptagon, 7*side, 0.2, carom_shape_half_space(), 0);
    check_face_on_face(polytope(PRISM), heptagon, 7*side, 0.2, carom_shape_box(2, 2, 0.5), 0.25);
    // A face with more corners than a polygon has.
    double a700 = 700*0.5*0.3*0.3*sin(2*acos(-1)/700), p700 = 700*2*0.3*sin(acos(-1)/700);
    check_face_on_face(polytope(PRISM_700), a700, p700, 0.2, carom_shape_half_space(), 0);
    check_face_on_face(polytope(PRISM_700), a700, p700, 0.2, carom_shape_box(2, 2, 0.5), 0.25);
}

// A tip of many faces in a half-space: all of them meet there. Volume and energy scale like those of a round cone,
// force along the axis, F = dW/dd; W = c d^4 with c from one depth, F = 4 c d^3 at another.
static void a_tip_of_600_faces_presses_like_a_cone(void **state)
{
    (void)state;
    caromShape cone = polytope(CONE_600), ground = carom_shape_half_space();
    Total t[2];
    for (int k = 0; k < 2; k++) t[k] = total(cone, pose_at(0, 0, 0.2 - (k ? 0.02 : 0.01)), ground, pose_at(0, 0, 0));
    // Round the axis, within a sixteenth or so of the radius, every third face stands for all: (pi/200)^2/2 of the
    // force on some hundredths of the area.
    CHECK_NEAR(t[1].force.z/t[0].force.z, 8, 1e-5);
    CHECK_VEC(carom_scale(1/t[0].volume, t[0].force),
              carom_vec(0, 0, carom_dot(t[0].force, carom_vec(0, 0, 1))/t[0].volume), 1e-5);
    // Round cone of half angle b (tan b = 0.3/0.4): depth below the side (r0(z) - r) cos b, r0 = (z + d) tan b. Balance
    // kA (r0 - r) cos b = kB (-z):
    //   z(r) = -kA cos b (d tan b - r)/(kB + kA sin b),
    //       F = integral of kB (-z) 2 pi r dr (vertical part) = kB kA cos b/(kB + kA sin b) pi R^3/3, R = d tan b.
    double tb = 0.75, cb = 0.8, sb = 0.6, ka = 1 + 1/1.3, kb = 1 + 1.3, d = 0.01, R = d*tb;
    double F = kb*ka*cb/(kb + ka*sb)*acos(-1)*R*R*R/3;
    CHECK_NEAR(-t[0].force.z, F, 2e-4*F);  // 600 faces: 1 - cos(pi/600) times a few
}

static caromShape path_shape(int path, bool second)
{
    const int of[2][6] = { { -1, BALL_8, PRISM, OCTAHEDRON, -1, BALL_20 }, { -2, -1, BALL_20, -2, PRISM, CUBE_HULL } };
    int i = of[second][path % 6];
    return i == -2 ? carom_shape_half_space() : i == -1 ? carom_shape_box(0.3, 0.4, 0.35) : polytope(i);
}

typedef struct Path {
    caromShape a, b;
    caromPose Xa;
    caromVec3 from, to, axis;
    double angle;
    caromMat3 start;
} Path;

// Every other path starts with faces parallel and turns little or not at all: flush faces, edges on edges.
static Path random_path(Random *r, int k)
{
    Path p = { path_shape(k, false), path_shape(k, true), pose_at(0, 0, 0.1), random_vec(r, 0.5), random_vec(r, 0.15),
               carom_unit_or(random_vec(r, 1), carom_vec(1, 0, 0)), random_uniform(r, 0, 2),
               carom_quat_matrix(random_rotation(r)) };
    if (k % 2 == 0) {
        p.start = carom_mat_identity();
        p.angle = k % 4 ? 0 : 1e-3*p.angle;
    }
    return p;
}

static Total at(const Path *p, double s)
{
    caromMat3 turn = carom_quat_matrix(carom_quat_axis_angle(p->axis, p->angle*s));
    return total(p->a, p->Xa, p->b, (caromPose){ carom_mat_mul(turn, p->start),
                                                 carom_add(carom_scale(1 - s, p->from), carom_scale(s, p->to)) });
}

// Where the largest change between two of n + 1 places is, and how large.
static double worst_change(const Total *places, int n, double (*change)(const Total *a, const Total *b), int *where)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        double c = change(&places[k], &places[k + 1]);
        if (c > worst) worst = c, *where = k;
    }
    return worst;
}

enum { COARSE = 10, FINE = 8, LEVELS = 9 };

static void walk(const Path *p, double from, double step, int n, Total *places)
{
    for (int k = 0; k <= n; k++) places[k] = at(p, from + k*step);
}

static double change_of_area(const Total *a, const Total *b)
{
    return fabs(b->area - a->area);
}
static double change_of_volume(const Total *a, const Total *b)
{
    return fabs(b->volume - a->volume);
}
static double change_of_force(const Total *a, const Total *b)
{
    return carom_norm(carom_sub(b->force, a->force));
}
static double change_of_torque(const Total *a, const Total *b)
{
    return carom_norm(carom_sub(b->torque, a->torque));
}

// Zooms in on the largest change along a path: a jump would stay.
static void pressure_is_continuous_along_paths(void **state)
{
    (void)state;
    Random r = { 28 };
    double (*const changes[4])(const Total *, const Total *) = { change_of_volume, change_of_force, change_of_torque,
                                                                 change_of_area };
    int touching = 0;
    for (int k = 0; k < share_of(1000); k++) {
        Path p = random_path(&r, k);
        Total coarse[COARSE + 1], fine[FINE + 1];
        walk(&p, 0, 1.0/COARSE, COARSE, coarse);
        for (int c = 0; c < (k % 2 ? 4 : 3); c++) {  // parallel faces have their whole area at once
            int where = 0;
            // Roundings only: of 0.3 m bodies, 1e-16 m deep each.
            if (worst_change(coarse, COARSE, changes[c], &where) < 1e-12) continue;
            touching++;
            // Lipschitz: two levels are 64 times finer, differences 64 times smaller; the factor 8 that is asked for
            // leaves room for a kink between. Bodies that are nearly parallel go from edge to face within a millionth
            // of the path: for them it takes more levels. A jump would stay at any.
            double step = 1.0/COARSE, from = where*step, worst[LEVELS];
            int level = 0;
            for (; level < LEVELS; level++) {
                step /= FINE;
                walk(&p, from, step, FINE, fine);
                where = 0;
                worst[level] = worst_change(fine, FINE, changes[c], &where);
                from += where*step;
                if (level >= 4 && worst[level] <= worst[level - 2]/8 + 1e-14) break;
            }
            if (level == LEVELS) print_error("path %d, quantity %d: a change by %g stays\n", k, c, worst[LEVELS - 1]);
            assert_true(level < LEVELS);
        }
    }
    assert_true(touching > share_of(1000));
}

// Flush equal cubes, the case that breaks equal moduli: the force is that of the face, and continuous through exact
// alignment.
static void flush_cubes_press_evenly(void **state)
{
    (void)state;
    double depth = 1e-5;
    for (int hull = 0; hull < 2; hull++) {
        caromShape cube = hull ? polytope(CUBE_HULL) : carom_shape_box(0.1, 0.1, 0.1);
        caromVec3 force, torque;
        for (int k = -3; k <= 3; k++) {
            resultant(cube, pose_at(0, 0, 0), cube, pose_at(k*1e-9, 0, 0.1 - depth), &force, &torque);
            CHECK_NEAR(force.z, depth*0.01, 1e-3*depth*0.01);  // rims are slivers of relative size depth/width
            CHECK_NEAR(force.x, 0, 1e-3*force.z);
            CHECK_NEAR(carom_norm(torque), 0, 1e-3*force.z*0.1);
        }
    }
}

// Mirrored to the last bit, polygon by polygon.

enum { POLYGONS_MAX = 2000 };
typedef struct List {
    int n;
    caromPolygon polygons[POLYGONS_MAX];
} List;

static void keep_polygon(const caromPolygon *p, void *user)
{
    List *list = user;
    assert_true(list->n < POLYGONS_MAX);
    list->polygons[list->n++] = *p;
}

static caromShape random_shape(Random *r)
{
    double kind = random_uniform(r, 0, 4);
    if (kind < 1)
        return carom_shape_box(random_uniform(r, 0.1, 1), random_uniform(r, 0.1, 1), random_uniform(r, 0.1, 1));
    return kind < 2 ? carom_shape_half_space() : polytope((int)random_uniform(r, 0, BALL_100 + 1));
}

static void check_mirrored(const caromPolygon *p, const caromPolygon *q)
{
    assert_int_equal(p->n, q->n);
    CHECK_VEC(p->n_AB, carom_neg(q->n_AB), 0);
    CHECK_VEC(p->centroid_W, q->centroid_W, 0);
    CHECK_VEC(p->pressure_centre_W, q->pressure_centre_W, 0);
    CHECK_NEAR(p->area, q->area, 0);
    CHECK_NEAR(p->volume, q->volume, 0);
    for (int k = 0; k < p->n; k++) {
        CHECK_VEC(p->corners_W[k], q->corners_W[p->n - 1 - k], 0);
        CHECK_NEAR(p->depth[k], q->depth[p->n - 1 - k], 0);
    }
}

// Each polygon is plane, turns about its normal, and has the area, centroid and volume of its corners (as
// triangles about the centroid).
static void check_polygon(const caromPolygon *p, double size)
{
    caromVec3 normal = { 0, 0, 0 };
    double volume = 0, mean = p->volume/p->area;
    for (int k = 0; k < p->n; k++) {
        caromVec3 u = carom_sub(p->corners_W[k], p->centroid_W),
                  v = carom_sub(p->corners_W[(k + 1) % p->n], p->centroid_W);
        caromVec3 twice = carom_cross(u, v);
        CHECK_NEAR(carom_dot(u, p->n_AB), 0, 1e-14*size);
        normal = carom_axpy(0.5, twice, normal);
        // The mean of a linear function is its value at the centroid.
        volume += 0.5*carom_dot(p->n_AB, twice)*(mean + p->depth[k] + p->depth[(k + 1) % p->n])/3;
        assert_true(p->depth[k] >= 0);
    }
    CHECK_VEC(normal, carom_scale(p->area, p->n_AB), 1e-14*size*size);
    CHECK_NEAR(volume, p->volume, 1e-14*size*size*size);
    CHECK_NEAR(carom_norm(p->n_AB), 1, 1e-15);
}

static void polygons_mirror_exactly(void **state)
{
    (void)state;
    static List there, back;
    Random r = { 29 };
    int touching = 0;
    for (int k = 0; k < share_of(400); k++) {
        caromShape a = random_shape(&r), b = k % 5 ? random_shape(&r) : a;
        if (a.kind == CAROM_HALF_SPACE && b.kind == CAROM_HALF_SPACE) continue;
        caromPose Xa = random_pose(&r, 0.3), Xb = random_pose(&r, 0.3);
        if (k % 3 == 0) Xb.R = Xa.R;
        there.n = back.n = 0;
        carom_patch_polygons(a, Xa, b, Xb, keep_polygon, &there);
        carom_patch_polygons(b, Xb, a, Xa, keep_polygon, &back);
        assert_int_equal(there.n, back.n);
        for (int i = 0; i < there.n; i++) {
            check_mirrored(&there.polygons[i], &back.polygons[i]);
            check_polygon(&there.polygons[i], 2);
        }
        touching += there.n > 0;
    }
    assert_true(touching > share_of(120));
}

static void polygons_move_with_both_shapes(void **state)
{
    (void)state;
    Random r = { 30 };
    for (int k = 0; k < share_of(250); k++) {
        caromShape a = random_shape(&r), b = k % 5 ? random_shape(&r) : a;
        if (a.kind == CAROM_HALF_SPACE && b.kind == CAROM_HALF_SPACE) continue;
        caromPose Xa = random_pose(&r, 0.3), Xb = random_pose(&r, 0.3), move = random_pose(&r, 10);
        Total t = total(a, Xa, b, Xb), m = total(a, carom_pose_mul(move, Xa), b, carom_pose_mul(move, Xb));
        double rounding = 4e-14;  // coordinates of 10 m are rounded by 1.8e-15, some of them in a row
        CHECK_NEAR(m.area, t.area, 8*rounding);  // perimeters of some m
        CHECK_NEAR(m.volume, t.volume, 8*rounding);
        CHECK_VEC(m.force, carom_mul(move.R, t.force), 8*rounding);
        if (t.n > 0) CHECK_VEC(m.pressure, carom_axpy(t.volume, move.p, carom_mul(move.R, t.pressure)), 100*rounding);
    }
}

// Lengths from 1 um to 1 km: the same picture at another scale; a small body on a huge one; far from the origin.
static void sizes_and_places_do_not_matter(void **state)
{
    (void)state;
    const caromVec3 cube[8] = { { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 }, { -1, -1, 1 }, { 1, -1, 1 },
                                { -1, 1, 1 }, { 1, 1, 1 } };
    for (int k = 0; k < 8; k++) {
        double ratio = pow(10, k), far = k % 2 ? 1e4 : 0;  // half a plate, half the edge of a cube: 1 and 1/ratio
        caromVec3 large[8], small[8];
        for (int i = 0; i < 8; i++) {
            large[i] = carom_vec(cube[i].x, cube[i].y, 0.01*cube[i].z);  // a plate
            small[i] = carom_scale(1/ratio, cube[i]);
        }
        caromHull *plate = hull_of(large, 8), *piece = hull_of(small, 8);
        double d = 1e-4/ratio, e = 2/ratio;
        for (int kinds = 0; kinds < 4; kinds++) {
            caromShape a = kinds & 1 ? carom_shape_box(2, 2, 0.02) : carom_shape_polytope(plate),
                       b = kinds & 2 ? carom_shape_box(e, e, e) : carom_shape_polytope(piece);
            // In binary fractions of 1 m: where the small body is rounds to 1e-16 of the distance, and that is all.
            double z = far + 0.01 + 0.5*e - d;
            Total t = total(a, pose_at(far, 0, far), b, pose_at(far + (k ? 0.25 : 0), 0, z));
            double depth = (far + 0.01) - (z - 0.5*e), rounding = 8e-16*(far + 1);
            CHECK_NEAR(t.depth, depth, rounding);
            CHECK_NEAR(t.force.z, d*e*e, (4*d/e + 2*rounding/d)*d*e*e);  // the rim, and d itself
        }
        carom_hull_destroy(plate);
        carom_hull_destroy(piece);
    }
}

// Bodies of many faces, deep in each other.
static void many_faces_are_counted_once(void **state)
{
    (void)state;
    caromShape ball = polytope(BALL_400), box = carom_shape_box(0.5, 0.5, 0.5), other = polytope(BALL_100);
    const caromShape shapes[2] = { box, other };
    for (int k = 0; k < 2; k++) {
        caromPose Xa = pose_at(0, 0, 0),
            Xb = { carom_quat_matrix(carom_quat_axis_angle(carom_vec(0.6, 0, 0.8), 1)), { 0.1, 0.1, 0.3 } };
        Total t = total(ball, Xa, shapes[k], Xb);
        assert_true(t.n > 100);
        double exact = energy(shapes[k], Xb, ball, Xa), grid = energy_on_grid(shapes[k], Xb, ball, Xa, 0.31, 40);
        CHECK_NEAR(grid, exact, 1e-2*exact);
    }
}

// More polygons than there is room for four cells each: force and torque stay exact as long as each has one.
// (More than that: test_mesh_clipped.)
static void more_polygons_than_cells_keep_force_and_torque(void **state)
{
    (void)state;
    caromShape a = polytope(BALL_400), b = polytope(OTHER_400);
    caromPose Xa = pose_at(0, 0, 0), Xb = pose_at(0.036, 0, 0.36);
    if (carom_patch_shape_order(&a, Xa, &b, Xa) > 0) a = polytope(OTHER_400), b = polytope(BALL_400);
    Total t = total(a, Xa, b, Xb);
    assert_true(t.n > CAROM_CELLS_MAX/4 && t.n < CAROM_CELLS_MAX/2);
    caromVec3 force, torque, exact = carom_sub(t.torque, carom_cross(Xb.p, t.force));
    resultant(a, Xa, b, Xb, &force, &torque);
    CHECK_VEC(force, t.force, 1e-12*t.volume);
    CHECK_VEC(torque, exact, 1e-12*t.volume);
}

static void nothing_touches_nothing(void **state)
{
    (void)state;
    Total t = { 0 };
    caromShape box = carom_shape_box(1, 1, 1), hull = polytope(OCTAHEDRON), ground = carom_shape_half_space();
    assert_int_equal(carom_patch_polygons(box, pose_at(0, 0, 0), hull, pose_at(0, 0, 2), add_polygon, &t), 0);
    // Apart along an edge only.
    assert_int_equal(carom_patch_polygons(hull, pose_at(0, 0, 0), hull, pose_at(0.31, 0.31, 0), add_polygon, &t), 0);
    assert_int_equal(carom_patch_polygons(ground, pose_at(0, 0, 0), hull, pose_at(0, 0, 0.3001), add_polygon, &t), 0);
    assert_int_equal(t.n, 0);
    assert_true(energy(hull, pose_at(0, 0, 0), ground, pose_at(0, 0, -1)) == 0);
    const caromShape others[] = { carom_shape_sphere(1), carom_shape_cylinder(1, 1), carom_shape_rounded(box, 0.1),
                                  carom_shape_torus(1, 0.1), carom_shape_capsule(1, 1) };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(carom_patch_polygons(others[i], pose_at(0, 0, 0), box, pose_at(0, 0, 0), add_polygon, &t), -1);
        assert_int_equal(carom_patch_polygons(box, pose_at(0, 0, 0), others[i], pose_at(0, 0, 0), add_polygon, &t), -1);
    }
    assert_int_equal(carom_patch_polygons(ground, pose_at(0, 0, 0), ground, pose_at(0, 0, 1), add_polygon, &t), -1);
    assert_int_equal(carom_patch_polygons(box, pose_at(0, 0, NAN), hull, pose_at(0, 0, 1), add_polygon, &t), -1);
    caromShape rounded = carom_shape_polytope(carom_hull_create(hulls[BALL_20]->vertices, hulls[BALL_20]->nvertex, 0.01,
                                                                NULL));
    assert_non_null(rounded.hull);
    assert_int_equal(carom_patch_polygons(rounded, pose_at(0, 0, 0), box, pose_at(0, 0, 0), add_polygon, &t), -1);
    carom_hull_destroy((caromHull *)rounded.hull);
    assert_true(isinf(carom_field_length_of(&ground)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field_energy_is_the_integral_of_the_smaller_field),
        cmocka_unit_test(energy_is_that_of_its_cells),
        cmocka_unit_test(energy_of_a_face_is_that_of_its_depth),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(force_of_polytopes_is_the_gradient_of_the_energy),
        cmocka_unit_test(polygons_carry_the_force_of_the_cells),
        cmocka_unit_test(a_box_is_the_polytope_of_its_corners),
        cmocka_unit_test(faces_on_larger_faces_have_closed_forms),
        cmocka_unit_test(a_tip_of_600_faces_presses_like_a_cone),
        cmocka_unit_test(pressure_is_continuous_along_paths),
        cmocka_unit_test(flush_cubes_press_evenly),
        cmocka_unit_test(polygons_mirror_exactly),
        cmocka_unit_test(polygons_move_with_both_shapes),
        cmocka_unit_test(sizes_and_places_do_not_matter),
        cmocka_unit_test(many_faces_are_counted_once),
        cmocka_unit_test(more_polygons_than_cells_keep_force_and_torque),
        cmocka_unit_test(nothing_touches_nothing),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
