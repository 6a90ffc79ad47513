// What contacts amount to along the steps: largest depth and impulse, whether they are too deep, or ring unseen.
//
// Both are functions of the dense output, which is as good as the step. The impulse is integrated by Lobatto's rule
// with five points, exact for polynomials of degree 7, over the step or, where Simpson's rule through three of the
// points differs by too much, its halves. The largest depth is looked for at the top of parabolas.
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "response/compliant.h"

caromStatus carom_compliant_too_deep(const caromSystem *s, int pair, double time, caromError *err)
{
    char name[4*CAROM_NAME_MAX];
    carom_model_pair_name(s->model, pair, name, sizeof name);
    if (s->model->settings.too_deep != CAROM_DEEP_ERROR && carom_contact_is_driven(s->model))
        return carom_fail(err, CAROM_ERR_NUMERIC, name, "at %.9g s prescribed motions press %s into each other, with "
                          "more than 1e4 times the force that the contact law stands for: give the motion a way "
                          "past, or drive by a force", time, name);
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
                      name, carom_compliant_of(s)->tallies[pair].node[0].depth);
}

// ---- the points at which a piece of a step is looked at

// Lobatto's rules on 0 to 1, with 5 points and with 3 (Simpson's).
typedef struct Rule {
    int n;
    double theta[CAROM_COMPLIANT_NODES], weight[CAROM_COMPLIANT_NODES];
} Rule;
static const Rule simpson = { 3, { 0.0, 0.5, 1.0 }, { 1.0/6.0, 2.0/3.0, 1.0/6.0 } };
static const Rule lobatto = { 5, { 0.0, 0.17267316464601142810, 0.5, 0.82732683535398857190, 1.0 },
                              { 0.05, 49.0/180.0, 16.0/45.0, 49.0/180.0, 0.05 } };

// A contact that lasts is near rest.
static const Rule *rule_of(const caromSystem *s)
{
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < memory->nactive; i++) if (!memory->touch[memory->active[i]].is_lasting) return &lobatto;
    for (int i = 0; i < s->model->nlimit; i++)
        if (memory->limit_is_active[i] && !memory->limit_touch[i].is_lasting) return &lobatto;
    return &simpson;
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

static caromTally *tally_of(const caromSystem *s, int constraint)
{
    return &carom_compliant_of(s)->tallies[constraint];
}

// Force and depth of all contacts at node k.
static void note(caromSystem *s, int k, double time, const caromKin *kin, const double *y)
{
    const caromModel *m = s->model;
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        tally_of(s, pair)->node[k] =
            carom_contact_push(m, memory, &(caromContactState){ kin, time, y + carom_motion_bristles(m) }, pair);
    }
    for (int i = 0; i < m->nlimit; i++) {
        double rate;
        if (!memory->limit_is_active[i]) continue;
        tally_of(s, m->npair + i)->node[k] =
            (caromPush){ carom_contact_limit_force(m, memory, i, (caromLimitState){ time, y, y + m->nq }).force,
                              -carom_contact_limit_gap(m, i, y, y + m->nq, &rate) };
    }
}

typedef struct Piece {  // of a step
    const Rule *rule;
    double from, to;    // theta
    int halvings;
} Piece;

static double theta_of(const Piece *p, int k)
{
    return k == p->rule->n - 1 ? p->to : p->from + p->rule->theta[k]*(p->to - p->from);
}

static caromStatus note_all(caromSystem *s, const Piece *p)
{
    for (int k = 1; k < p->rule->n; k++) {
        int slot = CAROM_SLOT_LEFT;
        double theta = theta_of(p, k);
        caromStatus status = look_at(s, theta, &slot);
        if (status != CAROM_OK) return status;
        note(s, k, s->t_step + theta*s->search.h, &s->guard.kin[slot], s->guard.state[slot]);
    }
    return CAROM_OK;
}

// ---- impulse

static double impulse_of(const Rule *rule, const caromTally *tally)
{
    double sum = 0.0;
    for (int k = 0; k < rule->n; k++) sum += rule->weight[k]*tally->node[k].fn;
    return sum;
}

// Simpson's rule is off by the fifth power of the piece, Lobatto's by the ninth: as a part of the impulse, by the power
// 9/5 of what the two differ.
static bool is_coarse(const caromSystem *s, const Piece *p, const caromTally *tally)
{
    double h = s->search.h*(p->to - p->from), best = h*impulse_of(&lobatto, tally),
           other = h/6.0*(tally->node[0].fn + 4.0*tally->node[2].fn + tally->node[4].fn), all = tally->impulse + best;
    return fabs(best - other) > pow(s->model->settings.tolerance, 5.0/9.0)*fabs(all);
}

static bool is_to_be_halved(const caromSystem *s, const Piece *p)
{
    const caromContactMemory *memory = &s->world.memory;
    if (p->rule != &lobatto || p->halvings >= CAROM_COMPLIANT_HALVINGS_MAX) return false;
    for (int i = 0; i < memory->nactive; i++) if (is_coarse(s, p, tally_of(s, memory->active[i]))) return true;
    for (int i = 0; i < s->model->nlimit; i++)
        if (memory->limit_is_active[i] && is_coarse(s, p, tally_of(s, s->model->npair + i))) return true;
    return false;
}

// ---- depth

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

static double depth_at(caromSystem *s, int pair, double theta)
{
    double *y = s->guard.state[CAROM_SLOT_START], time = s->t_step + theta*s->search.h;
    caromKin *kin = &s->guard.kin[CAROM_SLOT_START];  // the search for events is done with it
    if (s->search.method->interpolate(s->search.stepper, theta, y, NULL) != CAROM_OK) return 0.0;
    carom_kin_update(s->model, time, y, y + s->model->nq, kin);
    caromContactState at = { kin, time, y + carom_motion_bristles(s->model) };
    return carom_contact_push(s->model, &s->world.memory, &at, pair).depth;
}

// The largest depth of a piece, looked for only when it may be above that so far: at the top of the parabola through
// the deepest node and its neighbours, again and again until that is met to a part of the tolerance.
static double deepest(caromSystem *s, int pair, const Piece *p, const caromTally *tally)
{
    int n = p->rule->n, k = 1;
    double depth = fmax(tally->depth, tally->node[n - 1].depth);
    for (int i = 2; i < n - 1; i++) if (tally->node[i].depth > tally->node[k].depth) k = i;
    Look looks[3];
    for (int i = 0; i < 3; i++) looks[i] = (Look){ theta_of(p, k - 1 + i), tally->node[k - 1 + i].depth };
    depth = fmax(depth, looks[1].depth);
    for (int i = 0; i < CAROM_COMPLIANT_TOPS_MAX; i++) {
        Look top = top_of(looks);
        double expected = top.depth;
        if (!(expected > depth)) break;
        top.depth = depth_at(s, pair, top.theta);
        depth = fmax(depth, top.depth);
        if (fabs(top.depth - expected) < CAROM_COMPLIANT_TOP_PART*s->model->settings.tolerance*depth) break;
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

// ---- ringing that nobody sees

static void widen(caromRing *ring, caromPush at)
{
    ring->least = (caromPush){ fmin(ring->least.fn, at.fn), fmin(ring->least.depth, at.depth) };
    ring->most = (caromPush){ fmax(ring->most.fn, at.fn), fmax(ring->most.depth, at.depth) };
}

// Of an oscillator whose force swings by 2 F0 over 2 d0: F0 d0/2.
static double ring_energy(const caromRing *ring)
{
    return (ring->most.fn - ring->least.fn)*(ring->most.depth - ring->least.depth)/8.0;
}

// A body that lies on a contact of restitution 1 rings for ever, with less than anybody could see at last; each swing
// would be resolved. When all that swings is a part of what energies may be off, the contact lasts like others. What
// does not swing, balls that hang in a row, costs nothing, and has to lose nothing when it is hit.
static void let_settle(caromSystem *s, const Piece *p, int pair)
{
    caromTouch *touch = &s->world.memory.touch[pair];
    const caromTally *tally = tally_of(s, pair);
    caromRing *ring = &tally_of(s, pair)->ring;
    double time = s->t_step + p->to*s->search.h;
    if (!carom_contact_touch_rings(s->model, pair, touch)) return;
    if (ring->since == 0.0) *ring = (caromRing){ time, tally->node[0], tally->node[0] };
    for (int k = 0; k < p->rule->n; k++) widen(ring, tally->node[k]);
    if (time - ring->since < touch->fades) return;
    double unseen = CAROM_COMPLIANT_UNSEEN*s->model->settings.tolerance*s->balance.weight;
    double swings = ring_energy(ring);
    if (swings > CAROM_COMPLIANT_STILL*unseen && swings <= unseen) carom_contact_touch_settle(touch, time);
    else ring->since = 0.0;
}

// ---- all of them

static void add_impulse(const caromSystem *s, const Piece *p, caromTally *tally)
{
    tally->impulse += s->search.h*(p->to - p->from)*impulse_of(p->rule, tally);
    tally->node[0] = tally->node[p->rule->n - 1];
}

static caromStatus take(caromSystem *s, const Piece *p, double time, caromError *err)
{
    const caromContactMemory *memory = &s->world.memory;
    for (int i = 0; i < s->model->nlimit; i++) {
        caromTally *tally = tally_of(s, s->model->npair + i);
        if (!memory->limit_is_active[i]) continue;
        for (int k = 1; k < p->rule->n; k++) tally->depth = fmax(tally->depth, tally->node[k].depth);
        add_impulse(s, p, tally);
    }
    for (int i = 0; i < memory->nactive; i++) {
        int pair = memory->active[i];
        caromTally *tally = tally_of(s, pair);
        tally->depth = deepest(s, pair, p, tally);
        let_settle(s, p, pair);
        add_impulse(s, p, tally);
        caromStatus status = judge_depth(s, pair, tally->depth, time, err);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

static caromStatus follow_piece(caromSystem *s, Piece p, double time, caromError *err)
{
    if (note_all(s, &p) != CAROM_OK)
        return carom_fail(err, CAROM_ERR_NUMERIC, "", "at %.9g s the step cannot be interpolated", time);
    if (!is_to_be_halved(s, &p)) return take(s, &p, time, err);
    double middle = 0.5*(p.from + p.to);
    caromStatus status = follow_piece(s, (Piece){ p.rule, p.from, middle, p.halvings + 1 }, time, err);
    return status == CAROM_OK ? follow_piece(s, (Piece){ p.rule, middle, p.to, p.halvings + 1 }, time, err) : status;
}

caromStatus carom_compliant_follow(caromSystem *s, double theta_end, double time, caromError *err)
{
    if (carom_contact_memory_is_flight(s->model, &s->world.memory)) return CAROM_OK;
    return follow_piece(s, (Piece){ rule_of(s), 0.0, theta_end, 0 }, time, err);
}
