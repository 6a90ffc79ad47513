#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double BAR_PERIOD = 0.1, LINE_PERIOD = 2.0;  // [s]

double wall_clock(void)
{
    struct timespec t = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

Progress progress_start(double until, bool is_quiet)
{
    const char *term = getenv("TERM");
    bool has_bar = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    double now = wall_clock();
    Progress progress = { .until = until, .start = now, .shown = now };
    progress.mark[0].wall = progress.mark[1].wall = now;
    progress.kind = is_quiet ? PROGRESS_NONE : has_bar ? PROGRESS_BAR : PROGRESS_LINES;
    return progress;
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int n = columns ? atoi(columns) : 0;
    return n > 0 ? n : 80;
}

double progress_left(const Progress *progress, double time, double now)
{
    double pace = (time - progress->mark[0].time)/(now - progress->mark[0].wall);
    return pace > 0 ? (progress->until - time)/pace : (double)INFINITY;
}

static void move_marks(Progress *progress, double time, const caromSimStats *stats, double now)
{
    if (now - progress->mark[1].wall < PROGRESS_WINDOW) return;
    progress->mark[0] = progress->mark[1];
    progress->mark[1].wall = now;
    progress->mark[1].time = time;
    progress->mark[1].steps = stats->steps;
}

// "5 s", "12 min", "3 h", "2 days".
static const char *long_time(double seconds)
{
    static char text[32];
    static const struct { double unit, from; const char *name; } units[] =
        { { 86400, 172800, "days" }, { 3600, 7200, "h" }, { 60, 120, "min" }, { 1, 0, "s" } };
    int k = 0;
    while (seconds < units[k].from) k++;
    snprintf(text, sizeof text, "%.0f %s", fmax(1, seconds/units[k].unit), units[k].name);
    return text;
}

void progress_warn_if_crawling(Progress *progress, const caromSimStats *stats)
{
    const double patience = 10, far = 1200;  // [s]
    double now = wall_clock(), left = progress_left(progress, stats->time, now);
    move_marks(progress, stats->time, stats, now);
    if (progress->has_warned || now - progress->start < patience || !(left > far)) return;
    progress->has_warned = true;
    progress_end(progress);
    char distance[64] = "there is no end";
    if (isfinite(left)) snprintf(distance, sizeof distance, "the end is %s away", long_time(left));
    warn("this run crawls: %s for the last %s of simulated time; at this pace %s.\n"
         "       Ctrl-C stops it and keeps what was computed. What is hard to follow is often a contact that is much\n"
         "       stiffer than what presses on it: --set contact.k_red=100 shows, or a larger simulate.tolerance",
         count_of(stats->steps - progress->mark[0].steps, "step"), si(stats->time - progress->mark[0].time, "s"),
         distance);
}

// "1.35 s of 3 s, 7.1 x real time, 24 events, 2.3 s left"; the parts that matter least come last.
enum { PARTS = PROGRESS_PARTS, PART_SIZE = 64 };
static void describe(const Progress *progress, double time, const caromSimStats *stats, double now,
                     char parts[PARTS][PART_SIZE])
{
    double elapsed = now - progress->start, left = progress_left(progress, time, now);
    int64_t events = 0;
    for (int k = 0; k < CAROM_EVENT_KINDS; k++) events += stats->events[k];
    snprintf(parts[0], PART_SIZE, "%s of %s", si(time, "s"), si(progress->until, "s"));
    if (isfinite(left)) snprintf(parts[1], PART_SIZE, "%s left", long_time(left));
    else snprintf(parts[1], PART_SIZE, "time left unknown");
    snprintf(parts[2], PART_SIZE, "%s", count_of(events, "event"));
    snprintf(parts[3], PART_SIZE, "%s x real time", factor(elapsed > 0 ? time/elapsed : 0));
}

static void append(char *text, size_t n, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, n - used, "%s", more);
}

// Eighths of a block where the terminal knows them.
static void fill_bar(char *text, size_t n, int width, double done)
{
    static const char *const eighths[] = { "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589" };
    bool is_utf8 = terminal_is_utf8();
    int cells = (int)(done*width*8), drawn = 0;
    text[0] = '\0';
    for (; drawn < cells/8 && drawn < width; drawn++) append(text, n, is_utf8 ? "\u2588" : "#");
    if (is_utf8 && drawn < width && cells % 8) append(text, n, eighths[cells % 8]), drawn++;
    for (; drawn < width; drawn++) append(text, n, is_utf8 ? " " : ".");
}

// "[#####.....]  45 %  1.35 s of 3 s  ..." as wide as the terminal allows, on one line.
static void show_bar(Progress *progress, char parts[PARTS][PART_SIZE], double done)
{
    enum { BAR_LEAST = 10, BAR_MOST = 40 };
    char text[256], bar[4*BAR_MOST + 1];
    int room = terminal_width() - 3;  // a terminal that echoes ^C behind the bar does not break the line
    snprintf(text, sizeof text, "%3d %%", (int)(100*done));
    for (int k = 0; k < PARTS; k++) {
        int width = text_width(parts[k]);
        if (width > progress->widest[k]) progress->widest[k] = width;
        if (text_width(text) + 2 + progress->widest[k] + BAR_LEAST + 3 > room) break;
        append(text, sizeof text, "  ");
        for (int i = width; i < progress->widest[k]; i++) append(text, sizeof text, " ");
        append(text, sizeof text, parts[k]);
    }
    int width = room - text_width(text) - 3;
    if (width > BAR_MOST) width = BAR_MOST;
    bool has_colour = use_colour(stderr);
    fputs("\r\033[K", stderr);
    if (width >= 4) {
        fill_bar(bar, sizeof bar, width, done);
        fprintf(stderr, "[%s%s%s] ", has_colour ? "\033[36m" : "", bar, has_colour ? "\033[0m" : "");
    }
    if (room >= 6) fputs(text, stderr);
    fflush(stderr);
}

void progress_update(Progress *progress, double time, const caromSimStats *stats)
{
    if (progress->kind == PROGRESS_NONE) return;
    double now = wall_clock();
    if (now - progress->shown < (progress->kind == PROGRESS_BAR ? BAR_PERIOD : LINE_PERIOD)) return;
    progress->shown = now;
    move_marks(progress, time, stats, now);
    double done = time/progress->until;
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    char parts[PARTS][PART_SIZE];
    describe(progress, time, stats, now, parts);
    if (progress->kind == PROGRESS_BAR) {
        show_bar(progress, parts, done);
        progress->is_on_screen = true;
    } else {
        fprintf(stderr, "%3d %%", (int)(100*done));
        for (int k = 0; k < PARTS; k++) fprintf(stderr, ", %s", parts[k]);
        fputc('\n', stderr);
    }
}

void progress_end(Progress *progress)
{
    if (progress->is_on_screen) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->is_on_screen = false;
}
