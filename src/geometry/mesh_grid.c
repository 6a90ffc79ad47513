#include "geometry/mesh_grid.h"

#include <float.h>
#include <stdlib.h>

#include "base/base.h"

static const double cells_along = 40.0;  // at most, along the longest side of the mesh

static int clamped(double x, int n)
{
    return !(x > 0.0) ? 0 : x >= n ? n - 1 : (int)x;
}

static caromVec3 middle_of(const caromMeshGrid *g, int i, int j, int k)
{
    return carom_add(g->low, carom_scale(g->cell, carom_vec(i + 0.5, j + 0.5, k + 0.5)));
}

// The cell that p is in, or the nearest one.
static int cell_of(const caromMeshGrid *g, caromVec3 p, caromVec3 *middle)
{
    caromVec3 x = carom_scale(1.0/g->cell, carom_sub(p, g->low));
    int i = clamped(x.x, g->n[0]), j = clamped(x.y, g->n[1]), k = clamped(x.z, g->n[2]);
    *middle = middle_of(g, i, j, k);
    return (i*g->n[1] + j)*g->n[2] + k;
}

// ---- making

static double half_diagonal(const caromMeshGrid *g)
{
    return 0.5*sqrt(3.0)*g->cell;
}

// As large as the triangles are, and one cell more all around.
static bool lay_out(const caromMesh *mesh, caromMeshGrid *g)
{
    caromVec3 size = carom_sub(mesh->report.high, mesh->report.low);
    double longest = fmax(size.x, fmax(size.y, size.z));
    g->cell = fmax(1.5*sqrt(mesh->area/mesh->ntriangle), longest/cells_along);
    g->box_low = mesh->report.low;
    g->box_high = mesh->report.high;
    g->low = carom_sub(mesh->report.low, carom_vec(g->cell, g->cell, g->cell));
    for (int k = 0; k < 3; k++) g->n[k] = (int)(carom_at(size, k)/g->cell) + 3;
    size_t cells = (size_t)g->n[0]*(size_t)g->n[1]*(size_t)g->n[2];
    g->distance = carom_alloc_array(cells, sizeof *g->distance);
    g->first = carom_alloc_array(cells + 1, sizeof *g->first);
    return g->distance && g->first;
}

typedef struct Listing {
    caromMeshGrid *grid;
    int n, capacity;
} Listing;

static bool add_item(Listing *l, double least, int place)
{
    if (l->n == l->capacity) {
        int capacity = l->capacity ? 2*l->capacity : 1024;
        caromGridItem *more = realloc(l->grid->items, (size_t)capacity*sizeof *more);
        if (!more) return false;
        l->grid->items = more;
        l->capacity = capacity;
    }
    l->grid->items[l->n++] = (caromGridItem){ (float)(least*(1.0 - 4.0*(double)FLT_EPSILON)), place };
    return true;
}

static int compare(const void *a, const void *b)
{
    const caromGridItem *x = a, *y = b;
    if (x->least != y->least) return x->least < y->least ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

// Triangles not farther from c than the reach.
static bool list_near(const caromMesh *mesh, caromVec3 c, double reach, Listing *l)
{
    const caromMeshTree *tree = &mesh->tree;
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1, first = l->n;
    while (n > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (carom_mesh_box_distance2(node, c) > reach*reach) continue;
        if (node->count == 0) {
            stack[n++] = node->first;
            stack[n++] = node->first + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            double distance = sqrt(carom_mesh_nearest_of(mesh, &l->grid->sides, i, c).distance2);
            if (distance <= reach && !add_item(l, distance, i)) return false;
        }
    }
    if (l->n > first) qsort(l->grid->items + first, (size_t)(l->n - first), sizeof *l->grid->items, compare);
    return true;
}

static bool fill(const caromMesh *mesh, caromMeshGrid *g)
{
    Listing l = { .grid = g };
    double r = half_diagonal(g);
    int at = 0;
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++)
            for (int k = 0; k < g->n[2]; k++, at++) {
                caromVec3 c = middle_of(g, i, j, k);
                double distance = carom_mesh_signed_distance(mesh, &g->sides, c);
                g->distance[at] = (float)distance;
                g->first[at] = l.n;
                if (fabs(distance) <= 2.0*r && !list_near(mesh, c, (fabs(distance) + 2.0*r)*(1.0 + 1e-6), &l))
                    return false;
            }
    g->first[at] = l.n;
    return true;
}

caromMeshGrid *carom_mesh_grid_create(const caromMesh *mesh)
{
    const caromMeshReport *r = &mesh->report;
    if (!carom_mesh_is_solid(mesh) || r->components != 1 || r->crossings != 0 || !r->are_crossings_counted ||
        r->crowded_edges != 0) return NULL;
    caromMeshGrid *g = calloc(1, sizeof *g);
    if (g && lay_out(mesh, g) && carom_mesh_sides_make(mesh, &g->sides) && fill(mesh, g)) return g;
    carom_mesh_grid_destroy(g);
    return NULL;
}

void carom_mesh_grid_destroy(caromMeshGrid *g)
{
    if (!g) return;
    carom_mesh_sides_free(&g->sides);
    free(g->distance);
    free(g->first);
    free(g->items);
    free(g);
}

// ---- asking

static double beyond(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

double carom_mesh_grid_bound(const caromMeshGrid *g, caromVec3 p)
{
    caromVec3 c, off = { beyond(p.x, g->box_low.x, g->box_high.x), beyond(p.y, g->box_low.y, g->box_high.y),
                         beyond(p.z, g->box_low.z, g->box_high.z) };
    if (off.x > 0.0 || off.y > 0.0 || off.z > 0.0) return carom_norm(off)*(1.0 - 1e-12);
    int at = cell_of(g, p, &c);
    return (double)g->distance[at]*(1.0 - (g->distance[at] > 0.0F ? 1e-6 : -1e-6)) - carom_norm(carom_sub(p, c));
}

bool carom_mesh_grid_distance(const caromMeshGrid *g, const caromMesh *mesh, caromVec3 p, double *distance,
                              caromVec3 *n)
{
    caromVec3 c;
    int at = cell_of(g, p, &c), place = -1;
    double off = carom_norm(carom_sub(p, c));
    if (g->first[at] == g->first[at + 1] || off > half_diagonal(g)*(1.0 + 1e-9)) return false;
    caromMeshNearest best = { .distance2 = INFINITY };
    double reach = INFINITY;
    for (int i = g->first[at]; i < g->first[at + 1] && (double)g->items[i].least <= reach; i++) {
        caromMeshNearest next = carom_mesh_nearest_of(mesh, &g->sides, g->items[i].place, p);
        if (!(next.distance2 < best.distance2 || (next.distance2 == best.distance2 && g->items[i].place < place)))
            continue;
        best = next;
        place = g->items[i].place;
        reach = sqrt(best.distance2) + off;
    }
    double d = sqrt(best.distance2);
    const caromVec3 *x = mesh->tree.corners[place];
    caromVec3 normal = carom_unit_or(carom_cross(carom_sub(x[1], x[0]), carom_sub(x[2], x[0])), carom_vec(0, 0, 1));
    *distance = best.is_inside ? -d : d;
    *n = d > 0.0 ? carom_scale(best.is_inside ? -1.0/d : 1.0/d, carom_sub(p, best.on)) : normal;
    return true;
}
