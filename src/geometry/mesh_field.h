// The distance from a closed mesh as a function without creases, for contact that is felt by small triangles of others
// (patch/tiles.c).
//
// The distance itself has a crease wherever the nearest triangle changes, and such sheets begin at every convex edge of
// the mesh: its gradient jumps by the angle between the triangles, at any depth. A cubic B-spline over a grid,
//
//     D(x) = sum of c_i B((x - x_i)/g),     c = f - (second differences of f along the axes)/6,
//
// f the signed distances of the nodes, has two continuous derivatives everywhere, is f itself but for rounding over
// planes, and within g^4 of it over what is smooth. Sharp edges are rounded by something like g/2. There are
// coefficients in a band about the surface, in bricks of 4 x 4 x 4 cells; within it nothing else is asked.
#ifndef CAROM_SRC_GEOMETRY_MESH_FIELD_H
#define CAROM_SRC_GEOMETRY_MESH_FIELD_H

#include "geometry/mesh_near.h"

enum { CAROM_BRICK_CELLS = 4, CAROM_BRICK_NODES = CAROM_BRICK_CELLS + 3,
       CAROM_BRICK = CAROM_BRICK_NODES*CAROM_BRICK_NODES*CAROM_BRICK_NODES };

typedef struct caromMeshField {
    double cell;             // g [m]
    double tile;             // largest size of tiles that press into it: the band is wide enough for their corners [m]
    double inner, outer;     // the band is at least from -inner to outer [m]
    double slack;            // no value is farther than this from the distance [m]
    caromVec3 low;           // of the first brick
    caromVec3 box_low, box_high;  // of the mesh
    int n[3], nbrick;
    int *bricks;             // which coefficients it has; -1: it is not in the band   [n[0] n[1] n[2]]
    float *middles;          // signed distances of the middles of the bricks [m]      [n[0] n[1] n[2]]
    double *coefficients;    // from one cell before a brick to one behind it          [nbrick CAROM_BRICK]
    caromMeshSides sides;
} caromMeshField;

// Size of tiles (patch/tiles.h) that a mesh presses with, or that press into it: that of its triangles, but not so
// large that its surface would have only a few; spacing: what was asked for, or 0.
double carom_mesh_tile_size(const caromMesh *mesh, double spacing);
double carom_geometry_tile_size(double surface);     // by its area alone
double carom_geometry_tile_side(double size);        // the longest side of a tile of that size, at most

// NULL: there is no inside that the side of the nearest triangle tells, or no grid that is not too large is fine enough
// for how thin it is. False: out of memory.
bool carom_mesh_field_create(const caromMesh *mesh, double spacing, caromMeshField **field);
void carom_mesh_field_destroy(caromMeshField *field);

// D at p (in S) and its gradient (NULL: not asked for). False: p is not in the band, and *distance is infinite with the
// sign of its side.
bool carom_mesh_field_at(const caromMeshField *field, caromVec3 p, double *distance, caromVec3 *gradient);
// Not more than D anywhere within r of p: quickly.
double carom_mesh_field_bound(const caromMeshField *field, caromVec3 p, double r);

#endif
