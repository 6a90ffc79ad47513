// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_STEP_SCALES_H
#define CAROM_SRC_STEP_SCALES_H

// Where more pairs touch, no step is a sample just because a contact began: in a bin every step would be one
// and cost as much again.
enum { CAROM_WATCHED_MAX = 16 };

// Steel ball against a wall, e = 1, error of the rebound over tolerance: DP5 1 to 60, DOP853 0.4 to 4 for twice the
// evaluations. So DP5 serves only those who ask for little.
#define CAROM_STEP_LOOSE 1e-4
// Signs before the stiff method is tried (steps that stay above `held` of the method times the fastest rate) and before
// it is left; twice as many each time it was left too early, up to a most that keeps the count finite.
enum { CAROM_STEP_STIFF_SIGNS = 8, CAROM_STEP_CALM_SIGNS = 4, CAROM_STEP_CALM_SIGNS_MAX = 4096 };
// h r below which explicit steps of that size are cheaper than stiff ones.
#define CAROM_STEP_CALM 0.7
// A linear system that is dense and spans all bodies is not for hundreds of them: 700 states take 700^3/3 = 1e8
// multiplications to factorise.
enum { CAROM_STEP_STIFF_STATES_MAX = 700 };

// A step is made again up to an event so many times at most.
enum { CAROM_STEP_CUTS_MAX = 4 };
// Of the tolerance: what is left of a step in front of an event, or behind it, is not worth a cut; drift of loops is
// not worth a projection.
#define CAROM_STEP_PART 0.1
// [m] of a loop: far below what a tolerance asks for, far above rounding of its coordinates
#define CAROM_STEP_LOOPS_OPEN 1e-10
#define CAROM_STEP_TICKS 16.0        // roundings of the clock below which a cut would not be noticed
// The sum of offsets may miss the end by a rounding, times on the output grid by as many as there are samples.
#define CAROM_STEP_END (1.0 - 1e-14)
#define CAROM_STEP_GRID_END (1.0 - 1e-12)
// Steps that fail in part count so many times those that succeed, and a run is given up after a hundred in a row.
enum { CAROM_STEP_STUCK_MAX = 400, CAROM_STEP_FAILED = 4 };

#endif
