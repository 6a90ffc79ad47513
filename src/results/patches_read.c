// Patches of a PTCH frame, from its words.
#include <string.h>

#include "results/results.h"

const uint32_t *carom_results_patches_words(unsigned char *payload, size_t n)
{
    if (n % 4 != 0) return NULL;
    unsigned char *to = payload - (uintptr_t)payload % 4;
    for (size_t i = 0; i < n; i += 4) {
        const unsigned char *from = payload + i;
        uint32_t word = (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
        memcpy(to + i, &word, sizeof word);
    }
    return (const uint32_t *)(const void *)to;
}

// Counts of corners that polygons have, and that there are.
static bool is_count_right(const caromResultsPatch *patch)
{
    uint64_t sum = 0;
    for (int i = 0; i < patch->npolygon; i++) {
        if (patch->polygon_corners[i] < 3) return false;
        sum += patch->polygon_corners[i];
    }
    return sum == (uint64_t)patch->ncorner;
}

static bool are_finite(const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static double double_of(const uint32_t *words)
{
    uint64_t bits = words[0] | (uint64_t)words[1] << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool carom_results_patches_next(const uint32_t *words, size_t n, size_t *at, int64_t npair, int64_t nbody,
                                caromResultsPatch *patch)
{
    if (n - *at < CAROM_PATCH_HEAD) return false;
    const uint32_t *head = words + *at;
    size_t left = n - *at - CAROM_PATCH_HEAD;
    if (head[0] >= npair || head[1] >= nbody) return false;
    uint64_t npolygon = head[2], ncorner = CAROM_PATCH_CORNER*(uint64_t)head[3],
             npoint = CAROM_PATCH_POINT*(uint64_t)head[4];
    if (npolygon + ncorner + npoint > left || head[0] > INT32_MAX || head[1] > INT32_MAX) return false;
    const uint32_t *polygons = head + CAROM_PATCH_HEAD, *corners = polygons + npolygon;
    *patch = (caromResultsPatch){ .pair = (int)head[0], .body = (int)head[1], .npolygon = (int)head[2],
                                  .ncorner = (int)head[3], .npoint = (int)head[4],
                                  .origin_B = { double_of(head + 5), double_of(head + 7), double_of(head + 9) },
                                  .polygon_corners = polygons, .corners = (const float *)(const void *)corners,
                                  .points = (const float *)(const void *)(corners + ncorner) };
    *at += CAROM_PATCH_HEAD + (size_t)(npolygon + ncorner + npoint);
    return is_count_right(patch) && carom_is_finite3(patch->origin_B) &&
           are_finite(patch->corners, (size_t)(ncorner + npoint));
}
