// Mass properties of a frustum grown by a radius: a solid of revolution whose profile is an arc, a line and an arc.
// With R the radius of the profile at z:
//
//     V = pi int R^2 dz,   int z = pi int R^2 z dz,   int z^2 = pi int R^2 z^2 dz,
//         int x^2 = int y^2 = pi/4 int R^4 dz
#include "geometry/geometry.h"
#include "math/gauss.h"

static const double pi = CAROM_PI;

typedef struct Revolved { double volume, z, zz, xx; } Revolved;

// Moments about z = 0 of a piece known about its own middle.
static void add_shifted(Revolved *sum, Revolved piece, double middle)
{
    sum->volume += piece.volume;
    sum->z += piece.z + middle*piece.volume;
    sum->zz += piece.zz + 2.0*middle*piece.z + middle*middle*piece.volume;
    sum->xx += piece.xx;
}

// R from a to b over the length L, linear.
static void add_line(Revolved *sum, double a, double b, double z0, double z1)
{
    double L = z1 - z0, m = 0.5*(a + b), d = b - a;
    Revolved piece = { .volume = pi*L*(a*a + a*b + b*b)/3.0, .z = pi*L*L*m*d/6.0, .zz = pi*L*L*L*(m*m/12.0 + d*d/80.0),
                       .xx = 0.25*pi*L*(a*a*a*a + a*a*a*b + a*a*b*b + a*b*b*b + b*b*b*b)/5.0 };
    add_shifted(sum, piece, 0.5*(z0 + z1));
}

// R = rho + r cos f, z = zc + r sin f for f from f0 to f1: Gauss-Legendre with 16 points. The integrand is a
// trigonometric polynomial of degree 5 over half a turn at most, whose highest term is 1/16 of cos(5 f): the
// rule is off by less than
//     pi^33 5^32 (16!)^4/(16 33 (32!)^3) = 1e-17
static void add_arc(Revolved *sum, double rho, double zc, double r, double f0, double f1)
{
    Revolved piece = { 0 };
    double middle = 0.5*(f0 + f1), half = 0.5*(f1 - f0);
    for (int i = 0; i < 16; i++) {
        double f = middle + half*carom_gauss_16[i].x, dz = half*carom_gauss_16[i].w*r*cos(f), R = rho + r*cos(f),
               z = r*sin(f);
        piece.volume += pi*R*R*dz;
        piece.z += pi*R*R*z*dz;
        piece.zz += pi*R*R*z*z*dz;
        piece.xx += 0.25*pi*R*R*R*R*dz;
    }
    add_shifted(sum, piece, zc);
}

caromMassProps carom_shape_frustum_mass(const caromCore *c)
{
    Revolved sum = { 0 };
    double r = c->radius, dr = c->r1 - c->r0, dz = c->z1 - c->z0, side = hypot(dr, dz);
    // Normal of the side: (cos f, sin f) in the plane of rho and z.
    double cos_f = side > 0.0 ? dz/side : 1.0, sin_f = side > 0.0 ? -dr/side : 0.0, f = atan2(sin_f, cos_f);
    add_line(&sum, c->r0 + r*cos_f, c->r1 + r*cos_f, c->z0 + r*sin_f, c->z1 + r*sin_f);
    if (r > 0.0) {
        add_arc(&sum, c->r0, c->z0, r, -0.5*pi, f);
        add_arc(&sum, c->r1, c->z1, r, f, 0.5*pi);
    }
    double com = sum.z/sum.volume, zz = sum.zz - com*sum.z;
    return (caromMassProps){ sum.volume, { 0, 0, com }, carom_mat_diagonal(sum.xx + zz, sum.xx + zz, 2.0*sum.xx) };
}

// Two discs, the side, and of the rims the area that an arc sweeps: 2 pi int (R + r cos f) r df.
double carom_shape_frustum_surface(const caromCore *c)
{
    double r = c->radius, dr = c->r1 - c->r0, dz = c->z1 - c->z0, side = hypot(dr, dz),
           cos_f = side > 0.0 ? dz/side : 1.0, sin_f = side > 0.0 ? -dr/side : 0.0;
    double f = atan2(sin_f, cos_f), rims = c->r0*(f + 0.5*pi) + c->r1*(0.5*pi - f) + 2.0*r;
    return pi*(c->r0*c->r0 + c->r1*c->r1 + side*(c->r0 + c->r1 + 2.0*r*cos_f)) + 2.0*pi*r*rims;
}
