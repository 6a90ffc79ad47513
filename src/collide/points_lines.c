// Cylinders and cones on plane faces: lines and discs.
//
// A cylinder that lies touches along a line: the lowest points of its two rims are its ends, and if it hangs over the edge of the face, the crossing of its side with that edge. These points
// move round the rims as it rolls. A flat end that stands touches in a disc: four points of its rim that are fixed to the body stand for it, as long as it is within `flat` of
// parallel; the lowest point of the rim would run round it at a speed without bounds there. Beyond, the disc has come off, and the lowest point is the only one that touches.
#include "collide/points_parts.h"

static const double flat = 1e-6;  // [rad]

static void add_flat_end(caromTouchList *list, int i, int end, int face)
{
    for (int k = 0; k < 4; k++) carom_touch_add_to(list, i, (caromPart){ CAROM_PART_CORNER, 4*end + k }, (caromPart){ CAROM_PART_FACE, face });
}

// A tip is a rim without width.
static void add_rims(caromTouchList *list, int i, int face)
{
    for (int k = 0; k < 2; k++) carom_touch_add_to(list, i, (caromPart){ CAROM_PART_RIM, k }, (caromPart){ CAROM_PART_FACE, face });
}

static bool stands(const caromTouchSide *frustum, caromVec3 down_W, int *end)
{
    caromVec3 down = carom_tmul(frustum->X.R, down_W);
    *end = down.z > 0.0;
    return hypot(down.x, down.y) <= flat && (*end ? frustum->core.r1 : frustum->core.r0) > 0.0;
}

static void on_half_space(caromTouchList *list, int i)
{
    int end;
    if (stands(&list->pair->side[i], carom_neg(list->pair->side[!i].X.R.cz), &end)) add_flat_end(list, i, end, 0);
    else add_rims(list, i, 0);
}

// ---- on a box or hull: its corners and edges may be under the cylinder

static bool is_cylinder(const caromTouchSide *frustum)
{
    return frustum->core.r0 == frustum->core.r1 && frustum->core.z0 < frustum->core.z1;
}

static void add_crossings(caromTouchList *list, int i, const caromTouchFace *face)
{
    for (int k = 0; k < face->nedge; k++) {
        int id = carom_touch_face_edge(&list->pair->side[!i], face, k);
        carom_touch_add_to(list, i, (caromPart){ CAROM_PART_EDGE, 0 }, (caromPart){ CAROM_PART_EDGE, id });
    }
}

static void on_faces(caromTouchList *list, int i, double within)
{
    const caromTouchPair *pair = list->pair;
    caromTouchPoint nearest;
    if (!carom_touch_nearest(pair, &nearest) || !(nearest.g <= within)) return;
    caromVec3 down = i ? carom_neg(nearest.n_AB) : nearest.n_AB;
    caromTouchFace face;
    int end;
    carom_touch_face_towards(&pair->side[!i], carom_neg(down), &face);
    list->towards = nearest.n_AB;
    list->least_cos = 0.8;
    if (stands(&pair->side[i], down, &end)) {
        if (face.id >= 0) add_flat_end(list, i, end, face.id);
        for (int k = 0; k < face.n; k++) carom_touch_add_to(list, !i, (caromPart){ CAROM_PART_CORNER, face.label[k] }, (caromPart){ CAROM_PART_FACE, end });
    } else {
        if (face.id >= 0) add_rims(list, i, face.id);
        if (is_cylinder(&pair->side[i])) add_crossings(list, i, &face);
    }
    double enough = nearest.g + 1e-12*pair->size;
    if (carom_touch_least(list) > enough && list->n < CAROM_TOUCH_POINTS_MAX) list->points[list->n++] = nearest;
}

static int frustum_of(const caromTouchPair *pair)
{
    return carom_touch_is_frustum(&pair->side[0]) ? 0 : 1;
}

static void list_lines(caromTouchList *list, double within)
{
    int i = frustum_of(list->pair);
    if (list->pair->side[!i].shape->kind == CAROM_HALF_SPACE) on_half_space(list, i);
    else on_faces(list, i, within);
}

static bool serves(const caromTouchPair *pair)
{
    int i = frustum_of(pair);
    caromShapeKind other = pair->side[!i].shape->kind;
    return carom_touch_is_frustum(&pair->side[i]) && (other == CAROM_HALF_SPACE || other == CAROM_BOX || other == CAROM_POLYTOPE);
}

const caromTouchRow carom_touch_lines = { serves, list_lines };
