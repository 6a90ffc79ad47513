// Comparisons of cross-sections, in a file of their own: called, not inlined, a compiler makes a few vector
// instructions of each loop.
#include "broad/broad.h"

static const uint32_t bit[BROAD_BLOCK] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                           32768 };

uint32_t carom_broad_cross_block(caromCross mirrored, const caromCross *theirs)
{
    uint32_t bits = 0;
    for (int k = 0; k < BROAD_BLOCK; k++) bits |= ((mirrored - theirs[k]) & BROAD_GUARDS) == BROAD_GUARDS ? bit[k] : 0;
    return bits;
}

// Four entries at a time: four consecutive ones stand behind four consecutive ones.
static void compare_next(const caromCross *restrict cross, const int32_t *restrict low, const int32_t *restrict high,
                         int count, uint32_t *restrict bits)
{
    for (int i = 0; i < count; i++) {
        caromCross mirrored = carom_broad_mirrored(cross[i]);
        uint32_t b = 0;
        for (int k = 0; k < BROAD_BLOCK; k++) {
            uint32_t across = ((mirrored - cross[i + 1 + k]) & BROAD_GUARDS) == BROAD_GUARDS ? bit[k] : 0;
            b |= low[i + 1 + k] <= high[i] ? across : 0;
        }
        bits[i] = b;
    }
}

void carom_broad_cross_next(const caromLanes *lanes, int first, int count, uint32_t *bits)
{
    compare_next(lanes->cross + first, lanes->low + first, lanes->high + first, count, bits);
}

// Eight numbers are written, and the right ones kept: no branch that nobody can predict.
int carom_broad_collect(const caromBitTable *restrict table, const uint32_t *restrict bits, int count,
                        int *restrict codes)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        uint32_t low = bits[i] & 255, high = bits[i] >> 8;
        int code = i*BROAD_BLOCK;
        for (int k = 0; k < 8; k++) codes[n + k] = code + table->place[low][k];
        n += table->count[low];
        for (int k = 0; k < 8; k++) codes[n + k] = code + 8 + table->place[high][k];
        n += table->count[high];
    }
    return n;
}
