// Sizes, masses and speeds that are far from those of the rest of the model: a unit was forgotten, most likely. A ball
// of radius 50 among parts of some millimetres is 50 m large, and 1e9 times too heavy.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/geometry.h"
#include "model/check.h"
#include "model/scales.h"

typedef struct Amount {
    double value;
    int body, joint;   // of what; joint -1: of the body itself
    int speed;         // of the joint
} Amount;

typedef struct Amounts {
    Amount *items;
    double *sorted;
    int n;
} Amounts;

static void add_scale(Amounts *s, Amount scale)
{
    if (scale.value > 0.0 && isfinite(scale.value)) s->items[s->n++] = scale;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sort_scales(Amounts *s)
{
    for (int i = 0; i < s->n; i++) s->sorted[i] = s->items[i].value;
    qsort(s->sorted, (size_t)s->n, sizeof *s->sorted, compare_numbers);
}

static double times_off(double value, double rest)
{
    return value > rest ? value/rest : rest/value;
}

// The middle of the others; of two in the middle that which is nearer.
static double rest_of(const Amounts *s, double value)
{
    int rank = 0, low = (s->n - 2)/2, high = (s->n - 1)/2;
    while (s->sorted[rank] < value) rank++;
    double a = s->sorted[low < rank ? low : low + 1], b = s->sorted[high < rank ? high : high + 1];
    return times_off(value, a) < times_off(value, b) ? a : b;
}

// How many times the rest it is, or the rest is it; 0: not far. Of two the larger one is told.
static double far_off(const Amounts *s, double value, double *rest)
{
    if (s->n < 2) return 0.0;
    *rest = rest_of(s, value);
    double times = times_off(value, *rest);
    return times > CAROM_MODEL_FAR_OFF && (s->n > 2 || value > *rest) ? times : 0.0;
}

// What is fixed may be large (a floor), not thick; what moves has the size of its bounding sphere.
static double size_of(const caromModel *m, const caromBody *b)
{
    if (!b->fixed) return b->reach;
    double thickest = 0.0;
    for (int i = b->first_shape; i < b->first_shape + b->nshape; i++)
        if (carom_shape_is_bounded(m->shapes[i].shape))
            thickest = fmax(thickest, carom_shape_half_thickness(m->shapes[i].shape));
    return thickest;
}

static const char *than(double value, double rest)
{
    return value > rest ? "larger" : "smaller";
}

static void check_sizes(const caromModel *m, Amounts *s, bool *is_told, caromProblems *problems)
{
    for (int k = 0; k < m->nbody; k++) add_scale(s, (Amount){ size_of(m, &m->bodies[k]), k, -1, 0 });
    sort_scales(s);
    for (int i = 0; i < s->n; i++) {
        double rest, value = s->items[i].value, times = far_off(s, value, &rest);
        if (times == 0.0) continue;
        const char *name = m->bodies[s->items[i].body].name;
        is_told[s->items[i].body] = true;
        carom_problem_add(problems, true, carom_model_path_of("bodies.%.63s", name).text, "body '%.63s' reaches %.3g "
                          "m, %.2g times %s than the rest of the model (%.3g m in the middle): is a unit missing?",
                          name, value, times, than(value, rest), rest);
    }
    s->n = 0;
}

static void check_masses(const caromModel *m, Amounts *s, const bool *is_told, caromProblems *problems)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->bodies[k].link >= 0) add_scale(s, (Amount){ m->bodies[k].props.mass, k, -1, 0 });
    sort_scales(s);
    for (int i = 0; i < s->n; i++) {
        double rest, value = s->items[i].value, times = far_off(s, value, &rest);
        if (times == 0.0 || is_told[s->items[i].body]) continue;
        const char *name = m->bodies[s->items[i].body].name;
        carom_problem_add(problems, true, carom_model_path_of("bodies.%.63s", name).text, "body '%.63s' has %.3g kg, "
                          "%.2g times %s than the rest of the model (%.3g kg in the middle): is a unit missing?", name,
                          value, times, than(value, rest), rest);
    }
    s->n = 0;
}

static void add_joint_speeds(const caromModel *m, const caromLink *link, Amounts *s)
{
    const caromModelJoint *j = &m->joints[link->joint];
    double reach = m->bodies[link->body].reach;
    for (int i = 0; link->iv >= 0 && i < link->nv; i++)
        add_scale(s, (Amount){ fabs(j->velocity[i])*(j->forces[i].is_angle ? reach : 1.0), link->body, link->joint,
                               i });
}

// "bodies.ball.velocity", "joints.hinge.angle_rate"; vectors have one key for their components.
static caromPath speed_path(const caromModel *m, const Amount *at)
{
    if (at->joint < 0) return carom_model_path_of("bodies.%.63s.velocity", m->bodies[at->body].name);
    const caromModelJoint *j = &m->joints[at->joint];
    const char *key = carom_model_joint_speed_name(j->kind, at->speed);
    return carom_model_path_of("joints.%.63s.%.*s", j->name, (int)strcspn(key, "."), key);
}

static void check_speeds(const caromModel *m, Amounts *s, caromProblems *problems)
{
    for (int k = 0; k < m->nlink; k++) {
        const caromLink *link = &m->links[k];
        if (link->joint >= 0) add_joint_speeds(m, link, s);
        else add_scale(s, (Amount){ carom_norm(m->bodies[link->body].V_WB.linear), link->body, -1, 0 });
    }
    sort_scales(s);
    for (int i = 0; i < s->n; i++) {
        const Amount *at = &s->items[i];
        double rest, times = far_off(s, at->value, &rest);
        if (times == 0.0) continue;
        const char *name = m->bodies[at->body].name;
        caromPath path = speed_path(m, at);
        carom_problem_add(problems, true, path.text, "body '%.63s' starts with %.3g m/s, %.2g times %s than the rest "
                          "of the model (%.3g m/s in the middle): is a unit missing?", name, at->value, times,
                          than(at->value, rest), rest);
    }
}

void carom_model_check_scales(const caromModel *m, caromProblems *problems)
{
    size_t most = (size_t)m->nbody + (size_t)m->nv;
    Amounts s = { carom_alloc_array(most, sizeof *s.items), carom_alloc_array(most, sizeof *s.sorted), 0 };
    bool *is_told = carom_alloc_array((size_t)m->nbody, sizeof *is_told);
    if (s.items && s.sorted && is_told) {
        check_sizes(m, &s, is_told, problems);
        check_masses(m, &s, is_told, problems);
        check_speeds(m, &s, problems);
    } else {
        carom_problem_add(problems, false, "", "out of memory");
    }
    free(s.items);
    free(s.sorted);
    free(is_told);
}
