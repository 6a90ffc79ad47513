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

enum { MESHES = 6 };
typedef struct Shelf { caromMesh *meshes[MESHES]; } Shelf;

static Shelf shelf_create(void)
{
    return (Shelf){ { mesh_and_free(cube(0.5)), mesh_and_free(bracket(1)), mesh_and_free(torus(0.6, 0.2, 9, 6)), mesh_and_free(refined(bracket(0.8))),
                      mesh_and_free(tetrahedron()), mesh_and_free(torus(0.7, 0.1, 5, 3)) } };
}

static void shelf_destroy(Shelf *shelf)
{
    for (int i = 0; i < MESHES; i++) carom_mesh_destroy(shelf->meshes[i]);
}

// Somewhere around the origin, and thrown at it or past it.
static Moving thrown(Random *r, caromShape shape)
{
    Moving m = { shape, random_pose(r, 1), { { 0, 0, 0 }, { 0, 0, 0 } } };
    m.X.p = carom_scale(random_uniform(r, 1.2, 3)/carom_norm(m.X.p), m.X.p);
    m.V.linear = carom_sub(random_vec(r, 0.7), m.X.p);
    return m;
}

static Moving standing(Random *r, caromShape shape)
{
    return (Moving){ shape, random_pose(r, 0.1), { { 0, 0, 0 }, random_vec(r, 0.2) } };
}

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

// Far enough for a start that needs no look.
static bool starts_apart(const Moving *a, const Moving *b)
{
    return carom_norm(carom_sub(b->X.p, a->X.p)) > scale_of(a, b);
}

static void meshes_touch_where_all_pairs_of_triangles_say(void **state)
{
    (void)state;
    Random r = { 3 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < 3000) {
        Moving a = standing(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        Moving b = thrown(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        if (starts_apart(&a, &b)) check_time("meshes", &a, &b, (double)ref_meshes_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 1500 && count.grazing < 60);
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
    while (count.cases < 2000) {
        Moving a = standing(&r, carom_mesh_shape(shelf.meshes[(int)random_uniform(&r, 0, MESHES)])), b = thrown(&r, random_round(&r));
        if (starts_apart(&a, &b))
            check_time(carom_shape_kind_name(b.shape.kind), &a, &b, (double)ref_round_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > 500 && count.grazing < 60);
    shelf_destroy(&shelf);
}

// A box and a polytope made into meshes, for the reference.
static caromMesh *mesh_of_hull(const caromHull *hull)
{
    const caromVec3 *vertices;
    const int *first, *corners;
    int nvertex = carom_hull_vertices(hull, &vertices), nface = carom_hull_faces(hull, &first, &corners), n = 0;
    Raw raw = raw_alloc(nvertex, first[nface] - 2*nface);
    memcpy(raw.vertices, vertices, (size_t)nvertex*sizeof *vertices);
    for (int f = 0; f < nface; f++)
        for (int k = first[f] + 1; k + 1 < first[f + 1]; k++) set_triangle(&raw, n++, corners[first[f]], corners[k], corners[k + 1]);
    return mesh_and_free(raw);
}

static void meshes_and_flat_shapes_touch_where_all_pairs_of_triangles_say(void **state)
{
    (void)state;
    Random r = { 5 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < 2000) {
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

// ---- turning

// Two bodies that have the same surface as a and b but may be slower to ask: what the gap is looked at with.
typedef struct Turning {
    Moving a, b;
    double speed;  // bound on how fast the gap closes
    double scale;
} Turning;

// Proves the bodies apart from 0 on by steps that nothing can be faster than, until they are close: then looks at many instants up to the end. Returns the
// least gap seen.
static double least_gap_before(const Turning *m, double end)
{
    double t = 0, least = INFINITY, close = 1e-5*m->scale;
    while (t < end) {
        double g = plain_gap(&m->a, &m->b, t);
        least = fmin(least, g);
        if (!(g > close)) break;
        t += g/m->speed;
    }
    if (!(t < end)) return least;
    // Close: by equal steps, in which the gap cannot change by more than a hundredth of the distance that counts as close, or as many as is reasonable.
    int n = (int)fmin(400, ceil((end - t)*m->speed/(0.01*close)));
    for (int i = 0; i <= n; i++) least = fmin(least, plain_gap(&m->a, &m->b, t + (end - t)*i/n*(1 - 1e-15)));
    return least;
}

// Where the gap is least between two instants around the least of n samples, by the golden section.
static double local_least(const Turning *m, double end, int n)
{
    double best = INFINITY, at = 0, golden = 0.6180339887498949;
    for (int i = 0; i <= n; i++) {
        double g = plain_gap(&m->a, &m->b, end*i/n);
        if (g < best) best = g, at = end*i/n;
    }
    double low = fmax(0, at - end/n), high = fmin(end, at + end/n);
    for (int i = 0; i < 40; i++) {
        double x = high - golden*(high - low), y = low + golden*(high - low), gx = plain_gap(&m->a, &m->b, x), gy = plain_gap(&m->a, &m->b, y);
        best = fmin(best, fmin(gx, gy));
        if (gx < gy) high = y;
        else low = x;
    }
    return best;
}

typedef struct TurningCount {
    int cases, hits, starts;
    double worst_gap, worst_late;
} TurningCount;

// a and b as they are asked; m as it is looked at.
static void check_turning(const Moving *a, const Moving *b, const Turning *m, double t_max, TurningCount *count)
{
    caromSweep s = sweep_of(a, b, t_max);
    count->cases++;
    if (s.hit && s.t == 0) {
        count->starts++;
        return;
    }
    double end = s.hit ? s.t : t_max, least = fmin(least_gap_before(m, end), local_least(m, end, 40)), rounding = 1e-14*m->scale;
    count->worst_late = fmax(count->worst_late, -least/m->scale);
    if (least < -rounding || (!s.hit && least <= 0)) fail_msg("%s - %s, case %d: late: gap %g before %.17g (hit %d)", carom_shape_kind_name(a->shape.kind),
                                           carom_shape_kind_name(b->shape.kind), count->cases, least, end, s.hit);
    if (!s.hit) return;
    count->hits++;
    double g = plain_gap(&m->a, &m->b, s.t);
    count->worst_gap = fmax(count->worst_gap, g/m->scale);
    if (g > 1e-12*m->scale) fail_msg("%s - %s, case %d: early: gap %g at %.17g", carom_shape_kind_name(a->shape.kind), carom_shape_kind_name(b->shape.kind), count->cases, g, s.t);
    CHECK_NEAR(s.gap.g, 0, 2e-12*m->scale);
}

static Turning turning(Moving a, Moving b)
{
    return (Turning){ a, b, speed_bound(&a, &b), scale_of(&a, &b) };
}

static Moving spun(Random *r, Moving m)
{
    double w = random_uniform(r, 0, 1) < 0.1 ? 0 : pow(10, random_uniform(r, -2, 1.3));
    m.V.angular = carom_scale(w, carom_unit_or(random_vec(r, 1), carom_vec(0, 0, 1)));
    return m;
}

static void convex_shapes_that_turn_are_never_late(void **state)
{
    (void)state;
    Random r = { 6 };
    TurningCount count = { 0 };
    for (int k = 0; k < 7000; k++) {
        caromHull *hull = NULL;
        Moving a = spun(&r, (Moving){ random_convex(&r), random_pose(&r, 1), { { 0, 0, 0 }, random_vec(&r, 1) } });
        Moving b = spun(&r, (Moving){ random_convex(&r), random_pose(&r, 1), { { 0, 0, 0 }, random_vec(&r, 1) } });
        if (k%3 == 0) a.shape = carom_polytope(hull = random_hull(&r, k%2 ? 0.02 : 0));
        b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, scale_of(&a, &b))));
        Turning m = turning(a, b);
        if (m.a.shape.kind == CAROM_SPHERE) m.a.V.angular = carom_vec(0, 0, 0);
        check_turning(&a, &b, &m, 2, &count);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d overlap at the start, gap at most %.2g, late %.2g\n", count.cases, count.hits, count.starts, count.worst_gap, count.worst_late);
    CHECK(count.hits > 2000);
}

static void meshes_that_turn_are_never_late(void **state)
{
    (void)state;
    Random r = { 7 };
    Shelf shelf = shelf_create();
    const int small[] = { 0, 1, 4, 5 };
    TurningCount count = { 0 };
    while (count.cases < 3000) {
        Moving a = spun(&r, standing(&r, carom_mesh_shape(shelf.meshes[small[(int)random_uniform(&r, 0, 4)]]))), b = spun(&r, thrown(&r, carom_sphere(0.3)));
        caromMesh *twin = NULL;
        caromHull *hull = NULL;
        int kind = (int)random_uniform(&r, 0, 6);
        if (kind < 2) b.shape = carom_mesh_shape(shelf.meshes[kind == 0 ? small[(int)random_uniform(&r, 0, 4)] : (int)random_uniform(&r, 0, MESHES)]);
        Moving seen = b;
        if (kind == 2) {
            caromVec3 h = carom_vec(random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3));
            b.shape = carom_box(2*h.x, 2*h.y, 2*h.z);
            seen.shape = carom_mesh_shape(twin = mesh_and_free(box(carom_neg(h), h)));
        } else if (kind == 3) {
            hull = random_hull(&r, 0);
            b.shape = carom_polytope(hull);
            seen.shape = carom_mesh_shape(twin = mesh_of_hull(hull));
        } else if (kind == 4) {
            b.shape = carom_half_space();
            b.X.R = carom_quat_matrix(random_quat(&r));
            b.X.p = carom_scale(-random_uniform(&r, 1.1, 2), b.X.R.cz);
            seen = b;
        }
        Turning m = turning(a, seen);
        if (kind == 4) m.speed += carom_norm(b.V.angular)*(20 + m.scale);  // within the time looked at nothing is farther away
        if (kind == 4 || starts_apart(&a, &b)) check_turning(&a, &b, &m, 2, &count);
        carom_mesh_destroy(twin);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d overlap at the start, gap at most %.2g, late %.2g\n", count.cases, count.hits, count.starts, count.worst_gap, count.worst_late);
    CHECK(count.hits > 1000);
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
        cmocka_unit_test(convex_shapes_that_turn_are_never_late),
        cmocka_unit_test(meshes_that_turn_are_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
