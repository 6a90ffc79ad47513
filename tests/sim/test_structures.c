// Structures of the examples that stand: a stack of ten, a wall of 40 bricks, an arch of seven stones, a house of
// cards; and a table with a short leg that rocks, a peg that jams, a taper that holds. They are put down
// touching, settle, and then stay: nothing creeps, nothing gains energy.
#include <stdio.h>
#include <stdlib.h>

#include "carom/modelfile.h"
#include "scene.h"

enum { BODIES_MAX = 64 };

static caromModel *example(const char *name, const char *const *overrides, int noverride)
{
    char path[512], *text;
    size_t length;
    caromError err;
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/examples/%s.yaml", name);
    if (carom_modelfile_load(path, &text, &length, &err) != CAROM_OK) fail_msg("%s", err.message);
    if (carom_modelfile_read(text, length, overrides, noverride, &problems, &model) != CAROM_OK)
        fail_msg("%s is not a model", path);
    free(text);
    carom_problems_free(&problems);
    return model;
}

typedef struct Stay {
    double from;                     // settled by then [s]
    int nbody;
    bool has_start, has_settled;
    caromVec3 start[BODIES_MAX], settled[BODIES_MAX];
    double time_settled, time;
    // From the start [m], per time after settling [m/s], energy above that at the start [J].
    double sank, crept, gained;
    double energy_start, speed;
    int ncontact;
} Stay;

static caromStatus watch_stay(void *user, const caromSample *s)
{
    Stay *w = user;
    double energy = s->energy.kinetic + s->energy.potential + s->energy.elastic;
    w->time = s->time;
    w->nbody = s->nbody;
    w->speed = 0;
    w->ncontact = s->ncontact;
    if (!w->has_start) w->energy_start = energy;
    w->gained = fmax(w->gained, energy - w->energy_start);
    for (int k = 0; k < s->nbody; k++) {
        if (!w->has_start) w->start[k] = s->X_WB[k].p;
        if (!w->has_settled && s->time >= w->from) w->settled[k] = s->X_WB[k].p;
        w->sank = fmax(w->sank, carom_norm(carom_sub(s->X_WB[k].p, w->start[k])));
        w->speed = fmax(w->speed, carom_norm(s->V_WB[k].linear));
        if (w->has_settled)
            w->crept = fmax(w->crept, carom_norm(carom_sub(s->X_WB[k].p, w->settled[k]))/(s->time - w->time_settled));
    }
    w->has_start = true;
    if (!w->has_settled && s->time >= w->from) {
        w->has_settled = true;
        w->time_settled = s->time;
    }
    return CAROM_OK;
}

static caromSimStats run(caromModel *model, caromSink sink)
{
    caromSim *sim = NULL;
    caromError err;
    if (carom_sim_create(model, &sink, &sim, &err) != CAROM_OK || carom_sim_run(sim, &err) != CAROM_OK)
        fail_msg("%s: %s", err.where, err.message);
    caromSimStats stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    return stats;
}

// sinks: how far a body may get while the structure settles; a joint of a wall or an arch gives way by less
// than a um, a card by some.
static void stands(const char *name, double from, double until, double sinks)
{
    char end[64];
    snprintf(end, sizeof end, "simulate.until=%g", until);
    const char *overrides[] = { end, "simulate.every=1" };
    Stay w = { .from = from };
    caromSimStats stats = run(example(name, overrides, 2), (caromSink){ &w, watch_stay, NULL });
    CHECK(w.sank < sinks);
    CHECK(w.crept < 1e-9);
    CHECK(w.speed < 1e-9);
    CHECK(w.gained <= 1e-5*stats.energy_reference);
    CHECK(stats.largest_imbalance <= 1e-4*stats.energy_reference);
    CHECK(w.ncontact >= w.nbody - 1);  // everything rests on something
}

static void ten_blocks_stand_for_a_minute(void **state)
{
    (void)state;
    stands("stack", 20, 60, 1e-6);
}

static void a_wall_stands(void **state)
{
    (void)state;
    stands("wall", 10, 20, 1e-5);
}

static void an_arch_stands(void **state)
{
    (void)state;
    stands("arch", 10, 20, 1e-4);
}

static void a_house_of_cards_stands(void **state)
{
    (void)state;
    stands("cards", 10, 20, 1e-4);
}

// Pressed on the corner above the short leg the table comes to stand on it; let go, it rocks back.
typedef struct Rock {
    double pressed, last;  // lean towards the short leg at 0.7 s and at the end [rad]
} Rock;

static caromStatus watch_lean(void *user, const caromSample *s)
{
    Rock *r = user;
    // Square to the line between its neighbours.
    const double along = 0.5/hypot(0.9, 0.5), across = 0.9/hypot(0.9, 0.5);
    caromVec3 up = s->X_WB[1].R.cz;
    r->last = up.x*along + up.y*across;
    if (s->time < 0.7) r->pressed = r->last;
    return CAROM_OK;
}

static void a_table_with_a_short_leg_rocks(void **state)
{
    (void)state;
    Rock r = { 0 };
    run(example("rocking-table", NULL, 0), (caromSink){ &r, watch_lean, NULL });
    // 5 mm over the distance of the short leg from the line between its neighbours, 0.9 m 0.5 m/hypot(0.9 m, 0.5 m);
    // legs are 5 cm thick, which is a tenth of that.
    double lean = 0.005/(0.9*0.5/hypot(0.9, 0.5));
    CHECK_NEAR(r.pressed, lean, 0.15*lean);
    CHECK_NEAR(r.last, 0, 0.01*lean);
}

// A peg that is pushed at its rim jams where it is shorter than mu times its width, 5 cm here
// (the example says why), whatever the force.
static double pushed_in(const char *length, const char *force)
{
    char size[64], push[64];
    snprintf(size, sizeof size, "bodies.peg.shape.box.size.z=%s", length);
    snprintf(push, sizeof push, "forces.push.force.z.ramp.amplitude=%s", force);
    const char *overrides[] = { size, push };
    Stay w = { .from = 0.5 };
    run(example("peg", overrides, 2), (caromSink){ &w, watch_stay, NULL });
    return w.crept;
}

static void a_peg_jams_where_it_is_short(void **state)
{
    (void)state;
    CHECK(pushed_in("4.75cm", "-10N") < 1e-9 && pushed_in("4.75cm", "-100N") < 1e-9);
    CHECK(pushed_in("5.25cm", "-10N") > 0.01 && pushed_in("5.25cm", "-100N") > 0.1);
}

// A Morse taper that was pressed in with 1 kN holds by its own stresses a pull of P
// (mu - tan a)/(mu + tan a), and no more.
static double pulled_out(double part)
{
    const double tangent = 0.5/19.922, mu = 0.15, limit = 1000*(mu - tangent)/(mu + tangent);
    char pull[64];
    snprintf(pull, sizeof pull, "forces.pull.force.z.ramp.amplitude=%gN", part*limit);
    const char *overrides[] = { pull };
    Stay w = { .from = 0.35 };
    run(example("taper", overrides, 1), (caromSink){ &w, watch_stay, NULL });
    return w.crept*0.3;
}

static void a_taper_holds_up_to_its_limit(void **state)
{
    (void)state;
    CHECK(pulled_out(0.9) < 1e-6);
    CHECK(pulled_out(1.1) > 0.1);
}

// A ring that fell on a steep cone stays on it when that is turned upside down, if friction is more than the
// slope of the flank (0.05).
static Stay turned_over(const char *friction)
{
    char mu[32];
    snprintf(mu, sizeof mu, "pairs.0.friction=%s", friction);
    const char *overrides[] = { mu };
    Stay w = { .from = 1.7 };
    run(example("wedged-ring", overrides, 1), (caromSink){ &w, watch_stay, NULL });
    return w;
}

static void a_wedged_ring_stays_upside_down(void **state)
{
    (void)state;
    Stay held = turned_over("0.4"), free = turned_over("0.02");
    CHECK(held.crept < 1e-9 && held.speed < 1e-9);
    CHECK(free.speed > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_blocks_stand_for_a_minute),
        cmocka_unit_test(a_wall_stands),
        cmocka_unit_test(an_arch_stands),
        cmocka_unit_test(a_house_of_cards_stands),
        cmocka_unit_test(a_table_with_a_short_leg_rocks),
        cmocka_unit_test(a_peg_jams_where_it_is_short),
        cmocka_unit_test(a_taper_holds_up_to_its_limit),
        cmocka_unit_test(a_wedged_ring_stays_upside_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
