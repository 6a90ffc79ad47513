// Lines and columns for problems that were found after the file was read.
#include <string.h>

#include "modelfile/modelfile.h"

void carom_modelfile_locate(const char *text, size_t length, caromProblems *problems)
{
    caromTree tree;
    caromProblems ignored = { 0 };
    carom_tree_init(&tree);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    bool is_read = length <= CAROM_MODELFILE_BYTES_MAX && carom_text_is_clean(text, length, &ignored) &&
                   carom_tree_parse(&tree, text, length, -1, &ignored, &tree.root) == CAROM_OK && tree.root >= 0;
    for (int i = 0; is_read && i < problems->count; i++) {
        caromProblem *p = &problems->items[i];
        if (p->line > 0 || strncmp(p->path, "--set ", 6) == 0) continue;
        int node = carom_tree_find(&tree, p->path);
        carom_tree_place(&tree, node, tree.nodes[node].kind == CAROM_NODE_MAP ? CAROM_AT_KEY : CAROM_AT_VALUE, p);
    }
    carom_problems_free(&ignored);
    carom_tree_free(&tree);
}
