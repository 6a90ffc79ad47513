// response.h -- what contacts do to a motion: a table of functions, one row for each way of treating contact.
//
// In:    a system: the model, its state, the step that was just made with its dense output, and who is to be told.
// Out:   the rate of the state with contacts; the first event of a step; the state and the active set after it.
// Promise: the loop over time (step/, sim/), samples, the switch between methods and islands know these rows and no
//          response by name. They read `world`, which is empty where a response keeps its contacts elsewhere. A new
//          response is its files, one row of the table in response.c and one of the model's (model/defaults.c).
// Not here: methods (time/), the search for touches (events/), the loop (step/).
// Start reading at carom_response_of in response.c, then at the row of a response: compliant.c, rigid.c.
#ifndef CAROM_SRC_RESPONSE_H
#define CAROM_SRC_RESPONSE_H

#include "carom/sink.h"
#include "events/guard.h"
#include "motion/tolerances.h"
#include "response/scales.h"

typedef struct caromResponseRow caromResponseRow;

// Of forces inside a step. Kinks are not seen by its estimate; dots, points that press one by one, may come and go in
// it; where energies are blurred, they never add up to the tolerance, however short the step.
typedef enum caromEvenness { CAROM_EVEN, CAROM_KINKED, CAROM_DOTTED, CAROM_BLURRED } caromEvenness;

typedef struct caromBalance {     // of energies [J]
    double start;                 // total at the start
    double potential_start;
    double potential_low;         // lowest so far, against the start
    double scale;                 // largest energy in motion so far
    double weight;                // the same, not below what the model is expected to move: for tolerances
    double drift;                 // imbalance at the last sample
    double share;                 // of what moves, as mass; islands have the weight of the whole
} caromBalance;

// What a response works on. Who writes: the loop (step/) the state between events, the response what it says below.
typedef struct caromSystem {
    const caromModel *model;
    const caromResponseRow *response;
    void *contacts;               // the response's own memory of contacts
    // Pairs and limits that press by their depth, and what they remember; empty where none does.
    caromContactWorld world;
    caromScratch scratch;         // for evaluations
    // By the evaluations of the step so far: rate and pair that was too deep of the last, whose motion or law was bad
    // in any.
    caromFindings found;
    int n;                        // length of y at the moment
    double *y;                    // state at the start of the current step; while an event is carried out, there   [n]
    double t_step;                // absolute time of the start of the current step [s]
    caromModelGuard guard;
    caromGuard guard_table;       // of guard
    caromSearch search;
    double pace;                  // the longest step that the response can stand [s]; infinite: any
    double watch_until;           // every step is sampled until this time, to show a contact that just began [s]
    caromBalance balance;
    caromSink sink;
    caromSimStats stats;
    bool has_started;
} caromSystem;

// For islands (islands/): a system goes on in others, which are parts of it, or several in one. Contacts by number, of
// pairs and limits; several may be of one constraint.
typedef struct caromApartRow {
    int (*count)(const caromSystem *system);
    caromConstraint (*about)(const caromSystem *system, int contact);
    // A contact of another system goes on in this one, as one of c, states included; false: out of memory.
    bool (*adopt)(caromSystem *system, caromConstraint c, const caromSystem *from, int contact);
    // What is remembered of a constraint, whether it touches or not; NULL: nothing.
    void (*remember)(caromSystem *system, caromConstraint c, const caromSystem *from, caromConstraint from_c);
    void (*adopt_past)(caromSystem *system, const caromSystem *from);  // then all that is not of a constraint
    // Touches within this gap are of one instant, and are decided together [m]; NULL: each by itself.
    double (*instant_gap)(const caromSystem *system);
    bool lists_own;  // contacts are in the response's own memory: each island lists its own for samples
} caromApartRow;

struct caromResponseRow {
    caromStatus (*refuse)(const caromModel *model, caromError *err);  // a model that it cannot treat; NULL: none
    // The memory of contacts, closed constraints for the guard, scratch->own; false: out of memory. Destroyed in any
    // case.
    bool (*create)(caromSystem *system);
    void (*destroy)(caromSystem *system);
    // Its own part, with room for the contacts of now. NULL: it has none.
    bool (*scratch_alloc)(const caromSystem *system, caromScratch *scratch);
    void (*scratch_free)(caromScratch *scratch);

    // dy/dt with contacts, at any state and in any order: pure, allocates nothing.
    caromFindings (*evaluate)(const caromSystem *system, const caromInstant *at, caromScratch *scratch, double *dydt);
    const caromLinearSystem *linear;  // df/dy by parts, of an ODE whose user is a caromSystem; NULL: by differences
    const caromStageSolver *stages;   // likewise, of the method `convex`; NULL: it does not go with that
    // The stiff method is left where it does not make steps so many times longer than the explicit ones before it; 0:
    // where the rate of contacts would let explicit steps be as long.
    double stiff_gain;

    caromStatus (*start)(caromSystem *system, caromError *err);  // contacts at the start, of which nobody is told
    // Those of which the sink is, in the first step; NULL: none. *is_changed: y or contacts are.
    caromStatus (*begin)(caromSystem *system, bool *is_changed, caromError *err);
    double (*next_change)(const caromSystem *system);            // a time that no step may pass [s]; infinite: none
    // At that time. *is_event: it shows in the motion, and asks for a sample.
    caromStatus (*change)(caromSystem *system, double time, bool *is_event, caromError *err);
    caromOccasion (*first_event)(caromSystem *system);           // of the step that the search has
    // Forces jump or bend there: no step should go across.
    bool (*is_rough)(const caromSystem *system, const caromOccasion *event);
    caromEvenness (*evenness)(const caromSystem *system);
    // What contacts keep was lost in the part of the step before its first event: it has to be made again, shorter.
    // NULL: nothing drifts.
    bool (*strays)(const caromSystem *system);
    // Steps that are shorter than this, one after the other, do not get on, nor does one that cannot be made: that is
    // an event, which leads on. NULL: it is not, and the run ends.
    double (*stalls_below)(const caromSystem *system);
    // Over the part [0, theta_end] of the step, which ends at `time`: what contacts amount to; NULL: nothing is
    // followed.
    caromStatus (*follow)(caromSystem *system, double theta_end, double time, caromError *err);
    caromStatus (*at_event)(caromSystem *system, double time, const caromOccasion *event, caromError *err);
    // Brings y back to what contacts that stay allow, at the end of a step; true: y was changed. NULL: nothing drifts.
    bool (*end_of_step)(caromSystem *system, double time);
    void (*amend_sample)(caromSystem *system, double time, double *y);  // the same inside a step; NULL: nothing drifts
    // First step to try after an event [s]; 0: none.
    double (*step_hint)(const caromSystem *system, double time, double hint);
    // The contacts at an instant that kin belongs to, in the order of pairs; how many.
    int (*sample)(caromSystem *system, const caromInstant *at, const caromKin *kin, caromContact *contacts);
    // Makes more of the message of a step that failed, of what only the response knows; false: it has nothing to say.
    // NULL: never.
    bool (*explain)(const caromSystem *system, caromError *err);

    const caromApartRow *apart;  // for islands; NULL: bodies are simulated together
};

const caromResponseRow *carom_response_of(const caromModel *model);

// A system of a model, without motion yet. After a failure to be destroyed.
bool carom_response_system_create(const caromModel *model, const caromSink *sink, caromSystem *system);
void carom_response_system_destroy(caromSystem *system);
// One more scratch, for a thread of one's own: it serves until the next event.
bool carom_response_scratch_alloc(const caromSystem *system, caromScratch *scratch);
void carom_response_scratch_free(const caromSystem *system, caromScratch *scratch);

caromOde carom_response_ode(caromSystem *system);
void carom_response_note(caromSystem *system, const caromFindings *found);  // of an evaluation that belongs to the step
void carom_response_forget(caromSystem *system);                            // what was found in steps before

// Counts it, and tells the sink.
caromStatus carom_response_tell(caromSystem *system, const caromEvent *event);
// The constraint that first closes in the step, of those that the guard found near, if before `first`; else `first`.
caromOccasion carom_response_first_touch(caromSystem *system, caromOccasion first);
// Joint, coordinate, and where its axis is.
void carom_response_place_limit(const caromModel *model, const caromKin *kin, int limit, caromEvent *event);

static inline double *carom_response_ledger(caromSystem *system)  // of the state as it is
{
    return system->y + carom_motion_ledger(system->n);
}

#endif
