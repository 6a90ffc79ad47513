// Gaussian elimination with scaled partial pivoting [GolubVanLoan13, 3.4]. Rows of a system of motion carry
// different units (m, m/s, quaternion): the pivot is judged relative to the size of its row, so that a change of
// units does not change it.
#include "math/lu.h"

#include <float.h>
#include <math.h>

static bool row_scales(int n, const double *a, double *scale)
{
    for (int i = 0; i < n; i++) {
        double largest = 0, probe = 0;
        for (int j = 0; j < n; j++) {
            double x = fabs(a[(long)i*n + j]);
            if (x > largest) largest = x;
            probe += 0.0*x;
        }
        if (probe != 0 || !(largest > 0)) return false;
        scale[i] = 1/largest;
    }
    return true;
}

static int best_pivot(int n, int k, const double *a, const double *scale)
{
    int best = k;
    double size = 0;
    for (int i = k; i < n; i++) {
        double x = fabs(a[(long)i*n + k])*scale[i];
        if (x > size) {
            size = x;
            best = i;
        }
    }
    return size > DBL_EPSILON*DBL_EPSILON ? best : -1;
}

static void swap_rows(int n, double *a, double *scale, int i, int k)
{
    if (i == k) return;
    double *p = a + (long)i*n, *q = a + (long)k*n;
    for (int j = 0; j < n; j++) {
        double t = p[j];
        p[j] = q[j];
        q[j] = t;
    }
    scale[i] = scale[k];  // row k is done with: its scale is not needed again
}

static void eliminate(int n, int k, double *a)
{
    const double *restrict top = a + (long)k*n;
    double inverse = 1/top[k];
    for (int i = k + 1; i < n; i++) {
        double *restrict row = a + (long)i*n;
        double factor = row[k] *= inverse;
        if (factor == 0) continue;
        for (int j = k + 1; j < n; j++) row[j] -= factor*top[j];
    }
}

bool carom_lu_factor(int n, double *a, int *pivot, double *scale)
{
    if (!row_scales(n, a, scale)) return false;
    for (int k = 0; k < n; k++) {
        pivot[k] = best_pivot(n, k, a, scale);
        if (pivot[k] < 0) return false;
        swap_rows(n, a, scale, pivot[k], k);
        eliminate(n, k, a);
    }
    return true;
}

void carom_lu_solve(int n, const double *lu, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double t = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = t;
    }
    for (int i = 1; i < n; i++) {
        const double *row = lu + (long)i*n;
        double sum = x[i];
        for (int j = 0; j < i; j++) sum -= row[j]*x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = lu + (long)i*n;
        double sum = x[i];
        for (int j = i + 1; j < n; j++) sum -= row[j]*x[j];
        x[i] = sum/row[i];
    }
}
