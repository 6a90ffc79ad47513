// What is inside a mesh, and the steps that make one.
#ifndef CAROM_SRC_GEOMETRY_MESH_H
#define CAROM_SRC_GEOMETRY_MESH_H

#include "carom/mesh.h"

struct caromMesh {
    caromVec3 *vertices;     // [nvertex]
    int (*triangles)[3];     // counter-clockwise from outside   [ntriangle]
    int nvertex, ntriangle;
    caromMassProps solid;    // at density 1; zero unless the surface is closed and oriented
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

// ---- mesh_edges.c: which triangles share an edge. Half-edge 3 t + k runs from corner k of triangle t to the next.

typedef struct caromMeshEdges {
    int *half;   // half-edges, those of an edge together and by triangle   [3 ntriangle]
    int *first;  // edge e has half[first[e]] .. half[first[e + 1] - 1]    [n + 1]
    int n;
} caromMeshEdges;

bool carom_mesh_edges_find(const caromMesh *mesh, caromMeshEdges *edges);  // false: out of memory
void carom_mesh_edges_free(caromMeshEdges *edges);
// Stable: items with smaller keys first, keys 0 .. nkey - 1. count has room for nkey + 1.
void carom_counting_sort(int *items, int *spare, int n, const int *key_of_item, int nkey, int *count);

// 1: from the smaller to the larger index; -1: back.
static inline int carom_mesh_way(const caromMesh *mesh, int h)
{
    const int *v = mesh->triangles[h/3];
    return v[h%3] < v[(h%3 + 1)%3] ? 1 : -1;
}

// ---- mesh_orient.c: every component consistent, closed ones outward (inward where they are cavities)

bool carom_mesh_orient(caromMesh *mesh, caromMeshReport *report);

// ---- mesh_mass.c

// At density 1, by tetrahedra from o; zero where the volume, which has a sign, is not positive.
caromMassProps carom_mesh_solid(const caromMesh *mesh, caromVec3 o, double *volume);

#endif
