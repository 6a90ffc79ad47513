// dynamics -- from wrenches to accelerations.
//
// In:    wrenches on the bodies.
// Out:   dv/dt, energies of motion.
// Promise: pure.
#ifndef CAROM_SRC_DYNAMICS_H
#define CAROM_SRC_DYNAMICS_H

#include "kinematics/kinematics.h"

// F_C: torque about the centre of mass and force of everything but gravity, in W [nbody].
void carom_dyn_accelerations(const caromModel *model, const caromKin *kin, const caromSpatial *F_C, const double *v, double *dv);

double carom_dyn_kinetic_energy(const caromModel *model, const caromKin *kin);
double carom_dyn_potential_energy(const caromModel *model, const caromKin *kin);  // of gravity, zero at the world's origin

#endif
