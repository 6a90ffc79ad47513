// Several contacts at one instant.
//
//   waves      contacts that approach now, in blocks that feel each other through G; each block is one impact; again
//              while a contact that touches approaches.
//              So an impact travels: through a row of balls from one to the next, while a box that falls flat is hit by
//              all its corners at once.
//   together   blocks of all contacts that touch, whether they approach or not, once: the limit of stiff springs
//              between them
//   poisson    the same blocks, as complementarity problems (plastic.c)
//   newton
//
// Blocks do not feel each other: their order has no meaning. A block of one contact follows that contact's own
// law (single.c); one without any restitution is a single plastic impact. What has not ended after WAVES_MAX
// waves are ever smaller bounces between contacts (inelastic collapse; a ball between two walls): the rest is
// plastic, for all that touch. An impact whose groups take too long is made anew as `poisson`.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact/group.h"

#define WAVES_MAX 100
// Multiplications that the groups of an impact may take, some 10 ms: then it is made anew, by `poisson`. A box with
// friction on four corners takes 1e6, a break of 31 balls less; a stack of six boxes that was hit took 8e8, and ended
// after 100 waves in the plastic finish; four points of a can took 5e9, in 3000 steps.
#define GROUPS_WORK 1e7
#define UNFELT 1e-13       // of G between two contacts, over their own: rounding of what is zero

static size_t doubles_for(size_t n) { return 3*9*n*n + 3*4*n*n + 15*3*n + 3*2*n + 3*n + 11*5*n; }

static void lay_out_doubles(caromImpactWork *w)
{
    size_t n = (size_t)w->n_max;
    double *next = w->memory;
    caromConeScratch *cone = &w->cone;
    caromGroupScratch *group = &w->group;
    struct { double **at; size_t size; } parts[] = {
        { &w->block.G, 9*n*n }, { &w->block.v, 3*n }, { &w->block.p, 3*n },
        { &w->before, 3*n }, { &w->total, 3*n }, { &w->part, 3*n },
        { &cone->G, 9*n*n }, { &cone->b, 3*n }, { &cone->p, 3*n }, { &cone->u, 3*n },
        { &cone->mu, n }, { &cone->low, n }, { &cone->compliance, n },
        { &group->G, 9*n*n }, { &group->v, 3*n }, { &group->start, 3*n }, { &group->rate, 3*n }, { &group->speed, 3*n },
        { &group->y, 5*n }, { &group->end, 5*n }, { &group->first, 5*n }, { &group->slope, 5*n },
        { &group->table, 25*n }, { &group->z0, 5*n }, { &group->z1, 5*n },
        { &group->stick.A, 4*n*n }, { &group->stick.P, 4*n*n }, { &group->stick.vectors, 4*n*n },
        { &group->stick.f, 2*n }, { &group->stick.c, 2*n }, { &group->stick.values, 2*n },
        { &group->event.value_a, 3*n }, { &group->event.value_b, 3*n }, { &group->event.value, 3*n },
    };
    for (size_t k = 0; k < sizeof parts/sizeof parts[0]; k++) *parts[k].at = next, next += parts[k].size;
}

static void lay_out_indices(caromImpactWork *w)
{
    size_t n = (size_t)w->n_max;
    int *index = w->index;
    w->block.members = index;
    w->label = index + n;
    w->approaching = index + 2*n;
    w->stack = index + 3*n;
    w->group.creep_rows = index + 4*n;
    w->group.stick.rows = index + 5*n;
    w->group.event.suspect = index + 7*n;
}

caromImpactWork *carom_impact_alloc(int n_max)
{
    caromImpactWork *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->n_max = n_max > 0 ? n_max : 1;
    size_t n = (size_t)w->n_max;
    w->memory = calloc(doubles_for(n), sizeof(double));
    w->index = calloc(10*n, sizeof(int));
    w->group.member = calloc(n, sizeof *w->group.member);
    w->cone.work = carom_cone_alloc(w->n_max);
    if (!w->memory || !w->index || !w->group.member || !w->cone.work) {
        carom_impact_free(w);
        return NULL;
    }
    lay_out_doubles(w);
    lay_out_indices(w);
    return w;
}

void carom_impact_free(caromImpactWork *w)
{
    if (!w) return;
    carom_cone_free(w->cone.work);
    free(w->group.member);
    free(w->index);
    free(w->memory);
    free(w);
}

double carom_impact_energy(int n, const double *G, const double *v, const double *p)
{
    int m = 3*n;
    double sum = 0;
    for (int k = 0; k < m; k++) {
        double half = 0;
        for (int j = 0; j < m; j++) half += G[(long)k*m + j]*p[j];
        sum += p[k]*(v[k] + 0.5*half);
    }
    return sum;
}

void carom_impact_straight_work(double p, double before, double after, caromImpactOutcome *outcome)
{
    // Part of the path while v_n < 0.
    double change = after - before, press = before < 0 ? fmin(1, change > -before ? -before/change : 1) : 0;
    // First it parts, then it presses.
    if (before >= 0 && after < 0) press = -1;
    if (press < 0) {
        double part = before/(before - after);
        outcome->restitution += 0.5*p*part*before;
        outcome->compression += 0.5*p*(1 - part)*after;
        return;
    }
    double middle = before + press*change;
    outcome->compression += 0.5*p*press*(before + middle);
    outcome->restitution += 0.5*p*(1 - press)*(middle + after);
}

// ---- blocks

static bool slips(const caromImpactContact *c) { return c->friction > 0 || c->static_friction > 0; }

// Does an impulse of i (rows it can have) change what matters of j?
static bool feel(const caromImpactProblem *problem, int i, int j)
{
    int m = 3*problem->n, rows = slips(&problem->contacts[i]) ? 3 : 1, columns = slips(&problem->contacts[j]) ? 3 : 1;
    double own_i = 0, own_j = 0, most = 0;
    for (int k = 0; k < rows; k++) own_i = fmax(own_i, problem->G[(long)(3*i + k)*m + 3*i + k]);
    for (int k = 0; k < columns; k++) own_j = fmax(own_j, problem->G[(long)(3*j + k)*m + 3*j + k]);
    for (int k = 0; k < rows; k++) {
        for (int l = 0; l < columns; l++) most = fmax(most, fabs(problem->G[(long)(3*i + k)*m + 3*j + l]));
    }
    return most > UNFELT*sqrt(own_i*own_j);
}

// label[i]: block of contact i, -1: not taking part. Blocks are the parts of the graph of contacts that feel each
// other.
static int label_blocks(const caromImpactProblem *problem, const int *takes_part, int *label, int *stack)
{
    int n = problem->n, blocks = 0;
    for (int i = 0; i < n; i++) label[i] = -1;
    for (int i = 0; i < n; i++) {
        if (!takes_part[i] || label[i] >= 0) continue;
        int depth = 0;
        label[i] = blocks;
        stack[depth++] = i;
        while (depth) {
            int a = stack[--depth];
            for (int b = 0; b < n; b++) {
                if (!takes_part[b] || label[b] >= 0 || !feel(problem, a, b)) continue;
                label[b] = blocks;
                stack[depth++] = b;
            }
        }
        blocks++;
    }
    return blocks;
}

static void gather(const caromImpactProblem *problem, const double *v, int label, caromImpactWork *w)
{
    caromImpactBlock *block = &w->block;
    int m = 3*problem->n;
    block->n = 0;
    for (int i = 0; i < problem->n; i++) {
        if (w->label[i] == label) block->members[block->n++] = i;
    }
    for (int a = 0; a < block->n; a++) {
        for (int k = 0; k < 3; k++) {
            const double *row = problem->G + (long)(3*block->members[a] + k)*m;
            double *own = block->G + (long)(3*a + k)*3*block->n;
            for (int b = 0; b < block->n; b++) memcpy(own + 3*b, row + 3*block->members[b], 3*sizeof(double));
            block->v[3*a + k] = v[3*block->members[a] + k];
            block->p[3*a + k] = 0;
        }
    }
}

// ---- impacts of blocks

static void add_outcome(const caromImpactOutcome *one, caromImpactOutcome *sum)
{
    sum->compression += one->compression;
    sum->restitution += one->restitution;
    sum->friction += one->friction;
    sum->path = one->path;
    sum->stop = one->stop;
    sum->stops_in_compression = one->stops_in_compression;
}

static void hit_one(const caromImpactProblem *problem, caromImpactOutcome *outcomes, caromImpactWork *w)
{
    caromImpactBlock *block = &w->block;
    caromImpactOutcome one = { .stop = NAN };
    double v[3] = { block->v[0], block->v[1], block->v[2] };
    carom_impact_single(&problem->contacts[block->members[0]], block->G, problem->tolerance, v, &one);
    memcpy(block->p, one.p, sizeof one.p);
    add_outcome(&one, &outcomes[block->members[0]]);
}

static void hit_plastic(const caromImpactProblem *problem, caromImpactOutcome *outcomes, caromImpactWork *w)
{
    caromImpactBlock *block = &w->block;
    int m = 3*block->n;
    carom_impact_block_plastic(problem, block, w);
    for (int i = 0; i < block->n; i++) {
        caromImpactOutcome *o = &outcomes[block->members[i]];
        for (int k = 0; k < 3; k++) {
            double change = 0, *row = block->G + (long)(3*i + k)*m, p = block->p[3*i + k];
            for (int j = 0; j < m; j++) change += row[j]*block->p[j];
            if (k) o->friction += p*(block->v[3*i + k] + 0.5*change);
            else carom_impact_straight_work(p, block->v[3*i], block->v[3*i] + change, o);
        }
    }
}

static bool is_plastic(const caromImpactProblem *problem, const caromImpactBlock *block)
{
    for (int i = 0; i < block->n; i++) {
        if (problem->contacts[block->members[i]].restitution > 0) return false;
    }
    return true;
}

static bool hit(const caromImpactProblem *problem, caromImpactOutcome *outcomes, caromImpactReport *report,
                caromImpactWork *w)
{
    caromImpactBlock *block = &w->block;
    bool ended = true;
    int jammed = -1;
    if (block->n == 1) hit_one(problem, outcomes, w);
    else if (problem->scheme == CAROM_IMPACTS_POISSON) carom_impact_block_poisson(problem, block, outcomes, w);
    else if (problem->scheme == CAROM_IMPACTS_NEWTON) carom_impact_block_newton(problem, block, outcomes, w);
    else if (is_plastic(problem, block)) hit_plastic(problem, outcomes, w);
    else ended = carom_impact_block_group(problem, block, outcomes, &jammed, w);
    if (jammed >= 0 && report->jammed < 0) report->jammed = jammed;
    for (int i = 0; i < block->n; i++) {
        caromImpactOutcome *o = &outcomes[block->members[i]];
        for (int k = 0; k < 3; k++) w->total[3*block->members[i] + k] += block->p[3*i + k];
        if (block->p[3*i] > 0) o->impacts++;
    }
    return ended;
}

// ---- all contacts

// v = v- + G (all impulses so far): no rounding is carried from wave to wave.
static void update(const caromImpactProblem *problem, double *v, const caromImpactWork *w)
{
    int m = 3*problem->n;
    for (int k = 0; k < m; k++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += problem->G[(long)k*m + j]*w->total[j];
        v[k] = w->before[k] + sum;
    }
}

static int find_approaching(const caromImpactProblem *problem, const double *v, double v_tol, int *approaching)
{
    int count = 0;
    for (int i = 0; i < problem->n; i++) count += approaching[i] = v[3*i] < -v_tol;
    return count;
}

static bool block_approaches(const caromImpactBlock *block, double v_tol)
{
    for (int i = 0; i < block->n; i++) {
        if (block->v[3*i] < -v_tol) return true;
    }
    return false;
}

// One wave, or the only impact of the other schemes: those take part that are marked in w->approaching.
static bool wave(const caromImpactProblem *problem, double *v, double v_tol, caromImpactOutcome *outcomes,
                 caromImpactReport *report, caromImpactWork *w)
{
    bool ended = true;
    int blocks = label_blocks(problem, w->approaching, w->label, w->stack);
    for (int b = 0; b < blocks; b++) {
        gather(problem, v, b, w);
        if (block_approaches(&w->block, v_tol) && !hit(problem, outcomes, report, w)) ended = false;
    }
    update(problem, v, w);
    report->waves++;
    return ended;
}

static void finish(const caromImpactProblem *problem, double *v, caromImpactOutcome *outcomes,
                   caromImpactReport *report, caromImpactWork *w)
{
    for (int i = 0; i < problem->n; i++) w->label[i] = 0;
    gather(problem, v, 0, w);
    hit_plastic(problem, outcomes, w);
    for (int k = 0; k < 3*problem->n; k++) w->total[k] += w->block.p[k];
    update(problem, v, w);
    report->collapsed = true;
}

// No law gains energy but by rounding; if it did, impulses shrink to what does not.
static void take_back_gain(const caromImpactProblem *problem, double *v, caromImpactWork *w)
{
    int m = 3*problem->n;
    double power = 0, gain = carom_impact_energy(problem->n, problem->G, w->before, w->total);
    if (!(gain > 0)) return;
    for (int k = 0; k < m; k++) power += w->total[k]*w->before[k];
    double s = power < 0 ? -power/(gain - power) : 0;
    for (int k = 0; k < m; k++) w->total[k] *= s;
    update(problem, v, w);
}

// From the speeds before it, without impulses.
static caromImpactReport begin(const caromImpactProblem *problem, double *v, caromImpactOutcome *outcomes,
                               caromImpactWork *w)
{
    memcpy(v, w->before, sizeof(double)*3*problem->n);
    memset(w->total, 0, sizeof(double)*3*problem->n);
    for (int i = 0; i < problem->n; i++) outcomes[i] = (caromImpactOutcome){ .path = CAROM_SLIP_NONE, .stop = NAN };
    w->group.spent = 0;
    w->group.budget = GROUPS_WORK;
    return (caromImpactReport){ .jammed = -1, .scheme = problem->scheme };
}

static bool takes_too_long(const caromImpactWork *w) { return w->group.spent > w->group.budget; }

// False: it would take too long.
static bool make_waves(const caromImpactProblem *problem, double *v, double v_tol, caromImpactOutcome *outcomes,
                       caromImpactReport *report, caromImpactWork *w)
{
    bool ended = true;
    while (find_approaching(problem, v, v_tol, w->approaching)) {
        if (takes_too_long(w)) return false;
        if (ended && report->waves < WAVES_MAX) {
            ended = wave(problem, v, v_tol, outcomes, report, w);
            continue;
        }
        finish(problem, v, outcomes, report, w);
        break;
    }
    return true;
}

static bool hit_at_once(const caromImpactProblem *problem, double *v, double v_tol, caromImpactOutcome *outcomes,
                        caromImpactReport *report, caromImpactWork *w)
{
    for (int i = 0; i < problem->n; i++) w->approaching[i] = 1;
    bool ended = wave(problem, v, v_tol, outcomes, report, w);
    if (takes_too_long(w)) return false;
    if (!ended) finish(problem, v, outcomes, report, w);
    return true;
}

static caromImpactReport solve_by_scheme(const caromImpactProblem *problem, double *v, double v_tol,
                                         caromImpactOutcome *outcomes, caromImpactWork *w)
{
    caromImpactReport report = begin(problem, v, outcomes, w);
    bool has_waves = problem->scheme == CAROM_IMPACTS_WAVES;
    if ((has_waves ? make_waves : hit_at_once)(problem, v, v_tol, outcomes, &report, w)) return report;
    caromImpactProblem without_groups = *problem;
    without_groups.scheme = CAROM_IMPACTS_POISSON;
    report = begin(&without_groups, v, outcomes, w);
    hit_at_once(&without_groups, v, v_tol, outcomes, &report, w);
    return report;
}

caromImpactReport carom_impact_solve(const caromImpactProblem *problem, double *v, caromImpactOutcome *outcomes,
                                     caromImpactWork *w)
{
    int n = problem->n;
    double fastest = 0;
    memcpy(w->before, v, sizeof(double)*3*n);
    for (int i = 0; i < n; i++) fastest = fmax(fastest, fabs(v[3*i]));
    caromImpactReport report = solve_by_scheme(problem, v, fmax(problem->v_tol, 1e-9*fastest), outcomes, w);
    take_back_gain(problem, v, w);
    for (int i = 0; i < n; i++) memcpy(outcomes[i].p, w->total + 3*i, sizeof outcomes[i].p);
    return report;
}
