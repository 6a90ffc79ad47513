#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    double r = s->rounding, h = 0.5*s->size.y - r;
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = r, .r0 = s->size.x - r, .z0 = -h, .r1 = s->size.x - r,
                        .z1 = h };
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

static double half_thickness(const caromShape *s)
{
    return fmin(s->size.x, 0.5*s->size.y);
}

static double radius(const caromShape *s)
{
    caromCore c = core(s);
    return hypot(c.r0, c.z1) + c.radius;
}

static double mean_radius(const caromShape *s)
{
    return 2.0*s->size.x;
}

const caromShapeRow carom_shape_row_cylinder = {
    .name = "cylinder",
    .example = "{radius: 2 cm, length: 10 cm}",
    .doc = "A cylinder about the shape's z axis, its middle at the origin.",
    .dimensions = { { "radius", "2 cm", "Radius; above 0." },
                    { "length", "10 cm", "Full length along z; above 0." } },
    .rounding = CAROM_ROUNDED_OUTSIDE,
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
