#include "table.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { REPEATS = 7, TOLERANCES = 9 };

typedef struct Point {
    double error, us, nf;
} Point;

double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static BenchRun run_best(BenchProblem problem, const caromMethod *method, double tolerance)
{
    BenchRun best = problem(method, tolerance);
    for (int i = 1; i < REPEATS; i++) {
        BenchRun again = problem(method, tolerance);
        if (again.seconds < best.seconds) best = again;
    }
    return best;
}

static double error_of(const BenchRun *a, const BenchRun *b)
{
    return fmax(fabs(a->result[0] - b->result[0]), fabs(a->result[1] - b->result[1]));
}

// Work at the target error on the line between the two neighbouring tolerances, in logarithms. NAN: not reached.
static Point at_target(const Point *points, double target)
{
    for (int i = 0; i < TOLERANCES; i++) {
        if (!(points[i].error <= target)) continue;
        if (i == 0) return points[0];
        Point a = points[i - 1], b = points[i];
        double x = log(target/a.error)/log(b.error/a.error);
        return (Point){ target, a.us*pow(b.us/a.us, x), a.nf*pow(b.nf/a.nf, x) };
    }
    return (Point){ (double)NAN, (double)NAN, (double)NAN };
}

static Point bench_method(BenchProblem problem, const caromMethod *method, const BenchRun *reference, double target)
{
    Point points[TOLERANCES];
    for (int k = 0; k < TOLERANCES; k++) {
        double tolerance = pow(10, -4 - k);
        BenchRun run = run_best(problem, method, tolerance);
        double error = run.is_done ? error_of(&run, reference) : (double)NAN;
        printf("%-14s %6.0e %8lld %8lld %9lld %9lld %6d %10.1f %9.1e\n", method->name, tolerance,
               (long long)run.counts.steps, (long long)run.counts.rejected, (long long)run.counts.jacobians,
               (long long)run.counts.evaluations, run.events, 1e6*run.seconds, error);
        points[k] = (Point){ error, 1e6*run.seconds, (double)run.counts.evaluations };
    }
    return at_target(points, target);
}

void bench_table(const char *title, const char *unit, double target, BenchProblem problem)
{
    const caromMethod *methods[] = { &carom_method_dp5, &carom_method_dop853, &carom_method_rodas5p,
                                     carom_method_cvode_adams(), carom_method_cvode() };
    enum { COUNT = sizeof methods/sizeof methods[0] };
    BenchRun reference = problem(&carom_method_dop853, 1e-14), check = problem(&carom_method_dp5, 1e-13);
    printf("%s; reference dop853 at 1e-14, dp5 at 1e-13 differs by %.1e %s\n\n", title, error_of(&reference, &check),
           unit);
    printf("%-14s %6s %8s %8s %9s %9s %6s %10s %9s\n", "method", "tol", "steps", "rejected", "jacobians", "nf",
           "events", "CPU us", "error");
    Point points[COUNT];
    for (int m = 0; m < COUNT; m++)
        if (methods[m]) points[m] = bench_method(problem, methods[m], &reference, target);
    printf("\n");
    for (int m = 0; m < COUNT; m++) {
        if (!methods[m]) continue;
        printf("time to reach %.0e %s: %-14s %9.1f us, nf %7.0f", target, unit, methods[m]->name, points[m].us,
               points[m].nf);
        for (int c = COUNT - 2; c < COUNT; c++)
            if (methods[c] && c != m) printf(", %s / this = %.1f", methods[c]->name, points[c].us/points[m].us);
        printf("\n");
    }
    printf("\n");
}
