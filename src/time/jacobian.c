#include "time/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "time/call.h"

#define LEAST_ROUNDINGS 1e3  // an increment is at least this many roundings of its state
#define PART_OF_STEP 1e-4
#define TIME_PART_OF_STEP 1e-5

void carom_time_carry_on(const caromCarry *carry, double step, double *y)
{
    for (int i = 0; carry && i < carry->n; i++) {
        const caromCarried *c = &carry->list[i];
        if (!c->goes_along) continue;
        y[c->position] += step*c->velocity;
        y[c->speed] += step*c->acceleration;
    }
}

double carom_method_change_of_time(double t, double h)
{
    return fmax(TIME_PART_OF_STEP*h, LEAST_ROUNDINGS*DBL_EPSILON*fabs(t));
}

// Increment of state i. The usual sqrt(eps) |y| asks how far a body is from the origin, while f changes over the depth
// of a contact, which may be 1e-4 m at 10 m from there. Two lengths are known to be small against that: the tolerance,
// and a small part of what the state moves in this step. Within the larger of them the usual rule may choose; more
// would only average a kink away, less would drown in rounding. Steel contact at 1000 m from the origin: 23 steps,
// with the usual rule 85.
static double increment(double y, double f, double h, double weight)
{
    double usual = sqrt(DBL_EPSILON)*fabs(y);
    double small = fmax(weight, fmin(usual, PART_OF_STEP*fabs(h*f)));
    double d = fmax(small, LEAST_ROUNDINGS*DBL_EPSILON*fabs(y));
    return f < 0 ? -d : d;  // to the side the state is moving to: the other may lie outside of a contact
}

// at->y_trial is y before and after.
static caromStatus column(const caromOde *ode, const caromLinearPoint *at, int j, double d, double *J)
{
    int m = ode->n - ode->nquad;
    double *y = at->y_trial, *f = at->f_trial, before = y[j];
    y[j] = before + d;
    double actual = y[j] - before;
    caromStatus status = carom_time_evaluate(ode, at->t, y, f, at->evaluations);
    y[j] = before;
    if (status != CAROM_OK) return status;
    for (int i = 0; i < ode->n; i++) J[(long)i*m + j] = (f[i] - at->f0[i])/actual;
    return CAROM_OK;
}

// Along the motion time passes too: df/dt is taken off. A part that goes with a tray that is shaken would be lifted off
// it by the same change of its own state alone.
caromStatus carom_method_slope_along(const caromOde *ode, const caromLinearPoint *at, double step)
{
    int n = ode->n, m = n - ode->nquad;
    for (int j = 0; j < m; j++) at->y_trial[j] = at->y[j] + step*at->f0[j];
    carom_time_carry_on(at->carry, step, at->y_trial);
    double t = at->ft ? at->t + step : at->t;
    caromStatus status = carom_time_evaluate(ode, t, at->y_trial, at->f_trial, at->evaluations);
    if (status != CAROM_OK) return status;
    carom_time_carry_on(at->carry, -1.0, at->f_trial);
    for (int i = 0; i < n; i++) at->f_trial[i] = (at->f_trial[i] - at->f0[i])/step - (at->ft ? at->ft[i] : 0.0);
    return CAROM_OK;
}

// J f0, the change of f along the motion, is what a step feels most of J, and where differences are worst: a body that
// slides fast over a stiff contact moves in a direction in which the force does not change, and large entries have to
// cancel. So J is corrected by the rank-one matrix that makes J f0 the difference of f along the motion itself, least
// in the norm of the weights [Broyden65].
static caromStatus correct_along_motion(const caromOde *ode, const caromLinearPoint *at, double *J)
{
    int n = ode->n, m = n - ode->nquad;
    const double *f0 = at->f0;
    const caromNorm *norm = at->norm;
    double size = 0.0;
    for (int j = 0; j < m; j++) size += f0[j]/norm->weight[j]*(f0[j]/norm->weight[j]);
    if (!(at->h*sqrt(size) > norm->far)) return CAROM_OK;  // at rest f0 is little more than noise
    // A central difference: the first side takes J f0 to its one-sided value, the second to the mean of both.
    for (int side = -1; side <= 1; side += 2) {
        double step = 0.01*at->h*side;
        caromStatus status = carom_method_slope_along(ode, at, step);
        if (status != CAROM_OK) return status < 0 ? status : CAROM_OK;  // J as it is
        for (int i = 0; i < n; i++) {
            double along = 0.0;
            for (int j = 0; j < m; j++) along += J[(long)i*m + j]*f0[j];
            double off = (side < 0 ? 1.0 : 0.5)*(at->f_trial[i] - along)/size;
            for (int j = 0; j < m; j++) J[(long)i*m + j] += off*f0[j]/(norm->weight[j]*norm->weight[j]);
        }
    }
    return CAROM_OK;
}

caromStatus carom_method_jacobian(const caromOde *ode, const caromLinearPoint *at, double *J)
{
    const caromNorm *norm = at->norm;
    memcpy(at->y_trial, at->y, (size_t)ode->n*sizeof *at->y);
    for (int j = 0; j < ode->n - ode->nquad; j++) {
        double d = norm->change ? copysign(norm->change[j], at->f0[j])
                                : increment(at->y[j], at->f0[j], at->h, norm->weight[j]);
        caromStatus status = column(ode, at, j, d, J);
        if (status > 0) status = column(ode, at, j, -d, J);
        if (status != CAROM_OK) return status;
    }
    return norm->change ? correct_along_motion(ode, at, J) : CAROM_OK;
}
