#include "collide_checks.h"

#include <float.h>

static const double unit_roundoff = 0.5*DBL_EPSILON;
enum { FAILURES_SHOWN = 2 };  // of each kind

static RefBody body_a(const Pair *p)
{
    return ref_body(p->a, p->X_WA, p->hull_a);
}

static RefBody body_b(const Pair *p)
{
    return ref_body(p->b, p->X_WB, p->hull_b);
}

static double radius_of(caromShape s)
{
    return s.kind == CAROM_HALF_SPACE ? 0 : carom_shape_radius(s);
}

double pair_size(const Pair *p)
{
    double size = fmax(radius_of(p->a), radius_of(p->b));
    // Distance from the plane, wherever its origin is.
    if (p->a.kind == CAROM_HALF_SPACE || p->b.kind == CAROM_HALF_SPACE) {
        bool a = p->a.kind == CAROM_HALF_SPACE;
        caromPose plane = a ? p->X_WA : p->X_WB, other = a ? p->X_WB : p->X_WA;
        return fmax(size, fabs(carom_dot(plane.R.cz, carom_sub(other.p, plane.p))));
    }
    return fmax(size, carom_norm(carom_sub(p->X_WB.p, p->X_WA.p)));
}

static bool has_curved_core(caromShape s)
{
    return s.kind == CAROM_ELLIPSOID || s.kind == CAROM_CYLINDER || s.kind == CAROM_CONE || s.kind == CAROM_TORUS;
}

double pair_tolerance(const Pair *p)
{
    bool plane = p->a.kind == CAROM_HALF_SPACE || p->b.kind == CAROM_HALF_SPACE;
    return pair_size(p)*(!plane && (has_curved_core(p->a) || has_curved_core(p->b)) ? 1e-9 : 1e-12);
}

bool pair_is_same(const Pair *p)
{
    bool shape = p->a.kind == p->b.kind && p->a.rounding == p->b.rounding && p->a.hull == p->b.hull &&
                 memcmp(&p->a.size, &p->b.size, sizeof p->a.size) == 0;
    return shape && memcmp(&p->X_WA, &p->X_WB, sizeof p->X_WA) == 0;
}

static bool equal_vec(caromVec3 a, caromVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same_bits(caromGap a, caromGap b)
{
    return memcmp(&a.g, &b.g, sizeof a.g) == 0 && memcmp(&a.n_AB, &b.n_AB, sizeof a.n_AB) == 0 &&
           memcmp(&a.p_A, &b.p_A, sizeof a.p_A) == 0 && memcmp(&a.p_B, &b.p_B, sizeof a.p_B) == 0 &&
           memcmp(&a.error, &b.error, sizeof a.error) == 0 && a.status == b.status;
}

static void describe_shape(const char *name, caromShape s, caromPose X)
{
    double rounding = s.kind == CAROM_POLYTOPE ? carom_hull_rounding(s.hull) : s.rounding;
    print_message("    %s: %s size (%.17g, %.17g, %.17g) rounding %.17g\n", name, carom_shape_kind_name(s.kind),
                  s.size.x, s.size.y, s.size.z, rounding);
    caromQuat q = carom_quat_of(X.R);
    print_message("       at (%.17g, %.17g, %.17g) turned (%.17g, %.17g, %.17g, %.17g)\n", X.p.x, X.p.y, X.p.z, q.w,
                  q.x, q.y, q.z);
}

void pair_print(const Pair *p)
{
    describe_shape("A", p->a, p->X_WA);
    describe_shape("B", p->b, p->X_WB);
}

bool tally_fails(Tally *tally, const char *what, int n)
{
    int i = 0;
    while (i < REASONS_MAX - 1 && tally->reasons[i].what && strcmp(tally->reasons[i].what, what) != 0) i++;
    tally->reasons[i].what = what, tally->reasons[i].n += n, tally->failed += n;
    return tally->reasons[i].n <= FAILURES_SHOWN;
}

// False, and says why for the first few.
static bool wrong(const Pair *p, Tally *tally, const char *what, double found, double expected, double tolerance)
{
    if (!tally_fails(tally, what, 1)) return false;
    print_message("  %s: %s: %.17g, expected %.17g within %.3g\n", tally->name, what, found, expected, tolerance);
    pair_print(p);
    return false;
}

// p_B - p_A = g n up to rounding: turning a point into W costs 3 sqrt(3) u of the size, for each of the two, and adding
// the position u of that; g n likewise. Witness points are in the shapes and in the planes that support them.
static bool check_witnesses(const Pair *p, const RefBody *a, const RefBody *b, caromGap g, double tolerance,
                            Tally *tally)
{
    caromVec3 left = carom_sub(carom_sub(g.p_B, g.p_A), carom_scale(g.g, g.n_AB));
    double rounding = 16*unit_roundoff*(carom_norm(g.p_A) + carom_norm(g.p_B) + pair_size(p));
    if (!(carom_norm(left) <= rounding)) return wrong(p, tally, "|p_B - p_A - g n|", carom_norm(left), 0, rounding);
    RefVec n = ref_unit(ref_from(g.n_AB)), back = ref_scale(-1, n), p_A = ref_from(g.p_A), p_B = ref_from(g.p_B);
    double out = (double)fmaxl(ref_outside(a, p_A), ref_outside(b, p_B));
    double below = (double)fmaxl(ref_extent(a, n, p_A), ref_extent(b, back, p_B));
    double off = fmax(out, below) - rounding;
    tally->surface = fmax(tally->surface, off/pair_size(p));
    if (!(out <= tolerance + rounding)) return wrong(p, tally, "a witness is outside by", out, 0, tolerance + rounding);
    if (!(below <= tolerance + rounding))
        return wrong(p, tally, "a witness is below the supporting plane by", below, 0, tolerance + rounding);
    return true;
}

static bool check_swapped(const Pair *p, caromGap g, Tally *tally)
{
    if (pair_is_same(p)) return true;
    caromGap s = carom_collide_shapes(p->b, p->X_WB, p->a, p->X_WA);
    if (s.g != g.g || s.error != g.error || s.status != g.status) return wrong(p, tally, "swapped g", s.g, g.g, 0);
    if (!equal_vec(s.n_AB, carom_neg(g.n_AB)))
        return wrong(p, tally, "swapped n is not -n: off by", carom_norm(carom_add(s.n_AB, g.n_AB)), 0, 0);
    if (!equal_vec(s.p_A, g.p_B))
        return wrong(p, tally, "swapped p_A is not p_B: off by", carom_norm(carom_sub(s.p_A, g.p_B)), 0, 0);
    if (!equal_vec(s.p_B, g.p_A))
        return wrong(p, tally, "swapped p_B is not p_A: off by", carom_norm(carom_sub(s.p_B, g.p_A)), 0, 0);
    return true;
}

static bool check_sign(const Pair *p, caromGap g, double exact, double uncertainty, Tally *tally)
{
    if (fabs(exact) - uncertainty <= 1e-14*pair_size(p)) return true;  // touching: either will do
    if ((g.g > 0) != (exact > 0)) return wrong(p, tally, "sign of g", g.g, exact, 0);
    bool overlap = carom_collide_overlap(p->a, p->X_WA, p->b, p->X_WB);
    if (overlap != (exact < 0)) return wrong(p, tally, "carom_collide_overlap", overlap, exact < 0, 0);
    return true;
}

bool check_pair(const Pair *p, double exact, double uncertainty, Tally *tally)
{
    double size = pair_size(p), tolerance = pair_tolerance(p);
    caromGap g = carom_collide_shapes(p->a, p->X_WA, p->b, p->X_WB);
    tally->n++;
    if (g.status != CAROM_GAP_OK) {
        tally->not_ok++;
        return wrong(p, tally, "status", g.status, CAROM_GAP_OK, 0);
    }
    double off = fmax(0, fabs(g.g - exact) - uncertainty);
    tally->g = fmax(tally->g, off/size);
    if (!(off <= tolerance)) return wrong(p, tally, "g", g.g, exact, tolerance + uncertainty);
    if (off > 0) tally->bound = fmax(tally->bound, off/g.error);
    if (!(off <= g.error)) return wrong(p, tally, "error of g is above its bound", off, 0, g.error);
    if (!check_sign(p, g, exact, uncertainty, tally)) return false;
    double unit = 16*unit_roundoff;  // turned by matrices that are orthogonal to 8 u
    if (!(fabs(carom_norm(g.n_AB) - 1) <= unit)) return wrong(p, tally, "|n|", carom_norm(g.n_AB), 1, unit);
    RefBody a = body_a(p), b = body_b(p);
    double phi = (double)ref_phi(&a, &b, ref_unit(ref_from(g.n_AB))), gap = fabs(phi - g.g);
    tally->duality = fmax(tally->duality, gap/size);
    if (!(gap <= tolerance)) return wrong(p, tally, "phi(n)", phi, g.g, tolerance);
    return check_witnesses(p, &a, &b, g, tolerance, tally) && check_swapped(p, g, tally);
}

bool check_pair_by_reference(const Pair *p, Tally *tally)
{
    RefBody a = body_a(p), b = body_b(p);
    RefGap g = ref_gap(&a, &b, 0);
    return check_pair(p, (double)(g.g + g.uncertainty/2), (double)(g.uncertainty/2 + fabsl(g.g)*0x1p-53L), tally);
}

// How far rounding moves one body against the other when both poses are multiplied by X_VW: entries of R are sums of
// three products (3 u each), X_VW.R itself is orthogonal to 4 u or so; positions are sums of four terms. With sqrt(3)
// from entries to length all is below 16 u of what takes part.
static double rounding_of_motion(const Pair *p, caromPose X)
{
    double arms = carom_norm(p->X_WA.p) + carom_norm(p->X_WB.p);
    // The plane turns about its own origin.
    if (p->a.kind == CAROM_HALF_SPACE || p->b.kind == CAROM_HALF_SPACE) arms *= 2;
    return 16*unit_roundoff*(radius_of(p->a) + radius_of(p->b) + arms + carom_norm(X.p));
}

bool check_moved(const Pair *p, caromPose X, Tally *tally)
{
    Pair moved = *p;
    moved.X_WA = carom_pose_mul(X, p->X_WA), moved.X_WB = carom_pose_mul(X, p->X_WB);
    caromGap g = carom_collide_shapes(p->a, p->X_WA, p->b, p->X_WB),
             m = carom_collide_shapes(moved.a, moved.X_WA, moved.b, moved.X_WB);
    double rounding = rounding_of_motion(p, X), allowed = rounding + g.error + m.error;
    if (m.status != g.status) return wrong(p, tally, "status after a motion of both", m.status, g.status, 0);
    tally->moved = fmax(tally->moved, (fabs(m.g - g.g) - rounding)/pair_size(p));
    if (!(fabs(m.g - g.g) <= allowed)) return wrong(p, tally, "g after a motion of both", m.g, g.g, allowed);
    RefBody a = body_a(p), b = body_b(p);
    RefVec n = ref_unit(ref_from(carom_tmul(X.R, m.n_AB)));
    if (a.core == REF_HALF_SPACE || b.core == REF_HALF_SPACE) return true;  // phi is finite along one direction only
    double phi = (double)ref_phi(&a, &b, n);
    if (!(phi >= g.g - allowed - pair_tolerance(p)))
        return wrong(p, tally, "phi(n) after a motion of both", phi, g.g, allowed + pair_tolerance(p));
    return true;
}

bool check_warm(const Pair *p, caromWarmStart *warm, Tally *tally)
{
    caromGap cold = carom_collide_shapes(p->a, p->X_WA, p->b, p->X_WB);
    for (int k = 0; k < 2; k++) {
        caromGap g = carom_collide_shapes_warm(p->a, p->X_WA, p->b, p->X_WB, warm);
        if (same_bits(g, cold)) continue;
        if (g.g != cold.g) return wrong(p, tally, "warm start changes g", g.g, cold.g, 0);
        if (!equal_vec(g.n_AB, cold.n_AB))
            return wrong(p, tally, "warm start changes n by", carom_norm(carom_sub(g.n_AB, cold.n_AB)), 0, 0);
        if (!equal_vec(g.p_A, cold.p_A))
            return wrong(p, tally, "warm start changes p_A by", carom_norm(carom_sub(g.p_A, cold.p_A)), 0, 0);
        if (!equal_vec(g.p_B, cold.p_B))
            return wrong(p, tally, "warm start changes p_B by", carom_norm(carom_sub(g.p_B, cold.p_B)), 0, 0);
        if (g.error != cold.error) return wrong(p, tally, "warm start changes the error bound", g.error, cold.error, 0);
        return wrong(p, tally, "warm start changes the status or the sign of a zero", g.status, cold.status, 0);
    }
    return true;
}

void tally_add(Tally *sum, const Tally *t)
{
    sum->n += t->n, sum->not_ok += t->not_ok;
    for (int i = 0; i < REASONS_MAX && t->reasons[i].what; i++)
        if (t->reasons[i].n) tally_fails(sum, t->reasons[i].what, t->reasons[i].n);
    sum->g = fmax(sum->g, t->g), sum->bound = fmax(sum->bound, t->bound), sum->duality = fmax(sum->duality, t->duality);
    sum->surface = fmax(sum->surface, t->surface), sum->moved = fmax(sum->moved, t->moved);
}

void tally_print(const Tally *t)
{
    print_message("  %-28s %6d pairs %6d failed (%d not OK)  worst: g %.1e  error/bound %.2g  duality %.1e  witness "
                  "%.1e  moved %.1e\n", t->name, t->n, t->failed, t->not_ok, t->g, t->bound, t->duality, t->surface,
                  t->moved);
    for (int i = 0; i < REASONS_MAX && t->reasons[i].what; i++)
        print_message("    %6d  %s\n", t->reasons[i].n, t->reasons[i].what);
}

caromVec3 random_unit(Random *r)
{
    caromVec3 d;
    do d = carom_vec(random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1));
    while (carom_norm(d) < 0.1 || carom_norm(d) > 1);
    return carom_scale(1/carom_norm(d), d);
}

caromPose random_pose(Random *r, double size)
{
    double angle = random_uniform(r, -3, 3);
    caromVec3 axis = random_unit(r), p = random_unit(r);
    return carom_pose(carom_quat_matrix(carom_quat_axis_angle(axis, angle)),
                      carom_scale(random_uniform(r, 0, size), p));
}

caromPose at(double x, double y, double z)
{
    return carom_pose(carom_mat_identity(), carom_vec(x, y, z));
}

caromPose turned_at(caromVec3 axis, double angle, double x, double y, double z)
{
    axis = carom_unit_or(axis, carom_vec(0, 0, 1));
    return carom_pose(carom_quat_matrix(carom_quat_axis_angle(axis, angle)), carom_vec(x, y, z));
}
