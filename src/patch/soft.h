// soft.h -- depths inside a shape without creases.
//
// The distance from the surface has creases inside a shape with edges, where another face becomes the nearest, and on
// the axis of what is round. An integral over a surface that crosses one needs to know where. So faces are put together
// smoothly, as in the theory of R-functions [Shapiro07]:
//
//     1/D^2 = sum over faces of 1/D_i^2,       D_i: plane: depth below it
//                                                   side of a cylinder or cone: cos a (R^2 - rho^2)/(2 R)
//                                                   two faces of a box: (h^2 - x^2)/(2 h)
//                                                   ellipsoid: (1 - F)/|grad F|, F = sum (x/a)^2
//
// D is 0 on the surface with a unit gradient, smooth inside, and differs from the distance d by a part of the order of
// (d/D_i)^2 of the next face, d/R of a side: by all of it only within some depths of an edge. Rounding adds its radius
// to the core's; outside of a core it is the distance itself.
#ifndef CAROM_SRC_PATCH_SOFT_H
#define CAROM_SRC_PATCH_SOFT_H

#include "geometry/core.h"

typedef struct caromSoftField {
    bool is_torus;
    double ring, radius;  // of a torus; radius of the tube, or about the core
    caromCore core;
    double slope, cosine; // of the side of a frustum: of its radius along the axis, and of its normal
    double side;          // its length; 0: there is none
} caromSoftField;

caromSoftField carom_field_soft_of(const caromShape *shape);
// Depth of p, negative outside, and its gradient; both in the frame of the shape.
double carom_field_soft_depth(const caromSoftField *field, caromVec3 p, caromVec3 *gradient);

#endif
