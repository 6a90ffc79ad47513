// What happens at an event of rigid bodies: impacts of everything that touches, then the modes of what stays.
//
//     collect      points that touch: those that did, those that have come down, all within the same gap
//                  (rigid_collect.c)
//     strike       impacts, if any of them approaches (rigid_impact.c)
//     rest         what neither approaches nor parts stays: modes and forces by complementarity; no consistent forces:
//                  an impact without collision, and again
//     bounce       what parts, but comes back before anybody could see it, lands: the sum of its bounces
//                  (rigid_bounce.c, docs/rigid.md)
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "response/rigid.h"

static caromStatus no_inertia(double time, caromError *err)
{
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s a joint has no inertia to move", time);
}

static caromStatus out_of_memory(caromError *err)
{
    return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for the contacts");
}

// How fast the fastest of them approaches.
static double approach(const caromSpace *s)
{
    double most = 0.0;
    for (int i = 0; i < s->n; i++) most = fmax(most, -s->points[i].v[0]);
    return most;
}

// Those that stay to the front, in their order: neither parting nor (any more) approaching.
static int split(caromSystem *sys, double fastest)
{
    caromRigid *r = carom_rigid_of(sys);
    int n = r->space->n, front = 0, back = 0;
    caromContactPoint *others = r->event.parting;
    double small = carom_rigid_small_speed(r, fastest);
    for (int i = 0; i < n; i++) {
        if (fabs(r->space->points[i].v[0]) <= small) r->event.found[front++] = r->event.found[i];
        else others[back++] = r->event.found[i];
    }
    for (int i = 0; i < back; i++) r->event.found[front + i] = others[i];
    return front;
}

void carom_rigid_accelerate(caromSystem *sys, double time, int n, bool all)
{
    caromRigid *r = carom_rigid_of(sys);
    caromInstant at = { time, sys->y, sys->n };
    carom_motion_unforced(sys->model, &at, &sys->scratch, r->event.dydt);
    carom_space_place(sys->model, &sys->scratch.kin, sys->y, r->event.found, n, r->space);
    carom_rigid_resist(r, r->event.found, r->space);
    double small = r->is_sharp ? carom_rigid_small_slip(r) : 0.0;
    carom_rigid_spread(r, &sys->scratch.kin, r->event.found, small, all, r->space);
    carom_space_accelerate(sys->model, &sys->scratch.kin, &sys->scratch.work, r->event.dydt + sys->model->nq, r->space);
    carom_space_respond(sys->model, &sys->scratch.kin, r->space, &sys->scratch.work);
}

static caromStayAnswer choose_from(caromSystem *sys, double time, int n, bool all, int *worst)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    carom_rigid_accelerate(sys, time, n, all);
    for (int i = 0; i < n; i++) {
        s->stays[i] = carom_rigid_stay(r, &r->event.found[i], &s->points[i]);
        s->stays[i].slip_small = carom_rigid_small_slip(r);
    }
    caromStayProblem problem = carom_space_problem(s);
    return n > 0 ? carom_unilateral_choose(&problem, s->f, s->a, worst, s->work) : CAROM_STAY_OK;
}

// Could its friction be that of a face that turns?
static bool is_in_face(const caromRigid *r, int i)
{
    const caromContactPoint *c = &r->event.found[i];
    const caromPlacedPoint *at = &r->space->points[i];
    return c->about.kind == CAROM_CONSTRAINT_PAIR && r->has_faces[c->about.index] && !c->is_alone &&
           carom_dot(at->n, at->w) != 0.0;
}

static void leave_alone(caromRigid *r, int n, caromConstraint about)
{
    for (int i = 0; i < n; i++)
        if (carom_model_constraint_is(r->event.found[i].about, about)) r->event.found[i].is_alone = true;
}

// Modes into found. Does one leave a face that turns, or come to be of it, by parting or sticking? Friction of others
// is another one then. first: all were in it. is_last: where that has no end, since a corner presses by friction of its
// own and parts by that of the face, pressure is anything but even, and all of the face have friction of their own.
static bool changes_faces(caromRigid *r, int n, bool first, bool is_last)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        caromContactPoint *c = &r->event.found[i];
        const caromPlacedPoint *at = &r->space->points[i];
        bool was_in = first || c->mode != CAROM_MODE_FLIGHT, did_stick = carom_rigid_sticks(r, c, at, first);
        c->mode = r->space->stays[i].mode;
        bool is_in = c->mode != CAROM_MODE_FLIGHT, sticks = carom_rigid_sticks(r, c, at, false),
             changes = (was_in != is_in || did_stick != sticks) && is_in_face(r, i);
        any = any || changes;
        if (changes && is_last) leave_alone(r, n, c->about);
    }
    return any;
}

// Modes and forces of the first n of found; event.dydt is the motion with them.
static caromStayAnswer choose(caromSystem *sys, double time, int n, int *worst)
{
    caromRigid *r = carom_rigid_of(sys);
    caromSpace *s = r->space;
    for (int i = 0; i < n; i++) r->event.found[i].is_alone = false;
    caromStayAnswer answer = choose_from(sys, time, n, true, worst);
    for (int k = 1; answer != CAROM_STAY_NONE && changes_faces(r, n, k == 1, k >= CAROM_RIGID_FACES_MAX); k++)
        answer = choose_from(sys, time, n, false, worst);
    if (answer == CAROM_STAY_NONE) return answer;
    carom_space_push(sys->model, &sys->scratch.kin, s, s->f, sys->scratch.work.F_C, sys->scratch.work.tau);
    carom_dyn_accelerate(sys->model, &sys->scratch.kin, &sys->scratch.work, r->event.dydt + sys->model->nq);
    return answer;
}

// Of a slip that begins. What could not be taken out of it would turn friction away from what was chosen.
static double lag_of(const caromRigid *r, int i)
{
    const caromSpace *s = r->space;
    const double *v = s->points[i].v, *a = s->a + 3*i;
    bool is_at_rest = hypot(v[1], v[2]) <= CAROM_RIGID_KEPT_SPEED*r->scales.slip;
    return is_at_rest ? carom_rigid_lag(r, hypot(a[1], a[2])) : (double)INFINITY;
}

static void set_mode(const caromRigid *r, int i, caromContactPoint *c)
{
    const caromSpace *s = r->space;
    const caromPlacedPoint *at = &s->points[i];
    c->mode = s->stays[i].mode;
    c->lands = NAN;
    c->hops = false;
    if (!(carom_rigid_slip_speed(at) > carom_rigid_small_slip(r))) c->lag = lag_of(r, i);
    c->direction = carom_add(carom_scale(s->stays[i].direction[0], at->t1),
                             carom_scale(s->stays[i].direction[1], at->t2));
}

// ---- the list

static void close_listed(caromRigid *r, bool value)
{
    for (int i = 0; i < r->n; i++) carom_rigid_close(r, r->contacts[i].about, value);
}

// The new active set, of the n points found: those that stay, and where another point of the pair is held, what parts
// too, which is watched until it is apart: the search knows pairs only. A pair that flies is the search's again, which
// gets past the overlap of a rounding.
static void set_contacts(caromRigid *r, int stay, int n)
{
    r->n = 0;
    for (int i = 0; i < n; i++) {
        const caromContactPoint *c = &r->event.found[i];
        if (i < stay || carom_rigid_is_held(r, n, c->about)) r->contacts[r->n++] = *c;
    }
}

static caromStatus check_repeats(caromSystem *sys, double time, int n, const caromConstraint *touched, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    if (time > r->clock.last_time) {
        r->clock.last_time = time;
        r->clock.repeats = 0;
    }
    if (++r->clock.repeats <= CAROM_RIGID_REPEATS_MAX) return CAROM_OK;
    char name[4*CAROM_NAME_MAX] = "a contact";
    if (n > 0) touched = &r->event.found[0].about;
    if (touched) carom_model_constraint_name(sys->model, *touched, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s changes its mode %d times without time passing: "
                      "give another tolerance, or response: compliant", time, name, CAROM_RIGID_REPEATS_MAX);
}

static caromStatus tell_squeezed(caromSystem *sys, double time, int squeezed, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_constraint_name(sys->model, carom_rigid_of(sys)->event.found[squeezed].about, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s prescribed motions press rigid bodies against each "
                      "other at %s, and none can give way: change the motion, or response: compliant", time, name);
}

// Forces for a while, in place of modes.
static caromStatus hold(caromSystem *sys, double time, int n, int *stay, caromError *err)
{
    *stay = n;
    int squeezed = carom_rigid_hold(sys, time, carom_rigid_length_of_hold(carom_rigid_of(sys), time), n);
    return squeezed < 0 ? CAROM_OK : tell_squeezed(sys, time, squeezed, err);
}

// Is friction alone what drives the contact in, A = n.G(n - mu d) <= 0, or about to be? Only that is the paradox of
// Painleve, which an impact without collision ends.
static bool is_jam(const caromRigid *r, int i)
{
    const caromSpace *s = r->space;
    const caromStay *c = &s->stays[i];
    const double *G = s->G + 9*(size_t)i*(size_t)s->n + 3*(size_t)i;
    double slip = hypot(c->slip[0], c->slip[1]), along = c->slip[0]*G[1] + c->slip[1]*G[2];
    return slip > c->slip_small && (1.0 - 2.0*CAROM_RIGID_UNSOUND)*G[0]*slip <= c->friction*along;
}

// Bounces that gravity ends while forces are held are over at its end, and those that nobody could see.
static void rest_within_hold(caromRigid *r, double time)
{
    double length = carom_rigid_length_of_hold(r, time), within = carom_norm(r->model->settings.gravity)*length;
    if (carom_rigid_is_unseen(r)) within = fmax(within, carom_rigid_unseen_gap(r)/length);
    r->clock.rest_speed = fmax(r->clock.rest_speed, within);
}

// Impacts of all; those for which prescribed motions would have to do work without bounds are no motion any more: what
// they drive has nowhere to go.
static caromStatus strike(caromSystem *sys, double time, double fastest, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    const double *supplied = &carom_response_ledger(sys)[CAROM_LEDGER_SUPPLIED];
    double before = *supplied, usual = r->scales.force*r->scales.size +
                                       carom_dyn_kinetic_energy(sys->model, &sys->scratch.kin);
    caromStatus status = carom_rigid_strike(sys, time, fastest);
    if (status != CAROM_OK || !(fabs(*supplied - before) > CAROM_RIGID_FORCED*usual)) return status;
    int hardest = 0;
    for (int i = 1; i < r->space->n; i++)
        if (r->event.outcomes[i].p[0] > r->event.outcomes[hardest].p[0]) hardest = i;
    return tell_squeezed(sys, time, hardest, err);
}

// Impacts of the *n contacts that are placed, if any approaches. What turns a disc that lies flat may bring down
// another point of its rim, which is found then, and struck.
static caromStatus strike_all(caromSystem *sys, double time, double fastest, int *n, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    caromStatus status = CAROM_OK;
    for (int k = 0; k < CAROM_RIGID_RIMS_MAX && fastest > r->clock.rest_speed && status == CAROM_OK; k++) {
        status = strike(sys, time, fastest, err);
        if (status == CAROM_OK && !carom_rigid_place(sys, time, *n)) status = no_inertia(time, err);
        int found = status == CAROM_OK ? carom_rigid_collect_rims(sys, &sys->scratch.kin, *n) : *n;
        if (found < 0) return out_of_memory(err);
        if (found == *n) break;
        *n = found;
        if (!carom_rigid_place(sys, time, *n)) status = no_inertia(time, err);
        fastest = approach(r->space);
    }
    return status;
}

// Impacts and modes of the *n contacts of found, again while friction locks one of them. *stay: how many of them stay.
static caromStatus strike_and_choose(caromSystem *sys, double time, int *count, int *stay, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    for (int jams = 0;; jams++) {
        if (!carom_rigid_place(sys, time, *count)) return no_inertia(time, err);
        double fastest = approach(r->space);
        if (jams == 0) carom_rigid_count_event(r, time, fastest);
        bool holds = *count > 0 && carom_rigid_is_time_to_hold(r, time);
        if (holds) rest_within_hold(r, time);
        caromStatus status = strike_all(sys, time, fastest, count, err);
        if (status != CAROM_OK) return status;
        int n = *count;
        if (holds) return hold(sys, time, n, stay, err);
        *stay = split(sys, fastest);
        if (!carom_rigid_place(sys, time, *stay)) return no_inertia(time, err);
        carom_rigid_stop(sys, time);
        int worst = 0;
        if (choose(sys, time, *stay, &worst) != CAROM_STAY_NONE) return CAROM_OK;
        if (jams == CAROM_RIGID_JAMS_MAX || !is_jam(r, worst)) return hold(sys, time, n, stay, err);
        status = carom_rigid_pass_jam(sys, time, worst);
        if (status != CAROM_OK) return status;
    }
}

static double mechanical_energy(caromSystem *sys, double time)
{
    const caromModel *m = sys->model;
    carom_kin_update(m, time, sys->y, sys->y + m->nq, &sys->scratch.kin);
    return carom_dyn_kinetic_energy(m, &sys->scratch.kin) + carom_dyn_potential_energy(m, &sys->scratch.kin);
}

// Speeds of all that no motion prescribes, by one factor: what rests, sticks or slides goes on doing so.
static void take_from_speeds(caromSystem *sys, double energy)
{
    const caromModel *m = sys->model;
    double *v = sys->y + m->nq, kinetic = carom_dyn_kinetic_energy(m, &sys->scratch.kin),
           factor = energy < kinetic ? sqrt(1.0 - energy/kinetic) : 0.0;
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        for (int i = 0; i < link->nv && !link->motion; i++) v[link->iv + i] *= factor;
    }
}

// What has landed comes down the height of its last bounces, and loses what they gave. Under forces that are held
// points wander over the surfaces, and bodies that are lifted back onto them pay for it with their motion: a rim that
// rolls gained 6 parts in a million of the energy in a second of such times (random scene 70022).
static void bring_back_to_surface(caromSystem *sys, double time)
{
    double before = mechanical_energy(sys, time);
    carom_rigid_keep_landed(sys, time);
    double after = mechanical_energy(sys, time);
    if (after <= before) carom_response_ledger(sys)[CAROM_LEDGER_DAMPING] += before - after;
    else take_from_speeds(sys, after - before);
}

// What was held is at rest: speeds of the interpolant within a step are not, quite.
static void bring_to_rest(caromSystem *sys, double time, bool held)
{
    if (carom_rigid_end_landings(carom_rigid_of(sys), time) || held) bring_back_to_surface(sys, time);
    else carom_rigid_keep(sys, time);
}

// Forces in the new modes. False: there are none that are finite.
static bool look_at_forces(caromSystem *sys, double time)
{
    caromRigid *r = carom_rigid_of(sys);
    caromInstant at = { time, sys->y, sys->n };
    caromFindings found = sys->response->evaluate(sys, &at, &sys->scratch, r->event.dydt);
    r->friction_rate = carom_rigid_scratch_of(&sys->scratch)->friction_rate;
    carom_rigid_set_pace(sys);
    return found.status == CAROM_OK;
}

static caromStatus begin_hold(caromSystem *sys, double time, int n)
{
    caromRigid *r = carom_rigid_of(sys);
    set_contacts(r, n, n);
    close_listed(r, true);
    look_at_forces(sys, time);
    return CAROM_OK;
}

// The n points of found: what happens to them, and the modes in which they go on.
static caromStatus resolve(caromSystem *sys, double time, int n, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    int stay = 0;
    r->clock.rest_speed = r->scales.speed;
    close_listed(r, false);
    r->next_step = 0.0;
    caromStatus status = strike_and_choose(sys, time, &n, &stay, err);
    if (status != CAROM_OK) return status;
    if (carom_rigid_holds(r)) return begin_hold(sys, time, n);
    for (int i = 0; i < stay; i++) set_mode(r, i, &r->event.found[i]);
    carom_rigid_let_bounce(sys, time, stay, n);
    set_contacts(r, stay, n);
    close_listed(r, true);
    if (look_at_forces(sys, time) && !carom_rigid_do_landings_disturb(r)) return CAROM_OK;
    if (carom_rigid_hop_instead(r, time)) {
        look_at_forces(sys, time);  // for the rate of friction
        return CAROM_OK;
    }
    close_listed(r, false);
    if (!carom_rigid_place(sys, time, n)) return no_inertia(time, err);
    rest_within_hold(r, time);
    status = hold(sys, time, n, &stay, err);
    return status == CAROM_OK ? begin_hold(sys, time, n) : status;
}

// What follows when the points that touch are found: n of them, negative: there was no memory for them.
static caromStatus go_on(caromSystem *sys, double time, int n, const caromConstraint *touched, caromError *err)
{
    if (n < 0) return out_of_memory(err);
    caromStatus status = check_repeats(sys, time, n, touched, err);
    return status == CAROM_OK ? resolve(sys, time, n, err) : status;
}

// What counts as rest is at least what gravity gives in a time that the clock would not notice.
static void keep_before(caromSystem *sys, double time)
{
    caromRigid *r = carom_rigid_of(sys);
    double unnoticed = CAROM_RIGID_TICKS*DBL_EPSILON*time*carom_norm(sys->model->settings.gravity);
    r->scales.speed = fmax(r->scales.speed, unnoticed);
    memcpy(r->event.before, r->contacts, (size_t)r->n*sizeof *r->event.before);
}

caromStatus carom_rigid_resolve(caromSystem *sys, double time, const caromConstraint *touched, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    caromKin *kin = &sys->scratch.kin;
    keep_before(sys, time);
    int nbefore = r->n;
    bool held = carom_rigid_holds(r);
    r->hold.until = -INFINITY;
    bring_to_rest(sys, time, held);
    carom_kin_update(sys->model, time, sys->y, sys->y + sys->model->nq, kin);
    caromStatus status = go_on(sys, time, carom_rigid_collect(sys, kin, touched), touched, err);
    r->stopped = 0.0;
    return status == CAROM_OK ? carom_rigid_tell_changes(sys, time, r->event.before, nbefore) : status;
}

caromStatus carom_rigid_resolve_start(caromSystem *sys, caromError *err)
{
    caromRigid *r = carom_rigid_of(sys);
    caromKin *kin = &sys->scratch.kin;
    keep_before(sys, 0.0);
    carom_kin_update(sys->model, 0.0, sys->y, sys->y + sys->model->nq, kin);
    caromStatus status = go_on(sys, 0.0, carom_rigid_collect_all(sys, kin), NULL, err);
    return status == CAROM_OK ? carom_rigid_tell_changes(sys, 0.0, r->event.before, 0) : status;
}
