#include "geometry/geometry.h"

static const double pi = CAROM_PI;

static caromCore core(const caromShape *s)
{
    double r = s->rounding;
    return (caromCore){ .kind = CAROM_CORE_BOX, .radius = r,
                        .h = { 0.5*s->size.x - r, 0.5*s->size.y - r, 0.5*s->size.z - r } };
}

// Integral of x^2 over a box with half edges a, b, d grown by r: the box, slabs on its sides, quarters of cylinders
// along its edges, eighths of a ball at its corners.
static double second_moment(double a, double b, double d, double r)
{
    double aa = a*a, r2 = r*r, r3 = r2*r, r4 = r2*r2;
    // The box, slabs on the y and z sides, edges along x.
    double inner = 8.0*aa/3.0*(a*b*d + r*a*(b + d)) + 2.0/3.0*pi*r2*aa*a;
    // On the x sides: 8 b d int_a^(a+r) x^2 dx.
    double slabs = 8.0*b*d*(aa*r + a*r2 + r3/3.0);
    double edges = 2.0*(b + d)*(pi*aa*r2 + 8.0/3.0*a*r3 + 0.25*pi*r4);            // along y and z
    double corners = 4.0/3.0*pi*aa*r3 + pi*a*r4 + 4.0/15.0*pi*r4*r;
    return inner + slabs + edges + corners;
}

static caromMassProps solid(const caromShape *s)
{
    caromCore c = core(s);
    double a = c.h.x, b = c.h.y, d = c.h.z, r = c.radius;
    double volume = 8.0*a*b*d + 8.0*r*(a*b + b*d + d*a) + 2.0*pi*r*r*(a + b + d) + 4.0/3.0*pi*r*r*r;
    double xx = second_moment(a, b, d, r), yy = second_moment(b, d, a, r), zz = second_moment(d, a, b, r);
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(yy + zz, xx + zz, xx + yy) };
}

// Sides, quarters of cylinders, eighths of a ball.
static double surface(const caromShape *s)
{
    caromCore c = core(s);
    double a = c.h.x, b = c.h.y, d = c.h.z, r = c.radius;
    return 8.0*(a*b + b*d + d*a) + 4.0*pi*r*(a + b + d + r);
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

const caromShapeRow carom_shape_row_box = {
    .name = "box",
    .example = "{size: [1 cm, 2 cm, 3 cm]}",
    .doc = "A block about the shape's origin, edges along its axes.",
    .dimensions = { { "size", "[1 cm, 2 cm, 3 cm]", "Full edge lengths; each above 0." } },
    .is_vector = true,
    .rounding = CAROM_ROUNDED_OUTSIDE,
    .has_edges = true,
    .is_bounded = true,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .largest_rounding = half_thickness,
};
