#include "base/base.h"
#include "geometry/geometry.h"
#include "geometry/samples.h"

static const double pi = CAROM_PI;

static caromMassProps solid(const caromShape *s)
{
    double R = s->size.x, a = s->size.y, volume = 2.0*pi*pi*R*a*a;  // Pappus
    double across = volume*(0.5*R*R + 0.625*a*a), along = volume*(R*R + 0.75*a*a);
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(across, across, along) };
}

static double surface(const caromShape *s)
{
    return 4.0*pi*pi*s->size.x*s->size.y;  // Pappus
}

// Along the tube 1/a; around the axis cos f/(R + a cos f), f from the outermost circle: negative on the inside.
static caromCurvature curvature(const caromShape *s, caromVec3 p_S, caromVec3 n_S)
{
    caromVec3 u = carom_unit_or(carom_vec(p_S.x, p_S.y, 0), carom_vec(1, 0, 0)), around = carom_vec(-u.y, u.x, 0);
    double cos_f = carom_dot(n_S, u);
    caromVec3 t = carom_unit_or(carom_axpy(-carom_dot(n_S, around), n_S, around), carom_geometry_square_to(n_S));
    return (caromCurvature){ cos_f/(s->size.x + s->size.y*cos_f), 1.0/s->size.y, t };
}

static double half_thickness(const caromShape *s)
{
    return s->size.y;
}

static double radius(const caromShape *s)
{
    return s->size.x + s->size.y;
}

static double mean_radius(const caromShape *s)
{
    return 2.0*s->size.y;
}

static void sample(const caromShape *s, caromSampleList *list)
{
    carom_geometry_sample_torus(list, s->size.x, s->size.y);
}

static caromStatus check(const caromShape *s, caromError *err)
{
    if (s->size.y < s->size.x) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "tube_radius", "tube_radius %g m is not below radius %g m: "
                      "the ring would have no hole", s->size.y, s->size.x);
}

const caromShapeRow carom_shape_row_torus = {
    .name = "torus",
    .example = "{radius: 10 cm, tube_radius: 1 cm}",
    .doc = "A ring about the shape's z axis, its middle at the origin.",
    .dimensions = { { "radius", "10 cm", "Radius of the circle in the middle of the tube; above 0." },
                    { "tube_radius", "1 cm", "Radius of the tube; above 0, below radius." } },
    .is_bounded = true,
    .check = check,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .curvature = curvature,
    .sample = sample,
    .mean_radius = mean_radius,
    .is_round = true,
};
