// geometry.h -- shapes and what they weigh.
//
// In:    kind and dimensions of a shape, in its own frame S; points for a convex hull.
// Out:   names of kinds and dimensions, validity, bounding radius, volume, mass properties, curvature of the surface.
// Promise: pure functions of their arguments; a hull never changes once it is made.
// Not here: where a shape is (model.h), how far it is from another (collide.h).
// One shape is one file src/geometry/shape_<kind>.c and one line of the table in src/geometry/geometry.h.
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "carom/base.h"
#include "carom/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pairs are ordered by kind: those that are bounded and convex first, the half-space last.
typedef enum caromShapeKind {
    CAROM_SPHERE,      // size.x = radius; centre at So
    CAROM_ELLIPSOID,   // size = semi-axes along Sx, Sy, Sz; centre at So
    CAROM_BOX,         // size = full edge lengths along Sx, Sy, Sz; centre at So
    CAROM_CYLINDER,    // size.x = radius, size.y = length along Sz; centre at So
    // Size.x = radius at the bottom, size.y = radius at the top (0: a sharp tip), size.z = length along Sz; So half way
    // up.
    CAROM_CONE,
    CAROM_CAPSULE,     // size.x = radius, size.y = length of the straight part along Sz; centre at So
    CAROM_POLYTOPE,    // hull: the convex hull of points given in S; size unused
    // Size.x = radius of the ring (a circle in the plane Sz = 0 about So), size.y = radius of the tube; not convex.
    CAROM_TORUS,
    // mesh: a surface of triangles given in S, and what is inside it if it is closed; size unused; not convex (mesh.h)
    CAROM_MESH,
    CAROM_HALF_SPACE,  // all points with Sz <= 0: surface through So, outer normal Sz; size unused
    CAROM_SHAPE_KINDS
} caromShapeKind;

typedef struct caromHull caromHull;
typedef struct caromMesh caromMesh;
typedef struct caromSamples caromSamples;

typedef struct caromShape {
    caromShapeKind kind;
    caromVec3 size;         // [m], meaning by kind
    // Radius of all edges and corners [m], 0: sharp. Outer dimensions stay: a ball of this radius has rolled round the
    // inside. A polytope has that of its hull instead.
    double rounding;
    const caromHull *hull;  // of a polytope; not owned
    const caromMesh *mesh;  // of a mesh; not owned
    // Points of its surface by which it presses on others, or NULL; not owned. A model makes those it needs.
    const caromSamples *samples;
} caromShape;

CAROM_API caromShape carom_shape_sphere(double radius);
CAROM_API caromShape carom_shape_ellipsoid(double a, double b, double c);
CAROM_API caromShape carom_shape_box(double x, double y, double z);
CAROM_API caromShape carom_shape_cylinder(double radius, double length);
CAROM_API caromShape carom_shape_cone(double radius, double top_radius, double length);
CAROM_API caromShape carom_shape_capsule(double radius, double length);
CAROM_API caromShape carom_shape_torus(double ring_radius, double tube_radius);
CAROM_API caromShape carom_shape_half_space(void);
CAROM_API caromShape carom_shape_polytope(const caromHull *hull);
CAROM_API caromShape carom_shape_mesh(const caromMesh *mesh);
// Not for a polytope: its hull is made rounded.
CAROM_API caromShape carom_shape_rounded(caromShape shape, double radius);

// The convex hull of n points [m] with edges and corners rounded by a radius. Points inside the hull, repeated points
// and points on its edges and faces are left out. NULL and err (which may be NULL) filled when the points are not
// finite, lie in a plane, span less than 1e-50 m, reach farther than 1e50 m, or are too many, when the rounding leaves
// nothing, or when memory runs out.
enum { CAROM_HULL_POINTS_MAX = 1000000 };
CAROM_API caromHull *carom_hull_create(const caromVec3 *points, int n, double rounding, caromError *err);
CAROM_API caromHull *carom_hull_copy(const caromHull *hull);  // NULL when out of memory
CAROM_API void carom_hull_destroy(caromHull *hull);
CAROM_API double carom_hull_rounding(const caromHull *hull);
// The hull before rounding. Face f has the corners corners[first[f]] .. corners[first[f + 1] - 1], counter-clockwise
// from outside, indices of vertices; coplanar triangles are one face. Arrays live as long as the hull.
CAROM_API int carom_hull_vertices(const caromHull *hull, const caromVec3 **vertices);
CAROM_API int carom_hull_faces(const caromHull *hull, const int **first, const int **corners);

// Points fixed on the surface of a bounded shape, in S, each with its share of the area [m^2]: for contact that is felt
// point by point (docs/contact.md). They are on corners, rims and edges and between them, about one to a square of the
// spacing [m]. 0: sqrt(surface/2000). A shape whose samples were given a spacing presses by them on everything;
// without, only where nothing better is known. NULL and err (which may be NULL) filled when the shape has no end, the
// points are too many, or memory runs out.
enum { CAROM_SAMPLES_MAX = 1000000 };
CAROM_API caromSamples *carom_shape_samples_create(caromShape shape, double spacing, caromError *err);
// The same for another owner, who destroys it in turn; any thread may do this.
CAROM_API caromSamples *carom_shape_samples_copy(const caromSamples *samples);
CAROM_API void carom_shape_samples_destroy(caromSamples *samples);
CAROM_API int carom_shape_samples_count(const caromSamples *samples);
CAROM_API caromVec3 carom_shape_samples_point(const caromSamples *samples, int i, double *area);  // area may be NULL
CAROM_API double carom_shape_samples_spacing(const caromSamples *samples);

// Mass properties about the centre of mass, in the frame they are given in.
typedef struct caromMassProps {
    double mass;        // [kg]
    caromVec3 com;      // centre of mass [m]
    caromMat3 inertia;  // about com [kg m^2], symmetric
} caromMassProps;

CAROM_API const char *carom_shape_kind_name(caromShapeKind kind);  // "half-space"
// Name of size.x, .y, .z (i = 0, 1, 2), "radius"; the same for all three of a vector, NULL where there is none.
CAROM_API const char *carom_shape_dimension(caromShapeKind kind, int i);
CAROM_API double carom_shape_rounding(caromShape shape);           // of its edges [m]; 0: sharp, or there are none
// [m^3], infinite for a half-space, 0 for a mesh that is not closed
CAROM_API double carom_shape_volume(caromShape shape);
// Of the sphere about So that holds it; infinite for a half-space.
CAROM_API double carom_shape_radius(caromShape shape);
CAROM_API bool carom_shape_is_bounded(caromShape shape);
CAROM_API bool carom_shape_is_convex(caromShape shape);            // all but torus and mesh

// The shape must be of a known kind, have finite positive dimensions (the top of a cone may be 0, the tube of a torus
// is thinner than its ring), a rounding that leaves something of it, a polytope a hull, and a mesh its triangles:
// CAROM_ERR_INPUT otherwise, err->where the dimension ("radius", "rounding", ...), or empty. All other functions on
// shapes take this for granted.
CAROM_API caromStatus carom_shape_check(caromShape shape, caromError *err);

// Of the solid at uniform density, in S. Bounded shapes only: zero mass otherwise.
CAROM_API caromMassProps carom_shape_mass(caromShape shape, double density);

// Curvature of the surface where its outer unit normal n and point p are given, both in S. Positive: bulging outwards.
// A plane face has 0, a sharp edge or corner INFINITY; a rounded one 1/rounding.
typedef struct caromCurvature {
    double k1, k2;  // principal curvatures [1/m], k1 <= k2
    caromVec3 t1;   // unit direction of k1, square to n (any when k1 = k2)
} caromCurvature;
CAROM_API caromCurvature carom_shape_curvature(caromShape shape, caromVec3 p_S, caromVec3 n_S);

// Moves mass properties from frame S to frame B; adds those of two parts given in the same frame.
CAROM_API caromMassProps carom_geometry_mass_moved(caromMassProps props_S, caromPose X_BS);
CAROM_API caromMassProps carom_geometry_mass_sum(caromMassProps a, caromMassProps b);

// Eigenvalues of a symmetric matrix, ascending; principal axes as columns of axes if it is not NULL.
CAROM_API caromVec3 carom_geometry_principal_axes(caromMat3 symmetric, caromMat3 *axes);

#ifdef __cplusplus
}
#endif

#endif
