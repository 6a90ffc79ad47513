#include "geometry/geometry.h"

static const caromShapeRow *const rows[CAROM_SHAPE_KINDS] = {
    [CAROM_SPHERE] = &carom_shape_sphere,
    [CAROM_BOX] = &carom_shape_box,
    [CAROM_HALF_SPACE] = &carom_shape_half_space,
};

const caromShapeRow *carom_shape_row(caromShapeKind kind)
{
    return (unsigned)kind < CAROM_SHAPE_KINDS ? rows[kind] : NULL;
}

const char *carom_shape_kind_name(caromShapeKind kind)
{
    const caromShapeRow *row = carom_shape_row(kind);
    return row ? row->name : "unknown shape";
}

double carom_shape_half_thickness(caromShape shape)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    caromVec3 h = row->half_edges(shape.size);
    return row->rounding(shape.size) + fmin(h.x, fmin(h.y, h.z));
}

double carom_shape_volume(caromShape shape)
{
    return carom_shape_row(shape.kind)->volume(shape.size);
}

double carom_shape_radius(caromShape shape)
{
    return carom_shape_row(shape.kind)->radius(shape.size);
}

bool carom_shape_is_bounded(caromShape shape)
{
    return carom_shape_row(shape.kind)->is_bounded;
}

caromMassProps carom_shape_mass(caromShape shape, double density)
{
    const caromShapeRow *row = carom_shape_row(shape.kind);
    if (!row->is_bounded) return (caromMassProps){ 0 };
    double mass = density*row->volume(shape.size);
    caromVec3 moments = carom_scale(mass, row->unit_inertia(shape.size));
    return (caromMassProps){ mass, { 0, 0, 0 }, carom_mat_diagonal(moments.x, moments.y, moments.z) };
}
