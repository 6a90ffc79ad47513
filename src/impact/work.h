// What the files for several contacts share: a block of contacts that feel each other, copied out of the problem, and
// scratch.
#ifndef CAROM_SRC_IMPACT_WORK_H
#define CAROM_SRC_IMPACT_WORK_H

#include <stddef.h>

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

struct caromImpactWork {
    int n_max;
    double *memory;
    int *index;
    caromConeWork *cone;
    caromImpactBlock block;
    // [3n] waves.c
    double *before, *total, *part;
    int *label, *approaching;                          // [n]
    // [3n][3n], [3n], [n] plastic.c
    double *cone_G, *cone_b, *cone_p, *cone_u;
    double *mu, *low, *compliance;
    // group.c
    struct caromMember *member;                        // [n]
    // [3n][3n], [3n], [3n]: scaled; v now, v at the start of the step
    double *group_G, *group_v, *group_start;
    double *rate, *speed;                              // [3n] of impulses; v in an evaluation
    double *y, *end, *first, *slope, *table, *z0, *z1; // [5n], table [5][5n]
    double *stick, *stick_vectors, *stick_f, *stick_c, *stick_values;  // [2n][2n] twice, [2n]
    int *stick_rows, *creep_rows;                      // [2n], [n]
    double *value_a, *value_b, *value;                 // [3n] event functions
    int *suspect;                                      // [3n] were negative
};

// waves.c: what is true of every law.
// Change of kinetic energy by impulses p: p.v + p.G p/2, exact.
double carom_impact_energy(int n, const double *G, const double *v, const double *p);
// Of a normal impulse that grows in proportion to all others.
void carom_impact_straight_work(double p, double before, double after, caromImpactOutcome *outcome);

// plastic.c: impulses of a block. Each sets block->p from 0.
void carom_impact_block_plastic(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactWork *work);
void carom_impact_block_poisson(const caromImpactProblem *problem, caromImpactBlock *block,
                                caromImpactOutcome *outcomes, caromImpactWork *work);
void carom_impact_block_newton(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                               caromImpactWork *work);

// group.c: impulses that grow together. False: too many changes; what was stored is lost, and some contacts may still
// approach. *jammed: a contact that friction locked.
bool carom_impact_block_group(const caromImpactProblem *problem, caromImpactBlock *block, caromImpactOutcome *outcomes,
                              int *jammed, caromImpactWork *work);
size_t carom_impact_member_size(void);

#endif
