#include "patch/table.h"

// What was asked for, then the exact ones.
static const caromPatchRow *const rows[] = { &carom_patch_tiles, &carom_patch_asked, &carom_patch_planes,
                                             &carom_patch_clipped, &carom_patch_round, &carom_patch_strips,
                                             &carom_patch_on_face, &carom_patch_sampled };

const caromPatchRow *carom_patch_row(const caromShape *a, const caromShape *b, bool *swapped)
{
    for (size_t i = 0; i < sizeof rows/sizeof rows[0]; i++) {
        *swapped = !rows[i]->serves(a, b);
        if (!*swapped || rows[i]->serves(b, a)) return rows[i];
    }
    return NULL;
}
