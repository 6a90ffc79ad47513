// sim.h -- the parts of a simulation, grouped by the file that writes them.
#ifndef CAROM_SRC_INTEGRATE_SIM_H
#define CAROM_SRC_INTEGRATE_SIM_H

#include "integrate/evaluate.h"
#include "integrate/search.h"

#define CAROM_FIRST_STEP 0.02  // of an impact: its beginning is resolved without rejections

typedef struct caromTolerances {  // weights.c
    double *weight;               // absolute tolerance of each state         [n]
    double *change;               // for difference quotients                 [n]
    int *block;                   // q of each joint, v of each joint, bristles of each pair, ledger [2 nlink + nslot_max + 2]
    int nblock_motion;            // those of q and v
    caromNorm norm;
    bool is_damped;               // set by who uses it: the method lets errors of fast motion die out
    int clamped;                  // states that asked for less than rounding allows
} caromTolerances;

// What can happen is numbered: contact pairs first, then limits of joints.
typedef struct caromModelGuard {  // guard.c: the model seen by the event search
    const caromModel *model;
    caromKin kin[CAROM_SLOTS];
    double *state[CAROM_SLOTS];   // y that was loaded, of which the search only needs q and v [n]
    caromKin kin_work;
    caromSpatial *acc;            // scratch                                  [nlink]
    caromMotionBound *bounds;     // over the step                            [nbody]
    double *speed_rate;           // bound on |dv/dt| over the step           [nv]
    double *y, *dydt;             // scratch                                  [n]
    double *stray;                // how far coordinates get in the step      [nq]
    caromStray *links;            // and links                                [nlink]
    caromNearby nearby;
    double *shape_stray;          // how far the centre of a shape gets       [nshape]
    int *near;                    // what the step may bring together         [npair + nlimit]
    int nnear;
    bool has_bounds;              // those on motion are of this step
} caromModelGuard;

typedef struct caromImpact {      // touch.c: what a contact has amounted to so far
    double depth;                 // largest [m]
    double impulse;               // normal [N s]
    double fn, last_depth;        // at the last step's end [N], [m]
} caromImpact;

struct caromSim {
    const caromModel *model;
    caromSink sink;
    caromEval eval;
    caromOde ode;
    caromTolerances tol;
    caromModelGuard guard;
    caromGuard guard_table;       // of guard
    caromSearch search;

    const caromMethod *method;    // switch.c: in use
    caromStepper *stepper;
    const caromMethod *explicit_method, *stiff_method;  // stiff NULL: never switch
    caromStepper *explicit_stepper, *stiff_stepper;
    int stiff_signs, calm_signs;  // consecutive steps that speak for the other method
    int stiff_needed;             // of rigid contacts: signs before the stiff method is tried again; 0: as usual
    double explicit_step;         // when the stiff method took over [s]
    double flight_step;           // step size before the last touch [s]

    double t_start;               // absolute time of the last restart
    double t_step;                // and of the start of the current step
    double *y;                    // state at the start of the current step   [n]
    double *y_work;               //                                          [n]

    caromImpact *impacts;         // [npair + nlimit]
    double cut;                   // a separation that a step went beyond: the next steps end there [s]; INFINITY: none
    int cuts;                     // since the last event
    double limit;                 // that the current step had to keep [s]
    int stuck;                    // grows while steps only just end before what cannot be evaluated
    double watch_until;           // every step is sampled until this time, to show a contact that just began [s]

    int64_t next_grid;            // index of the next sample on the output grid
    bool started;
    caromKin sample_kin;          // sample.c
    caromQuat *sample_q;
    caromSpatial *sample_V;
    caromContact *sample_contacts;
    double *joint_q, *joint_v;
    double energy_start;          // total at the start [J]
    double potential_start;       // [J]
    double potential_low;         // lowest so far, against the start [J]
    double energy_scale;          // largest energy in motion so far [J]
    double energy_weight;         // the same, not below what the model is expected to move: for tolerances [J]
    int calm_needed;              // signs before the stiff method is left: more each time it was left too early

    double chatter_time;          // touch.c
    int chatter_count;

    struct caromIslands *islands; // islands.c: bodies that do not touch each other are integrated apart; NULL: all together
    bool is_part;                 // one of them

    caromSimStats stats;
};

// sim.c
enum { CAROM_WATCHED_MAX = 16 };  // where more pairs touch, no step is a sample just because a contact began
caromStatus carom_sim_prepare(const caromModel *model, const caromSink *sink, caromSim **sim, caromError *err);  // memory and method; after a failure to be destroyed
double carom_sim_grid_time(const caromSim *sim, int64_t k);
typedef struct caromOccasion { double theta; int pair; } caromOccasion;  // the first event of a step; theta > 1: none
typedef struct caromTrial {  // a step that was made, and what is to be kept of it
    double h;                // [s]
    caromOccasion event;
    double t_end;            // of what is kept
} caromTrial;
caromStatus carom_sim_try(caromSim *sim, caromTrial *trial, caromError *err);         // a step, nothing has happened yet
caromStatus carom_sim_keep(caromSim *sim, const caromTrial *trial, caromError *err);  // with all that happens in it
caromStatus carom_sim_go_on(caromSim *sim, double time, double hint, caromError *err);  // from y, after an event; hint: step size of before

// islands.c
bool carom_islands_suit(const caromModel *model);
caromStatus carom_islands_create(caromSim *sim, caromError *err);
void carom_islands_destroy(struct caromIslands *islands);
caromStatus carom_islands_step(caromSim *sim, caromError *err);
caromStatus carom_islands_sample(caromSim *part, double time, const double *y, caromSampleKind kind);  // of all, where one of them would take a sample at y

// weights.c
bool carom_tol_alloc(const caromModel *model, caromTolerances *tol);
void carom_tol_free(caromTolerances *tol);
void carom_tol_update(const caromModel *model, const caromModes *modes, const caromKin *kin, const caromDynWork *work, const double *q, const double *v,
                      double energy, caromTolerances *tol);
// What a touch asks for: positions are controlled to the relative tolerance times the depth, velocities to that times the speed, or to speed_error, whichever is less.
typedef struct caromTouchScale {
    double depth, speed, speed_error;
} caromTouchScale;
caromTouchScale carom_tol_touch(const caromModel *model, const caromTouch *touch, int pair);
caromPairChange carom_tol_pair_change(const caromModel *model, const caromModes *modes, const caromKin *kin, int pair);  // for difference quotients, without bristles
double carom_tol_body_rounding(const caromModel *model, const caromKin *kin, const int body[2], caromVec3 n);  // the least that positions of two bodies along n can be known to [m]
// What energy a model moves before anything is known about its motion [J]: falls by its own size, crossings in the time simulated.
double carom_tol_energy_floor(const caromModel *model);

// guard.c
bool carom_guard_alloc(const caromModel *model, caromModelGuard *guard);
void carom_guard_free(caromModelGuard *guard);
caromGuard carom_guard_of(caromModelGuard *guard);
// Lists the pairs that could meet in the step; computes motion bounds when there are any.
caromStatus carom_guard_prepare(caromModelGuard *guard, const caromModes *modes, caromSearch *search);
caromStatus carom_guard_bound_motion(caromModelGuard *guard, caromSearch *search);  // where that has not been done for this step
double carom_guard_stray(const caromModelGuard *guard, int body, caromVec3 p);     // how far the material point of a body that is at p at the start gets within the step

// sample.c
caromEnergy carom_sim_energy(caromSim *sim, const double *y);  // sample_kin must belong to y
double carom_sim_energy_total(const caromEnergy *energy);      // what is kept
caromStatus carom_sim_sample(caromSim *sim, double time, const double *y, caromSampleKind kind);

// touch.c
caromOccasion carom_sim_first_event(caromSim *sim);
double carom_sim_effective_mass(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap, caromDynWork *work);  // that a touch feels [kg]
// y of sim gets its states. event may be NULL.
caromStatus carom_sim_begin_contact(caromSim *sim, const caromKin *kin, int pair, double time, caromEvent *event, caromError *err);
void carom_sim_begin_limit(caromSim *sim, const double *y, int limit, double time);
caromStatus carom_sim_handle_event(caromSim *sim, double time, const double *y, int what, caromError *err);
double carom_sim_limit_duration(const caromSim *sim, int limit);  // of an impact on a limit [s]
void carom_sim_place_limit(const caromSim *sim, const caromKin *kin, int limit, caromEvent *event);  // joint, coordinate, and where its axis is
caromStatus carom_sim_tell(caromSim *sim, const caromEvent *event);  // counts it, and tells the sink
void carom_sim_name_of(const caromModel *model, int what, char *text, size_t n);  // "ball - plate" or "joint hinge"
caromStatus carom_sim_too_deep(caromSim *sim, int pair, double time, caromError *err);
caromStatus carom_sim_no_force(caromSim *sim, int pair, double time, caromError *err);
// Follows depth and impulse of the contacts over the part [0, theta_end] of the step; fails when bodies are too deep in each other.
caromStatus carom_sim_follow_contacts(caromSim *sim, double theta_end, double h, double time, caromError *err);

// rigid_collect.c: fills rigid->found with all that touches, and returns how many; -1: out of memory. At the start every pair is looked at. what: as below.
int carom_rigid_collect(caromSim *sim, const caromKin *kin, int what, bool is_start);
// rigid_tell.c. An event of a contact; the impact of contact i of rigid->found, of which before and after are the velocities; what changed since the n contacts of before.
caromEvent carom_rigid_event(const caromSim *sim, caromEventKind kind, double time, const caromContactPoint *contact, const caromPlacedPoint *at);
caromStatus carom_rigid_tell_impact(caromSim *sim, double time, int i, const double before[3], const double after[3], const caromImpactReport *report);
caromStatus carom_rigid_tell_changes(caromSim *sim, double time, const caromContactPoint *before, int n);
// rigid_search.c, rigid_resolve.c, rigid_keep.c: the rigid response. what of an occasion: a pair or limit that touches; -1: a mode has ended.
caromOccasion carom_rigid_first_event(caromSim *sim);
caromStatus carom_rigid_resolve(caromSim *sim, double time, int what, bool is_start, caromError *err);
bool carom_rigid_keep(caromSim *sim, double time);
void carom_rigid_keep_sample(caromSim *sim, double time, double *y);  // the same for a state between the ends of a step
void carom_rigid_flag(caromSim *sim, const caromContactPoint *contact, bool value);  // its pair or limit is no longer the search's

// switch.c
bool carom_sim_choose_method(caromSim *sim, caromError *err);
bool carom_sim_use_stiff(caromSim *sim);  // from the next restart on; false: out of memory
caromStatus carom_sim_restart(caromSim *sim, double time, const double *y, double h_hint, caromError *err);
caromStatus carom_sim_consider_switch(caromSim *sim, double h, caromError *err);

#endif
