// Signed distances of points and gaps to half-spaces, against slow references.
#include "carom/collide.h"

#include <float.h>

#include "check.h"
#include "narrow/closed.h"
#include "collide_fixture.h"

typedef long double Long;

// sd = max over unit d of (d.p - h(d)): the answer must reach that with its own normal, and no other direction may
// exceed it. Directions close to n find a maximum that was missed narrowly, random ones a wrong branch. h is the core's
// support function, tested by itself.
static void check_is_the_maximum(const caromCore *core, caromVec3 p, double size, Random *r)
{
    caromVec3 on, n;
    double sd = carom_convex_core_point(core, p, &on, &n), tol = carom_narrow_roundings(size + carom_norm(p));
    CHECK_NEAR(carom_norm(n), 1.0, 4*DBL_EPSILON);
    CHECK_NEAR(carom_dot(n, p) - carom_shape_core_extent(core, n), sd, tol);
    CHECK_VEC(carom_axpy(sd, n, on), p, tol);
    for (int i = 0; i < 12; i++) {
        caromVec3 d = random_vec(r, 1.0);
        if (i >= 6) d = carom_axpy(pow(10, random_uniform(r, -7, -1)), d, n);
        if (carom_norm(d) == 0.0) continue;
        d = carom_scale(1.0/carom_norm(d), d);
        CHECK(carom_dot(d, p) - carom_shape_core_extent(core, d) <= sd + tol);
    }
}

// A point anywhere, or where it is awkward: centre, axes, planes, corners and rims, on the surface, far away, next to
// those.
static caromVec3 awkward_point(Random *r, const caromCore *core, double size)
{
    caromVec3 p = random_vec(r, 1.5*size);
    int what = (int)random_uniform(r, 0, 9);
    if (what == 0) p.x = 0.0;
    if (what == 1) p.y = p.z = 0.0;
    if (what == 2) p.x = p.y = 0.0;
    if (what == 3) p = carom_vec(0, 0, 0);
    if (what == 4) p = carom_shape_core_support(core, p);
    if (what == 5) p = carom_scale(random_uniform(r, 0, 1), carom_shape_core_support(core, p));
    if (what == 6) p = carom_scale(pow(10, random_uniform(r, 0, 8)), p);
    if (what == 7)
        p = carom_axpy(pow(10, random_uniform(r, -17, -3)), random_vec(r, size), carom_shape_core_support(core, p));
    return p;
}

static void distances_are_maxima_over_directions(void **state)
{
    (void)state;
    Random r = { 7 };
    for (int i = 0; i < 40000; i++) {
        caromHull *hull = i % 40 == 0 ? random_hull(&r, 0.0) : NULL;
        caromShape a = hull ? carom_shape_polytope(hull) : random_convex(&r);
        caromCore core = carom_shape_core(&a);
        if (i % 11 == 0 && core.kind == CAROM_CORE_BOX) core.h.x = 0.0;
        double size = carom_shape_radius(a);
        for (int k = 0; k < (hull ? 20 : 1); k++) check_is_the_maximum(&core, awkward_point(&r, &core, size), size, &r);
        carom_hull_destroy(hull);
    }
}

// y - x = t x/e^2: halving of v = t + min e^2 on the scale of its logarithm, in long double; v = 0 where nothing else
// is left.
static double bisected_ellipsoid(const Long e[3], const Long p[3], Long least)
{
    Long lo = 1e-60L, hi = 1e40L, w[3], sum = 0, length = 0, reach = 0;
    for (int k = 0; k < 200; k++) {
        Long v = sqrtl(lo)*sqrtl(hi), total = 0;
        for (int i = 0; i < 3; i++) total += powl(e[i]*p[i]/(v + (e[i] - least)*(e[i] + least)), 2);
        if (total > 1) lo = v;
        else hi = v;
    }
    for (int i = 0; i < 3; i++) w[i] = e[i]*p[i]/(lo + (e[i] - least)*(e[i] + least)), sum += w[i]*w[i];
    for (int i = 0, open = 1; i < 3; i++)
        if (open && e[i] == least && sum < 1) w[i] = copysignl(sqrtl(w[i]*w[i] + 1 - sum), p[i]), open = 0;
    for (int i = 0; i < 3; i++) length += powl(w[i]/e[i], 2), reach += w[i]*p[i]/e[i];
    return (double)((reach - 1)/sqrtl(length));
}

// With y - x = t x/e^2, |y - x'|^2 - |y - x|^2 = sum (x'_i - x_i)^2 (1 + t/e_i^2) for every other x' on the
// ellipsoid: x is nearest if and only if t >= -min e^2. Here x and t = (n.p - h) h come from the normal
// alone, in long double.
static void check_nearest_on_ellipsoid(caromVec3 e, caromVec3 p)
{
    caromCore core = { .kind = CAROM_CORE_ELLIPSOID, .h = e };
    caromVec3 on, n;
    double sd = carom_convex_core_point(&core, p, &on, &n);
    Long E[3] = { e.x, e.y, e.z }, P[3] = { p.x, p.y, p.z }, N[3] = { n.x, n.y, n.z }, h = 0,
         least = fmin(e.x, fmin(e.y, e.z)), upper = 0, lower = 0;
    for (int i = 0; i < 3; i++) h += E[i]*N[i]*E[i]*N[i];
    h = sqrtl(h);
    for (int i = 0; i < 3; i++) {
        Long x = E[i]*E[i]*N[i]/h;
        upper += (P[i] - x)*(P[i] - x);
        lower += N[i]*P[i];
    }
    double size = fmax(e.x, fmax(e.y, e.z)), tol = carom_narrow_roundings(size + carom_norm(p));
    CHECK((lower - h)*h >= -least*least*(1 + 64*(Long)DBL_EPSILON) - tol*h);
    CHECK_NEAR(sd, bisected_ellipsoid(E, P, least), tol);
    CHECK_NEAR(sd, (double)(lower - h), tol);
    // The distance of x itself: exceeds the shortest one by the square of how far n is off.
    CHECK_NEAR(fabs(sd), (double)sqrtl(upper), 4*tol);
}

static caromVec3 random_axes(Random *r, double decades)
{
    double a = pow(10, random_uniform(r, -decades, 0)), b = pow(10, random_uniform(r, -decades, 0));
    int what = (int)random_uniform(r, 0, 6);
    if (what == 0) b = a;
    if (what == 1) a = 1.0;
    if (what == 2) b = a*(1.0 + 1e-13);
    caromVec3 e = { 1.0, a, b };
    int turn = (int)random_uniform(r, 0, 3);
    return turn == 0 ? e : turn == 1 ? carom_vec(e.y, e.z, e.x) : carom_vec(e.z, e.x, e.y);
}

// Points inside near the plane across the shortest axis, at and around the ellipse where the nearest point leaves that
// plane.
static caromVec3 focal_point(Random *r, caromVec3 e)
{
    double v[3] = { e.x, e.y, e.z }, p[3];
    int c = v[0] <= v[1] && v[0] <= v[2] ? 0 : v[1] <= v[2] ? 1 : 2, a = (c + 1) % 3, b = (c + 2) % 3;
    double phi = random_uniform(r, 0, 6.3), s = random_uniform(r, 0, 1) < 0.5 ? 1.0 : random_uniform(r, 0.5, 1.02);
    p[a] = s*cos(phi)*(v[a] - v[c])*(v[a] + v[c])/v[a];
    p[b] = s*sin(phi)*(v[b] - v[c])*(v[b] + v[c])/v[b];
    p[c] = random_uniform(r, 0, 1) < 0.3 ? 0.0 : v[c]*pow(10, random_uniform(r, -20, -1));
    return carom_vec(p[0], p[1], p[2]);
}

static void ellipsoids_of_all_ratios(void **state)
{
    (void)state;
    Random r = { 11 };
    for (int i = 0; i < 60000; i++) {
        caromVec3 e = random_axes(&r, i % 2 ? 6 : 1);
        caromCore core = { .kind = CAROM_CORE_ELLIPSOID, .h = e };
        caromVec3 p = i % 3 == 0 ? focal_point(&r, e) : awkward_point(&r, &core, 1.0);
        if (i % 3 == 1) p = carom_vec(p.x*e.x, p.y*e.y, p.z*e.z);
        check_nearest_on_ellipsoid(e, p);
    }
}

// x(a, b) = (e0 cos a cos b, e1 cos a sin b, e2 sin a), D = |x - p|^2/2: damped Newton steps from the best points of a
// grid.
typedef struct Surface { Long e[3], p[3]; } Surface;

static Long surface_distance(const Surface *s, Long a, Long b, Long grad[2], Long hess[3])
{
    Long ca = cosl(a), sa = sinl(a), cb = cosl(b), sb = sinl(b);
    Long x[3] = { s->e[0]*ca*cb, s->e[1]*ca*sb, s->e[2]*sa }, xa[3] = { -s->e[0]*sa*cb, -s->e[1]*sa*sb, s->e[2]*ca };
    Long xb[3] = { -s->e[0]*ca*sb, s->e[1]*ca*cb, 0 }, xaa[3] = { -x[0], -x[1], -x[2] }, xbb[3] = { -x[0], -x[1], 0 };
    Long xab[3] = { s->e[0]*sa*sb, -s->e[1]*sa*cb, 0 }, sum = 0;
    for (int k = 0; k < 2; k++) grad[k] = 0;
    for (int k = 0; k < 3; k++) hess[k] = 0;
    for (int i = 0; i < 3; i++) {
        Long d = x[i] - s->p[i];
        sum += d*d/2;
        grad[0] += d*xa[i], grad[1] += d*xb[i];
        hess[0] += xa[i]*xa[i] + d*xaa[i], hess[1] += xa[i]*xb[i] + d*xab[i], hess[2] += xb[i]*xb[i] + d*xbb[i];
    }
    return sum;
}

static Long refined(const Surface *s, Long a, Long b)
{
    Long g[2], h[3], damping = 0, best = surface_distance(s, a, b, g, h);
    for (int i = 0; i < 60; i++) {
        Long h0 = h[0] + damping, h2 = h[2] + damping, det = h0*h2 - h[1]*h[1], g2[2], hh[3];
        Long da = -(h2*g[0] - h[1]*g[1])/det, db = -(h0*g[1] - h[1]*g[0])/det;
        Long tried = det > 0 && h0 > 0 ? surface_distance(s, a + da, b + db, g2, hh) : HUGE_VALL;
        if (tried < best)
            a += da, b += db, best = tried, memcpy(g, g2, sizeof g), memcpy(h, hh, sizeof h), damping /= 4;
        else damping = damping > 0 ? 4*damping : 1e-6L;
        if (damping < 1e-20L) damping = 0;
        if (damping > 1e6L) break;
    }
    return best;
}

static double sampled_ellipsoid(caromVec3 e, caromVec3 p)
{
    Surface s = { { e.x, e.y, e.z }, { p.x, p.y, p.z } };
    enum { ROWS = 14, COLUMNS = 28 };
    Long best = HUGE_VALL, at[3][2] = { { 0 } }, value[3] = { HUGE_VALL, HUGE_VALL, HUGE_VALL }, g[2], h[3];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            Long a = ((i + 0.5L)/ROWS - 0.5L)*3.14159265358979323846L, b = (k + 0.37L)/COLUMNS*6.28318530717958647693L;
            Long d = surface_distance(&s, a, b, g, h);
            for (int m = 0; m < 3; m++)
                if (d < value[m]) {
                    value[m] = d, at[m][0] = a, at[m][1] = b;
                    break;
                }
        }
    for (int m = 0; m < 3; m++) best = fminl(best, refined(&s, at[m][0], at[m][1]));
    Long inside = 0;
    for (int i = 0; i < 3; i++) inside += s.p[i]/s.e[i]*(s.p[i]/s.e[i]);
    return (double)(inside < 1 ? -sqrtl(2*best) : sqrtl(2*best));
}

static void ellipsoids_against_sampling(void **state)
{
    (void)state;
    Random r = { 5 };
    for (int i = 0; i < 2500; i++) {
        caromVec3 e = random_axes(&r, 1), on, n, p = random_vec(&r, i % 2 ? 0.5 : 2.0);
        caromCore core = { .kind = CAROM_CORE_ELLIPSOID, .h = e };
        double sd = carom_convex_core_point(&core, p, &on, &n);
        // The samples' sum of squares has 1e-19 of 1.
        CHECK_NEAR(sd, sampled_ellipsoid(e, p), 1e-13*(1.0 + carom_norm(p)));
    }
}

// Least distance from a polyline of the half plane (rho, z), by thirds on each piece: the distance is convex along it.
static Long piece_distance(const Long a[2], const Long b[2], Long rho, Long z)
{
    Long lo = 0, hi = 1;
    for (int i = 0; i < 150; i++) {
        Long t = lo + (hi - lo)/3, u = hi - (hi - lo)/3;
        Long dt = hypotl(a[0] + t*(b[0] - a[0]) - rho, a[1] + t*(b[1] - a[1]) - z),
             du = hypotl(a[0] + u*(b[0] - a[0]) - rho, a[1] + u*(b[1] - a[1]) - z);
        if (dt <= du) hi = u;
        else lo = t;
    }
    return hypotl(a[0] + lo*(b[0] - a[0]) - rho, a[1] + lo*(b[1] - a[1]) - z);
}

static double sampled_frustum(const caromCore *c, caromVec3 p)
{
    Long corners[4][2] = { { 0, c->z0 }, { c->r0, c->z0 }, { c->r1, c->z1 }, { 0, c->z1 } }, rho = hypotl(p.x, p.y),
         best = HUGE_VALL;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        best = fminl(best, piece_distance(corners[k], corners[k + 1], rho, p.z));
        Long dr = corners[k + 1][0] - corners[k][0], dz = corners[k + 1][1] - corners[k][1];
        if (dz*(rho - corners[k][0]) - dr*((Long)p.z - corners[k][1]) > 0) inside = false;
    }
    return (double)(inside ? -best : best);
}

static void frustums_against_sampling(void **state)
{
    (void)state;
    Random r = { 3 };
    for (int i = 0; i < 4000; i++) {
        double R = pow(10, random_uniform(&r, -3, 0)), length = pow(10, random_uniform(&r, -3, 0));
        caromShape a = i % 4 == 0   ? carom_shape_cone(R, 0.0, length)
                       : i % 4 == 1 ? carom_shape_cylinder(R, length)
                       : i % 4 == 2 ? carom_shape_cone(R, random_uniform(&r, 0, 2)*R, length)
                                    : carom_shape_cone(R, R*(1 + 1e-12), length);
        caromCore core = carom_shape_core(&a);
        if (i % 17 == 0) core.z1 = core.z0, core.r1 = core.r0;
        caromVec3 p = awkward_point(&r, &core, hypot(R, length)), on, n;
        double sd = carom_convex_core_point(&core, p, &on, &n), expected = sampled_frustum(&core, p),
               tol = carom_narrow_roundings(R + length + carom_norm(p));
        CHECK_NEAR(sd, expected, tol);
        CHECK(!(sd > tol && expected <= 0) && !(sd < -tol && expected >= 0));
    }
}

// A torus by its definition: the nearest of many points of the ring, then thirds about it.
static double sampled_torus(caromShape a, caromVec3 p)
{
    enum { N = 64 };
    Long best = HUGE_VALL, at = 0;
    for (int pass = 0; pass < 40; pass++) {
        Long centre = at, width = pass == 0 ? 6.28318530717958647693L : 6.28318530717958647693L/N*powl(0.4L, pass - 1);
        for (int k = 0; k <= N; k++) {
            Long th = centre + width*((Long)k/N - 0.5L), dx = a.size.x*cosl(th) - p.x, dy = a.size.x*sinl(th) - p.y,
                 d = sqrtl(dx*dx + dy*dy + (Long)p.z*p.z);
            if (d < best) best = d, at = th;
        }
    }
    return (double)(best - a.size.y);
}

static void toruses_against_sampling(void **state)
{
    (void)state;
    Random r = { 9 };
    for (int i = 0; i < 400; i++) {
        caromShape a = carom_shape_torus(random_uniform(&r, 0.2, 1), random_uniform(&r, 0.01, 0.4));
        caromVec3 p = random_vec(&r, 1.5);
        if (i % 5 == 0) p.x = p.y = 0.0;
        if (i % 7 == 0) p.z = 0.0;
        if (i % 11 == 0) p = carom_vec(0, a.size.x, 0);
        caromGap g = carom_collide_point(a, carom_pose_identity(), p);
        CHECK_NEAR(g.g, sampled_torus(a, p), 1e-14);
        CHECK_NEAR(carom_norm(g.n_AB), 1.0, 4*DBL_EPSILON);
    }
}

// All shapes, anywhere: witness points fit, moving everything by 1e4 m costs the rounding of the positions, contains
// agrees.
static void shapes_far_away(void **state)
{
    (void)state;
    Random r = { 21 };
    for (int i = 0; i < 10000; i++) {
        caromShape a = i % 9 == 0 ? carom_shape_half_space() : i % 9 == 1 ? carom_shape_torus(0.5, 0.1)
                                  : random_convex(&r);
        caromPose X = random_pose(&r, 1.0);
        caromVec3 p = random_vec(&r, 2.0);
        caromGap g = carom_collide_point(a, X, p);
        CHECK(g.status == CAROM_GAP_OK);
        CHECK_VEC(carom_sub(g.p_B, g.p_A), carom_scale(g.g, g.n_AB), 8*DBL_EPSILON*4);
        CHECK(carom_collide_contains(a, X, p) == (g.g <= g.error));
        CHECK_NEAR(carom_collide_point(a, X, g.p_A).g, 0.0, 2*g.error);
        caromVec3 away = random_vec(&r, 1e4);
        caromPose Y = { X.R, carom_add(X.p, away) };
        CHECK_NEAR(carom_collide_point(a, Y, carom_add(p, away)).g, g.g, 2*g.error + 4*DBL_EPSILON*1e4*2);
    }
}

static void what_is_not_finite_is_undefined(void **state)
{
    (void)state;
    const double bad[] = { NAN, INFINITY, -INFINITY };
    caromPose I = carom_pose_identity();
    for (int k = 0; k < 3; k++) {
        for (int kind = 0; kind < 3; kind++) {
            caromShape a = kind == 0 ? carom_shape_box(1, 2, 3) : kind == 1 ? carom_shape_torus(2, 1)
                                     : carom_shape_half_space();
            CHECK(carom_collide_point(a, I, carom_vec(0, bad[k], 0)).status == CAROM_GAP_UNDEFINED);
            CHECK(!carom_collide_contains(a, I, carom_vec(0, bad[k], 0)));
            caromPose X = I;
            X.p.z = bad[k];
            CHECK(carom_collide_point(a, X, carom_vec(0, 0, 0)).status == CAROM_GAP_UNDEFINED);
            CHECK(carom_gap_half_space(&a, X, I).status == CAROM_GAP_UNDEFINED);
        }
        CHECK(carom_collide_point(carom_shape_ellipsoid(1, bad[k], 1), I,
                                  carom_vec(0, 0, 0)).status == CAROM_GAP_UNDEFINED);
    }
    caromShape plane = carom_shape_half_space();
    CHECK(carom_gap_half_space(&plane, I, I).status == CAROM_GAP_UNDEFINED);
    CHECK(carom_collide_point((caromShape){ .kind = (caromShapeKind)99 }, I,
                              carom_vec(0, 0, 0)).status == CAROM_GAP_UNDEFINED);
}

static void middles_of_what_lies_flat(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity(), down = { { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }, { 0, 0, 3 } },
              lying = { { { 0, 0, 1 }, { 0, 1, 0 }, { -1, 0, 0 } }, { 0, 0, 3 } };
    caromShape box = carom_shape_box(2, 4, 6), cylinder = carom_shape_cylinder(1, 4),
               cone = carom_shape_cone(1, 0.5, 2), torus = carom_shape_torus(2, 0.5);
    CHECK_VEC(carom_gap_half_space(&box, down, I).p_A, carom_vec(0, 0, 0), 1e-15);
    CHECK_VEC(carom_gap_half_space(&cylinder, down, I).p_A, carom_vec(0, 0, 1), 1e-15);
    CHECK_VEC(carom_gap_half_space(&cylinder, lying, I).p_A, carom_vec(0, 0, 2), 1e-15);
    CHECK_VEC(carom_gap_half_space(&cone, down, I).p_A, carom_vec(0, 0, 2), 1e-15);
    CHECK_NEAR(carom_gap_half_space(&torus, down, I).g, 2.5, 1e-15);
    CHECK_NEAR(carom_gap_half_space(&torus, lying, I).g, 0.5, 1e-15);
    CHECK_VEC(carom_gap_half_space(&torus, lying, I).p_A, carom_vec(0, 0, 0.5), 1e-15);
    caromVec3 corners[8];
    for (int k = 0; k < 8; k++) corners[k] = carom_vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    caromHull *hull = carom_hull_create(corners, 8, 0.25, NULL);
    caromShape cube = carom_shape_polytope(hull);
    CHECK_VEC(carom_gap_half_space(&cube, down, I).p_A, carom_vec(0, 0, 2), 1e-15);
    carom_hull_destroy(hull);
}

// The gap is the least height over the surface: no support point may be lower, and the witness must be that low.
static void half_spaces_against_points_of_the_surface(void **state)
{
    (void)state;
    Random r = { 17 };
    for (int i = 0; i < 10000; i++) {
        bool is_torus = i % 8 == 0;
        caromShape a = is_torus ? carom_shape_torus(0.6, 0.2) : random_convex(&r);
        caromVec3 away = random_vec(&r, i % 2 ? 1e4 : 0.0);
        caromPose X = random_pose(&r, 1.0), P = random_pose(&r, 1.0);
        X.p = carom_add(X.p, away), P.p = carom_add(P.p, away);
        caromGap g = carom_gap_half_space(&a, X, P);
        double tol = g.error + (i % 2 ? 4e-12 : 0.0);
        CHECK(g.status == CAROM_GAP_OK);
        CHECK_NEAR(carom_dot(P.R.cz, carom_sub(g.p_A, P.p)), g.g, 2*tol);
        CHECK_NEAR(carom_dot(P.R.cz, carom_sub(g.p_B, P.p)), 0.0, 2*tol);
        CHECK_NEAR(carom_collide_point(a, X, g.p_A).g, 0.0, 2*tol);
        for (int k = 0; k < 8; k++) {  // surface points, by shooting the shape's own signed distance
            caromVec3 far = carom_add(X.p, random_vec(&r, 3.0));
            CHECK(carom_dot(P.R.cz, carom_sub(carom_collide_point(a, X, far).p_A, P.p)) >= g.g - 2*tol);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_maxima_over_directions), cmocka_unit_test(ellipsoids_of_all_ratios),
        cmocka_unit_test(ellipsoids_against_sampling),          cmocka_unit_test(frustums_against_sampling),
        cmocka_unit_test(toruses_against_sampling),             cmocka_unit_test(shapes_far_away),
        cmocka_unit_test(what_is_not_finite_is_undefined),      cmocka_unit_test(middles_of_what_lies_flat),
        cmocka_unit_test(half_spaces_against_points_of_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
