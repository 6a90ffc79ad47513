#include "geometry/box.h"

const caromVec3 carom_box_normals[CAROM_BOX_FACES] =
    { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 } };

const int carom_box_first_corner[CAROM_BOX_FACES + 1] = { 0, 4, 8, 12, 16, 20, 24 };

const int carom_box_corners[4*CAROM_BOX_FACES] =
    { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };

const int carom_box_edges[CAROM_BOX_EDGES][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 },
                                                  { 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };

const int carom_box_edge_faces[CAROM_BOX_EDGES][2] = { { 2, 4 }, { 3, 4 }, { 2, 5 }, { 3, 5 }, { 0, 4 }, { 1, 4 },
                                                       { 0, 5 }, { 1, 5 }, { 0, 2 }, { 1, 2 }, { 0, 3 }, { 1, 3 } };

void carom_shape_box_vertices(caromVec3 half, caromVec3 vertices[CAROM_BOX_VERTICES])
{
    for (int k = 0; k < CAROM_BOX_VERTICES; k++)
        vertices[k] = carom_vec(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
}
