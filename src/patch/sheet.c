#include "patch/sheet.h"

caromSheet carom_sheet_of(caromPlane p, caromVec3 hint, caromVec3 other_hint, caromVec3 c)
{
    double s = 1.0/carom_norm(p.n);
    caromVec3 n = carom_scale(s, p.n);
    caromVec3 t = carom_axpy(-carom_dot(n, hint), n, hint);
    if (carom_norm2(t) < 0.25) t = carom_axpy(-carom_dot(n, other_hint), n, other_hint);
    t = carom_scale(1.0/carom_norm(t), t);
    return (caromSheet){ carom_axpy(-s*carom_sheet_plane_at(p, c), n, c), t, carom_cross(n, t) };
}

static void move(double *x, int from, int end, int to)  // x[from] .. x[end - 1]
{
    if (to < from) for (int k = from; k < end; k++) x[k + to - from] = x[k];
    else if (to > from) for (int k = end - 1; k >= from; k--) x[k + to - from] = x[k];
}

// The polygon is convex, so that the corners outside follow each other: those about the lowest one. Others below zero
// are so by rounding, and stay. Two corners replace them, where the first and the last side of theirs cross the line.
void carom_sheet_flat_cut(caromFlat *flat, double at, double along_u, double along_v)
{
    double *u = flat->u, *v = flat->v, value[CAROM_FLAT_CORNERS_MAX + 1], least = 0.0;
    int n = flat->n;
    if (n < 3) return;
    u[n] = u[0], v[n] = v[0];
    for (int k = 0; k < n; k += 2) {  // two at a time, which compilers turn into one operation
        double one = at + along_u*u[k] + along_v*v[k], two = at + along_u*u[k + 1] + along_v*v[k + 1];
        value[k] = one, value[k + 1] = two;
        least = one < least ? one : least;
        least = two < least ? two : least;
    }
    if (!(least < 0.0)) return;
    int lowest = 0;
    while (value[lowest] != least) lowest++;
    int first = lowest, last = lowest, before, after;  // corners outside, and the ones inside next to them
    while (value[before = first > 0 ? first - 1 : n - 1] < 0.0) {
        if (before == lowest) {
            flat->n = 0;
            return;
        }
        first = before;
    }
    while (value[after = last + 1 < n ? last + 1 : 0] < 0.0) last = after;
    double s = value[before]/(value[before] - value[first]), t = value[after]/(value[after] - value[last]);
    double first_u = u[before] + s*(u[first] - u[before]), first_v = v[before] + s*(v[first] - v[before]);
    double last_u = u[after] + t*(u[last] - u[after]), last_v = v[after] + t*(v[last] - v[after]);
    if (first > last) {  // they went round: what is left lies between the two
        u[first] = first_u, v[first] = first_v;
        u[last] = last_u, v[last] = last_v;
        move(u, last, first + 1, 0);
        move(v, last, first + 1, 0);
        flat->n = first + 1 - last;
    } else if (first < last || n < CAROM_FLAT_CORNERS_MAX) {
        move(u, last + 1, n, first + 2);
        move(v, last + 1, n, first + 2);
        u[first] = first_u, v[first] = first_v;
        u[first + 1] = last_u, v[first + 1] = last_v;
        flat->n = n + first + 1 - last;
    }
}

void carom_sheet_flat_clip(caromFlat *flat, const caromSheet *sheet, caromPlane p)
{
    caromTrace f = carom_sheet_trace_of(sheet, p);
    carom_sheet_flat_cut(flat, f.at, f.u, f.v);
}
