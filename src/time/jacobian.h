// jacobian.h -- df/dy by finite differences, for the stiff methods.
#ifndef CAROM_SRC_TIME_JACOBIAN_H
#define CAROM_SRC_TIME_JACOBIAN_H

#include "time/method.h"

// J[n][n - nquad], row-major: the columns of the quadrature states are zero and left out. CAROM_RETRY: some column
// could not be evaluated on either side of y.
caromStatus carom_method_jacobian(const caromOde *ode, const caromLinearPoint *at, double *J);

// J f0 by the change of f over `step` along the motion, into at->f_trial; overwrites at->y_trial. As f says.
caromStatus carom_method_slope_along(const caromOde *ode, const caromLinearPoint *at, double step);

// y := y + step dP/dt of what is carried; carry may be NULL.
void carom_time_carry_on(const caromCarry *carry, double step, double *y);

// Change of time for a difference quotient: small against the step, large against the rounding of t [s].
double carom_method_change_of_time(double t, double h);

#endif
