// How the simulation of a scene ends.
#ifndef CAROM_TESTS_JUDGE_H
#define CAROM_TESTS_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/carom.h"

typedef enum Verdict {
    REFUSED,   // at the start, with what to change
    FINISHED,
    CLEAR,     // stopped by what the response cannot do yet, and told so with a cure
    UNCLEAR,   // stopped in any other way
    TIMEOUT,   // more processor time than it may take
    GAINED,    // energy, beyond ten tolerances
    LOST,      // energy that nothing accounts for, or a loss that was given back
    THROUGH,   // a shape is deeper in another than it may be
    NOT_FINITE,
    CRASHED,
    VERDICTS
} Verdict;

typedef struct Judgement {
    Verdict verdict;
    double cpu;         // [s]
    double until;       // simulated [s]
    double imbalance;   // largest, as multiples of tolerance times energy, with its sign
    double depth;       // deepest, as a part of half of what the thinner shape measures along the normal
    int64_t steps, evaluations;
    char message[400];
} Judgement;

const char *verdict_name(Verdict verdict);

// Processor time that a simulation may take: to each simulated second, and altogether (0: without limit) [s].
typedef struct Patience { double per_second, altogether; } Patience;

// Simulates a model in a process of its own.
Judgement judge(const caromModelText *model, Patience patience);

// The same for a text alone. override: "path=value" as of the command line, or NULL.
Judgement judge_text(const char *text, const char *override, double cpu_per_second);

// A line on standard output.
void judge_tell(const char *name, const Judgement *j);

// Leaves the text of a model in a folder, named by its verdict, with that line as a comment.
void judge_keep(const char *folder, const char *name, const char *text, const Judgement *j);

// A model file; false: it cannot be read. The text is the caller's to free().
bool judge_load(const char *path, char **text, caromModelText *model);

#endif
