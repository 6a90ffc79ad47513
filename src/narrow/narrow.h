// narrow.h -- two shapes, neither of which is a mesh: the narrow phase.
//
// In:    two placed shapes: convex ones, tori, a half-space.
// Out:   signed distance, normal and witness points with a bound on their error; overlap; signed distance of a point.
// Promise: pure functions of their inputs. Swapping the two mirrors the answer to the last bit.
// Not here: meshes (meshgap), the public queries on any two shapes (collide).
// Start reading at carom_narrow_ordered in narrow.c. Theory: docs/collision.md.
#ifndef CAROM_SRC_NARROW_H
#define CAROM_SRC_NARROW_H

#include <float.h>

#include "carom/collide.h"
#include "geometry/geometry.h"
#include "narrow/scales.h"

typedef struct caromFeatures caromFeatures;  // convex.h

caromGap carom_narrow_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);
// The same of two that are in order (carom_narrow_pair_order). features: what a warm start remembers of
// convex shapes, or NULL.
caromGap carom_narrow_ordered(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              caromFeatures *features);
// Do they share a point, or are they at least so deep in each other? As if the gap were asked for, and cheaper for
// convex shapes.
bool carom_narrow_overlap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);
bool carom_narrow_is_deeper(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                            double depth);
// Of two convex shapes, for certain: false where they nearly touch.
bool carom_narrow_is_apart(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

// Signed distance of p (in S) from a whole shape with its rounding, of the half-space too. n: outer unit normal.
double carom_narrow_point(const caromShape *shape, caromVec3 p_S, caromVec3 *n);

// An order of placed shapes, < 0: a first. Queries that are not symmetric by themselves ask in this order and mirror
// the answer. It is there to keep the last bits, so the quickest will do; where the order itself matters,
// carom_patch_shape_order (patch/fields.h) is the one.
int carom_narrow_pair_order(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

// A torus may be near to B in several places at once: a ring that hangs on a peg, or lies across an edge. (torus.c)
typedef struct caromRingPair {
    const caromShape *torus, *b;  // b: bounded
    caromPose X_WA, X_WB;
} caromRingPair;
typedef struct caromRingPlace {
    double angle;                 // along the ring, from x of the torus [rad]
    double f;                     // signed distance of the ring there from the core of B (torus: from its ring)
    caromVec3 c_A, c_B;           // that place, and the point of the core next to it, in W
    caromVec3 n_AB;               // unit, in W
} caromRingPlace;
enum { CAROM_RING_PLACES = 16 };
// Where the distance is least of all around, by angle; how many. spread: of the distance along the ring [m].
int carom_narrow_ring_places(const caromRingPair *pair, caromRingPlace *places, double *spread);
// The nearest of them downhill from an angle. False: there is none within CAROM_NARROW_RING_AWAY.
bool carom_narrow_ring_near(const caromRingPair *pair, double from, caromRingPlace *place);
caromRingPlace carom_narrow_ring_at(const caromRingPair *pair, double angle);

static inline caromGap carom_gap_mirrored(caromGap g)
{
    caromGap m = { g.g, carom_neg(g.n_AB), g.p_B, g.p_A, g.error, g.status };
    return m;
}

// Some roundings of a length. Measured errors of the closed forms are below a quarter of it.
static inline double carom_narrow_roundings(double length)
{
    return 32.0*DBL_EPSILON*length;
}

static inline caromGapStatus carom_gap_status(double error, double size)
{
    return error <= CAROM_NARROW_PRECISE*size ? CAROM_GAP_OK : CAROM_GAP_IMPRECISE;
}

static inline caromGap carom_gap_undefined(double g)
{
    caromGap gap = { g, { 0, 0, 1 }, { 0, 0, 0 }, { 0, 0, 0 }, (double)INFINITY, CAROM_GAP_UNDEFINED };
    return gap;
}

// Two unit columns that are square, and the third from them. What is not finite is in no range.
static inline bool carom_narrow_is_rotation(const caromMat3 *R)
{
    const double off = CAROM_NARROW_ROTATION_OFF;
    return fabs(carom_norm2(R->cx) - 1.0) < off && fabs(carom_norm2(R->cy) - 1.0) < off &&
           fabs(carom_dot(R->cx, R->cy)) < off &&
           carom_norm2(carom_sub(carom_cross(R->cx, R->cy), R->cz)) < off*off;
}

bool carom_narrow_pose_is_finite(const caromPose *X);

static inline bool carom_narrow_is_pose(const caromPose *X)
{
    return carom_narrow_is_rotation(&X->R) && carom_is_finite3(X->p);
}

// Does it have a signed distance at all? A cheaper question than carom_shape_check, for queries.
static inline bool carom_narrow_shape_is_usable(const caromShape *s)
{
    const caromShapeRow *row = carom_shape_row(s->kind);
    return row && carom_is_finite3(s->size) && isfinite(s->rounding) && (!row->has_hull || s->hull) &&
           (!row->has_mesh || s->mesh);
}

// With a pose that is one, to the last entry: what this shape has no use for is bad input as any other.
static inline bool carom_narrow_is_placed(const caromShape *s, const caromPose *X)
{
    return carom_narrow_shape_is_usable(s) && carom_narrow_is_pose(X);
}

// The answer where a shape is not placed: what is not finite comes before what is no rotation.
caromGap carom_gap_refused(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

// The nearest to x of what is not farther from 0 than the limit.
static inline double carom_narrow_clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

// |d| without underflow or overflow of the squares, and d/|d| (or the fallback for d = 0).
static inline double carom_narrow_split(caromVec3 d, caromVec3 fallback, caromVec3 *unit)
{
    double n2 = carom_norm2(d), s = 1.0;
    if (!(n2 > CAROM_NARROW_SQUARE_LEAST && n2 < CAROM_NARROW_SQUARE_MOST)) {
        double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        if (largest == 0.0) {
            *unit = fallback;
            return 0.0;
        }
        s = largest;
        d = carom_vec(d.x/s, d.y/s, d.z/s);
        n2 = carom_norm2(d);
    }
    double n = sqrt(n2);
    *unit = carom_vec(d.x/n, d.y/n, d.z/n);
    return s*n;
}

#endif
