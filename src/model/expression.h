// Expressions: text such as "0.1*sin(2*pi*time)" compiled to a flat program that is evaluated on jets, without
// allocation.
//
//     sum      = product { (+|-) product }
//     product  = signed { (*|/) signed }
//     signed   = { +|- } power
//     power    = operand [ ^ signed ]          -2^2 = -4,  2^3^2 = 2^9,  2^-1 = 0.5
//     operand  = number | variable | pi | function ( sum { , sum } ) | ( sum )
//
// Functions: sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log sqrt abs pow(x, y) min max
// (of two or more) step(x), which is 0 for x < 0 and 1 from there on. Values that are no numbers (log of -1) are
// NaN or infinite, as in C.
#ifndef CAROM_SRC_MODEL_EXPRESSION_H
#define CAROM_SRC_MODEL_EXPRESSION_H

#include "carom/base.h"
#include "math/jet.h"

enum {
    CAROM_EXPRESSION_BYTES_MAX = 4096,
    CAROM_EXPRESSION_OPERATIONS_MAX = 512,
    CAROM_EXPRESSION_NESTING_MAX = 64,
    CAROM_EXPRESSION_VARIABLES_MAX = 16
};

typedef struct caromExpression caromExpression;

// CAROM_ERR_INPUT: err's message starts with the column (1-based, in characters), says what was expected and what to
// try. The names of the variables are used during this call only.
caromStatus carom_expression_create(const char *text, const char *const *variables, int nvariable,
                                    caromExpression **expression, caromError *err);
// Can a variable have this name? A letter, then letters, digits and '_', and not what every expression has: pi and
// functions.
bool carom_expression_name_is_good(const char *name);
bool carom_expression_has_word(const char *name);
void carom_expression_destroy(caromExpression *expression);
// The variables' values and derivatives in the order of their names.
caromJet carom_expression_at(const caromExpression *expression, const caromJet *variables);
// Arguments of its operations that may jump where they pass 0 (step, abs, min, max, quotients, ...), in a fixed order;
// returns how many there are [CAROM_EXPRESSION_OPERATIONS_MAX].
int carom_expression_switches(const caromExpression *expression, const caromJet *variables, caromJet *arguments);

#endif
