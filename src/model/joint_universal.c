#include "model/joint.h"

// R = Rz(a) Rx(b): w = a' z + b' x', x' = Rz(a) x; its rate at a'' = b'' = 0 is a' b' z cross x' = a' b' y'.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    double sa = sin(q[0]), ca = cos(q[0]), sb = sin(q[1]), cb = cos(q[1]);
    caromVec3 x = { ca, sa, 0 }, y = { -sa, ca, 0 };
    m->R_FM = (caromMat3){ x, carom_vec(cb*y.x, cb*y.y, sb), carom_vec(-sb*y.x, -sb*y.y, cb) };
    m->p_FM = carom_vec(0, 0, 0);
    m->S[0] = (caromSpatial){ { 0, 0, 1 }, { 0, 0, 0 } };
    m->S[1] = (caromSpatial){ x, { 0, 0, 0 } };
    m->c = (caromSpatial){ carom_scale(v[0]*v[1], y), { 0, 0, 0 } };
}

const caromJointRow carom_joint_universal = { .name = "universal",
                                              .nq = 2,
                                              .nv = 2,
                                              .q = { { "angle_1", "rad", "Angle about z at the start" },
                                                 { "angle_2", "rad", "Angle about the turned x at the start" } },
                                              .v = { { "angle_1_rate", "rad/s", "Rate of angle_1 at the start" },
                                                 { "angle_2_rate", "rad/s", "Rate of angle_2 at the start" } },
                                              .move = move,
                                              .holds = { CAROM_HOLD_POINT,
                                                     { CAROM_EQUATION_SQUARE, { 0, 0, 1 }, { 1, 0, 0 } } } };
