// Stands in for what collide.h promises and src/collide does not have yet. Goes away with the first of these that it has.
#include "carom/collide.h"

caromGap carom_collide_shapes_warm(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, caromWarmStart *warm)
{
    (void)warm;
    return carom_collide_shapes(a, X_WA, b, X_WB);
}

bool carom_collide_overlap(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    return carom_collide_shapes(a, X_WA, b, X_WB).g <= 0.0;
}
