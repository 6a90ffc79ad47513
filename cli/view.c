#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

static bool try_name(char *path, const char *start, const char *ending)
{
    int n = snprintf(path, PATH_SIZE, "%s%s", start, ending);
    return n < PATH_SIZE && file_exists(path);
}

// The file that an operand means: itself, or NAME.carom, or NAME.yaml. False, and says so: there is none.
static bool find_input(const char *operand, char *path)
{
    static const char *const endings[] = { "", ".carom", ".yaml", ".yml" };
    for (size_t i = 0; i < sizeof endings/sizeof *endings; i++)
        if (try_name(path, operand, endings[i])) return true;
    complain("there is no file '%s', '%s.carom' or '%s.yaml'", operand, operand, operand);
    return false;
}

static bool is_newer(const char *a, const char *b)
{
    struct stat ia, ib;
    return stat(a, &ia) == 0 && stat(b, &ib) == 0 && ia.st_mtime > ib.st_mtime;
}

// Results of a model: those in NAME.carom here, else next to the model, else of a run now.
static int results_of_model(const char *model_path, char *results_path)
{
    char name[FILE_NAME_SIZE], beside[PATH_SIZE + FILE_NAME_SIZE];
    base_name(model_path, name, sizeof name);
    const char *slash = strrchr(model_path, '/');
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - model_path) : 0, model_path, name);
    if (try_name(results_path, name, ".carom") || try_name(results_path, beside, ".carom")) {
        if (is_newer(model_path, results_path))
            warn("%s is newer than %s; to show the new model: carom run %s", model_path, results_path,
                 shell_word(model_path));
        return DONE;
    }
    snprintf(results_path, PATH_SIZE, "%s.carom", name);
    RunRequest request = { .model_path = model_path, .results_path = results_path, .is_for_view = true };
    return run_model(&request);
}

static int open_in_browser(const char *page)
{
#ifdef __APPLE__
    const char *opener = "open";
#else
    const char *opener = "xdg-open";
#endif
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        execlp(opener, opener, page, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        warn("could not start a browser by '%s'; open %s yourself", opener, page);
        return FAILED;
    }
    return DONE;
}

static void warn_of_results(const caromResultsSurvey *survey, const char *path)
{
    int64_t every = carom_results_page_every(survey);
    warn_if_incomplete(survey, path);
    warn_if_thinned(survey, path);
    if (every > 1)
        warn("%s has %s, more than a browser takes: the page has every %lldth sample and event, and no patches", path,
             si((double)survey->size, "B"), (long long)every);
}

int command_view(const Arguments *arguments)
{
    char input[PATH_SIZE], results[PATH_SIZE], name[FILE_NAME_SIZE], here[FILE_NAME_SIZE + 8];
    if (!find_input(arguments->operands[0], input)) return WRONG;
    int status = DONE;
    const char *ending = strrchr(input, '.');
    bool is_named_so = ending && strcmp(ending, ".carom") == 0;  // then the reader says what is wrong with it
    if (is_results_file(input) || is_named_so) snprintf(results, sizeof results, "%s", input);
    else status = results_of_model(input, results);
    if (status == WRONG || !file_exists(results)) return status;

    base_name(input, name, sizeof name);
    snprintf(here, sizeof here, "%s.html", name);
    const char *page = option_value(arguments, "output");
    if (!page) page = here;
    if (!keeps_input(page, results) || !keeps_input(page, input) || !may_write(page, A_PAGE)) return WRONG;
    caromError err;
    caromResultsSurvey survey;
    caromStatus made = carom_results_survey(results, &survey, &err);
    if (made == CAROM_OK) {
        warn_of_results(&survey, results);
        made = carom_results_page_of(results, &survey, page, &err);
    }
    if (made != CAROM_OK) {
        complain_of(&err);
        return strcmp(err.where, page) == 0 ? FAILED : WRONG;
    }
    printf("wrote %s (%s), from %s\n", page, si((double)file_size(page), "B"), results);
    if (option_value(arguments, "open")) return open_in_browser(page);
    printf("next: open it in a browser\n");
    return status;
}
