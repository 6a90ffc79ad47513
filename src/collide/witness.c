// All witness pairs closer than a standoff.
#include "collide/meshes.h"

int carom_collide_witnesses(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, double standoff, caromWitness *witnesses, int capacity)
{
    (void)a, (void)b, (void)X_WA, (void)X_WB, (void)standoff, (void)witnesses, (void)capacity;
    return -1;
}
