// Comparisons of cross-sections, in a file of their own: called, not inlined, a compiler makes a few vector instructions of each loop.
#include "collide/broad.h"

static const uint32_t bit[BROAD_BLOCK] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };

uint32_t carom_broad_cross_block(caromCross mirrored, const caromCross *theirs)
{
    uint32_t bits = 0;
    for (int k = 0; k < BROAD_BLOCK; k++) bits |= ((mirrored - theirs[k]) & BROAD_GUARDS) == BROAD_GUARDS ? bit[k] : 0;
    return bits;
}

// Four entries at a time: four consecutive ones stand behind four consecutive ones.
void carom_broad_cross_next(const caromCross *cross, int count, uint32_t *restrict bits)
{
    for (int i = 0; i < count; i++) {
        caromCross mirrored = carom_broad_mirrored(cross[i]);
        uint32_t b = 0;
        for (int k = 0; k < BROAD_BLOCK; k++) b |= ((mirrored - cross[i + 1 + k]) & BROAD_GUARDS) == BROAD_GUARDS ? bit[k] : 0;
        bits[i] = b;
    }
}
