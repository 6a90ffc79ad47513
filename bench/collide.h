// Cases that carom and its peers are asked for distances, and how the answers are timed and judged. C and C++.
//
// bench/collide_cases.c writes the file of cases; each program reads it, asks every engine it has and prints rows
//
//     row  engine  cell  ns_per_query  wrong  queries  largest_error
//
// A cell is "cold:32:near" (polytopes of 32 vertices, each pair by itself), "warm:32:near" (along paths of successive
// poses), "prim:box-cone:near", or "overlap:32:near" (yes or no). Time: wall clock around one query (warm: around a
// path without its first pose) less the cost of the clock, cases in turn so that nothing is asked twice in a row; the
// least of several rounds for each case, then the median over the cases.
#ifndef CAROM_BENCH_COLLIDE_H
#define CAROM_BENCH_COLLIDE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum BenchKind { BENCH_SPHERE, BENCH_BOX, BENCH_CYLINDER, BENCH_CONE, BENCH_CAPSULE, BENCH_ELLIPSOID,
                         BENCH_HULL, BENCH_KINDS } BenchKind;

static const char *const bench_kind_names[BENCH_KINDS] = { "sphere", "box", "cylinder", "cone", "capsule", "ellipsoid",
                                                           "hull" };

typedef struct BenchHull {
    int nv, nf;
    double (*v)[3];
    int (*f)[3];    // counter-clockwise from outside
} BenchHull;

// sphere: radius. box: half edges. cylinder, capsule: radius, half length (capsule: of the straight part) along z.
// cone: radius at z = -p[1], half height, apex at z = +p[1]. ellipsoid: semi-axes.
typedef struct BenchSolid {
    int kind;
    double p[3];
    int hull;       // index, -1 for primitives
} BenchSolid;

typedef struct BenchPose {
    double R[3][3], t[3];  // world = R local + t
} BenchPose;

typedef struct BenchQuery {
    int id;                // 0, 1, 2, ... through all cases
    BenchPose a, b;
    double g;              // reference: distance, or minus the depth
    double n[3];           // from A to B
    double gap;            // upper less lower bound of |g|
} BenchQuery;

typedef struct BenchCase {
    int id;
    char cell[40];
    BenchSolid a, b;
    int nquery;            // 1, or the poses of a path
    BenchQuery *queries;
} BenchCase;

typedef struct BenchCases {
    int nhull, ncase, nquery;
    BenchHull *hulls;
    BenchCase *cases;      // those of a cell stand together
} BenchCases;

enum { BENCH_DISTANCE = 1, BENCH_DEPTH = 2, BENCH_OVERLAP = 4, BENCH_WARM = 8 };

typedef struct BenchEngine {
    const char *name;
    // BENCH_DISTANCE: far, near. BENCH_DEPTH: shallow, deep. BENCH_OVERLAP: only whether. BENCH_WARM: paths only.
    int tasks;
    unsigned kinds;        // 1 << BENCH_BOX | ...: the solids it has
    // *g > 0 or < 0; false: it says itself that it failed. With BENCH_OVERLAP any g of the right sign.
    bool (*query)(void *user, const BenchCase *c, const BenchQuery *q, double *g);
    void (*forget)(void *user, const BenchCase *c);  // before the first pose of a path; may be NULL
    void *user;
} BenchEngine;

enum { BENCH_ROUNDS = 4 };
static const double bench_wrong = 1e-3;  // [m]; the solids measure 1 to 2 m

static inline void *bench_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p) return p;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

static inline void bench_expect(bool ok)
{
    if (ok) return;
    fprintf(stderr, "the file of cases is broken: remove it\n");
    exit(1);
}

static inline bool bench_read_reals(FILE *file, double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (fscanf(file, "%lf", &x[i]) != 1) return false;
    return true;
}

static inline void bench_read_hull(FILE *file, BenchHull *hull)
{
    bench_expect(fscanf(file, "%d %d", &hull->nv, &hull->nf) == 2 && hull->nv > 3 && hull->nf > 3 &&
                 hull->nv < 100000 && hull->nf < 200000);
    hull->v = (double (*)[3])bench_alloc((size_t)hull->nv, sizeof *hull->v);
    hull->f = (int (*)[3])bench_alloc((size_t)hull->nf, sizeof *hull->f);
    bench_expect(bench_read_reals(file, hull->v[0], 3*hull->nv));
    for (int i = 0; i < hull->nf; i++)
        bench_expect(fscanf(file, "%d %d %d", &hull->f[i][0], &hull->f[i][1], &hull->f[i][2]) == 3);
}

static inline void bench_read_solid(FILE *file, BenchSolid *solid)
{
    bench_expect(fscanf(file, "%d", &solid->kind) == 1 && bench_read_reals(file, solid->p, 3) &&
                 fscanf(file, "%d", &solid->hull) == 1);
}

static inline void bench_read_case(FILE *file, BenchCase *c, int *nquery)
{
    bench_expect(fscanf(file, "%39s", c->cell) == 1);
    bench_read_solid(file, &c->a);
    bench_read_solid(file, &c->b);
    bench_expect(fscanf(file, "%d", &c->nquery) == 1 && c->nquery > 0 && c->nquery < 1000);
    c->queries = (BenchQuery *)bench_alloc((size_t)c->nquery, sizeof(BenchQuery));
    for (int i = 0; i < c->nquery; i++) {
        BenchQuery *q = &c->queries[i];
        q->id = (*nquery)++;
        bench_expect(bench_read_reals(file, q->a.R[0], 9) && bench_read_reals(file, q->a.t, 3) &&
                     bench_read_reals(file, q->b.R[0], 9) && bench_read_reals(file, q->b.t, 3) &&
                     bench_read_reals(file, &q->g, 1) && bench_read_reals(file, q->n, 3) &&
                     bench_read_reals(file, &q->gap, 1));
    }
}

// "NHULL NCASE", then the hulls, then the cases.
static inline BenchCases bench_read_cases(const char *path)
{
    BenchCases all;
    memset(&all, 0, sizeof all);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    bench_expect(fscanf(file, "%d %d", &all.nhull, &all.ncase) == 2 && all.nhull >= 0 && all.nhull < 100000 &&
                 all.ncase > 0 && all.ncase < 1000000);
    all.hulls = (BenchHull *)bench_alloc((size_t)all.nhull, sizeof(BenchHull));
    all.cases = (BenchCase *)bench_alloc((size_t)all.ncase, sizeof(BenchCase));
    for (int i = 0; i < all.nhull; i++) bench_read_hull(file, &all.hulls[i]);
    for (int i = 0; i < all.ncase; i++) {
        all.cases[i].id = i;
        bench_read_case(file, &all.cases[i], &all.nquery);
        bench_expect(all.cases[i].a.hull < all.nhull && all.cases[i].b.hull < all.nhull);
    }
    fclose(file);
    return all;
}

static inline void bench_free_cases(BenchCases *all)
{
    for (int i = 0; i < all->nhull; i++) {
        free(all->hulls[i].v);
        free(all->hulls[i].f);
    }
    for (int i = 0; i < all->ncase; i++) free(all->cases[i].queries);
    free(all->hulls);
    free(all->cases);
}

static inline double bench_wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9*(double)now.tv_sec + (double)now.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, bench_compare);
    return n % 2 ? x[n/2] : 0.5*(x[n/2 - 1] + x[n/2]);
}

// What the clock adds to a sample: typically, as the samples have it.
static inline double bench_clock_ns(void)
{
    double d[255];
    for (int i = 0; i < 255; i++) {
        double begin = bench_wall_ns();
        d[i] = bench_wall_ns() - begin;
    }
    return bench_median(d, 255);
}

static inline bool bench_takes(const BenchEngine *e, const BenchCase *c)
{
    const char *regime = strrchr(c->cell, ':') + 1;
    bool is_depth = strcmp(regime, "shallow") == 0 || strcmp(regime, "deep") == 0;
    bool is_warm = strncmp(c->cell, "warm", 4) == 0, is_cold = strncmp(c->cell, "cold", 4) == 0;
    if (!(e->kinds >> c->a.kind & 1u) || !(e->kinds >> c->b.kind & 1u)) return false;
    if (e->tasks & BENCH_OVERLAP) return is_cold;
    if ((e->tasks & BENCH_WARM) && !is_warm) return false;
    return (e->tasks & (is_depth ? BENCH_DEPTH : BENCH_DISTANCE)) != 0;
}

typedef struct BenchVerdict {
    int wrong, queries;
    double error;
} BenchVerdict;

static inline void bench_judge(const BenchEngine *e, const BenchCase *c, BenchVerdict *verdict)
{
    if (e->forget) e->forget(e->user, c);
    for (int i = 0; i < c->nquery; i++) {
        const BenchQuery *q = &c->queries[i];
        double g = 0;
        bool is_answer = e->query(e->user, c, q, &g) && isfinite(g);
        bool is_right = is_answer && (g > 0) == (q->g > 0);
        verdict->queries++;
        if (!(e->tasks & BENCH_OVERLAP) && is_answer) {
            double error = fabs(g - q->g);
            verdict->error = error > verdict->error ? error : verdict->error;
            is_right = is_right && error <= bench_wrong;
        }
        if (!is_right && getenv("BENCH_SHOW_WRONG"))
            fprintf(stderr, "%s %s case %d pose %d: %.9g instead of %.9g\n", e->name, c->cell, c->id, i, g, q->g);
        verdict->wrong += !is_right;
    }
}

static volatile double bench_sink;

static inline double bench_time_once(const BenchEngine *e, const BenchCase *c)
{
    double g = 0, sum = 0;
    int first = c->nquery > 1;
    if (e->forget) e->forget(e->user, c);
    if (first) e->query(e->user, c, &c->queries[0], &g);
    double begin = bench_wall_ns();
    for (int i = first; i < c->nquery; i++) {
        e->query(e->user, c, &c->queries[i], &g);
        sum += g;
    }
    double ns = bench_wall_ns() - begin;
    bench_sink = sum;
    return ns;
}

static inline void bench_cell(const BenchEngine *e, const BenchCase *cases, int n, double clock)
{
    BenchVerdict verdict = { 0, 0, 0 };
    double *ns = (double *)bench_alloc((size_t)n, sizeof *ns);
    for (int i = 0; i < n; i++) bench_judge(e, &cases[i], &verdict);
    for (int round = 0; round < BENCH_ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            double count = cases[i].nquery > 1 ? cases[i].nquery - 1 : 1;
            double t = (bench_time_once(e, &cases[i]) - clock)/count;
            ns[i] = round == 0 || t < ns[i] ? t : ns[i];
        }
    double median = bench_median(ns, n);
    bool is_overlap = (e->tasks & BENCH_OVERLAP) != 0;
    printf("row %s %s%s %.1f %d %d %.2g\n", e->name, is_overlap ? "overlap" : "",
           is_overlap ? strchr(cases[0].cell, ':') : cases[0].cell, median > 1 ? median : 1, verdict.wrong,
           verdict.queries, verdict.error);
    fflush(stdout);
    free(ns);
}

static inline int bench_cell_length(const BenchCases *all, int first)
{
    int n = 1;
    while (first + n < all->ncase && strcmp(all->cases[first + n].cell, all->cases[first].cell) == 0) n++;
    return n;
}

// For valgrind --tool=callgrind --toggle-collect=bench_count_queries: every query of the cell `passes` times.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void bench_count_queries(const BenchEngine *e, const BenchCase *cases, int n, int passes)
{
    double g = 0, sum = 0;
    for (int p = 0; p < passes; p++)
        for (int i = 0; i < n; i++) {
            if (e->forget) e->forget(e->user, &cases[i]);
            for (int k = 0; k < cases[i].nquery; k++) {
                e->query(e->user, &cases[i], &cases[i].queries[k], &g);
                sum += g;
            }
        }
    bench_sink = sum;
}

// "cold:32" is meant by cold:32:near and cold:32:far.
static inline bool bench_is_meant(const char *cell, const char *want)
{
    size_t n = strlen(want);
    return strncmp(cell, want, n) == 0 && (cell[n] == '\0' || cell[n] == ':');
}

// PROGRAM CASES                                       rows of all cells
// PROGRAM CASES --only CELL [ENGINE]                  rows of one cell or of those that begin so
// PROGRAM CASES --count CELL [ENGINE [PASSES]]        every query PASSES (10) times and nothing else; says how many
static inline int bench_collide_run(int argc, char **argv, const BenchCases *all, const BenchEngine *engines,
                                    int nengine)
{
    bool is_count = argc > 3 && strcmp(argv[2], "--count") == 0, is_only = argc > 3 && strcmp(argv[2], "--only") == 0;
    int passes = argc > 5 ? atoi(argv[5]) : 10;
    double clock = bench_clock_ns();
    for (int k = 0; k < nengine; k++) {
        if (argc > 4 && strcmp(argv[4], engines[k].name) != 0) continue;
        long count = 0;
        for (int i = 0, n; i < all->ncase; i += n) {
            const BenchCase *cases = &all->cases[i];
            n = bench_cell_length(all, i);
            if (!bench_takes(&engines[k], cases) || ((is_count || is_only) && !bench_is_meant(cases->cell, argv[3])))
                continue;
            if (is_count) bench_count_queries(&engines[k], cases, n, passes);
            else bench_cell(&engines[k], cases, n, clock);
            count += (long)n*cases->nquery*passes;
        }
        if (is_count && count > 0) printf("%s %s: %ld queries\n", engines[k].name, argv[3], count);
    }
    return 0;
}

#endif
