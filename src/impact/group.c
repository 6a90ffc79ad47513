// Contacts that are hit together: their impulses grow along one parameter s, with an account of work for each
// (docs/impact.md).
//
//     p_n' = lam = kappa d^eta        d' = -v_n in compression,  -v_n/e^2 in restitution          v = v- + G p
//     p_t' = -mu lam v_t/|v_t|, or what keeps v_t = 0 inside the disc
//
// E = kappa d^(eta+1)/(eta+1) is the work that a contact stores. One contact alone is [Stronge90] whatever kappa and
// eta; of several, their ratio says which gives way first. d(T + sum E) <= 0 and E = 0 at both ends, so no energy is
// gained whatever e, mu, kappa. (That the numbers gain nothing either, to the last digit, waves.c sees to: there the
// work of all impulses is p.(v- + v+)/2 exactly. The same formula for each contact and step would be exact in the sum
// only, and of second order in who stores what.)
//
// What changes the right-hand side (v_n = 0, d = 0, slip stops, slip begins) is located and ends a step. Steps
// extrapolate the midpoint rule in h^2 (order 10) [HairerNorsettWanner93, II.9]: no order of contacts in it. With
// eta = 1.5 the slope is not smooth where a contact begins or ends with speed: there the parameter runs slowly, s = H
// x^2 or H (1 - (1-x)^2), in which d^1.5 is smooth.
//
// Here all is in units in which the fastest approach and the mean of G_nn are 1.
#include <math.h>
#include <string.h>

#include "impact/group.h"

#define STEPS_MAX 3000
#define LONGEST 1.0            // step: a pair of unit stiffness swings within pi
#define SPENT 1e-9             // approach below it, and work of its square, are none
#define HELD_STEP 0.02
#define QUIET_STEPS 20

static double stored(const caromImpactGroup *g, int i, double d)
{
    return d > 0 ? g->member[i].kappa*pow(d, g->eta + 1)/(g->eta + 1) : 0;
}

double carom_impact_group_normal_work(const caromImpactGroup *g, int i, double d)
{
    const caromMember *c = &g->member[i];
    double gain = stored(g, i, d) - stored(g, i, c->d);
    return c->phase == GROUP_COMPRESSION ? -gain : c->phase == GROUP_RESTITUTION ? -c->e2*gain : 0;
}

// ---- between steps

// A contact that parts gives back what it has stored; with e = 0 that is nothing, however deep it is.
static void part(caromMember *c)
{
    if (!(c->e2 > 0)) c->d = 0;
    c->phase = c->d > 0 ? GROUP_RESTITUTION : GROUP_OPEN;
}

// At v_n = 0 the change of v_n says which way it goes.
static void choose_phases(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    double most = 0, *change = w->end;
    carom_impact_group_depths_soon(g, w->slope);
    memcpy(w->speed, w->v, sizeof(double)*3*n);
    carom_impact_group_rates(g, w->slope);
    carom_impact_group_respond(g, w->rate, NULL, change);
    for (int k = 0; k < 3*n; k++) most = fmax(most, fabs(w->rate[k]));
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        double v = w->v[3*i];
        if (fabs(v) > GROUP_AT_ROOT) continue;
        if (change[3*i] < -1e-9*most) c->phase = GROUP_COMPRESSION;
        else if (change[3*i] > 1e-9*most) part(c);
        else if (!(c->d > 0)) c->phase = GROUP_COMPRESSION;
    }
}

static void normal_event(caromImpactGroup *g, int i)
{
    caromMember *c = &g->member[i];
    if (c->phase == GROUP_COMPRESSION) part(c);
    else c->phase = GROUP_COMPRESSION;
}

static void note_stop(caromImpactGroup *g, int i)
{
    caromMember *c = &g->member[i];
    if (c->friction_state != GROUP_SLIDES || c->stopped || !carom_impact_group_may_stick(g, i)) return;
    c->stopped = true;
    c->p_stop = g->p[3*i];
    c->stopped_in_compression = c->phase == GROUP_COMPRESSION;
}

static void happen(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    for (int i = 0; i < n; i++) {
        if (w->event.suspect[n + i] && w->event.value[n + i] <= GROUP_AT_ROOT)
            g->member[i].d = 0, g->member[i].phase = GROUP_OPEN;
        else if (w->event.suspect[i] && w->event.value[i] <= GROUP_AT_ROOT) normal_event(g, i);
        bool here = w->event.value[2*n + i] <= GROUP_AT_ROOT;
        g->member[i].loosened = here && g->member[i].friction_state == GROUP_STICKS;
        if (here && w->event.suspect[2*n + i]) note_stop(g, i);
    }
}

static void note_direction(caromMember *c, const double v[3])
{
    double slip = hypot(v[1], v[2]);
    if (c->friction_state != GROUP_SLIDES || !(slip > GROUP_AT_REST)) return;
    c->direction[0] = v[1]/slip;
    c->direction[1] = v[2]/slip;
}

static void choose_states(caromImpactGroup *g)
{
    carom_impact_group_stop_slow_slip(g);
    carom_impact_group_choose_friction(g);
    carom_impact_group_prepare_sticks(g);
    choose_phases(g);
    carom_impact_group_prepare_sticks(g);
    g->changed = false;
    for (int i = 0; i < g->n; i++) {
        caromMember *c = &g->member[i];
        note_direction(c, g->w->v + 3*i);
        if (c->friction_state == GROUP_SLIDES && c->phase != GROUP_OPEN && (c->stopped || !c->slipped))
            c->went_on = true;
    }
}

// Books what the step did.
static void accept(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        double d = fmax(w->end[3*n + i], 0), work = carom_impact_group_normal_work(g, i, d);
        bool parts = carom_impact_group_waits(g, i) && w->speed[3*i] > GROUP_AT_ROOT && w->end[3*n + i] <= GROUP_ROOT;
        if (c->phase == GROUP_COMPRESSION) c->compression += work;
        else c->restitution += work;
        c->friction += w->end[4*n + i];
        c->d = parts ? 0 : d;
        if (parts) c->phase = GROUP_OPEN, g->changed = true;
    }
    for (int k = 0; k < 3*n; k++) g->p[k] += w->end[k];
    memcpy(w->v, w->speed, sizeof(double)*3*n);
}

static bool is_over(const caromImpactGroup *g)
{
    for (int i = 0; i < g->n; i++) {
        if (stored(g, i, g->member[i].d) > SPENT*SPENT || g->w->v[3*i] < -SPENT) return false;
    }
    return true;
}

static double start_step(caromImpactGroup *g, double H)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    memcpy(w->start, w->v, sizeof(double)*3*n);
    memset(w->y, 0, sizeof(double)*5*n);
    g->slow_start = g->slow_end = false;
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        const double *v = w->v + 3*i;
        if (c->phase == GROUP_OPEN && v[0] < -GROUP_AT_ROOT) c->phase = GROUP_COMPRESSION;
        note_direction(c, v);
        w->y[3*n + i] = c->d;
        if (g->rough && c->phase == GROUP_COMPRESSION && c->d == 0 && v[0] < -GROUP_AT_ROOT) g->slow_start = true;
    }
    memset(w->event.suspect, 0, sizeof(int)*3*n);
    H = carom_impact_group_choose_creeps(g, H);
    carom_impact_group_evaluate(g, w->y, w->first);
    return H;
}

// What keeps its work though nothing moves any more is locked by friction: its work is lost.
static int lose_locked(caromImpactGroup *g)
{
    int worst = -1;
    double most = 0;
    for (int i = 0; i < g->n; i++) {
        caromMember *c = &g->member[i];
        if (stored(g, i, c->d) > most) most = stored(g, i, c->d), worst = i;
        c->d = 0;
    }
    return worst;
}

static bool moves(const caromImpactGroup *g)
{
    double change = 0;
    for (int k = 0; k < 3*g->n; k++) change = fmax(change, fabs(g->w->speed[k] - g->w->start[k]));
    return change > GROUP_AT_ROOT;
}

static bool needs_care(const caromImpactGroup *g)
{
    for (int i = 0; i < g->n; i++) {
        if (g->member[i].held) return true;
    }
    return false;
}

// In space slip comes to rest without passing through 0 in any one direction: the direction turns ever faster.
static bool slip_stops(caromImpactGroup *g)
{
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        const double *v = g->w->v + 3*i, *start = g->w->start + 3*i;
        if (g->member[i].friction_state != GROUP_SLIDES || !carom_impact_group_may_stick(g, i)) continue;
        if (hypot(v[1], v[2]) >= hypot(start[1], start[2])) continue;
        note_stop(g, i);
        any = true;
    }
    return any;
}

// True when it ended by itself.
static bool run(caromImpactGroup *g, int *locked)
{
    caromGroupScratch *w = g->w;
    int quiet = 0;
    double H = 0.1;
    choose_states(g);
    for (int k = 0; k < STEPS_MAX; k++) {
        if (is_over(g)) return true;
        if (w->spent > w->budget) return false;
        H = start_step(g, needs_care(g) ? fmin(H, HELD_STEP) : H);
        double error = carom_impact_group_step(g, H), x = H;
        bool event = carom_impact_group_values(g, w->event.value_b);
        if (event) {
            for (int i = 0; i < g->n; i++)
                g->slow_end = g->slow_end || (g->rough && w->event.value_b[g->n + i] < -GROUP_ROOT);
            memcpy(w->end, w->y, sizeof(double)*5*g->n);   // values at the start of the step
            carom_impact_group_evaluate(g, w->end, w->slope);
            carom_impact_group_values(g, w->event.value_a);
            x = carom_impact_group_locate(g, H, &error);
        }
        double factor = error > 0 ? fmin(4, fmax(0.2, 0.9*pow(g->tolerance/error, 1.0/9))) : 4;
        if (error > g->tolerance && x > 1e-8) {
            H = x*fmin(factor, 0.7);
            continue;
        }
        bool moved = moves(g);
        accept(g);
        quiet = moved || x < 0.01 ? 0 : quiet + 1;
        H = fmin(LONGEST, event ? fmax(H, x*factor) : x*factor);
        if (event) happen(g);
        if (slip_stops(g) || event || g->changed || needs_care(g)) choose_states(g);
        else carom_impact_group_stop_residual_slip(g);
        if (quiet >= QUIET_STEPS) *locked = lose_locked(g), quiet = 0;
    }
    return false;
}

// ---- in and out

static void scale_in(caromImpactGroup *g, const caromImpactProblem *problem, const caromImpactBlock *block,
                     double unit_v, double unit_G)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    double mean = 0;
    for (int i = 0; i < n; i++) mean += problem->contacts[block->members[i]].stiffness/n;
    for (long k = 0; k < 9L*n*n; k++) w->G[k] = block->G[k]/unit_G;
    for (int i = 0; i < n; i++) {
        const caromImpactContact *c = &problem->contacts[block->members[i]];
        caromMember *a = &g->member[i];
        for (int k = 3*i; k < 3*i + 3; k++) w->v[k] = block->v[k]/unit_v;
        *a = (caromMember){ .kappa = c->stiffness/mean, .e2 = c->restitution*c->restitution, .mu = c->friction,
                            .mu_s = fmax(c->friction, c->static_friction) };
        a->phase = w->v[3*i] <= 0 ? GROUP_COMPRESSION : GROUP_OPEN;
        a->friction_state = a->mu_s > 0 ? GROUP_SLIDES : GROUP_SMOOTH;
        a->slipped = a->mu_s > 0 && hypot(w->v[3*i + 1], w->v[3*i + 2]) > GROUP_AT_REST;
        a->p_stop = NAN;
        block->p[3*i] = block->p[3*i + 1] = block->p[3*i + 2] = 0;
        if (a->mu_s > 0) g->stride = 1;
    }
}

static caromSlipPath path_of(const caromMember *c)
{
    if (!(c->mu_s > 0)) return CAROM_SLIP_NONE;
    if (!c->slipped) return c->went_on ? CAROM_SLIP_PUSHED : CAROM_SLIP_NONE;
    return !c->stopped ? CAROM_SLIP_THROUGHOUT : c->went_on ? CAROM_SLIP_REVERSES : CAROM_SLIP_STICKS;
}

static void tell(const caromImpactGroup *g, const caromImpactBlock *block, caromImpactOutcome *outcomes, double unit_v,
                 double unit_G)
{
    double unit_p = unit_v/unit_G, unit_E = unit_v*unit_p;
    for (int i = 0; i < g->n; i++) {
        const caromMember *c = &g->member[i];
        caromImpactOutcome *o = &outcomes[block->members[i]];
        if (block->p[3*i] > 0) {
            o->path = path_of(c);
            o->stop = c->p_stop/block->p[3*i];
            o->stops_in_compression = c->stopped_in_compression;
        }
        o->compression += unit_E*c->compression;
        o->restitution += unit_E*c->restitution;
        o->friction += unit_E*c->friction;
        for (int k = 3*i; k < 3*i + 3; k++) block->p[k] *= unit_p;
    }
}

bool carom_impact_block_group(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                              int *jammed, caromImpactWork *w)
{
    int n = block->n, locked = -1;
    double unit_v = 0, unit_G = 0;
    for (int i = 0; i < n; i++) {
        unit_v = fmax(unit_v, -block->v[3*i]);
        unit_G += block->G[(long)3*i*3*n + 3*i]/n;
    }
    if (!(unit_v > 0) || !(unit_G > 0)) return true;
    caromImpactGroup g = { .n = n, .eta = problem->exponent, .tolerance = fmax(problem->tolerance, 1e-13), .stride = 3,
                .G = w->group.G, .member = w->group.member, .p = block->p, .w = &w->group, .cone = &w->cone };
    g.rough = g.eta != floor(g.eta);
    scale_in(&g, problem, block, unit_v, unit_G);
    bool ended = run(&g, &locked);
    tell(&g, block, outcomes, unit_v, unit_G);
    if (locked >= 0) *jammed = block->members[locked];
    return ended;
}
