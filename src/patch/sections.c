// The part of the surface of a body of revolution A that is inside another shape B, as points with areas.
//
// The surface consists of pieces: the side, the ends, and roundings. Each is cut into sections, one for each u, and v
// runs along a section:
//
//     side       a straight line at the angle u about the axis
//     rounding   an arc at the angle u; of a torus the whole circle of its tube
//     ball       of a rounded tip: an arc across the axis Sx at x = R sin u, R the radius of its rim
//     end        a chord along Sx at y = R sin u
//
// Lines and chords meet a convex B in one interval, arcs do while B is not deep in A. Its ends are where depth is 0, or
// where the section ends. Along u, the largest depth of a section makes hills; sections that count are where a hill is
// above 0. Between its feet p and q the integral over v goes like (u - p)^(5/2) or a higher power, which
// u = p + (q - p) sin^2(y/2) makes smooth, and Gauss' rule converges as if there were none.
//
// What Gauss' rule makes of W is differentiated, not the integral, so that no quadrature error ever does work. Its
// points move with the ends of intervals, v0 and v1 of a section, p and q of a hill. If W changes by S when such an end
// moves by one, and the end is where depth is 0, then it moves by -dD/D' when depth changes by dD there: that is a
// force -S/D' grad D at that end. S would be 0 for the integral itself, since D is 0 there; of Gauss' rule it is its
// error.
#include "math/gauss.h"
#include "patch/hills.h"
#include "patch/scales.h"
#include "patch/soft.h"
#include "patch/strips.h"

static const double pi = CAROM_PI;


typedef enum StripKind { STRIP_LINE, STRIP_ARC, STRIP_CAP, STRIP_DISC } StripKind;

typedef struct StripPiece {
    StripKind kind;
    bool closes;           // an arc that is a circle
    double v0, v1;         // arc: angle of the normal from the plane z = 0; else 0 to 1, or of a cap or disc -1 to 1
    double rho, z;         // line: at v = 0; arc: its middle; cap: its rim's radius and its middle; disc: likewise
    double d_rho, d_z;     // line: change to v = 1
    double radius;         // arc, cap
    double rim, up;        // cap: its rim is so far beyond the middle; 1, or -1 downwards
    double reach, z_middle, length;  // largest rho; of a ball around it: its place and radius
} StripPiece;

// A section that is a straight line, in B: places and how they change with u go linearly with v.
typedef struct StraightSection {
    caromVec3 p, p_v, p_u, p_uv;
    double area, area_u, area_v;  // area: at v = 0
} StraightSection;

typedef struct StripWork {
    caromSoftField field;  // of B
    caromPose X;           // of A in B
    double unit;           // rounding of depth
    StripPiece piece;
    double u, c, s;        // the section: its cosine and sine
    StraightSection straight;  // of a line or a disc
    bool has_nearby;       // where the top of the arc before was
    double nearby;
    const caromStripVisitor *visitor;
    const caromStiffening *stiff;  // what acts beyond the law; NULL: nothing
    caromStripSum sum;
} StripWork;

typedef struct StripPlace {
    caromVec3 p, gradient;  // in B
    double depth, along, around;  // depth, its slopes in v and u
    double area;            // du dv times this
    double area_u, area_v;  // its derivatives
    caromVec3 p_u;          // of the place, in B
} StripPlace;

// Sections that are looked at for hills, parts of an arc; angles at which integrals are cut.
enum { SAMPLES = 16, PARTS = 8 };
static const double CUTS = CAROM_PI/4.0;

// ---- a section

static bool is_straight_piece(const StripPiece *a)
{
    return a->kind == STRIP_LINE || a->kind == STRIP_DISC;
}

static void turn_to(StripWork *w, double u)
{
    w->u = u;
    w->c = cos(u);
    w->s = sin(u);
}

// The place on A with its derivatives and the area, in the frame of A.
typedef struct StripSurface {
    caromVec3 p, p_u, p_v;
    double area, area_u, area_v;
} StripSurface;

// The circle at x has the radius q and is in the cap to both sides of its highest point, to the angle h:
// q^2 = r^2 - x^2, cos h = rim/q. A ball has the area r dx d(angle) [Archimedes].
static StripSurface cap_at(const StripWork *w, double v)
{
    const StripPiece *a = &w->piece;
    double x = a->rho*w->s, x_u = a->rho*w->c, q = sqrt(fmax(CAROM_PATCH_TINY, (a->radius - x)*(a->radius + x))),
           q_u = -x*x_u/q, h = atan2(x_u, a->rim), h_u = -a->rim*x/(q*q);
    double sine = sin(v*h), cosine = cos(v*h), turn = q*v*h_u;
    return (StripSurface){ .p = carom_vec(x, q*sine, a->z + a->up*q*cosine),
                           .p_u = carom_vec(x_u, q_u*sine + turn*cosine, a->up*(q_u*cosine - turn*sine)),
                           .p_v = carom_vec(0.0, h*q*cosine, -a->up*h*q*sine),
                           .area = a->radius*x_u*h,
                           .area_u = a->radius*(x_u*h_u - x*h) };
}

static StripSurface arc_at(const StripWork *w, double v)
{
    const StripPiece *a = &w->piece;
    double c = w->c, s = w->s, cv = a->radius*cos(v), sv = a->radius*sin(v), rho = a->rho + cv;
    return (StripSurface){ .p = carom_vec(rho*c, rho*s, a->z + sv),
                           .p_u = carom_vec(-rho*s, rho*c, 0.0),
                           .p_v = carom_vec(-sv*c, -sv*s, cv),
                           .area = rho*a->radius,
                           .area_v = -sv*a->radius };
}

static void lay_line(StripWork *w)
{
    const StripPiece *a = &w->piece;
    double c = w->c, s = w->s, speed = sqrt(a->d_rho*a->d_rho + a->d_z*a->d_z);
    w->straight = (StraightSection){ .p = carom_vec(a->rho*c, a->rho*s, a->z),
                                     .p_v = carom_vec(a->d_rho*c, a->d_rho*s, a->d_z),
                                     .p_u = carom_vec(-a->rho*s, a->rho*c, 0.0),
                                     .p_uv = carom_vec(-a->d_rho*s, a->d_rho*c, 0.0),
                                     .area = a->rho*speed,
                                     .area_v = a->d_rho*speed };
}

static void lay_chord(StripWork *w)
{
    const StripPiece *a = &w->piece;
    double half = a->rho*w->c, up = a->rho*w->s;
    w->straight = (StraightSection){ .p = carom_vec(0.0, up, a->z),
                                     .p_v = carom_vec(half, 0.0, 0.0),
                                     .p_u = carom_vec(0.0, half, 0.0),
                                     .p_uv = carom_vec(-up, 0.0, 0.0),
                                     .area = half*half,
                                     .area_u = -2.0*half*up };
}

static void set_section(StripWork *w, double u)
{
    turn_to(w, u);
    if (!is_straight_piece(&w->piece)) return;
    if (w->piece.kind == STRIP_LINE) lay_line(w);
    else lay_chord(w);
    StraightSection *s = &w->straight;
    s->p = carom_pose_point(w->X, s->p);
    s->p_v = carom_mul(w->X.R, s->p_v);
    s->p_u = carom_mul(w->X.R, s->p_u);
    s->p_uv = carom_mul(w->X.R, s->p_uv);
}

static StripPlace straight_at(const StripWork *w, double v)
{
    const StraightSection *s = &w->straight;
    StripPlace at = { .p = carom_axpy(v, s->p_v, s->p), .area = s->area + v*s->area_v, .area_u = s->area_u,
                      .area_v = s->area_v, .p_u = carom_axpy(v, s->p_uv, s->p_u) };
    at.depth = carom_field_soft_depth(&w->field, at.p, &at.gradient);
    at.along = carom_dot(at.gradient, s->p_v);
    at.around = carom_dot(at.gradient, at.p_u);
    return at;
}

static StripPlace place_at(const StripWork *w, double v)
{
    StripPlace at;
    if (is_straight_piece(&w->piece)) return straight_at(w, v);
    StripSurface on = w->piece.kind == STRIP_ARC ? arc_at(w, v) : cap_at(w, v);
    at.area = on.area, at.area_u = on.area_u, at.area_v = on.area_v;
    at.p = carom_pose_point(w->X, on.p);
    at.p_u = carom_mul(w->X.R, on.p_u);
    at.depth = carom_field_soft_depth(&w->field, at.p, &at.gradient);
    at.along = carom_dot(carom_tmul(w->X.R, at.gradient), on.p_v);
    at.around = carom_dot(at.gradient, at.p_u);
    return at;
}

static caromHillPoint along_section(void *context, double v)
{
    StripPlace at = place_at(context, v);
    return (caromHillPoint){ v, at.depth, at.along, at.around };
}

// Around the top of the section before, if this one has its own there.
static bool top_nearby(const StripWork *w, const caromHill *hill, double step, caromHillTop *h)
{
    const StripPiece *a = &w->piece;
    double low = w->nearby - step, high = w->nearby + step;
    if (!w->has_nearby) return false;
    if (!a->closes) low = fmax(low, a->v0), high = fmin(high, a->v1);
    caromHillPoint left = hill->at(hill->context, low), right = hill->at(hill->context, high);
    if (!(left.slope > 0.0 && right.slope < 0.0)) return false;
    *h = carom_patch_climb(hill, left, right, false);
    return true;
}

// An arc may begin far around from where it is deepest.
static caromHillTop top_from_all_parts(const caromHill *hill, const StripPiece *a)
{
    double step = (a->v1 - a->v0)/PARTS;
    caromHillPoint at[PARTS + 1];
    int best = 0;
    for (int i = 0; i <= PARTS; i++) {
        at[i] = hill->at(hill->context, a->v0 + i*step);
        if (at[i].value > at[best].value) best = i;
    }
    caromHillPoint low = at[best > 0 ? best - 1 : 0], high = at[best < PARTS ? best + 1 : PARTS];
    if (a->closes && best == 0) low = at[PARTS - 1], low.x -= 2.0*pi;
    if (a->closes && best == PARTS) high = at[1], high.x += 2.0*pi;
    return carom_patch_climb(hill, low, high, false);
}

static caromHillTop top_of_arc(StripWork *w, const caromHill *hill)
{
    const StripPiece *a = &w->piece;
    caromHillTop h;
    if (!top_nearby(w, hill, (a->v1 - a->v0)/16.0, &h)) h = top_from_all_parts(hill, a);
    w->nearby = h.top.x;
    w->has_nearby = true;
    // Farther away: the ends, or the other side of the tube.
    if (h.left.value >= 0.0) h.left = hill->at(hill->context, a->closes ? h.top.x - pi : a->v0);
    if (h.right.value >= 0.0) h.right = hill->at(hill->context, a->closes ? h.top.x + pi : a->v1);
    return h;
}

static caromHillTop top_of_section(StripWork *w)
{
    const StripPiece *a = &w->piece;
    caromHill hill = { along_section, w, w->unit };
    if (a->kind == STRIP_ARC || a->kind == STRIP_CAP) return top_of_arc(w, &hill);
    return carom_patch_climb(&hill, along_section(w, a->v0), along_section(w, a->v1), false);
}

static caromHillEnd end_of_section(StripWork *w, caromHillPoint top, caromHillPoint beyond)
{
    caromHill hill = { along_section, w, w->unit };
    bool is_below = beyond.value < -CAROM_PATCH_ROUNDINGS*w->unit;
    return is_below ? carom_patch_hill_end(&hill, &beyond, &top) : (caromHillEnd){ beyond.x, false };
}

// The integral over a section, of which W has du, and how it changes with u.
typedef struct StripIntegral {
    double value, rate;
} StripIntegral;

// Energy of a bit of surface at a depth, and its pressure: D^2/2 and D, and what acts beyond the law (deep.h).
static double energy_at(const StripWork *w, double depth)
{
    double law = 0.5*depth*depth;
    return w->stiff ? law + w->stiff->from*carom_patch_steep_integral(w->stiff, depth) : law;
}

static double pressure_at(const StripWork *w, double depth)
{
    return w->stiff ? depth + w->stiff->from*carom_patch_steep(w->stiff, depth) : depth;
}

static void add_point(const StripWork *w, const StripPlace *at, double weight)
{
    if (w->visitor->point) w->visitor->point(&(caromStripPoint){ at->p, at->gradient, at->depth, weight },
                                             w->visitor->user);
}

// S: what the integral changes by when this end moves by one. Returns what that adds to its rate.
static double add_end(const StripWork *w, caromHillEnd end, double S, double du)
{
    if (!end.is_free) return 0.0;
    StripPlace at = place_at(w, end.at);
    if (at.along == 0.0) return 0.0;
    add_point(w, &at, -S*du/at.along);
    return -S*at.around/at.along;
}

static void tell_section(const StripWork *w, const caromStripSection *sums, caromVec3 from, caromVec3 to, double du)
{
    caromStripSection s = *sums;
    double inverse = 1.0/s.load, spread = carom_norm(s.along);
    s.p = carom_scale(inverse, s.p);
    // `along` has the squares of distances from `from` times load, in its length.
    double far = carom_norm(carom_sub(s.p, from));
    s.along = carom_scale(sqrt(fmax(0.0, spread*inverse - far*far)),
                          carom_unit_or(carom_sub(to, from), carom_vec(0, 0, 1)));
    s.across = carom_scale(du/sqrt(12.0), s.across);
    w->visitor->section(&s, w->visitor->user);
}

static StripIntegral interval_integral(StripWork *w, caromHillEnd low, caromHillEnd high, double du)
{
    double half = 0.5*(high.at - low.at), middle = 0.5*(high.at + low.at), S0 = 0.0, S1 = 0.0;
    StripIntegral sum = { 0.0, 0.0 };
    caromStripSection section = { 0 };
    caromVec3 from = w->visitor->section ? place_at(w, low.at).p : carom_vec(0, 0, 0);
    for (int i = 0; i < 4; i++) {
        double x = carom_gauss_4[i].x, weight = half*carom_gauss_4[i].w;
        StripPlace at = place_at(w, middle + half*x);
        w->sum.felt = fmax(w->sum.felt, at.depth);
        double depth = fmax(0.0, at.depth), d = pressure_at(w, depth), energy = energy_at(w, depth),
               value = weight*at.area*energy, slope = weight*(at.area_v*energy + at.area*d*at.along);
        sum.value += value;
        sum.rate += weight*(at.area_u*energy + at.area*d*at.around);
        S1 += 0.5*(value/half + slope*(1.0 + x));
        S0 += 0.5*(-value/half + slope*(1.0 - x));
        add_point(w, &at, weight*at.area*d*du);
        double load = weight*at.area*du*depth*depth*depth;
        section.load += load;
        section.work += load*depth;
        section.p = carom_axpy(load, at.p, section.p);
        section.normal = carom_axpy(load, at.gradient, section.normal);
        section.along.x += load*carom_norm2(carom_sub(at.p, from));
        section.across = at.p_u;
    }
    if (w->visitor->point) sum.rate += add_end(w, low, S0, du) + add_end(w, high, S1, du);
    if (w->visitor->section && section.load > 0.0) tell_section(w, &section, from, place_at(w, high.at).p, du);
    return sum;
}

// Arcs are cut at places that are fixed on A, too: an interval that has become two is then as well resolved as both.
static StripIntegral cut_integral(StripWork *w, caromHillInterval part, double du)
{
    StripIntegral sum = { 0.0, 0.0 };
    double width = w->piece.kind == STRIP_ARC ? CUTS : 0.5;
    while (part.low.at < part.high.at) {
        caromHillEnd cut = carom_patch_next_cut(part.low, width), end = cut.at < part.high.at ? cut : part.high;
        StripIntegral more = interval_integral(w, part.low, end, du);
        sum.value += more.value;
        sum.rate += more.rate;
        part.low = end;
    }
    return sum;
}

// An arc may enter B more than once, as a tube that lies over an edge does.
static StripIntegral arc_integral(StripWork *w, caromHillPoint top, double du)
{
    const StripPiece *a = &w->piece;
    caromHill hill = { along_section, w, w->unit };
    caromHills h = { .n = PARTS + 1 };
    caromHillInterval part;
    StripIntegral sum = { 0.0, 0.0 };
    double step = (a->v1 - a->v0)/PARTS;
    for (int i = 0; i <= PARTS; i++) h.at[i] = along_section(w, a->v0 + i*step);
    if (a->closes && !carom_patch_begin_at_least(&h, 2.0*pi))
        return cut_integral(w, (caromHillInterval){ { a->v0, false }, { a->v1, false } }, du);
    carom_patch_insert_top(&h, top, a->closes ? 2.0*pi : 0.0);
    carom_patch_find_tops(&hill, &h, a->radius*step);
    for (int i = 0; carom_patch_next_hill(&hill, &h, &i, &part);) {
        StripIntegral more = cut_integral(w, part, du);
        sum.value += more.value;
        sum.rate += more.rate;
    }
    return sum;
}

static StripIntegral add_section(StripWork *w, double u, double du)
{
    set_section(w, u);
    caromHillTop h = top_of_section(w);
    if (!(h.top.value > CAROM_PATCH_ROUNDINGS*w->unit)) return (StripIntegral){ 0.0, 0.0 };
    w->sum.depth = fmax(w->sum.depth, h.top.value);
    bool is_arc = w->piece.kind == STRIP_ARC || w->piece.kind == STRIP_CAP;
    StripIntegral sum = is_arc ? arc_integral(w, h.top, du)
                               : interval_integral(w, end_of_section(w, h.top, h.left),
                                                   end_of_section(w, h.top, h.right), du);
    w->sum.energy += sum.value*du;
    return sum;
}

// ---- all sections of a piece

static caromHillPoint top_at(void *context, double u)
{
    StripWork *w = context;
    set_section(w, u);
    caromHillPoint top = top_of_section(w).top;
    return (caromHillPoint){ .x = u, .value = top.value, .slope = top.aside };
}

static StripPlace place_above(StripWork *w, caromHillEnd foot, double way)
{
    set_section(w, foot.at + way);
    return place_at(w, top_of_section(w).top.x);
}

static bool is_straight(const StripPlace *at, double way)
{
    double straight = at->around*way;
    return at->depth > 0.5*straight && at->depth < 2.0*straight;
}

// At a sharp edge of B the gradient has no one direction: a little above the foot it has the one in which the section
// leaves B. As little as the hill rises in a straight line: that of a flat face does so for a depth only. From two
// places there it is led back to the foot: along lines that nearly cross the deepest place runs 50 times as fast as
// sections follow each other.
static void add_foot(StripWork *w, caromHillEnd foot, double S, double inwards)
{
    if (!foot.is_free || !w->visitor->point) return;
    double way = CAROM_PATCH_ABOVE_FOOT*inwards;
    for (int i = 0; i < CAROM_PATCH_FOOT_STEPS; i++, way *= CAROM_PATCH_ABOVE_FOOT) {
        StripPlace at = place_above(w, foot, way), next = place_above(w, foot, 2.0*way);
        if (!is_straight(&at, way) || !is_straight(&next, 2.0*way)) continue;
        at.p = carom_axpy(2.0, at.p, carom_neg(next.p));
        at.gradient = carom_axpy(2.0, at.gradient, carom_neg(next.gradient));
        at.around = 2.0*at.around - next.around;
        add_point(w, &at, -S/at.around);
        return;
    }
}

// Between p and q sections press.
static void add_sections(StripWork *w, caromHillEnd p, caromHillEnd q)
{
    double S0 = 0.0, S1 = 0.0, width = q.at - p.at;
    for (int i = 0; i < 8; i++) {
        double y = 0.5*pi*(1.0 + carom_gauss_8[i].x), s = sin(0.5*y), s2 = s*s,
               weight = 0.25*pi*carom_gauss_8[i].w*sin(y);
        StripIntegral sum = add_section(w, p.at + width*s2, weight*width);
        S0 += weight*(width*sum.rate*(1.0 - s2) - sum.value);
        S1 += weight*(width*sum.rate*s2 + sum.value);
    }
    add_foot(w, p, S0, width);
    add_foot(w, q, S1, -width);
}

// Around the axis a narrow hill may have a wide skirt, as of a cone that lies on its side and whose tip is inside B. So
// hills are cut at places that are fixed on A: then W does not jump where a foot passes one, nor where the feet of a
// skirt meet.
static void add_panels(StripWork *w, caromHillEnd p, caromHillEnd q)
{
    while (p.at < q.at) {
        caromHillEnd cut = carom_patch_next_cut(p, CUTS), end = cut.at < q.at ? cut : q;
        add_sections(w, p, end);
        p = end;
    }
}

// Are sections around the axis?
static bool is_around(const StripPiece *a)
{
    return a->kind == STRIP_LINE || a->kind == STRIP_ARC;
}

// Half the length of a section and its middle; of an arc or a cap that of its circle.
static caromVec3 middle_of(const StripWork *w, double *half)
{
    const StripPiece *a = &w->piece;
    double out = a->kind == STRIP_LINE ? a->rho + 0.5*a->d_rho : a->rho;
    *half = a->kind == STRIP_DISC ? a->rho*w->c : a->kind == STRIP_LINE ? 0.5*hypot(a->d_rho, a->d_z) : a->radius;
    if (a->kind == STRIP_DISC) return carom_vec(0.0, out*w->s, a->z);
    if (a->kind == STRIP_CAP) return carom_vec(out*w->s, 0.0, a->z);
    return carom_vec(out*w->c, out*w->s, a->kind == STRIP_LINE ? a->z + 0.5*a->d_z : a->z);
}

// Is every point of a section farther outside than `beyond`?
static bool is_far(StripWork *w, double u, double beyond)
{
    double half;
    turn_to(w, u);
    caromVec3 gradient, p = carom_pose_point(w->X, middle_of(w, &half));
    return carom_field_soft_depth(&w->field, p, &gradient) < -(half + beyond);
}

static caromHills sampled_hills(StripWork *w, double from, double step)
{
    caromHills h = { .n = SAMPLES + 1 };
    double beyond = w->piece.reach*fabs(step);
    for (int i = 0; i <= SAMPLES; i++) {
        double u = from + i*step;
        h.at[i] = is_far(w, u, beyond) ? (caromHillPoint){ .x = u, .value = -2.0*beyond } : top_at(w, u);
    }
    return h;
}

// Sections that are nearest to B in the tip that they share have one height, and a narrow hill may stand on that level
// between two samples. From the tip it lies in the direction in which depth grows.
static void sample_from_tip(StripWork *w, caromHills *hills)
{
    const StripPiece *a = &w->piece;
    bool is_first = a->rho == 0.0, is_last = a->rho + a->d_rho == 0.0;
    if (a->kind != STRIP_LINE || !(is_first || is_last)) return;
    caromVec3 gradient, tip = carom_vec(0, 0, a->z + (is_last ? a->d_z : 0.0));
    carom_field_soft_depth(&w->field, carom_pose_point(w->X, tip), &gradient);
    caromVec3 g = carom_tmul(w->X.R, gradient);
    carom_patch_insert_top(hills, top_at(w, atan2(g.y, g.x)), 2.0*pi);
}

static void add_piece(StripWork *w, StripPiece piece)
{
    caromVec3 gradient;
    w->piece = piece;
    w->has_nearby = false;
    caromVec3 middle = carom_pose_point(w->X, carom_vec(0, 0, piece.z_middle));
    if (carom_field_soft_depth(&w->field, middle, &gradient) < -piece.length) return;
    bool turns = is_around(&piece);
    double from = turns ? 0.0 : -0.5*pi + CAROM_PATCH_CHORD_END, step = (turns ? 2.0*pi : -2.0*from)/SAMPLES;
    caromHill hill = { top_at, w, w->unit };
    caromHills hills = sampled_hills(w, from, step);
    sample_from_tip(w, &hills);
    caromHillInterval part;
    if (turns && !carom_patch_begin_at_least(&hills, 2.0*pi)) {
        add_panels(w, (caromHillEnd){ 0.0, false }, (caromHillEnd){ 2.0*pi, false });
        return;
    }
    carom_patch_find_tops(&hill, &hills, piece.reach*step);
    for (int i = 0; carom_patch_next_hill(&hill, &hills, &i, &part);) {
        if (turns) add_panels(w, part.low, part.high);
        else add_sections(w, part.low, part.high);
    }
}

// ---- the pieces of a shape

static void add_line(StripWork *w, const caromCore *c)
{
    double dr = c->r1 - c->r0, dz = c->z1 - c->z0, side = hypot(dr, dz), out = side > 0.0 ? dz/side : 1.0,
           up = side > 0.0 ? -dr/side : 0.0;
    if (!(side > 0.0)) return;
    StripPiece piece = { .kind = STRIP_LINE, .v1 = 1.0, .rho = c->r0 + c->radius*out, .z = c->z0 + c->radius*up,
                         .d_rho = dr, .d_z = dz };
    piece.reach = fmax(piece.rho, piece.rho + dr);
    piece.z_middle = piece.z + 0.5*dz;
    piece.length = hypot(piece.reach, 0.5*dz);
    add_piece(w, piece);
}

static void add_arc(StripWork *w, double rho, double z, double radius, double v0, double v1)
{
    if (!(v1 > v0 && radius > 0.0)) return;
    add_piece(w, (StripPiece){ .kind = STRIP_ARC, .v0 = v0, .v1 = v1, .rho = rho, .z = z, .radius = radius,
                               .closes = v1 - v0 >= 2.0*pi, .reach = rho + radius, .z_middle = z,
                               .length = rho + radius });
}

// Beyond the angle v from the plane z = 0, upwards or downwards.
static void add_cap(StripWork *w, double z, double radius, double v, double up)
{
    add_piece(w, (StripPiece){ .kind = STRIP_CAP, .v0 = -1.0, .v1 = 1.0, .rho = radius*cos(v), .z = z,
                               .radius = radius, .rim = radius*sin(v), .up = up, .reach = radius, .z_middle = z,
                               .length = radius });
}

// A rounded rim, or a rounded tip: of the upper end from the angle v on, of the lower one up to it.
static void add_rounding(StripWork *w, double rho, double z, double radius, double v, bool is_upper)
{
    if (!(radius > 0.0)) return;
    if (rho > 0.0) add_arc(w, rho, z, radius, is_upper ? v : -0.5*pi, is_upper ? 0.5*pi : v);
    else add_cap(w, z, radius, is_upper ? v : -v, is_upper ? 1.0 : -1.0);
}

static void add_disc(StripWork *w, double rho, double z)
{
    if (!(rho > 0.0)) return;
    add_piece(w, (StripPiece){ .kind = STRIP_DISC, .v0 = -1.0, .v1 = 1.0, .rho = rho, .z = z, .reach = rho,
                               .z_middle = z, .length = rho });
}

static void add_frustum(StripWork *w, const caromCore *c)
{
    double slope = c->z1 > c->z0 ? atan2(c->r0 - c->r1, c->z1 - c->z0) : 0.0;  // of the normal of the side
    add_line(w, c);
    add_rounding(w, c->r0, c->z0, c->radius, slope, false);
    add_rounding(w, c->r1, c->z1, c->radius, slope, true);
    add_disc(w, c->r0, c->z0 - c->radius);
    add_disc(w, c->r1, c->z1 + c->radius);
}

static caromCore as_frustum(const caromCore *core)
{
    if (core->kind == CAROM_CORE_FRUSTUM) return *core;
    return (caromCore){ .kind = CAROM_CORE_FRUSTUM, .radius = core->radius, .z0 = -core->h.z, .z1 = core->h.z };
}

caromStripSum carom_patch_strip_sum(const caromShape *a, const caromShape *b, caromPose X_BA,
                                    const caromStiffening *stiff, const caromStripVisitor *visitor)
{
    StripWork w = { .field = carom_field_soft_of(b), .X = X_BA, .stiff = stiff, .visitor = visitor };
    w.unit = CAROM_PATCH_CLIMB_UNIT*(carom_shape_radius(*a) + carom_norm(X_BA.p));
    if (a->kind == CAROM_TORUS) add_arc(&w, a->size.x, 0.0, a->size.y, -pi, pi);
    else {
        caromCore core = carom_shape_core(a);
        core = as_frustum(&core);
        add_frustum(&w, &core);
    }
    return w.sum;
}
