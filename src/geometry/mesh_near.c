// How far is a point from a mesh, and on which side? The nearest triangle by the hierarchy; the side by the normal of
// what is nearest: of the face, or the sum of those at the edge, or at the vertex weighted by their angles, which is
// right for every closed surface that does not cross itself [Baerentzen05].
#include "geometry/mesh_near.h"

#include "base/base.h"

bool carom_mesh_sides_make(const caromMesh *mesh, caromMeshSides *sides)
{
    const caromMeshTree *tree = &mesh->tree;
    *sides = (caromMeshSides){ carom_alloc_array((size_t)mesh->nvertex, sizeof *sides->vertices),
                               carom_alloc_array((size_t)tree->nedge, sizeof *sides->edges) };
    if (!sides->vertices || !sides->edges) return false;
    for (int i = 0; i < mesh->ntriangle; i++) {
        const caromVec3 *p = tree->corners[i], none = { 0, 0, 0 };
        caromVec3 n = carom_unit_or(carom_cross(carom_sub(p[1], p[0]), carom_sub(p[2], p[0])), none);
        for (int k = 0; k < 3; k++) {
            caromVec3 a = carom_sub(p[(k + 1)%3], p[k]), b = carom_sub(p[(k + 2)%3], p[k]),
                      *at = &sides->vertices[tree->vertices[i][k]];
            caromVec3 *along = &sides->edges[tree->edges[i][k]];
            *at = carom_axpy(atan2(carom_norm(carom_cross(a, b)), carom_dot(a, b)), n, *at);
            *along = carom_add(*along, n);
        }
    }
    return true;
}

void carom_mesh_sides_free(caromMeshSides *sides)
{
    free(sides->vertices);
    free(sides->edges);
    *sides = (caromMeshSides){ 0 };
}

static caromMeshNearest near_at(caromVec3 p, caromVec3 point, caromVec3 normal)
{
    caromVec3 d = carom_sub(p, point);
    return (caromMeshNearest){ carom_norm2(d), carom_dot(normal, d) < 0.0, point };
}

// As near as makes no difference: then inside wins. Where two solids touch there are two walls, and what is outside of
// one is inside the other.
static void take_nearer(caromMeshNearest *best, caromMeshNearest near)
{
    const double more = 1.0 + 1e-12;
    if (near.distance2*more < best->distance2) *best = near;
    else if (near.distance2 <= best->distance2*more) best->is_inside = best->is_inside || near.is_inside;
}

// By the regions in front of vertices, edges and the face.
caromMeshNearest carom_mesh_nearest_of(const caromMesh *mesh, const caromMeshSides *sides, int i, caromVec3 p)
{
    const caromVec3 *t = mesh->tree.corners[i];
    const int *v = mesh->tree.vertices[i], *e = mesh->tree.edges[i];
    caromVec3 ab = carom_sub(t[1], t[0]), ac = carom_sub(t[2], t[0]), n = carom_cross(ab, ac);
    for (int k = 0; k < 3; k++) {
        caromVec3 along = carom_sub(t[(k + 1)%3], t[k]), back = carom_sub(t[k], t[(k + 2)%3]), d = carom_sub(p, t[k]);
        double s = carom_dot(d, along);
        if (s <= 0.0 && carom_dot(d, back) >= 0.0) return near_at(p, t[k], sides->vertices[v[k]]);
        if (s > 0.0 && s < carom_norm2(along) && carom_dot(carom_cross(along, n), d) >= 0.0)
            return near_at(p, carom_axpy(s/carom_norm2(along), along, t[k]), sides->edges[e[k]]);
    }
    double n2 = carom_norm2(n), height = carom_dot(n, carom_sub(p, t[0]));
    if (!(n2 > 0.0)) return near_at(p, t[0], sides->vertices[v[0]]);
    return near_at(p, carom_axpy(-height/n2, n, p), n);
}

typedef struct Visit { int node; double distance2; } Visit;

double carom_mesh_signed_distance(const caromMesh *mesh, const caromMeshSides *sides, caromVec3 p)
{
    return carom_mesh_signed_distance_within(mesh, sides, p, (double)INFINITY);
}

double carom_mesh_signed_distance_within(const caromMesh *mesh, const caromMeshSides *sides, caromVec3 p, double most)
{
    const caromMeshNode *nodes = mesh->tree.nodes;
    Visit stack[CAROM_MESH_DEPTH_MAX + 2] = { { 0, 0.0 } };
    caromMeshNearest best = { .distance2 = most*most*(1.0 + 1e-9) };
    int n = 1;
    while (n > 0) {
        Visit at = stack[--n];
        const caromMeshNode *node = &nodes[at.node];
        if (at.distance2 > best.distance2*(1.0 + 1e-12)) continue;
        for (int k = 0; k < node->count; k++)
            take_nearer(&best, carom_mesh_nearest_of(mesh, sides, node->first + k, p));
        if (node->count > 0) continue;
        Visit a = { node->first, carom_mesh_box_distance2(&nodes[node->first], p) },
              b = { node->first + 1, carom_mesh_box_distance2(&nodes[node->first + 1], p) };
        stack[n++] = a.distance2 < b.distance2 ? b : a;
        stack[n++] = a.distance2 < b.distance2 ? a : b;
    }
    return best.is_inside ? -sqrt(best.distance2) : sqrt(best.distance2);
}
