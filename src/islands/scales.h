// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_ISLANDS_SCALES_H
#define CAROM_SRC_ISLANDS_SCALES_H

// Fewer bodies are as well off together: what is saved by steps of one's own goes into the search between islands.
enum { CAROM_ISLANDS_FEW = 8 };
// Bounds on motion are sums of a few products: far above their rounding, far below what a certificate would miss.
#define CAROM_ISLANDS_ROUNDED_UP (1.0 + 1e-9)

#endif
