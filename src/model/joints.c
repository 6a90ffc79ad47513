// The table of joints: names, coordinates and units.
#include <stdio.h>

#include "model/joint.h"

#define POINT_TO(kind, row) [kind] = &row,
static const caromJointRow *const rows[CAROM_JOINT_KINDS] = { CAROM_JOINTS(POINT_TO) };

const caromJointRow *carom_model_joint_row(caromJointKind kind)
{
    return rows[kind];
}

const char *carom_model_joint_kind_name(caromJointKind kind)
{
    return (unsigned)kind < CAROM_JOINT_KINDS ? rows[kind]->name : "unknown";
}

int carom_model_joint_kind_nq(caromJointKind kind)
{
    return rows[kind]->nq;
}

int carom_model_joint_kind_nv(caromJointKind kind)
{
    return rows[kind]->nv;
}

const char *carom_model_joint_coordinate_name(caromJointKind kind, int i)
{
    return rows[kind]->q[i].name;
}

const char *carom_model_joint_coordinate_unit(caromJointKind kind, int i)
{
    return rows[kind]->q[i].unit;
}

const char *carom_model_joint_speed_name(caromJointKind kind, int i)
{
    return rows[kind]->v[i].name;
}

const char *carom_model_joint_speed_unit(caromJointKind kind, int i)
{
    return rows[kind]->v[i].unit;
}

static void list_kinds(bool (*has)(const caromJointRow *row), char *text, size_t n)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < CAROM_JOINT_KINDS; k++)
        if (has(rows[k]) && used < n)
            used += (size_t)snprintf(text + used, n - used, "%s%s", used ? ", " : "", rows[k]->name);
}

static bool is_axial(const caromJointRow *row)
{
    return row->is_axial;
}

static bool has_pitch(const caromJointRow *row)
{
    return row->has_pitch;
}

void carom_model_list_driven_joints(char *text, size_t n)
{
    list_kinds(is_axial, text, n);
}

void carom_model_list_pitched_joints(char *text, size_t n)
{
    list_kinds(has_pitch, text, n);
}
