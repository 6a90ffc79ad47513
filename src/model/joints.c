// Names, coordinates and units of joint kinds.
#include "model/model.h"

typedef struct Coordinate { const char *name, *unit; } Coordinate;

typedef struct Kind {
    const char *name;
    int nq, nv;
    Coordinate q[CAROM_JOINT_NQ_MAX], v[CAROM_JOINT_NV_MAX];
} Kind;

#define ANGLE { "angle", "rad" }
#define ANGLE_RATE { "angle_rate", "rad/s" }
#define DISTANCE { "distance", "m" }
#define DISTANCE_RATE { "distance_rate", "m/s" }
#define QUATERNION { "quaternion.w", "" }, { "quaternion.x", "" }, { "quaternion.y", "" }, { "quaternion.z", "" }
#define SPIN { "angular_velocity.x", "rad/s" }, { "angular_velocity.y", "rad/s" }, { "angular_velocity.z", "rad/s" }
#define POSITION { "position.x", "m" }, { "position.y", "m" }, { "position.z", "m" }
#define VELOCITY { "velocity.x", "m/s" }, { "velocity.y", "m/s" }, { "velocity.z", "m/s" }

static const Kind kinds[CAROM_JOINT_KINDS] = {
    [CAROM_JOINT_FIXED] = { "fixed", 0, 0, { { 0 } }, { { 0 } } },
    [CAROM_JOINT_REVOLUTE] = { "revolute", 1, 1, { ANGLE }, { ANGLE_RATE } },
    [CAROM_JOINT_PRISMATIC] = { "prismatic", 1, 1, { DISTANCE }, { DISTANCE_RATE } },
    [CAROM_JOINT_CYLINDRICAL] = { "cylindrical", 2, 2, { ANGLE, DISTANCE }, { ANGLE_RATE, DISTANCE_RATE } },
    [CAROM_JOINT_SCREW] = { "screw", 1, 1, { ANGLE }, { ANGLE_RATE } },
    [CAROM_JOINT_UNIVERSAL] = { "universal", 2, 2, { { "angle_1", "rad" }, { "angle_2", "rad" } }, { { "angle_1_rate", "rad/s" }, { "angle_2_rate", "rad/s" } } },
    [CAROM_JOINT_PLANAR] = { "planar", 3, 3, { { "x", "m" }, { "y", "m" }, ANGLE }, { { "x_rate", "m/s" }, { "y_rate", "m/s" }, ANGLE_RATE } },
    [CAROM_JOINT_SPHERICAL] = { "spherical", 4, 3, { QUATERNION }, { SPIN } },
    [CAROM_JOINT_FREE] = { "free", 7, 6, { POSITION, QUATERNION }, { VELOCITY, SPIN } },
    [CAROM_JOINT_FREE_CARDAN] = { "free-cardan", 6, 6,
                                  { POSITION, { "angle_x", "rad" }, { "angle_y", "rad" }, { "angle_z", "rad" } },
                                  { VELOCITY, { "angle_x_rate", "rad/s" }, { "angle_y_rate", "rad/s" }, { "angle_z_rate", "rad/s" } } },
};

const char *carom_joint_kind_name(caromJointKind kind)
{
    return (unsigned)kind < CAROM_JOINT_KINDS ? kinds[kind].name : "unknown";
}

int carom_joint_kind_nq(caromJointKind kind)
{
    return kinds[kind].nq;
}

int carom_joint_kind_nv(caromJointKind kind)
{
    return kinds[kind].nv;
}

const char *carom_joint_coordinate_name(caromJointKind kind, int i)
{
    return kinds[kind].q[i].name;
}

const char *carom_joint_coordinate_unit(caromJointKind kind, int i)
{
    return kinds[kind].q[i].unit;
}

const char *carom_joint_speed_name(caromJointKind kind, int i)
{
    return kinds[kind].v[i].name;
}

const char *carom_joint_speed_unit(caromJointKind kind, int i)
{
    return kinds[kind].v[i].unit;
}
