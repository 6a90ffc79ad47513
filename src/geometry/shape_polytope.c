#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_HULL, .radius = s->hull->rounding, .hull = s->hull };
}

static caromMassProps solid(const caromShape *s)
{
    return s->hull->solid;
}

static double surface(const caromShape *s)
{
    return carom_hull_surface(s->hull);
}

static double half_thickness(const caromShape *s)
{
    return s->hull->thin;
}

static double radius(const caromShape *s)
{
    return s->hull->reach + s->hull->rounding;
}

const caromShapeRow carom_shape_polytope = { .name = "polytope", .is_bounded = true, .core = core, .solid = solid, .surface = surface, .radius = radius,
                                             .half_thickness = half_thickness };
