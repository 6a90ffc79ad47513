// YAML text -> tree, by libyaml's events.
//
// The events come one after the other, so nesting costs no stack here; libyaml's own parser is a state machine too.
// What a model file does not need is refused with a message: anchors and aliases (a few bytes of them expand to
// gigabytes), merge keys, tags, several documents, keys that are not plain words.
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "modelfile/modelfile.h"

typedef struct ParseFrame {
    int node;
    const char *key;  // of a mapping: read, its value not yet
    int key_line, key_column;
} ParseFrame;

typedef struct Parse {
    caromTree *tree;
    caromProblems *problems;
    const char *text;
    size_t length;
    int source;  // -1: file; otherwise an override, whose lines are of no interest
    int root, depth, ndocument;
    ParseFrame stack[CAROM_MODELFILE_DEPTH_MAX + 1];
    caromStatus status;
    yaml_parser_t parser;
} Parse;

// An error at a place of the text rather than at a node; ends the parse when fatal.
static void report(Parse *p, yaml_mark_t mark, bool is_fatal, const char *message)
{
    char path[CAROM_PATH_MAX] = "";
    if (p->source >= 0) carom_modelfile_override_path(p->tree->overrides[p->source], path);
    else if (p->depth > 0) carom_modelfile_tree_path(p->tree, p->stack[p->depth - 1].node, path);
    int before = p->problems->count;
    carom_problem_add(p->problems, false, path, "%s", message);
    if (p->problems->count > before && p->source < 0) {
        p->problems->items[before].line = (int)mark.line + 1;
        p->problems->items[before].column = (int)mark.column + 1;
    }
    if (is_fatal) p->status = CAROM_ERR_INPUT;
}

static void fail_memory(Parse *p)
{
    carom_problem_add(p->problems, false, "", "out of memory");
    p->status = CAROM_ERR_MEMORY;
}

// ---- what is refused

static void refuse_anchor(Parse *p, const yaml_event_t *event, const yaml_char_t *anchor)
{
    char message[400];
    snprintf(message, sizeof message, "anchors and aliases are not accepted in a model file: drop anchor %s",
             carom_modelfile_quoted((const char *)anchor).text);
    report(p, event->start_mark, false, message);
}

static void refuse_tag(Parse *p, const yaml_event_t *event, const yaml_char_t *tag)
{
    char message[400], written[80];
    bool is_standard = strncmp((const char *)tag, "tag:yaml.org,2002:", 18) == 0;
    snprintf(written, sizeof written, "%s%.60s", is_standard ? "!!" : "", (const char *)tag + (is_standard ? 18 : 0));
    snprintf(message, sizeof message, "tags are not accepted in a model file: drop %s",
             carom_modelfile_quoted(written).text);
    report(p, event->start_mark, false, message);
}

static void check_properties(Parse *p, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT: anchor = event->data.scalar.anchor, tag = event->data.scalar.tag; break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
        break;
    default: break;
    }
    if (anchor) refuse_anchor(p, event, anchor);
    if (tag) refuse_tag(p, event, tag);
}

// ---- nodes

static bool awaits_key(const Parse *p)
{
    if (p->depth == 0) return false;
    const ParseFrame *top = &p->stack[p->depth - 1];
    return p->tree->nodes[top->node].kind == CAROM_NODE_MAP && top->key == NULL;
}

static bool count_node(Parse *p, yaml_mark_t mark)
{
    if (++p->tree->seen <= CAROM_MODELFILE_NODES_MAX) return true;
    char message[120];
    snprintf(message, sizeof message, "more than %d keys, values, lists and mappings: the file is too large",
             CAROM_MODELFILE_NODES_MAX);
    report(p, mark, true, message);
    return false;
}

static int add_node(Parse *p, const yaml_event_t *event, caromNodeKind kind)
{
    ParseFrame *top = p->depth ? &p->stack[p->depth - 1] : NULL;
    int i = carom_modelfile_tree_add(p->tree, top ? top->node : -1, kind);
    if (i < 0) {
        fail_memory(p);
        return -1;
    }
    caromNode *node = &p->tree->nodes[i];
    node->source = p->source;
    if (p->source < 0) {
        node->line = (int)event->start_mark.line + 1;
        node->column = (int)event->start_mark.column + 1;
    }
    if (top && top->key) {
        node->key = top->key;
        node->key_line = p->source < 0 ? top->key_line : 0;
        node->key_column = p->source < 0 ? top->key_column : 0;
        top->key = NULL;
    }
    if (!top) p->root = i;
    return i;
}

static void on_key(Parse *p, const yaml_event_t *event, const char *text)
{
    ParseFrame *top = &p->stack[p->depth - 1];
    top->key = text;
    top->key_line = (int)event->start_mark.line + 1;
    top->key_column = (int)event->start_mark.column + 1;
}

static void on_scalar(Parse *p, const yaml_event_t *event)
{
    if (!count_node(p, event->start_mark)) return;
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(value, 0, length)) {
        report(p, event->start_mark, true, "a NUL character cannot be in a model file");
        return;
    }
    const char *text = carom_modelfile_tree_copy(p->tree, value, length);
    if (!text) {
        fail_memory(p);
        return;
    }
    if (awaits_key(p)) {
        on_key(p, event, text);
        return;
    }
    int i = add_node(p, event, CAROM_NODE_SCALAR);
    if (i >= 0) p->tree->nodes[i].text = text;
}

static void on_alias(Parse *p, const yaml_event_t *event)
{
    char message[400];
    snprintf(message, sizeof message, "anchors and aliases are not accepted in a model file: write out what "
             "%s stands for", carom_modelfile_quoted((const char *)event->data.alias.anchor).text);
    bool is_key = awaits_key(p);
    report(p, event->start_mark, is_key, message);
    if (is_key || !count_node(p, event->start_mark)) return;
    int i = add_node(p, event, CAROM_NODE_REFUSED);
    if (i >= 0) carom_modelfile_tree_mark_wrong(p->tree, i);
}

static void on_start(Parse *p, const yaml_event_t *event, caromNodeKind kind)
{
    if (!count_node(p, event->start_mark)) return;
    if (awaits_key(p)) {
        report(p, event->start_mark, true,
               kind == CAROM_NODE_LIST ? "a key must be a word, not a list" : "a key must be a word, not a mapping");
        return;
    }
    if (p->depth == CAROM_MODELFILE_DEPTH_MAX) {
        char message[80];
        snprintf(message, sizeof message, "nested more than %d levels deep", CAROM_MODELFILE_DEPTH_MAX);
        report(p, event->start_mark, true, message);
        return;
    }
    int i = add_node(p, event, kind);
    if (i >= 0) p->stack[p->depth++] = (ParseFrame){ .node = i };
}

// ---- duplicate and merge keys, when a mapping is complete

typedef struct KeyOf { const char *key; int node; } KeyOf;

static int compare_keys(const void *a, const void *b)
{
    const KeyOf *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static void refuse_key(Parse *p, int node, int first)
{
    caromNode *n = &p->tree->nodes[node];
    if (first < 0) {
        carom_modelfile_tree_error(p->tree, p->problems, node, CAROM_AT_KEY,
                                   "merge keys ('<<') are not accepted in a model file: write out what is merged");
        carom_modelfile_tree_mark_wrong(p->tree, n->parent);  // what it lacks may have been in there
    } else if (p->source >= 0) {
        carom_modelfile_tree_error(p->tree, p->problems, node, CAROM_AT_KEY, "duplicate key %s",
                                   carom_modelfile_quoted(n->key).text);
    } else {
        carom_modelfile_tree_error(p->tree, p->problems, node, CAROM_AT_KEY, "duplicate key %s, first on line %d",
                                   carom_modelfile_quoted(n->key).text, p->tree->nodes[first].key_line);
    }
    n->kind = CAROM_NODE_REFUSED;
}

// Sorted, so that a mapping of half a million keys costs n log n.
static void check_keys(Parse *p, int map)
{
    int n = p->tree->nodes[map].count;
    KeyOf few[32], *keys = few;
    if (n > 32 && !(keys = carom_alloc_array((size_t)n, sizeof *keys))) {
        fail_memory(p);
        return;
    }
    int k = 0;
    for (int c = p->tree->nodes[map].first; c >= 0; c = p->tree->nodes[c].next)
        keys[k++] = (KeyOf){ p->tree->nodes[c].key, c };
    qsort(keys, (size_t)n, sizeof *keys, compare_keys);
    for (int i = 0, first = 0; i < n; i++) {
        if (strcmp(keys[i].key, keys[first].key) != 0) first = i;
        if (strcmp(keys[i].key, "<<") == 0) refuse_key(p, keys[i].node, -1);
        else if (i > first) refuse_key(p, keys[i].node, keys[first].node);
    }
    if (keys != few) free(keys);
}

static void on_end(Parse *p)
{
    int node = p->stack[--p->depth].node;
    if (p->tree->nodes[node].kind == CAROM_NODE_MAP) check_keys(p, node);
}

static void on_document(Parse *p, const yaml_event_t *event)
{
    if (p->ndocument++ > 0) report(p, event->start_mark, true, "a second document starts here: a model file has one");
}

static void on_event(Parse *p, const yaml_event_t *event)
{
    check_properties(p, event);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: on_document(p, event); break;
    case YAML_ALIAS_EVENT: on_alias(p, event); break;
    case YAML_SCALAR_EVENT: on_scalar(p, event); break;
    case YAML_SEQUENCE_START_EVENT: on_start(p, event, CAROM_NODE_LIST); break;
    case YAML_MAPPING_START_EVENT: on_start(p, event, CAROM_NODE_MAP); break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: on_end(p); break;
    default: break;
    }
}

// ---- syntax errors

static size_t offset_of(const Parse *p, yaml_mark_t mark)
{
    size_t i = 0, line = 0, column = 0;
    for (; line < mark.line && i < p->length; i++) line += p->text[i] == '\n';
    for (; i < p->length && column < mark.column; i++)
        column += i + 1 < p->length && ((unsigned char)p->text[i + 1] & 0xC0) != 0x80;
    return i;
}

static bool has_character(const Parse *p, yaml_mark_t mark, char c)
{
    size_t i = offset_of(p, mark);
    return i < p->length && p->text[i] == c;
}

// [0, 0, 1] m
static bool is_behind_bracket(const Parse *p, yaml_mark_t mark)
{
    size_t i = offset_of(p, mark);
    while (i > 0 && p->text[i - 1] == ' ') i--;
    return i > 0 && i < p->length && (p->text[i - 1] == ']' || p->text[i - 1] == '}');
}

static void report_syntax(Parse *p)
{
    const yaml_parser_t *y = &p->parser;
    if (y->error == YAML_MEMORY_ERROR) {
        fail_memory(p);
        return;
    }
    char message[300];
    const char *what = y->problem ? y->problem : "unreadable";
    bool has_context = y->context && strncmp(y->context, "while", 5) == 0 && p->source < 0 &&
                       y->context_mark.index != y->problem_mark.index;
    if (has_character(p, y->problem_mark, '\t')) {
        snprintf(message, sizeof message, "a tab cannot indent YAML: use spaces");
    } else if (is_behind_bracket(p, y->problem_mark)) {
        snprintf(message, sizeof message, "not valid YAML: nothing can follow the closing bracket; units go inside, "
                 "as in [0, 0, 1 m]");
    } else if (has_context) {
        snprintf(message, sizeof message, "not valid YAML: %s %s that starts on line %zu, column %zu", what, y->context,
                 y->context_mark.line + 1, y->context_mark.column + 1);
    } else {
        snprintf(message, sizeof message, "not valid YAML: %s", what);
    }
    report(p, y->problem_mark, true, message);
}

static void parse_events(Parse *p)
{
    bool is_done = false;
    while (!is_done && p->status == CAROM_OK) {
        yaml_event_t event;
        if (!yaml_parser_parse(&p->parser, &event)) {
            report_syntax(p);
            return;
        }
        is_done = event.type == YAML_STREAM_END_EVENT;
        on_event(p, &event);
        yaml_event_delete(&event);
    }
}

caromStatus carom_modelfile_tree_parse(caromTree *tree, const char *text, size_t length, int source,
                                       caromProblems *problems, int *root)
{
    Parse p = { .tree = tree, .problems = problems, .text = text, .length = length, .source = source, .root = -1 };
    if (!yaml_parser_initialize(&p.parser)) {
        fail_memory(&p);
        return p.status;
    }
    yaml_parser_set_encoding(&p.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&p.parser, (const unsigned char *)text, length);
    parse_events(&p);
    yaml_parser_delete(&p.parser);
    *root = p.root;
    return p.status;
}
