// df/dy by parts against differences of whole evaluations, and linear systems with it.
#include <float.h>

#include "time/jacobian.h"
#include "response/compliant.h"
#include "response/compliant_structure.h"
#include "scene.h"

enum { STATES = 260 };

typedef struct Rig {
    caromModel *model;
    caromSystem system;
    caromOde ode;
    caromTolerances tol;
    int n, m;
    double y[STATES], f0[STATES], y_trial[STATES], f_trial[STATES], ft[STATES];
    double J[STATES*STATES], expected[STATES*STATES];  // [n][m]
    int64_t evaluations;
} Rig;

static void add_spring_between(Scene *s, const char *a, caromVec3 p_a, const char *b, caromVec3 p_b)
{
    caromSpringDef spring = carom_model_spring_def("spring");
    spring.body[0] = a;
    spring.body[1] = b;
    spring.p[0] = p_a;
    spring.p[1] = p_b;
    spring.stiffness = 2e3;
    spring.damping = 3;
    spring.rest = 0.1;
    carom_builder_spring(s->builder, &spring);
}

// All that overlap touch, as if they had met at this moment with the speeds they have.
static Rig *rig_of(caromModel *model)
{
    Rig *r = calloc(1, sizeof *r);
    caromError err;
    caromEvent event;
    r->model = model;
    assert_true(carom_response_system_create(model, NULL, &r->system) && carom_tolerances_alloc(model, &r->tol));
    carom_kin_initial(model, r->system.y, r->system.y + model->nq);
    caromKin kin = { 0 };
    assert_true(carom_kin_start(model, &kin));
    carom_dyn_rest_lengths(model, &kin, &r->system.scratch.work);
    for (int pair = 0; pair < model->npair; pair++) {
        caromGap gap = carom_patch_gap(model, &kin, pair);
        if (gap.g < 0.0) assert_int_equal(carom_compliant_begin(&r->system, &kin, pair, 0.0, &event, &err), CAROM_OK);
    }
    r->n = r->system.n;
    assert_true(r->n <= STATES);
    memcpy(r->y, r->system.y, (size_t)r->n*sizeof *r->y);
    r->m = r->n - CAROM_LEDGER;
    r->ode = carom_response_ode(&r->system);
    r->ode.n = r->n;
    carom_kin_update(model, 0.0, r->y, r->y + model->nq, &r->system.scratch.kin);
    carom_dyn_articulated_factor(model, &kin, &r->system.scratch.work);
    carom_tolerances_update(model, &r->system.world.memory, &r->system.scratch, r->y, 1.0, &r->tol);
    r->tol.norm.far = INFINITY;  // no correction along the motion: that has a test of its own
    carom_kin_free(&kin);
    return r;
}

static void rig_free(Rig *r)
{
    carom_response_system_destroy(&r->system);
    carom_tolerances_free(&r->tol);
    carom_model_destroy(r->model);
    free(r);
}

// Bends bristles by a part of the depth, so that they hold.
static void bend_bristles(Rig *r, double part)
{
    Random random = { 3 };
    for (int i = carom_motion_bristles(r->model); i < r->m; i++)
        r->y[i] = part*r->tol.weight[i]/r->model->settings.tolerance*random_uniform(&random, -1, 1);
}

static void by_parts(Rig *r, double h)
{
    const struct caromStructure *s = carom_compliant_of(&r->system)->structure;
    assert_int_equal(r->ode.f(r->ode.user, 0.0, r->y, r->f0), CAROM_OK);
    assert_int_equal(r->ode.linear->linearise(r->ode.user, &(caromLinearPoint){
        0.0, h, r->y, r->f0, &r->tol.norm, r->y_trial, r->f_trial, &r->evaluations, r->ft }, r->ft), CAROM_OK);
    assert_int_equal(s->J.start[s->J.n], r->m);
    memset(r->J, 0, sizeof r->J);
    for (int i = 0; i < s->J.n; i++) {
        for (int b = s->J.row[i]; b < s->J.row[i + 1]; b++) {
            int j = s->J.column[b], rows = carom_blocks_size(&s->J, i), columns = carom_blocks_size(&s->J, j);
            for (int k = 0; k < rows*columns; k++)
                r->J[s->state[s->J.start[i] + k/columns]*r->m +
                     s->state[s->J.start[j] + k%columns]] = s->J.value[s->J.at[b] + (size_t)k];
        }
    }
    for (int i = 0; i < CAROM_LEDGER; i++)
        for (int j = 0; j < r->m; j++) r->J[(r->m + i)*r->m + s->state[j]] = s->ledger[i*r->m + j];
}


// Central differences over ten times what one-sided ones use.
static void by_differences(Rig *r)
{
    for (int j = 0; j < r->m; j++) {
        double d = 10*r->tol.change[j], width;
        memcpy(r->y_trial, r->y, sizeof r->y_trial);
        r->y_trial[j] = r->y[j] + d;
        width = r->y_trial[j];
        assert_int_equal(r->ode.f(r->ode.user, 0.0, r->y_trial, r->f_trial), CAROM_OK);
        for (int i = 0; i < r->n; i++) r->expected[i*r->m + j] = r->f_trial[i];
        r->y_trial[j] = r->y[j] - d;
        width -= r->y_trial[j];
        assert_int_equal(r->ode.f(r->ode.user, 0.0, r->y_trial, r->f_trial), CAROM_OK);
        for (int i = 0; i < r->n; i++) r->expected[i*r->m + j] = (r->expected[i*r->m + j] - r->f_trial[i])/width;
    }
}

// Entries in units of tolerances of their columns, against the largest of their row.
static double worst_entry(const Rig *r, bool says)
{
    double worst = 0;
    int wi = 0, wj = 0;
    for (int i = 0; i < r->n; i++) {
        double largest = 0;
        for (int j = 0; j < r->m; j++) largest = fmax(largest, fabs(r->expected[i*r->m + j]*r->tol.weight[j]));
        for (int j = 0; j < r->m; j++) {
            double off = fabs(r->J[i*r->m + j] - r->expected[i*r->m + j])*r->tol.weight[j];
            if (off > 1e-12*r->tol.weight[i] && off/largest > worst) {
                worst = off/largest;
                wi = i;
                wj = j;
            }
        }
    }
    if (says)
        print_message("worst: row %d, column %d of %d: %g, expected %g: %.2e of the row\n", wi, wj, r->m,
                      r->J[wi*r->m + wj], r->expected[wi*r->m + wj], worst);
    return worst;
}

// Boxes that lie on each other, shifted and turned a little, so that no corner is over another and no face exactly
// flat.
static caromModel *stack(int count, caromFrictionLaw law, double speed)
{
    Scene s = scene_begin();
    s.settings.friction_law = law;
    scene_material(&s, "rubber", 1000, 1e6, 0.3);
    scene_floor(&s, "rubber");
    for (int i = 0; i < count; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        caromQuat q = carom_quat_normalized((caromQuat){ 1, 1e-4*(1 + i), -0.7e-4*(1 + i%2), 0.01*(1 + i) });
        scene_box(&s, name, "rubber", carom_vec(0.1, 0.11, 0.1),
                  carom_vec(0.003*(i%3), -0.002*i, 0.05 + 0.1*i - 2e-4*(i + 1)), q,
                  carom_vec(speed*(1 + i), -0.5*speed*i, 0.1*speed), carom_vec(0.3*speed, 0.2*speed, speed*i));
    }
    return scene_end(&s);
}

static void check_against_differences(caromModel *model, double bent, double tolerance)
{
    Rig *r = rig_of(model);
    bend_bristles(r, bent);
    by_parts(r, 1e-4);
    by_differences(r);
    CHECK(worst_entry(r, true) < tolerance);
    rig_free(r);
}

// One-sided differences over 1e-4 of the depth, or less, are off by about that where forces bend over the depth.
static void a_stack_with_smooth_friction(void **state)
{
    (void)state;
    check_against_differences(stack(3, CAROM_FRICTION_SMOOTH, 0.2), 0, 1e-4);
    check_against_differences(stack(3, CAROM_FRICTION_SMOOTH, 2e-4), 0, 1e-4);
}

static void a_stack_on_bristles(void **state)
{
    (void)state;
    check_against_differences(stack(3, CAROM_FRICTION_BRISTLE, 1e-4), 0.02, 1e-4);
    check_against_differences(stack(3, CAROM_FRICTION_BRISTLE, 0.2), 0.02, 1e-4);
}

// A hinged arm with friction and damping in its joints, pressed onto a free box.
static caromModel *arm_at(double height, bool has_spring, bool is_driven)
{
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_SMOOTH;
    scene_material(&s, "rubber", 1000, 1e6, 0.3);
    scene_floor(&s, "rubber");
    scene_box(&s, "box", "rubber", carom_vec(0.3, 0.3, 0.1), carom_vec(0.3, 0, 0.0498),
              carom_quat_normalized((caromQuat){ 1, 1e-4, 1e-4, 0.1 }), carom_vec(0.1, 0.2, 0), carom_vec(0.1, 0, 0.2));
    scene_box(&s, "upper", "rubber", carom_vec(0.2, 0.02, 0.02), carom_vec(0, 0, 0), carom_quat(1, 0, 0, 0),
              carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    scene_ball(&s, "hand", "rubber", 0.05, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    caromJointDef shoulder = carom_model_joint_def("shoulder", CAROM_JOINT_REVOLUTE),
                  elbow = carom_model_joint_def("elbow", CAROM_JOINT_UNIVERSAL);
    shoulder.body[1] = "upper";
    shoulder.p[0] = carom_vec(0.2, 0.01, height);
    shoulder.p[1] = carom_vec(-0.1, 0, 0);
    shoulder.q[0] = shoulder.q[1] = carom_quat_normalized((caromQuat){ 1, -1, 0, 0 });  // about y
    shoulder.position[0] = 0.3;
    shoulder.velocity[0] = 0.5;
    shoulder.damping[0] = 0.02;
    shoulder.friction[0] = 0.1;
    if (is_driven) {
        shoulder.drive = CAROM_DRIVE_MOTION;
        shoulder.drive_function = (caromFunctionDef){ .kind = CAROM_FUNCTION_EXPRESSION,
                                                      .expression = "0.3 + 0.5*time" };
        shoulder.damping[0] = shoulder.friction[0] = 0;
        shoulder.velocity[0] = shoulder.position[0] = (double)NAN;
    }
    elbow.body[0] = "upper";
    elbow.body[1] = "hand";
    elbow.p[0] = carom_vec(0.1, 0, 0);
    elbow.p[1] = carom_vec(0, 0, 0.0416);
    elbow.position[0] = 0.2;
    elbow.position[1] = -0.1;
    elbow.velocity[0] = 0.4;
    elbow.velocity[1] = -0.7;
    elbow.stiffness[0] = 30;
    elbow.damping[1] = 0.01;
    carom_builder_joint(s.builder, &shoulder);
    carom_builder_joint(s.builder, &elbow);
    if (has_spring) add_spring_between(&s, "upper", carom_vec(0, 0, 0.01), "box", carom_vec(0.1, 0.1, 0.05));
    return scene_end(&s);
}

static caromModel *arm_on_box(bool has_spring, bool is_driven)
{
    caromModel *above = arm_at(1.0, has_spring, is_driven);
    caromKin kin = { 0 };
    assert_true(carom_kin_start(above, &kin));
    double height = 1.0;
    for (int pair = 0; pair < above->npair; pair++) {
        const int *shape = above->pairs[pair].shape;
        bool is_hand = strcmp(above->bodies[above->shapes[shape[1]].body].name, "hand") == 0,
             is_box = strcmp(above->bodies[above->shapes[shape[0]].body].name, "box") == 0;
        if (is_hand && is_box) height -= carom_patch_gap(above, &kin, pair).g + 5e-4;
    }
    carom_kin_free(&kin);
    carom_model_destroy(above);
    return arm_at(height, has_spring, is_driven);
}

static int contacts_between_trees(const Rig *r)
{
    int count = 0;
    for (int i = 0; i < r->system.world.memory.nactive; i++) {
        const int *shape = r->model->pairs[r->system.world.memory.active[i]].shape;
        count += r->model->bodies[r->model->shapes[shape[0]].body].link >= 0 &&
                 r->model->bodies[r->model->shapes[shape[1]].body].link >= 0;
    }
    return count;
}

static void trees_that_touch(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        Rig *r = rig_of(arm_on_box(i & 1, i & 2));
        assert_int_equal(contacts_between_trees(r), 1);
        assert_int_equal(carom_compliant_of(&r->system)->structure->ntree, i & 1 ? 1 : 2);
        by_parts(r, 1e-4);
        by_differences(r);
        CHECK(worst_entry(r, true) < 1e-4);
        rig_free(r);
    }
}

static void a_ball_on_a_box_with_a_spring_far_from_the_origin(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double x = i*50.0;
        Scene s = scene_begin();
        s.settings.friction_law = i ? CAROM_FRICTION_BRISTLE : CAROM_FRICTION_SMOOTH;
        scene_material(&s, "rubber", 1000, 1e6, 0.3);
        scene_pair(&s, "rubber", "rubber", 0.5, 0.4, 0.02);
        scene_floor(&s, "rubber");
        scene_box(&s, "box", "rubber", carom_vec(0.1, 0.1, 0.1), carom_vec(x, 0, 0.0499),
                  carom_quat_normalized((caromQuat){ 1, 1e-4, 2e-4, 0.1 }), carom_vec(0.1, 0, 0), carom_vec(0, 0, 0.3));
        scene_ball(&s, "ball", "rubber", 0.05, carom_vec(x + 0.01, 0.02, 0.149), carom_vec(-0.1, 0.2, -0.1));
        scene_ball(&s, "other", "rubber", 0.05, carom_vec(x + 0.3, 0.02, 0.1), carom_vec(0, 0, 0));
        add_spring_between(&s, "ball", carom_vec(0, 0, 0.01), "other", carom_vec(0, 0, 0));
        caromModel *model = scene_end(&s);
        check_against_differences(model, 0.02, 1e-4);
    }
}

// Floor and nine faces between ten boxes: seven patches each, whatever the number of states.
static void a_tall_stack_asks_for_few_patches(void **state)
{
    (void)state;
    Rig *r = rig_of(stack(10, CAROM_FRICTION_SMOOTH, 0.01));
    assert_int_equal(r->system.world.memory.nactive, 10);
    by_parts(r, 1e-4);
    assert_int_equal(carom_compliant_of(&r->system)->structure->npatch, 7*10);
    assert_int_equal(r->evaluations, 0);
    by_differences(r);
    CHECK(worst_entry(r, true) < 1e-4);
    rig_free(r);
}

// (1 - s J) x = b, the rows of the ledger with it.
static void systems_are_solved(void **state)
{
    (void)state;
    Rig *r = rig_of(stack(4, CAROM_FRICTION_BRISTLE, 0.01));
    double x[STATES], b[STATES];
    Random random = { 9 };
    by_parts(r, 1e-4);
    for (double s = 1e-6; s < 1.0; s *= 10) {
        for (int i = 0; i < r->n; i++) x[i] = b[i] = random_uniform(&random, -1, 1)*r->tol.weight[i];
        assert_true(r->ode.linear->factorise(r->ode.user, s));
        r->ode.linear->solve(r->ode.user, s, x);
        for (int i = 0; i < r->n; i++) {
            double left = x[i] - b[i], size = fabs(x[i]) + fabs(b[i]);
            for (int j = 0; j < r->m; j++) {
                left -= s*r->J[i*r->m + j]*x[j];
                size += fabs(s*r->J[i*r->m + j]*x[j]);
            }
            CHECK(fabs(left) < 1e-9*size);  // 1e3 roundings of sums of 80 terms, times what blocks may grow to
        }
    }
    rig_free(r);
}

// A box on a tray that is shaken along and across its face.
static caromModel *box_on_a_tray(caromFrictionLaw law)
{
    Scene s = scene_begin();
    s.settings.friction_law = law;
    scene_material(&s, "rubber", 1000, 1e6, 0.3);
    scene_box(&s, "tray", "rubber", carom_vec(0.4, 0.4, 0.02), carom_vec(0, 0, 0), carom_quat(1, 0, 0, 0),
              carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    scene_box(&s, "box", "rubber", carom_vec(0.1, 0.11, 0.1), carom_vec(0.003, 0.002, 0.0598),
              carom_quat_normalized((caromQuat){ 1, 1e-4, -0.7e-4, 0.01 }), carom_vec(0.1, 0.05, 0.21),
              carom_vec(0.02, 0.01, 0.03));
    caromJointDef shaker = carom_model_joint_def("shaker", CAROM_JOINT_PRISMATIC);
    shaker.body[1] = "tray";
    shaker.q[0] = shaker.q[1] = carom_quat_axis_angle(carom_vec(0, 1, 0), 0.4);
    shaker.drive = CAROM_DRIVE_MOTION;
    shaker.drive_function = (caromFunctionDef){ .kind = CAROM_FUNCTION_EXPRESSION,
                                                .expression = "7e-4*sin(314*time)" };
    carom_builder_joint(s.builder, &shaker);
    return scene_end(&s);
}

// As what is remembered of impacts is fading.
static void forget(Rig *r)
{
    const caromContactMemory *memory = &r->system.world.memory;
    assert_true(memory->nactive > 0);
    for (int i = 0; i < memory->nactive; i++) {
        caromTouch *touch = &memory->touch[memory->active[i]];
        touch->impact_until = -0.3*touch->fades;
        assert_true(carom_contact_touch_fades(touch, 0.0));
    }
}

// Central differences: surfaces move by 1e-4 of the depth in them. Rates are known to 1e3 roundings, over 1e-5 h.
static void check_time(const Rig *r, double h, double tolerance)
{
    double d = 1e-7, before[STATES], after[STATES], y[STATES];
    memcpy(y, r->y, sizeof y);
    assert_int_equal(r->ode.f(r->ode.user, -d, y, before), CAROM_OK);
    assert_int_equal(r->ode.f(r->ode.user, d, y, after), CAROM_OK);
    for (int k = 0; k < r->tol.norm.nblock; k++) {
        double largest = 0, rounding = 0;
        for (int i = r->tol.norm.block[k]; i < r->tol.norm.block[k + 1]; i++) {
            largest = fmax(largest, fabs(after[i] - before[i])/(2*d));
            rounding = fmax(rounding, 1e3*DBL_EPSILON*fabs(r->f0[i])/(1e-5*h));
        }
        for (int i = r->tol.norm.block[k]; i < r->tol.norm.block[k + 1]; i++)
            CHECK_NEAR(r->ft[i], (after[i] - before[i])/(2*d), tolerance*largest + rounding);
    }
}

static void df_dt_is_that_of_what_moves_by_time(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        caromFrictionLaw law = i & 1 ? CAROM_FRICTION_BRISTLE : CAROM_FRICTION_SMOOTH;
        Rig *r = rig_of(i < 2 ? box_on_a_tray(law) : i < 4 ? stack(3, law, 0.2) : arm_on_box(i & 1, true));
        if (i != 0) forget(r);
        bend_bristles(r, 0.02);
        by_parts(r, 1e-4);
        check_time(r, 1e-4, 1e-4);
        rig_free(r);
    }
}

// J f0 and df/dt become the difference along the motion, in the rows of what moves.
static void check_along_motion(Rig *r)
{
    double h = 1e-5, along[STATES];
    by_parts(r, h);
    r->tol.norm.far = 0;
    by_parts(r, h);
    assert_int_equal(r->evaluations, 2);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < r->n; i++) r->y_trial[i] = r->y[i] + 0.01*h*side*r->f0[i];
        assert_int_equal(r->ode.f(r->ode.user, 0.01*h*side, r->y_trial, r->f_trial), CAROM_OK);
        for (int i = 0; i < r->n; i++)
            along[i] = (side < 0 ? 0.0 : along[i]) + 0.5*(r->f_trial[i] - r->f0[i])/(0.01*h*side);
    }
    for (int i = 0; i < r->n; i++) {
        double sum = r->ft[i], size = fabs(sum);
        for (int j = 0; j < r->m; j++) {
            sum += r->J[i*r->m + j]*r->f0[j];
            size += fabs(r->J[i*r->m + j]*r->f0[j]);
        }
        CHECK_NEAR(sum, along[i], 1e-12*size);
    }
}

static void rows_are_right_along_the_motion(void **state)
{
    (void)state;
    Rig *r = rig_of(box_on_a_tray(CAROM_FRICTION_SMOOTH));
    check_along_motion(r);
    rig_free(r);
    r = rig_of(stack(3, CAROM_FRICTION_SMOOTH, 0.2));
    check_along_motion(r);
    int zeros = 0;  // no entry appears where there was none
    for (int i = 0; i < 3*7; i++) for (int j = 0; j < r->m; j++) zeros += r->J[i*r->m + j] == 0.0;
    CHECK(zeros >= 3*7*(r->m - 13));  // q' of a body depends on its own q and v
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_with_smooth_friction),
        cmocka_unit_test(a_stack_on_bristles),
        cmocka_unit_test(trees_that_touch),
        cmocka_unit_test(a_ball_on_a_box_with_a_spring_far_from_the_origin),
        cmocka_unit_test(a_tall_stack_asks_for_few_patches),
        cmocka_unit_test(systems_are_solved),
        cmocka_unit_test(df_dt_is_that_of_what_moves_by_time),
        cmocka_unit_test(rows_are_right_along_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
