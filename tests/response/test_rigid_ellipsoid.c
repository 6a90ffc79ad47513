// The rigid response: the ellipsoid of [Kossenko05] rises from its shortest semi-axis to its longest, and falls from a
// height.
#include "rigid_run.h"

static const double axes[3] = { 1.2, 1, 1.3 };
static const double delta = 1e-3;  // v_small

static const char egg[] = STUFF("0.5", "0.01")
                          "gravity: [0, -9.81, 0]\n"
                          "contact: {response: rigid}\n"
                          "bodies:\n"
                          "  floor: {fixed: true, material: stuff, shape: {half-space: {normal: [0, 1, 0]}}}\n"
                          "  egg: {material: stuff, mass: 1 kg, shape: {ellipsoid: {semi_axes: [1.2, 1, 1.3]}}, "
                          "position: [0, 1, 0], velocity: [0.05, 0, 0], angular_velocity: [0, -10, 2]}\n"
                          "simulate: {until: 150 s, tolerance: 1e-8, every: 0.1}\n";

// The lowest point from the centre, in W: -A^2 d/|A d|, d the vertical in the body; its distance below the centre is |A
// d|.
static caromVec3 lowest(const caromSample *s, double *height)
{
    caromVec3 d = carom_tmul(s->X_WB[1].R, carom_vec(0, 1, 0));
    double a = axes[0]*axes[0], b = axes[1]*axes[1], c = axes[2]*axes[2];
    *height = sqrt(a*d.x*d.x + b*d.y*d.y + c*d.z*d.z);
    return carom_mul(s->X_WB[1].R, carom_vec(-a*d.x/ *height, -b*d.y/ *height, -c*d.z/ *height));
}

typedef struct Seen {
    double highest, gap, rolling_slip;
    int rolled;          // samples
    Falls falls;
} Seen;

static void look(Watch *w, const caromSample *s)
{
    Seen *seen = (Seen *)(uintptr_t)w->context;
    double height;
    caromVec3 r = lowest(s, &height);
    follow_energy(&seen->falls, s);
    if (s->ncontact == 0) return;
    seen->highest = fmax(seen->highest, height);
    if (count_of_so_far(w, CAROM_EVENT_LAND) > 0) seen->gap = fmax(seen->gap, fabs(s->X_WB[1].p.y - height));
    const caromEvent *e = w->record.nevent > 0 ? &w->record.events[w->record.nevent - 1] : NULL;
    if (!e || e->kind != CAROM_EVENT_STICK || s->kind != CAROM_SAMPLE_GRID) return;
    caromVec3 slip = carom_add(s->V_WB[1].linear, carom_cross(s->V_WB[1].angular, r));
    slip.y = 0;
    seen->rolling_slip = fmax(seen->rolling_slip, carom_norm(slip));
    seen->rolled++;
}

// Friction makes it roll in the end; then it keeps turning on its longest axis. All the energy that is missing
// is the work of friction.
static void it_rises_to_its_longest_axis(void **state)
{
    (void)state;
    Seen seen = { 0 };
    Watch *w = run_text(egg, (const char *const[]){ "simulate.tolerance=1e-9", NULL }, look, &seen);
    CHECK(seen.highest > 1.3*(1 - 2e-4));  // it nutates about the axis by a degree or so: 1 - cos(1 deg) = 1.5e-4
    CHECK(seen.gap < 1e-12);
    CHECK(seen.rolled > 100 && seen.rolling_slip < delta*(1 + 2e-6));
    CHECK(fabs(w->record.stats.largest_imbalance) < 1e-8*w->record.stats.energy_scale);
    CHECK(seen.falls.worst < 1e-8*w->record.stats.energy_scale);
    CHECK(w->record.last.energy.friction > 1);
    assert_int_equal(count_of(w, CAROM_EVENT_TAKE_OFF), 0);
    free(w);
}

// ---- from a height of 5 m

static int transitions(const Watch *w, const caromEvent **list)
{
    int n = 0;
    for (int i = 0; i < w->record.nevent; i++)
        if (w->record.events[i].kind != CAROM_EVENT_IMPACT) list[n++] = &w->record.events[i];
    return n;
}

// Impacts, their end, and then rolling and sliding in turns, at the same instants whatever the tolerance.
// Two of the 38 do not come within 1e-6 s in double precision: rolling ends where the slip has grown to delta, and at
// 112.4 s and 116.6 s it grows so slowly (the egg spins about its long axis) that they are off by 4e-6 s and 1.4e-6 s
// still at a tolerance of 1e-12.
static void instants_do_not_depend_on_the_tolerance(void **state)
{
    (void)state;
    static const char *const tolerances[] = { "simulate.tolerance=1e-11", "simulate.tolerance=1e-12" };
    Watch *w[2];
    Seen seen[2] = { 0 };
    const caromEvent *list[2][200];
    int n[2];
    for (int k = 0; k < 2; k++) {
        w[k] = run_text(egg, (const char *const[]){ "bodies.egg.position=[0, 5, 0]", tolerances[k], NULL }, look,
                        &seen[k]);
        assert_in_range(w[k]->record.nevent, 20, 199);
        n[k] = transitions(w[k], list[k]);
        CHECK(seen[k].gap < 1e-12 && seen[k].highest > 1.299 &&
              seen[k].falls.worst < 1e-8*w[k]->record.stats.energy_scale);
        CHECK(fabs(w[k]->record.stats.largest_imbalance) < 1e-8*w[k]->record.stats.energy_scale);
    }
    assert_int_equal(n[0], n[1]);
    assert_int_equal(count_of(w[0], CAROM_EVENT_IMPACT), count_of(w[1], CAROM_EVENT_IMPACT));
    assert_int_equal(count_of(w[0], CAROM_EVENT_LAND), 1);
    CHECK(count_of(w[0], CAROM_EVENT_STICK) > 10);
    for (int i = 0; i < n[0]; i++) {
        assert_int_equal(list[0][i]->kind, list[1][i]->kind);
        bool is_slow = list[0][i]->kind == CAROM_EVENT_SLIP && list[0][i]->time > 112;
        CHECK_NEAR(list[0][i]->time, list[1][i]->time, is_slow ? 1e-5 : 1e-6);
    }
    free(w[0]);
    free(w[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_rises_to_its_longest_axis),
        cmocka_unit_test(instants_do_not_depend_on_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
