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
    caromShapeDef shape = carom_model_shape_def(kind == SHEET_BOX ? carom_shape_box(0.1, 0.1, thickness)
                                                                  : carom_shape_mesh(mesh));
    caromBodyDef sheet = scene_body("sheet", "hard", &shape);
    sheet.fixed = true;
    scene_add(&s, &sheet);
    scene_ball(&s, "ball", "hard", 0.5*ball_diameter,
               carom_vec(0.003 - 0.1*distance, -0.002 - 0.05*distance, 0.5*thickness + 0.5*ball_diameter + distance),
               carom_vec(100, 50, -speed));
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
    CHECK_NEAR(r->events[0].touch.speed, speed, 1e-9*speed);
    CHECK(r->last_V[1].linear.z > 0.5*speed && r->last_X[1].p.z > 0.5*thickness + 0.5*ball_diameter);
    // Friction takes its part; asked for without it.
    CHECK_NEAR(r->events[1].separation.restitution, 0.8, fmax(1e-3, 10*tolerance));
    CHECK(r->stats.largest_depth < 0.5*thickness && r->lowest[1] > 0.5*thickness);
    CHECK(r->stats.largest_imbalance <= 100*tolerance*r->stats.energy_scale);
}

static void a_bullet_rebounds_from_a_sheet_at_any_tolerance(void **state)
{
    (void)state;
    static const caromMethodChoice methods[] = { CAROM_METHOD_AUTO, CAROM_METHOD_DP5, CAROM_METHOD_DOP853,
                                                 CAROM_METHOD_RODAS5P };
    for (int kind = 0; kind < SHEETS; kind++)
        for (int m = 0; m < 4; m++)
            for (double tolerance = 1e-2; tolerance > 0.5e-12; tolerance *= 0.1) {
                double distance = 0.1*(1 + 3*m + kind) - 0.007*log10(tolerance);
                Record *r = shot(kind, distance, tolerance, methods[m], m%2 ? 1e-5 : 0);
                check_rebound(r, distance, tolerance);
                free(r);
            }
}

// ---- many shots

// Through sheets of 1 mm and less, thrown in any way, while the bullet is somewhere in a long step: every one is seen,
// at the time at which it touches.
static void random_shots_all_touch_when_the_sweep_says(void **state)
{
    (void)state;
    Random r = { 11 };
    Raw ring = torus(0.05, 0.01, 24, 12), plate = box(carom_vec(-0.05, -0.05, -1e-4), carom_vec(0.05, 0.05, 1e-4));
    caromMesh *meshes[2] = { mesh_of(&ring, NULL), mesh_of(&plate, NULL) };
    int hits = 0;
    for (int k = 0; k < 400; k++) {
        caromShape shapes[] = { carom_shape_mesh(meshes[0]), carom_shape_mesh(meshes[1]),
                                carom_shape_box(0.1, 0.1, 2e-4), carom_shape_torus(0.05, 0.01) };
        caromShape target = shapes[k%4], ball = carom_shape_sphere(5e-4);
        caromVec3 aim = carom_vec(random_uniform(&r, -0.06, 0.06), random_uniform(&r, -0.06, 0.06), 0);
        caromVec3 d = carom_unit_or(carom_vec(random_uniform(&r, -1, 1), random_uniform(&r, -1, 1),
                                              random_uniform(&r, -1, 1)), carom_vec(0, 0, 1));
        double distance = random_uniform(&r, 0.1, 5), v = pow(10, random_uniform(&r, 0, 3));
        caromVec3 p = carom_axpy(-distance, d, aim), velocity = carom_scale(v, d);
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = pow(10, random_uniform(&r, -10, -2));
        s.settings.until = 1.2*distance/v;
        s.settings.every = s.settings.until;
        scene_material(&s, "hard", 2000, 4000e9, 0.2);
        scene_pair(&s, "hard", "hard", 0.8, 0, 0);
        caromShapeDef shape = carom_model_shape_def(target);
        caromBodyDef body = scene_body("target", "hard", &shape);
        body.fixed = true;
        scene_add(&s, &body);
        scene_ball(&s, "ball", "hard", ball.size.x, p, velocity);
        caromModel *model = scene_end(&s);
        Record *run = scene_run(model);
        caromPose X_ball = { carom_mat_identity(), p };
        caromSpatial still = { { 0, 0, 0 }, { 0, 0, 0 } }, flying = { { 0, 0, 0 }, velocity };
        caromSweep sweep = carom_sweep_shapes((caromMoving){ target, carom_pose_identity(), still },
                                              (caromMoving){ ball, X_ball, flying }, s.settings.until);
        expect_completed(run);
        if (sweep.hit != (run->nevent > 0))
            fail_msg("shot %d at a %s: the sweep says %d, the run %d", k, carom_shape_kind_name(target.kind), sweep.hit,
                     run->nevent);
        if (sweep.hit) {
            // Grazing by a rounding of 1e-15 m of distance: the time is known to the root of that over the curvature.
            double closing = -carom_dot(sweep.gap.n_AB, velocity)/v;
            CHECK_NEAR(run->events[0].time*v, sweep.t*v, 1e-13*(1 + distance)/fmax(1e-4, closing));
            hits++;
        }
        free(run);
        carom_model_destroy(model);
    }
    CHECK(hits > 150);
    for (int i = 0; i < 2; i++) carom_mesh_destroy(meshes[i]);
    raw_free(&ring);
    raw_free(&plate);
}

// A rod that spins at up to a thousand turns a second on its way past a thin plate. Free rods of square section spin
// steadily, so that the sweep knows when they touch.
static void spinning_rods_touch_thin_plates_when_the_sweep_says(void **state)
{
    (void)state;
    Random r = { 12 };
    int hits = 0, misses = 0;
    for (int k = 0; k < 150; k++) {
        caromShape plate = carom_shape_box(0.2, 0.2, 1e-3), rod = carom_shape_box(2e-3, 2e-3, 0.1);
        double w = pow(10, random_uniform(&r, 2, 3.8)), v = random_uniform(&r, 1, 50);
        caromVec3 p = carom_vec(random_uniform(&r, -0.15, 0.15), random_uniform(&r, -0.15, 0.15),
                                random_uniform(&r, 0.055, 0.2));
        caromVec3 velocity = carom_vec(random_uniform(&r, -v, v), random_uniform(&r, -v, v),
                                       random_uniform(&r, -v, 0.2*v));
        caromQuat q =
            carom_quat_axis_angle(carom_unit_or(carom_vec(random_uniform(&r, -1, 1), random_uniform(&r, -1, 1), 0.1),
                                                carom_vec(0, 0, 1)), random_uniform(&r, 0, 3));
        caromVec3 spin = carom_scale(w, carom_quat_matrix(q).cx);
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = 1e-9;
        s.settings.until = 0.3/v;
        scene_material(&s, "hard", 2000, 4000e9, 0.2);
        caromShapeDef shape = carom_model_shape_def(plate);
        caromBodyDef body = scene_body("plate", "hard", &shape);
        body.fixed = true;
        scene_add(&s, &body);
        scene_box(&s, "rod", "hard", rod.size, p, q, velocity, spin);
        caromModel *model = scene_end(&s);
        caromPose X = { carom_quat_matrix(q), p };
        caromMoving still = { .shape = plate, .X_WS = carom_pose_identity() }, moving = { rod, X, { spin, velocity } };
        caromSweep sweep = carom_sweep_shapes(still, moving, s.settings.until);
        Record *run = scene_run(model);
        // What comes after the touch is another matter: only that is asked for.
        if (sweep.hit != (run->nevent > 0))
            fail_msg("rod %d: the sweep says %d, the run %d", k, sweep.hit, run->nevent);
        if (sweep.hit) {
            hits++;
            // 1e-9 of the size at each of some ten steps for each turn, at the speed at which the tip moves,
            // and more where it grazes.
            double moved = carom_norm(velocity) + 0.05*w;
            CHECK_NEAR(run->events[0].time*moved, sweep.t*moved, 1e-6);
        } else {
            misses++;
        }
        free(run);
        carom_model_destroy(model);
    }
    CHECK(hits > 40 && misses > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_rebounds_from_a_sheet_at_any_tolerance),
        cmocka_unit_test(random_shots_all_touch_when_the_sweep_says),
        cmocka_unit_test(spinning_rods_touch_thin_plates_when_the_sweep_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
