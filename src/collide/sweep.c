// The first instant at which two moving shapes touch.
#include "collide/meshes.h"

caromSweep carom_collide_sweep(caromShape a, caromPose X_WA, caromSpatial V_WA, caromShape b, caromPose X_WB, caromSpatial V_WB, double t_max)
{
    (void)a, (void)b, (void)X_WA, (void)X_WB, (void)V_WA, (void)V_WB, (void)t_max;
    return (caromSweep){ false, (double)INFINITY, carom_gap_undefined((double)NAN) };
}
