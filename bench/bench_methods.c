// bench_methods -- work against error of the integration methods on a double pendulum.
//
// Two point masses of 1 kg on massless rods of 1 m, g = 9.81 m/s^2, released at rest with both rods horizontal, 10 s. The
// error is the larger of the two angles' errors at the end. The reference is a tight run, cross-checked by a second method.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "integrate/method.h"

#define STATES 4
#define T_END 10.0
#define GRAVITY 9.81
#define REPEATS 7
#define TARGET 1e-6  // rad

typedef struct Run {
    caromCounts counts;
    double y[STATES];
    double seconds;
    bool is_done;
} Run;

typedef struct Point {
    double error, us, nf;
} Point;

// m = l = 1; angles a, b from the vertical, D = a - b:
//     2 a'' + b'' cos D + b'^2 sin D + 2 g sin a = 0,   b'' + a'' cos D - a'^2 sin D + g sin b = 0
static caromStatus pendulum(void *user, double t, const double *y, double *dy)
{
    (void)user, (void)t;
    double s = sin(y[0] - y[1]), c = cos(y[0] - y[1]);
    double p = -y[3]*y[3]*s - 2*GRAVITY*sin(y[0]);
    double q = y[2]*y[2]*s - GRAVITY*sin(y[1]);
    double det = 2 - c*c;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (p - c*q)/det;
    dy[3] = (2*q - c*p)/det;
    return CAROM_OK;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static Run run_once(const caromMethod *method, double tolerance)
{
    const double start[STATES] = { acos(-1.0)/2, acos(-1.0)/2, 0, 0 };
    double weight[STATES];
    for (int i = 0; i < STATES; i++) weight[i] = tolerance;
    const int block[] = { 0, STATES };
    caromOde ode = { STATES, 0, pendulum, NULL };
    caromNorm norm = { weight, block, 1 };
    Run run = { 0 };
    caromStepper *s = method->create(&ode, &norm);
    if (!s) return run;
    double begin = cpu_seconds(), tau0, tau1 = 0;
    caromStatus status = method->start(s, 0, start, 0);
    while (status == CAROM_OK && tau1 < T_END) {
        status = method->step(s, T_END, NULL);
        method->span(s, &tau0, &tau1);
    }
    run.seconds = cpu_seconds() - begin;
    run.is_done = status == CAROM_OK;
    run.counts = method->counts(s);
    for (int i = 0; i < STATES; i++) run.y[i] = method->state(s)[i];
    method->destroy(s);
    return run;
}

static Run run_best(const caromMethod *method, double tolerance)
{
    Run best = run_once(method, tolerance);
    for (int i = 1; i < REPEATS; i++) {
        Run again = run_once(method, tolerance);
        if (again.seconds < best.seconds) best = again;
    }
    return best;
}

static double angle_error(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

// Work at the target error on the line between the two neighbouring tolerances, in logarithms. NAN: not reached.
static Point at_target(const Point *points, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(points[i].error <= TARGET)) continue;
        if (i == 0) return points[0];
        Point a = points[i - 1], b = points[i];
        double x = log(TARGET/a.error)/log(b.error/a.error);
        return (Point){ TARGET, a.us*pow(b.us/a.us, x), a.nf*pow(b.nf/a.nf, x) };
    }
    return (Point){ (double)NAN, (double)NAN, (double)NAN };
}

static Point bench_method(const caromMethod *method, const double *reference)
{
    Point points[16];
    int count = 0;
    for (int digits = 4; digits <= 12; digits++) {
        double tolerance = pow(10, -digits);
        Run run = run_best(method, tolerance);
        double error = run.is_done ? angle_error(run.y, reference) : (double)NAN;
        printf("%-14s %6.0e %8lld %8lld %9lld %9lld %10.1f %9.1e\n", method->name, tolerance, (long long)run.counts.steps,
               (long long)run.counts.rejected, (long long)run.counts.jacobians, (long long)run.counts.evaluations,
               1e6*run.seconds, error);
        points[count++] = (Point){ error, 1e6*run.seconds, (double)run.counts.evaluations };
    }
    return at_target(points, count);
}

int main(void)
{
    const caromMethod *methods[] = { &carom_method_dp5, &carom_method_dop853, &carom_method_rodas5p, carom_method_cvode_adams(),
                                     carom_method_cvode() };
    enum { COUNT = sizeof methods/sizeof methods[0] };
    Run reference = run_once(&carom_method_dop853, 1e-14), check = run_once(&carom_method_dp5, 1e-13);
    printf("double pendulum, %g s; reference dop853 at 1e-14, dp5 at 1e-13 differs by %.1e rad\n\n", T_END,
           angle_error(reference.y, check.y));
    printf("%-14s %6s %8s %8s %9s %9s %10s %9s\n", "method", "tol", "steps", "rejected", "jacobians", "nf", "CPU us",
           "error rad");
    Point points[COUNT];
    for (int m = 0; m < COUNT; m++)
        if (methods[m]) points[m] = bench_method(methods[m], reference.y);
    printf("\n");
    for (int m = 0; m < COUNT; m++) {
        if (!methods[m]) continue;
        printf("time to reach %.0e rad: %-14s %9.1f us, nf %7.0f", TARGET, methods[m]->name, points[m].us, points[m].nf);
        for (int c = COUNT - 2; c < COUNT; c++)
            if (methods[c] && c != m) printf(", %s / this = %.1f", methods[c]->name, points[c].us/points[m].us);
        printf("\n");
    }
    return EXIT_SUCCESS;
}
