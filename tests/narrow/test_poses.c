// Poses that are none: every query on every pair of kinds of shapes says so, whichever entry is bad and whether or not
// the shapes have a use for it.
#include "collide_fixture.h"
#include "mesh_fixture.h"

enum { KINDS = 11 };

static caromShape shapes[KINDS];

static int make_shapes(void **state)
{
    (void)state;
    Random r = { 51 };
    Raw raw = tetrahedron();
    caromMesh *mesh = carom_mesh_create(raw.vertices, raw.nvertex, (const int (*)[3])raw.triangles,
                                        raw.ntriangle, NULL, NULL);
    raw_free(&raw);
    if (!mesh) return -1;
    const caromShape all[KINDS] = {
        carom_shape_sphere(0.5), carom_shape_ellipsoid(0.5, 0.4, 0.3), carom_shape_box(1, 0.8, 0.6),
        carom_shape_rounded(carom_shape_box(0.4, 0.4, 0.4), 0.2), carom_shape_cylinder(0.4, 1),
        carom_shape_cone(0.4, 0, 1), carom_shape_capsule(0.3, 1), carom_shape_torus(0.6, 0.2),
        carom_shape_polytope(random_hull(&r, 0)), carom_shape_half_space(), carom_shape_mesh(mesh)
    };
    for (int k = 0; k < KINDS; k++) shapes[k] = all[k];
    return 0;
}

static int free_shapes(void **state)
{
    (void)state;
    carom_hull_destroy((caromHull *)shapes[8].hull);
    carom_mesh_destroy((caromMesh *)shapes[10].mesh);
    return 0;
}

static caromGapStatus expected;

static bool gap_is_undefined(caromGap gap)
{
    return gap.status == expected && !(gap.g > 0.0) && !(gap.g <= 0.0 && isfinite(gap.g));
}

// The bad pose as that of a whole, and of a part beside one that is near.
static bool compounds_are_undefined(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    caromPose I = carom_pose_identity(), parts[2] = { I, X_WB };
    caromShape balls[2] = { shapes[0], b };
    caromCompound one = { 1, &a, &I }, other = { 1, &b, &I }, two = { 2, balls, parts };
    bool is_part_bad = a.kind == CAROM_HALF_SPACE || gap_is_undefined(carom_collide_compounds(one, X_WA, two, I).gap);
    return is_part_bad && gap_is_undefined(carom_collide_compounds(one, X_WA, other, X_WB).gap);
}

static bool sweep_is_undefined(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    caromMoving m = { .shape = a, .X_WS = X_WA, .V_WS = { { 0, 0, 0 }, { 0, 0, 1 } } },
                still = { .shape = b, .X_WS = X_WB };
    return gap_is_undefined(carom_sweep_shapes(m, still, 10.0).gap);
}

static void count_polygon(const caromPolygon *polygon, void *user)
{
    (void)polygon;
    ++*(int *)user;
}

// A query of two shapes that answers as if the poses were some.
static const char *pair_that_answers(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    caromWarmStart warm = { { 0 } };
    caromWitness witnesses[4];
    int polygons = 0;
    carom_collide_shapes_warm(a, carom_pose_identity(), b, pose_at(0, 0, 3), &warm);
    if (!gap_is_undefined(carom_collide_shapes(a, X_WA, b, X_WB))) return "carom_collide_shapes";
    if (!gap_is_undefined(carom_collide_shapes_warm(a, X_WA, b, X_WB, &warm))) return "carom_collide_shapes_warm";
    if (!gap_is_undefined(carom_collide_shapes_26(a, X_WA, b, X_WB))) return "carom_collide_shapes_26";
    if (carom_collide_overlap(a, X_WA, b, X_WB)) return "carom_collide_overlap";
    if (carom_collide_witnesses(a, X_WA, b, X_WB, 1.0, witnesses, 4) != -1) return "carom_collide_witnesses";
    if (!compounds_are_undefined(a, X_WA, b, X_WB)) return "carom_collide_compounds";
    if (!sweep_is_undefined(a, X_WA, b, X_WB)) return "carom_sweep_shapes";
    if (carom_patch_polygons(a, X_WA, b, X_WB, count_polygon, &polygons) != -1) return "carom_patch_polygons";
    return NULL;
}

static const char *point_that_answers(caromShape a, caromPose X_WA)
{
    caromVec3 p = carom_vec(0.1, 0.1, -0.1);
    if (!gap_is_undefined(carom_collide_point(a, X_WA, p))) return "carom_collide_point";
    if (carom_collide_contains(a, X_WA, p)) return "carom_collide_contains";
    return carom_collide_ray(a, X_WA, carom_vec(0, 0, 5), carom_vec(0, 0, -1), 10.0).hit ? "carom_collide_ray" : NULL;
}

static int answered;  // since the last test began

static void expect_none(const char *answers, caromShape a, caromShape b, int what)
{
    if (answers && answered++ < 5)
        print_message("  %s answers: %s, %s, %d\n", answers, carom_shape_kind_name(a.kind),
                      carom_shape_kind_name(b.kind), what);
}

// All pairs, in both orders, near each other and not.
static void expect_none_with(caromPose bad, int what)
{
    for (int i = 0; i < KINDS; i++) {
        expect_none(point_that_answers(shapes[i], bad), shapes[i], shapes[i], what);
        for (int k = 0; k < KINDS; k++) {
            for (int apart = 0; apart < 2; apart++) {
                caromPose good = pose_at(0.1, 0.05, apart ? 5.0 : 0.2);
                expect_none(pair_that_answers(shapes[i], bad, shapes[k], good), shapes[i], shapes[k], what);
                expect_none(pair_that_answers(shapes[i], good, shapes[k], bad), shapes[i], shapes[k], what);
            }
        }
    }
}

static double *entry(caromPose *X, int k)
{
    caromVec3 *columns[4] = { &X->R.cx, &X->R.cy, &X->R.cz, &X->p };
    return k%3 == 0 ? &columns[k/3]->x : k%3 == 1 ? &columns[k/3]->y : &columns[k/3]->z;
}

static void what_is_not_finite_is_undefined(void **state)
{
    (void)state;
    answered = 0;
    expected = CAROM_GAP_UNDEFINED;
    const double bad[] = { NAN, INFINITY, -INFINITY };
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < 3; i++) {
            caromPose X = carom_pose_identity();
            *entry(&X, k) = bad[i];
            expect_none_with(X, k);
        }
    }
    assert_int_equal(answered, 0);
}

// Not filled, scaled, mirrored, sheared, in one plane; rows where columns should be are not to be seen. A matrix that
// is off by what an integration leaves is a rotation.
static void what_is_no_rotation_is_refused(void **state)
{
    (void)state;
    answered = 0;
    expected = CAROM_GAP_NO_ROTATION;
    const caromMat3 bad[] = {
        { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, { { 2, 0, 0 }, { 0, 2, 0 }, { 0, 0, 2 } },
        { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 } }, { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } },
        { { 1, 0, 0 }, { 0.6, 0.8, 0 }, { 0, 0, 1 } }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0.6, 0.8 } },
        { { 1, 0, 0 }, { 0, 1, 0 }, { 0.6, 0, 0.8 } }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 1, 0 } },
        { { 1.02, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 } }
    };
    for (int k = 0; k < (int)(sizeof bad/sizeof *bad); k++)
        expect_none_with(carom_pose(bad[k], carom_vec(0, 0, 0)), k);
    assert_int_equal(answered, 0);
    caromPose off = { { { 1.001, 0, 0 }, { 1e-3, 1, 0 }, { 0, 1e-3, 0.999 } }, { 0, 0, 0 } };
    for (int k = 0; k < KINDS*(KINDS - 1); k++) {  // all but two half-spaces
        caromShape a = shapes[k/KINDS], b = shapes[k%KINDS];
        if (a.kind == CAROM_HALF_SPACE) a = shapes[KINDS - 1];
        for (int apart = 0; apart < 2; apart++)
            CHECK(carom_collide_shapes(a, off, b, pose_at(0.1, 0.05, apart ? 5 : 0.2)).status <= CAROM_GAP_IMPRECISE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_is_undefined),
        cmocka_unit_test(what_is_no_rotation_is_refused),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
