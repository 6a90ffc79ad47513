// Shapes that move as one: the least gap over all pairs of parts.
#include "collide/scales.h"
#include "narrow/narrow.h"

static int compare(double a, double b)
{
    return a < b ? -1 : a > b;
}

// Which of two pairs with the same gap is told: the one with the smaller part numbers, then the one whose witness
// points are lower in x, y, z. Neither asks who is called A.
static bool comes_before(const caromCompoundGap *x, const caromCompoundGap *y)
{
    int x_low = x->part_a < x->part_b ? x->part_a : x->part_b, y_low = y->part_a < y->part_b ? y->part_a : y->part_b;
    caromVec3 p = carom_add(x->gap.p_A, x->gap.p_B), q = carom_add(y->gap.p_A, y->gap.p_B);
    int order = x->gap.g != y->gap.g ? compare(x->gap.g, y->gap.g) : compare(x_low, y_low);
    if (order == 0) order = compare(x->part_a + x->part_b, y->part_a + y->part_b);
    for (int i = 0; i < 3 && order == 0; i++) order = compare(carom_at(p, i), carom_at(q, i));
    return order < 0;
}

// Spheres about the origins that far apart cannot hold a smaller gap. Infinite radii never exclude.
static bool is_farther(const caromShape *a, caromVec3 p_A, const caromShape *b, caromVec3 p_B, double g)
{
    double apart = carom_norm(carom_sub(p_B, p_A)), least = apart - carom_shape_radius(*a) - carom_shape_radius(*b);
    return least > g + CAROM_COLLIDE_FARTHER*(apart + fabs(g));
}

caromCompoundGap carom_collide_compounds(caromCompound a, caromPose X_WA, caromCompound b, caromPose X_WB)
{
    caromCompoundGap best = { { (double)INFINITY, { 0, 0, 1 }, X_WA.p, X_WB.p, 0.0, CAROM_GAP_OK }, -1, -1 };
    double lowest = (double)INFINITY;  // of g - error over all pairs
    for (int i = 0; i < a.n; i++) {
        caromPose X_WP = carom_pose_mul(X_WA, a.X_BS[i]);
        for (int j = 0; j < b.n; j++) {
            caromPose X_WQ = carom_pose_mul(X_WB, b.X_BS[j]);
            bool is_defined = carom_narrow_is_placed(&a.shapes[i], &X_WP) &&
                              carom_narrow_is_placed(&b.shapes[j], &X_WQ);
            if (is_defined && is_farther(&a.shapes[i], X_WP.p, &b.shapes[j], X_WQ.p, best.gap.g)) continue;
            caromCompoundGap pair = { is_defined ? carom_collide_shapes(a.shapes[i], X_WP, b.shapes[j], X_WQ)
                                                 : carom_gap_refused(&a.shapes[i], &X_WP, &b.shapes[j], &X_WQ), i, j };
            if (pair.gap.status == CAROM_GAP_UNDEFINED || isnan(pair.gap.g)) return pair;
            lowest = fmin(lowest, pair.gap.g - pair.gap.error);
            if (best.part_a < 0 || comes_before(&pair, &best)) best = pair;
        }
    }
    if (best.part_a < 0 || best.gap.g - lowest <= best.gap.error) return best;
    best.gap.error = best.gap.g - lowest;  // another pair may be lower by as much as it is uncertain
    if (best.gap.status == CAROM_GAP_OK)
        best.gap.status = carom_gap_status(best.gap.error, fmin(carom_shape_radius(a.shapes[best.part_a]),
                                                                carom_shape_radius(b.shapes[best.part_b])));
    return best;
}
