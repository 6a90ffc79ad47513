// Contacts that are hit together (group.c): rates of their impulses, one step, and the first event in it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/group.h"

#define COLUMNS 5
#define CAUTION 0.05           // the difference of the last two extrapolations is the error of the worse one

// ---- right-hand side

static double force_of(const caromImpactGroup *g, int i, double d)
{
    const caromMember *c = &g->member[i];
    if (c->phase == GROUP_OPEN || !(d > 0)) return 0;
    return c->kappa*(g->eta == 1 ? d : g->eta == 1.5 ? d*sqrt(d) : pow(d, g->eta));
}

void carom_impact_group_respond(const caromImpactGroup *g, const double *x, const double *add, double *out)
{
    int m = 3*g->n;
    for (int k = 0; k < m; k++) out[k] = add ? add[k] : 0;
    for (int k = 0; k < m; k += g->stride) {
        const double *row = g->G + (long)k*m;
        double sum = 0;
        for (int j = 0; j < m; j += g->stride) sum += row[j]*x[j];
        out[k] += sum;
    }
}

// Within a step that would pass beyond a stop the slip is taken on smoothly: the stop is located afterwards, by where
// it ends. (If the friction turned there, the substeps of the midpoint rule could alternate between both directions,
// all alike, and their extrapolation would look exact.)
static void slip_direction(const caromMember *c, const double *v_t, double s[2])
{
    double length = hypot(v_t[0], v_t[1]), sign = v_t[0]*c->direction[0] + v_t[1]*c->direction[1] < 0 ? -1 : 1;
    bool known = length > 1e-14 && !c->creeps;
    s[0] = known ? sign*v_t[0]/length : c->direction[0];
    s[1] = known ? sign*v_t[1]/length : c->direction[1];
}

void carom_impact_group_rates(const caromImpactGroup *g, const double *d)
{
    caromGroupScratch *w = g->w;
    for (int i = 0; i < g->n; i++) {
        const caromMember *c = &g->member[i];
        double lam = force_of(g, i, d[i]), s[2] = { 0, 0 };
        if (c->friction_state == GROUP_SLIDES && lam > 0) slip_direction(c, w->speed + 3*i + 1, s);
        w->rate[3*i] = lam;
        w->rate[3*i + 1] = -c->mu*lam*s[0];
        w->rate[3*i + 2] = -c->mu*lam*s[1];
    }
    if (g->sticks) carom_impact_group_add_stick_rates(g);
}

void carom_impact_group_evaluate(const caromImpactGroup *g, const double *y, double *slope)
{
    g->w->spent += 9.0*g->n*g->n;
    caromGroupScratch *w = g->w;
    int n = g->n;
    carom_impact_group_respond(g, y, w->start, w->speed);
    carom_impact_group_rates(g, y + 3*n);
    memcpy(slope, w->rate, sizeof(double)*3*n);
    for (int i = 0; i < n; i++) {
        const caromMember *c = &g->member[i];
        slope[3*n + i] = c->phase == GROUP_COMPRESSION   ? -w->speed[3*i]
                       : c->phase == GROUP_RESTITUTION ? -w->speed[3*i]/c->e2 : 0;
        slope[4*n + i] = w->rate[3*i + 1]*w->speed[3*i + 1] + w->rate[3*i + 2]*w->speed[3*i + 2];
    }
}

// ---- one step

// ds/dx over H.
static double pace(const caromImpactGroup *g, double x)
{
    if (g->slow_start) return g->slow_end ? 6*x*(1 - x) : 2*x;
    return g->slow_end ? 2*(1 - x) : 1;
}

// The midpoint rule with an even number of substeps.
static void midpoint(const caromImpactGroup *g, double H, int substeps, double *out)
{
    caromGroupScratch *w = g->w;
    int m = 5*g->n;
    double h = 1.0/substeps, *before = w->z0, *now = w->z1;
    memcpy(before, w->y, sizeof(double)*m);
    memcpy(now, w->y, sizeof(double)*m);
    if (!g->slow_start) {
        double factor = h*H*pace(g, 0);
        for (int k = 0; k < m; k++) now[k] += factor*w->first[k];
    }
    for (int j = 1; j < substeps; j++) {
        double factor = 2*h*H*pace(g, j*h), *t = before;
        carom_impact_group_evaluate(g, now, w->slope);
        for (int k = 0; k < m; k++) before[k] += factor*w->slope[k];
        before = now;
        now = t;
    }
    memcpy(out, now, sizeof(double)*m);
}

// By what the energy of the bodies changes, which their impulses tell exactly, but for the works that are told. The
// difference of two extrapolations says too little where slip turns fast in front of a stop; both may be wrong alike.
static double energy_defect(const caromImpactGroup *g)
{
    const caromGroupScratch *w = g->w;
    int n = g->n;
    double change = 0, told = 0;
    for (int k = 0; k < 3*n; k++) change += 0.5*w->end[k]*(w->start[k] + w->speed[k]);
    for (int i = 0; i < n; i++)
        told += carom_impact_group_normal_work(g, i, fmax(w->end[3*n + i], 0)) + w->end[4*n + i];
    return fabs(change - told);
}

double carom_impact_group_step(const caromImpactGroup *g, double H)
{
    caromGroupScratch *w = g->w;
    int m = 5*g->n;
    double error = 0;
    for (int j = 0; j < COLUMNS; j++) {
        double *row = w->table + (long)j*m;
        midpoint(g, H, 2*(j + 1), row);
        for (int l = j - 1; l >= 0; l--) {   // Aitken and Neville: row l becomes the extrapolation from l to j
            double ratio = (double)(j + 1)/(l + 1), *lower = w->table + (long)l*m, *upper = lower + m,
                   factor = 1/(ratio*ratio - 1);
            for (int k = 0; k < m; k++) {
                double better = upper[k] + (upper[k] - lower[k])*factor;
                if (j == COLUMNS - 1 && l == 0) error = fmax(error, fabs(better - upper[k]));
                lower[k] = better;
            }
        }
    }
    memcpy(w->end, w->table, sizeof(double)*m);
    carom_impact_group_evaluate(g, w->end, w->slope);
    return fmax(g->slow_start || g->slow_end ? error : CAUTION*error, energy_defect(g));
}

// ---- events

bool carom_impact_group_waits(const caromImpactGroup *g, int i)
{
    return g->member[i].phase == GROUP_COMPRESSION && g->member[i].d == 0 && g->w->start[3*i] > -GROUP_AT_ROOT;
}

static double normal_value(const caromImpactGroup *g, int i)
{
    double v = g->w->speed[3*i];
    if (g->member[i].phase != GROUP_COMPRESSION) return v;
    return carom_impact_group_waits(g, i) && v > 0 && g->w->end[3*g->n + i] <= GROUP_ROOT ? 1 : -v;
}

static double depth_value(const caromImpactGroup *g, int i)
{
    return g->member[i].phase == GROUP_RESTITUTION ? g->w->end[3*g->n + i] : 1;
}

static double grip_value(const caromImpactGroup *g, int i)
{
    const caromMember *c = &g->member[i];
    const double *v = g->w->speed + 3*i, *rate = g->w->rate + 3*i;
    if (c->phase == GROUP_OPEN || c->friction_state == GROUP_SMOOTH || c->held) return 1;
    if (c->friction_state == GROUP_SLIDES) return v[1]*c->direction[0] + v[2]*c->direction[1];
    return c->mu_s*rate[0] - hypot(rate[1], rate[2]);
}

bool carom_impact_group_values(const caromImpactGroup *g, double *value)
{
    int n = g->n;
    bool any = false;
    for (int i = 0; i < n; i++) {
        value[i] = normal_value(g, i);
        value[n + i] = depth_value(g, i);
        value[2*n + i] = grip_value(g, i);
    }
    for (int k = 0; k < 3*n; k++) {
        if (!(value[k] < -GROUP_ROOT)) continue;
        g->w->event.suspect[k] = 1;
        any = true;
    }
    return any;
}

double carom_impact_group_locate(const caromImpactGroup *g, double H, double *error)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n, same = 0;
    double a = 0, b = H, damp_a = 1, damp_b = 1;
    for (int round = 0; round < 60; round++) {
        double x = b;
        for (int k = 0; k < m; k++) {
            if (!(w->event.value_b[k] < -GROUP_ROOT)) continue;
            double va = damp_a*fmax(w->event.value_a[k], 0), vb = damp_b*w->event.value_b[k];
            x = fmin(x, a + (b - a)*va/(va - vb));
        }
        x = fmin(fmax(x, a + 0.02*(b - a)), b - 1e-3*(b - a));
        if (b - a <= 4*DBL_EPSILON*H || round%8 == 7) x = 0.5*(a + b);
        *error = carom_impact_group_step(g, x);
        if (carom_impact_group_values(g, w->event.value)) {
            memcpy(w->event.value_b, w->event.value, sizeof(double)*m);
            b = x;
            same = same > 0 ? same + 1 : 1;
        } else {
            bool there = false;
            for (int k = 0; k < m; k++)
                there = there || (w->event.suspect[k] && w->event.value[k] <= GROUP_ROOT &&
                                  w->event.value_b[k] < -GROUP_ROOT);
            if (there) return x;
            memcpy(w->event.value_a, w->event.value, sizeof(double)*m);
            a = x;
            same = same < 0 ? same - 1 : -1;
        }
        damp_a = same > 1 ? 0.5*damp_a : 1;    // the Illinois rule: an end that stays counts less
        damp_b = same < -1 ? 0.5*damp_b : 1;
        if (b - a <= 4*DBL_EPSILON*H) break;
    }
    *error = carom_impact_group_step(g, b);
    carom_impact_group_values(g, w->event.value);
    return b;
}
