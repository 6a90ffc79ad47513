// carom_modelfile_read: text -> tree -> definitions -> model, with every problem of the way in one list.
//
// The builder runs even when the file has errors, so that all of them are listed at once; what it says about a thing
// that is already known to be wrong is dropped.
#include <stdio.h>
#include <string.h>

#include "modelfile/modelfile.h"

void carom_modelfile_reader_error(caromReader *r, int node, caromSpot spot, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    carom_modelfile_tree_error(&r->tree, r->problems, node, spot, "%s", message);
}

// The thing stays right: what the builder says about it is kept.
void carom_modelfile_reader_warning(caromReader *r, int node, caromSpot spot, const char *format, ...)
{
    char message[1024], path[CAROM_PATH_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    carom_modelfile_tree_path(&r->tree, node, path);
    int before = r->problems->count;
    carom_problem_add(r->problems, true, path, "%s", message);
    if (r->problems->count == before) return;
    carom_modelfile_tree_place(&r->tree, node, spot, &r->problems->items[before]);
    carom_modelfile_tree_name_override(&r->tree, node, &r->problems->items[before]);
}

// ---- sections

static bool is_kind(caromReader *r, int node, caromNodeKind kind, const char *what, const char *example)
{
    const caromNode *n = &r->tree.nodes[node];
    if (n->kind == kind) return true;
    if (n->kind == CAROM_NODE_REFUSED) return false;
    caromQuoted quoted;
    carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected %s such as %s, got %s", what, example,
                                 carom_modelfile_got(n, &quoted));
    return false;
}

// A section whose values go to a draft of its own.
static void read_drafted(caromReader *r, int node, caromSectionId id)
{
    caromDraft draft;
    carom_modelfile_read_section(r, node, id, &draft);
}

static void read_named(caromReader *r, int node, const caromKey *key)
{
    const caromSection *inner = carom_modelfile_section(r->format, key->opens);
    if (!is_kind(r, node, CAROM_NODE_MAP, "a mapping of names", key->example)) return;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        if (r->tree.nodes[c].kind == CAROM_NODE_REFUSED) continue;
        if (!carom_modelfile_name_is_good(r->tree.nodes[c].key)) {
            carom_modelfile_reader_error(r, c, CAROM_AT_KEY, "%s is not a name: expected a letter, "
                                         "then letters, digits, '_' or '-', at most %d in all",
                                         carom_modelfile_quoted(r->tree.nodes[c].key).text, CAROM_NAME_MAX);
            continue;
        }
        if (is_kind(r, c, CAROM_NODE_MAP, inner->title, inner->example)) read_drafted(r, c, key->opens);
    }
}

static void read_listed(caromReader *r, int node, const caromKey *key)
{
    const caromSection *inner = carom_modelfile_section(r->format, key->opens);
    if (!is_kind(r, node, CAROM_NODE_LIST, "a list", key->example)) return;
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next)
        if (is_kind(r, c, CAROM_NODE_MAP, inner->title, inner->example)) read_drafted(r, c, key->opens);
}

static void read_nested(caromReader *r, int node, const caromKey *key, void *draft)
{
    if (!is_kind(r, node, CAROM_NODE_MAP, "a mapping", key->example)) return;
    if (carom_modelfile_section(r->format, key->opens)->has_draft) read_drafted(r, node, key->opens);
    else carom_modelfile_read_section(r, node, key->opens, (char *)draft + key->at);
}

static void read_key(caromReader *r, int node, const caromKey *key, void *draft)
{
    switch (key->type) {
    case CAROM_KEY_SECTION: read_nested(r, node, key, draft); break;
    case CAROM_KEY_NAMED: read_named(r, node, key); break;
    case CAROM_KEY_LISTED: read_listed(r, node, key); break;
    default: carom_modelfile_read_value(r, node, key, key->at == (size_t)-1 ? NULL : (char *)draft + key->at); break;
    }
}

// Reports an unknown key and gives what was probably meant, if that is not there anyway. It is then read as if it had
// been spelt right: its value is checked too, and nothing is said to be missing.
static const caromKey *report_unknown(caromReader *r, int node, caromSectionId id)
{
    char text[600];
    if (r->problems->truncated) {  // nobody will read it, and a suggestion takes time
        carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "unknown key");
        return NULL;
    }
    int kind = r->joint && r->joint->has_kind ? (int)r->joint->def.kind : -1;
    const caromUnknownKey unknown = { id, kind, r->tree.nodes[node].key };
    const caromKey *meant = carom_modelfile_key_meant(r->format, &unknown, text, sizeof text);
    carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "%s", text);
    if (!meant || carom_modelfile_tree_child(&r->tree, r->tree.nodes[node].parent, meant->name,
                                             strlen(meant->name)) >= 0) return NULL;
    r->tree.nodes[node].key = meant->name;
    return meant;
}

static void check_required(caromReader *r, int node, caromSectionId id)
{
    const caromKey *key;
    for (int i = 0; (key = carom_modelfile_key(r->format, i)); i++) {
        if (key->in != id || !key->required) continue;
        if (carom_modelfile_tree_child(&r->tree, node, key->name, strlen(key->name)) >= 0) continue;
        const char *example = key->dim == CAROM_DIM_DRIVEN ? carom_modelfile_dim_info(r->driven)->example
                                                           : key->example;
        carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "%s needs the key '%s', such as %s: %s",
                                     carom_modelfile_section(r->format, id)->title, key->name, key->name, example);
    }
}

// ---- alternatives: "axis+angle|quaternion|angles"

typedef struct Alternative {
    int present;               // node of the first of its keys that is there; -1: none
    const caromKey *missing;   // one that is not
} Alternative;

static Alternative look_at_alternative(caromReader *r, int node, caromSectionId id, const char *names, size_t length)
{
    Alternative a = { .present = -1 };
    for (size_t i = 0; i < length;) {
        size_t n = strcspn(names + i, "+|;");
        int child = carom_modelfile_tree_child(&r->tree, node, names + i, n);
        if (child < 0) a.missing = carom_modelfile_key_find(r->format, id, names + i, n);
        else if (a.present < 0) a.present = child;
        i += n + 1;
    }
    return a;
}

static void list_choices(const char *choices, size_t length, char *text, size_t n)
{
    size_t used = 0;
    for (const char *s = choices, *end = s + length; s < end && used + 8 < n; s++) {
        if (*s == '|')
            used += (size_t)snprintf(text + used, n - used, memchr(s + 1, '|', (size_t)(end - s) - 1) ? ", " : " or ");
        else if (*s == '+') used += (size_t)snprintf(text + used, n - used, " with ");
        else text[used++] = *s, text[used] = '\0';
    }
}

static void check_choice(caromReader *r, int node, caromSectionId id, const char *choice, size_t length)
{
    const caromSection *section = carom_modelfile_section(r->format, id);
    int taken = -1;
    for (size_t i = 0; i < length;) {
        size_t n = strcspn(choice + i, "|;");
        Alternative a = look_at_alternative(r, node, id, choice + i, n);
        if (a.present >= 0 && taken >= 0)
            carom_modelfile_reader_error(r, a.present, CAROM_AT_KEY, "'%s' and '%s' exclude each other: "
                                         "give one of them", r->tree.nodes[taken].key, r->tree.nodes[a.present].key);
        else if (a.present >= 0 && a.missing)
            carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "'%s' needs '%s' beside it, such as %s: %s",
                                         r->tree.nodes[a.present].key, a.missing->name, a.missing->name,
                                         a.missing->example);
        if (a.present >= 0 && taken < 0) taken = a.present;
        i += n + 1;
    }
    if (taken >= 0 || !section->choice_required) return;
    char list[200] = "";
    list_choices(choice, length, list, sizeof list);
    carom_modelfile_reader_error(r, node, CAROM_AT_KEY, "%s needs %s", section->title, list);
}

static void check_choices(caromReader *r, int node, caromSectionId id)
{
    const char *s = carom_modelfile_section(r->format, id)->choices;
    while (s && *s) {
        size_t n = strcspn(s, ";");
        check_choice(r, node, id, s, n);
        s += n + (s[n] == ';');
    }
}

void carom_modelfile_read_section(caromReader *r, int node, caromSectionId id, void *draft)
{
    const caromSection *section = carom_modelfile_section(r->format, id);
    if (section->begin) section->begin(r, node, draft);
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        if (r->tree.nodes[c].kind == CAROM_NODE_REFUSED) continue;
        const char *name = r->tree.nodes[c].key;
        const caromKey *key = carom_modelfile_key_find(r->format, id, name, strlen(name));
        if (!key) key = report_unknown(r, c, id);
        if (key && (!section->accepts || section->accepts(r, c, key))) read_key(r, c, key, draft);
    }
    check_required(r, node, id);
    check_choices(r, node, id);
    if (section->end) section->end(r, node, draft);
}

// ---- what the builder says

static int find_builder_path(const caromReader *r, const char *path)
{
    int k, n = 0;
    if (sscanf(path, "pairs.%d%n", &k, &n) != 1 || n == 0 || k < 0 || k >= r->npair)
        return carom_modelfile_tree_find(&r->tree, path);
    char in_file[CAROM_PATH_MAX];
    snprintf(in_file, sizeof in_file, "pairs.%d%s", r->pair_index[k], path + n);
    return carom_modelfile_tree_find(&r->tree, in_file);
}

static bool is_known_to_be_wrong(const caromReader *r, int node)
{
    if (r->tree.nodes[node].has_wrong) return true;
    for (int i = node; i >= 0; i = r->tree.nodes[i].parent)
        if (r->tree.nodes[i].is_wrong) return true;
    return false;
}

static bool is_repeated(const caromProblems *list, int first, int count, const caromProblem *p)
{
    for (int i = first; i < count; i++) {
        const caromProblem *q = &list->items[i];
        if (q->line == p->line && q->column == p->column && strcmp(q->message, p->message) == 0) return true;
    }
    return false;
}

static void drop(caromProblems *list, caromProblem *p)
{
    if (!p->is_warning) list->errors--;
    free(p->path);
    free(p->message);
}

// Of a list, the element that the message quotes: the one of two materials that is unknown, say.
static int quoted_element(const caromReader *r, int list, const char *message)
{
    for (int c = r->tree.nodes[list].first; c >= 0; c = r->tree.nodes[c].next) {
        const caromNode *n = &r->tree.nodes[c];
        if (n->kind == CAROM_NODE_SCALAR && n->text[0] && strstr(message, carom_modelfile_quoted(n->text).text))
            return c;
    }
    return list;
}

// A body (or its shape: "BODY.SHAPE") that the file has and the builder does not know: it could not be read,
// and that was reported.
static bool is_unread_body(const caromReader *r, int node, const char *message)
{
    const caromNode *n = &r->tree.nodes[node];
    int bodies = carom_modelfile_tree_child(&r->tree, r->tree.root, "bodies", 6);
    bool misses_body = strncmp(message, "unknown body ", 13) == 0,
         misses_shape = strstr(message, " has no shape '") != NULL;
    if (n->kind != CAROM_NODE_SCALAR || bodies < 0 || !(misses_body || misses_shape)) return false;
    if (r->tree.nodes[bodies].kind != CAROM_NODE_MAP) return true;
    int body = carom_modelfile_tree_child(&r->tree, bodies, n->text, strcspn(n->text, "."));
    return body >= 0 && (misses_body || r->tree.nodes[body].has_wrong);
}

// Problems at first... come from the builder: gives them a place, drops what follows from errors in the file.
static void place_problems(caromReader *r, int first)
{
    caromProblems *list = r->problems;
    int kept = first;
    for (int i = first; i < list->count; i++) {
        caromProblem p = list->items[i];
        int node = find_builder_path(r, p.path);
        bool is_mapping = r->tree.nodes[node].kind == CAROM_NODE_MAP;
        if (r->tree.nodes[node].kind == CAROM_NODE_LIST) node = quoted_element(r, node, p.message);
        node = carom_modelfile_tree_overridden(&r->tree, node);
        carom_modelfile_tree_place(&r->tree, node, is_mapping ? CAROM_AT_KEY : CAROM_AT_VALUE, &p);
        bool is_consequence = !p.is_warning && (is_known_to_be_wrong(r, node) || is_unread_body(r, node, p.message));
        if (is_consequence || is_repeated(list, first, kept, &p)) {
            drop(list, &p);
            continue;
        }
        carom_modelfile_tree_name_override(&r->tree, node, &p);
        list->items[kept++] = p;
    }
    list->count = kept;
}

static bool comes_before(const caromProblem *a, const caromProblem *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

// Stable insertion sort: there are at most CAROM_PROBLEMS_MAX of them.
static void sort_problems(caromProblems *list, int first)
{
    for (int i = first + 1; i < list->count; i++) {
        caromProblem p = list->items[i];
        int j = i;
        for (; j > first && comes_before(&p, &list->items[j - 1]); j--) list->items[j] = list->items[j - 1];
        list->items[j] = p;
    }
}

// ---- the whole

static void report_at(caromProblems *problems, int line, int column, const char *message)
{
    int before = problems->count;
    carom_problem_add(problems, false, "", "%s", message);
    if (problems->count == before) return;
    problems->items[before].line = line;
    problems->items[before].column = column;
}

static bool parse_file(caromReader *r, const char *text, size_t length)
{
    char message[120];
    if (length > CAROM_MODELFILE_BYTES_MAX) {
        snprintf(message, sizeof message, "the file has %zu bytes, more than the limit of %d MiB", length,
                 CAROM_MODELFILE_BYTES_MAX >> 20);
        report_at(r->problems, 1, 1, message);
        return false;
    }
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (!carom_modelfile_text_is_clean(text, length, r->problems)) return false;
    if (carom_modelfile_tree_parse(&r->tree, text, length, -1, r->problems, &r->tree.root) != CAROM_OK) return false;
    if (r->tree.root < 0) {
        report_at(r->problems, 1, 1, "the file is empty: a model starts with 'carom: 1'");
        return false;
    }
    return is_kind(r, r->tree.root, CAROM_NODE_MAP, "a mapping of keys", "'carom: 1'");
}

static caromStatus build(caromReader *r, caromModel **model)
{
    r->builder = carom_builder_create();
    if (!r->builder) return CAROM_ERR_MEMORY;
    caromTopDraft top = { carom_model_settings_def() };
    int errors_before = r->problems->errors;
    carom_modelfile_read_section(r, r->tree.root, CAROM_IN_TOP, &top);
    carom_builder_settings(r->builder, &top.settings);
    int first = r->problems->count;
    caromStatus status = carom_builder_finish(r->builder, r->problems, model);
    place_problems(r, first);
    carom_builder_destroy(r->builder);
    if (r->out_of_memory) return CAROM_ERR_MEMORY;
    return r->problems->errors > errors_before && status == CAROM_OK ? CAROM_ERR_MODEL : status;
}

static caromStatus read_all(caromReader *r, const caromModelText *from, caromModel **model)
{
    int errors_before = r->problems->errors;
    if (!parse_file(r, from->text, from->length)) return CAROM_ERR_INPUT;
    for (int i = 0; i < from->noverride; i++) carom_modelfile_override_apply(r, r->tree.overrides, i);
    caromStatus status = build(r, model);
    if (status == CAROM_OK && r->problems->errors > errors_before) status = CAROM_ERR_INPUT;
    return status;
}

caromStatus carom_modelfile_read_from(const caromModelText *from, caromProblems *problems, caromModel **model)
{
    caromProblems own = { 0 };
    caromFormat *format = carom_modelfile_format_create();
    caromReader r = { .format = format, .problems = problems ? problems : &own, .path = from->path };
    int first = r.problems->count, errors_before = r.problems->errors;
    *model = NULL;
    carom_modelfile_tree_init(&r.tree);
    r.tree.overrides = from->overrides;
    caromStatus status = format ? read_all(&r, from, model) : CAROM_ERR_MEMORY;
    if (status != CAROM_OK) {
        carom_model_destroy(*model);
        *model = NULL;
        if (status == CAROM_ERR_MEMORY && r.problems->errors == errors_before)
            report_at(r.problems, 0, 0, "out of memory");
    }
    sort_problems(r.problems, first);
    carom_modelfile_tree_free(&r.tree);
    free(r.pair_index);
    carom_modelfile_reader_free_meshes(&r);
    carom_modelfile_format_destroy(format);
    carom_problems_free(&own);
    return status;
}

caromStatus carom_modelfile_read(const char *text, size_t length, const char *const *overrides, int noverride,
                                 caromProblems *problems, caromModel **model)
{
    const caromModelText from = { .text = text, .length = length, .overrides = overrides, .noverride = noverride };
    return carom_modelfile_read_from(&from, problems, model);
}
