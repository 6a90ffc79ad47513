// The two fits of [Engelson00] to the restitution that u = c v0 gives.
#include "contact/contact.h"

static double fraction(double e)  // e = 1/(1 + u)
{
    return (1.0 - e)/e;
}

// e = a0 + a1 s + a2 s^2 + a3 s^3, s = ln u, falls from 0.983167 at s = -2.57 to -0.121024 at s = 3.82: s is the root
// in between. With s = middle + x it reads e = e_middle + a3 (x^3 - 3 r^2 x), the ends at x = -+r; x = -2 r sin f turns
// this into sin 3f = w = (e - e_middle)/(2 a3 r^3). Above the upper end the root is one of a complex pair. Its real
// part goes on where the root ends: minus half the third root x = 2 r cosh f, cosh 3f = w, since the sum of all is 0.
static double cubic(double e)
{
    static const double a0 = 0.58997694, a1 = -0.24940203, a2 = -0.01576398, a3 = 0.00846295;
    double middle = -a2/(3.0*a3), r = sqrt(middle*middle - a1/(3.0*a3)),
           e_middle = a0 + middle*(a1 + middle*(a2 + middle*a3));
    double w = (e - e_middle)/(2.0*a3*r*r*r);
    return exp(middle - (w <= 1.0 ? 2.0*r*sin(asin(fmax(w, -1.0))/3.0) : r*cosh(acosh(w)/3.0)));
}

const caromDampingRow carom_contact_damping_engelson_fraction = {
    .info = { .name = "engelson-fraction", .uses_restitution = true },
    .number = fraction,
};

const caromDampingRow carom_contact_damping_engelson_cubic = {
    .info = { .name = "engelson-cubic", .uses_restitution = true },
    .number = cubic,
};
