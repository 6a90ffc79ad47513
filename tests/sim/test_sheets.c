// An open surface with a thickness carries every kind of shape, from either side and in both responses: bodies fall
// onto a plate that is fixed, tilted a little, and stay on it. Compliant ones take turns with its sides.
#include "carom/mesh.h"
#include "scene.h"

static const double size = 0.02, wide = 0.1, thickness = 4e-3, tolerance = 1e-5;

enum { CELLS = 4, SHAPES = 11 };

static caromMesh *plate_of(double width)
{
    caromVec3 v[(CELLS + 1)*(CELLS + 1)];
    int t[2*CELLS*CELLS][3], n = 0;
    for (int i = 0; i <= CELLS; i++)
        for (int k = 0; k <= CELLS; k++)
            v[(CELLS + 1)*i + k] = carom_vec(width*(1.0*k/CELLS - 0.5), width*(1.0*i/CELLS - 0.5), 0);
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            int a = (CELLS + 1)*i + k, two[2][3] = { { a, a + 1, a + CELLS + 2 }, { a, a + CELLS + 2, a + CELLS + 1 } };
            memcpy(t[n], two, sizeof two);
            n += 2;
        }
    caromMesh *surface = carom_mesh_create(v, (CELLS + 1)*(CELLS + 1), (const int (*)[3])t, n, NULL, NULL);
    assert_non_null(surface);
    caromMesh *plate = carom_mesh_thicken(surface, thickness, NULL);
    assert_non_null(plate);
    carom_mesh_destroy(surface);
    return plate;
}

typedef struct Shapes {
    caromHull *hull;
    caromMesh *brick, *field, *plate;
    caromShape all[SHAPES];
} Shapes;

static Shapes make_shapes(void)
{
    const double R = size, heights[9] = { 0.3*R, 0.1*R, 0.3*R, 0.2*R, 0.4*R, 0, 0.1*R, 0.2*R, 0.3*R };
    const caromVec3 corners[] = { { R, 0, 0 }, { -R, 0, 0 }, { 0, R, 0 }, { 0, -R, 0 }, { 0, 0, R }, { 0, 0, -R } };
    static const int t[8][3] = { { 0, 2, 4 }, { 2, 1, 4 }, { 1, 3, 4 }, { 3, 0, 4 }, { 2, 0, 5 }, { 1, 2, 5 },
                                 { 3, 1, 5 }, { 0, 3, 5 } };
    caromHeightfield field = { heights, 3, 3, R, 0.3*R };
    Shapes s = { carom_hull_create(corners, 6, 0, NULL), carom_mesh_create(corners, 6, t, 8, NULL, NULL),
                 carom_mesh_heightfield(&field, NULL, NULL), plate_of(2*R) };
    assert_true(s.hull && s.brick && s.field);
    const caromShape all[SHAPES] = {
        carom_shape_sphere(R), carom_shape_ellipsoid(R, 0.8*R, 0.6*R), carom_shape_box(2*R, R, R),
        carom_shape_cylinder(0.5*R, R), carom_shape_cone(0.6*R, 0, R), carom_shape_capsule(0.4*R, R),
        carom_shape_torus(0.7*R, 0.3*R), carom_shape_polytope(s.hull), carom_shape_mesh(s.brick),
        carom_shape_mesh(s.field), carom_shape_mesh(s.plate)
    };
    memcpy(s.all, all, sizeof all);
    return s;
}

static void free_shapes(Shapes *s)
{
    carom_hull_destroy(s->hull);
    carom_mesh_destroy(s->brick);
    carom_mesh_destroy(s->field);
    carom_mesh_destroy(s->plate);
}

static const caromQuat leaning = { 0.99, 0.12, 0.04, 0 };

static caromModel *model_of(caromShape shape, caromShape sheet, bool is_turned, caromResponse response)
{
    Scene s = scene_begin();
    s.settings.tolerance = tolerance;
    s.settings.response = response;
    bool is_rigid = response == CAROM_RESPONSE_RIGID;
    s.settings.until = is_rigid ? 0.12 : 0.02;
    s.settings.every = 0.002;
    scene_material(&s, "stuff", 1000, 1e8, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.3, 0.5, 0);
    caromShapeDef plate = carom_model_shape_def(sheet), falls = carom_model_shape_def(shape);
    caromBodyDef ground = scene_body("sheet", "stuff", &plate), body = scene_body("body", "stuff", &falls);
    ground.fixed = true;
    if (is_turned) ground.q_WB = (caromQuat){ 0, 1, 0, 0 };
    body.q_WB = carom_quat_normalized(leaning);
    caromPose X_S = carom_pose(carom_quat_matrix(ground.q_WB), carom_vec(0, 0, 0)),
              X_B = carom_pose(carom_quat_matrix(body.q_WB), carom_vec(0, 0, 3*size));
    double drop = is_rigid ? 2e-3 : 5e-4;
    for (int k = 0; k < 3; k++) X_B.p.z -= carom_collide_shapes(sheet, X_S, shape, X_B).g - drop;
    body.p_WB = X_B.p;
    scene_add(&s, &ground);
    scene_add(&s, &body);
    return scene_end(&s);
}

// Rigid: within what positions may be off. Compliant: less than half way to the middle of the sheet.
static void check_stays(const Record *r, caromShape shape, caromShape sheet, bool is_turned, caromResponse response)
{
    expect_completed(r);
    caromGap gap = carom_collide_shapes(sheet, r->last_X[0], shape, r->last_X[1]);
    double allowed = response == CAROM_RESPONSE_RIGID ? 10*tolerance*size : 0.25*thickness,
           imbalance = r->stats.largest_imbalance/(tolerance*r->stats.energy_reference);
    bool is_good = gap.g > -allowed && gap.g < 1e-3 && r->last_X[1].p.z > 0 && fabs(imbalance) < 10;
    if (!is_good)
        fail_msg("%s, %s, %s: gap %g, height %g, imbalance of %g tolerances", carom_shape_kind_name(shape.kind),
                 is_turned ? "turned over" : "upright", response == CAROM_RESPONSE_RIGID ? "rigid" : "compliant", gap.g,
                 r->last_X[1].p.z, imbalance);
}

static void everything_stays_on_a_sheet(caromResponse response)
{
    Shapes s = make_shapes();
    caromMesh *plate = plate_of(wide);
    caromShape sheet = carom_shape_mesh(plate);
    for (int i = 0; i < 2*SHAPES; i++) {
        bool is_turned = i % 2;
        if (response == CAROM_RESPONSE_COMPLIANT && is_turned != i/2 % 2) continue;  // seconds
        caromModel *model = model_of(s.all[i/2], sheet, is_turned, response);
        Record *r = scene_run(model);
        check_stays(r, s.all[i/2], sheet, is_turned, response);
        free(r);
        carom_model_destroy(model);
    }
    carom_mesh_destroy(plate);
    free_shapes(&s);
}

static void rigid(void **state)
{
    (void)state;
    everything_stays_on_a_sheet(CAROM_RESPONSE_RIGID);
}

static void compliant(void **state)
{
    (void)state;
    everything_stays_on_a_sheet(CAROM_RESPONSE_COMPLIANT);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rigid), cmocka_unit_test(compliant) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
