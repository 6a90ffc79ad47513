// Forces in given modes: equalities, margins, soundness.
#include "stay_fixture.h"
#include "unilateral/stay.h"

static const double X[3] = { 1, 0, 0 }, Y[3] = { 0, 1, 0 }, Z[3] = { 0, 0, 1 };
static const double g = 9.81;

static double soundness(StayScene *s)
{
    s->problem = (caromStayProblem){ s->n, s->contact, s->G, s->bias, NULL };
    caromStayWork *work = carom_unilateral_alloc(s->n);
    assert_non_null(work);
    double sound = carom_unilateral_soundness(&s->problem, work);
    carom_unilateral_free(work);
    return sound;
}

static double acceleration(const StayScene *s, int p)
{
    double a = s->bias[p];
    for (int q = 0; q < 3*s->n; q++) a += s->G[p*3*s->n + q]*s->f[q];
    return a;
}

// 4 kg pulled up by 60 N: equalities keep it down, with forces that pull.
static void equalities_hold_whatever_the_sign(void **state)
{
    (void)state;
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 4, 1, 1, 1, 0, 0, 1);
    body->force[2] = 60 - 4*g;
    for (int k = 0; k < 3; k++)
        stay_contact(&s, -1, 0, (double[]){ cos(2.1*k), sin(2.1*k), 0 }, Z, X, 0.5)->mode = CAROM_MODE_ROLLING;
    stay_build(&s);
    CHECK(stay_forces(&s, NULL));
    double wrench[6];
    stay_wrench(&s, 0, wrench);
    CHECK_NEAR(wrench[2], 4*g - 60, 1e-12*60);
    for (int p = 0; p < 9; p++) CHECK_NEAR(acceleration(&s, p), 0, 1e-12*60);
    CHECK(carom_unilateral_margin(&s.contact[0], s.f).press < 0);
}

// Wanted accelerations take drift back.
static void wanted_accelerations(void **state)
{
    (void)state;
    StayScene s = { 0 };
    stay_body(&s, 4, 1, 1, 1, 0, 0, 1)->force[2] = -4*g;
    for (int k = 0; k < 3; k++)
        stay_contact(&s, -1, 0, (double[]){ cos(2.1*k), sin(2.1*k), 0 }, Z, X, 0.5)->mode = k ? CAROM_MODE_SLIDING
                                                                                              : CAROM_MODE_ROLLING;
    stay_build(&s);
    double drift[9] = { 0.1, -0.2, 0.3, 0.05, 7, 7, -0.02, 7, 7 };  // tangential ones of sliding contacts do not matter
    CHECK(stay_forces(&s, drift));
    const int held[5] = { 0, 1, 2, 3, 6 };
    for (int k = 0; k < 5; k++) CHECK_NEAR(acceleration(&s, held[k]), drift[held[k]], 1e-12*4*g);
}

// Four legs on which a table slides and turns: each friction against its own slip, and loads as on springs, D
// lambda linear in the place.
static void sliding_table_rests_as_on_springs(void **state)
{
    (void)state;
    StayScene s = { 0 };
    stay_body(&s, 10, 2, 3, 4, 0.1, 0.05, 0.4)->force[2] = -10*g;
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1;
        caromStay *c = stay_contact(&s, -1, 0, (double[]){ x, y, 0 }, Z, X, 0.3);
        c->mode = CAROM_MODE_SLIDING;
        c->slip[0] = 1 - 0.5*y, c->slip[1] = 0.5*x;
        c->compliance = 1 + k;
    }
    stay_build(&s);
    CHECK(stay_forces(&s, NULL));
    double w[4];
    for (int k = 0; k < 4; k++) {
        double speed = hypot(s.contact[k].slip[0], s.contact[k].slip[1]);
        w[k] = (1 + k)*s.f[3*k];
        CHECK_NEAR(acceleration(&s, 3*k), 0, 1e-12*g);
        for (int e = 0; e < 2; e++) CHECK_NEAR(s.f[3*k + 1 + e], -0.3*s.f[3*k]*s.contact[k].slip[e]/speed, 1e-13*98.1);
    }
    CHECK_NEAR(w[0] + w[3], w[1] + w[2], 1e-11*98.1);  // flat
}

// A leg that would pull is excused while three carry the table: nothing is negative, and its force is 0.
static void redundant_legs_do_not_pull(void **state)
{
    (void)state;
    StayScene s = { 0 };
    stay_body(&s, 10, 2, 3, 4, 0.8, 0.6, 0.4)->force[2] = -10*g;
    for (int k = 0; k < 4; k++)
        stay_contact(&s, -1, 0, (double[]){ k & 1 ? 1 : -1, k & 2 ? 1 : -1, 0 }, Z, X, 0)->mode = CAROM_MODE_SLIDING;
    stay_build(&s);
    CHECK(stay_forces(&s, NULL));
    CHECK_NEAR(s.f[0], 0, 0);
    CHECK_NEAR(s.f[3], 10*g*0.2, 1e-12*98.1);   // moments: (1 - y)/2 and (1 - x)/2 of the weight
    CHECK_NEAR(s.f[6], 10*g*0.1, 1e-12*98.1);
    CHECK_NEAR(s.f[9], 10*g*0.7, 1e-12*98.1);
}

// Beyond the edge the two legs behind have to pull: the margin changes its sign there, without a jump.
static void margin_crosses_where_the_table_tips(void **state)
{
    (void)state;
    for (int k = -1; k <= 1; k += 2) {
        StayScene s = { 0 };
        stay_body(&s, 10, 2, 3, 4, 1 + 1e-6*k, 0.3, 0.4)->force[2] = -10*g;
        for (int i = 0; i < 4; i++)
            stay_contact(&s, -1, 0, (double[]){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0 }, Z, X,
                         0)->mode = CAROM_MODE_SLIDING;
        stay_build(&s);
        CHECK(stay_forces(&s, NULL));
        double least = 1e9;
        for (int i = 0; i < 4; i++) least = fmin(least, carom_unilateral_margin(&s.contact[i], s.f + 3*i).press);
        CHECK(k > 0 ? least < 0 && least > -1e-3 : least >= 0);
    }
}

// A plane through D f of the legs that press: w = q0 + q1 x + q2 y, least squares by normal equations.
static void fit_plane(const StayScene *s, double q[3])
{
    double A[3][4] = { 0 };
    for (int i = 0; i < s->n; i++) {
        double v[3] = { 1, s->point[i][0], s->point[i][1] };
        if (!(s->f[3*i] > 0)) continue;
        for (int a = 0; a < 3; a++) {
            A[a][3] += v[a]*s->contact[i].compliance*s->f[3*i];
            for (int c = 0; c < 3; c++) A[a][c] += v[a]*v[c];
        }
    }
    for (int c = 0; c < 3; c++)
        for (int i = c + 1; i < 3; i++)
            for (int j = 3; j >= c; j--) A[i][j] -= A[i][c]/A[c][c]*A[c][j];
    for (int c = 2; c >= 0; c--) {
        q[c] = A[c][3];
        for (int j = c + 1; j < 3; j++) q[c] -= A[c][j]*q[j];
        q[c] /= A[c][c];
    }
}

// A plate on 4 to 12 legs of different compliance anywhere, its weight inside their hull: each leg carries max(0, w)/D
// of one plane w, as springs do.
static void plates_rest_as_on_springs(void **state)
{
    (void)state;
    static StayScene s, chosen;
    Random r = { 5 };
    int stand = 0;
    for (int k = 0; k < 1000; k++) {
        memset(&s, 0, sizeof s);
        int n = 4 + (int)random_uniform(&r, 0, 9);
        stay_body(&s, 10, 2, 3, 4, random_uniform(&r, -0.7, 0.7), random_uniform(&r, -0.7, 0.7), 0.7)->force[2] = -10*g;
        for (int i = 0; i < n; i++) {
            caromStay *leg = stay_contact(&s, -1, 0, (double[]){ random_uniform(&r, -1, 1), random_uniform(&r, -1, 1),
                                                                 0 }, Z, X, 0);
            leg->compliance = random_uniform(&r, 0.3, 3);
            leg->mode = CAROM_MODE_SLIDING;
        }
        stay_build(&s);
        chosen = s;
        assert_int_equal(stay_choose(&chosen, NULL), CAROM_STAY_OK);
        bool tips = false;
        for (int i = 0; i < n; i++) tips = tips || chosen.contact[i].mode == CAROM_MODE_FLIGHT;
        if (tips) continue;
        double q[3];
        CHECK(stay_forces(&s, NULL));
        fit_plane(&s, q);
        for (int i = 0; i < n; i++) {
            double w = q[0] + q[1]*s.point[i][0] + q[2]*s.point[i][1];
            // Normal equations of legs nearly in line: condition squared, up to 1e8.
            CHECK_NEAR(s.f[3*i], fmax(0, w)/s.contact[i].compliance, 1e-8*98.1);
        }
        stand++;
    }
    CHECK(stand > 400);
}

static void margins(void **state)
{
    (void)state;
    caromStay contact = { .friction = 0.3, .static_friction = 0.5, .compliance = 1, .slip_small = 1e-9,
                          .mode = CAROM_MODE_ROLLING };
    caromStayMargin margin = carom_unilateral_margin(&contact, (double[]){ 10, 3, -4 });
    CHECK_NEAR(margin.press, 10, 0);
    CHECK_NEAR(margin.reserve, 0, 0);
    contact.mode = CAROM_MODE_SLIDING;
    CHECK(isinf(carom_unilateral_margin(&contact, (double[]){ 10, 3, -4 }).reserve));
    contact.mode = CAROM_MODE_ROLLING;
    contact.delta = 1e-3;  // regularised: rolls by name only
    CHECK(isinf(carom_unilateral_margin(&contact, (double[]){ 10, 3, -4 }).reserve));
}

// One rod: soundness is A over its value without friction, 1 - 3 mu sin cos/(1 + 3 cos^2); at 0 there are no forces.
static void soundness_of_painleves_rod(void **state)
{
    (void)state;
    double theta = atan(2.0), G_nn = 1.6, G_nt = -1.2;
    for (int k = 0; k <= 20; k++) {
        double mu = 0.1*k;
        StayScene s = { 0 };
        StayBody *body = stay_body(&s, 1, 1, 1, 1.0/3, cos(theta), sin(theta), 0);
        body->planar = true;
        body->force[1] = -g;
        caromStay *contact = stay_contact(&s, -1, 0, (double[]){ 0, 0, 0 }, Y, X, mu);
        contact->slip[0] = -1;
        contact->mode = CAROM_MODE_SLIDING;
        stay_build(&s);
        CHECK_NEAR(s.G[0], G_nn, 1e-15);
        CHECK_NEAR(s.G[1], G_nt, 1e-15);
        CHECK_NEAR(soundness(&s), (G_nn + mu*G_nt)/G_nn, 1e-14);
        bool sound = stay_forces(&s, NULL);
        CHECK(sound == (mu < 4.0/3));
        if (sound) CHECK_NEAR(s.f[0], g/(G_nn + mu*G_nt), 1e-12*s.f[0]);
        contact->mode = CAROM_MODE_FLIGHT;
        CHECK_NEAR(soundness(&s), 1, 0);
    }
}

// Forces of light bodies beside heavy ones are as exact as their own.
static void scales_do_not_mix(void **state)
{
    (void)state;
    StayScene s = { 0 };
    double masses[2] = { 1e-6, 1e6 };
    for (int k = 0; k < 2; k++) {
        double m = masses[k];
        stay_body(&s, m, m, m, m, 10*k, 0, 1)->force[2] = -m*g;
        for (int i = 0; i < 4; i++)
            stay_contact(&s, -1, k, (double[]){ 10*k + (i & 1 ? 1 : -1), i & 2 ? 1 : -1, 0 }, Z, X,
                         0.5)->mode = CAROM_MODE_ROLLING;
    }
    stay_build(&s);
    CHECK(stay_forces(&s, NULL));
    for (int i = 0; i < 8; i++) CHECK_NEAR(s.f[3*i], masses[i/4]*g/4, 1e-14*masses[i/4]*g);
}

// Looking for a second motion admits forces on the far side of a jam; afterwards, with the same memory, they are none
// again.
static void a_choice_leaves_nothing_behind(void **state)
{
    (void)state;
    double theta = atan(2.0);
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 1, 1, 1, 1.0/3, cos(theta), sin(theta), 0);
    body->planar = true;
    body->force[1] = g;
    caromStay *contact = stay_contact(&s, -1, 0, (double[]){ 0, 0, 0 }, Y, X, 2);
    contact->slip[0] = -1;
    contact->mode = CAROM_MODE_SLIDING;
    stay_build(&s);
    int worst;
    caromStayWork *work = carom_unilateral_alloc(1);
    assert_non_null(work);
    assert_int_equal(carom_unilateral_choose(&s.problem, s.f, s.acc, &worst, work), CAROM_STAY_SEVERAL);
    contact->mode = CAROM_MODE_SLIDING;
    CHECK(!carom_unilateral_forces(&s.problem, NULL, s.f, work));
    carom_unilateral_free(work);
}

// A slip that has just begun, and is too slow to have a direction of its own, keeps the one in which it began.
static void a_slip_that_begins_keeps_its_direction(void **state)
{
    (void)state;
    caromStay contact = { .friction = 0.3, .static_friction = 0.5, .slip = { 1e-10, 0 }, .slip_small = 1e-9,
                          .direction = { 0.6, 0.8 }, .mode = CAROM_MODE_SLIDING };
    Guess guess = carom_stay_guess(&contact);
    CHECK(guess.may_stick && guess.branch == BRANCH_SLIDES);
    CHECK_NEAR(guess.d[0], 0.6, 1e-15);
    CHECK_NEAR(guess.d[1], 0.8, 1e-15);
    contact.slip[0] = 1e-8;  // fast enough
    guess = carom_stay_guess(&contact);
    CHECK(!guess.may_stick);
    CHECK_NEAR(guess.d[0], 1, 1e-15);
    CHECK_NEAR(guess.d[1], 0, 0);
}

// Modes are chosen without slip, which then is any, and friction any time ahead of it: it is against v + tau a, of each
// contact that begins, and as large as that of sliding. Without slip the forces are those that were chosen, and modes
// that are chosen again while it is followed have the same.
static void slips_that_begin_are_followed_by_friction(void **state)
{
    (void)state;
    Random r = { 8 };
    int begin = 0, same = 0;
    for (int k = 0; k < share_of(400); k++) {
        StayScene s;
        int bodies = 1 + k%2;
        stay_random_bodies(&r, bodies, &s);
        for (int body = 0; body < bodies; body++) {
            double normal[3], point[3];
            stay_random_direction(&r, normal);
            for (int c = 0; c < 3; c++) point[c] = random_uniform(&r, -1, 1);
            stay_contact(&s, body - 1, body, point, normal, fabs(normal[2]) < 0.9 ? Z : X,
                         random_uniform(&r, 0.1, 0.5));
        }
        stay_build(&s);
        if (stay_choose(&s, NULL) != CAROM_STAY_OK) continue;
        double chosen[3*MAX_CONTACTS];
        memcpy(chosen, s.f, sizeof chosen);
        for (int i = 0; i < s.n; i++) s.contact[i].lag = pow(10, random_uniform(&r, -9, -1));
        CHECK(stay_forces(&s, NULL));
        for (int p = 0; p < 3*s.n; p++) CHECK_NEAR(s.f[p], chosen[p], 1e-9*stay_size(&s, p)/s.G[p*3*s.n + p]);
        for (int i = 0; i < s.n; i++) {
            double speed = pow(10, random_uniform(&r, -10, -3));
            for (int e = 0; e < 2; e++)
                s.contact[i].slip[e] = speed*(s.contact[i].direction[e] + random_uniform(&r, -0.5, 0.5));
        }
        if (!stay_forces(&s, NULL)) continue;
        StayScene again = s;
        if (stay_choose(&again, NULL) == CAROM_STAY_OK) {
            bool is_same = true;
            for (int i = 0; i < s.n; i++) {
                bool is_fast = hypot(s.contact[i].slip[0], s.contact[i].slip[1]) > s.contact[i].slip_small;
                is_same = is_same && is_fast && again.contact[i].mode == s.contact[i].mode;
            }
            for (int p = 0; p < 3*s.n && is_same; p++)
                CHECK_NEAR(again.f[p], s.f[p], 1e-9*stay_size(&s, p)/s.G[p*3*s.n + p]);
            same += is_same;
        }
        for (int i = 0; i < s.n; i++) {
            const caromStay *c = &s.contact[i];
            if (c->mode != CAROM_MODE_SLIDING || hypot(c->direction[0], c->direction[1]) == 0) continue;
            const double *f = s.f + 3*i;
            double w[2], size = fmax(stay_size(&s, 3*i + 1), stay_size(&s, 3*i + 2));
            for (int e = 0; e < 2; e++) w[e] = acceleration(&s, 3*i + 1 + e) + c->slip[e]/c->lag;
            CHECK_NEAR(hypot(f[1], f[2]), c->friction*fabs(f[0]), 1e-12*fabs(f[0]));
            CHECK_NEAR(f[1]*w[1] - f[2]*w[0], 0, 1e-11*hypot(f[1], f[2])*fmax(size, hypot(w[0], w[1])));
            begin++;
        }
    }
    CHECK(begin > 20 && same > 5);
}

// Without friction nothing sticks, even if it is said to roll: a bounce that ends with no slip.
static void what_has_no_friction_does_not_stick(void **state)
{
    (void)state;
    StayScene s = { 0 };
    StayBody *body = stay_body(&s, 4, 1, 1, 1, 0, 0, 1);
    body->force[0] = 3, body->force[2] = -4*g;
    for (int k = 0; k < 3; k++)
        stay_contact(&s, -1, 0, (double[]){ cos(2.1*k), sin(2.1*k), 0 }, Z, X, 0)->mode = CAROM_MODE_ROLLING;
    stay_build(&s);
    CHECK(stay_forces(&s, NULL));
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(s.f[3*i + 1], 0, 0);
        CHECK_NEAR(s.f[3*i + 2], 0, 0);
        CHECK_NEAR(acceleration(&s, 3*i), 0, 1e-12*g);
    }
}

// Sets of contacts that stick, for which forces inside the cones are known: those that are found are inside too.
static void forces_inside_the_cones_are_found_where_there_are_some(void **state)
{
    (void)state;
    Random r = { 31 };
    int outside = 0;
    for (int k = 0; k < 300; k++) {
        StayScene s;
        stay_random_bodies(&r, 1 + k%3, &s);
        for (int i = 0; i < 4 + k%5; i++) {
            double point[3], normal[3], along[3];
            int b = i%s.bodies, a = i%2 && b > 0 ? b - 1 : -1;
            stay_random_direction(&r, normal);
            stay_random_direction(&r, along);
            for (int c = 0; c < 3; c++) point[c] = s.body[b].centre[c] - 0.5*normal[c] + 0.2*along[c];
            stay_contact(&s, a, b, point, normal, along, random_uniform(&r, 0.2, 1))->mode = CAROM_MODE_ROLLING;
        }
        stay_build(&s);
        double wanted[3*MAX_CONTACTS];
        for (int i = 0; i < s.n; i++) {
            double load = random_uniform(&r, 0.1, 10), part = random_uniform(&r, 0, 0.9)*s.contact[i].friction,
                   turn = random_uniform(&r, 0, 6.28);
            wanted[3*i] = load, wanted[3*i + 1] = part*load*cos(turn), wanted[3*i + 2] = part*load*sin(turn);
        }
        for (int i = 0; i < 3*s.n; i++) {
            s.bias[i] = 0;
            for (int j = 0; j < 3*s.n; j++) s.bias[i] -= s.G[i*3*s.n + j]*wanted[j];
        }
        bool found = stay_forces(&s, NULL), inside = true;
        for (int i = 0; i < s.n; i++) {
            const double *f = s.f + 3*i;
            inside = inside && f[0] >= 0 && hypot(f[1], f[2]) <= s.contact[i].static_friction*f[0] + 1e-12;
        }
        outside += !found || !inside;
    }
    CHECK(outside <= 3);
}

// One contact that slides, with a couple that goes with its normal force: (2 - 0.3 0.4 - 0.5) f_n = 10.
static void couples_go_with_normal_forces(void **state)
{
    (void)state;
    caromStay contact = { .friction = 0.3, .delta = 1e-3, .compliance = 1, .slip = { 1, 0 },
                          .mode = CAROM_MODE_SLIDING };
    const double G[9] = { 2, 0.4, 0, 0.4, 1, 0, 0, 0, 1 }, b[3] = { -10, 0, 0 }, H[3] = { -0.5, 0.25, -0.125 };
    double f[3], chosen[3], a[3], push = 10/(2 - 0.12 - 0.5);
    int worst;
    caromStayProblem problem = { 1, &contact, G, b, H };
    caromStayWork *work = carom_unilateral_alloc(1);
    CHECK(carom_unilateral_forces(&problem, NULL, f, work));
    CHECK_NEAR(f[0], push, 1e-14*push);
    CHECK_NEAR(f[1], -0.3*push, 1e-14*push);
    CHECK_NEAR(carom_unilateral_soundness(&problem, work), (2 - 0.12 - 0.5)/2, 1e-14);
    CHECK(carom_unilateral_choose(&problem, chosen, a, &worst, work) == CAROM_STAY_OK);
    CHECK_NEAR(chosen[0], push, 1e-14*push);
    CHECK_NEAR(a[0], 0, 1e-14*10);
    CHECK_NEAR(a[1], (0.4 - 0.3 + 0.25)*push, 1e-14*10);
    CHECK_NEAR(a[2], -0.125*push, 1e-14*10);
    carom_unilateral_free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equalities_hold_whatever_the_sign),
        cmocka_unit_test(wanted_accelerations),
        cmocka_unit_test(sliding_table_rests_as_on_springs),
        cmocka_unit_test(redundant_legs_do_not_pull),
        cmocka_unit_test(margin_crosses_where_the_table_tips),
        cmocka_unit_test(plates_rest_as_on_springs),
        cmocka_unit_test(margins),
        cmocka_unit_test(couples_go_with_normal_forces),
        cmocka_unit_test(forces_inside_the_cones_are_found_where_there_are_some),
        cmocka_unit_test(soundness_of_painleves_rod),
        cmocka_unit_test(scales_do_not_mix),
        cmocka_unit_test(what_has_no_friction_does_not_stick),
        cmocka_unit_test(a_choice_leaves_nothing_behind),
        cmocka_unit_test(a_slip_that_begins_keeps_its_direction),
        cmocka_unit_test(slips_that_begin_are_followed_by_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
