// The tree of a model file: an array of nodes that name each other by index, and one pool of strings.
#include <stdio.h>
#include <string.h>

#include "geometry/geometry.h"
#include "modelfile/modelfile.h"

#define TEXT_BLOCK 65536

struct caromText {
    caromText *next;
    size_t used, size;
    char bytes[];
};

void carom_modelfile_tree_init(caromTree *tree)
{
    *tree = (caromTree){ .root = -1 };
}

void carom_modelfile_tree_free(caromTree *tree)
{
    while (tree->strings) {
        caromText *next = tree->strings->next;
        free(tree->strings);
        tree->strings = next;
    }
    free(tree->nodes);
    carom_modelfile_tree_init(tree);
}

const char *carom_modelfile_tree_copy(caromTree *tree, const char *text, size_t length)
{
    caromText *block = tree->strings;
    if (!block || block->size - block->used <= length) {
        size_t size = length < TEXT_BLOCK ? TEXT_BLOCK : length + 1;
        block = malloc(sizeof *block + size);
        if (!block) return NULL;
        *block = (caromText){ .next = tree->strings, .size = size };
        tree->strings = block;
    }
    char *copy = block->bytes + block->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    block->used += length + 1;
    return copy;
}

int carom_modelfile_tree_add(caromTree *tree, int parent, caromNodeKind kind)
{
    if (tree->count == tree->capacity) {
        int capacity = tree->capacity ? 2*tree->capacity : 64;
        caromNode *nodes = realloc(tree->nodes, (size_t)capacity*sizeof *nodes);
        if (!nodes) return -1;
        tree->nodes = nodes;
        tree->capacity = capacity;
    }
    int i = tree->count++;
    tree->nodes[i] = (caromNode){ .kind = kind, .parent = parent, .first = -1, .last = -1, .next = -1, .source = -1 };
    if (parent < 0) return i;
    caromNode *p = &tree->nodes[parent];
    if (p->last >= 0) tree->nodes[p->last].next = i;
    else p->first = i;
    p->last = i;
    p->count++;
    return i;
}

int carom_modelfile_tree_child(const caromTree *tree, int map, const char *key, size_t length)
{
    if (map < 0 || tree->nodes[map].kind != CAROM_NODE_MAP) return -1;
    for (int c = tree->nodes[map].first; c >= 0; c = tree->nodes[c].next)
        if (strncmp(tree->nodes[c].key, key, length) == 0 && tree->nodes[c].key[length] == '\0') return c;
    return -1;
}

int carom_modelfile_tree_element(const caromTree *tree, int list, int index)
{
    if (list < 0 || tree->nodes[list].kind != CAROM_NODE_LIST) return -1;
    for (int c = tree->nodes[list].first; c >= 0; c = tree->nodes[c].next)
        if (index-- == 0) return c;
    return -1;
}

// Puts new_node (the root of another document) where old_node is. The key stays that of the old one.
void carom_modelfile_tree_replace(caromTree *tree, int old_node, int new_node)
{
    caromNode *old = &tree->nodes[old_node], *fresh = &tree->nodes[new_node];
    fresh->key = old->key;
    fresh->parent = old->parent;
    fresh->next = old->next;
    if (old->parent < 0) {
        tree->root = new_node;
        return;
    }
    caromNode *p = &tree->nodes[old->parent];
    if (p->last == old_node) p->last = new_node;
    if (p->first == old_node) {
        p->first = new_node;
        return;
    }
    int c = p->first;
    while (tree->nodes[c].next != old_node) c = tree->nodes[c].next;
    tree->nodes[c].next = new_node;
}

static int index_in_parent(const caromTree *tree, int node)
{
    int i = 0;
    for (int c = tree->nodes[tree->nodes[node].parent].first; c >= 0 && c != node; c = tree->nodes[c].next) i++;
    return i;
}

// "pairs.0.friction", cut when it is too long. Written from the end towards the root.
void carom_modelfile_tree_path(const caromTree *tree, int node, char path[CAROM_PATH_MAX])
{
    int chain[CAROM_MODELFILE_DEPTH_MAX + 2];
    int depth = 0;
    for (int i = node; i >= 0 && tree->nodes[i].parent >= 0 && depth < CAROM_MODELFILE_DEPTH_MAX + 2;
         i = tree->nodes[i].parent)
        chain[depth++] = i;
    size_t n = 0;
    path[0] = '\0';
    while (depth-- > 0 && n < CAROM_PATH_MAX) {
        int i = chain[depth];
        const char *dot = n ? "." : "";
        int written = tree->nodes[i].key ? snprintf(path + n, CAROM_PATH_MAX - n, "%s%s", dot, tree->nodes[i].key)
                                         : snprintf(path + n, CAROM_PATH_MAX - n, "%s%d", dot,
                                                    index_in_parent(tree, i));
        n += (size_t)written;
    }
    for (char *s = path; *s; s++)
        if ((unsigned char)*s < 0x20) *s = '?';
}

void carom_modelfile_tree_place(const caromTree *tree, int node, caromSpot spot, caromProblem *problem)
{
    const caromNode *n = &tree->nodes[node];
    bool is_at_key = spot == CAROM_AT_KEY && n->key_line > 0;
    problem->line = is_at_key ? n->key_line : n->line;
    problem->column = is_at_key ? n->key_column : n->column;
}

// Problems of an override have no line; their path is that of the option.
static void problem_path(const caromTree *tree, int node, char path[CAROM_PATH_MAX])
{
    int source = node >= 0 ? tree->nodes[node].source : -1;
    if (source < 0) {
        carom_modelfile_tree_path(tree, node, path);
        return;
    }
    carom_modelfile_override_path(tree->overrides[source], path);
}

// The later of two by their overrides; the first if it is the same one.
static int later(const caromTree *tree, int a, int b)
{
    return tree->nodes[b].source > tree->nodes[a].source ? b : a;
}

int carom_modelfile_tree_overridden(const caromTree *tree, int node)
{
    int changed = node;
    if (tree->nodes[node].kind != CAROM_NODE_LIST) return node;
    for (int c = tree->nodes[node].first; c >= 0; c = tree->nodes[c].next) {
        if (tree->nodes[c].kind == CAROM_NODE_SCALAR) changed = later(tree, changed, c);
        if (tree->nodes[c].kind != CAROM_NODE_LIST) continue;
        changed = later(tree, changed, c);
        for (int k = tree->nodes[c].first; k >= 0; k = tree->nodes[k].next) changed = later(tree, changed, k);
    }
    return changed;
}

void carom_modelfile_tree_name_override(const caromTree *tree, int node, caromProblem *problem)
{
    if (tree->nodes[node].source < 0) return;
    char path[CAROM_PATH_MAX];
    problem_path(tree, node, path);
    char *copy = carom_strdup(path);
    if (!copy) return;
    free(problem->path);
    problem->path = copy;
}

void carom_modelfile_tree_mark_wrong(caromTree *tree, int node)
{
    tree->nodes[node].is_wrong = true;
    for (int i = node; i >= 0 && !tree->nodes[i].has_wrong; i = tree->nodes[i].parent) tree->nodes[i].has_wrong = true;
}

void carom_modelfile_tree_error(caromTree *tree, caromProblems *problems, int node, caromSpot spot, const char *format,
                                ...)
{
    char message[1024], path[CAROM_PATH_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    problem_path(tree, node, path);
    int before = problems->count;
    carom_problem_add(problems, false, path, "%s", message);
    if (problems->count > before) carom_modelfile_tree_place(tree, node, spot, &problems->items[before]);
    carom_modelfile_tree_mark_wrong(tree, node);
}

// The one coordinate of a joint that the file gives, for the builder's 'position', or the one speed, for its
// 'velocity'.
static int step_to_state(const caromTree *tree, int joint, bool is_speed)
{
    int found = -1;
    for (int c = tree->nodes[joint].first; c >= 0; c = tree->nodes[c].next) {
        const char *name = tree->nodes[c].key;
        if (!carom_modelfile_is_state(name, is_speed)) continue;
        if (found >= 0) return -1;
        found = c;
    }
    return found;
}

// Joints: what the builder calls axis may be an orientation in the file, and so on.
static int step_in_joint(const caromTree *tree, int joint, const char *word, size_t n)
{
    static const char *const others[][2] = { { "axis", "orientation" }, { "axis", "child_axis" },
                                             { "axis", "child_orientation" }, { "at", "child_at" } };
    if (n == 8 && memcmp(word, "position", n) == 0) return step_to_state(tree, joint, false);
    if (n == 8 && memcmp(word, "velocity", n) == 0) return step_to_state(tree, joint, true);
    for (size_t i = 0; i < sizeof others/sizeof others[0]; i++) {
        if (strlen(others[i][0]) != n || memcmp(others[i][0], word, n) != 0) continue;
        int child = carom_modelfile_tree_child(tree, joint, others[i][1], strlen(others[i][1]));
        if (child >= 0) return child;
    }
    return -1;
}

static bool is_in(const caromTree *tree, int node, const char *section)
{
    int parent = tree->nodes[node].parent;
    return parent >= 0 && tree->nodes[parent].parent == tree->root && tree->nodes[parent].key &&
           strcmp(tree->nodes[parent].key, section) == 0;
}

static bool has_dimension(const caromShapeRow *row, const char *word, size_t n)
{
    if (row->rounding && n == 8 && memcmp(word, "rounding", n) == 0) return true;
    for (int i = 0; i < 3 && row->dimensions[i].name; i++)
        if (strlen(row->dimensions[i].name) == n && memcmp(row->dimensions[i].name, word, n) == 0) return true;
    return false;
}

// A dimension of a shape, one level down under its kind; that mapping itself where the dimension is not given.
static int step_to_dimension(const caromTree *tree, int shape, const char *word, size_t n)
{
    for (int k = 0; k < CAROM_SHAPE_KINDS; k++) {
        const caromShapeRow *row = carom_shape_row((caromShapeKind)k);
        int inner = carom_modelfile_tree_child(tree, shape, row->name, strlen(row->name));
        if (inner < 0 || !has_dimension(row, word, n)) continue;
        int dimension = carom_modelfile_tree_child(tree, inner, word, n);
        return dimension >= 0 ? dimension : inner;
    }
    return -1;
}

// One step of a builder's path. Some things are called differently in the file: a single 'shape' is the builder's
// shapes.shape, the dimensions of a shape are one level down, under its kind, and joints name their coordinates.
static int step(const caromTree *tree, int node, const char *word, size_t n)
{
    if (tree->nodes[node].kind == CAROM_NODE_LIST) {
        int index = 0;
        for (size_t i = 0; i < n; i++) {
            if (word[i] < '0' || word[i] > '9' || index > CAROM_MODELFILE_NODES_MAX) return -1;
            index = 10*index + (word[i] - '0');
        }
        return n ? carom_modelfile_tree_element(tree, node, index) : -1;
    }
    int child = carom_modelfile_tree_child(tree, node, word, n);
    if (child >= 0) return child;
    if (n == 6 && strncmp(word, "groups", n) == 0) return carom_modelfile_tree_child(tree, node, "group", 5);
    if (is_in(tree, node, "joints")) return step_in_joint(tree, node, word, n);
    return step_to_dimension(tree, node, word, n);
}

// What the builder finds wrong with a function of time is in its expression, if it has one: most others are checked
// when they are read. Of the three components of a force, the only one with an expression.
static int find_expression(const caromTree *tree, int node)
{
    int found = carom_modelfile_tree_child(tree, node, "expression", 10);
    if (tree->nodes[node].kind != CAROM_NODE_LIST) return found >= 0 ? found : node;
    for (int c = tree->nodes[node].first; c >= 0; c = tree->nodes[c].next) {
        int expression = carom_modelfile_tree_child(tree, c, "expression", 10);
        if (expression < 0) continue;
        if (found >= 0) return node;
        found = expression;
    }
    return found >= 0 ? found : node;
}

int carom_modelfile_tree_find(const caromTree *tree, const char *path)
{
    int node = tree->root;
    while (node >= 0 && *path) {
        size_t n = strcspn(path, ".");
        int next = -1;
        if (strncmp(path, "shapes.shape", 12) == 0 && (path[12] == '.' || path[12] == '\0'))
            next = step(tree, node, "shape", 5);
        if (next >= 0) n = 12;
        else next = step(tree, node, path, n);
        if (next < 0) return node;
        node = next;
        path += n;
        path += *path == '.';
    }
    return node >= 0 ? find_expression(tree, node) : node;
}
