// Ways to find where two shapes press over faces; each is one file and one row of the table in table.c.
#ifndef CAROM_SRC_PATCH_TABLE_H
#define CAROM_SRC_PATCH_TABLE_H

#include "patch/patch.h"

// The energy W [m^4] is a function of the relative pose, 0 unless the shapes overlap; cells are such that sum of weight
// times normal is the force on b that belongs to it, -grad W, and so is their torque. A cell's weight is depth
// integrated over its share of the surface [m^3]: times k it is a force.
typedef struct caromPatchRow {
    const char *name;  // in messages and reports
    bool (*serves)(const caromShape *a, const caromShape *b);  // in this order
    // Cells with normals from a into b. Both vary continuously with the poses.
    void (*patch)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch);
    double (*energy)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);
    // For rows that serve meshes, of which the depth of carom_collide_shapes takes long to find: g < 0 where they
    // press. False: ask carom_collide_shapes. Or NULL.
    bool (*gap)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap *gap);
    // What acts beyond the law (deep.h): into the cells of a patch that is known, and its energy.
    void (*stiffen)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch);
    double (*stiff_energy)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s);
    double deepest;  // `to` of half the thickness
    // For rows whose stiffness goes by how far the contact is spread; NULL: by the size of the bodies.
    caromPressing (*pressing)(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);
} caromPatchRow;

extern const caromPatchRow carom_patch_planes;   // cells.c, energy.c: plane-faced convex shapes, exactly
extern const caromPatchRow carom_patch_clipped;  // clipped.c: closed mesh a, plane-faced convex b, exactly
extern const caromPatchRow carom_patch_tiles;    // tiles.c: meshes in what has an inside
extern const caromPatchRow carom_patch_round;    // round.c: round bodies on a half-space, exactly
extern const caromPatchRow carom_patch_asked;    // sampled.c: solids of which one has samples that were asked for
extern const caromPatchRow carom_patch_strips;   // strips.c: round bodies on each other
extern const caromPatchRow carom_patch_on_face;  // on_face.c: round bodies on plane faces, points at their rims
extern const caromPatchRow carom_patch_sampled;  // sampled.c: solids of which one has samples at all

// ball.c: where a ball presses on a mesh, which it does in some points. Normals point from the mesh to the ball.
void carom_patch_mesh_ball(const caromMesh *mesh, const caromPose *X_WA, double radius, caromVec3 centre_W,
                           caromPatch *patch);

// sampled.c: what acts beyond the law of points, alone.
void carom_patch_samples_steepen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                 const caromStiffening *s, caromPatch *patch);

bool carom_patch_samples_are_asked(const caromShape *a, const caromShape *b);

// The first row that serves the two, in this order or (*swapped) the other one; NULL: none.
const caromPatchRow *carom_patch_row(const caromShape *a, const caromShape *b, bool *swapped);

#endif
