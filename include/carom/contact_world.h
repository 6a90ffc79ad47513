// contact_world.h -- contacts for a multibody code of your own: poses and velocities in, wrenches and events out.
//
// In:    a model (model.h, modelfile.h) of which bodies, shapes and materials count; poses and velocities of its
//        bodies, from anywhere.
// Out:   gaps of all pairs (root functions), force and torque on every body, dissipated power, touch and separation.
// Promise: what is computed depends on the memory and the placed state only, to the bit. Nothing but carom_world_touch,
//          _separate, _events, _change and _restore changes the memory: trial steps may be rejected without a word, and
//          _save and _restore go back in time across events. No allocation after create (but see carom_world_near). One
//          world per thread; worlds share the model. The simulator of sim.h computes its contacts with the same
//          functions.
// Not here: inertia, joints, gravity, time (your code); joints, springs, forces and gravity of the model are ignored.
//           Where only shapes matter: collide.h.
// Start reading at carom_world_wrenches in src/contact/world.c. Guide: docs/contact-world.md, a complete program:
// examples/contact_world.c.
//
//     carom_world_create(model, &world, &err);
//     ...   // in your right-hand side, at any trial state:
//     carom_world_place(world, t, X_WB, V_WB, &err);
//     status = carom_world_wrenches(world, z, F_B, dz, NULL);   // > 0: try a shorter step
//     ...   // your root functions, after a step that was accepted:
//     g[pair] = carom_world_gap(world, pair, &rate).g;
//     ...   // where a gap changed its sign, at the located state, then start your integrator anew:
//     carom_world_place(world, t, X_WB, V_WB, &err);
//     if (carom_world_is_touching(world, pair)) carom_world_separate(world, pair, z, &event);
//     else carom_world_touch(world, pair, mass, z, &event, &err);
//     ...   // never step across:
//     t_stop = carom_world_next_change(world);                  // there: place, carom_world_change(world), go on
//
// A code that cannot locate events calls carom_world_events after every step instead: it does all of that, as exactly
// as the steps are short.
#ifndef CAROM_CONTACT_WORLD_H
#define CAROM_CONTACT_WORLD_H

#include "carom/collide.h"
#include "carom/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct caromContactWorld caromContactWorld;

// What happens, and the payload of caromEvent that goes with it. Touch and separation belong to the compliant response,
// impacts and changes of mode (land, stick, slip, take-off, jam) to the rigid one.
typedef enum caromEventKind {
    CAROM_EVENT_TOUCH,       // touch
    CAROM_EVENT_SEPARATION,  // separation
    CAROM_EVENT_LIMIT,       // touch: a joint reaches a limit (of the simulator)
    CAROM_EVENT_LIMIT_LEFT,  // separation: and leaves it
    CAROM_EVENT_IMPACT,      // impact: of rigid bodies, or of a joint on a limit; it takes no time
    CAROM_EVENT_LAND,        // no payload: bounces have died out, the contact stays from now on
    CAROM_EVENT_STICK,       // no payload: a contact that stays begins to roll or stick
    CAROM_EVENT_SLIP,        // no payload: to slide
    CAROM_EVENT_TAKE_OFF,    // no payload: and ends
    CAROM_EVENT_JAM,         // jam: no forces of rigid bodies exist (Painleve), an impact without collision follows
    CAROM_EVENT_KINDS
} caromEventKind;

typedef enum caromSubjectKind { CAROM_SUBJECT_PAIR, CAROM_SUBJECT_LIMIT } caromSubjectKind;

typedef struct caromJointLimit {
    int joint;       // of the model (carom_model_joint)
    int coordinate;  // of the joint, from 0
} caromJointLimit;

// What an event is about.
typedef struct caromEventSubject {
    caromSubjectKind kind;
    union {
        int pair;               // CAROM_SUBJECT_PAIR: of the model (carom_model_pair)
        caromJointLimit limit;  // CAROM_SUBJECT_LIMIT: the units of the payload are those of the coordinate,
                                // rad for m and N m for N where it turns
    };
} caromEventSubject;

// A contact begins, or a joint reaches a limit.
typedef struct caromTouchEvent {
    double speed;  // approach speed along the normal [m/s], >= 0
} caromTouchEvent;

// It ends.
typedef struct caromSeparationEvent {
    double speed;              // parting speed along the normal [m/s], >= 0
    double duration;           // since the touch [s]
    double approach_speed;     // at that touch [m/s], >= 0
    double asked_restitution;  // of the pair, after regularisation at low speed; NaN: its law has none
    double restitution;        // measured: speed/approach_speed; NaN: it was no impact (it has lasted, or came at rest)
    bool has_lasted;           // beyond its impact: bodies lay, slid or rolled on each other
    double lost;               // energy that friction still held, now dissipated [J], >= 0 (CAROM_FRICTION_BRISTLE)
    double depth;              // largest during the contact [m], >= 0; of the simulator only, else 0
    double impulse;            // of the normal force [N s], >= 0; of the simulator only, else 0
} caromSeparationEvent;

// One point of rigid bodies that is hit, or a limit.
typedef struct caromImpactEvent {
    double speed;              // approach speed along the normal [m/s], >= 0; 0 of a contact at rest that others hit
    double asked_restitution;  // of the pair, after regularisation at low speed
    double restitution;        // measured: root of the work that came back over the work that went in
    double impulse;            // along the normal [N s], >= 0
    double lost_normal;        // energy that the normal impulse took and did not give back [J]
    int together;              // how many contacts touched at this instant
    bool is_collapse;          // ever smaller bounces between contacts were ended
    bool is_at_once;           // made by scheme `poisson`: groups of contacts would have taken too long
    int njoint;                // of the model
    const caromSpatial *joint_impulses;  // that each joint of the tree transmits to the body that it carries, about the
                                         // origin of its frame, in W [N m s, N s] [njoint]; valid during the call
    // of a pair only
    caromVec3 v_before, v_after;  // velocity of B against A at the point, in W [m/s]
    caromVec3 impulse_B;          // on B, in W [N s]
    double lost_friction;         // [J]; 0 of a limit
    caromSlipPath path;           // what the slip does during the impact
    double path_stop;             // part of the normal impulse at which the slip stopped; NaN: it did not
    bool stops_in_compression;
    int point;                    // which of the points of the pair, from 0
} caromImpactEvent;

typedef struct caromJamEvent {
    double slip_speed;  // of B against A across the normal [m/s], >= 0
} caromJamEvent;

typedef struct caromEvent {
    double time;  // [s]
    caromEventKind kind;
    caromEventSubject about;
    caromVec3 p_W;   // point of contact, or a point on the axis of the joint [m]
    caromVec3 n_AB;  // unit normal from A into B, or the axis of the joint, in W
    union {          // the payload of its kind
        caromTouchEvent touch;
        caromSeparationEvent separation;
        caromImpactEvent impact;
        caromJamEvent jam;
    };
} caromEvent;

// The model is borrowed until destroy; CAROM_ERR_MODEL: there is no contact law for the shapes of a pair, or not the
// one that it was given (carom_contact_check), or the model's response is rigid: forces here are of the compliant one.
// Bodies are placed as it starts, nothing touches yet (carom_world_events begins what does).
CAROM_API caromStatus carom_world_create(const caromModel *model, caromContactWorld **world, caromError *err);
CAROM_API void carom_world_destroy(caromContactWorld *world);

// ---- where everything is

// Poses and velocities (of the body's origin, in W) of all bodies of the model, in its order, the fixed ones too
// [nbody]. "Fixed" only says that the body is much heavier than what meets it: it may move here. CAROM_RETRY: a number
// is not finite. CAROM_ERR_INPUT: a matrix is no rotation. In both cases all stays as it was.
CAROM_API caromStatus carom_world_place(caromContactWorld *world, double time, const caromPose *X_WB,
                                        const caromSpatial *V_WB, caromError *err);
// What was placed last; right after create: as the model starts. Either may be NULL.
// Returns the time.
CAROM_API double carom_world_placed(const caromContactWorld *world, caromPose *X_WB, caromSpatial *V_WB);

// ---- at the placed state, without changing anything. A pair that does not exist has NaN, 0 or false.

typedef struct caromWorldPower {
    double damping, friction, rolling;  // dissipated [W], >= 0; damping of a law of one's own may be less
    // Fastest natural rate of the contacts [1/s]: an explicit method needs steps of about 2/rate or less.
    double rate;
    int too_deep;                       // a pair so deep in each other that the force means nothing; -1: none
} caromWorldPower;

// Force on each body and torque about its origin, in W [nbody]; what was in F_B is overwritten. z: states of the
// contacts, dz: their rates [carom_world_state_count]; z may be NULL where there are none, dz and power always.
// CAROM_ERR_INPUT: z is missing; F_B stays as it was, power is 0. CAROM_RETRY: a pair is too deep, or a force is not
// finite; F_B is filled all the same.
CAROM_API caromStatus carom_world_wrenches(const caromContactWorld *world, const double *z, caromSpatial *F_B,
                                           double *dz, caromWorldPower *power);

// Pairs are those of the model (carom_model_pair).
CAROM_API int carom_world_pair_count(const caromContactWorld *world);
// Gap with normal and witness points; its g is the root function of the pair, with the rate dg/dt [m/s]
// (rate may be NULL). A touch is g from + to -, a separation from - to +. At an edge or corner rate may jump; g does
// not.
CAROM_API caromGap carom_world_gap(const caromContactWorld *world, int pair, double *rate);
// Rounding of gaps at the placed state [m]: differences below it mean nothing.
CAROM_API double carom_world_margin(const caromContactWorld *world);
// All pairs whose gap is at most distance, and others that are not far: found by bounding boxes and spheres, next to
// free. Fills at most capacity of them, ascending, and returns how many there are; -1: out of memory. Allocates, with
// more than 500 pairs in the model, when more pairs are near than ever before.
CAROM_API int carom_world_near(caromContactWorld *world, double distance, int *pairs, int capacity);

// As in a sample of the simulator; of a pair that does not touch a force of 0.
CAROM_API caromContact carom_world_contact(const caromContactWorld *world, const double *z, int pair);
CAROM_API double carom_world_energy(const caromContactWorld *world, const double *z);  // stored in all contacts [J]

// ---- the memory: which pairs touch, since when, and how fast they met

CAROM_API bool carom_world_is_touching(const caromContactWorld *world, int pair);
// Pairs that touch, ascending: fills at most capacity of them, returns how many there are.
CAROM_API int carom_world_touching(const caromContactWorld *world, int *pairs, int capacity);

// What is remembered of a touch, and what to expect of it: an absolute tolerance for positions should be well below
// depth, a first step well below duration.
typedef struct caromTouchInfo {
    double time;                 // when it began [s]
    double speed;                // approach speed then [m/s]
    double asked_restitution;    // NaN: the law has none
    double mass;                 // effective, along the normal [kg]
    double stiffness, exponent;  // K [N/m^n] and n of a point; of a face [N/m^3] and 1, of strips at the depth below
    double damping;              // c of fn = K d^n (1 + c d') [s/m]
    double depth, duration;      // of an impact at that speed (v_small if slower) without damping [m], [s]
    bool is_lasting;             // it has become a contact that lasts
} caromTouchInfo;
CAROM_API caromStatus carom_world_touch_info(const caromContactWorld *world, int pair, caromTouchInfo *info);

// At a located event, at the placed state. mass: what the contact feels of the inertia of both sides along the normal,
// 1/(n.J M^-1 J^T n) [kg], NaN: of the two bodies as if they were free. It decides when an impact is over, how a
// lasting contact is damped and how fast bristles react, not the restitution. z: states of the contacts (below),
// brought along; NULL where there are none. event may be NULL. CAROM_ERR_INPUT: no such pair, it does (not) touch
// already, a mass that is none, z is missing. CAROM_ERR_NUMERIC: the shapes meet in a way that there is no law for, or
// all carom_world_state_max states are in use. Nothing has changed then.
CAROM_API caromStatus carom_world_touch(caromContactWorld *world, int pair, double mass, double *z, caromEvent *event,
                                        caromError *err);
CAROM_API caromStatus carom_world_separate(caromContactWorld *world, int pair, double *z, caromEvent *event);
// For all pairs: those that overlap or meet begin to touch, those that are apart end; within the rounding of a gap
// (carom_world_margin) the rate decides. Fills at most capacity events
// (first those that end, then those that begin, each by pair) and returns how many there are; -1: one could not begin
// (others may have), err says why. Twice at the same state: the second time nothing changes. The speed at a touch is
// that of the placed state: where it is found late, deep in the contact, restitution is off. May allocate as
// carom_world_near does.
CAROM_API int carom_world_events(caromContactWorld *world, double *z, caromEvent *events, int capacity,
                                 caromError *err);

// When the memory changes by itself: a contact that lasts becomes one at rest, some time after its impact [s];
// infinite: not before the next event. The force is continuous there to 1e-7. A step must not go across;
// carom_world_change does it, at the placed time, and tells how many pairs changed. Called behind every accepted step,
// it also lets pairs that touched in a point and have come to lie along each other go on with the surface they have in
// common (docs/contact.md, section 1): the force changes by some per cent then, the stored energy does not.
CAROM_API double carom_world_next_change(const caromContactWorld *world);
CAROM_API int carom_world_change(caromContactWorld *world);

// A snapshot of the memory, and back. Its size depends on how many pairs touch. Bytes of one build of the library: they
// may be copied and moved, not kept for another. They have a checksum. restore: CAROM_ERR_INPUT for what is no snapshot
// of a world of this model, or has a bit that is not as it was; all stays as it was then.
CAROM_API size_t carom_world_memory_size(const caromContactWorld *world);
CAROM_API caromStatus carom_world_save(const caromContactWorld *world, void *memory, size_t size);
CAROM_API caromStatus carom_world_restore(caromContactWorld *world, const void *memory, size_t size);

// ---- states of the contacts, to be integrated with yours: only where friction has a memory
// (settings.friction_law = CAROM_FRICTION_BRISTLE)

// How many there are now: six for each pair that touches and has friction; their rates are dz of carom_world_wrenches.
// Touch and separation change their number and bring z along: new ones are last and begin with 0, where some end the
// last ones take their place. A snapshot of the memory goes with the z of its moment.
CAROM_API int carom_world_state_count(const caromContactWorld *world);
// And at most: for codes whose number of states cannot change; those beyond the count have the rate 0, which is yours
// to set.
CAROM_API int carom_world_state_max(const caromContactWorld *world);

#ifdef __cplusplus
}
#endif

#endif
