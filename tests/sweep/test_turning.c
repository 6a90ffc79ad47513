// Bodies that turn while they move: the first touch is never late, and early by no more than a gap of 1e-12 of the
// size.
#include "sweep_fixture.h"

// With sanitizers a look at each path of the code has to do.
#if defined(__SANITIZE_ADDRESS__)
enum { CONVEX_CASES = 800, MESH_CASES = 150 };
#else
enum { CONVEX_CASES = 8000, MESH_CASES = 2000 };
#endif

// ---- turning

// Two bodies that have the same surface as a and b but may be slower to ask: what the gap is looked at with.
typedef struct Turning {
    Moving a, b;
    double speed;  // bound on how fast the gap closes
    double scale;
} Turning;

// Proves the bodies apart from 0 on by steps that nothing can be faster than, until they are close: then looks at many
// instants up to the end. Returns the least gap seen.
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
    // Close: by equal steps, in which the gap cannot change by more than a hundredth of the distance that counts as
    // close, or as many as is reasonable.
    int n = (int)fmin(60, ceil((end - t)*m->speed/(0.01*close)));
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
    for (int i = 0; i < 20; i++) {
        double x = high - golden*(high - low), y = low + golden*(high - low), gx = plain_gap(&m->a, &m->b, x),
               gy = plain_gap(&m->a, &m->b, y);
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
    double end = s.hit ? s.t : t_max, least = least_gap_before(m, end), rounding = 1e-14*m->scale;
    if (count->cases%4 == 0) least = fmin(least, local_least(m, end, 16));
    count->worst_late = fmax(count->worst_late, -least/m->scale);
    if (least < -rounding || (!s.hit && least <= 0))
        fail_msg("%s - %s, case %d: late: gap %g before %.17g (hit %d)", carom_shape_kind_name(a->shape.kind),
                 carom_shape_kind_name(b->shape.kind), count->cases, least, end, s.hit);
    if (!s.hit) return;
    count->hits++;
    double g = plain_gap(&m->a, &m->b, s.t);
    count->worst_gap = fmax(count->worst_gap, g/m->scale);
    if (g > 1e-12*m->scale)
        fail_msg("%s - %s, case %d: early: gap %g at %.17g", carom_shape_kind_name(a->shape.kind),
                 carom_shape_kind_name(b->shape.kind), count->cases, g, s.t);
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
    for (int k = 0; k < CONVEX_CASES; k++) {
        caromHull *hull = NULL;
        Moving a = spun(&r, (Moving){ random_convex(&r), random_pose(&r, 1), { { 0, 0, 0 }, random_vec(&r, 1) } });
        Moving b = spun(&r, (Moving){ random_convex(&r), random_pose(&r, 1), { { 0, 0, 0 }, random_vec(&r, 1) } });
        if (k%3 == 0) a.shape = carom_shape_polytope(hull = random_hull(&r, k%2 ? 0.02 : 0));
        b.V.linear = carom_add(a.V.linear, carom_add(carom_sub(a.X.p, b.X.p), random_vec(&r, scale_of(&a, &b))));
        Turning m = turning(a, b);
        if (m.a.shape.kind == CAROM_SPHERE) m.a.V.angular = carom_vec(0, 0, 0);
        check_turning(&a, &b, &m, 2, &count);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d overlap at the start, gap at most %.2g, late %.2g\n", count.cases, count.hits,
                  count.starts, count.worst_gap, count.worst_late);
    CHECK(count.hits > CONVEX_CASES/4);
}

static void meshes_that_turn_are_never_late(void **state)
{
    (void)state;
    Random r = { 7 };
    Shelf shelf = shelf_create();
    const int small[] = { 0, 1, 4, 5 };
    TurningCount count = { 0 };
    while (count.cases < MESH_CASES) {
        Moving a = spun(&r, standing(&r, carom_shape_mesh(shelf.meshes[small[(int)random_uniform(&r, 0, 4)]]))),
               b = spun(&r, thrown(&r, carom_shape_sphere(0.3)));
        caromMesh *twin = NULL;
        caromHull *hull = NULL;
        int kind = (int)random_uniform(&r, 0, 6);
        if (kind < 2)
            b.shape = carom_shape_mesh(shelf.meshes[kind == 0 ||
                                                    count.cases%8 > 0 ? small[(int)random_uniform(&r, 0, 4)]
                                                                      : (int)random_uniform(&r, 0, MESHES)]);
        Moving seen = b;
        if (kind == 2) {
            caromVec3 h = carom_vec(random_uniform(&r, 0.02, 0.3), random_uniform(&r, 0.02, 0.3),
                                    random_uniform(&r, 0.02, 0.3));
            b.shape = carom_shape_box(2*h.x, 2*h.y, 2*h.z);
            seen.shape = carom_shape_mesh(twin = mesh_and_free(box(carom_neg(h), h)));
        } else if (kind == 3) {
            hull = random_hull(&r, 0);
            b.shape = carom_shape_polytope(hull);
            seen.shape = carom_shape_mesh(twin = mesh_of_hull(hull));
        } else if (kind == 4) {
            b.shape = carom_shape_half_space();
            b.X.R = carom_quat_matrix(random_quat(&r));
            b.X.p = carom_scale(-random_uniform(&r, 1.1, 2), b.X.R.cz);
            seen = b;
        }
        Turning m = turning(a, seen);
        // Within the time looked at nothing is farther away.
        if (kind == 4) m.speed += carom_norm(b.V.angular)*(20 + m.scale);
        if (kind == 4 || starts_apart(&a, &b)) check_turning(&a, &b, &m, 2, &count);
        carom_mesh_destroy(twin);
        carom_hull_destroy(hull);
    }
    print_message("%d cases, %d hits, %d overlap at the start, gap at most %.2g, late %.2g\n", count.cases, count.hits,
                  count.starts, count.worst_gap, count.worst_late);
    CHECK(count.hits > MESH_CASES/2);
    shelf_destroy(&shelf);
}

// A cube that spins about an axis askew, a hair above a plane, a plate or another cube, for some turns without
// touching, then lowered: steps become short but not endless.
static void a_cube_that_spins_just_above_something_is_followed(void **state)
{
    (void)state;
    const double corner = 0.5*sqrt(3);
    caromMat3 on_corner = carom_mat_identity();
    const caromShape below[] = { carom_shape_half_space(), carom_shape_box(4, 4, 0.1), carom_shape_cylinder(3, 0.1) };
    for (int i = 0; i < 3; i++)
        for (double gap = 1e-1; gap > 1e-9; gap *= 1e-2) {
            double top = i == 0 ? 0 : 0.05;
            Moving a = { carom_shape_box(1, 1, 1), carom_pose(on_corner, carom_vec(0, 0, corner + gap + top)),
                         { { 3, 5, 4 }, { 0, 0, 0 } } };
            Moving b = { below[i], carom_pose_identity(), { { 0, 0, 0 }, { 0, 0, 0 } } };
            caromSweep s = sweep_of(&a, &b, 10);
            CHECK(!s.hit);
            a.V.linear.z = -0.01;
            s = sweep_of(&a, &b, 100);
            CHECK(s.hit);
            CHECK_NEAR(plain_gap(&a, &b, s.t), 0, 1e-12);
        }
}

// What is round spins without moving: a wheel above the floor, a ball in a tight box.
static void spinning_round_shapes_are_free(void **state)
{
    (void)state;
    caromMat3 upright = carom_mat(carom_vec(0, 0, 1), carom_vec(1, 0, 0), carom_vec(0, 1, 0));
    Moving wheel = { carom_shape_cylinder(0.3, 0.1), carom_pose(upright, carom_vec(0, 0, 0.3 + 1e-9)),
                     { { 0, 100, 0 }, { 30, 0, 0 } } };
    Moving floor = { carom_shape_half_space(), carom_pose_identity(), { { 0, 0, 0 }, { 0, 0, 0 } } };
    Moving plate = { carom_shape_box(1000, 10, 0.1), pose_at(0, 0, -0.05), { { 0, 0, 0 }, { 0, 0, 0 } } };
    CHECK(!sweep_of(&wheel, &floor, 10).hit);
    CHECK(!sweep_of(&wheel, &plate, 10).hit);
    wheel.V.linear.z = -1e-10;
    CHECK_NEAR(sweep_of(&wheel, &floor, 100).t, 10, 1e-5);  // roundings of 0.3 m at that speed
    CHECK_NEAR(sweep_of(&wheel, &plate, 100).t, 10, 1e-5);
}

// Faces that come down on each other flat or nearly so, turning: their direction must not be lost in roundings.
static void flat_faces_that_turn_are_met_at_the_right_time(void **state)
{
    (void)state;
    Random r = { 8 };
    caromMesh *block = mesh_and_free(refined(cube(0.5)));
    for (int k = 0; k < 300; k++) {
        Moving a = { k%2 ? carom_shape_box(1, 1, 1) : carom_shape_mesh(block), pose_at(0, 0, 0),
                     { { 0, 0, 0 }, { 0, 0, 0 } } };
        Moving b = { k%3 ? carom_shape_box(1, 1, 1) : carom_shape_mesh(block), pose_at(0.3, 0.2, 1.5),
                     { { 0, 0, 0 }, { 0, 0, -1 } } };
        // About the common normal: the faces stay parallel and meet at 0.5 s. Then with a little lean.
        b.V.angular.z = random_uniform(&r, -3, 3);
        CHECK_NEAR(sweep_of(&a, &b, 1).t, 0.5, 1e-12);
        b.V.angular.x = pow(10, random_uniform(&r, -12, -3));
        caromSweep s = sweep_of(&a, &b, 1);
        CHECK(s.hit && s.t < 0.5 + 1e-12 && s.t > 0.5 - b.V.angular.x);
        CHECK_NEAR(s.gap.n_AB.z, 1, 1e-5);
    }
    carom_mesh_destroy(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_shapes_that_turn_are_never_late),
        cmocka_unit_test(meshes_that_turn_are_never_late),
        cmocka_unit_test(a_cube_that_spins_just_above_something_is_followed),
        cmocka_unit_test(spinning_round_shapes_are_free),
        cmocka_unit_test(flat_faces_that_turn_are_met_at_the_right_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
