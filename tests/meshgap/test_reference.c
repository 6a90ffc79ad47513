// The references themselves: certificates of optimality, closed forms, and agreement of two ways to the same number.
#include "mesh_reference.h"

#include <float.h>

#include "collide_fixture.h"
#include "mesh_parts.h"

static caromMesh *mesh_from(Part part)
{
    caromMesh *mesh = carom_mesh_create(part.vertices, part.nvertex, (const int (*)[3])part.triangles, part.ntriangle,
                                        NULL, NULL);
    assert_non_null(mesh);
    part_free(&part);
    return mesh;
}

static caromVec3 point(const Real p[3]) { return carom_vec((double)p[0], (double)p[1], (double)p[2]); }

// p and q are the closest points of two convex sets if and only if nothing of A is beyond p and nothing of B
// before q, seen along q - p.
static void the_closest_points_of_triangles_are_certified(void **state)
{
    (void)state;
    Random r = { 11 };
    int ncrossing = 0, kinds[4][4] = { { 0 } };
    for (int i = 0; i < share_of(20000); i++) {
        caromVec3 v[2][3];
        static const int corners[1][3] = { { 0, 1, 2 } };
        double size = i%3 ? 1.0 : 0.05;  // small ones far from each other meet with their corners
        for (int k = 0; k < 3; k++)
            v[0][k] = random_vec(&r, size), v[1][k] = carom_add(random_vec(&r, size), carom_vec(0.3, 0.2, 0));
        caromMesh *mesh[2] = { carom_mesh_create(v[0], 3, corners, 1, NULL, NULL),
                               carom_mesh_create(v[1], 3, corners, 1, NULL, NULL) };
        RefMesh *a = mesh_ref_create(mesh[0]), *b = mesh_ref_create(mesh[1]);
        assert_true(a && b);
        RefPair pair = mesh_ref_triangles(a, 0, b, 0);
        caromVec3 p = point(pair.p_A), q = point(pair.p_B), d = carom_sub(q, p);
        CHECK_NEAR((double)pair.g, carom_norm(d), 1e-15);
        CHECK_NEAR((double)mesh_ref_point_distance(a, p), 0, 1e-15);  // points were rounded to double
        CHECK_NEAR((double)mesh_ref_point_distance(b, q), 0, 1e-15);
        for (int k = 0; k < 3; k++) {
            CHECK(carom_dot(carom_sub(v[0][k], p), d) <= 4e-15);
            CHECK(carom_dot(carom_sub(v[1][k], q), d) >= -4e-15);
        }
        ncrossing += pair.is_crossing;
        kinds[pair.a.n][pair.b.n]++;
        mesh_ref_destroy(a), mesh_ref_destroy(b);
        carom_mesh_destroy(mesh[0]), carom_mesh_destroy(mesh[1]);
    }
    CHECK(ncrossing > share_of(500) && kinds[3][3] == ncrossing);
    const int few = share_of(100);
    CHECK(kinds[1][1] > few && kinds[1][2] > few && kinds[2][1] > few && kinds[2][2] > few && kinds[1][3] > few &&
          kinds[3][1] > few);
}

static void passing_over_pairs_changes_nothing(void **state)
{
    (void)state;
    Random r = { 12 };
    for (int i = 0; i < 6; i++) {
        caromMesh *ma = part_mesh(i%PART_KINDS, 300, 1, NULL), *mb = part_mesh((i + 2)%PART_KINDS, 300, 1, NULL);
        RefMesh *a = mesh_ref_create(ma), *b = mesh_ref_create(mb);
        mesh_ref_place(a, random_pose(&r, 0.05));
        mesh_ref_place(b, random_pose(&r, 0.05));
        if (i%2) mesh_ref_move(b, carom_vec(0.1, 0.05, 0), 1);
        CHECK(mesh_ref_distance(a, b).g == mesh_ref_distance_of_all(a, b).g);
        mesh_ref_destroy(a), mesh_ref_destroy(b);
        carom_mesh_destroy(ma), carom_mesh_destroy(mb);
    }
}

// Corner of a cube above the face of another: 1 corner, 3 edges and 3 x 2 triangles around it; below, two
// triangles share the face.
static void witnesses_of_a_cube_on_its_corner(void **state)
{
    (void)state;
    caromMesh *floor = mesh_from(part_box(carom_vec(-2, -2, -1), carom_vec(2, 2, 0))),
              *cube = mesh_from(part_box(carom_vec(0, 0, 0), carom_vec(1, 1, 1)));
    RefMesh *a = mesh_ref_create(floor), *b = mesh_ref_create(cube);
    RefPair pairs[16];
    int before;
    caromQuat turn_x = carom_quat_axis_angle(carom_vec(1, 0, 0), 0.7853981633974483),
              turn_y = carom_quat_axis_angle(carom_vec(0, 1, 0), -atan(sqrt(0.5)));
    caromMat3 R = carom_quat_matrix(carom_quat_mul(turn_y, turn_x));
    mesh_ref_place(b, carom_pose(R, carom_vec(0.5, 0.25, 0.125)));
    int n = mesh_ref_witnesses(a, b, 0.126, 1e-9, pairs, 16, &before);
    // The corner has four to six of the cube's triangles, one of the floor's is below.
    CHECK(n == 1 && before >= 4 && before <= 6);
    CHECK_NEAR((double)pairs[0].g, 0.125, 1e-16);
    CHECK(pairs[0].a.n == 3 && pairs[0].b.n == 1 && pairs[0].b.v[0] == 0);
    CHECK_VEC(point(pairs[0].p_A), carom_vec(0.5, 0.25, 0), 1e-16);
    CHECK(mesh_ref_witnesses(a, b, 0.125, 1e-9, pairs, 16, NULL) == 0);
    CHECK(mesh_ref_witnesses(a, b, 0.126, 1e-9, pairs, 0, NULL) == -1);
    mesh_ref_destroy(a), mesh_ref_destroy(b);
    carom_mesh_destroy(floor), carom_mesh_destroy(cube);
}

static bool same_feature(RefFeature a, RefFeature b) { return a.n == b.n && a.v[0] == b.v[0] && a.v[1] == b.v[1]; }

// Merging by place and merging by feature are the same.
static void witnesses_have_different_features(void **state)
{
    (void)state;
    enum { MAX = 4000 };
    static RefPair pairs[MAX];
    Random r = { 13 };
    caromMesh *ma = part_mesh(PART_DOUGHNUT, 300, 1, NULL), *mb = part_mesh(PART_BOLT, 300, 1, NULL);
    RefMesh *a = mesh_ref_create(ma), *b = mesh_ref_create(mb);
    int most = 0;
    for (int i = 0; i < 10; i++) {
        mesh_ref_place(a, random_pose(&r, 0.01));
        mesh_ref_place(b, random_pose(&r, 0.05));
        int before, n = mesh_ref_witnesses(a, b, 0.004, 1e-10, pairs, MAX, &before);
        CHECK(n >= 0 && n <= before);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < j; k++)
                CHECK(!same_feature(pairs[j].a, pairs[k].a) || !same_feature(pairs[j].b, pairs[k].b));
        if (n > most) most = n;
    }
    CHECK(most > 100);
    mesh_ref_destroy(a), mesh_ref_destroy(b);
    carom_mesh_destroy(ma), carom_mesh_destroy(mb);
}

// 3000 solid angles of one rounding each.
static void winding_numbers_are_whole(void **state)
{
    (void)state;
    Random r = { 14 };
    caromMesh *mesh = part_mesh(PART_DOUGHNUT, 1500, 1, NULL);
    RefMesh *m = mesh_ref_create(mesh);
    for (int i = 0; i < share_of(200); i++) {
        caromVec3 p = random_vec(&r, 0.06);
        double w = (double)mesh_ref_winding(m, p), ring = hypot(hypot(p.x, p.y) - 0.035, p.z);
        CHECK_NEAR(w, round(w), 1e-15);
        if (ring > 0.015) CHECK_NEAR(w, 0, 1e-15);
        if (ring < 0.014) CHECK_NEAR(w, 1, 1e-15);  // chords fall short by 0.04 r at most
    }
    mesh_ref_destroy(m);
    carom_mesh_destroy(mesh);
}

// A small cube in the floor of the bracket: up through the plate into the U, sideways through the wall into the open.
static void the_first_way_out_may_lead_into_a_pocket(void **state)
{
    (void)state;
    caromMesh *ma = part_mesh(PART_BRACKET, 300, 1, NULL),
              *mb = mesh_from(part_box(carom_vec(0, 0, 0), carom_vec(0.001, 0.001, 0.001)));
    RefMesh *a = mesh_ref_create(ma), *b = mesh_ref_create(mb);
    double last;
    mesh_ref_place(b, pose_at(0.03, 0.0301, -0.0391));  // the plate is from -0.045 to -0.035
    CHECK_NEAR(mesh_ref_first_clear(a, b, carom_vec(0, 0, 1), 1e-9, &last), 0.0041, 1e-15);
    CHECK_NEAR(last, 0.0041, 1e-15);
    CHECK_NEAR(mesh_ref_first_clear(a, b, carom_vec(0, 0, -1), 1e-9, &last), 0.0069, 1e-15);
    CHECK_NEAR(mesh_ref_first_clear(a, b, carom_vec(1, 0, 0), 1e-9, NULL), 0.015, 1e-15);
    // In the pocket near a wall: clear at once, and again behind the wall.
    mesh_ref_move(b, carom_vec(0, 0, 1), 0.0091);
    mesh_ref_place(b, pose_at(0.03, 0.0301, -0.03));
    CHECK_NEAR(mesh_ref_first_clear(a, b, carom_vec(1, 0, 0), 1e-9, &last), 0, 0);
    CHECK_NEAR(last, 0.015, 1e-15);
    mesh_ref_destroy(a), mesh_ref_destroy(b);
    carom_mesh_destroy(ma), carom_mesh_destroy(mb);
}

static void what_is_clear_does_not_overlap(void **state)
{
    (void)state;
    Random r = { 15 };
    for (int i = 0; i < 20; i++) {
        caromMesh *ma = part_mesh(i%PART_KINDS, 300, 1, NULL), *mb = part_mesh((i + i/5)%PART_KINDS, 300, 1, NULL);
        RefMesh *a = mesh_ref_create(ma), *b = mesh_ref_create(mb);
        mesh_ref_place(a, random_pose(&r, 0.01));
        mesh_ref_place(b, random_pose(&r, 0.03));
        caromVec3 u = carom_unit_or(random_vec(&r, 1), carom_vec(1, 0, 0));
        double last, t = mesh_ref_first_clear(a, b, u, 1e-7, &last);
        CHECK(t >= 0 && t <= last);
        mesh_ref_move(b, u, t + 1e-9);
        CHECK(!mesh_ref_overlap(a, b));
        if (t > 0) CHECK(mesh_ref_distance(a, b).g <= 1e-9L*(1 + 1e-6L));
        mesh_ref_move(b, u, -2e-9);
        if (t > 0) CHECK(mesh_ref_overlap(a, b));
        mesh_ref_move(b, u, last - t + 2e-9);
        CHECK(!mesh_ref_overlap(a, b));
        mesh_ref_destroy(a), mesh_ref_destroy(b);
        carom_mesh_destroy(ma), carom_mesh_destroy(mb);
    }
}

static void rays_and_segments_meet_a_cube(void **state)
{
    (void)state;
    caromMesh *mesh = mesh_from(part_box(carom_vec(-1, -1, -1), carom_vec(1, 1, 1)));
    RefMesh *m = mesh_ref_create(mesh);
    int triangle;
    double margin;
    CHECK(mesh_ref_ray(m, carom_vec(3, 0.25, 0.5), carom_vec(-2, 0, 0), &triangle, &margin) == 1);
    CHECK(triangle >= 0 && margin > 0.05);
    CHECK(mesh_ref_ray(m, carom_vec(0, 0.25, 0.5), carom_vec(-2, 0, 0), &triangle, &margin) == 0.5L);
    CHECK(isinf(mesh_ref_ray(m, carom_vec(3, 1.25, 0.5), carom_vec(-2, 0, 0), &triangle, &margin)));
    CHECK(mesh_ref_ray(m, carom_vec(3, 3, 3), carom_vec(-1, -1, -1), &triangle, &margin) == 2);
    CHECK(margin == 0);
    CHECK(mesh_ref_segment_distance(m, (Real[]){ 3, 0, 0 }, (Real[]){ 2, 0.5L, 0 }) == 1);
    CHECK_NEAR((double)mesh_ref_segment_distance(m, (Real[]){ 3, 0, 0 }, (Real[]){ 0, 3, 0 }), sqrt(0.5), 1e-16);
    CHECK(mesh_ref_segment_distance(m, (Real[]){ 3, 0, 0 }, (Real[]){ 0, 0, 0 }) == 0);
    CHECK(mesh_ref_point_distance(m, carom_vec(0, 0.25, 0)) == 0.75L);
    mesh_ref_destroy(m);
    carom_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closest_points_of_triangles_are_certified),
        cmocka_unit_test(passing_over_pairs_changes_nothing),
        cmocka_unit_test(witnesses_of_a_cube_on_its_corner),
        cmocka_unit_test(witnesses_have_different_features),
        cmocka_unit_test(winding_numbers_are_whole),
        cmocka_unit_test(the_first_way_out_may_lead_into_a_pocket),
        cmocka_unit_test(what_is_clear_does_not_overlap),
        cmocka_unit_test(rays_and_segments_meet_a_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
