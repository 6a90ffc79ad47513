// Recursive descent from text to postfix; operations on numbers alone are done while compiling.
#include "model/expression.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/decimal.h"
#include "base/names.h"
#include "carom/math.h"

typedef caromJet (*Unary)(caromJet);
typedef caromJet (*Binary)(caromJet, caromJet);

typedef enum OperationKind { NUMBER, VARIABLE, UNARY, BINARY } OperationKind;

typedef struct Operation {
    OperationKind kind;
    union { double number; int variable; Unary unary; Binary binary; } as;
} Operation;

// A binary operation takes one value from the stack and every other one but unary adds one, so half of the operations
// is enough.
enum { STACK_MAX = CAROM_EXPRESSION_OPERATIONS_MAX/2 + 1 };

struct caromExpression {
    int count;
    Operation operations[];
};

// ---- evaluation

// Where the argument of an operation passes 0 its value or its rate may jump: what it is then, of x alone or of two.
static bool switches_of_one(Unary f, caromJet x, caromJet *argument)
{
    *argument = f == carom_jet_tan ? carom_jet_cos(x) : x;
    return f == carom_jet_step || f == carom_jet_abs || f == carom_jet_tan;
}

static bool switches_of_two(Binary f, caromJet x, caromJet y, caromJet *argument)
{
    *argument = f == carom_jet_div ? y : f == carom_jet_min || f == carom_jet_max ? carom_jet_sub(x, y) : x;
    return f == carom_jet_div || f == carom_jet_min || f == carom_jet_max || f == carom_jet_atan2 || f == carom_jet_pow;
}

typedef struct Switches {
    caromJet *arguments;  // NULL: they are not asked for
    int n;
} Switches;

static void note(Switches *s, bool switches, caromJet argument)
{
    if (switches) s->arguments[s->n++] = argument;
}

// x is the top of the stack; below it wait the others, the first of which is the x before the program.
static caromJet evaluate(const caromExpression *e, const caromJet *variables, Switches *switches)
{
    caromJet stack[STACK_MAX], x = carom_jet_constant(0), argument;
    int n = 0;
    for (int i = 0; i < e->count; i++) {
        const Operation *o = &e->operations[i];
        switch (o->kind) {
        case NUMBER:
            stack[n++] = x;
            x = carom_jet_constant(o->as.number);
            break;
        case VARIABLE:
            stack[n++] = x;
            x = variables[o->as.variable];
            break;
        case UNARY:
            if (switches) note(switches, switches_of_one(o->as.unary, x, &argument), argument);
            x = o->as.unary(x);
            break;
        case BINARY:
            if (switches) note(switches, switches_of_two(o->as.binary, stack[n - 1], x, &argument), argument);
            // The compiler puts two values before each binary operation.
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
            x = o->as.binary(stack[--n], x);
            break;
        }
    }
    CAROM_ASSERT(n == 1);
    return x;
}

caromJet carom_expression_at(const caromExpression *e, const caromJet *variables)
{
    return evaluate(e, variables, NULL);
}

int carom_expression_switches(const caromExpression *e, const caromJet *variables, caromJet *arguments)
{
    Switches switches = { arguments, 0 };
    evaluate(e, variables, &switches);
    return switches.n;
}

void carom_expression_destroy(caromExpression *expression)
{
    free(expression);
}

// ---- names

typedef struct Function {
    const char *name;
    int nmin, nmax;  // arguments; more than two are taken two by two
    Unary unary;
    Binary binary;
} Function;

static const Function functions[] = {
    { "sin", 1, 1, .unary = carom_jet_sin },
    { "cos", 1, 1, .unary = carom_jet_cos },
    { "tan", 1, 1, .unary = carom_jet_tan },
    { "asin", 1, 1, .unary = carom_jet_asin },
    { "acos", 1, 1, .unary = carom_jet_acos },
    { "atan", 1, 1, .unary = carom_jet_atan },
    { "atan2", 2, 2, .binary = carom_jet_atan2 },
    { "sinh", 1, 1, .unary = carom_jet_sinh },
    { "cosh", 1, 1, .unary = carom_jet_cosh },
    { "tanh", 1, 1, .unary = carom_jet_tanh },
    { "exp", 1, 1, .unary = carom_jet_exp },
    { "log", 1, 1, .unary = carom_jet_log },
    { "sqrt", 1, 1, .unary = carom_jet_sqrt },
    { "abs", 1, 1, .unary = carom_jet_abs },
    { "pow", 2, 2, .binary = carom_jet_pow },
    { "min", 2, CAROM_EXPRESSION_OPERATIONS_MAX, .binary = carom_jet_min },
    { "max", 2, CAROM_EXPRESSION_OPERATIONS_MAX, .binary = carom_jet_max },
    { "step", 1, 1, .unary = carom_jet_step },
};
enum { NFUNCTION = sizeof functions/sizeof functions[0] };

// What other languages call it.
static const struct { const char *word, *write; } other_words[] = {
    { "ln", "log(x)" }, { "log10", "log(x)/log(10)" }, { "log2", "log(x)/log(2)" }, { "arcsin", "asin(x)" }, { "arccos", "acos(x)" },
    { "arctan", "atan(x)" }, { "arctan2", "atan2(y, x)" }, { "fabs", "abs(x)" }, { "power", "x^y" }, { "square", "x^2" }, { "sqr", "x^2" },
    { "cbrt", "x^(1/3)" }, { "heaviside", "step(x)" }, { "sign", "2*step(x) - 1" }, { "e", "exp(1)" }, { "deg", "pi/180" },
    { "if", "step(x), which is 0 for x < 0 and 1 from there on" },
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (is_letter(s[n]) || (n > 0 && carom_is_digit(s[n]))) n++;
    return n;
}

static bool word_equals(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

static const Function *find_function(const char *s, size_t n)
{
    for (int i = 0; i < NFUNCTION; i++)
        if (word_equals(s, n, functions[i].name)) return &functions[i];
    return NULL;
}

bool carom_expression_has_word(const char *name)
{
    return strcmp(name, "pi") == 0 || find_function(name, strlen(name));
}

bool carom_expression_name_is_good(const char *name)
{
    return is_letter(name[0]) && name[0] != '_' && name_length(name) == strlen(name) &&
           !carom_expression_has_word(name);
}

// ---- what is wrong

typedef struct Compiler {
    const char *text, *s;  // all of it, and where we are
    const char *const *variables;
    int nvariable, nesting, count;
    Operation operations[CAROM_EXPRESSION_OPERATIONS_MAX];
    caromError *err;
    caromStatus status;
} Compiler;

static int column(const Compiler *c, const char *at)
{
    int n = 1;
    for (const char *p = c->text; p < at; p++) n += ((unsigned char)*p & 0xC0) != 0x80;
    return n;
}

// The text at s in quotes, printable: a name, a number, or one character.
typedef struct Token { char text[48]; } Token;

static Token token_at(const char *s)
{
    Token token;
    caromDecimal d;
    size_t n = name_length(s);
    if (n == 0) {
        const char *end = carom_is_digit(*s) || *s == '.' ? carom_decimal_scan(s, &d) : NULL;
        n = end ? (size_t)(end - s) : 1;
    }
    if ((unsigned char)*s >= 0xC0)
        while (((unsigned char)s[n] & 0xC0) == 0x80 && n < 4) n++;
    bool is_plain = (unsigned char)*s >= 0xC0 ? n > 1 : *s >= ' ' && *s <= '~';
    if (*s == '\0') snprintf(token.text, sizeof token.text, "the end");
    else if (!is_plain) snprintf(token.text, sizeof token.text, "the byte 0x%02X", (unsigned)(unsigned char)*s);
    else if (n > 40) snprintf(token.text, sizeof token.text, "'%.36s...'", s);
    else snprintf(token.text, sizeof token.text, "'%.*s'", (int)n, s);
    return token;
}

static bool fail(Compiler *c, const char *at, const char *what, const char *hint)
{
    if (c->status == CAROM_OK)
        c->status = carom_fail(c->err, CAROM_ERR_INPUT, "expression", "column %d: %s%s", column(c, at), what,
                               hint ? hint : "");
    return false;
}

// What people type for an operator that is written otherwise here.
static const char *operator_hint(const char *s)
{
    static const struct { const char *typed, *hint; } hints[] = {
        { "**", ": a power is written '^'" },
        { "\xC3\x97", ": a product is written '*'" },      // times sign
        { "\xC2\xB7", ": a product is written '*'" },      // middle dot
        { "\xE2\x88\x92", ": minus is written '-'" },      // minus sign
        { "\xE2\x80\x93", ": minus is written '-'" },      // dash
        { "\xC3\xB7", ": a quotient is written '/'" },     // division sign
        { "\xC2\xB2", ": a square is written '^2'" },
        { "\xC2\xB3", ": a cube is written '^3'" },
        { "\xCF\x80", ": write pi" },
        { "<", ": compare by step(x), which is 0 for x < 0 and 1 from there on" },
        { ">", ": compare by step(x), which is 0 for x < 0 and 1 from there on" },
        { "?", ": compare by step(x), which is 0 for x < 0 and 1 from there on" },
        { "[", ": brackets are round" },
        { "{", ": brackets are round" },
        { "]", ": brackets are round" },
        { "}", ": brackets are round" },
        { "=", ": write the value only" },
    };
    for (size_t i = 0; i < sizeof hints/sizeof hints[0]; i++)
        if (strncmp(s, hints[i].typed, strlen(hints[i].typed)) == 0) return hints[i].hint;
    return NULL;
}

static bool fail_operand(Compiler *c)
{
    char what[120];
    snprintf(what, sizeof what, "expected a number, a name or '(', got %s", token_at(c->s).text);
    return fail(c, c->s, what, operator_hint(c->s));
}

// Behind a complete operand there is something else than an operator.
static bool fail_operator(Compiler *c)
{
    char what[120];
    const char *hint = operator_hint(c->s);
    if (*c->s == ')') return fail(c, c->s, "')' without '('", NULL);
    if (*c->s == ',') return fail(c, c->s, "',' outside of a function's arguments", ": a decimal point is written '.'");
    if (!hint && (is_letter(*c->s) || carom_is_digit(*c->s) || *c->s == '(' || *c->s == '.'))
        hint = ": a product is written with '*'";
    snprintf(what, sizeof what, "expected an operator, got %s", token_at(c->s).text);
    return fail(c, c->s, what, hint);
}

static bool fail_name(Compiler *c, const char *s, size_t n, bool is_call)
{
    char name[64], what[160], hint[300] = "";
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), s);
    snprintf(what, sizeof what, "unknown %s %s", is_call ? "function" : "name", token_at(s).text);
    for (size_t i = 0; i < sizeof other_words/sizeof other_words[0]; i++)
        if (word_equals(s, n, other_words[i].word)) {
            snprintf(hint, sizeof hint, ": write %s", other_words[i].write);
            return fail(c, s, what, hint);
        }
    const char *known[NFUNCTION + CAROM_EXPRESSION_VARIABLES_MAX + 1];
    int nknown = 0;
    for (int i = 0; !is_call && i < c->nvariable; i++) known[nknown++] = c->variables[i];
    if (!is_call) known[nknown++] = "pi";
    int nvalue = nknown;
    for (int i = 0; i < NFUNCTION; i++) known[nknown++] = functions[i].name;
    const char *meant = n < sizeof name ? carom_nearest_name(name, known, nknown) : NULL;
    if (meant) {
        snprintf(hint, sizeof hint, ", did you mean '%s'?", meant);
        return fail(c, s, what, hint);
    }
    size_t used = (size_t)snprintf(hint, sizeof hint, ": known are");
    for (int i = 0; i < (is_call ? nknown : nvalue) && used < sizeof hint; i++)
        used += (size_t)snprintf(hint + used, sizeof hint - used, "%s %s", i > 0 ? "," : "", known[i]);
    return fail(c, s, what, hint);
}

// ---- compilation

static bool emit(Compiler *c, const char *at, Operation o)
{
    if (c->count >= CAROM_EXPRESSION_OPERATIONS_MAX) {
        char what[60];
        snprintf(what, sizeof what, "more than %d operations", CAROM_EXPRESSION_OPERATIONS_MAX);
        return fail(c, at, what, NULL);
    }
    c->operations[c->count++] = o;
    return true;
}

static bool emit_number(Compiler *c, const char *at, double number)
{
    return emit(c, at, (Operation){ NUMBER, .as.number = number });
}

// The value of a number i places before the end of the program, or NULL.
static double *number_before_end(Compiler *c, int i)
{
    return c->count > i && c->operations[c->count - 1 - i].kind == NUMBER ? &c->operations[c->count - 1 - i].as.number
                                                                          : NULL;
}

static bool emit_unary(Compiler *c, const char *at, Unary f)
{
    double *x = number_before_end(c, 0);
    if (!x) return emit(c, at, (Operation){ UNARY, .as.unary = f });
    *x = f(carom_jet_constant(*x)).value;
    return true;
}

static bool emit_binary(Compiler *c, const char *at, Binary f)
{
    const double *y = number_before_end(c, 0);
    double *x = number_before_end(c, 1);
    if (!x || !y) return emit(c, at, (Operation){ BINARY, .as.binary = f });
    *x = f(carom_jet_constant(*x), carom_jet_constant(*y)).value;
    c->count--;
    return true;
}

static bool enter(Compiler *c)
{
    if (c->nesting++ <= CAROM_EXPRESSION_NESTING_MAX) return true;
    char what[60];
    snprintf(what, sizeof what, "nested more than %d deep", CAROM_EXPRESSION_NESTING_MAX);
    return fail(c, c->s, what, NULL);
}

static void leave(Compiler *c)
{
    c->nesting--;
}

static void skip_space(Compiler *c)
{
    while (*c->s == ' ' || *c->s == '\t' || *c->s == '\n' || *c->s == '\r') c->s++;
}

static void advance(Compiler *c, size_t n)
{
    c->s += n;
    skip_space(c);
}

static bool compile_sum(Compiler *c);

static bool compile_number(Compiler *c)
{
    const char *at = c->s;
    caromDecimal d;
    const char *end = carom_decimal_scan(at, &d);
    char what[120];
    if (d.is_too_long) {
        snprintf(what, sizeof what, "a number of more than %d digits", CAROM_DECIMAL_DIGITS_MAX);
        return fail(c, at, what, NULL);
    }
    if (!end) return fail_operand(c);
    double x = carom_decimal_magnitude(&d, 0);
    if (isinf(x)) {
        snprintf(what, sizeof what, "%s is too large for a number (1.8e308 is the limit)", token_at(at).text);
        return fail(c, at, what, NULL);
    }
    advance(c, (size_t)(end - at));
    return emit_number(c, at, x);
}

static bool expect_close(Compiler *c, const char *open)
{
    if (*c->s == ')') {
        advance(c, 1);
        return true;
    }
    if (*c->s != '\0') return fail_operator(c);
    char what[80];
    snprintf(what, sizeof what, "expected ')' for the '(' in column %d, got the end", column(c, open));
    return fail(c, c->s, what, NULL);
}

static bool fail_count(Compiler *c, const char *at, const Function *f, int n)
{
    char what[100];
    snprintf(what, sizeof what, "%s takes %d%s argument%s, got %d", f->name, f->nmin,
             f->nmax > f->nmin ? " or more" : "", f->nmax > 1 ? "s" : "", n);
    return fail(c, at, what, f->nmax == 1 && n == 2 ? ": a decimal point is written '.'" : NULL);
}

static bool fail_not_called(Compiler *c, const char *at, const Function *f)
{
    char what[80];
    snprintf(what, sizeof what, "'%s' is a function: write %s(...)", f->name, f->name);
    return fail(c, at, what, NULL);
}

// Behind the function's name, at '('.
static bool compile_call(Compiler *c, const char *at, const Function *f)
{
    const char *open = c->s;
    int n = 0;
    advance(c, 1);
    if (*c->s == ')') return fail_count(c, at, f, 0);
    for (;;) {
        if (!compile_sum(c)) return false;
        if (++n > 1 && n <= f->nmax && !emit_binary(c, at, f->binary)) return false;
        if (*c->s != ',') break;
        advance(c, 1);
    }
    if (!expect_close(c, open)) return false;
    if (n < f->nmin || n > f->nmax) return fail_count(c, at, f, n);
    return f->unary ? emit_unary(c, at, f->unary) : true;
}

static bool compile_name(Compiler *c)
{
    const char *at = c->s;
    size_t n = name_length(at);
    advance(c, n);
    const Function *f = find_function(at, n);
    if (f) return *c->s == '(' ? compile_call(c, at, f) : fail_not_called(c, at, f);
    if (word_equals(at, n, "pi")) return emit_number(c, at, CAROM_PI);
    for (int i = 0; i < c->nvariable; i++)
        if (word_equals(at, n, c->variables[i])) return emit(c, at, (Operation){ VARIABLE, .as.variable = i });
    return fail_name(c, at, n, *c->s == '(');
}

static bool compile_operand(Compiler *c)
{
    if (carom_is_digit(*c->s) || *c->s == '.') return compile_number(c);
    if (is_letter(*c->s)) return compile_name(c);
    if (*c->s != '(') return fail_operand(c);
    const char *open = c->s;
    advance(c, 1);
    return compile_sum(c) && expect_close(c, open);
}

static bool compile_signed(Compiler *c)
{
    bool is_negative = false;
    const char *at = c->s;
    for (; *c->s == '-' || *c->s == '+'; advance(c, 1)) is_negative ^= *c->s == '-';
    if (!enter(c) || !compile_operand(c)) return false;
    if (*c->s == '^') {
        const char *power = c->s;
        advance(c, 1);
        if (!compile_signed(c) || !emit_binary(c, power, carom_jet_pow)) return false;
    }
    leave(c);
    return is_negative ? emit_unary(c, at, carom_jet_negative) : true;
}

static bool compile_product(Compiler *c)
{
    if (!compile_signed(c)) return false;
    while (*c->s == '*' || *c->s == '/') {
        const char *at = c->s;
        if (c->s[1] == '*') return fail(c, c->s, "expected an operator, got '**'", operator_hint("**"));
        advance(c, 1);
        if (!compile_signed(c) || !emit_binary(c, at, *at == '*' ? carom_jet_mul : carom_jet_div)) return false;
    }
    return true;
}

static bool compile_sum(Compiler *c)
{
    if (!compile_product(c)) return false;
    while (*c->s == '+' || *c->s == '-') {
        const char *at = c->s;
        advance(c, 1);
        if (!compile_product(c) || !emit_binary(c, at, *at == '+' ? carom_jet_add : carom_jet_sub)) return false;
    }
    return true;
}

static caromStatus copy_program(const Compiler *c, caromExpression **expression, caromError *err)
{
    caromExpression *e = malloc(sizeof *e + (size_t)c->count*sizeof e->operations[0]);
    if (!e) return carom_fail(err, CAROM_ERR_MEMORY, "expression", "out of memory");
    e->count = c->count;
    memcpy(e->operations, c->operations, (size_t)c->count*sizeof e->operations[0]);
    *expression = e;
    return CAROM_OK;
}

caromStatus carom_expression_create(const char *text, const char *const *variables, int nvariable,
                                    caromExpression **expression, caromError *err)
{
    CAROM_ASSERT(nvariable <= CAROM_EXPRESSION_VARIABLES_MAX);
    *expression = NULL;
    Compiler c = { .text = text ? text : "", .variables = variables, .nvariable = nvariable, .err = err };
    size_t n = strlen(c.text);
    if (n > CAROM_EXPRESSION_BYTES_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "expression", "an expression of %zu bytes: %d is the limit", n,
                          CAROM_EXPRESSION_BYTES_MAX);
    c.s = c.text;
    skip_space(&c);
    if (*c.s == '\0')
        return carom_fail(err, CAROM_ERR_INPUT, "expression",
                          "expected an expression such as 0.1*sin(2*pi*time), got nothing");
    if (!compile_sum(&c)) return c.status;
    if (*c.s != '\0') {
        fail_operator(&c);
        return c.status;
    }
    return copy_program(&c, expression, err);
}
