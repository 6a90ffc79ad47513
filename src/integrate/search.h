// search.h -- which contact happens first inside a step?
//
// In:    one accepted step with its dense output, and a guard that answers two questions about a pair at a given state: how far
//        apart (gap and its rate), and for how long certainly apart.
// Out:   the earliest touch and separation in the step.
// Promise: no touch is stepped over: every piece of the step is either certified free or contains a located touch. Works for any
//          problem (the simulator's bodies, a hand-written ball), for any method.
//
// States are loaded into slots, so that what a guard computes from a state serves all pairs.
#ifndef CAROM_SRC_INTEGRATE_SEARCH_H
#define CAROM_SRC_INTEGRATE_SEARCH_H

#include "time/method.h"

enum { CAROM_LOOKS = 4 };  // inside a step, for separations; the last at its end
enum { CAROM_SLOT_START, CAROM_SLOT_END, CAROM_SLOT_LEFT, CAROM_SLOT_RIGHT, CAROM_SLOT_LOOK, CAROM_SLOTS = CAROM_SLOT_LOOK + CAROM_LOOKS };

typedef struct caromGuard {
    void *user;
    void (*load)(void *user, int slot, double time, const double *y);
    double (*gap)(void *user, int slot, int pair, double *rate);  // g and dg/dt
    // Longest time up to |dt| from the slot's state, forwards or backwards, in which the gap is certainly above -margin.
    double (*clear_time)(void *user, int slot, int pair, double dt, double margin);
} caromGuard;

typedef struct caromSearch {
    const caromGuard *guard;
    const caromMethod *method;
    caromStepper *stepper;
    double t0, h;         // absolute time at the start of the step, its length
    double *y;            // scratch [n]
    double margin;        // rounding of a gap [m]
    double hovering;      // a gap that counts as none where it would take too long to prove that it stays open [m]
    double looked[CAROM_LOOKS];  // theta of the states in the slots for looks; < 0: none. They serve all pairs
    int64_t evaluations;  // gaps computed so far
    caromStatus status;   // of the interpolation; set when it failed
} caromSearch;

// Loads the ends of the step that the stepper just made. Call before the searches.
void carom_search_begin(caromSearch *search, const double *y_start, const double *y_end);

// theta in [0, end] of the first touch of a pair that is apart at the start; > 1: none.
double carom_search_touch(caromSearch *search, int pair, double end);
// When bodies that part have parted: at gap 0 if that is faster than `rate`, else when the gap has grown to `gap`. Bodies that just about touch, with nothing that presses
// them together, part and meet with every rounding; held like this they are one contact.
typedef struct caromHold {
    double gap;   // [m] >= 0
    double rate;  // [m/s] >= 0
} caromHold;
// theta in (0, end] of the first separation of a pair that touches at the start; > 1: none.
double carom_search_separation(caromSearch *search, int pair, caromHold hold, double end);

#define CAROM_NEVER 2.0

#endif
