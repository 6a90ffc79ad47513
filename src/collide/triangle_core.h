// A triangle as a polytope without thickness, for queries on convex cores.
#ifndef CAROM_SRC_COLLIDE_TRIANGLE_CORE_H
#define CAROM_SRC_COLLIDE_TRIANGLE_CORE_H

#include "geometry/core.h"

typedef struct caromTriangleHull {
    caromHull hull;        // points into the rest: do not copy
    caromVec3 vertices[3], normals[2];
    double offsets[2];
} caromTriangleHull;

// Both its sides are faces. Three of its corners tell not which: the side towards a point of the other core comes first and is found. Where a face is
// nearest the whole of the other core lies on that side, so that any point of it will do.
void carom_triangle_hull(const caromVec3 corners[3], caromVec3 other, caromTriangleHull *t);

#endif
