// Contacts that are hit together (group.c): what friction does where slip has stopped.
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/group.h"
#include "math/eigen.h"

#define CREEP 1e-4             // slip below it that grows keeps its direction through a step,
#define CREEP_STEP 1e-3        // of this length; longer from step to step where it lasts
#define BEYOND 1e-6            // friction that is missing to a contact that begins to slip

// ---- friction that keeps v_t = 0

// Rows of contacts that stick, and what their friction answers to accelerations c that it has to cancel: f = -P c,
// P = S (S G_kk S)^+ S. Redundant ones share in proportion to what their discs allow, S = mu lam: the least sum of
// (|f|/(mu lam))^2. lam is that of the last event; it only says how they share.
void carom_impact_group_prepare_sticks(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n, k = 0;
    double most = 0, largest = 0, *A = w->stick.A, *share = w->stick.c;
    for (int i = 0; i < g->n; i++) {
        if (g->member[i].friction_state != GROUP_STICKS || g->member[i].phase == GROUP_OPEN) continue;
        most = fmax(most, g->member[i].mu_s*w->rate[3*i]);
        w->stick.rows[k++] = 3*i + 1;
        w->stick.rows[k++] = 3*i + 2;
    }
    g->sticks = k;
    if (!k) return;
    for (int a = 0; a < k; a++) {
        int i = w->stick.rows[a]/3;
        share[a] = most > 0 ? fmax(1e-3, g->member[i].mu_s*w->rate[3*i]/most) : 1;
    }
    for (int a = 0; a < k; a++) {
        for (int b = 0; b < k; b++) A[a*k + b] = share[a]*share[b]*g->G[(long)w->stick.rows[a]*m + w->stick.rows[b]];
    }
    carom_symmetric_eigen(k, A, w->stick.values, w->stick.vectors);
    for (int a = 0; a < k; a++) largest = fmax(largest, w->stick.values[a]);
    memset(w->stick.P, 0, sizeof(double)*k*k);
    for (int e = 0; e < k; e++) {
        const double *x = w->stick.vectors + (long)e*k;
        if (!(w->stick.values[e] > 1e-11*largest)) continue;
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < k; b++) w->stick.P[a*k + b] += share[a]*x[a]*share[b]*x[b]/w->stick.values[e];
        }
    }
}

// out [sticks] = -P c, c in w->stick.c.
static void cancel(const caromImpactGroup *g, double *out)
{
    const caromGroupScratch *w = g->w;
    for (int a = 0; a < g->sticks; a++) {
        double sum = 0;
        for (int b = 0; b < g->sticks; b++) sum -= w->stick.P[a*g->sticks + b]*w->stick.c[b];
        out[a] = sum;
    }
}

void carom_impact_group_add_stick_rates(const caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n;
    for (int a = 0; a < g->sticks; a++) {
        const double *row = g->G + (long)w->stick.rows[a]*m;
        w->stick.c[a] = 0;
        for (int j = 0; j < m; j++) w->stick.c[a] += row[j]*w->rate[j];
    }
    cancel(g, w->stick.f);
    for (int a = 0; a < g->sticks; a++) w->rate[w->stick.rows[a]] = w->stick.f[a];
}

// ---- what friction does at v_t = 0

bool carom_impact_group_may_stick(const caromImpactGroup *g, int i)
{
    const caromMember *c = &g->member[i];
    const double *v = g->w->v + 3*i;
    return c->friction_state != GROUP_SMOOTH && c->phase != GROUP_OPEN && hypot(v[1], v[2]) <= GROUP_AT_REST;
}

void carom_impact_group_depths_soon(const caromImpactGroup *g, double *d)
{
    for (int i = 0; i < g->n; i++) d[i] = g->member[i].d > 0 ? g->member[i].d : 1e-6*fmax(0, -g->w->v[3*i]);
}

// Friction g->cone->p of the contacts in rows [count] under the loads w->rate of all, in which theirs is not,
// and the tangential accelerations g->cone->u that it leaves; with h > 0 the slip after h, over h. Those at rest
// have mu_s until they slip.
static void share_friction(const caromImpactGroup *g, const int *rows, int count, double h)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n;
    double most = DBL_MIN;
    caromConeScratch *cone = g->cone;
    caromCone problem = { .n = count, .G = cone->G, .b = cone->b, .mu = cone->mu, .compliance = cone->compliance,
                          .low = cone->low, .given = true };
    for (int a = 0; a < count; a++) most = fmax(most, g->member[rows[a]].mu_s*w->rate[3*rows[a]]);
    for (int a = 0; a < count; a++) {
        const caromMember *c = &g->member[rows[a]];
        cone->mu[a] = h > 0 && c->friction_state != GROUP_STICKS ? c->mu : c->mu_s;
        cone->low[a] = w->rate[3*rows[a]];
        if (c->loosened) cone->mu[a] *= 1 - BEYOND;
        double share = fmax(1e-3, cone->mu[a]*cone->low[a]/most);  // as in carom_impact_group_prepare_sticks
        cone->compliance[a] = 1/(share*share);
        for (int k = 0; k < 3; k++) {
            const double *row = g->G + (long)(3*rows[a] + k)*m;
            double sum = h > 0 ? w->v[3*rows[a] + k]/h : 0;
            for (int j = 0; j < m; j++) sum += row[j]*w->rate[j];
            for (int b = 0; b < count; b++) {
                memcpy(cone->G + (long)(3*a + k)*3*count + 3*b, row + 3*rows[b], 3*sizeof(double));
                sum -= row[3*rows[b]]*w->rate[3*rows[b]];
            }
            cone->b[3*a + k] = sum;
            cone->p[3*a + k] = 0;
        }
    }
    for (int round = 0; round <= count; round++) {
        bool changed = false;
        w->spent += 27.0*count*count*count*carom_cone_solve(&problem, cone->p, cone->u, cone->work).iterations;
        for (int a = 0; a < count; a++) {
            const caromMember *c = &g->member[rows[a]];
            if (cone->mu[a] <= c->mu || hypot(cone->p[3*a + 1], cone->p[3*a + 2]) < cone->mu[a]*cone->low[a]*(1 - 1e-9))
                continue;
            cone->mu[a] = c->mu;
            changed = true;
        }
        if (!changed) break;
    }
}

// Loads of all contacts and friction of those that slide, but for those in rows.
static void loads_without(caromImpactGroup *g, const int *rows, int count)
{
    carom_impact_group_depths_soon(g, g->w->slope);
    memcpy(g->w->speed, g->w->v, sizeof(double)*3*g->n);
    g->sticks = 0;
    carom_impact_group_rates(g, g->w->slope);
    for (int a = 0; a < count; a++) g->w->rate[3*rows[a] + 1] = g->w->rate[3*rows[a] + 2] = 0;
}

// A slip that has just begun turns to where it will go much faster than it grows: stiff. Until it is CREEP, its
// friction acts against the slip at the end of the step, found with that of all contacts that stick or creep.
// Returns the longest step.
double carom_impact_group_choose_creeps(caromImpactGroup *g, double H)
{
    caromGroupScratch *w = g->w;
    int count = 0, creeps = 0, sticks = g->sticks, *rows = w->creep_rows;
    double h = fmin(H, CREEP_STEP*fmax(1, g->creeping/30.0*g->creeping/30.0));
    for (int i = 0; i < g->n; i++) {
        caromMember *c = &g->member[i];
        bool slow = c->friction_state == GROUP_SLIDES && c->phase != GROUP_OPEN &&
                    hypot(w->v[3*i + 1], w->v[3*i + 2]) < CREEP;
        c->creeps = false;
        creeps += slow;
        if (slow || (c->friction_state == GROUP_STICKS && c->phase != GROUP_OPEN)) rows[count++] = i;
    }
    if (!creeps) {
        g->creeping = 0;
        return H;
    }
    creeps = 0;
    loads_without(g, rows, count);
    share_friction(g, rows, count, h);
    for (int a = 0; a < count; a++) {
        caromMember *c = &g->member[rows[a]];
        const double *v = w->v + 3*rows[a], *u = g->cone->u + 3*a;
        double slip = hypot(u[1], u[2]);
        if (c->friction_state != GROUP_SLIDES || !(slip*h > hypot(v[1], v[2])*(1 + 1e-9))) continue;
        c->creeps = true;
        c->direction[0] = u[1]/slip;
        c->direction[1] = u[2]/slip;
        creeps++;
    }
    g->sticks = sticks;
    if (!creeps) return H;
    g->creeping++;
    return h;
}

// Sticks or slips, each contact whose slip has stopped. One whose friction just reached its limit gets slightly less:
// then it slips in a sure direction, unless other contacts that stick take over. If they do, the share of each has no
// meaning any more, and all that stick are held, to be asked again after a short step.
void carom_impact_group_choose_friction(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n, count = 0, *rows = w->creep_rows;
    double most = 0;
    bool held = false;
    g->sticks = 0;
    for (int i = 0; i < n; i++) {
        if (carom_impact_group_may_stick(g, i)) g->member[i].friction_state = GROUP_STICKS, rows[count++] = i;
        else if (g->member[i].friction_state == GROUP_STICKS) g->member[i].friction_state = GROUP_SLIDES;
    }
    if (!count) return;
    loads_without(g, rows, count);
    for (int i = 0; i < n; i++) most = fmax(most, w->rate[3*i]);
    share_friction(g, rows, count, 0);
    for (int a = 0; a < count; a++) {
        caromMember *c = &g->member[rows[a]];
        const double *f = g->cone->p + 3*a, *u = g->cone->u + 3*a;
        double speed = hypot(u[1], u[2]);
        bool on_rim = hypot(f[1], f[2]) >= g->cone->mu[a]*g->cone->low[a]*(1 - 1e-9);
        if (on_rim && speed > 1e-10*most)
            c->friction_state = GROUP_SLIDES, c->direction[0] = u[1]/speed, c->direction[1] = u[2]/speed;
        else held = held || on_rim || c->loosened;
        c->loosened = false;
    }
    for (int i = 0; i < n; i++) g->member[i].held = held && g->member[i].friction_state == GROUP_STICKS;
}

// Takes out what is left of the slip of contacts that stick: an impulse -P v_t, which loses v_t.P v_t/2.
void carom_impact_group_stop_residual_slip(caromImpactGroup *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    double left = 0, *dp = w->end;
    for (int a = 0; a < g->sticks; a++) left = fmax(left, fabs(w->stick.c[a] = w->v[w->stick.rows[a]]));
    if (!(left > 1e-15)) return;
    cancel(g, w->stick.f);
    memset(dp, 0, sizeof(double)*3*n);
    for (int a = 0; a < g->sticks; a++) dp[w->stick.rows[a]] = w->stick.f[a];
    carom_impact_group_respond(g, dp, w->v, w->speed);
    for (int i = 0; i < n; i++) {
        for (int l = 3*i + 1; l < 3*i + 3; l++) {
            g->member[i].friction += 0.5*dp[l]*(w->v[l] + w->speed[l]);
            g->p[l] += dp[l];
        }
    }
    memcpy(w->v, w->speed, sizeof(double)*3*n);
}

// Whether they will stick or slip on, another way: what is left of the old slip would be in the way.
void carom_impact_group_stop_slow_slip(caromImpactGroup *g)
{
    for (int i = 0; i < g->n; i++) {
        if (carom_impact_group_may_stick(g, i)) g->member[i].friction_state = GROUP_STICKS;
    }
    loads_without(g, NULL, 0);
    carom_impact_group_prepare_sticks(g);
    carom_impact_group_stop_residual_slip(g);
}
