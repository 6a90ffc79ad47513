// evaluate.h -- one evaluation: state in, rate of change out.
//
//     y = (q, v, z, ledger)  ->  kinematics  ->  collide  ->  contact  ->  dynamics  ->  dy/dt
//
// Pure: depends on model, memory of the contacts, time and y only, allocates nothing. The ledger (energy dissipated and supplied) is integrated beside
// the motion and feeds nothing back. z are the states of bristles (contact.h): their number changes where contacts begin and end.
#ifndef CAROM_SRC_INTEGRATE_EVALUATE_H
#define CAROM_SRC_INTEGRATE_EVALUATE_H

#include "carom/integrate.h"
#include "contact/world.h"
#include "dynamics/dynamics.h"
#include "time/method.h"
#include "integrate/rigid.h"

enum { CAROM_LEDGER_DAMPING, CAROM_LEDGER_FRICTION, CAROM_LEDGER_ROLLING, CAROM_LEDGER_JOINTS, CAROM_LEDGER_SUPPLIED, CAROM_LEDGER };

struct caromStructure;

typedef struct caromEval {
    const caromModel *model;
    caromContactWorld world;  // which pairs touch, and what they remember
    caromKin kin;             // scratch of the last evaluation
    caromDynWork work;        // likewise
    struct caromStructure *structure;  // for stiff methods; NULL: loops or rigid contacts couple everything
    caromRigid *rigid;        // contacts of rigid bodies; NULL: compliant response
    int n;                    // length of y at the moment
    bool needs_bodies;        // contacts, springs or forces look at bodies, not only at links
    double rate;              // fastest natural rate of contacts, springs and dampers at the last evaluation [1/s]
    int bad_body;             // whose motion was not finite; -1: none
    int bad_pair;             // too deep in each other at a trial state; -1: none
    int bad_law;              // whose own law gave no finite force; -1: none
} caromEval;

// The motion without contacts of rigid bodies, dydt as of an evaluation; kin and work are those of it. False: a joint has no inertia to move.
bool carom_eval_unforced(caromEval *eval, double t, const double *y, double *dydt);

bool carom_eval_alloc(const caromModel *model, caromEval *eval);
void carom_eval_free(caromEval *eval);
caromOde carom_eval_ode(caromEval *eval);

// The longest y there may be.
static inline int carom_eval_states_max(const caromModel *model)
{
    return model->nq + model->nv + CAROM_BRISTLE_STATES*carom_modes_slots(model) + CAROM_LEDGER;
}

static inline int carom_eval_bristles(const caromModel *model)  // where z begins in y
{
    return model->nq + model->nv;
}

static inline int carom_eval_ledger(const caromEval *eval)  // and the ledger
{
    return eval->n - CAROM_LEDGER;
}

// A contact begins or ends: the memory of the world and y change together. At the end of one the energy that its bristles hold is lost to friction. After a
// failure nothing has changed.
caromStatus carom_eval_begin(caromEval *eval, const caromKin *kin, double time, int pair, const caromGap *gap, double mass, double *y, caromEvent *event, caromError *err);
caromEvent carom_eval_end(caromEval *eval, const caromKin *kin, double time, int pair, double *y);

#endif
