// Runs the command as a user would, in a directory of its own, and keeps what it said.
#ifndef CAROM_TESTS_CLI_FIXTURE_H
#define CAROM_TESTS_CLI_FIXTURE_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { WORDS_MAX = 24, TEXT_MAX = 1 << 22 };

typedef struct Said {
    int status;  // of the process, as a shell has it
    char *out, *err;
} Said;

static pid_t cli_running;  // 0: none

static const char *cli_environment[8] = { "LC_ALL=C", "TERM=dumb", "PATH=/usr/bin:/bin", NULL };

// Splits at spaces; '...' keeps them.
static inline void split_words(char *line, char **words)
{
    int n = 0;
    for (char *c = line; *c;) {
        while (*c == ' ') c++;
        if (!*c) break;
        assert_true(n < WORDS_MAX - 1);
        char end = *c == '\'' ? *c++ : ' ';
        words[n++] = c;
        while (*c && *c != end) c++;
        if (*c) *c++ = '\0';
    }
    words[n] = NULL;
}

static inline _Noreturn void become_carom(const char *line)
{
    char copy[4096], *words[WORDS_MAX];
    snprintf(copy, sizeof copy, "carom %s", line);
    split_words(copy, words);
    signal(SIGINT, SIG_DFL);  // a shell's background has it ignored
    execve(CAROM_COMMAND, words, (char *const *)cli_environment);
    _exit(127);
}

static inline int shell_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline char *read_text(const char *path)
{
    char *text = malloc(TEXT_MAX);
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(text, 1, TEXT_MAX - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return text;
}

static inline pid_t start_carom(const char *line, const char *out)
{
    fflush(NULL);
    pid_t child = cli_running = fork();
    if (child != 0) return child;
    int o = open(out ? out : "stdout.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600),
        e = open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(o, 1);
    dup2(e, 2);
    become_carom(line);
}

static inline Said finish_carom(pid_t child)
{
    Said said;
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    cli_running = 0;
    said.status = shell_status(status);
    said.out = read_text("stdout.txt");
    said.err = read_text("stderr.txt");
    return said;
}

static inline Said carom_says(const char *line)
{
    return finish_carom(start_carom(line, NULL));
}

static inline void forget(Said *said)
{
    free(said->out);
    free(said->err);
}

// '*' in the pattern stands for anything within a line.
static inline bool matches(const char *pattern, const char *text)
{
    if (*pattern == '*') {
        for (;; text++) {
            if (matches(pattern + 1, text)) return true;
            if (!*text || *text == '\n') return false;
        }
    }
    if (*pattern != *text) return false;
    return !*pattern || matches(pattern + 1, text + 1);
}

static inline void expect_text(const char *what, const char *line, const char *pattern, const char *text)
{
    if (matches(pattern, text)) return;
    print_error("carom %s\n--- expected on %s\n%s\n--- said\n%s\n---\n", line, what, pattern, text);
    fail();
}

// The first n bytes of the text.
static inline void expect_start(const char *what, const char *line, const char *pattern, const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = '\0';
    expect_text(what, line, pattern, copy);
    free(copy);
}

static inline void expect(const char *line, int status, const char *out, const char *err)
{
    Said said = carom_says(line);
    expect_text("stderr", line, err, said.err);
    expect_text("stdout", line, out, said.out);
    if (said.status != status) print_error("carom %s\n", line);
    assert_int_equal(said.status, status);
    forget(&said);
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline void pause_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - floor(seconds))*1e9) };
    nanosleep(&t, NULL);
}

// Each test starts in an empty directory.
static inline int enter_directory(void **state)
{
    char name[] = "cli_XXXXXX";
    char *path = mkdtemp(name);
    if (!path || chdir(path) != 0) return -1;
    *state = realpath(".", NULL);
    return *state ? 0 : -1;
}

static inline int leave_directory(void **state)
{
    if (cli_running) {
        kill(cli_running, SIGKILL);
        waitpid(cli_running, NULL, 0);
        cli_running = 0;
    }
    char command[4200];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int status = chdir("..") || system(command);
    free(*state);
    return status;
}

#define CLI_TEST(name) cmocka_unit_test_setup_teardown(name, enter_directory, leave_directory)

#endif
