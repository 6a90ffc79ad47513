// Slow answers to what carom_collide_shapes answers fast, made without looking at it: another arithmetic (long double),
// other representations, other algorithms.
//
// With the support function h_X(n) = max n.x over X, the signed distance of two convex bodies is
//     g = max over unit n of  phi(n) = -h_A(n) - h_B(-n) = -h_C(n),  C = A - B
//         [CameronCulley86]
// and ref_gap brackets it: branch and bound over the sphere of directions, where each cell has a lower bound of h_C
// from points of C. It needs nothing but support mappings, is global, and says how far apart its bounds are. Polytopes
// have two more answers: ref_polytope_distance and ref_polytope_depth look at all pairs of features.
#ifndef CAROM_TESTS_COLLIDE_REFERENCE_H
#define CAROM_TESTS_COLLIDE_REFERENCE_H

#include <stdbool.h>

#include "carom/geometry.h"

typedef long double Real;
typedef struct RefVec { Real x, y, z; } RefVec;

RefVec ref_vec(Real x, Real y, Real z);
RefVec ref_from(caromVec3 a);
caromVec3 ref_to(RefVec a);
RefVec ref_add(RefVec a, RefVec b);
RefVec ref_sub(RefVec a, RefVec b);
RefVec ref_scale(Real s, RefVec a);
RefVec ref_axpy(Real s, RefVec a, RefVec b);  // s a + b
Real ref_dot(RefVec a, RefVec b);
RefVec ref_cross(RefVec a, RefVec b);
Real ref_norm(RefVec a);
RefVec ref_unit(RefVec a);

// A convex polytope by its corners, from all planes through three points that have the others on one side.
enum { REF_POINTS_MAX = 64, REF_FACES_MAX = 128, REF_EDGES_MAX = 192, REF_CORNERS_MAX = 32 };
typedef struct RefPolytope {
    int nvertex, nface, nedge;
    RefVec vertices[REF_POINTS_MAX];
    RefVec normals[REF_FACES_MAX];  // outer, unit
    Real offsets[REF_FACES_MAX];    // n.x <= offset
    int ncorner[REF_FACES_MAX], corners[REF_FACES_MAX][REF_CORNERS_MAX];  // counter-clockwise from outside
    int edges[REF_EDGES_MAX][2];
} RefPolytope;
// False: more than the arrays hold, or the points lie in a plane.
bool ref_polytope(RefPolytope *hull, const RefVec *points, int n);
// What is left when all faces have moved in by a distance.
bool ref_polytope_inset(RefPolytope *inner, const RefPolytope *hull, Real distance);
// Of a box or polytope: what is left when its rounding is taken off.
bool ref_polytope_of_shape(RefPolytope *core, caromShape shape);

// A body: a sharp core grown by a radius, in a pose. The core is a polytope, the hull of two coaxial discs, an
// ellipsoid, or a half-space.
typedef enum RefCore { REF_POINTS, REF_DISCS, REF_ELLIPSOID, REF_HALF_SPACE } RefCore;
typedef struct RefBody {
    RefCore core;
    Real radius;              // grown by this
    int npoint;               // REF_POINTS
    RefVec points[REF_POINTS_MAX];
    bool is_box;              // the points are the corners of a box, the last one has the largest coordinates
    const RefPolytope *hull;  // of the points where it was given; not owned
    Real r[2], z[2];          // REF_DISCS
    RefVec axes;              // REF_ELLIPSOID: semi-axes
    RefVec R[3], p;           // pose: columns of the rotation, and position
    Real size;                // radius of a sphere about p that holds it; 0 for a half-space
} RefBody;
// hull: of a polytope shape its core from ref_polytope_of_shape, or NULL to have it made.
RefBody ref_body(caromShape shape, caromPose X_WS, const RefPolytope *hull);
RefBody ref_body_shell(const RefBody *body);  // the core alone: radius 0
Real ref_extent(const RefBody *body, RefVec n, RefVec origin);   // max n.(x - origin) over the body; n unit
RefVec ref_support(const RefBody *body, RefVec n);                 // a point where that is reached; not of a half-space
// A lower bound of how far x is outside, exact where it is not an ellipsoid; < 0 inside.
Real ref_outside(const RefBody *body, RefVec x);
Real ref_phi(const RefBody *a, const RefBody *b, RefVec n);      // -h_A(n) - h_B(-n): a lower bound of g for any unit n

typedef struct RefGap {
    Real g;            // the bounded value that was attained: phi(n)
    Real uncertainty;  // g <= exact <= g + uncertainty
    RefVec n;          // where phi is g
    Real spread;       // no direction farther than this from n comes within margin of g (2: nothing is known)
} RefGap;
// margin: what counts as close for spread.
RefGap ref_gap(const RefBody *a, const RefBody *b, Real margin);

// All pairs of features. Corners in W.
// 0 where they overlap is not noticed: separated ones only
Real ref_polytope_distance(const RefPolytope *a, const RefPolytope *b);
// signed: the largest phi over all normals of faces and edge pairs
Real ref_polytope_depth(const RefPolytope *a, const RefPolytope *b, RefVec *n);
RefPolytope ref_polytope_moved(const RefPolytope *hull, caromPose X_WS);

// Signed distance of a torus: the least signed distance of a point of its ring, less its tube.
Real ref_torus_gap(caromShape torus, caromPose X_WT, const RefBody *other);

#endif
