// The nearest triangles of two meshes.
#include "collide/meshes.h"

caromMeshPair carom_mesh_pair(const caromMesh *a, const caromPose *X_WA, const caromMesh *b, const caromPose *X_WB)
{
    caromPose X_AB = carom_pose_relative(*X_WA, *X_WB);
    return (caromMeshPair){ a, b, X_AB.R, X_AB.p, a->reach + b->reach + fabs(X_AB.p.x) + fabs(X_AB.p.y) + fabs(X_AB.p.z) };
}

typedef struct Search {
    const caromMeshPair *p;
    caromNearest best;
    double least;        // distance of the best pair, and what its roundings may be
    double slack;
    caromVec3 d_A;       // its normal; 0: none yet
    caromProbe up_A;     // along it in the frame of A, against it in that of B
    caromProbe down_B;
    double shift;        // of B's origin along it
    void (*visit)(void *user, const caromTriangleGap *gap, int place_a, int place_b);  // NULL: the nearest is asked for
    void *user;
} Search;

static bool comes_first(const Search *s, double g2, int place_a, int place_b)
{
    const caromNearest *best = &s->best;
    if (g2 != best->gap.g2) return g2 < best->gap.g2;
    return place_a != best->place_a ? place_a < best->place_a : place_b < best->place_b;
}

static void look_along(Search *s, caromVec3 d)
{
    s->d_A = d;
    s->up_A = carom_probe(d);
    s->down_B = carom_probe(carom_neg(carom_tmul(s->p->R, d)));
    s->shift = carom_dot(d, s->p->t);
}

static void take(Search *s, const caromTriangleGap *gap, int place_a, int place_b)
{
    double distance = sqrt(gap->g2);
    if (s->visit) s->visit(s->user, gap, place_a, place_b);
    else {
        if (!comes_first(s, gap->g2, place_a, place_b)) return;
        s->best = (caromNearest){ *gap, place_a, place_b };
        s->least = distance + s->slack;
    }
    if (distance > 0.0) look_along(s, carom_scale(1.0/distance, carom_sub(gap->y, gap->x)));
}

// Lower bounds of the distance of two nodes: along the normal of the best pair, and along the line between the centres.
static double along_normal(const Search *s, const caromMeshNode *a, const caromMeshNode *b)
{
    return s->shift - carom_node_reach(&s->p->b->tree, b, &s->down_B) - carom_node_reach(&s->p->a->tree, a, &s->up_A);
}

static double between_centres(const Search *s, const caromMeshNode *a, const caromMeshNode *b)
{
    caromVec3 d = carom_sub(carom_add(s->p->t, carom_mul(s->p->R, b->centre)), a->centre);
    double length = carom_norm(d);
    if (!(length > 0.0)) return 0.0;
    caromProbe up = carom_probe(d), down = carom_probe(carom_neg(carom_tmul(s->p->R, d)));
    return (carom_dot(d, s->p->t) - carom_node_reach(&s->p->b->tree, b, &down) - carom_node_reach(&s->p->a->tree, a, &up))/length;
}

typedef struct Item {
    int a, b;
    double bound;
} Item;

static caromVec3 corner_sum(const caromVec3 x[3])
{
    return carom_add(x[0], carom_add(x[1], x[2]));
}

// The same two bounds for two triangles.
static bool are_farther(const Search *s, const caromVec3 x[3], const caromVec3 y[3])
{
    if (carom_lowest(y, s->d_A) - carom_highest(x, s->d_A) > s->least) return true;
    caromVec3 d = carom_sub(corner_sum(y), corner_sum(x));
    double low = carom_lowest(y, d) - carom_highest(x, d);
    return low > 0.0 && low*low > s->least*s->least*carom_norm2(d);
}

static void look_at_leaves(Search *s, const caromMeshNode *a, const caromMeshNode *b)
{
    const caromMeshTree *ta = &s->p->a->tree, *tb = &s->p->b->tree;
    for (int j = b->first; j < b->first + b->count; j++) {
        caromVec3 y[3];
        carom_mesh_pair_corners(s->p, j, y);
        if (carom_lowest(y, s->d_A) - carom_node_reach(ta, a, &s->up_A) > s->least) continue;
        for (int i = a->first; i < a->first + a->count; i++) {
            const caromVec3 *x = ta->corners[i];
            if (are_farther(s, x, y)) continue;
            caromTriangleGap gap = carom_triangles_gap(x, ta->vertices[i], y, tb->vertices[j]);
            take(s, &gap, i, j);
        }
    }
}

static double bound_of(const Search *s, int a, int b)
{
    const caromMeshNode *na = &s->p->a->tree.nodes[a], *nb = &s->p->b->tree.nodes[b];
    double bound = along_normal(s, na, nb);
    return bound > s->least ? bound : carom_most(bound, between_centres(s, na, nb));
}

// The larger node is opened; the nearer half is looked at first.
static int open(const Search *s, Item top, Item stack[], int n)
{
    const caromMeshNode *a = &s->p->a->tree.nodes[top.a], *b = &s->p->b->tree.nodes[top.b];
    bool opens_a = b->count > 0 || (a->count == 0 && a->half.x >= b->half.x);
    Item first = { opens_a ? a->first : top.a, opens_a ? top.b : b->first, 0.0 }, second = { first.a + opens_a, first.b + !opens_a, 0.0 };
    first.bound = bound_of(s, first.a, first.b);
    second.bound = bound_of(s, second.a, second.b);
    bool in_order = first.bound <= second.bound;
    Item near = in_order ? first : second, far = in_order ? second : first;
    if (far.bound <= s->least) stack[n++] = far;
    if (near.bound <= s->least) stack[n++] = near;
    return n;
}

static void seed_search(Search *s, const int seed[2])
{
    if (!seed || seed[0] < 0 || seed[1] < 0 || seed[0] >= s->p->a->ntriangle || seed[1] >= s->p->b->ntriangle) return;
    caromVec3 y[3];
    carom_mesh_pair_corners(s->p, seed[1], y);
    caromTriangleGap gap = carom_triangles_gap(s->p->a->tree.corners[seed[0]], s->p->a->tree.vertices[seed[0]], y, s->p->b->tree.vertices[seed[1]]);
    take(s, &gap, seed[0], seed[1]);
}

// From the middle of B to the nearest point of A, from there to the nearest of B and so on: a pair to begin with that is often the answer, and rarely far from it.
static void guess(const caromMeshPair *p, int places[2])
{
    enum { ROUNDS = 4 };
    caromVec3 y = carom_add(p->t, carom_mul(p->R, p->b->tree.nodes[0].centre)), x = y, on;
    double last = INFINITY;
    int feature;
    for (int i = 0; i < ROUNDS; i++) {
        double least2 = INFINITY;
        places[0] = carom_mesh_nearest(p->a, y, &least2, &x, &feature);
        least2 = INFINITY;
        places[1] = carom_mesh_nearest(p->b, carom_tmul(p->R, carom_sub(x, p->t)), &least2, &on, &feature);
        y = carom_add(p->t, carom_mul(p->R, on));
        if (!(least2 < 0.98*last)) return;
        last = least2;
    }
}

static void walk(Search *s, bool stops)
{
    Item stack[2*CAROM_MESH_DEPTH_MAX] = { { 0, 0, 0.0 } };
    int n = 1;
    while (n > 0 && !(stops && s->best.gap.g2 == 0.0)) {
        Item top = stack[--n];
        if (top.bound > s->least) continue;
        const caromMeshNode *a = &s->p->a->tree.nodes[top.a], *b = &s->p->b->tree.nodes[top.b];
        if (a->count > 0 && b->count > 0) look_at_leaves(s, a, b);
        else n = open(s, top, stack, n);
    }
}

caromNearest carom_mesh_pair_nearest(const caromMeshPair *p, const int seed[2], bool stops)
{
    Search s = { .p = p, .best = { { .g2 = INFINITY }, -1, -1 }, .least = INFINITY, .slack = carom_roundings(p->scale) };
    int guessed[2];
    seed_search(&s, seed);
    if (s.best.place_a < 0) {
        guess(p, guessed);
        seed_search(&s, guessed);
    }
    walk(&s, stops);
    return s.best;
}

void carom_mesh_pair_each(const caromMeshPair *p, double standoff, void (*visit)(void *user, const caromTriangleGap *gap, int place_a, int place_b), void *user)
{
    Search s = { .p = p, .best.gap.g2 = INFINITY, .slack = carom_roundings(p->scale), .visit = visit, .user = user };
    s.least = standoff + s.slack;
    walk(&s, false);
}

static bool is_near_surface(const caromMesh *mesh, caromVec3 p, double margin)
{
    double least2 = margin*margin;
    caromVec3 on;
    int feature;
    return carom_mesh_nearest(mesh, p, &least2, &on, &feature) >= 0;
}

// Which side a vertex on the surface is on only rounding knows: then the other end of the part is asked.
static bool has_part_inside(const caromMesh *a, const caromMesh *b, caromPose X_BA, double margin)
{
    const caromMeshNode *box = &b->tree.nodes[0];
    for (int i = 0; i < a->npart; i++) {
        caromVec3 p = carom_pose_point(X_BA, a->vertices[a->parts[i][0]]), q = carom_tmul(box->axes, carom_sub(p, box->centre));
        if (fabs(q.x) > box->half.x || fabs(q.y) > box->half.y || fabs(q.z) > box->half.z) continue;
        if (is_near_surface(b, p, margin)) p = carom_pose_point(X_BA, a->vertices[a->parts[i][1]]);
        if (!is_near_surface(b, p, margin) && carom_mesh_winding(b, p) > 0) return true;
    }
    return false;
}

// Both must be solid: a surface without thickness inside a solid is not in its way.
bool carom_mesh_pair_is_nested(const caromMeshPair *p)
{
    caromPose X_AB = { p->R, p->t }, X_BA = carom_pose_relative(X_AB, carom_pose_identity());
    if (!carom_mesh_is_solid(p->a) || !carom_mesh_is_solid(p->b)) return false;
    double margin = 8.0*carom_roundings(p->scale);
    return has_part_inside(p->b, p->a, X_AB, margin) || has_part_inside(p->a, p->b, X_BA, margin);
}
