// From points to the faces of their convex hull, and from there to a hull: what hull.c and hull_rounding.c share.
#ifndef CAROM_SRC_GEOMETRY_SOLID_H
#define CAROM_SRC_GEOMETRY_SOLID_H

#include "geometry/facets.h"
#include "geometry/geometry.h"

typedef struct caromCloud {
    caromVec3 *points;  // each once, in the order given
    int *origin;        // index of each among those given
    int count;
    caromVec3 centre;   // of the bounding box
    double size;        // half of its longest side
    double rounding;    // of the coordinates as given: a point is known to about this
} caromCloud;

// Vertices in the order of the points, and faces as loops of them: each starts at its lowest vertex, faces are
// sorted by their first two.
typedef struct caromSolid {
    int nvertex, nface;
    bool is_core;  // its normals are those of the sharp hull
    caromVec3 *vertices, *normals;
    int *origin;  // of each vertex: index among the points given
    int *first, *corners;
} caromSolid;

// A face as a loop of n corners from first on, which starts with a and b.
typedef struct caromLoop { int a, b, first, n, facet; } caromLoop;

// Of a face: an edge a < b; ~face where the face runs from b to a.
typedef struct caromSide { int a, b, face; } caromSide;

// Each point once: the first of those that are the same. False when out of memory. Then its extent.
bool carom_hull_cloud_collect(const caromVec3 *points, int n, caromCloud *cloud);
void carom_hull_cloud_measure(caromCloud *cloud);
void carom_hull_cloud_free(caromCloud *cloud);
// A solid needs extent in three directions, beyond what rounding of the coordinates could feign.
caromStatus carom_hull_cloud_check_extent(const caromCloud *cloud, caromError *err);
// All of this.
caromStatus carom_hull_cloud_make(const caromVec3 *points, int n, caromCloud *cloud, caromError *err);

caromStatus carom_hull_solid_find(const caromCloud *cloud, caromSolid *s, caromError *err);
void carom_hull_solid_free(caromSolid *s);
// Loops of vertices in their order, without corners that have no number; returns how many there are, -1 when
// one has no three corners.
int carom_hull_solid_order_loops(const caromFacets *facets, const int *number, int *corners, caromLoop *loops,
                                 int *scratch);
// Two sides for each edge, sorted: the face that runs from a to b first.
void carom_hull_solid_sides(int nface, const int *first, const int *corners, caromSide *sides);

// NULL and err when out of memory.
caromHull *carom_hull_assemble(const caromSolid *core, const caromSolid *outer, double rounding, caromError *err);
// Every face of a sharp hull moves inwards by r; outer is the sharp hull, rounding that of its coordinates.
caromHull *carom_hull_rounded(const caromHull *sharp, const caromSolid *outer, double r, double rounding,
                              caromError *err);

caromStatus carom_hull_fail_memory(caromError *err, int n);
double carom_hull_largest_component(caromVec3 a);

#endif
