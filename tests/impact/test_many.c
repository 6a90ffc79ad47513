// Many contacts at one instant: bricks that lie on each other, on four corners each, and are hit. Waves through them
// would take minutes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "impact/impact.h"

enum { BRICKS_MAX = 20, SPEEDS = 6*(BRICKS_MAX + 1), CONTACTS_MAX = 140 };

typedef struct Wall {
    int nv, n;
    double mass[SPEEDS], u[SPEEDS];
    double J[3*CONTACTS_MAX][SPEEDS];
    caromImpactContact contacts[CONTACTS_MAX];
    caromImpactOutcome outcomes[CONTACTS_MAX];
    double v[3*CONTACTS_MAX], *G;
    caromImpactReport report;
} Wall;

// Rows of a point at lever r of a body, along the unit vector d.
static void add_row(double *row, int body, double sign, const double r[3], const double d[3])
{
    if (body < 0) return;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1)%3, b = (k + 2)%3;
        row[6*body + k] += sign*d[k];
        row[6*body + 3 + k] += sign*(r[a]*d[b] - r[b]*d[a]);
    }
}

static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

// A point at p with the normal along axis `normal`, of body b (at c_b) on body a (at c_a; -1: the ground).
static void add_contact(Wall *w, int a, const double *c_a, int b, const double *c_b, const double p[3], int normal)
{
    double r_a[3], r_b[3], e = 0.3;
    for (int k = 0; k < 3; k++) r_a[k] = p[k] - (c_a ? c_a[k] : 0), r_b[k] = p[k] - c_b[k];
    for (int k = 0; k < 3; k++) {
        double *row = w->J[3*w->n + k];
        memset(row, 0, sizeof w->J[0]);
        add_row(row, b, 1, r_b, axes[(normal + k)%3]);
        add_row(row, a, -1, r_a, axes[(normal + k)%3]);
    }
    w->contacts[w->n++] = (caromImpactContact){ .restitution = e, .friction = 0.5, .static_friction = 0.5,
                                                .stiffness = 1, .law = CAROM_IMPACT_ENERGETIC, .delta = 1e-3 };
}

static void set_body(Wall *w, int body, double mass, const double half[3])
{
    for (int k = 0; k < 3; k++) {
        w->mass[6*body + k] = mass;
        w->mass[6*body + 3 + k] = mass/3*(half[(k + 1)%3]*half[(k + 1)%3] + half[(k + 2)%3]*half[(k + 2)%3]);
    }
}

// Corners of the overlap of two bricks one on the other, seen from above.
static void lay_on(Wall *w, int below, const double *c_below, int brick, const double *c, const double half[3])
{
    double low = c[0] - half[0], high = c[0] + half[0];
    if (below >= 0) low = fmax(low, c_below[0] - half[0]), high = fmin(high, c_below[0] + half[0]);
    if (high - low < 1e-9) return;
    for (int k = 0; k < 4; k++) {
        const double p[3] = { k&1 ? high : low, k&2 ? half[1] : -half[1], c[2] - half[2] };
        add_contact(w, below, c_below, brick, c, p, 2);
    }
}

// Rows of five bricks, each row shifted by half of one; a ball hits one of the middle row in its face.
static Wall *wall_of(int bricks)
{
    static const double half[3] = { 0.1, 0.05, 0.05 };
    Wall *w = calloc(1, sizeof *w);
    double (*c)[3] = calloc((size_t)bricks + 1, sizeof *c);
    assert_non_null(w);
    assert_non_null(c);
    for (int i = 0; i < bricks; i++) {
        int row = i/5;
        c[i][0] = 0.2*(i%5) + (row%2 ? 0.1 : 0);
        c[i][2] = 0.05 + 0.1*row;
        set_body(w, i, 0.6, half);
        if (row == 0) lay_on(w, -1, NULL, i, c[i], half);
        for (int k = 5*(row - 1); row > 0 && k < 5*row; k++) lay_on(w, k, c[k], i, c[i], half);
    }
    int hit = bricks > 2 ? 5*(bricks/10) + 2 : 0;
    double *ball = c[bricks], p[3] = { c[hit][0] + 0.03, -half[1], c[hit][2] + 0.01 };
    memcpy(ball, p, sizeof p);
    ball[1] -= 0.05;
    set_body(w, bricks, 4, (double[]){ 0.03, 0.03, 0.03 });
    add_contact(w, bricks, ball, hit, c[hit], p, 1);
    w->nv = 6*(bricks + 1);
    w->u[6*bricks + 1] = 5;
    free(c);
    return w;
}

static double energy(const Wall *w)
{
    double sum = 0;
    for (int k = 0; k < w->nv; k++) sum += 0.5*w->mass[k]*w->u[k]*w->u[k];
    return sum;
}

static void assemble(Wall *w)
{
    int m = 3*w->n;
    w->G = malloc(sizeof(double)*m*m);
    assert_non_null(w->G);
    for (int i = 0; i < m; i++) {
        w->v[i] = 0;
        for (int k = 0; k < w->nv; k++) w->v[i] += w->J[i][k]*w->u[k];
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < w->nv; k++) sum += w->J[i][k]*w->J[j][k]/w->mass[k];
            w->G[(long)i*m + j] = w->G[(long)j*m + i] = sum;
        }
    }
}

// Returns the change of energy.
static double hit(Wall *w, caromImpactScheme scheme, double e)
{
    double before = energy(w);
    for (int i = 0; i < w->n; i++) w->contacts[i].restitution = e;
    assemble(w);
    caromImpactWork *work = carom_impact_alloc(w->n);
    assert_non_null(work);
    caromImpactProblem problem = { .n = w->n, .contacts = w->contacts, .G = w->G, .scheme = scheme, .exponent = 1.5,
                                   .tolerance = 1e-9 };
    w->report = carom_impact_solve(&problem, w->v, w->outcomes, work);
    carom_impact_free(work);
    for (int i = 0; i < 3*w->n; i++)
        for (int k = 0; k < w->nv; k++) w->u[k] += w->J[i][k]/w->mass[k]*w->outcomes[i/3].p[i%3];
    return energy(w) - before;
}

static void release(Wall *w)
{
    free(w->G);
    free(w);
}

// Impulses within friction, nothing approaches any more, and the works add up to what is lost.
static void check_hit(const Wall *w, double change)
{
    double works = 0, scale = 5;
    for (int i = 0; i < w->n; i++) {
        const caromImpactOutcome *o = &w->outcomes[i];
        CHECK(o->p[0] >= 0);
        CHECK(hypot(o->p[1], o->p[2]) <= 0.5*o->p[0]*(1 + 1e-9));
        CHECK(w->v[3*i] >= -1e-6*scale);
        works += o->compression + o->restitution + o->friction;
    }
    CHECK_NEAR(works, change, 1e-9*50);   // of 50 J
}

static void a_wall_that_is_hit_loses_less_than_a_plastic_one(void **state)
{
    (void)state;
    static const int bricks[] = { 10, 20 };
    for (size_t i = 0; i < sizeof bricks/sizeof *bricks; i++) {
        Wall *w = wall_of(bricks[i]), *plastic = wall_of(bricks[i]);
        double change = hit(w, CAROM_IMPACTS_WAVES, 0.3), lowest = hit(plastic, CAROM_IMPACTS_WAVES, 0);
        check_hit(w, change);
        check_hit(plastic, lowest);
        assert_int_equal(w->report.scheme, CAROM_IMPACTS_POISSON);
        print_message("%d bricks, %d contacts: %g J, plastic %g J\n", bricks[i], w->n, change, lowest);
        CHECK(change <= 0 && change >= lowest);
        release(w);
        release(plastic);
    }
}

// What waves can do in their time stays theirs.
static void few_contacts_are_hit_by_waves(void **state)
{
    (void)state;
    Wall *w = wall_of(1);
    double change = hit(w, CAROM_IMPACTS_WAVES, 0.3);
    assert_int_equal(w->report.scheme, CAROM_IMPACTS_WAVES);
    check_hit(w, change);
    release(w);
}

// Contacts that are there twice carry half each: 10 of them are solved by math/cone.c, 20 by soft.c, and speeds are the
// same.
static void contacts_that_are_there_twice_change_nothing(void **state)
{
    (void)state;
    for (int e = 0; e < 2; e++) {
        Wall *once = wall_of(2), *twice = wall_of(2);
        for (int i = 0, n = twice->n; i < n; i++) {
            memcpy(twice->J[3*twice->n], twice->J[3*i], 3*sizeof twice->J[0]);
            twice->contacts[twice->n++] = twice->contacts[i];
        }
        assert_true(once->n < 13 && twice->n >= 13);
        double a = hit(once, CAROM_IMPACTS_POISSON, 0.3*e), b = hit(twice, CAROM_IMPACTS_POISSON, 0.3*e);
        CHECK_NEAR(a, b, 1e-8*50);
        for (int k = 0; k < once->nv; k++) CHECK_NEAR(once->u[k], twice->u[k], 1e-8*fmax(1, fabs(once->u[k])));
        release(once);
        release(twice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_that_is_hit_loses_less_than_a_plastic_one),
        cmocka_unit_test(few_contacts_are_hit_by_waves),
        cmocka_unit_test(contacts_that_are_there_twice_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
