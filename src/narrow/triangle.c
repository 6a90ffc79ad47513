// The nearest points of two triangles.
//
// They are on two edges, or on a corner and the inside of the other triangle, unless the triangles cross. An edge pair
// whose nearest points have the rest of either triangle behind them is the answer at once [Larsen99]: then the planes
// through these points, square to the line between them, separate the triangles.
#include "narrow/edges.h"
#include "narrow/triangle.h"

// ---- edges

typedef struct TriangleEdge {
    caromEdge edge;
    int low, high, k;   // corners, side
} TriangleEdge;

static inline TriangleEdge side_of(const caromVec3 x[3], const int v[3], int k)
{
    int low = k, high = k == 2 ? 0 : k + 1;
    if (v[low] > v[high]) low = high, high = k;
    return (TriangleEdge){ carom_narrow_edge(x[low], x[high]), low, high, k };
}

static int feature_on(const TriangleEdge *e, double s)
{
    return s == 0.0 ? e->low : s == 1.0 ? e->high : 3 + e->k;
}

static inline caromTriangleGap sides_gap(const TriangleEdge *e, const TriangleEdge *f)
{
    caromEdgesGap g = carom_narrow_edges_gap(&e->edge, &f->edge);
    return (caromTriangleGap){ g.g2, g.x, g.y, feature_on(e, g.s), feature_on(f, g.t) };
}

// ---- a corner over the other triangle

bool carom_triangle_is_under(const caromVec3 a[3], caromVec3 n, caromVec3 p)
{
    for (int k = 0; k < 3; k++) {
        caromVec3 along = carom_sub(a[k == 2 ? 0 : k + 1], a[k]);
        if (!(carom_dot(carom_cross(n, along), carom_sub(p, a[k])) > 0.0)) return false;
    }
    return true;
}

static caromVec3 normal_of(const caromVec3 a[3])
{
    return carom_cross(carom_sub(a[1], a[0]), carom_sub(a[2], a[0]));
}

// Corners of b over the inside of a, which has the normal n, while all of b is on one side of a. Swapped: x is on b.
static bool corner_over(const caromVec3 a[3], caromVec3 n, const caromVec3 b[3], caromTriangleGap *best, bool *is_apart)
{
    double n2 = carom_norm2(n), h[3], lowest = INFINITY;
    if (!(n2 > 0.0)) return false;
    int k_low = 0;
    for (int k = 0; k < 3; k++) h[k] = carom_dot(n, carom_sub(b[k], a[0]));
    bool above = h[0] > 0.0 && h[1] > 0.0 && h[2] > 0.0, below = h[0] < 0.0 && h[1] < 0.0 && h[2] < 0.0;
    if (!above && !below) return false;
    *is_apart = true;
    for (int k = 0; k < 3; k++)
        if (fabs(h[k]) < lowest) lowest = fabs(h[k]), k_low = k;
    if (!carom_triangle_is_under(a, n, b[k_low])) return false;
    caromVec3 foot = carom_axpy(-h[k_low]/n2, n, b[k_low]);
    double g2 = carom_norm2(carom_sub(b[k_low], foot));
    if (!(g2 < best->g2)) return false;
    *best = (caromTriangleGap){ g2, foot, b[k_low], 6, k_low };
    return true;
}

static caromTriangleGap swapped(caromTriangleGap g)
{
    return (caromTriangleGap){ g.g2, g.y, g.x, g.fy, g.fx };
}

// ---- triangles that cross

// Where the edge from p to q passes through the triangle a, if it does. n: normal of a.
static bool pierces(const caromVec3 a[3], caromVec3 n, caromVec3 p, caromVec3 q, caromVec3 *at)
{
    double hp = carom_dot(n, carom_sub(p, a[0])), hq = carom_dot(n, carom_sub(q, a[0]));
    if ((hp > 0.0 && hq > 0.0) || (hp < 0.0 && hq < 0.0) || hp == hq) return false;
    caromVec3 x = carom_axpy(hp/(hp - hq), carom_sub(q, p), p);
    for (int k = 0; k < 3; k++)
        if (carom_dot(carom_cross(n, carom_sub(a[k == 2 ? 0 : k + 1], a[k])), carom_sub(x, a[k])) < 0.0) return false;
    *at = x;
    return true;
}

// The middle of the segment in which they cross: the mean of the first and the last of the points where an edge of one
// passes through the other.
static bool crossing(const caromVec3 a[3], caromVec3 na, const caromVec3 b[3], caromVec3 nb, caromVec3 *middle)
{
    caromVec3 line = carom_cross(na, nb), first = { 0, 0, 0 }, last = first, x;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 6; k++) {
        const caromVec3 *e = k < 3 ? a : b;
        int i = k%3, j = i == 2 ? 0 : i + 1;
        if (!pierces(k < 3 ? b : a, k < 3 ? nb : na, e[i], e[j], &x)) continue;
        double at = carom_dot(line, x);
        if (at < low) low = at, first = x;
        if (at > high) high = at, last = x;
    }
    *middle = carom_scale(0.5, carom_add(first, last));
    return high >= low;
}

static bool is_on_one_side(const caromVec3 a[3], caromVec3 n, const caromVec3 b[3])
{
    double h0 = carom_dot(n, carom_sub(b[0], a[0])), h1 = carom_dot(n, carom_sub(b[1], a[0])),
           h2 = carom_dot(n, carom_sub(b[2], a[0]));
    return (h0 > 0.0 && h1 > 0.0 && h2 > 0.0) || (h0 < 0.0 && h1 < 0.0 && h2 < 0.0);
}

bool carom_narrow_triangles_cross(const caromVec3 a[3], caromVec3 na, const caromVec3 b[3], caromVec3 nb,
                                  caromVec3 *middle)
{
    return !is_on_one_side(a, na, b) && !is_on_one_side(b, nb, a) && crossing(a, na, b, nb, middle);
}

// ---- all together

// Does the triangle lie on the far side of the plane through p, on its corner or edge, square to d? Its corners on that
// edge do but for rounding.
static bool is_behind(const caromVec3 x[3], int feature, caromVec3 p, caromVec3 d)
{
    for (int k = 0; k < 3; k++) {
        bool is_on_feature = feature < 3 ? k == feature : k != (feature - 1)%3;  // edge k is opposite to corner k + 2
        if (!is_on_feature && carom_dot(d, carom_sub(x[k], p)) < 0.0) return false;
    }
    return true;
}

// Looks at corners over the other triangle. true: the plane of one has the other on one side.
static bool are_apart(const caromVec3 a[3], caromVec3 na, const caromVec3 b[3], caromVec3 nb, caromTriangleGap *best)
{
    bool is_apart = false;
    corner_over(a, na, b, best, &is_apart);
    caromTriangleGap mirrored = swapped(*best);
    if (corner_over(b, nb, a, &mirrored, &is_apart)) *best = swapped(mirrored);
    return is_apart;
}

// The corner that is farthest along d.
static int farthest(const caromVec3 x[3], caromVec3 d)
{
    double h0 = carom_dot(d, x[0]), h1 = carom_dot(d, x[1]), h2 = carom_dot(d, x[2]);
    return h0 >= h1 && h0 >= h2 ? 0 : h1 >= h2 ? 1 : 2;
}

// Edges that face the other triangle first: those opposite to the corner that is farthest away. true: it is the answer.
static bool edges_nearest(const caromVec3 a[3], const int va[3], const caromVec3 b[3], const int vb[3],
                          caromTriangleGap *best)
{
    caromVec3 from_a = carom_sub(carom_add(b[0], carom_add(b[1], b[2])), carom_add(a[0], carom_add(a[1], a[2])));
    int first_a = farthest(a, carom_neg(from_a)) + 1, first_b = farthest(b, from_a) + 1;
    TriangleEdge eb[3];
    for (int j = 0; j < 3; j++) eb[j] = side_of(b, vb, (first_b + j)%3);
    for (int i = 0; i < 3; i++) {
        TriangleEdge ea = side_of(a, va, (first_a + i)%3);
        for (int j = 0; j < 3; j++) {
            caromTriangleGap g = sides_gap(&ea, &eb[j]);
            if (!(g.g2 < best->g2)) continue;
            *best = g;
            caromVec3 d = carom_sub(g.y, g.x);
            if (g.g2 > 0.0 && is_behind(b, g.fy, g.y, d) && is_behind(a, g.fx, g.x, carom_neg(d))) return true;
        }
    }
    return false;
}

caromTriangleGap carom_narrow_triangles_gap(const caromVec3 a[3], const int va[3], const caromVec3 b[3],
                                            const int vb[3])
{
    caromTriangleGap best = { .g2 = INFINITY };
    if (edges_nearest(a, va, b, vb, &best)) return best;
    caromVec3 na = normal_of(a), nb = normal_of(b), middle;
    if (are_apart(a, na, b, nb, &best) || best.g2 == 0.0 || !crossing(a, na, b, nb, &middle)) return best;
    return (caromTriangleGap){ 0.0, middle, middle, 6, 6 };
}

caromVec3 carom_triangle_point(const caromVec3 a[3], caromVec3 p, int *feature)
{
    caromVec3 n = normal_of(a), best = a[0];
    double n2 = carom_norm2(n), least = INFINITY;
    if (n2 > 0.0 && carom_triangle_is_under(a, n, p)) {
        *feature = 6;
        return carom_axpy(-carom_dot(n, carom_sub(p, a[0]))/n2, n, p);
    }
    for (int k = 0; k < 3; k++) {
        int next = k == 2 ? 0 : k + 1;
        caromEdge edge = carom_narrow_edge(a[k], a[next]);
        double s = carom_narrow_edge_nearest(&edge, p);
        caromVec3 x = carom_narrow_edge_point(&edge, s);
        double g2 = carom_norm2(carom_sub(p, x));
        if (g2 < least) least = g2, best = x, *feature = s == 0.0 ? k : s == 1.0 ? next : 3 + k;
    }
    return best;
}

// ---- a triangle as a polytope without thickness

void carom_triangle_shape(const caromVec3 corners[3], caromTriangleShape *t)
{
    static int first_neighbour[4] = { 0, 2, 4, 6 }, neighbours[6] = { 1, 2, 0, 2, 0, 1 },
               vertex_faces[6] = { 0, 1, 0, 1, 0, 1 };
    static int first_corner[3] = { 0, 3, 6 }, face_corners[6] = { 0, 1, 2, 0, 2, 1 };
    static int edges[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } }, edge_faces[3][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
    caromVec3 n = carom_cross(carom_sub(corners[1], corners[0]), carom_sub(corners[2], corners[0]));
    double twice = carom_norm(n), reach = 0.0;
    for (int k = 0; k < 3; k++) {
        t->vertices[k] = corners[k];
        reach = fmax(reach, carom_norm(corners[k]));
    }
    t->normals[0] = carom_unit_or(n, carom_vec(0, 0, 1));
    t->normals[1] = carom_neg(t->normals[0]);
    t->offsets[0] = carom_dot(t->normals[0], corners[0]);
    t->offsets[1] = -t->offsets[0];
    t->hull = (caromHull){ .nvertex = 3, .nface = 2, .nedge = 3, .vertices = t->vertices,
                           .first_neighbour = first_neighbour, .neighbours = neighbours, .vertex_faces = vertex_faces,
                           .normals = t->normals, .offsets = t->offsets, .first_corner = first_corner, .corners =
                           face_corners, .edges = edges, .edge_faces = edge_faces, .surface = twice, .reach = reach };
    t->shape = carom_shape_polytope(&t->hull);
}
