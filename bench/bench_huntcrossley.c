// The ball of huntcrossley.h: carom, and CVODE on the bare equations as a bound of what can be hoped for.
// `bench_huntcrossley CASE TOLERANCE COUNT` runs carom that often and prints nothing but its counts, for profilers.
#include "huntcrossley.h"

#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "time/method.h"

// --- carom ---

static caromModel *build(const HcCase *c, double tolerance)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef rubber = carom_model_material_def("stuff");
    carom_builder_material(b, &rubber);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.friction = c->friction;
    pair.stiffness = hc_stiffness();
    pair.exponent = 1.5;
    pair.damping = CAROM_DAMPING_GIVEN;
    pair.damping_coefficient = 1.5*hc_dissipation;
    carom_builder_pair(b, &pair);
    caromShapeDef sphere = carom_model_shape_def(carom_shape_sphere(hc_radius)),
                  ground = carom_model_shape_def(carom_shape_half_space());
    caromBodyDef floor = carom_model_body_def("floor"), ball = carom_model_body_def("ball");
    floor.material = ball.material = "stuff";
    floor.fixed = true;
    floor.shapes = &ground;
    ball.shapes = &sphere;
    floor.nshape = ball.nshape = 1;
    ball.mass = hc_mass;
    ball.p_WB.z = hc_radius + hc_drop;
    ball.v_WB.x = c->speed;
    carom_builder_body(b, &floor);
    carom_builder_body(b, &ball);
    caromSettings settings = carom_model_settings_def();
    settings.gravity = carom_vec(0, 0, -hc_gravity);
    settings.until = hc_end;
    settings.every = hc_end/HC_GRID;
    settings.tolerance = tolerance;
    carom_builder_settings(b, &settings);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_builder_destroy(b);
    return model;
}

typedef struct Watch {
    int next;
    double (*centre)[2];
    double friction;
    double difference;  // of the force from the law
} Watch;

static caromStatus watch(void *user, const caromSample *sample)
{
    Watch *w = user;
    if (sample->kind != CAROM_SAMPLE_GRID || sample->time == 0 || w->next == HC_GRID) return CAROM_OK;
    w->centre[w->next][0] = sample->X_WB[1].p.x;
    w->centre[w->next++][1] = sample->X_WB[1].p.z;
    return CAROM_OK;
}

static caromStatus check_law(void *user, const caromSample *sample)
{
    Watch *w = user;
    if (sample->kind != CAROM_SAMPLE_CONTACT || sample->ncontact == 0) return CAROM_OK;
    double law = hc_force(hc_radius - sample->X_WB[1].p.z, -sample->V_WB[1].linear.z),
           tangential = fabs(sample->contacts[0].f_B.x);
    w->difference = fmax(w->difference, fmax(fabs(sample->contacts[0].fn/law - 1), fabs(tangential/law - w->friction)));
    return CAROM_OK;
}

static bool simulate(const caromModel *model, Watch *w, caromStatus (*sample)(void *, const caromSample *),
                     caromSimStats *stats)
{
    caromSink sink = { w, sample, NULL };
    caromSim *sim = NULL;
    caromError err;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    if (status != CAROM_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    if (status == CAROM_OK && stats) *stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    return status == CAROM_OK;
}

static bool run_carom(void *user, double tolerance, double centre[HC_GRID][2])
{
    (void)tolerance;  // of the model
    Watch w = { .centre = centre };
    return simulate(user, &w, watch, NULL) && w.next == HC_GRID;
}

static void check_carom(const HcCase *c)
{
    caromModel *model = build(c, 1e-6);
    Watch w = { .friction = c->friction };
    if (model && simulate(model, &w, check_law, NULL)) printf("law carom %.1e\n", w.difference);
    carom_model_destroy(model);
}

static int count_carom(const HcCase *c, double tolerance, int runs)
{
    caromModel *model = build(c, tolerance);
    double centre[HC_GRID][2];
    caromSimStats s = { 0 };
    for (int i = 0; model && i < runs; i++) {
        Watch w = { .centre = centre };
        if (!simulate(model, &w, watch, &s)) break;
    }
    printf("%s: %lld steps, %lld rejected, %lld evaluations, %lld gaps, %lld touches\n", s.method, (long long)s.steps,
           (long long)s.rejected, (long long)s.evaluations, (long long)s.gap_evaluations,
           (long long)s.events[CAROM_EVENT_TOUCH]);
    carom_model_destroy(model);
    return 0;
}

// --- bare equations ---

typedef struct Bare {
    const HcCase *c;
    const caromMethod *method;
    double k;  // stiffness per mass
} Bare;

// y = (z, z', x, x'), without friction the first two only. The slip never ends.
static caromStatus fall(void *user, double t, const double *y, double *dy)
{
    (void)t;
    const Bare *b = user;
    double depth = hc_radius - y[0], factor = 1 - 1.5*hc_dissipation*y[1],
           push = depth > 0 && factor > 0 ? b->k*depth*sqrt(depth)*factor : 0;
    dy[0] = y[1];
    dy[1] = push - hc_gravity;
    if (b->c->friction == 0) return CAROM_OK;
    dy[2] = y[3];
    dy[3] = -b->c->friction*push;
    return CAROM_OK;
}

// Nobody tells it about touches: it shortens its steps when it meets one.
static bool run_bare(void *user, double tolerance, double centre[HC_GRID][2])
{
    Bare *b = user;
    const caromMethod *method = b->method;
    const int n = b->c->friction > 0 ? 4 : 2, block[] = { 0, 1, 2, 3, 4 };
    double weight[4] = { tolerance, tolerance, tolerance, tolerance },
           y[4] = { hc_radius + hc_drop, 0, 0, b->c->speed }, tau0, tau1 = 0;
    caromNorm norm = { weight, block, n, NULL };
    caromOde ode = { n, 0, fall, b, true };
    caromStepper *s = method->create(&ode, &norm);
    if (!s) return false;
    caromStatus status = method->start(s, 0, y, 0);
    int k = 0;
    while (status == CAROM_OK && k < HC_GRID) {
        status = method->step(s, hc_end, NULL);
        method->span(s, &tau0, &tau1);
        for (; status == CAROM_OK && k < HC_GRID && hc_time(k) <= tau1; k++) {
            status = method->interpolate(s, (hc_time(k) - tau0)/(tau1 - tau0), y, NULL);
            centre[k][0] = y[2];
            centre[k][1] = y[0];
        }
    }
    method->destroy(s);
    return status == CAROM_OK;
}

static void run_case(const HcCase *c)
{
    double reference[HC_GRID][2], check[HC_GRID][2];
    if (!hc_solve(c, 20000, reference) || !hc_solve(c, 10000, check)) return;
    printf("reference %.1e\n", hc_error(check, reference));
    check_carom(c);
    for (int i = 0; hc_setting(i) > 0.9e-12; i++) {
        caromModel *model = build(c, hc_setting(i));
        if (model) hc_row("carom", c, "auto", hc_setting(i), reference, run_carom, model);
        carom_model_destroy(model);
    }
    Bare bare[] = { { c, carom_method_cvode(), hc_stiffness()/hc_mass },
                    { c, carom_method_cvode_adams(), hc_stiffness()/hc_mass } };
    for (int m = 0; m < 2; m++)
        for (int i = 0; bare[m].method && hc_setting(i) > 0.9e-12; i++)
            hc_row("cvode", c, m == 0 ? "bdf" : "adams", hc_setting(i), reference, run_bare, &bare[m]);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < HC_CASES; i++) {
        if (argc == 4 && strcmp(argv[1], hc_cases[i].name) == 0)
            return count_carom(&hc_cases[i], strtod(argv[2], NULL), atoi(argv[3]));
        if (argc == 1) run_case(&hc_cases[i]);
    }
    return 0;
}
