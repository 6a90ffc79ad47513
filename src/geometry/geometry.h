// One row per shape: everything that the rooms need to know about a kind by itself. What two kinds do together is in
// collide/.
#ifndef CAROM_SRC_GEOMETRY_H
#define CAROM_SRC_GEOMETRY_H

#include "carom/geometry.h"

typedef struct caromShapeRow {
    const char *name;      // in model files
    int dimensions;        // how many of size.x, .y, .z must be positive numbers
    const char *size_key;  // their key in model files, NULL: none
    bool is_bounded;
    double (*volume)(caromVec3 size);
    double (*radius)(caromVec3 size);            // of the bounding sphere about So
    caromVec3 (*unit_inertia)(caromVec3 size);   // principal moments per mass, axes of S
    // The shape lies in a box of these half edges, grown by a radius all round (a sphere: no edges; a box: no radius), and
    // touches all its sides. Half its smallest thickness is the radius plus the smallest half edge.
    caromVec3 (*half_edges)(caromVec3 size);
    double (*rounding)(caromVec3 size);
} caromShapeRow;

extern const caromShapeRow carom_shape_sphere, carom_shape_box, carom_shape_half_space;

const caromShapeRow *carom_shape_row(caromShapeKind kind);

// |r|^2 1 - r r^T: what a unit mass at r adds to the inertia about the origin (parallel axes).
caromMat3 carom_point_inertia(caromVec3 r);

double carom_shape_half_thickness(caromShape shape);  // half of the smallest; infinite for a half-space

#endif
