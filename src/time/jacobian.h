// jacobian.h -- df/dy by finite differences, for the stiff methods.
#ifndef CAROM_SRC_TIME_JACOBIAN_H
#define CAROM_SRC_TIME_JACOBIAN_H

#include "time/method.h"

// J[n][n - nquad], row-major: the columns of the quadrature states are zero and left out. CAROM_RETRY: some column
// could not be evaluated on either side of y.
caromStatus carom_method_jacobian(const caromOde *ode, const caromLinearPoint *at, double *J);

#endif
