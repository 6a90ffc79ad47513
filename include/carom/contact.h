// contact.h -- what a contact pair does at one instant, and the laws behind it.
//
// In:    restitution and approach speed.
// Out:   damping coefficients of the compliant law  fn = K d^n (1 + c d').
// Promise: pure functions. Theory, with sources: docs/contact.md.
// Not here: where the surfaces are (collide.h), motion (sim.h).
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/collide.h"

#ifdef __cplusplus
extern "C" {
#endif

// The resultant of one contact pair at one instant.
typedef struct caromContact {
    int pair;
    caromVec3 p_W;   // centre of pressure [m]
    caromVec3 n_AB;  // unit normal from A into B, in W
    caromVec3 f_B;   // force on B (normal, damping and friction) [N], in W
    double fn;       // its part along n_AB [N]
    double depth;    // largest [m]
} caromContact;

// A bit of the surface over which a pair presses: a plane polygon with the pressure in its corners, or, where the
// surface is not made of polygons, a point with the force of its surroundings. Damping is in it, friction is not: the
// integral of pressure (n_AB . N) over all polygons, or the sum of force (n_AB . N), is fn of the contact, with its
// normal N (where points surround a body friction has a part along N, which is in fn only).
typedef struct caromPressure {
    int n;                                           // corners; 1: a point
    caromVec3 corners_W[CAROM_POLYGON_CORNERS_MAX];  // counter-clockwise about n_AB; or the point
    double pressure[CAROM_POLYGON_CORNERS_MAX];      // at each corner [Pa], >= 0, linear in between; 0 of a point
    caromVec3 n_AB;                                  // unit, in W
    double force;                                    // along it [N]
} caromPressure;
typedef void (*caromPressureVisitor)(const caromPressure *bit, void *user);

// What the shapes of a model cannot have where they press over faces: an exponent other than 1, a law of one's own, a
// shell unless one of the two is a half-space. Paths of problems: pairs.K.exponent, pairs.K.law,
// bodies.NAME.shapes.SHAPE.shell.
CAROM_API void carom_contact_check(const caromModel *model, caromProblems *problems);

// c v0 of a damping law for a rebound with restitution e, 0 < e <= 1 [-]. `exact` solves (1 + e)
// u = ln((1 + u)/(1 - e u)).
CAROM_API double carom_damping_number(caromDamping law, double e);

// The rebound that the law fn = K d^n (1 + c d') gives for u = c v0, whatever K, n and the masses: the root e of the
// same equation.
CAROM_API double carom_contact_restitution_of(double u);

// Restitution at a given approach speed: as asked when fast, towards 0.001 below v_small, so that bounces die out.
CAROM_API double carom_contact_restitution_at(double e, double speed, double v_small);

// Hertz [Johnson85]: K of fn = K d^1.5 where two surfaces with the relative principal curvatures 0 < k_min <= k_max
// [1/m] touch in a point. Spheres: k_min = k_max = 1/R1 + 1/R2, K = 4/3 E* sqrt(R). A concave surface has a negative
// curvature. Below 1e-8 k_max, and below 0, k_min counts as 1e-8 k_max. 0 when k_max is infinite (an edge), infinite
// when it is not above 0 (planes). [N/m^1.5]
CAROM_API double carom_contact_hertz_stiffness(double E_star, double k_min, double k_max);

// Semi-axes a >= b of the ellipse that they touch in when pressed together by a depth [m]: a along the direction of
// k_min.
CAROM_API void carom_contact_hertz_ellipse(double k_min, double k_max, double depth, double *a, double *b);

// The principal curvatures of the gap between two surfaces: of the sum of their curvature tensors in the common tangent
// plane, square to n. Directions t1 of the two are in the same frame as n.
CAROM_API void carom_contact_relative_curvature(caromCurvature a, caromCurvature b, caromVec3 n, double *k_min,
                                                double *k_max);

#ifdef __cplusplus
}
#endif

#endif
