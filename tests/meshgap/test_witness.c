// All witness pairs closer than a standoff, against all pairs of triangles: none missing, none twice.
#include <float.h>

#include "mesh_cases.h"

enum { PAIRS_MAX = 20000 };
static RefPair expected[PAIRS_MAX];
static caromWitness got[PAIRS_MAX + 1];
static int by_place[PAIRS_MAX];
static bool is_taken[PAIRS_MAX];

// Which edge a number means is not promised, but that it is always the same one.
typedef struct Edges {
    int nvertex, nedge;
    int (*ends)[2];  // -1: not yet seen
} Edges;

static Edges edges_of(const Thing *thing)
{
    const caromVec3 *vertices;
    const int (*triangles)[3];
    // closed
    Edges edges = { carom_mesh_vertices(thing->mesh, &vertices), carom_mesh_triangles(thing->mesh, &triangles)*3/2,
                    NULL };
    edges.ends = malloc((size_t)edges.nedge*sizeof *edges.ends);
    assert_non_null(edges.ends);
    for (int e = 0; e < edges.nedge; e++) edges.ends[e][0] = edges.ends[e][1] = -1;
    return edges;
}

static bool is_feature(Edges *edges, int number, RefFeature f)
{
    if (f.n == 1) return number == f.v[0];
    if (f.n == 3) return number == edges->nvertex + edges->nedge + f.v[0];
    int e = number - edges->nvertex;
    if (e < 0 || e >= edges->nedge) return false;
    if (edges->ends[e][0] < 0) edges->ends[e][0] = f.v[0], edges->ends[e][1] = f.v[1];
    return edges->ends[e][0] == f.v[0] && edges->ends[e][1] == f.v[1];
}

static void check_edges(Edges *edges)  // no two numbers for the same edge
{
    for (int e = 0; e < edges->nedge; e++)
        for (int f = 0; f < e; f++)
            CHECK(edges->ends[e][0] < 0 || edges->ends[e][0] != edges->ends[f][0] ||
                  edges->ends[e][1] != edges->ends[f][1]);
    free(edges->ends);
}

static int compare_places(const void *x, const void *y)
{
    double a = got[*(const int *)x].p_A.x, b = got[*(const int *)y].p_A.x;
    return (a > b) - (a < b);
}

static double away(caromVec3 p, const Real q[3])
{
    return hypot(hypot(p.x - (double)q[0], p.y - (double)q[1]), p.z - (double)q[2]);
}

// The nearest of those not yet taken whose points are both within tolerance, or -1.
static int match(const RefPair *pair, int n, double tolerance)
{
    int low = 0, high = n, best = -1;
    double nearest = tolerance, x = (double)pair->p_A[0];
    while (low < high) {
        int middle = (low + high)/2;
        if (got[by_place[middle]].p_A.x < x - tolerance) low = middle + 1;
        else high = middle;
    }
    for (int i = low; i < n && got[by_place[i]].p_A.x <= x + tolerance; i++) {
        const caromWitness *w = &got[by_place[i]];
        double off = fmax(away(w->p_A, pair->p_A), away(w->p_B, pair->p_B));
        if (!is_taken[by_place[i]] && off <= nearest) nearest = off, best = by_place[i];
    }
    return best;
}

typedef struct Tally {
    int poses, pairs, most, before;
    double g, place;  // worst, in parts of the size
} Tally;

static void fail_here(const Thing *a, const Thing *b, Poses X, double standoff, const char *what, double value)
{
    print_error("%s, %s, standoff %.17g: %s (%.3g)\n", a->name, b->name, standoff, what, value);
    print_pose("X_WA", X.A);
    print_pose("X_WB", X.B);
    fail();
}

static void check_order(const Thing *a, const Thing *b, Poses X, double standoff, int n)
{
    for (int i = 1; i < n; i++) {
        bool is_later = got[i].feature_a > got[i - 1].feature_a ||
                        (got[i].feature_a == got[i - 1].feature_a && got[i].feature_b > got[i - 1].feature_b);
        if (!is_later) fail_here(a, b, X, standoff, "out of order, or twice", i);
    }
}

static void check_witness(const Thing *a, const Thing *b, Poses X, double standoff, const RefPair *pair,
                          const caromWitness *w, double size)
{
    double far = size + carom_norm(X.A.p) + carom_norm(X.B.p);
    double vector = carom_norm(carom_sub(carom_sub(w->p_B, w->p_A), carom_scale(w->g, w->n_AB)));
    if (!(fabs(w->g - (double)pair->g) <= 1e-12*size)) fail_here(a, b, X, standoff, "g is off", w->g - (double)pair->g);
    if (!(vector <= 8*DBL_EPSILON*far)) fail_here(a, b, X, standoff, "p_B - p_A is not g n", vector);
    if (!(fabs(carom_norm(w->n_AB) - 1) <= 16*DBL_EPSILON))
        fail_here(a, b, X, standoff, "n is not unit", carom_norm(w->n_AB));
}

// How far rounding may move the points of two edges that are nearly parallel: eps/sine^2 of the size.
static double place_tolerance(const RefPair *pair, double size)
{
    return size*(1e-9 + 64*DBL_EPSILON/(pair->sine*pair->sine));
}

static int check_set(const Thing *a, const Thing *b, Poses X, double standoff, Edges *ea, Edges *eb, Tally *tally)
{
    double size = size_of(a, b, X);
    int before;
    place(a, b, X);
    int n = mesh_ref_witnesses(a->ref, b->ref, standoff, 1e-9*size, expected, PAIRS_MAX, &before);
    CHECK(n >= 0);
    int m = carom_collide_witnesses(a->shape, X.A, b->shape, X.B, standoff, got, PAIRS_MAX);
    if (m != n) fail_here(a, b, X, standoff, "number of pairs differs by", m - n);
    check_order(a, b, X, standoff, n);
    for (int i = 0; i < n; i++) by_place[i] = i, is_taken[i] = false;
    if (n > 0) qsort(by_place, (size_t)n, sizeof by_place[0], compare_places);
    for (int i = 0; i < n; i++) {
        int k = match(&expected[i], n, place_tolerance(&expected[i], size));
        if (k < 0) fail_here(a, b, X, standoff, "a pair is missing, at g", (double)expected[i].g);
        is_taken[k] = true;
        check_witness(a, b, X, standoff, &expected[i], &got[k], size);
        if (!is_feature(ea, got[k].feature_a, expected[i].a) || !is_feature(eb, got[k].feature_b, expected[i].b))
            fail_here(a, b, X, standoff, "wrong feature", k);
        tally->g = fmax(tally->g, fabs(got[k].g - (double)expected[i].g)/size);
        if (expected[i].sine > 0.1)
            tally->place = fmax(tally->place,
                                fmax(away(got[k].p_A, expected[i].p_A), away(got[k].p_B, expected[i].p_B))/size);
    }
    // Room for all of them is enough, for one less is not.
    CHECK(carom_collide_witnesses(a->shape, X.A, b->shape, X.B, standoff, got, n) == n);
    if (n > 0) CHECK(carom_collide_witnesses(a->shape, X.A, b->shape, X.B, standoff, got, n - 1) == -1);
    tally->poses++, tally->pairs += n, tally->before += before;
    if (n > tally->most) tally->most = n;
    return n;
}

static void tally_print(const char *name, const Tally *t)
{
    if (is_verbose())
        printf("%-20s %3d poses, %6d pairs of %7d of triangles, %5d at most; worst g %.1e, points %.1e of the size\n",
               name, t->poses, t->pairs, t->before, t->most, t->g, t->place);
}

static void near_parts(void **state)
{
    (void)state;
    Random r = { 41 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++)
        for (int l = k; l < PART_KINDS; l++) {
            Thing a = thing_part(k, 300, 1), b = thing_part(l, 300, 1);
            Edges ea = edges_of(&a), eb = edges_of(&b);
            for (int i = 0; i < 8; i++) {
                double gap = 0.1*pow(10, random_uniform(&r, -6, -2)),
                       standoff = gap + 0.1*pow(10, random_uniform(&r, -3, -1));
                CHECK(check_set(&a, &b, poses_apart(&r, &a, &b, gap), standoff, &ea, &eb, &tally) > 0);
            }
            check_edges(&ea), check_edges(&eb);
            thing_free(&a), thing_free(&b);
        }
    tally_print("near", &tally);
    CHECK(tally.poses >= 100);
}

// Crossing triangles count with g = 0, at the middle of the segment in which they cross.
static void overlapping_parts(void **state)
{
    (void)state;
    Random r = { 42 };
    Tally tally = { 0 };
    for (int k = 0; k < PART_KINDS; k++) {
        Thing a = thing_part(k, 300, 1), b = thing_part((k + 1)%PART_KINDS, 300, 1);
        Edges ea = edges_of(&a), eb = edges_of(&b);
        for (int i = 0; i < 5; i++)
            check_set(&a, &b, (Poses){ random_pose(&r, 0.02), random_pose(&r, 0.02) }, i%2 ? 0.001 : 1e-12, &ea, &eb,
                      &tally);
        check_edges(&ea), check_edges(&eb);
        thing_free(&a), thing_free(&b);
    }
    tally_print("overlapping", &tally);
    CHECK(tally.pairs > 500);
}

// Nearly coaxial, so that they are close all around. The tube's middle is 15 mm from the flank, whose slope is 0.04 to
// 0.1, at a height of 54 mm.
static void a_doughnut_over_a_cone(void **state)
{
    (void)state;
    Random r = { 43 };
    Tally tally = { 0 };
    Thing a = thing_part(PART_DOUGHNUT, 1500, 1), b = thing_part(PART_CONE, 1500, 1);
    Edges ea = edges_of(&a), eb = edges_of(&b);
    for (int i = 0; i < 5; i++) {
        caromPose X_WB = random_pose(&r, 0.1);
        caromQuat tilt = carom_quat_axis_angle(random_unit_vec(&r), random_uniform(&r, 0.001, 0.01));
        caromPose X_BA = carom_pose(carom_quat_matrix(tilt), carom_add(carom_vec(0, 0, 0.0545), random_vec(&r, 2e-4)));
        check_set(&a, &b, (Poses){ carom_pose_mul(X_WB, X_BA), X_WB }, 0.003, &ea, &eb, &tally);
    }
    CHECK(tally.most > 1000);
    check_edges(&ea), check_edges(&eb);
    thing_free(&a), thing_free(&b);
    tally_print("doughnut over cone", &tally);
}

// ---- other shapes are one piece

static void mesh_over_a_half_space(void **state)
{
    (void)state;
    Random r = { 44 };
    for (int i = 0; i < 25; i++) {  // the lowest corner of every triangle, above ground and below
        Thing a = thing_part(i%PART_KINDS, 300, 1);
        caromPose X_WA = random_pose(&r, 0.1), X_WB = random_pose(&r, 0.05);
        double standoff = random_uniform(&r, 0, 0.02), size = fmax(a.radius, carom_norm(carom_sub(X_WA.p, X_WB.p)));
        const caromVec3 *vertices;
        const int (*triangles)[3];
        int nvertex = carom_mesh_vertices(a.mesh, &vertices), ntriangle = carom_mesh_triangles(a.mesh, &triangles),
            n = 0, k = 0;
        bool *is_lowest = calloc((size_t)nvertex, sizeof *is_lowest);
        double *height = calloc((size_t)nvertex, sizeof *height);
        assert_true(is_lowest && height);
        for (int v = 0; v < nvertex; v++)
            height[v] = carom_pose_inverse_point(X_WB, carom_pose_point(X_WA, vertices[v])).z;
        for (int t = 0; t < ntriangle; t++) {
            int lowest = triangles[t][0];
            for (int c = 1; c < 3; c++) lowest = height[triangles[t][c]] < height[lowest] ? triangles[t][c] : lowest;
            is_lowest[lowest] = height[lowest] < standoff;
        }
        for (int v = 0; v < nvertex; v++) n += is_lowest[v];
        CHECK(carom_collide_witnesses(a.shape, X_WA, carom_shape_half_space(), X_WB, standoff, got, PAIRS_MAX) == n);
        for (int v = 0; v < nvertex; v++) {
            if (!is_lowest[v]) continue;
            CHECK(got[k].feature_a == v && got[k].feature_b == 0);
            CHECK_NEAR(got[k].g, height[v], 1e-12*size);
            CHECK_VEC(got[k].n_AB, carom_neg(X_WB.R.cz), 1e-12);
            CHECK_VEC(got[k].p_A, carom_pose_point(X_WA, vertices[v]), 1e-12*size);
            CHECK_VEC(carom_sub(got[k].p_B, got[k].p_A), carom_scale(got[k].g, got[k].n_AB), 1e-15);
            k++;
        }
        free(is_lowest), free(height);
        thing_free(&a);
    }
}

// Nearest points of all triangles from the centre.
static void mesh_and_a_sphere(void **state)
{
    (void)state;
    Random r = { 45 };
    int total = 0;
    for (int i = 0; i < 25; i++) {
        Thing a = thing_part(i%PART_KINDS, 300, 1);
        Edges edges = edges_of(&a);
        caromPose X_WA = random_pose(&r, 0.1), X_WB = random_pose(&r, 0.1);
        mesh_ref_place(a.ref, X_WA);
        double distance = (double)mesh_ref_point_distance(a.ref, X_WB.p), radius = 0.9*distance,
               standoff = 0.1*distance + 0.01, size = fmax(a.radius, carom_norm(carom_sub(X_WA.p, X_WB.p)));
        int n = mesh_ref_point_witnesses(a.ref, X_WB.p, radius + standoff, 1e-9*size, expected, PAIRS_MAX);
        CHECK(n > 0 && carom_collide_witnesses(a.shape, X_WA, carom_shape_sphere(radius), X_WB, standoff, got,
                                               PAIRS_MAX) == n);
        for (int k = 0; k < n; k++) by_place[k] = k, is_taken[k] = false;
        qsort(by_place, (size_t)n, sizeof by_place[0], compare_places);
        for (int k = 0; k < n; k++) {
            for (int c = 0; c < 3; c++)
                expected[k].p_B[c] += (Real)radius/expected[k].g*(expected[k].p_A[c] - expected[k].p_B[c]);
            int m = match(&expected[k], n, 1e-9*size);
            CHECK(m >= 0);
            is_taken[m] = true;
            CHECK_NEAR(got[m].g, (double)expected[k].g - radius, 1e-12*size);
            CHECK(got[m].feature_b == 0 && is_feature(&edges, got[m].feature_a, expected[k].a));
            CHECK(k == 0 || got[k].feature_a > got[k - 1].feature_a);
        }
        // Seen from the other side
        CHECK(carom_collide_witnesses(carom_shape_sphere(radius), X_WB, a.shape, X_WA, standoff, got, PAIRS_MAX) == n);
        for (int k = 0; k < n; k++) CHECK(got[k].feature_a == 0 && (k == 0 || got[k].feature_b > got[k - 1].feature_b));
        total += n;
        check_edges(&edges);
        thing_free(&a);
    }
    CHECK(total > 200);
}

static void two_convex_shapes_have_one_pair(void **state)
{
    (void)state;
    Random r = { 46 };
    for (int i = 0; i < 20; i++) {
        caromShape a = random_convex(&r), b = random_convex(&r);
        caromPose X_WA = random_pose(&r, 0.5), X_WB = random_pose(&r, 0.5);
        caromGap gap = carom_collide_shapes(a, X_WA, b, X_WB);
        caromWitness w = { 0 };
        CHECK(carom_collide_witnesses(a, X_WA, b, X_WB, gap.g + 1e-9, &w, 1) == 1);
        CHECK(w.g == gap.g && same_vec(w.n_AB, gap.n_AB) && same_vec(w.p_A, gap.p_A) && same_vec(w.p_B, gap.p_B) &&
              w.feature_a == 0 && w.feature_b == 0);
        CHECK(carom_collide_witnesses(a, X_WA, b, X_WB, gap.g, &w, 1) == 0);  // closer than: not at
        CHECK(carom_collide_witnesses(a, X_WA, b, X_WB, gap.g + 1e-9, NULL, 0) == -1);
    }
}

static void what_is_undefined_has_no_pairs(void **state)
{
    (void)state;
    Thing a = thing_part(PART_GEAR, 300, 1), b = thing_part(PART_BOLT, 300, 1);
    caromPose nowhere = pose_at((double)NAN, 0, 0);
    CHECK(carom_collide_witnesses(a.shape, nowhere, b.shape, carom_pose_identity(), 0.1, got, PAIRS_MAX) == -1);
    CHECK(carom_collide_witnesses(a.shape, carom_pose_identity(), b.shape, nowhere, 0.1, got, PAIRS_MAX) == -1);
    CHECK(carom_collide_witnesses(carom_shape_half_space(), carom_pose_identity(), carom_shape_half_space(),
                                  carom_pose_identity(), 0.1, got, PAIRS_MAX) == -1);
    CHECK(carom_collide_witnesses(a.shape, carom_pose_identity(), b.shape, pose_at(1, 0, 0), 0, got, PAIRS_MAX) == 0);
    CHECK(carom_collide_witnesses(a.shape, carom_pose_identity(), b.shape, pose_at(1, 0, 0), 0.1, NULL, 0) == 0);
    thing_free(&a), thing_free(&b);
}

// The same set, seen from the other side; and the closest of all is what carom_collide_shapes finds.
static void swapped_and_closest(void **state)
{
    (void)state;
    static caromWitness mirror[PAIRS_MAX];
    Random r = { 47 };
    Thing a = thing_part(PART_BRACKET, 300, 1), b = thing_part(PART_GEAR, 300, 1);
    for (int i = 0; i < 20; i++) {
        Poses X = poses_apart(&r, &a, &b, 1e-4);
        int n = carom_collide_witnesses(a.shape, X.A, b.shape, X.B, 0.005, got, PAIRS_MAX), found = 0;
        CHECK(n > 0 && carom_collide_witnesses(b.shape, X.B, a.shape, X.A, 0.005, mirror, PAIRS_MAX) == n);
        double least = INFINITY;
        for (int k = 0; k < n; k++) least = fmin(least, got[k].g);
        for (int k = 0; k < n; k++)
            for (int m = 0; m < n; m++)
                if (got[k].feature_a == mirror[m].feature_b && got[k].feature_b == mirror[m].feature_a)
                    found += got[k].g == mirror[m].g && same_vec(got[k].p_A, mirror[m].p_B) &&
                             same_vec(got[k].p_B, mirror[m].p_A) && same_vec(got[k].n_AB, carom_neg(mirror[m].n_AB));
        CHECK(found == n);
        CHECK_NEAR(carom_collide_shapes(a.shape, X.A, b.shape, X.B).g, least, 1e-15);
    }
    thing_free(&a), thing_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_parts),
        cmocka_unit_test(overlapping_parts),
        cmocka_unit_test(a_doughnut_over_a_cone),
        cmocka_unit_test(mesh_over_a_half_space),
        cmocka_unit_test(mesh_and_a_sphere),
        cmocka_unit_test(two_convex_shapes_have_one_pair),
        cmocka_unit_test(what_is_undefined_has_no_pairs),
        cmocka_unit_test(swapped_and_closest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
