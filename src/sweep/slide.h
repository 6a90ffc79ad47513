// Boxes and triangles that slide past each other without turning: when do they touch?
#ifndef CAROM_SRC_SWEEP_SLIDE_H
#define CAROM_SRC_SWEEP_SLIDE_H

#include "sweep/hierarchy.h"

typedef struct caromBlock {
    bool is_triangle;
    caromVec3 c;           // box: centre
    caromVec3 edges[3];    // box: axes
    double half[3];
    caromVec3 corners[3];  // triangle
    caromVec3 normal;
} caromBlock;

bool carom_sweep_piece_is_block(const caromPiece *piece);
// X: from the frame of the whole into a common one.
caromBlock carom_sweep_block(const caromPiece *piece, const caromPose *X);

// The first time from 0 to end at which a and b, which moves with v, touch; infinite: they do not, or after that. axis:
// a direction that keeps them apart until then, towards b; zero if they touch at 0. slack: roundings of a length, by
// which they are taken to be larger.
double carom_sweep_slide(const caromBlock *a, const caromBlock *b, caromVec3 v, double end, double slack,
                         caromVec3 *axis);

#endif
