// Numbers of this room, each with its reason.
#ifndef CAROM_SRC_DYNAMICS_SCALES_H
#define CAROM_SRC_DYNAMICS_SCALES_H

// A state or an acceleration counts as one of closed loops when they are off by no more than this part of lever, speed
// or acceleration: a host's own integration drifts by less, a loop that is open, or a wrong sign, is more.
#define CAROM_DYN_OPEN 1e-3

#endif
