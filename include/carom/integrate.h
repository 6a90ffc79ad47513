// integrate.h -- motion in time: a simulation of a model.
//
// In:    a frozen model and a sink.
// Out:   samples and events to the sink, in order of time; counts and the energy ledger.
// Promise: integration error is controlled, no contact is stepped over, touch and separation are located and never
//          straddled by a step; same input, same bits. The sink is never called from a trial step. A thread that simulates needs
//          1 MB of stack: the points of a contact surface are there.
// Not here: files (results.h).
// Start reading at carom_sim_step in src/integrate/sim.c. Theory: docs/integration.md.
#ifndef CAROM_INTEGRATE_H
#define CAROM_INTEGRATE_H

#include "carom/contact_world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromSim caromSim;

// [J]. kinetic + potential + elastic + springs + damping + friction + rolling + joints - supplied is constant but for the error of the
// integration.
typedef struct caromEnergy {
    double kinetic, potential;          // potential: of gravity, zero at the start of the run
    double elastic;                     // stored in contacts
    double springs;                     // stored in springs, springs of joints and joints' limits
    double damping, friction, rolling;  // dissipated in contacts since the start
    double joints;                      // dissipated in joints (damping, friction, limits) and dampers since the start
    double supplied;                    // work done by drives and forces from outside since the start
    double imbalance;                   // the sum above minus its value at the start
} caromEnergy;

typedef enum caromSampleKind { CAROM_SAMPLE_GRID, CAROM_SAMPLE_EVENT, CAROM_SAMPLE_CONTACT } caromSampleKind;

// Valid during the call only.
typedef struct caromSample {
    double time;
    caromSampleKind kind;         // on the output grid; at an event; a step of a contact that just began
    int nbody;
    const caromPose *X_WB;        // [nbody]
    const caromQuat *q_WB;        // [nbody]  unit length, same rotation as X_WB
    const caromSpatial *V_WB;     // [nbody]  velocity of the body's origin, in W
    int ncontact;
    const caromContact *contacts; // pairs that touch, in the order of pairs
    // Coordinates and speeds of the joints that the model was given, one joint after the other (carom_model_joint), nq and nv of its
    // kind each; joints that close loops have none.
    const double *joint_q, *joint_v;
    caromEnergy energy;
    const caromSim *sim;          // asked by carom_sample_pressure; NULL: a sample without patches
} caromSample;

// The surface over which contacts[contact] presses at this instant, bit by bit in a fixed order; returns how many, 0 where it touches in points. To be asked while the
// sample is valid, only by who wants to know.
CAROM_API int carom_sample_pressure(const caromSample *sample, int contact, caromPressureVisitor visit, void *user);

// Either function may be NULL. A return other than CAROM_OK stops the simulation with that status.
typedef struct caromSink {
    void *user;
    caromStatus (*sample)(void *user, const caromSample *sample);
    caromStatus (*event)(void *user, const caromEvent *event);
} caromSink;

typedef struct caromSimStats {
    double time;                // reached [s]
    const char *method;         // in use now: "dop853"
    int64_t steps, rejected;    // accepted and rejected steps
    int64_t evaluations;        // of the right-hand side, those for Jacobians included (parts of it are not: docs/integration.md)
    int64_t jacobians;
    int64_t events[CAROM_EVENT_KINDS];
    int64_t switches;           // between explicit and stiff
    int64_t gap_evaluations;    // for event search and certification
    double smallest_step;       // [s]
    double largest_depth;       // [m]
    int largest_depth_pair;     // -1: no contact yet
    double largest_imbalance;   // [J]
    double energy_scale;        // [J] largest of kinetic + elastic + dissipated + potential above its lowest so far
    double energy_reference;    // [J] what the tolerance of energies refers to: the same, but not below what the bodies' weight does
                                //     over their own size (a body at rest moves next to none)
    int clamped_tolerances;     // how many states asked for less than rounding allows
    // The touch whose expected depth is resolved worst: by rounding of positions, as a part of the depth. pair -1: none yet.
    struct { int pair; double time, depth, part; } coarsest;
    caromEnergy energy;
} caromSimStats;

// The sink is copied. The first sample is delivered by the first step.
CAROM_API caromStatus carom_sim_create(const caromModel *model, const caromSink *sink, caromSim **sim, caromError *err);
CAROM_API void carom_sim_destroy(caromSim *sim);

// One accepted step (of all bodies, or of those that touch each other: docs/integration.md, islands), with the samples and events that fall into it. CAROM_OK while there is
// more to do; *done is set
// when the end time of the model is reached. After a failure what was delivered stays valid.
CAROM_API caromStatus carom_sim_step(caromSim *sim, bool *done, caromError *err);
// Steps to the end of the model.
CAROM_API caromStatus carom_sim_run(caromSim *sim, caromError *err);

CAROM_API const caromSimStats *carom_sim_stats(const caromSim *sim);

// What to expect of the first impact of a pair, judged from how the model starts, and the tolerances that follow from it (docs/integration.md).
typedef struct caromExpectation {
    double gap;                  // at the start, less the shells [m]
    double start_speed;          // approach speed then [m/s], >= 0
    double speed;                // at the touch: what free fall over the gap adds, where one of the two is fixed; v_small at least
    double mass;                 // effective, along the normal [kg]
    bool is_face;
    double stiffness, exponent;  // point: K [N/m^n]; face: k [N/m^3], 1
    double depth, duration;      // of the impact without damping [m], [s]
    double restitution;          // asked for at that speed; NaN: the law has none
    double damping;              // c [s/m]
    double position_tolerance;   // [m]
    double velocity_tolerance;   // [m/s]
    double rounding;             // the least position_tolerance that can be met here [m]
    double first_step;           // [s]
} caromExpectation;
CAROM_API caromStatus carom_sim_expect(const caromModel *model, int pair, caromExpectation *expectation, caromError *err);

#ifdef __cplusplus
}
#endif

#endif
