// Reading a frozen model.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

const caromSettings *carom_model_settings(const caromModel *model)
{
    return &model->settings;
}

int carom_model_body_count(const caromModel *model)
{
    return model->nbody;
}

const char *carom_model_body_name(const caromModel *model, caromBodyId body)
{
    return model->bodies[body.i].name;
}

bool carom_model_body_is_fixed(const caromModel *model, caromBodyId body)
{
    return model->bodies[body.i].fixed;
}

caromMassProps carom_model_body_mass(const caromModel *model, caromBodyId body)
{
    return model->bodies[body.i].props;
}

int carom_model_body_group_count(const caromModel *model, caromBodyId body)
{
    return model->bodies[body.i].ngroup;
}

const char *carom_model_body_group(const caromModel *model, caromBodyId body, int group)
{
    return model->exclusions.groups[model->bodies[body.i].first_group + group];
}

int carom_model_material_count(const caromModel *model)
{
    return model->nmaterial;
}

caromMaterialDef carom_model_material(const caromModel *model, int material)
{
    return model->materials[material];
}

int carom_model_shape_count(const caromModel *model)
{
    return model->nshape;
}

caromShapeInfo carom_model_shape(const caromModel *model, int shape)
{
    const caromModelShape *s = &model->shapes[shape];
    return (caromShapeInfo){ { s->body }, s->name, s->shape, s->X_BS, s->material, s->touches, s->weighs,
                             s->stands_for };
}

int carom_model_joint_count(const caromModel *model)
{
    return model->njoint;
}

caromJointInfo carom_model_joint(const caromModel *model, int joint)
{
    const caromModelJoint *j = &model->joints[joint];
    int nq = carom_model_joint_kind_nq(j->kind), nv = carom_model_joint_kind_nv(j->kind);
    int quaternion = carom_model_joint_quaternion(nq, nv);
    caromJointInfo info = { .name = j->name,
                            .kind = j->kind,
                            .body = { j->body[0], j->body[1] },
                            .X_AF = j->X_AF,
                            .X_BM = j->X_BM,
                            .pitch = j->pitch,
                            .closes_loop = j->closes_loop,
                            .carries = j->link >= 0 ? model->links[j->link].body : -1,
                            .is_driven = j->is_driven,
                            .touch = j->touch };
    for (int i = 0; i < nq; i++) {
        int speed = quaternion >= 0 && i >= quaternion ? quaternion : i;
        info.position[i] = j->is_given.position[speed] ? j->position[i] : (double)NAN;
    }
    return info;
}

int carom_model_spring_count(const caromModel *model)
{
    return model->nspring;
}

caromSpringInfo carom_model_spring(const caromModel *model, int spring)
{
    const caromModelSpring *s = &model->springs[spring];
    return (caromSpringInfo){ s->name, { s->body[0], s->body[1] }, { s->p[0], s->p[1] }, s->stiffness, s->damping,
                              s->rest };
}

int carom_model_force_count(const caromModel *model)
{
    return model->nforce;
}

int carom_model_pair_count(const caromModel *model)
{
    return model->npair;
}

caromPairInfo carom_model_pair(const caromModel *model, int pair)
{
    const caromModelPair *p = &model->pairs[pair];
    const caromPairLaw *l = carom_model_law_of(model, pair);
    caromPairInfo info = { .shape = { p->shape[0], p->shape[1] },
                           .restitution = l->restitution,
                           .restitution_law = l->restitution_law ? l->restitution_law->text : NULL,
                           .impact_law = l->impact,
                           .friction = l->friction,
                           .static_friction = l->static_friction,
                           .rolling = l->rolling,
                           .torsion = l->torsion,
                           .E_star = l->E_star,
                           .stiffness = l->stiffness,
                           .exponent = l->exponent,
                           .damping = l->damping,
                           .damping_coefficient = l->damping_coefficient,
                           .damping_depth = l->damping_depth,
                           .has_law = carom_model_law_is_own(l),
                           .law = l->text,
                           .shell = p->shell };
    for (int i = 0; i < CAROM_COEFFICIENTS; i++) info.origin[i] = l->origin[i];
    return info;
}

double carom_model_pair_restitution(const caromModel *model, int pair, double speed)
{
    return carom_model_law_restitution(carom_model_law_of(model, pair), speed);
}

caromLeftOut carom_model_left_out(const caromModel *model)
{
    return model->exclusions.left_out;
}

int carom_model_ignored_count(const caromModel *model)
{
    return model->exclusions.nignored;
}

caromIgnoredInfo carom_model_ignored(const caromModel *model, int ignored)
{
    return model->exclusions.ignored[ignored];
}

// "ball" for the only shape of a body that touches, "ball.head" otherwise.
static void shape_name(const caromModel *model, int shape, char *text, size_t n)
{
    const caromModelShape *s = &model->shapes[shape];
    const caromBody *body = &model->bodies[s->body];
    int ntouching = 0;
    for (int i = body->first_shape; i < body->first_shape + body->nshape; i++) ntouching += model->shapes[i].touches;
    if (ntouching == 1) snprintf(text, n, "%s", body->name);
    else snprintf(text, n, "%s.%s", body->name, s->name);
}

void carom_model_pair_name(const caromModel *model, int pair, char *text, size_t n)
{
    char a[2*CAROM_NAME_MAX + 2], b[2*CAROM_NAME_MAX + 2];
    shape_name(model, model->pairs[pair].shape[0], a, sizeof a);
    shape_name(model, model->pairs[pair].shape[1], b, sizeof b);
    snprintf(text, n, "%s - %s", a, b);
}

void carom_model_constraint_name(const caromModel *m, caromConstraint c, char *text, size_t n)
{
    if (c.kind == CAROM_CONSTRAINT_PAIR) carom_model_pair_name(m, c.index, text, n);
    else snprintf(text, n, "joint %s", m->joints[m->links[m->limits[c.index].link].joint].name);
}
