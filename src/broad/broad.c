// The broad phase as its users see it: memory, and what is done when.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "broad/broad.h"

bool carom_broad_reserve(void *array, int64_t *capacity, int64_t needed, size_t size)
{
    void **items = array;
    if (needed <= *capacity && *items) return true;
    int64_t wanted = needed + needed/8 + 16;
    void *made = (uint64_t)wanted <= SIZE_MAX/size ? malloc((size_t)wanted*size) : NULL;
    if (!made) return false;
    free(*items);
    *items = made;
    *capacity = wanted;
    return true;
}

static caromBitTable *bit_table_create(void)
{
    caromBitTable *table = calloc(1, sizeof *table);
    if (!table) return NULL;
    for (int byte = 0; byte < 256; byte++)
        for (int k = 0; k < 8; k++)
            if (byte >> k & 1) table->place[byte][table->count[byte]++] = k;
    return table;
}

caromBroad *carom_broad_create(void)
{
    caromBroad *broad = calloc(1, sizeof *broad);
    if (!broad) return NULL;
    broad->bit_table = bit_table_create();
    if (!broad->bit_table) {
        free(broad);
        return NULL;
    }
    broad->max_pairs = CAROM_BROAD_PAIRS_DEFAULT;
    broad->planned_n = -1;
    return broad;
}

static void free_rows(caromRows *rows)
{
    free(rows->entries);
    free(rows->start);
}

void carom_broad_destroy(caromBroad *broad)
{
    if (!broad) return;
    for (int k = 0; k < BROAD_LEVELS_MAX; k++) {
        free_rows(&broad->levels[k].rows);
        free(broad->levels[k].strip_ends);
        free(broad->levels[k].hash.slots);
        free(broad->levels[k].hash.keys);
    }
    free_rows(&broad->visitors);
    free(broad->lanes.cross);
    free(broad->lanes.low);
    free(broad->lanes.high);
    free(broad->bit_table);
    free(broad->level_of);
    free(broad->place);
    free(broad->giants);
    free(broad->buffer.strips);
    free(broad->buffer.order);
    free(broad->buffer.swap);
    free(broad->found.raw.keys);
    free(broad->found.half);
    free(broad->found.counters);
    free(broad->found.pairs);
    free(broad);
}

caromStatus carom_broad_limit_pairs(caromBroad *broad, int64_t max_pairs, caromError *err)
{
    if (max_pairs < 0 || max_pairs > INT32_MAX)
        return carom_fail(err, CAROM_ERR_INPUT, "broad phase", "limit of pairs is %lld, should be 0 to %ld",
                          (long long)max_pairs, (long)INT32_MAX);
    broad->max_pairs = max_pairs;
    return CAROM_OK;
}

// ---- is the plan still good? A bad one takes time, no more.

static bool is_plan_old(const caromBroad *broad)
{
    return broad->planned_n < 0 || broad->is_plan_old || abs(broad->n - broad->planned_n) > broad->n/8;
}

// Boxes have outgrown their levels.
static bool has_new_giants(const caromBroad *broad)
{
    return broad->ngiant > 2*broad->planned_giants + BROAD_GIANTS;
}

static bool reserve_items(caromBroad *broad, int n)
{
    int64_t capacity[2] = { broad->item_capacity, broad->item_capacity };
    return carom_broad_reserve(&broad->place, &capacity[0], n, sizeof broad->place[0])
        && carom_broad_reserve(&broad->giants, &capacity[1], n, sizeof broad->giants[0])
        && carom_broad_reserve(&broad->level_of, &broad->item_capacity, n, sizeof broad->level_of[0]);
}

static caromStatus locate(caromBroad *broad)
{
    if (is_plan_old(broad)) carom_broad_plan(broad);
    caromStatus status = carom_broad_locate(broad);
    if (broad->planned_giants >= 0 && status == CAROM_OK && has_new_giants(broad)) {
        carom_broad_plan(broad);
        status = carom_broad_locate(broad);
    }
    if (broad->planned_giants < 0) broad->planned_giants = broad->ngiant;
    return status;
}

static caromStatus build(caromBroad *broad)
{
    if (!reserve_items(broad, broad->n)) return CAROM_ERR_MEMORY;
    broad->work.entries = 0;
    caromStatus status = locate(broad);
    for (int k = 0; k < broad->nlevel && status == CAROM_OK; k++) status = carom_broad_fill(broad, k);
    return status;
}

static void forget_items(caromBroad *broad)
{
    broad->n = 0;
    broad->nlevel = broad->ngiant = 0;
    broad->planned_n = -1;
}

// A sweep that takes eight times as long as the first one with this plan is given up, and the plan with it; one that
// takes twice as long is the last one.
static caromStatus sweep(caromBroad *broad)
{
    int64_t planned = broad->planned_tests;
    caromStatus status = carom_broad_sweep(broad, planned < 0 ? INT64_MAX : 8*planned + 64*(int64_t)broad->n + 10000);
    if (status == CAROM_RETRY) {
        broad->is_plan_old = true;
        status = build(broad);
        if (status == CAROM_OK) status = carom_broad_sweep(broad, INT64_MAX);
        else forget_items(broad);
    }
    if (broad->planned_tests < 0) broad->planned_tests = broad->work.tests;
    else if (broad->work.tests > 2*broad->planned_tests + 16*(int64_t)broad->n) broad->is_plan_old = true;
    return status;
}

caromStatus carom_broad_update(caromBroad *broad, const caromBox *boxes, const caromFilter *filters, int n,
                               caromError *err)
{
    if (n < 0 || n > CAROM_BROAD_ITEMS_MAX) {
        forget_items(broad);
        return carom_fail(err, CAROM_ERR_INPUT, "broad phase", "%d items, should be 0 to %d", n, CAROM_BROAD_ITEMS_MAX);
    }
    broad->boxes = boxes;
    broad->filters = filters;
    broad->n = n;
    if (build(broad) == CAROM_OK) return CAROM_OK;
    forget_items(broad);
    return carom_fail(err, CAROM_ERR_MEMORY, "broad phase", "out of memory for %d items", n);
}

caromStatus carom_broad_pairs(caromBroad *broad, caromPairList *pairs, caromError *err)
{
    *pairs = (caromPairList){ NULL, 0 };
    if (sweep(broad) != CAROM_OK || carom_broad_sort_pairs(broad) != CAROM_OK)
        return carom_fail(err, CAROM_ERR_MEMORY, "broad phase", "more than %lld pairs of %d items, or out of memory: "
                          "filter items that need not meet, or raise the limit", (long long)broad->max_pairs, broad->n);
    *pairs = (caromPairList){ broad->found.pairs, broad->found.npair };
    return CAROM_OK;
}
