// Convex hulls: everything that is looked up in them during a query, in one block of memory.
#include <float.h>
#include <string.h>

#include "base/base.h"
#include "geometry/solid.h"

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

static caromHull *allocate(const caromSolid *core, const caromSolid *outer, double rounding)
{
    caromHull h = { .nvertex = core->nvertex, .nface = core->nface, .nedge = core->first[core->nface]/2,
                    .rounding = rounding, .nouter = outer->nvertex, .nouter_face = outer->nface };
    h.bytes = place(&h, (char *)&h);
    caromHull *hull = carom_alloc_array(1, h.bytes);
    if (!hull) return NULL;
    *hull = h;
    place(hull, (char *)hull);
    return hull;
}

static void copy_solid(const caromSolid *s, caromVec3 *vertices, int *first, int *corners)
{
    memcpy(vertices, s->vertices, (size_t)s->nvertex*sizeof *vertices);
    memcpy(first, s->first, ((size_t)s->nface + 1)*sizeof *first);
    memcpy(corners, s->corners, (size_t)s->first[s->nface]*sizeof *corners);
}

static void make_edges(caromHull *h, caromSide *sides)
{
    carom_hull_solid_sides(h->nface, h->first_corner, h->corners, sides);
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
        for (int k = h->first_corner[f]; k < h->first_corner[f + 1]; k++)
            h->vertex_faces[h->first_neighbour[h->corners[k]]++] = f;
    for (int v = h->nvertex; v > 0; v--) h->first_neighbour[v] = h->first_neighbour[v - 1];
    h->first_neighbour[0] = 0;
}

// The direction in the middle of a cell: the inverse of carom_hull_seed_cell.
static caromVec3 seed_direction(int cell)
{
    int side = cell/(CAROM_SEED_GRID*CAROM_SEED_GRID), i = cell/CAROM_SEED_GRID%CAROM_SEED_GRID,
        j = cell%CAROM_SEED_GRID;
    double u = (2.0*i + 1.0)/CAROM_SEED_GRID - 1.0, v = (2.0*j + 1.0)/CAROM_SEED_GRID - 1.0, w = side%2 ? -1.0 : 1.0;
    return side < 2 ? carom_vec(w, u, v) : side < 4 ? carom_vec(u, w, v) : carom_vec(u, v, w);
}

// From one cell to the next the farthest vertex moves little: it is climbed to from the last one.
static void make_seeds(caromHull *h)
{
    int best = 0;
    for (int cell = 0; cell < CAROM_SEED_CELLS; cell++)
        h->seeds[cell] = best = carom_hull_climb(h, seed_direction(cell), best);
}

// a b - c d to the last digits [Jeannerod13], Kahan's way: faces may be 10 m long and 1 um wide.
static double difference_of_products(double a, double b, double c, double d)
{
    double cd = c*d, lost = fma(-c, d, cd);
    return fma(a, b, -cd) + lost;
}

static caromVec3 accurate_cross(caromVec3 a, caromVec3 b)
{
    return carom_vec(difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
                     difference_of_products(a.x, b.y, a.y, b.x));
}

// Newell's normal, twice the area of the polygon, with corners from the first one so that coordinates far
// from So do not cancel.
static caromVec3 newell(const caromVec3 *vertices, const int *corner, int n)
{
    caromVec3 o = vertices[corner[0]], sum = { 0, 0, 0 };
    for (int k = 1; k + 1 < n; k++)
        sum = carom_add(sum, accurate_cross(carom_sub(vertices[corner[k]], o), carom_sub(vertices[corner[k + 1]], o)));
    return sum;
}

// How far the hull reaches beyond the plane through p.
static double excess(const caromHull *h, caromVec3 normal, caromVec3 p)
{
    caromCore core = { .kind = CAROM_CORE_HULL, .hull = h };
    return carom_dot(normal, carom_sub(carom_shape_core_support(&core, normal), p));
}

// The first normal, unless it leaves other vertices outside and the second does so less.
static caromVec3 better_normal(const caromHull *h, caromVec3 first, caromVec3 second, caromVec3 p)
{
    double out = excess(h, first, p);
    return out > 16.0*DBL_EPSILON*h->reach && excess(h, second, p) < out ? second : first;
}

// A face hardly larger than the rounding of its corners does not know its direction from them, but qhull found one that
// leaves no vertex outside. Faces of a core know theirs from the sharp hull.
static void make_planes(caromHull *h, const caromSolid *solid)
{
    for (int f = 0; f < h->nface; f++) {
        const int *corner = h->corners + h->first_corner[f];
        int n = h->first_corner[f + 1] - h->first_corner[f];
        caromVec3 twice_area = newell(h->vertices, corner, n);
        caromVec3 o = h->vertices[corner[0]], found = solid->normals[f], own = carom_unit_or(twice_area, found);
        h->surface += 0.5*carom_norm(twice_area);
        caromVec3 normal = solid->is_core ? found : better_normal(h, own, found, o);
        double mean = 0.0;
        for (int k = 1; k < n; k++) mean += carom_dot(normal, carom_sub(h->vertices[corner[k]], o))/n;
        h->normals[f] = normal;
        h->offsets[f] = carom_dot(normal, o) + mean;
    }
}

// Half of the smallest distance between a face and the vertex farthest behind it. The true width may be that of a
// pair of edges, which is smaller by a factor sqrt(3)/2 for a regular tetrahedron; no more than an order of
// magnitude is asked of it.
static double half_width(const caromHull *h)
{
    double width = INFINITY;
    for (int f = 0; f < h->nface; f++)
        width = fmin(width, excess(h, carom_neg(h->normals[f]), h->vertices[h->corners[h->first_corner[f]]]));
    return 0.5*width + h->rounding;
}

static bool fill(caromHull *h, const caromSolid *solid)
{
    caromSide *sides = carom_alloc_array((size_t)h->nedge*2, sizeof *sides);
    if (!sides) return false;
    make_edges(h, sides);
    free(sides);
    make_neighbours(h);
    make_vertex_faces(h);
    make_seeds(h);
    for (int v = 0; v < h->nvertex; v++) h->reach = fmax(h->reach, carom_norm(h->vertices[v]));
    make_planes(h, solid);
    h->thin = half_width(h);
    h->solid = carom_hull_mass(h);
    return h->solid.mass > 0.0;
}

caromHull *carom_hull_assemble(const caromSolid *core, const caromSolid *outer, double rounding, caromError *err)
{
    caromHull *hull = allocate(core, outer, rounding);
    if (hull) {
        copy_solid(core, hull->vertices, hull->first_corner, hull->corners);
        if (rounding > 0.0) copy_solid(outer, hull->outer, hull->outer_first, hull->outer_corners);
        if (fill(hull, core)) return hull;
    }
    free(hull);
    carom_hull_fail_memory(err, core->nvertex);
    return NULL;
}

static caromStatus check_points(const caromVec3 *points, int n, double rounding, caromError *err)
{
    if (!isfinite(rounding) || rounding < 0.0)
        return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding is %g m: a finite radius, 0 or more, is expected",
                          rounding);
    if (n < 4 || !points)
        return carom_fail(err, CAROM_ERR_INPUT, "", "a convex hull needs 4 points or more that do not lie in a "
                          "plane, not %d", n);
    if (n > CAROM_HULL_POINTS_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "", "%d points are more than a convex hull may have here (%d): "
                          "thin them out first", n, CAROM_HULL_POINTS_MAX);
    for (int i = 0; i < n; i++)
        if (!carom_is_finite3(points[i]))
            return carom_fail(err, CAROM_ERR_INPUT, "", "point %d of %d is (%g, %g, %g): finite coordinates in "
                              "m are expected", i + 1, n, points[i].x, points[i].y, points[i].z);
    return CAROM_OK;
}

caromHull *carom_hull_create(const caromVec3 *points, int n, double rounding, caromError *err)
{
    caromCloud cloud = { 0 };
    caromSolid solid = { 0 };
    caromHull *hull = NULL;
    if (check_points(points, n, rounding, err) == CAROM_OK && carom_hull_cloud_make(points, n, &cloud, err) ==
        CAROM_OK && carom_hull_solid_find(&cloud, &solid, err) == CAROM_OK)
        hull = carom_hull_assemble(&solid, &solid, 0.0, err);
    if (hull && rounding > 0.0) {
        caromHull *sharp = hull;
        hull = carom_hull_rounded(sharp, &solid, rounding, cloud.rounding, err);
        carom_hull_destroy(sharp);
    }
    carom_hull_cloud_free(&cloud);
    carom_hull_solid_free(&solid);
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
