// A jammed contact that gives way: where rigid bodies with friction have no consistent force, those with a spring
// between them have one at every instant.
//
//     depth' = -v_n,   f_n = K depth (e^2 K depth while it parts),   f_t = -mu f_n v_t/max(|v_t|, delta),
//         v' = a + G f
//
// at the configuration of the jam, until the spring is relaxed again. With A = G_nn - mu G_nt s < 0 the depth grows
// like exp(sqrt(-A K) t) until friction has stopped the slip; as K grows the outcome goes to that
// of the impact without collision, slowly, like 1/log K [ChampneysVarkonyi16].
#include <math.h>
#include <string.h>

#include "impact/impact.h"

enum { N = 6, STEPS_MAX = 2000000 };  // v, depth, and works of compression and restitution

typedef struct ContactSpring {
    const caromImpactContact *contact;
    const double *G, *a;
    double stiffness;
} ContactSpring;

static double force_of(const ContactSpring *s, const double *y, double f[3])
{
    const caromImpactContact *c = s->contact;
    double depth = fmax(0.0, y[3]), e = c->restitution, part = y[0] > 0.0 ? e*e : 1.0;
    f[0] = s->stiffness*depth*part;
    double grip = c->friction*f[0]/fmax(hypot(y[1], y[2]), c->delta);
    f[1] = -grip*y[1];
    f[2] = -grip*y[2];
    return f[0];
}

static void rates(const ContactSpring *s, const double *y, double *dy, double *p_rate)
{
    double f[3];
    force_of(s, y, f);
    for (int i = 0; i < 3; i++) dy[i] = s->a[i] + s->G[3*i]*f[0] + s->G[3*i + 1]*f[1] + s->G[3*i + 2]*f[2];
    dy[3] = -y[0];
    dy[4] = y[0] < 0.0 ? f[0]*y[0] : 0.0;
    dy[5] = y[0] > 0.0 ? f[0]*y[0] : 0.0;
    memcpy(p_rate, f, sizeof f);
}

// The classical method of order four; p is integrated along.
static void step(const ContactSpring *s, double h, double *y, double p[3])
{
    static const double c[4] = { 0.0, 0.5, 0.5, 1.0 }, w[4] = { 1.0/6, 1.0/3, 1.0/3, 1.0/6 };
    double k[N] = { 0 }, f[3], at[N], sum[N] = { 0 }, sum_p[3] = { 0 };
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < N; i++) at[i] = y[i] + c[stage]*h*k[i];
        rates(s, at, k, f);
        for (int i = 0; i < N; i++) sum[i] += w[stage]*k[i];
        for (int i = 0; i < 3; i++) sum_p[i] += w[stage]*f[i];
    }
    for (int i = 0; i < N; i++) y[i] += h*sum[i];
    for (int i = 0; i < 3; i++) p[i] += h*sum_p[i];
}

// Short against the spring, and against the rate at which regularised friction turns slip round.
static double step_size(const ContactSpring *s, const double *y)
{
    double f[3], most = fmax(s->G[0], fmax(s->G[4], s->G[8])), spring = sqrt(s->stiffness*most);
    double grip = s->contact->friction*force_of(s, y, f)*most/fmax(hypot(y[1], y[2]), s->contact->delta);
    return 1.0/fmax(100.0*spring, 2.0*grip);
}

double carom_impact_compliant(const caromImpactContact *contact, const double G[9], const double a[3], double stiffness,
                              double v[3], caromImpactOutcome *o)
{
    ContactSpring s = { contact, G, a, stiffness };
    double before[3] = { v[0], v[1], v[2] }, y[N] = { v[0], v[1], v[2] }, p[3] = { 0 }, time = 0.0;
    for (int i = 0; i < STEPS_MAX; i++) {
        double h = step_size(&s, y);
        step(&s, h, y, p);
        time += h;
        if (y[3] <= 0.0 && y[0] >= 0.0) break;
    }
    // The forces' part only: what the bodies do meanwhile is theirs.
    for (int i = 0; i < 3; i++) v[i] += G[3*i]*p[0] + G[3*i + 1]*p[1] + G[3*i + 2]*p[2];
    // Exactly what the impulses change: works along the way differ by what the accelerations a do in the meantime.
    double total = 0.0;
    for (int i = 0; i < 3; i++) total += 0.5*p[i]*(before[i] + v[i]);
    *o = (caromImpactOutcome){ .p = { p[0], p[1], p[2] }, .compression = y[4], .restitution = y[5],
                               .friction = total - y[4] - y[5], .path = CAROM_SLIP_JAMS, .stop = NAN, .impacts = 1 };
    return time;
}
