// Surfaces that cross themselves, against counting all pairs by brute force and against cases that can be counted by
// hand.
#include <time.h>

#include "geometry/exact.h"
#include "mesh_fixture.h"

static Raw moved(Raw raw, double x, double y, double z)
{
    for (int i = 0; i < raw.nvertex; i++) raw.vertices[i] = carom_add(raw.vertices[i], carom_vec(x, y, z));
    return raw;
}

static int crossings_of(Raw raw)  // frees it
{
    caromMeshReport r;
    carom_mesh_destroy(mesh_of(&raw, &r));
    raw_free(&raw);
    CHECK(r.are_crossings_counted);
    return r.crossings;
}

// ---- signs

// Points on the plane x + y + z = 3 c with coordinates that add up exactly; a step of the last digit off it shows,
// where the determinant in doubles is noise.
static void signs_are_exact(void **state)
{
    (void)state;
    double c = 0x1p20 + 1.0/3;
    caromVec3 a = carom_vec(c, c, c), b = carom_vec(c + 0.5, c - 0.5, c), d = carom_vec(c, c + 0.25, c - 0.25),
              p = carom_vec(c - 0.75, c + 0.5, c + 0.25);
    CHECK(carom_geometry_side_of_plane(a, b, d, p) == 0);
    caromVec3 up = p, down = p;
    up.x = nextafter(p.x, INFINITY);
    down.x = nextafter(p.x, -INFINITY);
    CHECK(carom_geometry_side_of_plane(a, b, d, up) == 1);
    CHECK(carom_geometry_side_of_plane(a, b, d, down) == -1);
    CHECK(carom_geometry_side_of_plane(a, d, b, up) == -1);
    // Corners 1e16 times as far away as the step: two roundings in each difference.
    caromVec3 far = carom_vec(1e10, 1e10 + 3e-6, 1.0), other = carom_vec(-1e10, 1e-10, 1.0),
              third = carom_vec(1e-10, -1e10, 1.0);
    CHECK(carom_geometry_side_of_plane(far, other, third, carom_vec(0.1, 0.7, 1.0)) == 0);
    CHECK(carom_geometry_side_of_plane(far, other, third, carom_vec(0.1, 0.7, nextafter(
            1.0, 2.0)))*carom_geometry_side_of_plane(far, other, third, carom_vec(0.1, 0.7, 0.0)) == -1);
    CHECK(carom_geometry_turn_in_plane(carom_vec(0.5, 0.5, 9), carom_vec(12, 12, -7), carom_vec(24, 24, 3), 2) == 0);
    CHECK(carom_geometry_turn_in_plane(carom_vec(0.5, 0.5, 9), carom_vec(12, 12, -7),
                                       carom_vec(24, nextafter(24, 25), 3), 2) == 1);
    CHECK(carom_geometry_turn_in_plane(carom_vec(9, 0, 0), carom_vec(9, 1, 0), carom_vec(9, 0, 1), 0) == 1);
    CHECK(carom_geometry_turn_in_plane(carom_vec(0, 9, 0), carom_vec(1, 9, 0), carom_vec(0, 9, 1), 1) == -1);
}

// ---- brute force

static double side(caromVec3 a, caromVec3 b, caromVec3 c, caromVec3 d)
{
    return carom_dot(carom_cross(carom_sub(b, a), carom_sub(c, a)), carom_sub(d, a));
}

static bool edge_through(const caromVec3 *t, caromVec3 p, caromVec3 q)
{
    double x = side(p, q, t[0], t[1]), y = side(p, q, t[1], t[2]), z = side(p, q, t[2], t[0]);
    return side(t[0], t[1], t[2], p)*side(t[0], t[1], t[2], q) < 0 &&
           ((x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0));
}

static bool triangles_cross(const caromVec3 a[3], const caromVec3 b[3])
{
    for (int k = 0; k < 3; k++)
        if (edge_through(a, b[k], b[(k + 1)%3]) || edge_through(b, a[k], a[(k + 1)%3])) return true;
    return false;
}

// Of the pairs without a common corner; where the parts do not touch there are no others.
static int count_by_force(const Raw *raw)
{
    int n = 0;
    for (int i = 0; i < raw->ntriangle; i++)
        for (int j = 0; j < i; j++) {
            caromVec3 a[3], b[3];
            bool is_neighbour = false;
            for (int k = 0; k < 9; k++) is_neighbour = is_neighbour || raw->triangles[i][k/3] == raw->triangles[j][k%3];
            for (int k = 0; k < 3; k++)
                a[k] = raw->vertices[raw->triangles[i][k]], b[k] = raw->vertices[raw->triangles[j][k]];
            n += !is_neighbour && triangles_cross(a, b);
        }
    return n;
}

static void rings_in_any_place_cross_as_often_as_all_pairs_say(void **state)
{
    (void)state;
    Random random = { 7 };
    int most = 0;
    for (int trial = 0; trial < 20; trial++) {
        Raw raw = torus(1, 0.4, 15, 8), other = torus(1, 0.4, 15, 8);
        caromQuat q = carom_quat_normalized(carom_quat(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                                       random_uniform(&random, -1, 1), random_uniform(&random, -1, 1)));
        caromVec3 shift = carom_scale(1.5, carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                                     random_uniform(&random, -1, 1)));
        for (int i = 0; i < other.nvertex; i++)
            other.vertices[i] = carom_add(shift, carom_mul(carom_quat_matrix(q), other.vertices[i]));
        raw = joined(raw, other);
        int n = count_by_force(&raw), found = crossings_of(raw);
        assert_int_equal(found, n);
        most = n > most ? n : most;
    }
    CHECK(most > 50);
}

// ---- by hand

static void surfaces_in_order_do_not_cross(void **state)
{
    (void)state;
    const double profile[3][2] = { { 1, 0 }, { 0.2, 0.5 }, { 1, 1 } };
    assert_int_equal(crossings_of(cube(0.5)), 0);
    assert_int_equal(crossings_of(bolt()), 0);
    assert_int_equal(crossings_of(torus(1, 0.3, 60, 30)), 0);
    assert_int_equal(crossings_of(exploded(torus(0.1, 0.0999, 60, 30))), 0);
    assert_int_equal(crossings_of(lathe(profile, 3, 500)), 0);
}

static void parts_that_touch_do_not_cross(void **state)
{
    (void)state;
    // Faces, edges, corners.
    const caromVec3 shifts[] = { { 1, 0.25, 0.125 }, { 0.5, 0.25, -1 }, { 1, 1, 0.125 }, { -1, 0.25, 1 }, { 1, 1, 1 },
                                 { 1, 0, 0.5 } };
    for (int i = 0; i < 6; i++)
        assert_int_equal(crossings_of(joined(cube(0.5), moved(cube(0.5), shifts[i].x, shifts[i].y, shifts[i].z))), 0);
    // Bars across each other: edges meet in points.
    assert_int_equal(crossings_of(joined(box(carom_vec(-3, -1, 0), carom_vec(3, 1, 1)),
                                         box(carom_vec(-1, -3, 1), carom_vec(1, 3, 2)))), 0);
    // The wall between two solids with the same corners but another diagonal: opposite sides, in the same plane.
    Raw left = box(carom_vec(0, 0, 0), carom_vec(1, 1, 1)), right = box(carom_vec(1, 0, 0), carom_vec(2, 1, 1));
    set_triangle(&right, 8, 0, 4, 2);
    set_triangle(&right, 9, 2, 4, 6);
    assert_int_equal(crossings_of(joined(left, right)), 0);
}

// Of two cubes with a corner in each other, edges go through the diagonals of faces.
static void parts_in_each_other_cross(void **state)
{
    (void)state;
    CHECK(crossings_of(joined(cube(0.5), moved(cube(0.5), 0.9, 0.9, 0.9))) > 0);
    CHECK(crossings_of(joined(cube(0.5), moved(cube(0.5), 0.9, 0.8, 0.7))) > 0);
    // flush: only planes in common
    CHECK(crossings_of(joined(cube(0.5), moved(cube(0.5), 0.5, 0, 0))) > 0);
    // A bar through it.
    CHECK(crossings_of(joined(cube(0.5), box(carom_vec(-1, -0.25, -0.25), carom_vec(1, 0.25, 0.25)))) > 0);
    caromVec3 v[6] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.25, 0.25, -1 }, { 0.25, 0.25, 1 }, { 1, 1, 2 } };
    Raw raw = raw_alloc(6, 2);
    for (int i = 0; i < 6; i++) raw.vertices[i] = v[i];
    set_triangle(&raw, 0, 0, 1, 2);
    set_triangle(&raw, 1, 3, 4, 5);
    assert_int_equal(crossings_of(raw), 1);
}

// Two triangles with one corner in common, one through the other; and a fold: an edge with both triangles on the same
// side of it.
static void neighbours_cross_too(void **state)
{
    (void)state;
    caromVec3 corner[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.25, 0.25, 1 }, { 0.25, 0.25, -1 } };
    Raw raw = raw_alloc(5, 2);
    for (int i = 0; i < 5; i++) raw.vertices[i] = corner[i];
    set_triangle(&raw, 0, 0, 1, 2);
    set_triangle(&raw, 1, 0, 3, 4);
    assert_int_equal(crossings_of(raw), 1);
    caromVec3 fold[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.25, 1, 0 }, { 0.5, 0.5, 0 } };
    for (int above = 0; above < 2; above++) {
        raw = raw_alloc(4, 2);
        for (int i = 0; i < 4; i++) raw.vertices[i] = fold[i];
        raw.vertices[3].z = above ? 1e-12 : 0;
        set_triangle(&raw, 0, 0, 1, 2);
        set_triangle(&raw, 1, 1, 0, 3);
        assert_int_equal(crossings_of(raw), above ? 0 : 1);
    }
}

// ---- time

static caromMeshReport report_of(Raw raw, double *seconds)  // frees it
{
    caromMeshReport r;
    clock_t start = clock();
    carom_mesh_destroy(mesh_of(&raw, &r));
    *seconds = (double)(clock() - start)/CLOCKS_PER_SEC;
    raw_free(&raw);
    return r;
}

static Raw soup(int n, bool is_flat)
{
    Random random = { 3 };
    Raw raw = raw_alloc(3*n, n);
    for (int i = 0; i < 3*n; i++) {
        raw.vertices[i] = carom_vec(random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                    is_flat ? 0 : random_uniform(&random, -1, 1));
        raw.triangles[i/3][i%3] = i;
    }
    return raw;
}

static void all_through_all_comes_to_an_end(void **state)
{
    (void)state;
    for (int is_flat = 0; is_flat < 2; is_flat++) {
        double seconds;
        caromMeshReport r = report_of(soup(20000, is_flat), &seconds);
        assert_int_equal(r.crossings, CAROM_MESH_CROSSINGS_MAX);
        CHECK(!r.are_crossings_counted);
        CHECK(seconds < 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(rings_in_any_place_cross_as_often_as_all_pairs_say),
        cmocka_unit_test(surfaces_in_order_do_not_cross),
        cmocka_unit_test(parts_that_touch_do_not_cross),
        cmocka_unit_test(parts_in_each_other_cross),
        cmocka_unit_test(neighbours_cross_too),
        cmocka_unit_test(all_through_all_comes_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
