// Along each row: whoever begins before I end, and lies across me, overlaps.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/scratch.h"
#include "broad/broad.h"

// ---- candidates: collected without a branch that nobody can predict

enum { CANDIDATES = 2048, PART = 256 };

typedef struct Sweep {
    caromBroad *broad;
    int64_t blocks, max_blocks;
    const caromEntry *ours, *theirs;  // i is in ours, j in theirs
    int count;
    int i[CANDIDATES + BROAD_BLOCK], j[CANDIDATES + BROAD_BLOCK];
    int codes[PART*BROAD_BLOCK + BROAD_BLOCK];  // (i << 4 | k): i with i + 1 + k
    uint64_t open[PART*BROAD_BLOCK + BROAD_BLOCK];  // keys of pairs that the boxes decide; codes are the more
} Sweep;

// ---- pairs

static bool grow_pairs(caromRawPairs *raw, int64_t needed)
{
    if (needed <= raw->capacity) return true;
    int64_t capacity = needed + needed/2;
    uint64_t *keys = realloc(raw->keys, (size_t)capacity*sizeof *keys);
    if (!keys) return false;
    raw->keys = keys;
    raw->capacity = capacity;
    return true;
}

static inline uint64_t key_of(uint32_t a, uint32_t b)
{
    uint32_t least = a < b ? a : b;
    return (uint64_t)least << 32 | (a ^ b ^ least);
}

// Where integers were equal the boxes decide.
static void decide(const caromBroad *broad, const uint64_t *open, int64_t count, caromRawPairs *raw)
{
    for (int64_t k = 0; k < count; k++) {
        raw->keys[raw->count] = open[k];
        raw->count += carom_broad_box_overlap(&broad->boxes[open[k] >> 32], &broad->boxes[open[k] & 0xffffffff]);
    }
}

static void drop_filtered(const caromBroad *broad, caromRawPairs *raw, int64_t from)
{
    int64_t to = from;
    for (int64_t k = from; k < raw->count; k++) {
        uint64_t key = raw->keys[k];
        caromFilter a = broad->filters[key >> 32], b = broad->filters[key & 0xffffffff];
        raw->keys[to] = key;
        to += ((a.group & b.mask) != 0) & ((b.group & a.mask) != 0);
    }
    raw->count = to;
}

// Candidates that are not seen here for the first time are no pairs. Those whose integers differ everywhere
// are; the others are open.
static inline int is_first(const caromEntry *a, const caromEntry *b)
{
    return (a->item & b->item & BROAD_EARLIER) == 0;
}

static inline int is_sure(const caromEntry *a, const caromEntry *b)
{
    // Its guard bits: not less and not equal.
    caromCross margin = carom_broad_mirrored(a->cross) - b->cross - 0x01010101u;
    return (b->u.low < a->u.high) & (a->u.low < b->u.high) & ((margin & BROAD_GUARDS) == BROAD_GUARDS);
}

static inline uint64_t key_of_entries(const caromEntry *a, const caromEntry *b)
{
    return key_of(a->item & BROAD_ITEM, b->item & BROAD_ITEM);
}

static caromStatus keep_pairs(caromBroad *broad, int64_t count, const uint64_t *open, int64_t nopen)
{
    caromRawPairs *raw = &broad->found.raw;
    int64_t before = raw->count;
    raw->count = count;
    decide(broad, open, nopen, raw);
    if (broad->filters) drop_filtered(broad, raw, before);
    return raw->count <= broad->max_pairs ? CAROM_OK : CAROM_ERR_MEMORY;
}

static caromStatus flush(Sweep *s)
{
    uint64_t *open = s->open;
    caromRawPairs *raw = &s->broad->found.raw;
    if (!grow_pairs(raw, raw->count + s->count + 1)) return CAROM_ERR_MEMORY;
    uint64_t *keys = raw->keys;
    int64_t count = raw->count, nopen = 0;
    for (int k = 0; k < s->count; k++) {
        const caromEntry *a = &s->ours[s->i[k]], *b = &s->theirs[s->j[k]];
        int first = is_first(a, b), sure = is_sure(a, b);
        keys[count] = open[nopen] = key_of_entries(a, b);
        count += first & sure;
        nopen += first & ~sure;
    }
    s->count = 0;
    return keep_pairs(s->broad, count, open, nopen);
}

// The same for candidates that stand within a block behind each other.
static caromStatus flush_codes(Sweep *s, const caromEntry *entries, int ncode)
{
    uint64_t *open = s->open;
    const int *codes = s->codes;
    caromRawPairs *raw = &s->broad->found.raw;
    if (!grow_pairs(raw, raw->count + ncode + 1)) return CAROM_ERR_MEMORY;
    uint64_t *keys = raw->keys;
    int64_t count = raw->count, nopen = 0;
    for (int k = 0; k < ncode; k++) {
        const caromEntry *a = &entries[codes[k] >> 4], *b = a + 1 + (codes[k] & (BROAD_BLOCK - 1));
        int first = is_first(a, b), sure = is_sure(a, b);
        keys[count] = open[nopen] = key_of_entries(a, b);
        count += first & sure;
        nopen += first & ~sure;
    }
    return keep_pairs(s->broad, count, open, nopen);
}

// ---- rows

static bool reserve_lanes(caromLanes *lanes, int64_t count)
{
    int64_t capacity[2] = { lanes->capacity, lanes->capacity };
    return carom_broad_reserve(&lanes->cross, &capacity[0], count, sizeof lanes->cross[0])
        && carom_broad_reserve(&lanes->low, &capacity[1], count, sizeof lanes->low[0])
        && carom_broad_reserve(&lanes->high, &lanes->capacity, count, sizeof lanes->high[0]);
}

// What is behind the end is compared, and not looked at.
static caromStatus fill_lanes(caromLanes *lanes, const caromEntry *entries, int count)
{
    if (!reserve_lanes(lanes, (int64_t)count + 2*BROAD_BLOCK)) return CAROM_ERR_MEMORY;
    caromCross *restrict cross = lanes->cross;
    int32_t *restrict low = lanes->low, *restrict high = lanes->high;
    for (int i = 0; i < count; i++) {
        cross[i] = entries[i].cross;
        low[i] = entries[i].u.low;
        high[i] = entries[i].u.high;
    }
    for (int i = count; i < count + 2*BROAD_BLOCK; i++) cross[i] = 0, low[i] = high[i] = 0;
    return CAROM_OK;
}

// ours[i] against those in the lanes from `from` to before `end`, as far as they begin before i ends.
static caromStatus scan(Sweep *s, const caromLanes *lanes, int i, int from, int end)
{
    int32_t high = s->ours[i].u.high;
    caromCross mirrored = carom_broad_mirrored(s->ours[i].cross);
    for (; from < end && lanes->low[from] <= high; from += BROAD_BLOCK) {
        uint32_t bits = carom_broad_cross_block(mirrored, lanes->cross + from);
        int count = 1;
        while (count < BROAD_BLOCK && from + count < end && lanes->low[from + count] <= high) count++;
        bits &= (1u << count) - 1;
        int found = carom_broad_collect(s->broad->bit_table, &bits, 1, s->j + s->count);
        for (int k = s->count; k < s->count + found; k++) {
            s->i[k] = i;
            s->j[k] += from;
        }
        s->count += found;
        s->blocks++;
        if (s->count < CANDIDATES - BROAD_BLOCK) continue;
        caromStatus status = flush(s);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Entries of a row from `from` to before `to` against the next ones; those that reach farther go on from there.
static caromStatus sweep_part(Sweep *s, const caromLanes *lanes, int from, int to, int end)
{
    uint32_t bits[PART];
    carom_broad_cross_next(lanes, from, to - from, bits);
    for (int i = end - BROAD_BLOCK > from ? end - BROAD_BLOCK : from; i < to; i++)
        bits[i - from] &= (1u << (end - i - 1)) - 1;
    int ncode = carom_broad_collect(s->broad->bit_table, bits, to - from, s->codes);
    s->blocks += to - from;
    if (s->blocks > s->max_blocks) return CAROM_RETRY;
    for (int i = from, next = from + 1 + BROAD_BLOCK; i < to && next < end; i++, next++) {
        if (lanes->low[next] > lanes->high[i]) continue;
        caromStatus status = scan(s, lanes, i, next, end);
        if (status != CAROM_OK) return status;
    }
    return flush_codes(s, s->ours + from, ncode);
}

static caromStatus sweep_row(Sweep *s, const caromEntry *entries, int count)
{
    caromLanes *lanes = &s->broad->lanes;
    caromStatus status = fill_lanes(lanes, entries, count);
    s->ours = s->theirs = entries;
    for (int i = 0; i < count && status == CAROM_OK; i += PART)
        status = sweep_part(s, lanes, i, count - i < PART ? count : i + PART, count);
    return status == CAROM_OK && s->count > 0 ? flush(s) : status;
}

static caromStatus sweep_members(Sweep *s, const caromRows *rows)
{
    for (int r = 0; r < rows->nrow; r++) {
        int from = rows->start[r], count = rows->start[r + 1] - from;
        if (count < 2) continue;
        caromStatus status = sweep_row(s, rows->entries + from, count);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Pairs of two lists where ours begins first, or, if asked, both at once.
static caromStatus sweep_across(Sweep *s, const caromEntry *ours, int nours, const caromEntry *theirs, int ntheirs,
                                bool with_equal)
{
    caromLanes *lanes = &s->broad->lanes;
    caromStatus status = fill_lanes(lanes, theirs, ntheirs);
    s->ours = ours;
    s->theirs = theirs;
    for (int i = 0, from = 0; i < nours && status == CAROM_OK; i++) {
        int32_t low = ours[i].u.low + !with_equal;
        while (from < ntheirs && lanes->low[from] < low) from++;
        if (from == ntheirs) break;
        status = scan(s, lanes, i, from, ntheirs);
    }
    return status == CAROM_OK && s->count > 0 ? flush(s) : status;
}

static caromStatus sweep_visitors(Sweep *s, const caromRows *members, const caromRows *visitors)
{
    for (int r = 0; r < members->nrow; r++) {
        int nm = members->start[r + 1] - members->start[r], nv = visitors->start[r + 1] - visitors->start[r];
        const caromEntry *m = members->entries + members->start[r], *v = visitors->entries + visitors->start[r];
        if (nm == 0 || nv == 0) continue;
        caromStatus status = sweep_across(s, m, nm, v, nv, true);
        if (status == CAROM_OK) status = sweep_across(s, v, nv, m, nm, false);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// A giant against everything smaller, and the giants before it.
static caromStatus compare_with_giant(caromBroad *broad, int giant)
{
    caromRawPairs *raw = &broad->found.raw;
    int64_t before = raw->count;
    const caromBox *g = &broad->boxes[giant];
    if (!grow_pairs(raw, raw->count + broad->n + 1)) return CAROM_ERR_MEMORY;
    for (int i = 0; i < broad->n; i++) {
        int level = broad->level_of[i];
        raw->keys[raw->count] = key_of((uint32_t)i, (uint32_t)giant);
        raw->count += carom_broad_box_overlap(g, &broad->boxes[i]) &
                      ((level < broad->nlevel) | ((level == broad->nlevel) & (i < giant)));
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
    status = carom_broad_fill_visitors(broad, index);
    return status == CAROM_OK ? sweep_visitors(s, &level->rows, &broad->visitors) : status;
}

caromStatus carom_broad_sweep(caromBroad *broad, int64_t max_tests)
{
    void *taken;
    Sweep *s = CAROM_SCRATCH_OR_STACK(sizeof *s, taken);
    caromStatus status = CAROM_OK;
    s->broad = broad;
    s->count = 0;
    s->blocks = 0;
    s->max_blocks = max_tests/BROAD_BLOCK;
    broad->work.tests = 0;
    broad->found.raw.count = 0;
    for (int k = 0; k < broad->nlevel && status == CAROM_OK; k++) status = sweep_level(s, k);
    broad->work.tests += s->blocks*BROAD_BLOCK;
    carom_scratch_give_back(taken);
    for (int k = 0; k < broad->ngiant && status == CAROM_OK; k++) status = compare_with_giant(broad, broad->giants[k]);
    return status;
}
