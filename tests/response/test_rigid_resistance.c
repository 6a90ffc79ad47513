// The rigid response: resistance to rolling and spinning, in contacts that last and in impacts.
//
//     tau = -L f_n (mu_r w_t + mu_t w_n)/reg(|w|),    reg(w) = w from s = w_small on, w^2/s (1 - w/(3 s)) + s/3 below
//
// L = R of a ball on a plane. Rolling without slip a ball has the inertia 7/5 m R^2, spinning 2/5 m R^2. With tau alone
// w' = -a w/reg(w), and the angle until rest is 1/a times the integral of reg: ((w0^2 - s^2)/2 + 7/12 s^2)/a.
#include "rigid_run.h"

#define RESISTING(e, mu, more) \
    "carom: 1\nmaterials: {stuff: {density: 1000, E: 70 GPa, nu: 0.3}}\n" \
    "pairs: [{between: [stuff, stuff], restitution: " e ", friction: " mu ", " more "}]\n"

static double reg(double w, double s) { return w >= s ? w : w*w/s*(1 - w/(3*s)) + s/3; }

static void expect_balance(const Watch *w, double part)
{
    CHECK(fabs(w->record.stats.largest_imbalance) < part*w->record.stats.energy_reference);
}

// Tolerance 1e-8: errors of steps add up to less than ten of it; smooth friction slips by v_small f/(3 mu f_n), with
// f = m R a, of v.
static void a_rolling_ball_stops_where_theory_says(void **state)
{
    (void)state;
    static const char ball[] = RESISTING("0.5", "0.5", "rolling: 0.01")
        "bodies:\n" FLOOR "  ball: {material: stuff, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 5 cm], "
        "velocity: [1, 0, 0], angular_velocity: [0, 20, 0]}\ncontact: {response: rigid, w_small: 0.02}\n"
        "simulate: {until: 15, tolerance: 1e-8, every: 0.1}\n";
    double a = 0.01*g/(1.4*0.05), s = 0.02, distance = 0.05/a*((400 - s*s)/2 + 7.0/12*s*s);
    Watch *w = run_text(ball, (const char *const[]){ "contact.friction_law=bristle", NULL }, NULL, NULL);
    CHECK_NEAR(w->record.last_X[1].p.x, distance, 1e-7*distance);
    CHECK(carom_norm(w->record.last_V[1].angular) < 1e-9);
    CHECK_NEAR(w->record.stats.energy.rolling, 0.7*4.0/3*pi*1000*pow(0.05, 3), 1e-7);
    expect_balance(w, 1e-8);
    free(w);
    w = run_text(ball, NULL, NULL, NULL);
    CHECK_NEAR(w->record.last_X[1].p.x, distance, (1e-3*0.01/1.4/(3*0.5) + 1e-7)*15);  // v_small 1 mm/s, 15 s
    CHECK_NEAR(w->record.stats.energy.rolling + w->record.stats.energy.friction, 0.7*4.0/3*pi*1000*pow(0.05, 3), 1e-7);
    expect_balance(w, 1e-8);
    free(w);
}

// When a spin that began at w0 is down to w.
static double time_of_spin(double a, double w0, double w, double s)
{
    if (w >= s) return (w0 - w)/a;
    double from = s/2 - s/9 + s/3*log(s), to = w*w/(2*s) - w*w*w/(9*s*s) + s/3*log(w);
    return (w0 - s + from - to)/a;
}

static void compare_spin(Watch *w, const caromSample *s)
{
    double a = 2.5*0.02*g/0.05, spin = s->V_WB[1].angular.z;
    if (s->time == 0 || spin < 1e-5) return;
    w->value[0] = fmax(w->value[0], fabs(time_of_spin(a, 20, spin, 0.01) - s->time));
    w->value[1]++;
    if (spin < 0.01) w->value[2]++;
}

static void a_spinning_ball_stops_when_theory_says(void **state)
{
    (void)state;
    static const char ball[] = RESISTING("0.5", "0.5", "torsion: 0.02")
        "bodies:\n" FLOOR "  ball: {material: stuff, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 5 cm], "
        "angular_velocity: [0, 0, 20]}\ncontact: {response: rigid}\n"
        "simulate: {until: 2.045, tolerance: 1e-9, every: 0.5 ms}\n";
    for (int sharp = 0; sharp < 2; sharp++) {
        Watch *w = run_text(ball, (const char *const[]){ sharp ? "contact.friction_law=bristle"
                                                               : "contact.friction_law=smooth", NULL },
                            compare_spin, NULL);
        print_message("%s: spins stop within %.1e s of their time\n", sharp ? "sharp" : "smooth", w->value[0]);
        CHECK(w->value[0] < 1e-6 && w->value[1] > 4000 && w->value[2] > 1);
        CHECK(w->record.last_V[1].angular.z < 1e-3);
        expect_balance(w, 1e-8);
        free(w);
    }
}

// Below the limit, tan = mu_r, it creeps with w/reg(w) = tan/mu_r; above it rolls down as 5/7 (sin - mu_r cos).
static void a_ball_on_an_incline_rolls_or_creeps(void **state)
{
    (void)state;
    static const char ball[] = RESISTING("0.5", "0.5", "rolling: 0.1")
        "bodies:\n" FLOOR "  ball: {material: stuff, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 5 cm]}\n"
        "contact: {response: rigid, friction_law: bristle, w_small: 1e-3}\n"
        "simulate: {until: 1, tolerance: 1e-8, every: 0.1}\n";
    const struct { const char *gravity; double tan; } slopes[] =
        { { "gravity=[0.49, 0, -9.8]", 0.05 }, { "gravity=[0.931, 0, -9.8]", 0.095 }, { "gravity=[1.47, 0, -9.8]", 0.15 } };
    for (int i = 0; i < 3; i++) {
        Watch *w = run_text(ball, (const char *const[]){ slopes[i].gravity, NULL }, NULL, NULL);
        double turn = w->record.last_V[1].angular.y, s = 1e-3;
        if (slopes[i].tan < 0.1) CHECK_NEAR(turn/reg(turn, s), slopes[i].tan/0.1, 1e-6);
        else CHECK_NEAR(turn, 5.0/7*9.8*0.05/0.05, 2*s);  // of the time it takes to get beyond w_small
        CHECK(fabs(w->record.stats.largest_imbalance) < 1e-8);  // J; m g R = 0.26 J
        free(w);
    }
}

// A ball that rolls and spins in a curve, and a cylinder, which has points at both ends.
static void rigid_and_compliant_bodies_agree(void **state)
{
    (void)state;
    static const char ball[] = RESISTING("1", "0.5", "rolling: 0.02, torsion: 0.05")
        "bodies:\n" FLOOR "  ball: {material: stuff, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 5 cm], "
        "velocity: [0.5, 0, 0], angular_velocity: [0, 10, 15]}\n"
        "  can: {material: stuff, shape: {cylinder: {radius: 5 cm, length: 10 cm}}, position: [0, 1, 5 cm], "
        "orientation: {angles: [90 deg, 0, 0]}, velocity: [0.5, 0, 0], angular_velocity: [0, 10, 0]}\n"
        "simulate: {until: 0.5, tolerance: 1e-6, every: 0.1}\n";
    Watch *rigid = run_text(ball, (const char *const[]){ "contact.response=rigid", NULL }, NULL, NULL);
    Watch *soft = run_text(ball, NULL, NULL, NULL);
    for (int i = 1; i < 3; i++) {
        caromVec3 a = rigid->record.last_X[i].p, b = soft->record.last_X[i].p;
        print_message("body %d: %.7g m, compliant %.7g m\n", i, a.x, b.x);
        // Depth of a few um, creep of 1e-5 m/s. Without restitution damping would take more from the cylinder
        // (docs/contact.md, 4).
        CHECK_NEAR(a.x, b.x, 2e-4*b.x);
    }
    CHECK_NEAR(rigid->record.last_V[1].angular.z, soft->record.last_V[1].angular.z, 1e-3*15);
    CHECK(rigid->record.last_V[1].angular.z < 14.5 && rigid->record.last_X[2].p.x < 0.24);
    free(rigid);
    free(soft);
}

// ---- impacts: v+ = e v-, P = m (1 + e) v-

#define DROPPED(more, motion) \
    RESISTING("0.5", "0.5", more) \
    "bodies:\n" FLOOR "  ball: {material: stuff, shape: {sphere: {radius: 5 cm}}, position: [0, 0, 15 cm], " \
    motion "}\n" \
    "contact: {response: rigid}\nsimulate: {until: 0.2, tolerance: 1e-9, every: 0.2}\n"

static void an_impact_takes_spin_and_roll(void **state)
{
    (void)state;
    double push = 1.5*sqrt(2*g*0.1);  // P/m
    Watch *w = run_text(DROPPED("torsion: 0.02", "angular_velocity: [0, 0, 100]"), NULL, NULL, NULL);
    CHECK_NEAR(w->record.last_V[1].angular.z, 100 - 2.5*0.02*push/0.05, 1e-11);
    double m = 4.0/3*pi*1000*pow(0.05, 3), after = w->record.last_V[1].angular.z;
    CHECK_NEAR(w->record.stats.energy.rolling, 0.5*0.4*m*0.05*0.05*(1e4 - after*after), 1e-12);
    CHECK_NEAR(w->record.stats.energy.damping, 0.75*m*g*0.1, 1e-9);
    expect_balance(w, 1e-13);
    free(w);
    w = run_text(DROPPED("torsion: 0.02", "angular_velocity: [0, 0, 1]"), NULL, NULL, NULL);  // and not beyond 0
    CHECK_NEAR(w->record.last_V[1].angular.z, 0, 1e-15);
    free(w);
    w = run_text(DROPPED("rolling: 0.03", "velocity: [0.5, 0, 0], angular_velocity: [0, 10, 0]"), NULL, NULL, NULL);
    CHECK_NEAR(w->record.last_V[1].linear.x, 0.5 - 5.0/7*0.03*push, 1e-12);
    CHECK_NEAR(w->record.last_V[1].angular.y, 20*w->record.last_V[1].linear.x, 1e-11);
    expect_balance(w, 1e-13);
    free(w);
}

// The couple against the roll of a cone that lands on its rim would press the rim in. It fell through the floor.
static void what_couples_press_in_is_held(void **state)
{
    (void)state;
    static const char cone[] = RESISTING("0.14", "1", "rolling: 0.9, impact_law: newton-frictionless")
        "bodies:\n" FLOOR "  cone: {material: stuff, shape: {cone: {radius: 27 cm, length: 36 cm}}, position: "
        "[0, 0, 0.45], orientation: {quaternion: [-0.92, 0.32, 0.57, 0.9]}, angular_velocity: [3.9, 1.3, -0.3]}\n"
        "contact: {response: rigid, impacts: poisson}\nsimulate: {until: 1, tolerance: 1e-5, every: 0.1}\n";
    Watch *w = run_text(cone, NULL, NULL, NULL);
    CHECK(w->record.last_X[1].p.z > 0);
    expect_balance(w, 1e-4);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rolling_ball_stops_where_theory_says),
        cmocka_unit_test(a_spinning_ball_stops_when_theory_says),
        cmocka_unit_test(a_ball_on_an_incline_rolls_or_creeps),
        cmocka_unit_test(rigid_and_compliant_bodies_agree),
        cmocka_unit_test(an_impact_takes_spin_and_roll),
        cmocka_unit_test(what_couples_press_in_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
