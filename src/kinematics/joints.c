// The table of joints.
#include "kinematics/kinematics.h"

// Revolute, prismatic, screw and fixed: kinematics.c moves along one axis without a call.
const caromJointRow carom_joint_axial = { NULL, -1, -1 };

static const caromJointRow *const rows[CAROM_JOINT_KINDS] = {
    [CAROM_JOINT_FIXED] = &carom_joint_axial,
    [CAROM_JOINT_REVOLUTE] = &carom_joint_axial,
    [CAROM_JOINT_PRISMATIC] = &carom_joint_axial,
    [CAROM_JOINT_SCREW] = &carom_joint_axial,
    [CAROM_JOINT_CYLINDRICAL] = &carom_joint_cylindrical,
    [CAROM_JOINT_UNIVERSAL] = &carom_joint_universal,
    [CAROM_JOINT_PLANAR] = &carom_joint_planar,
    [CAROM_JOINT_SPHERICAL] = &carom_joint_spherical,
    [CAROM_JOINT_FREE] = &carom_joint_free,
    [CAROM_JOINT_FREE_CARDAN] = &carom_joint_free_cardan,
};

const caromJointRow *carom_joint_row(caromJointKind kind)
{
    return rows[kind];
}
