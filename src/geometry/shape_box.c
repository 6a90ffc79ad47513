#include "geometry/geometry.h"

static caromCore core(const caromShape *s)
{
    double r = s->rounding;
    return (caromCore){ .kind = CAROM_CORE_BOX, .radius = r, .h = { 0.5*s->size.x - r, 0.5*s->size.y - r, 0.5*s->size.z - r } };
}

static caromMassProps solid(const caromShape *s)
{
    double volume = s->size.x*s->size.y*s->size.z, k = volume/12.0;
    double xx = s->size.x*s->size.x, yy = s->size.y*s->size.y, zz = s->size.z*s->size.z;
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(k*(yy + zz), k*(xx + zz), k*(xx + yy)) };
}

static double half_thickness(const caromShape *s)
{
    return 0.5*fmin(s->size.x, fmin(s->size.y, s->size.z));
}

static double radius(const caromShape *s)
{
    caromCore c = core(s);
    return carom_norm(c.h) + c.radius;
}

const caromShapeRow carom_shape_box = { .name = "box", .keys = { "size" }, .is_vector = true, .is_bounded = true, .core = core, .solid = solid,
                                        .radius = radius, .half_thickness = half_thickness, .largest_rounding = half_thickness };
