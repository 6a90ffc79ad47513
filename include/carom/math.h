// math.h -- vectors, rotations and poses that read like the equations.
//
// In:    plain structs of doubles, by value.
// Out:   the same.
// Promise: inline, no branches that depend on tolerances, no allocation.
// Not here: bodies. Larger solves are in src/math.
//
// Names carry frames: p_WB is the position of B from W, in W; R_WB turns B-coordinates into W; matching letters meet:
// p_WC = p_WB + R_WB p_BC. Quaternions are (w, x, y, z), q_WB turns B-coordinates into W.
#ifndef CAROM_MATH_H
#define CAROM_MATH_H

#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_PI 3.14159265358979323846

typedef struct caromVec3 { double x, y, z; } caromVec3;
typedef struct caromQuat { double w, x, y, z; } caromQuat;
typedef struct caromMat3 { caromVec3 cx, cy, cz; } caromMat3;                 // columns
typedef struct caromPose { caromMat3 R; caromVec3 p; } caromPose;             // X_AB: R = R_AB, p = p_AB
// Velocity (w, v) or wrench (torque, force).
typedef struct caromSpatial { caromVec3 angular, linear; } caromSpatial;

// Made by functions, not by compound literals, which C++ does not have.
static inline caromVec3 carom_vec(double x, double y, double z)
{
    caromVec3 a = { x, y, z };
    return a;
}
static inline caromQuat carom_quat(double w, double x, double y, double z)
{
    caromQuat q = { w, x, y, z };
    return q;
}
static inline caromMat3 carom_mat(caromVec3 cx, caromVec3 cy, caromVec3 cz)
{
    caromMat3 M = { cx, cy, cz };
    return M;
}
static inline caromPose carom_pose(caromMat3 R, caromVec3 p)
{
    caromPose X = { R, p };
    return X;
}

static inline caromVec3 carom_add(caromVec3 a, caromVec3 b) { return carom_vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline caromVec3 carom_sub(caromVec3 a, caromVec3 b) { return carom_vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline caromVec3 carom_neg(caromVec3 a) { return carom_vec(-a.x, -a.y, -a.z); }
static inline caromVec3 carom_scale(double s, caromVec3 a) { return carom_vec(s*a.x, s*a.y, s*a.z); }
static inline caromVec3 carom_axpy(double s, caromVec3 a, caromVec3 b)  // s a + b
{
    return carom_vec(s*a.x + b.x, s*a.y + b.y, s*a.z + b.z);
}
static inline double carom_dot(caromVec3 a, caromVec3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline caromVec3 carom_cross(caromVec3 a, caromVec3 b)
{
    return carom_vec(a.y*b.z - a.z*b.y,  a.z*b.x - a.x*b.z,  a.x*b.y - a.y*b.x);
}
static inline double carom_norm2(caromVec3 a) { return carom_dot(a, a); }
static inline double carom_norm(caromVec3 a) { return sqrt(carom_dot(a, a)); }
static inline bool carom_is_finite3(caromVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

// a/|a|, or fallback when a is zero.
static inline caromVec3 carom_unit_or(caromVec3 a, caromVec3 fallback)
{
    double n = carom_norm(a);
    return n > 0.0 ? carom_scale(1.0/n, a) : fallback;
}

static inline double carom_at(caromVec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

static inline caromMat3 carom_mat_identity(void)
{
    return carom_mat(carom_vec(1, 0, 0), carom_vec(0, 1, 0), carom_vec(0, 0, 1));
}
static inline caromMat3 carom_mat_diagonal(double x, double y, double z)
{
    return carom_mat(carom_vec(x, 0, 0), carom_vec(0, y, 0), carom_vec(0, 0, z));
}
static inline caromVec3 carom_mul(caromMat3 M, caromVec3 a)  // M a
{
    return carom_vec(M.cx.x*a.x + M.cy.x*a.y + M.cz.x*a.z,
                     M.cx.y*a.x + M.cy.y*a.y + M.cz.y*a.z,
                     M.cx.z*a.x + M.cy.z*a.y + M.cz.z*a.z);
}
static inline caromVec3 carom_tmul(caromMat3 M, caromVec3 a)  // M^T a
{
    return carom_vec(carom_dot(M.cx, a), carom_dot(M.cy, a), carom_dot(M.cz, a));
}
static inline caromMat3 carom_mat_mul(caromMat3 A, caromMat3 B)
{
    return carom_mat(carom_mul(A, B.cx), carom_mul(A, B.cy), carom_mul(A, B.cz));
}
static inline caromMat3 carom_transpose(caromMat3 A)
{
    return carom_mat(carom_vec(A.cx.x, A.cy.x, A.cz.x), carom_vec(A.cx.y, A.cy.y, A.cz.y),
                     carom_vec(A.cx.z, A.cy.z, A.cz.z));
}
static inline caromMat3 carom_mat_add(caromMat3 A, caromMat3 B)
{
    return carom_mat(carom_add(A.cx, B.cx), carom_add(A.cy, B.cy), carom_add(A.cz, B.cz));
}
static inline caromMat3 carom_mat_scale(double s, caromMat3 A)
{
    return carom_mat(carom_scale(s, A.cx), carom_scale(s, A.cy), carom_scale(s, A.cz));
}

static inline caromMat3 carom_mat_inverse(caromMat3 A)  // by the adjugate; entries not finite where A is singular
{
    caromVec3 x = carom_cross(A.cy, A.cz), y = carom_cross(A.cz, A.cx), z = carom_cross(A.cx, A.cy);
    return carom_mat_scale(1.0/carom_dot(A.cx, x), carom_transpose(carom_mat(x, y, z)));
}

static inline caromQuat carom_quat_identity(void) { return carom_quat(1, 0, 0, 0); }
static inline caromQuat carom_quat_mul(caromQuat a, caromQuat b)
{
    return carom_quat(a.w*b.w - a.x*b.x - a.y*b.y - a.z*b.z,
                      a.w*b.x + a.x*b.w + a.y*b.z - a.z*b.y,
                      a.w*b.y - a.x*b.z + a.y*b.w + a.z*b.x,
                      a.w*b.z + a.x*b.y - a.y*b.x + a.z*b.w);
}
static inline caromQuat carom_quat_normalized(caromQuat q)
{
    double s = 1.0/sqrt(q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z);
    return carom_quat(s*q.w, s*q.x, s*q.y, s*q.z);
}
// Rotation about a unit axis.
static inline caromQuat carom_quat_axis_angle(caromVec3 axis, double angle)
{
    double s = sin(0.5*angle);
    return carom_quat(cos(0.5*angle), s*axis.x, s*axis.y, s*axis.z);
}
// R of q/|q|: the length of q drops out, so that a quaternion that drifts by rounding or truncation still turns
// exactly.
static inline caromMat3 carom_quat_matrix(caromQuat q)
{
    double s = 2.0/(q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z);
    double xx = s*q.x*q.x, yy = s*q.y*q.y, zz = s*q.z*q.z;
    double xy = s*q.x*q.y, xz = s*q.x*q.z, yz = s*q.y*q.z;
    double wx = s*q.w*q.x, wy = s*q.w*q.y, wz = s*q.w*q.z;
    return carom_mat(carom_vec(1 - yy - zz, xy + wz, xz - wy), carom_vec(xy - wz, 1 - xx - zz, yz + wx),
                     carom_vec(xz + wy, yz - wx, 1 - xx - yy));
}

// A quaternion of a rotation matrix, w >= 0: from the largest of the four, so that nothing small is divided by.
static inline caromQuat carom_quat_of(caromMat3 R)
{
    double xx = R.cx.x, yy = R.cy.y, zz = R.cz.z, t = xx + yy + zz;
    caromQuat q;
    if (t >= xx && t >= yy && t >= zz) q = carom_quat(1 + t, R.cy.z - R.cz.y, R.cz.x - R.cx.z, R.cx.y - R.cy.x);
    else if (xx >= yy && xx >= zz) q = carom_quat(R.cy.z - R.cz.y, 1 + xx - yy - zz, R.cx.y + R.cy.x, R.cz.x + R.cx.z);
    else if (yy >= zz) q = carom_quat(R.cz.x - R.cx.z, R.cx.y + R.cy.x, 1 + yy - xx - zz, R.cy.z + R.cz.y);
    else q = carom_quat(R.cx.y - R.cy.x, R.cz.x + R.cx.z, R.cy.z + R.cz.y, 1 + zz - xx - yy);
    q = carom_quat_normalized(q);
    return q.w < 0 ? carom_quat(-q.w, -q.x, -q.y, -q.z) : q;
}

static inline caromPose carom_pose_identity(void) { return carom_pose(carom_mat_identity(), carom_vec(0, 0, 0)); }
static inline caromVec3 carom_pose_point(caromPose X_AB, caromVec3 p_B)
{
    return carom_add(X_AB.p, carom_mul(X_AB.R, p_B));
}
static inline caromVec3 carom_pose_inverse_point(caromPose X_AB, caromVec3 p_A)
{
    return carom_tmul(X_AB.R, carom_sub(p_A, X_AB.p));
}
static inline caromPose carom_pose_mul(caromPose X_AB, caromPose X_BC)
{
    return carom_pose(carom_mat_mul(X_AB.R, X_BC.R), carom_pose_point(X_AB, X_BC.p));
}
// X_AC from X_BA and X_BC.
static inline caromPose carom_pose_relative(caromPose X_BA, caromPose X_BC)
{
    return carom_pose(carom_mat_mul(carom_transpose(X_BA.R), X_BC.R), carom_pose_inverse_point(X_BA, X_BC.p));
}

// Velocity of the point at lever r from the point whose velocity is V.
static inline caromVec3 carom_point_velocity(caromSpatial V, caromVec3 r)
{
    return carom_add(V.linear, carom_cross(V.angular, r));
}

#ifdef __cplusplus
}
#endif

#endif
