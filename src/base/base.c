#include "carom/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#ifndef CAROM_VERSION
#error "CAROM_VERSION comes from the build"
#endif

const char *carom_version(void)
{
    return CAROM_VERSION;
}

const char *carom_status_name(caromStatus status)
{
    switch (status) {
    case CAROM_OK: return "ok";
    case CAROM_RETRY: return "not evaluable here";
    case CAROM_STOPPED: return "stopped";
    case CAROM_ERR_INPUT: return "input error";
    case CAROM_ERR_MODEL: return "model error";
    case CAROM_ERR_FILE: return "file error";
    case CAROM_ERR_MEMORY: return "out of memory";
    case CAROM_ERR_NUMERIC: return "numeric error";
    }
    return "unknown status";
}

caromStatus carom_fail(caromError *err, caromStatus status, const char *where, const char *format, ...)
{
    if (err == NULL) return status;
    err->status = status;
    snprintf(err->where, sizeof err->where, "%s", where ? where : "");
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

caromStatus carom_fail_errno(caromError *err, const char *where, const char *what, int code)
{
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    return carom_fail(err, CAROM_ERR_FILE, where, "%s: %s", what, reason);
}

char *carom_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, text, n);
    return copy;
}

static bool grow(caromProblems *list)
{
    if (list->count < list->capacity) return true;
    if (list->count >= CAROM_PROBLEMS_MAX) return false;
    int capacity = list->capacity ? 2*list->capacity : 16;
    caromProblem *items = realloc(list->items, (size_t)capacity*sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

void carom_problem_add(caromProblems *list, bool is_warning, const char *path, const char *format, ...)
{
    if (list == NULL) return;
    if (!is_warning) list->errors++;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (!grow(list)) {
        list->truncated = true;
        return;
    }
    caromProblem problem = { .path = carom_strdup(path ? path : ""), .message = carom_strdup(message),
                             .is_warning = is_warning };
    if (!problem.path || !problem.message) {
        free(problem.path);
        free(problem.message);
        list->truncated = true;
        return;
    }
    list->items[list->count++] = problem;
}

void carom_problems_free(caromProblems *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->items[i].path);
        free(list->items[i].message);
    }
    free(list->items);
    *list = (caromProblems){ 0 };
}
