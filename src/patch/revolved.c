// The part of a solid of revolution that is below a plane, exactly but for rounding.
//
// The solid is a frustum grown by a radius: its profile r(z) is an arc, a line and an arc. Along the axis the plane
// falls by m per length and across it, in the direction u of steepest descent, it rises by c: depth = D + c u - m z,
// c^2 + m^2 = 1. The slice at z is the segment of a disc, cut off by a chord; with the depths
//
//     low = D - m z + c r,    high = D - m z - c r
//
// of its lowest and highest point its half angle t has sin^2(t/2) = low/(low - high); it is nothing where low <= 0 and
// the whole disc where high >= 0. So
//
//     V = int r^2 g0(t) dz,      g0 = int_0^t 2 sin^2 = t - sin t cos t
//
// and likewise for the other moments. The integrand is smooth but for square roots of low and high, whose zeros are
// known: between two of them, p and q, the substitution z = p + (q - p) sin^2(y/2) makes it smooth up to both, and
// Gauss' rule converges as if there were none. All is measured from the lowest point of the body, depths by their
// differences from the largest, so that small depths have as many digits as large ones.
#include "math/gauss.h"
#include "patch/round.h"
#include "patch/scales.h"

static const double pi = CAROM_PI;

enum { BRANCHES_MAX = 4 };

// Where low or high is 0, or the radius; im > 0: a pair beside the real axis.
typedef struct ProfileBranch { double re, im; } ProfileBranch;

// Of the profile, with its parameter x from x0 to x1. Line: x from 0 to 1, z and r linear. Arc: x is the angle from the
// direction of the plane, its middle (r, z).
typedef struct RevolvedPiece {
    bool is_arc;
    double x0, x1;
    double r, z, dr, dz;  // line: at x = 0, and change to x = 1
    double radius;        // arc
    double low;           // line: at x = 0, where it is largest; arc: where it would be largest
    double fall;          // line: low - fall x
    int nbranch;
    ProfileBranch branch[BRANCHES_MAX];
} RevolvedPiece;

typedef struct RevolvedWork {
    double c, m;    // of the plane
    double r, z;    // of the lowest point
    caromImmersedSums sums;
} RevolvedWork;

// Integrals over 0..t of 2 sin^2 t (1, 1 - cos t, (1 - cos t)^2) and 2/3 sin^4 t: area, moments from the lowest point
// and square to it of a segment of the unit disc.
typedef struct Segment { double g0, g1, g2, gv; } Segment;

// The closed forms cancel for small t: below 1/2 power series, the last term of which is below 1e-13.
static Segment small_segment(double t)
{
    static const double a0[] = { 2.0/3.0, -2.0/15.0, 4.0/315.0, -2.0/2835.0, 4.0/155925.0, -4.0/6081075.0,
                                 8.0/638512875.0, -2.0/10854718875.0 };
    static const double a1[] = { 1.0/5.0, -5.0/84.0, 1.0/120.0, -95.0/133056.0, 991.0/23587200.0, -29.0/15966720.0,
                                 6.0327754947269414e-08, -1.590266269252508e-09, 3.4102789064727547e-11 };
    static const double a2[] = { 1.0/14.0, -1.0/36.0, 9.0/1760.0, -463.0/786240.0, 173.0/3628800.0, -437.0/150796800.0,
                                 1.3804675061767446e-07, -5.3119429703975558e-09, 1.6891021268882014e-10 };
    static const double av[] = { 2.0/15.0, -4.0/63.0, 2.0/135.0, -68.0/31185.0, 124.0/552825.0, -8.0/467775.0,
                                 1.0061983295721235e-06, -4.7075761052059827e-08, 1.7933828495090037e-09 };
    double x = t*t, t3 = x*t, t5 = x*t3;
    return (Segment){ t3*carom_patch_series(a0, 8, x), t5*carom_patch_series(a1, 9, x),
                      x*t5*carom_patch_series(a2, 9, x), t5*carom_patch_series(av, 9, x) };
}

static Segment segment_of(double low, double high)
{
    if (high >= 0.0) return (Segment){ pi, pi, 1.25*pi, 0.25*pi };
    double a = sqrt(fmax(0.0, low)), b = sqrt(-high), t = 2.0*atan2(a, b);
    if (t < 0.5) return small_segment(t);
    double aa = a*a, bb = b*b, s = 2.0*a*b/(aa + bb), c = (bb - aa)/(aa + bb), s2 = 2.0*s*c, s4 = 2.0*s2*(c*c - s*s),
           s3 = 2.0/3.0*s*s*s, g0 = t - s*c;
    return (Segment){ g0, g0 - s3, g0 - 2.0*s3 + 0.25*t - s4/16.0, 0.25*t - s2/6.0 + s4/48.0 };
}

typedef struct Slice { double r, z, low, speed; } Slice;  // speed: dz/dx

static Slice slice_at(const RevolvedWork *w, const RevolvedPiece *p, double x)
{
    if (!p->is_arc) return (Slice){ p->r + x*p->dr, p->z + x*p->dz, p->low - x*p->fall, fabs(p->dz) };
    double s = sin(0.5*x), sin_x = 2.0*s*cos(0.5*x), cos_x = 1.0 - 2.0*s*s;
    double across = w->c*cos_x + w->m*sin_x, along = w->c*sin_x - w->m*cos_x;  // of the normal
    return (Slice){ p->r + p->radius*across, p->z + p->radius*along, p->low - 2.0*p->radius*s*s, p->radius*across };
}

static void add_slice(RevolvedWork *w, const RevolvedPiece *p, double x, double dx)
{
    Slice at = slice_at(w, p, x);
    double r = fmax(0.0, at.r), rr = r*r, k = rr*at.speed*dx, u = at.r - w->r, z = at.z - w->z;
    Segment g = segment_of(at.low, at.low - 2.0*w->c*r);
    double along = u*g.g0 - r*g.g1;
    caromImmersedSums *s = &w->sums;
    s->v += k*g.g0;
    s->w += k*(at.low*g.g0 - w->c*r*g.g1);
    s->u += k*along;
    s->z += k*z*g.g0;
    s->uu += k*(u*u*g.g0 - 2.0*u*r*g.g1 + rr*g.g2);
    s->uz += k*z*along;
    s->zz += k*z*z*g.g0;
    s->vv += k*rr*g.gv;
}

// From a to b, between the zeros p and q: x = p + (q - p) sin^2(y/2).
static void add_panel(RevolvedWork *w, const RevolvedPiece *piece, double a, double b, double p, double q)
{
    double y0 = 2.0*atan2(sqrt(a - p), sqrt(q - a)), y1 = 2.0*atan2(sqrt(b - p), sqrt(q - b)), middle = 0.5*(y0 + y1),
           half = 0.5*(y1 - y0);
    int n;
    const caromGauss *rule = carom_gauss_for(y1 - y0, &n);
    for (int i = 0; i < n; i++) {
        double y = middle + half*rule[i].x, s = sin(0.5*y), c = cos(0.5*y);
        add_slice(w, piece, p + (q - p)*s*s, (q - p)*s*c*half*rule[i].w);
    }
}

// From a to b all slices are whole discs: a polynomial along a line, of the fourth degree, sines and cosines along an
// arc.
static void add_discs(RevolvedWork *w, const RevolvedPiece *piece, double a, double b)
{
    int n = 4;
    const caromGauss *rule = piece->is_arc ? carom_gauss_for(b - a, &n) : carom_gauss_4;
    for (int i = 0; i < n; i++) add_slice(w, piece, 0.5*(a + b) + 0.5*(b - a)*rule[i].x, 0.5*(b - a)*rule[i].w);
}

static double distance_to(ProfileBranch s, double a, double b)
{
    double beside = fmax(0.0, fmax(a - s.re, s.re - b));
    return hypot(beside, s.im);
}

// A panel from a that is no longer than twice its distance from any zero but p and q: those are nearer to it than p or
// q only where a cone's tip, or the rim of a rounded end, just touches the plane. Below a thousandth of the whole
// nothing is left to resolve.
static double panel_end(const RevolvedPiece *piece, double a, double b, double p, double q, double shortest)
{
    double length = b - a;
    for (int i = 0; i < piece->nbranch; i++) {
        ProfileBranch s = piece->branch[i];
        bool is_seen_to = s.im == 0.0 && (s.re == p || s.re == q);
        while (!is_seen_to && length > shortest && distance_to(s, a, a + length) < 0.5*length) length *= 0.5;
    }
    return b - a - length < shortest || !(a + length > a) ? b : a + length;
}

// From a to b the slices are segments. A zero farther away than the panel is long needs no substitution.
static void add_segments(RevolvedWork *w, const RevolvedPiece *piece, double a, double b)
{
    double p = -INFINITY, q = INFINITY, shortest = CAROM_PATCH_PANEL*(b - a);
    for (int i = 0; i < piece->nbranch; i++) {
        ProfileBranch s = piece->branch[i];
        if (s.im == 0.0 && s.re <= a) p = fmax(p, s.re);
        if (s.im == 0.0 && s.re >= b) q = fmin(q, s.re);
    }
    while (a < b) {
        double end = panel_end(piece, a, b, p, q, shortest), length = end - a;
        add_panel(w, piece, a, end, fmax(p, a - length), fmin(q, end + length));
        a = end;
    }
}

// The pieces between all zeros that the profile has, in order.
static void add_piece(RevolvedWork *w, const RevolvedPiece *piece)
{
    double cut[BRANCHES_MAX + 1];
    int n = 0;
    for (int i = 0; i < piece->nbranch; i++) {
        ProfileBranch s = piece->branch[i];
        if (s.im != 0.0 || !(s.re > piece->x0 && s.re < piece->x1)) continue;
        int at = n++;
        for (; at > 0 && cut[at - 1] > s.re; at--) cut[at] = cut[at - 1];
        cut[at] = s.re;
    }
    cut[n] = piece->x1;
    double a = piece->x0;
    for (int i = 0; i <= n; a = cut[i++]) {
        Slice middle = slice_at(w, piece, 0.5*(a + cut[i]));
        if (!(a < cut[i]) || !(middle.low > 0.0)) continue;
        if (middle.low >= 2.0*w->c*middle.r) add_discs(w, piece, a, cut[i]);
        else add_segments(w, piece, a, cut[i]);
    }
}

static void add_branch(RevolvedPiece *piece, double re, double im)
{
    if (isfinite(re)) piece->branch[piece->nbranch++] = (ProfileBranch){ re, im };
}

// Zeros of value - 2 radius sin^2((x - middle)/2): where value is not in 0..2 radius they are beside the real axis.
static void add_arc_branches(RevolvedPiece *piece, double value, double middle)
{
    double q = value/(2.0*piece->radius);
    if (q < 0.0) add_branch(piece, middle, 2.0*asinh(sqrt(-q)));
    else if (q > 1.0)
        add_branch(piece, middle + (piece->x0 + piece->x1 > 2.0*middle ? pi : -pi), 2.0*asinh(sqrt(q - 1.0)));
    else {
        double d = 2.0*asin(sqrt(q));
        add_branch(piece, middle - d, 0.0);
        add_branch(piece, middle + d, 0.0);
    }
}

// depth: largest of the ball about the rim. from, to: angles of normals, from the plane through the rim.
static void add_arc(RevolvedWork *w, const caromCore *core, int end, double depth, double from, double to)
{
    if (!(depth > 0.0)) return;
    double facing = atan2(-w->m, w->c);
    RevolvedPiece piece = { .is_arc = true, .x0 = from - facing, .x1 = to - facing, .r = end ? core->r1 : core->r0,
                            .z = end ? core->z1 : core->z0, .radius = core->radius, .low = depth };
    if (!(piece.x1 > piece.x0)) return;
    add_arc_branches(&piece, depth, 0.0);
    // high is largest at the angle pi - facing, which is beyond the end of the axis that the plane is at
    add_arc_branches(&piece, depth - 2.0*w->c*piece.r, (w->m > 0.0 ? -pi : pi) - 2.0*facing);
    add_piece(w, &piece);
}

// low: at the deeper end, from which x counts, up to 1 at the other.
static void add_line(RevolvedWork *w, RevolvedPiece line)
{
    if (!(line.low > 0.0) || line.dz == 0.0) return;
    line.x1 = 1.0;
    double rise = line.fall + 2.0*w->c*line.dr;  // of high
    if (line.fall > 0.0) add_branch(&line, line.low/line.fall, 0.0);
    if (rise != 0.0) add_branch(&line, (line.low - 2.0*w->c*line.r)/rise, 0.0);
    if (line.dr != 0.0) add_branch(&line, -line.r/line.dr, 0.0);
    add_piece(w, &line);
}

bool carom_patch_revolved_serves(const caromCore *core)
{
    return core->kind == CAROM_CORE_FRUSTUM || (core->kind == CAROM_CORE_BOX && core->h.x == 0.0 && core->h.y == 0.0);
}

static caromCore as_frustum(const caromCore *core)
{
    if (core->kind == CAROM_CORE_FRUSTUM) return *core;
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = core->radius, .z0 = -core->h.z, .z1 = core->h.z };
}

caromImmersed carom_patch_revolved_below(const caromCore *core, const caromSurface *plane)
{
    caromImmersed out = { 0 };
    caromCore f = as_frustum(core);
    double c = hypot(plane->down.x, plane->down.y), m = -plane->down.z, ux = c > 0.0 ? plane->down.x/c : 1.0,
           uy = c > 0.0 ? plane->down.y/c : 0.0;
    double dr = f.r1 - f.r0, dz = f.z1 - f.z0, side = hypot(dr, dz), rise = c*dr - m*dz;  // of the depth of the rims
    bool top = rise > 0.0;                                                               // the deeper one
    double depth = plane->offset - m*(top ? f.z1 : f.z0) + c*(top ? f.r1 : f.r0) + f.radius, other = depth - fabs(rise);
    if (!(depth > 0.0)) return out;
    out.depth = depth;
    RevolvedWork w = { .c = c, .m = m, .r = (top ? f.r1 : f.r0) + f.radius*c, .z = (top ? f.z1 : f.z0) - f.radius*m };
    // Normal of the side.
    double across = side > 0.0 ? dz/side : 1.0, along = side > 0.0 ? -dr/side : 0.0, slope = atan2(along, across);
    if (f.radius > 0.0) {
        add_arc(&w, &f, 0, top ? other : depth, -0.5*pi, slope);
        add_arc(&w, &f, 1, top ? depth : other, slope, 0.5*pi);
    }
    double s = sin(0.5*(slope + atan2(m, c))), low = depth - 2.0*f.radius*s*s;  // of the deeper end of the side
    RevolvedPiece line = { .low = low, .fall = top ? rise : -rise, .dr = top ? -dr : dr, .dz = top ? -dz : dz };
    line.r = (top ? f.r1 : f.r0) + f.radius*across;
    line.z = (top ? f.z1 : f.z0) + f.radius*along;
    add_line(&w, line);
    carom_patch_immersed_in_plane(&w.sums, (caromLowest){ w.r, w.z, ux, uy }, plane, &out);
    return out;
}
