// Boxes into rows: counted, then placed, then each row sorted.
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"

// ---- levels

// nlevel: giants; nlevel + 1: empty boxes.
static int level_of(const caromBroad *broad, const caromBox *b)
{
    double width = carom_broad_width(broad, b);
    int k = 0;
    if (carom_box_is_empty(b)) return broad->nlevel + 1;
    while (k < broad->nlevel && !(width <= broad->levels[k].limit)) k++;
    return k;
}

void carom_broad_locate(caromBroad *broad)
{
    int *first = broad->first, next[BROAD_LEVELS_MAX + 3];
    memset(first, 0, sizeof broad->first);
    for (int i = 0; i < broad->n; i++) {
        int level = level_of(broad, &broad->boxes[i]);
        broad->level_of[i] = (uint8_t)level;
        first[level + 1]++;
        if (level < broad->nlevel) broad->place[i] = carom_broad_place(broad, &broad->levels[level], &broad->boxes[i]);
    }
    for (int k = 0; k < broad->nlevel + 2; k++) first[k + 1] += first[k];
    memcpy(next, first, sizeof next);
    for (int i = 0; i < broad->n; i++) broad->by_level[next[broad->level_of[i]]++] = i;
}

// ---- which row

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Its place in the table of rows, taken or free. Open addressing; the table is at most half full.
static uint32_t slot_of(const caromRowHash *hash, int v, int w)
{
    uint32_t slot = (uint32_t)mixed((uint64_t)(uint32_t)v << 32 | (uint32_t)w) & hash->mask;
    for (;; slot = (slot + 1) & hash->mask) {
        int row = hash->slots[slot];
        if (row < 0 || (hash->keys[row].v == v && hash->keys[row].w == w)) return slot;
    }
}

int carom_broad_row(const caromLevel *level, int v, int w)
{
    if (level->nv > 0) return w*level->nv + v;
    return level->hash.slots[slot_of(&level->hash, v, w)];
}

static int row_made(caromLevel *level, int v, int w)
{
    uint32_t slot = slot_of(&level->hash, v, w);
    if (level->hash.slots[slot] < 0) {
        level->hash.keys[level->rows.nrow] = (caromRowKey){ v, w };
        level->hash.slots[slot] = level->rows.nrow++;
    }
    return level->hash.slots[slot];
}

static bool clear_hash(caromRowHash *hash, int64_t rows_max)
{
    int64_t size = 16;
    while (size < 2*rows_max) size *= 2;
    if (size > (int64_t)1 << 31 || !carom_broad_reserve(&hash->slots, &hash->slot_capacity, size, sizeof hash->slots[0])
        || !carom_broad_reserve(&hash->keys, &hash->key_capacity, rows_max, sizeof hash->keys[0])) return false;
    hash->mask = (uint32_t)(size - 1);
    memset(hash->slots, 0xff, (size_t)size*sizeof hash->slots[0]);
    return true;
}

// ---- entries

// Rows that a box reaches into.
typedef struct Block { int v0, v1, w0, w1; } Block;

static inline Block block_of(const caromPlace *p)
{
    return (Block){ p->v.low >> BROAD_FRACTION_BITS, p->v.high >> BROAD_FRACTION_BITS, p->w.low >> BROAD_FRACTION_BITS, p->w.high >> BROAD_FRACTION_BITS };
}

static inline int64_t rows_in(Block b)
{
    return (int64_t)(b.v1 - b.v0 + 1)*(b.w1 - b.w0 + 1);
}

static inline uint32_t cut_off(caromSpan span, int row)
{
    uint32_t low = span.low >> BROAD_FRACTION_BITS == row ? (uint32_t)span.low & BROAD_FRACTION : 0;
    uint32_t high = span.high >> BROAD_FRACTION_BITS == row ? (uint32_t)span.high & BROAD_FRACTION : BROAD_FRACTION;
    return low | (BROAD_FRACTION - high) << 16;
}

static inline caromEntry entry_in(const caromPlace *p, int item, int v, int w)
{
    uint32_t earlier = (v > p->v.low >> BROAD_FRACTION_BITS ? BROAD_EARLIER_V : 0) | (w > p->w.low >> BROAD_FRACTION_BITS ? BROAD_EARLIER_W : 0);
    return (caromEntry){ p->u, cut_off(p->v, v) | cut_off(p->w, w) << 8, (uint32_t)item | earlier };
}

// start[r + 1] is how many there are in row r -> where row r begins; placing them moves it to where row r ends.
static void sum_starts(caromRows *rows)
{
    int sum = 0;
    rows->start[0] = 0;
    for (int r = 0; r < rows->nrow; r++) {
        int count = rows->start[r + 1];
        rows->start[r + 1] = sum;
        sum += count;
    }
}

static void sort_rows(caromBroad *broad, caromRows *rows)
{
    for (int r = 0; r < rows->nrow; r++) {
        int from = rows->start[r], count = rows->start[r + 1] - from;
        if (count > 0) carom_broad_sort_row(broad->entries + from, broad->swap, broad->bins, count, rows, from);
    }
    int32_t longest = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        int32_t length = rows->entries[i].u.high - rows->entries[i].u.low;
        longest = length > longest ? length : longest;
    }
    rows->longest = longest;
}

// ---- memory

static bool reserve_rows(caromRows *rows, int64_t count)
{
    int64_t cross_capacity = rows->capacity, needed = count + 2*BROAD_BLOCK;
    if (!carom_broad_reserve(&rows->cross, &cross_capacity, needed, sizeof rows->cross[0])
        || !carom_broad_reserve(&rows->entries, &rows->capacity, needed, sizeof rows->entries[0])) return false;
    memset(rows->cross + count, 0, 2*BROAD_BLOCK*sizeof rows->cross[0]);  // read, and not looked at
    return true;
}

static bool reserve_starts(caromRows *rows, int64_t nrow)
{
    if (!carom_broad_reserve(&rows->start, &rows->row_capacity, nrow + 1, sizeof rows->start[0])) return false;
    memset(rows->start, 0, (size_t)(nrow + 1)*sizeof rows->start[0]);
    return true;
}

// One more than there are: see place_in_table.
static bool reserve_entries(caromBroad *broad, int64_t count)
{
    int64_t swap_capacity = broad->entry_capacity;
    return count <= BROAD_ITEM
        && carom_broad_reserve(&broad->swap, &swap_capacity, count + 1, sizeof broad->swap[0])
        && carom_broad_reserve(&broad->entries, &broad->entry_capacity, count + 1, sizeof broad->entries[0])
        && carom_broad_reserve(&broad->bins, &broad->bin_capacity, 4*count + 4, sizeof broad->bins[0]);
}

// ---- members, rows in a table

static int64_t count_in_table(const caromBroad *broad, const int *items, int count, int nv, int *ends)
{
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        Block b = block_of(&broad->place[items[k]]);
        int dv = b.v1 - b.v0, dw = b.w1 - b.w0, row = b.w0*nv + b.v0;
        if ((dv | dw) > 1) {
            for (int w = b.w0; w <= b.w1; w++)
                for (int v = b.v0; v <= b.v1; v++) ends[w*nv + v]++;
        } else {
            ends[row]++;
            ends[row + dv] += dv;
            ends[row + dw*nv] += dw;
            ends[row + dv + dw*nv] += dv & dw;
        }
        sum += rows_in(b);
    }
    return sum;
}

// Where the next entry of the row goes, if it is wanted; else where it does not matter.
static inline int taken(int *end, int is_wanted, int nowhere)
{
    int at = *end;
    *end = at + is_wanted;
    return nowhere ^ ((nowhere ^ at) & -is_wanted);
}

// Up to two rows in v and in w: four entries are written and the right ones kept, without a branch.
static inline void place_in_four(const caromPlace *p, Block b, uint32_t item, int nv, int *ends, caromEntry *entries, int nowhere)
{
    int dv = b.v1 - b.v0, dw = b.w1 - b.w0, *end = ends + b.w0*nv + b.v0;
    uint32_t last_v = (BROAD_FRACTION - ((uint32_t)p->v.high & BROAD_FRACTION)) << 16, last_w = (BROAD_FRACTION - ((uint32_t)p->w.high & BROAD_FRACTION)) << 24;
    uint32_t first_v = ((uint32_t)p->v.low & BROAD_FRACTION) | (last_v & ((uint32_t)dv - 1)), first_w = ((uint32_t)p->w.low & BROAD_FRACTION) << 8 | (last_w & ((uint32_t)dw - 1));
    entries[taken(end, 1, nowhere)] = (caromEntry){ p->u, first_v | first_w, item };
    entries[taken(end + dv, dv, nowhere)] = (caromEntry){ p->u, last_v | first_w, item | BROAD_EARLIER_V };
    entries[taken(end + dw*nv, dw, nowhere)] = (caromEntry){ p->u, first_v | last_w, item | BROAD_EARLIER_W };
    entries[taken(end + dv + dw*nv, dv & dw, nowhere)] = (caromEntry){ p->u, last_v | last_w, item | BROAD_EARLIER };
}

static void place_in_table(const caromBroad *broad, const int *items, int count, int nv, int *ends, int nowhere)
{
    for (int k = 0; k < count; k++) {
        const caromPlace *p = &broad->place[items[k]];
        Block b = block_of(p);
        if (((b.v1 - b.v0) | (b.w1 - b.w0)) <= 1) {
            place_in_four(p, b, (uint32_t)items[k], nv, ends, broad->entries, nowhere);
            continue;
        }
        for (int w = b.w0; w <= b.w1; w++)
            for (int v = b.v0; v <= b.v1; v++) broad->entries[ends[w*nv + v]++] = entry_in(p, items[k], v, w);
    }
}

static caromStatus fill_table(caromBroad *broad, caromLevel *level, const int *items, int count)
{
    caromRows *rows = &level->rows;
    int nrow = level->nv*level->nw;
    if (!reserve_starts(rows, nrow)) return CAROM_ERR_MEMORY;
    rows->nrow = nrow;
    int64_t entries = count_in_table(broad, items, count, level->nv, rows->start + 1);
    if (!reserve_entries(broad, entries) || !reserve_rows(rows, entries)) return CAROM_ERR_MEMORY;
    rows->count = entries;
    sum_starts(rows);
    place_in_table(broad, items, count, level->nv, rows->start + 1, (int)entries);
    return CAROM_OK;
}

// ---- members, rows by hash

static int64_t count_entries(const caromBroad *broad, const int *items, int count)
{
    int64_t sum = 0;
    for (int k = 0; k < count; k++) sum += rows_in(block_of(&broad->place[items[k]]));
    return sum;
}

static caromStatus fill_hash(caromBroad *broad, caromLevel *level, const int *items, int count)
{
    caromRows *rows = &level->rows;
    int64_t entries = count_entries(broad, items, count);
    if (!reserve_entries(broad, entries) || !reserve_rows(rows, entries) || !reserve_starts(rows, entries) || !clear_hash(&level->hash, entries)
        || !carom_broad_reserve(&broad->row_list, &broad->list_capacity, entries, sizeof broad->row_list[0])) return CAROM_ERR_MEMORY;
    int *list = broad->row_list;
    for (int k = 0; k < count; k++) {
        Block b = block_of(&broad->place[items[k]]);
        for (int w = b.w0; w <= b.w1; w++)
            for (int v = b.v0; v <= b.v1; v++) rows->start[(*list++ = row_made(level, v, w)) + 1]++;
    }
    rows->count = entries;
    sum_starts(rows);
    list = broad->row_list;
    for (int k = 0; k < count; k++) {
        const caromPlace *p = &broad->place[items[k]];
        Block b = block_of(p);
        for (int w = b.w0; w <= b.w1; w++)
            for (int v = b.v0; v <= b.v1; v++) broad->entries[rows->start[*list++ + 1]++] = entry_in(p, items[k], v, w);
    }
    return CAROM_OK;
}

caromStatus carom_broad_fill(caromBroad *broad, int index)
{
    caromLevel *level = &broad->levels[index];
    const int *items = broad->by_level + broad->first[index];
    int count = broad->first[index + 1] - broad->first[index];
    level->rows.nrow = 0;
    level->rows.count = 0;
    if (count == 0) return CAROM_OK;
    caromStatus status = level->nv > 0 ? fill_table(broad, level, items, count) : fill_hash(broad, level, items, count);
    if (status != CAROM_OK) return status;
    sort_rows(broad, &level->rows);
    broad->work.entries += level->rows.count;
    return CAROM_OK;
}

// ---- visitors

// The row, or -1 when no member is in it.
static int visited_row(const caromLevel *level, int v, int w)
{
    int row = carom_broad_row(level, v, w);
    return row >= 0 && level->rows.start[row] < level->rows.start[row + 1] ? row : -1;
}

// Smaller boxes: everything that stands before the members in the list of items.
caromStatus carom_broad_fill_visitors(caromBroad *broad, int index)
{
    caromLevel *level = &broad->levels[index];
    caromRows *rows = &broad->visitors;
    int count = broad->first[index];
    int64_t entries = 0;
    rows->nrow = 0;
    rows->count = 0;
    if (!reserve_starts(rows, level->rows.nrow)) return CAROM_ERR_MEMORY;
    rows->nrow = level->rows.nrow;
    for (int k = 0; k < count; k++) {
        caromPlace p = carom_broad_place(broad, level, &broad->boxes[broad->by_level[k]]);
        Block b = block_of(&p);
        for (int w = b.w0; w <= b.w1; w++)
            for (int v = b.v0; v <= b.v1; v++) {
                int row = visited_row(level, v, w);
                if (row < 0) continue;
                rows->start[row + 1]++;
                entries++;
            }
    }
    if (!reserve_entries(broad, entries) || !reserve_rows(rows, entries)) return CAROM_ERR_MEMORY;
    rows->count = entries;
    sum_starts(rows);
    for (int k = 0; k < count; k++) {
        caromPlace p = carom_broad_place(broad, level, &broad->boxes[broad->by_level[k]]);
        Block b = block_of(&p);
        for (int w = b.w0; w <= b.w1; w++)
            for (int v = b.v0; v <= b.v1; v++) {
                int row = visited_row(level, v, w);
                if (row >= 0) broad->entries[rows->start[row + 1]++] = entry_in(&p, broad->by_level[k], v, w);
            }
    }
    sort_rows(broad, rows);
    broad->work.entries += entries;
    return CAROM_OK;
}
