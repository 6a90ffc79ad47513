// The nearest points of two leaves.
//
// Not triangle by triangle, which would look at an edge as often as there are triangles around it: an edge belongs to the leaf with its first triangle, a vertex likewise, and the nearest points of two surfaces that do
// not cross are on two edges, or on a vertex and a triangle. Of all these only those are looked at that reach close enough along the normal of the best pair: with  h(x) = d.x on A and -d.x on B
// a point of A and one of B are at least -(h_A + h_B) apart.
#include "collide/edges.h"
#include "collide/mesh_search.h"

enum { POINTS_MAX = 3*CAROM_MESH_LEAF };

typedef struct Leaf {
    const caromMeshTree *tree;
    const caromMeshNode *node;
    int n;
    caromVec3 p[POINTS_MAX];  // in the frame of A
    double h[POINTS_MAX];
    double top;               // the largest of h
} Leaf;

// What reaches as high as is of interest.
typedef struct Side {
    caromEdge edge;
    caromVec3 middle;
    double half, h;           // half the length
    const caromLeafEdge *of;
} Side;

typedef struct Face {
    caromVec3 corners[3], n;
    double n2, h;
    int place;
} Face;

static void measure(Leaf *leaf, caromVec3 d)
{
    leaf->top = -INFINITY;
    for (int i = 0; i < leaf->n; i++) {
        leaf->h[i] = carom_dot(d, leaf->p[i]);
        leaf->top = carom_most(leaf->top, leaf->h[i]);
    }
}

static void leaf_of_a(const caromMeshSearch *s, const caromMeshNode *node, Leaf *leaf)
{
    leaf->tree = &s->p->a->tree;
    leaf->node = node;
    leaf->n = node->npoint;
    for (int i = 0; i < leaf->n; i++) leaf->p[i] = leaf->tree->points[node->first_point + i];
    measure(leaf, s->d_A);
}

static void leaf_of_b(const caromMeshSearch *s, const caromMeshNode *node, Leaf *leaf)
{
    leaf->tree = &s->p->b->tree;
    leaf->node = node;
    leaf->n = node->npoint;
    for (int i = 0; i < leaf->n; i++) leaf->p[i] = carom_add(s->p->t, carom_mul(s->p->R, leaf->tree->points[node->first_point + i]));
    measure(leaf, carom_neg(s->d_A));
}

// ---- who came first

// A pair of features is ranked by the places of its triangles, then by kind: 0 .. 8 edges, 9 .. 11 a corner of B over A, 12 .. 14 of A over B, 15 triangles that cross.
static void take(caromMeshSearch *s, const caromTriangleGap *gap, int place_a, int place_b, int rank)
{
    const caromNearest *best = &s->best;
    if (gap->g2 > best->gap.g2) return;
    if (gap->g2 == best->gap.g2) {
        if (place_a != best->place_a ? place_a > best->place_a : place_b != best->place_b ? place_b > best->place_b : rank >= s->rank) return;
    }
    bool is_nearer = gap->g2 < best->gap.g2;
    s->best = (caromNearest){ *gap, place_a, place_b };
    s->rank = rank;
    if (!is_nearer) return;
    double distance = sqrt(gap->g2);
    s->least = carom_least(s->least, distance + s->slack);
    if (distance > 0.0) carom_mesh_look_along(s, carom_scale(1.0/distance, carom_sub(gap->y, gap->x)));
}

// ---- edges

static int sides_above(const Leaf *leaf, double h_least, Side sides[POINTS_MAX])
{
    int n = 0;
    for (int i = leaf->node->first_edge; i < leaf->node->first_edge + leaf->node->nedge; i++) {
        const caromLeafEdge *of = &leaf->tree->leaf_edges[i];
        double h = carom_most(leaf->h[of->p], leaf->h[of->q]);
        if (h < h_least) continue;
        Side *side = &sides[n++];
        side->edge = carom_edge(leaf->p[of->p], leaf->p[of->q]);
        side->middle = carom_scale(0.5, carom_add(side->edge.p, side->edge.q));
        side->half = 0.5*sqrt(side->edge.d2);
        side->h = h;
        side->of = of;
    }
    return n;
}

static int feature_on(const Leaf *leaf, const caromLeafEdge *of, double s)
{
    if (s != 0.0 && s != 1.0) return 3 + of->k;
    const uint8_t *local = leaf->tree->local[leaf->node->first + of->triangle];
    return local[of->k] == (s == 0.0 ? of->p : of->q) ? of->k : of->k == 2 ? 0 : of->k + 1;
}

static void look_at_sides(caromMeshSearch *s, const Leaf *a, const Side *x, const Leaf *b, const Side *y)
{
    double reach = s->least + x->half + y->half;
    if (x->h + y->h < -s->least || carom_norm2(carom_sub(y->middle, x->middle)) > reach*reach) return;
    caromEdgesGap g = carom_edges_gap(&x->edge, &y->edge);
    if (g.g2 > s->best.gap.g2) return;
    caromTriangleGap gap = { g.g2, g.x, g.y, feature_on(a, x->of, g.s), feature_on(b, y->of, g.t) };
    take(s, &gap, a->node->first + x->of->triangle, b->node->first + y->of->triangle, 3*x->of->k + y->of->k);
}

// ---- a vertex over a triangle

static int faces_above(const Leaf *leaf, double h_least, Face faces[CAROM_MESH_LEAF])
{
    int n = 0;
    for (int i = leaf->node->first; i < leaf->node->first + leaf->node->count; i++) {
        const uint8_t *local = leaf->tree->local[i];
        double h = carom_most3(leaf->h[local[0]], leaf->h[local[1]], leaf->h[local[2]]);
        if (h < h_least) continue;
        Face *face = &faces[n++];
        for (int k = 0; k < 3; k++) face->corners[k] = leaf->p[local[k]];
        face->n = carom_cross(carom_sub(face->corners[1], face->corners[0]), carom_sub(face->corners[2], face->corners[0]));
        face->n2 = carom_norm2(face->n);
        face->h = h;
        face->place = i;
    }
    return n;
}

// Of the vertices that belong to the leaf.
static void look_at_vertices(caromMeshSearch *s, const Leaf *leaf, const Face *face, bool is_leaf_of_a)
{
    const int *first_corner = leaf->tree->first_corner + leaf->node->first_point;
    for (int i = 0; i < leaf->n; i++) {
        if (leaf->h[i] + face->h < -s->least || first_corner[i] < 0) continue;
        caromVec3 v = leaf->p[i];
        double h = carom_dot(face->n, carom_sub(v, face->corners[0]));
        if (h*h > s->least*s->least*face->n2 || !(face->n2 > 0.0) || !carom_triangle_is_under(face->corners, face->n, v)) continue;
        caromVec3 foot = carom_axpy(-h/face->n2, face->n, v);
        double g2 = carom_norm2(carom_sub(v, foot));
        int place = first_corner[i]/3, k = first_corner[i]%3;
        caromTriangleGap over_a = { g2, foot, v, 6, k }, over_b = { g2, v, foot, k, 6 };
        if (is_leaf_of_a) take(s, &over_b, place, face->place, 12 + k);
        else take(s, &over_a, face->place, place, 9 + k);
    }
}

static void look_at_faces(caromMeshSearch *s, const Face *a, const Face *b)
{
    caromVec3 middle;
    if (a->h + b->h < -s->slack || !carom_triangles_cross(a->corners, b->corners, &middle)) return;
    caromTriangleGap gap = { 0.0, middle, middle, 6, 6 };
    take(s, &gap, a->place, b->place, 15);
}

void carom_mesh_leaves_nearest(caromMeshSearch *s, const caromMeshNode *node_a, const caromMeshNode *node_b)
{
    Leaf a, b;
    leaf_of_a(s, node_a, &a);
    leaf_of_b(s, node_b, &b);
    if (a.top + b.top < -s->least) return;
    Side sides_a[POINTS_MAX], sides_b[POINTS_MAX];
    int na = sides_above(&a, -s->least - b.top, sides_a), nb = sides_above(&b, -s->least - a.top, sides_b);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) look_at_sides(s, &a, &sides_a[i], &b, &sides_b[j]);
    Face faces_a[CAROM_MESH_LEAF], faces_b[CAROM_MESH_LEAF];
    int ma = faces_above(&a, -s->least - b.top, faces_a), mb = faces_above(&b, -s->least - a.top, faces_b);
    for (int j = 0; j < mb; j++) look_at_vertices(s, &a, &faces_b[j], true);
    for (int i = 0; i < ma; i++) {
        look_at_vertices(s, &b, &faces_a[i], false);
        for (int j = 0; j < mb; j++) look_at_faces(s, &faces_a[i], &faces_b[j]);
    }
}
