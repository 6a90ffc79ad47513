// Round bodies on flat ones: the part of a convex body A that is below a plane, and what presses there (docs/contact.md, "Round bodies").
//
//   round.c     the row of the table of patches: cells and energy from the moments of the part below
//   revolved.c  cylinders, cones and capsules, with or without rounding: slices square to the axis
#ifndef CAROM_SRC_COLLIDE_ROUND_H
#define CAROM_SRC_COLLIDE_ROUND_H

#include "collide/collide.h"
#include "geometry/core.h"

// A plane in the frame of A: depth(x) = offset - n.x, n the unit normal that points out of B.
typedef struct caromSurface {
    caromVec3 n;
    double offset;
} caromSurface;

// The part of A with depth > 0, and its moments about a point near it. second: xx, yy, zz, xy, yz, zx.
typedef struct caromImmersed {
    double volume;    // [m^3]
    double energy;    // integral of depth over it [m^4]
    double depth;     // largest [m]
    caromVec3 about;  // in the frame of A: the lowest point
    caromVec3 first;  // integral of x - about
    double second[6];
} caromImmersed;

bool carom_revolved_serves(const caromCore *core);
caromImmersed carom_revolved_below(const caromCore *core, caromSurface surface);

#endif
