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
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/work.h"
#include "math/eigen.h"

#define COLUMNS 5
#define CAUTION 0.05           // the difference of the last two extrapolations is the error of the worse one
#define STEPS_MAX 3000
#define LONGEST 1.0            // step: a pair of unit stiffness swings within pi
#define ROOT 1e-14             // an event is located to this, in units of speed
#define AT_ROOT 1e-12          // counts as located with it
// Slip below it has stopped: a tangential impulse takes out the rest, which changes what follows by its
// square and loses energy.
#define AT_REST 1e-6
#define SPENT 1e-9             // approach below it, and work of its square, are none
#define CREEP 1e-4             // slip below it that grows keeps its direction through a step,
#define CREEP_STEP 1e-3        // of this length; longer from step to step where it lasts
#define HELD_STEP 0.02
#define BEYOND 1e-6            // friction that is missing to a contact that begins to slip
#define QUIET_STEPS 20

typedef enum Phase { OPEN, COMPRESSION, RESTITUTION } Phase;
typedef enum FrictionState { SMOOTH, SLIDES, STICKS } FrictionState;

typedef struct caromMember {
    double kappa, e2, mu, mu_s;
    Phase phase;
    FrictionState friction_state;
    bool creeps;               // begins to slip: direction is that of the end of the step
    bool loosened;             // its friction just reached what its disc allows
    bool held;                 // sticks though: other contacts that stick take over
    double direction[2];       // of the slip at the start of the step
    double d;                  // how deep: what it stores is kappa d^(eta+1)/(eta+1)
    // what is told of it
    double compression, restitution, friction;   // works
    bool slipped, stopped, went_on, stopped_in_compression;
    double p_stop;
} caromMember;

size_t carom_impact_member_size(void) { return sizeof(caromMember); }

typedef struct Group {
    int n;
    double eta, tolerance;
    bool rough;                // eta is no integer
    bool slow_start, slow_end; // of the step
    int sticks;                // rows of contacts that stick, w->stick.rows
    bool changed;              // a contact left without an event
    int stride;                // 3: no friction anywhere, tangential rows do not matter
    const double *G;
    caromMember *member;
    double *p;                 // impulses, out [3n]
    caromGroupScratch *w;
    caromConeScratch *cone;
    int creeping;              // steps in a row
} Group;

static double force_of(const Group *g, int i, double d)
{
    const caromMember *c = &g->member[i];
    if (c->phase == OPEN || !(d > 0)) return 0;
    return c->kappa*(g->eta == 1 ? d : g->eta == 1.5 ? d*sqrt(d) : pow(d, g->eta));
}

static double stored(const Group *g, int i, double d)
{
    return d > 0 ? g->member[i].kappa*pow(d, g->eta + 1)/(g->eta + 1) : 0;
}

static void times_G(const Group *g, const double *x, const double *add, double *out)
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

// ---- friction that keeps v_t = 0

// Rows of contacts that stick, and what their friction answers to accelerations c that it has to cancel: f = -P c,
// P = S (S G_kk S)^+ S. Redundant ones share in proportion to what their discs allow, S = mu lam: the least sum of
// (|f|/(mu lam))^2. lam is that of the last event; it only says how they share.
static void prepare_sticks(Group *g)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n, k = 0;
    double most = 0, largest = 0, *A = w->stick.A, *share = w->stick.c;
    for (int i = 0; i < g->n; i++) {
        if (g->member[i].friction_state != STICKS || g->member[i].phase == OPEN) continue;
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
static void cancel(const Group *g, double *out)
{
    const caromGroupScratch *w = g->w;
    for (int a = 0; a < g->sticks; a++) {
        double sum = 0;
        for (int b = 0; b < g->sticks; b++) sum -= w->stick.P[a*g->sticks + b]*w->stick.c[b];
        out[a] = sum;
    }
}

static void add_stick_rates(const Group *g)
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

// ---- right-hand side

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

// w->rate of impulses at depths d [n] and speeds w->speed.
static void rates(const Group *g, const double *d)
{
    caromGroupScratch *w = g->w;
    for (int i = 0; i < g->n; i++) {
        const caromMember *c = &g->member[i];
        double lam = force_of(g, i, d[i]), s[2] = { 0, 0 };
        if (c->friction_state == SLIDES && lam > 0) slip_direction(c, w->speed + 3*i + 1, s);
        w->rate[3*i] = lam;
        w->rate[3*i + 1] = -c->mu*lam*s[0];
        w->rate[3*i + 2] = -c->mu*lam*s[1];
    }
    if (g->sticks) add_stick_rates(g);
}

// y: impulses since the start of the step [3n], depths [n], work of friction [n].
static void evaluate(const Group *g, const double *y, double *slope)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    times_G(g, y, w->start, w->speed);
    rates(g, y + 3*n);
    memcpy(slope, w->rate, sizeof(double)*3*n);
    for (int i = 0; i < n; i++) {
        const caromMember *c = &g->member[i];
        slope[3*n + i] = c->phase == COMPRESSION ? -w->speed[3*i] : c->phase == RESTITUTION ? -w->speed[3*i]/c->e2 : 0;
        slope[4*n + i] = w->rate[3*i + 1]*w->speed[3*i + 1] + w->rate[3*i + 2]*w->speed[3*i + 2];
    }
}

// ---- one step

// ds/dx over H.
static double pace(const Group *g, double x)
{
    if (g->slow_start) return g->slow_end ? 6*x*(1 - x) : 2*x;
    return g->slow_end ? 2*(1 - x) : 1;
}

// The midpoint rule with an even number of substeps.
static void midpoint(const Group *g, double H, int substeps, double *out)
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
        evaluate(g, now, w->slope);
        for (int k = 0; k < m; k++) before[k] += factor*w->slope[k];
        before = now;
        now = t;
    }
    memcpy(out, now, sizeof(double)*m);
}

// From w->y, over H, to w->end; w->speed and w->rate are those at the end. Returns the error.
static double step(const Group *g, double H)
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
    evaluate(g, w->end, w->slope);
    return g->slow_start || g->slow_end ? error : CAUTION*error;
}

// ---- events

// Waits at v_n = 0 for others to press it.
static bool is_ready(const Group *g, int i)
{
    return g->member[i].phase == COMPRESSION && g->member[i].d == 0 && g->w->start[3*i] > -AT_ROOT;
}

static double normal_value(const Group *g, int i)
{
    double v = g->w->speed[3*i];
    if (g->member[i].phase != COMPRESSION) return v;
    return is_ready(g, i) && v > 0 && g->w->end[3*g->n + i] <= ROOT ? 1 : -v;
}

static double depth_value(const Group *g, int i)
{
    return g->member[i].phase == RESTITUTION ? g->w->end[3*g->n + i] : 1;
}

static double grip_value(const Group *g, int i)
{
    const caromMember *c = &g->member[i];
    const double *v = g->w->speed + 3*i, *rate = g->w->rate + 3*i;
    if (c->phase == OPEN || c->friction_state == SMOOTH || c->held) return 1;
    if (c->friction_state == SLIDES) return v[1]*c->direction[0] + v[2]*c->direction[1];
    return c->mu_s*rate[0] - hypot(rate[1], rate[2]);
}

// [n] v_n, [n] d, [n] friction: >= 0 while nothing happens. True when something does.
static bool values(const Group *g, double *value)
{
    int n = g->n;
    bool any = false;
    for (int i = 0; i < n; i++) {
        value[i] = normal_value(g, i);
        value[n + i] = depth_value(g, i);
        value[2*n + i] = grip_value(g, i);
    }
    for (int k = 0; k < 3*n; k++) {
        if (!(value[k] < -ROOT)) continue;
        g->w->event.suspect[k] = 1;
        any = true;
    }
    return any;
}

// The first of the values that cross 0 in (0, H]; those at H are in w->event.value_b. Ends at a step whose end is the
// event, and returns its length.
static double locate(const Group *g, double H, double *error)
{
    caromGroupScratch *w = g->w;
    int m = 3*g->n, same = 0;
    double a = 0, b = H, damp_a = 1, damp_b = 1;
    for (int round = 0; round < 60; round++) {
        double x = b;
        for (int k = 0; k < m; k++) {
            if (!(w->event.value_b[k] < -ROOT)) continue;
            double va = damp_a*fmax(w->event.value_a[k], 0), vb = damp_b*w->event.value_b[k];
            x = fmin(x, a + (b - a)*va/(va - vb));
        }
        x = fmin(fmax(x, a + 0.02*(b - a)), b - 1e-3*(b - a));
        if (b - a <= 4*DBL_EPSILON*H || round%8 == 7) x = 0.5*(a + b);
        *error = step(g, x);
        if (values(g, w->event.value)) {
            memcpy(w->event.value_b, w->event.value, sizeof(double)*m);
            b = x;
            same = same > 0 ? same + 1 : 1;
        } else {
            bool there = false;
            for (int k = 0; k < m; k++)
                there = there || (w->event.suspect[k] && w->event.value[k] <= ROOT && w->event.value_b[k] < -ROOT);
            if (there) return x;
            memcpy(w->event.value_a, w->event.value, sizeof(double)*m);
            a = x;
            same = same < 0 ? same - 1 : -1;
        }
        damp_a = same > 1 ? 0.5*damp_a : 1;    // the Illinois rule: an end that stays counts less
        damp_b = same < -1 ? 0.5*damp_b : 1;
        if (b - a <= 4*DBL_EPSILON*H) break;
    }
    *error = step(g, b);
    values(g, w->event.value);
    return b;
}

// ---- what friction does at v_t = 0

static bool may_stick(const Group *g, int i)
{
    const caromMember *c = &g->member[i];
    const double *v = g->w->v + 3*i;
    return c->friction_state != SMOOTH && c->phase != OPEN && hypot(v[1], v[2]) <= AT_REST;
}

// Depths a moment later, so that contacts that begin have their part of the load.
static void soon(const Group *g, double *d)
{
    for (int i = 0; i < g->n; i++) d[i] = g->member[i].d > 0 ? g->member[i].d : 1e-6*fmax(0, -g->w->v[3*i]);
}

// Friction g->cone->p of the contacts in rows [count] under the loads w->rate of all, in which theirs is not,
// and the tangential accelerations g->cone->u that it leaves; with h > 0 the slip after h, over h. Those at rest
// have mu_s until they slip.
static void share_friction(const Group *g, const int *rows, int count, double h)
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
        cone->mu[a] = h > 0 && c->friction_state != STICKS ? c->mu : c->mu_s;
        cone->low[a] = w->rate[3*rows[a]];
        if (c->loosened) cone->mu[a] *= 1 - BEYOND;
        // as in prepare_sticks
        cone->compliance[a] = 1/fmax(1e-6, cone->mu[a]*cone->low[a]*cone->mu[a]*cone->low[a]/(most*most));
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
        carom_cone_solve(&problem, cone->p, cone->u, cone->work);
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
static void loads_without(Group *g, const int *rows, int count)
{
    soon(g, g->w->slope);
    memcpy(g->w->speed, g->w->v, sizeof(double)*3*g->n);
    g->sticks = 0;
    rates(g, g->w->slope);
    for (int a = 0; a < count; a++) g->w->rate[3*rows[a] + 1] = g->w->rate[3*rows[a] + 2] = 0;
}

// A slip that has just begun turns to where it will go much faster than it grows: stiff. Until it is CREEP, its
// friction acts against the slip at the end of the step, found with that of all contacts that stick or creep.
// Returns the longest step.
static double choose_creeps(Group *g, double H)
{
    caromGroupScratch *w = g->w;
    int count = 0, creeps = 0, sticks = g->sticks, *rows = w->creep_rows;
    double h = fmin(H, CREEP_STEP*fmax(1, g->creeping/30.0*g->creeping/30.0));
    for (int i = 0; i < g->n; i++) {
        caromMember *c = &g->member[i];
        bool slow = c->friction_state == SLIDES && c->phase != OPEN &&
                    hypot(w->v[3*i + 1], w->v[3*i + 2]) < CREEP;
        c->creeps = false;
        creeps += slow;
        if (slow || (c->friction_state == STICKS && c->phase != OPEN)) rows[count++] = i;
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
        if (c->friction_state != SLIDES || !(slip*h > hypot(v[1], v[2])*(1 + 1e-9))) continue;
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
static void choose_friction_states(Group *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n, count = 0, *rows = w->creep_rows;
    double most = 0;
    bool held = false;
    g->sticks = 0;
    for (int i = 0; i < n; i++) {
        if (may_stick(g, i)) g->member[i].friction_state = STICKS, rows[count++] = i;
        else if (g->member[i].friction_state == STICKS) g->member[i].friction_state = SLIDES;
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
            c->friction_state = SLIDES, c->direction[0] = u[1]/speed, c->direction[1] = u[2]/speed;
        else held = held || on_rim || c->loosened;
        c->loosened = false;
    }
    for (int i = 0; i < n; i++) g->member[i].held = held && g->member[i].friction_state == STICKS;
}

// Takes out what is left of the slip of contacts that stick: an impulse -P v_t, which loses v_t.P v_t/2.
static void stop_residual_slip(Group *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    double left = 0, *dp = w->end;
    for (int a = 0; a < g->sticks; a++) left = fmax(left, fabs(w->stick.c[a] = w->v[w->stick.rows[a]]));
    if (!(left > 1e-15)) return;
    cancel(g, w->stick.f);
    memset(dp, 0, sizeof(double)*3*n);
    for (int a = 0; a < g->sticks; a++) dp[w->stick.rows[a]] = w->stick.f[a];
    times_G(g, dp, w->v, w->speed);
    for (int i = 0; i < n; i++) {
        for (int l = 3*i + 1; l < 3*i + 3; l++) {
            g->member[i].friction += 0.5*dp[l]*(w->v[l] + w->speed[l]);
            g->p[l] += dp[l];
        }
    }
    memcpy(w->v, w->speed, sizeof(double)*3*n);
}

// Whether they will stick or slip on, another way: what is left of the old slip would be in the way.
static void stop_slow_slip(Group *g)
{
    for (int i = 0; i < g->n; i++) {
        if (may_stick(g, i)) g->member[i].friction_state = STICKS;
    }
    loads_without(g, NULL, 0);
    prepare_sticks(g);
    stop_residual_slip(g);
}

// ---- between steps

// At v_n = 0 the change of v_n says which way it goes.
static void choose_phases(Group *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    double most = 0, *change = w->end;
    soon(g, w->slope);
    memcpy(w->speed, w->v, sizeof(double)*3*n);
    rates(g, w->slope);
    times_G(g, w->rate, NULL, change);
    for (int k = 0; k < 3*n; k++) most = fmax(most, fabs(w->rate[k]));
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        double v = w->v[3*i];
        if (fabs(v) > AT_ROOT) continue;
        if (change[3*i] < -1e-9*most) c->phase = COMPRESSION;
        else if (change[3*i] > 1e-9*most) c->phase = c->d > 0 ? RESTITUTION : OPEN;
        else if (!(c->d > 0)) c->phase = COMPRESSION;
    }
}

static void normal_event(Group *g, int i)
{
    caromMember *c = &g->member[i];
    if (c->phase != COMPRESSION) {
        c->phase = COMPRESSION;
        return;
    }
    if (!(c->e2 > 0)) c->d = 0;
    c->phase = c->d > 0 ? RESTITUTION : OPEN;
}

static void note_stop(Group *g, int i)
{
    caromMember *c = &g->member[i];
    if (c->friction_state != SLIDES || c->stopped || !may_stick(g, i)) return;
    c->stopped = true;
    c->p_stop = g->p[3*i];
    c->stopped_in_compression = c->phase == COMPRESSION;
}

static void happen(Group *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    for (int i = 0; i < n; i++) {
        if (w->event.suspect[n + i] && w->event.value[n + i] <= AT_ROOT) g->member[i].d = 0, g->member[i].phase = OPEN;
        else if (w->event.suspect[i] && w->event.value[i] <= AT_ROOT) normal_event(g, i);
        bool here = w->event.value[2*n + i] <= AT_ROOT;
        g->member[i].loosened = here && g->member[i].friction_state == STICKS;
        if (here && w->event.suspect[2*n + i]) note_stop(g, i);
    }
}

static void choose_states(Group *g)
{
    stop_slow_slip(g);
    choose_friction_states(g);
    prepare_sticks(g);
    choose_phases(g);
    prepare_sticks(g);
    g->changed = false;
    for (int i = 0; i < g->n; i++) {
        caromMember *c = &g->member[i];
        const double *v = g->w->v + 3*i;
        double slip = hypot(v[1], v[2]);
        if (c->friction_state == SLIDES && slip > AT_REST) c->direction[0] = v[1]/slip, c->direction[1] = v[2]/slip;
        if (c->friction_state == SLIDES && c->phase != OPEN && (c->stopped || !c->slipped)) c->went_on = true;
    }
}

// Books what the step did.
static void accept(Group *g)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        double d = fmax(w->end[3*n + i], 0), gain = stored(g, i, d) - stored(g, i, c->d);
        bool parts = is_ready(g, i) && w->speed[3*i] > AT_ROOT && w->end[3*n + i] <= ROOT;
        if (c->phase == COMPRESSION) c->compression -= gain;
        else if (c->phase == RESTITUTION) c->restitution -= c->e2*gain;
        c->friction += w->end[4*n + i];
        c->d = parts ? 0 : d;
        if (parts) c->phase = OPEN, g->changed = true;
    }
    for (int k = 0; k < 3*n; k++) g->p[k] += w->end[k];
    memcpy(w->v, w->speed, sizeof(double)*3*n);
}

static bool is_over(const Group *g)
{
    for (int i = 0; i < g->n; i++) {
        if (stored(g, i, g->member[i].d) > SPENT*SPENT || g->w->v[3*i] < -SPENT) return false;
    }
    return true;
}

static double start_step(Group *g, double H)
{
    caromGroupScratch *w = g->w;
    int n = g->n;
    memcpy(w->start, w->v, sizeof(double)*3*n);
    memset(w->y, 0, sizeof(double)*5*n);
    g->slow_start = g->slow_end = false;
    for (int i = 0; i < n; i++) {
        caromMember *c = &g->member[i];
        const double *v = w->v + 3*i;
        double slip = hypot(v[1], v[2]);
        if (c->phase == OPEN && v[0] < -AT_ROOT) c->phase = COMPRESSION;
        if (c->friction_state == SLIDES && slip > AT_REST) c->direction[0] = v[1]/slip, c->direction[1] = v[2]/slip;
        c->creeps = false;
        w->y[3*n + i] = c->d;
        if (g->rough && c->phase == COMPRESSION && c->d == 0 && v[0] < -AT_ROOT) g->slow_start = true;
    }
    memset(w->event.suspect, 0, sizeof(int)*3*n);
    H = choose_creeps(g, H);
    evaluate(g, w->y, w->first);
    return H;
}

// What keeps its work though nothing moves any more is locked by friction: its work is lost.
static int lose_locked(Group *g)
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

static bool moves(const Group *g)
{
    double change = 0;
    for (int k = 0; k < 3*g->n; k++) change = fmax(change, fabs(g->w->speed[k] - g->w->start[k]));
    return change > AT_ROOT;
}

static bool needs_care(const Group *g)
{
    for (int i = 0; i < g->n; i++) {
        if (g->member[i].held) return true;
    }
    return false;
}

// In space slip comes to rest without passing through 0 in any one direction: the direction turns ever faster.
static bool slip_stops(Group *g)
{
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        const double *v = g->w->v + 3*i, *start = g->w->start + 3*i;
        if (g->member[i].friction_state != SLIDES || !may_stick(g, i) || hypot(v[1], v[2]) >= hypot(start[1], start[2]))
            continue;
        note_stop(g, i);
        any = true;
    }
    return any;
}

// True when it ended by itself.
static bool run(Group *g, int *locked)
{
    caromGroupScratch *w = g->w;
    int quiet = 0;
    double H = 0.1;
    choose_states(g);
    for (int k = 0; k < STEPS_MAX; k++) {
        if (is_over(g)) return true;
        H = start_step(g, needs_care(g) ? fmin(H, HELD_STEP) : H);
        double error = step(g, H), x = H;
        bool event = values(g, w->event.value_b);
        if (event) {
            for (int i = 0; i < g->n; i++)
                g->slow_end = g->slow_end || (g->rough && w->event.value_b[g->n + i] < -ROOT);
            memcpy(w->end, w->y, sizeof(double)*5*g->n);   // values at the start of the step
            evaluate(g, w->end, w->slope);
            values(g, w->event.value_a);
            x = locate(g, H, &error);
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
        else stop_residual_slip(g);
        if (quiet >= QUIET_STEPS) *locked = lose_locked(g), quiet = 0;
    }
    return false;
}

// ---- in and out

static void scale_in(Group *g, const caromImpactProblem *problem, const caromImpactBlock *block, double unit_v,
                     double unit_G)
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
        a->phase = w->v[3*i] <= 0 ? COMPRESSION : OPEN;
        a->friction_state = a->mu_s > 0 ? SLIDES : SMOOTH;
        a->slipped = a->mu_s > 0 && hypot(w->v[3*i + 1], w->v[3*i + 2]) > AT_REST;
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

static void tell(const Group *g, const caromImpactBlock *block, caromImpactOutcome *outcomes, double unit_v,
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
    Group g = { .n = n, .eta = problem->exponent, .tolerance = fmax(problem->tolerance, 1e-13), .stride = 3,
                .G = w->group.G, .member = w->group.member, .p = block->p, .w = &w->group, .cone = &w->cone };
    g.rough = g.eta != floor(g.eta);
    scale_in(&g, problem, block, unit_v, unit_G);
    bool ended = run(&g, &locked);
    tell(&g, block, outcomes, unit_v, unit_G);
    if (locked >= 0) *jammed = block->members[locked];
    return ended;
}
