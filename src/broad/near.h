// near.h -- which pairs of a model may be close?
//
// In:    poses of the shapes, how far each may get from there.
// Out:   the pairs that may meet, and others; nothing that may is left out.
#ifndef CAROM_SRC_BROAD_NEAR_H
#define CAROM_SRC_BROAD_NEAR_H

#include "carom/broad.h"
#include "patch/patch.h"

typedef void (*caromPairVisitor)(void *user, int pair);

typedef struct caromNearby {  // broad NULL: few pairs, look at all of them
    caromBroad *broad;
    caromBox *boxes;          // that shapes stay in                      [nshape]
    int *row;                 // first pair of each shape                 [nshape + 1]
    int *unbounded;           // pairs with a half-space                  [nunbounded]
    int nunbounded;
} caromNearby;

bool carom_broad_nearby_alloc(const caromModel *model, caromNearby *nearby);
void carom_broad_nearby_free(caromNearby *nearby);
// Calls visit, in their order, for all pairs that may meet while the centres of shapes get no farther than stray from
// where they are [nshape], and for others.
caromStatus carom_broad_nearby_find(const caromModel *model, caromNearby *nearby, const caromKin *kin,
                                    const double *stray, caromPairVisitor visit, void *user);

// A lower bound of the gap that costs next to nothing: bounding spheres, or height above a plane.
double carom_broad_rough_gap(const caromModel *model, const caromKin *kin, int pair);

#endif
