// Determinants in plain doubles with a bound of their error; where that leaves the sign open, as sums of doubles that
// are added without error [Shewchuk97].
#include "geometry/exact.h"

#include <float.h>

static const double u = 0.5*DBL_EPSILON;  // of a rounding

// Parts that do not overlap, the smallest first, none of them 0: the sign is that of the last.
typedef struct Sum {
    double part[200];  // a determinant of differences has 6*8*4 terms at most
    int n;
} Sum;

// x + y = sum + lost, without error.
static double two_sum(double x, double y, double *lost)
{
    double sum = x + y, y_seen = sum - x;
    *lost = (x - (sum - y_seen)) + (y - y_seen);
    return sum;
}

static double two_product(double x, double y, double *lost)
{
    double product = x*y;
    *lost = fma(x, y, -product);
    return product;
}

static void add_term(Sum *s, double x)
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        double lost;
        x = two_sum(x, s->part[i], &lost);
        if (lost != 0.0) s->part[n++] = lost;
    }
    if (x != 0.0) s->part[n++] = x;
    s->n = n;
}

static int sign_of(const Sum *s)
{
    return s->n == 0 ? 0 : s->part[s->n - 1] > 0.0 ? 1 : -1;
}

// A difference as two doubles.
typedef struct Two { double high, low; } Two;

static Two difference(double x, double y)
{
    Two d;
    d.high = two_sum(x, -y, &d.low);
    return d;
}

static void add_product(Sum *s, double x, double y, double z)
{
    double lost, lost_of_lost, product = two_product(x, y, &lost), rest;
    product = two_product(product, z, &rest);
    lost = two_product(lost, z, &lost_of_lost);
    if (lost_of_lost != 0.0) add_term(s, lost_of_lost);
    if (lost != 0.0) add_term(s, lost);
    if (rest != 0.0) add_term(s, rest);
    if (product != 0.0) add_term(s, product);
}

static void add_product_of_differences(Sum *s, double sign, Two x, Two y, Two z)
{
    const double xs[2] = { sign*x.low, sign*x.high }, ys[2] = { y.low, y.high }, zs[2] = { z.low, z.high };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                if (xs[i] != 0.0 && ys[j] != 0.0 && zs[k] != 0.0) add_product(s, xs[i], ys[j], zs[k]);
}

static int exact_side(caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 d)
{
    const Two bx = difference(b.x, a.x), by = difference(b.y, a.y), bz = difference(b.z, a.z);
    const Two cx = difference(c.x, a.x), cy = difference(c.y, a.y), cz = difference(c.z, a.z);
    const Two dx = difference(d.x, a.x), dy = difference(d.y, a.y), dz = difference(d.z, a.z);
    Sum s = { .n = 0 };
    add_product_of_differences(&s, 1.0, by, cz, dx);
    add_product_of_differences(&s, -1.0, bz, cy, dx);
    add_product_of_differences(&s, 1.0, bz, cx, dy);
    add_product_of_differences(&s, -1.0, bx, cz, dy);
    add_product_of_differences(&s, 1.0, bx, cy, dz);
    add_product_of_differences(&s, -1.0, by, cx, dz);
    return sign_of(&s);
}

// A product of three differences has three relative errors u from them and two from the products; sums add three more:
// 8 u of the sum of the sizes.
int carom_geometry_side_of_plane(caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 d)
{
    caromVec3 ab = carom_sub(b, a), ac = carom_sub(c, a), ad = carom_sub(d, a);
    double p = ab.y*ac.z, q = ab.z*ac.y, r = ab.z*ac.x, s = ab.x*ac.z, v = ab.x*ac.y, w = ab.y*ac.x;
    double value = (p - q)*ad.x + (r - s)*ad.y + (v - w)*ad.z;
    double size = (fabs(p) + fabs(q))*fabs(ad.x) + (fabs(r) + fabs(s))*fabs(ad.y) + (fabs(v) + fabs(w))*fabs(ad.z);
    if (fabs(value) > 10.0*u*size) return value > 0.0 ? 1 : -1;
    return exact_side(a, b, c, d);
}

static int exact_turn(const double a[2], const double b[2], const double c[2])
{
    const Two one = { 1.0, 0.0 };
    Sum s = { .n = 0 };
    add_product_of_differences(&s, 1.0, difference(b[0], a[0]), difference(c[1], a[1]), one);
    add_product_of_differences(&s, -1.0, difference(b[1], a[1]), difference(c[0], a[0]), one);
    return sign_of(&s);
}

static void flatten(caromVec3 p, int axis, double flat[2])
{
    flat[0] = carom_at(p, (axis + 1)%3);
    flat[1] = carom_at(p, (axis + 2)%3);
}

int carom_geometry_turn_in_plane(caromVec3 a, caromVec3 b, caromVec3 c, int axis)
{
    double p[2], q[2], r[2];
    flatten(a, axis, p);
    flatten(b, axis, q);
    flatten(c, axis, r);
    double left = (q[0] - p[0])*(r[1] - p[1]), right = (q[1] - p[1])*(r[0] - p[0]), value = left - right;
    if (fabs(value) > 5.0*u*(fabs(left) + fabs(right))) return value > 0.0 ? 1 : -1;
    return exact_turn(p, q, r);
}
