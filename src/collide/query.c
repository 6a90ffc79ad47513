// The public queries on two shapes.
//
// A and B are put in a fixed order first, so that swapping them mirrors the answer to the last bit; the pair is looked at in the frame of the first,
// so that only the distance between them enters, not where they are.
#include "collide/closed.h"
#include "collide/convex.h"
#include "collide/meshes.h"

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
int carom_pair_order(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    int c = compare(&X_WA->p.x, &X_WB->p.x, 3);
    if (c == 0) c = compare(&X_WA->R.cx.x, &X_WB->R.cx.x, 9);
    if (c == 0) c = compare(&a->size.x, &b->size.x, 3);
    if (c == 0) c = compare(&a->rounding, &b->rounding, 1);
    if (c == 0) c = compare_hulls(a->hull, b->hull);
    return c != 0 ? c : compare_meshes(a->mesh, b->mesh);
}

// ---- all pairs

// a and b in order of their kinds. features, places: what a warm start remembers of convex shapes and of meshes, or NULL.
static caromGap ordered_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, caromFeatures *features, int places[2])
{
    caromGap gap;
    if (!carom_shape_is_usable(a) || !carom_shape_is_usable(b)) return carom_gap_undefined((double)NAN);
    if (a->kind == CAROM_MESH || b->kind == CAROM_MESH) gap = carom_gap_mesh(a, X_WA, b, X_WB, places);
    else if (b->kind == CAROM_HALF_SPACE) gap = carom_gap_half_space(a, *X_WA, *X_WB);
    else if (a->kind == CAROM_TORUS) gap = carom_gap_torus(a, *X_WA, b, *X_WB);
    else if (b->kind == CAROM_TORUS) gap = carom_gap_mirrored(carom_gap_torus(b, *X_WB, a, *X_WA));
    else if (a->kind == CAROM_SPHERE && b->kind != CAROM_POLYTOPE) gap = carom_gap_ball(a->size.x, X_WA->p, b, X_WB);
    else if (a->kind == CAROM_CAPSULE && b->kind == CAROM_CAPSULE) gap = carom_gap_capsules(a, X_WA, b, X_WB);
    else gap = carom_gap_convex(a, X_WA, b, X_WB, features);
    return isnan(gap.g) ? carom_gap_undefined((double)NAN) : gap;
}

caromGap carom_collide_shapes(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (carom_pair_order(&a, &X_WA, &b, &X_WB) > 0) return carom_gap_mirrored(ordered_gap(&b, &X_WB, &a, &X_WA, NULL, NULL));
    return ordered_gap(&a, &X_WA, &b, &X_WB, NULL, NULL);
}

// features: n of a, three of a, n of b, three of b; a face instead of the three.
static caromFeatures remembered(const caromWarmStart *warm, bool swapped)
{
    const int *a = warm->features + (swapped ? 4 : 0), *b = warm->features + (swapped ? 0 : 4);
    return (caromFeatures){ .na = a[0], .nb = b[0], .a = { a[1], a[2], a[3] }, .b = { b[1], b[2], b[3] },
                            .face_a = a[0] == 3 ? a[1] : -1, .face_b = b[0] == 3 ? b[1] : -1 };
}

static void remember(caromWarmStart *warm, bool swapped, const caromFeatures *f)
{
    int *a = warm->features + (swapped ? 4 : 0), *b = warm->features + (swapped ? 0 : 4);
    a[0] = f->na, a[1] = f->na == 3 ? f->face_a : f->a[0], a[2] = f->a[1], a[3] = f->a[2];
    b[0] = f->nb, b[1] = f->nb == 3 ? f->face_b : f->b[0], b[2] = f->b[1], b[3] = f->b[2];
}

// Places of the nearest triangles, plus one: what was initialised with zeros remembers none.
static caromGap warm_mesh_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, int *of_a, int *of_b)
{
    int places[2] = { *of_a - 1, *of_b - 1 };
    caromGap gap = ordered_gap(a, X_WA, b, X_WB, NULL, places);
    *of_a = places[0] + 1;
    *of_b = places[1] + 1;
    return gap;
}

caromGap carom_collide_shapes_warm(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, caromWarmStart *warm)
{
    bool swapped = carom_pair_order(&a, &X_WA, &b, &X_WB) > 0;
    if (a.kind == CAROM_MESH || b.kind == CAROM_MESH) {
        int *of_a = &warm->features[0], *of_b = &warm->features[4];
        return swapped ? carom_gap_mirrored(warm_mesh_gap(&b, &X_WB, &a, &X_WA, of_b, of_a)) : warm_mesh_gap(&a, &X_WA, &b, &X_WB, of_a, of_b);
    }
    caromFeatures features = remembered(warm, swapped);
    caromGap gap = swapped ? carom_gap_mirrored(ordered_gap(&b, &X_WB, &a, &X_WA, &features, NULL)) : ordered_gap(&a, &X_WA, &b, &X_WB, &features, NULL);
    remember(warm, swapped, &features);
    return gap;
}

// Is the origin farther than the margin from all faces of the tetrahedron that holds it?
static bool is_well_inside(const caromSimplex *x, double margin)
{
    for (int k = 0; k < 4; k++) {
        caromVec3 a = x->s[(k + 1) & 3].w, n = carom_cross(carom_sub(x->s[(k + 2) & 3].w, a), carom_sub(x->s[(k + 3) & 3].w, a));
        if (!(fabs(carom_dot(n, a)) > margin*carom_norm(n))) return false;
    }
    return true;
}

// The walk alone tells it for sharp convex shapes; the others are asked for their gap.
static bool ordered_overlap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB)
{
    bool is_general = a->kind != CAROM_SPHERE && carom_shape_is_usable(a) && carom_shape_is_usable(b) && carom_shape_row(b->kind)->core;
    if ((a->kind == CAROM_MESH || b->kind == CAROM_MESH) && carom_shape_is_usable(a) && carom_shape_is_usable(b)) return carom_overlap_mesh(a, X_WA, b, X_WB);
    if (!is_general || carom_shape_core(a).radius + carom_shape_core(b).radius > 0.0) return ordered_gap(a, X_WA, b, X_WB, NULL, NULL).g <= 0.0;
    caromConvexPair p;
    carom_convex_pair(a, X_WA, b, X_WB, &p);
    if (!carom_convex_is_defined(&p)) return false;
    caromWalk walk;
    carom_walk_start(&p, &walk);
    caromWalkEnd end = carom_walk_overlap(&p, &walk);
    if (end == CAROM_WALK_APART && walk.lower > 1e-10*p.scale) return false;
    if (end == CAROM_WALK_INSIDE && walk.simplex.n == 4 && is_well_inside(&walk.simplex, 1e-10*p.scale)) return true;
    return ordered_gap(a, X_WA, b, X_WB, NULL, NULL).g <= 0.0;  // nearly touching: the gap decides, so that the two never differ
}

bool carom_collide_overlap(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (carom_pair_order(&a, &X_WA, &b, &X_WB) > 0) return ordered_overlap(&b, &X_WB, &a, &X_WA);
    return ordered_overlap(&a, &X_WA, &b, &X_WB);
}
