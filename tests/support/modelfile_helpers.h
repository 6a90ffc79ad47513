// What the tests of model files share: files of the source tree, and reading a text with overrides.
#ifndef CAROM_TESTS_MODELFILE_HELPERS_H
#define CAROM_TESTS_MODELFILE_HELPERS_H

#include <unistd.h>

#include "modelfile/modelfile.h"

#include "check.h"

static inline char *source_file(const char *path, size_t *length)
{
    char full[512], *text;
    size_t n;
    caromError err;
    snprintf(full, sizeof full, "%s/%s", CAROM_SOURCE_DIR, path);
    if (carom_modelfile_load(full, &text, &n, &err) != CAROM_OK) fail_msg("%s: %s", err.where, err.message);
    if (length) *length = n;
    return text;
}

// From here on mesh files are looked for in this folder of the source tree, and messages have the names that models
// give them.
static inline void enter_folder(const char *folder)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", CAROM_SOURCE_DIR, folder);
    assert_int_equal(chdir(full), 0);
}

// All problems, one per line, as in tests/modelfile/bad/*.expected. Checks what every reading promises; model may be
// NULL.
static inline char *problems_of(const char *text, size_t length, const char *const *overrides, int n,
                                caromModel **model)
{
    caromProblems problems = { 0 };
    caromModel *built = NULL;
    caromStatus status = carom_modelfile_read_from(&(caromModelText){ "model.yaml", text, length, overrides, n },
                                                   &problems, &built);
    assert_true((status == CAROM_OK) == (built != NULL));
    assert_true((status == CAROM_OK) == (problems.errors == 0));
    size_t size = 1;
    for (int i = 0; i < problems.count; i++)
        size += strlen(problems.items[i].message) + strlen(problems.items[i].path) + 60;
    char *list = calloc(size, 1), *end = list;
    for (int i = 0; i < problems.count; i++) {
        const caromProblem *p = &problems.items[i];
        if (i > 0) assert_true(p->line > p[-1].line || (p->line == p[-1].line && p->column >= p[-1].column));
        if (p->line == 0) end += sprintf(end, "%s: ", p->path);
        else end += sprintf(end, "%d:%d: ", p->line, p->column);
        end += sprintf(end, "%s: %s\n", p->is_warning ? "warning" : "error", p->message);
    }
    carom_problems_free(&problems);
    if (model) *model = built;
    else carom_model_destroy(built);
    return list;
}

static inline caromModel *good_model(const char *text, const char *const *overrides, int n)
{
    caromModel *model;
    char *list = problems_of(text, strlen(text), overrides, n, &model);
    assert_string_equal(list, "");
    free(list);
    return model;
}

static inline void expect_problems(const char *text, const char *const *overrides, int n, const char *expected)
{
    char *list = problems_of(text, strlen(text), overrides, n, NULL);
    assert_string_equal(list, expected);
    free(list);
}

#endif
