// What tests of mechanisms in time share: runs that are watched sample by sample, an integrator that has nothing to do
// with the library's, bars and joints in a plane, and the double pendulum.
//
// Where a run is compared with a reference: a step commits at most the tolerance of an error relative to what moves,
// and what it commits grows until the end by at most the largest ratio G of a late to an early disturbance, which is
// measured on the reference. So steps x tolerance x G is what a run may be off, and the reference itself
// (Gauss-Legendre, order 6, h = 1e-3) is better than that by orders.
#ifndef CAROM_TESTS_WATCH_H
#define CAROM_TESTS_WATCH_H

#include "mechanisms.h"
#include "scene.h"

static const double g = 9.81, pi = 3.14159265358979323846;

// ---- an integrator of our own

typedef void (*Rhs)(double t, const double *y, double *dy, const void *context);
enum { REFERENCE_MAX = 8 };

// Gauss-Legendre with three stages; the stages by iteration, until they stand still.
static inline void gauss_legendre(Rhs rhs, const void *context, int n, double t0, double t1, int steps, double *y)
{
    const double r = sqrt(15), c[3] = { 0.5 - r/10, 0.5, 0.5 + r/10 }, b[3] = { 5.0/18, 4.0/9, 5.0/18 };
    const double A[3][3] = { { 5.0/36, 2.0/9 - r/15, 5.0/36 - r/30 }, { 5.0/36 + r/24, 2.0/9, 5.0/36 - r/24 },
                             { 5.0/36 + r/30, 2.0/9 + r/15, 5.0/36 } };
    double h = (t1 - t0)/steps, k[3][REFERENCE_MAX];
    for (int step = 0; step < steps; step++) {
        double t = t0 + step*h, change = 1;
        for (int s = 0; s < 3; s++) rhs(t + c[s]*h, y, k[s], context);
        for (int pass = 0; pass < 50 && change > 1e-15; pass++) {
            double next[3][REFERENCE_MAX];
            change = 0;
            for (int s = 0; s < 3; s++) {
                double at[REFERENCE_MAX];
                for (int i = 0; i < n; i++) at[i] = y[i] + h*(A[s][0]*k[0][i] + A[s][1]*k[1][i] + A[s][2]*k[2][i]);
                rhs(t + c[s]*h, at, next[s], context);
                for (int i = 0; i < n; i++) change = fmax(change, h*fabs(next[s][i] - k[s][i]));
            }
            memcpy(k, next, sizeof k);
        }
        for (int i = 0; i < n; i++) y[i] += h*(b[0]*k[0][i] + b[1]*k[1][i] + b[2]*k[2][i]);
    }
}

// The largest ratio of |disturbance at the end| to |disturbance at the start|, over the coordinates.
static inline double growth(Rhs rhs, const void *context, int n, double until, int steps, const double *start)
{
    double end[REFERENCE_MAX], most = 1;
    memcpy(end, start, (size_t)n*sizeof *end);
    gauss_legendre(rhs, context, n, 0, until, steps, end);
    for (int i = 0; i < n; i++) {
        double other[REFERENCE_MAX];
        memcpy(other, start, (size_t)n*sizeof *other);
        other[i] += 1e-7;
        gauss_legendre(rhs, context, n, 0, until, steps, other);
        for (int j = 0; j < n; j++) most = fmax(most, fabs(other[j] - end[j])/1e-7);
    }
    return most;
}

// ---- runs that are watched

typedef struct Watch Watch;
struct Watch {
    Record record;
    void (*each)(Watch *w, const caromSample *s);
    const void *context;
    double worst, first_energy, most_kinetic, energy_drift;
    double joint_q[32], joint_v[32];  // at the end
    int njoint_q, njoint_v, turns;
    double value[8];                  // what a test wants to keep
};

static inline caromStatus watch_sample(void *user, const caromSample *s)
{
    Watch *w = user;
    double energy = s->energy.kinetic + s->energy.potential + s->energy.elastic + s->energy.springs;
    if (w->record.nsample == 0) w->first_energy = energy;
    w->most_kinetic = fmax(w->most_kinetic, s->energy.kinetic);
    w->energy_drift = fmax(w->energy_drift, fabs(energy - w->first_energy));
    for (int i = 0; i < w->njoint_q; i++) w->joint_q[i] = s->joint_q[i];
    for (int i = 0; i < w->njoint_v; i++) w->joint_v[i] = s->joint_v[i];
    hash_bytes(&w->record.hash, w->joint_q, sizeof w->joint_q);
    if (w->each) w->each(w, s);
    return record_sample(&w->record, s);
}

static inline caromStatus watch_event(void *user, const caromEvent *e)
{
    Watch *w = user;
    return record_event(&w->record, e);
}

// Runs the model to its end; free() the watch.
static inline Watch *watch_run(const caromModel *model, void (*each)(Watch *w, const caromSample *s),
                               const void *context)
{
    Watch *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->each = each;
    w->context = context;
    w->record.hash = 14695981039346656037ULL;
    for (int i = 0; i < carom_model_joint_count(model); i++) {
        caromJointInfo joint = carom_model_joint(model, i);
        if (joint.closes_loop) continue;
        w->njoint_q += carom_model_joint_kind_nq(joint.kind);
        w->njoint_v += carom_model_joint_kind_nv(joint.kind);
    }
    assert_true(w->njoint_q <= 32 && w->njoint_v <= 32);
    caromSink sink = { w, watch_sample, watch_event };
    caromSim *sim;
    w->record.status = carom_sim_create(model, &sink, &sim, &w->record.error);
    if (w->record.status == CAROM_OK) {
        w->record.status = carom_sim_run(sim, &w->record.error);
        w->record.stats = *carom_sim_stats(sim);
    }
    carom_sim_destroy(sim);
    return w;
}

static inline Watch *watch_completed(const caromModel *model, void (*each)(Watch *w, const caromSample *s),
                                     const void *context)
{
    Watch *w = watch_run(model, each, context);
    expect_completed(&w->record);
    return w;
}

// ---- parts

static inline void add_body(Scene *s, const char *name, double mass, caromVec3 com, caromMat3 inertia)
{
    caromBodyDef def = carom_model_body_def(name);
    def.mass = mass;
    def.com = com;
    def.inertia = inertia;
    scene_add(s, &def);
}

// Along x of its frame, from its origin.
static inline void add_bar(Scene *s, const char *name, double mass, double length)
{
    double I = mass*length*length/12;
    add_body(s, name, mass, carom_vec(0.5*length, 0, 0), carom_mat_diagonal(1e-3*I, I, I));
}

// Mechanisms in the plane of x and z; angles go from x towards z, so that a bar at angle a points along (cos a, sin a).
static inline caromQuat plane_axis(void)
{
    return carom_quat_axis_angle(carom_vec(1, 0, 0), 0.5*pi);  // z of the joint along -y
}

static inline caromJointDef hinge(const char *name, const char *a, caromVec3 p_a, const char *b, caromVec3 p_b,
                                  double angle, double rate)
{
    caromJointDef j = carom_model_joint_def(name, CAROM_JOINT_REVOLUTE);
    j.body[0] = a, j.body[1] = b;
    j.p[0] = p_a, j.p[1] = p_b;
    j.q[0] = j.q[1] = plane_axis();
    j.position[0] = angle;
    j.velocity[0] = rate;
    return j;
}

static inline caromJointDef slide(const char *name, const char *a, const char *b, caromVec3 axis, double distance,
                                  double rate)
{
    caromJointDef j = carom_model_joint_def(name, CAROM_JOINT_PRISMATIC);
    j.body[0] = a, j.body[1] = b;
    bool is_x = axis.x > 0.5;  // or z
    j.q[0] = j.q[1] = is_x ? carom_quat_axis_angle(carom_vec(0, 1, 0), 0.5*pi) : carom_quat_identity();
    j.position[0] = distance;
    j.velocity[0] = rate;
    return j;
}

static inline void add_joint(Scene *s, caromJointDef j)
{
    carom_builder_joint(s->builder, &j);
}

static inline double distance_of(const caromSample *s, int a, caromVec3 p_a, int b, caromVec3 p_b)
{
    return carom_norm(carom_sub(carom_pose_point(s->X_WB[a], p_a), carom_pose_point(s->X_WB[b], p_b)));
}

// ---- double pendulum

// Bars of 1 m and 1 kg at angles a and b from the x axis, y = (a, b, a', b'); equations as in any textbook with moments
// 1/3 about the ends: 4/3 a'' + cos(a - b)/2 b'' + sin(a - b)/2 b'^2 + 3/2 g cos a = 0, 1/3 b'' + cos(a - b)/2
// a'' - sin(a - b)/2 a'^2 + 1/2 g cos b = 0.
static inline void double_pendulum_rhs(double t, const double *y, double *dy, const void *context)
{
    (void)t;
    (void)context;
    double C = 0.5*cos(y[0] - y[1]), S = 0.5*sin(y[0] - y[1]), det = 4.0/9 - C*C;
    double f = -S*y[3]*y[3] - 1.5*g*cos(y[0]), h = S*y[2]*y[2] - 0.5*g*cos(y[1]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (f/3 - C*h)/det;
    dy[3] = (4.0/3*h - C*f)/det;
}

static const double pendulum_start[4] = { -1.0, -0.2, 0.5, -0.3 };  // swings far, without going over the top

static inline Scene double_pendulum_scene(double until, double tolerance)
{
    const double *y = pendulum_start;
    Scene s = scene_begin();
    s.settings.until = until;
    s.settings.tolerance = tolerance;
    add_bar(&s, "upper", 1, 1);
    add_bar(&s, "lower", 1, 1);
    add_joint(&s, hinge("shoulder", "world", carom_vec(0, 0, 0), "upper", carom_vec(0, 0, 0), y[0], y[2]));
    add_joint(&s, hinge("elbow", "upper", carom_vec(1, 0, 0), "lower", carom_vec(0, 0, 0), y[1] - y[0], y[3] - y[2]));
    return s;
}

// ---- same bits

static inline uint64_t hash_of(Scene s)
{
    caromModel *model = scene_end(&s);
    Watch *w = watch_completed(model, NULL, NULL);
    uint64_t hash = w->record.hash;
    CHECK(w->record.nsample > 100);
    free(w);
    carom_model_destroy(model);
    return hash;
}

#endif
