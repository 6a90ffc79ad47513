// The faces of a convex hull as loops of point indices. The only file that knows qhull is facets.c.
#ifndef CAROM_SRC_GEOMETRY_FACETS_H
#define CAROM_SRC_GEOMETRY_FACETS_H

#include "carom/geometry.h"

typedef struct caromFacets {
    int count;
    // Loop f is corners[first[f]] .. corners[first[f + 1] - 1], counter-clockwise from outside [count + 1].
    int *first;
    int *corners;  // indices of points
    caromVec3 *normals;  // outer, unit: all points lie below the facet, but for the tolerance   [count]
} caromFacets;

// Points should be about 1 in size and about the origin. Facets that are convex by less than the tolerance (a distance)
// are one. CAROM_ERR_NUMERIC when the points are flat within it or qhull finds no hull; the caller may try a larger
// tolerance. Free facets with carom_geometry_facets_free, also after a failure.
caromStatus carom_geometry_facets_find(const caromVec3 *points, int n, double tolerance, caromFacets *facets,
                                       caromError *err);
void carom_geometry_facets_free(caromFacets *facets);

#endif
