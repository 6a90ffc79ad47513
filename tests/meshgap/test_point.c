// Points and rays against meshes: every triangle, winding numbers, and a cube where the answer is known to the last
// bit.
#include <float.h>

#include "mesh_cases.h"

static void fail_at(const Thing *a, caromPose X, caromVec3 p, const char *what, double value, double limit)
{
    if (value <= limit) return;
    print_error("%s: %s is %.3g, at most %.3g, at { %.17g, %.17g, %.17g }\n", a->name, what, value, limit, p.x, p.y,
                p.z);
    print_pose("X_WA", X);
    fail();
}

typedef struct Tally {
    int inside, outside;
    double g, surface, t;
} Tally;

static void check_point(const Thing *a, caromPose X, caromVec3 p, Tally *tally)
{
    double size = fmax(a->radius, carom_norm(carom_sub(p, X.p))), far = size + carom_norm(X.p);
    double exact = (double)mesh_ref_point_distance(a->ref, p);
    bool is_inside = mesh_ref_winding(a->ref, p) > 0.5L;
    caromGap gap = carom_collide_point(a->shape, X, p);
    if (is_inside) exact = -exact;
    fail_at(a, X, p, "status", (double)gap.status, CAROM_GAP_OK);
    fail_at(a, X, p, "|g - exact|", fabs(gap.g - exact), 1e-12*size);
    // exact was rounded
    fail_at(a, X, p, "|g - exact| where error is told", fabs(gap.g - exact), gap.error + 4e-17*far);
    fail_at(a, X, p, "error", gap.error, 1e-9*size);
    fail_at(a, X, p, "p_B off the point", carom_norm(carom_sub(gap.p_B, p)), 0);
    double on_a = (double)mesh_ref_point_distance(a->ref, gap.p_A),
           vector = carom_norm(carom_sub(carom_sub(gap.p_B, gap.p_A), carom_scale(gap.g, gap.n_AB)));
    fail_at(a, X, p, "p_A off the surface", on_a, 1e-12*size);
    fail_at(a, X, p, "p_B - p_A - g n", vector, 8*DBL_EPSILON*far);
    fail_at(a, X, p, "|n| - 1", fabs(carom_norm(gap.n_AB) - 1), 16*DBL_EPSILON);
    if (fabs(exact) > 1e-12*size) fail_at(a, X, p, "contains", carom_collide_contains(a->shape, X, p) != is_inside, 0);
    tally->g = fmax(tally->g, fabs(gap.g - exact)/size);
    tally->surface = fmax(tally->surface, on_a/size);
    is_inside ? tally->inside++ : tally->outside++;
}

static void points_anywhere(void **state)
{
    (void)state;
    Random r = { 51 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {
        Thing a = thing_part(k, 300, 1);
        for (int i = 0; i < share_of(300); i++) {
            caromPose X = i%20 ? carom_pose_identity() : random_pose(&r, 0.1);
            mesh_ref_place(a.ref, X);
            check_point(&a, X, carom_pose_point(X, random_vec(&r, i%10 ? 0.05 : 1.0)), &tally);
        }
        thing_free(&a);
    }
    if (is_verbose())
        printf("anywhere: %d inside, %d outside, worst g %.1e, p_A %.1e of the size\n", tally.inside, tally.outside,
               tally.g, tally.surface);
    CHECK(tally.inside > share_of(80) && tally.outside > share_of(500));
}

// Off a face, an edge or a corner by 1e-9 to 1e-2 of the size, on one side or the other; and on it.
static void points_near_the_surface(void **state)
{
    (void)state;
    Random r = { 52 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {
        Thing a = thing_part(k, 300, 1);
        for (int i = 0; i < share_of(300); i++) {
            caromPose X = i%2 ? carom_pose_identity() : random_pose(&r, 0.1);
            caromVec3 c[3];
            mesh_ref_place(a.ref, X);
            mesh_ref_corners(a.ref, (int)random_uniform(&r, 0, mesh_ref_ntriangle(a.ref)), c);
            double s = i%4 == 0 ? 0 : i%4 == 1 ? 0.5 : random_uniform(&r, 0, 1),
                   t = i%4 < 2 ? 0 : random_uniform(&r, 0, 1 - s);
            caromVec3 on = carom_axpy(s, carom_sub(c[1], c[0]), carom_axpy(t, carom_sub(c[2], c[0]), c[0]));
            caromVec3 away = i%3 ? random_unit_vec(&r)
                                 : carom_unit_or(carom_cross(carom_sub(c[1], c[0]), carom_sub(c[2], c[0])), c[0]);
            double by = 0.1*pow(10, random_uniform(&r, -9, -2));
            check_point(&a, X, carom_axpy(i%2 ? by : -by, away, on), &tally);
            check_point(&a, X, on, &tally);
        }
        thing_free(&a);
    }
    if (is_verbose())
        printf("near the surface: %d inside, %d outside, worst g %.1e, p_A %.1e of the size\n", tally.inside,
               tally.outside, tally.g, tally.surface);
}

// ---- a cube from -1/2 to 1/2: points on planes, edges and diagonals of it, in exact numbers

static double cube_distance(caromVec3 p)
{
    double x = fabs(p.x) - 0.5, y = fabs(p.y) - 0.5, z = fabs(p.z) - 0.5;
    if (x <= 0 && y <= 0 && z <= 0) return fmax(x, fmax(y, z));
    return sqrt(fmax(x, 0)*fmax(x, 0) + fmax(y, 0)*fmax(y, 0) + fmax(z, 0)*fmax(z, 0));
}

static void points_of_a_grid(void **state)
{
    (void)state;
    Thing a = thing_box(1, 1, 1);
    caromPose X = carom_pose_identity();
    for (int i = -4; i <= 4; i++)
        for (int j = -4; j <= 4; j++)
            for (int k = -4; k <= 4; k++) {
                caromVec3 p = carom_vec(0.25*i, 0.25*j, 0.25*k);
                double exact = cube_distance(p);
                caromGap gap = carom_collide_point(a.shape, X, p);
                fail_at(&a, X, p, "|g - exact|", fabs(gap.g - exact), 2*DBL_EPSILON);
                // The surface too: numbers are exact here.
                fail_at(&a, X, p, "contains", carom_collide_contains(a.shape, X, p) != (exact <= 0), 0);
                fail_at(&a, X, p, "p_B - p_A - g n",
                        carom_norm(carom_sub(carom_sub(gap.p_B, gap.p_A), carom_scale(gap.g, gap.n_AB))),
                        4*DBL_EPSILON);
                fail_at(&a, X, p, "|n| - 1", fabs(carom_norm(gap.n_AB) - 1), 16*DBL_EPSILON);
                // Outer normals of a cube point away from its centre.
                fail_at(&a, X, p, "n against the way out", -carom_dot(gap.n_AB, gap.p_A), 0);
            }
    thing_free(&a);
}

static Thing sheet(void)
{
    Part part = part_box(carom_vec(-0.5, -0.5, 0), carom_vec(0.5, 0.5, 1));
    part.ntriangle = 2;
    return thing_raw("sheet", part);
}

static void an_open_surface_has_no_inside(void **state)
{
    (void)state;
    Random r = { 53 };
    Thing a = sheet();
    for (int i = 0; i < share_of(100); i++) {
        caromPose X = random_pose(&r, 1);
        caromVec3 p = random_vec(&r, 1);
        mesh_ref_place(a.ref, X);
        CHECK_NEAR(carom_collide_point(a.shape, X, p).g, (double)mesh_ref_point_distance(a.ref, p), 1e-14);
        CHECK(!carom_collide_contains(a.shape, X, p));
    }
    CHECK(carom_collide_point(a.shape, carom_pose_identity(), carom_vec(0.25, 0.125, 0)).g == 0);
    caromRayHit hit = carom_collide_ray(a.shape, carom_pose_identity(), carom_vec(0.25, 0.125, 1), carom_vec(0, 0, -2),
                                        1);
    CHECK(hit.hit && !hit.inside && hit.t == 0.5);
    // From below as well.
    hit = carom_collide_ray(a.shape, carom_pose_identity(), carom_vec(0.25, 0.125, -1), carom_vec(0, 0, 2), 1);
    CHECK(hit.hit && !hit.inside && hit.t == 0.5);
    thing_free(&a);
}

// ---- rays

// Where the ray meets the plane of a triangle under a small angle, t is less certain than the plane: by one over its
// sine.
static void check_ray(const Thing *a, caromPose X, caromVec3 p, caromVec3 d, Tally *tally)
{
    int triangle;
    double margin, length = carom_norm(d), size = fmax(a->radius, carom_norm(carom_sub(p, X.p)));
    double exact = (double)mesh_ref_ray(a->ref, p, d, &triangle, &margin);
    if (margin < 1e-9) return;  // past an edge: rounding decides
    caromRayHit hit = carom_collide_ray(a->shape, X, p, d, INFINITY);
    if (mesh_ref_winding(a->ref, p) > 0.5L) {
        fail_at(a, X, p, "inside", !(hit.hit && hit.inside && hit.t == 0 && same_vec(hit.p_W, p)), 0);
        fail_at(a, X, p, "n from inside", carom_norm(carom_axpy(1/length, d, hit.n_W)), 4*DBL_EPSILON);
        tally->inside++;
        return;
    }
    tally->outside++;
    fail_at(a, X, p, "hit", hit.hit != (triangle >= 0) || hit.inside, 0);
    if (triangle < 0) {
        fail_at(a, X, p, "t without a hit", !isinf(hit.t), 0);
        return;
    }
    caromVec3 c[3];
    mesh_ref_corners(a->ref, triangle, c);
    caromVec3 n = carom_cross(carom_sub(c[1], c[0]), carom_sub(c[2], c[0]));
    n = carom_unit_or(n, n);
    double sine = -carom_dot(n, d)/length;
    fail_at(a, X, p, "|t - exact|", fabs(hit.t - exact)*length*sine, 1e-13*size);
    fail_at(a, X, p, "p off the ray", carom_norm(carom_sub(hit.p_W, carom_axpy(hit.t, d, p))),
            8*DBL_EPSILON*(size + carom_norm(p) + hit.t*length));
    fail_at(a, X, p, "n", carom_norm(carom_sub(hit.n_W, n)), 1e-12);
    double little = 1e-12*size/(length*sine);
    fail_at(a, X, p, "hit beyond t_max", carom_collide_ray(a->shape, X, p, d, exact - little).hit, 0);
    fail_at(a, X, p, "no hit before t_max", !carom_collide_ray(a->shape, X, p, d, exact + little).hit, 0);
    tally->t = fmax(tally->t, fabs(hit.t - exact)*length*sine/size);
}

static void rays_anywhere(void **state)
{
    (void)state;
    Random r = { 54 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {
        Thing a = thing_part(k, 300, 1);
        for (int i = 0; i < share_of(400); i++) {
            caromPose X = i%10 ? carom_pose_identity() : random_pose(&r, 0.1);
            mesh_ref_place(a.ref, X);
            caromVec3 p = carom_pose_point(X, random_vec(&r, i%3 ? 0.2 : 0.04)),
                      q = carom_pose_point(X, random_vec(&r, 0.04));
            check_ray(&a, X, p, carom_scale(random_uniform(&r, 0.1, 10), carom_sub(q, p)), &tally);
        }
        thing_free(&a);
    }
    if (is_verbose())
        printf("rays: %d from inside, %d from outside, worst t |sin| %.1e of the size\n", tally.inside, tally.outside,
               tally.t);
    CHECK(tally.inside > share_of(100) && tally.outside > share_of(1000));
}

// Through a corner, or a point of an edge, to a point inside: there is no way in without a hit, whatever the rounding.
static void rays_never_leak(void **state)
{
    (void)state;
    Random r = { 55 };
    int n = 0;
    for (int k = -1; k < PART_KINDS; k++) {
        Thing a = k < 0 ? thing_box(1, 1, 1) : thing_part(k, 300, 1);
        for (int i = 0; i < share_of(2000); i++) {
            caromPose X = i%2 ? carom_pose_identity() : random_pose(&r, 0.1);
            caromVec3 c[3], inside;
            mesh_ref_place(a.ref, X);
            mesh_ref_corners(a.ref, (int)random_uniform(&r, 0, mesh_ref_ntriangle(a.ref)), c);
            double s = i%3 == 0 ? 0 : i%3 == 1 ? 0.5 : random_uniform(&r, 0, 1);
            caromVec3 through = carom_axpy(s, carom_sub(c[1], c[0]), c[0]);
            caromVec3 n_out = carom_unit_or(carom_cross(carom_sub(c[1], c[0]), carom_sub(c[2], c[0])), c[0]);
            inside = k < 0 ? carom_pose_point(X, random_vec(&r, 0.45)) : carom_axpy(-0.001, n_out, through);
            if (k >= 0 && (mesh_ref_winding(a.ref, inside) < 0.5L || mesh_ref_point_distance(a.ref, inside) < 1e-6L))
                continue;
            double back = random_uniform(&r, 0.1, 10);
            caromVec3 d = carom_scale(1 + back, carom_sub(inside, through)), p = carom_sub(inside, d);
            caromRayHit hit = carom_collide_ray(a.shape, X, p, d, 1);
            n++;
            fail_at(&a, X, p, "leak", !hit.hit, 0);
            fail_at(&a, X, p, "off the surface", hit.inside ? 0 : (double)mesh_ref_point_distance(a.ref, hit.p_W),
                    1e-12*fmax(a.radius, carom_norm(d)));
            if (k < 0) CHECK_NEAR(hit.t, back/(1 + back), 1e-12/carom_norm(d)*10);
        }
        thing_free(&a);
    }
    CHECK(n > share_of(6000));
}

// Along the axes, through corners, edges and diagonals of the faces. Those that pass inside the square must hit;
// along the border they may.
static void rays_along_the_axes(void **state)
{
    (void)state;
    Thing a = thing_box(1, 1, 1);
    caromPose X = carom_pose_identity();
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            for (int i = -4; i <= 4; i++)
                for (int j = -4; j <= 4; j++) {
                    double u = 0.25*i, v = 0.25*j, w = 2.0*side, edge = fmax(fabs(u), fabs(v));
                    caromVec3 p = axis == 0 ? carom_vec(w, u, v) : axis == 1 ? carom_vec(v, w, u) : carom_vec(u, v, w);
                    caromVec3 d = axis == 0 ? carom_vec(-w, 0, 0) : axis == 1 ? carom_vec(0, -w, 0)
                                            : carom_vec(0, 0, -w);
                    caromRayHit hit = carom_collide_ray(a.shape, X, p, d, INFINITY);
                    if (edge == 0.5) continue;
                    fail_at(&a, X, p, "hit", hit.hit != (edge < 0.5), 0);
                    if (hit.hit) fail_at(&a, X, p, "t", fabs(hit.t - 0.75), 2*DBL_EPSILON);
                    if (hit.hit) fail_at(&a, X, p, "n", carom_norm(carom_axpy(0.5, d, hit.n_W)), 2*DBL_EPSILON);
                }
    // From all corners of a larger cube through those of the smaller one, to its centre; from the middles of
    // edges and faces as well.
    for (int i = 0; i < 27; i++) {
        caromVec3 d = carom_vec(i%3 - 1, i/3%3 - 1, i/9 - 1);
        if (i == 13) continue;
        caromRayHit hit = carom_collide_ray(a.shape, X, carom_scale(-2, d), d, INFINITY);
        fail_at(&a, X, d, "hit to the centre", !hit.hit, 0);
        fail_at(&a, X, d, "t to the centre", fabs(hit.t - 1.5), 4*DBL_EPSILON);
    }
    thing_free(&a);
}

static void rays_that_are_no_rays(void **state)
{
    (void)state;
    Thing a = thing_box(1, 1, 1);
    caromPose X = carom_pose_identity();
    CHECK(!carom_collide_ray(a.shape, X, carom_vec(2, 0, 0), carom_vec(0, 0, 0), INFINITY).hit);
    caromRayHit hit = carom_collide_ray(a.shape, X, carom_vec(0.25, 0, 0), carom_vec(0, 0, 1), 0);
    CHECK(hit.hit && hit.inside && hit.t == 0);
    CHECK(!carom_collide_ray(a.shape, X, carom_vec(2, 0, 0), carom_vec(1, 0, 0), INFINITY).hit);
    CHECK(!carom_collide_ray(a.shape, X, carom_vec(2, 0.1, 0.2), carom_vec(-1, 0, 0), 1.4).hit);
    CHECK(carom_collide_ray(a.shape, X, carom_vec(2, 0.1, 0.2), carom_vec(-1, 0, 0), 1.6).hit);
    thing_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_anywhere),
        cmocka_unit_test(points_near_the_surface),
        cmocka_unit_test(points_of_a_grid),
        cmocka_unit_test(an_open_surface_has_no_inside),
        cmocka_unit_test(rays_anywhere),
        cmocka_unit_test(rays_never_leak),
        cmocka_unit_test(rays_along_the_axes),
        cmocka_unit_test(rays_that_are_no_rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
