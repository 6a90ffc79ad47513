// Bodies that do not touch each other are integrated apart: nothing else may change.
#include "islands/island.h"
#include "sim/sim.h"
#include "scene.h"

static Record *run(const caromModel *model, bool apart)
{
    Record *r = calloc(1, sizeof *r);
    r->hash = 14695981039346656037ULL;
    caromSink sink = { r, record_sample, record_event };
    caromSim *sim;
    assert_int_equal(carom_sim_create(model, &sink, &sim, &r->error), CAROM_OK);
    CHECK(sim->is_apart);
    sim->is_apart = apart;
    r->status = carom_sim_run(sim, &r->error);
    r->stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    expect_completed(r);
    CHECK(r->nevent <= RECORD_MAX);
    for (int i = 1; i < r->nevent; i++) CHECK(r->events[i].time >= r->events[i - 1].time);
    return r;
}

static int count_kind(const Record *r, caromEventKind kind)
{
    int n = 0;
    for (int i = 0; i < r->nevent; i++) n += r->events[i].kind == kind;
    return n;
}

static int touches(const Record *r)
{
    return count_kind(r, CAROM_EVENT_TOUCH);
}

static void name_of(int i, char *name, size_t n)
{
    snprintf(name, n, "body-%d", i);
}

// Balls and blocks, thrown at each other over a floor.
static caromModel *throng(int n, double until, double tolerance, caromFrictionLaw law, caromResponse response)
{
    Scene s = scene_begin();
    Random random = { 11 };
    s.settings.response = response;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.5, 0.3, 0);
    s.settings.until = until;
    s.settings.every = 0.01;
    s.settings.tolerance = tolerance;
    s.settings.friction_law = law;
    scene_floor(&s, "stuff");
    for (int i = 0; i < n; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        caromVec3 p = { 0.12*(i%4), 0.12*(i/4%4), 0.08 + 0.12*(double)(i/16) };
        caromVec3 v = { random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                        random_uniform(&random, -1, 1) };
        caromQuat q = carom_quat_normalized((caromQuat){ 1,
                                                         random_uniform(&random, -1, 1), random_uniform(&random, -1, 1),
                                                         random_uniform(&random, -1, 1) });
        if (i % 2) scene_ball(&s, name, "stuff", 0.04, p, v);
        else scene_box(&s, name, "stuff", carom_vec(0.06, 0.05, 0.05), p, q, v, carom_vec(0, 0, 0));
    }
    for (int i = 0; i < n; i += 3) {  // pushed by forces that come and go
        char name[32], label[40];
        name_of(i, name, sizeof name);
        snprintf(label, sizeof label, "push-%d", i);
        caromForceDef push = carom_model_force_def(label, name);
        push.force[0] = carom_function_def();
        push.force[0].kind = CAROM_FUNCTION_SINE;
        push.force[0].amplitude = 0.5;
        push.force[0].frequency = 7.0 + i;
        carom_builder_force(s.builder, &push);
    }
    return scene_end(&s);
}

// Errors of positions grow by some ten with every collision of round bodies; in this time no body has more than three
// in a row.
static void apart_as_together(void **state)
{
    (void)state;
    const double tolerance = 1e-9;
    for (int law = 0; law < 2; law++) {
        caromModel *model = throng(16, 0.1, tolerance, law == 0 ? CAROM_FRICTION_SMOOTH : CAROM_FRICTION_BRISTLE,
                                   CAROM_RESPONSE_COMPLIANT);
        Record *a = run(model, true), *b = run(model, false);
        CHECK(touches(a) > 10);
        assert_int_equal(a->nevent, b->nevent);
        for (int i = 0; i < a->nevent; i++) {
            assert_int_equal(a->events[i].about.pair, b->events[i].about.pair);
            assert_int_equal(a->events[i].kind, b->events[i].kind);
            CHECK_NEAR(a->events[i].time, b->events[i].time, 1e4*tolerance);
        }
        for (int k = 0; k < 17; k++) CHECK_VEC(a->last_X[k].p, b->last_X[k].p, 1e4*tolerance);
        CHECK_NEAR(a->last.energy.imbalance, 0.0, 100*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.damping, b->last.energy.damping, 1e4*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.friction, b->last.energy.friction, 1e4*tolerance*a->stats.energy_scale);
        CHECK(fabs(a->last.energy.supplied) > 1e-4*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.supplied, b->last.energy.supplied, 1e4*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->stats.largest_depth, b->stats.largest_depth, 1e4*tolerance);
        assert_int_equal(a->stats.largest_depth_pair, b->stats.largest_depth_pair);
        assert_int_equal(a->stats.events[CAROM_EVENT_TOUCH], touches(a));
        // The shortest step of any: those of touches are short for both.
        CHECK(a->stats.smallest_step > 0.0 && a->stats.smallest_step < 0.1/(double)a->stats.steps*16);
        assert_int_equal(a->last.ncontact, b->last.ncontact);
        free(a);
        free(b);
        carom_model_destroy(model);
    }
}

static void check_same_events(const Record *a, const Record *b, double tolerance)
{
    assert_int_equal(a->nevent, b->nevent);
    for (int i = 0; i < a->nevent; i++) {
        assert_int_equal(a->events[i].kind, b->events[i].kind);
        assert_int_equal(a->events[i].about.kind, b->events[i].about.kind);
        if (a->events[i].about.kind == CAROM_SUBJECT_PAIR)
            assert_int_equal(a->events[i].about.pair, b->events[i].about.pair);
        else assert_int_equal(a->events[i].about.limit.joint, b->events[i].about.limit.joint);
        CHECK_NEAR(a->events[i].time, b->events[i].time, 1e4*tolerance);
    }
}

// Rigid bodies likewise: impacts, bounces that are summed up and contacts that stay go on where islands join and part.
static void rigid_bodies_apart_as_together(void **state)
{
    (void)state;
    const double tolerance = 1e-9;
    for (int law = 0; law < 2; law++) {
        caromModel *model = throng(16, 0.12, tolerance, law == 0 ? CAROM_FRICTION_SMOOTH : CAROM_FRICTION_BRISTLE,
                                   CAROM_RESPONSE_RIGID);
        Record *a = run(model, true), *b = run(model, false);
        print_message("%d events, %d of them impacts; steps of all %lld, together %lld\n", a->nevent,
                      count_kind(a, CAROM_EVENT_IMPACT), (long long)a->stats.steps, (long long)b->stats.steps);
        CHECK(count_kind(a, CAROM_EVENT_IMPACT) > 10);
        check_same_events(a, b, tolerance);
        for (int k = 0; k < 17; k++) CHECK_VEC(a->last_X[k].p, b->last_X[k].p, 1e4*tolerance);
        CHECK_NEAR(a->stats.largest_imbalance, 0.0, 10*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.damping, b->last.energy.damping, 1e4*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.friction, b->last.energy.friction, 1e4*tolerance*a->stats.energy_scale);
        assert_int_equal(a->last.ncontact, b->last.ncontact);
        free(a);
        free(b);
        carom_model_destroy(model);
    }
}

// Boxes that slide over a floor push each other on, in rows of three, and come to rest: contacts that stay go from
// island to island, while others bounce to their end.
static void sliding_boxes_apart_as_together(void **state)
{
    (void)state;
    const double tolerance = 1e-8;
    Scene s = scene_begin();
    s.settings.response = CAROM_RESPONSE_RIGID;
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    s.settings.until = 0.6;
    s.settings.tolerance = tolerance;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.4, 0.3, 0);
    scene_floor(&s, "stuff");
    for (int i = 0; i < 9; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        caromVec3 p = { 0.15*(i % 3), 0.2*(i/3), 0.05 + (i % 3 == 2 ? 0.01*(i/3) : 0.0) };
        scene_box(&s, name, "stuff", carom_vec(0.1, 0.1, 0.1), p, (caromQuat){ 1, 0, 0, 0 },
                  carom_vec(i % 3 == 0 ? 1.5 + 0.2*(i/3) : 0.0, 0, 0), carom_vec(0, 0, 0));
    }
    caromModel *model = scene_end(&s);
    Record *a = run(model, true), *b = run(model, false);
    print_message("%d events, %d of them impacts, %d slips that end; steps of all %lld, together %lld\n", a->nevent,
                  count_kind(a, CAROM_EVENT_IMPACT), count_kind(a, CAROM_EVENT_STICK), (long long)a->stats.steps,
                  (long long)b->stats.steps);
    CHECK(count_kind(a, CAROM_EVENT_IMPACT) > 9 && count_kind(a, CAROM_EVENT_STICK) > 8);
    for (int k = 0; k < 10; k++) CHECK_VEC(a->last_X[k].p, b->last_X[k].p, 1e4*tolerance);
    for (int k = 0; k < 10; k++) CHECK_VEC(a->last_V[k].linear, carom_vec(0, 0, 0), 1e2*tolerance);
    CHECK_NEAR(a->stats.largest_imbalance, 0.0, 10*tolerance*a->stats.energy_scale);
    CHECK_NEAR(a->last.energy.friction, b->last.energy.friction, 1e4*tolerance*a->stats.energy_scale);
    assert_int_equal(a->last.ncontact, b->last.ncontact);
    CHECK(a->last.ncontact >= 9);
    free(a);
    free(b);
    carom_model_destroy(model);
}

static caromStatus count_grid(void *user, const caromSample *s)
{
    int64_t *next = user;
    if (s->kind != CAROM_SAMPLE_GRID) return CAROM_OK;
    CHECK_NEAR(s->time, 0.01*(double)*next, 1e-15);
    CHECK(fabs(s->energy.imbalance) < 0.1);
    ++*next;
    return CAROM_OK;
}

// Into a pile and longer than anybody could compare: the balance holds, every sample of the grid is there, twice the
// same bits.
static void a_pile_comes_to_rest(void **state)
{
    (void)state;
    caromModel *model = throng(24, 0.6, 1e-5, CAROM_FRICTION_SMOOTH, CAROM_RESPONSE_COMPLIANT);
    Record *a = run(model, true), *b = run(model, true);
    CHECK(a->hash == b->hash);
    CHECK(touches(a) > 60);
    CHECK_NEAR(a->stats.largest_imbalance, 0.0, 100*1e-5*a->stats.energy_scale);
    for (int k = 1; k < 25; k++) CHECK(a->lowest[k] > 0.0);
    int64_t next = 0;
    caromSim *sim;
    caromSink sink = { &next, count_grid, NULL };
    assert_int_equal(carom_sim_create(model, &sink, &sim, NULL), CAROM_OK);
    assert_int_equal(carom_sim_run(sim, NULL), CAROM_OK);
    assert_int_equal(next, 61);
    CHECK(carom_sim_stats(sim)->time == 0.6);
    carom_sim_destroy(sim);
    free(a);
    free(b);
    carom_model_destroy(model);
}

// Beads of 1 mm without weight, in pairs: they meet after distance/closing speed, however fast, while others are in
// the middle of an impact.
static void beads_meet_when_they_must(void **state)
{
    (void)state;
    enum { PAIRS = 12 };
    const double radius = 0.5e-3, distance = 1.0;
    Scene s = scene_begin();
    scene_material(&s, "steel", 7800, 2e11, 0.3);
    scene_pair(&s, "steel", "steel", 0.9, 0.0, 0);
    s.settings.until = 0.3;
    s.settings.tolerance = 1e-8;
    s.settings.gravity = carom_vec(0, 0, 0);
    double speed[PAIRS];
    for (int i = 0; i < 2*PAIRS; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        speed[i/2] = 2.0*pow(1.7, i/2);
        scene_ball(&s, name, "steel", radius, carom_vec(i % 2 ? distance + 2*radius : 0, 0.01*(i/2), 0),
                   carom_vec(i % 2 ? -speed[i/2] : speed[i/2], 0, 0));
    }
    caromModel *model = scene_end(&s);
    Record *r = run(model, true);
    assert_int_equal(touches(r), PAIRS);
    assert_int_equal(r->nevent, 2*PAIRS);
    int next = PAIRS;
    for (int i = 0; i < r->nevent; i++) {  // the fastest first
        if (r->events[i].kind != CAROM_EVENT_TOUCH) continue;
        next--;
        CHECK_NEAR(r->events[i].time, distance/(2*speed[next]), 1e-13);
        CHECK_NEAR(r->events[i].touch.speed, 2*speed[next], 1e-9*speed[next]);
    }
    free(r);
    carom_model_destroy(model);
}

// Eight balls come from all sides and meet a ninth at the same instant: all of them touch it then, and by symmetry it
// stays.
static Record *meet_in_the_middle(caromResponse response)
{
    Scene s = scene_begin();
    s.settings.response = response;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.5, 0.0, 0);
    s.settings.until = 0.2;
    s.settings.tolerance = 1e-8;
    s.settings.gravity = carom_vec(0, 0, 0);
    scene_ball(&s, "middle", "stuff", 0.1, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    for (int i = 0; i < 8; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        caromVec3 from = { i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3 };
        scene_ball(&s, name, "stuff", 0.1, from, carom_scale(-4.0, from));
    }
    caromModel *model = scene_end(&s);
    Record *r = run(model, true);
    carom_model_destroy(model);
    return r;
}

static void at_the_same_instant(void **state)
{
    (void)state;
    double first = (sqrt(0.27) - 0.2)/(4.0*sqrt(0.27));
    for (int response = 0; response < 2; response++) {
        Record *r = meet_in_the_middle(response ? CAROM_RESPONSE_RIGID : CAROM_RESPONSE_COMPLIANT);
        assert_int_equal(count_kind(r, response ? CAROM_EVENT_IMPACT : CAROM_EVENT_TOUCH), 8);
        for (int i = 0; i < 8; i++) CHECK_NEAR(r->events[i].time, first, 1e-14);
        CHECK_VEC(r->last_X[0].p, carom_vec(0, 0, 0), 1e-8);
        CHECK_VEC(r->last_V[0].linear, carom_vec(0, 0, 0), 1e-6);
        for (int i = 0; response && i < 8; i++)  // one impact of all, not eight in a row
            assert_int_equal(r->events[i].impact.together, 8);
        free(r);
    }
}

// A stack is one island from start to end: the same bits as without islands.
static void one_island_is_all(void **state)
{
    (void)state;
    Scene s = scene_begin();
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.3, 0.5, 0);
    s.settings.until = 0.2;
    s.settings.tolerance = 1e-6;
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_floor(&s, "stuff");
    for (int i = 0; i < 8; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        scene_box(&s, name, "stuff", carom_vec(0.1, 0.1, 0.1), carom_vec(0.001*(i % 2), 0, 0.05 + 0.1*i - 1e-7*(i + 1)),
                  (caromQuat){ 1, 0, 0, 0 }, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    }
    caromModel *model = scene_end(&s);
    Record *a = run(model, true), *b = run(model, false);
    assert_int_equal(a->nsample, b->nsample);
    assert_int_equal(a->stats.steps, b->stats.steps);
    assert_int_equal(a->stats.evaluations, b->stats.evaluations);
    CHECK(a->hash == b->hash);
    free(a);
    free(b);
    carom_model_destroy(model);
}

static void add_arm(Scene *s, int i, double x)
{
    char lower[16], upper[16], hinge[16], elbow[16];
    snprintf(lower, sizeof lower, "lower-%d", i);
    snprintf(upper, sizeof upper, "upper-%d", i);
    snprintf(hinge, sizeof hinge, "hinge-%d", i);
    snprintf(elbow, sizeof elbow, "elbow-%d", i);
    caromShapeDef rod = carom_model_shape_def(carom_shape_capsule(0.02, 0.12)),
                  tip = carom_model_shape_def(carom_shape_sphere(0.04));
    caromBodyDef a = scene_body(lower, "stuff", &rod), b = scene_body(upper, "stuff", &tip);
    scene_add(s, &a);
    scene_add(s, &b);
    caromJointDef h = carom_model_joint_def(hinge, CAROM_JOINT_REVOLUTE),
                  e = carom_model_joint_def(elbow, CAROM_JOINT_REVOLUTE);
    h.body[1] = lower;
    h.p[0] = carom_vec(x, 0, 0.3);
    h.p[1] = carom_vec(0, 0, 0.1);
    h.q[0] = h.q[1] = carom_quat_axis_angle(carom_vec(1, 0, 0), -acos(0));  // turns about y
    h.velocity[0] = i ? -3 : 4;
    h.upper[0] = 0.15;
    h.damping[0] = 1e-3;
    e.body[0] = lower;
    e.body[1] = upper;
    e.p[0] = carom_vec(0, 0, -0.1);
    e.p[1] = carom_vec(0, 0, 0.05);
    e.q[0] = e.q[1] = h.q[0];
    e.lower[0] = -0.1;
    e.upper[0] = 0.1;
    h.limit_stiffness = e.limit_stiffness = 100;
    carom_builder_joint(s->builder, &h);
    carom_builder_joint(s->builder, &e);
}

// Trees of joints with limits are islands too, and springs tie: arms that swing against each other and against balls,
// two of which hang together, one of them at the world.
static caromModel *arms(double until, double tolerance, caromResponse response)
{
    Scene s = scene_begin();
    s.settings.response = response;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.5, 0.3, 0);
    s.settings.until = until;
    s.settings.every = 0.01;
    s.settings.tolerance = tolerance;
    scene_floor(&s, "stuff");
    add_arm(&s, 0, 0.0);
    add_arm(&s, 1, 0.3);
    for (int i = 0; i < 3; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        scene_ball(&s, name, "stuff", 0.04, carom_vec(-0.3 + 0.1*i, 0.01*i, 0.1), carom_vec(0.5*i, 0, 0.3));
    }
    caromSpringDef springs[2] = { carom_model_spring_def("tie"), carom_model_spring_def("line") };
    springs[0].body[0] = "body-0", springs[0].body[1] = "body-1";
    springs[0].stiffness = 20;
    springs[1].body[1] = "body-0";
    springs[1].p[0] = carom_vec(-0.3, 0, 0.5);
    springs[1].stiffness = 10;
    for (int i = 0; i < 2; i++) carom_builder_spring(s.builder, &springs[i]);
    return scene_end(&s);
}

static void trees_and_springs_apart_as_together(void **state)
{
    (void)state;
    const double tolerance = 1e-9;
    for (int response = 0; response < 2; response++) {
        caromModel *model = arms(0.3, tolerance, response ? CAROM_RESPONSE_RIGID : CAROM_RESPONSE_COMPLIANT);
        Record *a = run(model, true), *b = run(model, false);
        int limits = 0;
        check_same_events(a, b, tolerance);
        for (int i = 0; i < a->nevent; i++) limits += a->events[i].about.kind == CAROM_SUBJECT_LIMIT;
        print_message("%d events, %d of them at limits\n", a->nevent, limits);
        CHECK(count_kind(a, response ? CAROM_EVENT_IMPACT : CAROM_EVENT_TOUCH) > 4 && limits >= 2);
        for (int k = 0; k < 8; k++) CHECK_VEC(a->last_X[k].p, b->last_X[k].p, 1e4*tolerance);
        CHECK_NEAR(a->last.energy.imbalance, 0.0, 10*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.joints, b->last.energy.joints, 1e4*tolerance*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.springs, b->last.energy.springs, 1e4*tolerance*a->stats.energy_scale);
        free(a);
        free(b);
        carom_model_destroy(model);
    }
}

// A tray that is shaken, with a wiper on it that turns as prescribed, an arm that swings, a ball on a spring, and parts
// that are thrown about by them; the tray is pushed, which its motion does not heed.
static caromModel *tray(double until, double tolerance, caromResponse response)
{
    Scene s = scene_begin();
    s.settings.response = response;
    scene_material(&s, "stuff", 1000, 1e7, 0.3);
    scene_pair(&s, "stuff", "stuff", 0.5, 0.3, 0);
    s.settings.until = until;
    s.settings.every = 0.01;
    s.settings.tolerance = tolerance;
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_floor(&s, "stuff");
    const caromVec3 zero = { 0, 0, 0 }, rod = { 0.2, 0.02, 0.02 };
    const caromQuat one = { 1, 0, 0, 0 };
    scene_box(&s, "tray", "stuff", carom_vec(1, 0.6, 0.02), zero, one, zero, zero);
    scene_box(&s, "wiper", "stuff", rod, zero, one, zero, zero);
    scene_box(&s, "arm", "stuff", rod, zero, one, zero, zero);
    const char *names[3] = { "shaker", "wipes", "swings" }, *bodies[4] = { NULL, "tray", "wiper", "arm" };
    for (int i = 0; i < 3; i++) {
        caromJointDef j = carom_model_joint_def(names[i], i ? CAROM_JOINT_REVOLUTE : CAROM_JOINT_PRISMATIC);
        j.body[0] = i ? "tray" : bodies[0];
        j.body[1] = bodies[i + 1];
        j.p[0] = i ? carom_vec(i == 1 ? -0.35 : 0.35, 0, 0.06) : carom_vec(0, 0, 0.2);
        if (i) j.p[1] = carom_vec(-0.1, 0, 0);
        else j.q[0] = j.q[1] = carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5);
        if (i == 2) j.velocity[0] = 3;
        if (i < 2) {
            j.drive = CAROM_DRIVE_MOTION;
            j.drive_function = (caromFunctionDef){ .kind = CAROM_FUNCTION_EXPRESSION,
                                                   .expression = i ? "2*time" : "0.01*sin(40*time)" };
        }
        carom_builder_joint(s.builder, &j);
    }
    for (int i = 0; i < 4; i++) {
        char name[32];
        name_of(i, name, sizeof name);
        caromVec3 p = { -0.1 + 0.12*i, 0.15 - 0.1*(i % 2), 0.27 }, v = { 0.1*i - 0.2, 0.05*i, 0 };
        if (i % 2) scene_ball(&s, name, "stuff", 0.03, p, v);
        else scene_box(&s, name, "stuff", carom_vec(0.06, 0.05, 0.04), p,
                       carom_quat_normalized((caromQuat){ 3, 1, i, 0.5 }), v, zero);
    }
    caromSpringDef spring = carom_model_spring_def("line");
    spring.body[0] = "tray", spring.body[1] = "body-3";
    spring.p[0] = carom_vec(0.2, 0.2, 0.3);
    spring.stiffness = 20;
    carom_builder_spring(s.builder, &spring);
    caromForceDef push = carom_model_force_def("push", "tray");
    push.force[0] = (caromFunctionDef){ .kind = CAROM_FUNCTION_EXPRESSION, .expression = "5*sin(9*time)" };
    carom_builder_force(s.builder, &push);
    return scene_end(&s);
}

// What time alone moves ties no more than a floor does, and its own energy is counted once.
static void on_a_tray_apart_as_together(void **state)
{
    (void)state;
    const double tolerance = 1e-9;
    for (int response = 0; response < 2; response++) {
        caromModel *model = tray(0.2, tolerance, response ? CAROM_RESPONSE_RIGID : CAROM_RESPONSE_COMPLIANT);
        Record *a = run(model, true), *b = run(model, false);
        print_message("%d events; steps of all %lld, together %lld; imbalance %.1e and %.1e of the largest energy\n",
                      a->nevent, (long long)a->stats.steps, (long long)b->stats.steps,
                      a->stats.largest_imbalance/a->stats.energy_scale,
                      b->stats.largest_imbalance/b->stats.energy_scale);
        CHECK(count_kind(a, response ? CAROM_EVENT_IMPACT : CAROM_EVENT_TOUCH) > 4);
        check_same_events(a, b, tolerance);
        for (int k = 0; k < model->nbody; k++) CHECK_VEC(a->last_X[k].p, b->last_X[k].p, 1e4*tolerance);
        CHECK_NEAR(a->stats.largest_imbalance, 0.0, 100*tolerance*a->stats.energy_scale);
        CHECK(fabs(a->last.energy.supplied) > 0.01*a->stats.energy_scale);
        CHECK_NEAR(a->last.energy.supplied, b->last.energy.supplied, 1e4*tolerance*a->stats.energy_scale);
        free(a);
        free(b);
        caromSim *sim;
        assert_int_equal(carom_sim_create(model, NULL, &sim, NULL), CAROM_OK);
        assert_int_equal(carom_sim_run(sim, NULL), CAROM_OK);
        CHECK(sim->islands->count >= 4);  // the tray with its wiper, the arm, and parts that lie on the tray
        carom_sim_destroy(sim);
        carom_model_destroy(model);
    }
}

// A pair of what is led or fixed with what moves freely is where that moves; one of both led where both are owned.
static void pairs_with_what_is_led_are_in_one_part(void **state)
{
    (void)state;
    caromModel *model = tray(0.2, 1e-6, CAROM_RESPONSE_COMPLIANT);
    caromIslandPlan plan;
    int owner[16], expected = 0, found = 0, led = 0;
    assert_true(model->nlink <= 16 && carom_island_plan_alloc(model, &plan));
    for (int k = 0; k < model->nlink; k++) owner[k] = carom_model_is_led(model->links, k) ? 0 : k + 1;
    for (int pair = 0; pair < model->npair; pair++) {
        const int *shape = model->pairs[pair].shape;
        bool is_led[2];
        for (int i = 0; i < 2; i++)
            is_led[i] = carom_model_is_led(model->links, model->bodies[model->shapes[shape[i]].body].link);
        expected += is_led[0] || is_led[1];
        led += is_led[0] && is_led[1];
    }
    CHECK(led >= 2);  // the floor with tray and wiper
    for (int id = 0; id <= model->nlink; id++) {
        caromIslandModel *part = carom_island_model_create(&plan, owner, id);
        assert_non_null(part);
        found += part->model.npair;
        carom_island_model_destroy(part);
    }
    assert_int_equal(found, expected);
    carom_island_plan_free(&plan);
    carom_model_destroy(model);
}

// Shapes of a part have numbers of their own, also where one stands for another.
static void parts_number_their_shapes_anew(void **state)
{
    (void)state;
    Scene s = scene_begin();
    caromShapeDef shapes[2] = { carom_model_shape_def((caromShape){ CAROM_SPHERE, { 0.1, 0, 0 } }),
                                carom_model_shape_def((caromShape){ CAROM_BOX, { 0.1, 0.1, 0.1 } }) };
    shapes[0].name = "round", shapes[1].name = "square", shapes[1].stands_for = "round";
    for (int i = 0; i < 2; i++) {
        caromBodyDef def = scene_body(i ? "right" : "left", "steel", shapes);
        def.nshape = 2;
        def.p_WB = carom_vec(i, 0, 0);
        scene_add(&s, &def);
    }
    caromModel *model = scene_end(&s);
    caromIslandPlan plan;
    const int owner[2] = { 0, 1 };
    assert_true(carom_island_plan_alloc(model, &plan));
    for (int id = 0; id < 2; id++) {
        caromIslandModel *part = carom_island_model_create(&plan, owner, id);
        assert_non_null(part);
        assert_int_equal(part->model.nshape, 2);
        assert_int_equal(part->shape[0], 2*id);
        assert_int_equal(part->model.shapes[0].stands_for, -1);
        assert_int_equal(part->model.shapes[1].stands_for, 0);
        carom_island_model_destroy(part);
    }
    carom_island_plan_free(&plan);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart_as_together), cmocka_unit_test(rigid_bodies_apart_as_together),
        cmocka_unit_test(sliding_boxes_apart_as_together), cmocka_unit_test(a_pile_comes_to_rest),
        cmocka_unit_test(beads_meet_when_they_must), cmocka_unit_test(at_the_same_instant),
        cmocka_unit_test(one_island_is_all), cmocka_unit_test(on_a_tray_apart_as_together),
        cmocka_unit_test(pairs_with_what_is_led_are_in_one_part),
        cmocka_unit_test(parts_number_their_shapes_anew),
        cmocka_unit_test(trees_and_springs_apart_as_together)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
