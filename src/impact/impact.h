// impact -- instants: velocities before an impact in, impulses out.
//
// In:    contacts that touch at one instant, seen in contact space: how velocities answer to impulses, G = J M^-1 J^T,
//        and what the velocities are.
// Out:   impulses, velocities after, works and phases of each contact.
// Promise: pure; nothing is allocated after carom_impact_alloc. Energy never rises, whatever the coefficients; the
//          numbering of the contacts does not matter but for rounding.
// Not here: where bodies touch (collide), how impulses travel through joints (dynamics), when (response).
//
// Each contact has three components, in its own frame: along the normal n_AB, and along two tangents. v is the velocity
// of B against A at the point, so v_n < 0 approaches; p is the impulse on B.     v+ = v- + G p
//
// What is where: waves.c the laws for several contacts; group.c impulses that grow together, with group_step.c and
// group_friction.c; single.c one contact: planar.c in closed form, slip.c in 3-D, newton.c the algebraic laws;
// plastic.c the end of all bouncing, soft.c for many contacts; turning.c couples. Theory: docs/impact.md.
#ifndef CAROM_SRC_IMPACT_H
#define CAROM_SRC_IMPACT_H

#include "carom/model.h"

typedef struct caromImpactContact {
    double restitution;     // e at its approach speed, 0..1
    double friction;        // mu while it slips
    double static_friction; // mu_s >= mu: sticking is possible while |p_t| <= mu_s p_n
    double stiffness;       // relative to the others, > 0: who gives way more in a group
    caromImpactLaw law;     // of a contact that is alone
    double delta;           // [m/s] below which the friction of Newton's law is regularised
} caromImpactContact;

// What one contact went through.
typedef struct caromImpactOutcome {
    double p[3];            // impulse on B: n, t1, t2 [N s]
    double compression;     // work of the normal impulse while the surfaces press on, <= 0 [J]
    double restitution;     // while they part, >= 0 [J]: e^2 of -compression for the energetic law
    double friction;        // work of the tangential impulse, <= 0 [J]
    caromSlipPath path;     // of the last impact of the contact in this instant
    double stop;            // part of the normal impulse at which the slip stopped; NaN: it did not
    bool stops_in_compression;
    int impacts;            // how often it was hit in this instant
} caromImpactOutcome;

typedef struct caromImpactProblem {
    int n;                               // contacts that touch, those at rest included
    const caromImpactContact *contacts;  // [n]
    const double *G;                     // [3n][3n], row by row, symmetric
    caromImpactScheme scheme;
    double exponent;                     // eta of the compliance in groups, 1 to 3
    double v_tol;                        // approach speeds below it count as rest [m/s]
    double tolerance;                    // relative, of the path integration; 1e-12 for rounding
} caromImpactProblem;

typedef struct caromImpactReport {
    caromImpactScheme scheme;  // by which it was made: `poisson` where `waves` would take too long
    int waves;              // rounds of `waves`; 1 for the others
    bool collapsed;         // ended by the plastic finish: ever smaller bounces between contacts
    int jammed;             // a contact that friction locked, whose stored work was lost; -1: none
} caromImpactReport;

typedef struct caromImpactWork caromImpactWork;  // scratch for up to n_max contacts
caromImpactWork *carom_impact_alloc(int n_max);  // NULL: out of memory
void carom_impact_free(caromImpactWork *work);

// v: [3n] before; after on return. outcomes: [n].
caromImpactReport carom_impact_solve(const caromImpactProblem *problem, double *v, caromImpactOutcome *outcomes,
                                     caromImpactWork *work);

// single.c: one contact alone by its own law. G: [3][3].
void carom_impact_single(const caromImpactContact *contact, const double G[9], double tolerance, double v[3],
                         caromImpactOutcome *outcome);

// compliant.c: one contact that gives way like a spring of the given stiffness [N/m] while the bodies stay
// where they are; a [3]: accelerations without it. What friction presses in comes back with e^2 of its work.
// Friction is regularised at contact->delta. v gets what the forces give, not what a does meanwhile; returns
// how long that takes [s].
double carom_impact_compliant(const caromImpactContact *contact, const double G[9], const double a[3], double stiffness,
                              double v[3], caromImpactOutcome *outcome);

// plastic.c: all restitutions 0: p of least energy with p in the cone of friction, v_n+ >= 0, p_n v_n+ = 0. Adds to p
// [3n], changes v. No energy is gained. False: not quite solved.
bool carom_impact_plastic(const caromImpactProblem *problem, double *v, double *p, caromImpactWork *work);

// turning.c: couples against rolling and spinning that go with the normal impulses of an impact.
typedef struct caromImpactTurn {
    double torsion, rolling;  // coefficients
    double p_n;               // normal impulse [N s]
    double bound;             // L p_n: couples are at most the coefficient times it [m N s]; 0: none
    double friction;          // > 0: the contact sticks, and friction holds it, up to this [N s]
    double p_t[2];            // of which this is taken already
} caromImpactTurn;
// before: velocities after the impact, none of which approaches, of each contact n, t1, t2 of its point and of its
// turning [6n]; A: how they answer to impulses and couples [6n][6n]. u: after the couples. x: impulses and couples that
// are added [6n].
void carom_impact_turning(int n, const caromImpactTurn *turns, const double *A, const double *before, double *u,
                          double *x);

#endif
