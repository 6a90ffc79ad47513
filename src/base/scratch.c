#include "base/scratch.h"

#include <stdalign.h>
#include <stdlib.h>

struct caromSideStack {
    size_t capacity, used;
    unsigned char *bytes;
};

// Of this thread: eight bytes, which is why it is not the memory itself.
static _Thread_local caromSideStack *lent;

caromSideStack *carom_scratch_create(size_t bytes)
{
    caromSideStack *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    *scratch = (caromSideStack){ .capacity = bytes, .bytes = malloc(bytes) };
    if (scratch->bytes) return scratch;
    free(scratch);
    return NULL;
}

// A sink that never came back (longjmp) leaves it lent.
void carom_scratch_destroy(caromSideStack *scratch)
{
    if (!scratch) return;
    if (lent == scratch) lent = NULL;
    free(scratch->bytes);
    free(scratch);
}

caromSideStack *carom_scratch_lend(caromSideStack *scratch)
{
    caromSideStack *before = lent;
    lent = scratch;
    return before;
}

void *carom_scratch_take(size_t bytes)
{
    const size_t grain = alignof(max_align_t);
    size_t n = (bytes + grain - 1)/grain*grain;
    if (!lent || n > lent->capacity - lent->used) return NULL;
    void *memory = lent->bytes + lent->used;
    lent->used += n;
    return memory;
}

void carom_scratch_give_back(void *memory)
{
    if (memory) lent->used = (size_t)((unsigned char *)memory - lent->bytes);
}
