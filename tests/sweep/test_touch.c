// The first touch of moving shapes: against closed forms, bisection and all pairs of features when they slide;
// never late when they turn.
#include <float.h>

#include "sweep_reference.h"

// ---- sliding, convex

static void spheres_touch_when_their_distance_is_the_sum_of_radii(void **state)
{
    (void)state;
    Random r = { 1 };
    int hits = 0;
    for (int k = 0; k < share_of(5000); k++) {
        double ra = random_size(&r), rb = random_size(&r);
        Moving a = { carom_shape_sphere(ra), random_pose(&r, 2), { random_vec(&r, 3), random_vec(&r, 1) } };
        Moving b = { carom_shape_sphere(rb), random_pose(&r, 2), { random_vec(&r, 3), random_vec(&r, 1) } };
        if (k%2) b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, 0.7*(ra + rb))));
        caromSweep s = sweep_of(&a, &b, 10);
        // |d + v t| = ra + rb
        long double d[3] = { (long double)b.X.p.x - a.X.p.x, (long double)b.X.p.y - a.X.p.y,
                             (long double)b.X.p.z - a.X.p.z };
        long double v[3] = { (long double)b.V.linear.x - a.V.linear.x, (long double)b.V.linear.y - a.V.linear.y,
                             (long double)b.V.linear.z - a.V.linear.z };
        long double vv = 0, dv = 0, dd = 0, R = (long double)ra + rb;
        for (int i = 0; i < 3; i++) vv += v[i]*v[i], dv += d[i]*v[i], dd += d[i]*d[i];
        long double disc = dv*dv - vv*(dd - R*R), t = dd <= R*R ? 0 : disc < 0 ||
                                                      dv > 0 ? INFINITY : (dd - R*R)/(sqrtl(disc) - dv);
        if (t > 10) t = INFINITY;
        CHECK(s.hit == (t <= 10));
        if (!s.hit) continue;
        hits++;
        double closing = (double)(sqrtl(disc)/R);
        if (t > 0) CHECK_NEAR(s.t, (double)t, 1e-15*(double)t + 1e-14*((double)R + sqrt((double)dd))/closing);
        else CHECK(s.t == 0);
        CHECK_NEAR(s.gap.g, t > 0 ? 0 : (double)(sqrtl(dd) - R), 1e-13);
    }
    CHECK(hits > share_of(1000));
}

// The gap of convex shapes that slide is convex in time: its least value by thirds, its first zero by halves. Infinite:
// no touch.
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

// How exactly can the time be known? The gap has some roundings of the lengths in it; at the speed at which it
// closes that is so much time.
static void check_sliding(const Moving *a, const Moving *b, double t_max, Count *count)
{
    double least, expected = bisected(a, b, t_max, &least),
           scale = scale_of(a, b) + carom_norm(carom_sub(b->X.p, a->X.p));
    caromSweep s = sweep_of(a, b, t_max);
    count->cases++;
    if (fabs(least) < 1e-12*scale && expected > 0) return;
    if (s.hit != (expected <= t_max))
        fail_msg("%s - %s: hit %d, but the least gap is %g", carom_shape_kind_name(a->shape.kind),
                 carom_shape_kind_name(b->shape.kind), s.hit, least);
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
    for (int k = 0; k < share_of(3000); k++) {
        caromHull *hull = NULL, *other = NULL;
        Moving a = { random_convex(&r), random_pose(&r, 2), { { 0, 0, 0 }, random_vec(&r, 1) } };
        Moving b = { random_convex(&r), random_pose(&r, 2), { { 0, 0, 0 }, random_vec(&r, 1) } };
        if (k%3 == 0) a.shape = carom_shape_polytope(hull = random_hull(&r, k%2 ? 0.02 : 0));
        if (k%6 == 0) b.shape = carom_shape_polytope(other = random_hull(&r, 0));
        if (k%7 == 6) b.shape = carom_shape_half_space();
        double size = scale_of(&a, &b);
        if (k%7 != 6 && k%5 > 0)
            b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, 0.5*size)));
        check_sliding(&a, &b, 3, &count);
        carom_hull_destroy(hull);
        carom_hull_destroy(other);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > share_of(1500) && count.grazing < 30);
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
    while (count.cases < share_of(1500)) {
        Moving a = standing(&r, carom_shape_mesh(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        Moving b = thrown(&r, carom_shape_mesh(shelf.meshes[(int)random_uniform(&r, 0, MESHES)]));
        if (starts_apart(&a, &b)) check_time("meshes", &a, &b, (double)ref_meshes_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > share_of(1000) && count.grazing < 60);
    shelf_destroy(&shelf);
}

static caromShape random_round(Random *r)
{
    double a = random_uniform(r, 0.05, 0.4), b = random_uniform(r, 0.05, 0.4), c = random_uniform(r, 0.05, 0.4);
    switch ((int)random_uniform(r, 0, 3)) {
    case 0: return carom_shape_sphere(a);
    case 1: return carom_shape_ellipsoid(a, b, c);
    default: return carom_shape_capsule(a, b);
    }
}

static void meshes_and_round_shapes_touch_where_closed_forms_say(void **state)
{
    (void)state;
    Random r = { 4 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < share_of(1500)) {
        Moving a = standing(&r, carom_shape_mesh(shelf.meshes[(int)random_uniform(&r, 0, MESHES)])),
               b = thrown(&r, random_round(&r));
        if (starts_apart(&a, &b))
            check_time(carom_shape_kind_name(b.shape.kind), &a, &b, (double)ref_round_time(&a, &b), 2, &count);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > share_of(500) && count.grazing < 60);
    shelf_destroy(&shelf);
}

static void meshes_and_flat_shapes_touch_where_all_pairs_of_triangles_say(void **state)
{
    (void)state;
    Random r = { 5 };
    Shelf shelf = shelf_create();
    Count count = { 0 };
    while (count.cases < share_of(1500)) {
        Moving a = standing(&r, carom_shape_mesh(shelf.meshes[(int)random_uniform(&r, 0, MESHES)])),
               b = thrown(&r, carom_shape_sphere(1));
        caromHull *hull = NULL;
        caromMesh *twin = NULL;
        double expected = INFINITY;
        int kind = (int)random_uniform(&r, 0, 3);
        if (kind == 0) {
            b.shape = carom_shape_half_space();
            b.X.R = carom_quat_matrix(random_quat(&r));
            b.X.p = carom_scale(-random_uniform(&r, 1.1, 2), b.X.R.cz);
            expected = (double)ref_plane_time(&a, &b);
        } else if (kind == 1) {
            caromVec3 h = carom_vec(random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3),
                                    random_uniform(&r, 0.02, 0.3));
            b.shape = carom_shape_box(2*h.x, 2*h.y, 2*h.z);
            twin = mesh_and_free(box(carom_neg(h), h));
        } else {
            hull = random_hull(&r, 0);
            b.shape = carom_shape_polytope(hull);
            twin = mesh_of_hull(hull);
        }
        Moving b_twin = { carom_shape_mesh(twin), b.X, b.V };
        bool is_apart = kind == 0 || starts_apart(&a, &b);
        if (kind > 0 && is_apart) expected = (double)ref_meshes_time(&a, &b_twin);
        if (is_apart) check_time(carom_shape_kind_name(b.shape.kind), &a, &b, expected, 2, &count);
        carom_mesh_destroy(twin);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d grazing, worst %.2g\n", count.cases, count.hits, count.grazing, count.worst);
    CHECK(count.hits > share_of(500) && count.grazing < 60);
    shelf_destroy(&shelf);
}

// ---- what must not be missed

// Small and fast through thin: apart at both ends of the step, and in the middle for a millionth of it.
static void nothing_passes_through_a_thin_plate(void **state)
{
    (void)state;
    Random r = { 9 };
    caromMesh *tetra = mesh_and_free(tetrahedron()),
              *sheet = mesh_and_free(box(carom_vec(-1, -1, -1e-6), carom_vec(1, 1, 1e-6)));
    Raw raw = raw_alloc(4, 2);
    for (int i = 0; i < 4; i++) raw.vertices[i] = carom_vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0);
    set_triangle(&raw, 0, 0, 1, 3);
    set_triangle(&raw, 1, 0, 3, 2);
    caromMesh *film = mesh_and_free(raw);  // without any thickness
    const caromShape plates[] = { carom_shape_mesh(sheet), carom_shape_mesh(film), carom_shape_box(2, 2, 2e-6),
                                  carom_shape_cylinder(1, 2e-6) };
    const caromShape small[] = { carom_shape_mesh(tetra), carom_shape_sphere(1e-3), carom_shape_box(1e-3, 1e-3, 2e-3),
                                 carom_shape_capsule(1e-3, 1e-3), carom_shape_torus(2e-3, 1e-3) };
    for (int k = 0; k < share_of(2000); k++) {
        Moving plate = { plates[k%4], random_pose(&r, 3), { { 0, 0, 0 }, random_vec(&r, 10) } },
               bullet = { small[k%5], random_pose(&r, 0), { { 0, 0, 0 }, { 0, 0, 0 } } };
        double size = carom_shape_radius(bullet.shape), far = random_uniform(&r, 1.1*size, 100);
        caromVec3 through = carom_pose_point(plate.X, carom_vec(random_uniform(&r, -0.6, 0.6),
                                                                random_uniform(&r, -0.6, 0.6), 0)),
                  v = random_vec(&r, 1);
        if (fabs(carom_dot(v, plate.X.R.cz)) < 0.2) continue;
        bullet.X.p = carom_axpy(-far/fabs(carom_dot(v, plate.X.R.cz)), v, through);
        bullet.V.linear = carom_axpy(2*far/fabs(carom_dot(v, plate.X.R.cz)), v, plate.V.linear);
        if (k%3 == 0) bullet.V.angular = random_vec(&r, 10);
        caromSweep s = sweep_of(&plate, &bullet, 1);
        if (!s.hit || !(s.t <= 0.5 + 1e-12))
            fail_msg("%s through a %s: hit %d at %g", carom_shape_kind_name(bullet.shape.kind),
                     carom_shape_kind_name(plate.shape.kind), s.hit, s.t);
        CHECK(s.t >= 0.5 - 0.5*(2*size + 2e-6)/far);
    }
    carom_mesh_destroy(tetra);
    carom_mesh_destroy(sheet);
    carom_mesh_destroy(film);
}

static void what_overlaps_at_the_start_touches_at_once(void **state)
{
    (void)state;
    caromMesh *shell = mesh_and_free(cube(1)), *nut = mesh_and_free(cube(0.1));
    const caromShape inside[] = { carom_shape_mesh(nut), carom_shape_sphere(0.1), carom_shape_box(0.1, 0.1, 0.1),
                                  carom_shape_torus(0.1, 0.03), carom_shape_cylinder(0.1, 0.1) };
    for (int k = 0; k < 5; k++) {
        Moving a = { carom_shape_mesh(shell), pose_at(0, 0, 0), { { 0, 0, 0 }, { 0, 0, 0 } } },
               b = { inside[k], pose_at(0.2, 0.1, 0), { { 1, 2, 3 }, { 1, 0, 0 } } };
        caromSweep s = sweep_of(&a, &b, 1);  // wholly inside
        CHECK(s.hit && s.t == 0);
        b.X.p.x = 1;                         // across the surface
        s = sweep_of(&a, &b, 1);
        CHECK(s.hit && s.t == 0 && s.gap.g <= 0);
        b.X.p.x = 3;                         // outside, leaving
        CHECK(!sweep_of(&a, &b, 1).hit);
        CHECK(isinf(sweep_of(&a, &b, 1).t));
    }
    carom_mesh_destroy(shell);
    carom_mesh_destroy(nut);
}

// Through the hole of a ring: no convex hull is hit.
static void a_ring_lets_things_through(void **state)
{
    (void)state;
    caromMesh *ring = mesh_and_free(torus(1, 0.2, 40, 12));
    const caromShape rings[] = { carom_shape_torus(1, 0.2), carom_shape_mesh(ring) };
    for (int k = 0; k < 2; k++) {
        Moving a = { rings[k], pose_at(0, 0, 0), { { 0, 0, 0.5 }, { 0, 0, 0 } } },
               b = { carom_shape_sphere(0.7), pose_at(0, 0, 5), { { 0, 0, 0 }, { 0, 0, -10 } } };
        CHECK(!sweep_of(&a, &b, 1).hit);
        b.shape = carom_shape_capsule(0.3, 1);
        b.V.angular = carom_vec(1, 0, 0);
        CHECK(!sweep_of(&a, &b, 1).hit);
        // A larger ball sits down on the ring: (R^2 - ...) where the distance of its centre from the ring is the sum of
        // the radii.
        b.shape = carom_shape_sphere(0.9);
        b.V.angular = carom_vec(0, 0, 0);
        // The mesh is a little thinner.
        CHECK_NEAR(sweep_of(&a, &b, 1).t, (5 - sqrt(1.1*1.1 - 1))/10, k == 0 ? 1e-11 : 3e-3);
        // A cone comes down on it all around: slope 1, the contact is on the tube where the normal is at 45 degrees.
        b.shape = carom_shape_cone(1e-3, 2.001, 2);
        double tip = 0.2*sqrt(2) - 1 + 1e-3;  // height of the cone's bottom over the plane of the ring when it touches
        CHECK_NEAR(sweep_of(&a, &b, 1).t, (5 - 1 - tip)/10, k == 0 ? 1e-11 : 3e-3);
    }
    carom_mesh_destroy(ring);
}

// ---- invariance

static void swapping_and_moving_far_away_change_nothing(void **state)
{
    (void)state;
    Random r = { 10 };
    Shelf shelf = shelf_create();
    for (int k = 0; k < share_of(600); k++) {
        Moving a = standing(&r, k%2 ? random_convex(&r) : carom_shape_mesh(shelf.meshes[k%MESHES])),
               b = thrown(&r, k%3 ? random_convex(&r) : carom_shape_mesh(shelf.meshes[k%MESHES]));
        if (k%4 < 2) a.V.angular = random_vec(&r, 2), b.V.angular = random_vec(&r, 2);
        caromSweep s = sweep_of(&a, &b, 2), swapped = sweep_of(&b, &a, 2);
        CHECK(s.hit == swapped.hit && s.t == swapped.t && s.gap.g == swapped.gap.g &&
              s.gap.n_AB.x == -swapped.gap.n_AB.x && s.gap.p_A.x == swapped.gap.p_B.x);
        if (!s.hit || s.t == 0) continue;
        caromVec3 far = carom_vec(1024, -4096, 2048), drift = carom_vec(16, -8, 4);
        Moving far_a = a, far_b = b;
        far_a.X.p = carom_add(a.X.p, far), far_b.X.p = carom_add(b.X.p, far);
        far_a.V.linear = carom_add(a.V.linear, drift), far_b.V.linear = carom_add(b.V.linear, drift);
        caromSweep moved = sweep_of(&far_a, &far_b, 2);
        double closing = -carom_dot(s.gap.n_AB, carom_sub(b.V.linear, a.V.linear));
        if (closing > 0.1 && k%4 >= 2) CHECK_NEAR(moved.t, s.t, 1e-10);  // positions have roundings of 5e-13 there
        if (k%4 >= 2) CHECK_VEC(carom_sub(moved.gap.p_A, carom_axpy(s.t, drift, far)), s.gap.p_A, 1e-3);
    }
    shelf_destroy(&shelf);
}

static void what_is_not_a_number_has_no_answer(void **state)
{
    (void)state;
    Moving a = { carom_shape_sphere(1), pose_at(0, 0, 0), { { 0, 0, 0 }, { 0, 0, 0 } } },
           b = { carom_shape_sphere(1), pose_at(5, 0, 0), { { 0, 0, 0 }, { -1, 0, 0 } } };
    CHECK(sweep_of(&a, &b, 10).hit);
    CHECK(sweep_of(&a, &b, INFINITY).hit);
    CHECK(!sweep_of(&a, &b, 1).hit);
    caromSweep s = sweep_of(&a, &b, (double)NAN);
    CHECK(!s.hit && s.gap.status == CAROM_GAP_UNDEFINED);
    b.V.linear.x = NAN;
    s = sweep_of(&a, &b, 10);
    CHECK(!s.hit && isinf(s.t) && s.gap.status == CAROM_GAP_UNDEFINED);
    a.shape = b.shape = carom_shape_half_space();
    b.V.linear.x = 0;
    CHECK(sweep_of(&a, &b, 10).gap.status == CAROM_GAP_UNDEFINED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_when_their_distance_is_the_sum_of_radii),
        cmocka_unit_test(convex_shapes_touch_where_their_gap_is_zero),
        cmocka_unit_test(meshes_touch_where_all_pairs_of_triangles_say),
        cmocka_unit_test(meshes_and_round_shapes_touch_where_closed_forms_say),
        cmocka_unit_test(meshes_and_flat_shapes_touch_where_all_pairs_of_triangles_say),
        cmocka_unit_test(nothing_passes_through_a_thin_plate),
        cmocka_unit_test(what_overlaps_at_the_start_touches_at_once),
        cmocka_unit_test(a_ring_lets_things_through),
        cmocka_unit_test(swapping_and_moving_far_away_change_nothing),
        cmocka_unit_test(what_is_not_a_number_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
