// The points in which meshes touch everything else: which there are, where, and how they move.
#include "mesh_fixture.h"
#include "touch_fixture.h"

#include "geometry/mesh_features.h"

static caromMesh *made(Raw raw)
{
    caromMesh *mesh = mesh_of(&raw, NULL);
    raw_free(&raw);
    return mesh;
}

static int sharp_edges(const caromMesh *mesh)
{
    int n = 0;
    for (int e = 0; e < mesh->tree.nedge; e++) n += mesh->features->edge_kind[e] == CAROM_MESH_EDGE_SHARP;
    return n;
}

static int corners(const caromMesh *mesh)
{
    int n = 0;
    for (int v = 0; v < mesh->nvertex; v++) n += mesh->features->is_corner[v];
    return n;
}

static int faces(const caromMesh *mesh)
{
    int n = 0;
    for (int i = 0; i < mesh->ntriangle; i++) n += mesh->features->face[i] == i;
    return n;
}

// A cube of twelve triangles has the faces and edges of a cube; of a groove the bottom edges cannot touch.
static void features_are_those_of_the_solid(void **state)
{
    (void)state;
    caromMesh *mesh = made(cube(0.5));
    assert_int_equal(faces(mesh), 6);
    assert_int_equal(sharp_edges(mesh), 12);
    assert_int_equal(corners(mesh), 8);
    carom_mesh_destroy(mesh);
    const double profile[4][2] = { { 1, -1 }, { 0.5, -0.2 }, { 0.5, 0.2 }, { 1, 1 } };
    mesh = made(lathe(profile, 4, 8));
    assert_int_equal(faces(mesh), 2 + 3*8);
    assert_int_equal(sharp_edges(mesh), 2*8 + 3*8);  // two rims, and all edges along the axis
    carom_mesh_destroy(mesh);
}

// ---- a mesh that is a box has the points of the box

static bool has_point_of(const caromTouchPoint *p, int n, const caromTouchPoint *points)
{
    for (int i = 0; i < n; i++) {
        if (carom_norm(carom_sub(points[i].p_A, p->p_A)) < 1e-9 && fabs(points[i].g - p->g) < 1e-12 &&
            carom_norm(carom_sub(points[i].n_AB, p->n_AB)) < 1e-9) return true;
    }
    return false;
}

static void stacked(Two *t, caromShape a, caromShape b, int k, caromPose W)
{
    double tilt = k % 3 == 0 ? 0.0 : 1e-3, gap = k % 4 == 0 ? -1e-7 : k % 4 == 1 ? 0.0 : 1e-4;
    caromPose X = turned_at(carom_unit_or(carom_vec(1, 0.3, 0), carom_vec(1, 0, 0)), tilt,
                            carom_vec(0.13*(k % 5), 0.07*(k % 7), 0));
    X.R = carom_mat_mul(X.R, turned_at(carom_vec(0, 0, 1), 0.3*k, carom_vec(0, 0, 0)).R);
    X.p.z = 1.0 + gap + 0.8*tilt;
    make(t, a, W, b, carom_pose_mul(W, X));
}

// Tilted or not, apart or a little in each other: every point of the boxes that nearly touches is one of the meshes.
static void boxes_and_their_meshes_touch_alike(void **state)
{
    (void)state;
    caromMesh *mesh = made(cube(0.5));
    caromShape box = carom_shape_box(1, 1, 1), of_mesh = carom_shape_mesh(mesh);
    Random r = { 3 };
    int points_seen = 0;
    for (int k = 0; k < 60; k++) {
        Two boxes, other;
        caromPose W = random_pose(&r, 1);
        caromTouchPoint expected[CAROM_TOUCH_POINTS_MAX], points[CAROM_TOUCH_POINTS_MAX];
        stacked(&boxes, box, box, k, W);
        int nexpected = list(&boxes, (double)INFINITY, expected);
        for (int pair = 1; pair < 4; pair++) {
            stacked(&other, pair & 1 ? of_mesh : box, pair & 2 ? of_mesh : box, k, W);
            int n = list(&other, (double)INFINITY, points);
            for (int i = 0; i < nexpected; i++) {
                if (expected[i].g > 0.008 || carom_dot(expected[i].n_AB, W.R.cz) < 0.99) continue;
                CHECK(has_point_of(&expected[i], n, points));
                points_seen++;
            }
        }
    }
    CHECK(points_seen > 600);
    carom_mesh_destroy(mesh);
}

// ---- every shape

enum { KINDS = 11 };

static caromShape shape_of_kind(int kind, const caromMesh *ring, const caromMesh *block, const caromHull *hull)
{
    switch (kind) {
    case 0: return carom_shape_ellipsoid(0.5, 0.4, 0.3);
    case 1: return carom_shape_box(0.6, 0.8, 0.5);
    case 2: return carom_shape_rounded(carom_shape_box(0.6, 0.8, 0.5), 0.1);
    case 3: return carom_shape_polytope(hull);
    case 4: return carom_shape_capsule(0.2, 0.7);
    case 5: return carom_shape_cylinder(0.3, 0.8);
    case 6: return carom_shape_cone(0.4, 0.2, 0.6);
    case 7: return carom_shape_torus(0.4, 0.1);
    case 8: return carom_shape_rounded(carom_shape_cylinder(0.3, 0.8), 0.05);
    case 9: return carom_shape_mesh(block);
    default: return carom_shape_mesh(ring);
    }
}

// In random poses near each other: the least gap is the distance of the shapes, all points are found again from their
// parts alone, and move as differences say: of a corner beside a sharp rim the normal turns at the rate speed/gap, and
// central differences are off by h^2/6 of its square, 5e-6.
static void points_of_all_shapes_hold(void **state)
{
    (void)state;
    Random r = { 5 };
    caromMesh *ring = made(torus(0.5, 0.2, 24, 12)), *block = made(cube(0.35));
    caromHull *hull = random_hull(&r, 0.0);
    for (int kind = 0; kind < KINDS; kind++) {
        int seen = 0;
        Worst worst = { 0 };
        for (int k = 0; k < 60; k++) {
            Two t;
            caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
            caromShape a = carom_shape_mesh(ring), b = shape_of_kind(kind, ring, block, hull);
            make(&t, k % 2 ? a : b, random_pose(&r, 0.7), k % 2 ? b : a, random_pose(&r, 0.7));
            set_moving(&t, &r);
            if (!bring_to(&t, k % 3 ? 0.003 : 0.004)) continue;
            double gap = carom_collide_shapes(t.shapes[0].shape, t.X[0], t.shapes[1].shape, t.X[1]).g,
                   least = (double)INFINITY;
            int n = list(&t, (double)INFINITY, points);
            for (int i = 0; i < n; i++) {
                check_point(&t, &points[i]);
                check_motion(&t, &points[i], &worst);
                least = fmin(least, points[i].g);
            }
            CHECK_NEAR(least, gap, 1e-9);
            seen++;
        }
        CHECK(seen > 40);
        CHECK(worst.points >= seen/2 && worst.dn < 5e-6 && worst.u < 5e-6 && worst.g < 5e-6);
    }
    carom_hull_destroy(hull);
    carom_mesh_destroy(block);
    carom_mesh_destroy(ring);
}

// ---- places that are not convex

// A peg in a corner of a tray has both walls and the floor, and none of the far sides of the walls.
static void corner_in_a_corner_has_three_normals(void **state)
{
    (void)state;
    caromMesh *block = made(cube(0.5)),
              *tray = made(joined(box(carom_vec(-2, -2, -1), carom_vec(2, 2, 0)),
                                  joined(box(carom_vec(-2.5, -2, -0.5), carom_vec(-1.98, 2, 1)),
                                         box(carom_vec(-2.5, -2.5, -0.5), carom_vec(2, -1.98, 1)))));
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    make(&t, carom_shape_mesh(tray), pose_at(0, 0, 0), carom_shape_mesh(block), pose_at(-1.48, -1.48, 0.5));
    int n = list(&t, (double)INFINITY, points), along[3] = { 0, 0, 0 };
    for (int i = 0; i < n; i++) {
        CHECK(points[i].g > -1e-12);
        if (points[i].g > 1e-12) continue;
        for (int axis = 0; axis < 3; axis++) along[axis] += carom_at(points[i].n_AB, axis) > 1.0 - 1e-12;
    }
    assert_int_equal(along[2], 4);
    CHECK(along[0] == 4 && along[1] == 4);
    carom_mesh_destroy(tray);
    carom_mesh_destroy(block);
}

// What crosses a thin plate is not deep below its far side.
static void thin_plates_have_two_sides(void **state)
{
    (void)state;
    caromMesh *plate = made(box(carom_vec(-2, -2, -0.005), carom_vec(2, 2, 0.005))), *block = made(cube(0.5));
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 2; k++) {
        double depth = k ? 1e-6 : 0.0;
        make(&t, carom_shape_mesh(plate), pose_at(0, 0, 0), carom_shape_mesh(block), pose_at(1.5, 0.3, 0.505 - depth));
        int n = list(&t, (double)INFINITY, points), touching = 0;
        for (int i = 0; i < n; i++) {
            CHECK(points[i].g > -2*depth - 1e-12);
            touching += points[i].g < 1e-12;
            CHECK_NEAR(points[i].n_AB.z, 1, 1e-12);
        }
        assert_int_equal(touching, 4);
    }
    carom_mesh_destroy(plate);
    carom_mesh_destroy(block);
}

// A cone leans over its sharp rim, so that nothing of it is above the point that touches: it is a point all the same,
// a little deep too. Else a rim that came on a face inside a step sank into it unseen.
static void leaning_rim_is_a_point(void **state)
{
    (void)state;
    caromMesh *plate = made(box(carom_vec(-2, -2, -1), carom_vec(2, 2, 0)));
    const double lean = CAROM_PI/180.0*20.0, R = 0.5, L = 0.5, rim = R*cos(lean) - 0.5*L*sin(lean);
    for (double depth = 0.0; depth < 1e-3; depth = depth > 0.0 ? 10*depth : 1e-9) {
        Two t;
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        caromVec3 p = carom_vec(0.3, 0.2, rim - depth);
        make(&t, carom_shape_cone(R, 0.0, L), turned_at(carom_vec(0, 1, 0), 0.5*CAROM_PI + lean, p),
             carom_shape_mesh(plate), pose_at(0, 0, 0));
        int n = list(&t, (double)INFINITY, points);
        assert_int_equal(n, 1);
        CHECK_NEAR(points[0].g, -depth, 1e-14);
        CHECK_NEAR(points[0].n_AB.z, -1, 1e-12);
    }
    carom_mesh_destroy(plate);
}

// Whatever rounding makes of its depth: its lowest point is not another one.
static void flat_end_is_four_points(void **state)
{
    (void)state;
    caromMesh *plate = made(box(carom_vec(-2, -2, -1), carom_vec(2, 2, 0)));
    const caromShape ends[] = { carom_shape_cylinder(0.5, 1), carom_shape_cone(0.5, 0, 1),
                                carom_shape_torus(0.4, 0.5/3) };
    for (int k = -40; k <= 40; k++) {
        Two t;
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        double height = k%3 == 0 ? 0.5/3 : 0.5;
        caromVec3 p = carom_vec(0.3, 0.2, height + 1e-17*k);
        make(&t, ends[k%3 == 0 ? 2 : k & 1], turned_at(carom_vec(0, 0, 1), 0.1*k, p), carom_shape_mesh(plate),
             turned_at(carom_vec(0.6, 0, 0.8), 1e-16*k, carom_vec(0, 0, 0)));
        assert_int_equal(list(&t, 1e-9, points), 4);
        for (int i = 0; i < 4; i++)
            assert_int_equal(carom_manifold_part(points[i].feature[0]).kind, CAROM_PART_CORNER);
    }
    carom_mesh_destroy(plate);
}

// A disc that lies within what the tolerance allows, and leans to between two of its corners: these are a little above
// the lowest point of its rim, which touches, and stand for it.
static void leaning_end_is_four_points_too(void **state)
{
    (void)state;
    caromMesh *plate = made(box(carom_vec(-2, -2, -1), carom_vec(2, 2, 0)));
    const double lean = 3e-7, high = 0.5*cos(lean) + 0.5*sin(lean);
    for (int k = 0; k < 40; k++) {
        Two t;
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        caromVec3 towards = carom_vec(cos(0.3*k), sin(0.3*k), 0);
        make(&t, carom_shape_cylinder(0.5, 1), turned_at(towards, lean, carom_vec(0.3, 0.2, high - 1e-17*k)),
             carom_shape_mesh(plate), pose_at(0, 0, 0));
        t.model.settings.tolerance = 1e-5;
        assert_int_equal(list(&t, 1e-6, points), 4);
        for (int i = 0; i < 4; i++)
            assert_int_equal(carom_manifold_part(points[i].feature[0]).kind, CAROM_PART_CORNER);
    }
    carom_mesh_destroy(plate);
}

// Of many corners in a plane those that are farthest stand for all, and the lowest is one of them.
static void many_points_are_thinned_out(void **state)
{
    (void)state;
    const double profile[2][2] = { { 1, -0.5 }, { 1, 0.5 } };
    caromMesh *drum = made(lathe(profile, 2, 100));
    Two t;
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    for (int k = 0; k < 2; k++) {
        caromPose X = turned_at(carom_unit_or(carom_vec(0.31, 0.7, 0), carom_vec(1, 0, 0)), k ? 1e-4 : 0.0,
                                carom_vec(0, 0, 0.51));
        make(&t, carom_shape_box(4, 4, 0.02), pose_at(0, 0, 0), carom_shape_mesh(drum), X);
        int n = list(&t, (double)INFINITY, points);
        CHECK(n >= CAROM_TOUCH_DIRECTIONS && n <= 3*CAROM_TOUCH_DIRECTIONS);
        double least = (double)INFINITY, lowest = (double)INFINITY;
        for (int i = 0; i < n; i++) least = fmin(least, points[i].g);
        for (int v = 0; v < drum->nvertex; v++)
            lowest = fmin(lowest, carom_pose_point(X, drum->vertices[v]).z - 0.01);
        CHECK_NEAR(least, lowest, 1e-14);
    }
    carom_mesh_destroy(drum);
}

// A sharp rim across a sharp edge has one normal, square to both, above and below: the distance of the edge from the
// solid has that of the end or of the side once the edge is inside (a link under a can, cylinder-mesh 5: the normal
// jumped by 90 degrees between steps). However little the rim leans: half way the end is nearly as near as the rim.
static void rim_across_an_edge_has_one_normal(void **state)
{
    (void)state;
    caromMesh *mesh = made(cube(0.5));
    const double leans[] = { 0.03, 0.15, 0.8, 1.4, 1.54 }, heights[] = { 1e-4, 1e-9, 0, -1e-9, -1e-7, -1e-5 };
    const double R = 0.3, half = 0.4;
    for (int k = 0; k < 5; k++) {
        for (int j = 0; j < 6; j++) {
            caromPose on_edge = turned_at(carom_vec(0, 1, 0), 0.25*PI, carom_vec(0, 0, 0)),
                      X = turned_at(carom_vec(1, 0, 0), leans[k], carom_vec(0, 0, 0));
            caromVec3 low = carom_mul(X.R, carom_vec(0, -R, -half));
            X.p = carom_sub(carom_vec(0, 0.1, sqrt(0.5) + heights[j]), low);
            Two t;
            make(&t, carom_shape_mesh(mesh), on_edge, carom_shape_cylinder(R, 2*half), X);
            caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
            int n = list(&t, (double)INFINITY, points), near = 0;
            for (int i = 0; i < n; i++) {
                if (fabs(points[i].g) > 1e-3) continue;
                CHECK_NEAR(points[i].g, heights[j], 1e-12);
                CHECK_VEC(points[i].n_AB, carom_vec(0, 0, 1), 1e-9);
                check_point(&t, &points[i]);
                near++;
            }
            CHECK(near == 1);
        }
    }
    carom_mesh_destroy(mesh);
}

// An edge that lies across an end touches where it leaves it, on both sides, however it is tilted: the least distance
// along it is at one of the two, and jumps (cylinder-mesh 104: energy was gained, 104 tolerances of it).
static void edge_across_an_end_touches_on_both_sides(void **state)
{
    (void)state;
    caromMesh *mesh = made(cube(0.5));
    const double tilts[] = { -1e-6, -1e-12, 0, 1e-12, 1e-6 };
    for (int k = 0; k < 10; k++) {
        double tilt = tilts[k/2], r = k % 2 ? 0.05 : 0.0;
        caromShape can = carom_shape_cylinder(0.3, 0.8);
        if (r > 0) can = carom_shape_rounded(can, r);
        caromPose on_edge = turned_at(carom_vec(0, 1, 0), 0.25*PI, carom_vec(0, 0, 0)),
                  X = turned_at(carom_vec(1, 0, 0), tilt, carom_vec(0, 0, sqrt(0.5) + 0.4));
        Two t;
        make(&t, carom_shape_mesh(mesh), on_edge, can, X);
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        int n = list(&t, 1e-3, points), sides[2] = { 0, 0 };
        for (int i = 0; i < n; i++) {
            if (fabs(points[i].g) > 1e-3) continue;
            CHECK_VEC(points[i].n_AB, carom_vec(0, 0, 1), 2e-6);
            CHECK_NEAR(fabs(points[i].p_A.y), 0.3 - r, 1e-5);
            sides[points[i].p_A.y > 0]++;
            check_point(&t, &points[i]);
        }
        CHECK(sides[0] == 1 && sides[1] == 1);
    }
    carom_mesh_destroy(mesh);
}

// A can stands on the edge of a table and hangs over: where its rim crosses the edge there is only a wedge of table
// under it, the narrower the farther its middle is outside (cylinder-sheet 205 sank in by 27 um there).
static void can_over_the_edge_of_a_table_touches_where_it_leaves(void **state)
{
    (void)state;
    caromMesh *mesh = made(cube(0.5));
    const double R = 0.3, outside[] = { -0.8, -0.5, 0, 0.5, 0.8 }, tilts[] = { 1e-9, 1e-6, 1e-4 };
    for (int k = 0; k < 15; k++) {
        double x = outside[k/3], tilt = tilts[k % 3], y = R*sqrt(1 - x*x);
        caromPose X = turned_at(carom_vec(1, 0, 0), -tilt, carom_vec(0, 0, 0));
        X.p = carom_sub(carom_vec(0.5 + x*R, 0, 0.5), carom_mul(X.R, carom_vec(0, 0, -0.4)));
        Two t;
        make(&t, carom_shape_mesh(mesh), carom_pose_identity(), carom_shape_cylinder(R, 0.8), X);
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        int n = list(&t, (double)INFINITY, points), down = 0;
        for (int i = 0; i < n; i++) {
            if (fabs(points[i].p_A.y - y) > 0.01*R || fabs(points[i].p_A.x - 0.5) > 0.01*R) continue;
            CHECK_NEAR(points[i].g, -y*tilt, 1e-3*y*tilt + 1e-12);
            down++;
        }
        CHECK(down == 1);
    }
    carom_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(features_are_those_of_the_solid),
                                        cmocka_unit_test(boxes_and_their_meshes_touch_alike),
                                        cmocka_unit_test(points_of_all_shapes_hold),
                                        cmocka_unit_test(corner_in_a_corner_has_three_normals),
                                        cmocka_unit_test(thin_plates_have_two_sides),
        cmocka_unit_test(leaning_rim_is_a_point), cmocka_unit_test(rim_across_an_edge_has_one_normal),
        cmocka_unit_test(edge_across_an_end_touches_on_both_sides),
        cmocka_unit_test(can_over_the_edge_of_a_table_touches_where_it_leaves),
        cmocka_unit_test(flat_end_is_four_points), cmocka_unit_test(leaning_end_is_four_points_too),
                                        cmocka_unit_test(many_points_are_thinned_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
