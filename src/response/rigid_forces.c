// Forces of rigid contacts inside a step: equalities, in the modes that the last event has chosen.
#include <float.h>
#include <string.h>

#include "response/rigid.h"

caromStay carom_rigid_stay(const caromRigid *r, const caromContactPoint *contact, const caromPlacedPoint *at)
{
    const caromModel *m = r->model;
    caromStay stay = { .delta = r->is_sharp ? 0.0 : m->settings.v_small, .compliance = 1.0,
                       .slip_small = r->scales.slip, .mode = contact->mode };
    if (at->limit >= 0) return stay;
    const caromPairLaw *law = carom_model_law_of(m, contact->about.index);
    stay.friction = law->friction;
    stay.static_friction = law->static_friction;
    if (at->spread.is_spread) {
        stay.friction *= at->spread.part;
        memcpy(stay.slip, at->spread.slip, sizeof stay.slip);
        return stay;
    }
    stay.slip[0] = at->v[1];
    stay.slip[1] = at->v[2];
    stay.direction[0] = carom_dot(contact->direction, at->t1);
    stay.direction[1] = carom_dot(contact->direction, at->t2);
    stay.lag = contact->lag;
    return stay;
}

double carom_rigid_usual_force(const caromRigid *r, caromConstraint c)
{
    const caromModel *m = r->model;
    double g = carom_norm(m->settings.gravity), mass = INFINITY;
    for (int i = 0; c.kind == CAROM_CONSTRAINT_PAIR && i < 2; i++) {
        int body = m->shapes[m->pairs[c.index].shape[i]].body;
        if (m->bodies[body].link >= 0) mass = fmin(mass, m->bodies[body].props.mass);
    }
    if (c.kind == CAROM_CONSTRAINT_LIMIT) mass = m->links[m->limits[c.index].link].mass;
    return fmax(fmin(mass*(g > 0.0 ? g : 1.0), r->scales.force), CAROM_RIGID_LIGHTEST*r->scales.force);
}

// The slip over which friction turns round: delta where it is regularised, else the slip itself. 0: friction does not
// turn.
static double turning_slip(const caromStay *stay)
{
    double slip = hypot(stay->slip[0], stay->slip[1]);
    if (stay->delta > 0.0) return slip <= stay->delta ? stay->delta : 0.0;
    return stay->mode == CAROM_MODE_SLIDING ? slip : 0.0;
}

double carom_rigid_pressing(const caromRigid *r, const caromSpace *s, int i)
{
    double pressing = 0.0;
    for (int j = 0; j < r->n; j++)
        if (carom_model_constraint_is(r->contacts[j].about, r->contacts[i].about)) pressing += fabs(s->f[3*j]);
    return pressing;
}

// Friction turns the slip round at the rate mu f_n G_tt/slip, the points of a pair together. What slides slowly, driven
// by others, is as stiff as that (random scene 70109: 0.4 mm/s for 20 ms, in explicit steps of 1 to 10 us). One that
// has just begun is not: 1/lag.
double carom_rigid_turning_rate(const caromRigid *r, const caromSpace *s, int i)
{
    double slip = turning_slip(&s->stays[i]);
    if (!(slip > 0.0) || s->points[i].limit >= 0) return 0.0;
    size_t n = 3*(size_t)s->n, k = 3*(size_t)i;
    double mu = carom_model_law_of(r->model, r->contacts[i].about.index)->friction;  // however it turns
    return mu*carom_rigid_pressing(r, s, i)*fmax(s->G[(k + 1)*n + k + 1], s->G[(k + 2)*n + k + 2])/slip;
}

// What the accelerations are made of: those without the contacts, and what forces of contacts add; their components are
// known to the rounding of the largest.
static void add_up(const caromSpace *s, int nv, const double *dv, double *sums)
{
    for (int i = 0; i < nv; i++) sums[i] = fabs(dv[i]);
    for (int k = 0; k < 3*s->n; k++) {
        const double *L = s->L + (size_t)k*(size_t)nv, *f = s->f + k/3*3;
        double most = fmax(fabs(f[0]), hypot(f[1], f[2]));
        for (int i = 0; most > 0.0 && i < nv; i++) sums[i] += most*fabs(L[i]);
    }
}

// Where they cancel, all that is left is rounding; over the long steps of a structure at rest it would move the
// structure (a stack of ten boxes 1e-9 m in 60 s).
static void drop_rounding(int nv, const double *sums, double *dv)
{
    const double rounding = CAROM_RIGID_CANCELLED*DBL_EPSILON;
    for (int i = 0; i < nv; i++) if (fabs(dv[i]) <= rounding*sums[i]) dv[i] = 0.0;
}

static bool all_fly(const caromRigid *r)
{
    for (int i = 0; i < r->n; i++) if (r->contacts[i].mode != CAROM_MODE_FLIGHT) return false;
    return true;
}

// Forces of the contacts that are placed; false: there are none that are finite.
static bool solve(const caromRigid *r, caromSpace *s)
{
    double *wanted = s->a;
    for (int i = 0; i < r->n; i++) {
        s->stays[i] = carom_rigid_stay(r, &r->contacts[i], &s->points[i]);
        wanted[3*i] = carom_unilateral_point_lands(&r->contacts[i]) ? r->contacts[i].rate : 0.0;
        wanted[3*i + 1] = wanted[3*i + 2] = 0.0;
    }
    caromStayProblem problem = carom_space_problem(s);
    return carom_unilateral_forces(&problem, wanted, s->f, s->work);
}

// Work of normal forces on what moves along them: bounces that are summed up, and forces that are held.
static caromRigidLoad load_of(const caromRigid *r, const caromSpace *s)
{
    caromRigidLoad load = { 0 };
    double rolling = 0.0;
    for (int i = 0; i < r->n; i++) {
        load.lost -= s->f[3*i + 1]*s->points[i].v[1] + s->f[3*i + 2]*s->points[i].v[2];
        const caromPlacedPoint *at = &s->points[i];
        double turned = s->f[3*i]*carom_dot(at->w, at->n)*at->spread.arm;
        load.lost -= turned;
        load.rolled -= s->f[3*i]*at->couple.arm*carom_dot(at->couple.along, at->w) - turned;
        if (carom_rigid_holds(r) || carom_unilateral_point_lands(&r->contacts[i]))
            load.given += s->f[3*i]*s->points[i].v[0];
        if (carom_rigid_holds(r)) continue;
        bool begins = carom_norm(r->contacts[i].direction) > 0.0;
        double turning = carom_rigid_turning_rate(r, s, i);
        load.rate = fmax(load.rate, begins ? fmin(turning, 1.0/r->contacts[i].lag) : turning);
        rolling = fmax(rolling, carom_rigid_resistance_rate(r, s, i));
    }
    load.hidden_rate = fmax(rolling, r->is_sharp ? 0.0 : load.rate);
    load.rate = fmax(load.rate, rolling);
    return load;
}

static void push(const caromModel *m, const caromKin *kin, const caromSpace *s, caromDynWork *w, double *dv)
{
    carom_space_push(m, kin, s, s->f, w->F_C, w->tau);
    carom_dyn_accelerate(m, kin, w, dv);
}

static caromRigidLoad held_forces(const caromRigid *r, const caromInstant *at, caromScratch *scratch, double *dv)
{
    caromSpace *s = &carom_rigid_scratch_of(scratch)->space;
    carom_rigid_place_held(r, at, &scratch->kin, s);
    push(r->model, &scratch->kin, s, &scratch->work, dv);
    return load_of(r, s);
}

// Below a part of what counts as none, sharp friction is to stop the slip; regularised it is next to nothing.
static double small_spread(const caromRigid *r)
{
    return (r->is_sharp ? 0.25 : 1e-6)*r->scales.slip;
}

caromRigidLoad carom_rigid_forces(const caromRigid *r, const caromInstant *at, caromScratch *scratch, double *dv)
{
    const caromModel *m = r->model;
    const caromKin *kin = &scratch->kin;
    caromDynWork *w = &scratch->work;
    caromRigidScratch *own = carom_rigid_scratch_of(scratch);
    caromSpace *s = &own->space;
    s->n = r->n;
    if (r->n == 0) return (caromRigidLoad){ 0 };
    if (carom_rigid_holds(r)) return held_forces(r, at, scratch, dv);
    if (!carom_space_place(m, kin, at->y, r->contacts, r->n, s)) return (caromRigidLoad){ .lost = NAN };
    if (all_fly(r)) {
        memset(s->f, 0, 3*(size_t)r->n*sizeof *s->f);
        return (caromRigidLoad){ 0 };
    }
    carom_rigid_resist(r, r->contacts, s);
    carom_rigid_spread(r, kin, r->contacts, small_spread(r), false, s);
    carom_space_accelerate(m, kin, w, dv, s);
    carom_space_respond(m, kin, s, w);
    if (!solve(r, s)) return (caromRigidLoad){ .lost = NAN };
    add_up(s, m->nv, dv, own->sums);
    push(m, kin, s, w, dv);
    drop_rounding(m->nv, own->sums, dv);
    return load_of(r, s);
}

bool carom_rigid_contact(const caromRigid *r, int pair, caromContact *contact)
{
    caromVec3 moment = { 0, 0, 0 }, middle = { 0, 0, 0 };
    int n = 0;
    *contact = (caromContact){ .pair = pair };
    for (int i = 0; i < r->n; i++) {
        const caromPlacedPoint *c = &r->space->points[i];
        const double *f = r->space->f + 3*i;
        if (!carom_model_constraint_is(r->contacts[i].about, carom_model_constraint_of_pair(pair)) ||
            r->contacts[i].mode == CAROM_MODE_FLIGHT) continue;
        n++;
        contact->fn += f[0];
        contact->f_B = carom_add(contact->f_B, carom_space_vector(c, f));
        moment = carom_add(moment, carom_scale(f[0], c->p));
        middle = carom_add(middle, c->p);
        contact->n_AB = c->n;
    }
    if (n == 0) return false;
    contact->p_W = contact->fn > 0.0 ? carom_scale(1.0/contact->fn, moment) : carom_scale(1.0/n, middle);
    return true;
}
