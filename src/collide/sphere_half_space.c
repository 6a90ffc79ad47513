#include "collide/collide.h"

// A is the sphere, B the half-space with outer normal Z: the normal from A into B is -Z.
static caromGap gap(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    (void)size_b;
    caromVec3 z = X_WB.R.cz;
    double height = carom_dot(z, carom_sub(X_WA.p, X_WB.p));
    return (caromGap){ height - size_a.x, carom_neg(z), carom_axpy(-size_a.x, z, X_WA.p), carom_axpy(-height, z, X_WA.p) };
}

static double length(caromVec3 size_a, caromVec3 size_b)
{
    (void)size_b;
    return size_a.x;
}

const caromPairRow carom_sphere_half_space = { CAROM_CONTACT_POINT, gap, NULL, NULL, length };
