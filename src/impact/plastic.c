// Laws of impact that are complementarity problems: plastic, Poisson's and Newton's, for contacts that are hit
// together.
//
//   plastic   v+ = v- + G p       p_n >= 0, v_n+ >= 0, p_n v_n+ = 0, friction |p_t| <= mu p_n against v_t+
//   Poisson   plastic impulses p_c first; then p_r with p_rn >= e p_cn instead of 0 [PfeifferGlocker96]
//   Newton    p_n >= 0, v_n+ + e v_n- >= 0 of those that approach, complementary [Moreau88]
//
// No plastic impact gains energy: dT = p.v+ - p.Gp/2, with p_n v_n+ = 0 and p_t.v_t+ <= 0. The others may, with
// friction or unequal e; what they gain is taken back by going from their answer towards the plastic one,
// p = p_plastic + s (p - p_plastic) with the largest s in 0..1 that gains nothing: T is convex in p.
#include <math.h>
#include <string.h>

#include "impact/work.h"

static double norm2(const double *x) { return hypot(x[1], x[2]); }

// Contacts from which on a problem is solved in what their bodies can do. 89 points of eleven boxes and a ball: 0.12 s,
// and 1 s by math/cone.c; below a dozen that is as fast, and solves to rounding.
#define SOFT_FROM 13

static bool solve_once(const caromImpactBlock *block, const caromCone *cone, double *p, caromImpactWork *w)
{
    if (block->n >= SOFT_FROM) return carom_impact_soft(block, cone->low, p, w);
    return carom_cone_solve(cone, p, w->cone.u, w->cone.work).solved;
}

// Sticking holds up to mu_s; a contact that slips after all has mu. Those are found one after the other, all that slip
// at once, so that numbering does not matter.
static bool solve_cone(const caromImpactProblem *problem, const caromImpactBlock *block, const double *low,
                       double *p, caromImpactWork *w)
{
    int n = block->n;
    caromCone cone = { .n = n, .G = block->G, .b = w->cone.b, .mu = w->cone.mu, .compliance = w->cone.compliance,
                       .low = low };
    bool solved = false;
    double size = 0;
    for (int i = 0; i < n; i++) {
        const caromImpactContact *c = &problem->contacts[block->members[i]];
        w->cone.mu[i] = fmax(c->static_friction, c->friction);
        w->cone.compliance[i] = 1/c->stiffness;
        for (int k = 3*i; k < 3*i + 3; k++) size = fmax(size, fabs(w->cone.b[k]));
    }
    for (int round = 0; round <= n; round++) {
        bool changed = false;
        solved = solve_once(block, &cone, p, w);
        for (int i = 0; i < n; i++) {
            const caromImpactContact *c = &problem->contacts[block->members[i]];
            bool slips = norm2(p + 3*i) >= w->cone.mu[i]*p[3*i]*(1 - 1e-9) && norm2(w->cone.u + 3*i) > 1e-9*size;
            if (!slips || p[3*i] <= 0 || w->cone.mu[i] <= c->friction) continue;
            w->cone.mu[i] = c->friction;
            changed = true;
        }
        if (!changed) break;
    }
    return solved;
}

bool carom_impact_block_plastic(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactWork *w)
{
    int m = 3*block->n;
    memcpy(w->cone.b, block->v, sizeof(double)*m);
    memset(block->p, 0, sizeof(double)*m);
    if (solve_cone(problem, block, NULL, block->p, w)) return true;
    // Not solved: at least nothing is gained.
    double power = 0, gain = carom_impact_energy(block->n, block->G, block->v, block->p);
    for (int k = 0; k < m; k++) power += block->p[k]*block->v[k];
    double s = gain <= 0 ? 1 : power >= 0 ? 0 : -power/(gain - power);
    for (int k = 0; k < m; k++) block->p[k] *= s;
    return false;
}

bool carom_impact_plastic(const caromImpactProblem *problem, double *v, double *p, caromImpactWork *w)
{
    int n = problem->n, m = 3*n;
    caromImpactBlock *block = &w->block;
    block->n = n;
    for (int i = 0; i < n; i++) block->members[i] = i;
    memcpy(block->G, problem->G, sizeof(double)*m*m);
    memcpy(block->v, v, sizeof(double)*m);
    bool solved = carom_impact_block_plastic(problem, block, w);
    for (int k = 0; k < m; k++) {
        p[k] += block->p[k];
        for (int j = 0; j < m; j++) v[k] += block->G[(long)k*m + j]*block->p[j];
    }
    return solved;
}

static void answer_to(const caromImpactBlock *block, const double *p, double *v)
{
    int m = 3*block->n;
    for (int k = 0; k < m; k++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += block->G[(long)k*m + j]*p[j];
        v[k] = block->v[k] + sum;
    }
}

// The largest s in 0..1 for which p_plastic + s (p - p_plastic) gains no energy: dT is a quadratic in s, not positive
// at 0.
static void take_back_gain(caromImpactBlock *block, const double *plastic)
{
    int m = 3*block->n;
    double slope = 0, curve = 0, start = carom_impact_energy(block->n, block->G, block->v, plastic);
    if (carom_impact_energy(block->n, block->G, block->v, block->p) <= 0) return;
    for (int k = 0; k < m; k++) {
        double speed = block->v[k], change = 0, d = block->p[k] - plastic[k];
        for (int j = 0; j < m; j++) {
            speed += block->G[(long)k*m + j]*plastic[j];
            change += block->G[(long)k*m + j]*(block->p[j] - plastic[j]);
        }
        slope += d*speed;
        curve += d*change;
    }
    // start + slope s + curve s^2/2 = 0, the root beyond 0
    double root = sqrt(fmax(0, slope*slope - 2*curve*start)),
           s = curve > 0 ? (slope > 0 ? -2*start/(slope + root) : (root - slope)/curve) : 0;
    s = fmin(1, fmax(0, s));
    for (int k = 0; k < m; k++) block->p[k] = plastic[k] + s*(block->p[k] - plastic[k]);
}

static void book_friction(int i, const double *p, const double *before, const double *after,
                          caromImpactOutcome *outcome)
{
    for (int k = 3*i + 1; k < 3*i + 3; k++) outcome->friction += 0.5*p[k]*(before[k] + after[k]);
}

void carom_impact_block_poisson(const caromImpactProblem *problem, caromImpactBlock *block,
                                caromImpactOutcome *outcomes, caromImpactWork *w)
{
    int n = block->n, m = 3*n;
    carom_impact_block_plastic(problem, block, w);
    double *compression = w->part;
    memcpy(compression, block->p, sizeof(double)*m);
    answer_to(block, compression, w->cone.b);
    for (int i = 0; i < n; i++) {
        w->cone.low[i] = problem->contacts[block->members[i]].restitution*compression[3*i];
        for (int k = 0; k < 3; k++) w->cone.p[3*i + k] = k ? 0 : w->cone.low[i];
    }
    bool solved = solve_cone(problem, block, w->cone.low, w->cone.p, w);
    for (int k = 0; k < m; k++) block->p[k] = compression[k] + (solved ? w->cone.p[k] : 0);
    take_back_gain(block, compression);
    double *middle = w->cone.b, *after = w->cone.u;
    answer_to(block, block->p, after);
    for (int i = 0; i < n; i++) {
        caromImpactOutcome *o = &outcomes[block->members[i]];
        for (int k = 3*i; k < 3*i + 3; k++) w->cone.p[k] = block->p[k] - compression[k];
        carom_impact_straight_work(compression[3*i], block->v[3*i], middle[3*i], o);
        carom_impact_straight_work(w->cone.p[3*i], middle[3*i], after[3*i], o);
        book_friction(i, compression, block->v, middle, o);
        book_friction(i, w->cone.p, middle, after, o);
    }
}

void carom_impact_block_newton(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                               caromImpactWork *w)
{
    int n = block->n, m = 3*n;
    carom_impact_block_plastic(problem, block, w);
    double *plastic = w->part;
    memcpy(plastic, block->p, sizeof(double)*m);
    memcpy(w->cone.b, block->v, sizeof(double)*m);
    for (int i = 0; i < n; i++) {
        double e = problem->contacts[block->members[i]].restitution;
        if (block->v[3*i] < 0) w->cone.b[3*i] *= 1 + e;
    }
    // The wanted speeds contradict each other, as of a ball between two walls.
    if (!solve_cone(problem, block, NULL, block->p, w)) memcpy(block->p, plastic, sizeof(double)*m);
    take_back_gain(block, plastic);
    answer_to(block, block->p, w->cone.u);
    for (int i = 0; i < n; i++) {
        caromImpactOutcome *o = &outcomes[block->members[i]];
        carom_impact_straight_work(block->p[3*i], block->v[3*i], w->cone.u[3*i], o);
        book_friction(i, block->p, block->v, w->cone.u, o);
    }
}
