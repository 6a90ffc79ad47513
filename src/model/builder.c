// Collecting definitions: deep copies into growing arrays. Nothing is judged here.
#include "model/builder.h"

#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"

caromBuilder *carom_builder_create(void)
{
    caromBuilder *builder = calloc(1, sizeof *builder);
    if (builder) builder->settings = carom_model_settings_def();
    return builder;
}

static void free_body(caromBodyDef *body)
{
    for (int i = 0; i < body->nshape; i++) {
        free((char *)body->shapes[i].name);
        free((char *)body->shapes[i].stands_for);
        free((char *)body->shapes[i].material);
        carom_shape_free((caromShape *)&body->shapes[i].shape);
    }
    free((void *)body->shapes);
    for (int i = 0; i < body->ngroup; i++) free((char *)body->groups[i]);
    free((void *)body->groups);
    free((char *)body->name);
    free((char *)body->material);
}

static void free_function(caromFunctionDef *f)
{
    free((void *)f->times);
    free((void *)f->values);
    free((char *)f->expression);
}

static void free_joint(caromJointDef *joint)
{
    free((char *)joint->name);
    for (int i = 0; i < 2; i++) free((char *)joint->body[i]);
    free_function(&joint->drive_function);
}

static void free_spring(caromSpringDef *spring)
{
    free((char *)spring->name);
    for (int i = 0; i < 2; i++) free((char *)spring->body[i]);
}

static void free_force(caromForceDef *force)
{
    free((char *)force->name);
    free((char *)force->body);
    for (int i = 0; i < 3; i++) {
        free_function(&force->force[i]);
        free_function(&force->torque[i]);
    }
}

static void free_pair(caromPairDef *pair)
{
    for (int i = 0; i < 2; i++) free((char *)pair->material[i]);
    for (int i = 0; i < pair->nparameter; i++) free((char *)pair->parameters[i].name);
    free((caromParameter *)pair->parameters);
    free((char *)pair->law);
    free((char *)pair->restitution_law);
    free((double *)pair->restitution_speeds);
    free((double *)pair->restitution_values);
}

void carom_builder_destroy(caromBuilder *builder)
{
    if (!builder) return;
    free((char *)builder->settings.name);
    for (int i = 0; i < builder->nmaterial; i++) free((char *)builder->materials[i].name);
    for (int i = 0; i < builder->npair; i++) free_pair(&builder->pairs[i]);
    for (int i = 0; i < builder->nignored; i++) {
        free((char *)builder->ignored[i].name[0]);
        free((char *)builder->ignored[i].name[1]);
    }
    for (int i = 0; i < builder->nbody; i++) free_body(&builder->bodies[i]);
    for (int i = 0; i < builder->njoint; i++) free_joint(&builder->joints[i]);
    for (int i = 0; i < builder->nspring; i++) free_spring(&builder->springs[i]);
    for (int i = 0; i < builder->nforce; i++) free_force(&builder->forces[i]);
    free(builder->materials);
    free(builder->pairs);
    free(builder->bodies);
    free(builder->joints);
    free(builder->springs);
    free(builder->forces);
    free(builder->ignored);
    free(builder);
}

// Room for one more item; NULL (and remembered) when there is none.
static void *room_for_one(caromBuilder *builder, void **items, int count, int *capacity, size_t size)
{
    if (count == *capacity) {
        int larger = *capacity ? 2**capacity : 8;
        void *moved = realloc(*items, (size_t)larger*size);
        if (!moved) {
            builder->out_of_memory = true;
            return NULL;
        }
        *items = moved;
        *capacity = larger;
    }
    return (char *)*items + (size_t)count*size;
}

static const char *copy_text(caromBuilder *builder, const char *text)
{
    if (!text) return NULL;
    char *copy = carom_strdup(text);
    if (!copy) builder->out_of_memory = true;
    return copy;
}

void carom_builder_settings(caromBuilder *builder, const caromSettings *settings)
{
    const char *before = builder->settings.name;
    builder->settings = *settings;
    builder->settings.name = copy_text(builder, settings->name);
    free((char *)before);
}

void carom_builder_material(caromBuilder *builder, const caromMaterialDef *def)
{
    caromMaterialDef *item = room_for_one(builder, (void **)&builder->materials, builder->nmaterial,
                                          &builder->cap_material, sizeof *item);
    if (!item) return;
    *item = *def;
    item->name = copy_text(builder, def->name);
    builder->nmaterial++;
}

static const double *copy_numbers(caromBuilder *builder, const double *numbers, int n)
{
    if (!numbers || n <= 0) return NULL;
    double *copy = carom_alloc_array((size_t)n, sizeof *copy);
    if (copy) memcpy(copy, numbers, (size_t)n*sizeof *copy);
    else builder->out_of_memory = true;
    return copy;
}

static caromParameter *copy_parameters(caromBuilder *builder, const caromParameter *parameters, int n)
{
    caromParameter *copy = n > 0 ? carom_alloc_array((size_t)n, sizeof *copy) : NULL;
    if (n > 0 && !copy) builder->out_of_memory = true;
    for (int i = 0; copy && i < n; i++)
        copy[i] = (caromParameter){ copy_text(builder, parameters[i].name), parameters[i].value };
    return copy;
}

void carom_builder_pair(caromBuilder *builder, const caromPairDef *def)
{
    caromPairDef *item = room_for_one(builder, (void **)&builder->pairs, builder->npair, &builder->cap_pair,
                                      sizeof *item);
    if (!item) return;
    *item = *def;
    for (int i = 0; i < 2; i++) item->material[i] = copy_text(builder, def->material[i]);
    item->law = def->law ? copy_text(builder, def->law) : NULL;
    item->parameters = copy_parameters(builder, def->parameters, def->nparameter);
    if (!item->parameters) item->nparameter = 0;
    item->restitution_law = copy_text(builder, def->restitution_law);
    item->restitution_speeds = copy_numbers(builder, def->restitution_speeds, def->nrestitution);
    item->restitution_values = copy_numbers(builder, def->restitution_values, def->nrestitution);
    if (!item->restitution_speeds || !item->restitution_values) item->nrestitution = 0;
    builder->npair++;
}

void carom_builder_ignore(caromBuilder *builder, const char *a, const char *b)
{
    caromIgnoreDef *item = room_for_one(builder, (void **)&builder->ignored, builder->nignored, &builder->cap_ignored,
                                        sizeof *item);
    if (!item) return;
    *item = (caromIgnoreDef){ { copy_text(builder, a), copy_text(builder, b) } };
    builder->nignored++;
}

// The builder's own hull, so that the caller's may go.
static caromShape copy_shape(caromBuilder *builder, caromShape shape)
{
    if (!carom_shape_copy(&shape)) builder->out_of_memory = true;
    return shape;
}

static caromShapeDef *copy_shapes(caromBuilder *builder, const caromBodyDef *def)
{
    caromShapeDef *shapes = carom_alloc_array((size_t)def->nshape, sizeof *shapes);
    if (!shapes) {
        builder->out_of_memory = true;
        return NULL;
    }
    for (int i = 0; i < def->nshape; i++) {
        shapes[i] = def->shapes[i];
        shapes[i].stands_for = copy_text(builder, def->shapes[i].stands_for);
        shapes[i].name = copy_text(builder, def->shapes[i].name);
        shapes[i].material = copy_text(builder, def->shapes[i].material);
        shapes[i].shape = copy_shape(builder, def->shapes[i].shape);
    }
    return shapes;
}

static const char *const *copy_groups(caromBuilder *builder, const caromBodyDef *def)
{
    const char **groups = carom_alloc_array((size_t)def->ngroup, sizeof *groups);
    if (!groups) builder->out_of_memory = true;
    for (int i = 0; groups && i < def->ngroup; i++) groups[i] = copy_text(builder, def->groups[i]);
    return groups;
}

void carom_builder_body(caromBuilder *builder, const caromBodyDef *def)
{
    caromBodyDef *item = room_for_one(builder, (void **)&builder->bodies, builder->nbody, &builder->cap_body,
                                      sizeof *item);
    if (!item) return;
    caromShapeDef *shapes = copy_shapes(builder, def);
    if (!shapes) return;
    *item = *def;
    item->shapes = shapes;
    item->groups = copy_groups(builder, def);
    if (!item->groups) item->ngroup = 0;
    item->name = copy_text(builder, def->name);
    item->material = copy_text(builder, def->material);
    builder->nbody++;
}

static caromFunctionDef copy_function(caromBuilder *builder, const caromFunctionDef *def)
{
    caromFunctionDef copy = *def;
    copy.times = copy_numbers(builder, def->times, def->npoint);
    copy.values = copy_numbers(builder, def->values, def->npoint);
    copy.expression = copy_text(builder, def->expression);
    return copy;
}

void carom_builder_joint(caromBuilder *builder, const caromJointDef *def)
{
    caromJointDef *item = room_for_one(builder, (void **)&builder->joints, builder->njoint, &builder->cap_joint,
                                       sizeof *item);
    if (!item) return;
    *item = *def;
    item->name = copy_text(builder, def->name);
    for (int i = 0; i < 2; i++) item->body[i] = copy_text(builder, def->body[i]);
    item->drive_function = copy_function(builder, &def->drive_function);
    builder->njoint++;
}

void carom_builder_spring(caromBuilder *builder, const caromSpringDef *def)
{
    caromSpringDef *item = room_for_one(builder, (void **)&builder->springs, builder->nspring, &builder->cap_spring,
                                        sizeof *item);
    if (!item) return;
    *item = *def;
    item->name = copy_text(builder, def->name);
    for (int i = 0; i < 2; i++) item->body[i] = copy_text(builder, def->body[i]);
    builder->nspring++;
}

void carom_builder_force(caromBuilder *builder, const caromForceDef *def)
{
    caromForceDef *item = room_for_one(builder, (void **)&builder->forces, builder->nforce, &builder->cap_force,
                                       sizeof *item);
    if (!item) return;
    *item = *def;
    item->name = copy_text(builder, def->name);
    item->body = copy_text(builder, def->body);
    for (int i = 0; i < 3; i++) {
        item->force[i] = copy_function(builder, &def->force[i]);
        item->torque[i] = copy_function(builder, &def->torque[i]);
    }
    builder->nforce++;
}

const caromMaterialDef *carom_builder_find_material(const caromBuilder *builder, const char *name)
{
    for (int i = 0; i < builder->nmaterial; i++) {
        if (builder->materials[i].name && strcmp(builder->materials[i].name, name) == 0) return &builder->materials[i];
    }
    for (int i = 0; carom_model_material_palette(i); i++) {
        if (strcmp(carom_model_material_palette(i)->name, name) == 0) return carom_model_material_palette(i);
    }
    return NULL;
}
