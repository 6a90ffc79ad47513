// How far does a hull reach beyond the solid? The distance from the solid has a slope of 1 at most, so that in a box
// about c with half diagonal R it is d(c) + R at most: boxes are halved until that is no more than what is asked for,
// or than what has been found somewhere.
//
// Where the hull lies on the surface this would go on to boxes as small as the tolerance, so that those are told apart:
// triangles in a face of the hull, or outside of it, do not matter. If no others are in a box, and a point z well
// inside solid and hull is, all of the hull in that box belongs to the solid: on the way from z to a point that does
// not there would have to be a triangle.
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_pieces.h"

enum { CELLS_MAX = 200000, DEPTH_MAX = 100 };

typedef struct Cell {
    caromVec3 centre, half;
    int first, n;            // triangles that matter in the box around this one, in Search.list
} Cell;

typedef struct ReachSearch {
    const caromSolidMesh *solid;
    const caromHull *hull;
    double tolerance;
    bool is_estimate;        // ends with the first point that is beyond the tolerance
    double low, high;        // largest distance found in the hull; largest bound of a box that was not divided any more
    int *list;               // places of triangles: those of a box follow those of the box around it
    size_t capacity;
    int ncell, ncell_max;
} ReachSearch;

static double distance(const ReachSearch *s, caromVec3 p)
{
    return carom_mesh_signed_distance(s->solid->mesh, &s->solid->sides, p);
}

// How far outside of the hull a point is, by the planes of its faces; negative inside.
static double outside(const caromHull *hull, caromVec3 p, int *face)
{
    double most = -INFINITY;
    for (int f = 0; f < hull->nface; f++) {
        double h = carom_dot(hull->normals[f], p) - hull->offsets[f];
        if (h > most) most = h, *face = f;
    }
    return most;
}

static double extent(caromVec3 n, caromVec3 half)
{
    return fabs(n.x)*half.x + fabs(n.y)*half.y + fabs(n.z)*half.z;
}

static bool misses_hull(const caromHull *hull, const Cell *cell)
{
    for (int f = 0; f < hull->nface; f++)
        if (carom_dot(hull->normals[f], cell->centre) - hull->offsets[f] > extent(hull->normals[f], cell->half))
            return true;
    return false;
}

// ---- triangles

// Beyond one of the faces of the hull, or in it.
static bool does_not_matter(const ReachSearch *s, const caromVec3 t[3])
{
    const caromHull *hull = s->hull;
    for (int f = 0; f < hull->nface; f++) {
        double level = hull->offsets[f] - s->solid->eps;
        if (carom_dot(hull->normals[f], t[0]) >= level && carom_dot(hull->normals[f], t[1]) >= level &&
            carom_dot(hull->normals[f], t[2]) >= level) return true;
    }
    return false;
}

static bool is_apart(double a, double b, double c, double centre, double half)
{
    double low = a < b ? (a < c ? a : c) : (b < c ? b : c), high = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return low > centre + half || high < centre - half;
}

static bool is_in_box(const caromVec3 t[3], const Cell *cell)
{
    if (is_apart(t[0].x, t[1].x, t[2].x, cell->centre.x, cell->half.x) ||
        is_apart(t[0].y, t[1].y, t[2].y, cell->centre.y, cell->half.y) ||
        is_apart(t[0].z, t[1].z, t[2].z, cell->centre.z, cell->half.z)) return false;
    caromVec3 n = carom_cross(carom_sub(t[1], t[0]), carom_sub(t[2], t[0]));
    return fabs(carom_dot(n, carom_sub(cell->centre, t[0]))) <= 1.000001*extent(n, cell->half);
}

static bool make_room(ReachSearch *s, size_t n)
{
    if (n <= s->capacity) return true;
    size_t larger = n > 2*s->capacity ? n : 2*s->capacity;
    int *moved = realloc(s->list, larger*sizeof *moved);
    if (!moved) return false;
    s->list = moved;
    s->capacity = larger;
    return true;
}

// Those of the box around it that are in it too.
static bool narrow_list(ReachSearch *s, Cell *cell)
{
    int end = cell->first + cell->n, n = 0;
    if (!make_room(s, (size_t)end + (size_t)cell->n)) return false;
    for (int i = cell->first; i < end; i++)
        if (is_in_box(s->solid->mesh->tree.corners[s->list[i]], cell)) s->list[end + n++] = s->list[i];
    cell->first = end;
    cell->n = n;
    return true;
}

static bool list_triangles(ReachSearch *s, Cell *root)
{
    const caromMesh *mesh = s->solid->mesh;
    for (int i = 0; i < mesh->ntriangle; i++) {
        if (!is_in_box(mesh->tree.corners[i], root) || does_not_matter(s, mesh->tree.corners[i])) continue;
        if (!make_room(s, (size_t)root->n + 1)) return false;
        s->list[root->n++] = i;
    }
    return true;
}

// ---- boxes

// The middle, or a point below the face of the hull that is nearest to it. A part in 20 of the box is well inside:
// then what rounding leaves between a face of the hull and the triangles in it is 100 times their distance at
// most, 1e-8 of the size.
static bool has_point_well_inside(const ReachSearch *s, const Cell *cell, double d)
{
    double least = 0.05*fmin(cell->half.x, fmin(cell->half.y, cell->half.z));
    int face = 0;
    double out = outside(s->hull, cell->centre, &face);
    if (out <= -least && d <= -least) return true;
    caromVec3 n = s->hull->normals[face], z = carom_axpy(-(out + least), n, cell->centre);
    if (out < -least || (out + least)*fabs(n.x) > cell->half.x || (out + least)*fabs(n.y) > cell->half.y ||
        (out + least)*fabs(n.z) > cell->half.z) return false;
    return outside(s->hull, z, &face) <= -0.5*least && distance(s, z) <= -0.5*least;
}

static void look_for_more(ReachSearch *s, caromVec3 p, double d)
{
    int face;
    if (d > s->low && outside(s->hull, p, &face) <= 0.0) s->low = d;
}

// Above the tolerance 10 % are enough.
static double enough(const ReachSearch *s)
{
    return fmax(s->tolerance, 1.1*s->low);
}

static bool is_done(ReachSearch *s, const Cell *cell)
{
    double d = distance(s, cell->centre), R = carom_norm(cell->half);
    look_for_more(s, cell->centre, d);
    if (d + R <= enough(s)) return true;
    if (cell->n == 0 && has_point_well_inside(s, cell, d)) return true;
    if (R > 0.02*s->tolerance && s->ncell < s->ncell_max) return false;
    s->high = fmax(s->high, d + R);
    return true;
}

static void halve(const Cell *cell, Cell below[2])
{
    double *centre[2], *half[2];
    for (int k = 0; k < 2; k++) {
        below[k] = *cell;
        caromVec3 h = cell->half;
        bool is_x = h.x >= h.y && h.x >= h.z, is_y = !is_x && h.y >= h.z;
        centre[k] = is_x ? &below[k].centre.x : is_y ? &below[k].centre.y : &below[k].centre.z;
        half[k] = is_x ? &below[k].half.x : is_y ? &below[k].half.y : &below[k].half.z;
        *half[k] *= 0.5;
        *centre[k] += k ? *half[k] : -*half[k];
    }
}

static bool is_beyond(const ReachSearch *s)
{
    return s->is_estimate && fmax(s->low, s->high) > s->tolerance;
}

static bool search(ReachSearch *s, const Cell *root)
{
    Cell stack[DEPTH_MAX] = { *root };
    int n = 1;
    while (n > 0 && !is_beyond(s)) {
        Cell cell = stack[--n], below[2];
        if (misses_hull(s->hull, &cell)) continue;
        s->ncell++;
        if (!narrow_list(s, &cell)) return false;
        if (is_done(s, &cell)) continue;
        if (n + 2 > DEPTH_MAX) {
            s->high = INFINITY;  // boxes 2^-33 of the size: cannot be, as the tolerance is above that
            continue;
        }
        halve(&cell, below);
        stack[n++] = below[0];
        stack[n++] = below[1];
    }
    return true;
}

static Cell box_of(const caromHull *hull)
{
    caromVec3 low = hull->vertices[0], high = low;
    for (int i = 1; i < hull->nvertex; i++) {
        caromVec3 p = hull->vertices[i];
        low = carom_vec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = carom_vec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return (Cell){ .centre = carom_scale(0.5, carom_add(low, high)), .half = carom_scale(0.5, carom_sub(high, low)) };
}

// The middles of faces are where hulls bridge hollows: mostly they have the answer, and no box needs to be small.
static void look_at_faces(ReachSearch *s)
{
    for (int f = 0; f < s->hull->nface; f++) {
        const int *corner = s->hull->corners + s->hull->first_corner[f];
        int n = s->hull->first_corner[f + 1] - s->hull->first_corner[f];
        caromVec3 middle = { 0, 0, 0 };
        for (int k = 0; k < n; k++) middle = carom_axpy(1.0/n, s->hull->vertices[corner[k]], middle);
        s->low = fmax(s->low, distance(s, middle));
    }
}

// All of the hull is solid: no triangle matters, and its centre of mass is well inside.
static bool is_solid(const ReachSearch *s, const Cell *root)
{
    int face;
    caromVec3 z = s->hull->solid.com;
    return root->n == 0 && distance(s, z) <= -1e3*s->solid->eps && outside(s->hull, z, &face) <= -1e3*s->solid->eps;
}

static double find_reach(const caromSolidMesh *solid, const caromHull *hull, double tolerance, bool is_estimate,
                         int boxes_max)
{
    ReachSearch s = { .solid = solid, .hull = hull, .tolerance = tolerance, .is_estimate = is_estimate,
                      .ncell_max = boxes_max };
    Cell root = box_of(hull);
    look_at_faces(&s);
    if (is_beyond(&s)) return s.low;
    bool good = list_triangles(&s, &root);
    double reach = 0.0;
    if (good && !is_solid(&s, &root)) {
        good = search(&s, &root);
        reach = is_beyond(&s) ? fmax(s.low, s.high) : fmax(enough(&s), s.high);
    }
    free(s.list);
    return good ? reach : -1.0;
}

double carom_hull_reach(const caromSolidMesh *solid, const caromHull *hull, double tolerance)
{
    return find_reach(solid, hull, tolerance, false, CELLS_MAX);
}

double carom_hull_reach_estimate(const caromSolidMesh *solid, const caromHull *hull, double tolerance)
{
    return find_reach(solid, hull, tolerance, true, CELLS_MAX);
}

bool carom_hull_is_within(const caromSolidMesh *solid, const caromHull *hull, double tolerance, int boxes_max)
{
    double reach = find_reach(solid, hull, tolerance, true, boxes_max);
    return reach >= 0.0 && reach <= tolerance;
}
