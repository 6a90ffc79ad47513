// scales.h -- the constants of this room, each with what chose it. What tolerances are made of: tolerances.c.
//
// "Runs" are 91 short example runs in both responses, one constant changed at a time: to a third and three times of it,
// counts to half and double. Numbers are sums over the 77 that finish; many impacts are chaotic, 1 % says nothing.
#ifndef CAROM_SRC_MOTION_SCALES_H
#define CAROM_SRC_MOTION_SCALES_H

// The first step into a touch, as a part of the time that its impact takes: the beginning is resolved without
// rejections. Runs: evaluations within 0.5 % with a third and three times of it; with three times the imbalance of a
// single impact is 7 times as large.
#define CAROM_FIRST_STEP 0.02

// Least tolerance of a coordinate, in roundings: below, the error estimate sees rounding and steps stop growing. In a
// contact that lasts rounding of the depth makes friction noisy, which nothing damps (a box on a plane that is tilted:
// 57,000 steps with 30, some 100 with 1e4; one put down on bristles at tolerance 1e-10: 67,000 against 577).
#define CAROM_MOTION_ROUNDINGS 30.0
#define CAROM_MOTION_LASTING_ROUNDINGS 1e4
// Of depth and speed: the most that a contact that lasts may be off (three blocks put down on bristles: 936 steps in
// 10 s without, 196 with at a tenth of critical damping). Runs: up to ten change, one by 13 % more evaluations with a
// third and 7 % less with three times of it, imbalance at most by a quarter.
#define CAROM_MOTION_LASTING_PART 0.003

// Of the root of the tolerance: bristles of contacts that stay, over the depth, 1e-5 at tolerance 1e-6. A random scene
// with an ellipsoid that rolls and spins takes 0.6 of the time, four others 0.65 to 1.
#define CAROM_MOTION_BRISTLES_PART 1e-2

// What a step moves is motion, along which the Jacobian is made right, from so many tolerances on and at the latest
// from so many depths on. A block on a slope, tilted so far that part of its face is lifted, moved by 9000 tolerances
// of 1e-4 in steps of 40 us: taken for rest, its Jacobian was 60 times off along the motion, and the errors of this
// held the steps where they were (6 million evaluations in 11 s, now 555). With 1e6 tolerances a block that slides down
// on bristles never got beyond 4 us.
#define CAROM_MOTION_FAR 1e4
#define CAROM_MOTION_FAR_DEPTHS 0.01

// Part of the depth over which the force of a face does not bend; a face that is lifted in part does, over less than
// the depth expected (dice at rest: 0.02 of it took 3.5 times the evaluations of 1e-4).
#define CAROM_MOTION_STRAIGHT 1e-4

// Of the tolerance, where impacts are instants. Energy of round bodies that roll and spin, imbalance over tolerance
// with 1, with it and with 0.03: a cone 24, 0.34, 0.08; an ellipsoid 21, 2.3, 0.6; a capsule 41, 0.5, 0.1; an
// ellipsoid in flight, 50 turns, 13, 1.5, 0.4. Evaluations with it: 0.4 to 1.25 times as many, since friction chatters
// less.
#define CAROM_MOTION_IMPACTS_PART 0.1

// Of v_small: velocities where friction acts are controlled to this, an error larger than the speed at which friction
// turns round makes it chatter (slip of 4e-3 m/s that never dies, 3 times the steps). Runs: three times of it makes the
// imbalance of one 20 times as large, a third takes up to 27 % more evaluations. Friction bends over v_small itself.
#define CAROM_MOTION_SLIP_ERROR 0.1
#define CAROM_MOTION_SLIP_BEND (1.0/CAROM_MOTION_SLIP_ERROR)

// A gentle touch does not ask for more of a fast body than this part of what its flight asks for. Runs: 20 change, by
// 2 % more evaluations and 0.9 of the imbalance with a third of it, 2 % less and 1.1 with three times.
#define CAROM_MOTION_GENTLE 0.01
// Of the tolerance, at a limit: a rotor between two stops meets them hundreds of times and every error goes the same
// way. 86 rebounds, tolerance 1e-4: imbalance 1.9e-4 with a third, 4.8e-4 with it, 1.4e-3 with three times, 2.8e-3 with
// 1, for 10,600, 9000, 7000 and 7500 evaluations. No run changes.
#define CAROM_MOTION_LIMIT_PART 0.1
// Compliance of a mechanism over that of the body alone, below which it is rounding: joints or prescribed
// motions hold the body.
#define CAROM_MOTION_HELD 1e-12

#endif
