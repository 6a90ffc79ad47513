// A finished mesh as bytes, for caches: what takes long to make is in them, what is quick to find again
// (edges, corners by place) is not. Bytes are those of the machine that wrote them. Whatever they are, reading them
// back does no harm: every index is checked, the nodes must be a tree, numbers are finite.
#include "geometry/mesh_features.h"

#include <string.h>

#include "base/base.h"

typedef struct StoredCounts { int32_t vertex, triangle, node, part, reach, reserved; } StoredCounts;

static const size_t ints[] = {
    offsetof(caromMeshReport, vertices_read),      offsetof(caromMeshReport, vertices_merged),
    offsetof(caromMeshReport, vertices_unused),
    offsetof(caromMeshReport, triangles_read),     offsetof(caromMeshReport, degenerate_removed),
    offsetof(caromMeshReport, duplicates_removed),
    offsetof(caromMeshReport, flat_kept),          offsetof(caromMeshReport, triangles_turned),
    offsetof(caromMeshReport, open_edges),
    offsetof(caromMeshReport, crowded_edges),      offsetof(caromMeshReport, components),
    offsetof(caromMeshReport, components_turned),
    offsetof(caromMeshReport, crossings),
};
static const size_t claims[] = {
    offsetof(caromMeshReport, are_crossings_counted), offsetof(caromMeshReport, is_nesting_known),
    offsetof(caromMeshReport, is_closed),
    offsetof(caromMeshReport, is_oriented),
};
static const size_t numbers[] = {
    offsetof(caromMeshReport, low.x),  offsetof(caromMeshReport, low.y),  offsetof(caromMeshReport, low.z),
    offsetof(caromMeshReport, high.x),
    offsetof(caromMeshReport, high.y), offsetof(caromMeshReport, high.z), offsetof(caromMeshReport, area),
    offsetof(caromMeshReport, volume), offsetof(caromMeshReport, unit),
};
enum { INTS = sizeof ints/sizeof ints[0], CLAIMS = sizeof claims/sizeof claims[0],
       NUMBERS = sizeof numbers/sizeof numbers[0] };

// Plain numbers only, in all of them: no bytes in between whose value is anybody's guess.
_Static_assert(sizeof(caromMassProps) == 13*sizeof(double) &&
               sizeof(caromMeshNode) == 15*sizeof(double) + 8*sizeof(int) && sizeof(int) == 4, "layout");

// The small things.
typedef struct Facts {
    int32_t ints[INTS], claims[CLAIMS], reserved;
    double numbers[NUMBERS];
    uint64_t bytes_ignored;
    caromMassProps solid;
    double area, reach;
} Facts;
_Static_assert(sizeof(StoredCounts)%sizeof(double) == 0 && sizeof(caromMeshNode)%sizeof(double) == 0, "alignment");
_Static_assert(sizeof(Facts) == 4*(INTS + CLAIMS + 1) + 8*(NUMBERS + 1 + 13 + 2), "layout");

static Facts facts_of(const caromMesh *mesh)
{
    Facts f = { .bytes_ignored = mesh->report.bytes_ignored, .solid = mesh->solid, .area = mesh->area,
                .reach = mesh->reach };
    const char *report = (const char *)&mesh->report;
    for (int i = 0; i < INTS; i++) f.ints[i] = *(const int *)(const void *)(report + ints[i]);
    for (int i = 0; i < CLAIMS; i++) f.claims[i] = *(const bool *)(const void *)(report + claims[i]);
    for (int i = 0; i < NUMBERS; i++) f.numbers[i] = *(const double *)(const void *)(report + numbers[i]);
    return f;
}

static void take_facts(caromMesh *mesh, const Facts *f)
{
    char *report = (char *)&mesh->report;
    for (int i = 0; i < INTS; i++) *(int *)(void *)(report + ints[i]) = f->ints[i];
    for (int i = 0; i < CLAIMS; i++) *(bool *)(void *)(report + claims[i]) = f->claims[i] != 0;
    for (int i = 0; i < NUMBERS; i++) *(double *)(void *)(report + numbers[i]) = f->numbers[i];
    mesh->report.bytes_ignored = (size_t)f->bytes_ignored;
    mesh->solid = f->solid;
    mesh->area = f->area;
    mesh->reach = f->reach;
}

// ---- writing

static size_t bytes_of(const StoredCounts *n)
{
    const caromMesh *mesh = NULL;
    return sizeof *n + sizeof(Facts) + (size_t)n->vertex*sizeof *mesh->vertices +
           (size_t)n->triangle*(sizeof *mesh->triangles + sizeof *mesh->tree.triangle) +
           (size_t)n->node*sizeof *mesh->tree.nodes + (size_t)n->part*sizeof *mesh->parts +
           (size_t)n->reach*sizeof *mesh->tree.reaches;
}

static char *put(char *at, const void *from, size_t count, size_t size)
{
    memcpy(at, from, count*size);
    return at + count*size;
}

void *carom_mesh_to_bytes(const caromMesh *mesh, size_t before, size_t *length)
{
    const caromMeshTree *tree = &mesh->tree;
    StoredCounts n = { mesh->nvertex, mesh->ntriangle, tree->nnode, mesh->npart, tree->nreach, 0 };
    Facts facts = facts_of(mesh);
    *length = before + bytes_of(&n);
    char *bytes = malloc(*length), *at = bytes + before;
    if (!bytes) return NULL;
    at = put(at, &n, 1, sizeof n);
    at = put(at, &facts, 1, sizeof facts);
    at = put(at, mesh->vertices, (size_t)n.vertex, sizeof *mesh->vertices);
    at = put(at, tree->nodes, (size_t)n.node, sizeof *tree->nodes);  // doubles before ints: each array is aligned
    at = put(at, mesh->triangles, (size_t)n.triangle, sizeof *mesh->triangles);
    at = put(at, tree->triangle, (size_t)n.triangle, sizeof *tree->triangle);
    at = put(at, mesh->parts, (size_t)n.part, sizeof *mesh->parts);
    put(at, tree->reaches, (size_t)n.reach, sizeof *tree->reaches);
    return bytes;
}

// ---- reading

static bool is_between(int i, int low, int end)
{
    return i >= low && i < end;
}

static bool counts_are_good(const StoredCounts *n, size_t length)
{
    return is_between(n->triangle, 1, CAROM_MESH_TRIANGLES_MAX + 1) &&
           is_between(n->vertex, 3, 3*CAROM_MESH_TRIANGLES_MAX + 1) && is_between(n->node, 1, n->triangle + 1) &&
           is_between(n->part, 1, n->vertex + 1) && is_between(n->reach, 0, n->node + 1) && n->reserved == 0 &&
           bytes_of(n) == length;
}

// 0 x is NaN from the first that is not, and stays so; four sums, as additions wait for each other.
static bool are_finite(const void *doubles, size_t n)
{
    double sum[4] = { 0, 0, 0, 0 }, x;
    for (size_t i = 0; i < n; i++) {
        memcpy(&x, (const char *)doubles + i*sizeof x, sizeof x);
        sum[i%4] += 0.0*x;
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

static bool facts_are_good(const Facts *f)
{
    for (int i = 0; i < INTS; i++)
        if (f->ints[i] < 0) return false;
    for (int i = 0; i < CLAIMS; i++)
        if (!is_between(f->claims[i], 0, 2)) return false;
    return f->reserved == 0 && f->bytes_ignored <= CAROM_MESH_BYTES_MAX && are_finite(f->numbers, NUMBERS) &&
           are_finite(&f->solid, 13) && f->solid.mass >= 0.0 && isfinite(f->area) && isfinite(f->reach) &&
           f->area >= 0.0 && f->reach >= 0.0;
}

static bool vertices_are_good(const caromMesh *mesh)
{
    for (int i = 0; i < mesh->nvertex; i++) {
        caromVec3 p = mesh->vertices[i];
        if (!(fabs(p.x) <= CAROM_MESH_SIZE_MAX && fabs(p.y) <= CAROM_MESH_SIZE_MAX && fabs(p.z) <= CAROM_MESH_SIZE_MAX))
            return false;
    }
    for (int i = 0; i < mesh->npart; i++)
        if (!is_between(mesh->parts[i][0], 0, mesh->nvertex) || !is_between(mesh->parts[i][1], 0, mesh->nvertex))
            return false;
    return true;
}

static bool triangles_are_good(const caromMesh *mesh)
{
    for (int t = 0; t < mesh->ntriangle; t++) {
        const int *v = mesh->triangles[t];
        for (int k = 0; k < 3; k++)
            if (!is_between(v[k], 0, mesh->nvertex) || v[k] == v[(k + 1)%3]) return false;
    }
    return true;
}

static bool node_is_good(const caromMeshNode *node, int i, int nnode, int ntriangle)
{
    if (!are_finite(node, 15) || !(node->half.x >= 0.0 && node->half.y >= 0.0 && node->half.z >= 0.0)) return false;
    if (node->count == 0) return node->first > i && node->first < nnode - 1;
    return is_between(node->count, 1, CAROM_MESH_LEAF + 1) && is_between(node->first, 0, ntriangle - node->count + 1);
}

// Children come behind their parent, every node but the root has one parent, and no leaf is deeper than stacks are: a
// tree. Leaves have every place once.
static bool nodes_are_good(const caromMesh *mesh, int *depth, bool *is_taken)
{
    const caromMeshTree *tree = &mesh->tree;
    int taken = 0;
    depth[0] = 1;
    for (int i = 0; i < tree->nnode; i++) {
        const caromMeshNode *node = &tree->nodes[i];
        if (!node_is_good(node, i, tree->nnode, mesh->ntriangle) || depth[i] == 0 || depth[i] > CAROM_MESH_DEPTH_MAX)
            return false;
        for (int k = 0; node->count == 0 && k < 2; k++) {
            if (depth[node->first + k] != 0) return false;
            depth[node->first + k] = depth[i] + 1;
        }
        for (int k = 0; k < node->count; k++) {
            if (is_taken[node->first + k]) return false;
            is_taken[node->first + k] = true;
            taken++;
        }
    }
    return taken == mesh->ntriangle;
}

static bool places_are_good(const caromMesh *mesh, bool *is_taken)
{
    for (int i = 0; i < mesh->ntriangle; i++) {
        int t = mesh->tree.triangle[i];
        if (!is_between(t, 0, mesh->ntriangle) || is_taken[t]) return false;
        is_taken[t] = true;
    }
    return true;
}

static bool tree_is_good(const caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    int *depth = carom_alloc_array(n, sizeof *depth);  // as many nodes at most
    bool *is_taken = carom_alloc_array(2*n, sizeof *is_taken);
    bool good = depth && is_taken && nodes_are_good(mesh, depth, is_taken) && places_are_good(mesh, is_taken + n);
    free(depth);
    free(is_taken);
    return good;
}

static bool reaches_are_good(const caromMeshTree *tree)
{
    float sum[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < tree->nreach; i++)
        for (int k = 0; k < CAROM_REACHES; k++) sum[k%4] += 0.0F*tree->reaches[i].along[k];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0F;
}

static void *get(char **at, size_t count, size_t size)
{
    void *items = *at;
    *at += count*size;
    return items;
}

static bool look_up_corners(caromMesh *mesh)
{
    caromMeshTree *tree = &mesh->tree;
    int *edge_of_half = carom_alloc_array(3*(size_t)mesh->ntriangle, sizeof *edge_of_half);
    bool good = edge_of_half && carom_mesh_number_edges(mesh, edge_of_half, &tree->nedge);
    for (int i = 0; good && i < mesh->ntriangle; i++)
        for (int k = 0; k < 3; k++) {
            int t = tree->triangle[i];
            tree->vertices[i][k] = mesh->triangles[t][k];
            tree->corners[i][k] = mesh->vertices[tree->vertices[i][k]];
            tree->edges[i][k] = edge_of_half[3*t + k];
        }
    free(edge_of_half);
    return good;
}

// Arrays of the mesh that were written stay where they are in the block; a mesh knows whose they are when it is
// destroyed.
static bool fill(caromMesh *mesh, const StoredCounts *n, char *at)
{
    caromMeshTree *tree = &mesh->tree;
    mesh->nvertex = n->vertex, mesh->ntriangle = n->triangle, mesh->npart = n->part;
    tree->nnode = n->node;
    mesh->vertices = get(&at, (size_t)n->vertex, sizeof *mesh->vertices);
    tree->nodes = get(&at, (size_t)n->node, sizeof *tree->nodes);
    mesh->triangles = get(&at, (size_t)n->triangle, sizeof *mesh->triangles);
    tree->triangle = get(&at, (size_t)n->triangle, sizeof *tree->triangle);
    mesh->parts = get(&at, (size_t)n->part, sizeof *mesh->parts);
    tree->reaches = get(&at, (size_t)n->reach, sizeof *tree->reaches);
    tree->corners = malloc((size_t)n->triangle*sizeof *tree->corners);
    tree->vertices = malloc((size_t)n->triangle*sizeof *tree->vertices);
    tree->edges = malloc((size_t)n->triangle*sizeof *tree->edges);
    if (!tree->corners || !tree->vertices || !tree->edges) return false;
    if (!vertices_are_good(mesh) || !triangles_are_good(mesh) || !tree_is_good(mesh) || !look_up_corners(mesh))
        return false;
    return carom_mesh_tree_points(mesh) && tree->nreach == n->reach && reaches_are_good(tree) &&
           carom_mesh_features_find(mesh);
}

void carom_mesh_free_block(caromMesh *mesh)
{
    if (!mesh->block) return;
    free(mesh->block);
    mesh->block = NULL;
    mesh->vertices = NULL;
    mesh->triangles = NULL;
    mesh->parts = NULL;
    mesh->tree.nodes = NULL;
    mesh->tree.triangle = NULL;
    mesh->tree.reaches = NULL;
}

caromMesh *carom_mesh_from_bytes(void **block, size_t before, size_t length)
{
    StoredCounts n;
    Facts facts;
    if (length < before + sizeof n + sizeof facts) return NULL;
    char *at = (char *)*block + before;
    memcpy(&n, at, sizeof n);
    memcpy(&facts, at + sizeof n, sizeof facts);
    if (!counts_are_good(&n, length - before) || !facts_are_good(&facts)) return NULL;
    caromMesh *mesh = carom_alloc_array(1, sizeof *mesh);
    if (!mesh) return NULL;
    atomic_init(&mesh->owners, 1);
    mesh->block = *block;
    *block = NULL;
    take_facts(mesh, &facts);
    if (fill(mesh, &n, at + sizeof n + sizeof facts)) return mesh;
    carom_mesh_destroy(mesh);
    return NULL;
}
