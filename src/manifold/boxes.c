// Two boxes: which way they face each other, by the fifteen axes that can separate them [Gottschalk96].
//
// phi along any axis is a lower bound of the gap. When a point is found whose gap is as small the axis was the right
// one, and the general search need not be asked.
#include "manifold/parts.h"

typedef struct BoxAxes {
    caromVec3 a[3], b[3], t;
    double h_a[3], h_b[3];
    double c[3][3], abs_c[3][3];  // a_i.b_j
    // Axes found later must be better by this: faces go before edges, those of A before those of B.
    double best, margin;
    caromVec3 n;
} BoxAxes;

// n: unit, or of the given length; reach: of both boxes along it.
static void try_axis(BoxAxes *x, caromVec3 n, double length, double reach)
{
    double along = carom_dot(n, x->t), phi = (fabs(along) - reach)/length;
    if (!(phi > x->best + x->margin)) return;
    x->best = phi;
    x->n = carom_scale((along < 0.0 ? -1.0 : 1.0)/length, n);
}

static void try_faces(BoxAxes *x)
{
    for (int i = 0; i < 3; i++) {
        try_axis(x, x->a[i], 1.0, x->h_a[i] + x->h_b[0]*x->abs_c[i][0] + x->h_b[1]*x->abs_c[i][1] +
                 x->h_b[2]*x->abs_c[i][2]);
    }
    for (int j = 0; j < 3; j++) {
        try_axis(x, x->b[j], 1.0, x->h_b[j] + x->h_a[0]*x->abs_c[0][j] + x->h_a[1]*x->abs_c[1][j] +
                 x->h_a[2]*x->abs_c[2][j]);
    }
}

static void try_edges(BoxAxes *x)
{
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1)%3, i2 = (i + 2)%3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1)%3, j2 = (j + 2)%3;
            double square = 1.0 - x->c[i][j]*x->c[i][j];
            if (!(square > CAROM_TOUCH_AXIS2)) continue;
            // |a_i1.(a_i x b_j)| = |c_i2j|, and so on.
            double reach = x->h_a[i1]*x->abs_c[i2][j] + x->h_a[i2]*x->abs_c[i1][j] + x->h_b[j1]*x->abs_c[i][j2] +
                           x->h_b[j2]*x->abs_c[i][j1];
            try_axis(x, carom_cross(x->a[i], x->b[j]), sqrt(square), reach);
        }
    }
}

bool carom_manifold_boxes_axis(const caromTouchPair *pair, caromVec3 *n, double *phi)
{
    const caromTouchSide *a = &pair->side[0], *b = &pair->side[1];
    if (a->shape->kind != CAROM_BOX || b->shape->kind != CAROM_BOX) return false;
    BoxAxes x = { .a = { a->X.R.cx, a->X.R.cy, a->X.R.cz }, .b = { b->X.R.cx, b->X.R.cy, b->X.R.cz },
                  .t = carom_sub(b->X.p, a->X.p), .h_a = { a->core.h.x, a->core.h.y, a->core.h.z },
                  .h_b = { b->core.h.x, b->core.h.y, b->core.h.z }, .best = -(double)INFINITY,
                  .margin = CAROM_TOUCH_SAME*pair->size, .n = { 0, 0, 1 } };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            x.c[i][j] = carom_dot(x.a[i], x.b[j]);
            x.abs_c[i][j] = fabs(x.c[i][j]);
        }
    }
    try_faces(&x);
    try_edges(&x);
    *n = x.n;
    *phi = x.best - a->core.radius - b->core.radius;
    return isfinite(*phi);
}
