// Any shape against a half-space: its lowest point decides.
#include "narrow/closed.h"

// Slopes below this count as lying flat, so that the witness of a face or an edge on the plane is its middle and does
// not jump with the rounding of a pose. Far below any slope that matters for the height, which does not use it.
static const double flat = 1e-13;

static double side(double slope)
{
    return fabs(slope) < flat ? 0.0 : slope < 0.0 ? -1.0 : 1.0;
}

// The lowest disc, generator or rim point along the unit vector d (down).
static caromVec3 frustum_lowest(const caromCore *c, caromVec3 d)
{
    double across = hypot(d.x, d.y), dr = c->r1 - c->r0, dz = c->z1 - c->z0, fall = across*dr + d.z*dz;
    if (across < flat) return carom_vec(0, 0, d.z > 0.0 ? c->z1 : c->z0);
    bool is_flat = fabs(fall) < flat*hypot(dr, dz);
    double r = is_flat ? 0.5*(c->r0 + c->r1) : fall > 0.0 ? c->r1 : c->r0, z = is_flat ? 0.5*(c->z0 + c->z1)
                                                                                       : fall > 0.0 ? c->z1 : c->z0;
    return carom_vec(r*d.x/across, r*d.y/across, z);
}

// Mean of the vertices as low as the lowest one. A plain loop: the support mapping does not tell its vertex, and few
// planes meet large hulls.
static caromVec3 hull_lowest(const caromCore *c, caromVec3 d)
{
    const caromHull *hull = c->hull;
    caromVec3 lowest = carom_shape_core_support(c, d), sum = { 0, 0, 0 };
    double level = carom_dot(d, lowest) - flat*hull->reach;
    int n = 0;
    for (int v = 0; v < hull->nvertex; v++)
        if (carom_dot(d, hull->vertices[v]) >= level) sum = carom_add(sum, hull->vertices[v]), n++;
    return n > 1 ? carom_scale(1.0/n, sum) : lowest;
}

static caromVec3 core_lowest(const caromCore *c, caromVec3 d)
{
    switch (c->kind) {
    case CAROM_CORE_BOX: return carom_vec(side(d.x)*c->h.x, side(d.y)*c->h.y, side(d.z)*c->h.z);
    case CAROM_CORE_HULL: return hull_lowest(c, d);
    case CAROM_CORE_FRUSTUM: return frustum_lowest(c, d);
    default: return carom_shape_core_support(c, d);
    }
}

// A torus that lies flat touches with a whole circle: the point towards Sx stands for it.
static caromVec3 ring_lowest(double radius, caromVec3 d)
{
    double across = hypot(d.x, d.y);
    return across < flat ? carom_vec(radius, 0, 0) : carom_vec(radius*d.x/across, radius*d.y/across, 0);
}

caromGap carom_gap_half_space(const caromShape *a, caromPose X_WA, caromPose X_WB)
{
    if (!carom_narrow_is_placed(a, &X_WA) || !carom_narrow_is_pose(&X_WB))
        return carom_gap_refused(a, &X_WA, a, &X_WB);
    if (a->kind == CAROM_HALF_SPACE) return carom_gap_undefined(-(double)INFINITY);
    caromVec3 up = X_WB.R.cz, d = carom_neg(carom_tmul(X_WA.R, up)), from_B = carom_sub(X_WA.p, X_WB.p), lowest;
    double extent, radius;
    if (a->kind == CAROM_TORUS) {
        extent = a->size.x*hypot(d.x, d.y);
        radius = a->size.y;
        lowest = ring_lowest(a->size.x, d);
    } else {
        caromCore core = carom_shape_core(a);
        extent = carom_shape_core_extent(&core, d);
        radius = core.radius;
        lowest = core_lowest(&core, d);
    }
    double g = carom_dot(up, from_B) - extent - radius, size = carom_shape_radius(*a),
           error = carom_narrow_roundings(carom_norm(from_B) + size);
    if (!isfinite(g)) return carom_gap_undefined((double)NAN);
    caromVec3 p_A = carom_add(X_WA.p, carom_axpy(-radius, up, carom_mul(X_WA.R, lowest)));
    return (caromGap){ g, carom_neg(up), p_A, carom_axpy(-g, up, p_A), error,
                       carom_gap_status(error, size + carom_norm(from_B)) };
}
