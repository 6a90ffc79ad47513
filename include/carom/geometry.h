// geometry.h -- shapes and what they weigh.
//
// In:    kind and dimensions of a shape, in its own frame S.
// Out:   names of kinds and dimensions, validity, bounding radius, volume, mass properties.
// Promise: pure functions of their arguments.
// Not here: where a shape is (model.h), how far it is from another (collide.h).
// One shape is one file src/geometry/shape_<kind>.c and one row of the table in src/geometry/shapes.c.
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "carom/base.h"
#include "carom/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum caromShapeKind {
    CAROM_SPHERE,      // size.x = radius; centre at So
    CAROM_BOX,         // size = full edge lengths along Sx, Sy, Sz; centre at So
    CAROM_HALF_SPACE,  // all points with Sz <= 0: surface through So, outer normal Sz; size unused
    CAROM_SHAPE_KINDS
} caromShapeKind;

typedef struct caromShape {
    caromShapeKind kind;
    caromVec3 size;  // [m], meaning by kind
} caromShape;

// Mass properties about the centre of mass, in the frame they are given in.
typedef struct caromMassProps {
    double mass;        // [kg]
    caromVec3 com;      // centre of mass [m]
    caromMat3 inertia;  // about com [kg m^2], symmetric
} caromMassProps;

CAROM_API const char *carom_shape_kind_name(caromShapeKind kind);  // "half-space"
CAROM_API double carom_shape_volume(caromShape shape);             // [m^3], infinite for a half-space
CAROM_API double carom_shape_radius(caromShape shape);             // of the sphere about So that holds it; infinite for a half-space
CAROM_API bool carom_shape_is_bounded(caromShape shape);

// Of the solid at uniform density, about its centre, in S. Bounded shapes only: zero mass otherwise.
CAROM_API caromMassProps carom_shape_mass(caromShape shape, double density);

// Moves mass properties from frame S to frame B; adds those of two parts given in the same frame.
CAROM_API caromMassProps carom_mass_moved(caromMassProps props_S, caromPose X_BS);
CAROM_API caromMassProps carom_mass_sum(caromMassProps a, caromMassProps b);

// Eigenvalues of a symmetric matrix, ascending; principal axes as columns of axes if it is not NULL.
CAROM_API caromVec3 carom_mat_principal(caromMat3 symmetric, caromMat3 *axes);

#ifdef __cplusplus
}
#endif

#endif
