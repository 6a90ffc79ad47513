// The nearest triangles of two meshes.
#include "meshgap/scales.h"
#include "meshgap/search.h"

caromMeshPair carom_meshgap_pair(const caromMesh *a, const caromPose *X_WA, const caromMesh *b, const caromPose *X_WB)
{
    caromPose X_AB = carom_pose_relative(*X_WA, *X_WB);
    return (caromMeshPair){ a, b, X_AB.R, X_AB.p,
                            a->reach + b->reach + fabs(X_AB.p.x) + fabs(X_AB.p.y) + fabs(X_AB.p.z) };
}

typedef caromMeshSearch NodeSearch;

void carom_meshgap_look_along(NodeSearch *s, caromVec3 d)
{
    s->d_A = d;
    s->up_A = carom_meshgap_probe(d);
    s->down_B = carom_meshgap_probe(carom_neg(carom_tmul(s->p->R, d)));
    s->shift = carom_dot(d, s->p->t);
    s->turns++;
}

// ---- lower bounds of the distance of two nodes: along the normal of the best pair, and along the line between the
// centres

typedef struct NodeItem {
    int a, b;
    double bound;
    double reach_a, reach_b;  // along the normal, after so many turns of it
    int turns;
} NodeItem;

// What a node needs to be asked; the centre in the frame of A.
typedef struct NodePair {
    const caromMeshTree *tree;
    const caromMeshNode *node;
    caromVec3 centre;
    double reach;
} NodePair;

static NodePair node_of_a(const NodeSearch *s, int i)
{
    const caromMeshTree *tree = &s->p->a->tree;
    return (NodePair){ tree, &tree->nodes[i], tree->nodes[i].centre, 0.0 };
}

static NodePair node_of_b(const NodeSearch *s, int i)
{
    const caromMeshTree *tree = &s->p->b->tree;
    return (NodePair){ tree, &tree->nodes[i], carom_add(s->p->t, carom_mul(s->p->R, tree->nodes[i].centre)), 0.0 };
}

// As carom_meshgap_node_reach, but the weights are found only where they are needed.
static double reach_along(const NodePair *x, caromVec3 d)
{
    caromProbe probe = { .d = d };
    if (x->node->reach >= 0) probe = carom_meshgap_probe(d);
    return carom_meshgap_node_reach(x->tree, x->node, &probe);
}

static double between_centres(const NodeSearch *s, const NodePair *a, const NodePair *b)
{
    caromVec3 d = carom_sub(b->centre, a->centre);
    double length2 = carom_norm2(d), needed = s->least;
    if (!(length2 > needed*needed)) return 0.0;
    double length = sqrt(length2), room = carom_dot(d, s->p->t) - reach_along(a, d);
    return (room - reach_along(b, carom_neg(carom_tmul(s->p->R, d))))/length;
}

// Square to the flatter side of a box, which is about where the surface in it looks: along that the box itself
// says how far it reaches.
static double across(const NodeSearch *s, const NodePair *a, const NodePair *b, bool of_a)
{
    const caromMeshNode *box = of_a ? a->node : b->node;
    caromVec3 n = of_a ? box->axes.cz : carom_mul(s->p->R, box->axes.cz), apart = carom_sub(b->centre, a->centre);
    double along = carom_dot(n, apart);
    if (fabs(along) - box->half.z <= s->least) return 0.0;
    if (along < 0.0) n = carom_neg(n);
    // n.(x_B - x_A) for the nearest points along n
    if (of_a)
        return carom_dot(n, carom_sub(s->p->t, a->centre)) - box->half.z -
               reach_along(b, carom_neg(carom_tmul(s->p->R, n)));
    return carom_dot(n, b->centre) - box->half.z - reach_along(a, n);
}

static void push(const NodeSearch *s, const NodePair *a, const NodePair *b, NodeItem *item)
{
    item->reach_a = a->reach;
    item->reach_b = b->reach;
    item->turns = s->turns;
    item->bound = s->shift - a->reach - b->reach;
    if (item->bound <= s->least) item->bound = carom_meshgap_most(item->bound, between_centres(s, a, b));
    // Of larger nodes only where there is no normal to go by.
    bool is_worth_it = s->least <= s->slack || (a->node->count > 0 && b->node->count > 0);
    if (is_worth_it && item->bound <= s->least) item->bound = carom_meshgap_most(item->bound, across(s, a, b, true));
    if (is_worth_it && item->bound <= s->least) item->bound = carom_meshgap_most(item->bound, across(s, a, b, false));
}

// The larger node is opened; the nearer half is looked at first.
static int open_pair(const NodeSearch *s, NodeItem top, NodeItem stack[], int n)
{
    NodePair a = node_of_a(s, top.a), b = node_of_b(s, top.b);
    bool opens_a = b.node->count > 0 || (a.node->count == 0 && a.node->half.x >= b.node->half.x);
    NodeItem half[2];
    a.reach = top.reach_a, b.reach = top.reach_b;
    for (int k = 0; k < 2; k++) {
        half[k].a = opens_a ? a.node->first + k : top.a;
        half[k].b = opens_a ? top.b : b.node->first + k;
        NodePair x = opens_a ? node_of_a(s, half[k].a) : node_of_b(s, half[k].b);
        x.reach = carom_meshgap_node_reach(x.tree, x.node, opens_a ? &s->up_A : &s->down_B);
        push(s, opens_a ? &x : &a, opens_a ? &b : &x, &half[k]);
    }
    bool in_order = half[0].bound <= half[1].bound;
    if (half[in_order].bound <= s->least) stack[n++] = half[in_order];
    if (half[!in_order].bound <= s->least) stack[n++] = half[!in_order];
    return n;
}

// Is it still of interest, with the normal that is known now?
static bool is_close(const NodeSearch *s, NodeItem *item, const caromMeshNode *a, const caromMeshNode *b)
{
    if (item->bound > s->least) return false;
    if (item->turns == s->turns) return true;
    item->turns = s->turns;
    item->reach_a = carom_meshgap_node_reach(&s->p->a->tree, a, &s->up_A);
    item->reach_b = carom_meshgap_node_reach(&s->p->b->tree, b, &s->down_B);
    return s->shift - item->reach_a - item->reach_b <= s->least;
}

// What two triangles have is not an answer, since of several that are equal the first is wanted: it says how far to
// look, and along which normal.
static void seed_search(NodeSearch *s, const int seed[2], caromNearest *first)
{
    caromVec3 y[3];
    carom_meshgap_pair_corners(s->p, seed[1], y);
    caromTriangleGap gap = carom_narrow_triangles_gap(s->p->a->tree.corners[seed[0]], s->p->a->tree.vertices[seed[0]],
                                                      y, s->p->b->tree.vertices[seed[1]]);
    *first = (caromNearest){ gap, seed[0], seed[1] };
    double distance = sqrt(gap.g2);
    s->least = distance + s->slack;
    if (distance > 0.0) carom_meshgap_look_along(s, carom_scale(1.0/distance, carom_sub(gap.y, gap.x)));
}

static bool has_places(const caromMeshPair *p, const int places[2])
{
    return places[0] >= 0 && places[1] >= 0 && places[0] < p->a->ntriangle && places[1] < p->b->ntriangle;
}

// From the middle of B to the nearest point of A, from there to the nearest of B and so on: a pair to begin with that
// is often the answer, and rarely far from it.
static void guess(const caromMeshPair *p, int places[2])
{
    enum { ROUNDS = 4 };
    caromVec3 y = carom_add(p->t, carom_mul(p->R, p->b->tree.nodes[0].centre)), x = y, on;
    double least2 = INFINITY, last = INFINITY;
    int feature, place;
    places[0] = places[1] = -1;
    for (int i = 0; i < ROUNDS; i++) {
        place = carom_meshgap_near(p->a, y, CAROM_MESHGAP_NEAR, &least2, &x, &feature);
        if (place >= 0) places[0] = place;
        if (i == 0) least2 = INFINITY;  // the middle is not on B
        place = carom_meshgap_near(p->b, carom_tmul(p->R, carom_sub(x, p->t)), CAROM_MESHGAP_NEAR, &least2, &on,
                                   &feature);
        if (place < 0) return;
        places[1] = place;
        y = carom_add(p->t, carom_mul(p->R, on));
        if (!(least2 < CAROM_MESHGAP_GUESS_GAIN*last)) return;
        last = least2;
    }
}

static void walk(NodeSearch *s, bool stops)
{
    NodeItem stack[2*CAROM_MESH_DEPTH_MAX];
    int n = 1;
    stack[0] = (NodeItem){ .turns = -1 };
    while (n > 0 && !(stops && s->best.gap.g2 == 0.0)) {
        NodeItem top = stack[--n];
        const caromMeshNode *a = &s->p->a->tree.nodes[top.a], *b = &s->p->b->tree.nodes[top.b];
        if (!is_close(s, &top, a, b)) continue;
        if (a->count == 0 || b->count == 0) n = open_pair(s, top, stack, n);
        else if (s->visit) carom_meshgap_leaves_each(s, a, b);
        else carom_meshgap_leaves_nearest(s, a, b);
    }
}

caromNearest carom_meshgap_pair_nearest(const caromMeshPair *p, const int seed[2], bool stops)
{
    NodeSearch s = { .p = p, .best = { { .g2 = INFINITY }, -1, -1 }, .least = INFINITY,
                     .slack = carom_narrow_roundings(p->scale) };
    caromNearest first = s.best;
    int guessed[2];
    if (seed && has_places(p, seed)) seed_search(&s, seed, &first);
    else {
        guess(p, guessed);
        if (has_places(p, guessed)) seed_search(&s, guessed, &first);
    }
    if (stops && first.gap.g2 == 0.0) return first;
    walk(&s, stops);
    return s.best.place_a < 0 ? first : s.best;
}

// Nothing that is apart is of interest.
bool carom_meshgap_pair_crosses(const caromMeshPair *p)
{
    NodeSearch s = { .p = p, .best = { { .g2 = INFINITY }, -1, -1 }, .slack = carom_narrow_roundings(p->scale) };
    s.least = s.slack;
    walk(&s, true);
    return s.best.gap.g2 == 0.0;
}

void carom_meshgap_pair_each(const caromMeshPair *p, double standoff, caromTrianglesVisitor visit, void *user)
{
    NodeSearch s = { .p = p, .best.gap.g2 = INFINITY, .slack = carom_narrow_roundings(p->scale), .visit = visit,
                     .user = user };
    s.least = standoff + s.slack;
    walk(&s, false);
}

static bool is_near_surface(const caromMesh *mesh, caromVec3 p, double margin)
{
    double least2 = margin*margin;
    caromVec3 on;
    int feature;
    return carom_meshgap_nearest(mesh, p, &least2, &on, &feature) >= 0;
}

// Which side a vertex on the surface is on only rounding knows: then the other end of the part is asked. u: in the
// frame of B.
static bool has_part_inside(const caromMesh *a, const caromMesh *b, caromPose X_BA, double margin, caromVec3 u,
                            double *room)
{
    const caromMeshNode *box = &b->tree.nodes[0];
    for (int i = 0; i < a->npart; i++) {
        caromVec3 p = carom_pose_point(X_BA, a->vertices[a->parts[i][0]]),
                  q = carom_tmul(box->axes, carom_sub(p, box->centre));
        if (fabs(q.x) > box->half.x || fabs(q.y) > box->half.y || fabs(q.z) > box->half.z) continue;
        if (is_near_surface(b, p, margin)) p = carom_pose_point(X_BA, a->vertices[a->parts[i][1]]);
        if (is_near_surface(b, p, margin) || !(carom_meshgap_winding(b, p) > 0)) continue;
        caromVec3 n;
        if (room && carom_meshgap_ray(b, p, u, room, &n) < 0) *room = 0.0;
        return true;
    }
    return false;
}

// Both must be solid: a surface without thickness inside a solid is not in its way.
bool carom_meshgap_pair_is_nested(const caromMeshPair *p, caromVec3 u, double *room)
{
    caromPose X_AB = { p->R, p->t }, X_BA = carom_pose_relative(X_AB, carom_pose_identity());
    if (!carom_mesh_is_solid(p->a) || !carom_mesh_is_solid(p->b)) return false;
    double margin = 8.0*carom_narrow_roundings(p->scale);
    return has_part_inside(p->b, p->a, X_AB, margin, u, room) ||
           has_part_inside(p->a, p->b, X_BA, margin, carom_neg(carom_tmul(p->R, u)), room);
}
