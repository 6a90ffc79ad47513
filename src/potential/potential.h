// potential.h -- velocities of bodies that press and rub on each other, as the minimum of one convex function.
//
//     V = argmin  1/2 (V - V^).M (V - V^) + sum of phi(x),      x = J (V_B - V_A)
//
// V^ is where bodies would get to by the end of a stretch of time without contacts. A contact is made of parts, each of
// which sees the relative velocity x of B against A in one direction, or in three, and answers with an impulse
// -dphi/dx that never grows with x: depths at the end of the stretch, dampers and friction are all of that kind. So
// the function is strictly convex, there is one V, and Newton's method with a search along its steps finds it from
// anywhere, however many bodies there are. Cost grows with bodies and contacts: the matrix has a block for each body
// and each pair of bodies that touch, and is solved in the order of least work (math/block_lu.h).
//
//     press   impulse T (K s^p max(0, 1 - c x) + F max(-1, -c_F x)) along one direction, s = max(0, d - (T + b) x) the
//             depth at the end of T, and by a damper: both factors of the first fall with x and are >= 0, and so does
//             their product
//     rub     impulse against x = turn w + shift v + start of the size psi(|x|), psi rising from 0
//
// In:    bodies: mass, inertia, V^; contacts with their parts. All at one pose.
// Out:   V, and what each contact did.
// Promise: solve allocates nothing, memory grows with the largest pile so far; fixed order of bodies, contacts,
//          elimination: same input, same bits.
// Not here: time, poses, shapes, materials. Forces that do not fall with x are held by whoever asks, and renewed.
#ifndef CAROM_SRC_POTENTIAL_H
#define CAROM_SRC_POTENTIAL_H

#include <stddef.h>

#include "carom/math.h"
#include "math/block_lu.h"

typedef struct caromPotentialBody {
    double mass;            // [kg] > 0
    caromMat3 inertia;      // about the centre of mass [kg m^2]
    caromSpatial free;      // V^, at the centre of mass; of one that is held its velocity
    bool is_held;           // by what is stronger: its velocity is given
    caromSpatial V;         // out; in: where to begin
} caromPotentialBody;

typedef struct caromPress {
    caromSpatial along;     // x = along . (w, v) of B against A at the point of the contact [m/s]
    double depth;           // when x is 0 [m]
    double stiffness, power;  // K [N/m^p], p >= 1
    double damping;         // c >= 0 [s/m]
    double delay;           // of a damper beside the spring, its coefficient over K [s]
    double held, held_damping;  // F [N] and c_F [s/m], >= 0
} caromPress;

// psi [N] of a size [m/s], and its slope >= 0 [N s/m], of a law with so many numbers of its own.
enum { CAROM_RUB_NUMBERS = 4, CAROM_POTENTIAL_TRIANGLE = 21 };
typedef double (*caromRubForce)(const double *numbers, double size, double *slope);

typedef struct caromRub {
    caromMat3 turn, shift;  // x = turn w + shift v + start [m/s]
    caromVec3 start;
    caromRubForce force;
    double numbers[CAROM_RUB_NUMBERS];
    double squares[CAROM_POTENTIAL_TRIANGLE];  // (turn, shift)^T (turn, shift), once it is added
} caromRub;

typedef struct caromPotentialContact {
    int body[2];            // A, B
    caromVec3 lever[2];     // from their centres of mass to the point of the contact [m]
    int press, npress;      // its parts
    int rub, nrub;
    caromSpatial impulse;   // out: on B at the point [N s]
} caromPotentialContact;

typedef struct caromPotential {
    double time;            // T [s]
    double softness;        // sizes of slip are counted as so much of themselves while solve is on its way, else 1
    int nbody, ncontact, npress, nrub;
    caromPotentialBody *bodies;
    caromPotentialContact *contacts;
    caromPress *press;
    caromRub *rub;
    size_t room_bodies, room_contacts, room_press, room_rub;
    // Nodes are bodies that are not held. Velocities are counted in sqrt(mass) and sqrt(mass) times a radius of
    // inertia, so that the matrix of a body alone is near 1.
    int *node;              // of each body; -1: held                             [nbody]
    double *scale;          // of rows                                            [6 nodes]
    double *step, *slope;   // [6 nodes]
    caromSpatial *V;        // where a step began                                 [nbody]
    caromBlocks H;          // less 1
    caromBlockLu lu;
} caromPotential;

typedef struct caromPotentialResult {
    int iterations, searches;  // of Newton, and how many of them took a part of their step
    double left;               // size of the last step [m/s]
    bool is_found;
} caromPotentialResult;

// So many bodies, zeroed, and no contacts. False, here and below: out of memory.
bool carom_potential_begin(caromPotential *p, int nbody);
bool carom_potential_add_contact(caromPotential *p, const caromPotentialContact *contact);
bool carom_potential_add_press(caromPotential *p, const caromPress *press);  // a part of the contact added last
bool carom_potential_add_rub(caromPotential *p, const caromRub *rub);        // likewise
void carom_potential_free(caromPotential *p);
// After bodies and contacts are set: which know each other. False: out of memory.
bool carom_potential_prepare(caromPotential *p);
// From bodies[].V on, until a step is less than `enough` [m/s].
caromPotentialResult carom_potential_solve(caromPotential *p, double enough);

// parts.c. What the parts of a contact do at a relative twist: impulse on B at the point, and -d(impulse)/d(twist),
// rows and columns angular, then linear; NULL: nobody asks.
caromSpatial carom_potential_parts(const caromPotential *p, const caromPotentialContact *contact, caromSpatial V,
                                   double G[36]);
void carom_potential_set_squares(caromRub *rub);
double carom_potential_press(const caromPress *press, double time, double x, double *slope);  // slope: -d/dx

#endif
