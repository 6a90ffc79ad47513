// Meshes and poses that carom and its peers are asked about, and how the answers are timed and compared. C and C++.
//
// bench/mesh_cases.c writes the file of cases; each program reads it, asks every engine it has and prints rows
//
//     row  task  engine  cell  us_per_query  wrong  queries  largest_difference|mean_count
//
// A cell is "torus-cone:24000:near": two meshes of that many triangles each, and how far apart they are. Time: CPU time
// of the thread around one query (paths: around a path without its first pose) less the cost of the clock, cases in
// turn so that nothing is asked twice in a row; the least of several rounds for each case, then the median over the
// cases. Wrong: the sign, or a distance that differs by more than 1e-9 of the size from that in the file.
#ifndef CAROM_BENCH_MESH_H
#define CAROM_BENCH_MESH_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_PATH = 50, BENCH_MESH_ROUNDS = 3 };
static const double bench_mesh_size = 2.0;  // of every part, about [m]

typedef struct BenchMesh {
    char name[32];
    int nv, nt;
    double (*v)[3];
    int (*t)[3];
} BenchMesh;

typedef struct BenchMeshPose {
    double R_a[3][3], t_a[3], R_b[3][3], t_b[3];  // world = R local + t
    double g;                                     // as carom found it; -1: they overlap
} BenchMeshPose;

typedef struct BenchMeshCase {
    char cell[64];
    int a, b;              // meshes
    int first, npose;      // of all poses; 1, or those of a path
    double standoff;       // for witness pairs
} BenchMeshCase;

typedef struct BenchMeshes {
    int nmesh, ncase, npose;
    BenchMesh *meshes;
    BenchMeshCase *cases;  // those of a cell stand together
    BenchMeshPose *poses;
} BenchMeshes;

// Gaps are compared (g > 0, or <= 0: overlap), of counts the mean is told.
typedef enum BenchAnswers { BENCH_GAPS, BENCH_COUNTS } BenchAnswers;

typedef struct BenchMeshEngine {
    const char *task, *engine;
    const char *regimes;   // "far near": the cells it takes, by their last word
    BenchAnswers answers;
    int stride;            // of a path only every so many poses are asked
    double (*query)(void *user, const BenchMeshCase *c, int pose);
    void *user;
} BenchMeshEngine;

static inline void bench_mesh_stop(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static inline void *bench_mesh_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) bench_mesh_stop("out of memory");
    return p;
}

static inline void bench_mesh_get(FILE *file, void *to, size_t n, size_t size)
{
    if (fread(to, size, n, file) != n) bench_mesh_stop("the file of meshes is broken: remove it");
}

static inline BenchMeshes bench_mesh_read(const char *path)
{
    BenchMeshes all;
    FILE *file = fopen(path, "rb");
    if (!file) bench_mesh_stop("cannot read the file of meshes");
    bench_mesh_get(file, &all, 1, sizeof all);
    all.meshes = (BenchMesh *)bench_mesh_alloc((size_t)all.nmesh, sizeof *all.meshes);
    all.cases = (BenchMeshCase *)bench_mesh_alloc((size_t)all.ncase, sizeof *all.cases);
    all.poses = (BenchMeshPose *)bench_mesh_alloc((size_t)all.npose, sizeof *all.poses);
    for (int i = 0; i < all.nmesh; i++) {
        BenchMesh *m = &all.meshes[i];
        bench_mesh_get(file, m, 1, sizeof *m);
        m->v = (double (*)[3])bench_mesh_alloc((size_t)m->nv, sizeof *m->v);
        m->t = (int (*)[3])bench_mesh_alloc((size_t)m->nt, sizeof *m->t);
        bench_mesh_get(file, m->v, (size_t)m->nv, sizeof *m->v);
        bench_mesh_get(file, m->t, (size_t)m->nt, sizeof *m->t);
    }
    bench_mesh_get(file, all.cases, (size_t)all.ncase, sizeof *all.cases);
    bench_mesh_get(file, all.poses, (size_t)all.npose, sizeof *all.poses);
    fclose(file);
    return all;
}

static inline void bench_mesh_free(BenchMeshes *all)
{
    for (int i = 0; i < all->nmesh; i++) {
        free(all->meshes[i].v);
        free(all->meshes[i].t);
    }
    free(all->meshes);
    free(all->cases);
    free(all->poses);
}

static inline double bench_mesh_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6*(double)now.tv_sec + 1e-3*(double)now.tv_nsec;
}

static inline int bench_mesh_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_mesh_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, bench_mesh_compare);
    return n % 2 ? x[n/2] : 0.5*(x[n/2 - 1] + x[n/2]);
}

static inline double bench_mesh_clock_us(void)
{
    double d[255];
    for (int i = 0; i < 255; i++) {
        double begin = bench_mesh_us();
        d[i] = bench_mesh_us() - begin;
    }
    return bench_mesh_median(d, 255);
}

static inline bool bench_mesh_takes(const BenchMeshEngine *e, const BenchMeshCase *c)
{
    const char *regime = strrchr(c->cell, ':') + 1, *at = e->regimes;
    size_t n = strlen(regime);
    for (; (at = strstr(at, regime)) != NULL; at++)
        if ((at == e->regimes || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return true;
    return false;
}

static volatile double bench_mesh_sink;

// A path begins with its first pose, which is not timed; queries: how many were.
static inline double bench_mesh_time_once(const BenchMeshEngine *e, const BenchMeshCase *c, int *queries)
{
    double sum = 0;
    int step = c->npose > 1 ? e->stride : 1, begin_at = 0;
    if (c->npose > 1 && step == 1) e->query(e->user, c, c->first), begin_at = 1;
    *queries = 0;
    double begin = bench_mesh_us();
    for (int i = begin_at; i < c->npose; i += step) {
        sum += e->query(e->user, c, c->first + i);
        ++*queries;
    }
    double us = bench_mesh_us() - begin;
    bench_mesh_sink = sum;
    return us;
}

static inline void bench_mesh_judge(const BenchMeshes *all, const BenchMeshEngine *e, const BenchMeshCase *c,
                                    int *wrong, int *queries, double *largest)
{
    int step = c->npose > 1 ? e->stride : 1;
    for (int i = 0; i < c->npose; i += step) {
        double want = all->poses[c->first + i].g, g = e->query(e->user, c, c->first + i);
        ++*queries;
        if (e->answers != BENCH_GAPS) {
            *largest += g;
            continue;
        }
        bool is_right = (g > 0) == (want > 0);
        if (g > 0 && want > 0 && isfinite(g)) {
            double difference = fabs(g - want);
            if (difference > *largest) *largest = difference;
            is_right = is_right && difference <= 1e-9*bench_mesh_size;
        }
        if (!is_right && getenv("BENCH_SHOW_WRONG"))
            fprintf(stderr, "%s %s %s pose %d: %.17g instead of %.17g\n", e->task, e->engine, c->cell, c->first + i, g,
                    want);
        *wrong += !is_right;
    }
}

static inline void bench_mesh_row(const char *task, const char *engine, const char *cell, double us, int wrong,
                                  int queries, double largest)
{
    printf("row %s %s %s %.3f %d %d %.2g\n", task, engine, cell, us, wrong, queries, largest);
    fflush(stdout);
}

static inline void bench_mesh_cell(const BenchMeshes *all, const BenchMeshEngine *e, const BenchMeshCase *cases, int n,
                                   double clock)
{
    int wrong = 0, queries = 0, counted;
    double largest = 0, *us = (double *)bench_mesh_alloc((size_t)n, sizeof *us);
    for (int i = 0; i < n; i++) bench_mesh_judge(all, e, &cases[i], &wrong, &queries, &largest);
    for (int round = 0; round < BENCH_MESH_ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            double t = bench_mesh_time_once(e, &cases[i], &counted) - clock;
            us[i] = round == 0 || t/counted < us[i] ? t/counted : us[i];
        }
    if (e->answers == BENCH_COUNTS) largest /= queries;
    bench_mesh_row(e->task, e->engine, cases[0].cell, fmax(bench_mesh_median(us, n), 1e-3), wrong, queries, largest);
    free(us);
}

// For valgrind --tool=callgrind --toggle-collect='bench_mesh_count*': every query of the cell once.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void bench_mesh_count(const BenchMeshEngine *e, const BenchMeshCase *cases, int n, int *queries)
{
    for (int i = 0; i < n; i++) {
        int step = cases[i].npose > 1 ? e->stride : 1;
        for (int k = 0; k < cases[i].npose; k += step, ++*queries)
            bench_mesh_sink = e->query(e->user, &cases[i], cases[i].first + k);
    }
}

// Of the cells that begin as the last argument says.
static inline bool bench_mesh_is_meant(int argc, char **argv, const BenchMeshCase *c)
{
    return argc < 5 || strncmp(c->cell, argv[4], strlen(argv[4])) == 0;
}

// Others need not be made.
static inline bool bench_mesh_is_needed(int argc, char **argv, const BenchMeshes *all, int mesh)
{
    for (int i = 0; i < all->ncase; i++)
        if ((all->cases[i].a == mesh || all->cases[i].b == mesh) && bench_mesh_is_meant(argc, argv, &all->cases[i]))
            return true;
    return false;
}

// PROGRAM CASES                                 rows of all cells
// PROGRAM CASES --only TASK CELL                rows of a task ("all": of each) in the cells that begin so
// PROGRAM CASES --count TASK CELL               every query once and nothing else; says how many
static inline void bench_mesh_run(int argc, char **argv, const BenchMeshes *all, const BenchMeshEngine *engines,
                                  int nengine)
{
    bool is_count = argc > 4 && strcmp(argv[2], "--count") == 0, is_some = argc > 4 &&
                                                                           (is_count || strcmp(argv[2], "--only") == 0);
    double clock = bench_mesh_clock_us();
    for (int i = 0, n; i < all->ncase; i += n) {
        const BenchMeshCase *cases = &all->cases[i];
        for (n = 1; i + n < all->ncase && strcmp(cases[n].cell, cases->cell) == 0;) n++;
        for (int k = 0; k < nengine; k++) {
            int queries = 0;
            if (!bench_mesh_takes(&engines[k], cases)) continue;
            if (!bench_mesh_is_meant(argc, argv, cases) ||
                (is_some && strcmp(argv[3], "all") != 0 && strcmp(argv[3], engines[k].task) != 0)) continue;
            if (!is_count) bench_mesh_cell(all, &engines[k], cases, n, clock);
            else {
                bench_mesh_count(&engines[k], cases, n, &queries);
                printf("%s %s %s: %d queries\n", engines[k].task, engines[k].engine, cases->cell, queries);
            }
        }
    }
}

#endif
