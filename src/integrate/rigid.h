// rigid.h -- the rigid response in time: impacts at instants, contacts that stay between them.
//
// Which points touch, and how (slide, stick, bounce to their end), is discrete state. Inside a step it does not change: contacts that stay are equalities. Their ends are
// events: a force that would pull, friction that cannot hold, slip that stops, another point that comes down. At an event the impacts of everything that touches are made, and
// modes are chosen anew by complementarity. Theory: docs/rigid.md.
//
// What is where: rigid.c the state and its scales; rigid_forces.c forces inside a step; rigid_search.c when a mode ends; rigid_collect.c, rigid_resolve.c what happens then;
// rigid_tell.c what is said of it; rigid_keep.c no drift.
#ifndef CAROM_SRC_INTEGRATE_RIGID_H
#define CAROM_SRC_INTEGRATE_RIGID_H

#include "carom/contact.h"
#include "impact/impact.h"
#include "unilateral/space.h"

// How impacts of a pair follow each other. A block that rocks has bounces of its two edges that die out by turns, faster or slower than the restitution of each says.
typedef struct caromDecay {
    double speed;                 // approach at its last impact [m/s]
    double ratio;                 // to that before
    bool is_steady;               // as it was the time before that, to a hundredth
} caromDecay;

enum { CAROM_RIGID_CHATTER = 16 };

typedef struct caromRigid {
    const caromModel *model;
    caromDecay *decay;            // [npair + nlimit]
    caromContactPoint *contacts;  // that touch                                   [n]
    caromVec3 *slip;              // and how they slip at the start of the step, in W [n]
    int n, room;
    caromSpace space;             // at the last evaluation
    bool is_sharp;                // friction truly sticks
    double size;                  // [m] of the smallest body that moves
    double gap_tol;               // [m] a gap that counts as none
    double v_tol;                 // [m/s] a speed that counts as rest
    double slip_tol;              // [m/s] a slip that counts as none: what the integration may be off, since slip that stops in space is not quite 0 at any instant
    double hop;                   // [m] bounces less high than this are summed up
    double least_hop;             // [m] and those in any case: rounding would blur them
    double force;                 // [N] what contacts usually carry: forces below a small part of it are none
    double rate;                  // fastest rate of regularised friction at the last evaluation [1/s]
    double given;                 // power that bounces which are summed up give to the bodies, at the last evaluation [W]: they lose it again where they end
    // Of an event:
    caromContactPoint *found;     // everything that touches                      [room]
    caromContactPoint *before;    // and what did before it                       [room]
    caromImpactContact *blows;    //                                              [room]
    caromImpactOutcome *outcomes; //                                              [room]
    double *v;                    // velocities of the contacts                   [3 room]
    caromImpactWork *impact;
    caromSpatial *reactions;      // impulses that joints transmit                [nlink]
    caromSpatial *joint_impulses; //                                              [njoint]
    double *speeds;               // scratch                                      [nv]
    double *rest;                 // zeros, and rates of coordinates              [nq + nv]
    bool is_slip_end;             // the margin that was least at the last look is that of a slip that stops
    double pace;                  // [s] the longest step: free flight is exact, and would pass over what drives do meanwhile
    double next_step;             // [s] that suits the hops to come; 0: none
    double last_time;             // of the last event, and how many there were without time passing
    int repeats;
    double v_rest;                // [m/s] as v_tol, at the last event: more where contacts chatter
    double times[CAROM_RIGID_CHATTER];  // of the last events
    int64_t events;
} caromRigid;

caromRigid *carom_rigid_create(const caromModel *model);  // NULL: out of memory
void carom_rigid_destroy(caromRigid *rigid);
void carom_rigid_set_rounding(caromRigid *rigid, double margin);  // of gaps [m]
bool carom_rigid_reserve(caromRigid *rigid, int n);  // room for n contacts; those that touch are kept

// rigid_forces.c. Adds what the contacts do, after the motion without them: dv is changed, F_C and tau of work get their forces. Returns the power lost to friction [W]; NaN: there
// are no finite forces.
double carom_rigid_forces(caromRigid *rigid, const caromKin *kin, const double *q, const double *v, caromDynWork *work, double *dv);
// What a contact is to unilateral.h, at the state that the space has.
caromStay carom_rigid_stay(const caromRigid *rigid, const caromContactPoint *contact, const caromPlacedPoint *at);
// What a pair or limit usually carries [N]: the weight of the lighter body. Rounding of the forces of all is far below a millionth of the weight of all.
double carom_rigid_usual_force(const caromRigid *rigid, int what);
// The resultant of a pair at the last evaluation; false: it does not touch.
bool carom_rigid_contact(const caromRigid *rigid, int pair, caromContact *contact);

// Is it the first of the list of its pair? False for limits.
bool carom_rigid_is_first(const caromRigid *rigid, int contact);
bool carom_rigid_has_pair(const caromRigid *rigid, int pair);  // one of its points is listed
int carom_rigid_point_of_pair(const caromRigid *rigid, int i);  // how many of rigid->found before it are of the same pair
// When the next bounces have died out [s]; infinite: none.
double carom_rigid_next_landing(const caromRigid *rigid);

#endif
