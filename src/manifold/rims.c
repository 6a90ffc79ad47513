// Where rims of cylinders and cones, and rings, meet faces, edges and each other.
//
// Found are the points of the two curves whose connection is square to both. There are several; which one is
// meant is part of the rim's number: 0 or 1 the point that is turned towards the other part; 2 or 4 more the
// first or the second crossing of curves that lie nearly in one plane, as the rim of a flat end and the edge of
// the table that it hangs over.
#include "manifold/parts.h"

enum { STEPS_MAX = 30 };

static double margin_of(const caromTouchPair *pair)
{
    return CAROM_TOUCH_SAME*pair->size;
}

static caromVec3 across(caromVec3 n, caromVec3 v)
{
    return carom_axpy(-carom_dot(n, v), n, v);
}

// A ring goes round the solid: its lowest point may be over a face, beyond the far side of the solid.
static bool is_beyond(const caromTouchPair *pair, int i, const caromTouchPlane *plane, caromVec3 c)
{
    bool is_below = carom_dot(plane->out, carom_sub(c, plane->on)) < -margin_of(pair);
    return is_below && carom_manifold_is_ring(&pair->side[i]) && carom_manifold_distance(&pair->side[!i], c) > 0.0;
}

// The point of the circle nearest to the plane. Where the disc lies flat there is none: its corners touch (lines.c).
bool carom_manifold_rim_face(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    caromTouchCircle circle = carom_manifold_circle(&pair->side[i], a & 1);
    caromTouchPlane plane = { .face = b };
    plane.out = carom_manifold_plane(&pair->side[!i], b, &plane.on);
    caromVec3 away = across(circle.axis, carom_neg(plane.out));
    double length = carom_norm(away);
    bool is_flat = !(length > CAROM_TOUCH_FLAT);
    if (a > 1 || (is_flat && circle.R > 0.0)) return false;
    // Of a disc that is nearly parallel little is left; roundings along the axis would lift the point off the rim.
    if (!is_flat) away = carom_unit_or(across(circle.axis, carom_scale(1.0/length, away)), away);
    carom_manifold_over(pair, i, carom_axpy(circle.R, away, circle.centre), &plane, place);
    bool lies = circle.R > 0.0 && carom_manifold_lean_of(&pair->side[i], plane.out) <= pair->lying;
    place->is_there = place->is_there && !lies && !is_beyond(pair, i, &plane, place->c[i]);
    return true;
}

// ---- crossings: the connection d of the two curves is square to both tangents u. Newton's method for the places along
// them, from where they cross as seen along the axis. Where d = 0 that is the crossing of the tangents; what curvature
// adds is d/R of it, and without it the error of a crossing that is d away is only multiplied by d/R in each step.

static caromTouchLine tangent(const caromTouchCircle *circle, caromVec3 c)
{
    caromVec3 away = carom_unit_or(across(circle->axis, carom_sub(c, circle->centre)),
                                   carom_geometry_square_to(circle->axis));
    caromVec3 on = carom_axpy(circle->R, away, circle->centre);
    caromVec3 out = carom_axpy(circle->side, circle->axis, carom_scale(fabs(circle->side), away));
    return (caromTouchLine){ .p = on, .q = carom_axpy(circle->R, carom_cross(circle->axis, away), on), .out = out };
}

// The line with p at c.
static caromTouchLine line_at(const caromTouchLine *line, caromVec3 c)
{
    caromVec3 u = carom_sub(line->q, line->p);
    double s = carom_dot(carom_sub(c, line->p), u)/carom_norm2(u);
    return (caromTouchLine){ .p = carom_axpy(s, u, line->p), .q = carom_axpy(s, u, line->q), .out = line->out };
}

// d.du, where du is what one unit along the curve adds to u: towards the centre of a circle, nothing on a line.
static double bend(const caromTouchCircle *circle, const caromTouchLine *t, caromVec3 d)
{
    return circle ? carom_dot(d, carom_sub(circle->centre, t->p)) : 0.0;
}

// From t[k].p on, to c. False: the curves line up there, or the connection is no crossing that came apart.
static bool newton(const caromTouchCircle *circle[2], const caromTouchLine t[2], caromVec3 c[2])
{
    caromVec3 u = carom_sub(t[0].q, t[0].p), w = carom_sub(t[1].q, t[1].p), d = carom_sub(t[1].p, t[0].p);
    double uw = carom_dot(u, w), uu = carom_norm2(u), ww = carom_norm2(w), of_u = uu - bend(circle[0], &t[0], d),
           of_w = ww + bend(circle[1], &t[1], d), du = carom_dot(d, u), dw = carom_dot(d, w),
           square = of_u*of_w - uw*uw;
    if (!(square > CAROM_TOUCH_PARALLEL2*uu*ww)) return false;
    c[0] = carom_axpy((du*of_w - dw*uw)/square, u, t[0].p);
    c[1] = carom_axpy((du*uw - dw*of_u)/square, w, t[1].p);
    return true;
}

// From c[i] on: curve i is a circle, or else the line. Curves of A first.
static bool follow(const caromTouchPair *pair, const caromTouchCircle *circle[2], const caromTouchLine *line[2],
                   caromVec3 start, caromTouchPlace *place)
{
    caromVec3 c[2] = { start, start };
    caromTouchLine t[2];
    double last = (double)INFINITY, move = last;
    for (int step = 0; step < STEPS_MAX; step++) {
        for (int k = 0; k < 2; k++) t[k] = circle[k] ? tangent(circle[k], c[k]) : line_at(line[k], c[k]);
        if (!newton(circle, t, c)) return false;
        last = move;
        move = 0.0;
        for (int k = 0; k < 2; k++) if (circle[k]) move = fmax(move, carom_norm(carom_sub(c[k], t[k].p)));
        if (move == 0.0 || (!(move < last) && move < margin_of(pair))) break;
    }
    if (!(move < margin_of(pair)) || !carom_manifold_cross(pair, &t[0], &t[1], place)) return false;
    for (int k = 0; k < 2; k++) place->c[k] = circle[k] ? tangent(circle[k], c[k]).p : c[k];
    return true;
}

// The rim's plane meets the line in 0 or 2 points, as seen along the axis.
static bool line_start(const caromTouchCircle *circle, const caromTouchLine *line, int second, caromVec3 *start)
{
    caromVec3 p = across(circle->axis, carom_sub(line->p, circle->centre)),
              d = across(circle->axis, carom_sub(line->q, line->p));
    double dd = carom_norm2(d), pd = carom_dot(p, d), square = pd*pd - dd*(carom_norm2(p) - circle->R*circle->R);
    if (!(dd > 0.0 && square > 0.0)) return false;
    double s = (-pd + (second ? sqrt(square) : -sqrt(square)))/dd;
    *start = carom_add(circle->centre, carom_axpy(s, d, p));
    return true;
}

// which: 0: from the point that is turned towards the line, which is nearly along the axis; else as rims are numbered.
static bool crosses_line(const caromTouchPair *pair, int i, const caromTouchCircle *circle, const caromTouchLine *line,
                         int which, caromTouchPlace *place)
{
    caromVec3 start = line->p;
    if (which > 0 && !line_start(circle, line, which > 3, &start)) return false;
    const caromTouchCircle *circles[2] = { i ? NULL : circle, i ? circle : NULL };
    const caromTouchLine *lines[2] = { i ? line : NULL, i ? NULL : line };
    if (!follow(pair, circles, lines, start, place)) return false;
    caromVec3 d = carom_sub(line->q, line->p);
    double dd = carom_norm2(d), s = carom_dot(carom_sub(place->c[!i], line->p), d)/dd, slack = margin_of(pair)/sqrt(dd);
    place->is_there = s >= -slack && s <= 1.0 + slack;
    return true;
}

// ---- the point turned towards a line: d, from the circle square to the line, is square to the tangent;
// Newton's method for the angle

static bool towards_line(const caromTouchPair *pair, int i, const caromTouchCircle *circle, const caromTouchLine *line,
                         caromTouchPlace *place)
{
    caromVec3 t = carom_sub(line->q, line->p), d = { 0, 0, 0 };
    double length = carom_norm(t), step = (double)INFINITY;
    if (!(length > 0.0)) return false;
    t = carom_scale(1.0/length, t);
    caromVec3 away = carom_unit_or(across(circle->axis, across(t, carom_sub(line->p, circle->centre))),
                                   carom_geometry_square_to(circle->axis)), c = circle->centre;
    for (int k = 0; k < STEPS_MAX && fabs(step) > DBL_EPSILON; k++) {
        caromVec3 tau = carom_cross(circle->axis, away);
        c = carom_axpy(circle->R, away, circle->centre);
        d = across(t, carom_sub(line->p, c));
        double slope = circle->R*carom_norm2(across(t, tau)) + carom_dot(d, away);
        if (!(slope > 0.0)) return false;
        step = carom_dot(d, tau)/slope;
        away = carom_unit_or(carom_axpy(step, tau, away), away);
    }
    double s = carom_dot(carom_sub(c, line->p), t)/length, slack = margin_of(pair)/length;
    place->c[i] = c;
    place->c[!i] = carom_add(c, d);
    place->n = carom_unit_or(i ? carom_neg(d) : d, carom_vec(0, 0, 1));
    place->is_there = s >= -slack && s <= 1.0 + slack;
    return fabs(step) < CAROM_TOUCH_STEP;
}

// ---- the side of a cone along a flat end: where its rim is nearest to the side, at both ends of the line in which the
// cone is turned towards the end. Newton's method for the angle: f, the height over the side, has slope n.tau.

// The line of the cone that is turned most along d.
static caromTouchLine ridge(const caromTouchSide *cone, caromVec3 d_W)
{
    caromVec3 d = carom_tmul(cone->X.R, d_W);
    return carom_manifold_cone_line(cone, atan2(d.y, d.x));
}

typedef struct OverCone {
    caromVec3 out;      // normal of the side below a point
    double f, along;    // height over it, and the place along its line as a part of it
    double bend;        // of the height along the unit vector tau
    double length;      // of the line
} OverCone;

static OverCone over_cone(const caromTouchSide *cone, caromVec3 c, caromVec3 tau)
{
    caromVec3 x = carom_pose_inverse_point(cone->X, c), around = carom_tmul(cone->X.R, tau);
    double rho = hypot(x.x, x.y);
    caromTouchLine line = carom_manifold_cone_line(cone, atan2(x.y, x.x));
    caromVec3 t = carom_sub(line.q, line.p), from = carom_sub(c, line.p);
    double turn = rho > 0.0 ? (x.x*around.y - x.y*around.x)/rho : 0.0,
           cos_b = carom_norm(carom_cross(line.out, cone->X.R.cz)), length = carom_norm(t);
    return (OverCone){ line.out, carom_dot(from, line.out), carom_dot(from, t)/(length*length),
                       rho > 0.0 ? cos_b*turn*turn/rho : (double)INFINITY, length };
}

static bool crosses_cone(const caromTouchPair *pair, int i, const caromTouchCircle *circle, int which,
                         caromTouchPlace *place)
{
    const caromTouchSide *cone = &pair->side[!i];
    caromTouchLine line = ridge(cone, carom_scale(-circle->side, circle->axis));
    caromVec3 c, away, tau;
    OverCone at = { .length = 1.0 };
    double step = (double)INFINITY;
    if (!line_start(circle, &line, which > 3, &c)) return false;
    away = across(circle->axis, carom_sub(c, circle->centre));
    for (int k = 0; k < STEPS_MAX && fabs(step) > DBL_EPSILON; k++) {
        away = carom_unit_or(away, carom_geometry_square_to(circle->axis));
        tau = carom_cross(circle->axis, away);
        c = carom_axpy(circle->R, away, circle->centre);
        at = over_cone(cone, c, tau);
        double curved = circle->R*at.bend - carom_dot(at.out, away);
        if (!(curved > 0.0 && isfinite(curved))) return false;
        step = -carom_dot(at.out, tau)/curved;
        away = carom_axpy(step, tau, away);
    }
    double slack = margin_of(pair)/at.length;
    place->n = i ? at.out : carom_neg(at.out);
    place->c[i] = c;
    place->c[!i] = carom_axpy(-at.f, at.out, c);
    place->is_there = at.along >= -slack && at.along <= 1.0 + slack;
    return fabs(step) < CAROM_TOUCH_STEP;
}

// Between surfaces about them the distance tells the normal; where both are sharp it is square to their tangents.
bool carom_manifold_rim_edge(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    caromTouchCircle circle = carom_manifold_circle(&pair->side[i], a & 1);
    caromTouchLine line = carom_manifold_line(&pair->side[!i], b);
    if (!(circle.R > 0.0)) return false;
    if (carom_manifold_is_cone(&pair->side[!i])) return a > 1 && crosses_cone(pair, i, &circle, a, place);
    bool is_sharp = !(line.radius + pair->side[i].core.radius > 0.0);
    if (a > 1 || is_sharp) return crosses_line(pair, i, &circle, &line, a > 1 ? a : 0, place);
    return towards_line(pair, i, &circle, &line, place);
}

// ---- two flat ends

bool carom_manifold_rim_rim(const caromTouchPair *pair, int i, int a, int b, caromTouchPlace *place)
{
    if (a < 2 || a/2 != b/2) return false;
    caromTouchCircle circle[2];
    const caromTouchCircle *circles[2] = { &circle[0], &circle[1] };
    circle[i] = carom_manifold_circle(&pair->side[i], a & 1);
    circle[!i] = carom_manifold_circle(&pair->side[!i], b & 1);
    // Seen along both outer normals, of which a ring has none: e is from centre to centre, f to its left; swapping A
    // and B leaves f and the view.
    caromVec3 out = carom_unit_or(carom_axpy(circle[0].side, circle[0].axis,
                                             carom_scale(-circle[1].side, circle[1].axis)), circle[0].axis),
              e = across(out, carom_sub(circle[1].centre, circle[0].centre));
    double d = carom_norm(e), R0 = circle[0].R, R1 = circle[1].R, x = 0.5*(d + (R0 - R1)*(R0 + R1)/d),
           square = R0*R0 - x*x;
    if (!(d > 0.0 && square > 0.0)) return false;
    e = carom_scale(1.0/d, e);
    caromVec3 start = carom_axpy(x, e, carom_axpy(a > 3 ? sqrt(square) : -sqrt(square), carom_cross(out, e),
                                                  circle[0].centre));
    const caromTouchLine *none[2] = { NULL, NULL };
    if (!follow(pair, circles, none, start, place)) return false;
    place->is_there = true;
    return true;
}
