// Where a mechanism with closed loops starts: random loops that are closed at a known pose, of which all, some or wrong
// coordinates are given.
#include "kinematics/scales.h"
#include "loops.h"

// What is said of its start, and the start.
typedef struct Told {
    int errors, warnings;
    bool is_closed;
    double q[MECHANISM_BODIES], v[MECHANISM_BODIES];
    double open;               // between the two sides of the closing joint [m]
} Told;

static Told start_of(Loop *l, const double *given, const double *speeds)
{
    caromModel *model = loop_model(l, given, speeds, false);
    caromProblems problems = { 0 };
    Told t = { 0 };
    carom_dyn_check_start(model, &problems);
    t.errors = problems.errors;
    t.warnings = problems.count - problems.errors;
    carom_problems_free(&problems);
    caromDyn *dyn;
    double q[MECHANISM_BODIES], v[MECHANISM_BODIES];
    assert_int_equal(carom_dyn_create(model, &dyn, NULL), CAROM_OK);
    t.is_closed = carom_dyn_start(dyn, q, v) == CAROM_OK;
    CHECK(t.is_closed == (t.errors == 0));
    for (int k = 0; k < l->nbody; k++) {
        caromBodyId body = { k };
        t.q[k] = q[carom_dyn_body_iq(dyn, body)];
        t.v[k] = v[carom_dyn_body_iv(dyn, body)];
    }
    t.open = loop_distance(l, dyn, q, v);
    carom_dyn_destroy(dyn);
    carom_model_destroy(model);
    return t;
}

enum { LOOPS = 100 };

static void what_is_given_and_closed_stays(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        Told t = start_of(&l, l.pose, NULL);
        CHECK(t.is_closed && t.warnings == 0);
        for (int k = 0; k < l.nbody; k++) CHECK_NEAR(t.q[k], l.pose[k], 1e-9);
    }
}

// All are given with an error: the start is next to them, in the same branch, or it is refused; what has moved by more
// than three digits is said.
static void rough_coordinates_keep_their_branch(void **state)
{
    (void)state;
    int nrefused = 0, nsaid = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        double given[MECHANISM_BODIES], most = 0, rough = seed % 2 ? 2e-4 : 0.02;
        for (int k = 0; k < l.nbody; k++) given[k] = l.pose[k] + random_uniform(&r, -rough, rough);
        Told t = start_of(&l, given, NULL);
        nrefused += !t.is_closed;
        nsaid += t.warnings > 0;
        for (int k = 0; k < l.nbody; k++) most = fmax(most, fabs(t.q[k] - given[k]));
        if (!t.is_closed) continue;
        CHECK_NEAR(t.open, 0, 1e-8);
        CHECK(most <= 4*CAROM_KIN_LITTLE);  // lengths of up to some metres
        CHECK(t.warnings > 0 || most <= 4*CAROM_KIN_UNSAID);
    }
    CHECK(nrefused <= LOOPS/20 && nsaid > LOOPS/4);  // refused: next to a dead centre
}

// A chain of joints of all kinds whose end another joint of any kind holds to the world.
static caromModel *random_chain(Random *r, double rough, int nleft_out, Mechanism *m)
{
    static const caromJointKind kinds[] = {
        CAROM_JOINT_REVOLUTE, CAROM_JOINT_PRISMATIC, CAROM_JOINT_CYLINDRICAL, CAROM_JOINT_SCREW, CAROM_JOINT_UNIVERSAL,
        CAROM_JOINT_PLANAR, CAROM_JOINT_SPHERICAL, CAROM_JOINT_FREE_CARDAN, CAROM_JOINT_FREE
    };
    *m = mechanism_begin();
    int n = 2 + random_int(r, 3);
    for (int k = 0; k < n; k++) {
        mechanism_add(m, k - 1, kinds[random_int(r, 9)], random_mass(r));
        random_joint(r, (Recipe){ 0 }, &m->joint[k]);
        for (int i = 0; i < CAROM_JOINT_NV_MAX; i++) m->joint[k].velocity[i] = (double)NAN;
    }
    Motion motion[MECHANISM_BODIES];
    double q[64], v[64];
    mechanism_end(m);
    carom_dyn_start(m->dyn, q, v);
    mechanism_motion(m, 0, q, v, NULL, motion);
    mechanism_free(m);
    caromPose X_WF = { carom_quat_matrix(random_quat(r)), random_vec(r, 1) };
    caromPose X = carom_pose_relative(motion[n - 1].X, X_WF);
    caromJointDef closing = carom_model_joint_def("closing", kinds[random_int(r, 7)]);
    closing.pitch = 0.1;
    closing.p[0] = X_WF.p, closing.q[0] = carom_quat_of(X_WF.R);
    closing.p[1] = X.p, closing.q[1] = carom_quat_of(X.R);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < joint_nq(&m->joint[k]); i++)
            m->joint[k].position[i] = k >= n - nleft_out ? (double)NAN
                                                         : m->joint[k].position[i] + random_uniform(r, -rough, rough);
    caromBuilder *b = mechanism_builder(m);
    closing.body[0] = "world", closing.body[1] = m->names[n - 1];
    carom_builder_joint(b, &closing);
    return finished(b);
}

// As it is drawn, drawn to three digits, and without the coordinates of the last joint: never is something given moved
// by more than a little without an error, and what is closed is closed.
static void joints_of_all_kinds_are_assembled(void **state)
{
    (void)state;
    int nrefused[3] = { 0 };
    for (uint64_t seed = 1; seed <= 3*LOOPS; seed++) {
        Random r = { seed };
        Mechanism m;
        int how = (int)(seed % 3);
        caromModel *model = random_chain(&r, how == 1 ? 1e-3 : 0, how == 2, &m);
        caromDyn *dyn;
        caromProblems problems = { 0 };
        double q[64], v[64], dv[64];
        carom_dyn_check_start(model, &problems);
        assert_int_equal(carom_dyn_create(model, &dyn, NULL), CAROM_OK);
        bool is_closed = carom_dyn_start(dyn, q, v) == CAROM_OK;
        CHECK(is_closed == (problems.errors == 0));
        nrefused[how] += !is_closed;
        for (int k = 0; is_closed && k < m.nbody - (how == 2); k++) {
            const double *given = m.joint[k].position, *got = q + carom_dyn_body_iq(dyn, (caromBodyId){ k });
            bool has_quaternion = joint_quaternion(m.joint[k].kind) >= 0;
            for (int i = 0; !has_quaternion && i < joint_nq(&m.joint[k]); i++)
                CHECK_NEAR(got[i], given[i], how == 0 ? 1e-9 : 4*CAROM_KIN_LITTLE);
        }
        // A state that the loops allow is one that forward dynamics takes.
        if (is_closed) assert_int_equal(carom_dyn_forward(dyn, 0, q, v, NULL, NULL, dv), CAROM_OK);
        carom_problems_free(&problems);
        carom_dyn_destroy(dyn);
        carom_model_destroy(model);
    }
    CHECK(nrefused[0] == 0 && nrefused[1] <= LOOPS/20 && nrefused[2] <= LOOPS/20);
}

// As many as there are degrees of freedom are given: they stay, the others are found.
static void what_is_left_out_is_found(void **state)
{
    (void)state;
    int nrefused = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        double given[MECHANISM_BODIES];
        for (int k = 0; k < l.nbody; k++) given[k] = k < l.freedom ? l.pose[k] : (double)NAN;
        Told t = start_of(&l, given, NULL);
        nrefused += !t.is_closed;
        if (!t.is_closed) continue;
        CHECK_NEAR(t.open, 0, 1e-8);
        for (int k = 0; k < l.freedom; k++) CHECK_NEAR(t.q[k], l.pose[k], 1e-9);
    }
    CHECK(nrefused <= LOOPS/20);  // of 300, eight spatial loops with four and five unknown angles
}

// One more is given, roughly: of the ways to close the one that is next to it is taken.
static void a_rough_coordinate_chooses_the_branch(void **state)
{
    (void)state;
    int nrefused = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        double given[MECHANISM_BODIES];
        for (int k = 0; k < l.nbody; k++) given[k] = k < l.freedom || k == l.nbody - 1 ? l.pose[k] : (double)NAN;
        given[l.nbody - 1] += random_uniform(&r, -0.05, 0.05);
        Told t = start_of(&l, given, NULL);
        nrefused += !t.is_closed;
        if (!t.is_closed) continue;
        CHECK_NEAR(t.open, 0, 1e-8);
        CHECK_NEAR(t.q[l.nbody - 1], given[l.nbody - 1], 4*CAROM_KIN_LITTLE);
        for (int k = 0; k < l.freedom; k++) CHECK_NEAR(t.q[k], l.pose[k], 4*CAROM_KIN_LITTLE);
    }
    CHECK(nrefused <= LOOPS/10);  // of 300, twelve
}

// Opposite bars of a parallelogram are alike, and it has a second way to close from every pose but the flat ones: with
// the bars crossed. The angle of the second crank says which is meant.
static void a_parallelogram_stays_one(void **state)
{
    (void)state;
    int nrefused = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        double crank = random_uniform(&r, 0.2, 1), ground = random_uniform(&r, 0.3, 2), f = random_uniform(&r, -3, 3);
        Loop l = { .m = mechanism_begin(), .nbody = 3, .freedom = 1, .end = { 1, 2 } };
        const double length[3] = { crank, ground, crank };
        for (int k = 0; k < 3; k++) {
            mechanism_add(&l.m, k == 1 ? 0 : -1, CAROM_JOINT_REVOLUTE, random_mass(&r));
            l.m.joint[k].q[0] = l.m.joint[k].q[1] = loop_across;
        }
        l.m.joint[1].p[0] = carom_vec(length[0], 0, 0);
        l.m.joint[2].p[0] = carom_vec(ground, 0, 0);
        l.closing = carom_model_joint_def("closing", CAROM_JOINT_REVOLUTE);
        l.closing.p[0] = carom_vec(length[1], 0, 0), l.closing.p[1] = carom_vec(length[2], 0, 0);
        l.closing.q[0] = l.closing.q[1] = loop_across;
        const double given[3] = { f, (double)NAN, f + random_uniform(&r, -0.02, 0.02) };
        Told t = start_of(&l, given, NULL);
        nrefused += !t.is_closed;
        if (!t.is_closed) continue;
        CHECK_NEAR(t.open, 0, 1e-8);
        CHECK_NEAR(t.q[0], f, CAROM_KIN_LITTLE);
        CHECK_NEAR(t.q[2], given[2], 4*CAROM_KIN_LITTLE);
        double crossed = 2*atan2(sin(f), cos(f) - ground/crank) - f;  // of the second crank, as the other way to close
        bool is_apart = fabs(remainder(crossed - f, 2*3.14159265358979)) > 6*CAROM_KIN_LITTLE;
        if (is_apart) CHECK_NEAR(remainder(t.q[0] + t.q[1], 2*3.14159265358979), 0, 1e-6);
    }
    CHECK(nrefused <= LOOPS/20);
}

// A coordinate is given that is far from where the loop closes: that is refused, or what was given is kept in another
// way.
static void a_wrong_coordinate_is_refused(void **state)
{
    (void)state;
    int nrefused = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        double given[MECHANISM_BODIES];
        for (int k = 0; k < l.nbody; k++) given[k] = l.pose[k];
        given[random_int(&r, l.nbody)] += 1.2;
        Told t = start_of(&l, given, NULL);
        nrefused += !t.is_closed;
        if (!t.is_closed) continue;
        CHECK_NEAR(t.open, 0, 1e-8);
        for (int k = 0; k < l.nbody; k++) CHECK_NEAR(t.q[k], given[k], 4*CAROM_KIN_LITTLE);
    }
    CHECK(nrefused > LOOPS*9/10);
}

// The speed that was given stays, the others follow from it; two that contradict each other are refused.
static void speeds_that_are_given_stay(void **state)
{
    (void)state;
    int nrefused = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        Random r = { seed };
        Loop l = random_loop(&r);
        double speeds[MECHANISM_BODIES];
        for (int k = 0; k < l.nbody; k++) speeds[k] = k < l.freedom ? random_uniform(&r, -5, 5) : (double)NAN;
        Told t = start_of(&l, l.pose, speeds);
        CHECK(t.is_closed && t.warnings == 0);
        for (int k = 0; k < l.freedom; k++) CHECK_NEAR(t.v[k], speeds[k], 1e-6);
        for (int k = 0; k < l.nbody; k++) speeds[k] = t.v[k];
        speeds[l.nbody - 1] += 0.5*(fabs(speeds[l.nbody - 1]) + 5);
        t = start_of(&l, l.pose, speeds);
        nrefused += !t.is_closed;
        CHECK(!t.is_closed || t.warnings > 0);
    }
    CHECK(nrefused > LOOPS/2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_and_closed_stays),
        cmocka_unit_test(rough_coordinates_keep_their_branch),
        cmocka_unit_test(joints_of_all_kinds_are_assembled),
        cmocka_unit_test(what_is_left_out_is_found),
        cmocka_unit_test(a_rough_coordinate_chooses_the_branch),
        cmocka_unit_test(a_parallelogram_stays_one),
        cmocka_unit_test(a_wrong_coordinate_is_refused),
        cmocka_unit_test(speeds_that_are_given_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
