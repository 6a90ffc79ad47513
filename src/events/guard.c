// The model seen by the event search: gaps, and how long pairs certainly stay apart.
#include <string.h>

#include "base/base.h"
#include "events/guard.h"

bool carom_guard_alloc(const caromModel *model, caromModelGuard *g)
{
    size_t n = (size_t)carom_motion_states_max(model);
    g->model = model;
    g->bounds = carom_alloc_array((size_t)model->nbody, sizeof *g->bounds);
    g->speed_rate = carom_alloc_array((size_t)model->nv, sizeof *g->speed_rate);
    g->acc = carom_alloc_array((size_t)model->nlink, sizeof *g->acc);
    g->y = carom_alloc_array(n, sizeof *g->y);
    g->dydt = carom_alloc_array(n, sizeof *g->dydt);
    g->stray = carom_alloc_array((size_t)model->nq, sizeof *g->stray);
    g->links = carom_alloc_array((size_t)model->nlink, sizeof *g->links);
    g->near = carom_alloc_array((size_t)(model->npair + model->nlimit), sizeof *g->near);
    g->shape_stray = carom_alloc_array((size_t)model->nshape, sizeof *g->shape_stray);
    bool good = g->shape_stray && g->bounds && g->speed_rate && g->acc && g->y && g->dydt && g->stray && g->links &&
                g->near;
    good = carom_broad_nearby_alloc(model, &g->nearby) && good;
    good = carom_kin_alloc(model, &g->kin_work) && good;
    for (int i = 0; i < CAROM_SLOTS; i++) {
        good = carom_kin_alloc(model, &g->kin[i]) && good;
        g->state[i] = carom_alloc_array(n, sizeof *g->state[i]);
        good = g->state[i] && good;
    }
    return good;
}

void carom_guard_free(caromModelGuard *g)
{
    for (int i = 0; i < CAROM_SLOTS; i++) {
        carom_kin_free(&g->kin[i]);
        free(g->state[i]);
    }
    carom_kin_free(&g->kin_work);
    free(g->bounds);
    free(g->speed_rate);
    free(g->acc);
    free(g->y);
    free(g->dydt);
    free(g->stray);
    free(g->links);
    free(g->shape_stray);
    free(g->near);
    carom_broad_nearby_free(&g->nearby);
    *g = (caromModelGuard){ 0 };
}

static void load(void *user, int slot, double time, const double *y)
{
    caromModelGuard *g = user;
    const caromModel *m = g->model;
    carom_kin_update(m, time, y, y + m->nq, &g->kin[slot]);
    memcpy(g->state[slot], y, (size_t)(m->nq + m->nv)*sizeof *y);
}

static double limit_gap(const caromModelGuard *g, int slot, int limit, double *rate)
{
    return carom_contact_limit_gap(g->model, limit, g->state[slot], g->state[slot] + g->model->nq, rate);
}

static double gap(void *user, int slot, caromConstraint c, double *rate)
{
    caromModelGuard *g = user;
    if (c.kind == CAROM_CONSTRAINT_LIMIT) return limit_gap(g, slot, c.index, rate);
    return carom_world_gap_at(g->model, &g->kin[slot], c.index, rate).g;
}

// g + v t - a t^2/2 > -margin until its larger root.
static double limit_clear_time(const caromModelGuard *g, int slot, int limit, double dt, double margin)
{
    const caromLimit *l = &g->model->limits[limit];
    double rate, height = limit_gap(g, slot, limit, &rate) + margin,
           a = g->speed_rate[g->model->links[l->link].iv + l->coordinate];
    if (dt < 0.0) rate = -rate;
    if (height <= 0.0) return 0.0;
    if (a*fabs(dt) <= 0.0 && rate >= 0.0) return fabs(dt);
    double root = a > 0.0 ? (rate + sqrt(rate*rate + 2.0*a*height))/a : -height/rate;
    return fmin(fabs(dt), root);
}

static double clear_time(void *user, int slot, caromConstraint c, double dt, double margin)
{
    caromModelGuard *g = user;
    if (c.kind == CAROM_CONSTRAINT_LIMIT) return limit_clear_time(g, slot, c.index, dt, margin);
    return carom_sweep_clear_time(g->model, &g->kin[slot], g->bounds, c.index, dt, margin);
}

caromGuard carom_guard_of(caromModelGuard *guard)
{
    return (caromGuard){ guard, load, gap, clear_time };
}

double carom_guard_stray(const caromModelGuard *g, int body, caromVec3 p)
{
    int link = g->model->bodies[body].link;
    if (link < 0) return 0.0;
    return g->links[link].shift + g->links[link].turn*carom_norm(carom_sub(p, g->kin[CAROM_SLOT_START].links[link].o));
}

// Could the pair meet within the step? Bounding spheres, and how far their centres get. A half-space is where the
// material points of its body next to the other shape get, wherever that is by then.
static bool is_near(const caromModelGuard *g, int pair)
{
    const caromModel *m = g->model;
    const caromKin *kin = &g->kin[CAROM_SLOT_START];
    const int *shape = m->pairs[pair].shape;
    double gap = carom_broad_rough_gap(m, kin, pair), moved[2];
    for (int i = 0; i < 2; i++) moved[i] = carom_guard_stray(g, m->shapes[shape[i]].body, kin->X_WS[shape[i]].p);
    for (int i = 0; i < 2; i++) {
        const caromModelShape *s = &m->shapes[shape[i]];
        if (carom_shape_is_bounded(s->shape)) continue;
        int link = m->bodies[s->body].link;
        moved[i] = carom_guard_stray(g, s->body, kin->X_WS[shape[1 - i]].p) +
                   (link >= 0 ? g->links[link].turn*moved[1 - i] : 0.0);
    }
    return !(gap > CAROM_EVENTS_ROUNDED_UP*(moved[0] + moved[1]));
}

static void raise(double *bound, double value)
{
    if (value > *bound) *bound = value;
}

static void bound_body(const caromModel *m, const caromKin *kin, const caromSpatial *acc, int link,
                       caromMotionBound *bound)
{
    int body = m->links[link].body;
    caromVec3 s = carom_sub(kin->p_WC[body], kin->links[link].o), w = kin->links[link].w;
    caromVec3 a = carom_add(acc[link].linear,
                            carom_add(carom_cross(acc[link].angular, s), carom_cross(w, carom_cross(w, s))));
    raise(&bound->speed, carom_norm(kin->V_WC[body].linear));
    raise(&bound->angular_speed, carom_norm(w));
    raise(&bound->acceleration, carom_norm(a));
    raise(&bound->bend, carom_norm(carom_sub(a, m->settings.gravity)));
    raise(&bound->angular_acceleration, carom_norm(acc[link].angular));
}

// A free body in the world: its speeds are velocity of the centre of mass, and angular velocity along its own axes,
// which turning does not change the size of, nor that of its rate.
static void bound_lone(caromVec3 gravity, const double *v, const double *dv, caromMotionBound *bound)
{
    caromVec3 a = carom_vec(dv[0], dv[1], dv[2]);
    raise(&bound->speed, carom_norm(carom_vec(v[0], v[1], v[2])));
    raise(&bound->angular_speed, carom_norm(carom_vec(v[3], v[4], v[5])));
    raise(&bound->acceleration, carom_norm(a));
    raise(&bound->bend, carom_norm(carom_sub(a, gravity)));
    raise(&bound->angular_acceleration, carom_norm(carom_vec(dv[3], dv[4], dv[5])));
}

static bool are_lone(const caromModel *m)
{
    for (int k = 0; k < m->nlink; k++) if (!m->links[k].is_lone) return false;
    return true;
}

// Bounds on the motion of every body over the step, from its interpolant. For a free body rates of the interpolant are
// polynomials of degree m in theta, and the largest value of such a polynomial is at most 1/cos(pi m/(2 N)) times the
// largest at N > m Chebyshev points [EhlichZeller64]: with N = 2 m, sqrt 2 times. Bodies on joints move by smooth
// functions of such polynomials; they get the same factor.
caromStatus carom_guard_bound_motion(caromModelGuard *g, caromSearch *search)
{
    if (g->has_bounds) return CAROM_OK;
    const caromModel *m = g->model;
    bool is_simple = are_lone(m);
    int degree = search->method->dense_degree > 1 ? search->method->dense_degree : 5, n = 2*degree;
    for (int k = 0; k < m->nbody; k++) g->bounds[k] = (caromMotionBound){ 0 };
    for (int k = 0; k < m->nv; k++) g->speed_rate[k] = 0.0;
    for (int i = 0; i < n; i++) {
        double theta = 0.5 - 0.5*cos(CAROM_PI*(i + 0.5)/n);
        caromStatus status = search->method->interpolate(search->stepper, theta, g->y, g->dydt);
        if (status != CAROM_OK) return status;
        const double *dv = g->dydt + m->nq;
        if (!is_simple) {
            carom_kin_update(m, search->t0 + theta*search->h, g->y, g->y + m->nq, &g->kin_work);
            carom_kin_accelerations(m, &g->kin_work, dv, g->acc);
        }
        for (int k = 0; k < m->nlink; k++) {
            const caromLink *link = &m->links[k];
            caromMotionBound *bound = &g->bounds[link->body];
            if (is_simple) bound_lone(m->settings.gravity, g->y + m->nq + link->iv, dv + link->iv, bound);
            else bound_body(m, &g->kin_work, g->acc, k, bound);
        }
        for (int k = 0; k < m->nv; k++) raise(&g->speed_rate[k], fabs(dv[k]));
    }
    const double factor = CAROM_EVENTS_BETWEEN_POINTS;
    for (int k = 0; k < m->nv; k++) g->speed_rate[k] *= factor;
    for (int k = 0; k < m->nbody; k++) {
        caromMotionBound *b = &g->bounds[k];
        b->speed *= factor;
        b->angular_speed *= factor;
        b->acceleration *= factor;
        b->bend *= factor;
        b->angular_acceleration *= factor;
    }
    g->has_bounds = true;
    return CAROM_OK;
}

static bool is_limit_near(const caromModelGuard *g, int limit)
{
    const caromLimit *l = &g->model->limits[limit];
    double rate;
    return !(limit_gap(g, CAROM_SLOT_START, limit,
                       &rate) > CAROM_EVENTS_ROUNDED_UP*g->stray[g->model->links[l->link].iq + l->coordinate]);
}

static void look_at_pair(void *user, int pair)
{
    caromModelGuard *g = user;
    if (!g->closed.pair[pair] && is_near(g, pair)) g->near[g->nnear++] = carom_model_constraint_of_pair(pair);
}

static caromStatus find_near_pairs(caromModelGuard *g)
{
    const caromModel *m = g->model;
    const caromKin *kin = &g->kin[CAROM_SLOT_START];
    for (int i = 0; i < m->nshape; i++) g->shape_stray[i] = carom_guard_stray(g, m->shapes[i].body, kin->X_WS[i].p);
    return carom_broad_nearby_find(m, &g->nearby, kin, g->shape_stray, look_at_pair, g);
}

caromStatus carom_guard_prepare(caromModelGuard *g, caromSearch *search)
{
    const caromModel *m = g->model;
    g->nnear = 0;
    g->has_bounds = false;
    caromStatus status = search->method->stray(search->stepper, m->nq, g->stray);
    if (status != CAROM_OK) return status;
    carom_kin_stray(m, &g->kin[CAROM_SLOT_START], g->state[CAROM_SLOT_START], g->stray, g->links);
    status = find_near_pairs(g);
    if (status != CAROM_OK) return status;
    for (int limit = 0; limit < m->nlimit; limit++) {
        if (!g->closed.limit[limit] && is_limit_near(g, limit))
            g->near[g->nnear++] = carom_model_constraint_of_limit(limit);
    }
    return g->nnear > 0 ? carom_guard_bound_motion(g, search) : CAROM_OK;
}
