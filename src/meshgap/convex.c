// A mesh against a shape that is not one: convex, or a torus. Each triangle is a convex shape of its own.
#include "meshgap/meshgap.h"

typedef struct ConvexSearch {
    const caromMeshShape *p;
    caromConvexNearest best;
    double least, slack;
    caromVec3 d;         // normal of the best, from the mesh to the shape; 0: none yet
    caromProbe up;
    double low;          // least d.y over the shape
    caromTriangleVisitor visit;  // NULL: the nearest is asked for
    void *user;
    bool is_undefined;
    bool stops;          // at a triangle that the shape lies across
} ConvexSearch;

static bool is_over(const ConvexSearch *s)
{
    return s->stops && s->best.place >= 0 && s->best.gap.g < 0.0;
}

double carom_meshgap_shape_lowest(const caromMeshShape *p, caromVec3 d)
{
    if (p->shape.kind == CAROM_HALF_SPACE) return (double)-INFINITY;
    caromVec3 d_B = carom_neg(carom_tmul(p->X_AB.R, d));
    return carom_dot(d, p->X_AB.p) - carom_shape_core_extent(&p->core, d_B) - p->core.radius*carom_norm(d);
}

static void look_along(ConvexSearch *s, caromVec3 d)
{
    s->d = d;
    s->up = carom_meshgap_probe(d);
    s->low = carom_meshgap_shape_lowest(s->p, d);
}

// Where all near ones are asked for the normal of the last shows best that its neighbours are not.
static void take(ConvexSearch *s, const caromGap *gap, int place)
{
    if (s->visit) {
        look_along(s, gap->n_AB);
        s->visit(s->user, gap, place);
        return;
    }
    bool comes_first = s->best.place < 0 || gap->g < s->best.gap.g ||
                       (gap->g == s->best.gap.g && place < s->best.place);
    if (!comes_first) return;
    s->best = (caromConvexNearest){ *gap, place };
    s->least = gap->g + gap->error + s->slack;
    look_along(s, gap->n_AB);
}

// The shape that holds a torus fills its hole: what is in there is told by its ring.
static double ring_bound(const caromMeshShape *p, caromVec3 centre, double radius)
{
    if (p->shape.kind != CAROM_TORUS) return (double)-INFINITY;
    caromVec3 q = carom_pose_inverse_point(p->X_AB, centre);
    return hypot(hypot(q.x, q.y) - p->shape.size.x, q.z) - p->shape.size.y - radius;
}

static double bound_of(const ConvexSearch *s, int i)
{
    const caromMeshTree *tree = &s->p->mesh->tree;
    const caromMeshNode *node = &tree->nodes[i];
    double bound = carom_meshgap_most(s->low - carom_meshgap_node_reach(tree, node, &s->up),
                                      ring_bound(s->p, node->centre, carom_norm(node->half)));
    if (bound > s->least) return bound;
    caromVec3 d = carom_sub(s->p->X_AB.p, node->centre);
    double length = carom_norm(d);
    if (!(length > 0.0)) return bound;
    caromProbe up = carom_meshgap_probe(d);
    double room = carom_meshgap_shape_lowest(s->p, d) - carom_meshgap_node_reach(tree, node, &up);
    return carom_meshgap_most(bound, room/length);
}

static bool is_farther(const ConvexSearch *s, const caromVec3 x[3], caromVec3 d, double low)
{
    double bound = low - carom_meshgap_highest(x, d);
    return bound > 0.0 && bound > s->least*carom_norm(d);
}

static bool is_in_hole(const ConvexSearch *s, const caromVec3 x[3])
{
    caromVec3 c = carom_scale(1.0/3.0, carom_add(x[0], carom_add(x[1], x[2])));
    double r2 = carom_meshgap_most3(carom_norm2(carom_sub(x[0], c)), carom_norm2(carom_sub(x[1], c)),
                                    carom_norm2(carom_sub(x[2], c)));
    return s->p->shape.kind == CAROM_TORUS && ring_bound(s->p, c, sqrt(r2)) > s->least;
}

caromGap carom_meshgap_shape_triangle(const caromMeshShape *p, int place)
{
    caromTriangleShape t;
    carom_triangle_shape(p->mesh->tree.corners[place], &t);
    caromPose identity = carom_pose_identity();
    return carom_narrow_gap(&t.shape, &identity, &p->shape, &p->X_AB);
}

static void look_at_leaf(ConvexSearch *s, const caromMeshNode *leaf)
{
    for (int i = leaf->first; i < leaf->first + leaf->count && !is_over(s); i++) {
        const caromVec3 *x = s->p->mesh->tree.corners[i];
        if (isfinite(s->least) && (is_farther(s, x, s->d, s->low) || is_in_hole(s, x))) continue;
        caromVec3 d = carom_sub(s->p->X_AB.p, carom_scale(1.0/3.0, carom_add(x[0], carom_add(x[1], x[2]))));
        if (isfinite(s->least) && is_farther(s, x, d, carom_meshgap_shape_lowest(s->p, d))) continue;
        caromGap gap = carom_meshgap_shape_triangle(s->p, i);
        if (gap.status != CAROM_GAP_UNDEFINED) take(s, &gap, i);
        else s->is_undefined = true;
    }
}

// The ring of a torus within its disc: a shape that holds it.
static caromCore bounding_core(const caromShape *s)
{
    if (s->kind == CAROM_TORUS)
        return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = s->size.y, .r0 = s->size.x, .r1 = s->size.x };
    return carom_shape_core(s);
}

caromMeshShape carom_meshgap_shape_pair(const caromMesh *mesh, const caromPose *X_WA, const caromShape *b,
                                        const caromPose *X_WB)
{
    caromMeshShape p = { .mesh = mesh, .shape = *b, .X_AB = carom_pose_relative(*X_WA, *X_WB) };
    p.scale = mesh->reach + carom_norm(p.X_AB.p);
    if (b->kind == CAROM_HALF_SPACE) return p;
    p.core = bounding_core(b);
    p.scale += carom_shape_radius(*b);
    return p;
}

static void walk(ConvexSearch *s)
{
    const caromMeshTree *tree = &s->p->mesh->tree;
    struct { int node; double bound; } stack[CAROM_MESH_DEPTH_MAX + 1] = { { 0, -INFINITY } };
    int n = 1;
    while (n > 0 && !is_over(s)) {
        n--;
        const caromMeshNode *node = &tree->nodes[stack[n].node];
        if (stack[n].bound > s->least) continue;
        if (node->count > 0) {
            look_at_leaf(s, node);
            continue;
        }
        double b0 = bound_of(s, node->first), b1 = bound_of(s, node->first + 1);
        bool in_order = b0 <= b1;
        stack[n].node = node->first + in_order, stack[n++].bound = in_order ? b1 : b0;
        stack[n].node = node->first + !in_order, stack[n++].bound = in_order ? b0 : b1;
    }
}

caromConvexNearest carom_meshgap_shape_nearest(const caromMeshShape *p, int seed, bool stops)
{
    ConvexSearch s = { .p = p, .best = { .place = -1 }, .least = INFINITY, .slack = carom_narrow_roundings(p->scale),
                       .low = -INFINITY, .stops = stops };
    if (seed < 0 || seed >= p->mesh->ntriangle) {
        double least2 = INFINITY;
        caromVec3 on;
        int feature;
        seed = carom_meshgap_nearest(p->mesh, p->X_AB.p, &least2, &on, &feature);
    }
    caromGap first = carom_meshgap_shape_triangle(p, seed);
    if (first.status == CAROM_GAP_UNDEFINED) return (caromConvexNearest){ first, -1 };
    take(&s, &first, seed);
    walk(&s);
    return s.best;
}

bool carom_meshgap_shape_each(const caromMeshShape *p, double standoff, caromTriangleVisitor visit, void *user)
{
    ConvexSearch s = { .p = p, .best = { .place = -1 }, .slack = carom_narrow_roundings(p->scale), .low = -INFINITY,
                       .visit = visit, .user = user };
    s.least = standoff + s.slack;
    walk(&s);
    return !s.is_undefined;
}

bool carom_meshgap_shape_is_nested(const caromMeshShape *p, caromVec3 u, double *room)
{
    if (!carom_mesh_is_solid(p->mesh)) return false;
    caromVec3 n, inner = p->shape.kind == CAROM_POLYTOPE ? p->shape.hull->solid.com : carom_vec(0, 0, 0);
    inner = carom_pose_point(p->X_AB, inner);
    if (carom_meshgap_winding(p->mesh, inner) > 0) {
        if (room && carom_meshgap_ray(p->mesh, inner, u, room, &n) < 0) *room = 0.0;
        return true;
    }
    for (int i = 0; i < p->mesh->npart; i++)
        for (int k = 0; k < 2; k++) {
            caromVec3 corner = carom_pose_inverse_point(p->X_AB, p->mesh->vertices[p->mesh->parts[i][k]]);
            if (carom_narrow_point(&p->shape, corner, &n) < -8.0*carom_narrow_roundings(p->scale)) return true;
        }
    return false;
}
