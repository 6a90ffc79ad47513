#include "model/joint.h"

// Position and velocity in F, quaternion, angular velocity in M.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    (void)v;
    m->R_FM = carom_quat_matrix((caromQuat){ q[3], q[4], q[5], q[6] });
    m->p_FM = carom_vec(q[0], q[1], q[2]);
    const caromVec3 axes[3] = { m->R_FM.cx, m->R_FM.cy, m->R_FM.cz };
    for (int i = 0; i < 3; i++) {
        m->S[i] = (caromSpatial){ { 0, 0, 0 }, carom_vec(i == 0, i == 1, i == 2) };
        m->S[3 + i] = (caromSpatial){ axes[i], { 0, 0, 0 } };
    }
    m->c = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
}

const caromJointRow carom_joint_free = { .name = "free",
                                         .nq = 7,
                                         .nv = 6,
                                         .q = { CAROM_POSITION, CAROM_QUATERNION },
                                         .v = { CAROM_VELOCITY, CAROM_SPIN },
                                         .move = move };
