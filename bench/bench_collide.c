// bench_collide CASES [--only | --count CELL [ENGINE [PASSES]]]: carom's rows of the collision benchmark
// (bench/collide.h).
#include "carom/carom.h"
#include "collide.h"

// Everything in carom's own form, so that only the query is timed.
typedef struct Engine {
    caromHull **hulls;
    caromShape (*shapes)[2];   // of each case
    caromPose (*poses)[2];     // of each query
    caromWarmStart *warm;      // of each case
} Engine;

static caromShape shape_of(const Engine *engine, const BenchSolid *s)
{
    const double *p = s->p;
    switch (s->kind) {
    case BENCH_SPHERE: return carom_shape_sphere(p[0]);
    case BENCH_BOX: return carom_shape_box(2*p[0], 2*p[1], 2*p[2]);
    case BENCH_CYLINDER: return carom_shape_cylinder(p[0], 2*p[1]);
    case BENCH_CONE: return carom_shape_cone(p[0], 0, 2*p[1]);
    case BENCH_CAPSULE: return carom_shape_capsule(p[0], 2*p[1]);
    case BENCH_ELLIPSOID: return carom_shape_ellipsoid(p[0], p[1], p[2]);
    default: return carom_shape_polytope(engine->hulls[s->hull]);
    }
}

static caromPose pose_of(const BenchPose *X)
{
    const double (*R)[3] = X->R;
    return (caromPose){ { { R[0][0], R[1][0], R[2][0] }, { R[0][1], R[1][1], R[2][1] }, { R[0][2], R[1][2], R[2][2] } },
                        { X->t[0], X->t[1], X->t[2] } };
}

static caromHull *hull_of(const BenchHull *hull)
{
    caromError err;
    caromHull *made = carom_hull_create((const caromVec3 *)hull->v, hull->nv, 0, &err);
    if (made) return made;
    fprintf(stderr, "hull of %d vertices: %s\n", hull->nv, err.message);
    exit(1);
}

static Engine engine_create(const BenchCases *all)
{
    Engine e = { bench_alloc((size_t)all->nhull, sizeof *e.hulls), bench_alloc((size_t)all->ncase, sizeof *e.shapes),
                 bench_alloc((size_t)all->nquery, sizeof *e.poses), bench_alloc((size_t)all->ncase, sizeof *e.warm) };
    for (int i = 0; i < all->nhull; i++) e.hulls[i] = hull_of(&all->hulls[i]);
    for (int i = 0; i < all->ncase; i++) {
        const BenchCase *c = &all->cases[i];
        e.shapes[i][0] = shape_of(&e, &c->a);
        e.shapes[i][1] = shape_of(&e, &c->b);
        for (int k = 0; k < c->nquery; k++) {
            e.poses[c->queries[k].id][0] = pose_of(&c->queries[k].a);
            e.poses[c->queries[k].id][1] = pose_of(&c->queries[k].b);
        }
    }
    return e;
}

static void engine_destroy(Engine *e, int nhull)
{
    for (int i = 0; i < nhull; i++) carom_hull_destroy(e->hulls[i]);
    free(e->hulls);
    free(e->shapes);
    free(e->poses);
    free(e->warm);
}

static bool gap_cold(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Engine *e = user;
    caromGap gap = carom_collide_shapes(e->shapes[c->id][0], e->poses[q->id][0], e->shapes[c->id][1],
                                        e->poses[q->id][1]);
    *g = gap.g;
    return gap.status != CAROM_GAP_UNDEFINED;
}

static bool gap_warm(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Engine *e = user;
    caromGap gap = carom_collide_shapes_warm(e->shapes[c->id][0], e->poses[q->id][0], e->shapes[c->id][1],
                                             e->poses[q->id][1], &e->warm[c->id]);
    *g = gap.g;
    return gap.status != CAROM_GAP_UNDEFINED;
}

static void forget(void *user, const BenchCase *c)
{
    const Engine *e = user;
    memset(&e->warm[c->id], 0, sizeof e->warm[c->id]);
}

static bool overlap(void *user, const BenchCase *c, const BenchQuery *q, double *g)
{
    const Engine *e = user;
    *g = carom_collide_overlap(e->shapes[c->id][0], e->poses[q->id][0], e->shapes[c->id][1], e->poses[q->id][1])
             ? -1 : 1;
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_collide CASES [--only | --count CELL [ENGINE [PASSES]]]\n");
        return 1;
    }
    BenchCases all = bench_read_cases(argv[1]);
    Engine engine = engine_create(&all);
    const unsigned kinds = (1u << BENCH_KINDS) - 1;
    const BenchEngine engines[] = {
        { "carom", BENCH_DISTANCE | BENCH_DEPTH, kinds, gap_cold, NULL, &engine },
        { "carom-warm", BENCH_DISTANCE | BENCH_DEPTH | BENCH_WARM, kinds, gap_warm, forget, &engine },
        { "carom-overlap", BENCH_OVERLAP, kinds, overlap, NULL, &engine },
    };
    printf("version carom %s\n", carom_version());
    int status = bench_collide_run(argc, argv, &all, engines, (int)(sizeof engines/sizeof engines[0]));
    engine_destroy(&engine, all.nhull);
    bench_free_cases(&all);
    return status;
}
