// The model seen by the event search: gaps, and how long pairs certainly stay apart.
#include <float.h>

#include "base/base.h"
#include "integrate/sim.h"

bool carom_guard_alloc(const caromModel *model, caromModelGuard *g)
{
    size_t n = (size_t)carom_eval_states(model);
    g->model = model;
    g->bounds = carom_alloc_array((size_t)model->nbody, sizeof *g->bounds);
    g->y = carom_alloc_array(n, sizeof *g->y);
    g->dydt = carom_alloc_array(n, sizeof *g->dydt);
    g->near = carom_alloc_array((size_t)model->npair, sizeof *g->near);
    bool good = g->bounds && g->y && g->dydt && g->near;
    for (int i = 0; i < CAROM_SLOTS; i++) good = carom_kin_alloc(model, &g->kin[i]) && good;
    return good;
}

void carom_guard_free(caromModelGuard *g)
{
    for (int i = 0; i < CAROM_SLOTS; i++) carom_kin_free(&g->kin[i]);
    free(g->bounds);
    free(g->y);
    free(g->dydt);
    free(g->near);
    *g = (caromModelGuard){ 0 };
}

static void load(void *user, int slot, const double *y)
{
    caromModelGuard *g = user;
    carom_kin_update(g->model, y, y + g->model->nq, &g->kin[slot]);
}

static double gap(void *user, int slot, int pair, double *rate)
{
    caromModelGuard *g = user;
    caromGap found = carom_collide_gap(g->model, &g->kin[slot], pair);
    *rate = carom_collide_gap_rate(g->model, &g->kin[slot], pair, &found);
    return found.g;
}

static double clear_time(void *user, int slot, int pair, double dt, double margin)
{
    caromModelGuard *g = user;
    return carom_collide_clear_time(g->model, &g->kin[slot], g->bounds, pair, dt, margin);
}

caromGuard carom_guard_of(caromModelGuard *guard)
{
    return (caromGuard){ guard, load, gap, clear_time };
}

// A lower bound of the gap that costs next to nothing: bounding spheres, or height above a plane.
static double rough_gap(const caromModel *model, const caromKin *kin, int pair)
{
    const int *shape = model->pairs[pair].shape;
    const caromModelShape *a = &model->shapes[shape[0]], *b = &model->shapes[shape[1]];
    caromVec3 d = carom_sub(kin->X_WS[shape[1]].p, kin->X_WS[shape[0]].p);
    if (!carom_shape_is_bounded(a->shape)) return carom_dot(kin->X_WS[shape[0]].R.cz, d) - b->radius;
    if (!carom_shape_is_bounded(b->shape)) return -carom_dot(kin->X_WS[shape[1]].R.cz, d) - a->radius;
    return carom_norm(d) - a->radius - b->radius;
}

// Fastest point of a body at either end of the step, as far out as the other body of the pair can see it.
static double fastest(const caromModelGuard *g, int body, double lever)
{
    double speed = 0.0;
    for (int slot = CAROM_SLOT_START; slot <= CAROM_SLOT_END; slot++) {
        caromSpatial V = g->kin[slot].V_WC[body];
        speed = fmax(speed, carom_norm(V.linear) + carom_norm(V.angular)*lever);
    }
    return speed;
}

// Could the pair meet within the step? A body would have to move four times as fast inside the step as at both its ends, where
// the error estimate of the step has just been accepted, for a pair to be left out wrongly.
static bool is_near(const caromModelGuard *g, int pair, double h)
{
    const caromModel *m = g->model;
    const int *shape = m->pairs[pair].shape;
    int a = m->shapes[shape[0]].body, b = m->shapes[shape[1]].body;
    double gap = fmin(rough_gap(m, &g->kin[CAROM_SLOT_START], pair), rough_gap(m, &g->kin[CAROM_SLOT_END], pair));
    if (gap <= 0.0) return true;
    double distance = carom_norm(carom_sub(g->kin[CAROM_SLOT_START].p_WC[a], g->kin[CAROM_SLOT_START].p_WC[b]));
    bool flat = !carom_shape_is_bounded(m->shapes[shape[0]].shape) || !carom_shape_is_bounded(m->shapes[shape[1]].shape);
    double speed = fastest(g, a, flat ? distance + m->bodies[a].reach : m->bodies[a].reach) +
                   fastest(g, b, flat ? distance + m->bodies[b].reach : m->bodies[b].reach);
    return gap < 4.0*h*speed;
}

static void raise(double *bound, double value)
{
    if (value > *bound) *bound = value;
}

// Bounds on the motion of every body over the step, from its interpolant. The rate of the interpolant is a polynomial of degree
// m in theta; the largest value of such a polynomial is at most 1/cos(pi m/(2 N)) times the largest at N > m Chebyshev points
// [EhlichZeller64]: with N = 2 m, sqrt 2 times.
static caromStatus bound_motion(caromModelGuard *g, caromSearch *search)
{
    const caromModel *m = g->model;
    int degree = search->method->dense_degree > 1 ? search->method->dense_degree : 5, n = 2*degree;
    for (int k = 0; k < m->nbody; k++) g->bounds[k] = (caromMotionBound){ 0 };
    for (int i = 0; i < n; i++) {
        double theta = 0.5 - 0.5*cos(3.14159265358979323846*(i + 0.5)/n);
        caromStatus status = search->method->interpolate(search->stepper, theta, g->y, g->dydt);
        if (status != CAROM_OK) return status;
        for (int k = 0; k < m->nbody; k++) {
            const caromBody *b = &m->bodies[k];
            if (b->fixed) continue;
            const double *v = g->y + m->nq + b->iv, *a = g->dydt + m->nq + b->iv;
            caromVec3 w = carom_vec(v[3], v[4], v[5]);
            raise(&g->bounds[k].speed, carom_norm(carom_vec(v[0], v[1], v[2])));
            raise(&g->bounds[k].angular_speed, carom_norm(w));
            raise(&g->bounds[k].acceleration, carom_norm(carom_vec(a[0], a[1], a[2])));
            raise(&g->bounds[k].angular_acceleration, carom_norm(carom_vec(a[3], a[4], a[5])));
        }
    }
    for (int k = 0; k < m->nbody; k++) {
        caromMotionBound *b = &g->bounds[k];
        b->speed *= 1.4143;
        b->angular_speed *= 1.4143;
        b->acceleration *= 1.4143;
        b->angular_acceleration *= 1.4143;
    }
    return CAROM_OK;
}

caromStatus carom_guard_prepare(caromModelGuard *g, const caromModes *modes, caromSearch *search)
{
    g->nnear = 0;
    for (int pair = 0; pair < g->model->npair; pair++) {
        if (!modes->is_active[pair] && is_near(g, pair, search->h)) g->near[g->nnear++] = pair;
    }
    return g->nnear > 0 ? bound_motion(g, search) : CAROM_OK;
}
