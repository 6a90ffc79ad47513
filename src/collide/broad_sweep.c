// Along each row: whoever begins before I end, and lies across me, overlaps.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"

// ---- candidates: cross-sections that overlap, collected branch-free

enum { CANDIDATES = 2048, PART = 256 };

typedef struct Sweep {
    caromBroad *broad;
    const caromRows *ours, *theirs;  // i is in ours, j in theirs
    int64_t blocks;
    int count;
    int i[CANDIDATES + 2*BROAD_BLOCK], j[CANDIDATES + 2*BROAD_BLOCK];
} Sweep;

// Which of four bits are set, and how many.
static const int set_bits[16][4] = {
    { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 2, 0, 0, 0 }, { 0, 2, 0, 0 }, { 1, 2, 0, 0 }, { 0, 1, 2, 0 },
    { 3, 0, 0, 0 }, { 0, 3, 0, 0 }, { 1, 3, 0, 0 }, { 0, 1, 3, 0 }, { 2, 3, 0, 0 }, { 0, 2, 3, 0 }, { 1, 2, 3, 0 }, { 0, 1, 2, 3 },
};
static const int set_count[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

// Writes four and keeps those that are: no branch that nobody can predict.
static inline int collect_four(int *i_list, int *j_list, int i, int j, uint32_t four)
{
    for (int k = 0; k < 4; k++) i_list[k] = i;
    for (int k = 0; k < 4; k++) j_list[k] = j + set_bits[four][k];
    return set_count[four];
}

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
static void decide(const caromBroad *broad, const uint64_t *open, int count, caromRawPairs *raw)
{
    for (int k = 0; k < count; k++) {
        raw->keys[raw->count] = open[k];
        raw->count += carom_box_overlap(&broad->boxes[open[k] >> 32], &broad->boxes[open[k] & 0xffffffff]);
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

// Candidates that overlap along u too, and have not been seen in another row, become pairs.
static caromStatus flush(Sweep *s)
{
    caromBroad *broad = s->broad;
    caromRawPairs *raw = &broad->raw;
    const caromEntry *ours = s->ours->entries, *theirs = s->theirs->entries;
    uint64_t open[CANDIDATES + BROAD_BLOCK + 1];
    int nopen = 0;
    if (!grow_pairs(raw, raw->count + s->count + 1)) return CAROM_ERR_MEMORY;
    uint64_t *keys = raw->keys;
    int64_t before = raw->count, n = before;
    for (int k = 0; k < s->count; k++) {
        caromEntry a = ours[s->i[k]], b = theirs[s->j[k]];
        caromCross margin = carom_broad_mirrored(a.cross) - b.cross;  // guard bits are set
        int may = (a.item & b.item & BROAD_EARLIER) == 0;
        int must = (b.u.low < a.u.high) & (a.u.low < b.u.high) & (((margin - 0x01010101u) & BROAD_GUARDS) == BROAD_GUARDS);
        uint64_t key = key_of(a.item & BROAD_ITEM, b.item & BROAD_ITEM);
        keys[n] = key;
        n += may & must;
        open[nopen] = key;
        nopen += may & ~must;
    }
    raw->count = n;
    decide(broad, open, nopen, raw);
    if (broad->filters) drop_filtered(broad, raw, before);
    s->count = 0;
    return raw->count <= broad->max_pairs ? CAROM_OK : CAROM_ERR_MEMORY;
}

// ---- rows

// How many of the BROAD_BLOCK entries from e on begin at `high` or before; they are sorted. By halves, without branches.
static inline int begun(const caromEntry *e, int32_t high)
{
    int count = (e[7].u.low <= high)*8;
    count += (e[count + 3].u.low <= high)*4;
    count += (e[count + 1].u.low <= high)*2;
    count += e[count].u.low <= high;
    return count + (e[count].u.low <= high);
}

// Bits of those that have begun, before the end of the row.
static inline uint32_t begun_bits(const caromEntry *e, int32_t high, int left)
{
    int count = begun(e, high);
    return (1u << (count < left ? count : left)) - 1;
}

// Candidates among theirs[from + k] for the bits k that are set.
static inline caromStatus collect(Sweep *s, int i, int from, uint32_t bits)
{
    int count = s->count;
    for (int k = 0; k < BROAD_BLOCK; k += 4) count += collect_four(s->i + count, s->j + count, i, from + k, bits >> k & 15);
    s->count = count;
    return count < CANDIDATES ? CAROM_OK : flush(s);
}

// Entry i against theirs from `from` to before `end`, as far as they begin before i ends.
static caromStatus scan(Sweep *s, int i, int from, int end)
{
    const caromEntry *theirs = s->theirs->entries;
    int32_t high = s->ours->entries[i].u.high;
    caromCross mirrored = carom_broad_mirrored(s->ours->cross[i]);
    for (; from < end && theirs[from].u.low <= high; from += BROAD_BLOCK) {
        uint32_t bits = carom_broad_cross_block(mirrored, s->theirs->cross + from) & begun_bits(theirs + from, high, end - from);
        s->blocks++;
        caromStatus status = collect(s, i, from, bits);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// Entries of a row from `from` to before `to` against those behind them.
static caromStatus sweep_part(Sweep *s, const caromRows *rows, int from, int to, int end)
{
    uint32_t bits[PART];
    carom_broad_cross_next(rows->cross + from, to - from, bits);
    for (int i = from; i < to; i++) {
        caromStatus status = collect(s, i, i + 1, bits[i - from] & begun_bits(rows->entries + i + 1, rows->entries[i].u.high, end - i - 1));
        int next = i + 1 + BROAD_BLOCK;
        if (next < end && rows->entries[next].u.low <= rows->entries[i].u.high && status == CAROM_OK) status = scan(s, i, next, end);
        if (status != CAROM_OK) return status;
    }
    s->blocks += to - from;
    return CAROM_OK;
}

static caromStatus sweep_members(Sweep *s, const caromRows *rows)
{
    s->ours = s->theirs = rows;
    for (int r = 0; r < rows->nrow; r++) {
        int end = rows->start[r + 1];
        for (int i = rows->start[r]; i < end; i += PART) {
            caromStatus status = sweep_part(s, rows, i, end - i < PART ? end : i + PART, end);
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
            int32_t low = ours->entries[i].u.low + !with_equal;
            while (from < end && theirs->entries[from].u.low < low) from++;
            caromStatus status = scan(s, i, from, end);
            if (status != CAROM_OK) return status;
        }
    }
    return flush(s);
}

// A giant against everything smaller, and the giants before it.
static caromStatus compare_with_giant(caromBroad *broad, int giant)
{
    caromRawPairs *raw = &broad->raw;
    int64_t before = raw->count;
    const caromBox *g = &broad->boxes[giant];
    if (!grow_pairs(raw, raw->count + broad->n + 1)) return CAROM_ERR_MEMORY;
    for (int i = 0; i < broad->n; i++) {
        int level = broad->level_of[i];
        raw->keys[raw->count] = key_of((uint32_t)i, (uint32_t)giant);
        raw->count += carom_box_overlap(g, &broad->boxes[i]) & ((level < broad->nlevel) | ((level == broad->nlevel) & (i < giant)));
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
    s.blocks = 0;
    broad->raw.count = 0;
    for (int k = 0; k < broad->nlevel && status == CAROM_OK; k++) status = sweep_level(&s, k);
    broad->work.tests += s.blocks*BROAD_BLOCK;
    for (int k = 0; k < broad->ngiant && status == CAROM_OK; k++) status = compare_with_giant(broad, broad->giants[k]);
    return status;
}
