// single.h -- one contact on its way through one impact, as the files of single contacts share it.
//
// The normal impulse p_n grows and everything else follows it [Routh05]. All numbers are free of units: G is divided by
// G_nn, speeds by the largest before the impact, so that a contact of dust and one of ships go through the same
// arithmetic and nothing overflows.
#ifndef CAROM_SRC_IMPACT_SINGLE_H
#define CAROM_SRC_IMPACT_SINGLE_H

#include "impact/impact.h"

#define CAROM_FRICTION_MAX 1e12  // holds whatever there is to hold, and products with it stay finite

typedef struct caromPassage {
    // The contact, and how its point answers: G_nn = 1.
    double g[2];             // G_tn
    double A[3];             // G_tt: 11, 12, 22
    double mu, mu_s, e;
    bool poisson;            // impulses are counted, not works
    double tolerance;
    // On the way.
    double v[3], p[3];       // n, t1, t2
    // What the surfaces still give back. Energetic: root of twice the work, which does not underflow. Poisson: impulse.
    double budget;
    double compression, restitution, friction;  // works
    bool is_over;
} caromPassage;

// A straight stretch: what grows with p_n at constant rates.
typedef struct caromLine {
    double t[2];             // dp_t/dp_n
    double d[3];             // dv/dp_n
} caromLine;

static inline double carom_impact_dot2(const double a[2], const double b[2]) { return a[0]*b[0] + a[1]*b[1]; }

// planar.c
caromLine carom_impact_slip_line(const caromPassage *way, const double u[2]);  // slip along the unit vector u
caromLine carom_impact_rest_line(const caromPassage *way, bool *sticks);       // from v_t = 0: holds, or breaks away
// p_n until slip along u has stopped; may be infinite
double carom_impact_until_stop(const caromPassage *way, const caromLine *line, const double u[2]);
bool carom_impact_is_straight(const caromPassage *way, const double u[2]);     // slip along u will not turn
// Goes along the line until p_n has grown by reach or the impact is over. False: it never ends; what is stored is lost.
bool carom_impact_go(caromPassage *way, const caromLine *line, double reach);

// slip.c: follows a slip that turns until it is straight, is about to stop, or the impact is over.
void carom_impact_turn(caromPassage *way);

// newton.c: v+ = -e v-; v as it comes, with units. frictionless: whatever mu.
void carom_impact_newton(const caromImpactContact *contact, const double G[9], bool frictionless, const double v[3],
                         caromImpactOutcome *outcome);

#endif
