// What the sink hears of rigid contacts: impacts, and changes of the modes of pairs.
#include "integrate/sim.h"

caromEvent carom_rigid_event(const caromSim *sim, caromEventKind kind, double time, const caromContactPoint *c, const caromPlacedPoint *at)
{
    const caromModel *m = sim->model;
    caromEvent event = { .time = time, .kind = kind, .pair = -1, .joint = -1, .p_W = at->p, .n_AB = at->n };
    if (c->what < m->npair) event.pair = c->what;
    else carom_sim_place_limit(sim, &sim->eval.kin, c->what - m->npair, &event);
    return event;
}

caromStatus carom_rigid_tell_impact(caromSim *sim, double time, int i, const double before[3], const double after[3], const caromImpactReport *report)
{
    const caromRigid *r = sim->eval.rigid;
    const caromPlacedPoint *at = &r->space.points[i];
    const caromImpactOutcome *o = &r->outcomes[i];
    caromEvent event = carom_rigid_event(sim, CAROM_EVENT_IMPACT, time, &r->found[i], at);
    double arm = at->limit >= 0 ? fabs(at->sign) : 1.0;  // of an angle: rad/s and N m s
    event.speed = event.approach_speed = fmax(0.0, -before[0])/arm;
    event.asked_restitution = r->blows[i].restitution;
    event.restitution = o->compression < 0.0 ? sqrt(fmax(0.0, -o->restitution/o->compression)) : 0.0;
    event.impulse = o->p[0]*arm;
    event.v_before = carom_space_vector(at, before);
    event.v_after = carom_space_vector(at, after);
    event.impulse_B = carom_space_vector(at, o->p);
    event.lost_normal = 0.0 - (o->compression + o->restitution);  // not -0
    event.lost_friction = 0.0 - o->friction;
    event.path = o->path;
    event.path_stop = o->stop;
    event.stops_in_compression = o->stops_in_compression;
    event.point = carom_rigid_point_of_pair(r, i);
    event.together = r->space.n;
    event.is_collapse = report->collapsed;
    event.njoint = sim->model->njoint;
    event.joint_impulses = r->joint_impulses;
    return carom_sim_tell(sim, &event);
}

typedef struct PairMode {
    bool touches, slides;
    bool lands;  // bounces of one of its points die out
    int index;   // of a contact of the pair
} PairMode;

static PairMode mode_of_pair(const caromContactPoint *list, int n, int what)
{
    PairMode mode = { .index = -1 };
    for (int i = 0; i < n; i++) {
        if (list[i].what != what) continue;
        mode.lands = mode.lands || (carom_point_lands(&list[i]) && !list[i].hops);
        if (list[i].mode == CAROM_MODE_FLIGHT || carom_point_lands(&list[i])) continue;
        mode.touches = true;
        mode.slides = mode.slides || list[i].mode == CAROM_MODE_SLIDING;
        if (mode.index < 0) mode.index = i;
    }
    return mode;
}

static caromStatus tell_mode(caromSim *sim, double time, caromEventKind kind, int what, const caromContactPoint *c)
{
    caromPlacedPoint at = { .limit = -1 };
    caromTouchPoint point;
    if (what < sim->model->npair) {
        carom_collide_touch_point_at(sim->model, &sim->eval.kin, what, c->feature, &point);
        at.p = point.p_B;
        at.n = point.n_AB;
    }
    caromEvent event = carom_rigid_event(sim, kind, time, c, &at);
    return carom_sim_tell(sim, &event);
}

static caromStatus tell_change(caromSim *sim, double time, int what, PairMode was, PairMode is, const caromContactPoint *c)
{
    caromStatus status = CAROM_OK;
    bool can_slip = what < sim->model->npair && carom_law_of(sim->model, what)->friction > 0.0;
    bool lands = is.touches && (!was.touches || (was.lands && !is.lands));  // the mode is told after it in any case: who reads events knows the last
    if (lands) status = tell_mode(sim, time, CAROM_EVENT_LAND, what, c);
    if (was.touches && !is.touches) return tell_mode(sim, time, CAROM_EVENT_TAKE_OFF, what, c);
    if (status != CAROM_OK || !is.touches || !can_slip || (!lands && was.slides == is.slides)) return status;
    return tell_mode(sim, time, is.slides ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK, what, c);
}

// Pair by pair, in the order of the new list, then those that are gone.
caromStatus carom_rigid_tell_changes(caromSim *sim, double time, const caromContactPoint *before, int nbefore)
{
    const caromRigid *r = sim->eval.rigid;
    for (int pass = 0; pass < 2; pass++) {
        const caromContactPoint *list = pass == 0 ? r->contacts : before;
        int n = pass == 0 ? r->n : nbefore;
        for (int i = 0; i < n; i++) {
            int what = list[i].what;
            PairMode was = mode_of_pair(before, nbefore, what), is = mode_of_pair(r->contacts, r->n, what);
            bool is_first = true;
            for (int k = 0; k < i; k++) is_first = is_first && list[k].what != what;
            if (!is_first || (pass == 1 && carom_rigid_has_pair(r, what))) continue;
            caromStatus status = tell_change(sim, time, what, was, is, is.index >= 0 ? &r->contacts[is.index] : &list[i]);
            if (status != CAROM_OK) return status;
        }
    }
    return CAROM_OK;
}
