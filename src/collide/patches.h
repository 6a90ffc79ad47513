// Ways to find where two shapes press over faces; each is one file and one row of the table in patches.c.
#ifndef CAROM_SRC_COLLIDE_PATCHES_H
#define CAROM_SRC_COLLIDE_PATCHES_H

#include "collide/collide.h"

// The energy W [m^4] is a function of the relative pose, 0 unless the shapes overlap; cells are such that sum of weight times normal is the force on b that belongs to
// it, -grad W, and so is their torque. A cell's weight is depth integrated over its share of the surface [m^3]: times k it is a force.
typedef struct caromPatchRow {
    const char *name;  // in messages and reports
    bool (*serves)(const caromShape *a, const caromShape *b);  // in this order
    // Cells with normals from a into b. Both vary continuously with the poses.
    void (*patch)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch);
    double (*energy)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);
} caromPatchRow;

extern const caromPatchRow carom_patch_planes;  // patch.c, energy.c: plane-faced convex shapes, exactly
extern const caromPatchRow carom_patch_round;   // round.c: round bodies on a half-space, exactly

// The first row that serves the two, in this order or (*swapped) the other one; NULL: none.
const caromPatchRow *carom_patch_row(const caromShape *a, const caromShape *b, bool *swapped);

#endif
