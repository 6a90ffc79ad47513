// tolerances.h -- absolute tolerances of every state, from the contacts and not from the user (docs/integration.md).
#ifndef CAROM_SRC_MOTION_TOLERANCES_H
#define CAROM_SRC_MOTION_TOLERANCES_H

#include "motion/motion.h"
#include "motion/scales.h"
#include "time/method.h"

typedef struct caromTolerances {
    double *weight;               // absolute tolerance of each state         [n]
    double *change;               // for difference quotients                 [n]
    // q of each joint, v of each joint, bristles of each pair, ledger [2 nlink + nslot_max + 2]
    int *block;
    int nblock_motion;            // those of q and v
    caromNorm norm;
    bool is_damped;               // set by who uses it: the method lets errors of fast motion die out
    int clamped;                  // states that asked for less than rounding allows
} caromTolerances;

bool carom_tolerances_alloc(const caromModel *model, caromTolerances *tol);
void carom_tolerances_free(caromTolerances *tol);
// At the state y, of which scratch has poses and inertias. energy: what the ledger's tolerance refers to [J].
void carom_tolerances_update(const caromModel *model, const caromContactMemory *memory, const caromScratch *scratch,
                             const double *y, double energy, caromTolerances *tol);
// What a touch asks for: positions are controlled to the relative tolerance times the depth, velocities to that times
// the speed, or to speed_error, whichever is less.
typedef struct caromTouchScale {
    double depth, speed, speed_error;
    double bend;  // depth over which forces bend
} caromTouchScale;
caromTouchScale carom_tolerances_touch(const caromModel *model, const caromTouch *touch, int pair);
caromTouchScale carom_tolerances_limit(const caromModel *model, const caromContactMemory *memory, int limit);
// For difference quotients, without bristles.
caromPairChange carom_tolerances_pair_change(const caromModel *model, const caromContactMemory *memory,
                                             const caromKin *kin, int pair);
// The least that positions of two bodies along n can be known to [m].
double carom_tolerances_body_rounding(const caromModel *model, const caromKin *kin, const int body[2], caromVec3 n);
// What energy a model moves before anything is known about its motion [J]: falls by its own size, crossings
// in the time simulated.
double carom_tolerances_energy_floor(const caromModel *model);

#endif
