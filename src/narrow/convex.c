// Points of C, the difference of two convex cores.
#include "narrow/scales.h"
#include "narrow/support.h"

static double reach(const caromCore *c)
{
    switch (c->kind) {
    case CAROM_CORE_HULL: return c->hull->reach;
    case CAROM_CORE_FRUSTUM: return fmax(c->r0, c->r1) + fmax(fabs(c->z0), fabs(c->z1));
    default: return c->h.x + c->h.y + c->h.z;
    }
}

void carom_convex_pair(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                       caromConvexPair *p)
{
    p->a = carom_shape_core(a);
    p->b = carom_shape_core(b);
    p->t = carom_tmul(X_WA->R, carom_sub(X_WB->p, X_WA->p));
    p->R.cx = carom_tmul(X_WA->R, X_WB->R.cx);
    p->R.cy = carom_tmul(X_WA->R, X_WB->R.cy);
    p->R.cz = carom_tmul(X_WA->R, X_WB->R.cz);
    p->scale = reach(&p->a) + reach(&p->b) + p->a.radius + p->b.radius + fabs(p->t.x) + fabs(p->t.y) + fabs(p->t.z);
}

// 0 times anything finite is 0. Beyond the sizes squares of squares overflow or vanish.
bool carom_convex_is_defined(const caromConvexPair *p)
{
    caromVec3 sum = carom_add(p->R.cx, carom_add(p->R.cy, p->R.cz));
    double scale = p->scale + 0.0*(sum.x + sum.y + sum.z);
    return scale > CAROM_NARROW_SHORTEST && scale < CAROM_NARROW_LONGEST;
}

caromSupport carom_convex_support(const caromConvexPair *p, caromVec3 n)
{
    return carom_convex_support_of(p, n);
}

double carom_convex_phi(const caromConvexPair *p, caromVec3 n)
{
    return carom_dot(n, carom_convex_support_of(p, n).w);
}

void carom_convex_simplex_points(const caromSimplex *s, caromVec3 *x, caromVec3 *y)
{
    caromVec3 w = carom_scale(s->weight[0], s->s[0].w);
    *x = carom_scale(s->weight[0], s->s[0].x);
    for (int k = 1; k < s->n; k++) {
        *x = carom_axpy(s->weight[k], s->s[k].x, *x);
        w = carom_axpy(s->weight[k], s->s[k].w, w);
    }
    *y = carom_add(*x, w);
}
