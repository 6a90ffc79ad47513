// Which island is next, and when islands join and part (islands.h).
#include "islands/islands.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "islands/island.h"

// ---- what hangs together

static int root_of(int *tie, int i)
{
    while (tie[i] != i) i = tie[i] = tie[tie[i]];
    return i;
}

// 1 if they were not yet; -1: fixed. What time alone moves ties no more than what is fixed does.
static int tie_links(const caromModel *m, int *tie, int a, int b)
{
    if (a < 0 || b < 0 || carom_model_is_led(m->links, a) != carom_model_is_led(m->links, b)) return 0;
    a = root_of(tie, a);
    b = root_of(tie, b);
    if (a < b) tie[b] = a;
    else tie[a] = b;
    return a != b;
}

// By joints and springs; returns how many pieces there are. All that time alone moves is one.
static int tie_mechanisms(const caromModel *m, int *tie)
{
    int count = m->nlink, led = -1;
    for (int k = 0; k < m->nlink; k++) tie[k] = k;
    for (int k = 0; k < m->nlink; k++) {
        if (!carom_model_is_led(m->links, k)) continue;
        if (led >= 0) count -= tie_links(m, tie, led, k);
        led = k;
    }
    for (int k = 0; k < m->nlink; k++) count -= tie_links(m, tie, k, m->links[k].parent);
    for (int k = 0; k < m->nspring; k++) {
        const int *body = m->springs[k].body;
        if (body[0] >= 0 && body[1] >= 0) count -= tie_links(m, tie, m->bodies[body[0]].link, m->bodies[body[1]].link);
    }
    return count;
}

// And by contacts. What hangs together gets the number of its first link.
static int find_pieces(caromIslands *all, const caromIsland *island)
{
    const caromSystem *s = &island->run->system;
    const caromModel *m = s->model;
    int *tie = all->tie, count = tie_mechanisms(m, tie), ncontact = s->response->apart->count(s);
    for (int i = 0; i < ncontact; i++) {
        caromConstraint c = s->response->apart->about(s, i);
        if (c.kind != CAROM_CONSTRAINT_PAIR) continue;  // of one link
        const int *shape = m->pairs[c.index].shape;
        count -= tie_links(m, tie, m->bodies[m->shapes[shape[0]].body].link,
                           m->bodies[m->shapes[shape[1]].body].link);
    }
    for (int k = 0; k < m->nlink; k++) tie[k] = root_of(tie, k);
    for (int k = 0; k < m->nlink; k++) if (!carom_island_owns_link(island, k)) return count - 1;  // they are one
    return count;
}

// ---- what suits

static int count_mechanisms(const caromModel *m)
{
    int *tie = carom_alloc_array((size_t)m->nlink, sizeof *tie), count = tie ? tie_mechanisms(m, tie) : 0;
    free(tie);
    return count;
}

// What closes loops is solved for as one; a few mechanisms are as well off together.
bool carom_islands_suit(const caromModel *m)
{
    if (!carom_response_of(m)->apart || m->nloop > 0 || m->settings.method == CAROM_METHOD_CVODE) return false;
    for (int k = 0; k < m->nshape; k++) {
        if (m->bodies[m->shapes[k].body].link >= 0 && !carom_shape_is_bounded(m->shapes[k].shape)) return false;
    }
    return count_mechanisms(m) >= CAROM_ISLANDS_FEW;
}

static void install(caromIslands *all, int id, caromIsland *island)
{
    all->items[id] = island;
    for (int k = 0; k < island->part->model.nlink; k++) {
        int link = island->part->link[k];
        if (all->owner[link] != id) continue;
        all->home[link] = island;
        all->local[link] = k;
    }
}

static int free_number(const caromIslands *all)
{
    int id = 0;
    while (all->items[id]) id++;
    return id;
}

static double hint(const caromIsland *island)
{
    return island->run->methods.method->hint(island->run->methods.stepper);
}

// ---- what happens

static int next_island(const caromIslands *all)
{
    int next = 0;
    for (int id = 1; id < all->whole->system.model->nlink; id++) if (all->end[id] < all->end[next]) next = id;
    return next;
}

static caromStatus keep(caromIsland *island, caromError *err)
{
    carom_island_share_balance(island);
    island->has_trial = false;
    caromStatus status = carom_step_keep(island->run, &island->trial, err);
    carom_island_account(island);
    return status;
}

// A touch with another island, in the one that both have become.
static caromStatus touch(caromIsland *island, int pair, double time, double before, caromError *err)
{
    caromSystem *s = &island->run->system;
    caromOccasion event = { 0.0, CAROM_OCCASION_CONSTRAINT,
                            carom_model_constraint_of_pair(carom_island_pair_in_part(island->part, pair)) };
    caromStatus status = s->response->at_event(s, time, &event, err);
    if (status == CAROM_OK) status = carom_step_sample(island->run, time, s->y, CAROM_SAMPLE_EVENT, err);
    return status == CAROM_OK ? carom_step_go_on(island->run, time, before, err) : status;
}

// The islands of the cluster become one, the first of them; they are at the same time.
static caromStatus join(caromIslands *all, int pair, double time, caromError *err)
{
    int id = all->cluster[0], n = all->ncluster;
    caromIsland **from = carom_alloc_array((size_t)n, sizeof(caromIsland *)), *made = NULL;
    if (!from) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    double before = INFINITY;
    for (int i = 0; i < n; i++) {
        from[i] = all->items[all->cluster[i]];
        before = fmin(before, hint(from[i]));
        for (int k = 0; k < from[i]->part->model.nlink; k++)
            if (carom_island_owns_link(from[i], k)) all->owner[from[i]->part->link[k]] = id;
    }
    caromStatus status = carom_island_make(all, id, &(caromIslandOrigin){ from, n, true }, &made, err);
    if (status == CAROM_OK) {
        for (int i = 1; i < n; i++) {
            all->items[all->cluster[i]] = NULL;
            all->end[all->cluster[i]] = INFINITY;
        }
        all->count -= n - 1;
        install(all, id, made);
        for (int i = 0; i < n; i++) carom_island_destroy(from[i]);
        status = touch(made, pair, time, before, err);
    } else {
        carom_island_destroy(made);
    }
    free(from);
    return status;
}

// ---- falling apart

typedef struct IslandPieces {
    int count;
    int *number;              // of each, the first that of the island  [count]
    caromIsland **made;       // NULL: not yet                          [count]
} IslandPieces;

// Numbers before islands: the model of a piece asks who owns what.
static bool number_pieces(caromIslands *all, int id, int count, IslandPieces *pieces)
{
    caromIsland *island = all->items[id];
    *pieces = (IslandPieces){ 0, carom_alloc_array((size_t)count, sizeof *pieces->number),
                              carom_alloc_array((size_t)count, sizeof(caromIsland *)) };
    if (!pieces->number || !pieces->made) return false;
    for (int k = 0; k < island->run->system.model->nlink; k++) {
        int first = all->tie[k], number;
        if (!carom_island_owns_link(island, k)) continue;
        if (first == k) {
            number = pieces->count == 0 ? id : free_number(all);
            pieces->number[pieces->count++] = number;
            all->items[number] = island;  // taken
        } else {
            number = all->owner[carom_island_link_in_whole(island, first)];
        }
        all->owner[carom_island_link_in_whole(island, k)] = number;
    }
    return true;
}

static caromStatus make_pieces(caromIslands *all, caromIsland *island, double time, IslandPieces *pieces,
                               caromError *err)
{
    double before = hint(island);
    for (int i = 0; i < pieces->count; i++) {
        caromIslandOrigin origin = { &island, 1, i == 0 };
        caromStatus status = carom_island_make(all, pieces->number[i], &origin, &pieces->made[i], err);
        if (status == CAROM_OK) status = carom_step_go_on(pieces->made[i]->run, time, before, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// The pieces take the place of the island, or, after a failure, it stays.
static void replace(caromIslands *all, int id, caromIsland *island, const IslandPieces *pieces, bool are_good)
{
    for (int i = 0; i < pieces->count; i++) all->items[pieces->number[i]] = NULL;
    if (!are_good) {
        for (int i = 0; i < pieces->count; i++) carom_island_destroy(pieces->made[i]);
        all->items[id] = island;
        return;
    }
    for (int i = 0; i < pieces->count; i++) install(all, pieces->number[i], pieces->made[i]);
    all->count += pieces->count - 1;
    carom_island_destroy(island);
}

// An island falls into its pieces, if there are several; they make their next steps.
static caromStatus fall_apart(caromIslands *all, int id, double time, bool goes_on, caromError *err)
{
    caromIsland *island = all->items[id];
    int count = find_pieces(all, island);
    if (count == 1 && island->part) return goes_on ? carom_island_try(all, id, err) : CAROM_OK;
    IslandPieces pieces = { 0 };
    bool good = number_pieces(all, id, count, &pieces);
    caromStatus status = good ? make_pieces(all, island, time, &pieces, err)
                              : carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    replace(all, id, island, &pieces, status == CAROM_OK);
    for (int i = 0; goes_on && i < pieces.count && status == CAROM_OK; i++)
        status = carom_island_try(all, pieces.number[i], err);
    free(pieces.number);
    free(pieces.made);
    return status;
}

// ---- steps

static caromStatus finish(caromIslands *all, caromError *err)
{
    caromStatus status = CAROM_OK;
    for (int id = 0; id < all->whole->system.model->nlink && status == CAROM_OK; id++) {
        if (all->items[id]) status = keep(all->items[id], err);
    }
    return status;
}

static caromStatus first_steps(caromIslands *all, caromError *err)
{
    caromStatus status = CAROM_OK;
    all->is_started = true;
    for (int id = 0; id < all->whole->system.model->nlink && status == CAROM_OK; id++) {
        if (!all->items[id]) continue;
        all->items[id]->run->system.has_started = true;
        status = carom_island_try(all, id, err);
    }
    return status;
}

// The pair of the whole whose touch ends the step; -1: none does.
static int touched_pair(const caromIsland *island)
{
    const caromOccasion *event = &island->trial.event;
    bool is_own = event->theta <= 1.0 && event->kind == CAROM_OCCASION_CONSTRAINT &&
                  event->about.kind == CAROM_CONSTRAINT_PAIR;
    return is_own ? carom_island_pair_in_whole(island, event->about.index) : island->pair;
}

// Its step, with what happens at the end of it, to itself or with others.
static caromStatus carry_out(caromIslands *all, int id, double time, caromError *err)
{
    int pair = touched_pair(all->items[id]);
    all->ncluster = 1;
    caromStatus status = pair >= 0 ? carom_island_find_cluster(all, id, time) : CAROM_OK;
    if (status != CAROM_OK) return carom_step_cannot_search(time, status, err);
    if (all->ncluster == 1) return keep(all->items[id], err);
    for (int i = 0; i < all->ncluster && status == CAROM_OK; i++) {
        caromIsland *island = all->items[all->cluster[i]];
        carom_island_stop(all, island, time);
        status = keep(island, err);
    }
    return status == CAROM_OK ? join(all, pair, time, err) : status;
}

// Where others end a step inside of which the method knows little, it is made again up to there.
static bool is_to_be_cut(const caromIsland *island)
{
    return island->trial.event.kind == CAROM_OCCASION_STOP && carom_step_ends_inside(island->run, &island->trial);
}

static caromStatus cut(caromIslands *all, int id, caromError *err)
{
    caromIsland *island = all->items[id];
    carom_island_stop(all, island, island->trial.t_end);
    caromStatus status = carom_step_cut(island->run, &island->trial, err);
    return status == CAROM_OK ? carom_island_try(all, id, err) : status;
}

caromStatus carom_islands_step(caromIslands *all, caromError *err)
{
    caromStatus status = all->is_started ? CAROM_OK : first_steps(all, err);
    if (status != CAROM_OK) return status;
    int id = next_island(all);
    int partner = all->items[id]->partner;
    if (is_to_be_cut(all->items[id])) return cut(all, id, err);
    if (partner >= 0 && is_to_be_cut(all->items[partner])) return cut(all, partner, err);
    double time = all->items[id]->trial.t_end;
    status = carom_island_grid_samples(all, time, err);
    all->whole->system.stats.time = time;
    if (status == CAROM_OK && time >= all->whole->system.model->settings.until) return finish(all, err);
    if (status == CAROM_OK) status = carry_out(all, id, time, err);
    return status == CAROM_OK ? fall_apart(all, id, time, true, err) : status;
}

// ---- from the start to the end

static bool allocate(caromIslands *all, caromRun *whole)
{
    const caromModel *m = whole->system.model;
    size_t nlink = (size_t)m->nlink, nshape = (size_t)m->nshape;
    all->whole = whole;
    all->items = carom_alloc_array(nlink, sizeof(caromIsland *));
    all->end = carom_alloc_array(nlink, sizeof *all->end);
    all->owner = carom_alloc_array(nlink, sizeof *all->owner);
    all->home = carom_alloc_array(nlink, sizeof(caromIsland *));
    all->local = carom_alloc_array(nlink, sizeof *all->local);
    all->tie = carom_alloc_array(nlink, sizeof *all->tie);
    all->cluster = carom_alloc_array(nlink, sizeof *all->cluster);
    all->moving = carom_alloc_array(nshape, sizeof *all->moving);
    all->centre = carom_alloc_array(nshape, sizeof *all->centre);
    all->reach = carom_alloc_array(nshape, sizeof *all->reach);
    all->track = carom_alloc_array(nlink, sizeof *all->track);
    bool good = carom_island_plan_alloc(m, &all->plan);
    good = carom_island_cross_alloc(m, &all->cross) && good;
    return good && all->items && all->end && all->owner && all->home && all->local && all->tie && all->cluster &&
           all->moving && all->centre && all->reach && all->track;
}

static void fill(caromIslands *all, caromIsland *start)
{
    const caromSystem *whole = &all->whole->system;
    const caromModel *m = whole->model;
    for (int k = 0; k < m->nshape; k++) if (carom_island_meets(m, k)) all->moving[all->nmoving++] = k;
    for (int k = 0; k < m->nlink; k++) {
        all->end[k] = INFINITY;
        all->home[k] = start;
        all->local[k] = k;
    }
    all->cross.search.margin = whole->search.margin;
    all->cross.search.hovering = whole->search.hovering;
    all->cross.search.slow = whole->search.slow;
    all->items[0] = start;
    all->count = 1;
}

caromStatus carom_islands_create(caromRun *whole, caromIslands **islands, caromError *err)
{
    caromIslands *all = *islands = calloc(1, sizeof *all);
    caromIsland *start = calloc(1, sizeof *start);
    if (!start || !all || !allocate(all, whole)) {
        free(start);
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    }
    *start = (caromIsland){ .all = all, .run = whole, .pair = -1, .partner = -1 };
    fill(all, start);
    if (whole->system.response->apart->lists_own) {
        whole->lister = carom_island_list_contacts;
        whole->lister_user = all;
    }
    return fall_apart(all, 0, 0.0, false, err);
}

void carom_islands_destroy(caromIslands *all)
{
    if (!all) return;
    for (int id = 0; all->items && id < all->whole->system.model->nlink; id++) carom_island_destroy(all->items[id]);
    carom_island_plan_free(&all->plan);
    carom_island_cross_free(&all->cross);
    free(all->items);
    free(all->end);
    free(all->owner);
    free(all->home);
    free(all->local);
    free(all->tie);
    free(all->cluster);
    free(all->moving);
    free(all->centre);
    free(all->reach);
    free(all->track);
    free(all);
}
