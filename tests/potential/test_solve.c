// The minimum is found: against scalar equations, from anywhere, in piles; and stretches of time made of it give what
// mechanics asks for: impacts with their restitution, balls on each other, blocks that stick and slide on a slope.
#include "potential/potential.h"

#include "carom/math.h"

#include "check.h"

static const double g = 9.81;
static const caromVec3 none = { 0, 0, 0 }, up = { 0, 0, 1 };

static caromVec3 random_unit(Random *r)
{
    caromVec3 a;
    do a = carom_vec(random_uniform(r, -1, 1), random_uniform(r, -1, 1), random_uniform(r, -1, 1));
    while (carom_norm(a) > 1.0 || carom_norm(a) < 0.1);
    return carom_unit_or(a, carom_vec(1, 0, 0));
}

static caromPotentialBody ball(double mass, double radius)
{
    double I = 0.4*mass*radius*radius;
    return (caromPotentialBody){ .mass = mass, .inertia = carom_mat_diagonal(I, I, I) };
}

static caromPotentialBody floor_body(void)
{
    return (caromPotentialBody){ .is_held = true };
}

// psi = limit min(1, size/small), with a corner that is not rounded.
typedef struct Coulomb {
    double limit, small;
} Coulomb;

static double coulomb(const double *c, double size, double *slope)
{
    *slope = size < c[1] ? c[0]/c[1] : 0.0;
    return c[0]*fmin(1.0, size/c[1]);
}

static caromRub slip_across(caromVec3 n, const Coulomb *law)
{
    caromMat3 across = carom_mat(carom_axpy(-n.x, n, carom_vec(1, 0, 0)), carom_axpy(-n.y, n, carom_vec(0, 1, 0)),
                                 carom_axpy(-n.z, n, carom_vec(0, 0, 1)));
    return (caromRub){ .turn = carom_mat_scale(0.0, across), .shift = across, .force = coulomb,
                       .numbers = { law->limit, law->small } };
}

static caromPress press_along(caromVec3 n, double depth, double stiffness, double power, double damping)
{
    return (caromPress){ .along = { none, n }, .depth = depth, .stiffness = stiffness, .power = power,
                         .damping = damping };
}

// Of a contact with at most one part of each kind; NULL: none.
static void add_contact(caromPotential *p, const caromPotentialContact *c, const caromPress *press, const caromRub *rub)
{
    CHECK(carom_potential_add_contact(p, c));
    if (press) CHECK(carom_potential_add_press(p, press));
    if (rub) CHECK(carom_potential_add_rub(p, rub));
}

// ---- parts

static void impulses_fall_and_their_slopes_are_their_derivatives(void **state)
{
    (void)state;
    Random r = { 7 };
    const double powers[] = { 1.0, 1.5, 2.0, 1.2 };
    for (int k = 0; k < share_of(2000); k++) {
        caromPress press = press_along(up, random_uniform(&r, -1e-3, 1e-3), 1e5, powers[k%4],
                                       random_uniform(&r, 0, 2));
        press.held = k%3 ? 5.0 : 0.0;
        press.held_damping = random_uniform(&r, 0, 3);
        double time = 1e-3, x = random_uniform(&r, -1, 1), d = 1e-7, slope, at[3], unused;
        at[1] = carom_potential_press(&press, time, x, &slope);
        at[0] = carom_potential_press(&press, time, x - d, &unused);
        at[2] = carom_potential_press(&press, time, x + d, &unused);
        CHECK(at[0] >= at[1] && at[1] >= at[2] && slope >= 0.0);
        double left = (at[0] - at[1])/d, right = (at[1] - at[2])/d;  // at a kink the slope is one of both
        double off = fmin(fabs(left - slope), fmin(fabs(right - slope), fabs(0.5*(left + right) - slope)));
        CHECK(off <= 1e-4*(fabs(left) + fabs(right)) + 1e-6);
    }
}

// A damper beside a spring: K (d - (T + b) x), and nothing pulls.
static void dampers_act_beside_springs(void **state)
{
    (void)state;
    caromPress press = { .depth = 1e-3, .stiffness = 1e5, .power = 1.0, .delay = 2e-3 };
    double slope;
    CHECK_NEAR(carom_potential_press(&press, 1e-3, -0.1, &slope), 1e-3*1e5*(1e-3 + 3e-3*0.1), 1e-15);
    CHECK_NEAR(slope, 1e-3*1e5*3e-3, 1e-12);
    assert_true(carom_potential_press(&press, 1e-3, 0.5, &slope) == 0.0 && slope == 0.0);
}

static void matrices_of_contacts_are_derivatives_of_impulses(void **state)
{
    (void)state;
    Random r = { 11 };
    const Coulomb law = { 3.0, 0.1 };
    caromPotential p = { .time = 1e-3, .softness = 1.0 };
    for (int k = 0; k < share_of(300); k++) {
        caromVec3 n = random_unit(&r), a = random_unit(&r);
        caromPress press = press_along(n, 1e-3, 1e5, 1.5, 0.3), held = { .along = { a, n }, .held = 2.0,
                                                                        .held_damping = 0.4 };
        if (k % 2) press.delay = 2e-3;
        caromRub rub = slip_across(n, &law);
        rub.turn = carom_mat_diagonal(0.1, 0.2, 0.3);
        rub.start = carom_vec(0.01, -0.02, 0.0);
        CHECK(carom_potential_begin(&p, 2));
        add_contact(&p, &(caromPotentialContact){ .body = { 0, 1 } }, &press, &rub);
        CHECK(carom_potential_add_press(&p, &held));
        const caromPotentialContact c = p.contacts[0];
        double G[36], size = 0.0;
        caromSpatial V = { carom_scale(0.2, random_unit(&r)), carom_scale(0.2, random_unit(&r)) };
        carom_potential_parts(&p, &c, V, G);
        for (int i = 0; i < 36; i++) size = fmax(size, fabs(G[i]));
        for (int j = 0; j < 6; j++) {
            const double d = 1e-6;
            caromSpatial low = V, high = V;
            double *of_low[] = { &low.angular.x, &low.angular.y, &low.angular.z, &low.linear.x, &low.linear.y,
                                 &low.linear.z };
            double *of_high[] = { &high.angular.x, &high.angular.y, &high.angular.z, &high.linear.x, &high.linear.y,
                                  &high.linear.z };
            *of_low[j] -= d;
            *of_high[j] += d;
            caromSpatial F = carom_potential_parts(&p, &c, low, NULL), H = carom_potential_parts(&p, &c, high, NULL);
            const double change[6] = { F.angular.x - H.angular.x, F.angular.y - H.angular.y, F.angular.z - H.angular.z,
                                       F.linear.x - H.linear.x, F.linear.y - H.linear.y, F.linear.z - H.linear.z };
            for (int i = 0; i < 6; i++) {
                CHECK_NEAR(change[i]/(2*d), G[6*i + j], 1e-5*size);
                CHECK_NEAR(G[6*j + i], G[6*i + j], 1e-14*size);
            }
        }
    }
    carom_potential_free(&p);
}

// ---- one body, against an equation of one variable

// m (v - v^) = impulse(v), by bisection.
static double scalar_solution(double mass, double free, const caromPress *press, double time)
{
    double low = -1e3, high = 1e3, unused;
    for (int i = 0; i < 200; i++) {
        double v = 0.5*(low + high);
        if (mass*(v - free) < carom_potential_press(press, time, v, &unused)) low = v;
        else high = v;
    }
    return 0.5*(low + high);
}

static void one_ball_does_what_its_equation_says(void **state)
{
    (void)state;
    Random r = { 3 };
    caromPotential p = { 0 };
    for (int k = 0; k < share_of(500); k++) {
        double mass = pow(10, random_uniform(&r, -4, 4)), K = pow(10, random_uniform(&r, 2, 12));
        CHECK(carom_potential_begin(&p, 2));
        p.time = pow(10, random_uniform(&r, -6, -1));
        p.bodies[0] = floor_body();
        p.bodies[1] = ball(mass, 0.1);
        p.bodies[1].free.linear.z = random_uniform(&r, -5, 5);
        caromPress press = press_along(up, random_uniform(&r, -1e-4, 1e-3), K, k%2 ? 1.5 : 1.0,
                                       random_uniform(&r, 0, 1));
        add_contact(&p, &(caromPotentialContact){ .body = { 0, 1 }, .lever = { none, { 0, 0, -0.1 } } }, &press, NULL);
        CHECK(carom_potential_prepare(&p));
        caromPotentialResult result = carom_potential_solve(&p, 1e-10);
        CHECK(result.is_found);
        double v = scalar_solution(mass, p.bodies[1].free.linear.z, &p.press[0], p.time), slope;
        carom_potential_press(&p.press[0], p.time, v, &slope);
        CHECK_NEAR(p.bodies[1].V.linear.z, v, 1e-9);
        CHECK_VEC(p.bodies[1].V.angular, none, 0.0);
        CHECK_NEAR(p.contacts[0].impulse.linear.z, mass*(v - p.bodies[1].free.linear.z), 1e-9*(mass + slope));
    }
    carom_potential_free(&p);
}

// ---- many bodies

enum { PILE = 40 };

static double momentum_left(const caromPotential *p)
{
    double worst = 0.0;
    for (int i = 0; i < p->nbody; i++) {
        const caromPotentialBody *b = &p->bodies[i];
        if (b->is_held) continue;
        caromVec3 force = carom_scale(b->mass, carom_sub(b->V.linear, b->free.linear)),
                  torque = carom_mul(b->inertia, carom_sub(b->V.angular, b->free.angular));
        for (int k = 0; k < p->ncontact; k++) {
            const caromPotentialContact *c = &p->contacts[k];
            for (int side = 0; side < 2; side++) {
                if (c->body[side] != i) continue;
                double sign = side ? -1.0 : 1.0;
                force = carom_axpy(sign, c->impulse.linear, force);
                torque = carom_axpy(sign, carom_add(c->impulse.angular, carom_cross(c->lever[side],
                                                                                   c->impulse.linear)), torque);
            }
        }
        worst = fmax(worst, fmax(carom_norm(force), carom_norm(torque)/0.1)/b->mass);
    }
    return worst;
}

static void make_pile(caromPotential *p, Random *r, const Coulomb *law)
{
    CHECK(carom_potential_begin(p, PILE + 1));
    p->time = pow(10, random_uniform(r, -4, -2));
    p->bodies[0] = floor_body();
    for (int i = 1; i <= PILE; i++) {
        p->bodies[i] = ball(pow(10, random_uniform(r, -1, 1)), 0.1);
        p->bodies[i].free = (caromSpatial){ random_unit(r), carom_axpy(2.0, random_unit(r), carom_vec(0, 0, -1)) };
    }
    for (int k = 0; k < 3*PILE; k++) {
        int b = 1 + k%PILE, a = k < PILE ? 0 : (int)random_uniform(r, 0, b);
        caromVec3 n = a == 0 ? up : random_unit(r);
        double depth = random_uniform(r, 0, 1e-3), K = pow(10, random_uniform(r, 4, 9));
        caromPress press = press_along(n, depth, K, 1.5, 0.3);
        caromRub rub = slip_across(n, law);
        add_contact(p, &(caromPotentialContact){ .body = { a, b },
                                                 .lever = { carom_scale(0.1, n), carom_scale(-0.1, n) } },
                    &press, &rub);
    }
    CHECK(carom_potential_prepare(p));
}

// Wherever the search begins it ends at the same velocities, and all momentum is accounted for.
static void a_pile_has_one_solution(void **state)
{
    (void)state;
    Random r = { 5 };
    const Coulomb law = { 20.0, 1e-4 };
    caromPotential p = { 0 };
    for (int k = 0; k < share_of(60); k++) {
        caromSpatial first[PILE + 1];
        make_pile(&p, &r, &law);
        for (int way = 0; way < 2; way++) {
            for (int i = 1; i <= PILE; i++)
                p.bodies[i].V = way ? (caromSpatial){ random_unit(&r), carom_scale(10.0, random_unit(&r)) }
                                    : p.bodies[i].free;
            caromPotentialResult result = carom_potential_solve(&p, 1e-9);
            CHECK(result.is_found);

            CHECK_NEAR(momentum_left(&p), 0.0, 1e-6);
            for (int i = 1; way && i <= PILE; i++) {
                CHECK_VEC(p.bodies[i].V.linear, first[i].linear, 1e-6);
                CHECK_VEC(p.bodies[i].V.angular, first[i].angular, 1e-5);
            }
            for (int i = 0; i <= PILE; i++) first[i] = p.bodies[i].V;
        }
    }
    carom_potential_free(&p);
}

// ---- stretches of time

// TR-BDF2 of one coordinate: a ball of 1 kg on a floor, its lowest point at z.
typedef struct Ball {
    double z, v, a;  // of the last stage
    double K, c;
} Ball;

static double stage(caromPotential *p, const Ball *b, double zb, double vb, double tau)
{
    CHECK(carom_potential_begin(p, 2));
    p->time = tau;
    p->bodies[0] = floor_body();
    p->bodies[1] = ball(1.0, 0.1);
    p->bodies[1].free.linear.z = vb;
    caromPress press = press_along(up, -zb, b->K, 1.5, b->c);
    add_contact(p, &(caromPotentialContact){ .body = { 0, 1 } }, &press, NULL);
    CHECK(carom_potential_prepare(p));
    CHECK(carom_potential_solve(p, 1e-12).is_found);
    return p->bodies[1].V.linear.z;
}

static void tr_bdf2(caromPotential *p, Ball *b, double h)
{
    const double gamma = 2.0 - sqrt(2.0), tau = 0.5*gamma*h, beyond = 1.0/(gamma*(2.0 - gamma));
    double v1 = stage(p, b, b->z + tau*b->v, b->v + tau*b->a, tau), z1 = b->z + tau*(b->v + v1);
    double zb = b->z + beyond*(z1 - b->z), vb = b->v + beyond*(v1 - b->v), v2 = stage(p, b, zb, vb, tau);
    b->z = zb + tau*v2;
    b->a = (v2 - vb)/tau;
    b->v = v2;
}

// c v0 of the family fn = K d^n (1 + c d'): (1 + e) u = ln((1 + u)/(1 - e u)) [contact/damping_exact.c].
static double exact_number(double e)
{
    double low = 1e-9, high = 1.0/e*(1 - 1e-12);
    for (int i = 0; i < 200; i++) {
        double u = 0.5*(low + high);
        if (log((1 + u)/(1 - e*u)) < (1 + e)*u) low = u;
        else high = u;
    }
    return 0.5*(low + high);
}

// The error of the rebound goes with the square of the step.
static void a_ball_rebounds_as_asked(void **state)
{
    (void)state;
    caromPotential p = { 0 };
    for (double e = 0.3; e < 0.95; e += 0.2) {
        double off[2];
        for (int fine = 0; fine < 2; fine++) {
            const double K = 1e7, v0 = 2.0, duration = 3.218*pow(1.0/(K*K*v0), 0.2);
            Ball b = { 0.0, -v0, 0.0, K, exact_number(e)/v0 };
            double h = duration/(fine ? 160 : 40);
            for (int i = 0; i < 4000 && (b.z <= 0.0 || b.v <= 0.0); i++) tr_bdf2(&p, &b, h);
            off[fine] = fabs(b.v/v0 - e);
        }
        CHECK(off[0] < 0.01);
        CHECK(off[1] < 0.001 && off[1] < 0.25*off[0] + 1e-5);
    }
    carom_potential_free(&p);
}

// Two balls on a floor settle as deep as their weights press them: K d^1.5 is one weight, and two.
static void two_balls_on_each_other_come_to_rest(void **state)
{
    (void)state;
    caromPotential p = { 0 };
    const double K = 1e7, mass = 1.0, h = 1e-3;
    double z[3] = { 0, 0, 0 }, v[3] = { 0, 0, 0 };  // how far each has come down from where all just touch
    for (int i = 0; i < 1500; i++) {
        CHECK(carom_potential_begin(&p, 3));
        p.time = h;
        p.bodies[0] = floor_body();
        for (int k = 1; k <= 2; k++) {
            p.bodies[k] = ball(mass, 0.1);
            p.bodies[k].free.linear.z = v[k] - h*g;
            caromPress press = press_along(up, z[k - 1] - z[k], K, 1.5, 0.5);
            add_contact(&p, &(caromPotentialContact){ .body = { k - 1, k } }, &press, NULL);
        }
        CHECK(carom_potential_prepare(&p));
        CHECK(carom_potential_solve(&p, 1e-14).is_found);
        for (int k = 1; k <= 2; k++) {
            v[k] = p.bodies[k].V.linear.z;
            z[k] += h*v[k];
        }
    }
    CHECK_NEAR(-z[1], pow(2*mass*g/K, 2.0/3), 1e-10);
    CHECK_NEAR(z[1] - z[2], pow(mass*g/K, 2.0/3), 1e-10);
    CHECK_NEAR(p.contacts[0].impulse.linear.z, 2*mass*g*h, 1e-9);
    carom_potential_free(&p);
}

// On a slope: bristles hold a block that is less steep than friction allows, and do not creep; a steeper one slides
// with g (sin - mu cos). Coulomb is psi of the bend start + v at the end of the time.
static void a_block_on_a_slope_sticks_or_slides(void **state)
{
    (void)state;
    caromPotential p = { 0 };
    const double mass = 2.0, mu = 0.5, h = 0.01, bristle = 1e6;
    const double angles[] = { 0.2, 0.45, 0.48, 0.8 };
    for (int k = 0; k < 4; k++) {
        double a = angles[k], along = 0.0, v = 0.0, bend = 0.0, start = 0.0;
        double limit = mu*mass*g*cos(a);
        for (int i = 0; i < 200; i++) {
            Coulomb law = { limit, limit/(bristle*h) };
            CHECK(carom_potential_begin(&p, 2));
            p.time = h;
            p.bodies[0] = floor_body();
            p.bodies[1] = ball(mass, 0.1);
            p.bodies[1].free.linear.x = v + h*g*sin(a);
            caromRub rub = slip_across(up, &law);
            rub.start = carom_vec(bend/h, 0, 0);
            add_contact(&p, &(caromPotentialContact){ .body = { 0, 1 } }, NULL, &rub);
            CHECK(carom_potential_prepare(&p));
            CHECK(carom_potential_solve(&p, 1e-12).is_found);
            v = p.bodies[1].V.linear.x;
            bend = fmin(bend + h*v, limit/bristle);
            along += h*v;
            if (i == 99) start = along;
        }
        if (a < atan(mu)) {
            CHECK_NEAR(along, mass*g*sin(a)/bristle, 1e-12);
            CHECK_NEAR(along - start, 0.0, 1e-12);
        } else {
            CHECK_NEAR(v, g*(sin(a) - mu*cos(a))*2.0, 1e-3);
        }
    }
    carom_potential_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_fall_and_their_slopes_are_their_derivatives),
        cmocka_unit_test(dampers_act_beside_springs),
        cmocka_unit_test(matrices_of_contacts_are_derivatives_of_impulses),
        cmocka_unit_test(one_ball_does_what_its_equation_says),
        cmocka_unit_test(a_pile_has_one_solution),
        cmocka_unit_test(a_ball_rebounds_as_asked),
        cmocka_unit_test(two_balls_on_each_other_come_to_rest),
        cmocka_unit_test(a_block_on_a_slope_sticks_or_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
