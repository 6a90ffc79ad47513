// A closed mesh that is not convex falls on another and comes to rest: with 50,000 triangles in bench/bench_bunny.c,
// here with some hundred.
#include "bunny.h"
#include "scene.h"

#include "model/model.h"

typedef struct Rest {
    caromVec3 p, force;  // of the upper one; on it
    double speed, turning, lost, loss_falls, imbalance;
} Rest;

static caromStatus look(void *user, const caromSample *s)
{
    Rest *rest = user;
    double lost = s->energy.damping + s->energy.friction;
    rest->p = s->X_WB[1].p;
    rest->speed = carom_norm(s->V_WB[1].linear);
    rest->turning = carom_norm(s->V_WB[1].angular);
    rest->force = carom_vec(0, 0, 0);
    for (int i = 0; i < s->ncontact; i++) rest->force = carom_add(rest->force, s->contacts[i].f_B);
    rest->loss_falls = fmax(rest->loss_falls, rest->lost - lost);
    rest->lost = lost;
    rest->imbalance = fmax(rest->imbalance, fabs(s->energy.imbalance));
    return CAROM_OK;
}

static void add_body(Scene *s, const char *name, const caromMesh *mesh, bool fixed, caromVec3 p, caromQuat q)
{
    caromShapeDef def = carom_model_shape_def(carom_shape_mesh(mesh));
    caromBodyDef body = scene_body(name, "rubber", &def);
    body.fixed = fixed;
    body.p_WB = p;
    body.q_WB = q;
    scene_add(s, &body);
}

static Rest come_to_rest(caromResponse response, int sides, double until, double *weight)
{
    caromMesh *mesh = bunny_mesh(sides);
    assert_non_null(mesh);
    Scene s = scene_begin();
    scene_material(&s, "rubber", 1000, 1e7, 0.45);
    scene_pair(&s, "rubber", "rubber", 0.2, 0.5, 0);
    s.settings.response = response;
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.tolerance = 1e-5;
    s.settings.until = until;
    add_body(&s, "lower", mesh, true, carom_vec(0, 0, 0), carom_quat_identity());
    add_body(&s, "upper", mesh, false, carom_vec(0, 0, 0.1155),
             carom_quat_axis_angle(carom_vec(0.1, 0.05, 1), 1.0));
    caromModel *model = scene_end(&s);
    *weight = 9.81*model->bodies[1].props.mass;
    Rest rest = { .lost = 0 };
    caromSink sink = { &rest, look, NULL };
    caromSim *sim;
    caromError err = { 0 };
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    if (status != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    print_message("%lld evaluations\n", (long long)carom_sim_stats(sim)->evaluations);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
    return rest;
}

static void expect_rest(const Rest *rest, double weight)
{
    // Between the ears: it fell by less than 1 cm, and neither through nor off.
    assert_true(rest->p.z > 0.1055 && rest->p.z < 0.1155 && hypot(rest->p.x, rest->p.y) < 0.01);
    CHECK(rest->loss_falls <= 1e-5*weight*0.1 && rest->imbalance <= 1e-4*weight*0.1);
}

// It comes to rest as its bristles do: a millimetre would take ten seconds after 1.2 s, and the contact carries the
// weight to a thousandth.
static void compliant_ones_come_to_rest(void **state)
{
    (void)state;
    double weight;
    Rest rest = come_to_rest(CAROM_RESPONSE_COMPLIANT, 12, 1.2, &weight);
    expect_rest(&rest, weight);
    assert_true(rest.speed < 1e-4 && rest.turning < 2e-3);
    CHECK_VEC(rest.force, carom_vec(0, 0, weight), 1e-3*weight);
}

// It stands still, on forces of statics.
static void rigid_ones_come_to_rest(void **state)
{
    (void)state;
    double weight;
    Rest rest = come_to_rest(CAROM_RESPONSE_RIGID, 7, 1.0, &weight);
    expect_rest(&rest, weight);
    assert_true(rest.speed < 1e-12 && rest.turning < 1e-12);
    CHECK_VEC(rest.force, carom_vec(0, 0, weight), 1e-8*weight);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(compliant_ones_come_to_rest),
                                        cmocka_unit_test(rigid_ones_come_to_rest) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
