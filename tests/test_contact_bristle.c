// Bristles by themselves: the energy balance and the limit of every state there is, and what is left of Coulomb's law.
#include "contact/contact.h"

#include "integrate/evaluate.h"
#include "scene.h"

typedef struct Fixture {
    caromModel *model;
    caromTouch touch;
    caromPairLaw law;
} Fixture;

static Fixture open_fixture(double mu, double mu_s)
{
    Scene s = scene_begin();
    s.settings.friction_law = CAROM_FRICTION_BRISTLE;
    scene_ball(&s, "a", "steel", 0.05, carom_vec(0, 0, 0), carom_vec(0, 0, 0));
    scene_ball(&s, "b", "steel", 0.05, carom_vec(0, 0, 0.1), carom_vec(0, 0, 0));
    Fixture f = { .model = scene_end(&s) };
    f.law = *carom_law_of(f.model, 0);
    f.law.friction = mu;
    f.law.static_friction = mu_s;
    f.touch = (caromTouch){ .tangential = 1e8, .reaction = 1e-4 };
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

// Numbers of all sizes: deflections from far below to far above the limit (3e-6 m at 1 kN), speeds from creep to an impact.
static caromBristleLoad random_load(Random *r, double *z)
{
    caromVec3 n = carom_unit_or(random_vec(r, 1), carom_vec(0, 0, 1)), v = random_vec(r, pow(10, random_uniform(r, -8, 1)));
    double size = pow(10, random_uniform(r, -9, -3));
    for (int i = 0; i < CAROM_BRISTLE_STATES; i++) z[i] = random_uniform(r, -size, size);
    return (caromBristleLoad){ .normal = n,
                               .slip = carom_axpy(-carom_dot(v, n), n, v),
                               .spin = random_uniform(r, -10, 10),
                               .turning = random_vec(r, 100),
                               .fn = random_uniform(r, 0, 1) < 0.1 ? 0.0 : 1000,
                               .stiffness = pow(10, random_uniform(r, 2, 9)),
                               .arm = random_uniform(r, 0, 0.1) };
}

// What goes in is stored or lost, and what is lost is never negative. Nothing is assumed about the way to this state.
static void power_is_stored_or_lost(void **state)
{
    (void)state;
    Fixture f = open_fixture(0.3, 0.4);
    Random r = { 12345 };
    for (int i = 0; i < 20000; i++) {
        double z[CAROM_BRISTLE_STATES], dz[CAROM_BRISTLE_STATES], stored = 0, size = 0;
        caromBristleLoad load = random_load(&r, z);
        caromBristleForce out = carom_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        for (int k = 0; k < CAROM_BRISTLE_STATES; k++) {
            stored += f.touch.tangential*z[k]*dz[k];
            size += f.touch.tangential*fabs(z[k]*dz[k]);
        }
        double in = -carom_dot(out.force, load.slip) - out.torque*load.spin;
        caromVec3 bent = carom_vec(z[0], z[1], z[2]);
        size += carom_norm(out.force)*carom_norm(load.slip) + fabs(out.torque*load.spin) + 200*f.touch.tangential*carom_dot(bent, bent);
        CHECK(out.lost >= 0);
        CHECK_NEAR(in, stored + out.lost, 1e-14*size);  // some 20 roundings of the largest terms
    }
    close_fixture(&f);
}

static void force_never_exceeds_the_limit(void **state)
{
    (void)state;
    Fixture f = open_fixture(0.3, 0.3);
    Random r = { 54321 };
    int at_limit = 0;
    for (int i = 0; i < 20000; i++) {
        double z[CAROM_BRISTLE_STATES], dz[CAROM_BRISTLE_STATES];
        caromBristleLoad load = random_load(&r, z);
        load.arm = fmax(load.arm, 1e-3);
        caromBristleForce out = carom_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        double size = sqrt(carom_dot(out.force, out.force) + out.torque*out.torque/(load.arm*load.arm));
        CHECK(size <= 0.3*load.fn*(1 + 1e-14));
        CHECK_NEAR(carom_dot(out.force, load.normal), 0, 1e-12*load.fn + 1e-300);
        at_limit += load.fn > 0 && size >= 0.3*load.fn*(1 - 1e-14);
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
            carom_bristle_force(f->model, &f->law, &f->touch, load, y, k[i]);
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
        caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .slip = carom_scale(speeds[i], carom_vec(1, 0, 0)), .fn = 1000, .stiffness = 1e8, .arm = 0.03 };
        double time = 3e-3 + 1e-4/speeds[i];  // both bend and turn by exp(-t/T), or within some 3e-6 m
        move(&f, &load, time, z);
        load.slip = carom_scale(speeds[i], u);  // and into another direction
        move(&f, &load, time, z);
        caromBristleForce out = carom_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        CHECK_VEC(out.force, carom_scale(-300, u), 1e-5*300);
        CHECK_NEAR(out.lost, 300*speeds[i], 1e-5*300*speeds[i]);  // nothing is stored any more
        // Without pressure it is let go.
        load.fn = 0;
        out = carom_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
        CHECK_VEC(out.force, carom_vec(0, 0, 0), 0);
        move(&f, &load, 3e-3, z);
        CHECK(carom_bristle_energy(&f.touch, z) < 1e-12);
    }
    close_fixture(&f);
}

// Below 0.9 of the limit: a spring and a damper, and back it is where it was.
static void what_holds_is_elastic(void **state)
{
    (void)state;
    Fixture f = open_fixture(0.3, 0.3);
    double z[CAROM_BRISTLE_STATES] = { 0 }, dz[CAROM_BRISTLE_STATES];
    caromBristleLoad load = { .normal = carom_vec(0, 0, 1), .slip = carom_vec(1e-4, 0, 0), .fn = 1000, .stiffness = 1e8, .arm = 0.03 };
    move(&f, &load, 0.02, z);  // 2e-6 m of 3e-6
    CHECK_NEAR(z[0], 2e-6, 1e-18);
    load.slip = carom_vec(0, 0, 0);
    caromBristleForce out = carom_bristle_force(f.model, &f.law, &f.touch, &load, z, dz);
    CHECK_VEC(out.force, carom_vec(-200, 0, 0), 1e-9);
    CHECK_NEAR(out.lost, 0, 0);
    CHECK_NEAR(dz[0], 0, 0);
    load.slip = carom_vec(-1e-4, 0, 0);
    move(&f, &load, 0.02, z);
    CHECK_NEAR(z[0], 0, 1e-18);
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
    caromEval eval;
    assert_true(carom_eval_alloc(model, &eval));
    int base = eval.n, at = carom_eval_bristles(model);
    double *y = calloc((size_t)carom_eval_states_max(model), sizeof *y), lost = 0;
    assert_int_equal(carom_eval_states_max(model), base + 9*CAROM_BRISTLE_STATES);
    for (int i = 0; i < base; i++) y[i] = i + 1;
    y[carom_eval_ledger(&eval) + CAROM_LEDGER_FRICTION] = 0;
    Random r = { 77 };
    for (int step = 0; step < 500; step++) {
        int pair = (int)random_uniform(&r, 0, 10);
        caromGap gap = carom_collide_gap(model, &kin, pair);
        caromEvent event;
        if (!eval.world.modes.is_active[pair]) {
            assert_int_equal(carom_eval_begin(&eval, &kin, 0.0, pair, &gap, NAN, y, &event, NULL), CAROM_OK);
            int slot = eval.world.modes.touch[pair].slot;
            if (pair != smooth) for (int i = 0; i < CAROM_BRISTLE_STATES; i++) {
                CHECK_NEAR(y[at + CAROM_BRISTLE_STATES*slot + i], 0, 0);
                y[at + CAROM_BRISTLE_STATES*slot + i] = pair + 1;
            }
        } else {
            if (pair != smooth) lost += 0.5*eval.world.modes.touch[pair].tangential*CAROM_BRISTLE_STATES*(pair + 1)*(pair + 1);
            carom_eval_end(&eval, &kin, 0.0, pair, y);
        }
        assert_int_equal(eval.n, base + carom_modes_states(&eval.world.modes));
        assert_int_equal(eval.world.modes.nslot, eval.world.modes.nactive - eval.world.modes.is_active[smooth]);
        for (int i = 0; i < at; i++) CHECK_NEAR(y[i], i + 1, 0);
        for (int i = 0; i < eval.world.modes.nactive; i++) {
            int active = eval.world.modes.active[i], slot = eval.world.modes.touch[active].slot;
            for (int k = 0; slot >= 0 && k < CAROM_BRISTLE_STATES; k++) CHECK_NEAR(y[at + CAROM_BRISTLE_STATES*slot + k], active + 1, 0);
            if (slot >= 0) assert_int_equal(eval.world.modes.slot_pair[slot], active);
        }
        const double *ledger = y + carom_eval_ledger(&eval);
        for (int i = 0; i < CAROM_LEDGER; i++) CHECK_NEAR(ledger[i], i == CAROM_LEDGER_FRICTION ? lost : at + i + 1, i == CAROM_LEDGER_FRICTION ? 1e-12*lost : 0);
    }
    free(y);
    carom_kin_free(&kin);
    carom_eval_free(&eval);
    carom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_stored_or_lost),
        cmocka_unit_test(force_never_exceeds_the_limit),
        cmocka_unit_test(sliding_is_coulombs_law),
        cmocka_unit_test(what_holds_is_elastic),
        cmocka_unit_test(states_stay_with_their_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
