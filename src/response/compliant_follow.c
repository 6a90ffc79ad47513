// What contacts amount to along the steps: largest depth and impulse, and whether they are too deep.
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "response/compliant.h"

caromStatus carom_compliant_too_deep(const caromSystem *s, int pair, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(s->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s %s overlap by more than the contact law can stand for "
                      "(%.3g m): make it stiffer (E of the materials, stiffness or law of the pair, "
                      "a smaller contact.k_red), or slower", time, name, carom_contact_depth_limit(s->model, pair));
}

caromStatus carom_compliant_no_force(const caromSystem *s, int pair, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(s->model, pair, name, sizeof name);
    return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s the law of %s gives no finite force, "
                      "from a depth of %.3g m on: it has to be a number at every depth and speed that is met", time,
                      name, carom_compliant_of(s)->tallies[pair].last_depth);
}

static void follow_limits(caromSystem *s, double theta_end, const double *y_middle, const double *y_end)
{
    const caromModel *m = s->model;
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < m->nlimit; i++) {
        if (!memory->limit_is_active[i]) continue;
        caromTally *tally = &carom_compliant_of(s)->tallies[m->npair + i];
        double rate, d = -carom_contact_limit_gap(m, i, y_end, y_end + m->nq, &rate);
        double middle = carom_contact_limit_force(m, memory, i, y_middle, y_middle + m->nq),
               end = carom_contact_limit_force(m, memory, i, y_end, y_end + m->nq);
        tally->impulse += s->search.h*theta_end/6.0*(tally->fn + 4.0*middle + end);
        tally->fn = end;
        tally->depth = fmax(tally->depth, d);
    }
}

// The slot with the state at theta, for a look at the contacts: the end of the step is there already, but for the
// states of bristles, which the search does not look at.
static caromStatus look_at(caromSystem *s, double theta, int *slot)
{
    if (theta == 1.0) {
        *slot = CAROM_SLOT_END;
        memcpy(s->guard.state[CAROM_SLOT_END], s->search.method->state(s->search.stepper), (size_t)s->n*sizeof(double));
        return CAROM_OK;
    }
    double *y = s->guard.state[*slot];
    caromStatus status = s->search.method->interpolate(s->search.stepper, theta, y, NULL);
    if (status == CAROM_OK)
        carom_kin_update(s->model, s->t_step + theta*s->search.h, y, y + s->model->nq, &s->guard.kin[*slot]);
    return status;
}

typedef struct Look {  // at a depth inside the step
    double theta, depth;
} Look;

// Top of the parabola through three looks; its theta is NaN when it is not between them.
static Look top_of(const Look *a)
{
    double left = a[1].theta - a[0].theta, right = a[2].theta - a[1].theta, rise = (a[1].depth - a[0].depth)/left,
           fall = (a[1].depth - a[2].depth)/right;
    double bend = (rise + fall)/(left + right), slope = (rise*right - fall*left)/(left + right),
           theta = a[1].theta + slope/(2.0*bend);
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

// The largest depth of a step that starts, is half way and ends with the three given ones, looked for only when
// it may be above a limit: twice at the top of the parabola through three looks, which is then met to the
// fourth power of the step.
static double deepest(caromSystem *s, int pair, Look *looks, double limit)
{
    double *y = s->guard.state[CAROM_SLOT_START], depth = fmax(looks[1].depth, looks[2].depth);
    caromKin *kin = &s->guard.kin[CAROM_SLOT_START];  // the search for events is done with it
    for (int i = 0; i < 2; i++) {
        Look top = top_of(looks);
        if (!(top.depth > fmax(depth, limit)) ||
            s->search.method->interpolate(s->search.stepper, top.theta, y, NULL) != CAROM_OK) break;
        double time = s->t_step + top.theta*s->search.h;
        carom_kin_update(s->model, time, y, y + s->model->nq, kin);
        top.depth = carom_world_contact_at(&s->world, kin, time, y + carom_motion_bristles(s->model), pair).depth;
        depth = fmax(depth, top.depth);
        insert(looks, top);
    }
    return depth;
}

// The deepest overlap that the law does not stand for, and whether the run ends there.
static caromStatus judge_depth(caromSystem *s, int pair, double depth, double time, caromError *err)
{
    double part = carom_contact_depth_part(s->model, pair, depth);
    if (depth > s->stats.largest_depth) {
        s->stats.largest_depth = depth;
        s->stats.largest_depth_pair = pair;
    }
    if (s->model->settings.too_deep == CAROM_DEEP_ERROR)
        return depth > carom_contact_depth_limit(s->model, pair) ? carom_compliant_too_deep(s, pair, time, err)
                                                                 : CAROM_OK;
    if (part > CAROM_CONTACT_DEEP_PART && (s->stats.deepest.pair < 0 || part > s->stats.deepest.part)) {
        s->stats.deepest.pair = pair;
        s->stats.deepest.time = time;
        s->stats.deepest.depth = depth;
        s->stats.deepest.part = part;
    }
    return CAROM_OK;
}

// Simpson's rule over the part of the step for the impulse.
caromStatus carom_compliant_follow(caromSystem *s, double theta_end, double time, caromError *err)
{
    const caromContactMemory *memory = &s->world.memory;
    if (carom_contact_memory_is_flight(s->model, memory)) return CAROM_OK;
    int slot[2] = { CAROM_SLOT_LEFT, CAROM_SLOT_RIGHT };
    for (int i = 0; i < 2; i++) {
        if (look_at(s, 0.5*(i + 1)*theta_end, &slot[i]) == CAROM_OK) continue;
        return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", time);
    }
    const caromKin *middle = &s->guard.kin[slot[0]], *end = &s->guard.kin[slot[1]];
    const double *states[2] = { s->guard.state[slot[0]], s->guard.state[slot[1]] };
    int at = carom_motion_bristles(s->model);
    double h = s->search.h;
    follow_limits(s, theta_end, states[0], states[1]);
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        caromTally *tally = &carom_compliant_of(s)->tallies[pair];
        double t_middle = s->t_step + 0.5*theta_end*h, t_end = s->t_step + theta_end*h;
        caromContact m = carom_world_contact_at(&s->world, middle, t_middle, states[0] + at, pair);
        caromContact e = carom_world_contact_at(&s->world, end, t_end, states[1] + at, pair);
        tally->impulse += h*theta_end/6.0*(tally->fn + 4.0*m.fn + e.fn);
        tally->fn = e.fn;
        Look looks[3] = { { 0.0, tally->last_depth }, { 0.5*theta_end, m.depth }, { theta_end, e.depth } };
        tally->depth = fmax(tally->depth, deepest(s, pair, looks, tally->depth));
        tally->last_depth = e.depth;
        caromStatus status = judge_depth(s, pair, tally->depth, time, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}
