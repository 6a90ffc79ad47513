// Damping that gives exactly the restitution asked for.
//
// A mass m meets fn = K d^n (1 + c d') at speed v0. With v = d', m v dv/dd = -K d^n (1 + c v): the depth separates,
//
//     int v dv/(1 + c v) = -K/m int d^n dd
//
// and the right side is the same from touch to deepest point and back. So the left side from v0 to 0 equals that from -e v0 to 0:
//
//     (1 + e) u = ln((1 + u)/(1 - e u)),     u = c v0
//
// whatever K, n and m. f(u) = (1 + e) u - ln(1 + u) + ln(1 - e u) rises from f(0) = 0 to its top at u = (1 - e)/e and falls to minus
// infinity at 1/e: the root lies between. At u = 1: e = 0.5936243, the number that [Engelson00] found by simulation.
#include "contact/contact.h"

static double f(double u, double e)
{
    return (1.0 + e)*u - log1p(u) + log1p(-e*u);
}

double carom_damping_exact(double e)
{
    // f = (1 - e^2) u^2/2 - (1 + e^3) u^3/3 + (1 - e^4) u^4/4 - ...: near e = 1, where f cancels, its root to relative (1 - e)^2.
    if (e > 1.0 - 1e-5) return 1.5*(1.0 - e*e)/(1.0 + e*e*e);
    double low = (1.0 - e)/e, high = 1.0/e;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5*(low + high);
        if (middle <= low || middle >= high) break;
        if (f(middle, e) > 0.0) low = middle;
        else high = middle;
    }
    return low;
}

// x - ln(1 + x), which cancels for small x. With r = x/(2 + x), ln(1 + x) = 2 (r + r^3/3 + r^5/5 + ...) and x - 2 r = r x; |r| < 0.053 makes a term
// of the sum 1/350 of the one before it.
static double excess(double x)
{
    if (fabs(x) > 0.1) return x - log1p(x);
    double r = x/(2.0 + x), rr = r*r, sum = 0.0;
    for (int k = 15; k >= 3; k -= 2) sum = sum*rr + 1.0/k;
    return r*x - 2.0*r*rr*sum;
}

// With w = e u the equation is  -w - ln(1 - w) = u - ln(1 + u).  The left side G is convex and grows from 0 at w = 0: Newton steps from above stay
// above the root. G > w^2/2 and G > -1 - ln(1 - w) give such starts; from u = 50 on the second is 1, and so is the root to the last bit.
double carom_restitution_of(double u)
{
    if (u < 1e-16) return 1.0;  // 1 - 2/3 u
    double right = excess(fmin(u, 50.0)), w = fmin(sqrt(2.0*right), -expm1(-1.0 - right));
    for (int i = 0; i < 50 && w < 1.0; i++) {
        double next = w - (excess(-w) - right)*(1.0 - w)/w;
        if (!(next < w)) break;
        w = next;
    }
    return fmin(1.0, w/u);
}
