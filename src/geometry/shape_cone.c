#include "geometry/geometry.h"

// Rounding: the planes of bottom and top and the side move inwards by the radius. The side moves by inset, measured
// across, and where it then meets the axis before the bottom or the top, the core ends there in a tip.
static caromCore core(const caromShape *s)
{
    double r = s->rounding, h = 0.5*s->size.z, slope = (s->size.y - s->size.x)/s->size.z;  // of the radius over z
    double inset = r*sqrt(1.0 + slope*slope), z0 = -h + r, z1 = h - r;
    double r0 = s->size.x + slope*r - inset, r1 = s->size.y - slope*r - inset;
    if (r1 < 0.0 && r0 > 0.0) z1 = fmax(z0, z0 - r0/slope);
    if (r0 < 0.0 && r1 > 0.0) z0 = fmin(z1, z1 - r1/slope);
    // Of the largest ball inside: its centre.
    if (slope != 0.0 && r0 <= 0.0 && r1 <= 0.0) z0 = z1 = slope < 0.0 ? z0 : z1;
    if (z0 == z1) r0 = r1 = fmax(r0, r1);                                         // a disc, but for rounding
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = r, .r0 = fmax(r0, 0.0), .z0 = z0, .r1 = fmax(r1, 0.0),
                        .z1 = z1 };
}

static caromMassProps solid(const caromShape *s)
{
    caromCore c = core(s);
    return carom_shape_frustum_mass(&c);
}

static double surface(const caromShape *s)
{
    caromCore c = core(s);
    return carom_shape_frustum_surface(&c);
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

static double mean_radius(const caromShape *s)
{
    return 2.0*fmax(s->size.x, s->size.y);
}

const caromShapeRow carom_shape_row_cone = {
    .name = "cone",
    .example = "{radius: 2 cm, length: 5 cm}",
    .doc = "A cone about the shape's z axis that narrows upwards, the origin half way up; with top_radius truncated.",
    .dimensions = { { "radius", "2 cm", "Radius at the bottom; above 0." },
                    { "top_radius", "1 cm", "Radius at the top, less or more than radius; 0: a tip.",
                      .may_be_zero = true }, { "length", "5 cm", "Full length along z; above 0." } },
    .rounding = CAROM_ROUNDED_TIPS,
    .has_edges = true,
    .is_bounded = true,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .largest_rounding = half_thickness,
    .mean_radius = mean_radius,
    .is_round = true,
};
