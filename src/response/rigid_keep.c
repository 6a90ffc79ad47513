// Contacts that stay do not drift: after a step gaps and speeds are brought back, by the change that is least in the
// mass metric.
#include <float.h>
#include <string.h>

#include "response/rigid.h"

static bool is_kept(const caromContactPoint *c)
{
    return c->mode != CAROM_MODE_FLIGHT && !carom_unilateral_point_lands(c);
}

// Speed of the points of a body, at most [m/s].
static double speed_of(const caromModel *m, const caromKin *kin, int body)
{
    if (body < 0) return 0.0;
    return carom_norm(kin->V_WC[body].linear) + m->bodies[body].reach*carom_norm(kin->V_WC[body].angular);
}

// What the integration may be off, of a speed of this contact or of its gap: errors far beyond are no drift.
static double drift_most(const caromSystem *sys, int i, bool of_position)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromPlacedPoint *at = &r->space->points[i];
    double tolerance = fmax(sys->model->settings.tolerance, CAROM_RIGID_SLIP_LEAST), speed = r->scales.slip;
    if (of_position) return CAROM_RIGID_DRIFT*tolerance*r->scales.size;
    for (int k = 0; k < 2; k++) speed += tolerance*speed_of(sys->model, &sys->scratch.kin, at->body[k]);
    return CAROM_RIGID_DRIFT*speed;
}

static double error_of(const caromSystem *sys, int i, bool of_position)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromPlacedPoint *at = &r->space->points[i];
    bool sticks = r->is_sharp && r->contacts[i].mode == CAROM_MODE_ROLLING;
    if (of_position) return fabs(at->g);
    return fmax(fabs(at->v[0]), sticks ? hypot(at->v[1], at->v[2]) : 0.0);
}

// A slip that has just begun leaves the direction that friction is against.
static bool leaves_heading(const caromSystem *sys, int i)
{
    const caromRigid *r = carom_rigid_of(sys);
    const double *v = r->space->points[i].v, *f = r->space->f + 3*i;
    if (carom_norm(r->contacts[i].direction) == 0.0) return false;
    return fabs(v[1]*f[2] - v[2]*f[1]) > drift_most(sys, i, false)*hypot(f[1], f[2]);
}

bool carom_rigid_strays(const caromSystem *sys)
{
    const caromRigid *r = carom_rigid_of(sys);
    for (int i = 0; i < r->n && !carom_rigid_holds(r); i++) {
        if (leaves_heading(sys, i)) return true;
        for (int position = 0; position < 2; position++) {
            if (is_kept(&r->contacts[i]) && error_of(sys, i, position) > drift_most(sys, i, position)) return true;
        }
    }
    return false;
}

caromStay carom_rigid_equality(bool sticks)
{
    return (caromStay){ .friction = sticks ? 1.0 : 0.0, .static_friction = sticks ? 1.0 : 0.0,
                        .delta = sticks ? 0.0 : 1.0, .compliance = 1.0,
                        .mode = sticks ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING };
}

// What has to vanish: gaps (of position), or normal speeds and those of contacts that stick (of velocity). What is no
// drift is left to impacts and modes, unless `all` are asked for.
static double set_errors(const caromSystem *sys, bool of_position, bool all)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromSpace *s = r->space;
    double largest = 0.0;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        const caromPlacedPoint *at = &s->points[i];
        bool sticks = !of_position && r->is_sharp && c->mode == CAROM_MODE_ROLLING,
             drifts = is_kept(c) && (all || error_of(sys, i, of_position) <= drift_most(sys, i, of_position));
        s->stays[i] = carom_rigid_equality(sticks);
        if (!drifts) s->stays[i].mode = CAROM_MODE_FLIGHT;
        s->b[3*i] = of_position ? at->g : at->v[0];
        s->b[3*i + 1] = sticks ? at->v[1] : 0.0;
        s->b[3*i + 2] = sticks ? at->v[2] : 0.0;
        if (drifts) largest = fmax(largest, fmax(fabs(s->b[3*i]), hypot(s->b[3*i + 1], s->b[3*i + 2])));
    }
    return largest;
}

static void combine(const caromModel *m, const caromSpace *s, double *step)
{
    memset(step, 0, (size_t)m->nv*sizeof *step);
    for (int k = 0; k < 3*s->n; k++) {
        if (s->f[k] == 0.0) continue;
        const double *L = s->L + (size_t)k*(size_t)m->nv;
        for (int i = 0; i < m->nv; i++) step[i] += s->f[k]*L[i];
    }
}

static bool correct(caromSystem *sys, bool of_position, double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    const caromModel *m = sys->model;
    if (!carom_dyn_articulated_factor(m, &sys->scratch.kin, &sys->scratch.work)) return false;
    carom_space_respond(m, &sys->scratch.kin, r->space, &sys->scratch.work);
    caromStayProblem problem = carom_space_problem(r->space);
    if (!carom_unilateral_equalities(&problem, r->space->f, r->space->work)) return false;
    combine(m, r->space, r->event.speeds);
    double *q = y, *v = y + m->nq;
    if (!of_position) {
        for (int i = 0; i < m->nv; i++) v[i] += r->event.speeds[i];
        return true;
    }
    carom_kin_rate(m, q, r->event.speeds, r->event.rates);
    for (int i = 0; i < m->nq; i++) q[i] += r->event.rates[i];
    carom_kin_normalize(m, q);
    return true;
}

static void place(caromSystem *sys, double time, const double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    carom_kin_update(sys->model, time, y, y + sys->model->nq, &sys->scratch.kin);
    carom_space_place(sys->model, &sys->scratch.kin, y, r->contacts, r->n, r->space);
}

// Gaps and speeds of the contacts that are placed; returns whether y was changed.
static bool bring_back(caromSystem *sys, double time, double *y, bool all)
{
    caromRigid *r = carom_rigid_of(sys);
    double rounding = CAROM_RIGID_KEPT_GAP*sys->search.margin, slow = CAROM_RIGID_KEPT_SPEED*r->scales.speed;
    bool is_changed = false;
    for (int i = 0; i < CAROM_RIGID_KEPT_MOST && r->n > 0 && set_errors(sys, true, all) > rounding; i++) {
        if (!correct(sys, true, y)) break;
        place(sys, time, y);
        is_changed = true;
    }
    if (r->n > 0 && (set_errors(sys, false, all) > slow || is_changed) && correct(sys, false, y)) is_changed = true;
    return is_changed;
}

bool carom_rigid_part(caromSystem *sys)
{
    place(sys, 0.0, sys->y);
    set_errors(sys, true, true);
    return correct(sys, true, sys->y);
}

// The lowest point of a rim would jump where its disc passes through flat.
static double time_to_flat(const caromSystem *sys, const caromContactPoint *c)
{
    caromTouchLean disc;
    if (c->about.kind != CAROM_CONSTRAINT_PAIR ||
        !carom_manifold_lean(sys->model, &sys->scratch.kin, c->about.index, c->feature, &disc)) return (double)INFINITY;
    double rate = carom_norm(disc.rate);
    return rate > 0.0 ? CAROM_RIGID_TO_FLAT*carom_norm(disc.lean)/rate : (double)INFINITY;
}

// Friction would turn round where a slip stops, and a loose step that goes beyond may end with a little of it left: off
// by a h in speed and by m (a h)^2 in energy, which is within the tolerance of m g size where h < sqrt(tol size/g).
static double time_to_stop(const caromRigid *r, int i)
{
    const caromSpace *s = r->space;
    const double *v = s->points[i].v;
    double slip = hypot(v[1], v[2]), tolerance = r->model->settings.tolerance;
    if (!r->is_sharp || r->contacts[i].mode != CAROM_MODE_SLIDING || !(slip > r->scales.slip)) return (double)INFINITY;
    double rate = -(v[1]*carom_space_acceleration(s, 3*i + 1) + v[2]*carom_space_acceleration(s, 3*i + 2))/slip,
           unseen = sqrt(tolerance)*tolerance*r->scales.size/r->scales.slip;  // scales.slip: tol sqrt(g size)
    return rate > 0.0 ? fmax(slip/rate, unseen) : (double)INFINITY;
}

// Regularised friction is bounded, and so may hide from the error estimate that an explicit step was not stable: slip
// then wanders within delta, and what it loses is noise. Steps a little longer than what is held count as stiff.
static double stable_time(const caromSystem *sys)
{
    double rate = carom_rigid_scratch_of(&sys->scratch)->friction_rate;
    const caromMethod *method = sys->search.method;
    if (!(rate > 0.0) || !method || method->is_stiff) return (double)INFINITY;
    return CAROM_RIGID_HELD*method->held/rate;
}

static double listed_time(const caromSystem *sys)
{
    const caromRigid *r = carom_rigid_of(sys);
    double time = (double)INFINITY;
    for (int i = 0; i < r->n; i++)
        if (carom_rigid_is_first(r, i))
            time = fmin(time, carom_manifold_pace(sys->model, &sys->scratch.kin, r->contacts[i].about.index));
    return time;
}

bool carom_rigid_outruns(const caromSystem *sys, double time)
{
    return time > CAROM_RIGID_OUTRUN*listed_time(sys);
}

void carom_rigid_set_pace(caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    r->pace = fmin(fmin(r->motions_pace, stable_time(sys)), listed_time(sys));
    for (int i = 0; i < r->n && !carom_rigid_holds(r); i++) {
        if (r->contacts[i].mode == CAROM_MODE_FLIGHT) continue;
        r->pace = fmin(r->pace, fmin(time_to_flat(sys, &r->contacts[i]), time_to_stop(r, i)));
    }
}

// Contacts that have flown off are the search's again.
static void forget_flown(caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    int kept = 0;
    for (int i = 0; i < r->n; i++) {
        bool is_gone = r->contacts[i].mode == CAROM_MODE_FLIGHT && r->space->points[i].g > r->scales.gap;
        if (is_gone) carom_rigid_close(r, r->contacts[i].about, false);
        else r->contacts[kept++] = r->contacts[i];
    }
    if (kept == r->n) return;
    r->n = kept;
    // Another point of the same pair may stay.
    for (int i = 0; i < kept; i++) carom_rigid_close(r, r->contacts[i].about, true);
    carom_space_place(sys->model, &sys->scratch.kin, sys->y, r->contacts, r->n, r->space);
}

void carom_rigid_keep_headings(caromRigid *r)
{
    for (int i = 0; i < r->n; i++) {
        r->contacts[i].direction = r->heading[i].direction;
        r->contacts[i].lag = r->heading[i].lag;
    }
}

// Points go by the names that they have where they are now.
static void follow(caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        if (c->about.kind == CAROM_CONSTRAINT_PAIR)
            carom_manifold_follow(sys->model, &sys->scratch.kin, c->about.index, c->feature);
    }
}

static bool keep(caromSystem *sys, double time, bool all)
{
    if (carom_rigid_of(sys)->n == 0 || carom_rigid_holds(carom_rigid_of(sys))) return false;
    place(sys, time, sys->y);
    forget_flown(sys);
    bool is_changed = bring_back(sys, time, sys->y, all);
    follow(sys);
    return is_changed;
}

// Returns whether y was changed.
bool carom_rigid_keep(caromSystem *sys, double time)
{
    return keep(sys, time, false);
}

void carom_rigid_keep_landed(caromSystem *sys, double time)
{
    keep(sys, time, true);
}

// The interpolant may be off by more than a step at its end, and no event follows that would see to it: all are brought
// back, however far that is.
void carom_rigid_keep_sample(caromSystem *sys, double time, double *y)
{
    if (carom_rigid_of(sys)->n == 0 || carom_rigid_holds(carom_rigid_of(sys))) return;
    place(sys, time, y);
    bring_back(sys, time, y, true);
}
