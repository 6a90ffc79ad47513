// Volume and first and second moments of solids, to be added piece by piece.
#ifndef CAROM_SRC_GEOMETRY_MOMENTS_H
#define CAROM_SRC_GEOMETRY_MOMENTS_H

#include "geometry/geometry.h"

typedef struct caromMoments {
    double volume;
    caromVec3 first;   // integral of x
    caromMat3 second;  // integral of x x^T
} caromMoments;

// Of the tetrahedron between the origin and the triangle a b c; below 0 when the triangle is clockwise from outside.
void carom_geometry_moments_add_tetrahedron(caromMoments *m, caromVec3 a, caromVec3 b, caromVec3 c);

// At density 1, from moments about the point o.
caromMassProps carom_geometry_moments_mass(const caromMoments *m, caromVec3 o);

#endif
