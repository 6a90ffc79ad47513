// restitution.h -- restitution over approach speed, compiled.
#ifndef CAROM_SRC_MODEL_RESTITUTION_H
#define CAROM_SRC_MODEL_RESTITUTION_H

#include "model/model.h"

bool carom_model_pair_has_restitution_law(const caromPairDef *def);

// CAROM_ERR_INPUT: err says where in the expression and what to try. Points must ascend: they are not checked here.
caromStatus carom_model_restitution_create(const caromPairDef *def, caromRestitution *restitution, caromError *err);
void carom_model_restitution_free(caromRestitution *restitution);
// As it is given, in range or not.
double carom_model_restitution_raw(const caromRestitution *restitution, double speed);

#endif
