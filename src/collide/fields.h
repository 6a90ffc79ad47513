// Depth fields of plane-faced convex shapes, and the surface where two of them balance (patch.c, docs/contact.md).
#ifndef CAROM_SRC_COLLIDE_FIELDS_H
#define CAROM_SRC_COLLIDE_FIELDS_H

#include "collide/collide.h"

// depth(x) = n.x + b: distance from the face's plane, positive inside; n is the inner unit normal.
typedef struct caromPlane {
    caromVec3 n;
    double b;
} caromPlane;

enum { CAROM_FIELD_FACES = 6 };

// Depth at x is the smallest over the faces. Coordinates are world axes with the origin at a point near the contact, so
// that depths of 1e-8 m are not lost in coordinates of 100 m.
typedef struct caromField {
    int n;
    caromPlane face[CAROM_FIELD_FACES];
    caromVec3 centre;
    double reach;  // no point of the shape is farther from its centre [m]; infinite for a half-space
} caromField;

caromField carom_field_box(caromVec3 size, caromPose X_WB, caromVec3 origin_W);
caromField carom_field_half_space(caromPose X_WB, caromVec3 origin_W);

void carom_field_patch(const caromField *a, const caromField *b, caromVec3 origin_W, caromPatch *patch);
double carom_field_energy(const caromField *a, const caromField *b);

// l of a box: k = E*/l makes a face as stiff as a rigid punch of the same area, F = 1.14 E* sqrt(A) d.
double carom_field_length(caromVec3 size);

#endif
