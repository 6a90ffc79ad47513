// Support mapping of two cores, for the inner loops of gjk.c and expand.c.
#ifndef CAROM_SRC_NARROW_SUPPORT_H
#define CAROM_SRC_NARROW_SUPPORT_H

#include "narrow/convex.h"

static inline caromSupport carom_convex_support_of(const caromConvexPair *p, caromVec3 n)
{
    caromSupport s;
    s.x = carom_shape_core_support_label(&p->a, n, &s.label_a);
    caromVec3 y = carom_shape_core_support_label(&p->b, carom_neg(carom_tmul(p->R, n)), &s.label_b);
    s.w = carom_sub(carom_add(p->t, carom_mul(p->R, y)), s.x);
    return s;
}

#endif
