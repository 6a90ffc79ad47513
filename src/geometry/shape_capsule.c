#include "geometry/geometry.h"
#include "geometry/samples.h"

static const double pi = CAROM_PI;

static caromCore core(const caromShape *s)
{
    return (caromCore){ .kind = CAROM_CORE_BOX, .radius = s->size.x, .h = { 0, 0, 0.5*s->size.y } };
}

// A cylinder, and two halves of a ball at its ends z = +-h: there int z^2 = int (h + |z|)^2 over the ball.
static caromMassProps solid(const caromShape *s)
{
    double r = s->size.x, L = s->size.y, h = 0.5*L, rr = r*r, disc = pi*rr, ball = 4.0/3.0*pi*rr*r;
    double xx = 0.25*disc*rr*L + 0.2*ball*rr;
    double zz = disc*L*L*L/12.0 + h*h*ball + pi*h*rr*rr + 0.2*ball*rr;
    return (caromMassProps){ disc*L + ball, { 0, 0, 0 }, carom_mat_diagonal(xx + zz, xx + zz, 2.0*xx) };
}

static double surface(const caromShape *s)
{
    return 2.0*pi*s->size.x*(s->size.y + 2.0*s->size.x);
}

static double half_thickness(const caromShape *s)
{
    return s->size.x;
}

static double radius(const caromShape *s)
{
    return 0.5*s->size.y + s->size.x;
}

static double mean_radius(const caromShape *s)
{
    return 2.0*s->size.x;
}

static void sample(const caromShape *s, caromSampleList *list)
{
    carom_geometry_sample_capsule(list, s->size.x, 0.5*s->size.y);
}

const caromShapeRow carom_shape_row_capsule = {
    .name = "capsule",
    .example = "{radius: 2 cm, length: 10 cm}",
    .doc = "A cylinder with half balls as ends, about the shape's z axis, its middle at the origin.",
    .dimensions = { { "radius", "2 cm", "Radius; above 0." },
                    { "length", "10 cm", "Length of the straight part along z, without the half balls; above 0." } },
    .rounding = CAROM_ROUNDED_ALREADY,
    .is_bounded = true,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .largest_rounding = half_thickness,
    .sample = sample,
    .mean_radius = mean_radius,
    .is_round = true,
};
