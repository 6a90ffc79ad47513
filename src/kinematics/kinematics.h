// kinematics -- where is everything, and how fast does it move?
//
// In:    coordinates q and v.
// Out:   pose and velocity of every body, pose of every shape.
// Promise: pure; the answer depends on the arguments only.
//
// A free body has q = (p_WC, q_WB): position of its centre of mass and quaternion, and v = (v_WC, w_WB_B): velocity of the
// centre of mass in W and angular velocity in B. The centre of mass keeps linear momentum exact under any linear method, and
// the body frame keeps the inertia constant. The quaternion need not have unit length: only its direction counts.
#ifndef CAROM_SRC_KINEMATICS_H
#define CAROM_SRC_KINEMATICS_H

#include "model/model.h"

typedef struct caromKin {       // written by carom_kin_update, read by every room after it
    caromPose *X_WB;            // pose of the body frame                      [nbody]
    caromVec3 *p_WC;            // centre of mass (body origin if fixed)       [nbody]
    caromSpatial *V_WC;         // velocity of the centre of mass, in W        [nbody]
    caromPose *X_WS;            // pose of the shape frame                     [nshape]
} caromKin;

bool carom_kin_alloc(const caromModel *model, caromKin *kin);  // false: out of memory; fixed bodies are placed once and for all
void carom_kin_free(caromKin *kin);

void carom_kin_initial(const caromModel *model, double *q, double *v);
void carom_kin_update(const caromModel *model, const double *q, const double *v, caromKin *kin);
// dq/dt = N(q) v.
void carom_kin_rate(const caromModel *model, const double *q, const double *v, double *dq);
// Quaternions back to unit length; at restarts only, where the integrator forgets anyway.
void carom_kin_normalize(const caromModel *model, double *q);
// Velocity of the body's origin (what users see), in W.
caromSpatial carom_kin_origin_velocity(const caromModel *model, const caromKin *kin, int body);

// Velocity of the material point of a body that is at p_W now.
static inline caromVec3 carom_kin_point_velocity(const caromKin *kin, int body, caromVec3 p_W)
{
    return carom_point_velocity(kin->V_WC[body], carom_sub(p_W, kin->p_WC[body]));
}

#endif
