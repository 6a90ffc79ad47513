// Contacts that are hit together: what the files of their impact share.
//
//   group.c           in and out, phases, the loop over steps: start reading at carom_impact_block_group
//   group_step.c      rates of impulses, one step, the first event in it
//   group_friction.c  friction of contacts whose slip has stopped: which stick, which begin to slip
//
// The equations are on top of group.c.
#ifndef CAROM_SRC_IMPACT_GROUP_H
#define CAROM_SRC_IMPACT_GROUP_H

#include "impact/work.h"

#define GROUP_ROOT 1e-14       // an event is located to this, in units of speed
#define GROUP_AT_ROOT 1e-12    // counts as located with it
// Slip below it has stopped: a tangential impulse takes out the rest, which changes what follows by its
// square and loses energy.
#define GROUP_AT_REST 1e-6

typedef enum caromGroupPhase { GROUP_OPEN, GROUP_COMPRESSION, GROUP_RESTITUTION } caromGroupPhase;
typedef enum caromGroupFriction { GROUP_SMOOTH, GROUP_SLIDES, GROUP_STICKS } caromGroupFriction;

typedef struct caromMember {
    double kappa, e2, mu, mu_s;
    caromGroupPhase phase;
    caromGroupFriction friction_state;
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

typedef struct caromImpactGroup {
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
} caromImpactGroup;

// group_step.c
// out = add + G x, add NULL: 0.
void carom_impact_group_respond(const caromImpactGroup *g, const double *x, const double *add, double *out);
// w->rate of impulses at depths d [n] and speeds w->speed.
void carom_impact_group_rates(const caromImpactGroup *g, const double *d);
// y: impulses since the start of the step [3n], depths [n], work of friction [n].
void carom_impact_group_evaluate(const caromImpactGroup *g, const double *y, double *slope);
// From w->y, over H, to w->end; w->speed and w->rate are those at the end. Returns the error.
double carom_impact_group_step(const caromImpactGroup *g, double H);
// Waits at v_n = 0 for others to press it.
bool carom_impact_group_waits(const caromImpactGroup *g, int i);
// [n] v_n, [n] d, [n] friction: >= 0 while nothing happens. True when something does.
bool carom_impact_group_values(const caromImpactGroup *g, double *value);
// The first of the values that cross 0 in (0, H]; those at H are in w->event.value_b. Ends at a step whose end is the
// event, and returns its length.
double carom_impact_group_locate(const caromImpactGroup *g, double H, double *error);

// group.c
// Work of the normal force of a contact, which is stored or given back, from its depth at the start of a step to d.
double carom_impact_group_normal_work(const caromImpactGroup *g, int i, double d);

// group_friction.c
// Which contacts stick, and P of f = -P c for them.
void carom_impact_group_prepare_sticks(caromImpactGroup *g);
// Friction of contacts that stick, into w->rate.
void carom_impact_group_add_stick_rates(const caromImpactGroup *g);
bool carom_impact_group_may_stick(const caromImpactGroup *g, int i);
// Depths a moment later, so that contacts that begin have their part of the load.
void carom_impact_group_depths_soon(const caromImpactGroup *g, double *d);
// Directions of slips that have just begun; returns the longest step for them.
double carom_impact_group_choose_creeps(caromImpactGroup *g, double H);
// Sticks or slips, each contact whose slip has stopped.
void carom_impact_group_choose_friction(caromImpactGroup *g);
// Takes out what is left of the slip of contacts that stick; of all that are slow enough to stick.
void carom_impact_group_stop_residual_slip(caromImpactGroup *g);
void carom_impact_group_stop_slow_slip(caromImpactGroup *g);

#endif
