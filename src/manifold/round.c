// The one point in which two surfaces are nearest, and the parts it is on.
#include "manifold/parts.h"

static const double level = CAROM_TOUCH_LEVEL;

static caromTouchPart box_end(const caromCore *core, caromVec3 d, double slack)
{
    int label, level_axes = 0, last = 0, other = 0;
    carom_shape_box_support(core, d, &label);
    for (int axis = 0; axis < 3; axis++) {
        double h = carom_at(core->h, axis);
        if (h > 0.0 && 2.0*h*fabs(carom_at(d, axis)) <= slack) level_axes++, last = axis;
        else other = axis;
    }
    if (level_axes == 0) return (caromTouchPart){ CAROM_PART_CORNER, label };
    int low = last == 0 ? 1 : 0, high = last == 2 ? 1 : 2;
    if (level_axes == 1)
        return (caromTouchPart){ CAROM_PART_EDGE, 4*last + (label >> low & 1) + 2*(label >> high & 1) };
    return (caromTouchPart){ CAROM_PART_FACE, 2*other + (carom_at(d, other) < 0.0) };
}

static caromTouchPart hull_end(const caromTouchSide *side, caromVec3 d, double slack)
{
    const caromHull *hull = side->core.hull;
    int far, count = 0, face = -1, other = -1;
    double reach = carom_dot(d, carom_shape_core_support_label(&side->core, d, &far)) - slack;
    for (int k = hull->first_neighbour[far]; k < hull->first_neighbour[far + 1]; k++) {
        int f = hull->vertex_faces[k];
        if (face < 0 || carom_dot(d, hull->normals[f]) > carom_dot(d, hull->normals[face])) face = f;
        if (carom_dot(d, hull->vertices[hull->neighbours[k]]) < reach) continue;
        count++;
        other = hull->neighbours[k];
    }
    if (count == 0) return (caromTouchPart){ CAROM_PART_CORNER, far };
    return count == 1 ? (caromTouchPart){ CAROM_PART_EDGE, carom_manifold_edge_of(side, far, other) }
                      : (caromTouchPart){ CAROM_PART_FACE, face };
}

// A rim, a flat end, or the side, which is not told as a line: only its points are known.
static caromTouchPart frustum_end(const caromCore *core, caromVec3 d, double slack)
{
    double across = hypot(d.x, d.y), reach[2] = { across*core->r0 + d.z*core->z0, across*core->r1 + d.z*core->z1 };
    bool is_disc = core->z0 == core->z1;
    int end = is_disc ? d.z > 0.0 : reach[1] > reach[0];
    if (fabs(reach[1] - reach[0]) <= slack && !is_disc) return (caromTouchPart){ CAROM_PART_SMOOTH, 0 };
    if (2.0*across*(end ? core->r1 : core->r0) <= slack && (end ? core->r1 : core->r0) > 0.0)
        return (caromTouchPart){ CAROM_PART_FACE, end };
    return (caromTouchPart){ CAROM_PART_RIM, end };
}

caromTouchPart carom_manifold_end(const caromTouchSide *side, caromVec3 d_W, double size)
{
    caromVec3 d = carom_tmul(side->X.R, d_W);
    if (side->shape->kind == CAROM_HALF_SPACE) return (caromTouchPart){ CAROM_PART_FACE, 0 };
    if (carom_manifold_is_frustum(side)) return frustum_end(&side->core, d, level*size);
    if (!carom_manifold_is_flat(side)) return (caromTouchPart){ CAROM_PART_SMOOTH, 0 };
    return side->core.kind == CAROM_CORE_HULL ? hull_end(side, d, level*size) : box_end(&side->core, d, level*size);
}

// The depth of a mesh takes long to find: the gap of a pair knows a shorter way.
static caromGap gap_of(const caromTouchPair *pair)
{
    const caromTouchSide *a = &pair->side[0], *b = &pair->side[1];
    if (a->shape->kind != CAROM_MESH && b->shape->kind != CAROM_MESH)
        return carom_collide_shapes(*a->shape, a->X, *b->shape, b->X);
    caromVec3 origin = pair->kin->X_WS[pair->model->pairs[pair->pair].shape[0]].p;
    caromGap gap = carom_patch_gap(pair->model, pair->kin, pair->pair);
    gap.g += pair->model->pairs[pair->pair].shell;
    gap.p_A = carom_sub(gap.p_A, origin);
    gap.p_B = carom_axpy(gap.g, gap.n_AB, gap.p_A);
    return gap;
}

bool carom_manifold_nearest(const caromTouchPair *pair, caromTouchPoint *point)
{
    const caromTouchSide *a = &pair->side[0], *b = &pair->side[1];
    caromGap gap = gap_of(pair);
    if (gap.status == CAROM_GAP_UNDEFINED) return false;
    *point = (caromTouchPoint){ .g = gap.g, .n_AB = gap.n_AB, .p_A = gap.p_A, .p_B = gap.p_B };
    caromTouchPart end_a = carom_manifold_end(a, gap.n_AB, pair->size),
                   end_b = carom_manifold_end(b, carom_neg(gap.n_AB), pair->size);
    point->feature[0] = carom_manifold_feature(end_a.kind, end_a.id);
    point->feature[1] = carom_manifold_feature(end_b.kind, end_b.id);
    return true;
}

typedef enum Told { TOLD_NOTHING, TOLD_ANOTHER, TOLD_SAME } Told;

// Is the place of these parts that of the point?
static Told tell(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPoint *point)
{
    caromTouchPlace place;
    if (!carom_manifold_locate(pair, part, &place)) return TOLD_NOTHING;
    caromTouchPoint found = carom_manifold_point_of(pair, part, &place);
    double g = fabs(found.g - point->g), off = fmax(g, carom_norm(carom_sub(found.p_A, point->p_A)));
    if (!place.is_there || off > CAROM_TOUCH_SAME*pair->size || g > CAROM_TOUCH_GAP*pair->size) return TOLD_ANOTHER;
    *point = found;
    return TOLD_SAME;
}

// A rim and an edge cross in two points.
static Told tell_crossing(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPoint *point)
{
    int i = part[0].kind == CAROM_PART_RIM ? 0 : 1;
    if (part[i].kind != CAROM_PART_RIM || part[!i].kind != CAROM_PART_EDGE) return TOLD_NOTHING;
    Told told = TOLD_NOTHING;
    for (int which = 2; which <= 4 && told != TOLD_SAME; which += 2) {
        caromTouchPart crossing[2] = { part[0], part[1] };
        crossing[i].id += which;
        told = tell(pair, crossing, point);
    }
    return told;
}

void carom_manifold_push_nearest(caromTouchList *list, const caromTouchPoint *nearest)
{
    const caromTouchPair *pair = list->pair;
    const caromTouchPart part[2] = { carom_manifold_part(nearest->feature[0]),
                                     carom_manifold_part(nearest->feature[1]) };
    if (list->n == CAROM_TOUCH_POINTS_MAX || carom_manifold_push_ring(list, nearest)) return;
    caromTouchPoint point = *nearest;
    Told told = tell(pair, part, &point);
    if (told != TOLD_SAME && tell_crossing(pair, part, &point) == TOLD_SAME) told = TOLD_SAME;
    if (told == TOLD_ANOTHER) point.feature[0] = point.feature[1] = carom_manifold_feature(CAROM_PART_SMOOTH, 0);
    list->points[list->n++] = point;
}

static void list_round(caromTouchList *list, double within)
{
    caromTouchPoint nearest;
    if (carom_manifold_nearest(list->pair, &nearest) && nearest.g <= within)
        carom_manifold_push_nearest(list, &nearest);
}

static bool serves(const caromTouchPair *pair)
{
    (void)pair;
    return true;
}

const caromTouchRow carom_touch_round = { serves, list_round };
