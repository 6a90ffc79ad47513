// unilateral -- contacts that stay: which of them press, slide, stick or open, and with what force.
//
// In:    contacts with g = 0 and v_n = 0, seen in contact space: accelerations b without their forces, how they answer
//        to forces, G = J M^-1 J^T, and the slip.
// Out:   modes, and forces.
// Promise: pure; nothing is allocated after carom_unilateral_alloc. Forces of redundant contacts are those of a rigid
//          body on springs of compliance D that do not pull: without friction the least in the norm of D. Unique, and
//          continuous in b. The numbering of the contacts does not matter but for rounding.
// Not here: time (time/), events (events/, response/), impacts (impact/).
//
// Components of a contact: n, t1, t2 as in impact/impact.h. a = b + G f + H f_n, f_n >= 0, a_n >= 0, f_n a_n = 0;
//   theory: docs/rigid.md
//
// What is where: choose.c modes at events, by complementarity, with newton.c and lemke.c that guess them; forces.c
// forces in given modes, with split.c and factor.c that solve for them, turn.c that turns friction of slips that begin,
// and squeeze.c that brings those of redundant contacts inside their cones; blocks.c who feels whom, and memory;
// landing.c the sum of infinitely many bounces. They share stay.h.
#ifndef CAROM_SRC_UNILATERAL_H
#define CAROM_SRC_UNILATERAL_H

#include "carom/model.h"

typedef enum caromMode { CAROM_MODE_FLIGHT, CAROM_MODE_SLIDING, CAROM_MODE_ROLLING } caromMode;

typedef struct caromStay {   // a contact, at an instant
    double friction, static_friction;
    double delta;            // [m/s] > 0: friction is mu v_t/max(|v_t|, delta), and no contact sticks; 0: sharp
    double compliance;       // D > 0, relative to the others
    double slip[2];          // v_t [m/s]
    double slip_small;       // [m/s] sharp: below it a contact may stick
    // sharp: of a slip that has just begun: unit, against the friction, nearly. 0, 0: none, it goes by its slip.
    // choose: in and out; below slip_small friction is against a_t, above, and always of forces, v_t + lag a_t (turn.c)
    double direction[2];
    double lag;              // [s] may be infinite; 0: above slip_small it goes by its slip
    caromMode mode;          // in: as it was. choose: out
} caromStay;

typedef struct caromStayProblem {
    int n;
    caromStay *contacts;     // [n]
    const double *G;         // [3n][3n] row by row
    const double *b;         // [3n]
    // [3n][n] Accelerations by what goes with a unit of the normal force of a contact beside friction at its point: a
    // couple that resists turning. Of contacts that are closed. NULL: nothing does.
    const double *H;
} caromStayProblem;

typedef enum caromStayAnswer {
    CAROM_STAY_OK,
    // No forces are consistent (Painleve), or none that are sound: an impact without collision has to lead
    // on. Modes stay, f = 0.
    CAROM_STAY_NONE,
    // More than one motion is consistent, and the modes that were are not, or are unsound; the least sound forces were
    // taken.
    CAROM_STAY_SEVERAL
} caromStayAnswer;

typedef struct caromStayWork caromStayWork;
caromStayWork *carom_unilateral_alloc(int n_max);  // NULL: out of memory
void carom_unilateral_free(caromStayWork *work);

// choose.c: modes of all contacts and their forces f [3n], accelerations a [3n]. *worst: the contact to name
// when the answer is not OK.
caromStayAnswer carom_unilateral_choose(caromStayProblem *problem, double *f, double *a, int *worst,
                                        caromStayWork *work);

// forces.c: forces f [3n] that keep a_n = 0 of the contacts that slide or roll, and a_t = 0 of those that roll (sharp);
// equalities only, whatever the sign of f_n. But redundant contacts do not pull, nor leave the cone of friction, as
// long as the others can do without: f_n = 0 exactly then. For the modes of choose f is the f of choose.
// drift: wanted accelerations instead of 0 [3n], NULL: 0. False: the contacts that slide have no finite force here (det
// W below 1e-6 of its frictionless value).
bool carom_unilateral_forces(const caromStayProblem *problem, const double *drift, double *f, caromStayWork *work);

// The same without drift, for corrections and not for motion: the least in the norm of D, whether they pull, and
// however much friction they take. Rounding is not to be squeezed into cones (30 times as long).
bool carom_unilateral_equalities(const caromStayProblem *problem, double *f, caromStayWork *work);

// How far the forces of a contact are from what ends its mode: >= 0 inside, and exactly 0 for long where a
// redundant contact leaves its load to others. Press: f_n. Reserve: mu_s f_n - |f_t| of a contact that rolls
// (sharp), infinite for others.
typedef struct caromStayMargin { double press, reserve; } caromStayMargin;
caromStayMargin carom_unilateral_margin(const caromStay *contact, const double f[3]);

// Is W of the sliding contacts near to losing its sign? det of the active W over that without friction: 1 without
// friction, 0 where forces blow up.
double carom_unilateral_soundness(const caromStayProblem *problem, caromStayWork *work);

// landing.c: bounces that die out at one contact, from the rebound speed v_n > 0 on, with a_n < 0 in flight,
// restitution e < 1 and A = n.G(n - mu s) > 0:
typedef struct caromLanding {
    double time;             // until rest, 2 v/(|a| (1 - e)) [s]
    double impulse;          // normal, still to come: v (1 + e)/((1 - e) A) [N s]
} caromLanding;
caromLanding carom_unilateral_landing(double v_n, double a_n, double e, double A);
// Bound of the error of the landing time t + L.time, from the estimates after this bounce and the one before:
// e^2/(1 - e^2) |difference|.
double carom_unilateral_landing_error(double e, double estimate, double previous);

#endif
