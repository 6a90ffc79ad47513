#include "response/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "contact/contact.h"

// ---- scales

static double smallest_body(const caromModel *m)
{
    double size = INFINITY;
    for (int i = 0; i < m->nlink; i++) {
        double reach = m->bodies[m->links[i].body].reach;
        if (reach > 0.0) size = fmin(size, reach);
    }
    return isfinite(size) ? size : 1.0;
}

static double weight(const caromModel *m)
{
    double mass = 0.0, g = carom_norm(m->settings.gravity);
    for (int i = 0; i < m->nlink; i++) mass += m->links[i].mass;
    return mass*(g > 0.0 ? g : 1.0);
}

// Free flight is exact, and a step of it would pass over what prescribed motions do meanwhile.
static double pace_of_motions(const caromModel *m)
{
    double pace = INFINITY;
    for (int i = 0; i < m->nlink; i++) {
        if (m->links[i].motion) pace = fmin(pace, carom_function_pace(m->links[i].motion));
    }
    return pace;
}

// A thousandth of what the integration may be off: of positions by the tolerance times the size of a body, of speeds by
// it times what gravity gives over that size.
static caromRigidScales scales_of(const caromModel *m)
{
    double g = carom_norm(m->settings.gravity),
           part = fmax(CAROM_RIGID_PART*m->settings.tolerance, CAROM_RIGID_PART_LEAST), size = smallest_body(m);
    double speed = fmax(sqrt(g*size), CAROM_RIGID_SLOW*size);
    return (caromRigidScales){ .size = size,
                               .gap = part*size,
                               .speed = part*speed,
                               .slip = fmax(m->settings.tolerance, CAROM_RIGID_SLIP_LEAST)*speed,
                               .hop = part*size,
                               .force = weight(m) };
}

// Hops that rounding blurs are not looked at one by one. margin: rounding of gaps [m].
static void set_rounding(caromRigidScales *s, double margin)
{
    s->least_hop = CAROM_RIGID_LEAST_HOPS*margin;
    s->hop = fmax(s->hop, s->least_hop);
    s->gap = fmax(s->gap, s->hop);
}

// ---- memory

static bool event_alloc(const caromModel *m, caromRigidEvent *e)
{
    e->reactions = carom_alloc_array((size_t)m->nlink, sizeof *e->reactions);
    e->joint_impulses = carom_alloc_array((size_t)m->njoint, sizeof *e->joint_impulses);
    e->speeds = carom_alloc_array((size_t)m->nv, sizeof *e->speeds);
    e->rates = carom_alloc_array((size_t)m->nq, sizeof *e->rates);
    e->dydt = carom_alloc_array((size_t)carom_motion_states_max(m), sizeof *e->dydt);
    return e->reactions && e->joint_impulses && e->speeds && e->rates && e->dydt;
}

static void event_free(caromRigidEvent *e)
{
    free(e->found);
    free(e->before);
    free(e->parting);
    free(e->blows);
    free(e->outcomes);
    free(e->v);
    free(e->turns);
    free(e->u);
    free(e->turned);
    free(e->x);
    carom_impact_free(e->impact);
    free(e->reactions);
    free(e->joint_impulses);
    free(e->speeds);
    free(e->rates);
    free(e->dydt);
}

static bool scratch_alloc(const caromSystem *sys, caromScratch *scratch)
{
    const caromRigid *r = carom_rigid_of(sys);
    caromRigidScratch *own = scratch->own = calloc(1, sizeof *own);
    if (!own) return false;
    own->sums = carom_alloc_array((size_t)sys->model->nv, sizeof *own->sums);
    return own->sums && (r->room == 0 || carom_space_reserve(sys->model, &own->space, r->room));
}

static void scratch_free(caromScratch *scratch)
{
    caromRigidScratch *own = carom_rigid_scratch_of(scratch);
    if (!own) return;
    carom_space_free(&own->space);
    free(own->sums);
    free(own);
    scratch->own = NULL;
}

static bool create(caromSystem *sys)
{
    const caromModel *m = sys->model;
    caromRigid *r = sys->contacts = calloc(1, sizeof *r);
    if (!r) return false;
    r->model = m;
    r->is_sharp = carom_contact_friction_row(m)->rigid->is_sharp;
    r->scales = scales_of(m);
    r->clock.last_time = -1.0;
    r->hold.until = r->hold.end = -INFINITY;
    r->clock.rest_speed = r->scales.speed;
    sys->pace = r->pace = r->motions_pace = pace_of_motions(m);
    r->decay = carom_alloc_array((size_t)(m->npair + m->nlimit), sizeof *r->decay);
    r->resistance = carom_alloc_array((size_t)m->npair, sizeof *r->resistance);
    r->has_faces = carom_alloc_array((size_t)m->npair, sizeof *r->has_faces);
    for (int i = 0; i < m->npair && r->resistance && r->has_faces; i++) {
        r->resistance[i] = carom_rigid_resistance_length(m, i);
        r->has_faces[i] = carom_rigid_has_faces(m, i);
    }
    r->pair_is_closed = carom_alloc_array((size_t)m->npair, sizeof *r->pair_is_closed);
    r->limit_is_closed = carom_alloc_array((size_t)m->nlimit, sizeof *r->limit_is_closed);
    sys->guard.closed = (caromClosed){ r->pair_is_closed, r->limit_is_closed };
    bool good = r->decay && r->resistance && r->has_faces && r->pair_is_closed && r->limit_is_closed &&
                event_alloc(m, &r->event);
    if (!scratch_alloc(sys, &sys->scratch)) return false;
    r->space = &carom_rigid_scratch_of(&sys->scratch)->space;
    return good && carom_rigid_reserve(r, 16);
}

static void destroy(caromSystem *sys)
{
    scratch_free(&sys->scratch);
    caromRigid *r = sys->contacts;
    if (!r) return;
    free(r->decay);
    free(r->resistance);
    free(r->has_faces);
    free(r->pair_is_closed);
    free(r->limit_is_closed);
    free(r->contacts);
    free(r->slip);
    free(r->lean);
    free(r->heading);
    free(r->hold.points);
    free(r->hold.f);
    event_free(&r->event);
    free(r);
}

// Without memory the old array stays, and *good is false.
static void *widened(void *old, size_t used, size_t room, size_t each, bool *good)
{
    void *wide = carom_alloc_array(room, each);
    if (!wide) {
        *good = false;
        return old;
    }
    if (old) memcpy(wide, old, used*each);
    free(old);
    return wide;
}

bool carom_rigid_reserve(caromRigid *r, int n)
{
    if (n <= r->room) return true;
    caromRigidEvent *e = &r->event;
    size_t used = (size_t)r->room, room = used > 0 ? used : 16;
    while (room < (size_t)n) room *= 2;
    bool good = true;
    r->contacts = widened(r->contacts, used, room, sizeof *r->contacts, &good);
    r->slip = widened(r->slip, used, room, sizeof *r->slip, &good);
    r->lean = widened(r->lean, used, room, sizeof *r->lean, &good);
    r->heading = widened(r->heading, used, room, sizeof *r->heading, &good);
    r->hold.points = widened(r->hold.points, used, room, sizeof *r->hold.points, &good);
    r->hold.f = widened(r->hold.f, 3*used, 3*room, sizeof *r->hold.f, &good);
    e->found = widened(e->found, used, room, sizeof *e->found, &good);
    e->before = widened(e->before, used, room, sizeof *e->before, &good);
    e->parting = widened(e->parting, used, room, sizeof *e->parting, &good);
    e->blows = widened(e->blows, used, room, sizeof *e->blows, &good);
    e->outcomes = widened(e->outcomes, used, room, sizeof *e->outcomes, &good);
    e->v = widened(e->v, 3*used, 3*room, sizeof *e->v, &good);
    e->turns = widened(e->turns, used, room, sizeof *e->turns, &good);
    e->u = widened(e->u, 6*used, 6*room, sizeof *e->u, &good);
    e->turned = widened(e->turned, 6*used, 6*room, sizeof *e->turned, &good);
    e->x = widened(e->x, 6*used, 6*room, sizeof *e->x, &good);
    caromImpactWork *impact = good ? carom_impact_alloc((int)room) : NULL;
    if (!impact) return false;
    carom_impact_free(e->impact);
    e->impact = impact;
    if (!carom_space_reserve(r->model, r->space, (int)room)) return false;
    r->room = (int)room;
    return true;
}

// ---- the list

bool carom_rigid_is_first(const caromRigid *r, int i)
{
    for (int k = 0; k < i; k++) if (carom_model_constraint_is(r->contacts[k].about, r->contacts[i].about)) return false;
    return r->contacts[i].about.kind == CAROM_CONSTRAINT_PAIR;
}

bool carom_rigid_has(const caromRigid *r, caromConstraint c)
{
    for (int i = 0; i < r->n; i++) if (carom_model_constraint_is(r->contacts[i].about, c)) return true;
    return false;
}

int carom_rigid_point_of_pair(const caromRigid *r, int i)
{
    int before = 0;
    for (int k = 0; k < i; k++) before += carom_model_constraint_is(r->event.found[k].about, r->event.found[i].about);
    return before;
}

double carom_rigid_next_landing(const caromRigid *r)
{
    double next = INFINITY;
    for (int i = 0; i < r->n; i++)
        if (carom_unilateral_point_lands(&r->contacts[i])) next = fmin(next, r->contacts[i].lands);
    return next;
}

void carom_rigid_close(caromRigid *r, caromConstraint c, bool value)
{
    if (c.kind == CAROM_CONSTRAINT_PAIR) r->pair_is_closed[c.index] = value;
    else r->limit_is_closed[c.index] = value;
}

// ---- the row

static caromFindings evaluate(const caromSystem *sys, const caromInstant *at, caromScratch *scratch, double *dydt)
{
    const caromModel *m = sys->model;
    double *ledger = dydt + carom_motion_ledger(at->n);
    caromFindings found = carom_motion_unforced(m, at, scratch, dydt);
    if (found.status != CAROM_OK) return found;
    caromRigidLoad load = carom_rigid_forces(carom_rigid_of(sys), at, scratch, dydt + m->nq);
    ledger[CAROM_LEDGER_FRICTION] = load.lost;
    ledger[CAROM_LEDGER_ROLLING] = load.rolled;
    ledger[CAROM_LEDGER_DAMPING] = -load.given;
    ledger[CAROM_LEDGER_SUPPLIED] += carom_dyn_motion_power(m, at->t, &scratch->kin, &scratch->work);
    carom_rigid_scratch_of(scratch)->friction_rate = load.hidden_rate;
    found.rate = fmax(found.rate, load.rate);
    carom_motion_check_finite(m, dydt, at->n, &found);
    return found;
}

// Contacts are found by the first step, which tells the sink.
static caromStatus start(caromSystem *sys, caromError *err)
{
    (void)err;
    set_rounding(&carom_rigid_of(sys)->scales, sys->search.margin);
    sys->search.slow = carom_rigid_of(sys)->scales.speed;
    return CAROM_OK;
}

// Bodies that touch at the start may have an impact there.
static caromStatus begin(caromSystem *sys, bool *is_changed, caromError *err)
{
    *is_changed = true;
    caromStatus status = carom_rigid_part_at_start(sys, err);
    if (status == CAROM_OK) status = carom_rigid_resolve_start(sys, err);
    if (status == CAROM_OK) carom_rigid_keep(sys, 0.0);
    sys->pace = carom_rigid_of(sys)->pace;
    return status;
}

static double next_change(const caromSystem *sys)
{
    const caromRigid *r = carom_rigid_of(sys);
    return carom_rigid_holds(r) ? r->hold.until : carom_rigid_next_landing(r);
}

// Bounces that have died out by now, or forces that were held: what is it that stays?
static caromStatus land(caromSystem *sys, double time, bool *is_event, caromError *err)
{
    *is_event = true;
    carom_rigid_of(sys)->clock.is_announced = true;
    caromStatus status = carom_rigid_resolve(sys, time, NULL, err);
    carom_rigid_of(sys)->clock.is_announced = false;
    if (status == CAROM_OK) carom_rigid_keep(sys, time);
    sys->pace = carom_rigid_of(sys)->pace;
    return status;
}

// Friction turns round where a slip stops: the other modes end without a jump in what acts.
static bool is_rough(const caromSystem *sys, const caromOccasion *event)
{
    return event->kind == CAROM_OCCASION_MODE && carom_rigid_of(sys)->is_slip_end;
}

static bool strays(const caromSystem *sys)
{
    return carom_rigid_of(sys)->strays;
}

static double stalls_below(const caromSystem *sys)
{
    return CAROM_RIGID_STALL*carom_rigid_shortest_hold(carom_rigid_of(sys), sys->t_step);
}

static caromStatus at_event(caromSystem *sys, double time, const caromOccasion *event, caromError *err)
{
    carom_rigid_of(sys)->hold.is_due = event->kind == CAROM_OCCASION_STALL;
    caromStatus status = carom_rigid_resolve(sys, time, event->kind == CAROM_OCCASION_CONSTRAINT ? &event->about : NULL,
                                             err);
    if (status == CAROM_OK) carom_rigid_keep(sys, time);  // what sticks from now on has some slip left
    sys->pace = carom_rigid_of(sys)->pace;
    return status;
}

static bool end_of_step(caromSystem *sys, double time)
{
    carom_rigid_keep_headings(carom_rigid_of(sys));
    bool is_changed = carom_rigid_keep(sys, time);
    sys->pace = carom_rigid_of(sys)->pace;
    return is_changed;
}

// What suited before, but no step that would count as a stall, and not much beyond the next bounce; stable where
// friction is regularised, which is bounded and so may hide from the error estimate that a step was not.
static double step_hint(const caromSystem *sys, double time, double hint)
{
    const caromRigid *r = carom_rigid_of(sys);
    double h = hint, hop = r->next_step, stable = CAROM_RIGID_STABLE/r->friction_rate;
    if (carom_rigid_holds(r)) return r->hold.length;
    if (h > 0.0) h = fmax(h, CAROM_RIGID_STALL*carom_rigid_shortest_hold(r, time));
    if (hop > 0.0 && (h == 0.0 || hop < h || r->n == 0)) h = hop;
    return r->friction_rate > 0.0 && (h == 0.0 || h > stable) ? stable : h;
}

// Forces of the pairs that touch, in the order of pairs.
static int sample(caromSystem *sys, const caromInstant *at, const caromKin *kin, caromContact *list)
{
    caromRigid *r = carom_rigid_of(sys);
    caromContact contact;
    int n = 0;
    (void)kin;
    if (r->n == 0 || evaluate(sys, at, &sys->scratch, r->event.dydt).status != CAROM_OK) return 0;
    for (int i = 0; i < r->n; i++) {
        if (!carom_rigid_is_first(r, i) || !carom_rigid_contact(r, r->contacts[i].about.index, &contact)) continue;
        int k = n++;
        for (; k > 0 && list[k - 1].pair > contact.pair; k--) list[k] = list[k - 1];
        list[k] = contact;
    }
    return n;
}

const caromResponseRow carom_response_rigid = {
    .create = create,
    .destroy = destroy,
    .scratch_alloc = scratch_alloc,
    .scratch_free = scratch_free,
    .evaluate = evaluate,
    .stiff_gain = CAROM_RIGID_STIFF_GAIN,
    .start = start,
    .begin = begin,
    .next_change = next_change,
    .change = land,
    .first_event = carom_rigid_first_event,
    .is_rough = is_rough,
    .strays = strays,
    .stalls_below = stalls_below,
    .at_event = at_event,
    .end_of_step = end_of_step,
    .amend_sample = carom_rigid_keep_sample,
    .step_hint = step_hint,
    .sample = sample,
    .apart = &carom_rigid_apart,
};
