// Functions of time: values and derivatives against closed forms and differences, splines, and what is said
// about bad expressions.
#include "model/function.h"

#include <float.h>
#include <locale.h>

#include "check.h"
#include "model/expression.h"

static const double pi = 3.14159265358979323846;

static caromFunction *compile(const caromFunctionDef *def)
{
    caromError err = { 0 };
    caromFunction *f;
    if (carom_function_create(def, &f, &err) != CAROM_OK)
        fail_msg("%s: %s", def->expression ? def->expression : err.where, err.message);
    return f;
}

static caromFunction *compile_expression(const char *text)
{
    caromFunctionDef def = carom_function_def();
    def.kind = CAROM_FUNCTION_EXPRESSION;
    def.expression = text;
    return compile(&def);
}

static caromJet expression_at(const char *text, double time)
{
    caromFunction *f = compile_expression(text);
    caromJet jet = carom_function_at(f, time);
    carom_function_destroy(f);
    return jet;
}

static void check_jet(caromJet jet, double value, double rate, double second, double tolerance)
{
    CHECK_NEAR(jet.value, value, tolerance*fmax(1, fabs(value)));
    CHECK_NEAR(jet.rate, rate, tolerance*fmax(1, fabs(rate)));
    CHECK_NEAR(jet.second, second, tolerance*fmax(1, fabs(second)));
}

// Each derivative against central differences of the one before: the error is h^2/6 f''' and eps f/h, below 1e-6 of the
// scale for h = 1e-5 and functions that change over times of about 1.
static void check_differences(const caromFunction *f, double time)
{
    const double h = 1e-5;
    caromJet a = carom_function_at(f, time - h), b = carom_function_at(f, time), c = carom_function_at(f, time + h);
    double scale = 1 + fabs(b.value) + fabs(b.rate) + fabs(b.second);
    CHECK_NEAR(b.rate, (c.value - a.value)/(2*h), 1e-6*scale);
    CHECK_NEAR(b.second, (c.rate - a.rate)/(2*h), 1e-6*scale);
}

// ---- constant, sine, ramp

static void constant_does_not_change(void **state)
{
    (void)state;
    caromFunctionDef def = carom_function_def();
    def.value = -2.5;
    caromFunction *f = compile(&def);
    check_jet(carom_function_at(f, 7), -2.5, 0, 0, 0);
    carom_function_destroy(f);
    carom_function_destroy(NULL);
}

static void sine_starts_at_its_start(void **state)
{
    (void)state;
    caromFunctionDef def = { .kind = CAROM_FUNCTION_SINE, .value = 2, .amplitude = 0.5, .frequency = 3, .phase = 0.25,
                             .start = 1 };
    caromFunction *f = compile(&def);
    check_jet(carom_function_at(f, 0.999), 2, 0, 0, 0);
    double w = 6*pi, x = w*0.7 + 0.25;
    check_jet(carom_function_at(f, 1.7), 2 + 0.5*sin(x), 0.5*w*cos(x), -0.5*w*w*sin(x), 1e-13);
    check_jet(carom_function_at(f, 1), 2 + 0.5*sin(0.25), 0.5*w*cos(0.25), -0.5*w*w*sin(0.25), 1e-15);
    carom_function_destroy(f);
}

static void ramp_is_smooth_at_both_ends(void **state)
{
    (void)state;
    caromFunctionDef def = { .kind = CAROM_FUNCTION_RAMP, .value = 1, .amplitude = 4, .start = 2, .end = 6 };
    caromFunction *f = compile(&def);
    check_jet(carom_function_at(f, 1), 1, 0, 0, 0);
    check_jet(carom_function_at(f, 2), 1, 0, 0, 0);
    check_jet(carom_function_at(f, 6), 5, 0, 0, 0);
    check_jet(carom_function_at(f, 9), 5, 0, 0, 0);
    check_jet(carom_function_at(f, 4), 3, 4*1.875/4, 0, 4*DBL_EPSILON);                   // the middle: steepest
    check_jet(carom_function_at(f, 3), 1 + 4*(10/64.0 - 15/256.0 + 6/1024.0), 4*30*9/256.0/4, 4*60*3/16.0*0.5/16,
              8*DBL_EPSILON);
    check_jet(carom_function_at(f, 2 + 1e-9), 1, 0, 0, 1e-7);
    check_jet(carom_function_at(f, 6 - 1e-9), 5, 0, 0, 1e-7);
    for (double t = 2.01; t < 5.99; t += 0.07) check_differences(f, t);
    carom_function_destroy(f);
}

// ---- table

static caromFunction *table(int n, const double *times, const double *values)
{
    caromFunctionDef def = { .kind = CAROM_FUNCTION_TABLE, .npoint = n, .times = times, .values = values };
    return compile(&def);
}

static void spline_passes_through_its_points_smoothly(void **state)
{
    (void)state;
    const double t[] = { -1, 0, 0.25, 1.5, 1.75, 4 }, y[] = { 2, -1, 3, 3, 0.5, 7 };
    caromFunction *f = table(6, t, y);
    for (int i = 0; i < 6; i++) CHECK_NEAR(carom_function_at(f, t[i]).value, y[i], 0);
    for (int i = 1; i < 5; i++) {
        // From the left by extrapolation over e: value, slope and curvature go on, the third derivative jumps.
        const double e = 1e-7;
        caromJet left = carom_function_at(f, t[i] - e), right = carom_function_at(f, t[i] + e),
                 at = carom_function_at(f, t[i]);
        CHECK_NEAR(left.value + e*left.rate, at.value, 1e-10);
        CHECK_NEAR(right.value - e*right.rate, at.value, 1e-10);
        CHECK_NEAR(left.rate + e*left.second, right.rate - e*right.second, 1e-10);
        CHECK_NEAR(left.second, right.second, 1e-3);
    }
    CHECK_NEAR(carom_function_at(f, -1).second, 0, 0);
    CHECK_NEAR(carom_function_at(f, 4).second, 0, 0);
    check_jet(carom_function_at(f, -1.5), 2, 0, 0, 0);
    check_jet(carom_function_at(f, 100), 7, 0, 0, 0);
    for (double x = -0.99; x < 3.9; x += 0.0301) check_differences(f, x);
    CHECK(isnan(carom_function_at(f, NAN).value));
    carom_function_destroy(f);
}

// Straight lines are reproduced; a sine that has no curvature at the ends with an error of order h^4.
static void spline_reproduces_lines_and_converges(void **state)
{
    (void)state;
    const double t[] = { 0, 1, 1.5, 4 }, y[] = { 1, 3, 4, 9 };
    caromFunction *f = table(4, t, y);
    for (double x = 0; x <= 4; x += 0.1) check_jet(carom_function_at(f, x), 1 + 2*x, 2, 0, 1e-14);
    carom_function_destroy(f);
    f = table(2, t, y);
    check_jet(carom_function_at(f, 0.5), 2, 2, 0, 1e-15);
    carom_function_destroy(f);
    double error[2] = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        double times[81], values[81];
        int n = k == 0 ? 41 : 81;
        for (int i = 0; i < n; i++) {
            times[i] = 2*pi*i/(n - 1);
            values[i] = sin(times[i]);
        }
        f = table(n, times, values);
        for (double x = 0; x < 6.2; x += 0.013) error[k] = fmax(error[k], fabs(carom_function_at(f, x).value - sin(x)));
        carom_function_destroy(f);
    }
    CHECK(error[0] < 5.0/384*pow(2*pi/40, 4)*1.1);
    CHECK_NEAR(log2(error[0]/error[1]), 4, 0.3);
}

// ---- expressions

static void expressions_have_their_values(void **state)
{
    (void)state;
    static const struct { const char *text; double value; } cases[] = {
        { "1", 1 }, { " 2.5e-1\t", 0.25 }, { ".5", 0.5 }, { "1 + 2*3", 7 }, { "(1 + 2)*3", 9 }, { "8/4/2", 1 }, { "8 - 4 - 2", 2 },
        { "-2^2", -4 }, { "(-2)^2", 4 }, { "2^3^2", 512 }, { "2^-1", 0.5 }, { "-2^-2", -0.25 }, { "2*-3", -6 }, { "--3", 3 }, { "-+-+3", 3 }, { "1 - -1", 2 },
        { "pi", 3.14159265358979323846 }, { "sin(pi/2)", 1 }, { "atan2(1, -1)/pi", 0.75 }, { "min(3, 1, 2)", 1 }, { "max(3, 1, 7, 2)", 7 },
        { "pow(2, 10)", 1024 }, { "sqrt(16)", 4 }, { "abs(-3)", 3 }, { "exp(0)", 1 }, { "log(exp(2))", 2 }, { "step(-1e-9)", 0 }, { "step(0)", 1 }, { "step(2)", 1 },
        { "cosh(0) + sinh(0) + tanh(0)", 1 }, { "acos(1) + asin(0) + atan(0)", 0 }, { "time", 3 }, { "t*time", 9 }, { "time^2 - t^2", 0 },
        { "min(time, 2)*max(time, 2)", 6 }, { "step(time - 3)", 1 }, { "step(3.001 - t)*5", 5 },
            { "2*(time + (1 - (time - (2))))", 6 }, { "1e3", 1000 } };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        double value = expression_at(cases[i].text, 3).value;
        if (!(fabs(value - cases[i].value) <= 4*DBL_EPSILON*fabs(cases[i].value)))
            fail_msg("%s = %.17g, expected %.17g", cases[i].text, value, cases[i].value);
    }
}

static void derivatives_have_their_closed_forms(void **state)
{
    (void)state;
    const double t = 0.7, s = sin(t), c = cos(t), e = exp(t), T = tan(t), sh = sinh(t), ch = cosh(t), th = tanh(t),
                 q = 1 - t*t, L = log(t);
    const struct { const char *text; double value, rate, second; } cases[] = {
        { "time", t, 1, 0 }, { "pi*time + 1", pi*t + 1, pi, 0 }, { "time^3", t*t*t, 3*t*t, 6*t },
            { "t^2.5", pow(t, 2.5), 2.5*pow(t, 1.5), 3.75*sqrt(t) },
        { "1/time", 1/t, -1/(t*t), 2/(t*t*t) }, { "sin(t)", s, c, -s }, { "cos(t)", c, -s, -c },
            { "tan(t)", T, 1 + T*T, 2*T*(1 + T*T) },
        { "asin(t)", asin(t), 1/sqrt(q), t/pow(q, 1.5) }, { "acos(t)", acos(t), -1/sqrt(q), -t/pow(q, 1.5) },
        { "atan(t)", atan(t), 1/(1 + t*t), -2*t/pow(1 + t*t, 2) },
            { "atan2(t, 1)", atan(t), 1/(1 + t*t), -2*t/pow(1 + t*t, 2) },
        { "atan2(2*sin(t), 2*cos(t))", t, 1, 0 }, { "sinh(t)", sh, ch, sh }, { "cosh(t)", ch, sh, ch },
            { "tanh(t)", th, 1 - th*th, -2*th*(1 - th*th) },
        { "exp(t)", e, e, e }, { "log(t)", L, 1/t, -1/(t*t) }, { "sqrt(t)", sqrt(t), 0.5/sqrt(t), -0.25/pow(t, 1.5) },
        { "abs(-t)", t, 1, 0 }, { "abs(t^2)", t*t, 2*t, 2 },
            { "2^t", pow(2, t), log(2)*pow(2, t), log(2)*log(2)*pow(2, t) },
        { "t^t", pow(t, t), pow(t, t)*(L + 1), pow(t, t)*((L + 1)*(L + 1) + 1/t) }, { "pow(t, 2)", t*t, 2*t, 2 },
        { "exp(t)*sin(t)", e*s, e*(s + c), 2*e*c }, { "sin(t)/cos(t)", T, 1 + T*T, 2*T*(1 + T*T) },
            { "sin(t)^2 + cos(t)^2", 1, 0, 0 },
        { "sin(t^2)", sin(t*t), 2*t*cos(t*t), 2*cos(t*t) - 4*t*t*sin(t*t) }, { "min(t^2, 5)", t*t, 2*t, 2 },
            { "max(t^2, 5)", 5, 0, 0 },
        { "step(t - 0.5)*t^2", t*t, 2*t, 2 }, { "-t^2", -t*t, -2*t, -2 },
            { "-(1 - t)^4", -pow(1 - t, 4), 4*pow(1 - t, 3), -12*pow(1 - t, 2) } };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        caromJet jet = expression_at(cases[i].text, t),
                 off = { jet.value - cases[i].value, jet.rate - cases[i].rate, jet.second - cases[i].second };
        double scale = 1 + fabs(cases[i].value) + fabs(cases[i].rate) + fabs(cases[i].second);
        if (!(fabs(off.value) + fabs(off.rate) + fabs(off.second) <= 2e-14*scale))
            fail_msg("%s is off by %g, its derivatives by %g and %g", cases[i].text, off.value, off.rate, off.second);
        caromFunction *f = compile_expression(cases[i].text);
        for (double x = 0.55; x < 0.9; x += 0.05) check_differences(f, x);
        carom_function_destroy(f);
    }
}

// At the edge of a domain: what exists is finite, what does not is not.
static void edges_propagate(void **state)
{
    (void)state;
    check_jet(expression_at("time^2", 0), 0, 0, 2, 0);
    check_jet(expression_at("time^1", 0), 0, 1, 0, 0);
    check_jet(expression_at("time^0", 0), 1, 0, 0, 0);
    check_jet(expression_at("(-1 - time)^3", 0), -1, -3, -6, 1e-15);
    check_jet(expression_at("sqrt(0) + abs(time)", 0), 0, 1, 0, 0);
    check_jet(expression_at("abs(-time)", 0), 0, 1, 0, 0);
    check_jet(expression_at("max(0, time) + min(-time, 0)", 0), 0, 0, 0, 0);
    check_jet(expression_at("max(time, 0)", 0), 0, 1, 0, 0);
    check_jet(expression_at("abs(-time^2)", 0), 0, 0, 2, 0);
    // Constant there, so its derivative is 0 and not 0*inf.
    check_jet(expression_at("sqrt(step(time - 1))", 0), 0, 0, 0, 0);
    check_jet(expression_at("atan2(0, 0) + time", 0), 0, 1, 0, 0);
    caromJet root = expression_at("sqrt(time)", 0);
    CHECK_NEAR(root.value, 0, 0);
    CHECK(isinf(root.rate));
    CHECK(isnan(expression_at("sqrt(time)", -1).value));
    CHECK(isinf(expression_at("1/time", 0).value));
    CHECK(isnan(expression_at("min(1, log(time))", -1).value));
    CHECK(isnan(expression_at("min(log(time), 1)", -1).value));
    CHECK(isnan(expression_at("step(log(time))", -1).value));
}

static void variables_come_from_a_table(void **state)
{
    (void)state;
    static const char *const names[] = { "d", "rate" };
    caromExpression *e;
    caromError err;
    assert_int_equal(carom_expression_create("1e8*d^1.5*(1 + 0.3*rate)", names, 2, &e, &err), CAROM_OK);
    const caromJet by_d[] = { { 1e-4, 1, 0 }, { 2, 0, 0 } }, by_rate[] = { { 1e-4, 0, 0 }, { 2, 1, 0 } };
    check_jet(carom_expression_at(e, by_d), 160, 1.5*1.6*1e6, 0.75*1.6*1e10, 1e-14);
    check_jet(carom_expression_at(e, by_rate), 160, 30, 0, 1e-14);
    carom_expression_destroy(e);
    assert_int_equal(carom_expression_create("raet*d", names, 2, &e, &err), CAROM_ERR_INPUT);
    assert_string_equal(err.message, "column 1: unknown name 'raet', did you mean 'rate'?");
    assert_null(e);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const locales[] = { "de_DE.UTF-8", "de_AT.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8" };
    for (size_t i = 0; i < sizeof locales/sizeof locales[0]; i++)
        if (setlocale(LC_NUMERIC, locales[i])) break;
    CHECK_NEAR(expression_at("0.1 + max(1.5, 0.5)", 0).value, 1.6, 0);
    setlocale(LC_NUMERIC, "C");
}

// ---- what is wrong

static void expect_message(const char *text, const char *message)
{
    caromFunctionDef def = { .kind = CAROM_FUNCTION_EXPRESSION, .expression = text };
    caromFunction *f;
    caromError err = { 0 };
    if (carom_function_create(&def, &f, &err) != CAROM_ERR_INPUT || strcmp(err.message, message) != 0)
        fail_msg("'%s'\nsays     '%s'\nexpected '%s'", text, err.message, message);
    assert_null(f);
    assert_int_equal(carom_function_create(&def, &f, NULL), CAROM_ERR_INPUT);
}

static void bad_expressions_say_what_is_wrong(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "expected an expression such as 0.1*sin(2*pi*time), got nothing" },
        { "  ", "expected an expression such as 0.1*sin(2*pi*time), got nothing" },
        { "1 +", "column 4: expected a number, a name or '(', got the end" },
        { "2 * * 3", "column 5: expected a number, a name or '(', got '*'" },
        { "2**3", "column 2: expected an operator, got '**': a power is written '^'" },
        { "/2", "column 1: expected a number, a name or '(', got '/'" },
        { "2*(time + 1", "column 12: expected ')' for the '(' in column 3, got the end" },
        { "sin(time", "column 9: expected ')' for the '(' in column 4, got the end" },
        { "(1 + 2)) + 3", "column 8: ')' without '('" },
        { "()", "column 2: expected a number, a name or '(', got ')'" },
        { "2 time", "column 3: expected an operator, got 'time': a product is written with '*'" },
        { "2pi", "column 2: expected an operator, got 'pi': a product is written with '*'" },
        { "2(1 + time)", "column 2: expected an operator, got '(': a product is written with '*'" },
        { "time 5", "column 6: expected an operator, got '5': a product is written with '*'" },
        { "1.2.3", "column 4: expected an operator, got '.3': a product is written with '*'" },
        { "0,5*time", "column 2: ',' outside of a function's arguments: a decimal point is written '.'" },
        { "sin(0,5)", "column 1: sin takes 1 argument, got 2: a decimal point is written '.'" },
        { "atan2(time)", "column 1: atan2 takes 2 arguments, got 1" },
        { "1 + atan2(1, 2, 3)", "column 5: atan2 takes 2 arguments, got 3" },
        { "min(1)", "column 1: min takes 2 or more arguments, got 1" },
        { "cos()", "column 1: cos takes 1 argument, got 0" },
        { "tiem*2", "column 1: unknown name 'tiem', did you mean 'time'?" },
        { "Time", "column 1: unknown name 'Time', did you mean 'time'?" },
        { "1 + sni(time)", "column 5: unknown function 'sni', did you mean 'sin'?" },
        { "ln(time)", "column 1: unknown function 'ln': write log(x)" },
        { "log10(time)", "column 1: unknown function 'log10': write log(x)/log(10)" },
        { "omega*time", "column 1: unknown name 'omega': known are time, t, pi" },
        { "foo(time)", "column 1: unknown function 'foo': known are sin, cos, tan, asin, acos, atan, atan2, sinh, "
          "cosh, tanh, exp, log, sqrt, abs, pow, min, max, step" },
        { "2*sin", "column 3: 'sin' is a function: write sin(...)" },
        { "sin time", "column 1: 'sin' is a function: write sin(...)" },
        { "time(3)", "column 5: expected an operator, got '(': a product is written with '*'" },
        { "1e999", "column 1: '1e999' is too large for a number (1.8e308 is the limit)" },
        { "11111111112222222222333333333344444444445555555555666666666677777", "column 1: a number of more than 64 digits" },
        { ".", "column 1: expected a number, a name or '(', got '.'" },
        { "time > 2", "column 6: expected an operator, got '>': compare by step(x), which is 0 for x < 0 and 1 from there on" },
        { "x = 3", "column 1: unknown name 'x': known are time, t, pi" },
        { "t = 3", "column 3: expected an operator, got '=': write the value only" },
        { "2*[time]", "column 3: expected a number, a name or '(', got '[': brackets are round" },
        { "2 \xC3\x97 time", "column 3: expected an operator, got '\xC3\x97': a product is written '*'" },
        { "2*\xCF\x80 + $", "column 3: expected a number, a name or '(', got '\xCF\x80': write pi" },
        { "2*time\xC2\xB2 + 1", "column 7: expected an operator, got '\xC2\xB2': a square is written '^2'" },
        { "\xC3\xA4 + 1", "column 1: expected a number, a name or '(', got '\xC3\xA4'" },
        { "time + \x01", "column 8: expected a number, a name or '(', got the byte 0x01" },
        { "time + \xFF", "column 8: expected a number, a name or '(', got the byte 0xFF" },
        { "a_name_that_is_longer_than_any_name_somebody_would_write(1)",
          "column 1: unknown function 'a_name_that_is_longer_than_any_name_...': known are sin, cos, tan, asin, acos, "
          "atan, atan2, sinh, cosh, tanh, exp, log, sqrt, abs, pow, min, max, step" },
    };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) expect_message(cases[i][0], cases[i][1]);
    expect_message(NULL, cases[0][1]);
}

static void limits_are_limits(void **state)
{
    (void)state;
    static char text[CAROM_EXPRESSION_BYTES_MAX + 3];
    // 64 brackets are good, 65 are not; so for powers of powers. Signs nest nothing.
    for (int n = 64; n <= 65; n++) {
        snprintf(text, sizeof text, "%.*s1%.*s", n,
                 "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", n,
                 "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))");
        if (n == 64) CHECK_NEAR(expression_at(text, 0).value, 1, 0);
        else expect_message(text, "column 66: nested more than 64 deep");
    }
    memset(text, 0, sizeof text);
    for (int i = 0; i < 100; i++) memcpy(text + 2*i, i < 99 ? "t^" : "t", 2);
    expect_message(text, "column 131: nested more than 64 deep");
    memset(text, '-', 4000);
    memcpy(text + 4000, "1", 2);
    CHECK_NEAR(expression_at(text, 0).value, 1, 0);
    // 256 variables and 255 sums are 511 operations; the numbers that are added to each other while compiling are none.
    for (int i = 0; i < 257; i++) memcpy(text + 2*i, i < 256 ? "t+" : "t", 2);
    expect_message(text, "column 512: more than 512 operations");
    text[511] = '\0';
    CHECK_NEAR(expression_at(text, 0.5).value, 128, 0);
    for (int i = 0; i < 2000; i++) memcpy(text + 2*i, i < 1999 ? "1+" : "1", 2);
    CHECK_NEAR(expression_at(text, 0.5).value, 2000, 0);
    // The stack is deepest when everything waits: t+(t+(t+...)) and min(t, max(t, ...)).
    memset(text, 0, sizeof text);
    for (int i = 0; i < 60; i++) strcat(text, "t+t*(");
    strcat(text, "t");
    for (int i = 0; i < 60; i++) strcat(text, ")");
    CHECK_NEAR(expression_at(text, 1).value, 61, 0);
    memset(text, ' ', CAROM_EXPRESSION_BYTES_MAX + 1);
    text[0] = '1';
    text[CAROM_EXPRESSION_BYTES_MAX + 1] = '\0';
    expect_message(text, "an expression of 4097 bytes: 4096 is the limit");
    text[CAROM_EXPRESSION_BYTES_MAX] = '\0';
    CHECK_NEAR(expression_at(text, 0).value, 1, 0);
}

static void bad_definitions_say_what_is_wrong(void **state)
{
    (void)state;
    const double up[] = { 0, 1, 2 }, down[] = { 0, 2, 2 }, holes[] = { 0, NAN, 1 }, high[] = { -1e308, 1e308, -1e308 };
    const struct { caromFunctionDef def; const char *message; } cases[] = {
        { { .kind = CAROM_FUNCTION_CONSTANT, .value = NAN }, "the value nan is not a finite number" },
        { { .kind = CAROM_FUNCTION_SINE, .frequency = INFINITY }, "value 0, amplitude 0, frequency inf Hz, phase 0 rad, start 0 s: expected finite numbers" },
        { { .kind = CAROM_FUNCTION_RAMP, .amplitude = 1 }, "the end 0 s is not after the start 0 s" },
        { { .kind = CAROM_FUNCTION_RAMP, .end = NAN }, "value 0, amplitude 0, start 0 s, end nan s: expected finite numbers" },
        { { .kind = CAROM_FUNCTION_TABLE }, "expected at least 2 points, got 0" },
        { { .kind = CAROM_FUNCTION_TABLE, .npoint = 1, .times = up, .values = up }, "expected at least 2 points, got 1" },
        { { .kind = CAROM_FUNCTION_TABLE, .npoint = 3, .times = down, .values = up }, "point 3 at 2 s is not after point 2 at 2 s: times must ascend" },
        { { .kind = CAROM_FUNCTION_TABLE, .npoint = 3, .times = up, .values = holes }, "point 2 is (1 s, nan): expected finite numbers" },
        { { .kind = CAROM_FUNCTION_TABLE, .npoint = 3, .times = up, .values = high }, "the points are too steep for a smooth curve through them" },
        { { .kind = CAROM_FUNCTION_KINDS }, "unknown kind 5 of function" },
    };
    for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
        caromFunction *f;
        caromError err = { 0 };
        assert_int_equal(carom_function_create(&cases[i].def, &f, &err), CAROM_ERR_INPUT);
        assert_string_equal(err.message, cases[i].message);
        assert_null(f);
    }
}

// ---- random expressions

static int pick(Random *r, int n)
{
    return (int)random_uniform(r, 0, n);
}

// Mostly good expressions: pieces in the order that the grammar wants them.
static void random_expression(Random *r, int depth, char *text, size_t n)
{
    static const char *const operands[] = { "time", "t", "pi", "1", "0.25", "2e-3", "7", "0" };
    static const char *const calls[] = { "sin(", "cos(", "tan(", "asin(", "acos(", "atan(", "sinh(", "cosh(", "tanh(",
                                         "exp(", "log(", "sqrt(", "abs(", "step(", "(", "-(" };
    static const char *const pairs[] = { "atan2(", "pow(", "min(", "max(" };
    size_t used = strlen(text);
    if (used + 40 > n) return;
    int what = depth <= 0 ? 0 : pick(r, 4);
    if (what == 0) {
        strcat(text, operands[pick(r, 8)]);
    } else if (what == 1) {
        strcat(text, calls[pick(r, 16)]);
        random_expression(r, depth - 1, text, n - 20);
        strcat(text, ")");
    } else if (what == 2) {
        random_expression(r, depth - 1, text, n - 20);
        strcat(text, (const char *[]){ "+", " - ", "*", "/", "^" }[pick(r, 5)]);
        random_expression(r, depth - 1, text, n - 20);
    } else {
        strcat(text, pairs[pick(r, 4)]);
        random_expression(r, depth - 1, text, n - 20);
        strcat(text, ", ");
        random_expression(r, depth - 1, text, n - 20);
        strcat(text, ")");
    }
}

static void mutate(Random *r, char *text, size_t n)
{
    static const char bytes[] = "()+-*/^,. 0123456789eEtimepsincoaxl_[]<>=\t\xC3\x97\x01\xFF";
    size_t length = strlen(text), at = length ? (size_t)pick(r, (int)length) : 0;
    switch (pick(r, 4)) {
    case 0: text[at] = bytes[pick(r, (int)sizeof bytes - 1)]; break;
    case 1: memmove(text + at, text + at + 1, length - at); break;
    case 2:
        if (length + 2 > n) break;
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = bytes[pick(r, (int)sizeof bytes - 1)];
        break;
    default: text[at] = '\0'; break;
    }
}

static void random_expressions_are_compiled_or_refused(void **state)
{
    (void)state;
    Random r = { 20240607 };
    static char text[1000];
    int good = 0, wrong = 0;
    for (int i = 0; i < 20000; i++) {
        text[0] = '\0';
        random_expression(&r, pick(&r, 9), text, sizeof text - 200);
        for (int k = pick(&r, 4); k > 0; k--) mutate(&r, text, sizeof text);
        caromFunctionDef def = { .kind = CAROM_FUNCTION_EXPRESSION, .expression = text };
        caromFunction *f;
        caromError err = { 0 };
        caromStatus status = carom_function_create(&def, &f, &err);
        if (status == CAROM_OK) {
            good++;
            caromJet a = carom_function_at(f, 0.3), b = carom_function_at(f, 0.3);
            assert_memory_equal(&a, &b, sizeof a);
            carom_function_at(f, NAN);
            carom_function_at(f, -INFINITY);
        } else {
            wrong++;
            assert_int_equal(status, CAROM_ERR_INPUT);
            CHECK(strlen(err.message) > 0 && strlen(err.message) < sizeof err.message - 1);
        }
        carom_function_destroy(f);
    }
    CHECK(good > 5000 && wrong > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_does_not_change),
        cmocka_unit_test(sine_starts_at_its_start),
        cmocka_unit_test(ramp_is_smooth_at_both_ends),
        cmocka_unit_test(spline_passes_through_its_points_smoothly),
        cmocka_unit_test(spline_reproduces_lines_and_converges),
        cmocka_unit_test(expressions_have_their_values),
        cmocka_unit_test(derivatives_have_their_closed_forms),
        cmocka_unit_test(edges_propagate),
        cmocka_unit_test(variables_come_from_a_table),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(bad_expressions_say_what_is_wrong),
        cmocka_unit_test(limits_are_limits),
        cmocka_unit_test(bad_definitions_say_what_is_wrong),
        cmocka_unit_test(random_expressions_are_compiled_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
