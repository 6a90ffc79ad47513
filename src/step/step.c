// A step that is tried, and what is kept of it: events and samples in it.
#include "step/step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

// ---- memory

caromStatus carom_step_prepare(const caromModel *model, const caromSink *sink, caromRun **out, caromError *err)
{
    caromRun *run = *out = calloc(1, sizeof *run);
    if (!run) return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory");
    run->cut.time = INFINITY;
    run->y_work = carom_alloc_array((size_t)carom_motion_states_max(model), sizeof *run->y_work);
    bool good = carom_response_system_create(model, sink, &run->system);
    good = carom_tolerances_alloc(model, &run->tol) && good;
    good = carom_step_sampling_alloc(model, &run->sampling) && good;
    if (!good || !run->y_work) {
        return carom_fail(err, CAROM_ERR_MEMORY, "", "out of memory for %d bodies and %d pairs", model->nbody,
                          model->npair);
    }
    run->ode = carom_response_ode(&run->system);
    return carom_step_choose_method(run, err);
}

void carom_step_destroy(caromRun *run)
{
    if (!run) return;
    carom_step_free_methods(run);
    carom_response_system_destroy(&run->system);
    carom_tolerances_free(&run->tol);
    carom_step_sampling_free(&run->sampling);
    free(run->y_work);
    free(run);
}

// ---- samples inside a step

static caromStatus interpolate(const caromRun *run, double theta, double *y)
{
    return run->methods.method->interpolate(run->methods.stepper, theta, y, NULL);
}

static double hint(const caromRun *run)
{
    return run->methods.method->hint(run->methods.stepper);
}

double carom_step_grid_time(const caromRun *run, int64_t k)
{
    const caromSettings *s = &run->system.model->settings;
    double t = (double)k*s->every;
    return t > s->until*CAROM_STEP_GRID_END ? s->until : t;
}

// Samples of the output grid that fall into the part of the step up to t_end.
static caromStatus grid_samples(caromRun *run, double h, double t_end, caromError *err)
{
    caromSystem *s = &run->system;
    while (!run->sampler) {
        double t = carom_step_grid_time(run, run->next_grid);
        if (t > t_end || t <= s->t_step) return CAROM_OK;
        caromStatus status = carom_step_state_at(run, t, h, run->y_work);
        if (status != CAROM_OK) return carom_step_cannot_interpolate(s->t_step, err);
        if (s->response->amend_sample) s->response->amend_sample(s, t, run->y_work);
        status = carom_step_sample(run, t, run->y_work, CAROM_SAMPLE_GRID, err);
        if (status != CAROM_OK) return status;
        run->next_grid++;
        if (t >= s->model->settings.until) return CAROM_OK;
    }
    return CAROM_OK;
}

// ---- the step that is tried

// The first event of the step just made. A model in which nothing can touch is not searched.
static caromStatus find_event(caromRun *run, double h, caromOccasion *event)
{
    caromSystem *s = &run->system;
    *event = carom_search_nothing;
    if (s->model->npair + s->model->nlimit == 0 && !run->sampler) return CAROM_OK;
    s->search.method = run->methods.method;
    s->search.stepper = run->methods.stepper;
    s->search.t0 = s->t_step;
    s->search.h = h;
    carom_search_begin(&s->search, s->y, run->methods.method->state(run->methods.stepper));
    caromStatus status = carom_guard_prepare(&s->guard, &s->search);
    if (status != CAROM_OK) return status;
    *event = s->response->first_event(s);
    return s->search.status;
}

// Where forces end or turn round, a step that goes beyond is off by more than its estimate says, which belongs to a
// smooth force. Such a step is made again up to the event, until what is left of the contact, or of the step behind it,
// is a part of the step below the tolerance. Linear springs, error of the rebound over tolerance: 260 without, 6 with.
static bool is_to_be_cut(const caromRun *run, const caromOccasion *event, double h)
{
    const caromSystem *s = &run->system;
    double least = CAROM_STEP_PART*s->model->settings.tolerance, theta = event->theta;
    if (theta >= 1.0 || run->cut.count >= CAROM_STEP_CUTS_MAX || fmin(theta, 1.0 - theta) < least) return false;
    // By the clock.
    bool is_noticed = theta*h >= CAROM_STEP_TICKS*DBL_EPSILON*s->t_step && s->t_step + theta*h < s->t_step + h;
    return is_noticed && s->response->is_rough(s, event);
}

// Until the clock or the shortest of all steps would not tell.
static bool can_be_halved(const caromRun *run, double h)
{
    return run->cut.halvings < CAROM_STEP_HALVINGS_MAX && 0.5*h >= CAROM_STEP_TICKS*DBL_EPSILON*run->system.t_step;
}

static bool strays(const caromSystem *s)
{
    return s->response->strays && s->response->strays(s);
}

// *is_seen: the step can be interpolated. States inside a step that was made may have no rate, where forces blow up.
static caromStatus step_and_search(caromRun *run, caromTrial *trial, bool *is_seen, caromError *err)
{
    caromSystem *s = &run->system;
    double tau0, tau1;
    if (run->cut.time <= s->t_step) run->cut.time = INFINITY;
    run->limit = fmin(fmin(s->model->settings.until, run->cut.time), s->response->next_change(s));
    run->limit = fmin(run->limit, s->t_step + s->pace);
    caromStatus status = run->methods.method->step(run->methods.stepper, run->limit - run->t_start, err);
    carom_step_add_counts(run);
    if (status != CAROM_OK) return carom_step_failed(run, status, err);
    run->end_rate = s->found.rate;  // before looks into the step evaluate its stages
    run->methods.method->span(run->methods.stepper, &tau0, &tau1);
    trial->h = tau1 - tau0;
    status = find_event(run, trial->h, &trial->event);
    *is_seen = status == CAROM_OK;
    return status == CAROM_ERR_MEMORY ? carom_step_cannot_search(s->t_step, status, err) : CAROM_OK;
}

static caromStatus cut_at(caromRun *run, double theta, double h, caromError *err)
{
    run->cut.time = run->system.t_step + theta*h;
    return carom_step_restart(run, run->system.t_step, theta*h, err);
}

bool carom_step_ends_inside(const caromRun *run, const caromTrial *trial)
{
    return run->methods.method->ends_only && is_to_be_cut(run, &trial->event, trial->h);
}

caromStatus carom_step_cut(caromRun *run, const caromTrial *trial, caromError *err)
{
    run->cut.count++;
    return cut_at(run, trial->event.theta, trial->h, err);
}

// What was off may be at one instant only: behind it steps go on as they were.
static caromStatus halve(caromRun *run, double theta, double h, caromError *err)
{
    if (run->cut.halvings++ == 0) run->cut.plan = h;
    run->cut.time = run->system.t_step + 0.5*theta*h;
    return carom_step_restart(run, run->system.t_step, run->cut.plan, err);
}

// A law without a number from some depth on is a wall: steps get shorter in front of it, each of them succeeds, and
// none would ever be refused for good. Elsewhere evaluations hardly ever fail.
static caromStatus check_stuck(caromRun *run, caromError *err)
{
    if (run->system.found.bad_body >= 0) run->stuck += CAROM_STEP_FAILED;
    else if (run->stuck > 0) run->stuck--;
    if (run->stuck <= CAROM_STEP_STUCK_MAX) return CAROM_OK;
    carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s steps get ever shorter without an end", run->system.t_step);
    return carom_step_failed(run, CAROM_ERR_NUMERIC, err);
}

// A step that was made to end at a given time ends there: the sum of offsets may miss it by a rounding.
static double end_time(const caromRun *run, double tau1)
{
    return tau1 >= run->limit - run->t_start ? run->limit : run->t_start + tau1;
}

static caromStatus step_and_cut(caromRun *run, caromTrial *trial, caromError *err)
{
    *trial = (caromTrial){ .event = carom_search_nothing };
    bool is_seen = false;
    caromStatus status = step_and_search(run, trial, &is_seen, err);
    while (status == CAROM_OK) {
        bool halves = can_be_halved(run, trial->h) && (!is_seen || strays(&run->system));
        if (!halves && !is_seen) return carom_step_cannot_interpolate(run->system.t_step, err);
        if (!halves && !is_to_be_cut(run, &trial->event, trial->h)) break;
        if (!halves) run->cut.count++;
        double inside = is_seen ? fmin(1.0, trial->event.theta) : 1.0;
        status = halves ? halve(run, inside, trial->h, err) : cut_at(run, inside, trial->h, err);
        if (status == CAROM_OK) status = step_and_search(run, trial, &is_seen, err);
    }
    return status;
}

static caromStatus step_in_balance(caromRun *run, caromTrial *trial, caromError *err)
{
    caromStatus status = step_and_cut(run, trial, err);
    caromRemedy remedy = { 0 };
    for (int i = 0; status == CAROM_OK; i++) {
        remedy = carom_step_remedy(run, trial, &remedy);
        if (remedy.h == 0.0 || i == CAROM_STEP_DEFECT_HALVINGS) break;
        if (remedy.is_cut) run->cut.time = run->system.t_step + remedy.h;
        status = carom_step_restart(run, run->system.t_step, remedy.h, err);
        if (status == CAROM_OK) status = step_and_cut(run, trial, err);
    }
    if (status == CAROM_OK) carom_step_hold(run, trial, remedy.defect);
    return status;
}

// Forces that blow up make steps ever shorter, or leave none that can be made.
static bool has_stalled(caromRun *run, caromStatus status, const caromTrial *trial)
{
    const caromSystem *s = &run->system;
    if (!s->response->stalls_below) return false;
    if (status != CAROM_OK) return status == CAROM_ERR_NUMERIC;
    bool is_held_up = trial->event.theta > 1.0 && trial->h < 0.5*(run->limit - s->t_step);
    run->stalled = is_held_up && trial->h < s->response->stalls_below(s) ? run->stalled + 1 : 0;
    return run->stalled > CAROM_STEP_STALLED;
}

static caromStatus lead_on(caromRun *run, caromError *err)
{
    caromSystem *s = &run->system;
    caromOccasion event = { .theta = 0.0, .kind = CAROM_OCCASION_STALL };
    run->stalled = 0;
    caromStatus status = s->response->at_event(s, s->t_step, &event, err);
    if (status == CAROM_OK) status = carom_step_sample(run, s->t_step, s->y, CAROM_SAMPLE_EVENT, err);
    return status == CAROM_OK ? carom_step_go_on(run, s->t_step, hint(run), err) : status;
}

caromStatus carom_step_try(caromRun *run, caromTrial *trial, caromError *err)
{
    caromSystem *s = &run->system;
    double until = s->model->settings.until, tau0, tau1;
    carom_response_forget(s);
    caromStatus status = step_in_balance(run, trial, err);
    if (has_stalled(run, status, trial)) {
        status = lead_on(run, err);
        if (status == CAROM_OK) status = step_in_balance(run, trial, err);
    }
    if (status == CAROM_OK) status = check_stuck(run, err);
    if (status != CAROM_OK) return status;
    // However short: also where a mode ends in it.
    if (strays(s) && (trial->event.theta > 1.0 || trial->event.kind == CAROM_OCCASION_MODE))
        trial->event = (caromOccasion){ .theta = fmin(1.0, trial->event.theta), .kind = CAROM_OCCASION_STALL };
    run->cut.halvings = 0;
    run->methods.method->span(run->methods.stepper, &tau0, &tau1);
    trial->t_end = trial->event.theta <= 1.0 ? s->t_step + trial->event.theta*trial->h : end_time(run, tau1);
    if (trial->t_end > until*CAROM_STEP_END) trial->t_end = until;  // the sum of offsets may miss the end by a rounding
    return CAROM_OK;
}

// ---- what is kept of it

// First step to try after an event, of a response that knows it better than the method. Into free flight: what the
// flight before the touch had grown to.
static double step_after(const caromRun *run, double time, double before)
{
    const caromSystem *s = &run->system;
    bool is_flight = carom_contact_memory_is_flight(s->model, &s->world.memory);
    return s->response->step_hint(s, time, !s->has_started ? 0.0 : is_flight ? run->flight_step : before);
}

double carom_step_hint_at_start(const caromRun *run)
{
    return step_after(run, 0.0, 0.0);
}

caromStatus carom_step_go_on(caromRun *run, double time, double before, caromError *err)
{
    run->cut = (caromCut){ .time = INFINITY };
    run->stuck = 0;
    carom_step_forget_balance(run);
    carom_step_forget_signs(run);
    carom_world_change_at(&run->system.world, time);  // an event at the very instant
    double h = step_after(run, time, before);
    carom_step_prefer_explicit(run);
    return carom_step_restart(run, time, h, err);
}

static caromStatus end_at_event(caromRun *run, const caromTrial *trial, caromError *err)
{
    caromSystem *s = &run->system;
    const caromOccasion *event = &trial->event;
    bool is_stop = event->kind == CAROM_OCCASION_STOP;  // what happens is up to others (islands/)
    double time = is_stop ? trial->t_end : s->t_step + event->theta*trial->h;
    if (interpolate(run, event->theta, run->y_work) != CAROM_OK) return carom_step_cannot_interpolate(s->t_step, err);
    memcpy(s->y, run->y_work, (size_t)s->n*sizeof *s->y);
    if (carom_contact_memory_is_flight(s->model, &s->world.memory)) run->flight_step = hint(run);
    if (is_stop) return carom_step_restart(run, time, hint(run), err);
    caromStatus status = s->response->at_event(s, time, event, err);
    if (status == CAROM_OK) status = carom_step_sample(run, time, s->y, CAROM_SAMPLE_EVENT, err);
    return status == CAROM_OK ? carom_step_go_on(run, time, hint(run), err) : status;
}

// Drift of the loops is removed when it has grown to a tenth of the tolerance: the end of the step is moved onto them.
static void keep_loops_closed(caromRun *run)
{
    caromSystem *s = &run->system;
    const caromModel *m = s->model;
    if (m->nloop == 0) return;
    double position, velocity, *q = s->y, *v = s->y + m->nq;
    carom_kin_links(m, s->t_step, q, v, &s->scratch.kin);
    carom_loops_residual(m, &s->scratch.kin, &s->scratch.work, &position, &velocity);
    if (position < CAROM_STEP_LOOPS_OPEN && velocity < CAROM_STEP_PART*m->settings.tolerance) return;
    caromLoopResidual left;
    carom_loops_project_position(m, s->t_step, q, &s->scratch.kin, &s->scratch.work, &left);
    carom_loops_project_velocity(m, s->t_step, q, v, &s->scratch.kin, &s->scratch.work);
    run->methods.method->amend(run->methods.stepper, s->y);
    carom_step_forget_balance(run);
}

// What the response had announced for this time. Whether it has come is asked as the limit of the step was computed:
// t_start + (t - t_start) may be less than t by a rounding, and a step up to t would be one of no length. So it would
// behind a restart here, whose clock begins at t: the sum may reach t as well where t - t_start is more than tau1.
static caromStatus change_contacts(caromRun *run, double tau1, caromError *err)
{
    caromSystem *s = &run->system;
    double next = s->response->next_change(s);
    if (!(next - run->t_start <= tau1 || next <= s->t_step)) return CAROM_OK;
    double before = hint(run);
    bool is_event = false;
    caromStatus status = s->response->change(s, s->t_step, &is_event, err);
    carom_step_forget_balance(run);
    if (status == CAROM_OK && is_event) status = carom_step_sample(run, s->t_step, s->y, CAROM_SAMPLE_EVENT, err);
    return status == CAROM_OK ? carom_step_restart(run, s->t_step, before, err) : status;
}

// Where something always begins to touch, as in a bin, every step would be a sample and cost as much again.
static bool is_watched(const caromRun *run)
{
    int n = run->system.world.memory.nactive;
    // Of an island: islands/islands.c asks how many in all.
    return n > 0 && n <= CAROM_WATCHED_MAX && run->system.t_step < run->system.watch_until;
}

static caromStatus end_of_step(caromRun *run, double tau1, double h, caromError *err)
{
    caromSystem *s = &run->system;
    memcpy(s->y, run->methods.method->state(run->methods.stepper), (size_t)s->n*sizeof *s->y);
    s->t_step = end_time(run, tau1);
    keep_loops_closed(run);
    if (s->response->end_of_step && s->response->end_of_step(s, s->t_step)) {
        run->methods.method->amend(run->methods.stepper, s->y);
        carom_step_forget_balance(run);
    }
    caromStatus status = CAROM_OK;
    if (is_watched(run)) status = carom_step_sample(run, s->t_step, s->y, CAROM_SAMPLE_CONTACT, err);
    if (status != CAROM_OK) return status;
    if (run->cut.time - run->t_start <= tau1) run->cut.time = INFINITY;
    if (run->methods.method->ends_only) run->cut.count = 0;
    status = change_contacts(run, tau1, err);
    return status == CAROM_OK ? carom_step_consider_switch(run, h, err) : status;
}

caromStatus carom_step_keep(caromRun *run, const caromTrial *trial, caromError *err)
{
    caromSystem *s = &run->system;
    double tau0, tau1;
    run->methods.method->span(run->methods.stepper, &tau0, &tau1);
    caromStatus status = CAROM_OK;
    if (s->response->follow) status = s->response->follow(s, fmin(1.0, trial->event.theta), trial->t_end, err);
    if (status == CAROM_OK) status = grid_samples(run, trial->h, trial->t_end, err);
    if (status == CAROM_OK && trial->event.theta <= 1.0) status = end_at_event(run, trial, err);
    else if (status == CAROM_OK) status = end_of_step(run, tau1, trial->h, err);
    s->stats.time = trial->t_end;
    return status;
}

// ---- the start

caromStatus carom_step_begin(caromRun *run, caromError *err)
{
    caromSystem *s = &run->system;
    s->has_started = true;
    run->next_grid = 1;
    bool is_changed = false;
    caromStatus status = s->response->begin ? s->response->begin(s, &is_changed, err) : CAROM_OK;
    if (status == CAROM_OK && is_changed)
        status = carom_step_restart(run, 0.0, step_after(run, 0.0, hint(run)), err);
    return status == CAROM_OK ? carom_step_sample(run, 0.0, s->y, CAROM_SAMPLE_GRID, err) : status;
}
