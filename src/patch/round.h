// Round bodies on flat ones: the part of a body A that is below a plane, and what presses there
// (docs/contact.md, "Round bodies").
//
//   round.c     the row of the table of patches: cells and energy from the moments of the part below
//   revolved.c  cylinders, cones and capsules, with or without rounding: slices square to the axis
//   torus.c     tori: discs of the tube, around the ring
//   rounded.c   boxes and polytopes with rounding: faces, edges and corners by themselves
#ifndef CAROM_SRC_PATCH_ROUND_H
#define CAROM_SRC_PATCH_ROUND_H

#include "geometry/core.h"
#include "patch/patch.h"

// A plane in the frame of A: depth(x) = offset + down.x. x, y: axes in it; x, y, down are right-handed and unit.
typedef struct caromSurface {
    caromVec3 x, y, down;
    double offset;
} caromSurface;

// The part of A with depth > 0, and its moments along the plane from a point near it.
typedef struct caromImmersed {
    double volume;    // [m^3]
    double energy;    // integral of depth over it [m^4]
    double depth;     // largest [m]
    caromVec3 about;  // in the frame of A: the lowest point
    double x, y, xx, xy, yy;  // integrals over the part, coordinates from there
} caromImmersed;

// Of a body of revolution about z, whose lowest point is at (r ux, r uy, z): volume, energy, and moments from there
// along u = (ux, uy, 0) and z; vv is that square to both.
typedef struct caromImmersedSums {
    double v, w, u, z, uu, uz, zz, vv;
} caromImmersedSums;
typedef struct caromLowest { double r, z, ux, uy; } caromLowest;
void carom_patch_immersed_in_plane(const caromImmersedSums *sums, caromLowest at, const caromSurface *plane,
                                   caromImmersed *out);

static inline double carom_patch_series(const double *a, int n, double x)  // a[0] + a[1] x + ...
{
    double sum = a[n - 1];
    for (int i = n - 2; i >= 0; i--) sum = sum*x + a[i];
    return sum;
}

bool carom_patch_revolved_serves(const caromCore *core);
caromImmersed carom_patch_revolved_below(const caromCore *core, const caromSurface *surface);

caromImmersed carom_patch_torus_below(double ring_radius, double tube_radius, const caromSurface *surface);

caromImmersed carom_patch_rounded_below(const caromCore *core, const caromSurface *surface);  // boxes and polytopes

#endif
