// Touch and separation: found on the dense output, then carried out on the discrete state.
#include <float.h>
#include <stdio.h>

#include "geometry/geometry.h"
#include "integrate/sim.h"

// Earliest event of the step; among equal times the smallest pair, since a later one must be earlier to win.
caromOccasion carom_sim_first_event(caromSim *sim)
{
    caromOccasion first = { CAROM_NEVER, -1 };
    const caromModes *modes = &sim->eval.modes;
    for (int i = 0; i < modes->nactive; i++) {
        double theta = carom_search_separation(&sim->search, modes->active[i], fmin(first.theta, 1.0));
        if (theta < first.theta) first = (caromOccasion){ theta, modes->active[i] };
    }
    for (int i = 0; i < sim->guard.nnear; i++) {
        double theta = carom_search_touch(&sim->search, sim->guard.near[i], fmin(first.theta, 1.0));
        if (theta < first.theta || (theta == first.theta && theta <= 1.0 && sim->guard.near[i] < first.pair)) {
            first = (caromOccasion){ theta, sim->guard.near[i] };
        }
    }
    return first;
}

static caromStatus tell(caromSim *sim, const caromEvent *event)
{
    sim->stats.events[event->kind]++;
    return sim->sink.event ? sim->sink.event(sim->sink.user, event) : CAROM_OK;
}

void carom_sim_begin_contact(caromSim *sim, const caromKin *kin, int pair, double time)
{
    caromGap gap = carom_collide_gap(sim->model, kin, pair);
    double speed = fmax(0.0, -carom_collide_gap_rate(sim->model, kin, pair, &gap));
    carom_modes_begin(sim->model, &sim->eval.modes, pair, time, speed);
    sim->impacts[pair] = (caromImpact){ 0 };
    double duration = carom_contact_duration(sim->model, pair, fmax(speed, sim->model->settings.v_small));
    sim->watch_until = fmax(sim->watch_until, time + 3.0*duration);
}

static caromStatus touch(caromSim *sim, double time, int pair, const caromKin *kin)
{
    caromGap gap = carom_collide_gap(sim->model, kin, pair);
    carom_sim_begin_contact(sim, kin, pair, time);
    caromEvent event = { .time = time,
                         .kind = CAROM_EVENT_TOUCH,
                         .pair = pair,
                         .joint = -1,
                         .p_W = carom_scale(0.5, carom_add(gap.p_A, gap.p_B)),
                         .n_AB = gap.n_AB,
                         .speed = sim->eval.modes.touch[pair].speed };
    return tell(sim, &event);
}

static caromStatus separate(caromSim *sim, double time, int pair, const caromKin *kin)
{
    caromGap gap = carom_collide_gap(sim->model, kin, pair);
    const caromTouch *t = &sim->eval.modes.touch[pair];
    double speed = fmax(0.0, carom_collide_gap_rate(sim->model, kin, pair, &gap));
    caromEvent event = { .time = time,
                         .kind = CAROM_EVENT_SEPARATION,
                         .pair = pair,
                         .joint = -1,
                         .p_W = carom_scale(0.5, carom_add(gap.p_A, gap.p_B)),
                         .n_AB = gap.n_AB,
                         .speed = speed,
                         .duration = time - t->time,
                         .approach_speed = t->speed,
                         .asked_restitution = t->restitution,
                         .restitution = t->speed > 0.0 ? speed/t->speed : 0.0,
                         .depth = sim->impacts[pair].depth,
                         .impulse = sim->impacts[pair].impulse };
    carom_modes_end(&sim->eval.modes, pair);
    return tell(sim, &event);
}

// Events that pile up without time passing would go on for ever.
static caromStatus check_chatter(caromSim *sim, double time, int pair, caromError *err)
{
    enum { CHATTER_MAX = 2000 };
    if (time - sim->chatter_time > 1e-9*sim->model->settings.until) {
        sim->chatter_time = time;
        sim->chatter_count = 0;
    }
    if (++sim->chatter_count <= CHATTER_MAX) return CAROM_OK;
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(sim->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s the contact %s touches and separates %d times without time passing: lower the tolerance, or raise contact.v_small",
                      time, name, CHATTER_MAX);
}

// Pairs that meet at the very same instant (a flat drop of two bodies, symmetric scenes) are taken together, in their order.
static caromStatus touch_others(caromSim *sim, double time, const caromKin *kin)
{
    for (int i = 0; i < sim->guard.nnear; i++) {
        int pair = sim->guard.near[i];
        if (sim->eval.modes.is_active[pair]) continue;
        caromGap gap = carom_collide_gap(sim->model, kin, pair);
        if (gap.g > sim->search.margin || carom_collide_gap_rate(sim->model, kin, pair, &gap) >= 0.0) continue;
        caromStatus status = touch(sim, time, pair, kin);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

caromStatus carom_sim_handle_event(caromSim *sim, double time, const double *y, int pair, caromError *err)
{
    caromStatus status = check_chatter(sim, time, pair, err);
    if (status != CAROM_OK) return status;
    caromKin *kin = &sim->guard.kin[CAROM_SLOT_LEFT];
    carom_kin_update(sim->model, y, y + sim->model->nq, kin);
    status = sim->eval.modes.is_active[pair] ? separate(sim, time, pair, kin) : touch(sim, time, pair, kin);
    return status == CAROM_OK ? touch_others(sim, time, kin) : status;
}

// Deeper than this the law has lost its meaning: a face would leave through the other side, a centre pass through a surface.
static double depth_limit(const caromModel *model, int pair)
{
    double thickness = INFINITY;
    for (int i = 0; i < 2; i++) {
        caromShape s = model->shapes[model->pairs[pair].shape[i]].shape;
        const caromShapeRow *row = carom_shape_row(s.kind);
        caromVec3 h = row->half_edges(s.size);
        thickness = fmin(thickness, row->rounding(s.size) + fmin(h.x, fmin(h.y, h.z)));
    }
    return (carom_pair_row(model, pair, NULL)->contact == CAROM_CONTACT_FACE ? 0.3 : 0.9)*thickness;
}

static caromStatus too_deep(caromSim *sim, int pair, double depth, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(sim->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name,
                      "at %.9g s %s overlap by %.3g m, more than the contact law can stand for (%.3g m): use a stiffer material (E), a smaller k_red, or a lower speed",
                      time, name, depth, depth_limit(sim->model, pair));
}

// Simpson's rule over the part of the step for the impulse; depth at its middle and end.
caromStatus carom_sim_follow_contacts(caromSim *sim, double theta_end, double h, double time, caromError *err)
{
    const caromModes *modes = &sim->eval.modes;
    if (modes->nactive == 0) return CAROM_OK;
    caromKin *middle = &sim->guard.kin[CAROM_SLOT_LEFT], *end = &sim->guard.kin[CAROM_SLOT_RIGHT];
    for (int half = 1; half <= 2; half++) {
        caromStatus status = sim->method->interpolate(sim->stepper, 0.5*half*theta_end, sim->y_work, NULL);
        if (status != CAROM_OK) return status;
        carom_kin_update(sim->model, sim->y_work, sim->y_work + sim->model->nq, half == 1 ? middle : end);
    }
    for (int i = 0; i < modes->nactive; i++) {
        int pair = modes->active[i];
        caromImpact *impact = &sim->impacts[pair];
        caromContact m = carom_contact_resultant(sim->model, middle, modes, pair), e = carom_contact_resultant(sim->model, end, modes, pair);
        impact->impulse += h*theta_end/6.0*(impact->fn + 4.0*m.fn + e.fn);
        impact->fn = e.fn;
        impact->depth = fmax(impact->depth, fmax(m.depth, e.depth));
        if (impact->depth > sim->stats.largest_depth) {
            sim->stats.largest_depth = impact->depth;
            sim->stats.largest_depth_pair = pair;
        }
        if (impact->depth > depth_limit(sim->model, pair)) return too_deep(sim, pair, impact->depth, time, err);
    }
    return CAROM_OK;
}
