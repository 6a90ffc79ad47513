// Touch and separation: found on the dense output, then carried out on the discrete state.
#include <math.h>
#include <string.h>

#include "response/compliant.h"

// A pair whose surfaces part more slowly than friction can tell from rest is in contact until the gap is a part
// of the depth that is expected of it: bricks side by side that nothing presses together, a stack that is put
// down exactly touching.
static double smaller_size(const caromModel *m, const int body[2])
{
    double size = INFINITY;
    for (int i = 0; i < 2; i++) if (!m->bodies[body[i]].fixed) size = fmin(size, m->bodies[body[i]].reach);
    return isfinite(size) ? size : 0.0;
}

static caromHysteresis hysteresis_of(const caromSystem *s, int pair)
{
    const caromModel *m = s->model;
    const int *shape = m->pairs[pair].shape, body[2] = { m->shapes[shape[0]].body, m->shapes[shape[1]].body };
    double depth = carom_tolerances_touch(m, &s->world.memory.touch[pair], pair).bend;
    double rounding = carom_tolerances_body_rounding(m, &s->guard.kin[CAROM_SLOT_START], body, carom_vec(1, 1, 1));
    double start = CAROM_COMPLIANT_HELD_START*s->world.memory.touch[pair].gap;
    double gap = fmax(fmax(CAROM_COMPLIANT_HELD_GAP*depth, CAROM_COMPLIANT_HELD_ROUNDINGS*rounding), start);
    gap = fmax(gap, CAROM_COMPLIANT_HELD_PART*m->settings.tolerance*smaller_size(m, body));
    return (caromHysteresis){ gap, CAROM_COMPLIANT_SLOW*m->settings.v_small };
}

// A joint that rests on its limit leaves it no more often than a pair that rests.
static caromHysteresis hysteresis_of_limit(const caromSystem *s, int limit)
{
    if (!s->world.memory.limit_touch[limit].is_lasting) return (caromHysteresis){ 0.0, 0.0 };
    double depth = carom_tolerances_limit(s->model, &s->world.memory, limit).depth;
    return (caromHysteresis){ CAROM_COMPLIANT_HELD_GAP*depth,
                              CAROM_COMPLIANT_SLOW*carom_contact_limit_small_speed(s->model, limit) };
}

static caromOccasion earlier_parting(caromSystem *s, caromConstraint c, caromHysteresis least, caromOccasion first)
{
    double theta = carom_search_separation(&s->search, c, least, fmin(first.theta, 1.0));
    // The method `convex` takes separations as they come: they are told at the end of the step.
    if (carom_compliant_of(s)->convex && theta <= 1.0) {
        bool is_apart = c.kind != CAROM_CONSTRAINT_PAIR ||
                        carom_patch_gap(s->model, &s->guard.kin[CAROM_SLOT_END], c.index).g > least.gap;
        theta = is_apart ? 1.0 : 2.0;
    }
    return theta < first.theta ? (caromOccasion){ theta, CAROM_OCCASION_CONSTRAINT, c } : first;
}

// Earliest event of the step; among equal times the smallest pair, since a later one must be earlier to win.
caromOccasion carom_compliant_first_event(caromSystem *s)
{
    caromOccasion first = carom_search_nothing;
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        first = earlier_parting(s, carom_model_constraint_of_pair(pair), hysteresis_of(s, pair), first);
    }
    for (int i = 0; i < s->model->nlimit; i++) {
        if (!memory->limit_is_active[i]) continue;
        first = earlier_parting(s, carom_model_constraint_of_limit(i), hysteresis_of_limit(s, i), first);
    }
    return carom_response_first_touch(s, first);
}

// Depth is a difference of positions, which are rounded: the contact that suffers most is kept for the summary.
static void note_resolution(caromSystem *s, const caromKin *kin, int pair, caromVec3 n, const caromTouch *touch)
{
    const int *shape = s->model->pairs[pair].shape,
              body[2] = { s->model->shapes[shape[0]].body, s->model->shapes[shape[1]].body };
    double depth = carom_tolerances_touch(s->model, touch, pair).depth,
           part = carom_tolerances_body_rounding(s->model, kin, body, n)/depth;
    if (s->stats.coarsest.pair >= 0 && part <= s->stats.coarsest.part) return;
    s->stats.coarsest.pair = pair;
    s->stats.coarsest.time = touch->time;
    s->stats.coarsest.depth = depth;
    s->stats.coarsest.part = part;
}

// The ledger stands behind the states of bristles and moves with their end.
static void resize(caromSystem *s)
{
    double *ledger = carom_response_ledger(s);
    s->n = carom_motion_states(s->model, &s->world.memory);
    memmove(carom_response_ledger(s), ledger, CAROM_LEDGER*sizeof *ledger);
}

caromStatus carom_compliant_begin(caromSystem *s, const caromKin *kin, int pair, double time, caromEvent *event,
                                  caromError *err)
{
    caromGap gap = carom_patch_gap(s->model, kin, pair);
    double mass = carom_motion_effective_mass(s->model, kin, pair, &gap, &s->scratch.work);
    double *z = s->y + carom_motion_bristles(s->model);
    int before = carom_contact_memory_states(&s->world.memory);
    caromEvent begun;
    caromWorldTouch begin = { .pair = pair, .time = time, .gap = &gap, .mass = mass };
    caromStatus status = carom_world_touch_at(&s->world, kin, &begin, &begun, err);
    if (status != CAROM_OK) return status;
    resize(s);
    for (int i = before; i < carom_contact_memory_states(&s->world.memory); i++) z[i] = 0.0;
    const caromTouch *touch = &s->world.memory.touch[pair];
    note_resolution(s, kin, pair, gap.n_AB, touch);
    carom_compliant_of(s)->tallies[pair] = (caromTally){ 0 };
    double speed = fmax(begun.touch.speed, s->model->settings.v_small);
    double duration = carom_contact_touch_duration(carom_model_law_of(s->model, pair), touch, speed);
    s->watch_until = fmax(s->watch_until, time + CAROM_COMPLIANT_WATCHED*duration);
    if (event) *event = begun;
    return CAROM_OK;
}

caromEvent carom_compliant_end(caromSystem *s, const caromKin *kin, int pair, double time)
{
    caromEvent event = carom_world_separate_at(&s->world, kin, time, pair, s->y + carom_motion_bristles(s->model));
    resize(s);
    carom_response_ledger(s)[CAROM_LEDGER_FRICTION] += event.separation.lost;
    return event;
}

static caromStatus touch(caromSystem *s, double time, int pair, const caromKin *kin, caromError *err)
{
    caromEvent event;
    caromStatus status = carom_compliant_begin(s, kin, pair, time, &event, err);
    return status == CAROM_OK ? carom_response_tell(s, &event) : status;
}

static caromStatus separate(caromSystem *s, double time, int pair, const caromKin *kin)
{
    caromEvent event = carom_compliant_end(s, kin, pair, time);
    event.separation.depth = carom_compliant_of(s)->tallies[pair].depth;
    event.separation.impulse = carom_compliant_of(s)->tallies[pair].impulse;
    return carom_response_tell(s, &event);
}

// What the joint's coordinate feels of inertia.
static double limit_mass(caromSystem *s, const caromKin *kin, int limit)
{
    const caromLimit *l = &s->model->limits[limit];
    if (!carom_dyn_articulated_factor(s->model, kin, &s->scratch.work)) return INFINITY;
    double mobility = carom_dyn_articulated_mobility(s->model, kin, l->link, l->coordinate, &s->scratch.work);
    return mobility > 0.0 ? 1.0/mobility : (double)INFINITY;
}

static caromTally *limit_tally(const caromSystem *s, int limit)
{
    return &carom_compliant_of(s)->tallies[s->model->npair + limit];
}

void carom_compliant_begin_limit(caromSystem *s, const caromKin *kin, int limit, double time)
{
    double rate;
    carom_contact_limit_gap(s->model, limit, s->y, s->y + s->model->nq, &rate);
    caromTouchStart start = { time, fmax(0.0, -rate), limit_mass(s, kin, limit) };
    carom_contact_limit_begin(s->model, &s->world.memory, limit, start);
    *limit_tally(s, limit) = (caromTally){ 0 };
}

static caromStatus reach_limit(caromSystem *s, double time, int limit, const caromKin *kin)
{
    carom_compliant_begin_limit(s, kin, limit, time);
    caromTouchEvent reached = { s->world.memory.limit_touch[limit].speed };
    caromEvent event = { .time = time, .kind = CAROM_EVENT_LIMIT, .touch = reached };
    carom_response_place_limit(s->model, kin, limit, &event);
    return carom_response_tell(s, &event);
}

static caromStatus leave_limit(caromSystem *s, double time, int limit, const caromKin *kin)
{
    const caromTouch *t = &s->world.memory.limit_touch[limit];
    const caromTally *tally = limit_tally(s, limit);
    double rate;
    carom_contact_limit_gap(s->model, limit, s->y, s->y + s->model->nq, &rate);
    caromSeparationEvent left = carom_world_touch_ended(t, time, fmax(0.0, rate));
    left.depth = tally->depth;
    left.impulse = tally->impulse;
    caromEvent event = { .time = time, .kind = CAROM_EVENT_LIMIT_LEFT, .separation = left };
    carom_response_place_limit(s->model, kin, limit, &event);
    carom_contact_limit_end(&s->world.memory, limit);
    return carom_response_tell(s, &event);
}

// Events that pile up without time passing would go on for ever.
static caromStatus check_chatter(caromSystem *s, double time, caromConstraint about, caromError *err)
{
    caromCompliant *c = carom_compliant_of(s);
    if (time - c->chatter_time > CAROM_COMPLIANT_NO_TIME*s->model->settings.until) {
        c->chatter_time = time;
        c->chatter_count = 0;
    }
    if (++c->chatter_count <= CAROM_COMPLIANT_CHATTER_MAX) return CAROM_OK;
    char name[4*CAROM_NAME_MAX];
    carom_model_constraint_name(s->model, about, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s touches and separates %d times without time passing: "
                      "give a smaller tolerance, or a larger contact.v_small",
                      time, name, CAROM_COMPLIANT_CHATTER_MAX);
}

// Pairs that meet at the very same instant (a flat drop of two bodies, symmetric scenes) are taken together, in their
// order.
static caromStatus touch_others(caromSystem *s, double time, const caromKin *kin, caromError *err)
{
    for (int i = 0; i < s->guard.nnear; i++) {
        caromConstraint c = s->guard.near[i];
        if (c.kind != CAROM_CONSTRAINT_PAIR || s->world.memory.is_active[c.index]) continue;
        double rate, g = carom_world_gap_at(s->model, kin, c.index, &rate).g;
        if (g > s->search.margin || rate >= 0.0) continue;
        caromStatus status = touch(s, time, c.index, kin, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Nor do they part one after the other: the feet of a body that leaves the ground do so at one instant, each a rounding
// before or after it.
static caromStatus part_others(caromSystem *s, double time, const caromKin *kin)
{
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < memory->nactive;) {
        double rate, g = carom_world_gap_at(s->model, kin, memory->active[i], &rate).g;
        if (g < -s->search.margin || rate <= s->search.slow) {
            i++;
            continue;
        }
        caromStatus status = separate(s, time, memory->active[i], kin);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

static caromStatus change_limit(caromSystem *s, double time, int limit, const caromKin *kin)
{
    return s->world.memory.limit_is_active[limit] ? leave_limit(s, time, limit, kin) : reach_limit(s, time, limit, kin);
}

static caromStatus change_pair(caromSystem *s, double time, int pair, const caromKin *kin, caromError *err)
{
    return s->world.memory.is_active[pair] ? separate(s, time, pair, kin) : touch(s, time, pair, kin, err);
}

caromStatus carom_compliant_at_event(caromSystem *s, double time, const caromOccasion *event, caromError *err)
{
    caromConstraint about = event->about;
    caromStatus status = check_chatter(s, time, about, err);
    if (status != CAROM_OK) return status;
    const caromModel *m = s->model;
    caromKin *kin = &s->guard.kin[CAROM_SLOT_LEFT];  // the search is over
    carom_kin_update(m, time, s->y, s->y + m->nq, kin);
    if (about.kind == CAROM_CONSTRAINT_LIMIT) status = change_limit(s, time, about.index, kin);
    else status = change_pair(s, time, about.index, kin, err);
    if (status == CAROM_OK) status = part_others(s, time, kin);
    return status == CAROM_OK ? touch_others(s, time, kin, err) : status;
}
