// Bodies that come down flat: nothing tells one side from the other, so that they neither turn nor drift, and every
// bounce has the restitution that was asked for.
#include "rigid_run.h"

#include "contact/contact.h"
#include "geometry/geometry.h"

typedef struct Flat {
    const char *shape;
    double half;    // height of its middle above the ground [m]
} Flat;

static const Flat flats[] = {
    { "{box: {size: [60 mm, 60 mm, 60 mm]}}", 0.03 },
    { "{box: {size: [60 mm, 40 mm, 20 mm], rounding: 2 mm}}", 0.01 },
    { "{cylinder: {radius: 30 mm, length: 60 mm}}", 0.03 },
    { "{torus: {radius: 30 mm, tube_radius: 10 mm}}", 0.01 },
    { "{polytope: {vertices: [[0.03, 0.03, -0.02], [-0.03, 0.03, -0.02], [0.03, -0.03, -0.02], [-0.03, -0.03, -0.02], "
      "[0, 0, 0.05]]}}", 0.02 },
};
static const char *const grounds[] = { "{box: {size: [1, 1, 0.1]}, position: [0, 0, -0.05]}", "{half-space: {}}" };
enum { FLATS = sizeof flats/sizeof flats[0], GROUNDS = sizeof grounds/sizeof grounds[0] };


static void look(Watch *w, const caromSample *s)
{
    const caromVec3 *from = w->context;
    caromPose X = s->X_WB[1];
    CHECK(fabs(X.p.x - from->x) == 0.0 && fabs(X.p.y - from->y) == 0.0);
    CHECK(X.R.cz.x == 0.0 && X.R.cz.y == 0.0);
    CHECK(carom_norm(s->V_WB[1].angular) == 0.0);
}

// Weight acts while the impact lasts: it takes g T (1 + e)/2 or so of the speed of rebound, T its duration.
static void check_bounces(const Watch *w, double e)
{
    int bounces = 0;
    for (int i = 0; i < w->record.nevent; i++) {
        const caromEvent *event = &w->record.events[i];
        if (event->kind != CAROM_EVENT_SEPARATION || event->separation.approach_speed < 5e-3) continue;
        const caromSeparationEvent *s = &event->separation;
        CHECK_NEAR(s->restitution, e, 9.81*s->duration/s->approach_speed + 1e-5);
        bounces++;
    }
    CHECK(bounces >= 6);
}

static void flat_drops_stay_flat(void **state)
{
    (void)state;
    static const double places[2][2] = { { 0, 0 }, { 0.0731, -0.0479 } };
    for (int j = 0; j < GROUNDS; j++) {
        for (int k = 0; k < FLATS; k++) {
            for (int i = 0; i < 2; i++) {
                char text[1024];
                caromVec3 from = { places[i][0], places[i][1], flats[k].half + 0.02 };
                snprintf(text, sizeof text,
                         "carom: 1\npairs: [{between: [steel, steel], restitution: 0.5, friction: 0.2}]\n"
                         "bodies:\n  a: {fixed: true, material: steel, shape: %s}\n"
                         "  b: {material: steel, shape: %s, position: [%g, %g, %g]}\nsimulate: {until: 0.25}\n",
                         grounds[j], flats[k].shape, from.x, from.y, from.z);
                Watch *w = run_text(text, NULL, look, &from);
                check_bounces(w, 0.5);
                CHECK(w->record.stats.steps < 600);
                free(w);
            }
        }
    }
}

static void look_upright(Watch *w, const caromSample *s)
{
    (void)w;
    for (int i = 1; i < 3; i++) {
        caromPose X = s->X_WB[i];
        CHECK(hypot(X.p.x, X.p.y) < 1e-15 && hypot(X.R.cz.x, X.R.cz.y) < 1e-15);
    }
}

// Cans of one radius: the sides of both are one surface, and rims lie on rims. What is inside there is rounding, and so
// is whether a rim is.
static void a_can_dropped_on_its_like_stays_upright(void **state)
{
    (void)state;
    static const double sizes[][2] = { { 0.03, 0.1 }, { 0.02, 0.02 }, { 0.012, 0.002 } };
    for (int i = 0; i < 3; i++) {
        char text[1024];
        double r = sizes[i][0], l = sizes[i][1];
        snprintf(text, sizeof text,
                 "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                 "  a: {material: steel, shape: {cylinder: {radius: %g, length: %g}}, position: [0, 0, %g]}\n"
                 "  b: {material: steel, shape: {cylinder: {radius: %g, length: %g}}, position: [0, 0, %g]}\n"
                 "simulate: {until: 0.3}\n", r, l, 0.5*l, r, l, 1.5*l + 0.005);
        Watch *w = run_text(text, NULL, look_upright, NULL);
        CHECK(w->record.stats.steps < 4000);
        CHECK(w->record.stats.energy.friction < 1e-12*w->record.stats.energy_scale);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(flat_drops_stay_flat),
                                        cmocka_unit_test(a_can_dropped_on_its_like_stays_upright) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
