// Shapes on a common axis, or nearly so: cores that are points, segments and discs meet there in more than a
// point, and the line between nearest points, from which a normal is read, is nothing but rounding.
#include "collide_checks.h"

static const double pi = 3.14159265358979323846;

static caromShape sharp_or_thin(int k)
{
    switch (k) {
    case 0: return carom_shape_capsule(0.1, 2);
    case 1: return carom_shape_capsule(0.3, 0.5);
    case 2: return carom_shape_capsule(1e-3, 1);
    case 3: return carom_shape_sphere(0.2);
    case 4: return carom_shape_rounded(carom_shape_box(0.2, 0.2, 2), 0.1);
    case 5: return carom_shape_rounded(carom_shape_box(0.2, 0.2, 0.2), 0.1);
    case 6: return carom_shape_rounded(carom_shape_box(0.4, 1, 1.5), 0.1);
    case 7: return carom_shape_rounded(carom_shape_cylinder(0.2, 1), 0.1);
    case 8: return carom_shape_rounded(carom_shape_cylinder(0.5, 0.2), 0.1);
    case 9: return carom_shape_box(0.4, 0.5, 1);
    case 10: return carom_shape_cylinder(0.3, 1);
    case 11: return carom_shape_cone(0.3, 0, 1);
    default: return carom_shape_rounded(carom_shape_cone(0.4, 0.2, 1), 0.05);
    }
}
enum { SHAPES = 13, SEGMENTS = 6 };  // the first have a segment or point as core

// Half of the length of the core of one of the first.
static double half_length(caromShape s)
{
    if (s.kind == CAROM_CAPSULE) return 0.5*s.size.y;
    return s.kind == CAROM_BOX ? 0.5*s.size.z - s.rounding : 0.0;
}

static double some_power(Random *r, double low)
{
    return random_uniform(r, 0, 1) < 0.3 ? 0.0 : pow(10, random_uniform(r, low, -1));
}

// Along its own axis A is where B is: end on end, one in the other or apart; a little aside and a little turned, or
// not at all. One time in three B lies with its end in the middle of A, whichever way it points.
static Pair aligned(Random *r, caromShape a, caromShape b)
{
    double reach = carom_shape_radius(a) + carom_shape_radius(b), ends = half_length(a) + half_length(b);
    double along = random_uniform(r, 0, 1) < 0.3 ? ends : random_uniform(r, -1.1, 1.1)*reach;
    caromQuat lean = carom_quat_axis_angle(random_unit(r), some_power(r, -17)),
              turn = carom_quat_axis_angle(carom_vec(1, 0, 0), random_uniform(r, 0, 1) < 0.5 ? 0.0 : pi);
    caromMat3 R = carom_mat_mul(carom_quat_matrix(lean), carom_quat_matrix(turn));
    caromVec3 aside = carom_scale(some_power(r, -17), random_unit(r)), p = carom_axpy(along, carom_vec(0, 0, 1), aside);
    if (random_uniform(r, 0, 1) < 0.3) {
        R = carom_quat_matrix(carom_quat_axis_angle(random_unit(r), random_uniform(r, 0, pi)));
        p = carom_axpy(half_length(b), R.cz, carom_scale(random_uniform(r, -1, 1)*half_length(a), carom_vec(0, 0, 1)));
        p = carom_add(p, aside);
    }
    caromPose X_WA = random_uniform(r, 0, 1) < 0.3 ? carom_pose_identity() : random_pose(r, 2);
    return (Pair){ a, b, X_WA, carom_pose_mul(X_WA, carom_pose(R, p)), NULL, NULL };
}

// Segments and points have no inside: the gap is their distance less the radii.
static double gap_of_segments(const Pair *p)
{
    RefBody a = ref_body(p->a, p->X_WA, NULL), b = ref_body(p->b, p->X_WB, NULL);
    RefVec u = ref_scale(half_length(p->a), a.R[2]), w = ref_scale(half_length(p->b), b.R[2]);
    RefPolytope x = { .nvertex = 2, .nedge = 1, .vertices = { ref_sub(a.p, u), ref_add(a.p, u) } }, y = x;
    x.edges[0][1] = y.edges[0][1] = 1;
    y.vertices[0] = ref_sub(b.p, w), y.vertices[1] = ref_add(b.p, w);
    return (double)(ref_polytope_distance(&x, &y) - a.radius - b.radius);
}

static void segments_and_points(void **state)
{
    (void)state;
    Tally tally = { .name = "segments and points" };
    Random r = { 41 };
    for (int k = 0; k < share_of(20000); k++) {
        caromShape a = sharp_or_thin((int)random_uniform(&r, 0, SEGMENTS)),
                   b = sharp_or_thin((int)random_uniform(&r, 0, SEGMENTS));
        Pair p = aligned(&r, a, b);
        check_pair(&p, gap_of_segments(&p), 1e-15*pair_size(&p), &tally);
    }
    tally_print(&tally);
    assert_int_equal(tally.failed, 0);
}

static void all_on_one_axis(void **state)
{
    (void)state;
    Tally tally = { .name = "all on one axis" };
    Random r = { 42 };
    for (int k = 0; k < share_of(250); k++) {
        Pair p = aligned(&r, sharp_or_thin((int)random_uniform(&r, 0, SHAPES)),
                         sharp_or_thin((int)random_uniform(&r, 0, SHAPES)));
        check_pair_by_reference(&p, &tally);
    }
    tally_print(&tally);
    assert_int_equal(tally.failed, 0);
}

// The answer is in no doubt: square to the axis, 0.2 m deep, wherever the axis points.
static void overlapping_capsules_on_one_axis(void **state)
{
    (void)state;
    caromShape capsule = carom_shape_capsule(0.1, 2);
    Random r = { 43 };
    for (int k = 0; k < 1000; k++) {
        caromPose X = k == 0 ? carom_pose_identity() : random_pose(&r, 3);
        caromGap g = carom_collide_shapes(capsule, X, capsule, carom_pose_mul(X, at(0, 0, 1.9)));
        CHECK(g.status == CAROM_GAP_OK);
        CHECK_NEAR(g.g, -0.2, 1e-14);
        CHECK_NEAR(carom_dot(g.n_AB, X.R.cz), 0, 1e-14);
    }
}

// The end of a capsule's axis over the edge of a wedge, and the axis square to the line between but for 1e-8 rad: as a
// point and an edge, and as two edges, they are as far apart, to 1e-16, along n. A few degrees from that are the
// normals of the faces, along which the points between which the distance is are as near as the cores seem.
static void the_end_of_a_capsule_over_a_blunt_edge(void **state)
{
    (void)state;
    Random r = { 44 };
    for (int k = 0; k < 2000; k++) {
        double slope = random_uniform(&r, 0.01, 0.1), d = random_uniform(&r, 0.01, 0.5),
               turn = random_uniform(&r, -0.9, 0.9)*slope, length = random_uniform(&r, 0.1, 2),
               lean = random_uniform(&r, -3, 3), tilt = random_uniform(&r, -1e-8, 1e-8);
        caromVec3 corners[6], n = carom_vec(0, sin(turn), cos(turn)), x = carom_vec(1, 0, 0),
                  w = carom_add(carom_scale(cos(lean), x), carom_scale(sin(lean), carom_cross(x, n)));
        w = carom_axpy(tilt, n, w);
        caromMat3 turned = random_pose(&r, 1).R;
        for (int i = 0; i < 6; i++)
            corners[i] = carom_mul(turned, carom_vec(i & 1 ? 1 : -1, i/2 - 1, i/2 == 1 ? 0 : -tan(slope)));
        caromHull *hull = carom_hull_create(corners, 6, 0.0, NULL);
        assert_non_null(hull);
        caromVec3 end = carom_axpy(d, n, carom_vec(random_uniform(&r, -0.9, 0.9), 0, 0));
        caromPose X = random_pose(&r, 1), wedge = carom_pose(turned, carom_vec(0, 0, 0)),
                  axis = carom_pose((caromMat3){ carom_axpy(-tilt, w, n), carom_cross(w, n), w },
                                    carom_axpy(0.5*length, w, end));
        caromGap g = carom_collide_shapes(carom_shape_polytope(hull), X, carom_shape_capsule(d, length),
                                          carom_pose_mul(X, carom_pose_mul(wedge, axis)));
        CHECK(g.status == CAROM_GAP_OK);
        CHECK_NEAR(g.g, 0, g.error);
        CHECK_VEC(g.n_AB, carom_mul(X.R, carom_mul(turned, n)), 1e-5);
        carom_hull_destroy(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_capsules_on_one_axis),
        cmocka_unit_test(segments_and_points),
        cmocka_unit_test(all_on_one_axis),
        cmocka_unit_test(the_end_of_a_capsule_over_a_blunt_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
