// Depths inside a shape without creases (soft.h).
#include "patch/soft.h"

#include "geometry/geometry.h"
#include "narrow/closed.h"
#include "patch/scales.h"

caromSoftField carom_field_soft_of(const caromShape *shape)
{
    if (shape->kind == CAROM_TORUS)
        return (caromSoftField){ .is_torus = true, .ring = shape->size.x, .radius = shape->size.y };
    caromCore core = carom_shape_core(shape);
    bool has_side = core.kind == CAROM_CORE_FRUSTUM && core.z1 > core.z0;
    double slope = has_side ? (core.r1 - core.r0)/(core.z1 - core.z0) : 0.0;
    return (caromSoftField){ .radius = core.radius, .core = core, .slope = slope,
                             .cosine = 1.0/sqrt(1.0 + slope*slope),
                             .side = has_side ? hypot(core.r1 - core.r0, core.z1 - core.z0) : 0.0 };
}

// Faces met so far: sums of 1/D_i^2 and of grad D_i/D_i^3.
typedef struct SoftSum {
    double squares;
    caromVec3 cubes;
} SoftSum;

// On a face, but for rounding, it is the only one.
static void add_face(SoftSum *s, double depth, caromVec3 gradient)
{
    double inverse = 1.0/fmax(depth, CAROM_PATCH_ON_FACE), square = inverse*inverse;
    s->squares += square;
    s->cubes = carom_axpy(square*inverse, gradient, s->cubes);
}

static double soft_depth(const SoftSum *s, caromVec3 *gradient)
{
    double depth = 1.0/sqrt(s->squares);
    *gradient = carom_scale(depth*depth*depth, s->cubes);
    return depth;
}

static double box_depth(const caromCore *c, caromVec3 p, caromVec3 *gradient)
{
    SoftSum s = { 0 };
    add_face(&s, (c->h.x - p.x)*(c->h.x + p.x)/(2.0*c->h.x), carom_vec(-p.x/c->h.x, 0, 0));
    add_face(&s, (c->h.y - p.y)*(c->h.y + p.y)/(2.0*c->h.y), carom_vec(0, -p.y/c->h.y, 0));
    add_face(&s, (c->h.z - p.z)*(c->h.z + p.z)/(2.0*c->h.z), carom_vec(0, 0, -p.z/c->h.z));
    return soft_depth(&s, gradient);
}

// D = (1 - F)/|grad F| with F = sum (x/a)^2. It has no direction in the middle. Outside it is at most the distance d,
// since F is convex: 1 >= F + grad F.(q - p) >= F - |grad F| d for the nearest point q of the surface.
static double ellipsoid_depth(const caromCore *c, caromVec3 p, caromVec3 *gradient)
{
    double xx = c->h.x*c->h.x, yy = c->h.y*c->h.y, zz = c->h.z*c->h.z;
    caromVec3 half = carom_vec(p.x/xx, p.y/yy, p.z/zz);               // grad F/2
    caromVec3 turn = carom_vec(half.x/xx, half.y/yy, half.z/zz);      // grad |grad F|^2/8
    double size = carom_norm(half), rest = 0.5*(1.0 - carom_dot(p, half))/fmax(size, CAROM_PATCH_TINY);
    caromVec3 sum = carom_axpy(rest/fmax(size, CAROM_PATCH_TINY), turn, half);
    *gradient = carom_scale(-1.0/fmax(size, CAROM_PATCH_TINY), sum);
    return rest;
}

static double hull_depth(const caromHull *hull, caromVec3 p, caromVec3 *gradient)
{
    SoftSum s = { 0 };
    for (int f = 0; f < hull->nface; f++)
        add_face(&s, hull->offsets[f] - carom_dot(hull->normals[f], p), carom_neg(hull->normals[f]));
    return soft_depth(&s, gradient);
}

// R at the height of p; a tip is no face.
static double frustum_depth(const caromSoftField *f, caromVec3 p, caromVec3 *gradient)
{
    const caromCore *c = &f->core;
    double cosine = f->cosine, R = c->r0 + f->slope*(p.z - c->z0), rho2 = p.x*p.x + p.y*p.y, rho = sqrt(rho2),
           part = rho2/(R*R);
    SoftSum s = { 0 };
    add_face(&s, 0.5*cosine*(R - rho)*(R + rho)/R,
             carom_vec(-cosine*p.x/R, -cosine*p.y/R, 0.5*cosine*f->slope*(1.0 + part)));
    if (c->r0 > 0.0) add_face(&s, p.z - c->z0, carom_vec(0, 0, 1));
    if (c->r1 > 0.0) add_face(&s, c->z1 - p.z, carom_vec(0, 0, -1));
    return soft_depth(&s, gradient);
}

static double torus_depth(const caromSoftField *f, caromVec3 p, caromVec3 *gradient)
{
    double rho = sqrt(p.x*p.x + p.y*p.y), cx = rho > 0.0 ? p.x/rho : 1.0, cy = rho > 0.0 ? p.y/rho : 0.0,
           out = rho - f->ring, q = sqrt(out*out + p.z*p.z), inverse = q > 0.0 ? 1.0/q : 0.0;
    *gradient = carom_scale(-inverse, carom_vec(out*cx, out*cy, p.z));
    return f->radius - q;
}

static bool is_in_frustum(const caromSoftField *f, caromVec3 p)
{
    const caromCore *c = &f->core;
    double R = c->r0 + f->slope*(p.z - c->z0);
    return p.z > c->z0 && p.z < c->z1 && p.x*p.x + p.y*p.y < R*R;
}

// Distance from outside, to the bottom, the top, the side or a rim, without what queries need beyond it.
static double frustum_distance(const caromSoftField *f, caromVec3 p, caromVec3 *gradient)
{
    const caromCore *c = &f->core;
    double rho = sqrt(p.x*p.x + p.y*p.y), cosine = f->cosine, sine = f->slope*cosine, x = rho - c->r0, z = p.z - c->z0,
           along = x*sine + z*cosine, out = cosine, up = -sine, distance = x*cosine - z*sine;
    if (p.z <= c->z0 && rho <= c->r0) out = 0.0, up = -1.0, distance = -z;
    else if (p.z >= c->z1 && rho <= c->r1) out = 0.0, up = 1.0, distance = p.z - c->z1;
    else if (!(along > 0.0 && along < f->side)) {
        double dr = along > 0.0 ? rho - c->r1 : x, dz = along > 0.0 ? p.z - c->z1 : z;
        distance = sqrt(dr*dr + dz*dz);
        if (distance > 0.0) out = dr/distance, up = dz/distance;
    }
    double inverse = rho > 0.0 ? 1.0/rho : 0.0;
    *gradient = carom_vec(-out*p.x*inverse, -out*p.y*inverse, -up);
    return distance;
}

double carom_field_soft_depth(const caromSoftField *f, caromVec3 p, caromVec3 *gradient)
{
    if (f->is_torus) return torus_depth(f, p, gradient);
    if (f->core.kind == CAROM_CORE_ELLIPSOID) return f->radius + ellipsoid_depth(&f->core, p, gradient);
    if (f->side > 0.0)
        return f->radius + (is_in_frustum(f, p) ? frustum_depth(f, p, gradient) : -frustum_distance(f, p, gradient));
    caromVec3 on, n;
    double distance = carom_convex_core_point(&f->core, p, &on, &n);
    if (!(distance < 0.0)) return *gradient = carom_neg(n), f->radius - distance;
    switch (f->core.kind) {
    case CAROM_CORE_BOX: return f->radius + box_depth(&f->core, p, gradient);
    default: return f->radius + hull_depth(f->core.hull, p, gradient);
    }
}
