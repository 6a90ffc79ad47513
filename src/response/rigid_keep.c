// Contacts that stay do not drift: after a step gaps and speeds are brought back, by the change that is least in the
// mass metric.
#include <float.h>
#include <string.h>

#include "response/rigid.h"

static bool is_kept(const caromContactPoint *c)
{
    return c->mode != CAROM_MODE_FLIGHT && !carom_unilateral_point_lands(c);
}

// What has to vanish: gaps (of position), or normal speeds and those of contacts that stick (of velocity).
static double set_errors(const caromRigid *r, bool of_position)
{
    const caromSpace *s = r->space;
    double largest = 0.0;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        const caromPlacedPoint *at = &s->points[i];
        bool sticks = !of_position && r->is_sharp && c->mode == CAROM_MODE_ROLLING;
        s->stays[i] = (caromStay){ .friction = sticks ? 1.0 : 0.0, .static_friction = sticks ? 1.0 : 0.0,
                                   .delta = sticks ? 0.0 : 1.0, .compliance = 1.0, .mode = !is_kept(c)
                                       ? CAROM_MODE_FLIGHT : sticks ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING };
        s->b[3*i] = of_position ? at->g : at->v[0];
        s->b[3*i + 1] = sticks ? at->v[1] : 0.0;
        s->b[3*i + 2] = sticks ? at->v[2] : 0.0;
        if (!is_kept(c)) continue;
        largest = fmax(largest, fmax(fabs(s->b[3*i]), hypot(s->b[3*i + 1], s->b[3*i + 2])));
    }
    return largest;
}

static void combine(const caromModel *m, const caromSpace *s, double *step)
{
    memset(step, 0, (size_t)m->nv*sizeof *step);
    for (int k = 0; k < 3*s->n; k++) {
        if (s->f[k] == 0.0) continue;
        const double *L = s->L + (size_t)k*(size_t)m->nv;
        for (int i = 0; i < m->nv; i++) step[i] += s->f[k]*L[i];
    }
}

static bool correct(caromSystem *sys, bool of_position, double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromModel *m = sys->model;
    if (!carom_dyn_articulated_factor(m, &sys->scratch.kin, &sys->scratch.work)) return false;
    carom_space_respond(m, &sys->scratch.kin, r->space, &sys->scratch.work);
    caromStayProblem problem = { r->n, r->space->stays, r->space->G, r->space->b };
    if (!carom_unilateral_forces(&problem, NULL, r->space->f, r->space->work)) return false;
    combine(m, r->space, r->event.speeds);
    double *q = y, *v = y + m->nq;
    if (!of_position) {
        for (int i = 0; i < m->nv; i++) v[i] += r->event.speeds[i];
        return true;
    }
    carom_kin_rate(m, q, r->event.speeds, r->event.rates);
    for (int i = 0; i < m->nq; i++) q[i] += r->event.rates[i];
    carom_kin_normalize(m, q);
    return true;
}

static void place(caromSystem *sys, double time, const double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    carom_kin_update(sys->model, time, y, y + sys->model->nq, &sys->scratch.kin);
    carom_space_place(sys->model, &sys->scratch.kin, y, r->contacts, r->n, r->space);
}

// Gaps and speeds of the contacts that are placed; returns whether y was changed.
static bool bring_back(caromSystem *sys, double time, double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    double rounding = CAROM_RIGID_KEPT_GAP*sys->search.margin, slow = CAROM_RIGID_KEPT_SPEED*r->scales.speed;
    bool is_changed = false;
    for (int i = 0; i < CAROM_RIGID_KEPT_MOST && r->n > 0 && set_errors(r, true) > rounding; i++) {
        if (!correct(sys, true, y)) break;
        place(sys, time, y);
        is_changed = true;
    }
    if (r->n > 0 && (set_errors(r, false) > slow || is_changed) && correct(sys, false, y)) is_changed = true;
    return is_changed;
}

// Contacts that have flown off are the search's again.
static void forget_flown(caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    int kept = 0;
    for (int i = 0; i < r->n; i++) {
        bool is_gone = r->contacts[i].mode == CAROM_MODE_FLIGHT && r->space->points[i].g > r->scales.gap;
        if (is_gone) carom_rigid_close(r, r->contacts[i].about, false);
        else r->contacts[kept++] = r->contacts[i];
    }
    if (kept == r->n) return;
    r->n = kept;
    // Another point of the same pair may stay.
    for (int i = 0; i < kept; i++) carom_rigid_close(r, r->contacts[i].about, true);
    carom_space_place(sys->model, &sys->scratch.kin, sys->y, r->contacts, r->n, r->space);
}

// Returns whether y was changed.
bool carom_rigid_keep(caromSystem *sys, double time)
{
    caromRigid *r = carom_rigid_of(sys);
    if (r->n == 0) return false;
    place(sys, time, sys->y);
    forget_flown(sys);
    return bring_back(sys, time, sys->y);
}

void carom_rigid_keep_sample(caromSystem *sys, double time, double *y)
{
    if (carom_rigid_of(sys)->n == 0) return;
    place(sys, time, y);
    bring_back(sys, time, y);
}
