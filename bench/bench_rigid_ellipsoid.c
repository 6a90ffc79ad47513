// The rising ellipsoid of rigid.h: carom with rigid bodies, and the bare equations as a reference.
// `bench_rigid_ellipsoid TOLERANCE` runs carom once and prints its counts, for profilers.
#include "rigid.h"

#include <stdlib.h>

#include "carom/carom.h"
#include "time/method.h"

// --- bare equations ---
//
// In axes of the body: up n, spin w, velocity of the centre along the plane u; r from the centre to the contact, height
// h.
//
//     h = |A n|,   r = -A^2 n/h,   n' = -w x n,   r' = -A^2 n'/h + A^2 n h'/h^2
//     h' = -w.(r x n)                        the point of contact does not leave the plane
//     I w' = r x (N n + f) - w x I w,   m u' = f - m w x u,   f = -mu N s,   s = (u + w x r + h' n)/max(|.|, delta)
//     N = m (g + h''),   h'' = -w'.(r x n) - w.(r' x n + r x n')         linear in N
enum { BARE_STATES = 9 };  // n, w, u

static caromVec3 each(caromVec3 a, caromVec3 b)
{
    return carom_vec(a.x*b.x, a.y*b.y, a.z*b.z);
}

static caromVec3 squares(void)
{
    return carom_vec(egg_axes[0]*egg_axes[0], egg_axes[1]*egg_axes[1], egg_axes[2]*egg_axes[2]);
}

static double bare_height(const double *y)
{
    caromVec3 n = carom_vec(y[0], y[1], y[2]);
    return sqrt(carom_dot(n, each(squares(), n)))/carom_norm(n);
}

static void put(caromVec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static caromStatus bare_rate(void *user, double t, const double *y, double *dy)
{
    (void)user;
    (void)t;
    caromVec3 n = carom_scale(1.0/carom_norm(carom_vec(y[0], y[1], y[2])), carom_vec(y[0], y[1], y[2])),
              w = carom_vec(y[3], y[4], y[5]), u = carom_vec(y[6], y[7], y[8]);
    caromVec3 I = carom_vec(egg_inertia(0), egg_inertia(1), egg_inertia(2)), per_I = carom_vec(1/I.x, 1/I.y, 1/I.z),
              A2n = each(squares(), n);
    double h = sqrt(carom_dot(n, A2n));
    caromVec3 r = carom_scale(-1/h, A2n), arm = carom_cross(r, n), dn = carom_cross(n, w);
    double dh = -carom_dot(w, arm);
    caromVec3 dr = carom_add(carom_scale(-1/h, each(squares(), dn)), carom_scale(dh/(h*h), A2n));
    caromVec3 slip = carom_add(carom_add(u, carom_cross(w, r)), carom_scale(dh, n));
    caromVec3 push = carom_sub(n, carom_scale(egg_friction/fmax(carom_norm(slip), egg_delta), slip));  // n + f/N
    caromVec3 w_free = carom_neg(each(per_I, carom_cross(w, each(I, w)))), w_push = each(per_I, carom_cross(r, push));
    double moving = carom_dot(w, carom_add(carom_cross(dr, n), carom_cross(r, dn)));
    double N = (rigid_gravity - carom_dot(w_free, arm) - moving)/(1/egg_mass + carom_dot(w_push, arm));
    put(dn, dy);
    put(carom_add(w_free, carom_scale(N, w_push)), dy + 3);
    put(carom_sub(carom_scale(N/egg_mass, carom_sub(push, n)), carom_cross(w, u)), dy + 6);
    return CAROM_OK;
}

// Where the height is passed in the step just made: by halving, of its dense output.
static double crossing(const caromMethod *method, caromStepper *s, double tau0, double tau1, double height)
{
    double low = 0, high = 1, y[BARE_STATES];
    while (high - low > 1e-14) {
        double theta = 0.5*(low + high);
        if (method->interpolate(s, theta, y, NULL) != CAROM_OK) return (double)NAN;
        if (bare_height(y) < height) low = theta;
        else high = theta;
    }
    return tau0 + high*(tau1 - tau0);
}

// Steps are short against the nutation: a height that is passed is passed at the end of a step.
static EggNotes run_bare(const caromMethod *method, double tolerance)
{
    const int block[] = { 0, 3, 6, 9 };
    double weight[BARE_STATES], y[BARE_STATES] = { 0, 0, 1, egg_spin[0], egg_spin[1], egg_spin[2], egg_velocity[0],
                                                   egg_velocity[1], egg_velocity[2] }, tau0, tau1 = 0;
    for (int i = 0; i < BARE_STATES; i++) weight[i] = tolerance*(i < 3 ? 1 : i < 6 ? 10 : 1);
    caromNorm norm = { .weight = weight, .block = block, .nblock = 3 };
    caromOde ode = { .n = BARE_STATES, .f = bare_rate, .is_autonomous = true };
    EggNotes notes = egg_notes();
    caromStepper *s = method->create(&ode, &norm);
    caromStatus status = s ? method->start(s, 0, y, 0) : CAROM_ERR_MEMORY;
    while (status == CAROM_OK && tau1 < egg_end) {
        status = method->step(s, egg_end, NULL);
        method->span(s, &tau0, &tau1);
        for (int k = 0; status == CAROM_OK && k < 2; k++) {
            if (isnan(notes.passed[k]) && bare_height(method->state(s)) >= egg_heights[k])
                notes.passed[k] = crossing(method, s, tau0, tau1, egg_heights[k]);
        }
    }
    if (s) method->destroy(s);
    return notes;
}

static void print_reference(void)
{
    EggNotes a = run_bare(&carom_method_dop853, 1e-13), b = run_bare(&carom_method_dp5, 1e-12);
    printf("reference %.9f %.9f %.1e\n", a.passed[0], a.passed[1],
           fmax(fabs(a.passed[0] - b.passed[0]), fabs(a.passed[1] - b.passed[1])));
    fflush(stdout);
}

// The bare equations by CVODE: what can be hoped for, without bodies, collision detection, events or energies.
static double bare_run(void *user, double tolerance, void *notes)
{
    double begin = rigid_seconds();
    *(EggNotes *)notes = run_bare(user, tolerance);
    return rigid_seconds() - begin;
}

// --- carom ---

static caromModel *build(double tolerance)
{
    caromBuilder *b = carom_builder_create();
    caromMaterialDef stuff = carom_model_material_def("stuff");
    carom_builder_material(b, &stuff);
    caromPairDef pair = carom_model_pair_def("stuff", "stuff");
    pair.friction = egg_friction;
    pair.restitution = 0;
    carom_builder_pair(b, &pair);
    caromShapeDef shape = carom_model_shape_def(carom_shape_ellipsoid(egg_axes[0], egg_axes[1], egg_axes[2])),
                  plane = carom_model_shape_def(carom_shape_half_space());
    caromBodyDef floor = carom_model_body_def("floor"), egg = carom_model_body_def("ellipsoid");
    floor.material = egg.material = "stuff";
    floor.fixed = true;
    floor.shapes = &plane;
    egg.shapes = &shape;
    floor.nshape = egg.nshape = 1;
    egg.mass = egg_mass;
    egg.p_WB.z = egg_axes[2];
    egg.v_WB = carom_vec(egg_velocity[0], egg_velocity[1], egg_velocity[2]);
    egg.w_WB = carom_vec(egg_spin[0], egg_spin[1], egg_spin[2]);
    carom_builder_body(b, &floor);
    carom_builder_body(b, &egg);
    caromSettings settings = carom_model_settings_def();
    settings.response = CAROM_RESPONSE_RIGID;
    settings.gravity = carom_vec(0, 0, -rigid_gravity);
    settings.v_small = egg_delta;
    settings.until = egg_end;
    settings.every = egg_end/egg_samples;
    settings.tolerance = tolerance;
    carom_builder_settings(b, &settings);
    caromProblems problems = { 0 };
    caromModel *model = NULL;
    carom_builder_finish(b, &problems, &model);
    for (int i = 0; i < problems.count; i++)
        fprintf(stderr, "%s: %s\n", problems.items[i].path, problems.items[i].message);
    carom_problems_free(&problems);
    carom_builder_destroy(b);
    return model;
}

static caromStatus note(void *user, const caromSample *sample)
{
    if (sample->kind == CAROM_SAMPLE_GRID) egg_note(user, sample->time, sample->X_WB[1].p.z, sample->V_WB[1].linear.z);
    return CAROM_OK;
}

static bool simulate(const caromModel *model, void *notes, caromSimStats *stats)
{
    caromSink sink = { notes, note, NULL };
    caromSim *sim = NULL;
    caromError err;
    caromStatus status = carom_sim_create(model, &sink, &sim, &err);
    if (status == CAROM_OK) status = carom_sim_run(sim, &err);
    if (status != CAROM_OK) fprintf(stderr, "%s: %s\n", err.where, err.message);
    if (status == CAROM_OK && stats) *stats = *carom_sim_stats(sim);
    carom_sim_destroy(sim);
    return status == CAROM_OK;
}

static double run(void *user, double tolerance, void *notes)
{
    (void)tolerance;  // of the model
    double begin = rigid_seconds();
    return simulate(user, notes, NULL) ? rigid_seconds() - begin : -1;
}

static int count(double tolerance)
{
    EggNotes notes = egg_notes();
    caromModel *model = build(tolerance);
    caromSimStats s;
    if (!model || !simulate(model, &notes, &s)) return 1;
    printf("%.6f %.6f s, %s: %lld steps, %lld rejected, %lld evaluations, %lld gaps\n", notes.passed[0],
           notes.passed[1], s.method, (long long)s.steps, (long long)s.rejected, (long long)s.evaluations,
           (long long)s.gap_evaluations);
    carom_model_destroy(model);
    return 0;
}

int main(int argc, char **argv)
{
    const double tolerances[] = { 1e-4, 1e-6, 1e-8 };
    if (argc == 2) return count(strtod(argv[1], NULL));
    print_reference();
    for (int i = 0; i < 3; i++) {
        caromModel *model = build(tolerances[i]);
        if (model) egg_row("carom", "tolerance", tolerances[i], run, model);
        carom_model_destroy(model);
    }
    const caromMethod *cvode = carom_method_cvode_adams();
    for (int i = 1; cvode && i < 3; i++) {
        union { const caromMethod *read; void *user; } method = { cvode };
        egg_row("bare", "cvode", tolerances[i], bare_run, method.user);
    }
    return 0;
}
