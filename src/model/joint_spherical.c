#include "model/joint.h"

// Quaternion; angular velocity in M, so that w_F = R w_M, and its rate at w_M' = 0 is w cross w = 0.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    (void)v;
    m->R_FM = carom_quat_matrix((caromQuat){ q[0], q[1], q[2], q[3] });
    m->p_FM = carom_vec(0, 0, 0);
    const caromVec3 axes[3] = { m->R_FM.cx, m->R_FM.cy, m->R_FM.cz };
    for (int i = 0; i < 3; i++) m->S[i] = (caromSpatial){ axes[i], { 0, 0, 0 } };
    m->c = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
}

const caromJointRow carom_joint_spherical = { .name = "spherical",
                                              .nq = 4,
                                              .nv = 3,
                                              .q = { CAROM_QUATERNION },
                                              .v = { CAROM_SPIN },
                                              .move = move,
                                              .holds = { CAROM_HOLD_POINT } };
