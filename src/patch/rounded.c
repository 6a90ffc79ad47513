// The part of a box or polytope with rounded edges that is below a plane, exactly but for rounding.
//
// A volume is depth integrated over the surface of A below, seen from above: with w the outer normal of A, dA the
// area, and x along the plane
//
//     V = int depth (w.down) dA,     int over V of x = int x depth (w.down) dA,     W = int depth^2/2 (w.down) dA
//
// where faces that look up count negative. The surface consists of the faces of the core moved out by the radius r, of
// strips of cylinders along its edges, and at each corner of the part of a ball whose normals lie between those of the
// faces that meet there.
//   Faces: depth is linear; triangles, cut off where it is 0.
//   Edges: for a given normal depth is linear along the edge; Gauss' rule over the normals, between those where
//     it is 0 at an end.
//   Corners: depth = d - 2 r sin^2(f/2) at the angle f from down. In polar coordinates about down the integral over f
//     is known, and what is left is an integral over
//   the boundary, on which the azimuth p changes by dp = k dt/sin^2 f along a great circle (Clairaut): smooth, as the
//     inner integral goes with sin^2 f. Beyond
//   the angle at which depth is 0 the inner integral stays what it is there. The boundary of a corner are the normals
//     of its edges: one pass over the edges does it all.
#include "geometry/box.h"
#include "math/gauss.h"
#include "patch/round.h"
#include "patch/scales.h"

static const double pi = CAROM_PI;

typedef struct Faceted {  // the core
    const caromVec3 *vertices, *normals;
    int nvertex, nface, nedge;
    const int *first, *corners;
    const int (*edges)[2], (*edge_faces)[2];
    double r;
    bool is_box;  // edges may have no length; the first four are along x, then y, z
} Faceted;

typedef struct RoundedWork {
    const caromSurface *plane;
    const Faceted *body;
    caromVec3 low;   // deepest vertex
    double depth;    // below it
    caromImmersed *sums;
} RoundedWork;

// Of a vertex: along the plane, and the depth that the ball about it reaches.
typedef struct RoundPlace { double x, y, d; } RoundPlace;

static RoundPlace place_of(const RoundedWork *w, caromVec3 v)
{
    caromVec3 from = carom_sub(v, w->low);
    return (RoundPlace){ carom_dot(w->plane->x, from), carom_dot(w->plane->y, from),
                         w->depth + carom_dot(w->plane->down, from) };
}

// Depth at a place, on area seen from above.
static void add_column(caromImmersed *s, double x, double y, double depth, double area)
{
    double v = depth*area;
    s->volume += v;
    s->energy += 0.5*v*depth;
    s->x += v*x;
    s->y += v*y;
    s->xx += v*x*x;
    s->xy += v*x*y;
    s->yy += v*y*y;
}

// ---- faces

// Depth linear over a triangle: Strang's rule of degree 4 with 6 points is more than its square and its product
// with two coordinates need.
static void add_triangle(caromImmersed *s, RoundPlace a, RoundPlace b, RoundPlace c)
{
    static const double at[2] = { 0.44594849091596488632, 0.09157621350977074346 },
                        weight[2] = { 0.22338158967801146570, 0.10995174365532186764 };
    double area = 0.5*((b.x - a.x)*(c.y - a.y) - (c.x - a.x)*(b.y - a.y));
    for (int k = 0; k < 6; k++) {
        double p = at[k/3], q = 1.0 - 2.0*p, i = k%3 == 0 ? q : p, j = k%3 == 1 ? q : p, l = k%3 == 2 ? q : p;
        add_column(s, i*a.x + j*b.x + l*c.x, i*a.y + j*b.y + l*c.y, i*a.d + j*b.d + l*c.d, weight[k/3]*area);
    }
}

static RoundPlace between(RoundPlace a, RoundPlace b)  // where depth is 0
{
    double t = a.d/(a.d - b.d);
    return (RoundPlace){ a.x + t*(b.x - a.x), a.y + t*(b.y - a.y), 0.0 };
}

static void add_cut_triangle(caromImmersed *s, const RoundPlace corner[3])
{
    RoundPlace cut[4];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        RoundPlace a = corner[k], b = corner[(k + 1)%3];
        if (a.d > 0.0) cut[n++] = a;
        if ((a.d > 0.0) != (b.d > 0.0)) cut[n++] = between(a, b);
    }
    for (int k = 1; k + 1 < n; k++) add_triangle(s, cut[0], cut[k], cut[k + 1]);
}

// The depth of a point with the normal w is less than what its ball reaches by r (1 - w.down).
static RoundPlace on_face(const RoundedWork *w, int vertex, caromVec3 normal)
{
    RoundPlace p = place_of(w, w->body->vertices[vertex]);
    double r = w->body->r, less = 0.5*r*carom_norm2(carom_sub(normal, w->plane->down));
    return (RoundPlace){ p.x + r*carom_dot(w->plane->x, normal), p.y + r*carom_dot(w->plane->y, normal), p.d - less };
}

static void add_face(RoundedWork *w, int face)
{
    const Faceted *body = w->body;
    const int *corner = body->corners + body->first[face];
    int n = body->first[face + 1] - body->first[face];
    RoundPlace p[3] = { on_face(w, corner[0], body->normals[face]), on_face(w, corner[1], body->normals[face]) };
    for (int k = 2; k < n; k++) {
        p[2] = on_face(w, corner[k], body->normals[face]);
        add_cut_triangle(w->sums, p);
        p[1] = p[2];
    }
}

// ---- edges and corners

// The normals of an edge: w(t) = b0 cos t + b1 sin t for t from t0 to t1, turning about b0 x b1. w.down = c cos t;
// 1 - c = less.
typedef struct Arc {
    caromVec3 b0, b1;
    double t0, t1, c, less;
    double turn;            // k: of the azimuth
    double x0, y0, x1, y1;  // of b0 and b1 along the plane
    double from[2], to[2];  // of the normals at its ends
} Arc;

static Arc arc_of(const RoundedWork *w, caromVec3 n0, caromVec3 n1, caromVec3 *axis)
{
    caromVec3 cross = carom_cross(n0, n1), down = w->plane->down;
    Arc arc = { 0 };
    *axis = carom_unit_or(cross, carom_vec(0, 0, 0));
    double tilt = carom_dot(*axis, down), angle = atan2(carom_norm(cross), carom_dot(n0, n1));
    caromVec3 in = carom_axpy(-tilt, *axis, down), middle = carom_add(n0, n1);
    arc.c = carom_norm(in);
    arc.less = tilt*tilt/(1.0 + arc.c);
    arc.b0 = carom_unit_or(in, n0);
    arc.b1 = carom_cross(*axis, arc.b0);
    double at = atan2(carom_dot(middle, arc.b1), carom_dot(middle, arc.b0));
    arc.t0 = at - 0.5*angle;
    arc.t1 = at + 0.5*angle;
    arc.turn = tilt;
    arc.x0 = carom_dot(w->plane->x, arc.b0);
    arc.x1 = carom_dot(w->plane->x, arc.b1);
    arc.y0 = carom_dot(w->plane->y, arc.b0);
    arc.y1 = carom_dot(w->plane->y, arc.b1);
    arc.from[0] = carom_dot(w->plane->x, n0);
    arc.from[1] = carom_dot(w->plane->y, n0);
    arc.to[0] = carom_dot(w->plane->x, n1);
    arc.to[1] = carom_dot(w->plane->y, n1);
    return arc;
}

// Depth at one end of an edge for the normal t.
static double arc_depth(const Arc *arc, double r, double d, double t)
{
    double s = sin(0.5*t);
    return d - r*(arc->less + 2.0*arc->c*s*s);
}

typedef struct RoundedEdge {
    Arc arc;        // of the normals that it has
    RoundPlace end[2];
    double sign;    // 1: the arc goes round the direction of the edge, -1: against it
    double length;
} RoundedEdge;

// The strip of a cylinder along an edge, for one normal: from one end to the other, as far as depth is positive.
static void add_strip(RoundedWork *w, const RoundedEdge *edge, double t, double dt)
{
    const Arc *arc = &edge->arc;
    RoundPlace a = edge->end[0], b = edge->end[1];
    double r = w->body->r, c = cos(t), s = sin(t), da = arc_depth(arc, r, a.d, t), db = arc_depth(arc, r, b.d, t);
    if (!(da > 0.0) && !(db > 0.0)) return;
    double from = da > 0.0 ? 0.0 : da/(da - db), to = db > 0.0 ? 1.0 : da/(da - db), ox = r*(c*arc->x0 + s*arc->x1),
           oy = r*(c*arc->y0 + s*arc->y1);
    for (int i = 0; i < 2; i++) {  // Gauss' rule with 2 points: of third degree
        double p = 0.5*(from + to) + (i ? 0.5 : -0.5)*0.57735026918962576451*(to - from);
        add_column(w->sums, a.x + p*(b.x - a.x) + ox, a.y + p*(b.y - a.y) + oy, fmax(0.0, da + p*(db - da)),
                   0.5*(to - from)*edge->length*r*arc->c*c*dt);
    }
}

// Integrals over f of a ball's depth, from down to the angle f, q = sin^2(f/2), by powers of sin f.
typedef struct Inner {
    double v, w;   // over sin^2 f: volume and energy
    double first;  // over sin^3 f, times r sin f along the azimuth
    double second; // over sin^4 f
} Inner;

// int_0^f (1 - cos) cos sin^2 over sin^3, which is 1/3 - (f/8 - sin 4f/32)/sin^3 and cancels for small f: there a power
// series in q, the last term of which is 1e-13.
static double first_of(double q)
{
    static const double a[] = {
        2.0/5.0, -4.0/35.0, -8.0/63.0, -32.0/231.0, -64.0/429.0, -1024.0/6435.0, -2048.0/12155.0, -8192.0/46189.0,
        -16384.0/88179.0, -131072.0/676039.0, -262144.0/1300075.0
    };
    if (q < 0.06) return q*carom_patch_series(a, 11, q);
    double p = 1.0 - q, s = 2.0*sqrt(q*p), f = 2.0*atan2(sqrt(q), sqrt(p));
    return 1.0/3.0 - (f/8.0 - sin(4.0*f)/32.0)/(s*s*s);
}

static Inner inner_to(double r, double d, double q)
{
    double p = 1.0 - q, rr = r*r, over = 1.0/(4.0*p);
    return (Inner){ .v = 2.0*rr*over*(d - (d + r)*q + 4.0/3.0*r*q*q),
                    .w = rr*over*(d*d - d*(2.0*r + d)*q + 4.0/3.0*r*(r + 2.0*d)*q*q - 2.0*rr*q*q*q),
                    .first = rr*r*(d/3.0 - r*first_of(q)),
                    .second = rr*rr*(d/4.0 - r*q/(p*p)*(1.0/3.0 - 0.75*q + 0.4*q*q)) };
}

// A sector of a ball: volume and energy; first and second moments about its centre.
typedef struct Sector {
    double v, energy, x, y, xx, xy, yy;
} Sector;

// a: the centre.
static void add_sector(caromImmersed *s, RoundPlace a, Sector b)
{
    s->volume += b.v;
    s->energy += b.energy;
    s->x += b.x + b.v*a.x;
    s->y += b.y + b.v*a.y;
    s->xx += b.xx + 2.0*a.x*b.x + b.v*a.x*a.x;
    s->xy += b.xy + a.x*b.y + a.y*b.x + b.v*a.x*a.y;
    s->yy += b.yy + 2.0*a.y*b.y + b.v*a.y*a.y;
}

// A piece dt of the boundary of a corner, where depth is positive.
static void add_boundary(RoundedWork *w, const Arc *arc, RoundPlace a, double t, double dt)
{
    double h = sin(0.5*t), c = cos(t), s = sin(t), q = 0.5*arc->less + arc->c*h*h, k = arc->turn*dt;
    double x = c*arc->x0 + s*arc->x1, y = c*arc->y0 + s*arc->y1;
    Inner in = inner_to(w->body->r, a.d, q);
    add_sector(w->sums, a, (Sector){ k*in.v, k*in.w, k*in.first*x, k*in.first*y, k*in.second*x*x, k*in.second*x*y,
                                     k*in.second*y*y });
}

// Azimuth. At the end of an arc that of the face's normal, bit by bit the same for all arcs that end there: straight up
// it is any angle, but one.
static double azimuth(const Arc *arc, double t)
{
    if (t == arc->t0) return atan2(arc->from[1], arc->from[0]);
    if (t == arc->t1) return atan2(arc->to[1], arc->to[0]);
    return atan2(cos(t)*arc->y0 + sin(t)*arc->y1, cos(t)*arc->x0 + sin(t)*arc->x1);
}

static double change_of(double from, double to)  // the shorter way round
{
    double change = to - from;
    return change > pi ? change - 2.0*pi : change < -pi ? change + 2.0*pi : change;
}

// From t0 to t1 the boundary is where depth is negative: there the cap of the ball ends at a circle, over the same
// azimuths.
static void add_circle(RoundedWork *w, const Arc *arc, RoundPlace a, double sign, double t0, double t1)
{
    double r = w->body->r, q = fmin(1.0, 0.5*a.d/r), ss = 4.0*q*(1.0 - q), s = sqrt(ss);
    if (!(q < 1.0)) return;  // nothing of the ball is above
    double p0 = azimuth(arc, t0), p1 = azimuth(arc, t1), dp = change_of(p0, p1), s2 = 0.5*(sin(2.0*p1) - sin(2.0*p0));
    Inner in = inner_to(r, a.d, q);
    double first = sign*ss*s*in.first, second = 0.5*sign*ss*ss*in.second;
    add_sector(w->sums, a, (Sector){ .v = sign*ss*in.v*dp, .energy = sign*ss*in.w*dp,
                                     .x = first*(sin(p1) - sin(p0)), .y = first*(cos(p0) - cos(p1)),
                                     .xx = second*(dp + s2), .xy = second*(sin(p1)*sin(p1) - sin(p0)*sin(p0)),
                                     .yy = second*(dp - s2) });
}

enum { CUTS_MAX = 9 };

static void add_cut(double *cut, int *n, double t, const Arc *arc)
{
    if (!(t > arc->t0 && t < arc->t1)) return;
    int at = (*n)++;
    for (; at > 0 && cut[at - 1] > t; at--) cut[at] = cut[at - 1];
    cut[at] = t;
}

// Normals for which depth is 0 at an end where the ball reaches d; they may lie a whole turn away.
static void add_cuts(double *cut, int *n, const Arc *arc, double r, double d)
{
    double q = (d - r*arc->less)/(2.0*r*arc->c);
    if (!(q > 0.0 && q < 1.0)) return;
    double t = 2.0*asin(sqrt(q));
    const double all[4] = { t, -t, 2.0*pi - t, t - 2.0*pi };
    for (int i = 0; i < 4; i++) add_cut(cut, n, all[i], arc);
}

// Between two cuts: the strip, and for each end the boundary of its corner. The normals of end a lie beyond the edge,
// against its direction.
static void add_edge_part(RoundedWork *w, const RoundedEdge *edge, double t0, double t1)
{
    const Arc *arc = &edge->arc;
    const RoundPlace *end = edge->end;
    double sign = edge->sign;
    double middle = 0.5*(t0 + t1), half = 0.5*(t1 - t0), r = w->body->r;
    bool below[2];
    for (int i = 0; i < 2; i++) {
        below[i] = arc_depth(arc, r, end[i].d, middle) > 0.0;
        if (!below[i] && end[i].d > 0.0) add_circle(w, arc, end[i], i ? sign : -sign, t0, t1);
    }
    if (!below[0] && !below[1]) return;
    int n;
    const caromGauss *rule = carom_gauss_for(t1 - t0, &n);
    for (int k = 0; k < n; k++) {
        double t = middle + half*rule[k].x, dt = half*rule[k].w;
        add_strip(w, edge, t, dt);
        for (int i = 0; i < 2; i++)
            if (below[i]) add_boundary(w, arc, end[i], t, (i ? sign : -sign)*dt);
    }
}

static caromVec3 edge_direction(const Faceted *body, int edge)
{
    if (body->is_box) return carom_vec(edge/4 == 0, edge/4 == 1, edge/4 == 2);
    return carom_sub(body->vertices[body->edges[edge][1]], body->vertices[body->edges[edge][0]]);
}

static Arc edge_arc(const RoundedWork *w, int edge, double *sign)
{
    const Faceted *body = w->body;
    caromVec3 axis;
    Arc arc = arc_of(w, body->normals[body->edge_faces[edge][0]], body->normals[body->edge_faces[edge][1]], &axis);
    *sign = carom_dot(axis, edge_direction(body, edge)) < 0.0 ? -1.0 : 1.0;
    return arc;
}

static void add_edge(RoundedWork *w, int edge)
{
    const Faceted *body = w->body;
    caromVec3 a = body->vertices[body->edges[edge][0]], b = body->vertices[body->edges[edge][1]];
    RoundedEdge e = { .end = { place_of(w, a), place_of(w, b) } };
    if (!(e.end[0].d > 0.0) && !(e.end[1].d > 0.0)) return;
    double cut[CUTS_MAX];
    e.arc = edge_arc(w, edge, &e.sign);
    e.length = carom_norm(carom_sub(b, a));
    int n = 0;
    for (int i = 0; i < 2; i++) add_cuts(cut, &n, &e.arc, body->r, e.end[i].d);
    cut[n++] = e.arc.t1;
    double t = e.arc.t0;
    for (int i = 0; i < n; t = cut[i++])
        if (cut[i] > t) add_edge_part(w, &e, t, cut[i]);
}

// ---- the corner that looks up

// How far round down the circles of a corner go, as add_circle counts.
static double circle_angle(const RoundedWork *w, int vertex, double d)
{
    const Faceted *body = w->body;
    double sum = 0.0;
    for (int e = 0; e < body->nedge; e++) {
        if (body->edges[e][0] != vertex && body->edges[e][1] != vertex) continue;
        double cut[CUTS_MAX], sign;
        Arc arc = edge_arc(w, e, &sign);
        int n = 0;
        add_cuts(cut, &n, &arc, body->r, d);
        cut[n++] = arc.t1;
        double t = arc.t0;
        if (body->edges[e][0] == vertex) sign = -sign;
        for (int i = 0; i < n; t = cut[i++])
            if (cut[i] > t && !(arc_depth(&arc, body->r, d, 0.5*(t + cut[i])) > 0.0))
                sum += sign*change_of(azimuth(&arc, t), azimuth(&arc, cut[i]));
    }
    return sum;
}

// Normals straight up belong to a corner that the circles go round the other way, which leaves a whole turn to be
// added: the angle of a part of a circle is between 0 and 2 pi, and that of a corner that has up among its normals is
// less than pi. Only a body with hardly any core has such a corner below the surface. Which one of several at the same
// height does not matter to the height, but to the place: the one for which the angles are counted so.
static void add_turn(RoundedWork *w, int vertex)
{
    RoundPlace a = place_of(w, w->body->vertices[vertex]);
    double r = w->body->r, q = 0.5*a.d/r;
    if (!(a.d > 0.0) || !(q < 1.0) || !(circle_angle(w, vertex, a.d) < -0.5*pi)) return;
    double ss = 4.0*q*(1.0 - q), k = 2.0*pi*ss;
    Inner in = inner_to(r, a.d, q);
    add_sector(w->sums, a, (Sector){ .v = k*in.v, .energy = k*in.w, .xx = 0.5*k*ss*in.second,
                                     .yy = 0.5*k*ss*in.second });
}

static void add_turns(RoundedWork *w)
{
    double top = INFINITY;
    for (int v = 0; v < w->body->nvertex; v++) top = fmin(top, place_of(w, w->body->vertices[v]).d);
    if (!(top > 0.0)) return;
    for (int v = 0; v < w->body->nvertex; v++)
        if (place_of(w, w->body->vertices[v]).d < top + CAROM_PATCH_TOP*w->body->r) add_turn(w, v);
}

// ---- boxes, as polytopes

typedef struct RoundedBlock {
    caromVec3 vertices[CAROM_BOX_VERTICES];
} RoundedBlock;

static Faceted faceted_box(const caromCore *core, RoundedBlock *block)
{
    carom_shape_box_vertices(core->h, block->vertices);
    return (Faceted){ block->vertices, carom_box_normals, CAROM_BOX_VERTICES, CAROM_BOX_FACES, CAROM_BOX_EDGES,
                      carom_box_first_corner, carom_box_corners, carom_box_edges, carom_box_edge_faces, core->radius,
                      true };
}

static Faceted faceted_hull(const caromCore *core)
{
    const caromHull *h = core->hull;
    const int (*edges)[2] = (const int (*)[2])h->edges, (*edge_faces)[2] = (const int (*)[2])h->edge_faces;
    return (Faceted){ h->vertices, h->normals, h->nvertex, h->nface, h->nedge, h->first_corner, h->corners, edges,
                      edge_faces, core->radius, false };
}

caromImmersed carom_patch_rounded_below(const caromCore *core, const caromSurface *plane)
{
    caromImmersed out = { 0 };
    RoundedBlock block;
    Faceted body = core->kind == CAROM_CORE_HULL ? faceted_hull(core) : faceted_box(core, &block);
    caromVec3 low = carom_shape_core_support(core, plane->down);
    out.depth = plane->offset + carom_dot(plane->down, low) + body.r;
    if (!(out.depth > 0.0)) return (caromImmersed){ 0 };
    out.about = carom_axpy(body.r, plane->down, low);
    RoundedWork w = { plane, &body, low, out.depth, &out };
    for (int f = 0; f < body.nface; f++) add_face(&w, f);
    for (int e = 0; e < body.nedge; e++) add_edge(&w, e);
    add_turns(&w);
    return out;
}
