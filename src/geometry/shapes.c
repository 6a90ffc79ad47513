#include "geometry/geometry.h"

#include "carom/mesh.h"

_Static_assert(CAROM_HALF_SPACE == CAROM_SHAPE_KINDS - 1, "of a pair with a half-space, this is the second");

// A designator takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define POINT_TO(kind, row) [kind] = &row,
const caromShapeRow *const carom_shape_rows[CAROM_SHAPE_KINDS] = { CAROM_SHAPES(POINT_TO) };

const char *carom_shape_kind_name(caromShapeKind kind)
{
    const caromShapeRow *row = carom_shape_row(kind);
    return row ? row->name : "unknown shape";
}

caromShape carom_shape_sphere(double radius)
{
    return (caromShape){ .kind = CAROM_SPHERE, .size = { radius, 0, 0 } };
}

caromShape carom_shape_ellipsoid(double a, double b, double c)
{
    return (caromShape){ .kind = CAROM_ELLIPSOID, .size = { a, b, c } };
}

caromShape carom_shape_box(double x, double y, double z)
{
    return (caromShape){ .kind = CAROM_BOX, .size = { x, y, z } };
}

caromShape carom_shape_cylinder(double radius, double length)
{
    return (caromShape){ .kind = CAROM_CYLINDER, .size = { radius, length, 0 } };
}

caromShape carom_shape_cone(double radius, double top_radius, double length)
{
    return (caromShape){ .kind = CAROM_CONE, .size = { radius, top_radius, length } };
}

caromShape carom_shape_capsule(double radius, double length)
{
    return (caromShape){ .kind = CAROM_CAPSULE, .size = { radius, length, 0 } };
}

caromShape carom_shape_torus(double ring_radius, double tube_radius)
{
    return (caromShape){ .kind = CAROM_TORUS, .size = { ring_radius, tube_radius, 0 } };
}

caromShape carom_shape_half_space(void)
{
    return (caromShape){ .kind = CAROM_HALF_SPACE };
}

caromShape carom_shape_polytope(const caromHull *hull)
{
    return (caromShape){ .kind = CAROM_POLYTOPE, .hull = hull };
}

caromShape carom_shape_mesh(const caromMesh *mesh)
{
    return (caromShape){ .kind = CAROM_MESH, .mesh = mesh };
}

caromShape carom_shape_rounded(caromShape shape, double radius)
{
    shape.rounding = radius;
    return shape;
}

// Pointers that the kind has no use for are left behind.
bool carom_shape_copy(caromShape *shape)
{
    const caromShapeRow *row = carom_shape_row(shape->kind);
    const caromHull *hull = row && row->has_hull ? shape->hull : NULL;
    const caromMesh *mesh = row && row->has_mesh ? shape->mesh : NULL;
    shape->hull = hull ? carom_hull_copy(hull) : NULL;
    shape->mesh = mesh ? carom_mesh_copy(mesh) : NULL;
    shape->samples = carom_shape_samples_copy(shape->samples);
    return !hull || shape->hull;
}

void carom_shape_free(caromShape *shape)
{
    carom_hull_destroy((caromHull *)shape->hull);
    carom_mesh_destroy((caromMesh *)shape->mesh);
    carom_shape_samples_destroy((caromSamples *)shape->samples);
    shape->hull = NULL;
    shape->mesh = NULL;
    shape->samples = NULL;
}

const char *carom_shape_dimension(caromShapeKind kind, int i)
{
    const caromShapeRow *row = carom_shape_row(kind);
    return row && i >= 0 && i < 3 ? row->dimensions[row->is_vector ? 0 : i].name : NULL;
}

double carom_shape_rounding(caromShape shape)
{
    return !carom_shape_row(shape.kind)->has_edges ? 0.0 : shape.hull ? carom_hull_rounding(shape.hull)
                                                   : shape.rounding;
}

bool carom_shape_is_curved(const caromShape *shape)
{
    const caromShapeRow *row = carom_shape_row(shape->kind);
    if (!row->core || row->touches_in_points) return false;
    caromCore core = row->core(shape);
    return core.kind == CAROM_CORE_FRUSTUM || core.radius > 0.0;
}

double carom_shape_half_thickness(caromShape shape)
{
    return carom_shape_row(shape.kind)->half_thickness(&shape);
}

double carom_shape_surface(caromShape shape)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    return row->surface ? row->surface(&shape) : (double)INFINITY;
}

double carom_shape_volume(caromShape shape)
{
    return carom_shape_is_bounded(shape) ? carom_shape_row(shape.kind)->solid(&shape).mass : (double)INFINITY;
}

double carom_shape_radius(caromShape shape)
{
    return carom_shape_row(shape.kind)->radius(&shape);
}

bool carom_shape_is_bounded(caromShape shape)
{
    return carom_shape_row(shape.kind)->is_bounded;
}

bool carom_shape_is_convex(caromShape shape)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    return row->core || !row->is_bounded;
}

caromMassProps carom_shape_mass(caromShape shape, double density)
{
    if (!carom_shape_is_bounded(shape)) return (caromMassProps){ 0 };
    caromMassProps p = carom_shape_row(shape.kind)->solid(&shape);
    return (caromMassProps){ density*p.mass, p.com, carom_mat_scale(density, p.inertia) };
}
