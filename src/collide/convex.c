// Points of C, the difference of two convex cores.
#include "collide/convex.h"

static double reach(const caromCore *c)
{
    switch (c->kind) {
    case CAROM_CORE_HULL: return c->hull->reach;
    case CAROM_CORE_FRUSTUM: return fmax(c->r0, c->r1) + fmax(fabs(c->z0), fabs(c->z1));
    default: return c->h.x + c->h.y + c->h.z;
    }
}

caromConvexPair carom_convex_pair(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    caromPose X_AB = carom_pose_relative(X_WA, X_WB);
    caromConvexPair p = { carom_shape_core(a), carom_shape_core(b), X_AB.R, X_AB.p, 0.0 };
    p.scale = reach(&p.a) + reach(&p.b) + p.a.radius + p.b.radius + fabs(p.t.x) + fabs(p.t.y) + fabs(p.t.z);
    return p;
}

static caromVec3 box_support(const caromCore *c, caromVec3 d, int *label)
{
    int l = (d.x < 0.0 && c->h.x > 0.0) | (d.y < 0.0 && c->h.y > 0.0) << 1 | (d.z < 0.0 && c->h.z > 0.0) << 2;
    *label = l;
    return carom_vec(l & 1 ? -c->h.x : c->h.x, l & 2 ? -c->h.y : c->h.y, l & 4 ? -c->h.z : c->h.z);
}

// Rim as in carom_core_support.
static caromVec3 frustum_support(const caromCore *c, caromVec3 d, int *label)
{
    double across = sqrt(d.x*d.x + d.y*d.y);
    bool top = across*(c->r1 - c->r0) + d.z*(c->z1 - c->z0) > 0.0;
    double r = top ? c->r1 : c->r0, s = across > 0.0 ? r/across : 0.0;
    *label = top;
    return carom_vec(across > 0.0 ? s*d.x : r, s*d.y, top ? c->z1 : c->z0);
}

enum { SCAN_MAX = 12 };  // up to here looking at every vertex is quicker than climbing

static int scan(const caromHull *hull, caromVec3 d)
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

// From neighbour to neighbour as long as it leads farther: on a convex polytope only the farthest vertex has no better neighbour.
static int climb(const caromHull *hull, caromVec3 d, int start)
{
    int best = start;
    double far = carom_dot(d, hull->vertices[best]);
    for (;;) {
        int from = best;
        for (int k = hull->first_neighbour[from], end = hull->first_neighbour[from + 1]; k < end; k++) {
            double x = carom_dot(d, hull->vertices[hull->neighbours[k]]);
            if (x > far) far = x, best = hull->neighbours[k];
        }
        if (best == from) return best;
    }
}

caromVec3 carom_core_support_label(const caromCore *core, caromVec3 d, int hint, int *label)
{
    switch (core->kind) {
    case CAROM_CORE_BOX: return box_support(core, d, label);
    case CAROM_CORE_HULL:
        *label = core->hull->nvertex <= SCAN_MAX ? scan(core->hull, d) : climb(core->hull, d, hint >= 0 ? hint : core->hull->seeds[carom_hull_seed_cell(d)]);
        return core->hull->vertices[*label];
    case CAROM_CORE_FRUSTUM: return frustum_support(core, d, label);
    default: *label = 0; return carom_core_support(core, d);
    }
}

caromVec3 carom_core_vertex(const caromCore *core, int label)
{
    if (core->kind == CAROM_CORE_HULL) return core->hull->vertices[label];
    return carom_vec(label & 1 ? -core->h.x : core->h.x, label & 2 ? -core->h.y : core->h.y, label & 4 ? -core->h.z : core->h.z);
}

caromSupport carom_convex_support(const caromConvexPair *p, caromVec3 n)
{
    caromSupport s;
    s.x = carom_core_support_label(&p->a, n, -1, &s.label_a);
    caromVec3 y = carom_core_support_label(&p->b, carom_neg(carom_tmul(p->R, n)), -1, &s.label_b);
    s.y = carom_add(p->t, carom_mul(p->R, y));
    s.w = carom_sub(s.y, s.x);
    return s;
}

double carom_convex_phi(const caromConvexPair *p, caromVec3 n)
{
    return carom_dot(n, carom_convex_support(p, n).w);
}
