// step.h -- one step of bodies that are integrated together: the method, the events in it, the samples in it.
//
// In:    a system (response/response.h) and its tolerances.
// Out:   steps that end where something happens; samples and events to the sink, in order of time.
// Promise: no contact is stepped over; a step is tried first, and kept with all that happens in it when its time has
//          come.
// Not here: which bodies belong together (islands/), the loop over time (sim/), what contacts do (response/).
// Start reading at carom_step_try and carom_step_keep in step.c.
#ifndef CAROM_SRC_STEP_H
#define CAROM_SRC_STEP_H

#include "response/response.h"
#include "step/scales.h"

typedef struct caromMethods {     // methods.c
    const caromMethod *method;    // in use
    caromStepper *stepper;
    const caromMethod *explicit_method, *stiff_method;  // stiff NULL: never switch
    caromStepper *explicit_stepper, *stiff_stepper;
    double stiff_signs;           // steps that speak for the other method, less those that do not
    int calm_signs;
    double stiff_length;          // of the longest of them [s]
    double length_before;         // of the last step [s]
    bool is_felt;                 // no rate told that it is held, the method felt it
    // Signs before the stiff method is tried again, where it has to show a gain; 0: as usual.
    int stiff_needed;
    int calm_needed;              // signs before the stiff method is left: more each time it was left too early
    double explicit_step;         // when the stiff method took over [s]
} caromMethods;

typedef struct caromSampling {    // sample.c
    caromKin kin;
    caromQuat *q;                 // [nbody]
    caromSpatial *V;              // [nbody]
    caromContact *contacts;       // [npair]
    double *joint_q, *joint_v;
} caromSampling;

typedef struct caromCut {         // a separation that a step went beyond: the next steps end there
    double time;                  // [s]; INFINITY: none
    int count;                    // since the last event
    int halvings;                 // since the last step that was kept
    double plan;                  // [s] the step before the first of them
} caromCut;

typedef struct caromRun caromRun;
// Takes a sample in place of the run's own: of an island, with all others. y: state of the run at that time.
typedef caromStatus (*caromSampler)(void *user, double time, const double *y, caromSampleKind kind, caromError *err);

// Lists the contacts of a sample in place of the run's own: by islands. How many.
typedef int (*caromLister)(void *user, double time, caromContact *contacts);

typedef struct caromBalanceAt {   // what energies do not add up to
    double time;                  // [s]; 0: not known
    double imbalance;             // [J]
    double rounding;              // of it [J]
} caromBalanceAt;

struct caromRun {
    caromSystem system;
    caromOde ode;
    caromTolerances tol;
    caromMethods methods;
    caromSampling sampling;
    caromSampler sampler;         // NULL: samples are the run's own, and so is the output grid
    void *sampler_user;
    caromLister lister;           // NULL: contacts are the run's own
    void *lister_user;
    double t_start;               // absolute time of the last restart
    double *y_work;               // a state inside the step                  [n]
    double flight_step;           // step size before the last touch [s]
    caromCut cut;
    double limit;                 // that the current step had to keep [s]
    double end_rate;              // of contacts and friction at its end [1/s]
    int stalled;                  // steps in a row that did not get on
    int stuck;                    // grows while steps only just end before what cannot be evaluated
    int64_t next_grid;            // index of the next sample on the output grid
    caromBalanceAt kept_start, kept_end;  // of the step looked at last
};

typedef struct caromTrial {       // a step that was made, and what is to be kept of it
    double h;                     // [s]
    caromOccasion event;
    double t_end;                 // of what is kept
} caromTrial;

typedef struct caromRemedy {
    double h;                     // of the step to be made in its place [s]; 0: it is good
    bool is_cut;                  // it ends at the event
    double defect;                // of the step that was looked at, in tolerances; 0: not known
} caromRemedy;

// step.c
// Memory and method; after a failure to be destroyed.
caromStatus carom_step_prepare(const caromModel *model, const caromSink *sink, caromRun **run, caromError *err);
void carom_step_destroy(caromRun *run);
double carom_step_grid_time(const caromRun *run, int64_t k);
// First contacts and the first sample.
caromStatus carom_step_begin(caromRun *run, caromError *err);
// A step, nothing has happened yet.
caromStatus carom_step_try(caromRun *run, caromTrial *trial, caromError *err);
// Does it end where the method knows less than at the end of a step? Then a step is tried that ends there.
bool carom_step_ends_inside(const caromRun *run, const caromTrial *trial);
caromStatus carom_step_cut(caromRun *run, const caromTrial *trial, caromError *err);  // to be followed by a trial
caromStatus carom_step_keep(caromRun *run, const caromTrial *trial, caromError *err);   // with all that happens in it
// From y, after an event; hint: step size of before.
caromStatus carom_step_go_on(caromRun *run, double time, double hint, caromError *err);
double carom_step_hint_at_start(const caromRun *run);

// balance.c
// What is to be done about energies of the part of a step that will be kept, which do not add up. before: that of the
// step that this one was made in place of.
caromRemedy carom_step_remedy(caromRun *run, const caromTrial *trial, const caromRemedy *before);
// The step is kept: the next one is not so long that it would be off.
void carom_step_hold(caromRun *run, const caromTrial *trial, double defect);
void carom_step_forget_balance(caromRun *run);  // the state is another than the last step's end
// The state inside the step, for a sample. Steps do not depend on it.
caromStatus carom_step_state_at(caromRun *run, double time, double h, double *y);

// failures.c
// Makes more of the method's message.
caromStatus carom_step_failed(const caromRun *run, caromStatus status, caromError *err);
caromStatus carom_step_cannot_interpolate(double time, caromError *err);
caromStatus carom_step_cannot_search(double time, caromStatus status, caromError *err);  // as status says

// sample.c
bool carom_step_sampling_alloc(const caromModel *model, caromSampling *sampling);
void carom_step_sampling_free(caromSampling *sampling);
caromEnergy carom_step_energy(caromRun *run, const double *y);  // sampling.kin must belong to y
caromStatus carom_step_sample(caromRun *run, double time, const double *y, caromSampleKind kind, caromError *err);

// methods.c
caromStatus carom_step_choose_method(caromRun *run, caromError *err);
void carom_step_free_methods(caromRun *run);
bool carom_step_use_stiff(caromRun *run);  // from the next restart on; false: out of memory
bool carom_step_is_switched(const caromRun *run);  // to the stiff method
void carom_step_prefer_explicit(caromRun *run);
void carom_step_add_counts(caromRun *run);
// From the state as it is.
void carom_step_forget_signs(caromRun *run);  // of what held steps before an event
caromStatus carom_step_restart(caromRun *run, double time, double h_hint, caromError *err);
caromStatus carom_step_consider_switch(caromRun *run, double h, caromError *err);

#endif
