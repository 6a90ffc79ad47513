// The place where two parts of surfaces meet, from the parts alone: one row for two kinds.
//
// n and the points c of the cores satisfy c_B - c_A = (g + r_A + r_B) n, and n is square to every edge and rim, and the
// normal of every face, that has a part in it. So dg/dt = n.(v_B - v_A) whatever the points do on their surfaces.
#include "manifold/parts.h"

static double margin_of(const caromTouchPair *pair)
{
    return CAROM_TOUCH_SAME*pair->size;
}

void carom_manifold_over(const caromTouchPair *pair, int i, caromVec3 c, const caromTouchPlane *plane,
                         caromTouchPlace *place)
{
    double height = carom_dot(plane->out, carom_sub(c, plane->on));
    place->n = i ? plane->out : carom_neg(plane->out);
    place->c[i] = c;
    place->c[!i] = carom_axpy(-height, plane->out, c);
    place->is_there = carom_manifold_is_over(&pair->side[!i], plane->face, place->c[!i], -margin_of(pair));
}

static bool corner_face(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    caromTouchPlane plane = { .face = b };
    plane.out = carom_manifold_plane(&pair->side[!i], b, &plane.on);
    carom_manifold_over(pair, i, carom_manifold_corner(&pair->side[i], a), &plane, place);
    return true;
}

// n along d, which is from i to the other; sharp parts that overlap have passed each other, and d is against the way
// out. d = 0: any way out.
static void along(caromTouchPlace *place, int i, caromVec3 d, caromVec3 out, double radius)
{
    double length = carom_norm(d), sign = radius == 0.0 && carom_dot(d, out) < 0.0 ? -1.0 : 1.0;
    place->n = length > 0.0 ? carom_scale(sign/length, d) : carom_unit_or(out, carom_vec(0, 0, 1));
    if (i) place->n = carom_neg(place->n);
}

static bool corner_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    place->c[i] = carom_manifold_corner(&pair->side[i], a);
    place->c[!i] = carom_manifold_corner(&pair->side[!i], b);
    place->is_there = true;
    caromVec3 out = carom_sub(carom_manifold_corner_out(&pair->side[i], a),
                              carom_manifold_corner_out(&pair->side[!i], b)), d = carom_sub(place->c[!i], place->c[i]);
    along(place, i, d, out, pair->side[0].core.radius + pair->side[1].core.radius);
    return true;
}

// Along the normal of the side there, through the corner.
static bool corner_cone(const caromTouchPair *pair, int i, int a, caromTouchPlace *place)
{
    const caromTouchSide *cone = &pair->side[!i];
    caromVec3 c = carom_manifold_corner(&pair->side[i], a), x = carom_pose_inverse_point(cone->X, c);
    caromTouchLine line = carom_manifold_cone_line(cone, atan2(x.y, x.x));
    caromVec3 t = carom_sub(line.q, line.p), from = carom_sub(c, line.p);
    double s = carom_dot(from, t)/carom_norm2(t), slack = margin_of(pair)/carom_norm(t);
    place->n = i ? line.out : carom_neg(line.out);
    place->c[i] = c;
    place->c[!i] = carom_axpy(-carom_dot(from, line.out), line.out, c);
    place->is_there = s >= -slack && s <= 1.0 + slack;
    return true;
}

// Square to the edge, through the corner. A distance that is lost in roundings tells no direction: then outwards.
static bool corner_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (carom_manifold_is_cone(&pair->side[!i])) return corner_cone(pair, i, a, place);
    caromTouchLine line = carom_manifold_line(&pair->side[!i], b);
    caromVec3 c = carom_manifold_corner(&pair->side[i], a), t = carom_sub(line.q, line.p);
    double tt = carom_norm2(t);
    if (!(tt > 0.0)) return false;
    double s = carom_dot(carom_sub(c, line.p), t)/tt, slack = margin_of(pair)/sqrt(tt);
    caromVec3 foot = carom_axpy(s, t, line.p), out = carom_sub(carom_manifold_corner_out(&pair->side[i], a), line.out),
              d = carom_sub(foot, c);
    d = carom_axpy(-carom_dot(d, t)/tt, t, d);
    out = carom_axpy(-carom_dot(out, t)/tt, t, out);
    place->c[i] = c;
    place->c[!i] = foot;
    place->is_there = s >= -slack && s <= 1.0 + slack;
    along(place, i, d, out, line.radius + pair->side[i].core.radius);
    return true;
}

bool carom_manifold_cross(const caromTouchPair *pair, const caromTouchLine *e, const caromTouchLine *f,
                          caromTouchPlace *place)
{
    caromVec3 u = carom_sub(e->q, e->p), w = carom_sub(f->q, f->p), n = carom_cross(u, w), r = carom_sub(f->p, e->p);
    double nn = carom_norm2(n), uu = carom_norm2(u), ww = carom_norm2(w);
    if (!(nn > CAROM_TOUCH_PARALLEL2*uu*ww)) return false;
    // r + t w - s u is square to u and w.
    double s = carom_dot(carom_cross(r, w), n)/nn, t = carom_dot(carom_cross(r, u), n)/nn, m = margin_of(pair),
           slack_s = m/sqrt(uu), slack_t = m/sqrt(ww);
    caromVec3 out = carom_sub(e->out, f->out);
    // Around lines without faces the cores stay apart, and r tells which way B is.
    double sign = carom_dot(n, carom_norm2(out) > 0.0 ? out : r) < 0.0 ? -1.0 : 1.0;
    place->n = carom_scale(sign/sqrt(nn), n);
    place->c[0] = carom_axpy(s, u, e->p);
    place->c[1] = carom_axpy(t, w, f->p);
    place->is_there = s >= -slack_s && s <= 1.0 + slack_s && t >= -slack_t && t <= 1.0 + slack_t;
    return true;
}

// Of the two lines on a cone whose normal is square to the edge, that which is farther outside of it.
static bool cone_edge(const caromTouchPair *pair, int i, int edge, caromTouchPlace *place)
{
    caromTouchLine f = carom_manifold_line(&pair->side[!i], edge), best = f;
    double angle[2], farthest = -(double)INFINITY;
    if (!carom_manifold_cone_square_to(&pair->side[i], carom_sub(f.q, f.p), angle)) return false;
    for (int k = 0; k < 2; k++) {
        caromTouchLine e = carom_manifold_cone_line(&pair->side[i], angle[k]);
        double outside = carom_dot(e.out, carom_sub(f.p, e.p));
        if (outside > farthest) farthest = outside, best = e;
    }
    if (!carom_manifold_cross(pair, i ? &f : &best, i ? &best : &f, place)) return false;
    place->n = i ? carom_neg(best.out) : best.out;  // whichever way the other edge faces: a side has an outside
    return true;
}

static bool edge_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    bool is_cone = carom_manifold_is_cone(&pair->side[i]), is_other = carom_manifold_is_cone(&pair->side[!i]);
    if (is_cone && is_other) return false;
    if (is_cone || is_other) return cone_edge(pair, is_cone ? i : !i, is_cone ? b : a, place);
    caromTouchLine e = carom_manifold_line(&pair->side[0], i ? b : a),
                   f = carom_manifold_line(&pair->side[1], i ? a : b);
    return carom_manifold_cross(pair, &e, &f, place);
}

// A triangle under a ball, a corner of a mesh under a smooth shape, or the surface over a point of a ring.
static bool smooth_corner(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (pair->side[i].shape->kind == CAROM_MESH) return carom_manifold_triangle_ball(pair, i, a, b, place);
    if (pair->side[!i].shape->kind == CAROM_MESH) return carom_manifold_smooth_corner(pair, i, a, b, place);
    return carom_manifold_ring_corner(pair, !i, b, a, place);
}

static bool ring_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    return pair->side[!i].shape->kind == CAROM_MESH ? carom_manifold_ring_bar(pair, i, a, b, place)
                                                    : carom_manifold_ring_place(pair, i, a, b, place);
}

static const caromTouchLocate rows[CAROM_PART_KINDS][CAROM_PART_KINDS] = {
    [CAROM_PART_CORNER] = { [CAROM_PART_CORNER] = corner_corner, [CAROM_PART_EDGE] = corner_edge,
                            [CAROM_PART_FACE] = corner_face, [CAROM_PART_RIM] = carom_manifold_ring_corner },
    [CAROM_PART_EDGE] = { [CAROM_PART_EDGE] = edge_edge },
    [CAROM_PART_SMOOTH] = { [CAROM_PART_CORNER] = smooth_corner, [CAROM_PART_EDGE] = carom_manifold_smooth_edge,
                            [CAROM_PART_FACE] = carom_manifold_smooth_face },
    [CAROM_PART_RIM] = { [CAROM_PART_EDGE] = carom_manifold_rim_edge, [CAROM_PART_FACE] = carom_manifold_rim_face,
                         [CAROM_PART_RIM] = carom_manifold_rim_rim },
    [CAROM_PART_RING] = { [CAROM_PART_CORNER] = carom_manifold_ring_place,
                          [CAROM_PART_EDGE] = ring_edge,
                          [CAROM_PART_FACE] = carom_manifold_ring_place,
                          [CAROM_PART_RIM] = carom_manifold_ring_place,
                          [CAROM_PART_SMOOTH] = carom_manifold_ring_place },
};

void carom_manifold_set_gap(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPlace *place)
{
    double r_A = carom_manifold_radius(&pair->side[0], part[0]), r_B = carom_manifold_radius(&pair->side[1], part[1]);
    place->g = carom_dot(place->n, carom_sub(place->c[1], place->c[0])) - r_A - r_B;
}

bool carom_manifold_locate(const caromTouchPair *pair, const caromTouchPart part[2], caromTouchPlace *place)
{
    int i = rows[part[0].kind][part[1].kind] ? 0 : 1;
    caromTouchLocate locate = rows[part[i].kind][part[!i].kind];
    if (!locate || !locate(pair, i, part[i].id, part[!i].id, place)) return false;
    carom_manifold_set_gap(pair, part, place);
    return isfinite(place->g);
}

caromTouchPoint carom_manifold_point_of(const caromTouchPair *pair, const caromTouchPart part[2],
                                        const caromTouchPlace *place)
{
    caromTouchPoint point = { .g = place->g, .n_AB = place->n };
    point.p_A = carom_axpy(carom_manifold_radius(&pair->side[0], part[0]), place->n, place->c[0]);
    point.p_B = carom_axpy(place->g, place->n, point.p_A);
    for (int i = 0; i < 2; i++) point.feature[i] = carom_manifold_feature(part[i].kind, part[i].id);
    return point;
}

// ---- listing

static bool is_listed(const caromTouchList *list, const caromTouchPoint *point)
{
    double same = 4.0*CAROM_TOUCH_SAME*list->pair->size;
    for (int k = 0; k < list->n; k++) {
        if (carom_norm2(carom_sub(list->points[k].p_A, point->p_A)) < same*same &&
            fabs(list->points[k].g - point->g) < same) return true;
    }
    return false;
}

void carom_manifold_push(caromTouchList *list, const caromTouchPart part[2], const caromTouchPlace *place)
{
    if (!place->is_there || !(carom_dot(place->n, list->towards) >= list->least_cos)) return;
    caromTouchPoint point = carom_manifold_point_of(list->pair, part, place);
    if (list->n < CAROM_TOUCH_POINTS_MAX && !is_listed(list, &point)) list->points[list->n++] = point;
}

void carom_manifold_add(caromTouchList *list, caromTouchPart a, caromTouchPart b)
{
    const caromTouchPart part[2] = { a, b };
    caromTouchPlace place;
    if (carom_manifold_locate(list->pair, part, &place)) carom_manifold_push(list, part, &place);
}

void carom_manifold_add_to(caromTouchList *list, int i, caromTouchPart part, caromTouchPart other)
{
    carom_manifold_add(list, i ? other : part, i ? part : other);
}

double carom_manifold_least(const caromTouchList *list)
{
    double least = (double)INFINITY;
    for (int k = 0; k < list->n; k++) least = fmin(least, list->points[k].g);
    return least;
}
