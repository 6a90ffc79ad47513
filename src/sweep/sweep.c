// The first instant at which two moving shapes touch.
//
// Convex pieces: from a state that is apart along n, the bound L of bound.h shows for how long it stays so; from there
// on with the n of then. Without turning L is a straight line that touches the gap, which is convex in time: Newton's
// method, from the side from which it never goes too far. With turning L is a parabola, still from the safe side, and
// what is left of the gap after a step is of second order in the step.
#include "narrow/closed.h"
#include "sweep/scales.h"
#include "sweep/sweep.h"

caromPose carom_sweep_mover_at(const caromMover *m, double t)
{
    caromPose X = carom_pose(m->X.R, carom_axpy(t, m->v, m->X.p));
    if (m->speed > 0.0) X.R = carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(m->axis, m->speed*t)), X.R);
    return X;
}

// ---- how far material points get from a straight path

// Largest distance of a point of the core from a line along k through its origin.
static double lever_about(const caromCore *c, caromVec3 k)
{
    double lever = 0.0, along = sqrt(fmax(0.0, 1.0 - k.z*k.z));
    switch (c->kind) {
    case CAROM_CORE_BOX:
        lever = c->h.x*sqrt(fmax(0.0, 1.0 - k.x*k.x)) + c->h.y*sqrt(fmax(0.0, 1.0 - k.y*k.y)) + c->h.z*along;
        return fmin(lever, carom_norm(c->h));
    case CAROM_CORE_HULL:
        if (c->hull->nvertex > CAROM_SCAN_MAX) return c->hull->reach;
        for (int v = 0; v < c->hull->nvertex; v++)
            lever = fmax(lever, carom_norm2(carom_cross(k, c->hull->vertices[v])));
        return sqrt(lever);
    case CAROM_CORE_FRUSTUM: return fmax(c->r0 + along*fabs(c->z0), c->r1 + along*fabs(c->z1));
    default: return fmax(c->h.x, fmax(c->h.y, c->h.z));
    }
}

// Is the core round about an axis of its frame?
static bool axis_of_revolution(const caromCore *c, const caromMat3 *R, caromVec3 *axis)
{
    bool is_round = c->kind == CAROM_CORE_ELLIPSOID, is_box = c->kind == CAROM_CORE_BOX;
    if (c->kind == CAROM_CORE_FRUSTUM || (is_round && c->h.x == c->h.y) || (is_box && c->h.x == 0.0 && c->h.y == 0.0))
        *axis = R->cz;
    else if ((is_round && c->h.x == c->h.z) || (is_box && c->h.x == 0.0 && c->h.z == 0.0)) *axis = R->cy;
    else if ((is_round && c->h.y == c->h.z) || (is_box && c->h.y == 0.0 && c->h.z == 0.0)) *axis = R->cx;
    else return false;
    return true;
}

caromVec3 carom_sweep_spin(const caromPiece *p, const caromMat3 *R, caromVec3 r, caromVec3 w, double *spin)
{
    caromVec3 axis;
    *spin = 0.0;
    if (r.x != 0.0 || r.y != 0.0 || r.z != 0.0 || !axis_of_revolution(&p->core, R, &axis)) return w;
    *spin = carom_dot(w, axis);
    return carom_axpy(-*spin, axis, w);
}

// A point turns on a circle about w: along n its acceleration is at most |w||w x n| times its distance from the axis.
// What is round about an axis a through its origin looks the same without the part of w along a, w = sigma a + u:
// points that turn with u instead have accelerations sigma (a x u) x y + u x (u x y).
static double acceleration_along(const caromPiece *p, const caromMat3 *R, caromVec3 r, const caromMover *m, caromVec3 n,
                                 caromVec3 *w)
{
    *w = m->w;
    if (!(m->speed > 0.0)) return 0.0;
    double lever = lever_about(&p->core, carom_tmul(*R, m->axis)),
           K = m->speed*carom_norm(carom_cross(m->w, n))*(carom_norm(carom_cross(m->axis, r)) + lever), sigma;
    caromVec3 u = carom_sweep_spin(p, R, r, m->w, &sigma);
    if (sigma == 0.0) return K;
    double across = carom_norm(u), K_round = across*(fabs(sigma) + across)*carom_sweep_core_reach(&p->core);
    if (!(K_round < K)) return K;
    *w = u;
    return K_round;
}

static caromBoundSide side_of(const caromPiece *p, const caromMover *m, const caromPose *X, caromVec3 n, bool is_a)
{
    caromMat3 R = carom_mat_mul(X->R, p->X_SP.R);
    caromVec3 r = carom_mul(X->R, p->X_SP.p), w;
    double K = acceleration_along(p, &R, r, m, n, &w);
    caromMovingCore moving = { &p->core, &R, carom_add(X->p, r), carom_add(m->v, carom_cross(m->w, r)), w, K };
    return carom_sweep_bound_side(&moving, n, is_a);
}

// Along the normal of a half-space B, which turns with it: n(s).(p_B - x) for a point x of A, with the second
// derivative
//
//     n''.(p_B - x) + 2 n'.(v_B - v_x) - n.x'',   |n'| <= |w_B|, |n''| <= |w_B|^2
static caromBound bound_to_plane(const caromSwept *s, const caromSweptPair *pair, caromVec3 n, double end)
{
    const caromPiece *a = pair->a;
    const caromPose *X_A = &pair->X_A, *X_B = &pair->X_B;
    caromBound bound = { .a = side_of(a, &s->A, X_A, n, true) };
    bound.b.centre = carom_dot(n, X_B->p);
    bound.b.rate = carom_dot(n, s->B.v);
    if (!(s->B.speed > 0.0)) return bound;
    caromMat3 R = carom_mat_mul(X_A->R, a->X_SP.R);
    caromVec3 c = carom_pose_point(*X_A, a->X_SP.p);
    double w = s->B.speed, reach = carom_norm(a->X_SP.p) + carom_sweep_core_reach(&a->core) + a->core.radius;
    double distance = carom_norm(carom_sub(X_B->p, X_A->p)) + reach + carom_norm(s->B.v)*end,
           speed = carom_norm(s->B.v) + s->A.speed*reach;
    bound.a.m_rate = carom_tmul(R, carom_cross(n, carom_sub(s->A.w, s->B.w)));
    bound.b.rate += carom_dot(carom_cross(s->B.w, n), carom_sub(X_B->p, c));
    bound.a.acceleration = s->A.speed*s->A.speed*reach;
    bound.b.acceleration = w*w*distance + 2.0*w*speed;
    return bound;
}

double carom_sweep_is_clear(const caromSwept *s, const caromSweptPair *pair, caromVec3 n, double level)
{
    double end = s->end - pair->t;
    if (s->b->kind == CAROM_HALF_SPACE) {
        if (s->B.speed > 0.0) end = fmin(end, CAROM_SWEEP_TURN_PLANE/s->B.speed);
        caromBound bound = bound_to_plane(s, pair, n, end);
        return carom_sweep_bound_clear(&bound, end, level, s->slack);
    }
    caromBound bound = { side_of(pair->a, &s->A, &pair->X_A, n, true), side_of(pair->b, &s->B, &pair->X_B, n, false) };
    return carom_sweep_bound_clear(&bound, end, level, s->slack);
}

// ---- two pieces

caromSweptPair carom_sweep_pair(const caromSwept *s, caromPiece *a, caromPiece *b, double t)
{
    return (caromSweptPair){ a, b, carom_sweep_mover_at(&s->A, t), carom_sweep_mover_at(&s->B, t), t };
}

static caromGap pieces_gap(const caromSwept *s, const caromSweptPair *p, caromWarmStart *warm)
{
    if (s->b->kind == CAROM_HALF_SPACE)
        return carom_gap_half_space(&p->a->shape, carom_pose_mul(p->X_A, p->a->X_SP), p->X_B);
    return carom_sweep_pieces_gap(p->a, p->b, &p->X_A, &p->X_B, warm);
}

static caromVec3 moved_point(const caromMover *m, double t1, double t2, caromVec3 p)
{
    return carom_pose_point(carom_sweep_mover_at(m, t2), carom_pose_inverse_point(carom_sweep_mover_at(m, t1), p));
}

caromGap carom_sweep_moved(const caromSwept *s, caromGap gap, double t1, double t2)
{
    if (t2 == t1) return gap;
    caromVec3 p_A = moved_point(&s->A, t1, t2, gap.p_A),
              p_B = s->b->kind == CAROM_HALF_SPACE ? gap.p_B : moved_point(&s->B, t1, t2, gap.p_B);
    if (s->b->kind == CAROM_HALF_SPACE)
        p_B = carom_axpy(carom_dot(gap.n_AB, carom_sub(carom_axpy(t2, s->B.v, s->B.X.p), p_A)), gap.n_AB, p_A);
    double g = carom_dot(gap.n_AB, carom_sub(p_B, p_A));
    caromVec3 middle = carom_scale(0.5, carom_add(p_A, p_B));
    gap.g = g;
    gap.p_A = carom_axpy(-0.5*g, gap.n_AB, middle);
    gap.p_B = carom_axpy(0.5*g, gap.n_AB, middle);
    return gap;
}

static void take(caromSwept *s, double t, caromGap gap)
{
    s->end = t;
    s->hit = true;
    s->gap = gap;
}

// Along a fixed direction, and where that falls short of what the nearest points close in by, along one that turns.
static double certified(const caromSwept *s, const caromSweptPair *pair, const caromGap *gap, double level)
{
    double step = carom_sweep_is_clear(s, pair, gap->n_AB, level);
    if (!s->turns || s->b->kind == CAROM_HALF_SPACE || pair->t + step >= s->end) return step;
    caromVec3 v_A = carom_cross(s->A.w, carom_sub(gap->p_A, pair->X_A.p));
    caromVec3 v_B = carom_add(s->B.v, carom_cross(s->B.w, carom_sub(gap->p_B, pair->X_B.p)));
    double closing = carom_dot(gap->n_AB, carom_sub(v_A, v_B));
    if (closing*step > CAROM_SWEEP_CLOSING*gap->g) return step;
    return fmax(step, carom_sweep_is_clear_turning(s, pair, gap, level));
}

enum { STEPS_MAX = 100000 };  // some hundred for each turn of a body close to another

void carom_sweep_pieces(caromSwept *s, caromPiece *a, caromPiece *b, double t)
{
    caromWarmStart warm = { { 0 } };
    for (int i = 0; i < STEPS_MAX; i++) {
        caromSweptPair pair = carom_sweep_pair(s, a, b, t);
        caromGap gap = pieces_gap(s, &pair, &warm);
        bool is_near = !(gap.g > 2.0*s->near);
        if (!(gap.g > (t > 0.0 ? 0.0 : s->slack))) {
            take(s, t, gap);
            return;
        }
        double step = certified(s, &pair, &gap, is_near ? 0.0 : s->near);
        if (t + step >= s->end) return;
        // Near, this is the last step: nothing is left of the gap but its square. Else a step that does not
        // count any more is the end.
        if (is_near || t + step <= t) {
            take(s, t + step, carom_sweep_moved(s, gap, t, t + step));
            return;
        }
        t += step;
    }
    caromSweptPair pair = carom_sweep_pair(s, a, b, t);
    take(s, t, pieces_gap(s, &pair, &warm));
}

// ---- all together

static caromMover mover(caromMat3 R, caromVec3 p, caromVec3 v, caromVec3 w)
{
    double speed = carom_norm(w);
    return (caromMover){ .X = carom_pose(R, p), .v = v, .w = w, .speed = speed,
                         .axis = speed > 0.0 ? carom_scale(1.0/speed, w) : carom_vec(0, 0, 1) };
}

// The span of time in which the bounding spheres touch. |d + v t| = r: the distance of the line from the centre is that
// of d x v, which loses no digits when they come from far.
static bool spheres_touch(caromVec3 d, caromVec3 v, double r, double t_max, double *from, double *to)
{
    double speed = carom_norm(v), distance = carom_norm(d);
    *from = 0.0;
    *to = t_max;
    if (!(speed > 0.0)) return distance <= r;
    double past = carom_norm(carom_cross(d, v))/speed, half = sqrt(fmax(0.0, (r - past)*(r + past))),
           middle = -carom_dot(d, v)/speed;
    double rounding = carom_narrow_roundings(distance + r);
    if (past > r + rounding) return false;
    half += rounding;
    *from = fmax(0.0, (middle - half)/speed);
    *to = fmin(t_max, (middle + half)/speed);
    return *from <= *to;
}

static const caromSweep nothing = { .t = INFINITY, .gap = { .g = INFINITY, .n_AB = { 0, 0, 1 } } };

static caromSweep undefined(double g)
{
    return (caromSweep){ .t = INFINITY, .gap = carom_gap_undefined(g) };
}

static bool is_whole(const caromShape *a, const caromShape *b)
{
    return carom_shape_is_convex(*a) || (a->kind == CAROM_TORUS && b->kind == CAROM_HALF_SPACE);
}

static void sweep_whole(caromSwept *s)
{
    caromPiece a, b;
    carom_sweep_piece(s->a, carom_sweep_piece_root(s->a), &a);
    if (s->b->kind != CAROM_HALF_SPACE) carom_sweep_piece(s->b, carom_sweep_piece_root(s->b), &b);
    carom_sweep_pieces(s, &a, &b, 0.0);
}

// a and b in order of their kinds.
static caromSweep ordered_sweep(const caromMoving *moving_a, const caromMoving *moving_b, double t_max)
{
    const caromShape *a = &moving_a->shape, *b = &moving_b->shape;
    const caromPose *X_WA = &moving_a->X_WS, *X_WB = &moving_b->X_WS;
    const caromSpatial *V_WA = &moving_a->V_WS, *V_WB = &moving_b->V_WS;
    caromVec3 d = carom_sub(X_WB->p, X_WA->p), v = carom_sub(V_WB->linear, V_WA->linear);
    bool is_plane = b->kind == CAROM_HALF_SPACE;
    double from = 0.0, r = carom_shape_radius(*a) + (is_plane ? 0.0 : carom_shape_radius(*b)), to = t_max;
    if (!is_plane && !spheres_touch(d, v, r*(1.0 + CAROM_SWEEP_AROUND), t_max, &from, &to)) return nothing;
    caromSwept s = { .a = a, .b = b, .A = mover(X_WA->R, carom_vec(0, 0, 0), carom_vec(0, 0, 0), V_WA->angular),
                     .B = mover(X_WB->R, d, v, V_WB->angular) };
    s.A.X = carom_sweep_mover_at(&s.A, from);
    s.B.X = carom_sweep_mover_at(&s.B, from);
    s.may_overlap = from == 0.0;
    s.turns = s.A.speed > 0.0 || s.B.speed > 0.0;
    s.scale = r + carom_norm(s.B.X.p);
    s.slack = carom_narrow_roundings(0.5*s.scale);
    s.near = s.turns ? CAROM_SWEEP_NEAR*s.scale : 4.0*s.slack;
    s.end = to - from;
    if (!is_whole(a, b) || !is_whole(b, a)) carom_sweep_trees(&s);
    else sweep_whole(&s);
    if (!s.hit) return nothing;
    if (s.gap.status == CAROM_GAP_UNDEFINED) return undefined((double)NAN);
    caromSweep sweep = { true, from + s.end, s.gap };
    caromVec3 home = carom_axpy(sweep.t, V_WA->linear, X_WA->p);
    sweep.gap.p_A = carom_add(home, s.gap.p_A);
    sweep.gap.p_B = carom_add(home, s.gap.p_B);
    sweep.gap.error = fmax(sweep.gap.error, s.slack);
    return sweep;
}

static bool is_defined(const caromMoving *m)
{
    bool has_velocity = carom_is_finite3(m->V_WS.angular) && carom_is_finite3(m->V_WS.linear);
    return has_velocity && carom_narrow_shape_is_usable(&m->shape) && carom_narrow_pose_is_finite(&m->X_WS);
}

caromSweep carom_sweep_shapes(caromMoving a, caromMoving b, double t_max)
{
    if (!is_defined(&a) || !is_defined(&b) || !(t_max >= 0.0)) return undefined((double)NAN);
    if (!carom_narrow_is_pose(&a.X_WS) || !carom_narrow_is_pose(&b.X_WS))
        return (caromSweep){ .t = INFINITY, .gap = carom_gap_refused(&a.shape, &a.X_WS, &b.shape, &b.X_WS) };
    if (a.shape.kind == CAROM_HALF_SPACE && b.shape.kind == CAROM_HALF_SPACE) return undefined(-(double)INFINITY);
    if (carom_narrow_pair_order(&a.shape, &a.X_WS, &b.shape, &b.X_WS) <= 0) return ordered_sweep(&a, &b, t_max);
    caromSweep sweep = ordered_sweep(&b, &a, t_max);
    sweep.gap = carom_gap_mirrored(sweep.gap);
    return sweep;
}
