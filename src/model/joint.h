// One row per kind of joint: everything that the rooms need to know about it. A kind is one file
// src/model/joint_<kind>.c and one line of CAROM_JOINTS.
#ifndef CAROM_SRC_MODEL_JOINT_H
#define CAROM_SRC_MODEL_JOINT_H

#include "carom/model.h"

// A coordinate or a speed. Components of a vector or a quaternion are called "position.x"; the model file has one key
// for all of them.
typedef struct caromCoordinate {
    const char *name, *unit;
    const char *doc;  // of its key in the model file, without the kinds that have it; on the first component only
} caromCoordinate;

// What a joint with more than one coordinate, or with other than axial motion, does between its frames. All in the axes
// of F.
typedef struct caromJointMotion {
    caromMat3 R_FM;
    caromVec3 p_FM;
    caromSpatial S[CAROM_JOINT_NV_MAX];  // of M against F, per unit of each speed
    caromSpatial c;                      // acceleration of M against F when all speeds' rates are 0
} caromJointMotion;

// An equation that holds between F on body A and M on body B, where the joint closes a loop:
//
//   along e    e.(p_M - p_F) = 0,  e fixed in A
//   square     e.f = 0,  e fixed in A, f fixed in B
//   screw      z.(p_M - p_F) - pitch angle = 0
typedef enum caromEquationKind { CAROM_EQUATION_ALONG, CAROM_EQUATION_SQUARE, CAROM_EQUATION_SCREW } caromEquationKind;

typedef struct caromJointEquation {
    caromEquationKind kind;
    caromVec3 e, f;
} caromJointEquation;

#define CAROM_HOLD_X { CAROM_EQUATION_ALONG, { 1, 0, 0 }, { 1, 0, 0 } }
#define CAROM_HOLD_Y { CAROM_EQUATION_ALONG, { 0, 1, 0 }, { 0, 1, 0 } }
#define CAROM_HOLD_Z { CAROM_EQUATION_ALONG, { 0, 0, 1 }, { 0, 0, 1 } }
#define CAROM_HOLD_LINE CAROM_HOLD_X, CAROM_HOLD_Y
#define CAROM_HOLD_POINT CAROM_HOLD_X, CAROM_HOLD_Y, CAROM_HOLD_Z
// z of M stays along z of F.
#define CAROM_HOLD_AXIS \
    { CAROM_EQUATION_SQUARE, { 1, 0, 0 }, { 0, 0, 1 } }, { CAROM_EQUATION_SQUARE, { 0, 1, 0 }, { 0, 0, 1 } }
#define CAROM_HOLD_ROTATION CAROM_HOLD_AXIS, { CAROM_EQUATION_SQUARE, { 1, 0, 0 }, { 0, 1, 0 } }

// Coordinates q and speeds v = dq/dt. Where there is one coordinate more, the last four are a quaternion and the last
// three speeds the angular velocity in M.
typedef struct caromJointRow {
    const char *name;                     // in model files
    int nq, nv;
    caromCoordinate q[CAROM_JOINT_NQ_MAX], v[CAROM_JOINT_NV_MAX];
    // One coordinate along z of F: turns by turn q and moves by shift q; kinematics does this without a call. Then move
    // is NULL.
    bool is_axial;
    double turn, shift;
    bool has_pitch;                       // which is the shift, and must be given
    void (*move)(const double *q, const double *v, caromJointMotion *motion);
    caromJointEquation holds[6];                   // [6 - nv]
} caromJointRow;

#define CAROM_ANGLE { "angle", "rad", "Angle about z at the start" }
#define CAROM_ANGLE_RATE { "angle_rate", "rad/s", "Rate of angle at the start" }
#define CAROM_DISTANCE { "distance", "m", "Distance along z at the start" }
#define CAROM_DISTANCE_RATE { "distance_rate", "m/s", "Rate of distance at the start" }
#define CAROM_POSITION \
    { "position.x", "m", "Position of the second frame in the first at the start" }, \
    { "position.y", "m" }, { "position.z", "m" }
#define CAROM_VELOCITY \
    { "velocity.x", "m/s", "Rate of position at the start" }, { "velocity.y", "m/s" }, { "velocity.z", "m/s" }
#define CAROM_QUATERNION \
    { "quaternion.w", "", "[w, x, y, z] at the start, of any length but 0" }, \
    { "quaternion.x", "" }, { "quaternion.y", "" }, { "quaternion.z", "" }
#define CAROM_SPIN \
    { "angular_velocity.x", "rad/s", "Angular velocity at the start, in the frame on the second body" }, \
    { "angular_velocity.y", "rad/s" }, { "angular_velocity.z", "rad/s" }

// The table of joints.
#define CAROM_JOINTS(ROW)                                    \
    ROW(CAROM_JOINT_FIXED, carom_joint_fixed)                \
    ROW(CAROM_JOINT_REVOLUTE, carom_joint_revolute)          \
    ROW(CAROM_JOINT_PRISMATIC, carom_joint_prismatic)        \
    ROW(CAROM_JOINT_CYLINDRICAL, carom_joint_cylindrical)    \
    ROW(CAROM_JOINT_SCREW, carom_joint_screw)                \
    ROW(CAROM_JOINT_UNIVERSAL, carom_joint_universal)        \
    ROW(CAROM_JOINT_PLANAR, carom_joint_planar)              \
    ROW(CAROM_JOINT_SPHERICAL, carom_joint_spherical)        \
    ROW(CAROM_JOINT_FREE, carom_joint_free)                  \
    ROW(CAROM_JOINT_FREE_CARDAN, carom_joint_free_cardan)

#define CAROM_DECLARE_JOINT(kind, row) extern const caromJointRow row;
CAROM_JOINTS(CAROM_DECLARE_JOINT)

const caromJointRow *carom_model_joint_row(caromJointKind kind);
// "revolute, prismatic": kinds that can be driven (along one axis), and those with a pitch.
void carom_model_list_driven_joints(char *text, size_t n);
void carom_model_list_pitched_joints(char *text, size_t n);

// Where the quaternion stands among nq coordinates, and the angular velocity among nv speeds; -1: the rate of each
// coordinate is a speed.
static inline int carom_model_joint_quaternion(int nq, int nv)
{
    return nq > nv ? nv - 3 : -1;
}

#endif
