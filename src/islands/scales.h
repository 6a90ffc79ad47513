// scales.h -- the constants of this room, each with what chose it.
//
// "Runs" are 91 short example runs in both responses, one constant changed at a time, here to half and double.
#ifndef CAROM_SRC_ISLANDS_SCALES_H
#define CAROM_SRC_ISLANDS_SCALES_H

// Fewer bodies are integrated together: the search between islands costs as well. Runs: with 16 none changes; with 4
// five do, by up to 1.5 times the evaluations and 4 times the imbalance. Evaluations are of fewer bodies then: of four
// that were timed two take less than half as long, one two thirds, one as long. So 8 is more than cost asks for.
enum { CAROM_ISLANDS_FEW = 8 };

#endif
