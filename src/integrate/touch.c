// Touch and separation: found on the dense output, then carried out on the discrete state.
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "integrate/sim.h"

// A pair whose surfaces part more slowly than friction can tell from rest is in contact until the gap is a part of the depth that is expected of it: bricks side by side that
// nothing presses together, a stack that is put down exactly touching.
static caromHold hold_of(const caromSim *sim, int pair)
{
    const caromModel *m = sim->model;
    const int *shape = m->pairs[pair].shape, body[2] = { m->shapes[shape[0]].body, m->shapes[shape[1]].body };
    double depth = carom_tol_touch(m, &sim->eval.world.modes.touch[pair], pair).depth;
    double rounding = carom_tol_body_rounding(m, &sim->guard.kin[CAROM_SLOT_START], body, carom_vec(1, 1, 1));
    return (caromHold){ fmax(fmax(0.01*depth, 4.0*rounding), 2.0*sim->eval.world.modes.touch[pair].gap), 0.1*m->settings.v_small };
}

// Earliest event of the step; among equal times the smallest pair, since a later one must be earlier to win.
caromOccasion carom_sim_first_event(caromSim *sim)
{
    caromOccasion first = { CAROM_NEVER, -1 };
    const caromModes *modes = &sim->eval.world.modes;
    for (int i = 0; i < modes->nactive; i++) {
        double theta = carom_search_separation(&sim->search, modes->active[i], hold_of(sim, modes->active[i]), fmin(first.theta, 1.0));
        if (theta < first.theta) first = (caromOccasion){ theta, modes->active[i] };
    }
    for (int i = 0; i < sim->model->nlimit; i++) {
        if (!modes->limit_is_active[i]) continue;
        double theta = carom_search_separation(&sim->search, sim->model->npair + i, (caromHold){ 0.0, 0.0 }, fmin(first.theta, 1.0));
        if (theta < first.theta) first = (caromOccasion){ theta, sim->model->npair + i };
    }
    for (int i = 0; i < sim->guard.nnear; i++) {
        double theta = carom_search_touch(&sim->search, sim->guard.near[i], fmin(first.theta, 1.0));
        if (theta < first.theta || (theta == first.theta && theta <= 1.0 && sim->guard.near[i] < first.pair)) {
            first = (caromOccasion){ theta, sim->guard.near[i] };
        }
    }
    return first;
}

caromStatus carom_sim_tell(caromSim *sim, const caromEvent *event)
{
    sim->stats.events[event->kind]++;
    return sim->sink.event ? sim->sink.event(sim->sink.user, event) : CAROM_OK;
}

// What the contact feels of the inertia of both mechanisms along the normal: 1/(n.J M^-1 J^T n), of the tree alone where there are loops. Where joints or motions that are
// prescribed hold the bodies along the normal this is infinite, or rounding: then the bodies' own inertia says at least something.
double carom_sim_effective_mass(const caromModel *m, const caromKin *kin, int pair, const caromGap *gap, caromDynWork *w)
{
    const double rounding = 1e-12;
    double own = carom_touch_mass(m, kin, pair, gap);
    if (!carom_art_factor(m, kin, w)) return own;
    const int *shape = m->pairs[pair].shape, body[2] = { m->shapes[shape[0]].body, m->shapes[shape[1]].body };
    double compliance = carom_art_compliance(m, kin, body, carom_scale(0.5, carom_add(gap->p_A, gap->p_B)), gap->n_AB, w);
    return compliance*own > rounding ? 1.0/compliance : own;
}

// Depth is a difference of positions, which are rounded: the contact that suffers most is kept for the summary.
static void note_resolution(caromSim *sim, const caromKin *kin, int pair, caromVec3 n, const caromTouch *touch)
{
    const int *shape = sim->model->pairs[pair].shape, body[2] = { sim->model->shapes[shape[0]].body, sim->model->shapes[shape[1]].body };
    double depth = carom_tol_touch(sim->model, touch, pair).depth, part = carom_tol_body_rounding(sim->model, kin, body, n)/depth;
    if (sim->stats.coarsest.pair >= 0 && part <= sim->stats.coarsest.part) return;
    sim->stats.coarsest.pair = pair;
    sim->stats.coarsest.time = touch->time;
    sim->stats.coarsest.depth = depth;
    sim->stats.coarsest.part = part;
}

caromStatus carom_sim_begin_contact(caromSim *sim, const caromKin *kin, int pair, double time, caromEvent *event, caromError *err)
{
    caromGap gap = carom_collide_gap(sim->model, kin, pair);
    caromEvent begun;
    caromStatus status = carom_eval_begin(&sim->eval, kin, time, pair, &gap, carom_sim_effective_mass(sim->model, kin, pair, &gap, &sim->eval.work), sim->y, &begun, err);
    if (status != CAROM_OK) return status;
    const caromTouch *touch = &sim->eval.world.modes.touch[pair];
    note_resolution(sim, kin, pair, gap.n_AB, touch);
    sim->impacts[pair] = (caromImpact){ 0 };
    double duration = carom_touch_duration(carom_law_of(sim->model, pair), touch, fmax(begun.speed, sim->model->settings.v_small));
    sim->watch_until = fmax(sim->watch_until, time + 3.0*duration);
    if (event) *event = begun;
    return CAROM_OK;
}

static caromStatus touch(caromSim *sim, double time, int pair, const caromKin *kin, caromError *err)
{
    caromEvent event;
    caromStatus status = carom_sim_begin_contact(sim, kin, pair, time, &event, err);
    if (status != CAROM_OK) return status;
    return carom_sim_tell(sim, &event);
}

static caromStatus separate(caromSim *sim, double time, int pair, const caromKin *kin)
{
    caromEvent event = carom_eval_end(&sim->eval, kin, time, pair, sim->y);
    event.depth = sim->impacts[pair].depth;
    event.impulse = sim->impacts[pair].impulse;
    return carom_sim_tell(sim, &event);
}

// Half a period of the limit's spring and what the joint's coordinate feels of inertia (that of the last evaluation).
double carom_sim_limit_duration(const caromSim *sim, int limit)
{
    const caromLimit *l = &sim->model->limits[limit];
    double mobility = carom_dyn_mobility(sim->model, &sim->eval.work, l->link, l->coordinate);
    return mobility > 0.0 ? 3.14159265358979323846/sqrt(l->stiffness*mobility) : 0.0;
}

void carom_sim_begin_limit(caromSim *sim, const double *y, int limit, double time)
{
    const caromModel *m = sim->model;
    double rate;
    carom_limit_gap(m, limit, y, y + m->nq, &rate);
    carom_limit_begin(m, &sim->eval.world.modes, limit, time, fmax(0.0, -rate));
    sim->impacts[m->npair + limit] = (caromImpact){ 0 };
}

// Where the axis of a limit's joint is.
void carom_sim_place_limit(const caromSim *sim, const caromKin *kin, int limit, caromEvent *event)
{
    const caromLimit *l = &sim->model->limits[limit];
    event->pair = -1;
    event->joint = sim->model->links[l->link].joint;
    event->coordinate = l->coordinate;
    event->p_W = kin->links[l->link].o;
    event->n_AB = kin->links[l->link].R.cz;
}

static caromStatus reach_limit(caromSim *sim, double time, int limit, const double *y, const caromKin *kin)
{
    carom_sim_begin_limit(sim, y, limit, time);
    caromEvent event = { .time = time, .kind = CAROM_EVENT_LIMIT, .speed = sim->eval.world.modes.limit_touch[limit].speed };
    carom_sim_place_limit(sim, kin, limit, &event);
    return carom_sim_tell(sim, &event);
}

static caromStatus leave_limit(caromSim *sim, double time, int limit, const double *y, const caromKin *kin)
{
    const caromModel *m = sim->model;
    const caromTouch *t = &sim->eval.world.modes.limit_touch[limit];
    const caromImpact *impact = &sim->impacts[m->npair + limit];
    double rate;
    carom_limit_gap(m, limit, y, y + m->nq, &rate);
    caromEvent event = { .time = time,
                         .kind = CAROM_EVENT_LIMIT_LEFT,
                         .speed = fmax(0.0, rate),
                         .duration = time - t->time,
                         .approach_speed = t->speed,
                         .asked_restitution = t->restitution,
                         .restitution = t->speed > 0.0 ? fmax(0.0, rate)/t->speed : 0.0,
                         .depth = impact->depth,
                         .impulse = impact->impulse };
    carom_sim_place_limit(sim, kin, limit, &event);
    carom_limit_end(&sim->eval.world.modes, limit);
    return carom_sim_tell(sim, &event);
}

void carom_sim_name_of(const caromModel *model, int what, char *text, size_t n)
{
    if (what < model->npair) carom_model_pair_name(model, what, text, n);
    else snprintf(text, n, "joint %s", model->joints[model->links[model->limits[what - model->npair].link].joint].name);
}

// Events that pile up without time passing would go on for ever.
static caromStatus check_chatter(caromSim *sim, double time, int what, caromError *err)
{
    enum { CHATTER_MAX = 2000 };
    if (time - sim->chatter_time > 1e-9*sim->model->settings.until) {
        sim->chatter_time = time;
        sim->chatter_count = 0;
    }
    if (++sim->chatter_count <= CHATTER_MAX) return CAROM_OK;
    char name[4*CAROM_NAME_MAX];
    carom_sim_name_of(sim->model, what, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s touches and separates %d times without time passing: give a smaller tolerance, or a larger contact.v_small",
                      time, name, CHATTER_MAX);
}

// Pairs that meet at the very same instant (a flat drop of two bodies, symmetric scenes) are taken together, in their order.
static caromStatus touch_others(caromSim *sim, double time, const caromKin *kin, caromError *err)
{
    for (int i = 0; i < sim->guard.nnear; i++) {
        int pair = sim->guard.near[i];
        if (pair >= sim->model->npair || sim->eval.world.modes.is_active[pair]) continue;
        double rate, g = carom_world_gap_at(sim->model, kin, pair, &rate).g;
        if (g > sim->search.margin || rate >= 0.0) continue;
        caromStatus status = touch(sim, time, pair, kin, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

static caromStatus change_limit(caromSim *sim, double time, int limit, const double *y, const caromKin *kin)
{
    return sim->eval.world.modes.limit_is_active[limit] ? leave_limit(sim, time, limit, y, kin) : reach_limit(sim, time, limit, y, kin);
}

caromStatus carom_sim_handle_event(caromSim *sim, double time, const double *y, int what, caromError *err)
{
    caromStatus status = check_chatter(sim, time, what, err);
    if (status != CAROM_OK) return status;
    const caromModel *m = sim->model;
    caromKin *kin = &sim->guard.kin[CAROM_SLOT_LEFT];
    carom_kin_update(m, time, y, y + m->nq, kin);
    if (what >= m->npair) status = change_limit(sim, time, what - m->npair, y, kin);
    else status = sim->eval.world.modes.is_active[what] ? separate(sim, time, what, kin) : touch(sim, time, what, kin, err);
    return status == CAROM_OK ? touch_others(sim, time, kin, err) : status;
}

caromStatus carom_sim_too_deep(caromSim *sim, int pair, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(sim->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name,
                      "at %.9g s %s overlap by more than the contact law can stand for (%.3g m): make it stiffer"
                      " (E of the materials, stiffness or law of the pair, a smaller contact.k_red), or slower", time, name,
                      carom_contact_depth_limit(sim->model, pair));
}

caromStatus carom_sim_no_force(caromSim *sim, int pair, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(sim->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s the law of %s gives no finite force, from a depth of %.3g m on: it has to be a number at every depth and speed that is met",
                      time, name, sim->impacts[pair].last_depth);
}

static void follow_limits(caromSim *sim, double theta_end, double h, const double *y_middle, const double *y_end)
{
    const caromModel *m = sim->model;
    const caromModes *modes = &sim->eval.world.modes;
    for (int i = 0; i < m->nlimit; i++) {
        if (!modes->limit_is_active[i]) continue;
        caromImpact *impact = &sim->impacts[m->npair + i];
        double rate, d = -carom_limit_gap(m, i, y_end, y_end + m->nq, &rate);
        double middle = carom_limit_force(m, modes, i, y_middle, y_middle + m->nq), end = carom_limit_force(m, modes, i, y_end, y_end + m->nq);
        impact->impulse += h*theta_end/6.0*(impact->fn + 4.0*middle + end);
        impact->fn = end;
        impact->depth = fmax(impact->depth, d);
    }
}

// The slot with the state at theta, for a look at the contacts: the end of the step is there already, but for the states of bristles, which the search does not look at.
static caromStatus look_at(caromSim *sim, double theta, double h, int *slot)
{
    if (theta == 1.0) {
        *slot = CAROM_SLOT_END;
        memcpy(sim->guard.state[CAROM_SLOT_END], sim->method->state(sim->stepper), (size_t)sim->eval.n*sizeof(double));
        return CAROM_OK;
    }
    double *y = sim->guard.state[*slot];
    caromStatus status = sim->method->interpolate(sim->stepper, theta, y, NULL);
    if (status == CAROM_OK) carom_kin_update(sim->model, sim->t_step + theta*h, y, y + sim->model->nq, &sim->guard.kin[*slot]);
    return status;
}

typedef struct Look {  // at a depth inside the step
    double theta, depth;
} Look;

// Top of the parabola through three looks; its theta is NaN when it is not between them.
static Look top_of(const Look *a)
{
    double left = a[1].theta - a[0].theta, right = a[2].theta - a[1].theta, rise = (a[1].depth - a[0].depth)/left, fall = (a[1].depth - a[2].depth)/right;
    double bend = (rise + fall)/(left + right), slope = (rise*right - fall*left)/(left + right), theta = a[1].theta + slope/(2.0*bend);
    if (!(bend > 0.0 && theta > a[0].theta && theta < a[2].theta)) return (Look){ NAN, NAN };
    return (Look){ theta, a[1].depth + slope*slope/(4.0*bend) };
}

// Looks at what is between two of the three, which stay neighbours of the deepest.
static void insert(Look *a, Look top)
{
    Look four[4] = { a[0], a[1], a[2], top };
    for (int i = 3; i > 0 && four[i].theta < four[i - 1].theta; i--) {
        Look later = four[i - 1];
        four[i - 1] = four[i];
        four[i] = later;
    }
    int first = four[1].depth >= four[2].depth ? 0 : 1;
    for (int i = 0; i < 3; i++) a[i] = four[first + i];
}

// The largest depth of a step that starts, is half way and ends with the three given ones, looked for only when it may be above a limit: twice at the top of the
// parabola through three looks, which is then met to the fourth power of the step.
static double deepest(caromSim *sim, int pair, double h, Look *looks, double limit)
{
    double *y = sim->guard.state[CAROM_SLOT_START], depth = fmax(looks[1].depth, looks[2].depth);
    caromKin *kin = &sim->guard.kin[CAROM_SLOT_START];  // the search for events is done with it
    for (int i = 0; i < 2; i++) {
        Look top = top_of(looks);
        if (!(top.depth > fmax(depth, limit)) || sim->method->interpolate(sim->stepper, top.theta, y, NULL) != CAROM_OK) break;
        double time = sim->t_step + top.theta*h;
        carom_kin_update(sim->model, time, y, y + sim->model->nq, kin);
        top.depth = carom_world_contact_at(&sim->eval.world, kin, time, y + carom_eval_bristles(sim->model), pair).depth;
        depth = fmax(depth, top.depth);
        insert(looks, top);
    }
    return depth;
}

// Simpson's rule over the part of the step for the impulse.
caromStatus carom_sim_follow_contacts(caromSim *sim, double theta_end, double h, double time, caromError *err)
{
    const caromModes *modes = &sim->eval.world.modes;
    if (carom_modes_is_flight(sim->model, modes)) return CAROM_OK;
    int slot[2] = { CAROM_SLOT_LEFT, CAROM_SLOT_RIGHT };
    for (int i = 0; i < 2; i++) {
        if (look_at(sim, 0.5*(i + 1)*theta_end, h, &slot[i]) == CAROM_OK) continue;
        return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", time);
    }
    const caromKin *middle = &sim->guard.kin[slot[0]], *end = &sim->guard.kin[slot[1]];
    const double *states[2] = { sim->guard.state[slot[0]], sim->guard.state[slot[1]] };
    int at = carom_eval_bristles(sim->model);
    follow_limits(sim, theta_end, h, states[0], states[1]);
    for (int i = 0; i < modes->nactive; i++) {
        int pair = modes->active[i];
        caromImpact *impact = &sim->impacts[pair];
        double t_middle = sim->t_step + 0.5*theta_end*h, t_end = sim->t_step + theta_end*h;
        caromContact m = carom_world_contact_at(&sim->eval.world, middle, t_middle, states[0] + at, pair);
        caromContact e = carom_world_contact_at(&sim->eval.world, end, t_end, states[1] + at, pair);
        impact->impulse += h*theta_end/6.0*(impact->fn + 4.0*m.fn + e.fn);
        impact->fn = e.fn;
        Look looks[3] = { { 0.0, impact->last_depth }, { 0.5*theta_end, m.depth }, { theta_end, e.depth } };
        impact->depth = fmax(impact->depth, deepest(sim, pair, h, looks, impact->depth));
        impact->last_depth = e.depth;
        if (impact->depth > sim->stats.largest_depth) {
            sim->stats.largest_depth = impact->depth;
            sim->stats.largest_depth_pair = pair;
        }
        if (impact->depth > carom_contact_depth_limit(sim->model, pair)) return carom_sim_too_deep(sim, pair, time, err);
    }
    return CAROM_OK;
}
