#include "integrate/evaluate.h"

#include <string.h>

#include "base/base.h"

bool carom_eval_alloc(const caromModel *model, caromEval *eval)
{
    *eval = (caromEval){ .model = model, .bad_body = -1 };
    eval->F_C = carom_alloc_array((size_t)model->nbody, sizeof *eval->F_C);
    bool modes = carom_modes_alloc(model, &eval->modes), kin = carom_kin_alloc(model, &eval->kin);
    return eval->F_C && modes && kin;
}

void carom_eval_free(caromEval *eval)
{
    carom_modes_free(&eval->modes);
    carom_kin_free(&eval->kin);
    free(eval->F_C);
    *eval = (caromEval){ 0 };
}

static bool all_finite(const double *a, int n)
{
    double sum = 0.0;  // 0 x is NaN for NaN and infinity, 0 otherwise
    for (int i = 0; i < n; i++) sum += 0.0*a[i];
    return sum == 0.0;
}

// The first body whose motion is not finite; -1: none.
static int find_bad_body(const caromModel *model, const double *dq, const double *dv)
{
    for (int k = 0; k < model->nbody; k++) {
        const caromBody *b = &model->bodies[k];
        if (!b->fixed && !(all_finite(dq + b->iq, 7) && all_finite(dv + b->iv, 6))) return k;
    }
    return -1;
}

static caromStatus evaluate(void *user, double t, const double *y, double *dydt)
{
    (void)t;
    caromEval *e = user;
    const caromModel *m = e->model;
    const double *q = y, *v = y + m->nq;
    double *dq = dydt, *dv = dydt + m->nq, *ledger = dv + m->nv;
    carom_kin_update(m, q, v, &e->kin);
    carom_kin_rate(m, q, v, dq);
    memset(e->F_C, 0, (size_t)m->nbody*sizeof *e->F_C);
    caromContactTotals totals = carom_contact_forces(m, &e->kin, &e->modes, e->F_C);
    carom_dyn_accelerations(m, &e->kin, e->F_C, v, dv);
    ledger[CAROM_LEDGER_DAMPING] = totals.damping;
    ledger[CAROM_LEDGER_FRICTION] = totals.friction;
    ledger[CAROM_LEDGER_ROLLING] = totals.rolling;
    e->rate = totals.rate;
    if (all_finite(dydt, carom_eval_states(m))) return CAROM_OK;
    e->bad_body = find_bad_body(m, dq, dv);
    return CAROM_RETRY;
}

caromOde carom_eval_ode(caromEval *eval)
{
    return (caromOde){ carom_eval_states(eval->model), CAROM_LEDGER, evaluate, eval, true };
}
