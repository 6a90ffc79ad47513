// Functions of time: a quantity, or one of sine, ramp, table and expression. Expressions are compiled by the model.
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

void carom_draft_function_begin(caromReader *r, int node, void *draft)
{
    (void)r;
    (void)node;
    *(caromFunctionDef *)draft = carom_function_def();
}

static int child_of(caromReader *r, int node, const char *key)
{
    return carom_modelfile_tree_child(&r->tree, node, key, strlen(key));
}

static void check_ramp(caromReader *r, int ramp, const caromFunctionDef *f)
{
    int end = child_of(r, ramp, "end");
    if (end < 0 || r->tree.nodes[ramp].has_wrong || f->end > f->start) return;
    carom_modelfile_reader_error(r, end, CAROM_AT_VALUE, "a ramp ends after its start, got an end at %g s and a "
                                 "start at %g s", f->end, f->start);
}

// What could not be read was reported and leaves a constant.
void carom_draft_function_end(caromReader *r, int node, void *draft)
{
    caromFunctionDef *f = draft;
    if (child_of(r, node, "sine") >= 0) f->kind = CAROM_FUNCTION_SINE;
    else if (child_of(r, node, "ramp") >= 0) {
        f->kind = CAROM_FUNCTION_RAMP;
        check_ramp(r, child_of(r, node, "ramp"), f);
    } else if (f->times) f->kind = CAROM_FUNCTION_TABLE;
    else if (f->expression) f->kind = CAROM_FUNCTION_EXPRESSION;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A formula where a quantity is expected: it has the time or calls a function, sin(...).
static bool looks_like_expression(const char *text)
{
    const char *call = strchr(text, '(');
    return strstr(text, "time") || (call && call > text && is_letter(call[-1]));
}

static void read_constant(caromReader *r, int node, caromFunctionDef *f)
{
    const char *text = r->tree.nodes[node].text;
    const caromDimInfo *info = carom_modelfile_dim_info(r->driven);
    if (looks_like_expression(text))
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE,
                                     "expected %s such as %s, got %s: a formula is written {expression: \"...\"}",
                                     info->title, info->example, carom_modelfile_quoted(text).text);
    else carom_modelfile_read_number(r, node, r->driven, NULL, &f->value);
}

void carom_modelfile_read_function(caromReader *r, int node, caromDimId dim, caromFunctionDef *f)
{
    const caromNode *n = &r->tree.nodes[node];
    const caromDimInfo *info = carom_modelfile_dim_info(dim);
    r->driven = dim;
    if (n->kind == CAROM_NODE_MAP) carom_modelfile_read_section(r, node, CAROM_IN_FUNCTION, f);
    else if (n->kind == CAROM_NODE_SCALAR && n->text[0] != '\0') read_constant(r, node, f);
    else if (n->kind != CAROM_NODE_REFUSED) {
        caromQuoted quoted;
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s or a function of time such as "
                                     "{sine: {amplitude: %s, frequency: 50 Hz}}, got %s", info->title, info->example,
                                     info->example, carom_modelfile_got(n, &quoted));
    }
}

void carom_modelfile_read_functions(caromReader *r, int node, const caromKey *key, caromFunctionDef function[3])
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_LIST)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of 3 components such as %s, got %s",
                                     key->example, carom_modelfile_got(n, &quoted));
    else if (n->count != 3)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of 3 components such as %s, got %d",
                                     key->example, n->count);
    else
        for (int i = 0; i < 3; i++)
            carom_modelfile_read_function(r, carom_modelfile_tree_element(&r->tree, node, i), key->dim, &function[i]);
}

// ---- tables

typedef struct Abscissa {  // what a table is over
    caromDimId dim;
    const char *name, *plural, *unit, *example;
} Abscissa;
static const Abscissa over_time = { CAROM_DIM_TIME, "time", "times", "s", "0.1 s" },
                      over_speed = { CAROM_DIM_VELOCITY, "speed", "speeds", "m/s", "0.1 m/s" };

static bool read_point(caromReader *r, int node, const Abscissa *over, double *x, double *value)
{
    const caromNode *n = &r->tree.nodes[node];
    const char *example = carom_modelfile_dim_info(r->driven)->example;
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return false;
    if (n->kind != CAROM_NODE_LIST) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a %s and a value such as [%s, %s], got %s",
                                     over->name, over->example, example, carom_modelfile_got(n, &quoted));
        return false;
    }
    if (n->count != 2) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a %s and a value such as [%s, %s], "
                                     "got a list of %d", over->name, over->example, example, n->count);
        return false;
    }
    int first = n->first, second = r->tree.nodes[first].next;
    bool has_x = carom_modelfile_read_number(r, first, over->dim, NULL, x),
         has_value = carom_modelfile_read_number(r, second, r->driven, NULL, value);
    return has_x && has_value;
}

// Every wrong point is reported. A time is compared with the last one that could be read.
static bool read_points(caromReader *r, int node, const Abscissa *over, double *x, double *values)
{
    int i = 0;
    bool is_good = true;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        if (!read_point(r, c, over, &x[i], &values[i])) is_good = false;
        else if (i > 0 && !(x[i] > x[i - 1])) {
            carom_modelfile_reader_error(r, c, CAROM_AT_VALUE, "the %s of a table ascend, got %g %s behind %g %s",
                                         over->plural, x[i], over->unit, x[i - 1], over->unit);
            is_good = false;
        } else i++;
    }
    return is_good;
}

// How many points there are; 0: it is no table, which was reported. The arrays are the caller's.
static int read_table(caromReader *r, int node, const Abscissa *over, double **x, double **values)
{
    const caromNode *n = &r->tree.nodes[node];
    const char *example = carom_modelfile_dim_info(r->driven)->example;
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return 0;
    if (n->kind != CAROM_NODE_LIST || n->count < 2) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of at least 2 points such as [[0 %s, "
                                     "0], [%s, %s]], got %s", over->unit, over->example, example, n->kind ==
                                     CAROM_NODE_LIST ? n->count ? "1" : "none" : carom_modelfile_got(n, &quoted));
        return 0;
    }
    int count = n->count;
    *x = malloc((size_t)count*sizeof **x);
    *values = malloc((size_t)count*sizeof **values);
    if (!*x || !*values) r->out_of_memory = true;
    if (*x && *values && read_points(r, node, over, *x, *values)) return count;
    free(*x);
    free(*values);
    return 0;
}

// The arrays live until the draft around them has been handed to the builder.
void carom_modelfile_read_table(caromReader *r, int node, const caromKey *key, caromFunctionDef *f)
{
    double *times, *values;
    int count = read_table(r, node, &over_time, &times, &values);
    (void)key;
    if (count == 0) return;
    f->npoint = count;
    f->times = times;
    f->values = values;
}

void carom_modelfile_read_speed_table(caromReader *r, int node, caromPairDef *def)
{
    double *speeds, *values;
    r->driven = CAROM_DIM_NUMBER;
    int count = read_table(r, node, &over_speed, &speeds, &values);
    if (count == 0) return;
    free((double *)def->restitution_speeds);  // of a key that is given twice, which was reported
    free((double *)def->restitution_values);
    def->nrestitution = count;
    def->restitution_speeds = speeds;
    def->restitution_values = values;
}
