// How far a run is: a bar on a terminal, a line now and then elsewhere.
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include "cli.h"

enum { PROGRESS_PARTS = 4 };

typedef struct Progress {
    enum { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_LINES } kind;
    double until;          // simulated time at the end [s]
    double start, shown;   // on the wall clock [s]
    int widest[PROGRESS_PARTS];  // of the texts so far, so that the bar keeps its width
    bool is_on_screen;
} Progress;

double wall_clock(void);  // [s], monotonic
Progress progress_start(double until, bool is_quiet);
// Cheap: shows something ten times a second at most. time: simulated so far; the counts come from stats.
void progress_update(Progress *progress, double time, const caromSimStats *stats);
void progress_end(Progress *progress);  // removes the bar

#endif
