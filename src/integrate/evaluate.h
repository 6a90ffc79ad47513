// evaluate.h -- one evaluation: state in, rate of change out.
//
//     y = (q, v, ledger)  ->  kinematics  ->  collide  ->  contact  ->  dynamics  ->  dy/dt
//
// Pure: depends on model, memory of the contacts, time and y only, allocates nothing. The ledger (energy dissipated and supplied) is integrated beside
// the motion and feeds nothing back.
#ifndef CAROM_SRC_INTEGRATE_EVALUATE_H
#define CAROM_SRC_INTEGRATE_EVALUATE_H

#include "carom/integrate.h"
#include "contact/world.h"
#include "dynamics/dynamics.h"
#include "integrate/method.h"

enum { CAROM_LEDGER_DAMPING, CAROM_LEDGER_FRICTION, CAROM_LEDGER_ROLLING, CAROM_LEDGER_JOINTS, CAROM_LEDGER_SUPPLIED, CAROM_LEDGER };

typedef struct caromEval {
    const caromModel *model;
    caromContactWorld world;  // which pairs touch, and what they remember
    caromKin kin;             // scratch of the last evaluation
    caromDynWork work;        // likewise
    bool needs_bodies;        // contacts, springs or forces look at bodies, not only at links
    double rate;              // fastest natural rate of contacts, springs and dampers at the last evaluation [1/s]
    int bad_body;             // whose motion was not finite; -1: none
    int bad_pair;             // too deep in each other at a trial state; -1: none
} caromEval;

bool carom_eval_alloc(const caromModel *model, caromEval *eval);
void carom_eval_free(caromEval *eval);
caromOde carom_eval_ode(caromEval *eval);

static inline int carom_eval_states(const caromModel *model)
{
    return model->nq + model->nv + CAROM_LEDGER;
}

#endif
