// The surface between two depth fields by brute force, in long double: every pair of faces, cut by all others. Slow,
// and written to be believed.
#ifndef CAROM_TESTS_PATCH_REFERENCE_H
#define CAROM_TESTS_PATCH_REFERENCE_H

#include "geometry/geometry.h"
#include "patch/fields.h"

enum { REFERENCE_FACES = 128, REFERENCE_CORNERS = 2*REFERENCE_FACES + 8 };

typedef struct Real3 {
    long double x, y, z;
} Real3;

typedef struct RealPlane {  // n.x + b
    Real3 n;
    long double b;
} RealPlane;

typedef struct Reference {
    int polygons;
    double weight, spread;   // integrals of pressure, and of pressure times the distance from the given point squared
    caromVec3 force, torque; // on B; about the given point
} Reference;

static inline Real3 real3(caromVec3 a) { return (Real3){ a.x, a.y, a.z }; }
static inline caromVec3 rounded3(Real3 a) { return carom_vec((double)a.x, (double)a.y, (double)a.z); }
static inline long double real_dot(Real3 a, Real3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline Real3 real_axpy(long double s, Real3 a, Real3 b)
{
    return (Real3){ s*a.x + b.x, s*a.y + b.y, s*a.z + b.z };
}
static inline Real3 real_cross(Real3 a, Real3 b)
{
    return (Real3){ a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x };
}
static inline Real3 real_unit(Real3 a) { return real_axpy(1.0L/sqrtl(real_dot(a, a)) - 1.0L, a, a); }
static inline long double real_at(RealPlane p, Real3 x) { return real_dot(p.n, x) + p.b; }

static inline RealPlane reference_pressure(caromPose X, caromVec3 n_S, double offset, long double k, Real3 about)
{
    Real3 n = real_axpy(n_S.x, real3(X.R.cx),
                        real_axpy(n_S.y, real3(X.R.cy), real_axpy(n_S.z, real3(X.R.cz), (Real3){ 0, 0, 0 })));
    Real3 p = real_axpy(-1.0L, about, real3(X.p));
    return (RealPlane){ { -k*n.x, -k*n.y, -k*n.z }, k*(offset + real_dot(n, p)) };
}

static inline int reference_faces(const caromShape *s, caromPose X, long double k, Real3 about, RealPlane *out)
{
    const caromVec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    if (s->kind == CAROM_HALF_SPACE) out[0] = reference_pressure(X, axes[2], 0, k, about);
    if (s->kind == CAROM_HALF_SPACE) return 1;
    if (s->kind == CAROM_POLYTOPE) {
        for (int i = 0; i < s->hull->nface; i++)
            out[i] = reference_pressure(X, s->hull->normals[i], s->hull->offsets[i], k, about);
        return s->hull->nface;
    }
    for (int i = 0; i < 6; i++)
        out[i] = reference_pressure(X, carom_scale(i % 2 ? -1 : 1, axes[i/2]), 0.5*carom_at(s->size, i/2), k, about);
    return 6;
}

static inline int reference_cut(int n, Real3 *x, RealPlane p)
{
    Real3 out[REFERENCE_CORNERS];
    int m = 0;
    for (int k = 0; k < n; k++) {
        Real3 a = x[k], b = x[(k + 1) % n];
        long double at_a = real_at(p, a), at_b = real_at(p, b);
        if (at_a >= 0) out[m++] = a;
        if ((at_a >= 0) != (at_b >= 0)) out[m++] = real_axpy(at_a/(at_a - at_b), real_axpy(-1.0L, a, b), a);
    }
    for (int k = 0; k < m; k++) x[k] = out[k];
    return m;
}

// A large square in the plane, counter-clockwise about its normal.
static inline void reference_square(RealPlane p, long double half, Real3 *x)
{
    Real3 n = real_unit(p.n), t = real_unit(real_cross(n, fabsl(n.x) < 0.7L ? (Real3){ 1, 0, 0 } : (Real3){ 0, 1, 0 })),
          s = real_cross(n, t), o = { 0, 0, 0 };
    o = real_axpy(-p.b/real_dot(p.n, p.n), p.n, o);
    for (int k = 0; k < 4; k++)
        x[k] = real_axpy(k == 1 || k == 2 ? half : -half, t, real_axpy(k > 1 ? half : -half, s, o));
}

// Of softer a and stiffer b; coordinates and torque about a point near both.
static inline Reference patch_reference(const caromShape *a, caromPose Xa, const caromShape *b, caromPose Xb,
                                        caromVec3 point, double half)
{
    RealPlane f[2*REFERENCE_FACES];
    Real3 about = real3(point), force = { 0, 0, 0 }, torque = { 0, 0, 0 };
    long double weight = 0, spread = 0;
    int na = reference_faces(a, Xa, 1.0L + 1.0L/1.3L, about, f), n = na + reference_faces(b, Xb, 2.3L, about, &f[na]),
        polygons = 0;
    for (int i = 0; i < na; i++) for (int j = na; j < n; j++) {
        RealPlane plane = { real_axpy(-1.0L, f[i].n, f[j].n), f[j].b - f[i].b };
        Real3 x[REFERENCE_CORNERS];
        int m = 4;
        reference_square(plane, half, x);
        m = reference_cut(m, x, f[i]);
        for (int k = 0; k < n && m > 2; k++) {
            if (k != i && k != j)
                m = reference_cut(m, x, (RealPlane){ real_axpy(-1.0L, f[i].n, f[k].n), f[k].b - f[i].b });
        }
        if (m < 3) continue;
        polygons++;
        // int p = A/3 Sp, int p x = A/12 (Sp Sx + S(p x)), int p x.x = A/60 (Sp (Sx.Sx + S(x.x)) + 2
        // S(p x).Sx + 2 S(p x.x))
        for (int k = 1; k + 1 < m; k++) {
            Real3 u = real_axpy(-1.0L, x[0], x[k]), v = real_axpy(-1.0L, x[0], x[k + 1]), twice = real_cross(u, v);
            long double p[3] = { real_at(f[i], x[0]), real_at(f[i], x[k]), real_at(f[i], x[k + 1]) },
                        sp = p[0] + p[1] + p[2];
            Real3 px = real_axpy((sp + p[0])/24, x[0],
                                 real_axpy((sp + p[1])/24, x[k],
                                           real_axpy((sp + p[2])/24, x[k + 1], (Real3){ 0, 0, 0 })));
            force = real_axpy(sp/6, twice, force);
            torque = real_axpy(1, real_cross(px, twice), torque);
            const Real3 c[3] = { x[0], x[k], x[k + 1] };
            Real3 sx = { 0, 0, 0 }, spx = { 0, 0, 0 };
            long double sxx = 0, spxx = 0, area = sqrtl(real_dot(twice, twice))/2;
            for (int l = 0; l < 3; l++) {
                sx = real_axpy(1, c[l], sx);
                spx = real_axpy(p[l], c[l], spx);
                sxx += real_dot(c[l], c[l]);
                spxx += p[l]*real_dot(c[l], c[l]);
            }
            weight += area/3*sp;
            spread += area/60*(sp*(real_dot(sx, sx) + sxx) + 2*real_dot(spx, sx) + 2*spxx);
        }
    }
    return (Reference){ polygons, (double)weight, (double)spread, rounded3(force), rounded3(torque) };
}

#endif
