// A solid cut into convex parts: what the files mesh_pieces*.c share.
//
// A part is the solid inside a convex cell, the intersection of half-spaces. It is never closed by caps: its convex
// hull is that of the triangles clipped by the cell and of the corners of the cell that lie inside the solid. So there
// are no loops to be found and no polygons to be triangulated, and rounding moves points but cannot break anything.
#ifndef CAROM_SRC_GEOMETRY_MESH_PIECES_H
#define CAROM_SRC_GEOMETRY_MESH_PIECES_H

#include "geometry/core.h"
#include "geometry/mesh_near.h"

typedef struct caromSolidMesh {
    const caromMesh *mesh;
    caromMeshSides sides;
    double size;       // diagonal of the bounding box
    double eps;        // what counts as nothing: 1e-10 of it
} caromSolidMesh;

typedef struct caromCutPlane {  // n.x <= offset
    caromVec3 n;
    double offset;
} caromCutPlane;

// Of a triangle of the mesh, by place in its tree; corners in points.
typedef struct caromCutPolygon { int place, first, n; } caromCutPolygon;

typedef struct caromPart {
    caromCutPlane *planes;      // of its cell
    int nplane;
    caromCutPolygon *polygons;
    int npolygon, polygon_capacity;
    caromVec3 *points;       // corners of polygons, then of the cell
    int npoint, point_capacity;
    caromHull *hull;
    // No point of the hull is farther than this from the solid; above the tolerance: some point is as far.
    double reach;
} caromPart;

// ---- mesh_pieces_cut.c. All false: out of memory

bool carom_mesh_part_whole(const caromSolidMesh *solid, caromPart *part);
// The part on the side n.x <= offset of the plane; it has no hull yet. Empty: no points.
bool carom_mesh_part_cut(const caromSolidMesh *solid, const caromPart *part, caromCutPlane plane, caromPart *side);
void carom_mesh_part_free(caromPart *part);
static inline caromCutPlane carom_mesh_plane_back(caromCutPlane p)
{
    return (caromCutPlane){ carom_neg(p.n), -p.offset };
}

// ---- mesh_pieces_reach.c

// An upper bound of the largest distance of a point of the hull from the solid: exact to 10 % above the tolerance, and
// the tolerance itself if it is not more. Negative: out of memory.
double carom_hull_reach(const caromSolidMesh *solid, const caromHull *hull, double tolerance);
// The same as long as it is not above the tolerance; above it that of some point.
double carom_hull_reach_estimate(const caromSolidMesh *solid, const caromHull *hull, double tolerance);

// False: it does not stay within the tolerance, that many boxes do not show it, or memory is short.
bool carom_hull_is_within(const caromSolidMesh *solid, const caromHull *hull, double tolerance, int boxes_max);

// ---- mesh_pieces_plane.c

// The plane that cuts a part best; false: there is none that leaves something on both sides, or out of memory
// (is_memory_short).
bool carom_mesh_part_best_plane(const caromSolidMesh *solid, const caromPart *part, double tolerance,
                                caromCutPlane *best, bool *is_memory_short);

#endif
