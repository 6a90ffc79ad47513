#include "model/joint.h"

// Angle about z, distance along z.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    (void)v;
    double s = sin(q[0]), c = cos(q[0]);
    m->R_FM = (caromMat3){ { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } };
    m->p_FM = carom_vec(0, 0, q[1]);
    m->S[0] = (caromSpatial){ { 0, 0, 1 }, { 0, 0, 0 } };
    m->S[1] = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 1 } };
    m->c = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
}

const caromJointRow carom_joint_cylindrical = { .name = "cylindrical",
                                                .nq = 2,
                                                .nv = 2,
                                                .q = { CAROM_ANGLE, CAROM_DISTANCE },
                                                .v = { CAROM_ANGLE_RATE, CAROM_DISTANCE_RATE },
                                                .move = move,
                                                .holds = { CAROM_HOLD_LINE, CAROM_HOLD_AXIS } };
