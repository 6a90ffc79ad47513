// Two scenes of rigid bodies, and where the bodies are. C and C++; every program sees the same bodies.
//
//     ball       peer  setting  e  error  rms  cpu_ms
//         a ball bounces until it lies; errors of its height at 1.3 s and over all samples [m]
//     ellipsoid  peer  setting  t_low  t_high  cpu_ms
//         a spinning ellipsoid rises; when its centre first passes two heights [s], nan: never
//     reference  t_low  t_high  difference
//         the same from the bare equations; difference: of two integrators, the larger of both times
//
// Time is CPU time of a run, from a scene that is there to its end, with what it takes to note positions; the least of
// several.
#ifndef CAROM_BENCH_RIGID_H
#define CAROM_BENCH_RIGID_H

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double rigid_gravity = 9.81;  // [m/s^2]

static inline double rigid_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

// Runs a scene from the start to its end, noting where the body is; returns its CPU time [s], negative: it failed. What
// is made before a run is not counted.
typedef double (*RigidRun)(void *user, double setting, void *notes);

// --- a ball of 0.1 m that falls by 1 m and bounces ---

static const double ball_radius = 0.1;       // [m]
static const double ball_mass = 1.0;         // [kg]
static const double ball_drop = 1.0;         // gap at the start [m]
static const double ball_restitution = 0.7;
static const double ball_end = 3.0;          // [s]; it lies from 2.56 s on
static const double ball_look = 1.3;         // in its second flight

// Gap over time: flights of 2 e^k v/g, v the speed of the first touch.
static inline double ball_exact(double time)
{
    const long double g = rigid_gravity, e = ball_restitution;
    long double v = sqrtl(2*g*ball_drop), t = (long double)time - v/g;
    if (t < 0) return (double)(ball_drop - g*(long double)time*(long double)time/2);
    for (int k = 0; k < 200; k++) {
        v *= e;
        if (t < 2*v/g) return (double)(t*(v - g*t/2));
        t -= 2*v/g;
    }
    return 0;
}

typedef struct BallNotes {
    double look;        // error at ball_look; NaN: no sample there
    double sum, count;  // of squares of errors, and samples
    double energy;      // per mass, at the first sample on its way up [J/kg]; 0: it never went up
} BallNotes;

static inline void ball_note(void *notes, double time, double gap, double speed)
{
    BallNotes *n = (BallNotes *)notes;
    double error = gap - ball_exact(time);
    if (fabs(time - ball_look) < 1e-9) n->look = fabs(error);
    n->sum += error*error;
    n->count += 1;
    if (n->energy == 0 && gap > 0 && speed > 1e-3) n->energy = rigid_gravity*gap + 0.5*speed*speed;
}

static inline void ball_row(const char *peer, const char *what, double setting, RigidRun run, void *user)
{
    const BallNotes none = { (double)NAN, 0, 0, 0 };
    BallNotes notes = none;
    double best = INFINITY, sum = 0;
    for (int i = 0; i < 3 || (sum < 0.3 && i < 1000); i++) {
        notes = none;
        double seconds = run(user, setting, &notes);
        if (!(seconds >= 0)) return;
        best = fmin(best, seconds);
        sum += seconds;
    }
    printf("ball %-8s %s=%.3g %.4f %.2e %.2e %.4g\n", peer, what, setting, sqrt(notes.energy/(rigid_gravity*ball_drop)),
           notes.look, sqrt(notes.sum/notes.count), 1e3*best);
    fflush(stdout);
}

// --- the rising ellipsoid of [Kossenko05], with z up ---
//
// It spins fast about its shortest axis, which is upright; friction makes it rise until it spins about its longest.
// What the paper does not print: mass 1 kg, 9.81 m/s^2,
// delta 1e-3 m/s.   friction = mu N v/max(|v|, delta)

static const double egg_axes[3] = { 1.2, 1.3, 1.0 };       // semi-axes [m]
static const double egg_mass = 1.0;                        // [kg]
static const double egg_friction = 0.01;
static const double egg_delta = 1e-3;                      // [m/s]
static const double egg_velocity[3] = { 0.05, 0, 0 };      // of the centre [m/s]
static const double egg_spin[3] = { 0, -2, -10 };          // [rad/s]
static const double egg_end = 150.0;                       // [s]
static const double egg_heights[2] = { 1.25, 1.29 };       // [m]

// For programs that choose their steps; those with fixed steps note each.
enum { egg_samples = 15000 };

static inline double egg_time(int k)
{
    return egg_end*k/egg_samples;
}

static inline double egg_inertia(int axis)
{
    double b = egg_axes[(axis + 1) % 3], c = egg_axes[(axis + 2) % 3];
    return egg_mass*(b*b + c*c)/5;
}

typedef struct EggNotes {
    double time, height, rate;  // of the sample before
    double passed[2];           // NaN: not yet
} EggNotes;

static inline EggNotes egg_notes(void)
{
    EggNotes notes = { 0, egg_axes[2], 0, { (double)NAN, (double)NAN } };
    return notes;
}

// When a cubic between two samples passes a height, in parts of the time h between them: by halving.
static inline double egg_passing(const EggNotes *before, double h, double height, double rate, double level)
{
    double low = 0, high = 1;
    while (high - low > 1e-12) {
        double x = 0.5*(low + high), y = 1 - x;
        double z = y*y*((1 + 2*x)*before->height + x*h*before->rate) + x*x*((1 + 2*y)*height - y*h*rate);
        if (z < level) low = x;
        else high = x;
    }
    return high;
}

static inline void egg_note(void *notes, double time, double height, double rate)
{
    EggNotes *n = (EggNotes *)notes;
    for (int k = 0; k < 2; k++) {
        if (n->passed[k] == n->passed[k] || height < egg_heights[k]) continue;
        n->passed[k] = n->time + (time - n->time)*egg_passing(n, time - n->time, height, rate, egg_heights[k]);
    }
    n->time = time;
    n->height = height;
    n->rate = rate;
}

static inline void egg_row(const char *peer, const char *what, double setting, RigidRun run, void *user)
{
    EggNotes notes = egg_notes();
    double best = INFINITY, sum = 0;
    for (int i = 0; i < 1 || (sum < 1.0 && i < 20); i++) {
        notes = egg_notes();
        double seconds = run(user, setting, &notes);
        if (!(seconds >= 0)) return;
        best = fmin(best, seconds);
        sum += seconds;
    }
    printf("ellipsoid %-8s %s=%.3g %.7f %.7f %.4g\n", peer, what, setting, notes.passed[0], notes.passed[1], 1e3*best);
    fflush(stdout);
}

#endif
