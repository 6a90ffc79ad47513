// slip.c -- slip that turns. In polar form, v_t = s u(phi), friction mu, w across u [Stronge00, BhattKoechling95]:
//
//     ds/dp = f = u.(G_tn - mu G_tt u),   s dphi/dp = h = w.(G_tn - mu G_tt u),   dv_n/dp = z = 1 - mu u.G_tn
//
// phi turns infinitely fast as s goes to 0. In a stretched variable, dp = s dx, all is smooth:
//
//     s' = f s,  phi' = h,  p' = s,  p_t' = -mu u s,  v_n' = z s,  W' = v_n s,  F' = -mu s^2
//
// and with u = (c, s) as unknowns even polynomial: c' = -s h, s' = c h. Therefore Taylor series: their coefficients
// come from products of series, order and step follow from the tolerance [JorbaZou05], and the instants when v_n = 0
// and when the work is returned are roots of polynomials, found to the last bit. Runge-Kutta of order 8 needs 190
// evaluations for 1e-12 (median); this, about four steps.
#include <float.h>

#include "impact/single.h"

enum { ORDER_MAX = 24, STEPS_MAX = 1000 };

typedef struct Series {
    int order;
    double rate;                 // of x: what f and h are divided by
    double c[ORDER_MAX + 1], s[ORDER_MAX + 1], slip[ORDER_MAX + 1], f[ORDER_MAX + 1], h[ORDER_MAX + 1],
           z[ORDER_MAX + 1];
    double p[3][ORDER_MAX + 1], v_n[ORDER_MAX + 1], work[ORDER_MAX + 1], friction[ORDER_MAX + 1];
} Series;

// Coefficient k of a b.
static double product(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++) sum += a[i]*b[k - i];
    return sum;
}

static double value(const double *a, int order, double x)
{
    double sum = a[order];
    for (int k = order - 1; k >= 0; k--) sum = sum*x + a[k];
    return sum;
}

static void rates(const caromPassage *way, Series *y, int k)
{
    const double *g = way->g, *A = way->A;
    double one = k == 0, mu = way->mu, cc = product(y->c, y->c, k), cs = product(y->c, y->s, k), ss = one - cc;
    y->f[k] = (g[0]*y->c[k] + g[1]*y->s[k] - mu*(A[0]*cc + 2*A[1]*cs + A[2]*ss))/y->rate;
    y->h[k] = (g[1]*y->c[k] - g[0]*y->s[k] - mu*((A[2] - A[0])*cs + A[1]*(cc - ss)))/y->rate;
    y->z[k] = one - mu*(g[0]*y->c[k] + g[1]*y->s[k]);
}

static void next(const caromPassage *way, Series *y, int k)
{
    double part = 1.0/(k + 1), stretched = part/y->rate, mu = way->mu;
    y->c[k + 1] = -part*product(y->s, y->h, k);
    y->s[k + 1] = part*product(y->c, y->h, k);
    y->slip[k + 1] = part*product(y->f, y->slip, k);
    y->p[0][k + 1] = stretched*y->slip[k];
    y->p[1][k + 1] = -mu*stretched*product(y->c, y->slip, k);
    y->p[2][k + 1] = -mu*stretched*product(y->s, y->slip, k);
    y->v_n[k + 1] = y->p[0][k + 1] + way->g[0]*y->p[1][k + 1] + way->g[1]*y->p[2][k + 1];
    y->work[k + 1] = stretched*product(y->v_n, y->slip, k);
    y->friction[k + 1] = -mu*stretched*product(y->slip, y->slip, k);
}

// From here on; impulses and works count from 0.
static void expand(const caromPassage *way, Series *y)
{
    double slip = hypot(way->v[1], way->v[2]);
    y->c[0] = way->v[1]/slip;
    y->s[0] = way->v[2]/slip;
    y->slip[0] = slip;
    y->v_n[0] = way->v[0];
    y->p[0][0] = y->p[1][0] = y->p[2][0] = y->work[0] = y->friction[0] = 0;
    for (int k = 0; k < y->order; k++) {
        rates(way, y, k);
        next(way, y, k);
    }
    rates(way, y, y->order);
}

// What an angle does to the rates of all speeds.
static double effect_of_turning(const caromPassage *way)
{
    return way->mu*(hypot(way->g[0], way->g[1]) + way->A[0] + way->A[2]);
}

static double turning_tolerance(const caromPassage *way)
{
    return fmax(0.02*way->tolerance/fmax(1, effect_of_turning(way)), DBL_EPSILON);
}

// The terms left out are of the size of the last ones kept, times the part of the radius of convergence that the step
// is. Works count too: as products they converge more slowly.
static double step_of(const Series *y, double tolerance, double turning)
{
    double step = 1e6;  // slow in units of the largest rate, but not straight
    for (int k = y->order - 1; k <= y->order; k++) {
        double turns = fmax(fabs(y->c[k]), fabs(y->s[k])),
               size = fmax(fabs(y->slip[k])/y->slip[0], fmax(fabs(y->work[k]), fabs(y->friction[k])));
        size = fmax(size/(0.02*tolerance), turns/turning);
        if (size > 0) step = fmin(step, pow(size, -1.0/k));
    }
    return step;
}

// Where a series that is monotone in [0, end], and lies on both sides of the level, passes it: Newton's method, kept
// inside.
static double root(const double *a, int order, double level, double end)
{
    double low = 0, high = end, x = 0.5*end;
    bool rises = value(a, order, end) > level;
    for (int i = 0; i < 100; i++) {
        double y = a[order], slope = 0;
        for (int k = order - 1; k >= 0; k--) {
            slope = slope*x + y;
            y = y*x + a[k];
        }
        if ((y > level) == rises) high = x;
        else low = x;
        double better = x - (y - level)/slope;
        if (better == x) break;
        if (!(better > low && better < high)) better = 0.5*(low + high);
        if (better == low || better == high) break;
        x = better;
    }
    return x;
}

static bool crosses(const double *a, int order, double end)
{
    double last = value(a, order, end);
    return (a[0] < 0 && last > 0) || (a[0] > 0 && last < 0);
}

static void arrive(caromPassage *way, const Series *y, double x)
{
    double c = value(y->c, y->order, x), s = value(y->s, y->order, x), slip = value(y->slip, y->order, x)/hypot(c, s);
    for (int i = 0; i < 3; i++) way->p[i] += value(y->p[i], y->order, x);
    way->friction += value(y->friction, y->order, x);
    way->v[0] = value(y->v_n, y->order, x);
    way->v[1] = slip*c;
    way->v[2] = slip*s;
}

static void press(caromPassage *way, double work, double dp)
{
    work = fmin(work, 0);
    way->compression += work;
    if (way->poisson) way->budget += way->e*dp;
    else way->budget = hypot(way->budget, way->e*sqrt(-2*work));
}

// Gives back until the end of the step or of the budget; returns where.
static double release(caromPassage *way, const Series *y, double end)
{
    const double *spent = way->poisson ? y->p[0] : y->work;
    double budget = way->poisson ? way->budget : 0.5*way->budget*way->budget;
    double given = value(spent, y->order, end);
    way->is_over = given >= budget;
    if (way->is_over) {
        end = budget > 0 ? root(spent, y->order, budget, end) : 0;
        given = budget;
    }
    way->budget = way->poisson ? budget - given : sqrt(2*(budget - given));
    way->restitution += way->is_over && !way->poisson ? budget : fmax(0, value(y->work, y->order, end));
    return end;
}

// Where v_n' = 0. A step that starts there, but for rounding, does not end there.
static double until_turning_point(const Series *y, double end)
{
    if (!crosses(y->z, y->order, end)) return end;
    double x = root(y->z, y->order, 0, end);
    return x > 1e-8*end ? x : end;
}

// One step, shortened so that v_n is monotone and keeps its sign: then ends of the step tell of all events inside.
static void step(caromPassage *way, Series *y)
{
    expand(way, y);
    double end = step_of(y, way->tolerance, turning_tolerance(way));
    end = until_turning_point(y, end);
    bool turns = crosses(y->v_n, y->order, end);
    if (turns) end = root(y->v_n, y->order, 0, end);
    double last = turns ? 0 : value(y->v_n, y->order, end);
    if (way->v[0] + last < 0) press(way, value(y->work, y->order, end), value(y->p[0], y->order, end));
    else end = release(way, y, end);
    arrive(way, y, end);
    if (turns && !way->is_over) way->v[0] = 0;
}

// The rest is straight, but for less than the tolerance: phi is drawn to a direction that it keeps and has all but
// reached, or the slip is about to stop and the angle by which it would still turn changes p_t, and that the
// speeds, by too little.
static bool is_nearly_straight(const caromPassage *way, const double u[2], double slip)
{
    caromLine line = carom_impact_slip_line(way, u);
    double w[2] = { -u[1], u[0] }, f = carom_impact_dot2(u, &line.d[1]), h = carom_impact_dot2(w, &line.d[1]);
    double A_ww = way->A[0]*w[0]*w[0] + 2*way->A[1]*w[0]*w[1] + way->A[2]*w[1]*w[1], slope = -f - way->mu*A_ww;
    double angle = slope < 0 ? fmin(1, fabs(h/slope)) : 1;
    // A step may be off by one of them: this it must be able to reach.
    if (angle <= 5*turning_tolerance(way)) return true;
    return f < 0 && angle*effect_of_turning(way)*slip <= 0.1*way->tolerance*-f;
}

static int order_of(double tolerance)
{
    int order = (int)(4 - 0.5*log(tolerance));
    return order < ORDER_MAX ? order : ORDER_MAX;
}

void carom_impact_turn(caromPassage *way)
{
    Series y = { .order = order_of(way->tolerance),
                 .rate = hypot(way->g[0], way->g[1]) + way->mu*(way->A[0] + way->A[2]) };
    for (int i = 0; i < STEPS_MAX && !way->is_over; i++) {
        double slip = hypot(way->v[1], way->v[2]);
        double u[2] = { way->v[1]/slip, way->v[2]/slip };
        if (carom_impact_is_straight(way, u) || is_nearly_straight(way, u, slip)) return;
        step(way, &y);
    }
}
