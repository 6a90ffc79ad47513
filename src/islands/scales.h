// scales.h -- the constants of this room, each with what chose it.
//
// "Runs" are 91 short example runs in both responses, one constant changed at a time, here to half and double.
#ifndef CAROM_SRC_ISLANDS_SCALES_H
#define CAROM_SRC_ISLANDS_SCALES_H

// Fewer bodies are integrated together. Two are apart already: of 18 examples with 2 to 100 bodies none takes longer so
// than with 8, and those of 3 to 7 bodies take a third to half as long (dice 0.33 and 0.11 s, impact-laws 0.32 and
// 0.08, shapes 0.77 and 0.26), at the same imbalance. A random scene of seven bodies that lie on a floor takes 6 s in
// place of 22: together each step is as short as the most restless of them asks for.
enum { CAROM_ISLANDS_FEW = 2 };

#endif
