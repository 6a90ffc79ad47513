// A simulation: all bodies together, or islands of them.
#ifndef CAROM_SRC_SIM_H
#define CAROM_SRC_SIM_H

#include "base/scratch.h"
#include "carom/sim.h"
#include "islands/islands.h"

// Of a simulation, beside the stack of the thread that steps it: two contact surfaces (460 kB), the facets of a third
// (83 kB), an overlap inside of them (139 kB) and the pairs of the broad phase (83 kB) at once.
#define CAROM_SIM_SCRATCH ((size_t)1 << 20)

struct caromSim {
    caromSideStack *scratch;    // lent to the thread while it steps
    caromRun *run;            // of all bodies; with islands: what samples and counts are gathered in
    bool is_apart;            // bodies that do not touch are integrated apart
    caromIslands *islands;    // NULL: not yet, or all are integrated together
};

#endif
