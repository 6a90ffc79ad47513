// Which island is next, and when islands join and part (islands.h).
#include "integrate/islands.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

typedef struct caromIslands Islands;

typedef struct Island {
    Islands *all;
    caromIslandModel *part;   // NULL: the whole, of which the first islands are made
    caromSim *sim;
    bool has_trial;           // a step ahead
    caromTrial trial;
    int pair, partner;        // the touch with another island that ends the step, pair of the whole; -1: none
    caromSimStats seen;       // what of its counts is in those of the whole
    int counted;              // likewise, of its contacts
    int id;                   // its number
} Island;

struct caromIslands {
    caromSim *whole;
    caromPlan plan;
    caromCross cross;
    int64_t crossings;        // evaluations of the search across that are counted already
    bool is_started;
    int count;                // of islands
    int ntouching;            // contacts of all
    Island **items;           // by number; NULL: free                                [nlink]
    double *end;              // when the step ahead ends; infinite: there is none [s] [nlink]
    int *owner;               // number of the island that a link is in               [nlink]
    Island **home;            // where its state is                                   [nlink]
    int *local;               // and its number there                                 [nlink]
    int *tie;                 // scratch                                              [nlink]
    int nmoving;
    int *moving;              // shapes that move                                     [nshape]
    caromVec3 *centre;        // of each of them when its step begins                 [nshape]
    double *reach;            // from there: where it stays in the step               [nshape]
};

// ---- what suits

// Bodies on joints are tied, and springs reach across; a few bodies are as well off together.
bool carom_islands_suit(const caromModel *m)
{
    enum { FEW = 8 };
    if (m->settings.response == CAROM_RESPONSE_RIGID) return false;
    if (m->nlink < FEW || m->njoint + m->nspring + m->nforce + m->nlimit + m->nloop > 0 || m->settings.method == CAROM_METHOD_CVODE) return false;
    for (int k = 0; k < m->nlink; k++) if (!m->links[k].is_lone || m->links[k].has_forces) return false;
    for (int k = 0; k < m->nshape; k++) if (m->bodies[m->shapes[k].body].link >= 0 && !carom_shape_is_bounded(m->shapes[k].shape)) return false;
    return true;
}

static int pair_in_whole(const Island *island, int pair)
{
    return island->part ? island->part->pair[pair] : pair;
}

static int link_in_whole(const Island *island, int link)
{
    return island->part ? island->part->link[link] : link;
}

static int pair_in_part(const caromIslandModel *part, int pair)
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

static void account(Islands *all, Island *island)
{
    caromSimStats *to = &all->whole->stats, *seen = &island->seen;
    const caromSimStats *from = &island->sim->stats;
    to->steps += from->steps - seen->steps;
    to->rejected += from->rejected - seen->rejected;
    to->evaluations += from->evaluations - seen->evaluations;
    to->jacobians += from->jacobians - seen->jacobians;
    to->switches += from->switches - seen->switches;
    to->gap_evaluations += from->gap_evaluations - seen->gap_evaluations + all->cross.search.evaluations - all->crossings;
    all->crossings = all->cross.search.evaluations;
    to->method = from->method;
    if (from->smallest_step > 0.0 && (to->smallest_step == 0.0 || from->smallest_step < to->smallest_step)) to->smallest_step = from->smallest_step;
    if (from->clamped_tolerances > to->clamped_tolerances) to->clamped_tolerances = from->clamped_tolerances;
    if (from->largest_depth > to->largest_depth) {
        to->largest_depth = from->largest_depth;
        to->largest_depth_pair = pair_in_whole(island, from->largest_depth_pair);
    }
    if (from->coarsest.pair >= 0 && (to->coarsest.pair < 0 || from->coarsest.part > to->coarsest.part)) {
        to->coarsest = from->coarsest;
        to->coarsest.pair = pair_in_whole(island, from->coarsest.pair);
    }
    *seen = *from;
    all->ntouching += island->sim->eval.world.modes.nactive - island->counted;
    island->counted = island->sim->eval.world.modes.nactive;
}

// ---- making islands

static caromStatus deliver(void *user, const caromEvent *event)
{
    const Island *island = user;
    caromSim *whole = island->all->whole;
    caromEvent told = *event;
    told.pair = pair_in_whole(island, event->pair);
    whole->stats.events[told.kind]++;
    return whole->sink.event ? whole->sink.event(whole->sink.user, &told) : CAROM_OK;
}

static void destroy(Island *island)
{
    if (!island) return;
    island->all->ntouching -= island->counted;
    if (island->part) carom_sim_destroy(island->sim);
    carom_island_model_destroy(island->part);
    free(island);
}

static void copy_motion(const Islands *all, Island *to)
{
    caromSim *sim = to->sim;
    for (int k = 0; k < sim->model->nlink; k++) {
        int link = to->part->link[k];
        const caromSim *from = all->home[link]->sim;
        const caromLink *source = &from->model->links[all->local[link]], *target = &sim->model->links[k];
        memcpy(sim->y + target->iq, from->y + source->iq, (size_t)target->nq*sizeof *sim->y);
        memcpy(sim->y + sim->model->nq + target->iv, from->y + from->model->nq + source->iv, (size_t)target->nv*sizeof *sim->y);
    }
}

static bool owns(const Islands *all, int id, int pair)
{
    const caromModel *m = all->whole->model;
    for (int side = 0; side < 2; side++) {
        int link = m->bodies[m->shapes[m->pairs[pair].shape[side]].body].link;
        if (link >= 0) return all->owner[link] == id;
    }
    return false;
}

// The contacts of an island that was, as far as they are between bodies of the new one.
static void copy_contacts(const Islands *all, int id, const Island *from, Island *to)
{
    const caromModes *modes = &from->sim->eval.world.modes;
    const double *z = from->sim->y + carom_eval_bristles(from->sim->model);
    for (int i = 0; i < modes->nactive; i++) {
        int source = modes->active[i], whole = pair_in_whole(from, source);
        if (!owns(all, id, whole)) continue;
        int pair = pair_in_part(to->part, whole);
        caromModes *own = &to->sim->eval.world.modes;
        carom_modes_begin(own, pair, &modes->touch[source]);  // there is room: fewer contacts than there were
        to->sim->impacts[pair] = from->sim->impacts[source];
        if (own->touch[pair].slot < 0) continue;
        memcpy(to->sim->y + carom_eval_bristles(to->sim->model) + CAROM_BRISTLE_STATES*own->touch[pair].slot, z + CAROM_BRISTLE_STATES*modes->touch[source].slot,
               CAROM_BRISTLE_STATES*sizeof *z);
    }
}

static void copy_past(const Island *from, Island *to)
{
    caromSim *sim = to->sim;
    const caromSim *old = from->sim;
    if (old->flight_step > 0.0 && (sim->flight_step == 0.0 || old->flight_step < sim->flight_step)) sim->flight_step = old->flight_step;
    if (old->calm_needed > sim->calm_needed) sim->calm_needed = old->calm_needed;
    sim->watch_until = fmax(sim->watch_until, old->watch_until);
    if (old->chatter_count > sim->chatter_count) {
        sim->chatter_count = old->chatter_count;
        sim->chatter_time = old->chatter_time;
    }
}

static bool is_switched(const caromSim *sim)
{
    return sim->method == sim->stiff_method && sim->method != sim->explicit_method;
}

// Energies lost so far go to one of those that an island becomes.
static void copy_ledgers(Island *const *from, int nfrom, Island *to)
{
    double *ledger = to->sim->y + carom_eval_ledger(&to->sim->eval);
    for (int i = 0; i < nfrom; i++) {
        const double *old = from[i]->sim->y + carom_eval_ledger(&from[i]->sim->eval);
        for (int k = 0; k < CAROM_LEDGER; k++) ledger[k] += old[k];
    }
}

static void copy_settings(const Islands *all, caromSim *sim)
{
    sim->is_part = true;
    sim->started = all->whole->started;
    sim->search.margin = all->whole->search.margin;
    sim->search.hovering = all->whole->search.hovering;
    sim->energy_weight = all->whole->energy_weight;
}

// The island of the links that id owns, from those in which they were. After a failure to be destroyed.
static caromStatus make(Islands *all, int id, Island *const *from, int nfrom, bool is_heir, Island **out, caromError *err)
{
    Island *island = *out = calloc(1, sizeof *island);
    if (!island) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    *island = (Island){ .all = all, .pair = -1, .partner = -1, .id = id, .part = carom_island_model_create(&all->plan, all->owner, id) };
    if (!island->part) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    caromSink sink = { island, NULL, deliver };
    caromStatus status = carom_sim_prepare(&island->part->model, &sink, &island->sim, err);
    if (status != CAROM_OK) return status;
    caromSim *sim = island->sim;
    copy_settings(all, sim);
    copy_motion(all, island);
    bool is_stiff = false;
    for (int i = 0; i < nfrom; i++) {
        copy_contacts(all, id, from[i], island);
        copy_past(from[i], island);
        is_stiff = is_stiff || is_switched(from[i]->sim);
    }
    sim->eval.n = carom_eval_bristles(sim->model) + carom_modes_states(&sim->eval.world.modes) + CAROM_LEDGER;
    if (is_heir) copy_ledgers(from, nfrom, island);  // y was zero there
    return is_stiff && !carom_sim_use_stiff(sim) ? carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory") : CAROM_OK;
}

static void install(Islands *all, int id, Island *island)
{
    all->items[id] = island;
    for (int k = 0; k < island->part->model.nlink; k++) {
        int link = island->part->link[k];
        all->home[link] = island;
        all->local[link] = k;
    }
}

static int free_number(const Islands *all)
{
    int id = 0;
    while (all->items[id]) id++;
    return id;
}

// ---- the step ahead

static bool has_own_event(const Island *island)
{
    return island->trial.event.theta <= 1.0 && island->trial.event.pair >= 0;
}

static void stop(Island *island, double time)
{
    caromTrial *t = &island->trial;
    double theta = t->h > 0.0 ? (time - island->sim->t_step)/t->h : 0.0;
    t->event = (caromOccasion){ fmax(0.0, fmin(theta, 1.0)), -1 };
    t->t_end = island->all->end[island->id] = time;
}

static void forget_partner(Islands *all, Island *island)
{
    if (island->partner < 0) return;
    Island *other = all->items[island->partner];
    other->pair = other->partner = -1;  // its step ends there all the same
    island->pair = island->partner = -1;
}

// Two islands meet. Where something else happens to the other at this very instant, that comes first; this touch is found again behind it.
static void meet(Islands *all, int id, int other_id, int pair, double time)
{
    Island *island = all->items[id], *other = all->items[other_id];
    if (time >= island->trial.t_end && has_own_event(island)) return;
    bool is_late = time >= other->trial.t_end && (has_own_event(other) || other->partner >= 0);
    stop(island, time);
    if (is_late) return;
    forget_partner(all, other);
    stop(other, time);
    island->pair = other->pair = pair;
    island->partner = other_id;
    other->partner = id;
}

static void sweep(Islands *all, const Island *island)
{
    const caromModelGuard *g = &island->sim->guard;
    const caromModel *m = island->sim->model;
    for (int k = 0; k < m->nshape; k++) {
        const caromModelShape *s = &m->shapes[k];
        if (m->bodies[s->body].link < 0) continue;
        caromVec3 p = g->kin[CAROM_SLOT_START].X_WS[k].p;
        int shape = island->part->shape[k];
        all->centre[shape] = p;
        all->reach[shape] = (1.0 + 1e-9)*(s->radius + s->shell + carom_guard_stray(g, s->body, p)) + all->whole->search.margin;
    }
}

typedef struct Meeting {  // the first one
    double time;
    int pair, other;
} Meeting;

static caromStatus look_at(Islands *all, int id, int other_id, int pair, Meeting *first)
{
    const caromModel *m = all->whole->model;
    Island *island = all->items[id], *other = all->items[other_id];
    double t0 = island->sim->t_step, t1 = fmin(fmin(island->trial.t_end, other->trial.t_end), first->time), time;
    if (!(t1 > t0)) return CAROM_OK;  // nothing in common yet
    caromStatus status = carom_guard_bound_motion(&island->sim->guard, &island->sim->search);
    if (status == CAROM_OK) status = carom_guard_bound_motion(&other->sim->guard, &other->sim->search);
    if (status != CAROM_OK) return status;
    caromCrossSide side[2];
    for (int i = 0; i < 2; i++) {
        int link = m->bodies[m->shapes[m->pairs[pair].shape[i]].body].link;
        const Island *home = all->home[link];
        side[i] = (caromCrossSide){ home->sim, all->local[link], link, home->trial.h };
    }
    status = carom_cross_touch(&all->cross, side, pair, t0, t1, &time);
    if (time < first->time || (time == first->time && isfinite(time) && pair < first->pair)) *first = (Meeting){ time, pair, other_id };
    return status;
}

// Touches between bodies of the island and others, within the time that the steps of both cover.
static caromStatus search_across(Islands *all, int id)
{
    const caromModel *m = all->whole->model;
    const Island *island = all->items[id];
    Meeting first = { INFINITY, -1, -1 };
    for (int k = 0; k < island->sim->model->nshape; k++) {
        if (island->sim->model->bodies[island->sim->model->shapes[k].body].link < 0) continue;
        int shape = island->part->shape[k];
        for (int i = 0; i < all->nmoving; i++) {
            int with = all->moving[i];
            double near = all->reach[shape] + all->reach[with];
            if (carom_norm2(carom_sub(all->centre[with], all->centre[shape])) > near*near) continue;
            int other = all->owner[m->bodies[m->shapes[with].body].link];
            if (other == id || !all->items[other] || !all->items[other]->has_trial) continue;
            int pair = carom_plan_pair(&all->plan, shape, with);
            if (pair < 0) continue;
            caromStatus status = look_at(all, id, other, pair, &first);
            if (status != CAROM_OK) return status;
        }
    }
    if (first.pair >= 0) meet(all, id, first.other, first.pair, first.time);
    return CAROM_OK;
}

static caromStatus try_step(Islands *all, int id, caromError *err)
{
    Island *island = all->items[id];
    island->pair = island->partner = -1;
    caromStatus status = carom_sim_try(island->sim, &island->trial, err);
    account(all, island);
    if (status != CAROM_OK) return status;
    island->has_trial = true;
    all->end[id] = island->trial.t_end;
    sweep(all, island);
    status = search_across(all, id);
    if (status == CAROM_OK) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", island->sim->t_step);
}

// ---- samples

// State of an island within its step; NULL: it cannot be interpolated.
static const double *state_at(const Island *island, double time)
{
    caromSim *sim = island->sim;
    if (!(time > sim->t_step)) return sim->y;
    double theta = fmin(1.0, (time - sim->t_step)/island->trial.h);
    return sim->method->interpolate(sim->stepper, theta, sim->y_work, NULL) == CAROM_OK ? sim->y_work : NULL;
}

static void gather_motion(const Island *island, const double *state, double *y)
{
    const caromModel *whole = island->all->whole->model, *m = island->sim->model;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *from = &m->links[k], *to = &whole->links[island->part->link[k]];
        memcpy(y + to->iq, state + from->iq, (size_t)to->nq*sizeof *y);
        memcpy(y + whole->nq + to->iv, state + m->nq + from->iv, (size_t)to->nv*sizeof *y);
    }
}

// Bristles come in the order in which contacts are begun here.
static bool gather_contacts(const Island *island, const double *state, double *y)
{
    caromSim *whole = island->all->whole;
    caromModes *modes = &whole->eval.world.modes;
    const caromModes *own = &island->sim->eval.world.modes;
    const double *z = state + carom_eval_bristles(island->sim->model);
    for (int i = 0; i < own->nactive; i++) {
        const caromTouch *touch = &own->touch[own->active[i]];
        int pair = island->part->pair[own->active[i]];
        if (!carom_modes_begin(modes, pair, touch)) return false;
        if (touch->slot < 0) continue;
        memcpy(y + carom_eval_bristles(whole->model) + CAROM_BRISTLE_STATES*modes->touch[pair].slot, z + CAROM_BRISTLE_STATES*touch->slot, CAROM_BRISTLE_STATES*sizeof *y);
    }
    return true;
}

// y gets motion and bristles of all, ledger the sum of theirs. ahead: an island that is at y_ahead already; NULL: none.
static bool gather(const Islands *all, double time, const Island *ahead, const double *y_ahead, double *y, double *ledger)
{
    for (int id = 0; id < all->whole->model->nlink; id++) {
        const Island *island = all->items[id];
        if (!island) continue;
        const double *state = island == ahead ? y_ahead : state_at(island, time);
        if (!state) return false;
        gather_motion(island, state, y);
        if (!gather_contacts(island, state, y)) return false;
        for (int k = 0; k < CAROM_LEDGER; k++) ledger[k] += state[carom_eval_ledger(&island->sim->eval) + k];
    }
    return true;
}

static void clear_modes(caromModes *modes)
{
    for (int i = 0; i < modes->nactive; i++) modes->is_active[modes->active[i]] = false;
    modes->nactive = modes->nslot = 0;
}

// All islands at one time, that their steps cover, as the state of the whole.
static caromStatus sample_at(Islands *all, double time, caromSampleKind kind, const Island *ahead, const double *y_ahead, caromError *err)
{
    caromSim *whole = all->whole;
    double *y = whole->y_work, ledger[CAROM_LEDGER] = { 0 };
    clear_modes(&whole->eval.world.modes);
    if (!gather(all, time, ahead, y_ahead, y, ledger)) return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", time);
    whole->eval.n = carom_eval_bristles(whole->model) + carom_modes_states(&whole->eval.world.modes) + CAROM_LEDGER;
    memcpy(y + carom_eval_ledger(&whole->eval), ledger, sizeof ledger);
    return carom_sim_sample(whole, time, y, kind);
}

static caromStatus grid_samples(Islands *all, double t_end, caromError *err)
{
    caromSim *whole = all->whole;
    for (;;) {
        double t = carom_sim_grid_time(whole, whole->next_grid);
        if (t > t_end || whole->next_grid < 0) return CAROM_OK;
        caromStatus status = sample_at(all, t, CAROM_SAMPLE_GRID, NULL, NULL, err);
        if (status != CAROM_OK) return status;
        whole->next_grid++;
        if (t >= whole->model->settings.until) whole->next_grid = -1;  // that was the last
    }
}

// Where many touch, a sample of all at every event would cost more than the events.
caromStatus carom_islands_sample(caromSim *sim, double time, const double *y, caromSampleKind kind)
{
    const Island *island = sim->sink.user;
    Islands *all = island->all;
    if (all->count > 1 && all->ntouching + sim->eval.world.modes.nactive - island->counted > CAROM_WATCHED_MAX) return CAROM_OK;
    caromStatus status = sample_at(all, time, kind, island, y, NULL);
    sim->energy_weight = all->whole->energy_weight;
    return status;
}

// ---- what happens

static int next_island(const Islands *all)
{
    int next = 0;
    for (int id = 1; id < all->whole->model->nlink; id++) if (all->end[id] < all->end[next]) next = id;
    return next;
}

static caromStatus keep(Islands *all, Island *island, caromError *err)
{
    island->sim->energy_weight = all->whole->energy_weight;
    island->has_trial = false;
    caromStatus status = carom_sim_keep(island->sim, &island->trial, err);
    account(all, island);
    return status;
}

static caromStatus join(Islands *all, int id, int other_id, int pair, double time, caromError *err)
{
    Island *from[2] = { all->items[id], all->items[other_id] }, *made = NULL;
    double hint = fmin(from[0]->sim->method->hint(from[0]->sim->stepper), from[1]->sim->method->hint(from[1]->sim->stepper));
    for (int k = 0; k < from[1]->sim->model->nlink; k++) all->owner[from[1]->part->link[k]] = id;
    caromStatus status = make(all, id, from, 2, true, &made, err);
    if (status != CAROM_OK) {
        destroy(made);
        return status;
    }
    all->items[other_id] = NULL;
    all->end[other_id] = INFINITY;
    all->count--;
    install(all, id, made);
    destroy(from[0]);
    destroy(from[1]);
    status = carom_sim_handle_event(made->sim, time, made->sim->y, pair_in_part(made->part, pair), err);
    if (status == CAROM_OK) status = carom_sim_sample(made->sim, time, made->sim->y, CAROM_SAMPLE_EVENT);
    return status == CAROM_OK ? carom_sim_go_on(made->sim, time, hint, err) : status;
}

static int root_of(int *tie, int i)
{
    while (tie[i] != i) i = tie[i] = tie[tie[i]];
    return i;
}

// What hangs together gets the number of its first link.
static int find_pieces(Islands *all, const Island *island)
{
    const caromModel *m = island->sim->model;
    const caromModes *modes = &island->sim->eval.world.modes;
    int count = m->nlink, *tie = all->tie;
    for (int k = 0; k < m->nlink; k++) tie[k] = k;
    for (int i = 0; i < modes->nactive; i++) {
        const int *shape = m->pairs[modes->active[i]].shape;
        int a = m->bodies[m->shapes[shape[0]].body].link, b = m->bodies[m->shapes[shape[1]].body].link;
        if (a < 0 || b < 0) continue;
        a = root_of(tie, a);
        b = root_of(tie, b);
        if (a == b) continue;
        count--;
        if (a < b) tie[b] = a;
        else tie[a] = b;
    }
    for (int k = 0; k < m->nlink; k++) tie[k] = root_of(tie, k);
    return count;
}

typedef struct Pieces {
    int count;
    int *number;              // of each, the first that of the island  [count]
    Island **made;            // NULL: not yet                          [count]
} Pieces;

// Numbers before islands: the model of a piece asks who owns what.
static bool number_pieces(Islands *all, int id, int count, Pieces *pieces)
{
    Island *island = all->items[id];
    *pieces = (Pieces){ 0, carom_alloc_array((size_t)count, sizeof *pieces->number), carom_alloc_array((size_t)count, sizeof(Island *)) };
    if (!pieces->number || !pieces->made) return false;
    for (int k = 0; k < island->sim->model->nlink; k++) {
        int first = all->tie[k], number;
        if (first == k) {
            number = pieces->count == 0 ? id : free_number(all);
            pieces->number[pieces->count++] = number;
            all->items[number] = island;  // taken
        } else {
            number = all->owner[link_in_whole(island, first)];
        }
        all->owner[link_in_whole(island, k)] = number;
    }
    return true;
}

static caromStatus make_pieces(Islands *all, Island *island, double time, Pieces *pieces, caromError *err)
{
    double hint = island->sim->method->hint(island->sim->stepper);
    for (int i = 0; i < pieces->count; i++) {
        caromStatus status = make(all, pieces->number[i], &island, 1, i == 0, &pieces->made[i], err);
        if (status == CAROM_OK) status = carom_sim_go_on(pieces->made[i]->sim, time, hint, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// The pieces take the place of the island, or, after a failure, it stays.
static void replace(Islands *all, int id, Island *island, const Pieces *pieces, bool are_good)
{
    for (int i = 0; i < pieces->count; i++) all->items[pieces->number[i]] = NULL;
    if (!are_good) {
        for (int i = 0; i < pieces->count; i++) destroy(pieces->made[i]);
        all->items[id] = island;
        return;
    }
    for (int i = 0; i < pieces->count; i++) install(all, pieces->number[i], pieces->made[i]);
    all->count += pieces->count - 1;
    destroy(island);
}

// An island falls into its pieces, if there are several; they make their next steps.
static caromStatus fall_apart(Islands *all, int id, double time, bool goes_on, caromError *err)
{
    Island *island = all->items[id];
    int count = find_pieces(all, island);
    if (count == 1 && island->part) return goes_on ? try_step(all, id, err) : CAROM_OK;
    Pieces pieces = { 0 };
    caromStatus status = number_pieces(all, id, count, &pieces) ? CAROM_OK : carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    if (status == CAROM_OK) status = make_pieces(all, island, time, &pieces, err);
    replace(all, id, island, &pieces, status == CAROM_OK);
    for (int i = 0; goes_on && i < pieces.count && status == CAROM_OK; i++) status = try_step(all, pieces.number[i], err);
    free(pieces.number);
    free(pieces.made);
    return status;
}

static caromStatus finish(Islands *all, caromError *err)
{
    caromStatus status = CAROM_OK;
    for (int id = 0; id < all->whole->model->nlink && status == CAROM_OK; id++) if (all->items[id]) status = keep(all, all->items[id], err);
    return status;
}

static caromStatus first_steps(Islands *all, caromError *err)
{
    caromStatus status = CAROM_OK;
    all->is_started = true;
    for (int id = 0; id < all->whole->model->nlink && status == CAROM_OK; id++) {
        if (!all->items[id]) continue;
        all->items[id]->sim->started = true;
        status = try_step(all, id, err);
    }
    return status;
}

caromStatus carom_islands_step(caromSim *whole, caromError *err)
{
    Islands *all = whole->islands;
    if (!all->is_started) {
        caromStatus begun = first_steps(all, err);
        if (begun != CAROM_OK) return begun;
    }
    int id = next_island(all);
    Island *island = all->items[id];
    double time = island->trial.t_end;
    int partner = island->partner, pair = island->pair;
    caromStatus status = grid_samples(all, time, err);
    whole->stats.time = time;
    if (status == CAROM_OK && time >= whole->model->settings.until) return finish(all, err);
    if (status == CAROM_OK) status = keep(all, island, err);
    if (status == CAROM_OK && partner >= 0) {
        status = keep(all, all->items[partner], err);
        if (status == CAROM_OK) status = join(all, id, partner, pair, time, err);
    }
    return status == CAROM_OK ? fall_apart(all, id, time, true, err) : status;
}

// ---- from the start to the end

static bool allocate(Islands *all, caromSim *whole)
{
    const caromModel *m = whole->model;
    size_t nlink = (size_t)m->nlink, nshape = (size_t)m->nshape;
    all->whole = whole;
    all->items = carom_alloc_array(nlink, sizeof(Island *));
    all->end = carom_alloc_array(nlink, sizeof *all->end);
    all->owner = carom_alloc_array(nlink, sizeof *all->owner);
    all->home = carom_alloc_array(nlink, sizeof(Island *));
    all->local = carom_alloc_array(nlink, sizeof *all->local);
    all->tie = carom_alloc_array(nlink, sizeof *all->tie);
    all->moving = carom_alloc_array(nshape, sizeof *all->moving);
    all->centre = carom_alloc_array(nshape, sizeof *all->centre);
    all->reach = carom_alloc_array(nshape, sizeof *all->reach);
    for (int k = 0; all->moving && k < m->nshape; k++) if (m->bodies[m->shapes[k].body].link >= 0) all->moving[all->nmoving++] = k;
    bool good = carom_plan_alloc(m, &all->plan);
    good = carom_cross_alloc(m, &all->cross) && good;
    for (int k = 0; all->end && k < m->nlink; k++) all->end[k] = INFINITY;
    return good && all->items && all->end && all->owner && all->home && all->local && all->tie && all->moving && all->centre && all->reach;
}

caromStatus carom_islands_create(caromSim *whole, caromError *err)
{
    Islands *all = whole->islands = calloc(1, sizeof *all);
    Island *start = calloc(1, sizeof *start);
    if (!start || !all || !allocate(all, whole)) {
        free(start);
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    }
    all->cross.search.margin = whole->search.margin;
    all->cross.search.hovering = whole->search.hovering;
    *start = (Island){ .all = all, .sim = whole, .pair = -1, .partner = -1 };
    for (int k = 0; k < whole->model->nlink; k++) {
        all->home[k] = start;
        all->local[k] = k;
    }
    all->items[0] = start;
    all->count = 1;
    return fall_apart(all, 0, 0.0, false, err);
}

void carom_islands_destroy(Islands *all)
{
    if (!all) return;
    for (int id = 0; all->items && id < all->whole->model->nlink; id++) destroy(all->items[id]);
    carom_plan_free(&all->plan);
    carom_cross_free(&all->cross);
    free(all->items);
    free(all->end);
    free(all->owner);
    free(all->home);
    free(all->local);
    free(all->tie);
    free(all->moving);
    free(all->centre);
    free(all->reach);
    free(all);
}
