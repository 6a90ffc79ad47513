// How far meshes are from other shapes, against every triangle.
//
// The signed distance f of a convex shape is a convex function, and its gradient is the outer normal where it is
// nearest: carom_collide_point has both, and narrow/test_point.c has proven it. The least value over a triangle is
// found by cutting: with the value f and the gradient h at the centre of mass c of what is left, f + h.(x - c) is below
// the function, so the half with h.(x - c) > 0 need not be looked at any more. Each cut leaves 1 - 1/e of the area at
// most [Gruenbaum60], and the bound at the corners of what is left says when to stop.
#include <float.h>

#include "mesh_cases.h"

typedef struct Least {
    double f, error;  // least value so far, and the largest error bound of carom_collide_point on the way
    int nevaluation;
} Least;

enum { CORNERS_MAX = 256 };
typedef struct Plane2 { double x, y; } Plane2;  // coordinates in the plane of a triangle

// A polygon about its first corner, so that small ones keep their digits.
static Plane2 centroid(const Plane2 *c, int n)
{
    Plane2 sum = { 0, 0 }, mean = { 0, 0 };
    double area = 0;
    for (int i = 1; i + 1 < n; i++) {
        double ax = c[i].x - c[0].x, ay = c[i].y - c[0].y, bx = c[i + 1].x - c[0].x, by = c[i + 1].y - c[0].y,
               twice = ax*by - ay*bx;
        area += twice;
        sum.x += twice*(ax + bx)/3, sum.y += twice*(ay + by)/3;
    }
    for (int i = 1; i < n; i++) mean.x += (c[i].x - c[0].x)/n, mean.y += (c[i].y - c[0].y)/n;
    if (area > 0) mean = (Plane2){ sum.x/area, sum.y/area };  // else nothing but a line is left: its middle is as good
    return (Plane2){ c[0].x + mean.x, c[0].y + mean.y };
}

// Keeps h.(x - at) <= 0.
static int cut(Plane2 *c, int n, Plane2 at, Plane2 h)
{
    Plane2 kept[CORNERS_MAX];
    int m = 0;
    for (int i = 0; i < n && m + 2 < CORNERS_MAX; i++) {
        Plane2 p = c[i], q = c[(i + 1)%n];
        double s = h.x*(p.x - at.x) + h.y*(p.y - at.y), t = h.x*(q.x - at.x) + h.y*(q.y - at.y);
        if (s <= 0) kept[m++] = p;
        if ((s < 0 && t > 0) || (s > 0 && t < 0))
            kept[m++] = (Plane2){ p.x + s/(s - t)*(q.x - p.x), p.y + s/(s - t)*(q.y - p.y) };
    }
    memcpy(c, kept, (size_t)m*sizeof *kept);
    return m;
}

static void least_on_triangle(caromShape shape, caromPose X_WS, const caromVec3 corners[3], double tolerance,
                              Least *least)
{
    caromVec3 e = carom_sub(corners[1], corners[0]), n = carom_cross(e, carom_sub(corners[2], corners[0]));
    caromVec3 ex = carom_unit_or(e, e), ey = carom_unit_or(carom_cross(n, e), e),
              third = carom_sub(corners[2], corners[0]);
    Plane2 c[CORNERS_MAX] = { { 0, 0 }, { carom_dot(ex, e), 0 }, { carom_dot(ex, third), carom_dot(ey, third) } };
    int ncorner = 3;
    for (int i = 0; i < 250 && ncorner > 0; i++) {
        Plane2 at = centroid(c, ncorner);
        caromGap gap = carom_collide_point(shape, X_WS, carom_axpy(at.x, ex, carom_axpy(at.y, ey, corners[0])));
        Plane2 h = { carom_dot(gap.n_AB, ex), carom_dot(gap.n_AB, ey) };
        double bound = INFINITY;
        least->nevaluation++;
        least->error = fmax(least->error, gap.error);
        least->f = fmin(least->f, gap.g);
        for (int k = 0; k < ncorner; k++) bound = fmin(bound, gap.g + h.x*(c[k].x - at.x) + h.y*(c[k].y - at.y));
        if (least->f <= 0 || bound >= least->f - tolerance) return;
        ncorner = cut(c, ncorner, at, h);
    }
}

// Least distance of a convex shape from the triangles, or something not positive if a triangle meets it.
static Least convex_distance(const RefMesh *mesh, caromShape shape, caromPose X_WS, double tolerance)
{
    Least least = { INFINITY, 0, 0 };
    int nearest = 0;
    // Corners first: the better the start, the fewer triangles need to be cut.
    for (int t = 0; t < mesh_ref_ntriangle(mesh); t++) {
        caromVec3 c[3];
        mesh_ref_corners(mesh, t, c);
        double f = carom_collide_point(shape, X_WS, c[0]).g;
        if (f < least.f) least.f = f, nearest = t;
    }
    for (int i = -1; i < mesh_ref_ntriangle(mesh) && least.f > 0; i++) {
        caromVec3 c[3];
        mesh_ref_corners(mesh, i < 0 ? nearest : i, c);
        least_on_triangle(shape, X_WS, c, tolerance, &least);
    }
    return least;
}

// ---- torus: a ring grown by its tube. An arc is within its sagitta of its chord, whose distance from the mesh is
// known exactly; arcs are halved until the least of their bounds is reached by a point.

typedef struct Arc {
    double low, high;
} Arc;

static void ring_point(caromShape torus, caromPose X, double angle, Real p[3])
{
    Real R = (Real)torus.size.x, x = R*cosl((Real)angle), y = R*sinl((Real)angle);
    p[0] = (Real)X.p.x + x*(Real)X.R.cx.x + y*(Real)X.R.cy.x;
    p[1] = (Real)X.p.y + x*(Real)X.R.cx.y + y*(Real)X.R.cy.y;
    p[2] = (Real)X.p.z + x*(Real)X.R.cx.z + y*(Real)X.R.cy.z;
}

static double torus_distance(const RefMesh *mesh, caromShape torus, caromPose X_WT, double tolerance)
{
    enum { ARCS_MAX = 1024, FIRST = 16 };
    Arc arcs[ARCS_MAX];
    int narc = 0;
    double best = INFINITY;
    for (int i = 0; i < FIRST; i++) {
        Real p[3];
        arcs[narc++] = (Arc){ 6.283185307179587*i/FIRST, 6.283185307179587*(i + 1)/FIRST };
        ring_point(torus, X_WT, arcs[i].low, p);
        best = fmin(best, (double)mesh_ref_segment_distance(mesh, p, p));
    }
    while (narc > 0) {
        Arc arc = arcs[--narc];
        Real p[3], q[3], m[3];
        double middle = 0.5*(arc.low + arc.high), half = 0.5*(arc.high - arc.low),
               sagitta = 2*torus.size.x*sin(0.5*half)*sin(0.5*half);
        ring_point(torus, X_WT, arc.low, p);
        ring_point(torus, X_WT, arc.high, q);
        ring_point(torus, X_WT, middle, m);
        best = fmin(best, (double)mesh_ref_segment_distance(mesh, m, m));
        double bound = (double)mesh_ref_segment_distance(mesh, p, q) - sagitta;
        if (bound >= best - tolerance || narc + 2 > ARCS_MAX) continue;
        arcs[narc++] = (Arc){ arc.low, middle };
        arcs[narc++] = (Arc){ middle, arc.high };
    }
    return best - torus.size.y;
}

// ---- shapes

typedef struct Case {
    const char *name;
    caromShape shape;
    // Of g, in parts of the size: 1e-12 where the core is a point, a segment or has plane faces; 1e-9 where it is
    // curved.
    double tolerance;
} Case;

enum { NCASE = 13 };
static void make_cases(Case cases[NCASE], const caromHull *sharp, const caromHull *rounded)
{
    const Case all[NCASE] = {
        { "sphere", carom_shape_sphere(0.03), 1e-12 },
        { "box", carom_shape_box(0.05, 0.03, 0.08), 1e-12 },
        { "rounded box", carom_shape_rounded(carom_shape_box(0.05, 0.03, 0.08), 0.005), 1e-12 },
        { "capsule", carom_shape_capsule(0.01, 0.06), 1e-12 },
        { "polytope", carom_shape_polytope(sharp), 1e-12 },
        { "rounded polytope", carom_shape_polytope(rounded), 1e-12 },
        { "cylinder", carom_shape_cylinder(0.02, 0.05), 1e-9 },
        { "rounded cylinder", carom_shape_rounded(carom_shape_cylinder(0.02, 0.05), 0.004), 1e-9 },
        { "cone", carom_shape_cone(0.03, 0, 0.06), 1e-9 },
        { "rounded cone", carom_shape_rounded(carom_shape_cone(0.03, 0.01, 0.06), 0.003), 1e-9 },
        { "ellipsoid", carom_shape_ellipsoid(0.02, 0.03, 0.05), 1e-9 },
        { "torus", carom_shape_torus(0.03, 0.008), 1e-9 },
        { "half-space", carom_shape_half_space(), 1e-12 },
    };
    memcpy(cases, all, sizeof all);
}

static void fail_at(const Thing *a, const Case *c, Poses X, const char *what, double value, double limit)
{
    if (value <= limit) return;
    print_error("%s, %s: %s is %.3g, at most %.3g\n", a->name, c->name, what, value, limit);
    print_pose("X_WA", X.A);
    print_pose("X_WB", X.B);
    fail();
}

typedef struct Tally {
    int n;
    double g, surface;
} Tally;

static double exact_distance(const Thing *a, const Case *c, Poses X, double tolerance, double *error)
{
    *error = 0;
    if (c->shape.kind == CAROM_TORUS) return torus_distance(a->ref, c->shape, X.B, tolerance);
    if (c->shape.kind != CAROM_HALF_SPACE) {
        Least least = convex_distance(a->ref, c->shape, X.B, tolerance);
        *error = least.error;
        return least.f;
    }
    double least = INFINITY;  // the lowest corner, above ground or below it
    for (int t = 0; t < mesh_ref_ntriangle(a->ref); t++) {
        caromVec3 v[3];
        mesh_ref_corners(a->ref, t, v);
        for (int k = 0; k < 3; k++) least = fmin(least, carom_dot(X.B.R.cz, carom_sub(v[k], X.B.p)));
    }
    return least;
}

static void check_answer(const Thing *a, const Case *c, Poses X, double exact, double uncertainty, Tally *tally)
{
    double radius = c->shape.kind == CAROM_HALF_SPACE ? 0 : carom_shape_radius(c->shape);
    double size = fmax(fmax(a->radius, radius), carom_norm(carom_sub(X.B.p, X.A.p))),
           far = size + carom_norm(X.A.p) + carom_norm(X.B.p);
    caromGap gap = carom_collide_shapes(a->shape, X.A, c->shape, X.B);
    caromWarmStart warm = { { 0 } };
    fail_at(a, c, X, "status", (double)gap.status, CAROM_GAP_OK);
    fail_at(a, c, X, "g - exact", gap.g - exact, c->tolerance*size + uncertainty);
    fail_at(a, c, X, "exact - g", exact - gap.g, c->tolerance*size + uncertainty);
    fail_at(a, c, X, "|g - exact| where error is told", fabs(gap.g - exact), gap.error + uncertainty);
    fail_at(a, c, X, "error", gap.error, 1e-9*size);
    double on_a = (double)mesh_ref_point_distance(a->ref, gap.p_A),
           on_b = fabs(carom_collide_point(c->shape, X.B, gap.p_B).g);
    double vector = carom_norm(carom_sub(carom_sub(gap.p_B, gap.p_A), carom_scale(gap.g, gap.n_AB)));
    fail_at(a, c, X, "p_A off the surface", on_a, 1e-12*size);
    fail_at(a, c, X, "p_B off the surface", on_b, c->tolerance*size);
    fail_at(a, c, X, "p_B - p_A - g n", vector, 8*DBL_EPSILON*far);
    // Columns of a pose are as far from unit.
    fail_at(a, c, X, "|n| - 1", fabs(carom_norm(gap.n_AB) - 1), 16*DBL_EPSILON);
    fail_at(a, c, X, "bits of the mirror image",
            !same_gap(mirrored(carom_collide_shapes(c->shape, X.B, a->shape, X.A)), gap), 0);
    for (int i = 0; i < 2; i++)
        fail_at(a, c, X, "bits of a warm start",
                !same_gap(carom_collide_shapes_warm(a->shape, X.A, c->shape, X.B, &warm), gap), 0);
    if (fabs(gap.g) > c->tolerance*size)
        fail_at(a, c, X, "overlap", carom_collide_overlap(a->shape, X.A, c->shape, X.B) != (gap.g < 0), 0);
    tally->n++;
    tally->g = fmax(tally->g, fabs(gap.g - exact)/size);
    tally->surface = fmax(tally->surface, fmax(on_a, on_b)/size);
}

// Towards each other along u, by the distance each time, until that is the gap.
static Poses approach(Random *r, const Thing *a, const Case *c, double gap)
{
    bool is_bounded = carom_shape_is_bounded(c->shape);
    caromVec3 u = random_unit_vec(r);
    Poses X = { random_pose(r, 0.1), { carom_quat_matrix(random_quat(r)), { 0, 0, 0 } } };
    if (!is_bounded) u = carom_neg(X.B.R.cz);
    double way = a->radius + (is_bounded ? carom_shape_radius(c->shape) : a->radius) + 2*gap, exact = INFINITY, error;
    mesh_ref_place(a->ref, X.A);
    for (int i = 0; i < 40 && exact > 2*gap; i++) {
        X.B.p = carom_axpy(way, u, X.A.p);
        exact = exact_distance(a, c, X, 0.1*gap, &error);
        way -= exact - gap;
    }
    return X;
}

static void meshes_and_other_shapes(void **state)
{
    (void)state;
    Random r = { 31 };
    caromHull *sharp = random_hull(&r, 0), *rounded;
    const caromVec3 *corners;
    caromVec3 scaled[64];
    int n = carom_hull_vertices(sharp, &corners);
    for (int i = 0; i < n; i++) scaled[i] = carom_scale(0.04, corners[i]);
    carom_hull_destroy(sharp);
    sharp = carom_hull_create(scaled, n, 0, NULL), rounded = carom_hull_create(scaled, n, 0.004, NULL);
    assert_true(sharp && rounded);
    Case cases[NCASE];
    make_cases(cases, sharp, rounded);
    Thing parts[PART_KINDS];
    for (int k = 0; k < PART_KINDS; k++) parts[k] = thing_part(k, 300, 1);
    for (int i = 0; i < NCASE; i++) {
        Tally tally = { 0 };
        int nrun = cases[i].shape.kind == CAROM_TORUS ? 4 : 20;
        for (int run = 0; run < nrun*PART_KINDS; run++) {
            const Thing *a = &parts[run%PART_KINDS];
            double gap = 0.1*pow(10, random_uniform(&r, -6, 0)), error;
            Poses X = approach(&r, a, &cases[i], gap);
            double exact = exact_distance(a, &cases[i], X, 1e-15, &error);
            CHECK(exact > 0);
            check_answer(a, &cases[i], X, exact, 2e-15 + error, &tally);
        }
        if (is_verbose())
            printf("%-17s %3d poses, worst g %.1e, points %.1e of the size\n", cases[i].name, tally.n, tally.g,
                   tally.surface);
    }
    for (int k = 0; k < PART_KINDS; k++) thing_free(&parts[k]);
    carom_hull_destroy(sharp), carom_hull_destroy(rounded);
}

// The shortest way out of a half-space is up: depth is exact, and global.
static void meshes_in_the_ground(void **state)
{
    (void)state;
    Random r = { 32 };
    Tally tally = { 0 };
    Case ground = { "half-space", carom_shape_half_space(), 1e-12 };
    for (int i = 0; i < 50; i++) {
        Thing a = thing_part(i%PART_KINDS, 300, 1);
        Poses X = { random_pose(&r, 0.1), random_pose(&r, 0.1) };
        double error;
        mesh_ref_place(a.ref, X.A);
        check_answer(&a, &ground, X, exact_distance(&a, &ground, X, 0, &error), 2e-16, &tally);
        thing_free(&a);
    }
}

// The cutting itself, where the answer is known: a sphere over a face, an edge and a corner of a cube; a box in a place
// where two faces balance.
static void cutting_finds_the_least_distance(void **state)
{
    (void)state;
    Thing cube = thing_box(2, 2, 2);
    static const struct { caromVec3 p; double distance; } balls[] = {
        { { 0.3, 0.2, 2 }, 0.5 }, { { 2, 0.123, 2 }, 0.9142135623730951 }, { { 2, 2, 2 }, 1.2320508075688772 }, { { 0.3, 0.2, 1.5 + 1e-9 }, 1e-9 },
    };
    for (int i = 0; i < 4; i++) {
        Least least = convex_distance(cube.ref, carom_shape_sphere(0.5), carom_pose(carom_mat_identity(), balls[i].p),
                                      1e-15);
        CHECK_NEAR(least.f, balls[i].distance, 4e-15);
        CHECK(least.nevaluation < 12*250);
    }
    caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_vec(0, 0, 1), 0.7853981633974483));
    // The edge of the box towards the face.
    Least least = convex_distance(cube.ref, carom_shape_box(1, 1, 1), carom_pose(R, carom_vec(3, 0.1, 0)), 1e-15);
    CHECK_NEAR(least.f, 2 - sqrt(0.5), 4e-15);
    // A torus that stands on the face, and one that leans. (One that lies flat has its least distance
    // everywhere, and takes forever.)
    caromMat3 up = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 1.5707963267948966));
    CHECK_NEAR(torus_distance(cube.ref, carom_shape_torus(0.5, 0.1), carom_pose(up, carom_vec(0.1, 0.2, 2)), 1e-15),
               0.4, 4e-15);
    caromMat3 lean = carom_quat_matrix(carom_quat_axis_angle(carom_vec(1, 0, 0), 0.3));
    CHECK_NEAR(torus_distance(cube.ref, carom_shape_torus(0.5, 0.1), carom_pose(lean, carom_vec(0.3, 0.1, 1.5)), 1e-15),
               0.4 - 0.5*sin(0.3), 4e-15);
    thing_free(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cutting_finds_the_least_distance),
        cmocka_unit_test(meshes_and_other_shapes),
        cmocka_unit_test(meshes_in_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
