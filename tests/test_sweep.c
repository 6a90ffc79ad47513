// The first touch of moving shapes: against closed forms, bisection and all pairs of features when they slide; never late when they turn.
#include <float.h>

#include "sweep_reference.h"

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

// ---- sliding, meshes

static void check_time(const char *what, const Moving *a, const Moving *b, double expected, double t_max, Count *count)
{
    caromSweep s = sweep_of(a, b, t_max);
    double scale = scale_of(a, b) + carom_norm(carom_sub(b->X.p, a->X.p));
    count->cases++;
    caromVec3 v = carom_sub(b->V.linear, a->V.linear);
    double closing = s.hit ? -carom_dot(s.gap.n_AB, v) : 1;
    if (s.hit && expected > 0 && closing < 1e-3*carom_norm(v)) {
        count->grazing++;
        return;
    }
    if (s.hit != (expected <= t_max)) fail_msg("%s: hit %d at %.17g, expected %.17g", what, s.hit, s.t, expected);
    if (!s.hit) return;
    count->hits++;
    if (expected > 0) count->worst = fmax(count->worst, fabs(s.t - expected)/expected);
    CHECK_NEAR(s.t, expected, 1e-10*expected);
    if (expected > 0) {
        CHECK_NEAR(s.t, expected, 1e-13*scale/closing);
        CHECK(s.t <= expected + 1e-15*scale/closing + 1e-15*expected);
        CHECK_NEAR(s.gap.g, 0, 1e-13*scale);
        CHECK_NEAR(carom_norm(s.gap.n_AB), 1, 1e-14);
    }
}

static void meshes_touch_where_all_pairs_of_triangles_say(void **state)
{
    (void)state;
    Random r = { 3 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < 1500) {
        Moving a = standing(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        Moving b = thrown(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        if (starts_apart(&a, &b)) check_time("meshes", &a, &b, (double)ref_meshes_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 1000 && count.grazing < 60);
    shelf_destroy(&shelf);
}

static caromShape random_round(Random *r)
{
    double a = random_uniform(r, 0.05, 0.4), b = random_uniform(r, 0.05, 0.4), c = random_uniform(r, 0.05, 0.4);
    switch ((int)random_uniform(r, 0, 3)) {
    case 0: return carom_sphere(a);
    case 1: return carom_ellipsoid(a, b, c);
    default: return carom_capsule(a, b);
    }
}

static void meshes_and_round_shapes_touch_where_closed_forms_say(void **state)
{
    (void)state;
    Random r = { 4 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < 1500) {
        Moving a = standing(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)])), b = thrown(&r, random_round(&r));
        if (starts_apart(&a, &b))
            check_time(carom_shape_kind_name(b.shape.kind), &a, &b, (double)ref_round_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 500 && count.grazing < 60);
    shelf_destroy(&shelf);
}

static void meshes_and_flat_shapes_touch_where_all_pairs_of_triangles_say(void **state)
{
    (void)state;
    Random r = { 5 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < 1500) {
        Moving a = standing(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)])), b = thrown(&r, carom_sphere(1));
        caromHull *hull = NULL;
        caromMesh *twin = NULL;
        double expected = INFINITY;
        int kind = (int)random_uniform(&r, 0, 3);
        if (kind == 0) {
            b.shape = carom_half_space();
            b.X.R = carom_quat_matrix(random_quat(&r));
            b.X.p = carom_scale(-random_uniform(&r, 1.1, 2), b.X.R.cz);
            expected = (double)ref_plane_time(&a, &b);
        } else if (kind == 1) {
            caromVec3 h = carom_vec(random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3));
            b.shape = carom_box(2*h.x, 2*h.y, 2*h.z);
            twin = mesh_and_free(box(carom_neg(h), h));
        } else {
            hull = random_hull(&r, 0);
            b.shape = carom_polytope(hull);
            twin = mesh_of_hull(hull);
        }
        Moving b_twin = { carom_mesh_shape(twin), b.X, b.V };
        bool is_apart = kind == 0 || starts_apart(&a, &b);
        if (kind > 0 && is_apart) expected = (double)ref_meshes_time(&a, &b_twin);
        if (is_apart) check_time(carom_shape_kind_name(b.shape.kind), &a, &b, expected, 2, &count);
        carom_mesh_destroy(twin);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 500 && count.grazing < 60);
    shelf_destroy(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_when_their_distance_is_the_sum_of_radii),
        cmocka_unit_test(convex_shapes_touch_where_their_gap_is_zero),
        cmocka_unit_test(meshes_touch_where_all_pairs_of_triangles_say),
        cmocka_unit_test(meshes_and_round_shapes_touch_where_closed_forms_say),
        cmocka_unit_test(meshes_and_flat_shapes_touch_where_all_pairs_of_triangles_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
