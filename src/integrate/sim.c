// The loop over time: a step, the events in it, the samples in it.
#include <stdio.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "integrate/sim.h"

static bool allocate(caromSim *sim)
{
    const caromModel *m = sim->model;
    size_t n = (size_t)carom_eval_states_max(m), nbody = (size_t)m->nbody, npair = (size_t)m->npair, njoint = (size_t)m->njoint;
    sim->y = carom_alloc_array(n, sizeof *sim->y);
    sim->y_work = carom_alloc_array(n, sizeof *sim->y_work);
    sim->search.y = carom_alloc_array(n, sizeof *sim->search.y);
    sim->impacts = carom_alloc_array(npair + (size_t)m->nlimit, sizeof *sim->impacts);
    sim->joint_q = carom_alloc_array(CAROM_JOINT_NQ_MAX*njoint, sizeof *sim->joint_q);
    sim->joint_v = carom_alloc_array(CAROM_JOINT_NV_MAX*njoint, sizeof *sim->joint_v);
    sim->sample_q = carom_alloc_array(nbody, sizeof *sim->sample_q);
    sim->sample_V = carom_alloc_array(nbody, sizeof *sim->sample_V);
    sim->sample_contacts = carom_alloc_array(npair, sizeof *sim->sample_contacts);
    bool good = sim->joint_q && sim->joint_v && sim->y && sim->y_work && sim->search.y && sim->impacts && sim->sample_q && sim->sample_V && sim->sample_contacts;
    good = carom_eval_alloc(m, &sim->eval) && good;
    good = carom_tol_alloc(m, &sim->tol) && good;
    good = carom_guard_alloc(m, &sim->guard) && good;
    return carom_kin_alloc(m, &sim->sample_kin) && good;
}

// Pairs that touch at the start are in contact from the first instant, and joints beyond a limit press on it.
static caromStatus begin_contacts(caromSim *sim, caromError *err)
{
    const caromModel *m = sim->model;
    if (sim->eval.rigid) return CAROM_OK;  // by the first step, which tells the sink
    for (int limit = 0; limit < m->nlimit; limit++) {
        double rate;
        if (carom_limit_gap(m, limit, sim->y, sim->y + m->nq, &rate) <= 0.0) carom_sim_begin_limit(sim, sim->y, limit, 0.0);
    }
    for (int pair = 0; pair < m->npair; pair++) {
        if (carom_collide_gap(m, &sim->sample_kin, pair).g > sim->search.margin) continue;
        caromStatus status = carom_sim_begin_contact(sim, &sim->sample_kin, pair, 0.0, NULL, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Loops that the given coordinates do not close are assembled, staying as close to them as the masses suggest.
static caromStatus assemble(caromSim *sim, caromError *err)
{
    const caromModel *m = sim->model;
    if (m->nloop == 0) return CAROM_OK;
    double residual;
    int joint = m->loops[0];
    bool closed = carom_loops_project_position(m, 0.0, sim->y, &sim->eval.kin, &sim->eval.work, &residual, &joint);
    if (!closed) {
        return carom_fail(err, CAROM_ERR_MODEL, m->joints[joint].name,
                          "the loop that joint '%s' closes cannot be assembled: %.3g m are left between its two sides. Check lengths and frames, or start "
                          "closer to a position that is possible",
                          m->joints[joint].name, residual);
    }
    int round = carom_loops_turned_round(m, &sim->eval.kin);
    if (round >= 0) {
        return carom_fail(err, CAROM_ERR_MODEL, m->joints[round].name, "the loop that joint '%s' closes is half a turn off: its frames point in opposite directions",
                          m->joints[round].name);
    }
    carom_loops_project_velocity(m, 0.0, sim->y, sim->y + m->nq, &sim->eval.kin, &sim->eval.work);
    return CAROM_OK;
}

static caromStatus set_start(caromSim *sim, caromError *err)
{
    const caromModel *m = sim->model;
    memset(sim->y, 0, (size_t)sim->eval.n*sizeof *sim->y);
    carom_kin_initial(m, sim->y, sim->y + m->nq);
    caromStatus status = assemble(sim, err);
    if (status != CAROM_OK) return status;
    carom_kin_update(m, 0.0, sim->y, sim->y + m->nq, &sim->sample_kin);
    carom_dyn_rest_lengths(m, &sim->sample_kin, &sim->eval.work);
    sim->search.margin = carom_world_margin_at(m, &sim->sample_kin);
    sim->search.hovering = 1e6*sim->search.margin;
    if (sim->eval.rigid) carom_rigid_set_rounding(sim->eval.rigid, sim->search.margin);
    status = begin_contacts(sim, err);
    if (status != CAROM_OK) return status;
    sim->potential_start = carom_dyn_potential_energy(m, &sim->sample_kin);
    sim->energy_start = carom_sim_energy(sim, sim->y).imbalance;
    sim->energy_weight = carom_tol_energy_floor(m);
    return CAROM_OK;
}

// A touch that friction can hardly tell from rest changes little: steps go on as they are.
static bool is_gentle(const caromSim *sim, int pair)
{
    return sim->started && sim->eval.world.modes.touch[pair].speed < 0.1*sim->model->settings.v_small;
}

// What suited before, and not much beyond the next bounce; stable where friction is regularised, which is bounded and so may hide from the error estimate that a step was not.
static double step_after_impact(const caromSim *sim)
{
    double h = sim->started ? sim->method->hint(sim->stepper) : 0.0, hop = sim->eval.rigid->next_step, stable = 2.0/sim->eval.rigid->rate;
    if (hop > 0.0 && (h == 0.0 || hop < h || sim->eval.rigid->n == 0)) h = hop;
    return sim->eval.rigid->rate > 0.0 && (h == 0.0 || h > stable) ? stable : h;
}

// First step to try after an event. A touch: a fiftieth of the contact time, so that its beginning is resolved without rejections.
// A separation into free flight: what the flight before the touch had grown to.
static double step_after(const caromSim *sim, double time, double hint)
{
    const caromModes *modes = &sim->eval.world.modes;
    if (sim->eval.rigid) return step_after_impact(sim);
    double h = !sim->started ? 0.0 : carom_modes_is_flight(sim->model, modes) ? sim->flight_step : hint;
    for (int i = 0; i < modes->nactive; i++) {
        int pair = modes->active[i];
        if (modes->touch[pair].time < time || is_gentle(sim, pair)) continue;
        double speed = fmax(modes->touch[pair].speed, sim->model->settings.v_small);
        double first = CAROM_FIRST_STEP*carom_touch_duration(carom_law_of(sim->model, pair), &modes->touch[pair], speed);
        if (h == 0.0 || first < h) h = first;
    }
    for (int i = 0; i < sim->model->nlimit; i++) {
        if (!modes->limit_is_active[i] || modes->limit_touch[i].time < time) continue;
        double first = CAROM_FIRST_STEP*carom_sim_limit_duration(sim, i);  // 0: not known before the first evaluation
        if (first > 0.0 && (h == 0.0 || first < h)) h = first;
    }
    return h;
}

caromStatus carom_sim_prepare(const caromModel *model, const caromSink *sink, caromSim **out, caromError *err)
{
    caromSim *sim = *out = calloc(1, sizeof *sim);
    if (!sim) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    sim->model = model;
    if (sink) sim->sink = *sink;
    sim->guard_table = carom_guard_of(&sim->guard);
    sim->search.guard = &sim->guard_table;
    sim->stats.largest_depth_pair = sim->stats.coarsest.pair = -1;
    sim->cut = INFINITY;
    if (!allocate(sim)) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for %d bodies and %d pairs", model->nbody, model->npair);
    sim->ode = carom_eval_ode(&sim->eval);
    return carom_sim_choose_method(sim, err) ? CAROM_OK : err ? err->status : CAROM_ERR_MODEL;
}

caromStatus carom_sim_create(const caromModel *model, const caromSink *sink, caromSim **out, caromError *err)
{
    *out = NULL;
    caromSim *sim = NULL;
    caromStatus status = model->settings.response == CAROM_RESPONSE_RIGID ? CAROM_OK : carom_contact_refuse(model, err);
    if (status == CAROM_OK) status = carom_sim_prepare(model, sink, &sim, err);
    if (status == CAROM_OK) status = set_start(sim, err);
    if (status == CAROM_OK) status = carom_sim_restart(sim, 0.0, sim->y, step_after(sim, 0.0, 0.0), err);
    if (status == CAROM_OK && carom_islands_suit(model)) status = carom_islands_create(sim, err);
    if (status == CAROM_OK) *out = sim;
    else carom_sim_destroy(sim);
    return status;
}

void carom_sim_destroy(caromSim *sim)
{
    if (!sim) return;
    carom_islands_destroy(sim->islands);
    if (sim->explicit_stepper) sim->explicit_method->destroy(sim->explicit_stepper);
    if (sim->stiff_stepper) sim->stiff_method->destroy(sim->stiff_stepper);
    carom_eval_free(&sim->eval);
    carom_tol_free(&sim->tol);
    carom_guard_free(&sim->guard);
    carom_kin_free(&sim->sample_kin);
    free(sim->search.y);
    free(sim->y);
    free(sim->y_work);
    free(sim->impacts);
    free(sim->joint_q);
    free(sim->joint_v);
    free(sim->sample_q);
    free(sim->sample_V);
    free(sim->sample_contacts);
    free(sim);
}

double carom_sim_grid_time(const caromSim *sim, int64_t k)
{
    const caromSettings *s = &sim->model->settings;
    double t = (double)k*s->every;
    return t > s->until*(1.0 - 1e-12) ? s->until : t;
}

static caromStatus cannot_interpolate(const caromSim *sim, caromError *err)
{
    return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", sim->t_step);
}

// Samples of the output grid that fall into the part of the step up to t_end.
static caromStatus grid_samples(caromSim *sim, double h, double t_end, caromError *err)
{
    while (!sim->is_part) {
        double t = carom_sim_grid_time(sim, sim->next_grid);
        if (t > t_end || t <= sim->t_step) return CAROM_OK;
        double theta = fmin(1.0, (t - sim->t_step)/h);
        if (sim->method->interpolate(sim->stepper, theta, sim->y_work, NULL) != CAROM_OK) return cannot_interpolate(sim, err);
        if (sim->eval.rigid) carom_rigid_keep_sample(sim, t, sim->y_work);
        caromStatus status = carom_sim_sample(sim, t, sim->y_work, CAROM_SAMPLE_GRID);
        if (status != CAROM_OK) return status;
        sim->next_grid++;
        if (t >= sim->model->settings.until) return CAROM_OK;
    }
    return CAROM_OK;
}

static void add_counts(caromSim *sim)
{
    caromCounts a = sim->explicit_method->counts(sim->explicit_stepper), b = { 0 };
    if (sim->stiff_stepper) b = sim->stiff_method->counts(sim->stiff_stepper);
    caromSimStats *s = &sim->stats;
    s->steps = a.steps + b.steps;
    s->rejected = a.rejected + b.rejected;
    s->evaluations = a.evaluations + b.evaluations;
    s->jacobians = a.jacobians + b.jacobians;
    s->smallest_step = a.smallest_step;
    if (b.smallest_step > 0.0 && (a.smallest_step == 0.0 || b.smallest_step < a.smallest_step)) s->smallest_step = b.smallest_step;
    s->gap_evaluations = sim->search.evaluations;
}

static int fastest_body(const caromSim *sim)
{
    int fastest = -1;
    double speed = -1.0;
    for (int k = 0; k < sim->model->nlink; k++) {
        const caromLink *link = &sim->model->links[k];
        for (int i = 0; link->iv >= 0 && i < link->nv; i++) {
            double here = fabs(sim->y[sim->model->nq + link->iv + i]);
            if (here <= speed) continue;
            speed = here;
            fastest = link->body;
        }
    }
    return fastest;
}

// Steps became too short while bodies touch: the youngest of the contacts is named, with what it was expected to do.
static caromStatus unresolved(const caromSim *sim, caromError *err)
{
    const caromModes *modes = &sim->eval.world.modes;
    int pair = modes->active[0];
    for (int i = 1; i < modes->nactive; i++) if (modes->touch[modes->active[i]].time > modes->touch[pair].time) pair = modes->active[i];
    const caromTouch *t = &modes->touch[pair];
    char name[4*CAROM_NAME_MAX], cause[256];
    snprintf(cause, sizeof cause, "%.255s", err ? err->message : "");
    carom_model_pair_name(sim->model, pair, name, sizeof name);
    double depth = carom_tol_touch(sim->model, t, pair).depth;
    return carom_fail(err, CAROM_ERR_NUMERIC, name,
                      "the contact %s cannot be resolved. %s. It began at %.9g s with %.3g m/s and was expected to be %.3g m deep. Try a larger tolerance, a softer contact (contact.k_red "
                      "or E), or a larger contact.v_small",
                      name, cause, t->time, t->speed, depth);
}

// The method knows time and step, the evaluation knows whose motion was not finite; failing that, the fastest body is the suspect.
static caromStatus step_failed(caromSim *sim, caromStatus status, caromError *err)
{
    if (status == CAROM_ERR_NUMERIC && sim->eval.bad_law >= 0) return carom_sim_no_force(sim, sim->eval.bad_law, sim->t_step, err);
    if (status == CAROM_ERR_NUMERIC && sim->eval.bad_pair >= 0) return carom_sim_too_deep(sim, sim->eval.bad_pair, sim->t_step, err);
    if (status == CAROM_ERR_NUMERIC && sim->eval.bad_body < 0 && sim->eval.world.modes.nactive > 0) return unresolved(sim, err);
    int bad = sim->eval.bad_body, body = bad >= 0 ? bad : fastest_body(sim);
    if (!err || status != CAROM_ERR_NUMERIC || body < 0) return status;
    char cause[sizeof err->message];
    memcpy(cause, err->message, sizeof cause);
    const char *name = sim->model->bodies[body].name;
    return carom_fail(err, status, name, bad >= 0 ? "body '%s': its motion is not finite. %.300s" : "the fastest body is '%s'. %.300s", name, cause);
}

// A law without a number from some depth on is a wall: steps get shorter in front of it, each of them succeeds, and none would ever be refused for good. Elsewhere
// evaluations hardly ever fail.
static caromStatus check_stuck(caromSim *sim, caromError *err)
{
    enum { STUCK_MAX = 400, FAILED = 4 };
    if (sim->eval.bad_body >= 0) sim->stuck += FAILED;
    else if (sim->stuck > 0) sim->stuck--;
    if (sim->stuck <= STUCK_MAX) return CAROM_OK;
    carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s steps get ever shorter without an end", sim->t_step);
    return step_failed(sim, CAROM_ERR_NUMERIC, err);
}

static bool has_rest(const caromModes *modes)
{
    for (int i = 0; i < modes->nactive; i++) if (modes->touch[modes->active[i]].is_settled) return true;
    return false;
}

// An impact is resolved explicitly, whatever held before it, unless contacts that last would hold the explicit method back: then when that one is given up is for switch.c
// to say.
static void prefer_explicit(caromSim *sim)
{
    if (!sim->method->is_stiff || sim->method == sim->explicit_method || has_rest(&sim->eval.world.modes)) return;
    sim->method = sim->explicit_method;
    sim->stepper = sim->explicit_stepper;
    sim->stats.switches++;
}

caromStatus carom_sim_go_on(caromSim *sim, double time, double hint, caromError *err)
{
    sim->cut = INFINITY;
    sim->cuts = sim->stuck = 0;
    carom_world_change_at(&sim->eval.world, time);  // an event at the very instant
    double h = step_after(sim, time, hint);
    prefer_explicit(sim);
    return carom_sim_restart(sim, time, sim->y, h, err);
}

static caromStatus end_at_event(caromSim *sim, const caromTrial *trial, caromError *err)
{
    caromOccasion event = trial->event;
    bool is_stop = event.pair < 0 && sim->is_part;  // what happens is up to others (islands.c)
    double time = is_stop ? trial->t_end : sim->t_step + event.theta*trial->h;
    if (sim->method->interpolate(sim->stepper, event.theta, sim->y_work, NULL) != CAROM_OK) return cannot_interpolate(sim, err);
    memcpy(sim->y, sim->y_work, (size_t)sim->eval.n*sizeof *sim->y);
    if (carom_modes_is_flight(sim->model, &sim->eval.world.modes)) sim->flight_step = sim->method->hint(sim->stepper);
    if (is_stop) return carom_sim_restart(sim, time, sim->y, sim->method->hint(sim->stepper), err);
    caromStatus status = sim->eval.rigid ? carom_rigid_resolve(sim, time, event.pair, false, err) : carom_sim_handle_event(sim, time, sim->y, event.pair, err);
    if (status == CAROM_OK) status = carom_sim_sample(sim, time, sim->y, CAROM_SAMPLE_EVENT);
    return status == CAROM_OK ? carom_sim_go_on(sim, time, sim->method->hint(sim->stepper), err) : status;
}

// Drift of the loops is removed when it has grown to a tenth of the tolerance: the end of the step is moved onto them.
static void keep_loops_closed(caromSim *sim)
{
    const caromModel *m = sim->model;
    if (m->nloop == 0) return;
    double position, velocity, *q = sim->y, *v = sim->y + m->nq;
    carom_kin_links(m, sim->t_step, q, v, &sim->eval.kin);
    carom_loops_residual(m, &sim->eval.kin, &sim->eval.work, &position, &velocity);
    if (position < 1e-10 && velocity < 0.1*m->settings.tolerance) return;
    int joint;
    carom_loops_project_position(m, sim->t_step, q, &sim->eval.kin, &sim->eval.work, &position, &joint);
    carom_loops_project_velocity(m, sim->t_step, q, v, &sim->eval.kin, &sim->eval.work);
    sim->method->amend(sim->stepper, sim->y);
}

// Contacts whose time has come settle: the damping changes, so the integration starts anew. Whether it has is asked as the limit of the step was computed:
// t_start + (t - t_start) may be less than t by a rounding, and a step up to t would be one of no length.
static caromStatus settle(caromSim *sim, double tau1, caromError *err)
{
    double next = carom_world_next_change(&sim->eval.world);
    if (!(next - sim->t_start <= tau1)) return CAROM_OK;
    carom_world_change_at(&sim->eval.world, fmax(next, sim->t_step));
    return carom_sim_restart(sim, sim->t_step, sim->y, sim->method->hint(sim->stepper), err);
}

// Bounces that have died out by now: the contact stays.
static caromStatus land(caromSim *sim, double tau1, caromError *err)
{
    if (!(carom_rigid_next_landing(sim->eval.rigid) - sim->t_start <= tau1)) return CAROM_OK;
    double hint = sim->method->hint(sim->stepper);
    caromStatus status = carom_rigid_resolve(sim, sim->t_step, -1, false, err);
    if (status == CAROM_OK) carom_rigid_keep(sim, sim->t_step);
    if (status == CAROM_OK) status = carom_sim_sample(sim, sim->t_step, sim->y, CAROM_SAMPLE_EVENT);
    return status == CAROM_OK ? carom_sim_restart(sim, sim->t_step, sim->y, hint, err) : status;
}

// A step that was made to end at a given time ends there: the sum of offsets may miss it by a rounding.
static double end_time(const caromSim *sim, double tau1)
{
    return tau1 >= sim->limit - sim->t_start ? sim->limit : sim->t_start + tau1;
}

// Where something always begins to touch, as in a bin, every step would be a sample and cost as much again.
static bool is_watched(const caromSim *sim)
{
    int n = sim->eval.world.modes.nactive;
    return n > 0 && n <= CAROM_WATCHED_MAX && sim->t_step < sim->watch_until;  // of an island: islands.c asks how many there are in all
}

static caromStatus end_of_step(caromSim *sim, double tau1, double h, caromError *err)
{
    memcpy(sim->y, sim->method->state(sim->stepper), (size_t)sim->eval.n*sizeof *sim->y);
    sim->t_step = end_time(sim, tau1);
    keep_loops_closed(sim);
    if (sim->eval.rigid && carom_rigid_keep(sim, sim->t_step)) sim->method->amend(sim->stepper, sim->y);
    if (is_watched(sim)) {
        caromStatus status = carom_sim_sample(sim, sim->t_step, sim->y, CAROM_SAMPLE_CONTACT);
        if (status != CAROM_OK) return status;
    }
    if (sim->cut - sim->t_start <= tau1) sim->cut = INFINITY;
    caromStatus status = sim->eval.rigid ? land(sim, tau1, err) : settle(sim, tau1, err);
    return status == CAROM_OK ? carom_sim_consider_switch(sim, h, err) : status;
}

// Rigid bodies that start a little in each other are moved apart: where the ledger begins.
static void part_at_start(caromSim *sim)
{
    const caromModel *m = sim->model;
    caromKin *kin = &sim->eval.kin;
    carom_kin_update(m, 0.0, sim->y, sim->y + m->nq, kin);
    double kinetic = carom_dyn_kinetic_energy(m, kin), potential = carom_dyn_potential_energy(m, kin);
    carom_rigid_keep(sim, 0.0);
    carom_kin_update(m, 0.0, sim->y, sim->y + m->nq, kin);
    double lift = carom_dyn_potential_energy(m, kin) - potential;
    sim->potential_start += lift;
    sim->energy_start += carom_dyn_kinetic_energy(m, kin) - kinetic;
}

// Rigid bodies that touch at the start may have an impact there.
static caromStatus first_contacts(caromSim *sim, caromError *err)
{
    if (!sim->eval.rigid) return CAROM_OK;
    caromStatus status = carom_rigid_resolve(sim, 0.0, -1, true, err);
    if (status != CAROM_OK) return status;
    part_at_start(sim);
    return carom_sim_restart(sim, 0.0, sim->y, step_after(sim, 0.0, 0.0), err);
}

static caromStatus first_sample(caromSim *sim, caromError *err)
{
    sim->started = true;
    sim->next_grid = 1;
    caromStatus status = first_contacts(sim, err);
    return status == CAROM_OK ? carom_sim_sample(sim, 0.0, sim->y, CAROM_SAMPLE_GRID) : status;
}

// The first event of the step just made. A model in which nothing can touch is not searched.
static caromStatus find_event(caromSim *sim, double h, caromOccasion *event)
{
    *event = (caromOccasion){ CAROM_NEVER, -1 };
    if (sim->model->npair + sim->model->nlimit == 0 && !sim->is_part) return CAROM_OK;
    sim->search.method = sim->method;
    sim->search.stepper = sim->stepper;
    sim->search.t0 = sim->t_step;
    sim->search.h = h;
    carom_search_begin(&sim->search, sim->y, sim->method->state(sim->stepper));
    caromStatus status = carom_guard_prepare(&sim->guard, &sim->eval.world.modes, &sim->search);
    if (status != CAROM_OK) return status;
    *event = sim->eval.rigid ? carom_rigid_first_event(sim) : carom_sim_first_event(sim);
    return sim->search.status;
}

// The force ends at a separation, and a step that goes beyond is off by more than its estimate says, which belongs to a smooth force. Such a step is made
// again up to the separation, until what is left of the contact, or of the step behind it, is a part of the step below the tolerance. Linear springs, error of the
// rebound over tolerance: 260 without, 6 with.
static bool is_to_be_cut(const caromSim *sim, caromOccasion event, double h)
{
    enum { CUTS_MAX = 4 };
    const caromModel *m = sim->model;
    bool is_slip_end = sim->eval.rigid && event.pair < 0 && sim->eval.rigid->is_slip_end;
    if (sim->eval.rigid && !is_slip_end) return false;
    if (event.theta >= 1.0 || sim->cuts >= CUTS_MAX || fmin(event.theta, 1.0 - event.theta) < 0.1*m->settings.tolerance) return false;
    if (event.theta*h < 16.0*DBL_EPSILON*sim->t_step || sim->t_step + event.theta*h >= sim->t_step + h) return false;  // the clock would not notice
    if (is_slip_end) return true;
    return event.pair < m->npair ? sim->eval.world.modes.is_active[event.pair] : sim->eval.world.modes.limit_is_active[event.pair - m->npair];
}

static caromStatus step_and_search(caromSim *sim, double *h, caromOccasion *event, caromError *err)
{
    double until = sim->model->settings.until, tau0, tau1;
    if (sim->cut <= sim->t_step) sim->cut = INFINITY;
    sim->limit = fmin(fmin(until, sim->cut), sim->eval.rigid ? carom_rigid_next_landing(sim->eval.rigid) : carom_world_next_change(&sim->eval.world));
    if (sim->eval.rigid) sim->limit = fmin(sim->limit, sim->t_step + sim->eval.rigid->pace);
    caromStatus status = sim->method->step(sim->stepper, sim->limit - sim->t_start, err);
    add_counts(sim);
    if (status != CAROM_OK) return step_failed(sim, status, err);
    sim->method->span(sim->stepper, &tau0, &tau1);
    *h = tau1 - tau0;
    return find_event(sim, *h, event) == CAROM_OK ? CAROM_OK : cannot_interpolate(sim, err);
}

static caromStatus cut_at(caromSim *sim, double theta, double h, caromError *err)
{
    sim->cuts++;
    sim->cut = sim->t_step + theta*h;
    return carom_sim_restart(sim, sim->t_step, sim->y, theta*h, err);
}

caromStatus carom_sim_try(caromSim *sim, caromTrial *trial, caromError *err)
{
    double until = sim->model->settings.until, tau0, tau1;
    sim->eval.bad_body = sim->eval.bad_pair = sim->eval.bad_law = -1;
    *trial = (caromTrial){ .event = { CAROM_NEVER, -1 } };
    caromStatus status = step_and_search(sim, &trial->h, &trial->event, err);
    while (status == CAROM_OK && is_to_be_cut(sim, trial->event, trial->h)) {
        status = cut_at(sim, trial->event.theta, trial->h, err);
        if (status == CAROM_OK) status = step_and_search(sim, &trial->h, &trial->event, err);
    }
    if (status == CAROM_OK) status = check_stuck(sim, err);
    if (status != CAROM_OK) return status;
    sim->method->span(sim->stepper, &tau0, &tau1);
    trial->t_end = trial->event.theta <= 1.0 ? sim->t_step + trial->event.theta*trial->h : end_time(sim, tau1);
    if (trial->t_end > until*(1.0 - 1e-14)) trial->t_end = until;  // the sum of offsets may miss the end by a rounding
    return CAROM_OK;
}

caromStatus carom_sim_keep(caromSim *sim, const caromTrial *trial, caromError *err)
{
    double tau0, tau1;
    sim->method->span(sim->stepper, &tau0, &tau1);
    caromStatus status = CAROM_OK;
    if (!sim->eval.rigid) status = carom_sim_follow_contacts(sim, fmin(1.0, trial->event.theta), trial->h, trial->t_end, err);
    if (status == CAROM_OK) status = grid_samples(sim, trial->h, trial->t_end, err);
    if (status == CAROM_OK) status = trial->event.theta <= 1.0 ? end_at_event(sim, trial, err) : end_of_step(sim, tau1, trial->h, err);
    sim->stats.time = trial->t_end;
    return status;
}

caromStatus carom_sim_step(caromSim *sim, bool *done, caromError *err)
{
    double until = sim->model->settings.until;
    *done = sim->stats.time >= until;
    if (*done) return CAROM_OK;
    caromStatus status = sim->started ? CAROM_OK : first_sample(sim, err);
    if (status == CAROM_OK && sim->islands) status = carom_islands_step(sim, err);
    else if (status == CAROM_OK) {
        caromTrial trial;
        status = carom_sim_try(sim, &trial, err);
        if (status == CAROM_OK) status = carom_sim_keep(sim, &trial, err);
    }
    *done = status == CAROM_OK && sim->stats.time >= until;
    return status;
}

caromStatus carom_sim_run(caromSim *sim, caromError *err)
{
    bool done = false;
    caromStatus status = CAROM_OK;
    while (!done && status == CAROM_OK) status = carom_sim_step(sim, &done, err);
    return status;
}

const caromSimStats *carom_sim_stats(const caromSim *sim)
{
    return &sim->stats;
}
