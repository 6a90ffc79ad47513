// Gaps of toruses against dense sampling of the ring, closed forms, and the promises of collide.h.
#include "carom/collide.h"

#include <float.h>

#include "check.h"
#include "narrow/closed.h"
#include "collide_fixture.h"

static const double two_pi = 6.28318530717958647693;

static caromVec3 ring_point(const caromShape *a, caromPose X, double angle)
{
    return carom_pose_point(X, carom_vec(a->size.x*cos(angle), a->size.x*sin(angle), 0));
}

// Least signed distance of the ring from b: n samples, then about each one that is lower than its neighbours by thirds.
// Signed distances of points are tested by themselves.
static double sampled(const caromShape *a, caromPose X_WA, caromShape b, caromPose X_WB, int n)
{
    static double f[4096];
    double best = INFINITY, step = two_pi/n;
    for (int k = 0; k < n; k++) f[k] = carom_collide_point(b, X_WB, ring_point(a, X_WA, k*step)).g;
    for (int k = 0; k < n; k++) {
        if (f[k] > f[(k + 1) % n] || f[k] > f[(k + n - 1) % n]) continue;
        if (f[k] - 0.5*step*a->size.x > best) continue;
        double lo = (k - 1)*step, hi = (k + 1)*step, fx = f[k], fy = f[k];
        for (int i = 0; i < 80; i++) {
            double x = lo + (hi - lo)/3.0, y = hi - (hi - lo)/3.0;
            fx = carom_collide_point(b, X_WB, ring_point(a, X_WA, x)).g,
                fy = carom_collide_point(b, X_WB, ring_point(a, X_WA, y)).g;
            if (fx <= fy) hi = y;
            else lo = x;
        }
        best = fmin(best, fmin(f[k], fmin(fx, fy)));
    }
    return best - a->size.y;
}

static void check_witnesses(const caromShape *a, caromPose X_WA, const caromShape *b, caromPose X_WB, const caromGap *g,
                            double rounding)
{
    CHECK_NEAR(carom_norm(g->n_AB), 1.0, 8*DBL_EPSILON);
    CHECK_VEC(carom_sub(g->p_B, g->p_A), carom_scale(g->g, g->n_AB), rounding);
    // On the ring: its distance from the torus' surface is the tube's radius.
    caromVec3 c = carom_axpy(-a->size.y, g->n_AB, g->p_A);
    CHECK_NEAR(carom_collide_point(*a, X_WA, c).g, -a->size.y, g->error + rounding);
    CHECK_NEAR(carom_collide_point(*b, X_WB, c).g - a->size.y, g->g, g->error + rounding);
    CHECK_NEAR(carom_collide_point(*b, X_WB, g->p_B).g, 0.0, g->error + rounding);
}

// Returns whether the error is as small as it should be. Next to degenerate poses it may not be: nearly round bodies
// nearly about the ring's axis.
static bool check_pair(caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, int n, double rounding)
{
    caromGap g = carom_gap_torus(&a, X_WA, &b, X_WB);
    double expected = sampled(&a, X_WA, b, X_WB, n), size = carom_shape_radius(a) + carom_shape_radius(b);
    CHECK(g.status == (g.error <= 1e-9*size ? CAROM_GAP_OK : CAROM_GAP_IMPRECISE));
    CHECK(g.g <= expected + g.error + rounding);  // and not lower than the ring is at its own witness:
    check_witnesses(&a, X_WA, &b, X_WB, &g, rounding);
    return g.error < 5e-13*(size + carom_norm(carom_sub(X_WA.p, X_WB.p)));
}

static caromShape random_torus(Random *r)
{
    double R = pow(10, random_uniform(r, -1, 0));
    return carom_shape_torus(R, R*random_uniform(r, 0.01, 0.6));
}

// Offsets and turns of B from coaxial: none, tiny, or any.
static caromPose nearby_pose(Random *r, caromPose X_WA)
{
    double size = random_uniform(r, 0, 1) < 0.5 ? 1.0 : pow(10, random_uniform(r, -16, -1));
    caromVec3 axis = random_vec(r, size);
    double angle = carom_norm(axis), s = angle > 0.0 ? sin(0.5*angle)/angle : 0.5;
    caromPose X_AB = { carom_quat_matrix(carom_quat(cos(0.5*angle), s*axis.x, s*axis.y, s*axis.z)),
                       random_vec(r, size) };
    if (random_uniform(r, 0, 1) < 0.3) X_AB.R = carom_mat_identity();
    if (random_uniform(r, 0, 1) < 0.3) X_AB.p = carom_vec(0, 0, 0);
    X_AB.p.z += random_uniform(r, 0, 1) < 0.5 ? random_uniform(r, -1, 1) : 0.0;
    return carom_pose_mul(X_WA, X_AB);
}

static void toruses_and_convex_shapes_against_sampling(void **state)
{
    (void)state;
    Random r = { 31 };
    int hard = 0;
    for (int i = 0; i < 2500; i++) {
        caromHull *hull = i % 25 == 0 ? random_hull(&r, i % 2 ? 0.05 : 0.0) : NULL;
        caromShape a = random_torus(&r), b = hull ? carom_shape_polytope(hull) : random_convex(&r);
        caromPose X_WA = random_pose(&r, 1.0), X_WB = i % 2 ? random_pose(&r, 1.0) : nearby_pose(&r, X_WA);
        if (!check_pair(a, X_WA, b, X_WB, 300, 1e-13)) hard++, CHECK(i % 2 == 0);
        carom_hull_destroy(hull);
    }
    CHECK(hard <= 10);
}

static void toruses_and_toruses_against_sampling(void **state)
{
    (void)state;
    Random r = { 37 };
    int hard = 0;
    for (int i = 0; i < 3000; i++) {
        caromShape a = random_torus(&r), b = random_torus(&r);
        if (i % 5 == 0) b.size.x = a.size.x, b.size.y = fmin(b.size.y, 0.9*b.size.x);  // still a ring
        caromPose X_WA = random_pose(&r, 1.0), X_WB = i % 2 ? random_pose(&r, 1.0) : nearby_pose(&r, X_WA);
        if (!check_pair(a, X_WA, b, X_WB, 300, 1e-13) && i % 5) hard++, CHECK(i % 2 == 0);
    }
    CHECK(hard <= 10);
}

static void rings_that_cross_or_touch(void **state)
{
    (void)state;
    Random r = { 41 };
    int hard = 0;
    for (int i = 0; i < 1000; i++) {
        caromShape a = random_torus(&r), b = random_torus(&r);
        caromPose X_WA = random_pose(&r, 1.0), X_WB = random_pose(&r, 1.0);
        // a point of ring B at a point of ring A, or close to it
        caromVec3 p = ring_point(&a, X_WA, random_uniform(&r, 0, two_pi)),
                  q = ring_point(&b, X_WB, random_uniform(&r, 0, two_pi));
        X_WB.p = carom_add(X_WB.p, carom_axpy(i % 2 ? pow(10, random_uniform(&r, -15, -2)) : 0.0, random_vec(&r, 1.0),
                                              carom_sub(p, q)));
        if (!check_pair(a, X_WA, b, X_WB, 600, 1e-13)) hard++;
    }
    CHECK(hard <= 10);
}

static void swapping_mirrors_to_the_last_bit(void **state)
{
    (void)state;
    Random r = { 43 };
    for (int i = 0; i < 500; i++) {
        caromShape a = random_torus(&r), b = i % 2 ? a : random_torus(&r);
        caromPose X_WA = random_pose(&r, 1.0), X_WB = random_pose(&r, 1.0);
        caromGap g = carom_gap_torus(&a, X_WA, &b, X_WB), h = carom_gap_torus(&b, X_WB, &a, X_WA);
        CHECK(g.g == h.g && g.error == h.error && g.status == h.status);
        CHECK_VEC(g.p_A, h.p_B, 0);
        CHECK_VEC(g.p_B, h.p_A, 0);
        CHECK_VEC(g.n_AB, carom_neg(h.n_AB), 0);
    }
}

static void closed_forms(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity(), up = { carom_mat_identity(), { 0, 0, 1 } },
              side = { carom_mat_identity(), { 3, 0, 0 } };
    caromShape torus = carom_shape_torus(1, 0.25), ball = carom_shape_sphere(0.5), disc = carom_shape_cylinder(2, 0.5),
               slab = carom_shape_box(8, 8, 0.5), pin = carom_shape_cylinder(0.5, 4);
    caromGap g = carom_gap_torus(&torus, I, &ball, I);
    CHECK_NEAR(g.g, 0.25, 0);
    CHECK_VEC(g.p_A, carom_vec(0.75, 0, 0), 0);
    g = carom_gap_torus(&torus, I, &ball, side);
    CHECK_NEAR(g.g, 1.25, 1e-15);
    CHECK_VEC(g.n_AB, carom_vec(1, 0, 0), 0);
    CHECK_NEAR(carom_gap_torus(&torus, up, &disc, I).g, 0.5, 1e-15);
    CHECK_NEAR(carom_gap_torus(&torus, up, &slab, I).g, 0.5, 1e-15);
    CHECK_NEAR(carom_gap_torus(&torus, up, &pin, I).g, 0.25, 1e-15);
    CHECK_NEAR(carom_gap_torus(&torus, up, &torus, I).g, 0.5, 1e-15);
    CHECK_NEAR(carom_gap_torus(&torus, side, &torus, I).g, 0.5, 1e-15);
    // Linked: the vertical ring of radius 1 passes through the centre of the other.
    caromPose linked = { { { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } }, { 1, 0, 0 } };
    CHECK_NEAR(carom_gap_torus(&torus, linked, &torus, I).g, 0.5, 1e-13);
}

static void far_from_the_origin(void **state)
{
    (void)state;
    Random r = { 47 };
    for (int i = 0; i < 300; i++) {
        caromShape a = random_torus(&r), b = i % 3 ? random_convex(&r) : random_torus(&r);
        caromPose X_WA = random_pose(&r, 1.0), X_WB = random_pose(&r, 1.0);
        caromVec3 away = random_vec(&r, 1e4);
        X_WA.p = carom_add(X_WA.p, away), X_WB.p = carom_add(X_WB.p, away);
        CHECK(check_pair(a, X_WA, b, X_WB, 300, 16*DBL_EPSILON*1e4));
    }
}

static void what_is_not_finite_is_undefined(void **state)
{
    (void)state;
    caromPose I = carom_pose_identity(), X = I;
    X.R.cx.x = NAN;
    caromShape torus = carom_shape_torus(1, 0.25), box = carom_shape_box(1, 1, NAN), good = carom_shape_box(1, 1, 1);
    CHECK(carom_gap_torus(&torus, I, &box, I).status == CAROM_GAP_UNDEFINED);
    CHECK(carom_gap_torus(&torus, X, &good, I).status == CAROM_GAP_UNDEFINED);
    CHECK(carom_gap_torus(&torus, I, &torus, X).status == CAROM_GAP_UNDEFINED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toruses_and_convex_shapes_against_sampling),
        cmocka_unit_test(toruses_and_toruses_against_sampling),
        cmocka_unit_test(rings_that_cross_or_touch),
        cmocka_unit_test(swapping_mirrors_to_the_last_bit),
        cmocka_unit_test(closed_forms),                               cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(what_is_not_finite_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
