// Impacts of rigid bodies: what an instant costs, alone and within a simulation.
//
//     law        impulses from velocities and the response of the contacts, us
//     instant    all that happens at one: bodies placed, inertias factored, the response of the contacts, impulses, and
//                the speeds after them through all joints, us
//     simulated  CPU time of a simulation from shortly before the impact until as long after it, with all its steps,
//                per instant of an impact, us
//
// `bench_impact SCENE COUNT` makes that many instants and prints nothing, for profilers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "impact/impact.h"
#include "table.h"
#include "unilateral/space.h"

enum { POINTS_MAX = 64 };

typedef struct Scene {
    const char *name;
    void (*add)(caromBuilder *b, int n, double gap);
    int n;
    double friction, restitution;
    double gap, until;  // of the simulation [m], [s]
} Scene;

// ---- scenes. Gravity is along -z, and the first touch is at 1 m/s or so.

static void add_floor(caromBuilder *b)
{
    caromShapeDef plane = carom_model_shape_def(carom_shape_half_space());
    caromBodyDef floor = carom_model_body_def("floor");
    floor.material = "stuff";
    floor.fixed = true;
    floor.shapes = &plane;
    floor.nshape = 1;
    carom_builder_body(b, &floor);
}

static void add_body(caromBuilder *b, const char *name, caromShape shape, double mass, caromVec3 p, caromVec3 v,
                     caromVec3 w)
{
    caromShapeDef def = carom_model_shape_def(shape);
    caromBodyDef body = carom_model_body_def(name);
    body.material = "stuff";
    body.shapes = &def;
    body.nshape = 1;
    body.mass = mass;
    body.p_WB = p;
    body.v_WB = v;
    body.w_WB = w;
    carom_builder_body(b, &body);
}

static void add_spheres(caromBuilder *b, int n, double gap)
{
    (void)n;
    add_body(b, "first", carom_shape_sphere(0.1), 1, carom_vec(0, 0, 0), carom_vec(1, 0, 0), carom_vec(0, 3, 0));
    add_body(b, "second", carom_shape_sphere(0.1), 2, carom_vec(0.2 + gap, 0, 0), carom_vec(0, 0.3, 0.2),
             carom_vec(0, 0, 5));
}

static void add_bouncer(caromBuilder *b, int n, double gap)
{
    (void)n;
    add_floor(b);
    add_body(b, "ball", carom_shape_sphere(0.1), 1, carom_vec(0, 0, 0.1 + gap), carom_vec(1, 0.5, -1),
             carom_vec(0, 3, 0));
}

static void add_box(caromBuilder *b, int n, double gap)
{
    (void)n;
    add_floor(b);
    add_body(b, "box", carom_shape_box(0.3, 0.2, 0.1), 1, carom_vec(0, 0, 0.05 + gap), carom_vec(0.5, 0, -1),
             carom_vec(0, 0, 0));
}

static void add_cradle(caromBuilder *b, int n, double gap)
{
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        add_body(b, name, carom_shape_sphere(0.05), 1, carom_vec(0.1*i - (i == 0 ? gap : 0), 0, 0),
                 carom_vec(i == 0 ? 1 : 0, 0, 0), carom_vec(0, 0, 0));
    }
}

// Slender bars of 0.1 m and 0.1 kg on hinges about y and z in turn, horizontal; the first turns so that the
// tip comes down at 1 m/s.
static void add_bar(caromBuilder *b, int i, int n, double gap)
{
    const double h = sqrt(0.5);
    char name[16], parent[16], hinge[16];
    snprintf(name, sizeof name, "bar%d", i);
    snprintf(parent, sizeof parent, "bar%d", i - 1);
    snprintf(hinge, sizeof hinge, "hinge%d", i);
    caromShapeDef tip = carom_model_shape_def(carom_shape_sphere(0.005));
    tip.p_BS.x = 0.1;
    caromBodyDef bar = carom_model_body_def(name);
    bar.mass = 0.1;
    bar.com = carom_vec(0.05, 0, 0);
    bar.inertia = carom_mat_diagonal(2e-6, 8.4e-5, 8.4e-5);
    bar.material = "stuff";
    bar.shapes = &tip;
    bar.nshape = i == n - 1;
    carom_builder_body(b, &bar);
    caromJointDef joint = carom_model_joint_def(hinge, CAROM_JOINT_REVOLUTE);
    joint.body[0] = i == 0 ? NULL : parent;
    joint.body[1] = name;
    joint.p[0] = i == 0 ? carom_vec(0, 0, 0.005 + gap) : carom_vec(0.1, 0, 0);
    joint.q[0] = joint.q[1] = i % 2 == 0 ? (caromQuat){ h, -h, 0, 0 } : carom_quat_identity();
    joint.velocity[0] = i == 0 ? 1/(0.1*n) : 0;
    carom_builder_joint(b, &joint);
}

static void add_chain(caromBuilder *b, int n, double gap)
{
    add_floor(b);
    for (int i = 0; i < n; i++) add_bar(b, i, n, gap);
}

static const Scene scenes[] = {
    { "spheres", add_spheres, 2, 0.3, 0.7, 1e-3, 2e-3 },
    { "sphere on plane", add_bouncer, 1, 0.3, 1.0, 1e-1, 2.0 },  // bounces on and on
    { "chain of 2", add_chain, 2, 0.3, 0.7, 1e-3, 2e-3 },
    { "chain of 10", add_chain, 10, 0.3, 0.7, 1e-3, 2e-3 },
    { "chain of 100", add_chain, 100, 0.3, 0.7, 1e-3, 2e-3 },
    { "flat box", add_box, 1, 0.3, 0.5, 1e-3, 2e-3 },
    { "cradle of 5", add_cradle, 5, 0.0, 1.0, 1e-3, 2e-3 },
};
enum { SCENES = sizeof scenes/sizeof scenes[0] };

static caromModel *build(const Scene *scene, double gap)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef stuff = carom_model_material_def("stuff");
    carom_builder_material(b, &stuff);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.friction = scene->friction;
    pair.restitution = scene->restitution;
    carom_builder_pair(b, &pair);
    scene->add(b, scene->n, gap);
    caromSettings settings = carom_model_settings_def();
    settings.response = CAROM_RESPONSE_RIGID;
    settings.until = scene->until;
    settings.every = scene->until;
    carom_builder_settings(b, &settings);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    if (carom_builder_finish(b, &problems, &model) != CAROM_OK) {
        for (int i = 0; i < problems.count; i++)
            fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
        exit(1);
    }
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

// ---- one instant

typedef struct Instant {
    const caromModel *model;
    caromKin kin;
    caromDynWork dyn;
    caromSpace space;
    caromImpactWork *impact;
    double *q, *v, *after;  // coordinates, and speeds before and after
    int n;
    caromContactPoint contacts[POINTS_MAX];
    caromImpactContact blows[POINTS_MAX];
    caromImpactOutcome outcomes[POINTS_MAX];
    double u[3*POINTS_MAX], p[3*POINTS_MAX];  // velocities and impulses of the contacts
} Instant;

static void stop_unless(bool good)
{
    if (good) return;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

static void find_contacts(Instant *at)
{
    const caromModel *m = at->model;
    for (int pair = 0; pair < m->npair; pair++) {
        caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
        int n = carom_manifold_points(m, &at->kin, pair, 1e-9, points);
        for (int i = 0; i < n && at->n < POINTS_MAX; i++) {
            if (points[i].g > 1e-9) continue;
            const caromPairLaw *law = carom_model_law_of(m, pair);
            at->contacts[at->n] = (caromContactPoint){ .about = carom_model_constraint_of_pair(pair),
                                                       .feature = { points[i].feature[0], points[i].feature[1] },
                                                       .lands = (double)NAN };
            at->blows[at->n++] = (caromImpactContact){ .restitution = carom_model_law_restitution(law, 1.0),
                                                       .friction = law->friction,
                                                       .static_friction = law->static_friction, .stiffness = 1.0,
                                                       .law = law->impact, .delta = m->settings.v_small };
        }
    }
}

static void open(Instant *at, const caromModel *model)
{
    *at = (Instant){ .model = model };
    at->q = calloc((size_t)(model->nq + model->nv), sizeof *at->q);  // then the speeds
    at->v = at->q + model->nq;
    at->after = calloc((size_t)model->nv, sizeof *at->after);
    at->impact = carom_impact_alloc(POINTS_MAX);
    stop_unless(at->q && at->after && at->impact && carom_kin_alloc(model, &at->kin) &&
                carom_dyn_work_alloc(model, &at->dyn) && carom_space_reserve(model, &at->space, POINTS_MAX));
    carom_kin_initial(model, at->q, at->v);
    carom_kin_update(model, 0, at->q, at->v, &at->kin);
    find_contacts(at);
}

static void close(Instant *at)
{
    carom_space_free(&at->space);
    carom_dyn_work_free(&at->dyn);
    carom_kin_free(&at->kin);
    carom_impact_free(at->impact);
    free(at->q);
    free(at->after);
}

static void prepare(Instant *at)
{
    const caromModel *m = at->model;
    carom_kin_update(m, 0, at->q, at->v, &at->kin);
    carom_dyn_articulated_factor(m, &at->kin, &at->dyn);
    carom_space_place(m, &at->kin, at->q, at->contacts, at->n, &at->space);
    carom_space_respond(m, &at->kin, &at->space, &at->dyn);
}

static void solve(Instant *at)
{
    const caromSettings *s = &at->model->settings;
    for (int i = 0; i < at->n; i++) memcpy(at->u + 3*i, at->space.points[i].v, 3*sizeof *at->u);
    caromImpactProblem problem = { .n = at->n, .contacts = at->blows, .G = at->space.G, .scheme = s->impacts,
                                   .exponent = s->impact_exponent, .v_tol = 1e-9, .tolerance = 1e-9 };
    carom_impact_solve(&problem, at->u, at->outcomes, at->impact);
}

static void apply(Instant *at)
{
    const caromModel *m = at->model;
    caromSpace *s = &at->space;
    for (int i = 0; i < at->n; i++) memcpy(at->p + 3*i, at->outcomes[i].p, 3*sizeof *at->p);
    memset(s->F_o, 0, (size_t)m->nlink*sizeof *s->F_o);
    memset(s->tau, 0, (size_t)m->nv*sizeof *s->tau);
    carom_space_push_links(m, &at->kin, s, at->p, s->F_o, s->tau);
    carom_loops_respond(m, &at->kin, s->F_o, s->tau, &at->dyn, at->after);
    for (int i = 0; i < m->nv; i++) at->after[i] += at->v[i];
}

static void whole(Instant *at)
{
    prepare(at);
    solve(at);
    apply(at);
}

// Least CPU time of one of several batches that take a while [us].
static double best_us(void (*f)(Instant *), Instant *at)
{
    double best = INFINITY;
    long count = 1;
    for (int batch = 0; batch < 7;) {
        double begin = bench_cpu_seconds();
        for (long k = 0; k < count; k++) f(at);
        double seconds = bench_cpu_seconds() - begin;
        if (seconds < 0.01 && batch == 0) {
            count *= 2;
            continue;
        }
        best = fmin(best, 1e6*seconds/(double)count);
        batch++;
    }
    return best;
}

// Approach speeds after it: what is left to do for a law that is done.
static double fastest_approach(const Instant *at)
{
    double most = 0;
    for (int i = 0; i < at->n; i++) most = fmax(most, -at->u[3*i]);
    return most;
}

// ---- simulations

typedef struct Count {
    double last;
    int instants;
} Count;

static caromStatus count_instant(void *user, const caromEvent *event)
{
    Count *c = user;
    if (event->kind != CAROM_EVENT_IMPACT || event->time == c->last) return CAROM_OK;
    c->last = event->time;
    c->instants++;
    return CAROM_OK;
}

static double simulate(const caromModel *model, Count *c)
{
    caromSink sink = { c, NULL, count_instant };
    caromSim *sim = NULL;
    caromError err;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    double begin = bench_cpu_seconds();
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    double seconds = bench_cpu_seconds() - begin;
    if (status != CAROM_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    carom_sim_destroy(sim);
    return seconds;
}

static double simulated_us(const Scene *scene, int *instants)
{
    caromModel *model = build(scene, scene->gap);
    double best = INFINITY, sum = 0;
    for (int i = 0; i < 5 || (sum < 0.1 && i < 200); i++) {
        Count c = { .last = -1 };
        double seconds = simulate(model, &c);
        *instants = c.instants;
        best = fmin(best, seconds);
        sum += seconds;
    }
    carom_model_destroy(model);
    return 1e6*best;
}

static void row(const Scene *scene)
{
    caromModel *model = build(scene, 0);
    Instant at;
    open(&at, model);
    prepare(&at);
    double law = best_us(solve, &at), instant = best_us(whole, &at);
    int instants = 0;
    double run = simulated_us(scene, &instants);
    double each = instants > 0 ? run/instants : (double)NAN;
    printf("%-16s %5d %5d %9.3f %9.2f %10.0f %9.1e %9d %10.1f\n", scene->name, model->nv, at.n, law, instant,
           1e6/instant, fastest_approach(&at), instants, each);
    fflush(stdout);
    close(&at);
    carom_model_destroy(model);
}

static int count(const Scene *scene, long times)
{
    caromModel *model = build(scene, 0);
    Instant at;
    open(&at, model);
    for (long k = 0; k < times; k++) whole(&at);
    close(&at);
    carom_model_destroy(model);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 0; argc == 3 && i < SCENES; i++)
        if (strcmp(argv[1], scenes[i].name) == 0) return count(&scenes[i], atol(argv[2]));
    printf("%-16s %5s %5s %9s %9s %10s %9s %9s %10s\n", "", "nv", "n", "law us", "instant", "instants/s", "v_n- left",
           "simulated", "us each");
    for (int i = 0; i < SCENES; i++) row(&scenes[i]);
    return 0;
}
