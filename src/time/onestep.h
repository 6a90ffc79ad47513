// onestep.h -- what DP5, DOP853 and Rodas5P share: start, the loop of trial steps, step size control, dense output.
//
// A scheme supplies two functions, one trial step and the coefficients of its dense output; everything else is here
// once.
//
// Dense output of all schemes, with the vectors F_c of the step [HairerNorsettWanner93, II.6]:
//
//     y(theta) = y0 + theta (F_0 + (1-theta) (F_1 + theta (F_2 + (1-theta) (F_3 + ...))))      F_0 = y1 - y0
#ifndef CAROM_SRC_TIME_ONESTEP_H
#define CAROM_SRC_TIME_ONESTEP_H

#include "time/call.h"

#define CAROM_DENSE_MAX 7

typedef struct caromScheme {
    const char *name;
    double exponent;      // 1/q: the error estimate goes as h^q
    double pi;            // exponent of the previous error in the controller
    double shrink, grow;  // least and largest h_new/h
    int ndense;           // number of vectors F_c
    bool is_dense_dear;   // they cost evaluations
    // From (tau0, y0, f0) with step h: y1, dense[0] = y1 - y0, the norm of the error. May write f1 and set has_rate.
    // CAROM_RETRY: some stage could not be evaluated.
    caromStatus (*attempt)(caromStepper *stepper, double h, double *error);
    // Fills dense[1..ndense) for the step just made.
    caromStatus (*dense)(caromStepper *stepper);
    // Places the scheme's own vectors, f0 and f1 among them, and its matrices from `vectors` on; ode.n and stride are
    // set.
    void (*place)(caromStepper *stepper, double *vectors);
} caromScheme;

struct caromStepper {
    const caromScheme *scheme;
    caromOde ode;             // n: as many as there are since the last start
    const caromNorm *norm;
    int stride;               // n padded to a multiple of four; length of every vector below
    double *memory;           // where the vectors are, with room for the most states there may be
    double *kept;             // as many, for those of the step just made while another is tried
    size_t nvector;           // that the scheme has
    int room;                 // most states there may be
    double t_start;
    double tau0, tau1, h;     // the step just made, h = tau1 - tau0
    double h_next;            // 0: choose
    double error_before;      // of the last step that was not cut by a limit
    bool has_rate;            // f1 belongs to (tau1, y1)
    bool has_dense;
    bool is_new_point;        // no trial yet from (tau0, y0): a stored Jacobian is of another point
    bool accepts_all;         // any finite step is accepted: fixed steps, for tests of the order
    double *y0, *y1, *f0, *f1;
    double *dense;            // [ndense][stride]
    double *trial;            // state of a stage
    caromCounts counts;
};

// Vectors the shared part needs, f0 and f1 not among them (a scheme keeps them with its stages).
#define CAROM_ONESTEP_VECTORS(ndense) (3 + (ndense))

// Zeroed memory: size bytes for the stepper (its first member is a caromStepper), then nvector vectors for the
// scheme and `extra` doubles. One block: destroy is free(). To be followed by carom_onestep_resize, when the
// scheme's table is in place.
caromStepper *carom_onestep_create(const caromScheme *scheme, const caromOde *ode, const caromNorm *norm, size_t size,
                                   size_t nvector, size_t extra);
void carom_onestep_resize(caromStepper *stepper, int n);  // zeroed vectors for n states, no more than there is room for
void carom_onestep_destroy(caromStepper *stepper);
caromStatus carom_onestep_start(caromStepper *stepper, double t, const double *y, double h_hint);
caromStatus carom_onestep_step(caromStepper *stepper, double tau_limit, caromError *err);
void carom_onestep_span(const caromStepper *stepper, double *tau0, double *tau1);
const double *carom_onestep_state(const caromStepper *stepper);
caromStatus carom_onestep_interpolate(caromStepper *stepper, double theta, double *y, double *dydtau);
caromStatus carom_onestep_interpolate_some(caromStepper *stepper, double theta, int first, int count, double *y);
caromStatus carom_onestep_refine(caromStepper *stepper, double theta, double *y);
caromStatus carom_onestep_stray(caromStepper *stepper, int count, double *stray);
void carom_onestep_amend(caromStepper *stepper, const double *y);
double carom_onestep_hint(const caromStepper *stepper);
void carom_onestep_hold(caromStepper *stepper, double h);
caromCounts carom_onestep_counts(const caromStepper *stepper);

// The rows of a method's table that all schemes fill alike.
#define CAROM_ONESTEP_FUNCTIONS                                                                 \
    .destroy = carom_onestep_destroy, .start = carom_onestep_start, .step = carom_onestep_step, \
    .span = carom_onestep_span,                                                                 \
    .state = carom_onestep_state, .interpolate = carom_onestep_interpolate,                     \
    .interpolate_some = carom_onestep_interpolate_some, .refine = carom_onestep_refine,         \
    .stray = carom_onestep_stray, .amend = carom_onestep_amend, .hint = carom_onestep_hint,     \
    .hold = carom_onestep_hold, .counts = carom_onestep_counts

// f at local time tau; see call.h.
static inline caromStatus carom_onestep_stage(caromStepper *s, double tau, const double *y, double *dydt)
{
    return carom_time_evaluate_stage(&s->ode, s->t_start + tau, y, dydt, &s->counts.evaluations);
}

static inline caromStatus carom_onestep_evaluate(caromStepper *s, double tau, const double *y, double *dydt)
{
    return carom_time_evaluate(&s->ode, s->t_start + tau, y, dydt, &s->counts.evaluations);
}

#endif
