#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_ELLIPSOID, .h = s->size };
}

static double half_thickness(const caromShape *s)
{
    return fmin(s->size.x, fmin(s->size.y, s->size.z));
}

static double radius(const caromShape *s)
{
    return fmax(s->size.x, fmax(s->size.y, s->size.z));
}

// The smallest radius of curvature: there is nothing to round below it.
static double largest_rounding(const caromShape *s)
{
    double c = half_thickness(s);
    return c*c/radius(s);
}

const caromShapeRow carom_shape_ellipsoid = { .name = "ellipsoid", .keys = { "semi_axes" }, .is_vector = true, .is_bounded = true, .core = core,
                                              .radius = radius, .half_thickness = half_thickness, .largest_rounding = largest_rounding };
