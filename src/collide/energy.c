// The energy W, the integral of min(p_A, p_B) over the overlap. min(p_A, p_B) is the smallest of linear functions f_k; over the
// cell where f_k is smallest it is f_k. The region under the graph is a convex polytope in four dimensions, and the volume of
// a polytope is a sum over its facets of distance from a point times facet over the dimension [Lasserre83], here twice:
//
//     W = 1/4 sum_k f_k(x0) V_k,      V_k = 1/3 sum_c distance_c(x0) area_c
//
// over the cells k and the faces c of each cell. x0 is any point; the centre of the patch keeps the terms small. A part of the
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

// Face c of cell k; false when it has none there.
static bool cell_face(const caromNear *fs, int k, int c, caromFlat *flat, caromSheet *sheet)
{
    caromPlane plane = constraint(fs, k, c);
    caromVec3 hint = fabs(plane.n.x) < 0.6*carom_norm(plane.n) ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
    *sheet = carom_sheet_of(plane, hint, carom_vec(0, 0, 1), fs->centre);
    carom_flat_square(flat, 1.01*fs->reach);
    for (int other = 0; other < fs->n + fs->nwall && flat->n > 2; other++) {
        if (other != c) carom_flat_clip(flat, sheet, constraint(fs, k, other));
    }
    return flat->n > 2;
}

static double cell_volume(const caromNear *fs, int k, caromVec3 x0)
{
    double volume = 0.0;
    caromFlat flat;
    caromSheet sheet;
    for (int c = 0; c < fs->n; c++) {
        caromPlane plane = constraint(fs, k, c);
        double area = cell_face(fs, k, c, &flat, &sheet) ? carom_flat_area(&flat) : 0.0;
        volume += carom_plane_at(plane, x0)/carom_norm(plane.n)*area/3.0;
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

double carom_near_energy(const caromNear *fs)
{
    double energy = 0.0;
    for (int k = 0; k < fs->n; k++) energy += cell_energy(fs, k, fs->centre);
    return energy;
}

static void add_part(const caromNear *fs, void *user)
{
    Sum *sum = user;
    if (fs->nwall) {
        sum->energy += carom_near_energy(fs);
        return;
    }
    for (int k = 0; k < fs->n; k++) sum->energy += 0.25*carom_plane_at(fs->p[k], sum->x0)*cell_volume(fs, k, sum->x0);
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
