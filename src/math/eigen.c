#include "math/eigen.h"

#include <float.h>
#include <math.h>

enum { SWEEPS_MAX = 16 };  // 5 or 6 are enough for n = 6; what is not finite ends here

// Rows and columns p, q turn by the angle that clears a[p][q]: t = tan, the smaller root of t^2 + 2 theta t = 1
// [GolubVanLoan13, 8.5].
static void clear_entry(int n, double *a, double *vectors, int p, int q)
{
    double apq = a[p*n + q];
    if (apq == 0.0) return;
    double theta = (a[q*n + q] - a[p*n + p])/(2.0*apq);
    double t = (theta < 0.0 ? -1.0 : 1.0)/(fabs(theta) + sqrt(1.0 + theta*theta)), c = 1.0/sqrt(1.0 + t*t), s = t*c;
    a[p*n + p] -= t*apq;
    a[q*n + q] += t*apq;
    a[p*n + q] = a[q*n + p] = 0.0;
    for (int k = 0; k < n; k++) {
        double vp = vectors[p*n + k], vq = vectors[q*n + k];
        vectors[p*n + k] = c*vp - s*vq;
        vectors[q*n + k] = s*vp + c*vq;
        if (k == p || k == q) continue;
        double akp = a[k*n + p], akq = a[k*n + q];
        a[k*n + p] = a[p*n + k] = c*akp - s*akq;
        a[k*n + q] = a[q*n + k] = s*akp + c*akq;
    }
}

static double off_diagonal(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) sum += a[i*n + j]*a[i*n + j];
    return sum;
}

static double diagonal(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i*n + i]*a[i*n + i];
    return sum;
}

// Jacobi's method, row by row.
void carom_symmetric_eigen(int n, double *a, double *values, double *vectors)
{
    for (int i = 0; i < n*n; i++) vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < SWEEPS_MAX && off_diagonal(n, a) > 1e-2*DBL_EPSILON*DBL_EPSILON*diagonal(n, a);
         sweep++) {
        for (int p = 0; p < n; p++) for (int q = p + 1; q < n; q++) clear_entry(n, a, vectors, p, q);
    }
    for (int i = 0; i < n; i++) values[i] = a[i*n + i];
}
