#include "events/search.h"

#include <float.h>
#include <math.h>

void carom_search_begin(caromSearch *s, const double *y_start, const double *y_end)
{
    s->status = CAROM_OK;
    for (int k = 0; k < CAROM_LOOKS; k++) s->looked[k] = -1.0;
    s->guard->load(s->guard->user, CAROM_SLOT_START, s->t0, y_start);
    s->guard->load(s->guard->user, CAROM_SLOT_END, s->t0 + s->h, y_end);
}

static void load(caromSearch *s, int slot, double theta)
{
    caromStatus status = s->method->interpolate(s->stepper, theta, s->y, NULL);
    if (status != CAROM_OK) s->status = status;
    s->guard->load(s->guard->user, slot, s->t0 + theta*s->h, s->y);
}

static double gap(caromSearch *s, int slot, caromConstraint c, double *rate)
{
    s->evaluations++;
    return s->guard->gap(s->guard->user, slot, c, rate);
}

static double clear_time(caromSearch *s, int slot, caromConstraint c, double dt)
{
    s->evaluations++;
    return s->guard->clear_time(s->guard->user, slot, c, dt, s->margin);
}

// Where the gap is `level`, in [a, b] with opposite signs at the ends: Newton steps on the dense output, halving when
// one would leave the bracket or gains too little. sign = -1: from apart to touching, +1: the other way.
static double locate(caromSearch *s, caromConstraint c, double level, double a, double b, double sign)
{
    double theta = 0.5*(a + b), last_width = b - a;
    for (int i = 0; i < CAROM_EVENTS_NEWTON_MAX; i++) {
        load(s, CAROM_SLOT_RIGHT, theta);
        double rate, g = sign*(gap(s, CAROM_SLOT_RIGHT, c, &rate) - level);
        if (g == 0.0) return theta;
        if (g < 0.0) a = theta;
        else b = theta;
        double slope = sign*rate*s->h, step = -g/slope;
        double next = theta + step;
        bool inside = next > a && next < b;
        if (inside && fabs(step) <= 2.0*DBL_EPSILON) return next;
        bool slow = i % 3 == 2 && b - a > 0.5*last_width;
        if (i % 3 == 2) last_width = b - a;
        theta = inside && !slow ? next : 0.5*(a + b);
        if (b - a <= 2.0*DBL_EPSILON || theta <= a || theta >= b) return b;
    }
    return b;
}

// Is the pair certainly apart on [a, b], seen from both ends together?
static bool is_free(caromSearch *s, caromConstraint c, int left, double a, double b)
{
    double dt = (b - a)*s->h;
    double forward = clear_time(s, left, c, dt);
    if (forward >= dt) return true;
    load(s, CAROM_SLOT_RIGHT, b);
    return forward + clear_time(s, CAROM_SLOT_RIGHT, c, -dt) >= dt;
}

// The gap at the start of the piece that is looked at.
static bool hovers(caromSearch *s, caromConstraint c, int left)
{
    double rate;
    return gap(s, left, c, &rate) <= s->hovering;
}

// Pieces are certified from left to right. One that is not is halved, or, when its right end overlaps, cut at a touch
// inside it; the part before that touch is then certified in turn, so that the touch returned is the first. Surfaces
// that hover next to each other throughout a long step need pieces without end: from some number on they count as
// touching, though there is a gap (no force acts across it).
static double first_touch(caromSearch *s, caromConstraint c, double start, double end)
{
    double right[CAROM_EVENTS_DEPTH_MAX + 1], a = start, touch = CAROM_NEVER;
    int depth = 0, left = start > 0.0 ? CAROM_SLOT_LEFT : CAROM_SLOT_START, pieces = 0;
    right[0] = end;
    for (;;) {
        double b = right[depth];
        if (++pieces % CAROM_EVENTS_PIECES_MAX == 0 && hovers(s, c, left)) return a;
        bool done = b - a <= 2.0*DBL_EPSILON || is_free(s, c, left, a, b) || depth == CAROM_EVENTS_DEPTH_MAX ||
                    s->status != CAROM_OK;
        if (!done) {
            double rate;  // is_free has left the state at b in the right slot
            if (b != touch && gap(s, CAROM_SLOT_RIGHT, c, &rate) <= 0.0) {
                touch = locate(s, c, 0.0, a, b, -1.0);
                depth = 0;
                right[0] = touch;
                if (touch <= a) return touch;
            } else {
                right[++depth] = 0.5*(a + b);
            }
            continue;
        }
        if (depth == 0) return touch;
        a = b;
        depth--;
        load(s, CAROM_SLOT_LEFT, a);
        left = CAROM_SLOT_LEFT;
    }
}

typedef struct PartingSearch {
    double theta;
    bool is_apart;  // there, loaded into the left slot; false: surfaces come together before they ever were
} PartingSearch;

// A pair that has just rebounded, a rounding too deep, or nearer than its gap is known to: until it is apart no piece
// could be certified, nor told from a touch. With rate > 0 it is after |g|/rate, but for what bends the motion. One
// that does not get apart comes back to where it was, not deeper.
static PartingSearch parting(caromSearch *s, caromConstraint c, double g, double rate, double end)
{
    const double least = 4.0*DBL_EPSILON, start = g;
    double before = 0.0, theta = rate > 0.0 ? fmin(fmax(2.0*fabs(g)/(rate*s->h), least), 0.25*end) : least;
    for (;; theta *= 4.0) {
        bool is_end = !(theta < end);
        if (is_end) theta = end;
        load(s, CAROM_SLOT_LEFT, theta);
        g = gap(s, CAROM_SLOT_LEFT, c, &rate);
        if (g > 0.0 && (is_end || clear_time(s, CAROM_SLOT_LEFT, c, (end - theta)*s->h) > 0.0))
            return (PartingSearch){ theta, true };
        if (g <= start && rate < 0.0) return (PartingSearch){ locate(s, c, start, before, theta, -1.0), false };
        if (is_end) return (PartingSearch){ CAROM_NEVER, false };
        before = theta;
    }
}

// A pair that parts so slowly that it hovers for a while has pieces without end there. From where its gap is twice as
// wide one looks again, up to a gap that does not count as none, or that has not grown.
static double beyond_hovering(caromSearch *s, caromConstraint c, double g, double rate, double end)
{
    double theta = 0.0, next = 0.0, wider = g;
    while (wider >= g && wider <= s->hovering && rate > 0.0 && next < end) {
        theta = next;
        g = wider;
        next = fmin(end, theta + fmax(g/(rate*s->h), 4.0*DBL_EPSILON));
        load(s, CAROM_SLOT_LEFT, next);
        wider = gap(s, CAROM_SLOT_LEFT, c, &rate);
    }
    if (wider >= g) return next;
    load(s, CAROM_SLOT_LEFT, theta);
    return theta;
}

double carom_search_touch(caromSearch *s, caromConstraint c, double end)
{
    double dt = end*s->h, clear = clear_time(s, CAROM_SLOT_START, c, dt);
    if (clear >= dt) return CAROM_NEVER;
    double rate, g = gap(s, CAROM_SLOT_START, c, &rate);
    if (g > 0.0 && (clear > 0.0 || rate <= 0.0)) {
        double start = beyond_hovering(s, c, g, rate, end);
        return start < end ? first_touch(s, c, start, end) : CAROM_NEVER;
    }
    if (rate < 0.0) return 0.0;
    PartingSearch p = parting(s, c, g, rate, end);
    return p.is_apart ? first_touch(s, c, p.theta, end) : p.theta;
}

double carom_search_touch_again(caromSearch *s, caromConstraint c, double end)
{
    for (double theta = 4.0*DBL_EPSILON; theta < end; theta *= 4.0) {
        load(s, CAROM_SLOT_LEFT, theta);
        double rate, g = gap(s, CAROM_SLOT_LEFT, c, &rate);
        if (g > s->hovering && clear_time(s, CAROM_SLOT_LEFT, c, (end - theta)*s->h) > 0.0)
            return first_touch(s, c, theta, end);
    }
    return CAROM_NEVER;
}

// The slot with the state of look k, at theta: the end of the step is there already.
static int look_at(caromSearch *s, int k, double theta)
{
    if (theta == 1.0) return CAROM_SLOT_END;
    if (s->looked[k] != theta) load(s, CAROM_SLOT_LOOK + k, theta);
    s->looked[k] = theta;
    return CAROM_SLOT_LOOK + k;
}

// From a gap that was not above the level to one that is. One that was at it exactly had got there by then.
static double rising(caromSearch *s, caromConstraint c, double level, double before, double g_before, double theta)
{
    if (g_before == level) return before;
    return g_before < level ? locate(s, c, level, before, theta, 1.0) : theta;
}

static bool is_fast(caromSearch *s, caromConstraint c, double theta, double rate_limit)
{
    double rate;
    load(s, CAROM_SLOT_LEFT, theta);
    gap(s, CAROM_SLOT_LEFT, c, &rate);
    return rate > rate_limit;
}

// A contact is resolved by several steps, so a few looks inside one are enough to see it end. Several may end at one
// instant, of which the first ends the step: the others begin the next within a rounding of 0, or a little beyond, and
// part then.
double carom_search_separation(caromSearch *s, caromConstraint c, caromHysteresis least, double end)
{
    double rate, before = 0.0, g_before = gap(s, CAROM_SLOT_START, c, &rate);
    if (g_before >= -s->margin && rate > least.rate) return 0.0;
    for (int k = 1; k <= CAROM_LOOKS; k++) {
        double theta = k*end/CAROM_LOOKS;
        double g = gap(s, look_at(s, k - 1, theta), c, &rate);
        if (g == 0.0 && rate > least.rate) return theta;  // a step that was made to end there
        if (g > 0.0 && g_before <= 0.0) {
            double parting = rising(s, c, 0.0, before, g_before, theta);
            if (is_fast(s, c, parting, least.rate)) return parting;
        }
        if (g > least.gap) return rising(s, c, least.gap, before, g_before, theta);
        before = theta;
        g_before = g;
    }
    return CAROM_NEVER;
}
