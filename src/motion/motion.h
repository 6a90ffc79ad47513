// motion.h -- the state of a simulation, and its rate of change before contacts act.
//
//     y = (q, v, z, ledger)      coordinates, speeds, states of bristles (contact.h), energies lost and supplied
//
// In:    the frozen model, time and y.
// Out:   dy/dt of the mechanism without contacts; absolute tolerances of every state (tolerances.h).
// Promise: pure: depends on model, time and y only, allocates nothing; what is computed on the way is in the caller's
//          scratch. The ledger is integrated beside the motion and feeds nothing back. The number of bristles, and so
//          the length n of y, changes at events only.
// Not here: forces of contacts (response/), steps (time/).
#ifndef CAROM_SRC_MOTION_H
#define CAROM_SRC_MOTION_H

#include "contact/contact.h"
#include "dynamics/dynamics.h"

enum {
    CAROM_LEDGER_DAMPING, CAROM_LEDGER_FRICTION, CAROM_LEDGER_ROLLING, CAROM_LEDGER_JOINTS, CAROM_LEDGER_SUPPLIED,
    CAROM_LEDGER,
    // The method `convex` knows no joints that lose anything: in their place is what it loses itself.
    CAROM_LEDGER_NUMERICAL = CAROM_LEDGER_JOINTS
};

typedef struct caromInstant {  // where something is evaluated
    double t;
    const double *y;           // [n]
    int n;
} caromInstant;

// Of one thread; what it holds has a meaning until the next evaluation only, but for the rest lengths of springs.
typedef struct caromScratch {
    caromKin kin;
    caromDynWork work;
    void *own;                 // of the response
} caromScratch;

// What an evaluation found beside dy/dt.
typedef struct caromFindings {
    caromStatus status;        // CAROM_RETRY: there is no rate at this state, a shorter step may succeed
    double rate;               // fastest natural rate of contacts, springs and dampers [1/s]
    int bad_body;              // whose motion was not finite; -1: none
    int bad_pair;              // too deep in each other; -1: none
    int bad_law;               // a pair whose own law gave no finite force; -1: none
} caromFindings;

static const caromFindings carom_motion_nothing_bad = { CAROM_OK, 0.0, -1, -1, -1 };

// scratch->own is not touched. False: out of memory; to be freed then too.
bool carom_motion_scratch_alloc(const caromModel *model, caromScratch *scratch);
void carom_motion_scratch_free(caromScratch *scratch);

// dy/dt with the forces of the model, without contacts: q', v' and the ledger (z' is not set). kin and work are those
// of the instant, with the accelerations of the last solve.
caromFindings carom_motion_unforced(const caromModel *model, const caromInstant *at, caromScratch *scratch,
                                    double *dydt);
// The first part of it, for who adds forces before accelerations are solved for: poses, q', inertias, F_C = 0. False: a
// joint has no inertia to move.
bool carom_motion_prepare(const caromModel *model, const caromInstant *at, caromScratch *scratch, double *dydt);
void carom_motion_check_finite(const caromModel *model, const double *dydt, int n, caromFindings *found);

bool carom_motion_is_autonomous(const caromModel *model);

// What a contact feels of the inertia of both mechanisms along the normal [kg]. Overwrites work.
double carom_motion_effective_mass(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                                   caromDynWork *work);

// The longest y there may be.
static inline int carom_motion_states_max(const caromModel *model)
{
    return model->nq + model->nv + CAROM_BRISTLE_STATES*carom_contact_memory_slots(model) + CAROM_LEDGER;
}

static inline int carom_motion_bristles(const caromModel *model)  // where z begins in y
{
    return model->nq + model->nv;
}

static inline int carom_motion_ledger(int n)  // and the ledger, in a y of length n
{
    return n - CAROM_LEDGER;
}

// n, as contacts are now
static inline int carom_motion_states(const caromModel *model, const caromContactMemory *memory)
{
    return carom_motion_bristles(model) + carom_contact_memory_states(memory) + CAROM_LEDGER;
}

#endif
