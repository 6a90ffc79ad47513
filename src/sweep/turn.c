// How long two pieces stay apart along a direction that turns with what touches.
//
// Along a fixed n the far corners of a face that turns come forward at once, and the bound of bound.h falls faster than
// the gap. So n(s) turns too: with the face; or with two edges, to both of which it stays square. With angular velocity
// W of n, and a, b material points of A and B,
//
//     n(s).(y - x) = n.(b - a) + n.(y - b) - n.(x - a),     d/ds n.(x - a) = n.(u x (x - a)),  u = w_A - W
//     d2/ds2 n.(x - a) = n.(u x (u x r) + (u x W) x r),     r = x - a
//     d2/ds2 n.(b - a) = n''.(b - a) + 2 n'.(b - a)' + n.(b - a)''
//
// which gives the same kind of bound. For a face W = w and u = 0: nothing comes forward. Its slope is that at which
// a and b, the nearest points, close in: what is left after a step is of second order, where along a fixed n it
// would be a part of the gap.
#include "narrow/convex.h"
#include "sweep/scales.h"
#include "sweep/sweep.h"

// The flat piece that a core ends in along the unit vector d: 0 a point, 1 an edge, 2 a face. Extreme points along
// directions that lean over a little.
static int flat_end(const caromCore *core, caromVec3 d, caromVec3 *edge)
{
    const double lean = CAROM_SWEEP_LEAN, small = CAROM_SWEEP_FLAT*carom_sweep_core_reach(core);
    caromVec3 t1, t2, x[4];
    carom_narrow_tangents(d, &t1, &t2);
    x[0] = carom_shape_core_support(core, carom_axpy(lean, t1, d));
    x[1] = carom_shape_core_support(core, carom_axpy(-lean, t1, d));
    x[2] = carom_shape_core_support(core, carom_axpy(lean, t2, d));
    x[3] = carom_shape_core_support(core, carom_axpy(-lean, t2, d));
    double longest = 0.0, widest = 0.0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            caromVec3 e = carom_sub(x[j], x[i]);
            if (carom_norm2(e) > longest) longest = carom_norm2(e), *edge = e;
        }
    if (!(longest > small*small)) return 0;
    for (int i = 1; i < 4; i++) widest = fmax(widest, carom_norm2(carom_cross(carom_sub(x[i], x[0]), *edge)));
    return widest > small*small*longest ? 2 : 1;
}

caromFlatEnd carom_sweep_flat_end(const caromCore *core, const caromMat3 *R, caromVec3 towards, caromVec3 w)
{
    caromFlatEnd end = { .w = w };
    end.rank = flat_end(core, carom_tmul(*R, towards), &end.edge);
    end.edge = carom_mul(*R, end.edge);
    return end;
}

typedef struct Body {  // a piece at an instant
    caromMat3 R;
    caromVec3 c, r;        // centre; its lever from the origin of the whole
    double spin;           // the part of its angular velocity about its own axis, of what is round
    caromVec3 at, v;       // witness point and its velocity
    double acceleration;   // of that point
    caromFlatEnd end;      // w there is without the spin
} Body;

static Body body_of(const caromPiece *p, const caromMover *m, const caromPose *X, caromVec3 at, caromVec3 towards)
{
    Body b = { .R = carom_mat_mul(X->R, p->X_SP.R), .r = carom_mul(X->R, p->X_SP.p), .at = at };
    b.c = carom_add(X->p, b.r);
    caromVec3 w = carom_sweep_spin(p, &b.R, b.r, m->w, &b.spin), lever = carom_sub(at, X->p);
    b.v = carom_add(m->v, carom_cross(w, lever));
    double speed = carom_norm(w);
    b.acceleration = fabs(b.spin) > 0.0 ? speed*(fabs(b.spin) + speed)*carom_norm(lever)
                                        : speed*carom_norm(carom_cross(w, lever));
    b.end = carom_sweep_flat_end(&p->core, &b.R, towards, w);
    return b;
}

bool carom_sweep_turning_of(const caromFlatEnd *a, const caromFlatEnd *b, caromVec3 n, caromVec3 *W)
{
    const caromFlatEnd *face = a->rank == 2 ? a : b->rank == 2 ? b : NULL, *edge = a->rank == 1 ? a : b;
    if (face) {
        *W = face->w;
        return true;
    }
    if (edge->rank == 0) return false;
    caromVec3 t1, t2, rate_a = carom_cross(a->w, n), rate_b = carom_cross(b->w, n), rate = edge == a ? rate_a : rate_b;
    carom_narrow_tangents(n, &t1, &t2);
    double ax = carom_dot(a->edge, t1), ay = carom_dot(a->edge, t2), bx = carom_dot(b->edge, t1),
           by = carom_dot(b->edge, t2);
    double det = ax*by - ay*bx, x = 0.0, y = 0.0;
    if (a->rank == 1 && b->rank == 1 && det*det > CAROM_SWEEP_CROSSING2*(ax*ax + ay*ay)*(bx*bx + by*by)) {
        double p = carom_dot(a->edge, rate_a), q = carom_dot(b->edge, rate_b);
        x = (p*by - q*ay)/det;
        y = (ax*q - bx*p)/det;
    } else {
        double ex = carom_dot(edge->edge, t1), ey = carom_dot(edge->edge, t2),
               s = carom_dot(edge->edge, rate)/(ex*ex + ey*ey);
        x = s*ex;
        y = s*ey;
    }
    *W = carom_cross(n, carom_add(carom_scale(x, t1), carom_scale(y, t2)));
    return true;
}

// Of points of the piece seen from its witness point, against a direction that turns with W.
static caromBoundSide side_of(const caromPiece *p, const Body *b, caromVec3 n, caromVec3 W, bool is_a)
{
    caromVec3 u = carom_sub(b->end.w, W), local = carom_tmul(b->R, carom_sub(b->at, b->c));
    caromMovingCore moving = { &p->core, &b->R, b->c, b->v, u, 0.0 };
    caromBoundSide side = carom_sweep_bound_side(&moving, n, is_a);
    side.rate += (is_a ? -1.0 : 1.0)*carom_dot(side.m_rate, local);
    double lever = carom_sweep_core_reach(&p->core) + carom_norm(local), speed = carom_norm(W),
           turn = carom_norm(b->end.w);
    side.acceleration = lever*(carom_norm2(u) + carom_norm(carom_cross(u, W)));
    if (fabs(b->spin) > 0.0) side.acceleration = lever*(speed*speed + 2.0*speed*turn + turn*(fabs(b->spin) + turn));
    return side;
}

double carom_sweep_is_clear_turning(const caromSwept *s, const caromSweptPair *pair, const caromGap *gap, double level)
{
    caromVec3 n = gap->n_AB, W;
    Body A = body_of(pair->a, &s->A, &pair->X_A, gap->p_A, n),
         B = body_of(pair->b, &s->B, &pair->X_B, gap->p_B, carom_neg(n));
    if (!carom_sweep_turning_of(&A.end, &B.end, n, &W)) return 0.0;
    caromVec3 D = carom_sub(B.at, A.at), D_rate = carom_sub(B.v, A.v);
    double speed = carom_norm(W), closing = -carom_dot(n, D_rate), end = s->end - pair->t,
           acceleration = A.acceleration + B.acceleration;
    if (speed > 0.0) end = fmin(end, CAROM_SWEEP_TURN/speed);
    if (closing > 0.0) end = fmin(end, CAROM_SWEEP_AHEAD*gap->g/closing);
    caromBound bound = { side_of(pair->a, &A, n, W, true), side_of(pair->b, &B, n, W, false) };
    bound.b.rate += carom_dot(carom_cross(W, n), D);
    double fastest = carom_norm(D_rate) + acceleration*end, farthest = carom_norm(D) + fastest*end;
    bound.b.acceleration += speed*speed*farthest + 2.0*speed*fastest + acceleration;
    return carom_sweep_bound_clear(&bound, end, level, s->slack);
}
