// First hit of a ray. Everything is done in the shape's frame S with a unit direction u and the length s = t |d|
// along it; a start outside the bounding sphere is first moved to it, so that roots are differences of lengths of
// the size of the shape.
#include "collide/scales.h"
#include "meshgap/meshgap.h"
#include "narrow/closed.h"

typedef struct Ray {
    caromVec3 p, u;  // in S; u unit
} Ray;

typedef struct RayEntry {
    bool hit;
    double s;
    caromVec3 n;  // outer unit normal, in S
} RayEntry;

static const RayEntry miss = { false, 0.0, { 0, 0, 1 } };

static caromVec3 along(const Ray *ray, double s)
{
    return carom_axpy(s, ray->u, ray->p);
}

// The smallest positive root of A s^2 + 2 B s + C with C > 0, or infinity: without cancellation, and right for A <= 0
// too, where there is just one.
static double first_root(double A, double B, double C)
{
    double disc = B*B - A*C, below = -B + sqrt(disc);
    return disc >= 0.0 && below > 0.0 ? C/below : (double)INFINITY;
}

static RayEntry into_half_space(const Ray *ray)
{
    if (!(ray->u.z < 0.0)) return miss;
    return (RayEntry){ true, -ray->p.z/ray->u.z, { 0, 0, 1 } };
}

// Into the sphere |p - centre| = radius from outside, in coordinates divided by e: an ellipsoid with semi-axes e
// radius.
static RayEntry into_ellipsoid(const Ray *ray, caromVec3 centre, caromVec3 e, double radius)
{
    caromVec3 d = carom_sub(ray->p, centre), q = carom_vec(d.x/e.x, d.y/e.y, d.z/e.z),
              w = carom_vec(ray->u.x/e.x, ray->u.y/e.y, ray->u.z/e.z);
    double A = carom_norm2(w), B = carom_dot(q, w), C = carom_norm2(q) - radius*radius;
    if (!(B < 0.0)) return miss;
    // B^2 - A C = A (radius^2 - |closest point|^2): the closest point has no cancellation of large squares
    double disc = A*(radius*radius - carom_norm2(carom_axpy(-B/A, w, q)));
    if (!(disc >= 0.0)) return miss;
    RayEntry entry = { true, fmax(0.0, C)/(-B + sqrt(disc)), { 0, 0, 1 } };
    caromVec3 x = carom_axpy(entry.s, w, q);
    carom_narrow_split(carom_vec(x.x/e.x, x.y/e.y, x.z/e.z), entry.n, &entry.n);
    return entry;
}

static RayEntry into_ball(const Ray *ray, caromVec3 centre, double radius)
{
    return into_ellipsoid(ray, centre, carom_vec(1, 1, 1), radius);
}

// The part of the ray between two parallel planes -h <= x <= h about an axis.
typedef struct RaySpan {
    double from, to;
    caromVec3 n;  // of the plane it enters by
} RaySpan;

static void clip_plane(RaySpan *span, caromVec3 n, double height, double slope)  // n.p - b at the start, n.u
{
    double s = -height/slope;
    if (slope < 0.0) {
        if (s > span->from) span->from = s, span->n = n;
    } else if (slope > 0.0) span->to = fmin(span->to, s);
    else if (height > 0.0) span->to = -(double)INFINITY;
}

static RayEntry entry_of(const RaySpan *span)
{
    return span->from <= span->to ? (RayEntry){ true, span->from, span->n } : miss;
}

static RaySpan whole_ray(const Ray *ray)
{
    return (RaySpan){ 0.0, (double)INFINITY, carom_neg(ray->u) };
}

static RayEntry into_box(const Ray *ray, caromVec3 h)
{
    RaySpan span = whole_ray(ray);
    for (int i = 0; i < 3; i++) {
        caromVec3 n = { i == 0, i == 1, i == 2 };
        double p = carom_at(ray->p, i), u = carom_at(ray->u, i), hi = carom_at(h, i);
        clip_plane(&span, n, p - hi, u);
        clip_plane(&span, carom_neg(n), -p - hi, -u);
    }
    return entry_of(&span);
}

static RayEntry into_hull(const Ray *ray, const caromHull *hull)
{
    RaySpan span = whole_ray(ray);
    for (int f = 0; f < hull->nface && span.from <= span.to; f++) {
        caromVec3 n = hull->normals[f];
        clip_plane(&span, n, carom_dot(n, ray->p) - hull->offsets[f], carom_dot(n, ray->u));
    }
    return entry_of(&span);
}

static double frustum_slope(const caromCore *c)  // of the radius over z
{
    return c->z1 > c->z0 ? (c->r1 - c->r0)/(c->z1 - c->z0) : 0.0;
}

static double frustum_radius(const caromCore *c, double z)  // from the nearer rim, where it is exact
{
    double k = frustum_slope(c);
    return fmax(0.0, fabs(z - c->z1) < fabs(z - c->z0) ? c->r1 + k*(z - c->z1) : c->r0 + k*(z - c->z0));
}

// Squares of lengths near a tip have lost half of their digits: Newton steps on rho - r(z), which is convex along the
// ray.
static bool polish_side(const Ray *ray, const caromCore *c, double *s)
{
    double k = frustum_slope(c), little = 4.0*DBL_EPSILON*(fmax(c->r0, c->r1) + fabs(c->z0) + fabs(c->z1));
    for (int i = 0; i < 40; i++) {
        caromVec3 x = along(ray, *s), u = ray->u;
        double rho = hypot(x.x, x.y), g = rho - frustum_radius(c, x.z),
               slope = (rho > 0.0 ? (x.x*u.x + x.y*u.y)/rho : 0.0) - k*u.z;
        if (fabs(g) <= little) return true;
        if (slope >= 0.0) return g < 0.0;
        *s -= g/slope;
    }
    return true;
}

// Between the planes of bottom and top, rho^2 - r(z)^2 <= 0 is one interval of the ray, r being >= 0 there.
static RayEntry into_frustum(const Ray *ray, const caromCore *c)
{
    RaySpan span = whole_ray(ray);
    clip_plane(&span, carom_vec(0, 0, -1), c->z0 - ray->p.z, -ray->u.z);
    clip_plane(&span, carom_vec(0, 0, 1), ray->p.z - c->z1, ray->u.z);
    if (!(span.from <= span.to)) return miss;
    caromVec3 p = along(ray, span.from), u = ray->u, n;
    double k = frustum_slope(c), r = frustum_radius(c, p.z), rho = hypot(p.x, p.y), C = (rho - r)*(rho + r);
    if (C <= 0.0) return (RayEntry){ true, span.from, span.n };
    double s = span.from + first_root(u.x*u.x + u.y*u.y - k*k*u.z*u.z, p.x*u.x + p.y*u.y - r*k*u.z, C);
    if (!isfinite(s) || s > span.to || !polish_side(ray, c, &s)) return miss;
    caromVec3 x = along(ray, s);
    carom_narrow_split(carom_vec(x.x, x.y, -k*hypot(x.x, x.y)), carom_vec(0, 0, k < 0.0 ? 1.0 : -1.0), &n);
    return (RayEntry){ true, s, n };
}

// Into the endless cylinder about the segment, or into the ball at the end that this is beyond.
static RayEntry into_capsule(const Ray *ray, double half, double radius)
{
    caromVec3 p = ray->p, u = ray->u;
    double rho = hypot(p.x, p.y), C = (rho - radius)*(rho + radius),
           s = C > 0.0 ? first_root(u.x*u.x + u.y*u.y, p.x*u.x + p.y*u.y, C) : 0.0;
    if (!isfinite(s)) return miss;
    caromVec3 x = along(ray, s);
    if (fabs(x.z) > half || C <= 0.0) return into_ball(ray, carom_vec(0, 0, x.z < 0.0 ? -half : half), radius);
    RayEntry entry = { true, s, { 0, 0, 1 } };
    carom_narrow_split(carom_vec(x.x, x.y, 0), entry.n, &entry.n);
    return entry;
}

// The signed distance along a ray is convex: Newton steps from outside never pass the root, and where it does not fall
// any more nothing follows. Where the ray grazes they halve the distance each time.
static RayEntry into_rounded(const Ray *ray, const caromCore *core, double size)
{
    double s = 0.0, little = 4.0*DBL_EPSILON*size;
    for (int i = 0; i < 200; i++) {
        caromVec3 on, n;
        double g = carom_convex_core_point(core, along(ray, s), &on, &n) - core->radius, slope = carom_dot(n, ray->u);
        if (g <= little) return (RayEntry){ true, s, n };
        if (slope >= 0.0) return miss;
        double step = -g/slope;
        if (s + step == s) return (RayEntry){ true, s, n };
        s += step;
        if (s > 4.0*size) return miss;
    }
    return miss;
}

// Torus: H = (rho - R)^2 + z^2 - r^2 along the ray. rho is convex there and below its chord, rho^2 + z^2 has curvature
// 2, so that H >= its chord - x (w - x) on an interval of width w, and H'' <= 2.
typedef struct Height {
    double s, H, slope;
} Height;

static Height torus_height(const Ray *ray, double R, double r, double s)
{
    caromVec3 q = along(ray, s);
    double rho = hypot(q.x, q.y), F = hypot(rho - R, q.z), k = rho > 0.0 ? 1.0 - R/rho : 0.0;
    return (Height){ s, (F - r)*(F + r), 2.0*(k*(q.x*ray->u.x + q.y*ray->u.y) + q.z*ray->u.z) };
}

static double lowest_between(const Height *a, const Height *b)
{
    double w = b->s - a->s, rise = (b->H - a->H)/w, x = 0.5*(w - rise);
    return x > 0.0 && x < w ? a->H + x*(rise - (w - x)) : fmin(a->H, b->H);
}

// H falls from a (> 0) to b (<= 0): Newton, halving where that leaves the bracket.
static double torus_root(const Ray *ray, double R, double r, Height a, Height b)
{
    Height at = b;
    for (int i = 0; i < 100; i++) {
        double s = at.s - at.H/at.slope;
        if (!(s > a.s && s < b.s)) s = 0.5*(a.s + b.s);
        if (fabs(s - at.s) <= 2.0*DBL_EPSILON*(fabs(s) + r) || !(s > a.s && s < b.s)) return s;
        at = torus_height(ray, R, r, s);
        if (at.H > 0.0) a = at;
        else b = at;
    }
    return at.s;
}

static RayEntry torus_entry(const Ray *ray, double R, double s)
{
    caromVec3 q = along(ray, s), n;
    double rho = hypot(q.x, q.y), k = rho > 0.0 ? 1.0 - R/rho : 0.0;
    carom_narrow_split(carom_vec(k*q.x, k*q.y, q.z), carom_neg(ray->u), &n);
    return (RayEntry){ true, s, n };
}

// From the left: an interval that cannot hold a root is passed; one where H falls throughout holds one; others are
// halved. Intervals still to come are on a stack of their right ends.
static RayEntry into_torus(const Ray *ray, double R, double r)
{
    enum { DEPTH = 64 };
    RaySpan span = whole_ray(ray);
    clip_plane(&span, carom_vec(0, 0, -1), -r - ray->p.z, -ray->u.z);
    clip_plane(&span, carom_vec(0, 0, 1), ray->p.z - r, ray->u.z);
    span.to = fmin(span.to, span.from + 2.1*(R + r));
    if (!(span.from <= span.to)) return miss;
    Height stack[DEPTH], a = torus_height(ray, R, r, span.from);
    int n = 1;
    stack[0] = torus_height(ray, R, r, span.to);
    double narrow = 4.0*DBL_EPSILON*(R + r);
    while (n > 0) {
        Height b = stack[n - 1];
        double w = b.s - a.s;
        if (a.H <= 0.0) return torus_entry(ray, R, a.s);
        if (w <= narrow || (lowest_between(&a, &b) > 0.0 && b.H > 0.0)) {
            a = b;
            n--;
        } else if (b.H <= 0.0 && a.slope + 2.0*w < 0.0) return torus_entry(ray, R, torus_root(ray, R, r, a, b));
        else {
            Height middle = torus_height(ray, R, r, a.s + 0.5*w);
            if (middle.H <= 0.0) stack[n - 1] = middle;
            else if (n < DEPTH) stack[n++] = middle;
            else a = middle;
        }
    }
    return a.H <= 0.0 ? torus_entry(ray, R, a.s) : miss;
}

static RayEntry into_core(const Ray *ray, const caromCore *core, double size)
{
    bool is_sharp = core->radius == 0.0, is_box = core->kind == CAROM_CORE_BOX;
    if (core->kind == CAROM_CORE_ELLIPSOID && is_sharp) return into_ellipsoid(ray, carom_vec(0, 0, 0), core->h, 1.0);
    if (is_box && is_sharp) return into_box(ray, core->h);
    if (is_box && core->h.x == 0.0 && core->h.y == 0.0) return into_capsule(ray, core->h.z, core->radius);
    if (core->kind == CAROM_CORE_FRUSTUM && is_sharp) return into_frustum(ray, core);
    if (core->kind == CAROM_CORE_HULL && is_sharp) return into_hull(ray, core->hull);
    return into_rounded(ray, core, size);
}

static RayEntry into_mesh(const Ray *ray, const caromMesh *mesh)
{
    RayEntry entry = miss;
    entry.hit = carom_meshgap_ray(mesh, ray->p, ray->u, &entry.s, &entry.n) >= 0;
    return entry;
}

// Moves the start to the sphere about So that holds the shape: how far, or infinity when the ray does not meet it.
static double move_to_sphere(Ray *ray, double radius)
{
    if (carom_norm2(ray->p) <= radius*radius) return 0.0;
    double back = carom_dot(ray->p, ray->u);
    caromVec3 closest = carom_axpy(-back, ray->u, ray->p);
    double left = radius*radius - carom_norm2(closest);
    if (back >= 0.0 || left < 0.0) return (double)INFINITY;
    double half = sqrt(left);
    ray->p = carom_axpy(-half, ray->u, closest);
    return -back - half;
}

// First entry from outside, s from the start of the ray.
static RayEntry first_entry(const caromShape *a, Ray ray)
{
    if (a->kind == CAROM_HALF_SPACE) return into_half_space(&ray);
    double size = carom_shape_radius(*a), moved = move_to_sphere(&ray, size*(1.0 + CAROM_COLLIDE_AROUND));
    if (!isfinite(moved)) return miss;
    RayEntry entry;
    if (a->kind == CAROM_MESH) entry = into_mesh(&ray, a->mesh);
    else if (a->kind == CAROM_TORUS) entry = into_torus(&ray, a->size.x, a->size.y);
    else {
        caromCore core = carom_shape_core(a);
        entry = into_core(&ray, &core, size);
    }
    entry.s += moved;
    return entry;
}

caromRayHit carom_collide_ray(caromShape a, caromPose X_WA, caromVec3 p_W, caromVec3 d_W, double t_max)
{
    caromRayHit none = { .t = (double)INFINITY, .p_W = p_W, .n_W = { 0, 0, 1 } };
    caromVec3 u_W;
    double length = carom_narrow_split(d_W, carom_vec(0, 0, 1), &u_W);
    bool is_usable = carom_narrow_is_placed(&a, &X_WA) && carom_is_finite3(p_W) && carom_is_finite3(d_W);
    if (!is_usable || !(length > 0.0) || !(t_max >= 0.0)) return none;
    Ray ray = { carom_pose_inverse_point(X_WA, p_W), carom_tmul(X_WA.R, u_W) };
    double size = carom_shape_radius(a);
    if (a.kind == CAROM_HALF_SPACE || carom_norm2(ray.p) <= size*size) {
        caromGap start = carom_collide_point(a, X_WA, p_W);
        if (start.g < 0.0) return (caromRayHit){ true, true, 0.0, p_W, carom_neg(u_W) };
        if (start.g == 0.0) return (caromRayHit){ true, false, 0.0, p_W, start.n_AB };
    }
    RayEntry entry = first_entry(&a, ray);
    double t = entry.s/length;
    if (!entry.hit || !(t <= t_max)) return none;
    return (caromRayHit){ true, false, t, carom_axpy(t, d_W, p_W), carom_mul(X_WA.R, entry.n) };
}
