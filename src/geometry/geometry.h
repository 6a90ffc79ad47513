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
} caromShapeRow;

extern const caromShapeRow carom_shape_sphere, carom_shape_box, carom_shape_half_space;

const caromShapeRow *carom_shape_row(caromShapeKind kind);

#endif
