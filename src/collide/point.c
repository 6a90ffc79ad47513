// Signed distance of a point from any shape.
#include "collide/collide.h"
#include "meshgap/meshgap.h"

double carom_collide_shape_point(const caromShape *a, caromVec3 p, caromVec3 *n)
{
    return a->kind == CAROM_MESH ? carom_meshgap_point(a->mesh, p, n) : carom_narrow_point(a, p, n);
}

caromGap carom_collide_point(caromShape a, caromPose X_WA, caromVec3 p_W)
{
    if (!carom_is_finite3(p_W)) return carom_gap_undefined((double)NAN);
    if (!carom_narrow_is_placed(&a, &X_WA)) return carom_gap_refused(&a, &X_WA, &a, &X_WA);
    caromVec3 p = carom_pose_inverse_point(X_WA, p_W), n;
    double g = carom_collide_shape_point(&a, p, &n), size = carom_shape_radius(a);
    if (!isfinite(g)) return carom_gap_undefined((double)NAN);
    double error = carom_narrow_roundings(carom_norm(p) + (carom_shape_is_bounded(a) ? size : 0.0));
    caromVec3 n_W = carom_mul(X_WA.R, n);
    return (caromGap){ g, n_W, carom_axpy(-g, n_W, p_W), p_W, error, carom_gap_status(error, size + carom_norm(p)) };
}

bool carom_collide_contains(caromShape a, caromPose X_WA, caromVec3 p_W)
{
    caromGap gap = carom_collide_point(a, X_WA, p_W);
    return gap.status != CAROM_GAP_UNDEFINED && gap.g <= gap.error;
}
