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

// Instants at which one piece of a sine or a table ends and another begins; returns how many there are.
int carom_function_ends(const caromFunction *function, double times[2]);
// Arguments that may make an expression jump where they pass 0 (expression.h); 0 of other functions.
int carom_function_switches(const caromFunction *function, double time, caromJet *arguments);

// Where a function jumps (jumps.c).
typedef struct caromJump {
    double time;          // [s]
    double value, rate;   // by how much they jump there; NaN: the function is no number there
    bool moves;           // the value does, not only its rate
} caromJump;
// The first instant in 0 .. end at which a function or its rate jumps by more than a millionth of how far it gets;
// false: none was found.
bool carom_function_jump(const caromFunction *function, double end, caromJump *jump);

#endif
