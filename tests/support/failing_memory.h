// Memory that runs out: the linker sends calls of malloc, calloc and realloc here (--wrap, tests/CMakeLists.txt).
// Libraries that carom calls keep their own.
#ifndef CAROM_TESTS_FAILING_MEMORY_H
#define CAROM_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long countdown = -1;         // allocations until one fails; negative: never
static bool is_persistent = true;   // and all behind it
static bool has_failed;             // one did

static bool fails_now(void)
{
    if (countdown < 0) return false;
    if (countdown > 0) {
        countdown--;
        return false;
    }
    if (!is_persistent) countdown = -1;
    return has_failed = true;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __real_realloc(old, size);
}

#endif
