// A point, or a ray, and a mesh.
#include "geometry/mesh_features.h"
#include "meshgap/meshgap.h"
#include "meshgap/scales.h"

// ---- nearest point

// Squared distance of a point from the box of a node, less some roundings.
static double box_distance2(const caromMeshNode *node, caromVec3 p)
{
    caromVec3 q = carom_tmul(node->axes, carom_sub(p, node->centre));
    double x = carom_meshgap_most(fabs(q.x) - node->half.x, 0.0), y = carom_meshgap_most(fabs(q.y) - node->half.y, 0.0),
           z = carom_meshgap_most(fabs(q.z) - node->half.z, 0.0);
    return (x*x + y*y + z*z)*(1.0 - 64.0*DBL_EPSILON);
}

typedef struct PointItem {
    int node;
    double bound;
} PointItem;

typedef struct NearestTriangle {
    caromVec3 p;
    const caromVec3 *taken;  // directions in which there is a nearest point already   [ntaken]
    int ntaken;
    double share;            // what is not nearer than this share of the best is left out (of squares)
    int place, feature;
    double least2;
    caromVec3 on;
} NearestTriangle;

static bool is_taken(const NearestTriangle *s, caromVec3 x, double g2)
{
    static const double cos_30 = 0.86602540378443864676;
    caromVec3 d = carom_sub(s->p, x);
    for (int i = 0; i < s->ntaken; i++)
        if (carom_dot(d, s->taken[i]) > cos_30*sqrt(g2)) return true;
    return false;
}

static void look_at_leaf(const caromMeshTree *tree, const caromMeshNode *leaf, NearestTriangle *s)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        int feature;
        caromVec3 x = carom_triangle_point(tree->corners[i], s->p, &feature);
        double g2 = carom_norm2(carom_sub(s->p, x));
        if (!(g2 < s->least2 || (g2 == s->least2 && i < s->place)) || is_taken(s, x, g2)) continue;
        s->place = i;
        s->least2 = g2;
        s->on = x;
        s->feature = feature;
    }
}

static void find_nearest(const caromMesh *mesh, NearestTriangle *s)
{
    const caromMeshTree *tree = &mesh->tree;
    PointItem stack[CAROM_MESH_DEPTH_MAX + 1] = { { 0, box_distance2(&tree->nodes[0], s->p) } };
    int n = 1;
    while (n > 0) {
        PointItem top = stack[--n];
        if (top.bound > s->share*s->least2) continue;
        const caromMeshNode *node = &tree->nodes[top.node];
        if (node->count > 0) {
            look_at_leaf(tree, node, s);
            continue;
        }
        PointItem first = { node->first, box_distance2(&tree->nodes[node->first], s->p) },
                  second = { node->first + 1, box_distance2(&tree->nodes[node->first + 1], s->p) };
        bool in_order = first.bound <= second.bound;
        stack[n++] = in_order ? second : first;
        stack[n++] = in_order ? first : second;
    }
}

int carom_meshgap_near(const caromMesh *mesh, caromVec3 p, double share, double *least2, caromVec3 *on, int *feature)
{
    NearestTriangle s = { .p = p, .share = share, .place = -1, .least2 = *least2 };
    find_nearest(mesh, &s);
    if (s.place < 0) return -1;
    *least2 = s.least2;
    *on = s.on;
    *feature = s.feature;
    return s.place;
}

int carom_meshgap_nearest(const caromMesh *mesh, caromVec3 p, double *least2, caromVec3 *on, int *feature)
{
    return carom_meshgap_near(mesh, p, 1.0, least2, on, feature);
}

int carom_meshgap_nearest_beside(const caromMesh *mesh, caromVec3 p, const caromVec3 *taken, int ntaken, double *least2,
                                 caromVec3 *on)
{
    NearestTriangle s = { .p = p, .taken = taken, .ntaken = ntaken, .share = 1.0, .place = -1, .least2 = *least2 };
    find_nearest(mesh, &s);
    if (s.place < 0) return -1;
    *least2 = s.least2;
    *on = s.on;
    return s.place;
}

bool carom_meshgap_face_has(const caromMesh *mesh, int face, caromVec3 p, double slack)
{
    const caromMeshTree *tree = &mesh->tree;
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1, feature;
    double room = slack + carom_narrow_roundings(mesh->reach + carom_norm(p)), room2 = room*room;
    while (n > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (box_distance2(node, p) > room2) continue;
        for (int i = node->first; i < node->first + node->count; i++) {
            if (mesh->features->face[i] != face) continue;
            if (carom_norm2(carom_sub(carom_triangle_point(tree->corners[i], p, &feature), p)) <= room2) return true;
        }
        if (node->count > 0) continue;
        stack[n++] = node->first + 1;
        stack[n++] = node->first;
    }
    return false;
}

// ---- inside or not

// Of three points in the plane x, y: sign of the area, 0 never: a point on the line between two others counts as if it
// were moved by an infinitesimal amount along x, and by far less along y [Edelsbrunner90]. a and b in the order of
// their numbers, so that triangles on either side of the edge agree.
static int side(caromVec3 p, caromVec3 a, int va, caromVec3 b, int vb)
{
    if (va > vb) return -side(p, b, vb, a, va);
    double ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y, left = ax*by, right = ay*bx;
    if (left != right) return left > right ? 1 : -1;
    // p moves by (e, e^2): the area changes by  e (a.y - b.y) + e^2 (b.x - a.x).
    if (ay != by) return ay > by ? 1 : -1;
    return bx > ax ? 1 : -1;
}

// +1 where the ray from p along z leaves through the triangle, -1 where it enters, 0 where it misses.
static int crossing(const caromMeshTree *tree, int place, caromVec3 p)
{
    const caromVec3 *x = tree->corners[place];
    const int *v = tree->vertices[place];
    if (x[0].z < p.z && x[1].z < p.z && x[2].z < p.z) return 0;
    int s = side(p, x[0], v[0], x[1], v[1]);
    if (side(p, x[1], v[1], x[2], v[2]) != s || side(p, x[2], v[2], x[0], v[0]) != s) return 0;
    caromVec3 n = carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0]));
    double height = carom_dot(n, carom_sub(x[0], p));  // n_z times how far up the ray meets the plane
    return (s > 0 ? height : -height) > 0.0 ? s : 0;
}

// Does the ray from p along z pass the box? By the axes of the box and those square to z.
static bool may_cross(const caromMeshNode *node, caromVec3 p)
{
    caromVec3 d = carom_sub(p, node->centre);
    const caromMat3 *R = &node->axes;
    caromVec3 h = node->half;
    double slack = CAROM_MESHGAP_ROUNDED*(fabs(p.x) + fabs(p.y) + fabs(p.z) + h.x);
    if (fabs(d.x) > fabs(R->cx.x)*h.x + fabs(R->cy.x)*h.y + fabs(R->cz.x)*h.z + slack) return false;
    if (fabs(d.y) > fabs(R->cx.y)*h.x + fabs(R->cy.y)*h.y + fabs(R->cz.y)*h.z + slack) return false;
    if (d.z > fabs(R->cx.z)*h.x + fabs(R->cy.z)*h.y + fabs(R->cz.z)*h.z + slack) return false;
    // z x axis: only components square to the ray count.
    double ax = fabs(d.x*R->cx.y - d.y*R->cx.x), ay = fabs(d.x*R->cy.y - d.y*R->cy.x),
           az = fabs(d.x*R->cz.y - d.y*R->cz.x);
    if (ax > h.y*fabs(R->cz.z) + h.z*fabs(R->cy.z) + slack) return false;
    if (ay > h.x*fabs(R->cz.z) + h.z*fabs(R->cx.z) + slack) return false;
    return !(az > h.x*fabs(R->cy.z) + h.y*fabs(R->cx.z) + slack);
}

int carom_meshgap_winding(const caromMesh *mesh, caromVec3 p)
{
    const caromMeshTree *tree = &mesh->tree;
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1, winding = 0;
    while (n > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (!may_cross(node, p)) continue;
        if (node->count == 0) {
            stack[n++] = node->first;
            stack[n++] = node->first + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) winding += crossing(tree, i, p);
    }
    return winding;
}

double carom_meshgap_point(const caromMesh *mesh, caromVec3 p, caromVec3 *n)
{
    double least2 = INFINITY;
    caromVec3 on = p;
    int feature, place = carom_meshgap_nearest(mesh, p, &least2, &on, &feature);
    *n = carom_vec(0, 0, 1);
    if (place < 0) return (double)NAN;
    const caromVec3 *x = mesh->tree.corners[place];
    caromVec3 normal = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), *n);
    double distance = carom_narrow_split(carom_sub(p, on), normal, n);
    bool is_inside = distance > 0.0 && carom_mesh_is_solid(mesh) && carom_meshgap_winding(mesh, p) > 0;
    if (!is_inside) return distance;
    *n = carom_neg(*n);
    return -distance;
}

// ---- rays

// The mesh sheared so that the ray goes along z [Woop13]: x and y of a corner depend on the corner alone, so that
// triangles which share an edge agree on which side of it the ray passes, and none slips through between them.
typedef struct Shear {
    int x, y, z;       // axes; z is where u is largest
    double sx, sy, sz;
    caromVec3 p, u;
} Shear;

static Shear shear_of(caromVec3 p, caromVec3 u)
{
    double ax = fabs(u.x), ay = fabs(u.y), az = fabs(u.z);
    int z = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2, x = (z + 1)%3, y = (z + 2)%3;
    double uz = carom_at(u, z);
    return (Shear){ x, y, z, carom_at(u, x)/uz, carom_at(u, y)/uz, 1.0/uz, p, u };
}

static caromVec3 sheared(const Shear *s, caromVec3 corner)
{
    caromVec3 d = carom_sub(corner, s->p);
    double z = carom_at(d, s->z);
    return carom_vec(carom_at(d, s->x) - s->sx*z, carom_at(d, s->y) - s->sy*z, s->sz*z);
}

// How far along the ray, or infinity.
static double ray_triangle(const Shear *shear, const caromMeshTree *tree, int place)
{
    const caromVec3 origin = { 0, 0, 0 };
    const int *v = tree->vertices[place];
    caromVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = sheared(shear, tree->corners[place][k]);
    int s = side(origin, x[0], v[0], x[1], v[1]);
    if (side(origin, x[1], v[1], x[2], v[2]) != s || side(origin, x[2], v[2], x[0], v[0]) != s) return (double)INFINITY;
    double w0 = x[1].x*x[2].y - x[1].y*x[2].x, w1 = x[2].x*x[0].y - x[2].y*x[0].x, w2 = x[0].x*x[1].y - x[0].y*x[1].x,
           sum = w0 + w1 + w2;
    double t = sum != 0.0 ? (w0*x[0].z + w1*x[1].z + w2*x[2].z)/sum : fmin(x[0].z, fmin(x[1].z, x[2].z));
    return t >= 0.0 ? t : (double)INFINITY;
}

// Where the ray enters the box of a node, less roundings; infinity: it does not.
static double enters(const caromMeshNode *node, caromVec3 p, caromVec3 u, double slack)
{
    caromVec3 q = carom_tmul(node->axes, carom_sub(p, node->centre)), w = carom_tmul(node->axes, u);
    double first = 0.0, last = INFINITY;
    for (int k = 0; k < 3; k++) {
        double at = carom_at(q, k), rate = carom_at(w, k), half = carom_at(node->half, k) + slack;
        if (rate == 0.0) {
            if (fabs(at) > half) return (double)INFINITY;
            continue;
        }
        double in = (-half - at)/rate, out = (half - at)/rate;
        first = carom_meshgap_most(first, carom_meshgap_least(in, out));
        last = carom_meshgap_least(last, carom_meshgap_most(in, out));
    }
    return first <= last ? first : (double)INFINITY;
}

int carom_meshgap_ray(const caromMesh *mesh, caromVec3 p, caromVec3 u, double *s, caromVec3 *n)
{
    const caromMeshTree *tree = &mesh->tree;
    Shear shear = shear_of(p, u);
    const double slack = carom_narrow_roundings(mesh->reach + carom_norm(p));
    int best = -1, top = 1;
    PointItem stack[CAROM_MESH_DEPTH_MAX + 1] = { { 0, enters(&tree->nodes[0], p, u, slack) } };
    *s = INFINITY;
    while (top > 0) {
        PointItem item = stack[--top];
        const caromMeshNode *node = &tree->nodes[item.node];
        if (!isfinite(item.bound) || item.bound > *s + slack) continue;
        if (node->count == 0) {
            PointItem a = { node->first, enters(&tree->nodes[node->first], p, u, slack) },
                      b = { node->first + 1, enters(&tree->nodes[node->first + 1], p, u, slack) };
            stack[top++] = a.bound <= b.bound ? b : a;
            stack[top++] = a.bound <= b.bound ? a : b;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            double t = ray_triangle(&shear, tree, i);
            if (t < *s || (t == *s && i < best && isfinite(t))) *s = t, best = i;
        }
    }
    if (best < 0) return -1;
    const caromVec3 *x = tree->corners[best];
    caromVec3 normal = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_neg(u));
    *n = carom_dot(normal, u) > 0.0 ? carom_neg(normal) : normal;
    return best;
}
