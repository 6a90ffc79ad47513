#include "collide/collide.h"

static double clamp(double x, double h)
{
    return x < -h ? -h : x > h ? h : x;
}

// Centre inside the box: out through the nearest face.
static caromGap gap_inside(double radius, caromVec3 c, caromVec3 h)
{
    double dx = h.x - fabs(c.x), dy = h.y - fabs(c.y), dz = h.z - fabs(c.z);
    caromVec3 out = dx <= dy && dx <= dz ? carom_vec(copysign(1, c.x), 0, 0)
                    : dy <= dz           ? carom_vec(0, copysign(1, c.y), 0)
                                         : carom_vec(0, 0, copysign(1, c.z));
    double depth = fmin(dx, fmin(dy, dz));
    return (caromGap){ -depth - radius, carom_neg(out), carom_axpy(-radius, out, c), carom_axpy(depth, out, c) };
}

// All in the frame of the box (B): the point of the box nearest to the centre decides.
static caromGap gap_local(double radius, caromVec3 c, caromVec3 h)
{
    caromVec3 nearest = { clamp(c.x, h.x), clamp(c.y, h.y), clamp(c.z, h.z) };
    caromVec3 d = carom_sub(c, nearest);
    double distance = carom_norm(d);
    if (distance == 0.0) return gap_inside(radius, c, h);
    caromVec3 out = carom_scale(1.0/distance, d);
    return (caromGap){ distance - radius, carom_neg(out), carom_axpy(-radius, out, c), nearest };
}

static caromGap gap(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    caromGap g = gap_local(size_a.x, carom_pose_inverse_point(X_WB, X_WA.p), carom_scale(0.5, size_b));
    return (caromGap){ g.g, carom_mul(X_WB.R, g.n_AB), carom_pose_point(X_WB, g.p_A), carom_pose_point(X_WB, g.p_B) };
}

static double length(caromVec3 size_a, caromVec3 size_b)
{
    (void)size_b;
    return size_a.x;
}

const caromPairRow carom_sphere_box = { CAROM_CONTACT_POINT, gap, NULL, NULL, length };
