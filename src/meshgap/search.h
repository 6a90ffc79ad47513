// State of a search through two meshes (pair.c), and what it does where it arrives at leaves.
#ifndef CAROM_SRC_MESHGAP_SEARCH_H
#define CAROM_SRC_MESHGAP_SEARCH_H

#include "meshgap/meshgap.h"

// Points of a leaf in the frame of A, and how high they are along the normal (of B: against it).
typedef struct caromSearchLeaf {
    const caromMeshTree *tree;
    const caromMeshNode *node;
    int n, highest, turns;
    double top;
    caromVec3 p[3*CAROM_MESH_LEAF];
    double h[3*CAROM_MESH_LEAF];
} caromSearchLeaf;

typedef struct caromMeshSearch {
    const caromMeshPair *p;
    caromNearest best;
    int rank;            // of the best among those of the same two triangles
    double least;        // nothing farther is of interest: distance of the best pair, and what its roundings may be
    double slack;
    caromVec3 d_A;       // its normal; 0: none yet
    caromProbe up_A;     // along it in the frame of A, against it in that of B
    caromProbe down_B;
    double shift;        // of B's origin along it
    int turns;           // how often it has changed
    caromTrianglesVisitor visit;  // NULL: the nearest is asked for
    void *user;
    caromSearchLeaf leaf_a, leaf_b;  // the last ones
} caromMeshSearch;

void carom_meshgap_look_along(caromMeshSearch *s, caromVec3 d);

// Takes what is nearer than the best into it.
void carom_meshgap_leaves_nearest(caromMeshSearch *s, const caromMeshNode *a, const caromMeshNode *b);
// Shows the visitor every two triangles that may be nearer than s->least.
void carom_meshgap_leaves_each(caromMeshSearch *s, const caromMeshNode *a, const caromMeshNode *b);

#endif
