// Overlapping cores: a polytope inside C is grown towards the boundary of C until it reaches it where that is nearest to the origin
// (expanding polytope [Bergen01]).
//
// The distance d of the nearest face of the polytope is a lower bound of the depth; phi of any direction gives an upper one, u. Faces are taken
// nearest first. Between plane-faced cores the walk ends on a face of C itself. Curved ones are not covered by any number of faces: there each face
// taken is the start of a local solution (curved.c), which brings u down to a true minimum, and a face is done with when its local solution lies close by and the face itself
// is within a thousandth of u.
#include "collide/convex.h"

enum { VERTICES_MAX = 256, FACES_MAX = 2*VERTICES_MAX, HEAP_MAX = 2*FACES_MAX, OPTIMA_MAX = 12 };

typedef struct Face {
    caromVec3 n;   // outer unit normal; 0 for a face without area
    double d;      // n.w on the face
    int v[3];      // corners, counter-clockwise from outside
    int next[3];   // face across the edge v[k], v[k+1]
    bool alive;
} Face;

typedef struct Entry {
    double d;
    int face, stamp;
} Entry;

typedef struct Polytope {
    const caromConvexPair *p;
    int nvertex, nface, nfree, nheap;
    caromSupport vertex[VERTICES_MAX];
    Face face[FACES_MAX];
    int stamp[FACES_MAX];  // counts how often a slot was used: entries of the heap for older uses are void
    int free[FACES_MAX];
    Entry heap[HEAP_MAX];
    double skin;           // a point has to be farther outside a face than this to see it
    double upper;          // least depth known: faces beyond it never matter
} Polytope;

// ---- heap of faces, nearest first; ties by the older face, so that the order is fixed

static bool is_before(const Entry *a, const Entry *b)
{
    return a->d < b->d || (a->d == b->d && a->face < b->face);
}

static bool is_void(const Polytope *q, const Entry *e)
{
    return !q->face[e->face].alive || q->stamp[e->face] != e->stamp;
}

static void heap_push(Polytope *q, Entry e)
{
    int k = q->nheap++;
    for (; k > 0 && is_before(&e, &q->heap[(k - 1)/2]); k = (k - 1)/2) q->heap[k] = q->heap[(k - 1)/2];
    q->heap[k] = e;
}

static void heap_drop_first(Polytope *q)
{
    Entry e = q->heap[--q->nheap];
    int k = 0;
    for (int child; (child = 2*k + 1) < q->nheap; k = child) {
        if (child + 1 < q->nheap && is_before(&q->heap[child + 1], &q->heap[child])) child++;
        if (!is_before(&q->heap[child], &e)) break;
        q->heap[k] = q->heap[child];
    }
    q->heap[k] = e;
}

// Room again: at most one entry in two is not void.
static void heap_clean(Polytope *q)
{
    int n = q->nheap;
    q->nheap = 0;
    for (int k = 0; k < n; k++) {
        if (!is_void(q, &q->heap[k])) heap_push(q, q->heap[k]);
    }
}

static int nearest_face(Polytope *q)
{
    while (q->nheap > 0) {
        if (!is_void(q, &q->heap[0])) return q->heap[0].face;
        heap_drop_first(q);
    }
    return -1;
}

// ---- faces

static int add_face(Polytope *q, int a, int b, int c)
{
    int slot = q->nfree > 0 ? q->free[--q->nfree] : q->nface++;
    Face *f = &q->face[slot];
    *f = (Face){ .v = { a, b, c }, .next = { -1, -1, -1 }, .alive = true };
    q->stamp[slot]++;
    caromVec3 wa = q->vertex[a].w, ab = carom_sub(q->vertex[b].w, wa), ac = carom_sub(q->vertex[c].w, wa);
    caromVec3 n = carom_cross(ab, ac);
    double nn = carom_norm2(n);
    // Thinner than rounding: no direction, and no part in the answer; its neighbours close the surface.
    if (!(nn > 1e-30*carom_norm2(ab)*carom_norm2(ac))) return slot;
    f->n = carom_scale(1.0/sqrt(nn), n);
    f->d = carom_dot(f->n, wa);
    if (f->d > q->upper) return slot;
    if (q->nheap == HEAP_MAX) heap_clean(q);
    heap_push(q, (Entry){ f->d, slot, q->stamp[slot] });
    return slot;
}

static bool sees(const Polytope *q, const Face *f, caromVec3 w)
{
    return carom_dot(f->n, w) - f->d > q->skin;
}

static int edge_towards(const Face *f, int neighbour)
{
    return f->next[0] == neighbour ? 0 : f->next[1] == neighbour ? 1 : 2;
}

// Takes away all faces that the new vertex sees, starting with one that it does, and closes the hole with faces to its rim. The rim is met in order:
// at an edge to a face that is seen the walk goes on round that face. False: no room.
static bool expand(Polytope *q, int seen, int vertex)
{
    caromVec3 w = q->vertex[vertex].w;
    struct { int face, edge; } stack[FACES_MAX];
    int depth = 0, first = -1, last = -1;
    int removed[FACES_MAX], nremoved = 0;  // their slots are given back when the walk is over: the rim refers to them
    q->face[seen].alive = false;
    removed[nremoved++] = seen;
    for (int k = 2; k >= 0; k--) stack[depth].face = seen, stack[depth++].edge = k;
    while (depth > 0) {
        depth--;
        int from = stack[depth].face, edge = stack[depth].edge;
        int beyond = q->face[from].next[edge];
        Face *f = &q->face[beyond];
        if (!f->alive) continue;
        int back = edge_towards(f, from);
        if (sees(q, f, w)) {
            if (depth + 2 > FACES_MAX) return false;
            f->alive = false;
            removed[nremoved++] = beyond;
            stack[depth].face = beyond, stack[depth++].edge = (back + 2)%3;
            stack[depth].face = beyond, stack[depth++].edge = (back + 1)%3;
            continue;
        }
        if (q->nfree == 0 && q->nface == FACES_MAX) return false;
        int a = q->face[from].v[edge], b = q->face[from].v[(edge + 1)%3];
        int made = add_face(q, a, b, vertex);
        q->face[made].next[0] = beyond;
        q->face[beyond].next[back] = made;
        if (last >= 0) {
            if (q->face[last].v[1] != a) return false;  // rounding: the rim is not one loop
            q->face[last].next[1] = made;
            q->face[made].next[2] = last;
        } else first = made;
        last = made;
    }
    if (first < 0 || q->face[last].v[1] != q->face[first].v[0]) return false;
    q->face[last].next[1] = first;
    q->face[first].next[2] = last;
    for (int k = 0; k < nremoved; k++) q->free[q->nfree++] = removed[k];
    return true;
}

// ---- the first polytope

static caromVec3 square_to(caromVec3 a)
{
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    caromVec3 e = x <= y && x <= z ? carom_vec(1, 0, 0) : y <= z ? carom_vec(0, 1, 0) : carom_vec(0, 0, 1);
    return carom_cross(a, e);
}

static double distance_from_line(caromVec3 a, caromVec3 along, caromVec3 w)
{
    return carom_norm(carom_cross(carom_sub(w, a), along))/carom_norm(along);
}

// Adds to the first n points one that raises their dimension as much as any of a few directions does. False: C has no extent there.
static bool add_dimension(const caromConvexPair *p, caromSupport *s, int n)
{
    caromVec3 d[6];
    int count = 0;
    if (n == 1) {
        for (int k = 0; k < 3; k++) d[count++] = carom_vec(k == 0, k == 1, k == 2);
    } else if (n == 2) {
        caromVec3 along = carom_sub(s[1].w, s[0].w);
        d[0] = square_to(along);
        d[1] = carom_cross(along, d[0]);
        d[2] = carom_add(carom_scale(1.0/carom_norm(d[0]), d[0]), carom_scale(1.0/carom_norm(d[1]), d[1]));
        count = 3;
    } else {
        d[count++] = carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w));
    }
    double best = 1e-13*p->scale;
    bool found = false;
    for (int k = 0; k < 2*count; k++) {
        caromSupport c = carom_convex_support(p, k & 1 ? carom_neg(d[k/2]) : d[k/2]);
        caromVec3 r = carom_sub(c.w, s[0].w);
        double away = n == 1 ? carom_norm(r) : n == 2 ? distance_from_line(s[0].w, carom_sub(s[1].w, s[0].w), c.w) : fabs(carom_dot(r, d[0]))/carom_norm(d[0]);
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
    return !(fabs(volume(s)) > 1e-14*p->scale*carom_norm(n));
}

// Corners of a tetrahedron in C that holds the origin, as the walk left it or completed. Returns how many there are: fewer than 4 when C is flat.
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
    if (volume(s) > 0.0) q->vertex[1] = s[2], q->vertex[2] = s[1];  // so that 0 1 2 is counter-clockwise seen from outside
    q->nvertex = 4;
    add_face(q, 0, 1, 2);
    add_face(q, 0, 3, 1);
    add_face(q, 1, 3, 2);
    add_face(q, 2, 3, 0);
    static const int next[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
    for (int k = 0; k < 4; k++) for (int e = 0; e < 3; e++) q->face[k].next[e] = next[k][e];
}

// ---- answers

// Weights of the foot of the origin on a face.
static void foot_weights(const caromSupport *a, const caromSupport *b, const caromSupport *c, caromVec3 foot, double *weight)
{
    caromVec3 u = carom_sub(b->w, a->w), v = carom_sub(c->w, a->w), r = carom_sub(foot, a->w);
    double uu = carom_norm2(u), uv = carom_dot(u, v), vv = carom_norm2(v), ur = carom_dot(u, r), vr = carom_dot(v, r), det = uu*vv - uv*uv;
    double wb = fmin(fmax((vv*ur - uv*vr)/det, 0.0), 1.0), wc = fmin(fmax((uu*vr - uv*ur)/det, 0.0), 1.0 - wb);
    weight[0] = 1.0 - wb - wc;
    weight[1] = wb;
    weight[2] = wc;
}

static caromSimplex face_simplex(const Polytope *q, const Face *f)
{
    caromSimplex x = { .n = 3, .s = { q->vertex[f->v[0]], q->vertex[f->v[1]], q->vertex[f->v[2]] } };
    foot_weights(&x.s[0], &x.s[1], &x.s[2], carom_scale(f->d, f->n), x.weight);
    x.v = carom_neg(f->n);  // from A into B: out of the overlap B moves along -n of the face
    return x;
}

// The direction out of C along the outer normal m of a face is how B moves against A to part them: g is measured along n = -m.
static caromConvexGap raw_gap(const caromSimplex *x, caromVec3 n, double depth)
{
    caromVec3 a = { 0, 0, 0 }, b = { 0, 0, 0 };
    for (int k = 0; k < x->n; k++) {
        a = carom_axpy(x->weight[k], x->s[k].x, a);
        b = carom_axpy(x->weight[k], x->s[k].y, b);
    }
    caromVec3 middle = carom_scale(0.5, carom_add(a, b));
    return (caromConvexGap){ -depth, n, carom_axpy(0.5*depth, n, middle), carom_axpy(-0.5*depth, n, middle), 0.0 };
}

static void plane_faced_answer(const Polytope *q, const Face *f, double reached, caromConvexGap *gap)
{
    caromSimplex x = face_simplex(q, f);
    caromFeatures features = carom_features_of(q->p, &x);
    *gap = carom_features_gap(q->p, &features, &x);
    if (!(fabs(gap->g + f->d) <= 1e-12*q->p->scale) || !(carom_dot(gap->n, x.v) > 0.0)) *gap = raw_gap(&x, x.v, reached);
    gap->error = reached - f->d;
}

static bool is_new_vertex(const Polytope *q, const Face *f, const caromSupport *s)
{
    for (int k = 0; k < 3; k++) {
        const caromSupport *v = &q->vertex[f->v[k]];
        if (v->w.x == s->w.x && v->w.y == s->w.y && v->w.z == s->w.z) return false;
    }
    return true;
}

static void expand_plane_faced(Polytope *q, caromConvexGap *gap)
{
    int nearest;
    while ((nearest = nearest_face(q)) >= 0) {
        Face *f = &q->face[nearest];
        caromSupport s = carom_convex_support(q->p, carom_neg(f->n));
        double reached = carom_dot(f->n, s.w);
        if (reached < q->upper) q->upper = reached;
        if (reached - f->d <= 1e-15*q->p->scale || !is_new_vertex(q, f, &s) || q->nvertex == VERTICES_MAX) {
            plane_faced_answer(q, f, reached, gap);
            return;
        }
        Face kept = *f;
        q->vertex[q->nvertex] = s;
        if (!expand(q, nearest, q->nvertex++)) {
            plane_faced_answer(q, &kept, reached, gap);
            return;
        }
    }
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

static void keep_better(const caromConvexGap *found, caromConvexGap *best)
{
    if (found->g > best->g) *best = *found;
}

static void expand_curved(Polytope *q, caromConvexGap *gap)
{
    const double near = 0.995, known = 0.995;  // 0.1 rad
    const double small = 1e-10*q->p->scale;
    Optima optima = { 0 };
    if (isfinite(gap->g)) optima.normal[optima.n++] = gap->n;
    int nearest;
    while ((nearest = nearest_face(q)) >= 0) {
        Face *f = &q->face[nearest];
        if (f->d >= -gap->g - small) break;
        caromVec3 n = carom_neg(f->n);
        caromSupport s = carom_convex_support(q->p, n);
        double reached = carom_dot(f->n, s.w);
        caromSimplex x = face_simplex(q, f);
        // Not where a solution is known already, unless this face has come below it.
        if (f->d > 0.5*reached && (!is_near_optimum(&optima, n, known) || reached < -gap->g - small)) {
            caromConvexGap found;
            if (carom_curved_polish(q->p, n, &x, true, &found)) {
                keep_better(&found, gap);
                if (optima.n < OPTIMA_MAX && !is_near_optimum(&optima, found.n, 1.0 - 1e-12)) optima.normal[optima.n++] = found.n;
            }
        }
        caromConvexGap raw = raw_gap(&x, n, reached);
        raw.error = reached - f->d;
        keep_better(&raw, gap);
        q->upper = -gap->g;
        if (f->d >= -gap->g - small) break;
        if (f->d >= 0.999*-gap->g && is_near_optimum(&optima, n, near)) {
            heap_drop_first(q);  // the minimum below this face is the one found
            continue;
        }
        if (reached - f->d <= 1e-15*q->p->scale || !is_new_vertex(q, f, &s)) {
            heap_drop_first(q);
            continue;
        }
        if (q->nvertex == VERTICES_MAX) break;
        q->vertex[q->nvertex] = s;
        if (!expand(q, nearest, q->nvertex++)) break;
    }
}

// C has no thickness: across it the depth is 0.
static void flat_answer(const caromSupport *s, int n, const caromSimplex *simplex, caromConvexGap *gap)
{
    caromVec3 m = n == 3   ? carom_cross(carom_sub(s[1].w, s[0].w), carom_sub(s[2].w, s[0].w))
                  : n == 2 ? square_to(carom_sub(s[1].w, s[0].w))
                           : carom_vec(1, 0, 0);
    *gap = raw_gap(simplex, carom_unit_or(m, carom_vec(1, 0, 0)), 0.0);
}

void carom_expand(const caromConvexPair *p, const caromSimplex *simplex, caromConvexGap *gap)
{
    caromSupport s[4];
    int n = tetrahedron(p, simplex, s);
    if (n < 4) {
        if (!isfinite(gap->g)) flat_answer(s, n, simplex, gap);
        return;
    }
    Polytope q;
    q.p = p;
    q.nface = q.nfree = q.nheap = 0;
    q.skin = 1e-15*p->scale;
    q.upper = -gap->g;
    for (int k = 0; k < FACES_MAX; k++) q.stamp[k] = 0;
    start(&q, s);
    if (carom_core_is_polytope(&p->a) && carom_core_is_polytope(&p->b)) expand_plane_faced(&q, gap);
    else expand_curved(&q, gap);
}
