// Where collision detection breaks first: flush, parallel, coincident, thin, tiny and far away. Answers are closed
// forms, checked against the reference where that closes its bounds.
#include "collide_checks.h"

static const double pi = 3.14159265358979323846;
static const double root2 = 1.41421356237309504880, root3 = 1.73205080756887729353;
static const double gaps[] = { 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 0, -1e-12, -1e-10, -1e-8, -1e-6, -1e-4, -1e-2 };
enum { GAPS = sizeof gaps/sizeof *gaps };

static Random motions = { 31 };

static bool all_checks(const Pair *p, double exact, double uncertainty, Tally *tally)
{
    caromWarmStart warm = { { 0 } };
    Pair other = *p;  // a state from elsewhere
    other.X_WB = random_pose(&motions, 2*pair_size(p));
    carom_collide_shapes_warm(other.a, other.X_WA, other.b, other.X_WB, &warm);
    return check_pair(p, exact, uncertainty, tally) && check_moved(p, random_pose(&motions, 10), tally) &&
           check_warm(p, &warm, tally);
}

// Positions and dimensions are doubles: the closed form holds up to a few roundings of what it is made of.
static double roundings(const Pair *p)
{
    return 8*0x1p-53*(pair_size(p) + carom_norm(p->X_WA.p) + carom_norm(p->X_WB.p));
}

// The gap by the reference, or where that finds a continuum of shortest ways out, by the closed form, which
// must not contradict it.
static void expect(Tally *tally, caromShape a, caromPose X_WA, caromShape b, caromPose X_WB, double exact)
{
    Pair p = { a, b, X_WA, X_WB, NULL, NULL };
    RefBody body_a = ref_body(a, X_WA, NULL), body_b = ref_body(b, X_WB, NULL);
    RefGap g = ref_gap(&body_a, &body_b, 0);
    double round = roundings(&p);
    if (!((Real)exact >= g.g - round && (Real)exact <= g.g + g.uncertainty + round)) {
        print_message("  %s: closed form %.17g is not what the reference says: %.17Lg, open by %.3Lg\n", tally->name,
                      exact, g.g, g.uncertainty);
        tally_fails(tally, "closed form and reference contradict each other", 1);
    }
    if (g.uncertainty <= round)
        all_checks(&p, (double)(g.g + g.uncertainty/2), (double)(g.uncertainty/2 + fabsl(g.g)*0x1p-53L), tally);
    else all_checks(&p, exact, round, tally);
}

// Without a closed form.
static void expect_reference(Tally *tally, caromShape a, caromPose X_WA, caromShape b, caromPose X_WB)
{
    RefBody body_a = ref_body(a, X_WA, NULL), body_b = ref_body(b, X_WB, NULL);
    RefGap g = ref_gap(&body_a, &body_b, 0);
    if (g.uncertainty > 1e-13L*fmaxl(body_a.size, body_b.size))
        print_message("  %s: reference is open by %.3Lg\n", tally->name, g.uncertainty);
    Pair p = { a, b, X_WA, X_WB, NULL, NULL };
    all_checks(&p, (double)(g.g + g.uncertainty/2), (double)(g.uncertainty/2 + fabsl(g.g)*0x1p-53L), tally);
}

static void conclude(const Tally *tally)
{
    tally_print(tally);
    assert_int_equal(tally->failed, 0);
}

static caromHull *box_hull(double x, double y, double z, double rounding)
{
    caromVec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = carom_vec(i & 1 ? 0.5*x : -0.5*x, i & 2 ? 0.5*y : -0.5*y, i & 4 ? 0.5*z : -0.5*z);
    caromHull *hull = carom_hull_create(corners, 8, rounding, NULL);
    assert_non_null(hull);
    return hull;
}

static caromHull *octahedron_hull(double size)
{
    const caromVec3 corners[6] = { { size, 0, 0 }, { -size, 0, 0 }, { 0, size, 0 }, { 0, -size, 0 }, { 0, 0, size },
                                   { 0, 0, -size } };
    caromHull *hull = carom_hull_create(corners, 6, 0, NULL);
    assert_non_null(hull);
    return hull;
}

// Shapes with a plane top and bottom at z = +-0.5, wider than 0.8: stacked on each other in any order, turned and
// shifted.
static void parallel_faces(void **state)
{
    (void)state;
    Tally tally = { .name = "parallel faces" };
    caromHull *cube = box_hull(1, 1, 1, 0), *soft = box_hull(1, 1, 1, 0.1);
    caromShape stack[] = {
        carom_shape_box(1, 1, 1), carom_shape_box(2, 1.5, 1), carom_shape_polytope(cube), carom_shape_polytope(soft),
        carom_shape_rounded(carom_shape_box(1, 1, 1), 0.05), carom_shape_cylinder(0.5, 1),
        carom_shape_rounded(carom_shape_cylinder(0.5, 1), 0.1), carom_shape_cone(0.6, 0.5, 1),
        carom_shape_rounded(carom_shape_cone(0.7, 0.5, 1), 0.05)
    };
    enum { N = sizeof stack/sizeof *stack };
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < GAPS; j++) {
                int way = (i + k + j)%4;  // centred, shifted, turned, both
                double shift = way & 1 ? 0.3 : 0, turn = way & 2 ? 0.4 : 0;
                expect(&tally, stack[i], at(0, 0, 0), stack[k],
                       turned_at(carom_vec(0, 0, 1), turn, shift, 0.5*shift, 1 + gaps[j]), gaps[j]);
            }
    carom_hull_destroy(cube);
    carom_hull_destroy(soft);
    conclude(&tally);
}

static void edge_on_edge(void **state)
{
    (void)state;
    Tally tally = { .name = "edge on edge" };
    caromHull *hull = box_hull(1, 1, 1, 0);
    caromShape kinds[] = { carom_shape_box(1, 1, 1), carom_shape_polytope(hull) };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < GAPS; j++) {
            caromShape a = kinds[i & 1], b = kinds[i >> 1];
            double z = root2 + gaps[j];
            // Crossed: a kink of phi along both edges, so that the depth is along z too. Parallel: the way out is along
            // the faces, at 45 degrees.
            expect(&tally, a, turned_at(x, pi/4, 0, 0, 0), b, turned_at(y, pi/4, 0, 0, z), gaps[j]);
            expect(&tally, a, turned_at(x, pi/4, 0, 0, 0), b, turned_at(x, pi/4, 0, 0, z),
                   gaps[j] > 0 ? gaps[j] : gaps[j]/root2);
            expect(&tally, a, turned_at(x, pi/4, 0, 0, 0), b, turned_at(x, pi/4, 0.7, 0, z),
                   gaps[j] > 0 ? gaps[j] : gaps[j]/root2);
        }
    carom_hull_destroy(hull);
    conclude(&tally);
}

static void vertex_on_vertex(void **state)
{
    (void)state;
    Tally tally = { .name = "vertex on vertex" };
    caromHull *octahedron = octahedron_hull(0.5), *cube = box_hull(1, 1, 1, 0);
    caromShape o = carom_shape_polytope(octahedron), cubes[] = { carom_shape_box(1, 1, 1), carom_shape_polytope(cube) };
    for (int j = 0; j < GAPS; j++) {
        // Normals of vertices reach as far as those of faces, at cos = 1/sqrt(3).
        double g = gaps[j], out = g > 0 ? g : g/root3;
        expect(&tally, o, at(0, 0, 0), o, at(0, 0, 1 + g), out);
        for (int i = 0; i < 4; i++) {
            double s = 1 + g/root3;
            expect(&tally, cubes[i & 1], at(0, 0, 0), cubes[i >> 1], at(s, s, s), out);
            expect(&tally, cubes[i & 1], at(0, 0, 0), o, at(0, 0, 1 + g), g);  // vertex on face
        }
    }
    carom_hull_destroy(octahedron);
    carom_hull_destroy(cube);
    conclude(&tally);
}

// In the same place the depth is the least width.
static void same_shape_same_pose(void **state)
{
    (void)state;
    Tally tally = { .name = "same shape, same pose" };
    caromHull *cube = box_hull(1, 2, 3, 0), *soft = box_hull(1, 2, 3, 0.2), *octahedron = octahedron_hull(0.5);
    struct { caromShape shape; double width; } shapes[] = {
        { carom_shape_sphere(0.5), 1 }, { carom_shape_ellipsoid(0.5, 0.4, 0.3), 0.6 },
            { carom_shape_ellipsoid(0.5, 0.5, 0.5), 1 }, { carom_shape_ellipsoid(0.3, 0.3, 0.5), 0.6 },
        { carom_shape_box(1, 2, 3), 1 }, { carom_shape_box(1, 1, 1), 1 },
            { carom_shape_rounded(carom_shape_box(1, 2, 3), 0.1), 1 }, { carom_shape_cylinder(0.5, 3), 1 },
        { carom_shape_cylinder(0.5, 0.3), 0.3 }, { carom_shape_rounded(carom_shape_cylinder(0.5, 0.3), 0.1), 0.3 },
            { carom_shape_rounded(carom_shape_cylinder(0.5, 3), 0.1), 1 },
        // Width of a cone at angle a from its axis: max(2 R sin a, R sin a + L cos a); least at a = 0 or where both
        // are equal, tan a = L/R.
        { carom_shape_cone(0.5, 0, 0.5), 0.5 }, { carom_shape_cone(0.5, 0, 2), 2/sqrt(4.25) },
            { carom_shape_capsule(0.25, 1), 0.5 }, { carom_shape_polytope(cube), 1 },
        { carom_shape_polytope(soft), 1 }, { carom_shape_polytope(octahedron), 1/root3 },
    };
    for (size_t i = 0; i < sizeof shapes/sizeof *shapes; i++)
        for (int k = 0; k < 3; k++) {
            caromPose X = k == 0 ? at(0, 0, 0) : k == 1 ? at(1, 2, 3) : random_pose(&motions, 5);
            expect(&tally, shapes[i].shape, X, shapes[i].shape, X, -shapes[i].width);
        }
    expect_reference(&tally, carom_shape_cone(0.5, 0.2, 1), at(0, 0, 0), carom_shape_cone(0.5, 0.2, 1), at(0, 0, 0));
    carom_hull_destroy(cube);
    carom_hull_destroy(soft);
    carom_hull_destroy(octahedron);
    conclude(&tally);
}

static void one_inside_the_other(void **state)
{
    (void)state;
    Tally tally = { .name = "one inside the other" };
    caromPose o = at(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        double d = k == 0 ? 0 : k == 1 ? 1e-9 : 0.1;  // off the centre along x
        expect(&tally, carom_shape_sphere(2), o, carom_shape_sphere(0.5), at(d, 0, 0), -2.5 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_sphere(0.25), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_box(0.5, 0.5, 0.5), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_rounded(carom_shape_box(0.5, 0.5, 0.5), 0.1),
               at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_ellipsoid(0.25, 0.3, 0.4), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_cylinder(0.25, 1), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_box(2, 3, 4), o, carom_shape_capsule(0.25, 1), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_cylinder(1, 4), o, carom_shape_sphere(0.25), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_cylinder(1, 4), o, carom_shape_cylinder(0.25, 1), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_cylinder(1, 4), o, carom_shape_capsule(0.25, 1), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_capsule(1, 2), o, carom_shape_cylinder(0.25, 1), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_ellipsoid(1, 3, 4), o, carom_shape_sphere(0.25), at(d, 0, 0), -1.25 + d);
        expect(&tally, carom_shape_ellipsoid(3, 2, 1), o, carom_shape_sphere(0.25), at(0, 0, d), -1.25 + d);
    }
    conclude(&tally);
}

// 10 m and 2 mm in all combinations of plate, strip and needle, of place and of turn.
static void thin_plates(void **state)
{
    (void)state;
    Tally tally = { .name = "10 m by 2 mm" };
    caromHull *hull = box_hull(10, 10, 2e-3, 0);
    caromShape thin[] = {
        carom_shape_box(10, 10, 2e-3), carom_shape_box(10, 1, 2e-3), carom_shape_box(10, 2e-3, 2e-3),
        carom_shape_polytope(hull), carom_shape_cylinder(1e-3, 10), carom_shape_cylinder(5, 2e-3),
        carom_shape_capsule(1e-3, 10), carom_shape_cone(1e-3, 0, 10), carom_shape_ellipsoid(5, 5, 1e-3),
        carom_shape_ellipsoid(5, 1e-3, 1e-3)
    };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    enum { N = sizeof thin/sizeof *thin };
    for (int i = 0; i < N; i++)
        for (int k = i; k < N; k++) {  // the other order is looked at by swapping
            caromPose o = at(0, 0, 0);
            // crossed
            expect_reference(&tally, thin[i], o, thin[k], turned_at(x, pi/2, 0.3, 0.01, 0.2));
            expect_reference(&tally, thin[i], o, thin[k], turned_at(y, pi/2, 0.3, 0.4, 0.02));
            expect_reference(&tally, thin[i], o, thin[k], turned_at(carom_vec(1, 0.3, 0.2), 1.1, 0.3, -1, 0.5));
            // parallel
            expect_reference(&tally, thin[i], o, thin[k], at(0.3, 0.1, 2e-3 + 1e-5*(i - k)));
            // Tip to tip.
            expect_reference(&tally, thin[i], o, thin[k], at(10 + 1e-3*(i - k), 0.001, 0.0005));
            // Nearly parallel.
            expect_reference(&tally, thin[i], o, thin[k], turned_at(carom_vec(0.1, 1, 0), 1e-4, 0.3, 0.1, 2.1e-3));
            expect_reference(&tally, thin[i], turned_at(y, 0.7, 0, 0, 0), thin[k], turned_at(x, 0.4, 6, 3, 5));
        }
    carom_hull_destroy(hull);
    conclude(&tally);
}

// A millimetre on a kilometre: on a face, near a rim, at a corner.
static void tiny_on_huge(void **state)
{
    (void)state;
    Tally tally = { .name = "1 mm on 1 km" };
    caromHull *big = box_hull(2e3, 2e3, 2e3, 0), *small = octahedron_hull(1e-3);
    caromShape huge[] = {
        carom_shape_box(2e3, 2e3, 2e3), carom_shape_polytope(big), carom_shape_cylinder(1e3, 2e3),
        carom_shape_rounded(carom_shape_box(2e3, 2e3, 2e3), 1), carom_shape_rounded(carom_shape_cylinder(1e3, 2e3), 1),
        carom_shape_cone(1e3, 900, 2e3)
    };
    caromShape tiny[] = {
        carom_shape_sphere(1e-3), carom_shape_box(2e-3, 2e-3, 2e-3), carom_shape_polytope(small),
        carom_shape_cylinder(1e-3, 2e-3), carom_shape_capsule(5e-4, 1e-3), carom_shape_ellipsoid(2e-3, 5e-4, 1e-3),
        carom_shape_cone(1e-3, 0, 2e-3), carom_shape_rounded(carom_shape_box(2e-3, 2e-3, 2e-3), 1e-4)
    };
    for (size_t i = 0; i < sizeof huge/sizeof *huge; i++)
        for (size_t k = 0; k < sizeof tiny/sizeof *tiny; k++) {
            caromPose o = at(0, 0, 0);
            for (int j = 0; j < GAPS; j += 3)
                // face
                if (fabs(gaps[j]) < 1e-3)
                    expect(&tally, huge[i], o, tiny[k], at(123.5, -77.25, 1e3 + 1e-3 + gaps[j]), gaps[j]);
            expect_reference(&tally, huge[i], o, tiny[k],
                             turned_at(carom_vec(1, 2, 3), 0.7, 123.5, -77.25, 1e3 + 1e-3));
            expect_reference(&tally, huge[i], o, tiny[k], turned_at(carom_vec(1, 2, 3), 0.7, 1000.0005, 0.1, 999.9));
            expect_reference(&tally, huge[i], o, tiny[k],
                             turned_at(carom_vec(1, 2, 3), 0.7, 1000.0005, 1000.0003, 1000.0002));
        }
    // Round ones: the top is a point.
    caromShape round[] = { carom_shape_sphere(1e3), carom_shape_ellipsoid(2e3, 1.5e3, 1e3),
                           carom_shape_capsule(500, 1e3) };
    for (size_t i = 0; i < sizeof round/sizeof *round; i++)
        for (size_t k = 0; k < sizeof tiny/sizeof *tiny; k++) {
            for (int j = 0; j < GAPS; j += 4)
                if (gaps[j] >= 0)
                    expect(&tally, round[i], at(0, 0, 0), tiny[k], at(0, 0, 1e3 + 1e-3 + gaps[j]), gaps[j]);
            expect_reference(&tally, round[i], at(0, 0, 0), tiny[k],
                             turned_at(carom_vec(1, 2, 3), 0.7, 0.01, 0.02, 1e3 + 5e-4));
        }
    carom_hull_destroy(big);
    carom_hull_destroy(small);
    conclude(&tally);
}

static void far_from_the_origin(void **state)
{
    (void)state;
    Tally tally = { .name = "10 km from the origin" };
    caromHull *cube = box_hull(1, 1, 1, 0);
    caromShape kinds[] = {
        carom_shape_sphere(0.5), carom_shape_ellipsoid(0.5, 0.4, 0.3), carom_shape_box(1, 1, 1),
        carom_shape_cylinder(0.5, 1), carom_shape_cone(0.5, 0, 1), carom_shape_capsule(0.3, 0.5),
        carom_shape_polytope(cube), carom_shape_rounded(carom_shape_box(1, 0.7, 0.4), 0.1)
    };
    enum { N = sizeof kinds/sizeof *kinds };
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < 4; j++) {
                caromPose X_WA = random_pose(&motions, 0), X_WB = random_pose(&motions, j < 2 ? 0.5 : 2);
                caromVec3 far = carom_vec(7.1e3, -5.3e3, 4.7e3);
                X_WA.p = far, X_WB.p = carom_add(X_WB.p, far);
                expect_reference(&tally, kinds[i], X_WA, kinds[k], X_WB);
            }
    carom_hull_destroy(cube);
    conclude(&tally);
}

// Rounding r moves the surface by (1/sin(half angle) - 1) r at most, here below 4 r for each shape.
static void tiny_rounding_is_no_rounding(void **state)
{
    (void)state;
    Tally tally = { .name = "rounding of 1e-12 m" };
    const double r = 1e-12;
    caromHull *sharp = box_hull(1, 0.8, 0.6, 0), *soft = box_hull(1, 0.8, 0.6, r);
    caromShape pairs[][2] = { { carom_shape_box(1, 0.8, 0.6), carom_shape_rounded(carom_shape_box(1, 0.8, 0.6), r) },
                              { carom_shape_cylinder(0.5, 1), carom_shape_rounded(carom_shape_cylinder(0.5, 1), r) },
                              { carom_shape_cone(0.5, 0.2, 1), carom_shape_rounded(carom_shape_cone(0.5, 0.2, 1), r) },
                              { carom_shape_cone(0.5, 0, 1), carom_shape_rounded(carom_shape_cone(0.5, 0, 1), r) },
                              { carom_shape_polytope(sharp), carom_shape_polytope(soft) } };
    enum { N = sizeof pairs/sizeof *pairs };
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < 12; j++) {
                caromPose X_WA = j%3 == 0 ? at(0, 0, 0) : random_pose(&motions, 0);
                caromPose X_WB = j%3 == 0 ? at(0.1, 0.2, 0.1*j) : random_pose(&motions, j%3 == 1 ? 0.5 : 2);
                caromGap g = carom_collide_shapes(pairs[i][0], X_WA, pairs[k][0], X_WB),
                         h = carom_collide_shapes(pairs[i][1], X_WA, pairs[k][1], X_WB);
                double off = fabs(g.g - h.g), allowed = 8*r + g.error + h.error;
                if (!(off <= allowed) && tally_fails(&tally, "tiny rounding changes g", 1))
                    print_message("  %s: %.17g sharp, %.17g rounded: off by %.3g, allowed %.3g\n", tally.name, g.g, h.g,
                                  off, allowed);
                expect_reference(&tally, pairs[i][1], X_WA, pairs[k][1], X_WB);
                expect_reference(&tally, pairs[i][1], X_WA, pairs[k][0], X_WB);
            }
    carom_hull_destroy(sharp);
    carom_hull_destroy(soft);
    conclude(&tally);
}

static void cylinders(void **state)
{
    (void)state;
    Tally tally = { .name = "cylinders" };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    caromShape c = carom_shape_cylinder(0.5, 2), thin = carom_shape_cylinder(0.1, 3),
               soft = carom_shape_rounded(carom_shape_cylinder(0.5, 2), 0.1);
    caromPose o = at(0, 0, 0);
    for (int j = 0; j < GAPS; j++) {
        double g = gaps[j];
        expect(&tally, c, o, c, at(0, 0, 2 + g), g);                                   // coaxial, end on end
        expect(&tally, c, o, thin, at(0, 0, 2.5 + g), g);
        expect(&tally, c, o, c, at(1 + g, 0, 0), g);                                   // parallel, side by side
        expect(&tally, c, o, c, at(1 + g, 0, 0.7), g);
        expect(&tally, c, o, thin, at(0, 0.6 + g, 0.7), g);
        expect(&tally, soft, o, c, at(0, 1 + g, -0.3), g);
        expect(&tally, c, o, c, turned_at(x, pi/2, 1 + g, 0, 0), g);                   // crossed
        expect(&tally, c, o, thin, turned_at(x, 0.4, 0.6 + g, 0, 0), g);
        expect(&tally, soft, o, thin, turned_at(x, 1.2, 0.6 + g, 0.1, 0.2), g);
        expect(&tally, c, o, carom_shape_box(4, 4, 1), at(0, 0, -1.5 - g), g);         // standing on a box
        expect(&tally, c, o, carom_shape_box(4, 4, 1), at(1.9, 1.9, -1.5 - g), g);     // over its corner
        // Lying on a box.
        expect(&tally, c, turned_at(y, pi/2, 0, 0, 0), carom_shape_box(4, 4, 1), at(0, 0, -1 - g), g);
        expect(&tally, soft, turned_at(y, pi/2, 0, 0, 0), carom_shape_box(4, 4, 1), at(0.3, 0, -1 - g), g);
        // A capsule, lying.
        expect(&tally, carom_shape_capsule(0.5, 2), turned_at(y, pi/2, 0, 0, 0), carom_shape_box(4, 4, 1),
               at(0, 0, -1 - g), g);
        // And standing.
        expect(&tally, carom_shape_capsule(0.5, 2), o, carom_shape_box(4, 4, 1), at(0, 0, -2 - g), g);
        expect(&tally, c, o, carom_shape_capsule(0.25, 1), at(0.75 + g, 0, 0.2), g);   // a capsule at the side
        expect(&tally, c, o, carom_shape_capsule(0.25, 1), turned_at(x, pi/2, 0, 0, 1.25 + g), g);
        expect(&tally, c, o, carom_shape_capsule(0.25, 1), turned_at(x, 1, 0.75 + g, 0, 0.2), g);
        expect(&tally, c, o, carom_shape_ellipsoid(0.5, 0.3, 0.2), at(1 + g, 0, 0), g);
        expect(&tally, c, o, carom_shape_sphere(0.3), at(0.2, 0.1, 1.3 + g), g);
    }
    conclude(&tally);
}

static void cones(void **state)
{
    (void)state;
    Tally tally = { .name = "cones" };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    caromShape cone = carom_shape_cone(0.5, 0, 1), blunt = carom_shape_cone(0.5, 0.25, 1),
               box = carom_shape_box(4, 4, 1);
    double slope = atan(0.5), lift = 0.25*cos(slope), blunt_slope = atan(0.25), blunt_lift = 0.375*cos(blunt_slope);
    for (int j = 0; j < GAPS; j++) {
        double g = gaps[j];
        expect(&tally, cone, turned_at(x, pi, 0, 0, 0), box, at(0.2, 0.3, -1 - g), g);            // tip on a face
        expect(&tally, cone, at(0, 0, 0), box, at(0.2, 0.3, -1 - g), g);                          // standing
        // Lying on a generator: the axis tilted by the half angle, its middle at lift = (mean radius)
        // cos(half angle) above the face.
        expect(&tally, cone, turned_at(y, pi/2 + slope, 0, 0, 0), box, at(0, 0, -0.5 - lift - g), g);
        expect(&tally, blunt, turned_at(y, pi/2 + blunt_slope, 0, 0, 0), box, at(0, 0, -0.5 - blunt_lift - g), g);
        // Tip against what is round about the same axis: overlapping, the normal leans out to the cone's side,
        // cos = R/sqrt(R^2 + L^2).
        double lean = g > 0 ? g : g/sqrt(5);
        expect(&tally, cone, at(0, 0, 0), cone, turned_at(x, pi, 0, 0, 1 + g), lean);
        expect(&tally, cone, at(0, 0, 0), carom_shape_sphere(0.2), at(0, 0, 0.7 + g), g);
    }
    conclude(&tally);
}

// Tip to tip, a rounding off the axis or exactly on it: the blunter of the two sides, the one whose normal is nearer to
// the axis, is the way out of the other's tip, cos = R/sqrt(R^2 + L^2). Whether the tip or the rim of that side ends
// farther out along its normal is a matter of rounding, and must not decide whether it is a line.
static void cones_tip_to_tip(void **state)
{
    (void)state;
    Tally tally = { .name = "cones tip to tip" };
    Random r = { 7 };
    for (int k = 0; k < 4000; k++) {
        double ra = random_uniform(&r, 0.05, 1), la = random_uniform(&r, 0.1, 2), rb = random_uniform(&r, 0.05, 1),
               lb = random_uniform(&r, 0.1, 2), off = k % 2 ? pow(10, random_uniform(&r, -17, -13)) : 0,
               depth = pow(10, random_uniform(&r, -9, -2))*fmin(fmin(ra, la), fmin(rb, lb));
        Pair p = { carom_shape_cone(ra, 0, la), carom_shape_cone(rb, 0, lb), at(0, 0, 0),
                   turned_at(carom_vec(1, 0, 0), pi, off, 0, 0.5*(la + lb) - depth), NULL, NULL };
        all_checks(&p, -depth*fmax(ra/hypot(ra, la), rb/hypot(rb, lb)), off + 8*roundings(&p), &tally);
    }
    conclude(&tally);
}

static void ellipsoids(void **state)
{
    (void)state;
    Tally tally = { .name = "ellipsoids in their axes" };
    caromShape e = carom_shape_ellipsoid(3, 2, 1), ball = carom_shape_ellipsoid(0.5, 0.5, 0.5),
               s = carom_shape_sphere(0.5);
    for (int j = 0; j < GAPS; j++) {
        double g = gaps[j];
        caromShape others[] = { ball, s };
        for (int k = 0; k < 2; k++) {
            expect(&tally, e, at(0, 0, 0), others[k], at(0, 0, 1.5 + g), g);
            // Deeper, the way out along a flatter side would not be shorter, but curvature decides: keep to what is
            // certain.
            if (g >= -1e-6) {
                expect(&tally, e, at(0, 0, 0), others[k], at(3.5 + g, 0, 0), g);
                expect(&tally, e, at(0, 0, 0), others[k], at(0, 2.5 + g, 0), g);
            }
        }
        expect(&tally, e, at(0, 0, 0), e, at(0, 0, 2 + g), g);
        expect(&tally, e, at(0, 0, 0), carom_shape_box(9, 9, 2), at(0, 0, 2 + g), g);
        expect(&tally, e, at(0, 0, 0), carom_shape_box(2, 9, 9), at(4 + g, 0, 0), g);
        expect(&tally, ball, at(0, 0, 0), s, at(0.6*(1 + g), 0.48*(1 + g), 0.64*(1 + g)), g);
    }
    conclude(&tally);
}

// Cases on which other libraries are known to have failed.
static void known_stumbling_blocks(void **state)
{
    (void)state;
    Tally tally = { .name = "known stumbling blocks" };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
    caromPose o = at(0, 0, 0);
    expect(&tally, carom_shape_box(2, 2, 2), o, carom_shape_box(2, 2, 2), at(0, 0, 1.9), -0.1);
    expect(&tally, carom_shape_box(20, 20, 20), o, carom_shape_box(0.1, 0.1, 0.1), at(3, 4, 10.05), 0);
    expect(&tally, carom_shape_box(20, 20, 20), o, carom_shape_box(0.1, 0.1, 0.1), at(3, 4, 10.05 - 1e-4), -1e-4);
    double tilted = 0.05*cos(0.3) + 0.05*root2*sin(0.3);  // half the height of the small box, tilted about its diagonal
    expect(&tally, carom_shape_box(20, 20, 20), o, carom_shape_box(0.1, 0.1, 0.1),
           turned_at(carom_vec(1, 1, 0), 0.3, 3, 4, 10.05), 0.05 - tilted);
    expect(&tally, carom_shape_box(128, 1, 128), o, carom_shape_box(1, 1, 1), at(50, 0.99, -31), -0.01);
    expect(&tally, carom_shape_box(128, 1, 128), o, carom_shape_sphere(0.5), at(50, 0.99, -31), -0.01);
    expect(&tally, carom_shape_box(128, 1, 128), o, carom_shape_cylinder(0.5, 1), turned_at(x, pi/2, 50, 0.99, -31),
           -0.01);
    // kissing: edge on face
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1), turned_at(z, pi/4, 0.5 + root2/2, 0, 0), 0);
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1),
           turned_at(z, pi/4, 0.5 + root2/2 - 1e-3, 0, 0), -1e-3);
    // Face on face, turned.
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1), turned_at(z, pi/4, 0, 0, 1), 0);
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1), turned_at(z, 1e-9, 0, 0, 1 - 1e-9), -1e-9);
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1), at(1, 1, 1), 0);
    expect(&tally, carom_shape_box(1, 1, 1), o, carom_shape_box(1, 1, 1), at(1, 1, 0), 0);
    expect(&tally, carom_shape_cylinder(0.5, 1), o, carom_shape_capsule(0.2, 1), turned_at(y, pi/2, 0, 0, 0.7 - 1e-10),
           -1e-10);
    expect(&tally, carom_shape_cylinder(0.5, 1), o, carom_shape_capsule(0.2, 1), turned_at(y, pi/2, 0, 0, 0.7 + 1e-10),
           1e-10);
    expect(&tally, carom_shape_cylinder(0.5, 1), o, carom_shape_capsule(0.2, 1), at(0.7 + 1e-10, 0, 0), 1e-10);
    for (int k = 0; k < 200; k++) {  // tilted by next to nothing
        double tilt = pow(10, random_uniform(&motions, -16, -1));
        caromVec3 axis = random_unit(&motions);
        caromShape shapes[] = {
            carom_shape_box(1, 1, 1), carom_shape_cylinder(0.5, 1), carom_shape_rounded(carom_shape_box(1, 1, 1), 0.1),
            carom_shape_cone(0.5, 0.3, 1), carom_shape_capsule(0.5, 1)
        };
        double x_B = random_uniform(&motions, -0.4, 0.4), y_B = random_uniform(&motions, -0.4, 0.4),
               z_B = 1 + random_uniform(&motions, -1e-3, 1e-3);
        caromPose X_WB = turned_at(axis, tilt, x_B, y_B, z_B);
        expect_reference(&tally, shapes[k%5], o, shapes[k/5%5], X_WB);
    }
    conclude(&tally);
}

static void half_spaces(void **state)
{
    (void)state;
    Tally tally = { .name = "half-spaces" };
    caromVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
    caromHull *cube = box_hull(1, 1, 1, 0), *soft = box_hull(1, 1, 1, 0.1);
    caromShape standing[] = {
        carom_shape_box(1, 1, 1), carom_shape_polytope(cube), carom_shape_polytope(soft),
        carom_shape_rounded(carom_shape_box(1, 1, 1), 0.05), carom_shape_cylinder(0.5, 1),
        carom_shape_rounded(carom_shape_cylinder(0.5, 1), 0.1), carom_shape_cone(0.6, 0.5, 1),
        carom_shape_cone(0.6, 0, 1), carom_shape_sphere(0.5), carom_shape_capsule(0.2, 0.6),
        carom_shape_ellipsoid(0.9, 0.3, 0.5)
    };
    caromShape plane = carom_shape_half_space(), cone = carom_shape_cone(0.5, 0, 1);
    double slope = atan(0.5), lift = 0.25*cos(slope);
    for (int j = 0; j < GAPS; j++) {
        double g = gaps[j];
        for (size_t k = 0; k < sizeof standing/sizeof *standing; k++) {
            expect(&tally, plane, at(3, 4, 0.5), standing[k], turned_at(carom_vec(0, 0, 1), 0.4, 0.3, 0.2, 1 + g), g);
            expect_reference(&tally, standing[k], random_pose(&motions, 1), plane, random_pose(&motions, 1));
            expect_reference(&tally, plane, random_pose(&motions, 1e3), standing[k], random_pose(&motions, 1e3));
        }
        // lying
        expect(&tally, carom_shape_cylinder(0.5, 2), turned_at(y, pi/2, 0, 0, 0), plane, at(0.3, 0, -0.5 - g), g);
        expect(&tally, cone, turned_at(y, pi/2 + slope, 0, 0, 0), plane, at(1, 2, -lift - g), g);
        // On its tip.
        expect(&tally, cone, turned_at(x, pi - 0.2, 0, 0, 0), plane, at(0, 0, -0.5*cos(0.2) - g), g);
        expect(&tally, carom_shape_ellipsoid(3, 2, 1), at(0, 0, 0), plane, turned_at(x, pi, 0, 0, 1 + g), g);
        expect(&tally, carom_shape_box(2e-3, 2e-3, 2e-3), at(500, 700, 1e-3 + g), plane, at(-800, 300, 0), g);
    }
    carom_hull_destroy(cube);
    carom_hull_destroy(soft);
    conclude(&tally);
}

// The ring's nearest point, by sampling and golden section.
static void torus_is_a_grown_ring(void **state)
{
    (void)state;
    Tally tally = { .name = "torus" };
    Random r = { 41 };
    caromShape others[] = {
        carom_shape_sphere(0.4), carom_shape_half_space(), carom_shape_box(1, 0.6, 0.4), carom_shape_capsule(0.2, 1),
        carom_shape_cylinder(0.3, 1), carom_shape_rounded(carom_shape_box(1, 0.6, 0.4), 0.1)
    };
    for (int k = 0; k < 60; k++) {
        caromShape torus = carom_shape_torus(random_uniform(&r, 0.5, 1), random_uniform(&r, 0.05, 0.3)),
                   other = others[k%6];
        Pair p = { torus, other, random_pose(&r, 0.3), random_pose(&r, 2), NULL, NULL };
        RefBody body = ref_body(other, p.X_WB, NULL);
        double exact = (double)ref_torus_gap(torus, p.X_WA, &body), size = pair_size(&p);
        caromGap g = carom_collide_shapes(p.a, p.X_WA, p.b, p.X_WB), s = carom_collide_shapes(p.b, p.X_WB, p.a, p.X_WA);
        tally.n++;
        tally.g = fmax(tally.g, fabs(g.g - exact)/size);
        bool ok = g.status == CAROM_GAP_OK && fabs(g.g - exact) <= 1e-9*size &&
                  fabs(g.g - exact) <= g.error + 1e-10*size;
        ok = ok && s.g == g.g && carom_norm(carom_add(s.n_AB, g.n_AB)) == 0 && fabs(carom_norm(g.n_AB) - 1) < 1e-15;
        ok = ok && carom_norm(carom_sub(carom_sub(g.p_B, g.p_A), carom_scale(g.g, g.n_AB))) < 1e-14*size;
        ok = ok && carom_collide_overlap(p.a, p.X_WA, p.b, p.X_WB) == (exact < 0);
        caromVec3 x = carom_pose_inverse_point(p.X_WA, g.p_A);
        double tube = hypot(hypot(x.x, x.y) - torus.size.x, x.z);
        // A ring inside the other shape may be deepest where two ways out are equally long; neither of these
        // is square to the ring.
        ok = ok && (exact < -torus.size.y || fabs(tube - torus.size.y) <= 1e-9*size);
        if (ok || !tally_fails(&tally, "not the nearest point of the ring", 1)) continue;
        print_message("  torus: g %.17g, expected %.17g\n", g.g, exact);
        pair_print(&p);
    }
    conclude(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_faces),
        cmocka_unit_test(edge_on_edge),
        cmocka_unit_test(vertex_on_vertex),
        cmocka_unit_test(same_shape_same_pose),
        cmocka_unit_test(one_inside_the_other),
        cmocka_unit_test(thin_plates),
        cmocka_unit_test(tiny_on_huge),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(tiny_rounding_is_no_rounding),
        cmocka_unit_test(cylinders),
        cmocka_unit_test(cones),
        cmocka_unit_test(cones_tip_to_tip),
        cmocka_unit_test(ellipsoids),
        cmocka_unit_test(known_stumbling_blocks),
        cmocka_unit_test(half_spaces),
        cmocka_unit_test(torus_is_a_grown_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
