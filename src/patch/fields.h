// Depth fields of plane-faced convex shapes, and the surface where two of them balance (docs/contact.md).
//
//   balance.c  the surface: which faces can be nearest, in a box that holds the overlap (region.c)
//   blocks.c   the same for boxes and half-spaces
//   meeting.c  the polygon of two faces that meet, cut out with sheet.c
//   cells.c    what the force laws see of it: a few points for each polygon
//   energy.c   the energy whose gradient the force is
//   polygons.c the public view
#ifndef CAROM_SRC_PATCH_FIELDS_H
#define CAROM_SRC_PATCH_FIELDS_H

#include "patch/patch.h"
#include "patch/sheet.h"

// Does the shape have a depth field: box, half-space or polytope, without rounding?
bool carom_field_has(const caromShape *shape);

// Both shapes must have fields, and not both be half-spaces (the patch of those is empty, the energy infinite). Of two
// shapes of one kind a is the softer one, so that a moving pair must keep its order; of two kinds it is the one that
// comes first in the list of kinds, whatever the order here.
void carom_patch_shapes(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, caromPatch *patch);
// The same surface as polygons; returns how many.
int carom_patch_shapes_polygons(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                                caromPolygonVisitor visit, void *user);
double carom_patch_shapes_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);  // [m^4]

// l: k = E*/l makes a face as stiff as a rigid punch of the same area, F = 1.14 E* sqrt(A) d. A is a sixth of the
// surface: the mean face of a box; of a polytope it does not depend on how finely a round shape is faceted; of a
// cylinder as long as thick it is just an end. INFINITY for a half-space.
double carom_field_length_of(const caromShape *shape);

// Which of two shapes comes first in a query that must not depend on the order it is given them in: < 0 for a, > 0 for
// b, 0 when nothing tells them apart. By kind, dimensions and hull; equal shapes by where each one sees the other,
// which a common motion does not change; last by their poses. carom_narrow_pair_order (narrow/narrow.h) will not do: of
// equal shapes it changes with their place in the world, which gaps hardly notice, but the softer of two fields is
// another one then, and a pair that moves as one would see its surface jump.
int carom_patch_shape_order(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);

// A polygon of the surface: {p = 0} is p_A = p_B, pressure is p there (in unit fields the depth of both shapes
// together).
typedef struct caromFacet {
    const caromFlat *flat;
    caromSheet sheet;     // coordinates about origin_W
    double stretch;       // area of what is a unit square in its coordinates
    caromTrace pressure;
    double across[2];     // a direction in the sheet that turns with a, any length
    caromVec3 n_AB;
    caromVec3 origin_W;
} caromFacet;

typedef void (*caromFacetVisitor)(const caromFacet *facet, void *user);

// Every polygon of the surface, in a fixed order. Arguments as for carom_patch_shapes but with a.kind <= b.kind.
void carom_field_facets(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB,
                        caromFacetVisitor visit, void *user);

// Integral of p; means of u, v and of the squares and the product of distances from there, weighted with p; area, 0: it
// is not told.
typedef struct caromCellMoments {
    double n0, u, v, uu, uv, vv, area;
} caromCellMoments;
// Four cells with these moments.
void carom_patch_add_moments(caromPatch *patch, const caromFacet *facet, const caromCellMoments *m);
void carom_patch_clear(caromPatch *patch);
void carom_patch_add(caromPatch *patch, const caromFacet *facet);
void carom_patch_cell(caromPatch *patch, const caromCell *cell);  // depth is the caller's

// The energy of the overlap, the integral of the smaller pressure [m^4]. Arguments as for carom_field_facets.
double carom_field_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB);

// Pressures in a part of an overlap that walls bound (inner normals).
enum { CAROM_FIELD_FACES = 6, CAROM_NEAR_FACES_MAX = 256 };
typedef struct caromNear {
    caromVec3 centre;  // about the origin of the facets
    double reach;      // the part is within this distance of the centre
    int n, nwall;
    caromPlane p[2*CAROM_NEAR_FACES_MAX];
    caromPlane wall[6];
} caromNear;
// Of one part: the integral of the least of its pressures between its walls, where that is positive [m^4].
double carom_patch_near_energy(const caromNear *near);

// kA and kB of unit fields in series, detuned.
double carom_field_softer(void);
double carom_field_stiffer(void);

#endif
