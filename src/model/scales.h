// Numbers of this room, each with its reason.
#ifndef CAROM_SRC_MODEL_SCALES_H
#define CAROM_SRC_MODEL_SCALES_H

// Instants at which the arguments of an expression are looked at. One that passes 0 and comes back between two of them
// is found if it does so once.
#define CAROM_FUNCTION_INSTANTS 2048
// How far aside of an instant, as a part of the run, a jump is measured: at most, and at least, where instants have
// four digits left. A smooth function of 1e8 periods in a run has (2 pi 1e8 1e-12)^3/12 = 2e-11 of its range, and of
// its fastest rate, there.
#define CAROM_FUNCTION_ASIDE 1e-7
#define CAROM_FUNCTION_ASIDE_LEAST 5e-13
// A jump is more than this part of how far, or how fast, the function gets.
#define CAROM_FUNCTION_JUMP 1e-6
// And more than rounding of its values.
#define CAROM_FUNCTION_ROUNDING 1e-12

// A size, a mass or a speed that is this many times larger or smaller than the middle of the others is told: of no
// example it is, and millimetres taken for metres make a body 1e9 times heavier.
#define CAROM_MODEL_FAR_OFF 1e4

// The speed of light [m/s].
#define CAROM_MODEL_LIGHT 299792458.0

#endif
