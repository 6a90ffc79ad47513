// world.h -- the contact world inside: the memory, and what is done with it at any state.
//
// The simulator has a world for its memory and evaluates it at states of its own (a caromKin from joints); users of
// contact_world.h place bodies.
#ifndef CAROM_SRC_CONTACT_WORLD_H
#define CAROM_SRC_CONTACT_WORLD_H

#include "broad/near.h"
#include "carom/contact_world.h"
#include "contact/contact.h"

struct caromContactWorld {
    const caromModel *model;
    caromContactMemory memory;  // the memory
    // The placed state: of worlds that were created, the simulator has its own.
    double time;
    caromKin kin;             // links and S are not used
    caromNearby nearby;
    double *stray;            // scratch                               [nshape]
};

bool carom_world_alloc(const caromModel *model, caromContactWorld *world);  // the memory only
void carom_world_free(caromContactWorld *world);

caromContactTotals carom_world_forces_at(const caromContactWorld *world, const caromKin *kin, double time,
                                         const double *z, caromSpatial *F_C, double *dz);
caromContact carom_world_contact_at(const caromContactWorld *world, const caromKin *kin, double time, const double *z,
                                    int pair);
int carom_world_pressure_at(const caromContactWorld *world, const caromKin *kin, double time,
                            const caromContact *contact, caromPressureVisitor visit, void *user);
double carom_world_energy_at(const caromContactWorld *world, const caromKin *kin, const double *z);
caromGap carom_world_gap_at(const caromModel *model, const caromKin *kin, int pair, double *rate);
double carom_world_margin_at(const caromModel *model, const caromKin *kin);
// A pair that begins to touch.
typedef struct caromWorldTouch {
    int pair;
    double time;
    const caromGap *gap;      // at that state
    double mass;              // effective along the normal [kg]; NaN: of the two bodies alone
    double *z;                // states of all bristles, brought along: new ones begin with 0; NULL: nobody keeps them
} caromWorldTouch;
// After a failure nothing has changed.
caromStatus carom_world_touch_at(caromContactWorld *world, const caromKin *kin, const caromWorldTouch *begin,
                                 caromEvent *event, caromError *err);
// What is measured of a touch that ends then at that speed; of one that has lasted beyond its impact no restitution.
caromSeparationEvent carom_world_touch_ended(const caromTouch *touch, double time, double speed);
// z, unless NULL, is brought along: the last states move where some end.
caromEvent carom_world_separate_at(caromContactWorld *world, const caromKin *kin, double time, int pair, double *z);
// As carom_world_next_change, or when a contact begins to stay: that asks for other tolerances, and for no other force.
double carom_world_next_stage(const caromContactWorld *world);
int carom_world_change_at(caromContactWorld *world, double time);
// Contacts of bodies that have come to lie along each other (carom_contact_touch_spread); returns how many. lost: for
// those that have become wider (carom_contact_touch_widen): what each may lose of its energy, then what all have [J].
int carom_world_spread_at(caromContactWorld *world, const caromKin *kin, double *lost);

// Of the placed state: calls visit for all pairs that may be within a distance, and for others.
caromStatus carom_world_visit_near(caromContactWorld *world, double distance, caromPairVisitor visit, void *user);

static inline bool carom_world_has(const caromContactWorld *world, int pair)
{
    return world && pair >= 0 && pair < world->model->npair;
}

#endif
