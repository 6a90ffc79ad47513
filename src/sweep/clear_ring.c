// The certificate of a torus: a ring, the circle c(x) of radius R, grown by its tube, has no side that it lies on, and
// no plane parts it from what touches it inside its hole. So each of its points has a direction of its own.
//
// B is convex and stands still in its own frame. There the distance d from it is a convex function of place, with the
// gradient n, and a point of the ring moves as c + s v + rest, |rest| <= A s^2/2:
//
//     d(x, s) >= d(x) + s n(x).v(x) - A s^2/2
//
// Over an arc, |x - x_k| <= w, all terms are those of its middle but for what w allows:
//
//     d(x) >= d_k - w |n_k.c'_k| - w^2/2 R max(0, n_k.r_k)    r: unit vector from the middle of the ring to c
//     |n(x) - n_k| <= R w/d                                  the gradient of a distance turns by at most 1/d per length
//     |v(x) - v_k| <= |w_A - w_B| R w
//
// and d(x) is nowhere less than at the nearest point. So an arc has a time for which it is certainly clear, which an
// arc of no length at its middle can exceed. Arcs are halved until their times are half of that of the shortest of such
// middles, or all that is asked for: half of that would leave a gap between what is certain from both ends of a piece
// of motion (events/search.c), however short. They get shorter towards the nearest point, where n.v is its rate: a pair
// that parts at the rate v is clear for v/A, however near. B may be another ring: then each pair of arcs,
// d = |c_A - c_B|. Of a mesh each triangle is a B, for the arcs that are near it (clear_tree.c).
#include "narrow/narrow.h"
#include "sweep/clear.h"
#include "sweep/scales.h"

typedef struct RingMotion {    // in the frame of B, towards the time that is asked for
    const caromShape *b;
    caromVec3 o, u, v;         // middle of the ring, and two unit vectors along its plane
    double R, R_B;             // radii of the rings; R_B = 0: B is convex
    caromVec3 rate, w;         // velocity of o, angular velocity
    double nearest;            // the least d of all
    double touch;              // d at which they count as touching
    double acceleration, end;
} RingMotion;

typedef struct Arcs {          // one of each ring; of convex B none
    double at[2], half[2];     // middle and half of its width [rad]
} Arcs;

typedef struct ArcsSample {    // at the middle of both
    double d, d_lost;          // distance, and what it may fall by along the arcs
    double rate, rate_lost;    // n.v
} ArcsSample;

static caromVec3 circle_point(double R, caromVec3 u, caromVec3 v, double angle)
{
    return carom_scale(R, carom_add(carom_scale(cos(angle), u), carom_scale(sin(angle), v)));
}

// What n.c may fall by over the arc about c = middle + arm of a circle of radius R.
static double fall_along(double R, caromVec3 arm, caromVec3 tangent, caromVec3 n, double half)
{
    return half*fabs(carom_dot(n, tangent)) + 0.5*half*half*fmin(R, fmax(0.0, carom_dot(n, arm)));
}

static ArcsSample sample_of(const RingMotion *m, const Arcs *arcs)
{
    const double quarter = 0.5*CAROM_PI;
    const caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    caromVec3 arm = circle_point(m->R, m->u, m->v, arcs->at[0]), c = carom_add(m->o, arm), n;
    caromVec3 tangent = circle_point(m->R, m->u, m->v, arcs->at[0] + quarter);
    ArcsSample s = { 0 };
    if (m->R_B > 0.0) {
        caromVec3 other = circle_point(m->R_B, x, y, arcs->at[1]), between = carom_sub(c, other);
        s.d = carom_norm(between);
        n = carom_unit_or(between, carom_vec(0, 0, 1));
        s.d_lost = fall_along(m->R_B, carom_neg(other), circle_point(m->R_B, x, y, arcs->at[1] + quarter), n,
                              arcs->half[1]);
    } else {
        s.d = carom_narrow_point(m->b, c, &n);
    }
    s.d_lost += fall_along(m->R, arm, tangent, n, arcs->half[0]);
    caromVec3 v = carom_add(m->rate, carom_cross(m->w, arm));
    double way = m->R*arcs->half[0], turned = carom_norm(m->w)*way;
    s.rate = carom_dot(n, v);
    s.rate_lost = turned + (carom_norm(v) + turned)*fmin(2.0, (way + m->R_B*arcs->half[1])/m->nearest);
    return s;
}

// The root of d - touch + rate t - A t^2/2, without cancellation.
static double time_of(const RingMotion *m, double d, double rate)
{
    double room = fmax(d, m->nearest) - m->touch, root = sqrt(rate*rate + 2.0*m->acceleration*fmax(room, 0.0));
    if (!(room > 0.0)) return 0.0;
    if (rate < 0.0) return 2.0*room/(root - rate);
    return m->acceleration > 0.0 ? (rate + root)/m->acceleration : (double)INFINITY;
}

static void halve(const RingMotion *m, const Arcs *arcs, Arcs parts[2])
{
    int k = m->R_B*arcs->half[1] > m->R*arcs->half[0] ? 1 : 0;
    parts[0] = parts[1] = *arcs;
    for (int i = 0; i < 2; i++) {
        parts[i].half[k] = 0.5*arcs->half[k];
        parts[i].at[k] += (i == 0 ? -1.0 : 1.0)*parts[i].half[k];
    }
}

// The least over all arcs. Halves that are not looked at any more count with what is certain of them.
static double least_time(const RingMotion *m, Arcs whole)
{
    Arcs stack[CAROM_SWEEP_ARCS_DEPTH + 1] = { whole };
    double least = m->end, shortest = INFINITY;
    for (int n = 1, asked = 0; n > 0; asked++) {
        Arcs arcs = stack[--n];
        ArcsSample s = sample_of(m, &arcs);
        shortest = fmin(shortest, time_of(m, s.d, s.rate));
        double time = time_of(m, s.d - s.d_lost, s.rate - s.rate_lost);
        if (time >= fmin(m->end, CAROM_SWEEP_ARCS_TIGHT*shortest) || n == CAROM_SWEEP_ARCS_DEPTH - 1 ||
            asked >= CAROM_SWEEP_ARCS_MAX) {
            least = fmin(least, time);
            continue;
        }
        halve(m, &arcs, stack + n);
        n += 2;
    }
    return least;
}

static RingMotion motion_of(const caromClearMotion *motion, const int shape[2], double dt)
{
    const caromModelShape *a = &motion->model->shapes[shape[0]], *b = &motion->model->shapes[shape[1]];
    const caromKin *kin = motion->kin;
    caromPose X_A = kin->X_WS[shape[0]], X_B = kin->X_WS[shape[1]];
    double way = dt < 0.0 ? -1.0 : 1.0;
    caromVec3 v = carom_sweep_clear_velocity(kin, a->body, b->body, X_A.p),
              w = carom_sub(kin->V_WC[a->body].angular, kin->V_WC[b->body].angular);
    RingMotion m = { .b = &b->shape, .R = a->shape.size.x, .end = fabs(dt),
                     .o = carom_pose_inverse_point(X_B, X_A.p), .u = carom_tmul(X_B.R, X_A.R.cx),
                     .v = carom_tmul(X_B.R, X_A.R.cy), .rate = carom_tmul(X_B.R, carom_scale(way, v)),
                     .w = carom_tmul(X_B.R, carom_scale(way, w)) };
    if (b->shape.kind == CAROM_TORUS) m.R_B = b->shape.size.x;
    double lever = carom_norm(carom_sub(X_A.p, kin->p_WC[a->body])) + m.R;
    m.acceleration = carom_sweep_clear_acceleration(&motion->bounds[a->body], lever) +
                     carom_sweep_clear_frame_acceleration(motion->model, kin, motion->bounds, shape[1], shape[0], dt);
    return m;
}

static bool is_near_enough(RingMotion *m, const caromClearMotion *motion, int torus, const caromClearNear *near)
{
    double tubes = motion->model->shapes[torus].shape.size.y + (m->R_B > 0.0 ? m->b->size.y : 0.0);
    m->nearest = near->g + tubes;
    m->touch = tubes - near->margin;
    return m->nearest > 0.0;
}

double carom_sweep_clear_ring(const caromClearMotion *motion, const int shape[2], const caromClearNear *near,
                              double dt)
{
    RingMotion m = motion_of(motion, shape, dt);
    if (!is_near_enough(&m, motion, shape[0], near)) return 0.0;
    caromVec3 p = carom_pose_inverse_point(motion->kin->X_WS[shape[1]], near->p), to_p = carom_sub(p, m.o);
    bool is_ring = m.R_B > 0.0;
    double at = atan2(carom_dot(to_p, m.v), carom_dot(to_p, m.u));
    return least_time(&m, (Arcs){ { at, is_ring ? atan2(p.y, p.x) : 0.0 }, { CAROM_PI, is_ring ? CAROM_PI : 0.0 } });
}

double carom_sweep_clear_arc(const caromClearMotion *motion, const int shape[2], const caromClearArc *arc,
                             const caromClearNear *near, double dt)
{
    RingMotion m = motion_of(motion, shape, dt);
    m.b = arc->other;
    m.R_B = 0.0;
    if (!is_near_enough(&m, motion, shape[0], near)) return 0.0;
    return least_time(&m, (Arcs){ { arc->at, 0.0 }, { arc->half, 0.0 } });
}
