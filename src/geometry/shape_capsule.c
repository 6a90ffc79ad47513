#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_BOX, .radius = s->size.x, .h = { 0, 0, 0.5*s->size.y } };
}

static double half_thickness(const caromShape *s)
{
    return s->size.x;
}

static double radius(const caromShape *s)
{
    return 0.5*s->size.y + s->size.x;
}

const caromShapeRow carom_shape_capsule = { .name = "capsule", .keys = { "radius", "length" }, .is_bounded = true, .core = core,
                                            .radius = radius, .half_thickness = half_thickness, .largest_rounding = half_thickness };
