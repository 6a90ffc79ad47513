// Queries with a mesh: its triangles against something else, by its hierarchy.
//
// Branch and bound: a pair of nodes is left out when some direction d shows them farther apart than what has been found,
//
//     d.(c_B - c_A) - e_A(d) - e_B(d) > best,     c centres, e extents of the boxes along d, |d| = 1.
//
// The normal of the best pair found so far is the direction that shows it for most nodes; it costs a dozen multiplications on either side.
#ifndef CAROM_SRC_COLLIDE_MESHES_H
#define CAROM_SRC_COLLIDE_MESHES_H

#include "collide/closed.h"
#include "geometry/mesh.h"

// Of any two shapes of which at least one is a mesh. places: those of the triangles that were nearest at an earlier pose (-1: none), and on return those
// that are now; or NULL.
caromGap carom_gap_mesh(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, int places[2]);

// ---- triangle.c

// The nearest points of two triangles. Features: 0..2 corner, 3..5 edge (k - 3 to the next corner), 6 the inside.
typedef struct caromTriangleGap {
    double g2;        // squared distance; 0: they cross or touch
    caromVec3 x, y;   // on the first and the second
    int fx, fy;
} caromTriangleGap;

// v: numbers of the corners. Edges are looked at from the corner with the lower number on, so that triangles which share one find the same bits.
caromTriangleGap carom_triangles_gap(const caromVec3 a[3], const int va[3], const caromVec3 b[3], const int vb[3]);
// Nearest point of a triangle to p, and the feature it lies on.
caromVec3 carom_triangle_point(const caromVec3 a[3], caromVec3 p, int *feature);

// ---- mesh_point.c

// How often the surface winds around p (in S): 0 outside, 1 inside, more where parts overlap. Of closed meshes.
int carom_mesh_winding(const caromMesh *mesh, caromVec3 p_S);

#endif
