// Planes, and convex polygons that are cut out of them by other planes.
#ifndef CAROM_SRC_PATCH_SHEET_H
#define CAROM_SRC_PATCH_SHEET_H

#include "carom/math.h"

// depth(x) = n.x + b: distance from the plane of a face, positive inside; n is the inner unit normal. Also any linear
// function.
typedef struct caromPlane {
    caromVec3 n;
    double b;
} caromPlane;

static inline double carom_sheet_plane_at(caromPlane p, caromVec3 x)
{
    return carom_dot(p.n, x) + p.b;
}

static inline caromPlane carom_sheet_plane_scaled(double k, caromPlane p)
{
    return (caromPlane){ carom_scale(k, p.n), k*p.b };
}

static inline caromPlane carom_sheet_plane_difference(caromPlane a, caromPlane b)
{
    return (caromPlane){ carom_sub(a.n, b.n), a.b - b.b };
}

// A plane in space with axes of its own, not always square or of unit length: x = o + u t1 + v t2.
typedef struct caromSheet {
    caromVec3 o, t1, t2;
} caromSheet;

// A linear function on a sheet: at + u x_u + v x_v.
typedef struct caromTrace {
    double at, u, v;
} caromTrace;

// A convex polygon in a sheet, counter-clockwise.
enum { CAROM_FLAT_CORNERS_MAX = 540 };  // a square cut by two times CAROM_NEAR_FACES_MAX planes and a few more
typedef struct caromFlat {
    int n;
    double u[CAROM_FLAT_CORNERS_MAX + 1], v[CAROM_FLAT_CORNERS_MAX + 1];  // one more for cuts
} caromFlat;

// The plane {p = 0} with unit axes, the first along the part of hint that lies in it, its origin below c.
caromSheet carom_sheet_of(caromPlane p, caromVec3 hint, caromVec3 other_hint, caromVec3 c);

static inline double carom_sheet_trace_at(caromTrace f, double u, double v)
{
    return f.at + f.u*u + f.v*v;
}

static inline caromTrace carom_sheet_trace_of(const caromSheet *s, caromPlane p)
{
    return (caromTrace){ carom_sheet_plane_at(p, s->o), carom_dot(p.n, s->t1), carom_dot(p.n, s->t2) };
}

static inline caromVec3 carom_sheet_point(const caromSheet *s, double u, double v)
{
    return carom_axpy(u, s->t1, carom_axpy(v, s->t2, s->o));
}

static inline void carom_sheet_flat_rectangle(caromFlat *flat, const double u[2], const double v[2])
{
    flat->n = 4;
    flat->u[0] = flat->u[3] = u[0];
    flat->u[1] = flat->u[2] = u[1];
    flat->v[0] = flat->v[1] = v[0];
    flat->v[2] = flat->v[3] = v[1];
}

static inline void carom_sheet_flat_square(caromFlat *flat, double half)
{
    const double ends[2] = { -half, half };
    carom_sheet_flat_rectangle(flat, ends, ends);
}

// Cuts off where at + along_u u + along_v v < 0.
void carom_sheet_flat_cut(caromFlat *flat, double at, double along_u, double along_v);
void carom_sheet_flat_clip(caromFlat *flat, const caromSheet *sheet, caromPlane p);

static inline double carom_sheet_flat_area(const caromFlat *f)
{
    double area = 0.0;
    for (int k = 1; k + 1 < f->n; k++) {
        area += 0.5*((f->u[k] - f->u[0])*(f->v[k + 1] - f->v[0]) - (f->u[k + 1] - f->u[0])*(f->v[k] - f->v[0]));
    }
    return area;
}

#endif
