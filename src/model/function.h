// Functions of time, compiled: value and two derivatives, without allocation.
#ifndef CAROM_SRC_MODEL_FUNCTION_H
#define CAROM_SRC_MODEL_FUNCTION_H

#include "carom/model.h"
#include "math/jet.h"

typedef struct caromFunction caromFunction;

// Compiles a definition. On failure (CAROM_ERR_INPUT) err says what is wrong, for an expression with the position in it
// and what to try; CAROM_ERR_MEMORY when out of memory.
caromStatus carom_function_create(const caromFunctionDef *def, caromFunction **function, caromError *err);
void carom_function_destroy(caromFunction *function);
// The longest time over which a few looks at it tell what it does [s]: a quarter of the period of a sine; infinite for
// others.
double carom_function_pace(const caromFunction *function);
caromJet carom_function_at(const caromFunction *function, double time);

#endif
