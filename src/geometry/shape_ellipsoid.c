#include "base/base.h"
#include "geometry/geometry.h"

static const double pi = CAROM_PI;

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

// Carlson's symmetric elliptic integrals R_F and R_D by duplication [Carlson95]: each pass brings the three arguments
// four times nearer to each other, until they are equal but for rounding.
static void carlson(double x, double y, double z, double *rf, double *rd)
{
    double sum = 0.0, factor = 1.0;
    for (int i = 0; i < 30; i++) {
        double l = sqrt(x*y) + sqrt(y*z) + sqrt(z*x);
        sum += factor/(sqrt(z)*(z + l));
        factor *= 0.25;
        x = 0.25*(x + l);
        y = 0.25*(y + l);
        z = 0.25*(z + l);
    }
    *rf = 1.0/sqrt((x + y + z)/3.0);
    *rd = 3.0*sum + factor/((x + y + 3.0*z)/5.0*sqrt((x + y + 3.0*z)/5.0));
}

// 4 pi R_G(a^2 b^2, b^2 c^2, c^2 a^2), 2 R_G = z R_F - (x - z) (y - z) R_D/3 + sqrt(x y/z) with z between the others,
// so that nothing cancels.
static double surface(const caromShape *s)
{
    double x = s->size.x*s->size.y, y = s->size.y*s->size.z, z = s->size.z*s->size.x, low = fmin(x, fmin(y, z)),
           high = fmax(x, fmax(y, z));
    double scale = high*high, mid = x + y + z - low - high, rf, rd;
    low = low*low/scale;
    mid = mid*mid/scale;
    carlson(low, 1.0, mid, &rf, &rd);
    return 2.0*pi*high*(mid*rf - (low - mid)*(1.0 - mid)*rd/3.0 + sqrt(low/mid));
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

static caromStatus check(const caromShape *s, caromError *err)
{
    double r = s->rounding, largest = largest_rounding(s);
    if (!isfinite(r) || r <= largest) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "rounding", "rounding %g m is more than the least radius of curvature of "
                      "this ellipsoid, %g m: below that it has no effect and can be left out", r, largest);
}

const caromShapeRow carom_shape_row_ellipsoid = {
    .name = "ellipsoid",
    .example = "{semi_axes: [1 cm, 2 cm, 3 cm]}",
    .doc = "An ellipsoid about the shape's origin.",
    .dimensions = { { "semi_axes", "[1 cm, 2 cm, 3 cm]", "Half of its lengths along x, y and z; each above 0." } },
    .is_vector = true,
    .rounding = CAROM_ROUNDED_ALREADY,
    .is_bounded = true,
    .check = check,
    .core = core,
    .solid = solid,
    .surface = surface,
    .radius = radius,
    .half_thickness = half_thickness,
    .largest_rounding = largest_rounding,
    .mean_radius = mean_radius,
    .touches_in_points = true,
};
