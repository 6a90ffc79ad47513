// What a builder has collected: deep copies of the definitions, in the order they came.
#ifndef CAROM_SRC_MODEL_BUILDER_H
#define CAROM_SRC_MODEL_BUILDER_H

#include "model/model.h"

struct caromBuilder {
    caromSettings settings;
    caromMaterialDef *materials;
    caromPairDef *pairs;
    caromBodyDef *bodies;
    caromJointDef *joints;
    caromSpringDef *springs;
    caromForceDef *forces;
    int nmaterial, npair, nbody, njoint, nspring, nforce;
    int cap_material, cap_pair, cap_body, cap_joint, cap_spring, cap_force;
    bool out_of_memory;
};

// Finds everything that is wrong with the definitions (check.c).
void carom_builder_check(const caromBuilder *builder, caromProblems *problems);

// The material of that name: the builder's own first, then the palette; NULL: unknown.
const caromMaterialDef *carom_builder_find_material(const caromBuilder *builder, const char *name);

// Of one body, in B: as given, or from its shapes. Assumes that the definition was checked.
caromMassProps carom_builder_mass(const caromBuilder *builder, const caromBodyDef *body);

// The name of a shape's material: its own or its body's; NULL: none.
static inline const char *carom_shape_material(const caromBodyDef *body, const caromShapeDef *shape)
{
    return shape->material ? shape->material : body->material;
}

#endif
