// The certificate of clear.c for shapes that are not convex: the least over pairs of their pieces, which need not lie
// on one side of a plane as wholes.
//
// A pair of pieces that is certified for as long as the shortest found so far is left out with all that is in it.
#include "sweep/bound.h"
#include "sweep/clear.h"
#include "sweep/hierarchy.h"

typedef struct ClearPair {
    int id[2];
    double time;     // apart until then
    caromVec3 n;     // direction that showed it
} ClearPair;

enum { STACK_MAX = 2*(CAROM_MESH_DEPTH_MAX + CAROM_PIECES_MAX), ARCS_MAX = 64 };

typedef struct Clear {
    const caromModel *model;
    const caromKin *kin;
    const caromMotionBound *bounds;
    int shape[2];               // the second may be a half-space
    bool has_plane;
    int torus;                  // which of both is one; -1: none
    double gap;                 // of the shapes, once it is asked for; NaN
    double way;                 // 1: towards the future, -1: the past
    double plane_acceleration;
    double end;                 // shortest time found so far, or all of it
    double level;
    ClearPair stack[STACK_MAX];
    int n;
} Clear;

static const caromShape *shape_of(const Clear *q, int i)
{
    return &q->model->shapes[q->shape[i]].shape;
}

// A ring is cut into 64 arcs at most: what is closer to it than their capsules is left to the arcs (clear_ring.c).
static void piece_of(const Clear *q, int i, int id, caromPiece *piece)
{
    if (i == 1 && q->has_plane) *piece = (caromPiece){ .is_leaf = true };
    else carom_sweep_piece(shape_of(q, i), id, piece);
    if (shape_of(q, i)->kind == CAROM_TORUS && id >= ARCS_MAX) piece->is_leaf = true;
}

static caromBoundSide side_of(const Clear *q, int i, const caromPiece *p, caromVec3 n)
{
    const caromModelShape *s = &q->model->shapes[q->shape[i]];
    int body = s->body, frame = q->has_plane ? q->model->shapes[q->shape[1]].body : -1;
    const caromPose *X = &q->kin->X_WS[q->shape[i]];
    caromMat3 R = carom_mat_mul(X->R, p->X_SP.R);
    caromVec3 c = carom_pose_point(*X, p->X_SP.p), w = q->kin->V_WC[body].angular;
    if (frame >= 0) w = carom_sub(w, q->kin->V_WC[frame].angular);
    double K = carom_sweep_clear_acceleration(&q->bounds[body], carom_norm(carom_sub(c, q->kin->p_WC[body])) +
                                              carom_sweep_core_reach(&p->core) + p->core.radius);
    caromVec3 v = carom_scale(q->way, carom_sweep_clear_velocity(q->kin, body, frame, c));
    caromMovingCore moving = { &p->core, &R, c, v, carom_scale(q->way, w), K };
    return carom_sweep_bound_side(&moving, n, i == 0);
}

static double clear_along(const Clear *q, const caromPiece *a, const caromPiece *b, caromVec3 n)
{
    caromBound bound = { .a = side_of(q, 0, a, n) };
    if (q->has_plane) {
        bound.b.centre = carom_dot(n, q->kin->X_WS[q->shape[1]].p);
        bound.b.acceleration = q->plane_acceleration;
    } else {
        bound.b = side_of(q, 1, b, n);
    }
    return carom_sweep_bound_clear(&bound, q->end, q->level, 0.0);
}

// Towards b. False: they overlap.
static bool direction_between(const Clear *q, caromPiece *a, caromPiece *b, caromVec3 *n)
{
    const caromPose *X_A = &q->kin->X_WS[q->shape[0]], *X_B = &q->kin->X_WS[q->shape[1]];
    if (!q->has_plane) return carom_sweep_pieces_direction(a, b, X_A, X_B, n);
    *n = carom_neg(X_B->R.cz);
    return true;
}

static caromClearPiece placed(const Clear *q, int i, const caromPiece *p)
{
    const caromPose *X = &q->kin->X_WS[q->shape[i]];
    return (caromClearPiece){ p->core, carom_mat_mul(X->R, p->X_SP.R), carom_pose_point(*X, p->X_SP.p),
                              q->model->shapes[q->shape[i]].body };
}

// Of leaves the gap is known exactly: along its direction, and along one that turns with what touches.
static double clear_by_gap(const Clear *q, caromPiece *a, caromPiece *b, caromVec3 *n)
{
    caromWarmStart warm = { { 0 } };
    caromGap gap = carom_sweep_pieces_gap(a, b, &q->kin->X_WS[q->shape[0]], &q->kin->X_WS[q->shape[1]], &warm);
    *n = gap.n_AB;
    if (!(gap.g > 0.0)) return 0.0;
    double time = clear_along(q, a, b, *n);
    if (time >= q->end) return time;
    const caromClearMotion motion = { q->model, q->kin, q->bounds };
    const caromClearPiece pieces[2] = { placed(q, 0, a), placed(q, 1, b) };
    return fmax(time, carom_sweep_clear_turning(&motion, pieces, &gap, q->way*q->end, q->level));
}

// An arc of a torus and a triangle: the capsule around the arc is too thick for what is near.
static double clear_arc(Clear *q, int arc, const caromPiece *other)
{
    const int shape[2] = { q->shape[q->torus], q->shape[!q->torus] };
    const caromClearMotion motion = { q->model, q->kin, q->bounds };
    if (isnan(q->gap))
        q->gap = carom_collide_shapes(*shape_of(q, 0), q->kin->X_WS[q->shape[0]], *shape_of(q, 1),
                                      q->kin->X_WS[q->shape[1]]).g;
    caromClearNear near = { .g = q->gap, .margin = -q->level };
    double half = CAROM_PI/ARCS_MAX;
    caromClearArc part = { (2*(arc - ARCS_MAX) + 1)*half, half, &other->shape };
    return carom_sweep_clear_arc(&motion, shape, &part, &near, q->way*q->end);
}

static double clear_leaves(Clear *q, const int id[2], caromPiece piece[2], caromVec3 *n)
{
    double time = clear_by_gap(q, &piece[0], &piece[1], n);
    if (time >= q->end || q->torus < 0) return time;
    return fmax(time, clear_arc(q, id[q->torus], &piece[!q->torus]));
}

// The direction of the pair it is part of shows it for most.
static bool is_certified(Clear *q, caromPiece piece[2], ClearPair *pair)
{
    caromPiece *a = &piece[0], *b = &piece[1];
    bool has_n = carom_norm2(pair->n) > 0.0 && !q->has_plane;
    if (has_n) pair->time = fmax(pair->time, clear_along(q, a, b, pair->n));
    if (pair->time >= q->end) return true;
    if (a->is_leaf && b->is_leaf && !q->has_plane)
        pair->time = fmax(pair->time, clear_leaves(q, pair->id, piece, &pair->n));
    else if (direction_between(q, a, b, &pair->n)) pair->time = fmax(pair->time, clear_along(q, a, b, pair->n));
    return pair->time >= q->end;
}

static void push_sorted(Clear *q, int first, ClearPair pair)
{
    int k = q->n++;
    for (; k > first && q->stack[k - 1].time < pair.time; k--) q->stack[k] = q->stack[k - 1];
    q->stack[k] = pair;
}

static void expand(Clear *q, const ClearPair *pair, caromPiece piece[2])
{
    int i = !piece[0].is_leaf && (piece[1].is_leaf || piece[0].size >= piece[1].size) ? 0 : 1,
        children[CAROM_PIECES_MAX], first = q->n;
    int n = carom_sweep_piece_children(shape_of(q, i), pair->id[i], children);
    for (int k = 0; k < n; k++) {
        ClearPair child = *pair;
        child.id[i] = children[k];
        piece_of(q, i, children[k], &piece[i]);
        if (is_certified(q, piece, &child)) continue;
        if (piece[0].is_leaf && piece[1].is_leaf) q->end = child.time;
        else push_sorted(q, first, child);
    }
}

double carom_sweep_clear_pieces(const caromModel *model, const caromKin *kin, const caromMotionBound *bounds, int pair,
                                double dt, double margin)
{
    const int *shape = model->pairs[pair].shape;
    bool swapped = !carom_shape_is_bounded(model->shapes[shape[0]].shape);
    Clear q = { .model = model, .kin = kin, .bounds = bounds, .torus = -1, .gap = (double)NAN,
                .shape = { shape[swapped ? 1 : 0], shape[swapped ? 0 : 1] }, .way = dt < 0.0 ? -1.0 : 1.0,
                .end = fabs(dt), .level = -margin, .n = 1 };
    q.has_plane = !carom_shape_is_bounded(*shape_of(&q, 1));
    for (int i = 0; i < 2; i++) if (shape_of(&q, i)->kind == CAROM_TORUS && !q.has_plane) q.torus = i;
    if (q.has_plane)
        q.plane_acceleration = carom_sweep_clear_frame_acceleration(model, kin, bounds, q.shape[1], q.shape[0], dt);
    q.stack[0] = (ClearPair){ .id = { carom_sweep_piece_root(shape_of(&q, 0)),
                                      q.has_plane ? 0 : carom_sweep_piece_root(shape_of(&q, 1)) } };
    while (q.n > 0 && q.end > 0.0) {
        ClearPair next = q.stack[--q.n];
        caromPiece piece[2];
        if (next.time >= q.end) continue;
        for (int i = 0; i < 2; i++) piece_of(&q, i, next.id[i], &piece[i]);
        expand(&q, &next, piece);
    }
    return q.end;
}
