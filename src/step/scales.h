// scales.h -- the constants of this room, each with what chose it.
//
// "Runs" are 91 short example runs in both responses, one constant changed at a time: to a third and three times of it,
// counts to half and double. Numbers are sums over the 77 that finish; many impacts are chaotic, 1 % says nothing.
#ifndef CAROM_SRC_STEP_SCALES_H
#define CAROM_SRC_STEP_SCALES_H

// Where more pairs touch, no step is a sample just because a contact began: in a bin every step would be one
// and cost as much again.
enum { CAROM_WATCHED_MAX = 16 };

// Steel ball against a wall, e = 1, error of the rebound over tolerance: DP5 1 to 60, DOP853 0.4 to 4 for twice the
// evaluations. So DP5 serves only those who ask for little. Runs: with 3e-4 six change to DOP853, for 1.4 times the
// evaluations and 0.4 of the imbalance; none with a third of it.
#define CAROM_STEP_LOOSE 1e-4
// Signs before the stiff method is tried: steps that stay above `held` of the method times the fastest rate. Runs: half
// and double change evaluations by less than 1 %; half makes the imbalance of one 8 times as large (4e-7), double that
// of a table that vibrates 6 times (7e-4).
enum { CAROM_STEP_STIFF_SIGNS = 8 };
// Part of what is stable from which on the method is at that limit by its own estimate; the same where steps stay
// as long as they are, but for a hundredth: friction that bends inside the step is felt as 0.35 to 0.4 of it; a double
// pendulum as up to 0.5, in steps that change.
#define CAROM_STEP_FELT 0.8
#define CAROM_STEP_FELT_STEADY 0.33
#define CAROM_STEP_STEADY 0.01
// By how much longer the steps of the stiff method have to be then. A gyroscope at 1e-6: 14,027 evaluations; 25,469
// without this. A coin: 158,000 without, 162,000 with 3 (257,000 where nothing is felt).
#define CAROM_STEP_FELT_GAIN 3.0
// And in how many steps they have to become so. A mechanism of 5 mm with friction in a joint, 1e-6: 106,644 evaluations
// with 4, 65,944 with 20 or 40; a coin 162,000, 152,000 and 161,000.
enum { CAROM_STEP_FELT_CALM_SIGNS = 20 };
// Signs before it is left; twice as many each time it was left too early, up to a most that keeps the count finite.
// Runs: half 11 % more evaluations, a rod that jams 20 times as many, one run less finishes; double the same.
enum { CAROM_STEP_CALM_SIGNS = 4, CAROM_STEP_CALM_SIGNS_MAX = 4096 };
// h r below which explicit steps of that size are cheaper than stiff ones. Runs: some 12 change with a third and with
// three times of it, none by more than 6 % of its evaluations, and imbalance by half at most.
#define CAROM_STEP_CALM 0.7
// A linear system that is dense and spans all bodies is not for hundreds of them: 700 states take 700^3/3 = 1e8
// multiplications to factorise.
enum { CAROM_STEP_STIFF_STATES_MAX = 700 };

// A step is made again up to an event so many times at most. Runs: with 2 a table that rocks takes 2.3 times the
// evaluations, with 8 1.2 times, all together 2 % and 0.4 % more; imbalance of that one grows by half in both.
enum { CAROM_STEP_CUTS_MAX = 4 };
// A step in which forces have kinks is made again, half as long, until its energies add up to this part of their
// tolerance, so many times at most. Seven random scenes with up to 2000 steps of contact: imbalance 2 to 19 tolerances
// with 0.3 in impacts alone, 0.3 to 13 in all contacts, 0.3 to 6 with 0.1, for 10 % more evaluations. Some steps in a
// hundred are made again: three scenes that lost 10 to 36 tolerances where forces are even lose 1.3 to 2.3.
#define CAROM_STEP_DEFECT 0.1
enum { CAROM_STEP_DEFECT_HALVINGS = 8 };
// The same where forces are smooth: errors of a motion that goes on and on all go one way. Two bodies that tumble on a
// joint, DP5 at tolerance 1e-4: 70 tolerances in 246 steps without, 9.8 in 285 with 0.1, 3.8 in 399 with it.
#define CAROM_STEP_DEFECT_EVEN 0.03
// Both are less the more energies are off the same way already: by exp(1 - x) at x > 1 tolerances, down to that of so
// many. An ellipsoid that rolls for 2000 steps, each off by 0.006 tolerances (random scene 700356): 14 tolerances
// without, 13 with 3, 5.0 with it and with 9, for 7 % more evaluations. All short examples: 0.7 % more.
#define CAROM_STEP_DRIFT_MOST 6.0
// There, part of the step size that would be just right, and the least of it.
#define CAROM_STEP_DEFECT_SAFETY 0.9
#define CAROM_STEP_DEFECT_SHRINK 0.2
// By how much less a shorter step has to be off, and roundings of all energies that their sum is known to. A rod in
// flight 1000 km up, tolerance 1e-10: 15 steps; without either 300,000 and more.
#define CAROM_STEP_DEFECT_LESS 0.5
#define CAROM_STEP_ENERGY_ROUNDINGS 16.0
// In tolerances: what a sample inside of a step may be off, since it does not stay. A body that is held by bristles
// after an impact (random scene 71049): 54 tolerances inside of a step of h r = 22, 0.03 at its end. In contact only
// explicit steps are looked at that are so many times as long as what the method is held to. Where points press one by
// one, a step that is off by more somewhere inside is made again, half as long (tests/sim/test_balance.c; random scene
// 700259): 120 random scenes, 560,000 steps in contact, seven of which are off by 1 to 2.4 and good at their ends.
#define CAROM_STEP_DEFECT_INSIDE 1.0
#define CAROM_STEP_UNSTABLE 2.0
// Of the tolerance: what is left of a step in front of an event, or behind it, is not worth a cut; drift of loops is
// not worth a projection. Runs: evaluations within 1 % with a third and three times of it, those of one
// run 19 % and 9 % more; imbalance grows by a third at most.
#define CAROM_STEP_PART 0.1
// [m] of a loop: far below what a tolerance asks for, far above rounding of its coordinates
#define CAROM_STEP_LOOPS_OPEN 1e-10
// Halvings of a step in which contacts were lost: what jumps is found to 1e-9 of it.
enum { CAROM_STEP_HALVINGS_MAX = 30 };
#define CAROM_STEP_TICKS 16.0        // roundings of the clock below which a cut would not be noticed
// The sum of offsets may miss the end by a rounding, times on the output grid by as many as there are samples.
#define CAROM_STEP_END (1.0 - 1e-14)
#define CAROM_STEP_GRID_END (1.0 - 1e-12)
// Steps that fail in part count so many times those that succeed, and a run is given up after a hundred in a row. Runs:
// none changes. A law that is no number from a depth on: 2,800 evaluations with 200, 5,400 with 400, 10,600 with 800,
// and in the same place; tests/contact/test_smooth.c asks for an end within 2000 steps.
enum { CAROM_STEP_STUCK_MAX = 400, CAROM_STEP_FAILED = 4 };

// Steps in a row that are too short to get on, before that is an event. Those after a restart grow twofold at least: 30
// of them by 1e9.
enum { CAROM_STEP_STALLED = 30 };

#endif
