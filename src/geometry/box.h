// The topology of a box, for everybody who takes it for a polytope. Bits of a vertex: which of its coordinates are
// positive. Faces: -x, x, -y, y, -z, z, corners counter-clockwise from outside. Edges along x, then y, then z, with the
// two faces that meet there.
#ifndef CAROM_SRC_GEOMETRY_BOX_H
#define CAROM_SRC_GEOMETRY_BOX_H

#include "carom/math.h"

enum { CAROM_BOX_VERTICES = 8, CAROM_BOX_FACES = 6, CAROM_BOX_EDGES = 12 };

extern const caromVec3 carom_box_normals[CAROM_BOX_FACES];
extern const int carom_box_first_corner[CAROM_BOX_FACES + 1], carom_box_corners[4*CAROM_BOX_FACES];
extern const int carom_box_edges[CAROM_BOX_EDGES][2], carom_box_edge_faces[CAROM_BOX_EDGES][2];

void carom_shape_box_vertices(caromVec3 half, caromVec3 vertices[CAROM_BOX_VERTICES]);

#endif
