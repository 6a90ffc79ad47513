// Making islands: the state and memory of those that were, in a run of the part that is now.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "islands/island.h"

int carom_island_pair_in_part(const caromIslandModel *part, int pair)
{
    int low = 0, high = part->model.npair;
    while (low < high) {
        int middle = low + (high - low)/2;
        if (part->pair[middle] < pair) low = middle + 1;
        else high = middle;
    }
    return low;
}

// ---- counts

static void account_extremes(const caromIsland *island, const caromSimStats *from, caromSimStats *to)
{
    if (from->smallest_step > 0.0 && (to->smallest_step == 0.0 || from->smallest_step < to->smallest_step)) {
        to->smallest_step = from->smallest_step;
    }
    if (from->clamped_tolerances > to->clamped_tolerances) to->clamped_tolerances = from->clamped_tolerances;
    if (from->largest_depth > to->largest_depth) {
        to->largest_depth = from->largest_depth;
        to->largest_depth_pair = carom_island_pair_in_whole(island, from->largest_depth_pair);
    }
    if (from->coarsest.pair >= 0 && (to->coarsest.pair < 0 || from->coarsest.part > to->coarsest.part)) {
        to->coarsest = from->coarsest;
        to->coarsest.pair = carom_island_pair_in_whole(island, from->coarsest.pair);
    }
    if (from->deepest.pair >= 0 && (to->deepest.pair < 0 || from->deepest.part > to->deepest.part)) {
        to->deepest = from->deepest;
        to->deepest.pair = carom_island_pair_in_whole(island, from->deepest.pair);
    }
}

void carom_island_account(caromIsland *island)
{
    caromIslands *all = island->all;
    caromSimStats *to = &all->whole->system.stats, *seen = &island->seen;
    const caromSimStats *from = &island->run->system.stats;
    to->steps += from->steps - seen->steps;
    to->rejected += from->rejected - seen->rejected;
    to->evaluations += from->evaluations - seen->evaluations;
    to->jacobians += from->jacobians - seen->jacobians;
    to->switches += from->switches - seen->switches;
    to->gap_evaluations += from->gap_evaluations - seen->gap_evaluations + all->cross.search.evaluations -
                           all->crossings;
    all->crossings = all->cross.search.evaluations;
    to->method = from->method;
    account_extremes(island, from, to);
    *seen = *from;
    int touching = island->run->system.response->apart->count(&island->run->system);
    all->ntouching += touching - island->counted;
    island->counted = touching;
}

// ---- what goes on

static void copy_motion(const caromIslands *all, caromIsland *to)
{
    caromSystem *s = &to->run->system;
    for (int k = 0; k < s->model->nlink; k++) {
        int link = to->part->link[k];
        const caromSystem *from = &all->home[link]->run->system;
        const caromLink *source = &from->model->links[all->local[link]], *target = &s->model->links[k];
        if (target->iv < 0) continue;
        const double *v = from->y + from->model->nq + source->iv;
        memcpy(s->y + target->iq, from->y + source->iq, (size_t)target->nq*sizeof *s->y);
        memcpy(s->y + s->model->nq + target->iv, v, (size_t)target->nv*sizeof *s->y);
    }
}

// What moves freely says it, or, where both are led, either.
static bool owns(const caromIslands *all, int id, int pair)
{
    const caromModel *m = all->whole->system.model;
    int by = -1;
    for (int side = 0; side < 2; side++) {
        int link = m->bodies[m->shapes[m->pairs[pair].shape[side]].body].link;
        if (link >= 0 && (by < 0 || !carom_model_is_led(m->links, link))) by = link;
    }
    return by >= 0 && all->owner[by] == id;
}

// The constraint of the whole, in the island; false: it is not there.
static bool find_in(const caromIslands *all, const caromIsland *island, caromConstraint whole, caromConstraint *own)
{
    if (whole.kind == CAROM_CONSTRAINT_PAIR) {
        if (!owns(all, island->id, whole.index)) return false;
        *own = carom_model_constraint_of_pair(carom_island_pair_in_part(island->part, whole.index));
        return true;
    }
    for (int i = 0; i < island->part->model.nlimit; i++) {
        *own = carom_model_constraint_of_limit(i);
        if (island->part->limit[i] == whole.index) return true;
    }
    return false;
}

static caromConstraint in_whole(const caromIsland *island, caromConstraint c)
{
    return c.kind == CAROM_CONSTRAINT_PAIR
        ? carom_model_constraint_of_pair(carom_island_pair_in_whole(island, c.index))
        : carom_model_constraint_of_limit(carom_island_limit_in_whole(island, c.index));
}

// The contacts of an island that was, as far as they are of the new one.
static bool copy_contacts(const caromIslands *all, const caromIsland *from, caromIsland *to)
{
    caromSystem *s = &to->run->system;
    const caromSystem *old = &from->run->system;
    int n = old->response->apart->count(old);
    for (int i = 0; i < n; i++) {
        caromConstraint own;
        if (!find_in(all, to, in_whole(from, old->response->apart->about(old, i)), &own)) continue;
        if (!s->response->apart->adopt(s, own, old, i)) return false;
    }
    return true;
}

typedef void (*Remember)(caromSystem *to, caromConstraint c, const caromSystem *from, caromConstraint from_c);

// What is known of the constraints of an island, to the whole or back.
static void share_memory(const caromIslands *all, const caromIsland *island, bool to_whole)
{
    caromSystem *own = &island->run->system, *whole = &all->whole->system;
    Remember remember = own->response->apart->remember;
    if (!remember || !island->part) return;
    for (int k = 0; k < own->model->npair + own->model->nlimit; k++) {
        caromConstraint here = k < own->model->npair ? carom_model_constraint_of_pair(k)
                                                     : carom_model_constraint_of_limit(k - own->model->npair);
        if (to_whole) remember(whole, in_whole(island, here), own, here);
        else remember(own, here, whole, in_whole(island, here));
    }
}

static void copy_rest_lengths(const caromIslands *all, caromIsland *to)
{
    const double *rest = all->whole->system.scratch.work.spring_rest;
    caromSystem *s = &to->run->system;
    for (int k = 0; k < s->model->nspring; k++) s->scratch.work.spring_rest[k] = rest[to->part->spring[k]];
}

static void copy_past(const caromIsland *from, caromIsland *to)
{
    caromRun *run = to->run;
    const caromRun *old = from->run;
    bool is_shorter = run->flight_step == 0.0 || old->flight_step < run->flight_step;
    if (old->flight_step > 0.0 && is_shorter) run->flight_step = old->flight_step;
    if (old->methods.calm_needed > run->methods.calm_needed) run->methods.calm_needed = old->methods.calm_needed;
    run->system.watch_until = fmax(run->system.watch_until, old->system.watch_until);
    run->system.response->apart->adopt_past(&run->system, &old->system);
}

// Energies lost so far go to one of those that an island becomes.
static void copy_ledgers(const caromIslandOrigin *origin, caromIsland *to)
{
    double *ledger = carom_response_ledger(&to->run->system);
    for (int i = 0; i < origin->n; i++) {
        const double *old = carom_response_ledger(&origin->from[i]->run->system);
        for (int k = 0; k < CAROM_LEDGER; k++) ledger[k] += old[k];
    }
}

static double mass_of(const caromModel *m)
{
    double sum = 0.0;
    for (int k = 0; k < m->nlink; k++) if (m->links[k].iv >= 0) sum += m->links[k].mass;
    return sum;
}

static double share_of(const caromModel *part, const caromModel *whole)
{
    double mass = mass_of(whole);
    return mass > 0.0 ? mass_of(part)/mass : 1.0;
}

static void copy_settings(const caromIslands *all, caromIsland *to)
{
    const caromSystem *whole = &all->whole->system;
    caromSystem *s = &to->run->system;
    to->run->sampler = carom_island_sample;
    to->run->sampler_user = to;
    s->has_started = all->is_started;
    s->search.margin = whole->search.margin;
    s->search.hovering = whole->search.hovering;
    s->search.slow = whole->search.slow;
    carom_island_share_balance(to);
    s->balance.share = share_of(s->model, whole->model);
}

// ---- make and destroy

static caromStatus deliver(void *user, const caromEvent *event)
{
    const caromIsland *island = user;
    caromEvent told = *event;
    if (told.about.kind == CAROM_SUBJECT_PAIR)  // joints have the numbers of the whole
        told.about.pair = carom_island_pair_in_whole(island, event->about.pair);
    return carom_response_tell(&island->all->whole->system, &told);
}

static caromStatus out_of_memory(caromError *err)
{
    return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
}

caromStatus carom_island_make(caromIslands *all, int id, const caromIslandOrigin *origin, caromIsland **out,
                              caromError *err)
{
    caromIsland *island = *out = calloc(1, sizeof *island);
    if (!island) return out_of_memory(err);
    caromIslandModel *part = carom_island_model_create(&all->plan, all->owner, id);
    *island = (caromIsland){ .all = all, .pair = -1, .partner = -1, .id = id, .part = part };
    if (!part) return out_of_memory(err);
    caromSink sink = { island, NULL, deliver };
    caromStatus status = carom_step_prepare(&part->model, &sink, &island->run, err);
    if (status != CAROM_OK) return status;
    caromSystem *s = &island->run->system;
    copy_settings(all, island);
    copy_rest_lengths(all, island);
    copy_motion(all, island);
    bool is_stiff = false;
    for (int i = 0; i < origin->n; i++) {
        if (!copy_contacts(all, origin->from[i], island)) return out_of_memory(err);
        share_memory(all, origin->from[i], true);
        copy_past(origin->from[i], island);
        is_stiff = is_stiff || carom_step_is_switched(origin->from[i]->run);
    }
    share_memory(all, island, false);
    s->n = carom_motion_states(s->model, &s->world.memory);
    if (origin->is_heir) copy_ledgers(origin, island);  // y was zero there
    return is_stiff && !carom_step_use_stiff(island->run) ? out_of_memory(err) : CAROM_OK;
}

void carom_island_destroy(caromIsland *island)
{
    if (!island) return;
    island->all->ntouching -= island->counted;
    if (island->part) carom_step_destroy(island->run);
    carom_island_model_destroy(island->part);
    free(island);
}
