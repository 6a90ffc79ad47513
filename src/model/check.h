// Helpers of the checks: paths, and claims about single values.
#ifndef CAROM_SRC_MODEL_CHECK_H
#define CAROM_SRC_MODEL_CHECK_H

#include "model/builder.h"

typedef struct caromPath { char text[3*CAROM_NAME_MAX + 64]; } caromPath;

caromPath carom_model_path_of(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
void carom_model_check_error(caromProblems *problems, caromPath path, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
void carom_model_check_name(caromProblems *problems, caromPath path, const char *what, const char *name);
// A number in [low, high]; NaN and infinity are out of every range.
void carom_model_check_range(caromProblems *problems, caromPath path, const char *what, double value, double low,
                             double high);
void carom_model_check_positive(caromProblems *problems, caromPath path, const char *what, double value,
                                const char *unit);
void carom_model_check_not_negative(caromProblems *problems, caromPath path, const char *what, double value);
void carom_model_check_finite(caromProblems *problems, caromPath path, const char *what, caromVec3 v);
void carom_model_check_rotation(caromProblems *problems, caromPath path, caromQuat q);

// check_laws.c
// Of pair k: friction at rest, normal force.
void carom_builder_check_law(const caromBuilder *builder, int k, caromProblems *problems);
void carom_model_check_default_damping(caromProblems *problems, caromDamping damping);
// where: the friction comes from, " that contact gives", say
void carom_model_check_static_friction(caromProblems *problems, caromPath path, double still, double sliding,
                                       const char *where);

// check_restitution.c
void carom_model_check_restitution(const caromPairDef *pair, int k, caromProblems *problems);  // of pair k

// check_motions.c: prescribed motions that jump (the model is frozen)
void carom_model_check_motions(const caromModel *model, caromProblems *problems);

// check_light.c: what starts faster than light, or is accelerated to it at once (the model is frozen)
void carom_model_check_light(const caromModel *model, caromProblems *problems);

// check_rigid.c
void carom_model_check_impacts(caromProblems *problems, const caromSettings *settings);
void carom_model_check_impact_law(caromProblems *problems, int k, caromImpactLaw law);  // of pair k
void carom_model_check_rigid_meshes(const caromModel *model, caromProblems *problems);  // the model is frozen

#endif
