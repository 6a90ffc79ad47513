// Hertz' equations by quadrature: no elliptic integrals, nothing in common with the library.
#ifndef CAROM_TESTS_HERTZ_REFERENCE_H
#define CAROM_TESTS_HERTZ_REFERENCE_H

#include <math.h>

// int_0^inf dw/(sqrt((a^2 + w)(b^2 + w) w) (p + w)), without the last factor if p = 0: the potential of an ellipsoid of
// pressure. With w = a b e^t the integrand is analytic in a strip of half width pi about the real axis and falls off
// exponentially at both ends: the trapezoidal rule with step h is exact to e^(-2 pi^2/h).
static inline double hertz_potential(double a, double b, double p)
{
    const double h = 0.4, reach = 80.0 + 2.0*log(a/b);
    double sum = 0.0;
    for (double t = -reach; t <= reach; t += h) {
        double w = a*b*exp(t);
        sum += w/(sqrt((a*a + w)*(b*b + w)*w)*(p > 0.0 ? p + w : 1.0));
    }
    return h*sum;
}

// A force F on an ellipse a, b of an elastic half-space: depth in the middle, and curvatures along a and b of the
// surface.
typedef struct HertzAnswer {
    double depth, k_a, k_b;
} HertzAnswer;

static inline HertzAnswer hertz_answer(double E_star, double F, double a, double b)
{
    double scale = 0.75*F/(3.14159265358979323846*E_star);  // p0 a b/(2 E*), p0 = 3 F/(2 pi a b)
    return (HertzAnswer){ scale*hertz_potential(a, b, 0.0), 2.0*scale*hertz_potential(a, b, a*a),
                          2.0*scale*hertz_potential(a, b, b*b) };
}

// K of fn = K d^1.5: b/a by halving until the curvatures have the right ratio.
static inline double hertz_reference(double E_star, double k_min, double k_max)
{
    double low = 1e-6, high = 1.0;
    for (int i = 0; i < 60; i++) {
        double middle = sqrt(low*high);
        HertzAnswer x = hertz_answer(E_star, 1.0, 1.0, middle);
        if (x.k_b*k_min > x.k_a*k_max) low = middle;
        else high = middle;
    }
    // F on the ellipse (s, s b): depth ~ F/s, curvature ~ F/s^3. Of F = 1 with k_min: s^3 = k_a/k_min.
    HertzAnswer x = hertz_answer(E_star, 1.0, 1.0, sqrt(low*high));
    return pow(x.depth/cbrt(x.k_a/k_min), -1.5);
}

#endif
