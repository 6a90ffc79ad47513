// collide.h -- where are the surfaces closest?
//
// In:    shapes with their poses; rays; points.
// Out:   signed distance, normal and witness points with a bound on their error; overlap; first hit of a ray; contact
//        polygons.
// Promise: pure functions of their inputs, exact but for rounding unless the status says otherwise. Swapping A and B
//          mirrors the answer to the last bit; moving both together moves it to rounding. A warm start changes the time
//          a query takes, never its answer. Shapes are taken to be valid (carom_shape_check), sizes and distances to
//          lie between 1e-60 m and 1e60 m, or be 0.
// Not here: forces, when to look (sim.h).
// Start reading at carom_collide_shapes in src/collide/query.c. Theory: docs/collision.md.
#ifndef CAROM_COLLIDE_H
#define CAROM_COLLIDE_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum caromGapStatus {
    CAROM_GAP_OK = 0,     // error is within 1e-9 of the size of the shapes; as a rule some roundings
    CAROM_GAP_IMPRECISE,  // could not be brought there: error says how far off g may be
    CAROM_GAP_UNDEFINED,  // no such thing: two half-spaces, or a pose or dimension that is not finite. g is -inf or NaN
    // The matrix R of a pose is no rotation: its columns are not unit vectors, square to each other and right-handed,
    // all to 0.01. g is NaN. Queries without a status answer as for CAROM_GAP_UNDEFINED.
    CAROM_GAP_NO_ROTATION
} caromGapStatus;

typedef struct caromGap {
    double g;            // > 0 separated: distance; < 0 overlapping: minus the shortest translation that separates [m]
    caromVec3 n_AB;      // unit, from A into B, in W
    caromVec3 p_A, p_B;  // witness points on the two surfaces, in W: p_B - p_A = g n_AB
    // Bound on the error of g [m]; of overlapping curved shapes: see "What is certified" in docs/collision.md.
    double error;
    caromGapStatus status;
} caromGap;

// Meshes. Separated: the distance of the nearest two triangles, exactly. A closed mesh is solid, an open one a surface
// without thickness. Where solids overlap, g is minus the length of a translation of B along n_AB after which they
// only touch, and which cannot be made shorter by turning it a little: the shortest locally, found from several
// directions, and not always the shortest of all (docs/meshes.md); `error` is for where they touch. An open surface
// that is crossed has g = 0.
//
// A torus is not convex. It is a ring (circle) grown by the radius of its tube: its depth is how far the nearest point
// of the ring is within the tube's radius of the other shape, which is the shortest way out locally.
CAROM_API caromGap carom_collide_shapes(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB);

// The same, faster along a motion: remembers the features that were closest. Zero-initialise; one for each pair of
// shapes. It helps boxes and polytopes, rounded or not, against each other and against capsules while they are apart,
// and meshes; all other queries take as long as without.
typedef struct caromWarmStart {
    int features[8];
} caromWarmStart;
CAROM_API caromGap carom_collide_shapes_warm(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB,
                                             caromWarmStart *warm);

// The shortest separation vector as section 6.4 of [Engelson00] finds it: B is moved out along 26 directions by growing
// steps. A reference to compare with: slow, and not the shortest in general (docs/collision.md has measurements).
// Overlapping shapes only; separated ones get the answer of carom_collide_shapes.
CAROM_API caromGap carom_collide_shapes_26(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB);

// Do they share a point? Cheaper than the distance. Shapes that touch within rounding may be told either way.
CAROM_API bool carom_collide_overlap(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB);

// Several shapes that move as one, not necessarily convex: the least gap over all pairs of parts. Overlapping
// compounds: the deepest pair of parts, which is the shortest way out for these two and not always for the whole.
typedef struct caromCompound {
    int n;
    const caromShape *shapes;
    const caromPose *X_BS;  // poses of the shapes in the frame of the compound
} caromCompound;
typedef struct caromCompoundGap {
    caromGap gap;
    // -1: a compound is empty; gap.g is infinite. Parts whose gap is undefined make that the answer
    int part_a, part_b;
} caromCompoundGap;
CAROM_API caromCompoundGap carom_collide_compounds(caromCompound a, caromPose X_WA, caromCompound b, caromPose X_WB);

// Signed distance of a point: n_AB is the outer normal of the shape there, p_A the nearest surface point, p_B the point
// itself.
CAROM_API caromGap carom_collide_point(caromShape a, caromPose X_WA, caromVec3 p_W);
CAROM_API bool carom_collide_contains(caromShape a, caromPose X_WA, caromVec3 p_W);  // surface included, to rounding

// First point of the shape on the ray p + t d, 0 <= t <= t_max. d need not be a unit vector. From inside: t = 0,
// inside set, n = -d/|d|.
typedef struct caromRayHit {
    bool hit, inside;
    double t;            // infinite without a hit
    caromVec3 p_W, n_W;  // point and outer normal
} caromRayHit;
CAROM_API caromRayHit carom_collide_ray(caromShape a, caromPose X_WA, caromVec3 p_W, caromVec3 d_W, double t_max);

// All witness pairs closer than a standoff: for every triangle of a mesh and every triangle of another the two points
// that are closest, if they are less than the standoff apart; triangles that share the edge or corner on which such a
// point lies have it in common, and it is told once. A shape that is not a mesh counts as one piece. Triangles of two
// meshes that cross count with g = 0, at the middle of the segment in which they do.
typedef struct caromWitness {
    double g;                  // between two meshes >= 0; else signed: of the triangle alone, whatever is inside
    caromVec3 n_AB, p_A, p_B;  // as in caromGap
    // Of a mesh: vertex v, or nvertex + edge, or nvertex + nedge + triangle; 0 for other shapes.
    int feature_a, feature_b;
} caromWitness;
// Fills at most `capacity` pairs, ordered by (feature_a, feature_b), and returns their number; -1: there are more,
// or a query is undefined.
CAROM_API int carom_collide_witnesses(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, double standoff,
                                      caromWitness *witnesses, int capacity);

// The first instant 0 <= t <= t_max at which two moving shapes touch. Without turning t is exact to rounding; with it t
// is never late, and early by no more than the time in which a gap of 1e-12 of the size closes.
typedef struct caromMoving {
    caromShape shape;
    caromPose X_WS;      // at t = 0
    // Angular velocity, and velocity of the shape's origin, in W; both constant: the origin moves straight,
    // the shape turns about it.
    caromSpatial V_WS;
} caromMoving;
typedef struct caromSweep {
    bool hit;
    double t;      // infinite without a hit; 0 if they overlap at the start
    caromGap gap;  // at t
} caromSweep;
CAROM_API caromSweep carom_sweep_shapes(caromMoving a, caromMoving b, double t_max);

// Where plane faces lie in each other: polygons of the surface where the depth fields of two plane-faced shapes
// (box, polytope, half-space, all without rounding) balance (docs/contact.md). The volumes together vary
// continuously with the pose. Areas and centroids do while the shapes overlap, but do not begin with nothing: a face
// that comes down on another has its whole area at once. Only two equal shapes change roles at some poses, where the
// surface moves within their overlap.
enum { CAROM_POLYGON_CORNERS_MAX = 32 };
typedef struct caromPolygon {
    int n;                                           // corners
    caromVec3 corners_W[CAROM_POLYGON_CORNERS_MAX];  // counter-clockwise about n_AB
    double depth[CAROM_POLYGON_CORNERS_MAX];         // overlap at each corner [m]; linear in between
    caromVec3 n_AB;
    double area;                                     // [m^2]
    caromVec3 centroid_W;
    double volume;                                   // integral of depth over the area [m^3]
    caromVec3 pressure_centre_W;                     // centroid weighted with depth
} caromPolygon;
typedef void (*caromPolygonVisitor)(const caromPolygon *polygon, void *user);
// Calls visit (unless it is NULL) for each polygon, in a fixed order; returns their number, 0 for shapes that do not
// overlap, -1 if a shape has other than plane faces or a rounding, for two half-spaces, and for poses that are none
// (caromGapStatus). One face on another may come in pieces: where it has more corners than fit, and where there are so
// many faces that they are looked at part by part.
CAROM_API int carom_patch_polygons(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB,
                                   caromPolygonVisitor visit, void *user);

// Bodies that start deeper inside each other than a tenth of the smaller one's half thickness: an error for each such
// pair, with the path "bodies.NAME.position" of the later one.
CAROM_API void carom_patch_check_start(const caromModel *model, caromProblems *problems);

#ifdef __cplusplus
}
#endif

#endif
