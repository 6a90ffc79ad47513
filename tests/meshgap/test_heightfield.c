// Height fields: what they weigh and how far things are from them, against closed forms.
#include <float.h>

#include "carom/collide.h"
#include "carom/mesh.h"
#include "check.h"

static const double eps = DBL_EPSILON;

// z = slope.x x + slope.y y + A sin(k x) on a grid around the origin.
typedef struct Terrain {
    double slope[2], A, k, cell, depth;
    int nx, ny;
} Terrain;

static caromMesh *terrain(Terrain t, caromMeshReport *report)
{
    double *h = malloc((size_t)(t.nx*t.ny)*sizeof *h);
    assert_non_null(h);
    for (int row = 0; row < t.ny; row++)
        for (int column = 0; column < t.nx; column++) {
            double x = t.cell*(column - 0.5*(t.nx - 1)), y = t.cell*(0.5*(t.ny - 1) - row);
            h[row*t.nx + column] = t.slope[0]*x + t.slope[1]*y + t.A*sin(t.k*x);
        }
    caromError err = { 0 };
    caromHeightfield field = { h, t.nx, t.ny, t.cell, t.depth };
    caromMesh *mesh = carom_mesh_heightfield(&field, report, &err);
    if (!mesh) fail_msg("%s: %s", err.where, err.message);
    free(h);
    return mesh;
}

static caromPose at(double x, double y, double z)
{
    return carom_pose(carom_mat_identity(), carom_vec(x, y, z));
}

// Under a plane of slopes a and b over W x H, of mean height c above its base: volume W H c, and the centre of mass at
// x = a W^2/(12 c), y = b H^2/(12 c).
static void a_tilted_plane_weighs_its_closed_form(void **state)
{
    (void)state;
    static const int sizes[][2] = { { 2, 2 }, { 2, 9 }, { 9, 2 }, { 17, 9 } };
    for (int i = 0; i < 4; i++) {
        Terrain t = { .slope = { 0.25, -0.5 }, .cell = 0.125, .depth = 0.5, .nx = sizes[i][0], .ny = sizes[i][1] };
        caromMeshReport r;
        caromMesh *mesh = terrain(t, &r);
        double W = t.cell*(t.nx - 1), H = t.cell*(t.ny - 1), c = 0.25*W/2 + 0.5*H/2 + t.depth;
        CHECK(r.is_closed && r.is_oriented && r.components == 1 && r.triangles_turned == 0 &&
              r.components_turned == 0 && r.crossings == 0 && r.vertices_merged == 0 && r.degenerate_removed == 0);
        CHECK(r.triangles_read == 2*(t.nx - 1)*(t.ny - 1) + 6*(t.nx - 1 + t.ny - 1));
        caromMassProps m = carom_mesh_mass(mesh, 1);
        CHECK_NEAR(m.mass, W*H*c, 64*eps*W*H*c);
        CHECK_NEAR(m.com.x, 0.25*W*W/(12*c), 64*eps);
        CHECK_NEAR(m.com.y, -0.5*H*H/(12*c), 64*eps);
        carom_mesh_destroy(mesh);
    }
}

// The first row is at the largest y and runs along x.
static void heights_lie_as_on_a_map(void **state)
{
    (void)state;
    static const double h[] = { 5, 6, 7, 1, 2, 3 };
    caromHeightfield field = { h, 3, 2, 0.5, 1 };
    caromMesh *mesh = carom_mesh_heightfield(&field, NULL, NULL);
    const caromVec3 *v;
    assert_non_null(mesh);
    assert_int_equal(carom_mesh_vertices(mesh, &v), 6 + 6 + 1);
    CHECK_VEC(v[0], carom_vec(-0.5, 0.25, 5), 0);
    CHECK_VEC(v[2], carom_vec(0.5, 0.25, 7), 0);
    CHECK_VEC(v[3], carom_vec(-0.5, -0.25, 1), 0);
    CHECK_VEC(v[5], carom_vec(0.5, -0.25, 3), 0);
    CHECK(carom_mesh_report(mesh)->low.z == 0);
    carom_mesh_destroy(mesh);
}

// Wherever a sphere is over a plane field, and in it, its gap is that of the half-space.
static void a_plane_field_is_a_half_space(void **state)
{
    (void)state;
    Random r = { 77 };
    Terrain t = { .slope = { 0.25, -0.125 }, .cell = 0.1, .depth = 3, .nx = 41, .ny = 31 };
    caromMesh *mesh = terrain(t, NULL);
    caromVec3 n = carom_vec(-0.25, 0.125, 1);
    double size = carom_norm(n);
    n = carom_scale(1/size, n);
    for (int i = 0; i < share_of(2000); i++) {
        double x = random_uniform(&r, -1, 1), y = random_uniform(&r, -0.7, 0.7), R = random_uniform(&r, 0.01, 0.3),
               z = 0.25*x - 0.125*y + random_uniform(&r, -0.4, 0.8);
        caromGap gap = carom_collide_shapes(carom_shape_mesh(mesh), carom_pose_identity(), carom_shape_sphere(R),
                                            at(x, y, z));
        double g = (z - 0.25*x + 0.125*y)/size - R;
        CHECK(gap.status == CAROM_GAP_OK);
        CHECK_NEAR(gap.g, g, 1e-14*4);  // of a field of 4 m
        CHECK_VEC(gap.n_AB, n, 1e-12);
    }
    carom_mesh_destroy(mesh);
}

// Distance of (x, z) from z = A sin(k x): the best of many places, made better by Newton's method on
// (s - x) + (f(s) - z) f'(s) = 0.
static double distance_from_sine(double A, double k, double x, double z)
{
    double best = INFINITY, s = x;
    for (int i = -2000; i <= 2000; i++) {
        double at_s = x + 1e-3*i, d = hypot(at_s - x, A*sin(k*at_s) - z);
        if (d < best) best = d, s = at_s;
    }
    for (int i = 0; i < 8; i++) {
        double f = A*sin(k*s), f1 = A*k*cos(k*s), f2 = -k*k*f;
        s -= (s - x + (f - z)*f1)/(1 + f1*f1 + (f - z)*f2);
    }
    return fmin(best, hypot(s - x, A*sin(k*s) - z));
}

// Between its points the field is off by at most A k^2 cell^2/8, and so is the distance of a sphere from it.
static void a_sphere_on_a_sine_is_as_far_as_the_grid_is_fine(void **state)
{
    (void)state;
    static const double cells[] = { 0.1, 0.05, 0.025 };
    const double A = 0.2, k = 3.0;
    for (int c = 0; c < 3; c++) {
        Random r = { 5 };
        Terrain t = { .A = A, .k = k, .cell = cells[c], .depth = 1, .nx = (int)(8/cells[c]) + 1, .ny = 9 };
        caromMesh *mesh = terrain(t, NULL);
        double worst = 0;
        for (int i = 0; i < share_of(300); i++) {
            double x = random_uniform(&r, -2, 2), z = A*sin(k*x) + random_uniform(&r, 0.05, 0.6), R = 0.05;
            caromGap gap = carom_collide_shapes(carom_shape_sphere(R), at(x, 0.1*cells[c], z), carom_shape_mesh(mesh),
                                                carom_pose_identity());
            worst = fmax(worst, fabs(gap.g - (distance_from_sine(A, k, x, z) - R)));
        }
        CHECK(worst <= A*k*k*cells[c]*cells[c]/8 + 1e-12);
        CHECK(worst >= 0.2*A*k*k*cells[c]*cells[c]/8 || share_of(300) < 300);  // and no more exact than can be
        carom_mesh_destroy(mesh);
    }
}

// A cell is bent along the diagonal whose ends differ less: a ridge from corner to corner has its height all along.
static void ridges_stay_straight(void **state)
{
    (void)state;
    static const double ridges[2][4] = { { 1, 0, 0.25, 1 }, { 0.25, 1, 1, 0 } };
    for (int i = 0; i < 2; i++) {
        caromHeightfield field = { ridges[i], 2, 2, 1, 1 };
        caromMesh *mesh = carom_mesh_heightfield(&field, NULL, NULL);
        assert_non_null(mesh);
        CHECK(carom_collide_point(carom_shape_mesh(mesh), carom_pose_identity(), carom_vec(0, 0, 1.5)).g == 0.5);
        carom_mesh_destroy(mesh);
    }
}

static void bad_fields_are_told(void **state)
{
    (void)state;
    static const double h[] = { 0, 1, 2, NAN };
    static const struct { caromHeightfield field; const char *where, *message; } cases[] = {
        { { NULL, 2, 2, 1, 1 }, "heights", "are 2 x 2, expected a grid of 2 x 2 or more" },
        { { h, 1, 4, 1, 1 }, "heights", "are 1 x 4, expected a grid of 2 x 2 or more" },
        { { h, 3000, 3000, 1, 1 }, "heights", "are 3000 x 3000, more than the limit of 4000000: take every second one" },
        { { h, 2, 2, 0, 1 }, "cell", "is 0 m, expected the distance of neighbours, above 0" },
        { { h, 2, 2, 1, -1 }, "depth", "is -1 m, expected the depth of the base below the lowest height, above 0" },
        { { h, 2, 2, 1, 1 }, "heights[1][1]", "is nan m: heights must be finite and below 1e+50" },
    };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        caromError err = { 0 };
        assert_null(carom_mesh_heightfield(&cases[i].field, NULL, &err));
        assert_string_equal(err.where, cases[i].where);
        assert_string_equal(err.message, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tilted_plane_weighs_its_closed_form),
        cmocka_unit_test(heights_lie_as_on_a_map),
        cmocka_unit_test(a_plane_field_is_a_half_space),
        cmocka_unit_test(a_sphere_on_a_sine_is_as_far_as_the_grid_is_fine),
        cmocka_unit_test(ridges_stay_straight),
        cmocka_unit_test(bad_fields_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
