// How far a run is: a bar on a terminal, a line now and then elsewhere.
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include "cli.h"

enum { PROGRESS_PARTS = 4 };

typedef struct Progress {
    enum { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_LINES } kind;
    double until;          // simulated time at the end [s]
    double start, shown;   // on the wall clock [s]
    // Marks that are at least PROGRESS_WINDOW apart: the pace is that since the earlier one.
    struct { double wall, time; int64_t steps; } mark[2];
    bool has_warned;
    int widest[PROGRESS_PARTS];  // of the texts so far, so that the bar keeps its width
    bool is_on_screen;
} Progress;

static const double PROGRESS_WINDOW = 5;  // [s]

double wall_clock(void);  // [s], monotonic
Progress progress_start(double until, bool is_quiet);
// Cheap: shows something ten times a second at most. time: simulated so far; the counts come from stats.
void progress_update(Progress *progress, double time, const caromSimStats *stats);
// On the wall clock, at the pace of the last seconds; infinite: nothing moves.
double progress_left(const Progress *progress, double time, double now);
// Says, once, that the end is far away: many steps for little simulated time.
void progress_warn_if_crawling(Progress *progress, const caromSimStats *stats);
void progress_end(Progress *progress);  // removes the bar

#endif
