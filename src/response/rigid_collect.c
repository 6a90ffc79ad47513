// Everything that touches at an event: points that did, those that have come down, joints at their limits.
#include "response/rigid.h"

static const caromContactPoint *find(const caromContactPoint *list, int n, caromConstraint about, const int feature[2])
{
    for (int i = 0; i < n; i++) {
        const caromContactPoint *c = &list[i];
        if (carom_model_constraint_is(c->about, about) && c->feature[0] == feature[0] && c->feature[1] == feature[1])
            return c;
    }
    return NULL;
}

// What counts as none at this event.
static double none_of(const caromRigid *r)
{
    return carom_rigid_is_unseen(r) ? fmax(r->scales.gap, carom_rigid_unseen_gap(r)) : r->scales.gap;
}

typedef struct FoundPoints {
    caromSystem *sys;
    const caromKin *kin;
    int n;             // in rigid->found
    bool has_failed;   // out of memory
} FoundPoints;

static void add(FoundPoints *f, caromConstraint about, const int feature[2])
{
    caromRigid *r = carom_rigid_of(f->sys);
    if (find(r->event.found, f->n, about, feature)) return;
    if (!carom_rigid_reserve(r, f->n + 1)) {
        f->has_failed = true;
        return;
    }
    const caromContactPoint *before = find(r->contacts, r->n, about, feature);
    r->event.found[f->n++] = before ? *before
                                    : (caromContactPoint){ .about = about, .feature = { feature[0], feature[1] },
                                                           .mode = CAROM_MODE_FLIGHT, .lands = NAN };
}

double carom_rigid_parting_speed(const caromModel *m, const caromKin *kin, int pair, const caromTouchPoint *point)
{
    const int *shape = m->pairs[pair].shape;
    caromVec3 v_B = carom_kin_point_velocity(kin, m->shapes[shape[1]].body, point->p_B),
              v_A = carom_kin_point_velocity(kin, m->shapes[shape[0]].body, point->p_A);
    return carom_dot(point->n_AB, carom_sub(v_B, v_A));
}

// A disc that lies flat and turns comes down on its rim anywhere, and all of its corners may part meanwhile. must: the
// search has seen it touch, however slowly.
static void add_fastest(FoundPoints *f, int pair, bool must, const caromTouchPoint *points, int n)
{
    const caromModel *m = f->sys->model;
    double corners = INFINITY, fastest = 0.0;
    caromTouchPoint rim;
    if (!carom_manifold_rim_fastest(m, f->kin, &points[0], pair, &rim)) return;
    for (int i = 0; i < n; i++) {
        double parting = carom_rigid_parting_speed(m, f->kin, pair, &points[i]);
        corners = fmin(corners, parting);
        fastest = fmax(fastest, fabs(parting));
    }
    double speed = carom_rigid_parting_speed(m, f->kin, pair, &rim),
           small = carom_rigid_small_speed(carom_rigid_of(f->sys), fastest);
    bool comes_down = speed < (must ? 0.0 : -small) && corners > CAROM_RIGID_AS_FAST*speed,
         stays = must && speed < small && corners > small;
    if (comes_down || stays) add(f, carom_model_constraint_of_pair(pair), rim.feature);
}

static bool is_pair_held(const caromRigid *r, int pair)
{
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        if (c->mode != CAROM_MODE_FLIGHT && carom_model_constraint_is(c->about, carom_model_constraint_of_pair(pair)))
            return true;
    }
    return false;
}

// must: there is a touch, even if the nearest point is a little farther than that: what is held elsewhere was just
// brought back, and has moved the bodies. An edge that touches does so with both its ends then.
static void add_points(FoundPoints *f, int pair, bool must)
{
    const caromRigid *r = carom_rigid_of(f->sys);
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int n = carom_manifold_points(f->sys->model, f->kin, pair, INFINITY, points);
    double nearest = INFINITY;
    for (int i = 0; i < n; i++) nearest = fmin(nearest, points[i].g);
    // A disc that has come to lie flat: its corners are higher than the rim that was held.
    must = must || (n > 0 && points[0].lies && is_pair_held(r, pair));
    double within = none_of(r) + (must ? fmax(0.0, nearest) : 0.0);
    for (int i = 0; i < n; i++) {
        const caromContactPoint *before = find(r->contacts, r->n, carom_model_constraint_of_pair(pair),
                                               points[i].feature);
        bool is_held = before && before->mode != CAROM_MODE_FLIGHT;
        bool touches = points[i].g <= within || (points[i].lies && nearest <= within);
        if (touches || is_held) add(f, carom_model_constraint_of_pair(pair), points[i].feature);
    }
    if (n > 0 && nearest <= within) add_fastest(f, pair, must, points, n);
}

// Points that are held and still meet, though the faces that face each other most are others by now (a box
// that turns over its edge).
static void add_held(FoundPoints *f)
{
    const caromRigid *r = carom_rigid_of(f->sys);
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint c = r->contacts[i];  // the list may move where room is made for one more
        if (c.mode == CAROM_MODE_FLIGHT) continue;
        if (c.about.kind == CAROM_CONSTRAINT_LIMIT) {
            add(f, c.about, c.feature);
            continue;
        }
        caromTouchPoint held, other;
        if (!carom_manifold_point_at(f->sys->model, f->kin, c.about.index, c.feature, &held)) continue;
        bool is_there = false;
        for (int k = 0; k < f->n && !is_there; k++) {
            if (!carom_model_constraint_is(r->event.found[k].about, c.about) ||
                !carom_manifold_point_at(f->sys->model, f->kin, c.about.index, r->event.found[k].feature, &other))
                continue;
            is_there = carom_norm(carom_sub(other.p_B, held.p_B)) < CAROM_RIGID_SAME_POINT*r->scales.size;
        }
        if (!is_there) add(f, c.about, c.feature);
    }
}

static void add_limits(FoundPoints *f, const double *y)
{
    const caromModel *m = f->sys->model;
    const int none[2] = { 0, 0 };
    for (int i = 0; i < m->nlimit; i++) {
        double rate;
        if (carom_contact_limit_gap(m, i, y, y + m->nq, &rate)*carom_space_limit_arm(m, i) <=
            none_of(carom_rigid_of(f->sys))) add(f, carom_model_constraint_of_limit(i), none);
    }
}

static void add_if_touching(FoundPoints *f, int pair)
{
    const caromRigid *r = carom_rigid_of(f->sys);
    if (!carom_rigid_has(r, carom_model_constraint_of_pair(pair)) &&
        carom_manifold_gap(f->sys->model, f->kin, pair).g <= none_of(r)) add_points(f, pair, true);
}

static void add_listed(FoundPoints *f)
{
    const caromRigid *r = carom_rigid_of(f->sys);
    for (int i = 0; i < r->n; i++) if (carom_rigid_is_first(r, i)) add_points(f, r->contacts[i].about.index, false);
}

static int finish(FoundPoints *f, const caromConstraint *touched)
{
    const int none[2] = { 0, 0 };
    add_held(f);
    add_limits(f, f->sys->y);
    if (touched && touched->kind == CAROM_CONSTRAINT_LIMIT) add(f, *touched, none);
    return f->has_failed ? -1 : f->n;
}

static void add_near(FoundPoints *f)
{
    const caromModelGuard *guard = &f->sys->guard;
    for (int i = 0; i < guard->nnear; i++)
        if (guard->near[i].kind == CAROM_CONSTRAINT_PAIR) add_if_touching(f, guard->near[i].index);
}

static void add_all(FoundPoints *f)
{
    for (int pair = 0; pair < f->sys->model->npair; pair++) add_if_touching(f, pair);
}

int carom_rigid_collect(caromSystem *sys, const caromKin *kin, const caromConstraint *touched)
{
    FoundPoints f = { .sys = sys, .kin = kin };
    add_listed(&f);
    if (touched && touched->kind == CAROM_CONSTRAINT_PAIR) add_points(&f, touched->index, true);
    if (carom_rigid_of(sys)->is_new) add_all(&f);
    else add_near(&f);
    carom_rigid_of(sys)->is_new = false;
    return finish(&f, touched);
}

// Discs that lie flat, at other speeds: where their rims come down now.
int carom_rigid_collect_rims(caromSystem *sys, const caromKin *kin, int n)
{
    const caromRigid *r = carom_rigid_of(sys);
    FoundPoints f = { .sys = sys, .kin = kin, .n = n };
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int i = 0; i < n; i++) {
        caromConstraint about = r->event.found[i].about;
        if (about.kind != CAROM_CONSTRAINT_PAIR || carom_rigid_point_of_pair(r, i) > 0) continue;
        int count = carom_manifold_points(sys->model, kin, about.index, none_of(r), points);
        if (count > 0 && points[0].lies) add_fastest(&f, about.index, false, points, count);
    }
    return f.has_failed ? -1 : f.n;
}

int carom_rigid_collect_all(caromSystem *sys, const caromKin *kin)
{
    FoundPoints f = { .sys = sys, .kin = kin };
    add_listed(&f);
    add_all(&f);
    return finish(&f, NULL);
}
