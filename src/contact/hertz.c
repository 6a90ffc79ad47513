// Hertz: stiffness from curvature [Johnson85, 4.2].
//
// Near the point of first touch the gap is A x^2 + B y^2, A = k_min/2 <= B = k_max/2. The pressure p0
// sqrt(1 - (x/a)^2 - (y/b)^2) on an ellipse a >= b moves the surface of an elastic half-space by (L - M x^2 - N
// y^2)/(pi E*). With m = 1 - b^2/a^2 and the complete elliptic integrals of m in Legendre's form,
//
//     D = int sin^2/sqrt(1 - m sin^2) = (K - E)/m,     C = int cos^2/sqrt(1 - m sin^2) = (E - (1 - m) K)/m,
//         K = C + D
//
// (0 to pi/2) these are L = pi p0 b K, M = pi p0 b D/a^2, N = pi p0 b C/b^2. So with F = 2/3 pi a b p0 and the depth d
//
//     B/A = C/((b/a)^2 D),     a^2 = d D/(A K),     F = 2 pi/3 E* sqrt(D/A) K^-1.5 d^1.5
//
// C and D keep all their digits at m = 0, where K - E cancels: there D = C = pi/4 and F = 4/3 E* sqrt(R) d^1.5.
#include "contact/contact.h"

static const double pi = CAROM_PI;

// b/a, K, C, D, and T = (D - C)/(2 m K), which stays finite at m = 0 too.
typedef struct Ellipse {
    double slim, K, C, D, T;
} Ellipse;

// By the arithmetic-geometric mean of 1 and b/a. Half the difference of the two means, c_n = c_(n-1)^2/(4 mean), has
// twice as many zeros after each step, and K - E = K (m/2 + sum of 2^(n-1) c_n^2 from n = 1 on) [DLMF, 19.8]. As
// c_1 = m/(2 (1 + b/a)), m can be divided out: c and T go without m and m^2.
static Ellipse ellipse_of(double log_slim)
{
    double slim = exp(log_slim), m = -expm1(2.0*log_slim);
    double x = 0.5*(1.0 + slim), y = sqrt(slim), c = 0.5/(1.0 + slim), weight = 1.0, T = c*c;
    while (m*c > CAROM_CONTACT_ELLIPSE_CHANGE*x) {
        double next = 0.5*(x + y);
        c = m*c*c/(4.0*next);
        y = sqrt(x*y);
        x = next;
        weight *= 2.0;
        T += weight*c*c;
    }
    double K = 0.5*pi/x;
    return (Ellipse){ slim, K, K*(0.5 - m*T), K*(0.5 + m*T), T };
}

// From ln C - ln D - 2 s = ln(B/A), s = ln(b/a), by Newton's method: the slope stays between -2 (a line) and -3/2
// (a circle).
static Ellipse ellipse_for(double ratio)
{
    double s = -0.6*log(ratio), change = 1.0;
    for (int i = 0; i < 20 && fabs(change) > CAROM_CONTACT_ELLIPSE_CHANGE; i++) {
        Ellipse e = ellipse_of(s);
        change = (log(e.C/(e.D*ratio)) - 2.0*s)/(1.0 + 2.0*e.K*e.T*(1.0/e.D + e.slim*e.slim/e.C));
        s = fmin(0.0, s + change);
    }
    return ellipse_of(s);
}

// What is nearly a line counts as a contact with the largest ratio; so does a k_min < 0, which surfaces that touch in
// one point only have by rounding.
static double least_curvature(double k_min, double k_max)
{
    return fmax(k_min, k_max/CAROM_CONTACT_ELLIPSE_LONGEST);
}

double carom_contact_hertz_stiffness(double E_star, double k_min, double k_max)
{
    if (!(k_max > 0.0)) return INFINITY;
    if (isinf(k_max)) return 0.0;
    double k = least_curvature(k_min, k_max);
    Ellipse e = ellipse_for(k_max/k);
    return 2.0*pi/3.0*E_star*sqrt(2.0*e.D/(k*e.K))/e.K;
}

void carom_contact_hertz_ellipse(double k_min, double k_max, double depth, double *a, double *b)
{
    double k = least_curvature(k_min, k_max);
    Ellipse e = ellipse_for(k_max/k);
    *a = sqrt(2.0*depth*e.D/(k*e.K));
    *b = e.slim**a;
}

// What a sharp edge (k2 infinite) leaves: along it the curvatures add up, across it they are infinite. Two edges
// that cross leave nothing.
static void edge_curvature(caromCurvature a, caromCurvature b, double c2, double s2, double *k_min, double *k_max)
{
    *k_max = INFINITY;
    if (isinf(a.k2) && isinf(b.k2)) *k_min = s2 > 0.0 ? (double)INFINITY : a.k1 + b.k1;
    else if (isinf(a.k2)) *k_min = a.k1 + b.k1*c2 + b.k2*s2;
    else *k_min = b.k1 + a.k1*c2 + a.k2*s2;
}

// With the angle f from t1 of A to t1 of B the sum has the trace a1 + a2 + b1 + b2 and the determinant a1
// a2 + b1 b2 + (a1 b1 + a2 b2) sin^2 f + (a1 b2 + a2 b1) cos^2 f, and half the difference of its eigenvalues is
// that of two vectors at an angle 2 f. The smaller one follows from the determinant: their difference would
// cancel where the contact is long.
void carom_contact_relative_curvature(caromCurvature a, caromCurvature b, caromVec3 n, double *k_min, double *k_max)
{
    double c = carom_dot(a.t1, b.t1), s = carom_dot(n, carom_cross(a.t1, b.t1)), size = c*c + s*s, c2 = c*c/size,
           s2 = s*s/size;
    if (!(size > 0.0)) c2 = s2 = 0.5;
    if (isinf(a.k2) || isinf(b.k2)) {
        edge_curvature(a, b, c2, s2, k_min, k_max);
        return;
    }
    double u = 0.5*(a.k2 - a.k1), v = 0.5*(b.k2 - b.k1), mean = 0.5*(a.k1 + a.k2 + b.k1 + b.k2);
    double determinant = a.k1*a.k2 + b.k1*b.k2 + (a.k1*b.k1 + a.k2*b.k2)*s2 + (a.k1*b.k2 + a.k2*b.k1)*c2;
    *k_max = mean + hypot((u + v)*sqrt(c2), (u - v)*sqrt(s2));
    *k_min = *k_max > 0.0 ? fmin(*k_max, determinant/ *k_max) : 2.0*mean - *k_max;
}
