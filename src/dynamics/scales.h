// Numbers of this room, each with its reason.
#ifndef CAROM_SRC_DYNAMICS_SCALES_H
#define CAROM_SRC_DYNAMICS_SCALES_H

// A state or an acceleration counts as one of closed loops when they are off by no more than this part of lever, speed
// or acceleration: a host's own integration drifts by less, a loop that is open, or a wrong sign, is more.
#define CAROM_DYN_OPEN 1e-3

// A joint may start this far beyond a limit without a word [rad, or as a part of the reach of its body]: what weight
// presses into a limit is less. Of rigid bodies only rounding.
#define CAROM_DYN_PRESSED 1e-2
#define CAROM_DYN_ROUNDED 1e-9

#endif
