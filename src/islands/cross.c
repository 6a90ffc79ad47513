// Touches between two islands: the search of events/search.h, on the dense outputs of two steps at once.
#include <stdlib.h>

#include "base/base.h"
#include "islands/island.h"

static double part_of_step(const caromIslandSide *s, double time)
{
    return s->h > 0.0 ? fmax(0.0, fmin(1.0, (time - s->run->system.t_step)/s->h)) : 0.0;
}

// Coordinates and speeds of a link of the island, where the whole has them.
static caromStatus interpolate_link(const caromModel *whole, const caromIslandSide *s, double part, int link, int to,
                                    double *y)
{
    const caromModel *m = s->run->system.model;
    const caromLink *from = &m->links[link], *at = &whole->links[to];
    const caromMethods *methods = &s->run->methods;
    if (from->iv < 0) return CAROM_OK;
    caromStatus status = methods->method->interpolate_some(methods->stepper, part, from->iq, from->nq, y + at->iq);
    if (status != CAROM_OK) return status;
    return methods->method->interpolate_some(methods->stepper, part, m->nq + from->iv, from->nv,
                                             y + whole->nq + at->iv);
}

static caromStatus interpolate(caromStepper *stepper, double theta, double *y, double *dydtau)
{
    const caromIslandCross *c = (const caromIslandCross *)(void *)stepper;
    double time = c->search.t0 + theta*c->search.h;
    (void)dydtau;
    for (int i = 0; i < 2; i++) {
        const caromIslandSide *s = &c->side[i];
        double part = part_of_step(s, time);
        for (int link = s->link, to = s->whole_link; link >= 0; link = s->run->system.model->links[link].parent) {
            caromStatus status = interpolate_link(c->whole, s, part, link, to, y);
            if (status != CAROM_OK) return status;
            to = c->whole->links[to].parent;
        }
    }
    return CAROM_OK;
}

static const caromMethod both = { .name = "both", .interpolate = interpolate };

static void load(void *user, int slot, double time, const double *y)
{
    caromIslandCross *c = user;
    for (int i = 0; i < 2; i++)
        carom_kin_update_branch(c->whole, c->side[i].whole_link, time, y, y + c->whole->nq, &c->kin[slot]);
}

static double gap(void *user, int slot, caromConstraint pair, double *rate)
{
    const caromIslandCross *c = user;
    return carom_world_gap_at(c->whole, &c->kin[slot], pair.index, rate).g;
}

static double clear_time(void *user, int slot, caromConstraint pair, double dt, double margin)
{
    const caromIslandCross *c = user;
    return carom_sweep_clear_time(c->whole, &c->kin[slot], c->bounds, pair.index, dt, margin);
}

bool carom_island_cross_alloc(const caromModel *whole, caromIslandCross *c)
{
    c->whole = whole;
    c->guard = (caromGuard){ c, load, gap, clear_time };
    c->search.guard = &c->guard;
    c->search.method = &both;
    c->search.stepper = (caromStepper *)(void *)c;
    c->bounds = carom_alloc_array((size_t)whole->nbody, sizeof *c->bounds);
    c->search.y = carom_alloc_array((size_t)(whole->nq + whole->nv), sizeof *c->search.y);
    bool good = c->bounds && c->search.y;
    for (int i = 0; i < CAROM_SLOTS; i++) good = carom_kin_alloc(whole, &c->kin[i]) && good;
    return good;
}

void carom_island_cross_free(caromIslandCross *c)
{
    for (int i = 0; i < CAROM_SLOTS; i++) carom_kin_free(&c->kin[i]);
    free(c->bounds);
    free(c->search.y);
    *c = (caromIslandCross){ 0 };
}

static void set_sides(caromIslandCross *c, const caromIslandSide side[2], double t0, double h)
{
    for (int i = 0; i < 2; i++) {
        c->side[i] = side[i];
        c->bounds[c->whole->links[side[i].whole_link].body] =
            side[i].run->system.guard.bounds[side[i].run->system.model->links[side[i].link].body];
    }
    c->search.t0 = t0;
    c->search.h = h;
}

caromStatus carom_island_cross_gap(caromIslandCross *c, const caromIslandSide side[2], int pair, double time,
                                   double *g)
{
    double rate;
    set_sides(c, side, time, 0.0);
    caromStatus status = interpolate(c->search.stepper, 0.0, c->search.y, NULL);
    if (status != CAROM_OK) return status;
    load(c, CAROM_SLOT_START, time, c->search.y);
    *g = gap(c, CAROM_SLOT_START, carom_model_constraint_of_pair(pair), &rate);
    return CAROM_OK;
}

caromStatus carom_island_cross_touch(caromIslandCross *c, const caromIslandSide side[2], int pair, double t0, double t1,
                                     double *time)
{
    *time = INFINITY;
    set_sides(c, side, t0, t1 - t0);
    caromStatus status = interpolate(c->search.stepper, 0.0, c->search.y, NULL);
    if (status != CAROM_OK) return status;
    c->search.status = CAROM_OK;
    load(c, CAROM_SLOT_START, t0, c->search.y);
    double theta = carom_search_touch(&c->search, carom_model_constraint_of_pair(pair), 1.0);
    if (theta <= 1.0) *time = theta < 1.0 ? t0 + theta*(t1 - t0) : t1;
    return c->search.status;
}
