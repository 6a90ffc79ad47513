// search.h -- which contact happens first inside a step?
//
// In:    one accepted step with its dense output, and a guard that answers two questions about a
//        constraint (a pair of shapes, a joint's limit) at a given state: how far
//        apart (gap and its rate), and for how long certainly apart.
// Out:   the earliest touch and separation in the step.
// Promise: no touch is stepped over: every piece of the step is either certified free or contains a located touch.
//          Works for any problem (the simulator's bodies, a hand-written ball), for any method.
//
// States are loaded into slots, so that what a guard computes from a state serves all pairs.
#ifndef CAROM_SRC_EVENTS_SEARCH_H
#define CAROM_SRC_EVENTS_SEARCH_H

#include "events/scales.h"
#include "model/model.h"
#include "time/method.h"

enum { CAROM_SLOT_START, CAROM_SLOT_END, CAROM_SLOT_LEFT, CAROM_SLOT_RIGHT, CAROM_SLOT_LOOK,
       CAROM_SLOTS = CAROM_SLOT_LOOK + CAROM_LOOKS };

typedef struct caromGuard {
    void *user;
    void (*load)(void *user, int slot, double time, const double *y);
    double (*gap)(void *user, int slot, caromConstraint c, double *rate);  // g and dg/dt
    // Longest time up to |dt| from the slot's state, forwards or backwards, in which the gap is certainly above
    // -margin.
    double (*clear_time)(void *user, int slot, caromConstraint c, double dt, double margin);
} caromGuard;

typedef struct caromSearch {
    const caromGuard *guard;
    const caromMethod *method;
    caromStepper *stepper;
    double t0, h;         // absolute time at the start of the step, its length
    double *y;            // scratch [n]
    double margin;        // rounding of a gap [m]
    double hovering;      // a gap that counts as none where it would take too long to prove that it stays open [m]
    double slow;          // what does not part faster than this stays in contact [m/s]
    double looked[CAROM_LOOKS];  // theta of the states in the slots for looks; < 0: none. They serve all pairs
    int64_t evaluations;  // gaps computed so far
    caromStatus status;   // of the interpolation; set when it failed
} caromSearch;

// Loads the ends of the step that the stepper just made. Call before the searches.
void carom_search_begin(caromSearch *search, const double *y_start, const double *y_end);

// theta in [0, end] of the first touch of a constraint that is open at the start; > 1: none.
double carom_search_touch(caromSearch *search, caromConstraint c, double end);
// Of one at which surfaces touch that part, however slowly: of the first touch after they have got apart, by more than
// counts as none; > 1: none.
double carom_search_touch_again(caromSearch *search, caromConstraint c, double end);
// When bodies that part have parted: at gap 0 if that is faster than `rate`, else when the gap has grown to `gap`.
// Bodies that just about touch, with nothing that presses them together, part and meet with every rounding; held like
// this they are one contact.
typedef struct caromHysteresis {
    double gap;   // [m] >= 0
    double rate;  // [m/s] >= 0
} caromHysteresis;
// theta in [0, end] of the first separation of one that is closed at the start; > 1: none.
double carom_search_separation(caromSearch *search, caromConstraint c, caromHysteresis least, double end);

#define CAROM_NEVER 2.0

// The first event of a step, tagged: what kind it is, and what it is about.
typedef enum caromOccasionKind {
    CAROM_OCCASION_NONE,        // nothing happens in the step
    CAROM_OCCASION_CONSTRAINT,  // a constraint closes or opens
    // A mode of the active set ends: a contact lifts off, slips or sticks, another point comes down.
    CAROM_OCCASION_MODE,
    CAROM_OCCASION_STALL,       // no step gets on from here
    CAROM_OCCASION_STOP         // others end the step here (islands/)
} caromOccasionKind;
typedef struct caromOccasion {
    double theta;               // > 1: none
    caromOccasionKind kind;
    caromConstraint about;      // of CAROM_OCCASION_CONSTRAINT
} caromOccasion;
static const caromOccasion carom_search_nothing = { CAROM_NEVER, CAROM_OCCASION_NONE, { CAROM_CONSTRAINT_PAIR, -1 } };

#endif
