// Plane-faced cores: distance and normal from the features that face each other.
//
// The walk ends with points of C between which the nearest one lies; the vertices of A and B they come from
// span a vertex, edge or face on each side. Solving for these features gives the normal to rounding even when
// the gap is nearly zero (the normal of a face, the cross product of two edges), and it gives the same bits
// however the features were found.
#include "narrow/convex.h"
#include "narrow/scales.h"

static int insert_label(int *labels, int n, int label)
{
    int k = n;
    for (int i = 0; i < n; i++) {
        if (labels[i] == label) return n;
    }
    for (; k > 0 && labels[k - 1] > label; k--) labels[k] = labels[k - 1];
    labels[k] = label;
    return n + 1;
}

// Face of a box with the corners of these labels: 2 axis + (1 if the outer normal is negative), -1 when there is none.
static int box_face(const int *l)
{
    int same = ~(l[0] ^ l[1]) & ~(l[0] ^ l[2]);
    int axis = same & 1 ? 0 : same & 2 ? 1 : same & 4 ? 2 : -1;
    return axis < 0 ? -1 : 2*axis + (l[0] >> axis & 1);
}

static bool face_has(const caromHull *hull, int face, int vertex)
{
    for (int k = hull->first_corner[face]; k < hull->first_corner[face + 1]; k++) {
        if (hull->corners[k] == vertex) return true;
    }
    return false;
}

static int hull_face(const caromHull *hull, const int *l)
{
    for (int k = hull->first_neighbour[l[0]]; k < hull->first_neighbour[l[0] + 1]; k++) {
        int face = hull->vertex_faces[k];
        if (face_has(hull, face, l[1]) && face_has(hull, face, l[2])) return face;
    }
    return -1;
}

int carom_convex_core_face_of(const caromCore *core, const int *labels)
{
    return core->kind == CAROM_CORE_HULL ? hull_face(core->hull, labels) : box_face(labels);
}

// Outer normal and offset in the core's frame.
static void face_plane(const caromCore *core, int face, caromVec3 *n, double *b)
{
    if (core->kind == CAROM_CORE_HULL) {
        *n = core->hull->normals[face];
        *b = core->hull->offsets[face];
        return;
    }
    int axis = face/2;
    double sign = face & 1 ? -1.0 : 1.0;
    *n = carom_vec(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
    *b = carom_at(core->h, axis);
}

caromFeatures carom_convex_features_of(const caromConvexPair *p, const caromSimplex *x)
{
    caromFeatures f = { .face_a = -1, .face_b = -1 };
    for (int k = 0; k < x->n && k < 3; k++) {
        f.na = insert_label(f.a, f.na, x->s[k].label_a);
        f.nb = insert_label(f.b, f.nb, x->s[k].label_b);
    }
    if (f.na == 3) f.face_a = carom_convex_core_face_of(&p->a, f.a);
    if (f.nb == 3) f.face_b = carom_convex_core_face_of(&p->b, f.b);
    return f;
}

static caromVec3 point_a(const caromConvexPair *p, int label)
{
    return carom_convex_core_vertex(&p->a, label);
}

static caromVec3 point_b(const caromConvexPair *p, int label)
{
    return carom_add(p->t, carom_mul(p->R, carom_convex_core_vertex(&p->b, label)));
}

static caromConvexGap from_points(caromVec3 x, caromVec3 y, caromVec3 fallback)
{
    caromVec3 d = carom_sub(y, x);
    double g = carom_norm(d);
    return (caromConvexGap){ g, g > 0.0 ? carom_scale(1.0/g, d) : fallback, x, y, 0.0, true };
}

// y in the frame of A, over a face of A.
static caromConvexGap over_face_of_a(const caromConvexPair *p, int face, caromVec3 y)
{
    caromConvexGap gap = { .y = y, .is_minimum = true };
    double b;
    face_plane(&p->a, face, &gap.n, &b);
    gap.g = carom_dot(gap.n, y) - b;
    gap.x = carom_axpy(-gap.g, gap.n, y);
    return gap;
}

static caromConvexGap over_face_of_b(const caromConvexPair *p, int face, caromVec3 x)
{
    caromConvexGap gap = { .x = x, .is_minimum = true };
    caromVec3 n_B;
    double b;
    face_plane(&p->b, face, &n_B, &b);
    gap.g = carom_dot(n_B, carom_tmul(p->R, carom_sub(x, p->t))) - b;
    gap.n = carom_neg(carom_mul(p->R, n_B));
    gap.y = carom_axpy(gap.g, gap.n, x);
    return gap;
}

// Point q and the edge from a to b. A short line between them has lost digits along the edge, to which the normal is
// square: they are put right, else the far ends of the edge would be out of line.
static caromConvexGap across_edge(caromVec3 q, caromVec3 a, caromVec3 b, bool is_edge_of_a)
{
    caromVec3 t = carom_sub(b, a);
    double tt = carom_norm2(t);
    if (!(tt > 0.0))
        return is_edge_of_a ? from_points(a, q, carom_vec(1, 0, 0)) : from_points(q, a, carom_vec(1, 0, 0));
    caromVec3 foot = carom_axpy(carom_dot(carom_sub(q, a), t)/tt, t, a);
    caromConvexGap gap = is_edge_of_a ? from_points(foot, q, carom_vec(1, 0, 0))
                                      : from_points(q, foot, carom_vec(1, 0, 0));
    gap.n = carom_axpy(-carom_dot(gap.n, t)/tt, t, gap.n);
    gap.n = carom_axpy(-carom_dot(gap.n, t)/tt, t, gap.n);
    gap.n = carom_scale(1.0/carom_norm(gap.n), gap.n);
    return gap;
}

// Two edges across each other. The direction of the shortest line between them is that of the line itself and that of
// the cross product: whichever has the smaller error. False: they are parallel within rounding.
static bool between_edges(const caromConvexPair *p, const caromFeatures *f, caromVec3 towards, caromConvexGap *gap)
{
    caromVec3 a = point_a(p, f->a[0]), b = point_b(p, f->b[0]);
    caromVec3 u = carom_sub(point_a(p, f->a[1]), a), w = carom_sub(point_b(p, f->b[1]), b);
    caromVec3 n = carom_cross(u, w), r = carom_sub(b, a);
    double nn = carom_norm2(n), uu = carom_norm2(u), ww = carom_norm2(w);
    if (!(nn > CAROM_NARROW_PARALLEL2*uu*ww)) return false;
    // r + t w - s u is square to u and w.
    double s = carom_dot(carom_cross(r, w), n)/nn, t = carom_dot(carom_cross(r, u), n)/nn;
    gap->x = carom_axpy(s, u, a);
    gap->y = carom_axpy(t, w, b);
    double length = sqrt(nn), sine = length/sqrt(uu*ww);
    n = carom_scale(1.0/length, n);
    if (carom_dot(n, towards) < 0.0) n = carom_neg(n);
    gap->g = carom_dot(n, r);
    gap->n = n;
    const double beyond = CAROM_NARROW_BEYOND;
    gap->is_minimum = s > -beyond && s < 1.0 + beyond && t > -beyond && t < 1.0 + beyond;
    if (gap->g > sine*p->scale) {
        *gap = from_points(gap->x, gap->y, n);
        return true;
    }
    gap->y = carom_axpy(gap->g, n, gap->x);
    return true;
}

// A vertex and a vertex or an edge.
static caromConvexGap from_vertex(const caromConvexPair *p, const caromFeatures *f)
{
    if (f->nb == 2) return across_edge(point_a(p, f->a[0]), point_b(p, f->b[0]), point_b(p, f->b[1]), false);
    if (f->na == 2) return across_edge(point_b(p, f->b[0]), point_a(p, f->a[0]), point_a(p, f->a[1]), true);
    return from_points(point_a(p, f->a[0]), point_b(p, f->b[0]), carom_vec(1, 0, 0));
}

// A witness that is not on its face or edge tells that other features have a part in the answer (is_minimum;
// flat.c finds a better one).
caromConvexGap carom_convex_features_gap(const caromConvexPair *p, const caromFeatures *f, const caromSimplex *simplex)
{
    caromVec3 x, y;
    carom_convex_simplex_points(simplex, &x, &y);
    caromConvexGap gap;
    const double slack = CAROM_NARROW_SOLVED*p->scale;
    if (f->face_a >= 0) {
        gap = over_face_of_a(p, f->face_a, f->nb == 1 ? point_b(p, f->b[0]) : y);
        gap.is_minimum = carom_convex_core_is_over_face(&p->a, f->face_a, gap.x, -slack);
        return gap;
    }
    if (f->face_b >= 0) {
        gap = over_face_of_b(p, f->face_b, f->na == 1 ? point_a(p, f->a[0]) : x);
        gap.is_minimum = carom_convex_core_is_over_face(&p->b, f->face_b, carom_tmul(p->R, carom_sub(gap.y, p->t)),
                                                        -slack);
        return gap;
    }
    // Two edges that cross may be found by the two points of a diagonal.
    if (f->na == 2 && f->nb == 2 && between_edges(p, f, simplex->v, &gap)) {
        if (simplex->n == 3 || fabs(gap.g - carom_norm(simplex->v)) <= CAROM_NARROW_SAME*p->scale) return gap;
    }
    // Parallel ones.
    if (f->na == 2 && f->nb == 2) return across_edge(x, point_b(p, f->b[0]), point_b(p, f->b[1]), false);
    return f->na + f->nb <= 3 ? from_vertex(p, f) : from_points(x, y, carom_vec(1, 0, 0));
}

// ---- a better normal

// phi of any normal is below the distance, that of the points above it. Along a normal they are nearer than that, and
// as near as phi says wherever both lie on a face that it belongs to.
static void try_normal(const caromConvexPair *p, caromVec3 n, caromConvexGap *best)
{
    if (!(carom_dot(n, best->n) > CAROM_NARROW_LEAN_COS)) return;
    double phi = carom_convex_phi(p, n), upper = carom_norm(carom_sub(best->y, best->x));
    if (!(fabs(upper - phi) < best->error)) return;
    best->n = n;
    best->g = phi;
    best->error = fabs(upper - phi);
}

// Directions of the edges at a vertex, in the core's frame; returns how many. More than these are not tried: what is
// missed is in the error.
enum { EDGES_MAX = 32 };
static int edges_at(const caromCore *core, int label, caromVec3 *edges)
{
    int n = 0;
    if (core->kind == CAROM_CORE_HULL) {
        for (int k = core->hull->first_neighbour[label]; k < core->hull->first_neighbour[label + 1] && n < EDGES_MAX;
             k++) {
            edges[n++] = carom_sub(core->hull->vertices[core->hull->neighbours[k]], core->hull->vertices[label]);
        }
        return n;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (carom_at(core->h, axis) > 0.0) edges[n++] = carom_vec(axis == 0, axis == 1, axis == 2);
    }
    return n;
}

static int faces_at(const caromCore *core, int label, caromVec3 *normals)
{
    int n = 0;
    if (core->kind == CAROM_CORE_HULL) {
        for (int k = core->hull->first_neighbour[label]; k < core->hull->first_neighbour[label + 1] && n < EDGES_MAX;
             k++) {
            normals[n++] = core->hull->normals[core->hull->vertex_faces[k]];
        }
        return n;
    }
    for (int axis = 0; axis < 3; axis++) {
        double sign = label >> axis & 1 ? -1.0 : 1.0;
        normals[n++] = carom_vec(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
    }
    return n;
}

static void try_pairs_of_edges(const caromConvexPair *p, int label_a, int label_b, caromConvexGap *best)
{
    caromVec3 ea[EDGES_MAX], eb[EDGES_MAX];
    int na = edges_at(&p->a, label_a, ea), nb = edges_at(&p->b, label_b, eb);
    for (int j = 0; j < nb; j++) {
        caromVec3 w = carom_mul(p->R, eb[j]);
        for (int i = 0; i < na; i++) {
            caromVec3 n = carom_cross(ea[i], w);
            double length = carom_norm(n);
            if (!(length > CAROM_NARROW_PARALLEL*carom_norm(ea[i])*carom_norm(w))) continue;
            n = carom_scale((carom_dot(n, best->n) < 0.0 ? -1.0 : 1.0)/length, n);
            try_normal(p, n, best);
        }
    }
}

void carom_convex_features_sharpen(const caromConvexPair *p, const caromSimplex *simplex, caromConvexGap *gap)
{
    caromConvexGap best = *gap;
    caromVec3 normals[EDGES_MAX];
    for (int k = 0; k < simplex->n; k++) {
        int n = faces_at(&p->a, simplex->s[k].label_a, normals);
        for (int i = 0; i < n; i++) try_normal(p, normals[i], &best);
        n = faces_at(&p->b, simplex->s[k].label_b, normals);
        for (int i = 0; i < n; i++) try_normal(p, carom_neg(carom_mul(p->R, normals[i])), &best);
        try_pairs_of_edges(p, simplex->s[k].label_a, simplex->s[k].label_b, &best);
    }
    // The points keep their middle; the line between them turns into the normal.
    caromVec3 middle = carom_scale(0.5, carom_add(best.x, best.y));
    best.x = carom_axpy(-0.5*best.g, best.n, middle);
    best.y = carom_axpy(0.5*best.g, best.n, middle);
    if (best.error < gap->error) *gap = best;
}

// ---- do remembered features still hold?

static bool labels_exist(const caromCore *core, int n, const int *labels, int face)
{
    int vertices = core->kind == CAROM_CORE_HULL ? core->hull->nvertex : 8,
        faces = core->kind == CAROM_CORE_HULL ? core->hull->nface : 6;
    if (n == 3) return face >= 0 && face < faces;
    for (int k = 0; k < n; k++) {
        if (labels[k] < 0 || labels[k] >= vertices) return false;
    }
    return n == 1 || n == 2;
}

// Every neighbour of the vertices lies clearly behind them along d, apart from the other end of the edge.
static bool neighbours_lie_behind(const caromCore *core, int n, const int *labels, caromVec3 d, double margin)
{
    for (int i = 0; i < n; i++) {
        int other = n == 2 ? labels[1 - i] : -1;
        double far = carom_dot(d, carom_convex_core_vertex(core, labels[i])) - margin;
        if (core->kind == CAROM_CORE_HULL) {
            const caromHull *hull = core->hull;
            for (int k = hull->first_neighbour[labels[i]]; k < hull->first_neighbour[labels[i] + 1]; k++) {
                if (hull->neighbours[k] != other && carom_dot(d, hull->vertices[hull->neighbours[k]]) > far)
                    return false;
            }
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            int neighbour = labels[i] ^ 1 << axis;
            if (carom_at(core->h, axis) > 0.0 && neighbour != other &&
                carom_dot(d, carom_convex_core_vertex(core, neighbour)) > far) return false;
        }
    }
    return true;
}

// x, in the frame of the core, lies over the inside of the face, clear of its edges.
bool carom_convex_core_is_over_face(const caromCore *core, int face, caromVec3 x, double margin)
{
    if (core->kind == CAROM_CORE_BOX) {
        for (int axis = 0; axis < 3; axis++) {
            if (axis != face/2 && !(fabs(carom_at(x, axis)) < carom_at(core->h, axis) - margin)) return false;
        }
        return true;
    }
    const caromHull *hull = core->hull;
    int first = hull->first_corner[face], end = hull->first_corner[face + 1];
    for (int k = first; k < end; k++) {
        caromVec3 a = hull->vertices[hull->corners[k]],
                  along = carom_sub(hull->vertices[hull->corners[k + 1 < end ? k + 1 : first]], a);
        if (!(carom_dot(carom_cross(hull->normals[face], along), carom_sub(x, a)) > margin*carom_norm(along)))
            return false;
    }
    return true;
}

static bool is_inside_edge(caromVec3 a, caromVec3 b, caromVec3 x, double margin)
{
    caromVec3 t = carom_sub(b, a);
    double length = carom_norm(t), along = carom_dot(carom_sub(x, a), t);
    return along > margin*length && along < (length - margin)*length;
}

bool carom_convex_features_are_valid(const caromConvexPair *p, const caromFeatures *f, caromConvexGap *gap)
{
    if (!labels_exist(&p->a, f->na, f->a, f->face_a) || !labels_exist(&p->b, f->nb, f->b, f->face_b)) return false;
    caromVec3 towards = p->t;
    if (f->na + f->nb > 4) return false;
    if (f->na == 3) *gap = over_face_of_a(p, f->face_a, point_b(p, f->b[0]));
    else if (f->nb == 3) *gap = over_face_of_b(p, f->face_b, point_a(p, f->a[0]));
    else if (f->na == 2 && f->nb == 2) {
        if (!between_edges(p, f, towards, gap)) return false;
        if (gap->g < 0.0) {
            // The sign of a cross product is settled by which side the other core lies on.
            towards = carom_neg(gap->n);
            if (!between_edges(p, f, towards, gap)) return false;
        }
    } else *gap = from_vertex(p, f);
    // How much a weight of a corner must be above zero for its part in the distance to be more than rounding: its
    // effect is of second order.
    double margin = CAROM_NARROW_CORNER*(p->scale + gap->g), slack = CAROM_NARROW_CLEAR*p->scale;
    if (!(gap->g > CAROM_NARROW_APART*p->scale)) return false;
    caromVec3 n_B = carom_neg(carom_tmul(p->R, gap->n));
    if (f->na == 3)
        return carom_convex_core_is_over_face(&p->a, f->face_a, gap->x, margin) &&
               neighbours_lie_behind(&p->b, f->nb, f->b, n_B, slack);
    if (f->nb == 3) {
        return carom_convex_core_is_over_face(&p->b, f->face_b, carom_tmul(p->R, carom_sub(gap->y, p->t)), margin) &&
               neighbours_lie_behind(&p->a, f->na, f->a, gap->n, slack);
    }
    if (f->na == 2 && !is_inside_edge(point_a(p, f->a[0]), point_a(p, f->a[1]), gap->x, margin)) return false;
    if (f->nb == 2 && !is_inside_edge(point_b(p, f->b[0]), point_b(p, f->b[1]), gap->y, margin)) return false;
    return neighbours_lie_behind(&p->a, f->na, f->a, gap->n, slack) &&
           neighbours_lie_behind(&p->b, f->nb, f->b, n_B, slack);
}
