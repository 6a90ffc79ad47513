// scales.h -- the constants of this room, each with what chose it.
#ifndef CAROM_SRC_ISLANDS_SCALES_H
#define CAROM_SRC_ISLANDS_SCALES_H

// Fewer bodies are as well off together: what is saved by steps of one's own goes into the search between islands.
enum { CAROM_ISLANDS_FEW = 8 };

#endif
