// A grid over a closed mesh, for signed distances of very many points that lie near its surface.
//
// A cell that has the surface in it or beside it lists the triangles of which one is nearest to any of its points:
// those not farther from its middle c than
//
//     D + 2 r,     D = distance of c, r = half a diagonal,
//         since for p in the cell  |p - t| <= D + r  and  |c - t| <= |p - t| + r,
//
// from near to far, so that a search ends when the next one cannot be nearer any more. All cells know the
// distance of their middle.
#ifndef CAROM_SRC_GEOMETRY_MESH_GRID_H
#define CAROM_SRC_GEOMETRY_MESH_GRID_H

#include "geometry/mesh_near.h"

typedef struct caromGridItem {
    float least;   // distance from the middle of the cell, rounded down [m]
    int place;     // of the triangle, in the tree
} caromGridItem;

typedef struct caromMeshGrid {
    caromVec3 low;
    caromVec3 box_low, box_high;  // of the mesh
    double cell;              // edge [m]
    int n[3];
    float *distance;          // signed, of the middles [m]              [n[0] n[1] n[2]]
    int *first;               // items of cell i are first[i] .. first[i + 1] - 1
    caromGridItem *items;
    caromMeshSides sides;
} caromMeshGrid;

// Of a closed mesh in one piece that does not cross itself; NULL for others, and when memory runs out: then one must do
// without.
caromMeshGrid *carom_mesh_grid_create(const caromMesh *mesh);
void carom_mesh_grid_destroy(caromMeshGrid *grid);

// Not more than the signed distance of p (in S) from the mesh: quickly.
double carom_mesh_grid_bound(const caromMeshGrid *grid, caromVec3 p);

// The signed distance and the outer normal where it is nearest; false: p is not near enough to the surface to be known
// here.
bool carom_mesh_grid_distance(const caromMeshGrid *grid, const caromMesh *mesh, caromVec3 p, double *distance,
                              caromVec3 *n);

#endif
