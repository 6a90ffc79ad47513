// Ten thousand pairs of all kinds of shapes against their exact gaps; and whether the references that found these can
// be trusted.
#include <libqhull_r/qhull_ra.h>

#include "collide_cases.h"
#include "collide_checks.h"

static CaseSet *set;

static int read_set(void **state)
{
    (void)state;
    set = case_set_read(CAROM_SOURCE_DIR "/tests/narrow/collide_cases.txt");
    return set->ncase > 0 ? 0 : -1;
}

static int free_set(void **state)
{
    (void)state;
    case_set_free(set);
    return 0;
}

// --- references
// ----------------------------------------------------------------------------------------------------------

// Points inside are on the inner side of every supporting plane, and its own point is on it: membership and support
// are written separately.
static void support_functions_agree_with_membership(void **state)
{
    (void)state;
    Random r = { 21 };
    for (int i = 0; i < set->nshape; i++) {
        if (set->shapes[i].shape.kind == CAROM_HALF_SPACE) continue;
        RefBody body = case_body(set, i, random_pose(&r, 2));
        double size = (double)body.size;
        for (int k = 0; k < share_of(300); k++) {
            RefVec n = ref_unit(ref_from(random_unit(&r))),
                   x = ref_axpy(size*random_uniform(&r, -1, 1), ref_from(random_unit(&r)), body.p);
            Real h = ref_extent(&body, n, body.p), along = ref_dot(n, ref_sub(x, body.p));
            if (ref_outside(&body, x) <= 0) CHECK(along <= h + 1e-18L*size);
            if (along > h + 1e-15L*size) CHECK(ref_outside(&body, x) > 0);
            RefVec top = ref_support(&body, n);
            CHECK_NEAR((double)ref_outside(&body, top), 0, 1e-15*size);
            CHECK_NEAR((double)(ref_dot(n, ref_sub(top, body.p)) - h), 0, 1e-17*size);
        }
    }
}

// The hull of all differences of vertices, by qhull: the least distance of its planes is the depth.
static double depth_by_qhull(const RefPolytope *a, const RefPolytope *b)
{
    static double points[3*REF_POINTS_MAX*REF_POINTS_MAX];
    int n = 0;
    for (int i = 0; i < a->nvertex; i++)
        for (int k = 0; k < b->nvertex; k++, n++) {
            caromVec3 d = ref_to(ref_sub(a->vertices[i], b->vertices[k]));
            points[3*n] = d.x, points[3*n + 1] = d.y, points[3*n + 2] = d.z;
        }
    qhT qh_qh, *qh = &qh_qh;
    char options[] = "qhull Qt";
    qh_zero(qh, stderr);
    assert_int_equal(qh_new_qhull(qh, 3, n, points, False, options, NULL, stderr), 0);
    double least = INFINITY;
    facetT *facet;
    FORALLfacets least = fmin(least, -facet->offset);
    qh_freeqhull(qh, !qh_ALL);
    int curlong, totlong;
    qh_memfreeshort(qh, &curlong, &totlong);
    assert_int_equal(curlong, 0);
    return least;
}

static void references_of_polytopes_agree(void **state)
{
    (void)state;
    Random r = { 22 };
    double features = 0, hulls = 0;
    int apart = 0, deep = 0;
    for (int k = 0; k < share_of(200); k++) {
        int i, j;
        do i = (int)random_uniform(&r, 0, set->nshape); while (!set->shapes[i].core);
        do j = (int)random_uniform(&r, 0, set->nshape); while (!set->shapes[j].core);
        caromPose X_WA = random_pose(&r, 1), X_WB = random_pose(&r, 1);
        RefBody a = case_body(set, i, X_WA), b = case_body(set, j, X_WB);
        a = ref_body_shell(&a), b = ref_body_shell(&b);
        RefPolytope p = ref_polytope_moved(set->shapes[i].core, X_WA),
                    q = ref_polytope_moved(set->shapes[j].core, X_WB);
        RefGap g = ref_gap(&a, &b, 0);
        RefVec n;
        Real other = g.g > 0 ? ref_polytope_distance(&p, &q) : ref_polytope_depth(&p, &q, &n),
             size = fmaxl(a.size, b.size);
        features = fmax(features, (double)(fabsl(other - g.g)/size));
        // Poses are orthogonal to 3e-16 only.
        CHECK_NEAR((double)other, (double)g.g, (double)(1e-15L*size + g.uncertainty));
        if (g.g > 0) apart++;
        else deep++, hulls = fmax(hulls, fabs(depth_by_qhull(&p, &q) + (double)g.g)/(double)size);
    }
    print_message("  branch and bound, all features: %.1e apart; branch and bound, hull of differences: "
                  "%.1e (%d separated, %d overlapping)\n", features, hulls, apart, deep);
    CHECK(hulls < 1e-13);  // qhull works in double and widens facets by what it merges
    CHECK(apart > share_of(30) && deep > share_of(30));
}

static void reference_matches_closed_forms(void **state)
{
    (void)state;
    struct { caromShape a, b; caromPose X_WB; double g; } cases[] = {
        { carom_shape_sphere(0.5), carom_shape_sphere(0.25), at(3, 4, 0), 4.25 },
        { carom_shape_sphere(0.5), carom_shape_sphere(0.25), at(0.1, 0, 0), -0.65 },
        { carom_shape_ellipsoid(3, 2, 1), carom_shape_sphere(0.5), at(0, 0, 4), 2.5 },
        // From (x, 0, 0) inside with x < a - c^2/a the nearest point is at a^2 x/(a^2 - c^2): distance c
        // sqrt(1 - x^2/(a^2 - c^2)).
        { carom_shape_ellipsoid(3, 2, 1), carom_shape_sphere(0.5), at(0.5, 0, 0), -0.5 - sqrt(1 - 0.25/8) },
        { carom_shape_box(2, 2, 2), carom_shape_box(2, 2, 2), at(0, 0, 1.9), -0.1 },
        { carom_shape_box(2, 2, 2), carom_shape_box(2, 2, 2), at(3, 3, 0), sqrt(2) },
        { carom_shape_cylinder(1, 2), carom_shape_cylinder(1, 2), at(0, 0, 2.5), 0.5 },
        { carom_shape_cylinder(1, 2), carom_shape_cylinder(1, 2), at(2.5, 0, 0.3), 0.5 },
        { carom_shape_cone(1, 0, 2), carom_shape_sphere(0.5), at(0, 0, 3), 1.5 },
        { carom_shape_capsule(0.5, 1), carom_shape_capsule(0.5, 1), at(2, 0, 3), sqrt(8) - 1 },
        { carom_shape_rounded(carom_shape_box(2, 2, 2), 0.5), carom_shape_sphere(1), at(2, 2, 2), sqrt(3)*1.5 - 1.5 },
    };
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        RefBody a = ref_body(cases[i].a, at(0, 0, 0), NULL), b = ref_body(cases[i].b, cases[i].X_WB, NULL);
        RefGap g = ref_gap(&a, &b, 0);
        CHECK(g.uncertainty < 1e-14L);
        CHECK_NEAR((double)g.g, cases[i].g, 1e-14);
    }
}

// --- the cases
// -----------------------------------------------------------------------------------------------------------

static Pair pair_of(const Case *c)
{
    const CaseShape *a = &set->shapes[c->a], *b = &set->shapes[c->b];
    return (Pair){ a->shape, b->shape, c->X_WA, c->X_WB, a->core, b->core };
}

static bool check_normal(const Case *c, const Pair *p, Tally *tally)
{
    caromGap g = carom_collide_shapes(p->a, p->X_WA, p->b, p->X_WB);
    double off = carom_norm(carom_sub(g.n_AB, c->n));
    if (off <= c->spread + 1e-9) return true;  // n is written with ten digits
    if (!tally_fails(tally, "n is farther from the exact one than its spread", 1)) return false;
    print_message("  %s: n is off by %.3g, more than %.3g\n", tally->name, off, c->spread);
    pair_print(p);
    return false;
}

static void print_tallies(Tally of_pair[CLASSES][CLASSES], Tally *regimes)
{
    Tally sum = { .name = "all" };
    for (int r = 0; r < REGIMES; r++) {
        Tally regime = regimes[r];
        tally_add(&sum, &regime);
        regime.reasons[0].what = NULL;
        tally_print(&regime);
    }
    for (int i = 0; i < CLASSES; i++) {
        Tally of_class = { .name = case_class_name((CaseClass)i) };
        for (int k = 0; k < CLASSES; k++) {
            tally_add(&of_class, &of_pair[i][k]);
            if (k != i) tally_add(&of_class, &of_pair[k][i]);
        }
        of_class.reasons[0].what = NULL;  // told once, at the end
        if (of_class.n) tally_print(&of_class);
    }
    tally_print(&sum);
    for (int i = 0; i < CLASSES; i++)
        for (int k = i; k < CLASSES; k++) {
            Tally both = of_pair[i][k];
            if (k != i) tally_add(&both, &of_pair[k][i]);
            if (both.failed)
                print_message("  failing: %s - %s: %d of %d\n", case_class_name((CaseClass)i),
                              case_class_name((CaseClass)k), both.failed, both.n);
        }
}

static void check_cases(bool with_half_space)
{
    static Tally of_pair[CLASSES][CLASSES], regimes[REGIMES];
    static caromWarmStart warm[CASE_SHAPES_MAX][CASE_SHAPES_MAX];  // of the pair's last pose, wherever that was
    memset(of_pair, 0, sizeof of_pair);
    memset(regimes, 0, sizeof regimes);
    Random r = { 23 };
    int failed = 0;
    Tally all = { .name = "cases" };  // messages are counted over all of them
    for (int i = 0; i < set->ncase; i += set->ncase/share_of(set->ncase)) {
        const Case *c = &set->cases[i];
        Pair p = pair_of(c);
        if (with_half_space != (p.a.kind == CAROM_HALF_SPACE || p.b.kind == CAROM_HALF_SPACE)) continue;
        char name[64];
        snprintf(name, sizeof name, "case %d (%s)", i, case_regime_name(c->regime));
        Tally one = { .name = name }, before = all;
        memcpy(one.reasons, all.reasons, sizeof all.reasons);
        caromPose X_VW = random_pose(&r, 10);
        bool ok = check_pair(&p, c->g, c->uncertainty, &one) && check_normal(c, &p, &one) &&
                  check_moved(&p, X_VW, &one) && check_warm(&p, &warm[c->a][c->b], &one);
        failed += !ok;
        memcpy(all.reasons, one.reasons, sizeof all.reasons);
        for (int k = 0; k < REASONS_MAX; k++) one.reasons[k].n -= before.reasons[k].n;
        Tally *pair = &of_pair[case_class(p.a)][case_class(p.b)], *regime = &regimes[c->regime];
        regime->name = case_regime_name(c->regime);
        tally_add(pair, &one), tally_add(regime, &one);
    }
    print_tallies(of_pair, regimes);
    assert_int_equal(failed, 0);
}

static void gaps_are_exact(void **state)
{
    (void)state;
    check_cases(false);
}

static void gaps_to_half_spaces_are_exact(void **state)
{
    (void)state;
    check_cases(true);
}

// The file is what ref_gap says: a part of it, each time another kind.
static void cases_are_what_the_reference_says(void **state)
{
    (void)state;
    for (int i = 0; i < set->ncase; i += 53*(set->ncase/share_of(set->ncase))) {
        const Case *c = &set->cases[i];
        RefBody a = case_body(set, c->a, c->X_WA), b = case_body(set, c->b, c->X_WB);
        RefGap g = ref_gap(&a, &b, 0);
        CHECK_NEAR((double)(g.g + g.uncertainty/2), c->g, (double)g.uncertainty + c->uncertainty + fabs(c->g)*0x1p-53);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(support_functions_agree_with_membership),
        cmocka_unit_test(references_of_polytopes_agree),
        cmocka_unit_test(reference_matches_closed_forms),
        cmocka_unit_test(cases_are_what_the_reference_says),
        cmocka_unit_test(gaps_are_exact),
        cmocka_unit_test(gaps_to_half_spaces_are_exact),
    };
    return cmocka_run_group_tests(tests, read_set, free_set);
}
