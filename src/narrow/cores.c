// Signed distance of two convex shapes: the walk, the solution for the features found, and the way out when the cores
// overlap.
#include "narrow/convex.h"
#include "narrow/narrow.h"
#include "narrow/scales.h"

static void simplex_gap(const caromWalk *walk, caromConvexGap *gap)
{
    carom_convex_simplex_points(&walk->simplex, &gap->x, &gap->y);
    gap->g = walk->upper;
    gap->n = carom_scale(1.0/walk->upper, walk->simplex.v);
    gap->error = walk->upper - walk->lower;
}

// What features are known to that pass for the nearest: the same however they were found.
static double feature_error(const caromConvexPair *p)
{
    return CAROM_NARROW_SAME*p->scale;
}

static const caromFeatures no_features = { .face_a = -1, .face_b = -1 };

static caromConvexGap plane_faced_gap(const caromConvexPair *p, caromFeatures *found)
{
    caromWalk walk;
    caromConvexGap gap;
    *found = no_features;
    carom_convex_walk_start(p, &walk);
    if (carom_convex_walk(p, 0.0, &walk) == CAROM_WALK_INSIDE) {
        gap = CAROM_NO_GAP;
        carom_convex_expand(p, &walk, &gap);
        return gap;
    }
    *found = carom_convex_features_of(p, &walk.simplex);
    gap = carom_convex_features_gap(p, found, &walk.simplex);
    if (!(fabs(gap.g - walk.upper) <= CAROM_NARROW_SOLVED*p->scale)) {
        simplex_gap(&walk, &gap);
        *found = no_features;
    }
    gap.error = walk.upper - walk.lower;
    // Close to each other a line from a vertex tells its direction to few digits only; faces and pairs of
    // edges tell theirs to all.
    bool is_sharp = found->face_a >= 0 || found->face_b >= 0;
    if (gap.error > feature_error(p) || (!is_sharp && walk.upper < CAROM_NARROW_CLOSE*p->scale))
        gap.error = fabs(gap.g - carom_convex_phi(p, gap.n));
    if (gap.error > feature_error(p)) {
        *found = no_features;
        carom_convex_features_sharpen(p, &walk.simplex, &gap);
    }
    gap.error = fmax(gap.error, feature_error(p));
    return gap;
}

// Solutions are tried for from early on: the nearer the walk has come, the surer they are found.
static caromConvexGap curved_gap(const caromConvexPair *p)
{
    static const double stages[] = { 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 };
    const double safe_depth = carom_convex_core_least_radius(&p->a) + carom_convex_core_least_radius(&p->b);
    caromWalk walk;
    caromConvexGap gap, overlap = CAROM_NO_GAP;
    carom_convex_walk_start(p, &walk);
    for (size_t k = 0; k < sizeof stages/sizeof *stages; k++) {
        caromWalkEnd end = carom_convex_walk(p, stages[k]*p->scale, &walk);
        if (end == CAROM_WALK_INSIDE) {
            carom_convex_expand(p, &walk, &overlap);
            return overlap;
        }
        if (carom_convex_curved_polish(p, carom_scale(1.0/walk.upper, walk.simplex.v), &walk.simplex, false, (int)k,
                                       &gap)) {
            // x in A and y in B with y - x = g n: touching, whichever the sign.
            if (fabs(gap.g) <= CAROM_NARROW_SAME*p->scale) gap.error += 2.0*fabs(gap.g);
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
    g.error = fmax(c->error, 0.0) + CAROM_NARROW_POSITION*p->scale;
    g.status = isfinite(g.g) && g.error <= CAROM_NARROW_PRECISE*p->scale ? CAROM_GAP_OK : CAROM_GAP_IMPRECISE;
    return g;
}

static bool is_polytope_pair(const caromConvexPair *p)
{
    return carom_convex_core_is_polytope(&p->a) && carom_convex_core_is_polytope(&p->b);
}

caromGap carom_convex_gap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                          caromFeatures *features)
{
    caromConvexPair p;
    carom_convex_pair(a, X_WA, b, X_WB, &p);
    if (!carom_convex_is_defined(&p)) return carom_gap_undefined((double)NAN);
    caromConvexGap gap;
    if (!is_polytope_pair(&p)) gap = curved_gap(&p);
    else if (features && features->na > 0 && carom_convex_features_are_valid(&p, features, &gap))
        gap.error = feature_error(&p);
    else {
        caromFeatures found;
        gap = plane_faced_gap(&p, &found);
        if (features) *features = found;
    }
    return in_world(&p, &gap, X_WA);
}
