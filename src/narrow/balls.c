// Closed forms for a ball against anything convex, and for two capsules.
#include "narrow/closed.h"

static caromGap gap_of_centres(caromVec3 p_A, double ra, caromVec3 p_B, double rb, caromVec3 fallback)
{
    caromVec3 n;
    double distance = carom_narrow_split(carom_sub(p_B, p_A), fallback, &n);
    caromGap g = { distance - ra - rb, n, carom_axpy(ra, n, p_A), carom_axpy(-rb, n, p_B), 0.0, CAROM_GAP_OK };
    g.error = carom_narrow_roundings(distance + ra + rb);
    return g;
}

caromGap carom_gap_ball(double radius, caromVec3 centre_W, const caromShape *b, const caromPose *X_WB)
{
    if (b->kind == CAROM_SPHERE) return gap_of_centres(centre_W, radius, X_WB->p, b->size.x, carom_vec(1, 0, 0));
    caromCore core = carom_shape_core(b);
    caromVec3 c = carom_tmul(X_WB->R, carom_sub(centre_W, X_WB->p)), on, n;
    double distance = carom_convex_core_point(&core, c, &on, &n);
    caromVec3 n_AB = carom_neg(carom_mul(X_WB->R, n));
    caromVec3 p_B = carom_pose_point(*X_WB, carom_axpy(core.radius, n, on));
    caromGap g = { distance - core.radius - radius, n_AB, carom_axpy(radius, n_AB, centre_W), p_B, 0.0, CAROM_GAP_OK };
    g.error = carom_narrow_roundings(fabs(distance) + core.radius + radius + carom_norm(c));
    return g;
}

// Axes p_A + s u and p_B + t w, |s| <= ha, |t| <= hb. Where both ends are free the line between the axes is square to
// both; if they nearly meet, only that is left to tell the normal.
caromGap carom_gap_capsules(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    caromVec3 u = X_WA->R.cz, w = X_WB->R.cz, r = carom_sub(X_WB->p, X_WA->p), n = carom_cross(u, w);
    double ha = 0.5*a->size.y, hb = 0.5*b->size.y, c = carom_dot(u, w), ru = carom_dot(r, u), rw = carom_dot(r, w),
           det = carom_norm2(n);
    double s = det > 0.0 ? carom_dot(carom_cross(r, w), n)/det : 0.0, t = c*carom_narrow_clamp(s, ha) - rw;
    bool is_free = det > 0.0 && fabs(s) < ha && fabs(t) < hb;
    s = carom_narrow_clamp(s, ha);
    if (fabs(t) > hb) t = carom_narrow_clamp(t, hb), s = carom_narrow_clamp(ru + c*t, ha);
    caromVec3 any = carom_cross(u, fabs(u.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0)),
              across = carom_unit_or(any, carom_vec(1, 0, 0));
    caromVec3 x = carom_scale(s, u), y = carom_axpy(t, w, r);  // from the centre of A
    double size = carom_norm(r) + ha + hb;
    caromGap g = gap_of_centres(x, a->size.x, y, b->size.x, across);
    double distance = g.g + a->size.x + b->size.x;
    if (is_free && distance < sqrt(det)*size) {
        n = carom_scale(1.0/sqrt(det), n);
        double along = carom_dot(n, r);
        if (along < 0.0) n = carom_neg(n), along = -along;
        caromVec3 middle = carom_scale(0.5, carom_add(x, y));
        g.g = along - a->size.x - b->size.x;
        g.n_AB = n;
        g.p_A = carom_axpy(a->size.x - 0.5*along, n, middle);
        g.p_B = carom_axpy(0.5*along - b->size.x, n, middle);
    }
    g.p_A = carom_add(X_WA->p, g.p_A);
    g.p_B = carom_add(X_WA->p, g.p_B);
    g.error = carom_narrow_roundings(size + a->size.x + b->size.x);
    return g;
}
