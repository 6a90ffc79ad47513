#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846;

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_ELLIPSOID, .h = s->size };
}

static caromMassProps solid(const caromShape *s)
{
    double xx = s->size.x*s->size.x, yy = s->size.y*s->size.y, zz = s->size.z*s->size.z;
    double volume = 4.0/3.0*pi*s->size.x*s->size.y*s->size.z, k = volume/5.0;
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(k*(yy + zz), k*(xx + zz), k*(xx + yy)) };
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

static double mean_radius(const caromShape *s)
{
    return cbrt(s->size.x*s->size.y*s->size.z);
}

const caromShapeRow carom_shape_ellipsoid = { .name = "ellipsoid", .keys = { "semi_axes" }, .is_vector = true, .is_bounded = true, .core = core,
                                              .solid = solid, .radius = radius, .half_thickness = half_thickness, .largest_rounding = largest_rounding,
    .mean_radius = mean_radius, .touches_in_points = true };
