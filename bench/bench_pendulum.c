// Double pendulum: two uniform bars of 1 m and 1 kg, g = 9.81 m/s^2, released at rest with both bars horizontal, 10 s.
// The error is the larger of the two angles' errors at the end.
#include <math.h>

#include "table.h"

enum { STATES = 4 };

// m = l = 1; angles a, b from the vertical, D = a - b:
//     4/3 a'' + 1/2 b'' cos D + 1/2 b'^2 sin D + 3/2 g sin a = 0,
//         1/3 b'' + 1/2 a'' cos D - 1/2 a'^2 sin D + 1/2 g sin b = 0
static caromStatus pendulum(void *user, double t, const double *y, double *dy)
{
    (void)user, (void)t;
    const double g = 9.81;
    double s = sin(y[0] - y[1]), c = cos(y[0] - y[1]);
    double p = -0.5*y[3]*y[3]*s - 1.5*g*sin(y[0]);
    double q = 0.5*y[2]*y[2]*s - 0.5*g*sin(y[1]);
    double det = 4.0/9.0 - 0.25*c*c;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (p/3.0 - 0.5*c*q)/det;
    dy[3] = (4.0/3.0*q - 0.5*c*p)/det;
    return CAROM_OK;
}

static BenchRun swing(const caromMethod *method, double tolerance)
{
    const double end = 10, start[STATES] = { acos(-1.0)/2, acos(-1.0)/2, 0, 0 };
    const double weight[STATES] = { tolerance, tolerance, tolerance, tolerance };
    const int block[] = { 0, STATES };
    caromOde ode = { STATES, 0, pendulum, NULL, true };
    caromNorm norm = { weight, block, 1 };
    BenchRun run = { 0 };
    caromStepper *s = method->create(&ode, &norm);
    if (!s) return run;
    double begin = bench_cpu_seconds(), tau0, tau1 = 0;
    caromStatus status = method->start(s, 0, start, 0);
    while (status == CAROM_OK && tau1 < end) {
        status = method->step(s, end, NULL);
        method->span(s, &tau0, &tau1);
    }
    run.seconds = bench_cpu_seconds() - begin;
    run.is_done = status == CAROM_OK;
    run.counts = method->counts(s);
    for (int i = 0; i < 2; i++) run.result[i] = method->state(s)[i];
    method->destroy(s);
    return run;
}

int main(void)
{
    bench_table("double pendulum, 10 s", "rad", 1e-6, swing);
    return 0;
}
