// Worlds of moving boxes for the broad-phase benchmark, and how it is timed. C and C++; every program sees the same
// boxes.
//
//     row  engine  world  n  us_median  us_mean  pairs
//
// One step: all boxes move, then all overlapping pairs are wanted as an array. Timed is what a library does from the
// new boxes to the pairs (CPU time of one thread); moving them is not. Median and mean over 20 steps after 4 that are
// not counted. `pairs` is the sum over all steps: all programs must agree.
#ifndef CAROM_BENCH_BROAD_H
#define CAROM_BENCH_BROAD_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct BenchBox { double low[3], high[3]; } BenchBox;

typedef struct BenchWorld {
    int n;
    double size[3];                     // boxes' centres stay in 0..size
    double (*x)[3], (*v)[3], (*h)[3];   // centre, velocity per step, half extents
    BenchBox *boxes;                    // of this step
} BenchWorld;

static const char *const bench_worlds[] = { "uniform", "clustered", "plane", "sizes", "giants", "sparse", "slow" };
enum { BENCH_WORLDS = sizeof bench_worlds/sizeof bench_worlds[0] };

static inline double bench_random(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low)*(double)((*state*2685821657736338717ULL) >> 11)*(1.0/9007199254740992.0);
}

static inline void bench_world_boxes(BenchWorld *w)
{
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++) {
            w->boxes[i].low[k] = w->x[i][k] - w->h[i][k];
            w->boxes[i].high[k] = w->x[i][k] + w->h[i][k];
        }
}

static inline void bench_world_free(BenchWorld *w)
{
    free(w->x);
    free(w->v);
    free(w->h);
    free(w->boxes);
}

// One box in a unit volume, half extents 0.2 to 0.6, up to 0.05 a step, except where noted:
//   uniform    a cube
//   clustered  balls of 1000 boxes, normally distributed with a deviation of 3, in a cube 100 times as large
//   plane      all centres within 1 of a plane
//   sizes      half extents over four decades, as many boxes in each
//   giants     four of 100 across among them
//   sparse     boxes of a tenth of the size
//   slow       a tenth of the speed: a simulation with small steps
static inline BenchWorld bench_world(const char *name, int n)
{
    BenchWorld w;
    uint64_t seed = 7;
    int is_cluster = !strcmp(name, "clustered"), is_plane = !strcmp(name, "plane"), is_sizes = !strcmp(name, "sizes");
    double side = is_plane ? sqrt((double)n) : cbrt((double)n), shrink = !strcmp(name, "sparse") ? 0.1 : 1,
           speed = !strcmp(name, "slow") ? 0.005 : 0.05;
    double centre[3] = { 0, 0, 0 };
    if (is_cluster) side *= cbrt(100.0);
    w.n = n;
    for (int k = 0; k < 3; k++) w.size[k] = is_plane && k == 2 ? 1 : side;
    w.x = (double (*)[3])malloc((size_t)n*sizeof *w.x);
    w.v = (double (*)[3])malloc((size_t)n*sizeof *w.v);
    w.h = (double (*)[3])malloc((size_t)n*sizeof *w.h);
    w.boxes = (BenchBox *)malloc((size_t)n*sizeof *w.boxes);
    if (!w.x || !w.v || !w.h || !w.boxes) exit(1);
    for (int i = 0; i < n; i++) {
        double scale = shrink;
        if (is_sizes) scale = pow(10, bench_random(&seed, -3.7, 0.3));
        if (!strcmp(name, "giants") && i % (n/4) == n/8) scale = 125;
        for (int k = 0; k < 3; k++) {
            if (is_cluster && i % 1000 == 0) centre[k] = bench_random(&seed, 0.1*side, 0.9*side);
            w.x[i][k] = bench_random(&seed, 0, w.size[k]);
            if (is_cluster) {
                double sum = -6;
                for (int j = 0; j < 12; j++) sum += bench_random(&seed, 0, 1);
                w.x[i][k] = fmin(fmax(centre[k] + 3*sum, 0), side);
            }
            w.h[i][k] = scale*bench_random(&seed, 0.2, 0.6);
            w.v[i][k] = bench_random(&seed, -speed, speed)*(is_sizes ? scale : 1);
        }
    }
    bench_world_boxes(&w);
    return w;
}

static inline void bench_world_move(BenchWorld *w)
{
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++) {
            w->x[i][k] += w->v[i][k];
            if (w->x[i][k] < 0 || w->x[i][k] > w->size[k]) w->v[i][k] = -w->v[i][k];
        }
    bench_world_boxes(w);
}

static inline double bench_broad_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static inline int bench_broad_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A library: create from the first boxes, then step gives the number of pairs of the boxes as they are now.
typedef struct BenchBroad {
    const char *name;
    void *(*create)(const BenchWorld *world);
    int64_t (*step)(void *engine, const BenchWorld *world);
    void (*destroy)(void *engine);
} BenchBroad;

enum { BENCH_BROAD_STEPS = 24, BENCH_BROAD_FIRST = 4 };

static inline void bench_broad_row(const BenchBroad *engine, const char *name, int n)
{
    BenchWorld world = bench_world(name, n);
    void *e = engine->create(&world);
    double times[BENCH_BROAD_STEPS];
    int64_t pairs = 0;
    int count = 0;
    for (int step = 0; step < BENCH_BROAD_STEPS; step++) {
        bench_world_move(&world);
        double begin = bench_broad_seconds();
        pairs += engine->step(e, &world);
        double t = bench_broad_seconds() - begin;
        if (step >= BENCH_BROAD_FIRST) times[count++] = t;
    }
    double mean = 0;
    for (int i = 0; i < count; i++) mean += times[i]/count;
    qsort(times, (size_t)count, sizeof *times, bench_broad_compare);
    printf("row %s %s %d %.1f %.1f %lld\n", engine->name, name, n, 1e6*times[count/2], 1e6*mean, (long long)pairs);
    fflush(stdout);
    engine->destroy(e);
    bench_world_free(&world);
}

// PROGRAM [WORLD [N]]
static inline int bench_broad_run(int argc, char **argv, const BenchBroad *engine)
{
    static const int sizes[] = { 1000, 10000, 100000 };
    for (int w = 0; w < BENCH_WORLDS; w++) {
        if (argc > 1 && strcmp(argv[1], bench_worlds[w]) != 0) continue;
        for (int s = 0; s < 3; s++)
            if (argc < 3 || atoi(argv[2]) == sizes[s]) bench_broad_row(engine, bench_worlds[w], sizes[s]);
    }
    return 0;
}

#endif
