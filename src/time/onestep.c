#include "time/onestep.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "time/combine.h"

#define SAFETY 0.9
#define RETRY_FACTOR 0.25    // after a failed evaluation or an error estimate that is not a number
#define REJECTIONS_MAX 60    // in a row; from 1 s with the gentlest factor 0.33 this is 1e-29 s
#define LEAST_ERROR 1e-4     // the controller takes smaller errors for this one [HairerNorsettWanner93, II.4]
#define LEAST_TICKS 4        // a step is at least this many roundings of the local time
#define STRETCH 1.01         // a limit this little beyond the step is met by it, instead of leaving a sliver

// --- memory ---

caromStepper *carom_onestep_create(const caromScheme *scheme, const caromOde *ode, const caromNorm *norm, size_t size,
                                   size_t nvector, size_t extra)
{
    size_t stride = (size_t)carom_time_padded(ode->n);
    size_t head = (size + sizeof(double) - 1)/sizeof(double);
    size_t shared = CAROM_ONESTEP_VECTORS((size_t)scheme->ndense)*stride;
    double *block = carom_alloc_array(head + 2*(shared + nvector*stride) + extra, sizeof(double));
    if (!block) return NULL;
    caromStepper *s = (caromStepper *)(void *)block;
    s->scheme = scheme;
    s->ode = *ode;
    s->norm = norm;
    s->memory = block + head + shared + nvector*stride;
    s->kept = block + head;
    s->nvector = nvector;
    s->room = ode->n;
    return s;
}

static size_t bytes_of_vectors(const caromStepper *s)
{
    return (CAROM_ONESTEP_VECTORS((size_t)s->scheme->ndense) + s->nvector)*(size_t)s->stride*sizeof(double);
}

// Vectors stand closely together whatever n is: loops run over stride, which is also their distance.
void carom_onestep_resize(caromStepper *s, int n)
{
    size_t stride = (size_t)carom_time_padded(n), shared = CAROM_ONESTEP_VECTORS((size_t)s->scheme->ndense)*stride;
    double *v = s->memory;
    s->ode.n = n;
    s->stride = (int)stride;
    memset(v, 0, bytes_of_vectors(s));
    s->y0 = v;
    s->y1 = v + stride;
    s->trial = v + 2*stride;
    s->dense = v + 3*stride;
    s->scheme->place(s, v + shared);
}

void carom_onestep_destroy(caromStepper *s)
{
    free(s);
}

// --- start ---

// Nothing is evaluated here: a failure belongs to the first step, which can say what went wrong.
caromStatus carom_onestep_start(caromStepper *s, double t, const double *y, double h_hint)
{
    if (s->ode.count && *s->ode.count > s->room) return CAROM_ERR_MEMORY;
    if (s->ode.count && *s->ode.count != s->ode.n) carom_onestep_resize(s, *s->ode.count);
    memmove(s->y1, y, (size_t)s->ode.n*sizeof *y);  // y may be what state() returned
    s->t_start = t;
    s->tau0 = s->tau1 = s->h = 0;
    s->h_next = h_hint > 0 && isfinite(h_hint) ? h_hint : 0;
    s->error_before = LEAST_ERROR;
    s->has_rate = s->has_dense = false;
    return CAROM_OK;
}

// First step [HairerNorsettWanner93, II.4]: with h0 an explicit Euler step moves y by a hundredth of its size; the
// change of f over it estimates y''. The step shall make h^q max(|y'|, |y''|) a hundredth of the tolerance:
//
//     h = min(100 h0, (0.01 / max(|y'|, |y''|))^(1/q))
static double first_step(caromStepper *s, double room)
{
    double size = carom_time_norm_of(s->norm, s->y0), speed = carom_time_norm_of(s->norm, s->f0);
    double h0 = size > 1e-10 && speed > 1e-10 ? 0.01*size/speed : 1e-6;
    h0 = fmin(h0, room);
    if (!(h0 > 0)) return fmin(1e-6, room);
    for (int i = 0; i < s->ode.n; i++) s->y1[i] = s->y0[i] + h0*s->f0[i];
    // A probe that cannot be evaluated says that h0 is too long; the loop of trials finds out how much.
    if (!carom_time_all_finite(s->y1, s->ode.n)) return RETRY_FACTOR*h0;
    if (carom_onestep_evaluate(s, s->tau0 + h0, s->y1, s->trial) != CAROM_OK) return RETRY_FACTOR*h0;
    for (int i = 0; i < s->ode.n; i++) s->y1[i] = s->trial[i] - s->f0[i];
    double change = fmax(speed, carom_time_norm_of(s->norm, s->y1)/h0);
    double h1 = change > 1e-15 ? pow(0.01/change, s->scheme->exponent) : fmax(1e-6, 1e-3*h0);
    double h = fmin(fmin(100*h0, h1), room);
    return h > 0 ? h : RETRY_FACTOR*h0;
}

// --- step size control [HairerNorsettWanner93, II.4 and IV.2] ---

//     h_new = h * 0.9 err^-(1/q - 0.75 beta) err_before^beta        (beta = 0: the elementary controller)
static double factor_after_success(const caromScheme *scheme, double error, double error_before)
{
    double elementary = pow(error, scheme->exponent - 0.75*scheme->pi);
    double memory = scheme->pi > 0 ? pow(error_before, scheme->pi) : 1.0;
    return fmin(scheme->grow, fmax(scheme->shrink, SAFETY*memory/elementary));
}

static double factor_after_rejection(const caromScheme *scheme, double error)
{
    return fmin(SAFETY, fmax(scheme->shrink, SAFETY*pow(error, -scheme->exponent)));
}

// A step cut short by a limit tells little about the step that was planned: its error may be rounding only. Unless it
// was at least half of the plan, the plan stands.
static double next_step(const caromStepper *s, double h, double planned, double error, bool was_rejected)
{
    double factor = factor_after_success(s->scheme, error, s->error_before);
    double h_new = was_rejected ? fmin(h, factor*h) : factor*h;
    return h < 0.5*planned ? fmax(planned, h_new) : h_new;
}

// --- one step ---

typedef enum Outcome { ACCEPTED, NOT_EVALUABLE, NOT_FINITE, NOT_ACCURATE } Outcome;

static const char *reason(Outcome outcome)
{
    switch (outcome) {
    case NOT_EVALUABLE: return "the evaluation failed however short the step";
    case NOT_FINITE: return "the error estimate is not a finite number";
    default: return "the error test failed";
    }
}

// The state stays where the last accepted step left it.
static void step_back(caromStepper *s)
{
    memcpy(s->y1, s->y0, (size_t)s->stride*sizeof *s->y1);
    memcpy(s->f1, s->f0, (size_t)s->stride*sizeof *s->f1);
    s->tau1 = s->tau0;
    s->h = 0;
    s->has_dense = false;
}

static caromStatus final_failure(caromStepper *s, caromStatus status, caromError *err)
{
    step_back(s);
    s->has_rate = false;
    return carom_fail(err, status, "integration", "%s: the evaluation failed near t = %.17g s: %s", s->scheme->name,
                      s->t_start + s->tau0, carom_status_name(status));
}

static caromStatus give_up(caromStepper *s, double h, Outcome outcome, caromError *err)
{
    step_back(s);
    s->has_rate = true;
    return carom_fail(err, CAROM_ERR_NUMERIC, "integration",
                      "%s: cannot go on from t = %.17g s: %s, the step size fell to %.3g s", s->scheme->name,
                      s->t_start + s->tau0, reason(outcome), h);
}

static caromStatus begin_step(caromStepper *s, caromError *err)
{
    memcpy(s->y0, s->y1, (size_t)s->stride*sizeof *s->y0);
    s->tau0 = s->tau1;
    s->has_dense = false;
    s->is_new_point = true;
    if (s->has_rate) {
        memcpy(s->f0, s->f1, (size_t)s->stride*sizeof *s->f0);
        return CAROM_OK;
    }
    caromStatus status = carom_onestep_evaluate(s, s->tau0, s->y0, s->f0);
    if (status == CAROM_OK) return CAROM_OK;
    if (status < 0) return final_failure(s, status, err);
    step_back(s);
    return carom_fail(err, CAROM_ERR_NUMERIC, "integration", "%s: the evaluation failed at the start, "
                      "t = %.17g s, step size 0", s->scheme->name, s->t_start + s->tau0);
}

// One trial with step h. A final failure is returned, everything else is an outcome.
static caromStatus try_step(caromStepper *s, double h, double *error, Outcome *outcome)
{
    s->has_rate = false;
    *error = (double)NAN;
    caromStatus status = s->scheme->attempt(s, h, error);
    *outcome = status != CAROM_OK ? NOT_EVALUABLE : !isfinite(*error) ? NOT_FINITE : ACCEPTED;
    if (*outcome == ACCEPTED && *error > 1 && !s->accepts_all) *outcome = NOT_ACCURATE;
    if (*outcome == ACCEPTED && !s->has_rate) {
        // The next step needs f here; if it does not exist here, this step must not end here.
        status = carom_onestep_evaluate(s, s->tau0 + h, s->y1, s->f1);
        if (status == CAROM_OK) s->has_rate = true;
        else *outcome = NOT_EVALUABLE;
    }
    s->is_new_point = false;
    return status < 0 ? status : CAROM_OK;
}

static void accept(caromStepper *s, double tau1, bool is_cut, double planned, double error, bool was_rejected)
{
    double h = tau1 - s->tau0;
    s->tau1 = tau1;
    s->h = h;
    s->h_next = next_step(s, h, planned, error, was_rejected);
    if (!is_cut) s->error_before = fmax(error, LEAST_ERROR);
    caromCounts *c = &s->counts;
    c->steps++;
    if (!is_cut && (c->smallest_step == 0 || h < c->smallest_step)) c->smallest_step = h;
}

caromStatus carom_onestep_step(caromStepper *s, double tau_limit, caromError *err)
{
    if (!(tau_limit > s->tau1))
        return carom_fail(err, CAROM_ERR_INPUT, "integration", "step limit %.17g s is not after the local time %.17g s",
                          tau_limit, s->tau1);
    caromStatus status = begin_step(s, err);
    if (status != CAROM_OK) return status;
    double room = tau_limit - s->tau0;
    if (s->h_next == 0) s->h_next = first_step(s, room);
    double shortest = LEAST_TICKS*DBL_EPSILON*s->tau0, planned = fmax(s->h_next, 2*shortest);
    for (int rejections = 0;; rejections++) {
        bool meets_limit = room <= STRETCH*planned;
        double tau1 = meets_limit ? tau_limit : s->tau0 + planned;
        double h = tau1 - s->tau0;  // exactly what the clock advances by
        double error;
        Outcome outcome;
        status = try_step(s, h, &error, &outcome);
        if (status < 0) return final_failure(s, status, err);
        if (outcome == ACCEPTED) {
            accept(s, tau1, meets_limit && h < planned, planned, error, rejections > 0);
            return CAROM_OK;
        }
        s->counts.rejected++;
        planned = h*(outcome == NOT_ACCURATE ? factor_after_rejection(s->scheme, error) : RETRY_FACTOR);
        if (planned <= shortest || planned < DBL_MIN || rejections == REJECTIONS_MAX)
            return give_up(s, planned, outcome, err);
    }
}

// --- the step just made ---

void carom_onestep_span(const caromStepper *s, double *tau0, double *tau1)
{
    *tau0 = s->tau0;
    *tau1 = s->tau1;
}

const double *carom_onestep_state(const caromStepper *s)
{
    return s->y1;
}

void carom_onestep_amend(caromStepper *s, const double *y)
{
    memcpy(s->y1, y, (size_t)s->ode.n*sizeof *y);
    s->has_rate = false;
}

double carom_onestep_hint(const caromStepper *s)
{
    return s->h_next;
}

void carom_onestep_hold(caromStepper *s, double h)
{
    if (s->h_next > 0.0) s->h_next = fmin(s->h_next, h);
}

caromCounts carom_onestep_counts(const caromStepper *s)
{
    return s->counts;
}

// b_0 = theta, b_1 = theta (1-theta), b_2 = theta^2 (1-theta), ... and their derivatives.
static void dense_basis(double theta, int count, double *b, double *db)
{
    b[0] = theta;
    db[0] = 1;
    for (int c = 1; c < count; c++) {
        bool is_odd = c % 2;
        double x = is_odd ? 1 - theta : theta, dx = is_odd ? -1 : 1;
        b[c] = b[c - 1]*x;
        db[c] = db[c - 1]*x + b[c - 1]*dx;
    }
}

static void dense_sum(const caromStepper *s, const double *restrict b, const double *restrict base, double scale,
                      double *restrict out)
{
    enum { AT_ONCE = 4 };
    int count = s->scheme->ndense;
    for (int i = 0; i < s->ode.n; i += AT_ONCE) {  // vectors are padded, but for out
        double sum[AT_ONCE] = { 0, 0, 0, 0 };
        for (int c = 0; c < count; c++) {
            const double *f = s->dense + (long)c*s->stride + i;
            for (int k = 0; k < AT_ONCE; k++) sum[k] += b[c]*f[k];
        }
        for (int k = 0; k < AT_ONCE && i + k < s->ode.n; k++) out[i + k] = (base ? base[i + k] : 0.0) + scale*sum[k];
    }
}

static caromStatus need_dense(caromStepper *s)
{
    if (s->has_dense) return CAROM_OK;
    caromStatus status = s->scheme->dense(s);
    s->has_dense = status == CAROM_OK;
    return status;
}

caromStatus carom_onestep_interpolate(caromStepper *s, double theta, double *y, double *dydtau)
{
    size_t bytes = (size_t)s->ode.n*sizeof *y;
    bool is_end = s->h == 0 || theta == 0 || theta == 1;
    if (is_end) memcpy(y, s->h == 0 || theta == 1 ? s->y1 : s->y0, bytes);
    if (is_end && !dydtau) return CAROM_OK;
    if (s->h == 0) {  // no step made yet: the rate is f itself
        if (s->has_rate) memcpy(dydtau, s->f1, bytes);
        return s->has_rate ? CAROM_OK : carom_onestep_evaluate(s, s->tau1, s->y1, dydtau);
    }
    caromStatus status = need_dense(s);
    if (status != CAROM_OK) return status;
    double b[CAROM_DENSE_MAX], db[CAROM_DENSE_MAX];
    dense_basis(theta, s->scheme->ndense, b, db);
    if (!is_end) dense_sum(s, b, s->y0, 1.0, y);
    if (dydtau) dense_sum(s, db, NULL, 1/s->h, dydtau);
    return CAROM_OK;
}

caromStatus carom_onestep_interpolate_some(caromStepper *s, double theta, int first, int count, double *y)
{
    const double *y0 = s->y0 + first, *y1 = s->y1 + first;
    if (s->h == 0 || theta == 0 || theta == 1) {
        memcpy(y, s->h == 0 || theta == 1 ? y1 : y0, (size_t)count*sizeof *y);
        return CAROM_OK;
    }
    caromStatus status = need_dense(s);
    if (status != CAROM_OK) return status;
    double b[CAROM_DENSE_MAX], db[CAROM_DENSE_MAX];
    dense_basis(theta, s->scheme->ndense, b, db);
    for (int i = 0; i < count; i++) {
        const double *f = s->dense + first + i;
        double sum = 0;
        for (int c = 0; c < s->scheme->ndense; c++) sum += b[c]*f[(long)c*s->stride];
        y[i] = y0[i] + sum;
    }
    return CAROM_OK;
}

// The vectors of the step just made come back afterwards; a Jacobian is that of its start in any case.
caromStatus carom_onestep_refine(caromStepper *s, double theta, double *y)
{
    if (s->h == 0 || theta == 0 || theta == 1) return carom_onestep_interpolate(s, theta, y, NULL);
    bool has_rate = s->has_rate;
    double error;
    memcpy(s->kept, s->memory, bytes_of_vectors(s));
    caromStatus status = s->scheme->attempt(s, theta*s->h, &error);
    if (status == CAROM_OK) memcpy(y, s->y1, (size_t)s->ode.n*sizeof *y);
    memcpy(s->memory, s->kept, bytes_of_vectors(s));
    s->has_rate = has_rate;
    return status;
}

// The largest values of b_0, b_1, ... in 0..1.
static const double basis_max[CAROM_DENSE_MAX] = { 1.0, 1.0/4, 4.0/27, 1.0/16, 108.0/3125, 1.0/64, 6912.0/823543 };

static void stray_of_cubic(const caromStepper *s, int count, double *stray)
{
    for (int i = 0; i < count; i++) {
        double delta = s->y1[i] - s->y0[i], F1 = s->h*s->f0[i] - delta, F2 = 2*delta - s->h*(s->f0[i] + s->f1[i]);
        stray[i] = 2*(fabs(delta) + basis_max[1]*fabs(F1) + basis_max[2]*fabs(F2));
    }
}

caromStatus carom_onestep_stray(caromStepper *s, int count, double *stray)
{
    if (s->scheme->is_dense_dear && !s->has_dense && s->has_rate) {
        stray_of_cubic(s, count, stray);
        return CAROM_OK;
    }
    caromStatus status = need_dense(s);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < count; i++) {
        const double *f = s->dense + i;
        stray[i] = 0;
        for (int c = 0; c < s->scheme->ndense; c++) stray[i] += basis_max[c]*fabs(f[(long)c*s->stride]);
    }
    return CAROM_OK;
}
