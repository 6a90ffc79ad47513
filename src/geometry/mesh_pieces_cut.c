// Parts of a solid, and how they are cut.
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_pieces.h"

static bool room_for(void **items, size_t size, int n, int *capacity)
{
    if (n <= *capacity) return true;
    int larger = n > 2*(*capacity) ? n : 2*(*capacity);
    void *moved = realloc(*items, (size_t)larger*size);
    if (!moved) return false;
    *items = moved;
    *capacity = larger;
    return true;
}

static bool add_points(caromPart *part, const caromVec3 *p, int n)
{
    void *points = part->points;
    bool good = room_for(&points, sizeof *p, part->npoint + n, &part->point_capacity);
    part->points = points;
    if (!good) return false;
    memcpy(part->points + part->npoint, p, (size_t)n*sizeof *p);
    part->npoint += n;
    return true;
}

static bool add_polygon(caromPart *part, int place, const caromVec3 *p, int n)
{
    void *polygons = part->polygons;
    bool good = room_for(&polygons, sizeof *part->polygons, part->npolygon + 1, &part->polygon_capacity);
    part->polygons = polygons;
    if (!good || !add_points(part, p, n)) return false;
    part->polygons[part->npolygon++] = (caromCutPolygon){ place, part->npoint - n, n };
    return true;
}

void carom_mesh_part_free(caromPart *part)
{
    free(part->planes);
    free(part->polygons);
    free(part->points);
    carom_hull_destroy(part->hull);
    *part = (caromPart){ 0 };
}

static double height(const caromCutPlane *plane, caromVec3 p)
{
    return carom_dot(plane->n, p) - plane->offset;
}

// ---- the cell

static bool is_in_cell(const caromPart *part, caromVec3 p, double eps)
{
    for (int i = 0; i < part->nplane; i++)
        if (height(&part->planes[i], p) > eps) return false;
    return true;
}

// Where three planes meet; false: they nearly do so along a line, or not at all.
static bool meet(const caromCutPlane *a, const caromCutPlane *b, const caromCutPlane *c, caromVec3 *p)
{
    caromVec3 bc = carom_cross(b->n, c->n), ca = carom_cross(c->n, a->n), ab = carom_cross(a->n, b->n);
    double det = carom_dot(a->n, bc);
    if (fabs(det) < 1e-9) return false;
    *p = carom_scale(1.0/det, carom_axpy(a->offset, bc, carom_axpy(b->offset, ca, carom_scale(c->offset, ab))));
    return true;
}

// Does the solid fill the cell at this corner of it? Corners on the surface itself are asked again a little
// farther inside the cell.
static bool is_solid_at(const caromSolidMesh *solid, caromVec3 p, caromVec3 middle)
{
    double d = carom_mesh_signed_distance(solid->mesh, &solid->sides, p);
    if (fabs(d) > solid->eps) return d < 0.0;
    caromVec3 inside = carom_axpy(1e-6, carom_sub(middle, p), p);
    return carom_mesh_signed_distance(solid->mesh, &solid->sides, inside) < 0.0;
}

// Corners of the cell by all triples of its planes, as there are some dozens of them at most; those inside the solid
// belong to the hull of the part.
static bool add_cell_corners(const caromSolidMesh *solid, caromPart *part)
{
    int first = part->npoint, kept = first;
    caromVec3 p, middle = { 0, 0, 0 };
    for (int i = 0; i < part->nplane; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                if (!meet(&part->planes[i], &part->planes[j], &part->planes[k], &p) || !is_in_cell(part, p, solid->eps))
                    continue;
                if (!add_points(part, &p, 1)) return false;
            }
    for (int i = first; i < part->npoint; i++) middle = carom_axpy(1.0/(part->npoint - first), part->points[i], middle);
    for (int i = first; i < part->npoint; i++)
        if (is_solid_at(solid, part->points[i], middle)) part->points[kept++] = part->points[i];
    part->npoint = kept;
    return true;
}

// A plane that the new one has cut off is of no more use: no corner of the cell is on it.
static void drop_planes(caromPart *part, double eps)
{
    int kept = 0;
    for (int i = 0; i < part->nplane; i++) {
        bool is_used = false;
        for (int j = 0; j < part->nplane && !is_used; j++)
            for (int k = 0; k < j && !is_used; k++) {
                caromVec3 p;
                is_used = j != i && k != i && meet(&part->planes[i], &part->planes[j], &part->planes[k], &p) &&
                          is_in_cell(part, p, eps);
            }
        if (is_used) part->planes[kept++] = part->planes[i];
    }
    part->nplane = kept;
}

static bool set_planes(caromPart *part, const caromCutPlane *planes, int n, const caromCutPlane *more, double eps)
{
    part->planes = carom_alloc_array((size_t)n + 1, sizeof *part->planes);
    if (!part->planes) return false;
    memcpy(part->planes, planes, (size_t)n*sizeof *planes);
    if (more) part->planes[n++] = *more;
    part->nplane = n;
    if (more) drop_planes(part, eps);
    return true;
}

// ---- polygons

// A polygon in the plane itself belongs to the side where the solid is: behind it.
static bool is_behind(const caromSolidMesh *solid, int place, const caromCutPlane *plane)
{
    const caromVec3 *t = solid->mesh->tree.corners[place];
    return carom_dot(carom_cross(carom_sub(t[1], t[0]), carom_sub(t[2], t[0])), plane->n) > 0.0;
}

// Corners within eps of the plane are on it [SutherlandHodgman74].
static bool clip(const caromSolidMesh *solid, const caromPart *part, const caromCutPolygon *polygon,
                 const caromCutPlane *plane, caromVec3 *out, caromPart *side)
{
    const caromVec3 *p = part->points + polygon->first;
    int n = 0, below = 0, above = 0;
    for (int k = 0; k < polygon->n; k++) {
        caromVec3 a = p[k], b = p[(k + 1)%polygon->n];
        double ha = height(plane, a), hb = height(plane, b);
        below += ha < -solid->eps;
        above += ha > solid->eps;
        if (ha <= solid->eps) out[n++] = a;
        if ((ha > solid->eps && hb < -solid->eps) || (ha < -solid->eps && hb > solid->eps))
            out[n++] = carom_axpy(ha/(ha - hb), carom_sub(b, a), a);
    }
    if (below == 0 && (above > 0 || !is_behind(solid, polygon->place, plane))) return true;
    return n < 3 || add_polygon(side, polygon->place, out, n);
}

static int most_corners(const caromPart *part)
{
    int n = 3;
    for (int i = 0; i < part->npolygon; i++) n = part->polygons[i].n > n ? part->polygons[i].n : n;
    return n;
}

bool carom_mesh_part_cut(const caromSolidMesh *solid, const caromPart *part, caromCutPlane plane, caromPart *side)
{
    *side = (caromPart){ 0 };
    caromVec3 *out = carom_alloc_array(2*(size_t)most_corners(part) + 2, sizeof *out);
    bool good = out && set_planes(side, part->planes, part->nplane, &plane, solid->eps);
    for (int i = 0; good && i < part->npolygon; i++) good = clip(solid, part, &part->polygons[i], &plane, out, side);
    good = good && add_cell_corners(solid, side);
    free(out);
    return good;
}

bool carom_mesh_part_whole(const caromSolidMesh *solid, caromPart *part)
{
    const caromMesh *mesh = solid->mesh;
    caromVec3 low = mesh->report.low, high = mesh->report.high;
    const caromCutPlane box[6] = { { { 1, 0, 0 }, high.x }, { { 0, 1, 0 }, high.y }, { { 0, 0, 1 }, high.z },
                                   { { -1, 0, 0 }, -low.x }, { { 0, -1, 0 }, -low.y }, { { 0, 0, -1 }, -low.z } };
    *part = (caromPart){ 0 };
    bool good = set_planes(part, box, 6, NULL, 0.0);
    for (int i = 0; good && i < mesh->ntriangle; i++) good = add_polygon(part, i, mesh->tree.corners[i], 3);
    return good;
}
