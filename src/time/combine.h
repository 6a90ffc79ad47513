// combine.h -- weighted sums of stage vectors, the inner loop of every one-step method.
//
// A row of a tableau lists its non-zero coefficients only. Vectors are padded with zeros to a multiple of four, so the
// loop has no remainder, keeps four independent sums in registers and passes once over each stage.
#ifndef CAROM_SRC_TIME_COMBINE_H
#define CAROM_SRC_TIME_COMBINE_H

#include <math.h>
#include <stdbool.h>

#define CAROM_ROW_TERMS 12

typedef struct caromTerm {
    int stage;
    double a;
} caromTerm;

typedef struct caromRow {
    double c;  // the stage is evaluated at tau0 + c h
    int count;
    caromTerm term[CAROM_ROW_TERMS];
} caromRow;

static inline int carom_time_padded(int n)
{
    return (n + 3) & ~3;
}

static inline bool carom_time_all_finite(const double *x, int n)
{
    double probe = 0;  // stays zero while everything is finite: 0 * NaN and 0 * inf are NaN
    for (int i = 0; i < n; i++) probe += 0.0*x[i];
    return probe == 0.0;
}

// out = scale sum_j a_j k_j;  k is [stage][stride].
static inline void carom_time_combine(const caromRow *row, double scale, const double *restrict k, int stride,
                                      double *restrict out)
{
    for (int i = 0; i < stride; i += 4) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int j = 0; j < row->count; j++) {
            const double *v = k + (long)row->term[j].stage*stride + i;
            double a = row->term[j].a;
            s0 += a*v[0];
            s1 += a*v[1];
            s2 += a*v[2];
            s3 += a*v[3];
        }
        out[i] = scale*s0;
        out[i + 1] = scale*s1;
        out[i + 2] = scale*s2;
        out[i + 3] = scale*s3;
    }
}

// out = base + scale sum_j a_j k_j. False when a component is not finite: f is never asked about such a state.
static inline bool carom_time_combine_from(const double *restrict base, const caromRow *row, double scale,
                                           const double *restrict k, int stride, double *restrict out)
{
    double p0 = 0, p1 = 0, p2 = 0, p3 = 0;  // as in carom_time_all_finite
    for (int i = 0; i < stride; i += 4) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int j = 0; j < row->count; j++) {
            const double *v = k + (long)row->term[j].stage*stride + i;
            double a = row->term[j].a;
            s0 += a*v[0];
            s1 += a*v[1];
            s2 += a*v[2];
            s3 += a*v[3];
        }
        p0 += 0.0*(out[i] = base[i] + scale*s0);
        p1 += 0.0*(out[i + 1] = base[i + 1] + scale*s1);
        p2 += 0.0*(out[i + 2] = base[i + 2] + scale*s2);
        p3 += 0.0*(out[i + 3] = base[i + 3] + scale*s3);
    }
    return (p0 + p1) + (p2 + p3) == 0.0;
}

// out = base + delta, with the same promise.
static inline bool carom_time_add_finite(const double *restrict base, const double *restrict delta, int n,
                                         double *restrict out)
{
    double probe = 0;
    for (int i = 0; i < n; i++) probe += 0.0*(out[i] = base[i] + delta[i]);
    return probe == 0.0;
}

#endif
