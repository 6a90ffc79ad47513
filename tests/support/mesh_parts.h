// mesh_parts.h -- parts of machines as closed meshes, about 0.1 m large, as fine as one likes; for tests and
// benchmarks.
//
// In:    a part, and about how many triangles it should have (300 is coarse, 50000 fine).
// Out:   vertices and triangles, closed, in one piece, counter-clockwise from outside; volume of the ideal part, and
//        how many handles it has.
// Promise: same input, same bits (but for the sine of the C library).
//
//   doughnut   about z, hole of 20 mm radius
//   cone       standing on z = 0, tip up
//   bolt       about z: a helical thread up from z = 0, a plain end, the head on top
//   gear       ten involute teeth about z, bore of 15 mm radius
//   bracket    a U that opens upwards, a round hole of 20 mm radius in each of its three plates
#ifndef CAROM_TESTS_MESH_PARTS_H
#define CAROM_TESTS_MESH_PARTS_H

#include "carom/mesh.h"

typedef enum PartKind { PART_DOUGHNUT, PART_CONE, PART_BOLT, PART_GEAR, PART_BRACKET, PART_KINDS } PartKind;

typedef struct Part {
    caromVec3 *vertices;
    int (*triangles)[3];
    int nvertex, ntriangle;
} Part;

Part part_make(PartKind kind, int ntriangle);             // no triangles when memory runs out
Part part_box(caromVec3 low, caromVec3 high);             // twelve triangles
void part_scale(Part *part, double scale);
void part_free(Part *part);
// scale 1: 0.1 m. NULL when memory runs out; report may be NULL
caromMesh *part_mesh(PartKind kind, int ntriangle, double scale, caromMeshReport *report);

const char *part_name(PartKind kind);
double part_volume(PartKind kind);  // [m^3] of the ideal part: what meshes converge to
int part_genus(PartKind kind);      // handles: of V vertices and F triangles V - F/2 = 2 - 2 genus

#endif
