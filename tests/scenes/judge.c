// A scene is simulated by a process of its own, so that one that does not end, or crashes, is a result like others. It
// is watched from outside the library: poses at samples and collision queries say how deep shapes are, the ledger's
// numbers are summed up here.
#include "judge.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "geometry/geometry.h"

// A run may be off by ten tolerances: of the energy, and rigid bodies of their radius in depth.
static const double TOLERANCES = 10;

const char *verdict_name(Verdict verdict)
{
    static const char *const names[VERDICTS] = { "refused", "finished", "clear", "unclear", "timeout", "gained", "lost",
                                                 "through", "nan", "crashed" };
    return names[verdict];
}

typedef struct Watcher {
    const caromModel *model;
    const caromSim *sim;
    Judgement judgement;
    double tolerance, gain, loss;  // [J] largest imbalance of either sign
    double lost[2], fallen;        // losses so far; by how much one fell [J]
    bool is_rigid, is_through, is_bad;
} Watcher;

static void note(Watcher *w, const char *format, const char *name, double a, double b)
{
    if (w->judgement.message[0]) return;
    snprintf(w->judgement.message, sizeof w->judgement.message, format, name, a, b);
}

static double half_width_of_mesh(const caromMesh *mesh, caromVec3 n)
{
    const caromVec3 *vertices;
    double low = INFINITY, high = -INFINITY;
    for (int i = carom_mesh_vertices(mesh, &vertices) - 1; i >= 0; i--) {
        low = fmin(low, carom_dot(n, vertices[i]));
        high = fmax(high, carom_dot(n, vertices[i]));
    }
    return 0.5*(high - low);
}

// Half of what a body measures along the normal of its contact: where a rod stands on its end, that is half of its
// length and not its radius. A ring and a mesh have their thickness everywhere, but nothing passes a half-space there.
static double half_width(caromShape shape, caromPose X_WS, caromVec3 n_W, caromShape other)
{
    caromVec3 n = carom_tmul(X_WS.R, n_W);
    if (shape.kind == CAROM_MESH && other.kind == CAROM_HALF_SPACE) return half_width_of_mesh(shape.mesh, n);
    if (!carom_shape_is_bounded(shape) || !carom_shape_is_convex(shape)) return carom_shape_half_thickness(shape);
    caromCore core = carom_shape_core(&shape);
    return 0.5*(carom_shape_core_extent(&core, n) + carom_shape_core_extent(&core, carom_neg(n))) + core.radius;
}

// The gap of a mesh is a way out, which is longer than any depth where the other is wedged in between: there what
// presses tells how deep it is.
static double depth_of(const Watcher *w, const caromSample *s, int pair, double way_out)
{
    for (int i = 0; i < s->ncontact && !w->is_rigid; i++)
        if (s->contacts[i].pair == pair) return fmin(way_out, s->contacts[i].depth);
    return way_out;
}

// A compliant contact deeper than that has the middle of the thinner body on its other side, and will let it leave
// there.
static void look_at_pair(Watcher *w, const caromSample *s, int pair)
{
    caromPairInfo info = carom_model_pair(w->model, pair);
    caromShapeInfo a = carom_model_shape(w->model, info.shape[0]), b = carom_model_shape(w->model, info.shape[1]);
    caromPose X_WA = carom_pose_mul(s->X_WB[a.body.i], a.X_BS), X_WB = carom_pose_mul(s->X_WB[b.body.i], b.X_BS);
    caromGap gap = carom_collide_shapes(a.shape, X_WA, b.shape, X_WB);
    if (gap.status == CAROM_GAP_UNDEFINED || gap.g >= 0) return;
    bool has_mesh = a.shape.kind == CAROM_MESH || b.shape.kind == CAROM_MESH;
    double thin = fmin(half_width(a.shape, X_WA, gap.n_AB, b.shape), half_width(b.shape, X_WB, gap.n_AB, a.shape)),
           depth = has_mesh ? depth_of(w, s, pair, -gap.g) : -gap.g;
    double size = fmin(carom_shape_radius(a.shape), carom_shape_radius(b.shape));
    w->judgement.depth = fmax(w->judgement.depth, depth/thin);
    bool is_through = w->is_rigid ? depth > TOLERANCES*w->tolerance*size + gap.error + 1e-12*size : depth > thin;
    if (!is_through || w->is_through) return;
    w->is_through = true;
    char name[200];
    carom_model_pair_name(w->model, pair, name, sizeof name);
    note(w, "%.200s are %.3g m deep at %.6g s", name, depth, s->time);
}

// Losses in contacts and in joints only grow; a fall below ten tolerances of the energy is rounding and the
// error of the integration. An impact with friction shares its loss between normal and tangential work, of
// which one may be negative.
static void look_at_losses(Watcher *w, const caromEnergy *e)
{
    double now[2] = { e->damping + e->friction + e->rolling, e->joints };
    for (int i = 0; i < 2; i++) {
        w->fallen = fmax(w->fallen, w->lost[i] - now[i]);
        w->lost[i] = fmax(w->lost[i], now[i]);
    }
}

static bool is_finite(const caromSample *s)
{
    double sum = s->energy.imbalance + s->energy.kinetic;
    for (int i = 0; i < s->nbody; i++)
        sum += carom_norm(s->X_WB[i].p) + carom_norm(s->V_WB[i].linear) + carom_norm(s->V_WB[i].angular);
    return isfinite(sum);
}

static caromStatus watch_sample(void *user, const caromSample *s)
{
    Watcher *w = user;
    w->is_bad |= !is_finite(s);
    if (w->is_bad) return CAROM_STOPPED;
    w->gain = fmax(w->gain, s->energy.imbalance);
    w->loss = fmax(w->loss, -s->energy.imbalance);
    look_at_losses(w, &s->energy);
    if (s->kind == CAROM_SAMPLE_GRID)
        for (int i = 0; i < carom_model_pair_count(w->model); i++) look_at_pair(w, s, i);
    return CAROM_OK;
}

// What the model itself rules out, told with a cure. Nothing else may stop a run.
static bool is_clear(const Watcher *w, const char *message)
{
    return strstr(message, "prescribed motions press") || (!w->is_rigid && strstr(message, "can be held by bristles"));
}

static Verdict verdict_of(Watcher *w, caromStatus status, const caromError *err)
{
    const caromSimStats *stats = carom_sim_stats(w->sim);
    double allowed = TOLERANCES*w->tolerance*stats->energy_reference;
    bool is_gain = w->gain >= w->loss;
    w->judgement.imbalance = (is_gain ? w->gain : -w->loss)/(w->tolerance*stats->energy_reference);
    w->judgement.steps = stats->steps;
    w->judgement.evaluations = stats->evaluations;
    if (w->is_bad) return NOT_FINITE;
    bool is_told = status != CAROM_OK && is_clear(w, err->message);
    if (status != CAROM_OK) {
        snprintf(w->judgement.message, sizeof w->judgement.message, "%.399s", err->message);
        if (!is_told) return UNCLEAR;
    }
    if (w->is_through) return THROUGH;
    if (w->gain > allowed) return GAINED;
    if (w->fallen > allowed) note(w, "%slosses fell by %.3g J of %.3g J", "", w->fallen, stats->energy_reference);
    if (w->loss > allowed || w->fallen > allowed) return LOST;
    return is_told ? CLEAR : FINISHED;
}

static Verdict simulate(Watcher *w)
{
    caromSink sink = { .user = w, .sample = watch_sample };
    caromSim *sim;
    caromError err = { 0 };
    caromStatus status = carom_sim_create(w->model, &sink, &sim, &err);
    if (status != CAROM_OK) {
        snprintf(w->judgement.message, sizeof w->judgement.message, "%.399s", err.message);
        return REFUSED;
    }
    w->sim = sim;
    status = carom_sim_run(sim, &err);
    Verdict verdict = verdict_of(w, status, &err);
    carom_sim_destroy(sim);
    return verdict;
}

static double cpu_so_far(int who)
{
    struct rusage use;
    getrusage(who, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6*(double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static void limit_cpu(double seconds)
{
    rlim_t whole = (rlim_t)ceil(seconds);
    setrlimit(RLIMIT_CPU, &(struct rlimit){ whole, whole + 1 });
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

static Verdict read_and_simulate(Watcher *w, const caromModelText *from, Patience patience)
{
    caromProblems problems = { 0 };
    caromModel *model;
    if (carom_modelfile_read_from(from, &problems, &model) != CAROM_OK) {
        for (int i = 0; i < problems.count; i++)
            if (!problems.items[i].is_warning) note(w, "%.399s", problems.items[i].message, 0, 0);
        return REFUSED;
    }
    const caromSettings *settings = carom_model_settings(model);
    w->model = model;
    w->tolerance = settings->tolerance;
    w->is_rigid = settings->response == CAROM_RESPONSE_RIGID;
    w->judgement.until = settings->until;
    double cpu = patience.per_second*settings->until;
    limit_cpu(patience.altogether > 0 ? fmin(cpu, patience.altogether) : cpu);
    return simulate(w);
}

static void judge_and_tell(int to, const caromModelText *model, Patience patience)
{
    Watcher *w = calloc(1, sizeof *w);
    if (!w) _exit(1);
    w->judgement.verdict = read_and_simulate(w, model, patience);
    w->judgement.cpu = cpu_so_far(RUSAGE_SELF);
    Judgement j = w->judgement;
    ssize_t told = write(to, &j, sizeof j);
    _exit(told == (ssize_t)sizeof j ? 0 : 1);
}

static Judgement without_answer(int status)
{
    Judgement j = { .verdict = CRASHED };
    bool is_late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    if (is_late) j.verdict = TIMEOUT;
    else if (WIFSIGNALED(status)) snprintf(j.message, sizeof j.message, "signal %d", WTERMSIG(status));
    else snprintf(j.message, sizeof j.message, "status %d", WEXITSTATUS(status));
    return j;
}

Judgement judge(const caromModelText *model, Patience patience)
{
    int ends[2], status = 0;
    Judgement j;
    if (pipe(ends) != 0) return without_answer(0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) judge_and_tell(ends[1], model, patience);
    close(ends[1]);
    bool is_told = child > 0 && read(ends[0], &j, sizeof j) == (ssize_t)sizeof j;
    close(ends[0]);
    if (child > 0) waitpid(child, &status, 0);
    return is_told ? j : without_answer(status);
}

Judgement judge_text(const char *text, const char *override, double cpu_per_second)
{
    caromModelText model = { .text = text, .length = strlen(text), .overrides = &override, .noverride = !!override };
    return judge(&model, (Patience){ cpu_per_second, 0 });
}

void judge_tell(const char *name, const Judgement *j)
{
    printf("%s %s cpu %.2f s, imbalance %.3g tolerances, depth %.3g, %lld steps. %s\n", name, verdict_name(j->verdict),
           j->cpu, j->imbalance, j->depth, (long long)j->steps, j->message);
    fflush(stdout);
}

void judge_keep(const char *folder, const char *name, const char *text, const Judgement *j)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s-%s.yaml", folder, verdict_name(j->verdict), name);
    FILE *to = fopen(path, "w");
    if (!to) return;
    fprintf(to, "# %s: %s. %s\n%s", name, verdict_name(j->verdict), j->message, text);
    fclose(to);
}

bool judge_load(const char *path, char **text, caromModelText *model)
{
    caromError err;
    *model = (caromModelText){ .path = path };
    if (carom_modelfile_load(path, text, &model->length, &err) != CAROM_OK) return false;
    model->text = *text;
    return true;
}
