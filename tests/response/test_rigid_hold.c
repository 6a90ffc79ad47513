// The rigid response: forces that are decided for a short time, where no modes fit or no step gets on.
#include "rigid_run.h"

static caromStatus run_to_its_end(const char *text, const char *const *overrides, int n, caromError *err)
{
    caromModel *model = good_model(text, overrides, n);
    caromSim *sim = NULL;
    assert_int_equal(carom_sim_create(model, NULL, &sim, err), CAROM_OK);
    caromStatus status = carom_sim_run(sim, err);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    return status;
}

static const char press[] = STUFF("0.5", "0.3")
    "contact: {response: rigid}\n"
    "bodies:\n" FLOOR
    "  ram: {material: stuff, shape: {box: {size: [0.2, 0.2, 0.1]}}}\n"
    "  ball: {material: stuff, shape: {sphere: {radius: 0.02}}, position: [0, 0, 0.02]}\n"
    "joints:\n"
    "  slide: {type: prismatic, between: [world, ram], at: [0, 0, 0.15], axis: [0, 0, 1],\n"
    "          motion: {expression: \"-time\"}}\n"
    "simulate: {until: 0.5 s, tolerance: 1e-6}\n";

// Nothing gives way between the floor and what a motion drives down: on the ball at 60 ms, or on the floor at 100 ms.
static void a_motion_that_squeezes_is_told_with_its_contact(void **state)
{
    (void)state;
    static const char *const aside[] = { "bodies.ball.position=[1, 0, 0.02]" };
    caromError err = { 0 };
    assert_int_equal(run_to_its_end(press, NULL, 0, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "at 0.06 s prescribed motions press"));
    assert_non_null(strstr(err.message, "ball"));
    assert_int_equal(run_to_its_end(press, aside, 1, &err), CAROM_ERR_NUMERIC);
    assert_non_null(strstr(err.message, "at 0.1 s prescribed motions press"));
    assert_string_equal(err.where, "floor - ram");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_that_squeezes_is_told_with_its_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
