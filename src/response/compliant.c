#include "response/compliant.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "response/compliant_convex.h"
#include "response/compliant_structure.h"

static caromStatus refuse(const caromModel *model, caromError *err)
{
    caromStatus status = carom_contact_refuse(model, err);
    return status == CAROM_OK ? carom_compliant_convex_refuse(model, err) : status;
}

// ---- memory

static bool create(caromSystem *s)
{
    const caromModel *m = s->model;
    caromCompliant *c = s->contacts = calloc(1, sizeof *c);
    if (!c) return false;
    bool has_structure = m->nloop == 0;
    c->tallies = carom_alloc_array((size_t)(m->npair + m->nlimit), sizeof *c->tallies);
    c->structure = has_structure ? carom_compliant_structure_create(m) : NULL;
    bool is_convex = m->settings.method == CAROM_METHOD_CONVEX;
    if (is_convex) c->convex = carom_compliant_convex_create(m);
    return c->tallies && (c->structure || !has_structure) && (c->convex || !is_convex);
}

static void destroy(caromSystem *s)
{
    caromCompliant *c = s->contacts;
    if (!c) return;
    carom_compliant_structure_destroy(c->structure);
    carom_compliant_convex_destroy(c->convex);
    free(c->tallies);
    free(c);
}

// ---- evaluation

static caromFindings evaluate(const caromSystem *s, const caromInstant *at, caromScratch *scratch, double *dydt)
{
    const caromModel *m = s->model;
    caromFindings found = carom_motion_nothing_bad;
    caromDynWork *w = &scratch->work;
    const double *q = at->y, *v = at->y + m->nq, *z = at->y + carom_motion_bristles(m);
    double *dz = dydt + carom_motion_bristles(m), *ledger = dydt + carom_motion_ledger(at->n);
    if (!carom_motion_prepare(m, at, scratch, dydt)) {
        found.status = CAROM_RETRY;
        return found;
    }
    caromContactTotals contacts = carom_world_forces_at(&s->world, &scratch->kin, at->t, z, w->F_C, dz);
    caromForceTotals forces = carom_dyn_model_forces(m, at->t, q, v, &scratch->kin, w);
    caromLimitForce limits = carom_contact_limit_forces(m, &s->world.memory, (caromLimitState){ at->t, q, v }, w->tau);
    carom_dyn_accelerate(m, &scratch->kin, w, dydt + m->nq);
    ledger[CAROM_LEDGER_DAMPING] = contacts.damping;
    ledger[CAROM_LEDGER_FRICTION] = contacts.friction;
    ledger[CAROM_LEDGER_ROLLING] = contacts.rolling;
    ledger[CAROM_LEDGER_JOINTS] = forces.joints + limits.power;
    ledger[CAROM_LEDGER_SUPPLIED] = forces.supplied + carom_dyn_motion_power(m, at->t, &scratch->kin, w);
    found.rate = fmax(fmax(contacts.rate, forces.rate), limits.rate);
    found.bad_pair = contacts.too_deep;
    found.bad_law = contacts.no_force;
    if (contacts.too_deep >= 0) found.status = CAROM_RETRY;
    else carom_motion_check_finite(m, dydt, at->n, &found);
    return found;
}

// ---- start

// Within the rounding of a gap the rate decides: what is to part there has parted.
static bool touches_at_start(const caromSystem *s, const caromKin *kin, int pair)
{
    caromGap gap = carom_patch_gap(s->model, kin, pair);
    if (fabs(gap.g) > s->search.margin) return gap.g < 0.0;
    return carom_patch_gap_rate(s->model, kin, pair, &gap) <= s->search.slow;
}

// Pairs that touch at the start are in contact from the first instant, and joints beyond a limit press on it.
static caromStatus start(caromSystem *s, caromError *err)
{
    const caromModel *m = s->model;
    caromKin *kin = &s->scratch.kin;
    s->search.slow = CAROM_COMPLIANT_SLOW*m->settings.v_small;
    carom_kin_update(m, 0.0, s->y, s->y + m->nq, kin);
    for (int limit = 0; limit < m->nlimit; limit++) {
        double rate;
        if (carom_contact_limit_gap(m, limit, s->y, s->y + m->nq, &rate) <= 0.0)
            carom_compliant_begin_limit(s, kin, limit, 0.0);
    }
    for (int pair = 0; pair < m->npair; pair++) {
        if (!touches_at_start(s, kin, pair)) continue;
        caromStatus status = carom_compliant_begin(s, kin, pair, 0.0, NULL, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Those that begin to touch at that very instant, at a speed, are told; what is pressed together by then is there
// already.
static caromStatus begin(caromSystem *s, bool *is_changed, caromError *err)
{
    const caromContactMemory *memory = &s->world.memory;
    caromKin *kin = &s->scratch.kin;
    caromStatus status = CAROM_OK;
    (void)err;
    *is_changed = false;
    carom_kin_update(s->model, 0.0, s->y, s->y + s->model->nq, kin);
    for (int i = 0; i < memory->nactive && status == CAROM_OK; i++) {
        int pair = memory->active[i];
        caromGap gap = carom_patch_gap(s->model, kin, pair);
        if (gap.g < -s->search.margin || !(memory->touch[pair].speed > 0.0)) continue;
        caromEvent event = { .time = 0.0, .kind = CAROM_EVENT_TOUCH, .about = { CAROM_SUBJECT_PAIR, .pair = pair },
                             .p_W = carom_scale(0.5, carom_add(gap.p_A, gap.p_B)), .n_AB = gap.n_AB,
                             .touch = { memory->touch[pair].speed } };
        status = carom_response_tell(s, &event);
    }
    return status;
}

// ---- along the steps

static double next_change(const caromSystem *s)
{
    return carom_compliant_of(s)->has_spread ? -(double)INFINITY : carom_world_next_stage(&s->world);
}

// Behind each step: those that have come to lie along each other press with another surface, at once. What that loses
// is less than anybody could see, and told as lost.
static bool end_of_step(caromSystem *s, double time)
{
    if (s->world.memory.nactive == 0) return false;
    caromKin *kin = &s->guard.kin[CAROM_SLOT_LEFT];  // the search is over
    carom_kin_update(s->model, time, s->y, s->y + s->model->nq, kin);
    double lost = s->model->settings.tolerance*s->balance.weight;
    carom_compliant_of(s)->has_spread = carom_world_spread_at(&s->world, kin, &lost) > 0;
    carom_response_ledger(s)[CAROM_LEDGER_DAMPING] += lost;
    return lost > 0.0;
}

// Contacts whose time has come settle: the damping changes, so the integration starts anew. So does it where the
// surface changed over which they press.
static caromStatus change(caromSystem *s, double time, bool *is_event, caromError *err)
{
    (void)err;
    *is_event = false;
    bool has_spread = carom_compliant_of(s)->has_spread;
    carom_compliant_of(s)->has_spread = false;
    carom_world_change_at(&s->world, has_spread ? time : fmax(next_change(s), time));
    return CAROM_OK;
}

// The force ends at a separation, and a step that goes beyond is off by more than its estimate says, which
// belongs to a smooth force.
static bool is_rough(const caromSystem *s, const caromOccasion *event)
{
    const caromContactMemory *memory = &s->world.memory;
    caromConstraint c = event->about;
    if (carom_compliant_of(s)->convex) return !carom_contact_memory_is_flight(s->model, memory);
    return c.kind == CAROM_CONSTRAINT_PAIR ? memory->is_active[c.index] : memory->limit_is_active[c.index];
}

// Points of a surface enter one by one, and each begins to press with a kink; faces lift in part, dampers let go before
// surfaces part. Where rounding blurs a depth by more than the tolerance, energies never add up to it, however short
// the step.
static caromEvenness evenness(const caromSystem *s)
{
    const caromContactMemory *memory = &s->world.memory;
    bool is_blurred = s->stats.coarsest.pair >= 0 && s->stats.coarsest.part > s->model->settings.tolerance;
    if (carom_contact_memory_is_flight(s->model, memory)) return CAROM_EVEN;
    if (is_blurred) return CAROM_BLURRED;
    for (int i = 0; i < memory->nactive; i++)
        if (carom_patch_pair_is_of_points(s->model, memory->active[i])) return CAROM_DOTTED;
    return CAROM_KINKED;
}

// A touch: a fiftieth of the contact time, so that its beginning is resolved without rejections. Slow ones too: DP5 in
// steps of the flight before (h r = 2) gives energy to what comes to rest, and a can bounced by nanometres for ever.
static double step_hint(const caromSystem *s, double time, double hint)
{
    const caromContactMemory *memory = &s->world.memory;
    double h = hint;
    if (carom_compliant_of(s)->convex) return hint;
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        if (memory->touch[pair].time < time) continue;
        double speed = fmax(memory->touch[pair].speed, s->model->settings.v_small);
        double first = CAROM_FIRST_STEP*carom_contact_touch_duration(carom_model_law_of(s->model, pair),
                                                                     &memory->touch[pair], speed);
        if (h == 0.0 || first < h) h = first;
    }
    for (int i = 0; i < s->model->nlimit; i++) {
        if (!memory->limit_is_active[i] || memory->limit_touch[i].time < time) continue;
        double first = CAROM_FIRST_STEP*carom_contact_limit_duration(s->model, memory, i);
        if (isfinite(first) && (h == 0.0 || first < h)) h = first;
    }
    return h;
}

static int sample(caromSystem *s, const caromInstant *at, const caromKin *kin, caromContact *contacts)
{
    const caromContactMemory *memory = &s->world.memory;
    const double *z = at->y + carom_motion_bristles(s->model);
    for (int i = 0; i < memory->nactive; i++) {
        contacts[i] = carom_world_contact_at(&s->world, kin, at->t, z, memory->active[i]);
    }
    return memory->nactive;
}

// ---- failures

// Steps became too short while bodies touch: the youngest of the contacts is named, with what it was expected to do.
static void unresolved(const caromSystem *s, caromError *err)
{
    const caromContactMemory *memory = &s->world.memory;
    int pair = memory->active[0];
    for (int i = 1; i < memory->nactive; i++) {
        if (memory->touch[memory->active[i]].time > memory->touch[pair].time) pair = memory->active[i];
    }
    const caromTouch *t = &memory->touch[pair];
    char name[4*CAROM_NAME_MAX], cause[256];
    snprintf(cause, sizeof cause, "%.255s", err ? err->message : "");
    carom_model_pair_name(s->model, pair, name, sizeof name);
    double depth = carom_tolerances_touch(s->model, t, pair).depth;
    carom_fail(err, CAROM_ERR_NUMERIC, name, "the contact %s cannot be resolved. %s. It began at %.9g s with %.3g m/s "
               "and was expected to be %.3g m deep. Try a larger tolerance, a softer contact (contact.k_red or E), "
               "or a larger contact.v_small", name, cause, t->time, t->speed, depth);
}

static bool explain(const caromSystem *s, caromError *err)
{
    if (s->found.bad_law >= 0) carom_compliant_no_force(s, s->found.bad_law, s->t_step, err);
    else if (s->found.bad_pair >= 0) carom_compliant_too_deep(s, s->found.bad_pair, s->t_step, err);
    else if (s->found.bad_body < 0 && s->world.memory.nactive > 0) unresolved(s, err);
    else return false;
    return true;
}

// ---- islands

// Pairs, then limits.
static int count(const caromSystem *s)
{
    int n = s->world.memory.nactive;
    for (int i = 0; i < s->model->nlimit; i++) n += s->world.memory.limit_is_active[i];
    return n;
}

static caromConstraint about(const caromSystem *s, int contact)
{
    const caromContactMemory *memory = &s->world.memory;
    if (contact < memory->nactive) return carom_model_constraint_of_pair(memory->active[contact]);
    int limit = 0;
    for (int left = contact - memory->nactive; left > 0 || !memory->limit_is_active[limit]; limit++)
        left -= memory->limit_is_active[limit];
    return carom_model_constraint_of_limit(limit);
}

static void adopt_limit(caromSystem *s, int limit, const caromSystem *from, int from_limit)
{
    s->world.memory.limit_is_active[limit] = true;
    s->world.memory.limit_touch[limit] = from->world.memory.limit_touch[from_limit];
    carom_compliant_of(s)->tallies[s->model->npair + limit] =
        carom_compliant_of(from)->tallies[from->model->npair + from_limit];
}

// There is room: fewer contacts than there were.
static bool adopt(caromSystem *s, caromConstraint c, const caromSystem *from, int contact)
{
    int pair = c.index, from_pair = about(from, contact).index;
    if (c.kind == CAROM_CONSTRAINT_LIMIT) {
        adopt_limit(s, c.index, from, from_pair);
        return true;
    }
    caromContactMemory *memory = &s->world.memory;
    const caromTouch *touch = &from->world.memory.touch[from_pair];
    carom_contact_memory_begin(memory, pair, touch);
    carom_compliant_of(s)->tallies[pair] = carom_compliant_of(from)->tallies[from_pair];
    if (memory->touch[pair].slot < 0) return true;
    double *z = s->y + carom_motion_bristles(s->model);
    const double *z_from = from->y + carom_motion_bristles(from->model);
    memcpy(z + CAROM_BRISTLE_STATES*memory->touch[pair].slot, z_from + CAROM_BRISTLE_STATES*touch->slot,
           CAROM_BRISTLE_STATES*sizeof *z);
    return true;
}

static void adopt_past(caromSystem *s, const caromSystem *from)
{
    caromCompliant *c = carom_compliant_of(s);
    const caromCompliant *past = carom_compliant_of(from);
    if (past->chatter_count <= c->chatter_count) return;
    c->chatter_count = past->chatter_count;
    c->chatter_time = past->chatter_time;
}

static const caromApartRow apart = { .count = count, .about = about, .adopt = adopt, .adopt_past = adopt_past };

const caromResponseRow carom_response_compliant = {
    .refuse = refuse,
    .create = create,
    .destroy = destroy,
    .evaluate = evaluate,
    .linear = &carom_compliant_linear,
    .stages = &carom_compliant_stages,
    .start = start,
    .begin = begin,
    .next_change = next_change,
    .change = change,
    .first_event = carom_compliant_first_event,
    .is_rough = is_rough,
    .evenness = evenness,
    .end_of_step = end_of_step,
    .follow = carom_compliant_follow,
    .at_event = carom_compliant_at_event,
    .step_hint = step_hint,
    .sample = sample,
    .explain = explain,
    .apart = &apart,
};
