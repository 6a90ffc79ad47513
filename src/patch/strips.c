// Bodies of revolution in anything convex and in tori: A presses with the part of its surface that is inside B,
//
//     W = integral of D^2/2 over the part of A's surface inside B,     force on B = integral of D grad D
//
// with D the depth in B (soft.h). The gradient of W is that integral of D grad D and nothing else, since D is 0 where
// the part ends; its rim on A, where D is not 0, does not move on A. Point, line, rim, tip and face are one formula.
#include "geometry/geometry.h"
#include "patch/deep.h"
#include "patch/scales.h"
#include "patch/strips.h"
#include "patch/table.h"

static caromPose pose_in(caromPose X_WA, caromPose X_WB)
{
    return (caromPose){ carom_mat_mul(carom_transpose(X_WB.R), X_WA.R), carom_pose_inverse_point(X_WB, X_WA.p) };
}

typedef struct StripFilling {
    caromPose X_WB;
    caromPatch *patch;
} StripFilling;

static void add_cell(const caromStripPoint *at, void *user)
{
    const StripFilling *f = user;
    double size = carom_norm(at->gradient);
    caromVec3 n = carom_unit_or(at->gradient, carom_vec(0, 0, 1)), p = carom_axpy(-0.5*at->depth, n, at->p);
    caromCell cell = { carom_pose_point(f->X_WB, p), carom_mul(f->X_WB.R, n), at->weight*size };
    carom_patch_cell(f->patch, &cell);
}

static caromStripSum fill(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                          const caromStiffening *stiff, caromPatch *patch)
{
    StripFilling to = { X_WB, patch };
    caromStripVisitor visitor = { .point = add_cell, .user = &to };
    carom_patch_clear(patch);
    caromStripSum sum = carom_patch_strip_sum(a, b, pose_in(X_WA, X_WB), stiff, &visitor);
    patch->depth = sum.depth;
    patch->energy = sum.energy;
    return sum;
}

static void strips_patch(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch)
{
    fill(a, X_WA, b, X_WB, NULL, patch);
}

static double energy_with(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                          const caromStiffening *stiff)
{
    return carom_patch_strip_sum(a, b, pose_in(X_WA, X_WB), stiff, &(caromStripVisitor){ 0 }).energy;
}

static double strips_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    return energy_with(a, X_WA, b, X_WB, NULL);
}

// ---- deep
//
// W has no bound where a point of the quadrature reaches `to`. The largest depth, between such points, gets there
// before: what ended there would be a wall that no force announces, and steps would shrink in front of it to nothing.

static void stiffen(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromStiffening *s,
                    caromPatch *patch)
{
    if (!(patch->depth > s->from)) return;
    patch->steep_at = fill(a, X_WA, b, X_WB, s, patch).felt;
    patch->is_through = !(patch->steep_at < s->to);
}

static double stiff_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                           const caromStiffening *s)
{
    caromStripSum law = carom_patch_strip_sum(a, b, pose_in(X_WA, X_WB), NULL, &(caromStripVisitor){ 0 });
    if (!(law.depth > s->from)) return 0.0;
    return law.felt < s->to ? energy_with(a, X_WA, b, X_WB, s) - law.energy : (double)INFINITY;
}

// ---- how far it is spread

// Sections at most: of five pieces, each with a hill or two.
enum { SPREAD_MAX = 160 };
typedef struct StripSpread {
    int n;
    caromStripSection sections[SPREAD_MAX];
} StripSpread;

static void keep_section(const caromStripSection *section, void *user)
{
    StripSpread *s = user;
    if (s->n < SPREAD_MAX) s->sections[s->n++] = *section;
}

static double arithmetic_geometric_mean(double a, double b)
{
    for (int i = 0; i < CAROM_PATCH_MEAN_STEPS && fabs(a - b) > CAROM_PATCH_MEAN_CHANGE*a; i++) {
        double mean = 0.5*(a + b);
        b = sqrt(a*b);
        a = mean;
    }
    return a;
}

// Covariances in the plane of contact: xx, xy, yy.
static void add_spread(caromVec3 v, const caromVec3 axis[2], double c[3])
{
    double x = carom_dot(v, axis[0]), y = carom_dot(v, axis[1]);
    c[0] += x*x, c[1] += x*y, c[2] += y*y;
}

// Turned into the plane of contact: a face that stands on its edge there is as wide as it is. Seen from above it would
// be a line, near which 1/|x - x'| has no mean.
static void lay_flat(caromStripSection *s, caromVec3 n)
{
    caromVec3 m = carom_unit_or(carom_cross(s->along, s->across), n);
    if (carom_dot(m, n) < 0.0) m = carom_neg(m);
    caromVec3 a = carom_cross(m, n);
    double cosine = carom_dot(m, n);
    caromVec3 *v[2] = { &s->along, &s->across };
    for (int i = 0; i < 2; i++) {
        caromVec3 turned = carom_add(carom_scale(cosine, *v[i]), carom_cross(a, *v[i]));
        *v[i] = carom_axpy(carom_dot(a, *v[i])/(1.0 + cosine), a, turned);
    }
}

// Mean of 1/|x - x'| of two Gaussian clusters: exact at no distance, where it is sqrt(pi/2)/AGM(s1, s2) with s^2 the
// eigenvalues of the sum of their covariances, and far away. Long ones side by side, at a distance r across them, have
// ln(2 s1/r) + (ln 2 - Euler's constant)/2 in place of ln(4 s1/s2), as if s2 were 1.887 r. Sections of a slender
// ellipse are shifted along each other: by a, they have exp(-a^2/(2 s1^2)) of that, and a rest that is 1/a far away. A
// body gives way no farther along such a line than it is thick: for s1 stands `longest` in the logarithm.
static double mean_inverse(const caromStripSection *a, const caromStripSection *b, const caromVec3 axis[2],
                           double longest)
{
    double c[3] = { 0, 0, 0 }, r[3] = { 0, 0, 0 };
    caromVec3 way = carom_sub(a->p, b->p);
    add_spread(a->along, axis, c);
    add_spread(a->across, axis, c);
    add_spread(b->along, axis, c);
    add_spread(b->across, axis, c);
    add_spread(way, axis, r);
    double mean = 0.5*(c[0] + c[2]), apart = 0.5*(c[0] - c[2]), off = hypot(apart, c[1]), distance2 = carom_norm2(way);
    double along2 = 0.5*(r[0] + r[2]) + (off > 0.0 ? (0.5*(r[0] - r[2])*apart + r[1]*c[1])/off : 0.0),
           across2 = fmax(0.0, distance2 - along2);
    double beside = CAROM_PATCH_SIDE_BY_SIDE*sqrt(across2), s1 = sqrt(mean + off),
           s2 = sqrt(fmax(0.0, mean - off) + beside*beside);
    double most = fmin(s1, longest), agm = arithmetic_geometric_mean(most, fmin(most, s2)),
           over_each_other = exp(-0.5*along2/(s1*s1));
    return most/s1*(over_each_other/sqrt(across2 + 2.0/CAROM_PI*agm*agm) +
                    (1.0 - over_each_other)/sqrt(distance2 + s1*s1));
}

static caromPressing pressing(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    StripSpread s;
    s.n = 0;
    caromStripVisitor visitor = { .section = keep_section, .user = &s };
    caromPressing p = { carom_patch_strip_sum(a, b, pose_in(X_WA, X_WB), NULL, &visitor).energy, 0.0, 0.0 };
    caromVec3 n = { 0, 0, 0 };
    for (int i = 0; i < s.n; i++) n = carom_add(n, s.sections[i].normal), p.work += s.sections[i].work;
    n = carom_unit_or(n, carom_vec(0, 0, 1));
    for (int i = 0; i < s.n; i++) lay_flat(&s.sections[i], n);
    caromVec3 x = carom_geometry_square_to(n), axis[2] = { x, carom_cross(n, x) };
    double longest = CAROM_PATCH_LINE_REACH*sqrt(carom_shape_half_thickness(*a)*carom_shape_half_thickness(*b));
    for (int i = 0; i < s.n; i++)
        for (int k = 0; k <= i; k++)
            p.nearness += (k < i ? 2.0 : 1.0)*s.sections[i].load*s.sections[k].load*
                          mean_inverse(&s.sections[i], &s.sections[k], axis, longest);
    return p;
}

// ---- whom it serves

// Which of the two has the sections: a torus is not convex, and tips and rims are felt best by those who have them. Of
// two of a kind it is the smaller one, over which the edges of the other do not cut.
static int rank_of(const caromShape *s)
{
    if (s->kind == CAROM_TORUS) return 4;
    caromCore core = carom_shape_core(s);
    bool is_sharp = core.radius == 0.0;
    return core.kind != CAROM_CORE_FRUSTUM ? 0 : core.r0 == core.r1 ? 1 + is_sharp : 2 + is_sharp;
}

static bool comes_first(const caromShape *a, const caromShape *b)
{
    int higher = rank_of(a) - rank_of(b);
    return higher > 0 || (higher == 0 && carom_shape_radius(*a) <= carom_shape_radius(*b));
}

// A ball or an ellipsoid may touch a ring all around.
static bool serves(const caromShape *a, const caromShape *b)
{
    if (a->kind == CAROM_TORUS && carom_shape_row(b->kind)->touches_in_points) return true;
    return carom_shape_row(a->kind)->is_round && carom_shape_row(b->kind)->is_round && comes_first(a, b);
}

const caromPatchRow carom_patch_strips = { "strips of round bodies", serves, strips_patch, strips_energy, NULL, stiffen,
                                           stiff_energy, CAROM_PATCH_STRIPS_DEEPEST, pressing };
