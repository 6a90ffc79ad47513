#include "model/joint.h"

// R = Rx(a) Ry(b) Rz(c): w = a' x + b' y' + c' z'', y' = Rx y, z'' = Rx Ry z. Rates of the axes: y' turns with a' x,
// z'' with a' x + b' y'.
static void move(const double *q, const double *v, caromJointMotion *m)
{
    double sa = sin(q[3]), ca = cos(q[3]), sb = sin(q[4]), cb = cos(q[4]), sc = sin(q[5]), cc = cos(q[5]);
    caromVec3 x = { 1, 0, 0 }, y = { 0, ca, sa }, z = { sb, -sa*cb, ca*cb }, x1 = { cb, sa*sb, -ca*sb };
    m->R_FM = (caromMat3){ carom_axpy(cc, x1, carom_scale(sc, y)), carom_axpy(-sc, x1, carom_scale(cc, y)), z };
    m->p_FM = carom_vec(q[0], q[1], q[2]);
    for (int i = 0; i < 3; i++) m->S[i] = (caromSpatial){ { 0, 0, 0 }, carom_vec(i == 0, i == 1, i == 2) };
    m->S[3] = (caromSpatial){ x, { 0, 0, 0 } };
    m->S[4] = (caromSpatial){ y, { 0, 0, 0 } };
    m->S[5] = (caromSpatial){ z, { 0, 0, 0 } };
    caromVec3 first = carom_scale(v[3]*v[4], carom_cross(x, y));
    caromVec3 second = carom_scale(v[5], carom_cross(carom_axpy(v[3], x, carom_scale(v[4], y)), z));
    m->c = (caromSpatial){ carom_add(first, second), { 0, 0, 0 } };
}

const caromJointRow carom_joint_free_cardan = { .name = "free-cardan",
                                                .nq = 6,
                                                .nv = 6,
                                                .q = { CAROM_POSITION,
                                                     { "angle_x", "rad", "Angle about x at the start" },
                                                     { "angle_y", "rad", "Angle about the new y at the start" },
                                                     { "angle_z", "rad", "Angle about the newest z at the start" } },
                                                .v = { CAROM_VELOCITY,
                                                     { "angle_x_rate", "rad/s", "Rate of angle_x at the start" },
                                                     { "angle_y_rate", "rad/s", "Rate of angle_y at the start" },
                                                     { "angle_z_rate", "rad/s", "Rate of angle_z at the start" } },
                                                .move = move };
