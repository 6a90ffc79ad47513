// Points at which bodies touch meshes, and rings in several places.
#include "collide_fixture.h"
#include "mesh_fixture.h"
#include "touch_fixture.h"

// Twelve facets around a ball, 21 degrees apart as it sees them: each is a point, wherever the ball moves. With the
// middles of the sides at r cos 15 degrees the distance of a centre at height h on the axis is c (h + 1)/sqrt(1 + c^2).
static void ball_in_a_funnel_touches_all_facets(void **state)
{
    (void)state;
    const double profile[5][2] = { { 2, -2 }, { 2, 0.5 }, { 1.5, 0.5 }, { 0.5, -0.5 }, { 0.5, -1.5 } },
                 c = cos(PI/12), h = 0.3;
    Raw raw = lathe(profile, 5, 12);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    caromShape ball = carom_shape_sphere(c*(h + 1)/sqrt(1 + c*c));
    for (int k = 0; k < 8; k++) {
        caromVec3 off = { 5e-4*k, 3e-4*k, 0 };
        make(&t, ball, pose_at(off.x, off.y, h), carom_shape_mesh(mesh), carom_pose_identity());
        assert_int_equal(list(&t, 0.1, points), 12);
        for (int i = 0; i < 12; i++) CHECK_NEAR(points[i].g, -carom_dot(points[i].n_AB, off), 1e-14);
    }
    carom_mesh_destroy(mesh);
}

static void ball_on_a_mesh_touches_both_flanks(void **state)
{
    (void)state;
    const double profile[4][2] = { { 1, -0.6 }, { 0.5, -0.01 }, { 0.5, 0.01 }, { 1, 0.6 } };  // a groove round a spool
    Raw raw = lathe(profile, 4, 64);
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    Two t;
    Random r = { 41 };
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int two = 0;
    for (int k = 0; k < 40; k++) {
        caromPose W = random_pose(&r, 1);
        caromVec3 c = carom_vec(0.85, random_uniform(&r, -0.02, 0.02), random_uniform(&r, -0.01, 0.01));
        make(&t, carom_shape_sphere(0.2), carom_pose(carom_mat_identity(), carom_pose_point(W, c)),
             carom_shape_mesh(mesh), W);
        set_moving(&t, &r);
        int n = list(&t, 0.1, points);
        CHECK(n >= 1);
        two += n == 2;
        double least = (double)INFINITY;
        Worst worst = { 0 };
        for (int i = 0; i < n; i++) {
            check_point(&t, &points[i]);
            check_motion(&t, &points[i], &worst);
            least = fmin(least, points[i].g);
        }
        CHECK_NEAR(least, carom_collide_shapes(t.shapes[0].shape, t.X[0], t.shapes[1].shape, t.X[1]).g, 1e-13);
        CHECK(worst.points >= 1 && worst.dn < 1e-7 && worst.u < 1e-7 && worst.g < 1e-7);
    }
    CHECK(two > 30);
    carom_mesh_destroy(mesh);
}

static void torus_lies_on_four_points(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 2; k++) {
        make(&t, carom_shape_torus(0.5, 0.125), pose_at(0, 0, 0.125),
             k ? carom_shape_box(4, 4, 1) : carom_shape_half_space(), pose_at(0, 0, k ? -0.5 : 0));
        assert_int_equal(list(&t, 1e-9, points), 4);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(points[i].g, 0, 1e-15);
            CHECK_NEAR(hypot(points[i].p_A.x, points[i].p_A.y), 0.5, 1e-15);
            check_point(&t, &points[i]);
        }
        t.X[0].R = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 0.1));
        assert_int_equal(list(&t, 1, points), 1);
        check_point(&t, &points[0]);
    }
    make(&t, carom_shape_box(1, 4, 1), pose_at(0, 0, -0.5), carom_shape_torus(0.5, 0.125), pose_at(0.3, 0, 0.125));
    assert_int_equal(list(&t, 1e-9, points), 5);  // hangs over the edge: three of its own points and two crossings
    for (int i = 0; i < 5; i++) CHECK_VEC(points[i].n_AB, carom_vec(0, 0, 1), 1e-14);
}

static caromMat3 turned(double x, double y, double z, double angle)
{
    return carom_quat_matrix(carom_quat_axis_angle(carom_vec(x, y, z), angle));
}

// A ring that lies over a rod is as near to it in two places, and keeps both while it tilts, until one of them is far.
static void ring_over_a_rod_touches_twice(void **state)
{
    (void)state;
    Random r = { 23 };
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    caromPose rod = carom_pose(turned(1, 0, 0, 0.5*CAROM_PI), carom_vec(0, 0, 0));
    for (int k = 0; k < 4; k++) {
        double tilt = k*1e-3;
        make(&t, carom_shape_torus(0.5, 0.1), carom_pose(turned(1, 0, 0, tilt), carom_vec(0, 0, 0.3)),
             k%2 ? carom_shape_cylinder(0.2, 4) : carom_shape_capsule(0.2, 4), rod);
        set_moving(&t, &r);
        assert_int_equal(list(&t, 1e-9, points), 2);
        double apart = fabs(points[0].p_A.y - points[1].p_A.y), off = fabs(points[0].g - points[1].g);
        Worst worst = { 0 };
        for (int i = 0; i < 2; i++) {
            check_point(&t, &points[i]);
            check_motion(&t, &points[i], &worst);
        }
        CHECK_NEAR(apart, 1.0, 2e-3);
        CHECK_NEAR(off, sin(tilt), 1e-6);  // second order: the normals tilt too
        CHECK_NEAR(fmax(fmax(worst.dn, worst.u), worst.g), 0, 1e-7);
    }
    t.X[0].R = turned(1, 0, 0, 0.5);
    assert_int_equal(list(&t, 1, points), 1);
}

// On a cone it is as near all around: four corners that belong to the ring hold it, whatever it tilts by below that.
static void ring_on_a_cone_touches_with_four_corners(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 3; k++) {
        double spin = 0.3*k;
        make(&t, carom_shape_cone(0.5, 0, 2), pose_at(0, 0, 1), carom_shape_torus(0.4, 0.12),
             carom_pose(turned(0, 0, 1, spin), carom_vec(0, 0, 1)));
        assert_int_equal(list(&t, 10, points), 4);
        for (int i = 0; i < 4; i++) {
            double angle = atan2(points[i].p_B.y, points[i].p_B.x) - spin;
            CHECK_NEAR(points[i].g, points[0].g, 1e-15);
            CHECK_NEAR(sin(2*angle), 0, 1e-14);
            CHECK(points[i].lies);
            check_point(&t, &points[i]);
        }
    }
    t.X[1].R = turned(1, 0, 0, 1e-3);
    CHECK(list(&t, 10, points) <= 2 && !points[0].lies);
}

// On the flat end of a cylinder or a cone: the points of its own that are over it, and where it crosses the rim.
static void ring_lies_on_a_flat_end(void **state)
{
    (void)state;
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? 0.45 : 0.0;  // hangs over the rim
        caromShape end = k & 2 ? carom_shape_cone(0.6, 0.2, 1) : carom_shape_cylinder(0.6, 1),
                   ring = carom_shape_torus(0.5, 0.1);
        caromPose X = pose_at(0, 0, 0), X_ring = pose_at(x, 0, k & 2 ? -0.6 : 0.6);  // the wide end is below
        bool is_first = k & 4;
        make(&t, is_first ? ring : end, is_first ? X_ring : X, is_first ? end : ring, is_first ? X : X_ring);
        int n = list(&t, 1e-9, points);
        assert_int_equal(n, k & 1 ? 3 : 4);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(points[i].g, 0, 1e-14);
            CHECK_NEAR(hypot(points[i].p_A.x - x, points[i].p_A.y), 0.5, 1e-14);
            CHECK(hypot(points[i].p_A.x, points[i].p_A.y) < 0.6 + 1e-14 && points[i].lies);
            check_point(&t, &points[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_in_a_funnel_touches_all_facets),
        cmocka_unit_test(ball_on_a_mesh_touches_both_flanks),
        cmocka_unit_test(torus_lies_on_four_points),
        cmocka_unit_test(ring_over_a_rod_touches_twice),
        cmocka_unit_test(ring_on_a_cone_touches_with_four_corners),
        cmocka_unit_test(ring_lies_on_a_flat_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
