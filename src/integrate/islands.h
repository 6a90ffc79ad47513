// islands.h -- bodies that do not touch each other are integrated apart, each island with its own steps.
//
// In:    a model of free bodies and fixed ones, a simulation of it at its start.
// Out:   the same samples and events, in order of time.
// Promise: as of a simulation of all together: no touch is stepped over, neither inside an island nor between two of them; same input, same bits.
//
// An island is what hangs together by contacts; fixed bodies are part of every island and tie nothing. Each has a simulation of its own (sim.h), of the part of the model that it
// is, and one step ahead that nothing depends on yet. The island whose step ends first is next: what happens in its step is carried out, it makes its next step, and the search for
// touches between its bodies and those of others goes over the time that both steps cover. A touch ends both steps there, and joins the islands when it is their turn. So nobody is
// ever taken back farther than the start of the last step, events come in order of time, and the time up to which the first step goes is known for all: what samples need.
#ifndef CAROM_SRC_INTEGRATE_ISLANDS_H
#define CAROM_SRC_INTEGRATE_ISLANDS_H

#include "integrate/sim.h"

typedef struct caromIslandModel {  // island_model.c: a part of a model that is a model itself; what it points to belongs to the whole
    caromModel model;
    int *link;                     // of the whole, of each link               [nlink]
    int *body;                     // likewise                                 [nbody]
    int *shape;                    //                                          [nshape]
    int *pair;                     //                                          [npair]
} caromIslandModel;

typedef struct caromPlan {         // the whole, for making parts of it
    const caromModel *whole;
    int *row;                      // first pair of each shape                 [nshape + 1]
    int *local_body, *local_shape; // scratch: number in the part; -1: not in it
} caromPlan;

bool carom_plan_alloc(const caromModel *whole, caromPlan *plan);
void carom_plan_free(caromPlan *plan);
int carom_plan_pair(const caromPlan *plan, int shape_a, int shape_b);  // of two shapes of the whole; -1: none
// The links of which owner is `id`, and everything fixed that has shapes. NULL: out of memory.
caromIslandModel *carom_island_model_create(caromPlan *plan, const int *owner, int id);
void carom_island_model_destroy(caromIslandModel *part);

typedef struct caromCrossSide {    // one of two bodies that are in different islands
    const caromSim *sim;
    int link;                      // of its island
    int whole_link;
    double h;                      // of the step ahead
} caromCrossSide;

typedef struct caromCross {        // cross.c: search for touches between islands
    const caromModel *whole;
    caromKin kin[CAROM_SLOTS];     // only the two bodies are up to date
    caromMotionBound *bounds;      // likewise                                 [nbody of the whole]
    caromCrossSide side[2];
    caromSearch search;
    caromGuard guard;
} caromCross;

bool carom_cross_alloc(const caromModel *whole, caromCross *cross);
void carom_cross_free(caromCross *cross);
// The first touch of a pair of the whole within [t0, t1], which both steps cover: *time, infinite if there is none. Sides as shapes of the pair; motion bounds are those of their guards.
caromStatus carom_cross_touch(caromCross *cross, const caromCrossSide side[2], int pair, double t0, double t1, double *time);

#endif
