// One contact of a planar chain: closed form against integration of the generalised speeds in small steps of impulse.
//
// The reference knows nothing of contact space: M and J of a chain of links are built here, L = M^-1 J^T, and u follows
// du = (L_n + m L_t) dp with bisection of every event. Friction follows the sign of the slip; at rest the friction that
// holds is found by bisection too.
#include "check.h"
#include "impact/impact.h"

enum { LINKS_MAX = 6, CASES = 10000 };

typedef struct Chain {
    int n;
    double M[LINKS_MAX][LINKS_MAX], J[2][LINKS_MAX], L[2][LINKS_MAX];  // rows: normal, tangential
} Chain;

// M = sum m J_c^T J_c + I; angles are absolute, links hang on each other, the last one's tip touches.
static void masses_of(Chain *c, const double *q, const double *length, const double *mass)
{
    double tip[2][LINKS_MAX] = { { 0 } };
    for (int k = 0; k < c->n; k++) {
        double x = -sin(q[k])*length[k], y = cos(q[k])*length[k], Jc[2][LINKS_MAX];
        memcpy(Jc, tip, sizeof Jc);
        Jc[0][k] += 0.5*x;
        Jc[1][k] += 0.5*y;
        for (int i = 0; i < c->n; i++) {
            for (int j = 0; j < c->n; j++) c->M[i][j] += mass[k]*(Jc[0][i]*Jc[0][j] + Jc[1][i]*Jc[1][j]);
        }
        c->M[k][k] += mass[k]*length[k]*length[k]/12;
        tip[0][k] += x;
        tip[1][k] += y;
    }
    memcpy(c->J, tip, sizeof tip);
}

static void turn_contact(Chain *c, double angle)
{
    for (int i = 0; i < c->n; i++) {
        double x = c->J[0][i], y = c->J[1][i];
        c->J[0][i] = cos(angle)*x + sin(angle)*y;
        c->J[1][i] = -sin(angle)*x + cos(angle)*y;
    }
}

// x = M^-1 b by Cholesky.
static void solve(const Chain *c, const double *b, double *x)
{
    double F[LINKS_MAX][LINKS_MAX];
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = c->M[i][j];
            for (int k = 0; k < j; k++) sum -= F[i][k]*F[j][k];
            F[i][j] = i == j ? sqrt(sum) : sum/F[j][j];
        }
    }
    for (int i = 0; i < c->n; i++) {
        double sum = b[i];
        for (int k = 0; k < i; k++) sum -= F[i][k]*x[k];
        x[i] = sum/F[i][i];
    }
    for (int i = c->n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = i + 1; k < c->n; k++) sum -= F[k][i]*x[k];
        x[i] = sum/F[i][i];
    }
}

static Chain random_chain(Random *r)
{
    Chain c = { .n = 2 + (int)random_uniform(r, 0, 4.999) };
    double q[LINKS_MAX], length[LINKS_MAX], mass[LINKS_MAX];
    for (int i = 0; i < c.n; i++) {
        q[i] = random_uniform(r, -3.14, 3.14);
        length[i] = random_uniform(r, 0.3, 2);
        mass[i] = random_uniform(r, 0.3, 3);
    }
    masses_of(&c, q, length, mass);
    turn_contact(&c, random_uniform(r, -3.14, 3.14));
    for (int i = 0; i < 2; i++) solve(&c, c.J[i], c.L[i]);
    return c;
}

static long double along(const Chain *c, int row, const long double *u)
{
    long double sum = 0;
    for (int i = 0; i < c->n; i++) sum += (long double)c->J[row][i]*u[i];
    return sum;
}

typedef struct Walk {
    long double u[LINKS_MAX], p[2], compression, restitution;
    double m;  // friction now, p_t/p_n
    int stops;
    bool slips, is_over, sticks;
    long double stop;
} Walk;

static void advance(const Chain *c, Walk *w, long double dp)
{
    for (int i = 0; i < c->n; i++) w->u[i] += ((long double)c->L[0][i] + (long double)w->m*c->L[1][i])*dp;
    w->p[0] += dp;
    w->p[1] += w->m*dp;
}

// dv_t/dp with friction m.
static double slip_rate(const Chain *c, double m)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) sum += c->J[1][i]*(c->L[0][i] + m*c->L[1][i]);
    return sum;
}

// At v_t = 0: the friction that holds, if there is one in the static cone; else the sign that the slip takes.
static void leave_rest(const Chain *c, const caromImpactContact *k, Walk *w)
{
    double low = -k->static_friction, high = k->static_friction;
    w->sticks = slip_rate(c, low) <= 0 && slip_rate(c, high) >= 0;
    w->slips = !w->sticks;
    if (w->slips) {
        w->m = slip_rate(c, high) < 0 ? k->friction : -k->friction;
        return;
    }
    for (int i = 0; i < 200; i++) {
        double middle = 0.5*(low + high);
        if (slip_rate(c, middle) < 0) low = middle;
        else high = middle;
    }
    w->m = 0.5*(low + high);
}

// Work of the normal impulse over a piece on which v_n is linear.
static void book(Walk *w, long double before, long double after, long double dp)
{
    long double work = 0.5L*(before + after)*dp;
    if (before + after < 0) w->compression += work;
    else w->restitution += work;
}

typedef enum Event { NOTHING, NORMAL_TURNS, SLIP_STOPS, ENDS } Event;

static Event event_in(const Chain *c, const caromImpactContact *k, const Walk *w, long double dp, bool counts_impulse,
                      long double p_compression)
{
    Walk next = *w;
    advance(c, &next, dp);
    long double v0 = along(c, 0, w->u), v1 = along(c, 0, next.u), t0 = along(c, 1, w->u), t1 = along(c, 1, next.u),
                e = k->restitution;
    if (v0 < 0 && v1 >= 0) return NORMAL_TURNS;
    if (w->slips && ((t0 > 0 && t1 <= 0) || (t0 < 0 && t1 >= 0))) return SLIP_STOPS;
    book(&next, v0, v1, dp);
    if (v1 > 0 && (counts_impulse ? next.p[0] >= (1 + e)*p_compression : next.restitution >= -e*e*next.compression))
        return ENDS;
    return NOTHING;
}

// Steps double while nothing happens and halve towards an event.
static Walk walk(const Chain *c, const caromImpactContact *k, const double *u0, bool is_at_rest)
{
    Walk w = { 0 };
    for (int i = 0; i < c->n; i++) w.u[i] = u0[i];
    long double t = along(c, 1, w.u), p_compression = 0, smallest = 1e-17L, dp = 1e-3L;
    bool counts_impulse = k->law == CAROM_IMPACT_POISSON;
    if (is_at_rest) leave_rest(c, k, &w);
    else {
        w.slips = true;
        w.m = t > 0 ? -k->friction : k->friction;
    }
    for (int i = 0; i < 100000 && !w.is_over; i++) {
        Event event = event_in(c, k, &w, dp, counts_impulse, p_compression);
        if (event != NOTHING && dp > smallest) {
            dp *= 0.5L;
            continue;
        }
        long double v0 = along(c, 0, w.u);
        advance(c, &w, dp);
        book(&w, v0, along(c, 0, w.u), dp);
        if (event == NORMAL_TURNS) {
            p_compression = w.p[0];
            w.is_over = k->restitution == 0;
        }
        if (event == SLIP_STOPS) {
            w.stop = w.p[0];
            w.stops++;
            leave_rest(c, k, &w);
        }
        if (event == ENDS) w.is_over = true;
        dp = event == NOTHING ? 2*dp : 1e-6L;
    }
    return w;
}

// The library sees a plane in space, with tangents that the plane's own is turned against.
static void contact_space(const Chain *c, double angle, double G[9])
{
    double t[2] = { cos(angle), sin(angle) }, g[2][2] = { { 0 } };
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < c->n; k++) g[i][j] += c->J[i][k]*c->L[j][k];
        }
    }
    double tn = 0.5*(g[0][1] + g[1][0]);
    const double full[9] = { g[0][0], t[0]*tn, t[1]*tn, t[0]*tn, t[0]*t[0]*g[1][1], t[0]*t[1]*g[1][1], t[1]*tn,
                             t[0]*t[1]*g[1][1], t[1]*t[1]*g[1][1] };
    memcpy(G, full, sizeof full);
}

static caromImpactContact random_contact(Random *r)
{
    caromImpactContact k = { .restitution = random_uniform(r, -0.2, 1.2), .friction = random_uniform(r, -0.1, 1.5),
                             .stiffness = 1 };
    k.restitution = fmin(fmax(k.restitution, 0), 1);
    k.friction = fmax(k.friction, 0);
    k.static_friction = k.friction*fmax(1, random_uniform(r, 0.5, 1.5));
    if (k.friction == 0) k.static_friction = 0;
    k.law = random_uniform(r, 0, 1) < 0.25 ? CAROM_IMPACT_POISSON : CAROM_IMPACT_ENERGETIC;
    return k;
}

static double energy(const Chain *c, const double *u)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) sum += 0.5*u[i]*c->M[i][j]*u[j];
    }
    return sum;
}

static caromSlipPath expected_path(const Chain *c, const caromImpactContact *k, const Walk *w, long double t0)
{
    if (k->friction == 0) return CAROM_SLIP_NONE;
    if (t0 == 0) return w->sticks ? CAROM_SLIP_NONE : CAROM_SLIP_PUSHED;
    double m = t0 > 0 ? -k->friction : k->friction, z = 0;
    for (int i = 0; i < c->n; i++) z += c->J[0][i]*(c->L[0][i] + m*c->L[1][i]);
    if (w->stops && z <= 0) return CAROM_SLIP_JAMS;
    if (w->stops) return w->sticks ? CAROM_SLIP_STICKS : CAROM_SLIP_REVERSES;
    return slip_rate(c, m)*(t0 > 0 ? 1 : -1) > 0 ? CAROM_SLIP_PUSHED : CAROM_SLIP_THROUGHOUT;
}

typedef struct Case {
    Chain chain;
    caromImpactContact contact;
    double u[LINKS_MAX], v_n, v_t;
    bool is_at_rest;      // no slip before: exactly, for both
    double angle;         // of the tangent, as the library sees it
} Case;

static Case random_case(Random *r, bool is_turned)
{
    Case x = { .chain = random_chain(r), .contact = random_contact(r), .is_at_rest = random_uniform(r, 0, 1) < 0.1,
               .angle = is_turned ? random_uniform(r, -3, 3) : 0 };
    const Chain *c = &x.chain;
    for (int j = 0; j < c->n; j++) {
        x.u[j] = random_uniform(r, -2, 2);
        x.v_t += c->J[1][j]*x.u[j];
    }
    if (x.is_at_rest) {
        double through = x.v_t/(slip_rate(c, 1) - slip_rate(c, 0));
        for (int j = 0; j < c->n; j++) x.u[j] -= c->L[1][j]*through;
        x.v_t = 0;
    }
    for (int j = 0; j < c->n; j++) x.v_n += c->J[0][j]*x.u[j];
    double sign = x.v_n > 0 ? -1 : 1;
    for (int j = 0; j < c->n; j++) x.u[j] *= sign;
    x.v_n *= sign;
    x.v_t *= sign;
    return x;
}

typedef struct Worst { double v, p, ratio, gain[CAROM_IMPACT_KINDS]; } Worst;

static void compare(const Case *x, caromImpactOutcome *o, Worst *worst)
{
    const Chain *c = &x->chain;
    const caromImpactContact *k = &x->contact;
    double G[9], v[3] = { x->v_n, cos(x->angle)*x->v_t, sin(x->angle)*x->v_t }, after[LINKS_MAX], size = 0, off = 0;
    contact_space(c, x->angle, G);
    carom_impact_single(k, G, 1e-12, v, o);
    Walk w = walk(c, k, x->u, x->is_at_rest);
    double p_t = cos(x->angle)*o->p[1] + sin(x->angle)*o->p[2];
    for (int j = 0; j < c->n; j++) {
        after[j] = x->u[j] + c->L[0][j]*o->p[0] + c->L[1][j]*p_t;
        size = fmax(size, fmax(fabs(x->u[j]), fabs((double)w.u[j])));
        off = fmax(off, fabs(after[j] - (double)w.u[j]));
    }
    CHECK_NEAR(off/size, 0, 1e-10);
    CHECK(o->path == expected_path(c, k, &w, x->v_t));
    if (w.stops && k->friction > 0 && !x->is_at_rest) CHECK_NEAR(o->stop, (double)(w.stop/w.p[0]), 1e-10);
    double T = energy(c, x->u), gain = (energy(c, after) - T)/T;
    // Of a stretched chain, whose impulses are large.
    double rounding = 1e-15*(G[0]*o->p[0]*o->p[0] + (G[4] + G[8])*p_t*p_t)/T;
    CHECK_NEAR((o->compression + o->restitution + o->friction)/T, gain, 1e-14 + 10*rounding);
    CHECK(gain <= 1e-12);
    worst->v = fmax(worst->v, off/size);
    worst->p = fmax(worst->p, fmax(fabs(o->p[0] - (double)w.p[0]), fabs(p_t - (double)w.p[1]))/(double)w.p[0]);
    worst->gain[k->law] = fmax(worst->gain[k->law], gain);
    if (k->law != CAROM_IMPACT_ENERGETIC) return;
    double ratio = -o->restitution/o->compression;
    CHECK_NEAR(ratio, k->restitution*k->restitution, 1e-12);
    worst->ratio = fmax(worst->ratio, fabs(ratio - k->restitution*k->restitution));
}

static void closed_form_is_what_integration_finds(void **state)
{
    (void)state;
    Random r = { 2011 };
    int paths[CAROM_SLIP_PATHS][3] = { { 0 } };  // no stop, in compression, in restitution
    Worst worst = { .gain = { -1, -1 } };
    for (int i = 0; i < CASES; i++) {
        Case x = random_case(&r, i % 2);
        caromImpactOutcome o;
        compare(&x, &o, &worst);
        paths[o.path][isnan(o.stop) ? 0 : o.stops_in_compression ? 1 : 2]++;
    }
    for (int i = 0; i < CAROM_SLIP_PATHS; i++) {
        bool stops = i == CAROM_SLIP_STICKS || i == CAROM_SLIP_REVERSES;
        CHECK(stops ? paths[i][1] > 100 && paths[i][2] > 100 : paths[i][0] + paths[i][1] > 100);
        print_message("%-10s without stop %4d, stop in compression %4d, in restitution %4d\n",
                      carom_model_slip_path_name((caromSlipPath)i), paths[i][0], paths[i][1], paths[i][2]);
    }
    print_message("off: v %.3g, p %.3g; ratio of works %.3g; gain %.3g, Poisson %.3g\n", worst.v, worst.p, worst.ratio,
                  worst.gain[0], worst.gain[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(closed_form_is_what_integration_finds) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
