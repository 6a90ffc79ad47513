// mesh.h -- surfaces made of triangles, for bodies that are not convex.
//
// In:    vertices and triangles, or a file: STL, OBJ, PLY, glTF, GLB or 3MF, told apart by content.
// Out:   an immutable mesh with its repairs done, a report of what was found and repaired, exact mass properties.
// Promise: vertices and triangles stay in the order in which they came; same input, same bits, in every locale. Memory
//          is bounded by the size of the input, time by n log n. No input crashes it.
// Not here: how far meshes are from each other (collide.h).
// Start reading at carom_mesh_create in src/geometry/mesh.c, carom_meshfile_read in src/modelfile/meshfile.c. Repairs:
// docs/meshes.md.
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_MESH_TRIANGLES_MAX 100000000   // and as many vertices, times 3
#define CAROM_MESH_BYTES_MAX     (1 << 30)   // of a file
#define CAROM_MESH_CROSSINGS_MAX 1000        // more are not counted
#define CAROM_MESH_SIZE_MAX      1e50        // of a coordinate [m]: fifth powers of it must be numbers

// What came, what was repaired, and what is left: counts of edges and below are of the mesh as it is after the repairs.
typedef struct caromMeshReport {
    int vertices_read;
    int vertices_merged;     // with one before them at the very same place
    int vertices_unused;     // left out: no triangle has them
    int triangles_read;      // after polygons have been cut into triangles
    int degenerate_removed;  // a corner twice, or no area within rounding
    int duplicates_removed;  // same corners and same side as one before
    int flat_kept;           // no area within rounding, but without them the surface would have a hole
    int triangles_turned;    // to face the side that most of their component face
    int open_edges;          // with one triangle
    int crowded_edges;       // with more than two
    int components;          // parts connected by edges that have two triangles
    int components_turned;   // closed, and were inside out
    int crossings;           // pairs of triangles that cross or overlap each other, beyond what neighbours share
    // false: there are at least as many; the search ended at CAROM_MESH_CROSSINGS_MAX or for lack of time
    bool are_crossings_counted;
    // false: too many components to find out which are cavities of others; closed ones keep their side
    bool is_nesting_known;
    bool is_closed;          // every edge has an even number of triangles
    bool is_oriented;        // along every edge as many triangles run one way as the other, but for the odd one
    caromVec3 low, high;     // corners of the bounding box [m]
    double area;             // [m^2]
    double volume;           // [m^3]; 0 unless closed and oriented
    size_t bytes_ignored;    // of a binary file, behind the last triangle
    double unit;             // metres to a unit, as the file says; 0: it does not, and a 1 in it was taken as scale
} caromMeshReport;

// NULL and err filled (where: "vertices[7]", "triangles[3]", ...) when a vertex is not finite or too far away, an index
// is out of range, nothing is left after removing degenerate triangles, a closed surface has no volume, or memory runs
// out. report and err may be NULL.
CAROM_API caromMesh *carom_mesh_create(const caromVec3 *vertices, int nvertex, const int (*triangles)[3], int ntriangle,
                                       caromMeshReport *report, caromError *err);
CAROM_API void carom_mesh_destroy(caromMesh *mesh);
// The same mesh for another owner, who destroys it in turn: a mesh never changes, so nothing is copied. Any thread may
// do this.
CAROM_API caromMesh *carom_mesh_copy(const caromMesh *mesh);

// How many, and where; arrays live as long as the mesh. Corners of a triangle are counter-clockwise from outside.
CAROM_API int carom_mesh_vertices(const caromMesh *mesh, const caromVec3 **vertices);
CAROM_API int carom_mesh_triangles(const caromMesh *mesh, const int (**triangles)[3]);
CAROM_API const caromMeshReport *carom_mesh_report(const caromMesh *mesh);  // of its making; lives as long as the mesh

// Of the solid inside at uniform density: exact but for rounding. Zero mass when the mesh is not closed and oriented.
CAROM_API caromMassProps carom_mesh_mass(const caromMesh *mesh, double density);

// The same mesh with its holes closed: those with at most so many edges, whose boundary does not meet itself, by
// triangles between their corners, of the least area. Its report tells what is still open, and whether they cross
// anything. NULL and err filled: edges_max is not 3 to CAROM_MESH_HOLE_MAX, or as carom_mesh_create. result may be
// NULL.
#define CAROM_MESH_HOLE_MAX 100
typedef struct caromMeshHoles {
    int closed;     // holes
    int triangles;  // they took
} caromMeshHoles;
CAROM_API caromMesh *carom_mesh_close_holes(const caromMesh *mesh, int edges_max, caromMeshHoles *result,
                                            caromError *err);

// The surface as a plate: a closed mesh, half of the thickness [m] to either side and walls along its rims; what is
// closed becomes hollow. Faces are as thick as that up to their folds. Where the surface is bent more narrowly than the
// thickness, or three sheets meet, the plate crosses itself, and its report says so. NULL and err filled: the thickness
// is below CAROM_MESH_THICKNESS_MIN of the size or above it, or as carom_mesh_create.
#define CAROM_MESH_THICKNESS_MIN 1e-5
CAROM_API caromMesh *carom_mesh_thicken(const caromMesh *mesh, double thickness, caromError *err);

// A grid of heights as a closed mesh: two triangles for each cell, walls around it and a flat base below. Row by row
// along x, the first row at the largest y, as on a map; the middle of the grid is at x = y = 0.
#define CAROM_MESH_HEIGHTS_MAX 4000000
typedef struct caromHeightfield {
    const double *heights;  // z [m]   [ny][nx]
    int nx, ny;             // 2 or more; CAROM_MESH_HEIGHTS_MAX in all
    double cell;            // distance of neighbours along x and along y [m]
    double depth;           // of the base below the lowest height [m]
} caromHeightfield;
CAROM_API caromMesh *carom_mesh_heightfield(const caromHeightfield *field, caromMeshReport *report, caromError *err);

// A solid as convex pieces: together they cover it, and no point of a piece is farther from it than a tolerance [m]. A
// convex mesh is one piece. Not the least possible number of pieces, but no two of them could be one. Deterministic.
#define CAROM_MESH_PIECES_MAX 1000
typedef struct caromMeshPieces {
    caromHull **hulls;  // [n]
    int n;
    double reach;       // no point of a piece is farther than this from the solid [m]
    double volume;      // of all pieces, what they share counted twice [m^3]; at least that of the mesh
} caromMeshPieces;
// CAROM_ERR_INPUT: the mesh is not closed or crosses itself, the tolerance is below 1e-5 of its size, or more than
// pieces_max are needed: then reach is what was reached with as many. Free the pieces, also after a failure.
CAROM_API caromStatus carom_mesh_pieces(const caromMesh *mesh, double tolerance, int pieces_max,
                                        caromMeshPieces *pieces, caromError *err);
CAROM_API void carom_mesh_pieces_free(caromMeshPieces *pieces);

// Reads a file of STL, OBJ, PLY, glTF or 3MF ("-": standard input); coordinates are multiplied by scale (0.001 for
// millimetres). STL, OBJ and PLY do not say their units (report->unit is 0): without a scale of the caller's they are
// metres, which parts of CAD programs seldom are. glTF is in metres, 3MF says. NULL and err filled as above, and with
// "file:line", "file, byte N" or "file, accessors[3]" in err->where for what is wrong in the file.
CAROM_API caromMesh *carom_meshfile_read(const char *path, double scale, caromMeshReport *report, caromError *err);
// The same mesh, to the bit; files of 16 KiB and more are kept as finished meshes in a folder (1 GiB at most), where
// they are found the next time by the content of the file. NULL: the folder $CAROM_CACHE_DIR (empty: none), or
// $XDG_CACHE_HOME/carom, or ~/.cache/carom. Where it cannot be written nothing is kept.
CAROM_API caromMesh *carom_meshfile_read_cached(const char *path, double scale, const char *cache_folder,
                                                caromMeshReport *report, caromError *err);

// Units of length for files that do not say theirs: "m", "mm", ...; NULL behind the last. Metres to one; 0: unknown.
CAROM_API const char *carom_meshfile_unit_name(int i);
CAROM_API double carom_meshfile_unit(const char *name);

#ifdef __cplusplus
}
#endif

#endif
