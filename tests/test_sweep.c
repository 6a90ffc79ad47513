// The first touch of moving shapes: against closed forms, bisection and all pairs of features when they slide; never late when they turn.
#include <float.h>

#include "sweep_fixture.h"

// ---- sliding, convex

static void spheres_touch_when_their_distance_is_the_sum_of_radii(void **state)
{
    (void)state;
    Random r = { 1 };
    int hits = 0;
    for (int k = 0; k < 5000; k++) {
        double ra = random_size(&r), rb = random_size(&r);
        Moving a = { carom_sphere(ra), random_pose(&r, 2), { random_vec(&r, 3), random_vec(&r, 1) } };
        Moving b = { carom_sphere(rb), random_pose(&r, 2), { random_vec(&r, 3), random_vec(&r, 1) } };
        if (k%2) b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, 0.7*(ra + rb))));
        caromSweep s = sweep_of(&a, &b, 10);
        // |d + v t| = ra + rb
        long double d[3] = { (long double)b.X.p.x - a.X.p.x, (long double)b.X.p.y - a.X.p.y, (long double)b.X.p.z - a.X.p.z };
        long double v[3] = { (long double)b.V.linear.x - a.V.linear.x, (long double)b.V.linear.y - a.V.linear.y, (long double)b.V.linear.z - a.V.linear.z };
        long double vv = 0, dv = 0, dd = 0, R = (long double)ra + rb;
        for (int i = 0; i < 3; i++) vv += v[i]*v[i], dv += d[i]*v[i], dd += d[i]*d[i];
        long double disc = dv*dv - vv*(dd - R*R), t = dd <= R*R ? 0 : disc < 0 || dv > 0 ? INFINITY : (dd - R*R)/(sqrtl(disc) - dv);
        if (t > 10) t = INFINITY;
        CHECK(s.hit == (t <= 10));
        if (!s.hit) continue;
        hits++;
        double closing = (double)(sqrtl(disc)/R);
        if (t > 0) CHECK_NEAR(s.t, (double)t, 1e-15*(double)t + 1e-14*((double)R + sqrt((double)dd))/closing);
        else CHECK(s.t == 0);
        CHECK_NEAR(s.gap.g, t > 0 ? 0 : (double)(sqrtl(dd) - R), 1e-13);
    }
    CHECK(hits > 1000);
}

// The gap of convex shapes that slide is convex in time: its least value by thirds, its first zero by halves. Infinite: no touch.
static double bisected(const Moving *a, const Moving *b, double t_max, double *least)
{
    double low = 0, high = t_max;
    *least = plain_gap(a, b, 0);
    for (int i = 0; i < 120 && *least > 0; i++) {
        double x = low + (high - low)/3, y = high - (high - low)/3, gx = plain_gap(a, b, x), gy = plain_gap(a, b, y);
        *least = fmin(*least, fmin(gx, gy));
        if (gx < gy) high = y;
        else low = x;
        if (gx <= 0) high = x;
        else if (gy <= 0) high = y;
    }
    if (*least > 0) return INFINITY;
    double apart = 0, touching = high;
    if (plain_gap(a, b, 0) <= 0) return 0;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5*(apart + touching);
        if (!(middle > apart && middle < touching)) break;
        if (carom_collide_shapes(a->shape, moving_at(a, middle), b->shape, moving_at(b, middle)).g > 0) apart = middle;
        else touching = middle;
    }
    return touching;
}

typedef struct Count {
    int cases, hits, grazing;
    double worst;
} Count;

// How exactly can the time be known? The gap has some roundings of the lengths in it; at the speed at which it closes that is so much time.
static void check_sliding(const Moving *a, const Moving *b, double t_max, Count *count)
{
    double least, expected = bisected(a, b, t_max, &least), scale = scale_of(a, b) + carom_norm(carom_sub(b->X.p, a->X.p));
    caromSweep s = sweep_of(a, b, t_max);
    count->cases++;
    if (fabs(least) < 1e-12*scale && expected > 0) return;
    if (s.hit != (expected <= t_max)) fail_msg("%s - %s: hit %d, but the least gap is %g", carom_shape_kind_name(a->shape.kind), carom_shape_kind_name(b->shape.kind), s.hit, least);
    if (!s.hit) return;
    count->hits++;
    caromVec3 v = carom_sub(b->V.linear, a->V.linear);
    double closing = -carom_dot(s.gap.n_AB, v);
    if (expected == 0) CHECK(s.t == 0);
    else if (closing < 1e-3*carom_norm(v)) count->grazing++;
    else {
        CHECK_NEAR(s.t, expected, 1e-10*expected);
        count->worst = fmax(count->worst, fabs(s.t - expected)/expected);
        CHECK_NEAR(s.t, expected, 1e-13*scale/closing);
        CHECK_NEAR(carom_norm(s.gap.n_AB), 1, 1e-14);
        CHECK_NEAR(s.gap.g, 0, 1e-13*scale);
    }
}

static void convex_shapes_touch_where_their_gap_is_zero(void **state)
{
    (void)state;
    Random r = { 2 };
    Count count = { 0 };
    for (int k = 0; k < 3000; k++) {
        caromHull *hull = NULL, *other = NULL;
        Moving a = { random_convex(&r), random_pose(&r, 2), { { 0, 0, 0 }, random_vec(&r, 1) } };
        Moving b = { random_convex(&r), random_pose(&r, 2), { { 0, 0, 0 }, random_vec(&r, 1) } };
        if (k%3 == 0) a.shape = carom_polytope(hull = random_hull(&r, k%2 ? 0.02 : 0));
        if (k%6 == 0) b.shape = carom_polytope(other = random_hull(&r, 0));
        if (k%7 == 6) b.shape = carom_half_space();
        double size = scale_of(&a, &b);
        if (k%7 != 6 && k%5 > 0) b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, 0.5*size)));
        check_sliding(&a, &b, 3, &count);
        carom_hull_destroy(hull);
        carom_hull_destroy(other);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 1500 && count.grazing < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_when_their_distance_is_the_sum_of_radii),
        cmocka_unit_test(convex_shapes_touch_where_their_gap_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
