// TR-BDF2 [Bank85], [HoseaShampine96]: two implicit stages of the same kind, second order, L-stable. With
// g = 2 - sqrt 2 and tau = g h/2
//
//     y_1 = y0 + tau f0 + tau f(t + g h, y_1)
//     y_2 = y0 + (y_1 - y0)/(g (2 - g)) + tau f(t + h, y_2)
//
// The stages are solved by the ODE (caromStageSolver), which knows more of f than its values. f at the end of a step is
// what its last stage says: of a stiff contact that is as good as the stage, where f itself would be stiffness times
// what is left of the iteration. The estimate is that of the embedded formula of third order
//
//     h (e_0 f_0 + e_1 f_1 + e_2 f_2),   e = (w - (1 - w)/3, w - (3 w + 1)/3, 2 d/3),   w = sqrt 2/4, d = g/2
//
// A first step has no f0 of a stage before. It is one of SDIRK2 [Alexander77], whose stages have the same tau,
// y_1 = y0 + tau f_1 and y_2 = y0 + (h - tau) f_1 + tau f_2; f_1 takes the place of f_0 in its estimate, which is then
// one of first order: a first step is short.
#include <math.h>
#include <string.h>

#include "time/onestep.h"

typedef struct TrBdf2 {
    caromStepper base;
    double *stage, *rate;  // y_1 and f_1
    double *kept;          // f where a step goes on                                     [room]
    bool goes_on;          // from the end of a step
    bool is_first, was_first;  // the step to be made, the one just made
    bool is_refining;      // what is tried is not a step
} TrBdf2;

static const double part = 0.58578643762690495, weight = 0.35355339059327376, diagonal = 0.29289321881345248;

// An end that is off by less than this part of the step is the end. What happens in a step is carried out there once
// the step ends as near to it (step/step.c).
static const double at_end = 0.01;

static caromStatus solve(caromStepper *s, int number, double later, double tau, const double *base, double *y)
{
    caromStage stage = { s->t_start + s->tau0 + later, tau, base, s->norm, y, number };
    return s->ode.stages->solve(s->ode.user, &stage, &s->counts.evaluations);
}

// y_1 and f_1. Begins where f0 leads to.
static caromStatus first_stage(TrBdf2 *m, double h)
{
    caromStepper *s = &m->base;
    double tau = diagonal*h, *base = s->trial, later = (m->is_first ? diagonal : part)*h;
    for (int i = 0; i < s->ode.n; i++) {
        base[i] = s->y0[i] + (m->is_first ? 0.0 : tau*s->f0[i]);
        m->stage[i] = s->y0[i] + later*s->f0[i];
    }
    caromStatus status = solve(s, 1, later, tau, base, m->stage);
    for (int i = 0; i < s->ode.n; i++) m->rate[i] = (m->stage[i] - base[i])/tau;
    return status;
}

static caromStatus second_stage(TrBdf2 *m, double h)
{
    caromStepper *s = &m->base;
    double tau = diagonal*h, *base = s->trial, beyond = 1.0/(part*(2.0 - part));
    for (int i = 0; i < s->ode.n; i++) {
        base[i] = s->y0[i] + (m->is_first ? (h - tau)*m->rate[i] : beyond*(m->stage[i] - s->y0[i]));
        s->y1[i] = base[i] + tau*m->rate[i];
    }
    caromStatus status = solve(s, 2, h, tau, base, s->y1);
    for (int i = 0; i < s->ode.n; i++) s->f1[i] = (s->y1[i] - base[i])/tau;
    return status;
}

// Quadratures follow from what the stages have done, and go evenly along the step.
static void account(TrBdf2 *m, double h)
{
    caromStepper *s = &m->base;
    caromStageSum sum = { s->t_start + s->tau0, h, s->y0,
                          { m->is_first ? 0.0 : weight, m->is_first ? 1.0 - diagonal : weight, diagonal }, s->y1 };
    s->ode.stages->account(s->ode.user, &sum);
    for (int i = s->ode.n - s->ode.nquad; i < s->ode.n; i++) {
        s->dense[i] = s->y1[i] - s->y0[i];
        s->f0[i] = s->f1[i] = s->dense[i]/h;
    }
}

static double estimate(TrBdf2 *m, double h)
{
    caromStepper *s = &m->base;
    double *off = s->dense + s->stride;
    double e0 = weight - (1.0 - weight)/3.0, e1 = weight - (3.0*weight + 1.0)/3.0, e2 = 2.0*diagonal/3.0;
    for (int i = 0; i < s->ode.n; i++) off[i] = h*(e0*s->f0[i] + e1*m->rate[i] + e2*s->f1[i]);
    for (int i = s->ode.n - s->ode.nquad; i < s->ode.n; i++) off[i] = 0.0;
    return carom_time_norm_of(s->norm, off);
}

// Forces at the start of a first step: those of its first stage. Without the rates of positions as they are there its
// interpolant would leave in another direction, and find touches where there are none.
static void take_rate(TrBdf2 *m)
{
    caromStepper *s = &m->base;
    int known = s->ode.stages->known(s->ode.user);
    memcpy(s->f0 + known, m->rate + known, (size_t)(s->ode.n - known)*sizeof *s->f0);
}

static caromStatus attempt(caromStepper *s, double h, double *error)
{
    TrBdf2 *m = (TrBdf2 *)s;
    caromStatus status = first_stage(m, h);
    if (status == CAROM_OK) status = second_stage(m, h);
    if (status != CAROM_OK) return status;
    if (m->is_first) take_rate(m);
    *error = estimate(m, h);
    for (int i = 0; i < s->ode.n; i++) s->dense[i] = s->y1[i] - s->y0[i];
    s->has_rate = true;
    if (m->is_refining) account(m, h);
    return CAROM_OK;
}

// The cubic through both ends with their rates.
static caromStatus dense(caromStepper *s)
{
    double *F1 = s->dense + s->stride, *F2 = F1 + s->stride;
    for (int i = 0; i < s->ode.n; i++) {
        F1[i] = s->h*s->f0[i] - s->dense[i];
        F2[i] = 2.0*s->dense[i] - s->h*(s->f0[i] + s->f1[i]);
    }
    return CAROM_OK;
}

static caromStatus step(caromStepper *s, double limit, caromError *err)
{
    TrBdf2 *m = (TrBdf2 *)s;
    if (m->goes_on) s->ode.stages->go_on(s->ode.user);
    caromStatus status = carom_onestep_step(s, limit, err);
    m->goes_on = status == CAROM_OK;
    m->was_first = m->is_first;
    if (status != CAROM_OK) return status;
    account(m, s->h);
    m->is_first = false;
    s->ode.stages->keep(s->ode.user);
    return CAROM_OK;
}

static void place(caromStepper *s, double *v)
{
    TrBdf2 *m = (TrBdf2 *)s;
    s->f0 = v;
    s->f1 = v + s->stride;
    m->stage = s->f1 + s->stride;
    m->rate = m->stage + s->stride;
}

static caromStatus refine(caromStepper *s, double theta, double *y)
{
    TrBdf2 *m = (TrBdf2 *)s;
    bool is_first = m->is_first;
    m->is_first = m->was_first;
    m->is_refining = true;
    caromStatus status = carom_onestep_refine(s, theta, y);
    m->is_first = is_first;
    m->is_refining = false;
    return status;
}

// f where the step just made has begun or ended; elsewhere there is none.
static const double *rate_at(const TrBdf2 *m, double t)
{
    const caromStepper *s = &m->base;
    double theta = s->h > 0.0 ? (t - s->t_start - s->tau0)/s->h : -1.0;
    if (fabs(theta - 1.0) <= at_end) return s->f1;
    return fabs(theta) <= at_end && !m->was_first ? s->f0 : NULL;
}

static caromStatus start(caromStepper *s, double t, const double *y, double h_hint)
{
    TrBdf2 *m = (TrBdf2 *)s;
    const double *rate = rate_at(m, t);
    int n = s->ode.n;
    if (rate) memcpy(m->kept, rate, (size_t)n*sizeof *m->kept);
    m->goes_on = rate && rate == s->f1;
    m->is_first = !rate;
    caromStatus status = carom_onestep_start(s, t, y, h_hint);
    if (status != CAROM_OK || !rate) return status;
    memcpy(s->f1, m->kept, (size_t)n*sizeof *s->f1);
    s->has_rate = true;
    return CAROM_OK;
}

// By something nearby: the rate is still that of the stage.
static void amend(caromStepper *s, const double *y)
{
    bool has_rate = s->has_rate;
    carom_onestep_amend(s, y);
    s->has_rate = has_rate;
}

static const caromScheme scheme = {
    .name = "convex", .exponent = 1.0/3, .pi = 0, .shrink = 0.2, .grow = 4, .ndense = 3, .attempt = attempt,
    .dense = dense, .place = place,
};

static caromStepper *create(const caromOde *ode, const caromNorm *norm)
{
    caromStepper *s = carom_onestep_create(&scheme, ode, norm, sizeof(TrBdf2), 4, (size_t)ode->n);
    if (!s) return NULL;
    carom_onestep_resize(s, ode->n);
    TrBdf2 *m = (TrBdf2 *)s;
    m->kept = m->rate + s->stride;
    m->is_first = m->was_first = true;
    return s;
}

const caromMethod carom_method_trbdf2 = {
    .name = "convex", .order = 2, .dense_order = 3, .dense_degree = 3, .is_stiff = true, .ends_only = true,
    .create = create, .destroy = carom_onestep_destroy, .start = start, .step = step, .span = carom_onestep_span,
    .state = carom_onestep_state, .interpolate = carom_onestep_interpolate,
    .interpolate_some = carom_onestep_interpolate_some, .refine = refine, .stray = carom_onestep_stray,
    .amend = amend, .hint = carom_onestep_hint, .hold = carom_onestep_hold, .counts = carom_onestep_counts,
};
