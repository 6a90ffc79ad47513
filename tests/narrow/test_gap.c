// Gaps against a slow reference, certificates against sampled motion.
#include "carom/collide.h"

#include <float.h>

#include "collide_fixture.h"
#include "patch/patch.h"

static const caromShape half_space = { CAROM_HALF_SPACE, { 0, 0, 0 } };

static caromShape sphere(double radius)
{
    return (caromShape){ CAROM_SPHERE, { radius, 0, 0 } };
}

static caromShape box(double x, double y, double z)
{
    return (caromShape){ CAROM_BOX, { x, y, z } };
}

static void sphere_on_plane_gap_is_height_minus_radius(void **state)
{
    (void)state;
    caromGap g = carom_collide_shapes(sphere(0.125), pose_at(0, 0, 0.375), half_space, pose_at(0, 0, 0));
    CHECK_NEAR(g.g, 0.25, 0);  // inputs exact in binary
    CHECK_VEC(g.n_AB, carom_vec(0, 0, -1), 0);
    CHECK_VEC(g.p_A, carom_vec(0, 0, 0.25), 0);
    CHECK_VEC(g.p_B, carom_vec(0, 0, 0), 0);
}

static caromShape random_shape(Random *r)
{
    double kind = random_uniform(r, 0, 3);
    if (kind < 1) return sphere(random_uniform(r, 0.1, 1));
    if (kind < 2) return box(random_uniform(r, 0.1, 1), random_uniform(r, 0.1, 1), random_uniform(r, 0.1, 1));
    return half_space;
}

// What every gap must satisfy, whatever the shapes: mirror, rigid motion, witness points that are g apart along n.
static void gaps_mirror_move_and_witness(void **state)
{
    (void)state;
    Random r = { 11 };
    for (int k = 0; k < 5000; k++) {
        caromShape a = random_shape(&r), b = random_shape(&r);
        if (a.kind == CAROM_HALF_SPACE && b.kind == CAROM_HALF_SPACE) continue;
        caromPose Xa = random_pose(&r, 1), Xb = random_pose(&r, 1), move = random_pose(&r, 10);
        caromGap g = carom_collide_shapes(a, Xa, b, Xb), swapped = carom_collide_shapes(b, Xb, a, Xa);
        CHECK_NEAR(swapped.g, g.g, 4e-15);  // two boxes are compared in the frame of the first: a few roundings of 1 m
        CHECK_NEAR(carom_norm(g.n_AB), 1, 1e-14);
        caromGap moved = carom_collide_shapes(a, carom_pose_mul(move, Xa), b, carom_pose_mul(move, Xb));
        CHECK_NEAR(moved.g, g.g, 2e-14);  // coordinates of 10 m: a few of their roundings, 1.8e-15 each
        CHECK_NEAR(carom_dot(g.n_AB, carom_sub(g.p_B, g.p_A)), g.g, 1e-14);
        CHECK_VEC(carom_sub(g.p_B, g.p_A), carom_scale(g.g, g.n_AB), 1e-7 + (g.g < 0 ? 10 : 0));  // along n when apart
    }
}

// Distance of two boxes by alternating projection (slow, no features): converges to the nearest points of convex sets.
static double distance_by_projection(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    caromVec3 p = Xa.p;
    double d = 0;
    for (int k = 0; k < 20000; k++) {
        caromVec3 l = carom_pose_inverse_point(Xb, p), h = carom_scale(0.5, b.size);
        caromVec3 q = carom_pose_point(Xb, carom_vec(fmin(fmax(l.x, -h.x), h.x), fmin(fmax(l.y, -h.y), h.y),
                                                     fmin(fmax(l.z, -h.z), h.z)));
        l = carom_pose_inverse_point(Xa, q), h = carom_scale(0.5, a.size);
        caromVec3 next = carom_pose_point(Xa, carom_vec(fmin(fmax(l.x, -h.x), h.x), fmin(fmax(l.y, -h.y), h.y),
                                                        fmin(fmax(l.z, -h.z), h.z)));
        d = carom_norm(carom_sub(q, next));
        if (carom_norm(carom_sub(next, p)) < 1e-16) break;
        p = next;
    }
    return d;
}

static void box_distance_equals_alternating_projection(void **state)
{
    (void)state;
    Random r = { 12 };
    int apart = 0;
    for (int k = 0; k < 300; k++) {
        caromShape a = box(random_uniform(&r, 0.1, 1), random_uniform(&r, 0.1, 1), random_uniform(&r, 0.1, 1));
        caromShape b = box(random_uniform(&r, 0.1, 1), random_uniform(&r, 0.1, 1), random_uniform(&r, 0.1, 1));
        caromPose Xa = random_pose(&r, 1), Xb = random_pose(&r, 1);
        caromGap g = carom_collide_shapes(a, Xa, b, Xb);
        if (g.g <= 0.05) continue;
        apart++;
        // Projection is linear in convergence: its error, not ours.
        CHECK_NEAR(g.g, distance_by_projection(a, Xa, b, Xb), 1e-8);
    }
    assert_true(apart > 100);
}

// Moving B by the depth along n separates the boxes, and by a little less does not: the shortest way out.
static void box_depth_is_the_shortest_way_out(void **state)
{
    (void)state;
    Random r = { 13 };
    int deep = 0;
    for (int k = 0; k < 2000; k++) {
        caromShape a = box(0.3, 0.5, 0.7), b = box(0.4, 0.4, 0.6);
        caromPose Xa = random_pose(&r, 0.3), Xb = random_pose(&r, 0.3);
        caromGap g = carom_collide_shapes(a, Xa, b, Xb);
        if (g.g >= 0) continue;
        deep++;
        caromPose out = { Xb.R, carom_axpy(-g.g + 1e-9, g.n_AB, Xb.p) };
        CHECK(carom_collide_shapes(a, Xa, b, out).g > 0);
        for (int m = 0; m < 10; m++) {  // no random direction is shorter
            caromVec3 d = carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0));
            caromPose moved = { Xb.R, carom_axpy(-g.g*(1 - 1e-9), d, Xb.p) };
            CHECK(carom_collide_shapes(a, Xa, b, moved).g <= 1e-9);
        }
    }
    assert_true(deep > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_on_plane_gap_is_height_minus_radius),
        cmocka_unit_test(gaps_mirror_move_and_witness),
        cmocka_unit_test(box_distance_equals_alternating_projection),
        cmocka_unit_test(box_depth_is_the_shortest_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
