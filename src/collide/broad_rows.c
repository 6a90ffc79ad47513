// Boxes into rows: counted, then placed, then each row sorted.
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"

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
static uint32_t slot_of(const caromRowHash *hash, int64_t v, int64_t w)
{
    uint32_t slot = (uint32_t)mixed((uint64_t)v*0x9e3779b97f4a7c15u + (uint64_t)w) & hash->mask;
    for (;; slot = (slot + 1) & hash->mask) {
        int row = hash->slots[slot];
        if (row < 0 || (hash->keys[row].v == v && hash->keys[row].w == w)) return slot;
    }
}

int carom_broad_row(const caromLevel *level, int64_t v, int64_t w)
{
    if (level->nv > 0) return (int)(w*level->nv + v);
    return level->hash.slots[slot_of(&level->hash, v, w)];
}

static int row_made(caromLevel *level, int64_t v, int64_t w)
{
    if (level->nv > 0) return (int)(w*level->nv + v);
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

// Rows that the box reaches into.
typedef struct Block {
    caromReach reach;
    int64_t v0, v1, w0, w1;
} Block;

static Block block_of(const caromBroad *broad, const caromLevel *level, int item)
{
    caromReach r = carom_broad_reach(broad, level, &broad->boxes[item]);
    return (Block){ r, r.v_low >> BROAD_FRACTION_BITS, r.v_high >> BROAD_FRACTION_BITS, r.w_low >> BROAD_FRACTION_BITS, r.w_high >> BROAD_FRACTION_BITS };
}

static uint32_t cut(int64_t low, int64_t high, int64_t row)
{
    uint32_t from = low >> BROAD_FRACTION_BITS == row ? (uint32_t)(low & BROAD_FRACTION) : 0;
    uint32_t to = high >> BROAD_FRACTION_BITS == row ? (uint32_t)(high & BROAD_FRACTION) : BROAD_FRACTION;
    return from | (BROAD_FRACTION - to) << 16;
}

static caromEntry entry_in(const Block *b, int item, int64_t v, int64_t w)
{
    uint32_t earlier = (v > b->v0 ? BROAD_EARLIER_V : 0) | (w > b->w0 ? BROAD_EARLIER_W : 0);
    return (caromEntry){ b->reach.u_low, b->reach.u_high,
                         cut(b->reach.v_low, b->reach.v_high, v) | cut(b->reach.w_low, b->reach.w_high, w) << 8, (uint32_t)item | earlier };
}

static int64_t count_entries(const caromBroad *broad, const caromLevel *level, int index)
{
    int64_t count = 0;
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] != index) continue;
        Block b = block_of(broad, level, i);
        count += (b.v1 - b.v0 + 1)*(b.w1 - b.w0 + 1);
    }
    return count;
}

// start[r + 1] is how many there are in row r -> where row r ends when all are placed.
static int64_t sum_starts(caromRows *rows)
{
    int sum = 0;
    for (int r = 0; r < rows->nrow; r++) {
        int count = rows->start[r + 1];
        rows->start[r + 1] = sum;
        sum += count;
    }
    rows->start[0] = 0;
    return sum;
}

static void sort_rows(caromBroad *broad, caromRows *rows)
{
    for (int r = 0; r < rows->nrow; r++) {
        int from = rows->start[r], count = rows->start[r + 1] - from;
        if (count > 0) carom_broad_sort_row(broad->entries + from, broad->swap, broad->bins, count, rows, from);
    }
    rows->longest = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        int32_t length = rows->high[i] - rows->low[i];
        rows->longest = length > rows->longest ? length : rows->longest;
    }
}

static bool reserve_rows(caromRows *rows, int64_t count)
{
    int64_t capacity[4] = { rows->capacity, rows->capacity, rows->capacity, rows->capacity }, needed = count + BROAD_BLOCK;
    bool is_ok = carom_broad_reserve(&rows->low, &capacity[0], needed, sizeof rows->low[0])
              && carom_broad_reserve(&rows->high, &capacity[1], needed, sizeof rows->high[0])
              && carom_broad_reserve(&rows->cross, &capacity[2], needed, sizeof rows->cross[0])
              && carom_broad_reserve(&rows->item, &capacity[3], needed, sizeof rows->item[0]);
    if (!is_ok) return false;
    rows->capacity = capacity[0];
    memset(rows->cross + count, 0, BROAD_BLOCK*sizeof rows->cross[0]);
    memset(rows->low + count, 0, BROAD_BLOCK*sizeof rows->low[0]);
    return true;
}

static bool reserve_entries(caromBroad *broad, int64_t count)
{
    int64_t swap_capacity = broad->entry_capacity;
    return carom_broad_reserve(&broad->swap, &swap_capacity, count, sizeof broad->swap[0])
        && carom_broad_reserve(&broad->entries, &broad->entry_capacity, count, sizeof broad->entries[0])
        && carom_broad_reserve(&broad->bins, &broad->bin_capacity, 4*count + 4, sizeof broad->bins[0]);
}

caromStatus carom_broad_fill(caromBroad *broad, caromLevel *level, int index)
{
    caromRows *rows = &level->rows;
    int64_t count = count_entries(broad, level, index);
    rows->nrow = level->nv*level->nw;
    rows->count = 0;
    if (count > BROAD_ITEM || !reserve_rows(rows, count) || !reserve_entries(broad, count)) return CAROM_ERR_MEMORY;
    int64_t rows_max = level->nv > 0 ? rows->nrow : count;
    if (!carom_broad_reserve(&rows->start, &rows->row_capacity, rows_max + 1, sizeof rows->start[0])) return CAROM_ERR_MEMORY;
    if (level->nv == 0 && !clear_hash(&level->hash, count)) return CAROM_ERR_MEMORY;
    memset(rows->start, 0, (size_t)(rows_max + 1)*sizeof rows->start[0]);
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] != index) continue;
        Block b = block_of(broad, level, i);
        for (int64_t w = b.w0; w <= b.w1; w++)
            for (int64_t v = b.v0; v <= b.v1; v++) rows->start[row_made(level, v, w) + 1]++;
    }
    rows->count = sum_starts(rows);
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] != index) continue;
        Block b = block_of(broad, level, i);
        for (int64_t w = b.w0; w <= b.w1; w++)
            for (int64_t v = b.v0; v <= b.v1; v++) broad->entries[rows->start[carom_broad_row(level, v, w) + 1]++] = entry_in(&b, i, v, w);
    }
    sort_rows(broad, rows);
    broad->work.entries += rows->count;
    return CAROM_OK;
}

// The row of the level, or -1 when no member is in it.
static int visited_row(const caromLevel *level, int64_t v, int64_t w)
{
    int row = carom_broad_row(level, v, w);
    return row >= 0 && level->rows.start[row] < level->rows.start[row + 1] ? row : -1;
}

caromStatus carom_broad_fill_visitors(caromBroad *broad, caromLevel *level, int index)
{
    caromRows *rows = &broad->visitors;
    rows->nrow = level->rows.nrow;
    rows->count = 0;
    if (!carom_broad_reserve(&rows->start, &rows->row_capacity, rows->nrow + 1, sizeof rows->start[0])) return CAROM_ERR_MEMORY;
    memset(rows->start, 0, (size_t)(rows->nrow + 1)*sizeof rows->start[0]);
    int64_t count = 0;
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] >= index) continue;
        Block b = block_of(broad, level, i);
        for (int64_t w = b.w0; w <= b.w1; w++)
            for (int64_t v = b.v0; v <= b.v1; v++) {
                int row = visited_row(level, v, w);
                if (row < 0) continue;
                rows->start[row + 1]++;
                count++;
            }
    }
    if (count > BROAD_ITEM || !reserve_rows(rows, count) || !reserve_entries(broad, count)) return CAROM_ERR_MEMORY;
    rows->count = sum_starts(rows);
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] >= index) continue;
        Block b = block_of(broad, level, i);
        for (int64_t w = b.w0; w <= b.w1; w++)
            for (int64_t v = b.v0; v <= b.v1; v++) {
                int row = visited_row(level, v, w);
                if (row >= 0) broad->entries[rows->start[row + 1]++] = entry_in(&b, i, v, w);
            }
    }
    sort_rows(broad, rows);
    broad->work.entries += rows->count;
    return CAROM_OK;
}
