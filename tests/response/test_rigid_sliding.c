// The rigid response: rolling, sliding and what lies between, against closed forms and small integrations of our own.
#include "rigid_run.h"

static const char *const sharp[] = { "contact.friction_law=bristle", NULL };

// ---- a ball is thrown with backspin

// m v' = -mu m g, (2/5) m R^2 w' = mu m g R: slip v - R w falls at 7/2 mu g; angular momentum about a point of the
// floor stays, so that it rolls in the end with (5 v0 + 2 R w0)/7, backwards if w0 < -5/2 v0/R.
static const char ball[] = STUFF("0.5", "0.3")
                           "contact: {response: rigid}\n"
                           "bodies:\n" FLOOR "  ball: {material: stuff, mass: 1 kg, shape: {sphere: {radius: 0.1}}, "
                           "position: [0, 0, 0.1], velocity: [2, 0, 0], angular_velocity: [0, -80, 0]}\n"
                           "simulate: {until: 2 s, tolerance: 1e-10, every: 0.1}\n";

static void see_ball(Watch *w, const caromSample *s)
{
    double v0 = 2, Rw0 = -8, mu = 0.3, t1 = 2*(v0 - Rw0)/(7*mu*g), v1 = (5*v0 + 2*Rw0)/7;
    double t = fmin(s->time, t1), rolled = s->time - t;
    if (s->time == 0) return;
    double x = v0*t - 0.5*mu*g*t*t + v1*rolled;
    CHECK_NEAR(s->X_WB[1].p.x, x, 1e-8);
    CHECK_NEAR(s->V_WB[1].linear.x, v0 - mu*g*t, 1e-8);
    CHECK_NEAR(s->V_WB[1].angular.y*0.1, Rw0 + 2.5*mu*g*t, 1e-8);
    CHECK_NEAR(s->contacts[0].fn, g, 1e-10);
    w->turns++;
}

static void backspin_brings_a_ball_back(void **state)
{
    (void)state;
    Watch *w = run_text(ball, sharp, see_ball, NULL);
    CHECK_NEAR(last_time_of(w, CAROM_EVENT_STICK), 2*10/(7*0.3*g), 1e-8);
    CHECK_NEAR(w->record.last_V[1].linear.x, -6.0/7, 1e-9);
    CHECK(w->turns > 15);
    free(w);
    // Regularised: it counts as rolling from a slip of v_small on, and ends with the same speed.
    w = run_text(ball, NULL, NULL, NULL);
    CHECK_NEAR(last_time_of(w, CAROM_EVENT_STICK), 2*(10 - 1e-3)/(7*0.3*g), 1e-8);
    CHECK_NEAR(w->record.last_V[1].linear.x, -6.0/7, 1e-9);
    CHECK_NEAR(w->record.last_V[1].angular.y*0.1, -6.0/7, 1e-9);
    free(w);
}

// ---- a cylinder on an incline of 30 degrees: gravity is tilted

static const char incline[] = STUFF("0.5", "0.3")
                              "gravity: [4.905, 0, -8.49570921111252]\n"
                              "contact: {response: rigid, friction_law: bristle}\n"
                              "bodies:\n" FLOOR "  wheel: {material: stuff, mass: 2 kg, shape: {cylinder: {radius: "
                              "0.1, length: 0.3}, orientation: {axis: [1, 0, 0], angle: 90 deg}}, position: "
                              "[0, 0, 0.1]}\n"
                              "simulate: {until: 2 s, tolerance: 1e-10, every: 0.1}\n";

typedef struct Rates { double linear, angular; } Rates;

static void see_rates(Watch *w, const caromSample *s)
{
    const Rates *a = w->context;
    double t = s->time;
    CHECK_NEAR(s->X_WB[1].p.x, 0.5*a->linear*t*t, 1e-8);
    CHECK_NEAR(s->V_WB[1].linear.x, a->linear*t, 1e-8);
    CHECK_NEAR(s->V_WB[1].angular.y, a->angular*t, 1e-7);
    CHECK_NEAR(s->X_WB[1].p.z, 0.1, 1e-12);
    w->turns++;
}

// It rolls with 2/3 g sin where mu > tan/3 = 0.19, else slides with g (sin - mu cos) and turns with 2 mu g cos/R.
static void a_cylinder_rolls_or_slides_down(void **state)
{
    (void)state;
    double s = 0.5, c = sqrt(0.75);
    Rates rolls = { 2*g*s/3, 2*g*s/3/0.1 }, slides = { g*(s - 0.1*c), 2*0.1*g*c/0.1 };
    Watch *w = run_text(incline, NULL, see_rates, &rolls);
    CHECK(w->turns > 15 && count_of(w, CAROM_EVENT_SLIP) == 0);
    free(w);
    w = run_text(incline, (const char *const[]){ "pairs.0.friction=0.1", NULL }, see_rates, &slides);
    CHECK(w->turns > 15);
    free(w);
}

// ---- a wheel that locks: a brake torque of 30 N m from 0.5 s to 0.8 s, more than friction (14.7 N m) can pass on

static const char wheel[] = STUFF("0.5", "0.5")
                            "contact: {response: rigid, friction_law: bristle}\n"
                            "bodies:\n" FLOOR "  wheel: {material: stuff, mass: 10 kg, inertia: [0.3, 0.45, "
                            "0.3], com: [0, 0, 0], shape: {cylinder: {radius: 0.3, length: 0.2}, orientation: "
                            "{axis: [1, 0, 0], angle: 90 deg}},\n"
                            "          position: [0, 0, 0.3], velocity: [5, 0, 0], angular_velocity: [0, "
                            "16.6666666666666667, 0]}\n"
                            "forces:\n"
                            "  brake: {body: wheel, torque: [0, {expression: \"-30*(step(time - 0.5) - step(time - "
                            "0.8))\"}, 0]}\n"
                            "simulate: {until: 2 s, tolerance: 1e-9, every: 0.05}\n";

static void see_wheel(Watch *w, const caromSample *s)
{
    double F = 0.5*10*g, R = 0.3, I = 0.45, braked = (30 - F*R)/I, slip = F/10*0.3, t = s->time;
    slip = -slip + R*braked*0.3;                          // at 0.8 s: R w is less than v by this
    double closing = F/10 + R*F*R/I, t1 = 0.8 + slip/closing, sliding = fmin(fmax(t - 0.5, 0), t1 - 0.5);
    double omega = 5/R - braked*fmin(fmax(t - 0.5, 0), 0.3) + F*R/I*fmin(fmax(t - 0.8, 0), t1 - 0.8);
    CHECK_NEAR(s->V_WB[1].linear.x, 5 - F/10*sliding, 1e-6);
    CHECK_NEAR(s->V_WB[1].angular.y, omega, 1e-6);
    w->value[0] = t1;
    w->turns++;
}

static void a_wheel_locks_and_rolls_again(void **state)
{
    (void)state;
    Watch *w = run_text(wheel, NULL, see_wheel, NULL);
    CHECK_NEAR(time_of(w, CAROM_EVENT_SLIP), 0.5, 1e-6);
    const caromEvent *stick = event_from(w, CAROM_EVENT_STICK, 0.6);
    CHECK(stick && w->turns > 20);
    CHECK_NEAR(stick->time, w->value[0], 1e-6);
    free(w);
}

// ---- a rod that slides away under its weight, without friction

enum { ANGLE, RATE, PLACE, SPEED };

// Capsule: its lower end is a ball of radius r, whose middle stays at the height r: a thin rod with that point as its
// end. I/m = 1/3 for half-length 1.
static void rod_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    (void)context;
    double s = sin(y[ANGLE]), c = cos(y[ANGLE]), w = y[RATE];
    dy[ANGLE] = w;
    dy[RATE] = (g*s - s*c*w*w)/(1.0/3 + s*s);
}

static const char rod[] = STUFF("0", "0")
                          "contact: {response: rigid}\n"
                          "bodies:\n" FLOOR "  rod: {material: stuff, mass: 1 kg, com: [0, 0, 0], inertia: "
                          "[0.3333333333333333, 0.3333333333333333, 0.001], shape: {capsule: {radius: 0.05, "
                          "length: 2}},\n"
                          "        position: [0, 0, 1.034807753012208], orientation: {axis: [0, "
                          "1, 0], angle: 10 deg}}\n"
                          "simulate: {until: 1.2 s, tolerance: 1e-10, every: 0.05}\n";

static void see_rod(Watch *w, const caromSample *s)
{
    double y[2] = { pi/18, 0 }, dy[2];
    if (s->time == 0 || count_of_so_far(w, CAROM_EVENT_IMPACT) > 0) return;
    gauss_legendre(rod_rhs, NULL, 2, 0, s->time, 200, y);
    rod_rhs(0, y, dy, NULL);
    CHECK_NEAR(s->X_WB[1].p.z, 0.05 + cos(y[ANGLE]), 1e-8);
    CHECK_NEAR(s->X_WB[1].p.x, 0, 1e-12);
    CHECK_NEAR(s->V_WB[1].angular.y, y[RATE], 1e-8);
    CHECK_NEAR(s->contacts[0].fn, g - sin(y[ANGLE])*dy[RATE] - cos(y[ANGLE])*y[RATE]*y[RATE], 1e-7);
    w->turns++;
}

static void a_rod_slides_away(void **state)
{
    (void)state;
    Watch *w = run_text(rod, NULL, see_rod, NULL);
    CHECK(w->turns > 10);
    free(w);
}

// ---- a ladder against a wall: half-length 1, ends are balls of radius 0.05; angle from the floor

#define LADDER(floor, speed)                                                                                           \
    "carom: 1\n"                                                                                                       \
    "materials: {stuff: {density: 1000}, ice: {density: 1000}}\n"                                                      \
    "pairs: [{between: [stuff, stuff], restitution: 0, friction: " floor "}, {between: [stuff, ice], restitution: 0, " \
    "friction: 0}]\n"                                                                                                  \
    "contact: {response: rigid, friction_law: bristle}\n"                                                              \
    "bodies:\n" FLOOR                                                                                                  \
    "  wall: {fixed: true, material: ice, shape: {half-space: {normal: [1, 0, 0]}}}\n"                                 \
    "  ladder: {material: stuff, mass: 1 kg, com: [0, 0, 0], inertia: [0.3333333333333333, 0.3333333333333333, "       \
    "0.001], shape: {capsule: {radius: 0.05, length: 2}},\n"                                                           \
    "           position: [0.55, 0, 0.916025403784439], orientation: {axis: [0, 1, 0], angle: -30 deg}" speed "}\n"    \
    "simulate: {until: 2 s, tolerance: 1e-10, every: 0.05}\n"

typedef struct Ladder { double mu; } Ladder;

// Forces of floor and wall; friction of the floor acts r below the middle of the ball. m = 1, half-length 1, I = 1/3:
//   x'' = Nw - mu Nf,  z'' = Nf - g,  -I a'' = Nf (cos a - mu (sin a + r)) - Nw sin a,   x = cos a, z = sin a
static void ladder_forces(double a, double w, double mu, double *rate, double *wall)
{
    double s = sin(a), c = cos(a), r = 0.05;
    // Nf = g + c a'' - s w^2,   Nw = -s a'' - c w^2 + mu Nf
    double A = 1.0/3 + (c - mu*(s + r))*c - s*(-s + mu*c),
           b = (c - mu*(s + r))*(g - s*w*w) - s*(-c*w*w + mu*(g - s*w*w));
    *rate = -b/A;
    *wall = -s**rate - c*w*w + mu*(g + c**rate - s*w*w);
}

static void ladder_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    double wall;
    dy[ANGLE] = y[RATE];
    ladder_forces(y[ANGLE], y[RATE], ((const Ladder *)context)->mu, &dy[RATE], &wall);
}

static double leaves_at(double mu, double rate0, double *angle)
{
    double low = 0, high = 0.9;
    for (int i = 0; i < 60; i++) {
        double t = 0.5*(low + high), y[2] = { pi/3, rate0 }, rate, wall;
        gauss_legendre(ladder_rhs, &(Ladder){ mu }, 2, 0, t, 200, y);
        ladder_forces(y[ANGLE], y[RATE], mu, &rate, &wall);
        *angle = y[ANGLE];
        if (wall > 0) low = t;
        else high = t;
    }
    return 0.5*(low + high);
}

static void see_ladder(Watch *w, const caromSample *s)
{
    const double *off = w->context;
    if (s->time > *off || s->kind != CAROM_SAMPLE_GRID) return;
    CHECK(s->ncontact == 2);
    w->turns++;
}

// Without friction it leaves the wall when its top has come down to 2/3 of its height, and reaches the floor
// afterwards.
static void a_ladder_leaves_the_wall(void **state)
{
    (void)state;
    double angle, off = leaves_at(0, 0, &angle);
    CHECK_NEAR(sin(angle), 2.0/3*sin(pi/3), 1e-10);
    Watch *w = run_text(LADDER("0", ""), NULL, see_ladder, &off);
    CHECK_NEAR(time_of(w, CAROM_EVENT_TAKE_OFF), off, 1e-8);
    CHECK(w->turns > 5);
    CHECK_NEAR(w->record.last_X[2].p.z, 0.05, 1e-10);  // it lies flat
    CHECK(fabs(w->record.last_V[2].angular.y) < 1e-12);
    CHECK(w->record.last_V[2].linear.x > 1);           // and slides on
    free(w);
    // With friction of the floor, already moving: v = 0.3 (-sin a w, cos a w).
    off = leaves_at(0.2, -0.3, &angle);
    w = run_text(LADDER("0.2", ", velocity: [0.259807621135332, 0, -0.15], angular_velocity: [0, -0.3, 0]"), NULL,
                 see_ladder, &off);
    CHECK_NEAR(time_of(w, CAROM_EVENT_TAKE_OFF), off, 1e-8);
    free(w);
}

// ---- a block that rocks and slides: b = 0.3, h = 0.5, mu = 0.1; it would need 0.2 to stay where it is

static void block_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    (void)context;
    double b = 0.3, h = 0.5, R = hypot(b, h), I = R*R/3, mu = 0.1, psi = atan(b/h) - y[ANGLE], s = sin(psi),
           c = cos(psi), w = y[RATE], k = R*(s - mu*c);
    // N = g + R (s a'' - c w^2);   -I a'' = k N
    double rate = -k*(g - R*c*w*w)/(I + k*R*s), N = g + R*(s*rate - c*w*w);
    dy[ANGLE] = w;
    dy[RATE] = rate;
    dy[PLACE] = y[SPEED];
    dy[SPEED] = -mu*N;  // of the centre of mass
}

static void see_block(Watch *w, const caromSample *s)
{
    if (s->time == 0 || count_of_so_far(w, CAROM_EVENT_IMPACT) > 0) return;
    double a0 = 0.5*atan(0.6), y[4] = { a0, 0, 0, 0 };
    gauss_legendre(block_rhs, NULL, 4, 0, s->time, 200, y);
    double psi = atan(0.6) - y[ANGLE];
    CHECK_NEAR(s->X_WB[1].p.x, y[PLACE], 1e-8);
    CHECK_NEAR(s->X_WB[1].p.z, hypot(0.3, 0.5)*cos(psi), 1e-8);
    CHECK_NEAR(s->V_WB[1].angular.y, y[RATE], 1e-8);
    w->turns++;
}

static void a_block_rocks_and_slides(void **state)
{
    (void)state;
    double a = 0.5*atan(0.6);
    char text[1000];
    snprintf(text, sizeof text, STUFF("0", "0.1") "contact: {response: rigid, friction_law: bristle}\n"
             "bodies:\n" FLOOR "  block: {material: stuff, mass: 1 kg, shape: {box: {size: [0.6, 0.4, 1]}}, position: "
             "[0, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}}\n"
             "simulate: {until: 4 s, tolerance: 1e-10, every: 0.05}\n", 0.5*cos(a) + 0.3*sin(a), a);
    Watch *w = run_text(text, NULL, see_block, NULL);
    CHECK(w->turns >= 5);
    CHECK_NEAR(w->record.last_X[1].p.z, 0.5, 1e-10);  // comes to rest
    CHECK(w->record.last.energy.kinetic < 1e-20);
    free(w);
}

// ---- an egg slides, turns and rolls

// In space slip never is 0 at any instant: it comes near to 0, turns, and friction at rest takes over. Steps that
// followed a slip below the tolerance were as short as slip/(mu f_n G_tt): 5687 at 1.6e-6, no end at 2.1e-8.
static void a_slip_that_nobody_sees_has_stopped(void **state)
{
    (void)state;
    const char *const finer[] = { "simulate.tolerance=2.1e-8", "bodies.egg.velocity=[-0.262, 0.044, 0]",
                                  "bodies.egg.angular_velocity=[-2.6, 2.08, 2.51]", NULL };
    static const char egg[] = STUFF("0", "0.3") "contact: {response: rigid, friction_law: bristle}\n"
        "bodies:\n" FLOOR "  egg: {material: stuff, shape: {ellipsoid: {semi_axes: [30 mm, 20 mm, 15 mm]}}, position: "
        "[0, 0, 15 mm], velocity: [0.198, -0.398, 0], angular_velocity: [-3.56, -3.32, 6.67]}\n"
        "simulate: {until: 1 s, tolerance: 1.6e-6, every: 5 ms}\n";
    Watch *w = run_text(egg, NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 1000);
    CHECK_NEAR(w->record.last.energy.imbalance, 0, 1.6e-6*w->record.last.energy.kinetic);
    free(w);
    w = run_text(egg, finer, NULL, NULL);
    CHECK(w->record.stats.steps < 20000);
    free(w);
}

// A can of 0.7 kg stands with its end on a pin that rolls on the floor, wedged between them: regularised friction is as
// stiff as 1e7/s, and steps are long where the derivatives are good (random scene 630355: 57,000 steps).
static void what_is_wedged_rolls_in_long_steps(void **state)
{
    (void)state;
    Watch *w = run_text("carom: 1\n"
        "pairs:\n"
        "  - {between: [rubber, tungsten], restitution: 0.6123, friction: 0.7206}\n"
        "  - {between: [tungsten, tungsten], restitution: 0.8885, friction: 0.9843}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: rubber, shape: {half-space: {}}}\n"
        "  pin: {material: tungsten, shape: {capsule: {radius: 0.00240509, length: 0.00578127}}, position: "
        "[-0.0123618, -0.0403533, 0.0054047], orientation: {axis: [-0.434729, -0.705307, -0.559958], angle: 1.73464}, "
        "angular_velocity: [5.99921, 1.45286, -4.15424]}\n"
        "  can: {material: tungsten, shape: {cylinder: {radius: 0.0208256, length: 0.0252335, rounding: 0.00095999}}, "
        "position: [-0.0155692, -0.0352776, 0.0797981]}\n"
        "contact: {response: rigid, friction_law: smooth, impact_law: poisson, landing: stretched}\n"
        "simulate: {until: 0.18, tolerance: 9.4e-8, every: 5 ms}\n", NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 10000);
    free(w);
}

// A pin that rolls is struck by a block, and one of its ends begins to slip: it was taken for a slip that has stopped,
// for ever (random scene 640251: 58,000 steps in 4 ms).
static void a_slip_that_grows_has_not_stopped(void **state)
{
    (void)state;
    Watch *w = run_text(
        "carom: 1\n"
        "pairs: [{between: [lead, lead], restitution: 0.2335, friction: 0.56}]\n"
        "bodies:\n"
        "  floor: {fixed: true, material: lead, shape: {half-space: {}}}\n"
        "  block: {material: lead, shapes: {one: {cylinder: {radius: 0.00436612, length: 0.00354461, "
        "rounding: 0.000206329}}, two: {box: {size: [0.011763, 0.00654639, 0.0131965], rounding: "
        "0.000922998}, position: [-0.000452063, -0.000734576, 0.00909466], orientation: {axis: [-0.43163, "
        "-0.11691, -0.894443], angle: 0.573744}}}, position: [0.0115365, 0.0166971, 0.0457159], orientation: "
        "{axis: [-0.324673, -0.934119, -0.148354], angle: 2.34824}, angular_velocity: [16.0984, 14.5019, "
        "-76.1651]}\n"
        "  pin: {material: lead, shape: {capsule: {radius: 0.00412685, length: 0.0101083}}, position: "
        "[0.0232747, 0.0550813, 0.0320031], orientation: {axis: [-0.958068, 0.0200458, -0.285838], angle: "
        "1.79851}, angular_velocity: [52.2103, 14.3775, -10.5551]}\n"
        "contact: {response: rigid, friction_law: bristle, impacts: newton, landing: stretched}\n"
        "simulate: {until: 0.14, tolerance: 2.7e-8, every: 5 ms}\n", NULL, NULL, NULL);
    CHECK(w->record.stats.steps < 2000);
    free(w);
}

// ---- a pull that grows and turns round drags a body that cannot turn out of rest

typedef struct Pull { double grows, turns; } Pull;

// Speed s, and the angle d by which the slip is behind the pull: s' = c cos d - mu g, s (w - d') = c sin d.
static void pulled_rhs(const Pull *p, double t, const double y[2], double dy[2])
{
    double c = 0.3*g*(1 + p->grows*(t - 0.5));
    dy[0] = c*cos(y[1]) - 0.3*g;
    dy[1] = p->turns - c/y[0]*sin(y[1]);
}

// By Runge and Kutta's steps, short against s/c, from where s = 0.3 g grows t^2/2 and d = s w/c still hold.
static void reference(const Pull *p, double v[2])
{
    double t = 0.5 + 1e-4/p->grows, s = 0.15*g*p->grows*(t - 0.5)*(t - 0.5), y[2] = { s, s*p->turns/(0.3*g) };
    while (t < 1) {
        double h = fmin(fmin(1e-4, 0.2*y[0]/(0.3*g)), 1 - t), k[4][2], at[2] = { y[0], y[1] };
        for (int stage = 0; stage < 4; stage++) {
            double along = stage == 0 ? 0 : stage == 3 ? h : 0.5*h;
            for (int i = 0; i < 2 && stage > 0; i++) at[i] = y[i] + along*k[stage - 1][i];
            pulled_rhs(p, t + along, at, k[stage]);
        }
        for (int i = 0; i < 2; i++) y[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
        t += h;
    }
    double angle = p->turns - y[1];
    v[0] = y[0]*cos(angle), v[1] = y[0]*sin(angle);
}

// At first it accelerates slowly, and the direction of that turns: friction follows it. Where friction kept to the
// first direction the slip left that at once, stopped and began anew, and steps were as short as it was slow: 2000 to
// 6500 of them.
static void slips_that_begin_slowly_follow_their_accelerations(void **state)
{
    (void)state;
    static const Pull pulls[] = { { 0.2, 2 }, { 0.002, 2 }, { 0.2, 20 }, { 0.002, 20 } };
    for (int i = 0; i < 4; i++) {
        const Pull *p = &pulls[i];
        char text[1200];
        snprintf(text, sizeof text, STUFF("0", "0.3") "contact: {response: rigid, friction_law: bristle}\n"
                 "bodies:\n" FLOOR "  puck: {material: stuff, mass: 1, com: [0, 0, 0], inertia: [1e9, 1e9, 1e9], "
                 "shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\n"
                 "forces: {pull: {body: puck, force: [{expression: 2.943*(1 + %g*(time - 0.5))*cos(%g*time)}, "
                 "{expression: 2.943*(1 + %g*(time - 0.5))*sin(%g*time)}, 0]}}\n"
                 "simulate: {until: 1, tolerance: 1e-9, every: 0.1}\n", p->grows, p->turns, p->grows, p->turns);
        Watch *w = run_text(text, NULL, NULL, NULL);
        double v[2], off = 1e-9*(double)w->record.stats.steps;  // a step commits the tolerance, of 1 m/s, at most
        reference(p, v);
        CHECK_NEAR(time_of(w, CAROM_EVENT_SLIP), 0.5, 1e-6/p->grows);
        assert_int_equal(count_of(w, CAROM_EVENT_SLIP), 1);
        CHECK_NEAR(w->record.last_V[1].linear.x, v[0], off);
        CHECK_NEAR(w->record.last_V[1].linear.y, v[1], off);
        CHECK(w->record.stats.steps < 1500);
        free(w);
    }
}

// A box is pulled by a little more than friction holds for 0.2 s or so, and then by less. It slips at less than a
// micrometre per second, so slowly that friction still follows its acceleration, and stops. A step that is cut short
// there ends before or behind that by a rounding, and the next begins with a slip that is none: friction that kept its
// direction would drive the box back, at 65 um/s in the end.
static void a_slip_that_has_hardly_begun_stops_again(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 STUFF("0", "0.3")
                 "contact: {response: rigid, friction_law: bristle}\ngravity: [0, 0, -10]\nbodies:\n" FLOOR
                 "  box: {material: stuff, mass: 1 kg, shape: {box: {size: [0.5, 0.5, 0.1]}}, position: [0, 0, 0.05]}\n"
                 "forces:\n  pull: {body: box, at: [0, 0, -0.05], "
                 "force: [{expression: \"3 + 1e-6*(1 - %d*time*time)\"}, 0, 0]}\n"
                 "simulate: {until: 2 s, tolerance: 1e-8, every: 0.5 s}\n", 20 + k);
        Watch *w = run_text(text, (const char *const[]){ NULL }, NULL, NULL);
        CHECK(carom_norm(w->record.last_V[1].linear) < 1e-8);
        CHECK_NEAR(w->record.last_X[1].p.x, 1e-6*0.75/(20 + k), 1e-8);  // known to the tolerance
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backspin_brings_a_ball_back),
        cmocka_unit_test(a_cylinder_rolls_or_slides_down),
        cmocka_unit_test(a_wheel_locks_and_rolls_again),
        cmocka_unit_test(a_rod_slides_away),
        cmocka_unit_test(a_ladder_leaves_the_wall),
        cmocka_unit_test(a_block_rocks_and_slides),
        cmocka_unit_test(a_slip_that_nobody_sees_has_stopped),
        cmocka_unit_test(what_is_wedged_rolls_in_long_steps),
        cmocka_unit_test(a_slip_that_grows_has_not_stopped),
        cmocka_unit_test(slips_that_begin_slowly_follow_their_accelerations),
        cmocka_unit_test(a_slip_that_has_hardly_begun_stops_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
