// Random poses and shapes for the tests of queries.
#ifndef CAROM_TESTS_COLLIDE_FIXTURE_H
#define CAROM_TESTS_COLLIDE_FIXTURE_H

#include "carom/collide.h"
#include "check.h"

static inline caromVec3 random_vec(Random *r, double size)
{
    double x = random_uniform(r, -size, size), y = random_uniform(r, -size, size), z = random_uniform(r, -size, size);
    return carom_vec(x, y, z);
}

static inline caromQuat random_quat(Random *r)  // not unit
{
    caromQuat q;
    do {
        q.w = random_uniform(r, -1, 1), q.x = random_uniform(r, -1, 1), q.y = random_uniform(r, -1, 1),
            q.z = random_uniform(r, -1, 1);
    } while (q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z < 0.1);
    return q;
}

static inline caromQuat random_rotation(Random *r)
{
    return carom_quat_normalized(random_quat(r));
}

static inline caromPose random_pose(Random *r, double size)
{
    caromMat3 R = carom_quat_matrix(random_quat(r));
    return carom_pose(R, random_vec(r, size));
}

static inline caromPose pose_at(double x, double y, double z)
{
    return carom_pose(carom_mat_identity(), carom_vec(x, y, z));
}

static inline double random_size(Random *r) { return pow(10, random_uniform(r, -2, 0)); }

// Any of the bounded convex kinds but the polytope, half of them rounded.
static inline caromShape random_convex(Random *r)
{
    double a = random_size(r), b = random_size(r), c = random_size(r);
    caromShape s;
    switch ((int)random_uniform(r, 0, 6)) {
    case 0: return carom_shape_sphere(a);
    case 1: return carom_shape_ellipsoid(a, b, c);
    case 2: s = carom_shape_box(a, b, c); break;
    case 3: s = carom_shape_cylinder(a, b); break;
    case 4: s = carom_shape_cone(a, random_uniform(r, 0, 1) < 0.5 ? 0.0 : b, c); break;
    default: return carom_shape_capsule(a, b);
    }
    if (random_uniform(r, 0, 1) < 0.5)
        s = carom_shape_rounded(s, random_uniform(r, 0.01, 0.9)*(s.kind == CAROM_BOX ? 0.5*fmin(a, fmin(b, c))
                                                                                     : 0.3*fmin(a, fmin(b, c))));
    return s;
}

static inline caromHull *random_hull(Random *r, double rounding)
{
    caromVec3 points[40];
    caromHull *hull = NULL;
    while (!hull) {  // too flat for the rounding: another one
        int n = 4 + (int)random_uniform(r, 0, 36);
        for (int i = 0; i < n; i++) points[i] = random_vec(r, 1.0);
        hull = carom_hull_create(points, n, rounding, NULL);
    }
    return hull;
}

#endif
