// Shapes as trees of convex pieces, for searches that divide and bound.
//
// A mesh has the boxes of its nodes and at the end its triangles; a torus has arcs, each within a capsule, halved until
// the capsule is as thin as the tube but for rounding; a convex shape is one piece. A piece is named by a number.
#ifndef CAROM_SRC_SWEEP_HIERARCHY_H
#define CAROM_SRC_SWEEP_HIERARCHY_H

#include "meshgap/meshgap.h"

enum { CAROM_RING_DEPTH = 26, CAROM_PIECES_MAX = CAROM_MESH_LEAF };

typedef struct caromPiece {
    caromShape shape;             // bounded, convex
    caromCore core;
    caromPose X_SP;               // its frame in that of the whole
    double size;                  // half of its length
    bool is_leaf;
    const caromVec3 *corners;     // of a triangle, in the frame of the whole; NULL: no triangle
    const int *vertices;
    caromTriangleShape triangle;  // the shape points into it: do not copy
} caromPiece;

int carom_sweep_piece_root(const caromShape *shape);
void carom_sweep_piece(const caromShape *shape, int id, caromPiece *piece);
// A point inside it, in the frame of the whole.
caromVec3 carom_sweep_piece_middle(const caromPiece *piece);
// Of a piece that is not a leaf: their numbers; returns how many.
int carom_sweep_piece_children(const caromShape *shape, int id, int children[CAROM_PIECES_MAX]);

// ---- piece_gap.c. X_A, X_B: poses of the wholes

double carom_sweep_core_reach(const caromCore *core);  // of its points from its origin, at most; without its radius

// Exact. Of two triangles that cross: g = 0. The pieces are not changed but for which side of a triangle comes first.
caromGap carom_sweep_pieces_gap(caromPiece *a, caromPiece *b, const caromPose *X_A, const caromPose *X_B,
                                caromWarmStart *warm);
// A direction from a to b that keeps them apart, roughly the best; false: they overlap but for their radii.
bool carom_sweep_pieces_direction(const caromPiece *a, const caromPiece *b, const caromPose *X_A, const caromPose *X_B,
                                  caromVec3 *n);

#endif
