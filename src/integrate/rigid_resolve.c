// What happens at an event of rigid bodies: impacts of everything that touches, then the modes of what stays.
//
//     collect      points that touch: those that did, those that have come down, all within the same gap_tol (rigid_collect.c)
//     strike       impacts, if any of them approaches
//     rest         what neither approaches nor parts stays: modes and forces by complementarity; no consistent forces: an impact without collision, and again
//     let_bounce   what parts, but comes back before anybody could see it, lands: the sum of its bounces (docs/rigid.md)
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "integrate/sim.h"

#define CHATTER_MOST 1e3  // v_tol is a thousandth of what the integration may be off

enum { REPEATS_MAX = 1000, JAMS_MAX = 20 };

// ---- strike

static caromImpactContact blow_of(const caromRigid *r, const caromContactPoint *c, const double v[3])
{
    const caromModel *m = r->model;
    caromImpactContact blow = { .stiffness = 1.0, .delta = m->settings.v_small, .law = CAROM_IMPACT_ENERGETIC };
    if (c->what >= m->npair) {
        blow.restitution = m->limits[c->what - m->npair].restitution;
        return blow;
    }
    const caromPairLaw *law = carom_law_of(m, c->what);
    blow.restitution = carom_law_restitution(law, fmax(0.0, -v[0]));
    blow.friction = law->friction;
    blow.static_friction = law->static_friction;
    blow.law = law->impact;
    return blow;
}

// Work of the motions that are prescribed: what their joints transmit along their axes, at the speed that they do not change.
static void book_motions(caromSim *sim, double time)
{
    const caromModel *m = sim->model;
    const caromKin *kin = &sim->eval.kin;
    double *ledger = sim->y + carom_eval_ledger(&sim->eval);
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (!link->motion) continue;
        caromSpatial p = sim->eval.rigid->reactions[k], S = kin->S[link->is];
        ledger[CAROM_LEDGER_SUPPLIED] += carom_function_at(link->motion, time).rate*(carom_dot(S.angular, p.angular) + carom_dot(S.linear, p.linear));
    }
}

// The state with the impulses p of all contacts, and what joints transmit of them.
static void apply(caromSim *sim, double time, const double *p)
{
    const caromModel *m = sim->model;
    caromRigid *r = sim->eval.rigid;
    caromSpace *s = &r->space;
    caromKin *kin = &sim->eval.kin;
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    carom_space_push_links(m, kin, s, p, s->F_o, s->tau);
    carom_loops_respond(m, kin, s->F_o, s->tau, &sim->eval.work, r->speeds);
    for (int i = 0; i < m->nv; i++) sim->y[m->nq + i] += r->speeds[i];
    carom_art_response_reactions(m, kin, s->F_o, &sim->eval.work, r->reactions);
    book_motions(sim, time);
    for (int k = 0; k < m->njoint; k++) {
        int link = m->joints[k].link;
        r->joint_impulses[k] = link >= 0 ? r->reactions[link] : (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
    }
}

static void book(caromSim *sim, const caromImpactOutcome *o)
{
    double *ledger = sim->y + carom_eval_ledger(&sim->eval);
    ledger[CAROM_LEDGER_DAMPING] -= o->compression + o->restitution;
    ledger[CAROM_LEDGER_FRICTION] -= o->friction;
}

// Contacts at the state as it is, with their response.
static bool place(caromSim *sim, double time, const caromContactPoint *contacts, int n)
{
    const caromModel *m = sim->model;
    caromKin *kin = &sim->eval.kin;
    carom_kin_update(m, time, sim->y, sim->y + m->nq, kin);
    if (!carom_art_factor(m, kin, &sim->eval.work)) return false;
    carom_space_place(m, kin, sim->y, sim->y + m->nq, contacts, n, &sim->eval.rigid->space);
    carom_space_respond(m, kin, &sim->eval.rigid->space, &sim->eval.work);
    return true;
}

static caromStatus no_inertia(double time, caromError *err)
{
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s a joint has no inertia to move", time);
}

// How fast the fastest of them approaches.
static double approach(const caromSpace *s)
{
    double most = 0.0;
    for (int i = 0; i < s->n; i++) most = fmax(most, -s->points[i].v[0]);
    return most;
}

// What gravity gives within the time of so many events in a row, up to the tolerance of the integration. Contacts of one body that take turns, each impact of one opening another,
// need not come to rest by themselves: a box in a corner went on at 3 v_tol, an event every 20 ps.
static double chatter_speed(const caromRigid *r, double time)
{
    double lasted = time - r->times[r->events % CAROM_RIGID_CHATTER];
    return r->events < CAROM_RIGID_CHATTER ? 0.0 : fmin(CHATTER_MOST*r->v_tol, lasted*carom_norm(r->model->settings.gravity));
}

// Speeds that count as none at this instant.
static double small_speed(const caromRigid *r, double fastest)
{
    return fmax(r->v_rest, 1e-9*fastest);
}

static void set_outcome_impulses(caromRigid *r, double *p)
{
    for (int i = 0; i < r->space.n; i++) memcpy(p + 3*i, r->outcomes[i].p, 3*sizeof *p);
}

// The fastest approach of the pair of each contact, told once: by its first contact in the list.
static void note_decay(caromRigid *r)
{
    for (int i = 0; i < r->space.n; i++) {
        int what = r->found[i].what;
        if (carom_rigid_point_of_pair(r, i) > 0) continue;
        double speed = 0.0;
        for (int k = i; k < r->space.n; k++) if (r->found[k].what == what) speed = fmax(speed, -r->space.points[k].v[0]);
        if (speed <= r->v_tol) continue;
        caromDecay *d = &r->decay[what];
        double ratio = d->speed > 0.0 ? speed/d->speed : 0.0;
        *d = (caromDecay){ speed, ratio, fabs(ratio - d->ratio) < 0.01*ratio };
    }
}

static caromStatus strike(caromSim *sim, double time, int n, double fastest)
{
    caromRigid *r = sim->eval.rigid;
    caromSpace *s = &r->space;
    for (int i = 0; i < n; i++) {
        memcpy(r->v + 3*i, s->points[i].v, 3*sizeof *r->v);
        r->blows[i] = blow_of(r, &r->found[i], s->points[i].v);
    }
    caromImpactProblem problem = { .n = n, .contacts = r->blows, .G = s->G, .scheme = sim->model->settings.impacts, .exponent = sim->model->settings.impact_exponent,
                                   .v_tol = small_speed(r, fastest), .tolerance = fmin(1e-9, sim->model->settings.tolerance) };
    note_decay(r);
    caromImpactReport report = carom_impact_solve(&problem, r->v, r->outcomes, r->impact);
    set_outcome_impulses(r, s->f);
    apply(sim, time, s->f);
    for (int i = 0; i < n; i++) {
        if (!(r->outcomes[i].p[0] > 0.0)) continue;
        book(sim, &r->outcomes[i]);
        caromStatus status = carom_rigid_tell_impact(sim, time, i, s->points[i].v, r->v + 3*i, &report);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// ---- rest

// v_n of the first n contacts of the list is made 0, exactly; they are at most rounding or a speed that nobody sees.
static void stop(caromSim *sim, double time, int n)
{
    caromRigid *r = sim->eval.rigid;
    caromSpace *s = &r->space;
    for (int i = 0; i < n; i++) {
        s->stays[i] = (caromStay){ .delta = 1.0, .compliance = 1.0, .mode = CAROM_MODE_SLIDING };
        s->b[3*i] = s->points[i].v[0];
        s->b[3*i + 1] = s->b[3*i + 2] = 0.0;
    }
    caromStayProblem problem = { n, s->stays, s->G, s->b };
    if (!carom_unilateral_forces(&problem, NULL, s->f, s->work)) return;
    double *ledger = sim->y + carom_eval_ledger(&sim->eval);
    for (int i = 0; i < n; i++) ledger[CAROM_LEDGER_DAMPING] -= 0.5*s->f[3*i]*s->points[i].v[0];
    apply(sim, time, s->f);
}

// Those that stay to the front, in their order: neither parting nor (any more) approaching.
static int split(caromSim *sim, double fastest)
{
    caromRigid *r = sim->eval.rigid;
    int n = r->space.n, front = 0, back = 0;
    caromContactPoint *others = r->contacts;  // not needed any more: found has what they were
    double small = small_speed(r, fastest);
    for (int i = 0; i < n; i++) {
        if (fabs(r->space.points[i].v[0]) <= small) r->found[front++] = r->found[i];
        else others[back++] = r->found[i];
    }
    for (int i = 0; i < back; i++) r->found[front + i] = others[i];
    return front;
}

// By which a pair gives way in a jam [N/m]: as given for it, where that is a linear spring; else of its materials over the size of the smallest body.
static double jam_stiffness(const caromRigid *r, int pair)
{
    const caromPairLaw *law = carom_law_of(r->model, pair);
    bool is_linear = law->stiffness > 0.0 && law->exponent == 1.0;
    return is_linear ? law->stiffness : law->E_star*r->size;
}

// The contact friction has locked: an impact without collision, or a spring for a moment.
static caromStatus pass_jam(caromSim *sim, double time, int worst)
{
    caromRigid *r = sim->eval.rigid;
    caromSpace *s = &r->space;
    int n = s->n;
    double G[9], v[3];
    for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) G[3*i + k] = s->G[(size_t)(3*worst + i)*3*(size_t)n + (size_t)(3*worst + k)];
    memcpy(v, s->points[worst].v, sizeof v);
    caromEvent event = carom_rigid_event(sim, CAROM_EVENT_JAM, time, &r->found[worst], &s->points[worst]);
    event.speed = hypot(v[1], v[2]);
    caromStatus status = carom_sim_tell(sim, &event);
    if (status != CAROM_OK) return status;
    memset(r->outcomes, 0, (size_t)n*sizeof *r->outcomes);
    r->blows[worst] = blow_of(r, &r->found[worst], v);
    v[0] = fmin(v[0], 0.0);
    bool is_spring = sim->model->settings.jam == CAROM_JAM_COMPLIANCE && r->found[worst].what < sim->model->npair;
    if (is_spring) carom_impact_compliant(&r->blows[worst], G, s->b + 3*worst, jam_stiffness(r, r->found[worst].what), v, &r->outcomes[worst]);
    else carom_impact_single(&r->blows[worst], G, 1e-12, v, &r->outcomes[worst]);
    set_outcome_impulses(r, s->f);
    apply(sim, time, s->f);
    book(sim, &r->outcomes[worst]);
    return carom_rigid_tell_impact(sim, time, worst, s->points[worst].v, v, &(caromImpactReport){ .waves = 1, .jammed = worst });
}

// Modes and forces of the first n of found; dv of guard is the motion with them.
static caromStayAnswer choose(caromSim *sim, double time, int n, int *worst)
{
    caromRigid *r = sim->eval.rigid;
    caromSpace *s = &r->space;
    double *dv = sim->guard.dydt + sim->model->nq;
    carom_eval_unforced(&sim->eval, time, sim->y, sim->guard.dydt);
    carom_space_place(sim->model, &sim->eval.kin, sim->y, sim->y + sim->model->nq, r->found, n, s);
    carom_space_accelerate(sim->model, &sim->eval.kin, &sim->eval.work, dv, s);
    carom_space_respond(sim->model, &sim->eval.kin, s, &sim->eval.work);
    for (int i = 0; i < n; i++) s->stays[i] = carom_rigid_stay(r, &r->found[i], &s->points[i]);
    caromStayProblem problem = { n, s->stays, s->G, s->b };
    caromStayAnswer answer = n > 0 ? carom_unilateral_choose(&problem, s->f, s->a, worst, s->work) : CAROM_STAY_OK;
    if (answer == CAROM_STAY_NONE) return answer;
    carom_space_push(sim->model, &sim->eval.kin, s, s->f, sim->eval.work.F_C, sim->eval.work.tau);
    carom_dyn_accelerate(sim->model, &sim->eval.kin, &sim->eval.work, dv);
    return answer;
}

static void set_mode(const caromRigid *r, int i, caromContactPoint *c)
{
    const caromSpace *s = &r->space;
    const caromPlacedPoint *at = &s->points[i];
    c->mode = s->stays[i].mode;
    c->lands = NAN;
    c->hops = false;
    c->direction = carom_add(carom_scale(s->stays[i].direction[0], at->t1), carom_scale(s->stays[i].direction[1], at->t2));
}

// ---- let_bounce: those of found from `first` on part; dv and acc are the motion with all that stays.

// Part of the speed that is left after each bounce: the restitution, or what was seen where bounces of several points take turns.
static double decay_of(const caromRigid *r, int what, double e)
{
    const caromDecay *d = &r->decay[what];
    return d->is_steady && d->ratio > e + 0.01 && d->ratio < 0.97 ? d->ratio : e;
}

static bool will_land(caromRigid *r, int i, double time, double e, caromContactPoint *c)
{
    const caromSpace *s = &r->space;
    double v = s->points[i].v[0], a = s->b[3*i], slip = hypot(s->points[i].v[1], s->points[i].v[2]);
    if (!(v > 0.0 && a < 0.0)) return false;
    double beyond = 3.0*v/-a;  // one and a half hops: a step that ends just behind the touch would not be told from one that ends at it
    r->next_step = r->next_step > 0.0 ? fmin(r->next_step, beyond) : beyond;
    double ratio = decay_of(r, c->what, e), rise = fmax(0.5*(1.0 - ratio), 0.05);  // the sum rises by 2/(1 - ratio) times the height of the first hop
    if (e >= 1.0 || v*v > -2.0*a*fmax(rise*r->hop, r->least_hop)) return false;
    // Each hop is shorter than the one before by this part; when the clock cannot tell that, or they would soon count as chatter, they are summed up in any case.
    double hop = 2.0*v/-a, part = 1.0 - e;
    c->hops = r->model->settings.landing == CAROM_LANDING_STRETCHED && part*hop > 32.0*DBL_EPSILON*time && v > 4.0*CHATTER_MOST*r->v_tol;
    if (c->hops) {
        c->lands = time + hop;
        return true;
    }
    caromLanding landing = carom_landing(v, a, ratio, 1.0);
    c->lands = time + landing.time;
    c->rate = -v/landing.time;
    double small = r->is_sharp ? r->slip_tol : r->model->settings.v_small;
    c->mode = slip <= small ? CAROM_MODE_ROLLING : CAROM_MODE_SLIDING;
    return c->lands > time;
}

// Does another point of the pair stay, or bounce to its end?
static bool is_held(const caromRigid *r, int n, int what)
{
    for (int i = 0; i < n; i++) if (r->found[i].what == what && (r->found[i].mode != CAROM_MODE_FLIGHT || carom_point_lands(&r->found[i]))) return true;
    return false;
}

// A pair that flies is the search's again, which gets past the overlap of a rounding. Where another of its points is held, what parts is watched until
// it is apart: the search knows pairs only.
static void let_bounce(caromSim *sim, double time, int first, int n)
{
    caromRigid *r = sim->eval.rigid;
    carom_space_place(sim->model, &sim->eval.kin, sim->y, sim->y + sim->model->nq, r->found + first, n - first, &r->space);
    carom_space_accelerate(sim->model, &sim->eval.kin, &sim->eval.work, sim->guard.dydt + sim->model->nq, &r->space);
    for (int i = first; i < n; i++) {
        caromContactPoint *c = &r->found[i];
        double e = blow_of(r, c, (double[3]){ -r->space.points[i - first].v[0], 0, 0 }).restitution;
        c->lands = NAN;
        c->mode = CAROM_MODE_FLIGHT;
        if (will_land(r, i - first, time, e, c)) continue;
        c->lands = NAN;
        c->mode = CAROM_MODE_FLIGHT;
    }
    for (int i = first; i < n; i++) if (!is_held(r, n, r->found[i].what)) r->found[i].what = -1;
}

// Friction of bounces that are summed up may lock bodies that touch elsewhere, and there is no finite force then: they are made one by one.
static void hop_instead(caromRigid *r, double time)
{
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        if (!carom_point_lands(c) || c->hops) continue;
        double duration = c->lands - time, e = blow_of(r, c, (double[3]){ c->rate*duration, 0, 0 }).restitution;
        c->lands = fmax(time + duration*(1.0 - decay_of(r, c->what, e)), nextafter(time, INFINITY));  // of the first of them
        c->hops = true;
        c->mode = CAROM_MODE_FLIGHT;
    }
}

static double normal_acceleration(const caromSpace *s, int i)
{
    size_t n = 3*(size_t)s->n;
    const double *G = s->G + 3*(size_t)i*n;
    double a = s->b[3*i];
    for (size_t k = 0; k < n; k++) a += G[k]*s->f[k];
    return a;
}

// Modes were chosen without the forces of bounces that are summed up. Do these bring down what was to part, or make a contact pull?
static bool do_landings_disturb(const caromRigid *r)
{
    const double small = 1e-9;
    bool any = false, disturbed = false;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        bool is_landing = carom_point_lands(c) && !c->hops;
        any = any || is_landing;
        if (c->hops) continue;
        if (c->mode == CAROM_MODE_FLIGHT) disturbed = disturbed || normal_acceleration(&r->space, i) < -small*fabs(r->space.b[3*i]);
        else disturbed = disturbed || r->space.f[3*i] < -small*carom_rigid_usual_force(r, c->what);
    }
    return any && disturbed;
}

// ---- the list

void carom_rigid_flag(caromSim *sim, const caromContactPoint *c, bool value)
{
    caromModes *modes = &sim->eval.world.modes;
    if (c->what < sim->model->npair) modes->is_active[c->what] = value;
    else modes->limit_is_active[c->what - sim->model->npair] = value;
}

static void set_flags(caromSim *sim, bool value)
{
    for (int i = 0; i < sim->eval.rigid->n; i++) carom_rigid_flag(sim, &sim->eval.rigid->contacts[i], value);
}

static int keep(caromRigid *r, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) if (r->found[i].what >= 0) r->contacts[kept++] = r->found[i];
    return kept;
}

static caromStatus check_repeats(caromSim *sim, double time, int what, int n, caromError *err)
{
    caromRigid *r = sim->eval.rigid;
    if (time > r->last_time) {
        r->last_time = time;
        r->repeats = 0;
    }
    if (++r->repeats <= REPEATS_MAX) return CAROM_OK;
    char name[4*CAROM_NAME_MAX] = "a contact";
    if (n > 0) what = r->found[0].what;
    if (what >= 0) carom_sim_name_of(sim->model, what, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s changes its mode %d times without time passing: give another tolerance, or response: compliant", time, name, REPEATS_MAX);
}

static caromStatus out_of_memory(caromError *err)
{
    return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for the contacts");
}

// Impacts and modes of the n contacts of found, again while friction locks one of them. *stay: how many of them stay.
static caromStatus settle(caromSim *sim, double time, int n, int *stay, caromError *err)
{
    caromRigid *r = sim->eval.rigid;
    for (int jams = 0;; jams++) {
        if (!place(sim, time, r->found, n)) return no_inertia(time, err);
        double fastest = approach(&r->space);
        if (fastest > r->v_rest) {
            caromStatus status = strike(sim, time, n, fastest);
            if (status != CAROM_OK) return status;
            if (!place(sim, time, r->found, n)) return no_inertia(time, err);
        }
        *stay = split(sim, fastest);
        if (!place(sim, time, r->found, *stay)) return no_inertia(time, err);
        stop(sim, time, *stay);
        int worst = 0;
        if (choose(sim, time, *stay, &worst) != CAROM_STAY_NONE) return CAROM_OK;
        if (jams == JAMS_MAX) break;
        caromStatus status = pass_jam(sim, time, worst);
        if (status != CAROM_OK) return status;
    }
    char name[4*CAROM_NAME_MAX];
    carom_sim_name_of(sim->model, r->found[0].what, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s no forces of rigid bodies are consistent with friction at %s, and impacts do not lead out of it: "
                      "give less friction, or response: compliant", time, name);
}

// Bounces that have died out: the contact is held from now on. It was not before, as far as anybody is told. Returns whether there are any.
static bool end_landings(caromRigid *r, double time)
{
    bool is_any = false;
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        if (!carom_point_lands(c) || c->hops || c->lands > time*(1.0 + 1e-15)) continue;
        c->lands = NAN;
        is_any = true;
    }
    return is_any;
}

static double mechanical_energy(caromSim *sim, double time)
{
    const caromModel *m = sim->model;
    carom_kin_update(m, time, sim->y, sim->y + m->nq, &sim->eval.kin);
    return carom_dyn_kinetic_energy(m, &sim->eval.kin) + carom_dyn_potential_energy(m, &sim->eval.kin);
}

// What was held is at rest: speeds of the interpolant within a step are not, quite. What has landed comes down the height of its last bounces, and loses what they gave.
static void bring_to_rest(caromSim *sim, double time)
{
    if (!end_landings(sim->eval.rigid, time)) {
        carom_rigid_keep(sim, time);
        return;
    }
    double before = mechanical_energy(sim, time);
    carom_rigid_keep(sim, time);
    sim->y[carom_eval_ledger(&sim->eval) + CAROM_LEDGER_DAMPING] += before - mechanical_energy(sim, time);
}

caromStatus carom_rigid_resolve(caromSim *sim, double time, int what, bool is_start, caromError *err)
{
    caromRigid *r = sim->eval.rigid;
    caromKin *kin = &sim->eval.kin;
    r->v_tol = fmax(r->v_tol, 16.0*DBL_EPSILON*time*carom_norm(sim->model->settings.gravity));  // hops that the clock would not notice
    memcpy(r->before, r->contacts, (size_t)r->n*sizeof *r->before);
    int nbefore = r->n, stay = 0;
    if (!is_start) bring_to_rest(sim, time);
    carom_kin_update(sim->model, time, sim->y, sim->y + sim->model->nq, kin);
    int n = carom_rigid_collect(sim, kin, what, is_start);
    if (n < 0) return out_of_memory(err);
    caromStatus status = check_repeats(sim, time, what, n, err);
    if (status != CAROM_OK) return status;
    r->v_rest = fmax(r->v_tol, chatter_speed(r, time));
    r->times[r->events++ % CAROM_RIGID_CHATTER] = time;
    set_flags(sim, false);
    r->next_step = 0.0;
    status = settle(sim, time, n, &stay, err);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < stay; i++) set_mode(r, i, &r->found[i]);
    let_bounce(sim, time, stay, n);
    r->n = keep(r, n);
    set_flags(sim, true);
    if (sim->ode.f(sim->ode.user, time, sim->y, sim->guard.dydt) != CAROM_OK || do_landings_disturb(r)) {
        hop_instead(r, time);
        sim->ode.f(sim->ode.user, time, sim->y, sim->guard.dydt);  // for the rate of friction
    }
    return carom_rigid_tell_changes(sim, time, r->before, nbefore);
}
