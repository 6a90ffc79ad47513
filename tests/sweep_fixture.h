// Moving shapes for the tests of carom_collide_sweep, and slow answers to compare with.
#ifndef CAROM_TESTS_SWEEP_FIXTURE_H
#define CAROM_TESTS_SWEEP_FIXTURE_H

#include "collide/meshes.h"
#include "collide_fixture.h"
#include "mesh_fixture.h"

// ---- meshes

// The prism of height h on a polygon of n corners with z = -h/2, cut into triangles from its first corner: which must see all others.
static inline Raw prism(const double (*corners)[2], int n, double h)
{
    Raw raw = raw_alloc(2*n, 4*n - 4);
    for (int i = 0; i < 2*n; i++) raw.vertices[i] = carom_vec(corners[i%n][0], corners[i%n][1], i < n ? -0.5*h : 0.5*h);
    int t = 0;
    for (int i = 1; i + 1 < n; i++) {
        set_triangle(&raw, t++, 0, i + 1, i);
        set_triangle(&raw, t++, n, n + i, n + i + 1);
    }
    for (int i = 0; i < n; i++) {
        int next = (i + 1)%n;
        set_triangle(&raw, t++, i, next, n + next);
        set_triangle(&raw, t++, i, n + next, n + i);
    }
    return raw;
}

// An angle bracket of 20 triangles; its inner corner comes first.
static inline Raw bracket(double size)
{
    const double s = size, corners[6][2] = { { 0.2*s, 0.2*s }, { 0.2*s, s }, { 0, s }, { 0, 0 }, { s, 0 }, { s, 0.2*s } };
    return prism(corners, 6, 0.5*s);
}

// Each triangle becomes four.
static inline Raw refined(Raw a)  // frees it
{
    Raw raw = raw_alloc(6*a.ntriangle, 4*a.ntriangle);
    for (int t = 0; t < a.ntriangle; t++) {
        for (int k = 0; k < 3; k++) {
            caromVec3 p = a.vertices[a.triangles[t][k]], q = a.vertices[a.triangles[t][(k + 1)%3]];
            raw.vertices[6*t + k] = p;
            raw.vertices[6*t + 3 + k] = carom_scale(0.5, carom_add(p, q));
        }
        set_triangle(&raw, 4*t, 6*t, 6*t + 3, 6*t + 5);
        set_triangle(&raw, 4*t + 1, 6*t + 1, 6*t + 4, 6*t + 3);
        set_triangle(&raw, 4*t + 2, 6*t + 2, 6*t + 5, 6*t + 4);
        set_triangle(&raw, 4*t + 3, 6*t + 3, 6*t + 4, 6*t + 5);
    }
    raw_free(&a);
    return raw;
}

static inline caromMesh *mesh_and_free(Raw raw)
{
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    return mesh;
}

// ---- motion

typedef struct Moving {
    caromShape shape;
    caromPose X;
    caromSpatial V;
} Moving;

static inline caromPose moving_at(const Moving *m, double t)
{
    caromVec3 axis = carom_unit_or(m->V.angular, carom_vec(1, 0, 0));
    caromMat3 turn_by = carom_quat_matrix(carom_quat_axis_angle(axis, carom_norm(m->V.angular)*t));
    return carom_pose(carom_mat_mul(turn_by, m->X.R), carom_axpy(t, m->V.linear, m->X.p));
}

static inline caromSweep sweep_of(const Moving *a, const Moving *b, double t_max)
{
    return carom_collide_sweep(a->shape, a->X, a->V, b->shape, b->X, b->V, t_max);
}

static inline double scale_of(const Moving *a, const Moving *b)
{
    double ra = carom_shape_is_bounded(a->shape) ? carom_shape_radius(a->shape) : 0, rb = carom_shape_is_bounded(b->shape) ? carom_shape_radius(b->shape) : 0;
    return ra + rb;
}

// No two points come nearer to each other faster than this.
static inline double speed_bound(const Moving *a, const Moving *b)
{
    double speed = carom_norm(carom_sub(b->V.linear, a->V.linear));
    if (carom_shape_is_bounded(a->shape)) speed += carom_norm(a->V.angular)*carom_shape_radius(a->shape);
    if (carom_shape_is_bounded(b->shape)) speed += carom_norm(b->V.angular)*carom_shape_radius(b->shape);
    return speed;
}

// ---- gaps, triangle by triangle

static inline double triangle_other_gap(const caromVec3 corners[3], const caromShape *other, caromPose X)
{
    if (other->kind == CAROM_HALF_SPACE) {
        double low = INFINITY;
        for (int k = 0; k < 3; k++) low = fmin(low, carom_pose_inverse_point(X, corners[k]).z);
        return low;
    }
    if (other->kind == CAROM_MESH) {
        double low = INFINITY;
        const caromMeshTree *tree = &other->mesh->tree;
        const int v[3] = { 0, 1, 2 };
        for (int i = 0; i < other->mesh->ntriangle; i++) {
            caromVec3 b[3];
            for (int k = 0; k < 3; k++) b[k] = carom_pose_point(X, tree->corners[i][k]);
            low = fmin(low, sqrt(carom_triangles_gap(corners, v, b, v).g2));
        }
        return low;
    }
    caromVec3 on = carom_vec(0, 0, 0);
    int feature;
    if (other->kind == CAROM_SPHERE) {
        on = carom_triangle_point(corners, X.p, &feature);
        return carom_norm(carom_sub(on, X.p)) - other->size.x;
    }
    // A convex shape: the triangle as a thin plate would not be exact, so the distance of the shape from its points is minimised, which is convex.
    double low = INFINITY, at[2] = { 1.0/3, 1.0/3 }, width = 0.5;
    for (int round = 0; round < 60; round++) {
        double best[2] = { at[0], at[1] };
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++) {
                double u = fmin(1, fmax(0, at[0] + 0.5*i*width)), w = fmin(1 - u, fmax(0, at[1] + 0.5*j*width));
                caromVec3 p = carom_add(carom_scale(1 - u - w, corners[0]), carom_add(carom_scale(u, corners[1]), carom_scale(w, corners[2])));
                double g = carom_collide_point(*other, X, p).g;
                if (g < low) low = g, best[0] = u, best[1] = w;
            }
        if (best[0] == at[0] && best[1] == at[1]) width *= 0.5;
        at[0] = best[0], at[1] = best[1];
    }
    return low;
}

// Of two shapes of which meshes are looked at triangle by triangle; 0 where surfaces cross.
static inline double plain_gap(const Moving *a, const Moving *b, double t)
{
    caromPose X_A = moving_at(a, t), X_B = moving_at(b, t);
    if (a->shape.kind != CAROM_MESH && b->shape.kind != CAROM_MESH) return carom_collide_shapes(a->shape, X_A, b->shape, X_B).g;
    if (a->shape.kind != CAROM_MESH) return plain_gap(b, a, t);
    double low = INFINITY;
    for (int i = 0; i < a->shape.mesh->ntriangle; i++) {
        caromVec3 corners[3];
        for (int k = 0; k < 3; k++) corners[k] = carom_pose_point(X_A, a->shape.mesh->tree.corners[i][k]);
        low = fmin(low, triangle_other_gap(corners, &b->shape, X_B));
    }
    return low;
}

#endif
