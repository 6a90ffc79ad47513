// What every room shares and no user sees: memory helpers and the assertion for our own mistakes.
#ifndef CAROM_SRC_BASE_H
#define CAROM_SRC_BASE_H

#include <stdint.h>
#include <stdlib.h>

#include "carom/base.h"

// A broken invariant of ours, never bad input. On in debug builds and tests.
#ifdef CAROM_CHECK_INVARIANTS
#include <assert.h>
#define CAROM_ASSERT(claim) assert(claim)
#else
#define CAROM_ASSERT(claim) ((void)0)
#endif

// "WHAT: No such file or directory", from an errno; CAROM_ERR_FILE. Unlike strerror it is safe in threads.
caromStatus carom_fail_errno(caromError *err, const char *where, const char *what, int code);

// Copy of a string, free() it; NULL when out of memory.
char *carom_strdup(const char *text);

// Of n bytes more, starting with 0 (checksum.c). A change of up to 32 bits in a row is always noticed.
uint32_t carom_crc32(uint32_t crc, const void *data, size_t n);

// Zeroed array of count items; never NULL for count 0, NULL when out of memory or the size overflows.
static inline void *carom_alloc_array(size_t count, size_t size)
{
    return calloc(count ? count : 1, size);
}

#endif
