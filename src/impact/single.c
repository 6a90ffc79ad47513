// single.c -- one contact alone: which law, which path.
#include <float.h>

#include "impact/single.h"

static caromImpactOutcome no_impact(void)
{
    return (caromImpactOutcome){ .path = CAROM_SLIP_NONE, .stop = (double)NAN };
}

// False: nothing can happen, or the numbers are none.
static bool can_begin(const double G[9], const double v[3])
{
    bool is_finite = isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
    for (int i = 0; i < 9; i++) is_finite = is_finite && isfinite(G[i]/G[0]);
    return is_finite && G[0] > 0 && v[0] <= 0;
}

static caromPassage passage(const caromImpactContact *contact, const double G[9], double tolerance, const double v[3],
                            double speed)
{
    double n = G[0];
    caromPassage way = { .g = { G[1]/n, G[2]/n }, .A = { fmax(0, G[4]/n), G[5]/n, fmax(0, G[8]/n) },
                         .e = contact->restitution };
    way.mu = fmin(contact->friction, CAROM_FRICTION_MAX);
    way.mu_s = fmax(fmin(contact->static_friction, CAROM_FRICTION_MAX), way.mu);
    way.poisson = contact->law == CAROM_IMPACT_POISSON;
    way.tolerance = fmin(fmax(tolerance, 1e-15), 1e-3);
    for (int i = 0; i < 3; i++) way.v[i] = v[i]/speed;
    return way;
}

// What is remembered of the slip for the outcome.
typedef struct Story {
    bool slips_first, grows, jams, has_stopped, holds, is_locked, stops_in_compression;
    double stop;  // p_n there
} Story;

static const double *direction(const caromPassage *way, double u[2])
{
    double slip = hypot(way->v[1], way->v[2]);
    u[0] = way->v[1]/slip;
    u[1] = way->v[2]/slip;
    return u;
}

// Slip until it stops or the impact is over.
static void slide(caromPassage *way, Story *story)
{
    double u[2];
    direction(way, u);
    bool is_straight = carom_impact_is_straight(way, u);
    caromLine line = carom_impact_slip_line(way, u);
    story->slips_first = true;
    story->grows = is_straight && carom_impact_dot2(u, &line.d[1]) > 0;
    story->jams = line.d[0] <= 0;
    if (!is_straight) {
        carom_impact_turn(way);
        line = carom_impact_slip_line(way, direction(way, u));
    }
    story->is_locked = !carom_impact_go(way, &line, carom_impact_until_stop(way, &line, u));
    if (way->is_over || story->is_locked) return;
    story->has_stopped = true;
    story->stop = way->p[0];
    story->stops_in_compression = way->v[0] < 0;
}

// From v_t = 0 to the end, straight in any case.
static void go_on_from_rest(caromPassage *way, Story *story)
{
    way->v[1] = way->v[2] = 0;
    caromLine line = carom_impact_rest_line(way, &story->holds);
    story->is_locked = !carom_impact_go(way, &line, (double)INFINITY);
}

static void slip_freely(caromPassage *way)
{
    double nowhere[2] = { 0, 0 };
    caromLine line = carom_impact_slip_line(way, nowhere);
    carom_impact_go(way, &line, (double)INFINITY);
}

// But for rounding of what the impact makes of it.
static bool is_at_rest(const caromPassage *way)
{
    double answer = fmin(1, hypot(way->g[0], way->g[1]) + way->A[0] + way->A[2]);
    return hypot(way->v[1], way->v[2]) <= 8*DBL_EPSILON*answer*fabs(way->v[0]);
}

static Story follow(caromPassage *way)
{
    Story story = { 0 };
    if (way->mu == 0) {
        slip_freely(way);
        return story;
    }
    if (!is_at_rest(way)) slide(way, &story);
    if (!way->is_over && !story.is_locked) go_on_from_rest(way, &story);
    return story;
}

static caromSlipPath path_of(const Story *story, bool has_friction)
{
    if (!has_friction) return CAROM_SLIP_NONE;
    if (story->is_locked || (story->jams && story->has_stopped)) return CAROM_SLIP_JAMS;
    if (!story->slips_first) return story->holds ? CAROM_SLIP_NONE : CAROM_SLIP_PUSHED;
    if (story->has_stopped) return story->holds ? CAROM_SLIP_STICKS : CAROM_SLIP_REVERSES;
    return story->grows ? CAROM_SLIP_PUSHED : CAROM_SLIP_THROUGHOUT;
}

// Routh's way: p_n grows, friction follows the slip, until the law says that it is over.
static void grow_impulse(const caromImpactContact *contact, const double G[9], double tolerance, const double v[3],
                         caromImpactOutcome *outcome)
{
    double speed = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), unit = speed/G[0];
    if (!(speed > 0)) return;
    caromPassage way = passage(contact, G, tolerance, v, speed);
    Story story = follow(&way);
    if (!(way.p[0] > 0)) return;
    for (int i = 0; i < 3; i++) outcome->p[i] = way.p[i]*unit;
    outcome->compression = way.compression*speed*unit;
    outcome->restitution = way.restitution*speed*unit;
    outcome->friction = way.friction*speed*unit;
    outcome->path = path_of(&story, way.mu > 0);
    if (!story.has_stopped) return;
    outcome->stop = story.stop/way.p[0];
    outcome->stops_in_compression = story.stops_in_compression;
}

void carom_impact_single(const caromImpactContact *contact, const double G[9], double tolerance, double v[3],
                         caromImpactOutcome *outcome)
{
    *outcome = no_impact();
    if (!can_begin(G, v)) return;
    bool frictionless = contact->law == CAROM_IMPACT_NEWTON_FRICTIONLESS;
    if (frictionless || contact->law == CAROM_IMPACT_NEWTON) carom_impact_newton(contact, G, frictionless, v, outcome);
    else grow_impulse(contact, G, tolerance, v, outcome);
    const double *p = outcome->p;
    if (!(p[0] > 0)) return;
    outcome->impacts = 1;
    for (int i = 0; i < 3; i++) v[i] += G[3*i]*p[0] + G[3*i + 1]*p[1] + G[3*i + 2]*p[2];
}
