// The points in which bodies touch: where they are, and how they move.
#include "collide_fixture.h"

#include <float.h>
#include <time.h>

#include "collide/points.h"
#include "collide/points_parts.h"

// ---- two bodies with a shape each, placed by hand

typedef struct Two {
    caromModel model;
    caromBody bodies[2];
    caromModelShape shapes[2];
    caromModelPair pair;
    caromKin kin;
    caromPose X[2];
    caromVec3 p_WC[2];
    caromSpatial V[2];
} Two;

static void connect(Two *t)
{
    t->model = (caromModel){ .nbody = 2, .nshape = 2, .npair = 1, .bodies = t->bodies, .shapes = t->shapes, .pairs = &t->pair };
    t->kin = (caromKin){ .X_WB = t->X, .p_WC = t->p_WC, .V_WC = t->V, .X_WS = t->X };
    for (int i = 0; i < 2; i++) t->p_WC[i] = t->X[i].p;
}

static void make(Two *t, caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    memset(t, 0, sizeof *t);
    t->shapes[0] = (caromModelShape){ .body = 0, .shape = a, .radius = carom_shape_radius(a) };
    t->shapes[1] = (caromModelShape){ .body = 1, .shape = b, .radius = carom_shape_radius(b) };
    t->pair = (caromModelPair){ .shape = { 0, 1 } };
    t->X[0] = X_WA, t->X[1] = X_WB;
    connect(t);
}

static void shelled(Two *t, double a, double b)
{
    t->shapes[0].shell = a, t->shapes[1].shell = b;
    t->pair.shell = a + b;
}

static int list(Two *t, double within, caromTouchPoint *points)
{
    return carom_collide_touch_points(&t->model, &t->kin, 0, within, points);
}

static bool at(Two *t, const caromTouchPoint *old, caromTouchPoint *point)
{
    return carom_collide_touch_point_at(&t->model, &t->kin, 0, old->feature, point);
}

static double size_of(const Two *t)
{
    double size = fmin(t->shapes[0].radius, t->shapes[1].radius);
    return fmax(size, carom_norm(carom_sub(t->X[1].p, t->X[0].p)) < 1e6 ? size : 1.0);
}

// The same a time h later, at constant velocities.
static void later(const Two *t, double h, Two *l)
{
    *l = *t;
    for (int i = 0; i < 2; i++) {
        double w = carom_norm(t->V[i].angular);
        caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(t->V[i].angular, carom_vec(0, 0, 1)), w*h));
        l->X[i] = carom_pose(carom_mat_mul(R, t->X[i].R), carom_axpy(h, t->V[i].linear, t->X[i].p));
    }
    connect(l);
}

static void set_moving(Two *t, Random *r)
{
    for (int i = 0; i < 2; i++) t->V[i] = (caromSpatial){ random_vec(r, 1), random_vec(r, 1) };
}

// ---- what holds for every point

static void check_point(Two *t, const caromTouchPoint *p)
{
    double size = size_of(t), far = carom_norm(p->p_A) + size;
    caromTouchPoint again;
    if (!at(t, p, &again)) print_error("parts %d/%d %d/%d are not found again\n", carom_part(p->feature[0]).kind, carom_part(p->feature[0]).id, carom_part(p->feature[1]).kind, carom_part(p->feature[1]).id);
    CHECK(at(t, p, &again));
    CHECK_NEAR(again.g, p->g, 1e-13);
    CHECK_VEC(again.n_AB, p->n_AB, 1e-13);
    CHECK_VEC(again.p_A, p->p_A, 1e-9);
    CHECK_NEAR(carom_norm(p->n_AB), 1, 8*DBL_EPSILON);
    CHECK_VEC(carom_sub(p->p_B, p->p_A), carom_scale(p->g, p->n_AB), 64*DBL_EPSILON*(far + fabs(p->g)));
    CHECK(p->feature[0] >= 0 && p->feature[1] >= 0);
}

static caromVec3 difference(caromVec3 after, caromVec3 before, double h)
{
    return carom_scale(0.5/h, carom_sub(after, before));
}

typedef struct Worst {
    double dn, u, g;
    int points, unknown;
} Worst;

// Central differences are off by h^2/6 of the third derivative, and by the roundings (of the search, where there is one) over h. Third derivatives of n are at most
// (speed/smallest radius)^3 or so; cases are kept where that is below 1e4.
static void check_motion(Two *t, const caromTouchPoint *p, Worst *worst)
{
    const double h = 1e-5;
    caromTouchMotion m = carom_collide_touch_motion(&t->model, &t->kin, 0, p);
    if (!m.is_known) {
        worst->unknown++;
        return;
    }
    Two after, before;
    later(t, h, &after);
    later(t, -h, &before);
    caromTouchPoint q, o;
    bool is_there = at(&after, p, &q) && at(&before, p, &o);
    if (!is_there) return;
    caromVec3 v_A = carom_kin_point_velocity(&t->kin, 0, p->p_A), v_B = carom_kin_point_velocity(&t->kin, 1, p->p_B);
    double scale = 1 + carom_norm(m.dn) + carom_norm(m.u_A) + carom_norm(m.u_B);
    scale *= scale*scale;
    double dn = carom_norm(carom_sub(difference(q.n_AB, o.n_AB, h), m.dn))/scale;
    double u_A = carom_norm(carom_sub(difference(q.p_A, o.p_A, h), carom_add(v_A, m.u_A)))/scale;
    double u_B = carom_norm(carom_sub(difference(q.p_B, o.p_B, h), carom_add(v_B, m.u_B)))/scale;
    double g = fabs((q.g - o.g)/(2*h) - carom_dot(p->n_AB, carom_sub(v_B, v_A)))/scale;
    if (fmax(fmax(dn, g), fmax(u_A, u_B)) > 1e-7)
        print_error("parts %d/%d %d/%d: g %g, n %g %g %g -> %.12g %.12g, off by dn %g u %g %g g %g\n", carom_part(p->feature[0]).kind, carom_part(p->feature[0]).id, carom_part(p->feature[1]).kind,
                    carom_part(p->feature[1]).id, p->g, p->n_AB.x, p->n_AB.y, p->n_AB.z, o.g, q.g, dn, u_A, u_B, g);
    worst->dn = fmax(worst->dn, dn);
    worst->u = fmax(worst->u, fmax(u_A, u_B));
    worst->g = fmax(worst->g, g);
    worst->points++;
    CHECK_NEAR(carom_dot(m.dn, p->n_AB), 0, 1e-12*scale);
}

// ---- random pairs, brought to a given gap

static bool bring_to(Two *t, double g)
{
    for (int k = 0; k < 3; k++) {
        caromGap gap = carom_collide_shapes(t->shapes[0].shape, t->X[0], t->shapes[1].shape, t->X[1]);
        if (gap.status != CAROM_GAP_OK) return false;
        t->X[1].p = carom_axpy(g - gap.g, gap.n_AB, t->X[1].p);
    }
    connect(t);
    caromGap gap = carom_collide_shapes(t->shapes[0].shape, t->X[0], t->shapes[1].shape, t->X[1]);
    return fabs(gap.g - g) < 1e-9;  // false: deep in a ring, from which there is no straight way
}

enum { KINDS = 12 };
static caromHull *hulls[2];

static caromShape shape_of_kind(int kind)
{
    switch (kind) {
    case 0: return carom_sphere(0.3);
    case 1: return carom_ellipsoid(0.5, 0.4, 0.3);
    case 2: return carom_box(0.6, 0.8, 0.5);
    case 3: return carom_rounded(carom_box(0.6, 0.8, 0.5), 0.1);
    case 4: return carom_polytope(hulls[0]);
    case 5: return carom_polytope(hulls[1]);
    case 6: return carom_capsule(0.2, 0.7);
    case 7: return carom_cylinder(0.3, 0.8);
    case 8: return carom_cone(0.4, 0.2, 0.6);
    case 9: return carom_rounded(carom_cylinder(0.3, 0.8), 0.05);
    case 10: return carom_torus(0.4, 0.1);
    default: return carom_half_space();
    }
}

static int make_hulls(void **state)
{
    (void)state;
    Random r = { 7 };
    hulls[0] = random_hull(&r, 0.0);
    hulls[1] = random_hull(&r, 0.05);
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) carom_hull_destroy(hulls[k]);
    return 0;
}

static const double gaps[] = { 0.05, 1e-3, 1e-12, 0.0, -1e-12, -5e-10 };
enum { GAPS = sizeof gaps/sizeof gaps[0] };

static void motion_agrees_with_differences(void **state)
{
    (void)state;
    Random r = { 11 };
    for (int a = 0; a < KINDS; a++) {
        for (int b = 0; b < KINDS; b++) {
            if (a == 11 && b == 11) continue;
            Worst worst = { 0 };
            for (int k = 0; k < 24; k++) {
                Two t;
                make(&t, shape_of_kind(a), random_pose(&r, 1), shape_of_kind(b), random_pose(&r, 1));
                set_moving(&t, &r);
                if (!bring_to(&t, gaps[k%2])) continue;
                if (k%3 == 0) shelled(&t, 0.01, 0.02);
                caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
                int n = list(&t, gaps[k%2] + 1e-6, points);
                if (n < 1) print_error("kinds %d %d: no points\n", a, b);
                CHECK(n >= 1);
                for (int i = 0; i < n; i++) {
                    check_point(&t, &points[i]);
                    check_motion(&t, &points[i], &worst);
                }
            }
            if (getenv("POINTS_VERBOSE")) printf("%2d %2d: %3d points, %2d unknown, dn %.1e u %.1e g %.1e\n", a, b, worst.points, worst.unknown, worst.dn, worst.u, worst.g);
            CHECK_NEAR(worst.dn, 0, 1e-7);
            CHECK_NEAR(worst.u, 0, 1e-7);
            CHECK_NEAR(worst.g, 0, 1e-7);
        }
    }
}

static void least_gap_is_that_of_the_shapes(void **state)
{
    (void)state;
    Random r = { 13 };
    for (int a = 0; a < KINDS; a++) {
        for (int b = 0; b < KINDS; b++) {
            if (a == 11 && b == 11) continue;
            for (int k = 0; k < 24; k++) {
                Two t;
                make(&t, shape_of_kind(a), random_pose(&r, 1), shape_of_kind(b), random_pose(&r, 1));
                if (!bring_to(&t, gaps[k%GAPS])) continue;
                caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
                int n = list(&t, gaps[k%GAPS] + 1e-6, points);
                double least = (double)INFINITY;
                for (int i = 0; i < n; i++) least = fmin(least, points[i].g);
                caromGap gap = carom_collide_shapes(t.shapes[0].shape, t.X[0], t.shapes[1].shape, t.X[1]);
                if (!(fabs(least - gap.g) <= 1e-12)) print_error("kinds %d %d, wanted %g: %d points\n", a, b, gaps[k%GAPS], n);
                CHECK_NEAR(least, gap.g, 1e-12);
                for (int i = 0; i < n; i++) check_point(&t, &points[i]);
                CHECK(list(&t, gap.g - 1e-6, points) == 0);
            }
        }
    }
}

// ---- known answers

static void box_on_a_plane_stands_on_four_corners(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    make(&t, carom_box(2, 4, 6), pose_at(0.5, 0.25, 3.125), carom_half_space(), carom_pose_identity());
    assert_int_equal(list(&t, 0.125, points), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(points[i].g, 0.125, 0);
        CHECK_VEC(points[i].n_AB, carom_vec(0, 0, -1), 0);
        CHECK_NEAR(fabs(points[i].p_A.x - 0.5), 1, 0);
        CHECK_NEAR(fabs(points[i].p_A.y - 0.25), 2, 0);
    }
    assert_int_equal(list(&t, 0.124, points), 0);
    // Tilted about y by a little more than half a right angle the face x stands.
    t.X[0].R = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), 0.8));
    assert_int_equal(list(&t, 10, points), 4);
    t.X[0].R = carom_mat_identity();
    t.X[0].p.z = 3 - 1e-9;
    assert_int_equal(list(&t, 0, points), 4);
    CHECK_NEAR(points[3].g, -1e-9, 8*DBL_EPSILON);
}

// Corners change their kind while the upper box slides over the edge of the lower one and turns; the polygon, seen as a set of places, does not jump.
static void polygon_changes_continuously(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX], old[CAROM_TOUCH_POINTS_MAX];
    int nold = 0, kinds_seen = 0;
    const double step = 1e-3;
    for (int k = 0; k < 1130; k++) {
        caromPose X = carom_pose(carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), 0.3 + 0.2*k*step)), carom_vec(0.1 + k*step, 0.05, 1));
        make(&t, carom_box(1, 1, 1), carom_pose_identity(), carom_box(1, 1.2, 1), X);
        int n = list(&t, 1e-9, points);
        CHECK(n >= 3 && n <= 8);
        for (int i = 0; i < n; i++) {
            double least = k ? (double)INFINITY : 0.0;
            for (int j = 0; j < nold; j++) least = fmin(least, carom_norm(carom_sub(points[i].p_A, old[j].p_A)));
            CHECK_NEAR(least, 0, 20*step);  // corners move along edges at 1/sin of the angle between them
            CHECK_NEAR(points[i].g, 0, 1e-14);
            CHECK_VEC(points[i].n_AB, carom_vec(0, 0, 1), 1e-14);
            kinds_seen |= 1 << carom_part(points[i].feature[0]).kind;
        }
        memcpy(old, points, sizeof old);
        nold = n;
    }
    assert_int_equal(kinds_seen, 1 << CAROM_PART_CORNER | 1 << CAROM_PART_EDGE | 1 << CAROM_PART_FACE);
}

static void equal_boxes_stacked_have_four_points(void **state)
{
    (void)state;
    Random r = { 17 };
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 50; k++) {
        double noise = k == 0 ? 0.0 : 1e-12;
        caromPose W = random_pose(&r, 1), X = carom_pose(carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0)), noise)), random_vec(&r, noise));
        X.p.z += 1;
        Two t;
        make(&t, carom_box(1, 1, 1), W, carom_box(1, 1, 1), carom_pose_mul(W, X));
        assert_int_equal(list(&t, 1e-9, points), 4);
        for (int i = 0; i < 4; i++) CHECK_VEC(points[i].n_AB, W.R.cz, 1e-11);
    }
}

static void crossed_bars_touch_in_one_point(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    double q = 0.25*3.14159265358979323846, s = sqrt(0.5);
    caromMat3 x = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), q)), y = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), q));
    for (int k = 0; k < GAPS; k++) {
        make(&t, carom_box(4, 1, 1), carom_pose(x, carom_vec(0, 0, 0)), carom_box(1, 4, 1), carom_pose(y, carom_vec(0.2, 0.1, 2*s + gaps[k])));
        assert_int_equal(list(&t, 0.1, points), 1);
        CHECK_NEAR(points[0].g, gaps[k], 1e-15);
        CHECK_VEC(points[0].n_AB, carom_vec(0, 0, 1), 1e-15);
        CHECK_VEC(points[0].p_A, carom_vec(0.2, 0, s), 1e-14);
    }
}

static void cylinder_lies_on_two_points_and_stands_on_four(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    caromMat3 lying = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*3.14159265358979323846));
    for (int k = 0; k < 2; k++) {
        caromShape ground = k ? carom_box(4, 4, 1) : carom_half_space();
        caromPose X = k ? pose_at(0, 0, -0.5) : carom_pose_identity();
        make(&t, carom_cylinder(0.5, 2), carom_pose(lying, carom_vec(0, 0, 0.5)), ground, X);
        assert_int_equal(list(&t, 1e-9, points), 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(points[i].g, 0, 1e-15);
            CHECK_NEAR(fabs(points[i].p_A.y), 1, 1e-15);
        }
        make(&t, carom_cylinder(0.5, 2), pose_at(0, 0, 1), ground, X);
        assert_int_equal(list(&t, 1e-9, points), 4);
        for (int i = 0; i < 4; i++) CHECK_NEAR(hypot(points[i].p_A.x, points[i].p_A.y), 0.5, 1e-15);
        make(&t, carom_capsule(0.5, 2), carom_pose(lying, carom_vec(0, 0, 0.5)), ground, X);
        assert_int_equal(list(&t, 1e-9, points), 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_a_plane_stands_on_four_corners),
        cmocka_unit_test(equal_boxes_stacked_have_four_points),
        cmocka_unit_test(crossed_bars_touch_in_one_point),
        cmocka_unit_test(cylinder_lies_on_two_points_and_stands_on_four),
        cmocka_unit_test(polygon_changes_continuously),
        cmocka_unit_test(least_gap_is_that_of_the_shapes),
        cmocka_unit_test(motion_agrees_with_differences),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
