// The way out of a closed mesh, locally shortest.
//
// B leaves A along a unit vector u: the pieces that overlap at the start (triangles of A and B, or triangles and a
// convex shape) are followed to where the last of them part, then those that overlap there, until none do and neither
// body is inside the other. The last two to part touch in a plane with normal n, and near that place B must keep
// n.s >= c to stay out, where s is its translation. The point nearest to s = 0 that satisfies all such conditions found
// so far is the next direction to try. When the way out along it is no longer than that point is far, no condition was
// missing: the way is locally shortest. This goes in from several directions, since bodies that are not convex have
// several such ways; the shortest one found is the answer.
#include "meshgap/meshgap.h"
#include "meshgap/scales.h"

typedef struct Bodies {  // one of the two
    const caromMeshPair *pair;
    const caromMeshShape *shape;
    double scale, slack;
    int *budget;     // steps of ways out that may still be taken; at 0 the search ends with what it has
} Bodies;

typedef struct Exit {
    double t;         // how far along u
    caromVec3 u, n;   // n: normal of the pieces that part last, from A to B
    caromVec3 p;      // where they touch
    double error;     // of t
} Exit;

// ---- two triangles along u

// While do they have a point in common? Only times before `before` and after `after` are of interest: in > before or
// out <= after says that the rest does not matter.
typedef struct DepthSpan {
    double in, out;
    caromVec3 n_out;
    double before, after;
} DepthSpan;

// Projections on d overlap while  low_b + v t <= high_a  and  high_b + v t >= low_a.
static bool cut_span(const caromVec3 a[3], const caromVec3 b[3], caromVec3 u, caromVec3 d, DepthSpan *span)
{
    double low_a = carom_meshgap_lowest(a, d), high_a = carom_meshgap_highest(a, d), low_b = carom_meshgap_lowest(b, d),
           high_b = carom_meshgap_highest(b, d), v = carom_dot(d, u);
    if (v < 0.0) {  // mirrored
        double t = low_a;
        low_a = -high_a, high_a = -t, t = low_b, low_b = -high_b, high_b = -t, v = -v, d = carom_neg(d);
    }
    if (v*v <= CAROM_MESHGAP_LEVEL2*carom_norm2(d)) return low_b <= high_a && high_b >= low_a;
    double in = (low_a - high_b)/v, out = (high_a - low_b)/v;
    if (in > span->in) span->in = in;
    if (out < span->out) span->out = out, span->n_out = d;
    return span->in <= span->out && span->in <= span->before && span->out > span->after;
}

// Axes that can separate two triangles: normals, pairs of edges, and in the planes the normals of edges. Those of the
// frame are asked first, they cost least.
static bool triangle_span(const caromVec3 a[3], const caromVec3 b[3], caromVec3 u, DepthSpan *span)
{
    static const caromVec3 frame[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    caromVec3 ea[3], eb[3];
    for (int k = 0; k < 3; k++)
        if (!cut_span(a, b, u, frame[k], span)) return false;
    for (int k = 0; k < 3; k++) ea[k] = carom_sub(a[(k + 1)%3], a[k]), eb[k] = carom_sub(b[(k + 1)%3], b[k]);
    caromVec3 na = carom_cross(ea[0], ea[1]), nb = carom_cross(eb[0], eb[1]);
    if (!cut_span(a, b, u, na, span) || !cut_span(a, b, u, nb, span)) return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            if (!cut_span(a, b, u, carom_cross(ea[i], eb[j]), span)) return false;
        if (!cut_span(a, b, u, carom_cross(na, ea[i]), span) || !cut_span(a, b, u, carom_cross(nb, eb[i]), span))
            return false;
    }
    span->n_out = carom_unit_or(span->n_out, u);
    return true;
}

// Where two triangles touch that part at t along n: their nearest points a few roundings farther on, which are no
// more than these apart.
static caromVec3 parting_point(const caromMeshPair *p, int i, int j, caromVec3 u, double t, caromVec3 n)
{
    caromVec3 y[3], apart = carom_axpy(4.0*carom_narrow_roundings(p->scale), n, carom_scale(t, u));
    carom_meshgap_pair_corners(p, j, y);
    for (int k = 0; k < 3; k++) y[k] = carom_add(y[k], apart);
    return carom_narrow_triangles_gap(p->a->tree.corners[i], p->a->tree.vertices[i], y, p->b->tree.vertices[j]).x;
}

// ---- nodes that overlap

// Boxes of two nodes, B's centre at c and axes R: separated by one of the 15 axes [Gottschalk96]?
static bool boxes_are_apart(const caromMeshNode *a, const caromMeshNode *b, const caromMat3 *R_b, caromVec3 c,
                            double slack)
{
    caromVec3 d = carom_sub(c, a->centre);
    const caromVec3 *xa[3] = { &a->axes.cx, &a->axes.cy, &a->axes.cz }, *xb[3] = { &R_b->cx, &R_b->cy, &R_b->cz };
    caromMeshNode turned = { .axes = *R_b, .half = b->half };
    for (int i = 0; i < 15; i++) {
        caromVec3 axis = i < 3 ? *xa[i] : i < 6 ? *xb[i - 3] : carom_cross(*xa[(i - 6)/3], *xb[(i - 6)%3]);
        if (fabs(carom_dot(axis, d)) > carom_meshgap_node_extent(a, axis) + carom_meshgap_node_extent(&turned, axis) +
            slack) return true;
    }
    return false;
}

// What parts last is looked for: along d, d.u > 0, the pieces of two nodes have parted at t = (greatest d.x over A's
// node - least d.y over B's)/d.u at the latest. Along the normal of the last pieces known this is sharp.
typedef struct Direction {
    caromProbe up, down;  // along d in the frame of A, against it in that of B
    double shift, rate;   // of B's origin along d; d.u
} Direction;

static Direction direction_of(const caromMeshPair *p, caromVec3 d, caromVec3 u)
{
    return (Direction){ carom_meshgap_probe(d), carom_meshgap_probe(carom_neg(carom_tmul(p->R, d))), carom_dot(d, p->t),
                        carom_dot(d, u) };
}

static double latest(const caromMeshPair *p, const caromMeshNode *a, const caromMeshNode *b, const Direction *d)
{
    return (carom_meshgap_node_reach(&p->a->tree, a, &d->up) + carom_meshgap_node_reach(&p->b->tree, b, &d->down) -
            d->shift)/d->rate;
}

typedef struct DepthParting {
    const Bodies *bodies;
    Exit exit;          // of what has been found; at first where to look
    bool found;
    Direction along_u, along_n;
} DepthParting;

static bool parts_before(const DepthParting *s, const caromMeshNode *a, const caromMeshNode *b)
{
    const caromMeshPair *p = s->bodies->pair;
    double least = s->exit.t + s->bodies->slack;
    if (latest(p, a, b, &s->along_u) <= least) return true;
    return s->found && latest(p, a, b, &s->along_n) <= least;
}

static bool are_apart(const DepthParting *s, const caromMeshNode *a, const caromMeshNode *b)
{
    const caromMeshPair *p = s->bodies->pair;
    caromMat3 R_b = carom_mat_mul(p->R, b->axes);
    caromVec3 c = carom_axpy(s->exit.t, s->exit.u, carom_add(p->t, carom_mul(p->R, b->centre)));
    return boxes_are_apart(a, b, &R_b, c, s->bodies->slack);
}

static void part_leaves(DepthParting *s, const caromMeshNode *a, const caromMeshNode *b)
{
    const caromMeshPair *p = s->bodies->pair;
    caromVec3 y[3], u = s->exit.u;
    double slack = s->bodies->slack;
    for (int j = b->first; j < b->first + b->count; j++) {
        carom_meshgap_pair_corners(p, j, y);
        for (int i = a->first; i < a->first + a->count; i++) {
            DepthSpan span = { -INFINITY, INFINITY, u, s->exit.t + slack, s->exit.t + slack };
            if (!triangle_span(p->a->tree.corners[i], y, u, &span)) continue;
            s->found = true;
            s->exit = (Exit){ span.out, u, span.n_out, parting_point(p, i, j, u, span.out, span.n_out), 0.0 };
            s->along_n = direction_of(p, span.n_out, u);
        }
    }
}

typedef struct DepthPair { int a, b; } DepthPair;

// Of the triangles that overlap when B is moved by t u, and of those that overlap where they part, and so on as far as
// one walk through the trees goes, the last two to part.
static bool last_triangles(const Bodies *bodies, caromVec3 u, double t, Exit *exit)
{
    const caromMeshPair *p = bodies->pair;
    DepthParting s = { .bodies = bodies, .exit = { .t = t, .u = u }, .along_u = direction_of(p, u, u) };
    DepthPair stack[2*CAROM_MESH_DEPTH_MAX] = { { 0, 0 } };
    int n = 1;
    while (n > 0) {
        DepthPair top = stack[--n];
        const caromMeshNode *a = &p->a->tree.nodes[top.a], *b = &p->b->tree.nodes[top.b];
        if (parts_before(&s, a, b) || are_apart(&s, a, b)) continue;
        if (a->count > 0 && b->count > 0) {
            part_leaves(&s, a, b);
            continue;
        }
        bool opens_a = b->count > 0 || (a->count == 0 && a->half.x >= b->half.x);
        DepthPair first = { opens_a ? a->first : top.a, opens_a ? top.b : b->first };
        stack[n++] = first;
        stack[n++] = (DepthPair){ first.a + opens_a, first.b + !opens_a };
    }
    if (s.found) *exit = s.exit;
    return s.found;
}

// ---- triangles and a convex shape

// As Direction: along d, d.u > 0, a node or triangle that reaches up to h has parted from the shape at
// t = (h - low)/d.u at the latest.
typedef struct ShapeDirection {
    caromProbe up;
    double low, rate;  // least d.y over the shape where it starts; d.u
} ShapeDirection;

static ShapeDirection shape_direction(const caromMeshShape *p, caromVec3 d, caromVec3 u)
{
    return (ShapeDirection){ carom_meshgap_probe(d), carom_meshgap_shape_lowest(p, d), carom_dot(d, u) };
}

typedef struct ShapeParting {
    const Bodies *bodies;
    caromMeshShape at;       // the shape at exit.t
    Exit exit;               // of what has been found; at first where to look
    bool found;
    ShapeDirection along_u, along_n;  // n of the triangle that was found
} ShapeParting;

// When a node or triangle has parted at the latest: h_u, h_n how far it reaches along u and n.
static double latest_of(const ShapeParting *s, double h_u, double h_n)
{
    double by_u = (h_u - s->along_u.low)/s->along_u.rate;
    return s->found ? carom_meshgap_least(by_u, (h_n - s->along_n.low)/s->along_n.rate) : by_u;
}

static double latest_of_node(const ShapeParting *s, const caromMeshNode *node)
{
    const caromMeshTree *tree = &s->bodies->shape->mesh->tree;
    return latest_of(s, carom_meshgap_node_reach(tree, node, &s->along_u.up),
                     s->found ? carom_meshgap_node_reach(tree, node, &s->along_n.up) : 0.0);
}

// By the plane through the point of the box nearest to the shape's origin, square to the line between them.
static bool box_is_beyond(const ShapeParting *s, const caromMeshNode *node)
{
    caromVec3 c = s->at.X_AB.p, q = carom_tmul(node->axes, carom_sub(c, node->centre)), h = node->half;
    caromVec3 nearest = carom_vec(carom_narrow_clamp(q.x, h.x), carom_narrow_clamp(q.y, h.y),
                                  carom_narrow_clamp(q.z, h.z));
    caromVec3 out = carom_mul(node->axes, carom_sub(q, nearest));  // from the box to the shape
    double length = carom_norm(out);
    return carom_meshgap_shape_lowest(&s->at, out) - carom_dot(out, carom_sub(c, out)) > s->bodies->slack*length;
}

static bool box_is_apart(const ShapeParting *s, const caromMeshNode *node)
{
    if (box_is_beyond(s, node)) return true;
    caromShape box = carom_shape_box(2.0*node->half.x, 2.0*node->half.y, 2.0*node->half.z);
    caromPose X_box = carom_pose(node->axes, node->centre);  // a box looks the same from behind
    return carom_narrow_is_apart(&box, &X_box, &s->at.shape, &s->at.X_AB);
}

static void move_to(ShapeParting *s, double t)
{
    s->exit.t = t;
    s->at.X_AB.p = carom_axpy(t, s->exit.u, s->bodies->shape->X_AB.p);
}

static bool lies_across(const ShapeParting *s, const caromTriangleShape *t)
{
    caromPose identity = carom_pose_identity();
    return carom_narrow_is_deeper(&t->shape, &identity, &s->at.shape, &s->at.X_AB, s->bodies->slack);
}

// From beyond back to where they touch: the gap is convex along the way, so that no step goes too far. `from` is where
// they have parted, to rounding: so from a little farther, where there is a normal.
static bool part_triangle(ShapeParting *s, const caromTriangleShape *triangle, double from)
{
    const Bodies *bodies = s->bodies;
    caromPose identity = carom_pose_identity(), X = bodies->shape->X_AB;
    double at = from + CAROM_MESHGAP_BEYOND*bodies->scale;
    caromGap gap = { 0 };
    for (int i = 0; i < 60; i++) {
        X.p = carom_axpy(at, s->exit.u, bodies->shape->X_AB.p);
        gap = carom_narrow_gap(&triangle->shape, &identity, &bodies->shape->shape, &X);
        double rate = carom_dot(gap.n_AB, s->exit.u);
        if (gap.status == CAROM_GAP_UNDEFINED || !(rate > 0.0)) return false;
        if (gap.g <= bodies->slack || gap.g/rate <= bodies->slack) break;
        at -= gap.g/rate;
        if (!(at > s->exit.t + bodies->slack)) return false;
    }
    s->exit.n = gap.n_AB;
    s->exit.p = gap.p_A;
    s->exit.error = gap.error;
    s->found = true;
    s->along_n = shape_direction(bodies->shape, gap.n_AB, s->exit.u);
    move_to(s, at);
    return true;
}

static void part_leaf(ShapeParting *s, const caromMeshNode *leaf)
{
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        const caromVec3 *x = s->bodies->shape->mesh->tree.corners[i];
        double latest = latest_of(s, carom_meshgap_highest(x, s->along_u.up.d),
                                  s->found ? carom_meshgap_highest(x, s->along_n.up.d) : 0.0);
        if (latest <= s->exit.t + s->bodies->slack) continue;
        caromTriangleShape t;
        carom_triangle_shape(x, &t);
        if (lies_across(s, &t)) part_triangle(s, &t, latest);
    }
}

// As last_triangles; what can part last is looked at first. Ends where that is beyond the limit.
static bool last_of_shape(const Bodies *bodies, caromVec3 u, double t, double limit, Exit *exit)
{
    const caromMeshTree *tree = &bodies->shape->mesh->tree;
    ShapeParting s = { .bodies = bodies, .at = *bodies->shape, .exit = *exit,
                       .along_u = shape_direction(bodies->shape, u, u) };
    int stack[CAROM_MESH_DEPTH_MAX + 1] = { 0 }, n = 1;
    move_to(&s, t);
    while (n > 0 && s.exit.t <= limit) {
        const caromMeshNode *node = &tree->nodes[stack[--n]];
        if (latest_of_node(&s, node) <= s.exit.t + bodies->slack || box_is_apart(&s, node)) continue;
        if (node->count > 0) {
            part_leaf(&s, node);
            continue;
        }
        const caromMeshNode *halves = &tree->nodes[node->first];
        bool in_order = latest_of_node(&s, &halves[0]) >= latest_of_node(&s, &halves[1]);
        stack[n++] = node->first + in_order;
        stack[n++] = node->first + !in_order;
    }
    if (s.found) *exit = s.exit;
    return s.found;
}

// ---- along one direction

static bool last_pieces(const Bodies *bodies, caromVec3 u, double t, double limit, Exit *exit)
{
    exit->u = u;
    return bodies->pair ? last_triangles(bodies, u, t, exit) : last_of_shape(bodies, u, t, limit, exit);
}

// Moved by t u, with surfaces that do not cross: how far it is to the next surface if one body is inside the other, 0
// if not. A point of one that is inside the other is so up to there, and goes a little beyond.
static double room_inside(const Bodies *bodies, caromVec3 u, double t)
{
    double room = 0.0, into = bodies->scale*CAROM_MESHGAP_INTO;
    if (bodies->pair) {
        caromMeshPair p = *bodies->pair;
        p.t = carom_axpy(t, u, p.t);
        return carom_meshgap_pair_is_nested(&p, u, &room) ? room + into : 0.0;
    }
    caromMeshShape p = *bodies->shape;
    p.X_AB.p = carom_axpy(t, u, p.X_AB.p);
    return carom_meshgap_shape_is_nested(&p, u, &room) ? room + into : 0.0;
}

// false: given up, or farther than the limit.
static bool way_out(const Bodies *bodies, caromVec3 u, double limit, Exit *exit)
{
    double t = 0.0;
    Exit last = { .u = u, .n = u };
    while (t <= limit && *bodies->budget > 0) {
        --*bodies->budget;
        if (last_pieces(bodies, u, t, limit, &last)) {
            t = last.t;
            continue;
        }
        double room = room_inside(bodies, u, t);
        if (!(room > 0.0)) {
            *exit = last;
            exit->t = t;
            return true;
        }
        t += room;
    }
    return false;
}

// ---- conditions

enum { CONDITIONS_MAX = 16 };
typedef struct Condition {
    caromVec3 n;  // n.s >= c
    double c;
} Condition;

static bool satisfies(const Condition *conditions, int n, caromVec3 s, double slack)
{
    for (int i = 0; i < n; i++)
        if (carom_dot(conditions[i].n, s) < conditions[i].c - slack) return false;
    return true;
}

// The nearest point to 0 on both planes: s = x n_i + y n_j.
static caromVec3 on_two(const Condition *i, const Condition *j)
{
    double d = carom_dot(i->n, j->n), det = 1.0 - d*d;
    double x = (i->c - d*j->c)/det, y = (j->c - d*i->c)/det;
    return x >= 0.0 && y >= 0.0 ? carom_add(carom_scale(x, i->n), carom_scale(y, j->n)) : carom_vec((double)NAN, 0, 0);
}

static caromVec3 on_three(const Condition *i, const Condition *j, const Condition *k)
{
    caromMat3 N = carom_transpose(carom_mat(i->n, j->n, k->n));
    return carom_mul(carom_mat_inverse(N), carom_vec(i->c, j->c, k->c));
}

static void keep_nearer(const Condition *conditions, int n, caromVec3 s, double slack, double *least2, caromVec3 *best)
{
    double far2 = carom_norm2(s);
    if (far2 < *least2 && satisfies(conditions, n, s, slack)) *least2 = far2, *best = s;
}

// The nearest point to 0 that satisfies all; the last one was violated before, so it holds with equality. false: none
// (the planes say nothing together).
static bool nearest_point(const Condition *c, int n, double slack, caromVec3 *s)
{
    double least2 = INFINITY;
    const Condition *last = &c[n - 1];
    keep_nearer(c, n, carom_scale(last->c, last->n), slack, &least2, s);
    for (int i = 0; i < n - 1; i++) {
        keep_nearer(c, n, on_two(last, &c[i]), slack, &least2, s);
        for (int j = i + 1; j < n - 1; j++) keep_nearer(c, n, on_three(last, &c[i], &c[j]), slack, &least2, s);
    }
    return isfinite(least2) && least2 > 0.0;
}

// The way out along s; where something else is in the way there, one between the best and s that is shorter than the
// best.
static bool way_towards(const Bodies *bodies, const Exit *best, caromVec3 s, Exit *exit)
{
    caromVec3 from = carom_scale(best->t, best->u), step = carom_sub(s, from);
    if (!way_out(bodies, carom_unit_or(s, best->u), 3.0*best->t, exit)) exit->t = INFINITY;
    Exit between;
    for (double part = 0.5; part > CAROM_MESHGAP_PART_LEAST && exit->t > best->t; part *= 0.4)
        if (way_out(bodies, carom_unit_or(carom_axpy(part, step, from), best->u), best->t, &between) &&
            between.t < best->t) *exit = between;
    return isfinite(exit->t);
}

// From one direction to where no condition is missing; *best is the shortest way out met.
static void satisfy_all(const Bodies *bodies, Exit exit, Exit *best)
{
    Condition conditions[CONDITIONS_MAX];
    for (int n = 0; n < CONDITIONS_MAX;) {
        if (exit.t < best->t) *best = exit;
        conditions[n++] = (Condition){ exit.n, exit.t*carom_dot(exit.n, exit.u) };
        caromVec3 s;
        if (!nearest_point(conditions, n, 8.0*bodies->slack, &s)) return;
        double length = carom_norm(s);
        if (length >= exit.t - 8.0*bodies->slack || length >= best->t) return;
        if (!way_towards(bodies, best, s, &exit)) return;
    }
}

// A condition holds near the place where it was met, and may stand in the way elsewhere: so again from the best with
// none but its own, as long as that helps. Then directions beside it are tried: where B leaves through a corner of the
// space that is free, no two of its conditions may have been met together.
static void shorten(const Bodies *bodies, Exit exit, Exit *shortest)
{
    enum { ROUNDS_MAX = 60, BESIDE = 9 };
    static const double pi = CAROM_PI;
    static const double gain = CAROM_MESHGAP_GAIN;
    Exit best = exit;
    double angle = CAROM_MESHGAP_ASIDE;
    for (int i = 0; i < ROUNDS_MAX && angle > CAROM_MESHGAP_ASIDE_LEAST && *bodies->budget > 0; i++) {
        double before = best.t;
        satisfy_all(bodies, exit, &best);
        exit = best;
        if (best.t < (1.0 - gain)*before) continue;
        caromVec3 t1 = carom_geometry_square_to(best.u), t2 = carom_cross(best.u, t1);
        for (int k = 0; k < BESIDE; k++) {
            double around = 2.0*pi/BESIDE*(k + 0.382*i);  // others each time
            caromVec3 aside = carom_add(carom_scale(angle*cos(around), t1), carom_scale(angle*sin(around), t2));
            Exit beside;
            if (way_out(bodies, carom_unit_or(carom_add(best.u, aside), best.u), best.t, &beside) &&
                beside.t < (1.0 - gain)*best.t) best = exit = beside;
        }
        if (!(best.t < (1.0 - gain)*before)) angle *= 0.2;
    }
    if (best.t < shortest->t) *shortest = best;
}

// ---- where to begin

// From the centre of mass of A to that of B, and along the axes of A.
static caromVec3 between_middles(const Bodies *bodies)
{
    caromVec3 middle = bodies->pair ? carom_add(bodies->pair->t, carom_mul(bodies->pair->R, bodies->pair->b->solid.com))
                                    : bodies->shape->X_AB.p;
    return carom_sub(middle, bodies->pair ? bodies->pair->a->solid.com : bodies->shape->mesh->solid.com);
}

enum { STARTS = 7, REFINED = 3 };

static int first_exits(const Bodies *bodies, Exit exits[STARTS])
{
    const caromMesh *a = bodies->pair ? bodies->pair->a : bodies->shape->mesh;
    const caromMat3 *axes = &a->tree.nodes[0].axes;
    caromVec3 starts[STARTS] = { between_middles(bodies), axes->cx, carom_neg(axes->cx), axes->cy, carom_neg(axes->cy),
                                 axes->cz, carom_neg(axes->cz) };
    int n = 0;
    double least = INFINITY;
    for (int i = 0; i < STARTS; i++) {
        caromVec3 u = carom_unit_or(starts[i], carom_vec(0, 0, 1));
        Exit exit;
        if (!way_out(bodies, u, 4.0*least, &exit)) continue;
        least = fmin(least, exit.t);
        int k = n++;
        for (; k > 0 && exits[k - 1].t > exit.t; k--) exits[k] = exits[k - 1];
        exits[k] = exit;
    }
    return n;
}

// No way was found: far enough along any, the balls about the bodies are apart.
static caromGap beyond_both(const Bodies *bodies)
{
    caromVec3 u = carom_unit_or(between_middles(bodies), carom_vec(0, 0, 1)), p = carom_scale(bodies->scale, u);
    double t = 2.0*bodies->scale;
    return (caromGap){ .g = -t, .n_AB = u, .p_A = p, .p_B = carom_axpy(-t, u, p), .error = t };
}

static caromGap depth(const Bodies *bodies)
{
    Exit exits[STARTS], best = { .t = INFINITY };
    int n = first_exits(bodies, exits);
    for (int i = 0; i < n && i < REFINED && !(exits[i].t > 2.0*best.t); i++) shorten(bodies, exits[i], &best);
    if (!isfinite(best.t)) return beyond_both(bodies);
    return (caromGap){ .g = 0.0 - best.t, .n_AB = best.u, .p_A = best.p, .p_B = carom_axpy(-best.t, best.u, best.p),
                       .error = best.error + bodies->slack };
}

caromGap carom_meshgap_pair_depth(const caromMeshPair *p)
{
    int budget = CAROM_MESHGAP_STEPS_MAX;
    Bodies bodies = { .pair = p, .scale = p->scale, .slack = carom_narrow_roundings(p->scale), .budget = &budget };
    return depth(&bodies);
}

caromGap carom_meshgap_shape_depth(const caromMeshShape *p)
{
    int budget = CAROM_MESHGAP_STEPS_MAX;
    Bodies bodies = { .shape = p, .scale = p->scale, .slack = CAROM_MESHGAP_SLACK*p->scale, .budget = &budget };
    return depth(&bodies);
}
