// scales.h -- the numbers that contact has decided on, each with its reason.
//
// Numbers of a derivation (3.5 of a ball that can turn, 1.5 of Hertz) stand where it is.
#ifndef CAROM_SRC_CONTACT_SCALES_H
#define CAROM_SRC_CONTACT_SCALES_H

// ---- restitution and damping

// Least restitution that damping is computed for [Modia3D]: at 0 the exact law has c v0 infinite, here it is 1000.
#define CAROM_CONTACT_RESTITUTION_MIN 0.001
// What is left at v_small of the way from the least restitution to the one asked for [Modia3D].
#define CAROM_CONTACT_RESTITUTION_LEFT 0.01
// A law of the speed that reaches 1 for slow touches is held this far below 1, so that they come to rest.
#define CAROM_CONTACT_RESTITUTION_BELOW_ONE 1e-6
// Damping of slow impacts is limited so that surfaces do not creep apart [Modia3D]: never above what an impact at
// v_small needs [s/m].
#define CAROM_CONTACT_DAMPING_MAX 1000.0

// An impact is over after some times what it takes without damping, and one with little restitution leaves slowly: at
// e v0. The tests that ask for e to 1e-6 run with both.
#define CAROM_CONTACT_LONGEST_IMPACT 3.0
#define CAROM_CONTACT_SLOWEST_EXIT 2.0
// Of laws that ask for no restitution: what they measure is an impact up to 23 times what it takes without damping.
#define CAROM_CONTACT_UNKNOWN_RESTITUTION 0.1
// In so many durations of the impact its memory fades by 1/e, slowly against the contact that goes on; it is
// forgotten after so many of those times: exp(-4^2) = 1e-7 is what the force then jumps by.
#define CAROM_CONTACT_FORGETTING 10.0
#define CAROM_CONTACT_FORGOTTEN 4.0

// Newton's method on L(x) converges quadratically: the change after one of this part is below rounding.
#define CAROM_CONTACT_LANGEVIN_CHANGE 1e-9

// ---- stiffness

// l = 0.877 sqrt(area) of a face: k = E*/l then has the stiffness of a rigid flat punch, 1.14 E* sqrt(area)
// [Johnson85].
#define CAROM_CONTACT_FACE_LENGTH 0.877
// Ratio of curvatures up to which an ellipse of contact is told from a line.
#define CAROM_CONTACT_ELLIPSE_LONGEST 1e8
// The arithmetic-geometric mean and Newton's method both converge quadratically: squared this is rounding.
#define CAROM_CONTACT_ELLIPSE_CHANGE 1e-8
// A depth below that of any contact [m], doubled and halved so often: 1e-9 2^60 m is beyond any body, 2^-60 below
// rounding.
#define CAROM_CONTACT_OWN_DEPTH_FIRST 1e-9
enum { CAROM_CONTACT_OWN_DEPTH_STEPS = 60 };

// What a pressure like d^3 takes up too little, 1.06 of a line, as it is computed between 0.91 of a tip and 1.16 of a
// slender ellipse.
#define CAROM_CONTACT_SPREAD_SHAPE 1.1
// The depth of an impact is sought until its energy is met so closely, by energies that grow with powers of 2.1 to 3 of
// the depth: a guess that is off by a factor x is off by x^0.25 after a step.
#define CAROM_CONTACT_SPREAD_CLOSE 0.01
#define CAROM_CONTACT_SPREAD_POWER 0.4
enum { CAROM_CONTACT_SPREAD_STEPS = 8 };
// The power with which energy rises is found between the depth of the impact and that of hard bodies under load, as a
// part of their half thickness, or this many times more or less where both are close. A load that is put on slowly then
// is within 10 % of that of a line over three decades, and so is one that is less than that of the impact.
#define CAROM_CONTACT_USUAL_DEPTH 1e-4
#define CAROM_CONTACT_RISE_SPAN 10.0

// ---- depth

// A place that gives way further than a face is looked for at depths each so many times the last, so often at most: 16
// million times as deep. The power with which energy grows is 4 at most, of a corner.
#define CAROM_CONTACT_GIVE_STEP 4.0
enum { CAROM_CONTACT_GIVE_STEPS = 12 };
#define CAROM_CONTACT_GIVE_POWER 4.0

// Part of half the thickness of the thinner shape. A face at more than that is about to leave through the other side;
// a point only has to stay on its side of a centre.
#define CAROM_CONTACT_FACE_DEPTH_MAX 0.3
#define CAROM_CONTACT_POINT_DEPTH_MAX 0.9
// Of the thickness: deeper the law is a guess, of a face as above, of a point since Hertz takes the ellipse for small,
// which at this depth is as wide as half of a ball.
#define CAROM_CONTACT_DEEP_PART 0.15
// Times the force of the law where it begins to be stiffened: a thousand times the energy that the law stands for,
// which no impact has. Motions that are prescribed bring up any.
#define CAROM_CONTACT_FORCED 1e4
// A trial state of a step that will be rejected may be deeper: beyond the limit by this factor there is no force.
#define CAROM_CONTACT_TRIAL_DEPTH 1.5
// With less than this of the force that acts, corners of a surface tell too little of a damper that lets go: pressure
// is elastic then, scaled to the force.
#define CAROM_CONTACT_PRESSURE_LEAST 0.5

// Roundings of its cells, and of their places, within which a component of the force of a patch, or its torque, is
// none.
#define CAROM_CONTACT_FORCE_ROUNDINGS 16.0

// ---- friction

// mu is mu_s up to v_small, where the regularised force has its peak, and mu_k from this many times v_small on.
#define CAROM_CONTACT_SLIDES 10.0
// R = |sum f n|/sum f from which on cells go by the mean normal, and the width of the change to each by its own.
// Faces of a convex patch have R >= 1/sqrt(3), at the corner of a cube; points are contacts of their own.
#define CAROM_CONTACT_FACES_AGREE 0.5
#define CAROM_CONTACT_FACES_WIDTH 0.2
#define CAROM_CONTACT_POINTS_WIDTH 0.1
// Eigenvalues of K (grip.c) from which a direction counts in full: a friction of 0.01 mu sum f.
#define CAROM_CONTACT_HELD_FROM 1e-4

// Half width of the change from sticking to sliding, part of the limit mu fn.
#define CAROM_CONTACT_BRISTLE_BEND 0.1
// Part of critical damping of bristles while surfaces move faster than v_small; at rest it is rest_damping. Ten
// blocks put down on bristles need 5500 steps in a minute with 0.1 at rest, too, and 820 with 1.
#define CAROM_CONTACT_BRISTLE_FAST_RATIO 0.1
// T as a part of what the spring of the bristles and the mass take: about as fast as the contact itself, so that
// explicit methods can follow. A ball then rolls down a slope with 5/7 g sin to 6e-6.
#define CAROM_CONTACT_BRISTLE_LETTING_GO 0.3
// What is taken along per angle that rolls between cells of different normals (bristle.c).
#define CAROM_CONTACT_BRISTLE_ROLLED_OVER 3.0
// s0^2 at least: where nothing presses any more bristles are let go within 100 T.
#define CAROM_CONTACT_BRISTLE_SOFTEST 1e-4
// Pairs may be millions, those that touch at once are few for each shape: so many slots for each, and for few shapes.
enum { CAROM_CONTACT_SLOTS_PER_SHAPE = 8, CAROM_CONTACT_SLOTS_MORE = 16 };

// ---- the contact world

// Rounding of a gap, a difference of coordinates, and of a time, a sum of offsets, in roundings of the largest.
#define CAROM_CONTACT_GAP_ROUNDINGS 16.0
#define CAROM_CONTACT_TIME_ROUNDINGS 8.0

// A contact that lasts is taken for another one when it presses over so many times the area. Cans that stand on each
// other after they came down on their rims (tests/contact/test_lines.c).
#define CAROM_CONTACT_WIDER 8.0

#endif
