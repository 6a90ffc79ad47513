// Meshes: on a half-space with their lowest vertices; open ones under a ball, and all under one that is not near yet,
// with the nearest points that lie in different directions (patch/ball.c has the rule).
#include "geometry/mesh_features.h"
#include "manifold/parts.h"
#include "meshgap/meshgap.h"

static bool is_mesh(const caromTouchSide *side)
{
    return side->shape->kind == CAROM_MESH;
}

static int mesh_of(const caromTouchPair *pair)
{
    return is_mesh(&pair->side[0]) ? 0 : 1;
}

// ---- vertices over a half-space

// Seen in the mesh: height(x) = offset + up.x. More vertices than fit: those farthest along directions all round, which
// span what all of them do, and the lowest.
enum { DIRECTIONS = CAROM_TOUCH_POINTS_MAX - 1 };
static const double band = CAROM_TOUCH_BAND;
typedef struct Low {
    const caromMesh *mesh;
    caromVec3 up, directions[DIRECTIONS];
    double offset, limit;
    int n, all[CAROM_TOUCH_POINTS_MAX];  // the first ones
    bool overflows;
    int lowest, farthest[DIRECTIONS];
    double least, far[DIRECTIONS];
} Low;

static double height_of(const Low *low, int v)
{
    return low->offset + carom_dot(low->up, low->mesh->vertices[v]);
}

// Of those that can touch: not within a face, or along an edge.
static bool counts(const Low *low, int v)
{
    return height_of(low, v) <= low->limit && low->mesh->features->is_corner[v];
}

static void take_vertex(Low *low, int v)
{
    if (!counts(low, v)) return;
    for (int k = 0; k < low->n && !low->overflows; k++) {
        if (low->all[k] == v) return;
    }
    if (low->n < CAROM_TOUCH_POINTS_MAX) low->all[low->n++] = v;
    else low->overflows = true;
}

static void extend_by(Low *low, int v)
{
    if (!counts(low, v)) return;
    double height = height_of(low, v);
    if (height < low->least || (height == low->least && v < low->lowest)) low->least = height, low->lowest = v;
    for (int k = 0; k < DIRECTIONS; k++) {
        double far = carom_dot(low->directions[k], low->mesh->vertices[v]);
        if (far > low->far[k] || (far == low->far[k] && v < low->farthest[k])) low->far[k] = far, low->farthest[k] = v;
    }
}

// The limit comes down to the lowest vertex, and leaves out what is above as it goes.
static void lower_limit(Low *low, int v)
{
    low->limit = fmin(low->limit, height_of(low, v));
}

// All vertices of the nodes that reach below the limit.
static void visit(Low *low, void (*take)(Low *low, int v))
{
    const caromMeshTree *tree = &low->mesh->tree;
    int stack[CAROM_MESH_DEPTH_MAX + 2], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const caromMeshNode *node = &tree->nodes[stack[--depth]];
        caromVec3 along = carom_tmul(node->axes, low->up);
        double reach = fabs(along.x)*node->half.x + fabs(along.y)*node->half.y + fabs(along.z)*node->half.z;
        if (low->offset + carom_dot(low->up, node->centre) - reach > low->limit + CAROM_TOUCH_GAP*low->mesh->reach)
            continue;
        for (int place = node->first; place < node->first + node->count; place++) {
            for (int k = 0; k < 3; k++) take(low, tree->vertices[place][k]);
        }
        if (node->count == 0) stack[depth++] = node->first + 1, stack[depth++] = node->first;
    }
}

static void add_vertex(caromTouchList *list, int i, int v)
{
    const caromTouchPart face = { CAROM_PART_FACE, 0 };
    for (int k = 0; k < list->n; k++) {
        if (list->points[k].feature[i] == carom_manifold_feature(CAROM_PART_CORNER, v)) return;
    }
    carom_manifold_add_to(list, i, (caromTouchPart){ CAROM_PART_CORNER, v }, face);
}

static void add_farthest(caromTouchList *list, int i, Low *low)
{
    caromVec3 t1, t2;
    carom_narrow_tangents(low->up, &t1, &t2);
    for (int k = 0; k < DIRECTIONS; k++) {
        double angle = 2.0*CAROM_PI*k/DIRECTIONS;
        low->directions[k] = carom_axpy(cos(angle), t1, carom_scale(sin(angle), t2));
        low->far[k] = -(double)INFINITY;
    }
    visit(low, extend_by);
    add_vertex(list, i, low->lowest);
    for (int k = 0; k < DIRECTIONS; k++) add_vertex(list, i, low->farthest[k]);
}

static void on_half_space(caromTouchList *list, int i, double within)
{
    const caromTouchSide *side = &list->pair->side[i], *other = &list->pair->side[!i];
    caromVec3 up = carom_tmul(side->X.R, other->X.R.cz);
    Low low = { .mesh = side->shape->mesh, .up = up,
                .offset = carom_dot(other->X.R.cz, carom_sub(side->X.p, other->X.p)), .limit = within,
                .least = (double)INFINITY };
    if (low.mesh->nvertex > CAROM_TOUCH_POINTS_MAX) {
        visit(&low, lower_limit);
        low.limit = fmin(within, low.limit + band*low.mesh->reach);
    }
    visit(&low, take_vertex);
    for (int k = 0; k < low.n && !low.overflows; k++) add_vertex(list, i, low.all[k]);
    if (low.overflows) add_farthest(list, i, &low);
}

// ---- a ball

enum { TOUCHES_MAX = 12 };
typedef struct Touches {
    int n, place[TOUCHES_MAX];
    caromVec3 on[TOUCHES_MAX], n_S[TOUCHES_MAX];  // in the mesh
} Touches;

// Nearest points within `reach` of the centre c of the ball, and not farther by `more` than the nearest one; none if it
// is inside.
static Touches touches_of(const caromMesh *mesh, caromVec3 c, double reach, double more)
{
    Touches t = { .n = 0 };
    caromVec3 out;
    int feature;
    double distance = carom_meshgap_point(mesh, c, &out), least2 = (double)INFINITY;
    if (!(distance > 0.0 && distance <= reach)) return t;
    reach = fmin(reach, distance + more);
    t.place[0] = carom_meshgap_nearest(mesh, c, &least2, &t.on[0], &feature);
    while (t.place[t.n] >= 0) {
        carom_narrow_split(carom_sub(c, t.on[t.n]), out, &t.n_S[t.n]);
        if (++t.n == TOUCHES_MAX) break;
        least2 = reach*reach;
        t.place[t.n] = carom_meshgap_nearest_beside(mesh, c, t.n_S, t.n, &least2, &t.on[t.n]);
    }
    return t;
}

static caromVec3 centre_of(const caromTouchPair *pair, int i)
{
    return carom_pose_inverse_point(pair->side[i].X, pair->side[!i].X.p);
}

static void triangle_place(const caromTouchPair *pair, int i, int place, caromTouchPlace *out)
{
    const caromTouchSide *side = &pair->side[i];
    int feature;
    caromVec3 c = centre_of(pair, i), on = carom_triangle_point(side->shape->mesh->tree.corners[place], c, &feature), n;
    carom_narrow_split(carom_sub(c, on), carom_vec(0, 0, 1), &n);
    n = carom_mul(side->X.R, n);
    out->n = i ? carom_neg(n) : n;
    out->c[i] = carom_pose_point(side->X, on);
    out->c[!i] = pair->side[!i].X.p;
}

// Triangles that share an edge or a corner have it in common: any of them will do.
bool carom_manifold_triangle_ball(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    (void)b;
    const caromTouchSide *side = &pair->side[i];
    if (!is_mesh(side) || a == 0 || pair->side[!i].shape->kind != CAROM_SPHERE) return false;
    triangle_place(pair, i, a - 1, place);
    caromVec3 on = carom_pose_inverse_point(side->X, place->c[i]), c = centre_of(pair, i);
    Touches t = touches_of(side->shape->mesh, c, carom_norm(carom_sub(c, on))*(1.0 + CAROM_TOUCH_SAME),
                           (double)INFINITY);
    place->is_there = false;
    for (int k = 0; k < t.n; k++) place->is_there |= carom_norm(carom_sub(t.on[k], on)) <= CAROM_TOUCH_SAME*pair->size;
    return true;
}

static void under_ball(caromTouchList *list, int i, double within)
{
    const caromTouchPair *pair = list->pair;
    Touches t = touches_of(pair->side[i].shape->mesh, centre_of(pair, i), pair->side[!i].core.radius + within,
                           pair->side[!i].core.radius);
    for (int k = 0; k < t.n; k++) {
        caromTouchPart part[2];
        caromTouchPlace place;
        part[i] = (caromTouchPart){ CAROM_PART_SMOOTH, 1 + t.place[k] };
        part[!i] = (caromTouchPart){ CAROM_PART_CORNER, 0 };
        triangle_place(pair, i, t.place[k], &place);
        place.is_there = true;
        carom_manifold_set_gap(pair, part, &place);
        carom_manifold_push(list, part, &place);
    }
}

// What of a triangle a point is on, by a step outwards.
caromCurvature carom_manifold_triangle_curvature(const caromTouchSide *side, int id, caromVec3 p, caromVec3 out)
{
    const caromMesh *mesh = side->shape->mesh;
    const caromVec3 *x = mesh->tree.corners[id - 1];
    int feature;
    carom_triangle_point(x, carom_pose_inverse_point(side->X, carom_axpy(CAROM_TOUCH_OUTWARDS*mesh->reach, out, p)),
                         &feature);
    if (feature < 3) return (caromCurvature){ (double)INFINITY, (double)INFINITY, carom_geometry_square_to(out) };
    if (feature > 5) return (caromCurvature){ 0.0, 0.0, carom_geometry_square_to(out) };
    caromVec3 along = carom_mul(side->X.R, carom_sub(x[(feature - 2)%3], x[feature - 3]));
    return (caromCurvature){ 0.0, (double)INFINITY, carom_unit_or(along, carom_geometry_square_to(out)) };
}

static void list_mesh(caromTouchList *list, double within)
{
    int i = mesh_of(list->pair);
    if (list->pair->side[!i].shape->kind == CAROM_HALF_SPACE) on_half_space(list, i, within);
    else under_ball(list, i, within);
    if (list->n == 0) carom_touch_round.list(list, within);  // the centre of the ball is inside
}

static bool serves(const caromTouchPair *pair)
{
    int i = mesh_of(pair);
    caromShapeKind other = pair->side[!i].shape->kind;
    if (!is_mesh(&pair->side[i])) return false;
    return other == CAROM_HALF_SPACE || (other == CAROM_SPHERE && !carom_mesh_is_solid(pair->side[i].shape->mesh));
}

const caromTouchRow carom_touch_mesh = { serves, list_mesh };
