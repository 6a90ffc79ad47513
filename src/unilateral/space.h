// space.h -- contacts of a mechanism seen in contact space: where they are, how they move, and how they answer to
// forces.
//
// A contact is a point of a pair (manifold/manifold.h) or a joint at its limit; both have three components n, t1, t2,
// of which a limit uses the first.
//     v = J qdot,   a = J dv + J' qdot,   G = J M^-1 J^T,   L = M^-1 J^T
// With u the velocity of the point over the material, r from the link's origin to the point, a of the material:
//     d/dt v = a_B - a_A + w_B x u_B - w_A x u_A,       d/dt v_n = n . (that) + dn/dt . v
#ifndef CAROM_SRC_UNILATERAL_SPACE_H
#define CAROM_SRC_UNILATERAL_SPACE_H

#include "dynamics/dynamics.h"
#include "manifold/manifold.h"
#include "unilateral/unilateral.h"

typedef struct caromContactPoint {  // of rigid bodies: discrete state, changed at events
    caromConstraint about;
    int feature[2];
    caromMode mode;
    caromVec3 direction;      // sharp friction: of a slip that just began; 0: none
    double lag;               // and friction is against the slip of so much later [s]
    double lands;             // bounces die out, until this time [s]; NaN: they have
    double rate;              // a_n while they do [m/s^2]
    bool hops;                // or are made one by one, and this is the time of the next
    bool is_alone;            // its friction is its own, not that of a face with others
} caromContactPoint;

static inline bool carom_unilateral_point_lands(const caromContactPoint *c)
{
    return c->lands == c->lands;
}

typedef struct caromSpaceCouple {  // on B, that goes with the normal force of a contact
    caromVec3 along;          // unit, in W; 0: there is none
    double arm;               // its size over the normal force [m]
    // How B turns about `along` against A by a unit of it [1/(kg m^2)]: from carom_space_respond.
    double yield;
} caromSpaceCouple;

// Friction of a face that turns, spread over it and not at its corners: what one of these has of it.
typedef struct caromSpaceSpread {
    bool is_spread;
    double slip[2];           // mean speed of the face, along what the friction at this corner is against [m/s]
    double part;              // of mu f_n that pushes there
    double arm;               // couple about n over f_n [m]
    double share;             // mean speed of the face over that of its corners, at most 1
    caromVec3 whole;          // slip of the centre, and along n the spin times the reach [m/s]
} caromSpaceSpread;

typedef struct caromPlacedPoint {
    int link[2], body[2];     // -1: fixed; of a limit -1
    int limit;                // -1: a pair's
    // Of a limit: of its gap, times the arm by which angles count as lengths (the reach of the body) [1 or m].
    double sign;
    double g;
    caromVec3 p, n, t1, t2;   // in W
    caromTouchMotion motion;
    double v[3];
    caromVec3 w;              // how B turns against A, in W [rad/s]
    caromSpaceCouple couple;  // none, unless whoever placed it says so
    caromSpaceSpread spread;  // likewise
    bool is_there;            // the features still meet
} caromPlacedPoint;

typedef struct caromSpace {
    int room, n;
    caromPlacedPoint *points; // [n]
    double *G;                // [3n][3n]
    double *L;                // [3n][nv]
    double *H;                // what couples add to the accelerations, over normal forces [3n][n]
    bool has_couples;         // H counts
    // How velocities of points and turning, n, t1, t2 each, answer to forces and couples; of models whose pairs resist
    // turning                                                         [6n][6n]
    double *A;
    double *b;                // accelerations without contact forces     [3n]
    double *f, *a;            // for whoever computes them                 [3n]
    caromStay *stays;         //                                           [n]
    caromStayWork *work;
    caromSpatial *F_o;        // scratch                                   [nlink]
    double *tau, *dv;         // scratch                                   [nv]
} caromSpace;

// Room for n contacts; what was there is lost where it grows. False: out of memory.
bool carom_space_reserve(const caromModel *model, caromSpace *space, int n);
void carom_space_free(caromSpace *space);

// Points, frames and velocities of n <= room contacts, of bodies that kin has placed. y: coordinates, then speeds.
// False: some have no place, and g is NaN there.
bool carom_space_place(const caromModel *model, const caromKin *kin, const double *y, const caromContactPoint *contacts,
                       int n, caromSpace *space);
// Velocities only, at the speeds v of kin, of points that stay where they are placed.
void carom_space_follow(const caromModel *model, const caromKin *kin, const double *v, caromSpace *space);
// How a contact moves, in its frame, and turns, in W, with speeds dv and velocities work->acc of the links.
typedef struct caromSpaceAnswer { double v[3]; caromVec3 w; } caromSpaceAnswer;
caromSpaceAnswer carom_space_answer_of(const caromModel *model, const caromKin *kin, const caromDynWork *work,
                                       const double *dv, const caromPlacedPoint *at);
// G, L and H; after carom_dyn_articulated_factor. Overwrites work->acc.
void carom_space_respond(const caromModel *model, const caromKin *kin, caromSpace *space, caromDynWork *work);
// A, likewise.
void carom_space_respond_turning(const caromModel *model, const caromKin *kin, caromSpace *space, caromDynWork *work);
// b, after carom_dyn_articulated_solve (and carom_loops_accelerate) without contact forces, dv being what it gave.
void carom_space_accelerate(const caromModel *model, const caromKin *kin, const caromDynWork *work, const double *dv,
                            caromSpace *space);
// Adds forces f [3n], and couples, to those on the bodies about their centres of mass, and on the joints.
void carom_space_push(const caromModel *model, const caromKin *kin, const caromSpace *space, const double *f,
                      caromSpatial *F_C, double *tau);
// The same to wrenches about the origins of the links.
void carom_space_push_links(const caromModel *model, const caromKin *kin, const caromSpace *space, const double *p,
                            caromSpatial *F_o, double *tau);

// Arm by which the coordinate of a limit counts: 1, of an angle the reach of the body that it carries [m/rad].
double carom_space_limit_arm(const caromModel *model, int limit);

// For unilateral/unilateral.h, where G and b are there.
static inline caromStayProblem carom_space_problem(const caromSpace *s)
{
    return (caromStayProblem){ s->n, s->stays, s->G, s->b, s->has_couples ? s->H : NULL };
}

// Component `row` of b + G f + H f_n.
double carom_space_acceleration(const caromSpace *space, int row);

// A vector in the frame of a contact, and back.
static inline caromVec3 carom_space_vector(const caromPlacedPoint *c, const double x[3])
{
    return carom_add(carom_scale(x[0], c->n), carom_add(carom_scale(x[1], c->t1), carom_scale(x[2], c->t2)));
}

#endif
