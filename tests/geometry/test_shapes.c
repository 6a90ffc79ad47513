// Shapes: mass properties, curvature, and what is refused.
#include <float.h>

#include "geometry/geometry.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

static caromVec3 random_direction(Random *random)
{
    caromVec3 d;
    do d = carom_vec(random_uniform(random, -1, 1), random_uniform(random, -1, 1), random_uniform(random, -1, 1));
    while (carom_norm2(d) > 1.0 || carom_norm2(d) < 0.01);
    return carom_scale(1.0/carom_norm(d), d);
}

static caromPose random_pose(Random *random)
{
    caromQuat q = carom_quat(random_uniform(random, 0.1, 1), random_uniform(random, -1, 1),
                             random_uniform(random, -1, 1), random_uniform(random, -1, 1));
    return carom_pose(carom_quat_matrix(q), carom_vec(random_uniform(random, -1, 1), random_uniform(random, -1, 1),
                                                      random_uniform(random, -1, 1)));
}

static double mat_distance(caromMat3 A, caromMat3 B)
{
    return fmax(carom_norm(carom_sub(A.cx, B.cx)),
                fmax(carom_norm(carom_sub(A.cy, B.cy)), carom_norm(carom_sub(A.cz, B.cz))));
}

// Relative to the size of the thing, given by a length.
static void check_mass(caromMassProps a, caromMassProps b, double length, double relative)
{
    CHECK_NEAR(a.mass, b.mass, relative*b.mass);
    CHECK_VEC(a.com, b.com, relative*length);
    if (!(mat_distance(a.inertia, b.inertia) <= relative*b.mass*length*length)) {
        print_error("inertia (%.17g %.17g %.17g), expected (%.17g %.17g %.17g)\n", a.inertia.cx.x, a.inertia.cy.y,
                    a.inertia.cz.z, b.inertia.cx.x, b.inertia.cy.y, b.inertia.cz.z);
        CHECK(false);
    }
}

// ------------------------------------------------------------------------------------------------ solids of revolution

// Distance in the half plane (rho, z) from the trapezium with corners (0, z0), (r0, z0), (r1, z1), (0, z1): 0 inside.
static double distance_to_trapezium(const caromCore *c, double rho, double z)
{
    double corner[4][2] = { { 0, c->z0 }, { c->r0, c->z0 }, { c->r1, c->z1 }, { 0, c->z1 } }, best = INFINITY;
    double side = (rho - c->r0)*(c->z1 - c->z0) - (z - c->z0)*(c->r1 - c->r0);
    if (z >= c->z0 && z <= c->z1 && side <= 0.0) return 0.0;
    for (int i = 0; i < 3; i++) {
        double x = corner[i][0], y = corner[i][1], dx = corner[i + 1][0] - x, dy = corner[i + 1][1] - y,
               length2 = dx*dx + dy*dy;
        double t = length2 > 0.0 ? fmin(1.0, fmax(0.0, ((rho - x)*dx + (z - y)*dy)/length2)) : 0.0;
        best = fmin(best, hypot(rho - x - t*dx, z - y - t*dy));
    }
    return best;
}

static double profile(const caromCore *c, double z)
{
    double low = 0.0, high = 10.0;
    if (distance_to_trapezium(c, 0.0, z) > c->radius) return 0.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5*(low + high);
        if (distance_to_trapezium(c, middle, z) <= c->radius) low = middle;
        else high = middle;
    }
    return low;
}

// The profile from distances only, the integrals by the midpoint rule in t, z = -cos t: that takes the roots at both
// ends away. What remains are jumps of the second derivative (where arc and side meet) and of the first (sharp edges):
// off by no more than 1/n^2, times some.
enum { SLICES = 4000 };
static caromMassProps revolved(const caromCore *c, double low, double high)
{
    double volume = 0, z1 = 0, zz = 0, xx = 0;
    for (int i = 0; i < SLICES; i++) {
        double t = pi*(i + 0.5)/SLICES, z = 0.5*(low + high) - 0.5*(high - low)*cos(t),
               dz = 0.5*(high - low)*sin(t)*pi/SLICES, R = profile(c, z);
        volume += pi*R*R*dz, z1 += pi*R*R*z*dz, zz += pi*R*R*z*z*dz, xx += 0.25*pi*R*R*R*R*dz;
    }
    zz -= z1*z1/volume;
    return (caromMassProps){ volume, { 0, 0, z1/volume }, carom_mat_diagonal(xx + zz, xx + zz, 2*xx) };
}

static void rounded_frustums_weigh_what_their_profile_encloses(void **state)
{
    (void)state;
    const caromShape shapes[] = {
        carom_shape_cylinder(0.4, 1.5), carom_shape_rounded(carom_shape_cylinder(0.4, 1.5), 0.1),
        carom_shape_rounded(carom_shape_cylinder(0.4, 0.5), 0.25),
        carom_shape_rounded(carom_shape_cylinder(0.4, 1.5), 0.3999), carom_shape_cone(0.5, 0.0, 0.8),
        carom_shape_cone(0.5, 0.2, 0.8), carom_shape_cone(0.2, 0.5, 0.8),
        carom_shape_rounded(carom_shape_cone(0.5, 0.0, 0.8), 0.1),
        carom_shape_rounded(carom_shape_cone(0.5, 0.2, 0.8), 0.15),
        carom_shape_rounded(carom_shape_cone(0.2, 0.5, 0.8), 0.05),
        carom_shape_rounded(carom_shape_cone(0.5, 0.05, 0.8), 0.2),
        carom_shape_rounded(carom_shape_cone(0.05, 0.5, 0.8), 0.2),
        carom_shape_rounded(carom_shape_cone(0.5, 0.3, 0.2), 0.1),
        carom_shape_rounded(carom_shape_cone(2.0, 0.0, 0.1), 0.02),
        carom_shape_rounded(carom_shape_cone(0.05, 0.0, 2.0), 0.02),
    };
    for (size_t i = 0; i < sizeof shapes/sizeof *shapes; i++) {
        CHECK(carom_shape_check(shapes[i], NULL) == CAROM_OK);
        caromCore core = carom_shape_core(&shapes[i]);
        caromMassProps expected = revolved(&core, core.z0 - core.radius, core.z1 + core.radius);
        check_mass(carom_shape_mass(shapes[i], 1.0), expected, carom_shape_radius(shapes[i]), 10.0/SLICES/SLICES);
    }
}

// Growing a convex body by a little adds surface times that: the derivative of the volume with the rounding at constant
// core, by differences of fourth order.
static double grown_volume(caromShape s, double by)
{
    caromCore c = carom_shape_core(&s);
    c.radius += by;
    return carom_shape_frustum_mass(&c).mass;
}

static void surfaces_are_what_growing_adds(void **state)
{
    (void)state;
    const caromShape shapes[] = {
        carom_shape_rounded(carom_shape_cylinder(0.4, 1.5), 0.1),
        carom_shape_rounded(carom_shape_cylinder(0.4, 0.5), 0.25),
        carom_shape_rounded(carom_shape_cone(0.5, 0.0, 0.8), 0.1),
        carom_shape_rounded(carom_shape_cone(0.5, 0.2, 0.8), 0.15),
        carom_shape_rounded(carom_shape_cone(0.2, 0.5, 0.8), 0.05)
    };
    for (size_t i = 0; i < sizeof shapes/sizeof *shapes; i++) {
        double h = 1e-3, slope = (8*(grown_volume(shapes[i], h) - grown_volume(shapes[i], -h)) -
                                  grown_volume(shapes[i], 2*h) + grown_volume(shapes[i], -2*h))/(12*h);
        // The volume is a cubic in the radius: only rounding, over 1e-3.
        CHECK_NEAR(carom_shape_surface(shapes[i]), slope, 1e-12*slope);
    }
    CHECK_NEAR(carom_shape_surface(carom_shape_cylinder(0.5, 1)), 1.5*pi, 1e-14);  // six times an end
    CHECK_NEAR(carom_shape_surface(carom_shape_cone(0.3, 0, 0.4)), pi*0.09 + pi*0.3*0.5, 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_capsule(0.3, 0.4)), 4*pi*0.09 + 2*pi*0.3*0.4, 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_rounded(carom_shape_box(2, 2, 2), 1)), 4*pi, 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_box(1, 2, 3)), 22, 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_sphere(0.5)), pi, 1e-15);
    CHECK_NEAR(carom_shape_surface(carom_shape_ellipsoid(0.5, 0.5, 0.5)), pi, 1e-14);
    // Spheroids have closed forms: prolate with e = sqrt(1 - a^2/c^2), oblate with e = sqrt(1 - c^2/a^2).
    double e = sqrt(1 - 0.09/0.64);
    CHECK_NEAR(carom_shape_surface(carom_shape_ellipsoid(0.3, 0.8, 0.3)), 2*pi*0.09*(1 + 0.8/(0.3*e)*asin(e)), 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_ellipsoid(0.8, 0.3, 0.8)), 2*pi*0.64*(1 + (1 - e*e)/e*atanh(e)), 1e-14);
    CHECK_NEAR(carom_shape_surface(carom_shape_torus(0.3, 0.1)), 4*pi*pi*0.03, 1e-15);
    assert_true(isinf(carom_shape_surface(carom_shape_half_space())));
    // A box as a polytope, rounded: the same surface.
    caromVec3 corner[8];
    for (int k = 0; k < 8; k++) corner[k] = carom_vec(k & 1 ? 0.5 : -0.5, k & 2 ? 0.4 : -0.4, k & 4 ? 0.3 : -0.3);
    caromHull *hull = carom_hull_create(corner, 8, 0.1, NULL);
    CHECK_NEAR(carom_shape_surface(carom_shape_polytope(hull)),
               carom_shape_surface(carom_shape_rounded(carom_shape_box(1, 0.8, 0.6), 0.1)), 1e-13);
    carom_hull_destroy(hull);
}

// The core of a rounded cone is what is left when a ball rolls round the inside: grown again, it touches
// bottom and side from inside.
static void rounded_cones_keep_their_planes(void **state)
{
    (void)state;
    Random random = { 11 };
    for (int i = 0; i < 2000; i++) {
        double top = random_uniform(&random, 0, 1) < 0.3 ? 0.0 : random_uniform(&random, 0, 1);
        caromShape s = carom_shape_cone(random_uniform(&random, 0.01, 1), top, random_uniform(&random, 0.01, 1));
        s.rounding = random_uniform(&random, 0, 1)*carom_shape_row(CAROM_CONE)->largest_rounding(&s);
        CHECK(carom_shape_check(s, NULL) == CAROM_OK);
        caromCore c = carom_shape_core(&s);
        double slope = (s.size.y - s.size.x)/s.size.z, cosine = 1/sqrt(1 + slope*slope),
               side = 0.5*(s.size.x + s.size.y)*cosine;
        double eps = 16*DBL_EPSILON*(1 + fabs(slope));
        CHECK(c.z1 >= c.z0 && c.r0 >= 0 && c.r1 >= 0 && c.r0 + c.r1 > 0);
        // Touches the side.
        CHECK_NEAR(fmax(cosine*(c.r0 - slope*c.z0), cosine*(c.r1 - slope*c.z1)) + c.radius, side, eps);
        CHECK(cosine*(c.r0 - slope*c.z0) + c.radius <= side + eps &&
              cosine*(c.r1 - slope*c.z1) + c.radius <= side + eps);
        // And the wide end.
        CHECK_NEAR(s.size.x >= s.size.y ? c.z0 - c.radius : -c.z1 - c.radius, -0.5*s.size.z, eps);
        CHECK(c.z0 - c.radius >= -0.5*s.size.z - eps && c.z1 + c.radius <= 0.5*s.size.z + eps);
    }
}

// ------------------------------------------------------------------------------------------------ limits

static caromMassProps ball(double r)
{
    double volume = 4.0/3.0*pi*r*r*r, i = 0.4*volume*r*r;
    return (caromMassProps){ volume, { 0, 0, 0 }, carom_mat_diagonal(i, i, i) };
}

static void limits_are_other_shapes(void **state)
{
    (void)state;
    double few = 16*DBL_EPSILON;
    check_mass(carom_shape_mass(carom_shape_rounded(carom_shape_box(1, 1, 1), 0.5), 1), ball(0.5), 1, few);
    check_mass(carom_shape_mass(carom_shape_sphere(0.5), 1), ball(0.5), 1, few);
    check_mass(carom_shape_mass(carom_shape_ellipsoid(0.5, 0.5, 0.5), 1), ball(0.5), 1, few);
    check_mass(carom_shape_mass(carom_shape_rounded(carom_shape_box(1, 1, 3), 0.5), 1),
               carom_shape_mass(carom_shape_capsule(0.5, 2), 1), 3, few);
    check_mass(carom_shape_mass(carom_shape_capsule(0.5, 1e-9), 1), ball(0.5), 1, 1e-8);
    check_mass(carom_shape_mass(carom_shape_cone(0.3, 0.3, 2), 1), carom_shape_mass(carom_shape_cylinder(0.3, 2), 1), 2,
               few);
    check_mass(carom_shape_mass(carom_shape_rounded(carom_shape_cone(0.3, 0.3, 2), 0.1), 1),
               carom_shape_mass(carom_shape_rounded(carom_shape_cylinder(0.3, 2), 0.1), 1), 2, few);
    // A rounding of the full radius would be a capsule; one a hair smaller weighs as much.
    check_mass(carom_shape_mass(carom_shape_rounded(carom_shape_cylinder(0.5, 3), 0.5*(1 - 1e-9)), 1),
               carom_shape_mass(carom_shape_capsule(0.5, 2), 1), 3, 1e-8);
    // The largest ball in a cone: nothing of the side is left.
    caromShape cone = carom_shape_cone(0.5, 0, 0.8);
    cone.rounding = carom_shape_row(CAROM_CONE)->largest_rounding(&cone);
    caromMassProps m = carom_shape_mass(cone, 1), b = ball(cone.rounding);
    b.com.z = -0.4 + cone.rounding;
    check_mass(m, b, 1, 4*few);
}

static void closed_forms(void **state)
{
    (void)state;
    double few = 16*DBL_EPSILON;
    caromMassProps cylinder = carom_shape_mass(carom_shape_cylinder(0.3, 2), 7800);
    double m = 7800*pi*0.09*2;
    check_mass(cylinder, (caromMassProps){ m, { 0, 0, 0 }, carom_mat_diagonal(m*(0.09/4 + 4.0/12), m*(0.09/4 + 4.0/12),
                                                                              m*0.09/2) }, 2, few);
    caromMassProps cone = carom_shape_mass(carom_shape_cone(0.3, 0, 2), 7800);
    m /= 3;
    double across = m*(3.0/20*0.09 + 3.0/80*4);
    check_mass(cone, (caromMassProps){ m, { 0, 0, -0.5 }, carom_mat_diagonal(across, across, 0.3*m*0.09) }, 2, few);
    caromMassProps upside_down = carom_shape_mass(carom_shape_cone(1e-300, 0.3, 2), 7800);
    check_mass(upside_down, (caromMassProps){ m, { 0, 0, 0.5 }, carom_mat_diagonal(across, across, 0.3*m*0.09) }, 2,
               few);
    caromMassProps box = carom_shape_mass(carom_shape_box(1, 2, 3), 2);
    check_mass(box, (caromMassProps){ 12, { 0, 0, 0 }, carom_mat_diagonal(13, 10, 5) }, 3, few);
    CHECK(carom_shape_mass(carom_shape_half_space(), 1).mass == 0 &&
          isinf(carom_shape_volume(carom_shape_half_space())));
    CHECK(!carom_shape_is_convex(carom_shape_torus(1, 0.1)) && carom_shape_is_convex(carom_shape_half_space()));
}

// Torus and ellipsoid by slices z = a sin t: smooth and periodic in t, so that the midpoint rule is exact to rounding
// with few.
static void torus_and_ellipsoid_by_slices(void **state)
{
    (void)state;
    double R = 0.7, a = 0.2, volume = 0, zz = 0, rr = 0, ev = 0, ezz = 0, exx = 0;
    enum { N = 64 };
    for (int i = 0; i < N; i++) {
        // Once round the tube: signs take the inside away.
        double t = 2*pi*(i + 0.5)/N, z = a*sin(t), dz = a*cos(t)*pi/N*2, out = R + a*cos(t);
        volume += pi*out*out*dz, zz += pi*out*out*z*z*dz, rr += 0.5*pi*out*out*out*out*dz;
        // Half a turn of the ellipsoid, twice.
        double c = 0.4, cut = cos(t)*cos(t), ez = c*sin(t), edz = c*fabs(cos(t))*pi/N;
        ev += pi*0.3*0.5*cut*edz, ezz += pi*0.3*0.5*cut*ez*ez*edz, exx += 0.25*pi*0.3*0.3*0.3*0.5*cut*cut*edz;
    }
    caromMassProps torus = { volume, { 0, 0, 0 }, carom_mat_diagonal(0.5*rr + zz, 0.5*rr + zz, rr) };
    check_mass(carom_shape_mass(carom_shape_torus(R, a), 1), torus, 1, 64*DBL_EPSILON);
    caromMassProps ellipsoid = carom_shape_mass(carom_shape_ellipsoid(0.3, 0.5, 0.4), 1);
    CHECK_NEAR(ellipsoid.mass, ev, 1e-4*ev);  // |cos| has kinks: 1/N^4
    CHECK_NEAR(ellipsoid.inertia.cy.y, exx + ezz, 1e-4*exx);
}

// ------------------------------------------------------------------------------------------------ polytopes

static caromHull *box_hull(double x, double y, double z, double r, caromPose X)
{
    caromVec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = carom_pose_point(X, carom_vec((i & 1 ? 0.5 : -0.5)*x, (i & 2 ? 0.5 : -0.5)*y, (i & 4 ? 0.5 : -0.5)*z));
    return carom_hull_create(p, 8, r, NULL);
}

// Two ways that share no formula: separable integrals of the box, pieces of the polytope.
static void a_rounded_box_is_a_rounded_polytope(void **state)
{
    (void)state;
    Random random = { 3 };
    for (int i = 0; i < 50; i++) {
        double x = random_uniform(&random, 0.1, 1), y = random_uniform(&random, 0.1, 1),
               z = random_uniform(&random, 0.1, 1);
        double r = i < 5 ? 0.0 : random_uniform(&random, 0, 0.499)*fmin(x, fmin(y, z));
        caromPose X = random_pose(&random);
        caromHull *h = box_hull(x, y, z, r, X);
        CHECK(h && h->nvertex == 8 && h->nface == 6);
        caromMassProps expected =
            carom_geometry_mass_moved(carom_shape_mass(carom_shape_rounded(carom_shape_box(x, y, z), r), 1), X);
        // Coordinates up to 2.7 are off by 4e-16; an edge is 0.1 or more.
        check_mass(carom_shape_mass(carom_shape_polytope(h), 1), expected, 1, 1e-13);
        carom_hull_destroy(h);
    }
}

// Two sets of moments for a cube cut in two, sharp: they add up.
static void parts_add_up(void **state)
{
    (void)state;
    caromVec3 p[10], q[10];
    int np = 0, nq = 0;
    for (int i = 0; i < 8; i++) {  // cut by x = 0.3 + 0.2 y + 0.1 z
        caromVec3 v = carom_vec(i & 1, (i >> 1) & 1, (i >> 2) & 1), c = carom_vec(0.3 + 0.2*v.y + 0.1*v.z, v.y, v.z);
        if (i & 1) q[nq++] = v;
        else p[np++] = v, p[np++] = c, q[nq++] = c;
    }
    caromHull *a = carom_hull_create(p, np, 0, NULL), *b = carom_hull_create(q, nq, 0, NULL);
    CHECK(a && b && a->nface == 6 && b->nface == 6);
    caromMassProps sum = carom_geometry_mass_sum(carom_shape_mass(carom_shape_polytope(a), 1),
                                                 carom_shape_mass(carom_shape_polytope(b), 1));
    check_mass(sum, (caromMassProps){ 1, { 0.5, 0.5, 0.5 }, carom_mat_diagonal(1.0/6, 1.0/6, 1.0/6) }, 1,
               16*DBL_EPSILON);
    carom_hull_destroy(a);
    carom_hull_destroy(b);
}

static double distance_to_segment(caromVec3 x, caromVec3 a, caromVec3 b)
{
    caromVec3 d = carom_sub(b, a);
    double t = fmin(1, fmax(0, carom_dot(carom_sub(x, a), d)/carom_norm2(d)));
    return carom_norm(carom_sub(x, carom_axpy(t, d, a)));
}

static double distance_to_hull(const caromHull *h, caromVec3 x)
{
    double best = INFINITY;
    bool is_inside = true;
    for (int f = 0; f < h->nface; f++) {
        double above = carom_dot(h->normals[f], x) - h->offsets[f];
        if (above <= 0) continue;
        is_inside = false;
        bool is_over = true;
        for (int k = h->first_corner[f], n = h->first_corner[f + 1] - k, i = 0; i < n && is_over; i++) {
            caromVec3 a = h->vertices[h->corners[k + i]], b = h->vertices[h->corners[k + (i + 1)%n]];
            is_over = carom_dot(carom_cross(carom_sub(b, a), carom_sub(x, a)), h->normals[f]) >= 0;
        }
        if (is_over) best = fmin(best, above);
    }
    for (int e = 0; e < h->nedge; e++)
        best = fmin(best, distance_to_segment(x, h->vertices[h->edges[e][0]], h->vertices[h->edges[e][1]]));
    return is_inside ? 0 : best;
}

// Random points in the bounding box, counted when they are close enough to the core. A mean of N values whose magnitude
// is at most w is off by more than 5 w/sqrt(N) in less than one case in a million; the numbers are the same every time.
static void rounded_polytopes_by_counting(void **state)
{
    (void)state;
    Random random = { 19 };
    enum { N = 100000 };
    for (int trial = 0; trial < 4; trial++) {
        caromVec3 p[12];
        int n = 4 + 2*trial;
        for (int i = 0; i < n; i++)
            p[i] = carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -0.8, 0.8),
                             random_uniform(&random, -0.6, 0.6));
        caromHull *h = carom_hull_create(p, n, 0, NULL), *r = NULL;
        CHECK(h);
        r = carom_hull_create(p, n, 0.95*h->thin, NULL);
        for (double share = 0.95; !r && share > 0.01; share *= 0.9) r = carom_hull_create(p, n, share*h->thin, NULL);
        CHECK(r && r->nouter == h->nvertex && r->nouter_face == h->nface);
        double volume = 0, box = 2*1.6*1.2;
        caromVec3 first = { 0, 0, 0 }, square = { 0, 0, 0 }, mixed = { 0, 0, 0 };
        for (int i = 0; i < N; i++) {
            caromVec3 x = carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -0.8, 0.8),
                                    random_uniform(&random, -0.6, 0.6));
            if (distance_to_hull(r, x) > r->rounding) continue;
            volume += box/N;
            first = carom_axpy(box/N, x, first);
            square = carom_add(square, carom_scale(box/N, carom_vec(x.x*x.x, x.y*x.y, x.z*x.z)));
            mixed = carom_add(mixed, carom_scale(box/N, carom_vec(x.y*x.z, x.z*x.x, x.x*x.y)));
        }
        caromMassProps m = carom_shape_mass(carom_shape_polytope(r), 1);
        // About So.
        caromMat3 I = carom_mat_add(m.inertia, carom_mat_scale(m.mass, carom_geometry_point_inertia(m.com)));
        double off = 5*box*sqrt(m.mass/box/N);
        CHECK_NEAR(volume, m.mass, off);
        CHECK_VEC(first, carom_scale(m.mass, m.com), 2*off);
        CHECK_VEC(carom_vec(square.y + square.z, square.x + square.z, square.x + square.y),
                  carom_vec(I.cx.x, I.cy.y, I.cz.z), 3*off);
        CHECK_VEC(carom_neg(mixed), carom_vec(I.cy.z, I.cz.x, I.cx.y), 2*off);
        carom_hull_destroy(h);
        carom_hull_destroy(r);
    }
}

// A core of almost nothing: the sectors at its vertices make a whole ball.
static void a_tiny_core_makes_a_ball(void **state)
{
    (void)state;
    caromVec3 p[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    double inner = 1/sqrt(3.0), r = inner*(1 - 1e-7);
    caromHull *h = carom_hull_create(p, 4, r, NULL);
    CHECK(h && h->nvertex == 4);
    check_mass(carom_shape_mass(carom_shape_polytope(h), 1), ball(r), 1, 1e-6);
    carom_hull_destroy(h);
    // A rounding that the centroid is too close to a face for: a long thin pyramid.
    caromVec3 q[5] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 }, { 0.9, 0, 20 } };
    h = carom_hull_create(q, 5, 0, NULL);
    CHECK(h);
    double depth = INFINITY;
    for (int f = 0; f < h->nface; f++) depth = fmin(depth, h->offsets[f] - carom_dot(h->normals[f], h->solid.com));
    carom_hull_destroy(h);
    h = carom_hull_create(q, 5, 1.1*depth, NULL);
    CHECK(h);
    CHECK(carom_shape_volume(carom_shape_polytope(h)) < 4.0/3*10 && carom_shape_volume(carom_shape_polytope(h)) > 0);
    carom_hull_destroy(h);
}

// ------------------------------------------------------------------------------------------------ curvature

// Surface points and normals come from the support mapping, the normal's change along the surface from central
// differences: with the point x(n) of normal n, dx = (1/k) dn along a principal direction.
static void check_curvature_by_differences(caromShape s, caromVec3 n)
{
    caromCore core = carom_shape_core(&s);
    caromVec3 p = carom_axpy(core.radius, n, carom_shape_core_support(&core, n));
    caromCurvature k = carom_shape_curvature(s, p, n);
    CHECK(k.k1 <= k.k2);
    CHECK_NEAR(carom_norm(k.t1), 1, 8*DBL_EPSILON);
    CHECK_NEAR(carom_dot(k.t1, n), 0, 8*DBL_EPSILON);
    caromVec3 t[2] = { k.t1, carom_cross(n, k.t1) };
    double step = 1e-5, value[2] = { k.k1, k.k2 };
    for (int i = 0; i < 2; i++) {
        if (value[i] == 0.0) continue;  // the point jumps: the curvature of a generator is looked at below
        caromVec3 a = carom_unit_or(carom_axpy(step, t[i], n), n), b = carom_unit_or(carom_axpy(-step, t[i], n), n);
        caromVec3 xa = carom_axpy(core.radius, a, carom_shape_core_support(&core, a)),
                  xb = carom_axpy(core.radius, b, carom_shape_core_support(&core, b));
        caromVec3 expected = carom_scale(1/value[i], carom_sub(a, b));
        // step^2 of the difference quotient with third derivatives up to 1e3 in thin ellipsoids; roundings over the
        // step.
        CHECK_VEC(carom_sub(xa, xb), expected,
                  (1e3*step*step + 1e-10)*carom_norm(expected) + 8*DBL_EPSILON*carom_shape_radius(s));
    }
}

static void curvature_is_the_change_of_the_normal(void **state)
{
    (void)state;
    Random random = { 5 };
    for (int i = 0; i < 300; i++) {
        caromVec3 n = random_direction(&random);
        if (fabs(fabs(n.x) - fabs(n.y)) < 1e-3 || fabs(n.z) < 1e-3 || fabs(n.x) < 1e-3 || fabs(n.y) < 1e-3) continue;
        check_curvature_by_differences(carom_shape_sphere(0.3), n);
        check_curvature_by_differences(carom_shape_ellipsoid(0.3, 0.4, 0.5), n);
        check_curvature_by_differences(carom_shape_ellipsoid(1, 1, 0.2), n);
        check_curvature_by_differences(carom_shape_capsule(0.3, 0.5), n);
        check_curvature_by_differences(carom_shape_rounded(carom_shape_box(1, 2, 3), 0.1), n);
        check_curvature_by_differences(carom_shape_rounded(carom_shape_cylinder(0.4, 1), 0.1), n);
        if (fabs(n.z - 0.5/sqrt(1.25)) > 1e-3)
            check_curvature_by_differences(carom_shape_rounded(carom_shape_cone(0.6, 0.1, 1), 0.1), n);
    }
}

static void check_curvature(caromShape s, caromVec3 p, caromVec3 n, double k1, double k2, caromVec3 t1)
{
    caromCurvature k = carom_shape_curvature(s, p, n);
    if (isinf(k1)) CHECK(k.k1 == k1);
    else CHECK_NEAR(k.k1, k1, 1e-13*fmax(1, fabs(k1)));
    if (isinf(k2)) CHECK(k.k2 == k2);
    else CHECK_NEAR(k.k2, k2, 1e-13*fmax(1, fabs(k2)));
    CHECK_NEAR(carom_norm(k.t1), 1, 8*DBL_EPSILON);
    CHECK_NEAR(carom_dot(k.t1, n), 0, 8*DBL_EPSILON);
    if (carom_norm(t1) > 0) CHECK_NEAR(fabs(carom_dot(k.t1, t1)), 1, 1e-13);
}

static void curvature_by_feature(void **state)
{
    (void)state;
    const caromVec3 any = { 0, 0, 0 }, x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
    const double sharp = INFINITY, s2 = sqrt(0.5), s3 = 1/sqrt(3.0);
    check_curvature(carom_shape_half_space(), any, z, 0, 0, any);
    caromShape box = carom_shape_box(2, 4, 6), soft = carom_shape_rounded(box, 0.25);
    check_curvature(box, carom_vec(1, 0.5, 0.3), x, 0, 0, any);
    check_curvature(box, carom_vec(1, 2, 0.3), carom_vec(s2, s2, 0), 0, sharp, z);
    check_curvature(box, carom_vec(1, 2, 3), carom_vec(s3, s3, s3), sharp, sharp, any);
    check_curvature(soft, carom_vec(0.2, 0.5, -3), carom_neg(z), 0, 0, any);
    check_curvature(soft, carom_vec(0.75 + 0.25*s2, 0.5, 2.75 + 0.25*s2), carom_vec(s2, 0, s2), 0, 4, y);
    check_curvature(soft, carom_vec(0.75 + 0.25*s3, 1.75 + 0.25*s3, 2.75 + 0.25*s3), carom_vec(s3, s3, s3), 4, 4, any);
    caromShape pill = carom_shape_capsule(0.5, 2);
    check_curvature(pill, carom_vec(0.5, 0, 0.3), x, 0, 2, z);
    check_curvature(pill, carom_vec(0.3, 0, 1.4), carom_vec(0.6, 0, 0.8), 2, 2, any);
    caromShape ring = carom_shape_torus(1, 0.25);
    check_curvature(ring, carom_vec(0, 1.25, 0), y, 1/1.25, 4, x);
    check_curvature(ring, carom_vec(0, 0.75, 0), carom_neg(y), -1/0.75, 4, x);
    check_curvature(ring, carom_vec(1, 0, 0.25), z, 0, 4, y);
    caromShape cylinder = carom_shape_cylinder(0.5, 2), worn = carom_shape_rounded(cylinder, 0.1);
    check_curvature(cylinder, carom_vec(0.2, 0.1, 1), z, 0, 0, any);
    check_curvature(cylinder, carom_vec(0, 0.5, 0.2), y, 0, 2, z);
    check_curvature(cylinder, carom_vec(0, 0.5, -1), carom_vec(0, s2, -s2), s2/0.5, sharp, x);
    check_curvature(worn, carom_vec(0, 0.5, 0.2), y, 0, 2, z);
    check_curvature(worn, carom_vec(0.4 + 0.1*s2, 0, 0.9 + 0.1*s2), carom_vec(s2, 0, s2), s2/(0.4 + 0.1*s2), 10, y);
    check_curvature(worn, carom_vec(0.1, 0, 1), z, 0, 0, any);
    // Side of a cone with the half angle a, tan a = 1/2: cos a/rho around, and again after rounding, as the
    // side stays where it is.
    double c = 2/sqrt(5.0), s = 1/sqrt(5.0);
    for (int i = 0; i < 2; i++) {
        caromShape cone = carom_shape_rounded(carom_shape_cone(1, 0, 2), i*0.2);
        check_curvature(cone, carom_vec(0.5, 0, 0), carom_vec(c, 0, s), 0, c/0.5, carom_vec(-s, 0, c));
    }
    check_curvature(carom_shape_cone(1, 0, 2), carom_vec(0, 0, 1), z, sharp, sharp, any);
    check_curvature(carom_shape_rounded(carom_shape_cone(1, 0, 2), 0.25), carom_vec(0, 0, 1 - 0.25*sqrt(5.0) + 0.25), z,
                    4, 4, any);
    caromHull *hull = box_hull(2, 4, 6, 0, carom_pose_identity()),
              *round = box_hull(2, 4, 6, 0.25, carom_pose_identity());
    CHECK(hull && round);
    caromShape polytope = carom_shape_polytope(hull), worn_polytope = carom_shape_polytope(round);
    check_curvature(polytope, carom_vec(1, 0.5, 0.3), x, 0, 0, any);
    check_curvature(polytope, carom_vec(1, 2, 0.3), carom_vec(s2, s2, 0), 0, sharp, z);
    check_curvature(polytope, carom_vec(1, 2, 3), carom_vec(s3, s3, s3), sharp, sharp, any);
    check_curvature(worn_polytope, carom_vec(0.2, 0.5, -3), carom_neg(z), 0, 0, any);
    check_curvature(worn_polytope, carom_vec(0.75 + 0.25*s2, 0.5, 2.75 + 0.25*s2), carom_vec(s2, 0, s2), 0, 4, y);
    check_curvature(worn_polytope, carom_vec(0.75 + 0.25*s3, 1.75 + 0.25*s3, 2.75 + 0.25*s3), carom_vec(s3, s3, s3), 4,
                    4, any);
    carom_hull_destroy(hull);
    carom_hull_destroy(round);
}

// The smaller curvature of a needle and of a coin keeps its digits: at the ends of the axes it is b/a^2 and the like.
static void curvature_of_thin_ellipsoids(void **state)
{
    (void)state;
    double a = 1, b = 1e-6, c = 2e-6;
    caromCurvature k = carom_shape_curvature(carom_shape_ellipsoid(a, b, c), carom_vec(0, b, 0), carom_vec(0, 1, 0));
    CHECK_NEAR(k.k1, b/(a*a), 1e-14*b);
    CHECK_NEAR(k.k2, b/(c*c), 1e-14*b/(c*c));
    CHECK_NEAR(fabs(k.t1.x), 1, 1e-14);
}

// ------------------------------------------------------------------------------------------------ what is refused

static void refuse(caromShape s, const char *where, const char *message)
{
    caromError err = { 0 };
    CHECK(carom_shape_check(s, NULL) == CAROM_ERR_INPUT);
    CHECK(carom_shape_check(s, &err) == CAROM_ERR_INPUT && err.status == CAROM_ERR_INPUT);
    assert_string_equal(err.where, where);
    assert_string_equal(err.message, message);
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    refuse(carom_shape_sphere(0), "radius", "radius 0 m is not positive: expected a finite number above 0");
    refuse(carom_shape_sphere((double)NAN), "radius", "radius nan m is not positive: expected a finite number above 0");
    refuse(carom_shape_box(1, -2, 3), "size", "size along y -2 m is not positive: expected a finite number above 0");
    refuse(carom_shape_ellipsoid(1, 2, (double)INFINITY), "semi_axes", "semi_axes along z inf m is not positive: "
           "expected a finite number above 0");
    refuse(carom_shape_cylinder(1, 0), "length", "length 0 m is not positive: expected a finite number above 0");
    refuse(carom_shape_cone(1, -1, 1), "top_radius",
           "top_radius -1 m is not 0 or positive: expected a finite number, 0 or above");
    refuse(carom_shape_cone(0, 1, 1), "radius", "radius 0 m is not positive: expected a finite number above 0");
    refuse(carom_shape_torus(1, 1), "tube_radius",
           "tube_radius 1 m is not below radius 1 m: the ring would have no hole");
    refuse(carom_shape_polytope(NULL), "", "a polytope without a hull: make one by carom_hull_create");
    refuse(carom_shape_rounded(carom_shape_box(1, 2, 3), -0.1), "rounding", "rounding -0.1 m is not 0 or positive: "
           "expected a finite number, 0 or above");
    refuse(carom_shape_rounded(carom_shape_box(1, 2, 3), 0.6), "rounding", "rounding 0.6 m leaves nothing of this box: "
           "at most 0.5 m is possible");
    refuse(carom_shape_rounded(carom_shape_cylinder(0.5, 3), 0.5), "rounding", "rounding 0.5 m leaves no disc of this "
           "cylinder: less than 0.5 m is expected (a capsule or a sphere may be meant)");
    refuse(carom_shape_rounded(carom_shape_torus(1, 0.1), 0.1), "rounding",
           "rounding 0.1 m: this shape has no edges to round, so that 0 is expected here");
    refuse(carom_shape_rounded(carom_shape_half_space(), 0.1), "rounding",
           "rounding 0.1 m: this shape has no edges to round, so that 0 is expected here");
    refuse((caromShape){ .kind = CAROM_SHAPE_KINDS }, "", "unknown shape kind 10: expected 0 to 9");
    refuse((caromShape){ .kind = (caromShapeKind)-1 }, "", "unknown shape kind -1: expected 0 to 9");
    caromHull *hull = box_hull(1, 1, 1, 0, carom_pose_identity());
    CHECK(carom_shape_check(carom_shape_polytope(hull), NULL) == CAROM_OK);
    refuse(carom_shape_rounded(carom_shape_polytope(hull), 0.1), "rounding",
           "rounding 0.1 m: a polytope is rounded when its hull is made, so that 0 is expected here");
    carom_hull_destroy(hull);
}

static void good_shapes_are_accepted(void **state)
{
    (void)state;
    const caromShape good[] = {
        carom_shape_sphere(1), carom_shape_rounded(carom_shape_sphere(1), 1), carom_shape_ellipsoid(1, 2, 3),
        carom_shape_box(1, 2, 3), carom_shape_rounded(carom_shape_box(1, 2, 3), 0.5), carom_shape_cylinder(1, 2),
        carom_shape_rounded(carom_shape_cylinder(1, 1), 0.5), carom_shape_cone(1, 0, 1), carom_shape_cone(1, 2, 1),
        carom_shape_capsule(1, 2), carom_shape_rounded(carom_shape_capsule(1, 2), 0.5), carom_shape_torus(1, 0.5),
        carom_shape_half_space()
    };
    for (size_t i = 0; i < sizeof good/sizeof *good; i++) CHECK(carom_shape_check(good[i], NULL) == CAROM_OK);
}

// Everything scales: lengths by s, mass by s^3, moments by s^5.
static void mass_scales(void **state)
{
    (void)state;
    double s = 0x1p-10;
    for (int i = 0; i < 2; i++) {
        double r = 0.05*i;
        caromMassProps a = carom_shape_mass(carom_shape_rounded(carom_shape_cone(0.5, 0.2, 0.7), r), 1);
        caromMassProps b = carom_shape_mass(carom_shape_rounded(carom_shape_cone(0.5*s, 0.2*s, 0.7*s), r*s), 1);
        CHECK_NEAR(b.mass, a.mass*s*s*s, 0);
        CHECK_NEAR(b.inertia.cx.x, a.inertia.cx.x*s*s*s*s*s, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_frustums_weigh_what_their_profile_encloses),
        cmocka_unit_test(surfaces_are_what_growing_adds),
        cmocka_unit_test(rounded_cones_keep_their_planes),
        cmocka_unit_test(limits_are_other_shapes),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(torus_and_ellipsoid_by_slices),
        cmocka_unit_test(a_rounded_box_is_a_rounded_polytope),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(rounded_polytopes_by_counting),
        cmocka_unit_test(a_tiny_core_makes_a_ball),
        cmocka_unit_test(curvature_is_the_change_of_the_normal),
        cmocka_unit_test(curvature_by_feature),
        cmocka_unit_test(curvature_of_thin_ellipsoids),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(good_shapes_are_accepted),
        cmocka_unit_test(mass_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
