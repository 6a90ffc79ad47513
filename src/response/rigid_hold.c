// Forces that are decided for a short time, and held: where no modes fit, or those that do flip without end.
//
// At an instant accelerations say who presses, slides and sticks, and friction is against the slip that there is. With
// many contacts that may have no answer (Painleve), or a new one every few picoseconds: corners of one face end their
// slips of a micrometre per second one after the other, each end is an event, and changes the forces of all. Over a
// time tau all are asked at once what they are at its end [Moreau88]:
//
//     u = J (V + tau dV) + tau G f      0 <= f_n  _|_  u_n >= 0      |f_t| <= mu f_n, against u_t (not v_t, nor a_t)
//
// Slips that end within tau stop together, bounces that do are over, and no contact has a direction that is given. That
// is a plastic impact with the impulse tau f from the speeds J (V + tau dV) (impact/plastic.c). It has an answer
// wherever obstacles rest, since |V_1| <= |V + tau dV|, in the norm of the masses, bounds it [AcaryCadoux11]; at an
// instant nothing does. Forces f are held until t + tau, where they were decided, and then the contacts are looked at
// again: time passes, for certain.
// Energy: T_1 - T_0 = tau (f.u + F.V_1) - |V_1 - V_0|^2/2 with f.u <= 0; powers of f go to the ledger as those of
// friction and of bounces. Points that wander over surfaces meanwhile are not in it: a lowest point that runs round a
// rim has accelerations of 1e8 m/s^2, and forces against them would gain energy.
#include <float.h>
#include <math.h>
#include <string.h>

#include "response/rigid.h"

static double tolerance_of(const caromRigid *r)
{
    return fmax(r->model->settings.tolerance, CAROM_RIGID_SLIP_LEAST);
}

double carom_rigid_usual_time(const caromRigid *r)
{
    double fastest = r->scales.slip/tolerance_of(r);
    for (int i = 0; i < r->space->n; i++) {
        const double *v = r->space->points[i].v;
        fastest = fmax(fastest, hypot(v[0], hypot(v[1], v[2])));
    }
    return r->scales.size/fastest;
}

double carom_rigid_shortest_hold(const caromRigid *r, double time)
{
    return fmax(tolerance_of(r)*carom_rigid_usual_time(r), CAROM_RIGID_HOLD_TICKS*DBL_EPSILON*time);
}

static bool follows_another(const caromRigid *r, double time)
{
    return time - r->hold.end <= CAROM_RIGID_HOLD_PAUSE*r->hold.length;
}

// Where one follows the other for long, they are as long as a part of that, and a fall in it what positions may be off.
static double longest_hold(const caromRigid *r, double time)
{
    double usual = CAROM_RIGID_HOLD_MOST*sqrt(tolerance_of(r))*carom_rigid_usual_time(r),
           row = carom_rigid_is_unseen(r) ? (double)INFINITY
                 : follows_another(r, time) ? CAROM_RIGID_HOLD_ROW*(time - r->hold.since) : 0.0,
           fall = sqrt(2.0*tolerance_of(r)*r->scales.size/fmax(carom_norm(r->model->settings.gravity), DBL_MIN));
    return fmax(carom_rigid_shortest_hold(r, time), fmax(usual, fmin(row, fall)));
}

// How long the last events took; infinite: there were not so many yet.
static double lasted(const caromRigid *r, double time)
{
    double first = r->clock.times[r->clock.events % CAROM_RIGID_CHATTER];
    return r->clock.events < CAROM_RIGID_CHATTER ? (double)INFINITY : time - first;
}

double carom_rigid_unseen_gap(const caromRigid *r)
{
    return CAROM_RIGID_UNSEEN*tolerance_of(r)*r->scales.size;
}

// As far as bodies move in the shortest of these times.
double carom_rigid_wander(const caromRigid *r)
{
    return tolerance_of(r)*r->scales.size;
}

bool carom_rigid_is_unseen(const caromRigid *r)
{
    return r->clock.unseen >= CAROM_RIGID_CHATTER*CAROM_RIGID_UNSEEN_SAME;
}

static const caromContactPoint *first_struck(const caromRigid *r)
{
    int first = 0;
    for (int i = 1; i < r->space->n; i++) if (r->space->points[i].v[0] < r->space->points[first].v[0]) first = i;
    return &r->event.found[first];
}

// Bounces of one contact, and of a pair whose bounces die out, are a series with a sum, not chatter.
void carom_rigid_count_event(caromRigid *r, double time, double approach)
{
    if (r->clock.is_announced) return;
    bool is_impact = approach > r->scales.speed, by_turns = true;
    if (is_impact) {
        const caromContactPoint *struck = first_struck(r), *last = &r->clock.struck;
        bool is_unseen = approach*(time - r->clock.last_impact) <= carom_rigid_unseen_gap(r),
             is_another = !carom_model_constraint_is(struck->about, last->about) ||
                          struck->feature[0] != last->feature[0] || struck->feature[1] != last->feature[1];
        by_turns = is_another && !carom_rigid_dies_out(r, struck->about);
        r->clock.unseen = !is_unseen ? 0 : r->clock.unseen + (by_turns ? CAROM_RIGID_UNSEEN_SAME : 1);
        r->clock.last_impact = time;
        r->clock.struck = *struck;
    }
    if (by_turns) r->clock.times[r->clock.events++ % CAROM_RIGID_CHATTER] = time;
}

bool carom_rigid_is_time_to_hold(const caromRigid *r, double time)
{
    double each = fmax(carom_rigid_shortest_hold(r, time), CAROM_RIGID_HOLD_AFTER*longest_hold(r, time));
    return r->hold.is_due || carom_rigid_is_unseen(r) || lasted(r, time) <= CAROM_RIGID_CHATTER*each;
}

// As long as bodies need for a part of their size that is the tolerance, and as a few of the last events. One that
// follows another closely is longer, up to where a fall in it is a part of the tolerance.
double carom_rigid_length_of_hold(const caromRigid *r, double time)
{
    double length = carom_rigid_shortest_hold(r, time), events = lasted(r, time)/CAROM_RIGID_CHATTER;
    if (isfinite(events)) length = fmax(length, CAROM_RIGID_HOLD_GROWTH*events);
    if (follows_another(r, time)) length = fmax(length, CAROM_RIGID_HOLD_GROWTH*r->hold.length);
    return fmin(length, longest_hold(r, time));
}

void carom_rigid_place_held(const caromRigid *r, const caromInstant *at, const caromKin *kin, caromSpace *s)
{
    s->n = r->n;
    memcpy(s->points, r->hold.points, (size_t)r->n*sizeof *s->points);
    memcpy(s->f, r->hold.f, 3*(size_t)r->n*sizeof *s->f);
    carom_space_follow(r->model, kin, at->y + r->model->nq, s);
}

// What the contact is meanwhile, as far as anybody is told, and at the end. What is below the surface by more than
// counts as none is brought back to it there, whether it parts or not.
static void set_mode(const caromRigid *r, int i, const double u[3], caromContactPoint *c)
{
    double small = r->is_sharp ? r->scales.slip : r->model->settings.v_small;
    bool is_deep = r->space->points[i].g < -r->scales.gap,
         parts = r->hold.f[3*i] <= 0.0 && u[0] > r->clock.rest_speed && !is_deep, sticks = hypot(u[1], u[2]) <= small;
    c->lands = NAN;
    c->hops = false;
    c->direction = carom_vec(0, 0, 0);
    c->mode = parts ? CAROM_MODE_FLIGHT : sticks ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING;
}

// Velocities of the contacts that are placed, and how they turn, with the speeds that the bodies would have without
// them after that time.
static void look_ahead(caromSystem *sys, double time, double length, double *u)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromModel *m = sys->model;
    const double *v = sys->y + m->nq, *dv = r->event.dydt + m->nq;
    memcpy(r->hold.points, r->space->points, (size_t)r->space->n*sizeof *r->space->points);
    for (int i = 0; i < m->nv; i++) r->event.speeds[i] = v[i] + length*dv[i];
    carom_kin_update(m, time, sys->y, r->event.speeds, &sys->scratch.kin);
    carom_space_follow(m, &sys->scratch.kin, r->event.speeds, r->space);
    for (int k = 0; k < 3*r->space->n; k++) u[k] = r->space->points[k/3].v[k%3];
    for (int i = 0; i < r->space->n; i++) {
        caromVec3 w = r->space->points[i].w;
        r->space->points[i] = r->hold.points[i];
        r->space->points[i].w = w;
    }
    carom_kin_update(m, time, sys->y, v, &sys->scratch.kin);
}

static bool has_motions(const caromModel *m)
{
    for (int i = 0; i < m->nlink; i++) if (m->links[i].motion) return true;
    return false;
}

static int deepest(int n, const double *u)
{
    int worst = 0;
    for (int i = 1; i < n; i++) if (u[3*i] < u[3*worst]) worst = i;
    return worst;
}

int carom_rigid_hold(caromSystem *sys, double time, double length, int n)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    double *u = r->event.v;
    carom_rigid_accelerate(sys, time, n, true);
    look_ahead(sys, time, length, u);
    for (int i = 0; i < n; i++) {
        caromSpaceSpread *spread = &s->points[i].spread;
        r->event.blows[i] = carom_rigid_blow(r, r->event.found[i].about, s->points[i].v);
        if (spread->is_spread) r->event.blows[i].friction *= spread->share;
        *spread = (caromSpaceSpread){ .is_spread = false };
    }
    memset(s->f, 0, 3*(size_t)n*sizeof *s->f);
    caromImpactProblem problem = { .n = n, .contacts = r->event.blows, .G = s->G };
    bool solved = carom_impact_plastic(&problem, u, s->f, r->event.impact);
    for (int i = 0; i < n; i++) s->points[i].couple = (caromSpaceCouple){ .arm = 0.0 };
    carom_rigid_turn(sys, s->f, u);
    for (int i = 0; i < n; i++) {
        r->hold.points[i].couple = s->points[i].couple;
        r->hold.points[i].spread = s->points[i].spread;
    }
    for (int k = 0; k < 3*n; k++) r->hold.f[k] = s->f[k]/length;
    for (int i = 0; i < n; i++) set_mode(r, i, u + 3*i, &r->event.found[i]);
    if (!follows_another(r, time)) r->hold.since = time;
    r->hold.until = r->hold.end = time + length;
    r->hold.length = length;
    r->hold.is_due = false;
    const int again = CAROM_RIGID_UNSEEN_AGAIN*CAROM_RIGID_UNSEEN_SAME;
    r->clock.unseen = r->clock.unseen < again ? r->clock.unseen : again;
    return solved || !has_motions(sys->model) ? -1 : deepest(n, u);
}
