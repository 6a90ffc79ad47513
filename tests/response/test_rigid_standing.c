// The rigid response: structures stand, with forces that balance, and do not creep.
#include "rigid_run.h"

typedef struct Standing {
    const caromModel *model;
    caromPose start[16];
    double unbalanced, drift;  // largest, over samples and bodies [N], [m]
    double shift;              // of the upper ends of boxes: turning too
} Standing;

static int body_of(const caromModel *model, int shape) { return carom_model_shape(model, shape).body.i; }

// fixed: 0
static double weight_of(const caromModel *model, int body)
{
    return g*carom_model_body_mass(model, (caromBodyId){ body }).mass;
}

// Forces of contacts and weight on each body that moves.
static void see_standing(Watch *w, const caromSample *s)
{
    Standing *all = (Standing *)(uintptr_t)w->context;
    caromVec3 force[16] = { { 0, 0, 0 } };
    for (int i = 0; i < s->ncontact; i++) {
        caromPairInfo pair = carom_model_pair(all->model, s->contacts[i].pair);
        int a = body_of(all->model, pair.shape[0]), b = body_of(all->model, pair.shape[1]);
        force[a] = carom_sub(force[a], s->contacts[i].f_B);
        force[b] = carom_add(force[b], s->contacts[i].f_B);
    }
    for (int k = 1; k < s->nbody; k++) {
        if (s->time == 0) all->start[k] = s->X_WB[k];
        force[k].z -= weight_of(all->model, k);
        all->unbalanced = fmax(all->unbalanced, carom_norm(force[k]));
        all->drift = fmax(all->drift, carom_norm(carom_sub(s->X_WB[k].p, all->start[k].p)));
        caromVec3 corner = carom_vec(0.2, 0.2, 0.2);
        all->shift = fmax(all->shift, carom_norm(carom_sub(carom_pose_point(s->X_WB[k], corner),
                                                           carom_pose_point(all->start[k], corner))));
    }
    w->turns++;
}

static Standing stand(const char *text, const char *const *overrides, double *weight)
{
    int n = 0;
    while (overrides && overrides[n]) n++;
    Standing all = { .model = good_model(text, overrides, n) };
    *weight = 0;
    for (int k = 0; k < carom_model_body_count(all.model); k++) *weight += weight_of(all.model, k);
    Watch *w = watch_completed(all.model, see_standing, &all);
    CHECK(w->turns >= 3);
    free(w);
    carom_model_destroy((caromModel *)(uintptr_t)all.model);
    return all;
}

static void ten_boxes_text(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, STUFF("0.3", "0.4") "contact: {response: rigid}\nbodies:\n" FLOOR);
    for (int i = 0; i < 10; i++) {
        used += (size_t)snprintf(text + used, size - used, "  box-%d: {material: stuff, mass: 1 kg, shape: {box: "
                                 "{size: [0.2, 0.2, 0.2]}}, position: [%g, %g, %.17g]}\n", i, 0.01*(i % 3),
                                 0.013*(i % 2), 0.1 + 0.2*i);
    }
    snprintf(text + used, size - used, "simulate: {until: 60 s, tolerance: 1e-6, every: 20 s}\n");
}

static void a_stack_of_ten_boxes_stands(void **state)
{
    (void)state;
    char text[4000];
    double weight;
    ten_boxes_text(text, sizeof text);
    Standing all = stand(text, (const char *const[]){ "contact.friction_law=bristle", NULL }, &weight);
    CHECK(all.unbalanced < 1e-10*weight);
    CHECK(all.shift < 1e-10);
    // Regularised: friction at rest is only a damper, but nothing pushes sideways here.
    all = stand(text, NULL, &weight);
    CHECK(all.unbalanced < 1e-10*weight);
    CHECK(all.shift < 1e-10);
}

// The stones of the example rest on friction. Sharp friction holds them. Regularised friction needs slip to carry
// anything: they creep, no faster than about v_small.
static void an_arch_stands(void **state)
{
    (void)state;
    char *text = source_file("examples/arch.yaml", NULL);
    double weight;
    Standing all = stand(text, (const char *const[]){ "contact.response=rigid", "simulate.every=20",
                                                      "simulate.tolerance=1e-6", NULL }, &weight);
    CHECK(all.unbalanced < 1e-10*weight);
    CHECK(all.shift < 1e-10);
    const double v_small = 1e-3, time = 0.1;
    all = stand(text,
                (const char *const[]){ "contact.response=rigid", "contact.friction_law=smooth", "simulate.every=0.05",
                                       "simulate.until=0.1", "simulate.tolerance=1e-6", NULL }, &weight);
    free(text);
    CHECK(all.shift < 2*v_small*time);
    CHECK(all.shift > 0.01*v_small*time);
}

// ---- joints at their stops

static const char linkage[] =
    "carom: 1\n"
                              "contact: {response: rigid, restitution: 0.5, friction: 0.3}\n"
                              "bodies:\n"
                              "  crank:   {material: steel, mass: 1 kg, shape: {box: {size: [0.2 m, 1 cm, 2 cm]}}}\n"
                              "  coupler: {material: steel, mass: 1 kg, shape: {box: {size: [0.5 m, 1 cm, 2 cm]}}}\n"
                              "  rocker:  {material: steel, mass: 1 kg, shape: {box: {size: [0.4 m, 1 cm, 2 cm]}}}\n"
                              "joints:\n"
                              "  a: {type: revolute, between: [world, crank],   axis: [0, 1, 0], at: [0, 0, "
                              "0], child_at: [-0.1, 0, 0], angle: -60 deg, upper: -20 deg, lower: -100 deg, "
                              "limit_restitution: 0.5}\n"
                              "  b: {type: revolute, between: [crank, coupler], axis: [0, 1, 0], at: [0.1, 0, "
                              "0],    child_at: [-0.25, 0, 0]}\n"
                              "  d: {type: revolute, between: [world, rocker],  axis: [0, 1, 0], at: [0.5 m, 0, "
                              "0],  child_at: [-0.2, 0, 0],  angle: -80 deg}\n"
                              "  c: {type: revolute, between: [coupler, rocker], axis: [0, 1, 0], at: [0.25, 0, "
                              "0],  child_at: [0.2, 0, 0]}\n"
                              "simulate: {until: 10 s, tolerance: 1e-9, every: 0.5}\n";

static void see_stop(Watch *w, const caromSample *s)
{
    Falls *falls = (Falls *)(uintptr_t)w->context;
    follow_energy(falls, s);
    if (count_of_so_far(w, CAROM_EVENT_LAND) == 0) return;
    CHECK_NEAR(s->joint_q[0], -pi/9, 1e-12);
    CHECK(s->energy.kinetic < 1e-20);
    caromVec3 pin = carom_pose_point(s->X_WB[1], carom_vec(0.25, 0, 0)),
              end = carom_pose_point(s->X_WB[2], carom_vec(0.2, 0, 0));
    CHECK_VEC(pin, end, 1e-9);  // the loop is closed, to the tolerance
    w->turns++;
}

static void a_four_bar_rests_on_its_stop(void **state)
{
    (void)state;
    Falls falls = { 0 };
    Watch *w = run_text(linkage, NULL, see_stop, &falls);
    assert_int_equal(count_of(w, CAROM_EVENT_LAND), 1);
    caromEventSubject about = event_from(w, CAROM_EVENT_LAND, 0)->about;
    assert_int_equal(about.kind, CAROM_SUBJECT_LIMIT);
    assert_int_equal(about.limit.joint, 0);
    CHECK(w->turns > 15 && count_of(w, CAROM_EVENT_IMPACT) > 10);
    CHECK(falls.worst < 1e-8*w->record.stats.energy_scale);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_boxes_stands),
        cmocka_unit_test(an_arch_stands),
        cmocka_unit_test(a_four_bar_rests_on_its_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
