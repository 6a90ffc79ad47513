// Gaps against a slow reference, patches against their energy, certificates against sampled motion.
#include "carom/collide.h"

#include <float.h>

#include "check.h"
#include "collide/collide.h"
#include "collide/fields.h"

static caromQuat random_rotation(Random *r)
{
    caromQuat q;
    do {
        q = (caromQuat){ random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1) };
    } while (q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z < 0.1);
    return carom_quat_normalized(q);
}

static caromVec3 random_vec(Random *r, double size)
{
    return carom_vec(random_uniform(r, -size, size), random_uniform(r, -size, size), random_uniform(r, -size, size));
}

static caromPose random_pose(Random *r, double size)
{
    return (caromPose){ carom_quat_matrix(random_rotation(r)), random_vec(r, size) };
}

static caromPose pose_at(double x, double y, double z)
{
    return (caromPose){ carom_mat_identity(), { x, y, z } };
}

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
        caromVec3 q = carom_pose_point(Xb, carom_vec(fmin(fmax(l.x, -h.x), h.x), fmin(fmax(l.y, -h.y), h.y), fmin(fmax(l.z, -h.z), h.z)));
        l = carom_pose_inverse_point(Xa, q), h = carom_scale(0.5, a.size);
        caromVec3 next = carom_pose_point(Xa, carom_vec(fmin(fmax(l.x, -h.x), h.x), fmin(fmax(l.y, -h.y), h.y), fmin(fmax(l.z, -h.z), h.z)));
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
        CHECK_NEAR(g.g, distance_by_projection(a, Xa, b, Xb), 1e-8);  // projection is linear in convergence: its error, not ours
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

static caromField field_of(caromShape s, caromPose X, caromVec3 origin)
{
    return s.kind == CAROM_BOX ? carom_field_box(s.size, X, origin) : carom_field_half_space(X, origin);
}

static void resultant(caromShape a, caromPose Xa, caromShape b, caromPose Xb, caromVec3 *force, caromVec3 *torque)
{
    caromField fa = field_of(a, Xa, Xa.p), fb = field_of(b, Xb, Xa.p);
    caromPatch patch;
    carom_field_patch(&fa, &fb, Xa.p, &patch);
    *force = *torque = carom_vec(0, 0, 0);
    for (int i = 0; i < patch.ncell; i++) {
        caromVec3 f = carom_scale(patch.cells[i].weight, patch.cells[i].n_AB);
        *force = carom_add(*force, f);
        *torque = carom_add(*torque, carom_cross(carom_sub(patch.cells[i].p_W, Xb.p), f));
    }
}

static double energy(caromShape a, caromPose Xa, caromShape b, caromPose Xb)
{
    caromField fa = field_of(a, Xa, Xa.p), fb = field_of(b, Xb, Xa.p);
    return carom_field_energy(&fa, &fb);
}

// W by brute force: the smaller of the two fields summed over a fine grid of points in A.
static double energy_on_grid(caromShape a, caromPose Xa, caromShape b, caromPose Xb, int n)
{
    caromField fa = field_of(a, Xa, Xa.p), fb = field_of(b, Xb, Xa.p);
    double sum = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) {
        caromVec3 x_A = { a.size.x*((i + 0.5)/n - 0.5), a.size.y*((j + 0.5)/n - 0.5), a.size.z*((k + 0.5)/n - 0.5) };
        caromVec3 x = carom_mul(Xa.R, x_A);
        double pa = INFINITY, pb = INFINITY;
        for (int m = 0; m < fa.n; m++) pa = fmin(pa, carom_dot(fa.face[m].n, x) + fa.face[m].b);
        for (int m = 0; m < fb.n; m++) pb = fmin(pb, carom_dot(fb.face[m].n, x) + fb.face[m].b);
        sum += fmax(0, fmin((1 + 1/1.3)*pa, (1 + 1.3)*pb));
    }
    return sum*a.size.x*a.size.y*a.size.z/((double)n*n*n);
}

static void field_energy_is_the_integral_of_the_smaller_field(void **state)
{
    (void)state;
    Random r = { 14 };
    for (int k = 0; k < 12; k++) {
        caromShape a = box(0.3, 0.5, 0.7), b = k % 3 ? box(0.4, 0.4, 0.6) : half_space;
        caromPose Xa = random_pose(&r, 0.15), Xb = random_pose(&r, 0.15);
        double exact = energy(a, Xa, b, Xb), grid = energy_on_grid(a, Xa, b, Xb, 60);
        CHECK_NEAR(grid, exact, 4e-3*exact + 1e-7);  // midpoint rule on 60^3 points of a function with kinks
    }
}

// Force and torque are minus the gradient of W: central differences of W along all six motions of B.
static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    Random r = { 15 };
    int touching = 0;
    for (int k = 0; k < 200; k++) {
        caromShape a = box(0.3, 0.5, 0.7), b = k % 3 ? box(0.4, 0.4, 0.6) : half_space;
        caromPose Xa = random_pose(&r, 0.2), Xb = random_pose(&r, 0.2);
        caromVec3 force, torque;
        resultant(a, Xa, b, Xb, &force, &torque);
        if (carom_norm(force) < 1e-4) continue;
        touching++;
        double step = 1e-4;
        for (int axis = 0; axis < 3; axis++) {
            caromVec3 e = { axis == 0, axis == 1, axis == 2 };
            double work[2], turn[2];
            for (int s = 0; s < 2; s++) {  // Richardson: fourth order from two second-order differences
                double h = s ? step : 2*step;
                caromPose up = { Xb.R, carom_axpy(h, e, Xb.p) }, down = { Xb.R, carom_axpy(-h, e, Xb.p) };
                work[s] = -(energy(a, Xa, b, up) - energy(a, Xa, b, down))/(2*h);
                caromMat3 plus = carom_quat_matrix(carom_quat_axis_angle(e, h)), minus = carom_quat_matrix(carom_quat_axis_angle(e, -h));
                caromPose turned = { carom_mat_mul(plus, Xb.R), Xb.p }, back = { carom_mat_mul(minus, Xb.R), Xb.p };
                turn[s] = -(energy(a, Xa, b, turned) - energy(a, Xa, b, back))/(2*h);
            }
            // The fourth derivative has kinks where polygons appear: the differences are good to about 1e-6 of the force.
            CHECK_NEAR((4*work[1] - work[0])/3, carom_at(force, axis), 2e-6*carom_norm(force));
            CHECK_NEAR((4*turn[1] - turn[0])/3, carom_at(torque, axis), 2e-6*carom_norm(force));
        }
    }
    assert_true(touching > 50);
}

// Flush equal cubes, the case that breaks equal moduli: the force is that of the face, and continuous through exact alignment.
static void flush_cubes_press_evenly(void **state)
{
    (void)state;
    caromShape cube = box(0.1, 0.1, 0.1);
    double depth = 1e-5;
    caromVec3 force, torque;
    for (int k = -3; k <= 3; k++) {
        resultant(cube, pose_at(0, 0, 0), cube, pose_at(k*1e-9, 0, 0.1 - depth), &force, &torque);
        CHECK_NEAR(force.z, depth*0.01, 1e-3*depth*0.01);  // rims are slivers of relative size depth/width
        CHECK_NEAR(force.x, 0, 1e-3*force.z);
        CHECK_NEAR(carom_norm(torque), 0, 1e-3*force.z*0.1);
    }
}

static void force_is_continuous_along_smooth_paths(void **state)
{
    (void)state;
    Random r = { 16 };
    double jump[2] = { 0, 0 };
    for (int path = 0; path < 20; path++) {
        caromShape a = box(0.1, 0.1, 0.1), b = path % 2 ? box(0.1, 0.12, 0.08) : half_space;
        caromVec3 from = random_vec(&r, 0.06), to = random_vec(&r, 0.06), axis = carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0));
        for (int fine = 0; fine < 2; fine++) {
            int n = fine ? 10000 : 1000;
            caromVec3 last = { 0, 0, 0 };
            for (int k = 0; k <= n; k++) {
                double s = (double)k/n;
                caromPose Xb = { carom_quat_matrix(carom_quat_axis_angle(axis, s)), carom_add(carom_scale(1 - s, from), carom_scale(s, to)) };
                caromVec3 force, torque;
                resultant(a, pose_at(0, 0, 0.05), b, Xb, &force, &torque);
                if (k > 0) jump[fine] = fmax(jump[fine], carom_norm(carom_sub(force, last)));
                last = force;
            }
        }
    }
    CHECK(jump[0] > 0);
    CHECK(jump[1] < 0.15*jump[0]);  // Lipschitz: ten times finer steps, ten times smaller differences
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_on_plane_gap_is_height_minus_radius),
        cmocka_unit_test(gaps_mirror_move_and_witness),
        cmocka_unit_test(box_distance_equals_alternating_projection),
        cmocka_unit_test(box_depth_is_the_shortest_way_out),
        cmocka_unit_test(field_energy_is_the_integral_of_the_smaller_field),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(flush_cubes_press_evenly),
        cmocka_unit_test(force_is_continuous_along_smooth_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
