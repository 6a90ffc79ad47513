// What must be true of every answer of carom_collide_shapes, given the exact gap; and a tally of how true it was.
#ifndef CAROM_TESTS_COLLIDE_CHECKS_H
#define CAROM_TESTS_COLLIDE_CHECKS_H

#include "carom/collide.h"
#include "check.h"
#include "collide_reference.h"

typedef struct Pair {
    caromShape a, b;
    caromPose X_WA, X_WB;
    const RefPolytope *hull_a, *hull_b;  // cores of polytopes, or NULL
} Pair;

// Worst of all checked so far, lengths as a part of the size of the pair: the larger bounding radius or the
// distance of the centres.
enum { REASONS_MAX = 16 };
typedef struct Reason {
    const char *what;
    int n;
} Reason;
typedef struct Tally {
    const char *name;
    int n, failed, not_ok;  // not_ok: of these, the status was not OK
    Reason reasons[REASONS_MAX];
    double g;         // |g - exact| less the uncertainty of exact
    double bound;     // (|g - exact| - uncertainty)/error: at most 1
    double duality;   // |phi(n) - g|
    double surface;   // how far witness points are outside, or below the plane that supports the shape there
    double moved;     // change of g when both move, less what the rounding of their poses explains
} Tally;

double pair_size(const Pair *pair);
double pair_tolerance(const Pair *pair);  // 1e-12 of the size where there is no curved core or a half-space, else 1e-9
bool pair_is_same(const Pair *pair);      // A and B are the same, bit by bit
bool same_bits(caromGap a, caromGap b);

// All checks of one answer, with a few lines about the first failures. exact: the true gap, within uncertainty.
// Returns whether all is well.
bool check_pair(const Pair *pair, double exact, double uncertainty, Tally *tally);
// The same with ref_gap as the reference.
bool check_pair_by_reference(const Pair *pair, Tally *tally);
// Both bodies moved by a rigid motion.
bool check_moved(const Pair *pair, caromPose X_VW, Tally *tally);
// Warm start from any earlier state, twice.
bool check_warm(const Pair *pair, caromWarmStart *warm, Tally *tally);

void pair_print(const Pair *pair);  // shapes and poses, as many digits as there are
// Counts failures of a kind; true for the first few, which are worth a message.
bool tally_fails(Tally *tally, const char *what, int n);
void tally_add(Tally *sum, const Tally *part);
void tally_print(const Tally *tally);

caromPose random_pose(Random *r, double size);
caromVec3 random_unit(Random *r);
caromPose at(double x, double y, double z);
caromPose turned_at(caromVec3 axis, double angle, double x, double y, double z);

#endif
