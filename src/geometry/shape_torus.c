#include "geometry/geometry.h"

static double half_thickness(const caromShape *s)
{
    return s->size.y;
}

static double radius(const caromShape *s)
{
    return s->size.x + s->size.y;
}

const caromShapeRow carom_shape_torus = { .name = "torus", .keys = { "radius", "tube_radius" }, .is_bounded = true,
                                          .radius = radius, .half_thickness = half_thickness };
