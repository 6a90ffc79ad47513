// Along each row: whoever begins before I end, and lies across me, overlaps.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"

// ---- candidates: cross-sections that overlap, collected branch-free

enum { CANDIDATES = 2048 };

typedef struct Sweep {
    caromBroad *broad;
    const caromRows *ours, *theirs;  // i is in ours, j in theirs
    int count;
    int i[CANDIDATES + BROAD_BLOCK], j[CANDIDATES + BROAD_BLOCK];
} Sweep;

// Places of the bits of a byte, and how many there are.
typedef struct Bits { uint8_t place[8]; } Bits;

#define BIT(n, k) ((n) >> (k) & 1)
#define ONES(n) (BIT(n, 0) + BIT(n, 1) + BIT(n, 2) + BIT(n, 3) + BIT(n, 4) + BIT(n, 5) + BIT(n, 6) + BIT(n, 7))

// Bit k: the cross-section of theirs[k] overlaps.
static inline unsigned overlapping(caromCross mirrored, const caromCross *theirs)
{
    unsigned bits = 0;
    for (int k = 0; k < BROAD_BLOCK; k++) bits |= (((mirrored - theirs[k]) & BROAD_GUARDS) == BROAD_GUARDS ? 1u : 0u) << k;
    return bits;
}

#include "collide/broad_bits.h"

static inline void collect_byte(Sweep *s, int i, int j, unsigned byte)
{
    const uint8_t *place = bits_of_byte[byte];
    for (int k = 0; k < 8; k++) {
        s->i[s->count + k] = i;
        s->j[s->count + k] = j + place[k];
    }
    s->count += ones_of_byte[byte];
}

// ---- pairs

static bool grow_pairs(caromRawPairs *pairs, int64_t needed)
{
    if (needed <= pairs->capacity) return true;
    int64_t capacity = needed + needed/2;
    caromPair *items = realloc(pairs->items, (size_t)capacity*sizeof *items);
    if (!items) return false;
    pairs->items = items;
    pairs->capacity = capacity;
    return true;
}

// Equal integers: the boxes decide.
static void decide(const caromBroad *broad, const caromPair *open, int count, caromRawPairs *raw)
{
    for (int k = 0; k < count; k++) {
        raw->items[raw->count] = open[k];
        raw->count += carom_box_overlap(&broad->boxes[open[k].a], &broad->boxes[open[k].b]);
    }
}

static void drop_filtered(const caromBroad *broad, caromRawPairs *raw, int64_t from)
{
    int64_t to = from;
    for (int64_t k = from; k < raw->count; k++) {
        caromPair p = raw->items[k];
        caromFilter a = broad->filters[p.a], b = broad->filters[p.b];
        raw->items[to] = p;
        to += ((a.group & b.mask) != 0) & ((b.group & a.mask) != 0);
    }
    raw->count = to;
}

static caromStatus flush(Sweep *s)
{
    caromBroad *broad = s->broad;
    caromRawPairs *raw = &broad->raw;
    const caromRows *ours = s->ours, *theirs = s->theirs;
    caromPair open[CANDIDATES + 1];
    int nopen = 0;
    if (!grow_pairs(raw, raw->count + s->count + 1)) return CAROM_ERR_MEMORY;
    int64_t before = raw->count, n = before;
    for (int k = 0; k < s->count; k++) {
        int i = s->i[k], j = s->j[k];
        uint32_t a = ours->item[i], b = theirs->item[j];
        bool is_first = (a & b & BROAD_EARLIER) == 0;
        bool may = is_first & (theirs->low[j] <= ours->high[i]);
        bool must = (theirs->low[j] < ours->high[i]) & (ours->low[i] < theirs->high[j])
                  & (((carom_broad_mirrored(ours->cross[i]) - 0x01010101u - theirs->cross[j]) & BROAD_GUARDS) == BROAD_GUARDS);
        a &= BROAD_ITEM;
        b &= BROAD_ITEM;
        caromPair p = { (int32_t)(a < b ? a : b), (int32_t)(a < b ? b : a) };
        raw->items[n] = p;
        n += may & must;
        open[nopen] = p;
        nopen += may & !must;
    }
    raw->count = n;
    decide(broad, open, nopen, raw);
    if (broad->filters) drop_filtered(broad, raw, before);
    s->count = 0;
    return raw->count <= broad->max_pairs ? CAROM_OK : CAROM_ERR_MEMORY;
}

// ---- rows

// Entry i against theirs from `from` to before `end`, as far as they begin before i ends.
static caromStatus scan(Sweep *s, int i, int from, int end)
{
    const int32_t *low = s->theirs->low, high = s->ours->high[i];
    caromCross mirrored = carom_broad_mirrored(s->ours->cross[i]);
    for (; from < end && low[from] <= high; from += BROAD_BLOCK) {
        int count = end - from < BROAD_BLOCK ? end - from : BROAD_BLOCK;
        unsigned bits = overlapping(mirrored, s->theirs->cross + from) & ((1u << count) - 1);
        collect_byte(s, i, from, bits & 255);
        collect_byte(s, i, from + 8, bits >> 8);
        s->broad->work.tests += count;
        if (s->count >= CANDIDATES - BROAD_BLOCK) {
            caromStatus status = flush(s);
            if (status != CAROM_OK) return status;
        }
    }
    return CAROM_OK;
}

static caromStatus sweep_members(Sweep *s, const caromRows *rows)
{
    s->ours = s->theirs = rows;
    for (int r = 0; r < rows->nrow; r++) {
        int end = rows->start[r + 1];
        for (int i = rows->start[r]; i < end; i++) {
            caromStatus status = scan(s, i, i + 1, end);
            if (status != CAROM_OK) return status;
        }
    }
    return flush(s);
}

// Pairs where ours begins first, or, if asked, both at once.
static caromStatus sweep_across(Sweep *s, const caromRows *ours, const caromRows *theirs, bool with_equal)
{
    s->ours = ours;
    s->theirs = theirs;
    for (int r = 0; r < ours->nrow; r++) {
        int from = theirs->start[r], end = theirs->start[r + 1];
        for (int i = ours->start[r]; i < ours->start[r + 1] && from < end; i++) {
            while (from < end && (theirs->low[from] < ours->low[i] || (theirs->low[from] == ours->low[i] && !with_equal))) from++;
            caromStatus status = scan(s, i, from, end);
            if (status != CAROM_OK) return status;
        }
    }
    return flush(s);
}

// Everything against a giant; two giants once.
static caromStatus compare_with_giant(caromBroad *broad, int giant)
{
    caromRawPairs *raw = &broad->raw;
    int64_t before = raw->count;
    const caromBox *g = &broad->boxes[giant];
    if (!grow_pairs(raw, raw->count + broad->n + 1)) return CAROM_ERR_MEMORY;
    for (int i = 0; i < broad->n; i++) {
        raw->items[raw->count] = (caromPair){ i < giant ? i : giant, i < giant ? giant : i };
        raw->count += carom_box_overlap(g, &broad->boxes[i]) & (broad->level_of[i] < BROAD_GIANT || (broad->level_of[i] == BROAD_GIANT && i < giant));
    }
    broad->work.tests += broad->n;
    if (broad->filters) drop_filtered(broad, raw, before);
    return raw->count <= broad->max_pairs ? CAROM_OK : CAROM_ERR_MEMORY;
}

static caromStatus sweep_level(Sweep *s, int index)
{
    caromBroad *broad = s->broad;
    caromLevel *level = &broad->levels[index];
    caromStatus status = sweep_members(s, &level->rows);
    if (status != CAROM_OK || index == 0 || level->rows.count == 0) return status;
    status = carom_broad_fill_visitors(broad, level, index);
    if (status == CAROM_OK) status = sweep_across(s, &level->rows, &broad->visitors, true);
    if (status == CAROM_OK) status = sweep_across(s, &broad->visitors, &level->rows, false);
    return status;
}

caromStatus carom_broad_sweep(caromBroad *broad)
{
    Sweep s;
    caromStatus status = CAROM_OK;
    s.broad = broad;
    s.count = 0;
    broad->raw.count = 0;
    for (int k = 0; k < broad->nlevel && status == CAROM_OK; k++) status = sweep_level(&s, k);
    for (int k = 0; k < broad->ngiant && status == CAROM_OK; k++) status = compare_with_giant(broad, broad->giants[k]);
    return status;
}
