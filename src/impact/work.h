// What the files for several contacts share: a block of contacts that feel each other, copied out of the problem, and
// scratch.
#ifndef CAROM_SRC_IMPACT_WORK_H
#define CAROM_SRC_IMPACT_WORK_H

#include "impact/impact.h"
#include "math/cone.h"

// Contacts of a problem that answer to each other's impulses.
typedef struct caromImpactBlock {
    int n;
    int *members;            // [n] in the problem
    double *G;               // [3n][3n]
    double *v;               // [3n] before
    double *p;               // [3n] impulses, out
} caromImpactBlock;

// Scratch of a complementarity problem with friction: G p + b = u.
typedef struct caromConeScratch {
    caromConeWork *work;
    double *G, *b, *p, *u;                             // [3n][3n], [3n]
    double *mu, *low, *compliance;                     // [n]
} caromConeScratch;

// What friction of contacts that stick answers: f = -P c.
typedef struct caromStickScratch {
    int *rows;                                         // [2n] of G: both tangents of each contact that sticks
    double *A, *P, *vectors;                           // [2n][2n]
    double *f, *c, *values;                            // [2n]; values: eigenvalues
} caromStickScratch;

// Event functions [3n] of a step.
typedef struct caromGroupEvents {
    double *value_a, *value_b, *value;                 // at the ends of the interval that holds the event; at a trial
    int *suspect;                                      // were negative
} caromGroupEvents;

// Scratch of contacts whose impulses grow together, in their units.
typedef struct caromGroupScratch {
    struct caromMember *member;                        // [n]
    double *G, *v, *start;                             // [3n][3n]; [3n]: v now, v at the start of the step
    double *rate, *speed;                              // [3n] of impulses; v in an evaluation
    double *y, *end, *first, *slope, *table, *z0, *z1; // [5n], table [5][5n]
    int *creep_rows;                                   // [n]
    caromStickScratch stick;
    caromGroupEvents event;
    double spent, budget;                              // multiplications so far, and how many there may be
} caromGroupScratch;

struct caromImpactWork {
    int n_max;
    double *memory;
    int *index;
    caromImpactBlock block;
    double *before, *total, *part;                     // [3n] of all contacts, and of a block
    int *label, *approaching, *stack;                  // [n]
    caromConeScratch cone;
    caromGroupScratch group;
};

// waves.c: what is true of every law.
// Change of kinetic energy by impulses p: p.v + p.G p/2, exact.
double carom_impact_energy(int n, const double *G, const double *v, const double *p);
// Of a normal impulse that grows in proportion to all others.
void carom_impact_straight_work(double p, double before, double after, caromImpactOutcome *outcome);

// plastic.c: impulses of a block. Each sets block->p from 0. False: not solved, but gains nothing.
bool carom_impact_block_plastic(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactWork *work);
void carom_impact_block_poisson(const caromImpactProblem *problem, caromImpactBlock *block,
                                caromImpactOutcome *outcomes, caromImpactWork *work);
void carom_impact_block_newton(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                               caromImpactWork *work);

// soft.c: complementarity with friction of many contacts, w->cone.b and mu, low NULL: 0. p: the answer; u in w->cone.u.
bool carom_impact_soft(const caromImpactBlock *block, const double *low, double *p, caromImpactWork *work);

// group.c: impulses that grow together. False: too many changes; what was stored is lost, and some contacts may still
// approach. *jammed: a contact that friction locked.
bool carom_impact_block_group(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                              int *jammed, caromImpactWork *work);

#endif
