// Where functions of time jump. Pieces of sines and tables meet at known instants. In an expression it can only be
// where the argument of an operation passes 0 (step, abs, min, max, a quotient, ...): their signs are compared over a
// grid of instants, a change of sign is located by bisection, and so is the least value of an argument that turns round
// between two instants. What jumps there is measured from both sides, with jets:
//
//     f(t+h) - f(t-h) - h (f'(t+h) + f'(t-h))        likewise f' with f''
//
// which is of third order in h for a smooth function.
#include <math.h>

#include "base/base.h"
#include "model/expression.h"
#include "model/function.h"
#include "model/scales.h"

typedef struct Search {
    const caromFunction *f;
    double end;
    double range, fastest;     // how far and how fast it gets
    double largest;            // of its values
    caromJet *before, *after;  // arguments at two instants
    caromJump *first;          // the earliest jump so far
    bool has_jump;
} Search;

static double sign_of(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

static caromJet argument_at(const Search *s, int k, double time)
{
    carom_function_switches(s->f, time, s->after);
    return s->after[k];
}

static bool is_number(caromJet x)
{
    return isfinite(x.value) && isfinite(x.rate) && isfinite(x.second);
}

static void keep_first(Search *s, caromJump jump)
{
    if (s->has_jump && s->first->time <= jump.time) return;
    *s->first = jump;
    s->has_jump = true;
}

// What is left of the difference between both sides at the distance h.
static caromJump jump_across(const Search *s, double t, double h)
{
    double from = fmax(0.0, t - h), to = t + h;
    caromJet a = carom_function_at(s->f, from), b = carom_function_at(s->f, to);
    caromJump jump = { .time = t, .value = b.value - a.value - 0.5*(to - from)*(a.rate + b.rate),
                       .rate = b.rate - a.rate - 0.5*(to - from)*(a.second + b.second) };
    if (!is_number(a) || !is_number(b)) jump.value = jump.rate = (double)NAN;
    return jump;
}

static double nearer(double a, double b)
{
    return isnan(a) || fabs(a) < fabs(b) ? a : b;
}

// Does the function jump at t? A jump is there at every distance; what a fast function does is gone at short ones, and
// what rounding makes of a quotient of small numbers at long ones. At the very end only the value counts: no motion
// follows. At the beginning what it is at 0 and what it is behind it have to agree: it starts from there.
static void look_at(Search *s, double t)
{
    double h = CAROM_FUNCTION_ASIDE*s->end;
    if (!(t > 0.0 && t <= s->end)) return;
    caromJump jump = jump_across(s, t, h);
    for (double d = 0.1*h; d > CAROM_FUNCTION_ASIDE_LEAST*s->end; d *= 0.1) {
        caromJump next = jump_across(s, t, d);
        jump.value = nearer(next.value, jump.value);
        jump.rate = nearer(next.rate, jump.rate);
    }
    if (t <= h) jump.time = 0.0;
    jump.moves = fabs(jump.value) > CAROM_FUNCTION_JUMP*s->range + CAROM_FUNCTION_ROUNDING*s->largest;
    bool kicks = fabs(jump.rate) > CAROM_FUNCTION_JUMP*s->fastest && t < s->end - h;
    if (jump.moves || kicks || isnan(jump.value)) keep_first(s, jump);
}

// Between instants a and b argument k changes its sign from that at a: where.
static void bisect_sign(Search *s, int k, double a, double b)
{
    double sign = sign_of(argument_at(s, k, a).value);
    for (double m = 0.5*(a + b); m > a && m < b; m = 0.5*(a + b)) {
        if (sign_of(argument_at(s, k, m).value) == sign) a = m;
        else b = m;
    }
    look_at(s, b);
}

// The argument comes nearer to 0 at a and goes away at b, on the same side: does it get across in between?
static void bisect_rate(Search *s, int k, double a, double b)
{
    double from = a, to = b, sign = sign_of(argument_at(s, k, a).value);
    for (double m = 0.5*(a + b); m > a && m < b; m = 0.5*(a + b)) {
        caromJet x = argument_at(s, k, m);
        if (sign_of(x.value) != sign) {
            bisect_sign(s, k, from, m);
            bisect_sign(s, k, to, m);
            return;
        }
        if (x.rate*sign < 0.0) a = m;
        else b = m;
    }
}

static void compare(Search *s, double a, double b)
{
    int n = carom_function_switches(s->f, a, s->before);
    carom_function_switches(s->f, b, s->after);
    for (int k = 0; k < n; k++) {
        double sign = sign_of(s->before[k].value);
        caromJet x = s->after[k];
        bool passes = sign_of(x.value) != sign, turns = s->before[k].rate*sign < 0.0 && x.rate*sign > 0.0;
        if (passes) bisect_sign(s, k, a, b);
        else if (turns) bisect_rate(s, k, a, b);
        if (passes || turns) carom_function_switches(s->f, b, s->after);
    }
}

static double instant(const Search *s, int i)
{
    return s->end*i/CAROM_FUNCTION_INSTANTS;
}

static void measure(Search *s)
{
    double low = INFINITY, high = -(double)INFINITY;
    for (int i = 0; i <= CAROM_FUNCTION_INSTANTS; i++) {
        caromJet x = carom_function_at(s->f, instant(s, i));
        if (!is_number(x)) {
            keep_first(s, (caromJump){ instant(s, i), (double)NAN, (double)NAN, false });
            continue;
        }
        low = fmin(low, x.value);
        high = fmax(high, x.value);
        s->fastest = fmax(s->fastest, fabs(x.rate));
    }
    s->range = fmax(0.0, high - low);
    s->largest = fmax(fabs(low), fabs(high));
}

bool carom_function_jump(const caromFunction *f, double end, caromJump *jump)
{
    caromJet before[CAROM_EXPRESSION_OPERATIONS_MAX], after[CAROM_EXPRESSION_OPERATIONS_MAX];
    Search s = { .f = f, .end = end, .before = before, .after = after, .first = jump };
    double ends[2];
    measure(&s);
    for (int i = carom_function_ends(f, ends) - 1; i >= 0; i--) look_at(&s, ends[i]);
    for (int i = 0; i < CAROM_FUNCTION_INSTANTS && !(s.has_jump && jump->time <= instant(&s, i)); i++)
        compare(&s, instant(&s, i), instant(&s, i + 1));
    return s.has_jump;
}
