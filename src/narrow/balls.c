// Closed forms for a ball against anything convex, and for two segments grown by radii (capsules).
#include "narrow/closed.h"

static caromGap gap_of_centres(caromVec3 p_A, double ra, caromVec3 p_B, double rb, caromVec3 fallback)
{
    caromVec3 n;
    double distance = carom_narrow_split(carom_sub(p_B, p_A), fallback, &n);
    caromGap g = { distance - ra - rb, n, carom_axpy(ra, n, p_A), carom_axpy(-rb, n, p_B), 0.0, CAROM_GAP_OK };
    g.error = carom_narrow_roundings(distance + ra + rb);
    return g;
}

caromGap carom_gap_ball(double radius, caromVec3 centre_W, const caromShape *b, const caromPose *X_WB)
{
    if (b->kind == CAROM_SPHERE) return gap_of_centres(centre_W, radius, X_WB->p, b->size.x, carom_vec(1, 0, 0));
    caromCore core = carom_shape_core(b);
    caromVec3 c = carom_tmul(X_WB->R, carom_sub(centre_W, X_WB->p)), on, n;
    double distance = carom_convex_core_point(&core, c, &on, &n);
    caromVec3 n_AB = carom_neg(carom_mul(X_WB->R, n));
    caromVec3 p_B = carom_pose_point(*X_WB, carom_axpy(core.radius, n, on));
    caromGap g = { distance - core.radius - radius, n_AB, carom_axpy(radius, n_AB, centre_W), p_B, 0.0, CAROM_GAP_OK };
    g.error = carom_narrow_roundings(fabs(distance) + core.radius + radius + carom_norm(c));
    return g;
}

// Axes p_A + s u and p_B + t w, |s| <= ha, |t| <= hb; r from the centre of A to that of B.
typedef struct Axes {
    caromVec3 u, w, r;
    double ha, hb;
} Axes;

static double separation(const Axes *p, caromVec3 n)
{
    return carom_dot(n, p->r) - p->ha*fabs(carom_dot(n, p->u)) - p->hb*fabs(carom_dot(n, p->w));
}

static void take_better(const Axes *p, caromVec3 n, caromVec3 *best)
{
    if (separation(p, n) > separation(p, *best)) *best = n;
}

// Twice: what is left after the first time may be small.
static caromVec3 unit_square_to(caromVec3 n, caromVec3 axis)
{
    for (int k = 0; k < 2; k++) carom_narrow_split(carom_axpy(-carom_dot(n, axis), axis, n), n, &n);
    return n;
}

static void take_best_near(const Axes *p, caromVec3 direction, caromVec3 *best)
{
    caromVec3 n;
    carom_narrow_split(direction, *best, &n);
    take_better(p, n, best);
    take_better(p, unit_square_to(n, p->u), best);
    take_better(p, unit_square_to(n, p->w), best);
}

// Axes that meet, or nearly: the line between their nearest points is rounding and tells no normal. The distance is the
// most that any direction separates them by, and where it is attained the normal is the line's direction n, square to
// each axis that is met between its ends, to both of them, or, where an end is met, any that leads away from it.
static caromVec3 sharpened(const Axes *p, caromVec3 n)
{
    caromVec3 both = carom_cross(p->u, p->w), sum = carom_add(p->u, p->w), difference = carom_sub(p->u, p->w), best = n;
    const caromVec3 candidates[] = { n, both, carom_neg(both), carom_geometry_square_to(p->u), sum, carom_neg(sum),
                                     difference, carom_neg(difference) };
    for (size_t k = 0; k < sizeof candidates/sizeof *candidates; k++) take_best_near(p, candidates[k], &best);
    return best;
}

static caromGap gap_across(caromVec3 middle, double ra, double rb, caromVec3 n, double distance)
{
    return (caromGap){ distance - ra - rb, n, carom_axpy(ra - 0.5*distance, n, middle),
                       carom_axpy(0.5*distance - rb, n, middle), 0.0, CAROM_GAP_OK };
}

// Where both ends are free the line between the axes is square to both; if they nearly meet, only that is left to tell
// the normal.
static caromGap gap_of_axes(const Axes *p, double ra, double rb)
{
    caromVec3 n = carom_cross(p->u, p->w);
    double ha = p->ha, hb = p->hb, c = carom_dot(p->u, p->w), det = carom_norm2(n);
    double s = det > 0.0 ? carom_dot(carom_cross(p->r, p->w), n)/det : 0.0,
           t = c*carom_narrow_clamp(s, ha) - carom_dot(p->r, p->w);
    bool is_free = det > 0.0 && fabs(s) < ha && fabs(t) < hb;
    s = carom_narrow_clamp(s, ha);
    if (fabs(t) > hb) t = carom_narrow_clamp(t, hb), s = carom_narrow_clamp(carom_dot(p->r, p->u) + c*t, ha);
    caromVec3 any = carom_cross(p->u, fabs(p->u.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0)),
              across = carom_unit_or(any, carom_vec(1, 0, 0));
    caromVec3 x = carom_scale(s, p->u), y = carom_axpy(t, p->w, p->r), middle = carom_scale(0.5, carom_add(x, y));
    double size = carom_norm(p->r) + ha + hb;
    caromGap g = gap_of_centres(x, ra, y, rb, across);
    double distance = g.g + ra + rb, told = distance;
    if (is_free && distance < sqrt(det)*size) {
        n = carom_scale(1.0/sqrt(det), n);
        told = carom_dot(n, p->r);
        if (told < 0.0) n = carom_neg(n), told = -told;
        g = gap_across(middle, ra, rb, n, told);
    }
    bool is_sharp = fabs(told - distance) <= carom_narrow_roundings(size) &&
                    told - separation(p, g.n_AB) <= CAROM_NARROW_SAME*size;
    if (!is_sharp) {
        n = sharpened(p, g.n_AB);
        g = gap_across(middle, ra, rb, n, separation(p, n));
    }
    g.error = carom_narrow_roundings(size + ra + rb);
    return g;
}

static int axis_of(const caromCore *core)
{
    return core->h.x > 0.0 ? 0 : core->h.y > 0.0 ? 1 : 2;
}

static caromVec3 column(const caromMat3 *R, int k)
{
    return k == 0 ? R->cx : k == 1 ? R->cy : R->cz;
}

static int dimension(const caromCore *core)
{
    return core->kind == CAROM_CORE_BOX ? (core->h.x > 0.0) + (core->h.y > 0.0) + (core->h.z > 0.0) : 3;
}

bool carom_convex_core_is_segment(const caromCore *core)
{
    return dimension(core) <= 1;
}

bool carom_convex_core_is_point(const caromCore *core)
{
    return dimension(core) == 0;
}

caromGap carom_gap_segments(const caromCore *a, const caromPose *X_WA, const caromCore *b, const caromPose *X_WB)
{
    int ka = axis_of(a), kb = axis_of(b);
    Axes axes = { .u = column(&X_WA->R, ka), .w = column(&X_WB->R, kb), .r = carom_sub(X_WB->p, X_WA->p),
                  .ha = carom_at(a->h, ka), .hb = carom_at(b->h, kb) };
    caromGap g = gap_of_axes(&axes, a->radius, b->radius);
    g.p_A = carom_add(X_WA->p, g.p_A);
    g.p_B = carom_add(X_WA->p, g.p_B);
    return g;
}
