// Bodies that are deep in each other: more than the law acts, as the gradient of an energy, and nothing passes through.
#include "rigid_run.h"

#include "contact/contact.h"
#include "geometry/geometry.h"

#define JELLY(more)                                                                            \
    "carom: 1\n"                                                                               \
    "materials: {jelly: {density: 1000, E: 2e5, nu: 0.4}}\n"                                   \
    "pairs: [{between: [jelly, jelly], restitution: 1, friction: 0" more "}]\n"                \
    "contact: {v_small: 1 mm/s}\nsimulate: {until: 0.1}\n"                                     \
    "bodies:\n"                                                                                \
    "  a: {fixed: true, material: jelly, shape: %s}\n"                                         \
    "  b: {material: jelly, shape: %s, position: [0, 0, 0.12], velocity: [0, 0, %g],\n"        \
    "      orientation: {axis: [1, 0.3, 0.2], angle: %g deg}, angular_velocity: [1, 2, 0.5]}\n"

static const char *const floors[] = { "{half-space: {}}", "{box: {size: [1, 1, 0.1]}, position: [0, 0, -0.05]}" };
static const char *const shapes[] = {
    "{box: {size: [0.1, 0.1, 0.05]}}",
    "{polytope: {vertices: [[0, 0, 0.05], [0.05, 0, -0.02], [-0.03, 0.05, -0.02], [-0.03, -0.05, -0.02]]}}",
    "{sphere: {radius: 0.05}}",
    "{cylinder: {radius: 0.05, length: 0.1}}",
    "{box: {size: [0.1, 0.1, 0.05], rounding: 0.01}}",
    "{torus: {radius: 0.05, tube_radius: 0.02}}",
    "{cone: {radius: 0.05, length: 0.1}}",
};
enum { FLOORS = sizeof floors/sizeof floors[0], SHAPES = sizeof shapes/sizeof shapes[0] };

static caromModel *falling(const char *floor, const char *shape, double speed, double angle, const char *override)
{
    char text[2048];
    snprintf(text, sizeof text, JELLY(""), floor, shape, -speed, angle);
    return good_model(text, &override, override ? 1 : 0);
}

// ---- a gradient

typedef struct Held {
    caromModel *model;
    caromKin kin;
    caromContactMemory memory;
    caromPose X;      // of b
} Held;

static void place(Held *h, caromPose X)
{
    int shape = h->model->pairs[0].shape[1], body = h->model->shapes[shape].body;
    h->kin.X_WS[shape] = X;
    h->kin.X_WB[body] = X;
    h->kin.p_WC[body] = X.p;
    h->kin.V_WC[body] = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
}

static double energy_at(Held *h, caromPose X)
{
    place(h, X);
    return carom_contact_energy(h->model, &h->kin, &h->memory, NULL);
}

static caromPose moved(caromPose X, int k, double step)
{
    caromVec3 axis = { k%3 == 0, k%3 == 1, k%3 == 2 };
    if (k < 3) return (caromPose){ X.R, carom_axpy(step, axis, X.p) };
    return (caromPose){ carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(axis, step)), X.R), X.p };
}

// Differences of the energy over four places, which are off by the fifth power of the step.
static double slope(Held *h, int k, double step)
{
    double one = energy_at(h, moved(h->X, k, step)) - energy_at(h, moved(h->X, k, -step)),
           two = energy_at(h, moved(h->X, k, 2.0*step)) - energy_at(h, moved(h->X, k, -2.0*step));
    return (8.0*one - two)/(12.0*step);
}

// Force and torque against -dW. tolerance: of the force, or that times the size.
static void check_gradient(Held *h, double tolerance)
{
    caromSpatial F[3] = { { { 0, 0, 0 }, { 0, 0, 0 } } };
    int body = h->model->shapes[h->model->pairs[0].shape[1]].body;
    place(h, h->X);
    caromContactState at = { &h->kin, 0.0, NULL };
    caromContactTotals totals = carom_contact_forces(h->model, &h->memory, &at, F, NULL);
    assert_int_equal(totals.too_deep, -1);
    const double found[6] = { F[body].linear.x, F[body].linear.y, F[body].linear.z, F[body].angular.x,
                              F[body].angular.y, F[body].angular.z };
    double size = carom_norm(F[body].linear);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(found[k], -slope(h, k, k < 3 ? 2e-6 : 4e-5), tolerance*size*(k < 3 ? 1.0 : 0.05));
}

// How deep: a part of the way between where the law is left and where nothing passes.
static bool put_deep(Held *h, Random *r, double part)
{
    static caromPatch patch;
    caromStiffening s = carom_patch_stiffening(h->model, 0, carom_patch_pair_contact(h->model, 0));
    caromVec3 axis = { random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1) };
    caromMat3 R = carom_quat_matrix(carom_quat_axis_angle(carom_unit_or(axis, carom_vec(1, 0, 0)),
                                                          random_uniform(r, 0, 3)));
    double low = -0.1, high = 0.2, depth = s.from + part*(s.to - s.from);
    for (int i = 0; i < 50; i++) {
        h->X = (caromPose){ R, carom_vec(0.003, -0.002, 0.5*(low + high)) };
        place(h, h->X);
        carom_patch_of_pair(h->model, &h->kin, 0, carom_patch_pair_contact(h->model, 0), &patch);
        if (patch.depth > depth || patch.is_through) low = h->X.p.z;
        else high = h->X.p.z;
    }
    return patch.depth > s.from && !patch.is_through;
}

// Where a point of a sampled surface changes from face to face its force turns at once, by its share of them all.
static void forces_are_gradients(void **state)
{
    (void)state;
    Random r = { 7 };
    int checked = 0;
    for (int f = 0; f < FLOORS; f++) {
        for (int k = 0; k < SHAPES; k++) {
            Held h = { .model = falling(floors[f], shapes[k], 1.0, 0.0, NULL) };
            assert_true(carom_kin_start(h.model, &h.kin) && carom_contact_memory_alloc(h.model, &h.memory));
            bool is_sampled = f == 1 && k >= 3;
            caromGap gap = carom_patch_gap(h.model, &h.kin, 0);
            caromTouch touch = carom_contact_touch_begin(h.model, &h.kin, 0, &gap, (caromTouchStart){ 0, 1, 1 });
            assert_true(carom_contact_memory_begin(&h.memory, 0, &touch));
            for (int i = 0; i < share_of(is_sampled ? 3 : 12); i++) {
                if (!put_deep(&h, &r, random_uniform(&r, 0.05, 0.8))) continue;
                check_gradient(&h, is_sampled ? 0.02 : 1e-5);
                checked++;
            }
            carom_contact_memory_free(&h.memory);
            carom_kin_free(&h.kin);
            carom_model_destroy(h.model);
        }
    }
    assert_true(checked >= share_of(60));
}

// ---- runs

static double part_of(Watch *w)
{
    return w->record.stats.deepest.pair < 0 ? 0.0 : w->record.stats.deepest.part;
}

// Elastic impacts at ten and a hundred times the energy that the law stands for: they bounce, none passes, the ledger
// closes, and the run says how deep they were. Sampled surfaces have a force that jumps by the share of a point.
static void what_is_too_deep_bounces(void **state)
{
    (void)state;
    static const double speeds[] = { 3, 30 };
    for (int f = 0; f < FLOORS; f++) {
        for (int k = 0; k < SHAPES; k++) {
            for (int i = 0; i < 2; i++) {
                caromModel *model = falling(floors[f], shapes[k], speeds[i], 25, NULL);
                Watch *w = watch_completed(model, NULL, NULL);
                double thickness = carom_patch_half_thickness(model, 0);
                CHECK(w->record.stats.deepest.pair == 0 && part_of(w) > 0.15 && part_of(w) < 0.5);
                CHECK(w->record.stats.deepest.depth <= 2.0*thickness*part_of(w)*(1 + 1e-12));
                CHECK(w->record.stats.events[CAROM_EVENT_SEPARATION] >= 1);
                CHECK(w->record.stats.largest_imbalance < 2e-5*w->record.stats.energy_scale);
                free(w);
                carom_model_destroy(model);
            }
        }
    }
}

// On a face, a side, a rim or a tip, a slim rod upright: none is deeper than half of its thickness.
static void tips_and_ends_are_no_deeper_than_faces(void **state)
{
    (void)state;
    static const char *const slim[] = { "{cylinder: {radius: 0.01, length: 0.15}}",
                                        "{capsule: {radius: 0.01, length: 0.15}}",
                                        "{cone: {radius: 0.05, length: 0.1}}", "{cone: {radius: 0.02, length: 0.15}}",
                                        "{torus: {radius: 0.05, tube_radius: 0.01}}", "{sphere: {radius: 0.05}}" };
    static const double angles[] = { 0, 90, 180 };
    for (size_t k = 0; k < sizeof slim/sizeof slim[0]; k++) {
        for (int i = 0; i < 3; i++) {
            caromModel *model = falling(floors[0], slim[k], 10, angles[i], NULL);
            Watch *w = watch_completed(model, NULL, NULL);
            CHECK(part_of(w) > 0.15 && part_of(w) < 0.5);
            CHECK(w->record.stats.largest_imbalance < 2e-5*w->record.stats.energy_scale);
            free(w);
            carom_model_destroy(model);
        }
    }
}

// Both thin, both moving, an edge on a face.
static void plates_do_not_pass_through_plates(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nmaterials: {jelly: {density: 1000, E: 2e5, nu: 0.4}}\n"
        "pairs: [{between: [jelly, jelly], restitution: 0.6, friction: 0.3}]\n"
        "gravity: [0, 0, 0]\nsimulate: {until: 0.05, tolerance: 1e-5}\n"
        "bodies:\n"
        "  a: {material: jelly, shape: {box: {size: [0.2, 0.2, 0.01]}}}\n"
        "  b: {material: jelly, shape: {box: {size: [0.01, 0.2, 0.2]}}, position: [0, 0.02, 0.12],\n"
        "      velocity: [0, 0, -20], angular_velocity: [3, 0, 2]}\n";
    Watch *w = run_text(text, NULL, NULL, NULL);
    CHECK(w->record.stats.deepest.pair == 0 && w->record.stats.deepest.part < 0.45);
    CHECK(w->record.stats.events[CAROM_EVENT_SEPARATION] == 1);
    free(w);
}

// Rods that meet crossed press in a point and turn until they lie along each other, which a point cannot stand for: as
// a line they would be stopped before where the point has come to.
static void rods_that_are_deep_may_come_to_lie_along_each_other(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nmaterials: {jelly: {density: 1000, E: 2e5, nu: 0.4}}\n"
        "pairs: [{between: [jelly, jelly], restitution: 0.9, friction: 0}]\n"
        "gravity: [0, 0, 0]\nsimulate: {until: 0.06, tolerance: 1e-6}\n"
        "bodies:\n"
        "  a: {material: jelly, shape: {capsule: {radius: 0.02, length: 0.12}},\n"
        "      orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
        "  b: {material: jelly, shape: {capsule: {radius: 0.02, length: 0.12}}, position: [0, 0, 0.041],\n"
        "      orientation: {axis: [%.17g, %.17g, 0], angle: 90 deg}, velocity: [0, 0, -4],\n"
        "      angular_velocity: [0, 0, %g]}\n";
    for (int crossed = 40; crossed <= 60; crossed += 20) {
        for (int turns = 1; turns <= 3; turns++) {
            char all[1024];
            double angle = crossed*pi/180;
            snprintf(all, sizeof all, text, -sin(angle), cos(angle), -30.0*turns);
            Watch *w = run_text(all, NULL, NULL, NULL);
            CHECK(isfinite(w->record.stats.energy.elastic) && part_of(w) < 0.5);
            CHECK(w->record.stats.largest_imbalance < 1e-5*w->record.stats.energy_scale);
            free(w);
        }
    }
}

static void a_run_stops_where_it_is_asked_to(void **state)
{
    (void)state;
    caromModel *model = falling(floors[0], shapes[0], 10, 25, "contact.too_deep=error");
    caromError err = { 0 };
    caromSim *sim = NULL;
    assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "overlap by more than the contact law can stand for"));
    carom_sim_destroy(sim);
    carom_model_destroy(model);
}

// What a motion presses into the floor is stopped by no law, and forces without bound would take steps without end.
static void what_motions_force_is_told(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nmaterials: {jelly: {density: 1000, E: 2e5, nu: 0.4}}\n"
        "pairs: [{between: [jelly, jelly], restitution: 0.6, friction: 0.3}]\n"
        "simulate: {until: 1}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: jelly, shape: {half-space: {}}}\n"
        "  b: {material: jelly, shape: %s}\n"
        "joints: {j: {type: prismatic, between: [world, b], at: [0, 0, 0.1], axis: [0, 0, 1],\n"
        "             motion: {sine: {amplitude: 0.13, frequency: 1}}}}\n";
    for (int k = 0; k < SHAPES; k++) {
        char all[2048];
        snprintf(all, sizeof all, text, shapes[k]);
        caromModel *model = good_model(all, NULL, 0);
        caromError err = { 0 };
        caromSim *sim = NULL;
        assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_OK);
        assert_int_equal(carom_sim_run(sim, &err), CAROM_ERR_NUMERIC);
        assert_non_null(strstr(err.message, "prescribed motions press floor - b into each other"));
        CHECK(carom_sim_stats(sim)->evaluations < 20000);
        carom_sim_destroy(sim);
        carom_model_destroy(model);
    }
}

// Two thirds of a ball's radius: the law goes on as it is, and a warning says so.
static void a_ball_sunk_in_by_two_thirds_warns(void **state)
{
    (void)state;
    caromModel *model = falling(floors[0], shapes[2], 3, 0, NULL);
    Watch *w = watch_completed(model, NULL, NULL);
    CHECK(w->record.stats.deepest.part > 0.3 && w->record.stats.deepest.part < 0.35);
    free(w);
    carom_model_destroy(model);
    model = falling(floors[0], shapes[2], 0.3, 0, NULL);
    w = watch_completed(model, NULL, NULL);
    CHECK(w->record.stats.deepest.pair < 0 && w->record.stats.largest_depth_pair == 0);
    free(w);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_gradients),
        cmocka_unit_test(what_is_too_deep_bounces),
        cmocka_unit_test(tips_and_ends_are_no_deeper_than_faces),
        cmocka_unit_test(plates_do_not_pass_through_plates),
        cmocka_unit_test(rods_that_are_deep_may_come_to_lie_along_each_other),
        cmocka_unit_test(what_motions_force_is_told),
        cmocka_unit_test(a_run_stops_where_it_is_asked_to),
        cmocka_unit_test(a_ball_sunk_in_by_two_thirds_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
