// Sorts: entries of a row by where they begin, pairs by their items. Both in linear time.
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"

static void put(caromRows *rows, int64_t at, caromEntry e)
{
    rows->low[at] = e.low;
    rows->high[at] = e.high;
    rows->cross[at] = e.cross;
    rows->item[at] = e.item;
}

// ---- bytes from the last to the first, for rows that are crowded in places

static bool sort_by_byte(const caromEntry *from, caromEntry *to, int count, int shift)
{
    int start[257] = { 0 };
    for (int i = 0; i < count; i++) start[((uint32_t)from[i].low >> shift & 255) + 1]++;
    if (start[((uint32_t)from[0].low >> shift & 255) + 1] == count) return false;
    for (int k = 0; k < 256; k++) start[k + 1] += start[k];
    for (int i = 0; i < count; i++) to[start[(uint32_t)from[i].low >> shift & 255]++] = from[i];
    return true;
}

static void sort_by_bytes(caromEntry *entries, caromEntry *swap, int count, caromRows *rows, int64_t at)
{
    for (int shift = 0; shift < 32; shift += 8) {
        if (!sort_by_byte(entries, swap, count, shift)) continue;
        caromEntry *t = entries;
        entries = swap;
        swap = t;
    }
    for (int i = 0; i < count; i++) put(rows, at + i, entries[i]);
}

// ---- one pass into about as many bins as entries, then by insertion

static void insert_last(caromRows *rows, int64_t first, int64_t last)
{
    caromEntry e = { rows->low[last], rows->high[last], rows->cross[last], rows->item[last] };
    int64_t k = last;
    for (; k > first && rows->low[k - 1] > e.low; k--)
        put(rows, k, (caromEntry){ rows->low[k - 1], rows->high[k - 1], rows->cross[k - 1], rows->item[k - 1] });
    put(rows, k, e);
}

static void finish_by_insertion(caromRows *rows, int64_t first, int count)
{
    for (int64_t i = first + 1; i < first + count; i++)
        if (rows->low[i - 1] > rows->low[i]) insert_last(rows, first, i);
}

enum { FEW = 8, CROWD = 12 };

void carom_broad_sort_row(caromEntry *entries, caromEntry *swap, int *bins, int count, caromRows *rows, int64_t at)
{
    if (count <= FEW) {
        for (int i = 0; i < count; i++) put(rows, at + i, entries[i]);
        finish_by_insertion(rows, at, count);
        return;
    }
    int32_t low = entries[0].low, high = low;
    for (int i = 1; i < count; i++) {
        low = entries[i].low < low ? entries[i].low : low;
        high = entries[i].low > high ? entries[i].low : high;
    }
    int shift = 0;
    while ((high - low) >> shift >= 4*count) shift++;
    int nbin = ((high - low) >> shift) + 1;
    memset(bins, 0, (size_t)nbin*sizeof bins[0]);
    for (int i = 0; i < count; i++) bins[(entries[i].low - low) >> shift]++;
    int sum = 0, most = 0;
    for (int k = 0; k < nbin; k++) {
        int here = bins[k];
        most = here > most ? here : most;
        bins[k] = sum;
        sum += here;
    }
    if (most > CROWD) {
        sort_by_bytes(entries, swap, count, rows, at);
        return;
    }
    for (int i = 0; i < count; i++) put(rows, at + bins[(entries[i].low - low) >> shift]++, entries[i]);
    finish_by_insertion(rows, at, count);
}

// ---- pairs

// Stable, by a counter for each item.
static void scatter(const caromPair *from, caromPair *to, int64_t count, int64_t *start, bool by_b)
{
    if (by_b) for (int64_t i = 0; i < count; i++) to[start[from[i].b]++] = from[i];
    else for (int64_t i = 0; i < count; i++) to[start[from[i].a]++] = from[i];
}

static void count_items(const caromPair *pairs, int64_t count, int64_t *start, int n, bool by_b)
{
    memset(start, 0, (size_t)n*sizeof start[0]);
    if (by_b) for (int64_t i = 0; i < count; i++) start[pairs[i].b]++;
    else for (int64_t i = 0; i < count; i++) start[pairs[i].a]++;
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t here = start[i];
        start[i] = sum;
        sum += here;
    }
}

// By b, then, keeping that order, by a.
caromStatus carom_broad_sort_pairs(caromBroad *broad)
{
    int64_t count = broad->raw.count;
    if (!carom_broad_reserve(&broad->half.items, &broad->half.capacity, count, sizeof(caromPair))
        || !carom_broad_reserve(&broad->sorted.items, &broad->sorted.capacity, count, sizeof(caromPair))
        || !carom_broad_reserve(&broad->starts, &broad->start_capacity, broad->n, sizeof broad->starts[0])) return CAROM_ERR_MEMORY;
    count_items(broad->raw.items, count, broad->starts, broad->n, true);
    scatter(broad->raw.items, broad->half.items, count, broad->starts, true);
    count_items(broad->half.items, count, broad->starts, broad->n, false);
    scatter(broad->half.items, broad->sorted.items, count, broad->starts, false);
    broad->sorted.count = count;
    return CAROM_OK;
}
