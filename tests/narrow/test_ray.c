// First hits of rays against the signed distance along them, and against closed forms.
#include "carom/collide.h"

#include <float.h>

#include "check.h"
#include "narrow/closed.h"
#include "collide_fixture.h"

static double distance_at(const caromShape *a, caromPose X, caromVec3 p, caromVec3 d, double t)
{
    return carom_collide_point(*a, X, carom_axpy(t, d, p)).g;
}

// No point of the shape on the ray before t_end: steps of the signed distance, which pass nothing, but at least of a
// small part of the size.
static void check_free_before(const caromShape *a, caromPose X, caromVec3 p, caromVec3 d, double t_end, double size,
                              double tol)
{
    double speed = carom_norm(d);
    for (double t = 0.0; t < t_end;) {
        double g = distance_at(a, X, p, d, t);
        CHECK(g > -tol || t >= t_end - 1e-9*size/speed);
        t += fmax(g, 2e-3*size)/speed;
    }
}

// d(sd)/ds at a hit: how steeply the ray enters; the error of t is that of the distance over it.
static void check_ray(caromShape a, caromPose X, caromVec3 p, caromVec3 d)
{
    double size = a.kind == CAROM_HALF_SPACE ? 1.0 : carom_shape_radius(a), speed = carom_norm(d),
           away = carom_norm(carom_sub(p, X.p));
    caromRayHit hit = carom_collide_ray(a, X, p, d, INFINITY);
    caromGap start = carom_collide_point(a, X, p);
    double tol = 2*carom_narrow_roundings(size + away + carom_norm(p));
    if (!hit.hit) {
        check_free_before(&a, X, p, d, (away + 2*size)/speed, size, tol);
        return;
    }
    CHECK_NEAR(carom_norm(hit.n_W), 1.0, 16*DBL_EPSILON);
    if (hit.inside) {
        CHECK(start.g <= tol && hit.t == 0.0);
        CHECK_VEC(hit.n_W, carom_scale(-1.0/speed, d), 4*DBL_EPSILON);
        return;
    }
    CHECK(start.g >= -tol);
    CHECK_VEC(hit.p_W, carom_axpy(hit.t, d, p), tol);
    CHECK_NEAR(carom_collide_point(a, X, hit.p_W).g, 0.0, tol);
    CHECK(carom_dot(hit.n_W, d) <= 1e-7*speed);
    // Out along a normal the distance grows as fast as it can, whichever normal an edge has given.
    double little = 1e-4*size;
    if (a.kind != CAROM_ELLIPSOID)
        CHECK_NEAR(carom_collide_point(a, X, carom_axpy(little, hit.n_W, hit.p_W)).g, little, 1e-9*size);
    check_free_before(&a, X, p, d, hit.t, size, tol);
    CHECK(carom_collide_ray(a, X, p, d, hit.t).hit);
    CHECK(hit.t == 0.0 || !carom_collide_ray(a, X, p, d, 0.999999*hit.t).hit);
}

static caromShape random_shape(Random *r, int i, caromHull **hull)
{
    *hull = NULL;
    if (i % 20 == 0) return carom_shape_half_space();
    if (i % 5 == 1) {
        double R = random_uniform(r, 0.1, 1);
        return carom_shape_torus(R, R*pow(10, random_uniform(r, -3, -0.1)));
    }
    if (i % 20 == 2) return *hull = random_hull(r, i % 40 == 2 ? 0.05 : 0.0), carom_shape_polytope(*hull);
    return random_convex(r);
}

static void rays_meet_the_first_point(void **state)
{
    (void)state;
    Random r = { 51 };
    for (int i = 0; i < 20000; i++) {
        caromHull *hull;
        caromShape a = random_shape(&r, i, &hull);
        double size = a.kind == CAROM_HALF_SPACE ? 1.0 : carom_shape_radius(a);
        caromPose X = i % 3 ? random_pose(&r, 1.0) : carom_pose_identity();
        caromVec3 target = carom_add(X.p, carom_scale(1.2*size, random_vec(&r, 1.0))),
                  p = carom_add(X.p, random_vec(&r, i % 4 == 3 ? size : 4*size));
        if (i % 7 == 0) target = X.p;
        caromVec3 d = carom_sub(target, p);
        // Along an axis of the shape.
        if (i % 3 == 0 && i % 2) d = carom_vec(i % 6 == 3 ? -1 : 0, 0, i % 6 == 3 ? 0 : -1);
        if (carom_norm(d) < 1e-3) continue;
        check_ray(a, X, p, carom_scale(pow(10, random_uniform(&r, -3, 3))/carom_norm(d), d));
        carom_hull_destroy(hull);
    }
}

// Towards a point of the surface from outside: t is known, but for the steepness there.
static void rays_at_known_points(void **state)
{
    (void)state;
    Random r = { 53 };
    int n = 0;
    for (int i = 0; i < 20000; i++) {
        caromHull *hull;
        caromShape a = random_shape(&r, i, &hull);
        caromPose X = random_pose(&r, 1.0);
        double size = a.kind == CAROM_HALF_SPACE ? 1.0 : carom_shape_radius(a);
        caromGap surface = carom_collide_point(a, X, carom_add(X.p, random_vec(&r, 2*size)));
        caromVec3 n_W = surface.n_AB, u = carom_axpy(random_uniform(&r, 0, 2), random_vec(&r, 1.0), n_W);
        double steep = carom_dot(u, n_W)/carom_norm(u), far = random_uniform(&r, 0.001, 3)*size;
        u = carom_scale(1.0/carom_norm(u), u);
        // Not where it leaves again at once: corners, the wrong side of an edge.
        bool enters = steep > 0.1 && surface.g > 0 &&
                      carom_collide_point(a, X, carom_axpy(-1e-4*size, u, surface.p_A)).g < -1e-5*size;
        caromRayHit hit = carom_collide_ray(a, X, carom_axpy(far, u, surface.p_A), carom_neg(u), 10*size);
        carom_hull_destroy(hull);
        if (!enters) continue;
        CHECK(hit.hit);
        if (a.kind != CAROM_TORUS) CHECK_NEAR(hit.t, far, 1e-12*(size + carom_norm(X.p)));  // a torus may be met before
        else CHECK(hit.t <= far + 1e-12*(size + carom_norm(X.p)));
        n++;
    }
    CHECK(n > 10000);
}

static void grazing_rays(void **state)
{
    (void)state;
    Random r = { 57 };
    for (int i = 0; i < 6000; i++) {
        caromHull *hull;
        caromShape a = random_shape(&r, i, &hull);
        caromPose X = random_pose(&r, 1.0);
        double size = a.kind == CAROM_HALF_SPACE ? 1.0 : carom_shape_radius(a);
        caromGap surface = carom_collide_point(a, X, carom_add(X.p, random_vec(&r, 2*size)));
        caromVec3 u = carom_cross(surface.n_AB, random_vec(&r, 1.0));
        u = carom_scale(1.0/carom_norm(u), u);
        double by = (i % 2 ? 1 : -1)*size*pow(10, random_uniform(&r, -16, -1));
        check_ray(a, X, carom_add(carom_axpy(by, surface.n_AB, surface.p_A), carom_scale(-2*size, u)), u);
        carom_hull_destroy(hull);
    }
}

static void far_starts(void **state)
{
    (void)state;
    Random r = { 59 };
    for (int i = 0; i < 4000; i++) {
        caromHull *hull;
        caromShape a = random_shape(&r, i, &hull);
        caromPose X = random_pose(&r, i % 2 ? 1e4 : 1.0);
        double size = a.kind == CAROM_HALF_SPACE ? 1.0 : carom_shape_radius(a);
        caromVec3 p = carom_add(X.p, random_vec(&r, i % 2 ? 3.0 : 1e4)),
                  target = carom_add(X.p, random_vec(&r, 0.3*size));
        check_ray(a, X, p, carom_sub(target, p));
        carom_hull_destroy(hull);
    }
}

static void closed_forms(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity();
    caromVec3 down = { 0, 0, -2 }, left = { -1, 0, 0 };
    CHECK_NEAR(carom_collide_ray(carom_shape_half_space(), I, carom_vec(3, 1, 4), down, 10).t, 2.0, 0);
    CHECK(!carom_collide_ray(carom_shape_half_space(), I, carom_vec(3, 1, 4), carom_vec(1, 0, 0), INFINITY).hit);
    CHECK_NEAR(carom_collide_ray(carom_shape_sphere(1), I, carom_vec(0, 0, 5), down, 10).t, 2.0, 0);
    CHECK_NEAR(carom_collide_ray(carom_shape_box(2, 2, 2), I, carom_vec(0.5, 0.5, 5), down, 10).t, 2.0, 0);
    CHECK_NEAR(carom_collide_ray(carom_shape_cone(1, 0, 2), I, carom_vec(5, 0, 0), left, 10).t, 4.5, 1e-15);
    CHECK_NEAR(carom_collide_ray(carom_shape_cone(1, 0, 2), I, carom_vec(0, 0, 5), down, 10).t, 2.0, 0);
    CHECK_NEAR(carom_collide_ray(carom_shape_cylinder(1, 2), I, carom_vec(5, 0, 0.5), left, 10).t, 4.0, 1e-15);
    CHECK_NEAR(carom_collide_ray(carom_shape_capsule(1, 2), I, carom_vec(0, 0, 5), down, 10).t, 1.5, 1e-15);
    CHECK_NEAR(carom_collide_ray(carom_shape_torus(2, 0.5), I, carom_vec(5, 0, 0), left, 10).t, 2.5, 1e-15);
    // Through the hole.
    CHECK(!carom_collide_ray(carom_shape_torus(2, 0.5), I, carom_vec(0, 0, 5), down, INFINITY).hit);
    CHECK_NEAR(carom_collide_ray(carom_shape_torus(2, 0.5), I, carom_vec(0, 0, 0), left, 10).t, 1.5, 1e-15);
    CHECK_NEAR(carom_collide_ray(carom_shape_rounded(carom_shape_box(2, 2, 2), 0.25), I, carom_vec(0.5, 0.5, 5), down,
                                 10).t, 2.0, 1e-15);
    caromRayHit inside = carom_collide_ray(carom_shape_box(2, 2, 2), I, carom_vec(0, 0, 0), down, 0.0);
    CHECK(inside.hit && inside.inside && inside.t == 0.0);
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, carom_vec(0, 0, 5), down, 1.999).hit);
}

static void no_ray(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity();
    caromVec3 p = { 0, 0, 5 }, d = { 0, 0, -1 };
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, p, carom_vec(0, 0, 0), 10).hit);
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, p, carom_vec(0, NAN, -1), 10).hit);
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, carom_vec(0, 0, INFINITY), d, 10).hit);
    CHECK(!carom_collide_ray(carom_shape_sphere(NAN), I, p, d, 10).hit);
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, p, d, NAN).hit);
    CHECK(!carom_collide_ray(carom_shape_sphere(1), I, p, d, -1).hit);
    CHECK(carom_collide_ray(carom_shape_sphere(1), I, p, carom_vec(0, 0, -1e-300), INFINITY).hit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_the_first_point), cmocka_unit_test(rays_at_known_points),
        cmocka_unit_test(grazing_rays),
        cmocka_unit_test(far_starts),                cmocka_unit_test(closed_forms),         cmocka_unit_test(no_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
