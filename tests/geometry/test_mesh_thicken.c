// Surfaces that become plates: closed, with the thickness that was asked for.
#include "check.h"
#include "geometry/mesh.h"
#include "mesh_fixture.h"

static const double eps = 2.220446049250313e-16;

static caromMesh *surface_of(Raw raw)
{
    caromMesh *mesh = carom_mesh_create(raw.vertices, raw.nvertex, (const int (*)[3])raw.triangles, raw.ntriangle, NULL,
                                        NULL);
    raw_free(&raw);
    assert_non_null(mesh);
    return mesh;
}

static caromMesh *plate_of(Raw raw, double thickness)
{
    caromMesh *surface = surface_of(raw), *plate = carom_mesh_thicken(surface, thickness, NULL);
    carom_mesh_destroy(surface);
    assert_non_null(plate);
    return plate;
}

static bool is_whole(const caromMesh *plate)
{
    const caromMeshReport *r = carom_mesh_report(plate);
    return r->is_closed && r->is_oriented && r->crossings == 0 && r->volume > 0;
}

// Squares of side 1 in a row, each turned from the one before it by an angle about the y axis.
static Raw strip(int n, double angle)
{
    Raw raw = raw_alloc(2*(n + 1), 2*n);
    caromVec3 at = { 0, 0, 0 };
    for (int i = 0; i <= n; i++) {
        raw.vertices[2*i] = at;
        raw.vertices[2*i + 1] = carom_add(at, carom_vec(0, 1, 0));
        at = carom_add(at, carom_vec(cos(i*angle), 0, -sin(i*angle)));
    }
    for (int i = 0; i < n; i++) {
        set_triangle(&raw, 2*i, 2*i, 2*i + 2, 2*i + 3);
        set_triangle(&raw, 2*i + 1, 2*i, 2*i + 3, 2*i + 1);
    }
    return raw;
}

// What is plane keeps its thickness up to the fold: its faces are planes t apart, whose outer and inner parts at a fold
// are equal. So the volume is area times t, but for roundings of some ten terms.
static void faces_are_as_thick_as_was_asked(void **state)
{
    (void)state;
    const double t = 0.1, angles[] = { 0, 0.01, 0.3, 1, 0.5*PI };
    for (int i = 0; i < 5; i++) {
        caromMesh *plate = plate_of(strip(3, angles[i]), t);
        const caromMeshReport *r = carom_mesh_report(plate);
        CHECK(is_whole(plate));
        CHECK_NEAR(r->volume, 3*t, 64*eps);
        carom_mesh_destroy(plate);
    }
}

// At a corner of a box three planes meet.
static void what_is_closed_becomes_hollow(void **state)
{
    (void)state;
    const double a = 1, t = 0.1, outer = a + t, inner = a - t;
    caromMesh *plate = plate_of(cube(0.5*a), t);
    CHECK(is_whole(plate) && carom_mesh_report(plate)->components == 2);
    CHECK_NEAR(carom_mesh_report(plate)->volume, outer*outer*outer - inner*inner*inner, 64*eps);
    carom_mesh_destroy(plate);
}

// A surface has one side only, and its plate goes around it twice.
static void a_moebius_strip_becomes_a_plate(void **state)
{
    (void)state;
    enum { N = 40 };
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
    caromMesh *surface = surface_of(raw), *plate = carom_mesh_thicken(surface, 0.05, NULL);
    CHECK(is_whole(plate) && carom_mesh_report(plate)->components == 1);
    double volume = 0.05*carom_mesh_report(surface)->area;
    CHECK_NEAR(carom_mesh_report(plate)->volume, volume, 0.01*volume);  // its sides are not plane
    carom_mesh_destroy(surface);
    carom_mesh_destroy(plate);
}

// Three squares at one edge: two of them go on in each other, the third stands on them, within half of the thickness.
static void three_sheets_at_an_edge_are_closed(void **state)
{
    (void)state;
    Raw flat = strip(2, 0), raw = raw_alloc(8, 6);
    memcpy(raw.vertices, flat.vertices, 6*sizeof *raw.vertices);
    memcpy(raw.triangles, flat.triangles, 4*sizeof *raw.triangles);
    raw.vertices[6] = carom_vec(1, 0, 1), raw.vertices[7] = carom_vec(1, 1, 1);
    set_triangle(&raw, 4, 2, 6, 7);
    set_triangle(&raw, 5, 2, 7, 3);
    caromMesh *plate = plate_of(raw, 0.1);
    const caromMeshReport *r = carom_mesh_report(plate);
    CHECK(r->is_closed && r->is_oriented && r->components == 2 && r->crossings > 0);
    CHECK_NEAR(r->volume, 3*0.1, 64*eps);  // what both fill counts twice
    raw_free(&flat);
    carom_mesh_destroy(plate);
}

static void bad_thicknesses_are_refused(void **state)
{
    (void)state;
    const double bad[] = { 0, -0.1, 1e-6, 3, NAN, INFINITY };
    caromMesh *surface = surface_of(strip(1, 0));
    for (int i = 0; i < 6; i++) {
        caromError err = { 0 };
        assert_null(carom_mesh_thicken(surface, bad[i], &err));
        assert_int_equal(err.status, CAROM_ERR_INPUT);
        assert_string_equal(err.where, "thickness");
    }
    caromError err = { 0 };
    assert_null(carom_mesh_thicken(surface, 0, &err));
    assert_string_equal(err.message, "is 0 m, expected 1.41e-05 m to 1.41 m for a surface of this size");
    carom_mesh_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_are_as_thick_as_was_asked),
        cmocka_unit_test(what_is_closed_becomes_hollow),
        cmocka_unit_test(a_moebius_strip_becomes_a_plate),
        cmocka_unit_test(three_sheets_at_an_edge_are_closed),
        cmocka_unit_test(bad_thicknesses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
