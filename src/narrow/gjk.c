// The walk to the point of C nearest to the origin.
//
// A simplex of points of C with its own nearest point v to the origin; the point of C least far along v is added, the
// smallest face of the simplex that holds the new nearest point is kept [Gilbert88]. v.w/|v| is a lower bound of the
// distance, |v| an upper one. Which face is nearest is told by signed volumes, which do not change their mind in thin
// simplices [Montanari17].
#include "narrow/scales.h"
#include "narrow/support.h"

// Which corners of a simplex its nearest point lies between, ascending, and their weights.
typedef struct NearestOfSimplex {
    int n;
    int keep[4];
    double weight[4];
    caromVec3 v;
} NearestOfSimplex;

static inline NearestOfSimplex vertex_only(const caromSupport *s, int i)
{
    return (NearestOfSimplex){ 1, { i }, { 1.0 }, s[i].w };
}

static inline bool same_sign(double a, double b)
{
    return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
}

static NearestOfSimplex nearest_of_segment(const caromSupport *s, int i, int j)
{
    caromVec3 a = s[i].w, b = s[j].w, t = carom_sub(b, a);
    double from_a = -carom_dot(a, t), from_b = carom_dot(b, t);
    if (!(from_a > 0.0)) return vertex_only(s, i);
    if (!(from_b > 0.0)) return vertex_only(s, j);
    double r = 1.0/(from_a + from_b), wa = from_b*r, wb = from_a*r;
    // From the nearer end: less cancellation.
    return (NearestOfSimplex){ 2, { i, j }, { wa, wb }, wa < wb ? carom_axpy(-wa, t, b) : carom_axpy(wb, t, a) };
}

static inline void take_nearer(NearestOfSimplex candidate, NearestOfSimplex *best, double *best2)
{
    double d2 = carom_norm2(candidate.v);
    if (d2 < *best2) *best2 = d2, *best = candidate;
}

static NearestOfSimplex nearest_of_triangle(const caromSupport *s, int i, int j, int k)
{
    caromVec3 a = s[i].w, b = s[j].w, c = s[k].w;
    caromVec3 n = carom_cross(carom_sub(b, a), carom_sub(c, a));
    double nn = carom_norm2(n), area[3] = { 0, 0, 0 };
    if (nn > 0.0) {
        caromVec3 p = carom_scale(carom_dot(c, n)/nn, n);  // foot of the origin on the plane
        caromVec3 pa = carom_sub(a, p), pb = carom_sub(b, p), pc = carom_sub(c, p);
        area[0] = carom_dot(n, carom_cross(pb, pc));
        area[1] = carom_dot(n, carom_cross(pc, pa));
        area[2] = carom_dot(n, carom_cross(pa, pb));
        if (area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0) {
            double r = 1.0/(area[0] + area[1] + area[2]);
            return (NearestOfSimplex){ 3, { i, j, k }, { area[0]*r, area[1]*r, area[2]*r }, p };
        }
    }
    NearestOfSimplex best = vertex_only(s, k);
    double best2 = INFINITY;
    if (!(area[0] > 0.0)) take_nearer(nearest_of_segment(s, j, k), &best, &best2);
    if (!(area[1] > 0.0)) take_nearer(nearest_of_segment(s, i, k), &best, &best2);
    if (!(area[2] > 0.0)) take_nearer(nearest_of_segment(s, i, j), &best, &best2);
    return best;
}

static NearestOfSimplex nearest_of_tetrahedron(const caromSupport *s)
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
        return (NearestOfSimplex){ 4, { 0, 1, 2, 3 }, { volume[0]*r, volume[1]*r, volume[2]*r, volume[3]*r },
                                   { 0, 0, 0 } };
    }
    NearestOfSimplex best = vertex_only(s, 3);
    double best2 = INFINITY;
    if (!in[0]) take_nearer(nearest_of_triangle(s, 1, 2, 3), &best, &best2);
    if (!in[1]) take_nearer(nearest_of_triangle(s, 0, 2, 3), &best, &best2);
    if (!in[2]) take_nearer(nearest_of_triangle(s, 0, 1, 3), &best, &best2);
    // The face without the newest corner was nearest before it came.
    if (!in[3] && best2 == (double)INFINITY) take_nearer(nearest_of_triangle(s, 0, 1, 2), &best, &best2);
    return best;
}

static void keep(caromSimplex *x, const NearestOfSimplex *m)
{
    for (int k = 0; k < m->n; k++) {  // m->keep ascends, so nothing is overwritten that is still needed
        if (m->keep[k] != k) x->s[k] = x->s[m->keep[k]];
        x->weight[k] = m->weight[k];
    }
    x->n = m->n;
    x->v = m->v;
}

static caromVec3 middle(const caromCore *core)
{
    return core->kind == CAROM_CORE_HULL ? core->hull->solid.com : carom_vec(0, 0, core->kind == CAROM_CORE_FRUSTUM
                                                                                 ? 0.5*(core->z0 + core->z1) : 0.0);
}

void carom_convex_walk_start(const caromConvexPair *p, caromWalk *walk)
{
    caromVec3 between = carom_sub(carom_add(p->t, carom_mul(p->R, middle(&p->b))), middle(&p->a));
    if (carom_norm2(between) == 0.0) between = carom_vec(1, 0, 0);
    walk->simplex.n = 1;
    walk->simplex.s[0] = carom_convex_support_of(p, between);
    walk->simplex.weight[0] = 1.0;
    walk->simplex.v = walk->simplex.s[0].w;
    walk->lower = -INFINITY;
    walk->upper = carom_norm(walk->simplex.v);
    walk->steps = 0;
}

static inline bool is_known(const caromSimplex *x, const caromSupport *s)
{
    for (int k = 0; k < x->n; k++) {
        if (x->s[k].w.x == s->w.x && x->s[k].w.y == s->w.y && x->s[k].w.z == s->w.z) return true;
    }
    return false;
}

enum { STEPS_MAX = 200 };

// Squares of lengths as long as the walk goes on; the bounds are worked out when it stops. reach: only whether the
// distance is more than this is asked; negative: all of it.
static caromWalkEnd walk_on(const caromConvexPair *p, double tolerance, double reach, caromWalk *walk)
{
    caromSimplex *x = &walk->simplex;
    const double touching2 = CAROM_NARROW_POSITION2*p->scale*p->scale;
    double vv = carom_norm2(x->v), vw = 0.0, reach2 = reach*reach;
    const bool overlap_only = reach >= 0.0;
    caromWalkEnd end = CAROM_WALK_STUCK;
    while (walk->steps++ < STEPS_MAX) {
        if (!(vv > touching2)) {
            end = CAROM_WALK_INSIDE;
            break;
        }
        caromSupport *s = &x->s[x->n];
        *s = carom_convex_support_of(p, x->v);
        vw = carom_dot(x->v, s->w);
        if (overlap_only && vw > 0.0 && vw*vw > reach2*vv) {
            end = CAROM_WALK_APART;
            break;
        }
        if (overlap_only && vv < 0.25*reach2) {
            end = CAROM_WALK_NEAREST;
            break;
        }
        // |v| - v.w/|v| <= tolerance
        double off = vv - vw;
        if (!(off > 0.0) || (tolerance > 0.0 && off*off <= tolerance*tolerance*vv) || is_known(x, s)) {
            end = CAROM_WALK_NEAREST;
            break;
        }
        NearestOfSimplex m = x->n == 1 ? nearest_of_segment(x->s, 0, 1) : x->n == 2 ? nearest_of_triangle(x->s, 0, 1, 2)
                                       : nearest_of_tetrahedron(x->s);
        if (m.n == 4) {
            keep(x, &m);
            end = CAROM_WALK_INSIDE;
            break;
        }
        double next = carom_norm2(m.v);
        if (!(next < vv)) {
            if (off <= CAROM_NARROW_SOLVED*p->scale*sqrt(vv)) end = CAROM_WALK_NEAREST;
            break;
        }
        keep(x, &m);
        vv = next;
    }
    walk->upper = sqrt(vv);
    if (walk->upper > 0.0 && end != CAROM_WALK_INSIDE) walk->lower = fmax(walk->lower, vw/walk->upper);
    return end;
}

caromWalkEnd carom_convex_walk(const caromConvexPair *p, double tolerance, caromWalk *walk)
{
    return walk_on(p, tolerance, -1.0, walk);
}

caromWalkEnd carom_convex_walk_overlap(const caromConvexPair *p, double reach, caromWalk *walk)
{
    return walk_on(p, 0.0, reach, walk);
}
