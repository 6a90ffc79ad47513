// Points of plane faces: the corners of what two faces have in common.
//
// The gap of the shapes tells which faces face each other. Their common corners are corners of A over the face of B,
// corners of B over the face of A, and crossings of an edge of A and an edge of B; each has the normal of its own
// parts, so that it can be found again from them. Faces that lie on each other have nearly one normal; when they are
// tilted a crossing may lean over, and counts only as long as it does not lean much. A ball is a corner, a capsule an
// edge, with a radius and without faces.
//
// The nearest points, if they are none of these (two boxes one beside the other), come last.
#include "base/scratch.h"
#include "manifold/parts.h"

// Normals of crossings and corners within this of the normal of the gap.
static const double leans_least = 0.8;

// ---- the face that faces d

// Corners of the face `axis` in order, without those that a width of 0 makes twice.
static void box_face(const caromCore *core, int axis, bool is_negative, caromTouchFace *face)
{
    int mask = (core->h.x > 0.0) | (core->h.y > 0.0) << 1 | (core->h.z > 0.0) << 2, u = 1 << (axis + 1)%3,
        v = 1 << (axis + 2)%3;
    const int round[4] = { 0, u, u | v, v };
    int first = (is_negative ? 1 << axis : 0) & mask;
    face->n = 0;
    for (int k = 0; k < 4; k++) {
        int label = first | (round[k] & mask);
        if (face->n == 0 || (face->label[face->n - 1] != label && face->label[0] != label))
            face->label[face->n++] = label;
    }
    face->id = face->n == 4 ? 2*axis + is_negative : -1;
    face->nedge = face->n == 4 ? 4 : face->n - 1;
}

// A segment shows its side to everything.
static void box_face_towards(const caromCore *core, caromVec3 d, caromTouchFace *face)
{
    int wide = (core->h.x > 0.0) + (core->h.y > 0.0) + (core->h.z > 0.0), axis = -1;
    for (int k = 0; k < 3; k++) {
        if (wide == 1 && carom_at(core->h, k) > 0.0) continue;
        if (axis < 0 || fabs(carom_at(d, k)) > fabs(carom_at(d, axis))) axis = k;
    }
    box_face(core, axis, carom_at(d, axis) < 0.0, face);
}

// How many of the corners next to the farthest are as far along d and on face f: both ends of an edge that is square to
// d, or three corners of a face.
static int held(const caromHull *hull, int far, int f, caromVec3 d)
{
    double slack = CAROM_TOUCH_LEVEL*hull->reach, reach = carom_dot(d, hull->vertices[far]) - slack;
    int count = 0;
    for (int k = hull->first_neighbour[far]; k < hull->first_neighbour[far + 1]; k++) {
        caromVec3 next = hull->vertices[hull->neighbours[k]];
        count += carom_dot(d, next) >= reach && hull->offsets[f] - carom_dot(hull->normals[f], next) <= slack;
    }
    return count;
}

// Of the faces at the farthest corner. Both ends of an edge that is square to d are farthest: its own faces go before
// those that meet it at one end.
static int hull_face_id(const caromCore *core, caromVec3 d)
{
    const caromHull *hull = core->hull;
    int far, best = -1, most = -1;
    carom_shape_core_support_label(core, d, &far);
    for (int k = hull->first_neighbour[far]; k < hull->first_neighbour[far + 1]; k++) {
        int f = hull->vertex_faces[k], count = held(hull, far, f, d);
        bool is_better = count > most || (count == most && carom_dot(d, hull->normals[f]) >
                                                               carom_dot(d, hull->normals[best]));
        if (is_better) best = f, most = count;
    }
    return best;
}

// One with very many corners is thinned out, and its edges are left out.
static void hull_face_towards(const caromCore *core, caromVec3 d, caromTouchFace *face)
{
    const caromHull *hull = core->hull;
    int best = hull_face_id(core, d), first = hull->first_corner[best], count = hull->first_corner[best + 1] - first,
        stride = 1 + (count - 1)/CAROM_TOUCH_CORNERS_MAX;
    face->n = 0;
    for (int k = 0; k < count; k += stride) face->label[face->n++] = hull->corners[first + k];
    face->id = best;
    face->nedge = stride == 1 ? count : 0;
}

void carom_manifold_face_towards(const caromTouchSide *side, caromVec3 d_W, caromTouchFace *face)
{
    caromVec3 d = carom_tmul(side->X.R, d_W);
    if (side->core.kind == CAROM_CORE_HULL) hull_face_towards(&side->core, d, face);
    else box_face_towards(&side->core, d, face);
}

// ---- against a half-space

static caromTouchPart corner(int id)
{
    return (caromTouchPart){ CAROM_PART_CORNER, id };
}
static caromTouchPart edge(int id)
{
    return (caromTouchPart){ CAROM_PART_EDGE, id };
}
static caromTouchPart face_part(int id)
{
    return (caromTouchPart){ CAROM_PART_FACE, id };
}

static void add_corners(caromTouchList *list, int i, const caromTouchFace *face, int over)
{
    const caromTouchPair *pair = list->pair;
    caromTouchPlane plane = { .face = over };
    plane.out = carom_manifold_plane(&pair->side[!i], over, &plane.on);
    for (int k = 0; k < face->n; k++) {
        caromTouchPart part[2];
        caromTouchPlace place;
        part[i] = corner(face->label[k]);
        part[!i] = face_part(over);
        carom_manifold_over(pair, i, carom_manifold_corner(&pair->side[i], face->label[k]), &plane, &place);
        carom_manifold_set_gap(pair, part, &place);
        carom_manifold_push(list, part, &place);
    }
}

static void on_half_space(caromTouchList *list, int i)
{
    const caromTouchSide *side = &list->pair->side[i];
    if (side->shape->kind == CAROM_HALF_SPACE) return;
    caromTouchFace face;
    carom_manifold_face_towards(side, carom_neg(list->pair->side[!i].X.R.cz), &face);
    list->least_cos = -1.0;
    add_corners(list, i, &face, 0);
}

// ---- against each other

int carom_manifold_face_edge(const caromTouchSide *side, const caromTouchFace *face, int k)
{
    return carom_manifold_edge_of(side, face->label[k], face->label[k + 1 < face->n ? k + 1 : 0]);
}

// Two lines: the ends of each over the other.
static void add_ends(caromTouchList *list, int i, const caromTouchFace *face, const caromTouchFace *other)
{
    for (int l = 0; l < other->nedge; l++) {
        caromTouchPart along = edge(carom_manifold_face_edge(&list->pair->side[!i], other, l));
        for (int k = 0; k < face->n; k++) carom_manifold_add_to(list, i, corner(face->label[k]), along);
    }
}

typedef struct SeenEdge {  // an edge, and how it is seen along n
    caromTouchLine line;
    double x, y, dx, dy;
    int id;
} SeenEdge;

static void sides_of(const caromTouchSide *side, const caromTouchFace *face, const caromVec3 t[2], SeenEdge *sides)
{
    for (int k = 0; k < face->nedge; k++) {
        SeenEdge *s = &sides[k];
        s->id = carom_manifold_face_edge(side, face, k);
        s->line = carom_manifold_line(side, s->id);
        caromVec3 d = carom_sub(s->line.q, s->line.p);
        s->x = carom_dot(t[0], s->line.p), s->y = carom_dot(t[1], s->line.p);
        s->dx = carom_dot(t[0], d), s->dy = carom_dot(t[1], d);
    }
}

// As seen along n, with room for what a tilt may move a crossing, in parts of the edges.
static bool may_cross(const SeenEdge *e, const SeenEdge *f, double room)
{
    double x = f->x - e->x, y = f->y - e->y, c = e->dx*f->dy - e->dy*f->dx, s = x*f->dy - y*f->dx,
           t = x*e->dy - y*e->dx;
    if (c < 0.0) c = -c, s = -s, t = -t;
    if (!(s >= -room*c && s <= (1.0 + room)*c && t >= -room*c && t <= (1.0 + room)*c)) return false;
    return c*c > CAROM_TOUCH_PARALLEL*CAROM_TOUCH_PARALLEL*(e->dx*e->dx + e->dy*e->dy)*(f->dx*f->dx + f->dy*f->dy);
}

static void add_crossings(caromTouchList *list, const caromTouchFace *a, const caromTouchFace *b, double room)
{
    const caromTouchPair *pair = list->pair;
    caromVec3 t[2];
    void *taken;
    SeenEdge *e = CAROM_SCRATCH_OR_STACK(2*CAROM_TOUCH_CORNERS_MAX*sizeof *e, taken), *f = e + CAROM_TOUCH_CORNERS_MAX;
    carom_narrow_tangents(list->towards, &t[0], &t[1]);
    sides_of(&pair->side[0], a, t, e);
    sides_of(&pair->side[1], b, t, f);
    for (int k = 0; k < a->nedge; k++) {
        for (int l = 0; l < b->nedge; l++) {
            const caromTouchPart part[2] = { edge(e[k].id), edge(f[l].id) };
            caromTouchPlace place;
            if (!may_cross(&e[k], &f[l], room) || !carom_manifold_cross(pair, &e[k].line, &f[l].line, &place)) continue;
            carom_manifold_set_gap(pair, part, &place);
            carom_manifold_push(list, part, &place);
        }
    }
    carom_scratch_give_back(taken);
}

// Parallel edges that are nearest: their ends.
static void add_parallel(caromTouchList *list, int i, const caromTouchPart part[2])
{
    int ends[2];
    carom_manifold_edge_ends(&list->pair->side[i], part[i].id, ends);
    for (int k = 0; k < 2; k++) carom_manifold_add_to(list, i, corner(ends[k]), part[!i]);
}

// Gaps up to here are as small as g.
static double enough(const caromTouchPair *pair, double g)
{
    return g + CAROM_TOUCH_GAP*pair->size;
}

static void add_nearest(caromTouchList *list, const caromTouchPoint *nearest)
{
    const caromTouchPair *pair = list->pair;
    double most = enough(pair, nearest->g);
    if (carom_manifold_least(list) <= most) return;
    list->least_cos = CAROM_TOUCH_FACING_COS;
    const caromTouchPart part[2] = { carom_manifold_part(nearest->feature[0]),
                                     carom_manifold_part(nearest->feature[1]) };
    carom_manifold_add(list, part[0], part[1]);
    if (carom_manifold_least(list) <= most) return;
    if (part[0].kind == CAROM_PART_EDGE && part[1].kind == CAROM_PART_EDGE) {
        add_parallel(list, 0, part);
        add_parallel(list, 1, part);
    }
    if (carom_manifold_least(list) <= most || list->n == CAROM_TOUCH_POINTS_MAX) return;
    caromTouchPoint point = *nearest;
    point.feature[0] = point.feature[1] = carom_manifold_feature(CAROM_PART_SMOOTH, 0);
    list->points[list->n++] = point;
}

// How well a face is turned towards n. An edge or a corner is turned towards everything.
static double turned(const caromTouchSide *side, const caromTouchFace *face, caromVec3 n)
{
    caromVec3 on;
    return face->id < 0 ? 1.0 : carom_dot(n, carom_manifold_plane(side, face->id, &on));
}

// All that the faces most along n have in common.
static void list_along(caromTouchList *list, caromVec3 n)
{
    const caromTouchPair *pair = list->pair;
    caromTouchFace a, b;
    carom_manifold_face_towards(&pair->side[0], n, &a);
    carom_manifold_face_towards(&pair->side[1], carom_neg(n), &b);
    list->n = 0;
    list->towards = n;
    list->least_cos = leans_least;
    if (b.id >= 0) add_corners(list, 0, &a, b.id);
    if (a.id >= 0) add_corners(list, 1, &b, a.id);
    if (a.id < 0 && b.id < 0) {
        add_ends(list, 0, &a, &b);
        add_ends(list, 1, &b, &a);
    }
    // Two bars that are crossed edge on edge have no face in common; an edge that stands on a face has.
    double cos_a = turned(&pair->side[0], &a, n), cos_b = turned(&pair->side[1], &b, carom_neg(n));
    double room = fmin(cos_a, cos_b) > CAROM_TOUCH_FLUSH_COS ? CAROM_TOUCH_FLUSH_ROOM : CAROM_TOUCH_TILTED_ROOM;
    if (fmax(cos_a, cos_b) > CAROM_TOUCH_CROSSING_COS) add_crossings(list, &a, &b, room);
}

static void on_each_other(caromTouchList *list, double within)
{
    const caromTouchPair *pair = list->pair;
    caromTouchPoint nearest;
    caromVec3 n;
    double phi;
    if (carom_manifold_boxes_axis(pair, &n, &phi)) {
        if (phi > within) return;
        list_along(list, n);
        if (carom_manifold_least(list) <= enough(pair, phi)) return;
    }
    list->n = 0;
    if (!carom_manifold_nearest(pair, &nearest) || !(nearest.g <= within)) return;
    list_along(list, nearest.n_AB);
    add_nearest(list, &nearest);
}

static void list_faces(caromTouchList *list, double within)
{
    const caromTouchPair *pair = list->pair;
    if (pair->side[1].shape->kind == CAROM_HALF_SPACE) on_half_space(list, 0);
    else if (pair->side[0].shape->kind == CAROM_HALF_SPACE) on_half_space(list, 1);
    else on_each_other(list, within);
}

static bool serves(const caromTouchPair *pair)
{
    return carom_manifold_is_flat(&pair->side[0]) && carom_manifold_is_flat(&pair->side[1]);
}

const caromTouchRow carom_touch_faces = { serves, list_faces };
