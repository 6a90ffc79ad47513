// jacobian.h -- df/dy by finite differences, for the stiff methods.
#ifndef CAROM_SRC_INTEGRATE_JACOBIAN_H
#define CAROM_SRC_INTEGRATE_JACOBIAN_H

#include "integrate/method.h"

// J[n][n - nquad], row-major: the columns of the quadrature states are zero and left out. f0 = f(t, y), h: the step J is
// for. y_trial and f_trial are scratch of length n; *evaluations is increased. CAROM_RETRY: some column could not be evaluated
// on either side of y.
caromStatus carom_fd_jacobian(const caromOde *ode, double t, double h, const double *y, const double *f0, const caromNorm *norm,
                              double *y_trial, double *f_trial, double *J, int64_t *evaluations);

#endif
