// A grid of heights as a solid: its surface above, walls around it and a flat base below. Being a closed mesh it needs
// nothing of its own: what is known of meshes is known of it.
#include "geometry/mesh.h"

#include <stdio.h>

#include "base/base.h"

typedef struct Ground {
    const caromHeightfield *field;
    caromVec3 *vertices;   // of the surface, of the edge of the base, the middle of the base
    int (*triangles)[3];
    int nvertex, ntriangle;
} Ground;

// Points around the edge.
static int count_edge(const caromHeightfield *f)
{
    return 2*(f->nx - 1) + 2*(f->ny - 1);
}

static caromStatus check_size(const caromHeightfield *f, caromError *err)
{
    if (!f->heights || f->nx < 2 || f->ny < 2)
        return carom_fail(err, CAROM_ERR_INPUT, "heights", "are %d x %d, expected a grid of 2 x 2 or more", f->nx,
                          f->ny);
    if ((int64_t)f->nx*f->ny > CAROM_MESH_HEIGHTS_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "heights", "are %d x %d, more than the limit of %d: take every second "
                          "one", f->nx, f->ny, CAROM_MESH_HEIGHTS_MAX);
    if (!(f->cell > 0.0) || !isfinite(f->cell))
        return carom_fail(err, CAROM_ERR_INPUT, "cell", "is %g m, expected the distance of neighbours, above 0",
                          f->cell);
    if (!(f->depth > 0.0) || !isfinite(f->depth))
        return carom_fail(err, CAROM_ERR_INPUT, "depth", "is %g m, expected the depth of the base below the lowest "
                          "height, above 0", f->depth);
    return CAROM_OK;
}

static caromStatus check_heights(const caromHeightfield *f, double *lowest, caromError *err)
{
    char where[64];
    *lowest = f->heights[0];
    for (int i = 0; i < f->nx*f->ny; i++) {
        if (!(fabs(f->heights[i]) <= CAROM_MESH_SIZE_MAX)) {
            snprintf(where, sizeof where, "heights[%d][%d]", i/f->nx, i%f->nx);
            return carom_fail(err, CAROM_ERR_INPUT, where, "is %g m: heights must be finite and below %g",
                              f->heights[i], CAROM_MESH_SIZE_MAX);
        }
        *lowest = fmin(*lowest, f->heights[i]);
    }
    return CAROM_OK;
}

// The middle of the grid is at x = y = 0; rows go down from the largest y, as on a map.
static caromVec3 point(const caromHeightfield *f, int row, int column, double z)
{
    return carom_vec(f->cell*(column - 0.5*(f->nx - 1)), f->cell*(0.5*(f->ny - 1) - row), z);
}

static void add(Ground *g, int a, int b, int c)
{
    int *v = g->triangles[g->ntriangle++];
    v[0] = a, v[1] = b, v[2] = c;
}

// A cell is bent along the diagonal whose ends differ less: a ridge or a valley that runs along it stays straight.
static void add_cell(Ground *g, int row, int column)
{
    const double *h = g->field->heights;
    int a = row*g->field->nx + column, b = a + 1, c = a + g->field->nx, d = c + 1;
    if (fabs(h[a] - h[d]) < fabs(h[b] - h[c])) {
        add(g, a, c, d);
        add(g, a, d, b);
    } else {
        add(g, a, c, b);
        add(g, b, c, d);
    }
}

// The i-th point of the edge, counter-clockwise seen from above: along the first column, the last row, back.
static int edge_point(const caromHeightfield *f, int i)
{
    int nx = f->nx - 1, ny = f->ny - 1;
    if (i < ny) return i*f->nx;
    if (i < ny + nx) return ny*f->nx + (i - ny);
    if (i < 2*ny + nx) return (2*ny + nx - i)*f->nx + nx;
    return 2*ny + 2*nx - i;
}

static void add_surface(Ground *g)
{
    const caromHeightfield *f = g->field;
    for (int row = 0; row < f->ny; row++)
        for (int column = 0; column < f->nx; column++)
            g->vertices[g->nvertex++] = point(f, row, column, f->heights[row*f->nx + column]);
    for (int row = 0; row + 1 < f->ny; row++)
        for (int column = 0; column + 1 < f->nx; column++) add_cell(g, row, column);
}

// The base is a fan around its middle.
static void add_base(Ground *g, double z)
{
    const caromHeightfield *f = g->field;
    int n = count_edge(f), first = g->nvertex, middle = first + n;
    for (int i = 0; i < n; i++) {
        int top = edge_point(f, i);
        g->vertices[g->nvertex++] = point(f, top/f->nx, top%f->nx, z);
    }
    g->vertices[g->nvertex++] = carom_vec(0, 0, z);
    for (int i = 0; i < n; i++) {
        int next = (i + 1)%n, top = edge_point(f, i), top_next = edge_point(f, next);
        add(g, top, first + i, first + next);
        add(g, top, first + next, top_next);
        add(g, middle, first + next, first + i);
    }
}

caromMesh *carom_mesh_heightfield(const caromHeightfield *field, caromMeshReport *report, caromError *err)
{
    double lowest;
    if (report) *report = (caromMeshReport){ 0 };
    if (check_size(field, err) != CAROM_OK || check_heights(field, &lowest, err) != CAROM_OK) return NULL;
    int n = count_edge(field), nvertex = field->nx*field->ny + n + 1,
        ntriangle = 2*(field->nx - 1)*(field->ny - 1) + 3*n;
    Ground g = { .field = field };
    g.vertices = carom_alloc_array((size_t)nvertex, sizeof *g.vertices);
    g.triangles = carom_alloc_array((size_t)ntriangle, sizeof *g.triangles);
    caromMesh *mesh = NULL;
    if (g.vertices && g.triangles) {
        add_surface(&g);
        add_base(&g, lowest - field->depth);
        mesh = carom_mesh_create(g.vertices, g.nvertex, (const int (*)[3])g.triangles, g.ntriangle, report, err);
    } else carom_fail(err, CAROM_ERR_MEMORY, "", "no memory for %d x %d heights", field->nx, field->ny);
    free(g.vertices);
    free(g.triangles);
    return mesh;
}
