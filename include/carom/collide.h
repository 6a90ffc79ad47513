// collide.h -- where are the surfaces closest?
//
// In:    two shapes with their poses.
// Out:   signed distance, normal and witness points.
// Promise: pure function of its inputs; exact but for rounding; swapping A and B mirrors the answer to rounding.
// Not here: forces, when to look (integrate.h).
// Start reading at carom_collide_shapes in src/collide/pairs.c. Theory: docs/contact.md.
#ifndef CAROM_COLLIDE_H
#define CAROM_COLLIDE_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromGap {
    double g;            // > 0 separated: distance; < 0 overlapping: minus the shortest translation that separates [m]
    caromVec3 n_AB;      // unit, from A into B, in W
    caromVec3 p_A, p_B;  // witness points on the two surfaces, in W
} caromGap;

CAROM_API caromGap carom_collide_shapes(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB);

// Bodies that start deeper inside each other than a tenth of the smaller one's half thickness: an error for each such pair,
// with the path "bodies.NAME.position" of the later one.
CAROM_API void carom_collide_check_start(const caromModel *model, caromProblems *problems);

#ifdef __cplusplus
}
#endif

#endif
