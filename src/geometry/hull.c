// Convex hulls: from points to everything that is looked up during a query.
//
// qhull says which points are corners of which face (facets.c). Everything else is computed here from the coordinates as given, in an
// order that depends on the order of the points only.
#include <float.h>
#include <string.h>

#include "base/base.h"
#include "geometry/facets.h"
#include "geometry/moments.h"

// Vertices in the order of the points, and faces as loops of them: each starts at its lowest vertex, faces are sorted by their first two.
typedef struct Solid {
    int nvertex, nface;
    caromVec3 *vertices;
    int *first, *corners;
} Solid;

static void free_solid(Solid *s)
{
    free(s->vertices);
    free(s->first);
    free(s->corners);
    *s = (Solid){ 0 };
}

static caromStatus fail_memory(caromError *err, int n)
{
    return carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for a convex hull of %d points", n);
}

// ------------------------------------------------------------------------------------------------ points

typedef struct Cloud {
    caromVec3 *points;  // each once, in the order given
    int count;
    caromVec3 centre;   // of the bounding box
    double size;        // half of its longest side
    double rounding;    // of the coordinates as given: a point is known to about this
} Cloud;

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

// Each point once: the first of those that are the same.
static bool unique_points(const caromVec3 *points, int n, Cloud *cloud)
{
    Numbered *all = carom_alloc_array((size_t)n, sizeof *all);
    cloud->points = carom_alloc_array((size_t)n, sizeof *cloud->points);
    if (!all || !cloud->points) {
        free(all);
        return false;
    }
    for (int i = 0; i < n; i++) all[i] = (Numbered){ points[i], i };
    qsort(all, (size_t)n, sizeof *all, by_place);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (kept == 0 || compare_places(&all[i], &all[kept - 1]) != 0) all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_index);
    for (int i = 0; i < kept; i++) cloud->points[i] = all[i].p;
    cloud->count = kept;
    free(all);
    return true;
}

static caromVec3 smallest(caromVec3 a, caromVec3 b)
{
    return carom_vec(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static double largest_component(caromVec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static void measure(Cloud *cloud)
{
    caromVec3 low = cloud->points[0], minus_high = carom_neg(low);
    for (int i = 1; i < cloud->count; i++) {
        low = smallest(low, cloud->points[i]);
        minus_high = smallest(minus_high, carom_neg(cloud->points[i]));
    }
    cloud->centre = carom_sub(carom_scale(0.5, low), carom_scale(0.5, minus_high));
    cloud->size = largest_component(carom_add(carom_scale(0.5, low), carom_scale(0.5, minus_high)));
    cloud->rounding = DBL_EPSILON*fmax(largest_component(low), largest_component(minus_high));
}

// The farthest point from the plane through o along n, or from the line (is_line), or from the point o (n = 0).
static int farthest(const Cloud *cloud, caromVec3 o, caromVec3 n, bool is_line, double *distance)
{
    int best = 0;
    *distance = -1.0;
    for (int i = 0; i < cloud->count; i++) {
        caromVec3 d = carom_sub(cloud->points[i], o);
        double x = is_line ? carom_norm(carom_cross(n, d)) : carom_norm2(n) > 0.0 ? fabs(carom_dot(n, d)) : carom_norm(d);
        if (x > *distance) *distance = x, best = i;
    }
    return best;
}

// A solid needs extent in three directions, beyond what rounding of the coordinates could feign.
static caromStatus check_extent(const Cloud *cloud, caromError *err)
{
    double feigned = 8.0*cloud->rounding, length, width, height;
    caromVec3 o = cloud->points[0], none = { 0, 0, 0 };
    caromVec3 a = carom_sub(cloud->points[farthest(cloud, o, none, false, &length)], o);
    if (!(length > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull are at (%g, %g, %g) m: it needs 4 or more that do not lie in a plane", o.x,
                          o.y, o.z);
    caromVec3 along = carom_scale(1.0/length, a);
    caromVec3 b = carom_sub(cloud->points[farthest(cloud, o, along, true, &width)], o);
    if (!(width > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull lie on a line (%g m long, %.2g m wide): a solid needs points beside it",
                          length, width);
    caromVec3 n = carom_unit_or(carom_cross(along, b), none);
    farthest(cloud, o, n, false, &height);
    if (!(height > feigned))
        return carom_fail(err, CAROM_ERR_INPUT, "", "all points of the convex hull lie in a plane (thickness %.2g m at a length of %g m): a solid needs points "
                          "on at least one side of it", height, length);
    return CAROM_OK;
}

static caromStatus check_points(const caromVec3 *points, int n, double rounding, caromError *err)
{
    if (!isfinite(rounding) || rounding < 0.0)
        return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding is %g m: a finite radius, 0 or more, is expected", rounding);
    if (n < 4 || !points)
        return carom_fail(err, CAROM_ERR_INPUT, "", "a convex hull needs 4 points or more that do not lie in a plane, not %d", n);
    if (n > CAROM_HULL_POINTS_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "", "%d points are more than a convex hull may have here (%d): thin them out first", n, CAROM_HULL_POINTS_MAX);
    for (int i = 0; i < n; i++)
        if (!carom_is_finite3(points[i]))
            return carom_fail(err, CAROM_ERR_INPUT, "", "point %d of %d is (%g, %g, %g): finite coordinates in m are expected", i + 1, n, points[i].x, points[i].y,
                              points[i].z);
    return CAROM_OK;
}

// Squares of lengths must neither overflow nor vanish.
static caromStatus check_size(const Cloud *cloud, caromError *err)
{
    double low = 1e-50, high = 1e50;
    if (cloud->count > 1 && cloud->size >= low && cloud->rounding <= high*DBL_EPSILON) return CAROM_OK;
    if (cloud->count <= 1 || cloud->size == 0.0) return check_extent(cloud, err);
    return carom_fail(err, CAROM_ERR_INPUT, "", "the points of the convex hull span %g m and reach %g m: sizes from %g m to %g m are expected", 2.0*cloud->size,
                      cloud->rounding/DBL_EPSILON, low, high);
}

static caromStatus make_cloud(const caromVec3 *points, int n, Cloud *cloud, caromError *err)
{
    if (!unique_points(points, n, cloud)) return fail_memory(err, n);
    measure(cloud);
    caromStatus status = check_size(cloud, err);
    return status != CAROM_OK ? status : check_extent(cloud, err);
}

// ------------------------------------------------------------------------------------------------ faces

// Leaves out corners where fewer than three faces meet: they lie on an edge or inside a face. number[i] becomes the vertex of point i,
// or -1. Returns the number of vertices.
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

typedef struct Loop { int a, b, first, n; } Loop;

static int by_start(const void *x, const void *y)
{
    const Loop *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Loops of vertices in their order; returns how many there are, -1 when one has no three corners.
static int order_loops(const caromFacets *facets, const int *number, int *corners, Loop *loops, int *scratch)
{
    int end = 0;
    for (int f = 0; f < facets->count; f++) {
        int first = end;
        for (int k = facets->first[f]; k < facets->first[f + 1]; k++)
            if (number[facets->corners[k]] >= 0) corners[end++] = number[facets->corners[k]];
        if (end - first < 3) return -1;
        start_at_lowest(corners + first, end - first, scratch);
        loops[f] = (Loop){ corners[first], corners[first + 1], first, end - first };
    }
    qsort(loops, (size_t)facets->count, sizeof *loops, by_start);
    return facets->count;
}

static void copy_loops(Solid *s, const int *corners, const Loop *loops)
{
    int end = 0;
    for (int f = 0; f < s->nface; f++) {
        s->first[f] = end;
        memcpy(s->corners + end, corners + loops[f].first, (size_t)loops[f].n*sizeof *corners);
        end += loops[f].n;
    }
    s->first[s->nface] = end;
}

typedef struct Side { int a, b, face; } Side;  // of a face, a < b; face ~f where it runs from b to a

static int by_ends(const void *x, const void *y)
{
    const Side *p = x, *q = y;
    if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
    if (p->b != q->b) return (p->b > q->b) - (p->b < q->b);
    return (p->face < q->face) - (p->face > q->face);  // the face with the edge from a to b first
}

static void list_sides(int nface, const int *first, const int *corners, Side *sides)
{
    for (int f = 0; f < nface; f++) {
        int n = first[f + 1] - first[f];
        for (int k = 0; k < n; k++) {
            int a = corners[first[f] + k], b = corners[first[f] + (k + 1)%n];
            *sides++ = a < b ? (Side){ a, b, f } : (Side){ b, a, ~f };
        }
    }
}

// Every edge has one face on each side, and Euler's formula holds: a closed surface without holes.
static bool is_closed(const Solid *s, Side *sides)
{
    int nside = s->first[s->nface];
    if (nside%2 != 0 || s->nvertex - nside/2 + s->nface != 2) return false;
    list_sides(s->nface, s->first, s->corners, sides);
    qsort(sides, (size_t)nside, sizeof *sides, by_ends);
    for (int k = 0; k < nside; k += 2) {
        const Side *p = &sides[k], *q = &sides[k + 1];
        if (p->a != q->a || p->b != q->b || p->face < 0 || q->face >= 0) return false;
        if (k > 0 && p->a == p[-1].a && p->b == p[-1].b) return false;
    }
    return true;
}

// CAROM_RETRY when the facets close no surface.
static caromStatus solid_of(caromFacets *facets, const Cloud *cloud, Solid *s, caromError *err)
{
    size_t nface = (size_t)facets->count, ncorner = (size_t)facets->first[facets->count];
    int *number = carom_alloc_array((size_t)cloud->count, sizeof *number), *corners = carom_alloc_array(ncorner, sizeof *corners);
    int *scratch = carom_alloc_array(ncorner, sizeof *scratch);
    Loop *loops = carom_alloc_array(nface, sizeof *loops);
    Side *sides = carom_alloc_array(ncorner, sizeof *sides);
    s->first = carom_alloc_array(nface + 1, sizeof *s->first);
    s->corners = carom_alloc_array(ncorner, sizeof *s->corners);
    s->vertices = carom_alloc_array((size_t)cloud->count, sizeof *s->vertices);
    caromStatus status = CAROM_OK;
    if (!number || !corners || !scratch || !loops || !sides || !s->first || !s->corners || !s->vertices) {
        status = fail_memory(err, cloud->count);
    } else {
        s->nvertex = number_vertices(facets, cloud->count, number);
        for (int i = 0; i < cloud->count; i++)
            if (number[i] >= 0) s->vertices[number[i]] = cloud->points[i];
        s->nface = order_loops(facets, number, corners, loops, scratch);
        if (s->nface < 4) status = CAROM_RETRY;
        else copy_loops(s, corners, loops);
        if (status == CAROM_OK && !is_closed(s, sides)) status = CAROM_RETRY;
    }
    free(number);
    free(corners);
    free(scratch);
    free(loops);
    free(sides);
    return status;
}

// A point is off by up to cloud->rounding across, and a plane through three of them by some times that: faces whose vertices are within
//
//     8 eps size + 4 eps (largest coordinate)
//
// of a common plane are one. The first part is what qhull itself computes with (6.3 eps for coordinates up to 1). Larger tolerances are
// tried only when qhull fails or its facets close no surface.
static caromStatus find_solid(const Cloud *cloud, Solid *s, caromError *err)
{
    caromVec3 *centred = carom_alloc_array((size_t)cloud->count, sizeof *centred);
    if (!centred) return fail_memory(err, cloud->count);
    for (int i = 0; i < cloud->count; i++) centred[i] = carom_scale(1.0/cloud->size, carom_sub(cloud->points[i], cloud->centre));
    double tolerance = 8.0*DBL_EPSILON + 4.0*cloud->rounding/cloud->size;
    caromStatus status = CAROM_RETRY;
    for (int trial = 0; trial < 5 && (status == CAROM_RETRY || status == CAROM_ERR_NUMERIC); trial++, tolerance *= 8.0) {
        caromFacets facets;
        free_solid(s);
        status = carom_facets_find(centred, cloud->count, tolerance, &facets, err);
        if (status == CAROM_OK) status = solid_of(&facets, cloud, s, err);
        carom_facets_free(&facets);
    }
    free(centred);
    if (status != CAROM_RETRY && status != CAROM_ERR_NUMERIC) return status;
    return carom_fail(err, CAROM_ERR_INPUT, "", "no convex hull found for %d points that span %g m: it would be too thin, or points that lie very close "
                      "to each other hide its faces; leave such points out", cloud->count, 2.0*cloud->size);
}

// ------------------------------------------------------------------------------------------------ one block of memory

static void *take(char *base, size_t *used, size_t count, size_t size)
{
    size_t at = (*used + size - 1)/size*size;
    if (size > sizeof(double)) at = (*used + sizeof(double) - 1)/sizeof(double)*sizeof(double);
    *used = at + count*size;
    return base + at;
}

// Lays the arrays out behind the struct at base (h may lie elsewhere yet); returns how many bytes there are.
static size_t place(caromHull *h, char *base)
{
    size_t used = sizeof *h, nv = (size_t)h->nvertex, nf = (size_t)h->nface, ne = (size_t)h->nedge;
    size_t nov = (size_t)h->nouter, nof = (size_t)h->nouter_face, noe = nov + nof - 2;  // Euler
    h->vertices = take(base, &used, nv, sizeof *h->vertices);
    h->normals = take(base, &used, nf, sizeof *h->normals);
    h->offsets = take(base, &used, nf, sizeof *h->offsets);
    h->first_neighbour = take(base, &used, nv + 1, sizeof(int));
    h->neighbours = take(base, &used, 2*ne, sizeof(int));
    h->vertex_faces = take(base, &used, 2*ne, sizeof(int));
    h->first_corner = take(base, &used, nf + 1, sizeof(int));
    h->corners = take(base, &used, 2*ne, sizeof(int));
    h->edges = take(base, &used, 2*ne, sizeof(int));
    h->edge_faces = take(base, &used, 2*ne, sizeof(int));
    h->seeds = take(base, &used, CAROM_SEED_CELLS, sizeof(int));
    h->outer = h->vertices;
    h->outer_first = h->first_corner;
    h->outer_corners = h->corners;
    if (h->rounding > 0.0) {
        h->outer = take(base, &used, nov, sizeof *h->outer);
        h->outer_first = take(base, &used, nof + 1, sizeof(int));
        h->outer_corners = take(base, &used, 2*noe, sizeof(int));
    }
    return used;
}

static caromHull *allocate(const Solid *core, const Solid *outer, double rounding)
{
    caromHull h = { .nvertex = core->nvertex, .nface = core->nface, .nedge = core->first[core->nface]/2, .rounding = rounding,
                    .nouter = outer->nvertex, .nouter_face = outer->nface };
    h.bytes = place(&h, (char *)&h);
    caromHull *hull = carom_alloc_array(1, h.bytes);
    if (!hull) return NULL;
    *hull = h;
    place(hull, (char *)hull);
    return hull;
}

static void copy_solid(const Solid *s, caromVec3 *vertices, int *first, int *corners)
{
    memcpy(vertices, s->vertices, (size_t)s->nvertex*sizeof *vertices);
    memcpy(first, s->first, ((size_t)s->nface + 1)*sizeof *first);
    memcpy(corners, s->corners, (size_t)s->first[s->nface]*sizeof *corners);
}

// ------------------------------------------------------------------------------------------------ what is looked up

// Newell's normal, twice the area of the polygon, with corners from the first one so that coordinates far from So do not cancel.
static caromVec3 newell(const caromVec3 *vertices, const int *corner, int n)
{
    caromVec3 o = vertices[corner[0]], sum = { 0, 0, 0 };
    for (int k = 1; k + 1 < n; k++) {
        caromVec3 a = carom_sub(vertices[corner[k]], o), b = carom_sub(vertices[corner[k + 1]], o);
        sum = carom_add(sum, carom_cross(a, b));
    }
    return sum;
}

static void make_planes(caromHull *h)
{
    for (int f = 0; f < h->nface; f++) {
        const int *corner = h->corners + h->first_corner[f];
        int n = h->first_corner[f + 1] - h->first_corner[f];
        caromVec3 normal = carom_unit_or(newell(h->vertices, corner, n), carom_vec(0, 0, 1)), o = h->vertices[corner[0]];
        double mean = 0.0;
        for (int k = 1; k < n; k++) mean += carom_dot(normal, carom_sub(h->vertices[corner[k]], o))/n;
        h->normals[f] = normal;
        h->offsets[f] = carom_dot(normal, o) + mean;
    }
}

static void make_edges(caromHull *h, Side *sides)
{
    list_sides(h->nface, h->first_corner, h->corners, sides);
    qsort(sides, (size_t)h->nedge*2, sizeof *sides, by_ends);
    for (int i = 0; i < h->nedge; i++) {
        h->edges[i][0] = sides[2*i].a, h->edges[i][1] = sides[2*i].b;
        h->edge_faces[i][0] = sides[2*i].face, h->edge_faces[i][1] = ~sides[2*i + 1].face;
    }
}

// Ascending, as the edges are sorted by their lower and then their higher end: the edges to lower vertices come first.
static void make_neighbours(caromHull *h)
{
    for (int i = 0; i < h->nedge; i++)
        for (int k = 0; k < 2; k++) h->first_neighbour[h->edges[i][k] + 1]++;
    for (int v = 0; v < h->nvertex; v++) h->first_neighbour[v + 1] += h->first_neighbour[v];
    for (int k = 1; k >= 0; k--)  // first the lower neighbours of all, then the higher ones
        for (int i = 0; i < h->nedge; i++) h->neighbours[h->first_neighbour[h->edges[i][k]]++] = h->edges[i][1 - k];
    for (int v = h->nvertex; v > 0; v--) h->first_neighbour[v] = h->first_neighbour[v - 1];
    h->first_neighbour[0] = 0;
}

// As many faces meet in a vertex as edges, so they share the index.
static void make_vertex_faces(caromHull *h)
{
    for (int f = 0; f < h->nface; f++)
        for (int k = h->first_corner[f]; k < h->first_corner[f + 1]; k++) h->vertex_faces[h->first_neighbour[h->corners[k]]++] = f;
    for (int v = h->nvertex; v > 0; v--) h->first_neighbour[v] = h->first_neighbour[v - 1];
    h->first_neighbour[0] = 0;
}

// The direction in the middle of a cell: the inverse of carom_hull_seed_cell.
static caromVec3 seed_direction(int cell)
{
    int side = cell/(CAROM_SEED_GRID*CAROM_SEED_GRID), i = cell/CAROM_SEED_GRID%CAROM_SEED_GRID, j = cell%CAROM_SEED_GRID;
    double u = (2.0*i + 1.0)/CAROM_SEED_GRID - 1.0, v = (2.0*j + 1.0)/CAROM_SEED_GRID - 1.0, w = side%2 ? -1.0 : 1.0;
    return side < 2 ? carom_vec(w, u, v) : side < 4 ? carom_vec(u, w, v) : carom_vec(u, v, w);
}

// From one cell to the next the farthest vertex moves little: it is climbed to from the last one.
static void make_seeds(caromHull *h)
{
    int best = 0;
    for (int cell = 0; cell < CAROM_SEED_CELLS; cell++) h->seeds[cell] = best = carom_hull_climb(h, seed_direction(cell), best);
}

// Half of the smallest distance between a face and the vertex farthest behind it. The true width may be that of a pair of edges, which is
// smaller by at most a factor sqrt(3)/2 for a regular tetrahedron; no more than an order of magnitude is asked of it.
static double half_width(const caromHull *h)
{
    caromCore core = { .kind = CAROM_CORE_HULL, .hull = h };
    double width = INFINITY;
    for (int f = 0; f < h->nface; f++) {
        caromVec3 p = carom_core_support(&core, carom_neg(h->normals[f]));
        width = fmin(width, -carom_dot(h->normals[f], carom_sub(p, h->vertices[h->corners[h->first_corner[f]]])));
    }
    return 0.5*width + h->rounding;
}

static bool fill(caromHull *h)
{
    Side *sides = carom_alloc_array((size_t)h->nedge*2, sizeof *sides);
    if (!sides) return false;
    make_planes(h);
    make_edges(h, sides);
    free(sides);
    make_neighbours(h);
    make_vertex_faces(h);
    make_seeds(h);
    for (int v = 0; v < h->nvertex; v++) h->reach = fmax(h->reach, carom_norm(h->vertices[v]));
    h->thin = half_width(h);
    h->solid = carom_hull_mass(h);
    return h->solid.mass > 0.0;
}

static caromHull *assemble(const Solid *core, const Solid *outer, double rounding, caromError *err)
{
    caromHull *hull = allocate(core, outer, rounding);
    if (hull) {
        copy_solid(core, hull->vertices, hull->first_corner, hull->corners);
        if (rounding > 0.0) copy_solid(outer, hull->outer, hull->outer_first, hull->outer_corners);
        if (fill(hull)) return hull;
    }
    free(hull);
    fail_memory(err, core->nvertex);
    return NULL;
}

// ------------------------------------------------------------------------------------------------ rounding

// The largest ball about x that fits inside the faces has this radius; below 0 outside.
static double depth(const caromHull *h, caromVec3 x)
{
    double least = INFINITY;
    for (int f = 0; f < h->nface; f++)
        least = fmin(least, carom_dot(h->normals[f], carom_sub(h->vertices[h->corners[h->first_corner[f]]], x)));
    return least;
}

// Where three planes n.x = d meet, of those through a core vertex the ones most square to each other.
static caromVec3 meeting_point(const caromVec3 *n, const double *d, const int *loop, int count)
{
    int a = loop[0], b = loop[1], c = loop[2];
    double best = -1.0;
    for (int k = 1; k < count; k++) {
        double x = carom_norm2(carom_cross(n[a], n[loop[k]]));
        if (x > best) best = x, b = loop[k];
    }
    caromVec3 ab = carom_cross(n[a], n[b]);
    best = -1.0;
    for (int k = 1; k < count; k++) {
        double x = fabs(carom_dot(ab, n[loop[k]]));
        if (x > best) best = x, c = loop[k];
    }
    caromVec3 sum = carom_add(carom_scale(d[a], carom_cross(n[b], n[c])), carom_add(carom_scale(d[b], carom_cross(n[c], n[a])), carom_scale(d[c], ab)));
    return carom_scale(1.0/carom_dot(ab, n[c]), sum);
}

// Facets of the dual in the order of the faces they stand for: vertices of the core do not come in the order of qhull.
static caromStatus order_facets(caromFacets *facets, int npoint, Loop **loops, int **corners, caromError *err)
{
    size_t ncorner = (size_t)facets->first[facets->count];
    int *number = carom_alloc_array((size_t)npoint, sizeof *number), *scratch = carom_alloc_array(ncorner, sizeof *scratch);
    *corners = carom_alloc_array(ncorner, sizeof **corners);
    *loops = carom_alloc_array((size_t)facets->count, sizeof **loops);
    caromStatus status = CAROM_OK;
    if (!number || !scratch || !*corners || !*loops) {
        status = fail_memory(err, npoint);
    } else {
        for (int i = 0; i < npoint; i++) number[i] = i;
        if (order_loops(facets, number, *corners, *loops, scratch) < 4) status = carom_fail(err, CAROM_ERR_NUMERIC, "", "the dual of a hull has no volume");
    }
    free(number);
    free(scratch);
    return status;
}

// The half-spaces n.y <= d about a point inside (y = x - inside, d > 0) meet in a polytope whose vertices are the facets of the hull
// of the points n/d: duality [Barber96]. Its points, in the frame of the hull.
static caromStatus core_points(const caromHull *h, caromVec3 inside, double r, caromVec3 **points, int *count, caromError *err)
{
    size_t nface = (size_t)h->nface;
    caromVec3 *dual = carom_alloc_array(nface, sizeof *dual);
    double *d = carom_alloc_array(nface, sizeof *d), least = INFINITY;
    caromFacets facets = { 0 };
    Loop *loops = NULL;
    int *corners = NULL;
    caromStatus status = dual && d ? CAROM_OK : fail_memory(err, h->nvertex);
    if (status == CAROM_OK) {
        for (int f = 0; f < h->nface; f++) {
            d[f] = carom_dot(h->normals[f], carom_sub(h->vertices[h->corners[h->first_corner[f]]], inside)) - r;
            least = fmin(least, d[f]);
        }
        for (int f = 0; f < h->nface; f++) dual[f] = carom_scale(least/d[f], h->normals[f]);
        status = carom_facets_find(dual, h->nface, 32.0*DBL_EPSILON, &facets, err);
    }
    if (status == CAROM_OK) status = order_facets(&facets, h->nface, &loops, &corners, err);
    if (status == CAROM_OK && !(*points = carom_alloc_array((size_t)facets.count, sizeof **points))) status = fail_memory(err, h->nvertex);
    if (status == CAROM_OK) {
        *count = facets.count;
        for (int k = 0; k < facets.count; k++) (*points)[k] = carom_add(inside, meeting_point(h->normals, d, corners + loops[k].first, loops[k].n));
    }
    carom_facets_free(&facets);
    free(loops);
    free(corners);
    free(dual);
    free(d);
    return status;
}

// The core about a point inside: rounding of its vertices is that of the hull's coordinates.
static caromStatus core_about(const caromHull *h, caromVec3 inside, double r, double rounding, Solid *core, caromError *err)
{
    caromVec3 *points = NULL;
    int count = 0;
    Cloud cloud = { 0 };
    caromStatus status = core_points(h, inside, r, &points, &count, err);
    if (status == CAROM_OK && !unique_points(points, count, &cloud)) status = fail_memory(err, count);
    if (status == CAROM_OK) {
        measure(&cloud);
        cloud.rounding = 4.0*rounding;
        status = check_extent(&cloud, err) == CAROM_OK ? find_solid(&cloud, core, err) : CAROM_ERR_INPUT;
    }
    free(cloud.points);
    free(points);
    return status;
}

static caromStatus fail_rounding(caromError *err, double r, double largest)
{
    return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding by %g m leaves nothing of this convex hull: less than %.6g m is possible, the radius of "
                      "the largest ball inside", r, largest);
}

// A point whose ball inside the hull is larger than r: the centroid, or else the centroid of the core for a smaller rounding s, again and
// again. A centroid is at least a quarter of the width away from every supporting plane, so that with d its depth and R the radius of
// the largest ball inside, R - s <= 2 (d - s): R lies between d and 2 d - s, and each time comes to half of what was left.
static caromStatus point_inside(const caromHull *h, double r, double rounding, caromVec3 *inside, caromError *err)
{
    double enough = r + 64.0*rounding, s = 0.0;
    *inside = h->solid.com;
    double d = depth(h, *inside), upper = 2.0*d;
    for (int trial = 0; trial < 40 && d <= enough; trial++) {
        if (upper <= enough || upper - d <= 1e-6*d) return fail_rounding(err, r, d);
        s = d - 0.1*(upper - d);
        Solid core = { 0 };
        caromHull *smaller = NULL;
        caromError inner;
        if (core_about(h, *inside, s, rounding, &core, &inner) == CAROM_OK) smaller = assemble(&core, &core, 0.0, &inner);
        free_solid(&core);
        if (!smaller) return fail_rounding(err, r, d);
        *inside = smaller->solid.com;
        carom_hull_destroy(smaller);
        d = depth(h, *inside);
        upper = fmin(upper, 2.0*d - s);
    }
    return d > enough ? CAROM_OK : fail_rounding(err, r, d);
}

// Every face moves inwards by r.
static caromHull *rounded(const caromHull *sharp, const Solid *outer, double r, double rounding, caromError *err)
{
    caromVec3 inside;
    Solid core = { 0 };
    caromHull *hull = NULL;
    if (point_inside(sharp, r, rounding, &inside, err) == CAROM_OK && core_about(sharp, inside, r, rounding, &core, err) == CAROM_OK)
        hull = assemble(&core, outer, r, err);
    free_solid(&core);
    return hull;
}

// ------------------------------------------------------------------------------------------------ public

caromHull *carom_hull_create(const caromVec3 *points, int n, double rounding, caromError *err)
{
    Cloud cloud = { 0 };
    Solid solid = { 0 };
    caromHull *hull = NULL;
    if (check_points(points, n, rounding, err) == CAROM_OK && make_cloud(points, n, &cloud, err) == CAROM_OK && find_solid(&cloud, &solid, err) == CAROM_OK)
        hull = assemble(&solid, &solid, 0.0, err);
    if (hull && rounding > 0.0) {
        caromHull *sharp = hull;
        hull = rounded(sharp, &solid, rounding, cloud.rounding, err);
        carom_hull_destroy(sharp);
    }
    free(cloud.points);
    free_solid(&solid);
    return hull;
}

caromHull *carom_hull_copy(const caromHull *hull)
{
    caromHull *copy = malloc(hull->bytes);
    if (!copy) return NULL;
    memcpy(copy, hull, hull->bytes);
    place(copy, (char *)copy);
    return copy;
}

void carom_hull_destroy(caromHull *hull)
{
    free(hull);
}

double carom_hull_rounding(const caromHull *hull)
{
    return hull->rounding;
}

int carom_hull_vertices(const caromHull *hull, const caromVec3 **vertices)
{
    *vertices = hull->outer;
    return hull->nouter;
}

int carom_hull_faces(const caromHull *hull, const int **first, const int **corners)
{
    *first = hull->outer_first;
    *corners = hull->outer_corners;
    return hull->nouter_face;
}
