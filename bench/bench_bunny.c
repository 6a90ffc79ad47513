// A lumpy mesh with ears (tests/support/bunny.h) falls between the ears of another and comes to rest there: CPU time
// of the making and of the run, steps, evaluations, and how fast it still moves.
//
//     bench_bunny [compliant|rigid [SIDES [SECONDS]]]     12 SIDES^2 triangles; default: both, 16, 32 and 65, for 2 s
//     bench_bunny roll                                    a ball of 50 mm rolls down one of 0.3 m, both meshes: CPU
//                                                         time of an evaluation, for as many triangles
#include <stdio.h>
#include <string.h>

#include "../tests/support/bunny.h"
#include "carom/carom.h"
#include "table.h"

static void add(caromBuilder *b, const char *name, const caromMesh *mesh, bool fixed, caromVec3 p, caromQuat q)
{
    caromShapeDef shape = carom_model_shape_def(carom_shape_mesh(mesh));
    caromBodyDef def = carom_model_body_def(name);
    def.material = "rubber";
    def.shapes = &shape;
    def.nshape = 1;
    def.fixed = fixed;
    def.p_WB = p;
    def.q_WB = q;
    carom_builder_body(b, &def);
}

static caromBuilder *begin(bool is_rigid, double until)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef rubber = { "rubber", 1000.0, 1e7, 0.45 };
    carom_builder_material(b, &rubber);
    caromSettings s = carom_model_settings_def();
    s.default_restitution = 0.2;
    s.default_friction = 0.5;
    s.friction_law = CAROM_FRICTION_BRISTLE;
    s.tolerance = 1e-5;
    s.until = until;
    s.every = 0.01;
    if (is_rigid) s.response = CAROM_RESPONSE_RIGID;
    carom_builder_settings(b, &s);
    return b;
}

static caromModel *end(caromBuilder *b)
{
    caromModel *model = NULL;
    caromProblems problems = { 0 };
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++) printf("%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static caromModel *scene(const caromMesh *mesh, bool is_rigid, double until)
{
    caromBuilder *b = begin(is_rigid, until);
    add(b, "lower", mesh, true, carom_vec(0, 0, 0), carom_quat_identity());
    add(b, "upper", mesh, false, carom_vec(0, 0, 0.1155), carom_quat_axis_angle(carom_vec(0.1, 0.05, 1), 1.0));
    return end(b);
}

typedef struct Last {
    caromVec3 p;
    double speed, turning;
    int ncontact;
} Last;

static caromStatus look(void *user, const caromSample *s)
{
    *(Last *)user = (Last){ s->X_WB[1].p, carom_norm(s->V_WB[1].linear), carom_norm(s->V_WB[1].angular), s->ncontact };
    return CAROM_OK;
}

static void run(int sides, bool is_rigid, double until)
{
    double before = bench_cpu_seconds();
    caromMesh *mesh = bunny_mesh(sides);
    caromModel *model = mesh ? scene(mesh, is_rigid, until) : NULL;
    caromSim *sim = NULL;
    caromError err = { 0 };
    Last last = { .ncontact = 0 };
    caromSink sink = { &last, look, NULL };
    caromStatus status = model ? carom_sim_create(model, &sink, &sim, &err) : CAROM_ERR_INPUT;
    double made = bench_cpu_seconds() - before, shown = 0.0;
    bool done = false;
    printf("%s, %d triangles on as many: made in %.2f CPU s\n%8s %8s %8s %8s %9s %9s %9s   at\n",
           is_rigid ? "rigid" : "compliant", 12*sides*sides, made, "until s", "CPU s", "steps", "evals", "contacts",
           "speed", "turning");
    before = bench_cpu_seconds();
    while (status == CAROM_OK && !done) {
        status = carom_sim_step(sim, &done, &err);
        const caromSimStats *s = carom_sim_stats(sim);
        if (status == CAROM_OK && s->time < shown + until/16 && !done) continue;
        shown = s->time;
        printf("%8.3f %8.2f %8lld %8lld %9d %9.2g %9.2g   %.4f %.4f %.4f\n", s->time, bench_cpu_seconds() - before,
               (long long)s->steps, (long long)s->evaluations, last.ncontact, last.speed, last.turning, last.p.x,
               last.p.y, last.p.z);
        fflush(stdout);
    }
    if (status != CAROM_OK) printf("%s: %s\n", err.where, err.message);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    carom_mesh_destroy(mesh);
}

static double small(caromVec3 u)
{
    (void)u;
    return 0.05;
}

static double large(caromVec3 u)
{
    (void)u;
    return 0.3;
}

static void roll(int sides)
{
    caromMesh *meshes[2] = { bunny_blown_up(sides, large), bunny_blown_up(sides, small) };
    caromBuilder *b = begin(false, 0.4);
    add(b, "hill", meshes[0], true, carom_vec(0, 0, 0), carom_quat_identity());
    add(b, "ball", meshes[1], false, carom_vec(0.08, 0.02, 0.339), carom_quat_axis_angle(carom_vec(1, 2, 0), 0.5));
    caromModel *model = end(b);
    caromSim *sim = NULL;
    caromError err = { 0 };
    Last last = { .ncontact = 0 };
    caromSink sink = { &last, look, NULL };
    if (carom_sim_create(model, &sink, &sim, &err) == CAROM_OK) {
        double before = bench_cpu_seconds();
        caromStatus status = carom_sim_run(sim, &err);
        double spent = bench_cpu_seconds() - before;
        const caromSimStats *s = carom_sim_stats(sim);
        printf("%6d triangles on as many: %5.2f CPU s, %5lld steps, %6lld evaluations, %6.0f us each; turning %.2f, "
               "at %.4f %.4f %.4f\n", 12*sides*sides, spent, (long long)s->steps, (long long)s->evaluations,
               1e6*spent/(double)s->evaluations, last.turning, last.p.x, last.p.y, last.p.z);
        if (status != CAROM_OK) printf("%s: %s\n", err.where, err.message);
    } else printf("%s: %s\n", err.where, err.message);
    carom_sim_destroy(sim);
    carom_model_destroy(model);
    for (int i = 0; i < 2; i++) carom_mesh_destroy(meshes[i]);
}

int main(int argc, char **argv)
{
    double until = argc > 3 ? atof(argv[3]) : 2.0;
    if (argc > 2) {
        run(atoi(argv[2]), strcmp(argv[1], "rigid") == 0, until);
        return 0;
    }
    const int sides[3] = { 16, 32, 65 };
    for (int i = 0; i < 3 && argc == 2 && strcmp(argv[1], "roll") == 0; i++) roll(sides[i]);
    if (argc == 2 && strcmp(argv[1], "roll") == 0) return 0;
    for (int rigid = 0; rigid < 2; rigid++)
        for (int i = 0; i < 3; i++)
            if (argc < 2 || rigid == (strcmp(argv[1], "rigid") == 0)) run(sides[i], rigid, until);
    return 0;
}
