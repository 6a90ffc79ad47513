// method.h -- one-step methods behind one table of functions.
//
// A method advances y' = f(t, y) by one accepted step at a time and answers questions about the step it just made: the
// state and its rate anywhere inside it (dense output). It knows nothing of contacts, events, energy or output; those
// live above this table, once for all methods. Restarting after an event costs nothing but the first evaluation.
//
// Time inside a method is local: tau = 0 at the last start. The absolute time t = t_start + tau is used for calling f
// only, so that rounding of a large t never enters an event time.
#ifndef CAROM_SRC_TIME_METHOD_H
#define CAROM_SRC_TIME_METHOD_H

#include "carom/base.h"

// dy/dt = f(t, y). CAROM_OK; CAROM_RETRY: not evaluable at this trial state, the step is rejected and tried with h/4;
// < 0: final, passed on. A rate that is not finite counts as CAROM_RETRY; y is always finite.
typedef caromStatus (*caromRhs)(void *user, double t, const double *y, double *dydt);

typedef struct caromNorm caromNorm;

// Two states that may go along with what time alone moves, as a part does on a tray that is shaken: a position and its
// speed.
typedef struct caromCarried {
    int position, speed;       // numbers of the states; the rate of the first is the second
    double shift, velocity;    // of what carries them: since the start of the step, and then
    double acceleration;       // at the start of the step
    bool goes_along;           // in this step
} caromCarried;

typedef struct caromCarry {
    caromCarried *list;
    int n;
} caromCarry;

// Where J = df/dy is wanted, and what may be used on the way.
typedef struct caromLinearPoint {
    double t, h;              // h: of the step that J is for [s]
    const double *y, *f0;     // f0 = f(t, y), less what is carried
    const caromNorm *norm;
    double *y_trial, *f_trial;  // scratch [n]
    int64_t *evaluations;     // counts those of f; parts of an evaluation do not count
    const double *ft;         // df/dt at (t, y) [n], along what is carried; NULL: none
    const caromCarry *carry;  // what goes along with time; NULL: nothing
} caromLinearPoint;

// J = df/dy of an ODE that knows which states depend on which, in place of a dense matrix of differences. user: of the
// ODE.
typedef struct caromLinearSystem {
    // J, and ft = df/dt [n], both at y; ft is that of f(t, y + P) with P of what is carried. CAROM_RETRY: not to be had
    // at this state.
    caromStatus (*linearise)(void *user, const caromLinearPoint *at, double *ft);
    bool (*factorise)(void *user, double s);       // 1 - s J; false: singular to working precision
    void (*solve)(void *user, double s, double *x);  // x := (1 - s J)^-1 x
    // What may be carried from (t, y) on, as it is at t + later: list [n/2], in an order of its own; how many.
    int (*carry)(void *user, double t, const double *y, double later, caromCarried *list);
} caromLinearSystem;

// A stage of an implicit method, y = base + tau f(t, y), of an ODE that knows how to solve for y.
typedef struct caromStage {
    double t, tau;
    const double *base;
    const caromNorm *norm;
    double *y;                // in: where to begin; out
    int number;               // in the step, from 1 on
} caromStage;

enum { CAROM_STAGES = 3 };
typedef struct caromStageSum {
    double t, h;
    const double *y0;
    double weight[CAROM_STAGES];  // of f at the start of the step, and of its stages
    double *y1;
} caromStageSum;

typedef struct caromStageSolver {
    // CAROM_RETRY: not found.
    caromStatus (*solve)(void *user, const caromStage *stage, int64_t *evaluations);
    // Quadratures at the end of a step, from what was done at its start and in its stages.
    void (*account)(void *user, const caromStageSum *sum);
    // A step was accepted: what its last stage has done is remembered, whatever else is tried then. And the next one
    // begins there: it is what is done at the start.
    void (*keep)(void *user);
    void (*go_on)(void *user);
    int (*known)(void *user);  // the first so many states have a rate that is as good at any state (positions)
} caromStageSolver;

typedef struct caromOde {
    int n;      // number of states; with count: the most there may be
    int nquad;  // the last nquad states are quadratures: f does not depend on them (the energy ledger)
    caromRhs f;
    void *user;
    bool is_autonomous;  // f does not depend on t
    const int *count;    // how many of the n states there are at the moment, looked at by start only; NULL: all
    const caromLinearSystem *linear;  // NULL: differences of f, and a dense matrix
    const caromStageSolver *stages;   // NULL: it has none, and no method that asks for it
} caromOde;

// The norm of an error vector: the largest over blocks of the root mean square of err[i]/weight[i] in the block. A
// block is a body (and the ledger): a mean over all states would dilute one bad contact among many bodies that fly.
// Weights are absolute tolerances. They may be changed between steps and take effect at the next step.
struct caromNorm {
    const double *weight;  // [n] > 0
    const int *block;      // [nblock + 1] block k is [block[k], block[k+1])
    int nblock;
    const double *change;  // [n] change of a state that suits a difference quotient; NULL: guess from weights
    // Weights that a step has to move for it to be motion and not noise; looked at where there is `change`
    double far;
};

double carom_time_norm_of(const caromNorm *norm, const double *err);

typedef struct caromCounts {
    int64_t steps, rejected, evaluations, jacobians;
    double smallest_step;  // [s] of the accepted ones, limit-cut ones not counted; 0: none yet
} caromCounts;

typedef struct caromStepper caromStepper;

typedef struct caromMethod {
    const char *name;  // "dop853"
    int order;         // of the solution
    int dense_order;   // of the interpolant: its error is O(h^(dense_order + 1))
    int dense_degree;  // of the interpolating polynomial in theta (0: not a polynomial)
    bool is_stiff;     // implicit
    bool ends_only;    // of fast states its interpolant knows less than the end of the step does
    double held;       // explicit: steps that stay above this times the fastest rate are held back by stability
    double stable;     // explicit: h times a rate at which errors grow, on the negative axis
    // Memory for n states, of which start may then use fewer; NULL when out of memory. The norm is not copied.
    caromStepper *(*create)(const caromOde *ode, const caromNorm *norm);
    void (*destroy)(caromStepper *stepper);
    // Starts at (t, y), forgetting everything (stored Jacobian, step history). y may be what state() returned, if the
    // number of states is the same. h_hint: first step to try, 0: choose one. Evaluates nothing: that an evaluation
    // fails here is said by the first step.
    caromStatus (*start)(caromStepper *stepper, double t, const double *y, double h_hint);
    // One accepted step that ends at tau <= tau_limit. A step that is shortened to meet the limit does not spoil
    // the hint. CAROM_ERR_NUMERIC: step size underflow, or evaluations that fail however short the step; err says
    // which and at what time. CAROM_ERR_INPUT: tau_limit is not ahead. After a failure span is empty and state is
    // the one before this step.
    caromStatus (*step)(caromStepper *stepper, double tau_limit, caromError *err);
    // The step just made: [*tau0, *tau1], the state at its end.
    void (*span)(const caromStepper *stepper, double *tau0, double *tau1);
    const double *(*state)(const caromStepper *stepper);
    // State (and its rate dy/dtau, if not NULL) at tau0 + theta (tau1 - tau0), theta in 0..1. The first call in a step
    // may evaluate f (DOP853: 3 times) and fail as f does. State exact to the bit at theta = 0 and 1; the rate is the
    // derivative of the polynomial everywhere.
    caromStatus (*interpolate)(caromStepper *stepper, double theta, double *y, double *dydtau);
    // Only the states from `first` on, count of them, into y[0], y[1], ...; NULL: the method has no such function.
    // Only the states from `first` on, count of them, into y[0], y[1], ...; NULL: the method has no such function.
    caromStatus (*interpolate_some)(caromStepper *stepper, double theta, int first, int count, double *y);
    // The state at theta by a step of its own from the start of the step just made, which stays as it is: as good as
    // the end of that one, for as many evaluations. CAROM_RETRY: it cannot be made; NULL: the method has none.
    caromStatus (*refine)(caromStepper *stepper, double theta, double *y);
    // How far the first `count` states get from those at the start of the step, at most, anywhere in it: of the
    // interpolant. Where that costs evaluations which nothing has asked for yet (DOP853), of the cubic polynomial with
    // the states and rates at both ends, times two for what it is off.
    caromStatus (*stray)(caromStepper *stepper, int count, double *stray);
    // Replaces the state at the end of the step just made (by one nearby: a projection onto constraints); the
    // next step goes from there.
    void (*amend)(caromStepper *stepper, const double *y);
    double (*hint)(const caromStepper *stepper);  // step size it would try next
    // That is no longer than h: of a step that somebody else has found to be poor. NULL: it cannot be told.
    void (*hold)(caromStepper *stepper, double h);
    // h times the rate that dominates the errors of the step just made, an estimate; 0: nothing does. NULL: implicit.
    double (*stiffness)(caromStepper *stepper);
    caromCounts (*counts)(const caromStepper *stepper);  // since create
} caromMethod;

extern const caromMethod carom_method_dp5;
extern const caromMethod carom_method_dop853;
extern const caromMethod carom_method_rodas5p;
extern const caromMethod carom_method_trbdf2;  // of an ODE that solves stages by itself
// CVODE of SUNDIALS, NULL when built without it: BDF with a dense Jacobian; Adams with functional iteration (a check of
// the explicit methods). Of variable order: the table has the largest.
const caromMethod *carom_method_cvode(void);
const caromMethod *carom_method_cvode_adams(void);

#endif
