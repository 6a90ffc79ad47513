// A bounded convex shape as a sharp core grown by a radius. Four kinds of core serve all shapes: a point and a segment
// are boxes without width; cylinder, cone and disc are frustums.
//
// What queries (narrow/) need to know of a core is its support mapping: the point farthest along a direction.
#ifndef CAROM_SRC_GEOMETRY_CORE_H
#define CAROM_SRC_GEOMETRY_CORE_H

#include "carom/geometry.h"

typedef enum caromCoreKind {
    CAROM_CORE_BOX,       // half edges h about So; any of them may be 0
    CAROM_CORE_HULL,      // vertices of hull
    // Between the discs of radius r0 at z0 and r1 at z1 > z0, about Sz; at most one radius is 0. z1 = z0: a disc.
    CAROM_CORE_FRUSTUM,
    CAROM_CORE_ELLIPSOID  // semi-axes h about So
} caromCoreKind;

typedef struct caromCore {
    caromCoreKind kind;
    double radius;           // the shape is all points within this distance of the core
    caromVec3 h;             // box, ellipsoid
    double r0, z0, r1, z1;   // frustum
    const caromHull *hull;
} caromCore;

// A convex polytope with everything that is looked up in it during a query. One block of memory; arrays are never NULL.
// Vertices of a hull made with rounding are those of the core; the hull before rounding is kept for drawing (outer_*).
struct caromHull {
    int nvertex, nface, nedge;
    caromVec3 *vertices;
    // Neighbours of vertex v along edges: neighbours[first_neighbour[v]] .. neighbours[first_neighbour[v + 1] - 1].
    // vertex_faces has the faces that meet in v at the same places.
    int *first_neighbour, *neighbours, *vertex_faces;
    // Faces: outer unit normal n and offset b of the plane n.x = b; corners counter-clockwise from outside.
    caromVec3 *normals;
    double *offsets;
    int *first_corner, *corners;
    // Edges: vertex pairs (the smaller index first) and the two faces that meet there.
    int (*edges)[2];
    int (*edge_faces)[2];
    // A vertex near the farthest one along each direction: index by carom_hull_seed_cell.
    int *seeds;
    double rounding;
    double surface; // area of all faces
    double reach;   // largest distance of a vertex from So
    double thin;    // half of the smallest thickness of the rounded solid
    caromMassProps solid;  // of the rounded solid at density 1
    // Before rounding; the same arrays as above when rounding is 0.
    int nouter, nouter_face;
    caromVec3 *outer;
    int *outer_first, *outer_corners;
    size_t bytes;
};

enum { CAROM_SEED_GRID = 16, CAROM_SEED_CELLS = 6*CAROM_SEED_GRID*CAROM_SEED_GRID };

// Cell of a direction on a cube: side by the largest component, 16 x 16 cells on each. Any three numbers have one,
// also 0, infinite and NaN.
static inline int carom_hull_seed_cell(caromVec3 d)
{
    double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z);
    int side = ax >= ay && ax >= az ? (d.x < 0.0 ? 1 : 0) : ay >= az ? (d.y < 0.0 ? 3 : 2) : (d.z < 0.0 ? 5 : 4);
    double m = side < 2 ? ax : side < 4 ? ay : az, u = side < 2 ? d.y : d.x, v = side < 4 ? d.z : d.y;
    double s = 0.5*CAROM_SEED_GRID/m, x = s*(u + m), y = s*(v + m), last = CAROM_SEED_GRID - 1;
    int i = !(x > 0.0) ? 0 : x < last ? (int)x : CAROM_SEED_GRID - 1, j = !(y > 0.0) ? 0 : y < last ? (int)y
                                                                                     : CAROM_SEED_GRID - 1;
    return (side*CAROM_SEED_GRID + i)*CAROM_SEED_GRID + j;
}

// From neighbour to neighbour as long as it leads farther along d: on a convex polytope only the farthest vertex
// has no better neighbour.
static inline int carom_hull_climb(const caromHull *hull, caromVec3 d, int start)
{
    int best = start;
    double far = carom_dot(d, hull->vertices[best]);
    for (;;) {
        int from = best;
        const int *k = hull->neighbours + hull->first_neighbour[from],
                  *end = hull->neighbours + hull->first_neighbour[from + 1];
        for (; k < end; k++) {
            double x = carom_dot(d, hull->vertices[*k]);
            if (x > far) far = x, best = *k;
        }
        if (best == from) return best;
    }
}

caromCore carom_shape_core(const caromShape *shape);  // bounded convex shapes only

// ---- the farthest point along d (not 0), and its label: the vertex of a box or hull, the rim of a frustum
// (0 bottom, 1 top), 0 for an ellipsoid. Inline, for the inner loops of collide.

static inline caromVec3 carom_shape_box_support(const caromCore *c, caromVec3 d, int *label)
{
    *label = (d.x < 0.0 && c->h.x > 0.0) | (d.y < 0.0 && c->h.y > 0.0) << 1 | (d.z < 0.0 && c->h.z > 0.0) << 2;
    return carom_vec(d.x < 0.0 ? -c->h.x : c->h.x, d.y < 0.0 ? -c->h.y : c->h.y, d.z < 0.0 ? -c->h.z : c->h.z);
}

static inline caromVec3 carom_shape_frustum_support(const caromCore *c, caromVec3 d, int *label)
{
    double across = sqrt(d.x*d.x + d.y*d.y);
    bool top = across*(c->r1 - c->r0) + d.z*(c->z1 - c->z0) > 0.0;
    double r = top ? c->r1 : c->r0, s = across > 0.0 ? r/across : 0.0;
    *label = top;
    return carom_vec(across > 0.0 ? s*d.x : r, s*d.y, top ? c->z1 : c->z0);
}

static inline caromVec3 carom_shape_ellipsoid_support(const caromCore *c, caromVec3 d)
{
    caromVec3 w = carom_vec(c->h.x*d.x, c->h.y*d.y, c->h.z*d.z);
    double s = 1.0/carom_norm(w);
    return carom_vec(s*c->h.x*w.x, s*c->h.y*w.y, s*c->h.z*w.z);
}

enum { CAROM_SCAN_MAX = 12 };  // up to here looking at every vertex is quicker than climbing

static inline int carom_hull_scan(const caromHull *hull, caromVec3 d)
{
    const caromVec3 *v = hull->vertices, *end = v + hull->nvertex, *best = v;
    double far = carom_dot(d, *v);
    for (v++; v < end; v++) {
        double x = carom_dot(d, *v);
        best = x > far ? v : best;
        far = x > far ? x : far;
    }
    return (int)(best - hull->vertices);
}

static inline caromVec3 carom_shape_core_support_label(const caromCore *core, caromVec3 d, int *label)
{
    switch (core->kind) {
    case CAROM_CORE_BOX: return carom_shape_box_support(core, d, label);
    case CAROM_CORE_HULL:
        *label = core->hull->nvertex <= CAROM_SCAN_MAX ? carom_hull_scan(core->hull, d)
                                                       : carom_hull_climb(core->hull, d,
                                                                          core->hull->seeds[carom_hull_seed_cell(d)]);
        return core->hull->vertices[*label];
    case CAROM_CORE_FRUSTUM: return carom_shape_frustum_support(core, d, label);
    default: *label = 0; return carom_shape_ellipsoid_support(core, d);
    }
}

// The same without the label, and how far it reaches: max d.x over the core (without the radius).
caromVec3 carom_shape_core_support(const caromCore *core, caromVec3 d);
double carom_shape_core_extent(const caromCore *core, caromVec3 d);

#endif
