// A ball that bounces on a half-space with the law of Simbody's HuntCrossleyForce, and where it is. C and C++; every
// program sees the same ball.
//
//     law  peer  difference                                largest relative difference of the force from the formulas
//                                                          below, over some states
//     row  peer  case  integrator  setting  error  cpu_ms  error: largest deviation of the centre, x or z, on the grid
//                                                          [m]
//
//     f = k d^(3/2) (1 + 3/2 c d')    k = 4/3 sqrt(R) E    E = (E1^(2/3) E2^(2/3)/(E1^(2/3) + E2^(2/3)))^(3/2)
//         never below 0
//
// with depth d, the ball's radius R, plane-strain moduli E1 and E2 of the two surfaces and their dissipation c
// (its documentation; [HuntCrossley75]). Friction mu f, with as much at rest as in motion, is the same law in carom
// while the slip is above 0.01 m/s, below which Simbody makes it smooth; here it always is.
#ifndef CAROM_BENCH_HUNTCROSSLEY_H
#define CAROM_BENCH_HUNTCROSSLEY_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { HC_GRID = 20 };  // compared at end/20, 2 end/20, ... end

typedef struct HcCase {
    const char *name;
    double friction;  // mu
    double speed;     // at the start, along x [m/s]
} HcCase;

// The second loses 3.2 m/s of slip in five bounces.
static const HcCase hc_cases[] = { { "drop", 0.0, 0.0 }, { "slide", 0.05, 5.0 } };
enum { HC_CASES = sizeof hc_cases/sizeof hc_cases[0] };

// Rubber. The first impact lasts 16 ms and is 15 mm deep.
static const double hc_radius = 0.1;        // [m]
static const double hc_mass = 4.0;          // [kg]
static const double hc_modulus = 1e7;       // E1 = E2 [Pa]
static const double hc_dissipation = 0.1;   // c [s/m]
static const double hc_drop = 0.5;          // gap at the start [m]
static const double hc_gravity = 9.81;      // [m/s^2]
static const double hc_end = 2.0;           // [s]

static inline double hc_stiffness(void)
{
    return 4.0/3.0*sqrt(hc_radius)*hc_modulus/sqrt(8.0);
}

static inline double hc_force(double depth, double speed)
{
    return depth > 0 ? hc_stiffness()*depth*sqrt(depth)*fmax(0.0, 1.0 + 1.5*hc_dissipation*speed) : 0.0;
}

static inline double hc_time(int k)
{
    return hc_end*(k + 1)/HC_GRID;
}

// --- reference: flights are parabolas, impacts are integrated with fixed steps in long double ---

typedef struct HcPoint { long double x, v, t; } HcPoint;  // depth, approach speed, time

static inline HcPoint hc_ahead(HcPoint p, long double h, HcPoint rate)
{
    HcPoint q = { p.x + h*rate.x, p.v + h*rate.v, p.t + h*rate.t };
    return q;
}

static inline long double hc_acceleration(long double x, long double v)
{
    long double k = 4.0L/3.0L*sqrtl(hc_radius)*hc_modulus/sqrtl(8.0L), factor = 1.0L + 1.5L*hc_dissipation*v;
    return hc_gravity - (factor > 0 && x > 0 ? k*x*sqrtl(x)*factor/hc_mass : 0.0L);
}

// By time.
static inline HcPoint hc_by_time(long double time, HcPoint p)
{
    (void)time;
    HcPoint rate = { p.v, hc_acceleration(p.x, p.v), 1.0L };
    return rate;
}

// By s = sqrt(x): in it the motion is analytic where the surfaces meet, and the impact begins and ends at s = 0
// exactly.
static inline HcPoint hc_by_root(long double s, HcPoint p)
{
    HcPoint rate = { 2*s, 2*s*hc_acceleration(s*s, p.v)/p.v, 2*s/p.v };
    return rate;
}

// The classical method of Runge and Kutta.
static inline HcPoint hc_step(HcPoint (*f)(long double, HcPoint), long double a, long double h, HcPoint p)
{
    HcPoint k1 = f(a, p), k2 = f(a + h/2, hc_ahead(p, h/2, k1)), k3 = f(a + h/2, hc_ahead(p, h/2, k2)),
            k4 = f(a + h, hc_ahead(p, h, k3));
    return hc_ahead(hc_ahead(hc_ahead(hc_ahead(p, h/6, k1), h/3, k2), h/3, k3), h/6, k4);
}

static inline HcPoint hc_along_root(HcPoint p, long double from, long double to, int n)
{
    for (int i = 0; i < n; i++) p = hc_step(hc_by_root, from + (to - from)*i/n, (to - from)/n, p);
    return p;
}

// From a touch at speed v and time t to the separation; speed at the end < 0.
static inline HcPoint hc_impact(long double v, long double t, int n)
{
    long double k = hc_stiffness(), deepest = powl(1.25L*hc_mass*v*v/k, 0.4L), turn = 0.3L*deepest, h = 3*deepest/v/n;
    HcPoint p = { 0, v, t };
    p = hc_along_root(p, 0, sqrtl(turn), n);
    while (p.v > 0 || p.x > turn) p = hc_step(hc_by_time, 0, h, p);
    return hc_along_root(p, sqrtl(p.x), 0, n);
}

// The centre on the grid, with n steps to a part of an impact. False: one of the times is within an impact, where there
// is no formula for z. While it slides, x'' = -mu (z'' + g): x follows from z.
static inline bool hc_solve(const HcCase *c, int n, double centre[HC_GRID][2])
{
    HcPoint start = { -(long double)hc_drop, 0, 0 };  // of the flight
    for (int k = 0; k < HC_GRID;) {
        long double g = hc_gravity, fall = (-start.v + sqrtl(start.v*start.v - 2*g*start.x))/g;
        for (; k < HC_GRID && hc_time(k) <= start.t + fall; k++) {
            long double time = hc_time(k), t = time - start.t, gap = -start.x - start.v*t - g*t*t/2;
            if (t < 0) return false;
            centre[k][0] = (double)(c->speed*time - c->friction*(gap - hc_drop + g*time*time/2));
            centre[k][1] = (double)(hc_radius + gap);
        }
        start = hc_impact(start.v + g*fall, start.t + fall, n);
        start.x = 0;
    }
    return true;
}

// --- what the programs share ---

static inline double hc_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static inline double hc_error(double centre[HC_GRID][2], double reference[HC_GRID][2])
{
    double error = 0;
    for (int k = 0; k < HC_GRID; k++)
        error = fmax(error, fmax(fabs(centre[k][0] - reference[k][0]), fabs(centre[k][1] - reference[k][1])));
    return error;
}

// Accuracies that integrators are asked for.
static inline double hc_setting(int i)
{
    return pow(10.0, -2.0 - 0.5*i);
}

// Runs one case and leaves the centre. False: it failed, and there is no row.
typedef bool (*HcRun)(void *user, double setting, double centre[HC_GRID][2]);

// The least time of two runs, or of more until they take a tenth of a second together.
static inline void hc_row(const char *peer, const HcCase *c, const char *integrator, double setting,
                          double reference[HC_GRID][2], HcRun run, void *user)
{
    double centre[HC_GRID][2] = { { 0 } }, best = INFINITY, sum = 0;
    bool is_done = true;
    for (int i = 0; is_done && (i < 2 || (sum < 0.1 && i < 200)); i++) {
        double begin = hc_seconds();
        is_done = run(user, setting, centre);
        double seconds = hc_seconds() - begin;
        best = fmin(best, seconds);
        sum += seconds;
    }
    if (is_done)
        printf("row %-10s %-6s %-8s %8.1e %10.2e %10.4g\n", peer, c->name, integrator, setting,
               hc_error(centre, reference), 1e3*best);
    fflush(stdout);
}

#endif
