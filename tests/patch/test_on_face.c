// Round bodies on plane faces: a half-space while they stand over one, points at the rim, one energy for both.
#include "collide_fixture.h"

#include "geometry/geometry.h"
#include "patch/fields.h"
#include "patch/table.h"

static caromHull *hull, *prism, *ball;

static int make_hull(void **state)
{
    (void)state;
    Random r = { 5 };
    caromVec3 points[10];
    for (int k = 0; k < 10; k++) points[k] = carom_scale(0.1, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)));
    hull = carom_hull_create(points, 10, 0.02, NULL);
    caromVec3 corners[12], round[40];
    for (int k = 0; k < 12; k++)
        corners[k] = carom_vec(0.7*cos(CAROM_PI*k/3), 0.7*sin(CAROM_PI*k/3), k < 6 ? -0.1 : 0.1);
    prism = carom_hull_create(corners, 12, 0, NULL);
    for (int k = 0; k < 40; k++) round[k] = carom_scale(0.5, carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)));
    ball = carom_hull_create(round, 40, 0, NULL);
    return hull && prism && ball ? 0 : -1;
}

static int free_hull(void **state)
{
    (void)state;
    carom_hull_destroy(hull);
    carom_hull_destroy(prism);
    carom_hull_destroy(ball);
    return 0;
}

enum { KINDS = 7, SLABS = 3 };
static caromShape kind(int k)
{
    const caromShape shapes[KINDS] = {
        carom_shape_capsule(0.05, 0.2), carom_shape_cylinder(0.08, 0.12), carom_shape_cone(0.1, 0, 0.15),
        carom_shape_rounded(carom_shape_cone(0.1, 0.05, 0.1), 0.01), carom_shape_torus(0.08, 0.03),
        carom_shape_rounded(carom_shape_box(0.1, 0.15, 0.2), 0.02), carom_shape_polytope(hull),
    };
    caromError err = { 0 };
    caromShape s = shapes[k];
    s.samples = carom_shape_samples_create(s, 0, &err);
    assert_non_null(s.samples);
    return s;
}

static caromShape slab(int k)
{
    caromShape sharp = carom_shape_box(1.0, 1.2, 0.2);
    return k == 2 ? carom_shape_polytope(prism) : k ? carom_shape_rounded(sharp, 0.03) : sharp;
}

static void unsample(caromShape *shape)
{
    carom_shape_samples_destroy((caromSamples *)shape->samples);
    shape->samples = NULL;
}

typedef struct Sum {
    caromVec3 force, torque;  // on b, about Xb.p
    double depth;
} Sum;

static Sum pressed(const caromPatchRow *row, const caromShape *a, caromPose Xa, const caromShape *b, caromPose Xb)
{
    static caromPatch patch;
    row->patch(a, Xa, b, Xb, &patch);
    Sum s = { .depth = patch.depth };
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 f = carom_scale(patch.cells[i].weight, patch.cells[i].n_AB);
        s.force = carom_add(s.force, f);
        s.torque = carom_add(s.torque, carom_cross(carom_sub(patch.cells[i].p_W, Xb.p), f));
    }
    return s;
}

// a turned anyhow, pressed by that depth into the upper face at x, y.
static caromPose pressed_in(Random *r, const caromShape *a, const caromShape *b, double x, double y, double depth)
{
    caromPose X = { random_pose(r, 1).R, { x, y, 1 } };
    X.p.z -= carom_collide_shapes(*a, X, *b, pose_at(0, 0, 0)).g + depth;
    return X;
}

static void in_the_middle_it_is_a_half_space(void **state)
{
    (void)state;
    Random r = { 3 };
    caromShape plane = carom_shape_half_space();
    for (int k = 0; k < KINDS*SLABS; k++) {
        caromShape a = kind(k % KINDS), b = slab(k/KINDS);
        bool swapped;
        assert_ptr_equal(carom_patch_row(&a, &b, &swapped), &carom_patch_on_face);
        for (int tries = 0; tries < 20; tries++) {
            caromPose Xa = pressed_in(&r, &a, &b, random_uniform(&r, -0.1, 0.1), random_uniform(&r, -0.2, 0.2),
                                      pow(10, random_uniform(&r, -6, -2)));
            Sum s = pressed(&carom_patch_on_face, &a, Xa, &b, pose_at(0, 0, 0)),
                flat = pressed(&carom_patch_round, &a, Xa, &plane, pose_at(0, 0, 0.1));
            CHECK(carom_norm(flat.force) > 0);
            CHECK_VEC(s.force, flat.force, 1e-6*carom_norm(flat.force));  // roundings of poses of 0.1 m over 1 um
            CHECK_NEAR(s.depth, flat.depth, 1e-15);
        }
        unsample(&a);
    }
}

static double difference(const caromShape *a, caromPose Xa, const caromShape *b, caromVec3 e, bool turns, double h)
{
    double w[2];
    for (int i = 0; i < 2; i++) {
        double s = i ? h : -h;
        caromPose X = { turns ? carom_quat_matrix(carom_quat_axis_angle(e, s)) : pose_at(0, 0, 0).R,
                        turns ? carom_vec(0, 0, 0) : carom_scale(s, e) };
        w[i] = carom_patch_on_face.energy(a, Xa, b, X);
    }
    return -(w[1] - w[0])/(2*h);
}

// As for points (test_sampled.c): nearly all components agree to 1e-5, and a few may be on a kink. From the middle to
// where the ball around a is half over the rim, over which W goes from one to the other.
static void force_is_the_gradient_of_the_energy_up_to_the_rim(void **state)
{
    (void)state;
    Random r = { 15 };
    int good = 0, all = 0, between = 0;
    for (int k = 0; k < KINDS*SLABS; k++) {
        caromShape a = kind(k % KINDS), b = slab(k/KINDS), plane = carom_shape_half_space();
        for (int tries = 0; tries < 12; tries++) {
            caromPose Xa = pressed_in(&r, &a, &b, random_uniform(&r, 0.2, 0.5), random_uniform(&r, -0.6, 0.1), 0.004);
            Sum s = pressed(&carom_patch_on_face, &a, Xa, &b, pose_at(0, 0, 0));
            double scale = carom_norm(s.force) + 1e-9,
                   points = carom_patch_sampled.energy(&a, Xa, &b, pose_at(0, 0, 0)),
                   face = carom_patch_round.energy(&a, Xa, &plane, pose_at(0, 0, 0.1)),
                   W = carom_patch_on_face.energy(&a, Xa, &b, pose_at(0, 0, 0));
            between += W != points && fabs(W - face) > 1e-6*face;
            for (int c = 0; c < 6; c++) {
                caromVec3 e = { c % 3 == 0, c % 3 == 1, c % 3 == 2 };
                double exact = carom_at(c < 3 ? s.force : s.torque, c % 3);
                double coarse = difference(&a, Xa, &b, e, c > 2, 2e-6), fine = difference(&a, Xa, &b, e, c > 2, 1e-6);
                double off = fabs((4*fine - coarse)/3 - exact)/scale;
                all++;
                good += off < 1e-5;
                assert_true(off < 0.02);
            }
        }
        unsample(&a);
    }
    print_message("%d of %d components agree to 1e-5, %d poses are between\n", good, all, between);
    assert_true(good > 0.98*all);
    assert_true(between > 20);
}

// Of steel depths are a thousandth of what points are apart: a roller on a flat follower a little wider than itself,
// and longer than the roller is thick. Whatever angle it is turned by, it is as deep as the plane says.
static void a_roller_has_no_corners(void **state)
{
    (void)state;
    caromShape a = carom_shape_cylinder(0.03, 0.012), b = carom_shape_box(0.06, 0.02, 0.006),
               plane = carom_shape_half_space();
    caromError err = { 0 };
    a.samples = carom_shape_samples_create(a, 0, &err);
    caromMat3 lying = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*CAROM_PI));
    for (int i = 0; i < 50; i++) {
        double depth = pow(10, -4 - 4*(i/50.0)), x = 0.008*sin(i), up = 0.033 - depth;
        caromMat3 turned = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 1, 0), 0.1*i));
        caromPose Xa = { carom_mat_mul(turned, lying), carom_vec(x, 0, up) };
        double W = carom_patch_on_face.energy(&a, Xa, &b, pose_at(0, 0, 0)),
               flat = carom_patch_round.energy(&a, Xa, &plane, pose_at(0, 0, 0.003));
        CHECK_NEAR(W, flat, 1e-15*flat);
        // A line of length L: depth d - x^2/(2 R) over 2 sqrt(2 R d), and so 8/15 L d^2 sqrt(2 R d) of W.
        CHECK_NEAR(flat, 8.0/15*0.012*depth*depth*sqrt(2*0.03*depth), (1e-10/depth + depth/0.03)*flat);
    }
    unsample(&a);
}

// At the angle between two faces both are as good, and neither is taken; what is below both presses by its points.
static void over_an_edge_it_presses_by_points(void **state)
{
    (void)state;
    Random r = { 25 };
    for (int k = 0; k < KINDS*SLABS; k++) {
        caromShape a = kind(k % KINDS), b = slab(k/KINDS);
        double side = k/KINDS == 2 ? 0.7*sqrt(0.75) : 0.6;
        for (int tries = 0; tries < 10; tries++) {
            caromPose Xa = { random_pose(&r, 1).R, { 0, side + 0.03, 0.13 } };
            CHECK_NEAR(carom_patch_on_face.energy(&a, Xa, &b, pose_at(0, 0, 0)),
                       carom_patch_sampled.energy(&a, Xa, &b, pose_at(0, 0, 0)), 0);
        }
        unsample(&a);
    }
}

static void whom_it_serves(void **state)
{
    (void)state;
    caromShape a = kind(1), wide = slab(0), narrow = carom_shape_box(0.3, 0.4, 0.2),
               sharp = carom_shape_box(0.1, 0.1, 0.1), faceted = carom_shape_polytope(ball);
    bool swapped;
    assert_ptr_equal(carom_patch_row(&a, &wide, &swapped), &carom_patch_on_face);
    assert_false(swapped);
    assert_ptr_equal(carom_patch_row(&wide, &a, &swapped), &carom_patch_on_face);
    assert_true(swapped);
    assert_ptr_equal(carom_patch_row(&a, &narrow, &swapped), &carom_patch_on_face);
    assert_ptr_equal(carom_patch_row(&a, &faceted, &swapped), &carom_patch_sampled);
    assert_ptr_equal(carom_patch_row(&sharp, &wide, &swapped), &carom_patch_planes);
    unsample(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_middle_it_is_a_half_space),
        cmocka_unit_test(force_is_the_gradient_of_the_energy_up_to_the_rim),
        cmocka_unit_test(a_roller_has_no_corners),
        cmocka_unit_test(over_an_edge_it_presses_by_points),
        cmocka_unit_test(whom_it_serves),
    };
    return cmocka_run_group_tests(tests, make_hull, free_hull);
}
