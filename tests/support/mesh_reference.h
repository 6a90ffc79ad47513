// mesh_reference.h -- slow answers to what collide.h answers fast about meshes, made without looking at how.
//
// In:    meshes, placed in W; points, rays, directions.
// Out:   distance, witness pairs, winding number, first hit, and the first translation that separates: all by looking
//        at every triangle or pair of triangles.
// Promise: long double inside, but for ref_first_clear. Triangles are passed over only where spheres about them (or
//          about sixteen of them) say so.
//
// Two triangles that do not cross are closest between two edges or between a corner and a face: if both points were
// inside faces, these would be parallel, and the points could slide until one meets a border. So all 9 pairs of edges,
// 18 corners against edges and 6 corners against faces are looked at, and the least is taken; they cross if one of 6
// edges passes through the other's inside.
#ifndef CAROM_TESTS_MESH_REFERENCE_H
#define CAROM_TESTS_MESH_REFERENCE_H

#include <stdbool.h>

#include "carom/collide.h"
#include "carom/mesh.h"

typedef long double Real;

typedef struct RefMesh RefMesh;  // a mesh that can be placed
RefMesh *mesh_ref_create(const caromMesh *mesh);  // keeps the mesh; NULL when memory runs out. Placed where it was made
void mesh_ref_destroy(RefMesh *mesh);
void mesh_ref_place(RefMesh *mesh, caromPose X_WM);
void mesh_ref_move(RefMesh *mesh, caromVec3 by, double times);  // in W; rounds in long double
double mesh_ref_radius(const RefMesh *mesh);                    // of a sphere about the origin of its frame

// What a witness point lies on: a corner, the inside of an edge, or of a face.
typedef struct RefFeature {
    int n;     // 1: corner v[0]; 2: edge v[0] < v[1]; 3: triangle number v[0]
    int v[2];
} RefFeature;
typedef struct RefPair {
    Real g;              // distance, 0 where triangles cross
    Real p_A[3], p_B[3];
    RefFeature a, b;
    double sine;         // of two edges: of the angle between them; 1 otherwise
    bool is_crossing;    // the points are both the middle of the segment in which the triangles cross
} RefPair;

RefPair mesh_ref_triangles(const RefMesh *a, int triangle_a, const RefMesh *b, int triangle_b);
RefPair mesh_ref_distance(const RefMesh *a, const RefMesh *b);  // of the surfaces
RefPair mesh_ref_distance_of_all(const RefMesh *a, const RefMesh *b);  // the same without passing any pair over
// Do the solids share a point? Either surfaces cross, or one is inside the other (each must be closed and in one
// piece).
bool mesh_ref_overlap(const RefMesh *a, const RefMesh *b);
// Pairs with g < standoff, those the same whose points both agree within `same`; -1: more than capacity, or memory ran
// out. ntriangle_pairs, if not NULL: before merging.
int mesh_ref_witnesses(const RefMesh *a, const RefMesh *b, double standoff, double same, RefPair *pairs, int capacity,
                       int *ntriangle_pairs);
// The same for a point: p_B is the point, and of the features that of the mesh is told.
int mesh_ref_point_witnesses(const RefMesh *mesh, caromVec3 p, double standoff, double same, RefPair *pairs,
                             int capacity);

// Sum of the solid angles of all triangles [VanOosterom83], over 4 pi: 1 inside, 0 outside.
Real mesh_ref_winding(const RefMesh *mesh, caromVec3 p);
Real mesh_ref_point_distance(const RefMesh *mesh, caromVec3 p);  // from the surface
// Least distance of a segment from the surface.
Real mesh_ref_segment_distance(const RefMesh *mesh, const Real p[3], const Real q[3]);
// First t >= 0 at which p + t d meets the surface, infinite if none. margin: how far from the border of a triangle, in
// parts of it, the ray passes through all planes of triangles it comes near to: small where rounding decides.
Real mesh_ref_ray(const RefMesh *mesh, caromVec3 p, caromVec3 d, int *triangle, double *margin);

// B moves along the unit vector u by t >= 0. The times during which triangle i of A and triangle j of B meet are
// an interval; the surfaces cross in the union of all of them. The first time at which they do not, and neither
// solid is inside the other (each in one piece); gaps shorter than `least` do not count. last: the time after
// which they never meet again.
double mesh_ref_first_clear(const RefMesh *a, const RefMesh *b, caromVec3 u, double least, double *last);
// The same, or the limit if it is later.
double mesh_ref_clear_before(const RefMesh *a, const RefMesh *b, caromVec3 u, double least, double limit);

// Corners of triangle t, in W.
void mesh_ref_corners(const RefMesh *mesh, int t, caromVec3 corners[3]);
int mesh_ref_ntriangle(const RefMesh *mesh);

#endif
