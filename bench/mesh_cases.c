// mesh_cases FILE: meshes and poses for the benchmark of meshes (bench/mesh.h), from a fixed seed.
#include "mesh_parts.h"

#include "carom/carom.h"
#include "mesh.h"

static const double PI = 3.14159265358979323846;
enum { POSES = 24, PATHS = 6, SIZES = 4, FAMILIES = 3 };
static const int sizes[SIZES] = { 1500, 6000, 24000, 50000 };

// ---- random numbers (xorshift)

static unsigned long long state = 88172645463325252ull;

static double uniform(double low, double high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low)*(double)(state >> 11)/9007199254740992.0;
}

static caromVec3 random_direction(void)
{
    double z = uniform(-1, 1), angle = uniform(0, 2*PI), r = sqrt(1 - z*z);
    return carom_vec(r*cos(angle), r*sin(angle), z);
}

static caromMat3 random_rotation(void)
{
    return carom_quat_matrix(carom_quat_axis_angle(random_direction(), uniform(0, 2*PI)));
}

// ---- parts of about 2 m

typedef enum Kind { TORUS, CONE, GEAR, BRACKET, BOLT, KINDS } Kind;
static const char *const names[KINDS] = { "torus", "cone", "gear", "bracket", "bolt" };
static const Kind families[FAMILIES][2] = { { TORUS, CONE }, { GEAR, BRACKET }, { BOLT, GEAR } };

// The doughnut of the tests, as large and as thick as asked for.
static void reshape_torus(Part *part, double ring, double tube)
{
    for (int i = 0; i < part->nvertex; i++) {
        caromVec3 *p = &part->vertices[i];
        double r = hypot(p->x, p->y), out = ring + tube*(r - 0.035)/0.015;
        *p = carom_vec(p->x*out/r, p->y*out/r, p->z*tube/0.015);
    }
}

static Part part_of(Kind kind, int ntriangle)
{
    static const PartKind parts[KINDS] = { PART_DOUGHNUT, PART_CONE, PART_GEAR, PART_BRACKET, PART_BOLT };
    Part part = part_make(parts[kind], ntriangle);
    if (kind == TORUS) reshape_torus(&part, 1.0, 0.4);
    else if (kind == CONE)
        for (int i = 0; i < part.nvertex; i++)
            part.vertices[i] = carom_vec(25*part.vertices[i].x, 25*part.vertices[i].y, 20*part.vertices[i].z);
    else part_scale(&part, 20);
    return part;
}

// ---- poses

typedef struct Pair {
    caromShape a, b;
    caromPose X_WA, X_WB;
    caromWarmStart warm;
} Pair;

static caromGap gap_of(Pair *p)
{
    return carom_collide_shapes_warm(p->a, p->X_WA, p->b, p->X_WB, &p->warm);
}

// B comes in along a random line until the gap is g: steps by what the gap is too large never go too far.
static bool approach(Pair *p, double g)
{
    caromVec3 u = random_direction(), past = carom_scale(uniform(0, 0.3*bench_mesh_size), random_direction());
    p->X_WA = carom_pose(random_rotation(), carom_scale(uniform(0, 1), random_direction()));
    p->X_WB.R = random_rotation();
    p->X_WB.p = carom_add(carom_add(p->X_WA.p, past), carom_scale(4*bench_mesh_size, u));
    for (int i = 0; i < 40; i++) {
        caromGap gap = gap_of(p);
        if (gap.g < 1.1*g) return gap.g > 0;
        p->X_WB.p = carom_axpy(-(gap.g - g), u, p->X_WB.p);
    }
    return false;
}

static bool is_overlapping(const Pair *p)
{
    return carom_collide_overlap(p->a, p->X_WA, p->b, p->X_WB);
}

static void place(Pair *p, const char *regime)
{
    if (strcmp(regime, "far") == 0) {
        while (!approach(p, uniform(0.5, 1.5)*bench_mesh_size)) continue;
        return;
    }
    for (;;) {
        while (!approach(p, 1e-3*bench_mesh_size)) continue;
        if (strcmp(regime, "near") == 0) return;
        caromGap gap = gap_of(p);
        p->X_WB.p = carom_axpy(-2.0*gap.g, gap.n_AB, p->X_WB.p);
        if (is_overlapping(p)) return;
    }
}

// ---- the file

typedef struct Maker {
    BenchMeshes all;
    FILE *file;
} Maker;

static void put_pose(Maker *m, Pair *p)
{
    BenchMeshPose *x = &m->all.poses[m->all.npose++];
    const caromPose *X[2] = { &p->X_WA, &p->X_WB };
    for (int k = 0; k < 2; k++) {
        double (*R)[3] = k ? x->R_b : x->R_a, *t = k ? x->t_b : x->t_a;
        const caromMat3 *C = &X[k]->R;
        for (int i = 0; i < 3; i++)
            R[i][0] = carom_at(C->cx, i), R[i][1] = carom_at(C->cy, i), R[i][2] = carom_at(C->cz, i),
                t[i] = carom_at(X[k]->p, i);
    }
    x->g = is_overlapping(p) ? -1 : gap_of(p).g;
}

static BenchMeshCase *put_case(Maker *m, const char *family, int size, const char *regime, int a, int b)
{
    BenchMeshCase *c = &m->all.cases[m->all.ncase++];
    snprintf(c->cell, sizeof c->cell, "%s:%d:%s", family, size, regime);
    c->a = a, c->b = b, c->first = m->all.npose;
    return c;
}

// Near: it slides, and its gap is kept. How deep they are is not asked for, which would take long.
static void keep_gap(Pair *p, caromVec3 *n)
{
    const double want = 1e-3*bench_mesh_size;
    for (int k = 0; k < 40; k++) {
        if (is_overlapping(p)) {
            p->X_WB.p = carom_axpy(0.5*want, *n, p->X_WB.p);
            continue;
        }
        caromGap gap = gap_of(p);
        *n = gap.n_AB;
        if (fabs(want - gap.g) < 0.1*want) return;
        p->X_WB.p = carom_axpy(want - gap.g, *n, p->X_WB.p);
    }
}

static void put_path(Maker *m, Pair *p, bool is_near)
{
    caromVec3 n = gap_of(p).n_AB, way = random_direction(), axis = random_direction();
    if (is_near) way = carom_unit_or(carom_cross(n, way), way);
    for (int i = 0; i < BENCH_PATH; i++) {
        put_pose(m, p);
        p->X_WB.p = carom_axpy(1e-3*bench_mesh_size, way, p->X_WB.p);
        p->X_WB.R = carom_mat_mul(carom_quat_matrix(carom_quat_axis_angle(axis, 1e-3)), p->X_WB.R);
        if (is_near) keep_gap(p, &n);
    }
}

// As many pairs within it as a contact of this size may have: about 100 to 3000.
static double standoff_of(const Pair *p, double g)
{
    enum { CAPACITY = 100000 };
    static caromWitness found[CAPACITY];
    double standoff = fmax(g, 0) + 0.002*bench_mesh_size;
    for (int i = 0; i < 30; i++) {
        int n = carom_collide_witnesses(p->a, p->X_WA, p->b, p->X_WB, standoff, found, CAPACITY);
        if (n >= 300 && n <= 3000) break;
        standoff = n < 0 || n > 3000 ? 0.8*standoff : 1.3*standoff;
    }
    return standoff;
}

static void put_family(Maker *m, int f, int size, caromMesh *const meshes[][SIZES])
{
    static const char *const regimes[] = { "far", "near", "touching", "path-far", "path-near" };
    Kind ka = families[f][0], kb = families[f][1];
    Pair p = { carom_shape_mesh(meshes[ka][size]), carom_shape_mesh(meshes[kb][size]), carom_pose_identity(),
               carom_pose_identity(), { { 0 } } };
    char family[32];
    snprintf(family, sizeof family, "%s-%s", names[ka], names[kb]);
    for (int r = 0; r < 5; r++) {
        bool is_path = r > 2;
        for (int i = 0; i < (is_path ? PATHS : POSES); i++) {
            place(&p, is_path ? regimes[r] + 5 : regimes[r]);
            BenchMeshCase *c = put_case(m, family, sizes[size], regimes[r], (int)ka*SIZES + size, (int)kb*SIZES + size);
            if (is_path) put_path(m, &p, r == 4);
            else put_pose(m, &p);
            c->npose = m->all.npose - c->first;
            c->standoff = r == 1 || r == 2 ? standoff_of(&p, m->all.poses[c->first].g) : 0;
        }
    }
}

static void put(FILE *file, const void *from, size_t n, size_t size)
{
    if (fwrite(from, size, n, file) != n) bench_mesh_stop("cannot write the file of meshes");
}

static void write_all(const Maker *m, const Part parts[][SIZES])
{
    put(m->file, &m->all, 1, sizeof m->all);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) {
            const Part *part = &parts[k][s];
            BenchMesh mesh = { "", part->nvertex, part->ntriangle, NULL, NULL };
            snprintf(mesh.name, sizeof mesh.name, "%s:%d", names[k], sizes[s]);
            put(m->file, &mesh, 1, sizeof mesh);
            put(m->file, part->vertices, (size_t)part->nvertex, sizeof *part->vertices);
            put(m->file, part->triangles, (size_t)part->ntriangle, sizeof *part->triangles);
        }
    put(m->file, m->all.cases, (size_t)m->all.ncase, sizeof *m->all.cases);
    put(m->file, m->all.poses, (size_t)m->all.npose, sizeof *m->all.poses);
}

int main(int argc, char **argv)
{
    if (argc != 2) bench_mesh_stop("usage: mesh_cases FILE");
    Maker m = { { .nmesh = KINDS*SIZES }, fopen(argv[1], "wb") };
    if (!m.file) bench_mesh_stop("cannot write the file of meshes");
    Part parts[KINDS][SIZES];
    caromMesh *meshes[KINDS][SIZES];
    const int cells = FAMILIES*SIZES;
    m.all.cases = bench_mesh_alloc((size_t)cells*(3*POSES + 2*PATHS), sizeof *m.all.cases);
    m.all.poses = bench_mesh_alloc((size_t)cells*(3*POSES + 2*PATHS*BENCH_PATH), sizeof *m.all.poses);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) {
            parts[k][s] = part_of((Kind)k, sizes[s]);
            meshes[k][s] = carom_mesh_create(parts[k][s].vertices, parts[k][s].nvertex,
                                             (const int (*)[3])parts[k][s].triangles, parts[k][s].ntriangle, NULL,
                                             NULL);
            if (!meshes[k][s]) bench_mesh_stop("cannot make a mesh");
        }
    for (int f = 0; f < FAMILIES; f++)
        for (int s = 0; s < SIZES; s++) put_family(&m, f, s, (caromMesh *const (*)[SIZES])meshes);
    write_all(&m, (const Part (*)[SIZES])parts);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) {
            part_free(&parts[k][s]);
            carom_mesh_destroy(meshes[k][s]);
        }
    free(m.all.cases);
    free(m.all.poses);
    return fclose(m.file) == 0 ? 0 : 1;
}
