#include "integrate/evaluate.h"

#include <string.h>

#include "base/base.h"
#include "time/combine.h"
#include "integrate/structure.h"

bool carom_eval_alloc(const caromModel *model, caromEval *eval)
{
    *eval = (caromEval){ .model = model, .bad_body = -1, .bad_pair = -1, .bad_law = -1, .needs_bodies = model->npair + model->nspring + model->nforce > 0 };
    bool world = carom_world_alloc(model, &eval->world), kin = carom_kin_alloc(model, &eval->kin), work = carom_work_alloc(model, &eval->work);
    eval->n = model->nq + model->nv + CAROM_LEDGER;
    bool is_rigid = model->settings.response == CAROM_RESPONSE_RIGID, has_structure = model->nloop == 0 && !is_rigid;
    eval->structure = has_structure ? carom_structure_create(model) : NULL;
    eval->rigid = is_rigid ? carom_rigid_create(model) : NULL;
    return world && kin && work && (eval->structure || !has_structure) && (eval->rigid || !is_rigid);
}

// The ledger stands behind z and moves with its end.
static void resize(caromEval *eval, double *y)
{
    double *ledger = y + carom_eval_ledger(eval);
    eval->n = carom_eval_bristles(eval->model) + carom_modes_states(&eval->world.modes) + CAROM_LEDGER;
    memmove(y + carom_eval_ledger(eval), ledger, CAROM_LEDGER*sizeof *y);
}

caromStatus carom_eval_begin(caromEval *eval, const caromKin *kin, double time, int pair, const caromGap *gap, double mass, double *y, caromEvent *event, caromError *err)
{
    double *z = y + carom_eval_bristles(eval->model);
    int before = carom_modes_states(&eval->world.modes);
    caromStatus status = carom_world_touch_at(&eval->world, kin, time, pair, gap, mass, NULL, event, err);
    if (status != CAROM_OK) return status;
    resize(eval, y);
    for (int i = before; i < carom_modes_states(&eval->world.modes); i++) z[i] = 0.0;
    return CAROM_OK;
}

caromEvent carom_eval_end(caromEval *eval, const caromKin *kin, double time, int pair, double *y)
{
    caromEvent event = carom_world_separate_at(&eval->world, kin, time, pair, y + carom_eval_bristles(eval->model));
    resize(eval, y);
    y[carom_eval_ledger(eval) + CAROM_LEDGER_FRICTION] += event.lost;
    return event;
}

void carom_eval_free(caromEval *eval)
{
    carom_world_free(&eval->world);
    carom_kin_free(&eval->kin);
    carom_work_free(&eval->work);
    carom_structure_destroy(eval->structure);
    carom_rigid_destroy(eval->rigid);
    *eval = (caromEval){ 0 };
}

// The first body whose motion is not finite; -1: none.
static int find_bad_body(const caromModel *model, const double *dq, const double *dv)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        if (link->iv >= 0 && !(carom_all_finite(dq + link->iq, link->nq) && carom_all_finite(dv + link->iv, link->nv))) return link->body;
    }
    return -1;
}

static bool is_autonomous(const caromModel *model)
{
    for (int k = 0; k < model->nlink; k++) if (model->links[k].motion || model->links[k].drive) return false;
    return model->nforce == 0 && model->npair == 0;  // what a contact remembers fades with time
}

// Poses, and inertias for the recursions.
static bool prepare(caromEval *e, double t, const double *y, double *dydt)
{
    const caromModel *m = e->model;
    if (e->needs_bodies) carom_kin_update(m, t, y, y + m->nq, &e->kin);
    else carom_kin_links(m, t, y, y + m->nq, &e->kin);
    carom_kin_rate(m, y, y + m->nq, dydt);
    memset(e->work.F_C, 0, (size_t)m->nbody*sizeof *e->work.F_C);
    return carom_art_factor(m, &e->kin, &e->work);
}

static caromStatus check_finite(caromEval *e, const double *dydt)
{
    if (carom_all_finite(dydt, e->n)) return CAROM_OK;
    e->bad_body = find_bad_body(e->model, dydt, dydt + e->model->nq);
    return CAROM_RETRY;
}

bool carom_eval_unforced(caromEval *e, double t, const double *y, double *dydt)
{
    const caromModel *m = e->model;
    double *ledger = dydt + carom_eval_ledger(e);
    if (!prepare(e, t, y, dydt)) return false;
    caromForceTotals forces = carom_dyn_model_forces(m, t, y, y + m->nq, &e->kin, &e->work);
    carom_dyn_accelerate(m, &e->kin, &e->work, dydt + m->nq);
    memset(ledger, 0, CAROM_LEDGER*sizeof *ledger);
    ledger[CAROM_LEDGER_JOINTS] = forces.joints;
    ledger[CAROM_LEDGER_SUPPLIED] = forces.supplied;
    e->rate = forces.rate;
    return true;
}

static caromStatus evaluate_rigid(void *user, double t, const double *y, double *dydt)
{
    caromEval *e = user;
    const caromModel *m = e->model;
    double *ledger = dydt + carom_eval_ledger(e);
    if (!carom_eval_unforced(e, t, y, dydt)) return CAROM_RETRY;
    ledger[CAROM_LEDGER_FRICTION] = carom_rigid_forces(e->rigid, &e->kin, y, y + m->nq, &e->work, dydt + m->nq);
    ledger[CAROM_LEDGER_DAMPING] = -e->rigid->given;
    ledger[CAROM_LEDGER_SUPPLIED] += carom_dyn_motion_power(m, t, &e->kin, &e->work);
    e->rate = fmax(e->rate, e->rigid->rate);
    return check_finite(e, dydt);
}

static caromStatus evaluate(void *user, double t, const double *y, double *dydt)
{
    caromEval *e = user;
    const caromModel *m = e->model;
    caromDynWork *w = &e->work;
    const double *q = y, *v = y + m->nq;
    const double *z = y + carom_eval_bristles(m);
    double *dz = dydt + carom_eval_bristles(m), *ledger = dydt + carom_eval_ledger(e);
    if (!prepare(e, t, y, dydt)) return CAROM_RETRY;
    caromContactTotals contacts = carom_world_forces_at(&e->world, &e->kin, t, z, w->F_C, dz);
    caromForceTotals forces = carom_dyn_model_forces(m, t, q, v, &e->kin, w);
    double limits = carom_limit_forces(m, &e->world.modes, q, v, w->tau);
    carom_dyn_accelerate(m, &e->kin, &e->work, dydt + m->nq);
    ledger[CAROM_LEDGER_DAMPING] = contacts.damping;
    ledger[CAROM_LEDGER_FRICTION] = contacts.friction;
    ledger[CAROM_LEDGER_ROLLING] = contacts.rolling;
    ledger[CAROM_LEDGER_JOINTS] = forces.joints + limits;
    ledger[CAROM_LEDGER_SUPPLIED] = forces.supplied + carom_dyn_motion_power(m, t, &e->kin, w);
    e->rate = fmax(contacts.rate, forces.rate);
    e->bad_pair = contacts.too_deep;
    if (contacts.no_force >= 0) e->bad_law = contacts.no_force;
    if (contacts.too_deep >= 0) return CAROM_RETRY;
    return check_finite(e, dydt);
}

caromOde carom_eval_ode(caromEval *eval)
{
    return (caromOde){ carom_eval_states_max(eval->model), CAROM_LEDGER,
                       eval->rigid ? evaluate_rigid : evaluate, eval, is_autonomous(eval->model), &eval->n, eval->structure ? &carom_structured : NULL };
}
