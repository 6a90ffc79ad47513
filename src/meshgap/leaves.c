// The nearest points of two leaves.
//
// Not triangle by triangle, which would look at an edge as often as there are triangles around it: an edge
// belongs to the leaf with its first triangle, a vertex likewise, and the nearest points of two surfaces that do
// not cross are on two edges, or on a vertex and a triangle. Of all these only those are looked at that reach
// close enough along the normal of the best pair: with h(x) = d.x on A and -d.x on B a point of A and one of B
// are at least -(h_A + h_B) apart.
#include "meshgap/scales.h"
#include "meshgap/search.h"
#include "narrow/edges.h"

enum { POINTS_MAX = 3*CAROM_MESH_LEAF };

typedef caromSearchLeaf Leaf;

// An edge that reaches as high as is of interest.
typedef struct HighEdge {
    caromEdge edge;
    caromVec3 middle;
    double half, h;           // half the length
    bool falls;               // from the highest vertex, away from the other leaf
    const caromLeafEdge *of;
} HighEdge;

typedef struct HighEdges {
    const Leaf *leaf;
    int n;
    HighEdge edges[POINTS_MAX];
} HighEdges;

typedef struct LeafFace {
    caromVec3 corners[3], n;
    double n2, h;
    int place;
} LeafFace;

static void measure(Leaf *leaf, caromVec3 d)
{
    leaf->highest = 0;
    for (int i = 0; i < leaf->n; i++) {
        leaf->h[i] = carom_dot(d, leaf->p[i]);
        if (leaf->h[i] > leaf->h[leaf->highest]) leaf->highest = i;
    }
    leaf->top = leaf->h[leaf->highest];
}

// The one before is often the same.
static bool is_there(const caromMeshSearch *s, Leaf *leaf, const caromMeshTree *tree, const caromMeshNode *node)
{
    if (leaf->node == node && leaf->turns == s->turns) return true;
    leaf->tree = tree;
    leaf->node = node;
    leaf->n = node->npoint;
    leaf->turns = s->turns;
    return false;
}

static const Leaf *leaf_of_a(caromMeshSearch *s, const caromMeshNode *node)
{
    Leaf *leaf = &s->leaf_a;
    if (is_there(s, leaf, &s->p->a->tree, node)) return leaf;
    for (int i = 0; i < leaf->n; i++) leaf->p[i] = leaf->tree->points[node->first_point + i];
    measure(leaf, s->d_A);
    return leaf;
}

static const Leaf *leaf_of_b(caromMeshSearch *s, const caromMeshNode *node)
{
    Leaf *leaf = &s->leaf_b;
    if (is_there(s, leaf, &s->p->b->tree, node)) return leaf;
    for (int i = 0; i < leaf->n; i++)
        leaf->p[i] = carom_add(s->p->t, carom_mul(s->p->R, leaf->tree->points[node->first_point + i]));
    measure(leaf, carom_neg(s->d_A));
    return leaf;
}

// ---- who came first

// A pair of features is ranked by the places of its triangles, then by kind: 0 .. 8 edges, 9 .. 11 a corner of B over
// A, 12 .. 14 of A over B, 15 triangles that cross.
static void take(caromMeshSearch *s, const caromTriangleGap *gap, int place_a, int place_b, int rank)
{
    const caromNearest *best = &s->best;
    if (gap->g2 > best->gap.g2) return;
    if (gap->g2 == best->gap.g2) {
        if (place_a != best->place_a ? place_a > best->place_a : place_b != best->place_b ? place_b > best->place_b
                                     : rank >= s->rank) return;
    }
    bool is_nearer = gap->g2 < best->gap.g2;
    s->best = (caromNearest){ *gap, place_a, place_b };
    s->rank = rank;
    if (!is_nearer) return;
    double distance = sqrt(gap->g2);
    s->least = carom_meshgap_least(s->least, distance + s->slack);
    if (distance > 0.0) carom_meshgap_look_along(s, carom_scale(1.0/distance, carom_sub(gap->y, gap->x)));
}

// ---- edges

static void edges_above(const Leaf *leaf, double h_least, HighEdges *high)
{
    int n = 0;
    for (int i = leaf->node->first_edge; i < leaf->node->first_edge + leaf->node->nedge; i++) {
        const caromLeafEdge *of = &leaf->tree->leaf_edges[i];
        double h = carom_meshgap_most(leaf->h[of->p], leaf->h[of->q]);
        if (h < h_least) continue;
        HighEdge *side = &high->edges[n++];
        side->edge = carom_narrow_edge(leaf->p[of->p], leaf->p[of->q]);
        side->middle = carom_scale(0.5, carom_add(side->edge.p, side->edge.q));
        side->half = 0.5*sqrt(side->edge.d2);
        side->h = h;
        side->falls = false;
        side->of = of;
    }
    high->leaf = leaf;
    high->n = n;
}

static int feature_on(const Leaf *leaf, const caromLeafEdge *of, double s)
{
    if (s != 0.0 && s != 1.0) return 3 + of->k;
    const uint8_t *local = leaf->tree->local[leaf->node->first + of->triangle];
    return local[of->k] == (s == 0.0 ? of->p : of->q) ? of->k : of->k == 2 ? 0 : of->k + 1;
}

static void look_at_two(caromMeshSearch *s, const Leaf *a, const HighEdge *x, const Leaf *b, const HighEdge *y)
{
    double reach = s->least + x->half + y->half;
    if (x->h + y->h < -s->least || (x->falls && y->falls) || carom_norm2(carom_sub(y->middle, x->middle)) > reach*reach)
        return;
    caromEdgesGap g = carom_narrow_edges_gap(&x->edge, &y->edge);
    if (g.g2 > s->best.gap.g2) return;
    caromTriangleGap gap = { g.g2, g.x, g.y, feature_on(a, x->of, g.s), feature_on(b, y->of, g.t) };
    take(s, &gap, a->node->first + x->of->triangle, b->node->first + y->of->triangle, 3*x->of->k + y->of->k);
}

// Edges from the vertex that fall away from w, the way to the other vertex: clearly, so that carom_narrow_edges_gap of
// any two such would end exactly at the vertices. The first; -1: none does.
static int mark_falling(HighEdges *high, caromVec3 w)
{
    const Leaf *leaf = high->leaf;
    HighEdge *sides = high->edges;
    const double clearly = CAROM_MESHGAP_CLEARLY;
    int first = -1;
    for (int i = high->n - 1; i >= 0; i--) {
        const caromLeafEdge *of = sides[i].of;
        if (of->p != leaf->highest && of->q != leaf->highest) continue;
        double along = of->p == leaf->highest ? carom_dot(sides[i].edge.d, w) : -carom_dot(sides[i].edge.d, w);
        if (!(along < 0.0 && along*along > clearly*clearly*sides[i].edge.d2*carom_norm2(w))) continue;
        sides[i].falls = true;
        first = i;
    }
    return first;
}

// Two vertices are nearest in most of the cases where the meshes are far apart, and each is at the end of several
// edges: these are looked at once instead of each with each.
static void look_at_highest(caromMeshSearch *s, HighEdges *high_a, HighEdges *high_b)
{
    const Leaf *a = high_a->leaf, *b = high_b->leaf;
    caromVec3 x = a->p[a->highest], y = b->p[b->highest], w = carom_sub(y, x);
    int i = mark_falling(high_a, w), j = mark_falling(high_b, carom_neg(w));
    if (i < 0 || j < 0) return;
    const caromLeafEdge *e = high_a->edges[i].of, *f = high_b->edges[j].of;
    caromTriangleGap gap = { carom_norm2(w), x, y, feature_on(a, e, e->p == a->highest ? 0.0 : 1.0),
                             feature_on(b, f, f->p == b->highest ? 0.0 : 1.0) };
    take(s, &gap, a->node->first + e->triangle, b->node->first + f->triangle, 3*e->k + f->k);
}

// ---- a vertex over a triangle

static int faces_above(const Leaf *leaf, double h_least, LeafFace faces[CAROM_MESH_LEAF])
{
    int n = 0;
    for (int i = leaf->node->first; i < leaf->node->first + leaf->node->count; i++) {
        const uint8_t *local = leaf->tree->local[i];
        double h = carom_meshgap_most3(leaf->h[local[0]], leaf->h[local[1]], leaf->h[local[2]]);
        if (h < h_least) continue;
        LeafFace *face = &faces[n++];
        for (int k = 0; k < 3; k++) face->corners[k] = leaf->p[local[k]];
        face->n = carom_cross(carom_sub(face->corners[1], face->corners[0]),
                              carom_sub(face->corners[2], face->corners[0]));
        face->n2 = carom_norm2(face->n);
        face->h = h;
        face->place = i;
    }
    return n;
}

// Those that belong to the leaf.
static int vertices_above(const Leaf *leaf, double h_least, int vertices[POINTS_MAX])
{
    const int *first_corner = leaf->tree->first_corner + leaf->node->first_point;
    int n = 0;
    for (int i = 0; i < leaf->n; i++)
        if (leaf->h[i] >= h_least && first_corner[i] >= 0) vertices[n++] = i;
    return n;
}

static void look_at_vertex(caromMeshSearch *s, const Leaf *leaf, int i, const LeafFace *face, bool is_leaf_of_a)
{
    caromVec3 v = leaf->p[i];
    if (leaf->h[i] + face->h < -s->least) return;
    double h = carom_dot(face->n, carom_sub(v, face->corners[0]));
    if (h*h > s->least*s->least*face->n2 || !(face->n2 > 0.0) || !carom_triangle_is_under(face->corners, face->n, v))
        return;
    caromVec3 foot = carom_axpy(-h/face->n2, face->n, v);
    double g2 = carom_norm2(carom_sub(v, foot));
    int corner = leaf->tree->first_corner[leaf->node->first_point + i], place = corner/3, k = corner%3;
    caromTriangleGap over_a = { g2, foot, v, 6, k }, over_b = { g2, v, foot, k, 6 };
    if (is_leaf_of_a) take(s, &over_b, place, face->place, 12 + k);
    else take(s, &over_a, face->place, place, 9 + k);
}

static void look_at_faces(caromMeshSearch *s, const LeafFace *a, const LeafFace *b)
{
    caromVec3 middle;
    if (a->h + b->h < -s->slack || !carom_narrow_triangles_cross(a->corners, a->n, b->corners, b->n, &middle)) return;
    caromTriangleGap gap = { 0.0, middle, middle, 6, 6 };
    take(s, &gap, a->place, b->place, 15);
}

static void look_at_edges(caromMeshSearch *s, const Leaf *a, const Leaf *b)
{
    HighEdges high_a, high_b;
    edges_above(a, -s->least - b->top, &high_a);
    edges_above(b, -s->least - a->top, &high_b);
    look_at_highest(s, &high_a, &high_b);
    for (int i = 0; i < high_a.n; i++)
        for (int j = 0; j < high_b.n; j++) look_at_two(s, a, &high_a.edges[i], b, &high_b.edges[j]);
}

static void look_at_insides(caromMeshSearch *s, const Leaf *a, const Leaf *b)
{
    LeafFace faces_a[CAROM_MESH_LEAF], faces_b[CAROM_MESH_LEAF];
    int vertices_a[POINTS_MAX], vertices_b[POINTS_MAX];
    double h_a = -s->least - b->top, h_b = -s->least - a->top;
    int na = vertices_above(a, h_a, vertices_a), nb = vertices_above(b, h_b, vertices_b);
    bool may_cross = a->top + b->top >= -s->slack;
    int ma = nb > 0 || may_cross ? faces_above(a, h_a, faces_a) : 0, mb = na > 0 ||
                                                                          may_cross ? faces_above(b, h_b, faces_b) : 0;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < mb; j++) look_at_vertex(s, a, vertices_a[i], &faces_b[j], true);
    for (int j = 0; j < nb; j++)
        for (int i = 0; i < ma; i++) look_at_vertex(s, b, vertices_b[j], &faces_a[i], false);
    for (int i = 0; may_cross && i < ma; i++)
        for (int j = 0; j < mb; j++) look_at_faces(s, &faces_a[i], &faces_b[j]);
}

// The normal may turn meanwhile: heights along the one before say as much as before.
void carom_meshgap_leaves_nearest(caromMeshSearch *s, const caromMeshNode *node_a, const caromMeshNode *node_b)
{
    const Leaf *a = leaf_of_a(s, node_a), *b = leaf_of_b(s, node_b);
    if (a->top + b->top < -s->least) return;
    look_at_edges(s, a, b);
    if (a->top + b->top >= -s->least) look_at_insides(s, a, b);
}

// ---- every two triangles

typedef struct Ball {
    caromVec3 corners[3], middle;
    double radius, h;
    int place;
} Ball;

static int balls_above(const Leaf *leaf, double h_least, Ball balls[CAROM_MESH_LEAF])
{
    int n = 0;
    for (int i = leaf->node->first; i < leaf->node->first + leaf->node->count; i++) {
        const uint8_t *local = leaf->tree->local[i];
        double h = carom_meshgap_most3(leaf->h[local[0]], leaf->h[local[1]], leaf->h[local[2]]), far2[3];
        if (h < h_least) continue;
        Ball *ball = &balls[n++];
        for (int k = 0; k < 3; k++) ball->corners[k] = leaf->p[local[k]];
        ball->middle = carom_scale(1.0/3.0, carom_add(ball->corners[0], carom_add(ball->corners[1], ball->corners[2])));
        for (int k = 0; k < 3; k++) far2[k] = carom_norm2(carom_sub(ball->corners[k], ball->middle));
        ball->radius = sqrt(carom_meshgap_most3(far2[0], far2[1], far2[2]));
        ball->h = h;
        ball->place = i;
    }
    return n;
}

// By the normal of the last pair, by balls around them, and along the line between the middles.
static bool are_farther(const caromMeshSearch *s, const Ball *a, const Ball *b)
{
    if (a->h + b->h < -s->least) return true;
    caromVec3 d = carom_sub(b->middle, a->middle);
    double reach = s->least + a->radius + b->radius, d2 = carom_norm2(d);
    if (d2 > reach*reach) return true;
    double low = carom_meshgap_lowest(b->corners, d) - carom_meshgap_highest(a->corners, d);
    return low > 0.0 && low*low > s->least*s->least*d2;
}

void carom_meshgap_leaves_each(caromMeshSearch *s, const caromMeshNode *node_a, const caromMeshNode *node_b)
{
    const Leaf *a = leaf_of_a(s, node_a), *b = leaf_of_b(s, node_b);
    Ball balls_a[CAROM_MESH_LEAF], balls_b[CAROM_MESH_LEAF];
    caromTriangleGap nearest = { .g2 = INFINITY };
    int na = balls_above(a, -s->least - b->top, balls_a), nb = balls_above(b, -s->least - a->top, balls_b);
    for (int j = 0; j < nb; j++)
        for (int i = 0; i < na; i++) {
            if (are_farther(s, &balls_a[i], &balls_b[j])) continue;
            int x = balls_a[i].place, y = balls_b[j].place;
            caromTriangleGap gap = carom_narrow_triangles_gap(balls_a[i].corners, a->tree->vertices[x],
                                                              balls_b[j].corners, b->tree->vertices[y]);
            s->visit(s->user, &gap, x, y);
            if (gap.g2 < nearest.g2 && gap.g2 > 0.0) nearest = gap;
        }
    if (isfinite(nearest.g2))
        carom_meshgap_look_along(s, carom_scale(1.0/sqrt(nearest.g2), carom_sub(nearest.y, nearest.x)));
}
