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

double carom_restitution_of(double u)
{
    if (u <= 0.0) return 1.0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5*(low + high);
        if (middle <= low || middle >= high) break;
        // A restitution that is too small asks for more damping than u.
        if (carom_damping_exact(middle) > u) low = middle;
        else high = middle;
    }
    return 0.5*(low + high);
}
