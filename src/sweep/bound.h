// How far two convex pieces stay apart along a direction while they move.
//
// For any unit vector n the gap of A and B is at least min n.y over B - max n.x over A. A material point at the lever r
// from the centre c of its piece moves as y(s) = c + r + s (v + w x r) + rest, |n.rest| <= K s^2/2. So
//
//     gap(s) >= L(s) = (c_B - c_A).n + s (v_B - v_A).n - e_A(s) - e_B(s) - (K_A + K_B) s^2/2
//
// with extents e(s) = h(m + s m'): h the support function of the piece, m = n and m' = n x w as the piece sees them. h
// is convex, so L is concave.
#ifndef CAROM_SRC_SWEEP_BOUND_H
#define CAROM_SRC_SWEEP_BOUND_H

#include "geometry/geometry.h"

typedef struct caromMovingCore {  // a piece at an instant
    const caromCore *core;
    const caromMat3 *R;      // its axes
    caromVec3 c, v, w;       // centre, its velocity, angular velocity
    double acceleration;     // K
} caromMovingCore;

typedef struct caromBoundSide {  // one piece along n, as functions of time
    double centre, rate;
    caromCore core;          // without its radius, which is in the centre already
    caromVec3 m, m_rate;     // direction towards the other piece, in the frame of this one
    double acceleration;     // K
} caromBoundSide;

typedef struct caromBound {  // L(s) of a pair: b minus a along n
    caromBoundSide a, b;
} caromBound;

// n: towards the other piece. A half-space has no extent: leave core and m at 0.
static inline caromBoundSide carom_sweep_bound_side(const caromMovingCore *p, caromVec3 n, bool is_a)
{
    caromVec3 d = is_a ? n : carom_neg(n);
    caromBoundSide side = { .centre = carom_dot(n, p->c) + (is_a ? p->core->radius : -p->core->radius),
                            .rate = carom_dot(n, p->v), .core = *p->core, .acceleration = p->acceleration };
    side.core.radius = 0.0;
    side.m = carom_tmul(*p->R, d);
    side.m_rate = carom_tmul(*p->R, carom_cross(d, p->w));
    return side;
}

// L(s); *slope (unless NULL): of L without the term of K, at this side of any kink.
static inline double carom_sweep_bound_at(const caromBound *p, double s, double *slope)
{
    caromVec3 ma = carom_axpy(s, p->a.m_rate, p->a.m), mb = carom_axpy(s, p->b.m_rate, p->b.m);
    caromVec3 x = carom_shape_core_support(&p->a.core, ma), y = carom_shape_core_support(&p->b.core, mb);
    double rate = p->b.rate - p->a.rate, K = p->a.acceleration + p->b.acceleration;
    if (slope) *slope = rate - carom_dot(x, p->a.m_rate) - carom_dot(y, p->b.m_rate);
    return p->b.centre - p->a.centre + s*rate - carom_dot(x, ma) - carom_dot(y, mb) - 0.5*K*s*s;
}

// What a piece ends in, towards the other: a direction that turns with it stays square to it (turn.c).
typedef struct caromFlatEnd {
    int rank;                // 0 a point, 1 an edge, 2 a face
    caromVec3 edge;          // along it
    caromVec3 w;             // angular velocity
} caromFlatEnd;

caromFlatEnd carom_sweep_flat_end(const caromCore *core, const caromMat3 *R, caromVec3 towards, caromVec3 w);
// The angular velocity W with which n stays square to what touches; false: nothing flat does.
bool carom_sweep_turning_of(const caromFlatEnd *a, const caromFlatEnd *b, caromVec3 n, caromVec3 *W);

// The longest time up to end in which L stays above the level; roundings below slack are let pass.
double carom_sweep_bound_clear(const caromBound *bound, double end, double level, double slack);

#endif
