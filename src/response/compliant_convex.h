// compliant_convex.h -- stages of the method `convex` (time/trbdf2.c) for compliant contacts.
//
// A stage v = v_b + tau f(q_b + tau N(q) v, v) of all bodies at once. Around a guess of it, contacts are parts of a
// convex function (potential/potential.h) whose minimum is the next guess: each cell presses by its depth at the end,
// d - tau x with x the speed at which it parts, and dampers and friction follow x. What does not fall with velocities
// is held at the guess: where cells are and which way they look, the force that friction goes by, gyroscopic torques.
// What the forces of the guess are more than the sum of their parts is held as well. So once two guesses agree they are
// the solution of the stage, by the very forces that other methods integrate.
//
// What is where: compliant_convex.c the stage and its guesses; compliant_convex_pair.c the parts of a pair;
// compliant_convex_ledger.c what a step has cost.
//
// Bodies are free or go by time alone: what ties or drives them otherwise is refused.
#ifndef CAROM_SRC_RESPONSE_COMPLIANT_CONVEX_H
#define CAROM_SRC_RESPONSE_COMPLIANT_CONVEX_H

#include "potential/potential.h"
#include "response/compliant.h"

// Of what contacts do to a body; the last is all of it.
enum { CAROM_CONVEX_DAMPING, CAROM_CONVEX_FRICTION, CAROM_CONVEX_ROLLING, CAROM_CONVEX_ALL, CAROM_CONVEX_CLASSES };

typedef struct caromConvexHold {   // of a pair that touches, in the stage that is being solved
    int contact;                   // of the potential; -1: no cells
    int first_roll;                // its parts from there on resist rolling
    caromSpatial more;             // wrench on B at the point of the contact, beyond that of the parts
    bool is_known;                 // there are cells at the guess, which dissipate this by damping, friction, rolling
    double power[CAROM_CONVEX_ALL];
} caromConvexHold;

typedef struct caromConvex {
    caromPotential potential;
    caromConvexHold *holds;        // of active pairs, in their order                          [npair]
    // Wrenches on each body at the start of a step, in its stages, and at the end of the step that was kept.
    caromSpatial *wrenches, *F[CAROM_STAGES + 1][CAROM_CONVEX_CLASSES];                     // [nbody]
    // What contacts dissipate there beyond the work of these wrenches [W].
    double more[CAROM_STAGES + 1][CAROM_CONVEX_ALL];
    caromPatch *patch;             // scratch
    caromKin kin[2];               // scratch, of the last two guesses
    double *y, *rate, *change[2];  // scratch
} caromConvex;

caromConvex *carom_compliant_convex_create(const caromModel *model);  // NULL: out of memory
void carom_compliant_convex_destroy(caromConvex *convex);
caromStatus carom_compliant_convex_refuse(const caromModel *model, caromError *err);

extern const caromStageSolver carom_compliant_stages;

typedef struct caromConvexStage {  // what is the same for all pairs
    const caromSystem *system;
    const caromModel *model;
    const caromStage *at;
    const caromKin *kin;           // at the guess
    const caromKin *before;        // at the guess before, or where the stage begins
    caromPotential *potential;
    caromPatch *patch;
} caromConvexStage;

// compliant_convex_pair.c. Adds the contact of a pair that touches; bodies are set. False: out of memory.
bool carom_compliant_convex_add(const caromConvexStage *stage, int pair, caromConvexHold *hold);

// compliant_convex_ledger.c
void carom_compliant_convex_note(const caromConvexStage *stage, caromConvex *convex);
void carom_compliant_convex_account(void *user, const caromStageSum *sum);

#endif
