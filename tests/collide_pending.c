// Stands in for what src/collide does not have yet, so that the tests link: built only while there is no src/collide/query.c.
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
