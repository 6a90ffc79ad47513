#include "collide_reference.h"

// A pair by its Minkowski difference M = A - B: origin outside M: distance; inside: depth.
typedef struct Pair {
    const BenchHull *hulls;
    const BenchSolid *a, *b;
    const BenchPose *X_WA, *X_WB;
} Pair;

static Vec farthest_vertex(const BenchHull *hull, Vec d)
{
    int best = 0;
    Real most = -INFINITY;
    for (int i = 0; i < hull->nv; i++) {
        Real x = d.x*hull->v[i][0] + d.y*hull->v[i][1] + d.z*hull->v[i][2];
        if (x > most) most = x, best = i;
    }
    return vec(hull->v[best][0], hull->v[best][1], hull->v[best][2]);
}

static Vec on_circle(Real r, Vec d, Real z)
{
    Real s = sqrtl(d.x*d.x + d.y*d.y);
    return s > 0 ? vec(r*d.x/s, r*d.y/s, z) : vec(0, 0, z);
}

static Vec support_local(const BenchHull *hulls, const BenchSolid *s, Vec d)
{
    const double *p = s->p;
    switch (s->kind) {
    case BENCH_SPHERE: return scale(p[0]/norm(d), d);
    case BENCH_BOX: return vec(copysignl(p[0], d.x), copysignl(p[1], d.y), copysignl(p[2], d.z));
    case BENCH_CYLINDER: return on_circle(p[0], d, copysignl(p[1], d.z));
    case BENCH_CONE: {
        Vec rim = on_circle(p[0], d, -(Real)p[1]), apex = vec(0, 0, p[1]);
        return dot(d, apex) >= dot(d, rim) ? apex : rim;
    }
    case BENCH_CAPSULE: return add(scale(p[0]/norm(d), d), vec(0, 0, copysignl(p[1], d.z)));
    case BENCH_ELLIPSOID: {
        Vec e = vec(p[0]*d.x, p[1]*d.y, p[2]*d.z);
        Real m = norm(e);
        return vec(p[0]*e.x/m, p[1]*e.y/m, p[2]*e.z/m);
    }
    default: return farthest_vertex(&hulls[s->hull], d);
    }
}

static Vec support_world(const BenchHull *hulls, const BenchSolid *s, const BenchPose *X, Vec d)
{
    const double (*R)[3] = X->R;
    Vec l = vec(R[0][0]*d.x + R[1][0]*d.y + R[2][0]*d.z, R[0][1]*d.x + R[1][1]*d.y + R[2][1]*d.z,
                R[0][2]*d.x + R[1][2]*d.y + R[2][2]*d.z);
    Vec p = support_local(hulls, s, l);
    return vec(R[0][0]*p.x + R[0][1]*p.y + R[0][2]*p.z + X->t[0], R[1][0]*p.x + R[1][1]*p.y + R[1][2]*p.z + X->t[1],
               R[2][0]*p.x + R[2][1]*p.y + R[2][2]*p.z + X->t[2]);
}

static Vec support(const Pair *pair, Vec d)
{
    return sub(support_world(pair->hulls, pair->a, pair->X_WA, d),
               support_world(pair->hulls, pair->b, pair->X_WB, scale(-1, d)));
}

// ---- distance: GJK whose simplex step tries every subset of the corners

typedef struct Simplex {
    int n;
    Vec y[4];
} Simplex;

// Solves the n x n system by elimination with pivots; false: singular.
static bool solve(int n, Real a[3][4])
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabsl(a[r][c]) > fabsl(a[pivot][c])) pivot = r;
        if (!(fabsl(a[pivot][c]) > 0)) return false;
        for (int k = 0; k <= n; k++) {
            Real swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (int r = 0; r < n; r++) {
            Real f = a[r][c]/a[c][c];
            if (r == c) continue;
            for (int k = c; k <= n; k++) a[r][k] -= f*a[c][k];
        }
    }
    for (int c = 0; c < n; c++) a[c][3] = a[c][n]/a[c][c];
    return true;
}

// The point of the affine hull of s that is nearest to the origin, if it is within the simplex.
static bool nearest_inside(const Simplex *s, Vec *v)
{
    Real a[3][4] = { { 0 } }, sum = 0;
    int n = s->n - 1;
    Vec e[3];
    for (int i = 0; i < n; i++) e[i] = sub(s->y[i + 1], s->y[0]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i][j] = dot(e[i], e[j]);
        a[i][n] = -dot(e[i], s->y[0]);
    }
    if (!solve(n, a)) return false;
    *v = s->y[0];
    for (int i = 0; i < n; i++) {
        if (!(a[i][3] >= 0)) return false;
        sum += a[i][3];
        *v = add(*v, scale(a[i][3], e[i]));
    }
    return sum <= 1;
}

static bool tetrahedron_holds_origin(const Vec y[4])
{
    for (int i = 0; i < 4; i++) {
        Vec a = y[(i + 1)%4], b = y[(i + 2)%4], c = y[(i + 3)%4], n = cross(sub(b, a), sub(c, a));
        Real own = dot(n, sub(y[i], a)), origin = -dot(n, a);
        if (!(own*origin > 0)) return false;
    }
    return true;
}

// Keeps the subset that the nearest point lies on. True: the simplex holds the origin.
static bool nearest_subset(Simplex *s, Vec *v)
{
    Simplex best = *s;
    Real least = INFINITY;
    if (s->n == 4 && tetrahedron_holds_origin(s->y)) return true;
    for (int mask = 1; mask < 1 << s->n; mask++) {
        Simplex part = { 0 };
        Vec p;
        if (mask == 15) continue;
        for (int i = 0; i < s->n; i++)
            if (mask >> i & 1) part.y[part.n++] = s->y[i];
        if (!nearest_inside(&part, &p) || !(dot(p, p) < least)) continue;
        least = dot(p, p), best = part, *v = p;
    }
    *s = best;
    return false;
}

// True: separated, answer filled. False: s holds the origin, or nothing was found (s->n < 4).
static bool distance(const Pair *pair, Simplex *s, Reference *answer)
{
    Vec v = support(pair, vec(1, 0, 0));
    *s = (Simplex){ .n = 1, .y = { v } };
    Real lower = -INFINITY;
    Vec n = { 0 };
    for (int i = 0; i < 2000; i++) {
        Real upper = norm(v);
        if (!(upper > 1e-17L)) return false;
        Vec w = support(pair, scale(-1, v));
        if (dot(v, w)/upper > lower) lower = dot(v, w)/upper, n = scale(-1/upper, v);
        *answer = (Reference){ lower > 0, upper, n, upper - lower };
        if (upper - lower <= 1e-18L*(1 + upper)) return lower > 0;
        Simplex before = *s;
        Vec v_before = v;
        s->y[s->n++] = w;
        if (nearest_subset(s, &v)) return false;
        if (norm(v) >= upper) {  // rounding: no further
            *s = before;
            v = v_before;
            break;
        }
    }
    return answer->is_ok;
}

// ---- depth: the polytope inside M that grows where it is nearest to the origin

static bool face_make(const Mesh *mesh, Face *face)
{
    Vec a = mesh->points[face->i[0]], b = mesh->points[face->i[1]], c = mesh->points[face->i[2]],
        n = cross(sub(b, a), sub(c, a));
    Real m = norm(n);
    if (!(m > 0)) return false;
    face->n = scale(1/m, n);
    face->d = dot(face->n, scale(1/3.0L, add(a, add(b, c))));
    face->is_gone = false;
    return true;
}

bool mesh_start(Mesh *mesh, const Vec p[4])
{
    static const int corners[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 1, 3, 2 } };
    mesh->npoint = mesh->nface = 4;
    memcpy(mesh->points, p, 4*sizeof *p);
    bool is_left = dot(cross(sub(p[1], p[0]), sub(p[2], p[0])), sub(p[3], p[0])) > 0;
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++) mesh->faces[f].i[k] = corners[f][is_left ? 2 - k : k];
        if (!face_make(mesh, &mesh->faces[f])) return false;
    }
    return true;
}

static bool sees(const Mesh *mesh, const Face *face, Vec p)
{
    return dot(face->n, sub(p, mesh->points[face->i[0]])) > 1e-19L;
}

// The edges between what p sees and what it does not see must be one loop: as many edges as corners, each once.
static bool is_loop(const int (*edges)[2], int n)
{
    int at = 0;
    for (int count = 1; ; count++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (edges[i][0] == edges[at][1]) {
                if (next >= 0) return false;
                next = i;
            }
        if (next <= 0) return next == 0 && count == n;
        if (count > n) return false;
        at = next;
    }
}

enum { LOOP_EDGES = 600 };

static int horizon(const Mesh *mesh, Vec p, int (*edges)[2])
{
    int n = 0;
    for (int f = 0; f < mesh->nface; f++) {
        const Face *face = &mesh->faces[f];
        if (face->is_gone || !sees(mesh, face, p)) continue;
        for (int k = 0; k < 3; k++) {
            int a = face->i[k], b = face->i[(k + 1)%3], twin = -1;
            for (int i = 0; i < n && twin < 0; i++)
                if (edges[i][0] == b && edges[i][1] == a) twin = i;
            if (twin >= 0) {
                n--;
                edges[twin][0] = edges[n][0], edges[twin][1] = edges[n][1];
            } else {
                if (n == LOOP_EDGES) return 0;
                edges[n][0] = a, edges[n++][1] = b;
            }
        }
    }
    return n;
}

bool mesh_add(Mesh *mesh, Vec p)
{
    int edges[LOOP_EDGES][2], n = horizon(mesh, p, edges);
    if (n < 3 || !is_loop((const int (*)[2])edges, n) || mesh->npoint == MESH_POINTS || mesh->nface + n > MESH_FACES)
        return false;
    for (int f = 0; f < mesh->nface; f++)
        if (!mesh->faces[f].is_gone && sees(mesh, &mesh->faces[f], p)) mesh->faces[f].is_gone = true;
    mesh->points[mesh->npoint] = p;
    for (int i = 0; i < n; i++) {
        Face *face = &mesh->faces[mesh->nface];
        *face = (Face){ .i = { edges[i][0], edges[i][1], mesh->npoint } };
        if (!face_make(mesh, face)) return false;
        mesh->nface++;
    }
    mesh->npoint++;
    return true;
}

// The nearest face is a lower bound of the depth, the way out along its normal an upper one.
static Reference depth(const Pair *pair, const Vec start[4], Mesh *mesh)
{
    Reference best = { false, 0, { 0 }, INFINITY };
    if (!mesh_start(mesh, start)) return best;
    Real upper = INFINITY;
    for (;;) {
        const Face *near = NULL;
        for (int f = 0; f < mesh->nface; f++)
            if (!mesh->faces[f].is_gone && (!near || mesh->faces[f].d < near->d)) near = &mesh->faces[f];
        if (!near) return best;
        Vec w = support(pair, near->n);
        Real out = dot(near->n, w), lower = near->d;
        if (out < upper) upper = out, best.n = near->n;
        best.g = -upper;
        best.gap = upper - lower;
        best.is_ok = best.gap < 2e-11L && lower > -1e-15L;
        if (best.gap <= 1e-14L || !mesh_add(mesh, w)) return best;
    }
}

Reference reference_gap(const BenchHull *hulls, const BenchSolid *a, const BenchPose *X_WA, const BenchSolid *b,
                        const BenchPose *X_WB, Mesh *mesh)
{
    Pair pair = { hulls, a, b, X_WA, X_WB };
    Simplex s;
    Reference answer = { false, 0, { 0 }, INFINITY };
    if (distance(&pair, &s, &answer)) return answer;
    if (s.n == 4) return depth(&pair, s.y, mesh);
    return (Reference){ false, 0, { 0 }, INFINITY };
}

// B moved by s n moves M by -s n: the origin is outside when s is as far as M reaches along n.
Real reference_way_out(const BenchHull *hulls, const BenchSolid *a, const BenchPose *X_WA, const BenchSolid *b,
                       const BenchPose *X_WB, Vec n)
{
    Pair pair = { hulls, a, b, X_WA, X_WB };
    return dot(n, support(&pair, n));
}
