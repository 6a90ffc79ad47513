// Queries with one simple partner: a point, a half-space, a ring (the circle that a torus is grown from), a ray. No search over pairs of features is
// needed; the signed distance of a point from a convex core,
//
//     sd(p) = max over unit n of (n.p - h(n)),    h the core's support function,
//
// is a closed form or one root, and convex in p inside and outside: its normal is a subgradient, valid as a lower bound everywhere.
#ifndef CAROM_SRC_COLLIDE_CLOSED_H
#define CAROM_SRC_COLLIDE_CLOSED_H

#include <float.h>

#include "carom/collide.h"
#include "geometry/geometry.h"

// Of p (in S) from the sharp core: negative inside. on: nearest surface point; n: outer unit normal there, a fixed choice where there are several.
double carom_core_point(const caromCore *core, caromVec3 p, caromVec3 *on, caromVec3 *n);

// The same of a whole shape, with its rounding; of the half-space too, and of a mesh without an inside positive.
double carom_shape_point(const caromShape *shape, caromVec3 p_S, caromVec3 *n);

caromGap carom_gap_half_space(const caromShape *a, caromPose X_WA, caromPose X_WB);                       // B is the half-space
caromGap carom_gap_torus(const caromShape *torus, caromPose X_WA, const caromShape *b, caromPose X_WB);  // B is bounded

caromGap carom_gap_ball(double radius, caromVec3 centre_W, const caromShape *b, const caromPose *X_WB);  // B is convex and bounded
caromGap carom_gap_capsules(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

// An order of placed shapes, < 0: a first. Queries that are not symmetric by themselves ask in this order and mirror the answer. It is there to keep the
// last bits, so the quickest will do; where the order itself matters, carom_shape_order (fields.h) is the one.
int carom_pair_order(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

static inline caromGap carom_gap_mirrored(caromGap g)
{
    caromGap m = { g.g, carom_neg(g.n_AB), g.p_B, g.p_A, g.error, g.status };
    return m;
}

// Some roundings of a length. Measured errors of the closed forms are below a quarter of it.
static inline double carom_roundings(double length)
{
    return 32.0*DBL_EPSILON*length;
}

static inline caromGapStatus carom_gap_status(double error, double size)
{
    return error <= 1e-9*size ? CAROM_GAP_OK : CAROM_GAP_IMPRECISE;
}

static inline caromGap carom_gap_undefined(double g)
{
    caromGap gap = { g, { 0, 0, 1 }, { 0, 0, 0 }, { 0, 0, 0 }, (double)INFINITY, CAROM_GAP_UNDEFINED };
    return gap;
}

static inline bool carom_pose_is_finite(caromPose X)
{
    return carom_is_finite3(X.R.cx) && carom_is_finite3(X.R.cy) && carom_is_finite3(X.R.cz) && carom_is_finite3(X.p);
}

// Does it have a signed distance at all? A cheaper question than carom_shape_check, for queries.
static inline bool carom_shape_is_usable(const caromShape *s)
{
    return carom_shape_row(s->kind) && carom_is_finite3(s->size) && isfinite(s->rounding) && (s->kind != CAROM_POLYTOPE || s->hull) && (s->kind != CAROM_MESH || s->mesh);
}

// The nearest to x of what is not farther from 0 than the limit.
static inline double carom_clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

// |d| without underflow or overflow of the squares, and d/|d| (or the fallback for d = 0).
static inline double carom_split(caromVec3 d, caromVec3 fallback, caromVec3 *unit)
{
    double n2 = carom_norm2(d), s = 1.0;
    if (!(n2 > 1e-280 && n2 < 1e280)) {
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
