// Overrides of the command line: "path=value" replaces or adds one key of the tree before it is read.
//
// The path is followed along the tree and along the key table at once, so that a section that the file does not have
// (simulate.until=2 s) is made, and a misspelt one is not.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "modelfile/modelfile.h"

typedef struct Walk {
    caromReader *r;
    int index;              // of the override
    const char *word;       // of the path, the one being followed
    size_t length;
    bool is_last;
    int node;               // where the walk has come to
    const caromKey *key;    // what that is: NULL or a section: keys of 'section'; otherwise names, a list or components
    caromKey component;     // of a list of functions, as a key of its own
    caromSectionId section;
    int value;              // root of the value
} Walk;

void carom_modelfile_override_path(const char *override, char path[CAROM_PATH_MAX])
{
    size_t n = strcspn(override, "=");
    snprintf(path, CAROM_PATH_MAX, "--set %.*s", (int)(n < CAROM_PATH_MAX ? n : CAROM_PATH_MAX), override);
}

static void fail(const Walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(const Walk *w, const char *format, ...)
{
    char path[CAROM_PATH_MAX], message[800];
    carom_modelfile_override_path(w->r->tree.overrides[w->index], path);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    carom_problem_add(w->r->problems, false, path, "%s", message);
}

static caromQuoted quoted_word(const Walk *w)
{
    char word[CAROM_PATH_MAX];
    snprintf(word, sizeof word, "%.*s", (int)(w->length < sizeof word ? w->length : sizeof word - 1), w->word);
    return carom_modelfile_quoted(word);
}

// Puts the value in place of a child, or as a new child of the walk's node.
static void put(Walk *w, int child)
{
    caromTree *tree = &w->r->tree;
    if (child >= 0) {
        carom_modelfile_tree_replace(tree, child, w->value);
        return;
    }
    const char *key = carom_modelfile_tree_copy(tree, w->word, w->length);
    int fresh = key ? carom_modelfile_tree_add(tree, w->node, CAROM_NODE_REFUSED) : -1;
    if (fresh < 0) {
        w->r->out_of_memory = true;
        return;
    }
    if (tree->nodes[w->node].kind == CAROM_NODE_MAP) tree->nodes[fresh].key = key;
    carom_modelfile_tree_replace(tree, fresh, w->value);
}

// A child that the file does not have but the path goes through: an empty section, or a vector at its default.
static int make_child(Walk *w, const caromKey *key)
{
    caromTree *tree = &w->r->tree;
    bool is_vector = key->fallback && key->fallback[0] == '[';
    int made = -1;
    if (is_vector) {
        if (carom_modelfile_tree_parse(tree, key->fallback, strlen(key->fallback), w->index, w->r->problems,
                                       &made) != CAROM_OK) return -1;
    } else if (key->type == CAROM_KEY_SECTION || key->type == CAROM_KEY_FUNCTION || key->type == CAROM_KEY_PARAMETERS) {
        made = carom_modelfile_tree_add(tree, -1, CAROM_NODE_MAP);
        if (made >= 0) tree->nodes[made].source = w->index;
    } else {
        fail(w, "the model has no %s: nothing to change below it", quoted_word(w).text);
        return -1;
    }
    if (made < 0) {
        w->r->out_of_memory = true;
        return -1;
    }
    int value = w->value;
    w->value = made;
    put(w, -1);
    w->value = value;
    return made;
}

static int follow_key(Walk *w)
{
    char name[CAROM_PATH_MAX], text[600];
    snprintf(name, sizeof name, "%.*s", (int)(w->length < sizeof name ? w->length : sizeof name - 1), w->word);
    const caromKey *key = carom_modelfile_key_find(w->r->format, w->section, w->word, w->length);
    if (!key) {
        const caromUnknownKey unknown = { w->section, -1, name };
        carom_modelfile_key_meant(w->r->format, &unknown, text, sizeof text);
        fail(w, "%s", text);
        return -1;
    }
    int child = carom_modelfile_tree_child(&w->r->tree, w->node, w->word, w->length);
    if (!w->is_last && child < 0) child = make_child(w, key);
    w->key = key;
    w->section = key->opens;
    return child;
}

static int follow_name(Walk *w)
{
    const caromTree *tree = &w->r->tree;
    int child = carom_modelfile_tree_child(tree, w->node, w->word, w->length);
    w->section = w->key->opens;
    if (child >= 0 || w->is_last) {
        w->key = NULL;
        return child;
    }
    const char *known[64];
    int n = 0;
    for (int c = tree->nodes[w->node].first; c >= 0 && n < 64; c = tree->nodes[c].next) known[n++] = tree->nodes[c].key;
    char name[CAROM_PATH_MAX];
    snprintf(name, sizeof name, "%.*s", (int)(w->length < sizeof name ? w->length : sizeof name - 1), w->word);
    const char *near = carom_nearest_name(name, known, n);
    if (near)
        fail(w, "there is no %s in %s, did you mean '%s'?", carom_modelfile_quoted(name).text, w->key->name, near);
    else fail(w, "there is no %s in %s", carom_modelfile_quoted(name).text, w->key->name);
    return -1;
}

static int word_as_index(const Walk *w)
{
    int index = 0;
    if (w->length == 0 || w->length > 7) return -1;
    for (size_t i = 0; i < w->length; i++) {
        if (w->word[i] < '0' || w->word[i] > '9') return -1;
        index = 10*index + (w->word[i] - '0');
    }
    return index;
}

static int follow_index(Walk *w)
{
    int count = w->r->tree.nodes[w->node].count, index = word_as_index(w);
    int child = index >= 0 ? carom_modelfile_tree_element(&w->r->tree, w->node, index) : -1;
    if (child < 0 && !(w->is_last && index == count)) {
        fail(w, "%s has no entry %s: it has %d, counted from 0", w->key->name, quoted_word(w).text, count);
        w->value = -1;
        return -1;
    }
    w->section = w->key->opens;
    w->key = NULL;
    return child;
}

static const char *component_letters(caromKeyType type)
{
    return type == CAROM_KEY_QUATERNION ? "wxyz" : type == CAROM_KEY_PER_SPEED ? "" : "xyz";
}

// Components of a vector: position.z or position.2; below those of a force there are functions.
static int follow_component(Walk *w)
{
    const char *letters = component_letters(w->key->type);
    const char *letter = w->length == 1 ? strchr(letters, w->word[0]) : NULL;
    int index = letter ? (int)(letter - letters) : word_as_index(w);
    int child = index >= 0 ? carom_modelfile_tree_element(&w->r->tree, w->node, index) : -1;
    bool goes_on = w->is_last || w->key->type == CAROM_KEY_FUNCTIONS;
    if (child < 0 || !goes_on) fail(w, "%s has no component %s", w->key->name, quoted_word(w).text);
    w->section = CAROM_IN_FUNCTION;
    w->component = (caromKey){ .name = w->key->name, .type = CAROM_KEY_FUNCTION, .opens = CAROM_IN_FUNCTION };
    if (w->key->type == CAROM_KEY_FUNCTIONS) w->key = &w->component;
    return goes_on ? child : -1;
}

// Points of a polytope by their place; below a point there are its components.
static int follow_point(Walk *w)
{
    const char *name = w->key->name;
    int child = follow_index(w);
    w->component = (caromKey){ .name = name, .type = CAROM_KEY_VECTOR };
    w->key = &w->component;
    return child;
}

// Groups of a body and ignored pairs by their place; below a pair there are its two names.
static int follow_names(Walk *w)
{
    caromKeyType type = w->key->type == CAROM_KEY_IGNORED ? CAROM_KEY_BODY_PAIR : CAROM_KEY_NAME;
    const char *name = w->key->name;
    int child = follow_index(w);
    w->component = (caromKey){ .name = name, .type = type };
    w->key = &w->component;
    return child;
}

// Parameters of a law by their name: one that the file does not have is added.
static int follow_parameter(Walk *w)
{
    int child = carom_modelfile_tree_child(&w->r->tree, w->node, w->word, w->length);
    if (!w->is_last) fail(w, "%s is a value: there is nothing below it", quoted_word(w).text);
    w->component = (caromKey){ .name = w->key->name, .type = CAROM_KEY_NUMBER };
    w->key = &w->component;
    return child;
}

static bool is_list_of_names(const caromKey *key)
{
    return key->type == CAROM_KEY_GROUPS || key->type == CAROM_KEY_IGNORED;
}

static bool is_components(const caromKey *key)
{
    return key->type == CAROM_KEY_VECTOR || key->type == CAROM_KEY_QUATERNION || key->type == CAROM_KEY_INERTIA ||
           key->type == CAROM_KEY_NAME_PAIR || key->type == CAROM_KEY_BODY_PAIR || key->type == CAROM_KEY_PER_SPEED ||
           key->type == CAROM_KEY_FUNCTIONS;
}

// A key whose value may as well be a single quantity, which has nothing below it.
static bool is_quantity(const Walk *w)
{
    return (w->key->type == CAROM_KEY_FUNCTION || w->key->type == CAROM_KEY_PER_SPEED) &&
           w->r->tree.nodes[w->node].kind == CAROM_NODE_SCALAR;
}

// What the file has at the walk's node is not what the key says: the reader will report it.
static bool is_of_other_kind(const Walk *w)
{
    bool wants_list = w->key && (w->key->type == CAROM_KEY_LISTED || w->key->type == CAROM_KEY_POINTS ||
                                 is_list_of_names(w->key) || is_components(w->key));
    return w->r->tree.nodes[w->node].kind != (wants_list ? CAROM_NODE_LIST : CAROM_NODE_MAP);
}

// One word of the path. Gives the child it names, -1 if there is none (yet); sets value to -1 when the walk has failed.
static int follow(Walk *w)
{
    int errors_before = w->r->problems->errors;
    int child = -1;
    if (w->key && is_quantity(w)) fail(w, "'%s' is a value: there is nothing below it", w->key->name);
    else if (!w->key || w->key->type == CAROM_KEY_SECTION || w->key->type == CAROM_KEY_FUNCTION)
        child = is_of_other_kind(w) ? -2 : follow_key(w);
    else if (w->key->type == CAROM_KEY_NAMED) child = is_of_other_kind(w) ? -2 : follow_name(w);
    else if (w->key->type == CAROM_KEY_LISTED) child = is_of_other_kind(w) ? -2 : follow_index(w);
    else if (w->key->type == CAROM_KEY_POINTS) child = is_of_other_kind(w) ? -2 : follow_point(w);
    else if (is_list_of_names(w->key)) child = is_of_other_kind(w) ? -2 : follow_names(w);
    else if (w->key->type == CAROM_KEY_PARAMETERS) child = is_of_other_kind(w) ? -2 : follow_parameter(w);
    else if (is_components(w->key)) child = is_of_other_kind(w) ? -2 : follow_component(w);
    else fail(w, "'%s' is a value: there is nothing below it", w->key->name);
    if (child == -2 || w->r->problems->errors > errors_before || w->r->out_of_memory) w->value = -1;
    return child;
}

static void walk(Walk *w, const char *path, size_t length)
{
    const char *end = path + length;
    for (w->word = path; w->value >= 0; w->word += w->length + 1) {
        w->length = strcspn(w->word, ".=");
        w->is_last = w->word + w->length >= end;
        int child = follow(w);
        if (w->value < 0) return;
        if (w->is_last) {
            put(w, child);
            return;
        }
        w->node = child;
    }
}

// A value that is not text has no line either.
static bool value_is_clean(Walk *w, const char *value, size_t length)
{
    caromProblems found = { 0 };
    bool is_clean = length <= CAROM_MODELFILE_BYTES_MAX && carom_modelfile_text_is_clean(value, length, &found);
    if (!is_clean) fail(w, "%s", found.count ? found.items[0].message : "the value is too long");
    carom_problems_free(&found);
    return is_clean;
}

void carom_modelfile_override_apply(caromReader *r, const char *const *overrides, int index)
{
    const char *text = overrides[index], *equals = strchr(text, '=');
    Walk w = { .r = r, .index = index, .node = r->tree.root, .section = CAROM_IN_TOP, .value = -1 };
    if (!equals || equals == text) {
        fail(&w, "expected PATH=VALUE such as 'simulate.until=2 s', got %s", carom_modelfile_quoted(text).text);
        return;
    }
    const char *value = equals + 1;
    size_t length = strlen(value);
    if (!value_is_clean(&w, value, length)) return;
    if (carom_modelfile_tree_parse(&r->tree, value, length, index, r->problems, &w.value) != CAROM_OK) return;
    if (w.value < 0) {
        w.value = carom_modelfile_tree_add(&r->tree, -1, CAROM_NODE_SCALAR);
        if (w.value < 0) {
            r->out_of_memory = true;
            return;
        }
        r->tree.nodes[w.value].text = "";
        r->tree.nodes[w.value].source = index;
    }
    walk(&w, text, (size_t)(equals - text));
}
