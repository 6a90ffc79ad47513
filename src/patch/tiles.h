// tiles.h -- the part of the surface of a mesh that is inside another shape (docs/contact.md, "Tiles").
//
//   tiles.c       the row of the table of patches: cells, energy, gap
//   tile_sides.c  a mesh and what it presses into: which tiles may be inside, and how deep their corners are
//   tile.c        a single one
//
// A tile is a triangle of the mesh, or a part of one that is too large for the contact: always the same part, wherever
// the mesh is. Over a tile depth is linear between its corners, and of that
//
//     W = integral of max(d, 0)^2/2 = 2 area f[d1, d2, d3],     f(x) = max(x, 0)^4/24,
//
// f[,,] the divided difference (Hermite and Genocchi), has a closed form for every sign of the depths, with two
// continuous derivatives. The force is the gradient of the sum of these.
#ifndef CAROM_SRC_PATCH_TILES_H
#define CAROM_SRC_PATCH_TILES_H

#include "geometry/mesh_field.h"
#include "patch/patch.h"
#include "patch/soft.h"

// ---- tile.c

// Of a tile of area 1: W, and its derivatives by the depths. None of them is negative.
typedef struct caromTile {
    double energy, slope[3];
} caromTile;
caromTile carom_patch_tile(const double depth[3]);

// ---- tile_sides.c

// A mesh that presses into a shape. Everything in the frame of the latter.
typedef struct caromTileSide {
    const caromMesh *mesh;
    caromMat3 R;                  // its axes
    caromVec3 t;                  // and its origin
    const caromShape *into;
    const caromMeshField *field;  // of a mesh that is pressed into
    bool is_soft;
    caromSoftField soft;          // of what is round
    double size;                  // of tiles [m]
    double share;                 // of the force; 0: it does not press
    caromPose X_W;                // of the frame
} caromTileSide;

// Triangles of a leaf, or one that is cut up to four times along each side.
enum { CAROM_TILE_CUTS = 4, CAROM_TILE_CORNERS = 3*CAROM_MESH_LEAF, CAROM_TILES = CAROM_TILE_CUTS*CAROM_TILE_CUTS };
typedef struct caromTileBlock {
    int ncorner, ntile;
    caromVec3 p[CAROM_TILE_CORNERS];
    uint8_t corner[CAROM_TILES][3];
    double area[CAROM_TILES];
} caromTileBlock;

// Leaves out what is in a ball.
typedef struct caromTileVisitor {
    bool (*skips)(const caromTileSide *s, caromVec3 centre, double radius, void *user);
    void (*visit)(const caromTileSide *s, const caromTileBlock *block, void *user);
    void *user;
} caromTileVisitor;

bool carom_patch_tiles_can_press(const caromShape *a, const caromShape *into);
caromTileSide carom_patch_tile_side(const caromShape *a, caromPose X_WA, const caromShape *into, caromPose X_WB);
void carom_patch_tile_leaf(const caromTileSide *s, const caromMeshNode *leaf, const caromTileVisitor *visitor);
void carom_patch_tile_blocks(const caromTileSide *s, const caromTileVisitor *visitor);

// Signed distance and gradient; false: it is not known here, and infinite with the sign of its side. A field of
// distances is asked for its values first (gradient NULL), others tell both at once.
bool carom_patch_tile_distance(const caromTileSide *s, caromVec3 p, double *distance, caromVec3 *gradient);
double carom_patch_tile_bound(const caromTileSide *s, caromVec3 p, double radius);  // not more than any within the ball
// Of an ellipsoid, whose distance takes long to find: what it lies between. Of others nothing is known.
typedef struct caromTileRange {
    double least, most;
} caromTileRange;
caromTileRange carom_patch_tile_range(const caromTileSide *s, caromVec3 p);

// tiles.c: corners of tiles near a convex shape
void carom_patch_tile_points(const caromTileSide *s, caromPressPoints *points);

#endif
