// Where a ball presses on a mesh: at the nearest point, and at further ones that lie in quite another direction, as the
// second flank of a groove does.
//
// Points 30 degrees or less apart, seen from the centre, count as one, the deepest: facets of one smooth surface are
// not several contacts. A further point comes and goes with depth 0 unless a surface as sharp as that begins or ends
// inside the ball, which takes a depth of 1 - cos 30 = 0.13 of the radius.
#include "meshgap/meshgap.h"
#include "patch/table.h"

enum { BALL_CELLS_MAX = 12 };  // directions 30 degrees apart: there is hardly room for more around half a ball

static caromCell cell_at(const caromPose *X_WA, caromVec3 c, double radius, double distance, caromVec3 n)
{
    double depth = radius - distance;
    caromVec3 middle = carom_axpy(-0.5*(radius + distance), n, c);  // between the witness points
    return (caromCell){ carom_pose_point(*X_WA, middle), carom_mul(X_WA->R, n), depth };
}

void carom_patch_mesh_ball(const caromMesh *mesh, const caromPose *X_WA, double radius, caromVec3 centre_W,
                           caromPatch *patch)
{
    caromVec3 c = carom_pose_inverse_point(*X_WA, centre_W), taken[BALL_CELLS_MAX], on;
    patch->ncell = 0;
    patch->depth = 0.0;
    double distance = carom_meshgap_point(mesh, c, &taken[0]);
    while (distance < radius) {
        int n = patch->ncell++;
        patch->cells[n] = cell_at(X_WA, c, radius, distance, taken[n]);
        patch->depth = fmax(patch->depth, radius - distance);
        if (distance <= 0.0 || patch->ncell == BALL_CELLS_MAX) return;  // the centre is inside: only out
        double least2 = radius*radius;
        if (carom_meshgap_nearest_beside(mesh, c, taken, patch->ncell, &least2, &on) < 0) return;
        distance = carom_narrow_split(carom_sub(c, on), taken[n], &taken[n + 1]);
    }
}
