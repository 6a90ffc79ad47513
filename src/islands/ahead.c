// The step ahead of an island, and the touches with others that end it.
#include <math.h>

#include "base/base.h"
#include "islands/island.h"

static bool has_own_event(const caromIsland *island)
{
    return island->trial.event.theta <= 1.0 && island->trial.event.kind != CAROM_OCCASION_STOP;
}

static void end_step(caromIsland *island, double time)
{
    caromTrial *t = &island->trial;
    double theta = t->h > 0.0 ? (time - island->run->system.t_step)/t->h : 0.0;
    t->event = (caromOccasion){ .theta = fmax(0.0, fmin(theta, 1.0)), .kind = CAROM_OCCASION_STOP };
    t->t_end = island->all->end[island->id] = time;
}

static void forget_partner(caromIslands *all, caromIsland *island)
{
    if (island->partner < 0) return;
    caromIsland *other = all->items[island->partner];
    other->pair = other->partner = -1;  // its step ends there all the same
    island->pair = island->partner = -1;
}

void carom_island_stop(caromIslands *all, caromIsland *island, double time)
{
    forget_partner(all, island);
    end_step(island, time);
}

typedef struct Meeting {  // of two islands
    double time;
    int pair, other;
} Meeting;

// Two islands meet. Where something else happens to the other at this very instant, that comes first; this touch is
// found again behind it.
static void meet(caromIslands *all, int id, const Meeting *at)
{
    caromIsland *island = all->items[id], *other = all->items[at->other];
    if (at->time >= island->trial.t_end && has_own_event(island)) return;
    bool is_late = at->time >= other->trial.t_end && (has_own_event(other) || other->partner >= 0);
    end_step(island, at->time);
    if (is_late) return;
    carom_island_stop(all, other, at->time);
    island->pair = other->pair = at->pair;
    island->partner = at->other;
    other->partner = id;
}

// Where the shapes of the island stay during its step.
static void sweep(caromIslands *all, const caromIsland *island)
{
    const caromModelGuard *g = &island->run->system.guard;
    const caromModel *m = island->run->system.model;
    double margin = all->whole->system.search.margin;
    for (int k = 0; k < m->nshape; k++) {
        const caromModelShape *s = &m->shapes[k];
        if (!carom_island_meets(m, k)) continue;
        caromVec3 p = g->kin[CAROM_SLOT_START].X_WS[k].p;
        int shape = island->part->shape[k];
        all->centre[shape] = p;
        all->reach[shape] = CAROM_EVENTS_ROUNDED_UP*(s->radius + s->shell + carom_guard_stray(g, s->body, p)) + margin;
    }
}

static caromStatus find_tracks(caromIslands *all, caromIsland *island)
{
    if (island->has_tracks) return CAROM_OK;
    caromStatus status = carom_guard_bound_motion(&island->run->system.guard, &island->run->system.search);
    if (status != CAROM_OK) return status;
    carom_island_track(all, island);
    island->has_tracks = true;
    return CAROM_OK;
}

void carom_island_sides(const caromIslands *all, int pair, caromIslandSide side[2])
{
    const caromModel *m = all->whole->system.model;
    for (int i = 0; i < 2; i++) {
        int link = m->bodies[m->shapes[m->pairs[pair].shape[i]].body].link;
        const caromIsland *home = all->home[link];
        side[i] = (caromIslandSide){ home->run, all->local[link], link, home->trial.h };
    }
}

static const caromIslandTrack *track_of(const caromIslands *all, int shape)
{
    const caromModel *m = all->whole->system.model;
    return &all->track[m->bodies[m->shapes[shape].body].link];
}

static bool pass_far(const caromIslands *all, int shape, int with, double t1)
{
    const caromSystem *s = &all->whole->system;
    return carom_island_pass_far(track_of(all, shape), track_of(all, with), s->model->settings.gravity, t1,
                                 s->search.margin);
}

static caromStatus look_at(caromIslands *all, int id, int shape, int with, Meeting *first)
{
    const caromModel *m = all->whole->system.model;
    int other_id = all->owner[m->bodies[m->shapes[with].body].link];
    if (other_id == id || !all->items[other_id] || !all->items[other_id]->has_trial) return CAROM_OK;
    caromIsland *island = all->items[id], *other = all->items[other_id];
    double t0 = fmax(island->run->system.t_step, other->run->system.t_step),
           t1 = fmin(fmin(island->trial.t_end, other->trial.t_end), first->time), time;
    if (!(t1 > t0)) return CAROM_OK;  // nothing in common yet
    caromStatus status = find_tracks(all, island);
    if (status == CAROM_OK) status = find_tracks(all, other);
    if (status != CAROM_OK || pass_far(all, shape, with, t1)) return status;
    int pair = carom_island_plan_pair(&all->plan, shape, with);
    if (pair < 0) return CAROM_OK;
    caromIslandSide side[2];
    carom_island_sides(all, pair, side);
    status = carom_island_cross_touch(&all->cross, side, pair, t0, t1, &time);
    bool is_first = time < first->time || (time == first->time && isfinite(time) && pair < first->pair);
    if (is_first) *first = (Meeting){ time, pair, other_id };
    return status;
}

// Touches of one shape of the whole with those of other islands.
static caromStatus search_shape(caromIslands *all, int id, int shape, Meeting *first)
{
    for (int i = 0; i < all->nmoving; i++) {
        int with = all->moving[i];
        double near = all->reach[shape] + all->reach[with];
        if (carom_norm2(carom_sub(all->centre[with], all->centre[shape])) > near*near) continue;
        caromStatus status = look_at(all, id, shape, with, first);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Touches between bodies of the island and others, within the time that the steps of both cover.
static caromStatus search_across(caromIslands *all, int id)
{
    const caromIsland *island = all->items[id];
    const caromModel *part = island->run->system.model;
    Meeting first = { INFINITY, -1, -1 };
    for (int k = 0; k < part->nshape; k++) {
        if (!carom_island_meets(part, k)) continue;
        caromStatus status = search_shape(all, id, island->part->shape[k], &first);
        if (status != CAROM_OK) return status;
    }
    if (first.pair >= 0) meet(all, id, &first);
    return CAROM_OK;
}

caromStatus carom_island_try(caromIslands *all, int id, caromError *err)
{
    caromIsland *island = all->items[id];
    island->pair = island->partner = -1;
    caromStatus status = carom_step_try(island->run, &island->trial, err);
    carom_island_account(island);
    if (status != CAROM_OK) return status;
    island->has_trial = true;
    island->has_tracks = false;
    all->end[id] = island->trial.t_end;
    sweep(all, island);
    status = search_across(all, id);
    return status == CAROM_OK ? CAROM_OK : carom_step_cannot_search(island->run->system.t_step, status, err);
}
