// Triangles: their nearest points, where they cross, and one as a convex shape.
#ifndef CAROM_SRC_NARROW_TRIANGLE_H
#define CAROM_SRC_NARROW_TRIANGLE_H

#include "geometry/geometry.h"

// The nearest points of two triangles. Features: 0..2 corner, 3..5 edge (k - 3 to the next corner), 6 the inside.
typedef struct caromTriangleGap {
    double g2;        // squared distance; 0: they cross or touch
    caromVec3 x, y;   // on the first and the second
    int fx, fy;
} caromTriangleGap;

// v: numbers of the corners. Edges are looked at from the corner with the lower number on, so that triangles which
// share one find the same bits.
caromTriangleGap carom_narrow_triangles_gap(const caromVec3 a[3], const int va[3], const caromVec3 b[3],
                                            const int vb[3]);
// Nearest point of a triangle to p, and the feature it lies on.
caromVec3 carom_triangle_point(const caromVec3 a[3], caromVec3 p, int *feature);
// Is the foot of p inside the triangle, whose normal n has any length? Then it is the nearest point.
bool carom_triangle_is_under(const caromVec3 a[3], caromVec3 n, caromVec3 p);
// Do they have a point in common, other than of two edges? n: normals of any length. middle: of the segment in which
// they cross.
bool carom_narrow_triangles_cross(const caromVec3 a[3], caromVec3 na, const caromVec3 b[3], caromVec3 nb,
                                  caromVec3 *middle);

// A triangle as a polytope without thickness. It points into itself: not to be copied.
typedef struct caromTriangleShape {
    caromShape shape;
    caromHull hull;
    caromVec3 vertices[3], normals[2];
    double offsets[2];
} caromTriangleShape;
void carom_triangle_shape(const caromVec3 corners[3], caromTriangleShape *t);

#endif
