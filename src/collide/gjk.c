// The walk to the point of C nearest to the origin.
//
// A simplex of points of C with its own nearest point v to the origin; the point of C least far along v is added, the smallest face of the simplex
// that holds the new nearest point is kept [Gilbert88]. v.w/|v| is a lower bound of the distance, |v| an upper one. Which face is nearest is told by
// signed volumes, which do not change their mind in thin simplices [Montanari17].
#include "collide/convex.h"

// Nearest point of a segment, triangle or tetrahedron: indices kept in `keep`, weights in `weight`; returns the number kept.
typedef struct Nearest {
    int n;
    int keep[4];
    double weight[4];
} Nearest;

static Nearest vertex_only(int i)
{
    return (Nearest){ 1, { i }, { 1.0 } };
}

static bool same_sign(double a, double b)
{
    return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
}

static double at(caromVec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static int largest(caromVec3 a)
{
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static Nearest nearest_of_segment(const caromSupport *s, int i, int j)
{
    caromVec3 a = s[i].w, b = s[j].w, t = carom_sub(b, a);
    double tt = carom_norm2(t);
    if (tt == 0.0) return vertex_only(j);
    // Parameter from the nearer end: less cancellation.
    double from_a = -carom_dot(a, t), from_b = carom_dot(b, t);
    if (from_a <= 0.0) return vertex_only(i);
    if (from_b <= 0.0) return vertex_only(j);
    double wb = from_a < from_b ? from_a/tt : 1.0 - from_b/tt;
    return (Nearest){ 2, { i, j }, { 1.0 - wb, wb } };
}

static double distance2(const caromSupport *s, const Nearest *m)
{
    caromVec3 v = { 0, 0, 0 };
    for (int k = 0; k < m->n; k++) v = carom_axpy(m->weight[k], s[m->keep[k]].w, v);
    return carom_norm2(v);
}

static void take_nearer(const caromSupport *s, Nearest candidate, Nearest *best, double *best2)
{
    double d2 = distance2(s, &candidate);
    if (d2 < *best2) *best2 = d2, *best = candidate;
}

static Nearest nearest_of_triangle(const caromSupport *s, int i, int j, int k)
{
    caromVec3 a = s[i].w, b = s[j].w, c = s[k].w;
    caromVec3 n = carom_cross(carom_sub(b, a), carom_sub(c, a));
    double nn = carom_norm2(n);
    double area[3] = { 0, 0, 0 }, total = 0.0;
    if (nn > 0.0) {
        caromVec3 p = carom_scale(carom_dot(a, n)/nn, n);  // foot of the origin on the plane
        // Signed areas in the coordinate plane in which the triangle is largest.
        int axis = largest(n), u = (axis + 1)%3, v = (axis + 2)%3;
        caromVec3 pa = carom_sub(a, p), pb = carom_sub(b, p), pc = carom_sub(c, p);
        total = at(n, axis);
        area[0] = at(pb, u)*at(pc, v) - at(pb, v)*at(pc, u);
        area[1] = at(pc, u)*at(pa, v) - at(pc, v)*at(pa, u);
        area[2] = at(pa, u)*at(pb, v) - at(pa, v)*at(pb, u);
        if (same_sign(area[0], total) && same_sign(area[1], total) && same_sign(area[2], total)) {
            double r = 1.0/(area[0] + area[1] + area[2]);
            return (Nearest){ 3, { i, j, k }, { area[0]*r, area[1]*r, area[2]*r } };
        }
    }
    Nearest best = vertex_only(k);
    double best2 = INFINITY;
    if (!same_sign(area[0], total)) take_nearer(s, nearest_of_segment(s, j, k), &best, &best2);
    if (!same_sign(area[1], total)) take_nearer(s, nearest_of_segment(s, i, k), &best, &best2);
    if (!same_sign(area[2], total)) take_nearer(s, nearest_of_segment(s, i, j), &best, &best2);
    return best;
}

static Nearest nearest_of_tetrahedron(const caromSupport *s)
{
    caromVec3 a = s[0].w, b = s[1].w, c = s[2].w, d = s[3].w;
    // Volumes with the origin in place of each corner; their sum is that of the tetrahedron.
    caromVec3 cd = carom_cross(c, d), ab = carom_cross(a, b);
    double volume[4] = { carom_dot(b, cd), -carom_dot(a, cd), carom_dot(d, ab), -carom_dot(c, ab) };
    double total = carom_dot(carom_cross(carom_sub(b, a), carom_sub(c, a)), carom_sub(d, a));
    bool in[4];
    for (int k = 0; k < 4; k++) in[k] = same_sign(volume[k], total);
    if (in[0] && in[1] && in[2] && in[3]) {
        double r = 1.0/(volume[0] + volume[1] + volume[2] + volume[3]);
        return (Nearest){ 4, { 0, 1, 2, 3 }, { volume[0]*r, volume[1]*r, volume[2]*r, volume[3]*r } };
    }
    Nearest best = vertex_only(3);
    double best2 = INFINITY;
    // The face without the newest corner was nearest before it came: last.
    if (!in[0]) take_nearer(s, nearest_of_triangle(s, 1, 2, 3), &best, &best2);
    if (!in[1]) take_nearer(s, nearest_of_triangle(s, 0, 2, 3), &best, &best2);
    if (!in[2]) take_nearer(s, nearest_of_triangle(s, 0, 1, 3), &best, &best2);
    if (!in[3]) take_nearer(s, nearest_of_triangle(s, 0, 1, 2), &best, &best2);
    return best;
}

// The nearest face of the simplex with its newest corner, and its nearest point; the simplex itself is left as it is.
static Nearest nearest_of(const caromSimplex *x, int n, caromVec3 *v)
{
    Nearest m = n == 2 ? nearest_of_segment(x->s, 0, 1) : n == 3 ? nearest_of_triangle(x->s, 0, 1, 2) : nearest_of_tetrahedron(x->s);
    *v = carom_scale(m.weight[0], x->s[m.keep[0]].w);
    for (int k = 1; k < m.n; k++) *v = carom_axpy(m.weight[k], x->s[m.keep[k]].w, *v);
    return m;
}

static void keep(caromSimplex *x, const Nearest *m, caromVec3 v)
{
    for (int k = 0; k < m->n; k++) {  // m->keep ascends, so nothing is overwritten that is still needed
        if (m->keep[k] != k) x->s[k] = x->s[m->keep[k]];
        x->weight[k] = m->weight[k];
    }
    x->n = m->n;
    x->v = v;
}

static caromVec3 middle(const caromCore *core)
{
    return core->kind == CAROM_CORE_HULL ? core->hull->solid.com : carom_vec(0, 0, core->kind == CAROM_CORE_FRUSTUM ? 0.5*(core->z0 + core->z1) : 0.0);
}

void carom_walk_start(const caromConvexPair *p, caromWalk *walk)
{
    caromVec3 between = carom_sub(carom_add(p->t, carom_mul(p->R, middle(&p->b))), middle(&p->a));
    if (carom_norm2(between) == 0.0) between = carom_vec(1, 0, 0);
    walk->simplex.n = 1;
    walk->simplex.s[0] = carom_convex_support(p, between);
    walk->simplex.weight[0] = 1.0;
    walk->simplex.v = walk->simplex.s[0].w;
    walk->lower = -INFINITY;
    walk->upper = carom_norm(walk->simplex.v);
    walk->steps = 0;
}

static bool is_known(const caromSimplex *x, const caromSupport *s)
{
    for (int k = 0; k < x->n; k++) {
        if (x->s[k].w.x == s->w.x && x->s[k].w.y == s->w.y && x->s[k].w.z == s->w.z) return true;
    }
    return false;
}

enum { STEPS_MAX = 200 };

static caromWalkEnd walk_on(const caromConvexPair *p, double tolerance, bool overlap_only, caromWalk *walk)
{
    caromSimplex *x = &walk->simplex;
    const double touching = 1e-14*p->scale;
    while (walk->steps++ < STEPS_MAX) {
        if (!(walk->upper > touching)) return CAROM_WALK_INSIDE;
        caromSupport s = carom_convex_support(p, x->v);
        double lower = carom_dot(x->v, s.w)/walk->upper;
        if (lower > walk->lower) walk->lower = lower;
        if (overlap_only && lower > 0.0) return CAROM_WALK_APART;
        if (walk->upper - lower <= tolerance || is_known(x, &s)) return CAROM_WALK_NEAREST;
        x->s[x->n] = s;
        caromVec3 v;
        Nearest m = nearest_of(x, x->n + 1, &v);
        double upper = carom_norm(v);
        if (m.n < 4 && !(upper < walk->upper)) return walk->upper - walk->lower <= 1e-12*p->scale ? CAROM_WALK_NEAREST : CAROM_WALK_STUCK;
        keep(x, &m, v);
        if (m.n == 4) return CAROM_WALK_INSIDE;
        walk->upper = upper;
    }
    return CAROM_WALK_STUCK;
}

caromWalkEnd carom_walk(const caromConvexPair *p, double tolerance, caromWalk *walk)
{
    return walk_on(p, tolerance, false, walk);
}

caromWalkEnd carom_walk_overlap(const caromConvexPair *p, caromWalk *walk)
{
    return walk_on(p, 0.0, true, walk);
}
