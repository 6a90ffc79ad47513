// explicit.h -- embedded explicit Runge-Kutta pairs with dense output, given by their tables.
#ifndef CAROM_SRC_TIME_EXPLICIT_H
#define CAROM_SRC_TIME_EXPLICIT_H

#include "time/combine.h"
#include "time/onestep.h"

// Stages 0 (f0) to last (f1); row[i] makes the state of stage i, and row[last] makes y1. Stages after `last` serve
// the dense output only.
typedef struct caromTableau {
    int last, nextra;
    const caromRow *row;    // [last + 1 + nextra], row[0] unused
    int nerror;
    const caromRow *error;  // [nerror] differences to the embedded solutions
    const caromRow *dense;  // [ndense - 3] vectors beyond the cubic Hermite part
    bool error_needs_f1;
    // Norm from the nerror vectors, [nerror][stride].
    double (*error_norm)(const caromNorm *norm, const double *error, int stride);
} caromTableau;

extern const caromTableau carom_tableau_dp5, carom_tableau_dop853;

caromStepper *carom_time_explicit_create(const caromScheme *scheme, const caromTableau *tableau, const caromOde *ode,
                                         const caromNorm *norm);
caromStatus carom_time_explicit_attempt(caromStepper *stepper, double h, double *error);
caromStatus carom_time_explicit_dense(caromStepper *stepper);
double carom_time_explicit_stiffness(caromStepper *stepper);
void carom_time_explicit_place(caromStepper *stepper, double *vectors);

#endif
