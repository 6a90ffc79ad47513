// Bullets and sheets: nothing is stepped through, at any tolerance, with any method.
#include "mesh_fixture.h"
#include "scene.h"

static const double ball_diameter = 1e-3, thickness = 1e-3, speed = 1000;

typedef enum Sheet { SHEET_BOX, SHEET_MESH, SHEETS } Sheet;

// A ball of 1 mm flies from the distance, slightly askew, at a fixed sheet of 1 mm, at 1000 m/s.
static Record *shot(Sheet kind, double distance, double tolerance, caromMethodChoice method, double every)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, 0, 0);
    s.settings.tolerance = tolerance;
    s.settings.method = method;
    s.settings.until = 2*distance/speed + 1e-5;
    s.settings.every = every > 0 ? every : s.settings.until;
    scene_material(&s, "hard", 2000, 400e9, 0.2);
    scene_pair(&s, "hard", "hard", 0.8, 0.01, 0);  // it slides throughout: sticking is another matter
    Raw raw = box(carom_vec(-0.05, -0.05, -0.5*thickness), carom_vec(0.05, 0.05, 0.5*thickness));
    caromMesh *mesh = mesh_of(&raw, NULL);
    caromShapeDef shape = carom_shape_def(kind == SHEET_BOX ? carom_box(0.1, 0.1, thickness) : carom_mesh_shape(mesh));
    caromBodyDef sheet = scene_body("sheet", "hard", &shape);
    sheet.fixed = true;
    scene_add(&s, &sheet);
    scene_ball(&s, "ball", "hard", 0.5*ball_diameter, carom_vec(0.003 - 0.1*distance, -0.002 - 0.05*distance, 0.5*thickness + 0.5*ball_diameter + distance), carom_vec(100, 50, -speed));
    caromModel *model = scene_end(&s);
    Record *r = scene_run(model);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
    raw_free(&raw);
    return r;
}

static void check_rebound(const Record *r, double distance, double tolerance)
{
    expect_completed(r);
    assert_int_equal(r->nevent, 2);
    assert_int_equal(r->events[0].kind, CAROM_EVENT_TOUCH);
    assert_int_equal(r->events[1].kind, CAROM_EVENT_SEPARATION);
    CHECK_NEAR(r->events[0].time*speed, distance, 1e-13*(1 + distance));          // straight flight is exact
    CHECK_NEAR(r->events[0].speed, speed, 1e-9*speed);
    CHECK(r->last_V[1].linear.z > 0.5*speed && r->last_X[1].p.z > 0.5*thickness + 0.5*ball_diameter);
    CHECK_NEAR(r->events[1].restitution, 0.8, fmax(1e-3, 10*tolerance));           // friction takes its part; asked for without it
    CHECK(r->stats.largest_depth < 0.5*thickness && r->lowest[1] > 0.5*thickness);
    CHECK(r->stats.largest_imbalance <= 100*tolerance*r->stats.energy_scale);
}

static void a_bullet_rebounds_from_a_sheet_at_any_tolerance(void **state)
{
    (void)state;
    static const caromMethodChoice methods[] = { CAROM_METHOD_AUTO, CAROM_METHOD_DP5, CAROM_METHOD_DOP853, CAROM_METHOD_RODAS5P };
    for (int kind = 0; kind < SHEETS; kind++)
        for (int m = 0; m < 4; m++)
            for (double tolerance = 1e-2; tolerance > 0.5e-12; tolerance *= 0.1) {
                double distance = 0.1*(1 + 3*m + kind) - 0.007*log10(tolerance);
                Record *r = shot(kind, distance, tolerance, methods[m], m%2 ? 1e-5 : 0);
                check_rebound(r, distance, tolerance);
                free(r);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_rebounds_from_a_sheet_at_any_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
