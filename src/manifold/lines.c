// Cylinders and cones on plane faces, and on each other: lines and discs.
//
// A cylinder that lies touches along a line: the lowest points of its two rims are its ends, and if it hangs over the
// edge of the face, the crossing of its side with that edge. These points move round the rims as it rolls. A flat end
// that stands touches in a disc: four points of its rim that are fixed to the body stand for it, with the corners of
// the other face under it, and the crossings of the rim with its edges; as long as it is within `lying` of parallel.
// The lowest point of the rim would run round it at a speed without bounds there. Beyond, the disc has come off, and
// the lowest point is the only one that touches. A torus is a rim with a radius; it lies as a disc stands.
//
// An edge may lie along a side or across an end, tilted by any small angle: then it touches at one of its two ends, and
// rocking makes that jump to the other. So both are listed, wherever sides, ends and edges face each other.
#include "manifold/parts.h"

static const double leans_least = 0.8;

static caromTouchPart part_of(caromPartKind kind, int id)
{
    return (caromTouchPart){ kind, id };
}

// ---- flat ends

static void add_end_corners(caromTouchList *list, int i, int end, int face)
{
    for (int k = 0; k < 4; k++)
        carom_manifold_add_to(list, i, part_of(CAROM_PART_CORNER, 4*end + k), part_of(CAROM_PART_FACE, face));
}

static bool stands(const caromTouchPair *pair, int i, caromVec3 down_W, int *end)
{
    const caromTouchSide *frustum = &pair->side[i];
    *end = carom_dot(frustum->X.R.cz, down_W) > 0.0 && !carom_manifold_is_ring(frustum);
    return carom_manifold_lean_of(frustum, down_W) <= pair->lying && (*end ? frustum->core.r1 : frustum->core.r0) > 0.0;
}

// The first and the second crossing of a rim.
static void add_rim_crossings(caromTouchList *list, int i, int end, caromPartKind kind, int id)
{
    for (int which = 2; which <= 4; which += 2) {
        carom_manifold_add_to(list, i, part_of(CAROM_PART_RIM, end + which),
                              part_of(kind, kind == CAROM_PART_RIM ? id + which : id));
    }
}

// What a face, an edge or a corner has over the end: its corners, and where its edges cross the rim.
static void add_face_over_end(caromTouchList *list, int i, int end, const caromTouchFace *face)
{
    const caromTouchSide *other = &list->pair->side[!i];
    bool is_disc = !carom_manifold_is_ring(&list->pair->side[i]);
    for (int k = 0; k < face->n && is_disc; k++)
        carom_manifold_add_to(list, !i, part_of(CAROM_PART_CORNER, face->label[k]), part_of(CAROM_PART_FACE, end));
    for (int k = 0; k < face->nedge; k++)
        add_rim_crossings(list, i, end, CAROM_PART_EDGE, carom_manifold_face_edge(other, face, k));
}

static void add_end_on_face(caromTouchList *list, int i, int end, const caromTouchFace *face)
{
    if (face->id >= 0) add_end_corners(list, i, end, face->id);
    add_face_over_end(list, i, end, face);
}

// Is a flat end turned towards the other shape?
static bool shows_end(const caromTouchPair *pair, int i, caromVec3 down_W, int *end)
{
    const caromTouchSide *frustum = &pair->side[i];
    double along = carom_dot(frustum->X.R.cz, down_W);
    *end = along > 0.0;
    return fabs(along) > CAROM_TOUCH_FACING_COS && carom_manifold_is_frustum(frustum) &&
           (*end ? frustum->core.r1 : frustum->core.r0) > 0.0;
}

static void add_end_on_end(caromTouchList *list, int end_a, int end_b)
{
    add_end_corners(list, 0, end_a, end_b);
    add_end_corners(list, 1, end_b, end_a);
    add_rim_crossings(list, 0, end_a, CAROM_PART_RIM, end_b);
}

// ---- sides

// A tip is a rim without width.
static void add_rims(caromTouchList *list, int i, caromTouchPart other)
{
    int count = carom_manifold_is_ring(&list->pair->side[i]) ? 1 : 2;
    for (int k = 0; k < count; k++) carom_manifold_add_to(list, i, part_of(CAROM_PART_RIM, k), other);
}

static bool is_cylinder(const caromTouchSide *side)
{
    return carom_manifold_is_frustum(side) && side->core.r0 == side->core.r1 && side->core.z0 < side->core.z1;
}

static bool is_along(const caromTouchSide *frustum, const caromTouchSide *other, int edge)
{
    caromTouchLine line = carom_manifold_line(other, edge);
    caromVec3 t = carom_sub(line.q, line.p);
    return fabs(carom_dot(frustum->X.R.cz, t)) > CAROM_TOUCH_FACING_COS*carom_norm(t);
}

// The rims of a cone cross an edge that lies along its side; those of a cylinder are turned towards it.
static void add_rims_on_edge(caromTouchList *list, int i, const caromTouchFace *face, int edge)
{
    const caromTouchSide *side = &list->pair->side[i];
    bool is_cone = carom_manifold_is_cone(side);
    for (int end = 0; end < 2 && is_cone; end++) add_rim_crossings(list, i, end, CAROM_PART_EDGE, edge);
    if (face->id < 0 || (!is_cone && is_along(side, &list->pair->side[!i], edge)))
        add_rims(list, i, part_of(CAROM_PART_EDGE, edge));
}

// Corners are over the side; an edge crosses it or lies along it, between its corners and the rims.
static void add_side_on_face(caromTouchList *list, int i, const caromTouchFace *face)
{
    const caromTouchSide *frustum = &list->pair->side[i], *other = &list->pair->side[!i];
    const caromTouchPart side = part_of(CAROM_PART_EDGE, 0);
    if (face->id >= 0) add_rims(list, i, part_of(CAROM_PART_FACE, face->id));
    if (!is_cylinder(frustum) && !carom_manifold_is_cone(frustum)) return;
    for (int k = 0; k < face->n; k++)
        carom_manifold_add_to(list, i, side, part_of(CAROM_PART_CORNER, face->label[k]));
    for (int k = 0; k < face->nedge; k++) {
        int edge = carom_manifold_face_edge(other, face, k);
        carom_manifold_add_to(list, i, side, part_of(CAROM_PART_EDGE, edge));
        add_rims_on_edge(list, i, face, edge);
    }
}

static void add_side_on_side(caromTouchList *list)
{
    const caromTouchPart axis = part_of(CAROM_PART_EDGE, 0);
    add_rims(list, 0, axis);
    add_rims(list, 1, axis);
    carom_manifold_add(list, axis, axis);
}

// The end of side i under a side or an end of the other that is tilted: the rims of that, and where it leaves the disc.
static void add_frustum_over_end(caromTouchList *list, int i, int end)
{
    const caromTouchSide *other = &list->pair->side[!i];
    add_rims(list, !i, part_of(CAROM_PART_FACE, end));
    if (is_cylinder(other) || carom_manifold_is_cone(other)) add_rim_crossings(list, i, end, CAROM_PART_EDGE, 0);
}

// ---- which of them

static void on_half_space(caromTouchList *list, int i)
{
    int end;
    list->lies = stands(list->pair, i, carom_neg(list->pair->side[!i].X.R.cz), &end);
    if (list->lies) add_end_corners(list, i, end, 0);
    else add_rims(list, i, part_of(CAROM_PART_FACE, 0));
}

// A face that is turned towards n tells better how parallel it is than n does, which was searched for. False: no face
// is, and n is that of the end itself, on a corner or an edge of the other.
static bool towards_face(const caromTouchSide *other, const caromTouchFace *face, caromVec3 *down)
{
    caromVec3 on, out = face->id >= 0 ? carom_manifold_plane(other, face->id, &on) : carom_vec(0, 0, 0);
    bool is_facing = -carom_dot(out, *down) > CAROM_TOUCH_FACING_COS;
    if (is_facing) *down = carom_neg(out);
    return is_facing;
}

// Both return how much above the least gap the points may be.
static double on_face(caromTouchList *list, int i, caromVec3 down)
{
    const caromTouchPair *pair = list->pair;
    caromTouchFace face;
    int end;
    carom_manifold_face_towards(&pair->side[!i], carom_neg(down), &face);
    bool is_facing = towards_face(&pair->side[!i], &face, &down);
    if (stands(pair, i, down, &end)) {
        list->lies = is_facing;
        add_end_on_face(list, i, end, &face);
        return 2.0*pair->lying*pair->size;
    }
    if (shows_end(pair, i, down, &end)) add_face_over_end(list, i, end, &face);
    add_side_on_face(list, i, &face);
    return 0.0;
}

static double on_frustum(caromTouchList *list, caromVec3 n)
{
    const caromTouchSide *a = &list->pair->side[0], *b = &list->pair->side[1];
    int end_a, end_b;
    caromVec3 n_A = fabs(carom_dot(a->X.R.cz, n)) < CAROM_TOUCH_FACING_COS
                        ? n : carom_scale(carom_dot(a->X.R.cz, n) < 0.0 ? -1.0 : 1.0, a->X.R.cz);
    list->lies = stands(list->pair, 0, n_A, &end_a) && stands(list->pair, 1, carom_neg(n_A), &end_b);
    if (list->lies) {
        add_end_on_end(list, end_a, end_b);
        return 2.0*list->pair->lying*list->pair->size;
    }
    bool shows_a = shows_end(list->pair, 0, n, &end_a), shows_b = shows_end(list->pair, 1, carom_neg(n), &end_b);
    if (shows_a) add_frustum_over_end(list, 0, end_a);
    if (shows_b) add_frustum_over_end(list, 1, end_b);
    if (shows_a && shows_b) add_rim_crossings(list, 0, end_a, CAROM_PART_RIM, end_b);
    if (is_cylinder(a) && is_cylinder(b)) add_side_on_side(list);
    return 0.0;
}

static bool has_rims(const caromTouchSide *side)
{
    return carom_manifold_is_frustum(side) || carom_manifold_is_ring(side);
}

static int rims_of(const caromTouchPair *pair)
{
    return has_rims(&pair->side[0]) ? 0 : 1;
}

// A ring that is round a block has places over a face of it, and far below: those are behind the block. No place of a
// ring is nearer than the nearest.
static void leave_out_behind(caromTouchList *list, double least)
{
    int n = 0;
    for (int k = 0; k < list->n; k++)
        if (list->points[k].g >= least - CAROM_TOUCH_GAP*list->pair->size) list->points[n++] = list->points[k];
    list->n = n;
}

static void list_lines(caromTouchList *list, double within)
{
    const caromTouchPair *pair = list->pair;
    int i = rims_of(pair);
    if (pair->side[!i].shape->kind == CAROM_HALF_SPACE) {
        on_half_space(list, i);
        return;
    }
    caromTouchPoint nearest;
    if (!carom_manifold_nearest(pair, &nearest) || !(nearest.g <= within)) return;
    list->towards = nearest.n_AB;
    list->least_cos = leans_least;
    bool is_frustum = carom_manifold_is_frustum(&pair->side[!i]);
    double slack = is_frustum ? on_frustum(list, nearest.n_AB)
                              : on_face(list, i, i ? carom_neg(nearest.n_AB) : nearest.n_AB);
    if (carom_manifold_is_ring(&pair->side[i])) leave_out_behind(list, nearest.g);
    if (carom_manifold_least(list) > nearest.g + slack + CAROM_TOUCH_GAP*pair->size)
        carom_manifold_push_nearest(list, &nearest);
}

static bool serves(const caromTouchPair *pair)
{
    int i = rims_of(pair);
    if (carom_manifold_is_frustum(&pair->side[0]) && carom_manifold_is_frustum(&pair->side[1])) return true;
    return has_rims(&pair->side[i]) && carom_manifold_is_flat(&pair->side[!i]);
}

const caromTouchRow carom_touch_lines = { serves, list_lines };

// ---- a ring that lies on a flat end

// The end, and its outer normal; false: the ring does not lie on it.
static bool ring_lies(const caromTouchPair *pair, int ring, int *end, caromVec3 *out)
{
    const caromTouchSide *torus = &pair->side[ring], *frustum = &pair->side[!ring];
    if (!carom_manifold_is_ring(torus) || !carom_manifold_is_frustum(frustum)) return false;
    caromVec3 axis = frustum->X.R.cz;
    *end = carom_dot(axis, carom_sub(torus->X.p, frustum->X.p)) > 0.0;
    *out = *end ? axis : carom_neg(axis);
    double radius = *end ? frustum->core.r1 : frustum->core.r0;
    return radius > 0.0 && carom_manifold_lean_of(torus, *out) <= pair->lying;
}

static int ring_of(const caromTouchPair *pair)
{
    return carom_manifold_is_ring(&pair->side[0]) ? 0 : 1;
}

static bool serves_ring(const caromTouchPair *pair)
{
    int end;
    caromVec3 out;
    return ring_lies(pair, ring_of(pair), &end, &out);
}

// Where it is over the end, four points of the ring, and where it crosses the rim. Over nothing but the rim, or beside
// the end, it touches as round shapes do.
static void list_ring_on_end(caromTouchList *list, double within)
{
    const caromTouchPair *pair = list->pair;
    int ring = ring_of(pair), end = 0;
    caromTouchPoint nearest;
    if (!carom_manifold_nearest(pair, &nearest) || !(nearest.g <= within)) return;
    ring_lies(pair, ring, &end, &list->towards);
    if (ring == 0) list->towards = carom_neg(list->towards);
    list->least_cos = leans_least;
    list->lies = carom_dot(nearest.n_AB, list->towards) > leans_least;
    if (list->lies) {
        add_end_corners(list, ring, 0, end);
        add_rim_crossings(list, ring, 0, CAROM_PART_RIM, end);
    }
    double slack = 2.0*pair->lying*pair->size + CAROM_TOUCH_GAP*pair->size;
    if (carom_manifold_least(list) <= nearest.g + slack) return;
    list->n = 0;
    list->lies = false;
    carom_touch_round.list(list, within);
}

const caromTouchRow carom_touch_ring_on_end = { serves_ring, list_ring_on_end };
