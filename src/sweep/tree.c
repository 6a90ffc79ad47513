// The first touch of shapes that are not convex: branch and bound over pairs of pieces.
//
// A pair of pieces has a time before which it certainly does not touch; its children begin there. Pairs whose time is
// not before the best touch found are left out, and the one with the earliest time is looked at first. Boxes and
// triangles that slide without turning know their time exactly (slide.c), others get it by a few steps along directions
// between them (bound.h).
#include <stdint.h>

#include "sweep/scales.h"
#include "sweep/slide.h"
#include "sweep/sweep.h"

typedef struct SweepPair {
    int a, b;
    double t;        // apart until then
    caromVec3 n;     // direction that showed it
} SweepPair;

enum { STACK_MAX = 2*(CAROM_MESH_DEPTH_MAX + CAROM_PIECES_MAX), NODE_STEPS = 4 };

typedef struct SweepSearch {
    caromSwept *s;
    caromPose X_AB;      // at t = 0
    caromVec3 v_A;       // of B, in the frame of A
    bool slides;         // without turning
    int64_t budget;      // of pairs; only a ring runs out of it
    SweepPair stack[STACK_MAX];
    int n;
} SweepSearch;

// ---- bounds

static double slide_time(const SweepSearch *q, const caromPiece *a, const caromPiece *b, caromVec3 *axis)
{
    caromPose origin = carom_pose_identity();
    caromBlock A = carom_sweep_block(a, &origin), B = carom_sweep_block(b, &q->X_AB);
    double t = carom_sweep_slide(&A, &B, q->v_A, q->s->end, 0.5*q->s->slack, axis);
    *axis = carom_mul(q->s->A.X.R, carom_unit_or(*axis, carom_vec(0, 0, 1)));
    return t;
}

// A direction between two pieces that are apart; false: they overlap.
static bool direction_between(const SweepSearch *q, const caromSweptPair *p, caromVec3 *n)
{
    if (q->s->b->kind == CAROM_HALF_SPACE) {
        *n = carom_neg(p->X_B.R.cz);
        return true;
    }
    return carom_sweep_pieces_direction(p->a, p->b, &p->X_A, &p->X_B, n);
}

// From pair->t on, first along the direction that it has. Returns a time not after the first touch; infinite: not
// before the best.
static double pair_time(const SweepSearch *q, caromPiece *a, caromPiece *b, SweepPair *pair)
{
    const caromSwept *s = q->s;
    double t = pair->t;
    // That has none but its own, which turns with it.
    bool has_n = carom_norm2(pair->n) > 0.0 && s->b->kind != CAROM_HALF_SPACE;
    for (int i = 0; i < NODE_STEPS; i++) {
        caromSweptPair pieces = carom_sweep_pair(s, a, b, t);
        if ((i > 0 || !has_n) && !direction_between(q, &pieces, &pair->n)) break;
        double step = carom_sweep_is_clear(s, &pieces, pair->n, 0.0);
        t += step;
        if (t >= s->end) return (double)INFINITY;
        if ((i > 0 || !has_n) && step < CAROM_SWEEP_STALLS*(t - pair->t)) break;
    }
    return t;
}

// ---- the search

static void touch_blocks(SweepSearch *q, const caromPiece *a, const caromPiece *b, double t, caromVec3 n)
{
    caromSwept *s = q->s;
    caromPose X_B = carom_sweep_mover_at(&s->B, t), X_AB = carom_pose_relative(s->A.X, X_B),
              origin = carom_pose_identity();
    s->end = t;
    s->hit = true;
    s->gap = (caromGap){ .n_AB = n };
    if (!a->corners || !b->corners) return;
    caromBlock A = carom_sweep_block(a, &origin), B = carom_sweep_block(b, &X_AB);
    caromTriangleGap found = carom_narrow_triangles_gap(A.corners, a->vertices, B.corners, b->vertices);
    caromVec3 middle = carom_pose_point(s->A.X, carom_scale(0.5, carom_add(found.x, found.y)));
    s->gap.p_A = s->gap.p_B = middle;
}

// Works out the time of a pair of pieces; true: it is to be looked at further.
static bool consider(SweepSearch *q, caromPiece *a, caromPiece *b, SweepPair *pair)
{
    bool is_leaf = a->is_leaf && b->is_leaf, slides = q->slides && carom_sweep_piece_is_block(a) &&
                                                      carom_sweep_piece_is_block(b);
    if (slides) {
        pair->t = slide_time(q, a, b, &pair->n);
        if (!is_leaf || !(pair->t < q->s->end)) return pair->t < q->s->end;
        if (a->corners && b->corners) {
            touch_blocks(q, a, b, pair->t, pair->n);
            return false;
        }
        return true;
    }
    pair->t = pair_time(q, a, b, pair);
    return pair->t < q->s->end;
}

static void push_sorted(SweepSearch *q, int first, SweepPair pair)
{
    int k = q->n++;
    for (; k > first && q->stack[k - 1].t < pair.t; k--) q->stack[k] = q->stack[k - 1];
    q->stack[k] = pair;
}

static void expand(SweepSearch *q, const SweepPair *pair, caromPiece *a, caromPiece *b)
{
    bool of_a = !a->is_leaf && (b->is_leaf || a->size >= b->size);
    int children[CAROM_PIECES_MAX], first = q->n,
        n = carom_sweep_piece_children(of_a ? q->s->a : q->s->b, of_a ? pair->a : pair->b, children);
    for (int k = 0; k < n; k++) {
        SweepPair child = *pair;
        *(of_a ? &child.a : &child.b) = children[k];
        carom_sweep_piece(of_a ? q->s->a : q->s->b, children[k], of_a ? a : b);
        if (consider(q, a, b, &child)) push_sorted(q, first, child);
    }
}

static void piece_of(const caromSwept *s, bool is_a, int id, caromPiece *piece)
{
    if (is_a || s->b->kind != CAROM_HALF_SPACE) carom_sweep_piece(is_a ? s->a : s->b, id, piece);
    else *piece = (caromPiece){ .is_leaf = true };
}

static void search(SweepSearch *q)
{
    caromPiece a, b;
    while (q->n > 0 && q->budget-- > 0) {
        SweepPair pair = q->stack[--q->n];
        if (!(pair.t < q->s->end)) continue;
        piece_of(q->s, true, pair.a, &a);
        piece_of(q->s, false, pair.b, &b);
        if (a.is_leaf && b.is_leaf) carom_sweep_pieces(q->s, &a, &b, pair.t);
        else expand(q, &pair, &a, &b);
    }
}

// ---- a ring whose arcs are all alike

// No point of the one comes nearer to the other than their relative motion allows: g - s (|v| + |w_A| r_A + |w_B| r_B).
static void advance(caromSwept *s, double t)
{
    double speed = carom_norm(s->B.v) + s->A.speed*carom_shape_radius(*s->a) + s->B.speed*carom_shape_radius(*s->b);
    for (int i = 0; i < 10000 && t < s->end; i++) {
        caromGap gap = carom_collide_shapes(*s->a, carom_sweep_mover_at(&s->A, t), *s->b,
                                            carom_sweep_mover_at(&s->B, t));
        if (!(gap.g > 2.0*s->near)) {
            s->end = t, s->hit = true, s->gap = gap;
            return;
        }
        t += (gap.g - gap.error)/speed;
    }
    if (t < s->end)
        s->end = t, s->hit = true, s->gap = carom_collide_shapes(*s->a, carom_sweep_mover_at(&s->A, t), *s->b,
                                                                 carom_sweep_mover_at(&s->B, t));
}

static double earliest(const SweepSearch *q)
{
    double t = (double)INFINITY;
    for (int i = 0; i < q->n; i++) t = fmin(t, q->stack[i].t);
    return t;
}

// Two triangles by themselves may touch along many directions, of which the wholes have one: it is that of their gap a
// moment before. Kept only where the nearest points of then are those that touch.
static void take_direction_of_wholes(caromSwept *s)
{
    double speed = carom_norm(s->B.v) + s->A.speed*carom_shape_radius(*s->a) + s->B.speed*carom_shape_radius(*s->b);
    double before = fmax(0.0, s->end - CAROM_SWEEP_BEFORE*s->scale/speed);
    caromGap gap = carom_collide_shapes(*s->a, carom_sweep_mover_at(&s->A, before), *s->b,
                                        carom_sweep_mover_at(&s->B, before));
    if (!(gap.g > 0.0)) return;
    gap = carom_sweep_moved(s, gap, before, s->end);
    if (fabs(gap.g) <= CAROM_SWEEP_SAME*s->scale) s->gap = gap;
}

void carom_sweep_trees(caromSwept *s)
{
    caromGap start = s->may_overlap ? carom_collide_shapes(*s->a, s->A.X, *s->b, s->B.X) : (caromGap){ .g = 1.0 };
    if (!(start.g > 0.0)) {
        s->end = 0.0, s->hit = true, s->gap = start;
        return;
    }
    bool has_ring = s->a->kind == CAROM_TORUS || s->b->kind == CAROM_TORUS;
    SweepSearch q = { .s = s, .slides = !s->turns && s->b->kind != CAROM_HALF_SPACE,
                      .budget = has_ring ? 20000 : INT64_MAX, .n = 1 };
    q.X_AB = carom_pose_relative(s->A.X, s->B.X);
    q.v_A = carom_tmul(s->A.X.R, s->B.v);
    q.stack[0] = (SweepPair){ .a = carom_sweep_piece_root(s->a),
                              .b = s->b->kind == CAROM_HALF_SPACE ? 0 : carom_sweep_piece_root(s->b) };
    search(&q);
    if (q.n > 0) advance(s, earliest(&q));
    else if (s->hit && s->end > 0.0 && s->b->kind != CAROM_HALF_SPACE) take_direction_of_wholes(s);
}
