// Meshes: what is repaired, what is reported, what they weigh. Reading them: modelfile/test_meshfile.c.
#include <float.h>
#include <time.h>

#include "geometry/mesh_features.h"
#include "mesh_fixture.h"

static const double eps = DBL_EPSILON;

// Makes the mesh, frees what it was made from, and gives the report.
static caromMesh *made(Raw raw, caromMeshReport *report)
{
    caromMesh *mesh = mesh_of(&raw, report);
    raw_free(&raw);
    return mesh;
}

static caromMeshReport report_of(Raw raw)
{
    caromMeshReport report;
    carom_mesh_destroy(made(raw, &report));
    return report;
}

static void check_clean(const caromMeshReport *r)
{
    CHECK(r->vertices_unused == 0 && r->degenerate_removed == 0 && r->duplicates_removed == 0 && r->flat_kept == 0 &&
          r->triangles_turned == 0);
    CHECK(r->open_edges == 0 && r->crowded_edges == 0 && r->components_turned == 0 && r->is_nesting_known &&
          r->is_closed && r->is_oriented);
}

// ---- mass

static void a_cube_is_exact(void **state)
{
    (void)state;
    caromMeshReport r;
    caromMesh *mesh = made(cube(0.5), &r);
    caromMassProps m = carom_mesh_mass(mesh, 1000.0);
    check_clean(&r);
    CHECK(r.vertices_read == 8 && r.vertices_merged == 0 && r.triangles_read == 12 && r.components == 1);
    CHECK_VEC(r.low, carom_vec(-0.5, -0.5, -0.5), 0);
    CHECK_VEC(r.high, carom_vec(0.5, 0.5, 0.5), 0);
    CHECK_NEAR(r.area, 6.0, 0);
    CHECK_NEAR(r.volume, 1.0, 8*eps);  // twelve sixths of 1/2
    CHECK_NEAR(m.mass, 1000.0, 8*eps*1000);
    CHECK_VEC(m.com, carom_vec(0, 0, 0), eps);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(carom_at(k == 0 ? m.inertia.cx : k == 1 ? m.inertia.cy : m.inertia.cz, k), 1000.0/6, 1000*16*eps);
    carom_mesh_destroy(mesh);
}

// Second moments of the unit simplex: int x^2 = 1/60, int x = 1/24, so I_xx about the centroid is 2
// (1/60 - 1/6 (1/4)^2) = 1/80.
static void a_tetrahedron_has_its_closed_form(void **state)
{
    (void)state;
    caromMesh *mesh = made(tetrahedron(), NULL);
    caromMassProps m = carom_mesh_mass(mesh, 6.0);
    CHECK_NEAR(m.mass, 1.0, 8*eps);
    CHECK_VEC(m.com, carom_vec(0.25, 0.25, 0.25), 8*eps);
    CHECK_NEAR(m.inertia.cx.x, 6.0/80, 32*eps);
    CHECK_NEAR(m.inertia.cx.y, 6.0/480, 32*eps);  // -(int xy - V/16) = -(1/120 - 1/96) = 1/480
    carom_mesh_destroy(mesh);
}

// Chords of n sides fall short of a circle by O(1/n^2): the error divides by 4 when n doubles, to the next order 1/n^4.
static void a_torus_converges_with_order_2(void **state)
{
    (void)state;
    double R = 0.05, r = 0.015, volume[3], inertia[3], V = 2*PI*PI*R*r*r, Izz = V*(R*R + 0.75*r*r);
    for (int k = 0; k < 3; k++) {
        caromMesh *mesh = made(torus(R, r, 32 << k, 16 << k), NULL);
        caromMassProps m = carom_mesh_mass(mesh, 1.0);
        volume[k] = V - m.mass;
        inertia[k] = Izz - m.inertia.cz.z;
        carom_mesh_destroy(mesh);
    }
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(log2(volume[k]/volume[k + 1]), 2.0, 0.03);
        CHECK_NEAR(log2(inertia[k]/inertia[k + 1]), 2.0, 0.06);
    }
    CHECK(volume[2]/V > 0 && volume[2]/V < 5e-3);
}

static void a_bolt_weighs_its_slices(void **state)
{
    (void)state;
    double profile[BOLT_RINGS][2];
    caromMeshReport r;
    bolt_profile(profile);
    caromMesh *mesh = made(bolt(), &r);
    double V = lathe_volume((const double (*)[2])profile, BOLT_RINGS, 6);
    check_clean(&r);
    CHECK_NEAR(carom_mesh_mass(mesh, 7850).mass, 7850*V, 7850*V*300*eps);  // as many triangles, each with a rounding
    carom_mesh_destroy(mesh);
}

static Raw faces_of(const caromHull *hull)
{
    const caromVec3 *vertices;
    const int *first, *corners;
    int nvertex = carom_hull_vertices(hull, &vertices), nface = carom_hull_faces(hull, &first, &corners), n = 0;
    Raw raw = raw_alloc(nvertex, first[nface]);
    for (int i = 0; i < nvertex; i++) raw.vertices[i] = vertices[i];
    for (int f = 0; f < nface; f++)
        for (int k = first[f] + 1; k + 1 < first[f + 1]; k++)
            set_triangle(&raw, n++, corners[first[f]], corners[k], corners[k + 1]);
    raw.ntriangle = n;
    return raw;
}

static void check_mass(caromMassProps a, caromMassProps b, double size, double tolerance)
{
    CHECK_NEAR(a.mass, b.mass, tolerance*b.mass);
    CHECK_VEC(a.com, b.com, tolerance*size);
    CHECK_VEC(a.inertia.cx, b.inertia.cx, tolerance*b.mass*size*size);
    CHECK_VEC(a.inertia.cy, b.inertia.cy, tolerance*b.mass*size*size);
    CHECK_VEC(a.inertia.cz, b.inertia.cz, tolerance*b.mass*size*size);
}

static void polytopes_weigh_the_same_as_shapes_and_as_meshes(void **state)
{
    (void)state;
    Random random = { 7 };
    for (int i = 0; i < 20; i++) {
        caromVec3 points[40];
        for (int k = 0; k < 40; k++)
            points[k] = carom_vec(random_uniform(&random, 1, 2), random_uniform(&random, -1, 1),
                                  random_uniform(&random, -3, -2));
        caromHull *hull = carom_hull_create(points, 40, 0, NULL);
        assert_non_null(hull);
        caromMeshReport r;
        caromMesh *mesh = made(faces_of(hull), &r);
        check_clean(&r);
        // Both add about 80 terms; corners of merged faces may lie off their plane by a tolerance of the hull,
        // 1e-14 of the size or so.
        check_mass(carom_mesh_mass(mesh, 2.5), carom_shape_mass(carom_shape_polytope(hull), 2.5), 4.0, 1e-12);
        carom_mesh_destroy(mesh);
        carom_hull_destroy(hull);
    }
}

// Far from the origin only the coordinates lose digits, by eps times the distance over the size.
static void far_away_is_as_good_as_coordinates_are(void **state)
{
    (void)state;
    Raw raw = box(carom_vec(1000, 2000, -3000), carom_vec(1001, 2001, -2999));
    caromMesh *mesh = made(raw, NULL);
    CHECK_NEAR(carom_mesh_mass(mesh, 1).mass, 1.0, 8*eps);
    CHECK_NEAR(carom_mesh_mass(mesh, 1).inertia.cx.x, 1.0/6, 16*eps);
    CHECK_VEC(carom_mesh_mass(mesh, 1).com, carom_vec(1000.5, 2000.5, -2999.5), 3000*eps);
    carom_mesh_destroy(mesh);
}

// ---- repairs

static void corners_at_the_same_place_become_one_in_order(void **state)
{
    (void)state;
    caromMeshReport r;
    Raw whole = cube(0.5), raw = exploded(cube(0.5));
    caromMesh *mesh = made(raw, &r);
    const caromVec3 *v;
    const int (*t)[3];
    check_clean(&r);
    CHECK(r.vertices_read == 36 && r.vertices_merged == 28);
    assert_int_equal(carom_mesh_vertices(mesh, &v), 8);
    assert_int_equal(carom_mesh_triangles(mesh, &t), 12);
    static const int appear[8] = { 0, 2, 3, 1, 4, 5, 7, 6 };  // in the corners of the triangles
    for (int i = 0; i < 8; i++) CHECK_VEC(v[i], whole.vertices[appear[i]], 0);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) CHECK_VEC(v[t[i][k]], whole.vertices[whole.triangles[i][k]], 0);
    raw_free(&whole);
    carom_mesh_destroy(mesh);
}

static void zero_and_minus_zero_are_the_same_place(void **state)
{
    (void)state;
    Raw raw = exploded(tetrahedron());
    for (int i = 0; i < raw.nvertex; i += 2)
        if (raw.vertices[i].x == 0) raw.vertices[i].x = -0.0;
    caromMeshReport r = report_of(raw);
    CHECK(r.is_closed && r.vertices_merged == 8);
}

static void degenerate_triangles_go(void **state)
{
    (void)state;
    Raw raw = joined(cube(0.5), raw_alloc(3, 3));
    raw.vertices[8] = carom_vec(3, 0, 0);
    raw.vertices[9] = carom_vec(4, 1, 1);
    raw.vertices[10] = carom_vec(5, 2, 2);
    set_triangle(&raw, 12, 0, 0, 5);
    set_triangle(&raw, 13, 8, 9, 10);  // on a line, loose
    set_triangle(&raw, 14, 1, 3, 1);
    caromMeshReport r = report_of(raw);
    CHECK(r.degenerate_removed == 3 && r.vertices_unused == 3 && r.components == 1 && r.is_closed && r.flat_kept == 0);
    CHECK_NEAR(r.volume, 1, 8*eps);
    CHECK_VEC(r.high, carom_vec(0.5, 0.5, 0.5), 0);
}

// A tetrahedron with a vertex on an edge, which only one of the faces there knows; a sliver closes the crack.
static void slivers_that_close_a_crack_stay(void **state)
{
    (void)state;
    Raw raw = joined(tetrahedron(), raw_alloc(1, 2));
    raw.vertices[4] = carom_vec(0.5, 0, 0);
    set_triangle(&raw, 1, 0, 4, 3);
    set_triangle(&raw, 4, 4, 1, 3);
    set_triangle(&raw, 5, 0, 1, 4);
    caromMeshReport r = report_of(raw);
    CHECK(r.flat_kept == 1 && r.degenerate_removed == 0 && r.is_closed && r.is_oriented && r.open_edges == 0);
    CHECK_NEAR(r.volume, 1.0/6, 8*eps);
}

// A strip of slivers on a line, each between two others but the last.
static void loose_slivers_go_one_after_the_other(void **state)
{
    (void)state;
    enum { N = 1000 };
    Raw raw = joined(cube(0.5), raw_alloc(N + 2, N));
    for (int i = 0; i < N + 2; i++) raw.vertices[8 + i] = carom_vec(3 + i*i, 0, 0);
    for (int i = 0; i < N; i++) set_triangle(&raw, 12 + i, 8 + i, 9 + i, 10 + i);
    caromMeshReport r = report_of(raw);
    CHECK(r.degenerate_removed == N && r.flat_kept == 0 && r.vertices_unused == N + 2 && r.components == 1);
}

static void copies_of_triangles_go(void **state)
{
    (void)state;
    Raw raw = joined(cube(0.5), raw_alloc(0, 2));
    set_triangle(&raw, 12, raw.triangles[3][1], raw.triangles[3][2], raw.triangles[3][0]);
    set_triangle(&raw, 13, raw.triangles[3][0], raw.triangles[3][1], raw.triangles[3][2]);
    caromMeshReport r = report_of(raw);
    CHECK(r.duplicates_removed == 2 && r.is_closed && r.crowded_edges == 0);
}

static void triangles_turn_to_the_side_of_the_majority(void **state)
{
    (void)state;
    Raw raw = torus(1, 0.25, 24, 12);
    double V = report_of(torus(1, 0.25, 24, 12)).volume;
    for (int t = 0; t < raw.ntriangle; t += 3) turn(&raw, t);
    caromMeshReport r = report_of(raw);
    CHECK(r.triangles_turned == 192 && r.components_turned == 0 && r.is_oriented && r.is_closed);
    CHECK_NEAR(r.volume, V, 0);
}

static void inside_out_is_turned(void **state)
{
    (void)state;
    Raw raw = bolt();
    for (int t = 1; t < raw.ntriangle; t++) turn(&raw, t);
    caromMeshReport r = report_of(raw);
    CHECK(r.triangles_turned == 1 && r.components_turned == 1 && r.volume > 0);
}

static void a_box_in_a_box_is_a_cavity(void **state)
{
    (void)state;
    for (int sides = 0; sides < 4; sides++) {  // whatever the file says
        Raw outer = cube(1.5), inner = cube(1), core = cube(0.5);
        for (int t = 0; t < 12; t++) {
            if (sides & 1) turn(&inner, t);
            if (sides & 2) turn(&outer, t);
        }
        caromMeshReport r = report_of(joined(joined(inner, core), outer));
        CHECK(r.components == 3 && r.is_closed && r.is_oriented && r.is_nesting_known);
        assert_int_equal(r.components_turned, !(sides & 1) + ((sides & 2) != 0));
        CHECK_NEAR(r.volume, 27 - 8 + 1, 27*16*eps);
    }
}

static void boxes_side_by_side_add_up(void **state)
{
    (void)state;
    caromMeshReport r = report_of(joined(cube(0.5), box(carom_vec(2, 0, 0), carom_vec(3, 1, 1))));
    CHECK(r.components == 2);
    check_clean(&r);
    CHECK_NEAR(r.volume, 2, 32*eps);
}

static bool is_convex(Raw raw)
{
    caromMesh *mesh = made(raw, NULL);
    bool convex = carom_mesh_is_convex(mesh);
    carom_mesh_destroy(mesh);
    return convex;
}

static void convex_is_one_solid_without_hollows(void **state)
{
    (void)state;
    CHECK(is_convex(cube(0.5)) && is_convex(tetrahedron()));
    CHECK(!is_convex(torus(1, 0.25, 24, 12)));
    CHECK(!is_convex(joined(cube(0.5), box(carom_vec(2, 0, 0), carom_vec(3, 1, 1)))));
    CHECK(!is_convex(joined(cube(1.5), cube(1))));
    Raw open = cube(0.5);
    open.ntriangle -= 2;
    CHECK(!is_convex(open));
}

// Along an edge: both close by themselves. At a face with the same triangles: they close only together, and the
// wall between them cancels.
static void boxes_that_touch_are_closed(void **state)
{
    (void)state;
    caromMeshReport edge = report_of(joined(box(carom_vec(0, 0, 0), carom_vec(1, 1, 1)),
                                            box(carom_vec(1, 1, 0), carom_vec(2, 2, 1))));
    CHECK(edge.crowded_edges == 1 && edge.is_closed && edge.is_oriented && edge.components == 2);
    CHECK_NEAR(edge.volume, 2, 32*eps);
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        Raw mirrored = box(carom_vec(0, 0, 0), carom_vec(1, 1, 1));
        for (int i = 0; i < 8; i++) mirrored.vertices[i].x *= -1;
        for (int t = 0; t < 12; t++) turn(&mirrored, t);
        Raw raw = joined(box(carom_vec(0, 0, 0), carom_vec(1, 1, 1)), mirrored);
        for (int t = 0; inside_out && t < 24; t++) turn(&raw, t);
        caromMeshReport face = report_of(raw);
        CHECK(face.crowded_edges == 5 && face.open_edges == 0 && face.is_closed && face.is_oriented &&
              face.duplicates_removed == 0);
        CHECK_NEAR(face.volume, 2, 32*eps);
    }
}

static void an_open_box_has_no_mass(void **state)
{
    (void)state;
    Raw raw = cube(0.5);
    raw.ntriangle--;
    turn(&raw, 5);
    caromMeshReport r;
    caromMesh *mesh = made(raw, &r);
    CHECK(r.open_edges == 3 && !r.is_closed && r.is_oriented && r.triangles_turned == 1 && r.volume == 0);
    CHECK(carom_mesh_mass(mesh, 1000).mass == 0);
    carom_mesh_destroy(mesh);
}

// A torus without a ring of its triangles has two round holes of 8 edges, closed by 6 flat triangles each: a bent bar,
// whose volume is (N - 1)/N of the torus' (its slices are alike). Holes that are longer, or meet themselves, stay.
static void holes_of_few_edges_are_closed(void **state)
{
    (void)state;
    enum { N = 12, M = 8 };
    Raw raw = torus(0.05, 0.02, N, M);
    caromMeshReport whole;
    carom_mesh_destroy(mesh_of(&raw, &whole));
    raw.ntriangle -= 2*M;
    caromMeshHoles holes;
    caromMesh *open = made(raw, NULL), *still = carom_mesh_close_holes(open, M - 1, &holes, NULL);
    CHECK(holes.closed == 0 && holes.triangles == 0 && carom_mesh_report(still)->open_edges == 2*M);
    caromMesh *closed = carom_mesh_close_holes(open, M, &holes, NULL);
    const caromMeshReport *r = carom_mesh_report(closed);
    CHECK(holes.closed == 2 && holes.triangles == 2*(M - 2));
    CHECK(r->is_closed && r->is_oriented && r->crossings == 0 && r->triangles_turned == 0 && r->components_turned == 0);
    CHECK_NEAR(r->volume, whole.volume*(N - 1)/N, 1e-13*whole.volume);  // sums of some 200 terms
    caromError err;
    assert_null(carom_mesh_close_holes(open, 2, NULL, &err));
    assert_string_equal(err.message, "is 2, expected 3 to 100 edges of a hole");
    carom_mesh_destroy(open);
    carom_mesh_destroy(still);
    carom_mesh_destroy(closed);
}

// An L of six corners: the least area is that of its inside, so that no triangle lies outside of it. The hole around it
// has more edges than are closed.
static void a_hole_that_is_not_convex_is_closed_inside(void **state)
{
    (void)state;
    static const double profile[6][2] = { { 0, 0 }, { 3, 0 }, { 3, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } };
    Raw raw = raw_alloc(12, 12);
    for (int i = 0; i < 6; i++) {
        int j = (i + 1)%6;
        raw.vertices[i] = carom_vec(profile[i][0], profile[i][1], 0);
        raw.vertices[6 + i] = carom_vec(profile[i][0], profile[i][1], 1);
        set_triangle(&raw, 2*i, i, j, 6 + j);
        set_triangle(&raw, 2*i + 1, i, 6 + j, 6 + i);
    }
    caromMeshHoles holes;
    caromMesh *open = made(raw, NULL), *closed = carom_mesh_close_holes(open, 6, &holes, NULL);
    const caromMeshReport *r = carom_mesh_report(closed);
    CHECK(holes.closed == 2 && holes.triangles == 8 && r->is_closed && r->crossings == 0);
    CHECK_NEAR(r->volume, 5, 32*eps);
    CHECK_NEAR(r->area, 2*5 + 12, 64*eps);
    carom_mesh_destroy(open);
    carom_mesh_destroy(closed);
}

// Two triangles that share a corner only: their boundaries run through it twice, and it is not known which belongs
// where.
static void holes_that_meet_themselves_stay(void **state)
{
    (void)state;
    Raw raw = raw_alloc(5, 2);
    for (int i = 0; i < 5; i++) raw.vertices[i] = carom_vec(cos(i), sin(i), 0.1*i*i);
    set_triangle(&raw, 0, 0, 1, 2);
    set_triangle(&raw, 1, 0, 3, 4);
    caromMeshHoles holes;
    caromMesh *open = made(raw, NULL), *closed = carom_mesh_close_holes(open, 100, &holes, NULL);
    CHECK(holes.closed == 0 && carom_mesh_report(closed)->open_edges == 6);
    carom_mesh_destroy(open);
    carom_mesh_destroy(closed);
}

static void a_moebius_strip_has_no_sides(void **state)
{
    (void)state;
    enum { N = 20 };
    Raw raw = raw_alloc(2*N, 2*N);
    for (int i = 0; i < N; i++) {
        double u = 2*PI*i/N, w = 0.5*u;
        for (int k = 0; k < 2; k++) {
            double s = k ? 0.3 : -0.3;
            raw.vertices[2*i + k] = carom_vec((1 + s*cos(w))*cos(u), (1 + s*cos(w))*sin(u), s*sin(w));
        }
        int a = 2*i, b = a + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? a + 3 : 0;
        set_triangle(&raw, 2*i, a, c, b);
        set_triangle(&raw, 2*i + 1, b, c, d);
    }
    caromMeshReport r = report_of(raw);
    CHECK(!r.is_oriented && !r.is_closed && r.components == 1 && r.open_edges == 2*N);
}

// ---- errors

static void expect_error(Raw raw, const char *where, const char *message)
{
    caromError err = { 0 };
    caromMeshReport report;
    caromMesh *mesh = carom_mesh_create(raw.vertices, raw.nvertex, (const int (*)[3])raw.triangles, raw.ntriangle,
                                        &report, &err);
    assert_null(mesh);
    assert_int_equal(err.status, CAROM_ERR_INPUT);
    assert_string_equal(err.where, where);
    if (!strstr(err.message, message)) fail_msg("%s: expected %s", err.message, message);
    assert_null(carom_mesh_create(raw.vertices, raw.nvertex, (const int (*)[3])raw.triangles, raw.ntriangle, NULL,
                                  NULL));
    raw_free(&raw);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    expect_error(raw_alloc(0, 0), "", "there is nothing in it: 0 vertices, 0 triangles");
    Raw raw = cube(1);
    raw.vertices[3].y = NAN;
    expect_error(raw, "vertices[3]", "nan, -1] m: coordinates must be finite and below 1e+50");
    raw = cube(1);
    raw.vertices[5].z = 1e51;
    expect_error(raw, "vertices[5]", "1e+51");
    raw = cube(1);
    raw.triangles[2][1] = 8;
    expect_error(raw, "triangles[2]", "has vertex 8, but there are only vertices 0 to 7");
    raw = cube(1);
    raw.triangles[11][2] = -1;
    expect_error(raw, "triangles[11]", "has vertex -1,");
    raw = raw_alloc(3, 1);
    raw.vertices[1].x = 1, raw.vertices[2].x = 2;
    set_triangle(&raw, 0, 0, 1, 2);
    expect_error(raw, "", "none of its triangles has an area (1 read)");
    raw = cube(1e-60);
    expect_error(raw, "", "in size, below 1e-50 m: is the scale right?");
    raw = box(carom_vec(0, 0, 0), carom_vec(1, 1, 0x1p-40));
    for (int i = 4; i < 8; i++) raw.vertices[i].z = 1e-17;
    expect_error(raw, "", "the surface is closed, but its volume");
}

// ---- size, copies, same bits

// A disc and its underside around one hub each: every triangle shares a vertex with all others. Quadratic
// steps would take hours.
static void a_fan_of_a_million_is_quick(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    enum { N = 50000 };
#else
    enum { N = 500000 };
#endif
    const double profile[2][2] = { { 1, 0 }, { 1, 0.5 } };
    Raw raw = lathe(profile, 2, N);
    clock_t start = clock();
    caromMeshReport r;
    caromMesh *mesh = made(raw, &r);
    CHECK((double)(clock() - start)/CLOCKS_PER_SEC < 20);
    CHECK(r.is_closed && r.is_oriented && r.components == 1);
    CHECK_NEAR(r.volume, lathe_volume(profile, 2, N), 4.0*N*eps);  // as many triangles
    carom_mesh_destroy(mesh);
}

// Every mean has one triangle beyond it and all others before it, down to the last five.
static void triangles_that_grow_have_a_hierarchy(void **state)
{
    (void)state;
    for (int n = 1; n < 60; n++) {
        Raw raw = raw_alloc(3*n, n);
        for (int i = 0; i < 3*n; i++) {
            double size = ldexp(1, 2*(i/3));
            raw.vertices[i] = carom_vec(size*(1 + 0.125*(i%3 == 1)), size*0.125*(i%3 == 2), 0);
            raw.triangles[i/3][i%3] = i;
        }
        caromMesh *mesh = made(raw, NULL);
        CHECK(mesh->tree.nnode <= n);
        for (int i = 0; i < mesh->tree.nnode; i++)
            CHECK(mesh->tree.nodes[i].count <= CAROM_MESH_LEAF && (mesh->tree.nodes[i].count != 1 || n == 1));
        carom_mesh_destroy(mesh);
    }
}

static void too_many_components_keep_their_sides(void **state)
{
    (void)state;
    enum { N = 5000 };
    Raw raw = raw_alloc(4*N, 4*N), one = tetrahedron();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++) {
            raw.vertices[4*i + k] = carom_add(one.vertices[k], carom_vec(2*i, 0, 0));
            set_triangle(&raw, 4*i + k, one.triangles[k][0] + 4*i, one.triangles[k][1] + 4*i,
                         one.triangles[k][2] + 4*i);
        }
    raw_free(&one);
    caromMeshReport r = report_of(raw);
    CHECK(r.components == N && !r.is_nesting_known && r.is_closed);
    CHECK_NEAR(r.volume, N/6.0, N*N*eps);
}

static void a_copy_is_the_same_and_its_own(void **state)
{
    (void)state;
    caromMesh *mesh = made(bolt(), NULL), *again = made(bolt(), NULL), *copy = carom_mesh_copy(mesh);
    const caromVec3 *v[3];
    const int (*t[3])[3];
    int nv = carom_mesh_vertices(mesh, &v[0]), nt = carom_mesh_triangles(mesh, &t[0]);
    assert_int_equal(carom_mesh_vertices(again, &v[1]), nv);
    assert_int_equal(carom_mesh_triangles(again, &t[1]), nt);
    assert_memory_equal(v[0], v[1], (size_t)nv*sizeof **v);
    assert_memory_equal(t[0], t[1], (size_t)nt*sizeof **t);
    caromMassProps m = carom_mesh_mass(mesh, 3), n = carom_mesh_mass(again, 3);
    assert_memory_equal(&m, &n, sizeof m);
    carom_mesh_destroy(mesh);
    assert_int_equal(carom_mesh_vertices(copy, &v[2]), nv);
    assert_int_equal(carom_mesh_triangles(copy, &t[2]), nt);
    assert_memory_equal(v[1], v[2], (size_t)nv*sizeof **v);
    assert_memory_equal(t[1], t[2], (size_t)nt*sizeof **t);
    n = carom_mesh_mass(copy, 3);
    assert_memory_equal(&m, &n, sizeof m);
    carom_mesh_destroy(copy);
    carom_mesh_destroy(again);
    carom_mesh_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_exact),
        cmocka_unit_test(a_tetrahedron_has_its_closed_form),
        cmocka_unit_test(a_torus_converges_with_order_2),
        cmocka_unit_test(a_bolt_weighs_its_slices),
        cmocka_unit_test(polytopes_weigh_the_same_as_shapes_and_as_meshes),
        cmocka_unit_test(far_away_is_as_good_as_coordinates_are),
        cmocka_unit_test(corners_at_the_same_place_become_one_in_order),
        cmocka_unit_test(zero_and_minus_zero_are_the_same_place),
        cmocka_unit_test(degenerate_triangles_go),
        cmocka_unit_test(slivers_that_close_a_crack_stay),
        cmocka_unit_test(loose_slivers_go_one_after_the_other),
        cmocka_unit_test(copies_of_triangles_go),
        cmocka_unit_test(triangles_turn_to_the_side_of_the_majority),
        cmocka_unit_test(inside_out_is_turned),
        cmocka_unit_test(a_box_in_a_box_is_a_cavity),
        cmocka_unit_test(boxes_side_by_side_add_up),
        cmocka_unit_test(convex_is_one_solid_without_hollows),
        cmocka_unit_test(boxes_that_touch_are_closed),
        cmocka_unit_test(an_open_box_has_no_mass),
        cmocka_unit_test(holes_of_few_edges_are_closed),
        cmocka_unit_test(a_hole_that_is_not_convex_is_closed_inside),
        cmocka_unit_test(holes_that_meet_themselves_stay),
        cmocka_unit_test(a_moebius_strip_has_no_sides),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(a_fan_of_a_million_is_quick),
        cmocka_unit_test(triangles_that_grow_have_a_hierarchy),
        cmocka_unit_test(too_many_components_keep_their_sides),
        cmocka_unit_test(a_copy_is_the_same_and_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
