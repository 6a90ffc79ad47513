// contact -- from overlap and velocity to forces: the compliant response.
//
// In:    poses and velocities, which pairs touch and how fast they did when they met.
// Out:   wrenches on the bodies, stored energy, power of each dissipator.
// Promise: pure. What remembers (caromTouch) is discrete state, changed only at located events.
//
// Elastic force of a cell: point K d^n; face k w, of strips the derivative of what k W rises to. Along the mean normal
// N of the patch a damper D d' is added, never pulling; friction, rolling and torsional resistance follow from the sum.
// Where cells surround a body each goes by its own normal (docs/contact.md).
//
// What is where: touch.c what a pair remembers, and what to expect of it; normal.c elastic force and damper; damping*.c
// restitution -> damper;
// hertz.c stiffness from curvature; friction*.c the friction laws, bristle.c, grip.c; forces.c puts them together over
// the cells of a patch; slope.c their derivatives; pressure.c how they lie over a face; memory.c which pairs touch;
// limits.c stops of joints;
// check.c what shapes cannot have; world.c all of it for codes that integrate by themselves.
#ifndef CAROM_SRC_CONTACT_H
#define CAROM_SRC_CONTACT_H

#include "carom/contact.h"
#include "contact/scales.h"
#include "patch/patch.h"

typedef struct caromDampingRow caromDampingRow;
typedef struct caromContactPair caromContactPair;

typedef struct caromGive {   // of a face that is met at an edge, a corner, a rim: W ~ d^power
    double speed;            // of an impact [m/s]; 0: it is met as wide as its length allows
    double depth;            // that this one reaches [m]
    double power;            // 2 of a face, 3 of an edge, 4 of a corner
} caromGive;

// Elastic energy k W_0 (W/W_0)^power in place of k W: surfaces that press like the half-spaces they are nearly.
typedef struct caromRise {
    double energy;           // W_0 [m^4]
    double power;            // 1: k W
} caromRise;

typedef struct caromTouch {  // of a pair that touches
    double time;             // when it began [s]
    double speed;            // approach speed then, v0 >= 0 [m/s]
    double gap;              // then, >= 0: above 0 for surfaces that hovered [m]
    double restitution;      // asked for at that speed; NaN: the law has none
    double damping;          // c of the impact [s/m]
    double mass;             // effective, along the normal [kg]
    double slip_mass;        // the same across it, where it is least [kg]
    double spin_inertia;     // of both bodies alone, about the normal [kg m^2]
    caromContactKind kind;
    double stiffness;        // point: K [N/m^n]; face: k [N/m^3]
    double exponent;         // n; of a face 1
    caromRise rise;
    caromGive give;
    double length;           // that rolling resistance refers to: R of a point, l of a face [m]
    double area;             // of a face: as wide as it gets, or of a plate that is as stiff [m^2]
    double impact_ends;      // by when an impact of its kind is over, whatever is remembered [s]
    caromStiffening deep;    // from where on more than the law acts
    double impact_until;     // until when it is an impact that is remembered as it began [s]
    double fades;            // in what time it is forgotten from then on [s]
    double lasts_from;       // when it is: a contact that lasts [s]
    // By when an impact without loss is over, and more: what touches then leaves slowly, or stays [s].
    double stays_from;
    bool is_lasting, has_stayed;
    double tangential;       // stiffness of its bristles at the depth to be expected [N/m]; 0: it has none
    double tangential_ratio; // of tangential to normal stiffness
    double reaction;         // time that they take, sqrt(mass/tangential) [s]
    int slot;                // of their states, given by carom_contact_memory_begin; -1: none
} caromTouch;

static inline bool carom_contact_touch_has_bristles(const caromTouch *touch)
{
    return touch->tangential > 0.0;
}

// States of a pair's bristles: how B has moved and turned over A, as a twist in W, all in metres.
enum { CAROM_BRISTLE_STATES = 6 };

typedef struct caromContactMemory {  // discrete state: changed at events only
    int nactive;
    int *active;             // pairs that touch, ascending          [npair]
    bool *is_active;         //                                      [npair]
    caromTouch *touch;       // valid where is_active                [npair]
    bool *limit_is_active;   // joints at a limit                    [nlimit]
    caromTouch *limit_touch; //                                      [nlimit]
    int nslot, nslot_max;    // of bristles: in use, and how many there are room for
    int *slot_pair;          // whose they are                       [nslot_max]
} caromContactMemory;

// check.c. Where shapes cannot have the law of their materials another would act in its place: who did not ask
// carom_contact_check hears of it here (CAROM_ERR_MODEL).
caromStatus carom_contact_refuse(const caromModel *model, caromError *err);

// memory.c
int carom_contact_memory_slots(const caromModel *model);  // how many pairs can have bristles at once
bool carom_contact_memory_alloc(const caromModel *model, caromContactMemory *memory);
void carom_contact_memory_free(caromContactMemory *memory);
// States z of bristles stand slot by slot [CAROM_BRISTLE_STATES nslot]. A pair that begins gets the last slot;
// where one ends, the last slot moves to its place: so do the states, by whoever keeps them. False: all slots are
// taken, nothing has changed.
bool carom_contact_memory_begin(caromContactMemory *memory, int pair, const caromTouch *touch);
void carom_contact_memory_end(caromContactMemory *memory, int pair);
static inline int carom_contact_memory_states(const caromContactMemory *memory)
{
    return CAROM_BRISTLE_STATES*memory->nslot;
}
// Nothing touches, no joint is at a limit.
bool carom_contact_memory_is_flight(const caromModel *model, const caromContactMemory *memory);

// touch.c. How two shapes meet.
typedef struct caromTouchStart {
    double time;             // [s]
    double speed;            // of approach, >= 0 [m/s]
    double mass;             // effective along the normal [kg]; NaN: of the two bodies alone
} caromTouchStart;
// A touch of two shapes as they are now, with the gap between them.
caromTouch carom_contact_touch_begin(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap,
                                     caromTouchStart start);
// A touch that began in a point, of bodies that have turned until they lie along each other: from now on they press
// with the surface that the two have in common, and store what they stored. False: nothing has changed.
bool carom_contact_touch_spread(const caromModel *model, const caromKin *kin, int pair, caromTouch *touch);
// One that lasts and presses over a larger surface than it did becomes softer. Returns what that loses of its elastic
// energy, at most `most` [J]; 0: it stays as it is.
double carom_contact_touch_widen(const caromModel *model, const caromKin *kin, int pair, double most,
                                 caromTouch *touch);
// 1/(n.J M^-1 J^T n) of the two bodies alone, jointless [kg]
double carom_contact_touch_mass(const caromModel *model, const caromKin *kin, int pair, const caromGap *gap);
// What to expect of an impact at a given speed without damping: largest depth [m] and how long it takes [s].
double carom_contact_touch_depth(const caromPairLaw *law, const caromTouch *touch, double speed);
// The same where a face is met as wide as its length allows: whatever edge or corner is met, it may come to lie on it.
double carom_contact_touch_least_depth(const caromPairLaw *law, const caromTouch *touch, double speed);
double carom_contact_touch_duration(const caromPairLaw *law, const caromTouch *touch, double speed);
// After how long one that takes as long without damping is over, with that restitution, NaN: unknown [s].
double carom_contact_longest_impact(double duration, double restitution);
// From impact to lasting contact: damping as for rest.
static inline void carom_contact_touch_lasts(caromTouch *touch)
{
    touch->is_lasting = touch->has_stayed = true;
    touch->lasts_from = touch->stays_from = INFINITY;
}
// Is it one of restitution 1, that loses nothing and may ring for ever?
bool carom_contact_touch_rings(const caromModel *model, int pair, const caromTouch *touch);
// From now on that is forgotten.
void carom_contact_touch_settle(caromTouch *touch, double time);
// Of how it began: 1 during the impact, then fading to 0.
double carom_contact_touch_memory(const caromTouch *touch, double time);
static inline bool carom_contact_touch_fades(const caromTouch *touch, double time)
{
    return !touch->is_lasting && time >= touch->impact_until;
}
// Damping of a touch: c, and the restitution that is asked for at that speed; NaN: the law has neither.
typedef struct caromTouchDamping {
    double c, restitution;
} caromTouchDamping;
// coefficient: of the pair; NaN: it has none.
caromTouchDamping carom_contact_touch_damping(const caromDampingRow *law, double coefficient, double restitution,
                                              double speed, double v_small);

// damping.c. A damping law; each is a file damping_<law>.c.
struct caromDampingRow {
    caromDampingInfo info;
    double (*number)(double e);  // c v0 for a restitution e; NULL: the law does not use restitution
    double per_coefficient;      // c over the pair's coefficient, of laws that take one
    // D of fn = K d^n + D d', whatever the touch [N s/m]; NULL: D = c K d^n.
    double (*damper)(const caromPairLaw *law, double depth);
};
const caromDampingRow *carom_contact_damping_row(caromDamping law);  // NULL: there is no such law
double carom_contact_damping_number(const caromDampingRow *law, double e);  // c v0; 0 without `number`
// Is c that of the pair's coefficient, and not of restitution?
static inline bool carom_contact_damping_is_given(const caromDampingRow *law, double coefficient)
{
    return law->info.unit && !isnan(coefficient);
}

// normal.c. weight: of a cell, or of all.
double carom_contact_normal_elastic(const caromPairLaw *law, const caromTouch *touch, double weight);  // force [N]
// What the energy of a patch rises to, over k [m^4]; a patch whose cells are the gradient of that.
double carom_contact_risen(const caromTouch *touch, double energy);
void carom_contact_patch(const caromModel *model, const caromKin *kin, int pair, const caromTouch *touch,
                         caromPatch *patch);
double carom_contact_normal_energy(const caromPairLaw *law, const caromTouch *touch, double depth);  // of a point [J]
// Of a patch that presses with an elastic force in all at a largest depth: D = impact + z rest, z the part of critical
// damping at a speed [N s/m].
typedef struct caromDamper {
    double impact, rest;
} caromDamper;
caromDamper carom_contact_normal_damper(const caromPairLaw *law, const caromTouch *touch, double time, double elastic,
                                        double depth);
// z at speeds that are not rest
double carom_contact_normal_fast_ratio(const caromModel *model, const caromPairLaw *law);
// z: rest_damping at speeds far below v_small, `fast` far above.
static inline double carom_contact_rest_ratio(const caromModel *model, double fast, double speed)
{
    double v = model->settings.v_small;
    return fast + (model->settings.rest_damping - fast)*v*v/(v*v + speed*speed);
}
double carom_contact_own_force(const caromPairLaw *law, double depth, double speed);  // of a law of one's own [N], >= 0

// From 0 to 1 between 0 and 1, with slope 0 at both ends.
static inline double carom_contact_smooth_step(double x)
{
    return x >= 1.0 ? 1.0 : x*x*(3.0 - 2.0*x);
}

// Of a face whose stiffness refers to the length l: l = 0.877 sqrt(area) (docs/contact.md) [m^2].
static inline double carom_contact_face_area(double length)
{
    double width = length/CAROM_CONTACT_FACE_LENGTH;
    return width*width;
}

// friction.c
static inline bool carom_contact_law_has_friction(const caromPairLaw *law)
{
    return law->static_friction > 0.0;
}
double carom_friction_coefficient(const caromPairLaw *law, double slip, double v_small);  // mu at a slip speed

// A friction law; each is a file friction_<law>.c. A law without states acts on each cell of a patch by its slip, one
// with states on the whole patch of a touch; touches without friction have no states, and cells in any case.
typedef struct caromCellFriction {
    double per_speed;        // force against the slip over its speed [N s/m]
    double steepest;         // d(force)/d(slip) that an explicit step has to resolve, for a ball that can turn [N s/m]
} caromCellFriction;
typedef struct caromFrictionSpread {  // how the pressure of a patch lies about its centre
    double arm;                      // mean distance [m]
    double area;                     // of a rectangle with the same spread [m^2]
} caromFrictionSpread;
typedef struct caromFrictionPatch {  // what the friction of a whole patch sees
    const caromContactPair *of;
    const caromKin *kin;
    const caromPatch *patch;         // without cells: nothing presses, and only of, kin and patch are given
    caromVec3 normal;                // N, from A into B
    caromVec3 centre;                // of pressure
    double own;                      // part of it in which each cell goes by its own normal, 0 to 1
    double elastic, pressing;        // force of all cells, without and with damping [N]
    caromFrictionSpread spread;
} caromFrictionPatch;
typedef struct caromFrictionForce {
    caromSpatial wrench;             // on B, at the centre of pressure
    double lost;                     // power [W], >= 0
    double rate;                     // fastest natural rate [1/s]
} caromFrictionForce;
typedef struct caromFrictionRow caromFrictionRow;
struct caromFrictionRow {
    caromFrictionInfo info;
    const caromFrictionRow *rigid;   // the law that rigid bodies have in its place
    bool is_sharp;                   // of rigid bodies: sticking and sliding are modes, and not regularised
    caromCellFriction (*cell)(const caromPairLaw *law, double pressing, double slip, double v_small);
    // Of each touch with friction, at most CAROM_BRISTLE_STATES; 0: none, and none of what follows.
    int states;
    // Sets what a new touch remembers, `tangential` > 0 of it.
    void (*begin)(const caromModel *model, int pair, caromTouch *touch);
    // Of the patch's of, patch, normal, centre and own only: the same whatever moves.
    caromFrictionSpread (*spread)(const caromFrictionPatch *p);
    caromFrictionForce (*patch)(const caromFrictionPatch *p, double *dz);
    double (*energy)(const caromTouch *touch, const double *z);           // stored [J]
};
// The two that rigid bodies can have.
extern const caromFrictionRow carom_contact_friction_smooth, carom_contact_friction_sharp;
const caromFrictionRow *carom_contact_friction_row(const caromModel *model);
caromCellFriction carom_contact_friction_regularised(const caromPairLaw *law, double pressing, double slip,
                                                     double v_small);

// bristle.c
// What a new touch with friction has of bristles.
void carom_contact_bristle_begin(const caromModel *model, int pair, caromTouch *touch);
typedef struct caromGrip caromGrip;
typedef struct caromBristleLoad {  // what acts on the bristles of a pair
    caromVec3 normal;              // N, from A into B
    double arm;                    // of spinning about N: torque over force at the limit [m]
    double own;                    // part of it in which each cell goes by its own normal, 0 to 1
    const caromGrip *grip;         // what they make together; NULL where own is 0
    caromSpatial velocity;         // of B against A at the centre of pressure, in W
    caromVec3 turning;             // mean angular velocity of A and B [rad/s]
    double fn;                     // pressing on them [N]
    double stiffness;              // tangential, of the contact as it is [N/m]
} caromBristleLoad;
typedef struct caromBristleForce {
    caromSpatial wrench;           // on B, at the centre of pressure
    double lost;                   // power [W], >= 0
} caromBristleForce;
caromBristleForce carom_contact_bristle_force(const caromModel *model, const caromPairLaw *law, const caromTouch *touch,
                                              const caromBristleLoad *load, const double *z, double *dz);
double carom_contact_bristle_energy(const caromTouch *touch, const double *z);     // stored [J]
// Fastest natural rate, of a ball that can turn [1/s].
double carom_contact_bristle_rate(const caromModel *model, const caromTouch *touch, double stiffness);

// grip.c. Friction of cells that look into many directions.
struct caromGrip {
    const caromPairLaw *law;
    const caromTouch *touch;
    const caromPatch *patch;
    caromVec3 centre;
    double length;                 // that goes with angles [m]
    double arm;                    // of torsion of a point [m]
    double axis[6][6];             // e_j
    double sigma[6];               // roots of the eigenvalues of K
    double held[6];                // from 0 in directions in which nothing slips to 1
};
caromGrip carom_contact_grip_of(const caromPairLaw *law, const caromTouch *touch, const caromPatch *patch,
                                caromVec3 centre, double arm);
caromSpatial carom_contact_grip_bend(const caromGrip *grip, caromSpatial V);  // U = A V of a twist
caromSpatial carom_contact_grip_wrench(const caromGrip *grip, caromSpatial F);  // A^T F
// Without what stands in directions in which nothing slips.
caromSpatial carom_contact_grip_held(const caromGrip *grip, caromSpatial Z);
// Angular speed of what turns without slip [rad/s].
double carom_contact_grip_rolling(const caromGrip *grip, caromSpatial V);
// Mean over root mean square of the slips that bend by P.
double carom_contact_grip_evenness(const caromGrip *grip, caromSpatial P);

// Limits of joints. Gap [rad or m] and its rate.
double carom_contact_limit_gap(const caromModel *model, int limit, const double *q, const double *v, double *rate);
double carom_contact_limit_small_speed(const caromModel *model, int limit);  // v_small or w_small
// start.mass: what the coordinate feels of inertia, [kg] or [kg m^2]; INFINITY: it is held.
void carom_contact_limit_begin(const caromModel *model, caromContactMemory *memory, int limit, caromTouchStart start);
void carom_contact_limit_end(caromContactMemory *memory, int limit);
// Of an impact on one that is active, half a period of its spring [s]; INFINITY: it is held.
double carom_contact_limit_duration(const caromModel *model, const caromContactMemory *memory, int limit);
typedef struct caromLimitState {
    double time;
    const double *q, *v;
} caromLimitState;
typedef struct caromLimitForce {
    double force;  // on the coordinate, away from the limit, >= 0 [N or N m]
    double power;  // dissipated [W]
    double rate;   // natural, the fastest [1/s]
} caromLimitForce;
caromLimitForce carom_contact_limit_force(const caromModel *model, const caromContactMemory *memory, int limit,
                                          caromLimitState at);
// Adds those of all to tau; powers as a sum.
caromLimitForce carom_contact_limit_forces(const caromModel *model, const caromContactMemory *memory,
                                           caromLimitState at, double *tau);
double carom_contact_limit_energy(const caromModel *model, const caromContactMemory *memory, const double *q,
                                  const double *v);

typedef struct caromContactTotals {
    double damping, friction, rolling;  // power dissipated [W], >= 0
    // Fastest natural rate of the contacts [1/s]: what an explicit step has to resolve.
    double rate;
    int too_deep;                       // a pair deeper than any force holds; -1: none
    int no_force;                       // a pair whose own law gives no finite number; -1: none
} caromContactTotals;

// The state at which forces are asked for.
typedef struct caromContactState {
    const caromKin *kin;
    double time;
    const double *z;         // of bristles; NULL where there are none          [CAROM_BRISTLE_STATES nslot]
} caromContactState;

// Adds the wrenches of all active pairs to F_C: torque about the centre of mass and force, in W [nbody]. dz: rates of
// the bristles; NULL: nobody asks for them.
caromContactTotals carom_contact_forces(const caromModel *model, const caromContactMemory *memory,
                                        const caromContactState *at, caromSpatial *F_C, double *dz);
caromContact carom_contact_resultant(const caromModel *model, const caromContactMemory *memory,
                                     const caromContactState *at, int pair);
typedef struct caromPush {
    double fn, depth;  // [N], [m]
} caromPush;
// Of that only how it presses: friction, which has no part in it, is not asked for.
caromPush carom_contact_push(const caromModel *model, const caromContactMemory *memory, const caromContactState *at,
                              int pair);

// One pair that touches, wherever its bodies are.
struct caromContactPair {
    const caromModel *model;
    const caromTouch *touch;
    int pair;
    double time;
    const double *z;         // states of its bristles; NULL: it has none       [CAROM_BRISTLE_STATES]
};

// Dampers of a patch over its elastic force [s/m], and z of a contact that lasts and is hit.
typedef struct caromCellDamping {
    double impact, rest, fast;
} caromCellDamping;
// Of the elastic force, that is added to it; >= -1.
double carom_damping_part(const caromModel *model, const caromCellDamping *c, double approach);
// How the cells of a patch, of which there are some, are damped: along N, or in part (0 to 1) each along its own
// normal.
typedef struct caromPatchDamping {
    caromVec3 normal;
    double own;
    double pitch;  // of a thread: approach along N includes so much of the turning about it [m]
    caromCellDamping c;
} caromPatchDamping;
caromPatchDamping carom_contact_damping(const caromContactPair *of, const caromKin *kin, const caromPatch *patch);

// pressure.c. Every bit of the surface over which an active pair presses, in a fixed order; returns how many, 0 where
// it touches in points. contact: its resultant.
int carom_contact_pressure(const caromModel *model, const caromContactMemory *memory, const caromContactState *at,
                           const caromContact *contact, caromPressureVisitor visit, void *user);
// Stored elastically [J].
// Stored by one pair, without its bristles [J].
double carom_contact_pair_energy(const caromModel *model, const caromKin *kin, const caromTouch *touch, int pair);
double carom_contact_energy(const caromModel *model, const caromKin *kin, const caromContactMemory *memory,
                            const double *z);

// What one pair does when its patch is known: for those who ask again and again while only velocities or bristles
// change.
typedef struct caromPairAction {
    caromSpatial on[2];       // wrench on A and on B about their centres of mass, in W
    caromVec3 normal, centre; // N and the centre of pressure; zero where the patch is empty
    double power[3];          // dissipated by damping, friction, rolling [W]
} caromPairAction;
// What the cells of a patch add up to, whatever moves. Of a patch that presses.
typedef struct caromPatchLoad {
    caromVec3 normal;                // N: mean normal of the patch, from A into B
    caromVec3 centre;                // of pressure
    double pitch;                    // moment of the elastic forces along N over their sum [m]
    double own;                      // part of it in which each cell is damped and rubs by its own normal, 0 to 1
    double elastic;                  // force along N, or that of all together [N]
    caromVec3 force, torque;         // sum of the elastic forces, on B, and their moment about the centre [N], [N m]
    caromFrictionSpread spread;      // where friction has states
} caromPatchLoad;
caromPatchLoad carom_contact_load(const caromContactPair *of, const caromKin *kin, const caromPatch *patch);
// load: of this patch; NULL: it is found. The same below.
caromPairAction carom_contact_action(const caromContactPair *of, const caromKin *kin, const caromPatch *patch,
                                     const caromPatchLoad *load, double *dz);
// What friction that has states sees of the cells: all that it asks for when only its states change.
caromFrictionPatch carom_contact_friction_patch(const caromContactPair *of, const caromKin *kin,
                                                const caromPatch *patch, const caromPatchLoad *load);

// slope.c. How the action of a pair changes with the motion of its bodies, by differences.
// Changes for the difference quotients, of B against A; negative ones go against the motion.
typedef struct caromPairChange {
    // Small against what forces bend over, large against rounding of a point as far from the contact as the bodies are
    // large.
    double length, angle;
    double speed, spin;
    const double *z;              // of bristles; NULL: there are none                [CAROM_BRISTLE_STATES]
    double time;                  // 0: nothing is being forgotten
} caromPairChange;
// Rows: wrench on A and on B about their centres of mass, angular and linear, in W; power of damping, friction,
// rolling; rates of the bristles. Columns: pose of A and of B, a small turn and shift with the centre of mass, in W;
// then their velocities, angular and of the centre of mass; then bristles; then time, in which an impact is forgotten.
// Those of fixed bodies are without meaning.
enum { CAROM_SLOPE_POWER = 12, CAROM_SLOPE_RATE = 15, CAROM_SLOPE_ROWS = CAROM_SLOPE_RATE + CAROM_BRISTLE_STATES };
enum { CAROM_SLOPE_VELOCITY = 12, CAROM_SLOPE_BRISTLE = 24, CAROM_SLOPE_TIME = CAROM_SLOPE_BRISTLE +
       CAROM_BRISTLE_STATES, CAROM_SLOPE_COLUMNS };
typedef struct caromPairSlope {
    caromPairAction action;
    double d[CAROM_SLOPE_ROWS][CAROM_SLOPE_COLUMNS];
    int npatch, naction;          // how often patch and forces were found
} caromPairSlope;
// kin is changed in places of the pair's own, and left as it was.
void carom_contact_slope(const caromContactPair *of, const caromPairChange *change, caromKin *kin,
                         caromPairSlope *slope);
bool carom_contact_slope_is_finite(const caromPairSlope *slope);

// Deeper than this the law has lost its meaning: a face would leave through the other side, a centre pass
// through a surface [m]. With contact.too_deep: error a run stops there.
bool carom_contact_is_driven(const caromModel *model);  // by motions that are prescribed
double carom_contact_depth_limit(const caromModel *model, int pair);
// Of the thickness of the thinner shape; from CAROM_CONTACT_DEEP_PART on it is worth a warning.
double carom_contact_depth_part(const caromModel *model, int pair, double depth);

// v when fast; below v_small a cubic that ends at v_small/3, so that v/reg is smooth and 0 at rest.
double carom_contact_regularized(double v, double v_small);

#endif
