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
static void compare_next(const caromCross *restrict cross, const int32_t *restrict low, const int32_t *restrict high, int count, uint32_t *restrict bits)
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

void carom_broad_cross_next(const caromRows *rows, int first, int count, uint32_t *bits)
{
    compare_next(rows->cross + first, rows->low + first, rows->high + first, count, bits);
}

// Which of four bits are set, and how many.
static const int set_bits[16][4] = {
    { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 2, 0, 0, 0 }, { 0, 2, 0, 0 }, { 1, 2, 0, 0 }, { 0, 1, 2, 0 },
    { 3, 0, 0, 0 }, { 0, 3, 0, 0 }, { 1, 3, 0, 0 }, { 0, 1, 3, 0 }, { 2, 3, 0, 0 }, { 0, 2, 3, 0 }, { 1, 2, 3, 0 }, { 0, 1, 2, 3 },
};
static const int set_count[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

// Four numbers are written, and the right ones kept: no branch that nobody can predict.
static inline int collect_four(int *codes, int first, uint32_t four)
{
    for (int k = 0; k < 4; k++) codes[k] = first + set_bits[four][k];
    return set_count[four];
}

int carom_broad_collect(const uint32_t *bits, int count, int *codes)
{
    int *end = codes;
    for (int i = 0; i < count; i++) {
        uint32_t b = bits[i];
        int code = i*BROAD_BLOCK;
        end += collect_four(end, code, b & 15);
        end += collect_four(end, code + 4, b >> 4 & 15);
        end += collect_four(end, code + 8, b >> 8 & 15);
        end += collect_four(end, code + 12, b >> 12 & 15);
    }
    return (int)(end - codes);
}
