// A sphere that rolls and spins on a plane is slowed by rolling resistance and torsional friction as theory says,
//
//     tau = -R fn (mu_r w_t + mu_t w_n)/reg(|w|),     reg(w) = w from s = w_small on, w^2/s (1 - w/(3 s)) + s/3 below,
//
// w_t across the normal and w_n along it. Rolling without slipping (v = R w_t) has the inertia 7/5 m R^2, spinning 2/5
// m R^2. With tau alone acting, w' = -a w/reg(w), and the angle until rest is 1/a times the integral of reg:
// ((w0^2 - s^2)/2 + 7/12 s^2)/a.
//
// Rolling is not quite without slip: smooth friction needs v_s = v_small f/(3 mu fn) to hold f = m v', here below
// 2.4e-5 m/s of 1 m/s; and the contact is half a depth, up to 5e-5 R, above the lowest point. Both stay below the
// 1e-4 that is asked for.
#include "scene.h"

static const double g = 9.81;

typedef struct Roll {
    double R, mu_r, mu_t, w_small;
    double w_t, w_n;    // at the start, about y and z
    double until;
    bool is_plain;      // mu_t is not given: it is mu_r then
} Roll;

static double moment_of(const Roll *roll) { return 4.0/3.0*acos(-1)*7850*pow(roll->R, 5)*0.4; }
static double mass_of(const Roll *roll) { return moment_of(roll)/(0.4*roll->R*roll->R); }

static double reg(double w, double s) { return w >= s ? w : w*w/s*(1 - w/(3*s)) + s/3; }

typedef struct Watch {
    Record record;
    const Roll *roll;
    double worst;      // of the time at which a spin is reached
    int compared;
} Watch;

// When a spin that began at w0 is down to w: a t = w0 - w above w_small, then  the integral of reg/w.
static double time_of(double a, double w0, double w, double s)
{
    if (w >= s) return (w0 - w)/a;
    double from = s/2 - s/9 + s/3*log(s), to = w*w/(2*s) - w*w*w/(9*s*s) + s/3*log(w);
    return (w0 - s + from - to)/a;
}

static caromStatus compare_spin(void *user, const caromSample *s)
{
    Watch *w = user;
    const Roll *roll = w->roll;
    double a = 2.5*roll->mu_t*g/roll->R, spin = s->V_WB[1].angular.z;
    if (roll->w_t == 0 && spin > 1e-3*roll->w_small && s->time > 0) {
        w->worst = fmax(w->worst, fabs(time_of(a, roll->w_n, spin, roll->w_small)/s->time - 1));
        w->compared++;
    }
    return record_sample(&w->record, s);
}

static caromStatus note_event(void *user, const caromEvent *e) { return record_event(&((Watch *)user)->record, e); }

// Starts in equilibrium with the plane, so that fn = m g all the time.
static Watch *run_roll(const Roll *roll)
{
    Scene s = scene_begin();
    s.settings.tolerance = 1e-8;
    s.settings.until = roll->until;
    s.settings.w_small = roll->w_small;
    scene_material(&s, "hard", 7850, 210e9, 0.3);
    caromPairDef pair = carom_model_pair_def("hard", "hard");
    pair.restitution = 0.5;
    pair.friction = 0.5;
    pair.rolling = roll->mu_r;
    if (!roll->is_plain) pair.torsion = roll->mu_t;
    carom_builder_pair(s.builder, &pair);
    scene_floor(&s, "hard");
    double K = 4.0/3.0*0.5*210e9/(1 - 0.09)*sqrt(roll->R), depth = pow(mass_of(roll)*g/K, 2.0/3.0);
    caromShapeDef shape = carom_model_shape_def((caromShape){ CAROM_SPHERE, { roll->R, 0, 0 } });
    caromBodyDef ball = scene_body("ball", "hard", &shape);
    ball.p_WB = carom_vec(0, 0, roll->R - depth);
    ball.v_WB = carom_vec(roll->w_t*roll->R, 0, 0);
    ball.w_WB = carom_vec(0, roll->w_t, roll->w_n);
    scene_add(&s, &ball);
    caromModel *model = scene_end(&s);
    Watch *w = calloc(1, sizeof *w);
    w->roll = roll;
    caromSink sink = { w, compare_spin, note_event };
    caromSim *sim;
    w->record.status = carom_sim_create(model, &sink, &sim, &w->record.error);
    if (w->record.status == CAROM_OK) w->record.status = carom_sim_run(sim, &w->record.error);
    expect_completed(&w->record);
    w->record.stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    return w;
}

static void expect_rest_and_balance(const Watch *w, double kinetic)
{
    const caromSimStats *stats = &w->record.stats;
    CHECK(carom_norm(w->record.last_V[1].linear) < 1e-9);
    CHECK(carom_norm(w->record.last_V[1].angular) < 1e-9);
    CHECK_NEAR(stats->energy.rolling + stats->energy.friction, kinetic, 1e-6*kinetic);
    CHECK(stats->largest_imbalance < 1e-6*stats->energy_reference);
}

static void a_rolling_ball_stops_where_theory_says(void **state)
{
    (void)state;
    const Roll rolls[] = { { 0.05, 0.01, 0.01, 0.01, 20, 0, 0, true }, { 0.05, 0.02, 0.02, 2, 20, 0, 0, true },
                           { 0.01, 0.05, 0, 1e-3, 100, 0, 0, false },    { 0.5, 0.002, 0.1, 0.1, 2, 0, 0, false } };
    for (int i = 0; i < 4; i++) {
        Roll roll = rolls[i];
        double a = roll.mu_r*g/(1.4*roll.R), s = roll.w_small, w0 = roll.w_t;
        roll.until = w0/a + 20*s/a + 0.1;  // the tail decays at 3 a/s
        double distance = roll.R/a*((w0*w0 - s*s)/2 + 7.0/12.0*s*s);
        Watch *w = run_roll(&roll);
        double gone = w->record.last_X[1].p.x;
        print_message("R = %g, mu_r = %g, w_small = %g: stops after %.8g m for %.8g (%.1e), %lld steps, "
                      "imbalance %.1e\n", roll.R, roll.mu_r, s, gone, distance, gone/distance - 1,
                      (long long)w->record.stats.steps,
                      w->record.stats.largest_imbalance/w->record.stats.energy_reference);
        CHECK_NEAR(gone, distance, 1e-4*distance);
        expect_rest_and_balance(w, 0.5*1.4*mass_of(&roll)*pow(roll.R*w0, 2));
        free(w);
    }
}

static void a_spinning_ball_slows_as_theory_says(void **state)
{
    (void)state;
    const Roll rolls[] = { { 0.05, 0, 0.01, 0.01, 0, 20, 0, false }, { 0.05, 0.3, 0.02, 2, 0, 20, 0, false },
                           { 0.01, 0.01, 0.01, 0.1, 0, 100, 0, true } };
    for (int i = 0; i < 3; i++) {
        Roll roll = rolls[i];
        double a = 2.5*roll.mu_t*g/roll.R;
        roll.until = roll.w_n/a + 20*roll.w_small/a + 0.1;
        Watch *w = run_roll(&roll);
        print_message("R = %g, mu_t = %g, w_small = %g: times off by %.1e at most, %d compared, %lld steps\n", roll.R,
                      roll.mu_t, roll.w_small, w->worst, w->compared, (long long)w->record.stats.steps);
        CHECK(w->compared > 150);
        CHECK(w->worst < 1e-4);
        expect_rest_and_balance(w, 0.5*moment_of(&roll)*roll.w_n*roll.w_n);
        free(w);
    }
}

// Both at once: the two components share reg(|w|). Reference: the two equations by the classical Runge-Kutta method in
// 2e5 steps.
static double rolled_distance(const Roll *roll)
{
    int n = 200000;
    double h = roll->until/n, y[3] = { 0, roll->w_t, roll->w_n };
    for (int step = 0; step < n; step++) {
        double k[4][3], z[3] = { y[0], y[1], y[2] };
        for (int i = 0; i < 4; i++) {
            double over = g/roll->R/reg(hypot(z[1], z[2]), roll->w_small);
            k[i][0] = roll->R*z[1];
            k[i][1] = -roll->mu_r/1.4*over*z[1];
            k[i][2] = -2.5*roll->mu_t*over*z[2];
            for (int c = 0; c < 3; c++) z[c] = y[c] + (i < 2 ? h/2 : h)*k[i][c];
        }
        for (int c = 0; c < 3; c++) y[c] += h/6*(k[0][c] + 2*k[1][c] + 2*k[2][c] + k[3][c]);
    }
    return y[0];
}

static void a_ball_that_rolls_and_spins(void **state)
{
    (void)state;
    const double mu_t[] = { 0.001, 0.01, 0.05 };
    for (int i = 0; i < 3; i++) {
        Roll roll = { 0.05, 0.02, mu_t[i], 0.5, 20, 40, 12, false };
        double distance = rolled_distance(&roll);
        Watch *w = run_roll(&roll);
        double gone = w->record.last_X[1].p.x;
        print_message("mu_r = %g, mu_t = %g: %.8g m for %.8g (%.1e)\n", roll.mu_r, roll.mu_t, gone, distance,
                      gone/distance - 1);
        CHECK_NEAR(gone, distance, 1e-4*distance);
        CHECK_NEAR(w->record.last_X[1].p.y, 0, 1e-6*distance);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rolling_ball_stops_where_theory_says),
        cmocka_unit_test(a_spinning_ball_slows_as_theory_says),
        cmocka_unit_test(a_ball_that_rolls_and_spins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
