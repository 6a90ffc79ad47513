// scratch.h -- a second stack, for what is too large for the first.
//
// In:    a scratch that a simulation made when it was created, lent to the thread that steps it.
// Out:   memory for the points of a contact surface and the like, taken and given back in reverse order.
// Promise: nothing is allocated after creation. Whoever gets none (nobody has lent one, or it is full) takes the
//          thread's own stack, and finds the same: CAROM_SCRATCH_OR_STACK.
#ifndef CAROM_SRC_SCRATCH_H
#define CAROM_SRC_SCRATCH_H

#include <stddef.h>

typedef struct caromSideStack caromSideStack;

caromSideStack *carom_scratch_create(size_t bytes);  // NULL: out of memory
void carom_scratch_destroy(caromSideStack *scratch);
// To this thread; the one that it had before, to be lent again afterwards. NULL: none.
caromSideStack *carom_scratch_lend(caromSideStack *scratch);
void *carom_scratch_take(size_t bytes);        // aligned for anything; NULL: none is lent, or it is full
void carom_scratch_give_back(void *memory);    // what was taken last

// void *taken; caromPatch *patch = CAROM_SCRATCH_OR_STACK(sizeof *patch, taken); ... carom_scratch_give_back(taken);
#define CAROM_SCRATCH_OR_STACK(bytes, taken) \
    (((taken) = carom_scratch_take(bytes)) != NULL ? (taken) : __builtin_alloca(bytes))

#endif
