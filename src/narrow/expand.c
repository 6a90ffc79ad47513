// Overlapping cores: a polytope inside C is grown towards the boundary of C until it reaches it where that is nearest
// to the origin (expanding polytope [Bergen01]).
//
// The distance d of the nearest face of the polytope is a lower bound of the depth; phi of any direction gives an
// upper one, u. Faces are taken nearest first. Between plane-faced cores the walk ends on a face of C itself. Curved
// ones are not covered by any number of faces: there each face taken is the start of a local solution (curved.c),
// which brings u down to a true minimum, and a face is done with when its own solution lies within 0.1 rad and the
// face itself within a thousandth of u.
#include "base/scratch.h"
#include "narrow/scales.h"
#include "narrow/support.h"

enum { VERTICES_MAX = 256, FACES_MAX = 1536, STACK_MAX = 512, OPTIMA_MAX = 12 };

// Faces are not reused when they are taken away, so a face is known by its index for good.
typedef struct PolytopeFace {
    caromVec3 n;    // outer unit normal; 0 without has_normal: a face without area
    double d;       // n.w on the face
    int v[3];       // corners, counter-clockwise from outside
    int next[3];    // face across the edge v[k], v[k+1]
    bool is_gone, has_normal;
} PolytopeFace;

typedef struct Polytope {
    const caromConvexPair *p;
    int nvertex, nface, nheap;
    double skin;           // a point has to be farther outside a face than this to see it
    double upper;          // least depth known: faces beyond it never matter
    caromSupport vertex[VERTICES_MAX];
    PolytopeFace face[FACES_MAX];
    struct { double d; int face; } heap[FACES_MAX];
} Polytope;

// ---- heap of faces, nearest first; ties by the older face, so that the order is fixed

static inline bool is_before(const Polytope *q, int i, int j)
{
    return q->heap[i].d < q->heap[j].d || (q->heap[i].d == q->heap[j].d && q->heap[i].face < q->heap[j].face);
}

static inline void heap_swap(Polytope *q, int i, int j)
{
    double d = q->heap[i].d;
    int face = q->heap[i].face;
    q->heap[i] = q->heap[j];
    q->heap[j].d = d, q->heap[j].face = face;
}

static inline void heap_push(Polytope *q, double d, int face)
{
    int k = q->nheap++;
    q->heap[k].d = d, q->heap[k].face = face;
    for (; k > 0 && is_before(q, k, (k - 1)/2); k = (k - 1)/2) heap_swap(q, k, (k - 1)/2);
}

static void heap_drop_first(Polytope *q)
{
    q->heap[0] = q->heap[--q->nheap];
    for (int k = 0, child; (child = 2*k + 1) < q->nheap; k = child) {
        if (child + 1 < q->nheap && is_before(q, child + 1, child)) child++;
        if (!is_before(q, child, k)) break;
        heap_swap(q, child, k);
    }
}

static int nearest_face(Polytope *q)
{
    while (q->nheap > 0 && q->face[q->heap[0].face].is_gone) heap_drop_first(q);
    return q->nheap > 0 ? q->heap[0].face : -1;
}

// ---- faces

// Face a, b, c; ca and cb lead from c to a and b.
static inline int add_face(Polytope *q, int a, int b, int c, caromVec3 ca, caromVec3 cb)
{
    int index = q->nface++;
    PolytopeFace *f = &q->face[index];
    f->v[0] = a, f->v[1] = b, f->v[2] = c;
    f->is_gone = f->has_normal = false;
    caromVec3 n = carom_cross(ca, cb);
    double nn = carom_norm2(n), length = sqrt(nn);
    // Thinner than rounding: no direction, and no part in the answer; its neighbours close the surface.
    if (!(length > q->skin*q->p->scale)) {
        f->n = carom_vec(0, 0, 0);
        f->d = 0.0;
        return index;
    }
    f->has_normal = true;
    f->n = carom_scale(1.0/length, n);
    f->d = carom_dot(f->n, q->vertex[c].w);
    // With room for rounding: the answer itself is at the bound.
    if (f->d <= q->upper + CAROM_NARROW_SOLVED*q->p->scale) heap_push(q, f->d, index);
    return index;
}

static inline bool sees(const Polytope *q, const PolytopeFace *f, caromVec3 w)
{
    return carom_dot(f->n, w) - f->d > q->skin;
}

static inline int edge_towards(const PolytopeFace *f, int neighbour)
{
    return f->next[0] == neighbour ? 0 : f->next[1] == neighbour ? 1 : 2;
}

// Takes away all faces that the newest vertex sees, starting with one that it does, and closes the hole with faces to
// its rim. The rim is met in order: at an edge to a face that is seen the walk goes on round that face. The polytope
// only grows, so no new face is nearer than the one seen was. False: no room, or rounding has spoilt the surface.
static bool expand(Polytope *q, int seen)
{
    // Slivers know their distance to few digits.
    const double floor = 0.5*q->face[seen].d - CAROM_NARROW_SLIVER*q->p->scale;
    int vertex = q->nvertex - 1, first = -1, last = -1, depth = 0;
    caromVec3 w = q->vertex[vertex].w, to_b = { 0, 0, 0 };
    struct { int face, edge; } stack[STACK_MAX];
    q->face[seen].is_gone = true;
    for (int k = 2; k >= 0; k--) stack[depth].face = seen, stack[depth++].edge = k;
    while (depth > 0) {
        int from = stack[--depth].face, edge = stack[depth].edge;
        int beyond = q->face[from].next[edge];
        PolytopeFace *f = &q->face[beyond];
        if (f->is_gone) continue;
        int back = edge_towards(f, from);
        if (sees(q, f, w)) {
            if (depth + 2 > STACK_MAX) return false;
            f->is_gone = true;
            stack[depth].face = beyond, stack[depth++].edge = back == 0 ? 2 : back - 1;
            stack[depth].face = beyond, stack[depth++].edge = back == 2 ? 0 : back + 1;
            continue;
        }
        if (q->nface == FACES_MAX) return false;
        int a = q->face[from].v[edge], b = q->face[from].v[edge == 2 ? 0 : edge + 1];
        if (last >= 0 && q->face[last].v[1] != a) return false;  // the rim is not one loop
        caromVec3 to_a = last >= 0 ? to_b : carom_sub(q->vertex[a].w, w);
        to_b = carom_sub(q->vertex[b].w, w);
        int made = add_face(q, a, b, vertex, to_a, to_b);
        if (q->face[made].d < floor && q->face[made].has_normal) return false;  // a sliver turned inside out
        q->face[made].next[0] = beyond;
        f->next[back] = made;
        if (last >= 0) q->face[last].next[1] = made, q->face[made].next[2] = last;
        else first = made;
        last = made;
    }
    if (first < 0 || q->face[last].v[1] != q->face[first].v[0]) return false;
    q->face[last].next[1] = first;
    q->face[first].next[2] = last;
    return true;
}

// ---- the first polytope

static double distance_from_line(caromVec3 a, caromVec3 along, caromVec3 w)
{
    return carom_norm(carom_cross(carom_sub(w, a), along))/carom_norm(along);
}

// Adds to the first n points one that raises their dimension as much as any of a few directions does. False:
// C has no extent there.
static bool add_dimension(const caromConvexPair *p, caromSupport *s, int n)
{
    caromVec3 d[3];
    int count = 0;
    if (n == 1) {
        for (int k = 0; k < 3; k++) d[count++] = carom_vec(k == 0, k == 1, k == 2);
    } else if (n == 2) {
        caromVec3 along = carom_sub(s[1].w, s[0].w);
        carom_narrow_tangents(carom_scale(1.0/carom_norm(along), along), &d[0], &d[1]);
        d[2] = carom_add(d[0], d[1]);
        count = 3;
    } else {
        d[count++] = carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w));
    }
    double best = CAROM_NARROW_SAME*p->scale;
    bool found = false;
    for (int k = 0; k < 2*count; k++) {
        caromSupport c = carom_convex_support(p, k & 1 ? carom_neg(d[k/2]) : d[k/2]);
        caromVec3 r = carom_sub(c.w, s[0].w);
        double away = n == 1 ? carom_norm(r) : n == 2 ? distance_from_line(s[0].w, carom_sub(s[1].w, s[0].w), c.w)
                             : fabs(carom_dot(r, d[0]))/carom_norm(d[0]);
        if (away > best) best = away, s[n] = c, found = true;
    }
    return found;
}

static double volume(const caromSupport *s)
{
    return carom_dot(carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w)), carom_sub(s[3].w, s[0].w));
}

static bool is_flat(const caromConvexPair *p, const caromSupport *s)
{
    caromVec3 n = carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w));
    return !(fabs(volume(s)) > CAROM_NARROW_POSITION*p->scale*carom_norm(n));
}

// Corners of a tetrahedron in C that holds the origin, as the walk left it or completed. Returns how many there are:
// fewer than 4 when C is flat.
static int tetrahedron(const caromConvexPair *p, const caromSimplex *simplex, caromSupport *s)
{
    int n = simplex->n;
    for (int k = 0; k < n; k++) s[k] = simplex->s[k];
    if (n == 4 && is_flat(p, s)) n = 3;
    if (n == 3 && !(carom_norm2(carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w))) > 0.0)) n = 2;
    if (n == 2 && !(carom_norm2(carom_sub(s[1].w, s[0].w)) > 0.0)) n = 1;
    while (n < 4 && add_dimension(p, s, n)) n++;
    return n;
}

static void start(Polytope *q, const caromSupport *s)
{
    for (int k = 0; k < 4; k++) q->vertex[k] = s[k];
    // So that 0 1 2 is counter-clockwise seen from outside.
    if (volume(s) > 0.0) q->vertex[1] = s[2], q->vertex[2] = s[1];
    q->nvertex = 4;
    static const int corners[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
    for (int k = 0; k < 4; k++) {
        const int *c = corners[k];
        caromVec3 w = q->vertex[c[2]].w;
        add_face(q, c[0], c[1], c[2], carom_sub(q->vertex[c[0]].w, w), carom_sub(q->vertex[c[1]].w, w));
    }
    static const int next[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
    for (int k = 0; k < 4; k++) for (int e = 0; e < 3; e++) q->face[k].next[e] = next[k][e];
}

// ---- answers

// Weights of the foot of the origin on a face.
static void foot_weights(const caromSupport *a, const caromSupport *b, const caromSupport *c, caromVec3 foot,
                         double *weight)
{
    caromVec3 u = carom_sub(b->w, a->w), v = carom_sub(c->w, a->w), r = carom_sub(foot, a->w);
    double uu = carom_norm2(u), uv = carom_dot(u, v), vv = carom_norm2(v), ur = carom_dot(u, r), vr = carom_dot(v, r),
           det = uu*vv - uv*uv;
    double wb = fmin(fmax((vv*ur - uv*vr)/det, 0.0), 1.0), wc = fmin(fmax((uu*vr - uv*ur)/det, 0.0), 1.0 - wb);
    weight[0] = 1.0 - wb - wc;
    weight[1] = wb;
    weight[2] = wc;
}

static caromSimplex face_simplex(const Polytope *q, const PolytopeFace *f)
{
    caromSimplex x = { .n = 3, .s = { q->vertex[f->v[0]], q->vertex[f->v[1]], q->vertex[f->v[2]] } };
    foot_weights(&x.s[0], &x.s[1], &x.s[2], carom_scale(f->d, f->n), x.weight);
    x.v = carom_neg(f->n);  // from A into B: out of the overlap B moves along -n of the face
    return x;
}

// The direction out of C along the outer normal m of a face is how B moves against A to part them: g is
// measured along n = -m.
static caromConvexGap raw_gap(const caromSimplex *x, caromVec3 n, double depth)
{
    caromVec3 a, b;
    carom_convex_simplex_points(x, &a, &b);
    caromVec3 middle = carom_scale(0.5, carom_add(a, b));
    return (caromConvexGap){ -depth, n, carom_axpy(0.5*depth, n, middle), carom_axpy(-0.5*depth, n, middle), 0.0,
                             false };
}

static void plane_faced_answer(const Polytope *q, const PolytopeFace *f, double reached, caromConvexGap *gap)
{
    caromSimplex x = face_simplex(q, f);
    caromFeatures features = carom_convex_features_of(q->p, &x);
    *gap = carom_convex_features_gap(q->p, &features, &x);
    bool is_of_features = reached - f->d <= CAROM_NARROW_SOLVED*q->p->scale &&
                          fabs(gap->g + f->d) <= CAROM_NARROW_SOLVED*q->p->scale && carom_dot(gap->n, x.v) > 0.0;
    if (!is_of_features) *gap = raw_gap(&x, x.v, reached);
    gap->error = reached - f->d;
}

static inline bool is_new_vertex(const Polytope *q, const PolytopeFace *f, const caromSupport *s)
{
    for (int k = 0; k < 3; k++) {
        const caromSupport *v = &q->vertex[f->v[k]];
        if (v->w.x == s->w.x && v->w.y == s->w.y && v->w.z == s->w.z) return false;
    }
    return true;
}

// False: rounding has spoilt the polytope; *gap is then the least way out that was seen.
static bool expand_plane_faced(Polytope *q, caromConvexGap *gap)
{
    int nearest, best = -1;
    double least = INFINITY;
    while ((nearest = nearest_face(q)) >= 0) {
        const PolytopeFace *f = &q->face[nearest];
        caromSupport s = carom_convex_support_of(q->p, carom_neg(f->n));
        double reached = carom_dot(f->n, s.w);
        if (reached < least) least = reached, best = nearest;
        if (reached < q->upper) q->upper = reached;
        if (reached - f->d <= q->skin || !is_new_vertex(q, f, &s)) {
            plane_faced_answer(q, f, reached, gap);
            return true;
        }
        if (q->nvertex == VERTICES_MAX) break;
        q->vertex[q->nvertex++] = s;
        if (!expand(q, nearest)) break;
    }
    if (best >= 0) plane_faced_answer(q, &q->face[best], least, gap);
    return false;
}

typedef struct Optima {
    int n;
    caromVec3 normal[OPTIMA_MAX];
} Optima;

static bool is_near_optimum(const Optima *o, caromVec3 n, double cosine)
{
    for (int k = 0; k < o->n; k++) {
        if (carom_dot(o->normal[k], n) > cosine) return true;
    }
    return false;
}

// A solution is not given up for a roundings' worth of depth, and taken for one.
static bool keep_better(const caromConvexGap *found, double roundings, caromConvexGap *best)
{
    double than = best->g + (found->is_minimum ? best->is_minimum ? 0.0 : -roundings : roundings);
    if (isfinite(best->g) && !(found->g > than)) return false;
    *best = *found;
    return true;
}

// The local solution that this face leads to; true if it lies near by.
static bool solve_from_face(Polytope *q, const caromSimplex *x, caromVec3 n, int breadth, Optima *optima,
                            caromConvexGap *gap)
{
    caromConvexGap found;
    if (!carom_convex_curved_polish(q->p, n, x, true, breadth, &found)) return false;
    keep_better(&found, CAROM_NARROW_SAME*q->p->scale, gap);
    if (!found.is_minimum) return false;
    if (optima->n < OPTIMA_MAX && !is_near_optimum(optima, found.n, CAROM_NARROW_SAME_COS))
        optima->normal[optima->n++] = found.n;
    return carom_dot(found.n, n) > CAROM_NARROW_NEAR_COS;  // not somewhere else altogether
}

// False: rounding has spoilt the polytope.
static bool expand_curved(Polytope *q, caromConvexGap *gap, caromSimplex *of_best)
{
    const double small = CAROM_NARROW_SOLVED*q->p->scale;
    Optima optima = { 0 };
    if (isfinite(gap->g) && gap->is_minimum) optima.normal[optima.n++] = gap->n;
    int nearest;
    while ((nearest = nearest_face(q)) >= 0) {
        PolytopeFace *f = &q->face[nearest];
        if (f->d >= -gap->g - small) return true;
        caromVec3 n = carom_neg(f->n);
        caromSupport s = carom_convex_support(q->p, n);
        double reached = carom_dot(f->n, s.w);
        caromSimplex x = face_simplex(q, f);
        // Not right beside a known solution, unless this face has come below it.
        bool is_solved = is_near_optimum(&optima, n, CAROM_NARROW_BESIDE_COS) && reached >= -gap->g - small;
        // The nearer the face has come the surer; in a sharp tip no face comes near for long, so now and then without.
        bool is_near = f->d > 0.5*reached || (optima.n == 0 && q->nvertex >= 8 && (q->nvertex & 7) == 0);
        if (!is_solved && is_near)
            is_solved = solve_from_face(q, &x, n, f->d > CAROM_NARROW_NEARLY*reached || f->d < 0.5*reached ? 3 : 1,
                                        &optima, gap);
        if (-reached > gap->g) {
            caromConvexGap raw = raw_gap(&x, n, reached);
            raw.error = reached - f->d;
            if (keep_better(&raw, CAROM_NARROW_SAME*q->p->scale, gap)) *of_best = x;
        }
        q->upper = -gap->g;
        if (f->d >= -gap->g - small) return true;
        // The minimum below this face is one that was found.
        bool is_explained = is_solved && f->d >= CAROM_NARROW_PROVEN*-gap->g;
        if (is_explained || reached - f->d <= q->skin || !is_new_vertex(q, f, &s)) {
            heap_drop_first(q);
            continue;
        }
        if (q->nvertex == VERTICES_MAX) return true;  // no better by another try
        q->vertex[q->nvertex++] = s;
        if (!expand(q, nearest)) return false;
    }
    return true;
}

// C has no thickness: across it the depth is 0.
static void flat_answer(const caromSupport *s, int n, const caromSimplex *simplex, caromConvexGap *gap)
{
    caromVec3 m = n == 3   ? carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w))
                  : n == 2 ? carom_geometry_square_to(carom_sub(s[1].w, s[0].w))
                           : carom_vec(1, 0, 0);
    *gap = raw_gap(simplex, carom_unit_or(m, carom_vec(1, 0, 0)), 0.0);
}

// Both points in the flat pieces that the cores end in along n.
static bool has_good_witness(const caromConvexPair *p, const caromConvexGap *gap)
{
    if (!gap->is_minimum) return false;
    caromVec3 off = carom_axpy(-gap->g, gap->n, carom_sub(gap->y, gap->x));
    return carom_norm(off) <= CAROM_NARROW_SOLVED*p->scale;
}

void carom_convex_expand(const caromConvexPair *p, const caromWalk *walk, caromConvexGap *gap)
{
    caromSupport s[4];
    const caromSimplex *simplex = &walk->simplex;
    int n = tetrahedron(p, simplex, s);
    if (n < 4) {
        if (!isfinite(gap->g)) flat_answer(s, n, simplex, gap);
        return;
    }
    bool is_plane_faced = carom_convex_core_is_polytope(&p->a) && carom_convex_core_is_polytope(&p->b);
    caromSimplex of_best = { 0 };
    void *taken;
    Polytope *q = CAROM_SCRATCH_OR_STACK(sizeof *q, taken);
    q->p = p;
    // Rounding may spoil the surface where faces are nearly in one plane; then more is taken for one plane.
    for (q->skin = CAROM_NARROW_SKIN*p->scale; q->skin < CAROM_NARROW_SKIN_MOST*p->scale; q->skin *= 100.0) {
        q->nface = q->nheap = 0;
        // The walk has seen directions too; it knows them less exactly.
        q->upper = fmax(-fmax(gap->g, walk->lower), 0.0) + CAROM_NARROW_SOLVED*p->scale;
        start(q, s);
        if (is_plane_faced ? expand_plane_faced(q, gap) : expand_curved(q, gap, &of_best)) break;
    }
    carom_scratch_give_back(taken);
    if (!gap->is_minimum && of_best.n > 0) {  // no face led to a solution; the best of them may, with more guesses
        caromConvexGap found;
        if (carom_convex_curved_polish(p, gap->n, &of_best, true, 8, &found))
            keep_better(&found, CAROM_NARROW_SAME*p->scale, gap);
    }
    // Nearly flat pieces have the same depth within what they are off.
    for (double margin = CAROM_NARROW_SOLVED; margin < CAROM_NARROW_FLAT_MOST && !has_good_witness(p, gap);
         margin *= 10.0)
        gap->is_minimum = carom_narrow_flat_witness(p, margin, gap);
}
