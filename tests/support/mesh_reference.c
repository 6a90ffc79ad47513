#include "mesh_reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- vectors

typedef struct Vec { Real x, y, z; } Vec;

static inline Vec vec(Real x, Real y, Real z) { return (Vec){ x, y, z }; }
static inline Vec from(caromVec3 a) { return vec((Real)a.x, (Real)a.y, (Real)a.z); }
static inline caromVec3 to(Vec a) { return carom_vec((double)a.x, (double)a.y, (double)a.z); }
static inline Vec add(Vec a, Vec b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline Vec sub(Vec a, Vec b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline Vec axpy(Real s, Vec a, Vec b) { return vec(s*a.x + b.x, s*a.y + b.y, s*a.z + b.z); }
static inline Real dot(Vec a, Vec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline Vec cross(Vec a, Vec b) { return vec(a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x); }
static inline Real triple(Vec a, Vec b, Vec c) { return dot(cross(a, b), c); }
static inline Real norm(Vec a) { return sqrtl(dot(a, a)); }

// ---- meshes

// Fmin is a call where nothing is said about NaN.
static inline double least_of(double a, double b) { return a < b ? a : b; }
static inline double most_of(double a, double b) { return a > b ? a : b; }

enum { GROUP = 16 };

typedef struct Ball {
    caromVec3 c;
    double r;
} Ball;

typedef struct Facet {  // in W, rounded: for passing over only
    caromVec3 c[3], n;  // corners, and unit normal
} Facet;

struct RefMesh {
    int nvertex, ntriangle, ngroup;
    const caromVec3 *vertices_M;
    const int (*triangles)[3];
    Vec *vertices;           // in W
    int *order;              // triangles, such that sixteen in a row are close together
    Ball *balls_M, *balls;   // about triangles, in this order
    Ball *groups_M, *groups;
    Facet *facets;           // in this order
    double radius;
};

static uint32_t spread_bits(double x)  // ten bits, two zeros between them
{
    uint32_t b = (uint32_t)fmin(1023, fmax(0, 1024*x));
    b = (b | b << 16) & 0x030000FFu;
    b = (b | b << 8) & 0x0300F00Fu;
    b = (b | b << 4) & 0x030C30C3u;
    return (b | b << 2) & 0x09249249u;
}

typedef struct Key {
    uint32_t code;
    int triangle;
} Key;

static int compare_keys(const void *a, const void *b)
{
    const Key *p = a, *q = b;
    return p->code != q->code ? (p->code < q->code ? -1 : 1)
                              : (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static Ball ball_about(const caromVec3 *points, int n)
{
    Ball ball = { carom_vec(0, 0, 0), 0 };
    for (int i = 0; i < n; i++) ball.c = carom_axpy(1.0/n, points[i], ball.c);
    for (int i = 0; i < n; i++) ball.r = fmax(ball.r, carom_norm(carom_sub(points[i], ball.c)));
    ball.r *= 1 + 1e-12;  // far more than the roundings of a pose
    return ball;
}

// By the interleaved bits of their coordinates.
static bool order_triangles(RefMesh *m)
{
    Key *keys = malloc((size_t)m->ntriangle*sizeof *keys);
    if (!keys) return false;
    for (int t = 0; t < m->ntriangle; t++) {
        caromVec3 c = carom_vec(0, 0, 0);
        for (int k = 0; k < 3; k++) c = carom_axpy(1.0/3, m->vertices_M[m->triangles[t][k]], c);
        double s = 0.5/m->radius;
        keys[t] = (Key){ spread_bits(s*c.x + 0.5) | spread_bits(s*c.y + 0.5) << 1 | spread_bits(s*c.z + 0.5) << 2, t };
    }
    qsort(keys, (size_t)m->ntriangle, sizeof *keys, compare_keys);
    for (int i = 0; i < m->ntriangle; i++) m->order[i] = keys[i].triangle;
    free(keys);
    return true;
}

static void make_balls(RefMesh *m)
{
    for (int i = 0; i < m->ntriangle; i++) {
        caromVec3 c[3];
        for (int k = 0; k < 3; k++) c[k] = m->vertices_M[m->triangles[m->order[i]][k]];
        m->balls_M[i] = ball_about(c, 3);
    }
    for (int g = 0; g < m->ngroup; g++) {
        caromVec3 c[3*GROUP];
        int n = 0;
        for (int i = g*GROUP; i < m->ntriangle && i < (g + 1)*GROUP; i++)
            for (int k = 0; k < 3; k++) c[n++] = m->vertices_M[m->triangles[m->order[i]][k]];
        m->groups_M[g] = ball_about(c, n);
    }
}

RefMesh *mesh_ref_create(const caromMesh *mesh)
{
    RefMesh *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->nvertex = carom_mesh_vertices(mesh, &m->vertices_M);
    m->ntriangle = carom_mesh_triangles(mesh, &m->triangles);
    m->ngroup = (m->ntriangle + GROUP - 1)/GROUP;
    for (int i = 0; i < m->nvertex; i++) m->radius = fmax(m->radius, carom_norm(m->vertices_M[i]));
    size_t n = (size_t)m->ntriangle, ng = (size_t)m->ngroup;
    m->vertices = malloc((size_t)m->nvertex*sizeof(Vec));
    m->order = malloc(n*sizeof(int));
    m->balls = malloc(n*sizeof(Ball)), m->balls_M = malloc(n*sizeof(Ball));
    m->groups = malloc(ng*sizeof(Ball)), m->groups_M = malloc(ng*sizeof(Ball));
    m->facets = malloc(n*sizeof(Facet));
    bool ok = m->vertices && m->order && m->balls && m->balls_M && m->groups && m->groups_M && m->facets &&
              order_triangles(m);
    if (!ok) {
        mesh_ref_destroy(m);
        return NULL;
    }
    make_balls(m);
    mesh_ref_place(m, carom_pose_identity());
    return m;
}

void mesh_ref_destroy(RefMesh *m)
{
    if (!m) return;
    free(m->vertices);
    free(m->order);
    free(m->balls);
    free(m->balls_M);
    free(m->groups);
    free(m->groups_M);
    free(m->facets);
    free(m);
}

static void make_facets(RefMesh *m)
{
    for (int i = 0; i < m->ntriangle; i++) {
        Facet *f = &m->facets[i];
        for (int k = 0; k < 3; k++) f->c[k] = to(m->vertices[m->triangles[m->order[i]][k]]);
        f->n = carom_unit_or(carom_cross(carom_sub(f->c[1], f->c[0]), carom_sub(f->c[2], f->c[0])), carom_vec(0, 0, 0));
    }
}

void mesh_ref_place(RefMesh *m, caromPose X)
{
    Vec cx = from(X.R.cx), cy = from(X.R.cy), cz = from(X.R.cz), p = from(X.p);
    for (int i = 0; i < m->nvertex; i++) {
        Vec v = from(m->vertices_M[i]);
        m->vertices[i] = axpy(v.x, cx, axpy(v.y, cy, axpy(v.z, cz, p)));
    }
    for (int i = 0; i < m->ntriangle; i++)
        m->balls[i] = (Ball){ carom_pose_point(X, m->balls_M[i].c), m->balls_M[i].r };
    for (int g = 0; g < m->ngroup; g++)
        m->groups[g] = (Ball){ carom_pose_point(X, m->groups_M[g].c), m->groups_M[g].r };
    make_facets(m);
}

void mesh_ref_move(RefMesh *m, caromVec3 by, double times)
{
    for (int i = 0; i < m->nvertex; i++) m->vertices[i] = axpy((Real)times, from(by), m->vertices[i]);
    for (int i = 0; i < m->ntriangle; i++) m->balls[i].c = carom_axpy(times, by, m->balls[i].c);
    for (int g = 0; g < m->ngroup; g++) m->groups[g].c = carom_axpy(times, by, m->groups[g].c);
    make_facets(m);
}

double mesh_ref_radius(const RefMesh *m) { return m->radius; }
int mesh_ref_ntriangle(const RefMesh *m) { return m->ntriangle; }

static void corners_of(const RefMesh *m, int t, Vec c[3])
{
    for (int k = 0; k < 3; k++) c[k] = m->vertices[m->triangles[t][k]];
}

void mesh_ref_corners(const RefMesh *m, int t, caromVec3 corners[3])
{
    for (int k = 0; k < 3; k++) corners[k] = to(m->vertices[m->triangles[t][k]]);
}

// ---- two triangles: the least of all candidates

// Features are told by corners of the triangle: bits 1, 2, 4.
typedef struct Candidate {
    Real g2;
    Vec p, q;
    int bits_p, bits_q;
    Real sine2;
} Candidate;

static void take(Candidate *best, Vec p, Vec q, int bits_p, int bits_q, Real sine2)
{
    Vec d = sub(q, p);
    Real g2 = dot(d, d);
    if (g2 < best->g2) *best = (Candidate){ g2, p, q, bits_p, bits_q, sine2 };
}

static void take_other_way(Candidate *best, Vec q, Vec p, int bits_q, int bits_p, bool is_swapped)
{
    if (is_swapped) take(best, q, p, bits_q, bits_p, 1);
    else take(best, p, q, bits_p, bits_q, 1);
}

// Point x against the segment a, b: at one of its ends, or between them. is_swapped: x belongs to the second triangle.
static void point_segment(Candidate *best, Vec x, int bits_x, Vec a, int bits_a, Vec b, int bits_b, bool is_swapped)
{
    Vec e = sub(b, a);
    Real t = dot(sub(x, a), e), ee = dot(e, e);
    bool is_before = !(t > 0), is_behind = !is_before && !(t < ee);
    Vec y = is_before ? a : is_behind ? b : axpy(t/ee, e, a);
    int bits = is_before ? bits_a : is_behind ? bits_b : bits_a | bits_b;
    take_other_way(best, y, x, bits, bits_x, is_swapped);
}

// The insides of two segments: where the gradient of |a + s u - c - t v|^2 is zero, if that is inside both.
static void inner_segments(Candidate *best, Vec a, Vec b, int bits_p, Vec c, Vec d, int bits_q)
{
    Vec u = sub(b, a), v = sub(d, c), r = sub(a, c), n = cross(u, v);
    Real nn = dot(n, n);
    if (!(nn > 0)) return;  // parallel: an end is as close
    Real s = triple(v, r, n)/nn, t = triple(u, r, n)/nn;  // [r, s u - t v, n] are a basis: Cramer's rule
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
    take(best, axpy(s, u, a), axpy(t, v, c), bits_p, bits_q, nn/(dot(u, u)*dot(v, v)));
}

// Inside the triangle, seen along its normal n: positive, zero on the border.
static Real side(Vec a, Vec b, Vec x, Vec n) { return triple(sub(b, a), sub(x, a), n); }

static void point_face(Candidate *best, Vec x, int bits_x, const Vec c[3], bool is_swapped)
{
    Vec n = cross(sub(c[1], c[0]), sub(c[2], c[0]));
    Real nn = dot(n, n);
    if (!(nn > 0)) return;
    for (int k = 0; k < 3; k++)
        if (!(side(c[k], c[(k + 1)%3], x, n) > 0)) return;
    take_other_way(best, axpy(-dot(sub(x, c[0]), n)/nn, n, x), x, 7, bits_x, is_swapped);
}

// Does the segment p, q pass through the triangle from one side to the other, and where?
static bool pierces(Vec p, Vec q, const Vec c[3], Vec *where)
{
    Vec n = cross(sub(c[1], c[0]), sub(c[2], c[0])), d = sub(q, p);
    Real h = dot(sub(p, c[0]), n), k = dot(sub(q, c[0]), n);
    if (!((h > 0 && k < 0) || (h < 0 && k > 0))) return false;
    Real turn = k > h ? 1 : -1;  // along n or against it
    for (int i = 0; i < 3; i++)
        if (turn*triple(sub(c[i], p), sub(c[(i + 1)%3], p), d) < 0) return false;
    *where = axpy(h/(h - k), d, p);
    return true;
}

// Edges through faces are the two ends of the segment that the triangles have in common.
static bool crossing(const Vec a[3], const Vec b[3], Vec *middle)
{
    Vec ends[6];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        n += pierces(a[k], a[(k + 1)%3], b, &ends[n]);
        n += pierces(b[k], b[(k + 1)%3], a, &ends[n]);
    }
    Real longest = -1;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            Vec d = sub(ends[j], ends[i]);
            if (dot(d, d) <= longest) continue;
            longest = dot(d, d);
            *middle = axpy(0.5L, d, ends[i]);
        }
    return n > 0;
}

static void all_candidates(Candidate *best, const Vec a[3], const Vec b[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1)%3, j1 = (j + 1)%3;
            point_segment(best, a[i], 1 << i, b[j], 1 << j, b[j1], 1 << j1, false);
            point_segment(best, b[i], 1 << i, a[j], 1 << j, a[j1], 1 << j1, true);
            inner_segments(best, a[i], a[i1], 1 << i | 1 << i1, b[j], b[j1], 1 << j | 1 << j1);
        }
    for (int i = 0; i < 3; i++) {
        point_face(best, a[i], 1 << i, b, false);
        point_face(best, b[i], 1 << i, a, true);
    }
}

static RefFeature feature(const RefMesh *m, int t, int bits)
{
    RefFeature f = { 0, { -1, -1 } };
    if (bits == 7) return (RefFeature){ 3, { t, -1 } };
    for (int k = 0; k < 3; k++)
        if (bits & 1 << k) f.v[f.n++] = m->triangles[t][k];
    if (f.n == 2 && f.v[0] > f.v[1]) f = (RefFeature){ 2, { f.v[1], f.v[0] } };
    return f;
}

static void store(Real out[3], Vec p)
{
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

RefPair mesh_ref_triangles(const RefMesh *ma, int ta, const RefMesh *mb, int tb)
{
    Vec a[3], b[3], middle;
    corners_of(ma, ta, a);
    corners_of(mb, tb, b);
    Candidate best = { .g2 = INFINITY };
    RefPair pair = { .sine = 1 };
    if (crossing(a, b, &middle)) {
        best = (Candidate){ 0, middle, middle, 7, 7, 1 };
        pair.is_crossing = true;
    } else all_candidates(&best, a, b);
    pair.g = sqrtl(best.g2);
    store(pair.p_A, best.p);
    store(pair.p_B, best.q);
    pair.a = feature(ma, ta, best.bits_p);
    pair.b = feature(mb, tb, best.bits_q);
    pair.sine = sqrt((double)best.sine2);
    return pair;
}

// ---- all pairs

static double balls_apart(Ball a, Ball b) { return carom_norm(carom_sub(b.c, a.c)) - a.r - b.r; }

// How far apart two triangles are at least, seen along one unit vector.
static double apart_along(const Facet *a, const Facet *b, caromVec3 n)
{
    double a0 = INFINITY, a1 = -INFINITY, b0 = INFINITY, b1 = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double x = carom_dot(n, a->c[k]), y = carom_dot(n, b->c[k]);
        a0 = least_of(a0, x), a1 = most_of(a1, x), b0 = least_of(b0, y), b1 = most_of(b1, y);
    }
    return most_of(b0 - a1, a0 - b1);
}

// May the two triangles be closer than `than`? slack: roundings.
static bool may_be_closer(const RefMesh *a, int i, const RefMesh *b, int j, double than, double slack)
{
    if (balls_apart(a->balls[i], b->balls[j]) > than + slack) return false;
    const Facet *p = &a->facets[i], *q = &b->facets[j];
    return apart_along(p, q, p->n) <= than + slack && apart_along(p, q, q->n) <= than + slack &&
           apart_along(p, q, carom_unit_or(carom_sub(b->balls[j].c, a->balls[i].c), p->n)) <= than + slack;
}

static double slack_of(const RefMesh *a, const RefMesh *b)
{
    double far = carom_norm(to(a->vertices[0])) + carom_norm(to(b->vertices[0])) + 2*a->radius + 2*b->radius;
    return 64*DBL_EPSILON*far;
}

static void closest_in_groups(const RefMesh *a, int ga, const RefMesh *b, int gb, double slack, RefPair *best)
{
    for (int i = ga*GROUP; i < a->ntriangle && i < (ga + 1)*GROUP; i++)
        for (int j = gb*GROUP; j < b->ntriangle && j < (gb + 1)*GROUP; j++) {
            if (!may_be_closer(a, i, b, j, (double)best->g, slack)) continue;
            RefPair pair = mesh_ref_triangles(a, a->order[i], b, b->order[j]);
            if (pair.g < best->g) *best = pair;
        }
}

RefPair mesh_ref_distance(const RefMesh *a, const RefMesh *b)
{
    RefPair best = { .g = INFINITY };
    double slack = slack_of(a, b), least = INFINITY;
    int first_a = 0, first_b = 0;
    for (int i = 0; i < a->ngroup; i++)
        for (int j = 0; j < b->ngroup; j++) {
            double x = balls_apart(a->groups[i], b->groups[j]);
            if (x < least) least = x, first_a = i, first_b = j;
        }
    closest_in_groups(a, first_a, b, first_b, slack, &best);
    for (int i = 0; i < a->ngroup && best.g > 0; i++)
        for (int j = 0; j < b->ngroup && best.g > 0; j++)
            if (balls_apart(a->groups[i], b->groups[j]) <= (double)best.g + slack)
                closest_in_groups(a, i, b, j, slack, &best);
    return best;
}

RefPair mesh_ref_distance_of_all(const RefMesh *a, const RefMesh *b)
{
    RefPair best = { .g = INFINITY };
    for (int i = 0; i < a->ntriangle; i++)
        for (int j = 0; j < b->ntriangle; j++) {
            RefPair pair = mesh_ref_triangles(a, i, b, j);
            if (pair.g < best.g) best = pair;
        }
    return best;
}

static bool surfaces_cross(const RefMesh *a, const RefMesh *b)
{
    double slack = slack_of(a, b);
    for (int g = 0; g < a->ngroup; g++)
        for (int h = 0; h < b->ngroup; h++) {
            if (balls_apart(a->groups[g], b->groups[h]) > slack) continue;
            for (int i = g*GROUP; i < a->ntriangle && i < (g + 1)*GROUP; i++)
                for (int j = h*GROUP; j < b->ntriangle && j < (h + 1)*GROUP; j++) {
                    Vec p[3], q[3], middle;
                    if (!may_be_closer(a, i, b, j, 0, slack)) continue;
                    corners_of(a, a->order[i], p);
                    corners_of(b, b->order[j], q);
                    if (crossing(p, q, &middle)) return true;
                }
        }
    return false;
}

static Real winding_at(const RefMesh *m, Vec p)
{
    Real sum = 0;
    for (int t = 0; t < m->ntriangle; t++) {
        Vec c[3];
        corners_of(m, t, c);
        for (int k = 0; k < 3; k++) c[k] = sub(c[k], p);
        Real a = norm(c[0]), b = norm(c[1]), d = norm(c[2]);
        sum += atan2l(triple(c[0], c[1], c[2]), a*b*d + dot(c[0], c[1])*d + dot(c[1], c[2])*a + dot(c[2], c[0])*b);
    }
    return sum/(2*3.14159265358979323846264338327950288L);  // twice the sum of half angles, over 4 pi
}

Real mesh_ref_winding(const RefMesh *m, caromVec3 p) { return winding_at(m, from(p)); }

static bool one_inside_other(const RefMesh *a, const RefMesh *b, Vec shift_b)
{
    return winding_at(a, add(b->vertices[0], shift_b)) > 0.5L || winding_at(b, sub(a->vertices[0], shift_b)) > 0.5L;
}

bool mesh_ref_overlap(const RefMesh *a, const RefMesh *b)
{
    return surfaces_cross(a, b) || one_inside_other(a, b, vec(0, 0, 0));
}

// ---- witnesses

static int compare_pairs(const void *x, const void *y)
{
    const RefPair *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->p_A[i] != b->p_A[i]) return a->p_A[i] < b->p_A[i] ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->p_B[i] != b->p_B[i]) return a->p_B[i] < b->p_B[i] ? -1 : 1;
    return 0;
}

static bool are_same(const RefPair *a, const RefPair *b, double same)
{
    for (int i = 0; i < 3; i++)
        if (fabsl(a->p_A[i] - b->p_A[i]) > (Real)same || fabsl(a->p_B[i] - b->p_B[i]) > (Real)same) return false;
    return true;
}

// Of those that agree with one before, none is kept. Sorted by x of the point on A, so that only those within `same` of
// it need to be looked at.
static int merge(RefPair *pairs, int n, double same)
{
    int kept = 0;
    if (n > 0) qsort(pairs, (size_t)n, sizeof *pairs, compare_pairs);
    for (int i = 0; i < n; i++) {
        bool is_known = false;
        for (int j = kept - 1; j >= 0 && pairs[i].p_A[0] - pairs[j].p_A[0] <= (Real)same && !is_known; j--)
            is_known = are_same(&pairs[i], &pairs[j], same);
        if (!is_known) pairs[kept++] = pairs[i];
    }
    return kept;
}

typedef struct Pairs {
    RefPair *at;
    int n, capacity;
} Pairs;

static bool push(Pairs *pairs, RefPair pair)
{
    if (pairs->n == pairs->capacity) {
        int capacity = 2*pairs->capacity + 1024;
        RefPair *at = realloc(pairs->at, (size_t)capacity*sizeof *at);
        if (!at) return false;
        pairs->at = at, pairs->capacity = capacity;
    }
    pairs->at[pairs->n++] = pair;
    return true;
}

static bool pairs_in_groups(const RefMesh *a, int ga, const RefMesh *b, int gb, double standoff, double slack,
                            Pairs *pairs)
{
    for (int i = ga*GROUP; i < a->ntriangle && i < (ga + 1)*GROUP; i++)
        for (int j = gb*GROUP; j < b->ntriangle && j < (gb + 1)*GROUP; j++) {
            if (!may_be_closer(a, i, b, j, standoff, slack)) continue;
            RefPair pair = mesh_ref_triangles(a, a->order[i], b, b->order[j]);
            if (pair.g < (Real)standoff && !push(pairs, pair)) return false;
        }
    return true;
}

int mesh_ref_witnesses(const RefMesh *a, const RefMesh *b, double standoff, double same, RefPair *out, int capacity,
                       int *ntriangle_pairs)
{
    Pairs pairs = { NULL, 0, 0 };
    double slack = slack_of(a, b);
    bool ok = true;
    for (int i = 0; i < a->ngroup && ok; i++)
        for (int j = 0; j < b->ngroup && ok; j++)
            if (balls_apart(a->groups[i], b->groups[j]) <= standoff + slack)
                ok = pairs_in_groups(a, i, b, j, standoff, slack, &pairs);
    if (ntriangle_pairs) *ntriangle_pairs = pairs.n;
    int n = merge(pairs.at, pairs.n, same);
    ok = ok && n <= capacity;
    for (int i = 0; i < n && ok; i++) out[i] = pairs.at[i];
    free(pairs.at);
    return ok ? n : -1;
}

int mesh_ref_point_witnesses(const RefMesh *m, caromVec3 p, double standoff, double same, RefPair *out, int capacity)
{
    Pairs pairs = { NULL, 0, 0 };
    bool ok = true;
    for (int t = 0; t < m->ntriangle && ok; t++) {
        Candidate best = { .g2 = INFINITY };
        Vec c[3];
        corners_of(m, t, c);
        for (int k = 0; k < 3; k++) point_segment(&best, from(p), 0, c[k], 1 << k, c[(k + 1)%3], 1 << (k + 1)%3, true);
        point_face(&best, from(p), 0, c, true);
        RefPair pair = { .g = sqrtl(best.g2), .a = feature(m, t, best.bits_p), .sine = 1 };
        store(pair.p_A, best.p);
        store(pair.p_B, best.q);
        if (pair.g < (Real)standoff) ok = push(&pairs, pair);
    }
    int n = merge(pairs.at, pairs.n, same);
    ok = ok && n <= capacity;
    for (int i = 0; i < n && ok; i++) out[i] = pairs.at[i];
    free(pairs.at);
    return ok ? n : -1;
}

// ---- points, segments, rays

static void segment_triangle(Candidate *best, Vec a, Vec b, const Vec c[3])
{
    Vec where;
    if (pierces(a, b, c, &where)) best->g2 = 0;
    for (int k = 0; k < 3; k++) {
        point_segment(best, a, 1, c[k], 1, c[(k + 1)%3], 2, false);
        point_segment(best, b, 1, c[k], 1, c[(k + 1)%3], 2, false);
        point_segment(best, c[k], 1, a, 1, b, 2, false);
        inner_segments(best, a, b, 3, c[k], c[(k + 1)%3], 3);
    }
    point_face(best, a, 1, c, false);
    point_face(best, b, 1, c, false);
}

static Real segment_distance(const RefMesh *m, Vec a, Vec b)
{
    Ball ball = { to(axpy(0.5L, sub(b, a), a)), (double)norm(sub(b, a))*0.5*(1 + 1e-12) };
    Candidate best = { .g2 = INFINITY };
    double slack = 64*DBL_EPSILON*(carom_norm(ball.c) + carom_norm(to(m->vertices[0])) + 2*m->radius);
    for (int g = 0; g < m->ngroup; g++) {
        if (balls_apart(m->groups[g], ball) > (double)sqrtl(best.g2) + slack) continue;
        for (int i = g*GROUP; i < m->ntriangle && i < (g + 1)*GROUP; i++) {
            if (balls_apart(m->balls[i], ball) > (double)sqrtl(best.g2) + slack) continue;
            Vec c[3];
            corners_of(m, m->order[i], c);
            segment_triangle(&best, a, b, c);
        }
    }
    return sqrtl(best.g2);
}

Real mesh_ref_segment_distance(const RefMesh *m, const Real p[3], const Real q[3])
{
    return segment_distance(m, vec(p[0], p[1], p[2]), vec(q[0], q[1], q[2]));
}

// A segment without length: its ends are the point.
Real mesh_ref_point_distance(const RefMesh *m, caromVec3 p) { return segment_distance(m, from(p), from(p)); }

// Plane and shares of the corners by triple products, all three of them, so that what lies on an edge is on both its
// triangles.
Real mesh_ref_ray(const RefMesh *m, caromVec3 p_W, caromVec3 d_W, int *triangle, double *margin)
{
    Vec p = from(p_W), d = from(d_W);
    Real first = INFINITY;
    *triangle = -1;
    *margin = INFINITY;
    for (int t = 0; t < m->ntriangle; t++) {
        Vec c[3];
        corners_of(m, t, c);
        for (int k = 0; k < 3; k++) c[k] = sub(c[k], p);
        Real share[3], det = 0, least = INFINITY;
        for (int k = 0; k < 3; k++) det += share[k] = triple(d, c[(k + 1)%3], c[(k + 2)%3]);
        if (det == 0) continue;
        for (int k = 0; k < 3; k++) least = fminl(least, share[k]/det);
        Real at = triple(c[0], c[1], c[2])/det;
        if (at < 0) continue;
        *margin = fmin(*margin, (double)fabsl(least));
        if (least >= 0 && at < first) first = at, *triangle = t;
    }
    return first;
}

// ---- translations

typedef struct Interval {
    double low, high;
} Interval;

static int compare_intervals(const void *x, const void *y)
{
    const Interval *a = x, *b = y;
    return (a->low > b->low) - (a->low < b->low);
}

// Times at which the projections on m overlap, B moving with speed u.m
static void clip_along(caromVec3 m, caromVec3 u, const caromVec3 *a, const caromVec3 *b, Interval *t)
{
    double a0 = INFINITY, a1 = -INFINITY, b0 = INFINITY, b1 = -INFINITY, speed = carom_dot(u, m);
    for (int k = 0; k < 3; k++) {
        double x = carom_dot(m, a[k]), y = carom_dot(m, b[k]);
        a0 = least_of(a0, x), a1 = most_of(a1, x), b0 = least_of(b0, y), b1 = most_of(b1, y);
    }
    if (speed == 0) {
        if (a0 > b1 || b0 > a1) t->high = -INFINITY;
        return;
    }
    double from_low = (a0 - b1)/speed, from_high = (a1 - b0)/speed;
    t->low = most_of(t->low, least_of(from_low, from_high));
    t->high = least_of(t->high, most_of(from_low, from_high));
}

// A - B is a convex polytope; its faces are normal to faces of the triangles or to pairs of edges. Times at which the
// line through 0 along u is in it.
static Interval meeting_times(const Facet *p, const Facet *q, caromVec3 u)
{
    Interval t = { -INFINITY, INFINITY };
    caromVec3 a[3], b[3], e[3], f[3];
    for (int k = 0; k < 3; k++) {
        a[k] = carom_sub(p->c[k], p->c[0]), b[k] = carom_sub(q->c[k], p->c[0]);
        e[k] = carom_sub(p->c[(k + 1)%3], p->c[k]), f[k] = carom_sub(q->c[(k + 1)%3], q->c[k]);
    }
    clip_along(p->n, u, a, b, &t);
    clip_along(q->n, u, a, b, &t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && t.low <= t.high; j++) {
            caromVec3 m = carom_cross(e[i], f[j]);
            if (carom_norm2(m) > 1e-24*carom_norm2(e[i])*carom_norm2(f[j])) clip_along(m, u, a, b, &t);
        }
    return t;
}

typedef struct Shadow {  // of a triangle on a plane square to u
    double x0, x1, y0, y1, z0, z1;  // z: along u
    int i;
} Shadow;

static int compare_shadows(const void *x, const void *y)
{
    const Shadow *a = x, *b = y;
    return (a->x0 > b->x0) - (a->x0 < b->x0);
}

static Shadow *shadows_of(const RefMesh *m, caromVec3 ex, caromVec3 ey, caromVec3 ez)
{
    Shadow *shadows = malloc((size_t)m->ntriangle*sizeof *shadows);
    for (int i = 0; shadows && i < m->ntriangle; i++) {
        Shadow s = { INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, i };
        for (int k = 0; k < 3; k++) {
            double x = carom_dot(ex, m->facets[i].c[k]), y = carom_dot(ey, m->facets[i].c[k]),
                   z = carom_dot(ez, m->facets[i].c[k]);
            s.x0 = least_of(s.x0, x), s.x1 = most_of(s.x1, x), s.y0 = least_of(s.y0, y), s.y1 = most_of(s.y1, y);
            s.z0 = least_of(s.z0, z), s.z1 = most_of(s.z1, z);
        }
        shadows[i] = s;
    }
    if (shadows) qsort(shadows, (size_t)m->ntriangle, sizeof *shadows, compare_shadows);
    return shadows;
}

typedef struct Intervals {
    Interval *at;
    int n, capacity;
    bool has_failed;
} Intervals;

static void push_interval(Intervals *all, Interval t)
{
    if (all->n == all->capacity) {
        int capacity = 2*all->capacity + 1024;
        Interval *at = realloc(all->at, (size_t)capacity*sizeof *at);
        if (!at) {
            all->has_failed = true;
            return;
        }
        all->at = at, all->capacity = capacity;
    }
    all->at[all->n++] = t;
}

// Those that matter between now and the limit.
static Intervals all_meetings(const RefMesh *a, const RefMesh *b, caromVec3 u, double limit)
{
    caromVec3 other = fabs(u.x) < 0.6 ? carom_vec(1, 0, 0) : carom_vec(0, 1, 0);
    caromVec3 ex = carom_unit_or(carom_cross(u, other), other), ey = carom_cross(u, ex);
    Shadow *sa = shadows_of(a, ex, ey, u), *sb = shadows_of(b, ex, ey, u);
    Intervals all = { NULL, 0, 0, !sa || !sb };
    double widest = 0;
    for (int j = 0; !all.has_failed && j < b->ntriangle; j++) widest = most_of(widest, sb[j].x1 - sb[j].x0);
    for (int i = 0, start = 0; !all.has_failed && i < a->ntriangle; i++) {
        while (start < b->ntriangle && sb[start].x0 < sa[i].x0 - widest) start++;
        for (int j = start; j < b->ntriangle && sb[j].x0 <= sa[i].x1; j++) {
            if (sb[j].x1 < sa[i].x0 || sb[j].y1 < sa[i].y0 || sb[j].y0 > sa[i].y1) continue;
            if (sa[i].z1 < sb[j].z0 || sa[i].z0 - sb[j].z1 > limit) continue;
            Interval t = meeting_times(&a->facets[sa[i].i], &b->facets[sb[j].i], u);
            if (t.low <= t.high && t.high >= 0) push_interval(&all, t);
        }
    }
    free(sa);
    free(sb);
    if (all.n > 0) qsort(all.at, (size_t)all.n, sizeof *all.at, compare_intervals);
    return all;
}

static double first_clear(const RefMesh *a, const RefMesh *b, caromVec3 u, double least, double limit, double *last)
{
    Intervals all = all_meetings(a, b, u, limit);
    double t = 0, end = 0;
    bool is_found = false;
    for (int i = 0; i < all.n; i++) end = most_of(end, all.at[i].high);
    for (int i = 0; i <= all.n && !is_found && t < limit && !all.has_failed; i++) {
        double next = i < all.n ? all.at[i].low : limit;
        if (next - t >= least) {  // nothing meets between t and next
            double middle = isinf(next) ? t + least : 0.5*(t + next);
            is_found = isinf(next) || !one_inside_other(a, b, from(carom_scale(middle, u)));
        }
        if (!is_found) t = i < all.n ? most_of(t, all.at[i].high) : limit;
    }
    free(all.at);
    *last = end;
    return all.has_failed ? (double)NAN : least_of(t, limit);
}

double mesh_ref_first_clear(const RefMesh *a, const RefMesh *b, caromVec3 u, double least, double *last)
{
    double end, t = first_clear(a, b, u, least, INFINITY, &end);
    if (last) *last = end;
    return t;
}

double mesh_ref_clear_before(const RefMesh *a, const RefMesh *b, caromVec3 u, double least, double limit)
{
    double end;
    return first_clear(a, b, u, least, limit, &end);
}
