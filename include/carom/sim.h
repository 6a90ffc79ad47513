// sim.h -- motion in time: a simulation of a model.
//
// In:    a frozen model and a sink.
// Out:   samples and events to the sink, in order of time; counts and the energy ledger.
// Promise: integration error is controlled, no contact is stepped over, touch and separation are located and never
//          straddled by a step; same input, same bits. The sink is never called from a trial step. A thread that
//          simulates needs 64 kB of stack (and what its sink needs): what is large is made when the simulation is.
// Not here: files (results.h).
// Start reading at carom_sim_step in src/sim/sim.c. Theory: docs/integration.md.
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromSim caromSim;

// The sink is copied. The first sample is delivered by the first step.
CAROM_API caromStatus carom_sim_create(const caromModel *model, const caromSink *sink, caromSim **sim, caromError *err);
CAROM_API void carom_sim_destroy(caromSim *sim);

// One accepted step (of all bodies, or of those that touch each other: docs/integration.md, islands), with the samples
// and events that fall into it. CAROM_OK while there is more to do; *done is set when the end time of the model is
// reached. After a failure what was delivered stays valid.
CAROM_API caromStatus carom_sim_step(caromSim *sim, bool *done, caromError *err);
// Steps to the end of the model.
CAROM_API caromStatus carom_sim_run(caromSim *sim, caromError *err);

CAROM_API const caromSimStats *carom_sim_stats(const caromSim *sim);

// Is the energy of a run accounted for? What a summary tells, a warning and the verdict of a run come from here.
typedef enum caromEnergyVerdict {
    CAROM_ENERGY_KEPT,
    CAROM_ENERGY_OFF,   // by more than 100 tolerances: more than the errors of healthy steps add up to
    CAROM_ENERGY_LOST,  // by more than that and a percent, or by a tenth: this motion is another one
} caromEnergyVerdict;

typedef struct caromEnergyCheck {
    double largest;     // imbalance of the run, at any time [J], >= 0
    // [J] stats.energy_reference: the largest energy that was in motion, but not less than the bodies' weight does over
    // their own size. Tolerances refer to it.
    double reference;
    bool is_weight;     // the latter
    double relative;    // largest over reference
    caromEnergyVerdict verdict;
} caromEnergyCheck;
CAROM_API caromEnergyCheck carom_sim_check_energy(const caromSimStats *stats, double tolerance);
CAROM_API const char *carom_sim_energy_verdict_name(caromEnergyVerdict verdict);  // "kept", "off", "lost"

// What to expect of the first impact of a pair, judged from how the model starts, and the tolerances that follow from
// it (docs/integration.md).
typedef struct caromExpectation {
    double gap;                  // at the start, less the shells [m]
    double start_speed;          // approach speed then [m/s], >= 0
    // At the touch: what free fall over the gap adds, where one of the two is fixed; v_small at least.
    double speed;
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
CAROM_API caromStatus carom_sim_expect(const caromModel *model, int pair, caromExpectation *expectation,
                                       caromError *err);

#ifdef __cplusplus
}
#endif

#endif
