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
    return carom_tree_child(&r->tree, node, key, strlen(key));
}

static void check_ramp(caromReader *r, int ramp, const caromFunctionDef *f)
{
    int end = child_of(r, ramp, "end");
    if (end < 0 || r->tree.nodes[ramp].has_wrong || f->end > f->start) return;
    carom_reader_error(r, end, CAROM_AT_VALUE, "a ramp ends after its start, got an end at %g s and a start at %g s", f->end, f->start);
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
    const caromDimInfo *info = carom_dim_info(r->driven);
    if (looks_like_expression(text))
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %s: a formula is written {expression: \"...\"}", info->title,
                           info->example, carom_quoted(text).text);
    else carom_read_number(r, node, r->driven, NULL, &f->value);
}

void carom_read_function(caromReader *r, int node, caromDimId dim, caromFunctionDef *f)
{
    const caromNode *n = &r->tree.nodes[node];
    const caromDimInfo *info = carom_dim_info(dim);
    r->driven = dim;
    if (n->kind == CAROM_NODE_MAP) carom_read_section(r, node, CAROM_IN_FUNCTION, f);
    else if (n->kind == CAROM_NODE_SCALAR && n->text[0] != '\0') read_constant(r, node, f);
    else if (n->kind != CAROM_NODE_REFUSED) {
        caromQuoted quoted;
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s or a function of time such as {sine: {amplitude: %s, frequency: 50 Hz}}, got %s",
                           info->title, info->example, info->example, carom_got(n, &quoted));
    }
}

void carom_read_functions(caromReader *r, int node, const caromKey *key, caromFunctionDef function[3])
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_LIST)
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected a list of 3 components such as %s, got %s", key->example, carom_got(n, &quoted));
    else if (n->count != 3)
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected a list of 3 components such as %s, got %d", key->example, n->count);
    else for (int i = 0; i < 3; i++) carom_read_function(r, carom_tree_element(&r->tree, node, i), key->dim, &function[i]);
}

// ---- tables

static bool read_point(caromReader *r, int node, double *time, double *value)
{
    const caromNode *n = &r->tree.nodes[node];
    const char *example = carom_dim_info(r->driven)->example;
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return false;
    if (n->kind != CAROM_NODE_LIST) {
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected a time and a value such as [0.1 s, %s], got %s", example, carom_got(n, &quoted));
        return false;
    }
    if (n->count != 2) {
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected a time and a value such as [0.1 s, %s], got a list of %d", example, n->count);
        return false;
    }
    int first = n->first, second = r->tree.nodes[first].next;
    bool has_time = carom_read_number(r, first, CAROM_DIM_TIME, NULL, time), has_value = carom_read_number(r, second, r->driven, NULL, value);
    return has_time && has_value;
}

// Every wrong point is reported. A time is compared with the last one that could be read.
static bool read_points(caromReader *r, int node, double *times, double *values)
{
    int i = 0;
    bool is_good = true;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        if (!read_point(r, c, &times[i], &values[i])) is_good = false;
        else if (i > 0 && !(times[i] > times[i - 1])) {
            carom_reader_error(r, c, CAROM_AT_VALUE, "the times of a table ascend, got %g s behind %g s", times[i], times[i - 1]);
            is_good = false;
        } else i++;
    }
    return is_good;
}

// The arrays live until the draft around them has been handed to the builder.
void carom_read_table(caromReader *r, int node, const caromKey *key, caromFunctionDef *f)
{
    const caromNode *n = &r->tree.nodes[node];
    const char *example = carom_dim_info(r->driven)->example;
    caromQuoted quoted;
    (void)key;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_LIST || n->count < 2) {
        carom_reader_error(r, node, CAROM_AT_VALUE, "expected a list of at least 2 points such as [[0 s, 0], [0.1 s, %s]], got %s", example,
                           n->kind == CAROM_NODE_LIST ? n->count ? "1" : "none" : carom_got(n, &quoted));
        return;
    }
    int count = n->count;
    double *times = malloc((size_t)count*sizeof *times), *values = malloc((size_t)count*sizeof *values);
    if (!times || !values) r->out_of_memory = true;
    if (!times || !values || !read_points(r, node, times, values)) {
        free(times);
        free(values);
        return;
    }
    f->npoint = count;
    f->times = times;
    f->values = values;
}
