// newton.c -- the algebraic laws: the normal speed is reversed, v_n+ = -e v_n-, and friction is one impulse against the
// slip before [Kossenko05, 2.4].
#include <float.h>

#include "impact/single.h"

typedef struct Plane { double nn, nu, uu; } Plane;  // G in the plane of the normal and the slip before

// Friction k = |p_t|/p_n <= mu |v_t|/max(|v_t|, delta) against the slip. With q = -(1+e) v_n- and the slip s = |v_t|
// before,
//
//     p_n = q/(G_nn - k G_nu),     (G_nn - k G_nu) s+ = (s G_nn + q G_nu) - k (s G_nu + q G_uu)
//
// It ends where it would reverse the slip, and acts not at all where the normal impulse alone does that. So s+ >= 0
// or k = 0, and the energy
//     dT = (1-e)/2 v_n- p_n - k/2 p_n (s + s+)
// never rises. There G_nn - k G_nu = q det G/(s G_nu + q G_uu) >= 0: the limit also keeps p_n from passing
// through infinity (jam).
static double limited(const Plane *G, double q, double s, double k)
{
    double above = s*G->nn + q*G->nu, below = s*G->nu + q*G->uu;
    if (above <= 0) return 0;
    return k*below > above ? above/below : k;
}

static caromSlipPath path_of(double s, double s_after, bool has_stopped)
{
    if (has_stopped) return CAROM_SLIP_STICKS;
    if (s_after < 0) return CAROM_SLIP_REVERSES;
    return s_after > s ? CAROM_SLIP_PUSHED : CAROM_SLIP_THROUGHOUT;
}

void carom_impact_newton(const caromImpactContact *contact, const double G[9], bool frictionless, const double v[3],
                         caromImpactOutcome *outcome)
{
    double e = contact->restitution, s = hypot(v[1], v[2]), q = -(1 + e)*v[0];
    double u[2] = { s > 0 ? v[1]/s : 1, s > 0 ? v[2]/s : 0 };
    Plane plane = { G[0], G[1]*u[0] + G[2]*u[1], G[4]*u[0]*u[0] + 2*G[5]*u[0]*u[1] + G[8]*u[1]*u[1] };
    double wanted = frictionless || s == 0 ? 0
                                           : fmin(contact->friction, CAROM_FRICTION_MAX)*(s/fmax(s, contact->delta));
    double k = limited(&plane, q, s, wanted), p = q/(plane.nn - k*plane.nu);
    // One degree of freedom, which the friction would lock: without friction then.
    if (!(plane.nn - k*plane.nu > 64*DBL_EPSILON*plane.nn)) {
        k = 0;
        p = q/plane.nn;
    }
    double s_after = s + (plane.nu - k*plane.uu)*p;
    outcome->p[0] = p;
    outcome->p[1] = -k*p*u[0];
    outcome->p[2] = -k*p*u[1];
    outcome->compression = 0.5*v[0]*p/(1 + e);  // along the straight line between the two states
    outcome->restitution = -e*e*outcome->compression;
    outcome->friction = -0.5*k*p*(s + fmax(0, s_after));
    bool has_stopped = k > 0 && k < wanted;
    outcome->path = wanted > 0 ? path_of(s, s_after, has_stopped) : CAROM_SLIP_NONE;
    if (has_stopped) outcome->stop = 1;
}
