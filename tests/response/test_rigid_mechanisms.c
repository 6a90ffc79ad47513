// The rigid response: mechanisms come to rest on obstacles and stops; joints, loops, modes and forces together.
#include "rigid_run.h"

typedef struct Rest { Falls falls; double after, kinetic, contact_force; int contacts, seen; } Rest;

static void see_rest(Watch *w, const caromSample *s)
{
    Rest *rest = (Rest *)(uintptr_t)w->context;
    follow_energy(&rest->falls, s);
    if (s->time < rest->after) return;
    rest->kinetic = fmax(rest->kinetic, s->energy.kinetic);
    rest->contacts = s->ncontact;
    rest->contact_force = 0;
    // Fixed bodies come first: B moves.
    for (int i = 0; i < s->ncontact; i++) rest->contact_force += s->contacts[i].f_B.z;
    rest->seen++;
}

static Rest run_to_rest(const char *text, const char *const *overrides, double after, Watch **w)
{
    Rest rest = { .after = after };
    *w = run_text(text, overrides, see_rest, &rest);
    CHECK(rest.seen > 3);
    CHECK(rest.falls.worst < 1e-7*(*w)->record.stats.energy_scale);
    CHECK(fabs((*w)->record.stats.largest_imbalance) < 1e-6*(*w)->record.stats.energy_scale);
    return rest;
}

static void see_energy(Watch *w, const caromSample *s)
{
    follow_energy((Falls *)(uintptr_t)w->context, s);
}

// ---- a double pendulum falls on the floor: the tip bounces, drags and comes to rest

static const char pendulum[] = STUFF("0.5", "0.3")
                               "contact: {response: rigid, friction_law: bristle}\n"
                               "bodies:\n" FLOOR "  upper: {material: stuff, mass: 1 kg, com: [0, 0, 0], "
                               "inertia: [0.0834, 0.0834, 0.001], shape: {capsule: {radius: 0.02, length: 1}}}\n"
                               "  lower: {material: stuff, mass: 1 kg, com: [0, 0, 0], inertia: [0.0834, 0.0834, "
                               "0.001], shape: {capsule: {radius: 0.02, length: 1}}}\n"
                               "joints:\n"
                               "  shoulder: {type: revolute, between: [world, upper], at: [0, 0, 1.2], axis: [0, "
                               "1, 0], child_at: [0, 0, 0.5], angle: 90 deg, damping: 0.2}\n"
                               "  elbow:    {type: revolute, between: [upper, lower], axis: [0, 1, 0], at: [0, "
                               "0, -0.5], child_at: [0, 0, 0.5], damping: 0.2}\n"
                               "simulate: {until: 20 s, tolerance: 1e-8, every: 0.1}\n";

// At rest with the tip on the floor: statics of two bars. Moments of the lower about the elbow and of both about the
// shoulder give the force (fx, fz) at the tip; it is inside the cone.
static void a_double_pendulum_comes_to_rest_on_the_floor(void **state)
{
    (void)state;
    Watch *w;
    Rest rest = run_to_rest(pendulum, NULL, 18, &w);
    CHECK(rest.kinetic < 1e-16);
    assert_int_equal(rest.contacts, 1);
    // Angles from the vertical: the bar points along (-sin, -cos).
    double a = w->joint_q[0], b = a + w->joint_q[1];
    double lx = -sin(b), lz = -cos(b), ux = -sin(a), uz = -cos(a);
    // about y: z f_x - x f_z; contact 0.02 below the end of the lower bar. Elbow: (lz - r) fx - lx fz + lx/2 g = 0;
    // shoulder: (uz + lz - r) fx - (ux + lx) fz + (3/2 ux + 1/2 lx) g = 0
    double A = lz - 0.02, B = -lx, C = -0.5*lx*g, D = uz + lz - 0.02, E = -(ux + lx), F = -(1.5*ux + 0.5*lx)*g,
           det = A*E - B*D;
    double fx = (C*E - B*F)/det, fz = (A*F - C*D)/det;
    CHECK_NEAR(rest.contact_force, fz, 1e-7*g);
    CHECK(fabs(fx) < 0.3*fz);
    CHECK_NEAR(1.2 + uz + lz, 0.02, 1e-10);  // the tip is on the floor
    free(w);
}

// ---- an arm of three joints is lowered on a table and leans on two obstacles

static const char arm[] = STUFF("0.3", "0.5")
                          "contact: {response: rigid, friction_law: bristle}\n"
                          "bodies:\n" FLOOR "  block: {fixed: true, material: stuff, shape: {box: {size: [0.3, 0.4, "
                          "0.5]}}, position: [0.75, 0, 0.25]}\n"
                          "  upper: {material: stuff, mass: 4 kg, com: [0, 0, 0], inertia: [0.02, 0.1, 0.1], shape: "
                          "{capsule: {radius: 0.04, length: 0.5}, orientation: {axis: [0, 1, 0], angle: 90 deg}}}\n"
                          "  fore:  {material: stuff, mass: 2 kg, com: [0, 0, 0], inertia: [0.01, 0.05, 0.05], shape: "
                          "{capsule: {radius: 0.03, length: 0.5}, orientation: {axis: [0, 1, 0], angle: 90 deg}}}\n"
                          "  hand:  {material: stuff, mass: 0.5 kg, shape: {sphere: {radius: 0.04}}}\n"
                          "joints:\n"
                          "  turn:     {type: revolute, between: [world, upper], at: [0, 0, 1], axis: [0, 1, 0], "
                          "child_at: [-0.25, 0, 0], angle: -20 deg, damping: 1}\n"
                          "  elbow:    {type: revolute, between: [upper, fore], axis: [0, 1, 0], at: [0.25, 0, 0], "
                          "child_at: [-0.25, 0, 0], angle: 10 deg, damping: 1, lower: -120 deg, upper: 120 deg}\n"
                          "  wrist:    {type: revolute, between: [fore, hand], axis: [0, 1, 0], at: [0.25, 0, 0], "
                          "child_at: [-0.1, 0, 0], damping: 0.1, lower: -60 deg, upper: 60 deg, "
                          "limit_restitution: 0.2}\n"
                          "simulate: {until: 20 s, tolerance: 1e-8, every: 0.1}\n";

static void an_arm_comes_to_rest_on_a_block(void **state)
{
    (void)state;
    Watch *w;
    Rest rest = run_to_rest(arm, NULL, 18, &w);
    CHECK(rest.kinetic < 1e-14);
    CHECK(rest.contacts >= 1);
    CHECK(rest.contact_force > 1 && rest.contact_force < 6.5*g);
    CHECK(w->joint_q[2] > -pi/3 - 1e-12 && w->joint_q[2] < pi/3 + 1e-12);
    free(w);
}

// ---- stops

// A door falls on its stop and rests there: bounces to the end in the time of their sum; the stop carries the moment of
// its weight.
static const char lever[] =
    "carom: 1\n"
                            "contact: {response: rigid}\n"
                            "bodies:\n"
                            "  lever: {mass: 2 kg, com: [0, 0, 0], inertia: [0.01, 0.5, 0.5]}\n"
                            "joints:\n"
                            "  hinge: {type: revolute, between: [world, lever], axis: [0, 1, 0], child_at: [-0.5, 0, "
                            "0], angle: -30 deg, upper: 0 deg, limit_restitution: 0.4}\n"
                            "simulate: {until: 3 s, tolerance: 1e-10, every: 0.05}\n";

static void see_lever(Watch *w, const caromSample *s)
{
    if (count_of_so_far(w, CAROM_EVENT_LAND) == 0) return;
    CHECK_NEAR(s->joint_q[0], 0, 1e-13);
    CHECK_NEAR(s->joint_v[0], 0, 1e-13);
    w->turns++;
}

static void lever_rhs(double t, const double *y, double *dy, const void *context)  // I about the hinge is 1, m g l = g
{
    (void)t;
    (void)context;
    dy[0] = y[1];
    dy[1] = g*cos(y[0]);  // angle about +y: down
}

static void a_lever_rests_at_its_stop(void **state)
{
    (void)state;
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double y[2] = { -pi/6, 0 };
        gauss_legendre(lever_rhs, NULL, 2, 0, 0.5*(low + high), 200, y);
        if (y[0] < 0) low = 0.5*(low + high);
        else high = 0.5*(low + high);
    }
    Watch *w = run_text(lever, NULL, see_lever, NULL);
    const caromEvent *first = event_from(w, CAROM_EVENT_IMPACT, 0), *land = event_from(w, CAROM_EVENT_LAND, 0);
    CHECK(first && first->about.kind == CAROM_SUBJECT_LIMIT && first->about.limit.joint == 0);
    CHECK(land && land->about.kind == CAROM_SUBJECT_LIMIT && land->about.limit.joint == 0);
    CHECK_NEAR(first->time, low, 1e-9);
    CHECK_NEAR(first->impact.speed, sqrt(2*g*sin(pi/6)), 1e-8);
    // The rebound: w = 0.4 w-, later ones 0.4 of that: hops of the pendulum, not quite of constant acceleration.
    double w0 = 0.4*first->impact.speed, rest = low;
    for (int hop = 0; hop < 40; hop++, w0 *= 0.4) {
        double a = 0, b = 2.5*w0/g;  // a hop lasts 2 w/g for small w, a little longer for larger ones
        for (int i = 0; i < 60; i++) {
            double t = 0.5*(a + b), y[2] = { 0, -w0 };
            gauss_legendre(lever_rhs, NULL, 2, 0, t, 50, y);
            if (y[0] < 0) a = t;
            else b = t;
        }
        rest += b;
    }
    CHECK_NEAR(land->time, rest, 1e-9);
    CHECK(w->turns > 10);
    free(w);
}

// ---- a four-bar whose coupler comes down on a ball that is fixed: loop and contact

static const char linkage[] = STUFF("0.3", "0.4")
                              "contact: {response: rigid, friction_law: bristle}\n"
                              "bodies:\n"
                              "  knob:    {fixed: true, material: stuff, shape: {sphere: {radius: 3 cm}}, position: "
                              "[0.42, 0, 0.2]}\n"
                              "  crank:   {material: stuff, mass: 1 kg, shape: {box: {size: [0.2 m, 1 cm, 2 cm]}}}\n"
                              "  coupler: {material: stuff, mass: 1 kg, shape: {box: {size: [0.5 m, 1 cm, 2 cm]}}}\n"
                              "  rocker:  {material: stuff, mass: 1 kg, shape: {box: {size: [0.4 m, 1 cm, 2 cm]}}}\n"
                              "joints:\n"
                              "  a: {type: revolute, between: [world, crank],   axis: [0, 1, 0], at: [0, 0, "
                              "0],      child_at: [-0.1, 0, 0],  angle: -60 deg}\n"
                              "  b: {type: revolute, between: [crank, coupler], axis: [0, 1, 0], at: [0.1, 0, "
                              "0],    child_at: [-0.25, 0, 0], angle: 33.4 deg}\n"
                              "  d: {type: revolute, between: [world, rocker],  axis: [0, 1, 0], at: [0.5 m, 0, "
                              "0],  child_at: [-0.2, 0, 0],  angle: -83.2 deg}\n"
                              "  c: {type: revolute, between: [coupler, rocker], axis: [0, 1, 0], at: [0.25, 0, "
                              "0],  child_at: [0.2, 0, 0]}\n"
                              "simulate: {until: 10 s, tolerance: 1e-8, every: 0.1}\n";

static void a_four_bar_comes_to_rest_on_a_knob(void **state)
{
    (void)state;
    Watch *w;
    Rest rest = run_to_rest(linkage, NULL, 8, &w);
    CHECK(count_of(w, CAROM_EVENT_LAND) >= 1);
    CHECK(rest.kinetic < 1e-14);
    CHECK(rest.contacts >= 1);
    free(w);
}

// ---- a chain of two bars that is all but stretched out strikes a wall with its end, at an angle

typedef struct Chain { double angle, length, fold, rate, tilt, round; } Chain;

// Of the ball at its end, from there, so that it touches the wall there: in the frame of the lower bar.
static caromVec3 centre_of(double pitch, caromVec3 n)
{
    return carom_scale(0.02, carom_vec(n.x*cos(pitch) + n.z*sin(pitch), n.y, n.z*cos(pitch) - n.x*sin(pitch)));
}

static void write_chain(const Chain *c, const char *restitution, const char *friction, char *text, size_t size)
{
    double other = asin(sin(c->fold)/c->length), pitch = c->angle - other,
           reach = cos(c->fold) + c->length*cos(other);
    caromVec3 u = { cos(c->angle), 0, sin(c->angle) },
              v = { -u.z*cos(c->round), sin(c->round), u.x*cos(c->round) },
              n = carom_neg(carom_add(carom_scale(cos(c->tilt), u), carom_scale(sin(c->tilt), v))),
              centre = centre_of(pitch, n);
    snprintf(text, size,
             "carom: 1\nmaterials: {stuff: {density: 1000}}\n"
             "pairs: [{between: [stuff, stuff], restitution: %s, friction: %s}]\n"
             "contact: {response: rigid, friction_law: bristle}\n"
             "bodies:\n"
             "  wall: {fixed: true, material: stuff, shape: {half-space: {normal: [%.17g, %.17g, %.17g]}}, "
             "position: [%.17g, 0, %.17g]}\n"
             "  upper: {mass: 1, com: [0, 0, 0], inertia: [0.001, 0.08, 0.08]}\n"
             "  lower: {mass: 1, com: [0, 0, 0], inertia: [0.001, 0.08, 0.08], material: stuff, "
             "shape: {sphere: {radius: 0.02}, position: [%.17g, %.17g, %.17g]}}\n"
             "joints:\n"
             "  shoulder: {type: revolute, between: [world, upper], axis: [0, 1, 0], child_at: [-0.5, 0, 0], "
             "angle: %.17g, angle_rate: %.17g}\n"
             "  elbow: {type: revolute, between: [upper, lower], axis: [0, 1, 0], at: [0.5, 0, 0], "
             "child_at: [%.17g, 0, 0], angle: %.17g, angle_rate: %.17g}\n"
             "simulate: {until: 5 ms, tolerance: 1e-9, every: 1 ms}\n", restitution, friction, n.x, n.y, n.z,
             reach*u.x, reach*u.z, 0.5*c->length + centre.x, centre.y, centre.z, -c->angle - c->fold, c->rate,
             -0.5*c->length, c->fold + other, -c->rate*(1 + 1/c->length));
}

// It answers along itself by the square of the angle that is left, and impulses grow as 1 over that angle: of what they
// lose the laws of impact know only some digits, the ledger has to know all (4e5 tolerances were lost).
static void a_chain_that_is_stretched_out_keeps_its_ledger(void **state)
{
    (void)state;
    static const char *const restitutions[] = { "0", "0.5" }, *const frictions[] = { "0.3", "1.2" };
    Random r = { 7 };
    for (int i = 0; i < share_of(40); i++) {
        Chain c = { .angle = random_uniform(&r, 0, 6.28), .length = random_uniform(&r, 0.5, 1.5),
                    .fold = pow(10, random_uniform(&r, -6, -2)), .rate = random_uniform(&r, 0.5, 2),
                    .tilt = random_uniform(&r, 0.1, 0.6), .round = random_uniform(&r, 0, 6.28) };
        char text[3000];
        Falls falls = { 0 };
        write_chain(&c, restitutions[i % 2], frictions[i/2 % 2], text, sizeof text);
        Watch *w = run_text(text, NULL, see_energy, &falls);
        assert_true(count_of(w, CAROM_EVENT_IMPACT) > 0);
        CHECK(falls.worst < 1e-8*w->record.stats.energy_reference);
        CHECK(w->record.stats.largest_imbalance < 1e-9*w->record.stats.energy_reference);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_comes_to_rest_on_the_floor),
        cmocka_unit_test(an_arm_comes_to_rest_on_a_block),
        cmocka_unit_test(a_lever_rests_at_its_stop),
        cmocka_unit_test(a_four_bar_comes_to_rest_on_a_knob),
        cmocka_unit_test(a_chain_that_is_stretched_out_keeps_its_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
