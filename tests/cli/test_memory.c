// Out of memory at every allocation of a command, in the library and around it: it says so, and does not end as done.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "cli.h"
#include "failing_memory.h"

typedef struct Told {
    int status;
    char err[4096];
} Told;

// As main() does.
static int run_words(char **words, int n)
{
    Arguments arguments;
    int before = complaints_of_memory(), status = WRONG;
    if (arguments_parse(&arguments, command_named(words[0]), n - 1, words + 1))
        status = arguments.command->run(&arguments);
    arguments_free(&arguments);
    return status == DONE && complaints_of_memory() > before ? FAILED : status;
}

// A command with the n-th allocation failing.
static Told run_command(char **words, int n, long failing)
{
    Told told = { 0 };
    FILE *file = tmpfile();
    int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    fflush(NULL);
    dup2(null, STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    countdown = failing;
    has_failed = false;
    told.status = run_words(words, n);
    countdown = -1;
    fflush(NULL);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(old_out);
    close(old_err);
    close(null);
    rewind(file);
    told.err[fread(told.err, 1, sizeof told.err - 1, file)] = '\0';
    fclose(file);
    return told;
}

static void fail_everywhere(char **words, int n)
{
    for (long k = 0;; k++) {
        Told told = run_command(words, n, k);
        if (!has_failed) {
            if (told.status != DONE) fail_msg("%s: status %d: %s", words[0], told.status, told.err);
            assert_true(k > 5);
            return;
        }
        if (told.status == DONE || !strstr(told.err, "memory"))
            fail_msg("%s: allocation %ld: status %d: %s", words[0], k, told.status, told.err);
    }
}

#define FAIL_EVERYWHERE(...) do { \
    char *words[] = { __VA_ARGS__ }; \
    fail_everywhere(words, (int)(sizeof words/sizeof *words)); \
} while (0)

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(chdir(CAROM_SOURCE_DIR), 0);
    FAIL_EVERYWHERE("check", "tests/modelfile/good/bounce.yaml", "--gaps", "--explain", "--set", "simulate.until=1");
    FAIL_EVERYWHERE("check", "tests/modelfile/good/laws.yaml", "--explain");
    FAIL_EVERYWHERE("check", "tests/modelfile/good/mechanism.yaml", "--gaps");
    FAIL_EVERYWHERE("check", "tests/modelfile/good/mesh.yaml", "--gaps");
    FAIL_EVERYWHERE("check", "tests/modelfile/good/rigid.yaml", "--explain");
    FAIL_EVERYWHERE("check", "examples/impact-laws.yaml");
    FAIL_EVERYWHERE("materials", "steel");
}

static void runs_and_what_is_made_of_them_too(void **state)
{
    (void)state;
    char folder[] = "/tmp/carom-memory-XXXXXX", results[64], made[64];
    assert_non_null(mkdtemp(folder));
    snprintf(results, sizeof results, "%s/r.carom", folder);
    snprintf(made, sizeof made, "%s/made", folder);
    assert_int_equal(chdir(CAROM_SOURCE_DIR), 0);
    FAIL_EVERYWHERE("run", "examples/bouncing-ball.yaml", "--end", "0.5", "-o", results);
    FAIL_EVERYWHERE("csv", results, "-o", made);
    unlink(made);
    FAIL_EVERYWHERE("view", results, "-o", made);
    unlink(made);
    unlink(results);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(runs_and_what_is_made_of_them_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
