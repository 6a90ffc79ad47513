// kinematics -- where is everything, and how fast does it move?
//
// In:    time (prescribed joints move with it), coordinates q and speeds v.
// Out:   pose and velocity of every link, body and shape; what the recursions of dynamics need of the joints.
// Promise: pure; the answer depends on the arguments only.
//
// A link is a body with the joint that carries it (model.h). Vectors are along the axes of W; velocities and
// accelerations of a link are those of the origin of its frame M. So nothing has to be rotated from link to link, and
// levers stay as short as the links are. A free body's link frame sits in its centre of mass: linear momentum is then
// exact under any linear method.
#ifndef CAROM_SRC_KINEMATICS_H
#define CAROM_SRC_KINEMATICS_H

#include "model/model.h"

typedef struct caromLinkKin {
    caromMat3 R;                // R_WM
    caromVec3 o;                // p_WM
    caromVec3 r;                // o - o of the parent (of W)
    caromVec3 w, v;             // angular velocity, velocity of o
    caromSpatial c;             // acceleration when all speeds' rates and the parent's acceleration are 0
} caromLinkKin;

typedef struct caromKin {       // written by carom_kin_update, read by every room after it
    caromLinkKin *links;        //                                             [nlink]
    caromSpatial *S;            // motion of a link per unit of each speed     [ns]
    caromPose *X_WB;            // pose of the body frame                      [nbody]
    caromVec3 *p_WC;            // centre of mass (body origin if fixed)       [nbody]
    caromSpatial *V_WC;         // velocity of the centre of mass, in W        [nbody]
    caromPose *X_WS;            // pose of the shape frame                     [nshape]
} caromKin;

// false: out of memory; fixed bodies are placed once and for all
bool carom_kin_alloc(const caromModel *model, caromKin *kin);
void carom_kin_free(caromKin *kin);
// Allocates and places everything as the model starts, loops closed (assemble.h). False: out of memory, nothing to
// free.
bool carom_kin_start(const caromModel *model, caromKin *kin);

// As given, loops closed or not.
void carom_kin_initial(const caromModel *model, double *q, double *v);
void carom_kin_update(const caromModel *model, double time, const double *q, const double *v, caromKin *kin);
// The body of a link, from its own coordinates and speeds and those of the links that carry it only.
void carom_kin_update_branch(const caromModel *model, int link, double time, const double *q, const double *v,
                             caromKin *kin);
// Bodies and shapes from given poses and velocities of the bodies' origins, in W [nbody]; fixed ones too.
// Links are left as they are.
void carom_kin_place(const caromModel *model, const caromPose *X_WB, const caromSpatial *V_WB, caromKin *kin);
// The links only, without bodies and shapes.
void carom_kin_links(const caromModel *model, double time, const double *q, const double *v, caromKin *kin);
// Accelerations of the links (angular, of o) for given rates of the speeds [nlink].
void carom_kin_accelerations(const caromModel *model, const caromKin *kin, const double *dv, caromSpatial *acc);
// How far a link gets from where it is, at most: a point at the distance d from the origin of its frame moves by no
// more than shift + turn d.
typedef struct caromStray {
    double shift, turn;
} caromStray;
// When no coordinate gets farther than stray from q, which kin belongs to [nlink]. Infinite for what a
// prescribed joint carries.
void carom_kin_stray(const caromModel *model, const caromKin *kin, const double *q, const double *stray,
                     caromStray *links);
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
