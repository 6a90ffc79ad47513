// Bristles by themselves: the energy balance and the limit of every state there is, and what is left of Coulomb's law.
#include "contact/contact.h"

#include "response/compliant.h"
#include "scene.h"

typedef struct Fixture {
    caromModel *model;
    caromTouch touch;
    caromPairLaw law;
    caromPatch patch;
} Fixture;

static Fixture open_fixture(double mu, double mu_s)
{
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_ball(&s, "a", "steel", 0.05, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    scene_ball(&s, "b", "steel", 0.05, carom_vec(0, 0, 0.1), carom_vec(0, 0, 0));
    Fixture f = { .model = scene_end(&s) };
    f.law = *carom_model_law_of(f.model, 0);
    f.law.friction = mu;
    f.law.static_friction = mu_s;
    f.touch = (caromTouch){ .tangential = 1e8, .reaction = 1e-4, .kind = CAROM_CONTACT_FACE, .stiffness = 1,
                            .exponent = 1, .length = 0.05, .spin_inertia = 1e-3 };
    return f;
}

static void close_fixture(Fixture *f)
{
    carom_model_destroy(f->model);
}

static caromVec3 random_vec(Random *r, double size)
{
    return carom_vec(random_uniform(r, -size, size), random_uniform(r, -size, size), random_uniform(r, -size, size));
}

static caromVec3 random_unit(Random *r)
{
    return carom_unit_or(random_vec(r, 1), carom_vec(0, 0, 1));
}

static void random_cells(Random *r, Fixture *f)
{
    f->patch.ncell = (int)random_uniform(r, 1, 9);
    for (int i = 0; i < f->patch.ncell; i++)
        f->patch.cells[i] = (caromCell){ random_vec(r, 0.1), random_unit(r), random_uniform(r, 1, 100) };
}

// Numbers of all sizes: deflections from far below to far above the limit (3e-6 m at 1 kN), speeds from creep to an
// impact. Half of them in part or altogether by the normals of random cells.
static caromBristleLoad random_load(Random *r, Fixture *f, caromGrip *grip, double *z)
{
    double size = pow(10, random_uniform(r, -9, -3)), own = fmin(1.0, fmax(0.0, random_uniform(r, -2, 2)));
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) z[i] = random_uniform(r, -size, size);
    random_cells(r, f);
    *grip = carom_contact_grip_of(&f->law, &f->touch, &f->patch, random_vec(r, 0.02), random_uniform(r, 0, 0.01));
    return (caromBristleLoad){ .normal = random_unit(r),
                               .arm = random_uniform(r, 0, 0.1),
                               .own = own,
                               .grip = own > 0.0 ? grip : NULL,
                               .velocity = { random_vec(r, 10), random_vec(r, pow(10, random_uniform(r, -8, 1))) },
                               .turning = random_vec(r, 100),
                               .fn = random_uniform(r, 0, 1) < 0.1 ? 0.0 : 1000,
                               .stiffness = pow(10, random_uniform(r, 2, 9)) };
}

static double power_of(caromSpatial F, caromSpatial V)
{
    return carom_dot(F.linear, V.linear) + carom_dot(F.angular, V.angular);
}

// What goes in is stored or lost, and what is lost is never negative. Nothing is assumed about the way to this state.
static void power_is_stored_or_lost(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.4);
    Random r = { 12345 };
    for (int i = 0; i < 20000; i++) {
        double z[CAROM_BRISTLE_STATES], dz[CAROM_BRISTLE_STATES], stored = 0, size = 0, bent = 0;
        caromGrip grip;
        caromBristleLoad load = random_load(&r, &f, &grip, z);
        caromBristleForce out = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        for (int k = 0; k < CAROM_BRISTLE_STATES; k++) {
            stored += f.touch.tangential*z[k]*dz[k];
            size += f.touch.tangential*fabs(z[k]*dz[k]);
            bent += z[k]*z[k];
        }
        double in = -power_of(out.wrench, load.velocity),
               rate = sqrt(fmax(load.stiffness/f.touch.tangential, 1e-4))/(0.3*f.touch.reaction);
        size += carom_norm(out.wrench.linear)*carom_norm(load.velocity.linear) +
                carom_norm(out.wrench.angular)*carom_norm(load.velocity.angular);
        size += (200 + rate)*f.touch.tangential*bent +
                0.4*load.fn*(carom_norm(load.velocity.linear) + 0.2*carom_norm(load.velocity.angular));
        CHECK(out.lost >= 0);
        CHECK_NEAR(in, stored + out.lost, 1e-14*size);  // some 40 roundings of the largest terms
    }
    close_fixture(&f);
}

// One way: the ellipsoid itself. All around: F.U <= mu fn |U| whatever the motion.
static void force_never_exceeds_the_limit(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    Random r = { 54321 };
    int at_limit = 0;
    for (int i = 0; i < 20000; i++) {
        double z[CAROM_BRISTLE_STATES], dz[CAROM_BRISTLE_STATES];
        caromGrip grip;
        caromBristleLoad load = random_load(&r, &f, &grip, z);
        load.arm = fmax(load.arm, 1e-3);
        caromVec3 n = load.normal;
        caromBristleForce out = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        if (load.own == 0.0) {
            double torque = carom_dot(out.wrench.angular, n),
                   size = sqrt(carom_norm2(out.wrench.linear) + torque*torque/(load.arm*load.arm));
            CHECK(size <= 0.3*load.fn*(1 + 1e-14));
            CHECK_NEAR(carom_dot(out.wrench.linear, n), 0, 1e-12*load.fn + 1e-300);
            CHECK_VEC(out.wrench.angular, carom_scale(torque, n), 1e-12*load.fn + 1e-300);
            at_limit += load.fn > 0 && size >= 0.3*load.fn*(1 - 1e-14);
        } else if (load.own == 1.0) {
            caromSpatial V = { random_vec(&r, 10), random_vec(&r, 1) }, U = carom_contact_grip_bend(&grip, V);
            double bound = 0.3*load.fn*sqrt(power_of(U, U));
            CHECK(fabs(power_of(out.wrench, V)) <= bound*(1 + 1e-12) + 1e-12*load.fn);
        }
    }
    CHECK(at_limit > 2000);
    close_fixture(&f);
}

// Steps of 1e-6 s, a hundredth of what the bristles take: classical Runge-Kutta.
static void move(const Fixture *f, const caromBristleLoad *load, double time, double *z)
{
    const double h = 1e-6;
    for (int step = 0; step < (int)(time/h + 0.5); step++) {
        double k[4][CAROM_BRISTLE_STATES], y[CAROM_BRISTLE_STATES];
        for (int i = 0; i < 4; i++) {
            double part = i == 0 ? 0 : i == 3 ? h : 0.5*h;
            for (int j = 0; j < CAROM_BRISTLE_STATES; j++) y[j] = z[j] + (i > 0 ? part*k[i - 1][j] : 0);
            carom_contact_bristle_force(f->model, &f->law, &f->touch, load, y, k[i]);
        }
        for (int j = 0; j < CAROM_BRISTLE_STATES; j++) z[j] += h/6*(k[0][j] + 2*k[1][j] + 2*k[2][j] + k[3][j]);
    }
}

static void sliding_is_coulombs_law(void **state)
{
    (void)state;
    const double speeds[] = { 1e-2, 0.1, 1, 10 };
    Fixture f = open_fixture(0.3, 0.5);
    for (int i = 0; i < 4; i++) {
        double z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
        caromVec3 u = carom_unit_or(carom_vec(1, 2, 0), carom_vec(1, 0, 0));
        caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .velocity.linear = { speeds[i], 0, 0 }, .fn = 1000,
                                  .stiffness = 1e8, .arm = 0.03 };
        double time = 3e-3 + 1e-4/speeds[i];  // both bend and turn by exp(-t/T), or within some 3e-6 m
        move(&f, &load, time, z);
        load.velocity.linear = carom_scale(speeds[i], u);  // and into another direction
        move(&f, &load, time, z);
        caromBristleForce out = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        CHECK_VEC(out.wrench.linear, carom_scale(-300, u), 1e-5*300);
        CHECK_NEAR(out.lost, 300*speeds[i], 1e-5*300*speeds[i]);  // nothing is stored any more
        // Without pressure it is let go.
        load.fn = 0;
        out = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        CHECK_VEC(out.wrench.linear, carom_vec(0, 0, 0), 0);
        move(&f, &load, 3e-3, z);
        CHECK(carom_contact_bristle_energy(&f.touch, z) < 1e-12);
    }
    close_fixture(&f);
}

// Below 0.9 of the limit: a spring and a damper, and back it is where it was.
static void what_holds_is_elastic(void **state)
{
    (void)state;
    Fixture f = open_fixture(0.3, 0.3);
    double z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
    caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .velocity.linear = { 1e-4, 0, 0 }, .fn = 1000,
                              .stiffness = 1e8, .arm = 0.03 };
    move(&f, &load, 0.02, z);  // 2e-6 m of 3e-6
    CHECK_NEAR(z[0], 2e-6, 1e-18);
    load.velocity.linear = carom_vec(0, 0, 0);
    caromBristleForce out = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
    CHECK_VEC(out.wrench.linear, carom_vec(-200, 0, 0), 1e-9);
    CHECK_NEAR(out.lost, 0, 0);
    CHECK_NEAR(dz[0], 0, 0);
    load.velocity.linear = carom_vec(-1e-4, 0, 0);
    move(&f, &load, 0.02, z);
    CHECK_NEAR(z[0], 0, 1e-18);
    close_fixture(&f);
}

// --- cells that look into many directions ---

// What the grip of the cells gives when it slides with the twist V for long.
static caromBristleForce slide(const Fixture *f, const caromGrip *grip, double fn, caromSpatial V)
{
    double z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
    caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .own = 1, .grip = grip, .velocity = V, .fn = fn,
                              .stiffness = 1e8 };
    move(f, &load, 6e-3, z);
    return carom_contact_bristle_force(f->model, &f->law, &f->touch, &load, z, dz);
}

// A ring of cells on a taper of half angle alpha about z, that opens upwards: B is inside, n points to the axis and up.
static double set_taper(Fixture *f, double alpha, double radius, double height)
{
    const int n = 12;
    double sum = 0;
    f->patch.ncell = 3*n;
    for (int i = 0; i < 3*n; i++) {
        double phi = 2*3.14159265358979323846*i/n, z = height*(i/n - 1), at = radius + z*tan(alpha);
        f->patch.cells[i] = (caromCell){ { at*cos(phi), at*sin(phi), z },
                                         { -cos(alpha)*cos(phi), -cos(alpha)*sin(phi), sin(alpha) }, 50 };
        sum += 50;
    }
    return sum;
}

static void a_taper_holds_with_all_its_pressure(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    for (double alpha = 0.02; alpha < 1.5; alpha *= 3) {
        double sum = set_taper(&f, alpha, 0.03, 0.0);
        for (f.touch.length = 0.01; f.touch.length < 0.2; f.touch.length *= 4) {
            caromGrip grip = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
            caromBristleForce out = slide(&f, &grip, sum, (caromSpatial){ .linear = { 0, 0, 0.5 } });
            CHECK_VEC(out.wrench.linear, carom_vec(0, 0, -0.3*cos(alpha)*sum), 1e-5*sum);
            CHECK_VEC(out.wrench.angular, carom_vec(0, 0, 0), 1e-7*sum);
            out = slide(&f, &grip, sum, (caromSpatial){ .angular = { 0, 0, 10 } });
            CHECK_VEC(out.wrench.angular, carom_vec(0, 0, -0.3*0.03*sum), 1e-7*sum);
            CHECK_VEC(out.wrench.linear, carom_vec(0, 0, 0), 1e-5*sum);
        }
    }
    close_fixture(&f);
}

// Long: radii differ, and so do slips when it turns. Coulomb's law has their mean.
static void a_long_taper_turns_against_the_mean_of_its_radii(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    double sum = set_taper(&f, 0.5, 0.03, 0.04), mean = 0.03;  // radii 0.008, 0.03, 0.052
    caromGrip grip = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
    caromBristleForce out = slide(&f, &grip, sum, (caromSpatial){ .angular = { 0, 0, 10 } });
    CHECK_NEAR(out.wrench.angular.z, -0.3*mean*sum, 1e-5*0.3*mean*sum);
    out = slide(&f, &grip, sum, (caromSpatial){ .linear = { 0, 0, 0.5 } });
    CHECK_NEAR(out.wrench.linear.z, -0.3*cos(0.5)*sum, 1e-5*sum);
    close_fixture(&f);
}

// Bodies that slide steadily, in whatever way: mu sum f |slip| is lost, of random cells and random twists.
static void steady_sliding_loses_what_coulomb_says(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    Random r = { 4711 };
    for (int i = 0; i < 60; i++) {
        do random_cells(&r, &f);
        while (f.patch.ncell < 4);  // no way to move without slip, but for rare cases
        double sum = 0, coulomb = 0;
        caromVec3 centre = { 0, 0, 0 };
        for (int k = 0; k < f.patch.ncell; k++) {
            sum += f.patch.cells[k].weight;
            centre = carom_axpy(f.patch.cells[k].weight, f.patch.cells[k].p_W, centre);
        }
        centre = carom_scale(1/sum, centre);
        caromGrip grip = carom_contact_grip_of(&f.law, &f.touch, &f.patch, centre, 0.0);
        caromSpatial V = { random_vec(&r, 10), random_vec(&r, 1) };
        for (int k = 0; k < f.patch.ncell; k++) {
            const caromCell *cell = &f.patch.cells[k];
            caromVec3 v = carom_add(V.linear, carom_cross(V.angular, carom_sub(cell->p_W, centre)));
            coulomb += 0.3*cell->weight*carom_norm(carom_axpy(-carom_dot(v, cell->n_AB), cell->n_AB, v));
        }
        bool is_held = true;
        for (int k = 0; k < 6; k++) is_held = is_held && grip.held[k] == 1.0;
        if (!is_held) continue;
        caromBristleForce out = slide(&f, &grip, sum, V);
        CHECK_NEAR(-power_of(out.wrench, V), coulomb, 1e-4*coulomb);
        CHECK_NEAR(out.lost, coulomb, 1e-4*coulomb);
    }
    close_fixture(&f);
}

// Cells in a plane, by the mean normal and by their own: the same force, sliding alone and spinning alone. Those of
// four polygons lie at different distances.
static void a_plane_is_a_plane(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    double sum = 0, arm = 0, h = 0.04;
    f.patch.ncell = 16;
    for (int i = 0; i < 16; i++) {
        double x = h*(i % 4 - 1.5), y = h*(i/4 - 1.5);
        f.patch.cells[i] = (caromCell){ { x, y, 0 }, { 0, 0, 1 }, 10 };
        sum += 10;
        arm += hypot(x, y)/16;
    }
    caromGrip grip = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
    const caromSpatial V[] = { { .linear = { 0.3, 0.4, 0 } }, { .linear = { 0.3, 0.4, 2 }, .angular = { 3, 4, 0 } },
                               { .angular = { 3, 4, 10 } } };
    for (int i = 0; i < 3; i++) {
        double z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
        caromBristleForce own = slide(&f, &grip, sum, V[i]);
        caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .arm = arm, .velocity = V[i], .fn = sum,
                                  .stiffness = 1e8 };
        move(&f, &load, 6e-3, z);
        caromBristleForce mean = carom_contact_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        CHECK_VEC(own.wrench.linear, mean.wrench.linear, 1e-5*sum);
        CHECK_VEC(own.wrench.angular, mean.wrench.angular, 1e-5*sum*arm);
        CHECK_NEAR(carom_norm(own.wrench.linear) + carom_norm(own.wrench.angular)/arm, 0.3*sum, 1e-5*sum);
    }
    close_fixture(&f);
}

// Two jaws let their body slide along them and turn, but not move from one to the other. As they tilt, as a third
// comes near, friction changes by no more than they do. sqrt(K) of a third with force e is sqrt(e) of the rest:
// as steep as it can be.
static void friction_changes_with_its_cells(void **state)
{
    (void)state;
    static Fixture f;
    f = open_fixture(0.3, 0.3);
    Random r = { 99 };
    for (double d = 1e-8; d < 0.05; d *= 10) {
        for (int i = 0; i < 200; i++) {
            caromVec3 n = random_unit(&r), tilt = random_vec(&r, d);
            caromSpatial V = { random_vec(&r, 10), random_vec(&r, 1) };
            double size = carom_norm(V.linear) + 0.2*carom_norm(V.angular);
            f.patch.ncell = 2;
            f.patch.cells[0] = (caromCell){ carom_scale(-0.05, n), n, 100 };
            f.patch.cells[1] = (caromCell){ carom_scale(0.05, n), carom_neg(n), 100 };
            caromGrip at = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
            caromVec3 m = carom_unit_or(carom_add(n, tilt), n);
            f.patch.cells[0] = (caromCell){ carom_scale(-0.05, m), m, 100 };
            caromGrip tilted = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
            caromSpatial U = carom_contact_grip_bend(&at, V), then = carom_contact_grip_bend(&tilted, V);
            CHECK(carom_norm(carom_sub(then.linear, U.linear)) +
                  carom_norm(carom_sub(then.angular, U.angular)) < 8*d*size + 1e-7*size);
            f.patch.cells[0] = (caromCell){ carom_scale(-0.05, n), n, 100 };
            f.patch.cells[2] = (caromCell){ random_vec(&r, 0.05), random_unit(&r), 200*d*d };
            f.patch.ncell = 3;
            caromGrip joined = carom_contact_grip_of(&f.law, &f.touch, &f.patch, carom_vec(0, 0, 0), 0.0);
            then = carom_contact_grip_bend(&joined, V);
            CHECK(carom_norm(carom_sub(then.linear, U.linear)) +
                  carom_norm(carom_sub(then.angular, U.angular)) < 8*d*size + 1e-7*size);
        }
    }
    close_fixture(&f);
}

// States move with their pairs, whichever ends; what they held is lost to friction.
static void states_stay_with_their_pairs(void **state)
{
    (void)state;
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        scene_ball(&s, name, i == 0 || i == 4 ? "slick" : "steel", 0.05, carom_vec(i, 0, 0), carom_vec(0, 0, 0));
    }
    scene_material(&s, "slick", 1000, 1e9, 0.3);
    scene_pair(&s, "slick", "slick", 0.5, 0.0, 0.0);
    caromModel *model = scene_end(&s);
    enum { smooth = 3 };  // b0 - b4: without friction
    caromKin kin;
    assert_true(carom_kin_start(model, &kin));
    caromSystem system;
    assert_true(carom_response_system_create(model, NULL, &system));
    int base = system.n, at = carom_motion_bristles(model);
    double *y = system.y, lost = 0;
    assert_int_equal(carom_motion_states_max(model), base + 9*CAROM_BRISTLE_STATES);
    for (int i = 0; i < base; i++) y[i] = i + 1;
    y[carom_motion_ledger(system.n) + CAROM_LEDGER_FRICTION] = 0;
    Random r = { 77 };
    for (int step = 0; step < 500; step++) {
        int pair = (int)random_uniform(&r, 0, 10);
        caromEvent event;
        if (!system.world.memory.is_active[pair]) {
            assert_int_equal(carom_compliant_begin(&system, &kin, pair, 0.0, &event, NULL), CAROM_OK);
            int slot = system.world.memory.touch[pair].slot;
            if (pair != smooth) for (int i = 0; i < CAROM_BRISTLE_STATES; i++) {
                CHECK_NEAR(y[at + CAROM_BRISTLE_STATES*slot + i], 0, 0);
                y[at + CAROM_BRISTLE_STATES*slot + i] = pair + 1;
            }
        } else {
            if (pair != smooth)
                lost += 0.5*system.world.memory.touch[pair].tangential*CAROM_BRISTLE_STATES*(pair + 1)*(pair + 1);
            carom_compliant_end(&system, &kin, pair, 0.0);
        }
        assert_int_equal(system.n, base + carom_contact_memory_states(&system.world.memory));
        assert_int_equal(system.world.memory.nslot,
                         system.world.memory.nactive - system.world.memory.is_active[smooth]);
        for (int i = 0; i < at; i++) CHECK_NEAR(y[i], i + 1, 0);
        for (int i = 0; i < system.world.memory.nactive; i++) {
            int active = system.world.memory.active[i], slot = system.world.memory.touch[active].slot;
            for (int k = 0; slot >= 0 && k < CAROM_BRISTLE_STATES; k++)
                CHECK_NEAR(y[at + CAROM_BRISTLE_STATES*slot + k], active + 1, 0);
            if (slot >= 0) assert_int_equal(system.world.memory.slot_pair[slot], active);
        }
        const double *ledger = y + carom_motion_ledger(system.n);
        for (int i = 0; i < CAROM_LEDGER; i++)
            CHECK_NEAR(ledger[i], i == CAROM_LEDGER_FRICTION ? lost : at + i + 1,
                       i == CAROM_LEDGER_FRICTION ? 1e-12*lost : 0);
    }
    carom_kin_free(&kin);
    carom_response_system_destroy(&system);
    carom_model_destroy(model);
}

// What the cells of a face do, one by one: each along its own normal, and damped along that of all as it approaches.
// B comes along that normal and rocks about axes across it, so that no bristle is bent.
static caromSpatial wrench_of_cells(const Fixture *f, const caromPatchDamping *d, caromSpatial V, caromVec3 centre)
{
    caromSpatial F = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < f->patch.ncell; i++) {
        const caromCell *cell = &f->patch.cells[i];
        caromVec3 r = carom_sub(cell->p_W, centre), v = carom_add(V.linear, carom_cross(V.angular, r));
        double elastic = f->touch.stiffness*cell->weight, facing = fmax(0, carom_dot(cell->n_AB, d->normal)),
               damping = elastic*facing*carom_damping_part(f->model, &d->c, -carom_dot(v, d->normal));
        caromVec3 force = carom_axpy(elastic, cell->n_AB, carom_scale(damping, d->normal));
        F.linear = carom_add(F.linear, force);
        F.angular = carom_add(carom_axpy(damping*d->pitch, d->normal, F.angular), carom_cross(r, force));
    }
    return F;
}

static void a_face_is_damped_by_its_mean_normal(void **state)
{
    (void)state;
    Fixture f = open_fixture(0.3, 0.3);
    Random r = { 12 };
    caromKin kin;
    double q[14], v[12], z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
    assert_true(carom_kin_alloc(f.model, &kin));
    carom_kin_initial(f.model, q, v);
    carom_kin_update(f.model, 0, q, v, &kin);
    f.touch.deep = (caromStiffening){ INFINITY, INFINITY };
    f.touch.mass = f.touch.slip_mass = f.touch.area = 1;
    f.touch.impact_until = INFINITY;
    for (int k = 0; k < 200; k++) {
        f.touch.damping = k % 2 ? 0 : 20;  // lets go of some cells
        random_cells(&r, &f);
        f.patch.depth = 1;
        for (int i = 0; i < f.patch.ncell; i++)
            f.patch.cells[i].n_AB = carom_unit_or(carom_axpy(0.5, random_unit(&r), carom_vec(0, 0, 1)),
                                                  carom_vec(0, 0, 1));
        caromContactPair of = { f.model, &f.touch, 0, 0.0, z };
        caromPatchLoad load = carom_contact_load(&of, &kin, &f.patch);
        caromPatchDamping damping = carom_contact_damping(&of, &kin, &f.patch);
        assert_true(load.own == 0);
        caromVec3 w = carom_cross(load.normal, random_vec(&r, 1));
        caromSpatial at_centre = { w, carom_scale(random_uniform(&r, -0.1, 0.1), load.normal) };
        kin.V_WC[0] = (caromSpatial){ { 0, 0, 0 }, { 0, 0, 0 } };
        kin.V_WC[1] = (caromSpatial){ w, carom_add(at_centre.linear, carom_cross(w, carom_sub(kin.p_WC[1],
                                                                                              load.centre))) };
        caromPairAction action = carom_contact_action(&of, &kin, &f.patch, k % 3 ? &load : NULL, dz);
        caromSpatial F = wrench_of_cells(&f, &damping, at_centre, load.centre);
        caromVec3 moment = carom_sub(action.on[1].angular, carom_cross(carom_sub(load.centre, kin.p_WC[1]), F.linear));
        // Speeds of 1e-17 m/s are left across the normal: rounding, over v_small, of 800 N at most.
        CHECK_NEAR(carom_norm(carom_sub(action.on[1].linear, F.linear)), 0, 1e-10);
        CHECK_NEAR(carom_norm(carom_sub(moment, F.angular)), 0, 1e-10);
    }
    carom_kin_free(&kin);
    close_fixture(&f);
}

// Every law has what its row says, and rigid bodies get one of the two that they can have.
static void each_row_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < CAROM_FRICTION_KINDS; i++) {
        Scene s = scene_begin();
        s.settings.friction_law = (caromFrictionLaw)i;
        scene_ball(&s, "a", "steel", 0.05, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
        caromModel *model = scene_end(&s);
        const caromFrictionRow *row = carom_contact_friction_row(model);
        bool has_states = row->states > 0;
        CHECK(&row->info == carom_contact_friction_info((caromFrictionLaw)i));
        CHECK(row->cell && row->states <= CAROM_BRISTLE_STATES);
        CHECK(has_states == (row->begin != NULL) && has_states == (row->patch != NULL) &&
              has_states == (row->energy != NULL));
        CHECK(row->rigid == &carom_contact_friction_smooth || row->rigid == &carom_contact_friction_sharp);
        CHECK(row->rigid->is_sharp == !row->info.creeps);
        carom_model_destroy(model);
    }
    CHECK(!carom_contact_friction_info(CAROM_FRICTION_KINDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_stored_or_lost),
        cmocka_unit_test(force_never_exceeds_the_limit),
        cmocka_unit_test(sliding_is_coulombs_law),
        cmocka_unit_test(what_holds_is_elastic),
        cmocka_unit_test(a_taper_holds_with_all_its_pressure),
        cmocka_unit_test(a_long_taper_turns_against_the_mean_of_its_radii),
        cmocka_unit_test(steady_sliding_loses_what_coulomb_says),
        cmocka_unit_test(a_plane_is_a_plane),
        cmocka_unit_test(friction_changes_with_its_cells),
        cmocka_unit_test(states_stay_with_their_pairs),
        cmocka_unit_test(a_face_is_damped_by_its_mean_normal),
        cmocka_unit_test(each_row_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
