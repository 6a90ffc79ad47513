// dynamics.h -- equations of motion of a mechanism, as functions.
//
// In:    a frozen model, coordinates q and speeds v of its joints (free bodies have a free joint to the world).
// Out:   accelerations, forces, mass matrix, Jacobians.
// Promise: pure functions of their arguments and the time; after carom_dyn_create nothing is allocated. One workspace
//          per thread.
// Not here: contacts (sim.h adds them), time.
// Start reading at carom_dyn_forward in src/dynamics/dyn.c. Theory: docs/mechanisms.md.
//
// q and v hold the joints that carry bodies, parents first: nq and nv numbers in all. A joint whose motion is
// prescribed has no place in them. Forces of springs, dampers, friction and drives of the model are included in the
// forward and inverse dynamics, and so is gravity. Limits of joints are springs here; their damping depends on how fast
// they were hit, which only a simulation knows.
#ifndef CAROM_DYNAMICS_H
#define CAROM_DYNAMICS_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromDyn caromDyn;

CAROM_API caromStatus carom_dyn_create(const caromModel *model, caromDyn **dyn, caromError *err);
CAROM_API void carom_dyn_destroy(caromDyn *dyn);

CAROM_API int carom_dyn_nq(const caromDyn *dyn);
CAROM_API int carom_dyn_nv(const caromDyn *dyn);
// Where body's own joint (the one that carries it) stands in q and v; -1: fixed or prescribed.
CAROM_API int carom_dyn_body_iq(const caromDyn *dyn, caromBodyId body);
CAROM_API int carom_dyn_body_iv(const caromDyn *dyn, caromBodyId body);
// The state that the model starts from, loops closed. CAROM_ERR_MODEL: they cannot be, or not with what was given
// (carom_dyn_check_start says more); q and v are the nearest to it.
CAROM_API caromStatus carom_dyn_start(const caromDyn *dyn, double *q, double *v);
// What is to be said about the start. Coordinates and speeds that were given and had to move to close loops: warnings,
// errors where they moved by more than a little. Loops that cannot be closed: errors. Joints that start beyond a limit:
// warnings, of rigid bodies errors.
CAROM_API void carom_dyn_check_start(const caromModel *model, caromProblems *problems);
// Brings q and v back to what closed loops allow, by the least change in the mass metric: integration drifts.
// CAROM_ERR_NUMERIC: it does not converge from there.
CAROM_API caromStatus carom_dyn_close(caromDyn *dyn, double time, double *q, double *v);
// dq/dt = N(q) v: not the same as v where there are quaternions.
CAROM_API void carom_dyn_rate(caromDyn *dyn, const double *q, const double *v, double *dq);

// Pose and velocity (of the origin, in W) of a body.
CAROM_API void carom_dyn_body(caromDyn *dyn, double time, const double *q, const double *v, caromBodyId body,
                              caromPose *X_WB, caromSpatial *V_WB);

// CAROM_ERR_INPUT: q or v is not finite, or a quaternion has no direction. Closed loops stay closed in all of these. q
// and v have to be a state that the loops allow; CAROM_ERR_INPUT: they are off by more than a thousandth of the size of
// the mechanism or of its speed.

// dv/dt by the articulated-body recursion, O(n) [Featherstone08], and forces of closed loops. tau: additional
// generalised forces [nv] or NULL. F_B: wrench on each body about its origin, in W [nbody] or NULL.
CAROM_API caromStatus carom_dyn_forward(caromDyn *dyn, double time, const double *q, const double *v, const double *tau,
                                        const caromSpatial *F_B, double *dv);
// The generalised forces (beyond those of the model) that give dv, by the Newton-Euler recursion, O(n). Closed loops:
// those of the many by which the joints that close them transmit nothing; CAROM_ERR_INPUT: the loops do not allow dv.
CAROM_API caromStatus carom_dyn_inverse(caromDyn *dyn, double time, const double *q, const double *v, const double *dv,
                                        const caromSpatial *F_B, double *tau);
// M(q), row by row [nv*nv], by composite bodies. Of the tree: closed loops add equations, not mass.
CAROM_API void carom_dyn_mass_matrix(caromDyn *dyn, double time, const double *q, double *M);
// J of the material point p_B of a body: rows angular x, y, z, linear x, y, z in W; [6*nv] row by row.
CAROM_API void carom_dyn_jacobian(caromDyn *dyn, double time, const double *q, caromBodyId body, caromVec3 p_B,
                                  double *J);
// L = M^-1 J^T for the same point, [nv*6] row by row, in O(n) without forming M [Featherstone08, Mirtich96]; with
// closed loops the response that keeps them closed.
CAROM_API caromStatus carom_dyn_collision_matrix(caromDyn *dyn, double time, const double *q, caromBodyId body,
                                                 caromVec3 p_B, double *L);

CAROM_API double carom_dyn_kinetic(caromDyn *dyn, double time, const double *q, const double *v);    // [J]
// Gravity, springs [J].
CAROM_API double carom_dyn_potential(caromDyn *dyn, double time, const double *q);

#ifdef __cplusplus
}
#endif

#endif
