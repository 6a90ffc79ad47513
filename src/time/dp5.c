// Runge-Kutta 5(4) of Dormand and Prince [DormandPrince80] with the free dense output of order 4 of Shampine, in the
// form of [HairerNorsettWanner93, II.6]. Seven stages, the last is the first of the next step.
#include "time/explicit.h"

static const caromRow rows[] = {
    { 0, 0, { { 0, 0 } } },
    { 1.0/5, 1, { { 0, 1.0/5 } } },
    { 3.0/10, 2, { { 0, 3.0/40 }, { 1, 9.0/40 } } },
    { 4.0/5, 3, { { 0, 44.0/45 }, { 1, -56.0/15 }, { 2, 32.0/9 } } },
    { 8.0/9, 4, { { 0, 19372.0/6561 }, { 1, -25360.0/2187 }, { 2, 64448.0/6561 }, { 3, -212.0/729 } } },
    { 1, 5, { { 0, 9017.0/3168 }, { 1, -355.0/33 }, { 2, 46732.0/5247 }, { 3, 49.0/176 }, { 4, -5103.0/18656 } } },
    { 1, 5, { { 0, 35.0/384 }, { 2, 500.0/1113 }, { 3, 125.0/192 }, { 4, -2187.0/6784 }, { 5, 11.0/84 } } },
};

static const caromRow error_row = { 1, 6, { { 0, 71.0/57600 },     { 2, -71.0/16695 }, { 3, 71.0/1920 },
                                            { 4, -17253.0/339200 }, { 5, 22.0/525 },    { 6, -1.0/40 } } };

static const caromRow dense_row = { 1, 6, { { 0, -12715105075.0/11282082432 },  { 2, 87487479700.0/32700410799 },
                                            { 3, -10690763975.0/1880347072 },   { 4, 701980252875.0/199316789632 },
                                            { 5, -1453857185.0/822651844 },     { 6, 69997945.0/29380423 } } };

static double error_norm(const caromNorm *norm, const double *error, int stride)
{
    (void)stride;
    return carom_time_norm_of(norm, error);
}

const caromTableau carom_tableau_dp5 = {
    .last = 6, .row = rows, .nerror = 1, .error = &error_row, .dense = &dense_row,
    .error_needs_f1 = true, .error_norm = error_norm,
};

static const caromScheme scheme = {
    .name = "dp5", .exponent = 1.0/5, .pi = 0.04, .shrink = 0.2, .grow = 6, .ndense = 4,
    .attempt = carom_time_explicit_attempt, .dense = carom_time_explicit_dense, .place = carom_time_explicit_place,
};

static caromStepper *create(const caromOde *ode, const caromNorm *norm)
{
    return carom_time_explicit_create(&scheme, &carom_tableau_dp5, ode, norm);
}

const caromMethod carom_method_dp5 = {
    .name = "dp5", .order = 5, .dense_order = 4, .dense_degree = 4, .held = 1.5, .stable = 3.3,
    .create = create, .stiffness = carom_time_explicit_stiffness,
    CAROM_ONESTEP_FUNCTIONS,
};
