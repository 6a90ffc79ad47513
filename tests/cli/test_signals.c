// Runs that are stopped, and runs that are watched: Ctrl-C, kill -9, and the progress bar on a terminal of ours.
#include "cli_fixture.h"

#include "carom/results.h"

// Comes to rest and lies there for longer than anybody waits.
static const char forever[] =
    "carom: 1\n"
    "bodies:\n"
    "  plate: {fixed: true, material: steel, shape: {half-space: {normal: [0, 0, 1]}}}\n"
    "  ball: {material: steel, shape: {sphere: {radius: 50 mm}}, position: [0, 0, 0.2 m]}\n"
    "simulate: {until: 1e6 s, every: 20 ms, results: 100 GB}\n";

// Tests here wait for what happens, not for a time: a busy machine makes them slow, not wrong. ctest ends one that
// waits in vain.

static bool has_grown(const char *path, off_t size)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size >= size;
}

static void wait_for_file(const char *path, off_t size)
{
    while (!has_grown(path, size)) pause_for(0.001);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static void check_rows_advance(const caromResults *results)
{
    for (int64_t i = 1; i < carom_results_row_count(results); i++)
        assert_true(carom_results_row(results, i)[0] >= carom_results_row(results, i - 1)[0]);
}

static void stop_by(int signal_number, int status, const char *reason)
{
    write_text("long.yaml", forever);
    pid_t child = start_carom("run long.yaml", NULL);
    wait_for_file("long.carom", 100000);
    assert_int_equal(kill(child, signal_number), 0);
    Said said = finish_carom(child);
    assert_int_equal(said.status, status);
    expect_start("stdout", "run", "long: interrupted at *", said.out, strcspn(said.out, "\n"));
    assert_non_null(strstr(said.out, "\n  next     carom view long.carom\n"));
    forget(&said);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("long.carom", &results, &err), CAROM_OK);
    assert_true(carom_results_is_complete(results));
    assert_non_null(strstr(carom_results_end(results), "{\"verdict\":\"interrupted\","));
    assert_non_null(strstr(carom_results_end(results), reason));
    check_rows_advance(results);
    carom_results_close(results);
}

static void ctrl_c_stops_and_keeps_what_was_computed(void **state)
{
    (void)state;
    stop_by(SIGINT, 130, "stopped by Ctrl-C at ");
}

static void sigterm_does_the_same(void **state)
{
    (void)state;
    stop_by(SIGTERM, 143, "stopped by SIGTERM at ");
}

static void kill_9_leaves_a_file_that_opens(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    for (int i = 0; i < 5; i++) {
        unlink("long.carom");
        pid_t child = start_carom("run long.yaml", NULL);
        wait_for_file("long.carom", 1000 + 70000*i);
        kill(child, SIGKILL);
        Said said = finish_carom(child);
        assert_int_equal(said.status, 137);
        forget(&said);
        caromResults *results;
        caromError err;
        assert_int_equal(carom_results_open("long.carom", &results, &err), CAROM_OK);
        assert_false(carom_results_is_complete(results));
        check_rows_advance(results);
        carom_results_close(results);
    }
    expect("view long.carom", 0, "wrote long.html (*B), from long.carom\nnext: open it in a browser\n",
           "carom: warning: long.carom: incomplete: its run was cut off or still goes on, or the file is damaged; "
           "what could be read is * rows until * s, * kB of * kB\n");
}

// The first goes on as if nothing had happened; a file that a killed run left is free.
static void file_that_a_run_writes_is_refused_to_others(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    pid_t child = start_carom("run long.yaml -q -o same.carom", NULL);
    wait_for_file("same.carom", 1000);
    for (int i = 0; i < 3; i++) {
        struct stat before, after;
        assert_int_equal(stat("same.carom", &before), 0);
        expect("run long.yaml --end 1 -o same.carom", 2, "", "carom: error: same.carom: another run or command is "
               "writing it; wait until that ends or choose another name\n");
        assert_int_equal(stat("same.carom", &after), 0);
        assert_true(after.st_ino == before.st_ino && after.st_size >= before.st_size);
        cli_running = child;
    }
    kill(child, SIGKILL);
    Said said = finish_carom(child);
    assert_int_equal(said.status, 137);
    forget(&said);
    expect("run long.yaml --end 1 -q -o same.carom", 0, "", "");
}

static void disk_that_fills_up_ends_the_run_with_its_reason(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char command[4200];
        snprintf(command, sizeof command, "ulimit -f 300; exec %s run long.yaml > stdout.txt 2> stderr.txt",
                 CAROM_COMMAND);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    Said said = finish_carom(child);
    assert_int_equal(said.status, 1);
    expect_text("stderr", "run", "carom: error: long.carom: cannot write more than the first * bytes: File too large\n"
                                 "carom: stopped at *; what was computed until then is in long.carom\n", said.err);
    forget(&said);
    caromResults *results;
    caromError err;
    assert_int_equal(carom_results_open("long.carom", &results, &err), CAROM_OK);
    assert_true(carom_results_row_count(results) > 100);
    carom_results_close(results);
}

// ---- on a terminal

// What a run says on a terminal of that width until that is enough, then Ctrl-C. The text is malloc'ed.
static char *watch(const char *line, int columns, bool (*is_enough)(const char *text), const char *const *environment,
                   int *status)
{
    struct winsize size = { .ws_row = 24, .ws_col = (unsigned short)columns };
    int terminal;
    fflush(NULL);
    pid_t child = forkpty(&terminal, NULL, NULL, &size);
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 8; i++) {
            cli_environment[i] = environment[i];
            if (!environment[i]) break;
        }
        become_carom(line);
    }
    char *text = malloc(TEXT_MAX);
    size_t n = 0;
    bool is_stopped = false;
    for (;;) {
        struct pollfd ready = { terminal, POLLIN, 0 };
        poll(&ready, 1, 20);
        ssize_t m = ready.revents ? read(terminal, text + n, TEXT_MAX - 1 - n) : 0;
        if (ready.revents && m <= 0) break;
        n += (size_t)m;
        text[n] = '\0';
        if (!is_stopped && is_enough(text)) {
            assert_int_equal(write(terminal, "\003", 1), 1);  // the key, not the signal
            is_stopped = true;
        }
    }
    int wait_status;
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    *status = shell_status(wait_status);
    close(terminal);
    return text;
}

// Characters between two carriage returns that show on the screen.
static int visible_width(const char *from, const char *to)
{
    int n = 0;
    for (; from < to; from++) {
        if (*from == '\033') {
            while (from < to && !((*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z'))) from++;
        } else if (((unsigned char)*from & 0xc0) != 0x80) n++;
    }
    return n;
}

static int count_bars(const char *text, int columns)
{
    int bars = 0;
    const char *at = text;
    while ((at = strstr(at, "\r\033[K[")) != NULL) {
        const char *end = strpbrk(at + 1, "\r\n");
        if (!end) end = at + strlen(at);
        assert_true(visible_width(at + 1, end) < columns);
        bars++;
        at++;
    }
    return bars;
}

static int count_of(const char *text, const char *piece)
{
    int n = 0;
    while ((text = strstr(text, piece)) != NULL) n++, text++;
    return n;
}

static bool has_three_bars(const char *text)
{
    return count_of(text, "\r\033[K[") >= 3;  // all of two at least
}

static bool has_a_line(const char *text)
{
    return count_of(text, "\n") >= 1;
}

static bool runs(const char *text)
{
    (void)text;
    return has_grown("long.carom", 100000);
}

static const char *const coloured[] = { "LC_ALL=C.UTF-8", "TERM=xterm", NULL };
static const char *const plain[] = { "LC_ALL=C", "TERM=xterm", "NO_COLOR=1", NULL };
static const char *const dumb[] = { "LC_ALL=C.UTF-8", "TERM=dumb", NULL };

static void terminal_shows_a_bar_that_fits(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    const int widths[] = { 200, 80, 40, 24 };
    for (size_t i = 0; i < sizeof widths/sizeof *widths; i++) {
        int status;
        char *text = watch("run long.yaml", widths[i], has_three_bars, coloured, &status);
        assert_int_equal(status, 130);
        assert_true(count_bars(text, widths[i]) >= 2);
        assert_non_null(strstr(text, " %"));
        assert_non_null(strstr(text, "\033[36m"));
        if (widths[i] >= 80) assert_non_null(strstr(text, " s of 1000000 s"));
        if (widths[i] == 200) assert_non_null(strstr(text, " x real time"));
        // Gone before the summary appears.
        char *summary = strstr(text, "long: interrupted at");
        assert_non_null(summary);
        assert_memory_equal(summary - 4, "\r\033[K", 4);
        free(text);
    }
}

static void bar_is_ascii_and_without_colour_if_asked(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    int status;
    char *text = watch("run long.yaml", 100, has_three_bars, plain, &status);
    assert_int_equal(status, 130);
    assert_true(count_bars(text, 100) >= 2);
    assert_null(strstr(text, "\033[3"));
    assert_null(strstr(text, "\033[1"));
    for (const char *c = text; *c; c++) assert_true((unsigned char)*c < 0x80);
    free(text);
}

static void dumb_terminal_gets_lines(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    int status;
    char *text = watch("run long.yaml", 80, has_a_line, dumb, &status);
    assert_int_equal(status, 130);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, " %, "));
    free(text);
}

static void quiet_is_quiet_on_a_terminal_too(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    int status;
    char *text = watch("run --quiet long.yaml", 80, runs, coloured, &status);
    assert_int_equal(status, 130);
    assert_string_equal(text, "^C");  // the terminal's own echo
    free(text);
}

static void file_gets_a_line_every_two_seconds(void **state)
{
    (void)state;
    write_text("long.yaml", forever);
    double start = now();
    pid_t child = start_carom("run long.yaml", NULL);
    for (int lines = 0; lines < 2;) {
        pause_for(0.02);
        char *text = read_text("stderr.txt");
        lines = count_of(text, "\n");
        free(text);
    }
    kill(child, SIGINT);
    Said said = finish_carom(child);
    double elapsed = now() - start;
    int lines = 0;
    for (char *line = strtok(said.err, "\n"); line; line = strtok(NULL, "\n"), lines++)
        expect_text("stderr", "run", "* %, * of 1000000 s, * left, * events, * x real time", line);
    assert_true(lines >= 2 && lines <= elapsed/2);
    forget(&said);
}

int main(void)
{
#define CLI_TEST(name) cmocka_unit_test_setup_teardown(name, enter_directory, leave_directory)
    const struct CMUnitTest tests[] = {
        CLI_TEST(ctrl_c_stops_and_keeps_what_was_computed),
        CLI_TEST(sigterm_does_the_same),
        CLI_TEST(kill_9_leaves_a_file_that_opens),
        CLI_TEST(file_that_a_run_writes_is_refused_to_others),
        CLI_TEST(disk_that_fills_up_ends_the_run_with_its_reason),
        CLI_TEST(terminal_shows_a_bar_that_fits),
        CLI_TEST(bar_is_ascii_and_without_colour_if_asked),
        CLI_TEST(dumb_terminal_gets_lines),
        CLI_TEST(quiet_is_quiet_on_a_terminal_too),
        CLI_TEST(file_gets_a_line_every_two_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
