// Planes, and convex polygons that are cut out of them by other planes.
#ifndef CAROM_SRC_COLLIDE_SHEET_H
#define CAROM_SRC_COLLIDE_SHEET_H

#include "carom/math.h"

// depth(x) = n.x + b: distance from the plane of a face, positive inside; n is the inner unit normal. Also any linear function.
typedef struct caromPlane {
    caromVec3 n;
    double b;
} caromPlane;

static inline double carom_plane_at(caromPlane p, caromVec3 x)
{
    return carom_dot(p.n, x) + p.b;
}

static inline caromPlane carom_plane_scaled(double k, caromPlane p)
{
    return (caromPlane){ carom_scale(k, p.n), k*p.b };
}

static inline caromPlane carom_plane_difference(caromPlane a, caromPlane b)
{
    return (caromPlane){ carom_sub(a.n, b.n), a.b - b.b };
}

// A plane in space with axes of its own: x = o + u t1 + v t2.
typedef struct caromSheet {
    caromVec3 o, t1, t2;
} caromSheet;

// A convex polygon in a sheet, counter-clockwise.
enum { CAROM_FLAT_CORNERS_MAX = 540 };  // a square cut by two times CAROM_NEAR_FACES_MAX planes and a few more
typedef struct caromFlat {
    int n;
    double *u, *v;            // corners, in the rooms below
    double *next_u, *next_v;  // where a cut puts the next ones
    double room[4][CAROM_FLAT_CORNERS_MAX];
} caromFlat;

// The plane {p = 0} with its first axis along the part of hint that lies in it, its origin below c.
caromSheet carom_sheet_of(caromPlane p, caromVec3 hint, caromVec3 other_hint, caromVec3 c);

static inline caromVec3 carom_sheet_point(const caromSheet *s, double u, double v)
{
    return carom_axpy(u, s->t1, carom_axpy(v, s->t2, s->o));
}

static inline void carom_flat_square(caromFlat *flat, double half)
{
    flat->n = 4;
    flat->u = flat->room[0], flat->v = flat->room[1];
    flat->next_u = flat->room[2], flat->next_v = flat->room[3];
    flat->u[0] = flat->u[3] = flat->v[0] = flat->v[1] = -half;
    flat->u[1] = flat->u[2] = flat->v[2] = flat->v[3] = half;
}

void carom_flat_clip(caromFlat *flat, const caromSheet *sheet, caromPlane p);  // cuts off the part where p < 0

static inline double carom_flat_area(const caromFlat *f)
{
    double area = 0.0;
    for (int k = 1; k + 1 < f->n; k++) {
        area += 0.5*((f->u[k] - f->u[0])*(f->v[k + 1] - f->v[0]) - (f->u[k + 1] - f->u[0])*(f->v[k] - f->v[0]));
    }
    return area;
}

static inline caromVec3 carom_flat_middle(const caromFlat *f, const caromSheet *s)  // mean of the corners
{
    double u = 0.0, v = 0.0;
    for (int k = 0; k < f->n; k++) u += f->u[k], v += f->v[k];
    return carom_sheet_point(s, u/f->n, v/f->n);
}

#endif
