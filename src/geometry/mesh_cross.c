// Does a surface cross itself? Triangles whose boxes overlap, by the hierarchy; most are neighbours in a
// surface that is in order, and one of a few planes shows that they meet in what they share only. The rest is
// decided by exact signs.
//
// What counts: an edge of one passes through the inside of the other, or through an edge of it and there from above to
// below of both triangles at that edge, ends strictly on the two sides; in a common plane, two that face the same way
// and overlap in an area; neighbours at an edge of two triangles that are folded back onto each other. What does not: a
// corner on an edge or a face, edges that touch in a point, parts that touch along a plane and face opposite ways.
#include "geometry/mesh.h"

#include <float.h>

#include "base/base.h"
#include "geometry/exact.h"

// Steps of the search, some nanoseconds each. Surfaces in order need 60 for a triangle (a torus) to 170 (a plane);
// where all triangles meet there would be no end.
#define STEPS_PER_TRIANGLE 250
enum { STEPS_AT_LEAST = 20000000, STEPS_OF_PAIR = 8, STEPS_OF_EXACT = 64 };

typedef struct Box { caromVec3 low, high; } Box;
typedef struct Corners { caromVec3 p[3]; bool is_shared[3]; } Corners;

typedef struct CrossingSearch {
    const caromMesh *mesh;
    Box *boxes;             // of nodes, along the axes of the mesh   [nnode]
    Box *triangle_boxes;    // by place   [ntriangle]
    bool *is_flat;          // by place: without area, its plane is anywhere   [ntriangle]
    int (*mates)[2];        // places of the triangles at an edge; -1: none, or more than two   [nedge]
    int64_t steps, steps_max;
    int crossings, crossings_max;
} CrossingSearch;

// ---- boxes

// Comparisons: fmin and fmax are calls, for the sake of NaN.
static double lower(double a, double b) { return a < b ? a : b; }
static double upper(double a, double b) { return a > b ? a : b; }

static Box box_around(Box a, Box b)
{
    return (Box){ carom_vec(lower(a.low.x, b.low.x), lower(a.low.y, b.low.y), lower(a.low.z, b.low.z)),
                  carom_vec(upper(a.high.x, b.high.x), upper(a.high.y, b.high.y), upper(a.high.z, b.high.z)) };
}

static Box box_of(const caromVec3 p[3])
{
    return box_around((Box){ p[0], p[0] }, box_around((Box){ p[1], p[1] }, (Box){ p[2], p[2] }));
}

static bool boxes_overlap(const Box *a, const Box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Children come behind their parents.
static void make_boxes(CrossingSearch *s)
{
    const caromMeshTree *tree = &s->mesh->tree;
    for (int i = 0; i < s->mesh->ntriangle; i++) s->triangle_boxes[i] = box_of(tree->corners[i]);
    for (int i = tree->nnode - 1; i >= 0; i--) {
        const caromMeshNode *node = &tree->nodes[i];
        if (node->count == 0) {
            s->boxes[i] = box_around(s->boxes[node->first], s->boxes[node->first + 1]);
            continue;
        }
        s->boxes[i] = s->triangle_boxes[node->first];
        for (int k = 1; k < node->count; k++) s->boxes[i] = box_around(s->boxes[i], s->triangle_boxes[node->first + k]);
    }
}

// ---- two triangles, quickly

static double longest(const caromVec3 edge[3])
{
    return sqrt(upper(carom_norm2(edge[0]), upper(carom_norm2(edge[1]), carom_norm2(edge[2]))));
}

// Are the corners of b that are not shared all beyond the plane through o with normal m, or all (where both is asked
// for) before it? A corner is off by less than slack times its distance or length, whichever is larger.
static bool is_beyond(caromVec3 m, caromVec3 o, const Corners *b, double slack, double length, bool both)
{
    int beyond = 0, before = 0, n = 0;
    for (int k = 0; k < 3; k++) {
        if (b->is_shared[k]) continue;
        caromVec3 d = carom_sub(b->p[k], o);
        double s = carom_dot(m, d), size = fabs(d.x) + fabs(d.y) + fabs(d.z),
               tolerance = slack*(size > length ? size : length);
        beyond += s > tolerance;
        before += s < -tolerance;
        n++;
    }
    return beyond == n || (both && before == n);
}

// The plane of a, and the planes square to it through its edges, have b on the other side: they meet in what they
// share at most. An edge counts only if what is shared is on it. Rounding of a normal is below 8 eps times the
// square of the longest edge.
static bool seems_apart(const Corners *a, const Corners *b)
{
    caromVec3 edge[3] = { carom_sub(a->p[1], a->p[0]), carom_sub(a->p[2], a->p[1]), carom_sub(a->p[0], a->p[2]) };
    caromVec3 n = carom_cross(edge[0], edge[1]);
    double length = longest(edge), slack = 16.0*DBL_EPSILON*length*length;
    if (is_beyond(n, a->p[0], b, slack, length, true)) return true;
    for (int k = 0; k < 3; k++) {
        if (a->is_shared[(k + 2)%3]) continue;
        if (is_beyond(carom_cross(edge[k], n), a->p[k], b, 4.0*slack*length, length, false)) return true;
    }
    return false;
}

// ---- two triangles, exactly

// The triangle on the other side of edge k of the one at place i; NULL: there is none, or more than one.
static const caromVec3 *neighbour(const CrossingSearch *s, int i, int k)
{
    const int *mate = s->mates[s->mesh->tree.edges[i][k]];
    int other = mate[0] == i ? mate[1] : mate[0];
    return other < 0 || s->is_flat[other] ? NULL : s->mesh->tree.corners[other];
}

// Where a line meets edge k of triangle i, ends p and q on the two sides of it: are they on the same two
// sides of its neighbour?
static bool passes_edge(const CrossingSearch *s, int i, int k, caromVec3 p, caromVec3 q, int side_p)
{
    const caromVec3 *t = neighbour(s, i, k);
    return t && carom_geometry_side_of_plane(t[0], t[1], t[2], p) == side_p &&
           carom_geometry_side_of_plane(t[0], t[1], t[2], q) == -side_p;
}

// The line from p to q turns the same way round the three edges of the triangle at place i where it passes inside.
static bool line_pierces(const CrossingSearch *s, int i, caromVec3 p, caromVec3 q, int side_p, int side_q)
{
    if (side_p*side_q >= 0) return false;
    const caromVec3 *t = s->mesh->tree.corners[i];
    int positive = 0, negative = 0, on = -1;
    for (int k = 0; k < 3; k++) {
        int side = carom_geometry_side_of_plane(p, q, t[k], t[(k + 1)%3]);
        positive += side > 0;
        negative += side < 0;
        if (side == 0) on = k;
    }
    if (positive == 3 || negative == 3) return true;
    return (positive == 2 || negative == 2) && positive*negative == 0 && passes_edge(s, i, on, p, q, side_p);
}

// Some edge of a passes through the triangle at place i. Sides of corners that are shared are 0, so their edges do not.
static bool pierces(const CrossingSearch *s, const caromVec3 a[3], const int side[3], int i)
{
    for (int k = 0; k < 3; k++)
        if (line_pierces(s, i, a[k], a[(k + 1)%3], side[k], side[(k + 1)%3])) return true;
    return false;
}

static int largest_axis(caromVec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static bool edge_separates(const caromVec3 a[3], int turn, const caromVec3 b[3], int axis)
{
    for (int k = 0; k < 3; k++) {
        bool separates = true;
        for (int i = 0; i < 3 && separates; i++)
            separates = carom_geometry_turn_in_plane(a[k], a[(k + 1)%3], b[i], axis)*turn <= 0;
        if (separates) return true;
    }
    return false;
}

// In a common plane: an area belongs to both. Then turns says whether they face the same way (1) or not (-1).
static bool overlap_in_plane(const caromVec3 a[3], const caromVec3 b[3], int *turns)
{
    int axis = largest_axis(carom_cross(carom_sub(a[1], a[0]), carom_sub(a[2], a[0])));
    int turn_a = carom_geometry_turn_in_plane(a[0], a[1], a[2], axis),
        turn_b = carom_geometry_turn_in_plane(b[0], b[1], b[2], axis);
    *turns = turn_a*turn_b;
    return *turns != 0 && !edge_separates(a, turn_a, b, axis) && !edge_separates(b, turn_b, a, axis);
}

static void sides_of(const caromVec3 plane[3], const Corners *of, int side[3])
{
    for (int k = 0; k < 3; k++)
        side[k] = of->is_shared[k] ? 0 : carom_geometry_side_of_plane(plane[0], plane[1], plane[2], of->p[k]);
}

static bool are_all_zero(const int side[3])
{
    return side[0] == 0 && side[1] == 0 && side[2] == 0;
}

static bool cross(const CrossingSearch *s, int i, int j, const Corners *a, const Corners *b, bool is_fold_wrong)
{
    int side_a[3], side_b[3], turns;
    sides_of(a->p, b, side_b);
    if (are_all_zero(side_b)) return overlap_in_plane(a->p, b->p, &turns) && (turns > 0 || is_fold_wrong);
    sides_of(b->p, a, side_a);
    return pierces(s, b->p, side_b, i) || pierces(s, a->p, side_a, j);
}

// ---- pairs

// The edge that the triangles at two places share; -1: none.
static int common_edge(const caromMeshTree *tree, int i, int j)
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            if (tree->edges[i][k] == tree->edges[j][l]) return tree->edges[i][k];
    return -1;
}

static int mark_shared(const caromMeshTree *tree, int i, int j, Corners *a, Corners *b)
{
    int n = 0;
    for (int k = 0; k < 3; k++) a->is_shared[k] = b->is_shared[k] = false;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            if (tree->vertices[i][k] == tree->vertices[j][l]) a->is_shared[k] = b->is_shared[l] = true, n++;
    for (int k = 0; k < 3; k++) a->p[k] = tree->corners[i][k], b->p[k] = tree->corners[j][k];
    return n;
}

static void look_at_pair(CrossingSearch *s, int i, int j)
{
    const caromMeshTree *tree = &s->mesh->tree;
    Corners a, b;
    if (!boxes_overlap(&s->triangle_boxes[i], &s->triangle_boxes[j]) || s->is_flat[i] || s->is_flat[j]) return;
    s->steps += STEPS_OF_PAIR;
    int nshared = mark_shared(tree, i, j, &a, &b);
    if (nshared == 3 || seems_apart(&a, &b) || seems_apart(&b, &a)) return;  // 3: the wall between solids that touch
    s->steps += STEPS_OF_EXACT;
    bool is_fold_wrong = nshared == 2 && s->mates[common_edge(tree, i, j)][1] >= 0;
    s->crossings += cross(s, i, j, &a, &b, is_fold_wrong);
}

static bool is_enough(const CrossingSearch *s)
{
    return s->crossings >= s->crossings_max || s->steps > s->steps_max;
}

static void look_at_leaves(CrossingSearch *s, const caromMeshNode *m, const caromMeshNode *n)
{
    for (int i = m->first; i < m->first + m->count; i++)
        for (int j = m == n ? i + 1 : n->first; j < n->first + n->count && !is_enough(s); j++) look_at_pair(s, i, j);
}

typedef struct TrianglePair { int a, b; } TrianglePair;

// Below a node with itself are its children with themselves and with each other; else the node with the larger box is
// opened.
static int open_pair(const CrossingSearch *s, TrianglePair p, TrianglePair below[3])
{
    const caromMeshNode *a = &s->mesh->tree.nodes[p.a], *b = &s->mesh->tree.nodes[p.b];
    if (p.a == p.b) {
        below[0] = (TrianglePair){ a->first, a->first };
        below[1] = (TrianglePair){ a->first + 1, a->first + 1 };
        below[2] = (TrianglePair){ a->first, a->first + 1 };
        return 3;
    }
    bool opens_a = b->count > 0 || (a->count == 0 && a->half.x >= b->half.x);
    below[0] = opens_a ? (TrianglePair){ a->first, p.b } : (TrianglePair){ p.a, b->first };
    below[1] = opens_a ? (TrianglePair){ a->first + 1, p.b } : (TrianglePair){ p.a, b->first + 1 };
    return 2;
}

// A pair leaves two more at most on the stack, and goes down by one level in one of its two nodes.
static void search(CrossingSearch *s)
{
    TrianglePair stack[4*CAROM_MESH_DEPTH_MAX + 4] = { { 0, 0 } };
    const caromMeshNode *nodes = s->mesh->tree.nodes;
    int n = 1;
    while (n > 0 && !is_enough(s)) {
        TrianglePair p = stack[--n], below[3];
        s->steps++;
        if (p.a != p.b && !boxes_overlap(&s->boxes[p.a], &s->boxes[p.b])) continue;
        if (nodes[p.a].count > 0 && nodes[p.b].count > 0) {
            look_at_leaves(s, &nodes[p.a], &nodes[p.b]);
            continue;
        }
        for (int i = open_pair(s, p, below); i > 0; i--) stack[n++] = below[i - 1];
    }
}

static bool find_mates(CrossingSearch *s)
{
    const caromMeshTree *tree = &s->mesh->tree;
    int *count = carom_alloc_array((size_t)tree->nedge, sizeof *count);
    if (!count) return false;
    for (int e = 0; e < tree->nedge; e++) s->mates[e][0] = s->mates[e][1] = -1;
    for (int i = 0; i < s->mesh->ntriangle; i++)
        for (int k = 0; k < 3; k++) {
            int e = tree->edges[i][k];
            if (count[e] < 2) s->mates[e][count[e]] = i;
            else s->mates[e][0] = s->mates[e][1] = -1;
            count[e] += count[e] < 3;
        }
    free(count);
    return true;
}

static bool search_begin(CrossingSearch *s, const caromMesh *mesh, int crossings_max)
{
    const caromMeshTree *tree = &mesh->tree;
    size_t n = (size_t)mesh->ntriangle;
    *s = (CrossingSearch){ .mesh = mesh, .boxes = carom_alloc_array((size_t)tree->nnode, sizeof *s->boxes),
                           .triangle_boxes = carom_alloc_array(n, sizeof *s->triangle_boxes),
                           .is_flat = carom_alloc_array(n, sizeof *s->is_flat),
                           .mates = carom_alloc_array((size_t)tree->nedge, sizeof *s->mates),
                           .steps_max = STEPS_AT_LEAST + (int64_t)STEPS_PER_TRIANGLE*mesh->ntriangle,
                           .crossings_max = crossings_max };
    if (!s->boxes || !s->triangle_boxes || !s->is_flat || !s->mates) return false;
    make_boxes(s);
    for (int i = 0; i < mesh->ntriangle; i++) s->is_flat[i] = carom_mesh_is_flat(mesh, tree->triangle[i]);
    return find_mates(s);
}

static void search_end(CrossingSearch *s)
{
    free(s->boxes);
    free(s->triangle_boxes);
    free(s->is_flat);
    free(s->mates);
}

bool carom_mesh_find_crossings(const caromMesh *mesh, caromMeshReport *report)
{
    CrossingSearch s;
    bool good = search_begin(&s, mesh, CAROM_MESH_CROSSINGS_MAX);
    if (good) {
        search(&s);
        report->crossings = s.crossings;
        report->are_crossings_counted = !is_enough(&s);
    }
    search_end(&s);
    return good;
}
