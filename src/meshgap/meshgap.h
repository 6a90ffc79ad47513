// Queries with a mesh: its triangles against something else, by its hierarchy.
//
// Branch and bound: a pair of nodes is left out when some direction d shows them farther apart than what has been
// found,
//
//     d.(c_B - c_A) - e_A(d) - e_B(d) > best,     c centres, e extents of the boxes along d, |d| = 1.
//
// The normal of the best pair found so far is the direction that shows it for most nodes; it costs a dozen
// multiplications on either side.
#ifndef CAROM_SRC_MESHGAP_H
#define CAROM_SRC_MESHGAP_H

#include "geometry/mesh.h"
#include "narrow/narrow.h"
#include "narrow/triangle.h"

// Of any two shapes of which at least one is a mesh. places: those of the triangles that were nearest at an earlier
// pose (-1: none), and on return those that are now; or NULL.
caromGap carom_meshgap_shapes(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                              int places[2]);

// Do they share a point? Cheaper, where they do.
bool carom_meshgap_overlap(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB);

// The same as carom_meshgap_shapes where they are apart; false: they touch or overlap, and nobody looks how deep.
bool carom_meshgap_apart(const caromShape *a, const caromPose *X_WA, const caromShape *b, const caromPose *X_WB,
                         caromGap *gap);

// Extent of a node along d (in its own frame, any length) about its centre.
static inline double carom_meshgap_node_extent(const caromMeshNode *node, caromVec3 d)
{
    return fabs(carom_dot(node->axes.cx, d))*node->half.x + fabs(carom_dot(node->axes.cy, d))*node->half.y +
           fabs(carom_dot(node->axes.cz, d))*node->half.z;
}

// A direction as a sum of three of the grid (caromMeshReach): d = sum of weight u_k. The reach along a sum is not more
// than the sum of the reaches.
typedef struct caromProbe {
    caromVec3 d;
    int k[3];
    double weight[3];
} caromProbe;

static inline caromProbe carom_meshgap_probe(caromVec3 d)
{
    double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z);
    int face = ax >= ay && ax >= az ? (d.x < 0.0 ? 1 : 0) : ay >= az ? (d.y < 0.0 ? 3 : 2) : (d.z < 0.0 ? 5 : 4);
    double m = face < 2 ? ax : face < 4 ? ay : az, u = face < 2 ? d.y : d.x, v = face < 4 ? d.z : d.y;
    double scale = m > 0.0 ? 0.5*CAROM_REACH_CELLS/m : 0.0, x = scale*(u + m), y = scale*(v + m);
    int i = x < CAROM_REACH_CELLS - 1 ? (int)x : CAROM_REACH_CELLS - 1,
        j = y < CAROM_REACH_CELLS - 1 ? (int)y : CAROM_REACH_CELLS - 1;
    int at = (face*CAROM_REACH_LINES + i)*CAROM_REACH_LINES + j;
    x -= i;
    y -= j;
    caromProbe lower = { d, { at, at + CAROM_REACH_LINES, at + 1 }, { m*(1.0 - x - y), m*x, m*y } };
    caromProbe upper = { d, { at + CAROM_REACH_LINES + 1, at + 1, at + CAROM_REACH_LINES },
                         { m*(x + y - 1.0), m*(1.0 - x), m*(1.0 - y) } };
    return x + y <= 1.0 ? lower : upper;
}

// Not less than d.p for any point p of the node; d has any length. Boxes stand off from what they hold, most where it
// has an edge, and a search among nodes that all do is long (docs/meshes.md has counts): so with few points they are
// all looked at, with many the reaches are.
static inline double carom_meshgap_node_reach(const caromMeshTree *tree, const caromMeshNode *node,
                                              const caromProbe *probe)
{
    if (node->reach >= 0) {
        const float *along = tree->reaches[node->reach].along;
        return probe->weight[0]*(double)along[probe->k[0]] + probe->weight[1]*(double)along[probe->k[1]] +
               probe->weight[2]*(double)along[probe->k[2]];
    }
    const caromVec3 *p = tree->points + node->first_point, *last = p + node->npoint - 1;
    double most = carom_dot(probe->d, *last), other = most;
    for (; p < last; p += 2) {  // two at a time, which do not wait for each other
        double x = carom_dot(probe->d, p[0]), y = carom_dot(probe->d, p[1]);
        most = x > most ? x : most;
        other = y > other ? y : other;
    }
    return other > most ? other : most;
}

// fmin and fmax are calls; these are not, and nothing here is NaN.
static inline double carom_meshgap_least(double a, double b)
{
    return a < b ? a : b;
}
static inline double carom_meshgap_most(double a, double b)
{
    return a > b ? a : b;
}
static inline double carom_meshgap_most3(double a, double b, double c)
{
    return carom_meshgap_most(a, carom_meshgap_most(b, c));
}
static inline double carom_meshgap_highest(const caromVec3 x[3], caromVec3 d)
{
    return carom_meshgap_most(carom_dot(d, x[0]), carom_meshgap_most(carom_dot(d, x[1]), carom_dot(d, x[2])));
}
static inline double carom_meshgap_lowest(const caromVec3 x[3], caromVec3 d)
{
    return carom_meshgap_least(carom_dot(d, x[0]), carom_meshgap_least(carom_dot(d, x[1]), carom_dot(d, x[2])));
}

// ---- pair.c: two meshes

// Everything in the frame of A.
typedef struct caromMeshPair {
    const caromMesh *a, *b;
    caromMat3 R;    // axes of B
    caromVec3 t;    // its origin
    double scale;   // sizes and distance together [m]
} caromMeshPair;

caromMeshPair carom_meshgap_pair(const caromMesh *a, const caromPose *X_WA, const caromMesh *b, const caromPose *X_WB);

// Corners of the triangle of B at a place, in the frame of A.
static inline void carom_meshgap_pair_corners(const caromMeshPair *p, int place, caromVec3 corners[3])
{
    for (int k = 0; k < 3; k++) corners[k] = carom_add(p->t, carom_mul(p->R, p->b->tree.corners[place][k]));
}

typedef struct caromNearest {
    caromTriangleGap gap;  // in the frame of A
    int place_a, place_b;
} caromNearest;

// The nearest triangles; of several the first by place. Those at the places `seed` (or NULL) are looked at first, which
// saves time. Returns as soon as two are found that cross if `stops` is set.
caromNearest carom_meshgap_pair_nearest(const caromMeshPair *p, const int seed[2], bool stops);

// Do their surfaces have a point in common? As if the nearest were at 0, and cheaper.
bool carom_meshgap_pair_crosses(const caromMeshPair *p);

typedef void (*caromTrianglesVisitor)(void *user, const caromTriangleGap *gap, int place_a, int place_b);

// Calls visit for every two triangles that may be closer than the standoff and some that are not.
void carom_meshgap_pair_each(const caromMeshPair *p, double standoff, caromTrianglesVisitor visit, void *user);

// Is a part of one inside the other, given that their surfaces do not cross? Only closed meshes have an inside. room
// (or NULL): while B moves so far along u, a part of one stays inside the other.
bool carom_meshgap_pair_is_nested(const caromMeshPair *p, caromVec3 u, double *room);

// ---- convex.c: a mesh and a shape that is convex or a torus

// Everything in the frame of the mesh.
typedef struct caromMeshShape {
    const caromMesh *mesh;
    caromShape shape;
    caromCore core;    // of the shape; of a torus one that holds it
    caromPose X_AB;    // of the shape
    double scale;
} caromMeshShape;

typedef struct caromConvexNearest {
    caromGap gap;      // from the mesh to the shape, in the frame of the mesh
    int place;         // -1: undefined
} caromConvexNearest;

caromMeshShape carom_meshgap_shape_pair(const caromMesh *mesh, const caromPose *X_WA, const caromShape *b,
                                        const caromPose *X_WB);
caromGap carom_meshgap_shape_triangle(const caromMeshShape *p, int place);  // of the triangle at a place and the shape
double carom_meshgap_shape_lowest(const caromMeshShape *p, caromVec3 d);  // least d.y over its points, d of any length
// Given that no triangle lies across the shape: is one inside the other? Only closed meshes have an inside. room (or
// NULL): while the shape moves so far along u, a part of one stays inside the other.
bool carom_meshgap_shape_is_nested(const caromMeshShape *p, caromVec3 u, double *room);
// The triangle with the least gap, which is negative where the shape lies across it; or the first of those that is
// found, if `stops` is set. seed: a place to begin with, -1: none.
caromConvexNearest carom_meshgap_shape_nearest(const caromMeshShape *p, int seed, bool stops);
typedef void (*caromTriangleVisitor)(void *user, const caromGap *gap, int place);

// Calls visit for every triangle that may be closer to the shape than the standoff and some that are not; false:
// undefined.
bool carom_meshgap_shape_each(const caromMeshShape *p, double standoff, caromTriangleVisitor visit, void *user);

// ---- depth.c: the shortest way out, locally. Both in the frame of A, which B leaves along n; p_A and p_B are on the
// surfaces that touch then.

caromGap carom_meshgap_pair_depth(const caromMeshPair *p);
caromGap carom_meshgap_shape_depth(const caromMeshShape *p);

// ---- point.c

// The triangle nearest to p (in S) among those closer than sqrt(*least2), the first place of several; -1: none is. on:
// the nearest point; feature as in caromTriangleGap.
int carom_meshgap_nearest(const caromMesh *mesh, caromVec3 p_S, double *least2, caromVec3 *on, int *feature);

// The same, or one whose square of the distance is larger by a factor of 1/share at most: found sooner.
int carom_meshgap_near(const caromMesh *mesh, caromVec3 p_S, double share, double *least2, caromVec3 *on, int *feature);

// The same among triangles whose nearest point is seen from p in a direction 30 degrees or more off those taken (unit
// vectors from the mesh to p).
int carom_meshgap_nearest_beside(const caromMesh *mesh, caromVec3 p_S, const caromVec3 *taken, int ntaken,
                                 double *least2, caromVec3 *on);

// Does a triangle of the face (mesh_features.h) come within `slack` of p, which is in its plane?
bool carom_meshgap_face_has(const caromMesh *mesh, int face, caromVec3 p_S, double slack);

// Signed distance of a point: as carom_collide_point, in S.
double carom_meshgap_point(const caromMesh *mesh, caromVec3 p_S, caromVec3 *n);

// First triangle on the ray p + s u, s >= 0: its place (-1: none), s, and its normal against the ray.
int carom_meshgap_ray(const caromMesh *mesh, caromVec3 p_S, caromVec3 u, double *s, caromVec3 *n);

// How often the surface winds around p (in S): 0 outside, 1 inside, more where parts overlap. Of closed meshes.
int carom_meshgap_winding(const caromMesh *mesh, caromVec3 p_S);

#endif
