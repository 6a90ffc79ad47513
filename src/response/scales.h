// scales.h -- the constants of this room, each with what chose it. Those of one response carry its name.
//
// "Runs" are 91 short example runs in both responses (for constants of `rigid` the 41 of them that are rigid and have
// contacts), one constant changed at a time: to a third and three times of it, counts to half and double. Numbers are
// sums over those that finish; many impacts are chaotic, 1 % says nothing.
#ifndef CAROM_SRC_RESPONSE_SCALES_H
#define CAROM_SRC_RESPONSE_SCALES_H

// ---- compliant

// A pair whose surfaces part more slowly than this part of v_small, which friction can hardly tell from rest, stays in
// contact for a while (bricks side by side that nothing presses together). Runs: one changes (dice), by less than 0.1 %
// of its evaluations.
#define CAROM_COMPLIANT_SLOW 0.1
// Namely until the gap is so much of the depth that is expected of it. Runs: three change, by at most 2 % of their
// evaluations; imbalance the same.
#define CAROM_COMPLIANT_HELD_GAP 0.01
// And at least so much of what positions may be off in flight: hops that nobody can tell from rest. A cone of concrete
// that lands flat at tolerance 1e-3 hopped by 0.05 nm for ever, fed by errors of steps; 200 times as many without, the
// same with a third of it. With 1e-3 a box that lies on a floor at tolerance 1e-2, DOP853, sank in by 0.14 um.
#define CAROM_COMPLIANT_HELD_PART 1e-4
// And at least so many of the positions' own roundings, or of the gap with which it began: bodies put down exactly
// touching chattered at 1e-18 s.
#define CAROM_COMPLIANT_HELD_ROUNDINGS 4.0
#define CAROM_COMPLIANT_HELD_START 2.0
// What a contact of restitution 1 swings with, as a part of what energies may be off: it may be lost. As much as a step
// in contact may be off. A box that lies on e = 1 (tests/sim/test_rest.c): 119,396 steps without, 1829 with 0.01, 1749
// with it, 1718 with 1.
#define CAROM_COMPLIANT_UNSEEN 0.1
// And less than so much of that is still: a row of balls that touch lost 3e-5 of the energy of a blow without.
#define CAROM_COMPLIANT_STILL 1e-6
// Events without time passing, as a part of the time simulated, and how many of them are too many: more than any pile
// begins at once, and a message in place of a run without end.
#define CAROM_COMPLIANT_NO_TIME 1e-9
enum { CAROM_COMPLIANT_CHATTER_MAX = 2000 };
// Impacts are shown step by step for so many of their durations. Five runs with impacts, size of the results: 11 % less
// with a third of it, 6 % more with three times.
#define CAROM_COMPLIANT_WATCHED 3.0
// A step is followed in pieces of at least 1/16; a parabola through three looks is off by the third power of the piece,
// and three passes square that.
enum { CAROM_COMPLIANT_HALVINGS_MAX = 4, CAROM_COMPLIANT_TOPS_MAX = 4 };
#define CAROM_COMPLIANT_TOP_PART 0.1  // of the tolerance, by which the top of the last parabola is off
// What a linear solution leaves of its right-hand side: far above rounding, far below what an error estimate sees.
#define CAROM_COMPLIANT_GROWN 1e-6
// Of the step, by which df/dy is corrected along the motion: small against what forces bend over in a step that is
// accepted. Runs: evaluations of those that change 0.4 % more with a third, 2.4 % with three times of it.
#define CAROM_COMPLIANT_ALONG 0.01
// Speeds over which friction of joints bends, in v_small: differences are exact to the root of rounding over it. Runs:
// 25 change with a third and three times of it, their evaluations by less than 0.5 % together.
#define CAROM_COMPLIANT_JOINT_BEND 100.0

// Of the tolerances of velocities: what a stage of the method `convex` is solved to, and how far two guesses may be
// from each other; how many there are at most, and the least part of a change that is made.
#define CAROM_CONVEX_ENOUGH 1e-3
#define CAROM_CONVEX_AGREE 0.05
enum { CAROM_CONVEX_GUESSES = 10 };
#define CAROM_CONVEX_LEAST_PART 0.1
// Cosines from 1 at which two normals are one.
#define CAROM_CONVEX_ALONG 1e-12
// Of the force of a pair, as a bit of the surface that is one cell. Six boxes hit by a ball take 3.4 s with it and 5.4
// without.
#define CAROM_CONVEX_LITTLE 0.02

// ---- rigid

// What counts as none: this part of what the integration may be off. Positions of 1 m are known to 1e-16 m: tolerances
// below 1e-12 would ask for less than a hundred roundings; slip is a sum over a step and known to less.
#define CAROM_RIGID_PART 1e-3
#define CAROM_RIGID_PART_LEAST 1e-14
#define CAROM_RIGID_SLIP_LEAST 1e-11
// Speeds without gravity: sizes per so many seconds.
#define CAROM_RIGID_SLOW 1e-3
// Hops of so many roundings of a gap are not looked at one by one: their heights would be known to a thousandth at
// best.
#define CAROM_RIGID_LEAST_HOPS 1e3
// What a pair carries is not taken for less than this part of the weight of all, whose rounding it feels.
#define CAROM_RIGID_LIGHTEST 1e-6
// Of the usual force: a pull that is rounding.
#define CAROM_RIGID_PULL 1e-9
// Of delta, between sliding and rolling where friction is regularised. Runs: eight change, evaluations by 0.2 %.
#define CAROM_RIGID_EDGE 1e-6
// A contact rolls from a little below delta on, by this part of what the integration may be off, at most half of it: at
// loose tolerances slip wanders across delta and back with every step. Runs: six change, their evaluations by 0.1 %
// together, those of one by 7 % with three times of it; imbalance the same.
#define CAROM_RIGID_EDGE_PART 0.1
#define CAROM_RIGID_EDGE_MOST 0.5
// det W of the sliding contacts over that without friction, from which on forces count as blown up
// (Painleve); as in unilateral/.
#define CAROM_RIGID_UNSOUND 1e-5
// Looks inside a step for the end of a mode. Runs: with 1 17 % more steps, 3 % more evaluations and 7 times the
// imbalance of a table that rocks; with 6 11 % more evaluations, nearly all of them in three runs.
enum { CAROM_RIGID_LOOKS = 3 };
// Looks at a point that may have come down and risen between two others: each leaves less than half of the time.
enum { CAROM_RIGID_DIPS_MAX = 12 };
// No step is longer than this part of the time in which a disc on its rim would lie flat: the lowest point of the rim
// runs round it by as much [rad] at most.
#define CAROM_RIGID_TO_FLAT 0.5
// Corners of a disc that lies flat stand for the rim between them where one of them comes down at this part of the
// speed of the rim: that happens as long as the middle of the disc comes down.
#define CAROM_RIGID_AS_FAST 0.5
// Impacts of one instant of a disc that lies flat, each of which brings down another point of its rim, more slowly.
enum { CAROM_RIGID_RIMS_MAX = 8 };
// A step may be so many times as long as points are listed for (carom_manifold_pace), at the speeds of its end: twice
// that, since bodies may have got faster. Between looks, a third of it, they move by less than what is listed.
#define CAROM_RIGID_OUTRUN 2.0
// Choices of modes in one event, each with the friction of the faces that the one before has left, before the corners
// of those that still change have friction of their own.
enum { CAROM_RIGID_FACES_MAX = 4 };
// Halvings for a mode that began at its very end by a rounding: 2^-30 of the step.
enum { CAROM_RIGID_HALVINGS = 30 };
// Secant steps to the end of a mode, one in four of which halves the bracket.
enum { CAROM_RIGID_LOCATE_MAX = 200 };
// Those that do not shorten it to this part change the weight. Runs: with 0.25 7 % more evaluations, a table that rocks
// 3 times as many at 4 times the imbalance; with 0.9 the same number.
#define CAROM_RIGID_SHORTENED 0.75

// Events in a row, by the time of which chatter is told.
enum { CAROM_RIGID_CHATTER = 16 };
// Events without time passing before a run is given up, and jams in one of them.
enum { CAROM_RIGID_REPEATS_MAX = 1000, CAROM_RIGID_JAMS_MAX = 20 };
// The longest time for which forces are held, over the root of the tolerance and the time in which bodies move by their
// size: a fall in it, g tau^2/2, is a twentieth of what positions may be off.
#define CAROM_RIGID_HOLD_MOST 0.3
// Events that follow each other after so many of it, CAROM_RIGID_CHATTER of them, are decided together: an event, with
// the steps and the search up to it, costs as much as a few such times. A stack of six boxes that a ball hits takes
// 25 s of CPU with 0.03, 11 s with 1, 9 s with 3; where tolerances are tight, 10 makes more such times than events.
#define CAROM_RIGID_HOLD_AFTER 3.0
// Bodies that approach by less than this part of what positions may be off, from one impact to the next, do not move as
// far as anybody could see: CAROM_RIGID_CHATTER such impacts, of several contacts by turns, are decided together too
// (hops of a single one are summed up). A mechanism that bounces on two feet, e = 1, never comes to rest (random scene
// 70112: 50,000 impacts in 20 ms).
#define CAROM_RIGID_UNSEEN 0.3
// Impacts of one contact alone count for less: hops of e = 0.99 are 215 until they are summed up. Where others, which
// slide or land, keep it going they may go on for ever (random scene 92153: 17,000 of them in 2 ms).
#define CAROM_RIGID_UNSEEN_SAME 32
// Where such a time ends modes rule again, and these few less are enough for the next one.
#define CAROM_RIGID_UNSEEN_AGAIN (CAROM_RIGID_CHATTER - 4)
// One hold after the other is so many times as long, where less than so many of their lengths are between.
#define CAROM_RIGID_HOLD_GROWTH 2.0
#define CAROM_RIGID_HOLD_PAUSE 16.0
// Those that follow each other for long may be as long as this part of all of them, where a fall in it is what
// positions may be off. A ring round a cylinder, whose point of contact runs round it (random scene 50042), takes 8 s
// of CPU with it and does not end without.
#define CAROM_RIGID_HOLD_ROW 0.01
// Steps shorter than this part of the shortest hold do not get on.
#define CAROM_RIGID_STALL 1e-2
// The shortest, in roundings of the clock.
#define CAROM_RIGID_HOLD_TICKS 64.0
// Speeds below this part of the fastest approach of an instant are what impacts elsewhere leave of rest.
#define CAROM_RIGID_REST_OF_FASTEST 1e-9
// What counts as rest is at least what gravity gives in so many roundings of the clock.
#define CAROM_RIGID_TICKS 16.0
// Work of prescribed motions in one impact, over what moves and what falls by its size: no motion that could be made.
// An ellipsoid that a screw presses into the floor was struck with 2e13 J before the run ended (random scene 95484).
#define CAROM_RIGID_FORCED 1e6
// Impact laws are integrated to at least this, and a single impact out of a jam to this.
#define CAROM_RIGID_IMPACT_TOLERANCE 1e-9
#define CAROM_RIGID_JAM_TOLERANCE 1e-12

// Bounces decay steadily where two ratios of speeds differ by less than this, and what was seen counts in place of
// restitution where it is larger by as much. Runs: none that finishes changes; tests/response/test_rigid_rocking.c
// fails with 0 and not with ten times of it.
#define CAROM_RIGID_STEADY 0.01
// And leaves an end to be seen. Runs: with 0.99 a block that rocks does not end within ten times its time; with 0.9 one
// run changes, by 0.3 % of its evaluations.
#define CAROM_RIGID_DECAY_MOST 0.97
// A point that falls back so many times faster than bodies could be turned round, at the speeds they have: is it the
// point that runs, round a rim? A torus on the rim of a cone (random scene 710194): 8e15 m/s^2, a joule from nowhere.
#define CAROM_RIGID_PRESSED 1e3
// The sum of bounces rises by 2/(1 - ratio) times the height of the first hop; not less than this part of the height
// that counts is asked of it. It acts where ratios are above 0.9: no run changes, nor does a case of
// tests/response/test_rigid_bounce.c or test_rigid_rocking.c fail with 0 or with 0.5.
#define CAROM_RIGID_RISE_LEAST 0.05
// A hop, 2 v/a long, is followed until one and a half of it: a step that ends just behind the touch would not be told
// from one that ends at it. Runs: with 1, before the touch, 12 % more evaluations; with 9 as many.
#define CAROM_RIGID_BEYOND 3.0
// Roundings of the clock by which hops have to get shorter to be told apart.
#define CAROM_RIGID_HOP_TICKS 32.0
// Hops that are not so many times as fast as what counts as rest are summed up in any case: CAROM_RIGID_PART is a
// thousandth of what the integration may be off, so this is four times that.
#define CAROM_RIGID_HOP_SLOWEST 4e3
// Forces of landings that disturb others: rounding of accelerations and forces.
#define CAROM_RIGID_DISTURBS 1e-9
#define CAROM_RIGID_LANDED (1.0 + 1e-15)  // a time that is reached but for rounding
// Points nearer to each other than this part of the smallest body are one.
#define CAROM_RIGID_SAME_POINT 1e-9

// Accelerations below so many roundings of the terms that cancel are none (a stack of ten boxes crept 1e-9 m in 60 s).
// Runs: eight change with a third and three times of it, evaluations by 0.2 % together; with 0
// tests/response/test_rigid_standing.c fails.
#define CAROM_RIGID_CANCELLED 4096.0
// Gaps are brought back to so many roundings, speeds to this part of what counts as rest, in at most so many
// corrections: they converge quadratically from what a step may be off.
#define CAROM_RIGID_KEPT_GAP 4.0
#define CAROM_RIGID_KEPT_SPEED 1e-3
enum { CAROM_RIGID_KEPT_MOST = 3 };
// Corrections by which bodies that start in each other are moved apart: they converge quadratically, and other points
// may overlap after each.
enum { CAROM_RIGID_PARTINGS_MAX = 50 };
// Errors of so many tolerances are no drift that may be brought back: the step is made again, half as long.
#define CAROM_RIGID_DRIFT 100.0

// The stiff method has to show that its steps are so many times longer: an ellipsoid that rises, friction's r = 340/s,
// takes 119,000 evaluations with DOP853, 1,080,000 with Rodas5P; a box at rest, r = 17,000/s, the other way round.
// Runs: with 1 7 % less, but a top's imbalance is 90 times as large; with 9 3 % more.
#define CAROM_RIGID_STIFF_GAIN 3.0
// Explicit steps are not longer than so much of what the method holds: more than 1, so that they count as stiff.
#define CAROM_RIGID_HELD 1.1
// A slip of so many times what counts as none that explicit steps are too long for has stopped. A cylinder that rolls
// on its rim kept 1.4 times of it, in steps of 2e-9 s (random scene 91003).
#define CAROM_RIGID_WANDERS 10.0
// After an event steps start at so much over the rate of friction, where every explicit method here is stable. Runs:
// ten change, by 2 % more evaluations with a third and 2 % less with three times of it; imbalance the same.
#define CAROM_RIGID_STABLE 2.0

#endif
