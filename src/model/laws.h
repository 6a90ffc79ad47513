// laws.h -- what two materials do to each other, frozen.
#ifndef CAROM_SRC_MODEL_LAWS_H
#define CAROM_SRC_MODEL_LAWS_H

#include "model/builder.h"

// Compiles the expression of a pair of materials. CAROM_ERR_INPUT: err says where in it and what to try.
caromStatus carom_model_law_compile(const caromPairDef *def, caromExpression **expression, caromError *err);

bool carom_model_laws_alloc(const caromBuilder *builder, caromModel *model);  // the expressions; false: out of memory
void carom_model_laws_free(caromModel *model);

// Of two materials of the model; k: the builder's pair for them, -1: none was given.
caromPairLaw carom_model_law_freeze(const caromBuilder *builder, const caromModel *model, int material_a,
                                    int material_b, int k);

#endif
