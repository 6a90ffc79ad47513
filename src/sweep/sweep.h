// sweep.h -- two shapes that move with constant velocities: what the searches for their first touch share.
//
// Everything is seen in a frame that moves with the origin of A and does not turn: A turns about a point that stays
// at 0, B turns and moves.
#ifndef CAROM_SRC_SWEEP_H
#define CAROM_SRC_SWEEP_H

#include "sweep/bound.h"
#include "sweep/hierarchy.h"

typedef struct caromMover {
    caromPose X;      // at t = 0
    caromVec3 v, w;   // velocity of the origin; angular velocity
    caromVec3 axis;   // w/|w|
    double speed;     // |w|
} caromMover;

caromPose carom_sweep_mover_at(const caromMover *m, double t);

typedef struct caromSwept {
    const caromShape *a, *b;  // b may be a half-space
    caromMover A, B;
    bool turns;
    bool may_overlap;         // at t = 0: the bounding spheres do
    double scale;             // sizes and distance together [m]
    double slack;             // roundings of a length [m]
    // Gaps are asked for down to this distance: nearer the direction is not known as well, and overlaps are slow [m].
    double near;
    double end;               // the time up to which a touch is of interest: that of the best found so far
    bool hit;                 // at end
    caromGap gap;             // then
} caromSwept;

typedef struct caromSweptPair {  // two pieces at one instant
    caromPiece *a, *b;        // triangles turn towards the other when its gap is asked for
    caromPose X_A, X_B;       // of the wholes
    double t;
} caromSweptPair;

caromSweptPair carom_sweep_pair(const caromSwept *s, caromPiece *a, caromPiece *b, double t);

// How long the pieces certainly stay apart by more than level along n, from their instant up to s->end.
double carom_sweep_is_clear(const caromSwept *s, const caromSweptPair *pair, caromVec3 n, double level);

// The same along a direction that turns with the face or the edges that touch; 0: there are none. gap: that of the
// pair.
double carom_sweep_is_clear_turning(const caromSwept *s, const caromSweptPair *pair, const caromGap *gap, double level);
// The angular velocity that moves the piece as a set just now: w, but of what is round about an axis through its origin
// (r = 0) without the part along that axis, which is *spin.
caromVec3 carom_sweep_spin(const caromPiece *p, const caromMat3 *R, caromVec3 r, caromVec3 w, double *spin);

// The first touch of two pieces from t on, if it is before s->end: then s->end, hit and gap are it.
void carom_sweep_pieces(caromSwept *s, caromPiece *a, caromPiece *b, double t);

// The gap of the same two material points at another instant.
caromGap carom_sweep_moved(const caromSwept *s, caromGap gap, double t1, double t2);

// The first touch of two shapes of which at least one is not convex (tree.c).
void carom_sweep_trees(caromSwept *s);

#endif
