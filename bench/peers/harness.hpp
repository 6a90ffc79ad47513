// What the programs of the peers share: timing, rows, and integrators for engines that have none of their own.
//
// Rows:   peer  scene  size  us_per_evaluation  check           check: root mean square of the hinges' accelerations
//         peer  pendulum  integrator  tolerance_or_step  error  cpu_ms
//
// An engine has  void evaluate(const double *q, const double *v, double *dv)  for the hinges. It sets the whole state each time.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../scenes.h"

namespace bench {

inline double cpu_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9*double(now.tv_nsec);
}

// Least time of `repeats` runs of f.
template <class F> double best_seconds(int repeats, F f)
{
    double best = INFINITY;
    for (int i = 0; i < repeats; i++) {
        double begin = cpu_seconds();
        f();
        best = std::min(best, cpu_seconds() - begin);
    }
    return best;
}

template <class Engine> void time_forward(const char *peer, const BenchScene &scene, Engine &engine)
{
    const int n = scene.nhinge;
    std::vector<double> q(n), v(n), dv(n);
    for (int i = 0; i < n; i++) q[i] = bench_angle(i), v[i] = bench_rate(i);
    engine.evaluate(q.data(), v.data(), dv.data());
    double sum = 0;
    for (double a : dv) sum += a*a;
    long count = 1;
    auto batch = [&] {
        for (long k = 0; k < count; k++) {
            q[0] = bench_angle(0) + 1e-9*double(k & 1);   // never twice the same
            engine.evaluate(q.data(), v.data(), dv.data());
        }
    };
    while (best_seconds(1, batch) < 0.02) count *= 2;
    std::printf("%-14s %-9s %5d %12.4g   %.9g\n", peer, scene.name, scene.size, 1e6*best_seconds(9, batch)/double(count), std::sqrt(sum/n));
    std::fflush(stdout);
}

inline void row(const char *peer, const char *integrator, double setting, double error, double seconds)
{
    std::printf("%-14s pendulum  %-14s %8.1e %10.2e %10.4g\n", peer, integrator, setting, error, 1e3*seconds);
    std::fflush(stdout);
}

// run(setting, q) integrates the pendulum and leaves the hinges' angles in q[2].
template <class F> void time_pendulum(const char *peer, const char *integrator, double setting, F run)
{
    double q[2] = { 0, 0 };
    double first = best_seconds(1, [&] { run(setting, q); });
    double seconds = std::min(first, best_seconds(first > 0.5 ? 1 : 5, [&] { run(setting, q); }));
    row(peer, integrator, setting, bench_pendulum_error(q[0], q[1]), seconds);
}

// y = (q, v) of the pendulum.
template <class Engine> void rate(Engine &engine, const double *y, double *dy)
{
    dy[0] = y[2], dy[1] = y[3];
    engine.evaluate(y, y + 2, dy + 2);
}

// Dormand and Prince 5(4) with the usual step control, absolute tolerance.
template <class Engine> void dormand_prince(Engine &engine, double tolerance, double *q)
{
    static const double a[7][6] = { {}, { 1.0/5 }, { 3.0/40, 9.0/40 }, { 44.0/45, -56.0/15, 32.0/9 },
        { 19372.0/6561, -25360.0/2187, 64448.0/6561, -212.0/729 }, { 9017.0/3168, -355.0/33, 46732.0/5247, 49.0/176, -5103.0/18656 },
        { 35.0/384, 0, 500.0/1113, 125.0/192, -2187.0/6784, 11.0/84 } };
    static const double e[7] = { 71.0/57600, 0, -71.0/16695, 71.0/1920, -17253.0/339200, 22.0/525, -1.0/40 };
    double y[4] = { 0, 0, 0, 0 }, k[7][4], next[4], t = 0, h = 1e-3;
    rate(engine, y, k[0]);
    while (t < 10) {
        h = std::min(h, 10 - t);
        for (int s = 1; s < 7; s++) {
            for (int i = 0; i < 4; i++) {
                double sum = 0;
                for (int j = 0; j < s; j++) sum += a[s][j]*k[j][i];
                next[i] = y[i] + h*sum;
            }
            rate(engine, next, k[s]);
        }
        double error = 0;
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int j = 0; j < 7; j++) sum += e[j]*k[j][i];
            error = std::max(error, std::fabs(h*sum)/tolerance);
        }
        if (error <= 1) {
            t = h < 10 - t ? t + h : 10;
            std::memcpy(y, next, sizeof y);
            std::memcpy(k[0], k[6], sizeof k[0]);
        }
        h *= std::min(5.0, std::max(0.2, 0.9*std::pow(error + 1e-10, -0.2)));
    }
    q[0] = y[0], q[1] = y[1];
}

template <class Engine> void runge_kutta_4(Engine &engine, double dt, double *q)
{
    const long n = std::lround(10/dt);
    const double h = 10.0/double(n);
    double y[4] = { 0, 0, 0, 0 }, k[4][4], z[4];
    for (long s = 0; s < n; s++) {
        rate(engine, y, k[0]);
        for (int j = 1; j < 4; j++) {
            for (int i = 0; i < 4; i++) z[i] = y[i] + (j < 3 ? h/2 : h)*k[j - 1][i];
            rate(engine, z, k[j]);
        }
        for (int i = 0; i < 4; i++) y[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
    }
    q[0] = y[0], q[1] = y[1];
}

inline const std::vector<double> &tolerances()
{
    static const std::vector<double> all = { 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12 };
    return all;
}

// The integrators of this file on top of the engine's accelerations.
template <class Engine> void time_our_integrators(const char *peer, Engine &engine)
{
    for (double tolerance : tolerances())
        time_pendulum(peer, "our-dp5", tolerance, [&](double setting, double *q) { dormand_prince(engine, setting, q); });
    for (double dt : { 1e-2, 1e-3, 1e-4 })
        time_pendulum(peer, "our-rk4", dt, [&](double setting, double *q) { runge_kutta_4(engine, setting, q); });
}

// Every scene with an engine of its own; Engine(scene).
template <class Engine> void time_all_forward(const char *peer, int longest = 1000)
{
    for (int n : { 1, 10, 100, 1000 }) {
        if (n > longest) continue;
        BenchScene scene = bench_scene_chain(n);
        Engine engine(scene);
        time_forward(peer, scene, engine);
        std::free(scene.links);
    }
    BenchScene scene = bench_scene_humanoid();
    Engine engine(scene);
    time_forward(peer, scene, engine);
    std::free(scene.links);
}

}  // namespace bench
