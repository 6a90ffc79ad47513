// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_POTENTIAL_SCALES_H
#define CAROM_SRC_POTENTIAL_SCALES_H

// Newton's steps at once, before friction is made softer. Two thirds of 120 piles of 40 bodies, which begin anywhere,
// get stuck with friction that turns round over 1e-5 of the speeds there are; those that do not take 6 to 12.
#define CAROM_POTENTIAL_EAGER 12

// The softness to begin with, by which factor it grows, and steps at each. All of those 120 are found then, by 35 steps
// in the mean and 65 at most; with 4 steps or a factor of 16 some are not, with 12 steps it takes 41.
#define CAROM_POTENTIAL_SOFTEST (1.0/4096)
#define CAROM_POTENTIAL_HARDEN 4.0
#define CAROM_POTENTIAL_SOFT_STEPS 6

// Newton's steps behind that: the function is convex, more of them always help.
#define CAROM_POTENTIAL_ITERATIONS 60

// Of the slope at the start of a step: as little of it is as good as none, the next step has its own matrix.
#define CAROM_POTENTIAL_FLAT 0.1

// Trials of one search: friction at a speed far above v_small has its whole slope in a part of the step of 1e-4 and
// less, which halving an end finds in 14.
#define CAROM_POTENTIAL_TRIALS 30

#endif
