// bench_mesh CASES [--only | --count TASK CELL]: carom's rows of the benchmark of meshes (bench/mesh.h).
#include "carom/carom.h"
#include "mesh.h"

enum { CAPACITY = 200000 };

typedef struct Engine {
    const BenchMeshes *all;
    caromMesh **meshes;
    caromPose (*poses)[2];
    caromWarmStart warm;   // of the path
    caromWitness *found;
} Engine;

static caromPose pose_of(const double R[3][3], const double t[3])
{
    return (caromPose){ { { R[0][0], R[1][0], R[2][0] }, { R[0][1], R[1][1], R[2][1] }, { R[0][2], R[1][2], R[2][2] } },
                        { t[0], t[1], t[2] } };
}

static caromMesh *mesh_of(const BenchMesh *m)
{
    caromMesh *mesh = carom_mesh_create((const caromVec3 *)m->v, m->nv, (const int (*)[3])m->t, m->nt, NULL, NULL);
    if (!mesh) bench_mesh_stop("cannot make a mesh");
    return mesh;
}

static caromShape a_of(const Engine *e, const BenchMeshCase *c)
{
    return carom_shape_mesh(e->meshes[c->a]);
}
static caromShape b_of(const Engine *e, const BenchMeshCase *c)
{
    return carom_shape_mesh(e->meshes[c->b]);
}

static double gap_cold(void *user, const BenchMeshCase *c, int pose)
{
    const Engine *e = user;
    return carom_collide_shapes(a_of(e, c), e->poses[pose][0], b_of(e, c), e->poses[pose][1]).g;
}

static double gap_seeded(void *user, const BenchMeshCase *c, int pose)
{
    Engine *e = user;
    if (pose == c->first) e->warm = (caromWarmStart){ 0 };
    return carom_collide_shapes_warm(a_of(e, c), e->poses[pose][0], b_of(e, c), e->poses[pose][1], &e->warm).g;
}

static double overlap(void *user, const BenchMeshCase *c, int pose)
{
    const Engine *e = user;
    return carom_collide_overlap(a_of(e, c), e->poses[pose][0], b_of(e, c), e->poses[pose][1]) ? -1.0
                                                                                               : (double)INFINITY;
}

static double witnesses(void *user, const BenchMeshCase *c, int pose)
{
    Engine *e = user;
    int n = carom_collide_witnesses(a_of(e, c), e->poses[pose][0], b_of(e, c), e->poses[pose][1], c->standoff, e->found,
                                    CAPACITY);
    return n;
}

// From the origin of B.
static double point(void *user, const BenchMeshCase *c, int pose)
{
    const Engine *e = user;
    return carom_collide_point(a_of(e, c), e->poses[pose][0], e->poses[pose][1].p).g;
}

static double ray(void *user, const BenchMeshCase *c, int pose)
{
    const Engine *e = user;
    const caromPose *X_WA = &e->poses[pose][0], *X_WB = &e->poses[pose][1];
    caromVec3 from = carom_axpy(3.0, carom_sub(X_WB->p, X_WA->p), X_WA->p), to = carom_axpy(0.3, X_WB->R.cx, X_WA->p);
    return carom_collide_ray(a_of(e, c), *X_WA, from, carom_sub(to, from), 2.0).t;
}

// ---- making a mesh

static double create_once(const BenchMesh *m)
{
    double begin = bench_mesh_us();
    caromMesh *mesh = mesh_of(m);
    double us = bench_mesh_us() - begin;
    carom_mesh_destroy(mesh);
    return us;
}

static void write_stl(const BenchMesh *m, const char *path)
{
    FILE *file = fopen(path, "wb");
    char head[80] = "";
    if (!file) bench_mesh_stop("cannot write a file beside the cases");
    fwrite(head, 1, sizeof head, file);
    fwrite(&m->nt, sizeof m->nt, 1, file);
    for (int i = 0; i < m->nt; i++) {
        float x[12] = { 0 };
        for (int k = 0; k < 9; k++) x[3 + k] = (float)m->v[m->t[i][k/3]][k%3];
        fwrite(x, sizeof x, 1, file);
        fwrite(head, 1, 2, file);
    }
    fclose(file);
}

static double read_once(const char *path, const char *cache)
{
    double begin = bench_mesh_us();
    caromMesh *mesh = cache ? carom_meshfile_read_cached(path, 1.0, cache, NULL, NULL)
                            : carom_meshfile_read(path, 1.0, NULL, NULL);
    double us = bench_mesh_us() - begin;
    if (!mesh) bench_mesh_stop("cannot read back a mesh");
    carom_mesh_destroy(mesh);
    return us;
}

static double least(double (*run)(const void *what), const void *what)
{
    double best = INFINITY;
    for (int i = 0; i < 2*BENCH_MESH_ROUNDS; i++) best = fmin(best, run(what));
    return best;
}

typedef struct Files {
    char stl[512], cache[512];
} Files;

static double create(const void *what) { return create_once(what); }
static double read_fresh(const void *what) { return read_once(((const Files *)what)->stl, NULL); }
static double read_again(const void *what)
{
    return read_once(((const Files *)what)->stl, ((const Files *)what)->cache);
}

static void time_making(const BenchMeshes *all, const char *cases)
{
    Files files;
    snprintf(files.stl, sizeof files.stl, "%s.stl", cases);
    snprintf(files.cache, sizeof files.cache, "%s.cache", cases);
    for (int i = 0; i < all->nmesh; i++) {
        const BenchMesh *m = &all->meshes[i];
        bench_mesh_row("build", "carom", m->name, least(create, m), 0, 1, 0);
        write_stl(m, files.stl);
        bench_mesh_row("read", "carom", m->name, least(read_fresh, &files), 0, 1, 0);
        read_once(files.stl, files.cache);
        bench_mesh_row("cached", "carom", m->name, least(read_again, &files), 0, 1, 0);
    }
    remove(files.stl);
}

static Engine engine_create(const BenchMeshes *all, int argc, char **argv)
{
    Engine e = { .all = all, .meshes = bench_mesh_alloc((size_t)all->nmesh, sizeof *e.meshes),
                 .poses = bench_mesh_alloc((size_t)all->npose, sizeof *e.poses),
                 .found = bench_mesh_alloc(CAPACITY, sizeof *e.found) };
    for (int i = 0; i < all->nmesh; i++)
        if (bench_mesh_is_needed(argc, argv, all, i)) e.meshes[i] = mesh_of(&all->meshes[i]);
    for (int i = 0; i < all->npose; i++) {
        const BenchMeshPose *x = &all->poses[i];
        e.poses[i][0] = pose_of(x->R_a, x->t_a);
        e.poses[i][1] = pose_of(x->R_b, x->t_b);
    }
    return e;
}

static void engine_destroy(Engine *e)
{
    for (int i = 0; i < e->all->nmesh; i++) carom_mesh_destroy(e->meshes[i]);
    free(e->meshes);
    free(e->poses);
    free(e->found);
}

int main(int argc, char **argv)
{
    if (argc < 2) bench_mesh_stop("usage: bench_mesh CASES [--only | --count TASK CELL]");
    BenchMeshes all = bench_mesh_read(argv[1]);
    Engine engine = engine_create(&all, argc, argv);
    const BenchMeshEngine engines[] = {
        { "distance", "carom", "far near", BENCH_GAPS, 1, gap_cold, &engine },
        { "seeded", "carom", "path-far path-near", BENCH_GAPS, 1, gap_seeded, &engine },
        { "overlap", "carom", "near touching", BENCH_GAPS, 1, overlap, &engine },
        { "standoff", "carom", "near touching", BENCH_COUNTS, 1, witnesses, &engine },
        { "depth", "carom", "touching", BENCH_GAPS, 1, gap_cold, &engine },
        { "point", "carom", "far near", BENCH_COUNTS, 1, point, &engine },
        { "ray", "carom", "near", BENCH_COUNTS, 1, ray, &engine },
    };
    printf("version carom %s\n", carom_version());
    if (argc == 2) time_making(&all, argv[1]);
    bench_mesh_run(argc, argv, &all, engines, (int)(sizeof engines/sizeof engines[0]));
    engine_destroy(&engine);
    bench_mesh_free(&all);
    return 0;
}
