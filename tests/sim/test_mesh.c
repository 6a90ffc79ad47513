// Simulations with meshes: a ball against triangles.
#include "carom/mesh.h"
#include "scene.h"

static Scene scene_of(double e, double mu)
{
    Scene s = scene_begin();
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", e, mu, 0);
    s.settings.until = 1.0;
    s.settings.tolerance = 1e-8;
    return s;
}

// A box from -a to a as twelve triangles.
static caromMesh *cube(double ax, double ay, double az)
{
    caromVec3 v[8];
    for (int i = 0; i < 8; i++) v[i] = carom_vec(i & 1 ? ax : -ax, i & 2 ? ay : -ay, i & 4 ? az : -az);
    static const int t[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
                                  { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
    caromMeshReport report;
    caromMesh *mesh = carom_mesh_create(v, 8, t, 12, &report, NULL);
    CHECK(mesh && report.is_closed && report.components_turned == 0);
    return mesh;
}

static Record *drop_on(caromShape shape, caromVec3 p_ball, double e, double mu, caromModel **model)
{
    Scene s = scene_of(e, mu);
    caromShapeDef def = carom_model_shape_def(shape);
    caromBodyDef floor = scene_body("floor", "stuff", &def);
    floor.fixed = true;
    scene_add(&s, &floor);
    scene_ball(&s, "ball", "stuff", 0.05, p_ball, carom_vec(0.3, 0.1, 0));
    *model = scene_end(&s);
    Record *r = scene_run(*model);
    expect_completed(r);
    return r;
}

// The same floor as a box and as twelve triangles: the same motion, over edges between triangles and over the rim.
static void a_ball_cannot_tell_a_box_from_its_mesh(void **state)
{
    (void)state;
    static const caromVec3 starts[] = { { -0.1, 0.02, 0.25 }, { 0.3, 0.0, 0.2 } };
    caromMesh *mesh = cube(0.4, 0.3, 0.1);
    for (int i = 0; i < 2; i++) {
        caromModel *box, *triangles;
        Record *a = drop_on(carom_shape_box(0.8, 0.6, 0.2), starts[i], 0.7, 0.3, &box),
               *b = drop_on(carom_shape_mesh(mesh), starts[i], 0.7, 0.3, &triangles);
        CHECK(a->nevent > 2 && a->nevent == b->nevent);
        // Depths come from other formulas: they differ by roundings, which impacts magnify.
        CHECK_VEC(a->last_X[1].p, b->last_X[1].p, 1e-6);
        free(a);
        free(b);
        carom_model_destroy(box);
        carom_model_destroy(triangles);
    }
    carom_mesh_destroy(mesh);
}

// Ground at a slant as a half-space and as a field of heights: the same motion, over the edges of its cells.
static void a_ball_cannot_tell_a_plane_field_from_a_half_space(void **state)
{
    (void)state;
    enum { N = 21 };
    double heights[N*N];
    for (int i = 0; i < N*N; i++) heights[i] = 0.25*0.1*(i%N - N/2);
    caromHeightfield field = { heights, N, N, 0.1, 0.5 };
    caromMesh *mesh = carom_mesh_heightfield(&field, NULL, NULL);
    assert_non_null(mesh);
    caromModel *plane, *ground;
    Record *b = drop_on(carom_shape_mesh(mesh), carom_vec(0, 0, 0.25), 0.7, 0.3, &ground);
    Scene s = scene_of(0.7, 0.3);
    caromShapeDef def = carom_model_shape_def(carom_shape_half_space());
    def.q_BS = carom_quat_axis_angle(carom_vec(0, 1, 0), -atan(0.25));
    caromBodyDef floor = scene_body("floor", "stuff", &def);
    floor.fixed = true;
    scene_add(&s, &floor);
    scene_ball(&s, "ball", "stuff", 0.05, carom_vec(0, 0, 0.25), carom_vec(0.3, 0.1, 0));
    plane = scene_end(&s);
    Record *a = scene_run(plane);
    expect_completed(a);
    CHECK(a->nevent > 2 && a->nevent == b->nevent);
    CHECK_VEC(a->last_X[1].p, b->last_X[1].p, 1e-6);  // roundings, which impacts magnify
    free(a);
    free(b);
    carom_model_destroy(plane);
    carom_model_destroy(ground);
    carom_mesh_destroy(mesh);
}

// A trough of two planes at 45 degrees, as an open surface.
static caromMesh *trough(void)
{
    static const caromVec3 v[6] = { { -1, -0.5, 0.5 }, { 1, -0.5, 0.5 }, { -1, 0, 0 }, { 1, 0, 0 }, { -1, 0.5, 0.5 },
                                    { 1, 0.5, 0.5 } };
    static const int t[4][3] = { { 0, 3, 1 }, { 0, 2, 3 }, { 2, 5, 3 }, { 2, 4, 5 } };
    caromMeshReport report;
    caromMesh *mesh = carom_mesh_create(v, 6, t, 4, &report, NULL);
    CHECK(mesh && !report.is_closed);
    return mesh;
}

// It comes to rest between the flanks, each of which carries m g/(2 cos 45): Hertz' depth for that, and the centre sqrt
// 2 (r - d) above the bottom.
static void a_ball_rests_in_a_groove(void **state)
{
    (void)state;
    caromMesh *mesh = trough();
    Scene s = scene_of(0.3, 0.2);
    s.settings.until = 4.0;
    caromShapeDef def = carom_model_shape_def(carom_shape_mesh(mesh));
    caromBodyDef floor = scene_body("floor", "stuff", &def);
    floor.fixed = true;
    scene_add(&s, &floor);
    scene_ball(&s, "ball", "stuff", 0.05, carom_vec(0, 0.01, 0.1), carom_vec(0, 0, 0));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    expect_completed(r);
    double E = 1e7/(1 - 0.09)/2, K = 4.0/3.0*E*sqrt(0.05), mass = 1000*4.0/3.0*3.14159265358979*0.05*0.05*0.05;
    double depth = pow(mass*9.81/sqrt(2.0)/K, 2.0/3.0);
    CHECK_NEAR(r->last_X[1].p.z, sqrt(2.0)*(0.05 - depth), 1e-3*depth);
    CHECK_NEAR(r->last_X[1].p.y, 0, 0.1*depth);  // friction may hold it a little to one side
    CHECK(r->largest_total <= r->first_total + 1e-6*mass*9.81*0.1);
    CHECK(fabs(r->last.energy.imbalance) <= 1e-6*mass*9.81*0.1);
    free(r);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_ball_cannot_tell_a_box_from_its_mesh),
                                        cmocka_unit_test(a_ball_cannot_tell_a_plane_field_from_a_half_space),
                                        cmocka_unit_test(a_ball_rests_in_a_groove) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
