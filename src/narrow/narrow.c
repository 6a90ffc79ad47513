// Two shapes that are no meshes: which of the closed forms and searches answers for them.
//
// A and B are put in a fixed order first, so that swapping them mirrors the answer to the last bit; the pair is looked
// at in the frame of the first, so that only the distance between them enters, not where they are.
#include "geometry/mesh.h"
#include "narrow/closed.h"
#include "narrow/convex.h"
#include "narrow/scales.h"

// ---- order

static int compare(const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++) {
        if (a[k] < b[k]) return -1;
        if (a[k] > b[k]) return 1;
    }
    return 0;
}

static int compare_hulls(const caromHull *a, const caromHull *b)
{
    if (a == b || !a || !b) return 0;
    if (a->nvertex != b->nvertex) return a->nvertex < b->nvertex ? -1 : 1;
    return compare(&a->vertices[0].x, &b->vertices[0].x, 3*a->nvertex);
}

static int compare_meshes(const caromMesh *a, const caromMesh *b)
{
    if (a == b || !a || !b) return 0;
    if (a->nvertex != b->nvertex) return a->nvertex < b->nvertex ? -1 : 1;
    return compare(&a->vertices[0].x, &b->vertices[0].x, 3*a->nvertex);
}

// By what differs most often first: kind, place, then the rest. 0: the same shape at the same pose.
int carom_narrow_pair_order(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    int c = compare(&X_WA->p.x, &X_WB->p.x, 3);
    if (c == 0) c = compare(&X_WA->R.cx.x, &X_WB->R.cx.x, 9);
    if (c == 0) c = compare(&a->size.x, &b->size.x, 3);
    if (c == 0) c = compare(&a->rounding, &b->rounding, 1);
    if (c == 0) c = compare_hulls(a->hull, b->hull);
    return c != 0 ? c : compare_meshes(a->mesh, b->mesh);
}

// ---- what is not placed

bool carom_narrow_pose_is_finite(const caromPose *X)
{
    return carom_is_finite3(X->R.cx) && carom_is_finite3(X->R.cy) && carom_is_finite3(X->R.cz) &&
           carom_is_finite3(X->p);
}

caromGap carom_gap_refused(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    caromGap gap = carom_gap_undefined((double)NAN);
    bool is_finite = carom_narrow_shape_is_usable(a) && carom_narrow_shape_is_usable(b) &&
                     carom_narrow_pose_is_finite(X_WA) && carom_narrow_pose_is_finite(X_WB);
    if (is_finite) gap.status = CAROM_GAP_NO_ROTATION;
    return gap;
}

// ---- all pairs

static caromGap cores_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                          caromFeatures *features)
{
    caromCore of_a = carom_shape_core(a), of_b = carom_shape_core(b);
    if (carom_convex_core_is_segment(&of_a) && carom_convex_core_is_segment(&of_b))
        return carom_gap_segments(&of_a, X_WA, &of_b, X_WB);
    if (carom_convex_core_is_point(&of_a) && b->kind != CAROM_POLYTOPE)
        return carom_gap_ball(of_a.radius, X_WA->p, b, X_WB);
    if (carom_convex_core_is_point(&of_b) && a->kind != CAROM_POLYTOPE)
        return carom_gap_mirrored(carom_gap_ball(of_b.radius, X_WB->p, a, X_WA));
    return carom_convex_gap(a, X_WA, b, X_WB, features);
}

caromGap carom_narrow_ordered(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              caromFeatures *features)
{
    caromGap gap;
    if (b->kind == CAROM_HALF_SPACE) return carom_gap_half_space(a, *X_WA, *X_WB);  // which looks at them itself
    if (!carom_narrow_is_placed(a, X_WA) || !carom_narrow_is_placed(b, X_WB))
        return carom_gap_refused(a, X_WA, b, X_WB);
    if (a->kind == CAROM_TORUS) gap = carom_gap_torus(a, *X_WA, b, *X_WB);
    else if (b->kind == CAROM_TORUS) gap = carom_gap_mirrored(carom_gap_torus(b, *X_WB, a, *X_WA));
    else if (a->kind == CAROM_SPHERE && b->kind != CAROM_POLYTOPE) gap = carom_gap_ball(a->size.x, X_WA->p, b, X_WB);
    else gap = cores_gap(a, X_WA, b, X_WB, features);
    return isnan(gap.g) ? carom_gap_undefined((double)NAN) : gap;
}

caromGap carom_narrow_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    if (carom_narrow_pair_order(a, X_WA, b, X_WB) > 0)
        return carom_gap_mirrored(carom_narrow_ordered(b, X_WB, a, X_WA, NULL));
    return carom_narrow_ordered(a, X_WA, b, X_WB, NULL);
}

// Is the origin farther than the margin from all faces of the tetrahedron that holds it?
static bool is_well_inside(const caromSimplex *x, double margin)
{
    for (int k = 0; k < 4; k++) {
        caromVec3 a = x->s[(k + 1) & 3].w,
                  n = carom_cross(carom_sub(x->s[(k + 2) & 3].w, a), carom_sub(x->s[(k + 3) & 3].w, a));
        if (!(fabs(carom_dot(n, a)) > margin*carom_norm(n))) return false;
    }
    return true;
}

// g <= -depth, depth >= 0. The walk alone tells it for most convex shapes; the others are asked for their gap. Nearly
// touching the gap decides as well, so that the two never differ.
static bool ordered_is_deeper(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              double depth)
{
    bool is_general = a->kind != CAROM_SPHERE && carom_narrow_is_placed(a, X_WA) && carom_narrow_is_placed(b, X_WB) &&
                      carom_shape_row(b->kind)->core;
    if (!is_general) return carom_narrow_ordered(a, X_WA, b, X_WB, NULL).g <= -depth;
    caromConvexPair p;
    carom_convex_pair(a, X_WA, b, X_WB, &p);
    if (!carom_convex_is_defined(&p)) return false;
    caromWalk walk;
    double reach = p.a.radius + p.b.radius - depth, clear = CAROM_NARROW_CLEAR*p.scale;
    carom_convex_walk_start(&p, &walk);
    caromWalkEnd end = carom_convex_walk_overlap(&p, fmax(0.0, reach), &walk);
    if (end == CAROM_WALK_APART && walk.lower > reach + clear) return false;
    bool is_inside = end == CAROM_WALK_INSIDE;
    if (end != CAROM_WALK_APART && (is_inside ? 0.0 : walk.upper) < reach - clear) return true;
    if (is_inside && walk.simplex.n == 4 && is_well_inside(&walk.simplex, clear + fmax(0.0, -reach))) return true;
    return carom_narrow_ordered(a, X_WA, b, X_WB, NULL).g <= -depth;
}

bool carom_narrow_is_deeper(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                            double depth)
{
    return carom_narrow_pair_order(a, X_WA, b, X_WB) > 0 ? ordered_is_deeper(b, X_WB, a, X_WA, depth)
                                                         : ordered_is_deeper(a, X_WA, b, X_WB, depth);
}

bool carom_narrow_is_apart(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    caromConvexPair p;
    caromWalk walk;
    carom_convex_pair(a, X_WA, b, X_WB, &p);
    if (!carom_convex_is_defined(&p)) return false;
    double reach = p.a.radius + p.b.radius;
    carom_convex_walk_start(&p, &walk);
    return carom_convex_walk_overlap(&p, reach, &walk) == CAROM_WALK_APART &&
           walk.lower > reach + CAROM_NARROW_SAME*p.scale;
}

bool carom_narrow_overlap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    return carom_narrow_is_deeper(a, X_WA, b, X_WB, 0.0);
}
