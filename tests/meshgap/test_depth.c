// How deep meshes are inside each other, against translations.
//
// The promise is local: moving B by -g along n makes them touch, and no translation that is a little shorter or turned
// a little does. mesh_ref_first_clear says exactly when B has left A along a direction, so that all of this can be
// asked:
//   (i)   moved by -g along n they touch: there is a further translation of 1e-6 of the size after which they are
//         apart;
//   (ii)  moved by a thousandth less they still overlap;
//   (iii) turning it does not make it shorter: by 1e-4, not by a millionth (a slope of 0.01); by 0.01 and 0.05,
//     not by a thousandth;
//   (iv)  how long it is compared with the shortest of several hundred directions: the global one, nearly.
#include <float.h>

#include "mesh_cases.h"

enum { DIRECTIONS = 100, TURNS = 3 };
static const double turns[TURNS] = { 1e-4, 0.01, 0.05 }, shorter[TURNS] = { 1e-6, 1e-3, 1e-3 };

typedef struct Tally {
    int n;
    int touching, overlapping, local[TURNS];  // (i), (ii), (iii)
    int within[3];                            // of 1 %, 10 %, 100 % of the least that was sampled
    double longest;                           // compared with that
} Tally;

static void fail_at(const Thing *a, const Thing *b, Poses X, const char *what, double value, double limit)
{
    if (value <= limit) return;
    print_error("%s, %s: %s is %.6g, at most %.6g\n", a->name, b->name, what, value, limit);
    print_pose("X_WA", X.A);
    print_pose("X_WB", X.B);
    fail();
}

// Points evenly on a sphere: along a spiral, with the golden angle between them.
static caromVec3 on_sphere(int i, int n)
{
    double z = 1 - (2*i + 1.0)/n, r = sqrt(1 - z*z), angle = 2.399963229728653*i;
    return carom_vec(r*cos(angle), r*sin(angle), z);
}

static bool is_clear(const Thing *a, const Thing *b, caromVec3 by, double times)
{
    mesh_ref_move(b->ref, by, times);
    bool clear = !mesh_ref_overlap(a->ref, b->ref);
    mesh_ref_move(b->ref, by, -times);
    return clear;
}

// (i) Where B touches A in a narrow place the way out need not be the way it came: any direction will do.
static bool touches(const Thing *a, const Thing *b, caromGap gap, double size)
{
    enum { WAYS = 60 };
    caromVec3 way = carom_scale(-gap.g, gap.n_AB);
    if (is_clear(a, b, carom_axpy(1e-6*size, gap.n_AB, way), 1)) return true;
    for (int i = 0; i < WAYS; i++)
        if (is_clear(a, b, carom_axpy(1e-6*size, on_sphere(i, WAYS), way), 1)) return true;
    return false;
}

// (iii) The shortest way out under an angle with n, or the limit if there is none before.
static double shortest_near(const Thing *a, const Thing *b, caromVec3 n, double angle, double size, double limit)
{
    caromVec3 e = carom_unit_or(carom_cross(n, fabs(n.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0)), n),
              f = carom_cross(n, e);
    for (int i = 0; i < 8; i++) {
        caromVec3 side = carom_axpy(cos(0.7853981633974483*i), e, carom_scale(sin(0.7853981633974483*i), f));
        caromVec3 u = carom_axpy(cos(angle), n, carom_scale(sin(angle), side));
        limit = mesh_ref_clear_before(a->ref, b->ref, u, 1e-9*size, limit);
    }
    return limit;
}

// (iv) Sampled all around, and then about the best one ever closer.
static double shortest_of_all(const Thing *a, const Thing *b, double size)
{
    double least = INFINITY;
    caromVec3 best = carom_vec(0, 0, 1);
    for (int i = 0; i < DIRECTIONS; i++) {
        double t = mesh_ref_clear_before(a->ref, b->ref, on_sphere(i, DIRECTIONS), 1e-9*size, least);
        if (t < least) least = t, best = on_sphere(i, DIRECTIONS);
    }
    for (double spread = 0.2; spread > 0.002; spread *= 0.6)
        for (int i = 0; i < 10; i++) {
            caromVec3 u = carom_axpy(spread, on_sphere(i, 10), best);
            u = carom_unit_or(u, best);
            double t = mesh_ref_clear_before(a->ref, b->ref, u, 1e-9*size, least);
            if (t < least) least = t, best = u;
        }
    return least;
}

static void measure(const Thing *a, const Thing *b, Poses X, bool is_global, Tally *tally)
{
    double size = size_of(a, b, X);
    place(a, b, X);
    if (!mesh_ref_overlap(a->ref, b->ref)) return;
    caromGap gap = carom_collide_shapes(a->shape, X.A, b->shape, X.B);
    fail_at(a, b, X, "status", (double)gap.status, CAROM_GAP_OK);
    fail_at(a, b, X, "g", gap.g, 0);
    double depth = -gap.g;
    if (depth < 1e-5*size) return;  // what follows asks for a thousandth of it
    tally->n++;
    bool is_touching = touches(a, b, gap, size), is_inside = !is_clear(a, b, gap.n_AB, depth*(1 - 1e-3));
    tally->touching += is_touching;
    tally->overlapping += is_inside;
    bool is_local[TURNS];
    for (int k = 0; k < TURNS; k++) {
        double limit = depth*(1 - shorter[k]);
        is_local[k] = shortest_near(a, b, gap.n_AB, turns[k], size, limit) >= limit;
        tally->local[k] += is_local[k];
    }
    if (is_verbose() && !(is_touching && is_inside && is_local[0])) {
        printf("%s, %s: depth %.6g, touching %d, overlapping before %d; turned", a->name, b->name, depth, is_touching,
               is_inside);
        for (int k = 0; k < TURNS; k++)
            printf(" %g: %.8g of it", turns[k], shortest_near(a, b, gap.n_AB, turns[k], size, 2*depth)/depth);
        printf("; along n %.6g\n", mesh_ref_first_clear(a->ref, b->ref, gap.n_AB, 1e-9*size, NULL));
        print_pose("X_WA", X.A);
        print_pose("X_WB", X.B);
    }
    if (!is_global) return;
    double ratio = depth/shortest_of_all(a, b, size);
    tally->within[0] += ratio <= 1.01, tally->within[1] += ratio <= 1.1, tally->within[2] += ratio <= 2;
    tally->longest = fmax(tally->longest, ratio);
}

static void tally_print(const char *name, const Tally *t, bool is_global)
{
    if (!is_verbose()) return;
    printf("%-10s %3d poses: touch %d, overlap before %d, not shorter turned by 1e-4 %d, 0.01 %d, 0.05 %d", name, t->n,
           t->touching, t->overlapping, t->local[0], t->local[1], t->local[2]);
    if (is_global)
        printf("; within 1%% %d, 10%% %d, 100%% %d of the least sampled, %.3g times at most", t->within[0],
               t->within[1], t->within[2], t->longest);
    printf("\n");
}

static void check_tally(const Tally *t)
{
    CHECK(t->touching == t->n);
    CHECK(t->overlapping == t->n);
    CHECK(t->local[1] == t->n && t->local[2] == t->n);
}

// A little inside: what happens in a simulation.
static void shallow_contact(void **state)
{
    (void)state;
    Random r = { 61 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++)
        for (int l = k; l < PART_KINDS; l++) {
            Thing a = thing_part(k, 300, 1), b = thing_part(l, 300, 1);
            for (int i = 0; i < share_of(2); i++)
                measure(&a, &b, poses_apart(&r, &a, &b, -0.1*pow(10, random_uniform(&r, -4, -1.5))), true, &tally);
            thing_free(&a), thing_free(&b);
        }
    tally_print("shallow", &tally, true);
    CHECK(tally.n > share_of(20));
    check_tally(&tally);
    CHECK(tally.local[0] == tally.n);
    CHECK(tally.longest <= 3);
}

// Far inside each other, where there are many ways out.
static void deep_contact(void **state)
{
    (void)state;
    Random r = { 62 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++)
        for (int l = k; l < PART_KINDS; l++) {
            Thing a = thing_part(k, 300, 1), b = thing_part(l, 300, 1);
            for (int i = 0; i < share_of(2); i++)
                measure(&a, &b, (Poses){ random_pose(&r, 0.02), random_pose(&r, 0.02) }, true, &tally);
            thing_free(&a), thing_free(&b);
        }
    tally_print("deep", &tally, true);
    CHECK(tally.n > share_of(20));
    check_tally(&tally);
    CHECK(tally.local[0] == tally.n);
    CHECK(tally.longest <= 3);
}

// A small part within a large one: out of the nearest wall.
static void contained(void **state)
{
    (void)state;
    static const caromVec3 inside[PART_KINDS] = { { 0.035, 0, 0 }, { 0, 0, 0.03 }, { 0, 0, 0.08 }, { 0.027, 0, 0.0125 },
                                                  { 0.03, 0.03, -0.04 } };
    Random r = { 63 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {
        Thing a = thing_part(k, 300, 1), b = thing_part((k + 1)%PART_KINDS, 300, 0.03);
        for (int i = 0; i < share_of(2); i++) {
            caromVec3 p = carom_add(inside[k], random_vec(&r, 0.0005));
            measure(&a, &b, (Poses){ carom_pose_identity(), carom_pose(carom_quat_matrix(random_quat(&r)), p) }, true,
                    &tally);
        }
        thing_free(&a), thing_free(&b);
    }
    tally_print("contained", &tally, true);
    CHECK(tally.n == PART_KINDS*share_of(2));
    check_tally(&tally);
    CHECK(tally.local[0] == tally.n);
    CHECK(tally.longest <= 3);
}

// ---- convex parts: the hull of the same vertices has the same depth, and that is the shortest of all

static caromHull *hull_of(const Thing *thing)
{
    const caromVec3 *vertices;
    int n = carom_mesh_vertices(thing->mesh, &vertices);
    caromHull *hull = carom_hull_create(vertices, n, 0, NULL);
    assert_non_null(hull);
    return hull;
}

static void convex_parts_have_the_depth_of_their_hulls(void **state)
{
    (void)state;
    Random r = { 64 };
    Thing things[3] = { thing_part(PART_CONE, 300, 1), thing_box(0.08, 0.06, 0.1), thing_box(0.05, 0.05, 0.05) };
    caromHull *hulls[3] = { hull_of(&things[0]), hull_of(&things[1]), hull_of(&things[2]) };
    int n = 0, same = 0;
    double longest = 0, below = 0;
    for (int i = 0; i < share_of(90); i++) {
        const Thing *a = &things[i%3], *b = &things[i/3%3];
        caromShape hull_a = carom_shape_polytope(hulls[i%3]), hull_b = carom_shape_polytope(hulls[i/3%3]);
        Poses X = { random_pose(&r, 0.03), random_pose(&r, 0.03) };
        double size = size_of(a, b, X);
        if (a == b) continue;
        caromGap exact = carom_collide_shapes(hull_a, X.A, hull_b, X.B),
                 gap = carom_collide_shapes(a->shape, X.A, b->shape, X.B);
        if (exact.g > 0) {
            CHECK_NEAR(gap.g, exact.g, 1e-12*size + exact.error);
            continue;
        }
        n++;
        same += fabs(gap.g - exact.g) <= 1e-9*size;
        longest = fmax(longest, gap.g/exact.g);
        below = fmax(below, (gap.g - exact.g)/size);
    }
    if (is_verbose())
        printf("convex: %d of %d have the depth of their hulls, the worst is %.3g times as long\n", same, n, longest);
    for (int i = 0; i < 3; i++) carom_hull_destroy(hulls[i]), thing_free(&things[i]);
    CHECK(n > share_of(40));
    CHECK(below <= 1e-9);  // nothing is shorter than the shortest
    CHECK(longest <= 3);
    CHECK(same >= 9*n/10);  // the others are shortest nearby
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shallow_contact),
        cmocka_unit_test(deep_contact),
        cmocka_unit_test(contained),
        cmocka_unit_test(convex_parts_have_the_depth_of_their_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
