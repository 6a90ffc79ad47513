// The pendulum of [Engelson00], section 7: a rod turns about the origin, 50 kg at 0.5 m of it, and its tip at 1 m
// meets a plane; from springs so soft that the tip swings through to ones a billion times harder, without a
// setting being changed.
//
// The tip is at (-sin q, cos q), gravity along -y, start at q = 1 at rest. A sphere of radius r about the tip meets a
// plane that is r farther away: depth is x_tip - wall, the force along -x acts at the height of the tip.
#include "scene.h"

static const double g = 9.81, M = 50, LC = 0.5, L = 1, IC = 1e-3;

typedef struct Stop {
    double wall;  // x of the plane
    double K, e;
    caromDamping damping;
    double tolerance, until;
    double radius;
} Stop;

static caromModel *pendulum(const Stop *stop)
{
    Scene s = scene_begin();
    s.settings.gravity = carom_vec(0, -g, 0);
    s.settings.until = stop->until;
    if (stop->tolerance > 0) s.settings.tolerance = stop->tolerance;
    s.settings.damping = stop->damping;
    scene_material(&s, "stuff", 1000, 1e9, 0.3);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.restitution = stop->e;
    pair.friction = 0;
    pair.stiffness = stop->K;
    pair.exponent = 1;
    carom_builder_pair(s.builder, &pair);
    caromShapeDef plane = carom_model_shape_def((caromShape){ CAROM_HALF_SPACE, { 0, 0, 0 } });
    caromBodyDef obstacle = scene_body("obstacle", "stuff", &plane);
    obstacle.fixed = true;
    obstacle.p_WB = carom_vec(stop->wall + stop->radius, 0, 0);
    obstacle.q_WB = carom_quat_axis_angle(carom_vec(0, 1, 0), -acos(0));  // z, out of the obstacle, along -x
    scene_add(&s, &obstacle);
    caromShapeDef tip = carom_model_shape_def((caromShape){ CAROM_SPHERE, { stop->radius, 0, 0 } });
    tip.p_BS = carom_vec(0, L, 0);
    caromBodyDef rod = scene_body("rod", "stuff", &tip);
    rod.mass = M;
    rod.com = carom_vec(0, LC, 0);
    rod.inertia = carom_mat_diagonal(IC, IC, IC);
    scene_add(&s, &rod);
    caromJointDef hinge = carom_model_joint_def("hinge", CAROM_JOINT_REVOLUTE);
    hinge.body[1] = "rod";
    hinge.position[0] = 1;
    carom_builder_joint(s.builder, &hinge);
    return scene_end(&s);
}

static double inertia(void) { return M*LC*LC + IC; }
// From the start down to the angle q, without loss.
static double rate_at(double q) { return sqrt(2*M*g*LC*(cos(1) - cos(q))/inertia()); }

// Hits from below the hinge at x = 0.5: q = pi + asin(0.5).
static void hits_a_wall_of_any_stiffness(void **state)
{
    (void)state;
    const caromDamping dampings[] = { CAROM_DAMPING_EXACT, CAROM_DAMPING_ENGELSON_FRACTION };
    const double expected[] = { 0.5, carom_contact_restitution_of(1) };  // (1 - e)/e = 1
    for (int id = 0; id < 2; id++)
        for (double K = 1e3; K < 2e12; K *= 10) {
            // A sphere so large that its centre stays outside however soft the plane is.
            Stop stop = { 0.5, K, 0.5, dampings[id], 0, 10, 1.0 };
            for (int run = 0; run < 2; run++) {
                stop.tolerance = run ? 1e-8 : 0;  // 0: the default
                caromModel *model = pendulum(&stop);
                Record *r = scene_run(model);
                expect_completed(r);
                double q = acos(-1) + asin(0.5), v = rate_at(q)*cos(q - acos(-1));
                CHECK(r->nevent >= 1);
                CHECK_NEAR(r->events[0].touch.speed, v, (run ? 1e-6 : 1e-4)*v);
                double off = r->stats.largest_imbalance/r->stats.energy_reference;
                const caromSeparationEvent unknown = { .depth = NAN, .restitution = NAN };
                const caromSeparationEvent *end = r->nevent > 1 ? &r->events[1].separation : &unknown;
                print_message("%-17s K = %g tolerance %g: %d events, steps %lld, ",
                              carom_model_damping_name(stop.damping), K, run ? 1e-8 : 1e-6, r->nevent,
                              (long long)r->stats.steps);
                print_message("first depth %.3g, rebound %.7f, imbalance %.2g\n", end->depth, end->restitution, off);
                CHECK(off < (run ? 1e-6 : 1e-4));
                // During the impact gravity adds its acceleration along the normal over the duration, and the
                // rod turns by depth/(L cos): the damper follows with tan(30 deg) of that
                // (test_sim_restitution), and so does the rebound.
                if (K >= 1e6) {
                    CHECK(r->nevent >= 2);
                    double pull = M*g*LC*fabs(sin(q))/inertia()*L*cos(q - acos(-1));
                    double turn = end->depth/cos(q - acos(-1));
                    double allowed = 2*pull*end->duration/v + turn + (run ? 1e-6 : 1e-4);
                    CHECK_NEAR(end->restitution, expected[id], allowed);
                }
                free(r);
                carom_model_destroy(model);
            }
        }
}

// To 1e-8 of a depth that is 1.4e-7 m where K = 1e9: the gap is known to 16 roundings of 0.7 m at worst, 2.5e-15 m,
// which would be 1.7e-8; such a plane knows it to one or two.
// Rests on a wall at x = -0.5, before it hangs straight down: the moment of the weight about the hinge is that of the
// spring,
//     M g lc sin q = K d L |cos q|,   d = 0.5 - sin q     (tip at x = -sin q = d - 0.5).
static double rest_depth(double K)
{
    double d = 0;
    for (int i = 0; i < 200; i++) {
        double sine = 0.5 - d;
        d = M*g*LC*sine/(K*L*sqrt(1 - sine*sine));
    }
    return d;
}

typedef struct Rest { Record *record; double depth, fn, speed; } Rest;

static caromStatus watch_rest(void *user, const caromSample *s)
{
    Rest *rest = user;
    rest->depth = s->ncontact > 0 ? s->contacts[0].depth : (double)NAN;
    rest->fn = s->ncontact > 0 ? s->contacts[0].fn : (double)NAN;
    rest->speed = s->joint_v[0];
    return record_sample(rest->record, s);
}

static caromStatus watch_rest_event(void *user, const caromEvent *e) { return record_event(((Rest *)user)->record, e); }

static void comes_to_rest_on_a_wall(void **state)
{
    (void)state;
    const caromDamping dampings[] = { CAROM_DAMPING_EXACT, CAROM_DAMPING_ENGELSON_FRACTION };
    const double stiffness[] = { 5e4, 1e6, 1e9 }, tolerances[] = { 1e-6, 1e-8 }, asked[] = { 0.1, 0.5, 0.9 };
    for (int i = 0; i < 36; i++) {
        int id = i % 2, it = i/2 % 2;
        double K = stiffness[i/4 % 3], e = asked[i/12];
        Stop stop = { -0.5, K, e, dampings[id], tolerances[it], e > 0.5 ? 40 : 20, 0.2 };
        caromModel *model = pendulum(&stop);
        Rest rest = { .record = calloc(1, sizeof *rest.record) };
        Record *r = rest.record;
        caromSink sink = { &rest, watch_rest, watch_rest_event };
        caromSim *sim;
        r->status = carom_sim_create(model, &sink, &sim, &r->error);
        if (r->status == CAROM_OK) r->status = carom_sim_run(sim, &r->error);
        expect_completed(r);
        r->stats = *carom_sim_stats(sim);
        double depth = rest_depth(K), off = r->stats.largest_imbalance/r->stats.energy_reference;
        print_message("%-17s e = %g K = %g tolerance %g: %d events, last at %.3f s, steps %lld, depth %.12g for %.12g "
                      "(%.2g), fn %.9g (%.2g), rate %.2g, imbalance %.2g\n", carom_model_damping_name(stop.damping), e,
                      K, stop.tolerance, r->nevent, r->events[r->nevent - 1].time, (long long)r->stats.steps,
                      rest.depth, depth, fabs(rest.depth/depth - 1), rest.fn, rest.fn/(K*depth) - 1, rest.speed, off);
        CHECK_NEAR(rest.depth, depth, 1e-8*depth);
        CHECK_NEAR(rest.fn, K*depth, 1e-8*K*depth);
        CHECK(off < (it ? 1e-6 : 1e-4));
        CHECK(r->events[r->nevent - 1].kind == CAROM_EVENT_TOUCH);
        CHECK(r->stats.steps < 300 + 20*r->nevent);  // impacts and flights take some steps each, rest next to none
        free(r);
        carom_sim_destroy(sim);
        carom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_a_wall_of_any_stiffness),
        cmocka_unit_test(comes_to_rest_on_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
