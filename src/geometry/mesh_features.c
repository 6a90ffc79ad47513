// Which corners, edges and faces of a mesh can touch, and where they face.
#include "geometry/mesh_features.h"

#include <float.h>
#include <string.h>

#include "base/base.h"

// Triangles whose corners are as near to a plane as roundings of their coordinates may have put them are one face, of
// the reach of the mesh. Its plane is that of the largest, which knows it best.
static const double coplanar = 256.0*DBL_EPSILON;

// ---- tables of half-edges by what they belong to

static void by_key(int n, int nkey, const int *keys, int *first, int *items)
{
    memset(first, 0, ((size_t)nkey + 1)*sizeof *first);
    for (int i = 0; i < n; i++) first[keys[i] + 1]++;
    for (int k = 0; k < nkey; k++) first[k + 1] += first[k];
    for (int i = 0; i < n; i++) items[first[keys[i]]++] = i;
    for (int k = nkey; k > 0; k--) first[k] = first[k - 1];
    first[0] = 0;
}

// ---- faces

typedef struct SizedPlace {
    double size;
    int place;
} SizedPlace;

static int larger_first(const void *a, const void *b)
{
    const SizedPlace *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

typedef struct FacePlane {
    caromVec3 n, on;
    double slack;
} FacePlane;

static bool lies_in(const caromMesh *mesh, int place, const FacePlane *plane)
{
    for (int k = 0; k < 3; k++) {
        double off = carom_dot(plane->n, carom_sub(mesh->tree.corners[place][k], plane->on));
        if (!(fabs(off) <= plane->slack)) return false;
    }
    return carom_dot(plane->n, carom_mesh_place_normal(mesh, place)) >= 0.0;
}

// Across the edge of a half-edge where two triangles meet; -1: none.
static int neighbour(const caromMesh *mesh, int half)
{
    const caromMeshFeatures *f = mesh->features;
    int e = mesh->tree.edges[half/3][half%3], first = f->edge_first[e];
    if (f->edge_first[e + 1] - first != 2) return -1;
    return f->edge_halves[first + (f->edge_halves[first] == half)]/3;
}

static void spread(const caromMesh *mesh, int seed, int *stack)
{
    caromMeshFeatures *f = mesh->features;
    const FacePlane plane = { carom_unit_or(carom_mesh_place_normal(mesh, seed), carom_vec(0, 0, 1)),
                          mesh->tree.corners[seed][0], coplanar*mesh->reach };
    int n = 0;
    f->face[seed] = seed;
    stack[n++] = seed;
    while (n > 0) {
        int place = stack[--n];
        for (int k = 0; k < 3; k++) {
            int next = neighbour(mesh, 3*place + k);
            if (next < 0 || f->face[next] >= 0 || !lies_in(mesh, next, &plane)) continue;
            f->face[next] = seed;
            stack[n++] = next;
        }
    }
}

static bool find_faces(const caromMesh *mesh)
{
    size_t n = (size_t)mesh->ntriangle;
    SizedPlace *order = carom_alloc_array(n, sizeof *order);
    int *stack = carom_alloc_array(n, sizeof *stack);
    for (int i = 0; order && i < mesh->ntriangle; i++) {
        order[i] = (SizedPlace){ carom_norm2(carom_mesh_place_normal(mesh, i)), i };
        mesh->features->face[i] = -1;
    }
    bool good = order && stack;
    if (good) qsort(order, n, sizeof *order, larger_first);
    for (int i = 0; good && i < mesh->ntriangle; i++) {
        int place = order[i].place;
        if (mesh->features->face[place] < 0 && !carom_mesh_is_flat(mesh, mesh->tree.triangle[place]))
            spread(mesh, place, stack);
    }
    free(order);
    free(stack);
    return good;
}

// ---- edges and corners

// Two triangles that are turned to each other, by more than roundings.
static bool is_hollow(const caromMesh *mesh, int h, int i)
{
    const caromMeshTree *tree = &mesh->tree;
    caromVec3 n = carom_unit_or(carom_mesh_place_normal(mesh, h/3), carom_vec(0, 0, 0)),
              opposite = tree->corners[i/3][(i + 2)%3], on = tree->corners[h/3][h%3];
    return carom_dot(n, carom_sub(opposite, on)) > coplanar*mesh->reach;
}

static bool is_sharp(const caromMesh *mesh, int edge)
{
    const caromMeshFeatures *f = mesh->features;
    int first = f->edge_first[edge], n = f->edge_first[edge + 1] - first;
    if (n != 2) return true;
    int h = f->edge_halves[first], i = f->edge_halves[first + 1], a = f->face[h/3], b = f->face[i/3];
    if (a == b && a >= 0) return false;
    return !(is_hollow(mesh, h, i) && is_hollow(mesh, i, h));
}

static caromVec3 other_end(const caromMesh *mesh, int half, int corner)
{
    const int *v = mesh->tree.vertices[half/3];
    int k = v[half%3] == corner ? (half%3 + 1)%3 : half%3;
    return mesh->tree.corners[half/3][k];
}

// Three sharp edges, or two that do not go on in each other.
static bool can_touch(const caromMesh *mesh, int corner)
{
    const caromMeshFeatures *f = mesh->features;
    caromVec3 at = mesh->vertices[corner], ends[2];
    int n = 0;
    for (int i = f->corner_first[corner]; i < f->corner_first[corner + 1]; i++) {
        int h = f->corner_halves[i], sides[2] = { h, 3*(h/3) + (h%3 + 2)%3 };
        for (int k = 0; k < 2; k++) {
            int e = mesh->tree.edges[sides[k]/3][sides[k]%3];
            if (f->edge_kind[e] != CAROM_MESH_EDGE_SHARP || f->edge_halves[f->edge_first[e]] != sides[k]) continue;
            if (n == 2) return true;
            ends[n++] = other_end(mesh, sides[k], corner);
        }
    }
    if (n < 2) return n > 0;
    caromVec3 along = carom_unit_or(carom_sub(ends[1], ends[0]), carom_vec(0, 0, 0)), to = carom_sub(at, ends[0]);
    return carom_norm(carom_cross(along, to)) > coplanar*mesh->reach || carom_dot(along, to) <= 0.0 ||
           carom_dot(along, carom_sub(ends[1], at)) <= 0.0;
}

// ---- where they face

static caromVec3 unit_normal(const caromMesh *mesh, int place)
{
    return carom_unit_or(carom_mesh_place_normal(mesh, place), carom_vec(0, 0, 0));
}

static caromVec3 out_of_edge(const caromMesh *mesh, int edge)
{
    const caromMeshFeatures *f = mesh->features;
    caromVec3 out = { 0, 0, 0 };
    for (int i = f->edge_first[edge]; i < f->edge_first[edge + 1]; i++)
        out = carom_add(out, unit_normal(mesh, f->edge_halves[i]/3));
    return out;
}

static caromVec3 out_of_corner(const caromMesh *mesh, int corner)
{
    const caromMeshFeatures *f = mesh->features;
    caromVec3 out = { 0, 0, 0 };
    for (int i = f->corner_first[corner]; i < f->corner_first[corner + 1]; i++) {
        int place = f->corner_halves[i]/3, k = f->corner_halves[i]%3;
        const caromVec3 *x = mesh->tree.corners[place];
        caromVec3 a = carom_sub(x[(k + 1)%3], x[k]), b = carom_sub(x[(k + 2)%3], x[k]);
        double angle = atan2(carom_norm(carom_cross(a, b)), carom_dot(a, b));
        out = carom_axpy(angle, unit_normal(mesh, place), out);
    }
    return out;
}

static bool reserve(caromMesh *mesh)
{
    size_t nhalf = 3*(size_t)mesh->ntriangle;
    caromMeshFeatures *f = mesh->features = carom_alloc_array(1, sizeof *f);
    if (!f) return false;
    f->edge_first = carom_alloc_array((size_t)mesh->tree.nedge + 1, sizeof *f->edge_first);
    f->edge_halves = carom_alloc_array(nhalf, sizeof *f->edge_halves);
    f->corner_first = carom_alloc_array((size_t)mesh->nvertex + 1, sizeof *f->corner_first);
    f->corner_halves = carom_alloc_array(nhalf, sizeof *f->corner_halves);
    f->face = carom_alloc_array((size_t)mesh->ntriangle, sizeof *f->face);
    f->edge_kind = carom_alloc_array((size_t)mesh->tree.nedge, sizeof *f->edge_kind);
    f->edge_out = carom_alloc_array((size_t)mesh->tree.nedge, sizeof *f->edge_out);
    f->corner_out = carom_alloc_array((size_t)mesh->nvertex, sizeof *f->corner_out);
    f->is_corner = carom_alloc_array((size_t)mesh->nvertex, sizeof *f->is_corner);
    return f->edge_first && f->edge_halves && f->corner_first && f->corner_halves && f->face && f->edge_kind &&
           f->edge_out && f->corner_out && f->is_corner;
}

// No neighbour of a triangle rises over its plane.
static bool is_hollow_nowhere(const caromMesh *mesh)
{
    for (int half = 0; half < 3*mesh->ntriangle; half++) {
        int place = half/3, other = neighbour(mesh, half);
        caromVec3 n = carom_unit_or(carom_mesh_place_normal(mesh, place), carom_vec(0, 0, 0));
        for (int j = 0; j < 3; j++) {
            if (other < 0) return false;
            caromVec3 to = carom_sub(mesh->tree.corners[other][j], mesh->tree.corners[place][0]);
            if (carom_dot(n, to) > coplanar*mesh->reach) return false;
        }
    }
    return true;
}

bool carom_mesh_features_find(caromMesh *mesh)
{
    if (!reserve(mesh)) return false;
    caromMeshFeatures *f = mesh->features;
    by_key(3*mesh->ntriangle, mesh->tree.nedge, &mesh->tree.edges[0][0], f->edge_first, f->edge_halves);
    by_key(3*mesh->ntriangle, mesh->nvertex, &mesh->tree.vertices[0][0], f->corner_first, f->corner_halves);
    f->is_hollow_nowhere = is_hollow_nowhere(mesh);
    if (!find_faces(mesh)) return false;
    for (int e = 0; e < mesh->tree.nedge; e++) {
        f->edge_kind[e] = is_sharp(mesh, e) ? CAROM_MESH_EDGE_SHARP : CAROM_MESH_EDGE_FLAT;
        f->edge_out[e] = out_of_edge(mesh, e);
    }
    for (int v = 0; v < mesh->nvertex; v++) {
        f->is_corner[v] = can_touch(mesh, v);
        f->corner_out[v] = out_of_corner(mesh, v);
    }
    return true;
}

void carom_mesh_features_free(caromMesh *mesh)
{
    caromMeshFeatures *f = mesh->features;
    if (!f) return;
    free(f->edge_first);
    free(f->edge_halves);
    free(f->corner_first);
    free(f->corner_halves);
    free(f->face);
    free(f->edge_kind);
    free(f->edge_out);
    free(f->corner_out);
    free(f->is_corner);
    free(f);
    mesh->features = NULL;
}

// ---- asked of them

bool carom_mesh_edge_faces(const caromMesh *mesh, int edge, caromVec3 out, double steep)
{
    const caromMeshFeatures *f = mesh->features;
    if (f->edge_kind[edge] != CAROM_MESH_EDGE_SHARP) return false;
    for (int i = f->edge_first[edge]; i < f->edge_first[edge + 1]; i++) {
        const caromVec3 *x = mesh->tree.corners[f->edge_halves[i]/3];
        int k = f->edge_halves[i]%3;
        caromVec3 along = carom_unit_or(carom_sub(x[(k + 1)%3], x[k]), carom_vec(0, 0, 0)),
                  inward = carom_sub(x[(k + 2)%3], x[k]);
        inward = carom_axpy(-carom_dot(along, inward), along, inward);
        if (carom_dot(out, inward) > steep*carom_norm(inward)) return false;
    }
    return carom_dot(out, f->edge_out[edge]) > 0.0;
}

bool carom_mesh_corner_faces(const caromMesh *mesh, int corner, caromVec3 out, double steep)
{
    const caromMeshFeatures *f = mesh->features;
    if (!f->is_corner[corner]) return false;
    for (int i = f->corner_first[corner]; i < f->corner_first[corner + 1]; i++) {
        const caromVec3 *x = mesh->tree.corners[f->corner_halves[i]/3];
        int k = f->corner_halves[i]%3;
        for (int j = 1; j < 3; j++) {
            caromVec3 along = carom_sub(x[(k + j)%3], x[k]);
            if (carom_dot(out, along) > steep*carom_norm(along)) return false;
        }
    }
    return true;
}

