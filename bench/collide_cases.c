// collide_cases FILE: writes the cases of the collision benchmark (bench/collide.h) with their reference
// values. Always the same ones.
//
// Polytopes have their vertices on ellipsoids with semi-axes of 0.5 to 1.5 m. far: 0.5 to 3 m apart. near: 0.5 to 2 mm.
// shallow: 1 to 50 mm deep. deep: centres close together. A path turns B by 0.01 rad and moves it by 10 mm from pose to
// pose; near and shallow ones stay at their gap.
#include <stdint.h>

#include "collide_reference.h"

enum { SIZES = 4, HULLS = 16, PAIRS = 64, PATHS = 24, POSES = 16, PRIMITIVES = 20, REGIMES = 4,
       PRIMITIVE_KINDS = BENCH_HULL };
enum { FAR, NEAR, SHALLOW, DEEP };
static const int sizes[SIZES] = { 8, 32, 128, 512 };
static const char *const regimes[REGIMES] = { "far", "near", "shallow", "deep" };

typedef struct Maker {
    FILE *file;
    uint64_t seed;
    BenchHull hulls[SIZES*HULLS];
    Mesh mesh;
    int ncase, nretry;
    Real gap;    // worst certificate
    Real check;  // worst difference to the other method
} Maker;

// Steele, Lea and Flood's SplitMix64: 0 <= x < 1.
static double random_unit(Maker *m)
{
    uint64_t z = m->seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27))*0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11)*0x1p-53;
}

static double between(Maker *m, double low, double high) { return low + (high - low)*random_unit(m); }
static double log_between(Maker *m, double low, double high) { return exp(between(m, log(low), log(high))); }

static Vec random_direction(Maker *m)
{
    for (;;) {
        Vec d = vec(between(m, -1, 1), between(m, -1, 1), between(m, -1, 1));
        if (dot(d, d) <= 1 && dot(d, d) > 0.01L) return unit(d);
    }
}

// ---- solids

static void normalise_centre(BenchHull *h)
{
    double c[3] = { 0 };
    for (int i = 0; i < 3*h->nv; i++) c[i%3] += h->v[i/3][i%3]/h->nv;
    for (int i = 0; i < 3*h->nv; i++) h->v[i/3][i%3] -= c[i%3];
}

static Vec vertex(const BenchHull *h, int i) { return vec(h->v[i][0], h->v[i][1], h->v[i][2]); }

static void triangulate(Maker *m, BenchHull *h)
{
    Mesh *mesh = &m->mesh;
    Vec start[4] = { vertex(h, 0), vertex(h, 1), vertex(h, 2), vertex(h, 3) };
    bool is_ok = mesh_start(mesh, start);
    for (int i = 4; i < h->nv; i++) is_ok = is_ok && mesh_add(mesh, vertex(h, i));
    h->nf = 0;
    for (int f = 0; f < mesh->nface; f++)
        if (!mesh->faces[f].is_gone && h->nf < 2*h->nv - 4) memcpy(h->f[h->nf++], mesh->faces[f].i, sizeof h->f[0]);
    if (is_ok && h->nf == 2*h->nv - 4) return;
    fprintf(stderr, "a hull of %d vertices went wrong\n", h->nv);
    exit(1);
}

static void make_hull(Maker *m, BenchHull *h, int nv)
{
    double axes[3] = { between(m, 0.5, 1.5), between(m, 0.5, 1.5), between(m, 0.5, 1.5) };
    h->nv = nv;
    h->v = bench_alloc((size_t)nv, sizeof *h->v);
    h->f = bench_alloc((size_t)(2*nv), sizeof *h->f);
    for (int i = 0; i < nv; i++) {
        Vec d = random_direction(m);
        h->v[i][0] = axes[0]*(double)d.x, h->v[i][1] = axes[1]*(double)d.y, h->v[i][2] = axes[2]*(double)d.z;
    }
    normalise_centre(h);
    triangulate(m, h);
}

static BenchSolid make_primitive(Maker *m, int kind)
{
    static const double range[PRIMITIVE_KINDS][3][2] = {
        [BENCH_SPHERE]    = { { 0.5, 1.0 } },
        [BENCH_BOX]       = { { 0.3, 1.0 }, { 0.3, 1.0 }, { 0.3, 1.0 } },
        [BENCH_CYLINDER]  = { { 0.3, 0.8 }, { 0.3, 1.0 } },
        [BENCH_CONE]      = { { 0.4, 1.0 }, { 0.3, 1.0 } },
        [BENCH_CAPSULE]   = { { 0.2, 0.6 }, { 0.3, 0.8 } },
        [BENCH_ELLIPSOID] = { { 0.3, 1.0 }, { 0.3, 1.0 }, { 0.3, 1.0 } },
    };
    BenchSolid s = { .kind = kind, .hull = -1 };
    for (int i = 0; i < 3; i++) s.p[i] = between(m, range[kind][i][0], range[kind][i][1]);
    return s;
}

// ---- poses

static BenchPose random_pose(Maker *m)
{
    double q[4], n = 0;
    do {
        n = 0;
        for (int i = 0; i < 4; i++) q[i] = between(m, -1, 1), n += q[i]*q[i];
    } while (n > 1 || n < 0.01);
    double w = q[0]/sqrt(n), x = q[1]/sqrt(n), y = q[2]/sqrt(n), z = q[3]/sqrt(n);
    return (BenchPose){ { { 1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y) },
                          { 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x) },
                          { 2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y) } },
                        { between(m, -1, 1), between(m, -1, 1), between(m, -1, 1) } };
}

static void shift(BenchPose *X, Real s, Vec d)
{
    X->t[0] += (double)(s*d.x), X->t[1] += (double)(s*d.y), X->t[2] += (double)(s*d.z);
}

// Rodrigues: each column c becomes c cos + (k x c) sin + k (k.c)(1 - cos).
static void turn(BenchPose *X, Vec k, Real angle)
{
    for (int j = 0; j < 3; j++) {
        Vec c = vec(X->R[0][j], X->R[1][j], X->R[2][j]);
        Vec r = add(add(scale(cosl(angle), c), scale(sinl(angle), cross(k, c))), scale((1 - cosl(angle))*dot(k, c), k));
        X->R[0][j] = (double)r.x, X->R[1][j] = (double)r.y, X->R[2][j] = (double)r.z;
    }
}

static bool is_in_regime(int regime, Real g)
{
    static const double range[REGIMES][2] = { { 0.45, 3.3 }, { 0.4e-3, 2.2e-3 }, { -60e-3, -0.9e-3 }, { -10, -0.1 } };
    return g >= range[regime][0] && g <= range[regime][1];
}

static double target_of(Maker *m, int regime)
{
    if (regime == FAR) return between(m, 0.5, 3);
    return regime == NEAR ? log_between(m, 0.5e-3, 2e-3) : -log_between(m, 1e-3, 50e-3);
}

static Reference measure(Maker *m, const BenchSolid *a, const BenchSolid *b, const BenchQuery *q)
{
    return reference_gap(m->hulls, a, &q->a, b, &q->b, &m->mesh);
}

// Separated solids come to the wanted distance exactly when they move along the normal; into each other, nearly always.
static bool bring_to(Maker *m, const BenchSolid *a, const BenchSolid *b, BenchQuery *q, int regime, double target,
                     Reference *r)
{
    *r = measure(m, a, b, q);
    for (int i = 0; i < 4 && r->is_ok; i++) {
        if (fabsl(r->g - target) < 1e-6L || (i > 0 && is_in_regime(regime, r->g))) return true;
        shift(&q->b, target - r->g, r->n);
        *r = measure(m, a, b, q);
    }
    return r->is_ok && is_in_regime(regime, r->g);
}

static bool start(Maker *m, const BenchSolid *a, const BenchSolid *b, BenchQuery *q, int regime, double target,
                  Reference *r)
{
    Vec u = random_direction(m);
    q->a = random_pose(m);
    q->b = random_pose(m);
    memcpy(q->b.t, q->a.t, sizeof q->b.t);
    if (regime == DEEP) {
        shift(&q->b, between(m, 0.02, 0.4), u);
        *r = measure(m, a, b, q);
        return r->is_ok && is_in_regime(DEEP, r->g);
    }
    shift(&q->b, 5, u);
    return bring_to(m, a, b, q, regime, target, r);
}

// ---- the same depth in another way

static void consider(const Maker *m, const BenchSolid *a, const BenchSolid *b, const BenchQuery *q, Vec n, Real *least,
                     Vec *where)
{
    Real way = reference_way_out(m->hulls, a, &q->a, b, &q->b, n);
    if (way < *least) *least = way, *where = n;
}

static Vec rotated(const BenchPose *X, Vec p)
{
    return vec(X->R[0][0]*p.x + X->R[0][1]*p.y + X->R[0][2]*p.z, X->R[1][0]*p.x + X->R[1][1]*p.y + X->R[1][2]*p.z,
               X->R[2][0]*p.x + X->R[2][1]*p.y + X->R[2][2]*p.z);
}

static Vec side(const BenchHull *h, const BenchPose *X, int f, int k)
{
    return rotated(X, sub(vertex(h, h->f[f][(k + 1)%3]), vertex(h, h->f[f][k])));
}

// Every facet of A - B has the normal of a face of A, of one of B turned round, or of two edges: none can be missed
// by trying all of them.
static Real depth_of_all_normals(const Maker *m, const BenchSolid *a, const BenchSolid *b, const BenchQuery *q)
{
    const BenchHull *A = &m->hulls[a->hull], *B = &m->hulls[b->hull];
    Real least = INFINITY;
    Vec where;
    for (int f = 0; f < A->nf; f++)
        consider(m, a, b, q, unit(cross(side(A, &q->a, f, 0), side(A, &q->a, f, 1))), &least, &where);
    for (int f = 0; f < B->nf; f++)
        consider(m, a, b, q, unit(cross(side(B, &q->b, f, 1), side(B, &q->b, f, 0))), &least, &where);
    for (int i = 0; i < 3*A->nf; i++)
        for (int j = 0; j < 3*B->nf; j++) {  // each edge twice, once in each direction: both signs of the product
            Vec n = cross(side(A, &q->a, i/3, i%3), side(B, &q->b, j/3, j%3));
            if (A->f[i/3][i%3] < A->f[i/3][(i + 1)%3] && norm(n) > 1e-12L)
                consider(m, a, b, q, unit(n), &least, &where);
        }
    return least;
}

// A spiral of directions over the sphere, then a pattern that shrinks about the best one. From above: a kink may hold
// it up.
static Real depth_by_scan(const Maker *m, const BenchSolid *a, const BenchSolid *b, const BenchQuery *q, Vec hint)
{
    Real least = INFINITY;
    Vec where = hint;
    consider(m, a, b, q, unit(hint), &least, &where);
    for (int i = 0; i < 400; i++) {
        Real z = 1 - (2*i + 1)/400.0L, phi = 2.39996322972865332L*i, s = sqrtl(1 - z*z);
        consider(m, a, b, q, vec(s*cosl(phi), s*sinl(phi), z), &least, &where);
    }
    for (Real h = 0.1L; h > 1e-9L; h *= 0.7L) {
        Vec centre = where, t = unit(fabsl(centre.x) < 0.7L ? cross(centre, vec(1, 0, 0))
                                                            : cross(centre, vec(0, 1, 0))), s = cross(centre, t);
        for (int k = 0; k < 7; k++)
            consider(m, a, b, q, unit(add(centre, add(scale(h*cosl(0.897597901L*k), t),
                                                      scale(h*sinl(0.897597901L*k), s)))), &least, &where);
    }
    return least;
}

static void check(Maker *m, const BenchSolid *a, const BenchSolid *b, const BenchQuery *q, const Reference *r)
{
    if (r->g > 0) return;
    bool is_small = a->kind == BENCH_HULL && m->hulls[a->hull].nv <= 8;
    Real off = is_small ? fabsl(depth_of_all_normals(m, a, b, q) + r->g)
                        : fmaxl(0, -r->g - r->gap - depth_by_scan(m, a, b, q, r->n));
    m->check = fmaxl(m->check, off);
}

// ---- cases

static void note(Maker *m, BenchQuery *q, const Reference *r)
{
    q->g = (double)r->g;
    q->n[0] = (double)r->n.x, q->n[1] = (double)r->n.y, q->n[2] = (double)r->n.z;
    q->gap = (double)r->gap;
    m->gap = fmaxl(m->gap, r->gap);
}

static bool make_path(Maker *m, const BenchSolid *a, const BenchSolid *b, BenchQuery *queries, int n, int regime)
{
    Reference r;
    double target = regime == DEEP ? 0 : target_of(m, regime);
    Vec axis = random_direction(m), way = random_direction(m);
    for (int i = 0; i < n; i++) {
        BenchQuery *q = &queries[i];
        if (i == 0 && !start(m, a, b, q, regime, target, &r)) return false;
        if (i > 0) {
            *q = queries[i - 1];
            turn(&q->b, axis, 0.01L);
            Vec along = regime == NEAR || regime == SHALLOW ? sub(way, scale(dot(way, r.n), r.n)) : way;
            shift(&q->b, 0.01L/norm(along), along);
            r = measure(m, a, b, q);
            if ((regime == NEAR || regime == SHALLOW) && !bring_to(m, a, b, q, regime, target, &r)) return false;
            if (!r.is_ok || !is_in_regime(regime, r.g)) return false;
        }
        note(m, q, &r);
        if (n == 1) check(m, a, b, q, &r);
    }
    return true;
}

static void write_reals(FILE *file, const double *x, int n)
{
    for (int i = 0; i < n; i++) fprintf(file, "%.17g ", x[i]);
}

static void write_solid(FILE *file, const BenchSolid *s)
{
    fprintf(file, " %d ", s->kind);
    write_reals(file, s->p, 3);
    fprintf(file, "%d", s->hull);
}

static void add_case(Maker *m, const char *cell, const BenchSolid *a, const BenchSolid *b, int n, int regime)
{
    BenchQuery queries[POSES];
    for (int attempt = 0; !make_path(m, a, b, queries, n, regime); attempt++) {
        m->nretry++;
        if (attempt < 200) continue;
        fprintf(stderr, "%s: no pose found\n", cell);
        exit(1);
    }
    fprintf(m->file, "%s", cell);
    write_solid(m->file, a);
    write_solid(m->file, b);
    fprintf(m->file, " %d\n", n);
    for (int i = 0; i < n; i++) {
        const BenchQuery *q = &queries[i];
        write_reals(m->file, q->a.R[0], 9);
        write_reals(m->file, q->a.t, 3);
        write_reals(m->file, q->b.R[0], 9);
        write_reals(m->file, q->b.t, 3);
        write_reals(m->file, &q->g, 1);
        write_reals(m->file, q->n, 3);
        fprintf(m->file, "%.1e\n", q->gap);
    }
    m->ncase++;
}

static BenchSolid hull_solid(Maker *m, int size)
{
    return (BenchSolid){ .kind = BENCH_HULL, .hull = size*HULLS + (int)(HULLS*random_unit(m)) };
}

static void add_polytopes(Maker *m, const char *word, int count, int poses)
{
    for (int size = 0; size < SIZES; size++)
        for (int regime = 0; regime < REGIMES; regime++)
            for (int i = 0; i < count; i++) {
                char cell[40];
                BenchSolid a = hull_solid(m, size), b = hull_solid(m, size);
                snprintf(cell, sizeof cell, "%s:%d:%s", word, sizes[size], regimes[regime]);
                add_case(m, cell, &a, &b, poses, regime);
            }
}

static void add_primitives(Maker *m)
{
    for (int ka = 0; ka < PRIMITIVE_KINDS; ka++)
        for (int kb = ka; kb < PRIMITIVE_KINDS; kb++)
            for (int regime = 0; regime < REGIMES; regime++)
                for (int i = 0; i < PRIMITIVES; i++) {
                    char cell[40];
                    BenchSolid a = make_primitive(m, ka), b = make_primitive(m, kb);
                    snprintf(cell, sizeof cell, "prim:%s-%s:%s", bench_kind_names[ka], bench_kind_names[kb],
                             regimes[regime]);
                    add_case(m, cell, &a, &b, 1, regime);
                }
}

static void write_hulls(Maker *m)
{
    for (int i = 0; i < SIZES*HULLS; i++) {
        BenchHull *h = &m->hulls[i];
        make_hull(m, h, sizes[i/HULLS]);
        fprintf(m->file, "%d %d\n", h->nv, h->nf);
        for (int k = 0; k < h->nv; k++) fprintf(m->file, "%.17g %.17g %.17g\n", h->v[k][0], h->v[k][1], h->v[k][2]);
        for (int k = 0; k < h->nf; k++) fprintf(m->file, "%d %d %d\n", h->f[k][0], h->f[k][1], h->f[k][2]);
    }
}

int main(int argc, char **argv)
{
    Maker *m = bench_alloc(1, sizeof *m);
    int ncase = SIZES*REGIMES*(PAIRS + PATHS) + PRIMITIVE_KINDS*(PRIMITIVE_KINDS + 1)/2*REGIMES*PRIMITIVES;
    m->seed = 20240607;
    m->file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!m->file) {
        fprintf(stderr, "usage: collide_cases FILE\n");
        return 1;
    }
    fprintf(m->file, "%d %d\n", SIZES*HULLS, ncase);
    write_hulls(m);
    add_polytopes(m, "cold", PAIRS, 1);
    add_primitives(m);
    add_polytopes(m, "warm", PATHS, POSES);
    printf("%d cases, %d poses drawn again; references are known to %.1Le m, the other method differs by "
           "%.1Le m at most\n", m->ncase, m->nretry, m->gap, m->check);
    for (int i = 0; i < SIZES*HULLS; i++) {
        free(m->hulls[i].v);
        free(m->hulls[i].f);
    }
    bool is_ok = fclose(m->file) == 0 && m->ncase == ncase && m->check < 1e-9L;
    free(m);
    return is_ok ? 0 : 1;
}
