// From points to the faces of their convex hull. qhull says which points are corners of which face (facets.c); the
// order of vertices and faces depends on the order of the points only.
#include <float.h>
#include <string.h>

#include "base/base.h"
#include "geometry/solid.h"

void carom_hull_solid_free(caromSolid *s)
{
    free(s->vertices);
    free(s->normals);
    free(s->origin);
    free(s->first);
    free(s->corners);
    *s = (caromSolid){ 0 };
}

caromStatus carom_hull_fail_memory(caromError *err, int n)
{
    return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for a convex hull of %d points", n);
}

typedef struct Numbered { caromVec3 p; int index; } Numbered;

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_places(const Numbered *a, const Numbered *b)
{
    int c = compare_doubles(a->p.x, b->p.x);
    if (c == 0) c = compare_doubles(a->p.y, b->p.y);
    return c != 0 ? c : compare_doubles(a->p.z, b->p.z);
}

static int by_place(const void *a, const void *b)
{
    const Numbered *p = a, *q = b;
    int c = compare_places(p, q);
    return c != 0 ? c : (p->index > q->index) - (p->index < q->index);
}

static int by_index(const void *a, const void *b)
{
    const Numbered *p = a, *q = b;
    return (p->index > q->index) - (p->index < q->index);
}

void carom_hull_cloud_free(caromCloud *cloud)
{
    free(cloud->points);
    free(cloud->origin);
    *cloud = (caromCloud){ 0 };
}

// Each point once: the first of those that are the same.
bool carom_hull_cloud_collect(const caromVec3 *points, int n, caromCloud *cloud)
{
    Numbered *all = carom_alloc_array((size_t)n, sizeof *all);
    cloud->points = carom_alloc_array((size_t)n, sizeof *cloud->points);
    cloud->origin = carom_alloc_array((size_t)n, sizeof *cloud->origin);
    if (!all || !cloud->points || !cloud->origin) {
        free(all);
        return false;
    }
    for (int i = 0; i < n; i++) all[i] = (Numbered){ points[i], i };
    qsort(all, (size_t)n, sizeof *all, by_place);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (kept == 0 || compare_places(&all[i], &all[kept - 1]) != 0) all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_index);
    for (int i = 0; i < kept; i++) cloud->points[i] = all[i].p, cloud->origin[i] = all[i].index;
    cloud->count = kept;
    free(all);
    return true;
}

static caromVec3 smallest(caromVec3 a, caromVec3 b)
{
    return carom_vec(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

double carom_hull_largest_component(caromVec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

void carom_hull_cloud_measure(caromCloud *cloud)
{
    caromVec3 low = cloud->points[0], minus_high = carom_neg(low);
    for (int i = 1; i < cloud->count; i++) {
        low = smallest(low, cloud->points[i]);
        minus_high = smallest(minus_high, carom_neg(cloud->points[i]));
    }
    cloud->centre = carom_sub(carom_scale(0.5, low), carom_scale(0.5, minus_high));
    cloud->size = carom_hull_largest_component(carom_add(carom_scale(0.5, low), carom_scale(0.5, minus_high)));
    cloud->rounding = DBL_EPSILON*fmax(carom_hull_largest_component(low), carom_hull_largest_component(minus_high));
}

// The farthest point from the plane through o along n, or from the line (is_line), or from the point o (n = 0).
static int farthest(const caromCloud *cloud, caromVec3 o, caromVec3 n, bool is_line, double *distance)
{
    int best = 0;
    *distance = -1.0;
    for (int i = 0; i < cloud->count; i++) {
        caromVec3 d = carom_sub(cloud->points[i], o);
        double x = is_line ? carom_norm(carom_cross(n, d)) : carom_norm2(n) > 0.0 ? fabs(carom_dot(n, d))
                           : carom_norm(d);
        if (x > *distance) *distance = x, best = i;
    }
    return best;
}

// A solid needs extent in three directions, beyond what rounding of the coordinates could feign.
caromStatus carom_hull_cloud_check_extent(const caromCloud *cloud, caromError *err)
{
    double feigned = 8.0*cloud->rounding, length, width, height;
    caromVec3 o = cloud->points[0], none = { 0, 0, 0 };
    caromVec3 a = carom_sub(cloud->points[farthest(cloud, o, none, false, &length)], o);
    if (!(length > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull are at (%g, %g, %g) m: "
                          "it needs 4 or more that do not lie in a plane", o.x, o.y, o.z);
    caromVec3 along = carom_scale(1.0/length, a);
    caromVec3 b = carom_sub(cloud->points[farthest(cloud, o, along, true, &width)], o);
    if (!(width > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull lie on a line (%g m long, "
                          "%.2g m wide): a solid needs points beside it", length, width);
    caromVec3 n = carom_unit_or(carom_cross(along, b), none);
    farthest(cloud, o, n, false, &height);
    if (!(height > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull lie in a plane (thickness %.2g m at "
                          "a length of %g m): a solid needs points on at least one side of it", height, length);
    return CAROM_OK;
}

// Squares of lengths must neither overflow nor vanish.
static caromStatus check_size(const caromCloud *cloud, caromError *err)
{
    double low = 1e-50, high = 1e50;
    if (cloud->count > 1 && cloud->size >= low && cloud->rounding <= high*DBL_EPSILON) return CAROM_OK;
    if (cloud->count <= 1 || cloud->size == 0.0) return carom_hull_cloud_check_extent(cloud, err);
    return carom_fail(err, CAROM_ERR_INPUT, "", "the points of the convex hull span %g m and reach %g m: "
                      "sizes from %g m to %g m are expected", 2.0*cloud->size, cloud->rounding/DBL_EPSILON, low, high);
}

caromStatus carom_hull_cloud_make(const caromVec3 *points, int n, caromCloud *cloud, caromError *err)
{
    if (!carom_hull_cloud_collect(points, n, cloud)) return carom_hull_fail_memory(err, n);
    carom_hull_cloud_measure(cloud);
    caromStatus status = check_size(cloud, err);
    return status != CAROM_OK ? status : carom_hull_cloud_check_extent(cloud, err);
}

// Leaves out corners where fewer than three faces meet: they lie on an edge or inside a face. number[i] becomes the
// vertex of point i, or -1. Returns the number of vertices.
static int number_vertices(caromFacets *facets, int npoint, int *number)
{
    for (int i = 0; i < npoint; i++) number[i] = 0;
    int ncorner = facets->first[facets->count], nvertex = 0;
    for (int k = 0; k < ncorner; k++) number[facets->corners[k]]++;
    for (int i = 0; i < npoint; i++) number[i] = number[i] >= 3 ? nvertex++ : -1;
    return nvertex;
}

static void start_at_lowest(int *loop, int n, int *scratch)
{
    int lowest = 0;
    for (int k = 1; k < n; k++)
        if (loop[k] < loop[lowest]) lowest = k;
    for (int k = 0; k < n; k++) scratch[k] = loop[(lowest + k)%n];
    memcpy(loop, scratch, (size_t)n*sizeof *loop);
}

static int by_start(const void *x, const void *y)
{
    const caromLoop *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Loops of vertices in their order; returns how many there are, -1 when one has no three corners.
int carom_hull_solid_order_loops(const caromFacets *facets, const int *number, int *corners, caromLoop *loops,
                                 int *scratch)
{
    int end = 0;
    for (int f = 0; f < facets->count; f++) {
        int first = end;
        for (int k = facets->first[f]; k < facets->first[f + 1]; k++)
            if (number[facets->corners[k]] >= 0) corners[end++] = number[facets->corners[k]];
        if (end - first < 3) return -1;
        start_at_lowest(corners + first, end - first, scratch);
        loops[f] = (caromLoop){ corners[first], corners[first + 1], first, end - first, f };
    }
    qsort(loops, (size_t)facets->count, sizeof *loops, by_start);
    return facets->count;
}

static void copy_loops(caromSolid *s, const int *corners, const caromLoop *loops, const caromFacets *facets)
{
    int end = 0;
    for (int f = 0; f < s->nface; f++) {
        s->first[f] = end;
        s->normals[f] = facets->normals[loops[f].facet];
        memcpy(s->corners + end, corners + loops[f].first, (size_t)loops[f].n*sizeof *corners);
        end += loops[f].n;
    }
    s->first[s->nface] = end;
}

static int by_ends(const void *x, const void *y)
{
    const caromSide *p = x, *q = y;
    if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
    if (p->b != q->b) return (p->b > q->b) - (p->b < q->b);
    return (p->face < q->face) - (p->face > q->face);  // the face with the edge from a to b first
}

void carom_hull_solid_sides(int nface, const int *first, const int *corners, caromSide *sides)
{
    caromSide *side = sides;
    for (int f = 0; f < nface; f++) {
        int n = first[f + 1] - first[f];
        for (int k = 0; k < n; k++) {
            int a = corners[first[f] + k], b = corners[first[f] + (k + 1)%n];
            *side++ = a < b ? (caromSide){ a, b, f } : (caromSide){ b, a, ~f };
        }
    }
    qsort(sides, (size_t)first[nface], sizeof *sides, by_ends);
}

// Every edge has one face on each side, and Euler's formula holds: a closed surface without holes.
static bool is_closed(const caromSolid *s, caromSide *sides)
{
    int nside = s->first[s->nface];
    if (nside%2 != 0 || s->nvertex - nside/2 + s->nface != 2) return false;
    carom_hull_solid_sides(s->nface, s->first, s->corners, sides);
    for (int k = 0; k < nside; k += 2) {
        const caromSide *p = &sides[k], *q = &sides[k + 1];
        if (p->a != q->a || p->b != q->b || p->face < 0 || q->face >= 0) return false;
        if (k > 0 && p->a == p[-1].a && p->b == p[-1].b) return false;
    }
    return true;
}

// CAROM_RETRY when the facets close no surface.
static caromStatus solid_of(caromFacets *facets, const caromCloud *cloud, caromSolid *s, caromError *err)
{
    size_t nface = (size_t)facets->count, ncorner = (size_t)facets->first[facets->count];
    int *number = carom_alloc_array((size_t)cloud->count, sizeof *number),
        *corners = carom_alloc_array(ncorner, sizeof *corners);
    int *scratch = carom_alloc_array(ncorner, sizeof *scratch);
    caromLoop *loops = carom_alloc_array(nface, sizeof *loops);
    caromSide *sides = carom_alloc_array(ncorner, sizeof *sides);
    s->first = carom_alloc_array(nface + 1, sizeof *s->first);
    s->corners = carom_alloc_array(ncorner, sizeof *s->corners);
    s->vertices = carom_alloc_array((size_t)cloud->count, sizeof *s->vertices);
    s->normals = carom_alloc_array(nface, sizeof *s->normals);
    s->origin = carom_alloc_array((size_t)cloud->count, sizeof *s->origin);
    caromStatus status = CAROM_OK;
    if (!number || !corners || !scratch || !loops || !sides || !s->first || !s->corners || !s->vertices ||
        !s->normals || !s->origin) {
        status = carom_hull_fail_memory(err, cloud->count);
    } else {
        s->nvertex = number_vertices(facets, cloud->count, number);
        for (int i = 0; i < cloud->count; i++)
            if (number[i] >= 0) s->vertices[number[i]] = cloud->points[i], s->origin[number[i]] = cloud->origin[i];
        s->nface = carom_hull_solid_order_loops(facets, number, corners, loops, scratch);
        if (s->nface < 4) status = CAROM_RETRY;
        else copy_loops(s, corners, loops, facets);
        if (status == CAROM_OK && !is_closed(s, sides)) status = CAROM_RETRY;
    }
    free(number);
    free(corners);
    free(scratch);
    free(loops);
    free(sides);
    if (status != CAROM_OK) carom_hull_solid_free(s);
    return status;
}

// A point is off by up to cloud->rounding across, and a plane through three of them by some times that: faces
// whose vertices are within
//
//     8 eps size + 4 eps (largest coordinate)
//
// of a common plane are one. The first part is what qhull itself computes with (6.3 eps for coordinates up to 1).
// Larger tolerances are tried only when qhull fails or its facets close no surface.
caromStatus carom_hull_solid_find(const caromCloud *cloud, caromSolid *s, caromError *err)
{
    caromVec3 *centred = carom_alloc_array((size_t)cloud->count, sizeof *centred);
    if (!centred) return carom_hull_fail_memory(err, cloud->count);
    for (int i = 0; i < cloud->count; i++)
        centred[i] = carom_scale(1.0/cloud->size, carom_sub(cloud->points[i], cloud->centre));
    double tolerance = 8.0*DBL_EPSILON + 4.0*cloud->rounding/cloud->size;
    caromStatus status = CAROM_RETRY;
    for (int trial = 0; trial < 5 && (status == CAROM_RETRY || status == CAROM_ERR_NUMERIC); trial++,
         tolerance *= 8.0) {
        caromFacets facets;
        status = carom_geometry_facets_find(centred, cloud->count, tolerance, &facets, err);
        if (status == CAROM_OK) status = solid_of(&facets, cloud, s, err);
        carom_geometry_facets_free(&facets);
    }
    free(centred);
    if (status != CAROM_RETRY && status != CAROM_ERR_NUMERIC) return status;
    return carom_fail(err, CAROM_ERR_INPUT, "", "no convex hull found for %d points that span %g m: it would be too "
                      "thin, or points that lie very close to each other hide its faces; leave such points out",
                      cloud->count, 2.0*cloud->size);
}
