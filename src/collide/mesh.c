// Signed distance of a mesh from another shape.
#include "collide/meshes.h"

caromGap carom_gap_mesh(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, int places[2])
{
    (void)a, (void)b, (void)X_WA, (void)X_WB, (void)places;
    return carom_gap_undefined((double)NAN);
}
