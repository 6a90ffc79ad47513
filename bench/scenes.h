// Mechanisms that carom and its peers are measured on. C and C++.
//
// A link's frame sits at the joint that carries it; with all angles 0 the frames of all links are parallel to the
// world's. Gravity is 9.81 m/s^2 against z.
#ifndef CAROM_BENCH_SCENES_H
#define CAROM_BENCH_SCENES_H

#include <math.h>
#include <stdlib.h>

#define BENCH_GRAVITY 9.81

typedef struct BenchLink {
    int parent;         // -1: the world
    int axis;           // 0, 1, 2: hinge about x, y, z; BENCH_FREE: six degrees of freedom, first link only
    double p[3];        // where the joint is in the parent's frame [m]
    double mass;        // [kg]
    double com[3];      // [m]
    double inertia[3];  // about com, along the axes [kg m^2]
} BenchLink;

enum { BENCH_FREE = -1 };

typedef struct BenchScene {
    const char *name;
    int size;           // bars of a chain, degrees of freedom of a humanoid
    int nlink;
    int nhinge;         // of them, all behind the free one
    BenchLink *links;   // free() them
} BenchScene;

// A box of size x, y, z with its centre at com.
static inline BenchLink bench_link(int parent, int axis, double px, double py, double pz, double mass, double cx,
                                   double cy, double cz, double x, double y, double z)
{
    BenchLink link = { parent, axis, { px, py, pz }, mass, { cx, cy, cz },
                       { mass*(y*y + z*z)/12, mass*(z*z + x*x)/12, mass*(x*x + y*y)/12 } };
    return link;
}

// Bars along x of 0.1 m and 0.1 kg, 10 mm thick, on hinges about y, z, y, z, ...
static inline BenchScene bench_scene_chain(int n)
{
    BenchScene scene = { "chain", n, n, n, (BenchLink *)malloc((size_t)n*sizeof(BenchLink)) };
    for (int i = 0; scene.links && i < n; i++)
        scene.links[i] = bench_link(i - 1, i % 2 ? 2 : 1, i ? 0.1 : 0, 0, 0, 0.1, 0.05, 0, 0, 0.1, 0.01, 0.01);
    return scene;
}

// Two slender bars of 1 m and 1 kg on hinges about y, along x when the angles are 0: horizontal.
static inline BenchScene bench_scene_pendulum(void)
{
    BenchScene scene = { "pendulum", 2, 2, 2, (BenchLink *)malloc(2*sizeof(BenchLink)) };
    for (int i = 0; scene.links && i < 2; i++) {
        scene.links[i] = bench_link(i - 1, 1, i ? 1 : 0, 0, 0, 1, 0.5, 0, 0, 1, 0, 0);
        scene.links[i].inertia[0] = 1e-6;   // engines want some; it has no part in this motion
    }
    return scene;
}

// 36 degrees of freedom: a pelvis that moves freely and 30 hinges with a link each; waist 2, neck 2, arms 7, legs 6.
// Shoulders, wrists, hips and ankles are hinges one behind the other, as in robots.
static inline BenchScene bench_scene_humanoid(void)
{
    BenchScene scene = { "humanoid", 36, 31, 30, (BenchLink *)malloc(31*sizeof(BenchLink)) };
    BenchLink *l = scene.links;
    if (!l) return scene;
    int n = 0;
    l[n++] = bench_link(-1, BENCH_FREE, 0, 0, 1, 11, 0, 0, 0.03, 0.15, 0.30, 0.15);
    l[n++] = bench_link(0, 2, 0, 0, 0.1, 1, 0, 0, 0.02, 0.1, 0.1, 0.05);
    l[n++] = bench_link(1, 1, 0, 0, 0.05, 25, 0, 0, 0.2, 0.2, 0.35, 0.4);
    l[n++] = bench_link(2, 2, 0, 0, 0.45, 0.5, 0, 0, 0.03, 0.08, 0.08, 0.06);
    l[n++] = bench_link(3, 1, 0, 0, 0.06, 5, 0.01, 0, 0.1, 0.18, 0.15, 0.22);
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.2*side;
        l[n] = bench_link(2, 1, 0, y, 0.38, 0.8, 0, 0, 0, 0.08, 0.08, 0.08), n++;
        l[n] = bench_link(n - 1, 0, 0, 0, 0, 0.8, 0, 0, -0.02, 0.08, 0.08, 0.08), n++;
        l[n] = bench_link(n - 1, 2, 0, 0, -0.04, 2, 0, 0, -0.12, 0.08, 0.08, 0.26), n++;
        l[n] = bench_link(n - 1, 1, 0, 0, -0.26, 1.2, 0, 0, -0.11, 0.06, 0.06, 0.23), n++;
        l[n] = bench_link(n - 1, 2, 0, 0, -0.23, 0.2, 0, 0, -0.01, 0.05, 0.05, 0.03), n++;
        l[n] = bench_link(n - 1, 0, 0, 0, -0.01, 0.2, 0, 0, -0.01, 0.05, 0.05, 0.03), n++;
        l[n] = bench_link(n - 1, 1, 0, 0, -0.01, 0.5, 0, 0, -0.08, 0.08, 0.03, 0.18), n++;
    }
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.1*side;
        l[n] = bench_link(0, 2, 0, y, -0.05, 1, 0, 0, 0, 0.1, 0.1, 0.1), n++;
        l[n] = bench_link(n - 1, 0, 0, 0, 0, 1, 0, 0, -0.02, 0.1, 0.1, 0.1), n++;
        l[n] = bench_link(n - 1, 1, 0, 0, -0.04, 7, 0, 0, -0.18, 0.14, 0.14, 0.4), n++;
        l[n] = bench_link(n - 1, 1, 0, 0, -0.38, 3.5, 0, 0, -0.18, 0.1, 0.1, 0.4), n++;
        l[n] = bench_link(n - 1, 1, 0, 0, -0.38, 0.3, 0, 0, 0, 0.05, 0.05, 0.05), n++;
        l[n] = bench_link(n - 1, 0, 0, 0, -0.01, 1.1, 0.05, 0, -0.04, 0.24, 0.09, 0.06), n++;
    }
    return scene;
}

// The state that accelerations are evaluated at; hinge i. A free link is at its place, at rest.
static inline double bench_angle(int i)
{
    return 0.3*sin(1.7*(i + 1));
}

static inline double bench_rate(int i)
{
    return 0.5*cos(0.9*(i + 1));
}

// Angles of the two bars from the vertical 10 s after the pendulum was released, by extrapolation of order 18 in
// quadruple precision; steps of 1/200 and 1/400 s agree in 25 digits.
static const double bench_pendulum_end[2] = { -0.7444070885090411213, -14.345719734713967158 };

// The larger of the two errors [rad]; q: angles of the hinges.
static inline double bench_pendulum_error(double q0, double q1)
{
    const double half_pi = 1.57079632679489661923;
    return fmax(fabs(half_pi - q0 - bench_pendulum_end[0]), fabs(half_pi - q0 - q1 - bench_pendulum_end[1]));
}

#endif
