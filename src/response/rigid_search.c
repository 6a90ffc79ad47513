// When does a mode end, or another point come down? Margins of all contacts make one function of time, positive while
// the modes hold, and those of points that do not touch another one; the first zero of either in a step is the event.
// A mode that is at its end by a rounding from the beginning hides the end of no fall.
#include <float.h>

#include "response/rigid.h"

// A contact rolls from a little below delta on, by a part of what the integration may be off: at loose tolerances slip
// wanders across delta and back with every step.
static double below_edge(const caromRigid *r, const caromStay *stay)
{
    return fmax(CAROM_RIGID_EDGE, fmin(CAROM_RIGID_EDGE_MOST, CAROM_RIGID_EDGE_PART*r->scales.slip/stay->delta));
}

// How contact i moves against its friction, by v + lag a. There is none: infinite.
static double against_friction(const caromRigid *r, int i, double of_v, double lag)
{
    const caromSpace *s = r->space;
    const double *v = s->points[i].v, *f = s->f + 3*i;
    double push = hypot(f[1], f[2]), along = 0.0;
    if (!(push > 0.0) || !isfinite(lag)) return INFINITY;
    for (int k = 1; k < 3; k++) along -= f[k]*(of_v*v[k] + lag*carom_space_acceleration(s, 3*i + k))/push;
    return along;
}

static bool has_just_begun(const caromRigid *r, int i)
{
    return carom_norm(r->contacts[i].direction) > 0.0 && !r->space->points[i].spread.is_spread;
}

static double slip_margin(const caromRigid *r, int i)
{
    const caromContactPoint *c = &r->contacts[i];
    const caromPlacedPoint *at = &r->space->points[i];
    const caromStay *stay = &r->space->stays[i];
    if (!(stay->friction > 0.0) && !at->spread.is_spread) return INFINITY;
    double speed = carom_rigid_slip_speed(at);
    if (stay->delta > 0.0)
        return c->mode == CAROM_MODE_ROLLING ? 1.0 + CAROM_RIGID_EDGE - speed/stay->delta
                                             : speed/stay->delta - 1.0 + below_edge(r, stay);
    if (c->mode == CAROM_MODE_ROLLING)
        return carom_unilateral_margin(stay, r->space->f + 3*i).reserve/carom_rigid_usual_force(r, c->about) +
               CAROM_RIGID_PULL;
    double before = carom_norm(r->slip[i]);
    if (before > r->scales.slip) return carom_dot(carom_rigid_slip(at), r->slip[i])/(before*r->scales.slip) - 0.5;
    // One that has just begun has stopped where the slip that friction is against is none, or would be one along it:
    // a direction that is kept parallel to that knows no sign.
    return has_just_begun(r, i) ? against_friction(r, i, 1.0, c->lag)/r->scales.slip - 0.5 : (double)INFINITY;
}

// Explicit steps much longer than friction takes to turn a slip round do not follow it: what is left wanders to and fro
// by what a step may be off, for ever. One that grows is none of them: it has just begun.
static bool is_unresolved(const caromSystem *sys, int i, double slip)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromMethod *method = sys->search.method;
    return !method->is_stiff && slip <= CAROM_RIGID_WANDERS*r->scales.slip && slip <= carom_norm(r->slip[i]) &&
           carom_rigid_turning_rate(r, r->space, i)*sys->search.h > CAROM_RIGID_HELD*method->held;
}

// Has a slip stopped by the state that was looked at last? A slip without a direction of its own that nobody can tell
// from 0 is to stick, or to begin anew: sharp friction would turn it round at the rate mu f_n G_tt/slip, and steps that
// follow it are as short as that, for ever (docs/rigid.md).
static bool has_slip_stopped(const caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    bool has_any = false;
    for (int i = 0; i < r->n && r->is_sharp && !carom_rigid_holds(r); i++) {
        const caromContactPoint *c = &r->contacts[i];
        const caromPlacedPoint *at = &r->space->points[i];
        bool rubs = r->space->stays[i].friction > 0.0 || at->spread.is_spread;
        double slip = carom_rigid_slip_speed(at);
        bool grows = carom_norm(c->direction) > 0.0 &&
                     (slip > r->scales.slip || !has_just_begun(r, i) || against_friction(r, i, 0.0, 1.0) >= 0.0);
        if (c->mode != CAROM_MODE_SLIDING || !rubs || grows) continue;
        if (slip > r->scales.slip && !is_unresolved(sys, i, slip)) continue;
        r->stopped = fmax(r->stopped, slip);
        has_any = true;
    }
    return has_any;
}

// A disc on its rim has passed through flat where it leans to the other side.
static double lean_margin(const caromSystem *sys, int i)
{
    const caromRigid *r = carom_rigid_of(sys);
    const caromContactPoint *c = &r->contacts[i];
    double before = carom_norm(r->lean[i]);
    caromTouchLean disc;
    if (!(before > 0.0) || !carom_manifold_lean(r->model, &sys->scratch.kin, c->about.index, c->feature, &disc))
        return INFINITY;
    return carom_dot(disc.lean, r->lean[i])/(before*before);
}

// Of a point that does not touch: it comes down, not only is below by a rounding, where what has just rebounded goes up
// from. One that is deeper than that, and rises, has come down before this look. margin: rounding of gaps.
static double fall_margin(caromRigid *r, double g, double speed, double margin)
{
    double height = (g + margin)/r->scales.gap;
    if (speed < 0.0) r->look.down = fmin(r->look.down, fmax(g, 0.0)/-speed);
    if (speed > 0.0) r->look.up = fmin(r->look.up, fmax(g, 0.0)/speed);
    return height < -1.0 ? height : fmax(height, speed/r->scales.speed);
}

// margin: rounding of gaps.
static double contact_margin(caromRigid *r, int i, double margin)
{
    const caromContactPoint *c = &r->contacts[i];
    const caromPlacedPoint *at = &r->space->points[i];
    if (c->mode == CAROM_MODE_FLIGHT) return fall_margin(r, at->g, at->v[0], margin);
    if (!at->is_there) return -1.0;
    return fmin(r->space->f[3*i]/carom_rigid_usual_force(r, c->about) + CAROM_RIGID_PULL, slip_margin(r, i));
}

// Friction turns round where the slip of a contact that slides stops: the other modes end without a jump in what acts.
static bool ends_slip(const caromRigid *r, int i, double margin)
{
    return r->contacts[i].mode == CAROM_MODE_SLIDING && r->space->points[i].is_there && slip_margin(r, i) <= margin;
}

// Under its name, or at its place under another: a place of a ring is the nearest point when it is the only one.
static bool is_listed(const caromRigid *r, int pair, const caromTouchPoint *point)
{
    double same = CAROM_RIGID_SAME_POINT*r->scales.size;
    for (int i = 0; i < r->n; i++) {
        const caromContactPoint *c = &r->contacts[i];
        if (!carom_model_constraint_is(c->about, carom_model_constraint_of_pair(pair))) continue;
        bool is_same = c->feature[0] == point->feature[0] && c->feature[1] == point->feature[1];
        caromVec3 middle = carom_scale(0.5, carom_add(point->p_A, point->p_B));
        if (is_same || carom_norm(carom_sub(r->space->points[i].p, middle)) < same) return true;
    }
    return false;
}

// Of points of a pair that touches which do not touch themselves: a box that rocks comes down on its other edge. What
// has just rebounded is below by a rounding, and goes up. While forces are held nobody keeps points at the surface:
// those that touch may run below it a little, as the rim does of a cone that rolls on it, before forces are decided
// anew. One that changes its features (an edge that becomes a face) is told from another by its depth only.
static double other_points_margin(const caromSystem *sys, const caromKin *kin, int pair)
{
    caromRigid *r = carom_rigid_of(sys);
    caromTouchPoint points[CAROM_TOUCH_POINTS_MAX];
    int n = carom_manifold_points(sys->model, kin, pair, INFINITY, points);
    bool holds = carom_rigid_holds(r);
    double least = INFINITY, none = holds ? r->scales.gap : sys->search.margin;
    for (int i = 0; i < n; i++) {
        bool listed = is_listed(r, pair, &points[i]);
        if (listed && !holds) continue;
        double speed = carom_rigid_parting_speed(sys->model, kin, pair, &points[i]);
        least = fmin(least, fall_margin(r, points[i].g, speed, listed ? carom_rigid_wander(r) : none));
    }
    return least;
}

static bool can_jam(const caromRigid *r)
{
    for (int i = 0; i < r->n; i++) {
        if (r->contacts[i].mode == CAROM_MODE_SLIDING && r->space->stays[i].friction > 0.0) return true;
    }
    return false;
}

typedef enum Ending { END_OF_MODE, END_OF_FALL, ENDINGS } Ending;
typedef struct Margins {
    double of[ENDINGS];  // the least of all modes, of all falls; negative: one has ended
} Margins;

// At the state y. What cannot be evaluated ends a mode too.
static Margins margins_at(caromSystem *sys, double time, const double *y)
{
    caromRigid *r = carom_rigid_of(sys);
    caromInstant at = { time, y, sys->n };
    caromFindings found = sys->response->evaluate(sys, &at, &sys->scratch, r->event.dydt);
    carom_response_note(sys, &found);  // the last look is at the end of the step
    if (found.status != CAROM_OK) return (Margins){ { -1.0, INFINITY } };
    double modes = INFINITY, falls = INFINITY;
    sys->search.evaluations += r->n;
    r->is_slip_end = false;
    r->look = (caromRigidLook){ .down = INFINITY, .up = INFINITY };
    for (int i = 0; i < r->n; i++) {
        if (!carom_rigid_holds(r)) {
            double margin = contact_margin(r, i, sys->search.margin), lean = lean_margin(sys, i);
            if (r->contacts[i].mode == CAROM_MODE_FLIGHT) {
                falls = fmin(falls, margin);
                margin = INFINITY;
            }
            if (fmin(margin, lean) < modes) r->is_slip_end = lean < margin || ends_slip(r, i, margin);
            modes = fmin(modes, fmin(margin, lean));
        }
        if (carom_rigid_is_first(r, i))
            falls = fmin(falls, other_points_margin(sys, &sys->scratch.kin, r->contacts[i].about.index));
    }
    if (carom_rigid_holds(r) || !can_jam(r)) return (Margins){ { modes, falls } };
    caromStayProblem problem = carom_space_problem(r->space);
    double sound = carom_unilateral_soundness(&problem, r->space->work) - CAROM_RIGID_UNSOUND;
    return (Margins){ { fmin(modes, sound), falls } };
}

static Margins margins_in_step(caromSystem *sys, double theta)
{
    caromSearch *s = &sys->search;
    caromRigid *r = carom_rigid_of(sys);
    caromStatus status = s->method->interpolate(s->stepper, theta, s->y, NULL);
    if (status != CAROM_OK) s->status = status;
    Margins margins = margins_at(sys, s->t0 + theta*s->h, s->y);
    if (margins.of[END_OF_FALL] < 0.0) r->fallen = fmin(r->fallen, theta);
    return margins;
}

// Where a margin ends, between a (positive) and b (negative): secant steps with the weight of an end that stays
// halved (Illinois), halving where that gains too little.
static double locate(caromSystem *sys, Ending ending, double a, double m_a, double b, double m_b)
{
    for (int i = 0; i < CAROM_RIGID_LOCATE_MAX && b - a > 4.0*DBL_EPSILON*b; i++) {
        double width = b - a, theta = i % 4 == 3 ? 0.5*(a + b) : b - m_b*(b - a)/(m_b - m_a);
        if (!(theta > a && theta < b)) theta = 0.5*(a + b);
        if (!(theta > a && theta < b)) break;
        double m = margins_in_step(sys, theta).of[ending];
        if (m == 0.0) return theta;
        if (m < 0.0) {
            b = theta;
            m_b = m;
            if (b - a < CAROM_RIGID_SHORTENED*width) continue;
            m_a *= 0.5;
        } else {
            a = theta;
            m_a = m;
            m_b *= 0.5;
        }
    }
    return b;
}

static void note_slip(const caromSystem *sys)
{
    caromRigid *r = carom_rigid_of(sys);
    for (int i = 0; i < r->n; i++) {
        const caromPlacedPoint *at = &r->space->points[i];
        const caromContactPoint *c = &r->contacts[i];
        caromTouchLean disc;
        if (c->mode != CAROM_MODE_FLIGHT && at->limit < 0 &&
            carom_manifold_lean(r->model, &sys->scratch.kin, c->about.index, c->feature, &disc)) r->lean[i] = disc.lean;
        r->slip[i] = carom_rigid_slip(at);
    }
}

static double slip_acceleration(const caromSpace *s, int i)
{
    return hypot(carom_space_acceleration(s, 3*i + 1), carom_space_acceleration(s, 3*i + 2));
}

// Where slips go that have just begun, at the state that was looked at last: against their friction. One has begun
// where friction turns it round no faster than the slip of a little later.
static void note_headings(caromRigid *r)
{
    const caromSpace *s = r->space;
    for (int i = 0; i < r->n; i++) {
        caromContactPoint *c = &r->contacts[i];
        const double along[3] = { 0.0, -s->f[3*i + 1], -s->f[3*i + 2] };
        r->heading[i] = (caromRigidHeading){ c->direction, c->lag };
        if (carom_norm(c->direction) == 0.0) continue;
        double lag = carom_rigid_lag(r, slip_acceleration(s, i));
        bool has_begun = carom_rigid_turning_rate(r, s, i) < 1.0/lag;
        caromVec3 d = carom_unit_or(carom_space_vector(&s->points[i], along), c->direction);
        r->heading[i] = (caromRigidHeading){ has_begun ? carom_vec(0, 0, 0) : d, lag };
    }
}

// Of a margin that was not positive at the start of the step. Modes that just began may be at their end by a rounding,
// and be inside right after: what ends in the step ends after that.
static double first_end_by(caromSystem *sys, Ending ending, double theta, double m)
{
    for (int i = 0; i < CAROM_RIGID_HALVINGS; i++) {
        double inside = 0.5*theta, here = margins_in_step(sys, inside).of[ending];
        if (here > 0.0) return locate(sys, ending, inside, here, theta, m);
        theta = inside;
        m = here;
    }
    return CAROM_NEVER;
}

typedef struct ModeLook {
    double theta;
    Margins margin;
    caromRigidLook falls;
} ModeLook;

static ModeLook look_at(caromSystem *sys, double theta)
{
    Margins margin = margins_in_step(sys, theta);
    return (ModeLook){ theta, margin, carom_rigid_of(sys)->look };
}

static bool has_ended(const ModeLook *look)
{
    return fmin(look->margin.of[END_OF_MODE], look->margin.of[END_OF_FALL]) < 0.0;
}

// A point may come down and rise again between two looks, a rim that swings past the floor: at the first it falls and
// would be down after a time, at the second it rises and has been up since a time. If these do not overlap, it is
// looked for in the middle between them. Returns the look at which it is down, or that at the end.
static ModeLook dip_between(caromSystem *sys, ModeLook a, ModeLook end)
{
    ModeLook b = end;
    for (int i = 0; i < CAROM_RIGID_DIPS_MAX; i++) {
        double from = a.theta + a.falls.down/sys->search.h, to = b.theta - b.falls.up/sys->search.h;
        if (!(from < to)) return i == 0 ? end : look_at(sys, end.theta);
        ModeLook middle = look_at(sys, 0.5*(from + to));
        if (has_ended(&middle)) return middle;
        if (from < middle.theta - middle.falls.up/sys->search.h) b = middle;
        else a = middle;
    }
    return look_at(sys, end.theta);
}

static ModeLook look_up_to(caromSystem *sys, ModeLook a, double end)
{
    ModeLook b = look_at(sys, end);
    return has_ended(&b) ? b : dip_between(sys, a, b);
}

// A mode that was at its end all the time ends where that is seen. A point that comes down all the time does so from
// the beginning: a disc that lay flat and turns about one of its corners comes down with the rim beside it. While
// forces are held it was below before, by as much as nobody sees.
static ModeLook end_between(caromSystem *sys, Ending ending, const ModeLook *before, const ModeLook *now)
{
    double a = before->margin.of[ending], b = now->margin.of[ending];
    if (a > 0.0) return look_at(sys, locate(sys, ending, before->theta, a, now->theta, b));
    double at = first_end_by(sys, ending, now->theta, b);
    bool is_seen = ending == END_OF_FALL && !carom_rigid_holds(carom_rigid_of(sys));
    if (at > now->theta) at = is_seen ? ldexp(now->theta, -CAROM_RIGID_HALVINGS) : now->theta;
    return look_at(sys, at);
}

// Where a mode has ended, or a point has come down, by `now`: whichever is first. One that was down while the end of a
// mode was looked for may be up there again. What has come down and risen again before that ended one earlier; and so
// on, of rims that roll on each other for ever: the first of so many is as good as the first.
static double first_end_between(caromSystem *sys, ModeLook before, ModeLook now)
{
    ModeLook end;
    const double *fallen = &carom_rigid_of(sys)->fallen;
    int passes = 0;
    do {
        end = now;
        if (end.margin.of[END_OF_MODE] < 0.0) end = end_between(sys, END_OF_MODE, &before, &end);
        if (*fallen < end.theta) end = look_at(sys, *fallen);
        if (end.margin.of[END_OF_FALL] < 0.0) end = end_between(sys, END_OF_FALL, &before, &end);
        now = dip_between(sys, before, end);
    } while (now.theta < end.theta && ++passes < CAROM_RIGID_DIPS_MAX);
    return end.theta;
}

static double first_end_of_mode(caromSystem *sys, double end)
{
    caromRigid *r = carom_rigid_of(sys);
    r->strays = false;
    r->stopped = 0.0;
    r->fallen = CAROM_NEVER;
    r->pace = r->motions_pace;
    if (r->n == 0) return CAROM_NEVER;
    for (int i = 0; i < r->n; i++) r->slip[i] = r->lean[i] = carom_vec(0, 0, 0);
    ModeLook before = { 0.0, margins_at(sys, sys->search.t0, sys->y), { 0.0, 0.0 } };
    before.falls = r->look;
    note_slip(sys);
    for (int k = 1; k <= CAROM_RIGID_LOOKS; k++) {
        ModeLook now = look_up_to(sys, before, k*end/CAROM_RIGID_LOOKS);
        if (has_ended(&now)) {
            double at = first_end_between(sys, before, now);
            r->strays = carom_rigid_strays(sys);
            return at;
        }
        before = now;
    }
    r->strays = carom_rigid_strays(sys) || carom_rigid_outruns(sys, end*sys->search.h);
    carom_rigid_set_pace(sys);
    note_headings(r);
    return has_slip_stopped(sys) ? end : CAROM_NEVER;
}

// Does nothing hold the constraint of contact i, the first of it? All of its points fly.
static bool flies(const caromRigid *r, int i)
{
    caromConstraint about = r->contacts[i].about;
    for (int k = 0; k < r->n; k++) {
        bool is_same = carom_model_constraint_is(r->contacts[k].about, about);
        if (is_same && (k < i || r->contacts[k].mode != CAROM_MODE_FLIGHT)) return false;
    }
    return true;
}

// What touched and flies is listed until it is apart. It is so from the beginning of a step on, and may come down again
// anywhere in it, which is long where nothing else is held.
static caromOccasion first_return(caromSystem *sys, caromOccasion first)
{
    const caromRigid *r = carom_rigid_of(sys);
    for (int i = 0; i < r->n && !carom_rigid_holds(r); i++) {
        if (!flies(r, i)) continue;
        caromStatus status = carom_guard_bound_motion(&sys->guard, &sys->search);
        if (status != CAROM_OK) sys->search.status = status;
        caromConstraint about = r->contacts[i].about;
        double theta = carom_search_touch_again(&sys->search, about, fmin(first.theta, 1.0));
        if (theta < first.theta) first = (caromOccasion){ theta, CAROM_OCCASION_CONSTRAINT, about };
    }
    return first;
}

caromOccasion carom_rigid_first_event(caromSystem *sys)
{
    caromOccasion first = first_return(sys, carom_response_first_touch(sys, carom_search_nothing));
    double theta = first_end_of_mode(sys, fmin(first.theta, 1.0));
    return theta < first.theta ? (caromOccasion){ .theta = theta, .kind = CAROM_OCCASION_MODE } : first;
}
