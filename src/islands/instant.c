// Islands that touch at one instant. Where touches of a gap that counts as none are decided together (a ball that is
// hit by two others at once), those that are so near to bodies of an island when something touches it are part of it.
#include <math.h>

#include "islands/island.h"

static bool is_member(const caromIslands *all, int id)
{
    for (int i = 0; i < all->ncluster; i++) if (all->cluster[i] == id) return true;
    return false;
}

static bool may_join(const caromIslands *all, int id)
{
    return all->items[id] && all->items[id]->has_trial && !is_member(all, id);
}

static caromStatus look_at(caromIslands *all, int shape, int with, double time, double within)
{
    const caromModel *m = all->whole->system.model;
    double near = all->reach[shape] + all->reach[with] + within, gap;
    int other = all->owner[m->bodies[m->shapes[with].body].link],
        pair = carom_island_plan_pair(&all->plan, shape, with);
    if (pair < 0 || !may_join(all, other)) return CAROM_OK;
    if (carom_norm2(carom_sub(all->centre[with], all->centre[shape])) > near*near) return CAROM_OK;
    caromIslandSide side[2];
    carom_island_sides(all, pair, side);
    caromStatus status = carom_island_cross_gap(&all->cross, side, pair, time, &gap);
    if (status == CAROM_OK && gap <= within) all->cluster[all->ncluster++] = other;
    return status;
}

static caromStatus add_neighbours(caromIslands *all, const caromIsland *island, double time, double within)
{
    const caromModel *part = island->run->system.model;
    for (int k = 0; k < part->nshape; k++) {
        if (!carom_island_meets(part, k)) continue;
        for (int i = 0; i < all->nmoving; i++) {
            caromStatus status = look_at(all, island->part->shape[k], all->moving[i], time, within);
            if (status != CAROM_OK) return status;
        }
    }
    return CAROM_OK;
}

caromStatus carom_island_find_cluster(caromIslands *all, int id, double time)
{
    const caromSystem *s = &all->whole->system;
    all->cluster[0] = id;
    all->ncluster = 1;
    if (all->items[id]->partner >= 0) all->cluster[all->ncluster++] = all->items[id]->partner;
    for (int i = 0; s->response->apart->instant_gap && i < all->ncluster; i++) {
        caromStatus status = add_neighbours(all, all->items[all->cluster[i]], time, s->response->apart->instant_gap(s));
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}
