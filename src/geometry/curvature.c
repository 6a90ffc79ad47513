// Principal curvatures of shapes, from the feature of the core below the point: a face of the core stays plane, an edge
// becomes a piece of a cylinder, a vertex of a sphere, a rim of a torus.
#include <float.h>

#include "geometry/geometry.h"

caromVec3 carom_geometry_square_to(caromVec3 n)
{
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    caromVec3 least = ax <= ay && ax <= az ? carom_vec(1, 0, 0) : ay <= az ? carom_vec(0, 1, 0) : carom_vec(0, 0, 1);
    return carom_unit_or(carom_cross(n, least), carom_vec(1, 0, 0));
}

// t1 made square to n and of unit length; any such when it is along n.
static caromCurvature curvature(double k1, double k2, caromVec3 t1, caromVec3 n)
{
    caromVec3 t = carom_axpy(-carom_dot(n, t1), n, t1);
    if (!(carom_norm(t) > 1e-8*carom_norm(t1))) t = carom_geometry_square_to(n);
    return (caromCurvature){ k1, k2, carom_unit_or(t, carom_geometry_square_to(n)) };
}

static caromCurvature same_all_round(double k, caromVec3 n)
{
    return (caromCurvature){ k, k, carom_geometry_square_to(n) };
}

// Of the edges and corners; infinite when they are sharp.
static double of_radius(double r)
{
    return r > 0.0 ? 1.0/r : (double)INFINITY;
}

// How far a point computed as p - r n may be off: some roundings of what it was computed from.
static double slack(const caromCore *core, caromVec3 p)
{
    return 64.0*DBL_EPSILON*(fabs(p.x) + fabs(p.y) + fabs(p.z) + core->radius);
}

// Box: along how many axes is c at the end of the box? One: on a face, two: on an edge, three: at a corner. A width of
// 0 counts as its end, so that segments and points come out right.
static caromCurvature box_curvature(const caromCore *core, caromVec3 c, caromVec3 n, double tol)
{
    bool x = fabs(c.x) >= core->h.x - tol, y = fabs(c.y) >= core->h.y - tol, z = fabs(c.z) >= core->h.z - tol;
    int ends = x + y + z;
    if (ends < 2) return same_all_round(0.0, n);
    if (ends == 3) return same_all_round(of_radius(core->radius), n);
    return curvature(0.0, of_radius(core->radius), carom_vec(!x, !y, !z), n);
}

// Hull: how many faces is c on?
static caromCurvature hull_curvature(const caromCore *core, caromVec3 c, caromVec3 n, double tol)
{
    const caromHull *hull = core->hull;
    int faces[2] = { 0, 0 }, count = 0;
    for (int f = 0; f < hull->nface && count < 3; f++) {
        if (hull->offsets[f] - carom_dot(hull->normals[f], c) > tol) continue;
        if (count < 2) faces[count] = f;
        count++;
    }
    if (count < 2) return same_all_round(0.0, n);
    if (count == 3) return same_all_round(of_radius(core->radius), n);
    return curvature(0.0, of_radius(core->radius), carom_cross(hull->normals[faces[0]], hull->normals[faces[1]]), n);
}

// Frustum, with rho the distance from the axis and n = (cos b) u + (sin b) Sz, u away from the axis. Around
// the axis the curvature is cos b/rho (Meusnier); along the meridian it is 0 on the side and 1/r at a rim,
// which is a piece of a torus.
static caromCurvature frustum_curvature(const caromCore *core, caromVec3 c, caromVec3 n, double tol)
{
    double rho = hypot(c.x, c.y), r = core->radius;
    caromVec3 u = rho > tol ? carom_vec(c.x/rho, c.y/rho, 0)
                            : carom_unit_or(carom_vec(n.x, n.y, 0), carom_vec(1, 0, 0));
    caromVec3 around = carom_vec(-u.y, u.x, 0);
    double cos_b = fmax(0.0, carom_dot(n, u));
    bool is_top = fabs(c.z - core->z1) <= tol, is_bottom = fabs(c.z - core->z0) <= tol;
    if (!is_top && !is_bottom) return curvature(0.0, cos_b/(rho + r*cos_b), carom_cross(around, n), n);
    double rim = is_top ? core->r1 : core->r0;
    if (is_top && is_bottom) rim = fmax(core->r0, core->r1);
    if (rho < rim - tol) return same_all_round(0.0, n);
    if (rim <= tol) return same_all_round(of_radius(r), n);  // a tip
    return curvature(cos_b/(rim + r*cos_b), of_radius(r), around, n);
}

// Ellipsoid x^T D x = 1, D = diag(1/a^2): with the normal n the point is D^-1 n/s, s^2 = n^T D^-1 n, the gradient there
// is 2 n/s, and the shape operator is s D on the tangent plane: its eigenvalues by the half angle of a 2 x 2 matrix.
static caromCurvature ellipsoid_curvature(const caromCore *core, caromVec3 n)
{
    caromVec3 h = core->h, e = carom_geometry_square_to(n), f = carom_cross(n, e);
    double s = carom_norm(carom_vec(h.x*n.x, h.y*n.y, h.z*n.z));
    caromVec3 de = carom_vec(e.x/h.x, e.y/h.y, e.z/h.z), df = carom_vec(f.x/h.x, f.y/h.y, f.z/h.z);
    double ee = s*carom_dot(de, de), ff = s*carom_dot(df, df), ef = s*carom_dot(de, df);
    // Of the larger, from e.
    double mean = 0.5*(ee + ff), half = hypot(0.5*(ee - ff), ef), angle = 0.5*atan2(ef, 0.5*(ee - ff));
    // The product of both is s^4/(abc)^2 (Gauss): the smaller one from it, as the difference cancels in a long thin
    // ellipsoid.
    double k2 = mean + half, q = s*s/(h.x*h.y*h.z), k1 = fmin(k2, q*q/k2);
    return curvature(k1, k2, carom_add(carom_scale(-sin(angle), e), carom_scale(cos(angle), f)), n);
}

static caromCurvature core_curvature(const caromCore *core, caromVec3 p, caromVec3 n)
{
    caromVec3 c = carom_axpy(-core->radius, n, p);
    double tol = slack(core, p);
    switch (core->kind) {
    case CAROM_CORE_BOX: return box_curvature(core, c, n, tol);
    case CAROM_CORE_HULL: return hull_curvature(core, c, n, tol);
    case CAROM_CORE_FRUSTUM: return frustum_curvature(core, c, n, tol);
    default: return ellipsoid_curvature(core, n);
    }
}

caromCurvature carom_shape_curvature(caromShape shape, caromVec3 p_S, caromVec3 n_S)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    if (row->curvature) return row->curvature(&shape, p_S, n_S);
    caromCore core = row->core(&shape);
    return core_curvature(&core, p_S, n_S);
}
