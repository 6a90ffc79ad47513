// Lines and columns for problems that were found after the file was read.
#include <string.h>

#include "modelfile/modelfile.h"

static void place(const caromTree *tree, caromProblem *p)
{
    if (p->line > 0 || strncmp(p->path, "--set ", 6) == 0) return;
    int node = carom_modelfile_tree_find(tree, p->path);
    bool is_mapping = tree->nodes[node].kind == CAROM_NODE_MAP;
    node = carom_modelfile_tree_overridden(tree, node);
    carom_modelfile_tree_place(tree, node, is_mapping ? CAROM_AT_KEY : CAROM_AT_VALUE, p);
    carom_modelfile_tree_name_override(tree, node, p);
}

void carom_modelfile_locate(const char *text, size_t length, const char *const *overrides, int noverride,
                            caromProblems *problems)
{
    caromProblems ignored = { 0 };
    caromFormat *format = carom_modelfile_format_create();
    caromReader r = { .format = format, .problems = &ignored };
    carom_modelfile_tree_init(&r.tree);
    r.tree.overrides = overrides;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    bool is_read = format && length <= CAROM_MODELFILE_BYTES_MAX &&
                   carom_modelfile_text_is_clean(text, length, &ignored) &&
                   carom_modelfile_tree_parse(&r.tree, text, length, -1, &ignored, &r.tree.root) == CAROM_OK &&
                   r.tree.root >= 0;
    for (int i = 0; is_read && i < noverride; i++) carom_modelfile_override_apply(&r, overrides, i);
    for (int i = 0; is_read && i < problems->count; i++) place(&r.tree, &problems->items[i]);
    carom_problems_free(&ignored);
    carom_modelfile_tree_free(&r.tree);
    carom_modelfile_format_destroy(format);
}
