// dynamics -- from forces to accelerations, through joints and closed loops.
//
// In:    kinematics, wrenches on the bodies.
// Out:   dv/dt, reactions, energies.
// Promise: pure; nothing is allocated after carom_dyn_work_alloc.
//
// Everything is along the axes of W about the origin o of each link, so that inertias and forces of links add after a
// shift by the lever r between origins, without rotations (articulated.c).
#ifndef CAROM_SRC_DYNAMICS_H
#define CAROM_SRC_DYNAMICS_H

#include "carom/dynamics.h"
#include "kinematics/kinematics.h"
#include "kinematics/rows.h"

typedef struct caromSym3 { double xx, yy, zz, xy, xz, yz; } caromSym3;  // a symmetric matrix

// Inertia of a link with everything that hangs on it, felt at o:
//   torque = J alpha + H a + p.angular,    force = H^T alpha + M a + p.linear
typedef struct caromArticulated {
    caromSym3 J, M;
    caromMat3 H;
    caromSpatial p;
} caromArticulated;

typedef struct caromLoops {
    int nrow;
    caromLoopRow *rows;
    double *L;                 // response dv to a unit of each row's force                [nrow*nv]
    double *Lambda;            // response of each row to each row's force                 [nrow*nrow]
    double *b, *lambda;        // [nrow]
    int *order;                // pivots                                                   [nrow]
    double *scale;             // what Lambda's diagonal would usually be                  [nrow]
    caromRowAt *at;            // rows at the current state                                [nrow]
    double *factor;            // scratch: Lambda while it is solved for                   [nrow*nrow]
    caromSpatial *F_o;         // scratch                                                  [nlink]
    double *dq;                // scratch                                                  [nq]
} caromLoops;

typedef struct caromDynWork {
    caromArticulated *art;     // [nlink]
    caromSpatial *p_motion;    // gyroscopic and centrifugal forces of each link        [nlink]
    caromSpatial *U;           // inertia times S: force and torque per unit of acceleration of a speed [ns]
    // S^T U, one coordinate: 1/D; several: its Cholesky factor, 6x6 each [nlink*36 or nlink].
    double *D;
    double *u;                 // what is left for the joint to accelerate             [ns]
    caromSpatial *acc;         // acceleration of the links, gravity taken off          [nlink]
    caromSpatial *F_C;         // wrench on each body about its centre of mass, in W    [nbody]
    double *tau;               // generalised forces                                    [nv]
    double *spring_rest;       // [nspring]
    caromLoops loops;
} caromDynWork;

bool carom_dyn_work_alloc(const caromModel *model, caromDynWork *work);
void carom_dyn_work_free(caromDynWork *work);

// articulated.c. Factor: inertias and velocity-dependent forces of all links. Solve: accelerations for the
// wrenches F_C and forces tau.
// false: a joint has no inertia to move
bool carom_dyn_articulated_factor(const caromModel *model, const caromKin *kin, caromDynWork *work);
void carom_dyn_articulated_solve(const caromModel *model, const caromKin *kin, const caromSpatial *F_C,
                                 const double *tau, caromDynWork *work, double *dv);
// Response of a resting mechanism without gravity to wrenches at the origins of its links [nlink] and to generalised
// forces tau [nv] (NULL: none): dv and work->acc. After a factor. Loops are open.
void carom_dyn_articulated_respond(const caromModel *model, const caromKin *kin, const caromSpatial *F_o,
                                   const double *tau, caromDynWork *work, double *dv);
// Acceleration with which two bodies part along n at p when they are pushed apart there with 1 N, without gravity
// [1/kg]: n.J M^-1 J^T n. After a factor; overwrites F_C, tau and acc.
double carom_dyn_articulated_compliance(const caromModel *model, const caromKin *kin, const int body[2], caromVec3 p,
                                        caromVec3 n, caromDynWork *work);
// 1/inertia that a joint's coordinate feels of both sides of the joint. After a factor.
double carom_dyn_articulated_mobility(const caromModel *model, const caromKin *kin, int link, int coordinate,
                                      caromDynWork *work);
caromArticulated carom_dyn_articulated_rigid(const caromLink *link, const caromLinkKin *k);  // of the link alone
caromSpatial carom_dyn_articulated_inertia_times(const caromArticulated *A, caromSpatial a);
// Adds an inertia felt at r from the parent's origin to that of the parent.
void carom_dyn_articulated_add_shifted(const caromArticulated *A, caromVec3 r, caromArticulated *parent);
// Force and torque that a link's joint transmits to it, after a solve.
caromSpatial carom_dyn_articulated_reaction(const caromModel *model, const caromDynWork *work, int link);

// loops.c. After carom_dyn_articulated_solve: forces of the loops that keep the rows' accelerations at zero; dv and
// the reactions with them.
bool carom_loops_alloc(const caromModel *model, caromLoops *loops);
void carom_loops_free(caromLoops *loops);
void carom_loops_accelerate(const caromModel *model, const caromKin *kin, const double *tau, caromDynWork *work,
                            double *dv);
// Both: accelerations for the wrenches F_C and forces tau of work, to which F_C the forces of the loops are added.
void carom_dyn_accelerate(const caromModel *model, const caromKin *kin, caromDynWork *work, double *dv);
// Brings q, then v, back to what the loops allow, by the change that is least in the mass metric. Residual: largest
// that is left, in m (angles times the reach of the bodies). False: no convergence.
typedef struct caromLoopResidual {
    double size;  // [m]
    int joint;    // where it is largest
} caromLoopResidual;
bool carom_loops_project_position(const caromModel *model, double time, double *q, caromKin *kin, caromDynWork *work,
                                  caromLoopResidual *residual);
double carom_loops_project_velocity(const caromModel *model, double time, const double *q, double *v, caromKin *kin,
                                    caromDynWork *work);
// The same response as carom_dyn_articulated_respond with loops kept closed; what they add to the wrenches is in F_o
// afterwards. Prepare once at a state, after a factor.
void carom_loops_prepare(const caromModel *model, const caromKin *kin, caromDynWork *work);
void carom_loops_respond(const caromModel *model, const caromKin *kin, caromSpatial *F_o, const double *tau,
                         caromDynWork *work, double *dv);
// Residuals of position [m] and velocity [m/s] as they are.
void carom_loops_residual(const caromModel *model, const caromKin *kin, const caromDynWork *work, double *position,
                          double *velocity);

// With which the equations change for given accelerations of the links (angular, of o) [nlink]: the largest [m/s^2].
double carom_loops_acceleration(const caromModel *model, const caromKin *kin, const caromDynWork *work,
                                const caromSpatial *acc);

// start.c: q and v as the model starts, loops closed; CAROM_ERR_MODEL: they cannot be, or not with what was given.
caromStatus carom_dyn_assemble(const caromModel *model, double *q, double *v, caromError *err);

// reaction.c: impulses (or forces of a mechanism at rest without gravity) that the joints of the tree transmit to their
// links, about the links' origins [nlink], for the response in work->acc to F_o and tau.
void carom_dyn_articulated_response_reactions(const caromModel *model, const caromKin *kin, const caromSpatial *F_o,
                                              const caromDynWork *work, caromSpatial *reactions);

// forces.c: what the model itself adds.
typedef struct caromForceTotals {
    double joints;    // power dissipated in joints and dampers [W]
    double supplied;  // power of drives and forces from outside [W], without prescribed motion
    double rate;      // fastest natural rate [1/s]
} caromForceTotals;
caromForceTotals carom_dyn_model_forces(const caromModel *model, double time, const double *q, const double *v,
                                        const caromKin *kin, caromDynWork *work);
// The same with the power of each part of the model added to its own totals. part: of each link [nlink]; links that a
// spring ties together are of one. What is of no link is of the first.
typedef struct caromDynState {
    double time;
    const double *q, *v;
} caromDynState;
void carom_dyn_model_forces_by(const caromModel *model, caromDynState at, const caromKin *kin, const int *part,
                               caromDynWork *work, caromForceTotals *totals);
double carom_dyn_spring_energy(const caromModel *model, const double *q, const caromKin *kin, const caromDynWork *work);
// Of its prescribed motion, after a solve.
double carom_dyn_link_power(const caromModel *model, double time, const caromKin *kin, const caromDynWork *work,
                            int link);
// Of all.
double carom_dyn_motion_power(const caromModel *model, double time, const caromKin *kin, const caromDynWork *work);
void carom_dyn_rest_lengths(const caromModel *model, const caromKin *kin, caromDynWork *work);

double carom_dyn_kinetic_energy(const caromModel *model, const caromKin *kin);
// Of gravity, zero at the world's origin.
double carom_dyn_potential_energy(const caromModel *model, const caromKin *kin);

#endif
