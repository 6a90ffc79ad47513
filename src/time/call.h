// call.h -- the one place where the methods call f.
#ifndef CAROM_SRC_TIME_CALL_H
#define CAROM_SRC_TIME_CALL_H

#include "time/combine.h"
#include "time/method.h"

// f(t, y), counted. For stages: a rate that is not finite shows in the state of the next stage or in the error.
static inline caromStatus carom_time_evaluate_stage(const caromOde *ode, double t, const double *y, double *dydt,
                                                    int64_t *count)
{
    ++*count;
    return ode->f(ode->user, t, y, dydt);
}

// f(t, y), counted. A rate that is not finite is a failed evaluation: a NaN must shorten the step, not travel through
// it.
static inline caromStatus carom_time_evaluate(const caromOde *ode, double t, const double *y, double *dydt,
                                              int64_t *count)
{
    caromStatus status = carom_time_evaluate_stage(ode, t, y, dydt, count);
    return status == CAROM_OK && !carom_time_all_finite(dydt, ode->n) ? CAROM_RETRY : status;
}

#endif
