// The shortest separation vector by trial, as [Engelson00], section 6.4: B is moved along 26 directions, all components
// -1, 0 or 1, by lengths
//
//     c_i = (1 + kappa) c_(i-1)
//
// until some of them separate it from A. Each of those is longer than needed by the projection of the vector d between
// the closest points on it, p = c.d/|c|; the one with the largest projection is taken.
#include "collide/scales.h"
#include "narrow/narrow.h"

static const double kappa = 0.2;
// No unit vector is farther from the nearest of the 26 than this: x = 1/sqrt(1 + (sqrt 2 - 1)^2 + (sqrt 3 - sqrt 2)^2),
// between (1,0,0), (1,1,0), (1,1,1).
static const double covering_cosine = 0.88645;

enum { DIRECTIONS = 26 };

static caromVec3 direction(int m)
{
    int k = m < 13 ? m : m + 1;  // 13 is (0, 0, 0)
    int x = k/9 - 1, y = k/3%3 - 1, z = k%3 - 1;
    caromVec3 d = { x, y, z };
    return carom_scale(1.0/carom_norm(d), d);
}

typedef struct Trial {
    double projection;
    caromVec3 direction;
    caromGap gap;  // to B moved
} Trial;

// All 26 at one length; false: none separates.
static bool try_length(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, double length,
                       Trial *best)
{
    bool found = false;
    for (int m = 0; m < DIRECTIONS; m++) {
        caromVec3 dir = direction(m);
        caromPose moved = { X_WB.R, carom_axpy(length, dir, X_WB.p) };
        caromGap gap = carom_collide_shapes(*a, X_WA, *b, moved);
        if (!(gap.g > 0.0)) continue;
        double projection = carom_dot(carom_sub(gap.p_B, gap.p_A), dir);
        if (found && !(projection > best->projection)) continue;
        *best = (Trial){ projection, dir, gap };
        found = true;
    }
    return found;
}

// Convex shapes: the vector found separates, so the shortest is not longer. Nor is it shorter than the last length that
// failed in all directions times the cosine of the widest angle between them: one of the 26 would have separated.
static caromGap answer(const Trial *best, double length, double failed, bool is_convex, double size)
{
    double depth = fmax(0.0, length - best->projection),
           error = is_convex ? depth - covering_cosine*failed + best->gap.error : (double)INFINITY;
    caromVec3 n = best->direction, p_B = carom_axpy(-length, n, best->gap.p_B),
              middle = carom_scale(0.5, carom_add(best->gap.p_A, p_B));
    return (caromGap){ -depth, n, carom_axpy(0.5*depth, n, middle), carom_axpy(-0.5*depth, n, middle), error,
                       carom_gap_status(error, size) };
}

static caromGap search(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromGap overlap)
{
    double r_A = carom_shape_radius(*a), r_B = carom_shape_radius(*b), small = fmin(r_A, r_B),
           apart = carom_norm(carom_sub(X_WA.p, X_WB.p));
    // A half-space has no diameter: so far that the other shape is out of it.
    double limit = 2.0*(isfinite(r_A) ? r_A : apart) + 2.0*(isfinite(r_B) ? r_B : apart), failed = 0.0;
    Trial best = { 0 };
    // A shape without size (not a valid one) has no smallest length, and one whose squares overflow no largest: the
    // steps must grow and end.
    double length = fmax(CAROM_COLLIDE_26_FIRST*small, CAROM_COLLIDE_26_LEAST*limit);
    while (length <= (1.0 + kappa)*limit && isfinite(length)) {
        if (try_length(a, X_WA, b, X_WB, length, &best))
            return answer(&best, length, failed, carom_shape_is_convex(*a) && carom_shape_is_convex(*b), small);
        failed = length;
        length *= 1.0 + kappa;
    }
    overlap.g = -limit;
    overlap.error = (double)INFINITY;
    overlap.status = CAROM_GAP_IMPRECISE;
    return overlap;
}

caromGap carom_collide_shapes_26(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    caromGap gap = carom_collide_shapes(a, X_WA, b, X_WB);
    if (gap.status == CAROM_GAP_UNDEFINED || !(gap.g < 0.0) || !isfinite(gap.g)) return gap;
    if (carom_narrow_pair_order(&a, &X_WA, &b, &X_WB) <= 0) return search(&a, X_WA, &b, X_WB, gap);
    return carom_gap_mirrored(search(&b, X_WB, &a, X_WA, carom_gap_mirrored(gap)));
}
