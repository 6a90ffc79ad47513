#include "integrate/rigid.h"

#include <float.h>
#include <string.h>

#include "base/base.h"

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

// A thousandth of what the integration may be off: of positions by the tolerance times the size of a body, of speeds by it times what gravity gives over that size. Positions of
// 1 m are known to 1e-16 m: tolerances below 1e-12 would ask for less.
static double pace_of_motions(const caromModel *m)
{
    double pace = INFINITY;
    for (int i = 0; i < m->nlink; i++) if (m->links[i].motion) pace = fmin(pace, carom_function_pace(m->links[i].motion));
    return pace;
}

static void set_scales(caromRigid *r)
{
    const caromSettings *s = &r->model->settings;
    double g = carom_norm(s->gravity), part = fmax(1e-3*s->tolerance, 1e-14);
    r->size = smallest_body(r->model);
    r->pace = pace_of_motions(r->model);
    r->gap_tol = part*r->size;
    r->v_tol = part*fmax(sqrt(g*r->size), 1e-3*r->size);
    r->v_rest = r->v_tol;
    r->slip_tol = fmax(s->tolerance, 1e-11)*fmax(sqrt(g*r->size), 1e-3*r->size);
    r->hop = part*r->size;
    r->force = weight(r->model);
}

caromRigid *carom_rigid_create(const caromModel *model)
{
    caromRigid *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->model = model;
    r->is_sharp = model->settings.friction_law == CAROM_FRICTION_BRISTLE;
    r->last_time = -1.0;
    set_scales(r);
    r->reactions = carom_alloc_array((size_t)model->nlink, sizeof *r->reactions);
    r->joint_impulses = carom_alloc_array((size_t)model->njoint, sizeof *r->joint_impulses);
    r->speeds = carom_alloc_array((size_t)model->nv, sizeof *r->speeds);
    r->rest = carom_alloc_array((size_t)(model->nq + model->nv), sizeof *r->rest);
    r->decay = carom_alloc_array((size_t)(model->npair + model->nlimit), sizeof *r->decay);
    if (r->decay && r->reactions && r->joint_impulses && r->speeds && r->rest && carom_rigid_reserve(r, 16)) return r;
    carom_rigid_destroy(r);
    return NULL;
}

// Hops that rounding blurs are not looked at one by one.
void carom_rigid_set_rounding(caromRigid *r, double margin)
{
    r->least_hop = 1e3*margin;
    r->hop = fmax(r->hop, r->least_hop);
    r->gap_tol = fmax(r->gap_tol, r->hop);
}

void carom_rigid_destroy(caromRigid *r)
{
    if (!r) return;
    free(r->decay);
    free(r->contacts);
    free(r->slip);
    free(r->found);
    free(r->before);
    free(r->blows);
    free(r->outcomes);
    free(r->v);
    free(r->reactions);
    free(r->joint_impulses);
    free(r->speeds);
    free(r->rest);
    carom_impact_free(r->impact);
    carom_space_free(&r->space);
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
    size_t used = (size_t)r->room, room = used > 0 ? used : 16;
    while (room < (size_t)n) room *= 2;
    bool good = true;
    r->contacts = widened(r->contacts, used, room, sizeof *r->contacts, &good);
    r->slip = widened(r->slip, used, room, sizeof *r->slip, &good);
    r->found = widened(r->found, used, room, sizeof *r->found, &good);
    r->before = widened(r->before, used, room, sizeof *r->before, &good);
    r->blows = widened(r->blows, used, room, sizeof *r->blows, &good);
    r->outcomes = widened(r->outcomes, used, room, sizeof *r->outcomes, &good);
    r->v = widened(r->v, 3*used, 3*room, sizeof *r->v, &good);
    caromImpactWork *impact = good ? carom_impact_alloc((int)room) : NULL;
    if (!impact) return false;
    carom_impact_free(r->impact);
    r->impact = impact;
    if (!carom_space_reserve(r->model, &r->space, (int)room)) return false;
    r->room = (int)room;
    return true;
}

bool carom_rigid_is_first(const caromRigid *r, int i)
{
    for (int k = 0; k < i; k++) if (r->contacts[k].what == r->contacts[i].what) return false;
    return r->contacts[i].what < r->model->npair;
}

bool carom_rigid_has_pair(const caromRigid *r, int pair)
{
    for (int i = 0; i < r->n; i++) if (r->contacts[i].what == pair) return true;
    return false;
}

int carom_rigid_point_of_pair(const caromRigid *r, int i)
{
    int before = 0;
    for (int k = 0; k < i; k++) before += r->found[k].what == r->found[i].what;
    return before;
}

double carom_rigid_next_landing(const caromRigid *r)
{
    double next = INFINITY;
    for (int i = 0; i < r->n; i++) if (carom_point_lands(&r->contacts[i])) next = fmin(next, r->contacts[i].lands);
    return next;
}
