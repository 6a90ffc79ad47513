// Holes of few edges become triangles between their corners, those of the least area in all [Barequet95].
#include "geometry/mesh.h"

#include <string.h>

#include "base/base.h"

enum { NONE = -1, SEVERAL = -2 };

typedef struct Holes {
    const caromMesh *mesh;
    int *next;            // vertex behind this one around its hole; NONE: it is on none; SEVERAL: on more than one
    int *loop;            // vertices of the hole that is looked at   [CAROM_MESH_HOLE_MAX]
    double *least;        // area between corners i and j   [CAROM_MESH_HOLE_MAX^2]
    int *split;           // the corner between them        [CAROM_MESH_HOLE_MAX^2]
    int (*triangles)[3];  // those of the mesh, and the new ones behind them
    int ntriangle, capacity;
} Holes;

// The hole is left of its boundary, which runs against the triangles at it.
static void link_edge(Holes *holes, int half)
{
    const int *v = holes->mesh->triangles[half/3];
    int from = v[(half%3 + 1)%3], to = v[half%3];
    holes->next[from] = holes->next[from] == NONE ? to : SEVERAL;
}

static bool link_edges(Holes *holes)
{
    caromMeshEdges edges;
    if (!carom_mesh_edges_find(holes->mesh, &edges)) return false;
    for (int i = 0; i < holes->mesh->nvertex; i++) holes->next[i] = NONE;
    for (int e = 0; e < edges.n; e++)
        if (edges.first[e + 1] - edges.first[e] == 1) link_edge(holes, edges.half[edges.first[e]]);
    carom_mesh_edges_free(&edges);
    return true;
}

// How many corners the hole at a vertex has; 0: more than allowed, or its boundary meets itself or ends.
static int trace(Holes *holes, int start, int most)
{
    int n = 0, v = start;
    do {
        if (n == most || holes->next[v] < 0) return 0;
        holes->loop[n++] = v;
        v = holes->next[v];
    } while (v != start);
    return n >= 3 ? n : 0;
}

static double area(const Holes *holes, int i, int j, int k)
{
    const caromVec3 *p = holes->mesh->vertices;
    caromVec3 a = p[holes->loop[i]];
    return 0.5*carom_norm(carom_cross(carom_sub(p[holes->loop[j]], a), carom_sub(p[holes->loop[k]], a)));
}

static int place(int i, int j)
{
    return i*CAROM_MESH_HOLE_MAX + j;
}

// least(i, j) = min over k between them of least(i, k) + least(k, j) + area(i, k, j)
static void find_least(Holes *holes, int n)
{
    for (int i = 0; i + 1 < n; i++) holes->least[place(i, i + 1)] = 0.0;
    for (int span = 2; span < n; span++)
        for (int i = 0; i + span < n; i++) {
            double best = INFINITY;
            for (int k = i + 1; k < i + span; k++) {
                double sum = holes->least[place(i, k)] + holes->least[place(k, i + span)] +
                             area(holes, i, k, i + span);
                if (!(sum < best)) continue;
                best = sum;
                holes->split[place(i, i + span)] = k;
            }
            holes->least[place(i, i + span)] = best;
        }
}

// Depth first; the stack never has more ranges than corners.
static void add_triangles(Holes *holes, int n)
{
    int stack[CAROM_MESH_HOLE_MAX][2] = { { 0, n - 1 } };
    for (int depth = 1; depth > 0;) {
        int i = stack[--depth][0], j = stack[depth][1];
        if (j - i < 2) continue;
        int k = holes->split[place(i, j)], *v = holes->triangles[holes->ntriangle++];
        v[0] = holes->loop[i], v[1] = holes->loop[k], v[2] = holes->loop[j];
        stack[depth][0] = i, stack[depth++][1] = k;
        stack[depth][0] = k, stack[depth++][1] = j;
    }
}

// The capacity is that of one triangle for each open edge: a hole of n edges takes n - 2.
static void fill(Holes *holes, int edges_max, caromMeshHoles *result)
{
    for (int v = 0; v < holes->mesh->nvertex; v++) {
        int n = holes->next[v] < 0 ? 0 : trace(holes, v, edges_max);
        if (n == 0) continue;
        find_least(holes, n);
        add_triangles(holes, n);
        for (int i = 0; i < n; i++) holes->next[holes->loop[i]] = NONE;
        result->closed++;
        result->triangles += n - 2;
    }
}

static bool make(Holes *holes, const caromMesh *mesh)
{
    size_t square = (size_t)CAROM_MESH_HOLE_MAX*CAROM_MESH_HOLE_MAX;
    *holes = (Holes){ .mesh = mesh, .capacity = mesh->ntriangle + mesh->report.open_edges,
                      .ntriangle = mesh->ntriangle };
    holes->next = carom_alloc_array((size_t)mesh->nvertex, sizeof *holes->next);
    holes->loop = carom_alloc_array(CAROM_MESH_HOLE_MAX, sizeof *holes->loop);
    holes->least = carom_alloc_array(square, sizeof *holes->least);
    holes->split = carom_alloc_array(square, sizeof *holes->split);
    holes->triangles = carom_alloc_array((size_t)holes->capacity, sizeof *holes->triangles);
    if (!holes->next || !holes->loop || !holes->least || !holes->split || !holes->triangles) return false;
    memcpy(holes->triangles, mesh->triangles, (size_t)mesh->ntriangle*sizeof *mesh->triangles);
    return link_edges(holes);
}

static void release(Holes *holes)
{
    free(holes->next);
    free(holes->loop);
    free(holes->least);
    free(holes->split);
    free(holes->triangles);
}

caromMesh *carom_mesh_close_holes(const caromMesh *mesh, int edges_max, caromMeshHoles *result, caromError *err)
{
    Holes holes;
    caromMeshHoles own;
    caromMesh *closed = NULL;
    if (!result) result = &own;
    *result = (caromMeshHoles){ 0 };
    if (edges_max < 3 || edges_max > CAROM_MESH_HOLE_MAX) {
        carom_fail(err, CAROM_ERR_INPUT, "edges_max", "is %d, expected 3 to %d edges of a hole", edges_max,
                   CAROM_MESH_HOLE_MAX);
        return NULL;
    }
    if (make(&holes, mesh)) {
        fill(&holes, edges_max, result);
        closed = carom_mesh_create(mesh->vertices, mesh->nvertex, (const int (*)[3])holes.triangles, holes.ntriangle,
                                   NULL, err);
    } else carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for the holes of %d triangles", mesh->ntriangle);
    release(&holes);
    if (!closed) return NULL;
    closed->report.unit = mesh->report.unit;
    closed->report.bytes_ignored = mesh->report.bytes_ignored;
    return closed;
}
