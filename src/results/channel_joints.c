// Coordinates and speeds of joints. A joint that closes a loop holds by a constraint and has none; nor has one between
// bodies that are fixed.
#include <stdio.h>

#include "model/model.h"
#include "results/channels.h"

static bool has_columns(const caromModel *model, int joint)
{
    return model->joints[joint].link >= 0;
}

static void joint_columns(const caromJointInfo *joint, caromColumnVisitor visit, void *user)
{
    char name[CAROM_COLUMN_NAME_MAX];
    for (int i = 0; i < carom_model_joint_kind_nq(joint->kind); i++) {
        snprintf(name, sizeof name, "joints.%s.%s", joint->name, carom_model_joint_coordinate_name(joint->kind, i));
        visit(user, name, carom_model_joint_coordinate_unit(joint->kind, i));
    }
    for (int i = 0; i < carom_model_joint_kind_nv(joint->kind); i++) {
        snprintf(name, sizeof name, "joints.%s.%s", joint->name, carom_model_joint_speed_name(joint->kind, i));
        visit(user, name, carom_model_joint_speed_unit(joint->kind, i));
    }
}

static void columns(const caromModel *model, caromColumnVisitor visit, void *user)
{
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        if (has_columns(model, i)) joint_columns(&joint, visit, user);
    }
}

// Coordinates of a joint, then its speeds, then the next joint; a sample has all coordinates in a row, and all speeds.
static void numbers(const caromModel *model, const caromSample *sample, caromText *text)
{
    const double *q = sample->joint_q, *v = sample->joint_v;
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        if (!has_columns(model, i)) continue;
        int nq = carom_model_joint_kind_nq(model->joints[i].kind),
            nv = carom_model_joint_kind_nv(model->joints[i].kind);
        carom_results_put_numbers(text, q, nq);
        carom_results_put_numbers(text, v, nv);
        q += nq;
        v += nv;
    }
}

const caromResultsChannel carom_results_joints = { columns, numbers };
