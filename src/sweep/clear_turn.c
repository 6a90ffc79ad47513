// The certificate of clear.c along a direction that turns with what touches.
//
// Along a fixed n the far corners of a face that turns come forward at once: the bound falls by their speed, however
// fast the nearest points part, and two boxes 1e-14 m apart are certified for 1e-14 s. So n(s) turns as in turn.c, with
// a constant angular velocity W: with the face, or square to two edges. Any W gives a bound. With a and b material
// points of A and B, D = b - a, and x any other of A, r = x - a, u = w_A - W:
//
//     n.(y - x) = n.D + n.(y - b) - n.(x - a)
//     d/ds   n.r = n.(u x r)         d2/ds2 n.r = n.((w_A' - W x u) x r + u x (u x r))
//     d/ds   n.D = n.D' + n'.D       d2/ds2 n.D = n''.D + 2 n'.D' + n.D''
//
// Accelerations are bounded over the step, so |u| <= |u0| + |w'| T within the time T, likewise |D'| and |D|; what is
// left is L(s) of bound.h. Its slope at 0 is the rate of the nearest points, or of the corner of a face that comes
// forward fastest: a pair that parts at the rate v is clear for 2 v/K and more.
#include "sweep/bound.h"
#include "sweep/clear.h"
#include "sweep/hierarchy.h"
#include "sweep/scales.h"

typedef struct Turner {       // a piece, in the direction of time that is asked for
    const caromClearPiece *piece;
    const caromMotionBound *bound;
    caromVec3 at, v;          // witness point, and its velocity
    double acceleration;      // bound of that point's
    caromFlatEnd end;
} Turner;

static Turner turner_of(const caromClearMotion *motion, const caromClearPiece *p, caromVec3 at, caromVec3 towards,
                        double way)
{
    const caromKin *kin = motion->kin;
    Turner t = { .piece = p, .bound = &motion->bounds[p->body], .at = at };
    t.v = carom_scale(way, carom_kin_point_velocity(kin, p->body, at));
    t.acceleration = carom_sweep_clear_acceleration(t.bound, carom_norm(carom_sub(at, kin->p_WC[p->body])));
    t.end = carom_sweep_flat_end(&p->core, &p->R, towards, carom_scale(way, kin->V_WC[p->body].angular));
    return t;
}

// Points of the piece seen from its witness point. d: towards the other piece.
static caromBoundSide side_of(const Turner *t, caromVec3 d, caromVec3 W, double T)
{
    const caromClearPiece *p = t->piece;
    caromVec3 u = carom_sub(t->end.w, W), local = carom_tmul(p->R, carom_sub(t->at, p->c));
    caromBoundSide side = { .core = p->core, .m = carom_tmul(p->R, d), .m_rate = carom_tmul(p->R, carom_cross(d, u)) };
    double alpha = t->bound->angular_acceleration, fastest = carom_norm(u) + alpha*T,
           lever = carom_sweep_core_reach(&p->core) + carom_norm(local);
    side.core.radius = 0.0;
    side.centre = p->core.radius - carom_dot(side.m, local);
    side.rate = -carom_dot(side.m_rate, local);
    side.acceleration = lever*(alpha + fastest*(carom_norm(W) + fastest));
    return side;
}

static caromBoundSide against(caromBoundSide side)  // of B, whose extent counts the other way
{
    side.centre = -side.centre;
    side.rate = -side.rate;
    return side;
}

double carom_sweep_clear_turning(const caromClearMotion *motion, const caromClearPiece piece[2], const caromGap *gap,
                                 double dt, double level)
{
    caromVec3 n = gap->n_AB, W;
    double way = dt < 0.0 ? -1.0 : 1.0, T = fabs(dt);
    Turner A = turner_of(motion, &piece[0], gap->p_A, n, way),
           B = turner_of(motion, &piece[1], gap->p_B, carom_neg(n), way);
    if (!carom_sweep_turning_of(&A.end, &B.end, n, &W)) return 0.0;
    double speed = carom_norm(W);
    if (speed > 0.0) T = fmin(T, CAROM_SWEEP_TURN/speed);
    caromVec3 D = carom_sub(B.at, A.at), D_rate = carom_sub(B.v, A.v);
    caromBound bound = { side_of(&A, n, W, T), against(side_of(&B, carom_neg(n), W, T)) };
    double acceleration = A.acceleration + B.acceleration, fastest = carom_norm(D_rate) + acceleration*T,
           farthest = carom_norm(D) + fastest*T;
    bound.b.centre += carom_dot(n, D);
    bound.b.rate += carom_dot(n, D_rate) + carom_dot(carom_cross(W, n), D);
    bound.b.acceleration += acceleration + speed*(speed*farthest + 2.0*fastest);
    return carom_sweep_bound_clear(&bound, T, level, 0.0);
}
