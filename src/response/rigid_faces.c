// Friction of a face or a line that turns on another: what presses is spread over it, and not in its corners.
//
// An even pressure on a region meets the slip v(x) = w n x (x - o) with the friction -mu t(x), t = v/|v|. Of all of it
//
//     F = mean t = sign(w) n x mean (x - o)/|x - o|      T = n.mean (x - c) x t = sign(w) (mean |x - o| +
//     M = mean |v| = |w| mean |x - o|                                                (o - c).mean (x - o)/|x - o|)
//
// over a polygon by its edges, since 3 |x - o| = div ((x - o) |x - o|) and (x - o)/|x - o| = grad |x - o|. Each corner
// has -mu f_n F at its place and the couple -mu f_n T: a slip without turning is met by mu N at the centre of pressure,
// one about the centre by the couple of the even pressure, and all between as it does, where the pressure is even.
// Uneven pressures could gain: a corner for which F.v_i + T w < 0 has so much of -v_i/|v_i| in its friction that
// nothing is won.
#include <math.h>

#include "geometry/mesh_features.h"
#include "response/rigid.h"

enum { DISC_SIDES = 24 };
// Less spin than this part of the slip is none.
#define NO_SPIN 1e-12
// Sums over edges lose the cube of the distance of o, in reaches of the region, by cancelling; from here on means are
// those of Gauss points, exact to order 8 of its inverse. Both are right to 3e-12.
#define FAR 30.0
#define SLIM 1e-6  // a polygon that is narrower, over its length, is a line: its area would be rounding

typedef struct FacePlace { double x, y; } FacePlace;

typedef struct FaceRegion {        // in the frame t1, t2 of its first corner, from there; counter-clockwise
    int n;                         // 2: a line
    FacePlace corner[CAROM_TOUCH_POINTS_MAX], centre;
    double size, area;             // reach from the centre; area or length
} FaceRegion;

typedef struct FaceScene {
    const caromRigid *r;
    const caromKin *kin;
    const caromContactPoint *contacts;
    caromSpace *s;
    double small;                  // slips up to this are none
    bool all;                      // contacts that fly touch too
} FaceScene;

typedef struct FaceCorners {       // of a pair, in the space
    int n, contact[CAROM_TOUCH_POINTS_MAX];
    FacePlace place[CAROM_TOUCH_POINTS_MAX];
} FaceCorners;

typedef struct FaceSlip { double F[2], T, mean; } FaceSlip;

static double cross(FacePlace a, FacePlace b, FacePlace c)
{
    return (b.x - a.x)*(c.y - a.y) - (b.y - a.y)*(c.x - a.x);
}

static FacePlace place_of(const caromPlacedPoint *frame, caromVec3 p)
{
    caromVec3 r = carom_sub(p, frame->p);
    return (FacePlace){ carom_dot(r, frame->t1), carom_dot(r, frame->t2) };
}

// ---- the region: the hull of the corners

static int lowest(const FaceCorners *c)
{
    int best = 0;
    for (int i = 1; i < c->n; i++) {
        FacePlace p = c->place[i], q = c->place[best];
        if (p.y < q.y || (p.y == q.y && p.x < q.x)) best = i;
    }
    return best;
}

// Round the corners from the lowest on: the next has all others to its left, and is the farthest of those in a row.
static void wrap(const FaceCorners *c, FaceRegion *region)
{
    int first = lowest(c), at = first;
    region->n = 0;
    do {
        FacePlace here = region->corner[region->n++] = c->place[at];
        int next = -1;
        for (int i = 0; i < c->n; i++) {
            FacePlace p = c->place[i];
            double far = hypot(p.x - here.x, p.y - here.y);
            if (!(far > 0.0)) continue;
            double side = next < 0 ? -1.0 : cross(here, c->place[next], p);
            if (side < 0.0 || (side == 0.0 && far > hypot(c->place[next].x - here.x, c->place[next].y - here.y)))
                next = i;
        }
        at = next;
    } while (at >= 0 && at != first && region->n < c->n);
}

static void measure(FaceRegion *region)
{
    FacePlace p = region->corner[0], sum = { 0, 0 };
    double area = 0.0;
    for (int i = 1; i + 1 < region->n; i++) {
        FacePlace a = region->corner[i], b = region->corner[i + 1];
        double part = cross(p, a, b);
        area += part;
        sum.x += part*(p.x + a.x + b.x)/3.0;
        sum.y += part*(p.y + a.y + b.y)/3.0;
    }
    region->area = 0.5*area;
    region->centre = (FacePlace){ sum.x/area, sum.y/area };
}

// The two corners that are farthest apart.
static void make_line(FaceRegion *region)
{
    FacePlace a = region->corner[0], b = a;
    double most = 0.0;
    for (int i = 0; i < region->n; i++) {
        for (int k = 0; k < i; k++) {
            double far = hypot(region->corner[i].x - region->corner[k].x, region->corner[i].y - region->corner[k].y);
            if (far > most) most = far, a = region->corner[k], b = region->corner[i];
        }
    }
    *region = (FaceRegion){ .n = 2, .corner = { a, b }, .centre = { 0.5*(a.x + b.x), 0.5*(a.y + b.y) }, .area = most };
}

// A disc as a polygon: by its sides, h from the centre, with the mean distance from the centre of the disc, 2/3 R.
static void make_disc(const caromPlacedPoint *frame, const caromTouchDisc *disc, FaceRegion *region)
{
    double half = CAROM_PI/DISC_SIDES, secant = 1.0/cos(half), tangent = tan(half),
           h = 2.0*disc->R/(secant + log(secant + tangent)/tangent);
    region->n = DISC_SIDES;
    region->centre = place_of(frame, disc->centre);
    region->area = DISC_SIDES*h*h*tangent;
    for (int i = 0; i < DISC_SIDES; i++)
        region->corner[i] = (FacePlace){ region->centre.x + h*secant*cos(2.0*half*i),
                                         region->centre.y + h*secant*sin(2.0*half*i) };
}

static bool is_inside(const FaceRegion *region, FacePlace p)
{
    for (int i = 0; i < region->n; i++)
        if (cross(region->corner[i], region->corner[(i + 1) % region->n], p) < 0.0) return false;
    return region->n > 2;
}

// Do all corners lie on the rim of one disc, and its centre between them?
static bool is_disc(const FaceScene *f, const FaceCorners *c, const FaceRegion *region, caromTouchDisc *disc)
{
    for (int i = 0; i < c->n; i++) {
        const caromContactPoint *contact = &f->contacts[c->contact[i]];
        caromTouchDisc other;
        if (!carom_manifold_disc(f->r->model, f->kin, contact->about.index, contact->feature, i ? &other : disc) ||
            (i && other.end != disc->end)) return false;
    }
    return is_inside(region, place_of(&f->s->points[c->contact[0]], disc->centre));
}

// False: no region that could be told.
static bool find_region(const FaceScene *f, const FaceCorners *c, FaceRegion *region)
{
    caromTouchDisc disc;
    wrap(c, region);
    if (region->n > 2) measure(region);
    FaceRegion line = *region;
    make_line(&line);
    if (region->n < 3 || region->area < SLIM*line.area*line.area) *region = line;
    else if (is_disc(f, c, region, &disc)) make_disc(&f->s->points[c->contact[0]], &disc, region);
    region->size = 0.0;
    for (int i = 0; i < region->n; i++)
        region->size = fmax(region->size, hypot(region->corner[i].x - region->centre.x,
                                                region->corner[i].y - region->centre.y));
    return region->size > 0.0;
}

// ---- means over the region, from o: of the distance, and of the direction

typedef struct FaceMeans { double distance; FacePlace direction; } FaceMeans;

typedef struct FaceEdge {  // of points from o: along the edge at a and b, h across it (out), distances
    double along[2], h, far[2], log;
    FacePlace t;
} FaceEdge;

static FaceEdge edge_of(FacePlace a, FacePlace b, FacePlace o)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    FaceEdge e = { .t = { (b.x - a.x)/length, (b.y - a.y)/length }, .log = 0.0 };
    e.along[0] = (a.x - o.x)*e.t.x + (a.y - o.y)*e.t.y;
    e.along[1] = e.along[0] + length;
    e.h = (a.x - o.x)*e.t.y - (a.y - o.y)*e.t.x;
    for (int k = 0; k < 2; k++) e.far[k] = hypot(e.along[k], e.h);
    if (e.h != 0.0) e.log = asinh(e.along[1]/fabs(e.h)) - asinh(e.along[0]/fabs(e.h));
    return e;
}

// Integral of the distance along the edge.
static double distances(const FaceEdge *e)
{
    return 0.5*(e->along[1]*e->far[1] - e->along[0]*e->far[0] + e->h*e->h*e->log);
}

static FaceMeans means_of(const FaceRegion *region, FacePlace o)
{
    FaceMeans m = { 0.0, { 0.0, 0.0 } };
    if (region->n == 2) {
        FaceEdge e = edge_of(region->corner[0], region->corner[1], o);
        double along = (e.far[1] - e.far[0])/region->area, across = e.h*e.log/region->area;
        return (FaceMeans){ distances(&e)/region->area, { along*e.t.x + across*e.t.y, along*e.t.y - across*e.t.x } };
    }
    for (int i = 0; i < region->n; i++) {
        FaceEdge e = edge_of(region->corner[i], region->corner[(i + 1) % region->n], o);
        double part = distances(&e)/region->area;
        m.distance += e.h*part/3.0;
        m.direction.x += e.t.y*part;
        m.direction.y -= e.t.x*part;
    }
    return m;
}

// ---- friction

enum { GAUSS = 4 };
static const double gauss_at[GAUSS] = { 0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                        0.93056815579702629 },
                    gauss_weight[GAUSS] = { 0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                            0.17392742256872693 };

// Of the friction at a place, seen from the centre.
static void add_place(const double v[2], double w, double x, double y, double weight, FaceSlip *slip)
{
    double u[2] = { v[0] - w*y, v[1] + w*x }, speed = hypot(u[0], u[1]);
    for (int k = 0; k < 2; k++) slip->F[k] += weight*u[k]/speed;
    slip->T += weight*(x*u[1] - y*u[0])/speed;
    slip->mean += weight*speed;
}

static FaceSlip slip_by_points(const FaceRegion *region, const double v[2], double w)
{
    FaceSlip slip = { .T = 0.0 };
    FacePlace c = region->centre;
    for (int i = 0; i < (region->n == 2 ? 1 : region->n); i++) {
        FacePlace p = region->corner[i], q = region->corner[(i + 1) % region->n];
        double area = region->n == 2 ? 1.0 : cross(c, p, q)/region->area;
        for (int k = 0; k < GAUSS; k++) {
            double x = p.x - c.x + gauss_at[k]*(q.x - p.x), y = p.y - c.y + gauss_at[k]*(q.y - p.y);
            if (region->n == 2) add_place(v, w, x, y, gauss_weight[k], &slip);
            for (int l = 0; l < GAUSS && region->n > 2; l++)
                add_place(v, w, gauss_at[l]*x, gauss_at[l]*y, area*gauss_at[l]*gauss_weight[k]*gauss_weight[l], &slip);
        }
    }
    return slip;
}

// v: slip at the centre of the region, in its frame; w: spin. False: no spin to speak of.
static bool slip_of(const FaceRegion *region, const double v[2], double w, FaceSlip *slip)
{
    double speed = hypot(v[0], v[1]), turning = fabs(w)*region->size;
    if (!(turning > NO_SPIN*speed)) return false;
    if (speed > FAR*turning) {
        *slip = slip_by_points(region, v, w);
        return true;
    }
    FacePlace c = region->centre, o = { c.x - v[1]/w, c.y + v[0]/w };
    FaceMeans m = means_of(region, o);
    double sign = w > 0.0 ? 1.0 : -1.0;
    slip->F[0] = -sign*m.direction.y;
    slip->F[1] = sign*m.direction.x;
    slip->T = sign*(m.distance + (o.x - c.x)*m.direction.x + (o.y - c.y)*m.direction.y);
    slip->mean = fabs(w)*m.distance;
    return true;
}

// What one corner has of it, in its own frame.
static void spread(const caromPlacedPoint *frame, const FaceSlip *slip, double w, caromPlacedPoint *c)
{
    caromVec3 F = carom_add(carom_scale(slip->F[0], frame->t1), carom_scale(slip->F[1], frame->t2));
    double f[2] = { carom_dot(F, c->t1), carom_dot(F, c->t2) }, own = hypot(c->v[1], c->v[2]),
           power = f[0]*c->v[1] + f[1]*c->v[2] + slip->T*w, part = power < 0.0 ? power/(power - own) : 0.0;
    for (int k = 0; k < 2; k++) f[k] = (1.0 - part)*f[k] + (part > 0.0 ? part*c->v[1 + k]/own : 0.0);
    double size = hypot(f[0], f[1]);
    c->spread = (caromSpaceSpread){ .is_spread = true, .part = size, .arm = (1.0 - part)*slip->T };
    c->spread.slip[0] = size > 0.0 ? slip->mean*f[0]/size : slip->mean;
    c->spread.slip[1] = size > 0.0 ? slip->mean*f[1]/size : 0.0;
}

// The couple of friction beside that of what resists turning.
static void add_couple(const caromRigid *r, int pair, caromPlacedPoint *c)
{
    double delta = r->is_sharp ? 0.0 : r->model->settings.v_small, mean = hypot(c->spread.slip[0], c->spread.slip[1]);
    c->spread.arm *= -carom_model_law_of(r->model, pair)->friction*mean/fmax(mean, delta);
    caromVec3 both = carom_axpy(c->spread.arm, c->n, carom_scale(c->couple.arm, c->couple.along));
    double arm = carom_norm(both);
    if (arm > 0.0) c->couple = (caromSpaceCouple){ carom_scale(1.0/arm, both), arm, 0.0 };
}

static void spread_over(const FaceScene *f, const FaceCorners *corners)
{
    caromSpace *s = f->s;
    const caromPlacedPoint frame = s->points[corners->contact[0]];
    double w = carom_dot(frame.n, frame.w), speeds = 0.0;
    FaceRegion region = { .n = 0 };
    FaceSlip slip;
    if (!find_region(f, corners, &region)) return;
    double v[2] = { frame.v[1] - w*region.centre.y, frame.v[2] + w*region.centre.x };
    if (!slip_of(&region, v, w, &slip) || !(slip.mean > f->small)) return;
    for (int i = 0; i < corners->n; i++) {
        const caromPlacedPoint *c = &s->points[corners->contact[i]];
        speeds += hypot(c->v[1], c->v[2])/corners->n;
    }
    for (int i = 0; i < corners->n; i++) {
        caromPlacedPoint *c = &s->points[corners->contact[i]];
        spread(&frame, &slip, w, c);
        c->spread.share = fmin(1.0, slip.mean/speeds);
        c->spread.whole = carom_add(carom_axpy(w*region.size, frame.n, carom_scale(v[0], frame.t1)),
                                    carom_scale(v[1], frame.t2));
        add_couple(f->r, f->contacts[corners->contact[i]].about.index, c);
    }
}

// ---- which contacts are corners of one face

// What two convex shapes share, a plane, is the hull of its corners. Regions of others cannot be told from these; those
// of rings are lines round a hole.
bool carom_rigid_has_faces(const caromModel *m, int pair)
{
    for (int i = 0; i < 2; i++) {
        const caromShape *shape = &m->shapes[m->pairs[pair].shape[i]].shape;
        if (shape->kind == CAROM_TORUS || (shape->kind == CAROM_MESH && !carom_mesh_is_convex(shape->mesh)))
            return false;
    }
    return carom_model_law_of(m, pair)->friction > 0.0;
}

// Of the pair of contact `first`, which is the first of them. False: they are no face, or some stick.
static bool gather(const FaceScene *f, int first, FaceCorners *c)
{
    const caromPlacedPoint *frame = &f->s->points[first];
    c->n = 0;
    for (int i = first; i < f->s->n; i++) {
        const caromContactPoint *contact = &f->contacts[i];
        if (!carom_model_constraint_is(contact->about, f->contacts[first].about)) continue;
        if (carom_unilateral_point_lands(contact) || (contact->mode == CAROM_MODE_FLIGHT && !f->all)) continue;
        if (carom_rigid_sticks(f->r, contact, &f->s->points[i], f->all)) return false;
        if (contact->is_alone && !f->all) return false;
        if (c->n == CAROM_TOUCH_POINTS_MAX) return false;
        c->contact[c->n] = i;
        c->place[c->n++] = place_of(frame, f->s->points[i].p);
    }
    return c->n > 1;
}

static bool is_first(const caromContactPoint *contacts, int i)
{
    for (int k = 0; k < i; k++) if (carom_model_constraint_is(contacts[k].about, contacts[i].about)) return false;
    return contacts[i].about.kind == CAROM_CONSTRAINT_PAIR;
}

void carom_rigid_spread(const caromRigid *r, const caromKin *kin, const caromContactPoint *contacts, double small,
                        bool all, caromSpace *s)
{
    FaceScene f = { r, kin, contacts, s, small, all };
    FaceCorners corners;
    for (int i = 0; i < s->n; i++) {
        if (contacts[i].about.kind != CAROM_CONSTRAINT_PAIR || carom_dot(s->points[i].n, s->points[i].w) == 0.0)
            continue;
        if (!r->has_faces[contacts[i].about.index] || !is_first(contacts, i)) continue;
        if (gather(&f, i, &corners)) spread_over(&f, &corners);
    }
}
