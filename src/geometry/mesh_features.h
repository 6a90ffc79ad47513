// Corners, edges and faces of a mesh as those of a solid: what of it can touch.
//
// A face is all triangles that lie in one plane and are connected: between two of them there is no edge. So a cube of
// twelve triangles has six faces, twelve edges and eight corners, however its faces are cut up.
#ifndef CAROM_SRC_GEOMETRY_MESH_FEATURES_H
#define CAROM_SRC_GEOMETRY_MESH_FEATURES_H

#include "geometry/mesh.h"

// FLAT: within a face, or between triangles that turn their backs on what is outside (a concave edge touches nothing
// that its ends and faces do not).
typedef enum caromMeshEdgeKind { CAROM_MESH_EDGE_FLAT, CAROM_MESH_EDGE_SHARP } caromMeshEdgeKind;

struct caromMeshFeatures {
    int *edge_first;         // half-edges of edge e (tree->edges): edge_halves[edge_first[e]] ..   [nedge + 1]
    int *edge_halves;        // 3 place + k, by place: the first one owns the edge   [3 ntriangle]
    int *corner_first;       // the same of vertices   [nvertex + 1]
    int *corner_halves;      // 3 place + k of corner k, by place: the first one owns it   [3 ntriangle]
    int *face;               // of each place: the place of its face's largest triangle; -1: no area   [ntriangle]
    uint8_t *edge_kind;      // caromMeshEdgeKind   [nedge]
    caromVec3 *edge_out;     // sum of the unit normals of its faces   [nedge]
    caromVec3 *corner_out;   // the same, weighted by angles [Baerentzen05]   [nvertex]
    bool is_hollow_nowhere;  // every edge is convex or flat
    uint8_t *is_corner;      // can touch: not within a face, along a straight edge, or in a hollow   [nvertex]
};

bool carom_mesh_features_find(caromMesh *mesh);  // false: out of memory. Needs the tree
void carom_mesh_features_free(caromMesh *mesh);

// A solid of one piece that is convex at every edge, but for roundings, and so all over.
static inline bool carom_mesh_is_convex(const caromMesh *mesh)
{
    return mesh->features->is_hollow_nowhere && mesh->npart == 1 && carom_mesh_is_solid(mesh);
}

static inline caromVec3 carom_mesh_place_normal(const caromMesh *mesh, int place)  // twice the area long
{
    const caromVec3 *x = mesh->tree.corners[place];
    return carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0]));
}
// Is it sharp, and do the triangles at the edge fall away from its direction `out` by more than -steep of their width?
// Of a unit vector square to the edge.
bool carom_mesh_edge_faces(const caromMesh *mesh, int edge, caromVec3 out, double steep);
// The same of the edges at a corner.
bool carom_mesh_corner_faces(const caromMesh *mesh, int corner, caromVec3 out, double steep);

#endif
