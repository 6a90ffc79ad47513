// Numbers of this room, each with its reason.
#ifndef CAROM_SRC_KINEMATICS_SCALES_H
#define CAROM_SRC_KINEMATICS_SCALES_H

// Loops count as closed when nothing is off by more than this part of the longest lever: what Newton's method reaches
// wherever a pose is not singular, and far below what a projection in the mass metric removes without a trace.
#define CAROM_KIN_CLOSED 1e-10
// The same for speeds, as a part of the fastest.
#define CAROM_KIN_CLOSED_RATE 1e-9
// A coordinate that was given may move by this when its loops close [rad; as a part of the longest lever where it is a
// length; speeds as a part of the fastest]: 0.1 rad is 6 degrees, an angle read off a sketch. The next branch of a
// linkage is farther away but near its dead centres, where the two are one.
#define CAROM_KIN_LITTLE 0.1
// And by this without a word: numbers with three digits are off by half of it.
#define CAROM_KIN_UNSAID 1e-3
// A step of the search moves nothing farther than this part of the longest lever, so that it stays on its branch.
#define CAROM_KIN_STRIDE 0.3
// Steps of one search; one that converges takes about ten.
#define CAROM_KIN_STEPS 120
// Damping of the search, relative to the diagonal: at the start, and at least. The least one bounds the answer to
// equations that are redundant, and costs one step where they are not.
#define CAROM_KIN_DAMPING 1e-2
#define CAROM_KIN_DAMPING_LEAST 1e-10
#define CAROM_KIN_DAMPING_MOST 1e8
// Poses from which coordinates that were not given are looked for: an elbow has two sides, a spatial loop of six hinges
// up to 16 ways to close.
#define CAROM_KIN_STARTS 48
// Products that all searches with the same coordinates held may take together: a second. Twenty loops that share joints
// are looked for from the pose given only.
#define CAROM_KIN_WORK 1e9
// In the choice among ways to close, a coordinate that was given counts this many times as much as one that was not.
#define CAROM_KIN_GIVEN_WEIGHT 10.0

#endif
