// The points of a pair of a model: which row lists them, in which order, and what shells add.
//
// A shell is a layer on the surface: the shape grown by it. Points lie on the shells.
#include "manifold/parts.h"
#include "meshgap/meshgap.h"

// The first row that serves.
static const caromTouchRow *const rows[] = { &carom_touch_faces, &carom_touch_mesh, &carom_touch_solids,
                                             &carom_touch_lines, &carom_touch_ring_on_end,
                                             &carom_touch_round };

static const caromModelShape *shape_of(const caromModel *model, int pair, int i)
{
    return &model->shapes[model->pairs[pair].shape[i]];
}

// The circle that a torus is grown from.
static caromCore ring(const caromShape *torus)
{
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = torus->size.y, .r0 = torus->size.x, .r1 = torus->size.x };
}

static caromTouchPair placed(const caromModel *model, const caromKin *kin, int pair)
{
    caromTouchPair p;
    caromVec3 origin = kin->X_WS[model->pairs[pair].shape[0]].p;
    for (int i = 0; i < 2; i++) {
        const caromShape *shape = &shape_of(model, pair, i)->shape;
        const caromShapeRow *row = carom_shape_row(shape->kind);
        p.side[i].shape = shape;
        p.side[i].X = kin->X_WS[model->pairs[pair].shape[i]];
        p.side[i].X.p = carom_sub(p.side[i].X.p, origin);
        if (row->core) p.side[i].core = row->core(shape);
        else p.side[i].core = shape->kind == CAROM_TORUS ? ring(shape) : (caromCore){ .kind = CAROM_CORE_BOX };
    }
    p.model = model;
    p.kin = kin;
    p.pair = pair;
    p.lying = fmax(CAROM_TOUCH_LYING, CAROM_TOUCH_LYING_PART*model->settings.tolerance);
    p.size = fmin(shape_of(model, pair, 0)->radius, shape_of(model, pair, 1)->radius);
    return p;
}

// From the bare shapes at the origin of A to the shells in the world.
static caromTouchPoint in_world(const caromModel *model, const caromKin *kin, int pair, caromTouchPoint point)
{
    caromVec3 origin = kin->X_WS[model->pairs[pair].shape[0]].p;
    point.g -= model->pairs[pair].shell;
    point.p_A = carom_add(origin, carom_axpy(shape_of(model, pair, 0)->shell, point.n_AB, point.p_A));
    point.p_B = carom_add(origin, carom_axpy(-shape_of(model, pair, 1)->shell, point.n_AB, point.p_B));
    return point;
}

static bool comes_before(const caromTouchPoint *a, const caromTouchPoint *b)
{
    return a->feature[0] != b->feature[0] ? a->feature[0] < b->feature[0] : a->feature[1] < b->feature[1];
}

static void sort(int n, caromTouchPoint *points)
{
    for (int i = 1; i < n; i++) {
        caromTouchPoint point = points[i];
        int k = i;
        for (; k > 0 && comes_before(&point, &points[k - 1]); k--) points[k] = points[k - 1];
        points[k] = point;
    }
}

int carom_manifold_points(const caromModel *model, const caromKin *kin, int pair, double within,
                          caromTouchPoint *points)
{
    caromTouchPair p = placed(model, kin, pair);
    caromTouchList list = { .pair = &p, .towards = { 0, 0, 1 }, .least_cos = -1.0, .points = points };
    double shell = model->pairs[pair].shell;
    for (size_t k = 0; k < sizeof rows/sizeof rows[0]; k++) {
        if (!rows[k]->serves(&p)) continue;
        rows[k]->list(&list, within + shell);
        break;
    }
    if (!(carom_manifold_least(&list) <= within + shell)) return 0;
    sort(list.n, points);
    for (int k = 0; k < list.n; k++) {
        points[k].lies = list.lies;
        points[k] = in_world(model, kin, pair, points[k]);
    }
    return list.n;
}

static caromGap gap_at(const caromTouchPair *p, const caromTouchPoint *point)
{
    double radii = shape_of(p->model, p->pair, 0)->radius + shape_of(p->model, p->pair, 1)->radius;
    return (caromGap){ point->g, point->n_AB, point->p_A, point->p_B,
                       carom_narrow_roundings(carom_norm(p->side[1].X.p) + radii), CAROM_GAP_OK };
}

caromGap carom_manifold_gap(const caromModel *model, const caromKin *kin, int pair)
{
    caromTouchPair p = placed(model, kin, pair);
    const caromTouchSide *a = &p.side[0], *b = &p.side[1];
    caromGap gap;
    if (model->settings.response != CAROM_RESPONSE_RIGID || !carom_touch_solids.serves(&p))
        return carom_patch_gap(model, kin, pair);
    if (carom_meshgap_apart(a->shape, &a->X, b->shape, &b->X, &gap)) {
        caromTouchPoint nearest = { .g = gap.g, .n_AB = gap.n_AB, .p_A = gap.p_A, .p_B = gap.p_B };
        nearest = in_world(model, kin, pair, nearest);
        return gap_at(&p, &nearest);
    }
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int n = carom_manifold_points(model, kin, pair, (double)INFINITY, points), least = 0;
    if (n == 0) return carom_patch_gap(model, kin, pair);
    for (int k = 1; k < n; k++) if (points[k].g < points[least].g) least = k;
    // The surfaces touch: corners that stand for a disc that lies may be above it still.
    points[least].g = fmin(points[least].g, -model->pairs[pair].shell);
    return gap_at(&p, &points[least]);
}

bool carom_manifold_point_at(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                             caromTouchPoint *point)
{
    caromTouchPair p = placed(model, kin, pair);
    const caromTouchPart part[2] = { carom_manifold_part(feature[0]), carom_manifold_part(feature[1]) };
    caromTouchPlace place;
    bool is_there = false;
    *point = (caromTouchPoint){ .g = (double)NAN, .feature = { feature[0], feature[1] } };
    if (!carom_manifold_part_exists(&p.side[0], part[0]) || !carom_manifold_part_exists(&p.side[1], part[1]))
        return false;
    if (carom_manifold_locate(&p, part, &place)) {
        *point = carom_manifold_point_of(&p, part, &place);
        is_there = place.is_there && carom_manifold_ring_ends(&p, part, &place);
    } else if (carom_manifold_nearest(&p, point)) {
        bool is_smooth = part[0].kind == CAROM_PART_SMOOTH && part[1].kind == CAROM_PART_SMOOTH;
        is_there = is_smooth || (point->feature[0] == feature[0] && point->feature[1] == feature[1]);
        point->feature[0] = feature[0], point->feature[1] = feature[1];
    } else return false;
    *point = in_world(model, kin, pair, *point);
    return is_there;
}

void carom_manifold_follow(const caromModel *model, const caromKin *kin, int pair, int feature[2])
{
    const caromTouchPart part[2] = { carom_manifold_part(feature[0]), carom_manifold_part(feature[1]) };
    if (part[0].kind != CAROM_PART_RING && part[1].kind != CAROM_PART_RING) return;
    caromTouchPair p = placed(model, kin, pair);
    caromTouchPlace place;
    if (!carom_manifold_locate(&p, part, &place) || !place.is_there) return;
    for (int i = 0; i < 2; i++) {
        if (part[i].kind != CAROM_PART_RING) continue;
        caromVec3 c = carom_pose_inverse_point(p.side[i].X, place.c[i]);
        caromTouchPart now = carom_manifold_sector(atan2(c.y, c.x));
        feature[i] = carom_manifold_feature(now.kind, now.id);
    }
}

// ---- how long all that may come down is listed

static caromVec3 velocity_at(const caromModel *model, const caromKin *kin, int pair, int i, caromVec3 p_W)
{
    return carom_kin_point_velocity(kin, shape_of(model, pair, i)->body, p_W);
}

double carom_manifold_pace(const caromModel *model, const caromKin *kin, int pair)
{
    caromTouchPair p = placed(model, kin, pair);
    if (!carom_touch_solids.serves(&p)) return (double)INFINITY;
    int small = shape_of(model, pair, 1)->radius < shape_of(model, pair, 0)->radius;
    caromVec3 middle = kin->X_WS[model->pairs[pair].shape[small]].p, w[2];
    for (int i = 0; i < 2; i++) w[i] = kin->V_WC[shape_of(model, pair, i)->body].angular;
    double speed = carom_norm(carom_sub(velocity_at(model, kin, pair, 1, middle),
                                        velocity_at(model, kin, pair, 0, middle))) +
                   p.size*carom_norm(carom_sub(w[1], w[0]));
    return CAROM_TOUCH_NEAR*p.size/speed;
}

// ---- discs on faces

static bool has_rims(const caromTouchSide *side)
{
    return carom_manifold_is_frustum(side) || carom_manifold_is_ring(side);
}

// The side with a part of that kind of a disc, on a face of the other; -1: none.
static int disc_on_face(const caromTouchPair *p, const caromTouchPart part[2], caromPartKind kind)
{
    for (int i = 0; i < 2; i++) if (has_rims(&p->side[i]) && part[i].kind == kind && part[!i].kind == CAROM_PART_FACE)
        return i;
    return -1;
}

// Of a disc: 1 for that of the top.
static int end_of_corner(int id)
{
    return id >= CAROM_TOUCH_RIM_CORNERS ? id & 1 : (id & 4) != 0;
}

static caromVec3 across(caromVec3 n, caromVec3 v)
{
    return carom_axpy(-carom_dot(n, v), n, v);
}

// Angular velocity of side i as seen from the other.
static caromVec3 turning(const caromTouchPair *p, int i)
{
    caromVec3 w[2];
    for (int k = 0; k < 2; k++) w[k] = p->kin->V_WC[shape_of(p->model, p->pair, k)->body].angular;
    return carom_sub(w[i], w[!i]);
}

bool carom_manifold_lean(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                         caromTouchLean *lean)
{
    caromTouchPair p = placed(model, kin, pair);
    const caromTouchPart part[2] = { carom_manifold_part(feature[0]), carom_manifold_part(feature[1]) };
    int i = disc_on_face(&p, part, CAROM_PART_RIM);
    if (i < 0 || part[i].id > 1 || !(carom_manifold_circle(&p.side[i], part[i].id).R > 0.0)) return false;
    caromVec3 on, out = carom_manifold_plane(&p.side[!i], part[!i].id, &on), axis = p.side[i].X.R.cz;
    lean->lean = across(out, axis);
    lean->rate = across(out, carom_cross(turning(&p, i), axis));
    return true;
}

bool carom_manifold_disc(const caromModel *model, const caromKin *kin, int pair, const int feature[2],
                         caromTouchDisc *disc)
{
    caromTouchPair p = placed(model, kin, pair);
    const caromTouchPart part[2] = { carom_manifold_part(feature[0]), carom_manifold_part(feature[1]) };
    int corner = disc_on_face(&p, part, CAROM_PART_CORNER), rim = disc_on_face(&p, part, CAROM_PART_RIM),
        i = corner >= 0 ? corner : rim;
    if (i < 0 || carom_manifold_is_ring(&p.side[i]) || (rim >= 0 && part[i].id > 1)) return false;
    int end = corner >= 0 ? end_of_corner(part[i].id) : part[i].id;
    caromTouchCircle circle = carom_manifold_circle(&p.side[i], end);
    *disc = (caromTouchDisc){ carom_add(kin->X_WS[model->pairs[pair].shape[0]].p, circle.centre), circle.R,
                              2*i + end };
    return circle.R > 0.0;
}

// Heights of the rim over the face change by out.(v + w x c), least for c along w x out.
bool carom_manifold_rim_fastest(const caromModel *model, const caromKin *kin, const caromTouchPoint *listed, int pair,
                                caromTouchPoint *point)
{
    caromTouchPair p = placed(model, kin, pair);
    caromTouchPart part[2] = { carom_manifold_part(listed->feature[0]), carom_manifold_part(listed->feature[1]) };
    int i = disc_on_face(&p, part, CAROM_PART_CORNER);
    if (i < 0 || !listed->lies) return false;
    int is_top = end_of_corner(part[i].id);
    caromVec3 on, out = carom_manifold_plane(&p.side[!i], part[!i].id, &on),
              c = carom_tmul(p.side[i].X.R, carom_cross(turning(&p, i), out));
    if (!(hypot(c.x, c.y) > 0.0)) return false;
    double turns = atan2(c.y, c.x)/(2.0*CAROM_PI);
    int k = (int)floor((turns < 0.0 ? turns + 1.0 : turns)*CAROM_TOUCH_ANGLES + 0.5) % CAROM_TOUCH_ANGLES;
    part[i].id = CAROM_TOUCH_RIM_CORNERS + 2*k + is_top;
    const int feature[2] = { carom_manifold_feature(part[0].kind, part[0].id),
                             carom_manifold_feature(part[1].kind, part[1].id) };
    return carom_manifold_point_at(model, kin, pair, feature, point);
}

// ---- motion: motion.c knows bare shapes at the origin of A

caromTouchMotion carom_manifold_motion(const caromModel *model, const caromKin *kin, int pair,
                                       const caromTouchPoint *point)
{
    caromTouchPair p = placed(model, kin, pair);
    caromVec3 origin = kin->X_WS[model->pairs[pair].shape[0]].p, n = point->n_AB, p_W[2] = { point->p_A, point->p_B };
    caromTouchMoving m = { .n = n, .g = point->g + model->pairs[pair].shell, .size = p.size };
    double shell[2] = { shape_of(model, pair, 0)->shell, shape_of(model, pair, 1)->shell };
    for (int i = 0; i < 2; i++) {
        caromVec3 bare_W = carom_axpy(i ? shell[i] : -shell[i], n, p_W[i]);
        int body = shape_of(model, pair, i)->body;
        m.v[i] = carom_kin_point_velocity(kin, body, bare_W);
        m.w[i] = kin->V_WC[body].angular;
        m.k[i] = carom_manifold_curvature(&p.side[i], carom_manifold_part(point->feature[i]), carom_sub(bare_W, origin),
                                          i ? carom_neg(n) : n);
    }
    caromTouchMotion motion = carom_manifold_move(&m);
    motion.u_A = carom_axpy(shell[0], carom_sub(motion.dn, carom_cross(m.w[0], n)), motion.u_A);
    motion.u_B = carom_axpy(-shell[1], carom_sub(motion.dn, carom_cross(m.w[1], n)), motion.u_B);
    return motion;
}
