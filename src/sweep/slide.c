// Two convex polyhedra are apart at an instant if and only if they are along the normal of a face of one, or along the
// cross product of an edge of one and an edge of the other; of flat ones that lie in a plane, along a normal of an edge
// in that plane. While they slide, they overlap along each of these axes for a span of time. They touch while all spans
// do: from the latest beginning on, if that is before the earliest end. No iteration, and along every axis a bound that
// is valid by itself: what rounding does to the others cannot make the answer late.
#include "sweep/slide.h"

bool carom_sweep_piece_is_block(const caromPiece *piece)
{
    return piece->corners || (piece->core.kind == CAROM_CORE_BOX && piece->core.radius == 0.0);
}

caromBlock carom_sweep_block(const caromPiece *piece, const caromPose *X)
{
    caromBlock b = { .is_triangle = piece->corners != NULL };
    if (b.is_triangle) {
        for (int k = 0; k < 3; k++) b.corners[k] = carom_pose_point(*X, piece->corners[k]);
        for (int k = 0; k < 3; k++) b.edges[k] = carom_sub(b.corners[k == 2 ? 0 : k + 1], b.corners[k]);
        b.normal = carom_cross(b.edges[0], b.edges[1]);
        return b;
    }
    caromPose X_P = carom_pose_mul(*X, piece->X_SP);
    b.c = X_P.p;
    b.edges[0] = X_P.R.cx, b.edges[1] = X_P.R.cy, b.edges[2] = X_P.R.cz;
    b.half[0] = piece->core.h.x, b.half[1] = piece->core.h.y, b.half[2] = piece->core.h.z;
    return b;
}

static void project(const caromBlock *b, caromVec3 d, double *low, double *high)
{
    if (b->is_triangle) {
        double x = carom_dot(d, b->corners[0]), y = carom_dot(d, b->corners[1]), z = carom_dot(d, b->corners[2]);
        *low = fmin(x, fmin(y, z));
        *high = fmax(x, fmax(y, z));
        return;
    }
    double c = carom_dot(d, b->c), e = 0.0;
    for (int k = 0; k < 3; k++) e += b->half[k]*fabs(carom_dot(d, b->edges[k]));
    *low = c - e;
    *high = c + e;
}

typedef struct Slide {
    const caromBlock *a, *b;
    caromVec3 v;
    double slack;
    double from, to;  // the span in which all axes so far overlap
    caromVec3 axis;
} Slide;

static bool clip(Slide *s, caromVec3 d)
{
    double length = fabs(d.x) + fabs(d.y) + fabs(d.z), a0, a1, b0, b1;
    if (!(length > 0.0)) return true;
    project(s->a, d, &a0, &a1);
    project(s->b, d, &b0, &b1);
    double rate = carom_dot(d, s->v), grown = s->slack*length, above = b0 - a1 - grown, below = a0 - b1 - grown;
    if (rate == 0.0) {
        if (above > 0.0 || below > 0.0) s->to = -INFINITY;
    } else {
        double in = rate < 0.0 ? above/-rate : below/rate, out = rate < 0.0 ? -below/-rate : -above/rate;
        if (in > s->from) s->from = in, s->axis = rate < 0.0 ? d : carom_neg(d);
        s->to = fmin(s->to, out);
    }
    return s->from <= s->to;
}

static bool clip_faces(Slide *s, const caromBlock *x)
{
    if (x->is_triangle) return clip(s, x->normal);
    return clip(s, x->edges[0]) && clip(s, x->edges[1]) && clip(s, x->edges[2]);
}

static bool clip_in_plane(Slide *s, const caromBlock *x)
{
    for (int k = 0; k < 3; k++)
        if (!clip(s, carom_cross(x->normal, x->edges[k]))) return false;
    return true;
}

static bool clip_all(Slide *s)
{
    if (!clip_faces(s, s->a) || !clip_faces(s, s->b)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!clip(s, carom_cross(s->a->edges[i], s->b->edges[j]))) return false;
    bool is_flat = s->a->is_triangle && s->b->is_triangle;
    return !is_flat || (clip_in_plane(s, s->a) && clip_in_plane(s, s->b));
}

double carom_sweep_slide(const caromBlock *a, const caromBlock *b, caromVec3 v, double end, double slack,
                         caromVec3 *axis)
{
    Slide s = { .a = a, .b = b, .v = v, .slack = slack, .from = 0.0, .to = end };
    bool touches = clip_all(&s);
    *axis = s.axis;
    return touches ? s.from : (double)INFINITY;
}
