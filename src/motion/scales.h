// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_MOTION_SCALES_H
#define CAROM_SRC_MOTION_SCALES_H

// The first step into a touch, as a part of the time that its impact takes: the beginning is resolved without
// rejections.
#define CAROM_FIRST_STEP 0.02

// Least tolerance of a coordinate, in roundings: below, the error estimate sees rounding and steps stop growing. In a
// contact that lasts rounding of the depth makes friction noisy, which nothing damps (a box on a plane that is tilted:
// 57,000 steps with 30, some 100 with 1e4).
#define CAROM_MOTION_ROUNDINGS 30.0
#define CAROM_MOTION_LASTING_ROUNDINGS 1e4
// Of depth and speed: the most that a contact that lasts may be off (three blocks put down on bristles: 936 steps in
// 10 s without, 196 with).
#define CAROM_MOTION_LASTING_PART 0.003

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

// Of v_small: velocities where friction acts are controlled to this, an error larger than the speed at which friction
// turns round makes it chatter (slip of 4e-3 m/s that never dies, 3 times the steps). Forces of friction bend over
// ten times that, v_small.
#define CAROM_MOTION_SLIP_ERROR 0.1
#define CAROM_MOTION_SLIP_BEND (1.0/CAROM_MOTION_SLIP_ERROR)

// A gentle touch does not ask for more of a fast body than this part of what its flight asks for.
#define CAROM_MOTION_GENTLE 0.01
// Of the tolerance, at a limit: a rotor between two stops meets them hundreds of times and every error goes the same
// way.
#define CAROM_MOTION_LIMIT_PART 0.1
// Compliance of a mechanism over that of the body alone, below which it is rounding: joints or prescribed
// motions hold the body.
#define CAROM_MOTION_HELD 1e-12

#endif
