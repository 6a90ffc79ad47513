// The part of a torus that is below a plane, exactly but for quadrature.
//
// At the angle f about the axis, from the direction in which the plane falls steepest, the tube is a disc of radius r
// about a point of the ring, R from the axis. Depth falls over it along one direction at the rate g:
//
//     g^2 = c^2 cos^2 f + n^2,    low = d - 2 c R sin^2(f/2) - r c^2 sin^2 f/(1 + g)
//
// with c and n the parts of the plane's normal across and along the axis, low the depth of the disc's lowest point and
// d that at f = 0, the largest of all. The part of the disc below the plane is a segment of half angle t,
// sin^2(t/2) = low/(2 g r), and a place in it has coordinates that are linear in w, its distance from the lowest point
// along that direction, and in q across. So each moment is a sum of integrals over segments, of w^j and w^j q^2, and
// one integral over f, with dV = (distance from the axis) dw dq df.
//
// low falls as f grows, since r < R: the plane is touched from f = 0 to one angle f0, or all around. There the
// integrand goes with the power 3/2 of low, which f = f0 sin y makes smooth.
#include "math/gauss.h"
#include "patch/round.h"
#include "patch/scales.h"

static const double pi = CAROM_PI;

typedef struct TorusWork {
    double R, r;   // of ring and tube
    double c, n;   // of the plane
    double depth;  // largest
    caromImmersedSums sums;
} TorusWork;

// a + b w + k q.
typedef struct TorusLinear { double a, b, k; } TorusLinear;

// Over a segment of the unit disc: of w^j, and of w^j q^2.
typedef struct TorusSegment { double w[4], q[2]; } TorusSegment;

// Strips across at w = k = 1 - cos s, s up to t, are 2 sin s long, and sin^2 s = k (2 - k).
static TorusSegment segment_of(double t)
{
    TorusSegment m = { 0 };
    int n;
    const caromGauss *rule = carom_gauss_for(t, &n);
    for (int i = 0; i < n; i++) {
        double half = sin(0.25*t*(1.0 + rule[i].x)), k = 2.0*half*half, square = k*(2.0 - k), dt = 0.5*t*rule[i].w;
        double width = 2.0*square*dt, across = 2.0/3.0*square*square*dt;
        m.w[0] += width;
        m.w[1] += width*k;
        m.w[2] += width*k*k;
        m.w[3] += width*k*k*k;
        m.q[0] += across;
        m.q[1] += across*k;
    }
    return m;
}

// Integral of x y z over a segment of the disc of radius 1; z is the weight.
static double moment(const TorusSegment *m, TorusLinear z, TorusLinear x, TorusLinear y)
{
    double even = x.a*y.a, first = x.a*y.b + x.b*y.a, second = x.b*y.b, across = x.k*y.k;
    double beside = x.k*y.a + y.k*x.a, turned = x.k*y.b + y.k*x.b;
    return z.a*(even*m->w[0] + first*m->w[1] + second*m->w[2] + across*m->q[0]) +
           z.b*(even*m->w[1] + first*m->w[2] + second*m->w[3] + across*m->q[1]) +
           z.k*(beside*m->q[0] + turned*m->q[1]);
}

static double rate_at(const TorusWork *w, double f)
{
    double c = w->c*cos(f);
    return sqrt(c*c + w->n*w->n);
}

static double low_at(const TorusWork *w, double f)
{
    double half = sin(0.5*f), s = w->c*sin(f);
    return w->depth - 2.0*w->c*w->R*half*half - w->r*s*s/(1.0 + rate_at(w, f));
}

// Half the angle of the segment; of a disc that is level all or nothing.
static double half_angle(const TorusWork *w, double low, double rate)
{
    double whole = 2.0*rate*w->r;
    return low >= whole ? pi : 2.0*asin(sqrt(low/whole));
}

static void add_disc(TorusWork *w, double f, double df)
{
    double low = low_at(w, f), g = rate_at(w, f), r = w->r, cos_f = cos(f), sin_f = sin(f);
    if (!(low > 0.0)) return;
    TorusSegment m = segment_of(half_angle(w, low, g));
    double along = g > 0.0 ? w->c*cos_f/g : 1.0, up = g > 0.0 ? w->n/g : 0.0, rho = w->R + r*along;
    const TorusLinear one = { 1.0, 0.0, 0.0 }, weight = { rho, -r*along, -r*up }, depth = { low, -g*r, 0.0 };
    double half = sin(0.5*f), u0 = -2.0*w->R*half*half + r*(along*cos_f - w->c);
    const TorusLinear u = { u0, -r*along*cos_f, -r*up*cos_f }, v = { rho*sin_f, -r*along*sin_f, -r*up*sin_f },
                      z = { r*(up - w->n), -r*up, r*along };
    double k = 2.0*r*r*df;  // both halves of the ring
    caromImmersedSums *s = &w->sums;
    s->v += k*moment(&m, weight, one, one);
    s->w += k*moment(&m, weight, depth, one);
    s->u += k*moment(&m, weight, u, one);
    s->z += k*moment(&m, weight, z, one);
    s->uu += k*moment(&m, weight, u, u);
    s->uz += k*moment(&m, weight, u, z);
    s->zz += k*moment(&m, weight, z, z);
    s->vv += k*moment(&m, weight, v, v);
}

// ---- over the ring

// Of low or, from = r, of what is below it by twice the rate, which is 0 where the whole disc is in: both fall.
static double value_at(const TorusWork *w, double f, double whole)
{
    return low_at(w, f) - 2.0*whole*rate_at(w, f);
}

// Where it is 0, between 0 and pi, whose values have different signs.
static double zero_of(const TorusWork *w, double whole)
{
    double a = 0.0, b = pi;
    for (int i = 0; i < CAROM_PATCH_RING_HALVINGS && b - a > CAROM_PATCH_ROUNDED*b; i++) {
        double middle = 0.5*(a + b);
        if (value_at(w, middle, whole) > 0.0) a = middle;
        else b = middle;
    }
    return 0.5*(a + b);
}

// From f = a + (b - a) sin y, y from y0 to y1: the integrand has a zero at b.
static void add_sine_panel(TorusWork *w, double a, double b, double y0, double y1)
{
    for (int i = 0; i < 16; i++) {
        double y = 0.5*(y0 + y1) + 0.5*(y1 - y0)*carom_gauss_16[i].x;
        add_disc(w, a + (b - a)*sin(y), (b - a)*cos(y)*0.5*(y1 - y0)*carom_gauss_16[i].w);
    }
}

static void add_panel(TorusWork *w, double a, double b)
{
    for (int i = 0; i < 16; i++)
        add_disc(w, 0.5*(a + b) + 0.5*(b - a)*carom_gauss_16[i].x, 0.5*(b - a)*carom_gauss_16[i].w);
}

// Panels that get shorter towards the end of an interval, each at most twice as long as its distance from a branch
// point `beyond` that end.
static double panel_from(double a, double b, double beyond)
{
    double length = b - a, shortest = CAROM_PATCH_PANEL*(b - a);
    while (length > shortest && length > 2.0*(b - a - length + beyond)) length *= 0.5;
    return b - a - length < shortest ? b : a + length;
}

static double to_other_side(double f0)
{
    return acosh((2.0*pi - f0)/f0);
}

// The zero at 2 pi - f0, of the other half, is close when the plane is touched nearly all around.
static void add_to_zero(TorusWork *w, double from, double f0)
{
    double y = 0.0, beyond = to_other_side(f0);
    while (y < 0.5*pi) {
        double end = panel_from(y, 0.5*pi, beyond);
        add_sine_panel(w, from, f0, y, end);
        y = end;
    }
}

// All around: low is least at pi, and 0 beside the real axis there, as far as its curvature says.
static void add_all_around(TorusWork *w, double from)
{
    double least = low_at(w, pi), curved = 0.5*w->c*(w->R - w->r*w->c), f = from;
    double beyond = curved > 0.0 ? sqrt(least/curved) : (double)INFINITY;
    while (f < pi) {
        double end = panel_from(f, pi, beyond);
        add_panel(w, f, end);
        f = end;
    }
}

caromImmersed carom_patch_torus_below(double ring_radius, double tube_radius, const caromSurface *plane)
{
    caromImmersed out = { 0 };
    double c = hypot(plane->down.x, plane->down.y), ux = c > 0.0 ? plane->down.x/c : 1.0,
           uy = c > 0.0 ? plane->down.y/c : 0.0;
    TorusWork w = { .R = ring_radius, .r = tube_radius, .c = c, .n = plane->down.z,
                    .depth = plane->offset + c*ring_radius + tube_radius };
    if (!(w.depth > 0.0)) return out;
    double whole = 0.0;
    if (value_at(&w, 0.0, w.r) > 0.0) {
        whole = value_at(&w, pi, w.r) > 0.0 ? pi : zero_of(&w, w.r);
        add_panel(&w, 0.0, 0.5*whole);
        add_panel(&w, 0.5*whole, whole);
    }
    if (low_at(&w, pi) > 0.0) add_all_around(&w, whole);
    else add_to_zero(&w, whole, zero_of(&w, 0.0));
    out.depth = w.depth;
    carom_patch_immersed_in_plane(&w.sums, (caromLowest){ w.R + w.r*c, w.r*w.n, ux, uy }, plane, &out);
    return out;
}
