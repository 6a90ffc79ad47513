// island.h -- what the files of this room share: islands, the parts of the model that they are, and the
// search between two of them.
#ifndef CAROM_SRC_ISLANDS_ISLAND_H
#define CAROM_SRC_ISLANDS_ISLAND_H

#include "islands/islands.h"

// Model.c: a part of a model that is a model itself; what it points to belongs to the whole.
typedef struct caromIslandModel {
    caromModel model;
    int *link;                     // of the whole, of each link               [nlink]
    int *body;                     // likewise                                 [nbody]
    int *shape;                    //                                          [nshape]
    int *pair;                     //                                          [npair]
    int *limit;                    //                                          [nlimit]
    int *spring;                   //                                          [nspring]
} caromIslandModel;

typedef struct caromIslandPlan {         // the whole, for making parts of it
    const caromModel *whole;
    int *row;                      // first pair of each shape                 [nshape + 1]
    int *local_body, *local_shape; // scratch: number in the part; -1: not in it
    int *local_link;               // likewise, of the links of the part
} caromIslandPlan;

bool carom_island_plan_alloc(const caromModel *whole, caromIslandPlan *plan);
void carom_island_plan_free(caromIslandPlan *plan);
// Of two shapes of the whole; -1: none.
int carom_island_plan_pair(const caromIslandPlan *plan, int shape_a, int shape_b);
// The links of which owner is `id`, everything fixed that has shapes, and what time alone moves, without mass where
// another owns it. NULL: out of memory.
caromIslandModel *carom_island_model_create(caromIslandPlan *plan, const int *owner, int id);
void carom_island_model_destroy(caromIslandModel *part);

typedef struct caromIslandSide {    // one of two bodies that are in different islands
    const caromRun *run;
    int link;                      // of its island
    int whole_link;
    double h;                      // of the step ahead
} caromIslandSide;

typedef struct caromIslandCross {        // cross.c: search for touches between islands
    const caromModel *whole;
    caromKin kin[CAROM_SLOTS];     // only the two bodies are up to date
    caromMotionBound *bounds;      // likewise                                 [nbody of the whole]
    caromIslandSide side[2];
    caromSearch search;
    caromGuard guard;
} caromIslandCross;

bool carom_island_cross_alloc(const caromModel *whole, caromIslandCross *cross);
void carom_island_cross_free(caromIslandCross *cross);
// The first touch of a pair of the whole within [t0, t1], which both steps cover: *time, infinite if there is none.
// Sides as shapes of the pair; motion bounds are those of their guards.
caromStatus carom_island_cross_touch(caromIslandCross *cross, const caromIslandSide side[2], int pair, double t0,
                                     double t1, double *time);
// Gap of a pair of the whole, at a time that both steps cover.
caromStatus carom_island_cross_gap(caromIslandCross *cross, const caromIslandSide side[2], int pair, double time,
                                   double *gap);

typedef struct caromIsland {
    caromIslands *all;
    caromIslandModel *part;   // NULL: the whole, of which the first islands are made
    caromRun *run;
    bool has_trial;           // a step ahead
    bool has_tracks;          // of the bodies in it
    caromTrial trial;
    int pair, partner;        // the touch with another island that ends the step, pair of the whole; -1: none
    caromSimStats seen;       // what of its counts is in those of the whole
    int counted;              // likewise, of its contacts
    const double *shown;      // its state in the sample that is being taken
    int id;                   // its number
} caromIsland;

typedef struct caromIslandTrack {  // how a body moves in the step ahead, less what gravity does to all
    caromVec3 x, v;           // of its centre of mass when the step begins, at t0 [m], [m/s]
    double t0;                // [s]
    double bend;              // bound of |acceleration - gravity| over the step [m/s^2]
    double reach;             // of its shapes from the centre of mass [m]
} caromIslandTrack;

struct caromIslands {
    caromRun *whole;
    caromIslandPlan plan;
    caromIslandCross cross;
    int64_t crossings;        // evaluations of the search across that are counted already
    bool is_started;
    int count;                // of islands
    int ntouching;            // contacts of all
    caromIsland **items;      // by number; NULL: free                                [nlink]
    double *end;              // when the step ahead ends; infinite: there is none [s] [nlink]
    int *owner;               // number of the island that a link is in               [nlink]
    caromIsland **home;       // where its state is                                   [nlink]
    int *local;               // and its number there                                 [nlink]
    int *tie;                 // scratch                                              [nlink]
    int *cluster;             // numbers of the islands that join                     [ncluster], room: [nlink]
    int ncluster;
    int nmoving;
    int *moving;              // shapes that islands meet with                        [nshape]
    caromVec3 *centre;        // of each of them when its step begins                 [nshape]
    double *reach;            // from there: where it stays in the step               [nshape]
    caromIslandTrack *track;  // of the body on each link, where islands have tracks  [nlink]
};

// Tolerances of energy, and what they do not add up to so far, are those of the whole.
static inline void carom_island_share_balance(const caromIsland *island)
{
    const caromBalance *whole = &island->all->whole->system.balance;
    island->run->system.balance.weight = whole->weight;
    island->run->system.balance.drift = whole->drift;
}

static inline int carom_island_pair_in_whole(const caromIsland *island, int pair)
{
    return island->part ? island->part->pair[pair] : pair;
}

static inline int carom_island_limit_in_whole(const caromIsland *island, int limit)
{
    return island->part ? island->part->limit[limit] : limit;
}

static inline int carom_island_link_in_whole(const caromIsland *island, int link)
{
    return island->part ? island->part->link[link] : link;
}

// What time alone moves is in all islands, and owned by one.
static inline bool carom_island_owns_link(const caromIsland *island, int link)
{
    return !island->part || island->all->owner[island->part->link[link]] == island->id;
}

// Does a shape of the model meet others in other islands? What time alone moves is met in each of them.
static inline bool carom_island_meets(const caromModel *model, int shape)
{
    return !carom_model_is_led(model->links, model->bodies[model->shapes[shape].body].link);
}

int carom_island_pair_in_part(const caromIslandModel *part, int pair);  // of a pair of the whole that is in the part

// make.c. The island of the links that id owns, from those in which they were: the heir gets the energies that they
// have lost so far. After a failure to be destroyed.
typedef struct caromIslandOrigin {
    caromIsland *const *from;
    int n;
    bool is_heir;
} caromIslandOrigin;
caromStatus carom_island_make(caromIslands *all, int id, const caromIslandOrigin *origin, caromIsland **island,
                              caromError *err);
void carom_island_destroy(caromIsland *island);
void carom_island_account(caromIsland *island);  // adds its counts to those of the whole

// ahead.c. The next step of an island, and where it meets others.
caromStatus carom_island_try(caromIslands *all, int id, caromError *err);
void carom_island_stop(caromIslands *all, caromIsland *island, double time);  // its step ends there, and meets nobody
void carom_island_sides(const caromIslands *all, int pair, caromIslandSide side[2]);  // of a pair of the whole

// track.c
void carom_island_track(caromIslands *all, caromIsland *island);  // of the bodies of the island; bounds are known
// Two bodies stay farther apart than the margin from where both steps have begun until t1.
bool carom_island_pass_far(const caromIslandTrack *a, const caromIslandTrack *b, caromVec3 gravity, double t1,
                           double margin);

// instant.c. All that is part of a touch of an island at a time, itself first: cluster.
caromStatus carom_island_find_cluster(caromIslands *all, int id, double time);

// gather.c. Samples of all, at a time that their steps cover.
caromStatus carom_island_grid_samples(caromIslands *all, double t_end, caromError *err);
int carom_island_list_contacts(void *islands, double time, caromContact *list);  // a caromLister, in such a sample
// A caromSampler.
caromStatus carom_island_sample(void *island, double time, const double *y, caromSampleKind kind, caromError *err);

#endif
