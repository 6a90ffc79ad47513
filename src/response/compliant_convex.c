// A stage of the method `convex`: guesses of all bodies, each the minimum of a convex function built at the one before.
#include "response/compliant_convex.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "response/scales.h"
#include "time/combine.h"

// ---- bodies

// Where it would get to without contacts; angular speeds of a free body are along its own axes.
static void set_free_body(const caromConvexStage *s, int k)
{
    const caromLink *link = &s->model->links[k];
    caromPotentialBody *b = &s->potential->bodies[link->body];
    const double *base = s->at->base + s->model->nq + link->iv, *now = s->at->y + s->model->nq + link->iv;
    caromMat3 R = s->kin->links[k].R;
    caromVec3 w = carom_vec(now[3], now[4], now[5]), H = carom_mul(link->inertia_M, w),
              turned = carom_mul(link->inertia_inv_C, carom_cross(w, H)),
              w_free = carom_axpy(-s->at->tau, turned, carom_vec(base[3], base[4], base[5]));
    b->mass = link->mass;
    b->inertia = carom_mat_mul(carom_mat_mul(R, link->inertia_M), carom_transpose(R));
    b->free.angular = carom_mul(R, w_free);
    b->free.linear = carom_axpy(s->at->tau, s->model->settings.gravity, carom_vec(base[0], base[1], base[2]));
    b->V = s->kin->V_WC[link->body];
}

static void set_bodies(const caromConvexStage *s)
{
    for (int i = 0; i < s->model->nbody; i++)
        s->potential->bodies[i] = (caromPotentialBody){ .is_held = true, .free = s->kin->V_WC[i] };
    for (int k = 0; k < s->model->nlink; k++) {
        if (s->model->links[k].iv < 0) continue;
        s->potential->bodies[s->model->links[k].body].is_held = false;
        set_free_body(s, k);
    }
}

// ---- guesses

// q = q_b + tau N(q) v of the guess.
static void place_bodies(const caromConvexStage *s, double *rate)
{
    const caromModel *m = s->model;
    double *q = s->at->y;
    carom_kin_rate(m, q, q + m->nq, rate);
    for (int i = 0; i < m->nq; i++) q[i] = s->at->base[i] + s->at->tau*rate[i];
}

// Where the stage begins, with speeds that would leave the bodies there.
static void place_base(const caromConvexStage *s, caromConvex *c)
{
    const caromModel *m = s->model;
    memcpy(c->y, s->at->base, (size_t)s->system->n*sizeof *c->y);
    memset(c->y + m->nq, 0, (size_t)m->nv*sizeof *c->y);
    carom_kin_update(m, s->at->t, c->y, c->y + m->nq, &c->kin[1]);
}

// What the minimum asks to change of the guess, in the order of v.
static void find_change(const caromConvexStage *s, double *change)
{
    const caromModel *m = s->model;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (link->iv < 0) continue;
        const caromSpatial *V = &s->potential->bodies[link->body].V;
        caromVec3 w = carom_tmul(s->kin->links[k].R, V->angular);
        const double v[6] = { V->linear.x, V->linear.y, V->linear.z, w.x, w.y, w.z };
        for (int i = 0; i < 6; i++) change[link->iv + i] = v[i] - s->at->y[m->nq + link->iv + i];
    }
}

static const double *weights(const caromConvexStage *s)
{
    return s->at->norm->weight + s->model->nq;
}

// In tolerances.
static double size_of(const caromConvexStage *s, const double *change)
{
    double worst = 0.0;
    for (int i = 0; i < s->model->nv; i++) worst = fmax(worst, fabs(change[i])/weights(s)[i]);
    return worst;
}

// The part of the change that the next guess makes. Where cells come and go with the guess, guesses hop from side to
// side of the solution: the changes of two of them tell where they would vanish [IronsTuck69].
static double next_part(const caromConvexStage *s, const double *change, const double *before, double part)
{
    double along = 0.0, size = 0.0;
    for (int i = 0; i < s->model->nv; i++) {
        double bend = (change[i] - before[i])/weights(s)[i];
        along += before[i]/weights(s)[i]*bend;
        size += bend*bend;
    }
    return size > 0.0 ? fmin(1.0, fmax(CAROM_CONVEX_LEAST_PART, -part*along/size)) : 1.0;
}

// Steps of Newton's method that are smaller than this change nothing [m/s].
static double enough(const caromConvexStage *s)
{
    const caromModel *m = s->model;
    double least = INFINITY;
    for (int k = 0; k < m->nlink; k++)
        for (int i = 0; m->links[k].iv >= 0 && i < 3; i++) least = fmin(least, weights(s)[m->links[k].iv + i]);
    return CAROM_CONVEX_ENOUGH*least;
}

// ---- a stage

static bool build(const caromConvexStage *s, caromConvexHold *holds)
{
    const caromContactMemory *memory = &s->system->world.memory;
    if (!carom_potential_begin(s->potential, s->model->nbody)) return false;
    s->potential->time = s->at->tau;
    set_bodies(s);
    for (int i = 0; i < memory->nactive; i++)
        if (!carom_compliant_convex_add(s, memory->active[i], &holds[i])) return false;
    return carom_potential_prepare(s->potential);
}

// What the minimum asks to change of the guess, for which kin is scratch.
static caromStatus next_change(const caromConvexStage *s, caromConvexHold *holds, caromKin *kin, double *change)
{
    const caromStage *at = s->at;
    if (!carom_time_all_finite(at->y, s->system->n)) return CAROM_RETRY;
    carom_kin_update(s->model, at->t, at->y, at->y + s->model->nq, kin);
    if (!build(s, holds)) return CAROM_ERR_MEMORY;
    if (!carom_potential_solve(s->potential, enough(s)).is_found) return CAROM_RETRY;
    find_change(s, change);
    return CAROM_OK;
}

static caromStatus solve(void *user, const caromStage *at, int64_t *evaluations)
{
    const caromSystem *e = user;
    const caromModel *m = e->model;
    caromConvex *c = carom_compliant_of(e)->convex;
    caromConvexStage s = { e, m, at, &c->kin[0], &c->kin[1], &c->potential, c->patch };
    double part = 1.0, moved = INFINITY;
    place_bodies(&s, c->rate);
    place_base(&s, c);
    for (int i = 0; moved > CAROM_CONVEX_AGREE; i++) {
        if (i == CAROM_CONVEX_GUESSES) return CAROM_RETRY;
        ++*evaluations;
        caromKin *here = &c->kin[i%2];
        double *change = c->change[i%2];
        s.kin = here;
        s.before = &c->kin[1 - i%2];
        caromStatus status = next_change(&s, c->holds, here, change);
        if (status != CAROM_OK) return status;
        moved = size_of(&s, change);
        part = moved <= CAROM_CONVEX_AGREE || i == 0 ? 1.0 : next_part(&s, change, c->change[1 - i%2], part);
        for (int k = 0; k < m->nv; k++) at->y[m->nq + k] += part*change[k];
        place_bodies(&s, c->rate);
    }
    carom_compliant_convex_note(&s, c);
    int ledger = carom_motion_ledger(e->n);
    memcpy(at->y + ledger, at->base + ledger, CAROM_LEDGER*sizeof *at->y);
    return carom_time_all_finite(at->y, e->n) ? CAROM_OK : CAROM_RETRY;
}

// The last stage's wrenches lie together, and so do those that are kept and those at the start.
static void pass_on(void *user, int from, int to)
{
    const caromSystem *e = user;
    caromConvex *c = carom_compliant_of(e)->convex;
    memcpy(c->F[to][0], c->F[from][0], CAROM_CONVEX_CLASSES*(size_t)e->model->nbody*sizeof *c->wrenches);
    memcpy(c->more[to], c->more[from], sizeof c->more[to]);
}

static void keep(void *user)
{
    pass_on(user, CAROM_STAGES - 1, CAROM_STAGES);
}

static void go_on(void *user)
{
    pass_on(user, CAROM_STAGES, 0);
}

static int known(void *user)
{
    return ((const caromSystem *)user)->model->nq;
}

const caromStageSolver carom_compliant_stages = { solve, carom_compliant_convex_account, keep, go_on, known };

// ---- memory

static void place_wrenches(caromConvex *c, size_t nbody)
{
    for (size_t i = 0; i < (CAROM_STAGES + 1)*CAROM_CONVEX_CLASSES; i++)
        c->F[i/CAROM_CONVEX_CLASSES][i%CAROM_CONVEX_CLASSES] = c->wrenches + i*nbody;
}

caromConvex *carom_compliant_convex_create(const caromModel *m)
{
    caromConvex *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    size_t states = (size_t)carom_motion_states_max(m), nv = (size_t)m->nv, nbody = (size_t)m->nbody;
    c->holds = carom_alloc_array((size_t)m->npair + 1, sizeof *c->holds);
    c->y = carom_alloc_array(2*states + 2*nv, sizeof *c->y);
    c->wrenches = carom_alloc_array((CAROM_STAGES + 1)*CAROM_CONVEX_CLASSES*nbody, sizeof *c->wrenches);
    c->patch = calloc(1, sizeof *c->patch);
    bool good = carom_kin_alloc(m, &c->kin[0]);
    good = carom_kin_alloc(m, &c->kin[1]) && good;
    if (!good || !c->holds || !c->y || !c->wrenches || !c->patch) {
        carom_compliant_convex_destroy(c);
        return NULL;
    }
    c->rate = c->y + states;
    c->change[0] = c->rate + states;
    c->change[1] = c->change[0] + nv;
    place_wrenches(c, nbody);
    return c;
}

void carom_compliant_convex_destroy(caromConvex *c)
{
    if (!c) return;
    carom_potential_free(&c->potential);
    free(c->holds);
    free(c->y);
    free(c->wrenches);
    free(c->patch);
    carom_kin_free(&c->kin[0]);
    carom_kin_free(&c->kin[1]);
    free(c);
}

// ---- what it cannot do

static const char *what_is_refused(const caromModel *m)
{
    for (int k = 0; k < m->nlink; k++)
        if (!m->links[k].is_lone && !carom_model_is_led(m->links, k)) return "joints that can move";
    if (m->nspring > 0) return "springs";
    if (m->nforce > 0) return "forces from outside";
    return m->settings.friction_law == CAROM_FRICTION_SMOOTH ? NULL : "bristles";
}

caromStatus carom_compliant_convex_refuse(const caromModel *m, caromError *err)
{
    const char *what = m->settings.method == CAROM_METHOD_CONVEX ? what_is_refused(m) : NULL;
    if (!what) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_MODEL, "simulate.method",
                      "the method 'convex' is for bodies that are free or that time alone moves, with smooth friction; "
                      "it does not know %s: use auto", what);
}
