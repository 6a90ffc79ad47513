// What parts but comes back before anybody could see it lands: infinitely many bounces (Zeno), summed up or made one by
// one.
#include <float.h>
#include <math.h>

#include "response/rigid.h"

bool carom_rigid_dies_out(const caromRigid *r, caromConstraint about)
{
    const caromDecay *d = &r->decay[carom_model_constraint_number(r->model, about)];
    return d->is_steady && d->ratio < CAROM_RIGID_DECAY_MOST;
}

// Part of the speed that is left after each bounce: the restitution, or what was seen where bounces of
// several points take turns.
static double decay_of(const caromRigid *r, caromConstraint c, double e)
{
    const caromDecay *d = &r->decay[carom_model_constraint_number(r->model, c)];
    return carom_rigid_dies_out(r, c) && d->ratio > e + CAROM_RIGID_STEADY ? d->ratio : e;
}

// Of hops, each of which is so much of the one before: also of those that would not come to an end by themselves, of
// e = 1, when impacts elsewhere have taken what there was.
static double ratio_of_hops(const caromRigid *r, caromConstraint about, double e)
{
    return e < 1.0 ? decay_of(r, about, e) : CAROM_RIGID_DECAY_MOST;
}

// Does a point that falls back faster than anything is pressed come down a hop later? Where it runs round a rim that is
// nearly flat the normal turns by as much in no time, and no acceleration lasts for a hop.
static bool comes_down_after(caromSystem *sys, const caromContactPoint *c, double time, double hop)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromModel *m = sys->model;
    const double *v = sys->y + m->nq, *dv = r->event.dydt + m->nq;
    double *q = r->event.rates, *later = r->event.speeds, speed = INFINITY;
    for (int k = 0; k < m->nv; k++) later[k] = v[k] + 0.5*hop*dv[k];
    carom_kin_rate(m, sys->y, later, q);
    for (int k = 0; k < m->nq; k++) q[k] = sys->y[k] + hop*q[k];
    for (int k = 0; k < m->nv; k++) later[k] = v[k] + hop*dv[k];
    carom_kin_update(m, time, q, later, &sys->scratch.kin);
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int n = carom_manifold_points(m, &sys->scratch.kin, c->about.index, INFINITY, points);
    for (int i = 0; i < n; i++)
        if (points[i].feature[0] == c->feature[0] && points[i].feature[1] == c->feature[1])
            speed = carom_rigid_parting_speed(m, &sys->scratch.kin, c->about.index, &points[i]);
    carom_kin_update(m, time, sys->y, v, &sys->scratch.kin);
    return speed < 0.0;
}

static bool is_real(caromSystem *sys, int i, double time, const caromContactPoint *c)
{
    const caromRigid *r = carom_rigid_of(sys);
    double v = r->space->points[i].v[0], fall = -r->space->b[3*i], usual = carom_rigid_usual_time(r);
    bool is_pressed = fall*usual*usual < CAROM_RIGID_PRESSED*r->scales.size;
    return is_pressed || c->about.kind != CAROM_CONSTRAINT_PAIR || comes_down_after(sys, c, time, 2.0*v/fall);
}

static bool will_land(caromRigid *r, int i, double time, double e, caromContactPoint *c)
{
    const caromSpace *s = r->space;
    double v = s->points[i].v[0], a = s->b[3*i], slip = hypot(s->points[i].v[1], s->points[i].v[2]);
    if (!(v > 0.0 && a < 0.0)) return false;
    // One and a half hops: a step that ends just behind the touch would not be told from one that ends at it.
    double beyond = CAROM_RIGID_BEYOND*v/-a;
    r->next_step = r->next_step > 0.0 ? fmin(r->next_step, beyond) : beyond;
    // The sum rises by 2/(1 - ratio) times the height of the first hop.
    double ratio = ratio_of_hops(r, c->about, e), rise = fmax(0.5*(1.0 - ratio), CAROM_RIGID_RISE_LEAST);
    if (v*v > -2.0*a*fmax(rise*r->scales.hop, r->scales.least_hop)) return false;
    // Each hop is shorter than the one before by this part; when the clock cannot tell that, or they are as slow as
    // what the integration may be off, they are summed up in any case.
    double hop = 2.0*v/-a, part = 1.0 - e;
    c->hops = r->model->settings.landing == CAROM_LANDING_STRETCHED &&
              part*hop > CAROM_RIGID_HOP_TICKS*DBL_EPSILON*time && v > CAROM_RIGID_HOP_SLOWEST*r->scales.speed;
    if (c->hops) {
        c->lands = time + hop;
        return true;
    }
    caromLanding landing = carom_unilateral_landing(v, a, ratio, 1.0);
    c->lands = time + landing.time;
    c->rate = -v/landing.time;
    double small = r->is_sharp ? r->scales.slip : r->model->settings.v_small;
    c->mode = slip <= small ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING;
    return c->lands > time;
}

bool carom_rigid_is_held(const caromRigid *r, int n, caromConstraint about)
{
    for (int i = 0; i < n; i++) {
        const caromContactPoint *c = &r->event.found[i];
        bool stays = c->mode != CAROM_MODE_FLIGHT || carom_unilateral_point_lands(c);
        if (stays && carom_model_constraint_is(c->about, about)) return true;
    }
    return false;
}

// dv and acc are the motion with all that stays.
void carom_rigid_let_bounce(caromSystem *sys, double time, int first, int n)
{
    const caromModel *m = sys->model;
    caromRigid *r = carom_rigid_of(sys);
    carom_space_place(m, &sys->scratch.kin, sys->y, r->event.found + first, n - first, r->space);
    carom_space_accelerate(m, &sys->scratch.kin, &sys->scratch.work, r->event.dydt + m->nq, r->space);
    for (int i = first; i < n; i++) {
        caromContactPoint *c = &r->event.found[i];
        double e = carom_rigid_restitution(r, c->about, fmax(0.0, r->space->points[i - first].v[0]));
        c->lands = NAN;
        c->mode = CAROM_MODE_FLIGHT;
        if (will_land(r, i - first, time, e, c) && is_real(sys, i - first, time, c)) continue;
        c->lands = NAN;
        c->hops = false;
        c->mode = CAROM_MODE_FLIGHT;
    }
}

// Friction of bounces that are summed up may lock bodies that touch elsewhere, and there is no finite force then:
// they are made one by one. False: that would be hops in which no time passes.
bool carom_rigid_hop_instead(caromRigid *r, double time)
{
    double least = carom_rigid_shortest_hold(r, time);
    bool is_seen = true;
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        if (!carom_unilateral_point_lands(c) || c->hops) continue;
        double duration = c->lands - time, e = carom_rigid_restitution(r, c->about, fmax(0.0, -c->rate*duration)),
               first = duration*(1.0 - ratio_of_hops(r, c->about, e));
        c->lands = time + first;
        c->hops = true;
        c->mode = CAROM_MODE_FLIGHT;
        is_seen = is_seen && first >= least;
    }
    return is_seen;
}

// Friction of bounces that slide may make forces blow up (docs/rigid.md).
static bool is_sound(const caromRigid *r)
{
    caromStayProblem problem = carom_space_problem(r->space);
    return carom_unilateral_soundness(&problem, r->space->work) > CAROM_RIGID_UNSOUND;
}

// Modes were chosen without the forces of bounces that are summed up. Do these bring down what was to part, make a
// contact pull, or blow up?
bool carom_rigid_do_landings_disturb(const caromRigid *r)
{
    bool any = false, slides = false, disturbed = false;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        bool is_landing = carom_unilateral_point_lands(c) && !c->hops;
        any = any || is_landing;
        slides = slides || (is_landing && c->mode == CAROM_MODE_SLIDING);
        if (c->hops) continue;
        if (c->mode == CAROM_MODE_FLIGHT)
            disturbed = disturbed || carom_space_acceleration(r->space, 3*i) <
                                     -CAROM_RIGID_DISTURBS*fabs(r->space->b[3*i]);
        else disturbed = disturbed || r->space->f[3*i] < -CAROM_RIGID_DISTURBS*carom_rigid_usual_force(r, c->about);
    }
    return (any && disturbed) || (slides && !is_sound(r));
}

// Bounces that have died out: the contact is held from now on. It was not before, as far as anybody is told.
bool carom_rigid_end_landings(caromRigid *r, double time)
{
    bool is_any = false;
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        if (!carom_unilateral_point_lands(c) || c->hops || c->lands > time*CAROM_RIGID_LANDED) continue;
        c->lands = NAN;
        is_any = true;
    }
    return is_any;
}
