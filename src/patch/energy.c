// The energy W, the integral of min(p_A, p_B) over the overlap. min(p_A, p_B) is the smallest of linear functions f_k,
// one for each face; over the convex cell where f_k is smallest it is f_k = div(f_k^2 g/(2 g.g)) with its gradient g.
// The flux is none where f_k = 0; what is left is that through the polygons where two are equal, of both shapes
// (carom_patch_meeting_energy) or of one. With h of the other one, looking along h - g,
//
//     W = sum of 1/2 (h/h.h - g/g.g).(h - g)/|h - g| times the integral of f^2 over the polygon
//
// Factors are none between faces that are parallel, and positive elsewhere but where faces of both shapes look nearly
// the same way (4 % of the square of their angle): nothing cancels.
//
// Between walls, where cells end elsewhere too, each is taken apart into cones over its faces, with their tip in one of
// its corners; the mean of f_k over a cone is 1/4 of its value at the tip and 3/4 of that at the centroid of the base.
// With a tip far away the thin cells along the sides of a face would be differences of large numbers.
#include "patch/fields.h"
#include "patch/scales.h"

// Constraint c of cell k: for c = k that f_k >= 0, otherwise that f_c >= f_k; then the walls.
static caromPlane constraint(const caromNear *fs, int k, int c)
{
    return c >= fs->n ? fs->wall[c - fs->n] : c == k ? fs->p[k] : carom_sheet_plane_difference(fs->p[c], fs->p[k]);
}

// Sides of a stack that are flush make constraints with one and the same face; it is told once, of the first. If they
// look at each other there is no cell between them. Crossing lines of planes so close to each other would be
// rounding, and 5 cm long: 0.1 J in a stack of ten blocks that stores 1e-5 J.
static bool is_flush(const caromFlat *flat, const caromSheet *sheet, caromPlane other, double reach)
{
    double tolerance = CAROM_PATCH_FLUSH*reach*carom_norm(other.n);
    for (int i = 0; i < flat->n; i++)
        if (fabs(carom_sheet_plane_at(other, carom_sheet_point(sheet, flat->u[i], flat->v[i]))) > tolerance)
            return false;
    return true;
}

// Face c of cell k; false when it has none there.
static bool cell_face(const caromNear *fs, int k, int c, caromFlat *flat, caromSheet *sheet)
{
    caromPlane plane = constraint(fs, k, c);
    caromVec3 hint = fabs(plane.n.x) < 0.6*carom_norm(plane.n) ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
    *sheet = carom_sheet_of(plane, hint, carom_vec(0, 0, 1), fs->centre);
    carom_sheet_flat_square(flat, 1.01*fs->reach);
    for (int other = 0; other < fs->n + fs->nwall && flat->n > 2; other++) {
        if (other == c) continue;
        caromPlane bound = constraint(fs, k, other);
        if (!is_flush(flat, sheet, bound, fs->reach)) carom_sheet_flat_clip(flat, sheet, bound);
        else if (other < c || carom_dot(bound.n, plane.n) < 0.0) return false;
    }
    return flat->n > 2;
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

static double cell_energy(const caromNear *fs, int k)
{
    double energy = 0.0;
    bool has_tip = false;
    caromVec3 tip = { 0, 0, 0 };
    caromFlat flat;
    caromSheet sheet;
    for (int c = 0; c < fs->n + fs->nwall; c++) {
        double area = cell_face(fs, k, c, &flat, &sheet) ? carom_sheet_flat_area(&flat) : 0.0;
        if (!(area > 0.0)) continue;
        if (!has_tip) tip = carom_sheet_point(&sheet, flat.u[0], flat.v[0]);
        has_tip = true;
        caromPlane plane = constraint(fs, k, c);
        double cone = carom_sheet_plane_at(plane, tip)/carom_norm(plane.n)*area/3.0;
        energy += cone*(0.25*carom_sheet_plane_at(fs->p[k], tip) +
                        0.75*carom_sheet_plane_at(fs->p[k], flat_centroid(&flat, &sheet, area)));
    }
    return energy;
}

double carom_patch_near_energy(const caromNear *fs)
{
    double energy = 0.0;
    for (int k = 0; k < fs->n; k++) energy += cell_energy(fs, k);
    return energy;
}

double carom_patch_shapes_energy(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB)
{
    return a->kind <= b->kind ? carom_field_energy(a, X_WA, b, X_WB) : carom_field_energy(b, X_WB, a, X_WA);
}
