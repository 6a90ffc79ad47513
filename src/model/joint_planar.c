#include "model/joint.h"

// Distances along x and y of F, angle about z.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    (void)v;
    double s = sin(q[2]), c = cos(q[2]);
    m->R_FM = (caromMat3){ { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } };
    m->p_FM = carom_vec(q[0], q[1], 0);
    m->S[0] = (caromSpatial){ { 0, 0, 0 }, { 1, 0, 0 } };
    m->S[1] = (caromSpatial){ { 0, 0, 0 }, { 0, 1, 0 } };
    m->S[2] = (caromSpatial){ { 0, 0, 1 }, { 0, 0, 0 } };
    m->c = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
}

const caromJointRow carom_joint_planar = { .name = "planar",
                                           .nq = 3,
                                           .nv = 3,
                                           .q = { { "x", "m", "Distance along x at the start" },
                                              { "y", "m", "Distance along y at the start" },
                                              CAROM_ANGLE },
                                           .v = { { "x_rate", "m/s", "Rate of x at the start" },
                                              { "y_rate", "m/s", "Rate of y at the start" },
                                              CAROM_ANGLE_RATE },
                                           .move = move,
                                           .holds = { CAROM_HOLD_Z, CAROM_HOLD_AXIS } };
