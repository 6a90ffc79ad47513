// The nearest points of two edges.
#ifndef CAROM_SRC_NARROW_EDGES_H
#define CAROM_SRC_NARROW_EDGES_H

#include "carom/math.h"

// From p to q, where p is the end with the lower number: whichever triangle is asked, an edge is the same to the last
// bit.
typedef struct caromEdge {
    caromVec3 p, q, d;
    double d2;
} caromEdge;

static inline caromEdge carom_narrow_edge(caromVec3 p, caromVec3 q)
{
    caromVec3 d = carom_sub(q, p);
    return (caromEdge){ p, q, d, carom_norm2(d) };
}

static inline double carom_narrow_clamp01(double s)
{
    return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

// Parameter of the nearest point of p + s d, 0 <= s <= 1, to x; exactly 0 or 1 at the ends.
static inline double carom_narrow_edge_nearest(const caromEdge *e, caromVec3 x)
{
    return e->d2 > 0.0 ? carom_narrow_clamp01(carom_dot(e->d, carom_sub(x, e->p))/e->d2) : 0.0;
}

static inline caromVec3 carom_narrow_edge_point(const caromEdge *e, double s)
{
    return s == 0.0 ? e->p : s == 1.0 ? e->q : carom_axpy(s, e->d, e->p);
}

typedef struct caromEdgesGap {
    double g2, s, t;
    caromVec3 x, y;
} caromEdgesGap;

// Where one parameter ends at a corner the other is that of the point nearest to this corner, so that all edges which
// meet in it find the same bits.
static inline caromEdgesGap carom_narrow_edges_gap(const caromEdge *e, const caromEdge *f)
{
    caromVec3 r = carom_sub(f->p, e->p);
    double de = carom_dot(e->d, f->d), re = carom_dot(e->d, r), rf = carom_dot(f->d, r);
    double det = e->d2*f->d2 - de*de;
    double s = det > 0.0 ? carom_narrow_clamp01((re*f->d2 - rf*de)/det) : 0.0;
    double t = f->d2 > 0.0 ? (de*s - rf)/f->d2 : 0.0;
    if (!(t > 0.0 && t < 1.0)) {
        t = t <= 0.0 ? 0.0 : 1.0;
        s = carom_narrow_edge_nearest(e, t == 0.0 ? f->p : f->q);
    }
    if (s == 0.0 || s == 1.0) {
        t = carom_narrow_edge_nearest(f, s == 0.0 ? e->p : e->q);
        if (t == 0.0 || t == 1.0) s = carom_narrow_edge_nearest(e, t == 0.0 ? f->p : f->q);
    }
    caromEdgesGap g = { .s = s, .t = t, .x = carom_narrow_edge_point(e, s), .y = carom_narrow_edge_point(f, t) };
    g.g2 = carom_norm2(carom_sub(g.y, g.x));
    return g;
}

#endif
