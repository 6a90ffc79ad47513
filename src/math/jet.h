// Jets: a quantity with its first and second derivative (with respect to time, say). Arithmetic on jets differentiates.
//
// A factor of zero wins over an infinite one: sqrt(x) at x = 0 has no derivative, but where x does not change it is 0.
// Elsewhere NaN and infinity propagate.
#ifndef CAROM_SRC_JET_H
#define CAROM_SRC_JET_H

#include <math.h>
#include <stdbool.h>

typedef struct caromJet { double value, rate, second; } caromJet;  // f, f', f''

static inline caromJet carom_jet_constant(double x)
{
    return (caromJet){ x, 0, 0 };
}

static inline double carom_jet_times(double slope, double change)
{
    return change == 0 || slope == 0 ? 0 : slope*change;
}

// f(x) with f' and f'' at x:  (f)' = f' x',  (f)'' = f'' x'^2 + f' x''.
static inline caromJet carom_jet_chain(caromJet x, double f, double f1, double f2)
{
    return (caromJet){ f, carom_jet_times(f1, x.rate),
                       carom_jet_times(f2, x.rate*x.rate) + carom_jet_times(f1, x.second) };
}

// ---- arithmetic

static inline caromJet carom_jet_negative(caromJet a)
{
    return (caromJet){ -a.value, -a.rate, -a.second };
}

static inline caromJet carom_jet_add(caromJet a, caromJet b)
{
    return (caromJet){ a.value + b.value, a.rate + b.rate, a.second + b.second };
}

static inline caromJet carom_jet_sub(caromJet a, caromJet b)
{
    return (caromJet){ a.value - b.value, a.rate - b.rate, a.second - b.second };
}

static inline caromJet carom_jet_mul(caromJet a, caromJet b)
{
    return (caromJet){ a.value*b.value, carom_jet_times(a.value, b.rate) + carom_jet_times(b.value, a.rate),
                       carom_jet_times(a.value, b.second) + 2*carom_jet_times(a.rate, b.rate) +
                       carom_jet_times(b.value, a.second) };
}

// q = a/b:  q' = (a' - q b')/b,  q'' = (a'' - 2 q' b' - q b'')/b.
static inline caromJet carom_jet_div(caromJet a, caromJet b)
{
    caromJet q = { .value = a.value/b.value };
    q.rate = (a.rate - carom_jet_times(q.value, b.rate))/b.value;
    q.second = (a.second - 2*carom_jet_times(q.rate, b.rate) - carom_jet_times(q.value, b.second))/b.value;
    return q;
}

// With a constant exponent also for bases that are not positive; otherwise a^b = exp(b log a).
static inline caromJet carom_jet_pow(caromJet a, caromJet b)
{
    double x = a.value, n = b.value, f = pow(x, n);
    if (b.rate == 0 && b.second == 0)
        return carom_jet_chain(a, f, carom_jet_times(pow(x, n - 1), n), carom_jet_times(pow(x, n - 2), n*(n - 1)));
    caromJet power = carom_jet_mul(b, carom_jet_chain(a, log(x), 1/x, -1/(x*x)));
    return carom_jet_chain(power, f, f, f);
}

// ---- functions of one variable

static inline caromJet carom_jet_sin(caromJet x)
{
    double s = sin(x.value), c = cos(x.value);
    return carom_jet_chain(x, s, c, -s);
}

static inline caromJet carom_jet_cos(caromJet x)
{
    double s = sin(x.value), c = cos(x.value);
    return carom_jet_chain(x, c, -s, -c);
}

static inline caromJet carom_jet_tan(caromJet x)
{
    double t = tan(x.value), f1 = 1 + t*t;
    return carom_jet_chain(x, t, f1, 2*t*f1);
}

static inline caromJet carom_jet_asin(caromJet x)
{
    double f1 = 1/sqrt((1 - x.value)*(1 + x.value));
    return carom_jet_chain(x, asin(x.value), f1, x.value*f1*f1*f1);
}

static inline caromJet carom_jet_acos(caromJet x)
{
    double f1 = -1/sqrt((1 - x.value)*(1 + x.value));
    return carom_jet_chain(x, acos(x.value), f1, x.value*f1*f1*f1);
}

static inline caromJet carom_jet_atan(caromJet x)
{
    double f1 = 1/(1 + x.value*x.value);
    return carom_jet_chain(x, atan(x.value), f1, -2*x.value*f1*f1);
}

static inline caromJet carom_jet_sinh(caromJet x)
{
    double s = sinh(x.value), c = cosh(x.value);
    return carom_jet_chain(x, s, c, s);
}

static inline caromJet carom_jet_cosh(caromJet x)
{
    double s = sinh(x.value), c = cosh(x.value);
    return carom_jet_chain(x, c, s, c);
}

// 1 - tanh^2 as 1/cosh^2, which keeps its digits far out.
static inline caromJet carom_jet_tanh(caromJet x)
{
    double t = tanh(x.value), c = cosh(x.value), f1 = 1/(c*c);
    return carom_jet_chain(x, t, f1, -2*t*f1);
}

static inline caromJet carom_jet_exp(caromJet x)
{
    double e = exp(x.value);
    return carom_jet_chain(x, e, e, e);
}

static inline caromJet carom_jet_log(caromJet x)
{
    double f1 = 1/x.value;
    return carom_jet_chain(x, log(x.value), f1, -f1*f1);
}

static inline caromJet carom_jet_sqrt(caromJet x)
{
    double s = sqrt(x.value), f1 = 0.5/s;
    return carom_jet_chain(x, s, f1, -0.5*f1/x.value);
}

// Is a the lesser from now on? Where values are the same, rates decide, then second derivatives.
static inline bool carom_jet_is_less(caromJet a, caromJet b)
{
    if (a.value != b.value) return a.value < b.value;
    return a.rate != b.rate ? a.rate < b.rate : a.second < b.second;
}

// At a kink, here and in min and max, derivatives are those behind it: a motion starts there as it goes on.
static inline caromJet carom_jet_abs(caromJet x)
{
    caromJet up = carom_jet_is_less(x, carom_jet_constant(0)) ? carom_jet_negative(x) : x;
    up.value = fabs(x.value);
    return up;
}

// 0 before x = 0, 1 from there on; the jump has no derivative.
static inline caromJet carom_jet_step(caromJet x)
{
    return carom_jet_constant(isnan(x.value) ? x.value : x.value >= 0 ? 1 : 0);
}

// ---- functions of two variables

// f = atan2(y, x):  f' = (x y' - y x')/r^2,  f'' = (x y'' - y x'' - 2 (x x' + y y') f')/r^2.
static inline caromJet carom_jet_atan2(caromJet y, caromJet x)
{
    double r2 = x.value*x.value + y.value*y.value;
    caromJet f = { .value = atan2(y.value, x.value) };
    double turn = x.value*y.rate - y.value*x.rate;
    f.rate = turn == 0 ? 0 : turn/r2;
    double turn2 = x.value*y.second - y.value*x.second - 2*(x.value*x.rate + y.value*y.rate)*f.rate;
    f.second = turn2 == 0 ? 0 : turn2/r2;
    return f;
}

static inline caromJet carom_jet_min(caromJet a, caromJet b)
{
    return carom_jet_is_less(b, a) || isnan(b.value) ? b : a;
}

static inline caromJet carom_jet_max(caromJet a, caromJet b)
{
    return carom_jet_is_less(a, b) || isnan(b.value) ? b : a;
}

#endif
