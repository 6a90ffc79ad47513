// Rigid impacts in time, against closed forms: a ball that bounces, cubes that keep what they have, pendulums on
// obstacles, an impact through a closed loop, and the stiff limit of the compliant response.
#include "carom/carom.h"

#include "check.h"

static caromModel *model_of(const char *text, const char *const *overrides, int n)
{
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    caromStatus status = carom_modelfile_read(text, strlen(text), overrides, n, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        if (!problems.items[i].is_warning) print_error("%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_problems_free(&problems);
    if (status != CAROM_OK) fail();
    return model;
}

enum { IMPACTS_MAX = 400, BODIES_MAX = 8 };

typedef struct Record {
    int nimpact;
    caromEvent impacts[IMPACTS_MAX];
    double energy;           // kinetic and potential, at the last sample
    double largest_rise;
    bool has_energy;
    int nbody;
    caromPose X[BODIES_MAX];      // at the last sample
    caromSpatial V[BODIES_MAX];
} Record;

static caromStatus see_event(void *user, const caromEvent *event)
{
    Record *r = user;
    if (event->kind == CAROM_EVENT_IMPACT && r->nimpact < IMPACTS_MAX) r->impacts[r->nimpact++] = *event;
    return CAROM_OK;
}

static caromStatus see_sample(void *user, const caromSample *s)
{
    Record *r = user;
    double energy = s->energy.kinetic + s->energy.potential;
    if (r->has_energy) r->largest_rise = fmax(r->largest_rise, energy - r->energy);
    r->energy = energy;
    r->has_energy = true;
    r->nbody = s->nbody < BODIES_MAX ? s->nbody : BODIES_MAX;
    for (int i = 0; i < r->nbody; i++) {
        r->X[i] = s->X_WB[i];
        r->V[i] = s->V_WB[i];
    }
    return CAROM_OK;
}

// Runs to the end, or to the first impact.
static caromSimStats run(const caromModel *model, Record *r, bool to_first)
{
    caromError err;
    caromSim *sim;
    caromSink sink = { r, see_sample, see_event };
    *r = (Record){ 0 };
    if (carom_sim_create(model, &sink, &sim, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    bool done = false;
    while (!done && !(to_first && r->nimpact > 0))
        if (carom_sim_step(sim, &done, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    caromSimStats stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    return stats;
}

// ---- a ball

static const char *const ball = "carom: 1\n"
                                "pairs: [{between: [steel, glass], restitution: 0.5, friction: 0}]\n"
                                "contact: {response: rigid}\n"
                                "bodies:\n"
                                "  floor: {fixed: true, material: steel, shape: {half-space: {normal: [0, 0, 1]}}}\n"
                                "  ball: {material: glass, mass: 1 kg, shape: {sphere: {radius: 0.1}}, position: "
                                "[0, 0, 1.1]}\n"
                                "simulate: {until: 120 s, every: 120 s, tolerance: 1e-12}\n";

// Impact k at t1 (1 + 2 e (1 - e^(k-1))/(1 - e)), t1 = sqrt(2 h/g), until hops are within rounding of their end.
static void test_times_of_a_ball(void **state)
{
    (void)state;
    static const double restitutions[] = { 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99 };
    static Record r;
    for (size_t i = 0; i < sizeof restitutions/sizeof *restitutions; i++) {
        double e = restitutions[i], t1 = sqrt(2.0/9.81), v1 = 9.81*t1;
        char text[64];
        snprintf(text, sizeof text, "pairs.0.restitution=%.17g", e);
        const char *override = text;
        caromModel *model = model_of(ball, &override, 1);
        run(model, &r, false);
        carom_model_destroy(model);
        int n = r.nimpact < 100 ? r.nimpact : 100;
        CHECK(n == 100 || v1*pow(e, n) < 1e-4);  // all that are left are within a tenth of a millisecond
        for (int k = 0; k < n; k++) {
            double part = pow(e, k), time = t1*(1.0 + 2.0*e*(1.0 - part)/(1.0 - e));
            double rounding = 5e-17/(v1*part*(1.0 - e));  // of a gap at 0.1 m, over the speeds so far
            CHECK_NEAR(r.impacts[k].time, time, 1e-12*time + rounding);
            // A rounding of the position is 1e-16 m.
            CHECK_NEAR(r.impacts[k].impact.speed, v1*part, 1e-12*v1 + 1e-15/(v1*part));
        }
    }
}

// ---- four cubes

// Free, elastic, without friction: energy, momentum and angular momentum stay.
static void test_elastic_cubes(void **state)
{
    (void)state;
    static const char *const cubes =
        "carom: 1\ngravity: [0, 0, 0]\ncontact: {response: rigid}\n"
                                     "pairs: [{between: [aluminium, aluminium], restitution: 1, friction: 0}]\n"
                                     "bodies:\n"
                                     "  left: {material: aluminium, mass: 1 kg, shape: {box: {size: [10 cm, 10 cm, "
                                     "10 cm]}}, position: [-0.3, 0, 0], orientation: {angles: [10 deg, 25 deg, "
                                     "30 deg]}, velocity: [0.5, 0, 0], angular_velocity: [1, 2, 0]}\n"
                                     "  right: {material: aluminium, mass: 1 kg, shape: {box: {size: [10 cm, 10 cm, "
                                     "10 cm]}}, position: [0.3, 0.01, 0], orientation: {angles: "
                                     "[45 deg, 0, 20 deg]}, velocity: [-0.5, 0, 0], angular_velocity: [0, -2, 3]}\n"
                                     "  upper: {material: aluminium, mass: 1 kg, shape: {box: {size: [10 cm, 10 cm, "
                                     "10 cm]}}, position: [-0.03, 0.09, 0.09], orientation: {angles: [40 deg, 50 deg, "
                                     "0]}, velocity: [0, -0.2, -0.2]}\n"
                                     "  front: {material: aluminium, mass: 1 kg, shape: {box: {size: [10 cm, 10 cm, "
                                     "10 cm]}}, position: [0.03, -0.09, -0.09], orientation: {angles: [0, 60 deg, "
                                     "30 deg]}, velocity: [0, 0.2, 0.2]}\n"
                                     "simulate: {until: 3 s, every: 3 s, tolerance: 1e-12}\n";
    static Record r;
    caromModel *model = model_of(cubes, NULL, 0);
    caromSimStats stats = run(model, &r, false);
    double inertia = 0.01/6.0, scale = 0.0;
    caromVec3 p = { 0, 0, 0 }, L = { 0, 0, 0 };
    for (int i = 0; i < 4; i++) {
        p = carom_add(p, r.V[i].linear);
        L = carom_add(L, carom_add(carom_cross(r.X[i].p, r.V[i].linear), carom_scale(inertia, r.V[i].angular)));
        scale += carom_norm(carom_cross(r.X[i].p, r.V[i].linear));
    }
    double kinetic = 0.5*(0.25 + 0.25 + 0.08 + 0.08 + inertia*(5.0 + 13.0));
    caromVec3 L0 = carom_scale(inertia, carom_vec(1, 0, 3));
    // The others' arms are along their velocities, or cancel.
    L0 = carom_add(L0, carom_cross(carom_vec(0.3, 0.01, 0), carom_vec(-0.5, 0, 0)));
    L0 = carom_add(L0, carom_cross(carom_vec(-0.03, 0.09, 0.09), carom_vec(0, -0.2, -0.2)));
    L0 = carom_add(L0, carom_cross(carom_vec(0.03, -0.09, -0.09), carom_vec(0, 0.2, 0.2)));
    CHECK(r.nimpact >= 3);
    CHECK_NEAR(r.energy, kinetic, 1e-12*kinetic);
    CHECK_VEC(p, carom_vec(0, 0, 0), 1e-12);
    CHECK_VEC(L, L0, 1e-12*scale);
    CHECK_NEAR(stats.largest_imbalance, 0.0, 1e-12*kinetic);
    carom_model_destroy(model);
}

// ---- pendulums

// Engelson's pendulum [Engelson00]: 50 kg in the middle of a bar of 1 m, an obstacle for its end at x = 0.5. It leaves
// the obstacle with e times the speed that it came with and, since nothing else takes energy, comes back with it:
// speeds halve, swing by swing, until they graze.
static void test_pendulum_on_an_obstacle(void **state)
{
    (void)state;
    static const char *const pendulum =
        "carom: 1\ngravity: [0, -9.81, 0]\ncontact: {response: rigid}\n"
                                        "pairs: [{between: [steel, glass], restitution: 0.5, friction: 0}]\n"
                                        "bodies:\n"
                                        "  wall: {fixed: true, material: steel, shape: {half-space: {normal: [-1, 0, "
                                        "0], offset: -0.5 m}}}\n"
                                        "  bar: {material: glass, mass: 50 kg, com: [0, 0.5, 0], inertia: [1e-3, 1e-3, "
                                        "1e-3], shape: {sphere: {radius: 1 mm}, position: [0, 1, 0]}}\n"
                                        "joints:\n  hinge: {type: revolute, between: [world, bar], axis: [0, 0, 1], "
                                        "angle: 1 rad}\n"
                                        "simulate: {until: 30 s, every: 10 ms, tolerance: 1e-12}\n";
    static Record r;
    caromModel *model = model_of(pendulum, NULL, 0);
    run(model, &r, false);
    // The end (-sin q, cos q) and the ball around it touch the wall at sin q = -(0.5 - 0.001); height of the mass 0.5
    // cos q.
    double sine = -(0.5 - 1e-3), cosine = -sqrt(1.0 - sine*sine), inertia = 50.0*0.25 + 1e-3;
    double rate = sqrt(2.0*50.0*9.81*0.5*(cos(1.0) - cosine)/inertia), speed = rate*-cosine;
    CHECK(r.nimpact >= 15);
    for (int k = 0; k < 15; k++) {
        double expected = speed*pow(0.5, k);
        CHECK_NEAR(r.impacts[k].impact.speed, expected, 1e-10*speed*speed/expected);  // energies are known to 1e-10
        CHECK_NEAR(r.impacts[k].impact.restitution, 0.5, 1e-9);
    }
    CHECK(r.largest_rise < 1e-9*50*9.81);
    carom_model_destroy(model);
}

// A double pendulum that hits the floor, with friction: energy never rises, between impacts, in them, and while it lies
// there.
static void test_double_pendulum_on_the_floor(void **state)
{
    (void)state;
    static const char *const pendulum =
        "carom: 1\ncontact: {response: rigid}\n"
                                        "pairs: [{between: [steel, glass], restitution: 0.7, friction: 0.2}]\n"
                                        "bodies:\n"
                                        "  floor: {fixed: true, material: steel, shape: {half-space: "
                                        "{normal: [0, 0, 1]}}}\n"
                                        "  upper: {material: glass, mass: 1 kg, shape: {capsule: {radius: 2 cm, "
                                        "length: 1 m}}}\n"
                                        "  lower: {material: glass, mass: 1 kg, shape: {capsule: {radius: 2 cm, "
                                        "length: 1 m}}}\n"
                                        "joints:\n"
                                        "  shoulder: {type: revolute, between: [world, upper], at: [0, 0, 1.6], axis: "
                                        "[0, 1, 0], child_at: [0, 0, 0.5], angle: 90 deg}\n"
                                        "  elbow: {type: revolute, between: [upper, lower], axis: [0, 1, 0], at: [0, "
                                        "0, -0.5], child_at: [0, 0, 0.5]}\n"
                                        "simulate: {until: 60 s, every: 5 ms, tolerance: 1e-9}\n";
    static Record r;
    caromModel *model = model_of(pendulum, NULL, 0);
    caromSimStats stats = run(model, &r, false);
    CHECK_NEAR(stats.time, 60.0, 0.0);
    CHECK(r.nimpact > 10);
    double scale = stats.energy_scale;
    CHECK(r.largest_rise < 1e-7*scale);
    CHECK(stats.largest_imbalance < 1e-6*scale);
    for (int k = 0; k < r.nimpact; k++) {
        const caromImpactEvent *impact = &r.impacts[k].impact;
        CHECK(impact->lost_normal >= -1e-12*scale && impact->lost_friction >= -1e-12*scale);
    }
    carom_model_destroy(model);
}

// ---- an impact through a closed loop

enum { PLANE = 9, EQUATIONS = 8 };

// Solves A x = b by elimination with pivots; A [n][n] is overwritten.
static void solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) if (fabs(A[i*n + k]) > fabs(A[best*n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double t = A[k*n + j];
            A[k*n + j] = A[best*n + j];
            A[best*n + j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < n; i++) {
            double f = A[i*n + k]/A[k*n + k];
            for (int j = k; j < n; j++) A[i*n + j] -= f*A[k*n + j];
            b[i] -= f*b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k*n + j]*b[j];
        b[k] /= A[k*n + k];
    }
}

// Row of the velocity of the point p of bar `bar` along x or z, for speeds (x, z, turn about y) of three bars with
// centres c.
static void point_row(double *row, int bar, caromVec3 c, caromVec3 p, bool along_z, double sign)
{
    row[3*bar + (along_z ? 1 : 0)] += sign;
    row[3*bar + 2] += sign*(along_z ? -(p.x - c.x) : p.z - c.z);
}

// A four-bar whose coupler carries an arm that strikes the floor. In maximal coordinates: three bars with three
// speeds each, four hinges with two equations each; the impulse p at the arm makes M dv = C^T lambda + j p, C dv = 0,
// and j.dv = -(1 + e) v_n.
static void test_impact_through_a_four_bar(void **state)
{
    (void)state;
    static const char *const linkage =
        "carom: 1\ncontact: {response: rigid}\n"
                                       "pairs: [{between: [steel, glass], restitution: 0.6, friction: 0}]\n"
                                       "bodies:\n"
                                       "  floor: {fixed: true, material: steel, shape: {half-space: {normal: [0, 0, "
                                       "1], offset: -0.06 m}}}\n"
                                       "  crank: {mass: 1 kg, inertia: [0.01, 0.01, 0.01]}\n"
                                       "  coupler: {material: glass, mass: 2 kg, com: [0, 0, 0], inertia: [0.05, 0.05, "
                                       "0.05], shape: {sphere: {radius: 1 cm}, position: [0.05, 0, -0.3]}}\n"
                                       "  rocker: {mass: 1.5 kg, inertia: [0.02, 0.02, 0.02]}\n"
                                       "joints:\n"
                                       "  a: {type: revolute, between: [world, crank], axis: [0, 1, 0], at: [0, 0, 0], "
                                       "child_at: [-0.1, 0, 0], angle: -60 deg, angle_rate: 6 rad/s}\n"
                                       "  b: {type: revolute, between: [crank, coupler], axis: [0, 1, 0], at: [0.1, 0, "
                                       "0], child_at: [-0.25, 0, 0]}\n"
                                       "  d: {type: revolute, between: [world, rocker], axis: [0, 1, 0], at: [0.5 m, "
                                       "0, 0], child_at: [-0.2, 0, 0], angle: -80 deg}\n"
                                       "  c: {type: revolute, between: [coupler, rocker], axis: [0, 1, 0], at: [0.25, "
                                       "0, 0], child_at: [0.2, 0, 0]}\n"
                                       "simulate: {until: 5 s, every: 1 ms, tolerance: 1e-11}\n";
    static Record r;
    caromModel *model = model_of(linkage, NULL, 0);
    run(model, &r, true);
    CHECK(r.nimpact == 1);
    const caromEvent *e = &r.impacts[0];
    static const double mass[3] = { 1, 2, 1.5 }, inertia[3] = { 0.01, 0.05, 0.02 };
    const caromPose *X = r.X + 1;  // at the impact: its sample is the last
    caromVec3 A = { 0, 0, 0 }, D = { 0.5, 0, 0 }, B = carom_pose_point(X[0], carom_vec(0.1, 0, 0)),
              C = carom_pose_point(X[1], carom_vec(0.25, 0, 0));
    double rows[EQUATIONS][PLANE] = { { 0 } }, j[PLANE] = { 0 };
    for (int k = 0; k < 2; k++) {
        point_row(rows[k], 0, X[0].p, A, k == 1, 1);
        point_row(rows[2 + k], 0, X[0].p, B, k == 1, 1);
        point_row(rows[2 + k], 1, X[1].p, B, k == 1, -1);
        point_row(rows[4 + k], 1, X[1].p, C, k == 1, 1);
        point_row(rows[4 + k], 2, X[2].p, C, k == 1, -1);
        point_row(rows[6 + k], 2, X[2].p, D, k == 1, 1);
    }
    point_row(j, 1, X[1].p, e->p_W, true, 1);
    enum { N = PLANE + EQUATIONS };
    double K[N*N] = { 0 }, x[N] = { 0 };  // response to p = 1
    for (int i = 0; i < PLANE; i++) {
        K[i*N + i] = i % 3 == 2 ? inertia[i/3] : mass[i/3];
        x[i] = j[i];
        for (int k = 0; k < EQUATIONS; k++) K[i*N + PLANE + k] = K[(PLANE + k)*N + i] = rows[k][i];
    }
    solve(N, K, x);
    double answer = 0.0;
    for (int i = 0; i < PLANE; i++) answer += j[i]*x[i];
    double impulse = 1.6*e->impact.speed/answer;
    CHECK(e->impact.speed > 0.1);
    CHECK_NEAR(e->impact.impulse, impulse, 1e-9*impulse);
    CHECK_NEAR(e->impact.v_after.z, 0.6*e->impact.speed, 1e-9*e->impact.speed);
    // One degree of freedom: speeds after are those before times a number, and so are their changes: all bars turn
    // as x says.
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(r.V[1 + i].angular.y*x[2], r.V[1].angular.y*x[3*i + 2], 1e-9*fabs(r.V[1].angular.y*x[2]));
    carom_model_destroy(model);
}

// ---- the stiff limit

// A ball with spin bounces on a floor with friction: positions after two impacts differ from the rigid ones by the time
// that impacts take, which falls with the root of the stiffness.
static void test_stiff_limit(void **state)
{
    (void)state;
    static const char *const thrown =
        "carom: 1\ncontact: {response: compliant}\n"
                                      "pairs: [{between: [steel, glass], restitution: 0.7, friction: 0.2, "
                                      "stiffness: 1e5 N/m, exponent: 1}]\n"
                                      "bodies:\n"
                                      "  floor: {fixed: true, material: steel, shape: {half-space: "
                                      "{normal: [0, 0, 1]}}}\n"
                                      "  ball: {material: glass, mass: 1 kg, shape: {sphere: {radius: 0.1}}, position: "
                                      "[0, 0, 0.5], velocity: [1, 0.3, 0], angular_velocity: [0, -20, 3]}\n"
                                      "simulate: {until: 0.8 s, every: 0.8 s, tolerance: 1e-10}\n";
    static Record r;
    const char *rigid = "contact.response=rigid";
    caromModel *model = model_of(thrown, &rigid, 1);
    run(model, &r, false);
    CHECK(r.nimpact == 2);
    caromVec3 p = r.X[1].p, w = r.V[1].angular;
    carom_model_destroy(model);
    double before = 0.0, before_w = 0.0;
    static const char *const stiffness[] = { "pairs.0.stiffness=1e7 N/m", "pairs.0.stiffness=1e9 N/m",
                                             "pairs.0.stiffness=1e11 N/m" };
    for (int k = 0; k < 3; k++) {
        model = model_of(thrown, &stiffness[k], 1);
        run(model, &r, false);
        carom_model_destroy(model);
        double off = carom_norm(carom_sub(r.X[1].p, p)), off_w = carom_norm(carom_sub(r.V[1].angular, w));
        print_message("stiffness %s: position off by %.3e m, spin by %.3e rad/s\n", stiffness[k] + 18, off, off_w);
        if (k > 0) {
            CHECK_NEAR(before/off, 10.0, 2.0);  // a hundred times stiffer: ten times nearer
            CHECK(off_w < before_w);
        }
        before = off;
        before_w = off_w;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_of_a_ball), cmocka_unit_test(test_elastic_cubes),
        cmocka_unit_test(test_pendulum_on_an_obstacle), cmocka_unit_test(test_double_pendulum_on_the_floor),
        cmocka_unit_test(test_impact_through_a_four_bar), cmocka_unit_test(test_stiff_limit)
    };
    return cmocka_run_group_tests_name("sim_rigid_impacts", tests, NULL, NULL);
}
