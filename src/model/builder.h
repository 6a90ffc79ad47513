// What a builder has collected: deep copies of the definitions, in the order they came.
#ifndef CAROM_SRC_MODEL_BUILDER_H
#define CAROM_SRC_MODEL_BUILDER_H

#include "model/model.h"

typedef struct caromIgnoreDef { const char *name[2]; } caromIgnoreDef;

struct caromBuilder {
    caromSettings settings;
    caromMaterialDef *materials;
    caromPairDef *pairs;
    caromBodyDef *bodies;
    caromJointDef *joints;
    caromSpringDef *springs;
    caromForceDef *forces;
    caromIgnoreDef *ignored;
    int nmaterial, npair, nbody, njoint, nspring, nforce, nignored;
    int cap_material, cap_pair, cap_body, cap_joint, cap_spring, cap_force, cap_ignored;
    bool out_of_memory;
};

// Finds everything that is wrong with the definitions (check.c).
void carom_builder_check(const caromBuilder *builder, caromProblems *problems);

// The material of that name: the builder's own first, then the palette; NULL: unknown.
const caromMaterialDef *carom_builder_find_material(const caromBuilder *builder, const char *name);

// Checks of joints, springs and forces (check_joints.c).
void carom_builder_check_joints(const caromBuilder *builder, caromProblems *problems);

// Checks of groups and of ignored pairs (check_groups.c).
void carom_builder_check_groups(const caromBuilder *builder, caromProblems *problems);

// Shapes may touch whose materials nothing is known of (check_pairs.c). The model is frozen.
void carom_builder_check_pairs(const caromBuilder *builder, const caromModel *model, caromProblems *problems);

// Is a shape of a body one of those that a name in an ignored pair stands for: "all", a body, a group, "BODY.SHAPE"?
bool carom_model_name_stands_for(const char *name, const caromBodyDef *body, const caromShapeDef *shape);

// Index of a body by name: -1 for the world, -2 if there is none.
int carom_builder_find_body(const caromBuilder *builder, const char *name);

// Joints into a tree of links and loops (tree.c). Bodies, with their mass properties, are already frozen. False: out of
// memory or a function that does not compile (problems has it).
bool carom_builder_freeze_tree(const caromBuilder *builder, caromModel *model, char **names, caromProblems *problems);
void carom_model_free_tree(caromModel *model);

// Who may touch whom, and with which coefficients (pairs.c). Bodies, shapes and joints are already frozen. False: out
// of memory.
bool carom_builder_freeze_pairs(const caromBuilder *builder, caromModel *model, char **names, caromProblems *problems);

// Points of the shapes that press by them (samples.c). Pairs are already frozen.
void carom_model_sample(caromModel *model, caromProblems *problems);

// Keeps a copy of a name in the model's block of names.
const char *carom_model_keep_name(char **end, const char *name);

// Of one body, in B: as given, or from its shapes. Assumes that the definition was checked.
caromMassProps carom_builder_mass(const caromBuilder *builder, const caromBodyDef *body);

// The name of a shape's material: its own or its body's; NULL: none.
static inline const char *carom_model_shape_material(const caromBodyDef *body, const caromShapeDef *shape)
{
    return shape->material ? shape->material : body->material;
}

#endif
