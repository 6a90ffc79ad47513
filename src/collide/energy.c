// The energy W, the integral of min(p_A, p_B) over the overlap. min(p_A, p_B) is the smallest of linear functions f_k; over the
// cell where f_k is smallest it is f_k. The region under the graph is a convex polytope in four dimensions, and the volume of
// a polytope is a sum over its facets of distance from a point times facet over the dimension [Lasserre83], here twice:
//
//     W = 1/4 sum_k f_k(x0) V_k,      V_k = 1/3 sum_c distance_c(x0) area_c
//
// over the cells k and the faces c of each cell. x0 is any point, for each V_k another if one likes; the centre of the patch keeps the terms small. A part of the
// overlap that ends at walls has more facets in four dimensions; there each cell is taken apart into cones with their tip at
// x0, in which the mean of f_k is 1/4 of its value at the tip and 3/4 of that at the centroid of the base.
#include "collide/fields.h"

typedef struct Sum {
    caromVec3 x0;
    double energy;
} Sum;

// Constraint c of cell k: for c = k that f_k >= 0, otherwise that f_c >= f_k; then the walls.
static caromPlane constraint(const caromNear *fs, int k, int c)
{
    return c >= fs->n ? fs->wall[c - fs->n] : c == k ? fs->p[k] : carom_plane_difference(fs->p[c], fs->p[k]);
}

// Sides of a stack that are flush make constraints with one and the same face; it is told once, of the first. If they look at each other there is no
// cell between them. Crossing lines of planes so close to each other would be
// rounding, and far from x0 that counts: 0.1 J in a stack of ten blocks that stores 1e-5 J.
static bool is_flush(const caromFlat *flat, const caromSheet *sheet, caromPlane other, double reach)
{
    double tolerance = 1e-10*reach*carom_norm(other.n);
    for (int i = 0; i < flat->n; i++) if (fabs(carom_plane_at(other, carom_sheet_point(sheet, flat->u[i], flat->v[i]))) > tolerance) return false;
    return true;
}

// Face c of cell k; false when it has none there.
static bool cell_face(const caromNear *fs, int k, int c, caromFlat *flat, caromSheet *sheet)
{
    caromPlane plane = constraint(fs, k, c);
    caromVec3 hint = fabs(plane.n.x) < 0.6*carom_norm(plane.n) ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
    *sheet = carom_sheet_of(plane, hint, carom_vec(0, 0, 1), fs->centre);
    carom_flat_square(flat, 1.01*fs->reach);
    for (int other = 0; other < fs->n + fs->nwall && flat->n > 2; other++) {
        if (other == c) continue;
        caromPlane bound = constraint(fs, k, other);
        if (!is_flush(flat, sheet, bound, fs->reach)) carom_flat_clip(flat, sheet, bound);
        else if (other < c || carom_dot(bound.n, plane.n) < 0.0) return false;
    }
    return flat->n > 2;
}

// About a corner of the cell: about a point far away the thin cells along the sides of a face would be differences of large numbers.
static double cell_volume(const caromNear *fs, int k)
{
    double volume = 0.0;
    bool has_corner = false;
    caromVec3 corner = { 0, 0, 0 };
    caromFlat flat;
    caromSheet sheet;
    for (int c = 0; c < fs->n; c++) {
        if (!cell_face(fs, k, c, &flat, &sheet)) continue;
        if (!has_corner) corner = carom_sheet_point(&sheet, flat.u[0], flat.v[0]);
        has_corner = true;
        caromPlane plane = constraint(fs, k, c);
        volume += carom_plane_at(plane, corner)/carom_norm(plane.n)*carom_flat_area(&flat)/3.0;
    }
    return volume;
}

static caromVec3 flat_centroid(const caromFlat *f, const caromSheet *s, double area)
{
    double u = 0.0, v = 0.0;
    for (int k = 1; k + 1 < f->n; k++) {
        double u1 = f->u[k] - f->u[0], v1 = f->v[k] - f->v[0], u2 = f->u[k + 1] - f->u[0], v2 = f->v[k + 1] - f->v[0];
        double sixth = (u1*v2 - u2*v1)/6.0;
        u += sixth*(u1 + u2);
        v += sixth*(v1 + v2);
    }
    return carom_sheet_point(s, f->u[0] + u/area, f->v[0] + v/area);
}

static double cell_energy(const caromNear *fs, int k, caromVec3 x0)
{
    double energy = 0.0;
    caromFlat flat;
    caromSheet sheet;
    for (int c = 0; c < fs->n + fs->nwall; c++) {
        caromPlane plane = constraint(fs, k, c);
        double area = cell_face(fs, k, c, &flat, &sheet) ? carom_flat_area(&flat) : 0.0;
        if (!(area > 0.0)) continue;
        double cone = carom_plane_at(plane, x0)/carom_norm(plane.n)*area/3.0;
        energy += cone*(0.25*carom_plane_at(fs->p[k], x0) + 0.75*carom_plane_at(fs->p[k], flat_centroid(&flat, &sheet, area)));
    }
    return energy;
}

static void add_part(const caromNear *fs, void *user)
{
    Sum *sum = user;
    for (int k = 0; k < fs->n; k++) {
        sum->energy += fs->nwall ? cell_energy(fs, k, fs->centre) : 0.25*carom_plane_at(fs->p[k], sum->x0)*cell_volume(fs, k);
    }
}

static void add_about_origin(const caromFacet *facet, void *patch)
{
    caromFacet about_origin = *facet;
    about_origin.origin_W = carom_vec(0, 0, 0);
    carom_patch_add(patch, &about_origin);
}

static caromVec3 patch_centre(const caromPatch *patch)
{
    caromVec3 sum = { 0, 0, 0 };
    double weight = 0.0;
    for (int i = 0; i < patch->ncell; i++) {
        sum = carom_axpy(patch->cells[i].weight, patch->cells[i].p_W, sum);
        weight += patch->cells[i].weight;
    }
    return carom_scale(1.0/weight, sum);
}

static double energy_of(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    if (a->kind == CAROM_HALF_SPACE) return INFINITY;
    caromPatch patch;
    carom_patch_clear(&patch);
    carom_field_facets(a, X_WA, b, X_WB, add_about_origin, &patch);
    if (patch.ncell == 0) return 0.0;
    Sum sum = { patch_centre(&patch), 0.0 };
    carom_field_pressures(a, X_WA, b, X_WB, add_part, &sum);
    return sum.energy;
}

double carom_shapes_field_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    return a->kind <= b->kind ? energy_of(a, X_WA, b, X_WB) : energy_of(b, X_WB, a, X_WA);
}
