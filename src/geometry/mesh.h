// What is inside a mesh, and the steps that make one.
#ifndef CAROM_SRC_GEOMETRY_MESH_H
#define CAROM_SRC_GEOMETRY_MESH_H

#include <stdatomic.h>

#include "carom/mesh.h"

// How far the points of a node reach along directions over the whole sphere: those from the middle of a cube to the
// points of a grid on its faces. Rounded up.
enum { CAROM_REACH_CELLS = 8, CAROM_REACH_LINES = CAROM_REACH_CELLS + 1,
       CAROM_REACHES = 6*CAROM_REACH_LINES*CAROM_REACH_LINES };
typedef struct caromMeshReach {
    float along[CAROM_REACHES];
} caromMeshReach;

// A box turned with what it holds, in the frame of the mesh. Its support function along d is d.centre + sum |d.axis_k|
// half_k.
typedef struct caromMeshNode {
    caromVec3 centre, half;
    caromMat3 axes;          // columns; the longest half first
    // Inner node: its children are first and first + 1; leaf: its triangles are at the places first ..
    // first + count - 1.
    int first;
    int count;               // 0: an inner node
    int reach;               // its row of the tree's reaches; -1: few points, look at all of them
    int first_point, npoint; // corners of all its triangles, those of a leaf without repetition: in the tree's points
    int first_edge, nedge;   // leaf: edges in the tree's leaf_edges
    int reserved;
} caromMeshNode;

// An edge belongs to the leaf with its first triangle by place: each is found once.
typedef struct caromLeafEdge {
    uint8_t p, q;            // points of the leaf; p has the lower number
    uint8_t triangle, k;     // of the leaf; edge k of that
} caromLeafEdge;

// Triangles in a leaf, nodes from root to leaf, points of a node without a row of reaches: at most.
enum { CAROM_MESH_LEAF = 8, CAROM_MESH_DEPTH_MAX = 96, CAROM_MESH_SCAN_MAX = 24 };

// Triangles in the order of the leaves: a place is an index into these arrays.
typedef struct caromMeshTree {
    caromMeshNode *nodes;    // root first   [nnode]
    int nnode;
    caromVec3 (*corners)[3]; // [ntriangle]
    int (*vertices)[3];      // of the mesh, at the corners   [ntriangle]
    int (*edges)[3];         // edge k is between corners k and k + 1   [ntriangle]
    int *triangle;           // of the mesh, at a place   [ntriangle]
    caromVec3 *points;       // leaf by leaf   [npoint]
    int *first_corner;       // 3 place + k of a point that belongs to the leaf, as edges do; -1   [npoint]
    uint8_t (*local)[3];     // corners as points of the leaf   [ntriangle]
    caromLeafEdge *leaf_edges;  // leaf by leaf   [nedge]
    int npoint;
    int nedge;
    caromMeshReach *reaches; // of nodes with many points   [nreach]
    int nreach;
} caromMeshTree;

typedef struct caromMeshFeatures caromMeshFeatures;  // mesh_features.h

struct caromMesh {
    atomic_int owners;
    caromVec3 *vertices;     // [nvertex]
    int (*triangles)[3];     // counter-clockwise from outside   [ntriangle]
    int nvertex, ntriangle;
    caromMeshReport report;
    caromMassProps solid;    // at density 1; zero unless the surface is closed and oriented
    double area;
    double reach;            // largest distance of a vertex from So
    // A vertex of each component and the one farthest from it, to ask where it is as a whole [npart].
    int (*parts)[2];
    int npart;
    caromMeshTree tree;
    caromMeshFeatures *features;
    void *block;             // holds some of these arrays if the mesh comes from bytes (mesh_store.c); else NULL
};

// Twice the area times the normal of triangle t.
static inline caromVec3 carom_mesh_normal(const caromMesh *mesh, int t)
{
    const int *v = mesh->triangles[t];
    caromVec3 a = mesh->vertices[v[0]];
    return carom_cross(carom_sub(mesh->vertices[v[1]], a), carom_sub(mesh->vertices[v[2]], a));
}

// ---- mesh_clean.c: vertices and triangles that should not be there. False: out of memory.

bool carom_mesh_merge_vertices(caromMesh *mesh, caromMeshReport *report);
bool carom_mesh_remove_degenerate(caromMesh *mesh, caromMeshReport *report);  // with a corner twice
bool carom_mesh_remove_duplicates(caromMesh *mesh, caromMeshReport *report);
bool carom_mesh_remove_flat(caromMesh *mesh, caromMeshReport *report);        // after those
bool carom_mesh_remove_unused(caromMesh *mesh, caromMeshReport *report);
bool carom_mesh_is_flat(const caromMesh *mesh, int t);                        // no area within rounding

// ---- mesh_edges.c: which triangles share an edge. Half-edge 3 t + k runs from corner k of triangle t to the next.

typedef struct caromMeshEdges {
    int *half;   // half-edges, those of an edge together and by triangle   [3 ntriangle]
    int *first;  // edge e has half[first[e]] .. half[first[e + 1] - 1]    [n + 1]
    int n;
} caromMeshEdges;

bool carom_mesh_edges_find(const caromMesh *mesh, caromMeshEdges *edges);  // false: out of memory
void carom_mesh_edges_free(caromMeshEdges *edges);
// Stable: items with smaller keys first, keys 0 .. nkey - 1. count has room for nkey + 1.
void carom_geometry_counting_sort(int *items, int *spare, int n, const int *key_of_item, int nkey, int *count);

// 1: from the smaller to the larger index; -1: back.
static inline int carom_mesh_way(const caromMesh *mesh, int h)
{
    const int *v = mesh->triangles[h/3];
    return v[h%3] < v[(h%3 + 1)%3] ? 1 : -1;
}

// ---- mesh_orient.c: every component consistent, closed ones outward (inward where they are cavities)

bool carom_mesh_orient(caromMesh *mesh, caromMeshReport *report);

// ---- mesh_tree.c

bool carom_mesh_tree_build(caromMesh *mesh);  // false: out of memory. Needs vertices and triangles only
// The edge of each half-edge   [3 ntriangle], and how many there are; false: out of memory.
bool carom_mesh_number_edges(const caromMesh *mesh, int *edge_of_half, int *nedge);
void carom_mesh_tree_free(caromMeshTree *tree);
// false: out of memory. Fills in what belongs to leaves and which nodes have a row of reaches; needs nodes,
// corners, vertices and edges
bool carom_mesh_tree_points(caromMesh *mesh);
bool carom_mesh_find_parts(caromMesh *mesh);  // false: out of memory

static inline bool carom_mesh_is_solid(const caromMesh *mesh)
{
    return mesh->solid.mass > 0.0;
}

// ---- mesh_cross.c

bool carom_mesh_find_crossings(const caromMesh *mesh, caromMeshReport *report);  // false: out of memory. Needs the tree

// ---- mesh_store.c

// All of a mesh as bytes, which end at length; the first ones, as many as before says (a multiple of 8), are left to
// the caller. free() it; NULL: out of memory. And back: NULL if they are no mesh, or out of memory. The block is from
// malloc; if it is NULL afterwards it was taken over, and the mesh frees it. The layout is that of this machine and of
// CAROM_MESH_LAYOUT, to be counted up with every change of meshes or their making.
enum { CAROM_MESH_LAYOUT = 6 };
void *carom_mesh_to_bytes(const caromMesh *mesh, size_t before, size_t *length);
caromMesh *carom_mesh_from_bytes(void **block, size_t before, size_t length);
void carom_mesh_free_block(caromMesh *mesh);

// ---- mesh_mass.c

// At density 1, by tetrahedra from o; zero where the volume, which has a sign, is not positive.
caromMassProps carom_mesh_solid(const caromMesh *mesh, caromVec3 o, double *volume);

#endif
