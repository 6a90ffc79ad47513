// Which shapes may touch each other: a square of bits with a row for each shape.
#ifndef CAROM_SRC_MODEL_TOUCH_H
#define CAROM_SRC_MODEL_TOUCH_H

#include "model/builder.h"

typedef struct caromSquare {
    int n, nword;    // shapes, and the words of a row
    uint64_t *bits;  // bit b of row a: may shapes a and b touch? Symmetric. [n*nword]
} caromSquare;

// From the frozen bodies, shapes and joints and the ignored pairs of the builder, which it freezes too, with
// what is left out. Warns of ignored pairs without effect. False: out of memory. Give it back with
// free(square->bits) in any case.
bool carom_model_square_find(const caromBuilder *builder, caromModel *model, char **names, caromProblems *problems,
                             caromSquare *square);

int carom_model_square_count(const caromSquare *square);              // of pairs
// The first from `from` on that may touch the shape; n: none.
int carom_model_square_next(const caromSquare *square, int shape, int from);

#endif
