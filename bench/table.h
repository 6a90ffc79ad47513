// Work against error of every integration method on one problem, as a table.
#ifndef CAROM_BENCH_TABLE_H
#define CAROM_BENCH_TABLE_H

#include "time/method.h"

typedef struct BenchRun {
    caromCounts counts;
    double result[2];   // what is compared with the reference
    double seconds;     // CPU time
    int events;
    bool is_done;
} BenchRun;

typedef BenchRun (*BenchProblem)(const caromMethod *method, double tolerance);

double bench_cpu_seconds(void);

// Runs every method at tolerances 1e-4 to 1e-12, prints work and error against DOP853 at 1e-14 (cross-checked by DP5),
// then the time to reach the target error.
void bench_table(const char *title, const char *unit, double target, BenchProblem problem);

#endif
