// Where to cut. The best plane leaves the least volume of hulls that have to be cut further. Tried are the planes of
// triangles at the deepest concave edges and half way between them, the middle across the principal axes, and gaps
// along axes, where a cut separates what is not connected.
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_pieces.h"

enum { EDGES_TRIED = 8, DIRECTIONS = 96, FEW_POINTS = 400, BOXES = 300 };
// Of the size of the part; with 0.1 a bolt has three times as many pieces, with 0.0005 some rings are cut into discs.
static const double layer = 0.005;

typedef struct Candidates {
    caromCutPlane planes[3*EDGES_TRIED + 12];
    int n;
} Candidates;

static void add_candidate(Candidates *c, caromVec3 n, caromVec3 p, double eps)
{
    n = carom_unit_or(n, carom_vec(0, 0, 0));
    if (carom_norm2(n) == 0.0) return;
    caromCutPlane plane = { n, carom_dot(n, p) };
    for (int i = 0; i < c->n; i++) {
        double same = carom_dot(c->planes[i].n, n), sign = same < 0.0 ? -1.0 : 1.0;
        if (fabs(same) > 1.0 - 1e-12 && fabs(sign*c->planes[i].offset - plane.offset) <= eps) return;
    }
    if (c->n < (int)(sizeof c->planes/sizeof c->planes[0])) c->planes[c->n++] = plane;
}

// ---- concave edges

typedef struct PlaneEdge {
    double depth;  // of its middle below the hull
    int places[2];
    caromVec3 p;
} PlaneEdge;

static double depth_in(const caromHull *hull, caromVec3 p)
{
    double depth = INFINITY;
    for (int f = 0; f < hull->nface; f++) depth = fmin(depth, hull->offsets[f] - carom_dot(hull->normals[f], p));
    return depth;
}

static caromVec3 normal_at(const caromSolidMesh *solid, int place)
{
    const caromVec3 *t = solid->mesh->tree.corners[place];
    return carom_unit_or(carom_cross(carom_sub(t[1], t[0]), carom_sub(t[2], t[0])), carom_vec(0, 0, 0));
}

static void keep_deepest(PlaneEdge *best, int *n, PlaneEdge e)
{
    int i = *n < EDGES_TRIED ? (*n)++ : EDGES_TRIED;
    if (i == EDGES_TRIED && e.depth <= best[--i].depth) return;
    for (; i > 0 && best[i - 1].depth < e.depth; i--) best[i] = best[i - 1];
    best[i] = e;
}

// An edge is concave where the third corner of one triangle is above the other. Deeper ones first; of equal ones the
// first.
static void look_at_edge(const caromSolidMesh *solid, const caromPart *part, const int places[2], int edge,
                         PlaneEdge *best, int *n)
{
    const caromMeshTree *tree = &solid->mesh->tree;
    caromVec3 normal = normal_at(solid, places[0]);
    int k = 0, l = 0;
    while (k < 2 && tree->edges[places[0]][k] != edge) k++;
    while (l < 2 && tree->edges[places[1]][l] != edge) l++;
    caromVec3 a = tree->corners[places[0]][k], b = tree->corners[places[0]][(k + 1)%3],
              third = tree->corners[places[1]][(l + 2)%3];
    if (carom_dot(normal, carom_sub(third, a)) <= 1e3*solid->eps) return;
    caromVec3 middle = carom_scale(0.5, carom_add(a, b));
    double depth = depth_in(part->hull, middle);
    if (depth > 1e3*solid->eps) keep_deepest(best, n, (PlaneEdge){ depth, { places[0], places[1] }, middle });
}

static bool add_concave_edges(const caromSolidMesh *solid, const caromPart *part, Candidates *c)
{
    const caromMeshTree *tree = &solid->mesh->tree;
    PlaneEdge best[EDGES_TRIED];
    // 1 + the place of the triangle at an edge that came first
    int n = 0, *other = carom_alloc_array((size_t)tree->nedge, sizeof *other);
    if (!other) return false;
    for (int i = 0; i < part->npolygon; i++)
        for (int k = 0; k < 3; k++) {
            int place = part->polygons[i].place, edge = tree->edges[place][k], places[2] = { other[edge] - 1, place };
            if (other[edge] == 0) other[edge] = place + 1;
            else look_at_edge(solid, part, places, edge, best, &n);
        }
    free(other);
    for (int i = 0; i < n; i++) {
        caromVec3 a = normal_at(solid, best[i].places[0]), b = normal_at(solid, best[i].places[1]);
        add_candidate(c, a, best[i].p, solid->eps);
        add_candidate(c, b, best[i].p, solid->eps);
        add_candidate(c, carom_sub(a, b), best[i].p, solid->eps);
    }
    return true;
}

// ---- axes

static caromMat3 axes_of(const caromHull *hull)
{
    caromMat3 axes;
    carom_geometry_principal_axes(hull->solid.inertia, &axes);
    return axes;
}

typedef struct Interval { double low, high; } Interval;

static int compare_intervals(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

// The widest gap along an axis in which there is no triangle; in the solid there would be one around it. Where there
// is none, the plane nearest to the middle that no triangle crosses: solids that touch are separated there, and
// rings of a turned part.
static void add_gap(const caromSolidMesh *solid, const caromPart *part, caromVec3 axis, Interval *intervals,
                    Candidates *c)
{
    for (int i = 0; i < part->npolygon; i++) {
        const caromVec3 *p = part->points + part->polygons[i].first;
        Interval in = { INFINITY, -INFINITY };
        for (int k = 0; k < part->polygons[i].n; k++) {
            double x = carom_dot(axis, p[k]);
            in.low = fmin(in.low, x);
            in.high = fmax(in.high, x);
        }
        intervals[i] = in;
    }
    qsort(intervals, (size_t)part->npolygon, sizeof *intervals, compare_intervals);
    double com = carom_dot(axis, part->hull->solid.com), reached = INFINITY, widest = -solid->eps, middle = INFINITY;
    for (int i = 0; i < part->npolygon; i++) {
        double width = intervals[i].low - reached, at = 0.5*(intervals[i].low + reached);
        bool is_as_wide = fabs(width - widest) <= solid->eps, is_nearer = fabs(at - com) < fabs(middle - com);
        if (is_as_wide ? is_nearer : width > widest) widest = width, middle = at;
        reached = i == 0 ? intervals[i].high : fmax(reached, intervals[i].high);
    }
    if (isfinite(middle)) add_candidate(c, axis, carom_scale(middle, axis), solid->eps);
}

static bool add_axes(const caromSolidMesh *solid, const caromPart *part, Candidates *c)
{
    caromMat3 axes = axes_of(part->hull);
    const caromVec3 all[6] = { axes.cx, axes.cy, axes.cz, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    Interval *intervals = carom_alloc_array((size_t)part->npolygon, sizeof *intervals);
    if (!intervals) return false;
    for (int k = 0; k < 6; k++) add_gap(solid, part, all[k], intervals, c);
    for (int k = 0; k < 6; k++) add_candidate(c, all[k], part->hull->solid.com, solid->eps);
    free(intervals);
    return true;
}

// ---- comparison

// Of many points those farthest along some directions, spread evenly: for comparing volumes that is enough.
static int extreme_points(const caromPart *part, caromVec3 *out)
{
    const double golden = 2.399963229728653;  // angle between points of a spiral on the sphere
    for (int i = 0; i < DIRECTIONS; i++) {
        double z = 1.0 - (2.0*i + 1.0)/DIRECTIONS, r = sqrt(1.0 - z*z);
        caromVec3 d = carom_vec(r*cos(golden*i), r*sin(golden*i), z);
        int best = 0;
        double far = -INFINITY;
        for (int k = 0; k < part->npoint; k++) {
            double x = carom_dot(d, part->points[k]);
            if (x > far) far = x, best = k;
        }
        out[i] = part->points[best];
    }
    return DIRECTIONS;
}

// Volume and area of the hull, about; 0: it is flat or empty. Does it stay within the tolerance, as far as a short look
// can tell?
typedef struct Extent { double volume, area; bool is_done; } Extent;

static Extent extent_of(const caromSolidMesh *solid, const caromPart *part, double tolerance)
{
    caromVec3 extreme[DIRECTIONS];
    Extent extent = { 0, 0, false };
    if (part->npoint < 4) return extent;
    bool are_many = part->npoint > FEW_POINTS;
    int n = are_many ? extreme_points(part, extreme) : part->npoint;
    caromHull *hull = carom_hull_create(are_many ? extreme : part->points, n, 0.0, NULL);
    if (hull) extent = (Extent){ hull->solid.mass, hull->surface, carom_hull_is_within(solid, hull, tolerance, BOXES) };
    carom_hull_destroy(hull);
    return extent;
}

// Volume with a layer around it: a ring is not cut into discs, which have no less volume than it, but across. What
// needs no further cut counts next to nothing.
static double weight_of(Extent e, double thickness)
{
    return (e.is_done ? 1e-3 : 1.0)*(e.volume + thickness*e.area);
}

// Of both sides; infinite when there is next to nothing on one of them.
static bool weigh(const caromSolidMesh *solid, const caromPart *part, caromCutPlane plane, double tolerance,
                  double *weight)
{
    caromPart below, above = { 0 };
    double volume = part->hull->solid.mass, thickness = layer*cbrt(volume);
    bool good = carom_mesh_part_cut(solid, part, plane, &below) &&
                carom_mesh_part_cut(solid, part, carom_mesh_plane_back(plane), &above);
    *weight = INFINITY;
    if (good) {
        Extent a = extent_of(solid, &below, tolerance), b = extent_of(solid, &above, tolerance);
        if (a.volume > 1e-6*volume && b.volume > 1e-6*volume)
            *weight = weight_of(a, thickness) + weight_of(b, thickness);
    }
    carom_mesh_part_free(&below);
    carom_mesh_part_free(&above);
    return good;
}

bool carom_mesh_part_best_plane(const caromSolidMesh *solid, const caromPart *part, double tolerance,
                                caromCutPlane *best, bool *is_memory_short)
{
    Candidates c = { .n = 0 };
    double least = INFINITY;
    *is_memory_short = !add_axes(solid, part, &c) || !add_concave_edges(solid, part, &c);
    for (int i = 0; i < c.n && !*is_memory_short; i++) {
        double weight;
        *is_memory_short = !weigh(solid, part, c.planes[i], tolerance, &weight);
        if (weight < (1.0 - 1e-9)*least) least = weight, *best = c.planes[i];
    }
    return !*is_memory_short && isfinite(least);
}
