// rigid.h -- rigid bodies in time: impacts at instants, contacts that stay between them.
//
// Which points touch, and how (slide, stick, bounce to their end), is the active set: discrete state. Inside a step it
// does not change: contacts that stay are equalities. Their ends are events: a force that would pull, friction that
// cannot hold, slip that stops, another point that comes down. At an event the impacts of everything that touches are
// made, and modes are chosen anew by complementarity. Theory: docs/rigid.md.
//
// What is where: rigid.c the row, memory and scales; rigid_forces.c forces inside a step, rigid_resist.c what
// resists turning, rigid_faces.c friction over faces; rigid_search.c when a mode
// ends; rigid_collect.c what touches then; rigid_impact.c, rigid_bounce.c, rigid_resolve.c what happens to it;
// rigid_hold.c forces that are held where modes do not lead on; rigid_tell.c what is said of it; rigid_keep.c no drift;
// rigid_adopt.c contacts of bodies that are simulated apart.
#ifndef CAROM_SRC_RESPONSE_RIGID_H
#define CAROM_SRC_RESPONSE_RIGID_H

#include <math.h>

#include "impact/impact.h"
#include "response/response.h"
#include "unilateral/space.h"

// How impacts of a constraint follow each other. A block that rocks has bounces of its two edges that die out by turns,
// faster or slower than the restitution of each says.
typedef struct caromDecay {
    double speed;                 // approach at its last impact [m/s]
    double ratio;                 // to that before
    bool is_steady;               // as it was the time before that, to a hundredth
} caromDecay;

// What counts as none. All follow from the tolerance and the model, and from how well positions and the clock are
// known.
typedef struct caromRigidScales {
    double size;                  // [m] of the smallest body that moves
    double gap;                   // [m] a gap that counts as none
    double speed;                 // [m/s] a speed that counts as rest
    // [m/s] a slip that counts as none: what the integration may be off, since slip that stops in space is not
    // quite 0 at any instant
    double slip;
    double hop;                   // [m] bounces less high than this are summed up
    double least_hop;             // [m] and those in any case: rounding would blur them
    double force;                 // [N] what contacts usually carry: forces below a small part of it are none
} caromRigidScales;

typedef struct caromRigidClock {  // of events that follow each other closely
    double last_time;             // of the last event, and how many there were without time passing
    int repeats;
    double times[CAROM_RIGID_CHATTER];  // of the last events that were found, not announced
    int64_t events;
    double last_impact;           // [s] of those, the last one in which something approached
    caromContactPoint struck;     // and what was struck first in it
    int unseen;                   // impacts by turns, times CAROM_RIGID_UNSEEN_SAME, between which nothing was seen
    bool is_announced;            // this one is: the end of a hop, of bounces, or of forces that were held
    double rest_speed;            // [m/s] as scales.speed, at the last event: more where forces are to be held
} caromRigidClock;

typedef struct caromRigidHold {   // forces that are held for a while, in place of modes (rigid_hold.c)
    double until;                 // [s]; -INFINITY: modes rule
    double end, length;           // [s] of the last hold
    double since;                 // [s] beginning of the first of those that follow each other
    bool is_due;                  // no step gets on in these modes
    caromPlacedPoint *points;     // where the forces act, and                    [room]
    double *f;                    // in the frame of each contact                 [3 room]
} caromRigidHold;

typedef struct caromRigidEvent {  // scratch of an event
    caromContactPoint *found;     // everything that touches                      [room]
    caromContactPoint *before;    // and what did before it                       [room]
    caromContactPoint *parting;   // those of found that part                     [room]
    caromImpactContact *blows;    //                                              [room]
    caromImpactOutcome *outcomes; //                                              [room]
    double *v;                    // velocities of the contacts                   [3 room]
    caromImpactTurn *turns;       // and how they resist turning in an impact     [room]
    double *u, *turned, *x;       // before and after, impulses                   [6 room]
    caromImpactWork *impact;
    caromSpatial *reactions;      // impulses that joints transmit                [nlink]
    caromSpatial *joint_impulses; //                                              [njoint]
    double *speeds;               // changes of v                                 [nv]
    double *rates;                // and of q                                     [nq]
    double *dydt;                 // rate of the state                            [n]
} caromRigidEvent;

typedef struct caromRigidLook {   // at points that do not touch, of pairs that do
    double down;                  // [s] after which the first of those that fall would be down
    double up;                    // [s] since when the last of those that rise has been up
} caromRigidLook;

typedef struct caromRigidHeading {
    caromVec3 direction;          // as of a caromContactPoint; 0: it has begun
    double lag;                   // [s]
} caromRigidHeading;

typedef struct caromRigid {
    const caromModel *model;
    caromDecay *decay;            // by number of the constraint                  [npair + nlimit]
    bool *pair_is_closed, *limit_is_closed;  // one of its points is in the list  [npair], [nlimit]
    caromContactPoint *contacts;  // the active set                               [n]
    caromVec3 *slip;              // and how its points slip at the start of the step, in W [n]
    caromVec3 *lean;              // and how discs whose rim touches lean there; 0: no such point [n]
    caromRigidHeading *heading;   // of slips that have just begun, at the end of the step              [n]
    int n, room;
    bool is_sharp;                // friction truly sticks
    bool *has_faces;              // convex shapes, whose regions are hulls of their corners; friction [npair]
    double *resistance;           // lengths for those to rolling and spinning; 0: none [npair]
    bool is_new;                  // of others, without an event of its own yet: no step tells what is near
    caromRigidScales scales;
    caromRigidClock clock;
    caromRigidHold hold;
    // The margin that was least at the last look is that of a slip that stops, or a rim that passes through flat.
    bool is_slip_end;
    caromRigidLook look;          // the last one
    double fallen;                // the earliest in the step at which a point was down, as part of it; > 1: none was
    double stopped;               // [m/s] slips up to this have stopped at the event to come; 0: as scales.slip says
    bool strays;                  // at the end of the part of the step that was looked at
    double motions_pace;          // [s] the longest step that prescribed motions can stand
    double pace;                  // [s] and that contacts can, from the last state that was looked at
    double next_step;             // [s] that suits the hops to come; 0: none
    double friction_rate;         // fastest rate of regularised friction after the last event [1/s]
    caromSpace *space;            // of the system's own scratch: contact space, where events are worked out
    caromRigidEvent event;
} caromRigid;

typedef struct caromRigidScratch {  // of an evaluation: own of a caromScratch
    caromSpace space;
    double *sums;                 // what accelerations are made of               [nv]
    double friction_rate;         // fastest rate of regularised friction [1/s]
} caromRigidScratch;

static inline caromRigid *carom_rigid_of(const caromSystem *system)
{
    return system->contacts;
}

static inline bool carom_rigid_holds(const caromRigid *rigid)
{
    return isfinite(rigid->hold.until);
}

static inline caromRigidScratch *carom_rigid_scratch_of(const caromScratch *scratch)
{
    return scratch->own;
}

bool carom_rigid_reserve(caromRigid *rigid, int n);  // room for n contacts; those that touch are kept

// rigid_forces.c. Adds what the contacts do, after the motion without them: dv is changed, F_C and tau of the scratch's
// work get their forces.
typedef struct caromRigidLoad {
    double lost;                  // power lost to friction [W]; NaN: there are no finite forces
    double rolled;                // and to resistance to rolling and spinning [W]
    // Power that bounces which are summed up give to the bodies [W]: they lose it again where they end.
    double given;
    double rate;                  // fastest at which friction turns a slip round [1/s]
    double hidden_rate;           // of what is regularised: the error estimate does not see it
} caromRigidLoad;
caromRigidLoad carom_rigid_forces(const caromRigid *rigid, const caromInstant *at, caromScratch *scratch, double *dv);
// At which friction turns the slip of contact i of the space round; 0: it does not [1/s].
double carom_rigid_turning_rate(const caromRigid *rigid, const caromSpace *s, int i);
// Time by which friction is ahead of a slip that has just begun and grows at the rate a [m/s^2]: it does not change by
// more meanwhile than counts as none.
static inline double carom_rigid_lag(const caromRigid *rigid, double a)
{
    return rigid->scales.slip/a;
}
// What presses on the pair of contact i, at all of its points [N].
double carom_rigid_pressing(const caromRigid *rigid, const caromSpace *s, int i);
// How a contact that is placed slips, and the speed of it; of a face that turns that of all of it, with its spin along
// the normal.
static inline caromVec3 carom_rigid_slip(const caromPlacedPoint *at)
{
    return at->spread.is_spread ? at->spread.whole
                                : carom_add(carom_scale(at->v[1], at->t1), carom_scale(at->v[2], at->t2));
}
static inline double carom_rigid_slip_speed(const caromPlacedPoint *at)
{
    return at->spread.is_spread ? hypot(at->spread.slip[0], at->spread.slip[1]) : hypot(at->v[1], at->v[2]);
}
// What a contact is to unilateral/unilateral.h, where it is placed.
caromStay carom_rigid_stay(const caromRigid *rigid, const caromContactPoint *contact, const caromPlacedPoint *at);
// What a constraint usually carries [N]: the weight of the lighter body. Rounding of the forces of all is far below a
// millionth of the weight of all.
double carom_rigid_usual_force(const caromRigid *rigid, caromConstraint c);
// The resultant of a pair in the space; false: it does not touch.
bool carom_rigid_contact(const caromRigid *rigid, int pair, caromContact *contact);

// Is it the first of the list of its pair? False for limits.
bool carom_rigid_is_first(const caromRigid *rigid, int contact);
bool carom_rigid_has(const caromRigid *rigid, caromConstraint c);     // one of its points is listed
// How many of event.found before it are of the same constraint.
int carom_rigid_point_of_pair(const caromRigid *rigid, int i);
// When the next bounces have died out [s]; infinite: none.
double carom_rigid_next_landing(const caromRigid *rigid);

// rigid_resist.c. L of the resistance to rolling and spinning of a pair; 0: it has none [m].
double carom_rigid_resistance_length(const caromModel *model, int pair);
// Couples of the contacts that are placed, against their turning.
void carom_rigid_resist(const caromRigid *rigid, const caromContactPoint *contacts, caromSpace *space);
// Couples that go with the impulses p of the n contacts of event.found, which are placed with how they turn without p,
// and what holds those that stick, or that couples would press in. v: velocities of their points after the impact.
// Both are changed [3n]; event.u, .turned and .x say what happened, the couples are in the space. False: nothing
// resists turning.
bool carom_rigid_turn(caromSystem *system, double *p, double *v);
// At which the couple of contact i of the space ends its turning [1/s].
double carom_rigid_resistance_rate(const caromRigid *rigid, const caromSpace *s, int i);

// rigid_faces.c. Friction of faces and lines that turn on each other, over them and not at their corners, of the
// contacts that are placed, after carom_rigid_resist. Slips up to `small` are none. all: contacts that fly touch too.
bool carom_rigid_has_faces(const caromModel *model, int pair);  // regions can be told
void carom_rigid_spread(const caromRigid *rigid, const caromKin *kin, const caromContactPoint *contacts, double small,
                        bool all, caromSpace *space);

// rigid_collect.c: fills event.found with all that touches at the state of kin, and returns how many; -1: out of
// memory. touched: what the search has found, NULL: nothing.
int carom_rigid_collect(caromSystem *system, const caromKin *kin, const caromConstraint *touched);
int carom_rigid_collect_all(caromSystem *system, const caromKin *kin);  // at the start: every pair is looked at
// Behind n that are found: the rims of discs that lie flat come down elsewhere after an impact.
int carom_rigid_collect_rims(caromSystem *system, const caromKin *kin, int n);
double carom_rigid_parting_speed(const caromModel *model, const caromKin *kin, int pair, const caromTouchPoint *point);

// rigid_impact.c. n contacts of event.found at the state as it is, in the space with their response. False: a joint
// has no inertia to move.
bool carom_rigid_place(caromSystem *system, double time, int n);
// Impacts of all that are placed; the fastest approaches with that speed.
caromStatus carom_rigid_strike(caromSystem *system, double time, double fastest);
// The contact friction has locked: an impact without collision, or a spring for a moment.
caromStatus carom_rigid_pass_jam(caromSystem *system, double time, int worst);
// v_n of those that are placed is made 0, exactly; they are at most rounding or a speed that nobody sees. So are slips
// that count as none, of contacts that may stick.
void carom_rigid_stop(caromSystem *system, double time);
// What a contact is to impact/impact.h, at a velocity.
caromImpactContact carom_rigid_blow(const caromRigid *rigid, caromConstraint c, const double v[3]);
double carom_rigid_restitution(const caromRigid *rigid, caromConstraint c, double speed);
double carom_rigid_small_slip(const caromRigid *rigid);  // slips that count as none at this instant
// Sharp friction: does it stick, by its mode? is_old: that is of before an impact, and what slips by now does not.
static inline bool carom_rigid_sticks(const caromRigid *rigid, const caromContactPoint *contact,
                                      const caromPlacedPoint *at, bool is_old)
{
    bool slips = is_old && hypot(at->v[1], at->v[2]) > carom_rigid_small_slip(rigid);
    return rigid->is_sharp && contact->mode == CAROM_MODE_ROLLING && !slips;
}
double carom_rigid_small_speed(const caromRigid *rigid, double fastest);  // speeds that count as none at this instant

// rigid_hold.c. Forces of the n contacts of event.found are decided for a short time, and held. -1; or a contact that
// prescribed motions press together, and nothing can give way.
int carom_rigid_hold(caromSystem *system, double time, double length, int n);
// Did the last events follow each other so closely that they are decided together?
bool carom_rigid_is_time_to_hold(const caromRigid *rigid, double time);
double carom_rigid_shortest_hold(const caromRigid *rigid, double time);   // [s]
// Impacts of several contacts follow each other, between which nothing moves as far as anybody could see; and the gap
// that it does move. The n contacts of event.found are placed.
bool carom_rigid_is_unseen(const caromRigid *rigid);
double carom_rigid_unseen_gap(const caromRigid *rigid);                   // [m]
// The time in which bodies move by their size: by the fastest point that is placed, and by what gravity gives over it.
double carom_rigid_usual_time(const caromRigid *rigid);
// How far the surface of a body may run below the point at which its force is held [m].
double carom_rigid_wander(const caromRigid *rigid);
void carom_rigid_count_event(caromRigid *rigid, double time, double approach);
double carom_rigid_length_of_hold(const caromRigid *rigid, double time);  // [s] of the next, of what is placed
// Points, velocities and forces of what is held, into the space.
void carom_rigid_place_held(const caromRigid *rigid, const caromInstant *at, const caromKin *kin, caromSpace *space);

// rigid_bounce.c. Those of found from `first` to n part: which of them come back before anybody could see it.
void carom_rigid_let_bounce(caromSystem *system, double time, int first, int n);
// Impacts of this one become weaker by the same part each time: their sum is known.
bool carom_rigid_dies_out(const caromRigid *rigid, caromConstraint about);
// Bounces that are summed up are made one by one. False: they are too short for that.
bool carom_rigid_hop_instead(caromRigid *rigid, double time);
bool carom_rigid_do_landings_disturb(const caromRigid *rigid);
bool carom_rigid_end_landings(caromRigid *rigid, double time);  // whether there are any
// Another point of found stays, or bounces to its end.
bool carom_rigid_is_held(const caromRigid *rigid, int n, caromConstraint c);

// rigid_tell.c. An event of a contact; the impact of contact i of event.found, of which before and after are the
// velocities; what changed since the n contacts of before.
caromEvent carom_rigid_event_of(const caromSystem *system, caromEventKind kind, double time,
                                const caromContactPoint *contact, const caromPlacedPoint *at);
caromStatus carom_rigid_tell_impact(caromSystem *system, double time, int i, const double after[3],
                                    const caromImpactReport *report);
caromStatus carom_rigid_tell_changes(caromSystem *system, double time, const caromContactPoint *before, int n);

extern const caromApartRow carom_rigid_apart;  // rigid_adopt.c

caromOccasion carom_rigid_first_event(caromSystem *system);  // rigid_search.c

// rigid_resolve.c: n contacts of event.found in the space, with their accelerations without forces and their response.
void carom_rigid_accelerate(caromSystem *system, double time, int n, bool all);
// What happens at an event, and at the start.
caromStatus carom_rigid_resolve(caromSystem *system, double time, const caromConstraint *touched, caromError *err);
caromStatus carom_rigid_resolve_start(caromSystem *system, caromError *err);

// rigid_start.c. Bodies that start in each other are moved apart; an error where they cannot be.
caromStatus carom_rigid_part_at_start(caromSystem *system, caromError *err);

// rigid_keep.c. Contacts that stay are off, at the state that was placed last, by far more than the integration may be:
// forces of the step were those of other points.
bool carom_rigid_strays(const caromSystem *system);
// The longest step from the state that was evaluated last, into rigid->pace.
void carom_rigid_set_pace(caromSystem *system);
// Bodies moved so far in that time that points may have come down which nobody listed: the step is made again, shorter.
bool carom_rigid_outruns(const caromSystem *system, double time);
// A contact whose normal speed (sticks: and slip) has to vanish, whatever force that takes.
caromStay carom_rigid_equality(bool sticks);
// One step of all contacts to gaps of 0, however far that is; false: joints or motions do not let them.
bool carom_rigid_part(caromSystem *system);
// Slips that have just begun go on as at the end of the step that was looked at last, which has been made.
void carom_rigid_keep_headings(caromRigid *rigid);
// Whether y was changed.
bool carom_rigid_keep(caromSystem *system, double time);
void carom_rigid_keep_landed(caromSystem *system, double time);  // what comes down the height of its last bounces too
// The same for a state between the ends of a step.
void carom_rigid_keep_sample(caromSystem *system, double time, double *y);
void carom_rigid_close(caromRigid *rigid, caromConstraint c, bool value);   // the response follows it, not the search

#endif
