// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_EVENTS_SCALES_H
#define CAROM_SRC_EVENTS_SCALES_H

// Looks inside a step for separations, the last at its end: a contact is resolved by several steps, so a few
// are enough to see it end.
enum { CAROM_LOOKS = 4 };

// Largest value of a polynomial of degree m over that at 2 m Chebyshev points: 1/cos(pi/4) = 1.41422 [EhlichZeller64].
#define CAROM_EVENTS_BETWEEN_POINTS 1.4143
// Bounds on motion are sums of a few products: far above their rounding, far below what a certificate would miss.
#define CAROM_EVENTS_ROUNDED_UP (1.0 + 1e-9)

// Halvings of a piece of the step: 2^-60 is far below a rounding of its length, so the search ends before.
enum { CAROM_EVENTS_DEPTH_MAX = 60 };
// Pieces after which it is asked whether surfaces hover: next to each other throughout a long step they would
// need pieces without end.
enum { CAROM_EVENTS_PIECES_MAX = 1000 };
// Then gaps of so many roundings count as none, where it would take too long to prove that they stay open. None of 91
// example runs in both responses changes with a third or three times of it; tests/events/test_by_hand.c has the case it
// is for, with a value of its own.
#define CAROM_EVENTS_HOVERING 1e6
// Newton steps to the instant of a touch, which converge in some six; one in three may halve the bracket, and its end
// is the answer after all.
enum { CAROM_EVENTS_NEWTON_MAX = 100 };

#endif
