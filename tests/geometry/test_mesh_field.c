// Distances of a mesh as a function without creases.
#include "collide_fixture.h"
#include "mesh_fixture.h"

#include "geometry/mesh_field.h"

enum { BOX, GLOBE, FINE, RING, SPOOL, MESHES };
static caromMesh *meshes[MESHES];
static caromMeshField *fields[MESHES];

static int make_fields(void **state)
{
    (void)state;
    static const double profile[6][2] = { { 0.2, -0.2 }, { 0.2, -0.1 }, { 0.08, -0.1 }, { 0.08, 0.1 }, { 0.2, 0.1 },
                                          { 0.2, 0.2 } };
    Raw raw[MESHES] = { box(carom_vec(-0.3, -0.2, -0.1), carom_vec(0.3, 0.2, 0.1)), globe(0.2, 8), globe(0.2, 24),
                        torus(0.2, 0.08, 32, 16), lathe(profile, 6, 12) };
    for (int i = 0; i < MESHES; i++) {
        meshes[i] = mesh_of(&raw[i], NULL);
        assert_true(carom_mesh_field_create(meshes[i], 0.0, &fields[i]));
        assert_non_null(fields[i]);
        raw_free(&raw[i]);
    }
    return 0;
}

static int free_fields(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        carom_mesh_field_destroy(fields[i]);
        carom_mesh_destroy(meshes[i]);
    }
    return 0;
}

static double exact(int i, caromVec3 p)
{
    return carom_mesh_signed_distance(meshes[i], &fields[i]->sides, p);
}

// No fallback in the band, and what is out of it tells its side.
static void the_band_is_whole(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        const caromMeshField *f = fields[i];
        Random r = { 11 };
        int in = 0, out = 0;
        for (int k = 0; k < 20000; k++) {
            caromVec3 p = random_vec(&r, 0.4), n;
            double distance = exact(i, p), d;
            bool is_known = carom_mesh_field_at(f, p, &d, &n);
            if (distance > -f->inner && distance < f->outer) assert_true(is_known);
            if (!is_known) assert_true(isinf(d) && (d > 0) == (distance > 0));
            in += is_known;
            out += !is_known;
        }
        assert_true(in > 100 && out > 100);
    }
}

// The gradient is that of the value, and of a function whose second differences are small everywhere: across a crease
// they would be the jump over the step.
static void it_has_two_derivatives(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int i = 0; i < MESHES; i++) {
        Random r = { 12 };
        for (int k = 0; k < 5000; k++) {
            caromVec3 p = random_vec(&r, 0.3), u = carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)), n, m;
            double d, before, after;
            if (!carom_mesh_field_at(fields[i], p, &d, &n) ||
                !carom_mesh_field_at(fields[i], carom_axpy(-h, u, p), &before, &m) ||
                !carom_mesh_field_at(fields[i], carom_axpy(h, u, p), &after, &m)) continue;
            // Slopes near 1 and cells of some 1e-2: third differences h^2/cell^2, roundings 1e-16/h.
            CHECK_NEAR((after - before)/(2*h), carom_dot(n, u), 1e-7);
            // The second derivatives of a spline whose gradient turns by 2 in a cell at most.
            assert_true(fabs(after - 2*d + before)/(h*h) < 6/fields[i]->cell);
        }
    }
}

// A face is a plane where all nodes that count, up to 3.5 cells below it, are nearer to it than to others.
static void planes_are_exact(void **state)
{
    (void)state;
    const caromMeshField *f = fields[BOX];
    Random r = { 13 };
    double room = 8*f->cell;
    int n = 0;
    for (int k = 0; k < 5000; k++) {
        caromVec3 p = random_vec(&r, 1), g;
        p = carom_vec((0.3 - room)*p.x, (0.2 - room)*p.y, 0.1 + 0.5*f->cell*p.z);
        double d;
        assert_true(carom_mesh_field_at(f, p, &d, &g));
        CHECK_NEAR(d, p.z - 0.1, 1e-15);
        CHECK_VEC(g, ((caromVec3){ 0, 0, 1 }), 1e-13);
        n++;
    }
    assert_int_equal(n, 5000);
}

// Of a ball with fine triangles: their height, of the longest ones, whose sides are 1.6 times those meant here.
static void a_ball_is_round(void **state)
{
    (void)state;
    const caromMeshField *f = fields[FINE];
    double height = pow(1.6*0.2*PI/2/24, 2)/(8*0.2), error = 0;
    Random r = { 14 };
    for (int k = 0; k < 5000; k++) {
        caromVec3 u = carom_unit_or(random_vec(&r, 1), carom_vec(0, 0, 1)), n;
        double d, at = 0.2 + f->cell*random_uniform(&r, -1, 1);
        assert_true(carom_mesh_field_at(f, carom_scale(at, u), &d, &n));
        error = fmax(error, fabs(d - (at - 0.2)));
        assert_true(carom_norm(carom_sub(n, u)) < 0.02);  // triangles have angles of 0.07
    }
    if (!(error < height)) print_error("%g of %g\n", error, height);
    assert_true(error < height);
}

// What culling relies on.
static void bounds_hold(void **state)
{
    (void)state;
    for (int i = 0; i < MESHES; i++) {
        Random r = { 15 };
        int sharp = 0;
        for (int k = 0; k < 3000; k++) {
            caromVec3 c = random_vec(&r, 0.5), n;
            double radius = 0.1*fabs(random_vec(&r, 1).x), bound = carom_mesh_field_bound(fields[i], c, radius), d;
            sharp += bound > 0.0;
            for (int j = 0; j < 10; j++) {
                caromVec3 p = carom_axpy(radius, carom_unit_or(random_vec(&r, 1), n), c);
                if (carom_mesh_field_at(fields[i], p, &d, &n)) assert_true(d >= bound);
                assert_true(exact(i, p) >= bound);
            }
        }
        assert_true(sharp > 300);
    }
}

static bool has_field(Raw raw)
{
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromMeshField *field;
    assert_true(carom_mesh_field_create(mesh, 0.0, &field));
    bool is_there = field != NULL;
    carom_mesh_field_destroy(field);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
    return is_there;
}

static void an_open_mesh_has_none(void **state)
{
    (void)state;
    Raw raw = cube(0.1);
    raw.ntriangle--;
    assert_false(has_field(raw));
}

// The nodes of the largest grid are 0.3 mm apart then, on a plate whose half is 0.1 mm thick. A field that is off by
// more than the thickness would let everything through.
static void a_plate_that_is_too_thin_has_none(void **state)
{
    (void)state;
    assert_true(has_field(box(carom_vec(-0.1, -0.1, -0.001), carom_vec(0.1, 0.1, 0.001))));
    assert_false(has_field(box(carom_vec(-0.1, -0.1, -0.0001), carom_vec(0.1, 0.1, 0.0001))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_band_is_whole), cmocka_unit_test(it_has_two_derivatives),
        cmocka_unit_test(planes_are_exact), cmocka_unit_test(a_ball_is_round), cmocka_unit_test(bounds_hold),
        cmocka_unit_test(an_open_mesh_has_none), cmocka_unit_test(a_plate_that_is_too_thin_has_none),
    };
    return cmocka_run_group_tests(tests, make_fields, free_fields);
}
