#include "geometry/geometry.h"

// A sharp cone; rounding: the planes of bottom and top and the side move inwards by the radius.
static caromCore core(const caromShape *s)
{
    double r = s->rounding, h = 0.5*s->size.z, slope = (s->size.y - s->size.x)/s->size.z;  // of the radius over z
    double inset = r*sqrt(1.0 + slope*slope);                                             // of the side, measured across
    double middle = 0.5*(s->size.x + s->size.y) - inset;                                  // radius of the core's side at z = 0
    double z0 = -h + r, z1 = h - r;
    if (s->size.y == 0.0 && r == 0.0) return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .r0 = s->size.x, .z0 = -h, .r1 = 0.0, .z1 = h };
    double r0 = middle + slope*z0, r1 = middle + slope*z1;
    if (r1 < 0.0) r1 = 0.0, z1 = -middle/slope;
    if (r0 < 0.0) r0 = 0.0, z0 = -middle/slope;
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = r, .r0 = r0, .z0 = z0, .r1 = r1, .z1 = z1 };
}

static double radius(const caromShape *s)
{
    caromCore c = core(s);
    return fmax(hypot(c.r0, c.z0), hypot(c.r1, c.z1)) + c.radius;
}

// Radius of the largest ball inside: of the triangle or trapezium that the axis cuts out.
static double half_thickness(const caromShape *s)
{
    double slope = fabs(s->size.y - s->size.x)/s->size.z, wide = fmax(s->size.x, s->size.y);
    // A ball on the wide disc that touches the side: t = (wide - slope t)/sqrt(1 + slope^2), at most half the length.
    return fmin(0.5*s->size.z, wide/(sqrt(1.0 + slope*slope) + slope));
}

const caromShapeRow carom_shape_cone = { .name = "cone", .keys = { "radius", "top_radius", "length" }, .may_be_zero = { false, true, false }, .is_bounded = true,
                                         .core = core, .radius = radius, .half_thickness = half_thickness, .largest_rounding = half_thickness };
