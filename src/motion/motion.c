#include "motion/motion.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "motion/scales.h"
#include "time/combine.h"

bool carom_motion_scratch_alloc(const caromModel *model, caromScratch *s)
{
    bool kin = carom_kin_alloc(model, &s->kin), work = carom_dyn_work_alloc(model, &s->work);
    return kin && work;
}

void carom_motion_scratch_free(caromScratch *s)
{
    carom_kin_free(&s->kin);
    carom_dyn_work_free(&s->work);
}

// The first body whose motion is not finite; -1: none.
static int find_bad_body(const caromModel *model, const double *dq, const double *dv)
{
    for (int k = 0; k < model->nlink; k++) {
        const caromLink *link = &model->links[k];
        if (link->iv >= 0 && !(carom_time_all_finite(dq + link->iq, link->nq) &&
                               carom_time_all_finite(dv + link->iv, link->nv))) return link->body;
    }
    return -1;
}

void carom_motion_check_finite(const caromModel *model, const double *dydt, int n, caromFindings *found)
{
    if (carom_time_all_finite(dydt, n)) return;
    found->bad_body = find_bad_body(model, dydt, dydt + model->nq);
    found->status = CAROM_RETRY;
}

bool carom_motion_is_autonomous(const caromModel *model)
{
    for (int k = 0; k < model->nlink; k++) if (model->links[k].motion || model->links[k].drive) return false;
    return model->nforce == 0 && model->npair == 0;  // what a contact remembers fades with time
}

static bool needs_bodies(const caromModel *model)  // contacts, springs and forces look at bodies, not only at links
{
    return model->npair + model->nspring + model->nforce > 0;
}

bool carom_motion_prepare(const caromModel *m, const caromInstant *at, caromScratch *s, double *dydt)
{
    const double *q = at->y, *v = at->y + m->nq;
    if (needs_bodies(m)) carom_kin_update(m, at->t, q, v, &s->kin);
    else carom_kin_links(m, at->t, q, v, &s->kin);
    carom_kin_rate(m, q, v, dydt);
    memset(s->work.F_C, 0, (size_t)m->nbody*sizeof *s->work.F_C);
    return carom_dyn_articulated_factor(m, &s->kin, &s->work);
}

caromFindings carom_motion_unforced(const caromModel *m, const caromInstant *at, caromScratch *s, double *dydt)
{
    caromFindings found = carom_motion_nothing_bad;
    double *ledger = dydt + carom_motion_ledger(at->n);
    if (!carom_motion_prepare(m, at, s, dydt)) {
        found.status = CAROM_RETRY;
        return found;
    }
    caromForceTotals forces = carom_dyn_model_forces(m, at->t, at->y, at->y + m->nq, &s->kin, &s->work);
    carom_dyn_accelerate(m, &s->kin, &s->work, dydt + m->nq);
    memset(ledger, 0, CAROM_LEDGER*sizeof *ledger);
    ledger[CAROM_LEDGER_JOINTS] = forces.joints;
    ledger[CAROM_LEDGER_SUPPLIED] = forces.supplied;
    found.rate = forces.rate;
    return found;
}

// 1/(n.J M^-1 J^T n), of the tree alone where there are loops. Where joints or motions that are prescribed hold the
// bodies along the normal this is infinite, or rounding: then the bodies' own inertia says at least something.
double carom_motion_effective_mass(const caromModel *m, const caromKin *kin, int pair, const caromGap *gap,
                                   caromDynWork *w)
{
    double own = carom_contact_touch_mass(m, kin, pair, gap);
    if (!carom_dyn_articulated_factor(m, kin, w)) return own;
    const int *shape = m->pairs[pair].shape, body[2] = { m->shapes[shape[0]].body, m->shapes[shape[1]].body };
    caromVec3 middle = carom_scale(0.5, carom_add(gap->p_A, gap->p_B));
    double compliance = carom_dyn_articulated_compliance(m, kin, body, middle, gap->n_AB, w);
    return compliance*own > CAROM_MOTION_HELD ? 1.0/compliance : own;
}
