// The public queries on two shapes.
//
// A and B are put in a fixed order first, so that swapping them mirrors the answer to the last bit; the pair is looked at in the frame of the first,
// so that only the distance between them enters, not where they are.
#include <string.h>

#include "collide/closed.h"
#include "collide/convex.h"

// ---- order

static int compare(const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++) {
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    }
    return 0;
}

static int compare_hulls(const caromHull *a, const caromHull *b)
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
    return c != 0 ? c : compare_hulls(a->hull, b->hull);
}

// ---- two convex cores

static void simplex_gap(const caromWalk *walk, caromConvexGap *gap)
{
    carom_simplex_points(&walk->simplex, &gap->x, &gap->y);
    gap->g = walk->upper;
    gap->n = carom_scale(1.0/walk->upper, walk->simplex.v);
    gap->error = walk->upper - walk->lower;
}

// What features are known to that pass for the nearest: the same however they were found.
static double feature_error(const caromConvexPair *p)
{
    return 1e-13*p->scale;
}

static caromConvexGap plane_faced_gap(const caromConvexPair *p, caromFeatures *found)
{
    caromWalk walk;
    caromConvexGap gap;
    *found = (caromFeatures){ 0 };
    carom_walk_start(p, &walk);
    if (carom_walk(p, 0.0, &walk) == CAROM_WALK_INSIDE) {
        gap = CAROM_NO_GAP;
        carom_expand(p, &walk, &gap);
        return gap;
    }
    *found = carom_features_of(p, &walk.simplex);
    gap = carom_features_gap(p, found, &walk.simplex);
    if (!(fabs(gap.g - walk.upper) <= 1e-12*p->scale)) {
        simplex_gap(&walk, &gap);
        *found = (caromFeatures){ 0 };
    }
    gap.error = walk.upper - walk.lower;
    // Close to each other a line from a vertex tells its direction to few digits only; faces and pairs of edges tell theirs to all.
    bool is_sharp = found->face_a >= 0 || found->face_b >= 0;
    if (gap.error > feature_error(p) || (!is_sharp && walk.upper < 1e-4*p->scale)) gap.error = fabs(gap.g - carom_convex_phi(p, gap.n));
    if (gap.error > feature_error(p)) {
        *found = (caromFeatures){ 0 };
        carom_features_sharpen(p, &walk.simplex, &gap);
    }
    gap.error = fmax(gap.error, feature_error(p));
    return gap;
}

// Solutions are tried for from early on: the nearer the walk has come, the surer they are found.
static caromConvexGap curved_gap(const caromConvexPair *p)
{
    static const double stages[] = { 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 };
    const double safe_depth = carom_core_least_radius(&p->a) + carom_core_least_radius(&p->b);
    caromWalk walk;
    caromConvexGap gap, overlap = CAROM_NO_GAP;
    carom_walk_start(p, &walk);
    for (size_t k = 0; k < sizeof stages/sizeof *stages; k++) {
        caromWalkEnd end = carom_walk(p, stages[k]*p->scale, &walk);
        if (end == CAROM_WALK_INSIDE) {
            carom_expand(p, &walk, &overlap);
            return overlap;
        }
        if (carom_curved_polish(p, carom_scale(1.0/walk.upper, walk.simplex.v), &walk.simplex, false, (int)k, &gap)) {
            // x in A and y in B with y - x = g n: touching, whichever the sign.
            if (fabs(gap.g) <= 1e-13*p->scale) gap.error += 2.0*fabs(gap.g);
            else if (gap.g < -safe_depth) {
                if (gap.g > overlap.g) overlap = gap;
                continue;
            }
            return gap;
        }
        if (end == CAROM_WALK_STUCK) break;
    }
    simplex_gap(&walk, &gap);
    if (!(overlap.g >= walk.lower)) return gap;
    overlap.error += walk.upper - overlap.g;  // touching: g lies between the two
    return overlap;
}

static caromGap in_world(const caromConvexPair *p, const caromConvexGap *c, const caromPose *X_WA)
{
    // The line between the points is along n to rounding of the solution; then it is so to the last bits.
    double ra = p->a.radius, rb = p->b.radius;
    caromGap g = { .g = c->g - ra - rb, .n_AB = carom_mul(X_WA->R, c->n) };
    caromVec3 middle = carom_axpy(0.5*(ra - rb), c->n, carom_scale(0.5, carom_add(c->x, c->y)));
    g.p_A = carom_pose_point(*X_WA, carom_axpy(-0.5*g.g, c->n, middle));
    g.p_B = carom_pose_point(*X_WA, carom_axpy(0.5*g.g, c->n, middle));
    g.error = fmax(c->error, 0.0) + 1e-14*p->scale;
    g.status = g.error <= 1e-9*p->scale ? CAROM_GAP_OK : CAROM_GAP_IMPRECISE;
    return g;
}

static bool is_polytope_pair(const caromConvexPair *p)
{
    return carom_core_is_polytope(&p->a) && carom_core_is_polytope(&p->b);
}

static caromGap convex_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, caromFeatures *features)
{
    caromConvexPair p;
    carom_convex_pair(a, X_WA, b, X_WB, &p);
    if (!isfinite(p.scale)) return carom_gap_undefined((double)NAN);
    caromConvexGap gap;
    if (!is_polytope_pair(&p)) gap = curved_gap(&p);
    else if (features && features->na > 0 && carom_features_hold(&p, features, &gap)) gap.error = feature_error(&p);
    else {
        caromFeatures found;
        gap = plane_faced_gap(&p, &found);
        if (features) *features = found;
    }
    return in_world(&p, &gap, X_WA);
}

// a and b in order of their kinds. features: what a warm start remembers, or NULL.
static caromGap ordered_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB, caromFeatures *features)
{
    caromGap gap;
    if (!carom_shape_is_usable(a) || !carom_shape_is_usable(b)) return carom_gap_undefined((double)NAN);
    if (b->kind == CAROM_HALF_SPACE) gap = carom_gap_half_space(a, *X_WA, *X_WB);
    else if (a->kind == CAROM_TORUS) gap = carom_gap_torus(a, *X_WA, b, *X_WB);
    else if (b->kind == CAROM_TORUS) gap = carom_gap_mirrored(carom_gap_torus(b, *X_WB, a, *X_WA));
    else if (a->kind == CAROM_SPHERE && b->kind != CAROM_POLYTOPE) gap = carom_gap_ball(a->size.x, X_WA->p, b, X_WB);
    else if (a->kind == CAROM_CAPSULE && b->kind == CAROM_CAPSULE) gap = carom_gap_capsules(a, X_WA, b, X_WB);
    else gap = convex_gap(a, X_WA, b, X_WB, features);
    return isnan(gap.g) ? carom_gap_undefined((double)NAN) : gap;
}

caromGap carom_collide_shapes(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (carom_pair_order(&a, &X_WA, &b, &X_WB) > 0) return carom_gap_mirrored(ordered_gap(&b, &X_WB, &a, &X_WA, NULL));
    return ordered_gap(&a, &X_WA, &b, &X_WB, NULL);
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

caromGap carom_collide_shapes_warm(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, caromWarmStart *warm)
{
    bool swapped = carom_pair_order(&a, &X_WA, &b, &X_WB) > 0;
    caromFeatures features = remembered(warm, swapped);
    caromGap gap = swapped ? carom_gap_mirrored(ordered_gap(&b, &X_WB, &a, &X_WA, &features)) : ordered_gap(&a, &X_WA, &b, &X_WB, &features);
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
bool carom_collide_overlap(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    if (carom_pair_order(&a, &X_WA, &b, &X_WB) > 0) return carom_collide_overlap(b, X_WB, a, X_WA);
    bool is_general = a.kind != CAROM_SPHERE && carom_shape_is_usable(&a) && carom_shape_is_usable(&b) && carom_shape_row(b.kind)->core;
    if (!is_general || carom_shape_core(&a).radius + carom_shape_core(&b).radius > 0.0) return ordered_gap(&a, &X_WA, &b, &X_WB, NULL).g <= 0.0;
    caromConvexPair p;
    carom_convex_pair(&a, &X_WA, &b, &X_WB, &p);
    if (!isfinite(p.scale)) return false;
    caromWalk walk;
    carom_walk_start(&p, &walk);
    caromWalkEnd end = carom_walk_overlap(&p, &walk);
    if (end == CAROM_WALK_APART && walk.lower > 1e-10*p.scale) return false;
    if (end == CAROM_WALK_INSIDE && walk.simplex.n == 4 && is_well_inside(&walk.simplex, 1e-10*p.scale)) return true;
    return ordered_gap(&a, &X_WA, &b, &X_WB, NULL).g <= 0.0;  // nearly touching: the gap decides, so that the two never differ
}
