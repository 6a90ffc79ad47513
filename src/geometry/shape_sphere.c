#include "geometry/geometry.h"
#include "geometry/samples.h"

static const double pi = CAROM_PI;

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_BOX, .radius = s->size.x };
}

static caromMassProps solid(const caromShape *s)
{
    double r = s->size.x, volume = 4.0/3.0*pi*r*r*r, i = 0.4*volume*r*r;
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(i, i, i) };
}

static double surface(const caromShape *s)
{
    return 4.0*pi*s->size.x*s->size.x;
}

static double radius(const caromShape *s)
{
    return s->size.x;
}

static void sample(const caromShape *s, caromSampleList *list)
{
    carom_geometry_sample_capsule(list, s->size.x, 0.0);
}

const caromShapeRow carom_shape_row_sphere = {
    .name = "sphere",
    .example = "{radius: 50 mm}",
    .doc = "A ball about the shape's origin.",
    .dimensions = { { "radius", "50 mm", "Radius; above 0." } },
    .rounding = CAROM_ROUNDED_ALREADY,
    .is_bounded = true,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = radius,
    .largest_rounding = radius,
    .sample = sample,
    .mean_radius = radius,
    .touches_in_points = true,
};
