#include "collide/collide.h"
#include "collide/fields.h"

// Which corner is lowest along an edge direction with slope n.e: none when the edge lies flat, so that the witness of a face
// or an edge on the plane is its middle. The bound on "flat" is far below any slope that matters for the height.
static double side(double slope)
{
    return fabs(slope) < 1e-9 ? 0.0 : slope > 0.0 ? -1.0 : 1.0;
}

// A is the box, B the half-space with outer normal Z. The lowest corner decides.
static caromGap gap(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    (void)size_b;
    caromVec3 z = X_WB.R.cz, h = carom_scale(0.5, size_a);
    double sx = carom_dot(z, X_WA.R.cx), sy = carom_dot(z, X_WA.R.cy), sz = carom_dot(z, X_WA.R.cz);
    double height = carom_dot(z, carom_sub(X_WA.p, X_WB.p)) - h.x*fabs(sx) - h.y*fabs(sy) - h.z*fabs(sz);
    caromVec3 corner = carom_pose_point(X_WA, carom_vec(side(sx)*h.x, side(sy)*h.y, side(sz)*h.z));
    return (caromGap){ height, carom_neg(z), corner, carom_axpy(-height, z, corner) };
}

static void patch(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB, caromPatch *patch)
{
    (void)size_b;
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z), b = carom_half_space();
    carom_shapes_patch(&a, X_WA, &b, X_WB, patch);
}

static double field_energy(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    (void)size_b;
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z), b = carom_half_space();
    return carom_shapes_field_energy(&a, X_WA, &b, X_WB);
}

static double length(caromVec3 size_a, caromVec3 size_b)
{
    (void)size_b;
    caromShape a = carom_box(size_a.x, size_a.y, size_a.z);
    return carom_field_length_of(&a);
}

const caromPairRow carom_box_half_space = { CAROM_CONTACT_FACE, gap, patch, field_energy, length };
