#include "model/function.h"

#include <string.h>

#include "base/base.h"
#include "model/expression.h"

#define TWO_PI 6.28318530717958647692

struct caromFunction {
    caromFunctionDef def;          // its pointers are NULL
    int npoint;
    double *times;                 // table: times, values and second derivatives, one block   [3 npoint]
    caromExpression *expression;
};

// ---- constant, sine, ramp

static bool has_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static caromStatus create_constant(const caromFunctionDef *def, caromFunction *f, caromError *err)
{
    (void)f;
    if (!isfinite(def->value))
        return carom_fail(err, CAROM_ERR_INPUT, "constant", "the value %g is not a finite number", def->value);
    return CAROM_OK;
}

static caromJet at_constant(const caromFunction *f, double time)
{
    (void)time;
    return carom_jet_constant(f->def.value);
}

static caromStatus create_sine(const caromFunctionDef *def, caromFunction *f, caromError *err)
{
    (void)f;
    if (has_finite((double[]){ def->value, def->amplitude, def->frequency, def->phase, def->start }, 5))
        return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "sine", "value %g, amplitude %g, frequency %g Hz, phase %g rad, start %g "
                      "s: expected finite numbers", def->value, def->amplitude, def->frequency, def->phase, def->start);
}

static caromJet at_sine(const caromFunction *f, double time)
{
    const caromFunctionDef *d = &f->def;
    if (time < d->start) return carom_jet_constant(d->value);
    double w = TWO_PI*d->frequency, angle = w*(time - d->start) + d->phase, s = d->amplitude*sin(angle),
           c = d->amplitude*cos(angle);
    return (caromJet){ d->value + s, w*c, -w*w*s };
}

static caromStatus create_ramp(const caromFunctionDef *def, caromFunction *f, caromError *err)
{
    (void)f;
    if (!has_finite((double[]){ def->value, def->amplitude, def->start, def->end }, 4))
        return carom_fail(err, CAROM_ERR_INPUT, "ramp", "value %g, amplitude %g, start %g s, end %g s: "
                          "expected finite numbers", def->value, def->amplitude, def->start, def->end);
    if (def->end > def->start) return CAROM_OK;
    return carom_fail(err, CAROM_ERR_INPUT, "ramp", "the end %g s is not after the start %g s", def->end, def->start);
}

// p(s) = 10 s^3 - 15 s^4 + 6 s^5: p' and p'' are 0 at both ends, so the motion starts and stops without a jerk.
static caromJet at_ramp(const caromFunction *f, double time)
{
    const caromFunctionDef *d = &f->def;
    if (time <= d->start) return carom_jet_constant(d->value);
    if (time >= d->end) return carom_jet_constant(d->value + d->amplitude);
    double T = d->end - d->start, s = (time - d->start)/T, r = 1 - s;
    return (caromJet){ d->value + d->amplitude*s*s*s*(10 + s*(6*s - 15)), d->amplitude*30*s*s*r*r/T,
                       d->amplitude*60*s*r*(r - s)/(T*T) };
}

// ---- table

static caromStatus check_table(const caromFunctionDef *def, caromError *err)
{
    const double *t = def->times;
    if (def->npoint < 2 || !t || !def->values)
        return carom_fail(err, CAROM_ERR_INPUT, "table", "expected at least 2 points, got %d",
                          t && def->values && def->npoint > 0 ? def->npoint : 0);
    for (int i = 0; i < def->npoint; i++) {
        if (!isfinite(t[i]) || !isfinite(def->values[i]))
            return carom_fail(err, CAROM_ERR_INPUT, "table", "point %d is (%g s, %g): expected finite numbers", i + 1,
                              t[i], def->values[i]);
        if (i > 0 && !(t[i] > t[i - 1]))
            return carom_fail(err, CAROM_ERR_INPUT, "table", "point %d at %g s is not after point %d at %g s: "
                              "times must ascend", i + 1, t[i], i, t[i - 1]);
    }
    return CAROM_OK;
}

// Second derivatives m of the natural cubic spline (m = 0 at both ends), by elimination in the tridiagonal system
//
//     h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 ((y[i+1] - y[i])/h[i] - (y[i] - y[i-1])/h[i-1])
//
// which is diagonally dominant. work: [n] what is left of the upper diagonal.
static void spline(int n, const double *t, const double *y, double *m, double *work)
{
    m[0] = m[n - 1] = work[0] = 0;
    for (int i = 1; i < n - 1; i++) {
        double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i], pivot = 2*(h0 + h1) - h0*work[i - 1];
        work[i] = h1/pivot;
        m[i] = (6*((y[i + 1] - y[i])/h1 - (y[i] - y[i - 1])/h0) - h0*m[i - 1])/pivot;
    }
    for (int i = n - 2; i > 0; i--) m[i] -= work[i]*m[i + 1];
}

static caromStatus create_table(const caromFunctionDef *def, caromFunction *f, caromError *err)
{
    caromStatus status = check_table(def, err);
    if (status != CAROM_OK) return status;
    size_t n = (size_t)def->npoint;
    double *work = carom_alloc_array(n, sizeof *work);
    f->times = carom_alloc_array(3*n, sizeof *f->times);
    f->npoint = def->npoint;
    if (work && f->times) {
        memcpy(f->times, def->times, n*sizeof *f->times);
        memcpy(f->times + n, def->values, n*sizeof *f->times);
        spline(def->npoint, f->times, f->times + n, f->times + 2*n, work);
        if (!has_finite(f->times + 2*n, def->npoint))
            status = carom_fail(err, CAROM_ERR_INPUT, "table",
                                "the points are too steep for a smooth curve through them");
    } else {
        status = carom_fail(err, CAROM_ERR_MEMORY, "table", "out of memory");
    }
    free(work);
    return status;
}

// The last i with times[i] <= time, but not the last of all.
static int interval(const double *times, int n, double time)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = low + (high - low)/2;
        if (times[middle] <= time) low = middle;
        else high = middle;
    }
    return low;
}

static caromJet at_table(const caromFunction *f, double time)
{
    int n = f->npoint;
    const double *t = f->times, *y = t + n, *m = y + n;
    if (time < t[0]) return carom_jet_constant(y[0]);
    if (time > t[n - 1]) return carom_jet_constant(y[n - 1]);
    int i = interval(t, n, time);
    double h = t[i + 1] - t[i], a = (t[i + 1] - time)/h, b = (time - t[i])/h;
    return (caromJet){ a*y[i] + b*y[i + 1] + h*h/6*(a*(a*a - 1)*m[i] + b*(b*b - 1)*m[i + 1]),
                       (y[i + 1] - y[i])/h + h/6*((3*b*b - 1)*m[i + 1] - (3*a*a - 1)*m[i]), a*m[i] + b*m[i + 1] };
}

// ---- expression

static caromStatus create_expression(const caromFunctionDef *def, caromFunction *f, caromError *err)
{
    static const char *const names[] = { "time", "t" };
    return carom_expression_create(def->expression, names, 2, &f->expression, err);
}

static caromJet at_expression(const caromFunction *f, double time)
{
    caromJet t = { time, 1, 0 };
    return carom_expression_at(f->expression, (caromJet[]){ t, t });
}

// ---- all of them

static const struct {
    caromStatus (*create)(const caromFunctionDef *def, caromFunction *f, caromError *err);
    caromJet (*at)(const caromFunction *f, double time);
} kinds[CAROM_FUNCTION_KINDS] = {
    [CAROM_FUNCTION_CONSTANT] = { create_constant, at_constant },
    [CAROM_FUNCTION_SINE] = { create_sine, at_sine },
    [CAROM_FUNCTION_RAMP] = { create_ramp, at_ramp },
    [CAROM_FUNCTION_TABLE] = { create_table, at_table },
    [CAROM_FUNCTION_EXPRESSION] = { create_expression, at_expression },
};

caromStatus carom_function_create(const caromFunctionDef *def, caromFunction **function, caromError *err)
{
    *function = NULL;
    if ((int)def->kind < 0 || def->kind >= CAROM_FUNCTION_KINDS)
        return carom_fail(err, CAROM_ERR_INPUT, "function", "unknown kind %d of function", (int)def->kind);
    caromFunction *f = calloc(1, sizeof *f);
    if (!f) return carom_fail(err, CAROM_ERR_MEMORY, "function", "out of memory");
    f->def = *def;
    f->def.times = f->def.values = NULL;
    f->def.expression = NULL;
    caromStatus status = kinds[def->kind].create(def, f, err);
    if (status == CAROM_OK) *function = f;
    else carom_function_destroy(f);
    return status;
}

void carom_function_destroy(caromFunction *function)
{
    if (!function) return;
    free(function->times);
    carom_expression_destroy(function->expression);
    free(function);
}

caromJet carom_function_at(const caromFunction *function, double time)
{
    return kinds[function->def.kind].at(function, time);
}

int carom_function_ends(const caromFunction *f, double times[2])
{
    bool is_table = f->def.kind == CAROM_FUNCTION_TABLE, is_sine = f->def.kind == CAROM_FUNCTION_SINE;
    if (is_sine) times[0] = f->def.start;
    if (is_table) times[0] = f->times[0], times[1] = f->times[f->npoint - 1];
    return is_table ? 2 : is_sine ? 1 : 0;
}

int carom_function_switches(const caromFunction *f, double time, caromJet *arguments)
{
    if (f->def.kind != CAROM_FUNCTION_EXPRESSION) return 0;
    caromJet t = { time, 1, 0 };
    return carom_expression_switches(f->expression, (caromJet[]){ t, t }, arguments);
}

double carom_function_pace(const caromFunction *f)
{
    bool is_sine = f->def.kind == CAROM_FUNCTION_SINE && f->def.frequency != 0.0 && f->def.amplitude != 0.0;
    return is_sine ? 0.25/fabs(f->def.frequency) : (double)INFINITY;
}
