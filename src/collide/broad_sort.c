// Sorts: entries of a row by where they begin, pairs by their items. Both in linear time.
#include <string.h>

#include "base/base.h"
#include "collide/broad.h"


static inline void put(caromRows *rows, int64_t at, caromEntry e)
{
    rows->entries[at] = e;
    rows->cross[at] = e.cross;
}

// ---- bytes from the last to the first, for rows that are crowded in places

static bool sort_by_byte(const caromEntry *from, caromEntry *to, int count, int shift)
{
    int start[257] = { 0 };
    for (int i = 0; i < count; i++) start[((uint32_t)from[i].u.low >> shift & 255) + 1]++;
    if (start[((uint32_t)from[0].u.low >> shift & 255) + 1] == count) return false;
    for (int k = 0; k < 256; k++) start[k + 1] += start[k];
    for (int i = 0; i < count; i++) to[start[(uint32_t)from[i].u.low >> shift & 255]++] = from[i];
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
    caromEntry e = rows->entries[last];
    int64_t k = last;
    for (; k > first && rows->entries[k - 1].u.low > e.u.low; k--) put(rows, k, rows->entries[k - 1]);
    put(rows, k, e);
}

static void finish_by_insertion(caromRows *rows, int64_t first, int count)
{
    for (int64_t i = first + 1; i < first + count; i++)
        if (rows->entries[i - 1].u.low > rows->entries[i].u.low) insert_last(rows, first, i);
}

enum { FEW = 8, CROWD = 12 };

void carom_broad_sort_row(caromEntry *entries, caromEntry *swap, int *bins, int count, caromRows *rows, int64_t at)
{
    if (count <= FEW) {
        for (int i = 0; i < count; i++) put(rows, at + i, entries[i]);
        finish_by_insertion(rows, at, count);
        return;
    }
    int32_t low = entries[0].u.low, high = low;
    for (int i = 1; i < count; i++) {
        low = entries[i].u.low < low ? entries[i].u.low : low;
        high = entries[i].u.low > high ? entries[i].u.low : high;
    }
    int shift = 0;
    while ((high - low) >> shift >= 4*count) shift++;
    int nbin = ((high - low) >> shift) + 1;
    memset(bins, 0, (size_t)nbin*sizeof bins[0]);
    for (int i = 0; i < count; i++) bins[(entries[i].u.low - low) >> shift]++;
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
    for (int i = 0; i < count; i++) put(rows, at + bins[(entries[i].u.low - low) >> shift]++, entries[i]);
    finish_by_insertion(rows, at, count);
}

// ---- pairs: first into buckets of some items a each, then by digits of b and of a within a bucket, which the cache holds

typedef struct Digit { int shift; uint32_t mask; } Digit;

static uint32_t digit_of(uint64_t key, Digit d)
{
    return (uint32_t)(key >> d.shift) & d.mask;
}

static int bits_of(int n)
{
    int bits = 1;
    while (bits < 31 && (n - 1) >> bits > 0) bits++;
    return bits;
}

// Counts -> where each value begins, from `sum` on.
static void sum_counts(int64_t *counts, int64_t ncount, int64_t sum)
{
    for (int64_t k = 0; k < ncount; k++) {
        int64_t here = counts[k];
        counts[k] = sum;
        sum += here;
    }
}

// Stable. The counters are left where each value ends.
static void sort_by_digit(const uint64_t *from, uint64_t *to, int64_t count, Digit d, int64_t *counters)
{
    memset(counters, 0, ((size_t)d.mask + 1)*sizeof counters[0]);
    for (int64_t i = 0; i < count; i++) counters[digit_of(from[i], d)]++;
    sum_counts(counters, (int64_t)d.mask + 1, 0);
    for (int64_t i = 0; i < count; i++) to[counters[digit_of(from[i], d)]++] = from[i];
}

static void write_by_digit(const uint64_t *from, caromPair *to, int64_t count, Digit d, int64_t *counters)
{
    memset(counters, 0, ((size_t)d.mask + 1)*sizeof counters[0]);
    for (int64_t i = 0; i < count; i++) counters[digit_of(from[i], d)]++;
    sum_counts(counters, (int64_t)d.mask + 1, 0);
    for (int64_t i = 0; i < count; i++) to[counters[digit_of(from[i], d)]++] = (caromPair){ (int32_t)(from[i] >> 32), (int32_t)(from[i] & 0xffffffff) };
}

typedef struct Digits {
    Digit bucket, a, b[3];
    int nb;
} Digits;

// Nine bits of a in a bucket; more when there would be too many buckets.
static Digits digits_for(int n)
{
    int bits = bits_of(n), a_bits = bits < 9 ? bits : bits > 20 ? bits - 11 : 9;
    Digits d = { .nb = bits > 22 ? 3 : bits > 11 ? 2 : 1 };
    int width = (bits + d.nb - 1)/d.nb;
    d.a = (Digit){ 32, (1u << a_bits) - 1 };
    d.bucket = (Digit){ 32 + a_bits, (1u << (bits - a_bits)) - 1 };
    for (int k = 0; k < d.nb; k++) d.b[k] = (Digit){ k*width, (1u << width) - 1 };
    return d;
}

// keys is sorted, spare is overwritten.
static void sort_bucket(uint64_t *keys, uint64_t *spare, int64_t count, const Digits *d, int64_t *counters, caromPair *to)
{
    for (int k = 0; k < d->nb; k++) {
        sort_by_digit(keys, spare, count, d->b[k], counters);
        uint64_t *t = keys;
        keys = spare;
        spare = t;
    }
    write_by_digit(keys, to, count, d->a, counters);
}

caromStatus carom_broad_sort_pairs(caromBroad *broad)
{
    int64_t count = broad->raw.count, *ends, from = 0;
    Digits d = digits_for(broad->n);
    if (!carom_broad_reserve(&broad->half, &broad->half_capacity, count, sizeof broad->half[0])
        || !carom_broad_reserve(&broad->pairs, &broad->pair_capacity, count, sizeof broad->pairs[0])
        || !carom_broad_reserve(&broad->counters, &broad->counter_capacity, (int64_t)d.bucket.mask + 1 + d.a.mask + 1 + d.b[0].mask + 1, sizeof broad->counters[0]))
        return CAROM_ERR_MEMORY;
    ends = broad->counters;
    sort_by_digit(broad->raw.keys, broad->half, count, d.bucket, ends);
    for (uint32_t k = 0; k <= d.bucket.mask; k++) {
        if (ends[k] > from) sort_bucket(broad->half + from, broad->raw.keys, ends[k] - from, &d, ends + d.bucket.mask + 1, broad->pairs + from);
        from = ends[k];
    }
    broad->npair = count;
    return CAROM_OK;
}
