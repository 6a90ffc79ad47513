// Everything that touches at an event: points that did, those that have come down, joints at their limits.
#include "integrate/sim.h"

static bool same_point(const caromContactPoint *a, int what, const int feature[2])
{
    return a->what == what && a->feature[0] == feature[0] && a->feature[1] == feature[1];
}

static const caromContactPoint *find(const caromContactPoint *list, int n, int what, const int feature[2])
{
    for (int i = 0; i < n; i++) if (same_point(&list[i], what, feature)) return &list[i];
    return NULL;
}

typedef struct Found {
    caromSim *sim;
    const caromKin *kin;
    int n;             // in rigid->found
    bool has_failed;   // out of memory
} Found;

static void add(Found *f, int what, const int feature[2])
{
    caromRigid *r = f->sim->eval.rigid;
    if (find(r->found, f->n, what, feature)) return;
    if (!carom_rigid_reserve(r, f->n + 1)) {
        f->has_failed = true;
        return;
    }
    const caromContactPoint *before = find(r->contacts, r->n, what, feature);
    r->found[f->n++] = before ? *before : (caromContactPoint){ .what = what, .feature = { feature[0], feature[1] }, .mode = CAROM_MODE_FLIGHT, .lands = NAN };
}

// must: there is a touch, even if the nearest point is a little farther than that: what is held elsewhere was just brought back, and has moved the bodies. An edge that touches does so with
// both its ends then.
static void add_points(Found *f, int pair, bool must)
{
    const caromRigid *r = f->sim->eval.rigid;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int n = carom_collide_touch_points(f->sim->model, f->kin, pair, INFINITY, points);
    double nearest = INFINITY;
    for (int i = 0; i < n; i++) nearest = fmin(nearest, points[i].g);
    double within = r->gap_tol + (must ? fmax(0.0, nearest) : 0.0);
    for (int i = 0; i < n; i++) {
        const caromContactPoint *before = find(r->contacts, r->n, pair, points[i].feature);
        bool is_held = before && before->mode != CAROM_MODE_FLIGHT;
        if (points[i].g <= within || is_held) add(f, pair, points[i].feature);
    }
}

// Points that are held and still meet, though the faces that face each other most are others by now (a box that turns over its edge).
static void add_held(Found *f)
{
    const caromRigid *r = f->sim->eval.rigid;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        if (c->mode == CAROM_MODE_FLIGHT) continue;
        if (c->what >= f->sim->model->npair) {
            add(f, c->what, c->feature);
            continue;
        }
        caromTouchPoint held, other;
        if (!carom_collide_touch_point_at(f->sim->model, f->kin, c->what, c->feature, &held)) continue;
        bool is_there = false;
        for (int k = 0; k < f->n && !is_there; k++) {
            if (r->found[k].what != c->what || !carom_collide_touch_point_at(f->sim->model, f->kin, c->what, r->found[k].feature, &other)) continue;
            is_there = carom_norm(carom_sub(other.p_B, held.p_B)) < 1e-9*r->size;
        }
        if (!is_there) add(f, c->what, c->feature);
    }
}

static void add_limits(Found *f, const double *y)
{
    const caromModel *m = f->sim->model;
    const int none[2] = { 0, 0 };
    for (int i = 0; i < m->nlimit; i++) {
        double rate;
        if (carom_limit_gap(m, i, y, y + m->nq, &rate)*carom_space_limit_arm(m, i) <= f->sim->eval.rigid->gap_tol) add(f, m->npair + i, none);
    }
}

static void add_if_touching(Found *f, int pair)
{
    const caromRigid *r = f->sim->eval.rigid;
    if (!carom_rigid_has_pair(r, pair) && carom_collide_gap(f->sim->model, f->kin, pair).g <= r->gap_tol) add_points(f, pair, true);
}

// what: the pair or limit that the search has found; -1: none. At the start every pair is looked at.
int carom_rigid_collect(caromSim *sim, const caromKin *kin, int what, bool is_start)
{
    const caromModel *m = sim->model;
    caromRigid *r = sim->eval.rigid;
    Found f = { .sim = sim, .kin = kin };
    for (int i = 0; i < r->n; i++) if (carom_rigid_is_first(r, i)) add_points(&f, r->contacts[i].what, false);
    if (what >= 0 && what < m->npair) add_points(&f, what, true);
    for (int pair = 0; is_start && pair < m->npair; pair++) add_if_touching(&f, pair);
    for (int i = 0; !is_start && i < sim->guard.nnear; i++) if (sim->guard.near[i] < m->npair) add_if_touching(&f, sim->guard.near[i]);
    add_held(&f);
    add_limits(&f, sim->y);
    const int none[2] = { 0, 0 };
    if (what >= m->npair) add(&f, what, none);
    return f.has_failed ? -1 : f.n;
}
