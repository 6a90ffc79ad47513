// scales.h -- the small numbers by which moving shapes are followed.
//
// Lengths are parts of the scale of a pair: its sizes and its distance together.
#ifndef CAROM_SRC_SWEEP_SCALES_H
#define CAROM_SRC_SWEEP_SCALES_H

// Bodies that turn: gaps are asked for down to this; nearer the direction is not known well enough (narrow/scales.h:
// SAME). carom/collide.h promises 1e-12.
#define CAROM_SWEEP_NEAR                 2e-13
// Bounding spheres are this part larger: what touches within rounding is looked at.
#define CAROM_SWEEP_AROUND               1e-9
// The time at which a bound ends is found to this part of it, in at most 60 rounds.
#define CAROM_SWEEP_ROOT                 1e-12
// A step along a fixed direction that uses this much of the gap is long enough: the turning direction is not tried.
#define CAROM_SWEEP_CLOSING              0.97
// Longest turn [rad] for which the bound of a turning half-space is used, and
#define CAROM_SWEEP_TURN_PLANE           0.5
#define CAROM_SWEEP_TURN                 0.2    // of a turning direction: they are of second order in it
// Nor farther ahead than the time in which the nearest points would close the gap so many times.
#define CAROM_SWEEP_AHEAD                8.0
// A pair of nodes is left to its children when a step adds less than this to its time.
#define CAROM_SWEEP_STALLS               0.1
// The direction of a touch is that of the gap when it was still this large: small, and with half of its digits.
#define CAROM_SWEEP_BEFORE               1e-8
// Points of then are those that touch if they are this close at the touch.
#define CAROM_SWEEP_SAME                 1e-12
// Directions that lean over by this [rad], some times the root of a rounding, show what a core ends in.
#define CAROM_SWEEP_LEAN                 1e-7
#define CAROM_SWEEP_FLAT                 1e-3   // ends shorter than this, of the reach, are points
// The square of the sine (1e-3) below which two edges count as parallel.
#define CAROM_SWEEP_CROSSING2            1e-6
// Arcs of rings are halved until the time for which they are certainly clear is this part of what their middle could
// be, and so many times at most; the distance from the nearest point of all halves with each, so that 60 halvings of
// both rings are below any rounding.
#define CAROM_SWEEP_ARCS_TIGHT           0.5
enum { CAROM_SWEEP_ARCS_DEPTH = 120, CAROM_SWEEP_ARCS_MAX = 4000 };
// A direction between pieces is good enough when the walk knows the distance to this part.
#define CAROM_SWEEP_WALK                 1e-3
// 8 degrees: a better normal is looked for no farther from the line between two points.
#define CAROM_SWEEP_LEAN_COS             0.99
#define CAROM_SWEEP_GOOD                 0.999  // nor is it if that line shows this much of the distance already

#endif
