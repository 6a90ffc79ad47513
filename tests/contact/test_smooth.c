// Forces begin without a jump. For every law fn(d, v0) -> 0 as d -> 0 while the approach speed stays, like d^n; for
// n > 1 its slope begins at 0 too. With a shell of thickness T the force begins at gap T, and nothing at all happens
// where the surfaces themselves meet, at gap 0. And energy is never made: whatever the tolerance, the mechanical energy
// of bouncing bodies does not rise by more than the tolerance explains.
#include "contact/contact.h"
#include "scene.h"

// ---- one sphere (or box) on a rail above the floor; its gap and speed are set by hand, its touch is kept as it began

typedef struct Bench {
    caromModel *model;
    caromKin kin;
    caromContactMemory memory;
    double half;  // from the body's origin down to its surface
} Bench;

typedef enum Law { EXACT, FRACTION, CUBIC, FLORES, MARHEFKA, MARHEFKA_ALPHA, NONE, GIVEN, DEPTH, TEXT, FUNCTION,
                   LAWS } Law;

static const char *const law_names[LAWS] = { "exact", "engelson-fraction", "engelson-cubic", "flores", "marhefka-orin",
                                             "marhefka-orin alpha", "none", "given", "depth", "text", "function" };

// K1 d of a linear law at DEPTH0 is what all laws press with there.
static const double K1 = 1e6, V0 = 0.7, DEPTH0 = 1e-2;

typedef struct Numbers { double K, n, c; } Numbers;

static double own(void *user, double d, double v)
{
    const Numbers *x = user;
    return x->K*pow(d, x->n)*(1 + x->c*v);
}

// numbers must live as long as the model.
static caromPairDef law_pair(Law law, double n, Numbers *numbers, caromParameter parameters[3])
{
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    double K = K1*pow(DEPTH0, 1 - n);
    pair.restitution = 0.5;
    pair.friction = 0;
    *numbers = (Numbers){ K, n, 0.9 };
    if (law == TEXT) {
        parameters[0] = (caromParameter){ "k", K };
        parameters[1] = (caromParameter){ "n", n };
        parameters[2] = (caromParameter){ "c", 0.9 };
        pair.law = "k*d^n*(1 + c*v)";
        pair.parameters = parameters;
        pair.nparameter = 3;
        return pair;
    }
    if (law == FUNCTION) {
        pair.law_function = own;
        pair.law_user = numbers;
        return pair;
    }
    static const caromDamping kinds[] = {
        CAROM_DAMPING_EXACT, CAROM_DAMPING_ENGELSON_FRACTION, CAROM_DAMPING_ENGELSON_CUBIC, CAROM_DAMPING_FLORES,
        CAROM_DAMPING_MARHEFKA_ORIN, CAROM_DAMPING_MARHEFKA_ORIN, CAROM_DAMPING_NONE, CAROM_DAMPING_GIVEN,
        CAROM_DAMPING_DEPTH
    };
    pair.stiffness = K;
    pair.exponent = n;
    pair.damping = kinds[law];
    if (law == MARHEFKA_ALPHA) pair.damping_coefficient = 0.4;
    if (law == GIVEN) pair.damping_coefficient = 0.9;
    if (law == DEPTH) {
        pair.damping_coefficient = 1e4;
        pair.damping_depth = 0.5*DEPTH0;
    }
    return pair;
}

static void place(Bench *b, double gap, double approach)
{
    double q = gap + b->half, v = -approach;
    carom_kin_update(b->model, 0.0, &q, &v, &b->kin);
}

// shells: of the body and of the floor.
static Bench bench(const caromPairDef *pair, caromShape shape, double half, double shell_body, double shell_floor)
{
    Bench b = { .half = half };
    Scene s = scene_begin();
    scene_material(&s, "stuff", 1000, 1e9, 0.3);
    carom_builder_pair(s.builder, pair);
    caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } }),
                  solid = carom_model_shape_def(shape);
    plane.shell = shell_floor;
    solid.shell = shell_body;
    caromBodyDef below = scene_body("floor", "stuff", &plane), body = scene_body("body", "stuff", &solid);
    below.fixed = true;
    body.mass = 100;
    scene_add(&s, &below);
    scene_add(&s, &body);
    caromJointDef rail = carom_model_joint_def("rail", CAROM_JOINT_PRISMATIC);
    rail.body[1] = "body";
    rail.position[0] = half + 1;
    carom_builder_joint(s.builder, &rail);
    b.model = scene_end(&s);
    carom_kin_alloc(b.model, &b.kin);
    carom_contact_memory_alloc(b.model, &b.memory);
    place(&b, shell_body + shell_floor, V0);
    caromGap gap = carom_patch_gap(b.model, &b.kin, 0);
    caromTouch touch = carom_contact_touch_begin(b.model, &b.kin, 0, &gap, (caromTouchStart){ 0.0, V0, 100 });
    carom_contact_memory_begin(&b.memory, 0, &touch);
    return b;
}

static void bench_free(Bench *b)
{
    carom_kin_free(&b->kin);
    carom_contact_memory_free(&b->memory);
    carom_model_destroy(b->model);
}

static double force(Bench *b, double gap, double approach)
{
    place(b, gap, approach);
    caromSpatial F[2] = { { { 0 } } };
    carom_contact_forces(b->model, &b->memory, &(caromContactState){ &b->kin, 0.0, NULL }, F, NULL);
    caromContact c = carom_contact_resultant(b->model, &b->memory, &(caromContactState){ &b->kin, 0.0, NULL }, 0);
    CHECK_NEAR(c.fn, F[1].linear.z, 1e-12*fabs(c.fn));
    return F[1].linear.z;
}

static const caromShape ball = { CAROM_SPHERE, { 1, 0, 0 } };

// ---- first touch

static void every_law_begins_at_nothing(void **state)
{
    (void)state;
    const double exponents[] = { 1, 1.5, 2.5 }, speeds[] = { V0, 0, -0.5*V0 };
    for (int law = 0; law < LAWS; law++)
        for (int i = 0; i < 3; i++)
            for (int iv = 0; iv < 3; iv++) {
                double n = exponents[i], v = speeds[iv];
                Numbers numbers;
                caromParameter parameters[3];
                caromPairDef pair = law_pair((Law)law, n, &numbers, parameters);
                Bench b = bench(&pair, ball, 1, 0, 0);
                double at_depth = force(&b, -DEPTH0, 0);
                CHECK_NEAR(at_depth, K1*DEPTH0, 1e-10*K1*DEPTH0);  // the same elastic force for all
                CHECK(force(&b, 0, v) == 0);
                CHECK(force(&b, 1e-9, v) == 0);
                // The gap is a difference of 1 m: known to 1e-16 of d, which is 1e-10 of the smallest here. Elastic
                // laws shrink by 2^n each time d is halved; the damper of `depth` by 4, and what it adds at d is 3 c v
                // (d/full)^2 of the force.
                for (double d = 1e-4*DEPTH0; d > 1e-5*DEPTH0; d *= 0.5) {
                    double big = force(&b, -d, v), small = force(&b, -0.5*d, v);
                    if (law == DEPTH && n > 2) {
                        CHECK(big <= (1 + 1e-6)*K1*pow(DEPTH0, 1 - n)*pow(d, n) + fmax(0,
                                                                                       3e4*v*pow(d/(0.5*DEPTH0), 2)));
                        continue;
                    }
                    double extra = law == DEPTH ? 3e4*fabs(v)*pow(d/(0.5*DEPTH0), 2)/(K1*pow(DEPTH0, 1 - n)*pow(d, n))
                                                : 0;
                    if (!(fabs(big/small - pow(2, n)) <= pow(2, n)*(1e-6 + 2*extra)))
                        fail_msg("%s, n = %g, v = %g: force at %g m is %g of that at half the depth", law_names[law], n,
                                 v, d, big/small);
                    // Slope at the beginning: K(1 + c v) for n = 1, else 0: fn/d falls as d^(n-1).
                    if (n > 1) CHECK(big/d <= 20*pow(d/DEPTH0, n - 1)*K1);
                }
                bench_free(&b);
            }
}

// ---- faces: a flat box has all its area at once, so its force is linear in depth

static void a_flat_box_begins_at_nothing(void **state)
{
    (void)state;
    caromShape box = { CAROM_BOX, { 0.2, 0.2, 0.2 } };
    for (int shelled = 0; shelled < 2; shelled++) {
        caromPairDef pair = carom_model_pair_def("stuff", "stuff");
        pair.restitution = 0.5;
        pair.friction = 0;
        double T = shelled ? 2e-3 : 0;
        Bench b = bench(&pair, box, 0.1, 0.5*T, 0.5*T);
        CHECK(force(&b, T + 1e-9, V0) == 0);
        double slope = force(&b, T - 1e-6, V0)/1e-6;
        CHECK(slope > 0);
        CHECK(force(&b, T, V0) <= 1e-15*slope);  // 0.1 m + T is rounded
        // Along the rim the sides are nearer than the bottom, so the pressed area shrinks by some d/size.
        for (double d = 1e-5; d < 1e-3; d *= 2) CHECK_NEAR(force(&b, T - d, V0)/d, slope, 10*d/0.2*slope);
        // Where the surfaces themselves meet nothing happens.
        if (shelled) {
            double h = 1e-5, at = force(&b, 0, V0);
            CHECK_NEAR((force(&b, -h, V0) - at)/h, (at - force(&b, h, V0))/h, 20*h/0.2*slope);
        }
        bench_free(&b);
    }
}

// ---- shells

static void a_shell_has_no_kink_where_surfaces_meet(void **state)
{
    (void)state;
    const double exponents[] = { 1, 1.5, 2.5 }, T = 5e-3;
    double worst_middle = 0, worst_edge = 0;
    for (int law = 0; law < LAWS; law++)
        for (int i = 0; i < 3; i++) {
            double n = exponents[i];
            Numbers numbers;
            caromParameter parameters[3];
            caromPairDef pair = law_pair((Law)law, n, &numbers, parameters);
            Bench b = bench(&pair, ball, 1, 0.7*T, 0.3*T), bare = bench(&pair, ball, 1, 0, 0);
            double unit = K1*DEPTH0;
            // depth = T - gap: the same law, moved.
            for (double d = 1e-3*T; d < 3*T; d *= 1.7)
                CHECK_NEAR(force(&b, T - d, V0), force(&bare, -d, V0), 1e-9*unit);
            // Slopes on both sides of gap 0 differ by h fn'', fn'' <= n (n - 1) fn/T^2 plus that of the
            // damper, some c/full^2.
            double h = 1e-3*T, at = force(&b, 0, V0), in = (force(&b, -h, V0) - at)/h, out = (at - force(&b, h, V0))/h;
            double bend = 4*h*(fabs(n*(n - 1))*at/(T*T) + (law == DEPTH ? 6e4*V0/pow(0.5*DEPTH0, 2) : 0)) + 1e-9*unit/h;
            worst_middle = fmax(worst_middle, fabs(in - out)/(unit/DEPTH0));
            CHECK_NEAR(in, out, bend);
            // At gap T the slope begins at 0 for n > 1, at once for n = 1.
            double edge = force(&b, T - 1e-3*h, V0)/(1e-3*h)/(unit/DEPTH0);
            CHECK(force(&b, T, V0) <= 1e-14*unit/DEPTH0);  // 1 m + T is rounded
            if (n > 1) {
                worst_edge = fmax(worst_edge, edge);
                CHECK(edge < 20*pow(1e-3*h/DEPTH0, n - 1) + (law == DEPTH ? 3e4*V0*1e-3*h/pow(0.5*DEPTH0, 2)/K1 : 0));
            } else CHECK(edge >= 1 - 1e-6);
            bench_free(&b);
            bench_free(&bare);
        }
    print_message("slopes differ by %.1e at gap 0 and begin with %.1e at gap T\n", worst_middle, worst_edge);
}

// In a run: first touch at gap T, rebound as asked for, the surfaces do not meet when the shell is thick enough.
static void a_ball_with_a_shell_bounces_at_its_shell(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        Scene s = scene_begin();
        s.settings.gravity = carom_vec(0, 0, 0);
        s.settings.tolerance = 1e-8;
        s.settings.until = 0.1;
        scene_material(&s, "stuff", 1000, 1e9, 0.3);
        scene_pair(&s, "stuff", "stuff", 0.6, 0, 0);
        caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } }),
                      sphere = carom_model_shape_def((caromShape){ CAROM_SPHERE, { 0.05, 0, 0 } });
        plane.shell = two ? 1e-3 : 0;
        sphere.shell = 2e-3;
        caromBodyDef below = scene_body("floor", "stuff", &plane), body = scene_body("ball", "stuff", &sphere);
        below.fixed = true;
        body.p_WB = carom_vec(0, 0, 0.1);
        body.v_WB = carom_vec(0, 0, -1);
        scene_add(&s, &below);
        scene_add(&s, &body);
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        expect_completed(r);
        assert_int_equal(r->nevent, 2);
        double T = two ? 3e-3 : 2e-3;
        CHECK_NEAR(r->events[0].time, 0.1 - 0.05 - T, 1e-12);
        CHECK_NEAR(r->events[1].separation.restitution, 0.6, 1e-6);
        CHECK(r->lowest[1] > 0.05);
        CHECK(r->stats.largest_imbalance < 1e-6*r->stats.energy_reference);
        free(r);
        carom_model_destroy(model);
    }
}

// Faces have a shell only against a half-space. Two boxes with shells, or with a law for points, are not run with
// something else in its place.
static void what_faces_cannot_have_is_refused(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        Scene s = scene_begin();
        scene_material(&s, "stuff", 1000, 1e9, 0.3);
        caromPairDef pair = carom_model_pair_def("stuff", "stuff");
        if (which == 1) pair.law = "1e6*d^2";
        carom_builder_pair(s.builder, &pair);
        caromShapeDef box = carom_model_shape_def((caromShape){ CAROM_BOX, { 0.1, 0.1, 0.1 } });
        box.shell = which == 0 ? 1e-3 : 0;
        caromBodyDef low = scene_body("low", "stuff", &box), high = scene_body("high", "stuff", &box);
        low.fixed = true;
        high.p_WB = carom_vec(0, 0, 0.15);
        scene_add(&s, &low);
        scene_add(&s, &high);
        caromModel *model = scene_end(&s);
        caromSim *sim;
        caromError err;
        assert_int_equal(carom_sim_create(model, NULL, &sim, &err), CAROM_ERR_MODEL);
        assert_null(sim);
        assert_string_equal(err.where, which == 0 ? "bodies.low.shapes.shape.shell" : "pairs.0.law");
        caromContactWorld *world;
        err = (caromError){ 0 };
        assert_int_equal(carom_world_create(model, &world, &err), CAROM_ERR_MODEL);
        assert_null(world);
        assert_string_equal(err.where, which == 0 ? "bodies.low.shapes.shape.shell" : "pairs.0.law");
        carom_model_destroy(model);
    }
}

// A shell that is pressed in at the start is a contact, however thick it is: what must not be deep in each other are
// the shapes.
static void a_shell_may_be_pressed_in_at_the_start(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Scene s = scene_begin();
        scene_material(&s, "stuff", 1000, 1e6, 0.3);
        scene_floor(&s, "stuff");
        caromShapeDef sphere = carom_model_shape_def(carom_shape_sphere(0.05));
        sphere.shell = 0.01;
        caromBodyDef body = scene_body("ball", "stuff", &sphere);
        body.p_WB = carom_vec(0, 0, i == 0 ? 0.0505 : 0.044);
        scene_add(&s, &body);
        caromModel *model = scene_end(&s);
        caromProblems problems = { 0 };
        carom_patch_check_start(model, &problems);
        assert_int_equal(problems.errors, i);
        if (i == 1) CHECK(strstr(problems.items[0].message, "'ball' starts 0.006 m deep inside 'floor'"));
        carom_problems_free(&problems);
        carom_model_destroy(model);
    }
}

static double ends_early(void *user, double depth, double speed)
{
    (void)user;
    (void)speed;
    return depth < 2e-4 ? 1e5*depth : (double)NAN;
}

// A law that is no number where the ball gets: the run ends and says which, instead of creeping up to there for ever.
static void a_law_that_ends_ends_the_run(void **state)
{
    (void)state;
    const caromMethodChoice methods[] = { CAROM_METHOD_AUTO, CAROM_METHOD_DP5, CAROM_METHOD_DOP853,
                                          CAROM_METHOD_RODAS5P };
    for (int i = 0; i < 8; i++) {
        Scene s = scene_begin();
        s.settings.method = methods[i % 4];
        scene_material(&s, "stuff", 1000, 1e8, 0.3);
        caromPairDef pair = carom_model_pair_def("stuff", "stuff");
        pair.law_function = ends_early;
        carom_builder_pair(s.builder, &pair);
        scene_floor(&s, "stuff");
        scene_ball(&s, "ball", "stuff", 0.05, carom_vec(0, 0, i < 4 ? 0.05 : 0.06), carom_vec(0, 0, -1));
        caromModel *model = scene_end(&s);
        Record *r = scene_run(model);
        assert_int_equal(r->status, CAROM_ERR_NUMERIC);
        CHECK(strstr(r->error.message, "the law of floor - ball gives no finite force, from a depth of 0.0002 m on"));
        CHECK(r->stats.steps < 2000);
        free(r);
        carom_model_destroy(model);
    }
}

// ---- energy

typedef struct Ledger {
    double start, highest, lowest_then;  // mechanical energy: at the start, the largest rise over the least so far
    bool has_start;
} Ledger;

static caromStatus watch_energy(void *user, const caromSample *s)
{
    Ledger *l = user;
    double total = s->energy.kinetic + s->energy.potential + s->energy.elastic + s->energy.springs;
    if (!l->has_start) *l = (Ledger){ total, 0, total, true };
    l->highest = fmax(l->highest, total - l->lowest_then);
    l->lowest_then = fmin(l->lowest_then, total);
    return CAROM_OK;
}

typedef enum Scenery { DROPPED, DROPPED_LINEAR, DROPPED_DEPTH, TWO_BALLS, BOX, SCENERIES } Scenery;
static const char *const scenery_names[SCENERIES] = { "dropped ball", "dropped ball, linear",
                                                      "dropped ball, damping by depth", "two balls", "box" };

static caromModel *scenery(Scenery which, double tolerance, double e)
{
    Scene s = scene_begin();
    s.settings.tolerance = tolerance;
    s.settings.until = 1;
    s.settings.every = 2e-3;
    scene_material(&s, "stuff", 1000, which == BOX ? 1e9 : 1e7, 0.3);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.restitution = e;
    pair.friction = 0.3;
    if (which == DROPPED_LINEAR || which == DROPPED_DEPTH) {
        pair.stiffness = 1e5;
        pair.exponent = 1;
    }
    if (which == DROPPED_DEPTH) {
        pair.damping = CAROM_DAMPING_DEPTH;
        pair.damping_coefficient = e < 1 ? 50 : 0;
        pair.damping_depth = 1e-3;
    }
    carom_builder_pair(s.builder, &pair);
    scene_floor(&s, "stuff");
    if (which == BOX) {
        scene_box(&s, "box", "stuff", carom_vec(0.1, 0.08, 0.06), carom_vec(0, 0, 0.2),
                  carom_quat_axis_angle(carom_vec(0.6, 0.8, 0), 0.5), carom_vec(0.3, 0, 0), carom_vec(1, 2, 3));
    } else {
        scene_ball(&s, "ball", "stuff", 0.05, carom_vec(0, 0, 0.3), carom_vec(0.2, 0, 0));
        if (which == TWO_BALLS) scene_ball(&s, "other", "stuff", 0.03, carom_vec(0.22, 0.01, 0.3), carom_vec(-1, 0, 0));
    }
    return scene_end(&s);
}

// A step may be off by a tolerance of the energy in motion; of the few steps of an impact some raise it, most of them
// while others lower it.
static void no_tolerance_makes_energy(void **state)
{
    (void)state;
    const double restitution[] = { 0.3, 0.8, 1 };
    for (int which = 0; which < SCENERIES; which++) {
        for (double tolerance = 1e-2; tolerance > 0.5e-10; tolerance *= 1e-2) {
            double worst = 0, worst_off = 0;
            for (int i = 0; i < 3; i++) {
                caromModel *model = scenery((Scenery)which, tolerance, restitution[i]);
                Ledger ledger = { 0 };
                caromSink sink = { &ledger, watch_energy, NULL };
                caromSim *sim;
                caromError err;
                if (carom_sim_create(model, &sink, &sim, &err) != CAROM_OK || carom_sim_run(sim, &err) != CAROM_OK)
                    fail_msg("%s, tolerance %g: %s: %s", scenery_names[which], tolerance, err.where, err.message);
                const caromSimStats *stats = carom_sim_stats(sim);
                double rise = ledger.highest/stats->energy_reference,
                       off = stats->largest_imbalance/stats->energy_reference;
                worst = fmax(worst, rise);
                worst_off = fmax(worst_off, off);
                if (!(rise < 10*tolerance))
                    print_error("%s, e = %g, tolerance %g: energy rose by %g\n", scenery_names[which], restitution[i],
                                tolerance, rise);
                carom_sim_destroy(sim);
                carom_model_destroy(model);
            }
            print_message("%-30s tolerance %g: energy rises by %.1e at most, imbalance %.1e\n", scenery_names[which],
                          tolerance, worst, worst_off);
            CHECK(worst < 10*tolerance);
            if (tolerance < 2e-8) CHECK(worst_off < 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_begins_at_nothing),
        cmocka_unit_test(a_flat_box_begins_at_nothing),
        cmocka_unit_test(a_shell_has_no_kink_where_surfaces_meet),
        cmocka_unit_test(a_ball_with_a_shell_bounces_at_its_shell),
        cmocka_unit_test(what_faces_cannot_have_is_refused),
        cmocka_unit_test(a_shell_may_be_pressed_in_at_the_start),
        cmocka_unit_test(a_law_that_ends_ends_the_run),
        cmocka_unit_test(no_tolerance_makes_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
