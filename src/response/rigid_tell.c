// What the sink hears of rigid contacts: impacts, and changes of the modes of pairs.
#include "response/rigid.h"

caromEvent carom_rigid_event_of(const caromSystem *sys, caromEventKind kind, double time, const caromContactPoint *c,
                                const caromPlacedPoint *at)
{
    const caromModel *m = sys->model;
    caromEventSubject about = { CAROM_SUBJECT_PAIR, .pair = c->about.index };
    caromEvent event = { .time = time, .kind = kind, .about = about, .p_W = at->p, .n_AB = at->n };
    if (c->about.kind == CAROM_CONSTRAINT_LIMIT)
        carom_response_place_limit(m, &sys->scratch.kin, c->about.index, &event);
    return event;
}

caromStatus carom_rigid_tell_impact(caromSystem *sys, double time, int i, const double after[3],
                                    const caromImpactReport *report)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromPlacedPoint *at = &r->space->points[i];
    const double *before = at->v;
    const caromImpactOutcome *o = &r->event.outcomes[i];
    caromEvent event = carom_rigid_event_of(sys, CAROM_EVENT_IMPACT, time, &r->event.found[i], at);
    double arm = at->limit >= 0 ? fabs(at->sign) : 1.0;  // of an angle: rad/s and N m s
    event.impact = (caromImpactEvent){
        .speed = fmax(0.0, -before[0])/arm,
        .asked_restitution = r->event.blows[i].restitution,
        .restitution = o->compression < 0.0 ? sqrt(fmax(0.0, -o->restitution/o->compression)) : 0.0,
        .impulse = o->p[0]*arm,
        .lost_normal = 0.0 - (o->compression + o->restitution),  // not -0
        .together = r->space->n,
        .is_collapse = report->collapsed,
        .is_at_once = report->scheme != sys->model->settings.impacts,
        .njoint = sys->model->njoint,
        .joint_impulses = r->event.joint_impulses,
        .v_before = carom_space_vector(at, before),
        .v_after = carom_space_vector(at, after),
        .impulse_B = carom_space_vector(at, o->p),
        .lost_friction = 0.0 - o->friction,
        .path = o->path,
        .path_stop = o->stop,
        .stops_in_compression = o->stops_in_compression,
        .point = carom_rigid_point_of_pair(r, i),
    };
    return carom_response_tell(sys, &event);
}

typedef struct PairMode {
    bool touches, slides;
    bool lands;  // bounces of one of its points die out
    int index;   // of a contact of the pair
} PairMode;

static PairMode mode_of_pair(const caromContactPoint *list, int n, caromConstraint about)
{
    PairMode mode = { .index = -1 };
    for (int i = 0; i < n; i++) {
        if (!carom_model_constraint_is(list[i].about, about)) continue;
        mode.lands = mode.lands || (carom_unilateral_point_lands(&list[i]) && !list[i].hops);
        if (list[i].mode == CAROM_MODE_FLIGHT || carom_unilateral_point_lands(&list[i])) continue;
        mode.touches = true;
        mode.slides = mode.slides || list[i].mode == CAROM_MODE_SLIDING;
        if (mode.index < 0) mode.index = i;
    }
    return mode;
}

static caromStatus tell_mode(caromSystem *sys, double time, caromEventKind kind, caromConstraint about,
                             const caromContactPoint *c)
{
    caromPlacedPoint at = { .limit = -1 };
    caromTouchPoint point;
    bool is_pair = about.kind == CAROM_CONSTRAINT_PAIR;
    if (is_pair && carom_manifold_point_at(sys->model, &sys->scratch.kin, about.index, c->feature, &point)) {
        at.p = point.p_B;
        at.n = point.n_AB;
    }
    caromEvent event = carom_rigid_event_of(sys, kind, time, c, &at);
    return carom_response_tell(sys, &event);
}

static caromStatus tell_change(caromSystem *sys, double time, caromConstraint about, PairMode was, PairMode is,
                               const caromContactPoint *c)
{
    caromStatus status = CAROM_OK;
    bool can_slip = about.kind == CAROM_CONSTRAINT_PAIR && carom_model_law_of(sys->model, about.index)->friction > 0.0;
    // The mode is told after it in any case: who reads events knows the last.
    bool lands = is.touches && (!was.touches || (was.lands && !is.lands));
    if (lands) status = tell_mode(sys, time, CAROM_EVENT_LAND, about, c);
    if (was.touches && !is.touches) return tell_mode(sys, time, CAROM_EVENT_TAKE_OFF, about, c);
    if (status != CAROM_OK || !is.touches || !can_slip || (!lands && was.slides == is.slides)) return status;
    return tell_mode(sys, time, is.slides ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK, about, c);
}

// Pair by pair, in the order of the new list, then those that are gone.
caromStatus carom_rigid_tell_changes(caromSystem *sys, double time, const caromContactPoint *before, int nbefore)
{
    const caromRigid *r = carom_rigid_of(sys);
    for (int pass = 0; pass < 2; pass++) {
        const caromContactPoint *list = pass == 0 ? r->contacts : before;
        int n = pass == 0 ? r->n : nbefore;
        for (int i = 0; i < n; i++) {
            caromConstraint about = list[i].about;
            PairMode was = mode_of_pair(before, nbefore, about), is = mode_of_pair(r->contacts, r->n, about);
            bool is_first = true;
            for (int k = 0; k < i; k++) is_first = is_first && !carom_model_constraint_is(list[k].about, about);
            if (!is_first || (pass == 1 && carom_rigid_has(r, about))) continue;
            caromStatus status = tell_change(sys, time, about, was, is,
                                             is.index >= 0 ? &r->contacts[is.index] : &list[i]);
            if (status != CAROM_OK) return status;
        }
    }
    return CAROM_OK;
}
