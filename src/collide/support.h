// Support mapping of two cores, for the inner loops of gjk.c and expand.c.
#ifndef CAROM_SRC_COLLIDE_SUPPORT_H
#define CAROM_SRC_COLLIDE_SUPPORT_H

#include "collide/convex.h"

static inline caromVec3 carom_box_support(const caromCore *c, caromVec3 d, int *label)
{
    *label = (d.x < 0.0 && c->h.x > 0.0) | (d.y < 0.0 && c->h.y > 0.0) << 1 | (d.z < 0.0 && c->h.z > 0.0) << 2;
    return carom_vec(d.x < 0.0 ? -c->h.x : c->h.x, d.y < 0.0 ? -c->h.y : c->h.y, d.z < 0.0 ? -c->h.z : c->h.z);
}

static inline caromVec3 carom_frustum_support(const caromCore *c, caromVec3 d, int *label)
{
    double across = sqrt(d.x*d.x + d.y*d.y);
    bool top = across*(c->r1 - c->r0) + d.z*(c->z1 - c->z0) > 0.0;
    double r = top ? c->r1 : c->r0, s = across > 0.0 ? r/across : 0.0;
    *label = top;
    return carom_vec(across > 0.0 ? s*d.x : r, s*d.y, top ? c->z1 : c->z0);
}

static inline caromVec3 carom_ellipsoid_support(const caromCore *c, caromVec3 d)
{
    caromVec3 w = carom_vec(c->h.x*d.x, c->h.y*d.y, c->h.z*d.z);
    double s = 1.0/carom_norm(w);
    return carom_vec(s*c->h.x*w.x, s*c->h.y*w.y, s*c->h.z*w.z);
}

enum { CAROM_SCAN_MAX = 12 };  // up to here looking at every vertex is quicker than climbing

static inline int carom_hull_scan(const caromHull *hull, caromVec3 d)
{
    const caromVec3 *v = hull->vertices, *end = v + hull->nvertex, *best = v;
    double far = carom_dot(d, *v);
    for (v++; v < end; v++) {
        double x = carom_dot(d, *v);
        best = x > far ? v : best;
        far = x > far ? x : far;
    }
    return (int)(best - hull->vertices);
}

static inline caromVec3 carom_core_support_label(const caromCore *core, caromVec3 d, int *label)
{
    switch (core->kind) {
    case CAROM_CORE_BOX: return carom_box_support(core, d, label);
    case CAROM_CORE_HULL:
        *label = core->hull->nvertex <= CAROM_SCAN_MAX ? carom_hull_scan(core->hull, d)
                                                       : carom_hull_climb(core->hull, d, core->hull->seeds[carom_hull_seed_cell(d)]);
        return core->hull->vertices[*label];
    case CAROM_CORE_FRUSTUM: return carom_frustum_support(core, d, label);
    default: *label = 0; return carom_ellipsoid_support(core, d);
    }
}

static inline caromSupport carom_support(const caromConvexPair *p, caromVec3 n)
{
    caromSupport s;
    s.x = carom_core_support_label(&p->a, n, &s.label_a);
    caromVec3 y = carom_core_support_label(&p->b, carom_neg(carom_tmul(p->R, n)), &s.label_b);
    s.w = carom_sub(carom_add(p->t, carom_mul(p->R, y)), s.x);
    return s;
}

#endif
