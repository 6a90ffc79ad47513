// planar.c -- slip in a constant direction, sticking and breaking away: all speeds grow linearly with p_n, works
// quadratically, and every end is a root of a quadratic equation [Morgan11, chapter 2]. Also the parts of 3-D impacts
// that are straight: the last piece before a stop, and all that follows it.
#include <float.h>

#include "impact/single.h"

// "To rounding": entries of G are sums of products of rotated vectors.
#define ROUNDING (64*DBL_EPSILON)

// The numbers that cancel in a.G_tn and a.G_tt b: what rounding is measured by, also where the entries of G are very
// unequal.
static double size_g(const caromPassage *way, const double a[2]) { return fabs(a[0]*way->g[0]) + fabs(a[1]*way->g[1]); }

static double size_A(const caromPassage *way, const double a[2], const double b[2])
{
    const double *A = way->A;
    return fabs(a[0]*b[0])*A[0] + (fabs(a[0]*b[1]) + fabs(a[1]*b[0]))*fabs(A[1]) + fabs(a[1]*b[1])*A[2];
}

//     dp_t/dp_n = -mu u,     dv/dp_n = G (1, -mu u)
// A rate dv_n/dp_n that is rounding is 0: a slip that friction locks must not end after p_n = 1e16.
caromLine carom_impact_slip_line(const caromPassage *way, const double u[2])
{
    const double *g = way->g, *A = way->A;
    caromLine line = { .t = { -way->mu*u[0], -way->mu*u[1] } };
    line.d[0] = 1 + carom_impact_dot2(g, line.t);
    if (fabs(line.d[0]) <= ROUNDING*(1 + way->mu*size_g(way, u))) line.d[0] = 0;
    line.d[1] = g[0] + A[0]*line.t[0] + A[1]*line.t[1];
    line.d[2] = g[1] + A[1]*line.t[0] + A[2]*line.t[1];
    return line;
}

double carom_impact_until_stop(const caromPassage *way, const caromLine *line, const double u[2])
{
    double f = carom_impact_dot2(u, &line->d[1]), rounding = ROUNDING*(size_g(way, u) + way->mu*size_A(way, u, u));
    return f < -rounding ? carom_impact_dot2(u, &way->v[1])/-f : (double)INFINITY;
}

// Of G_tt: unit vectors, eigenvalues >= 0 (largest first), g along them.
typedef struct PlanarAxes { double e[2][2], lambda[2], gamma[2]; } PlanarAxes;

// The smaller eigenvalue comes from the determinant: exact for diagonal matrices, however unequal. A direction in which
// neither is more than rounding does not exist (out of the plane of a planar mechanism): both are 0.
static PlanarAxes principal_axes(const double A[3], const double g[2])
{
    double angle = 0.5*atan2(2*A[1], A[0] - A[2]), c = cos(angle), s = sin(angle);
    PlanarAxes axes = { .e = { { c, s }, { -s, c } } };
    axes.lambda[0] = fmax(0, c*c*A[0] + 2*c*s*A[1] + s*s*A[2]);
    axes.lambda[1] = axes.lambda[0] > 0 ? fmax(0, (A[0]*A[2] - A[1]*A[1])/axes.lambda[0]) : 0;
    double small = ROUNDING*fmax(1, axes.lambda[0]);
    for (int i = 0; i < 2; i++) {
        axes.gamma[i] = carom_impact_dot2(axes.e[i], g);
        if (axes.lambda[i] > small || fabs(axes.gamma[i]) > small) continue;
        axes.lambda[i] = 0;
        axes.gamma[i] = 0;
    }
    return axes;
}

// m += -G_tt^-1 residual, along the axes that exist; false where no finite friction does it.
static bool correct(const PlanarAxes *axes, const double residual[2], double m[2])
{
    for (int i = 0; i < 2; i++) {
        double along = carom_impact_dot2(axes->e[i], residual);
        if (axes->gamma[i] == 0 || along == 0) continue;
        if (!(fabs(along) < DBL_MAX*axes->lambda[i])) return false;
        m[0] -= along/axes->lambda[i]*axes->e[i][0];
        m[1] -= along/axes->lambda[i]*axes->e[i][1];
    }
    return true;
}

// Friction that holds: p_t = m p_n with G_tt m = -G_tn; returns |m|, or infinity. Refined twice: a mechanism
// that is nearly stretched out has a G_tt whose small eigenvalue has few digits, while its large impulses
// must leave no slip behind.
static double holding_friction(const caromPassage *way, const PlanarAxes *axes, double m[2])
{
    const double *g = way->g, *A = way->A;
    m[0] = m[1] = 0;
    for (int i = 0; i < 3; i++) {
        double residual[2] = { g[0] + A[0]*m[0] + A[1]*m[1], g[1] + A[1]*m[0] + A[2]*m[1] };
        if (!correct(axes, residual, m)) return (double)INFINITY;
    }
    return hypot(m[0], m[1]);
}

// |u| - 1 for slip that grows at rate f along u = (f + mu G_tt)^-1 G_tn.
static double excess(const PlanarAxes *axes, double mu, double f)
{
    double x = axes->gamma[0] == 0 ? 0 : axes->gamma[0]/(f + mu*axes->lambda[0]);
    double y = axes->gamma[1] == 0 ? 0 : axes->gamma[1]/(f + mu*axes->lambda[1]);
    return hypot(x, y) - 1;
}

// Slip out of rest keeps its direction, so it starts along a u with G_tn - mu G_tt u = f u, f > 0. |u| falls as f
// grows, from |m|/mu > 1 to 0: there is exactly one such direction when friction mu cannot hold, and none otherwise.
// Bisection to the last bit: this is rare, and cannot fail.
static void breakaway(const PlanarAxes *axes, double mu, double u[2])
{
    double high = hypot(axes->gamma[0], axes->gamma[1]), low = 0;
    for (int i = 0; i < 2; i++) low = fmax(low, fabs(axes->gamma[i]) - mu*axes->lambda[i]);
    for (int i = 0; i < 2000; i++) {
        double middle = low > 0 ? sqrt(low)*sqrt(high) : 0.5*high;
        if (low > 0.5*high) middle = 0.5*(low + high);
        if (!(middle > low && middle < high)) break;
        if (excess(axes, mu, middle) > 0) low = middle;
        else high = middle;
    }
    double part[2];
    for (int i = 0; i < 2; i++) part[i] = axes->gamma[i] == 0 ? 0 : axes->gamma[i]/(high + mu*axes->lambda[i]);
    double length = hypot(part[0], part[1]);
    for (int j = 0; j < 2; j++) u[j] = (part[0]*axes->e[0][j] + part[1]*axes->e[1][j])/length;
}

caromLine carom_impact_rest_line(const caromPassage *way, bool *sticks)
{
    PlanarAxes axes = principal_axes(way->A, way->g);
    caromLine line = { .d = { 0 } };
    *sticks = holding_friction(way, &axes, line.t) <= way->mu_s*(1 + 4*DBL_EPSILON);
    if (*sticks) {
        line.d[0] = 1 + carom_impact_dot2(way->g, line.t);
        if (line.d[0] <= ROUNDING) line.d[0] = 0;  // friction alone holds the normal too: one degree of freedom
        return line;
    }
    double u[2];
    breakaway(&axes, way->mu, u);
    return carom_impact_slip_line(way, u);
}

// Slip along u with v_t = s u: s' = f, s phi' = h, dh/dphi = -f - mu w.G_tt w, w across u (docs/impact.md). It stays
// straight when h = 0 and phi is not driven away from there, or when nothing acts across: a plane of symmetry, in which
// motion stays though next to it it might not. Also when the impact is over before anything changes: grazing, where
// works would underflow.
bool carom_impact_is_straight(const caromPassage *way, const double u[2])
{
    const double *g = way->g, *A = way->A;
    double w[2] = { -u[1], u[0] };
    double A_w[2] = { A[0]*w[0] + A[1]*w[1], A[1]*w[0] + A[2]*w[1] };
    double g_w = carom_impact_dot2(g, w), A_uw = carom_impact_dot2(u, A_w);
    caromLine line = carom_impact_slip_line(way, u);
    double f = carom_impact_dot2(u, &line.d[1]), h = g_w - way->mu*A_uw;
    double slip = carom_impact_dot2(u, &way->v[1]),
           needed = way->v[0] < 0 && line.d[0] > 0 ? -(1 + way->e)*way->v[0]/line.d[0] : (double)INFINITY;
    if ((fabs(h) + fabs(f))*needed <= 0.01*DBL_EPSILON*slip) return true;
    double g_size = size_g(way, w), A_size = size_A(way, u, w);
    if (fabs(g_w) <= ROUNDING*fmax(1, g_size) && fabs(A_uw) <= ROUNDING*fmax(1, A_size)) return true;
    return fabs(h) <= ROUNDING*(g_size + way->mu*A_size) && -f - way->mu*carom_impact_dot2(w, A_w) <= 0;
}

// p_n until the surfaces have given back their budget, or infinity when they come together again before.
// Energetic:  (2 v_n + d p) p = budget^2,  in a form in which nothing cancels.
static double until_over(const caromPassage *way, double d)
{
    double b = way->budget, v = way->v[0];
    if (way->poisson || b == 0) return b;
    double root = d >= 0 ? hypot(v, sqrt(d)*b) : v >= sqrt(-d)*b ? sqrt(v - sqrt(-d)*b)*sqrt(v + sqrt(-d)*b)
                         : (double)NAN;
    double sum = v + root;
    return sum > 0 ? b*(b/sum) : (double)INFINITY;
}

static void press(caromPassage *way, double twice_mean, double dp)
{
    way->compression += 0.5*twice_mean*dp;
    if (way->poisson) way->budget += way->e*dp;
    else way->budget = hypot(way->budget, way->e*sqrt(fmax(0, -twice_mean))*sqrt(dp));
}

static void release(caromPassage *way, double twice_mean, double dp)
{
    double root = sqrt(fmax(0, twice_mean))*sqrt(dp), b = way->budget;
    way->restitution += 0.5*twice_mean*dp;
    if (way->poisson) way->budget = fmax(0, b - dp);
    else way->budget = b > root ? sqrt(b - root)*sqrt(b + root) : 0;
}

static void grow(caromPassage *way, const caromLine *line, double dp)
{
    double slip[2] = { 2*way->v[1] + line->d[1]*dp, 2*way->v[2] + line->d[2]*dp };
    way->friction += 0.5*carom_impact_dot2(line->t, slip)*dp;
    for (int i = 0; i < 3; i++) way->v[i] += line->d[i]*dp;
    way->p[0] += dp;
    way->p[1] += line->t[0]*dp;
    way->p[2] += line->t[1]*dp;
}

// At most four pieces: compression, restitution, and both again where friction presses the surfaces together a second
// time.
bool carom_impact_go(caromPassage *way, const caromLine *line, double reach)
{
    double d = line->d[0];
    while (reach > 0 && !way->is_over) {
        double v = way->v[0];
        bool presses = v < 0 || (v == 0 && d < 0);
        double to_zero = v*d < 0 ? -v/d : (double)INFINITY, to_end = presses ? (double)INFINITY : until_over(way, d);
        double dp = fmin(fmin(to_zero, to_end), reach);
        // Held in the normal direction as well, and in it at rest but for rounding, or what slip that turned is known
        // to: nothing can move, whatever is stored.
        bool is_held = d == 0 && fabs(v) <= fmax(ROUNDING, 10*way->tolerance);
        if (!(dp < DBL_MAX) || (is_held && to_end > 0 && reach == (double)INFINITY)) return false;
        grow(way, line, dp);
        if (dp == to_zero) way->v[0] = 0;
        if (presses) press(way, v + way->v[0], dp);
        else release(way, v + way->v[0], dp);
        way->is_over = dp == to_end;
        reach -= dp;
    }
    return true;
}
