// Two convex cores: the engine room of the queries.
//
// With C = { y - x : x in A, y in B } the signed distance of A and B is that of the origin from C:
//
//     g = max over unit n of  phi(n) = min { n.y : y in B } - max { n.x : x in A }
//
// whether they overlap or not, and the n that attains it points from A into B. Every n gives a lower bound of g; two
// points of A and B give an upper bound while they are apart (gjk.c), a polytope inside C does when they overlap
// (expand.c). Between the bounds the answer is found by solving for the features that touch (features.c for plane
// faces, curved.c for the rest).
#ifndef CAROM_SRC_NARROW_CONVEX_H
#define CAROM_SRC_NARROW_CONVEX_H

#include "carom/collide.h"
#include "geometry/geometry.h"

// Everything in the frame of A.
typedef struct caromConvexPair {
    caromCore a, b;
    caromMat3 R;    // axes of B
    caromVec3 t;    // its origin
    double scale;   // length below whose roundings nothing is known: sizes and distance together [m]
} caromConvexPair;

// A point w = y - x of C with the x of A that it comes from. Labels name the vertex of a box or hull, the rim of a
// frustum (0 bottom, 1 top); 0 for an ellipsoid.
typedef struct caromSupport {
    caromVec3 w, x;
    int label_a, label_b;
} caromSupport;

// The part of C that is nearest to the origin: up to four of its points and their weights (> 0, summing to 1).
typedef struct caromSimplex {
    int n;
    caromSupport s[4];
    double weight[4];
    caromVec3 v;  // sum of weight w: nearest point to the origin
} caromSimplex;

// What a query on two cores finds, in the frame of A.
typedef struct caromConvexGap {
    double g;
    caromVec3 n, x, y;  // y - x = g n
    double error;
    bool is_minimum;    // solutions of overlaps (curved.c): the depth gets no less when n leans over a little
} caromConvexGap;

#define CAROM_NO_GAP ((caromConvexGap){ .g = -INFINITY })

void carom_convex_pair(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                       caromConvexPair *p);

// Poses and dimensions are numbers, of sizes that can be squared twice (1e-60 to 1e60 m).
bool carom_convex_is_defined(const caromConvexPair *p);

// The point of C least far along n: the farthest of A along n, of B against it (support.h has it for inner loops).
caromSupport carom_convex_support(const caromConvexPair *p, caromVec3 n);
double carom_convex_phi(const caromConvexPair *p, caromVec3 n);

// Of a box or hull.
static inline caromVec3 carom_convex_core_vertex(const caromCore *core, int label)
{
    if (core->kind == CAROM_CORE_HULL) return core->hull->vertices[label];
    return carom_vec(label & 1 ? -core->h.x : core->h.x, label & 2 ? -core->h.y : core->h.y,
                     label & 4 ? -core->h.z : core->h.z);
}
static inline bool carom_convex_core_is_polytope(const caromCore *core)
{
    return core->kind == CAROM_CORE_BOX || core->kind == CAROM_CORE_HULL;
}

// Two unit vectors square to the unit vector n and to each other.
static inline void carom_narrow_tangents(caromVec3 n, caromVec3 *t1, caromVec3 *t2)
{
    caromVec3 c = carom_cross(n, fabs(n.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0));
    *t1 = carom_scale(1.0/carom_norm(c), c);
    *t2 = carom_cross(n, *t1);
}

// The points of A and B that the weights of a simplex stand for.
void carom_convex_simplex_points(const caromSimplex *simplex, caromVec3 *x, caromVec3 *y);

// Walks towards the nearest point of C [Gilbert88], [Montanari17].
typedef enum caromWalkEnd {
    CAROM_WALK_NEAREST,  // the simplex holds the nearest point, or it is within the tolerance
    CAROM_WALK_INSIDE,   // the simplex holds the origin, or touches it within rounding
    CAROM_WALK_APART,    // asked for overlap only: farther than the reach
    CAROM_WALK_STUCK     // rounding: no progress was made
} caromWalkEnd;

typedef struct caromWalk {
    caromSimplex simplex;
    double lower;       // bound: phi of the best direction so far
    double upper;       // |v|
    int steps;
} caromWalk;

void carom_convex_walk_start(const caromConvexPair *p, caromWalk *walk);
// Until upper - lower <= tolerance [m].
caromWalkEnd carom_convex_walk(const caromConvexPair *p, double tolerance, caromWalk *walk);
// Until lower > reach, or upper < reach by far, or no farther.
caromWalkEnd carom_convex_walk_overlap(const caromConvexPair *p, double reach, caromWalk *walk);

// Overlapping cores: the shortest way out. On entry *gap is a way out that is known (g = -inf: none).
void carom_convex_expand(const caromConvexPair *p, const caromWalk *walk, caromConvexGap *gap);

// Plane-faced cores: the answer for the features that the points of a simplex belong to, as a function of these
// features alone, so that it does not depend on the way they were found. g may have either sign.
typedef struct caromFeatures {
    int na, nb;          // 1 vertex, 2 edge, 3 face; 0: none
    int a[3], b[3];      // labels of vertices, ascending; of no meaning in remembered faces
    int face_a, face_b;  // face when na or nb is 3; -1: no face has these vertices
} caromFeatures;
caromFeatures carom_convex_features_of(const caromConvexPair *p, const caromSimplex *simplex);
caromConvexGap carom_convex_features_gap(const caromConvexPair *p, const caromFeatures *f, const caromSimplex *simplex);
// Surfaces that nearly touch along more than the features found (faces that lie on each other, edges that cross at a
// weight of 0): the line between the points is too short to tell the normal. It is looked for among the faces and pairs
// of edges that meet there; gap->error is what is left.
void carom_convex_features_sharpen(const caromConvexPair *p, const caromSimplex *simplex, caromConvexGap *gap);
// Are these features the only ones that could be nearest, by a margin well above rounding? Then *gap is the
// answer. Separated pairs only.
bool carom_convex_features_are_valid(const caromConvexPair *p, const caromFeatures *f, caromConvexGap *gap);

// The face with these three vertices, -1: none. x, in the frame of the core, lies over the inside of a face, clear of
// its edges by the margin.
int carom_convex_core_face_of(const caromCore *core, const int *labels);
bool carom_convex_core_is_over_face(const caromCore *core, int face, caromVec3 x, double margin);

// Puts the witness points of a gap whose normal and size are right into the flat pieces that the cores end in along
// n. False: the pieces do not lie over each other, so that n is not right. margin: what counts as flat, of the scale;
// it goes into the error.
bool carom_narrow_flat_witness(const caromConvexPair *p, double margin, caromConvexGap *gap);

// The least radius of curvature anywhere on the core: by Blaschke's theorem a ball of the sum of those of A and B rolls
// freely inside C, so that an overlap that is stationary and not deeper than this is the shortest there is.
double carom_convex_core_least_radius(const caromCore *core);

// Curved cores: solves for the features near n that the points of the simplex belong to. False: no solution there.
// breadth: how many guesses besides the likeliest.
bool carom_convex_curved_polish(const caromConvexPair *p, caromVec3 n, const caromSimplex *simplex, bool is_overlap,
                                int breadth, caromConvexGap *gap);

// Of two bounded convex shapes. features: those that were nearest at an earlier pose (na = 0: none) and, on return,
// those that are now, for a warm start; or NULL.
caromGap carom_convex_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                          caromFeatures *features);

#endif
