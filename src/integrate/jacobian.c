#include "integrate/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/call.h"

#define LEAST_ROUNDINGS 1e3  // an increment is at least this many roundings of its state
#define PART_OF_STEP 1e-4

// Increment of state i. The usual sqrt(eps) |y| asks how far a body is from the origin, while f changes over the depth of a
// contact, which may be 1e-4 m at 10 m from there. Two lengths are known to be small against that: the tolerance, and a small
// part of what the state moves in this step. Within the larger of them the usual rule may choose; more would only average a
// kink away, less would drown in rounding. Steel contact at 1000 m from the origin: 23 steps, with the usual rule 85.
static double increment(double y, double f, double h, double weight)
{
    double usual = sqrt(DBL_EPSILON)*fabs(y);
    double small = fmax(weight, fmin(usual, PART_OF_STEP*fabs(h*f)));
    double d = fmax(small, LEAST_ROUNDINGS*DBL_EPSILON*fabs(y));
    return f < 0 ? -d : d;  // to the side the state is moving to: the other may lie outside of a contact
}

static caromStatus column(const caromOde *ode, double t, const double *f0, int j, double d, double *y, double *f, double *J,
                          int64_t *evaluations)
{
    int m = ode->n - ode->nquad;
    double before = y[j];
    y[j] = before + d;
    double actual = y[j] - before;
    caromStatus status = carom_evaluate(ode, t, y, f, evaluations);
    y[j] = before;
    if (status != CAROM_OK) return status;
    for (int i = 0; i < ode->n; i++) J[(long)i*m + j] = (f[i] - f0[i])/actual;
    return CAROM_OK;
}

caromStatus carom_fd_jacobian(const caromOde *ode, double t, double h, const double *y, const double *f0, const caromNorm *norm,
                              double *y_trial, double *f_trial, double *J, int64_t *evaluations)
{
    memcpy(y_trial, y, (size_t)ode->n*sizeof *y);
    for (int j = 0; j < ode->n - ode->nquad; j++) {
        double d = norm->change ? copysign(norm->change[j], f0[j]) : increment(y[j], f0[j], h, norm->weight[j]);
        caromStatus status = column(ode, t, f0, j, d, y_trial, f_trial, J, evaluations);
        if (status > 0) status = column(ode, t, f0, j, -d, y_trial, f_trial, J, evaluations);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}
