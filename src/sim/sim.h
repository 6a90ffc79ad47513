// A simulation: all bodies together, or islands of them.
#ifndef CAROM_SRC_SIM_H
#define CAROM_SRC_SIM_H

#include "carom/sim.h"
#include "islands/islands.h"

struct caromSim {
    caromRun *run;            // of all bodies; with islands: what samples and counts are gathered in
    caromIslands *islands;    // NULL: all are integrated together
};

#endif
