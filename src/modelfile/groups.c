// Groups of bodies, and pairs that never touch.
#include <string.h>

#include "modelfile/modelfile.h"

static const char *text_of(const caromReader *r, int node)
{
    const caromNode *n = &r->tree.nodes[node];
    return n->kind == CAROM_NODE_SCALAR && n->text[0] ? n->text : NULL;
}

// ---- groups

static void add_group(caromReader *r, int node, caromNames *groups)
{
    const char *name = text_of(r, node);
    caromQuoted quoted;
    if (name && carom_modelfile_name_is_good(name)) groups->names[groups->n++] = name;
    else if (r->tree.nodes[node].kind != CAROM_NODE_REFUSED)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected the name of a group such as feeder, got %s",
                                     carom_modelfile_got(&r->tree.nodes[node], &quoted));
}

static void report_other_key(caromReader *r, int node, bool is_list)
{
    caromQuoted quoted;
    if (is_list)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected the name of a group such as feeder, "
                                     "got a list: several are given as groups");
    else
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of groups such as [feeder, left], "
                                     "got %s: a single one is given as group",
                                     carom_modelfile_got(&r->tree.nodes[node], &quoted));
}

// One name, or several. What stands under the other key is reported and read all the same, so that nobody misses the
// group.
void carom_modelfile_read_groups(caromReader *r, int node, const caromKey *key, caromNames *groups)
{
    bool is_list = r->tree.nodes[node].kind == CAROM_NODE_LIST;
    if ((is_list && key->type == CAROM_KEY_GROUP) || (text_of(r, node) && key->type == CAROM_KEY_GROUPS))
        report_other_key(r, node, is_list);
    int count = is_list ? r->tree.nodes[node].count : 1;
    free(groups->names);
    *groups = (caromNames){ malloc(((size_t)count + 1)*sizeof *groups->names), 0 };
    if (!groups->names) {
        r->out_of_memory = true;
        return;
    }
    if (!is_list) add_group(r, node, groups);
    for (int c = is_list ? r->tree.nodes[node].first : -1; c >= 0; c = r->tree.nodes[c].next) add_group(r, c, groups);
}

// ---- ignored pairs

// "BODY" or "BODY.SHAPE"
static bool is_dotted_name(const char *text)
{
    char body[CAROM_NAME_MAX + 1];
    size_t n = strcspn(text, ".");
    if (text[n] == '\0') return carom_modelfile_name_is_good(text);
    if (n > CAROM_NAME_MAX) return false;
    memcpy(body, text, n);
    body[n] = '\0';
    return carom_modelfile_name_is_good(body) && carom_modelfile_name_is_good(text + n + 1);
}

static const char *read_ignored_name(caromReader *r, int node)
{
    const char *text = text_of(r, node);
    caromQuoted quoted;
    if (text && is_dotted_name(text)) return text;
    if (r->tree.nodes[node].kind != CAROM_NODE_REFUSED)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a body, a group, BODY.SHAPE or all, got %s",
                                     carom_modelfile_got(&r->tree.nodes[node], &quoted));
    return NULL;
}

static void read_ignored_pair(caromReader *r, int node, const char *names[2])
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_LIST)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a pair such as [arm, base], got %s",
                                     carom_modelfile_got(n, &quoted));
    else if (n->count != 2)
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a pair such as [arm, base], got a list of %d",
                                     n->count);
    else for (int i = 0; i < 2; i++) names[i] = read_ignored_name(r, carom_modelfile_tree_element(&r->tree, node, i));
}

// [arm, base] where [[arm, base]] is meant.
static bool is_bare_pair(const caromReader *r, int node)
{
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) if (!text_of(r, c)) return false;
    return r->tree.nodes[node].count > 0;
}

// The builder gets what could not be read too, as far as there are names: so pairs have the same places there as in the
// file, and no group is said to be used nowhere.
void carom_modelfile_read_ignored(caromReader *r, int node, const caromKey *key)
{
    const caromNode *n = &r->tree.nodes[node];
    caromQuoted quoted;
    if (n->kind == CAROM_NODE_REFUSED) return;
    if (n->kind != CAROM_NODE_LIST) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of pairs such as %s, got %s",
                                     key->example, carom_modelfile_got(n, &quoted));
        return;
    }
    if (is_bare_pair(r, node)) {
        carom_modelfile_reader_error(r, node, CAROM_AT_VALUE, "expected a list of pairs such as %s, "
                                     "got a list of names: each pair has brackets of its own", key->example);
        for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next)
            carom_builder_ignore(r->builder, text_of(r, c), NULL);
        return;
    }
    for (int c = r->tree.nodes[node].first; c >= 0; c = r->tree.nodes[c].next) {
        const char *names[2] = { NULL, NULL };
        read_ignored_pair(r, c, names);
        carom_builder_ignore(r->builder, names[0], names[1]);
    }
}
