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
// The same where the surface is known to be as near as `most`: quicker.
double carom_mesh_signed_distance_within(const caromMesh *mesh, const caromMeshSides *sides, caromVec3 p, double most);

// Of one triangle (by its place in the tree): its nearest point, and whether p is inside, if no other is nearer.
typedef struct caromMeshNearest {
    double distance2;
    bool is_inside;
    caromVec3 on;
} caromMeshNearest;
caromMeshNearest carom_mesh_nearest_of(const caromMesh *mesh, const caromMeshSides *sides, int place, caromVec3 p);

static inline double carom_mesh_box_distance2(const caromMeshNode *node, caromVec3 p)
{
    caromVec3 d = carom_tmul(node->axes, carom_sub(p, node->centre));
    double x = fabs(d.x) - node->half.x, y = fabs(d.y) - node->half.y, z = fabs(d.z) - node->half.z;
    x = x > 0.0 ? x : 0.0, y = y > 0.0 ? y : 0.0, z = z > 0.0 ? z : 0.0;
    return x*x + y*y + z*z;
}

#endif
