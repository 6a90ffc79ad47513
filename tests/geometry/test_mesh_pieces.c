// Convex pieces of solids: that they cover the solid and do not reach too far beyond it, by samples and brute force.
#include "geometry/core.h"
#include "geometry/mesh_near.h"
#include "mesh_fixture.h"

// ---- solids

// Star-shaped about the origin, counter-clockwise.
static Raw prism(const double (*corner)[2], int n, double height)
{
    Raw raw = raw_alloc(2*n + 2, 4*n);
    raw.vertices[2*n + 1].z = height;
    for (int i = 0, t = 0; i < n; i++) {
        int next = (i + 1)%n;
        raw.vertices[i] = carom_vec(corner[i][0], corner[i][1], 0);
        raw.vertices[n + i] = carom_vec(corner[i][0], corner[i][1], height);
        set_triangle(&raw, t++, 2*n, next, i);
        set_triangle(&raw, t++, 2*n + 1, n + i, n + next);
        set_triangle(&raw, t++, i, next, n + next);
        set_triangle(&raw, t++, i, n + next, n + i);
    }
    return raw;
}

static Raw bracket(void)
{
    const double corner[6][2] = { { -0.5, -0.5 }, { 3, -0.5 }, { 3, 0.5 }, { 0.5, 0.5 }, { 0.5, 3 }, { -0.5, 3 } };
    return prism(corner, 6, 1);
}

static Raw gear(void)
{
    enum { TEETH = 12 };
    double corner[4*TEETH][2];
    for (int i = 0; i < 4*TEETH; i++) {
        double u = 2*PI*i/(4*TEETH), r = i%4 < 2 ? 1.0 : 1.2;
        corner[i][0] = r*cos(u), corner[i][1] = r*sin(u);
    }
    return prism((const double (*)[2])corner, 4*TEETH, 0.3);
}

static Raw turned(Raw raw, caromVec3 shift)
{
    caromMat3 R = carom_quat_matrix(carom_quat_normalized(carom_quat(0.9, 0.2, -0.3, 0.4)));
    for (int i = 0; i < raw.nvertex; i++) raw.vertices[i] = carom_add(shift, carom_mul(R, raw.vertices[i]));
    return raw;
}

// ---- brute force

static double distance_to_segment(caromVec3 p, caromVec3 a, caromVec3 b)
{
    caromVec3 d = carom_sub(b, a);
    double s = fmax(0, fmin(1, carom_dot(carom_sub(p, a), d)/carom_norm2(d)));
    return carom_norm(carom_sub(p, carom_axpy(s, d, a)));
}

static double distance_to_triangle(caromVec3 p, const caromVec3 t[3])
{
    caromVec3 n = carom_unit_or(carom_cross(carom_sub(t[1], t[0]), carom_sub(t[2], t[0])), carom_vec(1, 0, 0));
    double least = INFINITY;
    bool is_inside = true;
    for (int k = 0; k < 3; k++) {
        caromVec3 a = t[k], b = t[(k + 1)%3];
        least = fmin(least, distance_to_segment(p, a, b));
        is_inside = is_inside && carom_dot(carom_cross(n, carom_sub(b, a)), carom_sub(p, a)) >= 0;
    }
    return is_inside ? fabs(carom_dot(n, carom_sub(p, t[0]))) : least;
}

// By solid angles [VanOosterom83].
static bool is_inside(const caromMesh *mesh, caromVec3 p)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntriangle; t++) {
        caromVec3 a = carom_sub(mesh->vertices[mesh->triangles[t][0]], p),
                  b = carom_sub(mesh->vertices[mesh->triangles[t][1]], p),
                  c = carom_sub(mesh->vertices[mesh->triangles[t][2]], p);
        double la = carom_norm(a), lb = carom_norm(b), lc = carom_norm(c);
        sum += 2*atan2(carom_dot(a, carom_cross(b, c)),
                       la*lb*lc + carom_dot(a, b)*lc + carom_dot(b, c)*la + carom_dot(c, a)*lb);
    }
    return sum > 2*PI;
}

static double distance_to_solid(const caromMesh *mesh, caromVec3 p)
{
    if (is_inside(mesh, p)) return 0;
    double least = INFINITY;
    for (int i = 0; i < mesh->ntriangle; i++) least = fmin(least, distance_to_triangle(p, mesh->tree.corners[i]));
    return least;
}

static double outside_hull(const caromHull *hull, caromVec3 p)
{
    double most = -INFINITY;
    for (int f = 0; f < hull->nface; f++) most = fmax(most, carom_dot(hull->normals[f], p) - hull->offsets[f]);
    return most;
}

// ---- what is promised

static caromVec3 random_in(Random *random, const caromHull *hull)  // inside, or in a face
{
    caromVec3 sum = { 0, 0, 0 };
    double total = 0;
    int f = (int)random_uniform(random, 0, hull->nface), n = hull->first_corner[f + 1] - hull->first_corner[f];
    for (int k = 0; k <= n; k++) {
        double w = -log(random_uniform(random, 1e-9, 1));
        if (k == n && random_uniform(random, 0, 1) < 0.5) continue;
        sum = carom_axpy(w, k < n ? hull->vertices[hull->corners[hull->first_corner[f] + k]] : hull->solid.com, sum);
        total += w;
    }
    return carom_scale(1/total, sum);
}

static void check_reach(const caromMesh *mesh, const caromMeshPieces *pieces, int samples, double slack)
{
    Random random = { 5 };
    for (int i = 0; i < samples; i++) {
        caromVec3 p = random_in(&random, pieces->hulls[i%pieces->n]);
        CHECK(distance_to_solid(mesh, p) <= pieces->reach + slack);
    }
}

static void check_cover(const caromMesh *mesh, const caromMeshPieces *pieces, int samples, double slack)
{
    Random random = { 9 };
    caromVec3 low = mesh->report.low, high = mesh->report.high;
    int inside = 0;
    for (int i = 0; i < samples; i++) {
        caromVec3 p = carom_vec(random_uniform(&random, low.x, high.x), random_uniform(&random, low.y, high.y),
                                random_uniform(&random, low.z, high.z));
        if (i%2 == 0) p = mesh->vertices[(int)random_uniform(&random, 0, mesh->nvertex)];
        else if (!is_inside(mesh, p)) continue;
        double out = INFINITY;
        for (int k = 0; k < pieces->n; k++) out = fmin(out, outside_hull(pieces->hulls[k], p));
        CHECK(out <= slack);
        inside += i%2;
    }
    CHECK(inside > 0);
}

#if defined(__SANITIZE_ADDRESS__)
enum { SAMPLES = 300 };
#else
enum { SAMPLES = 1500 };
#endif

// Rounding and qhull's merging are far below 1e-9 of the size.
static int check_pieces(Raw raw, double tolerance, int pieces_max)  // frees it; returns how many
{
    caromMeshReport report;
    caromMesh *mesh = mesh_of(&raw, &report);
    raw_free(&raw);
    caromMeshPieces pieces;
    caromError err = { 0 };
    caromStatus status = carom_mesh_pieces(mesh, tolerance, pieces_max, &pieces, &err);
    if (status != CAROM_OK) print_error("%s: %s\n", err.where, err.message);
    assert_int_equal(status, CAROM_OK);
    double slack = 1e-9*carom_norm(carom_sub(report.high, report.low));
    CHECK(pieces.n >= 1 && pieces.n <= pieces_max && pieces.reach <= tolerance);
    CHECK(pieces.volume >= report.volume*(1 - 1e-9));
    check_reach(mesh, &pieces, SAMPLES, slack);
    check_cover(mesh, &pieces, SAMPLES/2, slack);
    int n = pieces.n;
    carom_mesh_pieces_free(&pieces);
    carom_mesh_destroy(mesh);
    return n;
}

// ----

static void convex_solids_are_one_piece(void **state)
{
    (void)state;
    const double profile[4][2] = { { 0.5, 0 }, { 1, 0.2 }, { 1, 0.8 }, { 0.3, 1.4 } };
    assert_int_equal(check_pieces(cube(0.5), 2e-5, 1), 1);
    assert_int_equal(check_pieces(turned(cube(0.5), carom_vec(10, 20, -3)), 1e-4, 1), 1);
    assert_int_equal(check_pieces(tetrahedron(), 0.1, 5), 1);
    assert_int_equal(check_pieces(turned(lathe(profile, 4, 40), carom_vec(0, 0, 0)), 1e-4, 5), 1);
}

static void a_bracket_is_two_boxes(void **state)
{
    (void)state;
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        Raw raw = is_turned ? turned(bracket(), carom_vec(1, 2, 3)) : bracket();
        caromMesh *mesh = mesh_of(&raw, NULL);
        caromMeshPieces pieces;
        assert_int_equal(carom_mesh_pieces(mesh, 1e-3, 10, &pieces, NULL), CAROM_OK);
        assert_int_equal(pieces.n, 2);
        CHECK_NEAR(pieces.volume, 6, 1e-9);
        CHECK_NEAR(pieces.reach, 0, 0);
        carom_mesh_pieces_free(&pieces);
        carom_mesh_destroy(mesh);
        check_pieces(raw, 1e-3, 10);
    }
}

// Its hole must stay open: pieces around a ring, more of them for a smaller tolerance. Slices of an angle a reach
// (R - r)(1 - cos(a/2)) into the hole: 10 of them within 0.04, 7 within 0.1.
static void a_torus_is_a_ring_of_pieces(void **state)
{
    (void)state;
    int coarse = check_pieces(torus(1, 0.3, 24, 12), 0.1, 40), middle = check_pieces(torus(1, 0.3, 24, 12), 0.04, 40),
        fine = check_pieces(torus(1, 0.3, 24, 12), 0.02, 80);
    CHECK(coarse >= 5 && coarse <= 12);
    CHECK(middle > coarse && middle <= 25);
    CHECK(fine > middle);
}

static void gear_and_bolt_are_cut(void **state)
{
    (void)state;
    int n = check_pieces(gear(), 0.02, 60);
    CHECK(n >= 13);  // twelve teeth and a middle
    check_pieces(turned(gear(), carom_vec(5, 5, 5)), 0.05, 60);
    check_pieces(bolt(), 5e-4, 40);
    check_pieces(bolt(), 1e-4, 60);
}

static void cavities_stay_empty_and_separate_parts_separate(void **state)
{
    (void)state;
    int n = check_pieces(joined(cube(1), cube(0.5)), 0.01, 40);
    CHECK(n >= 6);
    assert_int_equal(check_pieces(joined(cube(0.5), turned(cube(0.5), carom_vec(3, 0.1, 0.2))), 1e-3, 10), 2);
    // Touch along a face.
    assert_int_equal(check_pieces(joined(cube(0.5), box(carom_vec(0.5, -0.5, -0.5), carom_vec(1, 0, 0.5))), 1e-3, 10),
                     2);
}

static void same_bits(void **state)
{
    (void)state;
    Raw raw = gear();
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromMeshPieces a, b;
    assert_int_equal(carom_mesh_pieces(mesh, 0.05, 60, &a, NULL), CAROM_OK);
    assert_int_equal(carom_mesh_pieces(mesh, 0.05, 60, &b, NULL), CAROM_OK);
    assert_int_equal(a.n, b.n);
    CHECK(a.volume == b.volume && a.reach == b.reach);
    for (int i = 0; i < a.n; i++) {
        assert_int_equal(a.hulls[i]->nvertex, b.hulls[i]->nvertex);
        assert_memory_equal(a.hulls[i]->vertices, b.hulls[i]->vertices,
                            (size_t)a.hulls[i]->nvertex*sizeof *a.hulls[i]->vertices);
    }
    carom_mesh_pieces_free(&a);
    carom_mesh_pieces_free(&b);
    carom_mesh_destroy(mesh);
}

// ---- failures

// Frees it.
static void expect_failure(Raw raw, double tolerance, int pieces_max, const char *where, const char *message,
                           double *reach)
{
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    caromMeshPieces pieces;
    caromError err = { 0 };
    assert_int_equal(carom_mesh_pieces(mesh, tolerance, pieces_max, &pieces, &err), CAROM_ERR_INPUT);
    if (!strstr(err.message, message)) print_error("%s\n", err.message);
    assert_string_equal(err.where, where);
    assert_non_null(strstr(err.message, message));
    CHECK(pieces.n == 0 && !pieces.hulls);
    if (reach) *reach = pieces.reach;
    carom_mesh_pieces_free(&pieces);
    carom_mesh_destroy(mesh);
}

static void failures_say_why(void **state)
{
    (void)state;
    Raw open = cube(0.5);
    open.ntriangle = 11;
    expect_failure(open, 0.1, 10, "", "only a closed mesh has an inside", NULL);
    expect_failure(joined(cube(0.5), turned(cube(0.5), carom_vec(0.7, 0, 0))), 0.1, 10, "",
                   "the surface goes through itself", NULL);
    expect_failure(cube(0.5), 1e-9, 10, "tolerance", "expected a distance of at least", NULL);
    expect_failure(cube(0.5), -1, 10, "tolerance", "expected a distance of at least", NULL);
    expect_failure(cube(0.5), NAN, 10, "tolerance", "expected a distance of at least", NULL);
    expect_failure(cube(0.5), 0.1, 0, "pieces_max", "expected 1 to", NULL);
}

// What is reached with too few pieces is about the tolerance that they are enough for; cuts differ with the tolerance.
static void too_few_pieces_say_what_they_reach(void **state)
{
    (void)state;
    double reach;
    expect_failure(torus(1, 0.3, 24, 12), 0.01, 6, "", "more than 6 convex pieces are needed for a tolerance of 0.01 "
                   "m; with as many it is", &reach);
    CHECK(reach > 0.01 && reach < 1);
    check_pieces(torus(1, 0.3, 24, 12), 1.5*reach, 6);
    expect_failure(torus(1, 0.3, 24, 12), 0.01, 1, "", "more than 1 convex", &reach);
    // Of a point above the middle of the hole, from a round ring; 10 % are left open.
    CHECK_NEAR(reach, sqrt(1 + 0.09) - 0.3, 0.15);
}

// Whatever a mesh is like, it ends: spikes, thin walls, crowded edges.
static void ugly_solids_do_no_harm(void **state)
{
    (void)state;
    Random random = { 11 };
    for (int trial = 0; trial < (SAMPLES > 1000 ? 12 : 4); trial++) {
        Raw raw = torus(1, 0.4, 8 + trial, 5);
        for (int i = 0; i < raw.nvertex; i++) {
            double noise = pow(10, random_uniform(&random, -6, -0.5));
            raw.vertices[i] = carom_add(raw.vertices[i], carom_scale(noise, carom_vec(random_uniform(&random, -1, 1),
                                                                                      random_uniform(&random, -1, 1),
                                                                                      random_uniform(&random, -1, 1))));
        }
        caromMeshReport report;
        caromMesh *mesh = mesh_of(&raw, &report);
        raw_free(&raw);
        caromMeshPieces pieces;
        caromError err = { 0 };
        caromStatus status = carom_mesh_pieces(mesh, 0.15, 20, &pieces, &err);
        CHECK(status == CAROM_OK || (status == CAROM_ERR_INPUT && err.message[0]));
        CHECK((report.crossings > 0) <= (status != CAROM_OK));
        if (status == CAROM_OK) check_cover(mesh, &pieces, 100, 1e-9);
        if (status == CAROM_OK) check_reach(mesh, &pieces, 200, 1e-9);
        carom_mesh_pieces_free(&pieces);
        carom_mesh_destroy(mesh);
    }
}

// ---- distances

static void distances_agree_with_brute_force(void **state)
{
    (void)state;
    Random random = { 3 };
    Raw solids[3] = { gear(), torus(1, 0.3, 20, 9), joined(cube(1), cube(0.5)) };
    for (int k = 0; k < 3; k++) {
        caromMesh *mesh = mesh_of(&solids[k], NULL);
        caromMeshSides sides;
        CHECK(carom_mesh_sides_make(mesh, &sides));
        for (int i = 0; i < 500; i++) {
            caromVec3 p = carom_vec(random_uniform(&random, -1.5, 1.5), random_uniform(&random, -1.5, 1.5),
                                    random_uniform(&random, -0.6, 0.6));
            double least = INFINITY, found = carom_mesh_signed_distance(mesh, &sides, p);
            for (int t = 0; t < mesh->ntriangle; t++)
                least = fmin(least, distance_to_triangle(p, mesh->tree.corners[t]));
            CHECK_NEAR(fabs(found), least, 1e-12);
            if (least > 1e-9) assert_int_equal(found < 0, is_inside(mesh, p));
        }
        carom_mesh_sides_free(&sides);
        carom_mesh_destroy(mesh);
        raw_free(&solids[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_agree_with_brute_force),
        cmocka_unit_test(convex_solids_are_one_piece),
        cmocka_unit_test(a_bracket_is_two_boxes),
        cmocka_unit_test(a_torus_is_a_ring_of_pieces),
        cmocka_unit_test(gear_and_bolt_are_cut),
        cmocka_unit_test(cavities_stay_empty_and_separate_parts_separate),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(failures_say_why),
        cmocka_unit_test(too_few_pieces_say_what_they_reach),
        cmocka_unit_test(ugly_solids_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
