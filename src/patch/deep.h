// deep.h -- what rises above the law where shapes are deep in each other (docs/contact.md, "Too deep").
//
// At a depth d between `from` and `to`, with x = (d - from)/(to - from), forces of the law have a part
//
//     y^5 = (x/(1 - x))^5
//
// of the law's force at `from` in addition. It begins with four derivatives that are 0, and its energy has no bound,
// also where depth has a peak: over a volume the integral of 1/(1 - x)^5 goes like 1/(1 - x)^2 at least (with the cube
// in its place it would be a logarithm, and boxes that come down on a corner were stopped at 1 - x = 1e-9 only). So
// nothing passes `to`. Each way adds it such that the force is the gradient of an energy:
//
//   facets   pressure p of the balanced surface becomes p + from y(p)^5; W gains the integral of that over the overlap:
//            of convex shapes the work on a way out, of meshes (clipped.c) from the energies of the law in less of B
//   springs  each by its own depth (sampled.c)
//   round bodies on a half-space (round.c): by e = 2 W/V, V the volume below, which is the depth d of a plate, 2/3 d
//            of a wedge and d/2 of a tip: of convex bodies never less. W becomes W + V/e from S(e), S the integral of
//            y^5 over depth. Its gradient needs that of V, the area in which the plane cuts a, by differences.
//   meshes on a half-space (clipped.c): by D = sqrt(2 W/A), A = volume/thickness, which is the depth of a plate. W
//            becomes W + U(D), and all cells have 1 + U'(D) dD/dW times their weight.
#ifndef CAROM_SRC_PATCH_DEEP_H
#define CAROM_SRC_PATCH_DEEP_H

#include "patch/fields.h"
#include "patch/table.h"

// Adds the cells of y^5 of a polygon.
void carom_patch_add_steep(const caromStiffening *s, const caromFacet *facet, caromPatch *patch);

// Every polygon of two placed shapes, as the cells see them.
typedef struct caromFacetSource caromFacetSource;
struct caromFacetSource {
    const caromShape *a, *b;
    caromPose X_WA, X_WB;
    void (*each)(const caromFacetSource *of, caromFacetVisitor visit, void *user);
};
void carom_patch_facets_stiffen(const caromFacetSource *of, const caromStiffening *s, caromPatch *patch);
double carom_patch_facets_stiff_energy(const caromFacetSource *of, const caromStiffening *s);  // [m^4]

// A shape a above a half-space that is X_WB: energy W, its rate with the height of the plane, V, and where that is.
typedef struct caromFloating {
    double energy, volume;    // [m^4], [m^3]
    caromVec3 moment;         // centroid of V in W, times V [m^4]
} caromFloating;
typedef struct caromFloatingShape {
    const caromShape *a;
    caromPose X_WA, X_WB;
    caromFloating (*at)(const caromShape *a, caromPose X_WA, caromPose X_WB);
} caromFloatingShape;
void carom_patch_floating_steepen(const caromFloatingShape *of, const caromStiffening *s, caromPatch *patch);
double carom_patch_floating_steep_energy(const caromFloatingShape *of, const caromStiffening *s);  // [m^4]

// A floating mesh a with the energy W as the law has it [m^4].
void carom_patch_floating_stiffen(const caromShape *a, double energy, const caromStiffening *s, caromPatch *patch);
double carom_patch_floating_stiff_energy(const caromShape *a, double energy, const caromStiffening *s);

#endif
