#include "geometry/mesh_field.h"

#include <stdlib.h>

#include "base/base.h"

// Tiles that cover the surface of a mesh, at least: the sides of a box have some 40 and the radius of a
// ball 28, so that a contact a third of the radius wide has ten across.
static const double tiles_least = 1e4;
// Cells in half the thickness, at least: the middle of a plate, where its two sides meet in a crease, is not in the
// coefficients at its surface, which reach three cells.
static const double cells_thick = 3.0;
// Nodes of the grid in memory while it is made, 64 MB at most. Where that is too few the cells are larger.
static const double nodes_most = 8388608.0;
// The cosine of the angle between triangles (30 degrees) from which on an edge is meant to be one: such edges are
// rounded by the cells, which are no larger than tiles then.
static const double sharp = 0.866;
// The depth in half the thickness that is never exceeded (patch/scales.h, CAROM_PATCH_STRIPS_DEEPEST), and at least so
// many cells.
static const double deepest = 0.38, inner_cells = 4.0, outer_cells = 2.0;
// Of the size of a tile. Two triangles make a square, whose diagonal is 1.41 of its side.
static const double longest_side = 1.5;
// How far the spline is from the distance: across one crease |x| 1/9 of a cell, across three at a corner up to three
// times as much; where it is less at all nodes, so many times that.
static const double off_crease = 1.0/3.0, off_node = 3.0;

// Is there an inside that the side of the nearest triangle tells?
static bool serves(const caromMesh *mesh)
{
    const caromMeshReport *r = &mesh->report;
    return carom_mesh_is_solid(mesh) && r->crossings == 0 && r->are_crossings_counted && r->crowded_edges == 0;
}

static double triangle_size(const caromMesh *mesh)
{
    return sqrt(2.0*mesh->area/mesh->ntriangle);
}

double carom_geometry_tile_size(double surface)
{
    return sqrt(surface/tiles_least);
}

double carom_geometry_tile_side(double size)
{
    return longest_side*size;
}

double carom_mesh_tile_size(const caromMesh *mesh, double spacing)
{
    return spacing > 0.0 ? spacing : fmin(triangle_size(mesh), carom_geometry_tile_size(mesh->area));
}

// ---- making

typedef struct Making {
    const caromMesh *mesh;
    caromMeshField *field;
    int nodes[3];            // of the grid, which is two nodes wider than the bricks on all sides
    double *distances;       // of nodes; NaN: not known yet
    caromVec3 last;          // where the distance was asked for last
    double last_distance;
} Making;

static bool has_sharp_edges(const caromMesh *mesh, bool *is_sharp)
{
    caromMeshEdges edges;
    *is_sharp = false;
    if (!carom_mesh_edges_find(mesh, &edges)) return false;
    for (int e = 0; e < edges.n && !*is_sharp; e++) {
        if (edges.first[e + 1] - edges.first[e] != 2) continue;
        const int *h = &edges.half[edges.first[e]];
        caromVec3 a = carom_mesh_normal(mesh, h[0]/3), b = carom_mesh_normal(mesh, h[1]/3);
        *is_sharp = carom_dot(a, b) < sharp*carom_norm(a)*carom_norm(b);
    }
    carom_mesh_edges_free(&edges);
    return true;
}

static double grid_nodes(caromVec3 size, double cell)
{
    return (size.x/cell + 3*CAROM_BRICK_CELLS)*(size.y/cell + 3*CAROM_BRICK_CELLS)*(size.z/cell + 3*CAROM_BRICK_CELLS);
}

// Cell and band; a coarser grid where the finer one would be too large. False: one so coarse that no node is certain to
// be inside.
static bool choose_cell(const caromMesh *mesh, double spacing, bool is_sharp, caromMeshField *f)
{
    double thick = mesh->solid.mass/mesh->area;
    f->tile = carom_mesh_tile_size(mesh, spacing);
    f->cell = fmin(spacing > 0.0 || is_sharp ? f->tile : triangle_size(mesh), thick/cells_thick);
    caromVec3 size = carom_sub(mesh->report.high, mesh->report.low);
    for (;; f->cell *= 1.1) {
        f->inner = fmax(inner_cells*f->cell, deepest*thick + 2.0*f->cell);
        f->outer = outer_cells*f->cell + carom_geometry_tile_side(f->tile);
        double around = 2.0*f->outer;
        caromVec3 all = carom_add(size, carom_vec(around, around, around));
        if (!(grid_nodes(all, f->cell) > nodes_most)) break;
    }
    return f->cell <= thick;
}

static bool lay_out(Making *m)
{
    caromMeshField *f = m->field;
    const caromMeshReport *r = &m->mesh->report;
    double brick = CAROM_BRICK_CELLS*f->cell;
    f->box_low = r->low;
    f->box_high = r->high;
    f->low = carom_sub(r->low, carom_vec(f->outer, f->outer, f->outer));
    size_t bricks = 1, nodes = 1;
    for (int k = 0; k < 3; k++) {
        f->n[k] = (int)((carom_at(r->high, k) - carom_at(r->low, k) + 2.0*f->outer)/brick) + 1;
        m->nodes[k] = CAROM_BRICK_CELLS*f->n[k] + 5;
        bricks *= (size_t)f->n[k];
        nodes *= (size_t)m->nodes[k];
    }
    f->bricks = carom_alloc_array(bricks, sizeof *f->bricks);
    f->middles = carom_alloc_array(bricks, sizeof *f->middles);
    m->distances = carom_alloc_array(nodes, sizeof *m->distances);
    for (size_t i = 0; m->distances && i < nodes; i++) m->distances[i] = (double)NAN;
    return f->bricks && f->middles && m->distances;
}

// From the one before: the surface is no farther than that and the way between them.
static double distance_of(Making *m, caromVec3 p)
{
    double most = fabs(m->last_distance) + carom_norm(carom_sub(p, m->last));
    m->last_distance = carom_mesh_signed_distance_within(m->mesh, &m->field->sides, p, most*(1.0 + 1e-9));
    m->last = p;
    return m->last_distance;
}

// Of node (i, j, k), of which the first is two before the first brick.
static double node_distance(Making *m, int i, int j, int k)
{
    double *d = &m->distances[((size_t)i*(size_t)m->nodes[1] + (size_t)j)*(size_t)m->nodes[2] + (size_t)k];
    if (isnan(*d)) *d = distance_of(m, carom_axpy(m->field->cell, carom_vec(i - 2, j - 2, k - 2), m->field->low));
    return *d;
}

static double coefficient(Making *m, int i, int j, int k)
{
    double f = node_distance(m, i, j, k);
    double around = node_distance(m, i, j, k + 1) + node_distance(m, i, j, k - 1) + node_distance(m, i, j + 1, k) +
                    node_distance(m, i, j - 1, k) + node_distance(m, i + 1, j, k) + node_distance(m, i - 1, j, k);
    return f - (around - 6.0*f)/6.0;
}

static void fill_brick(Making *m, const int at[3], double *c)
{
    for (int i = 0; i < CAROM_BRICK_NODES; i++)
        for (int j = 0; j < CAROM_BRICK_NODES; j++)
            for (int k = 0; k < CAROM_BRICK_NODES; k++)
                *c++ = coefficient(m, CAROM_BRICK_CELLS*at[0] + i + 1, CAROM_BRICK_CELLS*at[1] + j + 1,
                                   CAROM_BRICK_CELLS*at[2] + k + 1);
}

// At the nodes of a brick that are not deep inside.
static void find_slack(Making *m, const int at[3], const double *brick)
{
    caromMeshField *f = m->field;
    const double w[3] = { 1.0/6.0, 2.0/3.0, 1.0/6.0 };
    for (int i = 1; i <= CAROM_BRICK_CELLS; i++)
        for (int j = 1; j <= CAROM_BRICK_CELLS; j++)
            for (int k = 1; k <= CAROM_BRICK_CELLS; k++) {
                double sum = 0.0, exact = node_distance(m, CAROM_BRICK_CELLS*at[0] + i + 1,
                                                        CAROM_BRICK_CELLS*at[1] + j + 1,
                                                        CAROM_BRICK_CELLS*at[2] + k + 1);
                for (int c = 0; exact > -f->cell && c < 27; c++)
                    sum += w[c/9]*w[c/3%3]*w[c%3]*brick[((i + c/9 - 1)*CAROM_BRICK_NODES + j + c/3%3 - 1)*
                                                            CAROM_BRICK_NODES + k + c%3 - 1];
                if (exact > -f->cell) f->slack = fmax(f->slack, off_node*fabs(sum - exact));
            }
}

static double half_diagonal(const caromMeshField *f)
{
    return 0.5*sqrt(3.0)*CAROM_BRICK_CELLS*f->cell;
}

static bool is_in_band(const caromMeshField *f, double middle)
{
    double r = half_diagonal(f)*(1.0 + 1e-6);
    return middle > -f->inner - r && middle < f->outer + r;
}

static caromVec3 middle_of(const caromMeshField *f, int i, int j, int k)
{
    return carom_axpy(CAROM_BRICK_CELLS*f->cell, carom_vec(i + 0.5, j + 0.5, k + 0.5), f->low);
}

// Calls visit for each brick, in the order in which they are stored.
static void each_brick(Making *m, void (*visit)(Making *m, const int at[3], int brick))
{
    int brick = 0;
    for (int i = 0; i < m->field->n[0]; i++)
        for (int j = 0; j < m->field->n[1]; j++)
            for (int k = 0; k < m->field->n[2]; k++) visit(m, (const int[3]){ i, j, k }, brick++);
}

static void find_middle(Making *m, const int at[3], int brick)
{
    caromMeshField *f = m->field;
    f->middles[brick] = (float)distance_of(m, middle_of(f, at[0], at[1], at[2]));
    f->bricks[brick] = is_in_band(f, (double)f->middles[brick]) ? f->nbrick++ : -1;
}

static void fill_if_in_band(Making *m, const int at[3], int brick)
{
    int k = m->field->bricks[brick];
    if (k < 0) return;
    fill_brick(m, at, m->field->coefficients + (size_t)k*CAROM_BRICK);
    find_slack(m, at, m->field->coefficients + (size_t)k*CAROM_BRICK);
}

static bool fill(Making *m)
{
    caromMeshField *f = m->field;
    m->last_distance = (double)INFINITY;
    each_brick(m, find_middle);
    f->coefficients = carom_alloc_array((size_t)f->nbrick*CAROM_BRICK, sizeof *f->coefficients);
    if (!f->coefficients) return false;
    each_brick(m, fill_if_in_band);
    f->slack = fmin(f->slack, off_crease*f->cell);
    return true;
}

static bool make(Making *m)
{
    return carom_mesh_sides_make(m->mesh, &m->field->sides) && lay_out(m) && fill(m);
}

bool carom_mesh_field_create(const caromMesh *mesh, double spacing, caromMeshField **field)
{
    bool is_sharp, is_fine = false;
    *field = NULL;
    if (!serves(mesh)) return true;
    Making m = { .mesh = mesh, .field = calloc(1, sizeof *m.field) };
    bool is_made = m.field && has_sharp_edges(mesh, &is_sharp);
    if (is_made && (is_fine = choose_cell(mesh, spacing, is_sharp, m.field))) is_made = make(&m);
    free(m.distances);
    if (is_made && is_fine) *field = m.field;
    else carom_mesh_field_destroy(m.field);
    return is_made;
}

void carom_mesh_field_destroy(caromMeshField *f)
{
    if (!f) return;
    carom_mesh_sides_free(&f->sides);
    free(f->bricks);
    free(f->middles);
    free(f->coefficients);
    free(f);
}

// ---- asking

// Weights of four nodes at t of a cell.
static void spline(double t, double w[4])
{
    double u = 1.0 - t;
    w[0] = u*u*u*(1.0/6.0);
    w[3] = t*t*t*(1.0/6.0);
    w[1] = 2.0/3.0 - t*t*(1.0 - 0.5*t);
    w[2] = 2.0/3.0 - u*u*(1.0 - 0.5*u);
}

// Their derivatives in t.
static void spline_slopes(double t, double dw[4])
{
    double u = 1.0 - t;
    dw[0] = -0.5*u*u;
    dw[3] = 0.5*t*t;
    dw[1] = -t*(2.0 - 1.5*t);
    dw[2] = u*(2.0 - 1.5*u);
}

// A place in the grid; false: it is outside.
typedef struct GridPlace {
    int brick, first;        // of the first of the 64 coefficients in its brick
    double t[3];
    double off2;             // square of the way to the middle of the brick, in cells
} GridPlace;

static bool place_of(const caromMeshField *f, caromVec3 p, GridPlace *at)
{
    double scale = 1.0/f->cell,
           x[3] = { (p.x - f->low.x)*scale, (p.y - f->low.y)*scale, (p.z - f->low.z)*scale };
    at->brick = at->first = 0;
    at->off2 = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(x[k] >= 0.0 && x[k] < CAROM_BRICK_CELLS*f->n[k])) return false;
        unsigned cell = (unsigned)(int)x[k], brick = cell/CAROM_BRICK_CELLS;
        double from_middle = x[k] - CAROM_BRICK_CELLS*(brick + 0.5);
        at->t[k] = x[k] - cell;
        at->brick = at->brick*f->n[k] + (int)brick;
        at->first = at->first*CAROM_BRICK_NODES + (int)(cell - CAROM_BRICK_CELLS*brick);
        at->off2 += from_middle*from_middle;
    }
    return true;
}

static double sum_of(const double c[4], const double w[4])
{
    return c[0]*w[0] + c[1]*w[1] + c[2]*w[2] + c[3]*w[3];
}

static double value_at(const caromMeshField *f, const GridPlace *at)
{
    double w[3][4], d = 0.0;
    for (int k = 0; k < 3; k++) spline(at->t[k], w[k]);
    const double *c = f->coefficients + (size_t)f->bricks[at->brick]*CAROM_BRICK + at->first;
    for (int i = 0; i < 4; i++, c += CAROM_BRICK_NODES*CAROM_BRICK_NODES) {
        double rows[4];
        for (int j = 0; j < 4; j++) rows[j] = sum_of(c + j*CAROM_BRICK_NODES, w[2]);
        d += w[0][i]*sum_of(rows, w[1]);
    }
    return d;
}

// The value in the same order of sums.
static double slope_at(const caromMeshField *f, const GridPlace *at, caromVec3 *gradient)
{
    double w[3][4], dw[3][4], d = 0.0, dx = 0.0, dy = 0.0, dz = 0.0;
    for (int k = 0; k < 3; k++) {
        spline(at->t[k], w[k]);
        spline_slopes(at->t[k], dw[k]);
    }
    const double *c = f->coefficients + (size_t)f->bricks[at->brick]*CAROM_BRICK + at->first;
    for (int i = 0; i < 4; i++, c += CAROM_BRICK_NODES*CAROM_BRICK_NODES) {
        double rows[4], by_z[4];
        for (int j = 0; j < 4; j++) {
            rows[j] = sum_of(c + j*CAROM_BRICK_NODES, w[2]);
            by_z[j] = sum_of(c + j*CAROM_BRICK_NODES, dw[2]);
        }
        double sum = sum_of(rows, w[1]);
        d += w[0][i]*sum;
        dx += dw[0][i]*sum;
        dy += w[0][i]*sum_of(rows, dw[1]);
        dz += w[0][i]*sum_of(by_z, w[1]);
    }
    *gradient = carom_scale(1.0/f->cell, carom_vec(dx, dy, dz));
    return d;
}

bool carom_mesh_field_at(const caromMeshField *f, caromVec3 p, double *distance, caromVec3 *gradient)
{
    GridPlace at;
    bool is_in_grid = place_of(f, p, &at);
    *distance = is_in_grid && f->middles[at.brick] < 0.0F ? -(double)INFINITY : (double)INFINITY;
    if (!is_in_grid || f->bricks[at.brick] < 0) return false;
    *distance = gradient ? slope_at(f, &at, gradient) : value_at(f, &at);
    return true;
}

static double beyond(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

// Of the mesh.
static double off_box(const caromMeshField *f, caromVec3 p)
{
    caromVec3 off = { beyond(p.x, f->box_low.x, f->box_high.x), beyond(p.y, f->box_low.y, f->box_high.y),
                      beyond(p.z, f->box_low.z, f->box_high.z) };
    return carom_norm(off);
}

// In the band by the spline, which is near the distance: and that changes no faster than the place.
double carom_mesh_field_bound(const caromMeshField *f, caromVec3 p, double r)
{
    GridPlace at;
    if (!place_of(f, p, &at)) return off_box(f, p) - r - f->slack;
    if (f->bricks[at.brick] >= 0) return value_at(f, &at) - r - 2.0*f->slack;
    double middle = (double)f->middles[at.brick];
    return middle - fabs(middle)*1e-6 - f->cell*sqrt(at.off2) - r - f->slack;
}
