// contact -- from overlap and velocity to forces: the compliant response.
//
// In:    poses and velocities, which pairs touch and how fast they did when they met.
// Out:   wrenches on the bodies, stored energy, power of each dissipator.
// Promise: pure. What remembers (caromTouch) is discrete state, changed only at located events.
//
// Elastic force of a cell: point K d^1.5 with K = 4/3 E* sqrt(R) (Hertz); face k w with k = E*/l. Along the mean normal N of the
// patch it is multiplied by 1 + c d', never pulling; friction and rolling resistance are regularised (docs/contact.md).
#ifndef CAROM_SRC_CONTACT_H
#define CAROM_SRC_CONTACT_H

#include "carom/contact.h"
#include "collide/collide.h"

typedef struct caromTouch {  // of a pair that touches
    double time;             // when it began [s]
    double speed;            // approach speed then, v0 >= 0 [m/s]
    double restitution;      // asked for at that speed
    double damping;          // c [s/m]
    double settles;          // when it will be no impact any more but a contact that lasts [s]
    bool is_settled;
} caromTouch;

typedef struct caromModes {  // discrete state: changed at events only
    int nactive;
    int *active;             // pairs that touch, ascending          [npair]
    bool *is_active;         //                                      [npair]
    caromTouch *touch;       // valid where is_active                [npair]
    bool *limit_is_active;   // joints at a limit                    [nlimit]
    caromTouch *limit_touch; //                                      [nlimit]
} caromModes;

bool carom_modes_alloc(const caromModel *model, caromModes *modes);
void carom_modes_free(caromModes *modes);
void carom_modes_begin(const caromModel *model, caromModes *modes, int pair, double time, double speed);
void carom_modes_end(caromModes *modes, int pair);
bool carom_modes_is_flight(const caromModel *model, const caromModes *modes);  // nothing touches, no joint is at a limit
void carom_modes_settle(caromModes *modes, int pair);  // from impact to lasting contact: damping as for rest
caromTouch carom_touch_at(caromDamping law, double restitution, double speed, double v_small, double time);

// Limits of joints. Gap [rad or m] and its rate; force on the coordinate away from the limit, >= 0.
double carom_limit_gap(const caromModel *model, int limit, const double *q, const double *v, double *rate);
double carom_limit_small_speed(const caromModel *model, int limit);  // v_small or w_small
void carom_limit_begin(const caromModel *model, caromModes *modes, int limit, double time, double speed);
void carom_limit_end(caromModes *modes, int limit);
double carom_limit_force(const caromModel *model, const caromModes *modes, int limit, const double *q, const double *v);
double carom_limit_forces(const caromModel *model, const caromModes *modes, const double *q, const double *v, double *tau);  // returns the power dissipated
double carom_limit_energy(const caromModel *model, const caromModes *modes, const double *q, const double *v);

typedef struct caromContactTotals {
    double damping, friction, rolling;  // power dissipated [W], >= 0
    double rate;                        // fastest natural rate of the contacts [1/s]: what an explicit step has to resolve
    int too_deep;                       // a pair beyond its depth limit, where the force means nothing; -1: none
} caromContactTotals;

// Adds the wrenches of all active pairs to F_C: torque about the centre of mass and force, in W [nbody].
caromContactTotals carom_contact_forces(const caromModel *model, const caromKin *kin, const caromModes *modes, caromSpatial *F_C);
caromContact carom_contact_resultant(const caromModel *model, const caromKin *kin, const caromModes *modes, int pair);
double carom_contact_energy(const caromModel *model, const caromKin *kin, const caromModes *modes);  // stored elastically [J]

// Deeper than this the law has lost its meaning: a face would leave through the other side, a centre pass through a surface [m].
double carom_contact_depth_limit(const caromModel *model, int pair);

// What to expect of an impact at a given speed: largest depth without damping [m] and how long it takes [s].
double carom_contact_depth(const caromModel *model, int pair, double speed);
double carom_contact_duration(const caromModel *model, int pair, double speed);

// v when fast; below v_small a cubic that ends at v_small/3, so that v/reg is smooth and 0 at rest.
double carom_regularized(double v, double v_small);

// Damping laws: c v0 as a function of restitution.
double carom_damping_exact(double e);
double carom_damping_flores(double e);
double carom_damping_none(double e);

#endif
