// How far meshes are from each other, against all pairs of triangles; depth: test_depth.c, other shapes: test_shapes.c.
//
// Tolerance: coordinates of size L are placed in W and subtracted with some roundings of eps L each; distances are
// stable in them (they change no more than the corners do), so that 1e-12 L leaves room for thousands.
#include <float.h>
#include <time.h>

#include "mesh_cases.h"
#include "meshgap/meshgap.h"

typedef struct Tally {
    int n, separated, overlapping, near;  // near: closer than 1e-4 of the size
    double g, surface, vector, bound;     // worst, in parts of the size; bound: of |g - exact|/error
} Tally;

static void fail_at(const Thing *a, const Thing *b, Poses X, const char *what, double value, double limit)
{
    if (value <= limit) return;
    print_error("%s, %s: %s is %.3g, at most %.3g\n", a->name, b->name, what, value, limit);
    print_pose("X_WA", X.A);
    print_pose("X_WB", X.B);
    fail();
}

// What is true of any answer: the points are on the surfaces, and what is between them is g n.
static void check_points(const Thing *a, const Thing *b, Poses X, caromGap gap, Tally *tally)
{
    double size = size_of(a, b, X), far = size + carom_norm(X.A.p) + carom_norm(X.B.p);
    double on_a = (double)mesh_ref_point_distance(a->ref, gap.p_A),
           on_b = (double)mesh_ref_point_distance(b->ref, gap.p_B);
    double vector = carom_norm(carom_sub(carom_sub(gap.p_B, gap.p_A), carom_scale(gap.g, gap.n_AB)));
    fail_at(a, b, X, "p_A off the surface", on_a, 1e-12*size);
    fail_at(a, b, X, "p_B off the surface", on_b, 1e-12*size);
    fail_at(a, b, X, "p_B - p_A - g n", vector, 8*DBL_EPSILON*far);  // rounding of the points, which are in W
    // Columns of a pose are as far from unit.
    fail_at(a, b, X, "|n| - 1", fabs(carom_norm(gap.n_AB) - 1), 16*DBL_EPSILON);
    tally->surface = fmax(tally->surface, fmax(on_a, on_b)/size);
    tally->vector = fmax(tally->vector, vector/far);
}

static void check_symmetry(const Thing *a, const Thing *b, Poses X, caromGap gap)
{
    caromGap other = carom_collide_shapes(b->shape, X.B, a->shape, X.A);
    fail_at(a, b, X, "bits of the mirror image", !same_gap(mirrored(other), gap), 0);
    if (gap.g > 0)
        fail_at(a, b, X, "bits of the second time", !same_gap(carom_collide_shapes(a->shape, X.A, b->shape, X.B), gap),
                0);
}

// The same gap where they are apart, and no search for the depth where they are not.
static void check_apart(const Thing *a, const Thing *b, Poses X, caromGap gap, double size)
{
    caromGap apart;
    bool is_apart = carom_meshgap_apart(&a->shape, &X.A, &b->shape, &X.B, &apart);
    if (fabs(gap.g) > 1e-12*size) fail_at(a, b, X, "apart", is_apart != (gap.g > 0), 0);
    if (is_apart) fail_at(a, b, X, "gap of what is apart", fabs(apart.g - gap.g), 1e-12*size);
}

// slack: meshes that overlap may do so by this only, and then g may be as small. Returns the distance by
// reference, 0 for overlap.
static double check_pair(const Thing *a, const Thing *b, Poses X, double slack, Tally *tally)
{
    place(a, b, X);
    double size = size_of(a, b, X), exact = (double)mesh_ref_distance(a->ref, b->ref).g;
    if (exact > 0 && mesh_ref_overlap(a->ref, b->ref)) exact = 0;  // one inside the other
    caromGap gap = carom_collide_shapes(a->shape, X.A, b->shape, X.B);
    fail_at(a, b, X, "status", (double)gap.status, CAROM_GAP_OK);
    fail_at(a, b, X, "error", gap.error, 1e-9*size);
    if (exact > 0) {
        double off = fabs(gap.g - exact);
        fail_at(a, b, X, "|g - exact|", off, 1e-12*size);
        fail_at(a, b, X, "|g - exact| where error is told", off, gap.error);
        tally->g = fmax(tally->g, off/size);
        tally->bound = fmax(tally->bound, off > 0 ? off/gap.error : 0);
    } else fail_at(a, b, X, "g of overlapping meshes", gap.g, slack > 0 ? 1e-12*size : -DBL_MIN);
    fail_at(a, b, X, "depth of meshes that touch", -gap.g, slack > 0 ? slack : (double)INFINITY);
    if (fabs(gap.g) > 1e-12*size)
        fail_at(a, b, X, "overlap", carom_collide_overlap(a->shape, X.A, b->shape, X.B) != (gap.g < 0), 0);
    check_apart(a, b, X, gap, size);
    check_points(a, b, X, gap, tally);
    check_symmetry(a, b, X, gap);
    tally->n++;
    exact > 0 ? tally->separated++ : tally->overlapping++;
    tally->near += exact > 0 && exact < 1e-4*size;
    return exact;
}

static void tally_print(const char *name, const Tally *t)
{
    if (!is_verbose()) return;
    printf("%5.2f s  %-14s %4d poses, %4d separated (%d near), %4d overlap; worst g %.1e, points %.1e, "
           "vector %.1e of the size; |off|/error %.2g\n", (double)clock()/CLOCKS_PER_SEC, name, t->n, t->separated,
           t->near, t->overlapping, t->g, t->surface, t->vector, t->bound);
}

// ---- the five parts, each with each

typedef struct Parts {
    Thing a[PART_KINDS], b[PART_KINDS];
} Parts;

static Parts *parts_make(int ntriangle)
{
    Parts *parts = malloc(sizeof *parts);
    assert_non_null(parts);
    for (int k = 0; k < PART_KINDS; k++)
        parts->a[k] = thing_part(k, ntriangle, 1), parts->b[k] = thing_part(k, ntriangle, 1);
    return parts;
}

static void parts_free(Parts *parts)
{
    for (int k = 0; k < PART_KINDS; k++) thing_free(&parts->a[k]), thing_free(&parts->b[k]);
    free(parts);
}

// Gaps from 1e-6 to 0.1 of the size, evenly on a logarithmic scale.
static void near_parts(void **state)
{
    (void)state;
    Random r = { 21 };
    Tally tally = { 0 };
    Parts *parts = parts_make(300);
    for (int i = 0; i < share_of(600); i++) {
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS%PART_KINDS];
        double gap = 0.1*pow(10, random_uniform(&r, -6, -1)),
               exact = check_pair(a, b, poses_apart(&r, a, b, gap), 0, &tally);
        CHECK(exact > 0 && exact <= gap*(1 + 1e-6) + 1e-15);
    }
    parts_free(parts);
    tally_print("near", &tally);
    CHECK(tally.near > share_of(100));
}

static void finer_parts(void **state)
{
    (void)state;
    Random r = { 22 };
    Tally tally = { 0 };
    Parts *parts = parts_make(1500);
    for (int i = 0; i < share_of(75); i++) {
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS%PART_KINDS];
        check_pair(a, b, poses_apart(&r, a, b, 0.1*pow(10, random_uniform(&r, -6, -1))), 0, &tally);
    }
    parts_free(parts);
    tally_print("near, finer", &tally);
}

static void far_parts(void **state)
{
    (void)state;
    Random r = { 23 };
    Tally tally = { 0 };
    Parts *parts = parts_make(300);
    for (int i = 0; i < share_of(100); i++) {
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS%PART_KINDS];
        check_pair(a, b, poses_apart(&r, a, b, pow(10, random_uniform(&r, -1, 2))), 0, &tally);
    }
    parts_free(parts);
    tally_print("far", &tally);
    CHECK(tally.separated == share_of(100));
}

// Moved until they touch: to rounding, one way or the other. A way of 1e-13 of the size back along the path separates
// them, so depth is not more.
static void touching_parts(void **state)
{
    (void)state;
    Random r = { 24 };
    Tally tally = { 0 };
    Parts *parts = parts_make(300);
    for (int i = 0; i < share_of(100); i++) {
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS%PART_KINDS];
        Poses X = poses_apart(&r, a, b, 0);
        double size = size_of(a, b, X);
        CHECK(check_pair(a, b, X, 1e-12*size, &tally) <= 1e-13*size);
    }
    parts_free(parts);
    tally_print("touching", &tally);
}

static void overlapping_parts(void **state)
{
    (void)state;
    Random r = { 25 };
    Tally tally = { 0 };
    Parts *parts = parts_make(300);
    for (int i = 0; i < share_of(40); i++) {  // depth takes its time
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS%PART_KINDS];
        check_pair(a, b, (Poses){ random_pose(&r, 0.03), random_pose(&r, 0.03) }, 0, &tally);
    }
    parts_free(parts);
    tally_print("anywhere", &tally);
    CHECK(tally.overlapping > share_of(20));
}

// ---- one through the hole of the other

typedef struct Threaded {
    PartKind a, b;
    caromVec3 p_AB;
    double turn;  // of B about x
} Threaded;

static void parts_through_holes(void **state)
{
    (void)state;
    static const Threaded cases[] = {
        { PART_DOUGHNUT, PART_BOLT, { 0, 0, -0.03 }, 0 },
        { PART_GEAR, PART_BOLT, { 0, 0, -0.03 }, 0 },
        { PART_BRACKET, PART_BOLT, { 0, 0, -0.08 }, 0 },
        { PART_DOUGHNUT, PART_DOUGHNUT, { 0.035, 0, 0 }, 1.5707963267948966 },
    };
    Random r = { 26 };
    Tally tally = { 0 };
    for (int k = 0; k < 4; k++) {
        Thing a = thing_part(cases[k].a, 300, 1), b = thing_part(cases[k].b, 300, 1);
        for (int i = 0; i < share_of(30); i++) {
            caromPose X_WA = random_pose(&r, 0.1);
            caromQuat tilt = carom_quat_axis_angle(random_unit_vec(&r), random_uniform(&r, 0, 0.03));
            caromMat3 R = carom_quat_matrix(carom_quat_mul(tilt,
                                                           carom_quat_axis_angle(carom_vec(1, 0, 0), cases[k].turn)));
            caromPose X_AB = carom_pose(R, carom_add(cases[k].p_AB, random_vec(&r, 0.001)));
            check_pair(&a, &b, (Poses){ X_WA, carom_pose_mul(X_WA, X_AB) }, 0, &tally);
        }
        thing_free(&a), thing_free(&b);
    }
    tally_print("through holes", &tally);
    CHECK(tally.separated > share_of(60));
}

// A solid inside another overlaps it, though the surfaces are apart; in the hole of the doughnut it does not.
static void parts_inside_others(void **state)
{
    (void)state;
    static const caromVec3 inside[PART_KINDS] = { { 0.035, 0, 0 }, { 0, 0, 0.03 }, { 0, 0, 0.08 }, { 0.027, 0, 0.0125 },
                                                  { 0.03, 0.03, -0.04 } };
    Random r = { 27 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {  // few: depth takes its time
        Thing a = thing_part(k, 300, 1), b = thing_part((3*k + 1)%PART_KINDS, 300, 0.03);
        caromPose X_WA = random_pose(&r, 0.1);
        caromVec3 p_A = carom_add(inside[k], random_vec(&r, 0.0005));
        CHECK(check_pair(&a, &b, (Poses){ X_WA, carom_pose(carom_quat_matrix(random_quat(&r)),
                                                           carom_pose_point(X_WA, p_A)) }, 0, &tally) == 0);
        CHECK(mesh_ref_distance(a.ref, b.ref).g > 0);
        thing_free(&a), thing_free(&b);
    }
    Thing a = thing_part(PART_DOUGHNUT, 300, 1), b = thing_part(PART_GEAR, 300, 0.1);
    CHECK(check_pair(&a, &b, (Poses){ carom_pose_identity(), pose_at(0.001, 0.002, 0.003) }, 0, &tally) > 0.01);
    thing_free(&a), thing_free(&b);
    tally_print("inside", &tally);
}

// ---- symmetric poses: faces on faces, equal meshes in equal places

static void cubes_in_special_places(void **state)
{
    (void)state;
    Tally tally = { 0 };
    Thing a = thing_box(1, 1, 1), b = thing_box(1, 1, 1);
    for (int x = 0; x <= 4; x++)
        for (int y = 0; y <= 4; y++)
            for (int z = 2; z <= 4; z++) {  // face over face, edge along edge, corner over corner
                Poses X = { carom_pose_identity(), pose_at(0.5*x, 0.5*y, 0.5*z + 0.25) };
                double dx = fmax(0, 0.5*x - 1), dy = fmax(0, 0.5*y - 1), dz = 0.5*z + 0.25 - 1;
                CHECK_NEAR(check_pair(&a, &b, X, 0, &tally), sqrt(dx*dx + dy*dy + dz*dz), 4*DBL_EPSILON);
            }
    for (int z = 0; z <= 4; z++) {  // depth along the axis is exact
        Poses X = { carom_pose_identity(), pose_at(0, 0, 0.25*z) };
        caromGap gap = carom_collide_shapes(a.shape, X.A, b.shape, X.B);
        place(&a, &b, X);
        if (z == 4) CHECK_NEAR(gap.g, 0, 4*DBL_EPSILON);
        else CHECK(gap.g < 0 && gap.g >= -1 - 4*DBL_EPSILON);
        check_points(&a, &b, X, gap, &tally);
    }
    thing_free(&a), thing_free(&b);
    tally_print("cubes", &tally);
}

// ---- warm start

static void a_warm_start_changes_no_bit(void **state)
{
    (void)state;
    Random r = { 28 };
    Parts *parts = parts_make(300);
    for (int i = 0; i < share_of(PART_KINDS*PART_KINDS); i++) {
        const Thing *a = &parts->a[i%PART_KINDS], *b = &parts->b[i/PART_KINDS];
        caromWarmStart warm = { { 0 } };
        Poses X = poses_apart(&r, a, b, 0.005);
        caromVec3 v = random_vec(&r, 0.001), axis = random_unit_vec(&r);
        for (int step = 0; step < 30; step++) {
            caromQuat turn = carom_quat_axis_angle(axis, 0.02);
            X.B = carom_pose(carom_mat_mul(carom_quat_matrix(turn), X.B.R), carom_add(X.B.p, v));
            if (step == 15) X = poses_apart(&r, a, b, 0.005);  // a leap
            if (step == 29 && i%12 == 0) X.B.p = X.A.p;        // and into each other
            caromGap cold = carom_collide_shapes(a->shape, X.A, b->shape, X.B);
            fail_at(a, b, X, "bits of a warm start",
                    !same_gap(carom_collide_shapes_warm(a->shape, X.A, b->shape, X.B, &warm), cold), 0);
            if (cold.g < 0) X = poses_apart(&r, a, b, 0.005);  // depth takes its time
            else
                fail_at(a, b, X, "bits of a warm start again",
                        !same_gap(carom_collide_shapes_warm(a->shape, X.A, b->shape, X.B, &warm), cold), 0);
        }
    }
    parts_free(parts);
}

// What another pair has left, or nonsense, is no reason to fail either.
static void a_warm_start_of_another_pair_does_no_harm(void **state)
{
    (void)state;
    Random r = { 29 };
    Thing a = thing_part(PART_GEAR, 300, 1), b = thing_part(PART_BRACKET, 300, 1), cube = thing_box(0.02, 0.02, 0.02);
    for (int i = 0; i < share_of(50); i++) {
        caromWarmStart warm = { { 0 } };
        Poses X = poses_apart(&r, &a, &b, 0.01);
        carom_collide_shapes_warm(a.shape, X.A, b.shape, X.B, &warm);
        caromGap cold = carom_collide_shapes(cube.shape, X.A, b.shape, X.B);
        CHECK(same_gap(carom_collide_shapes_warm(cube.shape, X.A, b.shape, X.B, &warm), cold));
        for (int k = 0; k < 8; k++) warm.features[k] = (int)random_uniform(&r, -2e9, 2e9);
        CHECK(same_gap(carom_collide_shapes_warm(cube.shape, X.A, b.shape, X.B, &warm), cold));
    }
    thing_free(&a), thing_free(&b), thing_free(&cube);
}

// ---- open surfaces

static Thing sheet(double half)
{
    Part part = part_box(carom_vec(-half, -half, 0), carom_vec(half, half, 1));
    part.ntriangle = 2;  // the bottom
    return thing_raw("sheet", part);
}

static void open_surfaces_have_no_inside(void **state)
{
    (void)state;
    Random r = { 30 };
    Tally tally = { 0 };
    Thing a = sheet(0.05), b = thing_part(PART_BOLT, 300, 1);
    for (int i = 0; i < share_of(50); i++) {
        Poses X = poses_apart(&r, &a, &b, 0.1*pow(10, random_uniform(&r, -6, -1)));
        place(&a, &b, X);
        double exact = (double)mesh_ref_distance(a.ref, b.ref).g, size = size_of(&a, &b, X);
        caromGap gap = carom_collide_shapes(a.shape, X.A, b.shape, X.B);
        fail_at(&a, &b, X, "|g - exact|", fabs(gap.g - exact), 1e-12*size);
        check_points(&a, &b, X, gap, &tally);
        check_symmetry(&a, &b, X, gap);
    }
    for (int i = 0; i < share_of(20); i++) {  // crossed
        Poses X = { carom_pose_identity(), carom_pose(carom_quat_matrix(random_quat(&r)), carom_vec(0, 0, 0)) };
        X.B.p = carom_neg(carom_mul(X.B.R, carom_vec(0, 0, 0.03)));
        place(&a, &b, X);
        CHECK(mesh_ref_distance(a.ref, b.ref).g == 0);
        caromGap gap = carom_collide_shapes(a.shape, X.A, b.shape, X.B);
        CHECK(gap.g == 0 && gap.status == CAROM_GAP_OK);
        CHECK(carom_collide_overlap(a.shape, X.A, b.shape, X.B));
        check_points(&a, &b, X, gap, &tally);
        check_symmetry(&a, &b, X, gap);
    }
    thing_free(&a), thing_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_parts),
        cmocka_unit_test(finer_parts),
        cmocka_unit_test(far_parts),
        cmocka_unit_test(touching_parts),
        cmocka_unit_test(overlapping_parts),
        cmocka_unit_test(parts_through_holes),
        cmocka_unit_test(parts_inside_others),
        cmocka_unit_test(cubes_in_special_places),
        cmocka_unit_test(a_warm_start_changes_no_bit),
        cmocka_unit_test(a_warm_start_of_another_pair_does_no_harm),
        cmocka_unit_test(open_surfaces_have_no_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
