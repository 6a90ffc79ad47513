// Distances of points from a closed mesh.
#ifndef CAROM_SRC_GEOMETRY_MESH_NEAR_H
#define CAROM_SRC_GEOMETRY_MESH_NEAR_H

#include "geometry/mesh.h"

// Normals of vertices and edges, not of unit length, for the side of a point.
typedef struct caromMeshSides {
    caromVec3 *vertices;  // [nvertex]
    caromVec3 *edges;     // [nedge]
} caromMeshSides;

bool carom_mesh_sides_make(const caromMesh *mesh, caromMeshSides *sides);  // false: out of memory; free it all the same
void carom_mesh_sides_free(caromMeshSides *sides);

// Negative inside. For surfaces that are closed and do not cross themselves.
double carom_mesh_signed_distance(const caromMesh *mesh, const caromMeshSides *sides, caromVec3 p);

#endif
