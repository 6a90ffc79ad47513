// State of a search through two meshes (mesh_pair.c), and what it does where it arrives at leaves.
#ifndef CAROM_SRC_COLLIDE_MESH_SEARCH_H
#define CAROM_SRC_COLLIDE_MESH_SEARCH_H

#include "collide/meshes.h"

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
    void (*visit)(void *user, const caromTriangleGap *gap, int place_a, int place_b);  // NULL: the nearest is asked for
    void *user;
} caromMeshSearch;

void carom_mesh_look_along(caromMeshSearch *s, caromVec3 d);

// Takes what is nearer than the best into it.
void carom_mesh_leaves_nearest(caromMeshSearch *s, const caromMeshNode *a, const caromMeshNode *b);

#endif
