// Gaps and directions between pieces.
#include "narrow/convex.h"
#include "sweep/scales.h"
#include "sweep/slide.h"

static double width_along(const caromBlock *a, const caromBlock *b, caromVec3 n)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        low = fmin(low, carom_dot(n, b->corners[k]));
        high = fmax(high, carom_dot(n, a->corners[k]));
    }
    return low - high;
}

static void try_normal(const caromBlock *a, const caromBlock *b, caromVec3 d, caromVec3 *n, double *best)
{
    double length = carom_norm(d), along = carom_dot(d, *n);
    if (!(fabs(along) > CAROM_SWEEP_LEAN_COS*length)) return;
    d = carom_scale((along < 0.0 ? -1.0 : 1.0)/length, d);
    double width = width_along(a, b, d);
    if (width > *best) *best = width, *n = d;
}

// The line between two points close to each other has lost its direction; where triangles face each other flat or along
// an edge the normals and the cross products of edges have not.
static void sharpen(const caromBlock *a, const caromBlock *b, double g, caromVec3 *n)
{
    double best = width_along(a, b, *n);
    if (best > CAROM_SWEEP_GOOD*g) return;
    try_normal(a, b, a->normal, n, &best);
    try_normal(a, b, b->normal, n, &best);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) try_normal(a, b, carom_cross(a->edges[i], b->edges[j]), n, &best);
}

static caromGap triangles_gap(const caromPiece *a, const caromPiece *b, const caromPose *X_A, const caromPose *X_B)
{
    caromPose X_AB = carom_pose_relative(*X_A, *X_B), origin = carom_pose_identity();
    caromBlock A = carom_sweep_block(a, &origin), B = carom_sweep_block(b, &X_AB);
    caromTriangleGap found = carom_narrow_triangles_gap(A.corners, a->vertices, B.corners, b->vertices);
    caromGap gap = { .g = sqrt(found.g2), .p_A = carom_pose_point(*X_A, found.x),
                     .p_B = carom_pose_point(*X_A, found.y) };
    caromVec3 n = carom_unit_or(carom_sub(found.y, found.x), carom_vec(0, 0, 1));
    if (gap.g > 0.0) sharpen(&A, &B, gap.g, &n);
    gap.n_AB = carom_mul(X_A->R, n);
    return gap;
}

// Both sides of a triangle are faces, and its three corners tell not which: the first is found. So that has to be the
// side of the other piece, all of which lies there when a face is nearest.
static void turn_towards(caromPiece *p, const caromPose *X, const caromPiece *other, const caromPose *X_other)
{
    if (!p->corners) return;
    const caromVec3 *x = p->corners, up[3] = { x[0], x[1], x[2] }, down[3] = { x[0], x[2], x[1] };
    caromVec3 n = carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0]));
    caromVec3 to = carom_sub(carom_pose_inverse_point(*X, carom_pose_point(*X_other, carom_sweep_piece_middle(other))),
                             x[0]);
    carom_triangle_shape(carom_dot(n, to) >= 0.0 ? up : down, &p->triangle);
}

caromGap carom_sweep_pieces_gap(caromPiece *a, caromPiece *b, const caromPose *X_A, const caromPose *X_B,
                                caromWarmStart *warm)
{
    if (a->corners && b->corners) return triangles_gap(a, b, X_A, X_B);
    turn_towards(a, X_A, b, X_B);
    turn_towards(b, X_B, a, X_A);
    return carom_collide_shapes_warm(a->shape, carom_pose_mul(*X_A, a->X_SP), b->shape, carom_pose_mul(*X_B, b->X_SP),
                                     warm);
}

double carom_sweep_core_reach(const caromCore *c)
{
    switch (c->kind) {
    case CAROM_CORE_HULL: return c->hull->reach;
    case CAROM_CORE_FRUSTUM: return fmax(c->r0, c->r1) + fmax(fabs(c->z0), fabs(c->z1));
    case CAROM_CORE_ELLIPSOID: return fmax(c->h.x, fmax(c->h.y, c->h.z));
    default: return carom_norm(c->h);
    }
}

bool carom_sweep_pieces_direction(const caromPiece *a, const caromPiece *b, const caromPose *X_A, const caromPose *X_B,
                                  caromVec3 *n)
{
    caromPose A = carom_pose_mul(*X_A, a->X_SP), B = carom_pose_mul(*X_B, b->X_SP);
    caromConvexPair p = { .a = a->core, .b = b->core, .t = carom_tmul(A.R, carom_sub(B.p, A.p)) };
    p.R = carom_mat(carom_tmul(A.R, B.R.cx), carom_tmul(A.R, B.R.cy), carom_tmul(A.R, B.R.cz));
    double distance = carom_norm(p.t);
    p.scale = carom_sweep_core_reach(&p.a) + carom_sweep_core_reach(&p.b) + distance;
    caromWalk walk;
    carom_convex_walk_start(&p, &walk);
    if (carom_convex_walk(&p, CAROM_SWEEP_WALK*distance, &walk) == CAROM_WALK_INSIDE || !(walk.upper > 0.0))
        return false;
    *n = carom_mul(A.R, carom_scale(1.0/walk.upper, walk.simplex.v));
    return true;
}
