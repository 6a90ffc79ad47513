// df/dt by parts, as df/dy: what time alone moves takes forces along by the same slopes as what moves freely. A part
// that rests on a tray that is shaken goes with it; the change of its force is what is left of two that cancel, and a
// difference of the whole would not leave it (seven parts on a tray: twice as many steps).
#include <string.h>

#include "time/jacobian.h"
#include "response/compliant_structure.h"

typedef struct caromStructure Structure;

static void spread(caromSpatial a, double over, double *to)
{
    const double values[6] = { a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z };
    for (int i = 0; i < 6; i++) to[i] = values[i]/over;
}

static bool is_steady(const caromSystem *e, double t)
{
    const caromModel *m = e->model;
    const caromContactMemory *memory = &e->world.memory;
    for (int k = 0; k < m->nlink; k++) if (m->links[k].motion || m->links[k].drive) return false;
    for (int i = 0; i < memory->nactive; i++)
        if (carom_contact_touch_fades(&memory->touch[memory->active[i]], t)) return false;
    for (int i = 0; i < m->nlimit; i++)
        if (memory->limit_is_active[i] && carom_contact_touch_fades(&memory->limit_touch[i], t)) return false;
    return m->nforce == 0;
}

// At speeds of none all that moves is moved by time, but for what goes along with that.
static void find_drift_of_poses(caromSystem *e, const caromLinearPoint *at)
{
    const Structure *s = carom_compliant_of(e)->structure;
    const caromModel *m = e->model;
    memcpy(at->y_trial, at->y, (size_t)e->n*sizeof *at->y);
    memset(at->y_trial + m->nq, 0, (size_t)m->nv*sizeof *at->y);
    for (int i = 0; at->carry && i < at->carry->n; i++)
        if (at->carry->list[i].goes_along) at->y_trial[at->carry->list[i].speed] = at->carry->list[i].velocity;
    carom_kin_update(m, at->t, at->y_trial, at->y_trial + m->nq, &e->scratch.kin);
    for (int l = 0; l < s->nlever; l++) spread(e->scratch.kin.V_WC[s->levers[l].body], 1.0, s->levers[l].drift);
}

// Motion at contact forces held, later by dt.
static bool move_later(caromSystem *e, const caromLinearPoint *at, double dt, double *ft)
{
    const Structure *s = carom_compliant_of(e)->structure;
    const caromStructureScratch *now = &s->scratch;
    const caromModel *m = e->model;
    int ledger = carom_compliant_structure_rows(s);
    memcpy(at->y_trial, at->y, (size_t)e->n*sizeof *at->y);
    carom_time_carry_on(at->carry, dt, at->y_trial);
    if (!carom_compliant_structure_move(e, at->t + dt, at->y_trial, now->totals, now->rate)) return false;
    for (int i = 0; i < m->nq + m->nv; i++) ft[i] = (now->rate[i] - now->rate_base[i])/dt;
    for (int i = 0; i < s->ntree; i++) {
        ft[ledger + CAROM_LEDGER_JOINTS] += (now->totals[i].joints - now->totals_base[i].joints)/dt;
        ft[ledger + CAROM_LEDGER_SUPPLIED] += (now->totals[i].supplied - now->totals_base[i].supplied)/dt;
    }
    for (int l = 0; l < s->nlever; l++) {
        // Of a body that goes along the same as of what carries it, to the last digit but one.
        caromSpatial V = e->scratch.kin.V_WC[s->levers[l].body], before = now->base.V_WC[s->levers[l].body];
        caromSpatial change = { carom_sub(V.angular, before.angular), carom_sub(V.linear, before.linear) };
        spread(change, dt, s->levers[l].drift + 6);
    }
    return true;
}

static double dot_6(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += a[i]*b[i];
    return sum;
}

static void add_pair_drift(const Structure *s, const caromModel *m, int i, double *ft)
{
    const int *shape = m->pairs[s->active[i]].shape;
    const int levers[2] = { s->lever_of[m->shapes[shape[0]].body], s->lever_of[m->shapes[shape[1]].body] };
    double rows[CAROM_SLOPE_ROWS], *ledger = ft + carom_compliant_structure_rows(s);
    for (int r = 0; r < CAROM_SLOPE_ROWS; r++) {
        const double *d = s->slopes[i].d[r];
        rows[r] = d[CAROM_SLOPE_TIME];
        for (int side = 0; side < 2; side++) {
            if (levers[side] < 0) continue;
            const double *drift = s->levers[levers[side]].drift;
            rows[r] += dot_6(d + 6*side, drift) + dot_6(d + CAROM_SLOPE_VELOCITY + 6*side, drift + 6);
        }
    }
    for (int side = 0; side < 2; side++) {
        if (levers[side] < 0) continue;
        const caromLever *lever = &s->levers[levers[side]];
        const caromMechanism *tree = &s->trees[lever->tree];
        for (int k = 0; k < tree->nv; k++)
            ft[s->state[tree->first + tree->nq + k]] += dot_6(lever->response + (size_t)6*(size_t)k, rows + 6*side);
        ledger[CAROM_LEDGER_SUPPLIED] += dot_6(lever->power, rows + 6*side);
    }
    double *dz = ft + carom_motion_bristles(m) + CAROM_BRISTLE_STATES*s->slot[i];
    for (int k = 0; s->slot[i] >= 0 && k < CAROM_BRISTLE_STATES; k++) dz[k] += rows[CAROM_SLOPE_RATE + k];
    for (int k = 0; k < 3; k++) ledger[carom_compliant_power_row[k]] += rows[CAROM_SLOPE_POWER + k];
}

bool carom_compliant_structure_drift(caromSystem *e, const caromLinearPoint *at, double *ft)
{
    const Structure *s = carom_compliant_of(e)->structure;
    memset(ft, 0, (size_t)e->n*sizeof *ft);
    if (is_steady(e, at->t)) return true;
    double later = at->t + carom_method_change_of_time(at->t, at->h);
    find_drift_of_poses(e, at);
    if (!move_later(e, at, later - at->t, ft)) return false;
    for (int i = 0; i < s->nactive; i++) add_pair_drift(s, e->model, i, ft);
    return true;
}
