// Vertices at the same place become one (STL knows only triangles, so every corner comes several times); triangles that
// add nothing go. Everything keeps its order: of equal things the first stays.
#include "geometry/mesh.h"

#include <float.h>

#include "base/base.h"

typedef struct VertexPlace {
    caromVec3 p;
    int index;
} VertexPlace;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);  // 0 and -0 are the same
}

static int compare_points(caromVec3 a, caromVec3 b)
{
    int c = compare_numbers(a.x, b.x);
    if (c == 0) c = compare_numbers(a.y, b.y);
    return c != 0 ? c : compare_numbers(a.z, b.z);
}

static int compare_places(const void *a, const void *b)
{
    const VertexPlace *x = a, *y = b;
    int c = compare_points(x->p, y->p);
    return c != 0 ? c : (x->index > y->index) - (x->index < y->index);
}

// Keeps the vertices that are their own first; corners of triangles become the first of theirs, in the new numbers.
static void renumber(caromMesh *mesh, int *first_of, int *new_index)
{
    int n = 0;
    for (int i = 0; i < mesh->nvertex; i++) {
        if (first_of[i] != i) continue;
        mesh->vertices[n] = mesh->vertices[i];
        new_index[i] = n++;
    }
    for (int t = 0; t < mesh->ntriangle; t++)
        for (int k = 0; k < 3; k++) mesh->triangles[t][k] = new_index[first_of[mesh->triangles[t][k]]];
    mesh->nvertex = n;
}

bool carom_mesh_merge_vertices(caromMesh *mesh, caromMeshReport *report)
{
    int n = mesh->nvertex;
    VertexPlace *places = carom_alloc_array((size_t)n, sizeof *places);
    int *first_of = carom_alloc_array((size_t)n, sizeof *first_of),
        *new_index = carom_alloc_array((size_t)n, sizeof *new_index);
    bool good = places && first_of && new_index;
    if (good) {
        for (int i = 0; i < n; i++) places[i] = (VertexPlace){ mesh->vertices[i], i };
        qsort(places, (size_t)n, sizeof *places, compare_places);
        for (int i = 0, leader = 0; i < n; i++) {
            if (i == 0 || compare_points(places[i].p, places[i - 1].p) != 0) leader = places[i].index;
            first_of[places[i].index] = leader;
        }
        renumber(mesh, first_of, new_index);
        report->vertices_merged = n - mesh->nvertex;
    }
    free(places);
    free(first_of);
    free(new_index);
    return good;
}

bool carom_mesh_remove_unused(caromMesh *mesh, caromMeshReport *report)
{
    int n = mesh->nvertex;
    int *first_of = carom_alloc_array((size_t)n, sizeof *first_of),
        *new_index = carom_alloc_array((size_t)n, sizeof *new_index);
    bool good = first_of && new_index;
    if (good) {
        for (int i = 0; i < n; i++) first_of[i] = -1;
        for (int t = 0; t < mesh->ntriangle; t++)
            for (int k = 0; k < 3; k++) first_of[mesh->triangles[t][k]] = mesh->triangles[t][k];
        renumber(mesh, first_of, new_index);
        report->vertices_unused = n - mesh->nvertex;
    }
    free(first_of);
    free(new_index);
    return good;
}

static int keep_triangles(caromMesh *mesh, const bool *goes)
{
    int n = 0, before = mesh->ntriangle;
    for (int t = 0; t < before; t++) {
        if (goes[t]) continue;
        for (int k = 0; k < 3; k++) mesh->triangles[n][k] = mesh->triangles[t][k];
        n++;
    }
    mesh->ntriangle = n;
    return before - n;
}

static double largest(caromVec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static caromVec3 divided(caromVec3 a, double s)
{
    return carom_vec(a.x/s, a.y/s, a.z/s);
}

// Corners were rounded to doubles, by up to eps M/2 in each coordinate of size M: a height of less than 4 eps M may be
// nothing but that. Edges are divided by the longest first, so that tiny triangles do not underflow.
bool carom_mesh_is_flat(const caromMesh *mesh, int t)
{
    const int *v = mesh->triangles[t];
    caromVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    caromVec3 ab = carom_sub(b, a), ac = carom_sub(c, a), bc = carom_sub(c, b);
    double M = fmax(largest(a), fmax(largest(b), largest(c))), L = fmax(largest(ab), fmax(largest(ac), largest(bc)));
    if (L == 0.0) return true;
    return carom_norm(carom_cross(divided(ab, L), divided(ac, L))) <= 4.0*DBL_EPSILON*(M/L);
}

static bool has_corner_twice(const int *v)
{
    return v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
}

// Flat ones go only if they have an edge to themselves, perhaps because another flat one has gone. Between three
// neighbours such a sliver fills the crack beside a vertex that lies on an edge: the surface is closed with it and open
// without, and it weighs nothing.
typedef struct Peel {
    caromMeshEdges edges;
    int *edge_of;           // of half-edges
    int *left;              // triangles at an edge that have not gone
    int *stack, nstack;     // loose ones whose neighbours are still to be looked at
    bool *is_flat, *goes;
} Peel;

static bool peel_make(Peel *peel, const caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    *peel = (Peel){ .edge_of = carom_alloc_array(3*n, sizeof(int)), .left = carom_alloc_array(3*n, sizeof(int)),
                    .stack = carom_alloc_array(n, sizeof(int)), .is_flat = carom_alloc_array(n, sizeof(bool)),
                    .goes = carom_alloc_array(n, sizeof(bool)) };
    if (!peel->edge_of || !peel->left || !peel->stack || !peel->is_flat || !peel->goes ||
        !carom_mesh_edges_find(mesh, &peel->edges)) return false;
    for (int e = 0; e < peel->edges.n; e++) {
        peel->left[e] = peel->edges.first[e + 1] - peel->edges.first[e];
        for (int i = peel->edges.first[e]; i < peel->edges.first[e + 1]; i++) peel->edge_of[peel->edges.half[i]] = e;
    }
    return true;
}

static void peel_free(Peel *peel)
{
    carom_mesh_edges_free(&peel->edges);
    free(peel->edge_of);
    free(peel->left);
    free(peel->stack);
    free(peel->is_flat);
    free(peel->goes);
}

// Of an edge with one triangle left, that one if it is flat. An edge comes to this once, so that all of it is linear.
static void take_loose(Peel *peel, int e)
{
    for (int i = peel->edges.first[e]; peel->left[e] == 1 && i < peel->edges.first[e + 1]; i++) {
        int t = peel->edges.half[i]/3;
        if (!peel->is_flat[t] || peel->goes[t]) continue;
        peel->goes[t] = true;
        peel->stack[peel->nstack++] = t;
    }
}

static void peel_off(Peel *peel)
{
    for (int e = 0; e < peel->edges.n; e++) {
        take_loose(peel, e);
        while (peel->nstack > 0) {
            int t = peel->stack[--peel->nstack];
            for (int k = 0; k < 3; k++) {
                int edge = peel->edge_of[3*t + k];
                peel->left[edge]--;
                take_loose(peel, edge);
            }
        }
    }
}

bool carom_mesh_remove_flat(caromMesh *mesh, caromMeshReport *report)
{
    int nflat = 0;
    for (int t = 0; t < mesh->ntriangle; t++) nflat += carom_mesh_is_flat(mesh, t);
    if (nflat == 0) return true;
    Peel peel;
    bool good = peel_make(&peel, mesh);
    if (good) {
        for (int t = 0; t < mesh->ntriangle; t++) peel.is_flat[t] = carom_mesh_is_flat(mesh, t);
        peel_off(&peel);
        int nremoved = keep_triangles(mesh, peel.goes);
        report->degenerate_removed += nremoved;
        report->flat_kept = nflat - nremoved;
    }
    peel_free(&peel);
    return good;
}

bool carom_mesh_remove_degenerate(caromMesh *mesh, caromMeshReport *report)
{
    bool *goes = carom_alloc_array((size_t)mesh->ntriangle, sizeof *goes);
    if (!goes) return false;
    for (int t = 0; t < mesh->ntriangle; t++) goes[t] = has_corner_twice(mesh->triangles[t]);
    report->degenerate_removed = keep_triangles(mesh, goes);
    free(goes);
    return true;
}

// Corners of a triangle from the smallest index on, so that turning it in its plane changes nothing.
static void canonical(const int *v, int *a, int *b, int *c)
{
    int k = v[0] < v[1] && v[0] < v[2] ? 0 : v[1] < v[2] ? 1 : 2;
    *a = v[k];
    *b = v[(k + 1)%3];
    *c = v[(k + 2)%3];
}

// Triangles with the same corners and opposite sides both stay: they may be the wall between two solids that touch.
bool carom_mesh_remove_duplicates(caromMesh *mesh, caromMeshReport *report)
{
    int n = mesh->ntriangle;
    size_t size = (size_t)n;
    int *key[3] = { carom_alloc_array(size, sizeof(int)), carom_alloc_array(size, sizeof(int)),
                    carom_alloc_array(size, sizeof(int)) };
    int *order = carom_alloc_array(size, sizeof *order), *spare = carom_alloc_array(size, sizeof *spare);
    int *count = carom_alloc_array((size_t)mesh->nvertex + 1, sizeof *count);
    bool *goes = carom_alloc_array(size, sizeof *goes);
    bool good = key[0] && key[1] && key[2] && order && spare && count && goes;
    if (good) {
        for (int t = 0; t < n; t++) {
            canonical(mesh->triangles[t], &key[0][t], &key[1][t], &key[2][t]);
            order[t] = t;
        }
        for (int k = 2; k >= 0; k--) carom_geometry_counting_sort(order, spare, n, key[k], mesh->nvertex, count);
        for (int i = 1; i < n; i++) {
            int t = order[i], before = order[i - 1];
            goes[t] = key[0][t] == key[0][before] && key[1][t] == key[1][before] && key[2][t] == key[2][before];
        }
        report->duplicates_removed = keep_triangles(mesh, goes);
    }
    for (int k = 0; k < 3; k++) free(key[k]);
    free(order);
    free(spare);
    free(count);
    free(goes);
    return good;
}
