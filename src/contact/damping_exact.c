// Damping that gives exactly the restitution asked for.
//
// A mass m meets fn = K d^n (1 + c d') at speed v0. With v = d', m v dv/dd = -K d^n (1 + c v): the depth separates,
//
//     int v dv/(1 + c v) = -K/m int d^n dd
//
// and the right side is the same from touch to deepest point and back. So the left side from v0 to 0 equals that from
// -e v0 to 0:
//
//     (1 + e) u = ln((1 + u)/(1 - e u)),     u = c v0
//
// whatever K, n and m. With both sides called 2 x this is e^2x (1 - e u) = 1 + u, and with (1 + e) u = 2 x it becomes
//
//     L(x) = coth x - 1/x = (1 - e)/(1 + e)          u = 2 x/(1 + e) = x (1 + L(x))
//
// L is Langevin's function. At u = 1: e = 0.5936243, the number that [Engelson00] found by simulation.
#include "contact/contact.h"

// L and 1 - L, each with all its digits.
typedef struct Langevin {
    double L, rest;
} Langevin;

// Below 1 by its continued fraction x/(3 + x^2/(5 + x^2/(7 + ...))), which does not cancel; beyond by
// 1 - L = 1/x - 2/(e^2x - 1).
static Langevin langevin(double x)
{
    if (x < 1.0) {
        double tail = 19.0;
        for (int odd = 17; odd >= 3; odd -= 2) tail = odd + x*x/tail;
        return (Langevin){ x/tail, 1.0 - x/tail };
    }
    double rest = 1.0/x - 2.0/expm1(2.0*x);
    return (Langevin){ 1.0 - rest, rest };
}

enum { STEPS_MAX = 20 };

static bool is_there(double change, double x)
{
    return fabs(change) <= CAROM_CONTACT_LANGEVIN_CHANGE*x;
}

// Newton's method from x = y (3 - y^2)/(1 - y^2), which is off by 5 % at most [Cohen91]. Of
// L' = 1/x^2 - 1/sinh^2 x = 1 - L^2 - 2 L/x the one form serves where x is large, the other where it is small;
// likewise the residual, from L or from 1 - L.
static double number(double e)
{
    double y = (1.0 - e)/(1.0 + e), rest = 2.0*e/(1.0 + e);
    if (!(y > 0.0)) return 0.0;
    if (!(rest > 0.0)) return INFINITY;
    double x = y*(3.0 - y*y)/(rest*(1.0 + y));
    for (int i = 0; i < STEPS_MAX; i++) {
        Langevin l = langevin(x);
        double slope = x < 1.0 ? 1.0 - l.L*l.L - 2.0*l.L/x : 1.0/(x*x) - 1.0/(sinh(x)*sinh(x));
        double change = (x < 1.0 ? y - l.L : l.rest - rest)/slope;
        x += change;
        if (is_there(change, x)) break;
    }
    return 2.0*x/(1.0 + e);
}

const caromDampingRow carom_contact_damping_exact = { .info = { .name = "exact", .uses_restitution = true },
                                                      .number = number };

// x (1 + L) = u: convex, with the slope (1 - L)(1 + u).
double carom_contact_restitution_of(double u)
{
    if (!(u > 0.0)) return 1.0;
    if (isinf(u)) return 0.0;
    double x = u*(3.0 + u)/(3.0 + 2.0*u);
    for (int i = 0; i < STEPS_MAX; i++) {
        Langevin l = langevin(x);
        double value = x*(1.0 + l.L), change = (u - value)/(l.rest*(1.0 + value));
        x += change;
        if (is_there(change, x)) break;
    }
    Langevin l = langevin(x);
    return l.rest/(1.0 + l.L);
}
