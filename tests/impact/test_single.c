// One contact: numbers that are known, laws, and what must never happen.
#include "check.h"
#include "impact/impact.h"

static caromImpactContact contact(caromImpactLaw law, double e, double mu)
{
    return (caromImpactContact){ .restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1, .law = law,
                                 .delta = 1e-3 };
}

static caromImpactOutcome hit(caromImpactContact c, const double G[9], double v[3])
{
    caromImpactOutcome outcome;
    carom_impact_single(&c, G, 1e-12, v, &outcome);
    return outcome;
}

// What the impulse did to the kinetic energy: p.(v- + v+)/2.
static double energy_change(const caromImpactOutcome *o, const double before[3], const double after[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += 0.5*o->p[i]*(before[i] + after[i]);
    return sum;
}

// Rod of length 2, mass 1, at tan(theta) = 2, tip sliding in -x with friction 1.5 and no approach at all: friction
// drives it into the ground. By hand: A = 1.6 - 1.5 1.2 = -0.2, slip stops at p = 1/(1.5 3.4 - 1.2), sticks at
// p_t/p_n = 1.2/3.4, E = -1/130.
static void rod_that_only_slides_hits_the_ground(void **state)
{
    (void)state;
    const double G[9] = { 1.6, -1.2, 0, -1.2, 3.4, 0, 0, 0, 1 };
    const struct { double e, v_n, P_n, dT; } known[] = { { 0, 0, 0.3, -0.2 }, { 0.5, 0.067267, 0.357177, -0.198077 },
                                                         { 1, 0.134535, 0.414354, -0.192308 } };
    for (int i = 0; i < 3; i++) {
        double v[3] = { 0, -1, 0 }, before[3] = { 0, -1, 0 };
        caromImpactOutcome o = hit(contact(CAROM_IMPACT_ENERGETIC, known[i].e, 1.5), G, v);
        CHECK(o.path == CAROM_SLIP_JAMS && o.stops_in_compression && o.impacts == 1);
        CHECK_NEAR(v[0], known[i].v_n, 5e-7);  // the known numbers have six digits
        CHECK_NEAR(v[1], 0, 1e-15);
        CHECK_NEAR(o.p[0], known[i].P_n, 5e-7);
        CHECK_NEAR(o.p[1], 1.5/3.9 + (o.p[0] - 1/3.9)*1.2/3.4, 1e-15);
        CHECK_NEAR(o.stop*o.p[0], 1/3.9, 1e-15);
        CHECK_NEAR(o.compression, -1.0/130, 1e-16);
        CHECK_NEAR(o.restitution, known[i].e*known[i].e/130, 1e-16);
        CHECK_NEAR(energy_change(&o, before, v), known[i].dT, 5e-7);
    }
    // Below 4/3 nothing happens, and a rod that sticks or slips the other way is left alone.
    double v[3] = { 0, -1, 0 };
    caromImpactOutcome o = hit(contact(CAROM_IMPACT_ENERGETIC, 0.5, 1.3), G, v);
    CHECK(o.impacts == 0 && o.p[0] == 0 && v[0] == 0 && v[1] == -1);
    v[1] = 1;
    o = hit(contact(CAROM_IMPACT_ENERGETIC, 0.5, 1.5), G, v);
    CHECK(o.impacts == 0 && v[1] == 1);
    v[1] = 0;
    o = hit(contact(CAROM_IMPACT_ENERGETIC, 0.5, 1.5), G, v);
    CHECK(o.impacts == 0 && v[1] == 0);
}

// A ball (m, 2/5 m r^2) slides throughout while mu (1+e) |v_n| 7/2 < |v_t|, otherwise it leaves rolling: v_t+ = 0. Any
// direction, all three laws alike since the normal is decoupled.
static void ball_with_spin_slides_or_rolls_off(void **state)
{
    (void)state;
    const double m = 0.17, e = 0.8, v_n = -2, v_t = 3, G[9] = { 1/m, 0, 0, 0, 3.5/m, 0, 0, 0, 3.5/m };
    const double limit = v_t/(3.5*(1 + e)*-v_n);
    for (int law = CAROM_IMPACT_ENERGETIC; law <= CAROM_IMPACT_NEWTON; law++) {
        for (int i = 0; i < 12; i++) {
            double angle = 0.1 + i, c = cos(angle), s = sin(angle), mu = limit*(i % 2 ? 0.9 : 1.1),
                   v[3] = { v_n, v_t*c, v_t*s };
            caromImpactOutcome o = hit(contact((caromImpactLaw)law, e, mu), G, v);
            double left = i % 2 ? 0.1*v_t : 0;
            CHECK_NEAR(v[0], -e*v_n, 1e-15);
            CHECK_NEAR(v[1], left*c, 4e-15);
            CHECK_NEAR(v[2], left*s, 4e-15);
            CHECK(o.path == (i % 2 ? CAROM_SLIP_THROUGHOUT : CAROM_SLIP_STICKS));
            if (i % 2) CHECK(isnan(o.stop));
            else CHECK_NEAR(o.stop, law == CAROM_IMPACT_NEWTON ? 1 : 1/1.1, 1e-15);
        }
    }
}

// A pendulum against a wall has one degree of freedom: G = g g^T. It bounces while friction cannot hold it; else it
// stays, and what was stored is lost.
static void pendulum_bounces_or_jams(void **state)
{
    (void)state;
    for (int i = 1; i < 40; i++) {
        double n = 0.3, t = 0.05*i, G[9] = { n*n, n*t*0.6, n*t*0.8, n*t*0.6, t*t*0.36, t*t*0.48, n*t*0.8, t*t*0.48,
                                             t*t*0.64 }, mu = 0.5;
        double v[3] = { -n, -t*0.6, -t*0.8 };
        caromImpactOutcome o = hit(contact(CAROM_IMPACT_ENERGETIC, 0.7, mu), G, v);
        bool locks = n/t <= mu;
        // Compression against friction, restitution with it the other way: the ratio of the slopes enters under a root.
        double back = locks ? 0 : 0.7*sqrt((n - mu*t)/(n + mu*t));
        if (fabs(n/t - mu) < 1e-12) continue;
        CHECK_NEAR(v[0], n*back, 1e-14);
        CHECK_NEAR(v[1], 0.6*t*back, 1e-14);
        CHECK_NEAR(v[2], 0.8*t*back, 1e-14);
        CHECK(o.path == (locks ? CAROM_SLIP_JAMS : CAROM_SLIP_REVERSES));
        CHECK_NEAR(o.compression, -0.5/(1 + mu*t/n), 1e-15);
    }
}

// Static friction holds what sliding friction would not, and a contact at rest breaks away when even that is too
// little.
static void static_friction_holds_longer(void **state)
{
    (void)state;
    const double G[9] = { 1, 0.5, 0, 0.5, 1, 0, 0, 0, 1 };  // |m| = 0.5
    caromImpactContact c = contact(CAROM_IMPACT_ENERGETIC, 0.5, 0.4);
    c.static_friction = 0.6;
    double v[3] = { -1, 0, 0 };
    caromImpactOutcome o = hit(c, G, v);
    CHECK(o.path == CAROM_SLIP_NONE && v[1] == 0 && o.friction == 0);
    CHECK_NEAR(v[0], 0.5, 1e-15);
    CHECK_NEAR(o.p[1], -0.5*o.p[0], 1e-15);
    c.static_friction = 0.45;
    double w[3] = { -1, 0, 0 };
    o = hit(c, G, w);
    CHECK(o.path == CAROM_SLIP_PUSHED && isnan(o.stop));
    CHECK_NEAR(o.p[1], -0.4*o.p[0], 1e-15);
    CHECK_NEAR(w[1], 0.1*o.p[0], 1e-15);
    CHECK_NEAR(w[0], 0.5, 1e-15);
}

static void newton_reverses_the_normal_speed(void **state)
{
    (void)state;
    Random r = { 7 };
    for (int i = 0; i < 20000; i++) {
        double a = random_uniform(&r, 0.1, 2), b = random_uniform(&r, 0.1, 2), c = random_uniform(&r, 0.1, 2);
        double l10 = random_uniform(&r, -1, 1), l20 = random_uniform(&r, -1, 1), l21 = random_uniform(&r, -1, 1), G[9];
        G[0] = a*a, G[1] = G[3] = a*l10, G[2] = G[6] = a*l20, G[4] = l10*l10 + b*b, G[5] = G[7] = l10*l20 + l21*b,
            G[8] = l20*l20 + l21*l21 + c*c;
        double e = random_uniform(&r, 0, 1), mu = random_uniform(&r, 0, 2), before[3], v[3];
        before[0] = random_uniform(&r, -1, 0);
        before[1] = random_uniform(&r, -1, 1), before[2] = random_uniform(&r, -1, 1);
        for (int law = CAROM_IMPACT_NEWTON; law <= CAROM_IMPACT_NEWTON_FRICTIONLESS; law++) {
            memcpy(v, before, sizeof v);
            caromImpactOutcome o = hit(contact((caromImpactLaw)law, e, mu), G, v);
            CHECK_NEAR(v[0], -e*before[0], 1e-14*fmax(1, o.p[0]));
            double dT = energy_change(&o, before, v), along = v[1]*before[1] + v[2]*before[2];
            CHECK(dT <= 1e-14*fmax(1, o.p[0]));
            CHECK_NEAR(o.compression + o.restitution + o.friction, dT, 1e-13*fmax(1, o.p[0]*o.p[0]));
            double p_t = hypot(o.p[1], o.p[2]);
            CHECK(p_t <= mu*o.p[0]*(1 + 1e-14));
            if (law == CAROM_IMPACT_NEWTON_FRICTIONLESS) CHECK(p_t == 0);
            if (p_t > 0) CHECK(along >= -1e-13*fmax(1, o.p[0]));
        }
    }
}

static void check_sane(const caromImpactOutcome *o, const double G[9], const double before[3], const double v[3])
{
    for (int i = 0; i < 3; i++) CHECK(isfinite(v[i]) && isfinite(o->p[i]));
    CHECK(isfinite(o->compression) && isfinite(o->restitution) && isfinite(o->friction));
    CHECK(o->p[0] >= 0 && o->compression <= 0 && o->restitution >= 0 && o->friction <= 0);
    CHECK(o->path >= 0 && o->path < CAROM_SLIP_PATHS);
    CHECK(isnan(o->stop) || (o->stop >= 0 && o->stop <= 1));
    double size = 0;  // of the sums in which rounding arises
    for (int i = 0; i < 3; i++) size += fabs(o->p[i])*(fabs(before[i]) + fabs(v[i]));
    for (int i = 0; i < 9; i++) size += fabs(o->p[i/3])*fabs(G[i])*fabs(o->p[i % 3]);
    CHECK(energy_change(o, before, v) <= 1e-12*size);
}

// Everything extreme with everything extreme: finite numbers, no energy.
static void nothing_breaks_it(void **state)
{
    (void)state;
    const double sizes[] = { 0, 1e-300, 1e-160, 1e-20, 1e-8, 1, 1e8 }, frictions[] = { 0, 1e-12, 0.3, 1, 1e6, 1e300 },
                 restitutions[] = { 0, 1e-200, 0.5, 1 };
    const double rows[][6] = {  // factors of Cholesky: 00, 10, 11, 20, 21, 22
        { 1, 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0, 1 }, { 1, 0.7, 0, -0.4, 0, 0 }, { 1, 0.7, 0.2, -0.4, 0.3, 0.1 }, { 1, -3, 0.2, 4, 0.3, 1e-9 },
        { 1, 1e8, 1e8, 0, 0, 1 }, { 1, 1e-8, 1e-8, 1e-9, 1e-12, 1e-8 },
        { 1e-50, 0, 1e-50, 1e-50, 0, 1e-50 }, { 1e50, 1e50, 1e50, 0, 1e50, 1e50 }, { 0, 0, 1, 0, 0, 1 }, { 1, 5, 1e-7, 0, 0, 1e-7 }, { 1, 0, 1e6, 0, 1e-3, 1e-6 },
    };
    for (size_t i = 0; i < sizeof rows/sizeof rows[0]; i++) {
        const double *l = rows[i];
        double G[9];
        G[0] = l[0]*l[0], G[1] = G[3] = l[0]*l[1], G[2] = G[6] = l[0]*l[3], G[4] = l[1]*l[1] + l[2]*l[2],
            G[5] = G[7] = l[1]*l[3] + l[2]*l[4];
        G[8] = l[3]*l[3] + l[4]*l[4] + l[5]*l[5];
        for (int k = 0; k < 7*7*7*8*6*4*4; k += 17) {
            int j = k;
            caromImpactContact c = contact((caromImpactLaw)(j % 4), restitutions[j/4 % 4], frictions[j/16 % 6]);
            j /= 96;
            double before[3] = { -sizes[j % 7], (j/343 % 2 ? -1 : 1)*sizes[j/7 % 7],
                                 (j/686 % 2 ? -1 : 1)*sizes[j/49 % 7] }, v[3];
            if (j/1372 % 2) c.static_friction = 2*c.friction;
            memcpy(v, before, sizeof v);
            caromImpactOutcome o = hit(c, G, v);
            check_sane(&o, G, before, v);
        }
    }
}

// A body with two degrees of freedom, G = a a^T + b b^T: friction that stops the slip stops the approach too, and
// what is stored is lost. Slip that turned leaves some of the tolerance of the normal speed; a restitution at that
// speed took impulses of 1e11 N s, and works that cancel to nothing.
static void two_degrees_of_freedom_jam_at_rest(void **state)
{
    (void)state;
    Random r = { 17 };
    int jams = 0;
    for (int k = 0; k < 20000; k++) {
        double a[3], b[3], G[9], v[3], before[3], x = random_uniform(&r, -1, 1), y = random_uniform(&r, -1, 1);
        for (int i = 0; i < 3; i++) a[i] = random_uniform(&r, -1, 1), b[i] = random_uniform(&r, -1, 1);
        for (int i = 0; i < 9; i++) G[i] = a[i/3]*a[i%3] + b[i/3]*b[i%3];
        for (int i = 0; i < 3; i++) v[i] = before[i] = x*a[i] + y*b[i];
        caromImpactContact c = contact(k % 2 ? CAROM_IMPACT_ENERGETIC : CAROM_IMPACT_POISSON,
                                       random_uniform(&r, 0.1, 1), random_uniform(&r, 0.5, 3));
        caromImpactOutcome o;
        carom_impact_single(&c, G, 1e-9, v, &o);
        if (!(o.p[0] > 0)) continue;
        double change = energy_change(&o, before, v), most = 0.5*(x*x + y*y);
        CHECK_NEAR(o.compression + o.restitution + o.friction, change, 1e-6*most);
        CHECK(change >= -(1 + 1e-6)*most && change <= 1e-9*most);
        jams += o.path == CAROM_SLIP_JAMS && v[0]*v[0] + v[1]*v[1] + v[2]*v[2] < 1e-12;
    }
    CHECK(jams > 100);
}

static void what_does_not_approach_is_left_alone(void **state)
{
    (void)state;
    const double G[9] = { 1, 0.2, 0, 0.2, 1, 0, 0, 0, 1 };
    for (int law = 0; law < CAROM_IMPACT_KINDS; law++) {
        double v[3] = { 1e-9, 1, 2 };
        caromImpactOutcome o = hit(contact((caromImpactLaw)law, 0.5, 0.3), G, v);
        CHECK(o.impacts == 0 && o.p[0] == 0 && o.p[1] == 0 && o.p[2] == 0 && o.path == CAROM_SLIP_NONE &&
              isnan(o.stop));
        CHECK(v[0] == 1e-9 && v[1] == 1 && v[2] == 2);
    }
}

// Rest along the normal is no approach, however fast the slip: nothing is told of it.
static void slip_without_approach_is_left_alone(void **state)
{
    (void)state;
    const double G[9] = { 1, 0.2, 0, 0.2, 1, 0, 0, 0, 1 };
    for (int law = 0; law < CAROM_IMPACT_KINDS; law++) {
        double v[3] = { 0, 1, 2 };
        caromImpactOutcome o = hit(contact((caromImpactLaw)law, 0.5, 0.3), G, v);
        CHECK(o.impacts == 0 && o.p[0] == 0 && o.p[1] == 0 && o.p[2] == 0);
        if (law == CAROM_IMPACT_ENERGETIC || law == CAROM_IMPACT_POISSON) assert_int_equal(o.path, CAROM_SLIP_NONE);
        CHECK(v[0] == 0 && v[1] == 1 && v[2] == 2);
    }
}

// e of a graze is e, down to the smallest numbers, however fast the slip.
static void graze_is_an_impact_like_any_other(void **state)
{
    (void)state;
    const double G[9] = { 1, 0.2, 0.1, 0.2, 2, 0.3, 0.1, 0.3, 1.5 };
    for (double tiny = 1e-16; tiny > 1e-306; tiny *= 1e-10) {
        double v[3] = { -tiny, 1, -0.5 };
        caromImpactOutcome o = hit(contact(CAROM_IMPACT_ENERGETIC, 0.5, 0.3), G, v);
        CHECK_NEAR(v[0]/tiny, 0.5, 1e-12);
        CHECK(o.path == CAROM_SLIP_THROUGHOUT);
    }
}

// Painleve's rod at tan theta = 2, sliding with 1 m/s, that gives way at its tip like a spring: v_n+ goes down to that
// of the impact without collision with e = 1, 0.134535 m/s, as slowly as 1/log K.
static void test_jam_by_compliance(void **state)
{
    (void)state;
    // Of an integration of the rod itself in time.
    static const double stiffness[] = { 1e5, 1e7, 1e9 }, rebound[] = { 0.276, 0.172, 0.142 };
    const double G[9] = { 1.6, -1.2, 0, -1.2, 3.4, 0, 0, 0, 1 }, a[3] = { -9.81, 0, 0 };
    caromImpactContact contact = { .restitution = 1, .friction = 1.5, .static_friction = 1.5, .stiffness = 1,
                                   .law = CAROM_IMPACT_ENERGETIC, .delta = 1e-3 };
    double above = INFINITY;
    for (int i = 0; i < 3; i++) {
        double v[3] = { 0, -1, 0 };
        caromImpactOutcome o;
        double duration = carom_impact_compliant(&contact, G, a, stiffness[i], v, &o);
        // The rod turns while it is pressed in: the spring sees it stand still.
        CHECK_NEAR(v[0] + a[0]*duration, rebound[i], 0.05*rebound[i]);
        CHECK(v[0] > 0.134535 && v[0] < above);
        CHECK(o.compression <= 0 && o.friction <= 0 && o.compression + o.restitution + o.friction <= 0);
        above = v[0];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jam_by_compliance),
        cmocka_unit_test(rod_that_only_slides_hits_the_ground), cmocka_unit_test(ball_with_spin_slides_or_rolls_off),
        cmocka_unit_test(pendulum_bounces_or_jams),
        cmocka_unit_test(static_friction_holds_longer), cmocka_unit_test(newton_reverses_the_normal_speed),
        cmocka_unit_test(nothing_breaks_it),
        cmocka_unit_test(two_degrees_of_freedom_jam_at_rest),
        cmocka_unit_test(what_does_not_approach_is_left_alone),
        cmocka_unit_test(slip_without_approach_is_left_alone), cmocka_unit_test(graze_is_an_impact_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
