#include <stdlib.h>
#include <string.h>

#include "cli.h"

// Start and length of a line, counted from 1; false behind the last.
static bool find_line(const char *text, size_t length, int line, const char **start, int *n)
{
    const char *end = text + length;
    *start = text;
    for (int i = 1; i < line; i++) {
        const char *next = memchr(*start, '\n', (size_t)(end - *start));
        if (!next) return false;
        *start = next + 1;
    }
    const char *stop = memchr(*start, '\n', (size_t)(end - *start));
    if (!stop) stop = end;
    if (stop > *start && stop[-1] == '\r') stop--;
    *n = (int)(stop - *start);
    return true;
}

// Where the column-th character begins, in bytes.
static int offset_of_column(const char *start, int n, int column)
{
    int at = 0;
    for (int c = 1; c < column && at < n; c++)
        do at++;
        while (at < n && ((unsigned char)start[at] & 0xc0) == 0x80);
    return at;
}

// At most this much of a long line is shown, with the place in it.
enum { LINE_SHOWN = 160 };

static void print_line(const char *text, size_t length, int line, int column)
{
    const char *start;
    int n;
    if (!find_line(text, length, line, &start, &n)) return;
    int caret = offset_of_column(start, n, column);
    int from = caret > LINE_SHOWN/2 ? caret - LINE_SHOWN/2 : 0;
    while (from > 0 && from < n && ((unsigned char)start[from] & 0xc0) == 0x80) from--;
    int shown = n - from < LINE_SHOWN ? n - from : LINE_SHOWN;
    while (from + shown < n && ((unsigned char)start[from + shown] & 0xc0) == 0x80) shown--;
    fprintf(stderr, "%5d | %.*s\n      | ", line, shown, start + from);
    for (int i = from; i < caret; i++)  // a tab stays a tab, so that the caret stands below its character
        if (((unsigned char)start[i] & 0xc0) != 0x80) fputc(start[i] == '\t' ? '\t' : ' ', stderr);
    fputs(use_colour(stderr) ? "\033[1;32m^\033[0m\n" : "^\n", stderr);
}

static void print_problem(const char *path, const char *text, size_t length, const caromProblem *problem)
{
    bool has_colour = use_colour(stderr);
    const char *colour = !has_colour ? "" : problem->is_warning ? "\033[1;33m" : "\033[1;31m";
    if (problem->line > 0) fprintf(stderr, "%s:%d:%d: ", path, problem->line, problem->column);
    else if (strncmp(problem->path, "--", 2) == 0) fprintf(stderr, "%s: ", problem->path);
    else fprintf(stderr, "%s: ", path);
    fprintf(stderr, "%s%s%s: ", colour, problem->is_warning ? "warning" : "error", has_colour ? "\033[0m" : "");
    if (problem->line == 0 && problem->path[0] && strncmp(problem->path, "--", 2) != 0)
        fprintf(stderr, "%s: ", problem->path);
    fprintf(stderr, "%s\n", problem->message);
    if (problem->line > 0) print_line(text, length, problem->line, problem->column);
}

void print_problems(const char *path, const char *text, size_t length, const caromProblems *problems)
{
    fflush(stdout);
    for (int i = 0; i < problems->count; i++) print_problem(path, text, length, &problems->items[i]);
    bool is_out_of_memory = problems->truncated && problems->count < CAROM_PROBLEMS_MAX;
    if (is_out_of_memory) complain("%s: out of memory for what is to be said about it", path);
    else if (problems->truncated) fprintf(stderr, "%s: there are more problems than these\n", path);
    if (problems->errors > 1) fprintf(stderr, "%s: %s\n", path, count_of(problems->errors, "error"));
}

static bool collect_overrides(Loaded *loaded, const char *const *overrides, int noverride, const char *end,
                              bool has_gaps)
{
    loaded->overrides = calloc((size_t)noverride + 2, sizeof *loaded->overrides);
    if (!loaded->overrides) return false;
    for (int i = 0; i < noverride; i++) loaded->overrides[loaded->noverride++] = overrides[i];
    if (has_gaps) loaded->overrides[loaded->noverride++] = "simulate.gaps=true";
    if (!end) return true;
    static const char path[] = "simulate.until=";
    size_t n = sizeof path + strlen(end);
    loaded->end_override = malloc(n);
    if (!loaded->end_override) return false;
    snprintf(loaded->end_override, n, "%s%s", path, end);
    loaded->overrides[loaded->noverride++] = loaded->end_override;
    return true;
}

static bool read_text(Loaded *loaded, const char *path, const char *shown)
{
    caromProblems problems = { 0 };
    const caromModelText from = { path, loaded->text, loaded->length, loaded->overrides, loaded->noverride };
    caromStatus status = carom_modelfile_read_from(&from, &problems, &loaded->model);
    print_problems(shown, loaded->text, loaded->length, &problems);
    carom_problems_free(&problems);
    return status == CAROM_OK;
}

// Units that seem to be missing, loops that do not close as given, bodies that start inside each other, and laws that
// their shapes cannot have, are found only once there is a model.
static bool check_start(const Loaded *loaded, const char *path)
{
    caromProblems problems = { 0 };
    carom_model_check_scales(loaded->model, &problems);
    carom_dyn_check_start(loaded->model, &problems);
    carom_patch_check_start(loaded->model, &problems);
    carom_contact_check(loaded->model, &problems);
    carom_modelfile_locate(loaded->text, loaded->length, loaded->overrides, loaded->noverride, &problems);
    print_problems(path, loaded->text, loaded->length, &problems);
    bool good = problems.errors == 0;
    carom_problems_free(&problems);
    return good;
}

const char *shown_name(const char *path)
{
    return is_standard(path) ? "<stdin>" : path;
}

bool load_model(Loaded *loaded, const char *path, const char *const *overrides, int noverride, const char *end,
                bool has_gaps)
{
    *loaded = (Loaded){ 0 };
    caromError err;
    base_name(path, loaded->name, sizeof loaded->name);
    if (carom_modelfile_load(path, &loaded->text, &loaded->length, &err) != CAROM_OK) {
        complain_of(&err);
        return false;
    }
    if (!collect_overrides(loaded, overrides, noverride, end, has_gaps)) {
        complain("out of memory");
        return false;
    }
    const char *shown = shown_name(path);
    return read_text(loaded, path, shown) && check_start(loaded, shown);
}

void unload_model(Loaded *loaded)
{
    carom_model_destroy(loaded->model);
    free(loaded->overrides);
    free(loaded->end_override);
    free(loaded->text);
    *loaded = (Loaded){ 0 };
}
