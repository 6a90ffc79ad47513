// How the simulation of a scene ends.
#ifndef CAROM_TESTS_JUDGE_H
#define CAROM_TESTS_JUDGE_H

#include <stdint.h>

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
    double depth;       // deepest, as a part of the thickness of the thinner shape
    int64_t steps;
    char message[400];
} Judgement;

const char *verdict_name(Verdict verdict);

// Simulates a model file in a process of its own, for at most cpu_per_second of processor time to each simulated
// second. override: "path=value" as of the command line, or NULL.
Judgement judge_text(const char *text, const char *override, double cpu_per_second);

#endif
