// sink.h -- what a simulation tells: samples, events, energies, counts.
//
// In:    nothing: these are the values that a sink gets (sim.h).
// Out:   -
// Promise: a sink is called in order of time, never from a trial step.
// Not here: files (results.h), what an event is (contact_world.h).
#ifndef CAROM_SINK_H
#define CAROM_SINK_H

#include "carom/contact_world.h"

#ifdef __cplusplus
extern "C" {
#endif

// [J]. kinetic + potential + elastic + springs + damping + friction + rolling + joints - supplied is constant but for
// the error of the integration.
typedef struct caromEnergy {
    double kinetic, potential;          // potential: of gravity, zero at the start of the run
    double elastic;                     // stored in contacts
    double springs;                     // stored in springs, springs of joints and joints' limits
    double damping, friction, rolling;  // dissipated in contacts since the start
    double joints;                      // dissipated in joints (damping, friction, limits) and dampers since the start
    double supplied;                    // work done by drives and forces from outside since the start
    double imbalance;                   // the sum of all minus its value at the start
    double numerical;                   // dissipated by the method `convex` itself since the start; of others 0
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
    // Coordinates and speeds of the joints that the model was given, one joint after the other (carom_model_joint), nq
    // and nv of its kind each; joints that close loops have none.
    const double *joint_q, *joint_v;
    caromEnergy energy;
    const struct caromRun *source;  // asked by carom_step_sample_pressure; NULL: a sample without patches
} caromSample;

// The surface over which contacts[contact] presses at this instant, bit by bit in a fixed order; returns how many, 0
// where it touches in points. To be asked while the sample is valid, only by who wants to know.
CAROM_API int carom_step_sample_pressure(const caromSample *sample, int contact, caromPressureVisitor visit,
                                         void *user);

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
    // Of the right-hand side, those for Jacobians included (parts of it are not: docs/integration.md).
    int64_t evaluations;
    int64_t jacobians;
    int64_t events[CAROM_EVENT_KINDS];
    int64_t switches;           // between explicit and stiff
    int64_t gap_evaluations;    // for event search and certification
    double smallest_step;       // [s]
    double largest_depth;       // [m]
    int largest_depth_pair;     // -1: no contact yet
    double largest_imbalance;   // [J]
    double energy_scale;        // [J] largest of kinetic + elastic + dissipated + potential above its lowest so far
    // [J] what the tolerance of energies refers to: the same, but not below what the bodies' weight does over their own
    // size (a body at rest moves next to none)
    double energy_reference;
    int clamped_tolerances;     // how many states asked for less than rounding allows
    // The touch whose expected depth is resolved worst: by rounding of positions, as a part of the depth. pair -1: none
    // yet.
    struct { int pair; double time, depth, part; } coarsest;
    // Compliant: the deepest overlap that its law does not stand for, as a part of the thickness of the thinner shape.
    // pair -1: none.
    struct { int pair; double time, depth, part; } deepest;
    // Rigid bodies that started in each other and were moved apart: the pair that overlapped most, and by how much [m].
    // pair -1: none.
    struct { int pair; double depth; } parted;
    caromEnergy energy;
} caromSimStats;

#ifdef __cplusplus
}
#endif

#endif
