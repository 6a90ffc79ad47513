// scales.h -- the small numbers by which the narrow phase decides.
//
// Lengths are parts of the scale of a pair: its sizes and its distance together. A coordinate in it is known to
// DBL_EPSILON = 2.2e-16; rotations, support mappings and differences add up to some tens of that.
#ifndef CAROM_SRC_NARROW_SCALES_H
#define CAROM_SRC_NARROW_SCALES_H

// 45 roundings: what a witness point has gone through on its way into W. Added to every error.
#define CAROM_NARROW_POSITION            1e-14
// The square of that: nearer to the origin than this a simplex touches it.
#define CAROM_NARROW_POSITION2           1e-28
// 450 roundings: lengths found in two ways that differ by less are one. So docs/collision.md promises it.
#define CAROM_NARROW_SAME                1e-13
// A solution for features holds if its conditions do to this: ten times SAME, so that no right one is refused.
#define CAROM_NARROW_SOLVED              1e-12
// Beyond doubt: a thousand times SAME. What decides on its own (the walk on overlap, a neighbour left behind) is
// clear by this.
#define CAROM_NARROW_CLEAR               1e-10
#define CAROM_NARROW_PRECISE             1e-9   // the promise of CAROM_GAP_OK in carom/collide.h
// Sizes whose products of four, 1e-240 to 1e240, stay within the range of double.
#define CAROM_NARROW_SHORTEST            1e-60
#define CAROM_NARROW_LONGEST             1e60
// Squares of lengths outside of these may have lost digits below 1e-308 or be infinite: then they are scaled first.
#define CAROM_NARROW_SQUARE_LEAST        1e-280
#define CAROM_NARROW_SQUARE_MOST         1e280
// Matrices of other codes are off by what their integration leaves; one that was not filled, or scaled, or mirrored, by
// more.
#define CAROM_NARROW_ROTATION_OFF        0.01
#define CAROM_NARROW_TINY                1e-300  // keeps 0/0 out of shares; far below the square of anything

// Plane faces.
// Nearer than this a line from a vertex is known in direction to SAME/CLOSE = 1e-9 only: the bound along it is asked
// as well.
#define CAROM_NARROW_CLOSE               1e-4
// Remembered features are not asked closer than this: the line between their points would have half of its digits.
#define CAROM_NARROW_APART               1e-9
// A point this far inside an edge or face counts as inside for certain: the effect on the distance is its square,
// SOLVED.
#define CAROM_NARROW_CORNER              1e-6
// Sine below which two edges give no normal: it would have fewer than half of its digits.
#define CAROM_NARROW_PARALLEL            1e-9
#define CAROM_NARROW_PARALLEL2           1e-20  // the square of a sine (1e-10) below which lines have no crossing
// Parts of an edge by which a solution may lie beyond its end: put on the end, it is off by the square.
#define CAROM_NARROW_BEYOND              1e-9
// 8 degrees: a better normal is looked for no farther from the one that is known.
#define CAROM_NARROW_LEAN_COS            0.99

// Curved faces: Newton on the normal.
// Sine below which a direction along the axis of a frustum has no side.
#define CAROM_NARROW_ON_AXIS             1e-12
// Closed forms of small systems are used down to this determinant, where half of the digits are left; below it,
// elimination.
#define CAROM_NARROW_REGULAR             1e-8
#define CAROM_NARROW_REGULAR2            1e-16  // the square of that
#define CAROM_NARROW_CROSSING            1e-6   // the same for two segments, by the sine between them;
#define CAROM_NARROW_CROSSING2           1e-12  // and its square, by the product of both
// Pivots smaller than this part of the first are rounding: the rank ends there.
#define CAROM_NARROW_RANK                1e-13
#define CAROM_NARROW_STILL               4e-16  // residuals of two roundings of 1: nothing is left to solve
#define CAROM_NARROW_TURNED              1e-15  // A step of the normal [rad] of some roundings is the last
// Below the root of a rounding a step that does not shrink any more is at rounding too: the next one would be its
// square.
#define CAROM_NARROW_TURNING             1e-8

// Overlaps: the expanding polytope.
// Points this near to a plane are in it: 5 roundings at first, a hundred times as many after each failure,
#define CAROM_NARROW_SKIN                1e-15
#define CAROM_NARROW_SKIN_MOST           1e-10  // up to this: CLEAR
// A face as thin as rounding knows its distance to half of its digits.
#define CAROM_NARROW_SLIVER              1e-9
// Ends of cores that are flat to this have a common witness; the margin grows from SOLVED up to here and goes into
// the error.
#define CAROM_NARROW_FLAT_MOST           1e-6
// Depths of curved cores are proved to 0.1 % (docs/collision.md, section 3): a face that has come that near is
// explained.
#define CAROM_NARROW_PROVEN              0.999
// A face that has come this near to what it supports is worth more guesses of features.
#define CAROM_NARROW_NEARLY              0.97
#define CAROM_NARROW_NEAR_COS            0.995  // 0.1 rad: a solution within it is the one the face leads to
#define CAROM_NARROW_BESIDE_COS          0.9998  // 0.02 rad: right beside a known solution none is looked for
#define CAROM_NARROW_SAME_COS            (1.0 - 1e-12)  // 1.4e-6 rad: normals that are one solution
// Projections onto two flat ends that gain less than this in a round are as near as they come.
#define CAROM_NARROW_SLOW                0.999

// The ring of a torus.
// The search is polished once it is this near, which makes the rest of it short.
#define CAROM_NARROW_RING_ROUGH          1e-3
// Farther from the axis than this part of its mean square a bound by curvature is worth its root.
#define CAROM_NARROW_RING_AXIS           1e-3
// Sine of two tangents whose cross product tells the normal better than a difference of 16 roundings does.
#define CAROM_NARROW_RING_CROSSING       1e-7

// A place of a ring is followed from the angle at which it was found, downhill in steps that double from this [rad]:
// half of one of the sectors by which places are told (manifold/scales.h) and a little. Steps from 0.01 on passed
// over places that have the next summit within that, and found another.
#define CAROM_NARROW_RING_STEP 0.001
// and until it is so far from there.
#define CAROM_NARROW_RING_AWAY 0.35

#endif
