// compliant.h -- contact forces from depth and speed: a pair that overlaps presses, by the law of its materials.
//
// Memory: which pairs and limits touch and how that began (caromContactWorld), and what each touch has amounted to so
// far. It changes where a constraint closes or opens, and where the impact of a contact that lasts has faded. Theory:
// docs/contact.md.
//
// What is where: compliant.c the row and the evaluation; compliant_touch.c touch and separation; compliant_follow.c
// depth and impulse along the steps; compliant_structure.c, compliant_jacobian.c, compliant_drift.c df/dy and df/dt by
// parts.
#ifndef CAROM_SRC_RESPONSE_COMPLIANT_H
#define CAROM_SRC_RESPONSE_COMPLIANT_H

#include "response/response.h"

struct caromStructure;

enum { CAROM_COMPLIANT_NODES = 5 };
typedef struct caromRing {        // between what a contact that loses nothing has swung, for a while
    double since;                 // [s]; 0: not yet
    caromPush least, most;
} caromRing;
typedef struct caromTally {       // what a contact has amounted to so far
    double depth;                 // largest [m]
    double impulse;               // normal [N s]
    caromRing ring;
    caromPush node[CAROM_COMPLIANT_NODES];  // of the piece of a step; the first of the next is where it ended
} caromTally;

typedef struct caromCompliant {
    caromTally *tallies;          // by number of the constraint              [npair + nlimit]
    struct caromConvex *convex;   // stages of the method `convex`; NULL: another one is used
    struct caromStructure *structure;  // df/dy by parts; NULL: loops couple everything
    bool has_spread;              // at the end of the last step a contact began to press over another surface
    double chatter_time;          // since when events come without time passing [s]
    int chatter_count;            // and how many there were
} caromCompliant;

static inline caromCompliant *carom_compliant_of(const caromSystem *system)
{
    return system->contacts;
}

// compliant_touch.c. A pair begins to touch: memory, state (its bristles) and tally. event, unless NULL: the touch.
// After a failure nothing has changed.
caromStatus carom_compliant_begin(caromSystem *system, const caromKin *kin, int pair, double time, caromEvent *event,
                                  caromError *err);
// And ends: the energy that its bristles hold is lost to friction.
caromEvent carom_compliant_end(caromSystem *system, const caromKin *kin, int pair, double time);
void carom_compliant_begin_limit(caromSystem *system, const caromKin *kin, int limit, double time);
caromOccasion carom_compliant_first_event(caromSystem *system);
caromStatus carom_compliant_at_event(caromSystem *system, double time, const caromOccasion *event, caromError *err);

// compliant_follow.c
caromStatus carom_compliant_follow(caromSystem *system, double theta_end, double time, caromError *err);
caromStatus carom_compliant_too_deep(const caromSystem *system, int pair, double time, caromError *err);
caromStatus carom_compliant_no_force(const caromSystem *system, int pair, double time, caromError *err);

extern const caromLinearSystem carom_compliant_linear;  // compliant_jacobian.c

#endif
