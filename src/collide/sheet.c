#include "collide/sheet.h"

caromSheet carom_sheet_of(caromPlane p, caromVec3 hint, caromVec3 other_hint, caromVec3 c)
{
    double s = 1.0/carom_norm(p.n);
    caromVec3 n = carom_scale(s, p.n);
    caromVec3 t = carom_axpy(-carom_dot(n, hint), n, hint);
    if (carom_norm2(t) < 0.25) t = carom_axpy(-carom_dot(n, other_hint), n, other_hint);
    t = carom_scale(1.0/carom_norm(t), t);
    return (caromSheet){ carom_axpy(-s*carom_plane_at(p, c), n, c), t, carom_cross(n, t) };
}

// Corners inside stay, and where a side crosses the line there is a new one (Sutherland and Hodgman's way). value holds p at the corners.
static void cut(caromFlat *flat, const double *value)
{
    const double *u = flat->u, *v = flat->v;
    double *out_u = flat->next_u, *out_v = flat->next_v;
    int n = flat->n, m = 0;
    for (int k = 0; k < n && m < CAROM_FLAT_CORNERS_MAX - 1; k++) {
        int next = k + 1 < n ? k + 1 : 0;
        double a = value[k], b = value[next];
        if (a >= 0.0) {
            out_u[m] = u[k];
            out_v[m++] = v[k];
        }
        if ((a >= 0.0) != (b >= 0.0)) {
            double t = a/(a - b);
            out_u[m] = u[k] + t*(u[next] - u[k]);
            out_v[m++] = v[k] + t*(v[next] - v[k]);
        }
    }
    flat->n = m;
    flat->next_u = flat->u, flat->next_v = flat->v;
    flat->u = out_u, flat->v = out_v;
}

void carom_flat_clip(caromFlat *flat, const caromSheet *sheet, caromPlane p)
{
    double c0 = carom_plane_at(p, sheet->o), cu = carom_dot(p.n, sheet->t1), cv = carom_dot(p.n, sheet->t2);
    double value[CAROM_FLAT_CORNERS_MAX];
    int n = flat->n, inside = 0;
    for (int k = 0; k < n; k++) {
        value[k] = c0 + cu*flat->u[k] + cv*flat->v[k];
        inside += value[k] >= 0.0;
    }
    if (inside == n) return;
    if (inside == 0) flat->n = 0;
    else cut(flat, value);
}
