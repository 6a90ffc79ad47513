// Samples of all islands at one time, that their steps cover, as the state of the whole.
#include <math.h>
#include <string.h>

#include "islands/island.h"

typedef struct Ahead {         // an island that is at a state behind its step already; NULL: none
    const caromIsland *island;
    const double *y;
} Ahead;

// State of an island within its step; NULL: it cannot be interpolated.
static const double *state_at(const caromIsland *island, double time)
{
    caromRun *run = island->run;
    caromSystem *s = &run->system;
    if (!(time > s->t_step)) return s->y;
    if (carom_step_state_at(run, time, island->trial.h, run->y_work) != CAROM_OK) return NULL;
    if (s->response->amend_sample) s->response->amend_sample(s, time, run->y_work);
    return run->y_work;
}

static void gather_motion(const caromIsland *island, const double *state, double *y)
{
    const caromModel *whole = island->all->whole->system.model, *m = island->run->system.model;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *from = &m->links[k], *to = &whole->links[island->part->link[k]];
        if (to->iv < 0) continue;
        memcpy(y + to->iq, state + from->iq, (size_t)to->nq*sizeof *y);
        memcpy(y + whole->nq + to->iv, state + m->nq + from->iv, (size_t)to->nv*sizeof *y);
    }
}

// Bristles come in the order in which contacts are begun here.
static bool gather_contacts(const caromIsland *island, const double *state, double *y)
{
    caromSystem *whole = &island->all->whole->system;
    caromContactMemory *memory = &whole->world.memory;
    const caromContactMemory *own = &island->run->system.world.memory;
    const double *z = state + carom_motion_bristles(island->run->system.model);
    double *z_whole = y + carom_motion_bristles(whole->model);
    for (int i = 0; i < own->nactive; i++) {
        const caromTouch *touch = &own->touch[own->active[i]];
        int pair = island->part->pair[own->active[i]];
        if (!carom_contact_memory_begin(memory, pair, touch)) return false;
        if (touch->slot < 0) continue;
        memcpy(z_whole + CAROM_BRISTLE_STATES*memory->touch[pair].slot, z + CAROM_BRISTLE_STATES*touch->slot,
               CAROM_BRISTLE_STATES*sizeof *y);
    }
    return true;
}

static void gather_limits(const caromIsland *island)
{
    caromContactMemory *memory = &island->all->whole->system.world.memory;
    const caromContactMemory *own = &island->run->system.world.memory;
    for (int i = 0; i < island->run->system.model->nlimit; i++) {
        int limit = island->part->limit[i];
        memory->limit_is_active[limit] = own->limit_is_active[i];
        if (own->limit_is_active[i]) memory->limit_touch[limit] = own->limit_touch[i];
    }
}

// y gets motion and bristles of all, ledger the sum of theirs.
static bool gather(const caromIslands *all, double time, const Ahead *ahead, double *y, double *ledger)
{
    for (int id = 0; id < all->whole->system.model->nlink; id++) {
        caromIsland *island = all->items[id];
        if (!island) continue;
        const double *state = island->shown = island == ahead->island ? ahead->y : state_at(island, time);
        if (!state) return false;
        gather_motion(island, state, y);
        if (!gather_contacts(island, state, y)) return false;
        gather_limits(island);
        for (int k = 0; k < CAROM_LEDGER; k++) ledger[k] += state[carom_motion_ledger(island->run->system.n) + k];
    }
    return true;
}

static void clear_memory(caromContactMemory *memory)
{
    for (int i = 0; i < memory->nactive; i++) memory->is_active[memory->active[i]] = false;
    memory->nactive = memory->nslot = 0;
}

static caromStatus sample_at(caromIslands *all, double time, caromSampleKind kind, const Ahead *ahead, caromError *err)
{
    caromRun *whole = all->whole;
    caromSystem *s = &whole->system;
    double *y = whole->y_work, ledger[CAROM_LEDGER] = { 0 };
    clear_memory(&s->world.memory);
    if (!gather(all, time, ahead, y, ledger)) return carom_step_cannot_interpolate(time, err);
    s->n = carom_motion_states(s->model, &s->world.memory);
    memcpy(y + carom_motion_ledger(s->n), ledger, sizeof ledger);
    return carom_step_sample(whole, time, y, kind, err);
}

// By pair, as the whole numbers them.
static void insert(caromContact *list, int n, caromContact contact)
{
    for (; n > 0 && list[n - 1].pair > contact.pair; n--) list[n] = list[n - 1];
    list[n] = contact;
}

int carom_island_list_contacts(void *user, double time, caromContact *list)
{
    const caromIslands *all = user;
    int n = 0;
    for (int id = 0; id < all->whole->system.model->nlink; id++) {
        const caromIsland *island = all->items[id];
        if (!island) continue;
        caromSystem *s = &island->run->system;
        caromInstant at = { time, island->shown, s->n };
        caromContact *own = island->run->sampling.contacts;
        carom_kin_update(s->model, time, at.y, at.y + s->model->nq, &island->run->sampling.kin);
        int count = s->response->sample(s, &at, &island->run->sampling.kin, own);
        for (int i = 0; i < count; i++) {
            own[i].pair = carom_island_pair_in_whole(island, own[i].pair);
            insert(list, n++, own[i]);
        }
    }
    return n;
}

caromStatus carom_island_grid_samples(caromIslands *all, double t_end, caromError *err)
{
    caromRun *whole = all->whole;
    const Ahead nobody = { NULL, NULL };
    for (;;) {
        double t = carom_step_grid_time(whole, whole->next_grid);
        if (t > t_end || whole->next_grid < 0) return CAROM_OK;
        caromStatus status = sample_at(all, t, CAROM_SAMPLE_GRID, &nobody, err);
        if (status != CAROM_OK) return status;
        whole->next_grid++;
        if (t >= whole->system.model->settings.until) whole->next_grid = -1;  // that was the last
    }
}

// Where many touch, a sample of all at every event would cost more than the events.
caromStatus carom_island_sample(void *user, double time, const double *y, caromSampleKind kind, caromError *err)
{
    const caromIsland *island = user;
    caromIslands *all = island->all;
    caromSystem *s = &island->run->system;
    int touching = all->ntouching + s->response->apart->count(s) - island->counted;
    if (all->count > 1 && touching > CAROM_WATCHED_MAX) return CAROM_OK;
    const Ahead ahead = { island, y };
    caromStatus status = sample_at(all, time, kind, &ahead, err);
    carom_island_share_balance(island);
    return status;
}
