// islands.h -- bodies that do not touch each other are integrated apart, each island with its own steps.
//
// In:    a model of free bodies and fixed ones, a run of it at its start (step/step.h).
// Out:   the same samples and events, in order of time.
// Promise: as of a run of all together: no touch is stepped over, neither inside an island nor between two of them;
//          same input, same bits.
//
// An island is what hangs together by contacts; fixed bodies are part of every island and tie nothing. Each has a run
// of its own, of the part of the model that it is, and one step ahead that nothing depends on yet. The island whose
// step ends first is next: what happens in its step is carried out, it makes its next step, and the search for touches
// between its bodies and those of others goes over the time that both steps cover. A touch ends both steps there, and
// joins the islands when it is their turn. So nobody is ever taken back farther than the start of the last step, events
// come in order of time, and the time up to which the first step goes is known for all: what samples need.
#ifndef CAROM_SRC_ISLANDS_H
#define CAROM_SRC_ISLANDS_H

#include "islands/scales.h"
#include "step/step.h"

typedef struct caromIslands caromIslands;

bool carom_islands_suit(const caromModel *model);
// whole: stays the caller's, and must outlive the islands.
caromStatus carom_islands_create(caromRun *whole, caromIslands **islands, caromError *err);
void carom_islands_destroy(caromIslands *islands);
caromStatus carom_islands_step(caromIslands *islands, caromError *err);  // of the island that is next

#endif
