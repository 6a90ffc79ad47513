// Compounds against all pairs of their parts; the search along 26 directions against the exact answer.
#include "carom/collide.h"

#include <float.h>

#include "check.h"
#include "collide_fixture.h"

static caromShape random_part(Random *r)
{
    double a = random_size(r), b = random_size(r), c = random_size(r);
    return random_uniform(r, 0, 1) < 0.5 ? carom_shape_sphere(a) : carom_shape_box(a, b, c);
}

enum { PARTS = 5 };
typedef struct Parts {
    caromShape shapes[PARTS];
    caromPose poses[PARTS];
} Parts;

static caromCompound random_compound(Random *r, Parts *parts)
{
    for (int i = 0; i < PARTS; i++) parts->shapes[i] = random_part(r), parts->poses[i] = random_pose(r, 1.0);
    return (caromCompound){ 1 + (int)random_uniform(r, 0, PARTS), parts->shapes, parts->poses };
}

static void compounds_are_as_near_as_their_nearest_parts(void **state)
{
    (void)state;
    Random r = { 61 };
    for (int i = 0; i < 3000; i++) {
        Parts parts_a, parts_b;
        caromCompound a = random_compound(&r, &parts_a), b = random_compound(&r, &parts_b);
        caromPose X_WA = random_pose(&r, 2.0), X_WB = random_pose(&r, 2.0);
        caromCompoundGap g = carom_collide_compounds(a, X_WA, b, X_WB), h = carom_collide_compounds(b, X_WB, a, X_WA);
        double least = INFINITY;
        for (int k = 0; k < a.n; k++)
            for (int m = 0; m < b.n; m++)
                least = fmin(least, carom_collide_shapes(a.shapes[k], carom_pose_mul(X_WA, a.X_BS[k]), b.shapes[m],
                                                         carom_pose_mul(X_WB, b.X_BS[m])).g);
        CHECK_NEAR(g.gap.g, least, 0);
        CHECK(g.part_a >= 0 && g.part_a < a.n && g.part_b >= 0 && g.part_b < b.n);
        CHECK_NEAR(h.gap.g, g.gap.g, 16*DBL_EPSILON);
    }
}

// Two equal pairs, crosswise: which of them is told must not depend on who is called A.
static void ties_are_mirrored(void **state)
{
    (void)state;
    caromShape balls[2] = { carom_shape_sphere(0.5), carom_shape_sphere(0.5) };
    caromPose left_right[2] = { { carom_mat_identity(), { -2, 0, 0 } }, { carom_mat_identity(), { 2, 0, 0 } } };
    caromPose right_left[2] = { left_right[1], left_right[0] };
    caromCompound a = { 2, balls, left_right }, b = { 2, balls, right_left };
    caromPose X = { carom_mat_identity(), { 0, 0, 2 } }, I = carom_pose_identity();
    caromCompoundGap g = carom_collide_compounds(a, I, b, X), h = carom_collide_compounds(b, X, a, I);
    CHECK_NEAR(g.gap.g, 1.0, 0);
    CHECK(g.part_a == h.part_b && g.part_b == h.part_a);
    CHECK_VEC(g.gap.p_A, h.gap.p_B, 0);
    CHECK_VEC(g.gap.n_AB, carom_neg(h.gap.n_AB), 0);
}

static void empty_compounds_are_infinitely_far(void **state)
{
    (void)state;
    caromShape ball = carom_shape_sphere(1);
    caromPose I = carom_pose_identity();
    caromCompound one = { 1, &ball, &I }, none = { 0, NULL, NULL }, negative = { -3, NULL, NULL };
    CHECK(carom_collide_compounds(one, I, none, I).part_a == -1 &&
          isinf(carom_collide_compounds(one, I, none, I).gap.g));
    CHECK(carom_collide_compounds(negative, I, one, I).part_b == -1);
    caromShape bad = carom_shape_sphere(NAN);
    caromCompound broken = { 1, &bad, &I };
    CHECK(carom_collide_compounds(one, I, broken, I).gap.status == CAROM_GAP_UNDEFINED);
}

// Never shorter than the shortest, within the error it gives, and a translation by it does separate.
static void twenty_six_directions_bound_the_depth(void **state)
{
    (void)state;
    Random r = { 67 };
    int overlapping = 0;
    double worst = 1.0;
    for (int i = 0; i < 300; i++) {
        caromShape a = random_part(&r), b = i % 5 == 0 ? carom_shape_half_space() : random_part(&r);
        caromPose X_WA = random_pose(&r, 0.2), X_WB = random_pose(&r, 0.2);
        caromGap exact = carom_collide_shapes(a, X_WA, b, X_WB), g = carom_collide_shapes_26(a, X_WA, b, X_WB);
        if (exact.g >= 0.0) {
            CHECK(g.g == exact.g);
            continue;
        }
        double rounding = 1e-13;
        overlapping++;
        CHECK(-g.g >= -exact.g - rounding);
        CHECK(-g.g - g.error <= -exact.g + rounding);
        worst = fmax(worst, g.g/exact.g);
        CHECK_VEC(carom_sub(g.p_B, g.p_A), carom_scale(g.g, g.n_AB), 1e-15);
        caromPose moved = { X_WB.R, carom_axpy(-g.g, g.n_AB, X_WB.p) };
        CHECK(carom_collide_shapes(a, X_WA, b, moved).g >= -rounding);
        caromGap h = carom_collide_shapes_26(b, X_WB, a, X_WA);
        CHECK(h.g == g.g);
        CHECK_VEC(h.n_AB, carom_neg(g.n_AB), 0);
    }
    CHECK(overlapping > 100);
    CHECK(worst > 1.0 && worst < 1.2/0.88645);  // one step too far, in the worst direction
}

// Shapes that carom_shape_check would refuse: steps that start at nothing, or where everything is infinitely far.
static void twenty_six_directions_end(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity(), deep = { I.R, { 0, 0, -1e200 } };
    caromGap g = carom_collide_shapes_26(carom_shape_sphere(0), I, carom_shape_box(1, 1, 1), I);
    CHECK(g.g <= -0.5 && g.g > -0.6);
    CHECK(carom_collide_shapes_26(carom_shape_sphere(-1), I, carom_shape_box(4, 4, 4), I).g < 0.0);
    CHECK(carom_collide_shapes_26(carom_shape_box(1, 1, 1), deep, carom_shape_half_space(), I).g <= -1e200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compounds_are_as_near_as_their_nearest_parts), cmocka_unit_test(ties_are_mirrored),
        cmocka_unit_test(empty_compounds_are_infinitely_far),
        cmocka_unit_test(twenty_six_directions_bound_the_depth),
        cmocka_unit_test(twenty_six_directions_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
