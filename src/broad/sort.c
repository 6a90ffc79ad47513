// Sorts in linear time: boxes by where they begin, pairs by their items.
#include <string.h>

#include "base/base.h"
#include "broad/broad.h"

// ---- keys by digits, from the last to the first

typedef struct Digit { int shift; uint32_t mask; } Digit;

static inline uint32_t digit_of(uint64_t key, Digit d)
{
    return (uint32_t)(key >> d.shift) & d.mask;
}

// Counts -> where each value begins.
static void sum_counts(int *counts, uint32_t ncount)
{
    int sum = 0;
    for (uint32_t k = 0; k < ncount; k++) {
        int here = counts[k];
        counts[k] = sum;
        sum += here;
    }
}

// Stable. The counters are left where each value ends.
static void sort_by_digit(const uint64_t *from, uint64_t *to, int64_t count, Digit d, int *counters)
{
    memset(counters, 0, ((size_t)d.mask + 1)*sizeof counters[0]);
    for (int64_t i = 0; i < count; i++) counters[digit_of(from[i], d)]++;
    sum_counts(counters, d.mask + 1);
    for (int64_t i = 0; i < count; i++) {
        uint64_t key = from[i];
        to[counters[digit_of(key, d)]++] = key;
    }
}

// ---- boxes

enum { U_BITS = 31, ROUGH_BITS = 14, BYTE = 8 };

// The first 14 bits in two steps: neighbours in a row that are still out of order are few, and change places later.
static void sort_roughly(const caromStrip *strips, int count, uint64_t *order, uint64_t *swap, int *counters)
{
    const int half = ROUGH_BITS/2, values = 1 << half;
    const Digit low = { 32 + U_BITS - ROUGH_BITS, (1u << half) - 1 }, high = { 32 + U_BITS - half, (1u << half) - 1 };
    int *low_ends = counters, *high_ends = counters + values;
    memset(counters, 0, 2*(size_t)values*sizeof counters[0]);
    for (int i = 0; i < count; i++) {
        uint64_t key = (uint64_t)strips[i].u.low << 32 | (uint32_t)i;
        order[i] = key;
        low_ends[digit_of(key, low)]++;
        high_ends[digit_of(key, high)]++;
    }
    sum_counts(low_ends, (uint32_t)values);
    sum_counts(high_ends, (uint32_t)values);
    for (int i = 0; i < count; i++) swap[low_ends[digit_of(order[i], low)]++] = order[i];
    for (int i = 0; i < count; i++) order[high_ends[digit_of(swap[i], high)]++] = swap[i];
}

static void sort_exactly(uint64_t *order, uint64_t *swap, int count, int *counters)
{
    for (int byte = 0; byte < 4; byte += 2) {
        sort_by_digit(order, swap, count, (Digit){ 32 + byte*BYTE, 255 }, counters);
        sort_by_digit(swap, order, count, (Digit){ 32 + (byte + 1)*BYTE, 255 }, counters);
    }
}

// Are there many that a rough sort does not tell apart?
static bool is_crowded(const uint64_t *order, int count)
{
    int limit = 50 + count/1024;
    for (int i = limit; i < count; i += limit/2)
        if ((order[i] ^ order[i - limit/2]) >> (32 + U_BITS - ROUGH_BITS) == 0) return true;
    return false;
}

void carom_broad_sort_by_u(const caromStrip *strips, int count, uint64_t *order, uint64_t *swap)
{
    int counters[256];
    sort_roughly(strips, count, order, swap, counters);
    if (is_crowded(order, count)) sort_exactly(order, swap, count, counters);
}

// ---- pairs: first into buckets of some items a each, then by digits of b and of a within a bucket, which the cache
// holds

static int bits_of(int n)
{
    int bits = 1;
    while (bits < 31 && (n - 1) >> bits > 0) bits++;
    return bits;
}

static void write_by_digit(const uint64_t *from, caromPair *to, int64_t count, Digit d, int *counters)
{
    memset(counters, 0, ((size_t)d.mask + 1)*sizeof counters[0]);
    for (int64_t i = 0; i < count; i++) counters[digit_of(from[i], d)]++;
    sum_counts(counters, d.mask + 1);
    for (int64_t i = 0; i < count; i++)
        to[counters[digit_of(from[i], d)]++] = (caromPair){ (int32_t)(from[i] >> 32), (int32_t)(from[i] & 0xffffffff) };
}

typedef struct Digits {
    Digit bucket, a, b[3];
    int nb;
} Digits;

// Eleven bits of a in a bucket; more when there would be too many buckets.
static Digits digits_for(int n)
{
    int bits = bits_of(n), a_bits = bits < 11 ? bits : bits > 22 ? bits - 11 : 11;
    Digits d = { .nb = bits > 22 ? 3 : bits > 11 ? 2 : 1 };
    int width = (bits + d.nb - 1)/d.nb;
    d.a = (Digit){ 32, (1u << a_bits) - 1 };
    d.bucket = (Digit){ 32 + a_bits, (1u << (bits - a_bits)) - 1 };
    for (int k = 0; k < d.nb; k++) d.b[k] = (Digit){ k*width, (1u << width) - 1 };
    return d;
}

// keys is sorted, spare is overwritten.
static void sort_bucket(uint64_t *keys, uint64_t *spare, int64_t count, const Digits *d, int *counters, caromPair *to)
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
    caromFoundPairs *found = &broad->found;
    int64_t count = found->raw.count, from = 0;
    Digits d = digits_for(broad->n);
    if (!carom_broad_reserve(&found->half, &found->half_capacity, count, sizeof found->half[0])
        || !carom_broad_reserve(&found->pairs, &found->pair_capacity, count, sizeof found->pairs[0])
        || !carom_broad_reserve(&found->counters, &found->counter_capacity,
                                (int64_t)d.bucket.mask + 1 + d.a.mask + 1 + d.b[0].mask + 1, sizeof found->counters[0]))
        return CAROM_ERR_MEMORY;
    int *ends = found->counters;
    sort_by_digit(found->raw.keys, found->half, count, d.bucket, ends);
    for (uint32_t k = 0; k <= d.bucket.mask; k++) {
        if (ends[k] > from)
            sort_bucket(found->half + from, found->raw.keys, ends[k] - from, &d, ends + d.bucket.mask + 1,
                        found->pairs + from);
        from = ends[k];
    }
    found->npair = count;
    return CAROM_OK;
}
