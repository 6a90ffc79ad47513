#include "collide/collide.h"

// g = |c_B - c_A| - r_A - r_B. Concentric spheres have no direction: z is as good as any.
static caromGap gap(caromVec3 size_a, caromPose X_WA, caromVec3 size_b, caromPose X_WB)
{
    caromVec3 d = carom_sub(X_WB.p, X_WA.p);
    caromVec3 n = carom_unit_or(d, carom_vec(0, 0, 1));
    return (caromGap){ carom_norm(d) - size_a.x - size_b.x, n, carom_axpy(size_a.x, n, X_WA.p), carom_axpy(-size_b.x, n, X_WB.p) };
}

static double length(caromVec3 size_a, caromVec3 size_b)
{
    return size_a.x*size_b.x/(size_a.x + size_b.x);
}

const caromPairRow carom_sphere_sphere = { CAROM_CONTACT_POINT, gap, NULL, NULL, length };
