// The hierarchy of a mesh: a binary tree of turned boxes over its triangles [Gottschalk96].
//
// A query between meshes asks a node for its extent along a direction and for nothing else, so a node is the convex set
// whose extent costs least for how close it fits: a box along the principal axes of its triangles. Convex hulls at the
// nodes fit closer, but are 20 times as expensive to build and to ask (docs/meshes.md).
#include "geometry/mesh.h"

#include <float.h>
#include <string.h>

#include "base/base.h"

typedef struct Build {
    const caromMesh *mesh;
    caromVec3 *middle;  // of triangles   [ntriangle]
    double *key;        // of triangles along the axis of the split   [ntriangle]
    int *order;         // triangles, those of a node together   [ntriangle]
    int *spare;         // [ntriangle]
} Build;

// No NaN comes here, so that comparisons do; calls of fmin and fmax took a third of the time of the whole build.
static void take_in(caromVec3 p, caromVec3 *low, caromVec3 *high)
{
    *low = carom_vec(low->x < p.x ? low->x : p.x, low->y < p.y ? low->y : p.y, low->z < p.z ? low->z : p.z);
    *high = carom_vec(high->x > p.x ? high->x : p.x, high->y > p.y ? high->y : p.y, high->z > p.z ? high->z : p.z);
}

static const caromVec3 nowhere_low = { INFINITY, INFINITY, INFINITY },
                       nowhere_high = { -INFINITY, -INFINITY, -INFINITY };

static void box_along(const Build *b, int first, int n, caromMat3 axes, caromVec3 *lowest, caromVec3 *highest)
{
    caromVec3 low = nowhere_low, high = nowhere_high;
    for (int i = first; i < first + n; i++)
        for (int k = 0; k < 3; k++)
            take_in(carom_tmul(axes, b->mesh->vertices[b->mesh->triangles[b->order[i]][k]]), &low, &high);
    *lowest = low;
    *highest = high;
}

static caromVec3 mean_corner(const Build *b, int first, int n)
{
    caromVec3 sum = { 0, 0, 0 };
    for (int i = first; i < first + n; i++) sum = carom_axpy(1.0/n, b->middle[b->order[i]], sum);
    return sum;
}

// Of the corners, scaled so that nothing under- or overflows.
static caromMat3 covariance(const Build *b, int first, int n, caromVec3 mean, double scale)
{
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    for (int i = first; i < first + n; i++)
        for (int k = 0; k < 3; k++) {
            caromVec3 d = carom_scale(scale, carom_sub(b->mesh->vertices[b->mesh->triangles[b->order[i]][k]], mean));
            xx += d.x*d.x, xy += d.x*d.y, xz += d.x*d.z, yy += d.y*d.y, yz += d.y*d.z, zz += d.z*d.z;
        }
    return (caromMat3){ { xx, xy, xz }, { xy, yy, yz }, { xz, yz, zz } };
}

static caromMat3 principal_axes(const Build *b, int first, int n, double size)
{
    caromMat3 axes;
    carom_geometry_principal_axes(covariance(b, first, n, mean_corner(b, first, n), 1.0/size), &axes);
    return axes;
}

static double surface(caromVec3 low, caromVec3 high)
{
    caromVec3 d = carom_sub(high, low);
    return d.x*d.y + d.y*d.z + d.z*d.x;
}

// The columns so that the longest side comes first; still right-handed or not does not matter.
static void sort_axes(caromMeshNode *node)
{
    caromVec3 *axis[3] = { &node->axes.cx, &node->axes.cy, &node->axes.cz };
    double *half[3] = { &node->half.x, &node->half.y, &node->half.z };
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++) {
            if (*half[j] <= *half[i]) continue;
            caromVec3 a = *axis[i];
            double h = *half[i];
            *axis[i] = *axis[j], *half[i] = *half[j];
            *axis[j] = a, *half[j] = h;
        }
}

// Along the principal axes or along those of the mesh, whichever is smaller; grown by the roundings of its own corners.
static void fit_box(const Build *b, int first, int n, caromMeshNode *node)
{
    caromVec3 low, high, turned_low, turned_high;
    caromMat3 axes = carom_mat_diagonal(1, 1, 1);
    box_along(b, first, n, axes, &low, &high);
    double size = carom_norm(carom_sub(high, low));
    caromMat3 turned = principal_axes(b, first, n, size);
    box_along(b, first, n, turned, &turned_low, &turned_high);
    if (surface(turned_low, turned_high) < surface(low, high)) axes = turned, low = turned_low, high = turned_high;
    double slack = 8.0*DBL_EPSILON*(b->mesh->reach + size);
    node->axes = axes;
    node->centre = carom_mul(axes, carom_scale(0.5, carom_add(low, high)));
    node->half = carom_add(carom_scale(0.5, carom_sub(high, low)), carom_vec(slack, slack, slack));
    sort_axes(node);
}

static bool comes_before(const Build *b, int x, int y)
{
    return b->key[x] != b->key[y] ? b->key[x] < b->key[y] : x < y;
}

// Puts the k-th of order[0 .. n - 1] by key at its place, smaller ones before it (Hoare's selection with the
// middle of three as pivot).
static void select_kth(const Build *b, int *order, int n, int k)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int p = order[low], q = order[low + (high - low)/2], r = order[high];
        int pivot = comes_before(b, p, q) ? (comes_before(b, q, r) ? q : comes_before(b, p, r) ? r : p)
                                          : (comes_before(b, p, r) ? p : comes_before(b, q, r) ? r : q);
        int i = low, j = high;
        while (i <= j) {
            while (comes_before(b, order[i], pivot)) i++;
            while (comes_before(b, pivot, order[j])) j--;
            if (i > j) break;
            int t = order[i];
            order[i++] = order[j];
            order[j--] = t;
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else return;
    }
}

// Those below the mean first; returns how many.
static int split_at_mean(const Build *b, int *order, int n, double mean)
{
    int below = 0, above = 0;
    for (int i = 0; i < n; i++) {
        if (b->key[order[i]] < mean) order[below++] = order[i];
        else b->spare[above++] = order[i];
    }
    memcpy(order + below, b->spare, (size_t)above*sizeof *order);
    return below;
}

// Across the longest side at the mean, which keeps what is close together; at the median where that would
// leave little on one side.
static int split(const Build *b, const caromMeshNode *node, int first, int n, int depth)
{
    int *order = b->order + first;
    double mean = 0.0;
    for (int i = 0; i < n; i++) {
        b->key[order[i]] = carom_dot(node->axes.cx, b->middle[order[i]]);
        mean += b->key[order[i]]/n;
    }
    int below = depth < CAROM_MESH_DEPTH_MAX - 32 ? split_at_mean(b, order, n, mean) : 0;
    int least = n/8 > 2 ? n/8 : 2;
    if (below >= least && below <= n - least) return below;
    select_kth(b, order, n, n/2);
    return n/2;
}

typedef struct SeenCorner { bool *vertex, *edge; } SeenCorner;

// Corners of a leaf, each once.
static void gather_points(caromMeshTree *tree, caromMeshNode *leaf, SeenCorner seen)
{
    int vertex[3*CAROM_MESH_LEAF];
    leaf->first_point = tree->npoint;
    leaf->npoint = 0;
    for (int place = leaf->first; place < leaf->first + leaf->count; place++)
        for (int k = 0; k < 3; k++) {
            int v = tree->vertices[place][k], i = 0;
            while (i < leaf->npoint && vertex[i] != v) i++;
            if (i == leaf->npoint) {
                vertex[leaf->npoint++] = v;
                tree->points[tree->npoint] = tree->corners[place][k];
                tree->first_corner[tree->npoint++] = seen.vertex[v] ? -1 : 3*place + k;
                seen.vertex[v] = true;
            }
            tree->local[place][k] = (uint8_t)i;
        }
}

// Those that no leaf has before.
static void gather_edges(caromMeshTree *tree, caromMeshNode *leaf, int *nedge, SeenCorner seen)
{
    leaf->first_edge = *nedge;
    for (int place = leaf->first; place < leaf->first + leaf->count; place++)
        for (int k = 0; k < 3; k++) {
            if (seen.edge[tree->edges[place][k]]) continue;
            seen.edge[tree->edges[place][k]] = true;
            int next = k == 2 ? 0 : k + 1;
            bool in_order = tree->vertices[place][k] < tree->vertices[place][next];
            tree->leaf_edges[(*nedge)++] = (caromLeafEdge){ tree->local[place][in_order ? k : next],
                                                            tree->local[place][in_order ? next : k],
                                                            (uint8_t)(place - leaf->first), (uint8_t)k };
        }
    leaf->nedge = *nedge - leaf->first_edge;
}

// Leaves from left to right, so that the points below any node are one after the other.
static void gather_leaves(caromMeshTree *tree, SeenCorner seen)
{
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1, nedge = 0;
    tree->npoint = 0;
    while (n > 0) {
        caromMeshNode *node = &tree->nodes[stack[--n]];
        node->first_edge = node->nedge = node->reserved = 0;
        if (node->count > 0) {
            gather_points(tree, node, seen);
            gather_edges(tree, node, &nedge, seen);
            continue;
        }
        stack[n++] = node->first + 1;
        stack[n++] = node->first;
    }
}

// The nodes above the leaves, children before parents.
static void join_points(caromMeshTree *tree)
{
    tree->nreach = 0;
    for (int i = tree->nnode - 1; i >= 0; i--) {
        caromMeshNode *node = &tree->nodes[i], *half = &tree->nodes[node->first];
        if (node->count == 0) node->first_point = half[0].first_point, node->npoint = half[0].npoint + half[1].npoint;
        node->reach = node->npoint > CAROM_MESH_SCAN_MAX ? tree->nreach++ : -1;
    }
}

bool carom_mesh_tree_points(caromMesh *mesh)
{
    caromMeshTree *tree = &mesh->tree;
    size_t n = (size_t)mesh->ntriangle;
    SeenCorner seen = { carom_alloc_array((size_t)mesh->nvertex, sizeof *seen.vertex),
                        carom_alloc_array((size_t)tree->nedge, sizeof *seen.edge) };
    tree->points = carom_alloc_array(3*n, sizeof *tree->points);
    tree->first_corner = carom_alloc_array(3*n, sizeof *tree->first_corner);
    tree->local = carom_alloc_array(n, sizeof *tree->local);
    tree->leaf_edges = carom_alloc_array((size_t)tree->nedge, sizeof *tree->leaf_edges);
    bool good = seen.vertex && seen.edge && tree->points && tree->first_corner && tree->local && tree->leaf_edges;
    if (good) {
        gather_leaves(tree, seen);
        join_points(tree);
    }
    free(seen.vertex);
    free(seen.edge);
    return good;
}

// Direction k of the grid.
static caromVec3 reach_direction(int k)
{
    int face = k/(CAROM_REACH_LINES*CAROM_REACH_LINES), line = k%(CAROM_REACH_LINES*CAROM_REACH_LINES);
    int row = line/CAROM_REACH_LINES, column = line%CAROM_REACH_LINES;
    double w = face & 1 ? -1.0 : 1.0, u = 2.0*row/CAROM_REACH_CELLS - 1.0, v = 2.0*column/CAROM_REACH_CELLS - 1.0;
    return face < 2 ? carom_vec(w, u, v) : face < 4 ? carom_vec(u, w, v) : carom_vec(u, v, w);
}

static void measure_points(const caromMeshTree *tree, const caromMeshNode *node, double slack, float *along)
{
    for (int k = 0; k < CAROM_REACHES; k++) {
        caromVec3 d = reach_direction(k);
        double most = -INFINITY;
        for (int i = node->first_point; i < node->first_point + node->npoint; i++) {
            double x = carom_dot(d, tree->points[i]);
            most = x > most ? x : most;
        }
        along[k] = nextafterf((float)(most + slack), INFINITY);
    }
}

static void merge_reaches(const float *a, const float *b, float *along)
{
    for (int k = 0; k < CAROM_REACHES; k++) along[k] = a[k] > b[k] ? a[k] : b[k];
}

// From the bottom up: what two halves reach is known, unless they have few points themselves.
static bool find_reaches(caromMeshTree *tree, double slack)
{
    tree->reaches = carom_alloc_array((size_t)tree->nreach, sizeof *tree->reaches);
    for (int i = tree->nnode - 1; tree->reaches && i >= 0; i--) {
        const caromMeshNode *node = &tree->nodes[i], *half = &tree->nodes[node->first];
        if (node->reach < 0) continue;
        bool is_known = node->count == 0 && half[0].reach >= 0 && half[1].reach >= 0;
        if (is_known)
            merge_reaches(tree->reaches[half[0].reach].along, tree->reaches[half[1].reach].along,
                          tree->reaches[node->reach].along);
        else measure_points(tree, node, slack, tree->reaches[node->reach].along);
    }
    return tree->reaches || tree->nreach == 0;
}

typedef struct NodeRange { int node, first, n, depth; } NodeRange;

// Nodes in the order in which a walk from the root meets them: the two children of a node stand together.
static void build_nodes(const Build *b, caromMeshTree *tree)
{
    NodeRange stack[CAROM_MESH_DEPTH_MAX + 1] = { { 0, 0, b->mesh->ntriangle, 1 } };
    int n = 1;
    tree->nnode = 1;
    while (n > 0) {
        NodeRange r = stack[--n];
        caromMeshNode *node = &tree->nodes[r.node];
        fit_box(b, r.first, r.n, node);
        node->first = r.first;
        node->count = r.n;
        if (r.n <= CAROM_MESH_LEAF) continue;
        int below = split(b, node, r.first, r.n, r.depth);
        node->first = tree->nnode;
        node->count = 0;
        tree->nnode += 2;
        stack[n++] = (NodeRange){ node->first + 1, r.first + below, r.n - below, r.depth + 1 };
        stack[n++] = (NodeRange){ node->first, r.first, below, r.depth + 1 };
    }
}

static void lay_out(const Build *b, const int *edge_of_half, caromMeshTree *tree)
{
    for (int place = 0; place < b->mesh->ntriangle; place++) {
        int t = b->order[place];
        tree->triangle[place] = t;
        for (int k = 0; k < 3; k++) {
            int v = b->mesh->triangles[t][k];
            tree->vertices[place][k] = v;
            tree->corners[place][k] = b->mesh->vertices[v];
            tree->edges[place][k] = edge_of_half[3*t + k];
        }
    }
}

bool carom_mesh_number_edges(const caromMesh *mesh, int *edge_of_half, int *nedge)
{
    caromMeshEdges edges;
    if (!carom_mesh_edges_find(mesh, &edges)) return false;
    for (int e = 0; e < edges.n; e++)
        for (int i = edges.first[e]; i < edges.first[e + 1]; i++) edge_of_half[edges.half[i]] = e;
    *nedge = edges.n;
    carom_mesh_edges_free(&edges);
    return true;
}

static bool build_begin(Build *b, const caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    *b = (Build){ mesh, carom_alloc_array(n, sizeof *b->middle), carom_alloc_array(n, sizeof *b->key),
                  carom_alloc_array(n, sizeof *b->order), carom_alloc_array(n, sizeof *b->spare) };
    if (!b->middle || !b->key || !b->order || !b->spare) return false;
    for (int t = 0; t < mesh->ntriangle; t++) {
        const int *v = mesh->triangles[t];
        b->order[t] = t;
        b->middle[t] = carom_scale(1.0/3.0, carom_add(mesh->vertices[v[0]],
                                                      carom_add(mesh->vertices[v[1]], mesh->vertices[v[2]])));
    }
    return true;
}

static void build_end(Build *b)
{
    free(b->middle);
    free(b->key);
    free(b->order);
    free(b->spare);
}

// A leaf has two triangles or more, unless there is only one: nodes are fewer than triangles.
bool carom_mesh_tree_build(caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    caromMeshTree *tree = &mesh->tree;
    Build build;
    int *edge_of_half = carom_alloc_array(3*n, sizeof *edge_of_half);
    *tree = (caromMeshTree){ .nodes = carom_alloc_array(n + 1, sizeof *tree->nodes),
                             .corners = carom_alloc_array(n, sizeof *tree->corners),
                             .vertices = carom_alloc_array(n, sizeof *tree->vertices),
                             .edges = carom_alloc_array(n, sizeof *tree->edges),
                             .triangle = carom_alloc_array(n, sizeof *tree->triangle) };
    bool good = build_begin(&build, mesh) && edge_of_half && tree->nodes && tree->corners && tree->vertices &&
                tree->edges && tree->triangle && carom_mesh_number_edges(mesh, edge_of_half, &tree->nedge);
    if (good) {
        build_nodes(&build, tree);
        lay_out(&build, edge_of_half, tree);
        good = carom_mesh_tree_points(mesh) && find_reaches(tree, 16.0*DBL_EPSILON*mesh->reach);
    }
    build_end(&build);
    free(edge_of_half);
    return good;
}

void carom_mesh_tree_free(caromMeshTree *tree)
{
    free(tree->nodes);
    free(tree->corners);
    free(tree->vertices);
    free(tree->edges);
    free(tree->triangle);
    free(tree->points);
    free(tree->first_corner);
    free(tree->local);
    free(tree->leaf_edges);
    free(tree->reaches);
    *tree = (caromMeshTree){ 0 };
}

// ---- parts

static int root_of(int *parent, int v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

// Roots are the smallest vertices of their parts; they are given numbers by the way.
static void find_ends(caromMesh *mesh, int *parent)
{
    int n = 0;
    for (int v = 0; v < mesh->nvertex; v++) {
        int root = root_of(parent, v);
        if (root == v) mesh->parts[n][0] = mesh->parts[n][1] = v, n++;
    }
    for (int v = 0, part = 0; v < mesh->nvertex; v++) {
        while (part + 1 < n && mesh->parts[part + 1][0] <= v) part++;
        int root = root_of(parent, v), low = 0, high = part;
        while (low < high) {
            int middle = (low + high)/2;
            if (mesh->parts[middle][0] < root) low = middle + 1;
            else high = middle;
        }
        caromVec3 from = mesh->vertices[root];
        double farthest = carom_norm2(carom_sub(mesh->vertices[mesh->parts[low][1]], from));
        if (carom_norm2(carom_sub(mesh->vertices[v], from)) > farthest) mesh->parts[low][1] = v;
    }
}

// Connected by vertices: what of one mesh is inside another can only change where their surfaces meet.
bool carom_mesh_find_parts(caromMesh *mesh)
{
    int *parent = carom_alloc_array((size_t)mesh->nvertex, sizeof *parent);
    if (!parent) return false;
    for (int v = 0; v < mesh->nvertex; v++) parent[v] = v;
    for (int t = 0; t < mesh->ntriangle; t++)
        for (int k = 1; k < 3; k++) {
            int a = root_of(parent, mesh->triangles[t][0]), b = root_of(parent, mesh->triangles[t][k]);
            parent[a < b ? b : a] = a < b ? a : b;
        }
    mesh->npart = 0;
    for (int v = 0; v < mesh->nvertex; v++) mesh->npart += parent[v] == v;
    mesh->parts = carom_alloc_array((size_t)mesh->npart, sizeof *mesh->parts);
    if (mesh->parts) find_ends(mesh, parent);
    free(parent);
    return mesh->parts != NULL;
}
