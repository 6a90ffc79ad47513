// guard.h -- the model seen by the event search: gaps, and how long pairs certainly stay apart.
#ifndef CAROM_SRC_EVENTS_GUARD_H
#define CAROM_SRC_EVENTS_GUARD_H

#include "sweep/clear.h"
#include "contact/world.h"
#include "events/search.h"
#include "motion/motion.h"

typedef struct caromClosed {      // constraints that are in contact already: the response follows them, not the search
    const bool *pair;             // [npair]
    const bool *limit;            // [nlimit]
} caromClosed;

typedef struct caromModelGuard {
    const caromModel *model;
    caromClosed closed;           // belongs to the response
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
    caromConstraint *near;        // what the step may bring together         [npair + nlimit]
    int nnear;
    bool has_bounds;              // those on motion are of this step
} caromModelGuard;

bool carom_guard_alloc(const caromModel *model, caromModelGuard *guard);
void carom_guard_free(caromModelGuard *guard);
caromGuard carom_guard_of(caromModelGuard *guard);
// Lists the constraints that could close in the step; computes motion bounds when there are any.
caromStatus carom_guard_prepare(caromModelGuard *guard, caromSearch *search);
// Where that has not been done for this step.
caromStatus carom_guard_bound_motion(caromModelGuard *guard, caromSearch *search);
// How far the material point of a body that is at p at the start gets within the step.
double carom_guard_stray(const caromModelGuard *guard, int body, caromVec3 p);

#endif
